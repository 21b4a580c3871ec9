# SPDX-License-Identifier: Apache-2.0
"""A model of the function records with plain lists, and the registers that read the records
(docs/reference/registers.md)."""
from gnomon_trace import CHANNEL_LANDED, CHANNEL_THREAD
from gnomon_trace import EXT_CHANNEL as T_CHANNEL, EXT_END as T_END, EXT_ENTER_LONG as T_ENTER, EXT_EXIT_LONG as T_EXIT, EXT_LOST as T_LOST
from gnomon_trace import EXT_TRAP_ENTER as T_TRAP_ENTER, EXT_TRAP_LEAVE as T_TRAP_LEAVE

STATUS, PAGE, AGGREGATED_LO, OVERFLOW, UNBALANCED, UNTRACKED, HIGHEST, PAIRLESS, PAIRS = 0x04, 0x40, 0x44, 0x4C, 0x50, 0x54, 0x58, 0x5C, 0x60
DEEP, REPEATED, DEEPEST, ARC_PART, ARC_HASH = 0x90, 0x94, 0x98, 0x9C, 0xA0
WINDOW, PER_PAGE, RECORD_BYTES, STATE, READY = 0x800, 32, 64, 0x3C, 1 << 31
RECORDS_BIT, BUCKETS_BIT = 64, 1 << 16
CONFIG, BUCKETS, EPOCHS_BIT, EPOCH, EPOCH_CYCLE, OPEN_COUNT, ENDED_PAIRS = 0x64, 32, 16, 0x68, 0x6C, 0x74, 0x78
LOSSES_BIT, PART_BIT = 32, 64
TRAPS = 8
LONGEST, SQUARES = (1 << 36) - 1, (1 << 80) - 1  # limits of a call's length, and of the sum of its squares
CLEAR_CYCLES = 20000


class Frame:
    def __init__(self, number, start, context, kind="function"):
        self.number, self.start, self.context, self.kind = number, start, context, kind
        self.outermost = True
        self.repeats = 0  # calls of the function by itself that have no frame
        self.below = 0  # cycles of the frames above it, and lost cycles
        self.lost_here = self.lost_within = False


class Thread:
    def __init__(self, outside, number):
        self.clock, self.skip, self.depth = 0, 0, 0
        self.stack = [Frame(outside, 0, number, "root")]


