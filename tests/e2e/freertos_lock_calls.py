#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutexes and semaphores of FreeRTOS by hookless call tracing, with a kernel that says which task runs: `gnomon locks` shows the counts, threads
and call sites that it shows of the same program with --gnomon-freertos. A kernel that does not say it gets a sentence; so do locks of unknown kind.

usage: freertos_lock_calls.py --out FOLDER UNTOLD TOLD MESSAGES   (the same program of tests/firmware/freertos)"""
import json
import sys

from checking import expect, result, same
from commands import FAST, must, run
from options import values

OUT, (UNTOLD, TOLD, MESSAGES) = values(__doc__, "out", rest="UNTOLD TOLD MESSAGES")
COUNTS = ("requests", "acquisitions", "refused", "releases", "contended", "uncontended")


def record(elf, name, *options, status=0):
    path = f"{OUT}/{name}.gnt"
    done = run(["gnomon", "record", "--events", "-d", "sim:full", "-o", path, *FAST, *options, elf])
    same(f"{name}: status of record", done.returncode, status, done.stderr)
    return path, done.stderr


def locks(path):
    return json.loads(must(["gnomon", "locks", "--json", path]))


def place(where):
    return where and (where["function"], where["line"])


def counts(part):
    return tuple(part[key] for key in COUNTS)


def figures(shown):
    """Of mutexes and semaphores; queues and critical sections are left out."""
    return {lock["name"]: {
        "kind": lock["kind"], "registered": place(lock["registered_by"]), "destroyed": lock["destroyed"], "counts": counts(lock),
        "tries": lock["tries"], "recursive": lock["recursive"], "holds": lock["hold"]["count"], "exact": lock["exact"],
        "threads": sorted(counts(part) for part in lock["by_thread"]),
        "callers": sorted((place(part["caller"]), counts(part)) for part in lock["by_caller"])}
        for lock in shown["locks"] if lock["kind"] not in ("queue", "critical")}


def misuse(shown):
    return [(one["what"], one["lock"], one["count"], place(one["caller"])) for one in shown["misuse"]]


def check_same():
    want, got = locks(record(MESSAGES, "messages")[0]), locks(record(TOLD, "told", "--watch-locks")[0])
    expect("exact", got["exact"] and not got["lost_messages"], got["reasons"])
    same("the locks", sorted(figures(got)), ["gone", "guard", "items", "nested", "signal_"])
    same("no others", len(got["locks"]), 5)
    for name, figure in figures(want).items():
        same(name, figures(got).get(name), figure)
    same("misuse", misuse(got), misuse(want))
    expect("some waited", figures(got)["guard"]["counts"][4] > 1, figures(got)["guard"])


def check_unknown(name, more, unknown):
    """Without the functions that create mutexes, it is not known which locks are some."""
    given = [part for function in ("xQueueSemaphoreTake", "xQueueGenericSend", *more) for part in ("--lock-function", f"{function}={function}")]
    path, _ = record(TOLD, name, *given)
    shown = locks(path)
    same(f"{name}: kinds", {lock["kind"] for lock in shown["locks"]}, {"semaphore"})
    reasons = {reason["id"]: reason["count"] for reason in shown["reasons"]}
    same(f"{name}: not exact, and why", (shown["exact"], reasons.get("lock-kinds")), (False, unknown))
    expect(f"{name}: says so", "semaphores may be mutexes: figures are inexact" in must(["gnomon", "locks", path]).splitlines()[0])


def check_refused():
    path, _ = record(UNTOLD, "untold", "--watch-locks")
    done = run(["gnomon", "locks", path])
    expect("the kernel does not say which task runs", done.returncode == 1 and not done.stdout and "sent no message THREAD" in done.stderr
           and "traceTASK_SWITCHED_IN" in done.stderr and "--gnomon-freertos" in done.stderr, done.returncode, done.stdout, done.stderr)
    _, said = record(MESSAGES, "not", "--watch-locks", status=2)
    expect("it sends messages already", "sends messages about its locks already" in said, said)


check_same()
check_unknown("uses-only", [], 6)
check_unknown("inlined", ["xQueueGenericCreateStatic"], 5)
check_refused()
sys.exit(result())
