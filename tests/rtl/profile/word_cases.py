# SPDX-License-Identifier: Apache-2.0
"""Stimuli for gnomon_profile with lock words (exact addresses), and with interrupts that are switched off and on."""
import random

import gnomon_trace as gt
from cases import ALL, IDLE, LOAD, REG_WRITE, STORE, Script
from trace_check import CHANNEL, WORD

LOCK_WORD, LOCK_WORD_PLACE = 0xB0, 0xB4
LOCK_WORDS, INTERRUPTS = 0x400, 0x800  # of CONTROL
OP_CSR, OP_REQUESTS = 15, 16
MEMORY, SIZE = 0x10000000, 1 << 25
PRESENT, FULL = 1 << 31, 1 << 29
SETTLED = 3  # cycles from the write of an address to the first access that it makes an event
MASKS = {1: 1, 2: 3, 4: 15}


class Words:
    """What the table holds: by set, the addresses in their ways."""

    places_log2 = 10

    def __init__(self, script):
        self.script, self.sets, self.since, self.count = script, {}, {}, 0
        self.last_set = (1 << self.places_log2 - 2) - 1
        script.op(300, IDLE)  # the table is empty after power-on
        script.read(1, LOCK_WORD_PLACE, PRESENT | self.places_log2 << 10)

    def add(self, address, gap=1, wait=True):
        self.script.op(gap, REG_WRITE, LOCK_WORD, address)
        word, full = address & ~3, False
        ways = self.sets.setdefault(word >> 2 & self.last_set, [])
        fits = MEMORY <= address < MEMORY + SIZE
        if fits and word not in ways:
            full = len(ways) == 4
            if not full:
                ways.append(word)
                self.count += 1
                self.since[word] = (self.script.cycle or 0) + SETTLED
        if not wait:
            return
        state = PRESENT | self.places_log2 << 10 | self.count << 16 | FULL * full
        if word in ways:
            place = ways.index(word) << 8 | word >> 2 & self.last_set
            self.script.read(6, LOCK_WORD_PLACE, state | place)
            self.script.read(1, LOCK_WORD, word)
            self.script.op(1, REG_WRITE, LOCK_WORD_PLACE, place)
            self.script.read(6, LOCK_WORD, word)
        else:
            self.script.read(6, LOCK_WORD_PLACE, state, 0xFFFFFC00)
            self.script.read(1, LOCK_WORD, 0)

    def access(self, gap, address, size, reads, writes, value, lock=None):
        """A load, store or atomic instruction; an event if the word has a place by then."""
        script, mask = self.script, MASKS[size]
        if writes:
            script.op(gap, STORE, address, value, 10 | mask << 8 | (mask << 12 if reads else 0), lock)
        else:
            script.op(gap, LOAD, address, value, mask << 8, lock)
        script.retired += 1
        word = address & ~3
        ways = self.sets.get(word >> 2 & self.last_set, [])
        seen = word in ways and MEMORY <= address < MEMORY + SIZE and script.cycle >= self.since[word]
        number = writes << 15 | reads << 14 | (mask << (address & 3) & 15) << 10 | (ways.index(word) << 8 | word >> 2 & self.last_set if seen else 0)
        script.event(WORD, number, value, lock, seen and script.control & LOCK_WORDS)


def random_access(words, rng, pool, gap, lock=None):
    size = rng.choice((1, 2, 4, 4, 4))
    reads, writes = rng.choice(((1, 0), (0, 1), (1, 1) if size == 4 else (0, 1)))
    address = rng.choice(pool) + rng.randrange(0, 4, size)
    words.access(gap, address, size, reads, writes, rng.getrandbits(32), lock)


