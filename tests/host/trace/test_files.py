#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests files that are truncated, damaged or no traces; traces whose sums do not agree; options of report and dump.

usage: test_files.py --gnomon COMMAND --elf FILE --out FOLDER
"""
import fcntl
import json
import re
import os
import pty
import struct
import subprocess
import termios
import zlib

import commands
from gnt_encoder import FRAME, Encoder, encode, gnt_bytes
from make_corpus import INSTRUCTIONS
from options import values

GNOMON, ELF, FOLDER = values(__doc__, "gnomon", "elf", "out")
PATH = f"{FOLDER}/file.gnt"
NAME = {"elf": {"path": ELF}, "device": {"address": "sim:test"}, "clock_hz": 60000000}


def events():
    out, cycle = [(0, "begin", 0x10000000)], 0
    for i in range(1200):
        for kind in ("enter", "exit"):
            cycle += 9
            out.append((cycle, kind, i % 4))
    out.append((cycle + 9, "end", 0, 5000, 2400, 0, 0))
    return out


def gnomon(*arguments, **more):
    return commands.run([GNOMON, *arguments], **{"timeout": 60, "stdin": subprocess.DEVNULL, **more})


def write(data):
    with open(PATH, "wb") as file:
        file.write(data)


def expect(what, data, status, *texts, options=()):
    """Writes the file; report and dump must exit with this status and print these texts."""
    write(data)
    for command in ("report", "dump"):
        run = gnomon(command, *options, PATH)
        assert run.returncode == status, f"{what}: {command} exits with {run.returncode}: {run.stderr}"
        for text in texts:
            assert text in run.stderr, f"{what}: {command} does not say \"{text}\" but: {run.stderr}"
    return run


def worth(what, data, phrase, *ids, options=()):
    """A file with inexact figures, for these reasons: the first line and the JSON give them, and --strict exits with
    3."""
    write(data)
    run = gnomon("report", *options, PATH)
    first = run.stdout.splitlines()[0]
    assert phrase in first and "counted exactly" not in first, f"{what}: the first line is {first}"
    report = json.loads(gnomon("report", "--json", *options, PATH).stdout)
    got = [reason["id"] for reason in report["reasons"]]
    assert got == list(ids) and not report["exact"] and not report["complete"], f"{what}: {got}"
    assert not any(function["exact"] for function in report["functions"]), f"{what}: {report['functions']}"
    damaged = any(reason["kind"] == "damage" for reason in report["reasons"])
    status = gnomon("report", "--strict", *options, PATH).returncode
    assert status == (1 if damaged else 3), f"{what}: --strict exits with {status}"
    return report


def test_cut():
    frames, _ = encode(events())
    whole = gnt_bytes(NAME, frames)
    header = len(gnt_bytes(NAME, [], trailer=False))
    end = header + FRAME * len(frames)
    expect("nothing", b"", 1, "file.gnt is empty", "record again")
    for size in (1, 3):
        expect("start of the magic", whole[:size], 1, "ends within its header")
    for size in range(4, header, 7):
        expect("header cut", whole[:size], 1, "ends within its header")
    for size in (end, end + 8):
        expect("no trailer", whole[:size], 0, "warning")
    expect("no trailer", whole[:end], 0, "no end mark")
    expect("no trailer", whole[:end], 3, "no end mark", options=["--strict"])
    worth("no trailer", whole[:end], "INCOMPLETE, NOT EXACT: the file ends early", "no-end-mark")
    worth("cut in a frame", whole[:header + FRAME + 12], f"the file ends early, at least {FRAME - 12} bytes are missing", "file-cut", "no-end")
    worth("cut at the border of a frame", whole[:header + FRAME], "the trace stops at cycle ", "no-end-mark", "no-end")
    worth("cut in the end mark", whole[:-20], "the file ends early, at least 20 bytes are missing", "file-cut")
    for size in list(range(header + 1, end, 201)) + list(range(end + 1, len(whole), 5)):
        if size != end:
            expect("cut", whole[:size], 0, "cut off")
    expect("no frames", whole[:header], 0, "stops before the program's end")
    expect("last frame missing", gnt_bytes(NAME, frames[:-1]), 0, "stops before the program's end")


def test_damaged():
    frames, _ = encode(events())
    whole = bytearray(gnt_bytes(NAME, frames))
    header = len(gnt_bytes(NAME, [], trailer=False))
    end = header + FRAME * len(frames)

    def changed(at, bits=1):
        copy = whole[:]
        copy[at] ^= bits
        return copy

    expect("magic", changed(0), 1, "is not a Gnomon trace")
    expect("a text", b"# not a trace at all, but long enough to be one", 1, "is not a Gnomon trace")
    expect("text conversion", whole.replace(b"\r\n", b"\n"), 1, "text conversion")
    expect("version", changed(6, 3), 1, "version 1.0", "use the gnomon that recorded it")
    expect("header length", changed(11, 0x80), 1, "its length is absurd")
    expect("header", changed(20), 1, "the header of", "checksum")
    expect("no object", gnt_bytes([1], frames), 1, "no JSON object")
    for at in range(header, end, 97):
        run = expect("frame", changed(at), 1, "number or checksum differ")
        assert "end" in run.stdout
    worth("frame", changed(header + 97), "DAMAGED: figures may be wrong", "file-damaged")
    expect("trailer", changed(end + 14), 1, "the end mark is damaged")
    expect("sum of the frames", changed(len(whole) - 8), 1, "number or checksum differ")
    expect("number of frames", gnt_bytes(NAME, frames, frames=17), 1, "number or checksum differ")
    expect("behind the end", whole + b"x", 1, "after the end mark")
    expect("sound", whole, 0)


def test_numbers():
    """Tests the largest number of a function, and the number after it."""
    for number, status in (((1 << 20) - 1, 0), (1 << 20, 1)):
        frames, _ = encode([(0, "begin", 0x10000000), (9, "enter", number), (20, "exit", number), (30, "end", 0, 20, 2, 0, 0)])
        expect(f"function {number}", gnt_bytes(NAME, frames), status, *["1 frame of the trace makes no sense"] * status)


def test_modules():
    """A module's numbers take two messages: its functions are named only if both arrived."""
    first = 70000
    before = [(1, "module", 0, 0x55667788), (2, "module", 3, 80000), (3, "module", 4, 5), (4, "module", 16, 0x10004000)]
    told = [(10, "module", 0, 0x11223344), (20, "module", 3, first), (30, "module", 4, 3), (40, "module", 17, 0x10008000)]
    calls = [(50, "enter", first + 2), (60, "exit", first + 2), (70, "module", 5, first)]

    def trace(messages):
        frames, _ = encode([(0, "begin", 0x10000000), *before, *messages, *calls, (80, "end", 0, 70, len(messages) + 7, 0, 0)])
        return gnt_bytes(NAME, frames)

    text = expect("a module", trace(told), 0).stdout
    for line in (f"numbers from {first}", "functions: 3 of them", "[function 2 of 44332211]", f"unloaded: numbers from {first}"):
        assert line in text, f"dump does not say \"{line}\": {text}"
    for missing in range(3):
        run = expect("part of it", trace(told[:missing] + told[missing + 1:]), 0, "messages about 1 load of modules were lost")
        assert "44332211]" not in run.stdout, run.stdout


