#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Threads that sleep, or wait for other threads, while they have locks, in written histories: what `gnomon locks` says.

usage: test_sleeps.py --gnomon COMMAND --elf FILE --out FOLDER"""
import sys

from checking import expect, result, same
from options import values
from turns import ACQUIRED, LOST, RELEASED, REQUEST, blocks, shown, take, write_turns

GNOMON, ELF, OUT = values(__doc__, "gnomon", "elf", "out")
ONE, TWO, OTHER = 2, 3, 255
NAMES = {ONE: "one", TWO: "two"}


def path_of(name, turns):
    path = f"{OUT}/sleeps-{name.replace(' ', '-')}.gnt"
    write_turns(path, ELF, NAMES, turns, {})
    return path


def check(name, turns, *wanted):
    found = shown(GNOMON, path_of(name, turns), "--json")["held_while_waiting"]
    same(name, [(one["held"], one["waited"], one["count"], one["cycles"], one["max"], one["thread"], one["cycle"], one["caller"], one["held_caller"]) for one in found],
         [(*one, None, None) for one in wanted])


SLEEPS = [(ONE, take(1) + blocks())]
check("a sleep", [*SLEEPS, (TWO, []), (ONE, [(RELEASED, 1)])], ("a", None, 1, 20, 20, "one", 130))
check("two sleeps", [*SLEEPS, (TWO, []), (ONE, blocks()), (TWO, take(2)), (ONE, [(RELEASED, 1)])], ("a", None, 2, 60, 40, "one", 130))
check("two locks", [(ONE, take(1) + take(2) + blocks()), (TWO, []), (ONE, [])], ("a", None, 1, 20, 20, "one", 150), ("b", None, 1, 20, 20, "one", 150))
check("a shared lock", [(ONE, take(5) + blocks()), (TWO, []), (ONE, [])], ("rw (read)", None, 1, 20, 20, "one", 130))
check("no lock", [(ONE, take(1) + [(RELEASED, 1)] + blocks()), (TWO, []), (ONE, [])])
check("preempted", [(ONE, take(1)), (TWO, []), (ONE, [(RELEASED, 1)])])
check("until the end", [*SLEEPS, (TWO, [])])
check("for a lock", [(ONE, take(1) + blocks(2)), (TWO, []), (ONE, [(ACQUIRED, 2)])])
check("for a semaphore", [(ONE, take(1) + blocks(6)), (TWO, [(RELEASED, 6)]), (ONE, [(ACQUIRED, 6)])], ("a", "items", 1, 50, 50, "one", 130))
check("for a condition", [(ONE, take(1) + [(REQUEST, 7), (RELEASED, 1), (REQUEST, 0)]), (TWO, []), (ONE, [(ACQUIRED, 1), (ACQUIRED, 7)])])
check("after an answer", [(ONE, take(1) + take(6) + blocks()), (TWO, []), (ONE, [])], ("a", None, 1, 20, 20, "one", 150))
check("released by another", [*SLEEPS, (TWO, [(RELEASED, 1)]), (ONE, [])])
check("an index of several", [(OTHER, take(1) + blocks()), (TWO, []), (OTHER, [])])
check("after a loss", [*SLEEPS, (LOST, []), (TWO, []), (ONE, [])])
check("known again", [(ONE, []), (LOST, []), *SLEEPS, (TWO, []), (ONE, [])], ("a", None, 1, 20, 20, "one", 140))
TEXT = shown(GNOMON, path_of("text", [*SLEEPS, (TWO, []), (ONE, [(RELEASED, 1)])]))
expect("said", "a was held while a thread slept or waited for another thread: 1 time, 20 cycles, at most 20; first by one, which acquired it in ?." in TEXT, TEXT)
sys.exit(result())
