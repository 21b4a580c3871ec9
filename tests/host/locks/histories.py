# SPDX-License-Identifier: Apache-2.0
"""Random histories of threads and locks. A scheduler without a processor lets threads ask for locks, wait, hold and
release them, and notes what really happened; beside it come the messages that a runtime would have sent.

`Truth` is what happened. `received` computes the same from the messages that are left after a loss, by definition:
every figure by its own search through the messages, without states."""
import bisect
import collections
import random

REQUEST, ACQUIRED, REFUSED, RELEASED = "request", "acquired", "refused", "released"
CODES = {ACQUIRED: (0, 8), RELEASED: (0, 0), REQUEST: (1, 8), REFUSED: (1, 0)}
OWNED = ("mutex", "errorcheck", "spin", "recursive", "rwlock")
COUNTED = ("semaphore", "condition", "queue")

Message = collections.namedtuple("Message", "cycle thread lock what caller")


class Lock:
    def __init__(self, index, kind):
        self.index, self.kind = index, kind
        self.owner, self.depth = None, 0
        self.readers = {}
        self.count = 2
        self.posts = 0
        self.partner = None


class Thread:
    def __init__(self, index):
        self.index = index
        self.held = []  # locks
        self.wanted = None  # [lock, since, caller, contended, posts]


def conflicts(lock):
    """The locks that nobody can acquire while this one is held."""
    return [lock.partner] if lock.kind == "rwlock-read" else [lock, lock.partner] if lock.partner else [lock]


def fresh():
    return {"requests": 0, "contended": 0, "uncontended": 0, "acquisitions": 0, "refused": 0, "releases": 0, "holds": [], "waits": []}


