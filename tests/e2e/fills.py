#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts fills of tagged lines (event tagged-fills) of a program that makes its caches fill lines a known number of
times: of data and of code, by tags of the host and of the program, with the program's interrupts and with samples.

usage: fills.py --fills ELF --cached 0|1 --shadow auto|memory    (1: the simulated board has a data cache; where the tags of the host are)
Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulators."""
import json
import sys

from checking import result, same
from commands import FAST, must
from options import values

TIMES, PERIOD = 700, 7


def count(elf, tag, what, shadow):
    told = json.loads(must(["gnomon", "tag", "-d", "sim:full", *FAST, "--json", "--shadow", shadow, "-t", tag, "-e", "tagged-fills", elf, "--", what, TIMES]))
    same(f"{what}, {tag}: exact", told["reasons"], [])
    return told["events"][0]["count"]


def main():
    elf, cached, shadow = values(__doc__, "fills", "cached", "shadow")
    cached = int(cached)
    # Words that are accessed, words beside them, and words of lines that are not.
    for tag, lines in ("table", 2), ("table[3]", 1), ("table[8]", 1), ("table[16]", 0), ("after_called", 0):
        same(f"data, {tag}", count(elf, tag, "data", shadow), cached * lines * TIMES)
    for tag, fills in ("called", TIMES), ("table", 0), ("after_called@entry", 1):
        same(f"code, {tag}", count(elf, tag, "code", shadow), fills)
    # Stores into tagged code: their tags go, or, in main memory, the stores are counted.
    told = json.loads(must(["gnomon", "tag", "-d", "sim:full", *FAST, "--json", "--shadow", shadow, "-t", "called@entry", elf, "--", "store", TIMES]))
    reason = [("stores-into-code", TIMES)] if shadow == "memory" else [("tags-cleared", 1)]
    same("stores into code", [(r["id"], r["count"]) for r in told["reasons"]], reason)
    same("stores into code, executions", told["targets"][0]["executions"], TIMES if shadow == "memory" else 0)
    for times in 0, 1, TIMES:
        text = must(["gnomon", "run", "-d", "sim:full", *FAST, elf, "--", "self", times])
        fills = cached * times
        same(f"self, {times}", text.strip(), f"{fills} fills, {fills} interrupts, of the right line: {int(fills > 0)}")
    if cached:
        told = json.loads(must(["gnomon", "stat", "-d", "sim:full", *FAST, "--json", "-e", "tagged-fills", elf, "--", "self", TIMES]))
        same("stat -e", [event["runs"] for event in told["events"]], [[TIMES]])
        told = json.loads(must(["gnomon", "hot", "-d", "sim:full", *FAST, "--json", "-e", "tagged-fills", "-c", PERIOD, elf, "--", "self", TIMES]))
        same("hot -e", [(f["name"], f["samples"], f["events"]) for f in told["functions"]], [("touch", TIMES // PERIOD, TIMES)])
    sys.exit(result())


if __name__ == "__main__":
    main()
