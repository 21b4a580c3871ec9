#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes insns.S: each instruction of RV32IM over a table of operands with the expected values, a selection of
compressed instructions, illegal encodings. The argument `options` writes options.S: the same for A, Zba, Zbb and
Zbs; `plain` writes plain.S: a core without these extensions must reject them.
The semantics below follow the manual's words, not the RTL."""

import sys

VALUES = [0, 1, 2, 3, 31, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x12345678, 0xaaaa5555, 0x00010000, 0xffff]
IMMEDIATES = [0, 1, -1, 2047, -2048, 0x555]
M = 0xffffffff


def s(x):
    return x - (1 << 32) if x >> 31 else x


def quotient(a, b, overflow):
    if b == 0:
        return -1
    if overflow and a == -(1 << 31) and b == -1:
        return a
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def remainder(a, b, overflow):
    return a if b == 0 else a - b * quotient(a, b, overflow)


REGISTER = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "sll": lambda a, b: a << (b & 31),
    "slt": lambda a, b: s(a) < s(b), "sltu": lambda a, b: a < b, "xor": lambda a, b: a ^ b,
    "srl": lambda a, b: a >> (b & 31), "sra": lambda a, b: s(a) >> (b & 31), "or": lambda a, b: a | b,
    "and": lambda a, b: a & b, "mul": lambda a, b: a * b, "mulh": lambda a, b: s(a) * s(b) >> 32,
    "mulhsu": lambda a, b: s(a) * b >> 32, "mulhu": lambda a, b: a * b >> 32,
    "div": lambda a, b: quotient(s(a), s(b), True), "divu": lambda a, b: quotient(a, b, False),
    "rem": lambda a, b: 0 if s(a) == -(1 << 31) and s(b) == -1 else remainder(s(a), s(b), True),
    "remu": lambda a, b: remainder(a, b, False)}
IMMEDIATE = {"addi": "add", "slti": "slt", "sltiu": "sltu", "xori": "xor", "ori": "or", "andi": "and"}
SHIFT = {"slli": "sll", "srli": "srl", "srai": "sra"}
BRANCH = {"beq": lambda a, b: a == b, "bne": lambda a, b: a != b, "blt": lambda a, b: s(a) < s(b),
          "bge": lambda a, b: s(a) >= s(b), "bltu": lambda a, b: a < b, "bgeu": lambda a, b: a >= b}



def rotate(a, n):
    return (a << 32 | a) >> (n & 31)


def extended(a, bits):
    return (a & (1 << bits) - 1) - (a >> bits - 1 & 1) * (1 << bits)


OPTIONS_REGISTER = {
    "sh1add": lambda a, b: 2 * a + b, "sh2add": lambda a, b: 4 * a + b, "sh3add": lambda a, b: 8 * a + b,
    "andn": lambda a, b: a & ~b, "orn": lambda a, b: a | ~b, "xnor": lambda a, b: ~(a ^ b),
    "max": lambda a, b: max(s(a), s(b)), "maxu": max, "min": lambda a, b: min(s(a), s(b)), "minu": min,
    "rol": lambda a, b: rotate(a, -b), "ror": rotate, "bclr": lambda a, b: a & ~(1 << (b & 31)),
    "bext": lambda a, b: a >> (b & 31) & 1, "binv": lambda a, b: a ^ 1 << (b & 31), "bset": lambda a, b: a | 1 << (b & 31)}
OPTIONS_SHIFT = {"rori": "ror", "bclri": "bclr", "bexti": "bext", "binvi": "binv", "bseti": "bset"}
UNARY = {
    "clz": lambda a: 32 - a.bit_length(), "ctz": lambda a: (a & -a).bit_length() - 1 if a else 32,
    "cpop": lambda a: bin(a).count("1"), "sext.b": lambda a: extended(a, 8), "sext.h": lambda a: extended(a, 16),
    "zext.h": lambda a: a & 0xffff, "rev8": lambda a: int.from_bytes(a.to_bytes(4, "little"), "big"),
    "orc.b": lambda a: sum(0xff << i for i in (0, 8, 16, 24) if a >> i & 0xff)}
