#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benches of hookless call tracing: a machine with real stacks runs random programs and knows when each function ends.
The bench compares this with the trace, cycle by cycle; it contains nothing of the hardware's method.

usage: watched.py --simulation FILE --out FOLDER --places-log2 N --frames-log2 N --marks N [CASE...]   (FILE: a vvp file or an executable;
marks 1: the device sends arguments and results of marked functions)
"""
import json
import os
import random

import run
from cases import ALL, CONTROL, REG_WRITE, Script
from gnomon_trace import CHANNEL_REGISTER, CHANNEL_THREAD, FRAME_BYTES
from options import values
from trace_check import CHANNEL, ENTER, EXIT, START, Decoder, check_run, need

REGS = 12
WATCH = 0x80
REGISTERS = {register["name"]: int(register["offset"], 16) for block in json.load(open("rtl/soc/registers.json", encoding="utf-8"))["blocks"]
             if block["name"] == "PROFILE" for register in block["registers"]}
PLACES, MISSED, OVERRUN, VALUES, TABLE = (REGISTERS[f"WATCH_{name}"] for name in ("PLACES", "MISSED", "OVERRUN", "VALUES", "TABLE"))
RA, SP, A0, A1 = 1, 2, 10, 11
CODE, HOOKED = 0x10000000, 40  # numbers up to HOOKED belong to functions with hooks
MEMORY = 1 << 25


def places(address, log2):
    """The two possible places of an address."""
    bits = log2 - 1
    mask = (1 << bits) - 1
    low, high = address >> 1 & mask, address >> bits + 1 & mask
    backwards = int(f"{high:0{bits}b}"[::-1], 2)
    return low ^ high, 1 << bits | (low + (low << 3 & mask | low >> bits - 3) + backwards) & mask


def fill(functions, log2):
    """Places each address, and moves others to their second place if necessary; addresses without a place are left
    out."""
    at = {}
    for address in functions:
        mover, bank = address, 0
        for _ in range(100):
            place = places(mover, log2)[bank]
            at[place], mover = mover, at.get(place)
            if mover is None:
                break
            bank = 1 - (places(mover, log2)[1] == place)
    return {address: place for place, address in at.items()}


class Call:
    """A function that runs, or waits for its callee."""

    def __init__(self, sp, back, number, trap=False):
        self.sp, self.back, self.number, self.trap = sp, back, number, trap
        self.size = 0  # size of its frame
        self.called = False  # has called another function, and so has lost ra


class Machine(Script):
    """Instructions of a hart and their meaning for calls."""

    marks = False  # the device sends arguments and results of marked functions

    def __init__(self, rng, gap, places_log2, frames_log2, control=ALL | WATCH, functions=60, want_lost=None):
        super().__init__(control=None, want_lost=want_lost)
        self.rng, self.gap, self.most = rng, gap, 1 << frames_log2
        self.control = control
        addresses = sorted(rng.sample(range(CODE, CODE + 0x8000, 2), 2 * functions))
        rng.shuffle(addresses)
        self.others = addresses[functions:]
        where = fill(addresses[:functions], places_log2)
        self.numbers = {address: HOOKED + i + (rng.randrange(1, 16) << 16) * (i % 8 == 7) for i, address in enumerate(where)}
        self.odd = random.Random(places_log2)  # of marks and values; so the calls do not depend on them
        self.marked = {number for number in self.numbers.values() if self.odd.random() < 0.2}
        self.op(40, REG_WRITE, PLACES, 0)
        self.op(1 << places_log2, REG_WRITE, CONTROL, control)
        for i, (address, place) in enumerate(where.items()):
            self.op(0, REG_WRITE, TABLE + i * 8 % 0x400, address | (self.numbers[address] in self.marked))
            self.op(0, REG_WRITE, TABLE + i * 8 % 0x400 + 4, place << 20 | self.numbers[address])
        self.missed, self.hidden = 0, 0
        self.threads, self.thread = {0: [Call(0, None, None)]}, 0
        self.sp = self.ra = self.a0 = self.a1 = 0
        self.hooked = []

    # ---- Known state ----

    @property
    def calls(self):
        return self.threads[self.thread]

    @property
    def top(self):
        return self.calls[-1]

    def floor(self):
        """Index of the innermost trap, or of the thread's first call."""
        return max([i for i, call in enumerate(self.calls) if call.trap], default=0)

    def frames(self):
        return sum(call.number is not None for call in self.calls)

    def amidst(self):
        """An address at which no function begins."""
        return CODE + 0x9000 + 2 * self.rng.randrange(1 << 12)

    def watches(self, address):
        """The function's number if its call is followed, else None."""
        if address not in self.numbers or not self.control & WATCH:
            return None
        if self.thread > 7 or self.frames() >= self.most or any(call.trap and call.number is None for call in self.calls):
            self.missed += 1
            return None
        return self.numbers[address]

    def note(self, kind, number):
        if number is not None:
            self.event(kind, number, None, None, True)

    def values(self, number, *values):
        if number in self.marked and self.marks:
            for value in values:
                self.event(CHANNEL, CHANNEL_REGISTER, value & 0xFFFFFFFF, None, True)

    def entered(self, number, arguments=None):
        self.note(ENTER, number)
        self.values(number, CODE | self.ra & MEMORY - 2, *(arguments or (self.a1, self.a0)))

    def end_top(self, returns=False):
        call = self.calls.pop()
        if not call.trap:
            self.note(EXIT, call.number)
            if returns:
                self.values(call.number, self.a0)

    # ---- Instructions ----

    def instruction(self, word, rd=0, value=0, rs1=0, following=None, pc=None, first=False, gap=None):
        if rd or rs1 or first:
            self.op(0, REGS, value, rd, rs1 | first << 8)
            self.cycle -= 1
        pc = self.amidst() if pc is None else pc
        self.retire(self.gap() if gap is None else gap, word, pc, pc + (4 if word & 3 == 3 else 2) if following is None else following)
        if rd == SP:
            self.sp = value & 0xFFFFFFFF
        if rd == RA:
            self.ra = value
        if rd == A0:
            self.a0 = value
        if rd == A1:
            self.a1 = value

    def set_argument(self, share):
        if self.odd.random() < share:
            self.instruction(0x00052503, self.odd.choice((A0, A0, A1, 12)), self.odd.getrandbits(32), 10, pc=CODE + 0x9000, gap=self.odd.choice((0, 0, 0, 1, 5)))

    def set_sp(self, value, moves=None):
        """Changes sp by an addition, or in another way."""
        add = [(0x00010113, SP), (0x6101, SP)]
        move = [(0x00510133, SP), (0x9116, SP), (0x00012103, SP), (0x4102, SP), (0x00040113, 8), (0x812E, 0), (0x34011173, SP)]
        word, rs1 = self.rng.choice(add + move if moves is None else move if moves else add)
        self.instruction(word, SP, value, rs1)

    def make_frame(self):
        if not self.top.size and not self.top.trap and self.top is not self.calls[0]:
            self.top.size = 16 * self.rng.randrange(1, 5)
            self.set_sp(self.sp - self.top.size, False)

    def address(self):
        return self.rng.choice(list(self.numbers)) if self.rng.random() < 0.7 else self.rng.choice(self.others)

    def call(self, target=None, frame=True):
        """Calls a function. A caller that needs no stack must never return."""
        if frame:
            self.make_frame()
        self.set_argument(0.5)
        target = self.address() if target is None else target
        self.top.called = True
        back = CODE + 0x10000 + 2 * self.rng.randrange(1 << 16)
        word, rs1 = self.rng.choice(((0x000000EF, 0), (0x2001, 0), (0x000600E7, 12), (0x9602, 12), (0x000080E7, 1)))
        self.instruction(word, RA, back, rs1, following=target)
        number = self.watches(target)
        self.entered(number)
        self.calls.append(Call(self.sp, back, number))
        self.set_argument(0.2)

    def jump(self, target, link=0, loop=False):
        """Returns True for a jump through a register. Compilers make a `loop` only with a direct jump."""
        word, rs1 = self.rng.choice(((0x0000006F, 0), (0xA001, 0), (0x00078067, 15), (0x8782, 15))[:2 if loop else 4])
        if link:
            word, rs1 = 0x0000006F | link << 7, 0
        self.instruction(word, link, CODE if link else 0, rs1, following=target)
        return rs1 != 0

    def restore(self, plain=False):
        """Restores sp; with an addition wherever another way would look like a longjmp."""
        if self.top.size:
            below = self.calls[-2]
            plain |= self.top.number is None and (not below.size or below.trap)
            self.set_sp(self.sp + self.top.size, False if plain else None)
        self.top.size = 0

    def restore_ra(self):
        if self.top.called:
            self.instruction(0x00012083, RA, self.top.back, SP)

    def ret(self):
        through_ra = self.rng.random() < 0.9
        if through_ra:
            self.restore_ra()
        self.restore()
        self.set_argument(0.3)
        word, rs1 = self.rng.choice(((0x00008067, 1), (0x8082, 1)) if through_ra else ((0x00030067, 6), (0x8302, 6)))
        self.instruction(word, 0, 0, rs1, following=self.top.back)
        self.end_top(True)
        self.set_argument(0.2)

    def tail_call(self):
        target = self.address()
        self.restore_ra()
        self.restore(target not in self.numbers)
        indirect = self.jump(target)
        if target in self.numbers:
            call = self.top
            if call.number is not None and call.number == self.numbers[target] and not indirect:
                return  # indistinguishable from a loop
            self.end_top()
            number = self.watches(target)
            self.entered(number)
            self.calls.append(Call(call.sp, call.back, number))
        self.top.called = False

    def leave_through(self):
        """Leaves through a function that restores registers and stack for its caller, and returns in its place."""
        user = self.top
        target = self.rng.choice(list(self.numbers))
        self.jump(target)
        number = self.watches(target)
        self.entered(number)
        self.calls.append(Call(self.sp, None, number))
        self.instruction(0x00012083, RA, user.back, SP)
        self.set_sp(self.sp + user.size, False)
        self.instruction(0x8082, 0, 0, 1, following=user.back)
        self.end_top()
        self.end_top(True)

    def longjmp(self):
        """Jumps to a function with a frame, in the same trap, out of functions that may never have returned."""
        first = self.floor()
        goals = [i for i in range(first, len(self.calls) - 1) if self.calls[i].size]
        if not goals:
            return
        goal = self.rng.choice(goals)
        height = self.calls[goal].sp - self.calls[goal].size
        back = CODE + 0x40000 + 2 * self.rng.randrange(1 << 16)
        self.instruction(0x00052083, RA, back, 10)
        self.set_sp(height, True)
        self.instruction(0x8082, 0, 0, 1, following=back)
        while len(self.calls) - 1 > goal:
            self.end_top()
        self.calls[goal].called = True

    def noise(self):
        """Instructions that are unrelated to calls of watched functions."""
        x = self.rng.randrange(8)
        if x == 0:
            self.jump(self.amidst())
        elif x == 1:
            self.jump(self.rng.choice(list(self.numbers)), link=5)
        elif x == 2:
            self.instruction(0x00000463, following=self.rng.choice(list(self.numbers)))  # a branch, even to a function
        elif x == 3:
            self.channel(self.gap(), 20, self.rng.getrandbits(32), lock=(0xE0000010, 1) if self.rng.random() < 0.5 else None)
        elif x == 4:
            self.lock(self.gap(), 0xE1000020, 0)
        elif x == 5:
            self.instruction(0x9002)  # a c.ebreak that retires
        elif x == 6 and self.top.number is not None and not self.top.size and not self.top.called:
            self.jump(next(a for a, n in self.numbers.items() if n == self.top.number), loop=True)
        else:
            self.instruction(0x13)

    def hook(self):
        """A function with hooks and without callees."""
        number = self.rng.randrange(HOOKED)
        self.enter(self.gap(), number)
        self.noise()
        self.exit(self.gap(), number)

    # ---- Traps ----

    def enter_trap(self):
        kind = self.rng.choice((2, 11, 32 + 7, 32 + 3))
        super().trap(self.gap(), kind)
        room = self.thread < 8 and self.frames() < self.most and not any(c.trap and c.number is None for c in self.calls)
        marker = Call(self.sp, None, -1 if room else None, trap=True)
        marker.ra = self.ra
        self.calls.append(marker)
        target = self.address()
        arguments = self.a1, self.a0
        if self.rng.random() < 0.5:  # directly to the handler, whose first instruction may change them
            self.instruction(0x13, self.odd.choice((0, A0, A1)), self.odd.getrandbits(32), pc=target, first=True)
        else:
            self.instruction(0x0000006F, pc=self.others[0], following=target, first=True)
        number = self.watches(target)
        self.entered(number, arguments)
        self.calls.append(Call(self.sp, None, number))

    def enter_hidden(self):
        """A trap whose handler, a function of the table, begins with a message: its call is not followed."""
        self.instruction(0x13, pc=next(iter(self.numbers)))  # a message has the address of the instruction before it
        super().trap(self.gap(), 11)
        room = self.frames() < self.most and not any(c.trap and c.number is None for c in self.calls)
        marker = Call(self.sp, None, -1 if room else None, trap=True)
        marker.ra = self.ra
        self.calls.append(marker)
        self.op(0, REGS, 0, 0, 1 << 8)
        self.cycle -= 1
        self.channel(self.gap(), 20, self.rng.getrandbits(32))
        self.hidden += 1

    def leave_trap(self):
        """Leaves the trap from anywhere in it."""
        marker = self.calls[self.floor()]
        if self.ra != marker.ra:
            self.instruction(0x00012083, RA, marker.ra, SP)
        if self.sp != marker.sp:
            self.set_sp(marker.sp)
        self.op(self.gap(), 4)
        self.retired += 1
        while self.calls[-1] is not marker:
            self.end_top()
        self.calls.pop()
        self.event("trap_leave", None, None, None, self.control & 4)

    # ---- Threads ----

    def switch(self, message_first):
        """Switches to another thread; the message THREAD comes before the call of the switching function, or within
        it."""
        goal = self.rng.choice([t for t in (0, 1, 2, 3, 7, 9) if t != self.thread])
        switcher = next(iter(self.numbers))
        self.make_frame()
        saved = (self.thread, self.sp)
        if message_first:
            self.top.called = True
            self.turn(goal)
            back = self.back_of_switch = CODE + 0x90000
            self.instruction(0x000000EF, RA, back, 0, following=switcher)
            number = self.watches(switcher)
            self.entered(number)
        else:
            self.call(switcher)
            self.make_frame()
            self.top.called = True
            number = None
        self.sps[saved[0]] = self.sp if not message_first else saved[1]
        if goal in self.begun:
            self.set_sp(self.sps[goal], True)
        else:
            self.set_sp(0x20000000 + 0x100000 * (goal * 5 % 8), True)
        if not message_first:
            self.turn(goal)
        if goal in self.begun:
            if message_first:
                self.instruction(0x00012083, RA, CODE + 0x90000, SP)
                self.instruction(0x8082, 0, 0, 1, following=CODE + 0x90000)
                self.note(EXIT, number)
            else:
                self.ret()
        else:
            self.begun.add(goal)
            entry = self.address()
            self.instruction(0x00012083, RA, entry, SP)
            self.instruction(0x8082, 0, 0, 1, following=entry)
            self.note(EXIT, number)
            number = self.watches(entry)
            self.entered(number)
            self.calls.append(Call(self.sp, None, number))

    def turn(self, goal):
        self.channel(self.gap(), CHANNEL_THREAD, goal)
        self.thread = goal
        self.threads.setdefault(goal, [])

    # ---- Programs ----

    def start(self):
        self.begin()
        self.a0 = self.a1 = 0
        self.sps, self.begun = {}, {0}
        self.set_sp(0x21000000, True)
        self.calls[0].sp, self.calls[0].size = self.sp + 64, 64
        self.calls[0].called = True

    def walk(self, steps, traps=0.01, jumps=0.01, tails=0.05, threads=0.0, message_first=False, naked=0.02, depth=12, noise=0.2):
        while steps > 0:
            steps -= 1
            x, level = self.rng.random(), self.floor()
            inside = len(self.calls) - level
            if x < noise:
                self.hook() if self.rng.random() < 0.3 else self.noise()
            elif x < noise + traps and level < 3 * depth:
                self.enter_trap()
            elif x < noise + 2.2 * traps and self.calls[level].trap:
                self.leave_trap()
            elif x < noise + 3 * traps + jumps:
                self.longjmp()
            elif x < noise + 3 * traps + jumps + threads and not self.calls[level].trap and inside > 0:
                self.switch(message_first)
            elif x < noise + 3 * traps + jumps + threads + tails and self.top.back is not None:
                self.tail_call()
            elif self.rng.random() < (0.9 if inside < 3 else 0.52) and inside < depth:
                # Functions that never return and need no stack can only be left by longjmp.
                endless = self.rng.random() < naked and self.top.back is not None and jumps and not self.top.size and not threads
                self.call(frame=not endless)
                if endless:
                    self.calls[-2].back = None
            elif self.top.back is not None and not self.top.trap:
                through = self.top.size and self.rng.random() < 0.1
                self.leave_through() if through else self.ret()

    def finish(self):
        self.instruction(0x13)
        self.op(100 + 4 * self.most, 11)
        self.read(0, MISSED, self.missed)
        self.read(0, OVERRUN, self.hidden)
        self.read(0, VALUES, int(self.marks))
        self.quit()


