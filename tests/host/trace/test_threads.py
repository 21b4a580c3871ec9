#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `gnomon report` says of threads: a written run, and random ones, in which the reports of each thread add up to the report of all.

usage: test_threads.py --gnomon COMMAND --elf FILE --out FOLDER --seeds COUNT
"""
import collections
import json
import random
import sys

from checking import expect, result, same
from commands import must, run
from gnt_encoder import encode, gnt_bytes
from options import values
from programs import Program

GNOMON, ELF, OUT, SEEDS = values(__doc__, "gnomon", "elf", "out", "seeds")
THREAD = 1
NAMES = {"threads": [[0, None, 0], [1, "worker", 0], [2, "idle", 0]], "locks": [], "threads_refused": 0, "locks_refused": 0}


def write(name, happened, odd=lambda n: 0, **more):
    frames, _ = encode(happened, 256, odd)
    header = {"device": {"address": "sim:test", "stack_entries": 256}, "clock_hz": 60000000, "elf": {"path": ELF}, **more.pop("header", {})}
    path = f"{OUT}/{name}.gnt"
    with open(path, "wb") as file:
        file.write(gnt_bytes(header, frames, **more))
    return path


def report(path, *options):
    return json.loads(must([GNOMON, "report", "--json", *options, path]))


def check_written():
    happened = [(0, "begin", 0), (10, "enter", 0), (100, "channel", THREAD, 1), (120, "enter", 1), (150, "trap_enter", 39), (180, "trap_leave"),
                (200, "channel", THREAD, 0), (230, "trap_enter", 39), (240, "channel", THREAD, 2), (250, "channel", THREAD, 1), (260, "exit", 1),
                (270, "channel", THREAD, 0), (275, "trap_leave"), (280, "exit", 0), (300, "end", 0, 100, 13, 0, 0)]
    path = write("written", happened, locks=NAMES)
    threads = [tuple(t[key] for key in ("thread", "name", "cycles", "trap_cycles", "runs", "first_cycle", "last_cycle")) for t in report(path)["threads"]]
    same("threads", threads, [(0, "main", 170, 15, 3, 0, 300), (1, "worker", 120, 30, 2, 100, 270), (2, "idle", 10, 0, 1, 240, 250)])
    same("all cycles", sum(t[2] for t in threads), 300)
    shown = must([GNOMON, "report", "--threads", path]).splitlines()
    same("--threads", [line.split() for line in shown[2:]], [["56.7", "170", "155", "15", "3", "0", "300", "56.7", "0", "main"],
         ["40.0", "120", "90", "30", "2", "100", "270", "70.6", "1", "worker"], ["3.3", "10", "10", "0", "1", "240", "250", "100.0", "2", "idle"]])
    for option in ("worker", "1"):
        one = report(path, "--thread", option)
        same(f"--thread {option}", [(f.get("number", f["name"]), f["calls"], f["self_cycles"]) for f in one["functions"]],
             [("[other threads]", 2, 180), (1, 1, 60), ("[interrupt 7]", 1, 30)])
        same("sums", (one["only_thread"], one["unprofiled_cycles"], one["lost_cycles"]), (1, 30, 0))
    for option in ("nothing", "17", "-1", ""):
        done = run([GNOMON, "report", "--thread", option, path])
        expect(f"--thread {option!r}", done.returncode == 1 and f"no thread named {option} ran" in done.stderr, done.returncode, done.stderr)
    shown = must([GNOMON, "dump", path])
    expect("dump names the thread", "thread 1: worker" in shown, shown)


def check_records():
    happened = [(0, "begin", 0), (100, "channel", THREAD, 1), (300, "end", 0, 100, 1, 0, 0)]
    records = {"size": 128, "aggregated": 0, "overflow": 0, "unbalanced": 0, "untracked": 0, "threads": 8, "with_arcs": True, "arc_overflow": 0, "arcs": [], "records": [[95, 0, 300, 300, 2**36 - 1, 0, 0]]}
    path = write("records", happened, header={"records": True}, records=records, locks=NAMES)
    done = run([GNOMON, "report", "--thread", "worker", path])
    expect("--thread with records", done.returncode == 1 and "of all threads together" in done.stderr and "--events" in done.stderr, done.stderr)
    shown = must([GNOMON, "report", "--threads", path])
    expect("--threads with records", "worker" in shown and "gnomon record --events tells them apart" in " ".join(shown.split()), shown)
    same("JSON", [(t["name"], t["cycles"], t["trap_cycles"]) for t in report(path)["threads"]], [("main", 100, None), ("worker", 200, None)])


def add_up(seed, path):
    """The figures of each thread's functions add up to those of the whole run."""
    whole = report(path)
    sums = collections.defaultdict(lambda: [0, 0, 0, []])
    for thread in whole["threads"]:
        one = report(path, "--thread", str(thread["thread"]))
        same(f"seed {seed}: cycles of the run", one["cycles"], whole["cycles"])
        others = sum(f["self_cycles"] for f in one["functions"] if f["name"] == "[other threads]")
        own = [f for f in one["functions"] if f["name"] != "[other threads]"]
        same(f"seed {seed}: thread {thread['thread']}", sum(f["self_cycles"] for f in own) + one["unprofiled_cycles"], thread["cycles"])
        same(f"seed {seed}: others", others, whole["cycles"] - thread["cycles"])
        for f in own:
            total = sums[f.get("number", f["name"])]
            for i, key in enumerate(("calls", "self_cycles", "total_cycles")):
                total[i] += f[key]
            total[3] += [f[key] for key in ("min_cycles", "max_cycles") if key in f]
    for f in whole["functions"]:
        want = [f["calls"], f["self_cycles"], f["total_cycles"], [f[key] for key in ("min_cycles", "max_cycles") if key in f]]
        calls, own, total, ends = sums[f.get("number", f["name"])]
        same(f"seed {seed}: {f['name']}", [calls, own, total, [min(ends), max(ends)] if ends else []], want)


check_written()
check_records()
for number in range(int(SEEDS)):
    chance = random.Random(number)
    add_up(number, write(f"random-{number}", Program(number, length=600, functions=8, loss=False).events, chance.randrange))
sys.exit(result())
