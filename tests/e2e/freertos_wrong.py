#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS's mutexes used wrongly, tasks that block with a mutex, and priority inversion: `gnomon locks` has a sentence for each, with
exact cycles, and none where there is nothing wrong.

usage: freertos_wrong.py ELF   (tests/firmware/freertos/wrong.c; results go to build/e2e)
"""
import json
import re
import sys

from checking import expect, result, same
from commands import FAST, must
from e2e import OUT
from inversions import lost_cycles

ELF, = sys.argv[1:]
WRONG = (
    "meddler released owned, which owner had: 1 time",
    "destroyed_held was destroyed while owner had it: 1 time",
    "used_late, initialized in make, was used after it was destroyed.",
    "owner locked again again while it had it, and it is not recursive: 1 time",
)


def locks(mode):
    """The trace, what is said, without places in the source, and the JSON."""
    path = OUT / f"freertos-wrong-{mode}.gnt"
    must(["gnomon", "record", "-q", "--events", "-d", "sim:full", "-o", path, *FAST, ELF, "--", mode])
    text = " ".join(must(["gnomon", "locks", path]).split())
    return path, re.sub(r" \(wrong\.c:\d+\)", "", text), json.loads(must(["gnomon", "locks", "--json", path]))


def sleeps(path, thread):
    """Cycles from each message that the task blocks until it runs again."""
    found, since = [], None
    for event in map(json.loads, must(["gnomon", "dump", "--json", path]).splitlines()):
        if event["event"] == "lock" and event["thread_name"] == thread and event["lock"] == 0:
            since, index = event["cycle"], event["by_thread"]
        elif since and event["event"] == "channel" and event["number"] == 1 and event["value"] == index:
            found.append(event["cycle"] - since)
            since = None
    return found


def check_misuse():
    path, text, shown = locks("misuse")
    same("nothing lost", (shown["exact"], shown["lost_messages"]), (True, 0))
    for sentence in WRONG:
        expect(f"says {sentence!r}", sentence in text, text)
    same("misuse", len(shown["misuse"]), len(WRONG))
    blocked = sleeps(path, "owner")[:2]  # a delay and a suspension with the mutex, then a delay within which it is given
    same("held while it slept", [(one["held"], one["waited"], one["count"], one["cycles"], one["max"], one["thread"]) for one in shown["held_while_waiting"]],
         [("owned", None, 2, sum(blocked), max(blocked, default=0), "owner")])


def check_chain():
    path, text, shown = locks("chain")
    waits = lost_cycles(path, "other_lock", "device_lock")
    same("waits", len(waits), 1)
    one, = shown["priority_inversions"] or [None]
    expect("chain: an inversion", one is not None, text)
    if one:
        same("chain", [one[key] for key in ("waiter", "owner", "middle", "lock", "has", "count", "cycles", "max")],
             ["high", "low", "middle", "other_lock", "device_lock", 1, sum(waits), max(waits)])
        same("chain: priorities", [one[f"{who}_priority"] for who in ("waiter", "owner", "middle")], [[3, 3], [1, 1], [2, 2]])
    expect("chain: said", "Priority inversion at other_lock: high (priority 3) waited in" in text and "while middle (priority 2) ran: 1 time" in text, text)


check_misuse()
check_chain()
for none in ("plain", "changed"):
    same(f"{none}: no inversion", locks(none)[2]["priority_inversions"], [])
sys.exit(result())
