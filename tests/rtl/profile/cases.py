# SPDX-License-Identifier: Apache-2.0
"""Stimuli for gnomon_profile, each with the list of events of the hart and the bus."""
import random

from gnomon_trace import CHANNEL_THREAD, WINDOW_BASE
from trace_check import ACCESS, BEGIN, CHANNEL, END, ENTER, EXIT, LOCK, MODULE, TRAP_ENTER, TRAP_LEAVE

STOP, STORE, EXCEPTION, INTERRUPT, MRET, RETIRE, REG_WRITE, REG_READ, HART_RST, HPM_WRITE, HPM_READ, IDLE = range(12)
JUMP, LOAD = 13, 14
CONTROL, STATUS, FLUSH_CYCLES, PRODUCED, LOST_COUNT = 0x00, 0x04, 0x08, 0x0C, 0x10
BUS_FIRST, BUS_LAST, BUS_CONTROL = 0x30, 0x34, 0x38
BUS = 0x200  # of CONTROL
INSTRUCTION, DATA, HOST = range(3)  # ports of the bus
ALL = 0x3F
PC = 0x10000000
NUMBER_BITS = {"small": 16, "mid": 16, "full": 20}


def whole(access):
    """An access of the bus with port, byte lanes and data; those of a lock access, which is only (address, write)."""
    address, write, *rest = access
    return (address, int(write), *(rest or (DATA, 15, ~address & 0xFFFFFFFF)))


