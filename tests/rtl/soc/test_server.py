#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The simulated board as a USB/IP server: enumeration, bad input, hosts that vanish, cancelled transfers, and time
that runs only when it should.

usage: test_server.py --program FILE BOARD...   (the first board is tested whole, the others only with parts skipped)"""
import random
import signal
import socket
import struct
import subprocess
import time

from board import CONTROL, CYCLE_LO, ENTRY, ID, MARK, OUT, RAM, REPLY, TRACE, Board, Device, take
from gnomon_trace import EXT_END, FRAME_AT_LOST, FRAME_BYTES, FRAME_MAGIC, PACKET_EXT
from options import values

PROFILE_CONTROL = 0xF0003000
EXIT_EVENT = struct.pack("<BBHI", 0xE0, 1, 1, 7)
MAGIC = FRAME_MAGIC.to_bytes(2, "little")
END_PACKET = bytes([PACKET_EXT | EXT_END])  # first byte of the packet
SPIN = 0x0000006F.to_bytes(4, "little")  # j .


def devlist(board):
    with board.connect() as sock:
        sock.sendall(struct.pack(">HHI", 0x0111, 0x8005, 0))
        data = take(sock, 8 + 4 + 312)
        data += take(sock, 4 * data[-1])  # the interfaces
        assert sock.recv(1) == b"", "the list is followed by the end of the connection"
    return data


def test_enumeration(board):
    data = devlist(board)
    assert data[:12] == struct.pack(">HHII", 0x0111, 5, 0, 1)
    assert data[12 + 256:12 + 259] == b"1-1"
    fields = struct.unpack_from(">IIIHHHBBBBBB", data, 12 + 288)
    assert fields[2:6] == (2, 0x1209, 0x0001, 0x0100), fields
    assert data[324:328] == bytes([0xFF, 0x47, 0x01, 0])
    device = Device(board)
    assert device.info == data[12:324]
    status, string, _ = device.control_in(bytes([0x80, 6, 2, 3, 9, 4, 255, 0]))
    assert status == 0 and string[2:].decode("utf-16le").startswith("Gnomon ")
    assert device.control_in(bytes([0x80, 0x77, 0, 0, 0, 0, 4, 0]))[0] == -32, "an unknown request stalls"
    seqnum = device.submit(0x85, length=64)
    assert device.wait(seqnum)[0] == -2, "there is no endpoint 0x85"
    device.close()


def test_second_client(board):
    first = Device(board)
    assert Device(board).import_status == 2, "busy"
    assert devlist(board)[11] == 1, "the list is for everybody"
    assert Device(board, b"9-9").import_status == 4, "no such device"
    assert first.read(ID)[0] == [0x4D4F4E47]
    first.close()


def expect_closed(sock):
    try:
        while sock.recv(4096):
            pass
    except ConnectionResetError:
        pass
    sock.close()


def test_bad_input(board):
    good = struct.pack(">HHI32s", 0x0111, 0x8003, 0, b"1-1")
    submit = struct.pack(">IIIIIIIIII8s", 1, 1, 0x00010002, 1, 1, 0, 64, 0, 0, 0, b"\0" * 8)
    for text in [struct.pack(">HHI", 0x0100, 0x8005, 0), struct.pack(">HHI", 0x0111, 0x1234, 0), b"GET / HTTP/1.0\r\n\r\n",
                 good + b"\xff" * 48, good + submit.replace(b"\0\1\0\2", b"\0\1\0\3", 1), good + submit * 2,
                 good + submit[:24] + struct.pack(">I", 0x7FFFFFFF) + submit[28:]]:
        sock = board.connect()
        sock.sendall(text)
        expect_closed(sock)
    generator = random.Random(1)
    for _ in range(200):
        sock = board.connect()
        text = bytearray(good + submit + struct.pack(">IIIIII24x", 2, 3, 0x00010002, 0, 0, 1))
        for _ in range(generator.randrange(1, 6)):
            text[generator.randrange(len(text))] = generator.randrange(256)
        sock.sendall(text[:generator.randrange(len(text) + 1)])
        sock.shutdown(socket.SHUT_WR)
        expect_closed(sock)
    device = Device(board)
    assert device.import_status == 0
    device.write_bytes(MARK)
    assert device.read(ID)[0] == [0x4D4F4E47]
    device.close()


def test_vanishing(board):
    """Hosts that leave with open transfers, one of them in the middle of a command."""
    for _ in range(5):
        device = Device(board)
        for _ in range(8):
            device.submit(REPLY, length=64)
        device.submit(OUT, struct.pack("<BBHI", 1, 1, 4, RAM))
        device.close()
    device = Device(board)
    device.write_bytes(MARK)
    device.write_bytes(struct.pack("<BBHII", 2, 1, 100, RAM, 1))
    device.close()
    # The interrupted WRITE takes the next bytes as data. (tb_hostport tests that the device abandons it after a while.)
    device = Device(board)
    device.write_bytes(b"\xff" * 400)
    while device.unit()[:2] != (0x81, 1):
        pass
    assert device.read(ID)[0] == [0x4D4F4E47]
    device.close()


def test_unlink(board):
    device = Device(board)
    device.write_bytes(MARK)
    device.load(SPIN)
    device.run(exits=False)
    seqnum = device.submit(REPLY, length=512)
    assert device.wait(device.unlink(seqnum))[0] == -104, "cancelled before anything came"
    assert device.wait(device.unlink(seqnum))[0] == 0, "no such transfer any more"
    # Bytes that have arrived are not lost: the transfer ends short.
    device.write_bytes(struct.pack("<BBHI", 1, 9, 100, ID))
    seqnum = device.submit(REPLY, length=4096)
    time.sleep(0.2)
    unlinked = device.unlink(seqnum)
    status = device.wait(unlinked)[0]
    if status == 0:
        _, data, actual = device.done.pop(seqnum)
        assert len(data) == actual > 0
    else:
        data = b""
    device.units = data
    assert len(device.reply(9)[0]) == 400
    device.close()


def cycle(device):
    low, high = device.read(CYCLE_LO, 2)[0]
    return low + (high << 32)


def test_lockstep(board):
    """Time stands still without a transfer, for a stream without a queued transfer, and for a hart in reset."""
    device = Device(board)
    device.write_bytes(MARK)
    device.load(SPIN)
    device.run(exits=False)
    first = cycle(device)
    time.sleep(0.3)
    second = cycle(device)
    assert second - first < 200000, "time ran with nothing queued"
    one = device.submit(TRACE, length=FRAME_BYTES)
    while cycle(device) - second < 1000000:  # time runs with one transfer queued
        time.sleep(0.1)
    two = device.submit(TRACE, length=FRAME_BYTES)
    assert device.wait(device.unlink(one))[0] == -104 and device.wait(device.unlink(two))[0] == -104
    assert device.write(CONTROL, 1) == 0
    assert device.write(ENTRY, RAM) == 0
    device.close()


def record(binary, image, pause, divisor=3, *options):
    """Records a program that loses events, with streams queued beforehand, from a host that pauses."""
    streams = {REPLY: [], TRACE: []}
    received = {REPLY: b"", TRACE: b""}
    with Board(binary, "--once", "--rate-divisor", str(divisor), *options) as board:
        device = Device(board)
        device.write_bytes(MARK)
        device.load(image)
        assert device.write(PROFILE_CONTROL, 0x3F) == 0
        for endpoint in streams:
            streams[endpoint] = [device.submit(endpoint, length=512) for _ in range(4)]
        time.sleep(pause)
        start = device.submit(OUT, struct.pack("<BBHII", 2, 99, 1, CONTROL, 0))
        turn = 0
        while EXIT_EVENT not in received[REPLY] or received[TRACE][-FRAME_BYTES:][:2] != MAGIC or END_PACKET not in received[TRACE][-FRAME_BYTES:]:
            device.receive_one()
            for endpoint, queue in streams.items():
                while queue and queue[0] in device.done:
                    status, data, _ = device.done.pop(queue.pop(0))
                    assert status == 0
                    received[endpoint] += data
                    turn += 1
                    if turn % 4 == 0:
                        time.sleep(pause)
                    queue.append(device.submit(endpoint, length=512))
        assert start in device.done
        device.close()
    return received


def test_pausing_host(binary, image):
    """No byte from the device depends on the host's speed, even if events are lost."""
    quick, slow = record(binary, image, 0), record(binary, image, 0.6)
    lost = struct.unpack_from("<I", quick[TRACE][-FRAME_BYTES:], FRAME_AT_LOST)[0]
    assert lost > 1000, "the program was to lose events"
    assert quick == slow, "the host's speed shows"
    print(f"test_pausing_host: {len(quick[TRACE])} bytes of trace, {lost} events lost, the same from a slow host")


