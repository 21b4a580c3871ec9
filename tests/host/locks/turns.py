# SPDX-License-Identifier: Apache-2.0
"""Written histories of threads that take turns: what `gnomon locks` makes of them."""
import json

from checking import same
from commands import run
from gnt_encoder import encode, gnt_bytes
from histories import CODES

REQUEST, ACQUIRED, RELEASED, LOST = "request", "acquired", "released", "lost"
LOCKS = [[1, "mutex", 4096, "a", 0, 1], [2, "mutex", 4100, "b", 0, 1], [4, "rwlock", 4104, "rw", 0, 1], [5, "rwlock-read", 4104, None, 0, 1],
         [6, "semaphore", 4108, "items", 0, 1], [7, "condition", 4112, "news", 0, 1]]


def take(lock):
    return [(REQUEST, lock), (ACQUIRED, lock)]


def blocks(lock=None):
    return ([(REQUEST, lock)] if lock else []) + [(REQUEST, 0)]


def write_turns(path, elf, names, turns, priorities):
    """`turns`: (thread, its messages) each; 10 cycles between messages, and 10 from the last one to the switch."""
    happened, cycle = [(0, "begin", 0)], 100
    for thread, messages in turns:
        if thread == LOST:
            happened.append((cycle, "lost", 0, 0, 1, 0))
            continue
        happened.append((cycle, "channel", 1, thread))
        for what, lock in messages:
            cycle += 10
            segment, flag = CODES[what]
            happened.append((cycle, "lock", 1 | segment << 1, 0xE0000000 + segment * 0x1000000 + thread * 0x10000 + lock * 16 + flag))
        cycle += 10
    lost = sum(one[1] == "lost" for one in happened)
    happened.append((cycle, "end", 0, 100, len(happened) - 1, lost, 0))
    tables = {"threads": [[i, names[i], 0] for i in names], "locks": LOCKS, "threads_refused": 0, "locks_refused": 0,
              "priorities": [[thread, *both] for thread, both in priorities.items()]}
    header = {"device": {"address": "sim:test", "stack_entries": 256}, "clock_hz": 60000000, "elf": {"path": elf}}
    with open(path, "wb") as file:
        file.write(gnt_bytes(header, encode(happened, 256)[0], locks=tables))


def shown(gnomon, path, *options):
    done = run([gnomon, "locks", *options, path])
    same(f"{path}: status", done.returncode, 0, done.stderr)
    return json.loads(done.stdout) if "--json" in options else " ".join(done.stdout.split())
