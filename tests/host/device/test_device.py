#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile devices and wrong programs: each must give the documented exit status and one clear message, and never a
report of a sanitizer. usage: test_device.py --gnomon COMMAND --simulators FOLDER --out FOLDER"""
import json
import os
import re
import signal
import struct
import subprocess
import sys
import time

from checking import expect, result
from options import values

gnomon, sim_dir, folder = values(__doc__, "gnomon", "simulators", "out")
gnomon = os.path.abspath(gnomon)
os.makedirs(folder, exist_ok=True)
environment = dict(os.environ, GNOMON_SIM_DIR=os.path.abspath(sim_dir), GNOMON_TIMEOUT_SCALE="1")
environment.pop("GNOMON_DEVICE", None)
os.chdir(folder)


def elf(path, machine=243, bits=1, kind=2, address=0x10000000, filesz=16, memsz=16, data=b"\x13\0\0\0" * 4, cut=None):
    if bits == 1:
        header = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", kind, machine, 1, address, 52, 0, 0, 52, 32, 1, 0, 0, 0)
        program = struct.pack("<IIIIIIII", 1, 84, address, address, filesz, memsz, 5, 4)
    else:
        header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", kind, machine, 1, address, 64, 0, 0, 64, 56, 1, 0, 0, 0)
        program = struct.pack("<IIQQQQQQ", 1, 5, 120, address, address, filesz, memsz, 4)
    with open(path, "wb") as file:
        file.write((header + program + data)[:cut])
    return path


def check(name, status, pattern, *arguments, **options):
    """Runs gnomon; its exit status, and a message that matches on stderr (or stdout), in the form `gnomon: ...`."""
    begin = time.monotonic()
    done = subprocess.run([gnomon, *arguments], capture_output=True, text=True, errors="replace", timeout=120,
                          env=dict(environment, **options.get("env", {})), stdin=subprocess.DEVNULL)
    if os.environ.get("SHOW_TIMES"):
        print(f"{time.monotonic() - begin:6.1f} s  {name}")
    text = done.stderr + done.stdout
    problem = None
    if done.returncode != status:
        problem = f"exit status {done.returncode}, not {status}"
    elif not re.search(pattern, text):
        problem = f"no message like /{pattern}/"
    elif "Sanitizer" in text or "runtime error" in text:
        problem = "sanitizer"
    elif status == 1 and not re.search("^gnomon: ", done.stderr, re.M):
        problem = "no message begins with gnomon:"
    expect(f"{name}: {problem}", not problem, " ".join(arguments), text)
    return done


def fault(name, status, pattern, command="run"):
    arguments = {"info": ["info"], "run": ["run"], "record": ["record", "-o", name + ".gnt"]}[command]
    program = [] if command == "info" else [good, "--", "out.bin"]
    return check(f"{command} with {name}", status, pattern, *arguments, "-d", "sim:full", "--sim-option", "--fault",
                 "--sim-option", name, *program)


def trailer(path):
    """Returns the JSON at the end of a trace file; None if there is none."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.rfind(b"GNTEND\r\n")
    size = struct.unpack_from("<I", data, at + 8)[0] if at >= 0 else 0
    return json.loads(data[at + 12:at + 12 + size]) if at >= 0 and at + 12 + size + 8 == len(data) else None


good = elf("good.elf")

# What works, first: else all the rest proves nothing.
done = check("run", 7, "^hello\n$", "run", "-d", "sim:full", good, "--", "out.bin")
expect("console is standard output", done.stdout == "hello\n" and done.stderr == "", done)
expect("output file", open("out.bin", "rb").read() == b"0123456789")
check("--get with a name", 7, "hello", "run", "-d", "sim:full", "--get", "out.bin=other.bin", good)
expect("output file under another name", open("other.bin", "rb").read() == b"0123456789")
check("--get of nothing", 1, "wrote no file nix", "run", "-d", "sim:full", "--get", "nix", good)
check("record", 0, "wrote a.gnt .*: 100 cycles", "record", "-d", "sim:full", "-o", "a.gnt", good)
check("record again", 0, "wrote b.gnt", "record", "-d", "sim:full", "-o", "b.gnt", good)
expect("two recordings are identical", open("a.gnt", "rb").read() == open("b.gnt", "rb").read())
fault("stale", 7, "hello")
check("info", 0, '"configuration": "small"', "info", "-d", "sim:full", "--json")

