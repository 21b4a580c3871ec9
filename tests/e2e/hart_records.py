#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Function records and watched functions of both harts: every figure of `gnomon report` equals the reference models, difference 0, and
the trace of all events. Threads that stay on their harts, and threads that move: their records are said not to be exact, and `record`
takes events. Cycles of instructions of both harts. More pairs of caller and callee on each hart than there are places.

usage: hart_records.py --simulators FOLDER --out FOLDER HOOKED WATCHED THREADS"""
import json
import os
import struct
import sys

from checking import expect, result, same
from commands import FAST, must, run, sim_options
from hart_reports import by_name, compare_report
from options import values

SIMULATORS, OUT, (HOOKED, WATCHED, THREADS) = values(__doc__, "simulators", "out", rest="ELF")
os.environ["GNOMON_SIM_DIR"] = SIMULATORS
# What differs between a report of records and one of events: sizes, what is known of traps in threads, the order of arcs, which
# functions were open at the end, and cycles of recursion by caller.
OTHERWISE = ("arcs", "frames", "functions", "record_bytes", "threads")
CALLERS, LEAVES = 24, 50


def record(name, elf, arguments, *options):
    trace = f"{OUT}/{name}.gnt"
    done = run(["gnomon", "record", "-v", "-d", "sim:duo", "-o", trace, *options, *FAST, elf, "--", *arguments])
    same(f"{name}: status of record", done.returncode, 0, done.stderr)
    return trace, done.stderr


def report(trace, *options):
    return json.loads(must(["gnomon", "report", "-q", "--json", *options, trace]))


def arcs_of(shown):
    names = [function["name"] for function in shown["functions"]] + [None]
    return {(names[-1 if arc["caller"] is None else arc["caller"]], names[arc["callee"]]):
            (arc["calls"], arc["self_cycles"], arc["total_cycles"] if arc["caller"] != arc["callee"] else None) for arc in shown["arcs"]}


def functions_of(shown):
    return [{key: value for key, value in function.items() if key != "open_at_end"} for function in shown["functions"]]


def threads_of(shown):
    return [{key: value for key, value in thread.items() if key != "trap_cycles"} for thread in shown["threads"]]


def compare_ways(name, records, events):
    """All figures that records have are those of the events, of both harts together and of each."""
    for options in ([], ["--hart", "0"], ["--hart", "1"]):
        one, other = report(records, *options), report(events, *options)
        where = f"{name} {' '.join(options)}"
        for key in sorted(set(one) - set(OTHERWISE)):
            same(f"{where}: {key}", one[key], other.get(key))
        same(f"{where}: functions", functions_of(one), functions_of(other))
        same(f"{where}: arcs", arcs_of(one), arcs_of(other))
        same(f"{where}: threads", threads_of(one), threads_of(other))


def check_exact(name, elf, more=(), model_options=()):
    traces = {}
    for way in ("--records", "--events"):
        model = f"{OUT}/{name}{way}.model.json"
        traces[way], said = record(f"{name}{way}", elf, (200, 5), way, *more, *sim_options(*model_options, "--oracle", f"{elf}={model}"))
        expect(f"{name}{way}: exact", "counted exactly, nothing lost" in said, said)
        with open(model, encoding="utf-8") as file:
            compare_report(f"{name}{way}", traces[way], json.load(file))
    compare_ways(name, traces["--records"], traces["--events"])


def check_default():
    """Without a word, a program without threads that move has records of both harts."""
    trace, said = record("default", HOOKED, (20, 5))
    expect("default: records of both harts", "function records: each of" in said and "counted exactly, nothing lost" in said, said)
    same("default: harts", len(report(trace)["harts"]), 2)


def check_threads():
    records, said = record("pinned--records", THREADS, ("pinned", 20), "--records")
    expect("pinned: exact", "counted exactly, nothing lost" in said, said)
    events, _ = record("pinned--events", THREADS, ("pinned", 20), "--events")
    compare_ways("pinned", records, events)
    default, said = record("free", THREADS, ("free", 20))
    expect("free: events, exact", "takes every event: threads move" in said and "counted exactly, nothing lost" in said, said)
    exact = report(default)
    expect("free: report", exact["exact"] and not exact["reasons"], exact["reasons"])
    records, said = record("free--records", THREADS, ("free", 20), "--records")
    expect("free, records: said", "moved between harts: their calls are not exact" in said, said)
    for options in ([], ["--hart", "0"], ["--hart", "1"]):
        shown = report(records, *options)
        expect(f"free, records {options}: not exact", not shown["exact"] and "threads-moved" in [reason["id"] for reason in shown["reasons"]], shown["reasons"])
    shown = report(records)
    expect("free, records: figures differ, cycles add up", by_name(shown["functions"]) != by_name(exact["functions"]) and shown["cycles"] == exact["cycles"])
    same("free, records: functions' calls", {f["name"]: f["calls"] for f in shown["functions"]}, {f["name"]: f["calls"] for f in exact["functions"]})


def source():
    lines = ["#include <gnomon_harts.h>", "static volatile unsigned sums[2], over;", "static char stack[4096] __attribute__((aligned(16)));"]
    lines += [f"__attribute__((noinline)) void leaf{j}(unsigned hart) {{ sums[hart] += {j + 1}u; }}" for j in range(LEAVES)]
    lines += [f"__attribute__((noinline)) void caller{i}(unsigned hart) {{ " + " ".join(f"leaf{j}(hart);" for j in range(LEAVES)) + " }"
              for i in range(CALLERS)]
    calls = " ".join(f"caller{i}(hart);" for i in range(CALLERS))
    return "\n".join([*lines, f"__attribute__((noinline)) void all(unsigned hart) {{ {calls} }}",
                      "static void second(void *unused) { (void)unused; all(1); all(1); over = 1; }",
                      "int main(void) { if (gnomon_hart_start(second, 0, stack, sizeof stack)) return 1; all(0); while (!over) ; return 0; }", ""])


def check_graph():
    """Each hart has a table of pairs: further runs complete both."""
    elf, code = f"{OUT}/graph.elf", f"{OUT}/graph.c"
    with open(code, "w", encoding="ascii") as file:
        file.write(source())
    must(["gnomon", "cc", "-O1", "-g", "-o", elf, code])
    once, said = record("graph-once", elf, (), "--records", "--graph-runs", "1")
    expect("graph, one run: incomplete", "call graph INCOMPLETE" in said, said)
    whole, said = record("graph", elf, (), "--records")
    expect("graph: complete", "counted exactly, nothing lost" in said, said)
    want = {**{(f"caller{i}", f"leaf{j}"): 3 for i in range(CALLERS) for j in range(LEAVES)}, **{("all", f"caller{i}"): 3 for i in range(CALLERS)}}
    shown = {pair: calls for pair, (calls, _, _) in arcs_of(report(whole)).items() if pair in want}
    same("graph: calls of each pair, of both harts", shown, want)
    same("graph: other figures", by_name(report(once)["functions"]), by_name(report(whole)["functions"]))


def section(path):
    """The cycles of instructions in a recording."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.index(b"GNTCPI\r\n") + 8
    return json.loads(data[at + 4:at + 4 + struct.unpack_from("<I", data, at)[0]])


