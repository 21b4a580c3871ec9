# SPDX-License-Identifier: Apache-2.0
"""Stimuli for gnomon_profile with the bus filter."""
import random

from cases import (BUS_CONTROL, BUS_FIRST, BUS_LAST, CONTROL, DATA, HOST, IDLE, INSTRUCTION, Script, gaps, some_numbers, walk)
from trace_check import ACCESS, LOCK


def traffic(_config):
    """Any accesses of the bus: each end of the filter, each port, reads and writes, in the cycle of other events; then losses."""
    if not Script.filtered:
        return
    script = Script(want_forms=(LOCK, ACCESS), want_lost=False)
    script.read(3, BUS_CONTROL, 0x80000000)
    low, high = 0x10002000, 0x10002FFF
    script.begin()
    script.lock(9, 0xE0000008, 1)  # of an earlier run
    script.reset()
    script.begin()
    lanes = 0
    script.filter(low, high, 31, on=False)
    for port in (INSTRUCTION, DATA, HOST):
        script.bus(7, low, 1, port, 15, 1)
    for control in (0, 31, 1 | 8, 2 | 8, 3 | 4, 3 | 16, 3, 28):
        script.filter(low, high, control)
        for register, value in ((BUS_FIRST, low), (BUS_LAST, high), (BUS_CONTROL, control | 0x80000000)):
            script.read(1, register, value)
        script.read(1, CONTROL, script.control)
        for address in (low - 1, low, low + 1, high - 1, high, high + 1, 0, 0xFFFFFFFF, low | 0x80000000, 0xE0000008, 0xE1000010):
            for write in (0, 1):
                for port in (INSTRUCTION, DATA, HOST):
                    lanes = (lanes + 1) % 15
                    script.bus(7, address, write, port, lanes + 1, address * 0x01000193 + 5 & 0xFFFFFFFF)
        script.op(3000, IDLE)
    script.filter(0, 0xFFFFFFFF, 31)
    for number in range(20):
        here = (0x20000000 + 4 * number, number % 2, number % 3, 15, number)
        script.enter(9, number, here)
        script.channel(9, 8, number, here)
        script.lock(9, 0xE0000008, number % 2)
        script.exit(9, number, here)
        # Accesses of the data port in debug mode are not the program's.
        script.op(9, IDLE, 1, lock=(0x20000000, 1, DATA, 15, 1))
        script.op(9, IDLE, 1, lock=(0xE0000008, 1, DATA, 15, 1))
    script.op(9, IDLE, 1, lock=(0x20000000, 1, HOST, 15, 1))
    script.event(ACCESS, None, None, (0x20000000, 1, HOST, 15, 1), False)
    script.quit()
    yield "traffic", script, ["rate=1"], True
    for seed, args in enumerate((["rate=10"], ["random=1"], ["stall=60000"], ["rate=60"])):
        rng = random.Random(seed)
        script = Script(want_lost=True)
        script.filter(0x10000000, 0x1FFFFFFF, 31)
        script.begin()
        for _ in range(60):
            walk(script, rng, 60, gaps(rng, 3), some_numbers(rng), locks=0.1)
            for _ in range(rng.randrange(200)):
                base = rng.choice((0x10000000, 0x20000000, 0xE0000000))
                script.bus(rng.randrange(3), base + rng.randrange(1 << 24), rng.randrange(2), rng.randrange(3), rng.randrange(1, 16), rng.getrandbits(32))
        script.quit()
        yield f"traffic_lost{seed}", script, args, True
