#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon calibrate against fake devices whose clocks are known (fake_clock.h): the truth is within the printed error, also when all
delay of the reads is on one side; clocks that jump or stop, and lost devices, give a message and no figures.

usage: test_calibrate.py --gnomon COMMAND --device FAKE --out FOLDER"""
import json
import os
import re
import struct
import subprocess
import sys
import time

from checking import expect, result, same
from options import values

HZ = 12000000
READS = 400
gnomon, device, folder = values(__doc__, "gnomon", "device", "out")
os.makedirs(folder, exist_ok=True)
environment = dict(os.environ, GNOMON_TIMEOUT_SCALE="1", NO_COLOR="1")
environment.pop("GNOMON_DEVICE", None)


class Board:
    """A fake device whose cycle 0 was `age` seconds ago, with the longest delays in us to its counter and back."""

    def __init__(self, ppm, age, to, back, *options):
        self.period = 1e9 / (HZ * (1 + ppm / 1e6))
        self.ppm, self.start = ppm, time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) - int(age * 1e9)
        self.process = subprocess.Popen([device, "--clock", f"{ppm}:{self.start}:{to}:{back}", *options], stdout=subprocess.PIPE, text=True)
        self.address = "usbip:" + self.process.stdout.readline().split()[-1]

    def end(self):
        self.process.kill()
        self.process.wait()
        self.controls = [int(line.split()[1]) for line in self.process.stdout]
        self.process.stdout.close()

    def host(self, cycle):
        """True host time of a cycle, in ns."""
        return self.start + cycle * self.period

    def cycle(self, host):
        return (host - self.start) / self.period


def calibrate(*boards, reads=READS, more=()):
    other = ["--with", boards[1].address] if len(boards) > 1 else []
    done = subprocess.run([gnomon, "calibrate", "-d", boards[0].address, *other, "-n", str(reads), *more], capture_output=True, text=True,
                          env=environment, timeout=60)
    for board in boards:
        board.end()
    if "lost" not in done.stderr and "simulated" not in done.stderr:
        same("the hart leaves its reset halted, and returns to it", [board.controls for board in boards], [[2, 1]] * len(boards))
    expect("no report of a sanitizer", "Sanitizer" not in done.stderr and "runtime error" not in done.stderr, done.stderr)
    return done


def within(name, value, truth, error):
    expect(f"{name}: {abs(value - truth):.6g} from the truth, the error is {error:.6g}", abs(value - truth) <= error)


def check_board(name, board, fit):
    for cycle in (fit["first_cycle"], fit["cycle"], fit["last_cycle"]):
        host = fit["host_ns"] + (cycle - fit["cycle"]) * fit["ns_per_cycle"]
        within(f"{name}: host time of cycle {cycle}", host, board.host(cycle), fit["error_ns"])
    within(f"{name}: rate", fit["rate_ppm"], board.ppm, fit["rate_error_ppm"])
    same(f"{name}: samples", fit["samples"], READS)


def check_pair(name, a, b, pair):
    for cycle in (pair["first_cycle"], pair["a_cycle"], pair["last_cycle"]):
        got = pair["b_cycle"] + (cycle - pair["a_cycle"]) * pair["ratio"]
        within(f"{name}: cycle of B for cycle {cycle} of A", got, b.cycle(a.host(cycle)), pair["error_cycles"])


# Two boards: rates that differ, starts that differ, and delays on either side, which make the errors as large as they can be.
for name, one, two in (("even", (37.5, 3, 300, 300), (-61, 10, 200, 200)),
                       ("opposite", (-20, 500, 600, 0), (90, 0.001, 0, 600)),
                       ("past the low half", (0, 400, 0, 600), (5, 100000, 600, 0))):
    a, b = Board(*one), Board(*two)
    done = calibrate(a, b, more=["--json"])
    if not expect(f"{name}: exit status", done.returncode == 0, done.stderr):
        continue
    json_text = json.loads(done.stdout)
    for board, which in zip((a, b), json_text["boards"]):
        check_board(f"{name}: {which['device']}", board, which["fit"])
        expect(f"{name}: the error is not much more than the round trips", which["fit"]["error_ns"] < 2e7, which)
    check_pair(name, a, b, json_text["pair"])
    fits = [board["fit"] for board in json_text["boards"]]
    within(f"{name}: the pair's error is the sum", json_text["pair"]["error_ns"], fits[0]["error_ns"] + fits[1]["error_ns"], 1e-3)

# What a person sees, has the error.
board = Board(50, 1, 100, 100)
done = calibrate(board)
expect("text", re.search(r"12 MHz [+-][0-9.]+ ppm, \+-[0-9.]+ ppm", done.stdout) and re.search(r"\n  \+-[0-9.]+ us for cycles", done.stdout),
       done.stdout, done.stderr)
done = calibrate(Board(0, 1, 50, 50), Board(0, 2, 50, 50))
expect("text of two", re.search(r"cycle of usbip\S+\n  = [0-9,]+ \+ \(cycle of usbip\S+ - [0-9,]+\) \* \d\.\d+\n  \+-[0-9,]+ cycles", done.stdout),
       done.stdout, done.stderr)


def refused(name, says, *boards, reads=READS):
    done = calibrate(*boards, reads=reads)
    expect(f"{name}: one message, no figures", done.returncode == 1 and re.search("^gnomon: calibrate: .*" + says, done.stderr) and not done.stdout,
           done.returncode, done.stderr, done.stdout)


def faulty(fault):
    return Board(10, 60, 20, 20, "--fault", fault)


refused("reset", "went back", faulty("clock-back"))
refused("jump", "no constant rate", faulty("clock-jump"))
refused("stopped", "stands still|no constant rate", faulty("clock-stop"))
refused("lost", "connection to .* is lost", faulty("clock-cut"))
refused("the other one is lost", "connection to .* is lost", Board(0, 1, 20, 20), faulty("clock-cut"))
refused("few", "too few samples .*: 3, and 8", Board(0, 1, 20, 20), reads=3)
done = subprocess.run([gnomon, "calibrate", "-d", "usbip:127.0.0.1:1"], capture_output=True, text=True, env=environment, timeout=60)
expect("no board", done.returncode == 1 and "cannot reach usbip:127.0.0.1:1" in done.stderr, done.stderr)
refused("simulated", "is simulated: its time passes only", faulty("clock-simulated"))


# A recording has the host's times of the run's cycles (the fake device's run has 100).
def run(*arguments):
    return subprocess.run([gnomon, *arguments], capture_output=True, text=True, env=environment, timeout=60)


def record(name, board, *options):
    path = os.path.join(folder, name + ".gnt")
    done = run("record", "-d", board.address, "-o", path, *options, program)
    board.end()
    return path, done


program = os.path.join(folder, "program.elf")
with open(program, "wb") as file:
    file.write(struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", 2, 243, 1, 0x10000000, 52, 0, 0, 52, 32, 1, 0, 0, 0) +
               struct.pack("<IIIIIIII", 1, 84, 0x10000000, 0x10000000, 16, 16, 5, 4) + b"\x13\0\0\0" * 4)
board = Board(30, 0.5, 50, 0)
path, done = record("calibrated", board, "--calibrate")
expect("record --calibrate tells the error", done.returncode == 0 and re.search(r"known to \+-[0-9.]+ us \(clock", done.stderr), done.stderr)
json_text = json.loads(run("calibrate", "--json", path).stdout)
fit = json_text["boards"][0]["fit"]
same("cycles of the recording", (fit["first_cycle"], fit["last_cycle"]), (0, 100))
for cycle in (0, 100):
    within("recording", fit["host_ns"] + (cycle - fit["cycle"]) * fit["ns_per_cycle"], board.host(cycle), fit["error_ns"])
within("recording: rate", fit["rate_ppm"], board.ppm, fit["rate_error_ppm"])
plain, done = record("plain", Board(0, 0.5, 0, 0))
done = run("calibrate", plain)
expect("a recording without", done.returncode == 1 and "has no host times of its cycles" in done.stderr, done.stderr)
reset, done = record("reset", faulty("clock-back"), "--calibrate")
expect("a recording that is not calibrated is still one", done.returncode == 0 and "no host times of its cycles: " in done.stderr, done.stderr)
early, done = record("early", Board(0, 3600, 0, 0), "--calibrate")
done = run("calibrate", path, early)
expect("recordings of different times", done.returncode == 1 and "no time in common" in done.stderr, done.stdout, done.stderr)
done = run("calibrate", path, "--with", "usb")
expect("files and devices", done.returncode == 2 and "are for devices" in done.stderr, done.stderr)
_, done = record("simulated", Board(0, 1, 0, 0, "--fault", "clock-simulated"), "--calibrate")
expect("record on a simulated board", done.returncode == 1 and "is simulated" in done.stderr, done.stderr)
sys.exit(result())
