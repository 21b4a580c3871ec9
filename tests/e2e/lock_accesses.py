#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every access of the lock segments is in the trace, in the program's order, with what it accessed, in full also with what it wrote.

usage: lock_accesses.py ELF BOARD..."""
import itertools
import json
import pathlib
import sys

from checking import fail
from commands import must

ROUNDS = 300
ELF, *BOARDS = sys.argv[1:]
WITH_RECORDS = ("small", "full")
WITH_DATA = ("full",)  # the word that a store writes is in the trace


def access(segment, thread, lock, locks, write, data=None):
    return {"data": data, "event": "lock", "address": 0xE0000000 + segment * 0x1000000 + thread * 0x10000 + lock * 16 + locks * 8, "segment": segment,
            "by_thread": thread, "lock": lock, "locks": bool(locks), "write": bool(write)}


def without_data(event):
    return {**event, "data": None} if isinstance(event, dict) else event


def expected():
    for i in range(ROUNDS):
        thread = i & 255
        yield from ("enter take", access(0, thread, 5, 1, 1, thread), access(1, thread, 4095, 1, 0), access(1, thread, 4095, 1, 0), "exit take")
        yield from ("enter give", "channel", access(0, thread, 5, 0, 0), access(1, thread, 0, 0, 1, ~thread & 0xFFFFFFFF), "exit give")


def shown(event):
    """An event as `expected` has it; None for others."""
    kind = event["event"]
    if kind == "lock":
        return {key: event.get(key) for key in access(0, 0, 0, 0, 0)}
    if kind in ("enter", "exit") and event["function"] in ("take", "give"):
        return f"{kind} {event['function']}"
    return kind if kind == "channel" else None


def compare(board, options, want):
    if board not in WITH_DATA:
        want = [without_data(event) for event in want]
    trace = pathlib.Path(ELF).parent / f"lock_accesses.{board}{options[0]}.gnt"
    must(["gnomon", "record", "-q", "-d", f"sim:{board}", "-o", trace, *options, ELF, "--", ROUNDS])
    events = [json.loads(line) for line in must(["gnomon", "dump", "--json", "-i", trace]).splitlines()]
    if events[-1]["lost"] != 0:
        fail(f"{board} {options}: {events[-1]['lost']} events lost")
    got = [event for event in map(shown, events) if event]
    for at, (one, other) in enumerate(itertools.zip_longest(got, want)):
        if one != other:
            fail(f"{board} {options}: event {at} is {one}, not {other}")
    print(f"ok  {board} {' '.join(options)}: {sum(isinstance(one, dict) for one in got)} accesses")


ALL = list(expected())
for name in BOARDS:
    compare(name, ("--events",), ALL)
    compare(name, ("--events", "--no-locks"), [one for one in ALL if isinstance(one, str)])
    if name in WITH_RECORDS:
        compare(name, ("--records",), [one for one in ALL if one == "channel" or isinstance(one, dict)])
