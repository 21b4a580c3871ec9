#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Encodes random event sequences with the encoder of this folder, and decodes them with `gnomon dump --json`: the same
events must come out. Then removes frames: the remaining events must be right, and no name may be wrong.

usage: test_decode.py --gnomon COMMAND --elf FILE --out FOLDER --seeds COUNT
"""
import json
import random
import subprocess

from gnt_encoder import encode, gnt_bytes
from options import values
from programs import Program, expected_dump

IGNORED = {"delta", "function", "file", "line", "name", "offset"}
MAY_BE_UNKNOWN = {"enter", "exit", "trap_leave"}


def dump(gnomon, path):
    run = subprocess.run([gnomon, "dump", "--json", path], capture_output=True, text=True, check=False)
    return run, [json.loads(line) for line in run.stdout.splitlines()]


def whole(gnomon, path, header, program, frames):
    with open(path, "wb") as file:
        file.write(gnt_bytes(header, frames))
    run, lines = dump(gnomon, path)
    got = [{key: value for key, value in line.items() if key not in IGNORED} for line in lines]
    want = expected_dump(program.events, program.data)
    for number, (a, b) in enumerate(zip(got, want)):
        assert a == b, f"{path}: event {number}: {a}, expected {b}"
    assert len(got) == len(want), f"{path}: {len(got)} events, expected {len(want)}"
    assert run.returncode == 0, (path, run.returncode, run.stderr)
    assert ("dropped" in run.stderr) == (program.counts[1] > 0), run.stderr
    return len(got)


def gaps(gnomon, path, header, frames, contents, seed):
    """Removes some frames. Types and times of the remaining events stay; each name is right or unknown."""
    kept = [i for i in range(len(frames)) if random.Random(f"{seed} {i}").random() < 0.8] or [0]
    with open(path, "wb") as file:
        file.write(gnt_bytes(header, [frames[i] for i in kept]))
    run, lines = dump(gnomon, path)
    missing = sum(line["frames"] for line in lines if line["event"] == "gap")
    events = [line for line in lines if line["event"] != "gap"]
    want = [e for i in kept for e in contents[i] if e[1] not in ("time", "reserved")]
    assert len(events) == len(want), f"{path}: {len(events)} events, expected {len(want)}: {run.stderr}"
    unknown = 0
    for got, (cycle, kind, *fields) in zip(events, want):
        assert (got["event"], got["cycle"]) == (kind, cycle), (path, got, cycle, kind)
        if kind in MAY_BE_UNKNOWN and "number" not in got:
            unknown += 1
        elif kind in ("enter", "exit", "trap_enter"):
            assert got["number"] == fields[0], (path, got, fields)
    assert missing == kept[-1] + 1 - len(kept), (path, missing)
    check_bus(path, lines, frames, kept, contents)
    assert run.returncode == 0, (path, run.returncode, run.stderr)
    return missing, unknown


def check_bus(path, lines, frames, kept, contents):
    """Lock messages and accesses are counted exactly, whatever was lost with them: those in missing frames, and those that the device dropped."""
    ends = [line for line in lines if line["event"] == "end" and "bus_lost" in line]
    if not ends:
        return
    of = lambda i, kinds: [event for event in contents[i] if event[1] in kinds]
    missing = sum(len(of(i, ("lock", "access"))) for i in range(len(frames)) if i not in kept)
    dropped = sum(event[6] for i in range(len(frames)) for event in of(i, ("lost",)))
    assert ends[0]["bus_lost"] == missing + dropped, (path, ends[0], missing, dropped)
    assert len(kept) < len(frames) or sum(line.get("bus", 0) for line in lines) == dropped, path


def main():
    gnomon, elf, folder, seeds = values(__doc__, "gnomon", "elf", "out", "seeds")
    seeds = int(seeds)
    events = missing = unknown = 0
    for seed in range(seeds):
        rng = random.Random(1000 + seed)
        stack = rng.choice([2, 4, 16, 256])
        data = seed % 2 == 1
        program = Program(seed, length=rng.choice([20, 400, 1500]), functions=rng.choice([2, 12, 60]), loss=seed % 3 > 0, data=data)
        frames, contents = encode(program.events, stack, rng.randrange, data)
        header = {"device": {"address": "test", "stack_entries": stack}, "clock_hz": 60000000, "elf": {"path": elf}}
        path = f"{folder}/decode-{seed}.gnt"
        events += whole(gnomon, path, header, program, frames)
        lost = gaps(gnomon, f"{folder}/gaps-{seed}.gnt", header, frames, contents, seed)
        missing += lost[0]
        unknown += lost[1]
    assert missing > 0 and unknown > 0
    print(f"{seeds} traces, {events} events decoded as encoded; {missing} frames left out, {unknown} names unknown, none wrong")


if __name__ == "__main__":
    main()
