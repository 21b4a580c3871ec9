#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records in memory of a FreeRTOS program (gnomon cc --gnomon-freertos --gnomon-records): against the model of test_records.py, to the
cycle; the number of calls.

usage: test_freertos_records.py --out FOLDER --traced FIRMWARE_FOLDER --kernel FREERTOS_FOLDER"""
import json
import pathlib
import subprocess
import sys

from checking import check, expect, result, same
from options import parser
from test_records import Bench

CALLS = {"work": 2, "late": 1, "guarded": 81, "wake": 10, "leaf": 81 * 8 + 10 * 4}
TICK_HZ = 5000  # the hooks that tell what they do are slow
PROGRAMS = pathlib.Path(__file__).parent / "freertos"
HANDLERS = pathlib.Path("firmware/apps/freertos")


def main():
    given = parser(__doc__, "out", "traced", "kernel").parse_args()
    work, kernel = pathlib.Path(given.out), pathlib.Path(given.kernel)
    work.mkdir(parents=True, exist_ok=True)
    port = kernel / "portable" / "GCC" / "RISC-V"
    folders = (PROGRAMS, HANDLERS, kernel / "include", port, port / "chip_specific_extensions" / "RISCV_MTIME_CLINT_no_extensions")
    sources = (HANDLERS / "handlers.c", *(kernel / name for name in ("tasks.c", "list.c", "queue.c")), port / "port.c", port / "portASM.S")
    more = ["--gnomon-freertos", "-DLOCKS", f"-DTICK_HZ={TICK_HZ}", "-DGNOMON_FREERTOS_CRITICAL=0", "-w", "-Wno-error", *(f"-I{folder}" for folder in folders), *sources]
    bench, program = Bench(work, pathlib.Path(given.traced).resolve()), PROGRAMS / "records.c"
    bench.exact(program, [], "array", "-O2", ["THREAD"], more)
    bench.exact(program, [], "pointers,graph", "-O2", ["THREAD"], more)

    elf = bench.compile(program, "array,graph", "-O2", False, more)
    bench.record(elf, [])
    done = subprocess.run(["gnomon", "report", "--json", "--elf", elf, elf.with_suffix(".records")], capture_output=True, text=True, check=False)
    if done.returncode:
        check("report", [done.stderr])
        return result()
    said = json.loads(done.stdout)
    calls = {function["name"]: function["calls"] for function in said["functions"]}
    expect("exact", said["exact"], said["reasons"])
    same("calls", {name: calls.get(name) for name in CALLS}, CALLS)
    return result()


if __name__ == "__main__":
    sys.exit(main())
