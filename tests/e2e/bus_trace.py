#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon trace --bus: the accesses of a program that are known one by one, by address, direction and port; all accesses of the bus against the
device's counters of them; lost lock messages, counted exactly, whatever else is lost; and no cycle more with the trace on.

usage: bus_trace.py --out FOLDER --storm COUNT --boards NAME[+NAME] ELF   (COUNT: lock messages of the run with losses; boards: full, fomu-bus)
"""
import json
import os
import pathlib
import random
import sys

from checking import check, expect, result, same
from commands import must, run, sim_options
from options import values

FRAME = 512
CABLE = sim_options("--usb-rate", "load")  # while the program runs, loses what a full-speed cable does not carry
BEFORE = 8  # fetches of the first line, before the first instruction has retired: there the counters count and the trace has not begun


def trace(what, *options, program=(), board="full"):
    """The events of a traced run, and what the command printed on standard error."""
    done = run(["gnomon", "trace", "-d", f"sim:{board}", "--bus", what, "--json", "-o", OUT / "trace.gnt", *options, ELF, "--", *program])
    expect(f"gnomon trace --bus {what}: status", done.returncode == 0, done.returncode, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def accesses(events):
    return [event for event in events if event["event"] == "access"]


def expected_writes():
    for i in range(16):
        yield 4 * i, 4, 0x01020304 * i & 0xFFFFFFFF
        yield 64 + 2 * i, 2, 0x1111 * i & 0xFFFF
        yield 96 + i, 1, i * 17 & 255


def known():
    """Each access of the array, in the program's order."""
    events, _ = trace("table", "--port", "data")
    got = accesses(events)
    writes = [(one["offset"], one["size"], one["data"]) for one in got if one["write"]]
    same("stores of the array: offset, size, data", writes, list(expected_writes()))
    reads = [one["offset"] & ~3 for one in got if not one["write"]]
    same("loads of the array: words", sorted(reads), sorted(offset & ~3 for offset, _, _ in expected_writes()))
    expect("the name of the array", {(one["name"], one["port"]) for one in got} == {("table", "data")}, got[:3])
    start = min(one["address"] for one in got)
    for what, keep in (("table:w", lambda one: one["write"]), ("table:r", lambda one: not one["write"]), ("table:rw", lambda one: True),
                       (f"{start + 4}-{start + 8}", lambda one: start + 4 <= one["address"] < start + 8),
                       (f"{start:#x}-{start + 1:#x}:w", lambda one: one["write"] and one["address"] == start)):
        some, _ = trace(what, "--port", "data")
        same(f"--bus {what}", [shape(one) for one in accesses(some)], [shape(one) for one in got if keep(one)])
    # The same events from the file.
    again = must(["gnomon", "dump", "--json", "-i", OUT / "trace.gnt"]).splitlines()
    same("gnomon dump of the file", [json.loads(line) for line in again], some)
    text = must(["gnomon", "trace", "-d", "sim:full", "-q", "--bus", "table:w", "-o", OUT / "trace.gnt", ELF])
    expect("the text", "data        write 2  0x" in text and "= 0x1111      table+66" in text, text[:2000])
    return start


def shape(one):
    return one["cycle"], one["address"], one["write"], one.get("data"), one["name"]


def ports(start):
    """Fetches, the host, and registers."""
    events, _ = trace("storm", "--port", "instruction")
    fetched = accesses(events)
    expect("fetches of a function", fetched and {one["port"] for one in fetched} == {"instruction"} and not any(one["write"] for one in fetched) and
           {one["name"] for one in fetched} == {"storm"}, fetched[:3])
    same("no data of a function", accesses(trace("storm", "--port", "data")[0]), [])
    events, stderr = trace("0xf0002000-0xf0002004:w")
    text = bytes(one["data"] & 255 for one in accesses(events)).decode()
    expect("the console, as its register got it", text and text in stderr and {one["name"] for one in accesses(events)} == {"UART.DATA"}, text, stderr)
    same("no access of the array by the host", accesses(trace(f"{start:#x}-{start + 112:#x}", "--port", "host")[0]), [])
    named = [one for one in trace("table:w", "--events")[0] if one["event"] in ("enter", "exit", "access")]
    at = next(i for i, one in enumerate(named) if one["event"] == "access")
    expect("--events: which function was it", named[at - 1]["event"] == "enter" and named[at - 1]["function"] == "fill", named[at - 1])


def all_of_them():
    """The filter that all accesses pass: received and lost together are what the device counts of them, by direction and port."""
    for name, mask in (("bus-data-writes", ("data", ":w")), ("bus-data-reads", ("data", ":r")), ("bus-instruction-reads", ("instruction", ":r"))):
        counted = json.loads(must(["gnomon", "stat", "-d", "sim:full", "--json", "-e", name, ELF, "--", 5000]))
        want = next(one["runs"][0] for one in counted["events"] if one["event"] == name)
        events, _ = trace("0-0xffffffff" + mask[1], *CABLE, "--port", mask[0], program=(5000,))
        end = events[-1]
        got = len(accesses(events)) + end["bus_lost"]
        early = BEFORE if mask[0] == "instruction" else 0
        expect(f"{name}: in the trace and lost, against the counter", want - early <= got <= want, f"{got}, not {want}: {end['bus_lost']} lost")
        same(f"{name}: all events are accesses", end["produced"], got)
        expect(f"{name}: some are lost", end["lost"] > 0 or name != "bus-data-writes", end)
        same(f"{name}: all lost events are accesses", end["lost"], end["bus_lost"])


