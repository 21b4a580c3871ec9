#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the samples of events, as gnomon hot --event prints them by function, thread and data, with the simulator's
reference model (sim/counts.h): the same samples, difference 0. The printed text with its JSON; invalid options are
refused.

usage: event_samples.py --out FOLDER --counted ELF --zlib ELF --text FILE
counted: tests/e2e/programs/counted.c, which has threads and interrupts; zlib packs the text.
Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulators."""
import collections
import json
import os
import re
import sys

from checking import check, result
from commands import FAST, must, run
from options import values
from tag_oracle import symbols

HOT = ["gnomon", "hot", "-d", "sim:full", *FAST]
PAGE, OTHER = 4096, 256  # bytes by which other memory is shown; the first thread that is not told apart
EVENTS = (("retired", 997), ("loads", 101), ("stores", 97), ("branches-taken", 53), ("mispredictions", 7), ("icache-misses", 3), ("cycles", 1009),
          ("cycles-muldiv", 61), ("messages", 1), ("interrupts", 1), ("bus-instruction-reads", 31))


def holds(listed, address):
    return next(((name, start) for name, start, size in listed if start <= address < start + size), None)


def book(elf, samples):
    """Returns the samples of the reference model by (function, thread, variable, address)."""
    functions, variables = symbols(elf, "tTwW"), symbols(elf, "dDbBrR")
    rows = collections.Counter()
    for pc, thread, reads, writes, address in samples:
        function = holds(functions, pc)  # the first of its names
        variable, at = None, None
        if reads or writes:
            variable, at = holds(variables, address) or (None, address & -PAGE)
        rows[function and function[0], thread if thread < OTHER else None, variable, at] += 1
    return rows


def sample(folder, elf, arguments, event, period):
    spec, want = f"{folder}/samples.spec.json", f"{folder}/samples.oracle.json"
    for path in (want, *(a for a in arguments if a.startswith(folder))):
        if os.path.exists(path):
            os.remove(path)
    with open(spec, "w", encoding="ascii") as file:
        json.dump({"counters": [], "sample": {"event": event, "period": period}}, file)
    done = must([*HOT, "--json", "-e", event, "-c", str(period), "--threads", "--addresses", "--sim-option", "--counts", "--sim-option", f"{spec}={want}",
                 elf, "--", *arguments])
    with open(want, encoding="ascii") as file:
        return json.loads(done), json.load(file)["samples"]


def compare(folder, elf, arguments, event, period):
    mine, samples = sample(folder, elf, arguments, event, period)
    want = book(elf, samples)
    functions = symbols(elf, "tTwW")
    first = {start: name for name, start, _ in reversed(functions)}  # of the names of one function
    alias = {name: first[start] for name, start, _ in functions}
    got = {(alias.get(f["name"]), f["thread"], f["variable"], f["address"]): f["samples"] for f in mine["functions"]}
    errors = [f"{key}: {got.get(key)}, not {want.get(key)}" for key in {*got, *want} if got.get(key) != want.get(key)]
    if mine["samples_lost"] or [r["id"] for r in mine["reasons"]] != ["sampled"] or not samples:
        errors.append(f"lost {mine['samples_lost']}, {mine['reasons']}, {len(samples)} samples")
    if mine["samples"] != len(samples) or any(f["events"] != f["samples"] * period for f in mine["functions"]):
        errors.append(f"{mine['samples']} samples, not {len(samples)}")
    accessed = sum(reads or writes for _, _, reads, writes, _ in samples)
    check(f"{os.path.basename(elf)}: {event}, one of {period}: {len(samples)} samples, {accessed} of accesses, {len(want)} rows", errors)
    return got


def text(elf, arguments):
    options = ["-e", "loads", "-c", "200", "--threads", "--addresses", elf, "--", *arguments]
    done = run([*HOT, *options])
    mine = json.loads(must([*HOT, "--json", *options]))
    lines = re.findall(r"^ *([\d.]+) \+- +[\d.]+ +([\d,]+) +([\d,]+) +(\w+) +(\S+) +(\S+)$", done.stderr, re.MULTILINE)
    want = [(f"{f['share_percent']:.1f}", f"{f['samples']:,}", f"{f['events']:,}", "other" if f["thread"] is None else str(f["thread"]),
             f["variable"] or (f"{f['address']:#010x}-{f['address'] + PAGE - 1:#010x}" if f["address"] is not None else "-"), f["name"])
            for f in mine["functions"]]
    heading = "samples, one every 200 events"
    check("text", [] if lines == want and lines and heading in " ".join(done.stderr.split()) else [lines, want, done.stderr])
    done = run([*HOT, "-e", "loads", "-c", "200", "-n", "2", elf, "--", *arguments])
    rows = re.findall(r"^ *[\d.]+ \+- .*$", done.stderr, re.MULTILINE)
    check("the two largest, by function alone", [] if len(rows) == 2 and "thread" not in done.stderr and "accessed" not in done.stderr else [done.stderr])


def refused(elf):
    def says(name, options, words, status):
        done = run([*HOT, *options, elf])
        good = done.returncode == status and words in done.stderr and not done.stdout
        check(name, [] if good else [f"exit status {done.returncode}: {done.stderr}"])
    says("no such event", ["-e", "load"], "there is no event \"load\"", 2)
    says("a filter", ["-e", "loads:u"], "samples are of one event, without filters", 2)
    says("tagged", ["-e", "tagged"], "there are no samples of the event tagged", 1)
    says("threads alone", ["--threads"], "are for samples of an --event", 2)
    says("a period too long", ["-e", "loads", "-c", "4294967296"], "--period is a number of events", 2)
    says("none in small", ["-d", "sim:small", "-e", "loads"], "sim:small has no tags", 1)
    done = run([*HOT, "-e", "loads", "-c", "4000000000", elf])
    check("no sample", [] if done.returncode == 0 and "ended before the first sample" in done.stderr else [done.stderr])


def main():
    folder, counted, zlib, file = values(__doc__, "out", "counted", "zlib", "text")
    os.makedirs(folder, exist_ok=True)
    threads = set()
    for event, period in EVENTS:
        threads |= {key[1] for key in compare(folder, counted, ["700"], event, period)}
    check("every thread", [] if threads == {0, 1, 2, 3, None} else [threads])
    for event, period in (("loads", 500), ("mispredictions", 50), ("icache-misses", 20)):
        compare(folder, zlib, [file, f"{folder}/text.z"], event, period)
    text(counted, ["700"])
    refused(counted)
    return result()


if __name__ == "__main__":
    sys.exit(main())
