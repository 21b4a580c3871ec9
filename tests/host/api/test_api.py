#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests libgnomon from C and from Python: its figures equal the command's, errors are text, and no memory leaks.

usage: test_api.py --out FOLDER --example COMMAND --example-asan COMMAND --library FILE --program ELF --zlib ELF --text FILE
program: of tests/firmware/callers/ways.c, with hooks; zlib packs the text. Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulators, PYTHONPATH the module."""
import json
import os
import re
import sys

import gnomon
from checking import check, result
from commands import must, run
from options import values

ROUNDS = "60"
SYSCTL_ID, ID = 0xF0000000, 0x4D4F4E47
CAUSES_CODE_WINDOW_BASE, CAUSES_CODE_WINDOW_PAGE, CAUSES_REGION = 0xF0005008, 0xF000500C, 0xF0005800
EVENTS = ["loads", "mispredictions"]


def stat(program):
    command = ["gnomon", "stat", "-d", "sim:full", "--json", "-e", ",".join(EVENTS), "--range", "work", program, "--", ROUNDS]
    return json.loads(must(command))


def example(program, paths, want):
    """Runs the C example, also with sanitizers and under valgrind."""
    lines = {"cycles": want["cycles"]["runs"][0], "instructions": want["instructions"]["runs"][0], "work": want["ranges"][0]["cycles"]["runs"][0]}
    lines.update({event["event"]: event["runs"][0] for event in want["events"]})
    valgrind = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"]
    for name, command in (("as it is", [paths[0]]), ("ASan, UBSan", [paths[1]]), ("valgrind", [*valgrind, paths[0]])):
        done = run([*command, "sim:full", program, "work", ROUNDS])
        got = {line.split()[0]: int(line.split()[1]) for line in done.stdout.splitlines()}
        check(f"example in C, {name}: the figures of gnomon stat", [] if done.returncode == 0 and got == lines else [done.stdout, done.stderr, lines])
        done = run([*command, "sim:full", program, "nobody"])
        good = done.returncode == 1 and "no function nobody" in done.stderr
        check(f"example in C, {name}: no such function", [] if good else [f"status {done.returncode}: {done.stderr}"])


def counts(program, want):
    console = bytearray()
    with gnomon.Device("sim:full") as device:
        device.load(program, [program, ROUNDS])
        for index, event in enumerate(EVENTS):
            device.count(index, event)
        device.range(0, *gnomon.find(program, "work"))
        ran = device.run(console=console.extend)
        got = [ran.cycles, ran.instructions, [device.counter(i) for i in range(len(EVENTS))], vars(device.range_read(0)), device.causes()]
        info, identity, there = device.info(), device.read(SYSCTL_ID), device.counters()
        device.load(program, [program, ROUNDS])
        again = device.run()
    figures = {name: want["ranges"][0][name]["runs"][0] for name in ("entries", "instructions", "cycles", "reads", "writes")}
    causes = {name: cause["runs"][0] for name, cause in want["causes"].items()}
    truth = [want["cycles"]["runs"][0], want["instructions"]["runs"][0], [event["runs"][0] for event in want["events"]], figures]
    check("Python: cycles, instructions, counters and a range are those of gnomon stat", [] if got[:4] == truth else [got[:4], truth])
    mine = {name: cycles for name, cycles in got[4].items() if cycles}
    check("Python: so are the causes", [] if mine == {n: v for n, v in causes.items() if v} else [mine, causes])
    check("Python: console and end of the program", [] if re.fullmatch(rb"\d+\n", bytes(console)) and ran.end == gnomon.END_EXIT and ran.exit_status == 0 else [ran, console])
    told = json.loads(must(["gnomon", "info", "-d", "sim:full", "--json"]))
    check("Python: info is gnomon info", [] if told == info and identity == [ID] and there == (6, 3) else [info, told, identity, there])
    check("Python: a second run on the same device is the same", [] if (again.cycles, again.instructions) == (ran.cycles, ran.instructions) else [again, ran])


def tags(program):
    """Tags, a timer and per-address counters equal those of gnomon tag."""
    names = ["work:each", "work@entry:start=1", "work@return:stop=1"]
    asked = [word for what in names for word in ("-t", what)]
    want = json.loads(must(["gnomon", "tag", "-d", "sim:full", "--json", *asked, "--threshold", "1=50,100", program, "--", ROUNDS]))
    with gnomon.Device("sim:full") as device:
        device.load(program, [program, ROUNDS])
        for what in names:
            device.tag(what)
        for step, cycles in enumerate((50, 100)):
            device.threshold(1, step, cycles)
        raises("a timer that is not there", "4 timers", device.threshold, 4, 0, 1)
        raises("what cannot be tagged", "nobody", device.tag, "nobody")
        raises("counts before the run", "with tags", device.tag_count, 0)
        ran = device.run()
        counts, timer = [device.tag_count(i) for i in range(len(names))], device.timer(1)
        first, limit = gnomon.find(program, "work")
        own = {first + 2 * i: count for i, count in enumerate(device.tag_per_address(first, (limit - first) // 2)) if count}
        sharing = device.tag_per_address(first + 8192, (limit - first) // 2)  # addresses with the same counters, and no tag
        raises("a tag that is not there", "no tag 3", device.tag_count, 3)
        device.load(program, [program, ROUNDS])
        device.tag("work:interrupt")
        raises("an interrupt that the program does not handle", "does not handle the interrupt", device.run)
        device.load(program, [program, ROUNDS])
        device.threshold(0, 1, 5)
        raises("a threshold of a timer that no tag uses", "no tag starts or stops this timer", device.run)
    truth = [[t["executions"], t["cycles"]] for t in want["targets"]]
    good = [[c.executions, c.cycles] for c in counts] == truth and all(c.exact for c in counts) and truth[0][0] > 0
    check("Python: tags are those of gnomon tag", [] if good and ran.cycles == want["cycles"] else [counts, truth])
    told = want["timers"][0]
    figures = [told[name] for name in ("intervals", "cycles", "shortest", "longest")] + [step["intervals"] for step in told["over"]]
    mine = [timer.intervals, timer.cycles, timer.shortest, timer.longest] + timer.over[:2]
    check("Python: so is a timer", [] if mine == figures and timer.intervals else [mine, figures])
    check("Python: what has no tag has no counter", sharing if any(sharing) or not own else [])
    check("Python: so are per-address counters", [] if own == {one["address"]: one["count"] for one in want["targets"][0]["each"]} else [own])


def code_windows(folder, program):
    """The executions in a function's code window equal those of gnomon record --cpi."""
    path = f"{folder}/cpi.gnt"
    must(["gnomon", "record", "-q", "-d", "sim:full", "--cpi", "work", "-o", path, program, "--", ROUNDS])
    want = json.loads(must(["gnomon", "annotate", "--json", "-i", path, "work"]))["instructions"]
    first, limit = gnomon.find(program, "work")
    with gnomon.Device("sim:full") as device:
        raises("code windows of no program", "no program", device.code_windows, "work")
        device.load(program, [program, ROUNDS])
        raises("code windows of a function that is not there", "no function nobody", device.code_windows, "nobody")
        windows, every = device.code_windows("work"), device.code_windows("all")
        device.write(CAUSES_CODE_WINDOW_BASE, [windows[0].start])
        device.run()
        device.write(CAUSES_CODE_WINDOW_PAGE, [0])
        parcels = device.read(CAUSES_REGION, 32 * 16)[::16]
    mine = {windows[0].start + 2 * i: executions for i, executions in enumerate(parcels) if executions and windows[0].start + 2 * i < limit}
    truth = {one["address"]: one["executions"] for one in want if one["address"] < windows[0].start + 64}
    good = len(windows) == 1 and windows[0].start == first and mine == truth and any(first in window for window in every)
    check("Python: executions in a code window are those of gnomon record --cpi", [] if good else [windows, mine, truth])


