#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rate of the simulated USB must not change a recording, except where the cable loses events.

usage: rate.py DENSE BURST, programs that make more events than full speed carries and than the trace encoder keeps up with"""
import pathlib
import re
import sys

from commands import must, report, run, sim_options

DENSE, BURST = sys.argv[1:]
FOLDER = pathlib.Path(DENSE).parent / "rate"


def record(board, name, rate, *options):
    """Returns the recording's file, its cycles and its number of lost events."""
    path = FOLDER / f"{board}.{name}.{rate or 'default'}.gnt"
    simulator = sim_options("--usb-rate", rate) if rate else []
    program = {"few": [DENSE, "20"], "dense": [DENSE, "20000"], "burst": [BURST]}[name]
    must(["gnomon", "record", "-q", "-d", f"sim:{board}", "-o", path, *options, *simulator, *program])
    said = report(path)
    return path, said["cycles"], said["lost_events"]


def same(board, *options):
    """If nothing is lost, loading at once and reading the trace at once change no byte."""
    recordings = {rate: record(board, "few", rate, *options) for rate in ("true", "load", "lossless", None)}
    true, cycles, lost = recordings["true"]
    assert lost == 0, f"{lost} events lost"
    for rate, (path, *_) in recordings.items():
        assert path.read_bytes() == true.read_bytes(), f"{board} {options}: --usb-rate {rate} shows"
    print(f"ok  {board} {' '.join(options)}: {true.stat().st_size} bytes, {cycles} cycles at any rate")


def events(path):
    """What happened after BEGIN, without the times."""
    lines = must(["gnomon", "dump", "-i", path]).splitlines()
    return [line.split(None, 2)[2] for line in lines[2:]]


def lossless(board, name):
    """The default loses no event that full speed would lose, and the program's cycles are the same."""
    whole, cycles, lost = record(board, name, None, "--events")
    assert lost == 0, f"{board} {name}: {lost} events lost by default"
    _, cable_cycles, cable_lost = record(board, name, "load", "--events")
    assert cable_lost > 1000, f"{board} {name}: {cable_lost} events lost at the cable's rate"
    assert cycles == cable_cycles, f"{board} {name}: {cycles} and {cable_cycles} cycles"
    print(f"ok  {board} {name}: {cable_lost} events lost at the cable's rate, none by default, {cycles} cycles both times")
    return whole


FOLDER.mkdir(exist_ok=True)
wrong = run(["gnomon", "run", *sim_options("--usb-rate", "fast"), DENSE])
assert wrong.returncode != 0 and re.search("--usb-rate takes true, load or lossless", wrong.stderr), wrong.stderr
same("full")
same("full", "--events")
same("small", "--events")
lossless("full", "dense")
lossless("mid", "dense")
bursts = [events(lossless(board, "burst")) for board in ("full", "mid", "small")]
assert bursts[0] == bursts[1] == bursts[2] and len(bursts[0]) > 10000, [len(burst) for burst in bursts]
print(f"ok  the same {len(bursts[0])} events on full, mid and small")