class Script:
    number_bits = 20  # bits of a function number on the device
    snooped = True  # lock accesses are seen on the bus, else when they retire
    data = False  # packets of accesses have the data of writes
    filtered = False  # there is a filter for any accesses

    def __init__(self, control=ALL, want_forms=(), want_lost=None):
        self.lines, self.made = [], []
        self.want_forms, self.want_lost = want_forms, want_lost
        self.control = control
        self.cycle = None  # None: the hart is in reset
        self.gives_up = False  # the device will end the trace by itself
        self.passing = None  # the filter: first address, last address, BUS_CONTROL
        if control is not None:
            self.op(40, REG_WRITE, CONTROL, control)

    def op(self, gap, op, a=0, b=0, c=0, lock=None):
        """After gap idle cycles, op in one cycle. lock: (address, write) of a lock access on the bus in the same cycle; any access: with its port,
        byte lanes and data."""
        bus = (0, 0, 0, 0)
        if lock and self.snooped:
            address, write, port, lanes, value = whole(lock)
            bus = (1 | port << 1 | lanes << 4, address, write, value)
        self.lines.append((gap, op, a & 0xFFFFFFFF, b & 0xFFFFFFFF, c, *bus))
        if self.cycle is not None:
            self.cycle += gap + 1
        return self.cycle

    def begin(self, gap=5, pc=PC):
        """Leaves reset, and retires the first instruction."""
        self.op(20, HART_RST, 0)
        self.cycle = 0
        self.made, self.retired, self.running = [], 0, bool(self.control & 1)
        if self.running:
            self.made.append((BEGIN, 0, None, pc))
        self.retire(gap, pc=pc)

    def reset(self, cycles=40):
        self.op(0, HART_RST, 1)
        self.op(cycles, IDLE)
        self.cycle = None

    def event(self, kind, number, data, lock, enabled):
        if not self.running:
            return
        if enabled:
            self.made.append((kind, self.cycle, number, data))
        if lock and self.snooped:
            self.access_event(*whole(lock))

    def access_event(self, address, write, port, lanes, value):
        what = (address, value) if write and self.data else address
        if self.control & 16 and address >> 25 == 0x70 and port == DATA:
            self.made.append((LOCK, self.cycle, write | (address >> 24 & 1) << 1 | (write and self.data) << 2, what))
        elif self.passing and self.passing[0] <= address <= self.passing[1] and self.passing[2] & 1 << write and self.passing[2] & 4 << port:
            self.made.append((ACCESS, self.cycle, write | port << 1 | (write and self.data) << 3 | (lanes if write else 0) << 4, what))

    def filter(self, first, last, control, on=True):
        if on and not self.control & BUS:
            self.control |= BUS
            self.op(1, REG_WRITE, CONTROL, self.control)
        for register, value in ((BUS_FIRST, first), (BUS_LAST, last), (BUS_CONTROL, control)):
            self.op(1, REG_WRITE, register, value)
        self.op(0, IDLE)
        self.passing = (first, last, control) if on else None

    def bus(self, gap, *access):
        """An access of the bus alone: address, write, port, byte lanes, data."""
        self.op(gap, IDLE, lock=access)
        self.event(ACCESS, None, None, access, False)

    def store(self, gap, address, value, register, mask, lock=None):
        self.op(gap, STORE, address, value, register | mask << 8, lock)
        self.retired += 1

    def retire(self, gap=0, instruction=0x13, pc=PC, following=PC + 4):
        self.op(gap, RETIRE, instruction, following, pc)
        self.retired += 1

    def carries(self, number):
        return self.control & 2 and number >> self.number_bits == 0

    def enter(self, gap, number, lock=None):
        self.store(gap, 0xFFFFFFFF - number, PC + 4 * number, 1, 1, lock)
        self.event(ENTER, number, None, lock, self.carries(number))

    def exit(self, gap, number, lock=None):
        self.store(gap, 0xFFFFFFFF - number, PC, 2, 1, lock)
        self.event(EXIT, number, None, lock, self.carries(number))

    def reserved(self, gap, rng):
        """A store without a meaning: a byte from another register, words below the channels, addresses just below
        the window."""
        first, register, mask = rng.choice(((WINDOW_BASE, 10, 1), (WINDOW_BASE, 1, 3), (WINDOW_BASE, 2, 15), (0xFFE00000, 1, 1), (0xFFE00000, 10, 15)))
        self.store(gap, first + rng.randrange(0x3C000) * 4, rng.getrandbits(32), register, mask)

    def jump(self, gap, cycles):
        """Advances the counter of record by that many more cycles."""
        self.op(gap, JUMP, cycles, cycles >> 32)
        self.cycle += cycles

    def channel(self, gap, number, value, lock=None):
        self.store(gap, 0xFFFFFFFC - 4 * number, value, 10, 15, lock)
        self.event(CHANNEL, number, value, lock, self.control & 8)

    def module(self, gap, number, value):
        self.store(gap, 0xFFFFFFFE - 2 * number, value, 11, 3)
        self.event(MODULE, number, value, None, self.control & 32)

    def trap(self, gap, cause):
        self.op(gap, INTERRUPT if cause & 32 else EXCEPTION, cause)
        self.event(TRAP_ENTER, cause, None, None, self.control & 4)

    def mret(self, gap):
        self.op(gap, MRET)
        self.retired += 1
        self.event(TRAP_LEAVE, None, None, None, self.control & 4)

    def lock(self, gap, address, write):
        if self.snooped:
            self.op(gap, IDLE, lock=(address, write))
            self.event(LOCK, None, None, (address, write), False)
        else:
            self.access(gap, address, write)
            self.event(LOCK, write | (address >> 24 & 1) << 1, address, None, self.control & 16)

    def access(self, gap, address, write):
        """A store or load of memory."""
        self.op(gap, STORE if write else LOAD, address, ~address, (2 if write else 0) | 15 << 8)
        self.retired += 1

    def quit(self, gap=3, status=0):
        """The program's EXIT message."""
        self.store(gap, 0xFFFFFFFC, status, 10, 15)
        self.end(status, 0)

    def stop(self, gap=3):
        """The host clears ENABLE; END comes in the next cycle."""
        self.op(gap, REG_WRITE, CONTROL, self.control & ~1)
        self.op(0, IDLE)
        self.end(0, 1)

    def end(self, status, how):
        if self.running:
            self.made.append((END, self.cycle, None, {"status": status, "how": how, "instructions": self.retired}))
        self.running = False

    def read(self, gap, register, want, mask=0xFFFFFFFF):
        self.op(gap, REG_READ, register, want & mask, mask)

    def csr(self, gap, address, want):
        self.op(gap, HPM_READ, address, want)
        self.op(2, IDLE)


