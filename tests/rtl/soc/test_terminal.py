#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A terminal program beside the host: output of the hart comes on both interfaces, input on either interface reaches
the hart, and the host's session does not change.

usage: test_terminal.py BOARD PROGRAM.bin"""
import struct
import sys

from board import Board, Device

TYPE, SEE = 0x03, 0x83
GREETING, LINE = b"hello from the hart\n", b"echo me\n"
DTR_ON = struct.pack("<BBHHH", 0x21, 0x22, 1, 1, 0)


def main():
    with open(sys.argv[2], "rb") as file:
        image = file.read()
    image += b"\0" * (-len(image) % 4)
    for terminal in (False, True):
        with Board(sys.argv[1]) as board:
            device = Device(board)
            device.load(image)
            if terminal:
                assert device.wait(device.submit(0x00, setup=DTR_ON))[0] == 0
                status, _, actual = device.wait(device.submit(TYPE, LINE))
                assert (status, actual) == (0, len(LINE))
            else:
                assert device.type_in(LINE) == 0
            device.run()
            assert device.console == GREETING + LINE, device.console
            assert device.events == [(1, 42)], device.events
            seen = b""
            while terminal and len(seen) < len(GREETING + LINE):
                seen += device.read_in(SEE, 64)
            assert seen == (GREETING + LINE if terminal else b""), seen
            device.close()
    print("what is printed comes on both interfaces, what is typed on either is read")


main()
