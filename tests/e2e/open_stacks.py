#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares gnomon record -g of programs without the monitor with what the device counts: each sampled stack is one that the
events of the same run have, the counted shares lie within three standard errors, and the run takes no cycle more. (That a
stack is the one of its cycle shows tests/e2e/epochs.py.)

usage: open_stacks.py --out FOLDER --zlib ELF --bare ELF --traps ELF --text FILE
zlib packs the text; bare: the same without hooks; traps: a program with interrupts.
Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulators."""
import collections
import math
import os
import sys

from checking import check, result
from commands import FAST, interrupted, must, report, run
from options import values
from samples import Program, remove, samples_in

RUNS = 8
GRID = 1024  # cycles: the simulated board takes requests of the host so often, so all runs' moments are among the same ones
SIGMAS, ROWS_WITHIN = 3, 0.99
NOWHERE = "[all threads];[unprofiled]"  # samples in no function
MEASURED_ON = "sim:full"
LONG = "/usr/share/common-licenses/GPL-3"  # packing it takes long enough for Ctrl-C


def paths_of(trace):
    """The call paths of a recording, and their cycles."""
    path = f"{trace}.folded"
    must(["gnomon", "export", "--to", "folded", "-o", path, trace])
    with open(path, encoding="utf-8") as file:
        return {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in file}


def prefixes(paths):
    """Where the program can have been: also in functions whose own cycles are none."""
    return {";".join(path.split(";")[:depth]) for path in paths for depth in range(2, path.count(";") + 2)}


def expected_error(part, whole, count):
    """The standard error of a share of `count` samples, if it is known."""
    share = min(part / whole, 1)
    return whole * math.sqrt(share * (1 - share) / count)


def within(figures, truth, cycles, count, name):
    """Are the sampled self and total cycles as near to the counted ones as the errors say? Of few samples the error is
    rough, so that of the counted share may be larger."""
    wrong = []
    for what in ("self", "total"):
        sampled, error = figures.get(f"{what}_cycles", 0), figures.get(f"{what}_error_cycles", 0)
        counted = truth.get(f"{what}_cycles", 0)
        if abs(sampled - counted) > SIGMAS * max(error, expected_error(counted, cycles, count)) + 1:
            wrong.append(f"{name}: {what} {sampled} +- {error}, counted {counted}")
    return wrong


def beside(folder, program, *options):
    """Sampled beside counted, in several runs and in all of them together."""
    counted, sampled, events = (f"{folder}/{program.name}.{end}.gnt" for end in ("counted", "sampled", "events"))
    program.record(counted, *FAST, "--records", *options)
    program.record(events, *FAST, "--events", *options)
    truth = report(counted)
    exact, cycles = {f["name"]: f for f in truth["functions"]}, truth["cycles"]
    known, wrong, outside, rows, kept = prefixes(paths_of(events)), [], [], 0, 0
    together = collections.defaultdict(collections.Counter)
    for _ in range(RUNS):
        program.record(sampled, *FAST, "-g", "-c", "1000", *options)
        shown, found = report(sampled), samples_in(sampled)
        if shown["end"]["cycle"] != cycles:
            wrong.append(f"{shown['end']['cycle']} cycles, not {cycles}")
        wrong += [f"no such stack: {path}" for path in paths_of(sampled) if path not in known and path != NOWHERE]
        count = shown["sampling"]["samples"]
        kept += count
        if not found["functions"] or found["lost"] or found["cut"] or count < 10:
            wrong.append({key: found[key] for key in ("functions", "lost", "cut")} | {"samples": count})
        mine = {f["name"]: f for f in shown["functions"]}
        for name in {*mine, *exact}:
            one, other = mine.get(name, {}), exact.get(name, {})
            rows += sum(one.get(samples, 0) > 0 or other.get(f"{what}_cycles", 0) * count > cycles  # one sample is expected
                        for what, samples in (("self", "samples"), ("total", "total_samples")))
            outside += within(one, other, cycles, count, name)
            for samples in ("samples", "total_samples"):
                together[name][samples] += one.get(samples, 0)
    check(f"{program.name}: {kept} stacks in {RUNS} runs of {cycles} cycles: no other stacks and not a cycle more than counted", wrong)
    share = 1 - len(outside) / rows
    check(f"{program.name}: the counted value is within {SIGMAS} sigma in {100 * share:.1f} % of {rows} figures", outside if share < ROWS_WITHIN else [])
    outside, different = [], 1 / (1 / kept + GRID / cycles)
    print(f"  {'counted':>9} {'sampled':>9} {'+-':>7} {'total':>9} {'sampled':>9} {'+-':>7}  function       ({program.name}, {kept} samples)")
    for name in sorted({*together, *exact}, key=lambda n: -exact.get(n, {}).get("self_cycles", 0)):
        of = {}
        for what, samples in (("self", "samples"), ("total", "total_samples")):
            number = together[name][samples]
            of |= {f"{what}_cycles": number * cycles / kept, f"{what}_error_cycles": expected_error(number, kept, different) * cycles / kept}
        outside += within(of, exact.get(name, {}), cycles, different, name)
        if together[name]["samples"] * 50 > kept:
            print(f"  {exact.get(name, {}).get('self_cycles', 0):>9,} {of['self_cycles']:>9,.0f} {of['self_error_cycles']:>7,.0f} {exact.get(name, {}).get('total_cycles', 0):>9,} "
                  f"{of['total_cycles']:>9,.0f} {of['total_error_cycles']:>7,.0f}  {name}")
    most = (1 - ROWS_WITHIN) * 2 * len(together)
    check(f"{program.name}: all runs together: {len(outside)} of {2 * len(together)} figures are outside", outside if len(outside) > most else [])
    return sampled


def exports(folder, trace):
    """Each format shows the report's figures, or says why it cannot."""
    shown = report(trace)
    totals, own = collections.Counter(), collections.Counter()
    for path, cycles in paths_of(trace).items():
        frames = path.split(";")[1:]
        own[frames[-1] if frames else None] += cycles
        for name in set(frames):
            totals[name] += cycles
    errors = [f"{f['name']}: {own[f['name']]}, {totals[f['name']]}, not {f['self_cycles']}, {f['total_cycles']}" for f in shown["functions"]
              if own[f["name"]] != f["self_cycles"] or totals[f["name"]] != f["total_cycles"]]
    errors += [] if sum(own.values()) == shown["end"]["cycle"] else [f"{sum(own.values())} cycles"]
    check(f"folded: {len(own)} functions, {len(totals)} with callees, as in the report", errors)
    for form in ("pprof", "pprof-legacy", "flamegraph", "callgrind", "dot", "gmon"):
        must(["gnomon", "export", "--to", form, "-o", f"{folder}/exported", trace])
    done = run(["gnomon", "annotate", "-i", trace])
    check("no lines below functions", [] if done.returncode and "without their instructions" in done.stderr else [done.stderr])


