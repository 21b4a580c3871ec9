#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of the simulated boards, compared with the bare hart on the same program: cycles per second of processor
time, and host instructions per cycle (callgrind).

usage: bench_sim.py --program FILE --reference COMMAND BOARD..."""
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../rtl/soc"))
from board import CONTROL, CYCLE_LO, MARK, OUT, REPLY, TRACE, Board, Device  # noqa: E402
from options import values

PROFILE_CONTROL = 0xF0003000


def cpu_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def shorter(image, rounds):
    """The program with fewer rounds: their number is the word before the array."""
    at = image.index(struct.pack("<4I", 1, 2, 3, 4)) - 4
    return image[:at] + struct.pack("<I", rounds) + image[at + 4:]


def counted(run):
    """Host instructions per cycle: the difference between a longer and a short run. `run` gets a command prefix and
    the rounds."""
    seen = []
    for rounds in (20, 100):
        with tempfile.NamedTemporaryFile() as file:
            cycles = run(("valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={file.name}"), rounds)
            text = file.read().decode(errors="replace")
        instructions = next(int(line.split()[1]) for line in text.splitlines() if line.startswith(("summary:", "totals:")))
        seen.append((cycles, instructions))
    return (seen[1][1] - seen[0][1]) / (seen[1][0] - seen[0][0])


def run_reference(reference, image, under=()):
    with tempfile.NamedTemporaryFile() as file:
        file.write(image)
        file.flush()
        said = subprocess.run([*under, reference, file.name], capture_output=True, text=True, check=True).stdout.split()
    return int(said[0]), float(said[1])


def run_board(binary, image, traced, under=()):
    with tempfile.TemporaryDirectory() as folder:
        if under:  # valgrind rejects clang's debug information
            subprocess.run(["strip", "-g", "-o", f"{folder}/board", binary], check=True)
            binary = f"{folder}/board"
        return measure(binary, image, traced, under)


def measure(binary, image, traced, under):
    with Board(binary, "--once", under=under) as board:
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
    program, reference, boards = values(__doc__, "program", "reference", rest="BOARD")
    with open(program, "rb") as file:
        image = file.read()
    image += b"\0" * (-len(image) % 4)
    rows = []

    def add(name, run):
        cycles, seconds = run(image)
        instructions = counted(lambda under, rounds: run(shorter(image, rounds), under)[0])
        rows.append({"name": name, "cycles": cycles, "cpu_seconds": seconds, "cycles_per_second": cycles / seconds,
                     "ratio": cycles / seconds / rows[0]["cycles_per_second"] if rows else 1, "instructions_per_cycle": instructions})
        print(f"{name:28} {cycles:10d} {seconds:8.2f} {cycles / seconds / 1e6:11.2f} {rows[-1]['ratio']:8.2f} {instructions:13.0f}", flush=True)

    print(f"{'':28} {'cycles':>10} {'CPU s':>8} {'M cycles/s':>11} {'of bare':>8} {'instructions':>13}")
    add("bare hart with memory", lambda image, under=(): run_reference(reference, image, under))
    for binary in boards:
        for traced in (False, True):
            name = os.path.basename(os.path.dirname(binary)) + (", recording" if traced else "")
            add(name, lambda image, under=(), binary=binary, traced=traced: run_board(binary, image, traced, under))
    with open("build/bench-sim.json", "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)


main()