# Usage.
check("no command", 2, r"usage: gnomon \[OPTION\.\.\.\] COMMAND")
check("help", 0, "Commands:", "--help")
check("version", 0, r"^gnomon \d", "--version")
check("command's help", 0, "usage: gnomon record", "record", "--help")
check("unknown command", 2, "unknown command frobnicate", "frobnicate")
check("unknown option", 2, "unknown or ambiguous option --frob", "run", "--frob", good)
check("unknown short option", 2, "unknown option -Z", "run", "-Z", good)
check("missing argument", 2, "needs an argument", "record", "-o")
check("no ELF", 2, "missing operand: ", "run")
check("too many operands", 2, "unexpected operand", "info", "x")
check("not a number", 2, "needs a number", "record", "--flush-cycles", "many", good)
check("negative number", 2, "needs a number", "record", "--flush-cycles", "-5", good)
check("huge number", 2, "at most", "record", "--flush-cycles", "8G", good)
check("colour", 2, "--color takes", "info", "--color", "purple")
check("bad address", 2, "is not a device address", "info", "-d", "tty:0")
check("bad usbip address", 2, "is not a USB/IP address", "info", "-d", "usbip:nowhere")
check("bad usb address", 2, "is not a USB address", "info", "-d", "usb:zz")
check("bad configuration", 2, r'no configuration or board "huge"', "info", "-d", "sim:huge")
check("simulator missing", 1, "is not built", "info", "-d", "sim:mid")
check("no listener", 1, "cannot reach usbip:127.0.0.1:1", "info", "-d", "usbip:127.0.0.1:1")
check("no such board", 1, "no usb:1209:0001 on this machine|cannot use USB|starting libusb", "info", "-d", "usb:1209:0001")
check("device from the environment", 2, "is not a device address", "info", env={"GNOMON_DEVICE": "xyz"})

# Programs.
check("no file", 1, "cannot open nix.elf", "run", "-d", "sim:full", "nix.elf")
check("a folder", 1, "not a regular file", "run", "-d", "sim:full", ".")
open("text.elf", "w").write("not a program\n")
check("not an ELF", 1, "is not an ELF file", "run", "-d", "sim:full", "text.elf")
open("empty.elf", "w").close()
check("empty", 1, "is not an ELF file", "run", "-d", "sim:full", "empty.elf")
check("another architecture", 1, "another architecture", "run", "-d", "sim:full", elf("x86.elf", machine=62, bits=2))
check("64 bit", 1, "64-bit ELF", "run", "-d", "sim:full", elf("rv64.elf", bits=2))
check("object file", 1, "object file", "run", "-d", "sim:full", elf("o.elf", kind=1))
check("larger than memory", 1, "needs 131072 bytes of memory, sim:full has 65536", "run", "-d", "sim:full",
      elf("big.elf", memsz=131072))
check("all of memory", 1, "arguments and input files need", "run", "-d", "sim:full", elf("all.elf", memsz=65500))
check("outside", 1, "needs memory at 0x80000000", "run", "-d", "sim:full", elf("far.elf", address=0x80000000))
check("wraps around", 1, "needs", "run", "-d", "sim:full", elf("wrap.elf", memsz=0xFFFFFFF0))
check("cut", 1, "cut short", "run", "-d", "sim:full", elf("cut.elf", filesz=4096, memsz=4096))
check("cut header", 1, "damaged|cut short", "run", "-d", "sim:full", elf("cut2.elf", cut=60))
check("file larger than memory", 1, "larger in the file", "run", "-d", "sim:full", elf("odd.elf", filesz=16, memsz=8))
check("input too large", 1, "input files need", "run", "-d", "sim:full", "--put", gnomon, good)
check("input missing", 1, "cannot open nix", "run", "-d", "sim:full", "--put", "nix", good)

