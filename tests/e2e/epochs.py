#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the device's function records, epoch by epoch while a program runs, with the events of the same run: a model
of plain lists (tests/rtl/profile/records_model.py) gives the expected records at each epoch's last cycle, and the stack
that a sample has then.

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
from tag_oracle import symbols

LOG2, FRAMES_LOG2, BUCKETS_LOG2, THREADS_LOG2 = 11, 10, 11, 6  # of the simulated board full
TRAP = 128  # first context number of traps
TYPES = {"enter": records_model.T_ENTER, "exit": records_model.T_EXIT, "trap_enter": records_model.T_TRAP_ENTER, "trap_leave": records_model.T_TRAP_LEAVE,
         "channel": records_model.T_CHANNEL, "end": records_model.T_END}
NO_FUNCTION = 31  # the trap record that holds what passed in no function
HALF = 40  # bits of the lower part of a sum of squares in a file


def entries(trace, names):
    """Returns the call aggregator's input of that run, and puts the functions' names by number into `names`."""
    done = subprocess.run([GNOMON, "dump", "--json", "-i", str(trace)], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event["event"] in ("lost", "gap"):
            fail(f"{trace}: {event}")
        if event["event"] == "enter":
            names[event["number"]] = event["function"]
        if event["event"] in TYPES:
            yield TYPES[event["event"]], event.get("number"), event.get("value"), event["cycle"]


def stack(model, starts):
    """The running thread's number, and its open calls as a sample has them: the start of each function, and for a trap
    twice its cause; 2 more if it called something. What a trap interrupted is not in the trap's stack."""
    found = []
    for frame in reversed(model.thread().stack):
        cause = frame.number - (model.size - 64)
        if cause == NO_FUNCTION:
            break
        found.append((2 * cause if cause >= 0 else starts[frame.number]) + 2 * bool(found))
        if cause >= 0:
            break
    return [model.running, *found]


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


def follow(reader, elf, arguments, events, what):
    """Compares what was read at each epoch: "records", or only what is "open"."""
    name = pathlib.Path(elf).stem
    lines = OUT / f"{name}.epochs.jsonl"
    subprocess.run([reader, what, "sim:full", lines, elf, *arguments], check=True)
    *epochs, last = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    model, seen, opened, last_self, stacks = records_model.Model(LOG2, FRAMES_LOG2, BUCKETS_LOG2, 1, THREADS_LOG2), set(), 0, 0, set()
    addresses, names = {symbol: start for symbol, start, _ in symbols(elf, "tTwW")}, {}
    events = entries(events, names)
    event = next(events)
    for at, epoch in enumerate(epochs):
        if epoch["number"] != at:
            fail(f"epoch {epoch['number']} comes after {at} of them")
        while event and event[3] <= epoch["cycle"]:
            model.entry(*event, 0, 0, 0)
            event = next(events, None)
        named = [[number, context + (TRAP - model.followed_threads) * (context >= model.followed_threads), *more]
                 for number, context, *more in model.mark(max(epoch["cycle"], model.now))] if event else []
        sample = stack(model, {number: addresses[function] for number, function in names.items()}) if event else [0]
        got, wanted = {"open": epoch["open"], "stack": epoch["stack"]}, {"open": named, "stack": sample}
        if what == "records":
            got, wanted = {**got, **epoch["records"]}, {**wanted, **expected(model)}
        compare(f"epoch {at}, up to cycle {epoch['cycle']}", got, wanted)
        last_self += sum(line[2] for line in epoch["records"]["records"])
        if what == "records" and event and last_self + sum(line[4] for line in epoch["open"]) != epoch["cycle"]:
            fail(f"epoch {at}: self cycles, with those of what is open, are not {epoch['cycle']}")
        opened = max(opened, len(named))
        seen |= {line[1] for line in named}
        stacks.add(tuple(sample))
        model.begin_epoch()
    while event:
        model.entry(*event, 0, 0, 0)
        event = next(events, None)
    if what == "records":
        compare("what came after", last["records"], expected(model))
    if last["cycle"] != model.now or len(epochs) < 2 or opened < 2 or len(stacks) < 3:
        fail(f"{len(epochs)} epochs, {opened} open frames at most, contexts {sorted(seen)}, cycle {last['cycle']}, and {model.now} by the events")
    compared = "records, pairs, buckets and what was open" if what == "records" else "what was open"
    print(f"{name}: {len(epochs)} epochs, open in contexts {sorted(seen)}, in {last['cycle']} cycles, {model.aggregated} events: {compared}, {len(stacks)} different stacks, as the events say")


def main():
    program, (elf, *arguments) = values(__doc__, "reader", rest="ARG")
    events = record(elf, arguments, f"{pathlib.Path(elf).stem}.events", FAST)
    for what in ("records", "open"):
        follow(program, elf, arguments, events, what)


if __name__ == "__main__":
    main()