class History:
    """`misuse`: releases by threads that do not own the lock, which fail. `failing`: the share of other releases that fail."""

    def __init__(self, seed, length, threads=4, misuse=True, failing=0.02):
        self.random = random.Random(seed)
        self.cycle = 100
        self.messages = []
        self.threads = [Thread(i) for i in range(threads)]
        kinds = ["mutex", "errorcheck", "spin", "recursive", "semaphore", "mutex", "condition"]
        self.locks = [Lock(3 + i, kind) for i, kind in enumerate(kinds)]
        write, read = Lock(20, "rwlock"), Lock(21, "rwlock-read")
        write.partner, read.partner = read, write
        self.locks += [write, read]
        self.by_lock, self.by_thread, self.by_caller = (collections.defaultdict(fresh) for _ in range(3))
        self.misuse = collections.Counter()
        self.orders = collections.Counter()
        self.allow_misuse, self.failing = misuse, failing
        while len(self.messages) < length:
            self.step(self.random.choice(self.threads))
        self.cycle += 50

    # Figures and messages

    def figures(self, thread, lock, caller):
        return self.by_lock[lock.index], self.by_thread[thread.index, lock.index], self.by_caller[lock.index, caller]

    def send(self, thread, lock, what, caller):
        self.cycle += int(2 ** self.random.uniform(0, 12 if self.random.random() < 0.98 else 34))
        self.messages.append(Message(self.cycle, thread.index, lock.index, what, caller))
        for figures in self.figures(thread, lock, caller):
            figures[{REQUEST: "requests", ACQUIRED: "acquisitions", REFUSED: "refused", RELEASED: "releases"}[what]] += 1

    def site(self, thread, lock, way):
        return 0x10000000 + 4 * (lock.index * 16 + way * 4 + self.random.randrange(2) + 1)

    # What threads do

    def busy(self, thread, lock):
        """Another thread has it."""
        writer = lock.partner.owner if lock.kind == "rwlock-read" else lock.owner
        readers = lock.partner.readers if lock.kind == "rwlock" else {}
        return writer not in (None, thread) or any(reader is not thread for reader in readers)

    def available(self, thread, lock):
        if lock.kind in ("semaphore", "condition"):
            return lock.count > 0
        return not self.busy(thread, lock)

    def step(self, thread):
        if thread.wanted:
            lock, since, caller, contended, posts = thread.wanted
            if self.available(thread, lock):
                self.answer(thread, ACQUIRED)
            elif self.random.random() < 0.1:
                self.answer(thread, REFUSED)
            return
        lock = self.random.choice(self.locks)
        mine = [other for other in thread.held if lock.kind not in COUNTED]
        if mine and self.random.random() < 0.55:
            self.release(thread, self.random.choice(mine))
        elif lock.kind in ("semaphore", "condition") and self.random.random() < 0.5:
            self.post(thread, lock)
        elif self.holds(thread, lock) and lock.kind != "recursive":
            return
        elif lock.partner and self.holds(thread, lock.partner):
            return
        elif self.random.random() < 0.25:
            self.attempt(thread, lock)
        elif self.allow_misuse and lock.kind == "errorcheck" and lock.owner not in (None, thread) and self.random.random() < 0.2:
            self.release_others(thread, lock)
        else:
            self.ask(thread, lock)

    @staticmethod
    def holds(thread, lock):
        return lock.owner is thread or thread in lock.readers

    def ask(self, thread, lock):
        caller = self.site(thread, lock, 0)
        contended = self.busy(thread, lock)
        self.send(thread, lock, REQUEST, caller)
        if lock.kind not in COUNTED:
            for held in dict.fromkeys(thread.held):
                if held is not lock and held is not lock.partner:
                    self.orders[held.index, lock.index] += 1
        thread.wanted = [lock, self.cycle, caller, contended, lock.posts]
        if self.available(thread, lock) and self.random.random() < 0.8:
            self.answer(thread, ACQUIRED)

    def answer(self, thread, what):
        lock, since, caller, contended, posts = thread.wanted
        thread.wanted = None
        self.send(thread, lock, what, caller)
        if lock.kind in COUNTED:
            contended = lock.posts != posts or what == REFUSED
        for figures in self.figures(thread, lock, caller):
            figures["contended" if contended else "uncontended"] += 1
            if contended:
                figures["waits"].append(self.cycle - since)
        if what == ACQUIRED:
            self.take(thread, lock, caller)

    def attempt(self, thread, lock):
        caller = self.site(thread, lock, 1)
        if self.available(thread, lock):
            self.send(thread, lock, ACQUIRED, caller)
            self.take(thread, lock, caller)
        else:
            self.send(thread, lock, REFUSED, caller)

    def overtake(self, lock):
        """Who asked before has to wait, also if the lock was free then."""
        for other in self.threads:
            if other.wanted and other.wanted[0] in conflicts(lock):
                other.wanted[3] = True

    def take(self, thread, lock, caller):
        self.overtake(lock)
        if lock.kind in COUNTED:
            lock.count -= 1
        elif lock.kind == "rwlock-read":
            lock.readers[thread] = (self.cycle, caller)
            thread.held.append(lock)
        elif lock.owner is thread:
            lock.depth += 1
        else:
            lock.owner, lock.depth, lock.since, lock.caller = thread, 1, self.cycle, caller
            thread.held.append(lock)

    def post(self, thread, lock):
        self.send(thread, lock, RELEASED, self.site(thread, lock, 2))
        lock.posts += 1
        lock.count += 1

    def release(self, thread, lock):
        caller = self.site(thread, lock, 2)
        self.send(thread, lock, RELEASED, caller)
        released = self.cycle
        if self.random.random() < self.failing:  # it fails, and the thread still has the lock
            self.send(thread, lock, REFUSED, caller)
            self.undo(thread, lock, caller)
            self.misuse["release-failed", lock.index, thread.index] += 1
            return
        if lock.kind == "rwlock-read":
            since, by = lock.readers.pop(thread)
        else:
            lock.depth -= 1
            if lock.depth:
                return
            since, by, lock.owner = lock.since, lock.caller, None
        thread.held.remove(lock)
        for figures in self.figures(thread, lock, by):
            figures["holds"].append(released - since)

    def undo(self, thread, lock, caller):
        for figures in self.figures(thread, lock, caller):
            figures["refused"] -= 1
            figures["releases"] -= 1

    def release_others(self, thread, lock):
        caller = self.site(thread, lock, 3)
        self.send(thread, lock, RELEASED, caller)
        self.send(thread, lock, REFUSED, caller)
        self.undo(thread, lock, caller)
        self.misuse["released-by-another", lock.index, thread.index] += 1

    def tables(self):
        """The file's section about threads and locks."""
        return {"threads": [[t.index, f"worker {t.index}" if t.index else None, 0] for t in self.threads],
                "locks": [[lock.index, lock.kind, 0x10001000 + 8 * lock.index, f"{lock.kind}-{lock.index}", 0, 1] for lock in self.locks],
                "threads_refused": 0, "locks_refused": 0}


def events(messages, losses, end):
    """The events of a trace. `losses`: places in the list of messages before which some were lost, with their numbers."""
    out = [(0, "begin", 0)]
    for at, message in enumerate(messages):
        if losses.get(at):
            out.append((out[-1][0], "lost", 0, 0, losses[at], 0))
        segment, flag = CODES[message.what]
        address = 0xE0000000 + segment * 0x1000000 + message.thread * 0x10000 + message.lock * 16 + flag
        out.append((message.cycle, "lock", 5 | segment << 1, address, message.caller))
    lost = sum(losses.values())
    if losses.get(len(messages)):
        out.append((out[-1][0], "lost", 0, 0, losses[len(messages)], 0))
    out.append((end, "end", 0, 1000, len(messages) + lost, lost, 0))
    return out


