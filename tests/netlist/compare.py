#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares gnomon commands that contain the same board in two forms: the device's information, the event stream of
one program, the records of another one and both consoles byte by byte, and all packets from the device on the
cable, to the tick of 48 MHz. The first command also runs with random contents of memories and registers, which
must not change any result.

usage: compare.py --out FOLDER --stream ELF --stream-argument TEXT --records ELF --records-argument TEXT GNOMON GNOMON..."""
import json
import os
import subprocess
import sys

from options import values

SEEDS = (1, 2)
HOST_PPM = (0, 2500, -2500)  # deviation of the host's clock in `info`
LEAST_CALLS = 500  # in each of the two profiles; fewer calls make the comparison weak
LEAST_PACKETS = 300


def gnomon(command, *arguments, status=0):
    """Runs one command to its end and returns its output."""
    done = subprocess.run([command, *arguments], capture_output=True, timeout=900, check=False)
    if status is not None and done.returncode != status:
        sys.exit(f"{command} {' '.join(arguments)}: status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout


def session(command, folder, name, programs, seed):
    """Returns all output of one board, as a dictionary of bytes."""
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
        # The exit status is the program's own result, which the trace also has.
        said[kind + " console"] = gnomon(command, "record", "-q", *common, f"--{kind}", "-o", trace, elf, argument, status=None)
        keep(kind + " trace", trace)
        keep(kind + " cable", base + ".log")
    return said


def first_difference(left, right):
    """Returns the first different line of a log, or byte of other output."""
    if b" ticks " in left:
        pairs = zip(left.split(b"\n"), right.split(b"\n"))
        for number, (a, b) in enumerate(pairs, 1):
            if a != b:
                return f"line {number}: {a.decode()!r} and {b.decode()!r}"
        return "one ends early"
    at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
    return f"byte {at}"


def since_pull_up(said):
    """Removes the cable's state before the device's pull-up: until the reset takes effect, random registers may
    drive the cable. Registers of a real chip start with 0."""
    return {what: value[value.index(b"pull-up 1"):] if what.endswith("cable") else value for what, value in said.items()}


def must_equal(name, other, said, heard):
    for what, value in said.items():
        if value != heard[what]:
            sys.exit(f"{name} and {other} differ: {what}, {first_difference(value, heard[what])}")


def check_worth(command, folder, name, programs, said):
    """Checks that the compared output is large enough."""
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
    """Checks that the PLL's parameters give the clock that the device reports."""
    if pll[2] != b"0":
        assert clock_hz * int(pll[3]) == 48000000 * int(pll[2]), (clock_hz, pll)


def main():
    folder, stream, stream_argument, records, records_argument, commands = values(
        __doc__, "out", "stream", "stream-argument", "records", "records-argument", rest="GNOMON")
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
