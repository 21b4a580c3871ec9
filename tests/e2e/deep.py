#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls nested deeper than the device's memory: the records are right, and name the figures that are unknown.

usage: deep.py ELF DEPTH...   (results go to build/e2e)
"""
import json
import pathlib
import sys

from checking import fail
from e2e import OUT, record, report

FIGURES = ("calls", "self_cycles", "total_cycles")


def run(elf, arguments, board):
    name = "-".join([pathlib.Path(elf).stem, board, *arguments])
    oracle = OUT / f"{name}.oracle.json"
    oracle.unlink(missing_ok=True)
    _, result = report(record(elf, arguments, name, [], oracle, f"sim:{board}", ["--records"]))
    functions = {function["name"]: function for function in result["functions"]}
    return name, result, functions, {f["name"]: f for f in json.loads(oracle.read_text(encoding="utf-8"))["functions"]}


def same(name, functions, oracle, figures=FIGURES):
    for function, want in oracle.items():
        if function in functions and any(functions[function][key] != want[key] for key in figures):
            fail(f"{name}: {function}: {[functions[function][key] for key in figures]}, oracle {[want[key] for key in figures]}")


def arcs_equal_calls(name, result):
    for at, function in enumerate(result["functions"]):
        calls = sum(arc["calls"] for arc in result["arcs"] if arc["callee"] == at)
        if calls != function["calls"]:
            fail(f"{name}: {function['name']}: {calls} calls in the call graph, {function['calls']} in the table")


def recursion(elf, depth):
    """A function that calls itself: all figures are right, its callees' too, except the lengths of its own calls."""
    name, result, functions, oracle = run(elf, [depth], "full")
    if result["reasons"]:
        fail(f"{name}: {result['reasons']}")
    if functions["descend"]["calls"] != int(depth) + 5 or "min_cycles" in functions["descend"] or "min_cycles" not in functions["leaf"]:
        fail(f"{name}: {functions['descend']}")
    same(name, functions, oracle)
    arcs_equal_calls(name, result)


def both(elf, depth):
    """Two functions that call each other: all calls are counted, the other figures are reported as unknown, and
    later calls are right."""
    name, result, functions, oracle = run(elf, [depth, "both"], "full")
    if not any("nested deeper than the device can follow" in fault["text"] for fault in result["reasons"]):
        fail(f"{name}: {result['reasons']}")
    same(name, functions, oracle, ("calls",))
    same(name, functions, {key: oracle[key] for key in ("main", "leaf", "descend")})


def small(elf, depth):
    """The compact unit: no function has a frame of its own in deep recursion, but all calls are counted."""
    name, result, functions, oracle = run(elf, [depth, "slow"], "small")
    if not any("no place for" in fault["text"] for fault in result["reasons"]):
        fail(f"{name}: {result['reasons']}")
    if result["lost_events"]:
        fail(f"{name}: {result['lost_events']} events lost")
    same(name, functions, oracle, ("calls",))
    if "min_cycles" in functions["descend"]:
        fail(f"{name}: {functions['descend']}")


def main():
    elf, *depths = sys.argv[1:]
    for depth in depths:
        recursion(elf, depth)
        both(elf, depth)
    small(elf, "300")
    print(f"calls nested up to {depths[-1]} deep")


if __name__ == "__main__":
    main()