def words(_config):
    """Each way of each kind of set; addresses that differ from one of the table in one bit; addresses that are added while their set is
    looked up; a full set; addresses outside; then losses."""
    if not Script.filtered:
        return
    script = Script(control=ALL | LOCK_WORDS, want_forms=(WORD,), want_lost=False)
    table = Words(script)
    base = 0x10012340
    for way in range(5):  # the fifth has no place
        table.add(base + way * 1024 + way % 4)
        table.add(base + way * 1024)
    for outside in (0x0FFFFFFC, 0x12000000, 0x90012340, 0xF0002000, 0):
        table.add(outside)
    for address in (MEMORY, MEMORY + SIZE - 4, 0x11555554):
        table.add(address)
    script.begin()
    for bit in range(2, 32):
        for address in (base, base + 3 * 1024, MEMORY, MEMORY + SIZE - 4):
            table.access(2, address, 4, 1, 0, bit)
            table.access(0, address ^ 1 << bit, 4, 0, 1, bit)
    for offset in range(4):
        for size in (1, 2, 4):
            if offset % size == 0:
                for reads, writes in ((1, 0), (0, 1), (1, 1)):
                    table.access(3, base + offset, size, reads, writes, 0x01020304 * size)
    # The lock segments and other ports in the same cycle; then in debug mode, and without the class.
    for number in range(16):
        table.access(5, base, 4, number & 1, 1, number, (0xE0000008 + 16 * number, number % 2))
    script.op(3, REG_WRITE, 0, ALL)
    script.op(3, IDLE)
    script.control = ALL
    table.access(5, base, 4, 1, 0, 1)
    script.op(3, REG_WRITE, 0, ALL | LOCK_WORDS)
    script.op(3, IDLE)
    script.control = ALL | LOCK_WORDS
    script.read(3, 0, script.control)
    # Added while accesses of the same set go on, in each cycle.
    for number in range(120):
        word = 0x10020000 + 4 * number
        for far in range(number % 4):
            table.add(word + 1024 * (far + 8))
        script.op(9, IDLE)
        table.add(word, wait=False)
        for later in range(8):
            table.access(0, word + (1024 * 8 if number % 4 and later % 3 == 2 else 0), 4, later & 1, 1 - (later & 1), number << 8 | later)
        script.op(9, IDLE)
    script.quit()
    yield "words", script, ["rate=1"], True
    yield from losses()