class Received:
    """Figures of one lock that is not recursive, by definition, from what was received. `breaks`: places of losses."""

    def __init__(self, messages, breaks, lock):
        self.lock, self.partner = lock, None
        own = [(at, m) for at, m in enumerate(messages) if m.lock == lock.index]
        self.taken_back = set()  # both messages of releases that failed
        for (one, first), (other, second) in self.neighbours(own, breaks):
            if (first.what, second.what) == (RELEASED, REFUSED) and first.caller == second.caller:
                self.taken_back |= {one, other}
        self.own = [(at, m) for at, m in own if at not in self.taken_back]
        self.segment = lambda at: bisect.bisect_right(breaks, at)
        self.last = len(breaks)
        self.holds, self.holds_unknown = [], 0
        self.waits, self.waits_unknown, self.contended_unknown, self.contended, self.uncontended = [], 0, 0, 0, 0
        self.all = own

    def work(self):
        if self.lock.kind in OWNED:
            self.find_holds(self.own)
        elif self.lock.kind == "rwlock-read":
            for thread in {m.thread for _, m in self.own}:
                self.find_holds([(at, m) for at, m in self.own if m.thread == thread])
        for thread in {m.thread for _, m in self.all}:
            self.find_waits([(at, m) for at, m in self.all if m.thread == thread])

    @staticmethod
    def neighbours(own, breaks):
        last = {}
        for at, m in own:
            before = last.get(m.thread)
            if before and bisect.bisect_right(breaks, before[0]) == bisect.bisect_right(breaks, at):
                yield before, (at, m)
            last[m.thread] = at, m

    def find_holds(self, own):
        """Each message that begins or ends a hold, with the one before it."""
        marks = [(at, m) for at, m in own if m.what in (ACQUIRED, RELEASED)]
        before = None
        for at, m in marks:
            same = before and self.segment(before[0]) == self.segment(at)
            if same and (before[1].what, m.what) == (ACQUIRED, RELEASED):
                self.holds.append(m.cycle - before[1].cycle)
            elif not same and self.segment(at) > 0:
                self.holds_unknown += m.what == RELEASED or bool(before and before[1].what == ACQUIRED)
            before = at, m
        if before and before[1].what == ACQUIRED and self.segment(before[0]) < self.last:
            self.holds_unknown += 1

    def find_waits(self, own):
        """`own`: messages of one thread. Those that are taken back say that it does not wait, as other releases do."""
        asked, known, broken = None, 0, False  # known: the segment in which it is known whether the thread waits
        for at, m in own:
            if self.segment(at) != known:
                broken = broken or asked is not None
                asked, unknown = None, True
            else:
                unknown = False
            if m.what == RELEASED or at in self.taken_back:
                if self.lock.kind not in COUNTED:
                    self.waits_unknown += broken
                    broken, known = False, self.segment(at)
                continue
            if m.what == REQUEST:
                self.waits_unknown += broken
                asked = at, m
            elif unknown:
                self.waits_unknown += 1
            elif asked:
                self.judge(asked, at, m)
                asked = None
            broken, known = False, self.segment(at)
        if known != self.last:
            broken = broken or asked is not None
            self.waits_unknown += broken

    def judge(self, asked, at, m):
        contended = self.had_to_wait(asked[0], at, m) if self.lock.kind in COUNTED else self.overtaken(asked, at) or self.held(asked[0], asked[1].thread)
        if contended is None:
            self.contended_unknown += 1
        elif contended:
            self.contended += 1
            self.waits.append(m.cycle - asked[1].cycle)
        else:
            self.uncontended += 1

    def had_to_wait(self, asked, at, m):
        return m.what == REFUSED or any(asked < other < at and o.what == RELEASED for other, o in self.own)

    def overtaken(self, asked, at):
        """Did another thread acquire it since?"""
        both = [self, self.partner] if self.partner else [self]
        return any(asked[0] < other < at and m.what == ACQUIRED and m.thread != asked[1].thread
                   for figures in both if figures.lock in conflicts(self.lock) for other, m in figures.own)

    def held(self, at, thread):
        """Did another thread have it before `at`? None: not known."""
        writers = self if self.lock.kind in OWNED else self.partner
        answers = [writers.owned(at, thread)]
        if self.lock.kind == "rwlock":
            answers.append(self.partner.read(at, thread, self))
        return True if True in answers else None if None in answers else False

    def marks(self, at):
        """The messages before `at` and after the last loss that begin or end a hold."""
        return [(other, m) for other, m in self.own
                if other < at and self.segment(other) == self.segment(at) and m.what in (ACQUIRED, RELEASED)]

    def owned(self, at, thread):
        marks = self.marks(at)
        if not marks:
            return None if self.segment(at) else False
        return marks[-1][1].what == ACQUIRED and marks[-1][1].thread != thread

    def read(self, at, thread, writers):
        holders = {}
        for _, m in self.marks(at):
            holders[m.thread] = m.what == ACQUIRED
        if any(holds for other, holds in holders.items() if other != thread):
            return True
        cleared = any(m.what == ACQUIRED for _, m in writers.marks(at))
        return False if cleared or not self.segment(at) else None


def received(history, messages, breaks):
    """The figures of all locks by index."""
    out = {lock.index: Received(messages, breaks, lock) for lock in history.locks}
    for lock in history.locks:
        out[lock.index].partner = out[lock.partner.index] if lock.partner else None
    for figures in out.values():
        figures.work()
    return out
