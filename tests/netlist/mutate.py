#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds COUNT selectable faults to a netlist of yosys (mutant_i of netlist_tb.v, 1 to COUNT): each flips one bit of
one look-up table, as a broken synthesis would.

usage: mutate.py --count COUNT --seed N < NETLIST.v > MUTANTS.v"""
import random
import re
import sys

from options import values


def main():
    count, seed = map(int, values(__doc__, "count", "seed"))
    text = sys.stdin.read()
    chance = random.Random(seed)
    tables = list(re.finditer(r"SB_LUT4 #\(\s*", text))
    out, at = [], 0
    for number, table in enumerate(sorted(chance.sample(tables, count), key=lambda m: m.start()), 1):
        out.append(text[at:table.start()])
        out.append(f"mutant_lut #(.MUTANT({number}), .FLIPPED({chance.randrange(16)}), ")
        at = table.end()
    out.append(text[at:])
    sys.stdout.write("".join(out))


main()
