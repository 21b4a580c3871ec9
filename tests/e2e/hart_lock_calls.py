#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lock functions watched on a device with two harts: exact with threads on one hart; with threads that move, figures that say so.

usage: hart_lock_calls.py --simulators FOLDER --out FOLDER ONE MOVING   (a program with threads, without messages: for one hart, and for two)"""
import json
import os
import sys

from checking import expect, result, same
from commands import FAST, must
from options import values

SIMULATORS, OUT, (ONE, MOVING) = values(__doc__, "simulators", "out", rest="ONE MOVING")
os.environ["GNOMON_SIM_DIR"] = SIMULATORS
JOBS = 45  # acquisitions of pool_lock in tests/docs/programs/pool.c


def locks(elf, name):
    path = f"{OUT}/{name}.gnt"
    must(["gnomon", "record", "-q", "--events", "--watch-locks", "-d", "sim:duo", "-o", path, *FAST, elf])
    shown = json.loads(must(["gnomon", "locks", "--json", path]))
    return shown, {lock["name"]: lock["acquisitions"] for lock in shown["locks"]}, {reason["id"] for reason in shown["reasons"]}


one, acquired, reasons = locks(ONE, "one")
same("threads on one hart: exact, without a reason", (one["exact"], reasons), (True, set()))
same("threads on one hart: acquisitions", acquired["pool_lock"], JOBS)
moving, acquired, reasons = locks(MOVING, "moving")
same("threads that move: not exact, and why", (moving["exact"], reasons), (False, {"threads-moved"}))
expect("threads that move: some calls are seen, and none twice", 0 < acquired["pool_lock"] <= JOBS, acquired)
sys.exit(result())
