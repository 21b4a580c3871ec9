#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`gnomon report` of runs on two harts: random threads that go from hart to hart in the middle of their calls, whole and with damage.

usage: test_harts.py --gnomon COMMAND --elf FILE --out FOLDER --seeds COUNT"""
import collections
import json
import random
import sys

import gnomon_trace as gt
from checking import expect, result, same
from commands import must, run
from gnt_encoder import encode_harts, gnt_bytes
from options import values

GNOMON, ELF, OUT, SEEDS = values(__doc__, "gnomon", "elf", "out", "seeds")
HARTS, THREAD, FUNCTIONS = 2, 1, 6
CONTEXT = 0x10000  # the number of what hart 1 does before its first THREAD
NAMES = {"threads": [[0, None, 0], [1, "idle", 0], [2, "idle 1", 0], [3, "worker", 0]], "locks": [], "threads_refused": 0, "locks_refused": 0}


class Run:
    """Threads call functions; a scheduler moves them between harts. Keeps what report must show."""

    def __init__(self, seed, length, threads=5, apart=False):
        """`apart`: no hart changes its thread, and each has functions of its own."""
        self.random = random.Random(seed)
        self.stacks = collections.defaultdict(list)  # of each thread: [function, its thread's own clock at the call]
        self.own = collections.Counter()  # cycles of each thread
        self.self, self.total, self.calls, self.arcs = (collections.Counter() for _ in range(4))
        self.unprofiled = collections.Counter()
        self.running = [0, CONTEXT]
        self.since = [0, 0]  # up to here the hart's cycles are credited
        self.events = [[(0, "begin", 0)], [(0, "begin", 0)]]
        self.ready = [] if apart else [2, *range(3, 3 + threads)]
        self.apart = apart
        self.now = 10
        for _ in range(length):
            self.now += self.random.choice([0, 1, 1, 3, 20, 900])
            self.step(self.random.randrange(HARTS))
        self.now += 7
        for hart in range(HARTS):
            self.credit(hart)
            self.put(hart, "end", 0, 100 + hart, len(self.events[hart]) - 1, 0, hart)
        for thread, stack in self.stacks.items():
            while stack:
                self.close(thread)

    def put(self, hart, *event):
        self.events[hart].append((self.now, *event))

    def credit(self, hart):
        thread, passed = self.running[hart], self.now - self.since[hart]
        stack = self.stacks[thread]
        if stack:
            self.self[stack[-1][0]] += passed
        else:
            self.unprofiled[thread] += passed
        self.own[thread] += passed
        self.since[hart] = self.now

    def close(self, thread):
        stack = self.stacks[thread]
        function, began = stack.pop()
        if all(other != function for other, _ in stack):
            self.total[function] += self.own[thread] - began

    def step(self, hart):
        self.credit(hart)
        thread = self.running[hart]
        what = self.random.random()
        if what < 0.15 and self.ready:
            self.switch(hart)
        elif what < 0.6 and len(self.stacks[thread]) < 12:
            number = hart + 2 * self.random.randrange(FUNCTIONS // 2) if self.apart else self.random.randrange(FUNCTIONS)
            self.arcs[self.stacks[thread][-1][0] if self.stacks[thread] else None, number] += 1
            self.stacks[thread].append((number, self.own[thread]))
            self.calls[number] += 1
            self.put(hart, "enter", number)
        elif self.stacks[thread]:
            number = self.stacks[thread][-1][0]
            self.close(thread)
            self.put(hart, "exit", number)

    def switch(self, hart):
        """Another hart can take the thread that leaves one cycle later, at the earliest."""
        mine = self.running[hart]
        self.running[hart] = self.ready.pop(self.random.randrange(len(self.ready)))
        self.put(hart, "channel", THREAD, self.running[hart])
        if mine != CONTEXT:
            self.ready.append(mine)
        self.now += 1


def write(name, frames, **more):
    device = {"address": "sim:test", "stack_entries": 256, "harts": HARTS}
    path = f"{OUT}/harts-{name}.gnt"
    with open(path, "wb") as file:
        file.write(gnt_bytes({"device": device, "clock_hz": 60000000, "elf": {"path": ELF}}, frames, locks=NAMES, other_hart=True, **more))
    return path


def report(path, *options, status=0):
    return json.loads(must([GNOMON, "report", "--json", *options, path], status=status))


def check_run(seed):
    model = Run(seed, 1500)
    frames = encode_harts(model.events, 256, random.Random(seed).randrange)
    path = write(f"whole-{seed}", frames)
    shown, name = report(path), f"seed {seed}"
    same(f"{name}: functions", {f["number"]: (f["calls"], f["self_cycles"], f["total_cycles"]) for f in shown["functions"]},
         {n: (model.calls[n], model.self[n], model.total[n]) for n in model.calls})
    functions = [f["number"] for f in shown["functions"]]
    same(f"{name}: arcs", {(None if a["caller"] is None else functions[a["caller"]], functions[a["callee"]]): a["calls"] for a in shown["arcs"]}, dict(model.arcs))
    same(f"{name}: threads", {t["thread"]: t["cycles"] for t in shown["threads"] if t["cycles"]}, {t: c for t, c in model.own.items() if c})
    same(f"{name}: cycles", (shown["cycles"], sum(t["cycles"] for t in shown["threads"]), [h["cycles"] for h in shown["harts"]], shown["run_cycles"]),
         (2 * model.now, 2 * model.now, [model.now, model.now], model.now))
    same(f"{name}: instructions", (shown["instructions"], [h["instructions"] for h in shown["harts"]]), (201, [100, 101]))
    same(f"{name}: unprofiled", shown["unprofiled_cycles"], sum(model.unprofiled.values()))
    same(f"{name}: exact", (shown["exact"], shown["reasons"], shown["unbalanced_exits"]), (True, [], 0))
    for thread in (0, 3):
        one = report(path, "--thread", str(thread))
        others = next((f for f in one["functions"] if f["name"] == "[other threads]"), {"self_cycles": 0})
        same(f"{name}: --thread {thread}", one["cycles"] - others["self_cycles"], model.own[thread])
        same(f"{name}: --thread {thread}: unprofiled", one["unprofiled_cycles"], model.unprofiled[thread])
    check_damage(seed, frames, model)


def check_damage(seed, frames, model):
    """Whatever is missing or wrong, all cycles have a place, and report says what is missing."""
    rng = random.Random(seed)
    mine = [at for at, frame in enumerate(frames) if frame[gt.FRAME_AT_HART] == seed % HARTS]
    gone = rng.choice(mine[1:-1])
    missing = write(f"missing-{seed}", frames[:gone] + frames[gone + 1:])
    shown = report(missing)
    reasons = {reason["id"]: reason["text"] for reason in shown["reasons"]}
    expect(f"seed {seed}: says which hart's frame is missing", f"1 frame of the trace of hart {seed % HARTS} did not arrive" in reasons.get("frames-lost", ""), reasons)
    same(f"seed {seed}: cycles with a missing frame", (shown["cycles"], sum(t["cycles"] for t in shown["threads"]) <= shown["cycles"]), (2 * model.now, True))
    lost = sum(f["self_cycles"] for f in shown["functions"]) + shown["lost_cycles"] + shown["unprofiled_cycles"]
    same(f"seed {seed}: each cycle has a place", lost, shown["cycles"])
    for name, at in (("magic", 0), ("version", gt.FRAME_AT_VERSION), ("hart", gt.FRAME_AT_HART)):
        bad = bytearray(frames[gone])
        bad[at] ^= 0x40
        shown = report(write(f"{name}-{seed}", frames[:gone] + [bytes(bad)] + frames[gone + 1:]), status=1)
        same(f"seed {seed}: a bad {name}", (shown["damaged_frames"], shown["lost_frames"], shown["cycles"]), (1, 0, 2 * model.now))
    moved = bytearray(frames[gone])
    moved[gt.FRAME_AT_HART] ^= 1  # a frame that says that it is the other hart's
    report(write(f"moved-{seed}", frames[:gone] + [bytes(moved)] + frames[gone + 1:]), status=1)
    cut = write(f"cut-{seed}", [frame for at, frame in enumerate(frames) if at != mine[-1]])
    reasons = {reason["id"]: reason["text"] for reason in report(cut)["reasons"]}
    expect(f"seed {seed}: says which hart has no end", f"the trace of hart {seed % HARTS} stops before" in reasons.get("no-end", ""), reasons)


def check_apart(seed):
    """What one hart loses changes nothing of the other's functions."""
    frames = encode_harts(Run(seed, 1500, apart=True).events, 256, random.Random(seed).randrange)
    lossy = seed % HARTS
    gone = random.Random(seed).choice([at for at, frame in enumerate(frames) if frame[gt.FRAME_AT_HART] == lossy][1:-1])
    bad = bytes([frames[gone][0] ^ 0x40]) + frames[gone][1:]
    mine = []
    for some, status in ((frames, 0), (frames[:gone] + frames[gone + 1:], 0), (frames[:gone] + [bad] + frames[gone + 1:], 1)):
        shown = report(write(f"apart-{seed}", some), status=status)
        mine.append({f["number"]: (f["calls"], f["self_cycles"], f["total_cycles"], f["min_cycles"], f["max_cycles"])
                     for f in shown["functions"] if f.get("number", lossy) % HARTS != lossy})
        same(f"seed {seed}: threads of harts that do not change theirs", {t["thread"] for t in shown["threads"]}, {0, CONTEXT})
    same(f"seed {seed}: functions of the hart without loss", mine[1:], [mine[0]] * 2)


