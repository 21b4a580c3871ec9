#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""With main memory in an SDRAM, a run takes the same cycles, with the same stall causes, no matter what the host
does before and during the run: open rows and the phase of the refresh depend only on the run. The counters of the
causes add up to all cycles of the run.

usage: test_sdram.py BOARD PROGRAM.bin"""
import random
import sys

from board import CONTROL, CYCLE_LO, RAM, STATUS, Board, Device

RESULTS, WORDS = RAM + 0x8000, 175  # the program's own measurements
SPARE = RAM + 0x100000              # memory that the program does not use
COUNT, STOP_STATUS, REFRESH_LO, PAGE_LO = 0xF0005080, 0xF0005004, 0xF0005028, 0xF0005030


def prepare(device, chance):
    """Different actions each time: opens rows all over memory, and pauses."""
    for _ in range(chance.randrange(30)):
        at = SPARE + 4 * chance.randrange(0x600000)
        if chance.randrange(2):
            assert device.write(at, *[chance.getrandbits(32) for _ in range(chance.randrange(1, 20))]) == 0
        else:
            assert device.read(at, chance.randrange(1, 40))[1] == 0


def wide(device, at):
    low, high = device.read(at, 2)[0]
    return high << 32 | low


def run(device, image, chance, polls):
    device.load(image)
    prepare(device, chance)
    device.events = []
    device.run(exits=False)
    for _ in range(polls):
        assert device.read(CYCLE_LO, chance.randrange(1, 3))[1] == 0
        assert device.read(RAM + 4 * chance.randrange(64))[1] in (0, 3)  # refused while the hart runs
    while not device.events:
        kind, number, payload, _ = device.unit()
        device.take_unit(kind, number, payload)
    assert device.events == [(1, 0)], device.events
    assert device.read(STATUS)[0][0] & 3 == 3
    while not device.read(STOP_STATUS)[0][0] & 4:
        pass
    causes = [wide(device, COUNT + 8 * cause) for cause in range(16)]
    memory = [wide(device, REFRESH_LO), wide(device, PAGE_LO)]
    words, status = device.read(RESULTS, WORDS)
    assert status == 0
    return causes + memory, words


def main():
    binary, program = sys.argv[1:]
    with open(program, "rb") as file:
        image = file.read()
    image += b"\0" * (-len(image) % 4)
    seen = []
    for seed in range(2):
        chance = random.Random(seed)
        with Board(binary, "--once") as board:
            device = Device(board)
            for polls in (0, 3, 40):
                seen.append(run(device, image, chance, polls))
            # Released and stopped again at once, with memory requests in between: they may be refused but never wait.
            assert device.write(CONTROL, 1) == 0
            assert device.write(CONTROL, 0) == 0
            assert device.read(RAM)[1] in (0, 3)
            assert device.write(CONTROL, 1) == 0
            assert device.read(RAM)[1] == 0
            seen.append(run(device, image, chance, 5))
            device.close()
    causes, words = seen[0]
    for number, other in enumerate(seen):
        assert other == seen[0], f"run {number} differs: {other[0]}, not {causes}" + ("" if other[1] == words else "; so do its own figures")
    assert causes[16] > 0 and causes[17] > 0, causes
    print(f"{binary}: {len(seen)} runs, each of {sum(causes)} cycles, {causes[16]} for refreshes, {causes[17]} for rows: good")


main()
