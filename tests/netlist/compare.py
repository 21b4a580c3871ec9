#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two gnomon commands with the same board inside, in two forms, do the same: what the device says about itself, a program's
event stream, another's records and both consoles are compared byte by byte, and everything that the device sent on the cable
packet by packet, to the tick of 48 MHz. The first is run again with random memories and registers: nothing may show.

usage: compare.py FOLDER STREAM.elf STREAM_ARG RECORDS.elf RECORDS_ARG GNOMON GNOMON..."""
import json
import os
import subprocess
import sys

SEEDS = (1, 2)
HOST_PPM = (0, 2500, -2500)  # how wrong the host's clock may be, in `info`
LEAST_CALLS = 500  # in each of the two profiles, or the comparison says little
LEAST_PACKETS = 300


def gnomon(command, *arguments, status=0):
    """Runs one command to its end and returns what it printed."""
    done = subprocess.run([command, *arguments], capture_output=True, timeout=900, check=False)
    if status is not None and done.returncode != status:
        sys.exit(f"{command} {' '.join(arguments)}: status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout


def session(command, folder, name, programs, seed):
    """All that one board says; a dictionary of bytes."""
    said = {}
    base = os.path.join(folder, name)
    common = ["-d", "sim:board", "--sim-option", f"log={base}.log", "--sim-option", f"seed={seed}"]

    def keep(what, path):
        with open(path, "rb") as file:
            said[what] = file.read()

    for ppm in HOST_PPM:
        what = f"info {ppm:+d}" if ppm else "info"
        said[what] = gnomon(command, "info", "--json", *common, "--sim-option", f"ppm={ppm}")
        keep(what + " cable", base + ".log")
    for kind, (elf, argument) in programs.items():
        trace = f"{base}.{kind}.gnt"
        # The program's own result is its status: it is in the trace, too.
        said[kind + " console"] = gnomon(command, "record", "-q", *common, f"--{kind}", "-o", trace, elf, argument, status=None)
        keep(kind + " trace", trace)
        keep(kind + " cable", base + ".log")
    return said


def first_difference(left, right):
    """Line of a log, or byte of anything else."""
    if b" ticks " in left:
        pairs = zip(left.split(b"\n"), right.split(b"\n"))
        for number, (a, b) in enumerate(pairs, 1):
            if a != b:
                return f"line {number}: {a.decode()!r} and {b.decode()!r}"
        return "one ends early"
    at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
    return f"byte {at}"


def since_pull_up(said):
    """The same without what was on the cable before the device was there: until the reset comes through, random registers may
    drive it. Those of a chip begin with 0."""
    return {what: value[value.index(b"pull-up 1"):] if what.endswith("cable") else value for what, value in said.items()}


def must_equal(name, other, said, heard):
    for what, value in said.items():
        if value != heard[what]:
            sys.exit(f"{name} and {other} differ: {what}, {first_difference(value, heard[what])}")


def check_worth(command, folder, name, programs, said):
    """Is there enough in what is compared?"""
    for kind in programs:
        report = json.loads(gnomon(command, "report", "--json", "-i", os.path.join(folder, f"{name}.{kind}.gnt")))
        calls = sum(function["calls"] for function in report["functions"])
        assert calls >= LEAST_CALLS, (kind, calls)
        packets = said[kind + " cable"].count(b" ticks ")
        assert packets >= LEAST_PACKETS, (kind, packets)
        last = said[kind + " cable"].split()[-2]
        print(f"{kind}: {calls} calls, {packets} packets of the device, {last.decode()} ticks")
    check_clock(json.loads(said["info"])["clock_hz"], said["info cable"].split(b"\n")[0].split())


def check_clock(clock_hz, pll):
    """The PLL's parameters give the clock that the device says it has."""
    if pll[2] != b"0":
        assert clock_hz * int(pll[3]) == 48000000 * int(pll[2]), (clock_hz, pll)


def main():
    folder, stream, stream_argument, records, records_argument, *commands = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    programs = {"events": (stream, stream_argument), "records": (records, records_argument)}
    first = session(commands[0], folder, "0", programs, 0)
    check_worth(commands[0], folder, "0", programs, first)
    for seed in SEEDS:
        heard = session(commands[0], folder, f"0.seed{seed}", programs, seed)
        must_equal(commands[0], f"itself with random contents, seed {seed},", since_pull_up(first), since_pull_up(heard))
    for number, command in enumerate(commands[1:], 1):
        must_equal(commands[0], command, first, session(command, folder, str(number), programs, 0))
        print(f"{command}: the same")


main()
