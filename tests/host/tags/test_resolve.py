#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the addresses of all kinds of tag targets: names against nm, returns against objdump, lines against
objdump's line table; and refused targets.

usage: test_resolve.py --resolve COMMAND --tagged ELF PROGRAM...
tagged: of tagged.c and other.c; the PROGRAMs are real ones, with -g."""
import collections
import json
import os
import random
import re
import subprocess
import sys

from checking import expect, result, same
from options import values

RESOLVE, TAGGED, PROGRAMS = values(__doc__, "resolve", "tagged", rest="PROGRAM")
BINUTILS = "riscv64-unknown-elf-"
SAMPLE = 300


def tool(name, *arguments, text=None):
    return subprocess.run([BINUTILS + name, *arguments], input=text, capture_output=True, text=True, check=True).stdout


def resolve(elf, names):
    run = subprocess.run([RESOLVE, elf], input="".join(what + "\n" for what in names), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def symbols(elf):
    """Returns [(name, address, size, letter)] of functions and variables."""
    found = re.findall(r"^([0-9a-f]{8}) ([0-9a-f]{8}) ([TtDdBbRrGgSs]) (\S+)$", tool("nm", "-S", elf), re.MULTILINE)
    return [(name, int(address, 16), int(size, 16), letter) for address, size, letter, name in found]


def instructions(elf):
    """Returns {address: mnemonic}."""
    lines = re.findall(r"^ *([0-9a-f]{8}):\t(\S+)", tool("objdump", "-d", "--no-show-raw-insn", elf), re.MULTILINE)
    return {int(address, 16): name for address, name in lines}


def join(ranges):
    joined = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(end, joined[-1][1])
        else:
            joined.append([start, end])
    return joined


def names(elf, code):
    """Tests every function and variable with a unique name."""
    by_name = collections.defaultdict(list)
    for name, address, size, letter in symbols(elf):
        by_name[name.split(".")[0] if letter in "Tt" else name].append((name, address, size, letter in "Tt", letter.isupper()))
    plain = {name: found for name, found in by_name.items()
             if sum("." not in f[0] for f in found) == 1 and len({f[3] for f in found}) == 1 and found[0][1] >= 0x1000 and not name.startswith("__gnomon")}
    answers = resolve(elf, plain)
    for (name, found), answer in zip(plain.items(), answers):
        ranges = join([[a, a + s] for _, a, s, _, _ in found])
        if not found[0][3]:
            ranges = join([[a & ~3, (a + s + 3) & ~3] for _, a, s, _, _ in found])
        same(f"{elf} {name}", (answer.get("data"), answer.get("ranges")), (not found[0][3], ranges))
    functions = {name: found for name, found in plain.items() if found[0][3]}
    for (name, found), answer in zip(functions.items(), resolve(elf, [name + "@return" for name in functions])):
        want = [a for a, text in code.items() if text in ("ret", "mret") and any(s <= a < s + n for _, s, n, _, _ in found)]
        got = [a for start, end in answer.get("ranges", []) for a in range(start, end, 2) if a in code]
        same(f"{elf} {name}@return", got, sorted(want))
    for (name, found), answer in zip(functions.items(), resolve(elf, [name + "@entry" for name in functions])):
        starts = sorted(a for n, a, _, _, _ in found if ".cold" not in n and ".part" not in n)
        got = [a for start, end in answer.get("ranges", []) for a in range(start, end, 2) if a in code]
        same(f"{elf} {name}@entry", got, starts)
    return len(plain)


def line_table(elf, code):
    """Returns {(file without folders, line): instructions}, as objdump decodes the table."""
    row = re.compile(r"^(\S+) +(\d+|-) +(0x[0-9a-f]+)")
    by_line, before = collections.defaultdict(set), None
    for text in tool("objdump", "-W", "--dwarf=decodedline", elf).splitlines():
        found = row.match(text)
        if not found:
            continue
        address = int(found[3], 16)
        if before:
            by_line[before[0], before[1]].update(a for a in range(before[2], address, 2) if a in code)
        before = (found[1], int(found[2]), address) if found[2] != "-" else None
    return {key: found for key, found in by_line.items() if found}


def lines(elf, code):
    """Tests all instructions of single lines and of pairs of lines."""
    by_line = line_table(elf, code)
    chosen = list(by_line)
    random.Random(elf).shuffle(chosen)
    chosen = [(file, line, line) for file, line in chosen[:SAMPLE]]
    chosen += [(file, line, line + 1) for file, line, _ in chosen if (file, line + 1) in by_line]
    names = [f"{file}:{first}" if first == last else f"{file}:{first}-{last}" for file, first, last in chosen]
    several = 0
    for (file, first, last), what, answer in zip(chosen, names, resolve(elf, names)):
        if "several files" in answer.get("what", ""):
            several += 1
            continue
        ranges = answer.get("ranges", [])
        got = {a for start, end in ranges for a in range(start, end, 2) if a in code} | {start for start, _ in ranges}
        same(f"{elf} {what}", sorted(got), sorted(by_line[file, first] | by_line[file, last]))
    return len(chosen) - several


def parts(elf):
    """Tests parts of variables of a known type, and actions."""
    at = {name: address for name, address, _, _ in symbols(elf)}
    word = lambda start, size: [[start & ~3, (start + size + 3) & ~3]]
    want = {
        "points[2]": word(at["points"] + 48, 24),
        "points[3].y": word(at["points"] + 76, 4),
        "points[0].values": word(at["points"] + 8, 12),
        "points[1].values[5]": word(at["points"] + 42, 2),
        "table[4]": word(at["table"] + 16, 4),
        "matrix": word(at["matrix"], 24),
        "single:read": word(at["single"], 4),
        "tagged.c:calls": word(at["calls.0"], 4),
        "calls.0": word(at["calls.0"], 4),
        f"{at['single']:#x}": word(at["single"], 4),
        f"{at['single'] - 4:#x}-{at['single'] + 5:#x}": word(at["single"] - 4, 9),
        f"{at['twice']:#x}-{at['twice'] + 6:#x}": [[at["twice"], at["twice"] + 6]],
        f"{at['twice']:#x}:read,each": word(at["twice"], 1),
        "other.c:letters": None,
        "tagged.c:letters": word(at["letters"], 6),
        "hint=31:start=2": [],
    }
    for (what, ranges), answer in zip(want.items(), resolve(elf, want)):
        same(what, answer.get("ranges"), ranges)
    paths = ["tagged.c", "tags/tagged.c", "tests/host//./tags/tagged.c", "./tests/host/tags/tagged.c", os.path.abspath("tests/host/tags/tagged.c")]
    found = [answer.get("ranges") for answer in resolve(elf, [path + ":25" for path in paths])]
    same("ways to say a path", found[0] and found, [found[0]] * len(paths))
    cold = elf + ".cold"
    subprocess.run([BINUTILS + "objcopy", "--add-symbol", "several_returns.cold=.text:0x4,function,local", elf, cold], check=True)
    answer = resolve(cold, ["several_returns@entry"])[0]
    same("what was moved away is no entry", [start for start, _ in answer.get("ranges", [])], [at["several_returns"]])
    expect("but is part of it", "does not say how long the function several_returns.cold is" in resolve(cold, ["several_returns"])[0].get("what", ""))
    modes = {"twice": 0x1, "twice:count": 0x1, "twice:each,interrupt,tagged": 0x39, "single": 0x6, "single:write": 0x4, "single:read,write": 0x6,
             "twice:start=0": 0x1001, "twice:stop=3": 0xE001, "twice:toggle=1,each": 0x7011, "twice:trace-start": 0x101,
             "twice:trace-stop": 0x201, "twice:trace-toggle,stop=2": 0xA301, "0x10000000:execute": 0x1}
    for (what, mode), answer in zip(modes.items(), resolve(elf, modes)):
        same(what, answer.get("mode"), mode)


def refused(elf):
    with open("tests/host/tags/other.c", encoding="utf-8") as file:
        dropped = next(number for number, line in enumerate(file, 1) if "the linker drops this function" in line)
    want = {
        "twcie": ("not-found", "has no function or variable twcie", "it has the function twice"),
        "sngle:write": ("not-found", "has no variable sngle", "it has the variable single"),
        "quite_another_name": ("not-found", "has no function or variable", "take a name from its symbol table"),
        "shared_name": ("argument", "has several static functions shared_name", "tagged.c:shared_name, other.c:shared_name"),
        "other.c:twice": ("not-found", "has no static function or variable twice of a file other.c", ""),
        "tail@return": ("not-found", "has no return instruction, it ends in other functions", "by its address"),
        "never@return": ("not-found", "has no return instruction", ""),
        "twice@exit": ("argument", "write @entry or @return", ""),
        "single@entry": ("not-found", "has no function single", "it has the variable single"),
        "tagged.c:1": ("not-found", "the line has no code", "the next line with code is tagged.c:"),
        "tagged.c:1-3": ("not-found", "the lines have no code", "the next line with code is tagged.c:"),
        "tagged.c:9999": ("not-found", "the line has no code", "no later line of the file has code"),
        f"other.c:{dropped}": ("not-found", "the line has no code", f"the next line with code is other.c:{dropped + 3}"),
        "dropped": ("not-found", "has no function or variable dropped", ""),
        "nix.c:3": ("not-found", "has no code of a file nix.c", "the end of the path"),
        "tagged.c:0": ("argument", "no line", ""),
        "tagged.c:5-4": ("argument", "no line", ""),
        "tagged.c:5-x": ("argument", "no line", ""),
        "tagged.c:20:read": ("argument", "lines have instructions", ""),
        "0x10000001": ("argument", "even addresses", ""),
        "0x10000004-0x10000004": ("argument", "nothing lies in this range", ""),
        "0x10000004-": ("argument", "no range of addresses", ""),
        "0x100000000": ("argument", "no address of 32 bits", ""),
        "0x20000000:execute": ("not-found", "there is no code", ""),
        "points[4]": ("not-found", "there is no element [4]", ""),
        "points[-1]": ("not-found", "there is no element [-1]", ""),
        "points[0": ("not-found", "there is no element [0", ""),
        "points[0]x": ("not-found", "there is no element [0]x", ""),
        "points[0].z": ("not-found", "there is no field .z", ""),
        "points[0].flag": ("not-found", "there is no field .flag", ""),
        "matrix[0]": ("not-found", "there is no element [0]", ""),
        "single.x": ("not-found", "there is no field .x", ""),
        "": ("argument", "nothing is named", ""),
        "hint=0": ("argument", "from 1 to 31", ""),
        "hint=32": ("argument", "from 1 to 31", ""),
        "hint=1x": ("argument", "from 1 to 31", ""),
        "hint=3:each": ("argument", "for what has addresses", ""),
        "twice:frobnicate": ("not-found", "static function or variable frobnicate of a file twice", "actions follow after the last colon"),
        "twice:count,frobnicate": ("argument", "\"frobnicate\" is not an action of a tag", "actions are count, each,"),
        "twice:count,": ("argument", "\"\" is not an action of a tag", ""),
        "twice:count,start=4": ("argument", "\"start=4\" is not an action of a tag", "timers have numbers from 0 to 3"),
        "twice:start=0,stop=0": ("argument", "one thing to one timer", "in another -t"),
        "twice:start=0,start=1": ("argument", "one thing to one timer", "in another -t"),
        "twice:trace-start,trace-stop": ("argument", "one to the trace", "in another -t"),
        "twice:execute,read": ("argument", "\"execute\" is for instructions", "two -t"),
    }
    for (what, (status, text, remedy)), answer in zip(want.items(), resolve(elf, want)):
        good = answer.get("status") == status and text in answer.get("what", "") and remedy in answer.get("remedy", "")
        expect(f"refused: {what}", good and bool(answer["remedy"]), answer)
    bare = elf + ".bare"
    subprocess.run([BINUTILS + "objcopy", "-g", elf, bare], check=True)
    for what, text in (("tagged.c:20", "compile it with -g"), ("points[0]", "compile it with -g")):
        answer = resolve(bare, [what])[0]
        expect(f"without -g: {what}", text in answer.get("remedy", ""), answer)


def main():
    counted = []
    for elf in (TAGGED, *PROGRAMS):
        code = instructions(elf)
        counted.append(f"{os.path.basename(elf)}: {names(elf, code)} names, {lines(elf, code)} lines")
    parts(TAGGED)
    refused(TAGGED)
    print("; ".join(counted))
    return result()


if __name__ == "__main__":
    sys.exit(main())
