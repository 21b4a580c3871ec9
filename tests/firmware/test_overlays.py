#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests overlays: each of several functions at one address is profiled under its own name, in events and in records.

usage: test_overlays.py WORK_DIRECTORY"""
import collections
import json
import os
import pathlib
import re
import struct
import sys

import image
from checking import check, result
from commands import FAST, must, report, run, sim_options
from memory_records import Records

HERE = pathlib.Path(os.path.relpath(__file__)).parent
PROGRAM = HERE / "overlays"
COMPARE = HERE.parent / "e2e" / "compare_oracle.py"
SOURCES = [PROGRAM / f"{name}.c" for name in ("main", "one", "second", "three")]
CC = ["gnomon", "cc", "-g", "-Wall", "-Wextra", "-Werror"]
SLOW = sim_options("--rate-divisor", "10")
ROUNDS = 30
# By name and overlay: source file, calls in a round (main: in all).
FUNCTIONS = {
    ("main", None): ("main.c", None), ("round_of_all", None): ("main.c", 1), ("resident", None): ("main.c", 4), ("bounce", None): ("main.c", 5),
    ("same", 0): ("one.c", 4), ("one", 0): ("one.c", 1), ("visits", 0): ("one.c", 2),
    ("same", 3): ("second.c", 4), ("two", 3): ("second.c", 6),
    ("only", 14): ("three.c", 2), ("three", 15): ("three.c", 6),
}
ARCS = {
    ((None, None), ("main", None)): None, (("main", None), ("round_of_all", None)): 1,
    (("round_of_all", None), ("visits", 0)): 2, (("round_of_all", None), ("one", 0)): 1,
    (("one", 0), ("same", 0)): 4, (("one", 0), ("resident", None)): 4,
    (("round_of_all", None), ("two", 3)): 2, (("two", 3), ("two", 3)): 4, (("two", 3), ("same", 3)): 4,
    (("round_of_all", None), ("only", 14)): 2, (("round_of_all", None), ("three", 15)): 1, (("three", 15), ("bounce", None)): 5, (("bounce", None), ("three", 15)): 5,
}


def differences(what, got, expected):
    return [f"{what} {key}: {got.get(key)}, not {expected.get(key)}" for key in sorted(set(got) | set(expected), key=str)
            if got.get(key) != expected.get(key)]


def calls_of(table, each):
    return {key: 1 if each(value) is None else ROUNDS * each(value) for key, value in table.items()}


EXPECTED_CALLS = calls_of(FUNCTIONS, lambda value: value[1])
EXPECTED_ARCS = calls_of(ARCS, lambda value: value)


def line_of(name, file):
    """Returns the line of the function's definition."""
    lines = (PROGRAM / file).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if re.search(rf"\b{name}\([^;]*\{{$", line))


def identity(function):
    """Returns the function's name in the source, without the compiler's suffixes of clones."""
    return function["name"].split(".")[0], function.get("overlay")


def record(elf, *options, arguments=(str(ROUNDS),)):
    trace = elf.with_suffix(".gnt")
    must(["gnomon", "record", "-q", "-d", "sim:full", "-o", trace, *options, elf, "--", *arguments])
    return report(trace)


def check_figures(report):
    functions = report["functions"]
    found = {identity(function): function for function in functions}
    errors = differences("calls of", {key: function["calls"] for key, function in found.items()}, EXPECTED_CALLS)
    for key, function in found.items():
        place = (function["file"], function["line"])
        expected = (str(PROGRAM / FUNCTIONS[key][0]), line_of(key[0], FUNCTIONS[key][0])) if key in FUNCTIONS else None
        errors += [f"{key} is said to be at {place}, not {expected}"] if place != expected else []
    arcs = {((None, None) if arc["caller"] is None else identity(functions[arc["caller"]]), identity(functions[arc["callee"]])): arc["calls"]
            for arc in report["arcs"]}
    errors += differences("calls", arcs, EXPECTED_ARCS)
    inside = sum(function["self_cycles"] for function in functions)
    if inside + report["unprofiled_cycles"] != report["cycles"] or not report["complete"] or report["unbalanced_exits"]:
        errors.append(f"{inside} + {report['unprofiled_cycles']} != {report['cycles']}, or not complete: {report['reasons']}")
    return errors


def figures(report):
    return sorted([[function.get(key) for key in ("number", "overlay", "name", "calls", "self_cycles", "total_cycles")]
                   for function in report["functions"]], key=str)


