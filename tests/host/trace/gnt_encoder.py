# SPDX-License-Identifier: Apache-2.0
"""Encodes traces, written only from docs/reference/trace-format.md: takes events, makes frames and a .gnt file.

An event is a tuple (cycle, kind, fields...):
  (c, "begin", pc)             (c, "enter", number)           (c, "exit", number)
  (c, "trap_enter", cause)     (c, "trap_leave")              (c, "channel", channel, value)
  (c, "lock", info, address[, data])                          (c, "module", m, value)        (c, "time")
  (c, "access", info, address[, data])                        (c, "reserved", t, bytes)
  (c, "lost", enters, exits, others, cycles[, bus])           bus: how many of the others are lock messages and accesses
  (c, "end", status, instructions, produced, lost, how)
"""
import json
import struct
import zlib

import gnomon_trace as gt

FRAME = gt.FRAME_BYTES
HEADER = gt.FRAME_HEADER_BYTES
NO_CONTEXT = gt.PRED_CONTEXT_NONE


def leb(value):
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


class Encoder:
    """`odd(n)` returns a number below n, for each choice that the format leaves open. `data`: the format's version with data of accesses."""

    def __init__(self, stack=256, odd=lambda n: 0, data=False, hart=0):
        self.ring = stack
        self.hart = hart
        self.data = data
        self.bus = 0  # lock messages and accesses so far, lost ones included
        self.odd = odd
        self.stack = []  # None: a trap
        self.frames = []
        self.contents = []  # the events of each frame
        self.open = None  # bytes of the open frame
        self.last = 0
        self.thread = 0
        self.lost = 0

    # Frames

    def begin_frame(self, cycle):
        base = self.last + (self.odd(cycle - self.last + 1) if self.frames else 0)
        self.last = base
        self.open = bytearray(
            struct.pack(
                "<HBBIQHHHHI", gt.FRAME_MAGIC, gt.TRACE_VERSION_DATA if self.data else gt.TRACE_VERSION, self.hart, len(self.frames), base, HEADER, len(self.stack), self.thread & 0xFFFF,
                self.odd(2) * gt.FRAME_FLAG_DROPPING, self.lost & 0xFFFFFFFF,
            )
        )
        assert len(self.open) == HEADER
        self.predicted = {}
        self.context = NO_CONTEXT
        self.contents.append([])

    def end_frame(self):
        if self.open is None:
            return
        self.frames.append(bytes(self.open) + bytes([gt.PACKET_PAD]) * (FRAME - len(self.open)))
        self.open = None

    flush = end_frame

    # Records

    def put(self, event):
        if self.open is None:
            self.begin_frame(event[0])
        record = self.record(event)
        if len(self.open) + len(record) > FRAME:
            self.end_frame()
            self.begin_frame(event[0])
            record = self.record(event)
        self.open += record
        self.contents[-1].append(event)
        if event[1] != "reserved":  # the reader's delta does not include reserved packets
            self.last = event[0]
        self.follow(event)
        if event[1] == "end":
            self.end_frame()

    def record(self, event):
        delta, kind = event[0] - self.last, event[1]
        assert delta >= 0, event
        return getattr(self, "put_" + kind)(delta, *event[2:])

    @staticmethod
    def extended(kind, delta, fields=b""):
        return bytes([gt.PACKET_EXT | kind]) + leb(delta) + fields

    def put_enter(self, delta, number):
        if self.predicted.get(self.context) == number:
            if delta < 64:
                return bytes([gt.PACKET_ENTER_PRED | delta])
            if delta < 8192:
                return bytes([gt.PACKET_ENTER_PRED2 | delta >> 8, delta & 255])
            if self.odd(2):
                return self.extended(gt.EXT_ENTER_FAR, delta)
        if number < 256 and delta < 16:
            return bytes([gt.PACKET_ENTER_NEAR | delta, number])
        if number <= gt.PRED_MAX_NUMBER:
            return bytes([gt.PACKET_ENTER | number >> 8, number & 255]) + leb(delta)
        return self.extended(gt.EXT_ENTER_LONG, delta, leb(number))

    def put_exit(self, delta, number):
        if not self.stack or self.stack[-1] != number:
            return self.extended(gt.EXT_EXIT_LONG, delta, leb(number))
        if delta < 64:
            return bytes([gt.PACKET_EXIT_TOP | delta])
        if delta < 8192:
            return bytes([gt.PACKET_EXIT_TOP2 | delta >> 8, delta & 255])
        return self.extended(gt.EXT_EXIT_FAR, delta)

    def put_trap_enter(self, delta, cause):
        return self.extended(gt.EXT_TRAP_ENTER, delta, bytes([cause]))

    def put_trap_leave(self, delta):
        return self.extended(gt.EXT_TRAP_LEAVE, delta)

    def put_channel(self, delta, channel, value):
        return self.extended(gt.EXT_CHANNEL, delta, leb(channel) + struct.pack("<I", value))

    def put_lock(self, delta, info, *words):
        return self.extended(gt.EXT_LOCK, delta, struct.pack(f"<B{len(words)}I", info, *words))

    def put_access(self, delta, info, *words):
        return self.extended(gt.EXT_ACCESS, delta, struct.pack(f"<B{len(words)}I", info, *words))

    def bus_count(self, more=0):
        return struct.pack("<I", self.bus + more & 0xFFFFFFFF) if self.data else b""

    def put_module(self, delta, module, value):
        return self.extended(gt.EXT_MODULE, delta, leb(module) + struct.pack("<I", value))

    def put_time(self, delta):
        return self.extended(gt.EXT_TIME, delta)

    def put_lost(self, delta, enters, exits, others, cycles, bus=0):
        return self.extended(gt.EXT_LOST, delta, leb(enters) + leb(exits) + leb(others) + leb(cycles) + self.bus_count(bus))

    def put_begin(self, delta, pc):
        return self.extended(gt.EXT_BEGIN, delta, struct.pack("<I", pc))

    def put_end(self, delta, status, instructions, produced, lost, how):
        return self.extended(gt.EXT_END, delta, struct.pack("<IQQQB", status, instructions, produced, lost, how) + self.bus_count())

    def put_reserved(self, delta, kind, data):
        return bytes([gt.PACKET_RESERVED | kind]) + leb(len(data)) + data

    # Tables that encoder and decoder share

    def push(self, entry):
        self.stack.append(entry)
        if len(self.stack) > self.ring:
            del self.stack[0]

    def follow(self, event):
        kind, context = event[1], NO_CONTEXT
        if kind == "enter":
            number = event[2]
            if number <= gt.PRED_MAX_NUMBER:
                self.predicted[self.context] = number
            self.push(number)
            context = number & 255
        elif kind == "exit":
            if self.stack and self.stack[-1] == event[2]:
                self.stack.pop()
            else:
                self.stack = []
            context = ~event[2] & 255
        elif kind == "trap_enter":
            self.push(None)
        elif kind == "trap_leave":
            self.stack = self.stack[:-1] if self.stack and self.stack[-1] is None else []
        elif kind == "channel" and event[2] == gt.CHANNEL_THREAD:
            self.stack = []
            self.thread = event[3]
        elif kind in ("time", "lost"):
            context = self.context
        if kind == "lost":
            self.lost += sum(event[2:5])
            self.bus += event[6] if len(event) > 6 else 0
        if kind in ("lock", "access"):
            self.bus += 1
        self.context = context


