#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Zephyr's tracing callbacks (firmware/runtime/zephyr): compiled against declarations written from Zephyr's documentation, and called by a
tiny kernel in Zephyr's order. Each thread's messages, names, cycles, lock orders and wrong use.

usage: test_zephyr.py WORK_DIRECTORY FIRMWARE_DIRECTORY"""
import json
import pathlib
import sys

from checking import check, expect, result, same
from commands import FAST, must

HERE = pathlib.Path(__file__).resolve().parent / "zephyr"
WHAT = {(0, True): "A", (0, False): "R", (1, True): "Q", (1, False): "X"}
# Functions in which the thread changes have no hooks.
NO_HOOKS = ["--gnomon-exclude=sys_trace_*", "--gnomon-exclude=begin", "--gnomon-exclude=switch_to", "--gnomon-exclude-file=*gnomon_zephyr.c"]
# What the threads of threads.c send: Q request, A acquired, R released, X refused. 1 first, 2 second, 3 the semaphore, 4 the condition, 5 the
# event, 6 the queue and 7 its room.
ROUND = "Q1 A1 Q2 A2 A2 R2 R2 R1 "
MESSAGES = {"left": 3 * ROUND + "Q1 A1 Q4 R1 A4 Q1 A1 R1 R1 X1", "right": 3 * "Q1 A1 R1 " + "Q3 A3 X3 Q3 X3 Q5 A5", "mover": "R6 R6 R6 Q7 A7 R6",
            "control": "X7 " + 4 * "Q6 A6 " + "X6 Q2 A2 Q1 A1 R1 R2 R4 R3 X3 Q3 X3 R5"}
LOCKS = {"first": "recursive", "second": "recursive", "the semaphore": "semaphore", "condvar": "condition", "event": "condition", "msgq": "queue", "msgq (room)": "queue"}


def main():
    work, firmware = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    work.mkdir(parents=True, exist_ok=True)
    elf, trace = work / "threads.elf", work / "threads.gnt"
    must(["gnomon", "cc", "-O2", "-g", "-Wall", "-Wextra", "-Werror", *NO_HOOKS, f"-I{HERE}", f"-I{firmware}", "-o", elf, HERE / "threads.c", HERE / "kernel.c",
          firmware / "gnomon_zephyr.c"])
    same("what the program says", must(["gnomon", "record", "--events", "-q", "-d", "sim:full", "-o", trace, *FAST, elf]), "all ended\n")
    locks = json.loads(must(["gnomon", "locks", "--json", "-i", trace]))
    same("kinds", {lock["name"]: lock["kind"] for lock in locks["locks"]}, LOCKS)
    same("exact", (locks["exact"], locks["lost_messages"]), (True, 0))
    same("circles", [sorted((order["first"], order["second"]) for order in circle["orders"]) for circle in locks["circles"]], [[("first", "second"), ("second", "first")]])
    same("misuse", [(one["thread"], one["lock"], one["count"]) for one in locks["misuse"]], [("left", "first", 1)])
    report = json.loads(must(["gnomon", "report", "--json", "-i", trace]))
    same("the profile is exact", (report["exact"], report["reasons"]), (True, []))
    threads = {thread["thread"]: thread["name"] for thread in report["threads"]}
    same("threads", threads, dict(enumerate(("[start]", "left", "right", "mover", "control"))))
    sent = {}
    for line in must(["gnomon", "dump", "--json", "-i", trace]).splitlines():
        event = json.loads(line)
        if event["event"] == "lock":
            sent.setdefault(threads[event["by_thread"]], []).append(f"{WHAT[event['segment'], event['locks']]}{event['lock']}")
    for name, messages in MESSAGES.items():
        check(f"messages of {name}", [] if sent.get(name) == messages.split() else [" ".join(sent.get(name, [])), f"not {messages}"])
    expect("no other messages", set(sent) == set(MESSAGES), set(sent))
    return result()


if __name__ == "__main__":
    sys.exit(main())