# Devices.
fault("op-version", 1, "USB/IP version 1.0.6", "info")
fault("op-code", 1, "is not a USB/IP server", "info")
fault("op-garbage", 1, "is not a USB/IP server", "info")
fault("import-busy", 1, "does not give its device", "info")
fault("import-cut", 1, "connection to sim:full is lost", "info")
for name in ("device-garbage", "device-short", "config-garbage", "config-short", "config-loop", "other-class", "no-endpoint"):
    fault(name, 1, "is not a Gnomon|speaks protocol", "info")
fault("future-protocol", 1, "speaks protocol 2.00", "info")
fault("control-stall", 1, "stall", "info")
fault("future-registers", 1, "registers of version 3.0", "info")
fault("no-memory", 1, "reports an impossible description of itself", "info")
fault("no-profiler", 1, "has no profiler", "record")
check("an older device's events", 1, "does not know the event io-bytes", "record", "--clock", "io-bytes", "-o", "old.gnt", "-d", "sim:full",
      "--sim-option", "--fault", "--sim-option", "events-old", good)
check("no records", 1, "keeps no records", "record", "--records", "-d", "sim:full", good)
check("records and events", 2, "exclude each other", "record", "--records", "--events", "-d", "sim:full", good)
fault("numbers-many", 1, "reports an impossible description of itself", "info")
fault("watch-odd", 1, "reports an impossible description of itself", "info")
subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32", "-nostdlib", "-Wl,-Ttext=0x10000000,-N", "-x", "assembler", "-o",
                "named.elf", "-"], input=".globl _start\n.type _start, @function\n_start: nop\n", text=True, check=True)
check("record with watch-stuck", 1, "does not empty its table of watched functions", "record", "-o", "watch.gnt", "-d", "sim:full",
      "--sim-option", "--fault", "--sim-option", "watch-stuck", "named.elf")
flash = elf("flash.elf", address=0x20080000)
check("no flash memory", 1, "needs flash memory at 0x20080000, and sim:full has none", "run", "-d", "sim:full", flash)
check("flash memory too small", 1, "1572864 bytes at 0x20080000", "run", "-d", "sim:full", "--sim-option", "--fault", "--sim-option", "flash-none",
      elf("large.elf", address=0x20080000, memsz=0x180004))
for name, says in (("flash-none", "no flash answers on sim:full: its identification is ff ff ff"), ("flash-locked", "does not allow reading over four wires")):
    check(name, 1, says, "run", "-d", "sim:full", "--sim-option", "--fault", "--sim-option", name, flash)
fault("flash-odd", 1, "reports an impossible flash memory", "info")
fault("records-few", 1, "reports an impossible description of itself", "info")
fault("buckets-many", 1, "reports an impossible description of itself", "info")
fault("records-open", 1, "does not close its records", "record")
fault("records-mute", 1, "does not show record 0", "record")
fault("records-wild", 0, "wrote records-wild.gnt", "record")
fault("no-profiler", 7, "hello", "run")
fault("actual-too-large", 1, "claims more bytes", "info")
fault("unasked", 1, "never asked for", "info")
fault("not-usbip", 1, "not USB/IP", "info")
fault("mute", 1, "did not answer", "info")
fault("kind-unknown", 1, "unit of unknown kind", "info")
fault("count-wrong", 1, "another length", "info")
fault("bus-error", 1, "refuses a read from", "info")
fault("bulk-stall", 1, "stall", "info")
fault("event-empty", 1, "an event without words", "run")
fault("ebreak", 1, "debug mode, at an ebreak", "run")
for command in ("run", "record"):
    fault("run-cut", 1, "connection to sim:full is lost: the simulator ended with status 0", command)
    fault("run-dies", 1, "connection to sim:full is lost: the simulator was ended by signal 6", command)
    fault("run-cut-mid", 1, "connection to sim:full is lost", command)
    fault("run-unplug", 1, "unplugged", command)
