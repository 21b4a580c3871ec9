#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon trace of two harts: each access of words that both harts access, by --bus and by --word, with its hart, in the order of time.

usage: hart_words.py --out FOLDER ELF"""
import json
import pathlib
import sys

from checking import expect, result, same
from commands import FAST, must, run
from options import values

ROUNDS = 40


def trace(*options):
    done = run(["gnomon", "trace", "-d", "sim:duo", "--json", "-o", TRACE, *options, *FAST, ELF, "--", ROUNDS])
    expect(f"{options}: status", done.returncode == 0, done.returncode, done.stderr)
    expect(f"{options}: nothing is said to be missing", "warning" not in done.stderr, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def accesses(events, hart, name, offset=0):
    return [event for event in events if event["event"] == "access" and (event["hart"], event.get("name"), event.get("offset", 0)) == (hart, name, offset)]


def check(events, what):
    cycles = [event["cycle"] for event in events]
    same(f"{what}: the order of time", cycles, sorted(cycles))
    for hart in (0, 1):
        writes = [event["data"] for event in accesses(events, hart, "own", 4 * hart) if event["write"]]
        same(f"{what}: what hart {hart} wrote to its word", writes, list(range(ROUNDS)))
        same(f"{what}: hart {hart} does not touch the other's", accesses(events, hart, "own", 4 - 4 * hart), [])
        adds = [event["data"] for event in accesses(events, hart, "shared") if event["write"]]
        same(f"{what}: additions of hart {hart}", len(adds), ROUNDS)


def follows(what, events):
    """Each sum is the one before plus what its hart adds: no access is missing, and none is in the wrong place."""
    total = 1
    for event in (event for event in events if event.get("name") == "shared" and event["write"]):
        total += 1 + 256 * event["hart"]
        same(f"{what}: the word at cycle {event['cycle']}", event["data"], total)
    same(f"{what}: the last sum", total, 1 + 258 * ROUNDS)


TEXT, (ELF,) = values(__doc__, "out", rest="ELF")
TRACE = pathlib.Path(TEXT) / "words.gnt"
bus = trace("--bus", "own", "--port", "data")
cycles = [event["cycle"] for event in bus]
same("--bus: the order of time", cycles, sorted(cycles))
for one in (0, 1):
    same(f"--bus: what hart {one} wrote", [event["data"] for event in accesses(bus, one, "own", 4 * one) if event["write"]], list(range(ROUNDS)))
words = trace("--word", "own", "--word", "shared")
check(words, "--word")
follows("--word", words)
again = must(["gnomon", "dump", "--json", "--hart", "both", TRACE]).splitlines()
same("gnomon dump --hart both", [json.loads(line) for line in again], words)
one = [json.loads(line) for line in must(["gnomon", "dump", "--json", "--hart", "1", TRACE]).splitlines()]
same("gnomon dump --hart 1", [event["cycle"] for event in one if event["event"] == "access"], [event["cycle"] for event in words if event["event"] == "access" and event["hart"]])
text = must(["gnomon", "dump", "--hart", "both", TRACE])
expect("the text has a column for the hart", text.splitlines()[0].split()[:4] == ["cycle", "delta", "hart", "thread"], text[:200])
added = accesses(trace("--word", "shared", "--events"), 1, "asked")
same("a word that hart 1's program added", [event["data"] for event in added], [77])
sys.exit(result())
