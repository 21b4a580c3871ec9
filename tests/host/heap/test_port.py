#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon cc --gnomon-heap=guard with a heap of FreeRTOS's: each wrong use is found, that of malloc too, and nothing else is.

usage: test_port.py --gnomon COMMAND --wrong RECORDING RECORDING...
--wrong is of guarded.c, recorded with --use-after-free; the others are of programs without mistakes."""
import json
import sys

from checking import expect, result, same
from commands import must, run
from options import values

GNOMON, WRONG, RIGHT = values(__doc__, "gnomon", "wrong", rest="RECORDING")
# kind, bytes, offset, function, its caller
WANT = [("used-freed", 24, 5, "reads_freed"), ("used-beyond", 16, 0, "reads_beyond"), ("written-beyond", 21, 0, "drop", "writes_beyond"),
        ("written-freed", 40, 36), ("freed-twice", None, None, "drop", "frees_twice"), ("used-freed", 12, 3, "uses_malloc")]


def mistakes(recording, status):
    done = run([GNOMON, "heap", "--json", "--mistakes", recording])
    same(f"{recording}: status", done.returncode, status, done.stderr)
    got = json.loads(done.stdout)
    expect(f"{recording}: exact", got["exact"], got["reasons"])
    end = json.loads(must([GNOMON, "report", "--json", recording]))["end"]
    same(f"{recording}: what the program itself has checked", (end["reason"], end["status"]), ("exit", 0))
    return got["mistakes"]


def main():
    found = [(one["kind"], one.get("bytes"), one.get("offset"), *one["path"]) for one in mistakes(WRONG, 4)]
    for want in WANT:
        same(f"found once: {want}", [one[:len(want)] for one in found].count(want), 1, found)
    same("nothing else", len(found), len(WANT), found)
    for recording in RIGHT:
        same(f"{recording}: none", mistakes(recording, 0), [])
    return result()


sys.exit(main())
