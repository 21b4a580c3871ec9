# SPDX-License-Identifier: Apache-2.0
"""An independent decoder of docs/reference/trace-format.md, and a check of its result against the actions of the hart.
The decoder is strict: it derives again the row of the packet table that each event had to use, and every header
field.
"""
import gnomon_trace as gt

ENTER, EXIT, TRAP_ENTER, TRAP_LEAVE, CHANNEL, LOCK, MODULE, LOST, BEGIN, END, ACCESS, WORD = (
    "enter", "exit", "trap_enter", "trap_leave", "channel", "lock", "module", "lost", "begin", "end", "access", "word")
OPENS, CLOSES = (ENTER, TRAP_ENTER), (EXIT, TRAP_LEAVE)
# What the encoder sends as extended records, by type.
EXTENDED = {gt.EXT_ENTER_LONG: "ENTER_LONG", gt.EXT_EXIT_LONG: "EXIT_LONG", gt.EXT_EXIT_FAR: "EXIT_FAR", gt.EXT_TRAP_ENTER: TRAP_ENTER,
            gt.EXT_TRAP_LEAVE: TRAP_LEAVE, gt.EXT_CHANNEL: CHANNEL, gt.EXT_LOCK: LOCK, gt.EXT_MODULE: MODULE, gt.EXT_LOST: LOST,
            gt.EXT_BEGIN: BEGIN, gt.EXT_END: END, gt.EXT_ACCESS: ACCESS, gt.EXT_WORD: WORD}
BUS = (LOCK, ACCESS, WORD)


def start(data=False):
    """The first bytes of the first frame of a run."""
    return gt.FRAME_MAGIC.to_bytes(2, "little") + bytes((gt.TRACE_VERSION_DATA if data else gt.TRACE_VERSION, 0)) + bytes(4)


START = start()


class Damaged(Exception):
    pass


def need(condition, *what):
    if not condition:
        raise Damaged(" ".join(str(w) for w in what))


