#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a C program with many functions, whose code is as large as asked for. Each function is called; the program
prints a sum that this script computes, too.

usage: make_large.py FUNCTIONS OUT.c OUT.expected"""
import random
import sys

MASK = 0xFFFFFFFF
ROUNDS, STEPS = 2, 60


def function(number, choose):
    """Returns the function's C code and the same as a Python function."""
    lines, steps = [], []
    for _ in range(STEPS):
        constant, shift = choose.getrandbits(32) | 1, choose.randrange(1, 31)
        kind = choose.randrange(3)
        lines.append(("    x = (x ^ %uu) + (x >> %u);", "    x = x * 9 + %uu - (x << %u);", "    x = (x << 3 | x >> 29) ^ %uu ^ (x >> %u);")[kind] % (constant, shift))
        steps.append((kind, constant, shift))

    def run(x):
        for kind, constant, shift in steps:
            if kind == 0:
                x = (x ^ constant) + (x >> shift)
            elif kind == 1:
                x = x * 9 + constant - (x << shift)
            else:
                x = (x << 3 | x >> 29) ^ constant ^ (x >> shift)
            x &= MASK
        return x
    body = "\n".join(lines)
    return f"__attribute__((noinline)) static uint32_t step{number}(uint32_t x) {{\n{body}\n    return x;\n}}\n", run


def main():
    count, source, expected = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    choose = random.Random(count)
    functions = [function(n, choose) for n in range(count)]
    value = 1
    for _ in range(ROUNDS):
        for _, run in functions:
            value = run(value)
    table = ", ".join(f"step{n}" for n in range(count))
    with open(source, "w", encoding="utf-8") as out:
        out.write("#include <stdint.h>\n#include <stdio.h>\n" + "".join(code for code, _ in functions) +
                  f"static uint32_t (*const steps[])(uint32_t) = {{{table}}};\n"
                  "int main(void) {\n    uint32_t x = 1;\n"
                  f"    for (int round = 0; round < {ROUNDS}; round++)\n        for (unsigned i = 0; i < {count}; i++)\n"
                  '            x = steps[i](x);\n    printf("%08x\\n", (unsigned)x);\n    return 0;\n}\n')
    with open(expected, "w", encoding="utf-8") as out:
        out.write(f"{value:08x}\n")


main()
