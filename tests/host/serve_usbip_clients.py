#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients of gnomon serve --usbip: a second one while the board is in use, one that goes away with transfers queued, ones that make no
sense.

usage: serve_usbip_clients.py usbip:HOST:PORT GNOMON
"""
import random
import socket
import struct
import subprocess
import sys

VERSION, DEVLIST, IMPORT = 0x0111, 0x8005, 0x8003
SUBMIT, UNLINK = 1, 2
PATIENCE = 300


def connect(where):
    host, port = where.split(":")[1:3]
    made = socket.create_connection((host, int(port)), timeout=PATIENCE)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def exactly(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            sys.exit("FAIL: the server has closed the connection")
        data += part
    return data


def closes(connection):
    """The server ends the connection, whatever it sends before."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionResetError:
        pass
    connection.close()


def operation(connection, code, more=b""):
    connection.sendall(struct.pack(">HHI", VERSION, code, 0) + more)
    return struct.unpack(">HHI", exactly(connection, 8))[2]


def listed(where):
    connection = connect(where)
    assert operation(connection, DEVLIST) == 0 and exactly(connection, 4) == b"\0\0\0\1"
    device = exactly(connection, 312)
    assert device[300:304] == b"\x12\x09\x00\x01", device[300:304]
    assert exactly(connection, 4)[:3] == b"\xff\x47\x01"
    closes(connection)
    return device[256:288]


def take(where, busid):
    connection = connect(where)
    if operation(connection, IMPORT, busid):
        sys.exit("FAIL: the board is not given")
    exactly(connection, 312)
    return connection


def submit(seqnum, endpoint, into, length, setup=bytes(8), data=b""):
    return struct.pack(">IIIIIIIIII", SUBMIT, seqnum, 0, into, endpoint, 0, length, 0, 0, 0) + setup + data


def answer(connection):
    head = struct.unpack(">IIIIIiI", exactly(connection, 48)[:28])
    return head[0], head[1], head[5], exactly(connection, head[6]) if head[0] == 3 and head[6] else b""


def main():
    where, gnomon = sys.argv[1:]
    busid = listed(where)
    user = take(where, busid)
    second = connect(where)
    assert operation(second, IMPORT, busid) != 0, "two clients have the board"
    closes(second)
    refused = subprocess.run([gnomon, "info", "-d", where], capture_output=True, text=True, check=False)
    assert refused.returncode == 1 and "does not give its device" in refused.stderr, refused.stderr
    user.sendall(submit(1, 0, 1, 18, bytes((0x80, 6, 0, 1, 0, 0, 18, 0))))
    kind, seqnum, status, data = answer(user)
    assert (kind, seqnum, status, len(data)) == (3, 1, 0, 18), (kind, seqnum, status, data)
    user.sendall(submit(2, 5, 1, 64))  # there is no such endpoint
    assert answer(user)[1:3] == (2, -32)
    user.sendall(submit(3, 0, 0, 0, bytes((0x40, 2, 0, 0, 0, 0, 0, 0))))  # restart into the loader: not allowed
    assert answer(user)[1:3] == (3, -32)
    user.sendall(submit(4, 2, 1, 4096) + struct.pack(">IIIIII", UNLINK, 5, 0, 0, 0, 4) + bytes(24))
    assert answer(user)[:3] == (4, 5, -104)
    user.sendall(b"".join(submit(10 + n, 1 + n % 2, 1, 4096) for n in range(60)))
    user.close()  # with transfers queued
    assert listed(where) == busid
    unknown = connect(where)
    assert operation(unknown, IMPORT, b"9-9".ljust(32, b"\0")) != 0, "a board that is not there"
    closes(unknown)
    chance = random.Random(1)
    for garbage in (b"GET / HTTP/1.1\r\n\r\n", bytes(1000), struct.pack(">HHI", 0x0100, DEVLIST, 0), b"\x01\x11\x80"):
        with connect(where) as connection:
            connection.sendall(garbage)
    for wrong in (submit(1, 1, 0, 0xFFFFFFFF), struct.pack(">I", 77) + bytes(44), bytes(chance.randbytes(4096)), submit(1, 0, 1, 70000),
                  b"".join(submit(n, 1, 1, 1 << 20) for n in range(30))):
        user = take(where, busid)
        user.sendall(wrong)
        closes(user)
        listed(where)  # the server goes on
    half = take(where, busid)
    half.sendall(submit(1, 1, 0, 64, data=b"x" * 10))
    half.close()
    print("clients that go away or make no sense: the server goes on")


if __name__ == "__main__":
    main()
