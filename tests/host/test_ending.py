#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the end of every command that runs a program: exit status and output if the program ends, fails, crashes or
never ends; for wrong usage and failing devices; on Ctrl-C, after --duration, and when killed. On a terminal:
progress, and no line wider than the terminal.

usage: test_ending.py GNOMON FOLDER"""
import concurrent.futures
import fcntl
import json
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time

from checking import fail, require
from commands import FAST

GNOMON = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(__file__).resolve().parent / "input_program.c"
PATIENCE = 200
SIM = ["-d", "sim:full"]
PROGRAM = {"callers": ["work", "watched.elf"]}
OPTIONS = {"record": ["-o", "ending.gnt"], "tag": ["-t", "work"]}
ONCE = {"hot": ["--period", "1000"], "scan": ["--slice", "20000"]}  # short programs are not repeated
COMMANDS = "run", "record", "stat", "tag", "hot", "scan", "callers"
SHOWN = {"run": "", "record": "wrote ending", "stat": "Cause of each cycle", "tag": "Tags of", "hot": "Hottest functions", "scan": "Scan of",
         "callers": "callers of work"}


def line(command, *arguments, options=(), device=tuple(SIM)):
    own = [part.replace("ending.gnt", f"{command}.gnt") for part in OPTIONS.get(command, [])]
    return [GNOMON, command, *device, *own, *options, *PROGRAM.get(command, ["program.elf"]), *arguments]


def run(arguments):
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def together(function, items):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(function, items))


def statuses(command):
    """Tests the table of docs/internals/host.md; another test covers the success of the other commands."""
    if command in ("run", "record", "stat"):
        for name, arguments, want in ("success", ["leave", "left"], 0), ("the program fails", ["copy", "nothing", "left"], int(command == "run")):
            status, text = run(line(command, *arguments))
            require(f"{command}, {name}", status, want, text)
        status, text = run(line(command, "status", "-1"))
        require(f"{command}, the program's status is -1", status, 255 if command == "run" else 0, text)
        if command != "run" and "status 255" not in text:
            fail(f"{command}, the program's status is -1: {text}")
    for name, arguments, want in (
            ("wrong usage", line(command, options=["--nonsense"]), 2),
            ("wrong duration", line(command, options=["--duration", "5 minutes"]), 2),
            ("no program", [GNOMON, command, *SIM], 2),
            ("no such program", [GNOMON, command, *SIM, *(["work"] if command == "callers" else []), *OPTIONS.get(command, []), "no.elf"], 1),
            ("no such device", line(command, device=["-d", "usbip:127.0.0.1:1"]), 1)):
        status, text = run(arguments)
        require(f"{command}, {name}", status, want, text)


def interrupted(command, number=signal.SIGINT, ignored=()):
    """Sends Ctrl-C, or the signals of `ignored` and then `number`, while a program that never ends runs."""
    child = subprocess.Popen([*(["env", *(f"--ignore-signal={signal.Signals(n).name[3:]}" for n in ignored)] if ignored else []), *line(command)],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while b"running" not in child.stdout.readline():
        if child.poll() is not None:
            fail(f"{command} ends: {child.stderr.read()}")
    time.sleep(0.5)
    for one in ignored:
        child.send_signal(one)
        time.sleep(0.5)
        if child.poll() is not None:
            fail(f"{command} ends at a signal that it was started without: {child.communicate()}")
    child.send_signal(number)
    out, err = child.communicate(timeout=PATIENCE)
    text = (out + err).decode()
    require(f"Ctrl-C in {command}", child.returncode, 130, text)
    if SHOWN[command].replace("ending", command) not in text or "interrupted" not in text:
        fail(f"Ctrl-C in {command}: {text}")
    if command != "run" and not re.search(r"INTERRUPTED at cycle [\d,]+,\s", text):
        fail(f"Ctrl-C in {command} is not in its first line: {text}")


def hung_up():
    """The end of the terminal is as Ctrl-C, except for a command that was started with nohup."""
    interrupted("run", signal.SIGHUP)
    interrupted("stat", signal.SIGTERM, [signal.SIGHUP])


def worth(command):
    """The first line and the JSON tell how the program ended and how exact the figures are, in the same way in each
    command."""
    pathlib.Path("from").write_bytes(bytes(1000))
    exact = command != "callers"  # stack walks are samples
    once = ONCE.get(command, [])
    for reason, arguments, options, status, phrase in (
            ("exit", ["copy", "from", f"to-{command}"], [], 0, ""),
            ("exit", ["copy", "nothing", f"to-{command}"], [], 0, "exit status 1, "),
            ("duration", [], ["--duration", "60000c"], 0, r"stopped as --duration asked at cycle [\d,]+, "),
            ("crashed", ["die"], [], 1, r"the program CRASHED at cycle [\d,]+ \(store access fault, address 0x00000000\), ")):
        options = [*FAST, *once, *options]
        done = subprocess.run(line(command, *arguments, options=[*options, "--json"]), stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
                              check=False)
        require(f"{command}, {reason}", done.returncode, status, done.stderr)
        found = json.loads(done.stdout)
        require(f"{command}, {reason}", [found["end"]["reason"], found["exact"], found["complete"]], [reason, exact, exact and reason == "exit"], found["reasons"])
        up_to = r"up to there " if exact and reason != "exit" else ""
        wanted = phrase + (up_to + "counted exactly, nothing lost" if exact else "found by samples: rare callers may be missing")
        text = run(line(command, *arguments, options=options))[1]
        if not re.search(wanted.replace(" ", r"\s"), text):
            fail(f"{command}, {reason}: {wanted} is not in {text}")


def cycles(text):
    done = subprocess.run(line("stat", options=["--json", "--duration", text]), capture_output=True, timeout=PATIENCE, check=True)
    found = json.loads(done.stdout)
    require("why it ended", found["end"]["reason"], "duration")
    return found["cycles"]["runs"][0]


def durations():
    """--duration stops at the same cycle each time, at or shortly after the requested time."""
    first, again, seconds = cycles("120000c"), cycles("1.2e5c"), cycles("2ms")
    require("the same --duration", again, first)
    require("2 ms are 120,000 cycles of 60 MHz", seconds, first)
    if not 120000 <= first < 125000:
        fail(f"--duration 120000c: {first} cycles")
    # the last two poll the device continuously
    for command, options in ("tag", []), ("callers", []), ("scan", ["--slice", "20000"]), ("hot", ["--period", "100"]):
        done = subprocess.run(line(command, options=["--json", "--duration", "120000c", *options]), stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE, check=True)
        stopped = json.loads(done.stdout)["end"]["cycle"]
        if not 120000 <= stopped < 125000:
            fail(f"{command} --duration 120000c: {stopped} cycles")
    status, text = run(line("hot", options=["--period", "100", "--duration", "2ms"]))  # more samples than USB takes
    require("hot with more samples than can be read", status, 0, text)
    if not re.search(r"up to\sthere\scounted\sexactly,\s[\d,]+\ssamples\slost:", text):
        fail(f"hot with more samples than can be read: {text}")


def short():
    """A program shorter than the usual period and slice: all its functions and their exact cycles are reported."""
    pathlib.Path("from").write_bytes(bytes(1000))
    total = json.loads(subprocess.run(line("stat", "copy", "from", "to", options=["--json"]), capture_output=True, check=True).stdout)
    whole = total["cycles"]["runs"][0] - total["causes"]["reset"]["runs"][0]  # no function has the cycles of reset
    hot = json.loads(subprocess.run(line("hot", "copy", "from", "to", options=["--json"]), capture_output=True, check=True).stdout)
    scan = json.loads(subprocess.run(line("scan", "copy", "from", "to", options=["--json"]), capture_output=True, check=True).stdout)
    require("scan of a short program", scan["had_their_turn"], scan["pieces"])
    done = subprocess.run(line("scan", options=["--json", "--slice", "100000", "--duration", "3e6c"]), stdin=subprocess.DEVNULL, capture_output=True, check=True)
    turns = {}
    for function in json.loads(done.stdout)["found"]:
        turns[function["cycles_of_turn"]] = turns.get(function["cycles_of_turn"], 0) + function["cycles"]
    if any(cycles > turn for turn, cycles in turns.items()):
        fail(f"scan: more cycles than their turn has: {turns}")
    counted = sum(function["cycles"] for function in scan["found"])
    if not whole <= counted <= whole + 20:
        fail(f"scan of a short program: {counted} cycles of {whole}")
    exact = {function["name"]: function["cycles"] for function in scan["found"]}
    if hot["samples"] < 300 or len(hot["functions"]) < 5:
        fail(f"hot of a short program: {hot}")
    for function in hot["functions"][:5]:
        require(f"hot: cycles of {function['name']}", function["cycles"], exact[function["name"]])
    status, text = run(line("hot", "copy", "from", "to", options=["--period", "4000000000"]))
    require("hot with a period that is too long", status, 0)
    if "shorter --period" not in text:
        fail(f"hot with a period that is too long: {text}")


def odd_names(command):
    """Names that are not UTF-8: JSON has such bytes as \\xHH, and the program of a recording is found again."""
    odd = os.fsdecode(f"odd-{command}\\x-".encode() + b"\xff\xc3\xa4\xc3.elf")
    escaped = f"odd-{command}\\x5Cx-\\xFF\u00e4\\xC3.elf"
    parts = [odd if part.endswith(".elf") else part for part in line(command, "status", odd, options=ONCE.get(command, []) + ["--json"] * (command != "record"))]
    pathlib.Path(odd).write_bytes(pathlib.Path("program.elf").read_bytes())
    done = subprocess.run(parts, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
    if command == "record" and done.returncode == 0:
        done = subprocess.run([GNOMON, "report", "-i", "record.gnt", "--json"], capture_output=True, timeout=PATIENCE, check=False)
    require(f"{command} of {escaped}", done.returncode, 0, done.stderr)
    require(f"{command} of {escaped}", os.path.basename(json.loads(done.stdout)["program"]), escaped)


def killed():
    """kill -9 of gnomon: its simulator ends, too, the earlier file stays, and only a .partial.tmp file is left over."""
    earlier = pathlib.Path("record.gnt").read_bytes()
    before = set(os.listdir("."))
    child = subprocess.Popen(line("record", options=["--put", "from"]), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    while b"running" not in child.stdout.readline():
        pass
    simulator = int(subprocess.run(["pgrep", "-P", str(child.pid), "gnomon-sim"], capture_output=True, check=True).stdout)
    child.kill()
    child.wait()
    end = time.monotonic() + 10
    while os.path.exists(f"/proc/{simulator}/exe") and time.monotonic() < end:
        time.sleep(0.05)
    if os.path.exists(f"/proc/{simulator}/exe"):
        fail("the simulator outlives a gnomon that was killed")
    require("files after kill -9", set(os.listdir(".")) - before, {"record.gnt.partial.tmp"})
    require("the earlier recording", pathlib.Path("record.gnt").read_bytes(), earlier)


def on_terminal(arguments, seconds, keys=None):
    """Returns gnomon's output on a terminal of 80 columns; sends Ctrl-C after this time."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", GNOMON_PAGER="")
        os.environ.pop("COLUMNS", None)
        os.execv(GNOMON, arguments)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown, begin = b"", None
    while True:
        try:
            got = os.read(terminal, 10000)
        except OSError:
            break
        shown += got
        if b"running" in shown and begin is None:
            begin = time.monotonic()
        if begin and keys is None and time.monotonic() - begin > seconds and b"cycles" in shown:
            keys = b"\x03"
            os.write(terminal, keys)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown.decode(errors="replace")


