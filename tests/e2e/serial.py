#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests gnomon over a UART link (docs/guide/serial.md), on the simulated board with a terminal.

usage: serial.py same CALM STORM     the same trace as over USB, also with errors on the line; loss is counted exactly
       serial.py wrong CALM          messages for ports that are missing, busy, not a port, silent or unplugged"""
import os
import pathlib
import subprocess
import sys
import time

import e2e
from checking import fail
from commands import run

OUT = pathlib.Path("build/e2e/serial")
GNOMON = "build/bin/gnomon"
SIM = "build/sim/small-serial/gnomon-sim"


class Board:
    """A simulated board at the end of a UART link; ends with the program that opens its terminal."""

    def __init__(self, *options):
        self.process = subprocess.Popen([SIM, "--serial", "--once", *options], stdout=subprocess.PIPE, text=True)
        word = self.process.stdout.readline().split()
        if word[:2] != ["serial", "line"]:
            fail(f"the board said {word}")
        self.path, self.address = word[2], f"serial:{word[2]}:{word[3]}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def gnomon(*arguments, scale=None):
    environment = dict(os.environ, **({"GNOMON_TIMEOUT_SCALE": str(scale)} if scale else {}))
    return run([GNOMON, *arguments], env=environment, timeout=300)


def body(trace):
    """Returns a trace file without its header, which names the device."""
    data = trace.read_bytes()
    return data[16 + int.from_bytes(data[8:12], "little"):]


def record(address, name, elf, argument, scale=None):
    trace = OUT / f"{name}.gnt"
    trace.unlink(missing_ok=True)
    done = gnomon("record", "-q", "--events", "-d", address, "-o", trace, elf, "--", argument, scale=scale)
    if not trace.exists():
        fail(f"{name}: status {done.returncode}\n{done.stderr}")
    return trace, done.stdout


def same(calm, storm):
    usb, said = record("sim:small", "usb", calm, "400")
    for name, options, scale in (("line", [], None), ("latency", ["--latency", "125"], None), ("errors", ["--line-faults", "300:3"], 1)):
        with Board(*options) as board:
            trace, heard = record(board.address, name, calm, "400", scale)
            if body(trace) != body(usb) or said != heard:
                fail(f"{name}: not what USB brings")
        print(f"{name}: the same {len(body(trace))} bytes as over USB")
    with Board() as board:
        trace, _ = record(board.address, "storm", storm, "10")
    lost, _ = e2e.account(trace, "storm, which is too much for the line")
    if lost == 0:
        fail("storm: nothing was lost, so nothing was tried")
    with Board() as board:
        info = gnomon("info", "-d", board.address).stdout
    other = gnomon("info", "-d", "sim:small").stdout
    if info.splitlines()[1:] != other.splitlines()[1:]:
        fail(f"info differs:\n{info}{other}")
    with Board() as board:
        ran = gnomon("run", "-d", board.address, calm, "--", "10")
        if ran.returncode or not ran.stdout.startswith("sum "):
            fail(f"run: status {ran.returncode} {ran.stdout}{ran.stderr}")


def expect(what, done, status, *texts):
    if done.returncode != status or not all(text in done.stderr for text in texts):
        fail(f"{what}: status {done.returncode}\n{done.stderr}")
    print(f"{what}: {done.stderr.splitlines()[0]}")


def wrong(calm):
    expect("absent", gnomon("info", "-d", "serial:/dev/ttyNOTHERE"), 1, "there is no serial port", "plug the board in")
    expect("no port", gnomon("info", "-d", "serial:/dev/null"), 2, "is not a serial port")
    expect("no rate", gnomon("info", "-d", "serial:/dev/ttyUSB1:1"), 2, "is not the address of a serial port", "serial:PORT:BAUD")
    expect("no name", gnomon("info", "-d", "serial:"), 2, "is not the address of a serial port")
    master, slave = os.openpty()
    expect("silent", gnomon("info", "-d", f"serial:{os.ttyname(slave)}", scale=1), 1, "no Gnomon answers", "check the port", "3000000 baud")
    os.close(master)
    os.close(slave)
    with Board() as board:
        running = subprocess.Popen([GNOMON, "run", "-q", "-d", board.address, calm, "--", "1000000"], stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        expect("busy", gnomon("info", "-d", board.address), 1, "in use by another program")
        board.process.kill()
        board.process.wait()
        _, said = running.communicate(timeout=60)
        if running.returncode != 1 or "connection to serial:" not in said or "plug it in again" not in said:
            fail(f"unplugged: status {running.returncode}\n{said}")
        print(f"unplugged: {said.splitlines()[0]}")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    os.environ["GNOMON_SIM_DIR"] = "build/sim"
    {"same": same, "wrong": wrong}[sys.argv[1]](*sys.argv[2:])


main()