class Decoder:
    """Events of one run: tuples (kind, cycle, number, data)."""

    def __init__(self, stack_entries=256, stacked=1 << 20, data=False):
        self.data = data  # the packets of a device with LOCK_DATA
        self.stack_entries = stack_entries
        self.stacked = stacked  # functions with this number or higher clear the stack
        self.ring, self.thread, self.time, self.lost = [], 0, 0, 0
        self.events, self.sequence, self.ended = [], 0, False
        self.forms = {}  # number of uses of each row
        self.bytes_of_functions = self.functions = 0

    def byte(self):
        need(self.at < gt.FRAME_BYTES, "record crosses its frame")
        self.at += 1
        return self.frame[self.at - 1]

    def leb(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 0x7F) << shift
            shift += 7
            if b < 0x80:
                need(shift == 7 or b != 0, "LEB128 longer than needed")
                return value

    def u(self, size):
        return sum(self.byte() << (8 * i) for i in range(size))

    def run(self, data):
        need(len(data) % gt.FRAME_BYTES == 0, "not whole frames:", len(data))
        for offset in range(0, len(data), gt.FRAME_BYTES):
            self.one_frame(data[offset:offset + gt.FRAME_BYTES])
        return self.events

    def one_frame(self, frame):
        self.frame, self.at = frame, 0
        need(not self.ended, "a frame after END")
        version = gt.TRACE_VERSION_DATA if self.data else gt.TRACE_VERSION
        need(self.u(2) == gt.FRAME_MAGIC and self.u(1) == version and self.u(1) == 0, "magic, version or hart")
        need(self.u(4) == self.sequence, "sequence")
        need(self.u(8) == self.time, "the frame's cycle, frame", self.sequence)
        need(self.u(2) == gt.FRAME_HEADER_BYTES, "first")
        depth = self.u(2)
        need(depth == len(self.ring), "depth", depth, len(self.ring))
        need(self.u(2) == self.thread, "thread")
        need(self.u(2) & ~gt.FRAME_FLAG_DROPPING == 0, "flags")
        need(self.u(4) == self.lost & 0xFFFFFFFF, "lost so far")
        self.sequence += 1
        self.table, self.context = {}, gt.PRED_CONTEXT_NONE
        while self.at < gt.FRAME_BYTES:
            if self.frame[self.at] == gt.PACKET_PAD:
                need(all(b == gt.PACKET_PAD for b in self.frame[self.at:]), "padding")
                return
            self.record()

    def expected_row(self, kind, number, delta, on_top, predicted):
        if kind == EXIT:
            if not on_top:
                return "EXIT_LONG"
            return "exit1" if delta < 64 else "exit2" if delta < 8192 else "EXIT_FAR"
        if predicted and delta < 8192:
            return "enter1" if delta < 64 else "enter2"
        if number < 256 and delta < 16:
            return "near"
        return "row6" if number <= gt.PRED_MAX_NUMBER else "ENTER_LONG"

    def record(self):
        start = self.at
        first = self.byte()
        form, kind, number, data = None, None, None, None
        top = self.ring[-1] if self.ring else None
        guess = self.table.get(self.context)
        if first < gt.PACKET_ENTER_PRED:
            form, kind, delta, number = "exit1", EXIT, first & 63, top
        elif first < gt.PACKET_EXIT_TOP2:
            form, kind, delta, number = "enter1", ENTER, first & 63, guess
        elif first < gt.PACKET_ENTER_PRED2:
            form, kind, delta, number = "exit2", EXIT, (first & 31) << 8 | self.byte(), top
        elif first < gt.PACKET_ENTER_NEAR:
            form, kind, delta, number = "enter2", ENTER, (first & 31) << 8 | self.byte(), guess
        elif first < gt.PACKET_ENTER:
            form, kind, number, delta = "near", ENTER, self.byte(), first & 15
        elif first < gt.PACKET_EXT:
            form, kind, number = "row6", ENTER, (first & 15) << 8 | self.byte()
            delta = self.leb()
        else:
            need(first < gt.PACKET_RESERVED, "first byte", hex(first))
            delta = self.leb()
            t = first & 15
            need(t in EXTENDED, "the encoder does not send type", t)
            form = EXTENDED[t]
            if form == "ENTER_LONG":
                kind, number = ENTER, self.leb()
            elif form == "EXIT_LONG":
                kind, number = EXIT, self.leb()
            elif form == "EXIT_FAR":
                kind, number = EXIT, top
            elif form == TRAP_ENTER:
                kind, number = TRAP_ENTER, self.byte()
            elif form == TRAP_LEAVE:
                kind = TRAP_LEAVE
            elif form in (CHANNEL, MODULE, WORD):
                kind, number, data = form, self.leb(), self.u(4)
            elif form == LOCK:
                kind, number, data = LOCK, self.byte(), self.u(4)
                need(number < 8 and (number >> 2 & 1) == (self.data and number & 1), "info", number)
                data = (data, self.u(4)) if number & 4 else data
            elif form == ACCESS:
                kind, number, data = ACCESS, self.byte(), self.u(4)
                need((number >> 3 & 1) == (self.data and number & 1), "info", number)
                data = (data, self.u(4)) if number & 8 else data
            elif form == LOST:
                kind, data = LOST, (self.leb(), self.leb(), self.leb(), self.leb())
                number = self.u(4) if self.data else None  # bus messages made before this place
                need(delta == 0 and sum(data[:3]) > 0 or data[3] > 0, "LOST of nothing, or with a delta")
            elif form == BEGIN:
                kind, data = BEGIN, self.u(4)
            else:
                kind, data = END, {"status": self.u(4), "instructions": self.u(8), "produced": self.u(8), "lost": self.u(8),
                                   "how": self.byte()}
                number = self.u(4) if self.data else None
        self.forms[form] = self.forms.get(form, 0) + 1
        need((kind == BEGIN) == (not self.events), "BEGIN is the first record, and only that")
        need(not self.ended, "a record after END")
        if kind in (ENTER, EXIT):
            need(number is not None and number != "trap", "a short form of nothing,", form)
            need(form == self.expected_row(kind, number, delta, number == top, guess == number), "wrong row:", form, number, delta)
            self.functions += 1
            self.bytes_of_functions += self.at - start
        self.time += delta
        self.apply(kind, form, number, data)
        self.events.append((kind, self.time, number, data))

    def apply(self, kind, form, number, data):
        if kind in OPENS:
            self.ring.append(number if kind == ENTER else "trap")
            del self.ring[:-self.stack_entries]
            if kind == ENTER and number >= self.stacked:
                self.ring = []
        elif kind == TRAP_LEAVE:
            if self.ring and self.ring[-1] == "trap":
                self.ring.pop()
            else:
                self.ring = []
        elif kind == EXIT:
            if form == "EXIT_LONG":
                self.ring = []
            else:
                self.ring.pop()
        elif kind == CHANNEL and number == gt.CHANNEL_THREAD:
            self.ring, self.thread = [], data & 0xFFFF
        elif kind == LOST:
            self.lost += sum(data[:3])
        elif kind == END:
            self.ended = True
        if kind == ENTER:
            if number <= gt.PRED_MAX_NUMBER:
                self.table[self.context] = number
            self.context = number & 255
        elif kind == EXIT:
            self.context = ~number & 255
        elif kind != LOST:
            self.context = gt.PRED_CONTEXT_NONE


