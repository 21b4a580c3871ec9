#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon export of time lines: what independent readers find in them equals gnomon report, gnomon locks and gnomon dump, difference 0: of
recordings, of random runs with losses, and of random histories of locks on two harts.

usage: test_export_events.py --gnomon COMMAND --fast COMMAND --elf FILE --out FOLDER --seeds COUNT [RECORDING...]
The format perfetto needs a Python that has Perfetto's descriptors (PyPI perfetto). --fast: a command without sanitizers, for time and memory."""
import collections
import json
import pathlib
import random
import sys

import event_readers
from checking import check, expect, result, same
from commands import must, run
from gnt_encoder import encode, encode_harts, gnt_bytes
from gnomon_trace import CHANNEL_MARK as MARK, CHANNEL_TEXT as TEXT, CHANNEL_THREAD as THREAD, CHANNEL_VALUE as VALUE, CHANNEL_VALUE_END as VALUE_END
from histories import ACQUIRED, events, History, Message, RELEASED, REQUEST
from options import values
from programs import Program

GNOMON, FAST, ELF, OUT, SEEDS, FORMATS, RECORDINGS = values(__doc__, "gnomon", "fast", "elf", "out", "seeds", "formats", rest="RECORDING", least=0)
GNOMON, OUT = pathlib.Path(GNOMON).resolve(), pathlib.Path(OUT)
FORMATS = FORMATS.split(",")  # of chrome, perfetto, speedscope
HARTS = 2
ADDRESSES = (0x00900000, 0x00900010, 0x0FFFFFFE)  # of functions instrumented by other compilers
LOST_FIELDS = "enters", "exits", "others", "cycles"


class Truth:
    """What gnomon's other commands say of a recording."""

    def __init__(self, recording, options=()):
        done = run([GNOMON, "report", "--json", *options, recording])
        self.status, self.report = done.returncode, json.loads(done.stdout)
        names = collections.Counter(f["name"] for f in self.report["functions"])
        self.functions = [f for f in self.report["functions"] if names[f["name"]] == 1 and f["name"] != "[other threads]"]
        done = run([GNOMON, "locks", "--json", recording])
        self.locks = json.loads(done.stdout) if done.stdout else None
        self.dump = [json.loads(text) for text in run([GNOMON, "dump", "--json", "--hart", "both", recording]).stdout.splitlines()]
        self.aside = {f["name"] for f in self.report["functions"] if f["name"].startswith("[unknown")}


def differences(what, got, want):
    wrong = {key: (got.get(key, 0), want.get(key, 0)) for key in {*got, *want} if got.get(key, 0) != want.get(key, 0)}
    return [f"{what}: {list(wrong.items())[:5]}"] if wrong else []


def check_functions(figures, truth, calls):
    errors = []
    for kind, key in (("self", "self_cycles"), ("total", "total_cycles"), ("calls", "calls")):
        want = {f["name"]: f[key] for f in truth.functions if calls or key != "calls" or f["calls"]}
        got = {name: getattr(figures, kind)[name] for name in want}
        errors += differences(kind, got, want)
    sums = {"self": sum(figures.self.values()), "lost": figures.lost, "unprofiled": figures.unprofiled}
    want = {"self": sum(f["self_cycles"] for f in truth.report["functions"]), "lost": truth.report["lost_cycles"], "unprofiled": truth.report["unprofiled_cycles"]}
    return errors + differences("sums", sums, want)


def check_thread(figures, truth):
    """With --thread: nothing of other threads."""
    names = [f["name"] for f in truth.functions]
    errors = differences("self", {name: figures.self[name] for name in names}, {f["name"]: f["self_cycles"] for f in truth.functions})
    want = sum(f["self_cycles"] for f in truth.report["functions"] if f["name"] != "[other threads]")
    return errors + differences("sum", {"self": sum(figures.self.values())}, {"self": want})


def check_threads(figures, truth):
    threads = truth.report["threads"]
    errors = differences("threads", figures.threads, {t["thread"]: t["cycles"] for t in threads})
    return errors + differences("traps", figures.traps, {t["thread"]: t["trap_cycles"] for t in threads})


