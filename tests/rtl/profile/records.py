#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benches of gnomon_profile with records: compares the result that a model of plain lists computes from the entries
that left the FIFO with the memory of the records. If no event is lost, also reads the records through the registers,
and compares the rest of the trace with the script.

usage: records.py --simulation FILE --out FOLDER --records-log2 N --frames-log2 N --buckets-log2 N --epochs 0|1 --threads-log2 N --number-bits N [CASE...]
FILE: a vvp file or an executable.

--buckets-log2 0 selects the compact records, which have no pairs, buckets and counts of losses, and separate frames
for traps.
"""
import os
import random

import cases
import run
from cases import ALL, REG_WRITE, Script, gaps, walk
from gnomon_trace import CHANNEL_LANDED, CHANNEL_THREAD, FRAME_BYTES
from options import values
from records_model import (AGGREGATED_LO, ARC_HASH, ARC_PART, BUCKETS, BUCKETS_BIT, CLEAR_CYCLES, CONFIG, DEEP, DEEPEST, EPOCH, HIGHEST,
                           OVERFLOW, PAGE, PAIRLESS, PAIRS, PER_PAGE, READY, RECORD_BYTES, RECORDS_BIT, REPEATED, STATE, STATUS, T_CHANNEL,
                           T_END, T_ENTER, T_EXIT, T_LOST, T_TRAP_ENTER, T_TRAP_LEAVE, UNBALANCED, UNTRACKED, WINDOW, Model)
from trace_check import CHANNEL, CLOSES, END, ENTER, EXIT, LOCK, MODULE, OPENS, START, TRAP_ENTER, TRAP_LEAVE, Decoder, need, same


COPY_CYCLES = 5  # from the read of an entry's first word, if no call is being added; then one word a cycle can be read
LAST_PLACE = 15


def from_script(script, model):
    """The entries that a script makes if no event is lost."""
    types = {ENTER: T_ENTER, EXIT: T_EXIT, TRAP_ENTER: T_TRAP_ENTER, TRAP_LEAVE: T_TRAP_LEAVE, CHANNEL: T_CHANNEL, END: T_END}
    for kind, cycle, number, data in script.made:
        if kind in types:
            model.entry(types[kind], number, data, cycle, 0, 0, 0)


def read_entry(script, index, words, state):
    """Reads a whole entry of the window, as soon as the device has copied it."""
    at = WINDOW + index * RECORD_BYTES
    script.read(0, at, 0)
    for i, word in enumerate(words):
        script.read(COPY_CYCLES * (i == 0), at + 4 + 4 * i, word)
    script.read(max(0, LAST_PLACE - len(words) - 1), at + STATE, state)


def read_back(script, model):
    """Reads every record through the registers after the end."""
    script.op(40000, cases.IDLE)
    script.read(0, STATUS, 8, 8)
    script.read(0, AGGREGATED_LO, model.aggregated)
    script.read(0, OVERFLOW, model.overflow)
    script.read(0, UNBALANCED, model.unbalanced)
    script.read(0, UNTRACKED, model.untracked)
    for at, count in () if model.compact else ((DEEP, model.deep), (REPEATED, model.repeated), (DEEPEST, model.deepest)):
        script.read(0, at, count)
    script.read(0, HIGHEST, max([0] + [n for n in range(model.size - 64) if model.records[n][0]]))
    script.read(3, WINDOW, 0)
    if not model.compact:
        script.read(0, WINDOW + STATE, 0, READY)  # not requested yet
        script.read(40, WINDOW, 0)
        script.read(0, WINDOW + 4, 0, 0)  # too early,
        script.read(40, WINDOW + STATE, 0, READY)  # so the record is not READY later
    for number in range(model.size):
        if number % PER_PAGE == 0:
            script.op(3, REG_WRITE, PAGE, number // PER_PAGE)
            script.read(0, PAGE, number // PER_PAGE)
        words, flags = model.words(number)
        read_entry(script, number % PER_PAGE, words, flags | number)
    script.read(0, PAIRLESS, model.pairless)
    script.read(0, PAIRS, len(model.pairs))
    script.read(0, ARC_HASH, model.hash)
    script.read(0, ARC_PART, 0 if model.compact else model.part[-1] << 16 | model.part[0])
    for number, pair in enumerate([*model.pairs, None], model.size):
        if number == 2 * model.size or model.compact:
            break
        if number % PER_PAGE == 0:
            script.op(3, REG_WRITE, PAGE, number // PER_PAGE)
        read_entry(script, number % PER_PAGE, model.pair_words(pair), READY | number)
    script.read(0, CONFIG, model.config)
    some = [] if model.compact else sorted({number for number, _ in model.buckets})[:20] + [model.bucketed - 1, model.size - 1]
    for number in some:
        script.op(3, REG_WRITE, PAGE, number | BUCKETS_BIT)
        script.read(0, PAGE, number | BUCKETS_BIT)
        for bucket in range(BUCKETS):
            read_entry(script, bucket, model.bucket_words(number, bucket), READY | number << 5 | bucket)


def numbers(rng, size, beyond=0.0):
    some = [rng.randrange(size - 64) for _ in range(40)] + [0, size - 65]
    return lambda: rng.choice((size - 64, size - 1, size, 65535, 1 << 16, rng.randrange(1 << 20))) if rng.random() < beyond else \
        some[min(int(rng.expovariate(0.1)), len(some) - 1)]


def walks(size, frames, slower):
    """Random programs: fast and slow (the slow ones `slower` times slower, so that no event is lost), with and
    without loss, threads, untracked threads, numbers without a record, no free frames."""
    for name, typical, args, calls, more in (
            ("calls", 40, ["rate=1"], 2000, {}), ("traps", 30, ["rate=1"], 1500, {"traps": 0.2}),
            ("threads", 30, ["rate=1"], 2000, {"threads": 0.03, "traps": 0.05}), ("locks", 20, ["random=1"], 2000, {"locks": 0.05}),
            ("beyond", 30, ["rate=1"], 1500, {"beyond": 0.2, "traps": 0.05}),
            ("deep", 40, ["rate=1"], 2000, {"depth": 3 * frames, "traps": 0.05, "threads": 0.01}),
            ("fast", 4, ["rate=1"], 6000, {}), ("back", 0, ["rate=1"], 6000, {"traps": 0.03}),
            ("stalled", 3, ["stall=60000"], 6000, {"others": 0.2, "threads": 0.01})):
        rng = random.Random(name)
        script = Script(control=ALL | RECORDS_BIT)
        script.begin()
        beyond = more.pop("beyond", 0.0)
        walk(script, rng, calls, gaps(rng, typical * (slower if typical >= 20 else 1)), numbers(rng, size, beyond), **more)
        script.quit()
        yield name, script, args, typical >= 20 and "locks" not in more


def recursion_script(size, frames, slower):
    """Calls far deeper than there are frames: functions that call themselves, each other, and others; with traps,
    longjmp and thread switches in between, and returns of all kinds."""
    rng = random.Random(6)
    script = Script(control=ALL | RECORDS_BIT)
    script.begin()
    gap = lambda: slower * rng.randrange(70, 90)

    def leaf(i):
        if i % 7 == 3:
            walk(script, rng, 3, gap, numbers(rng, size), traps=0.2)

    def thread(i):
        script.channel(gap(), CHANNEL_THREAD, 1 + i % 6)
        walk(script, rng, 4, gap, numbers(rng, size))
        script.channel(gap(), CHANNEL_THREAD, 0)

    for turn, period in enumerate((1, 1, 2, 1, 3, 1)):
        depth = 4 * frames
        for i in range(depth):
            script.enter(gap(), 5 + i % period)
            leaf(i)
            if i % 50 == 20:
                thread(i)
        if turn == 1:  # back to the outermost open call
            script.enter(gap(), 2)
            script.channel(gap(), CHANNEL_LANDED, 0xFFFFFFFF - 5)
        if turn == 3:  # an exit passes over the call with all its calls
            script.enter(gap(), 2)
            script.exit(gap(), 7 if rng.random() < 0.5 else 5)
            script.trap(gap(), 11)
            for i in range(10):
                script.enter(gap(), 5)
            script.mret(gap())
        for i in reversed(range(depth - 2 * (turn == 3))):
            leaf(i)
            script.exit(gap(), 5 + i % period)
        walk(script, rng, 30, gap, numbers(rng, size), traps=0.05)
        if turn == 4:
            for i in range(depth):
                script.enter(gap(), 5)
            script.exit(gap(), 6)
    script.quit()
    return script


def odd_script(size):
    rng = random.Random(3)
    script = Script(control=ALL | RECORDS_BIT)
    script.begin()
    for i in range(60):
        walk(script, rng, 20, gaps(rng, 20), numbers(rng, size), threads=0.05)
        for _ in range(rng.randrange(4)):
            script.enter(rng.randrange(9), rng.randrange(12))
        if i % 3 == 0:
            script.trap(20, 32 + i % 16)
            script.enter(20, rng.randrange(12))
            script.channel(20, CHANNEL_THREAD, rng.choice((0, 1, 5, 7, 8, 63, 64, 0x80000000)))
            script.enter(20, rng.randrange(12))
            script.mret(20)
        if i % 5 == 3:  # a landing in a function that is not open
            script.enter(30, 3)
            script.enter(30, 4)
            script.channel(30, CHANNEL_LANDED, 0xFFFFFFFF - (rng.randrange(1, 16) << 16 | 3))
        if i % 5 == 2:
            script.channel(30, CHANNEL_LANDED, 0xFFFFFFFF - rng.choice((rng.randrange(12), rng.randrange(12), size - 64, 65535, rng.randrange(1, 16) << 16 | rng.randrange(12))))
        for _ in range(rng.randrange(4)):
            script.exit(30, rng.randrange(12))
        if i % 4 == 1:
            script.trap(20, 11)
            script.trap(20, 3)
            for _ in range(rng.randrange(4)):
                script.mret(20)
        script.channel(200, CHANNEL_THREAD, rng.randrange(9))
    script.quit()
    return script


def long_script(size):
    """Calls, traps and pauses of threads that last more than 2^32 and 2^36 cycles, and a little less."""
    rng = random.Random(5)
    script = Script(control=ALL | RECORDS_BIT)
    script.begin()

    def pause():
        script.jump(200, rng.choice((1 << 31, (1 << 32) - rng.randrange(300), 1 << 32, (1 << 35) + 5, (1 << 36) - 1, 1 << 37)))

    for i in range(60):
        first, second = rng.randrange(6), rng.randrange(6)
        script.enter(200, first)
        for trap in (False, i % 4 == 1):
            if trap:
                script.trap(200, 32 + i % 4)
            script.enter(200, second)
            if rng.random() < 0.7:
                pause()
            walk(script, rng, 3, lambda: 200, numbers(rng, size))
            if i % 5 == 2:
                script.channel(200, CHANNEL_THREAD, 1)
                pause()
                script.channel(200, CHANNEL_THREAD, 0)
            script.exit(200, second)
            if trap:
                script.mret(200)
        script.exit(200, first)
    script.quit()
    return script


def dense_script(size):
    """Calls that return at once with an event every 3 cycles, then any calls with one every 4 cycles: slower records
    would lose some of these events."""
    rng = random.Random(7)
    script = Script(control=ALL | RECORDS_BIT)
    script.begin()
    for i in range(2000):
        script.enter(2, i % 9)
        script.exit(2, i % 9)
    walk(script, rng, 4000, lambda: 3, numbers(rng, size), others=0, traps=0.05, depth=12)
    script.quit()
    return script


def others(size, frames, slower):
    """Cases that a walk does not have: longjmp, exits without a call, switches within traps, untracked threads, no
    end."""
    for name, args in (("others", ["rate=1"]), ("astray", ["stall=60000"])):
        yield name, odd_script(size), args, name == "others"
    yield "long", long_script(size), ["rate=1"], True
    yield "dense", dense_script(size), ["rate=1"], True
    yield "recursion", recursion_script(size, frames, slower), ["rate=1"], True
    rng = random.Random(4)
    # Losses of an untracked thread count as overflow.
    script = Script(control=ALL | RECORDS_BIT)
    script.begin()
    script.channel(20, CHANNEL_THREAD, 65)
    walk(script, rng, 4000, gaps(rng, 0), numbers(rng, size))
    script.channel(9000, CHANNEL_THREAD, 0)
    walk(script, rng, 50, gaps(rng, 20), numbers(rng, size))
    script.quit()
    yield "untracked", script, ["rate=1"], False
    # Two runs: no event of the first one is left. The host stops the second one.
    script = Script(control=ALL | RECORDS_BIT)
    for _ in range(2):
        script.begin()
        walk(script, rng, 300, gaps(rng, 20), numbers(rng, size), threads=0.05, traps=0.1)
        script.enter(9, 1)
        script.enter(9, 2)
        script.enter(9, 1)
        if _ == 0:
            script.reset()
    script.stop(50)
    yield "again", script, ["rate=1"], True


def sprinkle(script, rng, part):
    """Inserts ends of epochs into a script, sometimes several in a row, and in the gaps of the script."""
    lines, script.lines = script.lines, []
    reset = True
    for gap, op, a, *more in lines:
        reset = bool(a & 1) if op == cases.HART_RST else reset
        while not reset and rng.random() < part:
            before = rng.randrange(min(gap, rng.choice((1, 100)))) if gap else 0
            script.lines.append((before, REG_WRITE, EPOCH, 0, 0, 0, 0, 0))
            gap -= min(gap, before + 1)
        script.lines.append((gap, op, a, *more))


def part_of(name, size):
    """The callees whose pairs are kept in a case, and the hash."""
    return (range(size // 16, size // 5), 0) if name.startswith("part-") else (range(size), 0x2D if name.startswith("hash-") else 0)


def parts(size, frames, slower):
    """The programs of walks, with pairs of a part of the callees."""
    for name, script, args, whole in walks(size, frames, slower):
        kind = {"calls": "part-", "deep": "part-", "traps": "hash-"}.get(name)
        if not kind:
            continue
        part, mix = part_of(kind, size)
        script.lines[1:1] = [(0, REG_WRITE, at, value, 0, False, 0, 0) for at, value in ((ARC_PART, part[-1] << 16 | part[0]), (ARC_HASH, mix))]
        yield kind + name, script, args, whole


def epochs(size, frames, slower):
    """The programs of walks and others, with ends of epochs anywhere."""
    for source in (walks, others):
        for name, script, args, _ in source(size, frames, slower):
            rng = random.Random(name)
            sprinkle(script, rng, {"again": 0.05, "stalled": 0.01}.get(name, 0.02))
            script.op(40000, REG_WRITE, EPOCH)  # no call is open after the end
            script.op(300, cases.IDLE)
            yield "epochs-" + name, script, args, False


def expected_words(model):
    """The expected non-empty words of the memories."""
    words, log2 = {}, model.log2
    for number, (calls, own, total, shortest, longest, here, within, untimed) in model.records.items():
        above = 0 if shortest is None else (1 << 36) - 1 - shortest
        words["record", number] = (((((((calls << 48 | own) << 48 | total) << 36 | above) << 36 | longest) << 1 | here) << 1 | within) << 1) | untimed
    for number, (calls, cycles) in model.losses.items():
        words["loss", number] = cycles << 32 | calls
    for bank, places in enumerate(model.banks):
        for at, pair in enumerate(places):
            if pair:
                calls, own, total = model.pairs[pair]
                words["pair", bank, at] = (((pair[1] << log2 | pair[0]) << 40 | calls) << 48 | own) << 48 | total
    for at, (calls, total, squares) in model.buckets.items():
        words["bucket", *at] = (calls << 48 | total) << 80 | squares
    return {at: word for at, word in words.items() if word}


def read_dump(path):
    """Steps since the last reset, ("entry", ...) and ("mark", cycle, open frames, words), then counts, calls without
    a pair and words at the end."""
    steps, counts, pairless, words, named = [], None, None, {}, []
    with open(path, encoding="ascii") as f:
        for line in f:
            what, *values = line.split()
            values = [int(v, 16) for v in values]
            if what == "reset":  # also ends the naming of open frames
                steps, named = [], []
            elif what == "entry":
                steps.append(("entry", *values))
            elif what == "open":
                own = values[4] - (values[4] >> 47 << 48)  # signed: lost cycles can be charged before they have passed
                named.append((values[0], values[1], bool(values[2]), values[3], own))
            elif what == "mark":
                steps.append(("mark", values[0], named, {}))
                named = []
            elif what == "ended":  # its words have come, and perhaps an entry before them
                next(step for step in reversed(steps) if step[0] == "mark")[3].update(words)
                words = {}
            elif what == "counts":
                counts = values
            elif what == "pairless":
                pairless = values[0]
            elif values[-1]:
                words[(what, *values[:-1])] = values[-1]
    return steps, counts, pairless, words


def self_cycles(words):
    return sum(word >> 123 & (1 << 48) - 1 for at, word in words.items() if at[0] == "record")


def check_mark(name, model, step, booked):
    """Checks the end of an epoch against the model, and the cycles of records and open frames against the elapsed
    time."""
    _, snapshot_time, named, words = step
    need(snapshot_time >= model.now, name, "the mark at", snapshot_time, "is before", model.now)
    want = model.mark(snapshot_time)
    need(named == want, name, "open at", snapshot_time, named, want)
    need(words == expected_words(model), name, "epoch until", snapshot_time, words, expected_words(model))
    total = booked + self_cycles(words) + sum(line[4] for line in named)
    need(total == model.followed - model.lost, name, "cycles at", snapshot_time, total, model.followed, model.lost)
    model.begin_epoch()
    return booked + self_cycles(words)


def same_sums(name, epochs, whole):
    """Checks that the sum of all epochs equals the result of the same entries without epochs."""
    shift, ones = 123, (1 << 48) - 1
    for number in range(whole.size):
        words = [words.get(("record", number), 0) for words in epochs]
        parts = ([w >> 171 for w in words], [w >> shift & ones for w in words], [w >> 75 & ones for w in words])
        need([sum(part) for part in parts] == whole.records[number][:3], name, "epochs of record", number, parts, whole.records[number])
        words = [words.get(("loss", number), 0) for words in epochs]
        need((sum(w & 0xFFFFFFFF for w in words), sum(w >> 32 for w in words)) == whole.losses.get(number, (0, 0)), name, "epochs of losses", number)
    for at, figures in whole.buckets.items():
        words = [words.get(("bucket", *at), 0) for words in epochs]
        need([sum(w >> 128 for w in words), sum(w >> 80 & ones for w in words), sum(w & (1 << 80) - 1 for w in words)] == figures,
             name, "epochs of bucket", at)


def check(name, folder, sizes):
    model, whole = Model(*sizes), Model(*sizes)
    for one in model, whole:
        one.part, one.hash = part_of(name, model.size)
    steps, counts, pairless, words = read_dump(os.path.join(folder, name + ".records"))
    booked, epochs, lost = 0, [words], 0
    for step in steps:
        if step[0] == "entry":
            need(step[1] == T_LOST or step[4] >= model.now, name, "an entry of before the mark at", model.now)
            model.entry(*step[1:])
            whole.entry(*step[1:])
            lost += step[5] * (step[1] == T_LOST)
        else:
            booked = check_mark(name, model, step, booked)
            epochs.append(step[3])
    counts, more = counts[:5], counts[5:]
    need(model.compact or more == [model.deep, model.repeated, model.deepest], name, "depth", more, model.deep, model.repeated, model.deepest)
    want = [model.aggregated, model.overflow, model.unbalanced, model.untracked, 1]
    need(counts == want, name, "counts", counts, want)
    need(words == expected_words(model), name, "records", words, expected_words(model))
    need(pairless == model.pairless, name, "pairs", pairless, model.pairless)
    same_sums(name, epochs, whole)
    return whole, lost, sum(r[1] for r in whole.records.values()), len(epochs) - 1


def clear_first(script):
    """The compact records clear themselves during the reset, so the reset must be long enough."""
    script.lines = [(gap + CLEAR_CYCLES * (op == cases.HART_RST and not a), op, a, *more) for gap, op, a, *more in script.lines]


def look_on(script, rng, asks):
    """Reads registers all the time and ignores the values: in the compact records a read takes the memory from the
    aggregator."""
    lines, script.lines = script.lines, []
    for gap, *more in lines:
        while gap > 1 and gap < 1000 and rng.random() < 0.7:
            before = rng.randrange(min(gap, 12))
            at = rng.choice((AGGREGATED_LO, UNTRACKED, WINDOW + RECORD_BYTES * rng.randrange(32) + 4 * rng.randrange(not asks, 16)))
            script.lines.append((before, cases.REG_READ, at, 0, 0, 0, 0, 0))
            gap -= before + 1
        script.lines.append((gap, *more))


def run_cases(simulation, folder, sizes, chosen):
    size, frames = 1 << sizes[0], (1 << sizes[1]) - (1 << sizes[4])
    for source in (walks, others) + (epochs,) * sizes[3] + (parts,) * (sizes[2] > 0):
        for name, script, args, whole in source(size, frames, 1 if sizes[2] else 2):
            if chosen and name not in chosen:
                continue
            # The compact records are slower. Sums of squares that are at their limit cannot be added over epochs.
            if name.endswith("dense") and not sizes[2] or name == "epochs-long":
                continue
            if not sizes[2]:
                clear_first(script)
                whole = whole and name not in ("others", "again")  # too fast for the compact records
                look_on(script, random.Random(name), name in ("fast", "astray"))
            made = list(script.made)
            if whole:
                expected = Model(*sizes)
                expected.part, expected.hash = part_of(name, size)
                from_script(script, expected)
                read_back(script, expected)
            text, data = run.simulate(simulation, folder, name, script.lines, [*args, f"records={folder}/{name}.records"])
            need("PASS" in text, name, text)
            model, lost, booked, marks = check(name, folder, sizes)
            need((marks > 10) == name.startswith("epochs"), name, "epochs", marks)
            if not whole and not marks:  # runs again, with the expected values of the registers now known
                read_back(script, model)
                text, data = run.simulate(simulation, folder, name, script.lines, args)
                need("PASS" in text, name, text)
            start = max(i for i in range(0, len(data), FRAME_BYTES) if data[i:i + 8] == START)
            decoder = Decoder()
            got = decoder.run(data[start:])
            rest = [event for event in got[1:] if event[0] != "lost"]
            need(not any(event[0] in OPENS + CLOSES for event in rest), name, "a call in the trace")
            totals = got[-1][3]
            need(totals["produced"] == len(made) - 2 and totals["produced"] == model.aggregated + len(rest) - 1 + totals["lost"],
                 name, "produced", totals, model.aggregated, len(rest), len(made))
            if whole:
                want = [event for event in made[1:] if event[0] in (CHANNEL, LOCK, MODULE, END)]
                need(decoder.lost == 0 and len(want) == len(rest) and all(same(m, g) for m, g in zip(want, rest)), name, "the rest differs")
            print(f"{name}: {model.aggregated} events aggregated, {decoder.lost} lost, {model.overflow} without a place, {model.unbalanced} unbalanced, "
                  f"{model.untracked} untracked; {len(model.pairs)} pairs, {model.pairless} calls without; {len(model.buckets)} buckets; {marks} epochs ended; {booked} cycles booked, {lost} lost; {len(rest)} records in the trace")


def main():
    simulation, folder, *sizes, chosen = values(__doc__, "simulation", "out", "records-log2", "frames-log2", "buckets-log2", "epochs", "threads-log2",
                                                "number-bits", rest="CASE", least=0)
    *sizes, Script.number_bits = map(int, sizes)
    os.makedirs(folder, exist_ok=True)
    run_cases(os.path.abspath(simulation), folder, sizes, chosen)


if __name__ == "__main__":
    main()
