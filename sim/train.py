#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a simulated board that counts its branches: runs the program as `gnomon run` does, with function records, and with the
stream of events.

usage: train.py PROGRAM.bin BOARD"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../tests/rtl/soc"))
from board import PROFILE_EVENTS, PROFILE_OFF, PROFILE_RECORDS, Board, Device, padded  # noqa: E402

program, binary = sys.argv[1:]
with open(program, "rb") as file:
    image = padded(file.read())
for profile in (PROFILE_OFF, PROFILE_RECORDS, PROFILE_EVENTS):
    with Board(binary, "--once") as board:
        device = Device(board)
        device.run_traced(image, profile)
        device.close()