ATOMIC = {"amoadd.w": REGISTER["add"], "amoswap.w": lambda a, b: b, "amoxor.w": REGISTER["xor"], "amoor.w": REGISTER["or"],
          "amoand.w": REGISTER["and"], "amomin.w": OPTIONS_REGISTER["min"], "amomax.w": OPTIONS_REGISTER["max"],
          "amominu.w": min, "amomaxu.w": max}

# (16-bit encoding, or text of a compressed instruction; a0 and a1 before it; a0 after it)
COMPRESSED = [("c.addi a0, -17", 5, 0, -12), ("c.li a0, -32", 5, 0, -32), ("c.lui a0, 0xfffe0", 0, 0, 0xfffe0000),
              ("c.lui a0, 31", 0, 0, 31 << 12), ("c.srli a0, 31", 0x80000000, 0, 1), ("c.srai a0, 4", 0x80000000, 0, 0xf8000000),
              ("c.andi a0, -2", 7, 0, 6), ("c.sub a0, a1", 3, 5, -2), ("c.xor a0, a1", 0xff, 0x0f, 0xf0),
              ("c.or a0, a1", 0xf0, 0x0f, 0xff), ("c.and a0, a1", 0xfc, 0x3f, 0x3c), ("c.slli a0, 31", 3, 0, 0x80000000),
              ("c.mv a0, a1", 1, 2, 2), ("c.add a0, a1", 1, 2, 3), ("c.nop", 9, 0, 9), (".half 0x0005", 9, 0, 9),
              (".half 0x4005", 9, 0, 9), (".half 0x6005", 9, 0, 9), (".half 0x802e", 9, 3, 9),
              (".half 0x902e", 9, 3, 9), (".half 0x0502", 9, 0, 9), (".half 0x8101", 9, 0, 9)]


def compressed_illegal():
    """Every encoding in quadrants 0 to 2 that RV32C without floating point does not define."""
    bad = []
    for c in range(0x10000):
        q, f3, b12, rd, rs2 = c & 3, c >> 13, c >> 12 & 1, c >> 7 & 31, c >> 2 & 31
        if q == 0:
            ok = f3 in (2, 6) or f3 == 0 and c >> 5 & 0xff
        elif q == 1:
            ok = f3 in (0, 1, 2, 5, 6, 7) or f3 == 3 and (b12 or rs2) or f3 == 4 and not b12 or f3 == 4 and c >> 10 & 3 == 2
        elif q == 2:
            ok = f3 == 0 and not b12 or f3 == 2 and rd or f3 == 4 and (rd or rs2 or b12) or f3 == 6
        else:
            ok = True
        if not ok:
            bad.append(c)
    return bad


def is_base(word):
    """Whether a word is an OP or OP-IMM instruction of the base ISA."""
    f3, f7 = word >> 12 & 7, word >> 25
    if word & 127 == 0x13:
        return f3 not in (1, 5) or f7 == 0 or (f3, f7) == (5, 32)
    return word & 127 == 0x33 and (f7 in (0, 1) or f7 == 32 and f3 in (0, 5))


def is_option(word):
    """Whether a word is an instruction of A, Zba, Zbb or Zbs."""
    opcode, f3, f7, rs2 = word & 127, word >> 12 & 7, word >> 25, word >> 20 & 31
    if opcode == 0x2f:
        f5 = f7 >> 2
        return f3 == 2 and (f5 in (0, 1, 3, 4, 8, 12, 16, 20, 24, 28) or f5 == 2 and rs2 == 0)
    if opcode == 0x13:
        return (f3, f7) in ((1, 0x24), (1, 0x34), (1, 0x14), (5, 0x24), (5, 0x30)) \
            or (f3, f7) == (1, 0x30) and rs2 in (0, 1, 2, 4, 5) or f3 == 5 and word >> 20 in (0x287, 0x698)
    return opcode == 0x33 and (f7 == 0x10 and f3 in (2, 4, 6) or f7 == 0x20 and f3 in (4, 6, 7) or f7 == 5 and f3 >= 4
                               or f7 in (0x30, 0x24) and f3 in (1, 5) or f7 in (0x14, 0x34) and f3 == 1
                               or f7 == 4 and f3 == 4 and rs2 == 0)


