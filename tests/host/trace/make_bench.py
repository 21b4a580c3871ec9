#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a trace like a real program's, for the decoder's benchmark: loops over a call tree, short functions.

usage: make_bench.py ELF FILE
"""
import random
import sys

from gnt_encoder import encode, gnt_bytes


def main():
    rng = random.Random(1)
    events, cycle, stack = [(0, "begin", 0x10000000)], 0, []
    children = [[rng.randrange(n + 1, n + 40) % 120 for _ in range(rng.choice([1, 2, 2, 3]))] for n in range(120)]
    while len(events) < 100_000 or stack:
        cycle += rng.choice([2, 3, 5, 8, 13, 21, 34, 90, 400])
        ending = len(events) >= 100_000 or len(stack) > 12
        if stack and (ending or rng.random() < 0.52):
            events.append((cycle, "exit", stack.pop()))
        else:
            number = rng.choice(children[stack[-1]]) if stack else 0
            events.append((cycle, "enter", number))
            stack.append(number)
    events.append((cycle + 1, "end", 0, cycle, len(events) - 1, 0, 0))
    frames, _ = encode(events)
    with open(sys.argv[2], "wb") as file:
        file.write(gnt_bytes({"device": {}, "elf": {"path": sys.argv[1]}}, frames))


if __name__ == "__main__":
    main()
