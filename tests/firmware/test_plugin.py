#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the plugin over a matrix of compiler flags, and checks every hook of every image in the disassembly.

usage: test_plugin.py WORK_DIRECTORY"""
import os
import re
import sys

import image
from checking import check, result
from commands import run

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = [os.path.join(HERE, "plugin", name) for name in ("features.c", "other.c")]
CC = ["gnomon", "cc"]

LEVELS = [["-O0"], ["-O1"], ["-O2", "-g"], ["-O3"], ["-Os"], ["-Og", "-g"]]
EXTRAS = [[], ["-flto"], ["-ffunction-sections", "-fno-jump-tables"], ["-fno-optimize-sibling-calls"]]

HOOKED = set("""same_name leaf several_returns tail_direct tail_pointer tail_or_return tail_many recursion never_returns
    with_setjmp with_alloca big_frame switchy variadic starts_with_loop nested cold_path has_cold_part on_interrupt
    on_interrupt_calling constructed main other_file""".split())
NEVER = {"naked_function", "left_out", "not_instrumented"}
UNUSED = {"never_called", "never_called_either"}
# A hook across two words costs a cycle; GCC keeps cold functions small, so their hooks are not aligned.
ALIGNED = HOOKED - {"cold_path"}


def build(work, name, flags, sources, compiler=CC):
    """Returns the image, or None and the tools' output."""
    path = os.path.join(work, name + ".elf")
    done = run(compiler + flags + ["-o", path] + sources)
    return (image.Image(path) if done.returncode == 0 else None), done.stderr


def hooked_names(firmware):
    return {f.name.split(".")[0] for f in firmware.functions if f.start in firmware.number_of}


def matrix(work):
    for level in LEVELS:
        for extra in EXTRAS:
            name = "".join(level + extra)
            firmware, messages = build(work, "m" + name, level + extra, SOURCES)
            if not firmware:
                check(name, [messages])
                continue
            errors = image.check(firmware, () if "-fno-jump-tables" in extra else ("switchy",))
            names = hooked_names(firmware)
            if HOOKED - names:
                errors.append(f"without hooks: {HOOKED - names}")
            if names & NEVER:
                errors.append(f"with hooks: {names & NEVER}")
            if "-ffunction-sections" in extra and names & UNUSED:
                errors.append(f"still numbered although dropped: {names & UNUSED}")
            same = [f for f in firmware.functions if f.name.split(".")[0] == "same_name" and f.start in firmware.number_of]
            if len(same) != 2:
                errors.append(f"{len(same)} functions named same_name are numbered, not 2")
            across = [f.name for f in firmware.functions if f.start % 4 and f.start in firmware.number_of and f.name.split(".")[0] in ALIGNED]
            if across and level != ["-Os"]:
                errors.append(f"begin with a hook across two words: {across}")
            check(f"{name} ({firmware.total} functions)", errors)


def comdat(work):
    sources = [os.path.join(HERE, "plugin", name) for name in ("first.cc", "second.cc")]
    for level in (["-O0"], ["-O2"], ["-O2", "-flto"], ["-O1", "-Wl,--no-gc-sections"]):
        name = "comdat" + "".join(level)
        firmware, messages = build(work, name, level, sources, ["gnomon", "c++"])
        if not firmware:
            check(name, [messages])
            continue
        errors = image.check(firmware)
        shared = [f for f in firmware.functions if "shared" in f.name and f.start in firmware.number_of]
        if len(shared) != 1:
            errors.append(f"Box<int>::shared is numbered {len(shared)} times")
        check(name, errors)


def filters(work):
    cases = {
        "exclude": (["--gnomon-exclude=tail_*", "--gnomon-exclude=main"],
                    HOOKED - {"tail_direct", "tail_pointer", "tail_or_return", "tail_many", "main"}),
        "include": (["--gnomon-include=leaf", "--gnomon-include=switch?"], {"leaf", "switchy"}),
        "include and exclude": (["--gnomon-include=tail_*", "--gnomon-exclude=tail_many"],
                                {"tail_direct", "tail_pointer", "tail_or_return"}),
        "include-file": (["--gnomon-include-file=other.c"], {"same_name", "other_file"}),
        "exclude-file": (["--gnomon-exclude-file=*/plugin/oth*"], HOOKED - {"other_file"}),
        "min-insns": (["--gnomon-min-insns=100000"], set()),
        "off": (["--gnomon-off"], set()),
    }
    for name, (flags, expected) in cases.items():
        firmware, messages = build(work, "filter", ["-O2", "-ffunction-sections"] + flags, SOURCES)
        if not firmware:
            check(name, [messages])
            continue
        got = {n for n in hooked_names(firmware) if not n.startswith("inner")}
        wrong = (got - {"inner"}) ^ expected
        check("filter " + name, [f"differs in {wrong}"] if wrong else [])
    done = run(CC + ["--gnomon-nonsense", "-c", SOURCES[1], "-o", os.devnull])
    check("unknown option is refused", [] if done.returncode == 2 else [f"status {done.returncode}: {done.stderr}"])


