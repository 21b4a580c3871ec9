#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of the simulated boards, in cycles per second of processor time, and against the bare hart, on the same program.

usage: bench_sim.py PROGRAM.bin REFERENCE BOARD..."""
import json
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../rtl/soc"))
from board import CONTROL, CYCLE_LO, MARK, OUT, REPLY, STATUS, TRACE, Board, Device  # noqa: E402

PROFILE_CONTROL = 0xF0003000


def cpu_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_board(binary, image, traced):
    with Board(binary, "--once") as board:
        device = Device(board)
        device.write_bytes(MARK)
        device.load(image)
        assert device.write(PROFILE_CONTROL, 0x3F if traced else 0) == 0
        begin = cpu_seconds(board.process)
        streams = {device.submit(endpoint, length=length): (endpoint, length)
                   for endpoint, length in [(REPLY, 64), (TRACE, 16384)] for _ in range(2)}
        device.submit(OUT, struct.pack("<BBHII", 2, 99, 1, CONTROL, 0))
        replies = b""
        while b"\xe0\x01\x01\x00" not in replies:
            device.receive_one()
            for seqnum in [s for s in streams if s in device.done]:
                endpoint, length = streams.pop(seqnum)
                data = device.done.pop(seqnum)[1]
                replies += data if endpoint == REPLY else b""
                streams[device.submit(endpoint, length=length)] = (endpoint, length)
        seconds = cpu_seconds(board.process) - begin
        for seqnum in list(streams):
            device.unlink(seqnum)
        device.submit(OUT, struct.pack("<BBHI", 1, 100, 2, CYCLE_LO))
        device.units = b""
        while len(device.units) < 16:
            device.units += device.read_in(REPLY, 64)
        low, high = struct.unpack_from("<II", device.units, device.units.index(struct.pack("<BBH", 0x81, 100, 2)) + 4)
        device.close()
    return low + (high << 32), seconds


def main():
    program, reference, *boards = sys.argv[1:]
    with open(program, "rb") as file:
        image = file.read()
    image += b"\0" * (-len(image) % 4)
    rows = []
    cycles, seconds = subprocess.run([reference, program], capture_output=True, text=True, check=True).stdout.split()[:2]
    bare = int(cycles) / float(seconds)
    rows.append(("bare hart with memory", int(cycles), float(seconds), bare))
    for binary in boards:
        for traced in (False, True):
            cycles, seconds = run_board(binary, image, traced)
            name = os.path.basename(os.path.dirname(binary)) + (", recording" if traced else "")
            rows.append((name, cycles, seconds, cycles / seconds))
    print(f"{'':24} {'cycles':>10} {'CPU s':>8} {'M cycles/s':>11} {'of bare':>8}")
    for name, cycles, seconds, speed in rows:
        print(f"{name:24} {cycles:10d} {seconds:8.2f} {speed / 1e6:11.2f} {speed / bare:8.2f}")
    with open("build/bench-sim.json", "w", encoding="utf-8") as file:
        json.dump([{"name": n, "cycles": c, "cpu_seconds": s, "cycles_per_second": v, "ratio": v / bare}
                   for n, c, s, v in rows], file, indent=1)


main()