def terminal(command):
    status, shown = on_terminal(line(command), 2)
    require(f"Ctrl-C key in {command}", status, 130, shown)
    if not re.search(r"[\d.,]+( M)? cycles", shown):
        fail(f"{command} shows no progress: {shown!r}")
    tables = shown if command not in ("run", "record") else ""
    for text in re.sub(r"\x1b\[[\d;]*[A-Za-z]", "", tables).replace("\r", "\n").split("\n"):
        if len(text) > 80:
            fail(f"{command} shows {len(text)} columns: {text!r}")
    if command == "hot" and not re.search(r"\x1b\[\d+A\x1b\[J", shown):
        fail(f"hot does not redraw: {shown!r}")
    status, shown = on_terminal(line(command, options=["-q", "--duration", "2ms"]), 1000)
    require(f"{command} -q", status, 0, shown)
    if "cycles/s" in shown or "samples   Ctrl-C" in shown:
        fail(f"{command} -q shows progress: {shown!r}")
    if command != "record" and SHOWN[command] not in shown:
        fail(f"{command} --duration: {shown}")


def table():
    """The statuses of gnomon --help equal those of docs/internals/host.md."""
    page = (SOURCE.parents[2] / "docs/internals/host.md").read_text("utf-8").split("## Exit status")[1].split("\n## ")[0]
    shown = run([GNOMON, "--help"])[1].split("Exit status:")[1]
    require("statuses of --help", re.findall(r"^  (\d+) ", shown, re.M), re.findall(r"^\| (\d+) \|", page, re.M))


def main():
    os.makedirs(sys.argv[2], exist_ok=True)
    os.chdir(sys.argv[2])
    for name, options in ("program.elf", []), ("watched.elf", ["--gnomon-monitor"]):
        subprocess.run([GNOMON, "cc", "-O2", "-g", *options, "-o", name, SOURCE], check=True)
    for function in statuses, interrupted, terminal:
        begin = time.monotonic()
        together(function, COMMANDS)
        print(f"pass  {function.__name__}, {time.monotonic() - begin:.1f} s", flush=True)
    begin = time.monotonic()
    together(worth, COMMANDS[2:])
    print(f"pass  worth, {time.monotonic() - begin:.1f} s", flush=True)
    begin = time.monotonic()
    together(odd_names, COMMANDS[1:5])
    print(f"pass  odd_names, {time.monotonic() - begin:.1f} s", flush=True)
    for function in hung_up, durations, short, killed, table:
        begin = time.monotonic()
        function()
        print(f"pass  {function.__name__}, {time.monotonic() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main()
