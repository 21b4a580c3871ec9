#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wrong use of locks by a program with the runtime's threads: each in a sentence of `gnomon locks`, and the counts of more locks and threads
than the program's tables have places for.

usage: lock_misuse.py --simulators FOLDER --out FOLDER ELF BOARD [many]   (many: also 10,000 locks and 300 threads)"""
import json
import os
import re
import sys

from checking import expect, result, same
from commands import FAST, must
from options import values

SIMULATORS, OUT, (ELF, BOARD, *MANY) = values(__doc__, "simulators", "out", rest="ELF BOARD")
os.environ["GNOMON_SIM_DIR"] = SIMULATORS
WRONG = (
    "meddler released owned, which main had: 1 time",
    "destroyed_held, initialized in wrong, could not be destroyed, because it was in use.",
    "used_late, initialized in wrong, was used after it was destroyed.",
    "initialized_twice, initialized in wrong, was initialized again before it was destroyed.",
    "was in memory that was freed before it was destroyed.",
)


def path_of(name):
    return f"{OUT}/misuse-{BOARD}-{name}.gnt"


def locks(name, *arguments):
    """What is said, without places in the source, and the JSON."""
    path = path_of(name)
    must(["gnomon", "record", "-q", "--events", "-d", f"sim:{BOARD}", "-o", path, *FAST, ELF, "--", *arguments])
    text = " ".join(must(["gnomon", "locks", path]).split())
    return text, json.loads(must(["gnomon", "locks", "--json", path]))


def check_wrong():
    text, shown = locks("wrong", "wrong")
    expect("nothing lost", shown["exact"] and shown["lost_messages"] == 0, shown["reasons"])
    plain = re.sub(r" \(lock_misuse\.c:\d+\)", "", text)
    for sentence in WRONG:
        expect(f"says {sentence!r}", sentence in plain, text)
    same("a sentence for each", len(shown["misuse"]), len(WRONG))
    check_sleeps(plain, shown["held_while_waiting"])
    tried = next(lock for lock in shown["locks"] if lock["name"] == "tried")
    same("a try that failed", (tried["refused"], tried["tries"], tried["contended"]), (1, 1, 0))


def sleeps(thread):
    """Cycles from each message that the thread blocks until it runs again; requests of locks that it did not have yet are left out."""
    events = map(json.loads, must(["gnomon", "dump", "--json", path_of("wrong")]).splitlines())
    found, since = [], None
    for event in events:
        if event["event"] == "lock" and event["by_thread"] == thread and event["lock"] == 0:
            since = event["cycle"]
        elif since and event["event"] == "channel" and event["number"] == 1 and event["value"] == thread:
            found.append(event["cycle"] - since)
            since = None
    return found


def check_sleeps(text, shown):
    """main sleeps with one mutex, then waits for a thread with two."""
    slept, joined = sleeps(0)
    same("held while main slept or waited", {one["held"]: (one["waited"], one["count"], one["cycles"], one["max"], one["thread"], one["held_caller"] is None) for one in shown},
         {"owned": (None, 2, slept + joined, max(slept, joined), "main", BOARD != "full"), "tried": (None, 1, joined, joined, "main", BOARD != "full")})
    expect("says so", "owned was held while a thread slept or waited for another thread: 2 times" in text, text)


def check_many():
    text, shown = locks("locks", "locks", 10000)
    same("10,000 locks", (shown["messages"], sum(lock["acquisitions"] for lock in shown["locks"]), len(shown["locks"])), (30000, 10000, 256))
    expect("locks without a place", f"no place for the locks of {2 * (10000 - 255):,} calls" in text, text[-300:])
    text, shown = locks("threads", "threads", 300)
    same("300 threads", (shown["messages"], [lock["acquisitions"] for lock in shown["locks"]]), (900, [300]))
    expect("threads without a place", f"no place for {300 - 253} threads" in text, text[-300:])


check_wrong()
if MANY:
    check_many()
sys.exit(result())
