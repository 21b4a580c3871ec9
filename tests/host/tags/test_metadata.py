#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests tags that a source requests: the code is identical, byte for byte, to the code without them; the linked
program's section equals the source's requests; gnomon tag accepts it, and refuses the section of another build.

usage: test_metadata.py --gnomon COMMAND --simulators FOLDER --resolve COMMAND --source C_FILE --out FOLDER
gnomon: with sanitizers; PATH finds the other one"""
import json
import os
import re
import struct
import subprocess
import sys

from checking import check, result
from commands import must, run
from options import values

GNOMON, SIM_DIR, RESOLVE, SOURCE, FOLDER = map(os.path.abspath, values(__doc__, "gnomon", "simulators", "resolve", "source", "out"))
BINUTILS = "riscv64-unknown-elf-"
LEVELS = ("-O0", "-Os", "-O2", "-flto -O0", "-flto -O2", "-flto -O2 -flto-partition=1to1")
THRESHOLDS = [(0, 10, 0), (0, 50, 1), (1, 2147483647, 0)]
EXECUTE, READ, WRITE, TAGGED, OWN, INTERRUPT, START0, STOP0, TOGGLE1 = 1, 2, 4, 8, 16, 32, 0x1000, 0x2000, 0x7000
MODULE = os.path.join(os.path.dirname(__file__), "..", "..", "e2e", "programs", "source_tags_module.c")
HEADER_INCLUDE = os.path.join(os.path.dirname(__file__), "..", "..", "..", "firmware", "runtime", "include")


def build(name, *options, source=SOURCE):
    path = f"{FOLDER}/{name}"
    must(["gnomon", "cc", "-g", "-o", path, source, *options])
    return path


def loaded(elf):
    """Returns the loaded bytes, except for the build id, and the layout of the segments."""
    image = f"{elf}.bin"
    must([BINUTILS + "objcopy", "-O", "binary", "-R", ".note.gnu.build-id", elf, image])
    with open(image, "rb") as file:
        return file.read(), must([BINUTILS + "readelf", "-lW", elf])


def section(elf, name=".gnomon.tags"):
    path = f"{elf}.section"
    must([BINUTILS + "objcopy", "--dump-section", f"{name}={path}", elf, f"{elf}.copy"])
    with open(path, "rb") as file:
        return file.read()


def decode(data):
    """Returns {name: [mode, data, [(start, end)...]]} and the thresholds, decoded as in docs/guide/tag.md."""
    magic, version, size = struct.unpack_from("<III", data)
    at = 12 + (size + 3) // 4 * 4
    targets, ranges, thresholds = struct.unpack_from("<III", data, at)
    entries = [struct.unpack_from("<IIIHH", data, at + 12 + 16 * n) for n in range(ranges)]
    at += 12 + 16 * ranges
    found_thresholds = [struct.unpack_from("<IHH", data, at + 8 * n) for n in range(thresholds)]
    names = data[at + 8 * thresholds:].split(b"\0")
    assert magic == 0x47544E47 and version == 2 and names[targets:] == [b""], (magic, version, names)
    found = {}
    for start, length, mode, kind, target in entries:
        of = found.setdefault(names[target].decode(), [mode, kind == 1, []])
        assert of[:2] == [mode, kind == 1]
        of[2].append([start, start + length])
    return found, sorted((timer, cycles, interrupt) for cycles, timer, interrupt in found_thresholds)


def wanted():
    """Returns {name or lines: mode}."""
    with open(SOURCE, encoding="utf-8") as file:
        lines = list(file)
    place = lambda mark: next(n for n, line in enumerate(lines, 1) if f"/* {mark} */" in line)
    modes = {"loop": EXECUTE | OWN | TAGGED, "statement": EXECUTE | TOGGLE1, "while": EXECUTE, "macro": EXECUTE | STOP0, "do": EXECUTE,
             "return": EXECUTE | INTERRUPT}
    want = {"table": READ | WRITE | OWN, "asked.c:hidden": EXECUTE, "asked.c:same_again": EXECUTE, "asked.c:secret": READ, "declared_first": EXECUTE | START0}
    for mark, mode in modes.items():
        first, last = place("MARK " + mark) + (mark != "while"), place("END " + mark)
        if mark == "loop":
            last -= 1  # a brace has no code
        want[f"asked.c:{first}-{last}" if last > first else f"asked.c:{first}"] = mode
    return want


def contents(level, elf):
    (found, thresholds), want = decode(section(elf)), wanted()
    check(f"{level}: thresholds", [] if thresholds == THRESHOLDS else [thresholds])
    calls = [name for name in found if name.startswith("asked.c:calls.")]
    want.update({name: WRITE for name in calls})
    if "-O0" not in level:
        del want["asked.c:secret"]  # the compiler folds this constant
    check(f"{level}: what is asked for", [] if {name: of[0] for name, of in found.items()} == want and len(calls) == 1 else [found, want])
    answers = subprocess.run([RESOLVE, elf], input="".join(name + "\n" for name in found), capture_output=True, text=True, check=True)
    for (name, of), line in zip(found.items(), answers.stdout.splitlines()):
        answer = json.loads(line)
        check(f"{level}: {name}", [] if answer.get("ranges") == of[2] and answer["data"] == of[1] else [answer, of])
    left = must([BINUTILS + "readelf", "-SW", elf])
    check(f"{level}: one section", [] if len(re.findall(r" \.gnomon\.tags", left)) == 1 and ".tags.source" not in left else [left])


def tag(elf, *options):
    return subprocess.run([GNOMON, "tag", "-d", "sim:full", "--sim-option", "--fault", "--sim-option", "tags", *options, elf], text=True,
                          capture_output=True, env=dict(os.environ, GNOMON_SIM_DIR=SIM_DIR, GNOMON_TIMEOUT_SCALE="1"), check=False)


def applied(elf, other):
    mine = json.loads(tag(elf, "--json").stdout)
    found, _ = decode(section(elf))
    over = [(t["timer"], o["cycles"], int(o["interrupt"])) for t in mine["timers"] for o in t["over"]]
    check("gnomon tag takes the thresholds", [] if over == THRESHOLDS else [over])
    check("gnomon tag takes them", [] if {t["what"]: t["ranges"] for t in mine["targets"]} == {n: of[2] for n, of in found.items()} else [mine])
    mine = json.loads(tag(elf, "--json", "--no-metadata", "-t", "main").stdout)
    check("--no-metadata", [] if [t["what"] for t in mine["targets"]] == ["main"] else [mine])
    mine = json.loads(tag(elf, "--json", "-t", "main").stdout)
    check("and others", [] if [t["what"] for t in mine["targets"]] == [*found, "main"] else [mine])
    foreign = f"{FOLDER}/foreign"
    section(other)
    must([BINUTILS + "objcopy", "--update-section", f".gnomon.tags={other}.section", elf, foreign])
    done = tag(foreign)
    check("those of another build", [] if done.returncode == 1 and "its tags belong to another build" in done.stderr and done.stderr.count("\n") == 2
          else [done.stderr])
    check("those of another build, ignored", [] if tag(foreign, "--no-metadata", "-t", "main").returncode == 0 else ["refused"])
    data = bytearray(section(elf))
    for what, at, value in (("beginning", 0, 0), ("version", 4, 9), ("length", 8, 99)):
        damaged = data.copy()
        damaged[at] = value
        with open(f"{FOLDER}/damaged.section", "wb") as file:
            file.write(damaged)
        must([BINUTILS + "objcopy", "--update-section", f".gnomon.tags={FOLDER}/damaged.section", elf, f"{FOLDER}/damaged"])
        done = tag(f"{FOLDER}/damaged")
        check(f"damaged {what}", [] if done.returncode == 1 and " its tags " in done.stderr else [done.stderr])


def said(name, source, options, text, status=0):
    path = f"{FOLDER}/said.c"
    with open(path, "w", encoding="utf-8") as file:
        file.write("#include <gnomon_tag.h>\n" + source)
    output = f"{FOLDER}/said"
    if os.path.exists(output):
        os.remove(output)
    done = run(["gnomon", "cc", "-o", output, path, *options])
    good = text in done.stderr and (done.returncode != 0) == bool(status) and os.path.exists(output) == (status == 0)
    check(name, [] if good else [f"status {done.returncode}: {done.stderr}"])


def warnings():
    said("no -g", "int main(void) { GNOMON_TAG(\"count\") return 0; }\n", [], "the tag of a statement needs")
    said("no statement", "int main(void) { return 0; GNOMON_TAG(\"count\") }\n", ["-g"], "no statement after this tag")
    said("inlined", "GNOMON_TAGGED(\"count\") static inline int one(void) { return 1; }\nint main(void) { return one(); }\n", ["-O2"],
         "the tag of said.c:one is left out")
    said("no action", "GNOMON_TAGGED(\"conut\") int main(void) { return 0; }\n", [], "the tag of main: \"conut\" is not an action of a tag", 1)
    said("data has no execute", "GNOMON_TAGGED(\"execute\") int x = 3;\nint main(void) { return x; }\n", [], "the tag of x is left out")
    said("no string", "GNOMON_TAGGED(3) int x;\nint main(void) { return 0; }\n", [], "is no string", 1)
    said("a local variable", "int main(void) { GNOMON_TAGGED(\"count\") int x = 0; return x; }\n", [], "an address of their own", 1)
    said("a pragma that is none", "int main(void) {\n#pragma gnomon tag count\nreturn 0; }\n", [], "a tag is written", 1)
    said("each in a module", "GNOMON_TAGGED(\"each\") int f(int x) { return x; }\n", ["--gnomon-module"], "\"each\" is not possible in a module", 1)
    said("a threshold that is none", "GNOMON_THRESHOLD(\"0=5x\")\nint main(void) { return 0; }\n", [], "threshold 0=5x: cycles are a number", 1)
    said("a pragma of a threshold that is none", "#pragma gnomon threshold 3\nint main(void) { return 0; }\n", [], "a threshold is written", 1)
    said("a static name with -flto and without -g", "GNOMON_TAGGED(\"count\") static __attribute__((noinline)) int f(int x) { return x; }\n"
         "int main(int argc, char **argv) { return f(argc) + !argv; }\n", ["-O1", "-flto"], "f is left out")
    many = "".join(f"GNOMON_TAGGED(\"count\") int v{n} = {n + 1};\n" for n in range(32))
    said("thirty-two", many + "int main(void) { return " + "+".join(f"v{n}" for n in range(32)) + "; }\n", [], "there are 31 tags", 1)


CXX_SOURCE = """#include <gnomon_tag.h>
struct thing {
    int value;
    GNOMON_TAGGED("count") __attribute__((noinline)) int get() {
        GNOMON_TAG("each")
        for (int i = 0; i < 10; i++)
            value += i * value;
        return value;
    }
    static GNOMON_TAGGED("read") int shared;
};
int thing::shared = 4;
template <class T> __attribute__((noinline)) T sum(T a) {
    GNOMON_TAG("stop=0")
    return a + thing::shared;
}
namespace { GNOMON_TAGGED("start=0") __attribute__((noinline)) int hidden(int a) { return a + thing::shared; } }
int main(int argc, char **) { thing one = {argc}; return one.get() + hidden(sum(3)) + (int)sum(4L); }
"""


def in_cxx():
    """Tests members, templates and namespaces."""
    path = f"{FOLDER}/asked.cc"
    with open(path, "w", encoding="utf-8") as file:
        file.write(CXX_SOURCE)
    must(["gnomon", "c++", "-g", "-O2", "-o", f"{FOLDER}/asked-cxx", path])
    found = {name: of[0] for name, of in decode(section(f"{FOLDER}/asked-cxx"))[0].items()}
    want = {"_ZN5thing3getEv": EXECUTE, "_ZN5thing6sharedE": READ, "asked.cc:_ZN12_GLOBAL__N_16hiddenEi": EXECUTE | START0,
            "asked.cc:6-7": EXECUTE | OWN, "asked.cc:15": EXECUTE | STOP0}
    check("in C++", [] if found == want else [found])


def of_a_library():
    """A declaration is enough to tag a function or variable that is defined elsewhere."""
    path = f"{FOLDER}/library.c"
    with open(path, "w", encoding="utf-8") as file:
        file.write("#include <gnomon_tag.h>\nGNOMON_TAGGED(\"count\") int puts(const char *);\nGNOMON_TAGGED(\"count\") int unused(void);\n"
                   "int main(void) { return puts(\"x\"); }\n")
    done = run(["gnomon", "cc", "-o", f"{FOLDER}/library", path])
    found, _ = decode(section(f"{FOLDER}/library"))
    check("of a library", [] if list(found) == ["puts"] and not done.stderr else [found, done.stderr])


def in_a_module():
    """A module has the same bytes without tags, and room for twice as many entries for the loader as it has ranges."""
    without = ["-DGNOMON_TAG_H", "-DGNOMON_TAGGED(x)=", "-DGNOMON_TAG(x)=", "-DGNOMON_THRESHOLD(x)="]
    for label, options in ("", []), (" with -flto", ["-flto"]):
        elf, other = (build(name + label.strip().replace(" ", "-"), "-O2", "--gnomon-module", "-DWHICH=1", *options, *more, source=MODULE)
                      for name, more in (("module", []), ("module-without", without)))
        found, thresholds = decode(section(elf))
        ranges = sum(len(of[2]) for of in found.values())
        check(f"the same bytes of a module{label}", [] if loaded(elf) == loaded(other) else ["they differ"])
        check(f"tags of a module{label}", [] if len(found) == 5 and thresholds == [(1, 300, 0), (1, 500, 1)] else [found, thresholds])
        check(f"room for the loader{label}", [] if section(elf, ".gnomon.tags.loader") == bytes(2 * 16 * ranges) else [ranges])


def of_two_files():
    """With -flto, the debug information tells static functions of one name apart."""
    for name, actions, number, more in (("one", "GNOMON_TAGGED(\"count\")", 111, "int two(int);\nint main(int c, char **v) { (void)v; return one(c) + two(c); }\n"),
                                        ("two", "", 222, "")):
        with open(f"{FOLDER}/{name}.c", "w", encoding="ascii") as file:
            file.write(f"#include <gnomon_tag.h>\n{actions} static __attribute__((noinline)) int same(int x) {{ return x ^ {number}; }}\n"
                       f"int {name}(int x) {{ return same(x) + 1; }}\n{more}")
    elf = f"{FOLDER}/two-files"
    must(["gnomon", "cc", "-g", "-O2", "-flto", "-o", elf, f"{FOLDER}/one.c", f"{FOLDER}/two.c"])
    found, _ = decode(section(elf))
    (start, end), = found["one.c:same"][2]
    code = must([BINUTILS + "objdump", "-d", f"--start-address={start}", f"--stop-address={end}", elf])
    check("static functions of two files, -flto", [] if list(found) == ["one.c:same"] and ",111" in code and ",222" not in code else [found, code])
    done = tag(elf, "--no-metadata", "-t", "same")
    check("... which need their file", [] if done.returncode == 2 and "several static functions same" in done.stderr else [done.stderr])
    mine = json.loads(tag(elf, "--json", "--no-metadata", "-t", "main").stdout)
    check("... main is global", [] if [t["what"] for t in mine["targets"]] == ["main"] else [mine])


def main():
    os.makedirs(FOLDER, exist_ok=True)
    programs = {}
    for level in LEVELS:
        name = level.replace(" ", "")
        programs[level] = build("asked" + name, *level.split())
        without = build("without" + name, *level.split(), "-DWITHOUT")
        check(f"{level}: the same bytes are loaded", [] if loaded(programs[level]) == loaded(without) else ["they differ"])
        contents(level, programs[level])
    must(["gnomon", "cc", "-g", "-O2", "-c", "-o", f"{FOLDER}/asked.o", SOURCE])
    must(["gnomon", "cc", "-o", f"{FOLDER}/two-steps", f"{FOLDER}/asked.o"])
    with open(f"{FOLDER}/two-steps", "rb") as one, open(programs["-O2"], "rb") as other:
        check("compiled and linked apart", [] if one.read() == other.read() else ["they differ"])
    check("without tags there is no section", [] if ".gnomon.tags" not in must([BINUTILS + "readelf", "-SW", f"{FOLDER}/without-O2"]) else ["there is"])
    must(["cc", "-Wall", "-Wextra", "-Werror", f"-I{HEADER_INCLUDE}", "-c", "-o", f"{FOLDER}/native.o", SOURCE])
    applied(programs["-O2"], programs["-Os"])
    in_cxx()
    of_a_library()
    of_two_files()
    in_a_module()
    warnings()
    return result()


if __name__ == "__main__":
    sys.exit(main())
