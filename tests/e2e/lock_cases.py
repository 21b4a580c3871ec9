#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs with a deadlock, a mutex held while its thread waits, a convoy, a thread that ends with a mutex, and a mutex in freed memory:
what `gnomon locks` says of each.

usage: lock_cases.py --simulators FOLDER --out FOLDER ELF"""
import json
import os
import re
import sys

from checking import expect, result, same
from commands import FAST, must, run
from options import values
from terminal import on_terminal

SIMULATORS, OUT, (ELF,) = values(__doc__, "simulators", "out", rest="ELF")
os.environ["GNOMON_SIM_DIR"] = SIMULATORS


def recorder(name, path):
    return ["gnomon", "record", "--events", "-d", "sim:full", "-o", path, *FAST, ELF, "--", name]


def record(name, status=0):
    path = f"{OUT}/{name}.gnt"
    done = run(recorder(name, path))
    same(f"{name}: status of record", done.returncode, status, done.stderr)
    return path


def locks(*arguments):
    """What is said, in one line, without lines of the source."""
    return re.sub(r" \(lock_cases\.c:\d+\)", "", " ".join(must(["gnomon", "locks", *arguments]).split()))


def check(name, text, *patterns, never=()):
    for pattern in patterns:
        expect(f"{name}: {pattern}", re.search(pattern, text), text)
    for one in never:
        expect(f"{name}: no {one!r}", one not in text, text)


def check_deadlock():
    path = record("deadlock", status=1)  # the runtime ends the program
    check("deadlock", locks(path), r"DEADLOCK at the end of the recording: main waits for second in ask since cycle [\d,]+, which reversed has since cycle "
          r"[\d,]+ from take_both; reversed waits for first in ask since cycle [\d,]+, which main has since cycle [\d,]+ from take_both\.",
          r"Lock order both ways: .* for ever\. gnomon locks --order shows the stacks\.", never=["Convoy", "ended while"])
    shown = json.loads(must(["gnomon", "locks", "--json", path]))
    same("deadlock: JSON", (shown["deadlocks"], sorted(one["thread"] for one in shown["waiting_at_end"])), (1, ["main", "reversed"]))
    orders = locks("--order", path)
    check("orders", orders, r"first then second in ask \(1 time, by main\) first acquired in take_both take_both( deadlock)? main second asked for, first at cycle "
          r"[\d,]+, in ask ask take_both( deadlock)? main",
          r"second then first in ask \(1 time, by reversed\) second acquired in take_both take_both reversed first asked for, first at cycle [\d,]+, "
          r"in ask ask take_both reversed", never=["shows the stacks"])
    for command in (["locks", path], ["locks", "--order", path], ["locks", "--lock", "first", path], ["dump", path]):
        wide = [line for line in on_terminal("gnomon", *command)[1] if len(line) > 80]
        expect(f"{command} fits 80 columns", not wide, wide)
    lines = on_terminal("gnomon", "locks", "--by-caller", path)[1]
    expect("--by-caller: whole call sites in 80 columns", sum(bool(re.search(r" take_both \(lock_cases\.c:\d+\)$", line)) for line in lines) == 2, lines)
    names = {thread: (len(re.findall("DEADLOCK", locks("--thread", thread, path)))) for thread in ("main", "reversed")}
    same("the deadlock of each of its threads", names, {"main": 1, "reversed": 1})


def check_held():
    path = record("held")
    check("held", locks(path), r"first was held while a thread waited for items: 1 time, ([\d,]+) cycles, at most \1; first by main in held\.",
          never=["DEADLOCK", "Lock order", "Convoy"])
    check("not of the poster", locks("--thread", "poster", path), never=["held while"])


def check_convoy():
    path = f"{OUT}/convoy.gnt"
    status, lines = on_terminal(*recorder("convoy", path))
    same("convoy: status of record", status, 0, lines)
    told = [line for line in lines if line.startswith("5 threads: ") or "gnomon report --threads" in line]
    expect("record names the threads in 80 columns", len(told) == 2 and max(map(len, told)) <= 80, lines)
    check("convoy", locks(path), r"Convoy at first, 1 time: in the longest one there was always a thread that waited, for [\d,]+ cycles and 1\d acquisitions",
          r"first was held while a thread slept or waited for another thread: 18 times, [\d,]+ cycles, at most [\d,]+; first by crowd, which acquired it in crowd\.",
          never=["DEADLOCK", "ended while"])
    check("of the crowd", locks("--thread", "crowd", path), "Convoy at first")
    check("not of main", locks("--thread", "main", path), never=["Convoy"])


def check_ends():
    path = record("ends")
    check("ends", locks(path), r"leaver ended while it had second, acquired at cycle [\d,]+ in leave\.",
          r"was in memory that was freed while main had it, acquired at cycle [\d,]+ in ends\.", r"of free_read \(read\) was in memory that was freed while main had it, acquired at cycle [\d,]+ in free_read\.",
          r"of free_read \(read\) was in memory that was freed while reader had it, acquired at cycle [\d,]+ in read_on\.",
          never=["main ended", "was destroyed while"])
    check("of the leaver", locks("--thread", "leaver", path), "leaver ended", never=["freed"])
    check("of main", locks("--thread", "main", path), "freed while main had it", never=["leaver ended"])


check_deadlock()
check_held()
check_convoy()
check_ends()
sys.exit(result())
