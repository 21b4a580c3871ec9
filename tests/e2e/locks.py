#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`gnomon locks` against the simulator's reference model, which knows only the retired stores, difference 0; names from the program's
tables, and tables that make no sense.

usage: locks.py --simulators FOLDER --out FOLDER ELF BOARD..."""
import json
import os
import sys

from checking import expect, result, same
from commands import FAST, must, run, sim_options
from options import values

SIMULATORS, OUT, (ELF, *BOARDS) = values(__doc__, "simulators", "out", rest="ELF BOARD")
os.environ["GNOMON_SIM_DIR"] = SIMULATORS
NAMES = {1: "pool+8", 2: "second mutex", 3: "checked+4", 4: "nested", 5: "items", 6: "table_lock", 7: "table_lock (read)"}
KINDS = {1: "mutex", 2: "mutex", 3: "errorcheck", 4: "recursive", 5: "semaphore", 6: "rwlock", 7: "rwlock-read"}
THREADS = {0: "main", 1: "worker one", 2: "feed", 3: "thread 3"}


def brief(times):
    return {"count": times["count"], "cycles": times["cycles"], "max": times.get("max", 0)}


def record(name, board, *arguments, options=(), status=0):
    trace = f"{OUT}/{name}.gnt"
    done = run(["gnomon", "record", "-d", f"sim:{board}", "-o", trace, *options, ELF, "--", *arguments])
    same(f"{name}: status of record", done.returncode, status, done.stderr)
    return trace, done.stderr


def compare(name, shown, model):
    by_index = {lock["index"]: lock for lock in model["locks"]}
    same(f"{name}: locks", {lock["index"]: lock["name"] for lock in shown["locks"]}, {index: NAMES[index] for index in by_index})
    for got in shown["locks"]:
        index = got["index"]
        want, where = by_index[index], f"{name}, {NAMES[index]}"
        same(f"{where}: kind", got["kind"], KINDS[index])
        for key in ("requests", "acquisitions", "refused", "releases"):
            same(f"{where}: {key}", got[key], want[key])
        expect(f"{where}: exact", got["exact"])
        if got["kind"] == "semaphore":
            same(f"{where}: waits", brief(got["wait"]), want["posted_waits"])
            same(f"{where}: holds", got["hold"]["count"], 0)
            continue
        same(f"{where}: holds", brief(got["hold"]), want["holds"])
        holds = {part["thread_index"]: part["hold"] for part in got["by_thread"]}
        same(f"{where}: holds of threads", {thread: hold for thread, hold in holds.items() if hold["count"]},
             {int(thread): hold for thread, hold in want["holds_by_thread"].items() if hold["count"]})
        same(f"{where}: threads", {part["thread_index"]: part["thread"] for part in got["by_thread"]}, {thread: THREADS[thread] for thread in holds})
        if not got["kind"].startswith("rwlock"):
            same(f"{where}: waits", brief(got["wait"]), want["held_waits"])
            same(f"{where}: contended", got["contended"], want["held_waits"]["count"])


def check_figures(board):
    for seed, options in ((1, ["--events"]), (2, ["--records"]), (3, ["--events", "--no-functions"])):
        name = f"{board}-{seed}"
        model = f"{OUT}/{name}.model.json"
        trace, said = record(name, board, 1500, seed, options=[*options, *FAST, *sim_options("--oracle", f"{ELF}={model}")])
        expect(f"{name}: no warning", "warning" not in said, said)
        shown = json.loads(must(["gnomon", "locks", "--json", trace]))
        with open(model, encoding="utf-8") as file:
            compare(name, shown, json.load(file))
        same(f"{name}: nothing lost", (shown["lost_messages"], shown["exact"]), (0, True))
        expect(f"{name}: messages", shown["messages"] > 600, shown["messages"])
        wrong = {(one["what"], one["lock"]) for one in shown["misuse"]}
        same(f"{name}: misuse", wrong, {("released-by-another", "checked+4")})


def check_tables():
    board = BOARDS[0]
    for broken, wanted, names in (("magic", "their magic number is wrong", False), ("table", "the table of locks is not in main memory", False),
                                  ("count", "the number of threads is absurd", False), ("name", "1 names of threads or locks are not in memory", True),
                                  ("kind", "1 of the locks have a kind or state that is not known", True)):
        trace, said = record(f"broken-{broken}", board, 50, 1, broken, options=FAST)
        expect(f"{broken}: warns", wanted in " ".join(said.split()), said)
        shown = json.loads(must(["gnomon", "locks", "--json", trace]))
        expect(f"{broken}: names", ("items" in [lock["name"] for lock in shown["locks"]]) == names, shown["locks"][0])
    trace, said = record("crash", board, 50, 1, "crash", options=FAST, status=1)
    shown = json.loads(must(["gnomon", "locks", "--json", trace]))
    expect("after a crash the names are there", "items" in [lock["name"] for lock in shown["locks"]], shown["locks"])
    trace, said = record("limited", board, 100000000, 1, options=[*FAST, "--duration", "100000c"])
    shown = json.loads(must(["gnomon", "locks", "--json", trace]))
    expect("after --duration, too", "items" in [lock["name"] for lock in shown["locks"]], shown["locks"])


for one in BOARDS:
    check_figures(one)
check_tables()
sys.exit(result())
