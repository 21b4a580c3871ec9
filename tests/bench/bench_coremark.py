#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CoreMark/MHz of the hart with a memory that answers in one cycle, and where its cycles go.

usage: bench_coremark.py SOURCES CORE...   SOURCES: folder with core_main.c, which is not part of this repository;
                                           CORE: NAME=EXECUTABLE, a bench_core
Prints a table and leaves it in build/bench-coremark.json."""
import json
import os
import pathlib
import re
import subprocess
import sys

PORT = "firmware/apps/coremark_port"
OUT = pathlib.Path("build/bench/coremark")
ITERATIONS = 40  # more than the ten seconds at 1 MHz that the rules ask for
TUNED = ("-O3 -mbranch-cost=1 -funroll-all-loops --param max-inline-insns-auto=200 -finline-limit=10000 "
         "-fno-code-hoisting -fno-if-conversion2")
FLAGS = {"-O2": "-O2", "-O3": "-O3", "tuned": TUNED}
CAUSES = ("retired", "fetch", "jump", "mispredict", "load_use", "muldiv", "data", "trap", "wfi", "debug", "reset", "csr", "fence")


def build(sources, name, flags):
    elf, image = OUT / f"coremark{name}.elf", OUT / f"coremark{name}.bin"
    files = [f"{sources}/core_{part}.c" for part in ("list_join", "main", "matrix", "state", "util")] + [f"{PORT}/core_portme.c"]
    subprocess.run(["gnomon", "cc", "--gnomon-off", *flags.split(), f"-DITERATIONS={ITERATIONS}", f'-DCOMPILER_FLAGS="{flags}"',
                    f"-I{sources}", f"-I{PORT}", *files, "-o", elf], check=True)
    subprocess.run(["riscv64-unknown-elf-objcopy", "-O", "binary", "-R", ".note.gnu.build-id", elf, image], check=True)
    return image


def run(core, image):
    done = subprocess.run([core, image], capture_output=True, text=True, check=True)
    if "Correct operation validated" not in done.stderr:
        sys.exit(f"{core} {image}: {done.stderr}")
    score = float(re.search(r"Iterations/Sec\s*:\s*([\d.]+)", done.stderr)[1])
    cycles, _, _, *causes = done.stdout.split()
    return score, int(cycles), dict(zip(CAUSES, map(int, causes)))


def main():
    if len(sys.argv) < 3 or not os.path.exists(f"{sys.argv[1]}/core_main.c"):
        sys.exit(f"{__doc__}\nNo core_main.c in {sys.argv[1] if len(sys.argv) > 1 else '(nothing)'}: give COREMARK=FOLDER")
    OUT.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, flags in FLAGS.items():
        image = build(sys.argv[1], name, flags)
        for core in sys.argv[2:]:
            label, executable = core.split("=")
            score, cycles, causes = run(executable, image)
            rows.append({"core": label, "flags": name, "coremark_per_mhz": score, "cycles": cycles, "causes": causes})
    shown = [c for c in CAUSES if any(row["causes"][c] > row["cycles"] // 1000 for row in rows)]
    print(f"{'':10} {'flags':6} {'/MHz':>6} {'CPI':>6}  " + " ".join(f"{c:>10}" for c in shown) + "   (% of all cycles)")
    for row in rows:
        shares = " ".join(f"{100 * row['causes'][c] / row['cycles']:10.2f}" for c in shown)
        cpi = row["cycles"] / row["causes"]["retired"]
        print(f"{row['core']:10} {row['flags']:6} {row['coremark_per_mhz']:6.3f} {cpi:6.3f}  {shares}")
    pathlib.Path("build/bench-coremark.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


main()