class Model:
    """The rules of the records, independent of the hardware."""

    def __init__(self, log2, frames_log2, buckets_log2, epochs, threads_log2):
        self.compact = not buckets_log2
        self.config = 0 if self.compact else buckets_log2 | EPOCHS_BIT * epochs | LOSSES_BIT | PART_BIT | threads_log2 << 8
        self.followed_threads = 1 << threads_log2
        self.size, self.frames = 1 << log2, (1 << frames_log2) - self.followed_threads - TRAPS * self.compact
        self.plenty = 3 * (1 << frames_log2) // 4 - self.followed_threads  # frames in use when frames become scarce
        self.deep = self.repeated = self.deepest = 0
        self.unprofiled = self.size - 64 + 31
        self.aggregated = self.overflow = self.unbalanced = self.untracked = 0
        self.threads, self.running, self.now = {}, 0, 0
        self.log2, self.pairless = log2, 0
        self.bucketed = 0 if self.compact else 1 << buckets_log2
        self.followed = self.lost = 0  # cycles of followed threads; the lost cycles among them
        self.part, self.hash = range(self.size), 0  # callees whose pairs are kept, and the hash of their places
        self.begin_epoch()

    def begin_epoch(self):
        self.records = {n: [0, 0, 0, None, 0, False, False, False] for n in range(self.size)}
        self.pairs = {}  # by caller and callee: calls, self, total; in the order of their first end
        self.losses = {}  # by number: calls, cycles
        self.banks = [[None] * (self.size // 2) for _ in range(2)]
        self.buckets = {}  # by number and bucket: calls, total, squares

    def thread(self):
        return self.threads.setdefault(self.running, Thread(self.unprofiled, self.running))

    def open_frames(self):
        return sum(len(t.stack) - 1 for t in self.threads.values()) - self.open_traps() * self.compact

    def open_traps(self):
        return sum(f.kind == "trap" for t in self.threads.values() for f in t.stack)

    @staticmethod
    def own_part(stack):
        """The frames above the last trap."""
        traps = [i for i, frame in enumerate(stack) if frame.kind == "trap"]
        return stack[traps[-1] + 1:] if traps else stack[1:]

    def enter(self, number, kind):
        thread = self.thread()
        fits = kind == "trap" or number < self.size - 64
        if thread.skip:
            thread.skip += 1
            self.deep += fits
            self.deeper(thread)
        elif not fits:
            pass
        elif kind == "function" and not self.compact and self.open_frames() >= self.plenty and all(
                f.kind == "function" and f.number == number for f in thread.stack[-2:]):
            thread.stack[-1].repeats += 1
            self.repeated += 1
            self.deeper(thread)
            return
        elif (self.open_traps() == TRAPS if kind == "trap" else False) or (
                self.open_frames() == self.frames and not (kind == "trap" and self.compact)):
            thread.skip = 1
            self.deep += 1
            self.deeper(thread)
        else:
            taken = {f.context for t in self.threads.values() for f in t.stack if f.kind == "trap"}
            context = thread.stack[-1].context if kind != "trap" else min(set(range(self.followed_threads, self.followed_threads + TRAPS)) - taken)
            frame = Frame(number, thread.clock, context, kind)
            frame.outermost = kind == "trap" or number not in (f.number for f in self.own_part(thread.stack))
            thread.stack.append(frame)
            self.deeper(thread)
            return
        self.overflow += 1

    def deeper(self, thread):
        thread.depth += 1
        self.deepest = max(self.deepest, thread.depth)

    def count(self, number):
        """A call with unknown caller ends, without cycles of its own."""
        self.records[number][0] += 1
        self.records[number][7] = not self.compact
        self.pairless += not self.compact and number in self.part

    def end_repeat(self):
        frame = self.thread().stack[-1]
        frame.repeats -= 1
        self.thread().depth -= 1
        self.records[frame.number][0] += 1
        self.records[frame.number][7] = True
        self.call(frame.number, frame.number, 0, 0)

    def close(self):
        """Closes the top frame and returns it."""
        thread = self.thread()
        while thread.stack[-1].repeats:
            self.end_repeat()
        frame = thread.stack.pop()
        record, cycles = self.records[frame.number], thread.clock - frame.start
        record[1] += cycles - frame.below
        if frame.kind == "root" or frame.outermost:
            record[2] += cycles
        if frame.kind != "root":
            thread.depth -= 1
            record[0] += 1
            shown = min(cycles, LONGEST)
            record[3] = shown if record[3] is None else min(record[3], shown)
            record[4] = max(record[4], shown)
            if frame.number < self.bucketed:
                bucket = self.buckets.setdefault((frame.number, min(max(cycles, 1).bit_length() - 1, BUCKETS - 1)), [0, 0, 0])
                for i in range(3):
                    bucket[i] += cycles**i
                if cycles > LONGEST:
                    bucket[2] = SQUARES
                bucket[2] = min(bucket[2], SQUARES)
        record[5] |= frame.lost_here
        record[6] |= frame.lost_here or frame.lost_within
        if frame.kind != "root":
            caller = self.unprofiled if frame.kind == "trap" else thread.stack[-1].number
            self.call(caller, frame.number, cycles - frame.below, cycles if frame.outermost else 0)
        if frame.kind == "trap":
            thread.clock = frame.start
        elif frame.kind == "function":
            thread.stack[-1].below += cycles
            thread.stack[-1].lost_within |= frame.lost_here or frame.lost_within
        return frame

    def places(self, caller, callee):
        """The places where the hardware may keep a pair."""
        bits = self.log2 - 1
        mask, half = (1 << bits) - 1, bits // 2
        low = caller & mask
        turned = (low << (bits - half) | low >> half) & mask
        backwards = int(f"{low:0{bits}b}"[::-1], 2)
        mixed = low & self.hash
        return callee & mask ^ turned ^ mixed ^ callee >> bits, (callee + (backwards ^ mixed) + (caller >> bits)) & mask

    def call(self, caller, callee, own, total):
        pair = (caller, callee)
        if self.compact or callee not in self.part:
            return
        if pair not in self.pairs:
            free = [bank for bank, at in enumerate(self.places(*pair)) if self.banks[bank][at] is None]
            if not free:
                self.pairless += 1
                return
            self.banks[free[0]][self.places(*pair)[free[0]]] = pair
            self.pairs[pair] = [0, 0, 0]
        for i, more in enumerate((1, own, total)):
            self.pairs[pair][i] += more

    def pair_words(self, pair):
        halves = [half for value in self.pairs.get(pair, (0, 0, 0)) for half in (value & 0xFFFFFFFF, value >> 32)]
        caller, callee = pair or (0, 0)
        return [*halves, 0, 0, 0, 0, caller << 16 | callee]

    def bucket_words(self, number, bucket):
        calls, total, squares = self.buckets.get((number, bucket), (0, 0, 0))
        return [calls & 0xFFFFFFFF, calls >> 32, 0, 0, total & 0xFFFFFFFF, total >> 32, 0, 0, 0, 0, 0,
                *(squares >> at & 0xFFFFFFFF for at in (0, 32, 64))]

    def leave(self, number):
        thread = self.thread()
        if thread.skip:
            thread.skip -= 1
            thread.depth -= 1
            if number < self.size - 64:
                self.count(number)
        elif number < self.size - 64:
            own = [f.number for f in self.own_part(thread.stack)]
            self.unbalanced += not own or own[-1] != number
            if number in own:
                while thread.stack[-1].number != number:
                    self.close()
                if thread.stack[-1].repeats:
                    self.end_repeat()
                else:
                    self.close()

    def land(self, number):
        thread = self.thread()
        if number < self.size - 64 and number in (f.number for f in self.own_part(thread.stack)):
            thread.depth -= thread.skip
            thread.skip = 0
            while thread.stack[-1].number != number:
                self.close()
        else:
            self.unbalanced += number < self.size - 64

    def leave_trap(self):
        thread = self.thread()
        if thread.skip:
            thread.skip -= 1
            thread.depth -= 1
        else:
            self.unbalanced += not thread.stack or thread.stack[-1].kind != "trap"
            if any(f.kind == "trap" for f in thread.stack):
                while self.close().kind != "trap":
                    pass

    def named(self, thread):
        """The open frames of a thread with the values that they would get if they ended now, from the innermost on."""
        clock = above = thread.clock
        for frame in reversed(thread.stack):
            yield frame.number, frame.context, frame.outermost, clock - frame.start, above - frame.start - frame.below
            above = frame.start
            if frame.kind == "trap":
                clock = frame.start

    def mark(self, snapshot_time):
        """Ends an epoch; returns the frames that are open then."""
        followed = self.running < self.followed_threads
        self.pass_time(snapshot_time)
        rest = [self.threads[n] for n in sorted(self.threads) if n != self.running or not followed]
        return [line for thread in ([self.thread()] if followed else []) + rest for line in self.named(thread)]

    def pass_time(self, now):
        if self.running < self.followed_threads:
            self.thread().clock += now - self.now
            self.followed += now - self.now
        self.now = now

    def entry(self, kind, number, data, now, lost_cycles, lost_calls, lost_enters):
        followed = self.running < self.followed_threads
        if kind != T_LOST:
            self.pass_time(now)
        if kind in (T_ENTER, T_EXIT, T_TRAP_ENTER, T_TRAP_LEAVE):
            self.aggregated += 1
            self.untracked += not followed
        if kind == T_CHANNEL and number == CHANNEL_THREAD:
            self.running = data
            if data < self.followed_threads:
                self.thread()
        elif kind == T_CHANNEL and number == CHANNEL_LANDED:
            if followed:
                self.land(~data & 0xFFFFFFFF)
        elif kind == T_END:
            for self.running in sorted(self.threads):
                while self.thread().stack:
                    self.close()
        elif not followed:
            pass
        elif kind == T_LOST:
            frame = self.thread().stack[-1]
            frame.below += lost_cycles
            self.lost += lost_cycles
            frame.lost_here |= bool(lost_calls)
            calls, cycles = self.losses.get(frame.number, (0, 0))
            if not self.compact:
                self.losses[frame.number] = calls + lost_enters, cycles + lost_cycles
        elif kind == T_ENTER:
            self.enter(number, "function")
        elif kind == T_TRAP_ENTER:
            self.enter(self.size - 64 + number, "trap")
        elif kind == T_EXIT:
            self.leave(number)
        elif kind == T_TRAP_LEAVE:
            self.leave_trap()

    def words(self, number):
        calls, own, total, shortest, longest, here, within, untimed = self.records[number]
        shortest = LONGEST if shortest is None else shortest
        lost_calls, lost_cycles = self.losses.get(number, (0, 0))
        halves = [half for value in (calls, own, total, shortest, longest) for half in (value & 0xFFFFFFFF, value >> 32)]
        return [*halves, 0, lost_calls, lost_cycles & 0xFFFFFFFF, lost_cycles >> 32], READY | within << 30 | here << 29 | untimed << 28
