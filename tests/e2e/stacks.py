#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the device's checks of stacks: a stack overflow stops the program, and an unannounced switch of stacks is
counted.

usage: stacks.py --endless ELF --endless-small ELF --endless-watched ELF --switches ELF --coroutine ELF --landings ELF --landings-watched ELF
(programs of tests/e2e/programs; results go to build/e2e)
"""
import json
import re
import subprocess

from checking import fail
from commands import run
from e2e import GNOMON, OUT, report
from options import values

STACK = 2 << 20  # about the room that endless.c leaves for stack and heap
FRAME = 1000
SMALL_MOST = (64 << 10) // FRAME


def gnomon(command, board, *arguments):
    done = run([GNOMON, command, "-d", f"sim:{board}", *arguments])
    return done.returncode, done.stderr


def record(name, board, elf, *arguments, options=()):
    trace = OUT / f"{name}.gnt"
    status, text = gnomon("record", board, "-q", *options, "-o", str(trace), elf, "--", *arguments)
    return status, text, report(trace)[1]


def overflow(elf):
    """The device stops the program in the function that overflows the stack; the profile has all calls, up to the
    end of the heap."""
    status, text = gnomon("run", "full", elf)
    if status != 139 or not re.search(r"stack overflow in endless \(endless.c:\d+\)", text):
        fail(f"run: status {status}, {text}")
    for command, table in (("stat", "cycles          #"), ("tag -t endless", "Tags of")):
        status, text = gnomon(*command.split()[:1], "full", *command.split()[1:], elf)
        if status != 1 or "stack overflow in endless" not in text or table not in text:
            fail(f"{command}: status {status}, {text}")
    depths = []
    for heap in ("1", "300000"):
        status, text, result = record(f"endless-{heap}", "full", elf, heap)
        said = re.search(r"stack overflow in endless, called at most ([\d,]+) deep \(endless.c:\d+\)", text)
        if status != 1 or not said:
            fail(f"record: status {status}, {text}")
        depths.append(int(said[1].replace(",", "")))
        calls = {function["name"]: function["calls"] for function in result["functions"]}
        if calls["endless"] + 1 != depths[-1] and calls["endless"] + 2 != depths[-1]:
            fail(f"{calls['endless']} calls in the profile, called {depths[-1]} deep")
    ends = {record(f"endless-{speed}", "full", elf, "1", options=["--sim-option=--usb-speedup", f"--sim-option={speed}"])[2]["cycles"] for speed in (1, 16)}
    if len(ends) != 1:
        fail(f"where it crashed depends on how fast the host is: {ends}")
    text = record("endless-events", "full", elf, "1", "-1", "3000", options=["--events"])[1]
    if f"called {depths[0]:,} deep" not in text:
        fail(f"the events do not tell the depth that the records tell: {text}")
    bytes_each = 300000 / (depths[0] - depths[1])
    if not FRAME < bytes_each < 1.1 * FRAME or not 0.8 * STACK < depths[0] * bytes_each < STACK:
        fail(f"the stack ended {depths} deep")
    status, text = gnomon("run", "full", elf, "--", "1", str(depths[0] - 100))
    if status != 0:
        fail(f"the heap took what the stack has: status {status}, {text}")
    print(f"stack overflow {depths[0]:,} deep, with 300,000 bytes of heap {depths[1]:,} deep")


def overflow_small(elf):
    """The core stops before the overflowing addition: the profile has all calls, and one call less is no overflow."""
    status, text = gnomon("run", "small", elf)
    if status != 139 or not re.search(r"stack overflow in endless \(endless.c:\d+\)", text):
        fail(f"run on small: status {status}, {text}")
    counts = []
    for heap, options in (("1", "--events"), ("1", "--records"), ("10240", "--events")):
        status, text, result = record("endless-small", "small", elf, heap, options=[options])
        calls = {function["name"]: function["calls"] for function in result["functions"]}
        reason = result["end"]
        # Only events give the depth, the device does not count it; main is open, too.
        deep = f", called {calls['endless'] + 1} deep" if options == "--events" else ""
        if status != 1 or f"stack overflow in endless{deep} (endless.c:" not in text or reason["reason"] != "crashed" or not result["exact"]:
            fail(f"record on small {options}: status {status}, {text}, {reason}, {result['reasons']}")
        counts.append(calls["endless"])
    if counts[1] != counts[0] or not 0.8 * SMALL_MOST < counts[0] < SMALL_MOST or counts[0] - counts[2] not in (9, 10):
        fail(f"the stack of small ended after {counts} calls")
    if gnomon("run", "small", elf, "--", "1", str(counts[0] - 2))[0] != 0:
        fail("small stopped a program that does not leave its stack")
    print(f"small: stack overflow after {counts[0]} calls, with 10,240 bytes of heap {counts[2]}")


def small_threads(elf):
    """Switching to a stack below the limit is no overflow, however often it happens."""
    for arguments in (["told"], []):
        status, text = gnomon("run", "small", elf, "--", *arguments)
        if status != 0:
            fail(f"coroutines on small {arguments}: status {status}, {text}")
    print("small: two stacks take turns, and neither is stopped")


def switches(elf):
    for board in ("full", "mid"):
        for arguments, count in ((["told"], 0), ([], 40)):
            status, text, result = record(f"switches-{board}-{count}", board, elf, *arguments)
            seen = sum(int(re.match(r"\d+", fault["text"])[0]) for fault in result["reasons"] if "came back on another stack" in fault["text"])
            if status != 0 or seen != count:
                fail(f"{board}: {seen} switches unseen, not {count}: status {status}, {text}, {result['reasons']}")
    print("40 switches of two stacks are seen, and none where they are told")


def coroutines(elf):
    """Stacks that take turns without a trap: ends of functions that were not open are reported; with messages there
    are none."""
    for options in (["--records"], ["--events"]):
        for arguments, exact in ((["told"], True), ([], False)):
            trace = OUT / "coroutine.gnt"
            status, text = gnomon("record", "full", "-q", *options, "-o", str(trace), elf, "--", *arguments)
            result = report(trace)[1]
            said = [fault["id"] for fault in result["reasons"]]
            if status != 0 or result["exact"] != exact or said != ([] if exact else ["unbalanced-exits"]):
                fail(f"coroutines {options} {arguments}: status {status}, {text}, {result['reasons']}")
    print("coroutines are exact where they are told, and not called exact where they are not")


def landings(elf):
    """longjmp is exact if it lands in a function with one open activation, or does not land; landings in recursive
    functions and in functions without hooks are reported."""
    recursion, out_of_turn = ("ambiguous-landings", "longjmp into recursion"), ("unbalanced-exits", "1 exit out of turn")
    hookless = ("hookless-landings", "1 longjmp into functions without hooks")
    doubts = {"nested": [recursion], "outer": [out_of_turn, recursion], "bare": [out_of_turn, hookless], "exit": [hookless], "trap": [out_of_turn],
              "within": [recursion], "stacks": [ELSEWHERE]}
    for options in (["--records"], ["--events"], ["--watch"]):
        for where in ("exit",) if options == ["--watch"] else ("once", "calm", "told", "own", "goto", *doubts):
            result = land(elf, where, options, doubts.get(where, []))
            # The functions that longjmp left have ended: their calls do not include the later work of the function that
            # caught it.
            longest = {function["name"]: function["max_cycles"] for function in result["functions"]}
            if longest.get("throws_own", 0) > 300 or longest.get("calls", 0) > 400:
                fail(f"landings {options} {where}: {longest}")
    print("longjmp is exact where it is known where it lands, and not called exact where it is not")


ELSEWHERE = ("stack-jumps", "6 longjmps to another stack")


def land(elf, where, options, doubt):
    trace = OUT / "landings.gnt"
    status, text = gnomon("record", "full", *options, "-o", str(trace), elf, "--", where)
    result = report(trace)[1]
    said = [reason["id"] for reason in result["reasons"]]
    if status != 0 or result["exact"] == bool(doubt) or said != [id for id, _ in doubt] or not all(brief in text for _, brief in doubt):
        fail(f"{elf} {options} {where}: status {status}, {text}, {result['reasons']}")
    return result


def watched_landings(elf):
    """Tests longjmp with hookless call tracing: the stack pointer shows which functions were left, except in traps
    and on other stacks."""
    doubts = {"trap": [("trap-jumps", "1 longjmp that may have left a trap")], "within": [("trap-jumps", "1 longjmp that may have left a trap")],
              "stacks": [ELSEWHERE]}
    for options in (["--records"], ["--events"]):
        for where in ("once", "nested", "outer", "bare", "exit", "told", "own", "goto", *doubts):
            land(elf, where, ["--watch", *options], doubts.get(where, []))
    print("so it is where calls are watched")


def overflow_watched(elf):
    """Hookless call tracing follows 512 open calls, and the device counts no others: no depth is printed."""
    for way in "--records", "--events":
        text = record("endless-watched", "full", elf, "1", options=["--watch", way])[1]
        if not re.search(r"stack overflow in endless \(endless.c:\d+\)", text):
            fail(f"{way} --watch: {text}")
    print("a depth that the watch cannot follow is not told")


def by_address(elf):
    """Cycles of instructions have no threads: their figures remain valid, and the first line names their scope."""
    trace = OUT / "switches-cpi.gnt"
    status, text = gnomon("record", "full", "-q", "--cpi", "all", "-o", str(trace), elf)
    done = subprocess.run([GNOMON, "annotate", "--json", "-i", str(trace)], capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    reasons = [(reason["id"], reason["count"], reason["reach"]) for reason in result["reasons"]]
    first = subprocess.run([GNOMON, "annotate", "-i", str(trace)], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    if not result["exact"] or reasons != [("unseen-switches", 40, "none")] or \
            not first.endswith(", counted exactly, 40 unseen switches of threads (figures are of all together)"):
        fail(f"annotate: status {status}, {text}, {first}, {result['exact']}, {result['reasons']}")
    print("annotate says it, too")


def main():
    endless, endless_small, endless_watched, switching, coroutine, landing, watched = values(
        __doc__, "endless", "endless-small", "endless-watched", "switches", "coroutine", "landings", "landings-watched")
    overflow(endless)
    overflow_small(endless_small)
    overflow_watched(endless_watched)
    switches(switching)
    coroutines(coroutine)
    small_threads(coroutine)
    landings(landing)
    watched_landings(watched)
    by_address(switching)


if __name__ == "__main__":
    main()
