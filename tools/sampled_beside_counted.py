#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sampled cycles of functions beside counted ones, with the standard error of each and how many of them the two lie apart.

usage: sampled_beside_counted.py [--rows N] COUNTED.gnt SAMPLED.gnt...
COUNTED was recorded with gnomon record --cpi all, each SAMPLED with gnomon record --sample, of the same run. Prints a table of the N (20) functions
of the first SAMPLED with the most samples, and the share of the functions of all SAMPLED whose counted value lies within three
standard errors: those of the report, or those that the counted value itself has, because of few samples the former are rough.
Exit status 1: less than 99 % lie there, the recordings are not of the same run, or samples were lost.
Environment: PATH finds gnomon."""
import argparse
import json
import math
import subprocess
import sys

LEAST_SHARE, MOST_SIGMA = 0.99, 3


def report(recording, *options):
    done = subprocess.run(["gnomon", "report", "--json", *options, "-i", recording], stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(done.returncode)
    return json.loads(done.stdout)


def key_of(function):
    """Functions can have one name; what has no address is no function."""
    return function.get("address") or function["name"]


def apart(truth, cycles, error, whole, samples):
    """How many standard errors the sampled cycles are from the counted ones."""
    share = min(truth / whole, 1)
    widest = max(error, whole * math.sqrt(share * (1 - share) / samples))
    return abs(cycles - truth) / widest if widest else 0


def rows_of(sampled, counted):
    """(name, counted cycles, sampled cycles, standard error, how many errors apart) of each function with samples."""
    rows, whole, samples = [], sampled["end"]["cycle"], sampled["sampling"]["samples"]
    for function in sampled["functions"]:
        if function["samples"]:
            truth, cycles, error = counted.get(key_of(function), 0), function["self_cycles"], function["self_error_cycles"]
            rows.append((function["name"], truth, cycles, error, apart(truth, cycles, error, whole, samples)))
    return rows


def main():
    arguments = argparse.ArgumentParser(description="Sampled cycles of functions beside counted ones.")
    arguments.add_argument("--rows", type=int, default=20)
    arguments.add_argument("counted")
    arguments.add_argument("sampled", nargs="+")
    given = arguments.parse_args()
    whole = report(given.counted, "--causes")
    counted = {key_of(function): function["cycles"] for function in whole["functions"]}
    every, wrong = [], []
    for number, path in enumerate(given.sampled):
        sampled = report(path)
        rows = rows_of(sampled, counted)
        every += rows
        if sampled["end"]["cycle"] != whole["cycles"]:
            wrong.append(f"{path}: {sampled['end']['cycle']:,} cycles, not {whole['cycles']:,}: it is not the same run")
        if sampled["sampling"]["lost"]:
            wrong.append(f"{path}: {sampled['sampling']['lost']:,} samples were lost")
        wrong += [f"{path}: {name}: {cycles:,} +- {error:,}, counted {truth:,}" for name, truth, cycles, error, sigma in rows if sigma > MOST_SIGMA]
        if number == 0:
            print(f"  {'counted':>10} {'sampled':>10} {'+-':>8} {'sigma':>5}  function       (a sample every {sampled['sampling']['period']:,} cycles)")
            for name, truth, cycles, error, sigma in rows[:given.rows]:
                print(f"  {truth:>10,} {cycles:>10,} {error:>8,} {sigma:>5.1f}  {name}")
    inside = sum(row[-1] <= MOST_SIGMA for row in every)
    print(f"the counted value is within {MOST_SIGMA} sigma in {100 * inside / max(len(every), 1):.1f} % of {len(every)} rows")
    for line in wrong:
        print(f"  {line}")
    sys.exit(0 if every and len(every) - len(wrong) >= LEAST_SHARE * len(every) else 1)


main()
