#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon trace --word: each access of a word by each instruction, with its value; words that the program adds; a table that is full; no
cycle more with it.

usage: lock_words.py --out FOLDER --plain ELF ELF BOARD...
--plain: a program with the variable counted, for the last board, which has no lock words"""
import json
import os
import pathlib
import sys

from checking import expect, result, same
from commands import must, run
from options import values

OUT, PLAIN, (ELF, *BOARDS) = values(__doc__, "out", "plain", rest="ELF BOARD")
OUT, ELF = pathlib.Path(OUT), os.path.abspath(ELF)
OUT.mkdir(parents=True, exist_ok=True)


def trace(board, *options, program=()):
    done = run(["gnomon", "trace", "-d", f"sim:{board}", "--json", "-o", OUT / "words.gnt", *options, ELF, "--", *program])
    expect(f"{board} {options}: status", done.returncode == 0, done.returncode, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def accesses(events):
    return [event for event in events if event["event"] == "access"]


def brief(one):
    return one["name"], one["offset"], "amo" if one["write"] and one["read"] else "write" if one["write"] else "read", one["size"], one["data"]


def expected_spin():
    """amoswap, amoadd, store; the first exchange finds 7 and does not wait for 0."""
    for i in range(8):
        yield "spin", 0, "amo", 4, i + 1
        yield "spin", 0, "amo", 4, i + 0x101
        yield "spin", 0, "write", 4, 0


def expected_small():
    for i in range(2):
        yield "small", 2 * i, "write", 2, 0x1234 + i
    for i in range(4):
        yield "small", 4 + i, "write", 1, 0x80 + i
    for i in (3, 2, 1, 0):
        yield "small", 4 + i, "read", 1, 0x80 + i


def known(board):
    events, said = trace(board, "--word", "spin", "--word", "small")
    got = accesses(events)
    same(f"{board}: accesses", [brief(one) for one in got], [*expected_spin(), *expected_small()])
    expect(f"{board}: their port", {one["port"] for one in got} == {"word"}, got[:1])
    expect(f"{board}: the summary", f"{len(got)} accesses in " in said and " 0 lost" in said, said)
    same(f"{board}: all events are these", events[-1]["produced"], len(got))
    again = must(["gnomon", "dump", "--json", "-i", OUT / "words.gnt"]).splitlines()
    same(f"{board}: gnomon dump", [json.loads(line) for line in again], events)
    text = must(["gnomon", "dump", "-i", OUT / "words.gnt"])
    expect(f"{board}: the text", "word        amo   4  0x" in text and "word        read  1  0x" in text and "= 0x83        small+7" in text, text[:3000])
    start = got[0]["address"]
    one, _ = trace(board, "--word", f"{start:#x}-{start + 1:#x}")
    same(f"{board}: by address", [brief(access) for access in accesses(one)], list(expected_spin()))
    with_bus, _ = trace(board, "--word", "spin", "--bus", "0xf0002000-0xf0002004", program=(1,))
    same(f"{board}: beside --bus", [brief(access) for access in accesses(with_bus) if access["port"] == "word" and "name" in access], list(expected_spin()))
    same(f"{board}: a word that the program added, without its message", [access["size"] for access in accesses(with_bus) if "place" in access], [4])
    expect(f"{board}: the bus", any(access.get("name") == "UART.DATA" for access in accesses(with_bus)), with_bus[:3])
    return events[-1]


def added(board):
    """The program's own words, more than have a place."""
    events, said = trace(board, "--word", "spin", "--events", program=(1500,))
    taken = min(1500, 1024) - 1  # spin has one; the words of the array are in turn in all sets
    expect(f"{board}: what the program was told", f"{taken} traced, {1500 - taken} full, 1 elsewhere, 0 unsupported" in said, said)
    own = [one for one in accesses(events) if one["name"] == "own"]
    same(f"{board}: accesses of its words", [brief(one) for one in own], [("own", 800 * i, "write", 4, i) for i in range(8) if 200 * i < taken + 1 and 200 * i < 1023])
    other, _ = trace(board, "--word", "small", "--events", program=(5,))
    same(f"{board}: the words of an earlier run are gone", {one["name"] for one in accesses(other)}, {"small", "own"})


def no_probe_effect(board, end):
    must(["gnomon", "record", "-q", "-d", f"sim:{board}", "-o", OUT / "plain.gnt", "--events", "--no-locks", ELF])
    plain = json.loads(run(["gnomon", "dump", "--json", "-i", OUT / "plain.gnt"]).stdout.splitlines()[-1])
    same(f"{board}: cycles and instructions without it", (end["cycle"], end["instructions"]), (plain["cycle"], plain["instructions"]))


def refused(board, without):
    done = run(["gnomon", "trace", "-d", f"sim:{board}", "--word", "own", "-o", OUT / "refused.gnt", ELF])
    expect("too many words", done.returncode == 2 and "has no place for the word at 0x" in done.stderr and "it has 1024 places, 1024 are taken" in " ".join(done.stderr.split()), done.stderr)
    done = run(["gnomon", "trace", "-d", f"sim:{board}", "--word", "0xf0002000-0xf0002004", "-o", OUT / "refused.gnt", ELF])
    expect("not in main memory", done.returncode == 2 and "0xf0002000 is not in main memory" in done.stderr, done.stderr)
    done = run(["gnomon", "trace", "-d", f"sim:{without}", "--word", "counted", "-o", OUT / "refused.gnt", PLAIN])
    expect("no lock words", done.returncode == 1 and f"sim:{without} cannot trace words of memory by their address" in " ".join(done.stderr.split()), done.stderr)


for one in BOARDS[:-1]:
    no_probe_effect(one, known(one))
    added(one)
refused(BOARDS[0], BOARDS[-1])
sys.exit(result())
