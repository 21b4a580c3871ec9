#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares gnomon record --sample with the simulator: the samples without code in the program are those of its reference
model (sim/counts.h), whole stacks are those of its oracle, with a table of any size; difference 0. Sampled shares beside
counted ones: a table, and how many counted values lie within three standard errors.

usage: samples.py --out FOLDER --counted ELF --zlib ELF --monitored ELF --threads ELF --twins ELF --text FILE
counted: tests/e2e/programs/counted.c, which has threads and interrupts; zlib packs the text; monitored: the same with the monitor;
threads, twins: sampled.c and twins.c of tests/e2e/programs, with the monitor.
Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulators."""
import collections
import json
import math
import os
import re
import struct
import sys
import zlib

from checking import check, result
from commands import FAST, interrupted, must, report, run, sim_options
from options import values
from tag_oracle import symbols

RECORD = ["gnomon", "record", "-d", "sim:full", "-q"]
COUNTER = 13                                             # code of the counter's interrupt
PERIODS = (97, 199, 397, 809, 1609, 3203, 6397, 127, 257, 509, 1021, 2039)  # of the runs beside the counted one
BESIDE = "tools/sampled_beside_counted.py"
OTHER = 256
MOST_COLLISIONS = 10  # stacks that leave a table with room for all: five of them may have one hash


def samples_in(path):
    """The section of samples of a trace file."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.index(b"GNTSMP\r\n") + 8
    size, = struct.unpack_from("<I", data, at)
    return json.loads(data[at + 4:at + 4 + size])


def remove(*paths):
    for path in paths:
        if os.path.exists(path):
            os.remove(path)


class Program:
    """A program with its arguments; the file that it writes must not be there."""

    def __init__(self, elf, arguments, writes=None):
        self.elf, self.arguments, self.writes = elf, arguments, writes
        self.name = os.path.basename(elf)

    def record(self, path, *options, status=0):
        remove(path, *[self.writes] if self.writes else [])
        return run([*RECORD, *options, "-o", path, self.elf, "--", *self.arguments]) if status is None else must(
            [*RECORD, *options, "-o", path, self.elf, "--", *self.arguments], status)


# ---- Without code in the program ----

def reference(folder, program, event, period):
    """The samples are those of the reference model."""
    spec, want, trace = (f"{folder}/reference.{end}" for end in ("spec.json", "oracle.json", "gnt"))
    with open(spec, "w", encoding="ascii") as file:
        json.dump({"counters": [], "sample": {"event": event, "period": period}}, file)
    remove(want)
    program.record(trace, *FAST, *sim_options("--counts", f"{spec}={want}"), "-e", event, "-c", str(period))
    with open(want, encoding="ascii") as file:
        truth = collections.Counter((min(thread, OTHER), pc) for pc, thread, *_ in json.load(file)["samples"])
    found = samples_in(trace)
    mine = {(thread, pc): count for thread, count, pc in found["samples"]}
    errors = [f"{key}: {mine.get(key)}, not {truth.get(key)}" for key in {*mine, *truth} if mine.get(key) != truth.get(key)]
    if found["lost"] or found["unattributed"] or not mine:
        errors.append(f"{found['lost']} lost, {found['unattributed']} unattributed, {len(mine)} rows")
    check(f"{program.name}: {event}, one of {period}: {sum(truth.values())} samples are the reference model's", errors)
    return trace


