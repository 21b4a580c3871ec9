#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles per instruction and CPI stacks of the project's programs, on the hart with a memory that answers in one
cycle.

usage: bench_programs.py PROGRAM... -- CORE...   PROGRAM: ELF, or "ELF ARGUMENT...": a program of the runtime and its arguments;
                                                 files among the arguments are placed in its memory. CORE: NAME=EXECUTABLE, a bench_core
Each program must exit with 0. Prints a table and writes it to build/bench-core.json."""
import json
import pathlib
import re
import struct
import sys

import core_run

# End of the bare hart's memory (bench_core.v), and the beginning of the parameter block (include/gnomon/param.h).
MEMORY_END = 0x10000000 + (8 << 20)
HEADER = pathlib.Path("include/gnomon/param.h").read_text(encoding="utf-8")
MAGIC, VERSION = (int(re.search(rf"GNOMON_PARAM_{name} (\w+)u", HEADER)[1], 0) for name in ("MAGIC", "VERSION"))


def parameter_block(arguments):
    """Parameter block, pointers to the arguments, table of files, strings, files; ends at the end of memory."""
    files = [(i, pathlib.Path(a).read_bytes()) for i, a in enumerate(arguments) if i and pathlib.Path(a).is_file()]
    strings = [a.encode() + b"\0" for a in arguments]
    head = 8 * 4 + 4 * (len(arguments) + 1) + 16 * len(files)
    bodies = b"".join(data + b"\0" * (-len(data) % 4) for _, data in files)
    text = b"".join(strings)
    text += b"\0" * (-len(text) % 4)
    size = (head + len(text) + len(bodies) + 15) & ~15
    base = MEMORY_END - size
    argv = [base + head + sum(map(len, strings[:i])) for i in range(len(strings))]
    words = [MAGIC, VERSION, len(arguments), base + 32, len(files), base + 32 + 4 * (len(arguments) + 1), 0, 0, *argv, 0]
    data = base + head + len(text)
    for i, body in files:
        words += [argv[i], data, len(body), 0]
        data += (len(body) + 3) & ~3
    return (struct.pack(f"<{len(words)}I", *words) + text + bodies).ljust(size, b"\0")


def main():
    end = sys.argv.index("--")
    rows = []
    for program in sys.argv[1:end]:
        elf, *arguments = program.split()
        name = pathlib.Path(elf).stem
        image, param = core_run.image_of(elf), []
        if arguments:
            param = [pathlib.Path("build/bench") / f"{name}.param"]
            param[0].write_bytes(parameter_block([elf, *arguments]))
        for core in sys.argv[end + 1:]:
            label, executable = core.split("=")
            result, _ = core_run.run(executable, image, *param)
            rows.append({"program": name, "core": label, **result})
    shown = core_run.shown(rows)
    print(f"{'':10} {'':8} {'instructions':>12} {'cycles':>12} {'CPI':>6} = " + " + ".join(f"{c:>10}" for c in shown))
    for row in rows:
        stack = "   ".join(f"{row['causes'][c] / row['instructions']:10.4f}" for c in shown)
        print(f"{row['program']:10} {row['core']:8} {row['instructions']:12} {row['cycles']:12} {row['cycles'] / row['instructions']:6.3f}   {stack}")
    pathlib.Path("build/bench-core.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


main()
