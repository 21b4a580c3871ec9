#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`gnomon locks` of runs on two harts: random histories whose threads go from hart to hart, whole, with losses of one hart or of both, and with
one hart's trace ending early. Figures of whole runs are those of the history; after losses those that are known by definition.

usage: test_hart_locks.py --gnomon COMMAND --elf FILE --out FOLDER --seeds COUNT"""
import collections
import json
import random
import sys

from checking import expect, result, same
from commands import run
from figures import check_received, check_whole, counts
from gnt_encoder import encode, encode_harts, gnt_bytes
from gnomon_trace import CHANNEL_INTERRUPTS
from histories import ACQUIRED, events, History, received, REFUSED, RELEASED, REQUEST
from options import values

GNOMON, ELF, OUT, SEEDS = values(__doc__, "gnomon", "elf", "out", "seeds")
HARTS = 2


def write(name, frames, tables, **more):
    device = {"address": "sim:test", "stack_entries": 256, "harts": HARTS}
    path = f"{OUT}/harts-{name}.gnt"
    with open(path, "wb") as file:
        file.write(gnt_bytes({"device": device, "clock_hz": 60000000, "elf": {"path": ELF}}, frames, locks=tables, other_hart=True, **more))
    return path


def locks(path, status=0):
    done = run([GNOMON, "locks", "--json", path])
    if not expect(f"{path}: status", done.returncode == status, done.returncode, done.stdout[-500:], done.stderr):
        sys.exit(result())
    return json.loads(done.stdout)


def place(messages, rng):
    """The hart of each message. Threads stay on a hart for a while."""
    at, out = collections.defaultdict(lambda: rng.randrange(HARTS)), []
    for message in messages:
        if rng.random() < 0.1:
            at[message.thread] = rng.randrange(HARTS)
        out.append(at[message.thread])
    return out


def split(messages, harts, losses, end):
    """The events of each hart. `losses`: for each hart, what `events` takes."""
    mine = [[m for m, hart in zip(messages, harts) if hart == one] for one in range(HARTS)]
    return [events(mine[one], losses[one], end) for one in range(HARTS)]


def sum_of_harts(name, shown):
    for lock in shown["locks"]:
        for key in counts(lock):
            same(f"{name}, lock {lock['index']}: {key} of the harts", sum(part[key] for part in lock["by_hart"]), lock[key])
        for key in ("hold", "wait"):
            for field in ("count", "cycles"):
                same(f"{name}, lock {lock['index']}: {key} of the harts", sum(part[key][field] for part in lock["by_hart"]), lock[key][field])


def fails(release, history):
    """The thread's next message at the lock says that the release failed."""
    after = next((m for m in history.messages if m.cycle > release.cycle and (m.thread, m.lock) == (release.thread, release.lock)), None)
    return after is not None and after.what == REFUSED and after.caller == release.caller


def check_whole_run(seed):
    rng, history = random.Random(seed), History(seed, 3000, threads=2 + seed % 5)
    harts = place(history.messages, rng)
    path = write(f"whole-{seed}", encode_harts(split(history.messages, harts, ({}, {}), history.cycle), 256, rng.randrange), history.tables())
    shown = locks(path)
    check_whole(seed, history, shown)
    sum_of_harts(f"seed {seed}", shown)
    same(f"seed {seed}: harts", (shown["harts"], shown["exact"], shown["cycles"]), (2, True, history.cycle))
    acquired = {(m.thread, m.lock, m.cycle): hart for m, hart in zip(history.messages, harts) if m.what == ACQUIRED}
    for lock in shown["locks"]:
        for hold in lock["longest_holds"]:
            same(f"seed {seed}: hart of a hold", hold["hart"], acquired[hold["thread_index"], lock["index"], hold["from"]])
        for hart in range(HARTS):
            want = collections.Counter(m.what for m, on in zip(history.messages, harts) if m.lock == lock["index"] and on == hart)
            got = [part for part in lock["by_hart"] if part["hart"] == hart]
            same(f"seed {seed}, lock {lock['index']}, hart {hart}", sum(part["requests"] for part in got), want[REQUEST])
            released = sum(m.what == RELEASED and on == hart and not fails(m, history) for m, on in zip(history.messages, harts) if m.lock == lock["index"])
            same(f"seed {seed}, lock {lock['index']}, hart {hart}: releases", sum(part["releases"] for part in got), released)
    check_across(seed, history, harts, shown)