def programs(places_log2, frames_log2):
    few = 1 << frames_log2
    for name, typical, args, steps, more, balanced in (
            ("plain", 4, ["rate=1"], 3000, {}, True),
            ("traps", 6, ["rate=1"], 3000, {"traps": 0.1}, True),
            ("jumps", 4, ["rate=1"], 3000, {"jumps": 0.05, "naked": 0.2}, True),
            ("tails", 3, ["rate=1"], 3000, {"tails": 0.5}, True),
            ("deep", 3, ["rate=1"], 5000, {"depth": 3 * few, "jumps": 0.003, "traps": 0.02}, True),
            ("threads", 5, ["rate=1"], 4000, {"threads": 0.05}, False),
            ("message-first", 5, ["rate=1"], 4000, {"threads": 0.05, "message_first": True}, False),
            ("threads-traps", 5, ["rate=1"], 4000, {"threads": 0.05, "traps": 0.05}, False),
            ("back-to-back", 0, ["rate=1"], 6000, {"jumps": 0.01}, True),
            ("lossy", 1, ["rate=12"], 6000, {"traps": 0.02, "jumps": 0.01}, True),
            ("stalled", 2, ["stall=60000"], 6000, {"jumps": 0.005}, True)):
        for seed in range(3):
            rng = random.Random(f"{name}{seed}")

            def gap(rng=rng, typical=typical):
                return int(rng.expovariate(1 / typical)) if typical else 0

            machine = Machine(rng, gap, places_log2, frames_log2)
            machine.start()
            machine.walk(steps, **more)
            machine.finish()
            yield f"{name}{seed}", machine, args, balanced
    # No calls without WATCH in CONTROL, and none without FUNCTIONS.
    for name, control in (("unwatched", ALL), ("no-functions", (ALL | WATCH) & ~2)):
        machine = Machine(random.Random(name), lambda: 2, places_log2, frames_log2, control=control)
        machine.control &= ~(0 if control & 2 else WATCH)
        machine.start()
        machine.walk(1000)
        machine.finish()
        yield name, machine, ["rate=1"], True
    machine = Machine(random.Random(4), lambda: 2, places_log2, frames_log2)
    machine.start()
    for _ in range(20):
        machine.walk(20, traps=0)
        machine.enter_hidden()
        machine.leave_trap()
    machine.finish()
    yield "hidden", machine, ["rate=1"], True
    # Two runs; the host stops the second one.
    machine = Machine(random.Random(5), lambda: 3, places_log2, frames_log2)
    for i in range(2):
        machine.threads, machine.thread, machine.missed = {0: [Call(0, None, None)]}, 0, 0
        machine.start()
        machine.walk(300, traps=0.05)
        if i == 0:
            machine.reset()
    machine.stop(200)
    yield "again", machine, ["rate=1"], True