def walk(script, rng, calls, gap, numbers, traps=0.01, others=0.02, locks=0.0, threads=0.0, depth=40, start=()):
    """A random walk over a tree of calls; it closes every frame at the end."""
    stack = list(start)

    def lock():
        if rng.random() >= locks:
            return None
        return (0xE0000000 + (rng.random() < 0.5) * 0x1000000 + rng.randrange(1 << 16) * 8, rng.random() < 0.5)

    while calls > 0 or stack:
        x = rng.random()
        if x < others:
            rng.choice((lambda: script.channel(gap(), rng.choice((8, 16, 63, 200, 16383)), rng.getrandbits(32), lock()),
                        lambda: script.module(gap(), rng.randrange(32768), rng.getrandbits(32)),
                        lambda: script.reserved(gap(), rng),
                        lambda: script.retire(gap())))()
        elif x < others + locks:
            script.lock(gap(), *lock() or (0xE1234568, 1))
        elif x < others + locks + threads:
            script.channel(gap(), CHANNEL_THREAD, rng.randrange(5), lock())
        elif calls > 0 and len(stack) < depth and rng.random() < 0.5 + 0.4 * (len(stack) < 3):
            calls -= 1
            if rng.random() < traps:
                cause = rng.choice((32 + 7, 32 + 3, 11, 2))
                script.trap(gap(), cause)
                stack.append(None)
            else:
                number = numbers()
                script.enter(gap(), number, lock())
                stack.append(number)
        elif stack:
            number = stack.pop()
            if number is None:
                script.mret(gap())
            else:
                script.exit(gap(), number, lock())


def gaps(rng, typical):
    """Mostly short gaps, sometimes long gaps or gaps at the boundaries of the packet forms."""
    edges = (14, 15, 16, 62, 63, 64, 8190, 8191, 8192, 70000)
    often = 0.02 if typical >= 40 else 0.0005
    return lambda: rng.choice(edges) if rng.random() < often else min(int(rng.expovariate(1 / typical)), 40 * typical) if typical else 0


def some_numbers(rng, size=60):
    popular = [rng.choice((rng.randrange(256), rng.randrange(4096), rng.randrange(1 << 16), rng.randrange(1 << 20))) for _ in range(size)] + [255, 256, 4095, 4096]
    return lambda: popular[min(int(rng.expovariate(0.1)), len(popular) - 1)]


FORMS = ("exit1", "enter1", "exit2", "enter2", "near", "row6", "ENTER_LONG", "EXIT_FAR", TRAP_ENTER, TRAP_LEAVE, CHANNEL, LOCK, MODULE, END)


def random_runs(config):
    for seed, (typical, args, calls, lost) in enumerate((
            (40, ["rate=1"], 3000, False), (12, ["rate=10"], 6000, True), (3, ["rate=10"], 6000, True), (0, ["rate=40"], 6000, True),
            (20, ["random=1"], 5000, None), (6, ["random=1"], 5000, None), (5, ["stall=60000"], 9000, True), (0, ["rate=1"], 6000, True))):
        rng = random.Random(seed)
        script = Script(want_forms=FORMS if lost is False else (), want_lost=None if config == "full" else lost)
        script.begin()
        walk(script, rng, calls * (4 if config == "full" and lost else 1), gaps(rng, typical), some_numbers(rng), locks=0.03)
        script.quit(status=rng.getrandbits(32))
        yield f"random{seed}", script, args, True


def threads(_config):
    """Context switches: the encoder clears its stack, because calls no longer nest in one stack."""
    rng = random.Random(77)
    script = Script(want_forms=("EXIT_LONG",))
    script.begin()
    walk(script, rng, 4000, gaps(rng, 30), some_numbers(rng), threads=0.02)
    script.quit()
    yield "threads", script, ["rate=1"], False


