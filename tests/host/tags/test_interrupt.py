#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that what asks for the profile interrupt is refused, before the run, for a program that does not handle it.

usage: test_interrupt.py --gnomon COMMAND --simulators FOLDER --foreign ELF --out FOLDER
gnomon: with sanitizers; PATH finds the other one; foreign: a program without our runtime"""
import os
import subprocess
import sys

from checking import check, result
from commands import must
from options import values

GNOMON, SIM_DIR, FOREIGN, FOLDER = map(os.path.abspath, values(__doc__, "gnomon", "simulators", "foreign", "out"))
BINUTILS = "riscv64-unknown-elf-"
HANDLER = "void gnomon_profile_interrupt(void)"
MAIN = "#include <gnomon.h>\n#include <gnomon_tag.h>\n__attribute__((noinline)) int work(int x) { return x * 3; }\n" \
       "int main(int argc, char **argv) { (void)argv; return work(argc); }\n"
INTERRUPT, THRESHOLD = ["-t", "work:interrupt"], ["-t", "work:toggle=0", "--threshold", "0=5,9:interrupt"]


def write(name, text):
    path = f"{FOLDER}/{name}"
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    return path


def link(name, source, *options):
    path = f"{FOLDER}/{name}"
    must(["gnomon", "cc", "-O2", "-o", path, write(f"{name}.c", source), *options])
    return path


def run(elf, *options, command="tag"):
    return subprocess.run([GNOMON, command, "-d", "sim:full", "--sim-option", "--fault", "--sim-option", "tags", *options, elf], text=True,
                          capture_output=True, env=dict(os.environ, GNOMON_SIM_DIR=SIM_DIR, GNOMON_TIMEOUT_SCALE="1"), cwd=FOLDER, check=False)


def refused(name, elf, *options, command="tag", what="work"):
    done = run(elf, *options, command=command)
    wanted = [f"{what}: {elf} does not handle the interrupt that this asks for", f"define GNOMON_INTERRUPT {HANDLER}", "docs/guide/firmware.md"]
    check(name, [text for text in wanted if text not in done.stderr] + ([] if done.returncode == 2 and done.stderr.count("\n") == 2 else [done.stderr]))


def allowed(name, elf, *options, warning=""):
    done = run(elf, *options)
    good = done.returncode == 0 and (warning in done.stderr if warning else "profile interrupt" not in done.stderr)
    check(name, [] if good else [f"status {done.returncode}: {done.stderr}"])


def main():
    os.makedirs(FOLDER, exist_ok=True)
    without = link("without", MAIN)
    refused("an action", without, *INTERRUPT)
    refused("a threshold", without, *THRESHOLD, what="a threshold")
    refused("an action of record", without, "--tag", "work:trace-start,interrupt", command="record")
    refused("a tag of the source", link("source", MAIN.replace("__attr", "GNOMON_TAGGED(\"interrupt\") __attr")))
    refused("without a handler, -flto", link("without-lto", MAIN, "-flto"), *INTERRUPT)
    allowed("what asks for no interrupt", without, "-t", "work:toggle=0", "--threshold", "0=5")
    handler = f"GNOMON_INTERRUPT {HANDLER} {{}}\n"
    handles = link("handles", MAIN + handler)
    allowed("a handler", handles, *INTERRUPT)
    allowed("a handler, and a threshold", handles, *THRESHOLD)
    allowed("a weak handler", link("weak", MAIN + "__attribute__((weak)) " + handler), *INTERRUPT)
    allowed("a handler, -flto", link("handles-lto", MAIN + handler, "-flto"), *INTERRUPT)
    allowed("a handler in assembly", link("assembly", MAIN + "__asm__(\".globl gnomon_profile_interrupt\\ngnomon_profile_interrupt: mret\");\n"), *INTERRUPT)
    # The linker takes a member of a library only if a symbol is undefined, and the runtime has a weak handler.
    must(["gnomon", "cc", "-O2", "-c", "-o", f"{FOLDER}/member.o", write("member.c", f"#include <gnomon.h>\n{handler}int needed = 1;\n")])
    library = f"{FOLDER}/libhandler.a"
    must([BINUTILS + "ar", "rcs", library, f"{FOLDER}/member.o"])
    refused("a handler in a library from which nothing is taken", link("library-unused", MAIN, library), *INTERRUPT)
    allowed("a handler in a library", link("library-used", MAIN.replace("return work", "extern int needed; return needed + work") , library), *INTERRUPT)
    unknown = "do not say whether it handles the profile interrupt"
    must([BINUTILS + "strip", "-o", f"{FOLDER}/stripped", without])
    allowed("a stripped program", f"{FOLDER}/stripped", "-t", "0x10000100:execute,interrupt", warning=unknown)
    allowed("a program without the runtime", FOREIGN, "-t", "twice:interrupt", warning=unknown)
    return result()


if __name__ == "__main__":
    sys.exit(main())