def many(work):
    """More functions than one store reaches: hooks of the far ones have two instructions; those of interrupt
    functions always have one."""
    count = 2500
    path = os.path.join(work, "many.c")
    with open(path, "w") as file:
        file.write("__attribute__((interrupt)) void isr(void) {}\n")
        for i in range(count):
            file.write(f"__attribute__((noinline)) int f{i}(int x) {{ return x + {i}; }}\n")
        calls = "\n    + ".join(f"f{i}(x)" for i in range(count))
        file.write(f"int main(int x, char **v) {{ (void)v; __asm__ volatile(\"\" :: \"r\"(isr)); return {calls}; }}\n")
    firmware, messages = build(work, "many", ["-O1", "-fno-inline", "-fno-ipa-pure-const"], [path])
    if not firmware:
        return check("2500 functions", [messages])
    code = {i.address: i for i in firmware.disassemble()}
    errors, far = [], 0
    for function in firmware.functions:
        number = firmware.number_of.get(function.start)
        if number is None:
            continue
        first = code[function.start]
        if number < 2048:
            if image.hook(first) != ("ra", number):
                errors.append(f"{function.name}, number {number}: {first}")
            continue
        far += 1
        second = code.get(function.start + (2 if function.start + 2 in code else 4))
        low = -(number + 1) & 0xFFF
        low -= 0x1000 if low >= 0x800 else 0
        if first.mnemonic != "lui" or second.operands != f"ra,{low}(t0)":
            errors.append(f"{function.name}, number {number}: {first} {second}")
    if far != firmware.total - 2048 or "isr" not in hooked_names(firmware):
        errors.append(f"{far} far of {firmware.total}")
    return check(f"{firmware.total} functions, {far} of them far", errors)


def nothing_hooked(work):
    """LTO code that was compiled with the plugin but linked without it has no hooks: the link must report this."""
    objects = []
    for source in SOURCES:
        objects.append(os.path.join(work, os.path.basename(source) + ".lto.o"))
        run(CC + ["-O2", "-flto", "-c", source, "-o", objects[-1]], check=True)
    bare = os.path.join(work, "gcc-without-plugin")
    with open(bare, "w") as file:
        file.write("""#!/bin/bash
words=()
for word; do case $word in -fplugin*) ;; *) words+=("$word") ;; esac; done
exec riscv64-unknown-elf-gcc "${words[@]}"
""")
    os.chmod(bare, 0o755)
    done = run(CC + ["-O2", "-flto", "-o", os.path.join(work, "none.elf")] + objects,
               env=dict(os.environ, GNOMON_CC_COMPILER=bare))
    said = done.returncode != 0 and "no profiled function in this image" in done.stderr
    check("-flto linked without the plugin is refused", [] if said else [f"the linker said: {done.stderr!r}"])
    # An object without hooks, as any other compiler makes it.
    foreign = os.path.join(work, "foreign.o")
    run(CC + ["--gnomon-off", "-c", "-x", "c", "-", "-o", foreign], input="int main(void) { return 0; }", check=True)
    _, messages = build(work, "foreign", [], [foreign])
    said = "no profiled function in this image" in messages
    check("an image without hooks is refused", [] if said else [f"the linker said: {messages!r}"])
    firmware, messages = build(work, "foreign", ["--gnomon-allow-none"], [foreign])
    check("unless that is wanted", [] if firmware else [messages])


def save_restore(work):
    """gnomon cc undoes the flag on the command line; the plugin undoes it in a response file."""
    hidden = os.path.join(work, "save-restore.args")
    with open(hidden, "w") as file:
        file.write("-msave-restore\n")
    for option in ("-msave-restore", "@" + hidden):
        firmware, messages = build(work, "sr", ["-Os", option], SOURCES)
        errors = image.check(firmware, ("switchy",)) if firmware else [messages]
        if not re.search("-msave-restore.? is switched off", messages):
            errors.append("no note")
        check(f"-msave-restore, {'hidden' if option[0] == '@' else 'named'}", errors)


def main():
    work = sys.argv[1]
    os.makedirs(work, exist_ok=True)
    matrix(work)
    comdat(work)
    filters(work)
    many(work)
    nothing_hooked(work)
    save_restore(work)
    return result()


if __name__ == "__main__":
    sys.exit(main())
