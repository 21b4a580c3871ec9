#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""debug_cross.py [user-]program|script: traps and entries of debug mode next to every kind of instruction, at places
that only a debugger can reach: in the first instruction of a trap handler, at the end of memory, after an
instruction that traps. Each case is a block of the program. The debugger (operations: see debugger.v) sets pc and
handler, lets the block run, halts the hart and checks the pc. tests/coverage/events.py lists the events that this
test must reach. user-: fetches that PMP denies, for a core with PMP."""
import sys

import debug_script
from debug_script import DCSR, DPC, expect_csr, inject, op, set_csr, set_register

BASE = 0x10000000
END = BASE + 0x10000
BLOCKS, BLOCK = BASE + 0x400, 64
NOWHERE = 0x20000000
DENIED = BASE + 0xF000
MSTATUS, MIE, MTVEC, MEPC, MCAUSE = 0x300, 0x304, 0x305, 0x341, 0x342
HALT, EBREAK, STEP = 3, 1, 4
EBREAKM = 0x8000
T5, S6, A0, A1 = 30, 22, 10, 11

# Kinds of instructions: s6 is NOWHERE, s5 memory, t5 the target of jalr, mepc the target of mret.
KINDS = {"alu": 0x00C60733, "mul": 0x02C60733, "div": 0x02C64733, "load": 0x000AA703, "store": 0x00CAA223, "branch": 0x00061263,
         "jal": 0x0040076F, "jalr": 0x000F0767, "csr_read": 0x34002773, "csr_write": 0x34061773, "csr_counter": 0xB0002773,
         "csr_serial": 0x30402773, "mret": 0x30200073, "wfi": 0x10500073, "fence_i": 0x0000100F, "ecall": 0x00000073,
         "ebreak": 0x00100073, "illegal": 0xFFFFFFFF}
# Traps: (instruction, cause).
TRAPS = {"load_fault": (0x000B2583, 5), "store_fault": (0x00BB2023, 7), "ebreak": (0x00100073, 3), "load_misaligned": (0x002AA583, 4),
         "load_window": (0xFFC02583, 5), "store_misaligned": (0x00BAA123, 6), "ecall": (0x00000073, 11), "illegal": (0xFFFFFFFF, 2),
         "illegal_csr": (0x123025F3, 2)}
TRAPPING = ("ecall", "ebreak", "illegal")
NOP, STAY = 0x00000013, 0x0000006F      # STAY: jal x0, 0

blocks = []


def block(*words):
    """Appends a block of these words and a loop; returns its address."""
    blocks.append(list(words) + [STAY])
    return BLOCKS + BLOCK * (len(blocks) - 1)


def run(pc, handler=None, mepc=None, flags=0):
    """Continues at pc, in M mode without interrupts."""
    set_csr(DPC, pc)
    set_csr(DCSR, flags | 3)
    set_csr(MSTATUS, 0x1800)
    if handler is not None:
        set_csr(MTVEC, handler)
    if mepc is not None:
        set_csr(MEPC, mepc)
    op(2)


def halt(cycles=40):
    op(0, cycles)
    op(1, HALT)


def put_word(address, word):
    set_register(A0, address)
    set_register(A1, word)
    inject(0x00B52023)                  # sw a1, 0(a0)


def trapped(cause, pc):
    expect_csr(MCAUSE, cause)
    expect_csr(MEPC, pc)


def cases():
    stay = block()
    # After each kind of instruction: an ebreak that enters debug mode, mret, a single step; then the same kind again.
    for kind, word in KINDS.items():
        if kind in TRAPPING:
            continue
        for second, more in (("ebreak", EBREAKM), ("mret", 0)):
            at = block(word, KINDS[second], word)
            set_register(T5, at + 4)
            run(at, mepc=at + 4 if second == "ebreak" else stay, handler=stay, flags=more)
            if second == "ebreak":
                op(7, EBREAK)
                expect_csr(DPC, at + 4)
            elif kind != "mret":
                halt()
                expect_csr(DPC, stay)
                expect_csr(MSTATUS, 0x1880)
            else:
                halt()
        at = block(word, word)
        set_register(T5, at + 4)
        run(at, mepc=at + 4, flags=4)
        op(7, STEP)
        expect_csr(DPC, at + 4)
        # A halt among many instructions of one kind; the last jump of each kind jumps to itself.
        at = block(*[word] * 14)
        set_register(T5, at)
        set_csr(MIE, 0)
        run(at, mepc=at)
        halt(9)
        set_csr(MIE, 8)
    # A trap in the first instruction of its handler, forever; after each kind of trap.
    first = {kind: block(KINDS[kind]) for kind in TRAPPING}
    first["fetch_error"] = NOWHERE
    for word, cause in TRAPS.values():
        at = block(word)
        for pc in first.values():
            run(pc, handler=at)
            halt(60)
            trapped(cause, at)
    for pc in first.values():
        run(pc, handler=NOWHERE + 4)    # the handler cannot be fetched, either
        halt(60)
        trapped(1, NOWHERE + 4)
        at = block(KINDS["mret"])
        run(pc, handler=at)
        halt(60)
        at = block(KINDS["ebreak"])
        if pc != first["ebreak"]:
            run(pc, handler=at, flags=EBREAKM)
            op(7, EBREAK)
            expect_csr(DPC, at)
            run(at, handler=stay)       # a trap after the entry of debug mode
            halt()
            trapped(3, at)
        run(pc, handler=stay, flags=4)
        op(7, STEP)
        expect_csr(DPC, stay)
    # After each trap, an instruction that traps, jumps or returns; and the end of memory.
    for name, (word, cause) in TRAPS.items():
        for kind in ("jalr", "mret") + TRAPPING:
            at = block(word, KINDS[kind])
            set_register(T5, stay)
            run(at, handler=stay, mepc=at)
            halt()
            trapped(cause, at)
        put_word(END - 4, word)
        inject(KINDS["fence_i"])
        run(END - 4, handler=stay)
        halt()
        trapped(cause, END - 4)
        if name == "ebreak":
            run(END - 4, flags=EBREAKM)
            op(7, EBREAK)
            expect_csr(DPC, END - 4)
    for kind in TRAPPING:
        for second, more in (("ebreak", EBREAKM), ("mret", 0)):
            at = block(KINDS[second], KINDS[kind])
            run(at, mepc=stay, handler=stay, flags=more)
            if more:
                op(7, EBREAK)
                expect_csr(DPC, at)
            else:
                halt()
                expect_csr(DPC, stay)
    put_word(END - 4, KINDS["mret"])
    inject(KINDS["fence_i"])
    run(END - 4, mepc=stay, handler=first["illegal"])
    halt()
    expect_csr(DPC, stay)
    # A failing fetch after each kind; and before it, because there is no memory below the beginning of memory (COMPACT
    # does not fetch ahead there).
    for kind, word in KINDS.items():
        if kind not in TRAPPING:
            put_word(END - 4, word)
            inject(KINDS["fence_i"])
            set_register(T5, END)
            run(END - 4, handler=stay, mepc=END)
            halt()
            trapped(1, END)
        put_word(BASE, word)
        inject(KINDS["fence_i"])
        run(BASE - 4, handler=stay)
        halt()
        trapped(1, BASE - 4)
    # A word that cannot be fetched looks like an ebreak.
    run(BASE - 8, handler=stay, flags=EBREAKM)
    halt()
    trapped(1, BASE - 8)
    # Injected instructions: counters can be read, CSRs that do not exist cannot.
    inject(KINDS["csr_counter"])
    for word in (0x123025F3, 0x12361573, 0x30F02773):
        debug_script.refused(word)
    finish = block(0xFE002E23)          # sw zero, -4(zero)
    run(finish)


def denied_cases():
    """A PMP entry denies 16 bytes to M mode; each kind of instruction executes after them."""
    stay = block()
    set_csr(0x3B0, DENIED >> 2 | 1)
    set_csr(0x3A0, 0x98)
    for word in KINDS.values():
        put_word(DENIED + 16, word)
        inject(KINDS["fence_i"])
        run(DENIED + 12, handler=stay)
        halt()
        trapped(1, DENIED + 12)
    run(block(0xFE002E23))


def program():
    print("/* SPDX-License-Identifier: Apache-2.0 */\n    .text\n    .option norvc\n    .option norelax\n    .globl _start\n_start:\n    j main")
    print("    .balign 128\nmain:\n    li s6, 0x20000000\n    la s5, words\n    li a2, 5\n    li t0, 8\n    csrw mie, t0\n"
          "    li t0, 0xf0000000\n    li t1, 1\n    sw t1, 0(t0)\n1:  j 1b\n    .balign 16\nwords:\n    .space 64")
    print(f"    .org {BLOCKS - BASE:#x}")
    for index, words in enumerate(blocks):
        print(f"    .org {BLOCKS - BASE + BLOCK * index:#x}\n    .word " + ", ".join(f"{word:#x}" for word in words))


def main():
    user, script = sys.argv[1].startswith("user-"), sys.argv[1].endswith("script")
    out = sys.stdout
    if not script:
        sys.stdout = open("/dev/null", "w", encoding="ascii")
    op(1, HALT)
    op(2)
    op(0, 100)                          # the program sets registers and the interrupt line that ends wfi
    op(1, HALT)
    (denied_cases if user else cases)()
    if not script:
        sys.stdout = out
        program()


main()
