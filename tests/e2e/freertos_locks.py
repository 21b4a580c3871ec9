#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS with --gnomon-freertos: each task's lock messages are those that its calls should send, in order; switches, names and tables
are right; a profile of it is exact.

usage: freertos_locks.py ELF   (tests/firmware/freertos/locks.c; results go to build/e2e)
"""
import json
import re
import sys

from checking import check, expect, result, same
from commands import FAST, must
from e2e import OUT

WHAT = {(0, True): "A", (0, False): "R", (1, True): "Q", (1, False): "X"}
THREAD = 1  # channel
MUTEX, CRITICAL = 1, 11  # kinds
NAMES = {0: "main", 1: "producer", 2: "consumer", 3: "taker", 4: "control", 5: "IDLE"}
FUNCTIONS = {"main": "main", "producer": "produce", "consumer": "consume", "taker": "take", "control": "control", "IDLE": "prvIdleTask"}
# Kind and name by index: of queues and buffers the side of the room follows.
LOCKS = {1: (1, "guard"), 2: (12, "items"), 3: (12, "items"), 4: (2, "-"), 5: (5, "-"), 6: (5, "-"), 7: (8, "-"), 8: (12, "-"), 9: (12, "-"),
         10: (11, "-"), 11: (5, "taker"), 12: (13, "-")}


def record(elf, way):
    trace = OUT / f"freertos-locks{way}.gnt"
    text = must(["gnomon", "record", way, "-q", "-d", "sim:full", "-o", trace, *FAST, elf]).splitlines()
    report = json.loads(must(["gnomon", "report", "--json", "-i", trace]))
    same(f"{way}: exact", (report["exact"], report["reasons"]), (True, []))
    events = [json.loads(line) for line in must(["gnomon", "dump", "--json", "-i", trace]).splitlines()]
    same(f"{way}: lost", events[-1]["lost"], 0)
    return text, events


def check_tables(elf, text):
    symbols = {int(words[0], 16): words[2] for words in (line.split() for line in must(["riscv64-unknown-elf-nm", elf]).splitlines())
               if len(words) == 3 and words[1] in "tT"}
    threads = [re.fullmatch(r"thread (\d+) (\S+) start (0x[0-9a-f]+) state (\d)", line) for line in text]
    threads = {int(one[1]): (one[2], symbols.get(int(one[3], 16)), int(one[4])) for one in threads if one}
    same("threads", threads, {i: (name, FUNCTIONS[name], 2 if i in (1, 2, 3) else 1) for i, name in NAMES.items()})
    locks = [re.fullmatch(r"lock (\d+) kind (\d+) state (\d) wrong 0 thread \d name (\S+)", line) for line in text]
    locks = {int(one[1]): (int(one[2]), one[4]) for one in locks if one}
    same("locks", locks, LOCKS)


def check_order(locks):
    """At most one thread has a mutex or the critical section, and gives it up itself."""
    errors, owner, request = [], {}, set()
    for event in locks:
        lock, thread, what = event["lock"], event["by_thread"], WHAT[event["segment"], event["locks"]]
        if LOCKS[lock][0] not in (MUTEX, CRITICAL):
            continue
        if what == "Q":
            request.add((lock, thread))
        elif what == "A":
            if lock in owner or LOCKS[lock][0] == MUTEX and (lock, thread) not in request:
                errors.append(f"cycle {event['cycle']}: thread {thread} has lock {lock} of thread {owner.get(lock)}")
            owner[lock] = thread
            request.discard((lock, thread))
        elif owner.pop(lock, None) != thread:
            errors.append(f"cycle {event['cycle']}: thread {thread} gives up lock {lock}, which it has not")
    return errors


def check_blocks(events):
    """A task that blocks (lock 0) says so right before another one runs, and not when it is only preempted."""
    errors, blocked, waits = [], [], {}
    for event in events:
        if event["event"] == "channel" and event["number"] == THREAD:
            blocked = []
        elif event["event"] == "lock" and blocked:
            errors.append(f"cycle {event['cycle']}: message after a block")
        elif event["event"] == "lock" and event["lock"] == 0:
            blocked = [event]
            waits[event["thread_name"]] = waits.get(event["thread_name"], 0) + 1
    check(f"tasks that block: {waits}", errors)
    expect("all except IDLE block", set(waits) == set(NAMES.values()) - {"main", "IDLE"}, waits)


def main():
    elf, = sys.argv[1:]
    text, events = record(elf, "--events")
    check_tables(elf, text)
    check_blocks(events)
    locks = [event for event in events if event["event"] == "lock" and event["lock"]]
    running, wrong, switches = 0, [], 0
    for event in events:
        if event["event"] == "channel" and event["number"] == THREAD:
            expect("the thread that is announced did not run already", event["value"] != running, event)
            running, switches = event["value"], switches + 1
        elif event["event"] == "lock" and event["by_thread"] != running:
            wrong.append(f"{event} while thread {running} runs")
    check(f"{len(locks)} messages by the running thread, {switches} switches", wrong)
    expect("there are switches", switches > 30, switches)
    blocked = 0
    for line in text:
        found = re.fullmatch(r"log (\S+) (.*?) *", line)
        if not found:
            continue
        index = next(i for i, name in NAMES.items() if name == found[1])
        got = "".join(f"{WHAT[event['segment'], event['locks']]}{event['lock']} " for event in locks
                      if event["by_thread"] == index and LOCKS[event["lock"]][0] != CRITICAL)
        want = (found[2] + " ").replace("[", "(").replace("]", ")?")
        check(f"messages of {found[1]}", [] if re.fullmatch(want, got) else [f"{got}", f"not {found[2]}"])
        blocked += got.count("Q3 A3")
    expect("the producer waited for room", blocked > 0)
    check("owners", check_order(locks))
    critical = [event for event in locks if LOCKS[event["lock"]][0] == CRITICAL]
    expect("critical sections", len(critical) > 200 and len(critical) % 2 == 0, len(critical))
    record(elf, "--records")
    for name in ("producer", "consumer", "taker", "control", "IDLE"):
        only = json.loads(must(["gnomon", "report", "--json", "--thread", name, "-i", OUT / "freertos-locks--events.gnt"]))
        functions = {function["name"] for function in only["functions"] if function["calls"] and function["name"] in FUNCTIONS.values()}
        same(f"functions of {name}", (only["exact"], functions), (True, {FUNCTIONS[name]}))
    return result()


if __name__ == "__main__":
    sys.exit(main())