def tail_calls(places_log2, frames_log2, count, came_too_fast):
    """Functions that jump to each other, one in each cycle: two events a cycle, which overflow any queue."""
    machine = Machine(random.Random(1), lambda: 0, places_log2, frames_log2)
    machine.set_argument = lambda share: None  # no instructions between the jumps
    machine.start()
    targets = list(machine.numbers)[:7]
    machine.call(targets[0])
    machine.begun_at, machine.chain = machine.made[-1][1], [machine.numbers[target] for target in targets]
    for i in range(count):
        machine.jump(targets[(i + 1) % len(targets)])
    machine.op(4000, 11)
    machine.read(0, OVERRUN, came_too_fast)
    machine.quit()
    return machine


def overrun(simulation, folder, places_log2, frames_log2):
    """Calls that come too fast are counted exactly; all other events are as without them."""
    jumps, too_fast = 3000, 0
    for _ in range(2):
        machine = tail_calls(places_log2, frames_log2, jumps, too_fast)
        text, data = run.simulate(simulation, folder, "overrun", machine.lines, ["rate=1"])
        got = Decoder().run(data)
        enters = sum(event[0] == ENTER for event in got) + sum(event[3][0] for event in got if event[0] == "lost")
        too_fast = jumps + 1 - enters
        wrong = [event for event in got if event[0] == ENTER and event[2] != machine.chain[(event[1] - machine.begun_at) % len(machine.chain)]]
        need(not wrong, "overrun: times", wrong[:3])
    end = got[-1][3]
    need("PASS" in text and end["status"] == 0 and end["instructions"] == machine.retired and 500 < enters < jumps, "overrun", text, end, enters)
    print(f"overrun: {too_fast} of {jumps + 1} calls came too fast; {text.strip()}")


