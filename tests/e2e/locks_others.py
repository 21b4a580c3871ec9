#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of each lock in `gnomon locks` for a program that others wrote, difference 0: against the simulator's reference model of the
retired stores, and what that does not have (histograms, percentiles, threads, call sites) against an account of the messages here. The
program prints what it prints natively (PROGRAM none: it does not run natively).

usage: locks_others.py --simulators FOLDER --out FOLDER --native PROGRAM --input FILE -- ELF BOARD [ARGUMENT...]"""
import json
import os
import pathlib
import subprocess
import sys
import types

from checking import expect, result, same
from commands import FAST, must, sim_options
from options import values

SIMULATORS, OUT, NATIVE, INPUT, (ELF, BOARD, *ARGUMENTS) = values(__doc__, "simulators", "out", "native", "input", rest="ELF BOARD ARGUMENT")
os.environ["GNOMON_SIM_DIR"] = SIMULATORS
NAME = f"{pathlib.Path(ELF).name}-{BOARD}"
COUNTS = ("requests", "acquisitions", "refused", "releases")
PERCENTS = (50, 90, 99)
OWNED = {"mutex", "errorcheck", "recursive", "spin", "critical"}
LEAST = 100  # messages that a program sends


class Part:
    """The figures of a lock, or of one thread, hart or call site at it."""
    def __init__(self):
        self.count = dict.fromkeys((*COUNTS, "contended", "uncontended"), 0)
        self.holds, self.waits = [], []

    def figures(self):
        return {**self.count, "hold": brief(self.holds), "wait": brief(self.waits)}


def brief(times):
    return {"count": len(times), "cycles": sum(times), "max": max(times, default=0)}


def percentile(times, percent):
    """The end of the percentile's cell: each power of two has 64."""
    longest = sorted(times, reverse=True)[len(times) * (100 - percent) // 100]
    shift = max(longest.bit_length() - 7, 0)
    return min(((longest >> shift) + 1 << shift) - 1, max(times))


def whole(times):
    """All figures of `gnomon locks` for a list of durations."""
    cells = {}
    for time in times:
        start = 1 << time.bit_length() - 1 if time else 0
        cells[start] = cells.get(start, 0) + 1
    more = {"min": min(times), "max": max(times), "mean": sum(times) / len(times), **{f"p{percent}": percentile(times, percent) for percent in PERCENTS}} if times else {}
    return {"count": len(times), "cycles": sum(times), **more, "histogram": [{"from": start, "count": cells[start]} for start in sorted(cells)]}


class Lock:
    """The account of one lock of a kind that is owned, or of a condition or semaphore. `parts` has a Part for each key."""
    def __init__(self, owned):
        self.owned, self.parts, self.holders, self.asked, self.posts, self.across = owned, {}, {}, {}, 0, 0

    def part(self, *keys):
        return [self.parts.setdefault(key, Part()) for key in keys]

    @staticmethod
    def keys(event):
        return ("all", None), ("thread", event["by_thread"]), ("hart", event["hart"]), ("caller", event["data"])

    def message(self, event):
        thread, message, keys = event["by_thread"], event["message"], self.keys(event)
        key = {"request": "requests", "acquired": "acquisitions", "released": "releases"}.get(message, message)
        for part in self.part(*keys):
            part.count[key] += 1
        if message == "request":
            others = [holder[3] for other, holder in self.holders.items() if other != thread]
            self.asked[thread] = types.SimpleNamespace(since=event["cycle"], keys=keys, hart=event["hart"], held=bool(others), posts=self.posts, blocked=False,
                                                       across=bool(others) and event["hart"] not in others)
        elif message == "released":
            self.posts += 1
            self.release(thread, event["cycle"])
        else:
            self.answer(thread, event["cycle"], message == "refused")
            if message == "acquired" and self.owned:
                self.overtake(event["hart"])
                depth, since, first, hart = self.holders.get(thread, (0, event["cycle"], keys, event["hart"]))
                self.holders[thread] = (depth + 1, since, first, hart)

    def overtake(self, hart):
        """Who asked before has to wait, also if the lock was free then."""
        for asked in self.asked.values():
            asked.across = asked.across if asked.held else asked.hart != hart
            asked.held = True

    def blocks(self, thread):
        """The runtime's message that the thread waits."""
        if thread in self.asked:
            self.asked[thread].blocked = True

    def answer(self, thread, cycle, refused):
        if thread not in self.asked:
            return
        asked = self.asked.pop(thread)
        contended = asked.held if self.owned else refused or asked.posts != self.posts
        if self.owned and asked.blocked:
            expect(f"{NAME}: a request whose thread blocked is contended", contended, vars(asked))
        self.across += asked.across
        for part in self.part(*asked.keys):
            part.count["contended" if contended else "uncontended"] += 1
            part.waits += [cycle - asked.since] * contended

    def release(self, thread, cycle):
        if thread not in self.holders:
            return
        depth, since, keys, hart = self.holders.pop(thread)
        if depth > 1:
            self.holders[thread] = (depth - 1, since, keys, hart)
            return
        for part in self.part(*keys):
            part.holds.append(cycle - since)


def messages(trace, harts):
    found = []
    for hart in range(harts):
        options = ["--hart", hart] if harts > 1 else []
        events = map(json.loads, must(["gnomon", "dump", "--json", *options, trace]).splitlines())
        found += [{**event, "hart": hart} for event in events if event["event"] == "lock"]
    return sorted(found, key=lambda event: event["cycle"])


def account(events, kinds):
    locks = {}
    for event in events:
        if event["lock"]:
            locks.setdefault(event["lock"], Lock(kinds[event["lock"]] in OWNED)).message(event)
            continue
        for lock in locks.values():
            lock.blocks(event["by_thread"])
    return locks


def by(lock, what):
    return {key: part.figures() for (kind, key), part in lock.parts.items() if kind == what}


def compare_account(got, lock, harts):
    """What the reference model does not have."""
    where, own = f"{NAME}, {got['name']}, messages", lock.parts["all", None]
    same(f"{where}: counts", {key: got[key] for key in own.count}, own.count)
    same(f"{where}: holds and waits", [got["hold"], got["wait"]], [whole(own.holds), whole(own.waits)])
    shown = {kind: {part[key]: {name: part[name] for name in own.figures()} for part in got[f"by_{kind}"]}
             for kind, key in (("thread", "thread_index"), ("hart", "hart")) if f"by_{kind}" in got}
    shown["caller"] = {(part["caller"] or {"address": 0})["address"]: {name: part[name] for name in own.figures()} for part in got["by_caller"]}
    for kind, figures in shown.items():
        same(f"{where}: by {kind}", figures, by(lock, kind))
    if harts > 1:
        same(f"{where}: across harts", got["contended_across_harts"], lock.across if lock.owned else 0)


def compare_model(got, want):
    where, owned = f"{NAME}, {got['name']}", got["kind"] in OWNED
    for key in COUNTS:
        same(f"{where}: {key}", got[key], want[key])
    waits = want["held_waits"] if owned else want["posted_waits"]
    same(f"{where}: contended", got["contended"], waits["count"])
    same(f"{where}: waits", {"max": 0, **got["wait"]}, {**got["wait"], **waits})
    if not owned:
        same(f"{where}: holds", got["hold"]["count"], 0)
        return
    same(f"{where}: holds", {"max": 0, **got["hold"]}, {**got["hold"], **want["holds"]})
    holds = {str(part["thread_index"]): part["hold"] for part in got["by_thread"]}
    same(f"{where}: holds of threads", {thread: hold for thread, hold in holds.items() if hold["count"]},
         {thread: hold for thread, hold in want["holds_by_thread"].items() if hold["count"]})
    harts = {hart["hart"]: hart for hart in want["by_hart"]}
    for part in got.get("by_hart", []):
        same(f"{where}, hart {part['hart']}", [part[key] for key in (*COUNTS, "hold", "wait")], [harts[part["hart"]][key] for key in (*COUNTS, "holds", "held_waits")])


def record(trace, model):
    command = ["gnomon", "record", "-q", "--events", "-d", f"sim:{BOARD}", "-o", trace, *FAST, *sim_options("--oracle", f"{ELF}={model}"), ELF, "--", *ARGUMENTS]
    printed = []
    for words in [command] + ([[NATIVE, *ARGUMENTS]] if NATIVE != "none" else []):
        with open(INPUT, "rb") as text:
            done = subprocess.run(words, stdin=text, capture_output=True, check=False)
        same(f"{NAME}: status of {words[0]}", done.returncode, 0, done.stderr.decode())
        printed.append(done.stdout)
    same(f"{NAME}: prints what it prints natively", printed, printed[:1] * len(printed))


def check(trace, model):
    record(trace, model)
    shown = json.loads(must(["gnomon", "locks", "--json", trace]))
    with open(model, encoding="utf-8") as file:
        want = {lock["index"]: lock for lock in json.load(file)["locks"]}
    harts = shown.get("harts", 1)
    same(f"{NAME}: nothing lost", (shown["lost_messages"], shown["locks_refused"], shown["threads_refused"], shown["exact"]), (0, 0, 0, True))
    same(f"{NAME}: locks", {lock["index"] for lock in shown["locks"] if lock["requests"] + lock["acquisitions"] + lock["releases"] + lock["refused"]}, set(want))
    events = messages(trace, harts)
    expect(f"{NAME}: messages", len(events) > LEAST, len(events))
    locks = account(events, {lock["index"]: lock["kind"] for lock in shown["locks"]})
    for got in shown["locks"]:
        if got["index"] in want:
            compare_model(got, want[got["index"]])
            compare_account(got, locks[got["index"]], harts)
    print(f"{NAME}: {len(want)} locks, {len(events)} messages, {sum(lock['contended'] for lock in shown['locks'])} contended requests")


check(f"{OUT}/{NAME}.gnt", f"{OUT}/{NAME}.model.json")
sys.exit(result())
