#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests threads on two harts (gnomon cc --gnomon-harts): self-checking programs on the simulated board duo; what both harts' traces say
of threads and locks; how programs end; that the same programs run on boards with one hart.

usage: test_threads_harts.py WORK_DIRECTORY [--short]"""
import argparse
import json
import pathlib
import re
import sys

from checking import check, expect, result, same
from test_threads import ENDS, compile_one, run

OPTION = "--gnomon-harts"
# Programs with arguments, by device. `timing` stays on one hart.
SHORT = {"duo": ["harts 6"]}
ALL = {"duo": ["harts 20", "harts 60", "lifecycle", "locks", "c11", "timing", "many 20"], "full": ["locks"], "small": ["c11"]}
# On hart 1, the device does not guard the stack.
ENDS_OF_TWO = ["deadlock", "alone", "guard", "exit", "return", "last", "crash"]
IDLE = {0: 1, 1: 2}  # the thread that stands for the time in which a hart idles


def run_programs(out, programs):
    for device, names in programs.items():
        for name, *arguments in map(str.split, names):
            elf = compile_one(out, name, OPTION)
            status, output, errors = run("gnomon", "run", "-q", "-d", f"sim:{device}", elf, "--", *arguments)
            good = not status and re.search(r"^[1-9]\d* checks, 0 failed$", output, re.M)
            check(f"{name} {' '.join(arguments)} on {device}", [] if good else [f"status {status}", output, errors])


def events_of(trace, hart):
    return [json.loads(line) for line in run("gnomon", "dump", "--json", "--hart", str(hart), "-i", trace)[1].splitlines()]


def runs_of(events, hart):
    """When which thread ran on a hart: [begin, end, thread]. Also the lock messages that another thread's number is in."""
    runs, strange, thread, since = [], [], 0 if hart == 0 else IDLE[1], 0
    for event in events:
        if event["event"] == "channel" and event["number"] == 1:
            runs.append((since, event["cycle"], thread))
            thread, since = event["value"], event["cycle"]
        elif event["event"] == "lock" and event["by_thread"] != thread:
            strange.append(f"hart {hart}, cycle {event['cycle']}: thread {event['by_thread']} sends while {thread} runs")
    runs.append((since, events[-1]["cycle"], thread))
    return runs, strange


def test_traces(out):
    """A thread runs on one hart at a time, and sends its lock messages there; mutexes exclude by the order of both traces."""
    elf, trace = compile_one(out, "harts", OPTION, "--gnomon-locks"), str(out / "harts.gnt")
    status, output, errors = run("gnomon", "record", "--events", "-q", "-d", "sim:duo", "-o", trace, elf, "--", "6")
    expect("record two harts", not status and "0 failed" in output, status, output, errors)
    both = {hart: events_of(trace, hart) for hart in (0, 1)}
    for hart in (0, 1):
        same(f"lost events of hart {hart}", both[hart][-1]["lost"], 0)
    found = {hart: runs_of(both[hart], hart) for hart in (0, 1)}
    check("lock messages are of the thread that runs", (found[0][1] + found[1][1])[:5])
    runs = sorted((begin, end, thread, hart) for hart in (0, 1) for begin, end, thread in found[hart][0])
    latest, wrong, moved, where = {}, [], set(), {}
    for begin, end, thread, hart in runs:
        if begin < latest.get(thread, 0):
            wrong.append(f"thread {thread} runs on hart {hart} at cycle {begin}, and on the other one up to {latest[thread]}")
        if where.get(thread, hart) != hart:
            moved.add(thread)
        latest[thread], where[thread] = max(end, latest.get(thread, 0)), hart
    check("a thread runs on one hart at a time", wrong[:5])
    expect("threads move between harts", len(moved) > 3, moved)
    same("each hart has its own idle time", [any(thread == IDLE[1 - hart] for _, _, thread in found[hart][0]) for hart in (0, 1)], [False, False])
    check("a mutex has one owner at a time", owners(both)[:5])


def owners(both):
    """What is wrong with acquisitions and releases, in the order of their cycles on both harts. Looks at locks that each thread gives up itself."""
    histories, wrong = {}, []
    for cycle, lock, thread, takes in sorted((event["cycle"], event["lock"], event["by_thread"], event["locks"])
                                             for hart in (0, 1) for event in both[hart] if event["event"] == "lock" and event["segment"] == 0):
        histories.setdefault(lock, []).append((cycle, thread, takes))
    compared = 0
    for lock, history in histories.items():
        balance = {thread: sum(1 if takes else -1 for _, other, takes in history if other == thread) for _, thread, _ in history}
        if len(balance) < 2 or any(balance.values()):
            continue
        owner, compared = None, compared + 1
        for cycle, thread, takes in history:
            if owner not in ((None,) if takes else (thread,)):
                wrong.append(f"lock {lock}: at cycle {cycle} thread {thread} {'takes' if takes else 'gives up'} what thread {owner} has")
            owner = thread if takes else None
    return wrong if compared >= 3 else [f"only {compared} locks compared"]


def test_ends(out):
    elf = compile_one(out, "dying", OPTION)
    for what in ENDS_OF_TWO:
        status, says, prints = ENDS[what]
        got = run("gnomon", "run", "-q", "-d", "sim:duo", elf, "--", what)
        good = got[0] == status and got[1] == prints and says in got[2] and bool(says) == bool(got[2])
        check(f"ends by {what} on two harts", [] if good else list(map(str, got)))


def test_limit(out):
    """A program that wants one hart leaves hart 1 in reset."""
    source = out / "limit.c"
    source.write_text('#include <pthread.h>\n#include <stdio.h>\n#include <gnomon/registers.h>\n#ifdef ONE\nconst unsigned gnomon_threads_harts = 1;\n#endif\n'
                      "static void *nothing(void *p) { return p; }\n"
                      "int main(void) { pthread_t t; pthread_create(&t, 0, nothing, 0); pthread_join(t, 0);\n"
                      'printf("%d\\n", *(volatile int *)GNOMON_SYSCTL_HART1_START & 1); return 0; }\n', encoding="utf-8")
    for options, started in (([OPTION], "1\n"), ([OPTION, "-DONE"], "0\n"), ([], "0\n")):
        elf = compile_one(out, "limit" + str(len(options)), *options, source=source)
        same(f"hart 1 is started, with {options}", run("gnomon", "run", "-q", "-d", "sim:duo", elf)[:2], (0, started))
    for other in ("--gnomon-freertos", "--gnomon-records=array"):
        status, _, errors = run("gnomon", "cc", OPTION, other, str(source), "-o", str(out / "refused.elf"))
        expect(f"{OPTION} with {other} is refused", status == 2 and "does not go together" in errors, status, errors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--short", action="store_true", help="only the load of both harts")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    run_programs(options.out, SHORT if options.short else ALL)
    if not options.short:
        test_traces(options.out)
        test_ends(options.out)
        test_limit(options.out)
    sys.exit(result())


if __name__ == "__main__":
    main()
