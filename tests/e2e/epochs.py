#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the device's function records, epoch by epoch while a program runs, with the events of the same run: a model
of plain lists (tests/rtl/profile/records_model.py) gives the expected records at each epoch's last cycle.

usage: epochs.py --reader COMMAND ELF [ARG...]   (the reader is tests/e2e/epochs.c)
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "rtl/profile"))
import records_model  # noqa: E402
from checking import fail  # noqa: E402
from e2e import FAST, GNOMON, OUT, record  # noqa: E402
from options import values

LOG2, FRAMES_LOG2, BUCKETS_LOG2, THREADS_LOG2 = 11, 10, 11, 6  # of the simulated board full
TRAP = 128  # first context number of traps
TYPES = {"enter": records_model.T_ENTER, "exit": records_model.T_EXIT, "trap_enter": records_model.T_TRAP_ENTER, "trap_leave": records_model.T_TRAP_LEAVE,
         "channel": records_model.T_CHANNEL, "end": records_model.T_END}
HALF = 40  # bits of the lower part of a sum of squares in a file


def entries(trace):
    """Returns the call aggregator's input of that run."""
    done = subprocess.run([GNOMON, "dump", "--json", "-i", str(trace)], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event["event"] in ("lost", "gap"):
            fail(f"{trace}: {event}")
        if event["event"] in TYPES:
            yield TYPES[event["event"]], event.get("number"), event.get("value"), event["cycle"]


def expected(model):
    """Returns the records in the form in which the host's library writes them."""
    lines = [[n, *r[:3], (1 << 36) - 1 if r[3] is None else r[3], r[4], 0] for n, r in sorted(model.records.items()) if r[0] or r[1] or r[2]]
    arcs = [[*pair, *figures, 0] for pair, figures in sorted(model.pairs.items())]
    buckets = [[*at, f[0], f[1], f[2] >> HALF, f[2] & (1 << HALF) - 1, 0] for at, f in sorted(model.buckets.items())]
    return {"records": lines, "arcs": arcs, "buckets": buckets}


def compare(what, got, want):
    for key, value in want.items():
        if got[key] != value:
            fail(f"{what}: {key} differ\n  got    {[v for v in got[key] if v not in value][:5]}\n  wanted {[v for v in value if v not in got[key]][:5]}")


def main():
    program, (elf, *arguments) = values(__doc__, "reader", rest="ARG")
    name = pathlib.Path(elf).stem
    lines = OUT / f"{name}.epochs.jsonl"
    subprocess.run([program, "sim:full", lines, elf, *arguments], check=True)
    *epochs, last = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    model, seen, opened, last_self = records_model.Model(LOG2, FRAMES_LOG2, BUCKETS_LOG2, 1, THREADS_LOG2), set(), 0, 0
    events = entries(record(elf, arguments, f"{name}.events", FAST))
    event = next(events)
    for at, epoch in enumerate(epochs):
        if epoch["number"] != at:
            fail(f"epoch {epoch['number']} comes after {at} of them")
        while event and event[3] <= epoch["cycle"]:
            model.entry(*event, 0, 0, 0)
            event = next(events, None)
        named = [[number, context + (TRAP - model.followed_threads) * (context >= model.followed_threads), *more]
                 for number, context, *more in model.mark(max(epoch["cycle"], model.now))] if event else []
        compare(f"epoch {at}, up to cycle {epoch['cycle']}", {**epoch["records"], "open": epoch["open"]}, {**expected(model), "open": named})
        last_self += sum(line[2] for line in epoch["records"]["records"])
        if event and last_self + sum(line[4] for line in epoch["open"]) != epoch["cycle"]:
            fail(f"epoch {at}: self cycles, with those of what is open, are not {epoch['cycle']}")
        opened = max(opened, len(named))
        seen |= {line[1] for line in named}
        model.begin_epoch()
    while event:
        model.entry(*event, 0, 0, 0)
        event = next(events, None)
    compare("what came after", last["records"], expected(model))
    if last["cycle"] != model.now or len(epochs) < 2 or opened < 2:
        fail(f"{len(epochs)} epochs, {opened} open frames at most, contexts {sorted(seen)}, cycle {last['cycle']}, and {model.now} by the events")
    print(f"{name}: {len(epochs)} epochs, open in contexts {sorted(seen)}, in {last['cycle']} cycles, {model.aggregated} events: records, pairs, buckets and what was open as the events say")


if __name__ == "__main__":
    main()
