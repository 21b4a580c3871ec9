#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares gnomon tag on the simulated board with other counts, difference 0: executions and cycles of each
instruction with the simulator's reference model (record --cpi), reads and writes of variables with the ranges'
counters (stat --data-range), timers with the lengths of calls (report), events with tags and timers, a gated
trace with the whole trace. The run takes as many cycles as without tags.

usage: tags.py --out FOLDER --counted ELF --zlib ELF --hinted ELF --asked ELF --text FILE
(programs of tests/e2e/programs; tests/host/tags/asked.c; zlib packs the text)
Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulator."""
import json
import os
import re
import sys

from checking import check, result
from commands import must
from cpi import FAST, costs, fresh, record
from options import values


def tag(names, elf, arguments, *options):
    tags = [argument for what in names for argument in ("-t", what)]
    return json.loads(must(["gnomon", "tag", *FAST, "--json", *options, *tags, elf, "--", *fresh(arguments)]))


def instructions(mine, account):
    """Compares code targets with the CPI stack of their instructions."""
    errors = [] if mine["exact"] else [mine["device_counts"]]
    for target in mine["targets"]:
        if target["kind"] == "data":
            continue
        inside = {at: cost for at, cost in account.items() if any(start <= at < end for start, end in target["ranges"])}
        want = [sum(cost.get(0, 0) for cost in inside.values()), sum(sum(cost.values()) for cost in inside.values())]
        if [target["executions"], target["cycles"]] != want:
            errors.append(f"{target['what']}: {target['executions']}, {target['cycles']}, not {want}")
        each = {one["address"]: one["count"] for one in target.get("each", [])}
        if "each" in target and each != {at: cost[0] for at, cost in inside.items() if 0 in cost}:
            errors.append(f"{target['what']}: each {each}")
    return errors


def counts(folder, name, elf, arguments, names, some):
    """`some`: the `names` that must have been executed or accessed, so that the test is not empty."""
    path = f"{folder}/{name}.gnt"
    section = record(path, "all", elf, arguments)
    mine = tag(names, elf, arguments)
    errors = instructions(mine, costs(section["instructions"]))
    if mine["cycles"] != section["cycles"]:
        errors.append(f"{mine['cycles']} cycles, {section['cycles']} without tags")
    counted = {target["what"]: target.get("executions", 0) + target.get("reads", 0) + target.get("writes", 0) for target in mine["targets"]}
    errors += [f"{what} was not met" for what in some if not counted[what]]
    check(f"{name}: {len(names)} tags", errors)
    return path


def variables(name, elf, arguments, names):
    mine = tag(names, elf, arguments)
    errors = [] if mine["exact"] else [mine["device_counts"]]
    for target in mine["targets"]:
        (start, end), = target["ranges"]
        range_ = json.loads(must(["gnomon", "stat", *FAST, "--json", "--data-range", f"{start:#x}-{end:#x}", elf, "--", *fresh(arguments)]))["ranges"][0]
        want = [range_["reads"]["mean"], range_["writes"]["mean"]]
        if [target["reads"], target["writes"]] != want or want == [0, 0]:
            errors.append(f"{target['what']}: {target['reads']}, {target['writes']}, not {want}")
        each = target.get("each", [])
        if "each" in target and (sum(one["count"] for one in each) != sum(want) or len(each) != (end - start) // 4 or
                                 any(not start <= one["address"] < end for one in each)):
            errors.append(f"{target['what']}: each {each}")
    check(f"{name}: variables", errors)


def timers(name, elf, arguments, path, function):
    """An interval is a call from after its entry hook to its ret, which follows the exit hook and takes a cycle."""
    of = next(f for f in json.loads(must(["gnomon", "report", "--json", "-i", path]))["functions"] if f["name"] == function)
    steps = sorted({of["min_cycles"] + 1, of["max_cycles"] + 1, of["max_cycles"] + 2})
    mine = tag([f"{function}:tagged", f"{function}@entry:start=0", f"{function}@return:stop=0"], elf, arguments,
               "--threshold", "0=" + ",".join(map(str, steps)), "-e", "retired:tagged,cycles:tagged,cycles:timer=0")
    timer, whole = mine["timers"][0], mine["targets"][0]
    got = [timer["intervals"], timer["cycles"], timer["shortest"], timer["longest"], timer["running"]]
    want = [of["calls"], of["total_cycles"] + of["calls"], of["min_cycles"] + 1, of["max_cycles"] + 1, False]
    check(f"{name}: timer of {function}", [] if got == want else [f"{got}, not {want}"])
    over = {step["cycles"]: step["intervals"] for step in timer["over"]}
    check(f"{name}: thresholds", [] if over[steps[0]] == of["calls"] and over[steps[-2]] >= 1 and over[steps[-1]] == 0 else [over])
    events = [event["count"] for event in mine["events"]]
    want = [whole["executions"], whole["cycles"], timer["cycles"]]
    check(f"{name}: events of tags and of timers", [] if events == want else [f"{events}, not {want}"])


def events(path, elf, arguments, *options):
    """Returns [(cycle, event)] of enters and exits."""
    must(["gnomon", "record", "--events", "-q", *FAST, *options, "-o", path, elf, "--", *fresh(arguments)])
    text = must(["gnomon", "dump", "-i", path])
    return [(int(cycle), what) for cycle, what in re.findall(r"^ +(\d+) +\d+ +\d+ +([<>] \S+)", text, re.MULTILINE)]


def gated(folder, name, elf, arguments, function):
    """Records the trace from a function's first instruction to its return, or up to that instruction. The gate
    changes some cycles late; events within that delay are not compared."""
    everything = events(f"{folder}/all.gnt", elf, arguments)
    begin = next(cycle for cycle, what in everything if what == f"> {function}")
    end = next(cycle for cycle, what in everything if what == f"< {function}")
    clear = lambda events_: [e for e in events_ if not 0 <= e[0] - begin < 20 and not 0 <= e[0] - end < 20]
    inside = [e for e in everything if begin <= e[0] < end]
    for title, options, want in (
            ("started and stopped", (f"{function}@entry:trace-start", f"{function}@return:trace-stop"), inside),
            ("toggled", (f"{function}@entry:trace-toggle", f"{function}@return:trace-toggle"), inside),
            ("stopped", (f"{function}@entry:trace-stop",), [e for e in everything if e[0] < begin])):
        mine = events(f"{folder}/some.gnt", elf, arguments, *(word for option in options for word in ("--tag", option)))
        good = clear(mine) == clear(want) and len(clear(mine)) > 20
        check(f"{name}: trace {title}", [] if good else [len(mine), len(want), sorted(set(clear(mine)) ^ set(clear(want)))[:5]])


def hints(elf):
    """Runs 37 rounds, with a jump in every fourth."""
    mine = tag(["hint=5", "hint=9", "main"], elf, [])
    got = [target["executions"] for target in mine["targets"][:2]] + [mine["device_counts"]["hinted"], mine["device_counts"]["hints_lost"]]
    check("hints", [] if got == [37, 10, 47, 0] and mine["exact"] else [got, mine["device_counts"]])


def asked(folder, elf):
    """A program whose source requests its tags."""
    section = record(f"{folder}/asked.gnt", "all", elf, [])
    mine = tag([], elf, [])
    few = [target["what"] for target in mine["targets"] if not target.get("executions", 1)]
    check("tags in the source", instructions(mine, costs(section["instructions"])) + ([] if len(mine["targets"]) >= 10 and len(few) < 3 else [few, mine]))


def main():
    folder, counted, zlib, hinted, asking, text = values(__doc__, "out", "counted", "zlib", "hinted", "asked", "text")
    os.makedirs(folder, exist_ok=True)
    packed = [text, f"{folder}/text.z"]
    path = counts(folder, "zlib", zlib, packed,
                  ["longest_match", "deflate.c:1321:each", "deflate.c:1374-1376:each", "longest_match@entry", "longest_match@return:each", "deflate_slow",
                   "compress_block:each", "inflate", "memcpy", "trees.c:700-1000", "_length_code"],
                  ["longest_match", "deflate.c:1321", "longest_match@return", "deflate_slow", "compress_block", "inflate", "_length_code"])
    variables("zlib", zlib, packed, ["_length_code", "_dist_code"])
    timers("zlib", zlib, packed, path, "longest_match")
    gated(folder, "zlib", zlib, packed, "deflate_slow")
    hints(hinted)
    asked(folder, asking)
    for period in ("0", "701"):
        name = f"counted, interrupts every {period}"
        path = counts(folder, f"counted-{period}", counted, [period], ["mix:each", "collatz:each", "late", "user_work", "gnomon_timer_interrupt", "main"],
                      ["mix", "collatz", "late", "main"] + ["gnomon_timer_interrupt"] * (period != "0"))
        variables(name, counted, [period], ["halves", "words:each", "ticks"] if period != "0" else ["halves", "words:each"])
    return result()


if __name__ == "__main__":
    sys.exit(main())
