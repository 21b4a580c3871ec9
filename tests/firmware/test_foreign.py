#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links objects that another compiler instrumented with gnomon cc: the report contains their calls, and tells how they
were measured.

usage: test_foreign.py WORK_DIRECTORY"""
import json
import os
import pathlib
import sys

from checking import check, result
from commands import FAST, must, run, sim_options

HERE = pathlib.Path(__file__).resolve().parent / "foreign"
# Another compiler: without the plugin and gnomon's options.
CC = ["riscv64-unknown-elf-gcc", "-march=rv32imc", "-misa-spec=2.2", "-mabi=ilp32", "--specs=picolibc.specs", "-O2", "-g"]
SLOW = sim_options("--rate-divisor", "10")
# By caller and callee; what has entries only is never a caller.
CALLS = {
    ("-", "main"): 1,
    ("main", "instrumented"): 5, ("instrumented", "inner"): 10, ("instrumented", "back"): 5,
    ("main", "counted"): 7, ("main", "counted_inner"): 7, ("main", "back"): 7,
    ("main", "patched"): 3, ("main", "patched_long"): 3,
    ("main", "catches"): 1, ("catches", "instrumented_jumps"): 1, ("catches", "after"): 1,
    ("main", "instrumented_catches"): 1, ("instrumented_catches", "between"): 1, ("between", "instrumented_goes_back"): 1,
}
MEASURED = {"main": "store", "back": "store", "instrumented": "instrument-functions", "inner": "instrument-functions",
            "counted": "mcount", "counted_inner": "mcount", "patched": "patchable-function-entry",
            "patched_long": "patchable-function-entry"}
ENTRIES_ONLY = ("mcount", "patchable-function-entry")


def profile(elf, sim, arguments=()):
    trace = elf.with_suffix(".gnt")
    must(["gnomon", "record", "--events", "-q", "-d", "sim:full", "-o", trace] + sim + [elf, "--"] + list(arguments))
    return json.loads(must(["gnomon", "report", "--json", "-i", trace])), must(["gnomon", "report", "--flat", "-i", trace])


def check_profile(report, text):
    functions, errors = report["functions"], []
    calls = {}
    for arc in report["arcs"]:
        caller = "-" if arc["caller"] is None else functions[arc["caller"]]["name"]
        calls[(caller, functions[arc["callee"]]["name"])] = arc["calls"]
    errors += [f"{arc}: {calls.get(arc)} calls, not {CALLS.get(arc)}" for arc in sorted(set(calls) | set(CALLS))
               if calls.get(arc) != CALLS.get(arc)]
    by_name = {function["name"]: function for function in functions}
    for name, how in MEASURED.items():
        function = by_name.get(name)
        if function is None or function["measured"] != [how]:
            errors.append(f"{name} should be measured by {how}: {function}")
            continue
        entries = how in ENTRIES_ONLY
        if entries != (function["total_cycles"] == 0) or entries != ("min_cycles" not in function):
            errors.append(f"{name}: cycles {function}")
        line = [line for line in text.splitlines() if f" +{name} " in line + " "]
        note = "" if how == "store" else f"[{how}: entries only]" if entries else f"[{how}]"
        if len(line) != 1 or not line[0].endswith(note) or ("[" in line[0]) != bool(note):
            errors.append(f"{name} in the text: {line}")
        source = "main.c" if how == "store" else {"i": "instrumented.c", "m": "counted.c", "p": "patched.c"}[how[0]]
        if os.path.basename(function["file"] or "") != source or function["line"] == 0 or function["address"] == 0:
            errors.append(f"{name} is not where it is: {function}")
    inside = sum(function["self_cycles"] for function in functions)
    if inside + report["unprofiled_cycles"] != report["cycles"]:
        errors.append(f"{inside} + {report['unprofiled_cycles']} != {report['cycles']}")
    # longjmp returns to instrumented_catches, which does not report the landing.
    reasons = {reason["id"]: reason["count"] for reason in report["reasons"]}
    if report["exact"] or reasons != {"unbalanced-exits": 1, "hookless-landings": 1}:
        errors.append(f"reasons {reasons}")
    if any(function["open_at_end"] for function in functions):
        errors.append("something is open at the end")
    return errors


def main():
    work = pathlib.Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)

    def compile_with(command, source, *options):
        out = work / f"{source}.o"
        must(command + list(options) + ["-c", "-o", out, HERE / f"{source}.c"])
        return out

    hooked = compile_with(["gnomon", "cc", "-O2", "-g"], "main")
    instrumented = compile_with(CC, "instrumented", "-finstrument-functions")
    counted = compile_with(CC, "counted", "-pg")
    patched = compile_with(CC, "patched", "-fpatchable-function-entry=2")
    objects = [hooked, instrumented, counted, patched]
    elf = work / "foreign.elf"
    must(["gnomon", "cc", "--gnomon-patchable", "-o", elf] + objects)
    check("calls, tree, cycles and how each was measured", check_profile(*profile(elf, FAST)))
    dump = must(["gnomon", "dump", "-i", elf.with_suffix(".gnt")])
    check("dump names them", [line for line in ("> inner  (message)", "< inner  (message)", "> counted  (message)", "> patched  (message)",
                                               "runs: calls above it have ended") if line not in dump])
    report, _ = profile(elf, SLOW, ["200"])
    exact = [function["name"] for function in report["functions"] if function["exact"]]
    check("what was lost puts all in doubt", [f"{exact} exact, {report['lost_events']} lost"] if exact or not report["lost_events"] else [])

    done = run(["gnomon", "cc", "-o", work / "refused.elf"] + objects)
    check("patchable entries want an option", [] if done.returncode and "--gnomon-patchable" in done.stderr else [done.stderr])
    for source, options in (("alone", ["-finstrument-functions"]), ("alone", ["-pg"])):
        out = compile_with(CC, source, *options)
        alone = work / "alone.elf"
        must(["gnomon", "cc", "-o", alone, out])
        report, _ = profile(alone, FAST)
        calls = {function["name"]: function["calls"] for function in report["functions"]}
        check(f"nothing but {options[0]}", [] if calls == {"main": 1, "work": 2} else [str(calls)])
        report, _ = profile(alone, SLOW, ["3000"])
        exact = [function["name"] for function in report["functions"] if function["exact"]]
        check(f"lost messages of {options[0]}", [f"{exact} exact, {report['lost_events']} lost"] if exact or not report["lost_events"] else [])
    must(["gnomon", "cc", "-o", work / "alone.elf", HERE / "alone.c"])
    symbols = must(["riscv64-unknown-elf-nm", work / "alone.elf"])
    check("nothing of it in other images", [name for name in ("__cyg_profile_func_enter", "_mcount", "__gnomon_patch_entries") if name in symbols])
    done = run(["gnomon", "cc", "-pg", "-finstrument-functions", "-fpatchable-function-entry=2", "-c", "-o", work / "both.o", HERE / "alone.c"])
    symbols = must(["riscv64-unknown-elf-nm", work / "both.o"])
    check("hooks and another way at once: the hooks stay",
          [] if done.stderr.count("is dropped") == 3 and "_mcount" not in symbols and "__cyg" not in symbols else [done.stderr, symbols])
    return result()


if __name__ == "__main__":
    sys.exit(main())