def reframe(frames, index, form, at, value):
    frame = bytearray(frames[index])
    struct.pack_into(form, frame, at, value)
    return gnt_bytes(NAME, [*frames[:index], bytes(frame), *frames[index + 1 :]])


def test_accounts():
    frames, _ = encode(events())
    expect("magic of a frame", reframe(frames, 1, "<H", 0, 0x1234), 1, "1 frame of the trace makes no sense")
    expect("version of a frame", reframe(frames, 1, "<B", 2, 9), 1, "makes no sense")
    expect("hart", reframe(frames, 1, "<B", 3, 2), 1, "makes no sense")
    expect("first record", reframe(frames, 1, "<H", 16, 700), 1, "makes no sense")
    expect("time", reframe(frames, 2, "<Q", 8, 3), 1, "makes no sense")
    expect("lost", reframe(frames, 1, "<I", 24, 5), 1, "how many events were dropped")
    expect("depth", reframe(frames, 1, "<H", 18, 7), 1, "how many functions are open")
    expect("thread", reframe(frames, 1, "<H", 20, 7), 1, "the thread that runs")
    expect("twice", gnt_bytes(NAME, [*frames[:2], frames[1], *frames[2:]]), 1, "1 frame of the trace makes no sense")
    expect("gap", gnt_bytes(NAME, [frames[0], *frames[2:]]), 0, "1 frame of the trace did not arrive")
    expect("gap", gnt_bytes(NAME, [frames[0], *frames[2:]]), 3, "did not arrive", options=["--strict"])
    for index, status in ((4, 1), (5, 1)):
        wrong = list(events()[-1])
        wrong[index] += 1
        frames, _ = encode([*events()[:-1], tuple(wrong)])
        expect("END", gnt_bytes(NAME, frames), status, "do not add up")
    lock = lambda cycle: (cycle, "lock", 5, 0xE0000008, 7)
    frames, _ = encode([(0, "begin", 0), lock(2), lock(3), (4, "lost", 0, 0, 1, 0, -1), (9, "end", 0, 1, 3, 1, 0)], data=True)
    expect("fewer lock messages made than received", gnt_bytes(NAME, frames), 1, "do not add up")
    frames, _ = encode([(0, "begin", 0), lock(2), (4, "lost", 0, 0, 5, 0, 3), lock(5), (9, "end", 0, 1, 7, 5, 0)], data=True)
    expect("lost lock messages", gnt_bytes(NAME, frames), 0, "3 lock messages did not arrive, counted exactly")
    frames, _ = encode([(0, "begin", 0), (5, "enter", 1), (9, "exit", 1)])
    expect("no END", gnt_bytes(NAME, frames), 0, "stops before the program's end")
    frames, _ = encode([(5, "enter", 1), (9, "exit", 1), (10, "end", 0, 1, 2, 0, 0)])
    expect("no BEGIN", gnt_bytes(NAME, frames), 1, "does not begin with the start")
    frames, _ = encode([(0, "begin", 0), (5, "enter", 1), (5, "lost", 1, 1, 0, 50), (9, "exit", 1), (10, "end", 0, 1, 4, 2, 0)])
    write(gnt_bytes(NAME, frames))
    run = gnomon("report", PATH)
    assert run.returncode == 1 and "more cycles are said to be lost" in run.stderr, run.stderr
    frames, _ = encode([(0, "begin", 0), (5, "enter", 1), (5, "lost", 0, 0, 2, 0), (9, "exit", 1), (10, "end", 0, 1, 4, 2, 0)])
    write(gnt_bytes(NAME, frames))
    assert "calls and cycles are exact, messages are missing" in gnomon("report", PATH).stdout
    behind = Encoder()
    for event in [(0, "begin", 0), (4, "end", 0, 1, 0, 0, 0), (9, "time")]:
        behind.put(event)
    behind.end_frame()
    expect("behind END", gnt_bytes(NAME, behind.frames), 1, "makes no sense")


