#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the latencies of instructions that gnomon stat prints, and those that a program reads, with the simulator's
reference model (sim/counts.h): difference 0. Invalid options are refused.

usage: latencies.py --out FOLDER --counted ELF --slow ELF --zlib ELF --text FILE
counted: tests/e2e/programs/counted.c, which has interrupts, threads, U mode; slow: tests/e2e/programs/slow.c; zlib packs
the text.
Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulators."""
import json
import os
import re
import sys

from checking import check, result
from commands import FAST, must, run
from counts import DEMO, awkward_ranges, ranges_of
from options import values
from tag_oracle import symbol

STAT = ["gnomon", "stat", "-d", "sim:full", *FAST]
POWERS = 15  # counters of powers of two; the last one also has all longer latencies
MOST = 1 << 23  # cycles of a threshold
PENDING = 7  # cycles from a retirement to the pending interrupt


def bucket(cycles):
    return min(cycles.bit_length() - 1, POWERS - 1)


def spec_of(text, threshold):
    kind, *filters = text.split(":")
    ranges = [{"range0": 0, "range1": 1, "data": 2}[f] for f in filters if not f.startswith("tag=")]
    return {"kind": kind, "ranges": ranges, "threshold": threshold, "tagged": any(f.startswith("tag=") for f in filters)}


def oracle(folder, name, latency, spans, command, tags=None):
    """Returns (standard output, the simulator's figures)."""
    spec, want = f"{folder}/{name}.spec.json", f"{folder}/{name}.oracle.json"
    if os.path.exists(want):
        os.remove(want)
    with open(spec, "w", encoding="ascii") as file:
        json.dump({"ranges": spans, "counters": [], "latency": latency}, file)
    sim = ["--sim-option", "--counts", "--sim-option", f"{spec}={want}"]
    if tags is not None:
        with open(f"{folder}/{name}.tags.json", "w", encoding="ascii") as file:
            json.dump(tags, file)
        sim += ["--sim-option", "--tags", "--sim-option", f"{folder}/{name}.tags.json={folder}/{name}.tags.oracle.json"]
    at = command.index("-d") if "-d" in command else 2
    done = must([*command[:at], *sim, *command[at:]])
    with open(want, encoding="ascii") as file:
        return done, json.load(file)


def figures(latencies, threshold):
    """Returns (counts by power of two, those that reach the threshold) of the simulator's [cycles, count]."""
    powers = [sum(count for cycles, count in latencies if bucket(cycles) == power) for power in range(POWERS)]
    return powers, sum(count for cycles, count in latencies if threshold and cycles >= threshold)


def compare(mine, want, threshold):
    latency = mine["latencies"][0]
    powers, reached = figures(want["latencies"], threshold)
    got = [bucket["runs"][0] for bucket in latency["buckets"]]
    first = latency["first"] and [latency["first"][key] for key in ("pc", "cycles", "address")]
    errors = [] if got == powers else [f"{got}, not {powers}"]
    errors += [] if latency["reached"]["runs"] == [reached] else [f"{latency['reached']} reached, not {reached}"]
    errors += [] if first == (want["slow"][0][1:] if want["slow"] else None) else [f"first {first}, not {want['slow'][:1]}"]
    return errors + ([] if mine["exact"] else [mine["reasons"]])


def several(folder, elf, arguments, names, spans, cases):
    """Tests `cases`, [(latency, threshold)]; a case must not count nothing."""
    ranges = ["--range", names[0], "--range", names[1], "--data-range", names[2]]
    total = 0
    for text, threshold in cases:
        for argument in arguments:
            if argument.startswith(folder) and os.path.exists(argument):
                os.remove(argument)
        tagged, tags = text.partition("tag=")[2], None
        if tagged:
            address, size = symbol(elf, tagged)
            tags = {"tags": [{"address": address, "length": size, "value": 1}], "modes": [{"value": 1, "execute": True, "tagged": True}]}
        command = [*STAT, "--json", "--latency", text, "--threshold", str(threshold), *ranges, elf, "--", *arguments]
        text_out, want = oracle(folder, "latency", spec_of(text, threshold), spans, command, tags)
        mine = json.loads(text_out)
        errors = compare(mine, want, threshold)
        counted = sum(count for _, count in want["latencies"])
        total += counted
        if not counted:
            errors.append("nothing was counted")
        check(f"{os.path.basename(elf)}: {text}, threshold {threshold}: {counted} instructions, {figures(want['latencies'], threshold)[1]} reach it", errors)
    return total


def counted(folder, elf):
    spans = awkward_ranges(elf)
    names = ["mix", *(f"{start:#x}-{end:#x}" for start, end in spans[1:])]
    cases = [("all", 0), ("all", 1), ("all", 2), ("all", 7), ("all", 300), ("all", MOST), ("loads", 3), ("stores", 4), ("accesses", 2), ("all:range0", 8),
             ("loads:range0", 2), ("all:range1", 5), ("accesses:data", 2), ("stores:range0:data", 2), ("all:tag=collatz", 3), ("loads:range0:tag=mix", 2)]
    several(folder, elf, ["700"], names, spans, cases)
    # The same as text; several in one command.
    command = [*STAT, "--latency", "all", "--latency", "loads:range0", "--threshold", "8", "--range", "mix", elf, "--", "700"]
    done = run(command)
    mine = json.loads(must([*command[:2], "--json", *command[2:]]))
    lines = [(int(n.replace(",", "")), name) for n, name in re.findall(r"^ +([\d,]+)  ([\d-]+ cycles?(?: or more)?)$", done.stderr, re.MULTILINE)]
    want = []
    for latency in mine["latencies"]:
        for power, of in enumerate(latency["buckets"]):
            if of["runs"][0]:
                name = "1 cycle" if power == 0 else f"{1 << power}-{(2 << power) - 1} cycles"
                want.append((of["runs"][0], name if power < POWERS - 1 else f"{1 << power} cycles or more"))
        want.append((latency["reached"]["runs"][0], "8 cycles or more"))
    first = mine["latencies"][0]["first"]
    place = f"first: {first['cycles']} cycles at {first['pc']:#010x}"
    check("text", [] if lines == want and place in done.stderr else [done.stderr, want, place])


def slow(folder, elf):
    """A program that is interrupted at each slow instruction, and reads the counts itself."""
    begin, end = (ranges_of(elf, (name,))[0][0] for name in ("slow", "after_slow"))
    for kind, text in enumerate(("all", "loads", "stores")):
        for threshold in ((6, 3), (1,), (2,))[kind]:
            command = ["gnomon", "run", "-q", "-d", "sim:full", *FAST, elf, "--", str(threshold), str(kind)]
            console, want = oracle(folder, "slow", spec_of(f"{text}:range0", threshold), [[begin, end], [0, 0], [0, 0]], command)
            found = [(int(pc, 16), int(cycles), int(address, 16) if accessed == "1" else None)
                     for cycles, pc, accessed, address in re.findall(r"^found (\d+) (\w+) (\d) (\w+)$", console, re.MULTILINE)]
            every = [tuple(one[1:]) for one in want["slow"]]
            # Those that come before the handler has read the first one are only counted.
            rest = iter(every)
            errors = [] if found and every and found[0] == every[0] and all(one in rest for one in found) else [f"{found}, not {every}"]
            counts = [int(count) for count in re.findall(r"^count \d+ (\d+)$", console, re.MULTILINE)]
            powers, reached = figures(want["latencies"], threshold)
            upper = sum(count for cycles, count in want["latencies"] if cycles >= threshold and bucket(cycles) == bucket(threshold))
            powers[bucket(threshold)] -= upper
            errors += [] if counts == [*powers, upper] and reached else [f"{counts}, not {[*powers, upper]}"]
            late = want["first_pending"] - want["slow"][0][0] if want["slow"] else 0
            errors += [] if late == PENDING else [f"the interrupt is pending {late} cycles after the retirement"]
            check(f"slow: {text}, threshold {threshold}: {len(found)} of {len(every)} reported, the first after {late} cycles", errors)


def refused(elf):
    def says(name, options, text, status=2):
        done = run([*STAT, *options, elf])
        good = done.returncode == status and text in done.stderr and done.stderr.count("\n") == 2 and not done.stdout
        check(name, [] if good else [f"exit status {done.returncode}: {done.stderr}"])
    says("no such kind", ["--latency", "load"], "\"load\" is no kind of instructions with a latency")
    says("no such filter", ["--latency", "loads:u"], "\"u\" is not a filter of latencies")
    says("no tag", ["--latency", "loads:tag="], "\"tag=\" is not a filter of latencies")
    says("no range", ["--latency", "all:range1", "--range", "mix"], "all:range1 filters by a range that no option sets")
    says("no range of data", ["--latency", "all:data"], "all:data filters by a range that no option sets")
    says("unknown function", ["--latency", "all:tag=mixed"], "mixed", 1)
    says("threshold alone", ["--threshold", "3"], "--threshold is for latencies")
    says("threshold too large", ["--latency", "all", "--threshold", str(MOST + 1)], "at most 8388608 cycles")
    if "cached" in os.environ["GNOMON_SIM_DIR"]:  # where full is the only board
        return
    for board in ("mid", "small"):
        says(f"none in {board}", ["-d", f"sim:{board}", "--latency", "all"], f"sim:{board} has no counters", 1)


def main():
    folder, counted_elf, slow_elf, zlib_elf, text = values(__doc__, "out", "counted", "slow", "zlib", "text")
    os.makedirs(folder, exist_ok=True)
    counted(folder, counted_elf)
    slow(folder, slow_elf)
    names = DEMO["zlib"]
    several(folder, zlib_elf, [text, f"{folder}/text.z"], names, ranges_of(zlib_elf, names),
            [("all", 20), ("loads:range0", 4), ("all:tag=longest_match", 10), ("accesses:data", 2)])
    refused(counted_elf)
    return result()


if __name__ == "__main__":
    sys.exit(main())