def near_options():
    """Encodings of OP, OP-IMM and AMO outside of the base ISA."""
    # Instructions whose rs2 field is a part of the operation: zext.h, lr, orc.b, rev8, clz and similar ones.
    unary = ((0x33, 4, 0x04), (0x2f, 2, 0x08), (0x13, 5, 0x14), (0x13, 5, 0x34), (0x13, 1, 0x30))
    found = []
    for opcode in (0x13, 0x2f, 0x33):
        for f3 in range(8):
            for f7 in range(128) if opcode != 0x2f or f3 == 2 else range(0, 128, 12):
                for rs2 in range(32) if (opcode, f3, f7) in unary else (11,):
                    word = f7 << 25 | rs2 << 20 | 10 << 15 | f3 << 12 | 10 << 7 | opcode
                    if not is_base(word):
                        found.append(word)
    return found


def long_illegal():
    """One undefined 32-bit encoding of each kind."""
    bad = []
    for opcode in range(3, 128, 4):
        for f3 in range(8):
            for f7 in (0, 1, 2, 4, 8, 16, 32, 33, 64, 127):
                word = f7 << 25 | 11 << 20 | 10 << 15 | f3 << 12 | 10 << 7 | opcode
                ok = {0x03: f3 in (0, 1, 2, 4, 5), 0x0f: f3 in (0, 1), 0x13: is_base(word),
                      0x17: True, 0x23: f3 < 3, 0x33: is_base(word), 0x37: True,
                      0x63: f3 not in (2, 3), 0x67: f3 == 0, 0x6f: True, 0x73: f3 not in (0, 4)}.get(opcode, False)
                if not ok and not is_option(word):
                    bad.append(word)
    # Words near the SYSTEM instructions with funct3 0; dret, sret, uret and sfence.vma do not exist.
    exact = [0x00000073, 0x00100073, 0x30200073, 0x10500073]
    for word in exact:
        for bit in [7, 9, 15, 19, 21, 22, 24, 26, 27, 31]:
            if word ^ 1 << bit not in exact:
                bad.append(word ^ 1 << bit)
    return sorted(set(bad + [0x7b200073, 0x10200073, 0x00200073, 0x12000073, 0xffffffff]))


def words(name, items):
    print(f"{name}:")
    for item in items:
        print(f"    .word {int(item) & M:#x}")


def over_pairs(operations, pairs, data):
    for op, f in operations.items():
        data.append((op, [f(a, b) for a, b in pairs]))
        print(f"    la s5, pairs\n    la s6, {op}_want\n    li s7, {len(pairs)}\n1:  lw a0, 0(s5)\n    lw a1, 4(s5)")
        print(f"    lw a2, 0(s6)\n    {op} a3, a0, a1\n    CHECK_REG(a3, a2)\n    {op} a0, a0, a1\n    CHECK_REG(a0, a2)")
        print("    addi s5, s5, 8\n    addi s6, s6, 4\n    addi s7, s7, -1\n    bnez s7, 1b")


def over_immediates(cases):
    for op, f, i in cases:
        for a in VALUES:
            print(f"    li a0, {a:#x}\n    {op} a1, a0, {i}\n    CHECK(a1, {int(f(a, i & M)) & M:#x})")


def atomics(pairs, data):
    """The register gets the old value, memory the new one; also with the address's or the operand's register as
    destination."""
    print("    la s8, room")
    for op, f in ATOMIC.items():
        name = op.replace(".", "_")
        data.append((name, [f(a, b) for a, b in pairs]))
        print(f"    la s5, pairs\n    la s6, {name}_want\n    li s7, {len(pairs)}\n1:  lw a0, 0(s5)\n    lw a1, 4(s5)")
        print(f"    lw a2, 0(s6)\n    sw a0, 0(s8)\n    {op} a3, a1, (s8)\n    CHECK_REG(a3, a0)\n    lw a3, 0(s8)")
        print("    CHECK_REG(a3, a2)\n    addi s5, s5, 8\n    addi s6, s6, 4\n    addi s7, s7, -1\n    bnez s7, 1b")
        print(f"    li a0, 5\n    li a1, 3\n    sw a0, 0(s8)\n    {op} a1, a1, (s8)\n    CHECK(a1, 5)\n    lw a1, 0(s8)")
        print(f"    CHECK(a1, {f(5, 3):#x})\n    sw a0, 0(s8)\n    mv a2, s8\n    li a1, 3\n    {op} a2, a1, (a2)\n    CHECK(a2, 5)")
        print(f"    {op}.aqrl zero, zero, (s8)\n    lw a1, 0(s8)\n    CHECK(a1, {f(f(5, 3), 0):#x})")