RECORDS = {"size": 256, "aggregated": 6, "overflow": 0, "unbalanced": 0, "untracked": 0,
           "with_arcs": True, "arc_overflow": 0, "arcs": [[0, 3, 1, 30, 30, 0], [192 + 31, 0, 2, 40, 70, 0]],
           "records": [[0, 2, 40, 70, 30, 40, 0], [3, 1, 30, 30, 30, 30, 0], [192 + 31, 0, 30, 100, 2**36 - 1, 0, 0]]}


def test_records():
    """Tests files with function records."""
    frames, _ = encode([(0, "begin", 0), (50, "channel", 20, 7), (100, "end", 0, 60, 7, 0, 0)])
    header = {**NAME, "records": True}

    def recorded(**fields):
        return gnt_bytes(header, frames, records={**RECORDS, **fields})
    write(recorded())
    report = json.loads(gnomon("report", "--json", PATH).stdout)
    got = [(f["name"], f["calls"], f["self_cycles"], f["total_cycles"], f["min_cycles"], f["max_cycles"]) for f in report["functions"]]
    assert got == [("alpha", 2, 40, 70, 30, 40), ("helper", 1, 30, 30, 30, 30)], got
    assert (report["unprofiled_cycles"], report["lost_events"], report["received_events"], report["reasons"]) == (30, 0, 7, []), report
    arcs = [(a["caller"], a["callee"], a["calls"], a["self_cycles"], a["total_cycles"]) for a in report["arcs"]]
    assert arcs == [(0, 1, 1, 30, 30), (None, 0, 2, 40, 70)], arcs
    lines, pairs = RECORDS["records"], RECORDS["arcs"]
    whole = recorded()
    for size in range(len(gnt_bytes(header, frames, trailer=False)) + 1, len(whole), 9):
        expect("cut", whole[:size], 0, "was cut off")
    for size in (len(gnt_bytes(header, frames, trailer=False)) + 40, len(whole) - 200):
        report = worth("cut in the records", whole[:size], "INCOMPLETE, NOT EXACT: the file ends early, at least ", "file-cut", "no-records")
        assert (report["cycles"], report["lost_cycles"], report["unprofiled_cycles"], report["lost_events"]) == (100, 100, 0, 0), report
        first = gnomon("report", PATH).stdout.splitlines()[0]
        assert "LOST" not in first and "exactly" not in first and "no function's record is there" in first, first
    worth("cut before the records", gnt_bytes(header, frames, trailer=False), "no function's record is there", "no-end-mark", "no-records")
    expect("without", gnt_bytes(header, frames), 0, "records of functions are not in the file")
    worth("no place", recorded(overflow=3), "no record of 3 calls: lower bounds", "records-overflow")
    # Threads 9 and 12 ran for 30 and for 7 cycles.
    others, _ = encode([(0, "begin", 0), (20, "channel", 1, 9), (50, "channel", 1, 0), (60, "channel", 1, 12), (67, "channel", 1, 0), (100, "end", 0, 60, 10, 0, 0)])
    untracked = gnt_bytes(header, others, records={**RECORDS, "untracked": 3})
    report = worth("threads", untracked, "2 threads untracked, with 37 cycles", "untracked-threads")
    assert report["reasons"][0]["count"] == 2 and {t["thread"]: t["cycles"] for t in report["threads"]} == {0: 63, 9: 30, 12: 7}, report
    expect("threads, and what to do", gnt_bytes(header, others, records={**RECORDS, "untracked": 4321}), 0,
           "4,321 events of 2 threads above 7 are in no record", "send GNOMON_THREAD(number) with numbers from 0 to 7, or record --events")
    expect("grouped digits", recorded(overflow=4321), 0, "no place for 4,321 calls: ")
    at = whole.index(b"GNTREC") + 40
    expect("checksum", whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:], 1, "records are damaged")
    expect("length", whole.replace(b"GNTREC\r\n" + whole[at - 32:at - 28], b"GNTREC\r\n\xff\xff\xff\xff"), 1, "records are damaged")
    expect("aggregated", recorded(aggregated=5), 1, "do not add up")
    write(recorded(records=[[0, 2, 41, 70, 30, 40, 0], *lines[1:]]))
    run = gnomon("report", PATH)
    assert run.returncode == 1 and "do not add up" in run.stderr, run.stderr
    for wrong in ({"size": 64}, {"size": 1 << 20}, {"aggregated": -1}, {"overflow": "x"}, {"records": [lines[1], lines[0]]},
                  {"records": [[0, 2, 40, 70, 30, 40]]}, {"records": [[256, 2, 40, 70, 30, 40, 0]]},
                  {"records": [[0, 2, 2**48, 70, 30, 40, 0]]}, {"records": [[0, 2, 40, 70, 30, 40, 16]]}, {"arcs": [pairs[1], pairs[0]]}, {"arcs": [[0, 256, 1, 1, 1, 0]]},
                  {"arcs": [pairs[0], pairs[0]]}, {"arcs": [[0, 3, 1, 30, 30]]}, {"arc_overflow": -1}):
        expect(wrong, recorded(**wrong), 1, "make no sense")
    expect("no place", recorded(overflow=3), 0, "no place for 3 calls")
    expect("no place", recorded(overflow=3), 3, "no place for 3 calls", options=["--strict"])
    # Calls of function 3 were dropped; the program's code does not show what function 3 can call.
    lossy, _ = encode([(0, "begin", 0), (50, "channel", 20, 7), (60, "lost", 2, 2, 0, 10), (100, "end", 0, 60, 11, 4, 0)])
    write(gnt_bytes(header, lossy, records={**RECORDS, "records": [lines[0], [3, 1, 30, 40, 40, 40, 3], [192 + 31, 0, 20, 100, 2**36 - 1, 0, 2]]}))
    report = json.loads(gnomon("report", "--json", PATH).stdout)
    got = [(f["name"], f["exact"], f["lost_calls"]) for f in report["functions"]]
    assert got == [("alpha", False, 0), ("helper", False, None)], got
    assert (report["unprofiled_cycles"], report["lost_cycles"], report["lost_events"]) == (20, 10, 4), report
    counted = {**RECORDS, "records": [lines[0], [3, 1, 30, 40, 40, 40, 3], [192 + 31, 0, 20, 100, 2**36 - 1, 0, 2]], "with_losses": True}
    write(gnt_bytes(header, lossy, records={**counted, "losses": [[3, 2, 10]]}))
    functions = json.loads(gnomon("report", "--json", PATH).stdout)["functions"]
    assert [(f["lost_calls"], f["lost_cycles"]) for f in functions] == [(0, 0), (2, 10)], functions
    for wrong in ([[1, 2, 10]], [[3, 2]], [[3, 2**32, 10]], [[3, 2, -1]], [[3, 2, 10], [3, 2, 10]], [[3, 2, 10], [0, 1, 1]]):
        expect(wrong, gnt_bytes(header, lossy, records={**counted, "losses": wrong}), 1, "the losses of the records in it make no sense")
    expect("pairs", recorded(arc_overflow=1), 0, "no place for 1 call in the call graph")
    first = gnomon("report", PATH).stdout.splitlines()[0]
    assert "calls and cycles counted exactly, call graph INCOMPLETE: the callers of 1 of 3 calls are not known" in first, first
    report = json.loads(gnomon("report", "--json", PATH).stdout)
    assert not report["exact"] and not report["complete"] and all(f["exact"] for f in report["functions"]), report
    assert [(r["id"], r["count"], r["reach"]) for r in report["reasons"]] == [("arcs-overflow", 1, "graph")], report["reasons"]
    write(recorded(arc_overflow=1, arcs=[RECORDS["arcs"][1]]))
    text = gnomon("report", "--graph", "--function", "helper", PATH).stdout
    assert "                   1              -              -      <not known>" in text, text
    write(recorded(with_arcs=False, arcs=[]))
    assert gnomon("report", "--graph", PATH).stdout.startswith("No call graph"), gnomon("report", "--graph", PATH).stdout
    expect("untracked", recorded(untracked=1), 0, "1 event of 0 threads above 7")
    expect("large", recorded(records=[[0, 2, 40, 70, 30, 40, 4], *lines[1:]]), 0, "larger than their records")
    report = json.loads(gnomon("report", "--json", PATH).stdout)
    assert [f["exact"] for f in report["functions"]] == [False, True], report["functions"]


