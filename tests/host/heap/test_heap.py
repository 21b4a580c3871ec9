#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon heap: every figure equals an account made here from the events of gnomon dump, and what the program knows of itself.

usage: test_heap.py --gnomon COMMAND --out FOLDER [--random RECORDING --calls N --mistakes RECORDING --plain RECORDING --lossy RECORDING
                    --freed RECORDING --programs PLAIN,WITH]
                    --others RECORDING...
--random is of random_heap.c with N calls, --others of programs that are not of this project, or have threads;
--freed, of a program that frees each block, has lost messages; --programs is that program without and with --gnomon-heap."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

from checking import check, expect, result, same
from commands import must, run

ARGUMENTS = argparse.ArgumentParser()
for option in "gnomon", "out", "random", "calls", "mistakes", "plain", "lossy", "freed", "programs":
    ARGUMENTS.add_argument(f"--{option}", required=option in ("gnomon", "out"))
ARGUMENTS.add_argument("--others", nargs="+", required=True)
ARGS = ARGUMENTS.parse_args()
SLOTS = 24
MOST_CYCLES = 90  # that malloc and free together take more
HEAP_ADDR, HEAP_ALLOC, HEAP_FREE, MARK = 4, 5, 6, 16
GREW, FOUND = 0x80000000, 0xC0000000  # include/gnomon/heap.h
FIGURES = ("live_bytes", "live_blocks", "allocated_bytes", "allocated_blocks", "freed_bytes", "freed_blocks", "life_cycles",
           "longest_life_cycles", "failed", "peak_bytes", "peak_blocks",
           "grown", "grown_bytes")


def heap(*words, status=0):
    return json.loads(must([ARGS.gnomon, "heap", "--json", *words], status))


class Site:
    def __init__(self):
        self.figures = collections.Counter()

    def get(self):
        figures = dict(self.figures)
        figures["live_bytes"] = self.figures["allocated_bytes"] - self.figures["freed_bytes"]
        figures["live_blocks"] = self.figures["allocated_blocks"] - self.figures["freed_blocks"]
        return {key: figures.get(key, 0) for key in FIGURES}


class Account:
    """The heap by the events of a recording, between two marks."""

    def __init__(self, recording, between=None):
        self.sites, self.blocks, self.all = collections.defaultdict(Site), {}, Site()
        self.stacks, self.address = collections.defaultdict(list), None
        self.counting, self.ended = between is None, False
        self.peak, self.peak_cycle, self.at_peak, self.mistakes, self.seen = 0, 0, {}, [], set()
        self.peak_blocks, self.sizes = [], collections.defaultdict(lambda: ([], []))  # of each function: its own, inclusive
        dump = subprocess.Popen([ARGS.gnomon, "dump", "--json", recording], stdout=subprocess.PIPE, text=True)
        for line in dump.stdout:
            event = json.loads(line)
            self.take(event, between)
        expect(f"{recording}: dump", dump.wait() == 0)

    def take(self, event, between):
        kind, stack = event["event"], self.stacks[event.get("thread", 0)]
        if kind == "enter":
            stack.append(event["function"])
        elif kind == "trap_enter":
            stack.append("[trap]")
        elif kind in ("exit", "trap_leave"):
            del stack[len(stack) - event["ended"]:]
        elif kind == "channel" and not self.ended:
            self.message(event["cycle"], event["number"], event["value"], between, tuple(reversed(stack)) or ("[caller not known]",))

    def message(self, cycle, channel, value, between, path):
        if between and channel == MARK + between[self.counting]:
            self.counting, self.ended = not self.counting, self.counting
        elif channel == HEAP_ADDR:
            self.address = value
        elif channel == HEAP_ALLOC:
            self.allocate(cycle, self.address, value, path)
        elif channel == HEAP_FREE:
            self.free(cycle, value, path)

    def allocate(self, cycle, address, size, path):
        if not address:
            if self.counting:
                self.sites[path].figures["failed"] += 1
                self.all.figures["failed"] += 1
            return
        if size >= FOUND:
            return
        if size >= GREW:
            for site in (self.sites[path], self.all) if self.counting else ():
                site.figures["grown"] += 1
                site.figures["grown_bytes"] += size - GREW
            return
        self.blocks[address] = (cycle, size, path, self.counting)
        self.seen.add(address)
        if not self.counting:
            return
        for site in self.sites[path], self.all:
            site.figures["allocated_bytes"] += size
            site.figures["allocated_blocks"] += 1
        self.sizes[path[0]][0].append(size)
        for function in set(path):
            self.sizes[function][1].append(size)
        live = self.all.get()["live_bytes"]
        if live > self.peak:
            self.peak, self.peak_cycle = live, cycle
            self.peak_blocks = [(address, block[1]) for address, block in self.blocks.items() if block[3]]
            self.at_peak = {p: (s.get()["live_bytes"], s.get()["live_blocks"]) for p, s in self.sites.items()}
            self.all.figures["peak_bytes"], self.all.figures["peak_blocks"] = live, self.all.get()["live_blocks"]

    def free(self, cycle, address, path):
        if address not in self.blocks:
            if self.counting:
                self.mistakes.append(("freed-twice" if address in self.seen else "no-block", address, path))
            return
        born, size, owner, counted = self.blocks.pop(address)
        if not counted:
            return
        for site in self.sites[owner], self.all:
            site.figures["freed_bytes"] += size
            site.figures["freed_blocks"] += 1
            site.figures["life_cycles"] += cycle - born
            site.figures["longest_life_cycles"] = max(site.figures["longest_life_cycles"], cycle - born)

    def paths(self):
        for path, site in self.sites.items():
            site.figures["peak_bytes"], site.figures["peak_blocks"] = self.at_peak.get(path, (0, 0))
        return {path: site.get() for path, site in self.sites.items()}


