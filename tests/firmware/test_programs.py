#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests programs of other authors, built by gnomon cc: the printed text is right, and the figures of a recording add up.
usage: test_programs.py --out FOLDER --program ELF sqlite|lua|xml"""
import json
import pathlib
import re
import sqlite3
import subprocess
import sys

from checking import check, fail, result
from options import values

HERE = pathlib.Path(__file__).resolve().parent / "programs"
STREAM = ["--events"]  # records every call, so each arc is known


def record(work, name, options, program, arguments, text):
    """Returns standard output, the report as JSON, and the command's own messages."""
    trace = work / f"{name}.gnt"
    with open(text, "rb") as script:
        done = subprocess.run(["gnomon", "record", "-d", "sim:full", "-o", str(trace), *options, str(program), "--", *arguments],
                              stdin=script, capture_output=True, check=False)
    messages = done.stderr.decode()
    if done.returncode != 0:
        fail(f"gnomon record {name}: status {done.returncode}: {messages}")
    report = subprocess.run(["gnomon", "report", "-i", str(trace), "--graph", "--json"], capture_output=True, check=True)
    return done.stdout.decode(), json.loads(report.stdout), messages


def sums(report):
    """Checks that the cycles of all functions and the unprofiled ones add up, and that the calls equal those of all
    arcs, except for the reported difference."""
    errors = []
    functions, arcs = report["functions"], report["arcs"]
    cycles = sum(f["self_cycles"] for f in functions) + report["unprofiled_cycles"] + report["lost_cycles"]
    if cycles != report["cycles"]:
        errors.append(f"{cycles} cycles in all, not {report['cycles']}")
    into = {}
    for arc in arcs:
        into[arc["callee"]] = into.get(arc["callee"], 0) + arc["calls"]
    unknown = 0
    for index, function in enumerate(functions):
        missing = function["calls"] - into.get(index, 0)
        unknown += missing
        if missing < 0:
            errors.append(f"{function['name']}: {-missing} calls too many in arcs")
    said = sum(r["count"] for r in report["reasons"] if r["reach"] == "graph")
    if unknown != said:
        errors.append(f"{unknown} calls have no arc, and {said} are said to have none")
    return errors


def complete(report, messages, doubts):
    """Checks that nothing is missing except for these doubts, and that the report says so."""
    errors = [f"reason: {r['text']}" for r in report["reasons"] if r["id"] not in doubts]
    errors += [f"{doubt} is not told" for doubt in doubts - {r["id"] for r in report["reasons"]}]
    if report["complete"] == bool(doubts):
        errors.append(f"the report says complete: {report['complete']}")
    if ("nothing lost" in messages) == bool(doubts):
        errors.append(f"record says of what was lost: {messages}")
    return errors


def recordings(work, program, arguments, text, expected, calls, doubts=frozenset()):
    """Compares the default recording with the event stream, which alone has these doubts: output, cycles, calls; and
    the sums of both."""
    output, report, messages = record(work, "default", [], program, arguments, text)
    check("prints what it should", [] if output == expected else [f"printed {output!r}", f"not     {expected!r}"])
    check(f"calls {calls} functions or more", [] if len(report["functions"]) >= calls else [str(len(report["functions"]))])
    check("sums of the default recording", sums(report))
    output, stream, messages = record(work, "events", STREAM, program, arguments, text)
    check("the same with events", [] if output == expected else [f"printed {output!r}"])
    check("sums of the event stream", sums(stream) + complete(stream, messages, doubts))
    by_number = [{f["number"]: (f["calls"], f["self_cycles"], f["total_cycles"]) for f in r["functions"]} for r in (report, stream)]
    check("both say the same of each function", [] if by_number[0] == by_number[1] else
          [f"{n}: {by_number[0].get(n)} {by_number[1].get(n)}" for n in {**by_number[0], **by_number[1]}
           if by_number[0].get(n) != by_number[1].get(n)])


def sqlite(work, program):
    script = HERE / "script.sql"
    rows = []
    database = sqlite3.connect(":memory:", isolation_level=None)
    for statement in script.read_text().split(";"):
        rows += ["|".join(map(str, row)) for row in database.execute(statement)]
    # The shell looks for its settings in a home directory, which does not exist.
    expected = "-- warning: cannot find home directory; cannot read ~/.sqliterc\n" + "".join(f"{row}\n" for row in rows)
    recordings(work, program, ["-batch"], script, expected, 400)
    output, _, _ = record(work, "file", ["--get", f"made.db={work / 'made.db'}"], program, ["-batch", "made.db"], script)
    check("makes a database", [] if output == expected else [f"printed {output!r}"])
    count = sqlite3.connect(work / "made.db").execute("SELECT count(*), sum(a) FROM t").fetchone()
    check("  that others read", [] if count == (200, 20100) else [str(count)])


def lua(work, program):
    text = work / "lines.txt"
    text.write_text("one\ntwo\nthree\n")
    expected = "1\tEERHT\n2\tENO\n3\tOWT\n144\t3.1415926535898\t 1.50|\"a\\\nb\"\ttrue\nfalse\tcaught\n"
    # Its protected calls recurse, and an error leaves one of them by longjmp.
    recordings(work, program, [str(HERE / "lines.lua")], text, expected, 200, doubts={"ambiguous-landings"})


def xml(work, program):
    source = work / "source" / "resources" / "utf8test.xml"
    native = subprocess.run([f"{program}.native", source, work / "native.xml"], capture_output=True, check=True).stdout.decode()
    made = work / "made.xml"
    output, report, _ = record(work, "xml", ["--get", f"made.xml={made}"], program, [str(source), "made.xml"], "/dev/null")
    check("prints what it prints natively", [] if output == native else [f"printed {output!r}", f"not     {native!r}"])
    check("writes what it writes natively", [] if made.read_bytes() == (work / "native.xml").read_bytes() else ["another file"])
    check("sums", sums(report))
    names = {re.sub(r"\(.*", "", f["name"]) for f in report["functions"]}
    check("names are those of the source", [] if "tinyxml2::XMLDocument::LoadFile" in names else sorted(names)[:5])


if __name__ == "__main__":
    *paths, (what,) = values(__doc__, "out", "program", rest="WHAT")
    {"sqlite": sqlite, "lua": lua, "xml": xml}[what](*(pathlib.Path(path).resolve() for path in paths))
    sys.exit(result())
