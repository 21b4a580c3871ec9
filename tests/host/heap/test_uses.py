#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon record --use-after-free: each access of a freed block and of guards that the device watches is found, with who did it, who
freed and who allocated the block, and nothing else is.

usage: test_uses.py --gnomon COMMAND --out FOLDER --wrong RECORDING --right RECORDING --plain ELF --unguarded ELF --lossy RECORDING --blocks N RECORDING...
--wrong and --right are of uses.c with N blocks, with and without the wrong parts; --lossy has lost messages; --plain and --unguarded
are programs without guards; the other recordings are of programs without mistakes."""
import json
import os
import sys

from checking import expect, result, same
from commands import run
from options import values

GNOMON, OUT, WRONG, RIGHT, PLAIN, UNGUARDED, LOSSY, BLOCKS, OTHERS = values(
    __doc__, "gnomon", "out", "wrong", "right", "plain", "unguarded", "lossy", "blocks", rest="RECORDING")
# kind, access, bytes, offset, times, functions, freed
READ = "read"
WANT = [("used-freed", READ, 24, 5, 3, ["looks", "reads_freed"], True), ("used-beyond", READ, 24, 7, 1, ["looks", "reads_freed"], True),
        ("used-freed", READ, 24, 0, 24, ["reads_freed", "main"], True), ("used-freed", "written", 21, 20, 1, ["changes", "writes_freed"], True),
        ("used-freed", "read and written", 21, 8, 1, ["adds", "writes_freed"], True),
        ("used-beyond", READ, 16, 0, 2, ["looks", "reads_beyond"], False), ("used-before", READ, 16, 0, 1, ["looks", "reads_beyond"], False),
        ("used-freed", READ, 40, 4, 1, ["looks", "reads_freed_later"], True)]


def mistakes(recording, status):
    done = run([GNOMON, "heap", "--json", "--mistakes", recording])
    same(f"{recording}: status", done.returncode, status, done.stderr)
    return json.loads(done.stdout)


def test_wrong():
    got = mistakes(WRONG, 4)
    expect("exact", got["exact"], got["reasons"])
    uses = [mistake for mistake in got["mistakes"] if mistake["kind"].startswith("used")]
    found = [(use["kind"], use["access"], use["bytes"], use["offset"], use["times"], [name.split(".")[0] for name in use["path"][:2]],
              use["freed_by"] is not None) for use in uses]
    same("one by one", found[:len(WANT)], WANT, uses)
    same("allocated by", {use["allocated_by"][0] for use in uses}, {"make"})
    same("freed by", {use["freed_by"][0] for use in uses if use["freed_by"]}, {"drop"})
    each = found[len(WANT):]
    same("each of the latest blocks", [(kind, access, times, path) for kind, access, _, _, times, path, _ in each],
         [("used-freed", READ, 1, ["looks", "reads_each"])] * 5 * int(BLOCKS))
    same("and what the guards show at the end", [mistake["kind"] for mistake in got["mistakes"] if mistake not in uses], ["written-freed"])
    text = run([GNOMON, "heap", "--mistakes", WRONG]).stdout
    whole = " ".join(text.split())
    for words in ("Read: the block at", "of 24 bytes, byte 5, after it was freed, by looks (called by reads_freed) at cycle", "and 2 times more; freed by drop at cycle",
                  "Written: the block at", "Read and written: the block", "byte 1 after its end, by looks (called by reads_beyond)", "and 1 time more",
                  "byte 1 before its start, by looks"):
        expect(f"text: {words}", words in whole, text)


def test_right():
    for recording in [RIGHT, *OTHERS]:
        got = mistakes(recording, 0)
        expect(f"{recording}: exact", got["exact"], got["reasons"])
        same(f"{recording}: none", got["mistakes"], [])


def test_lossy():
    """Whose a word is, is not known after a loss: nothing is found, and the first line says why."""
    got = mistakes(LOSSY, 4)
    expect("lossy: not exact", not got["exact"], got)
    same("lossy: no use", [mistake for mistake in got["mistakes"] if mistake["kind"].startswith("used")], [])


def test_dump():
    """What the program tells about the table is no allocation."""
    lines = run([GNOMON, "dump", WRONG]).stdout.splitlines()
    for words in ("heap: words are watched", "heap: no longer watched", "heap: table of words emptied", "heap grew by "):
        expect(f"dump: {words}", any(words in line for line in lines))
    sizes = [int(line.split()[-2]) for line in lines if "heap allocated" in line]
    expect("dump: sizes", sizes and max(sizes) <= 200, max(sizes, default=None))


def refused(what, words, *arguments):
    path = os.path.join(OUT, "refused.gnt")
    done = run([GNOMON, "record", "-q", "-o", path, "--use-after-free", *arguments])
    same(f"{what}: status", done.returncode, 2 if "needs --events" in words else 1, done.stderr)
    expect(f"{what}: message", words in done.stderr, done.stderr)


def test_refused():
    refused("no guards", "has no guards around the blocks of its heap", "--events", "-d", "sim:full", UNGUARDED)
    refused("no heap", "has no guards around the blocks of its heap", "--events", "-d", "sim:full", PLAIN)
    refused("no events", "--use-after-free needs --events", "-d", "sim:full", UNGUARDED)
    refused("no table", "cannot trace words of memory by their address", "--events", "-d", "sim:small", UNGUARDED)


def main():
    test_wrong()
    test_right()
    test_lossy()
    test_dump()
    test_refused()
    return result()


sys.exit(main())