def losses():
    for seed, args in enumerate((["rate=10"], ["random=1"], ["stall=60000"], ["rate=60"])):
        rng = random.Random(seed)
        script = Script(control=ALL | LOCK_WORDS, want_lost=True)
        table = Words(script)
        pool = [MEMORY + 4 * rng.randrange(SIZE // 4) for _ in range(300)] + [MEMORY + 1024 * i for i in range(6)]
        for address in pool[:200] + pool[-6:]:
            table.add(address)
        script.begin()
        for _ in range(4000):
            lock = (0xE0000000 + 8 * rng.randrange(1 << 20), rng.randrange(2)) if rng.random() < 0.2 else None
            if rng.random() < 0.1:
                rng.choice((script.enter, script.exit))(rng.randrange(4), 7, lock)
            else:
                random_access(table, rng, pool, rng.choice((0, 0, 1, 5)), lock)
        script.quit()
        yield f"words_lost{seed}", script, args, False


LINES = (3, 7, 11, 16, 13)  # of the interrupts' codes, as in the bundle


class Mstatus:
    """MIE and MPIE as the instructions, traps and mret change them; the cycles since interrupts have been asked for."""

    def __init__(self, script):
        self.script, self.mie, self.mpie, self.lines, self.since = script, 0, 0, 0, [None] * len(LINES)

    def csr(self, gap, function, operand, csr=0x300, pc=0x10000100):
        """function: funct3; operand: the value of rs1, or the immediate."""
        immediate = function >= 4
        self.script.op(gap, OP_CSR, csr << 20 | (operand & 31 if immediate else 11) << 15 | function << 12 | 0x73, 0x5A5A5A5A if immediate else operand, pc)
        self.script.retired += 1
        if csr != 0x300:
            return
        before = self.mie, self.mpie
        bits = [operand >> 3 & 1, 0 if immediate else operand >> 7 & 1]
        kind = function & 3
        after = [b if kind == 1 else a | b if kind == 2 else a & ~b for a, b in zip(before, bits)]
        self.mie, self.mpie = after
        self.script.event(CHANNEL, gt.CHANNEL_INTERRUPTS + self.mpie, pc & ~1 | self.mie, None, tuple(after) != before and self.script.control & INTERRUPTS)

    def trap(self, gap, cause):
        """No instruction retires in the cycle after it, in which the message about an interrupt's wait comes."""
        self.script.trap(gap, cause)
        self.mie, self.mpie = 0, self.mie
        taken = self.script.cycle
        self.script.op(0, IDLE)
        if cause - 32 in LINES:
            line = LINES.index(cause - 32)
            self.script.event(CHANNEL, gt.CHANNEL_INTERRUPT_WAIT, (taken - self.since[line]) << 5 | cause - 32, None, self.script.control & INTERRUPTS)
            self.since[line] = taken

    def request(self, gap, lines):
        """From this cycle on, these lines ask for an interrupt."""
        self.script.op(gap, OP_REQUESTS, lines)
        for line in range(len(LINES)):
            if lines >> line & 1 and not self.lines >> line & 1:
                self.since[line] = self.script.cycle
        self.lines = lines

    def mret(self, gap):
        self.script.mret(gap)
        self.mie, self.mpie = self.mpie, 1


def interrupts(_config):
    """Each instruction that writes mstatus with each operand, in each state; traps and mret; other CSRs; then at random."""
    if not Script.filtered:
        return
    for seed, control in enumerate((ALL | INTERRUPTS, INTERRUPTS | 1, ALL)):
        rng = random.Random(seed)
        script = Script(control=control)
        script.begin()
        state = Mstatus(script)
        for function in (1, 2, 3, 5, 6, 7):
            for before in range(4):
                for bits in range(4):
                    state.csr(2, 1, (before & 1) << 3 | (before >> 1) << 7 | 0x1800)
                    operand = (bits & 1) << 3 | (bits >> 1) << 7 | rng.getrandbits(32) & ~0x88
                    state.csr(1, function, operand if function < 4 else operand & 31, pc=MEMORY + 2 * rng.randrange(1 << 20))
        depth = 0
        for _ in range(1500):
            x = rng.random()
            if x < 0.1 and depth < 5:
                asked = [line for line in range(len(LINES)) if state.lines >> line & 1]
                state.trap(rng.randrange(9), 32 + LINES[rng.choice(asked)] if asked and rng.random() < 0.7 else 11)
                depth += 1
            elif x < 0.15:
                state.request(rng.randrange(9), rng.getrandbits(5))
            elif x < 0.2 and depth:
                state.mret(rng.randrange(9))
                depth -= 1
            elif x < 0.3:
                script.enter(rng.randrange(9), 5)
                script.exit(rng.randrange(9), 5)
            else:
                state.csr(rng.randrange(9), rng.choice((1, 2, 3, 5, 6, 7)), rng.getrandbits(32), rng.choice((0x300, 0x300, 0x304, 0x340, 0x700)))
        while depth:
            state.mret(3)
            depth -= 1
        script.quit()
        yield f"interrupts{seed}", script, ["rate=1"], True


def long_waits(_config):
    """Waits around the largest that a message can hold; lines that ask twice, stay, fall before the trap, and rise in its cycle. Time jumps:
    hookless call tracing keeps only low bits of it."""
    if not Script.filtered:
        return
    script = Script(control=ALL | INTERRUPTS)
    script.begin()
    state = Mstatus(script)
    half = 1 << 26

    def to(cycle):
        """Jumps over the cycles up to shortly before `cycle`, and waits until it."""
        script.jump(0, cycle - 10 - script.cycle)
        script.op(8, IDLE)

    for start in (-1, 0, 1, 1000):  # around a change of bit 26
        for halves, end in ((0, 500), (1, -2), (1, 0), (1, 1), (2, -2), (2, -1), (2, 0), (2, 1)):
            base = (script.cycle // half + 1) * half
            to(base + start - 1)
            state.request(0, 2)
            for passed in range(1, halves + 1):
                to(base + passed * half + (end - 2 if passed == halves else 3))
            asked = state.since[1]
            script.trap(0 if halves else 500, 32 + 7)
            taken = script.cycle
            script.op(0, IDLE)
            ticks = sum(asked <= base + i * half - 1 < taken for i in range(4))
            script.event(CHANNEL, gt.CHANNEL_INTERRUPT_WAIT, ((1 << 27) - 1 if ticks > 1 else taken - asked) << 5 | 7, None, True)
            state.mie, state.mpie = 0, state.mie
            state.mret(5)
            state.request(5, 0)
    state.request(3, 2)
    state.trap(7, 32 + 7)
    state.mret(20)  # still asked for: the next wait has begun with the handler
    state.trap(7, 32 + 7)
    state.request(0, 0)
    state.mret(3)
    state.request(3, 1)
    state.request(3, 0)
    state.trap(1, 32 + 3)  # the line has fallen
    state.request(4, 1)
    state.mret(3)
    script.quit()
    yield "interrupts_wait", script, ["rate=1"], True
