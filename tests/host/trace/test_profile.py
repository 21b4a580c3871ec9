#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `gnomon report --json` with the profile by definition (programs.Naive), on random runs.

usage: test_profile.py --gnomon COMMAND --elf FILE --out FOLDER --seeds COUNT
"""
import json
import random
import statistics
import subprocess
import sys

from gnt_encoder import encode, gnt_bytes
from options import values
from programs import doubts, Naive, Program

# addresses of functions without numbers; the last address has no function
ADDRESSES = (0x00900000, 0x00900010, 0x00A00000, 0x0FFFFFFE, 0x007FFFFF)
DOUBTS = doubts([])


def key(function):
    return function.get("number", function["name"])


def check_histogram(function, lengths):
    got = [(bucket["from"], bucket["calls"], bucket["cycles"], int(bucket["squares"])) for bucket in function["histogram"]]
    limits = [0] + [1 << i for i in range(1, 32)] + [1 << 64]
    parts = [[n for n in lengths if low <= n < high] for low, high in zip(limits, limits[1:])]
    want = [(low, len(part), sum(part), sum(n * n for n in part)) for low, part in zip(limits, parts) if part]
    assert got == want, f"{function['name']}: histogram {got}, expected {want}"
    mean = statistics.fmean(lengths) if lengths else 0
    assert abs(function["mean_cycles"] - mean) <= 1e-9 * mean, (function["mean_cycles"], mean)
    deviation = statistics.pstdev(lengths) if lengths else 0
    assert abs(function["deviation_cycles"] - deviation) <= 1e-9 * deviation, (function["deviation_cycles"], deviation)


def check(report, naive, program):
    functions = report["functions"]
    said = {reason["id"]: reason["count"] for reason in report["reasons"]}
    doubtful = {name: count for name, count in doubts(program.events).items() if count}
    assert {name: said[name] for name in said if name in DOUBTS} == doubtful, (said, doubtful)
    assert {key(f) for f in functions} == set(naive.calls), f"other functions: {set(map(key, functions)) ^ set(naive.calls)}"
    for f in functions:
        name = key(f)
        got = [f.get(k, 0) for k in ("calls", "self_cycles", "total_cycles", "min_cycles", "max_cycles", "lost_calls", "lost_cycles")]
        tables = (naive.calls, naive.self, naive.total, naive.low, naive.high, naive.lost_calls, naive.lost_cycles)
        want = [table.get(name, 0) for table in tables]
        assert got == want, f"{name}: {got}, expected {want}"
        assert program.counts[1] > 0 or f["exact"] == (not doubtful)
        check_histogram(f, naive.lengths.get(name, []))
    arcs = {}
    for arc in report["arcs"]:
        caller = None if arc["caller"] is None else key(functions[arc["caller"]])
        arcs[caller, key(functions[arc["callee"]])] = [arc["calls"], arc["self_cycles"], arc["total_cycles"]]
    want = {a: [naive.arc_calls[a], naive.arc_self.get(a, 0), naive.arc_total.get(a, 0)] for a in naive.arc_calls}
    assert arcs == want, "arcs differ"
    assert {t["thread"]: t["cycles"] for t in report["threads"]} == naive.threads, "threads differ"
    inside = sum(f["self_cycles"] for f in functions)
    assert (report["unprofiled_cycles"], report["lost_cycles"]) == (naive.unprofiled, naive.lost)
    assert inside + naive.lost + naive.unprofiled == report["cycles"] == program.cycle
    assert report["attributed_cycles"] == report["cycles"] - naive.unprofiled
    assert [report["received_events"], report["lost_events"]] == program.counts
    assert report["produced_events"] == sum(program.counts)
    assert report["unbalanced_exits"] == doubtful.get("unbalanced-exits", 0)


def main():
    gnomon, elf, folder, seeds = values(__doc__, "gnomon", "elf", "out", "seeds")
    seeds = int(seeds)
    total = 0
    for seed in range(seeds):
        rng = random.Random(2000 + seed)
        loss = seed % 2 > 0
        program = Program(seed, length=rng.choice([5, 300, 1200]), functions=rng.choice([1, 3, 30]), loss=loss, wild=False,
                          addresses=ADDRESSES if seed % 3 == 0 else ())
        frames, _ = encode(program.events, 256, rng.randrange)
        header = {"device": {"address": "test"}, "clock_hz": 60000000, "elf": {"path": elf}}
        path = f"{folder}/profile-{seed}.gnt"
        with open(path, "wb") as file:
            file.write(gnt_bytes(header, frames))
        run = subprocess.run([gnomon, "report", "--json", "--strict", path], capture_output=True, text=True, check=False)
        cut = program.events[-1][-1] == 2
        inexact = program.counts[1] or cut or any(doubts(program.events).values())
        assert run.returncode == (3 if inexact else 0), (path, run.returncode, run.stderr)
        try:
            check(json.loads(run.stdout), Naive(program.events), program)
        except AssertionError as error:
            sys.exit(f"{path}: {error}")
        total += len(program.events)
    print(f"{seeds} runs, {total} events: calls, cycles, minima, maxima, histograms, arcs and threads as by definition")


if __name__ == "__main__":
    main()
