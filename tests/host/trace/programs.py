# SPDX-License-Identifier: Apache-2.0
"""Makes random event sequences that a device could send, and their meaning according to
docs/reference/trace-format.md."""
import random

from gnomon_trace import CHANNEL_CALL_ENTER as CALL_ENTER, CHANNEL_CALL_EXIT as CALL_EXIT, CHANNEL_CALL_MCOUNT as CALL_MCOUNT
from gnomon_trace import CHANNEL_CALL_PATCHED as CALL_PATCHED, CHANNEL_LANDED as LANDED, CHANNEL_LONGJMP as LONGJMP
from gnomon_trace import CHANNEL_THREAD as THREAD, LONGJMP_OTHER_STACK

FIRST_ADDRESS = 0x00800000  # host/lib/profile/profile.h


def foreign(address):
    """Returns the name of a function without a number that is in no program."""
    return f"[0x{address:08x}]"


def doubts(events):
    """Returns the reasons for doubtful figures: unbalanced exits, landings in one of several activations, LONGJMPs
    without LANDED."""
    stacks, thread = {0: []}, 0  # of [number, left by longjmp]; a trap's number is None
    out_of_turn = ambiguous = stack_jumps = 0
    told = False  # a thread message since the last LONGJMP or end of a trap
    # by thread: number of calls open at its LONGJMP that are still open, if since then (traps excepted) calls only
    # ended in turn
    jumped, hookless = {}, 0
    for event in events:
        kind, stack = event[1], stacks.setdefault(thread, [])
        above = len(stack)
        while above and stack[above - 1][0] is not None:
            above -= 1
        landing_open = jumped.get(thread) == len(stack)
        if kind in ("enter", "exit", "trap_leave") and landing_open:
            del jumped[thread]
        told &= kind != "trap_leave"
        if kind in ("enter", "trap_enter"):
            stack.append([event[2] if kind == "enter" else None, False])
        elif kind == "exit":
            at = max((i for i in range(above, len(stack)) if stack[i][0] == event[2]), default=None)
            astray = at is None or stack[at][1] or not all(left for _, left in stack[at + 1:])
            out_of_turn += astray
            del stack[len(stack) if at is None else at:]
            if landing_open and not astray:
                jumped[thread] = len(stack)
        elif kind == "trap_leave":
            out_of_turn += not above or not all(left for _, left in stack[above:])
            del stack[above - 1 if above else len(stack):]
        elif event[1:3] == ("channel", THREAD):
            thread, told = event[3], True
        elif event[1:3] == ("channel", LONGJMP):
            hookless += 1
            stack_jumps += event[3] & LONGJMP_OTHER_STACK and not told
            told = False
            jumped[thread] = len(stack)
        elif event[1:3] == ("channel", LANDED):
            hookless -= jumped.pop(thread, None) == len(stack)
            open_at = [i for i in range(above, len(stack)) if stack[i] == [0xFFFFFFFF - event[3], False]]
            outside = [i for i in range(above) if stack[i] == [0xFFFFFFFF - event[3], False]]
            ambiguous += bool(open_at) and len(open_at) + len(outside) > 1
            out_of_turn += not open_at
            for frame in stack[open_at[-1] + 1:] if open_at else []:
                frame[1] = True
    return {"unbalanced-exits": out_of_turn, "ambiguous-landings": ambiguous, "hookless-landings": hookless, "stack-jumps": stack_jumps}


