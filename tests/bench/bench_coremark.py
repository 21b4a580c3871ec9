#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CoreMark/MHz of the hart with a memory that answers in one cycle, and its CPI stack.

usage: bench_coremark.py SOURCES CORE...   SOURCES: folder with core_main.c, which is not part of this repository;
                                           CORE: NAME=EXECUTABLE, a bench_core
Prints a table and writes it to build/bench-coremark.json."""
import json
import os
import pathlib
import re
import subprocess
import sys

import core_run

PORT = "firmware/apps/coremark_port"
OUT = pathlib.Path("build/bench/coremark")
ITERATIONS = 40  # more than the ten seconds at 1 MHz that CoreMark's rules require
TUNED = ("-O3 -mbranch-cost=1 -funroll-all-loops --param max-inline-insns-auto=200 -finline-limit=10000 "
         "-fno-code-hoisting -fno-if-conversion2")
FLAGS = {"-O2": "-O2", "-O3": "-O3", "tuned": TUNED}
ARCHS = {"rv32imc": [], "rv32im": ["-march=rv32im", "-misa-spec=2.2"]}  # of CoreMark's own code


def build(sources, name, flags, arch):
    elf = OUT / f"coremark{name}-{arch}.elf"
    files = [f"{sources}/core_{part}.c" for part in ("list_join", "main", "matrix", "state", "util")] + [f"{PORT}/core_portme.c"]
    subprocess.run(["gnomon", "cc", "--gnomon-off", *flags.split(), *ARCHS[arch], f"-DITERATIONS={ITERATIONS}", f'-DCOMPILER_FLAGS="{flags}"',
                    f"-I{sources}", f"-I{PORT}", *files, "-o", elf], check=True)
    return core_run.image_of(elf)


def run(core, image):
    result, printed = core_run.run(core, image)
    if "Correct operation validated" not in printed:
        sys.exit(f"{core} {image}: {printed}")
    return float(re.search(r"Iterations/Sec\s*:\s*([\d.]+)", printed)[1]), result


def main():
    if len(sys.argv) < 3 or not os.path.exists(f"{sys.argv[1]}/core_main.c"):
        sys.exit(f"{__doc__}\nNo core_main.c in {sys.argv[1] if len(sys.argv) > 1 else '(nothing)'}: give COREMARK=FOLDER")
    OUT.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, flags in FLAGS.items():
        for arch in ARCHS:
            image = build(sys.argv[1], name, flags, arch)
            for core in sys.argv[2:]:
                label, executable = core.split("=")
                score, result = run(executable, image)
                rows.append({"core": label, "flags": name, "arch": arch, "coremark_per_mhz": score, **result})
    shown = core_run.shown(rows)
    print(f"{'':10} {'flags':6} {'':7} {'/MHz':>6} {'CPI':>6}  " + " ".join(f"{c:>10}" for c in shown) + "   (% of all cycles)")
    for row in rows:
        shares = " ".join(f"{100 * row['causes'][c] / row['cycles']:10.2f}" for c in shown)
        cpi = row["cycles"] / row["instructions"]
        print(f"{row['core']:10} {row['flags']:6} {row['arch']:7} {row['coremark_per_mhz']:6.3f} {cpi:6.3f}  {shares}")
    pathlib.Path("build/bench-coremark.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


main()
