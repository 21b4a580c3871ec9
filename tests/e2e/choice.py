#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests which recording gnomon record chooses by itself on a board whose function records have no call graph: the one
that loses nothing at the rate of the board's USB.

usage: choice.py --out FOLDER --board NAME ELF [ARGUMENT...]
"""
import pathlib

import commands
from checking import fail
from e2e import CABLE, GNOMON
from options import values


def record(trace, board, elf, arguments, *options):
    done = commands.run([GNOMON, "record", "-v", "-d", f"sim:{board}", "-o", trace, *options, *commands.sim_options(*CABLE), elf, "--", *arguments])
    return done.stderr, commands.report(trace)


def main():
    folder, board, (elf, *arguments) = values(__doc__, "out", "board", rest="ARGUMENT")
    folder = pathlib.Path(folder)
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
