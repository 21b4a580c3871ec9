#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The benefit of the data cache: a program of the demo on the board `full` with and without it, with the board's own
memory and with a slower one.

usage: bench_dcache.py ELF ARGUMENTS -- BOARDS...   BOARDS: a folder that holds full/gnomon-sim
Prints a table and writes it to build/bench-dcache.json."""
import json
import os
import pathlib
import sys

import commands

OUT = pathlib.Path("build/bench/dcache")


def run(boards, elf, arguments):
    name = pathlib.Path(boards).name
    trace = OUT / f"{name}.gnt"
    commands.must(["gnomon", "record", "-q", "-d", "sim:full", "-o", trace, elf, "--", *arguments], env=dict(os.environ, GNOMON_SIM_DIR=boards))
    report = commands.report(trace)
    return {"boards": name, "cycles": report["cycles"], "instructions": report["instructions"],
            "cpi": report["cycles"] / report["instructions"]}


def main():
    split = sys.argv.index("--")
    elf, *arguments = sys.argv[1:split]
    OUT.mkdir(parents=True, exist_ok=True)
    rows = [run(board, elf, arguments) for board in sys.argv[split + 1:]]
    for row in rows:
        print(f"{row['boards']:20} {row['cycles']:12} cycles {row['instructions']:12} instructions  CPI {row['cpi']:6.3f}")
    pathlib.Path("build/bench-dcache.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


main()
