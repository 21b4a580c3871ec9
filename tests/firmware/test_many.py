#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Images of very many functions: numbers without gaps, the form of the hooks, and each function is called and counted
on the board, equal to the oracle; in the records, the functions with a record. The linker, or the check for a device,
refuses one function too many.

usage: test_many.py WORK_DIRECTORY COUNT [COMPILER-OPTION...]"""
import json
import pathlib
import sys

import image
from checking import fail
from commands import FAST, must, run, sim_options

PER_FILE = 4096
NEAR = 2048
MOST = 1 << 20
SMALL_HAS = 1 << 16  # numbers of functions
RECORDS = 2048 - 64  # places for functions in sim:full
COMPARE = pathlib.Path(__file__).resolve().parent.parent / "e2e" / "compare_oracle.py"


def calls_of(index):
    return 1 + index % 3


def write_sources(work, count):
    """Writes `count` functions with main, which calls function i as often as calls_of gives."""
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
        must(["gnomon", "cc", "-O1"] + options + ["-c", "-o", objects[-1], source])
    elf = work / "many.elf"
    must(["gnomon", "cc", "-O1"] + options + ["-o", elf] + objects)
    return elf


def check_hooks(elf, count):
    """Checks numbers from 0 on, each once; one store for the first 2048, lui and a store for the others."""
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


def record(work, elf, how):
    """Returns the program's report and the oracle's."""
    trace, oracle = work / f"many.{how}.gnt", work / f"many.{how}.oracle.json"
    must(["gnomon", "record", "-q", f"--{how}", "-d", "sim:full", "-o", trace, *FAST, *sim_options("--oracle", f"{elf}={oracle}"), elf])
    path = work / f"many.{how}.report.json"
    path.write_text(must(["gnomon", "report", "--json", "-i", trace]), encoding="utf-8")
    return path, oracle


def check_run(work, elf, count):
    path, oracle = record(work, elf, "events")
    must([sys.executable, COMPARE, path, oracle])
    report = json.loads(path.read_text(encoding="utf-8"))
    if not report["complete"]:
        fail(f"not complete: {report['reasons']}")
    wrong = []
    for function in report["functions"]:
        name = function["name"]
        expected = 1 if name == "main" else calls_of(int(name[1:]))
        if function["calls"] != expected:
            wrong.append(f"{name} {function['calls']}")
    if wrong or len(report["functions"]) != count:
        fail(f"{len(report['functions'])} functions called, counted wrongly: {wrong[:5]}")
    return report["cycles"]


def check_records(work, elf, count):
    """Calls of functions without a record count for their callers, and their number is reported; no other function
    gets their figures."""
    firmware = image.Image(elf)
    report, oracle = (json.loads(path.read_text(encoding="utf-8")) for path in record(work, elf, "records"))
    known = {(function["name"], function["address"]): function for function in oracle["functions"]}
    placed = [function for function in firmware.functions if firmware.number_of.get(function.start, RECORDS) < RECORDS]
    if sorted(function["name"] for function in report["functions"]) != sorted(function.name for function in placed):
        fail(f"{len(report['functions'])} functions in the records, not the {len(placed)} that have one")
    for function in report["functions"]:
        theirs = known[function["name"], int(str(function["address"]), 0)]
        fields = ("calls", "self_cycles", "total_cycles") if function["name"] != "main" else ("calls", "total_cycles")
        if any(function[field] != theirs[field] for field in fields):
            fail(f"{function}, in the oracle {theirs}")
    overflow = sum(function["calls"] for function in oracle["functions"]) - sum(function["calls"] for function in report["functions"])
    if overflow and not any(f"no place for {overflow:,} call" in fault["text"] for fault in report["reasons"]):
        fail(f"{overflow} calls without a place: {report['reasons']}")
    return overflow


def check_device(work):
    """A device with fewer numbers than the program has functions: the slots, and an entry for the last number,
    suffice for this test."""
    for functions, refused in ((SMALL_HAS, False), (SMALL_HAS + 1, True)):
        source, elf = work / "wide.c", work / "wide.elf"
        source.write_text(f"""// SPDX-License-Identifier: Apache-2.0
__asm__(".pushsection .gnomon.slots.wide, \\"aw\\", @nobits\\nwide: .zero {functions - 1}\\n.popsection\\n"
        ".pushsection .gnomon.map, \\"o\\", @progbits, main\\n.4byte wide, main\\n.popsection");
int main(void) {{
    __asm__ volatile("lui t0, %%hi(wide)" ::: "t0");
    return 0;
}}
""", encoding="utf-8")
        must(["gnomon", "cc", "-o", elf, source])
        firmware = image.Image(elf)
        if firmware.total != functions:
            fail(f"{firmware.total} functions, not {functions}")
        for board in "small", "full":
            done = run(["gnomon", "record", "-q", "--events", "-d", f"sim:{board}", "-o", work / "wide.gnt", elf])
            expected = f"has {functions} profiled functions; sim:{board} has numbers for {SMALL_HAS}" if refused and board == "small" else ""
            if (done.returncode != 0) != bool(expected) or expected not in done.stderr:
                fail(f"{functions} functions on {board}: {done.returncode} {done.stderr}")
    must(["gnomon", "record", "-q", "--no-functions", "-d", "sim:small", "-o", work / "wide.gnt", elf])


def check_refusal(work, section, slots, message):
    """Tests one more function than there are numbers: the slots alone suffice to detect it."""
    source = work / "too-many.c"
    source.write_text(f"""// SPDX-License-Identifier: Apache-2.0
__asm__(".pushsection {section}.many, \\"aw\\", @nobits\\nmany: .zero {slots}\\n.popsection");
int main(void) {{
    int x;
    __asm__ volatile("lui %0, %%hi(many)" : "=r"(x));
    return x;
}}
""", encoding="utf-8")
    done = run(["gnomon", "cc", "-o", work / "too-many.elf", source])
    if done.returncode == 0 or message not in done.stderr:
        fail(f"{slots} slots in {section}: {done.stderr}")


def main():
    work, count, options = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    work.mkdir(parents=True, exist_ok=True)
    elf = build(work, write_sources(work, count), options)
    far = check_hooks(elf, count)
    cycles = check_run(work, elf, count)
    overflow = check_records(work, elf, count)
    check_device(work)
    check_refusal(work, ".gnomon.slots", MOST, f"more than {MOST} profiled functions; leave some out with --gnomon-exclude")
    check_refusal(work, ".gnomon.near", NEAR + 1, f"more than {NEAR} interrupt functions")
    print(f"{count} functions, {far} of them with two instructions an event, each called and counted in {cycles} cycles; "
          f"{overflow} calls without a place in the records")


if __name__ == "__main__":
    main()
