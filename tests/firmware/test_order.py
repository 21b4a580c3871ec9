#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests gnomon cc --gnomon-profile: the most frequently called functions of an earlier run get the numbers that one
store reaches.

usage: test_order.py WORK_DIRECTORY"""
import json
import os
import pathlib
import sys

import image
from checking import check, result
from commands import must, run

COUNT = 3000
NEAR = 2048
HOT = {"f0": 50, "f1": 40, "f2": 30}
STATIC = {"a.c": 45, "b.c": 1}


def write_sources(work):
    keep = "__attribute__((noinline, noclone, noipa))"
    lines = ["// SPDX-License-Identifier: Apache-2.0", "volatile int sink;",
             f"{keep} static int helper(int x) {{ return x + sink; }}",
             f"{keep} int a(int n) {{ while (n-- > 0) sink = helper(n); return sink; }}"]
    lines += [f"{keep} int f{i}(int x) {{ return x + {i}; }}" for i in range(COUNT)]
    lines.append("int (*const table[])(int) = {" + ", ".join(f"f{i}" for i in range(COUNT)) + "};")
    lines.append("__attribute__((interrupt)) void on_interrupt(void) { sink = 0; }")
    (work / "a.c").write_text("\n".join(lines) + "\n", encoding="utf-8")
    calls = "\n".join(f"    for (int i = 0; i < {count}; i++)\n        sink = table[{name[1:]}](i);" for name, count in HOT.items())
    (work / "b.c").write_text(f"""// SPDX-License-Identifier: Apache-2.0
extern volatile int sink;
extern int (*const table[])(int);
int a(int n);
void on_interrupt(void);
{keep} static int helper(int x) {{ return x * 3 + sink; }}
int main(void) {{
    __asm__ volatile("" ::"r"(on_interrupt));
{calls}
    sink = helper(1) + a({STATIC["a.c"]});
    return 0;
}}
""", encoding="utf-8")
    return [work / "a.c", work / "b.c"]


def profile(work, elf):
    """Returns recording and report of a run."""
    trace, path = work / f"{elf.stem}.gnt", work / f"{elf.stem}.json"
    must(["gnomon", "record", "-q", "-d", "sim:full", "-o", trace, elf])
    path.write_text(must(["gnomon", "report", "--json", "-i", trace]), encoding="utf-8")
    return trace, path, json.loads(path.read_text(encoding="utf-8"))


def numbers(figures):
    """Returns numbers by name; names of both files have the file appended."""
    table = {}
    for function in figures["functions"]:
        name = function["name"].split(".")[0]
        table[name + "@" + os.path.basename(function["file"]) if name == "helper" else name] = function["number"]
    return table


def calls(figures):
    return sorted((f["name"].split(".")[0], f["calls"]) for f in figures["functions"])


def check_order(work, name, options):
    sources = write_sources(work)
    objects = []
    for source in sources:
        objects.append(work / f"{name}-{source.stem}.o")
        must(["gnomon", "cc", "-O1"] + options + ["-c", "-o", objects[-1], source])
    link = ["gnomon", "cc", "-O1"] + options + objects
    before, after = work / f"{name}-before.elf", work / f"{name}-after.elf"
    must(link + ["-o", before])
    trace, path, first = profile(work, before)
    must(link + ["-o", after, f"--gnomon-profile={path}"])
    _, _, second = profile(work, after)
    old, new = numbers(first), numbers(second)
    errors = []
    if old["f0"] < NEAR:
        errors.append(f"f0 should be far at first: {old}")
    # The interrupt function comes first, the others follow by number of calls.
    expected = {"f0": 1, "helper@a.c": 2, "f1": 3, "f2": 4}
    errors += [f"{key} has number {new[key]}, not {number}" for key, number in expected.items() if new[key] != number]
    firmware = image.Image(after)
    code = {instruction.address: instruction for instruction in firmware.disassemble()}
    if sorted(firmware.number_of.values()) != list(range(COUNT + 5)):
        errors.append("numbers are not dense")
    by_name = {function.name.split(".")[0]: function.start for function in firmware.functions}
    if firmware.number_of[by_name["on_interrupt"]] != 0:
        errors.append("the interrupt function is not nearest")
    if image.hook(code[by_name["f0"]]) != ("ra", 1):
        errors.append(f"f0 does not begin with one store: {code[by_name['f0']]}")
    if calls(first) != calls(second) or first["cycles"] <= second["cycles"]:
        errors.append(f"{first['cycles']} cycles before, {second['cycles']} after")
    check(f"{name}: {first['cycles']} cycles, in order {second['cycles']}", errors)
    return link, before, after, trace, path


def check_inputs(work, link, before, after, trace, path):
    other = work / "other.elf"

    def links(name, argument, more=()):
        done = run(link + ["-o", other, f"--gnomon-profile={argument}"] + list(more))
        check(name, [] if done.returncode == 0 and other.read_bytes() == after.read_bytes() else [done.stderr or "another image"])

    def refused(name, argument, *words):
        other.unlink(missing_ok=True)
        done = run(link + ["-o", other, f"--gnomon-profile={argument}"])
        missing = [word for word in words if word not in done.stderr]
        check(name, [f"status {done.returncode}, without {missing}: {done.stderr}"] if done.returncode != 1 or missing or other.exists() else [])

    links("a recording does as well as its report", trace)
    former = json.loads(path.read_text(encoding="utf-8"))
    gone = work / "gone.json"
    gone_functions = [{"name": name, "file": "a.c", "calls": 10 ** 6} for name in ("no_longer_there", "[function 7]", "*", "x) y(")]
    gone.write_text(json.dumps(former | {"functions": former["functions"] + gone_functions}), encoding="utf-8")
    links("functions that are no longer there do not matter", gone)
    refused("a missing file", work / "missing.json", "missing.json", "gnomon record")
    (work / "text").write_text("hello\n", encoding="utf-8")
    refused("a text", work / "text", "text is no profile", "gnomon report --json")
    (work / "other.json").write_text('{"functions": 7}', encoding="utf-8")
    refused("another JSON file", work / "other.json", "is no profile")
    (work / "noise").write_bytes(b"GNT\x1a" + bytes(range(256)))
    refused("a damaged recording", work / "noise", "noise")
    kept = before.read_bytes()
    before.write_bytes(after.read_bytes())
    refused("the recording of a program that was linked again", trace, "another build", "gnomon report --json")
    before.write_bytes(kept)
    done = run(link[:2] + ["-c", f"--gnomon-profile={work / 'missing.json'}", "-o", work / "b.o", work / "b.c"])
    check("nothing is read where nothing is linked", [done.stderr] if done.returncode else [])
    done = run(link + ["-o", other, "--gnomon-profile="])
    check("no file named", [] if done.returncode == 2 else [f"status {done.returncode}: {done.stderr}"])
    done = run(link + ["-o", other, f"--gnomon-profile={path}", "-T", "build/firmware/lib/gnomon.ld"])
    check("a linker script of one's own", [] if done.returncode == 0 and "has no effect" in done.stderr else [done.stderr])


def main():
    work = pathlib.Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)
    check_inputs(work, *check_order(work, "plain", ["-ffunction-sections"]))
    check_order(work, "lto", ["-flto", "-g"])
    return result()


if __name__ == "__main__":
    sys.exit(main())
