#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes recordings that are larger than a simulation can make in reasonable time.

usage: make_big.py events|functions COUNT ELF FILE     events: COUNT events of 102 functions, marks and values;
                                                       functions: COUNT functions, each called once
"""
import random
import struct
import sys

import gnomon_trace as gt
from gnt_encoder import Encoder, gnt_bytes

BLOCK = 100_000
PLACE = struct.Struct("<HBBIQ")  # the beginning of a frame: its number, and the cycle where it begins


def moved(frame, number, cycles):
    """The frame as if this number of frames and cycles had been before."""
    magic, version, hart, own, base = PLACE.unpack_from(frame)
    return PLACE.pack(magic, version, hart, own + number, base + cycles) + frame[PLACE.size:]


def block_events(rng):
    """Calls, marks and values, all calls ended. Yields BLOCK events or a few more."""
    children = [[rng.randrange(n + 1, n + 40) % 120 for _ in range(rng.choice([1, 2, 2, 3]))] for n in range(120)]
    cycle, stack, count = 0, [], 0
    while count < BLOCK or stack:
        cycle += rng.choice([2, 3, 5, 8, 13, 21, 34, 90, 400])
        count += 1
        if count % 1000 == 0:
            yield cycle, "channel", gt.CHANNEL_MARK if count % 2000 else gt.CHANNEL_VALUE, count
        elif stack and (count >= BLOCK or len(stack) > 12 or rng.random() < 0.52):
            yield cycle, "exit", stack.pop()
        else:
            stack.append(rng.choice(children[stack[-1]]) if stack else 0)
            yield cycle, "enter", stack[-1]


def function_events(count):
    """A tree: each function calls the next ones, up to 16 deep."""
    cycle, stack = 0, []
    for number in range(count):
        if len(stack) == 16:
            for _ in range(1 + number * 7 % 15):
                cycle += 5
                yield cycle, "exit", stack.pop()
        cycle += 7 + number % 50
        stack.append(number)
        yield cycle, "enter", number
    while stack:
        cycle += 5
        yield cycle, "exit", stack.pop()


def encoded(events):
    """Frames, the number of the events, and the last cycle."""
    encoder = Encoder()
    count = 0
    for event in events:
        encoder.put(event)
        encoder.contents.clear()  # one list for each frame would not be needed, and grows
        encoder.contents.append([])
        count += 1
    encoder.end_frame()
    return encoder.frames, count, encoder.last


def main():
    kind, count, elf, path = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    block, block_count, length = encoded(block_events(random.Random(1)) if kind == "events" else function_events(count))
    times = max(1, count // block_count) if kind == "events" else 1
    frames = encoded([(0, "begin", 0x10000000)])[0]
    for _ in range(times):
        before = len(frames)
        frames += [moved(frame, before, length * (before // len(block))) for frame in block]
    cycle = length * times
    last = encoded([(cycle + 1, "end", 0, cycle, times * block_count, 0, 0)])[0]
    frames += [moved(frame, len(frames), cycle) for frame in last]
    with open(path, "wb") as file:
        file.write(gnt_bytes({"device": {}, "elf": {"path": elf}}, frames))


if __name__ == "__main__":
    main()
