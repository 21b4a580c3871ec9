#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS with 300 tasks: the mutex's messages are all counted, and the reports say which tasks they cannot tell apart.

usage: freertos_many.py ELF   (tests/firmware/freertos/many.c; results go to build/e2e)
"""
import json
import sys

from checking import expect, result, same
from commands import FAST, must
from e2e import OUT

TASKS, ROUNDS = 300, 3
INDICES = 255  # of the table of threads: main's, and 254 tasks
WITHOUT = TASKS + 1 - (INDICES - 1)  # with IDLE


def main():
    elf, = sys.argv[1:]
    trace = OUT / "freertos-many.gnt"
    text = must(["gnomon", "record", "--events", "-q", "-d", "sim:full", "-o", trace, *FAST, elf])
    same("what the program says", text, f"sum {TASKS * ROUNDS} threads {INDICES} refused {WITHOUT}\n")
    locks = json.loads(must(["gnomon", "locks", "--json", "-i", trace]))
    same("lost, refused", (locks["lost_messages"], locks["threads_refused"]), (0, WITHOUT))
    same("misuse, circles, deadlocks", (locks["misuse"], locks["circles"], locks["deadlocks"]), ([], [], 0))
    mutex = next(lock for lock in locks["locks"] if lock["kind"] == "mutex")
    same("mutex", (mutex["acquisitions"], mutex["releases"]), (TASKS * ROUNDS, TASKS * ROUNDS))
    expect("not all waits are known", mutex["waits_unknown"] > 0 and not mutex["exact"], mutex["waits_unknown"])
    critical = next(lock for lock in locks["locks"] if lock["kind"] == "critical")
    expect("critical sections end", critical["acquisitions"] - critical["releases"] in (0, 1), critical)
    expect("the table says so", f"no place for {WITHOUT} threads" in must(["gnomon", "locks", "-i", trace]))
    calls = {function["name"]: function["calls"] for function in json.loads(must(["gnomon", "report", "--json", "-i", trace]))["functions"]}
    same("calls", (calls["add"], calls["work"]), (TASKS * ROUNDS, TASKS))
    return result()


if __name__ == "__main__":
    sys.exit(main())