def recorded(way, path, mine, ran):
    """The recording equals the command's; with lost events, a different start time loses different events."""
    with open(path, "rb") as first, open(mine, "rb") as second:
        same = first.read() == second.read()
    told = [json.loads(must(["gnomon", "report", "-i", file, "--json"])) for file in (path, mine)]
    whole = ("cycles", "instructions", "produced_events", "clock_hz", "build_id")
    same = same or (told[0]["lost_events"] > 0 and all(told[0][key] == told[1][key] for key in whole))
    check(f"Python, {way}: a recording is that of gnomon record", [] if same and (ran.exit_status, ran.cycles) == (0, told[0]["cycles"]) else [ran, *told])


def profile(folder, program):
    for way in ("--records", "--events"):
        path = f"{folder}/run{way}.gnt"
        must(["gnomon", "record", "-q", "-d", "sim:full", way, "-o", path, program, "--", ROUNDS])
        other = f"{folder}/mine{way}.gnt"
        with gnomon.Device("sim:full") as device:
            device.load(program, [program, ROUNDS])
            device.record(other, way == "--events")
            ran = device.run()
        recorded(way, path, other, ran)
        report = json.loads(must(["gnomon", "report", "-i", path, "--json"]))
        mine = gnomon.Profile(path)
    
        got = sorted(((f.name, f.address, f.calls, f.self_cycles, f.total_cycles, f.shortest, f.longest, f.exact) for f in mine.functions), key=str)
        want = sorted(((f["name"], f["address"], f["calls"], f["self_cycles"], f["total_cycles"], f.get("min_cycles"), f.get("max_cycles"), f["exact"])
                       for f in report["functions"]), key=str)
        check(f"Python, {way}: {len(want)} functions are those of gnomon report", [] if got == want else [got, want])
        names = [f.name for f in mine.functions]
        arcs = sorted((a.caller is not None and names[a.caller] or "", names[a.callee], a.calls, a.self_cycles, a.total_cycles) for a in mine.arcs)
        told = [f["name"] for f in report["functions"]]
        truth = sorted((a["caller"] is not None and told[a["caller"]] or "", told[a["callee"]], a["calls"], a["self_cycles"], a["total_cycles"])
                       for a in report["arcs"])
        check(f"Python, {way}: {len(truth)} arcs", [] if arcs == truth and truth else [arcs, truth])
        sums = (mine.cycles, mine.unprofiled, mine.lost, mine.faults)
        told = (report["cycles"], report["unprofiled_cycles"], report["lost_cycles"], [f["text"] for f in report["reasons"]])
        check(f"Python, {way}: sums and faults", [] if sums == told else [sums, told])


