#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of matrix/ under a matrix of compiler flags on the simulated board: checks which calls were
made, by which callers, and that report and oracle agree.

usage: test_matrix.py WORK_DIRECTORY [--deep] [PROGRAM...]

The first comment of each program lists the expected result:
    CALLER[|CALLER...] > CALLEE[|ALIAS] COUNT [?]
                                            these calls, by these callers together; with ? they may have been inlined.
                                            "-" is no caller, "*" any caller. NAME@FILE distinguishes functions of one
                                            name
    status N                                the program's exit status, if not 0
    open NAME...                            open at the end
    near NAME...                            functions whose numbers one store reaches
    unhooked, absent, dropped NAME...       without hooks; not in the image; not in the image if sections are collected
    oracle calls|none                       compares only the oracle's calls; nothing
The list must name all calls of profiled functions."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

import image
from checking import check, result
from commands import FAST, run

HERE = pathlib.Path(__file__).resolve().parent
ORACLE = HERE.parent / "e2e" / "compare_oracle.py"
COLLECT = ["-ffunction-sections", "-Wl,--gc-sections"]
LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
EXTRAS = [
    [],
    ["-flto"],
    COLLECT,
    ["-msave-restore"],
    ["-fno-omit-frame-pointer"],
    ["-fno-optimize-sibling-calls"],
    ["-flto"] + COLLECT + ["-msave-restore", "-fno-omit-frame-pointer"],
    ["-fstack-protector-strong", "-fno-jump-tables", "-freorder-blocks-and-partition"],
    ["-mcmodel=medany", "-fPIC", "-fno-plt"],
]
# Each level, and each important extra flag, once.
SHORT = [
    ["-O0"],
    ["-O1", "-fno-omit-frame-pointer"],
    ["-O2"] + COLLECT,
    ["-O3", "-flto"],
    ["-Os", "-msave-restore"],
    ["-Os", "-flto"] + COLLECT + ["-msave-restore", "-fno-omit-frame-pointer"],
]
Call = collections.namedtuple("Call", "callers callee count optional")


class Expectation:
    def __init__(self, source):
        self.calls = []
        self.status = 0
        self.oracle = "all"
        self.names = collections.defaultdict(list)
        for line in source.read_text(encoding="utf-8").splitlines():
            text = re.sub(r"^( \*|//|/\*) ?", "", line)
            if text == line and line:
                break
            self._line(text)

    def _line(self, text):
        call = re.fullmatch(r"(\S.*) > (.+) (\d+)( \?)?", text)
        word, *rest = text.split() or [""]
        if call:
            self.calls.append(Call(call[1].split("|"), call[2], int(call[3]), bool(call[4])))
        elif word == "status":
            self.status = int(rest[0])
        elif word == "oracle" and rest[0] in ("calls", "none"):
            self.oracle = rest[0]
        elif word in ("open", "near", "unhooked", "absent", "dropped"):
            self.names[word] += rest


def demangle(names):
    done = subprocess.run(["riscv64-unknown-elf-c++filt"], input="\n".join(names), capture_output=True, text=True,
                          check=True)
    return dict(zip(names, done.stdout.split("\n")))


def plain(name):
    """Returns a symbol without the suffixes of the compiler."""
    return re.sub(r"(\.(lto_priv|constprop|isra|part))?\.\d+", "", name)


def symbol(function):
    """Returns the linker's name, which a report has if it shows another name."""
    return function.get("symbol", function["name"])


def check_calls(expected, report):
    """Checks that every arc of the report is in one line of the program's comment, and that each line's calls were
    all made."""
    readable = demangle([plain(symbol(function)) for function in report["functions"]])
    names = [(readable[plain(symbol(function))], os.path.basename(function["file"] or "")) for function in report["functions"]]

    def is_named(index, text):
        if index is None or text == "*":
            return text in ("-", "*")
        name, file = names[index]
        return text in (name, f"{name}@{file}")

    errors, seen = [], [0] * len(expected.calls)
    for arc in report["arcs"]:
        fitting = [i for i, call in enumerate(expected.calls)
                   if any(is_named(arc["callee"], c) for c in call.callee.split("|")) and any(is_named(arc["caller"], c) for c in call.callers)]
        if len(fitting) != 1:
            caller = "-" if arc["caller"] is None else "@".join(names[arc["caller"]])
            errors.append(f"{caller} > {'@'.join(names[arc['callee']])} {arc['calls']}: in {len(fitting)} lines")
            continue
        seen[fitting[0]] += arc["calls"]
    for call, count in zip(expected.calls, seen):
        if count != call.count and not (call.optional and count == 0):
            errors.append(f"{'|'.join(call.callers)} > {call.callee}: {count} calls, not {call.count}")
    return errors


