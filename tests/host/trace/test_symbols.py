#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests names and lines from ELF files; refuses programs other than the recorded one.

usage: test_symbols.py GNOMON FOLDER   (FOLDER holds the programs that mk/test/trace.mk builds)
"""
import json
import os
import shutil
import subprocess
import sys

from commands import run
from gnt_encoder import encode, gnt_bytes

GNOMON, FOLDER = sys.argv[1:3]
PATH = f"{FOLDER}/symbols.gnt"


def gnomon(*arguments):
    return run([GNOMON, *arguments], timeout=60)


def write(trace, **elf):
    events = [(0, "begin", 0x10000000)]
    for number in range(7):
        events += [(events[-1][0] + 5, "enter", number), (events[-1][0] + 9, "exit", number)]
    events.append((999, "end", 0, 1, 14, 0, 0))
    with open(trace, "wb") as file:
        file.write(gnt_bytes({"device": {}, "elf": elf}, encode(events)[0]))


def functions(*arguments):
    run = gnomon("report", "--json", *arguments, PATH)
    assert run.returncode == 0, run.stderr
    table = {f["number"]: f for f in json.loads(run.stdout)["functions"]}
    return [(table[n]["name"], os.path.basename(table[n]["file"] or ""), table[n]["line"]) for n in range(7)]


def refuse(elf, *texts):
    for command in ("report", "dump"):
        run = gnomon(command, "--elf", elf, PATH)
        assert run.returncode == 1, f"{elf}: exit status {run.returncode}: {run.stderr}"
        lines = run.stderr.splitlines()
        assert len(lines) == 2 and lines[0].startswith(f"gnomon: {command}: "), run.stderr
        for text in texts:
            assert text in run.stderr, f"{elf}: \"{text}\" is not in: {run.stderr}"


def line_of(path, text):
    with open(path, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


def main():
    program, source = f"{FOLDER}/program.elf", os.path.join(os.path.dirname(__file__), "other.c")
    ident = json.loads(subprocess.run(
        ["sh", "-c", f"riscv64-unknown-elf-readelf -n {program} | sed -n 's/.*Build ID: \\(.*\\)/\"\\1\"/p'"],
        capture_output=True, text=True, check=True).stdout)
    write(PATH, path=program, build_id=ident, entry=0x10000000)
    got = functions()
    helper, twice = line_of(source, "static int helper"), line_of(source, "int twice")
    assert [g[:2] for g in got[:2]] == [("alpha", "program.S"), ("beta", "program.S")], got
    assert got[2] == ("helper", "other.c", helper) and got[3][:2] == ("helper", "program.S"), got
    assert got[4] == ("[function 4]", "", 0) and got[5] == ("twice", "other.c", twice) and got[6][0] == "[function 6]", got
    # Without debug information, and without symbols.
    plain = functions("--elf", f"{FOLDER}/program-plain.elf")
    assert [p[0] for p in plain] == [g[0] for g in got] and plain[2] == ("helper", "other.c", 0), plain
    bare = functions("--elf", f"{FOLDER}/program-bare.elf")
    assert bare[0][0].startswith("[0x1000"), bare
    # Programs other than the recorded one.
    refuse(f"{FOLDER}/another.elf", f"was recorded from another build of {FOLDER}/another.elf (build id {ident} in the file, ",
           "record again, or give the ELF of that build with --elf")
    refuse(f"{FOLDER}/no-map.elf", "was not built with gnomon cc", 'CC="gnomon cc"')
    refuse(f"{FOLDER}/riscv64.o", "not of 32 bits")
    refuse("/bin/true", "another architecture", "--elf")
    refuse(source, "is not an ELF file")
    refuse(f"{FOLDER}/nothing.elf", "cannot open", "--elf")
    with open(program, "rb") as whole, open(f"{FOLDER}/cut.elf", "wb") as cut:
        cut.write(whole.read(900))
    refuse(f"{FOLDER}/cut.elf", "cut.elf")
    # Without a build id the entry is compared; without a path, --elf is needed.
    write(PATH, path=program, entry=0x10000004)
    refuse(program, "another build", "entry 0x10000004 in the file, 0x10000000 given")
    write(PATH)
    run = gnomon("report", PATH)
    assert run.returncode == 1 and "does not say which program" in run.stderr and "--elf" in run.stderr
    # Trace and program were moved to another folder together.
    os.makedirs(f"{FOLDER}/copied", exist_ok=True)
    shutil.copy(program, f"{FOLDER}/copied/moved.elf")
    write(f"{FOLDER}/copied/moved.gnt", path="/no/longer/there/moved.elf")
    assert gnomon("report", f"{FOLDER}/copied/moved.gnt").returncode == 0
    print("names, files and lines by number; programs that do not fit are refused")


if __name__ == "__main__":
    main()
