#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how long an event waits in the device: cycles from its retirement to the acknowledgement of the last
packet of its frame, and the same for replies. The maximum must be below 2 ms of the hart's clock.

usage: latency.py --simulators FOLDER --out FOLDER --program ELF BOARD=CLOCK_HZ=FLUSH_CYCLES..."""
import json
import os
import pathlib

from checking import fail
from commands import must, sim_options
from gnomon_trace import FRAME_AT_CYCLE, FRAME_BYTES, FRAME_MAGIC
from options import values

LIMIT_MS = 2
PACKET = 64
CALLS = {"at random": ("110", "0"), "a trickle": ("60", "3500")}


def gnomon(*arguments):
    return must(["gnomon", *arguments], env={**os.environ, "GNOMON_SIM_DIR": SIMULATORS})


def frames_of(path):
    """Returns the cycle in each frame's header, which is the cycle of the last event before the frame."""
    data = path.read_bytes()
    begin = 12 + int.from_bytes(data[8:12], "little") + 4
    while data[begin:begin + 2] == FRAME_MAGIC.to_bytes(2, "little") and len(data) >= begin + FRAME_BYTES:
        yield int.from_bytes(data[begin + FRAME_AT_CYCLE:begin + FRAME_AT_CYCLE + 8], "little")
        begin += FRAME_BYTES


def latencies(board, flush, arguments):
    """Returns, for each frame except the last, the cycles from its first event to its last packet. (The program's
    end flushes the last frame.)"""
    trace, log = FOLDER / f"{board}.gnt", FOLDER / f"{board}.usb"
    gnomon("record", "-q", "-d", f"sim:{board}", "--events", "--flush-cycles", flush, "-o", trace,
           *sim_options("--usb-log", log, "--usb-rate", "true"), ELF, *arguments)
    cycles = [json.loads(line)["cycle"] for line in gnomon("dump", "--json", trace).splitlines()]
    packets = [int(line.split()[0]) for line in log.read_text().splitlines() if line.split()[1] == "0x82"]
    result = []
    for number, before in enumerate(list(frames_of(trace))[:-1]):
        first = next(c for c in cycles if c > before or (number == 0 and c == 0))
        result.append(packets[(number + 1) * FRAME_BYTES // PACKET - 1] - first)
    return result


SIMULATORS, out, ELF, settings = values(__doc__, "simulators", "out", "program", rest="BOARD")
FOLDER = pathlib.Path(out)
FOLDER.mkdir(parents=True, exist_ok=True)
slow = False
for setting in settings:
    name, clock, flush_cycles = setting.split("=")
    for what, calls in CALLS.items():
        found = latencies(name, flush_cycles, calls)
        if len(found) < 8:
            fail(f"{name}: {what}: only {len(found)} frames")
        ms = max(found) * 1000 / int(clock)
        slow = slow or ms >= LIMIT_MS
        print(f"{name}, FLUSH_CYCLES {flush_cycles}, events {what}: {len(found)} frames, an event waits {min(found)} to {max(found)} "
              f"cycles, {ms:.3f} ms at most")
if slow:
    fail(f"an event waited {LIMIT_MS} ms or longer")
