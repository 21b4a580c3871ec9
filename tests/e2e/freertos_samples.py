#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Samples of FreeRTOS's tasks beside their counted cycles: the events of the same run give each task's cycles, and those of each
function in it. --thread keeps the samples of one task. Whole stacks are of one task each.

usage: freertos_samples.py --out FOLDER ELF
ELF: tests/firmware/freertos/sampled.c.
Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulators."""
import collections
import os
import sys

from checking import check, result
from commands import FAST, report, run
from open_stacks import NOWHERE, paths_of, prefixes, within
from options import values
from samples import Program, samples_in

# Each task, the functions of sampled.c in it, and how often `descend` can be open.
TASKS = {"shallow": ({"shallow", "work"}, 0), "middle": ({"middle", "descend", "work"}, 4), "deep": ({"deep", "descend", "work"}, 10),
         "beat": ({"beat", "work"}, 0)}
PERIODS = (97, 199, 397, 809, 1609, 3203)
STACK_RUNS = 12
ROWS_WITHIN = 0.99


def self_cycles(trace, task):
    """{function: its figures} of one task, without what is no function."""
    return {f["name"]: f for f in report(trace, "--thread", task)["functions"] if not f["name"].startswith("[")}


def threads_of(trace):
    """{name: thread} of a recording with events."""
    return {thread["name"]: thread for thread in report(trace)["threads"]}


def beside(folder, program, events):
    """Sampled cycles of each task, and of each of the program's functions in it, beside the counted ones. The kernel's functions call
    some without hooks, whose cycles count for them in events, and not in samples."""
    trace, outside, wrong, rows = f"{folder}/sampled.gnt", [], [], 0
    whole, tasks = report(events), threads_of(events)
    counted = {task: self_cycles(events, task) for task in TASKS}
    for period in PERIODS:
        program.record(trace, *FAST, "-c", str(period))
        shown = report(trace)
        if shown["end"]["cycle"] != whole["cycles"] or shown["sampling"]["samples"] == 0 or samples_in(trace)["lost"]:
            wrong.append(f"one of {period}: {shown['end']}")
        count, of_task = shown["sampling"]["samples"], {thread["name"]: thread["samples"] for thread in shown["sampling"]["threads"]}
        for task, (functions, _) in TASKS.items():
            cycles = of_task.get(task, 0) * whole["cycles"] / count
            outside += within({"self_cycles": cycles}, {"self_cycles": tasks[task]["cycles"]}, whole["cycles"], count, f"one of {period}: {task}")
            sampled = self_cycles(trace, task)
            for name in functions:
                mine = {key: value for key, value in sampled.get(name, {}).items() if key.startswith("self")}
                truth = {"self_cycles": counted[task][name]["self_cycles"]}
                outside += within(mine, truth, whole["cycles"], count, f"one of {period}: {name} in {task}")
            elsewhere = {"work", "descend", *TASKS} - functions
            wrong += [f"one of {period}: {name} in {task}" for name in elsewhere if name in sampled]
            rows += 1 + len(functions)
            if period == PERIODS[0]:
                for name in sorted(functions, key=lambda name: -counted[task][name]["self_cycles"]):
                    one = sampled.get(name, {"self_cycles": 0, "self_error_cycles": 0})
                    print(f"  {counted[task][name]['self_cycles']:>9,} {one['self_cycles']:>9,} {one['self_error_cycles']:>7,}  {task}: {name}")
    check(f"{len(PERIODS)} runs of {whole['cycles']} cycles: as many as counted, no function in another task, nothing lost", wrong)
    share = 1 - len(outside) / rows
    check(f"tasks and their functions: the counted value is within 3 sigma in {100 * share:.1f} % of {rows} rows", outside if share < ROWS_WITHIN else [])


def one_thread(folder, program):
    """--thread keeps exactly the samples of the task, and counts the others."""
    whole, trace = f"{folder}/whole.gnt", f"{folder}/one.gnt"
    program.record(whole, *FAST, "-c", "199")
    rows = samples_in(whole)["samples"]
    numbers = {thread["name"]: thread["thread"] for thread in report(whole)["sampling"]["threads"]}
    for task in TASKS:
        program.record(trace, *FAST, "-c", "199", "--thread", task)
        part, want = samples_in(trace), [row for row in rows if row[0] == numbers[task]]
        left = sum(row[1] for row in rows) - sum(row[1] for row in want)
        good = want and part["samples"] == want and part["excluded"] == left and part["thread"] == task
        check(f"--thread {task}: {sum(row[1] for row in want)} samples in {len(want)} places, {left} excluded", [] if good else [part["excluded"], left])
    done = run(["gnomon", "record", "-q", "-d", "sim:full", *FAST, "-c", "199", "--thread", "nothing", "-o", trace, program.elf])
    check("--thread of no task", [] if "no sample is of what --thread" in done.stderr and not samples_in(trace)["samples"] else [done.stderr])


def stacks(folder, program, events):
    """Whole stacks: each is one that the events of the same task have, and no task's function is below another's."""
    trace, wrong, found = f"{folder}/stacks.gnt", [], collections.Counter()
    cycles, known = report(events)["cycles"], prefixes(paths_of(events))
    for _ in range(STACK_RUNS):
        program.record(trace, *FAST, "-g", "-c", "700")
        shown, section, paths = report(trace), samples_in(trace), paths_of(trace)
        if shown["end"]["cycle"] != cycles or section["lost"] or section["cut"] or not section["functions"]:
            wrong.append({key: section[key] for key in ("lost", "cut", "functions")} | {"end": shown["end"]})
        wrong += [f"no such stack of this task: {path}" for path in paths if path not in known and path != NOWHERE]
        for task, (functions, depth) in TASKS.items():
            of_task = [path.split(";")[1:] for path in paths if path.startswith(f"{task};")]
            wrong += [f"{task}: {path}" for path in of_task if path.count("descend") > depth
                      or {"work", "descend", *TASKS} & {*path} - functions]
            sampled = {f["name"]: f.get("total_samples", 0) for f in report(trace, "--thread", task)["functions"]}
            found[task] += sampled.get(task, 0)
            wrong += [f"report --thread {task}: {name}" for name in {"work", "descend", *TASKS} - functions if name in sampled]
    wrong += [f"{task}: {found[task]} stacks" for task in ("shallow", "middle", "deep") if found[task] < 50]
    check(f"{sum(found.values())} stacks of tasks {dict(found)}: each is one of its task", wrong)


def main():
    folder, (elf, *_) = values(__doc__, "out", rest="ELF")
    os.makedirs(folder, exist_ok=True)
    program, events = Program(elf, []), f"{folder}/events.gnt"
    program.record(events, *FAST, "--events")
    exact = report(events)
    check("the events are complete", [] if exact["exact"] and exact["complete"] else [exact["reasons"]])
    beside(folder, program, events)
    one_thread(folder, program)
    stacks(folder, program, events)
    return result()


if __name__ == "__main__":
    sys.exit(main())
