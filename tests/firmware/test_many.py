#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Images of very many functions: numbers without gaps, the hooks' form, and each function called and counted on the
board. And one too many is refused.

usage: test_many.py WORK_DIRECTORY COUNT [COMPILER-OPTION...]"""
import json
import pathlib
import subprocess
import sys

import image

PER_FILE = 4096
NEAR = 2048
MOST = 65536


def fail(text):
    sys.exit(f"FAIL: {text}")


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, command))}: {done.stderr[:2000]}")
    return done.stdout


def calls_of(index):
    return 1 + index % 3


def write_sources(work, count):
    """`count` functions with main, which calls function i as often as calls_of says."""
    sources = []
    for first in range(0, count - 1, PER_FILE):
        last = min(first + PER_FILE, count - 1)
        path = work / f"many{len(sources)}.c"
        lines = ["// SPDX-License-Identifier: Apache-2.0", "typedef int function(int);"]
        lines += [f"int f{i}(int x) {{ return x + {i & 1023}; }}" for i in range(first, last)]
        lines.append(f"function *const table{len(sources)}[] = {{")
        lines += [f"f{i}," for i in range(first, last)]
        lines += ["0};"]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        sources.append(path)
    path = work / "main.c"
    tables = "".join(f"extern function *const table{i}[];\n" for i in range(len(sources)))
    names = ", ".join(f"table{i}" for i in range(len(sources)))
    path.write_text(f"""// SPDX-License-Identifier: Apache-2.0
typedef int function(int);
{tables}
static function *const *const tables[] = {{{names}}};
int main(void) {{
    volatile int x = 0;
    unsigned index = 0;
    for (unsigned t = 0; t < sizeof tables / sizeof *tables; t++)
        for (function *const *f = tables[t]; *f; f++, index++)
            for (unsigned n = 0; n <= index % 3; n++)
                x = (*f)(x);
    return 0;
}}
""", encoding="utf-8")
    return sources + [path]


def build(work, sources, options):
    objects = []
    for source in sources:
        objects.append(source.with_suffix(".o"))
        run(["gnomon", "cc", "-O1"] + options + ["-c", "-o", objects[-1], source])
    elf = work / "many.elf"
    run(["gnomon", "cc", "-O1"] + options + ["-o", elf] + objects)
    return elf


def check_hooks(elf, count):
    """Numbers from 0 on, each once; one store for the first 2048, lui and a store for the others."""
    firmware = image.Image(elf)
    if firmware.total != count or sorted(firmware.number_of.values()) != list(range(count)):
        fail(f"{firmware.total} numbers, not {count}, or not each once")
    code = {instruction.address: instruction for instruction in firmware.disassemble()}
    far = 0
    for function in firmware.functions:
        number = firmware.number_of.get(function.start)
        if number is None:
            continue
        first = code[function.start]
        if number < NEAR:
            if image.hook(first) != ("ra", number):
                fail(f"{function.name}, number {number}: {first}")
            continue
        far += 1
        second = code[function.start + (2 if function.start + 2 in code else 4)]
        low = (-(number + 1) & 0xFFF ^ 0x800) - 0x800
        if first.mnemonic != "lui" or second.mnemonic != "sb" or second.operands != f"ra,{low}(t0)":
            fail(f"{function.name}, number {number}: {first} {second}")
    if far != max(0, count - NEAR):
        fail(f"{far} functions take two instructions")
    return far


def check_run(work, elf, count):
    trace = work / "many.gnt"
    run(["gnomon", "record", "-q", "-d", "sim:full", "-o", trace, "--sim-option", "--usb-speedup", "--sim-option", "64", elf])
    report = json.loads(run(["gnomon", "report", "--json", "-i", trace]))
    if not report["complete"]:
        fail(f"not complete: {report['faults']}")
    wrong = []
    for function in report["functions"]:
        name = function["name"]
        expected = 1 if name == "main" else calls_of(int(name[1:]))
        if function["calls"] != expected:
            wrong.append(f"{name} {function['calls']}")
    if wrong or len(report["functions"]) != count:
        fail(f"{len(report['functions'])} functions called, counted wrongly: {wrong[:5]}")
    return report["cycles"]


def check_refusal(work, section, slots, message):
    """One more than there are numbers: the slots alone are enough to see that."""
    source = work / "too-many.c"
    source.write_text(f"""// SPDX-License-Identifier: Apache-2.0
__asm__(".pushsection {section}.many, \\"aw\\", @nobits\\nmany: .zero {slots}\\n.popsection");
int main(void) {{
    int x;
    __asm__ volatile("lui %0, %%hi(many)" : "=r"(x));
    return x;
}}
""", encoding="utf-8")
    done = subprocess.run(["gnomon", "cc", "-o", work / "too-many.elf", source], capture_output=True, text=True, check=False)
    if done.returncode == 0 or message not in done.stderr:
        fail(f"{slots} slots in {section}: {done.stderr}")


def main():
    work, count, options = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    work.mkdir(parents=True, exist_ok=True)
    elf = build(work, write_sources(work, count), options)
    far = check_hooks(elf, count)
    cycles = check_run(work, elf, count)
    check_refusal(work, ".gnomon.slots", MOST, f"more than {MOST} profiled functions; leave some out with --gnomon-exclude")
    check_refusal(work, ".gnomon.near", NEAR + 1, f"more than {NEAR} interrupt functions")
    print(f"{count} functions, {far} of them with two instructions an event, each called and counted in {cycles} cycles")


if __name__ == "__main__":
    main()
