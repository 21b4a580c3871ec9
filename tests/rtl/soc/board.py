# SPDX-License-Identifier: Apache-2.0
"""A simulated board and a minimal USB/IP client for it, for the tests of this folder. (The product's client is host/lib.)"""
import socket
import struct
import subprocess

OUT, REPLY, TRACE = 0x01, 0x81, 0x82
RAM = 0x10000000
ID, CONFIG, RAM_BYTES, RTL_HASH = 0xF0000000, 0xF0000008, 0xF0000014, 0xF0000018
CONTROL, STATUS, ENTRY, EXIT_STATUS = 0xF0000020, 0xF0000024, 0xF0000028, 0xF0000030
DEBUG_INSN, DEBUG_DATA, CYCLE_LO, CYCLE_HI = 0xF0000034, 0xF0000038, 0xF000003C, 0xF0000040
MARK = b"\xff" * 16


class Board:
    """Starts a simulated board; ends it at the end of the `with` block."""

    def __init__(self, binary, *options, under=()):
        self.process = subprocess.Popen([*under, binary, "--port", "0", *options], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on 127.0.0.1:"), line
        self.port = int(line.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        assert self.process.wait(timeout=60) == 0, "the board ended badly"

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=120)


def take(sock, count):
    data = b""
    while len(data) < count:
        part = sock.recv(count - len(data))
        if not part:
            raise EOFError("the board closed the connection")
        data += part
    return data


class Device:
    """The imported device: transfers by endpoint, and the protocol of docs/reference/usb-protocol.md."""

    def __init__(self, board, busid=b"1-1"):
        self.sock = board.connect()
        self.sock.sendall(struct.pack(">HHI32s", 0x0111, 0x8003, 0, busid))
        _, code, self.import_status = struct.unpack(">HHI", take(self.sock, 8))
        assert code == 3
        self.info = take(self.sock, 312) if self.import_status == 0 else b""
        self.seqnum = 0
        self.done = {}
        self.ins = set()  # transfers whose replies carry data
        self.units = b""
        self.tag = 0
        self.events = []
        self.console = b""

    def close(self):
        self.sock.close()

    def submit(self, endpoint, data=b"", length=0, setup=b"\0" * 8):
        self.seqnum += 1
        direction = 1 if endpoint & 0x80 else 0
        if direction:
            self.ins.add(self.seqnum)
        size = length if direction else len(data)
        self.sock.sendall(struct.pack(">IIIIIIIIII8s", 1, self.seqnum, 0x00010002, direction, endpoint & 15,
                                      0, size, 0, 0, 0, setup) + (b"" if direction else data))
        return self.seqnum

    def unlink(self, seqnum):
        self.seqnum += 1
        self.sock.sendall(struct.pack(">IIIIII24x", 2, self.seqnum, 0x00010002, 0, 0, seqnum))
        return self.seqnum

    def receive_one(self):
        command, seqnum, _, _, _, status, actual = struct.unpack(">IIIIIiI20x", take(self.sock, 48))
        data = take(self.sock, actual) if command == 3 and seqnum in self.ins else b""
        self.done[seqnum] = (status, data, actual)

    def wait(self, seqnum):
        while seqnum not in self.done:
            self.receive_one()
        return self.done.pop(seqnum)

    def control_in(self, setup):
        seqnum = self.submit(0x80, length=struct.unpack_from("<H", setup, 6)[0], setup=setup)
        return self.wait(seqnum)

    def write_bytes(self, data):
        seqnum = self.submit(OUT, data)
        status, _, actual = self.wait(seqnum)
        assert (status, actual) == (0, len(data)), (status, actual)

    def read_in(self, endpoint=REPLY, length=512):
        seqnum = self.submit(endpoint, length=length)
        status, data, _ = self.wait(seqnum)
        assert status == 0, status
        return data

    def unit(self, endpoint_length=512):
        """Returns the next reply packet: (kind, tag or number, payload, status word or None)."""
        def need(count):
            while len(self.units) < count:
                self.units += self.read_in(REPLY, endpoint_length)
        need(4)
        kind, number, count = struct.unpack_from("<BBH", self.units)
        size = 4 + {0x81: 4 * count + 4, 0xC0: (count + 3) & ~3, 0xE0: 4 * count}[kind]
        need(size)
        unit, self.units = self.units[4:size], self.units[size:]
        if kind == 0x81:
            return kind, number, unit[:-4], struct.unpack("<I", unit[-4:])[0]
        return kind, number, unit[:count] if kind == 0xC0 else unit, None

    def reply(self, tag):
        while True:
            kind, number, payload, status = self.unit()
            if kind == 0x81:
                assert number == tag, (number, tag)
                return payload, status
            self.take_unit(kind, number, payload)

    def take_unit(self, kind, number, payload):
        if kind == 0xC0:
            self.console += payload
        else:
            self.events.append((number, struct.unpack("<I", payload)[0]))

    def command(self, op, count, rest):
        self.tag = (self.tag + 1) & 0xFF
        self.write_bytes(struct.pack("<BBH", op, self.tag, count) + rest)
        return self.reply(self.tag)

    def read(self, address, words=1):
        payload, status = self.command(1, words, struct.pack("<I", address))
        return list(struct.unpack(f"<{words}I", payload)), status

    def write(self, address, *words):
        payload, status = self.command(2, len(words), struct.pack(f"<I{len(words)}I", address, *words))
        assert payload == b""
        return status

    def type_in(self, text):
        padded = text + b"\0" * (-len(text) % 4)
        return self.command(3, len(text), padded)[1]

    def load(self, image, entry=RAM):
        assert self.write(CONTROL, 1) == 0
        words = struct.unpack(f"<{len(image) // 4}I", image)
        for at in range(0, len(words), 1024):
            assert self.write(RAM + 4 * at, *words[at:at + 1024]) == 0
        assert self.write(ENTRY, entry) == 0

    def run(self, exits=True):
        assert self.write(CONTROL, 0) == 0
        while exits and not self.events:
            kind, number, payload, _ = self.unit()
            self.take_unit(kind, number, payload)
