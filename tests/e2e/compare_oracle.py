#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a report (gnomon report --json) with the simulator's reference model: calls, self and total cycles of every
function.

usage: compare_oracle.py REPORT.json ORACLE.json

The exit status is 0 if every difference is 0. Functions with lost calls, and functions that were called only in lost
subtrees, are compared as far as their figures are exact; the test prints the number of these functions.
"""
import json
import sys

FIELDS = ("calls", "self_cycles", "total_cycles")


def by_key(functions):
    """Address and overlay distinguish static functions of the same name; pseudo functions have neither."""
    table = {}
    for function in functions:
        # The oracle knows only the linker's names; the report has them in `symbol` if it shows other names.
        key = (function.get("symbol", function["name"]), int(str(function.get("address") or 0), 0), function.get("overlay", -1))
        if key in table:
            sys.exit(f"two entries for {key}")
        table[key] = function
    return table


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    report, oracle = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
    bad = []
    if not oracle["ended"]:
        bad.append("the oracle did not see the program end")
    for key in ("cycles", "instructions"):
        if report[key] != oracle[key]:
            bad.append(f"{key}: report {report[key]}, oracle {oracle[key]}")
    # The stall causes begin one cycle before the cycle count.
    if sum(oracle["causes"]) != oracle["cycles"] + 1:
        bad.append(f"the causes are {sum(oracle['causes'])} cycles, not one more than {oracle['cycles']}")
    inside = sum(function["self_cycles"] for function in report["functions"])
    lossless = report["lost_events"] == 0
    outside = report["cycles"] - report["attributed_cycles"]
    if lossless and inside != report["attributed_cycles"]:
        bad.append(f"self cycles add up to {inside}, attributed are {report['attributed_cycles']}")
    if lossless and outside != oracle["unprofiled_cycles"]:
        bad.append(f"outside: report {outside}, oracle {oracle['unprofiled_cycles']}")
    reported, known = by_key(report["functions"]), by_key(oracle["functions"])
    inexact = 0
    for key in sorted(set(reported) | set(known)):
        ours, theirs = reported.get(key), known.get(key)
        if not lossless and (ours is None or not ours.get("exact", True)):
            inexact += 1
            continue
        if ours is None or theirs is None:
            bad.append(f"{key[0]}: only in the {'oracle' if ours is None else 'report'}")
            continue
        for field in FIELDS:
            if ours[field] != theirs[field]:
                bad.append(f"{key[0]} {field}: report {ours[field]}, oracle {theirs[field]}")
    for line in bad[:40]:
        print(line)
    calls = sum(function["calls"] for function in oracle["functions"])
    print(
        f"{len(known)} functions, {calls} calls, {oracle['cycles']} cycles, {report['lost_events']} events lost, "
        f"{inexact} functions not compared: {len(bad)} differences"
    )
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
