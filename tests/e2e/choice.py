#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What record chooses where it is not told, on a board whose records have no call graph: what loses nothing at the rate of its USB.

usage: choice.py FOLDER BOARD ELF [ARGUMENT...]
"""
import json
import pathlib
import subprocess
import sys

from e2e import CABLE, GNOMON, fail


def record(trace, board, elf, arguments, *options):
    words = [word for option in CABLE for word in ("--sim-option", option)]
    done = subprocess.run([GNOMON, "record", "-v", "-d", f"sim:{board}", "-o", trace, *options, *words, elf, "--", *arguments],
                          capture_output=True, text=True, check=False)
    report = subprocess.run([GNOMON, "report", "--json", trace], capture_output=True, text=True, check=True)
    return done.stderr, json.loads(report.stdout)


def main():
    folder, board, elf, arguments = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
    folder.mkdir(parents=True, exist_ok=True)
    said, chosen = record(folder / "chosen.gnt", board, elf, arguments)
    if "takes the device's function records: " not in said or "no call graph" not in said or "nothing lost" not in said or not chosen["complete"]:
        fail(f"{board}: {said}")
    said, events = record(folder / "events.gnt", board, elf, arguments, "--events")
    if "takes every event: as --events asks" not in said or "events LOST" not in said or events["exact"]:
        fail(f"{board}: the event stream was to lose some: {said}")
    if chosen["cycles"] != events["cycles"]:
        fail(f"{board}: {chosen['cycles']} cycles with records, {events['cycles']} with events")
    calls = sum(function["calls"] for function in chosen["functions"])
    print(f"{board}: {calls} calls in the records, nothing lost; of its events {events['lost_events']} are lost")


if __name__ == "__main__":
    main()
