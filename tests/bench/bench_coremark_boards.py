#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CoreMark per second of each board: the whole SoC, simulated, at its board's clock.

usage: bench_coremark_boards.py SOURCES BOARD...   SOURCES: folder with core_main.c, which is not part of this repository
Prints a table and writes it to build/bench-coremark-boards.json."""
import json
import os
import pathlib
import re
import sys

from checking import fail
from commands import must

PORT = "firmware/apps/coremark_port"
OUT = pathlib.Path("build/bench/coremark")
ITERATIONS = 40  # more than the ten seconds at 1 MHz that CoreMark's rules require
GOAL = {"ice40": 30, "ecp5": 180}  # CoreMark per second
FLAGS = "-O2"


def build(sources):
    """A program without floating point, so that it fits into 32 KiB."""
    elf = OUT / "coremark-boards.elf"
    files = [f"{sources}/core_{part}.c" for part in ("list_join", "main", "matrix", "state", "util")] + [f"{PORT}/core_portme.c"]
    must(["gnomon", "cc", "--gnomon-off", FLAGS, "-DHAS_FLOAT=0", "-Wl,--defsym=vfprintf=__i_vfprintf", f"-DITERATIONS={ITERATIONS}",
          f'-DCOMPILER_FLAGS="{FLAGS}"', f"-I{sources}", f"-I{PORT}", *files, "-o", elf])
    return elf


def measure(board, elf):
    device = ["-d", f"sim:{board}"]
    clock_hz = json.loads(must(["gnomon", "info", "--json", *device]))["clock_hz"]
    printed = must(["gnomon", "run", *device, elf])
    if "Correct operation validated" not in printed:
        fail(f"{board}: {printed}")
    ticks = int(re.search(r"Total ticks\s*:\s*(\d+)", printed)[1])
    per_mhz = ITERATIONS * 1e6 / ticks
    goal = GOAL["ecp5" if board.startswith(("ulx3s", "orangecrab")) else "ice40"]
    return {"board": board, "clock_hz": clock_hz, "cycles": ticks, "coremark_per_mhz": round(per_mhz, 3),
            "coremark_per_second": round(per_mhz * clock_hz / 1e6, 1), "goal": goal}


def main():
    if len(sys.argv) < 3 or not os.path.exists(f"{sys.argv[1]}/core_main.c"):
        sys.exit(f"{__doc__}\nNo core_main.c in {sys.argv[1] if len(sys.argv) > 1 else '(nothing)'}: give COREMARK=FOLDER")
    OUT.mkdir(parents=True, exist_ok=True)
    elf = build(sys.argv[1])
    print(f"{'board':12} {'MHz':>5} {'CoreMark/MHz':>13} {'CoreMark/s':>11} {'goal':>5}   (RV32IMC, {FLAGS})")
    rows = []
    for board in sys.argv[2:]:
        row = measure(board, elf)
        rows.append(row)
        print(f"{board:12} {row['clock_hz'] / 1e6:5.1f} {row['coremark_per_mhz']:13.3f} {row['coremark_per_second']:11.1f} {row['goal']:5}", flush=True)
    pathlib.Path("build/bench-coremark-boards.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


main()