def unbalanced(config):
    """Exits without enters and enters without exits, as longjmp leaves them, with a slow and with a fast reader."""
    for rate in (1, 12):
        rng = random.Random(rate)
        script = Script(want_forms=("EXIT_LONG",))
        script.begin()
        for _ in range(300 if config == "full" else 100):
            walk(script, rng, 30, gaps(rng, 10), some_numbers(rng))
            for _ in range(rng.randrange(4)):
                number = rng.randrange(300)
                script.enter(rng.randrange(9), number)
                if rng.random() < 0.2:  # not the exit of this function
                    script.exit(rng.randrange(9), number | 1 << rng.randrange(16, 20))
            for _ in range(rng.randrange(4)):
                script.exit(rng.randrange(9), rng.randrange(300))
        script.quit()
        yield f"unbalanced{rate}", script, [f"rate={rate}"], False


def edges(config):
    """Each boundary of the packet forms, once."""
    script = Script(want_forms=("exit1", "enter1", "exit2", "enter2", "near", "row6", "ENTER_LONG", "EXIT_FAR"), want_lost=False)
    script.begin(gap=0)
    for number in (0, 255, 256, 4095, 4096, (1 << 16) - 1, 1 << 16, (1 << 20) - 1):
        long = (8191, 8192, 16383, 16384, 20000) if number in (255, 4095) else ()
        for distance in (1, 15, 16, 63, 64, 127, 128, *long):
            for _ in range(2):  # the second enter is predicted
                script.enter(distance - 1, number)
                script.exit(distance - 1, number)
    script.channel(0, 16383, 0xFFFFFFFF)
    script.quit(0, 0xFFFFFFFF)
    yield "edges", script, ["rate=1"], True

    # Every fill of a frame: all its bytes of packets, then a packet that no longer fits.
    script = Script(want_lost=False)
    script.begin()
    for phase in range(45):
        for _ in range(phase):
            script.enter(20, 7)
            script.exit(20, 7)
        script.module(20, 32767, 5)
        for _ in range(240):
            script.enter(20, 7)
            script.exit(20, 7)
    script.quit()
    yield "frame_fill", script, ["rate=1"], True


def deep(config):
    """Recursion deeper than FIFO and stack; the reader keeps up, so no event is lost."""
    for depth in (255, 256, 257, 1500):
        script = Script(want_forms=("EXIT_LONG",) if depth > 256 else (), want_lost=False)
        script.begin()
        for i in range(depth):
            script.enter(60, i % 9)
        for i in reversed(range(depth)):
            script.exit(60, i % 9)
        script.quit()
        yield f"deep{depth}", script, ["rate=1"], True


def traps(_config):
    script = Script(want_forms=(TRAP_ENTER, TRAP_LEAVE), want_lost=False)
    script.begin()
    for number in range(60):
        script.enter(2, number)
        script.trap(0, 32 + number % 16)  # the cycle after a message
        script.enter(0, 300 + number)
        script.trap(number, number % 16)  # nested
        script.mret(1)
        script.exit(0, 300 + number)
        script.mret(0)
        script.exit(0, number)
        script.op(500, IDLE)
    script.mret(3)  # without an enter: the encoder clears its stack
    script.quit()
    yield "traps", script, ["rate=1"], False


def coincide(_config):
    """A lock access in the cycle of each kind of event; a series of events without a cycle between them."""
    script = Script(want_lost=False)
    script.begin()
    where = (0xE0A5F00C, 1), (0xE1FFFFF8, 0)
    for number in range(20):
        lock = where[number % 2]
        script.enter(0, number, lock)
        script.channel(0, 8, number, lock)
        script.exit(0, number, lock)
        script.lock(0, *lock)
        script.lock(0, *where[0])
        for address in (0xDFFFFFF8, 0xE2000000, 0xA0000008, 0xF0000000):  # no lock segment
            script.access(0, address, number % 2)
        script.op(900, IDLE)
    script.quit()
    yield "coincide", script, ["rate=1"], True


def ends(config):
    """END by program and by host, after a loss, inside a dropped subtree, and in an empty run."""
    for how in ("quit", "stop"):
        for inside in (0, 1, 5):
            script = Script(want_lost=inside > 0)
            script.begin()
            for i in range(3000 if inside else 20):
                script.enter(2, i % 50)
                if not (inside == 5 and i > 2990):
                    script.exit(3, i % 50)
            getattr(script, how)(100)
            script.enter(5, 1)  # no event is captured after END
            yield f"end_{how}{inside}", script, ["stall=40000"], inside < 5
    script = Script()
    script.begin()
    script.quit(0, 7)
    yield "end_at_once", script, ["rate=1"], True


