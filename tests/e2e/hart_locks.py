#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two harts against the simulator's reference models, which know only what retires, difference 0: every figure of `gnomon locks`, cycles of
functions and threads in `gnomon report`, and the counters of `gnomon stat`.

usage: hart_locks.py --simulators FOLDER --out FOLDER ELF"""
import json
import os
import sys

from checking import expect, result, same
from commands import FAST, must, run, sim_options
from hart_reports import compare_report
from options import values

SIMULATORS, OUT, (ELF,) = values(__doc__, "simulators", "out", rest="ELF")
os.environ["GNOMON_SIM_DIR"] = SIMULATORS
NAMES = {1: "spin", 2: "ticket", 3: "nested", 4: "tried", 5: "carried", 6: "items"}
KINDS = {1: "spin", 2: "mutex", 3: "recursive", 4: "mutex", 5: "mutex", 6: "semaphore"}
FIGURES = ("requests", "acquisitions", "refused", "releases")
ROUNDS = 400


def brief(times):
    return {"count": times["count"], "cycles": times["cycles"], "max": times.get("max", 0)}


def compare_locks(name, shown, model):
    by_index = {lock["index"]: lock for lock in model["locks"]}
    same(f"{name}: locks", {lock["index"]: (lock["name"], lock["kind"]) for lock in shown["locks"]}, {index: (NAMES[index], KINDS[index]) for index in by_index})
    for got in shown["locks"]:
        want, where = by_index[got["index"]], f"{name}, {got['name']}"
        owned = got["kind"] != "semaphore"
        for key in FIGURES:
            same(f"{where}: {key}", got[key], want[key])
        expect(f"{where}: exact", got["exact"])
        same(f"{where}: waits", brief(got["wait"]), want["held_waits"] if owned else want["posted_waits"])
        if not owned:
            continue
        same(f"{where}: holds", brief(got["hold"]), want["holds"])
        same(f"{where}: contended", got["contended"], want["held_waits"]["count"])
        same(f"{where}: across harts", got["contended_across_harts"], want["held_across_harts"])
        holds = {part["thread_index"]: part["hold"] for part in got["by_thread"]}
        same(f"{where}: holds of threads", {thread: hold for thread, hold in holds.items() if hold["count"]},
             {int(thread): hold for thread, hold in want["holds_by_thread"].items() if hold["count"]})
        of_harts = {hart["hart"]: hart for hart in want["by_hart"]}
        same(f"{where}: harts", {part["hart"] for part in got["by_hart"]}, set(of_harts))
        for part in got["by_hart"]:
            of_hart = of_harts[part["hart"]]
            same(f"{where}, hart {part['hart']}", [part[key] for key in FIGURES] + [part["hold"], part["wait"]],
                 [of_hart[key] for key in FIGURES] + [of_hart["holds"], of_hart["held_waits"]])


def check_order(name, trace):
    """The bus takes one access a cycle: no two messages have the same cycle."""
    cycles = []
    for hart in "01":
        lines = [json.loads(line) for line in must(["gnomon", "dump", "--json", "--hart", hart, trace]).splitlines()]
        cycles += [line["cycle"] for line in lines if line["event"] == "lock"]
    same(f"{name}: messages in the same cycle", len(cycles) - len(set(cycles)), 0)
    expect(f"{name}: messages", len(cycles) > 1000, len(cycles))


def check(seed, *options):
    name, model = f"duo-{seed}", f"{OUT}/duo-{seed}.model.json"
    trace = f"{OUT}/{name}.gnt"
    done = run(["gnomon", "record", "-d", "sim:duo", "-o", trace, *options, *FAST, *sim_options("--oracle", f"{ELF}={model}"), ELF, "--", ROUNDS, seed])
    same(f"{name}: status of record", done.returncode, 0, done.stderr)
    with open(model, encoding="utf-8") as file:
        want = json.load(file)
    shown = json.loads(must(["gnomon", "locks", "--json", trace]))
    same(f"{name}: nothing lost", (shown["lost_messages"], shown["exact"], shown["misuse"], shown["harts"]), (0, True, [], 2))
    compare_locks(name, shown, want)
    check_order(name, trace)
    return trace, want


def check_stat(want):
    for hart, model in ((0, want), (1, want["hart1"])):
        shown = json.loads(must(["gnomon", "stat", "--json", "-d", "sim:duo", "--hart", hart, "-e", "loads,stores", ELF, "--", ROUNDS, 1]))
        same(f"stat of hart {hart}: cycles, instructions", (shown["cycles"]["mean"], shown["instructions"]["mean"]), (model["cycles"], model["instructions"]))
        same(f"stat of hart {hart}: causes add up", sum(cause["mean"] for cause in shown["causes"].values()), shown["cycles"]["mean"])
        same(f"stat of hart {hart}: the other hart", shown["other_hart"]["hart"], 1 - hart)
    for options, status, wanted in ((["--hart", "2"], 2, "--hart is 0 or 1"), (["--hart", "1", "--latency", "all"], 2, "hart 0 only")):
        done = run(["gnomon", "stat", "-d", "sim:duo", *options, ELF, "--", 1])
        expect(f"stat {options}", done.returncode == status and wanted in done.stderr, done.returncode, done.stderr)


for number in (1, 2):
    recorded, reference = check(number, "--records" if number == 2 else "--events")
    compare_report(f"duo-{number}", recorded, reference)
    if number == 1:
        check_stat(reference)
check(3, "--events", "--no-functions")
sys.exit(result())