def check_text():
    model = Run(3, 400)
    path = write("text", encode_harts(model.events))
    said = " ".join(must([GNOMON, "report", "--threads", path]).split())
    expect("the first line", f"of both harts added (hart 0: {model.now:,}, hart 1: {model.now:,})" in said, said[:300])
    expect("the row of hart 1", "65536 hart 1" in said, said)
    for hart in "01":
        said = run([GNOMON, "report", "--flat", "--hart", hart, path]).stdout
        expect(f"--hart {hart}", f"hart {hart} only" in " ".join(said.split()), said[:300])
    for option in ("2", "-1", "x", ""):
        done = run([GNOMON, "report", "--hart", option, path])
        expect(f"--hart {option!r}", done.returncode in (1, 2) and not done.stdout, done.returncode, done.stderr)
    for command, takes in ((["dump"], "a number or both"), (["report"], "a number"), (["export", "--to", "folded"], "a number")):
        done = run([GNOMON, *command, "--hart", "x", path])
        expect(f"{command} --hart x", done.returncode in (1, 2) and f"--hart takes {takes}, not \"x\"" in done.stderr, done.returncode, done.stderr)


def check_twice():
    """A thread on both harts at once: the program numbers its threads wrongly."""
    both = [[(0, "begin", 0), (10, "channel", THREAD, 3), (20, "enter", 1), (90, "exit", 1), (100, "end", 0, 10, 3, 0, 0)],
            [(0, "begin", 0), (30, "channel", THREAD, 3), (40, "enter", 2), (50, "exit", 2), (100, "end", 0, 10, 3, 0, 1)]]
    shown = report(write("twice", encode_harts(both)))
    same("a thread on both harts", [reason["id"] for reason in shown["reasons"]], ["thread-on-both-harts"])
    same("all cycles", (shown["cycles"], sum(t["cycles"] for t in shown["threads"])), (200, 200))