def test_ends():
    """The first line and the JSON give the reason of the run's end."""
    frames, _ = encode(events())
    cycle = events()[-1][0]
    for fields, phrase, name, cause in (
            ({}, ", counted exactly, nothing lost", "exit", None),
            ({"exit_status": 3}, ", exit status 3, counted exactly, nothing lost", "exit", None),
            ({"reason": "interrupted", "exit_status": -1}, f"INTERRUPTED at cycle {cycle:,}, up to there counted exactly", "interrupted", None),
            ({"reason": "duration", "exit_status": -1}, f"stopped as --duration asked at cycle {cycle:,}, up to there", "duration", None),
            ({"reason": "debug", "exit_status": -1}, f"stopped in debug mode at cycle {cycle:,}, up to there", "debug", None),
            ({"reason": "crashed", "crash": "load access fault in alpha", "exit_status": 133},
             f"the program CRASHED at cycle {cycle:,} (load access fault in alpha), up to there counted", "crashed", "load access fault in alpha"),
            ({"reason": "disconnected", "exit_status": -1}, f"the recording BROKE OFF at cycle {cycle:,}", "error", None)):
        write(gnt_bytes(NAME, frames, **fields))
        run = gnomon("report", PATH)
        assert run.returncode == 0 and phrase in run.stdout.splitlines()[0], f"{fields}: {run.stdout.splitlines()[0]}"
        report = json.loads(gnomon("report", "--json", PATH).stdout)
        whole = name == "exit"
        status = fields.get("exit_status", 0) if whole else None
        assert report["end"] == {"reason": name, "cycle": cycle, "status": status, "cause": cause}, report["end"]
        assert report["exact"] and report["complete"] == whole and report["reasons"] == [], report
        assert gnomon("report", "--strict", PATH).returncode == (0 if whole else 3), fields