def check_locks(figures, truth):
    """Each hold and each wait, by lock and by thread."""
    errors = []
    locks = truth.locks["locks"] if truth.locks else []
    for kind in ("hold", "wait"):
        lengths = collections.defaultdict(list)
        for (lock, _), some in figures.locks[kind].items():
            lengths[lock] += some
        got = {lock: (len(some), sum(some), max(some)) for lock, some in lengths.items()}
        errors += differences(kind, got, {lock["index"]: tuple(lock[kind][key] for key in ("count", "cycles", "max")) for lock in locks if lock[kind]["count"]})
        parts = {place: (len(some), sum(some)) for place, some in figures.locks[kind].items() if some}
        want = {(lock["index"], part["thread_index"]): (part[kind]["count"], part[kind]["cycles"])
                for lock in locks for part in lock["by_thread"] if part[kind]["count"]}
        errors += differences(f"{kind} by thread", parts, want)
    ends = collections.Counter()
    for key, kind in (("held_at_end", "hold"), ("waiting_at_end", "wait")):
        ends.update((at["lock_index"], kind) for at in (truth.locks or {key: []})[key])
    return errors + differences("without end", figures.open, ends)


def texts(dump):
    """Texts of the messages, by hart: words of four characters up to one with a 0."""
    found, open_text = [], {}
    for event in dump:
        hart = event.get("hart", 0)
        if event["event"] != "channel":
            continue
        if event["number"] == THREAD:
            open_text.pop(hart, None)
        if event["number"] == TEXT:
            word = event["value"].to_bytes(4, "little")
            open_text[hart] = open_text.get(hart, b"") + word.split(b"\0")[0]
            if 0 in word or len(open_text[hart]) > 236:
                found.append((event["cycle"], len(open_text.pop(hart))))
    return found


def check_messages(figures, truth):
    channels = [event for event in truth.dump if event["event"] == "channel"]
    marks = sorted((e["cycle"], f"mark {e['number'] - MARK}", e["value"]) for e in channels if MARK <= e["number"] < VALUE)
    got = sorted((cycle, name, arguments["value"]) for cycle, name, arguments in figures.messages if name != "text")
    errors = [] if got == marks else [f"marks: {got[:3]}, not {marks[:3]}"]
    counters = sorted((e["cycle"], e["number"] - VALUE, e["value"]) for e in channels if VALUE <= e["number"] < VALUE_END)
    errors += [] if sorted(figures.values) == counters else [f"values: {figures.values[:3]}, not {counters[:3]}"]
    said = sorted((cycle, len(arguments["text"].encode("latin-1", "replace"))) for cycle, name, arguments in figures.messages if name == "text")
    return errors + ([] if said == sorted(texts(truth.dump)) else [f"texts: {said[:3]}, not {texts(truth.dump)[:3]}"])


def check_losses(figures, truth):
    """X3: an instant for each loss, with its counts."""
    got = collections.Counter((name, *sorted(arguments.items())) for name, arguments in figures.losses)
    want = collections.Counter()
    for event in truth.dump:
        hart = ("hart", event.get("hart", 0))
        if event["event"] == "lost":
            fields = [(key, event[key]) for key in (*LOST_FIELDS, "bus") if key in event]
            want[("[dropped events]", *sorted([hart, *fields]))] += 1
        elif event["event"] == "gap":
            want[("[missing frames]", *sorted([hart, ("frames", event["frames"])]))] += 1
        elif event["event"] == "damage":
            want[("[damaged frame]", *sorted([hart, ("text", event["text"])]))] += 1
    return differences("losses", got, want)


def check_line(form, path, truth, one_thread):
    line = getattr(event_readers, form)(path)
    replay = event_readers.Replay(line)
    errors = line.odd[:3] + ([f"open at the end: {replay.left}"] if replay.left else [])
    errors += [] if (line.clock_hz, line.exact) == (truth.report["clock_hz"] or 0, truth.report["exact"]) else [f"clock or exact: {line.clock_hz}, {line.exact}"]
    if not one_thread:
        errors += check_functions(replay.figures, truth, True) + check_threads(replay.figures, truth)
        errors += check_locks(replay.figures, truth) + check_messages(replay.figures, truth)
    else:
        errors += check_thread(replay.figures, truth)
    return errors + check_losses(replay.figures, truth), line.remarks


