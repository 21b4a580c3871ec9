#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the cycles that the compact records take for an event of each kind, in a random program, without register
reads.

usage: bench_compact.py --simulation FILE --out FOLDER --json FILE
"""
import collections
import json
import os
import random

import records
import records_model
import run
from options import values

KINDS = {records_model.T_ENTER: "enter", records_model.T_EXIT: "exit", records_model.T_TRAP_ENTER: "trap entered", records_model.T_TRAP_LEAVE: "trap left",
         records_model.T_CHANNEL: "channel", records_model.T_LOST: "lost"}  # fmt: skip


def program(name, typical, **walk):
    rng = random.Random(name)
    script = records.Script(control=records.ALL | records_model.RECORDS_BIT)
    script.begin()
    records.walk(script, rng, 3000, records.gaps(rng, typical), records.numbers(rng, 512), **walk)
    script.quit()
    records.clear_first(script)
    return script


def main():
    simulation, folder, output = values(__doc__, "simulation", "out", "json")
    os.makedirs(folder, exist_ok=True)
    taken = collections.defaultdict(collections.Counter)
    for name, typical, walk in ("calls", 80, {"depth": 12}), ("threads", 80, {"depth": 4, "threads": 0.01, "traps": 0.1}), ("lost", 4, {"depth": 12}):
        path = f"{folder}/{name}.cycles"
        text, _ = run.simulate(os.path.abspath(simulation), folder, name, program(name, typical, **walk).lines, ["rate=1", f"cycles={path}"])
        records.need("PASS" in text, name, text)
        with open(path, encoding="ascii") as lines:
            for kind, cycles in (map(int, line.split()) for line in lines):
                taken[KINDS.get(kind, "other")][cycles] += 1
    table = [{"event": kind, "events": sum(seen.values()), "least": min(seen), "usual": seen.most_common(1)[0][0],
              "mean": round(sum(cycles * n for cycles, n in seen.items()) / sum(seen.values()), 1), "most": max(seen)}
             for kind, seen in taken.items()]
    print(f"{'event':14} {'events':>7} {'least':>6} {'usual':>6} {'mean':>6} {'most':>6}  cycles")
    for row in table:
        print(f"{row['event']:14} {row['events']:7} {row['least']:6} {row['usual']:6} {row['mean']:6} {row['most']:6}")
    with open(output, "w", encoding="utf-8") as file:
        json.dump(table, file, indent=1)


if __name__ == "__main__":
    main()