def check_shared(elf):
    """Checks the test's premise: two overlays have the same name at the same address, and a third has a function
    without hooks there."""
    firmware = image.Image(elf)
    at = collections.defaultdict(set)
    for function in firmware.functions:
        at[function.start].add(function.name.split(".")[0])
    first = next((start for start, names in at.items() if "unprofiled" in names), None)
    numbered = [overlay for overlay, start in firmware.number_in if start == first]
    return [] if numbered == [0, 3, 14] and at[first] == {"same", "only", "unprofiled"} else [
        f"{at[first]} begin at one address, those of {numbered} with numbers"]


def check_dump(trace):
    """Each call has the name and place of its own overlay, independent of the last loaded overlay."""
    lines = must(["gnomon", "dump", "-i", trace, "--json"]).splitlines()
    entered = collections.Counter()
    for event in map(json.loads, lines):
        if event["event"] == "enter":
            entered[event["function"].split(".")[0], os.path.basename(event["file"]), event["line"]] += 1
    return differences("entered", entered, {(name, file, line_of(name, file)): EXPECTED_CALLS[name, overlay]
                                            for (name, overlay), (file, _) in FUNCTIONS.items()})


def check_program(work, name, *options):
    elf = work / f"{name}.elf"
    done = run(CC + ["--gnomon-overlays", *options, "-o", elf] + SOURCES)
    check(f"{name}: links without a word", [done.stderr] if done.returncode or done.stderr else [])
    done = run(["gnomon", "run", "-d", "sim:full", *FAST, elf, "--", "3"])
    check(f"{name}: loads what it should", [done.stdout + done.stderr] if done.returncode or done.stdout != "0 failures\n" else [])
    check(f"{name}: shares addresses", check_shared(elf))
    oracle = elf.with_suffix(".oracle.json")
    oracle.unlink(missing_ok=True)
    events = record(elf, "--events", *FAST, "--sim-option", "--oracle", "--sim-option", f"{elf}={oracle}")
    check(f"{name}: calls, tree, names and places from events", check_figures(events))
    check(f"{name}: dump", check_dump(elf.with_suffix(".gnt")))
    path = elf.with_suffix(".json")
    path.write_text(json.dumps(events), encoding="utf-8")
    done = run([sys.executable, COMPARE, path, oracle])
    check(f"{name}: oracle: {done.stdout.splitlines()[-1]}", [done.stdout + done.stderr] if done.returncode else [])
    flat = must(["gnomon", "report", "--flat", "-i", elf.with_suffix(".gnt")])
    rows = re.findall(r" same\S*\s+(\w+\.c:\d+  \[overlay \d+\])$", flat, re.M)
    wanted = [f"{file}:{line_of('same', file)}  [overlay {overlay}]" for overlay, file in ((0, "one.c"), (3, "second.c"))]
    check(f"{name}: report as text", [] if sorted(rows) == wanted else [flat])
    from_records = record(elf, *FAST)
    check(f"{name}: the device's records", check_figures(from_records) + (
        [] if figures(from_records) == figures(events) else ["other figures than from the events"]))
    return elf, path


def check_without_debug_information(work):
    elf = work / "plain.elf"
    must(CC + ["--gnomon-overlays", "-O2", "-g0", "-o", elf] + SOURCES)
    found = {identity(function): (function["file"], function["line"]) for function in record(elf, *FAST)["functions"]
             if "overlay" in function}
    check("overlays without debug information", differences("place of", found, {
        (name, overlay): (str(PROGRAM / file), line_of(name, file)) for (name, overlay), (file, _) in FUNCTIONS.items() if overlay is not None}))


def check_memory_records(work, mode):
    """Tests records in memory, whose numbers the image maps to functions."""
    elf, output = work / f"{mode}.elf", work / f"{mode}.records"
    must(CC + ["--gnomon-overlays", f"--gnomon-records={mode}", "-O2", "-o", elf] + SOURCES)
    output.unlink(missing_ok=True)
    must(["gnomon", "run", "-d", "sim:full", *FAST, "--get", f"gnomon.records={output}", elf, "--", str(ROUNDS)])
    got, firmware = Records(output.read_bytes()), image.Image(elf)
    overlay_at = {head[3]: int(name.split(".")[2]) for name, head in firmware.sections.items() if name.startswith(".overlay.") and head[5]}
    names = {}
    for function in firmware.functions:
        names.setdefault(function.start, []).append(function.name.split(".")[0])
    calls = {}
    for number, found in got.records[0].items():
        overlay, start = next((key for key, value in firmware.number_in.items() if value == number),
                              (None, next((key for key, value in firmware.number_of.items() if value == number), None)))
        name = [name for name in names[start] if (name, overlay) in FUNCTIONS]
        calls[name[0] if name else names[start][0], overlay] = found.calls
    covered = sum(found.self for found in got.records[0].values())
    errors = differences("calls of", calls, EXPECTED_CALLS)
    if got.functions != len(FUNCTIONS) or not overlay_at or covered != got.covered[0] or not covered or got.dropped:
        errors.append(f"{got.functions} functions, {covered} cycles of {got.covered[0]}, {got.dropped} dropped")
    check(f"records in memory ({mode})", errors)


