#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon record --repeat makes the recordings of a series, and gnomon diff takes them all.

usage: test_series.py --gnomon COMMAND --out FOLDER --program ELF --few RECORDING... --many RECORDING...
The recordings are of one program, with fewer and more rounds."""
import argparse
import json
import pathlib
import shutil
import sys

from checking import expect, result, same
from commands import must, run

ARGUMENTS = argparse.ArgumentParser()
for option in "gnomon", "out", "program":
    ARGUMENTS.add_argument(f"--{option}", required=True)
for option in "few", "many":
    ARGUMENTS.add_argument(f"--{option}", nargs="+", required=True)
ARGS = ARGUMENTS.parse_args()
OUT = pathlib.Path(ARGS.out)


def record(*words):
    return run([ARGS.gnomon, "record", "-q", "-d", "sim:full", *words, ARGS.program])


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


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    test_record()
    test_diff()
    return result()


sys.exit(main())