def check_interrupts():
    """Only hart 0 says when interrupts are off."""
    happened = [[(0, "begin", 0), (10, "channel", CHANNEL_INTERRUPTS, 0x20000001), (20, "channel", CHANNEL_INTERRUPTS, 0x20000010),
                 (50, "channel", CHANNEL_INTERRUPTS, 0x20000001), (100, "end", 0, 10, 3, 0, 0)], [(0, "begin", 0), (100, "end", 0, 10, 0, 0, 1)]]
    shown = locks(write("interrupts", encode_harts(happened), None))
    same("interrupts off", [(lock["name"], lock["kind"], lock["hold"]["cycles"]) for lock in shown["locks"]], [("interrupts off on hart 0", "interrupts", 30)])


def check_across(seed, history, harts, shown):
    """Of mutexes: the owner when it was asked for, or the first that acquired it before the answer."""
    for lock in shown["locks"]:
        if lock["kind"] not in ("mutex", "spin"):
            continue
        owner, across, asked = None, 0, {}  # asked: the hart, and whether the first in the way was on another one, or None
        own = [(m, hart) for m, hart in zip(history.messages, harts) if m.lock == lock["index"]]
        for m, hart in own:
            if m.what == REQUEST:
                asked[m.thread] = [hart, owner[1] != hart if owner and owner[0] != m.thread else None]
                continue
            if m.what == RELEASED:
                owner = owner if fails(m, history) else None
                continue
            across += asked.pop(m.thread, [None, None])[1] is True
            if m.what == ACQUIRED:
                owner = m.thread, hart
                for waiter in asked.values():
                    waiter[1] = waiter[0] != hart if waiter[1] is None else waiter[1]
        same(f"seed {seed}, lock {lock['index']}: across harts", lock["contended_across_harts"], across)


def breaks_of(kept, lost_at):
    """Where nothing is known of earlier messages: from a hart's last message before a loss to its next one, before each message. `lost_at`: for
    each hart, the places in its own messages, as `events` takes them. `kept`: (message, hart)."""
    breaks = set()
    for hart in range(HARTS):
        places = [at for at, (_, on) in enumerate(kept) if on == hart]
        for at in lost_at[hart]:
            first = places[at - 1] + 1 if at else 0
            last = places[at] if at < len(places) else len(kept)
            breaks.update(range(first, last + 1))
    return sorted(breaks)


def drop(history, harts, rng, which):
    """Loses messages of the harts `which`, single ones and some in a row. Returns those that are left, and the losses of each hart."""
    kept, losses, left = [], ({}, {}), [0, 0]
    own = [0, 0]
    for message, hart in zip(history.messages, harts):
        if not left[hart] and hart in which and rng.random() < 0.015:
            left[hart] = rng.choice([1, 1, 2, 10])
        if left[hart]:
            left[hart] -= 1
            losses[hart][own[hart]] = losses[hart].get(own[hart], 0) + 1
        else:
            kept.append((message, hart))
            own[hart] += 1
    return kept, losses


def check_lossy(seed, which):
    rng, history = random.Random(seed), History(seed + 500, 2000, threads=2 + seed % 4)
    kept, losses = drop(history, place(history.messages, rng), rng, which)
    messages, harts = [m for m, _ in kept], [hart for _, hart in kept]
    name = f"seed {seed} with losses of {which}"
    path = write(f"lossy-{seed}", encode_harts(split(messages, harts, losses, history.cycle), 256, rng.randrange), history.tables())
    shown = locks(path)
    same(f"{name}: lost", shown["lost_messages"], sum(sum(of_hart.values()) for of_hart in losses))
    same(f"{name}: messages", shown["messages"], len(kept))
    check_received(name, history, received(history, messages, breaks_of(kept, losses)), shown)
    sum_of_harts(name, shown)
    said = " ".join(run([GNOMON, "locks", path]).stdout.split())
    whose = f"hart {which[0]}" if len(which) == 1 else "both harts"
    reason = next(reason["text"] for reason in shown["reasons"] if reason["id"] == "messages-lost")
    expect(f"{name}: says whose", f"of {whose}:" in reason, reason, said[:300])