def overflows(config):
    """Counters of losses near their maximum: LOST is sent while a subtree is dropped; if the reader stands still,
    END reports it."""
    for name, stall in (("early", 10000), ("stuck", 300000)):
        if config == "full":
            break  # its counters are too wide for a test
        script = Script(want_lost=True)
        script.begin()
        for i in range(600):
            script.enter(1, i)
            script.exit(1, i)
        script.enter(1, 7)
        for i in range(75000):
            script.channel(1, 8, i)
        script.exit(1, 7)
        script.quit()
        script.gives_up = name == "stuck"
        yield "overflow_" + name, script, [f"stall={stall}"], True


def classes(config):
    """Each class alone; disabled classes make no events. Also a run that began with the trace off."""
    for control in (0x03, 0x05, 0x09, 0x11, 0x21, 0x01, 0x3E):
        rng = random.Random(control)
        script = Script(control=control)
        script.begin()
        if control == 0x3E:
            script.op(9, REG_WRITE, CONTROL, ALL)  # too late for this run
        walk(script, rng, 300, gaps(rng, 20), some_numbers(rng), traps=0.2, others=0.2, locks=0.1)
        script.quit()
        if control == 0x3E:
            script.made = []
        yield f"classes{control:02x}", script, ["rate=1"], True


def resets(_config):
    """A reset of the hart at any time discards all events; frames stay whole, and the next run is right."""
    for cut in list(range(0, 600, 37)) + [5000]:
        rng = random.Random(cut)
        script = Script()
        script.begin()
        walk(script, rng, 20 + cut // 10, lambda: 1, some_numbers(rng))
        script.op(cut, IDLE)
        script.reset()
        script.begin()
        walk(script, rng, 100, gaps(rng, 20), some_numbers(rng))
        script.quit()
        yield f"reset{cut}", script, ["rate=2"], True


def flushes(_config):
    """Frames finished early, by request and by FLUSH_CYCLES; and STATUS meanwhile."""
    script = Script(want_lost=False)
    script.op(0, REG_WRITE, FLUSH_CYCLES, 0)
    script.begin()
    script.read(3, STATUS, 0, 7)  # a frame is open
    for i in range(10):
        script.enter(20, i)
        script.exit((400, 20)[i % 2], i)
        script.op(200 * (i % 2), REG_WRITE, CONTROL, 0x100 | ALL)  # also in the cycle after an event
        script.read(900, STATUS, 2, 7)
    script.op(0, REG_WRITE, FLUSH_CYCLES, 4096)
    script.read(0, FLUSH_CYCLES, 4096)
    script.enter(20, 1)
    script.read(4096, STATUS, 0, 7)
    script.read(3 * 4096, STATUS, 2, 7)
    script.op(0, REG_WRITE, FLUSH_CYCLES, 5)
    script.read(0, FLUSH_CYCLES, 1)
    script.op(0, REG_WRITE, FLUSH_CYCLES, 0xFFFFFFFF)
    script.read(0, FLUSH_CYCLES, 0xFF000)
    script.read(0, CONTROL, ALL)
    script.exit(20, 1)
    script.read(200, PRODUCED, 22)
    script.read(0, LOST_COUNT, 0)
    script.quit()
    script.read(1500, STATUS, 6, 7)
    yield "flush", script, ["rate=1"], True


def counters(config):
    """mcycle, minstret and the other counters, exact to the cycle."""
    mcycle, minstret, inhibit = 0xB00, 0xB02, 0x320
    script = Script(control=0)
    script.begin(gap=9)
    now = lambda gap: script.cycle + gap + 1 + 2  # the cycle whose value a read after gap idle cycles returns
    script.csr(4, mcycle, now(4))
    script.csr(0, 0xC00, now(0))
    script.csr(0, 0xC01, now(0))
    script.csr(0, 0xC80, 0)
    script.csr(0, minstret, 1)
    for i in range(300):
        script.retire(i % 3)
    script.csr(0, minstret, 301)
    script.csr(0, 0xC02, 301)
    script.trap(0, 2)  # does not retire
    script.csr(0, minstret, 301)
    script.csr(2000, mcycle, now(2000))
    # Many reads at each distance: each read stops the sweep for two cycles.
    for gap in range(10):
        for i in range(100):
            script.csr(gap, mcycle, now(gap))
            script.csr(gap, 0xC01, now(gap))
    for gap in range(1, 10):
        for i in range(100):
            script.csr(gap, mcycle + 0x80, 0)
        script.csr(0, mcycle, now(0))
        script.csr(0, 0xC01, now(0))
    for gap in range(2, 10):
        for i in range(100):
            script.op(gap, HPM_WRITE, 0xB1F, 0)
        script.csr(2, mcycle, now(2))
        script.csr(0, 0xC01, now(0))
    # Writes: the written value is visible in the cycle after the pulse; the write's own retirement does not count.
    for value in (0, 0xFFFFFFF0, 0xFFFFFFFF, 0x7FFFFF80, 0xFFFFFF7F, 0xFFFFFF80):
        for high in (5, 0xFFFFFFFF):
            for wait in (0, 1, 5, 14, 40, 126, 127, 128, 129, 130, 300):
                script.op(0, HPM_WRITE, mcycle + 0x80, high)
                script.op(2, HPM_WRITE, mcycle, value)
                written = script.cycle + 1
                for address in (mcycle, mcycle + 0x80, mcycle, mcycle + 0x80):
                    want = (high << 32) + value + now(wait) - written
                    script.csr(wait, address, (want >> (32 if address & 0x80 else 0)) & 0xFFFFFFFF)
    for value in (0xFFFFFFFF, 0xFFFFFFFE, 126, 127):
        script.op(0, HPM_WRITE, minstret + 0x80, 8)
        script.retire(1)
        script.op(2, HPM_WRITE, minstret, value)
        script.retire(1)
        for i in range(4):
            for half in (0, 0x80):
                script.csr(0, minstret + half, (((8 << 32) + value + i) >> (32 if half else 0)) & 0xFFFFFFFF)
            script.retire()
    # A carry that belonged to the old upper half vanishes with it.
    for wait in range(40):
        script.op(2, HPM_WRITE, mcycle, 0xFFFFFFF0)
        script.op(13 + wait, HPM_WRITE, mcycle + 0x80, 7)
        for i in range(4):
            script.csr(2 + wait, mcycle + 0x80, 7 + (wait < 2))  # the carry comes after the write
    # mcountinhibit stops the counters; CSRs that do not exist read 0 and ignore writes.
    script.op(0, HPM_WRITE, inhibit, 0xFFFFFFFF)
    script.csr(2, inhibit, {"small": 5, "mid": 0x1D, "full": 0x1FD}[config])
    script.op(0, HPM_WRITE, mcycle, 1000)
    script.csr(500, mcycle, 1000)
    script.op(0, HPM_WRITE, inhibit, 4)
    script.csr(50, mcycle, 1000 + 52)
    script.csr(0, 0xC01, now(0))
    for address in (0xB1F, 0xB9F, 0x33F, 0xC1F, 0xB0C, 0xB0E, 0xB0F):
        script.op(2, HPM_WRITE, address, 0xFFFFFFFF)
        script.csr(2, address, 0)
    selectable = {"small": 0, "mid": 2, "full": 6}[config]
    script.op(0, HPM_WRITE, inhibit, 0)
    for i in range(selectable):
        script.op(2, HPM_WRITE, 0x323 + i, (44, 2, 1, 35, 34, 39)[i])
        script.csr(2, 0x323 + i, (44, 2, 1, 35, 34, 39)[i])
    for i in range(selectable):
        script.op(2, HPM_WRITE, 0xB03 + i, 0)
        script.op(2, HPM_WRITE, 0xB83 + i, 0)
    if selectable:
        first = script.cycle - 6 * (selectable - 1) - 3 + 1  # mhpmcounter3 is 0 in this cycle
        for i in range(2000):
            script.op(0, RETIRE, 0x0000006F, PC + 8, PC)
            script.op(1, RETIRE, 0x00000063, PC + 4 + 4 * (i & 1), PC)
            script.enter(0, i)
        script.csr(0, 0xB03, now(0) - first)
    if selectable > 2:
        for i, want in ((2, 6000), (3, 2000), (4, 1000), (5, 2000)):
            script.csr(0, 0xB03 + i, want)
            script.csr(0, 0xC03 + i, want)
            script.csr(0, 0xC83 + i, 0)
    yield "counters", script, ["rate=1"], True
    if not selectable:
        return
    # The trace's own events.
    script = Script(control=9)
    script.begin()
    script.op(2, HPM_WRITE, 0x323, 42)
    script.op(2, HPM_WRITE, 0xB03, 0)
    for i in range(60):
        script.channel(30, 8, i)
    script.csr(0, 0xB03, 60)
    # Messages count, whatever their meaning; stores below the window do not.
    script.op(2, HPM_WRITE, 0x324, 39)
    script.op(2, HPM_WRITE, 0xB04, 0)
    for i in range(60):
        script.store(3, WINDOW_BASE + (i << 14) + 4 * i, 0, i % 32, (1, 3, 15)[i % 3])
        script.store(3, 0xFFEFFFFC - (i << 14), 0, 1, (1, 3, 15)[i % 3])
    script.csr(0, 0xB04, 60)
    script.quit()
    yield "counters-trace", script, ["rate=1"], True


def counts_read(config):
    """PRODUCED and LOST, read at every distance from the sweep; mcycle and time stay exact."""
    mcycle = 0xB00
    script = Script(want_lost=False)
    now = lambda gap: script.cycle + gap + 1 + 2
    script.begin()
    made = 0
    for gap in range(1, 40):
        for i in range(gap):
            script.enter(30, i)
            script.exit(30, i)
        made += 2 * gap
        script.op(100, IDLE)
        for register, want in ((PRODUCED, made), (LOST_COUNT, 0)):
            for _ in range(40):
                script.read(gap, register, want)
        script.csr(4, mcycle, now(4))
        script.csr(0, 0xC01, now(0))
    # In every cycle, and in every second one: the sweep still gets to all counters. Of two reads in a row the second gives 0.
    for register, want in ((PRODUCED, made), (LOST_COUNT, 0)):
        for i in range(400):
            script.read(0, register, want * (i % 2 == 0))
        for i in range(400):
            script.read(1, register, want)
        script.csr(4, mcycle, now(4))
        script.csr(0, 0xC01, now(0))
    # With a CSR read before and after each.
    for i in range(100):
        script.read(i % 5, PRODUCED, made)
        script.csr(1 + i % 3, mcycle, now(1 + i % 3))
    # A CSR read comes first, in its first cycle (behind the border, where an access is a cycle later) and in its second one.
    for i in range(50):
        if config == "full":
            script.read(i % 7, PRODUCED, 0)
            script.csr(0, mcycle, now(0))
        else:
            script.op(i % 7, HPM_READ, mcycle, now(i % 7))
            script.read(0, PRODUCED, 0)
            script.op(1, IDLE)
    script.quit()
    for i in range(200):  # while END collects the same counts
        script.csr(1 + i % 4, mcycle, now(1 + i % 4))
        script.read(0, PRODUCED, made)
    yield "counts_read", script, ["rate=1"], True


def workload(_config):
    """Similar to a program: a fixed call graph, leaf calls in loops; for the figure of bytes per event."""
    rng = random.Random(5)
    script = Script(want_lost=False)
    script.begin()

    def call(level):
        number = level * 7 + rng.choice((0, 0, 0, 1, 2))
        script.enter(rng.randrange(10, 45), number)
        for _ in range(rng.choice((0, 1, 3, 8)) if level < 6 else 0):
            call(level + 1 + rng.randrange(2))
        script.exit(rng.randrange(10, 60), number)

    while len(script.made) < 40000:
        call(0)
    script.quit()
    yield "workload", script, ["rate=10"], True


CASES = {f.__name__: f for f in (edges, deep, traps, coincide, ends, overflows, classes, resets, flushes, counters, counts_read, threads, unbalanced,
                                 random_runs, workload)}