def check_causes(elf):
    """Instructions have only addresses: for an address that overlays share, the report lists the overlays with code
    there."""
    trace = elf.with_name("causes.gnt")
    must(["gnomon", "record", "-q", "-d", "sim:full", "--cpi", "all", *FAST, "-o", trace, elf, "--", str(ROUNDS)])
    whole = json.loads(must(["gnomon", "annotate", "--json", "-i", trace]))
    shared = [f["code"] for f in whole["functions"] if f["name"] is None]
    named = [f["name"] for f in whole["functions"] if f["name"] in ("one", "visits", "same", "two", "only") and "overlay" not in f]
    errors = [] if shared and all(re.fullmatch(r"\[overlay \d+(, \d+)* or \d+\]", text) for text in shared) else [str(shared)]
    total = sum(f["cycles"] for f in whole["functions"]) + whole["unattributed"]["cycles"] + whole["not_counted"]["cycles"]
    check("cycles of instructions that overlays share name no function", errors + named +
          ([] if total == whole["cycles"] else [f"{total} of {whole['cycles']} cycles"]))


def check_samples(elf):
    """Samples have only addresses, too; loading an overlay removes the tags of its code."""
    done = run(["gnomon", "hot", "--json", "-d", "sim:full", *FAST, "--period", "64", elf, "--", str(ROUNDS)])
    found = json.loads(done.stdout)
    in_overlays = {name for name, overlay in FUNCTIONS if overlay is not None}
    errors = [f"{f['name']} is named" for f in found["functions"] if f["name"].split(".")[0] in in_overlays and "overlay" not in f]
    shared = [f for f in found["functions"] if re.fullmatch(r"\[overlay \d+(, \d+)* or \d+\]", f["name"])]
    samples = sum(f["samples"] for f in found["functions"])
    if not shared or samples != found["samples"]:
        errors.append(f"{samples} of {found['samples']} samples, {shared}")
    check("samples at addresses that overlays share name no function", errors)
    done = run(["gnomon", "scan", "--whole", "-d", "sim:full", *FAST, elf, "--", str(ROUNDS)])
    check("scan says that it leaves them out", [] if "Overlays and modules are not in the table" in done.stderr and " two" not in done.stderr else [done.stderr])


def check_order(elf, path):
    """The most frequently called functions get the first numbers, those of overlays included."""
    other = elf.with_name("ordered.elf")
    must(CC + ["--gnomon-overlays", "-O2", f"--gnomon-profile={path}", "-o", other] + SOURCES)
    numbers = {identity(function): function["number"] for function in record(other, *FAST)["functions"]}
    first = {key for key, number in numbers.items() if number < 2}
    check("order by a former profile", [] if first == {("two", 3), ("three", 15)} else [str(numbers)])


def check_losses(elf):
    report = record(elf, "--events", *SLOW, arguments=["300"])
    exact = [function["name"] for function in report["functions"] if function["exact"]]
    check("what was lost puts all in doubt", [f"{exact} exact, {report['lost_events']} lost"] if exact or not report["lost_events"] else [])


def check_foreign(work):
    """A function without a number is known by its address if only one overlay has code there."""
    elf, out = work / "foreign.elf", work / "foreign.o"
    must(CC + ["--gnomon-off", "-finstrument-functions", "-O2", "-c", "-o", out, PROGRAM / "foreign.c"])
    must(CC + ["--gnomon-overlays", "-o", elf, out])
    functions = {function["name"]: (function["calls"], function["line"]) for function in record(elf, "--events", *FAST)["functions"]}
    check("functions known by their address", differences("calls and line of", functions, {
        "main": (1, line_of("main", "foreign.c")), "always": (1, line_of("always", "foreign.c")), "swapped": (1, 0)}))