def check_speedscope(path, truth, one_thread):
    """It has no categories: the frames of functions that are found open after a gap are not told from calls."""
    figures, remarks, odd = event_readers.speedscope(path)
    if one_thread:
        return odd[:3] + check_thread(figures, truth), remarks
    truth.functions = [f for f in truth.functions if f["name"] not in truth.aside]
    return odd[:3] + check_functions(figures, truth, True), remarks


def check_recording(recording, *options):
    truth = Truth(recording, options)
    for form in FORMATS:
        path = OUT / f"{recording.stem}.{form}"
        done = run([GNOMON, "export", "--to", form, "-o", path, *options, recording])
        errors = [] if done.returncode == truth.status else [f"status {done.returncode}: {done.stderr}"]
        one = bool(options)
        more, remarks = check_speedscope(path, truth, one) if form == "speedscope" else check_line(form, path, truth, one)
        errors += more + [f"remark missing: {reason['text']}" for reason in truth.report["reasons"] if reason["text"] not in remarks]
        unknown = sum(lock["holds_unknown"] + lock["waits_unknown"] + lock["contended_unknown"] for lock in (truth.locks or {"locks": []})["locks"])
        if form != "speedscope" and unknown and not any("waits are not known" in remark for remark in remarks):
            errors.append(f"does not say that {unknown} holds and waits are not known")
        check(f"{form}: {recording.stem}{' '.join(['', *options])}", errors)
        path.unlink()
    return truth


def write(name, frames, clock_hz=60000000, **more):
    path = OUT / f"{name}.gnt"
    device = {"address": "sim:test", "stack_entries": 256, "harts": HARTS if more.get("other_hart") else 1}  # of one hart, calls come many at a time
    path.write_bytes(gnt_bytes({"device": device, "clock_hz": clock_hz, "elf": {"path": ELF}}, frames, **more))
    return path


def other_threads(program):
    """The events of a program whose threads are not those of another one, so that it can run on hart 1."""
    return [(*event[:3], event[3] + 10) if event[1:3] == ("channel", THREAD) and event[3] < 10 else event for event in program.events if event[-1] != 70000]


def check_random(seed):
    """Calls, recursion, jumps, traps, threads, messages, losses; then with a missing frame, a damaged one, and without the end."""
    rng = random.Random(seed)
    clock_hz = rng.choice([0, 12000000, 16777216, 25000000, 47999983, 60000000, 499999999])
    program = Program(seed, length=rng.choice([5, 300, 900]), functions=rng.choice([3, 30]), loss=seed % 2 > 0, far=seed % 4 == 3, wild=False,
                      addresses=ADDRESSES if seed % 3 == 0 else ())
    frames, _ = encode(program.events, 256, rng.randrange)
    path = write(f"random-{seed}", frames, clock_hz)
    threads = check_recording(path).report["threads"]
    if len(threads) > 1:
        check_recording(path, "--thread", str(threads[-1]["thread"]))
    if len(frames) > 4:
        gone = rng.randrange(1, len(frames) - 1)
        check_recording(write(f"random-{seed}-missing", frames[:gone] + frames[gone + 1:], clock_hz))
        bad = bytes([frames[gone][0] ^ 0x40]) + frames[gone][1:]
        check_recording(write(f"random-{seed}-damaged", frames[:gone] + [bad] + frames[gone + 1:], clock_hz))
        cut = write(f"random-{seed}-cut", frames, clock_hz)
        cut.write_bytes(cut.read_bytes()[:rng.randrange(2000, 2000 + 512 * (len(frames) - 3))])
        check_recording(cut)


def check_harts(seed):
    """Two programs, on a hart each; then without a frame of one."""
    rng = random.Random(seed)
    streams = [Program(seed, length=400, functions=20, loss=seed % 2 > 0, far=False, wild=False).events,
               other_threads(Program(seed + 1000, length=400, functions=20, loss=seed % 3 > 0, far=False, wild=False))]
    frames = encode_harts(streams, 256, rng.randrange)
    check_recording(write(f"harts-{seed}", frames, other_hart=True))
    gone = rng.randrange(2, len(frames) - 2)
    check_recording(write(f"harts-{seed}-missing", frames[:gone] + frames[gone + 1:], other_hart=True))