def check_balance(expected, report):
    errors = [f"{key} is {report[key]}" for key in ("lost_events", "unbalanced_exits") if report[key] != 0]
    if not report["complete"]:
        errors.append(f"not complete: {report['reasons']}")
    still = {plain(symbol(function)) for function in report["functions"] if function["open_at_end"]}
    if still != set(expected.names["open"]):
        errors.append(f"open at the end: {still}")
    return errors


def check_image(expected, path, flags):
    firmware = image.Image(path)
    errors = image.check(firmware, [function.name for function in firmware.functions])
    numbers = collections.defaultdict(list)
    for function in firmware.functions:
        numbers[plain(function.name)].append(firmware.number_of.get(function.start))
    for name in expected.names["near"]:
        if not numbers[name] or numbers[name][0] is None or numbers[name][0] >= 2048:
            errors.append(f"{name} is not near: {numbers[name]}")
    for name in expected.names["unhooked"]:
        if numbers[name] != [None]:
            errors.append(f"{name} should be there without hooks: {numbers[name]}")
    gone = expected.names["absent"] if "-O0" not in flags else []
    for name in gone + (expected.names["dropped"] if "-ffunction-sections" in flags else []):
        if numbers[name]:
            errors.append(f"{name} is there: {numbers[name]}")
    return errors


def check_oracle(expected, report, report_path, oracle_path):
    if expected.oracle == "none":
        return []
    if expected.oracle == "all":
        done = run([sys.executable, ORACLE, report_path, oracle_path])
        return [] if done.returncode == 0 else done.stdout.splitlines()
    oracle = json.loads(oracle_path.read_text(encoding="utf-8"))
    calls = [{(symbol(f), f["address"]): f["calls"] for f in side["functions"]} for side in (report, oracle)]
    return [] if calls[0] == calls[1] else [f"calls differ from the oracle's: {set(calls[0].items()) ^ set(calls[1].items())}"]


def check_end(expected, trace):
    ends = [json.loads(line) for line in run(["gnomon", "dump", "--json", "-i", trace]).stdout.splitlines() if '"end"' in line]
    statuses = [end["status"] for end in ends]
    return [] if statuses == [expected.status] else [f"exit status {statuses}, not {expected.status}"]


def errors_of(work, program, flags):
    """What is wrong with this program under these flags."""
    sources = sorted(HERE.glob(f"matrix/{program}.c*")) + sorted(HERE.glob(f"matrix/{program}.2.c*"))
    sources = list(dict.fromkeys(sorted(sources, key=lambda path: len(path.name))))
    expected = Expectation(sources[0])
    base = work / re.sub(r"[^\w-]", "_", "".join([program] + flags))
    elf, trace, oracle, report_path = (pathlib.Path(f"{base}.{end}") for end in ("elf", "gnt", "oracle.json", "json"))
    for path in (elf, trace, oracle):
        path.unlink(missing_ok=True)
    compiler = "c++" if sources[0].suffix == ".cc" else "cc"
    done = run(["gnomon", compiler, "-g", "-Wall", "-Wextra", "-Werror"] + flags + ["-o", elf] + sources)
    if done.returncode != 0:
        return [done.stderr]
    errors = check_image(expected, elf, flags)
    done = run(["gnomon", "record", "--events", "-q", "-d", "sim:full", "-o", trace] + FAST +
               ["--sim-option", "--oracle", "--sim-option", f"{elf}={oracle}", elf])
    if done.returncode != 0:
        return errors + [f"record: {done.stderr}"]
    errors += check_end(expected, trace)
    done = run(["gnomon", "report", "--json", "-i", trace])
    if done.returncode != 0:
        return errors + [f"report: {done.stderr}"]
    report_path.write_text(done.stdout, encoding="utf-8")
    report = json.loads(done.stdout)
    return errors + check_balance(expected, report) + check_calls(expected, report) + \
        check_oracle(expected, report, report_path, oracle)


def main():
    deep = "--deep" in sys.argv
    work = pathlib.Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)
    wanted = [argument for argument in sys.argv[2:] if argument != "--deep"]
    programs = wanted or sorted(path.name.split(".")[0] for path in HERE.glob("matrix/*.c*") if path.name.count(".") == 1)
    cases = []
    for program in programs:
        sets = [[level] + extra for level in LEVELS for extra in EXTRAS] if deep else SHORT
        cases += [(program, flags) for flags in sets]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (program, flags), errors in zip(cases, pool.map(lambda case: errors_of(work, *case), cases)):
            check(f"{program} {' '.join(flags)}", errors)
    return result()


if __name__ == "__main__":
    sys.exit(main())