def options_main():
    print('/* SPDX-License-Identifier: Apache-2.0 */\n#include "macros.h"\nPROLOGUE')
    data = []
    pairs = [(a, b) for a in VALUES for b in VALUES][::2]
    over_pairs(OPTIONS_REGISTER, pairs, data)
    over_immediates([(op, OPTIONS_REGISTER[base], i) for op, base in OPTIONS_SHIFT.items() for i in (0, 1, 7, 16, 31)])
    # Each single bit, all bits below it, all bits from it on.
    values = VALUES + [1 << i for i in range(32)] + [(2 << i) - 1 for i in range(32)] + [M & -1 << i for i in range(32)]
    for op, f in UNARY.items():
        name = op.replace(".", "_")
        data.append((name, [f(a) for a in values]))
        print(f"    la s5, unary\n    la s6, {name}_want\n    li s7, {len(values)}\n1:  lw a0, 0(s5)\n    lw a2, 0(s6)")
        print(f"    {op} a3, a0\n    CHECK_REG(a3, a2)\n    {op} a0, a0\n    CHECK_REG(a0, a2)")
        print("    addi s5, s5, 4\n    addi s6, s6, 4\n    addi s7, s7, -1\n    bnez s7, 1b")
    atomics(pairs, data)
    illegal("long_bad", 4)
    print("    j pass\n    .balign 4")
    words("pairs", [x for pair in pairs for x in pair])
    words("unary", values)
    for op, want in data:
        words(f"{op}_want", want)
    words("long_bad", [word for word in near_options() if not is_option(word)])
    print("long_bad_end:\nEPILOGUE\n    .bss\nroom: .space 64")


def plain_main():
    print('/* SPDX-License-Identifier: Apache-2.0 */\n#include "macros.h"\nPROLOGUE')
    illegal("long_bad", 4)
    print("    j pass\n    .balign 4")
    words("long_bad", [word for word in near_options() if is_option(word)])
    print("long_bad_end:\nEPILOGUE\n    .bss\nroom: .space 64")


def main():
    print('/* SPDX-License-Identifier: Apache-2.0 */\n#include "macros.h"\nPROLOGUE')
    data = []
    pairs = [(a, b) for a in VALUES for b in VALUES]
    over_pairs(REGISTER, pairs, data)
    cases = [(op, REGISTER[base], i) for op, base in IMMEDIATE.items() for i in IMMEDIATES]
    cases += [(op, REGISTER[base], i) for op, base in SHIFT.items() for i in (0, 1, 7, 31)]
    over_immediates(cases)
    for op, f in BRANCH.items():
        for direction in "fb":
            for a, b in pairs[::3]:
                good = "    li gp, __LINE__\n    j fail\n" if f(a, b) else ""
                bad = "" if f(a, b) else "    li gp, __LINE__\n    j fail\n"
                if direction == "f":
                    print(f"    li a0, {a:#x}\n    li a1, {b:#x}\n    {op} a0, a1, 1f\n{good}    j 2f\n1:\n{bad}2:")
                else:
                    print(f"    j 2f\n1:\n{bad}    j 3f\n2:  li a0, {a:#x}\n    li a1, {b:#x}\n    {op} a0, a1, 1b\n{good}3:")
    for text, a, b, want in COMPRESSED:
        print(f"    li a0, {a:#x}\n    li a1, {b:#x}\n    .option push\n    .option rvc")
        print(f"    {text}\n    .option pop\n    CHECK(a0, {want & M:#x})")
    memory()
    for name, size in (("short_bad", 2), ("long_bad", 4)):
        illegal(name, size)
    print("    j pass\n    .balign 4")
    words("pairs", [x for pair in pairs for x in pair])
    for op, want in data:
        words(f"{op}_want", want)
    print("short_bad:\n    .half " + ", ".join(f"{c:#x}" for c in compressed_illegal()[::29]) + "\nshort_bad_end:\n    .balign 4")
    words("long_bad", long_illegal())
    print("long_bad_end:\nEPILOGUE\n    .bss\nroom: .space 64")


