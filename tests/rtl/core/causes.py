#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The stall cause of every cycle (docs/internals/observation.md), counted between two marks, for the table under Cycles
in docs/internals/core.md.

usage: causes.py program      prints the program (assembly)
       causes.py check --form static|predict|late|compact --bench COMMAND --program HEX --out FOLDER
                              runs it on the bench and compares
"""
import argparse
import collections
import pathlib
import subprocess
import sys

NAMES = ["RETIRED", "FETCH", "JUMP", "MISPREDICT", "LOAD_USE", "MULDIV", "DATA", "TRAP", "WFI", "DEBUG", "RESET", "CSR", "FENCE"]
MARK = 0xFFFFFFBC  # channel 16 of the message window; both marks of a pair are stores there

# (code, its cost besides its retirements, the cost of the compact core if it differs, else None)
CASES = [
    ("add a1, a0, a0; sub a2, a1, a0", {}, None),
    ("lw a1, 0(s5); nop; add a2, a1, a1", {}, {"DATA": 1}),
    ("lw a1, 0(s5); add a2, a1, a1", {"LOAD_USE": 1}, {"DATA": 1, "LOAD_USE": 1}),
    ("lw a1, 0(s5); sw a1, 4(s5)", {"LOAD_USE": 1}, {"DATA": 2, "LOAD_USE": 1}),
    ("mul a1, a0, a0; nop; add a2, a1, a1", {}, {"MULDIV": 32}),
    ("mul a1, a0, a0; add a2, a1, a1", {"MULDIV": 1}, {"MULDIV": 32}),
    ("div a1, a0, a0", {"MULDIV": 9}, {"MULDIV": 33}),
    ("rem a1, s9, a0", {"MULDIV": 33}, {"MULDIV": 34}),
    ("lw a1, 0(s5); div a2, a1, a1", {"LOAD_USE": 1, "MULDIV": 9}, {"DATA": 1, "LOAD_USE": 1, "MULDIV": 33}),
    ("slli a1, a0, 3", {}, {"MULDIV": 3}),
    ("j 1f; nop; .balign 4; 1:", {"JUMP": 1}, None),
    ("jal ra, target", {"JUMP": 3}, None),
    ("la t0, target; nop; jalr ra, 0(t0)", {"JUMP": 4}, None),
    ("beq a0, a0, 1f; nop; .balign 4; 1:", {"MISPREDICT": 2}, None),
    ("beq zero, a0, fail", {"MISPREDICT": 2}, None),
    ("csrw mscratch, a0; csrr a1, mepc", {"CSR": 1}, None),
    ("csrsi mstatus, 0", {"CSR": 2}, None),
    ("nop; csrr a1, mcycle", {"CSR": 4}, None),
    ("fence.i", {"FENCE": 3}, None),
    ("csrr a1, mcycle; div a2, a0, a0; fence.i", {"CSR": 4, "MULDIV": 9, "FENCE": 3}, {"CSR": 4, "MULDIV": 33, "FENCE": 3}),
    # An exception does not retire. The handler's mret costs 4 more cycles.
    ("la s4, 1f; ecall; 1:", {"TRAP": 9}, None),
    ("la s4, 1f; .word 0xffffffff; 1:", {"TRAP": 9}, None),
    ("lw a1, 0(s5); bnez a1, 1f; nop; .balign 4; 1:", {"LOAD_USE": 1, "MISPREDICT": 2}, {"DATA": 1, "LOAD_USE": 1, "MISPREDICT": 2}),
    ("mul a1, a0, a0; beqz a1, fail", {"MULDIV": 1, "MISPREDICT": 2}, {"MULDIV": 32, "MISPREDICT": 2}),
    ("lw a1, 0(s5); beqz a1, 1f; div a2, a0, a0; 1:", {"LOAD_USE": 1, "MULDIV": 9}, {"DATA": 1, "LOAD_USE": 1, "MULDIV": 33}),
    # An interrupt that is due in 40 cycles ends the wfi.
    ("csrw mie, s7; sw s6, 4(s8); wfi; sw zero, 0(s8); csrw mie, zero", {"CSR": 4, "WFI": 43}, {"CSR": 4, "DATA": 2, "WFI": 43}),
]
# With the second ALU.
LATE = {
    "lw a1, 0(s5); add a2, a1, a1": {},
    "mul a1, a0, a0; add a2, a1, a1": {},
    "lw a1, 0(s5); bnez a1, 1f; nop; .balign 4; 1:": {"MISPREDICT": 3},
    "mul a1, a0, a0; beqz a1, fail": {"MISPREDICT": 3},
    "lw a1, 0(s5); beqz a1, 1f; div a2, a0, a0; 1:": {"MULDIV": 9},
}
# With the predictor, an instruction costs on its first execution as much as without it, and so does a jump from there
# to a known place.


def program():
    print('#include "macros.h"\nPROLOGUE\n    .balign 4\n    .option norvc\n    la s5, room\n    li a0, 3\n    sw a0, 0(s5)\n    li s9, -1000000000\n    li s6, 40 << 8 | 1\n'
          "    li s7, 8\n    li s8, IRQ\n    li t0, 400\n1:  addi t0, t0, -1\n    bnez t0, 1b")
    for code, _, _ in CASES:
        print(f"    .balign 4\n    sw zero, -68(zero)\n    {code}\n    sw zero, -68(zero)")
    print("    j pass\n    .balign 4\ntarget:\n    ret\n    EPILOGUE\n    .bss\nroom: .space 64")


def measured(tb, hex_file, folder):
    """Returns the cycles of each stall cause for each pair of marks."""
    stream, causes = folder / "causes.stream", folder / "causes.causes"
    said = subprocess.run([tb, f"+hex={hex_file}", f"+stream={stream}", f"+causes={causes}"], stdout=subprocess.PIPE, text=True, check=False).stdout
    if "tb: pass" not in said:
        sys.exit(f"causes: {said}")
    marks = []
    for line in stream.read_text().splitlines():
        words = line.split()
        if "->" in words and len(words) > words.index("->") + 3 and int(words[words.index("->") + 3], 16) == MARK:
            marks.append(int(words[0]))
    of_cycle = {int(line.split()[0]): int(line.split()[1]) for line in causes.read_text().splitlines()}
    return [collections.Counter(NAMES[of_cycle[c]] for c in range(first + 1, last)) for first, last in zip(marks[::2], marks[1::2])]


def check(form, tb, hex_file, folder):
    found = measured(tb, hex_file, pathlib.Path(folder))
    bad = len(found) != len(CASES)
    for (code, plain, compact), counts in zip(CASES, found):
        wanted = compact if form == "compact" and compact is not None else plain
        if form == "late":
            wanted = LATE.get(code, plain)
        costs = {name: n for name, n in counts.items() if name != "RETIRED"}
        if costs != wanted:
            bad = True
            print(f"causes: FAIL {code}: {costs}, expected {wanted}")
    print(f"causes ({form}): {'FAIL' if bad else 'pass'}, {len(found)} cases")
    return bad


if __name__ == "__main__":
    if sys.argv[1:] == ["program"]:
        program()
    elif sys.argv[1:2] == ["check"]:
        parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        for name in "form", "bench", "program", "out":
            parser.add_argument(f"--{name}", required=True)
        given = parser.parse_args(sys.argv[2:])
        sys.exit(check(given.form, given.bench, given.program, given.out))
    else:
        sys.exit(__doc__)
