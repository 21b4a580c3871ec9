#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests names of functions with a C++ program: in reports, as operands, in the stack of a crashed program; programs
without symbols; programs for another ISA.

usage: names.py FOLDER PROGRAM   (dying.cpp, compiled with -g)
"""
import json
import pathlib
import re
import subprocess
import sys

from checking import expect, result
from commands import FAST, run
from terminal import on_terminal

SOURCE = pathlib.Path(__file__).parent / "programs" / "dying.cpp"
POKE, ACT, OUTER, RUST = "demo::poke(int volatile*, int)", "demo::Actor<char const*>::act(int)", "outer(demo::Base&, int)", "123foo::bar"
POKE_SYMBOL, RUST_SYMBOL = "_ZN4demo4pokeEPVii", "_RNvC6_123foo3bar"


def gnomon(*arguments):
    return run(["gnomon", *arguments], timeout=300)


def line_of(text):
    return next(number for number, line in enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1) if text in line)


def plain(name):
    return re.sub(r" \[clone .*?\]", "", name)


def stack_of(errors):
    """Returns the first line, and the functions and lines of the stack."""
    rows = re.findall(r"^        #(\d+) (.*?)(?:  (\S+):(\d+))?$", errors, re.M)
    assert [int(row[0]) for row in rows] == list(range(len(rows))), errors
    return errors.splitlines()[0] if errors else "", [(plain(row[1]), int(row[3] or 0)) for row in rows if row[2] in ("", "dying.cpp")]


def check_deaths(program):
    called, started = line_of("return base.act(x + 1)"), line_of("return outer(actor")
    ends = [(OUTER, called), ("main", started)]
    access = "store access fault, address 0x"
    for how, status, why, inner in (
            ("null", 139, access + "00000000", [(POKE, line_of("*place = x")), (ACT, line_of("poke(nullptr"))]),
            ("unmapped", 139, access + "80000000", [(POKE, line_of("*place = x")), (ACT, line_of("0x80000000"))]),
            ("misaligned", 138, "misaligned store, address 0x10000002", [(POKE, line_of("*place = x")), (ACT, line_of("0x10000002"))]),
            ("illegal", 132, "illegal instruction", [(ACT, line_of('("unimp");'))]),
            ("nowhere", 139, "jump to where no code is, address 0x40000000", [("0x40000000", 0), (ACT, line_of("0x40000000)()"))]),
            ("ebreak", 133, "breakpoint", [(ACT, line_of('("ebreak");'))]),
            ("abort", 134, "aborted", [(ACT, line_of("            abort()"))]),
            ("assert", 134, "aborted", [(ACT, line_of("assert(x != 4)"))])):
        done = gnomon("run", "-d", "sim:full", *FAST, program, "--", how)
        what, stack = stack_of(done.stderr)
        expect(f"{how}: why, functions and lines", (done.returncode, what, stack) == (status, f"gnomon: run: dying died: {why}", inner + ends),
               done.returncode, done.stdout, done.stderr)


def check_commands(folder, program):
    """Other commands print the stack, too, and fail; they still print their measurements."""
    trace = folder / "died.gnt"
    for name, command, shows in (("record", ["record", "-o", trace], "wrote "), ("stat", ["stat"], "cycles"), ("hot", ["hot"], "Hottest"),
                                 ("scan", ["scan"], "Scan"), ("tag", ["tag", "-t", "main"], "main")):
        done = gnomon(*command, "-d", "sim:full", *FAST, program, "--", "null")
        expect(f"{name} of a program that dies", done.returncode == 1 and "dying died: store access fault" in done.stderr and
               f"#0 {POKE}" in done.stderr and shows in done.stderr, done.returncode, done.stderr)
    for command in (["stat"], ["hot"], ["scan"], ["tag", "-t", "main"]):
        done = gnomon(*command, "-d", "sim:full", "--json", *FAST, program, "--", "null")
        expect(f"{command[0]} of it as JSON", json.loads(done.stdout)["end"]["reason"] == "crashed", done.stdout)
    calls = {f["name"]: f["calls"] for f in json.loads(gnomon("report", "--json", "-i", trace).stdout)["functions"]}
    report = gnomon("report", "--flat", "-i", trace).stdout.splitlines()[0]
    expect("its recording says so", "the program CRASHED at cycle" in report and f"(store access fault, address 0x00000000 in {POKE})" in report, report)
    expect("... and is kept", calls.get(POKE) == 1 and calls.get("main") == 1, calls)


def check_names(folder, program):
    trace = folder / "names.gnt"
    done = gnomon("record", "-q", "-d", "sim:full", *FAST, "--cpi", "all", "-o", trace, program)
    functions = json.loads(gnomon("report", "--json", "-i", trace).stdout)["functions"]
    names = {plain(f["name"]): f.get("symbol") for f in functions}
    expect("names of C++ and Rust", done.returncode == 0 and names.get(RUST) == RUST_SYMBOL and ACT in names and names["main"] is None,
           done.stderr, names)
    raw = gnomon("report", "--flat", "--no-demangle", "-i", trace).stdout
    expect("--no-demangle", RUST_SYMBOL in raw and RUST not in raw, raw)
    for command in (["report", "--function"], ["annotate", "--asm"]):
        outputs = [gnomon(*command, name, "-i", trace) for name in (RUST, RUST_SYMBOL)]
        expect(f"{command[0]} takes both", all(done.returncode == 0 and RUST in done.stdout for done in outputs),
               *(done.stdout + done.stderr for done in outputs))
    done = gnomon("annotate", "--asm", "-i", trace, "demo::Actor<char const*>::act")
    expect("a name without its parameters", done.returncode == 0 and ACT in done.stdout, done.stderr)
    for name in (POKE, POKE_SYMBOL, "demo::poke"):
        done = gnomon("tag", "-d", "sim:full", *FAST, "-t", name, program)
        expect(f"tag takes {name}", done.returncode == 0 and name in done.stderr, done.stderr)
    for command in ("hot", "scan"):
        done = gnomon(command, "-d", "sim:full", *FAST, *(["--period", "64"] if command == "hot" else ["--whole"]), program)
        expect(f"{command} shows them", "_ZN" not in done.stderr and ("demo::" in done.stderr or command == "hot"), done.stderr)


def check_stripped(folder, program):
    stripped, trace = folder / "stripped", folder / "stripped.gnt"
    subprocess.run(["riscv64-unknown-elf-strip", "-s", "-o", stripped, program], check=True)
    for command in (["record", "--cpi", "all", "-o", trace, stripped], ["report", "-i", trace], ["annotate", "-i", trace], ["hot", "--period", "64", stripped]):
        device = ["-d", "sim:full", *FAST] if command[0] in ("record", "hot") else []
        done = gnomon(command[0], *device, *command[1:])
        text = done.stdout + done.stderr
        expect(f"{command[0]} without symbols says so once", done.returncode == 0 and text.count("has no symbols") == 1, text)
        expect("... and goes by address", command[0] == "record" or re.search(r"0x1000[0-9a-f]{4}", text), text)


def check_isa(folder):
    source = folder / "other.c"
    source.write_text('int main(void) { for (;;) __asm__ volatile("sw zero, -4(zero)"); }\n', encoding="utf-8")
    for march, abi, board, lacks in (("rv32imac", "ilp32", "sim:small", "a"), ("rv32imc_zbs", "ilp32", "sim:small", "zbs"),
                                     ("rv32imafc", "ilp32", "sim:full", "f"), ("rv32imc_zfinx", "ilp32", "sim:full", "zfinx"),
                                     ("rv32imac_zba_zbb_zbs", "ilp32", "sim:full", None)):
        elf = folder / march
        subprocess.run(["riscv64-unknown-elf-gcc", f"-march={march}", f"-mabi={abi}", "-nostdlib", "-Wl,-n,-Ttext=0x10000000,-emain", "-o", elf, source],
                       check=True, capture_output=True)
        done = gnomon("run", "-d", board, *FAST, elf)
        good = done.returncode == 1 and f"has no {lacks}\n" in done.stderr if lacks else done.returncode == 0
        expect(f"{march} on {board} {'is refused' if lacks else 'runs'}", good, done.returncode, done.stderr)
    text = gnomon("info", "-d", "sim:full").stdout
    expect("info says all of the ISA", "rv32imac_zicsr_zifencei_zba_zbb_zbs, modes M and U" in text, text)


def check_width(folder):
    """On a terminal no line is wider than the terminal; in files each name is complete."""
    elf, monitored, records, events = (folder / name for name in ("long", "long-monitor", "long.gnt", "long-events.gnt"))
    source = SOURCE.with_name("long_names.cpp")
    for out, options in (elf, []), (monitored, ["--gnomon-monitor"]):
        subprocess.run(["gnomon", "c++", "-std=c++17", "-O1", "-g", *options, "-o", out, source], check=True)
    names = subprocess.run(["riscv64-unknown-elf-nm", elf], check=True, capture_output=True, text=True).stdout
    function, table = (re.search(rf" (\S*{part}\S*)$", names, re.M)[1] for part in ("insert_or_assign", "table_with"))
    on_full = ["-d", "sim:full", *FAST]
    gnomon("record", "-q", *on_full, "--cpi", "all", "-o", records, elf)
    gnomon("record", "-q", *on_full, "--events", "-o", events, elf)
    tags = [word for what in (f"{function}:each", f"{table}:each", f"{function}@entry:start=0", f"{function}@return:stop=0") for word in ("-t", what)]
    whole = gnomon("annotate", "-i", records).stdout
    expect("elsewhere names are whole", "insert_or_assign_with_hint(std::vector<unsigned long long, std::allocator<unsigned long long> > const&, " in whole, whole)
    for command in (["stat", *on_full, "--range", function, "-e", "loads:range0", elf], ["hot", *on_full, "--period", "100", elf],
                    ["scan", *on_full, "--slice", "20000", elf], ["tag", *on_full, *tags, "--threshold", "0=100", elf],
                    ["callers", *on_full, function, monitored], ["annotate", "-i", records], ["annotate", "-i", records, function],
                    ["annotate", "--source", "-i", records, "main"], ["annotate", "--asm", "-i", records, "main"], ["dump", "-i", events],
                    ["dump", "--raw", "-i", events], ["report", "-i", records], ["report", "--causes", "-i", records],
                    ["report", "--histogram", "-i", records], ["info", "-d", "sim:full"]):
        status, lines = on_terminal("gnomon", *command)
        wide = [line for line in lines if len(line) > 80]
        expect(f"{command[0]} fits 80 columns", status == 0 and len(lines) > 5 and not wide, command[:3], *wide[:3], *(lines if status else []))


def main():
    folder, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    check_deaths(program)
    check_commands(folder, program)
    check_names(folder, program)
    check_stripped(folder, program)
    check_isa(folder)
    check_width(folder)
    return result()


if __name__ == "__main__":
    sys.exit(main())
