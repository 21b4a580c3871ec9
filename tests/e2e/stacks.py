#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the device sees of stacks: a stack that is left stops the program, a switch of stacks that nobody told of is counted.

usage: stacks.py ENDLESS SWITCHES COROUTINE LANDINGS   (programs of tests/e2e/programs; results go to build/e2e)
"""
import json
import re
import subprocess
import sys

from e2e import GNOMON, OUT, fail, report

STACK = 2 << 20  # what endless.c leaves to stack and heap, about
FRAME = 1000


def gnomon(command, board, *arguments):
    done = subprocess.run([GNOMON, command, "-d", f"sim:{board}", *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def record(name, board, elf, *arguments):
    trace = OUT / f"{name}.gnt"
    status, text = gnomon("record", board, "-q", "-o", str(trace), elf, "--", *arguments)
    return status, text, report(trace)[1]


def overflow(elf):
    """Stopped in the function that did it; all calls are in the profile, to where the heap ends."""
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
        said = re.search(r"stack overflow in endless, called ([\d,]+) deep \(endless.c:\d+\)", text)
        if status != 1 or not said:
            fail(f"record: status {status}, {text}")
        depths.append(int(said[1].replace(",", "")))
        calls = {function["name"]: function["calls"] for function in result["functions"]}
        if calls["endless"] + 1 != depths[-1] and calls["endless"] + 2 != depths[-1]:
            fail(f"{calls['endless']} calls in the profile, called {depths[-1]} deep")
    bytes_each = 300000 / (depths[0] - depths[1])
    if not FRAME < bytes_each < 1.1 * FRAME or not 0.8 * STACK < depths[0] * bytes_each < STACK:
        fail(f"the stack ended {depths} deep")
    status, text = gnomon("run", "full", elf, "--", "1", str(depths[0] - 100))
    if status != 0:
        fail(f"the heap took what the stack has: status {status}, {text}")
    print(f"stack overflow {depths[0]:,} deep, with 300,000 bytes of heap {depths[1]:,} deep")


def switches(elf):
    for board in ("full", "mid"):
        for arguments, count in ((["told"], 0), ([], 40)):
            status, text, result = record(f"switches-{board}-{count}", board, elf, *arguments)
            seen = sum(int(re.match(r"\d+", fault["text"])[0]) for fault in result["reasons"] if "came back on another stack" in fault["text"])
            if status != 0 or seen != count:
                fail(f"{board}: {seen} switches unseen, not {count}: status {status}, {text}, {result['reasons']}")
    print("40 switches of two stacks are seen, and none where they are told")


def coroutines(elf):
    """Stacks that take turns without a trap: functions end that were not open, which is said; none where the turns are told."""
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
    """longjmp: exact where it lands in a function that is open once, or does not land; in a recursive one it is said."""
    for options in (["--records"], ["--events"]):
        for where in ("once", "calm", "nested", "outer"):
            trace = OUT / "landings.gnt"
            status, text = gnomon("record", "full", *options, "-o", str(trace), elf, "--", where)
            result = report(trace)[1]
            said = [reason["id"] for reason in result["reasons"]]
            doubtful = where in ("nested", "outer")
            if status != 0 or result["exact"] == doubtful or said != ["ambiguous-landings"] * doubtful or ("longjmp into recursion" in text) != doubtful:
                fail(f"landings {options} {where}: status {status}, {text}, {result['reasons']}")
    print("longjmp is exact where it is known where it lands, and not called exact where it is not")


def by_address(elf):
    """Cycles of instructions know no threads: these figures stand, and the first line says whose they are."""
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
    overflow(sys.argv[1])
    switches(sys.argv[2])
    coroutines(sys.argv[3])
    landings(sys.argv[4])
    by_address(sys.argv[2])


if __name__ == "__main__":
    main()