def filters(folder, program):
    """--range and --thread keep what they say; the rest is counted."""
    whole, trace = f"{folder}/whole.gnt", f"{folder}/part.gnt"
    program.record(whole, *FAST, "-c", "499")
    rows = samples_in(whole)["samples"]
    everything = sum(row[1] for row in rows)
    start, end = min(row[2] for row in rows), sorted(row[2] for row in rows)[len(rows) // 2]
    program.record(trace, *FAST, "-c", "499", "--range", f"{start:#x}-{end:#x}")
    part = samples_in(trace)
    want = [row for row in rows if start <= row[2] < end]
    left = everything - sum(row[1] for row in want)
    check(f"{program.name}: --range keeps {len(want)} of {len(rows)} places", [] if part["samples"] == want and part["excluded"] == left else [part["excluded"], left])
    thread = max(row[0] for row in rows if row[0] < OTHER)
    program.record(trace, *FAST, "-c", "499", "--thread", str(thread))
    part = samples_in(trace)
    want = [row for row in rows if row[0] == thread]
    check(f"{program.name}: --thread {thread} keeps {len(want)} of {len(rows)} places", [] if part["samples"] == want and thread else [part["samples"], want])
    shown = report(whole, "--thread", str(thread))
    named = sum(f["samples"] for f in shown["functions"] if f["name"] != "[other threads]")
    check("report --thread", [] if named == sum(row[1] for row in want) else [named])


def losses(folder, program):
    """What the device has no room for is counted: no sample is missing from the account. The first line says it."""
    trace = f"{folder}/lossy.gnt"
    program.record(trace, "-c", "16")
    found, shown = samples_in(trace), report(trace)
    kept = sum(row[1] for row in found["samples"])
    reset = 300  # cycles at most before the first instruction, for which none pays
    least = (shown["end"]["cycle"] - reset) // 16 - 4
    errors = [] if found["lost"] and least <= kept + found["lost"] <= shown["end"]["cycle"] // 16 + 4 else [kept, found["lost"], shown["end"]]
    done = run(["gnomon", "report", trace])
    line = done.stdout.splitlines()[0]
    errors += [] if f"{found['lost']:,} samples LOST" in line and "samples were lost" in done.stderr else [line, done.stderr]
    errors += [] if run(["gnomon", "report", "--strict", trace]).returncode == 3 else ["--strict"]
    check(f"{program.name}: {kept} samples and {found['lost']} lost are all", errors)


# ---- Sampled beside counted ----

def beside(folder, program):
    """Each function's sampled cycles beside the counted ones, in runs with different periods. Returns a recording of each kind."""
    counted, sampled = f"{folder}/counted.gnt", [f"{folder}/beside-{period}.gnt" for period in PERIODS]
    program.record(counted, "--cpi", "all")
    for trace, period in zip(sampled, PERIODS):
        program.record(trace, *FAST, "-c", str(period))
    done = run([BESIDE, "--rows", "12", counted, *sampled])
    share = re.search(r"the counted value is within 3 sigma in ([0-9.]+) % of ([0-9]+) rows", done.stdout)
    print(done.stdout[:share.start() if share else None], end="")
    good = not done.returncode and share and float(share[1]) >= 99 and int(share[2]) > 400
    check(f"{program.name}: {share[0] if share else 'no share'}", [] if good else [done.stdout, done.stderr])
    return counted, sampled[0]


def not_beside(folder, of_zlib, program):
    """What is not of the same run, and figures that are too far from the counted ones, are noticed."""
    counted, sampled = of_zlib
    other, far = f"{folder}/other.gnt", f"{folder}/far.gnt"
    program.record(other, *FAST, "-c", "499")
    done = run([BESIDE, counted, other])
    check("another run is noticed", [] if done.returncode == 1 and "it is not the same run" in done.stdout else [done.stdout, done.stderr])
    section = samples_in(sampled)
    first = max(section["samples"], key=lambda row: row[1])
    first[1], section["samples"][-1][1] = first[1] // 2, section["samples"][-1][1] + first[1] - first[1] // 2
    with open(sampled, "rb") as file:
        data = file.read()
    at = data.index(b"GNTSMP\r\n")
    size, = struct.unpack_from("<I", data, at + 8)
    text = json.dumps(section).encode()
    with open(far, "wb") as file:
        file.write(data[:at + 8] + struct.pack("<I", len(text)) + text + struct.pack("<I", zlib.crc32(text)) + data[at + 16 + size:])
    done = run([BESIDE, counted, far])
    check("samples of another place are noticed", [] if done.returncode == 1 and "counted" in done.stdout.splitlines()[-1] else [done.stdout, done.stderr])


# ---- Whole stacks ----

def stacks_in(path):
    """How often each list of return addresses was there at an interrupt of the counter. A thread's first one is 0."""
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file]
    return collections.Counter(tuple(int(word, 16) for word in line[2:] if int(word, 16)) for line in lines if int(line[1]) == COUNTER)