def check_run(made, got, balanced=True):
    """made: every event of the hart and the bus, in order, END last. Returns the number of events received."""
    need(got[0][:2] == (BEGIN, 0) and got[0][3] == made[0][3], "BEGIN", got[0], made[0])
    at, received, totals, pending, stack, told = 1, 0, 0, None, [], None
    for event in got[1:]:
        kind = event[0]
        if kind == LOST:
            # Several LOST packets in one subtree: counters are sent before they can overflow.
            pending = event[3] if pending is None else tuple(x + y for x, y in zip(pending, event[3]))
            told = event[2]
            totals += sum(event[3][:3])
            continue
        # LOST says how many are missing: two events can look equal, where time stands still even those of one function.
        missing = sum((pending or (0,))[:3])
        skipped, at = made[at:at + missing], at + missing
        need(at < len(made) and same(made[at], event), "received what was not made:", event, "but", made[at:at + 1])
        end_cycle = event[1] if kind == END else None
        need(counted(skipped, end_cycle, stack, balanced) == (pending or (0, 0, 0, 0)), "before", event, "LOST says", pending, "missing are",
             counted(skipped, end_cycle, stack, balanced), skipped[:4], skipped[-4:])
        if told is not None:
            bus = sum(one[0] in BUS for one in made[1:at])
            need(told == bus, "before", event, "LOST says that", told, "bus messages were made, but there were", bus)
        pending = told = None
        at += 1
        if kind in OPENS:
            stack.append(event[0])
        elif kind in CLOSES and stack:
            stack.pop()
        if kind != END:
            received += 1
    need(got[-1][0] == END and at == len(made), "END is missing")
    bus = sum(one[0] in BUS for one in made)
    need(got[-1][2] in (None, bus), "END says that", got[-1][2], "bus messages were made, but there were", bus)
    end = got[-1][3]
    want = made[-1][3]
    need(end["status"] == want["status"] and end["how"] == want["how"], "END", end, want)
    need(end["instructions"] == want["instructions"], "instructions", end, want)
    need(end["lost"] == totals and end["produced"] == received + totals == len(made) - 2, "totals", end, received, totals, len(made) - 2)
    return received


def same(made, got):
    return made[:2] == got[:2] and (made[0] in (END, TRAP_LEAVE) or made[2] == got[2]) and \
        (made[0] not in (CHANNEL, LOCK, MODULE, ACCESS, WORD) or made[3] == got[3])


def counted(skipped, end_cycle, stack, balanced):
    """Returns the LOST counts for the skipped events, which must be whole subtrees and single messages."""
    enters = exits = others = cycles = depth = 0
    for kind, cycle, _, _ in skipped:
        if kind in OPENS:
            enters += 1
            if depth == 0:
                since = cycle
            depth += 1
        elif kind in CLOSES:
            exits += 1
            if depth == 0:
                need(not balanced, "an exit was dropped whose enter was not, at", cycle)
                continue
            depth -= 1
            if depth == 0:
                cycles += cycle - since
        else:
            others += 1
    if depth:
        need(end_cycle is not None, "a subtree was dropped without its end, at", since)
        cycles += end_cycle - since
    return enters, exits, others, cycles
