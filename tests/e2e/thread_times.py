#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Threads in `gnomon stat` and in what `gnomon record` says at its end: equal to `gnomon report --threads`, their cycles those of the run,
and no word of threads where there is one only.

usage: thread_times.py --simulators FOLDER --out FOLDER BOARD ELF [ARGUMENT...]"""
import json
import os
import sys

from checking import expect, result, same
from commands import FAST, must, run
from options import values

SIMULATORS, OUT, (BOARD, ELF, *ARGUMENTS) = values(__doc__, "simulators", "out", rest="BOARD ELF")
os.environ["GNOMON_SIM_DIR"] = SIMULATORS
DEVICE = ["-d", f"sim:{BOARD}", *FAST]
KEYS = ("name", "cycles", "trap_cycles", "runs", "first_cycle", "last_cycle")


def by_number(threads):
    return {thread["thread"]: {key: thread[key] for key in KEYS} for thread in threads}


trace = f"{OUT}/thread-times-{BOARD}-{os.path.basename(ELF)}.gnt"
done = run(["gnomon", "record", "--events", "-o", trace, *DEVICE, ELF, "--", *ARGUMENTS])
same("status of record", done.returncode, 0, done.stderr)
reported = json.loads(must(["gnomon", "report", "--json", trace]))
figures = f"{OUT}/thread-times.json"
said = run(["gnomon", "stat", "-o", figures, *DEVICE, ELF, "--", *ARGUMENTS])
with open(figures, encoding="utf-8") as file:
    text = " ".join(file.read().split())
must(["gnomon", "stat", "--json", "-o", figures, *DEVICE, ELF, "--", *ARGUMENTS])
with open(figures, encoding="utf-8") as file:
    counted = json.load(file)
several = len(reported["threads"]) > 1
same("threads", by_number(counted.get("threads", reported["threads"])), by_number(reported["threads"]))
same("threads are there", "threads" in counted, several)
same("their cycles", sum(thread["cycles"] for thread in reported["threads"]), int(counted["cycles"]["mean"]))
expect("exact", counted["exact"], counted)
same("stat prints them", "Threads:" in text, several, said.stderr)
expect("stat prints the sum", not several or f"{int(counted['cycles']['mean']):,} cycles of all threads" in text, text)
same("record says them", f"{len(reported['threads'])} threads: " in done.stderr, several, done.stderr)
expect("interrupts apart", not several or "; interrupts " in done.stderr, done.stderr)
sys.exit(result())