def main():
    simulation, folder, places_log2, frames_log2, marks, chosen = values(__doc__, "simulation", "out", "places-log2", "frames-log2", "marks", rest="CASE", least=0)
    simulation, places_log2, frames_log2 = os.path.abspath(simulation), int(places_log2), int(frames_log2)
    Machine.marks = bool(int(marks))
    os.makedirs(folder, exist_ok=True)
    for name, machine, args, balanced in programs(places_log2, frames_log2):
        if chosen and name not in chosen:
            continue
        text, data = run.simulate(simulation, folder, name, machine.lines, args)
        need("PASS" in text, name, text)
        start = max(i for i in range(0, len(data), FRAME_BYTES) if data[i:i + 8] == START)
        decoder = Decoder()
        got = decoder.run(data[start:])
        try:
            received = check_run(machine.made, got, balanced)
        except Exception:
            print(f"{name}: made and got differ")
            raise
        lossy = "rate=1" not in args
        need(lossy == (decoder.lost > 0) or name.startswith("back"), name, "lost", decoder.lost)
        print(f"{name}: {received} events received, {decoder.lost} lost, {machine.missed} calls without a frame; {text.strip()}")
    if not chosen or "overrun" in chosen:
        overrun(simulation, folder, places_log2, frames_log2)


if __name__ == "__main__":
    main()
