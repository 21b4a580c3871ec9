#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cache misses have stall causes of their own exactly where they must; the causes of all cycles add up to all
cycles.

usage: test_misses.py [--data-cache] BOARD PROGRAM.bin   --data-cache: the board has one"""
import sys

from board import RAM, Board, Device

RESULTS, TRAINING, TURNS, COUNTERS = RAM + 0x8000, 2, 5, 6
RUNS = "code cold", "code warm", None, "loads cold", "loads warm"  # None: loads that evict the lines of the next run
FETCH, DATA, ICACHE_MISS, DCACHE_MISS = 1, 6, 13, 14
# lines that the program loads from; cycles that each of these loads waits if it misses (docs/internals/soc.md)
LOADS, WAIT = 32, 2


def main():
    *option, binary, program = sys.argv[1:]
    has_data_cache = option == ["--data-cache"]
    with open(program, "rb") as file:
        image = file.read()
    with Board(binary, "--once") as board:
        device = Device(board)
        device.load(image + b"\0" * (-len(image) % 4))
        device.run()
        assert device.events == [(1, 0)], device.events
        words, status = device.read(RESULTS, TURNS * len(RUNS) * (COUNTERS + 1))
        assert status == 0
        device.close()
    seen = {}
    for run, name in enumerate(RUNS):
        if not name:
            continue
        turns = [words[(turn * len(RUNS) + run) * (COUNTERS + 1):][:COUNTERS + 1] for turn in range(TRAINING, TURNS)]
        cycles = {turn[COUNTERS] for turn in turns}
        causes = [count for turn in turns for count in turn[:COUNTERS]]
        assert len(cycles) == 1, f"{name}: the turns differ in their cycles: {cycles}"
        assert sum(causes) == turns[0][COUNTERS], f"{name}: causes {causes} are {sum(causes)}, not {cycles} cycles"
        seen[name] = causes, cycles.pop()
        print(f"{binary}: {name}: {seen[name][1]} cycles, fetch {causes[FETCH]}, data {causes[DATA]}, "
              f"misses {causes[ICACHE_MISS]} and {causes[DCACHE_MISS]}")
    (cold, cold_cycles), (warm, warm_cycles) = seen["code cold"], seen["code warm"]
    assert cold[ICACHE_MISS] > 32 and warm[ICACHE_MISS] == 0
    assert cold_cycles - warm_cycles == cold[ICACHE_MISS] + cold[FETCH] - warm[FETCH]
    assert all(causes[DATA] == 0 for causes, _ in seen.values()), "a memory that answers in the next cycle"
    (cold, cold_cycles), (warm, warm_cycles) = seen["loads cold"], seen["loads warm"]
    assert cold[ICACHE_MISS] == warm[ICACHE_MISS] == 0 and warm[DCACHE_MISS] == 0
    assert cold[DCACHE_MISS] == cold_cycles - warm_cycles == (WAIT * LOADS if has_data_cache else 0)


main()