def without(stacks_of, hidden):
    """The same stacks without calls from these addresses."""
    left = collections.Counter()
    for addresses, count in stacks_of.items():
        left[tuple(a for a in addresses if a not in hidden)] += count
    return left


def stacks(folder, program, period, table, depth=64, level=None):
    """All stacks, of the table and of what left it, are those of the oracle."""
    trace, oracle = f"{folder}/stacks.gnt", f"{folder}/stacks.oracle"
    options = sim_options("--oracle", f"{program.elf}={oracle}.json", "--oracle-watch", "--oracle-stacks", oracle)
    program.record(trace, *FAST, *options, "-g", "-c", str(period), "--stack-table", str(table), "--stack-depth", str(depth))
    found, truth = samples_in(trace), stacks_in(oracle)
    mine = collections.Counter()
    for _, count, *addresses in found["samples"]:
        mine[tuple(addresses[1:])] += count
    entries = {start for _, start, _ in symbols(program.elf, "tTwW")}
    if depth == 64:
        # memset calls its own middle, with its caller's address in t0: the walk sees a caller, the oracle does not always.
        start = next(start for name, start, _ in symbols(program.elf, "tTwW") if name == "memset")
        memset = range(start, min(entry for entry in entries if entry > start))
        mine, truth = without(mine, memset), without(truth, memset)
    if depth < 64:  # the innermost addresses
        short = collections.Counter()
        for addresses, count in truth.items():
            short[addresses[:depth - 1]] += count
        cut = sum(count for addresses, count in truth.items() if len(addresses) + 1 > depth)
        truth = short
    else:
        cut = 0
    # At the first instruction of a function, its call is not yet in the oracle.
    for _, count, *addresses in found["samples"]:
        inner, outer = tuple(addresses[1:]), tuple(addresses[2:])
        while addresses[0] in entries and count and mine[inner] > truth[inner]:
            outer = next((stack for stack in truth if stack[:len(outer)] == outer and mine[stack] < truth[stack]), outer)
            mine[inner], mine[outer], count = mine[inner] - 1, mine[outer] + 1, count - 1
    errors = [f"{[hex(a) for a in key]}: {mine[key]}, not {truth[key]}" for key in {*mine, *truth} if mine[key] != truth[key]]
    if found["lost"] or found["cut"] != cut or not found["cost"] or (found["evictions"] < MOST_COLLISIONS) == (table == 4):
        errors.append({key: found[key] for key in ("lost", "cut", "cost", "evictions")} | {"want cut": cut})
    deepest = max(map(len, truth))
    check(f"{program.name}: {sum(truth.values())} stacks of up to {deepest} calls, a table of {table}, {found['evictions']} evictions: those of the oracle", errors)
    return trace, found


def error_in_exports(folder, trace, shown):
    """By the formula in the remarks, each function's standard error is that of the report."""
    path = f"{folder}/stacks.callgrind"
    must(["gnomon", "export", "--to", "callgrind", "-o", path, trace])
    with open(path, encoding="utf-8") as file:
        samples, whole = map(int, re.search(r"error of a figure F is sqrt\(F x \(T - F\) / (\d+)\), with T = (\d+)", file.read()).groups())
    errors = [f"{f['name']}: {told}, not {wanted}" for f in shown["functions"]
              if abs((told := math.sqrt(f["self_cycles"] * (whole - f["self_cycles"]) / samples)) - (wanted := f["self_error_percent"] / 100 * whole)) > 1 + wanted / 1000]
    check("the standard error in the remarks of an export", errors)


