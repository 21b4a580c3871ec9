#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two harts on the whole simulated board: the host gets the bus while both hold it, halts and reads both, and does not
change their cycles; the trace has the frames of both.

usage: test_harts.py BOARD PROGRAM.bin"""
import struct
import sys

sys.path.insert(0, "build/gen")
import gnomon_trace
from board import CONFIG, CONTROL, CYCLE_LO, DEBUG_DATA, DEBUG_INSN, RAM, STATUS, TRACE, Board, Device

HART1_START, DEBUG_HART = 0xF0000054, 0xF0000058
PROFILE, FLUSH_CYCLES, HART1 = 0xF0003000, 0xF0003008, 0x4000
GO, SUM = RAM + 16, RAM + 20
ENABLE_ALL = 0x3F
HALT, RESUME = 2, 4
DPC, MHARTID = 0x7B1, 0xF14
ROUNDS = 3000
FRAME = gnomon_trace.FRAME_BYTES


def csr(device, hart, number):
    """Reads a CSR of a halted hart; keeps its registers."""
    def inject(*words):
        for word in words:
            assert device.write(DEBUG_INSN, word) == 0

    assert device.write(DEBUG_HART, hart) == 0
    inject(0x7B231073, 0xF0000337, 0x02532C23)  # csrw dscratch0, t1; lui t1, SYSCTL; sw t0, DEBUG_DATA(t1)
    kept = device.read(DEBUG_DATA)[0][0]
    inject(number << 20 | 0x22F3, 0x02532C23)  # csrr t0, number; sw t0, DEBUG_DATA(t1)
    value = device.read(DEBUG_DATA)[0][0]
    assert device.write(DEBUG_DATA, kept) == 0
    inject(0x03832283, 0x7B202373)  # lw t0, DEBUG_DATA(t1); csrr t1, dscratch0
    assert device.read(STATUS)[0][0] & 0x18 == 0
    return value


def endless(binary, image):
    with Board(binary) as board:
        device = Device(board)
        assert device.read(CONFIG)[0][0] >> 4 & 15 == 2
        device.load(image)
        device.run(exits=False)
        for _ in range(50):
            assert device.read(HART1_START) == ([RAM | 1], 0)
            assert device.write(DEBUG_HART, 1) == 0
            assert device.read(DEBUG_HART) == ([1], 0)
        assert device.read(STATUS)[0][0] & 1 == 0
        assert device.write(CONTROL, HALT) == 0
        assert device.unit()[:2] == (0xE0, 2)
        assert device.read(STATUS)[0][0] & 1 == 1
        for _ in range(4):
            total, first, second = device.read(SUM, 3)[0]
            assert first > 30 and second > 30 and abs(first - second) < 3 + first // 8, (first, second)
            assert 4 * (first + second) <= total <= 4 * (first + second + 2), (total, first, second)
            places = csr(device, 0, DPC), csr(device, 1, DPC)
            assert all(RAM + 36 <= p < RAM + len(image) for p in places), places
            assert (csr(device, 0, MHARTID), csr(device, 1, MHARTID)) == (0, 1)
            assert device.write(CONTROL, RESUME) == 0
            assert device.read(STATUS)[0][0] & 1 == 0
            for _ in range(10):
                device.read(CYCLE_LO)
            assert device.write(CONTROL, HALT) == 0
            assert device.unit()[:2] == (0xE0, 2)
            assert device.read(SUM)[0][0] > total + 40
        # A step of hart 0 (dcsr.step) halts hart 1, too.
        assert device.write(DEBUG_HART, 0) == 0
        for insn in 0x7B0022F3, 0x0042E293, 0x7B029073:  # csrr t0, dcsr; ori t0, t0, 4; csrw dcsr, t0
            assert device.write(DEBUG_INSN, insn) == 0
        assert device.write(CONTROL, RESUME) == 0
        assert device.unit()[:2] == (0xE0, 2)
        assert device.read(CONTROL)[0][0] & HALT
        # After a reset hart 1 waits again.
        assert device.write(CONTROL, 1) == 0
        assert device.read(HART1_START) == ([0], 0)
        device.close()


def ended(binary, image, traffic, traced=False):
    """Runs to the end; returns the program's words, the last of them its cycles, and frames."""
    with Board(binary) as board:
        device = Device(board)
        device.load(image)
        assert device.write(GO, ROUNDS) == 0
        for hart in (0, HART1) if traced else ():
            assert device.write(FLUSH_CYCLES + hart, 100000) == 0
            assert device.write(PROFILE + hart, ENABLE_ALL) == 0
        device.run(exits=False)
        for n in range(traffic):
            assert device.read(CYCLE_LO if n % 2 else STATUS)[1] == 0
            assert device.write(DEBUG_DATA, n) == 0
        frames = b""
        while traced and not whole(frames):
            frames += device.read_in(TRACE, FRAME)
        while not device.events:
            kind, number, payload, _ = device.unit()
            device.take_unit(kind, number, payload)
        assert device.events == [(1, 99)], device.events
        assert device.read(STATUS)[0][0] & 3 == 3
        result = device.read(SUM, 5)[0]
        device.close()
    return result, [frames[at:at + FRAME] for at in range(0, len(frames), FRAME)]


def whole(frames):
    """Both harts have sent END."""
    found = set()
    for at in range(0, len(frames) - FRAME + 1, FRAME):
        frame = frames[at:at + FRAME]
        body = frame[gnomon_trace.FRAME_HEADER_BYTES:].rstrip(b"\xff")
        if gnomon_trace.PACKET_EXT | gnomon_trace.EXT_END in body[-40:] and len(body) < FRAME - gnomon_trace.FRAME_HEADER_BYTES:
            found.add(frame[gnomon_trace.FRAME_AT_HART])
    return found == {0, 1}


def main():
    binary, program = sys.argv[1:]
    with open(program, "rb") as file:
        image = file.read()
    image += b"\0" * (-len(image) % 4)
    endless(binary, image)
    quiet, _ = ended(binary, image, 0)
    busy, _ = ended(binary, image, 40)
    assert quiet[:4] == [8 * ROUNDS, ROUNDS, ROUNDS, 2], quiet
    assert busy == quiet, (quiet, busy)
    traced, frames = ended(binary, image, 0, traced=True)
    assert traced == quiet, (quiet, traced)
    for hart in 0, 1:
        mine = [f for f in frames if f[gnomon_trace.FRAME_AT_HART] == hart]
        sequence = [struct.unpack_from("<I", f, gnomon_trace.FRAME_AT_SEQUENCE)[0] for f in mine]
        assert sequence == list(range(len(mine))) and len(mine) > 4, (hart, sequence)
        assert mine[0][gnomon_trace.FRAME_HEADER_BYTES] == gnomon_trace.PACKET_EXT | gnomon_trace.EXT_BEGIN
    print(f"test_harts: {quiet[4]} cycles, {len(frames)} frames")


if __name__ == "__main__":
    main()