def test_skipping(binary, image):
    """No byte depends on whether unchanged logic is evaluated: with the trace faster and slower than USB."""
    for divisor in (3, 1):
        skipped, whole = record(binary, image, 0, divisor), record(binary, image, 0, divisor, "--no-skip")
        assert skipped == whole, "the skipping shows"
    print(f"test_skipping: {binary}: {len(whole[TRACE])} bytes of trace, the same without")


def test_signals(binary):
    for number in (signal.SIGINT, signal.SIGTERM):
        board = Board(binary)
        device = Device(board)
        device.submit(REPLY, length=64)
        board.process.send_signal(number)
        assert board.process.wait(timeout=60) == 0
    busy = Board(binary)
    clash = subprocess.run([binary, "--port", str(busy.port)], capture_output=True, text=True, timeout=60)
    assert clash.returncode == 1 and "127.0.0.1" in clash.stderr, clash
    busy.process.terminate()
    assert busy.process.wait(timeout=60) == 0


def test_options(binary):
    def run(*options):
        return subprocess.run([binary, *options], capture_output=True, text=True, timeout=60)
    assert run("--help").returncode == 0 and "--rate-divisor" in run("--help").stdout
    for wrong in (["--port", "70000"], ["--port"], ["--nonsense"], ["extra"], ["--rate-divisor", "0"], ["--oracle", "x"]):
        result = run(*wrong)
        assert result.returncode == 2 and result.stderr.startswith("gnomon-sim: ") and not result.stdout, result
    assert run("--oracle", "/nonexistent=/tmp/x").returncode == 1


def main():
    program, boards = values(__doc__, "program", rest="BOARD")
    binary = boards[0]
    test_options(binary)
    test_signals(binary)
    with Board(binary) as board:
        for test in (test_enumeration, test_second_client, test_unlink, test_lockstep, test_bad_input, test_vanishing):
            test(board)
            print(f"{test.__name__}: good")
    with open(program, "rb") as file:
        image = file.read()
    test_pausing_host(binary, image)
    for board in boards:
        test_skipping(board, image)
    with Board(binary, "--free") as board:
        device = Device(board)
        device.load(SPIN)
        device.run(exits=False)
        first = cycle(device)
        while cycle(device) - first < 1000000:
            time.sleep(0.1)
        device.close()
    print("--free, options, signals: good")


main()