def raises(what, text, function, *arguments):
    try:
        function(*arguments)
    except gnomon.Error as error:
        check(f"refused: {what}", [] if text in str(error) else [f"{error}, {error.remedy}"])
    else:
        check(f"refused: {what}", ["it is not"])


def refused(folder, program):
    raises("no device", "nothing", gnomon.Device, "sim:nothing")
    raises("no recording", "cannot open", gnomon.Profile, f"{folder}/none.gnt")
    raises("a recording that is none", "", gnomon.Profile, program)
    with gnomon.Device("sim:full") as device:
        raises("a run of nothing", "no program", device.run)
        raises("files of nothing", "no program has ended", device.get, "file")
        raises("a recording of nothing", "no program", device.record, f"{folder}/nothing.gnt")
        device.load(program, [program, ROUNDS])
        raises("a recording that cannot be written", "none", device.record, f"{folder}/none/run.gnt")
        device.record(f"{folder}/given-up.gnt")
        device.load(program, [program, ROUNDS])
        left = [name for name in os.listdir(folder) if name.startswith("given-up")]
        check("a recording that was given up leaves nothing", left)
        raises("no program", "cannot open", device.load, f"{folder}/none")
        raises("an odd address", "invalid request", device.read, 0xF0000001)
        raises("an address with nothing", "", device.read, 0xE0000000)
        raises("an event", "bananas", device.count, 0, "bananas")
        raises("a counter", "no counter 99", device.count, 99, "loads")
        raises("a counter to read", "no counter 99", device.counter, 99)
        raises("a range", "range", device.range, 99, 0, 4)

        class Broken(Exception):
            pass

        def broken(_):
            raise Broken

        device.load(program, [program, ROUNDS])
        try:
            device.run(console=broken)
            check("an exception in a callback comes back", ["it does not"])
        except Broken:
            check("an exception in a callback comes back", [])
        stops = []
        device.load(program, [program, "100000000"])
        ran = device.run(tick=lambda: stops.append(1) or len(stops) > 2)
        check("tick stops a program", [] if ran.end == gnomon.END_STOPPED else [ran])
        raises("files of a program that was stopped", "no program has ended", device.get, "file")


def files(folder, zlib, text):
    with gnomon.Device("sim:full") as device:
        device.put(text, "in")
        device.load(zlib, ["zlib", "in", "out"])
        ran = device.run()
        device.get("out", f"{folder}/out.z")
        raises("a file that was not written", "no file nothing", device.get, "nothing", f"{folder}/nothing")
    import zlib as library
    with open(f"{folder}/out.z", "rb") as packed, open(text, "rb") as plain:
        check("files in and out", [] if ran.exit_status == 0 and library.decompress(packed.read()) == plain.read() else [ran])


def exported(library):
    names = [line.split()[-1].split("@")[0] for line in must(["nm", "-D", "--defined-only", library]).splitlines()]
    wrong = [name for name in names if not name.startswith("libgnomon_") and name != "LIBGNOMON_2"]
    header = os.path.join(os.path.dirname(__file__), "..", "..", "..", "host", "include", "libgnomon.h")
    with open(header, encoding="utf-8") as file:
        declared = set(re.findall(r"\b(libgnomon_\w+)\(", file.read()))
    missing = declared ^ {name for name in names if name.startswith("libgnomon_")}
    check(f"{len(declared)} functions are exported, and nothing else", wrong + sorted(missing))
    bound = {f"libgnomon_{name}" for name in gnomon._FUNCTIONS}  # pylint: disable=protected-access
    check("Python has them all", sorted(declared ^ bound))
    with open(os.path.join(os.path.dirname(header), "..", "..", "docs", "reference", "api.md"), encoding="utf-8") as file:
        page = file.read()
    check("docs/reference/api.md speaks of each", [name for name in sorted(declared) if f"`{name}`" not in page and f"`{name.replace('libgnomon', '')}`" not in page])


def main():
    folder, plain, sanitized, library, program, zlib, text = values(__doc__, "out", "example", "example-asan", "library", "program", "zlib", "text")
    os.makedirs(folder, exist_ok=True)
    exported(library)
    want = stat(program)
    example(program, (plain, sanitized), want)
    counts(program, want)
    code_windows(folder, program)
    tags(program)
    profile(folder, program)
    files(folder, zlib, text)
    refused(folder, program)
    sys.exit(result())


if __name__ == "__main__":
    main()
