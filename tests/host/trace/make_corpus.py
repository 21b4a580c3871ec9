#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes small valid traces with all kinds of events, for the fuzzer with damaged copies.

usage: make_corpus.py --elf FILE --out FOLDER --count FILES
"""
import random

from gnt_encoder import encode, encode_harts, gnt_bytes
from options import values
from histories import events, History
from programs import Program


def with_records(elf):
    """Makes a trace with function records."""
    frames, _ = encode([(0, "begin", 0), (30, "channel", 20, 7), (900, "end", 0, 500, 13, 0, 0)], 256, random.randrange)
    header = {"device": {"address": "sim:test", "stack_entries": 256}, "clock_hz": 60000000, "elf": {"path": elf}, "records": True}
    lines = [[n, n + 1, 100 * n, 200 * n, n, 90 * n, n] for n in range(4)] + [[2048 - 64 + 39, 2, 50, 50, 20, 30, 0],
                                                                              [2048 - 64 + 31, 0, 250, 900, 2**36 - 1, 0, 0]]
    return gnt_bytes(header, frames, records={"size": 2048, "aggregated": 12, "overflow": 0, "unbalanced": 1, "untracked": 0,
                                              "records": lines, "with_arcs": True, "arc_overflow": 0,
                                              "arcs": [[0, 1, 2, 3, 4, 0], [0, 2, 2, 3, 4, 4], [1, 3, 1, 1, 1, 0]],
                                              "with_losses": True, "losses": [[1, 5, 60], [3, 0, 2]], "bucketed": 64, "buckets": [[1, 3, 2, 25, 0, 313, 0], [1, 6, 1, 90, 1, 4, 1], [3, 0, 1, 1, 0, 1, 0]]})


# Of cycles 1 to 900: 850 of two instructions, 40 of no instruction.
INSTRUCTIONS = {"cycles": 900, "unattributed": 40, "causes": [500, 100, 0, 0, 250, 0, 0, 0, 0, 0, 40, 0, 0, 10, 0, 0], "overflow": 3,
                "start": 0x10000000, "end": 0x10000800, "runs": 2,
                "instructions": [[0x10000010, 0, 200, 4, 250, 13, 10], [0x10000012, 0, 290, 1, 100]]}


def main():
    elf, folder, count = values(__doc__, "elf", "out", "count")
    for seed in range(int(count)):
        rng = random.Random(seed)
        program = Program(seed, length=rng.choice([3, 40, 300, 900]), functions=8, loss=seed % 2 > 0)
        frames, _ = encode(program.events, 256, rng.randrange)
        header = {"device": {"address": "sim:test", "stack_entries": 256}, "clock_hz": 60000000, "elf": {"path": elf},
                  "classes": ["functions", "traps", "channels"]}
        with open(f"{folder}/corpus-{seed}.gnt", "wb") as file:
            file.write(gnt_bytes(header, frames))
    with open(f"{folder}/corpus-records.gnt", "wb") as file:
        file.write(with_records(elf))
    frames, _ = encode([(0, "begin", 0), (30, "channel", 20, 7), (900, "end", 0, 500, 1, 0, 0)], 256, random.randrange)
    header = {"device": {"address": "sim:test", "stack_entries": 256}, "clock_hz": 60000000, "elf": {"path": elf}}
    with open(f"{folder}/corpus-instructions.gnt", "wb") as file:
        file.write(gnt_bytes(header, frames, instructions=INSTRUCTIONS))
    for seed in range(3):
        history = History(seed, 250)
        frames, _ = encode(events(history.messages, {60: 2} if seed else {}, history.cycle), 256, random.randrange)
        with open(f"{folder}/corpus-locks-{seed}.gnt", "wb") as file:
            file.write(gnt_bytes(header, frames, locks=history.tables()))
    for seed in range(4):  # two harts, with losses of one of them
        rng, history = random.Random(seed), History(seed + 10, 400)
        harts = [rng.randrange(2) for _ in history.messages]
        mine = [[m for m, hart in zip(history.messages, harts) if hart == one] for one in range(2)]
        streams = [with_calls(events(mine[one], {40: 3} if one == seed else {}, history.cycle), rng) for one in range(2)]
        header["device"]["harts"] = 2
        with open(f"{folder}/corpus-harts-{seed}.gnt", "wb") as file:
            file.write(gnt_bytes(header, encode_harts(streams, 256, rng.randrange), locks=history.tables(), other_hart=True))


def with_calls(stream, rng):
    """Adds calls and switches to other threads."""
    out = []
    for event in stream:
        out.append(event)
        if event[1] == "lock":
            out += rng.choice([[], [], [(event[0], "enter", rng.randrange(8))], [(event[0], "exit", rng.randrange(8))],
                               [(event[0], "channel", 1, rng.randrange(4))], [(event[0], "trap_enter", 39)], [(event[0], "trap_leave",)]])
    end = out.pop()
    return [*out, (*end[:4], end[4] + sum(event[1] not in ("begin", "lost", "lock") for event in out), *end[5:])]


if __name__ == "__main__":
    main()
