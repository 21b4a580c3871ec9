#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests records in memory (gnomon cc --gnomon-records) on the simulated board.

Exact tests: hooks send each event with its time (GNOMON_RECORDS_TRACE), and a model of plain lists computes the
records. Tests against the simulator's oracle, which does not use hooks: calls exactly, self cycles within the cost
of a hook.

usage: test_records.py --out FOLDER --traced FIRMWARE_FOLDER --zlib SOURCE_FOLDER --text FILE [--deep]"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

import image
from checking import check, result
from commands import FAST
from memory_records import UNPROFILED, Arc, Record, Records
from options import parser

HERE = pathlib.Path(__file__).parent
PROGRAMS = HERE / "records"
E2E = HERE.parent / "e2e" / "programs"
# from firmware/runtime/records/records.h
TRACE = {int(m[2]): m[1] for m in re.finditer(
    r"#define TRACE_(\w+) (\d+)", pathlib.Path("firmware/runtime/records/records.h").read_text(encoding="utf-8"))}
# Cycles of the hooks of a call which the oracle counts to the function and the record counts to the caller
# (docs/guide/firmware.md), and the spread by mispredictions.
SHIFT, SPREAD = 37, 3


class Context:
    """A thread or an interrupt. Its clock is `away` late; frames are [number, sp, entered, cycles of callees]."""

    def __init__(self, away, place, begin=0):
        self.frames, self.away, self.place, self.begin, self.own = [], away, place, begin, 0


class Model:
    def __init__(self):
        self.calls = (collections.Counter(), collections.Counter())
        self.self_cycles = (collections.Counter(), collections.Counter())
        self.total = (collections.Counter(), collections.Counter())
        self.arcs, self.arc_self, self.arc_total, self.lengths = ({}, {}), *((collections.Counter(), collections.Counter()) for _ in "12"), ({}, {})
        self.threads, self.traps, self.dropped, self.without_exit, self.interrupt_cycles, self.left = {}, [], 0, 0, 0, None

    def context(self):
        return self.traps[-1] if self.traps else self.threads[self.thread]

    def close(self, context, own):
        number, _, entered, callees = context.frames.pop()
        took = own - entered
        callers = [UNPROFILED] + [frame[0] for frame in context.frames]
        arc = callers[-1], number
        if arc not in zip(callers, callers[1:]):
            self.arc_total[context.place][arc] += took
        self.arc_self[context.place][arc] += took - callees
        bucket = max(min(took.bit_length(), 32) - 1, 0)
        self.lengths[context.place].setdefault(number, collections.Counter())[bucket] += 1
        self.self_cycles[context.place][number] += took - callees
        if all(frame[0] != number for frame in context.frames):
            self.total[context.place][number] += took
        if context.frames:
            context.frames[-1][3] += took

    def enter(self, number, sp, now):
        context = self.context()
        self.calls[context.place][number] += 1
        self.arcs[context.place].setdefault((context.frames[-1][0] if context.frames else UNPROFILED, number), [0])[0] += 1
        context.frames.append([number, sp, now - context.away, 0])

    def dead(self, sp, now):
        context = self.context()
        while context.frames and context.frames[-1][1] < sp:
            self.close(context, now - context.away)
            self.without_exit += 1

    def leave(self, sp, now):
        self.dead(sp, now)
        context = self.context()
        if context.frames and context.frames[-1][1] == sp:
            self.close(context, now - context.away)

    def begin(self, now):
        self.thread, self.threads = 0, {0: Context(now, 0)}

    def change(self, thread, now):
        old = self.context()
        old.own = now - old.away
        new = self.threads.setdefault(thread, Context(now, 0))
        new.away = now - new.own
        self.thread = thread

    def trap(self, number, now):
        self.traps.append(Context(self.context().away, 1, now))
        self.enter(number, 1 << 32, now)

    def untrap(self, now):
        context = self.context()
        while context.frames:
            self.close(context, now - context.away)
        self.traps.pop()
        # The clock of the interrupted context stood still.
        self.context().away += now - context.begin
        if not self.traps:
            self.interrupt_cycles += now - context.begin

    def end(self, now):
        self.context().own = now - self.context().away
        self.left = [(thread, c.own - frame[2], frame[0]) for thread, c in sorted(self.threads.items()) for frame in c.frames]
        for context in self.threads.values():
            while context.frames:
                self.close(context, context.own)