def end_of(options):
    must(["gnomon", "record", "-q", "-d", "sim:full", "-o", OUT / "record.gnt", *CABLE, *options, ELF, "--", 3000])
    return dumped(OUT / "record.gnt")[-1]


def dumped(path):
    return [json.loads(line) for line in run(["gnomon", "dump", "--json", "-i", path]).stdout.splitlines()]


def smallest(start):
    """The filter of an iCE40 has no data; its addresses, sizes, order and losses are those of `full`."""
    whole = accesses(trace("table", "--port", "data")[0])
    some = accesses(trace("table", "--port", "data", board="fomu-bus")[0])
    same("fomu-bus: accesses of the array", [place(one) for one in some], [place(one) for one in whole])
    expect("fomu-bus: no data", not any("data" in one for one in some), some[:2])
    same("fomu-bus: stores of 4 bytes", [place(one) for one in accesses(trace(f"{start}-{start + 64}:w", "--port", "data", board="fomu-bus")[0])],
         [place(one) for one in whole if one["write"] and one["offset"] < 64])
    few = trace("0-4", program=(3000,), board="fomu-bus")[0][-1]
    full = trace("0-0xffffffff:w", *CABLE, program=(3000,), board="fomu-bus")[0]
    same("fomu-bus: received and lost", len(accesses(full)) + full[-1]["lost"], full[-1]["produced"])
    expect("fomu-bus: some are lost", full[-1]["lost"] > 1000 and few["lost"] == 0, full[-1])
    same("fomu-bus: cycles", (full[-1]["cycle"], full[-1]["instructions"]), (few["cycle"], few["instructions"]))


def place(one):
    return one["name"], one["offset"], one["write"], one.get("size")


def no_probe_effect():
    """The same program takes the same cycles with the snooper off, on and overflowing."""
    off = end_of(("--events", "--no-locks"))
    on = end_of(("--events",))
    full = trace("0-0xffffffff", *CABLE, program=(3000,))[0][-1]
    narrow = trace("0-4", program=(3000,))[0][-1]
    expect("the trace overflowed", full["bus_lost"] > 1000 and narrow["bus_lost"] == 0, full, narrow)
    for name, end in (("lock messages", on), ("all accesses, most of them lost", full), ("no access", narrow)):
        same(f"cycles and instructions with {name}", (end["cycle"], end["instructions"]), (off["cycle"], off["instructions"]))


def losses(count):
    """Lock messages as fast as the hart makes them; then some frames of the file are taken away."""
    path = OUT / "storm.gnt"
    must(["gnomon", "record", "-q", "-d", "sim:full", "-o", path, *CABLE, "--events", ELF, "--", count])
    data = path.read_bytes()
    head = 8 + 4 + int.from_bytes(data[8:12], "little") + 4
    frames = [data[at:at + FRAME] for at in range(head, data.rfind(b"GNTEND\r\n"), FRAME)]
    rng = random.Random(1)
    for share in (0, 0.01, 0.3, 0.9):
        kept = [frame for frame in frames[:-1] if rng.random() >= share] + frames[-1:]
        cut = OUT / "cut.gnt"
        cut.write_bytes(data[:head] + b"".join(kept))
        events = dumped(cut)
        locks = [event for event in events if event["event"] == "lock"]
        good = same(f"{count} lock messages, {len(frames) - len(kept)} of {len(frames)} frames missing: received and lost", len(locks) + events[-1]["bus_lost"], count)
        expect("some were lost", events[-1]["bus_lost"] > 0, events[-1])
        # Each loss is told where it is: the messages count up in the words that they write.
        next_, wrong = 0, []
        for event in events:
            if event["event"] == "lock":
                if event["data"] != next_ and good:
                    wrong.append(f"{event['data']}, not {next_}")
                next_ = event["data"] + 1
            elif event["event"] == "lost":
                next_ += event["bus"]
            elif event["event"] == "gap":
                break  # how many of the missing ones come before the next message is only known at the next count
        check(f"lost lock messages are where the trace says, up to the first gap ({count - events[-1]['bus_lost']} received)", wrong)
        summary = run(["gnomon", "dump", "-i", cut]).stderr
        expect("the reason says how many", f"{events[-1]['bus_lost']:,} lock message" in summary, summary)


def refused():
    for board in ("small", "mid"):
        done = run(["gnomon", "trace", "-d", f"sim:{board}", "--bus", "0-4", ELF])
        expect(f"{board}: refused", done.returncode == 1 and f"sim:{board} has no bus filter" in done.stderr, done.stderr)
    for what, text in (("7-7", "holds no address"), ("nothing_of_that_name", "has no variable nothing_of_that_name")):
        done = run(["gnomon", "trace", "-d", "sim:full", "--bus", what, ELF])
        expect(f"--bus {what}: refused", done.returncode == 2 - ("variable" in text) and text in done.stderr, done.stderr)
    done = run(["gnomon", "trace", "-d", "sim:full", "--bus", "0-4", "--port", "usb", ELF])
    expect("--port usb: refused", done.returncode == 2 and "the bus has no port usb" in done.stderr, done.stderr)
    expect("without --bus: refused", run(["gnomon", "trace", ELF]).returncode == 2)


OUT, STORM, BOARDS, ELF = values(__doc__, "out", "storm", "boards", rest="ELF", least=1)
OUT, ELF = pathlib.Path(OUT), os.path.abspath(ELF[0])
OUT.mkdir(parents=True, exist_ok=True)
start = known()
if "fomu-bus" in BOARDS.split("+"):
    smallest(start)
if "full" in BOARDS.split("+"):
    ports(start)
    all_of_them()
    no_probe_effect()
    losses(int(STORM))
    refused()
sys.exit(result())