def encode(events, stack=256, odd=lambda n: 0, data=False, hart=0):
    """Returns frames, and the events of each."""
    encoder = Encoder(stack, odd, data, hart)
    for event in events:
        encoder.put(event)
        if odd(200) == 1:
            encoder.flush()
    encoder.end_frame()
    return encoder.frames, encoder.contents


def encode_harts(of_harts, stack=256, odd=lambda n: 0):
    """Returns the frames of several harts, in any order in which each hart's are in turn."""
    lists = [encode(events, stack, odd, hart=hart)[0] for hart, events in enumerate(of_harts)]
    frames = []
    while any(lists):
        some = [one for one in lists if one]
        frames.append(some[odd(len(some))].pop(0))
    return frames


def gnt_bytes(header, frames, /, trailer=True, records=None, instructions=None, locks=None, **fields):
    """Returns the whole file; `records`, `instructions` and `locks` (objects) follow the frames, `fields` replace values of
    the trailer."""
    text = json.dumps(header).encode()
    out = b"GNT\x1a\r\n\x02\x00" + struct.pack("<I", len(text)) + text + struct.pack("<I", zlib.crc32(text))
    body = b"".join(frames)
    out += body
    for magic, section in ((b"GNTREC\r\n", records), (b"GNTCPI\r\n", instructions), (b"GNTLOC\r\n", locks)):
        if section is None:
            continue
        text = json.dumps(section).encode()
        out += magic + struct.pack("<I", len(text)) + text + struct.pack("<I", zlib.crc32(text))
    if trailer:
        end = json.dumps({"frames": len(frames), "complete": True, "reason": "exit", "exit_status": 0, **fields})
        end = end.encode()
        out += b"GNTEND\r\n" + struct.pack("<I", len(end)) + end + struct.pack("<II", zlib.crc32(body), zlib.crc32(end))
    return out