def check_links(work):
    out = work / "refused.elf"

    def refused(name, command, *words):
        out.unlink(missing_ok=True)
        done = run(CC + command + ["-o", out])
        missing = [word for word in words if word not in done.stderr]
        check(name, [f"status {done.returncode}, without {missing}: {done.stderr}"] if done.returncode == 0 or missing or out.exists() else [])

    refused("overlays want the option", SOURCES, "this program has overlays", "--gnomon-overlays")
    refused("a module has none", ["--gnomon-module", PROGRAM / "one.c"], "one.c:6:", "a module has no overlays")
    refused("no overlay has the number 16", ["--gnomon-overlays", PROGRAM / "sixteen.c"], "from 0 to 15")
    for name, options in (("a module", ["--gnomon-module"]), ("a linker script", ["-T", "build/firmware/lib/overlays.ld"])):
        done = run(CC + ["--gnomon-overlays", *options, "-o", out, PROGRAM / "none.c"])
        check(f"the option has no effect on, or with, {name}", [] if f"no effect {'on' if name == 'a module' else 'with'} {name}" in done.stderr else [done.stderr])
    for options in ([], ["--gnomon-overlays"]):
        elf = work / "none.elf"
        must(CC + options + ["-o", elf, PROGRAM / "none.c"])
        done = run(["gnomon", "run", "-d", "sim:full", elf])
        check(f"a program without overlays {' '.join(options)}", [] if done.returncode == 0 else [done.stderr + str(done.returncode)])


def move_overlay(source, target, address):
    """Writes the same program with another run address of the overlay."""
    data = bytearray(source.read_bytes())
    table, size, count = struct.unpack_from("<I", data, 28)[0], *struct.unpack_from("<2H", data, 42)
    for at in range(table, table + size * count, size):
        kind, _, runs_at, put_at = struct.unpack_from("<4I", data, at)
        if kind == 1 and runs_at != put_at:
            struct.pack_into("<I", data, at + 8, address)
    target.write_bytes(data)


def check_sizes(work):
    elf, moved = work / "large.elf", work / "moved.elf"
    must(CC + ["--gnomon-overlays", "-o", elf, PROGRAM / "large.c"])
    done = run(["gnomon", "run", "-d", "sim:full", *FAST, elf])
    check("an overlay of 80 KiB", [] if done.returncode == 0 else [done.stderr + str(done.returncode)])

    def refused(name, program, board, *words):
        done = run(["gnomon", "run", "-d", board, program])
        missing = [word for word in words if word not in done.stderr]
        check(name, [f"status {done.returncode}, without {missing}: {done.stderr}"] if done.returncode != 1 or missing else [])

    refused("too large for the board", elf, "sim:small", "large.elf needs ", "bytes of memory")
    move_overlay(elf, moved, 0x08000000)
    refused("an overlay that runs where there is no memory", moved, "sim:full", "moved.elf needs memory at 0x08000000")
    move_overlay(elf, moved, 0x12000000 - 0x4000)
    refused("an overlay that runs beyond the memory's end", moved, "sim:full", "moved.elf needs ", "bytes of memory")


def check_damage(elf):
    """Function tables that are cut in the middle: functions are missing, and nothing else happens."""
    cut, part = elf.with_name("cut.elf"), elf.with_name("part")
    whole = image.Image(elf).section_bytes(".gnomon.map.overlay.0")
    errors = []
    for size in range(len(whole)):
        part.write_bytes(whole[:size])
        must(["riscv64-unknown-elf-objcopy", "--update-section", f".gnomon.map.overlay.0={part}", elf, cut])
        done = run(["gnomon", "report", "--json", "-i", elf.with_suffix(".gnt"), "--elf", cut])
        functions = json.loads(done.stdout)["functions"] if done.returncode == 0 else []
        if {"two", "three", "main"} - {function["name"].split(".")[0] for function in functions}:
            errors.append(f"{size} bytes: status {done.returncode}, {done.stderr}")
    check(f"{len(whole)} tables that are cut", errors)


def main():
    work = pathlib.Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)
    elf, path = check_program(work, "O2", "-O2")
    check_program(work, "O0", "-O0")
    check_program(work, "lto", "-O2", "-flto")
    check_without_debug_information(work)
    for mode in ("array", "pointers"):
        check_memory_records(work, mode)
    check_causes(elf)
    check_samples(elf)
    check_order(elf, path)
    check_losses(elf)
    check_foreign(work)
    check_links(work)
    check_sizes(work)
    check_damage(elf)
    return result()


if __name__ == "__main__":
    sys.exit(main())