fault("no-end", 1, "does not end its trace", "record")
fault("trace-garbage", 1, "does not end its trace", "record")
for name in ("table-outside", "table-huge", "file-outside", "magic-gone", "name-endless"):
    fault(name, 1, "is damaged", "run")

# A recording that fails in its middle: an earlier file stays, and the data so far are in a .partial file.
before = open("a.gnt", "rb").read()
check("lost in mid-record", 1, "the recording up to the error is in a.gnt.partial", "record", "-d", "sim:full", "-o", "a.gnt",
      "--sim-option", "--fault", "--sim-option", "run-unplug", good)
expect("the earlier file is as it was", open("a.gnt", "rb").read() == before)
expect("no temporary file is left", not os.path.exists("a.gnt.partial.tmp"))
expect("the partial file is whole", trailer("a.gnt.partial") == {"frames": 1, "complete": False, "reason": "disconnected",
                                                                 "exit_status": -1})
check("no such folder", 1, "cannot", "record", "-d", "sim:full", "-o", "nix/a.gnt", good)
check("full disk", 1, "No space left", "record", "-d", "sim:full", "-o", "/dev/full", good)
with open("/dev/full", "w") as full:
    done = subprocess.run([gnomon, "run", "-d", "sim:full", good], stdout=full, stderr=subprocess.DEVNULL, env=environment, timeout=60)
    expect("full disk under standard output: exit status", done.returncode == 1, done.returncode)
    for arguments in (["--help"], ["--version"], ["help", "run"], ["run", "--help"], ["run", "--version"], ["cc", "--help"]):
        done = subprocess.run([gnomon, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, env=environment, timeout=60)
        expect(f"full disk under {arguments}: {done}", done.returncode == 1 and "cannot write to standard output" in done.stderr)

# Ctrl-C. The fake program does not end by itself; a frame of its trace shows that it runs.
for command in (["run"], ["record", "-o", "int.gnt"]):
    process = subprocess.Popen([gnomon, *command, "-d", "sim:full", "--sim-option", "--fault", "--sim-option", "no-exit", good],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    process.stdout.readline()  # "hello": the program runs
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    expect(f"Ctrl-C in {command[0]}: status {process.returncode}: {error}", process.returncode == 130 and "interrupted" in error)
expect("the interrupted file is whole", trailer("int.gnt") == {"frames": 2, "complete": True, "reason": "interrupted",
                                                               "exit_status": -1})

# A USB/IP server that gnomon did not start: gnomon finds it by its list, and by its bus id.
server = subprocess.Popen([os.path.join(environment["GNOMON_SIM_DIR"], "full", "gnomon-sim")], stdout=subprocess.PIPE, text=True)
port = server.stdout.readline().rsplit(":", 1)[1].strip()
check("usbip", 0, f"usbip:127.0.0.1:{port}", "info", "-d", f"usbip:127.0.0.1:{port}")
check("usbip with bus id", 7, "hello", "run", "-d", f"usbip:localhost:{port}/1-1", good)
check("second run on the same device", 7, "hello", "run", "-d", f"usbip:localhost:{port}/1-1", good)
server.kill()
server.wait()
server = subprocess.Popen([os.path.join(environment["GNOMON_SIM_DIR"], "full", "gnomon-sim"), "--fault", "list-huge"],
                          stdout=subprocess.PIPE, text=True)
port = server.stdout.readline().rsplit(":", 1)[1].strip()
check("huge list", 1, "no usable device list", "info", "-d", f"usbip:127.0.0.1:{port}")
server.kill()
server.wait()

sys.exit(result())
