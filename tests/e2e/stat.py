#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares every figure of gnomon stat with events and ranges with the simulator's reference model (sim/counts.h):
difference 0; the printed text with its JSON; invalid options are refused.

usage: stat.py --out FOLDER --counted ELF --unsteady ELF --zlib ELF --text FILE
counted: the program of tests/e2e/programs/counted.c; unsteady: a program each of whose runs is longer than the one
before; zlib packs the text.
Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulators."""
import json
import os
import re
import sys

from checking import check, result
from commands import FAST, must, run
from counts import FEW, FILTERS, awkward_ranges, event_names, ranges_of, spec_of
from options import values

STAT = ["gnomon", "stat", "-d", "sim:full", *FAST]
FIGURES = ("entries", "instructions", "cycles", "reads", "writes")
COUNTERS = 6  # number of counters of sim:full


def asked(events, ranges):
    """`ranges`: operands for the ranges, the data range last."""
    return ["-e", ",".join(events), "--range", ranges[0], "--range", ranges[1], "--data-range", ranges[2]]


def oracle(folder, name, events, spans, command):
    """Returns (the JSON of stat, the simulator's counts of the last run)."""
    spec, want = f"{folder}/{name}.spec.json", f"{folder}/{name}.oracle.json"
    if os.path.exists(want):
        os.remove(want)
    with open(spec, "w", encoding="ascii") as file:
        json.dump({"ranges": spans, "counters": [spec_of(event, 0) for event in events]}, file)
    mine = json.loads(must([*STAT, "--json", "--sim-option", "--counts", "--sim-option", f"{spec}={want}", *command]))
    with open(want, encoding="ascii") as file:
        return mine, json.load(file)


def compare(mine, want, events, spans, repeat):
    errors = [] if [entry["event"] for entry in mine["events"]] == events and len(mine["ranges"]) == 3 else ["other events than asked for"]
    for entry, truth in zip(mine["events"], want["counters"]):
        if entry["runs"] != [truth["count"]] * repeat:
            errors.append(f"{entry['event']}: {entry['runs']}, not {truth['count']}")
    for entry, span, truth in zip(mine["ranges"], spans, want["ranges"]):
        if [entry["start"], entry["end"]] != span or [entry[figure]["runs"] for figure in FIGURES] != [[n] * repeat for n in truth]:
            errors.append(f"{entry}, not {span} {truth}")
    if not mine["identical"] or mine["runs"] != repeat:
        errors.append(f"{mine['runs']} runs, identical {mine['identical']}")
    return errors


def words(text, mine):
    """The printed figures equal those of the JSON."""
    blocks = re.split(r"\n (?=\S)", text)
    lines = [re.findall(r"^ +([\d,]+)  (\S+)$", block, re.MULTILINE) for block in blocks]
    lines = [[(int(number.replace(",", "")), name) for number, name in block] for block in lines if block]
    want = [[(event["runs"][0], event["event"]) for event in mine["events"]]]
    want += [[(range_[figure]["runs"][0], figure) for figure in FIGURES] for range_ in mine["ranges"]]
    titles = [f"{r['range']}, {r['what']}, 0x{r['start']:08x}-0x{r['end']:08x}:" for r in mine["ranges"]]
    return [] if lines == want and all(title in text for title in titles) else [f"{lines}, not {want}", text]


def counted(folder, elf):
    """Tests every event, without and with a filter; ranges by address, by name, and from the middle of functions."""
    names = event_names()
    events = names + [name + FILTERS[1 + i % (len(FILTERS) - 1)] for i, name in enumerate(names)]
    spans = awkward_ranges(elf)
    ranges = ["mix", *(f"{start:#x}-{end:#x}" for start, end in spans[1:])]
    mine, want = oracle(folder, "counted", events, spans, [*asked(events, ranges), elf, "--", "700"])
    check(f"{len(events)} events in {-(-len(events) // COUNTERS)} runs, 3 ranges", compare(mine, want, events, spans, 1))
    few = events[-4:]
    spans = ranges_of(elf, ("mix", "collatz", "halves"))
    command = ["-r", "3", *asked(few, ("mix", "collatz", "halves")), elf, "--", "700"]
    mine, want = oracle(folder, "named", few, spans, command)
    check("ranges by name, three times", compare(mine, want, few, spans, 3))
    spans = [[0, 0], [0, 0], spans[2]]
    mine, want = oracle(folder, "data", ["loads:data"], spans, ["-e", "loads:data", "--data-range", "halves", elf, "--", "700"])
    got = [mine["events"][0]["runs"][0], *(mine["ranges"][0][figure]["runs"][0] for figure in FIGURES)]
    truth = [want["counters"][0]["count"], *want["ranges"][2]]
    check("a range of data alone", [] if got == truth and 0 not in got and len(mine["ranges"]) == 1 else [f"{got}, not {truth}"])
    many = names[:COUNTERS + 1]
    mine = json.loads(must([*STAT, "--json", *asked(many, ("mix", "collatz", "halves")), elf, "--", "700"]))
    done = run([*STAT, *asked(many, ("mix", "collatz", "halves")), elf, "--", "700"])
    check("in words", words(done.stderr, mine) + ([] if "in 2 runs" in done.stderr else ["not 2 runs"]))
    check("the console once", [] if done.stdout.count("sum ") == 1 else [done.stdout])
    listed = re.findall(r"^  (\S+) +\S", must(["gnomon", "stat", "-e", "list"]), re.MULTILINE)
    check("the list", [] if set(names) < set(listed) and all(f"{n}" in listed for n in ("tagged", "tagged-fills", "trace-lost")) else [listed])
    in_json = [event["name"] for event in json.loads(must(["gnomon", "stat", "--json", "-e", "list"]))]
    check("the list in JSON", [] if in_json == listed else [in_json])


def zlib(folder, elf, text):
    """A real program that reads a file from the host."""
    packed, names = f"{folder}/text.z", ("deflate_slow", "inflate_fast", "_length_code")
    if os.path.exists(packed):
        os.remove(packed)
    events = list(FEW)
    spans = ranges_of(elf, names)
    mine, want = oracle(folder, "zlib", events, spans, [*asked(events, names), elf, "--", text, packed])
    check("zlib", compare(mine, want, events, spans, 1))
    if 0 in (mine["ranges"][0][figure]["mean"] for figure in FIGURES):
        check("zlib counts nothing", [mine["ranges"][0]])


def unsteady(elf):
    """Runs with different cycles are not merged; with repetition, each run has its own figures."""
    done = run([*STAT, "-e", ",".join(["branches"] * (COUNTERS + 1)), elf])
    check("runs that differ, for more events", [] if done.returncode == 1 and "run 2 for the events or latencies took" in done.stderr else [done.stderr])
    mine = json.loads(must([*STAT, "-r", "3", "--json", "-e", "cycles,branches", elf]))
    runs = mine["events"][1]["runs"]
    # An event counts for a few cycles more, from the end of the run to the halt of the hart.
    rest = {event - cycles for event, cycles in zip(mine["events"][0]["runs"], mine["cycles"]["runs"])}
    good = len(set(runs)) == 3 and not mine["events"][1]["identical"] and mine["events"][1]["spread_percent"] > 0
    check("each run's own", [] if good and len(rest) == 1 and 0 <= rest.pop() < 20 else [mine["events"], mine["cycles"]])


def refused(folder, elf):
    def says(name, options, text, status=1):
        done = run([*STAT, *options])
        good = done.returncode == status and text in done.stderr and done.stderr.count("\n") == 2 and not done.stdout
        check(name, [] if good else [f"exit status {done.returncode}: {done.stderr}"])
    says("unknown event", ["-e", "loads,branch", elf], "there is no event \"branch\"", 2)
    says("no event between commas", ["-e", "loads,,stores", elf], "there is no event \"\"", 2)
    says("unknown filter", ["-e", "loads:x", elf], "\"x\" is not a filter", 2)
    says("no range 0", ["-e", "loads:range0", "--data-range", "halves", elf], "loads:range0 filters by a range that no option sets", 2)
    says("no range 1", ["-e", "range1-entries", "--range", "mix", elf], "range1-entries filters by a range that no option sets", 2)
    says("no range of data", ["-e", "loads:data", "--range", "mix", elf], "loads:data filters by a range that no option sets", 2)
    says("unknown function", ["--range", "halves", elf], "has no function halves")
    says("unknown variable", ["--data-range", "mix", elf], "has no variable mix")
    symbols = f"{folder}/symbols.elf"
    must(["riscv64-unknown-elf-objcopy", "--add-symbol", "mix=0x10000010,function,global", "--add-symbol", "endless=0x10000010,function,global", elf,
          symbols])
    says("two functions of a name", ["--range", "mix", symbols], "has 2 functions mix", 2)
    says("function of unknown size", ["--range", "endless", symbols], "does not say how long the function endless is")
    says("empty range", ["--range", "0x10000010-0x10000010", elf], "the range 0x10000010-", 2)
    says("range that goes back", ["--data-range", "8-4", elf], "the range 8-4 is empty", 2)
    says("three ranges", ["--range", "mix", "--range", "mix", "--range", "mix", elf], "3 ranges of instructions are requested")
    says("two ranges of data", ["--data-range", "halves", "--data-range", "halves", elf], "2 ranges of data are requested")
    says("no program", ["-e", "loads"], "missing operand: ELF", 2)
    for board in ("mid", "small"):
        says(f"no counters in {board}", ["-d", f"sim:{board}", "-e", "loads", elf], f"sim:{board} has no counters")


def main():
    folder, elf, unsteady_elf, zlib_elf, text = values(__doc__, "out", "counted", "unsteady", "zlib", "text")
    os.makedirs(folder, exist_ok=True)
    counted(folder, elf)
    zlib(folder, zlib_elf, text)
    unsteady(unsteady_elf)
    refused(folder, elf)
    return result()


if __name__ == "__main__":
    sys.exit(main())
