# SPDX-License-Identifier: Apache-2.0
"""Runs commands, `gnomon` in particular, and reads what they print."""
import json
import os
import signal
import subprocess
import time

from checking import fail


PATIENCE = 1500  # seconds: only a command that hangs takes so long, on any machine


def run(command, **more):
    """The finished process, with standard output and standard error as text. `more` goes to subprocess.run. Ends the test
    if the command hangs, unless `more` has a timeout of its own."""
    options = {"capture_output": True, "text": True, "check": False, "timeout": PATIENCE, **more}
    try:
        return subprocess.run([str(word) for word in command], **options)
    except subprocess.TimeoutExpired:
        if "timeout" in more:
            raise
        fail(f"{' '.join(map(str, command))}: has not ended after {PATIENCE} s")


def must(command, status=0, **more):
    """Standard output of the command; ends the test if the command's exit status is another one."""
    done = run(command, **more)
    if done.returncode != status:
        fail(f"{' '.join(map(str, command))}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done.stdout


def interrupted(command, trace):
    """What is wrong with Ctrl-C half a second after the recorder has begun to write `trace`: the recording is valid, and says so. []: nothing."""
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        while not os.path.exists(f"{trace}.partial.tmp") and process.poll() is None:
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=PATIENCE)[0].decode()
    if process.returncode != 130:
        return [process.returncode, output]
    reason = report(trace)["end"]["reason"]
    return [] if reason == "interrupted" else [reason, output]


def sim_options(*words):
    """Options of gnomon that give these words to the simulated board."""
    return [part for word in words for part in ("--sim-option", str(word))]


# USB is fast against the hart's clock, and the trace takes no time, so that no event of a program with many calls is lost.
FAST_USB = ["--usb-speedup", "64", "--usb-rate", "lossless"]
FAST = sim_options(*FAST_USB)


def report(trace, *options):
    """What `gnomon report --json` says of a recording."""
    return json.loads(must(["gnomon", "report", "--json", *options, "-i", trace]))


def added(pairs):
    """The sum of each name's values; none of a name whose values are all 0."""
    sums = {}
    for name, value in pairs:
        if value:
            sums[name] = sums.get(name, 0) + value
    return sums