def gaps(blocks):
    """What gnomon heap calls gaps, of (address, size)."""
    end, found = None, [0]
    for address, size in sorted(blocks):
        found.append(max(0, address - end) if end is not None else 0)
        end = max(end or 0, address + size)
    return {"span": end - min(blocks)[0] if blocks else 0, "bytes": sum(found), "largest": max(found)}


def buckets(sizes):
    made = collections.defaultdict(lambda: [0, 0, 0])
    for size in sizes:
        bucket = made[2 ** (size.bit_length() - 1) if size > 1 else 0]
        for i, more in enumerate((1, size, size * size)):
            bucket[i] += more
    return [{"from": start, "blocks": sums[0], "bytes": sums[1], "squares": float(sums[2])} for start, sums in sorted(made.items())]


def compare(recording, between=None):
    more = ["--between", f"{between[0]}:{between[1]}"] if between else []
    account, wrong = Account(recording, between), []
    got = heap("--paths", *more, recording)
    paths = {tuple(row["path"]): {key: row[key] for key in FIGURES} for row in got["paths"]}
    want = account.paths()
    for path in sorted(set(paths) | set(want)):
        if paths.get(path) != want.get(path):
            wrong.append(f"{path}: {paths.get(path)}, not {want.get(path)}")
    if {key: got[key] for key in FIGURES} != account.all.get():
        wrong.append(f"all: {[got[key] for key in FIGURES]}, not {account.all.get()}")
    if account.peak and got["peak_cycle"] != account.peak_cycle:
        wrong.append(f"peak at {got['peak_cycle']}, not {account.peak_cycle}")
    live = sorted((address, block[1], block[0]) for address, block in account.blocks.items() if block[3])
    if sorted((block["address"], block["bytes"], block["cycle"]) for block in got["live"]) != live:
        wrong.append(f"live: {got['live']}, not {live}")
    if [(m["kind"], m["address"], tuple(m["path"])) for m in got["mistakes"]] != account.mistakes:
        wrong.append(f"mistakes {got['mistakes']}, not {account.mistakes}")
    sizes = {row["function"]: (row["own"], row["inclusive"]) for row in got["function_sizes"]}
    if sizes != {name: (buckets(own), buckets(every)) for name, (own, every) in account.sizes.items()}:
        wrong.append(f"sizes by function: {sizes}")
    if got["peak_gaps"] != gaps(account.peak_blocks) or got["live_gaps"] != gaps([(block[0], block[1]) for block in live]):
        wrong.append(f"gaps: {got['peak_gaps']}, {got['live_gaps']}, not {gaps(account.peak_blocks)}")
    if not got["exact"]:
        wrong.append("not exact")
    functions = heap(*more, recording)["functions"]
    for key in FIGURES:
        if key != "longest_life_cycles" and sum(row[key] for row in functions) != got[key]:
            wrong.append(f"functions: {key}")
    if sum(row["blocks"] for row in got["sizes"]) != got["allocated_blocks"] or sum(row["bytes"] for row in got["sizes"]) != got["allocated_bytes"]:
        wrong.append("sizes")
    check(f"{pathlib.Path(recording).name}{' ' + str(between) if between else ''}: {got['messages']} messages, {len(paths)} call paths, "
          f"{got['allocated_bytes']} bytes, peak {got['peak_bytes']}, left {got['live_bytes']}", wrong)
    return got