def check_histories(seed):
    """Locks of threads that go from hart to hart, with and without losses."""
    rng, history = random.Random(seed), History(seed, 1200, threads=2 + seed % 4)
    at = collections.defaultdict(lambda: rng.randrange(HARTS))
    streams, losses, gone = ([], []), ({}, {}), 0
    for message in history.messages:
        if rng.random() < 0.1:
            at[message.thread] = rng.randrange(HARTS)
        hart = at[message.thread]
        gone = gone - 1 if gone else rng.choice([1, 2, 10]) if seed % 2 and rng.random() < 0.01 else 0
        if gone:
            losses[hart][len(streams[hart])] = losses[hart].get(len(streams[hart]), 0) + 1
        else:
            streams[hart].append(message)
    frames = encode_harts([events(streams[hart], losses[hart], history.cycle) for hart in range(HARTS)], 256, rng.randrange)
    truth = check_recording(write(f"locks-{seed}", frames, locks=history.tables(), other_hart=True))
    expect(f"history {seed} has holds and waits", sum(lock["hold"]["count"] > 0 and lock["wait"]["count"] > 0 for lock in truth.locks["locks"]) > 2)


def check_other_owner():
    """A lock that another thread than its owner releases: the hold is the owner's."""
    messages = [Message(cycle, thread, 3, what, 0x10000010) for cycle, thread, what in
                ((100, 1, ACQUIRED), (250, 2, RELEASED), (300, 2, REQUEST), (310, 2, ACQUIRED), (330, 1, REQUEST), (400, 2, RELEASED), (410, 1, ACQUIRED))]
    path = write("other-owner", encode(events(messages, {}, 500))[0], locks=History(1, 10).tables())
    truth = check_recording(path)
    same("other owner: holds and waits", [(lock["hold"]["cycles"], lock["wait"]["cycles"]) for lock in truth.locks["locks"]], [(240, 80)])


def check_texts():
    """With an unknown clock: texts of any length, in a thread and in its interrupt; one that another thread's run cuts off; one that is no UTF-8."""
    def words(text):
        padded = text + bytes(4 - len(text) % 4)
        return [int.from_bytes(padded[at:at + 4], "little") for at in range(0, len(padded), 4)]
    line, cycle = [(0, "begin", 0), (5, "enter", 3)], 10
    steps = [(b"hello",), (b"",), (b"four",), (b"x" * 239,), (b"y" * 240,), (b"z" * 500,), (b"\xff\x01\"\\",), ("trap_enter", 7), (b"inside",), ("trap_leave",)]
    for step in steps:
        sent = [("channel", TEXT, word) for word in words(step[0])] if isinstance(step[0], bytes) else [step]
        line += [(cycle := cycle + 1, *event) for event in sent]
    line += [(cycle + 1, "channel", TEXT, 0x41414141), (cycle + 2, "channel", THREAD, 2), (cycle + 3, "channel", TEXT, 0x42), (cycle + 4, "end", 0, 10, len(line) + 2, 0, 0)]
    path = write("texts", encode(line)[0], clock_hz=0)
    check_recording(path)
    done = run([GNOMON, "export", "--to", "chrome", "--thread", "9", "-o", OUT / "none", path])
    expect("a thread that has not run", done.returncode == 1 and "no thread named 9" in done.stderr and not (OUT / "none").exists(), done.returncode, done.stderr)
    want = ["hello", "", "four", "x" * 239, "y" * 240, "", "z" * 240, "z" * 240, "z" * 20, '??"\\', "inside", "B"]
    for form in [form for form in FORMATS if form != "speedscope"]:
        must([GNOMON, "export", "-q", "--to", form, "-o", OUT / "texts.line", path])
        lines = getattr(event_readers, form)(OUT / "texts.line")
        got = [(event.arguments["text"], lines.tracks[event.track].name) for event in lines.events if event.name == "text"]
        same(f"{form}: texts", got, [(text, "hart 0 interrupts" if text == "inside" else "thread 2" if text == "B" else "thread 0") for text in want])


