#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Priority inversion in written histories: which threads `gnomon locks` names, and how many cycles.

usage: test_inversion.py --gnomon COMMAND --elf FILE --out FOLDER"""
import sys

from checking import result, same
from options import values
from turns import ACQUIRED, LOST, RELEASED, blocks, shown, take, write_turns

GNOMON, ELF, OUT = values(__doc__, "gnomon", "elf", "out")
LOW, MIDDLE, HIGH, TOP = 2, 3, 4, 5
NAMES = {LOW: "low", MIDDLE: "middle", HIGH: "high", TOP: "top"}
PRIORITIES = {LOW: (1, 1), MIDDLE: (2, 2), HIGH: (3, 3), TOP: (4, 4)}


def inversions(name, turns, priorities):
    path = f"{OUT}/{name.replace(' ', '-')}.gnt"
    write_turns(path, ELF, NAMES, turns, priorities)
    return [(one["waiter"], one["owner"], one["middle"], one["lock"], one["has"], one["count"], one["cycles"], one["max"])
            for one in shown(GNOMON, path, "--json")["priority_inversions"]]


def check(name, turns, *wanted, priorities=None):
    same(name, inversions(name, turns, {**PRIORITIES, **(priorities or {})}), list(wanted))


WAITS = [(LOW, take(1)), (HIGH, blocks(1))]
GOES_ON = [(LOW, [(RELEASED, 1)]), (HIGH, [(ACQUIRED, 1), (RELEASED, 1)])]
FOUND = ("high", "low", "middle", "a", "a")

check("plain", [*WAITS, (MIDDLE, [])] + GOES_ON, (*FOUND, 1, 10, 10))
check("two stretches", [*WAITS, (MIDDLE, []), (LOW, []), (MIDDLE, take(2))] + GOES_ON, (*FOUND, 1, 40, 40))
check("two waits", 2 * [*WAITS, (MIDDLE, [(ACQUIRED, 2), (RELEASED, 2)]), *GOES_ON], (*FOUND, 2, 60, 30))
check("until the end", [*WAITS, (MIDDLE, [])], (*FOUND, 1, 10, 10))
check("before it waits", [(LOW, take(1)), (MIDDLE, []), (HIGH, blocks(1))] + GOES_ON)
check("after the release", [*WAITS, (LOW, [(RELEASED, 1)]), (MIDDLE, []), (HIGH, [(ACQUIRED, 1)])])
check("equal to the owner", [*WAITS, (MIDDLE, [])] + GOES_ON, priorities={MIDDLE: (1, 1)})
check("equal to the waiter", [*WAITS, (MIDDLE, [])] + GOES_ON, priorities={MIDDLE: (3, 3)})
check("a higher one", [*WAITS, (TOP, [])] + GOES_ON)
check("no priority known", [*WAITS, (MIDDLE, [])] + GOES_ON, priorities={MIDDLE: (0, 3)})
check("perhaps not lower", [*WAITS, (MIDDLE, [])] + GOES_ON, priorities={LOW: (1, 2)})
check("perhaps not higher", [*WAITS, (MIDDLE, [])] + GOES_ON, priorities={HIGH: (2, 3)})
check("changed, and certain", [*WAITS, (MIDDLE, [])] + GOES_ON, (*FOUND, 1, 10, 10), priorities={HIGH: (3, 9), LOW: (0, 1)})
check("the owner sleeps", [(LOW, take(1) + blocks()), (HIGH, blocks(1)), (MIDDLE, [])] + GOES_ON)
check("the owner has slept", [(LOW, take(1) + blocks()), (HIGH, blocks(1)), (LOW, []), (MIDDLE, [])] + GOES_ON, (*FOUND, 1, 10, 10))
check("the owner waits for a semaphore", [(LOW, take(1) + blocks(6)), (HIGH, blocks(1)), (MIDDLE, [])])
check("a chain", [(LOW, take(1)), (TOP, take(2) + blocks(1)), (HIGH, blocks(2)), (MIDDLE, [])], ("high", "low", "middle", "b", "a", 1, 10, 10),
      priorities={TOP: (2, 2)})
check("a circle", [(LOW, take(1) + blocks(2)), (TOP, take(2) + blocks(1)), (HIGH, blocks(2)), (MIDDLE, [])])
check("for the sake of a higher one", [(LOW, take(1)), (MIDDLE, take(2)), (HIGH, blocks(1)), (TOP, blocks(2)), (MIDDLE, [])])
check("not for its sake", [(LOW, take(1)), (MIDDLE, take(2)), (HIGH, blocks(1)), (TOP, blocks(1)), (MIDDLE, [])],
      ("high", "low", "middle", "a", "a", 1, 10, 10), ("top", "low", "middle", "a", "a", 1, 10, 10))
check("a reader", [(LOW, take(5)), (HIGH, blocks(4)), (MIDDLE, [])], ("high", "low", "middle", "rw", "rw", 1, 10, 10))
check("after a loss the state is unknown", [*WAITS, (MIDDLE, take(2)), (LOST, []), (MIDDLE, [])] + GOES_ON, (*FOUND, 1, 20, 20))
check("after a loss it is known again", [(LOST, []), *WAITS, (MIDDLE, [])] + GOES_ON, (*FOUND, 1, 10, 10))
check("many losses", 300 * [(HIGH, blocks(1)), (LOST, [])] + [*WAITS, (MIDDLE, [])], (*FOUND, 1, 10, 10))
sys.exit(result())