def stack_exports(folder, trace, found):
    """Sums of the exports are those of the report."""
    shown, path = report(trace), f"{folder}/stacks.folded"
    must(["gnomon", "export", "--to", "folded", "-o", path, trace])
    totals, own = collections.Counter(), collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            names, _, cycles = line.rpartition(" ")
            frames = names.split(";")[1:]
            own[frames[-1]] += int(cycles)
            for name in set(frames):
                totals[name] += int(cycles)
    errors = [f"{f['name']}: {own[f['name']]}, {totals[f['name']]}, not {f['self_cycles']}, {f['total_cycles']}" for f in shown["functions"]
              if own[f["name"]] != f["self_cycles"] or totals[f["name"]] != f["total_cycles"]]
    whole = shown["end"]["cycle"] - found["cost"]
    errors += [] if sum(own.values()) == whole else [f"{sum(own.values())} cycles, not {whole}"]
    check(f"folded: {len(own)} functions, {len(totals)} with callees, as in the report", errors)
    error_in_exports(folder, trace, shown)
    refused = run(["gnomon", "export", "--to", "perfetto", "-o", f"{folder}/no", trace])
    check("a time line of samples is refused", [] if refused.returncode == 1 and "has samples, and perfetto needs events" in refused.stderr else [refused.stderr])


def gprof(folder, program, trace):
    """gprof finds each function's samples."""
    path = f"{folder}/gmon.out"
    must(["gnomon", "export", "--to", "gmon", "-o", path, trace])
    lines = must(["riscv64-unknown-elf-gprof", "-b", "-p", program.elf, path]).splitlines()
    starts = {name: start for name, start, _ in symbols(program.elf, "tTwW")}
    shown = collections.Counter()
    for f in report(trace)["functions"]:
        for name, start in starts.items():  # gprof may take another one of a function's names
            if start == f["address"]:
                shown[name] = f["self_percent"]
    mine = {line.split()[-1]: float(line.split()[0]) for line in lines if line.split() and line.split()[0].replace(".", "").isdigit()}
    errors = [f"{name}: {percent}, not {shown[name]}" for name, percent in mine.items() if abs(percent - shown[name]) > 0.1]
    check(f"gprof: shares of {len(mine)} functions are the report's", errors if len(mine) > 10 else [lines])


def of_threads(folder, program):
    """Threads are apart, also if their stacks are the same. Few places recur, so stacks with several samples leave the
    table, and functions that call themselves count once."""
    trace, found = stacks(folder, program, 300, 4)
    threads = {thread["thread"]: thread for thread in report(trace)["sampling"]["threads"]}
    deepest = collections.Counter()
    for thread, _, *addresses in found["samples"]:
        deepest[thread] = max(deepest[thread], max(addresses.count(a) for a in addresses))
    names = {threads[thread]["name"]: (threads[thread]["samples"], depth) for thread, depth in deepest.items()}
    wanted = {"shallow": 1, "middle": 4, "deep": 8, "twin": 4}
    errors = [f"{name}: {names.get(name)}" for name, depth in wanted.items() if names.get(name, (0, 0))[0] < 10 or names[name][1] != depth]
    check(f"threads apart: {names}", errors)
    stack_exports(folder, trace, found)


def twins(folder, program):
    """Two threads with equal stacks, one after the other, and a table of one set: the samples of each are its own."""
    trace = f"{folder}/twins.gnt"
    program.record(trace, *FAST, "-g", "-c", "300", "--stack-table", "4")
    shown, found = report(trace)["sampling"], samples_in(trace)
    names = {thread["thread"]: thread["name"] for thread in shown["threads"]}
    samples, places = collections.Counter(), collections.defaultdict(set)
    for thread, count, *addresses in found["samples"]:
        samples[names[thread]] += count
        places[names[thread]].add(tuple(addresses))
    both = places["first"] & places["second"]
    errors = [f"{name}: {samples[name]} samples" for name in ("first", "second") if not 100 < samples[name] < 300]
    check(f"equal stacks of two threads are apart: {dict(samples)}", errors or ([] if both else ["no stack is of both"]))


# ---- Ends ----

