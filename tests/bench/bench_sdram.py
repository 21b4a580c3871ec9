#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of main memory in an SDRAM: cycles per instruction and CPI stacks of a demo program on boards `full`.

usage: bench_sdram.py ELF ARGUMENTS -- BOARDS...   BOARDS: a folder that holds full/gnomon-sim
Prints a table and writes it to build/bench-sdram.json."""
import json
import os
import pathlib
import sys

from commands import must

SHOWN = ("fetch", "data", "icache_miss", "dcache_miss", "refresh", "page")


def run(boards, elf, arguments):
    counted = json.loads(must(["gnomon", "stat", "-d", "sim:full", "--json", elf, "--", *arguments], env=dict(os.environ, GNOMON_SIM_DIR=boards)))
    cycles, instructions = (counted[name]["runs"][0] for name in ("cycles", "instructions"))
    causes = {name: count["runs"][0] for name, count in counted["causes"].items()}
    if sum(causes.values()) != cycles:
        sys.exit(f"{boards}: causes of {sum(causes.values())} cycles, of {cycles}")
    return {"boards": pathlib.Path(boards).name, "cycles": cycles, "instructions": instructions, "cpi": cycles / instructions, "causes": causes}


def main():
    split = sys.argv.index("--")
    elf, *arguments = sys.argv[1:split]
    rows = [run(board, elf, arguments) for board in sys.argv[split + 1:]]
    print(f"{'cycles an instruction':20} {'all':>7}" + "".join(f" {name:>11}" for name in SHOWN))
    for row in rows:
        print(f"{row['boards']:20} {row['cpi']:8.3f}" + "".join(f" {row['causes'][name] / row['instructions']:11.3f}" for name in SHOWN))
    pathlib.Path("build/bench-sdram.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


main()
