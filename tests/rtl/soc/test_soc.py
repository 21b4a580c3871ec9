#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program on the whole simulated board, loaded and run over USB.

usage: test_soc.py BOARD PROGRAM.bin"""
import sys

from board import (CONTROL, CYCLE_LO, DEBUG_DATA, DEBUG_INSN, ENTRY, EXIT_STATUS, ID, MARK, RAM, STATUS, Board, Device)


def session(binary, image):
    """One whole session; returns the values that must be equal in all sessions."""
    with Board(binary, "--once") as board:
        device = Device(board)
        device.write_bytes(MARK)
        seen = [device.read(ID, 8)]
        device.load(image)
        assert device.type_in(b"echo me\n") == 0
        device.run()
        assert device.events == [(1, 42)], device.events
        assert device.console == b"hello from the hart\necho me\n", device.console
        assert device.read(EXIT_STATUS)[0] == [42]
        assert device.read(STATUS)[0][0] & 3 == 3
        seen += [device.read(CYCLE_LO, 2), device.read(RAM, len(image) // 4)]
        device.close()
        assert board.process.wait(timeout=60) == 0
    return seen


def debug(binary):
    """Halts, executes injected instructions, resumes; memory is refused while the hart runs."""
    spin = 0x0000006F.to_bytes(4, "little")  # j .
    with Board(binary) as board:
        device = Device(board)
        device.load(spin)
        device.run(exits=False)
        assert device.read(RAM, 3) == ([0, 0, 0], 3)
        assert device.write(RAM, 0) == 3
        assert device.write(CONTROL, 2) == 0
        assert device.unit()[:2] == (0xE0, 2)
        assert device.read(RAM) == ([0x6F], 0)
        assert device.write(DEBUG_DATA, 0x12345678) == 0
        assert device.write(DEBUG_INSN, 0x7B231073) == 0  # csrw dscratch0, t1
        assert device.write(DEBUG_INSN, 0xF0000337) == 0  # lui t1, SYSCTL
        assert device.write(DEBUG_INSN, 0x03832283) == 0  # lw t0, DEBUG_DATA(t1)
        assert device.write(DEBUG_INSN, 0x00128293) == 0  # addi t0, t0, 1
        assert device.write(DEBUG_INSN, 0x02532C23) == 0  # sw t0, DEBUG_DATA(t1)
        assert device.read(DEBUG_DATA) == ([0x12345679], 0)
        assert device.write(DEBUG_INSN, 0x7B202373) == 0  # csrr t1, dscratch0
        assert device.read(STATUS)[0][0] & 0x18 == 0  # done, no trap
        assert device.write(CONTROL, 4) == 0
        assert device.read(STATUS)[0][0] & 1 == 0
        assert device.write(CONTROL, 1) == 0
        assert device.write(ENTRY, RAM) == 0
        device.close()


def main():
    binary, program = sys.argv[1:]
    with open(program, "rb") as file:
        image = file.read()
    image += b"\0" * (-len(image) % 4)
    first, second = session(binary, image), session(binary, image)
    assert first == second, "two sessions differ"
    debug(binary)
    low, high = first[1][0]
    print(f"{binary}: program exits with 42; two sessions agree, up to the cycle counter read at their end: {low + (high << 32)}")


main()