def replay(lines):
    """Returns the model's result for the messages."""
    model, words, events = Model(), {}, []
    for line in lines:
        event = json.loads(line)
        if event.get("event") == "lost":
            raise ValueError("messages were lost")
        what = TRACE.get(event["number"]) if event.get("event") == "channel" else None
        if what in ("LOW", "HIGH", "SP"):
            words[what] = event["value"]
        elif what:
            if what == "LEAVE_SLOW" and events and events[-1][:2] == ("LEAVE", event["value"]):
                events.pop()
            events.append((what, event["value"], words.get("SP"), words.get("HIGH", 0) << 32 | words.get("LOW", 0)))
    counts = collections.Counter(event[0] for event in events)
    for what, value, sp, now in events:
        if what == "ENTER":
            model.enter(0xFFFFFFFF - value, sp, now)
        elif what in ("LEAVE", "LEAVE_SLOW"):
            model.leave(value, now)
        elif what == "TRAP":
            model.trap(0xFFFFFFFF - value, now)
        elif what == "DROP":
            model.dropped += 1
        else:
            {"BEGIN": lambda v, n: model.begin(n), "END": lambda v, n: model.end(n), "DEAD": model.dead, "THREAD": model.change,
             "UNTRAP": lambda v, n: model.untrap(n)}[what](value, now)
    return model, counts


def compare(model, got):
    errors = []

    def same(what, expected, found):
        if expected != found:
            errors.append(f"{what}: {found}, not {expected}")
    for place in (0, 1):
        expected = {n: Record(model.calls[place][n], model.self_cycles[place][n], model.total[place][n]) for n in model.calls[place]}
        for number in sorted(set(expected) | set(got.records[place])):
            same(f"number {number}{' in interrupts' * place}", expected.get(number), got.records[place].get(number))
    for place in (0, 1) if got.graph else ():
        expected = {arc: Arc(calls[0], model.arc_self[place][arc], model.arc_total[place][arc]) for arc, calls in model.arcs[place].items()}
        found = {(caller[1], callee[1]): arc for (caller, callee), arc in got.arcs[place].items()}
        for arc in sorted(set(found) | set(() if got.arcless else expected)):
            same(f"arc {arc}{' in interrupts' * place}", expected.get(arc), found.get(arc))
        if place == 0:
            same("calls without an arc", sum(calls for (calls, *_) in expected.values()) - sum(calls for (calls, *_) in found.values()), got.arcless)
        for number in model.calls[place]:
            same(f"lengths of {number}", dict(model.lengths[place].get(number, {})), got.lengths[place].get((0, number)))
    same("dropped", model.dropped, got.dropped)
    same("dropped other", 0, got.dropped_other)
    same("without exit", model.without_exit, got.left)
    same("open", sorted(model.left), sorted((o.thread, o.cycles, o.number) for o in got.open))
    same("thread cycles", sum(c.own for c in model.threads.values()), got.thread_cycles)
    same("interrupt cycles", model.interrupt_cycles, got.interrupt_cycles)
    for place in (0, 1):
        same(f"covered {place}", sum(model.self_cycles[place].values()), got.covered[place])
    return errors


