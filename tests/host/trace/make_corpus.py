#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small sound traces with everything in them, for the test with damaged copies.

usage: make_corpus.py ELF FOLDER COUNT
"""
import random
import sys

from gnt_encoder import encode, gnt_bytes
from programs import Program


def main():
    elf, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    for seed in range(count):
        rng = random.Random(seed)
        program = Program(seed, length=rng.choice([3, 40, 300, 900]), functions=8, loss=seed % 2 > 0)
        frames, _ = encode(program.events, 256, rng.randrange)
        header = {"device": {"address": "sim:test", "stack_entries": 256}, "clock_hz": 60000000, "elf": {"path": elf}}
        with open(f"{folder}/corpus-{seed}.gnt", "wb") as file:
            file.write(gnt_bytes(header, frames))


if __name__ == "__main__":
    main()