class Model:
    """random_heap.c."""

    def __init__(self, calls):
        self.state, self.slots, self.made = 1, [0] * SLOTS, collections.Counter()
        for _ in range(calls):
            slot = self.number(SLOTS)
            self.step(slot, 1 + self.number(200))

    def number(self, below):
        self.state = (self.state * 1664525 + 1013904223) % 2 ** 32
        return (self.state >> 8) % below

    def step(self, slot, size):
        if not self.slots[slot]:
            kind = self.number(3)
            self.slots[slot] = 3 * size if kind == 1 else size
            self.made[("plain", "zeroed", "aligned")[kind]] += self.slots[slot]
        elif self.number(4) == 0:
            self.slots[slot] = size
            self.made["grown"] += size
        else:
            self.slots[slot] = 0


def test_random():
    got, model = compare(ARGS.random), Model(int(ARGS.calls))
    by_function = {row["function"]: row for row in heap(ARGS.random)["functions"]}
    same("bytes by function", {name: by_function[name]["allocated_bytes"] for name in model.made}, dict(model.made))
    same("failed", (got["failed"], by_function["plain"]["failed"]), (1, 1))
    own = [slot for slot in model.slots if slot]
    left = [block for block in got["live"] if block["path"][0] in model.made]
    same("what the program has left", (len(left), sum(block["bytes"] for block in left)), (len(own), sum(own)))
    compare(ARGS.random, (1, 2))
    done = run([ARGS.gnomon, "heap", "--leaks", ARGS.random])
    expect("--leaks", done.returncode == 4 and f"left {got['live_bytes']:,} bytes in {got['live_blocks']} blocks" in done.stdout,
           done.returncode, done.stdout, done.stderr)
    for words in ["--sizes"], ["--paths"], ["--sort", "peak", "-n", "2"], []:
        done = run([ARGS.gnomon, "heap", *words, ARGS.random])
        expect(f"text {words}", done.returncode == 0 and f"{got['allocated_bytes']:,} bytes" in done.stdout, done.stdout, done.stderr)


def test_refused():
    for words, want in (([ARGS.plain], "--gnomon-heap"), (["--between", "1", ARGS.random], "two marks"), (["--between", "5:6", ARGS.random], "mark FROM"),
                        (["--sort", "size", ARGS.random], "--sort does not know")):
        done = run([ARGS.gnomon, "heap", *words])
        expect(f"refused: {words}", done.returncode in (1, 2) and want in done.stderr, done.returncode, done.stderr)


def test_mistakes():
    got = compare(ARGS.mistakes)
    same("mistakes", [(m["kind"], m["path"][0]) for m in got["mistakes"]], [("freed-twice", "wrong"), ("no-block", "wrong"), ("no-block", "wrong")])
    text = must([ARGS.gnomon, "heap", ARGS.mistakes])
    expect("sentences", "Freed twice:" in text and "first freed by right" in text and "allocated by make" in text and "No block had that address" in text, text)
    same("nothing left", run([ARGS.gnomon, "heap", "--leaks", ARGS.mistakes]).returncode, 0)


def test_lossy():
    """Lost messages: lower bounds, and no mistake where a message is missing."""
    got = heap(ARGS.lossy)
    expect("a lossy recording is not exact", not got["exact"] and got["reasons"], got["reasons"])
    same("no mistakes after a loss", got["mistakes"], [])
    same("--strict", run([ARGS.gnomon, "heap", "--strict", ARGS.lossy]).returncode, 3)
    same("what came was freed", heap(ARGS.freed)["live"], [])
    done = run([ARGS.gnomon, "heap", "--leaks", ARGS.freed])
    same("no proof that nothing was left", (done.returncode, "No block was left, but messages were lost." in done.stdout), (4, True), done.stdout)


def test_cost():
    def cycles(program, calls):
        told = json.loads(must([ARGS.gnomon, "stat", "--json", "-d", "sim:full", program, "--", calls]))
        return told["cycles"]["runs"][0]

    plain, heap_too = ((cycles(program, 1100) - cycles(program, 100)) / 1000 for program in ARGS.programs.split(","))
    print(f"malloc and free: {plain:.0f} cycles, with --gnomon-heap {heap_too - plain:.0f} more")
    expect("cost of a pair", 0 < heap_too - plain <= MOST_CYCLES, plain, heap_too)


def main():
    if ARGS.random:
        test_random()
        test_refused()
        test_mistakes()
        test_lossy()
        test_cost()
    for recording in ARGS.others:
        compare(recording)
    sys.exit(result())


main()