class Bench:
    def __init__(self, work, traced):
        self.work, self.traced = work, traced

    def compile(self, source, mode, level, traced, more=()):
        elf = self.work / f"{source.stem}-{mode}{level}{'-traced' * traced}.elf"
        environment = dict(os.environ, **({"GNOMON_FIRMWARE": str(self.traced)} if traced else {}))
        subprocess.run(["gnomon", "cc", f"--gnomon-records={mode}", level, "-g", "-Wall", "-Wextra", "-Werror", "-o", elf, source, *more],
                       check=True, env=environment)
        return elf

    def record(self, elf, arguments, *options):
        """Returns the recording and the records."""
        trace, records = elf.with_suffix(".gnt"), elf.with_suffix(".records")
        records.unlink(missing_ok=True)
        done = subprocess.run(
            ["gnomon", "record", "-q", "-d", "sim:full", "--get", f"gnomon.records={records}", "-o", trace, *FAST, *options, elf, "--", *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ValueError(f"{elf}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return trace, Records(records.read_bytes())

    def exact(self, source, arguments, mode, level, wants, more=()):
        """`wants`: events that must occur, so that the test is not empty."""
        name = f"exact {source.stem} {' '.join(arguments)} {mode} {level}"
        try:
            trace, got = self.record(self.compile(source, mode, level, True, more), arguments)
            dump = subprocess.run(["gnomon", "dump", "-i", trace, "--json"], capture_output=True, text=True, check=True).stdout
            model, counts = replay(dump.splitlines())
            counts["ARCLESS"] = got.arcless
            if not counts["END"]:
                raise ValueError(f"no end among {dict(counts)}")
            errors = compare(model, got)
            errors += [f"no {want} among {dict(counts)}" for want in wants if not counts[want]]
            name += f": {counts['ENTER'] + counts['TRAP']} calls, {counts['TRAP']} of interrupts, {counts['LEAVE_SLOW']} slow exits"
        except (ValueError, subprocess.CalledProcessError) as error:
            errors = [str(error)]
        check(name, errors)

    def oracle(self, source, arguments, mode, level, leaves=(), more=()):
        name = f"oracle {source.stem} {' '.join(arguments)} {mode} {level}"
        elf = self.compile(source, mode, level, False, more)
        path = elf.with_suffix(".oracle.json")
        path.unlink(missing_ok=True)
        try:
            _, got = self.record(elf, arguments, "--sim-option", "--oracle", "--sim-option", f"{elf}={path}")
        except ValueError as error:
            check(name, [str(error)])
            return
        numbers = image.Image(elf).number_of
        errors, shifts, dropped = [], [], 0
        known = {numbers[f["address"]]: f for f in json.loads(path.read_text(encoding="utf-8"))["functions"]
                 if f["address"] in numbers}
        for number in sorted(set(known) | set(got.records[0]) | set(got.records[1])):
            expected, found = known.get(number, {"name": f"number {number}", "calls": 0, "self_cycles": 0}), got.both(number)
            # An interrupt that hits a hook comes twice, and counts as one call.
            missing = 0 if expected["name"].endswith("_interrupt") else expected["calls"] - found.calls
            dropped += missing
            if missing < 0 or missing > got.dropped or found.calls > expected["calls"]:
                errors.append(f"{expected['name']}: {found.calls} calls, not {expected['calls']}")
            if expected["name"] in leaves:
                each = (expected["self_cycles"] - found.self) / found.calls
                shifts.append(f"{expected['name']} {each:.1f}")
                if abs(each - SHIFT) > SPREAD:
                    errors.append(f"{expected['name']}: {each:.1f} cycles a call less than the oracle, not {SHIFT}")
        if dropped != got.dropped:
            errors.append(f"{dropped} calls are missing, {got.dropped} were dropped")
        if len(shifts) != len(leaves):
            errors.append(f"not all there: {shifts}")
        check(": ".join([name] + [", ".join(shifts)] * bool(shifts)), errors)


    def report(self, source, arguments, kind):
        """Returns `gnomon report`'s figures of the file, by name, threads and interrupts together."""
        elf = self.compile(source, kind, "-O2", False)
        path = elf.with_suffix(".records")
        _, got = self.record(elf, arguments)
        done = subprocess.run(["gnomon", "report", "--json", "--elf", elf, path], capture_output=True, text=True, check=False)
        name = f"report {source.stem} {' '.join(arguments)} {kind}"
        if done.returncode != 0:
            check(name, [done.stderr])
            return
        said = json.loads(done.stdout)
        names = {number: f.name for f in image.Image(elf).functions if (number := image.Image(elf).number_of.get(f.start)) is not None}
        expected = {names[number]: got.both(number) for place in got.records for number in place}
        found = {f["name"]: Record(f["calls"], f["self_cycles"], f["total_cycles"]) for f in said["functions"]}
        errors = [f"{key}: {found.get(key)}, not {expected.get(key)}" for key in sorted(set(expected) | set(found)) if found.get(key) != expected.get(key)]
        if said["cycles"] - said["unprofiled_cycles"] != sum(got.covered):
            errors.append(f"{said['cycles']} cycles, {said['unprofiled_cycles']} outside, not {got.covered} in functions")
        callers = collections.Counter()
        for arc in said["arcs"]:
            callers[said["functions"][arc["callee"]]["name"]] += arc["calls"]
        if callers != {key: record.calls for key, record in expected.items() if got.graph}:
            errors.append(f"calls of arcs: {callers}")
        check(f"{name}: {len(found)} functions, {len(said['arcs'])} pairs", errors)


def main():
    options = parser(__doc__, "out", "traced", "zlib", "text")
    options.add_argument("--deep", action="store_true")
    given = options.parse_args()
    work, traced, zlib = pathlib.Path(given.out), pathlib.Path(given.traced).resolve(), pathlib.Path(given.zlib)
    work.mkdir(parents=True, exist_ok=True)
    bench = Bench(work, traced)
    interrupts, storm = E2E / "interrupts.c", E2E / "storm.c"
    longjmp, threads, rounds, deep, far = (PROGRAMS / f"{name}.c" for name in ("longjmp", "threads", "rounds", "deep", "far"))
    bench.exact(interrupts, ["1009"], "array", "-O2", ["TRAP"])
    bench.exact(interrupts, ["1501"], "pointers", "-O0", ["TRAP"])
    bench.exact(longjmp, ["1511"], "pointers", "-O2", ["LEAVE_SLOW", "TRAP", "DEAD"])
    bench.exact(threads, ["2003"], "pointers", "-O2", ["THREAD", "TRAP"])
    bench.exact(rounds, ["1777"], "array", "-O2", ["LEAVE_SLOW", "TRAP"])
    bench.exact(deep, ["300"], "array", "-O2", ["DROP"])
    bench.exact(longjmp, ["1511"], "pointers,graph", "-O2", ["LEAVE_SLOW", "TRAP", "DEAD"])
    bench.exact(threads, ["3001", "1"], "pointers,graph", "-O2", ["THREAD", "TRAP"])
    bench.exact(PROGRAMS / "full.c", [], "array,graph", "-O2", ["ARCLESS"])
    bench.oracle(interrupts, ["1009"], "pointers", "-O2")
    bench.oracle(storm, ["3"], "array", "-O2", ["leaf"])
    bench.oracle(threads, ["3001", "1"], "array", "-O2")
    bench.oracle(far, [], "pointers", "-O0")
    if given.deep:
        for source, arguments, wants in ((interrupts, ["0"], []), (longjmp, ["0"], ["LEAVE_SLOW", "DEAD"]), (threads, ["0"], ["THREAD"]),
                                         (threads, ["3001", "1"], ["THREAD", "TRAP"]), (rounds, ["0"], ["LEAVE_SLOW"])):
            bench.exact(source, arguments, "array", "-O2", wants)
        for source, arguments, kind, wants in ((interrupts, ["1501"], "array", ["TRAP"]), (threads, ["2003"], "array", ["THREAD", "TRAP"]),
                                               (rounds, ["1777"], "pointers", ["LEAVE_SLOW", "TRAP"]), (deep, ["300"], "array", ["DROP"])):
            bench.exact(source, arguments, f"{kind},graph", "-O2", wants)
        bench.oracle(interrupts, ["0"], "array", "-O2", ["collatz", "odd", "even", "by_value"])
        bench.oracle(longjmp, ["1511"], "array", "-O2")
        bench.oracle(far, [], "array", "-O2")
    parts = "adler32 crc32 deflate trees inflate inftrees inffast zutil compress uncompr".split()
    bench.oracle(pathlib.Path("firmware/apps/roundtrip.c"), [given.text, str(work / "zlib.out")], "array,graph", "-O2",
                 more=["-isystem", zlib, "-Wno-error", "-w", *(zlib / f"{part}.c" for part in parts)])
    bench.report(interrupts, ["1501"], "array")
    bench.report(threads, ["3001", "1"], "pointers,graph")
    return result()


if __name__ == "__main__":
    sys.exit(main())