def ends(folder, program, monitored):
    """A run that ends early, at once, or that the user stops: a valid file of what was there."""
    trace = f"{folder}/ends.gnt"
    for options in (["-c", "997"], ["-g", "-c", "5000"]):
        of = monitored if "-g" in options else program
        of.record(trace, *FAST, *options, "--duration", "600000c")
        shown, found = report(trace), samples_in(trace)
        kept = sum(row[1] for row in found["samples"])
        good = shown["end"]["reason"] == "duration" and kept > 20 and not found["lost"] and run(["gnomon", "report", trace]).returncode == 0
        check(f"{' '.join(options)} --duration: {kept} samples", [] if good else [shown["end"], kept, found["lost"]])
    source, elf = f"{folder}/at_once.c", f"{folder}/at_once"
    with open(source, "w", encoding="ascii") as file:
        file.write("int main(void) { return 3; }\n")
    must(["gnomon", "cc", "--gnomon-monitor", "-o", elf, source])
    for options in (["-F", "1000"], ["-g", "-F", "100"]):
        done = run([*RECORD, *FAST, *options, "-o", trace, elf])
        shown = must(["gnomon", "report", trace])
        good = done.returncode == 0 and "exit status 3" in shown and "There was no sample" in shown and not samples_in(trace)["samples"]
        check(f"{' '.join(options)}: a program that ends at once", [] if good else [done.returncode, done.stderr, shown])
    for options in (["-c", "997"], ["-g", "-c", "5000"]):
        of = monitored if "-g" in options else program
        remove(trace, of.writes)
        wrong = interrupted([*RECORD, *options, "-o", trace, of.elf, "--", *of.arguments], trace)
        check(f"{' '.join(options)}: Ctrl-C", wrong or ([] if "event" in samples_in(trace) else ["no samples"]))


def refused(folder, program):
    def says(options, words, status=2, elf=program.elf):
        done = run([*RECORD, *options, "-o", f"{folder}/refused.gnt", elf])
        good = done.returncode == status and words in done.stderr
        check(f"refused: {' '.join(options)}", [] if good else [done.returncode, done.stderr])
    says(["-F", "100", "-c", "100"], "-F and -c exclude each other")
    says(["-F", "100", "-e", "loads"], "use -c for events")
    says(["-c", "15"], "16 or more")
    says(["--sample", "--records"], "--sample records no calls")
    says(["--stack-depth", "4"], "need -g")
    says(["-g", "--stack-table", "6"], "a multiple of 4")
    says(["-e", "load"], "there is no event \"load\"")
    says(["-g", "--stack-table", "8"], "has no monitor", 1)
    says(["--sample", "--range", "nothing"], "nothing", 1)
    says(["--sample", "-d", "sim:mid"], "sim:mid has no tags", 1)
    says(["-F", "1000000000"], "cannot take")


def main():
    folder, counted_elf, zlib_elf, monitored_elf, threads_elf, twins_elf, text = values(
        __doc__, "out", "counted", "zlib", "monitored", "threads", "twins", "text")
    os.makedirs(folder, exist_ok=True)
    packing, monitored = (Program(elf, [text, f"{folder}/text.z"], f"{folder}/text.z") for elf in (zlib_elf, monitored_elf))
    threads = Program(counted_elf, ["700"])
    refused(folder, packing)
    for event, period in (("cycles", 97), ("loads", 101), ("mispredictions", 7)):
        reference(folder, threads, event, period)
    gprof(folder, packing, reference(folder, packing, "cycles", 97))
    filters(folder, threads)
    losses(folder, packing)
    stacks(folder, monitored, 6000, 4)
    stacks(folder, monitored, 6000, 1024, depth=5)
    stacks(folder, monitored, 6000, 1024)
    of_threads(folder, Program(threads_elf, ["12"]))
    twins(folder, Program(twins_elf, ["20000"]))
    ends(folder, packing, monitored)
    not_beside(folder, beside(folder, packing), threads)
    return result()


if __name__ == "__main__":
    sys.exit(main())
