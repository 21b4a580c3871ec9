# SPDX-License-Identifier: Apache-2.0
"""Runs commands, `gnomon` in particular, and reads what they print."""
import json
import subprocess

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


def sim_options(*words):
    """Options of gnomon that give these words to the simulated board."""
    return [part for word in words for part in ("--sim-option", str(word))]


# USB is fast against the hart's clock, and the trace takes no time, so that no event of a program with many calls is lost.
FAST_USB = ["--usb-speedup", "64", "--usb-rate", "lossless"]
FAST = sim_options(*FAST_USB)


def report(trace, *options):
    """What `gnomon report --json` says of a recording."""
    return json.loads(must(["gnomon", "report", "--json", *options, "-i", trace]))