def check_one_hart():
    """Hart 1 was started, and its trace is not in the file; and it was not."""
    alone = encode_harts([[(0, "begin", 0), (10, "enter", 1), (90, "exit", 1), (100, "end", 0, 10, 2, 0, 0)]])
    shown = report(write("alone", alone))
    same("hart 0 only", ([reason["id"] for reason in shown["reasons"]], shown["cycles"]), (["other-hart"], 100))


def of_records(rows, size=2048, **more):
    """A hart's function records: rows of [number, calls, self, total, min, max, flags]."""
    return {"size": size, "aggregated": 4, "overflow": 0, "unbalanced": 0, "untracked": 0, "records": rows, "with_arcs": True,
            "arc_overflow": 0, "arcs": [], "bucketed": 0, "buckets": [], **more}


def check_records():
    """Records of both harts are added; those of one hart can be shown; what is missing or makes no sense is said."""
    none = 2048 - 64 + 31
    one = of_records([[1, 2, 60, 70, 20, 50, 0], [2, 1, 10, 10, 10, 10, 0], [none, 0, 30, 100, 2**36 - 1, 0, 0]], arcs=[[1, 2, 1, 10, 10, 0], [none, 1, 2, 60, 70, 0]])
    other = of_records([[1, 3, 40, 45, 5, 30, 0], [3, 1, 5, 5, 5, 5, 0], [none, 0, 55, 100, 2**36 - 1, 0, 0]], arcs=[[1, 3, 1, 5, 5, 0], [none, 1, 3, 40, 45, 0]])
    frames = encode_harts([[(0, "begin", 0), (100, "end", 0, 10, 4, 0, hart)] for hart in range(HARTS)])

    def made(records, **more):
        device = {"address": "sim:test", "stack_entries": 256, "harts": HARTS}
        header = {"device": device, "clock_hz": 60000000, "elf": {"path": ELF}, "records": True}
        with open(f"{OUT}/harts-records.gnt", "wb") as file:
            file.write(gnt_bytes(header, frames, records=records, other_hart=True, **more))
        return f"{OUT}/harts-records.gnt"

    def figures(shown):
        return {f["number"]: [f[key] for key in ("calls", "self_cycles", "total_cycles", "min_cycles", "max_cycles")] for f in shown["functions"]}
    path = made({**one, "hart1": other})
    both = report(path)
    same("records: functions", figures(both), {1: [5, 100, 115, 5, 50], 2: [1, 10, 10, 10, 10], 3: [1, 5, 5, 5, 5]})
    same("records: events that went into them, none lost", (both["received_events"], both["lost_events"]), (8, 0))
    same("records: unprofiled, exact", (both["unprofiled_cycles"], both["cycles"], both["exact"], both["reasons"]), (85, 200, True, []))
    numbers = [f["number"] for f in both["functions"]]
    same("records: arcs", {(None if a["caller"] is None else numbers[a["caller"]], numbers[a["callee"]]): (a["calls"], a["self_cycles"], a["total_cycles"]) for a in both["arcs"]},
         {(None, 1): (5, 100, 115), (1, 2): (1, 10, 10), (1, 3): (1, 5, 5)})
    for hart, want in ((0, {1: [2, 60, 70, 20, 50], 2: [1, 10, 10, 10, 10]}), (1, {1: [3, 40, 45, 5, 30], 3: [1, 5, 5, 5, 5]})):
        shown = report(path, "--hart", str(hart))
        same(f"records of hart {hart}", (figures(shown), shown["cycles"], [reason["id"] for reason in shown["reasons"]]), (want, 100, ["other-hart"]))
    shown = report(made({**one, "hart1": other}, moved_threads=2))
    same("threads that moved", (shown["exact"], [(reason["id"], reason["count"]) for reason in shown["reasons"]]), (False, [("threads-moved", 2)]))
    shown = report(made(one))
    same("no records of hart 1", (shown["exact"], [reason["id"] for reason in shown["reasons"]]), (False, ["no-records"]))
    for what, bad in (("another size", of_records([], size=1024)), ("no object", 7), ("a record twice", of_records([[1, 1, 1, 1, 1, 1, 0]] * 2))):
        done = run([GNOMON, "report", made({**one, "hart1": bad})])
        expect(f"records of hart 1: {what}", done.returncode == 1 and "records" in done.stderr and not done.stdout, done.returncode, done.stderr)


for number in range(int(SEEDS)):
    check_run(number)
    check_apart(number)
check_text()
check_twice()
check_one_hart()
check_records()
sys.exit(result())