def memory():
    bytes_ = [0x80, 0x7f, 0xff, 0x01, 0x12, 0x34, 0xa6, 0x78]
    print("    la s5, room")
    for i in range(0, 8, 4):
        print(f"    li a0, {int.from_bytes(bytes_[i:i + 4], 'little'):#x}\n    sw a0, {i}(s5)")
    for op, size, signed in (("lb", 1, 1), ("lbu", 1, 0), ("lh", 2, 1), ("lhu", 2, 0), ("lw", 4, 1)):
        for i in range(0, 8, size):
            want = int.from_bytes(bytes_[i:i + size], "little", signed=bool(signed))
            print(f"    {op} a1, {i}(s5)\n    CHECK(a1, {want & M:#x})\n    addi s6, s5, 100\n    {op} a1, {i - 100}(s6)")
            print(f"    CHECK(a1, {want & M:#x})")
    for op, size in (("sb", 1), ("sh", 2), ("sw", 4)):
        for i in range(0, 8, size):
            value = 0xc3d4e5f6
            bytes_[i:i + size] = value.to_bytes(4, "little")[:size]
            print(f"    li a0, {value:#x}\n    {op} a0, {i}(s5)")
            for j in range(0, 8, 4):
                print(f"    lw a1, {j}(s5)\n    CHECK(a1, {int.from_bytes(bytes_[j:j + 4], 'little'):#x})")
    # Compressed instructions with their largest offsets.
    print("    .option push\n    .option rvc\n    mv a5, s5\n    li a0, 77\n    c.sw a0, 4(a5)\n    c.lw a1, 4(a5)\n    CHECK(a1, 77)")
    print("    addi a5, s5, -124\n    c.lw a1, 124(a5)\n    lw a0, 0(s5)\n    CHECK_REG(a0, a1)\n    mv s8, sp")
    print("    addi sp, s5, -252\n    li a0, 99\n    c.swsp a0, 252(sp)\n    c.lwsp a1, 252(sp)\n    CHECK(a1, 99)\n    mv a2, sp")
    print("    c.addi16sp sp, 496\n    c.addi16sp sp, -512\n    addi a2, a2, -16\n    CHECK_REG(sp, a2)")
    print("    c.addi4spn a1, sp, 1020\n    addi a2, a2, 1020\n    CHECK_REG(a1, a2)\n    mv sp, s8")
    print("    la a1, 1f\n    c.jalr a1\n9:  FAIL\n1:  CHECK_ADDR(ra, 9b)\n    c.jal 1f\n9:  FAIL\n1:  CHECK_ADDR(ra, 9b)")
    print("    la a1, 1f\n    c.jr a1\n    FAIL\n1:  c.j 1f\n    FAIL\n1:  li a0, 0\n    c.beqz a0, 1f\n    FAIL\n1:  c.bnez a0, 1f")
    print("    j 2f\n1:  FAIL\n2:\n    .option pop\n    auipc a0, 0x12345\n9:  la a1, 9b\n    addi a1, a1, -4")
    print("    li a2, 0x12345000\n    add a1, a1, a2\n    CHECK_REG(a0, a1)")


def illegal(name, size):
    """Runs each word between two instructions that leave the routine."""
    load = "lhu" if size == 2 else "lw"
    print(f"    la s5, {name}\n    la s6, {name}_end\n1:  {load} s7, 0(s5)\n    la s8, room\n    la s4, 2f\n    sw zero, 0(s8)")
    print("    sw zero, 4(s8)\n    sw s7, 0(s8)\n    fence.i\n    li s0, 0\n    jr s8\n2:  CHECK(s0, 2)\n    CHECK_REG(s1, s8)")
    print(f"    CHECK_REG(s2, s7)\n    addi s5, s5, {size}\n    bne s5, s6, 1b")


{"options": options_main, "plain": plain_main}[sys.argv[1]]() if sys.argv[1:] else main()