def traps(folder, program):
    """An interrupt's functions are apart from what it interrupted."""
    trace, events = f"{folder}/traps.gnt", f"{folder}/traps.events.gnt"
    program.record(events, *FAST, "--events")
    known = {path.partition(";")[2] for path in prefixes(paths_of(events))}
    found = collections.Counter()
    for _ in range(RUNS):
        program.record(trace, *FAST, "-g", "-c", "700")
        for path in paths_of(trace):
            found[path.partition(";")[2]] += path != NOWHERE
    errors = [path for path in found if path and path not in known]
    inside = [path for path in found if path.startswith("[interrupt")]
    check(f"{program.name}: {len(found)} stacks, {len(inside)} of interrupts", errors if inside else [found])


def ends(folder, program):
    """A run that ends early, or that the user stops: a valid file of what was there."""
    trace = f"{folder}/ends.gnt"
    program.record(trace, *FAST, "-g", "-c", "1000", "--duration", "400000c")
    shown = report(trace)
    good = shown["end"]["reason"] == "duration" and shown["sampling"]["samples"] > 5
    check(f"--duration: {shown['sampling']['samples']} samples", [] if good else [shown["end"]])
    remove(trace, program.writes)
    wrong = interrupted(["gnomon", "record", "-d", MEASURED_ON, "-q", "-g", "-o", trace, program.elf, "--", LONG, *program.arguments[1:]], trace)
    check("Ctrl-C", wrong or ([] if "event" in samples_in(trace) else ["no samples"]))


def refused(folder, program):
    def says(options, words, status=1, elf=program.elf):
        done = run(["gnomon", "record", "-q", "-o", f"{folder}/refused.gnt", *options, elf])
        check(f"refused: {' '.join(options)}", [] if done.returncode == status and words in done.stderr else [done.returncode, done.stderr])
    stripped = f"{folder}/stripped"
    must(["riscv64-unknown-elf-strip", "-o", stripped, program.elf])
    says(["-d", "sim:mid", "-g"], "sim:mid cannot tell which calls are open")
    says(["-d", "sim:full", "-g", "-e", "loads"], "has no monitor")
    says(["-d", "sim:full", "-g", "--stack-depth", "8"], "has no monitor")
    says(["-d", "sim:full", "-g", "--watch", "--stack-depth", "8"], "with --watch the device takes the stacks", 2)
    says(["-d", "sim:full", "--sample", "--watch"], "leave out", 2)
    says(["-d", "sim:full", "-g", "--watch-only", "no_such_function"], "no functions to watch")
    says(["-d", "sim:full", "-g"], "has neither a monitor nor functions", elf=stripped)


def main():
    folder, zlib_elf, bare_elf, traps_elf, text = values(__doc__, "out", "zlib", "bare", "traps", "text")
    os.makedirs(folder, exist_ok=True)
    zlib, bare = (Program(elf, [text, f"{folder}/text.z"], f"{folder}/text.z") for elf in (zlib_elf, bare_elf))
    refused(folder, bare)
    exports(folder, beside(folder, zlib))
    beside(folder, bare)
    beside(folder, zlib, "--watch")
    traps(folder, Program(traps_elf, ["60"]))
    ends(folder, zlib)
    return result()


if __name__ == "__main__":
    sys.exit(main())
