#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assembles the program of gnomon_aggregator_compact: a Verilog header with the codes of its fields and the words of its memory.

usage: assemble_aggregator.py gnomon_aggregator_compact.prog > gnomon_aggregator_program.vh

A line is one instruction, its parts separated by ';', behind labels ('name:') and addresses ('@40:'). Parts:
read, write BASE.PLACE      the memory (flag: one nibble of it); capture: registers take what is read
acc CODE, sum CODE          the two adders
swap free, swap node        `up` or `node` with `free`
if CONDITION goto LABEL     alone; where the label is `idle`, which is at 0, the entry is done with
do OPERATION...             alone
"""
import re
import sys

MEMORY = ["none", "read", "write", "flag"]
BASES = ["record", "frame", "up", "thread"]
ACC = ["hold", "sub", "cmp", "add", "zero", "time", "link", "id"]
SUM = ["hold", "load", "add", "inc"]
MOVES = ["none", "free", "node", "capture"]
CONDITIONS = ["always", "wait", "id", "id_frames", "thread", "slow", "special", "root", "no_trap", "found", "outer", "borrow", "clean",
              "again", "leaves", "trap", "trap_leave", "end", "untracked", "skipping", "fits", "in_trap", "lost", "lost_here", "lost_within",
              "passed", "lost_calls", "is_thread", "is_landing", "long", "high"]  # fmt: skip
OPERATIONS = ["id", "node", "thread", "next_thread", "skip", "again", "mark", "fresh"]
PLACES = {
    "record": ["calls_lo", "calls_hi", "self_lo", "self_hi", "total_lo", "total_hi", "min_lo", "min_hi", "max_lo", "max_hi", "near_min",
               "close", "near_max", "limit", "state", "open"],
    "frame": ["start_lo", "start_hi", "spent_lo", "spent_hi", "link", "next", "number"],
    "up": ["", "", "spent_lo", "spent_hi"],
    "thread": ["", "limit", "clock_lo", "clock_hi", "skip", "node", "", "", "ones", "aggregated_lo", "aggregated_hi", "overflow", "unbalanced", "untracked",
               "highest", "traps"],
}  # fmt: skip
WORDS = 512
DO = 63  # replaces the code of a condition


class Problem(Exception):
    pass


def code(table, name):
    if name not in table:
        raise Problem(f"no '{name}' among {', '.join(table)}")
    return table.index(name)


def step(parts):
    """The word of an instruction that is neither a branch nor a `do`."""
    memory = base = place = move = acc = total = 0
    half = None
    for part in parts:
        verb, *what = part.split()
        if verb in MEMORY[1:]:
            memory = code(MEMORY, verb)
            name, at = what[0].split(".")
            base, place = code(BASES, name), code(PLACES[name], at)
        elif verb == "acc":
            acc = code(ACC, what[0])
        elif verb == "sum" and what[0] in ("lo", "hi"):
            total, half = SUM.index("load"), what[0] == "hi"
        elif verb == "sum":
            total = code(SUM[2:], what[0]) + 2
        elif verb == "swap":
            move = code(MOVES[1:3], what[0]) + 1
        elif verb == "capture":
            move = MOVES.index("capture")
        else:
            raise Problem(f"what is '{part}'?")
    if half is not None:
        if memory and place & 1 != half:
            raise Problem("which half is loaded is the place's lowest bit")
        place |= half
    if total and (memory == MEMORY.index("write") or "flag record.state" in parts):
        raise Problem("what is written changes")
    return memory << 13 | base << 11 | place << 7 | acc << 4 | total << 2 | move


def branch(part, labels):
    match = re.fullmatch(r"if (\S+) goto (\S+)", part)
    if not match:
        raise Problem("a branch is 'if CONDITION goto LABEL'")
    if labels is not None and match[2] not in labels:
        raise Problem(f"no label '{match[2]}'")
    return 1 << 15 | code(CONDITIONS, match[1]) << 9 | (labels[match[2]] if labels else 0)


def instruction(line, labels):
    parts = [part.strip() for part in line.split(";")]
    if parts[0].startswith("if "):
        return branch(line.strip(), labels)
    if parts[0].startswith("do "):
        return 1 << 15 | DO << 9 | sum(1 << code(OPERATIONS, name) for name in line.split()[1:])
    return step(parts)


def assemble(lines, labels):
    """Returns {address: word} and the labels found. `labels`: None in the first pass, then the labels of the first pass."""
    words, found, at = {}, {}, 0
    for number, line in enumerate(lines, 1):
        line = line.split("#")[0].strip()
        try:
            while match := re.match(r"(@?)(\w+):\s*", line):
                if match[1]:
                    at = int(match[2], 16)
                else:
                    found[match[2]] = at
                line = line[match.end():]
            if line and (at in words or at >= WORDS):
                raise Problem(f"no room at {at:#x}")
            if line:
                words[at] = instruction(line, labels)
                at += 1
        except Problem as problem:
            sys.exit(f"{sys.argv[1]}:{number}: {problem}")
    return words, found


def codes(prefix, table):
    return "".join(f"localparam {prefix}_{name.upper()} = {value};\n" for value, name in enumerate(table) if name)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="ascii") as source:
        lines = source.read().splitlines()
    _, labels = assemble(lines, None)
    words, _ = assemble(lines, labels)
    print("// Made by tools/assemble_aggregator.py.\n/* verilator lint_off UNUSEDPARAM */")
    print(codes("MEM", MEMORY) + codes("BASE", BASES) + codes("ACC", ACC) + codes("SUM", SUM) + codes("MOVE", MOVES) +
          codes("IF", CONDITIONS) + codes("DO", OPERATIONS) + "".join(codes(base.upper(), PLACES[base]) for base in BASES), end="")
    print("".join(f"localparam [8:0] AT_{name.upper()} = {labels[name]};\n" for name in ("clear", "idle", "enter", "exit", "other")), end="")
    print(f"localparam [5:0] DO = {DO};\n/* verilator lint_on UNUSEDPARAM */")
    print(f"reg [15:0] words[0:{WORDS - 1}];\ninitial begin")
    for at in range(WORDS):
        print(f"  words[{at}] = 16'h{words.get(at, 0):04x};")
    print("end")


if __name__ == "__main__":
    main()
