#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Messages of locks (gnomon cc --gnomon-locks, gnomon_locks.h): each call's messages in order, the program's tables, more locks and
threads than there is room for, cost.

usage: test_locks.py WORK_DIRECTORY"""
import itertools
import json
import pathlib
import re
import subprocess
import sys

from checking import check, expect, result, same
from commands import FAST, must

HERE = pathlib.Path(__file__).resolve().parent / "locks"
# By segment and flag.
WHAT = {(0, True): "A", (0, False): "R", (1, True): "Q", (1, False): "X"}
KINDS = ("none mutex recursive errorcheck spin semaphore rwlock rwlock-read condition barrier once critical queue user").split()
LIVE, DESTROYED = 1, 2
# The locks of calls.c: kind, state, wrong use, name, function that made the entry.
TABLE = {
    1: ("mutex", LIVE, 0, "the mutex", "mutexes"), 2: ("mutex", LIVE, 0, "-", "mutexes"), 3: ("mutex", LIVE, 0, "-", "mutexes"),
    4: ("recursive", LIVE, 0, "-", "mutexes"), 5: ("errorcheck", LIVE, 0, "-", "mutexes"), 6: ("spin", DESTROYED, 0, "-", "mutexes"),
    7: ("condition", DESTROYED, 0, "-", "waits"), 8: ("rwlock", DESTROYED, 0, "-", "rwlocks"), 9: ("rwlock-read", DESTROYED, 0, "-", "rwlocks"),
    10: ("rwlock", LIVE, 0, "-", "rwlocks"), 11: ("rwlock-read", LIVE, 0, "-", "rwlocks"), 12: ("barrier", DESTROYED, 0, "-", "waits"),
    13: ("once", LIVE, 0, "-", "waits"), 14: ("semaphore", DESTROYED, 0, "-", "waits"), 15: ("user", LIVE, 0, "user", "annotations"),
    16: ("user", LIVE, 0, "-", "annotations"), 17: ("mutex", LIVE, 0, "early", "names"),
    18: ("mutex", LIVE, 0, "early initialized", "names"), 20: ("rwlock", LIVE, 0, "early rwlock", "names"),
    21: ("rwlock-read", LIVE, 0, "early rwlock", "names"), 22: ("mutex", LIVE, 1, "-", "wrong_use"),
    23: ("mutex", DESTROYED, 2, "-", "wrong_use"), 24: ("mutex", LIVE, 0, "-", "wrong_use"), 25: ("mutex", LIVE, 4, "-", "wrong_use"),
    26: ("mutex", LIVE, 0, "-", "wrong_use"), 27: ("mutex", DESTROYED, 8, "-", "wrong_use"), 28: ("mutex", DESTROYED, 0, "-", "wrong_use"),
}


def messages(elf, board, *arguments):
    """What the program printed, and its lock messages as (what, thread, lock)."""
    trace = elf.with_suffix(f".{board}.gnt")
    text = must(["gnomon", "record", "--events", "-q", "-d", f"sim:{board}", "-o", trace] + FAST + [elf, "--", *arguments])
    events = [json.loads(line) for line in must(["gnomon", "dump", "--json", "-i", trace]).splitlines()]
    same(f"{elf.name} on {board}: lost events", events[-1]["lost"], 0)
    return text.splitlines(), [(WHAT[event["segment"], event["locks"]], event["by_thread"], event["lock"])
                               for event in events if event["event"] == "lock" and event["lock"]]  # lock 0: a thread blocks


def functions(elf):
    """Returns a function that gives the name of the function around an address."""
    symbols = sorted((int(address, 16), name) for address, kind, name in (
        line.split() for line in must(["riscv64-unknown-elf-nm", "--demangle", elf]).splitlines() if len(line.split()) == 3) if kind in "tTwW")
    return lambda address: next((re.split("[.(]", name)[0] for at, name in reversed(symbols) if at <= address), None)


def differences(got, want):
    return [f"message {at} is {one}, not {other}" for at, (one, other) in enumerate(itertools.zip_longest(got, want)) if one != other]


def check_calls(elf, boards):
    function_at = functions(elf)
    for board in boards:
        text, got = messages(elf, board)
        want = [(words[0], int(words[1]), int(words[2])) for words in map(str.split, text) if len(words) == 3 and words[0] in "QARX"]
        expect("the program expects messages", len(want) > 100, text)
        check(f"{elf.name} on {board}: {len(got)} messages", differences(got, want))
        table = {}
        for line in text:
            entry = re.fullmatch(r"lock (\d+) kind (\d+) state (\d) wrong (\d+) thread \d name (.*) caller (0x[0-9a-f]+)", line)
            if entry:
                wrong = int(entry[4]) & 15
                table[int(entry[1])] = (KINDS[int(entry[2])], int(entry[3]), wrong, entry[5], function_at(int(entry[6], 16)))
        check(f"{elf.name} on {board}: the table", [f"{i}: {table.get(i)}, not {TABLE.get(i)}" for i in sorted(set(table) | set(TABLE))
                                                   if table.get(i) != TABLE.get(i)])


def check_many(elf, room, traced=None):
    """`traced`: a number of locks for which each message is compared."""
    def text(locks):
        return [f"locks {room} room {room} refused {2 * (locks - (room - 1))}"]

    if traced:
        shown, got = messages(elf, "full", traced)
        check(f"{elf.name}: messages of {traced} locks", differences(got, [
            (what, 0, i + 1 if i + 1 < room else 4095) for i in range(traced) for what in "QAR"]))
        same(f"{elf.name}: {traced} locks", shown, text(traced))
    same(f"{elf.name}: 10,000 locks", must(["gnomon", "run", "-q", "-d", "sim:full", elf]).splitlines(), text(10000))


# What threads.c sends: message, thread (0 is main, 2 the second one), lock. 1 barrier, 2 semaphore, 3 mutex of C11, 4 mutex,
# 5 the mutex that checks its use, 6 condition, 7 condition of C11. The table has entries for the first three, from calls that initialize them.
THREADS = ("Q04 A04 Q05 A05 Q01 Q21 A21 Q24 A01 X04 Q06 R04 A24 R26 R24 Q22 A04 A06 R04 R02 A22 R25 X25 Q23 A23 R23 R05 R07").split()


def check_threads(elf):
    text, got = messages(elf, "full")
    same("threads: errors of wrong use", text, ["wrong 0"])
    check(f"threads: {len(got)} messages", differences([f"{what}{thread}{lock}" for what, thread, lock in got], THREADS))
    shown = json.loads(must(["gnomon", "locks", "--json", elf.with_suffix(".full.gnt")]))["locks"]
    same("threads: who initialized the locks of C11", [lock["registered_by"]["function"] for lock in shown if lock["name"] in ("c11", "news")], ["main", "main"])


def cycles(elf, board):
    return [int(word) / ROUNDS for word in must(["gnomon", "run", "-q", "-d", f"sim:{board}", elf]).split()]


def main():
    work = pathlib.Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)

    def build(name, source, *options, compiler="cc"):
        must(["gnomon", compiler, "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-o", work / name, *options, HERE / source, *STAND_IN])
        return work / name

    # The real functions are in an object of their own, without LTO: the linker wraps no calls within an object.
    must(["gnomon", "cc", "-O2", "-Wall", "-Wextra", "-Werror", "-c", "-o", work / "stand_in.o", HERE / "stand_in.c"])
    STAND_IN.extend(["-x", "none", work / "stand_in.o"])
    check_calls(build("calls", "calls.c", "--gnomon-locks"), ["full", "mid", "small"])
    check_calls(build("calls-lto", "calls.c", "--gnomon-locks", "-flto"), ["full"])
    check_calls(build("calls-cxx", "calls.c", "--gnomon-locks", "-x", "c++", compiler="c++"), ["full"])
    check_many(build("many", "many.c", "--gnomon-locks"), 256, traced=300)
    check_many(build("many-room", "many.c", "--gnomon-locks", "-DROOM=4094"), 4095)

    must(["gnomon", "cc", "--gnomon-locks", "-O2", "-Wall", "-Wextra", "-Werror", "-o", work / "threads", HERE / "threads.c"])
    check_threads(work / "threads")
    plain, wrapped = build("cost-plain", "cost.c"), build("cost", "cost.c", "--gnomon-locks")
    symbols = must(["riscv64-unknown-elf-nm", plain])
    check("a program without the option has none of it", [line for line in symbols.splitlines() if "wrap" in line or "gnomon_lock" in line])
    for board, most in MOST_CYCLES.items():
        before, after = cycles(plain, board), cycles(wrapped, board)
        one, last = (now - then for now, then in zip(after, before))
        print(f"{board}: lock and unlock of a mutex take {one:.1f} cycles more, with 255 locks at most {last:.1f}")
        expect(f"cost on {board}", one <= most[0] and last <= most[1], one, last)

    native = work / "native"
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-I", HERE.parents[2] / "firmware/runtime/include", "-x", "c", "-o", native, "-"], check=True,
                   text=True, input="#include <gnomon_locks.h>\nGNOMON_LOCKS_ROOM(9);\nint main(void) { int x = 0; GNOMON_LOCK(x); GNOMON_LOCK_REQUEST(x);"
                   "GNOMON_LOCK_ACQUIRED(x); GNOMON_LOCK_RELEASED(x); GNOMON_LOCK_REFUSED(x); gnomon_lock_name(&x, \"x\"); gnomon_thread_name(\"t\"); return x; }")
    symbols = must(["nm", native])
    check("on another machine the macros are nothing", [line for line in symbols.splitlines() if "gnomon" in line])
    return result()


STAND_IN = []
ROUNDS = 20  # of cost.c
# Cycles that a lock and an unlock may take more: with one lock, and with as many as there is room for.
MOST_CYCLES = {"full": (115, 130), "small": (260, 290)}

if __name__ == "__main__":
    sys.exit(main())