def check_instructions():
    """Cycles of each instruction by cause, of each hart: the device's code windows against the simulator's whole account."""
    truth_path = f"{OUT}/instructions.json"
    for function in ("run", "work"):
        trace, _ = record(f"cpi-{function}", HOOKED, (20, 5), "--cpi", function, *sim_options("--instructions", truth_path))
        with open(truth_path, encoding="utf-8") as file:
            truth = json.load(file)
        found = section(trace)
        for hart, mine, model in ((0, found, truth), (1, found["hart1"], truth["hart1"])):
            where = f"cpi of {function}, hart {hart}"
            same(f"{where}: totals", [mine[key] for key in ("cycles", "unattributed", "causes")], [model[key] for key in ("cycles", "unattributed", "causes")])
            want = [row for row in model["instructions"] if mine["start"] <= row[0] < mine["end"]]
            same(f"{where}: instructions", mine["instructions"], want)
            expect(f"{where}: something was counted, and all of it", len(want) > 5 and not mine.get("overflow") and not mine.get("saturated"), want)
    trace, _ = record("cpi", HOOKED, (20, 5), "--cpi", "all")
    for hart in ("0", "1"):
        shown = json.loads(must(["gnomon", "annotate", "-q", "--json", "--hart", hart, "-i", trace]))
        model = truth["hart1"] if hart == "1" else truth
        same(f"annotate of hart {hart}: cycles", shown["cycles"], model["cycles"])
        cycles = {function["name"]: function["cycles"] for function in shown["functions"]}
        same(f"annotate of hart {hart}: second", "second" in cycles, hart == "1")
        causes = json.loads(must(["gnomon", "report", "-q", "--causes", "--json", "--hart", hart, trace]))
        same(f"report --causes of hart {hart}", causes["functions"], shown["functions"])
        one = json.loads(must(["gnomon", "annotate", "-q", "--json", "--hart", hart, "-i", trace, "work"]))
        same(f"annotate work of hart {hart}", one["cycles"], cycles["work"])


check_exact("hooked", HOOKED)
check_exact("watched", WATCHED, ("--watch",), ("--oracle-watch",))
check_default()
check_instructions()
check_threads()
check_graph()
sys.exit(result())
