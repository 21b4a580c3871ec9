#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the threads layer costs, in cycles: one hart on each configuration, and the layer for two harts.

usage: bench_threads.py JSON   writes the table to JSON, too."""
import json
import pathlib
import sys

from commands import must

PROGRAM = "tests/bench/thread_costs.c"
OUT = pathlib.Path("build/bench/threads")
# column: device, options of gnomon cc
RUNS = {"full": ("full", []), "mid": ("mid", []), "small": ("small", []), "duo, two harts": ("duo", ["--gnomon-harts"]), "full, two harts": ("full", ["--gnomon-harts"])}
ROWS = {
    "create-join": "pthread_create until joined", "yield": "sched_yield, there and back", "mutex": "mutex: lock and unlock", "trylock": "mutex: trylock",
    "semaphore": "sem_wait and sem_post", "rwlock": "rwlock: rdlock and unlock", "spin": "spin: lock and unlock", "signal": "cond_signal, none waits",
}


def costs(device, options):
    elf = OUT / f"thread_costs{''.join(options)}.elf"
    must(["gnomon", "cc", "--gnomon-off", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", *options, PROGRAM, "-o", elf])
    lines = must(["gnomon", "run", "-d", f"sim:{device}", elf]).splitlines()
    return {name: int(cycles) for name, cycles in map(str.split, lines)}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    OUT.mkdir(parents=True, exist_ok=True)
    table = {column: costs(*run) for column, run in RUNS.items()}
    print(" " * 28 + "".join(f"{column:>17}" for column in table))
    for key, text in ROWS.items():
        print(f"{text:28}" + "".join(f"{column[key]:17,}" for column in table.values()))
    pathlib.Path(sys.argv[1]).write_text(json.dumps(table, indent=1), encoding="utf-8")


main()
