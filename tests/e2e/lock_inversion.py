#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Priority inversion: `gnomon locks` says it with the cycles that a search through the trace's messages gives, difference 0, and says
nothing where there is none.

usage: lock_inversion.py --simulators FOLDER --out FOLDER ELF BOARD..."""
import json
import os
import sys

from checking import expect, result, same
from commands import FAST, must
from inversions import lost_cycles
from options import values

SIMULATORS, OUT, (ELF, *BOARDS) = values(__doc__, "simulators", "out", rest="ELF BOARD")
os.environ["GNOMON_SIM_DIR"] = SIMULATORS
ROUNDS = {"full": 2, "small": 1}  # on small the second round begins before the first has ended
LOOPS = {"full": 8, "small": 1}  # a microsecond


def record(board, mode, how):
    path = f"{OUT}/inversion-{board}-{mode}{how}.gnt"
    must(["gnomon", "record", "-q", how, "-d", f"sim:{board}", "-o", path, *FAST, ELF, "--", mode, LOOPS[board]])
    return path


def check(board, mode, how="--events", lock=None, has="device_lock"):
    name, path = f"{board}, {mode}, {how}", record(board, mode, how)
    shown = json.loads(must(["gnomon", "locks", "--json", path]))
    text = " ".join(must(["gnomon", "locks", path]).split())
    if not lock:
        same(f"{name}: none", shown["priority_inversions"], [])
        expect(f"{name}: not said", "inversion at" not in text, text)
        return
    waits = lost_cycles(path, lock, has)
    same(f"{name}: waits", len(waits), ROUNDS[board])
    same(f"{name}: inversions", [(one["waiter"], one["owner"], one["middle"], one["lock"], one["has"]) for one in shown["priority_inversions"]],
         [("high", "low", "middle", lock, has)])
    one = shown["priority_inversions"][0]
    same(f"{name}: cycles", (one["count"], one["cycles"], one["max"]), (len(waits), sum(waits), max(waits)))
    same(f"{name}: priorities", [one[f"{who}_priority"] for who in ("waiter", "owner", "middle")], [[3, 3], [1, 1], [2, 2]])
    if board == "full":
        same(f"{name}: places", (one["waiter_caller"]["function"], one["owner_caller"]["function"]), ("high", "low"))
    expect(f"{name}: said", f"Priority inversion at {lock}: high (priority 3) waited in" in text and f"while middle (priority 2) ran: {ROUNDS[board]} time" in text, text)


for one_board in BOARDS:
    check(one_board, "plain", lock="device_lock")
    if one_board == "full":
        check(one_board, "plain", "--records", lock="device_lock")
        check(one_board, "chain", lock="other_lock")
        for none in ("inherit", "asleep", "equal", "changed"):
            check(one_board, none)
sys.exit(result())
