#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the input of a program on the simulated board: standard input from a pipe, a file, a terminal, or none; and
files. An output file of an earlier run is no input. usage: test_input.py GNOMON FOLDER"""
import json
import os
import pathlib
import pty
import random
import signal
import subprocess
import sys
import time

from checking import fail, require

GNOMON = os.path.abspath(sys.argv[1])
SOURCE = pathlib.Path(__file__).resolve().parent / "input_program.c"
PATIENCE = 120


def run(command, *arguments, stdin=subprocess.DEVNULL, data=None, status=0, options=()):
    done = subprocess.run([GNOMON, command, "-d", "sim:full", *options, "program.elf", *arguments], capture_output=True, timeout=PATIENCE,
                          check=False, **({"input": data} if data is not None else {"stdin": stdin}))
    if done.returncode != status:
        fail(f"{command} {arguments}: status {done.returncode}, not {status}: {done.stdout} {done.stderr}")
    return done


def cycles(*arguments, **how):
    done = run("stat", *arguments, options=["--json"], **how)
    return json.loads(done.stdout)["cycles"]["runs"]


def console():
    require("a pipe", run("run", "ask", data=b"bob\n").stdout, b"name? hello bob\n")
    require("no end of line", run("run", "cat", "80", data=b"bob").stdout, b"bob")
    require("/dev/null", run("run", "ask", status=3).stdout, b"name? none\n")
    done = subprocess.run(["sh", "-c", f"exec {GNOMON} run -d sim:full program.elf ask <&-"], capture_output=True, timeout=PATIENCE, check=False)
    require("closed", (done.returncode, done.stdout), (3, b"name? none\n"))
    data = random.Random(22).randbytes(300)  # with Ctrl-D, NUL and ends of lines
    for size in 30, 250:
        require(f"any bytes, {size} at a time", run("run", "cat", str(size), data=data).stdout, data)


def same_run():
    """The run does not depend on the speed of its input; with a file it takes fewer cycles than with a pipe.
    Repeated runs are the same, too: they get the same input, and each starts its own USB frames."""
    text = b"first line\nsecond\n" + b"x" * 200 + b"\nend"
    pathlib.Path("text").write_bytes(text)
    first = cycles("cat", "100", data=text)
    with open("text", "rb") as file:
        if not cycles("cat", "100", stdin=file)[0] < first[0] - 20000:  # waits for two lines fewer
            fail("a file takes as many cycles as a pipe")
    ours, theirs = os.pipe()
    writer = subprocess.Popen([sys.executable, "-c", "import os, sys, time\nfor byte in sys.argv[1]:\n"
                               " time.sleep(0.004)\n os.write(1, byte.encode())", text.decode()], stdout=theirs)
    os.close(theirs)
    require("a slow pipe", cycles("cat", "100", stdin=ours), first)
    writer.wait()
    repeated = json.loads(run("stat", "cat", "100", data=text, options=["--json", "-r", "2"]).stdout)
    require(f"repeated, {repeated['cycles']['runs']}", repeated["identical"], True)
    never = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
    require("input that is not read", cycles("copy", "text", "out", stdin=never.stdout), cycles("copy", "text", "out"))
    never.stdout.close()
    never.kill()
    never.wait()


def terminals():
    """isatty returns the host's values; with --json the program's output goes to standard error."""
    ours, theirs = pty.openpty()
    require("none", run("run", "tty").stdout, b"tty 000\n")
    require("standard input", run("run", "tty", stdin=theirs).stdout, b"tty 100\n")
    subprocess.run([GNOMON, "run", "-d", "sim:full", "program.elf", "tty"], stdin=subprocess.DEVNULL, stdout=theirs, timeout=PATIENCE, check=True)
    read_until(ours, b"tty 011")
    subprocess.run([GNOMON, "stat", "-d", "sim:full", "--json", "program.elf", "tty"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs,
                   timeout=PATIENCE, check=True)
    read_until(ours, b"tty 011")
    os.close(ours)
    os.close(theirs)


def short_reads():
    """Reads of a byte: gnomon fetches a block of a file, or a line of a pipe, so a byte costs only its share of one
    fetch."""
    lines = b"0123456789012345678901234567890\n" * 64
    total = 0
    for byte in lines:
        total = (31 * total + byte) % 2**32
    pathlib.Path("lines").write_bytes(lines)
    for name, most, how in ("file", 200, lambda: {"stdin": open("lines", "rb")}), ("pipe", 1500, lambda: {"data": lines}):
        done = run("stat", "sum", options=["--json"], **how())
        require(f"bytes of a {name}", done.stderr.split()[0], str(total).encode())
        each = json.loads(done.stdout)["cycles"]["runs"][0] / len(lines)
        if each > most:
            fail(f"{each} cycles for each byte of a {name}")


def read_until(terminal, text):
    got = b""
    end = time.monotonic() + PATIENCE
    while text not in got:
        if time.monotonic() > end:
            fail(f"the terminal shows {got!r}, not {text!r}")
        got += os.read(terminal, 1000)
    return got


def terminal():
    for keys, shown, status in ((b"ann\n", b"hello ann", 0), (b"\x04", b"none", 3)):
        ours, theirs = pty.openpty()
        child = subprocess.Popen([GNOMON, "run", "-d", "sim:full", "program.elf", "ask"], stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        read_until(ours, b"name? ")
        os.write(ours, keys)
        read_until(ours, shown)
        require(f"terminal, {keys}", child.wait(PATIENCE), status)
        os.close(ours)


def interrupt_while_waiting():
    for command, options in ("run", []), ("record", ["-o", "waiting.gnt"]):
        ours, theirs = os.pipe()
        child = subprocess.Popen([GNOMON, command, "-d", "sim:full", *options, "program.elf", "ask"], stdin=ours, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        while child.stdout.read(1) != b"?":
            pass
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=PATIENCE)
        require(f"Ctrl-C while {command} waits for input", child.returncode, 130)
        os.close(theirs)
    if b"interrupted" not in pathlib.Path("waiting.gnt").read_bytes():
        fail("record while it waits: the file does not say that it was interrupted")


def commands():
    hello = b"name? hello bob\n"
    for command, options in (("record", ["-o", "bob.gnt"]), ("stat", []), ("tag", ["-t", "main"]), ("hot", []), ("scan", [])):
        done = run(command, "ask", data=b"bob\n", options=options)
        if not done.stdout.startswith(hello):
            fail(f"{command}: {done.stdout}")
    done = subprocess.run([GNOMON, "callers", "-d", "sim:full", "write", "watched.elf", "ask"], input=b"bob\n", capture_output=True,
                          timeout=PATIENCE, check=False)
    if done.returncode or hello not in done.stdout:
        fail(f"callers: {done.returncode} {done.stdout} {done.stderr}")


def files():
    """The second run finds the first run's output, the third run finds another file: each run takes the same cycles."""
    pathlib.Path("from").write_bytes(bytes(range(256)) * 3)
    pathlib.Path("to").unlink(missing_ok=True)
    first = cycles("copy", "from", "to")
    require("copy", pathlib.Path("to").read_bytes(), pathlib.Path("from").read_bytes())
    require("with the first run's output", cycles("copy", "from", "to"), first)
    pathlib.Path("to").write_bytes(b"something else\n" * 4000)
    require("with another file", cycles("copy", "from", "to"), first)
    require("copied again", pathlib.Path("to").read_bytes(), pathlib.Path("from").read_bytes())
    pathlib.Path("left").unlink(missing_ok=True)
    run("run", "leave", "left")
    require("a file that is open at exit", pathlib.Path("left").read_bytes(), b"not closed\n")


def main():
    os.makedirs(sys.argv[2], exist_ok=True)
    os.chdir(sys.argv[2])
    for name, options in ("program.elf", []), ("watched.elf", ["--gnomon-monitor"]):
        subprocess.run([GNOMON, "cc", "-O2", "-g", *options, "-o", name, SOURCE], check=True)
    for part in console, same_run, terminals, short_reads, terminal, interrupt_while_waiting, commands, files:
        begin = time.monotonic()
        part()
        print(f"pass  {part.__name__}, {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    main()
