#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon record --repeat makes the recordings of a series, and gnomon diff and gnomon check take them all.

usage: test_series.py --gnomon COMMAND --out FOLDER --program ELF --late ELF --lossy RECORDING --few RECORDING... --many RECORDING...
The recordings are of one program, with fewer and more rounds; --lossy has lost events; --late is
of late.c."""
import argparse
import json
import math
import pathlib
import shutil
import sys
from xml.etree import ElementTree

from checking import expect, result, same
from commands import must, run

ARGUMENTS = argparse.ArgumentParser()
for option in "gnomon", "out", "program", "lossy", "late":
    ARGUMENTS.add_argument(f"--{option}", required=True)
for option in "few", "many":
    ARGUMENTS.add_argument(f"--{option}", nargs="+", required=True)
ARGS = ARGUMENTS.parse_args()
OUT = pathlib.Path(ARGS.out)


def record(*words, program=None):
    return run([ARGS.gnomon, "record", "-q", "-d", "sim:full", *words, program or ARGS.program])


def test_record():
    done = record("-r", "3", "-o", OUT / "run.gnt")
    names = [f"run.{i}.gnt" for i in (1, 2, 3)]
    same("files", (done.returncode, sorted(path.name for path in OUT.iterdir())), (0, names), done.stderr)
    cycles = [json.loads(must([ARGS.gnomon, "report", "--json", OUT / name]))["cycles"] for name in names]
    expect("the simulated board's runs are all the same", len(set(cycles)) == 1, cycles)
    done = record("-r", "2", "-o", OUT / "run.gnt")
    expect("refused: a longer series is there", done.returncode in (1, 2) and "run.3.gnt is of an earlier series" in done.stderr, done.stderr)
    done = record("-r", "3", "-o", OUT / "run.gnt")
    same("the same series again", (done.returncode, len(list(OUT.iterdir()))), (0, 3), done.stderr)
    done = record("-r", "1001", "-o", OUT / "run.gnt")
    expect("refused: too many", done.returncode == 2 and "at most 1000" in done.stderr, done.stderr)
    done = run([ARGS.gnomon, "record", "-q", "-d", "sim:full", "-r", "2", "-o", OUT / "none.gnt", OUT / "no.elf"])
    same("the first failure ends the series", (done.returncode, done.stderr.count("gnomon: record:"), len(list(OUT.iterdir()))), (1, 1, 3))


def test_diff():
    for name, side in (("few", ARGS.few), ("many.runs", ARGS.many)):
        for i, recording in enumerate(side, 1):
            shutil.copy(recording, OUT / f"{name}.{i}.gnt")
    more = [word for path in ARGS.few[1:] for word in ("--old", path)] + [word for path in ARGS.many[1:] for word in ("--new", path)]
    want = json.loads(must([ARGS.gnomon, "diff", "--json", "--all", *more, ARGS.few[0], ARGS.many[0]]))
    got = json.loads(must([ARGS.gnomon, "diff", "--json", "--all", OUT / "few.gnt", OUT / "many.runs.gnt"]))
    same("a series of each is as all its files", got["functions"], want["functions"])
    shutil.copy(ARGS.few[0], OUT / "few.gnt")
    one = json.loads(must([ARGS.gnomon, "diff", "--json", "--all", OUT / "few.gnt", OUT / "many.runs.gnt"]))
    same("a file of that name goes before the series", [len(row["self_cycles"]["old"]) for row in one["functions"][:1]], [1])
    done = run([ARGS.gnomon, "diff", OUT / "none.gnt", OUT / "few.gnt"])
    expect("no file and no series", done.returncode == 1 and "none.gnt" in done.stderr, done.stderr)


KINDS = {"max": "total_cycles", "max-self": "self_cycles", "max-calls": "calls", "max-call": "max_cycles"}


def check(*words):
    done = run([ARGS.gnomon, "check", "--json", "-a", *words])
    expect(f"check {words}: status", done.returncode in (0, 4), done.returncode, done.stderr)
    got = json.loads(done.stdout)
    same(f"check {words}: its status", done.returncode, 4 if got["failed"] else 0)
    return got["limits"]


def judged(limit):
    return limit["failed"], limit["figure"], limit["most"], limit["runs"], limit["run"] and pathlib.Path(limit["run"]).name


def test_fixed(rows):
    """Each run keeps a limit: the highest figure decides."""
    for row in rows:
        for kind, figure in KINDS.items():
            values = row[figure]["new"]
            most, where = max(values), f"many.runs.{values.index(max(values)) + 1}.gnt"
            for limit in most, most - 1:
                got = check(f"--{kind}", f"{row['name']}:{limit}", OUT / "many.runs.gnt")
                same(f"{kind} {row['name']}:{limit}", [judged(one) for one in got], [(limit < most, most, limit, 3, where)])


def test_relative(rows):
    """The mean may be above a limit by the noise, and by no more; the longest calls are compared as such."""
    words = "--baseline", OUT / "few.gnt", OUT / "many.runs.gnt"
    for row in rows:
        for kind, figure in KINDS.items():
            change, noise = row[figure]["change"], row[figure]["noise"]
            if kind == "max-call":
                change, noise = max(row[figure]["new"]) - max(row[figure]["old"]), 0
            enough = math.ceil(change - noise)
            for more, failed in (enough, False), (enough - 1, True):
                got, = check(f"--{kind}", f"{row['name']}:{more:+}", *words)
                same(f"{kind} {row['name']}:{more:+}", (got["failed"], got["runs"], got["run"] is None), (failed, 3, kind != "max-call"), got, row)
                if kind != "max-call":
                    expect(f"{kind} {row['name']}: noise", math.isclose(got["noise"], noise, rel_tol=1e-9), got, row)
                    same(f"{kind} {row['name']}: means", (got["figure"], got["before"]),
                         tuple(round(sum(row[figure][side]) / 3) for side in ("new", "old")))
    one, = check("--max", "main:+0", "--baseline", ARGS.few[0], ARGS.many[0])
    same("without a series there is no noise", (one["failed"], one["noise"], one["run"], one["runs"]), (True, None, None, 1))
    one, = check("--max", "main:+100%", "--baseline", ARGS.few[0], OUT / "many.runs.gnt")
    expect("a series against one run", one["noise"] > 0 and one["runs"] == 3, one)


def test_texts():
    limits = "--max", "main:1", "--max", "main:+0%", "--max", "main:+90%", "--baseline", OUT / "few.gnt"
    done = run([ARGS.gnomon, "check", *limits, "--junit", OUT / "result.xml", OUT / "many.runs.gnt"])
    for words in ("of at most 1, in many.runs.2.gnt", ", the mean of 3 runs, of at most", " before, noise ", "3 runs, 3 of the baseline: 2 of 3 limits failed"):
        expect(f"text: {words}", words in done.stdout, done.stdout)
    cases = ElementTree.parse(OUT / "result.xml").findall("./testsuite/testcase")
    failures = [case.find("failure").get("message") if case.find("failure") is not None else "" for case in cases]
    expect("JUnit names the run", len(cases) == 3 and failures[0].endswith("of at most 1, in many.runs.2.gnt") and "noise" in failures[1] and not failures[2], failures)


def test_lossy():
    """One run of a series that is not exact makes the check fail, also where it has no call of the function."""
    shutil.copy(ARGS.lossy, OUT / "few.4.gnt")
    for words in (("--max", "leaf:999999999"), ("--max-calls", "*:999999999"), ("--max-cycles", "999999999")):
        got = check(*words, OUT / "few.gnt")
        expect(f"lossy: {words}", got[-1]["failed"] and got[-1]["verdict"] == "not-exact" and got[-1]["runs"] == 4, got)
    got = check("--max", "leaf:1", OUT / "few.gnt")
    same("lossy: what is over its limit is known", [one["verdict"] for one in got], ["over"])
    got = check("--inexact", "--max", "leaf:999999999", OUT / "few.gnt")
    same("lossy: judged by what was counted", [one["failed"] for one in got], [False])
    record("-o", OUT / "late.1.gnt", program=ARGS.late)
    record("--events", "--sim-option", "--rate-divisor", "--sim-option", "40", "-o", OUT / "late.2.gnt", program=ARGS.late)
    got = check("--max-calls", "late:3", OUT / "late.gnt")
    same("lossy: a run that may have lost all calls of a function", [(one["verdict"], one["figure"]) for one in got], [("not-exact", 1)])


def test_check():
    (OUT / "few.gnt").unlink()
    rows = json.loads(must([ARGS.gnomon, "diff", "--json", "--all", OUT / "few.gnt", OUT / "many.runs.gnt"]))["functions"]
    rows = [row for row in rows if not row["name"].startswith("[")]
    expect("several functions", len(rows) == 4, rows)
    test_fixed(rows)
    test_relative(rows)
    test_texts()
    test_lossy()
    done = run([ARGS.gnomon, "check", "--max", "main:1", OUT / "none.gnt"])
    expect("check: no file and no series", done.returncode == 1 and "none.gnt" in done.stderr, done.stderr)


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    test_record()
    test_diff()
    test_check()
    return result()


sys.exit(main())
