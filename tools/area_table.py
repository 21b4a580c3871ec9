#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what placed designs use and how fast they are, from nextpnr's reports, and leaves the table as JSON.

usage: area_table.py OUTPUT.json NAME:PART[:timed]=REPORT.json...
Exit status 1 when a design uses more of something than its part has, or, where it says `timed`, misses a clock.
"""
import json
import sys

from boards import read_report


def read(argument):
    label, path = argument.split("=", 1)
    name, part, *timed = label.split(":")
    used, clocks = read_report(path)
    return {"config": name, "part": part, "used": used, "clocks": clocks, "timed": bool(timed)}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows = [read(argument) for argument in sys.argv[2:]]
    for row in rows:
        cells = ", ".join(f"{kind} {n['used']}/{n['available']}" for kind, n in row["used"].items())
        clocks = ", ".join(f"{name} {c['mhz']} MHz (wanted {c['wanted_mhz']})" for name, c in row["clocks"].items())
        print(f"{row['config']:6} {row['part']:10} {cells}; {clocks}")
    with open(sys.argv[1], "w", encoding="utf-8") as output:
        json.dump(rows, output, indent=1)
    too_large = any(n["used"] > n["available"] for row in rows for n in row["used"].values())
    too_slow = [f"{row['config']} misses {name}" for row in rows if row["timed"]
                for name, c in row["clocks"].items() if c["mhz"] < c["wanted_mhz"]]
    if too_slow:
        print(*too_slow, sep="\n")
    sys.exit(too_large or bool(too_slow))


if __name__ == "__main__":
    main()