def test_instructions():
    """Cycles of instructions must add up, or the file is refused."""
    frames, _ = encode([(0, "begin", 0), (900, "end", 0, 500, 0, 0, 0)])
    first, second = INSTRUCTIONS["instructions"]

    def recorded(**fields):
        return gnt_bytes(NAME, frames, instructions={**INSTRUCTIONS, **fields})

    def causes(text, status, content):
        write(content)
        done = gnomon("report", "--causes", "--json", PATH)
        assert done.returncode == status and text in done.stderr, (text, done.returncode, done.stderr)
        return done.stdout
    report = json.loads(causes("", 0, recorded()))
    got = [(function["name"], function["cycles"], function["causes"]) for function in report["functions"]]
    assert sum(cycles for _, cycles, _ in got) == 850 and all(sum(of.values()) == cycles for _, cycles, of in got), got
    assert (report["cycles"], report["unattributed"]["cycles"], report["not_counted"]["cycles"]) == (900, 40, 10), report
    whole = recorded()
    for size in range(len(gnt_bytes(NAME, frames, trailer=False)) + 1, len(whole), 9):
        expect("cut", whole[:size], 0, "was cut off")
    at = whole.index(b"GNTCPI") + 40
    causes("are damaged", 1, whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
    causes("are damaged", 1, whole.replace(b"GNTCPI\r\n" + whole[at - 32:at - 28], b"GNTCPI\r\n\xff\xff\xff\xff"))
    causes("does not say what instructions cost", 1, gnt_bytes(NAME, frames))
    causes("of 900 cycles, and a trace of 901", 1, gnt_bytes(NAME, encode([(0, "begin", 0), (901, "end", 0, 500, 0, 0, 0)])[0],
                                                             instructions=INSTRUCTIONS))
    totals = INSTRUCTIONS["causes"]
    for wrong in ({"cycles": 901}, {"cycles": -1}, {"cycles": 2**62, "causes": [2**62, *[0] * 15]}, {"unattributed": 51}, {"unattributed": "x"}, {"causes": totals[1:]},
                  {"causes": [*totals[:15], -1]}, {"causes": [499, 101, *totals[2:]], "instructions": [[0x10000010, 0, 500]]},
                  {"overflow": 11}, {"start": 0x10000800}, {"end": None}, {"runs": -1}, {"instructions": 1},
                  {"instructions": [second, first]}, {"instructions": [first, first]}, {"instructions": [[0x10000011, 0, 1]]},
                  {"instructions": [[2**32, 0, 1]]}, {"instructions": [[0x10000010, 16, 1]]}, {"instructions": [[0x10000010, 0, 0]]},
                  {"instructions": [[0x10000010, 0]]}, {"instructions": [[0x10000010, 0, 1, 0, 1]]}, {"instructions": [[0x10000010]]},
                  {"instructions": ["x"]}, {"instructions": [[0x10000010, 0, 501]]}, {"instructions": [[0x10000010, 7, 1]]}):
        causes("make no sense", 1, recorded(**wrong))


def test_buckets():
    """Histograms of call lengths from function records; files of older versions have no buckets."""
    frames, _ = encode([(0, "begin", 0), (50, "channel", 20, 7), (100, "end", 0, 60, 7, 0, 0)])
    header = {**NAME, "records": True}
    high, low = divmod(2**79 + 5, 2**40)
    buckets = [[0, 4, 1, 30, 0, 900, 0], [0, 5, 1, 40, 0, 1600, 0], [3, 31, 1, 30, high, low, 0]]

    def recorded(bucketed, **fields):
        return gnt_bytes(header, frames, records={**RECORDS, "bucketed": bucketed, "buckets": buckets, **fields})
    write(recorded(4))
    functions = json.loads(gnomon("report", "--json", PATH).stdout)["functions"]
    assert functions[0]["histogram"] == [{"from": 16, "calls": 1, "cycles": 30, "squares": "900"},
                                         {"from": 32, "calls": 1, "cycles": 40, "squares": "1600"}], functions[0]
    assert (functions[0]["mean_cycles"], functions[0]["deviation_cycles"]) == (35, 5), functions[0]
    assert functions[1]["histogram"] == [{"from": 1 << 31, "calls": 1, "cycles": 30, "squares": str(2**79 + 5)}], functions[1]
    text = gnomon("report", "--histogram", PATH).stdout
    assert re.search(r"alpha .* 2 calls, mean 35 cycles, standard deviation 5\n.*\n +16 - 31 +1 +50.00 +30 +0 +#{20}\n +32 - 63 +1 ", text), text
    assert gnomon("report", "--histogram", "--function", "alpha", PATH).stdout == text[:text.index("helper")], text
    write(recorded(4, buckets=[]))
    assert "2 functions without a histogram" in gnomon("report", "--histogram", PATH).stdout
    write(recorded(3, buckets=buckets[:2]))
    assert "1 function without a histogram" in gnomon("report", "--histogram", PATH).stdout
    write(gnt_bytes(header, frames, records=RECORDS))
    assert "2 functions without a histogram" in gnomon("report", "--histogram", PATH).stdout
    assert json.loads(gnomon("report", "--json", PATH).stdout)["functions"][0]["histogram"] is None
    for wrong in (buckets[::-1], [buckets[0], buckets[0]], [[4, *buckets[0][1:]]], [[0, 32, *buckets[0][2:]]], [[0, 4, 0, 0, 0, 0, 0]],
                  [[0, 4, 1, 30, 2**40, 0, 0]], [[0, 4, 1, 30, 0, 900, 2]], [[0, 4, 1, 30, 0, 900]], [7], {}):
        expect(wrong, recorded(4, buckets=wrong), 1, "the buckets of the records in it make no sense")
    for wrong in (257, -1, "x", 0):
        expect(wrong, recorded(wrong), 1, "the buckets of the records in it make no sense")
    expect("large", recorded(4, buckets=[[0, 4, 1, 30, 0, 900, 1]]), 0, "larger than their records")


def test_no_file():
    for command in ("report", "dump"):
        run = gnomon(command, f"{FOLDER}/none.gnt")
        assert run.returncode == 1 and "none.gnt" in run.stderr and "gnomon record" in run.stderr
        run = gnomon(command, FOLDER)
        assert run.returncode == 2 and "is a directory" in run.stderr
        write(gnt_bytes(NAME, encode(events())[0]))
        with open("/dev/full", "w", encoding="ascii") as full:
            run = gnomon(command, PATH, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        assert run.returncode == 1 and "No space left" in run.stderr, run


def on_terminal(*arguments, width=80, **environment):
    """Returns the output of a run on a terminal of its own."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    with subprocess.Popen(
        [GNOMON, *arguments], stdin=follower, stdout=follower, stderr=follower, env={**os.environ, "TERM": "xterm", **environment}
    ) as process:
        os.close(follower)
        out = b""
        try:
            while chunk := os.read(leader, 65536):
                out += chunk
        except OSError:
            pass  # the other side is closed
    os.close(leader)
    return process.returncode, out.decode()


def test_options():
    write(gnt_bytes(NAME, encode(events())[0]))
    names = lambda *options: [line.split()[7] for line in gnomon("report", "--flat", *options, PATH).stdout.splitlines()[2:6]]
    assert names("--sort", "name") == ["alpha", "beta", "helper", "helper"]
    for key in ("self", "total", "calls", "average", "min", "max", "lost"):
        assert gnomon("report", "--sort", key, PATH).returncode == 0
    assert gnomon("report", "--sort", "beauty", PATH).returncode == 2
    run = gnomon("report", "--flat", "-n", "1", PATH)
    assert "[3 more functions]" in run.stdout and run.stdout.count("program.S") + run.stdout.count("other.c") == 1
    run = gnomon("report", "--function", "helper", PATH)
    assert "alpha" not in run.stdout and run.stdout.count("helper") == 4, run.stdout
    assert gnomon("report", "--function", "nobody", PATH).returncode == 1
    assert "Call graph" not in gnomon("report", "--flat", PATH).stdout
    assert gnomon("report", "--graph", PATH).stdout.startswith("Call graph")
    assert gnomon("report", "-i", PATH).stdout == gnomon("report", PATH).stdout
    assert len(gnomon("dump", "-n", "5", PATH).stdout.splitlines()) == 6
    raw = gnomon("dump", "--raw", "--json", PATH).stdout.splitlines()
    assert [json.loads(line)["sequence"] for line in raw] == list(range(len(raw)))
    assert gnomon("dump", "--raw", PATH).stdout.startswith("frame 0: magic 4e47 version 1 hart 0 sequence 0 cycle 0")
    # Colours and pager only on a terminal.
    assert "\033" not in gnomon("report", PATH).stdout
    assert "\033" in gnomon("report", "--color=always", PATH).stdout
    status, out = on_terminal("report", PATH, PAGER="sed s/^/PAGED/")
    assert status == 0 and "PAGED#" in out and "\033[" in out, out
    status, out = on_terminal("report", PATH, GNOMON_PAGER="sed s/^/OURS/", PAGER="sed s/^/PAGED/")
    assert status == 0 and "OURS#" in out and "PAGED" not in out, out
    status, out = on_terminal("report", PATH, PAGER="kill -INT $PPID; sed s/^/PAGED/")  # Ctrl-C in the pager
    assert status == 0 and "PAGED#" in out, (status, out)
    for pager in ("", "cat"):
        status, out = on_terminal("report", PATH, PAGER=pager, NO_COLOR="1")
        assert status == 0 and "PAGED" not in out and "\033[" not in out, out


def test_width():
    """On a terminal no line is wider than the terminal: names are shortened in the middle, columns are left out; in
    a file all is complete."""
    cycles = 10**9
    calls = [(0, "begin", 0x10000000), (10, "enter", 0), (20, "enter", 1), (20 + cycles, "trap_enter", 39), (30 + cycles, "trap_leave"),
             (40 + cycles, "exit", 1), (50 + cycles, "exit", 0), (2 * cycles, "end", 0, 10**12, 6, 0, 0)]
    long = "/a/path/to/a/program/whose/name/is/rather/long/for/a/terminal/of/eighty/columns.elf"
    write(gnt_bytes({**NAME, "device": {"address": "usbip:a-machine-in-the-laboratory:3240"}, "elf": {"path": long}}, encode(calls)[0]))
    whole = gnomon("report", "--elf", ELF, PATH).stdout
    assert "1,000,000,010" in whole and "min" in whole.splitlines()[1] and "..." not in whole, whole
    for width in (80, 60, 132):
        for command in (["report", "--flat"], ["dump"], *[["report"], ["report", "--histogram"]] * (width >= 80)):
            status, out = on_terminal(*command, "--elf", ELF, PATH, width=width, PAGER="", NO_COLOR="1")
            longest = max(out.splitlines(), key=len)
            assert status == 0 and len(longest) <= width, f"{command}: {len(longest)} of {width} columns: {longest}"
    status, out = on_terminal("report", "--flat", "--elf", ELF, PATH, PAGER="", NO_COLOR="1")
    assert "self" in out and "min" not in out, f"of the columns the shortest call leaves first: {out}"
    status, out = on_terminal("report", "--flat", "--elf", ELF, PATH, width=132, PAGER="", NO_COLOR="1")
    assert "min" in out and "program.S" in out, out
    piped = gnomon("report", "--elf", ELF, PATH, env={**os.environ, "COLUMNS": "40"}).stdout
    assert piped == whole, piped


def test_global_options():
    """Common options may stand before the command."""
    write(gnt_bytes(NAME, encode(events())[0]))
    want = gnomon("report", "--json", "-i", PATH).stdout
    assert gnomon("--json", "-i", PATH, "report").stdout == want
    assert gnomon("-q", "--json", "report", "-i", PATH).stdout == want
    run = gnomon("-d", "sim:full", "report", PATH)
    assert run.returncode == 2 and "report: unknown option -d" in run.stderr, run.stderr
    run = gnomon("-d", "sim:full", "cc", "-c", "x.c")
    assert run.returncode == 2 and "no option before its name" in run.stderr, run.stderr
    run = gnomon("-d", "sim:full")
    assert run.returncode == 2 and "missing operand: COMMAND" in run.stderr, run.stderr


def test_text():
    """Tests the printed text of one small run."""
    run = [(0, "begin", 0x10000000), (10, "enter", 0), (30, "enter", 1), (70, "trap_enter", 39), (75, "enter", 3)]
    run += [(80, "exit", 3), (85, "trap_leave"), (90, "exit", 1), (100, "exit", 0), (110, "end", 0, 60, 8, 0, 0)]
    write(gnt_bytes(NAME, encode(run)[0]))
    want = """\
# program.elf on sim:test, 110 cycles = 1.833e-06 s at 60 MHz, counted exactly, nothing lost
  self %  self  total  calls  cyc/call  min  max  function       where
    40.9    45     45      1        45   45   45  beta           program.S:23
    27.3    30     75      1        75   75   75  alpha          program.S:22
     9.1    10     15      1        15   15   15  [interrupt 7]
     4.5     5      5      1         5    5    5  helper         program.S:24
    18.2    20                                    [unprofiled: no profiled function was open]

Call graph: callers above each function, callees below, cycles of these calls.
place          calls           self          total  function
                   1             30             75      <outside>
[1]                1             30             75  alpha  (program.S:22)
                   1             45             45      beta [2]
------------------------------------------------------------------------
                   1             45             45      alpha [1]
[2]                1             45             45  beta  (program.S:23)
------------------------------------------------------------------------
                   1             10             15      <hardware>
[3]                1             10             15  [interrupt 7]
                   1              5              5      helper [4]
------------------------------------------------------------------------
                   1              5              5      [interrupt 7] [3]
[4]                1              5              5  helper  (program.S:24)
------------------------------------------------------------------------
"""
    got = gnomon("report", PATH).stdout
    assert got == want, got
    want = """\
       cycle      delta  thread  event
           0          0       0  begin at 0x10000000
          10         10       0  > alpha  program.S:22
          30         20       0    > beta  program.S:23
          70         40       0      > [interrupt 7]
          75          5       0        > helper  program.S:24
          80          5       0        < helper
          85          5       0      < [interrupt 7]
          90          5       0    < beta
         100         10       0  < alpha
         110         10       0  end: the program ended with status 0, 60 instructions, 8 events produced, 0 lost
"""
    got = gnomon("dump", PATH).stdout
    assert got == want, got


def main():
    assert zlib.crc32(b"123456789") == 0xCBF43926
    for test in (test_cut, test_damaged, test_numbers, test_modules, test_accounts, test_records, test_ends, test_instructions, test_buckets, test_no_file, test_options, test_width, test_global_options, test_text):
        test()
    print("cut and damaged files, accounts that differ, options, texts: as documented")


if __name__ == "__main__":
    main()
