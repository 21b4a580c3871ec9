#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon cc --gnomon-heap=guard: what is written beyond a block, or after it was freed, is found, with who allocated and freed it, and
nothing else is.

usage: test_guard.py --gnomon COMMAND --out FOLDER --wrong RECORDING --right RECORDING RECORDING...
--wrong and --right are of overrun.c, with and without the wrong parts; the blocks of --right fill the quarantine several times;
the others are of programs without mistakes."""
import json
import sys

from checking import expect, result, same
from commands import run
from options import values

GNOMON, OUT, WRONG, RIGHT, OTHERS = values(__doc__, "gnomon", "out", "wrong", "right", rest="RECORDING")
# kind, bytes of the block, offset, who found it
WANT = [("written-beyond", 21, 0, "drop", "writes_first_byte_after"), ("written-beyond", 16, 7, "drop", "writes_eighth_byte_after"),
        ("written-before", 12, 1, "drop", "writes_before"), ("written-beyond", 30, 0, "writes_after_and_resizes", "main"),
        ("freed-twice", None, None, "drop", "frees_twice"), ("no-block", None, None, "drop", "frees_what_is_none"),
        ("no-block", None, None, "drop", "frees_what_is_none"), ("written-before", 8, 8, "drop", "writes_far"),
        ("written-beyond", 8, 0, "drop", "writes_far"), ("written-freed", 40, 5, "uses", "main"), ("written-beyond", 10, 1, None, None)]


def mistakes(recording, status):
    done = run([GNOMON, "heap", "--json", "--mistakes", recording])
    same(f"{recording}: status", done.returncode, status, done.stderr)
    got = json.loads(done.stdout)
    expect(f"{recording}: exact", got["exact"], got["reasons"])
    return got


def test_wrong():
    got = mistakes(WRONG, 4)
    found = []
    for mistake, (*_, by, caller) in zip(got["mistakes"], WANT):
        path = mistake["path"]
        found.append((mistake["kind"], mistake.get("bytes"), mistake.get("offset"), *((path[0], path[1]) if by else (None, None))))
    same("mistakes", (len(got["mistakes"]), found), (len(WANT), WANT), got["mistakes"])
    written = [mistake for mistake in got["mistakes"] if mistake["kind"].startswith("written")]
    allocated = [mistake["allocated_by"][0] for mistake in written]
    same("allocated by", allocated, ["make"] * len(written))
    same("freed by", [mistake["freed_by"] and mistake["freed_by"][0] for mistake in written if mistake["kind"] == "written-freed"], ["drop"])
    same("left", [(block["bytes"], block["path"][1]) for block in got["live"]], [(10, "writes_after_and_keeps")])
    text = run([GNOMON, "heap", "--mistakes", WRONG])
    whole = " ".join(text.stdout.split())
    for words in ("of 21 bytes, byte 1 after its end; allocated by make; found by drop", "of 12 bytes, byte 2 before its start",
                  "of 40 bytes, byte 5, after it was freed; freed by drop at cycle", "Freed twice:"):
        expect(f"text: {words}", words in whole, text.stdout)
    same("every sentence", text.stdout.count("Overwritten:") + text.stdout.count("Freed "), len(WANT), text.stdout)


def test_right():
    for recording in [RIGHT, *OTHERS]:
        got = mistakes(recording, 0)
        same(f"{recording}: none", got["mistakes"], [])
        text = run([GNOMON, "heap", "--mistakes", recording])
        expect(f"{recording}: text", text.returncode == 0 and "No wrong use of the heap was found." in text.stdout, text.stdout)


def main():
    test_wrong()
    test_right()
    return result()


sys.exit(main())
