#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profile events per second through the whole chain: hooks of a running program, capture FIFO, trace encoder, USB
bit by bit, host library. A program calls at several paces. For each pace: events produced, events received, bytes
per event, and the maximum of events that USB could carry.

usage: bench_events.py SIMULATORS ELF
Prints a table and writes it to build/bench-events.json; fails if no pace has 600,000 events per second without loss."""
import json
import os
import pathlib
import sys

from commands import must
from gnomon_trace import FRAME_BYTES, FRAME_HEADER_BYTES

GOAL = 600_000
WIRE = 19 * 64 * 1000                # bytes per second of full-speed bulk transfers
CALLS = 8_000                        # makes the FIFO's 1024 entries insignificant
# Turns of the loops of tests/e2e/programs/paced.c, between calls and in the function: both short (events of one byte),
# a short function with fewer and fewer calls (one and two bytes), both long.
TURNS = ((16, 20), (18, 22), (48, 8), (56, 8), (60, 8), (64, 8), (40, 40), (44, 44))
OUT = pathlib.Path("build/bench/events.gnt")


def gnomon(*arguments):
    return must(["gnomon", *arguments], env={**os.environ, "GNOMON_SIM_DIR": sys.argv[1]})


def measure(between, inside):
    gnomon("record", "-q", "-d", "sim:full-line", "--events", "-o", OUT, sys.argv[2], str(CALLS), str(between), str(inside))
    report = json.loads(gnomon("report", "--json", OUT))
    seconds = report["cycles"] / report["clock_hz"]
    size = report["record_bytes"] / report["received_events"]
    return {"turns": [between, inside], "cycles_per_event": report["cycles"] / report["produced_events"],
            "produced_per_second": report["produced_events"] / seconds, "received_per_second": report["received_events"] / seconds,
            "lost": report["lost_events"], "produced": report["produced_events"], "bytes_per_event": size,
            "limit_per_second": WIRE * (FRAME_BYTES - FRAME_HEADER_BYTES) / FRAME_BYTES / size}


OUT.parent.mkdir(parents=True, exist_ok=True)
rows = []
print("cycles/event  produced/s  received/s      lost  bytes/event  USB's limit/s")
for pace in TURNS:
    row = measure(*pace)
    rows.append(row)
    print(f"{row['cycles_per_event']:12.1f} {row['produced_per_second']:11,.0f} {row['received_per_second']:11,.0f} {row['lost']:9,} "
          f"{row['bytes_per_event']:12.3f} {row['limit_per_second']:14,.0f}", flush=True)
best = max((row["produced_per_second"] for row in rows if row["lost"] == 0), default=0)
print(f"{best:,.0f} events a second without loss, of {GOAL:,}")
pathlib.Path("build/bench-events.json").write_text(json.dumps({"without_loss_per_second": best, "paces": rows}, indent=1) + "\n")
sys.exit(best < GOAL)