class Program:
    """The events of a run: calls, recursion, exits that skip frames or match none, traps, threads, messages, loss. `data`: of a device that sends
    accesses of the bus, and data of locks, and counts both."""

    def __init__(self, seed, length=1500, functions=40, loss=True, far=True, wild=True, addresses=(), data=False):
        self.random = random.Random(seed)
        self.data = data
        self.far, self.wild, self.loss = far, wild, loss
        self.addresses = addresses  # of functions instrumented by other compilers
        self.numbers = self.pick_numbers(functions)
        self.cycle = 0
        self.events = [(0, "begin", 0x10000000)]
        self.stacks = {0: []}
        self.thread = 0
        self.counts = [0, 0]  # received, lost
        self.lost_cycles = 0
        for _ in range(length):
            self.step()
        self.pass_time()
        received, lost = self.counts
        how = self.random.choice([0, 0, 0, 1, 2])
        self.events.append((self.cycle, "end", 7, self.cycle * 2 // 3, received + lost, lost, how))

    def pick_numbers(self, functions):
        ranges = [16, 256, 4096, 1 << 16, 1 << 20] if self.wild else [functions]
        return [self.random.randrange(self.random.choice(ranges)) for _ in range(functions)]

    def pass_time(self):
        spans = [1, 3, 15, 16, 63, 64, 500, 8191, 8192, 70000] + ([1 << 33] if self.far else [])
        self.cycle += 1 + self.random.randrange(self.random.choice(spans))

    def emit(self, kind, *fields):
        self.pass_time()
        if self.random.random() < 0.01:
            self.events.append((self.cycle, "time"))
            self.pass_time()
        self.events.append((self.cycle, kind, *fields))
        self.counts[0] += 1

    def step(self):
        r = self.random
        stack = self.stacks[self.thread]
        deep = len(stack) > 400
        choices = [
            (10 if not deep else 1, self.enter),
            (9 if stack else 0, self.leave),
            (0.4, self.message),
            (0.3, self.trap),
            (0.5 if None in stack else 0, self.trap_leave),
            (0.15, self.switch),
            (0.3 if self.wild else 0.1, self.unbalanced),
            (0.3 if self.loss else 0, self.drop),
            (0.03, self.recurse),
            (6 if self.addresses else 0, self.call_message),
            (0.3 if self.addresses else 0, self.land),
        ]
        r.choices([c for _, c in choices], [w for w, _ in choices])[0]()

    def enter(self):
        stack = self.stacks[self.thread]
        # Mostly repeats the usual successor of the topmost function, so that prediction has work.
        number = self.random.choice(self.numbers)
        if stack and stack[-1] is not None and self.random.random() < 0.7:
            number = self.numbers[(stack[-1] * 7 + self.random.randrange(2)) % len(self.numbers)]
        self.emit("enter", number)
        stack.append(number)

    def leave(self):
        stack = self.stacks[self.thread]
        if stack[-1] is None:
            return
        self.emit("exit", stack.pop())

    def unbalanced(self):
        """Adds a longjmp, which leaves frames without their exits, or an exit of a function that is not open."""
        stack = self.stacks[self.thread]
        above = stack[len(stack) - stack[::-1].index(None) :] if None in stack else stack[:]
        number = self.random.choice(above) if above and self.random.random() < 0.6 else self.random.choice(self.numbers)
        self.emit("exit", number)
        if number in above:
            while stack.pop() != number:
                pass

    def recurse(self):
        number = self.random.choice(self.numbers)
        depth = self.random.choice([3, 30, 300])
        for _ in range(depth):
            self.emit("enter", number)
        for _ in range(depth):
            self.emit("exit", number)

    def trap(self):
        self.emit("trap_enter", self.random.choice([2, 11, 32 + 3, 32 + 7, 32 + 11]))
        self.stacks[self.thread].append(None)

    def trap_leave(self):
        stack = self.stacks[self.thread]
        if stack[-1] is not None and self.random.random() < 0.8:
            return
        self.emit("trap_leave")
        while stack.pop() is not None:
            pass

    def switch(self):
        number = self.random.choice([0, 1, 2, 3, 70000])
        self.emit("channel", THREAD, number)
        self.thread = number
        self.stacks.setdefault(number, [])

    def message(self):
        value = self.random.getrandbits(32)
        kind = self.random.randrange(6 if self.data else 4)
        if kind == 0 and self.data:
            self.write("lock", self.random.randrange(4), 4, value & ~7)
        elif kind > 3:
            info = self.random.randrange(2) | self.random.randrange(3) << 1
            self.write("access", info | (self.random.choice([1, 2, 4, 8, 3, 12, 15]) << 4 if info & 1 else 0), 8, value)
        elif kind == 0:
            self.emit("lock", self.random.randrange(4), value & ~7)
        elif kind == 1:
            # Messages from 16 on belong to a loader: in disorder they are a fault, which not all tests want.
            self.emit("module", self.random.randrange(32768) if self.wild else self.random.randrange(6, 16), value)
        elif kind == 2:
            self.emit("channel", self.random.choice([4, 5, 6, 8, 16, 63, 64, 511, 16383]), value)
        else:
            self.events.append((self.cycle, "reserved", self.random.randrange(8), bytes(self.random.randrange(6))))

    def write(self, kind, info, has_data, address):
        """An access; a write has its data."""
        if info & 1:
            self.emit(kind, info | has_data, address, self.random.getrandbits(32))
        else:
            self.emit(kind, info, address)

    def call_message(self):
        channel = self.random.choices([CALL_ENTER, CALL_EXIT, CALL_MCOUNT, CALL_PATCHED], [5, 5, 2, 1])[0]
        self.emit("channel", channel, self.random.choice(self.addresses))

    def land(self):
        """Adds a return of setjmp in an open function, or an invalid message."""
        numbers = [number for number in self.stacks[self.thread] if number is not None] or [77]
        if self.random.random() < 0.5:
            self.emit("channel", LONGJMP, self.random.getrandbits(32))
            # with hookless call tracing, longjmp's own call ends
            while self.stacks[self.thread] and self.random.random() < 0.3:
                self.leave()
        if self.random.random() < 0.3:
            return
        self.emit("channel", LANDED, 0xFFFFFFFF - self.random.choice(numbers))

    def drop(self):
        """Drops subtrees and messages that never entered the FIFO; sometimes reports them in several packets."""
        r = self.random
        at = self.events[-1][0]
        for _ in range(r.choice([1, 1, 1, 2, 3])):
            enters = r.choice([0, 1, 1, 5, 300])
            exits = enters if r.random() < 0.8 else r.randrange(enters + 2)
            others = r.choice([0, 0, 1, 4])
            if enters + exits + others == 0:
                others = 1
            cycles = r.randrange(1, 2000) if enters else 0
            bus = (r.randrange(others + 1),) if self.data else ()
            self.events.append((at, "lost", enters, exits, others, cycles, *bus))
            self.counts[1] += enters + exits + others
            self.cycle += cycles


def access(info, address, *data):
    """What the JSON says of an access of the bus."""
    line = {"port": ("instruction", "data", "host")[info >> 1 & 3], "write": bool(info & 1), "address": address}
    if info & 1:
        lanes = [i for i in range(4) if info >> 4 + i & 1]
        text = data[0].to_bytes(4, "little")[lanes[0]:lanes[-1] + 1]
        line.update(lanes=info >> 4, size=len(text), address=(address & ~3) + lanes[0], data=int.from_bytes(text, "little"))
    return line


def expected_dump(events, data_sent=False):
    """Returns the output of `gnomon dump --json` as far as it follows from the events: a list of (event,
    dictionary)."""
    out, stacks, thread, lost_bus = [], {0: []}, 0, 0
    for event in events:
        cycle, kind, *fields = event
        if kind in ("time", "reserved"):
            continue
        stack = stacks[thread]
        line = {"event": kind, "cycle": cycle, "thread": thread, "depth": len(stack)}
        if kind == "begin":
            line["pc"] = fields[0]
        elif kind == "enter":
            line["number"] = fields[0]
            stack.append(fields[0])
        elif kind == "trap_enter":
            line["number"] = fields[0]
            stack.append(("trap", fields[0]))
        elif kind == "exit":
            line["number"] = fields[0]
            line["ended"] = pop_function(stack, fields[0])
            line["depth"] = len(stack)
        elif kind == "trap_leave":
            ended, cause = pop_trap(stack)
            line["ended"] = ended
            if ended:
                line["number"] = cause
            line["depth"] = len(stack)
        elif kind in ("channel", "module"):
            line["number"], line["value"] = fields
            if kind == "channel" and fields[0] == THREAD:
                thread = fields[1]
                stacks.setdefault(thread, [])
        elif kind == "lock":
            info, address, *data = fields
            segment, flag = info >> 1 & 1, address >> 3 & 1
            line.update(address=address, write=bool(info & 1), segment=segment, locks=bool(flag))
            line.update(by_thread=address >> 16 & 255, lock=address >> 4 & 4095)
            line.update(message=[["released", "acquired"], ["refused", "request"]][segment][flag])
            if data:
                line.update(data=data[0], **({"caller": data[0]} if data[0] else {}))
        elif kind == "access":
            line.update(access(*fields))
        elif kind == "lost":
            line.update(zip(("enters", "exits", "others", "cycles", "bus"), fields))
            lost_bus += fields[4] if data_sent else 0
        elif kind == "end":
            line.update(zip(("status", "instructions", "produced", "lost", "how"), fields))
            if data_sent:
                line["bus_lost"] = lost_bus
        out.append(line)
    return out


def pop_function(stack, number):
    for ended, entry in enumerate(reversed(stack), 1):
        if isinstance(entry, tuple):
            return 0
        if entry == number:
            del stack[-ended:]
            return ended
    return 0


def pop_trap(stack):
    for ended, entry in enumerate(reversed(stack), 1):
        if isinstance(entry, tuple):
            del stack[-ended:]
            return ended, entry[1]
    return 0, None


class Naive:
    """The profile by definition: examines the whole stack for every interval."""

    def __init__(self, events):
        self.calls, self.self, self.total, self.low, self.high = {}, {}, {}, {}, {}
        self.lost_calls, self.lost_cycles = {}, {}
        self.lengths = {}
        self.arc_calls, self.arc_self, self.arc_total = {}, {}, {}
        self.threads = {0: 0}
        self.unprofiled = self.lost = 0
        # Entries: [name, is a trap, caller, cycles, counted by exits, gone]. A frame that a message has ended stays,
        # because the decoder's exits still count it.
        self.stacks = {0: []}
        self.thread, self.now, self.pending = 0, 0, [0, 0]
        for event in events:
            self.event(*event)
        for thread in self.stacks:
            for entry in self.stacks[thread]:
                self.end(entry)

    @staticmethod
    def add(table, key, count):
        table[key] = table.get(key, 0) + count

    def living(self):
        """Returns the part of the running stack whose time runs: from the last trap up."""
        stack = [entry for entry in self.stacks[self.thread] if not entry[5]]
        traps = [i for i, entry in enumerate(stack) if entry[1]]
        return stack[traps[-1] if traps else 0 :]

    def pass_time(self, cycle):
        span, self.now = cycle - self.now, cycle
        calls, lost = self.pending
        self.pending = [0, 0]
        assert lost <= span, (lost, span)
        self.lost += lost
        self.add(self.threads, self.thread, span)
        living = self.living()
        for entry in living:
            entry[3] += span
        for name in {entry[0] for entry in living}:
            self.add(self.total, name, span)
        for arc in {(entry[2], entry[0]) for entry in living}:
            self.add(self.arc_total, arc, span)
        if not living:
            self.unprofiled += span - lost
            return
        top = living[-1]
        self.add(self.self, top[0], span - lost)
        self.add(self.arc_self, (top[2], top[0]), span - lost)
        self.add(self.lost_calls, top[0], calls)
        self.add(self.lost_cycles, top[0], lost)

    def count(self, name, trap=False):
        living = self.living()
        caller = living[-1][0] if living and not trap else None
        self.add(self.calls, name, 1)
        self.add(self.arc_calls, (caller, name), 1)
        return caller

    def push(self, name, trap=False, counted=True):
        caller = self.count(name, trap)
        self.stacks[self.thread].append([name, trap, caller, 0, counted, False])

    def end(self, entry):
        name, _, _, cycles, _, gone = entry
        if not gone:
            self.low[name] = min(self.low.get(name, cycles), cycles)
            self.high[name] = max(self.high.get(name, cycles), cycles)
            self.lengths.setdefault(name, []).append(cycles)
        entry[5] = True

    def pop(self, thread, count):
        stack = self.stacks[thread]
        while count > 0 and stack:
            self.end(stack[-1])
            count -= stack.pop()[4]

    def end_above(self, name, itself):
        """Ends all frames above the topmost frame of that name, within the last trap."""
        living = [entry for entry in self.living() if not entry[1]]
        places = [i for i, entry in enumerate(living) if entry[0] == name]
        for entry in living[places[-1] + (not itself) :] if places else []:
            self.end(entry)

    def channel(self, number, value):
        if number == THREAD:
            self.thread = value
            self.stacks.setdefault(value, [])
            self.threads.setdefault(value, 0)
        elif number == LANDED:
            self.end_above(0xFFFFFFFF - value, False)
        elif value < FIRST_ADDRESS:
            return
        elif number == CALL_ENTER:
            self.push(foreign(value), counted=False)
        elif number == CALL_EXIT:
            self.end_above(foreign(value), True)
        elif number in (CALL_MCOUNT, CALL_PATCHED):
            self.count(foreign(value))

    def event(self, cycle, kind, *fields):
        if kind in ("time", "reserved"):
            return
        if kind == "lost":
            self.pending[0] += fields[0]
            self.pending[1] += fields[3]
            return
        self.pass_time(cycle)
        stack = self.stacks[self.thread]
        shape = [("trap", 0) if entry[1] else entry[0] for entry in stack if entry[4]]
        if kind == "enter":
            self.push(fields[0])
        elif kind == "exit":
            self.pop(self.thread, pop_function(shape, fields[0]))
        elif kind == "trap_enter":
            cause = fields[0]
            self.push(f"[{'interrupt' if cause & 32 else 'exception'} {cause & 31}]", True)
        elif kind == "trap_leave":
            self.pop(self.thread, pop_trap(shape)[0])
        elif kind == "channel":
            self.channel(*fields)
