# SPDX-License-Identifier: Apache-2.0
"""Time that counts an event: how often each event happens in the cycles of a script, and programs that make them."""
import random
from bisect import bisect_right

import cases
from cases import DATA, EXCEPTION, HART_RST, HOST, INSTRUCTION, INTERRUPT, JUMP, LOAD, MRET, RETIRE, STORE, Script, gaps, walk

REGS, CSR = 12, 15  # operations of the bench
CLOCK_AT = 12  # of CONTROL
UART_DATA = 0xF0002000
(RETIRED, FETCH, TRAP, BRANCHES, TAKEN, JUMPS, LOADS, STORES, COMPRESSED, EXCEPTIONS, INTERRUPTS, CYCLES, INSTRUCTION_READS, DATA_READS, DATA_WRITES,
 HOST_READS, HOST_WRITES, IO_BYTES) = NUMBERS = (1, 2, 8, 33, 34, 35, 36, 37, 38, 40, 41, 44, 50, 51, 52, 53, 54, 60)
READS, WRITES = {INSTRUCTION: INSTRUCTION_READS, DATA: DATA_READS, HOST: HOST_READS}, {DATA: DATA_WRITES, HOST: HOST_WRITES}


def of_access(a, b, c, store):
    """Events of a load or store: a the address, b what is loaded, c the lanes of both (bits 15:8)."""
    loads, stores = (c >> 12 & 15, c >> 8 & 15) if store else (c >> 8 & 15, 0)
    made = {LOADS} if loads else set()
    made |= {STORES} if stores else set()
    none = loads == 15 and b >> 31
    return made | ({IO_BYTES} if a == UART_DATA and (loads or stores) and not none else set())


def of_instruction(word, following, pc):
    """Events of an instruction without an access."""
    short = word & 3 != 3
    code = word >> 11 & 28 | word & 3
    branch = code in (0b11001, 0b11101) if short else word & 127 == 0x63
    jump = code in (0b10101, 0b00101) or code == 0b10010 and not word >> 2 & 31 and word >> 7 & 31 if short else word & 127 in (0x6F, 0x67)
    made = {COMPRESSED} if short else set()
    made |= {BRANCHES} | ({TAKEN} if following != pc + (2 if short else 4) else set()) if branch else set()
    return made | ({JUMPS} if jump else set())


def happening(op, a, b, c, bus, write):
    """The events of the cycle of an operation."""
    retired = {RETIRED, CYCLES}
    made = {FETCH, CYCLES}
    if op in (STORE, LOAD):
        made = retired | of_access(a, b, c, op == STORE)
    elif op == RETIRE:
        made = retired | of_instruction(a, b, c)
    elif op in (MRET, CSR):
        made = retired
    elif op in (EXCEPTION, INTERRUPT):
        made = {TRAP, CYCLES, INTERRUPTS if a & 32 else EXCEPTIONS}
    if bus & 1:
        number = (WRITES if write else READS).get(bus >> 1 & 3)
        made |= {number} if number else set()
    return made


class Clock:
    """How many cycles before a cycle of a script's last run had the event."""

    def __init__(self, lines, number):
        self.starts, self.counts, self.rates = [0], [0], [0]  # spans of cycles: their first, the count there, events in each cycle
        idle = int(number in (0, FETCH, CYCLES))
        for gap, op, a, b, c, bus, _, write, *_ in lines:
            if op == REGS:
                continue
            self.span(gap, idle)
            if op == HART_RST and not a & 1:
                self.starts, self.counts, self.rates = [0], [0], [0]
            if op == JUMP:
                self.span(1, idle)
                self.span(a | b << 32, 1)
            else:
                self.span(1, int(number == 0 or number in happening(op, a, b, c, bus, write)))

    def span(self, cycles, rate):
        """Ends the last span `cycles` after its start."""
        if cycles:
            self.rates[-1] = rate
            self.starts.append(self.starts[-1] + cycles)
            self.counts.append(self.counts[-1] + cycles * rate)
            self.rates.append(0)

    def at(self, cycle):
        i = bisect_right(self.starts, cycle) - 1
        return self.counts[i] + (cycle - self.starts[i]) * self.rates[i]


def on_clock(script, number):
    """Sets the script's time to the event, in everything that it writes to CONTROL and in what it made."""
    clock = Clock(script.lines, number)
    script.lines = [(gap, op, a, b | number << CLOCK_AT, *more) if op == cases.REG_WRITE and a == cases.CONTROL else (gap, op, a, b, *more)
                    for gap, op, a, b, *more in script.lines]
    script.made = [(kind, clock.at(cycle), *more) for kind, cycle, *more in script.made]


def instructions(rng):
    """An instruction: word, address, next address."""
    word = rng.choice((0x13, 0x63, 0x6F, 0x67, 0x0001, 0xC001, 0xE001, 0xA001, 0x2001, 0x8082, 0x9002, 0x8002))
    pc = cases.PC + 2 * rng.randrange(1000)
    return word, pc, pc + rng.choice((2, 4, 8))


def some(script, rng):
    """Something that is no event for the trace, but perhaps for the time."""
    x = rng.random()
    if x < 0.4:
        word, pc, following = instructions(rng)
        script.retire(rng.randrange(3), word, pc, following)
    elif x < 0.6:
        script.bus(rng.randrange(3), 0x80000000 + 4 * rng.randrange(99), rng.randrange(2), rng.choice((INSTRUCTION, DATA, HOST)), 15, 5)
    else:
        address = rng.choice((UART_DATA, UART_DATA, UART_DATA + 4, UART_DATA ^ 1 << rng.randrange(2, 32), 0x10000040))
        lanes = rng.choice((1, 3, 15))
        script.op(rng.randrange(3), LOAD if x < 0.8 else STORE, address, rng.getrandbits(32), lanes << 8)
        script.retired += 1


def programs(number):
    """(name, script, options of the bench, whether calls are balanced) for a clock."""
    for name, typical, args in (("slow", 20, ["rate=1"]), ("dense", 0, ["rate=1"]), ("lossy", 2, ["rate=10"]), ("stalled", 3, ["stall=40000"]),
                                ("random", 6, ["random=1"])):
        rng = random.Random(f"{name}{number}")
        script = Script()
        script.begin(gap=rng.randrange(9))
        gap = gaps(rng, typical)
        for _ in range(60):
            walk(script, rng, 60, gap, cases.some_numbers(rng), traps=0.05, locks=0.03)
            for _ in range(rng.randrange(30)):
                some(script, rng)
        script.quit(rng.randrange(5))
        yield f"{name}{number}", script, args, True
    # Two runs, of which the host stops the second one; calls without an event between, and with many.
    rng = random.Random(number)
    script = Script()
    for run in range(2):
        script.begin()
        for _ in range(40):
            script.enter(0, 5)
            script.exit(0, 5)
            script.enter(rng.randrange(4), 6)
            for _ in range(rng.randrange(9)):
                some(script, rng)
            script.op(rng.choice((1, 300)), cases.IDLE)
            script.exit(0, 6)
        if run == 0:
            script.reset()
    script.stop(30)
    yield f"again{number}", script, ["rate=1"], True