def check_early_end(seed):
    """One hart's last frames are missing: nothing is sure from its last message on."""
    rng, history = random.Random(seed), History(seed + 900, 1500, threads=4)
    harts = place(history.messages, rng)
    cut = seed % HARTS
    streams = split(history.messages, harts, ({}, {}), history.cycle)
    lists, contents = zip(*(encode(stream, 256, hart=hart) for hart, stream in enumerate(streams)))
    left = len(lists[cut]) // 2
    frames = [*lists[0][:left if cut == 0 else None], *lists[1][:left if cut == 1 else None]]
    seen = sum(event[1] == "lock" for frame in contents[cut][:left] for event in frame)
    kept, own = [], 0
    for message, hart in zip(history.messages, harts):
        own += hart == cut
        if hart != cut or own <= seen:
            kept.append((message, hart))
    path = write(f"cut-{seed}", frames, history.tables())
    shown = locks(path)
    lost_at = [[], []]
    lost_at[cut] = [seen]
    name = f"seed {seed}, hart {cut} ends early"
    check_received(name, history, received(history, [m for m, _ in kept], breaks_of(kept, lost_at)), shown)
    reasons = {reason["id"]: reason["text"] for reason in shown["reasons"]}
    expect(f"{name}: says it", f"the trace of hart {cut} stops before" in reasons.get("no-end", ""), reasons)
    expect(f"{name}: not exact", not shown["exact"], shown["exact"])


def check_lost_frames(seed):
    """Frames of one hart are missing in the middle."""
    rng, history = random.Random(seed), History(seed + 1300, 2000, threads=4)
    harts = place(history.messages, rng)
    cut = seed % HARTS
    streams = split(history.messages, harts, ({}, {}), history.cycle)
    lists, contents = zip(*(encode(stream, 256, hart=hart) for hart, stream in enumerate(streams)))
    first = rng.randrange(1, len(lists[cut]) - 3)
    gone = range(first, first + rng.randrange(1, 3))
    frames = [frame for hart in (1, 0) for at, frame in enumerate(lists[hart]) if hart != cut or at not in gone]
    before = sum(event[1] == "lock" for frame in contents[cut][:first] for event in frame)
    after = before + sum(event[1] == "lock" for at in gone for event in contents[cut][at])
    kept, own = [], 0
    for message, hart in zip(history.messages, harts):
        own += hart == cut
        if hart != cut or own <= before or own > after:
            kept.append((message, hart))
    shown = locks(write(f"frames-{seed}", frames, history.tables()))
    lost_at = [[], []]
    lost_at[cut] = [before]
    name = f"seed {seed}, frames of hart {cut} are missing"
    check_received(name, history, received(history, [m for m, _ in kept], breaks_of(kept, lost_at)), shown)
    same(f"{name}: lost", shown["lost_messages"], after - before)
    reason = next(reason["text"] for reason in shown["reasons"] if reason["id"] == "frames-lost")
    expect(f"{name}: says whose", f"of the trace of hart {cut} did not arrive" in reason, reason)


def check_one_hart():
    """A file without hart 1's trace."""
    history = History(5, 200, threads=2)
    shown = locks(write("alone", encode(events(history.messages, {}, history.cycle))[0], history.tables()))
    reasons = {reason["id"] for reason in shown["reasons"]}
    expect("says that it is hart 0 only", "other-hart" in reasons and not shown["exact"] and shown["harts"] == 1, reasons)


def check_text():
    messages = History(3, 400, threads=4)
    path = write("text", encode_harts(split(messages.messages, place(messages.messages, random.Random(3)), ({}, {}), messages.cycle)), messages.tables())
    said = run([GNOMON, "locks", path]).stdout
    expect("the first line", "on two harts" in said.splitlines()[0] + said.splitlines()[1], said[:300])
    expect("a column of the other hart", "by other hart" in said, said[:600])
    said = run([GNOMON, "locks", "--lock", "mutex-3", path]).stdout
    expect("a lock by hart", "hart 0" in said and "hart 1" in said and " on hart " in said, said)


for number in range(int(SEEDS)):
    check_whole_run(number)
    check_lossy(number, [(0,), (1,), (0, 1)][number % 3])
    check_early_end(number)
    check_lost_frames(number)
check_one_hart()
check_interrupts()
check_text()
sys.exit(result())
