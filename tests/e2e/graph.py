#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program with more pairs of caller and callee than the device has room for: record repeats the run until each call
has its caller; without repetition, the first line gives the number of calls without a caller. The program makes its
calls for each line of its standard input, so each run must get the same input and take the same cycles, although it
halts for each line.

usage: graph.py --out FOLDER --callers N --leaves N   (each caller calls each leaf)
"""
import json
import pathlib

from checking import fail
from commands import run
from e2e import GNOMON
from options import values

ROUNDS = 2
INPUT = "".join(f"{n} {'/' * 99}\n" for n in range(ROUNDS))  # several packets a line


def source(callers, leaves):
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */", "#include <stdio.h>", "static volatile unsigned sum;"]
    lines += [f"__attribute__((noinline)) void leaf{j}(unsigned x) {{ sum += x * {j + 1}u; }}" for j in range(leaves)]
    lines += [f"__attribute__((noinline)) void caller{i}(void) {{ " + " ".join(f"leaf{j}({i}u);" for j in range(leaves)) + " }"
              for i in range(callers)]
    calls = " ".join(f"caller{i}();" for i in range(callers))
    return "\n".join([*lines, f"int main(void) {{ char line[128]; while (fgets(line, sizeof line, stdin)) {{ {calls} }} return 0; }}", ""])


def tool(*command):
    done = run(command, input=INPUT)
    if done.returncode:
        fail(f"{command}: {done.returncode}, {done.stderr}")
    return done


def record(elf, *options):
    """Returns the line of the summary, the report's first line, and the JSON."""
    trace = elf.with_suffix(".gnt")
    said = tool(GNOMON, "record", "-d", "sim:full", "-o", trace, *options, elf).stderr
    first = tool(GNOMON, "report", "--flat", trace).stdout.splitlines()[0]
    return said, first, json.loads(tool(GNOMON, "report", "--json", trace).stdout)


def arcs_of(report):
    names = [function["name"] for function in report["functions"]]
    return {(names[arc["caller"]] if arc["caller"] is not None else None, names[arc["callee"]]): arc["calls"] for arc in report["arcs"]}


def main():
    folder, callers, leaves = values(__doc__, "out", "callers", "leaves")
    folder, callers, leaves = pathlib.Path(folder), int(callers), int(leaves)
    folder.mkdir(parents=True, exist_ok=True)
    code, elf = folder / "graph.c", folder / "graph.elf"
    code.write_text(source(callers, leaves), encoding="ascii")
    tool(GNOMON, "cc", "-O1", "-g", "-o", elf, code)
    want = {(None, "main"): 1, **{("main", f"caller{i}"): ROUNDS for i in range(callers)},
            **{(f"caller{i}", f"leaf{j}"): ROUNDS for i in range(callers) for j in range(leaves)}}
    said, first, once = record(elf, "--graph-runs", "1")
    missing = sum(want.values()) - sum(arcs_of(once).values())
    text = f"calls and cycles counted exactly, call graph INCOMPLETE: the callers of {missing:,} of {sum(want.values()):,} calls are not known"
    if missing == 0 or text not in said or text not in first or once["exact"] or once["complete"]:
        fail(f"one run: {missing} calls without a caller, but record says {said}, report {first}")
    if [(reason["id"], reason["count"]) for reason in once["reasons"]] != [("arcs-overflow", missing)]:
        fail(f"one run: {once['reasons']}")
    said, first, whole = record(elf)
    if arcs_of(whole) != want or not whole["exact"] or "counted exactly, nothing lost" not in said or "INCOMPLETE" in first:
        fail(f"several runs: {len(arcs_of(whole))} arcs of {len(want)}; record says {said}, report {first}")
    if whole["functions"] != once["functions"] or whole["cycles"] != once["cycles"]:
        fail("several runs: other figures of functions than those of one")
    cycles = {arc: whole["arcs"][i] for i, arc in enumerate(arcs_of(whole))}
    for arc, figures in zip(arcs_of(once), once["arcs"]):
        if [figures[key] for key in ("self_cycles", "total_cycles")] != [cycles[arc][key] for key in ("self_cycles", "total_cycles")]:
            fail(f"several runs: other cycles of {arc}")
    for callee, function in enumerate(whole["functions"]):
        if sum(arc["self_cycles"] for arc in whole["arcs"] if arc["callee"] == callee) != function["self_cycles"]:
            fail(f"several runs: cycles of {function['name']}")
    print(f"{len(want)} pairs of caller and callee: in one run {missing} calls without a caller, in several none")


if __name__ == "__main__":
    main()