def check_interrupt_tracks():
    """Calls within an interrupt are on the track of the hart's interrupts, those around it on their thread's."""
    steps = [("enter", 3), ("enter", 4), ("trap_enter", 7), ("enter", 5), ("enter", 6), ("exit", 6), ("exit", 5), ("trap_leave",), ("exit", 4), ("enter", 8), ("exit", 8), ("exit", 3)]
    line = [(0, "begin", 0), *((10 + 3 * at, *step) for at, step in enumerate(steps)), (100, "end", 0, 10, len(steps), 0, 0)]
    path = write("interrupt-tracks", encode(line)[0])
    truth = check_recording(path)
    inside = {event["function"] for event in truth.dump if event["event"] == "enter" and event["number"] in (5, 6)}
    for form in [form for form in FORMATS if form != "speedscope"]:
        must([GNOMON, "export", "-q", "--to", form, "-o", OUT / "tracks.line", path])
        lines = getattr(event_readers, form)(OUT / "tracks.line")
        got = [(event.name in inside, lines.tracks[event.track].name) for event in lines.events if event.phase == "B" and event.category == "call"]
        same(f"{form}: tracks of calls", sorted(got), [(False, "thread 0")] * 3 + [(True, "hart 0 interrupts")] * 2)


def check_records():
    """A recording of function records has no time line."""
    path = OUT / "records.gnt"
    frames = encode([(0, "begin", 0), (100, "end", 0, 10, 0, 0, 0)])[0]
    path.write_bytes(gnt_bytes({"device": {"address": "sim:test"}, "clock_hz": 60000000, "elf": {"path": ELF}, "records": True}, frames))
    for form in FORMATS:
        done = run([GNOMON, "export", "--to", form, "-o", OUT / "none", path])
        expect(f"{form}: function records are refused", done.returncode == 1 and "--events" in done.stderr and not (OUT / "none").exists(), done.returncode, done.stderr)


# In a process of its own: what a process has used before it becomes another program counts as used by that, too.
MEASURE = """import resource, subprocess, sys, time
start = time.monotonic()
status = subprocess.call(sys.argv[1:])
print(status, time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"""


def usage(form, recording):
    """(seconds, megabytes, bytes of the file)"""
    path = OUT / f"large.{form}"
    status, seconds, megabytes = must([sys.executable, "-c", MEASURE, FAST, "export", "-q", "--to", form, "-o", path, recording]).split()
    same(f"{form}: {recording.stem}", status, "0")
    size = path.stat().st_size
    path.unlink()
    return float(seconds), float(megabytes), size


def check_size():
    """A million events take seconds, and no more memory than a tenth of them."""
    rng, line, cycle, stack = random.Random(1), [(0, "begin", 0x10000000)], 0, []
    while len(line) < 100_000:
        cycle += rng.choice([2, 3, 5, 8, 13, 90])
        if rng.random() < 0.01:
            line.append((cycle, "channel", MARK, rng.randrange(100)))
        elif stack and (len(stack) > 12 or rng.random() < 0.5):
            line.append((cycle, "exit", stack.pop()))
        else:
            stack.append(rng.randrange(120))
            line.append((cycle, "enter", stack[-1]))
    for number in reversed(stack):
        cycle += 1
        line.append((cycle, "exit", number))
    part = line[1:]
    small = write("part", encode(line + [(cycle + 1, "end", 0, cycle, len(part), 0, 0)])[0])
    many = line + [(event[0] + cycle * turn, *event[1:]) for turn in range(1, 10) for event in part]
    large = write("million", encode(many + [(10 * cycle + 1, "end", 0, cycle, len(many) - 1, 0, 0)])[0])
    for form in FORMATS:
        _, before, _ = usage(form, small)
        seconds, megabytes, size = usage(form, large)
        print(f"{form}: {len(many):,} events in {seconds:.2f} s, {megabytes:.1f} MB ({before:.1f} MB for a tenth), {size:,} bytes")
        expect(f"{form}: memory", megabytes < before + 8, megabytes, before)
        expect(f"{form}: time", seconds < 30, seconds)


OUT.mkdir(parents=True, exist_ok=True)
(OUT / "none").unlink(missing_ok=True)
for file in map(pathlib.Path, RECORDINGS):
    check_recording(file)
for number in range(int(SEEDS)):
    check_random(number)
    check_harts(number)
    check_histories(number)
check_other_owner()
check_texts()
check_interrupt_tracks()
check_records()
check_size()
sys.exit(result())
