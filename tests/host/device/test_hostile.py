#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests devices that lie, over USB/IP and over libusb (through umockdev). Each case ends in bounded time with an exit
status, a message that names the thing, and a remedy. A sanitizer reports nothing, and the trace file of an earlier run
stays as it was.
usage: test_hostile.py --gnomon COMMAND --bridge COMMAND --simulators FOLDER --out FOLDER"""
import concurrent.futures
import os
import re
import shutil
import struct
import subprocess
import sys

from checking import check, expect, result
from options import values

gnomon, bridge, fakes, folder = map(os.path.abspath, values(__doc__, "gnomon", "bridge", "simulators", "out"))
asan = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()
environment = dict({name: value for name, value in os.environ.items() if name != "GNOMON_DEVICE"}, GNOMON_SIM_DIR=fakes,
                   GNOMON_TIMEOUT_SCALE="1")
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
os.chdir(folder)

NOT_OURS = "is not a Gnomon: "
DAMAGED = NOT_OURS + "its configuration descriptor is (damaged|cut short)|" + NOT_OURS + "it has no interface"
LACKS = NOT_OURS + "its interface lacks one of the bulk endpoints"
NONSENSE = "the device sent|sends, but|did not answer|does not answer|says that|reports an impossible description of itself|the device's register"
NONE = r"there is no usb|cannot use USB"  # libusb finds no device with our interface
# fault: command, pattern over USB/IP, pattern over libusb (None: only the USB/IP connection can have this fault)
CASES = {
    # Descriptors. The kernel, which umockdev emulates, reads them before libusb does; the kernel configures no device
    # with truncated descriptors.
    "config-garbage": ("info", DAMAGED, DAMAGED + "|" + NONE),
    "config-short": ("info", DAMAGED, DAMAGED + "|" + NONE),
    "config-loop": ("info", DAMAGED, DAMAGED + "|" + NONE),
    "config-nine": ("info", DAMAGED, DAMAGED + "|" + NONE),
    "config-random": ("info", DAMAGED, DAMAGED + "|" + NONE),
    "config-empty": ("info", DAMAGED, None),
    "config-refused": ("info", "refused a transfer", None),
    "other-class": ("info", DAMAGED, DAMAGED),
    "no-endpoint": ("info", LACKS, LACKS),
    "endpoint-zero": ("info", LACKS, LACKS),
    "endpoint-interrupt": ("info", LACKS, LACKS),
    "endpoint-double": ("info", LACKS, LACKS),
    "future-protocol": ("info", "speaks protocol 2.00", "speaks protocol 2.00"),
    "device-short": ("info", NOT_OURS, None),
    "control-stall": ("info", "refused a transfer", None),
    # The transport.
    "actual-too-large": ("info", "claims more bytes", None),
    "unasked": ("info", "never asked for", None),
    "not-usbip": ("info", "not USB/IP", None),
    "answer-twice": ("info", "never asked for", None),
    "answer-out-short": ("info", r"took \d+ of \d+ bytes", r"took \d+ of \d+ bytes"),
    "answer-status-odd": ("info", "USB/IP status -71", "failed on the wire"),
    "answer-empty": ("info", "sends, but", "sends, but"),
    "bulk-stall": ("info", "refused a transfer", "refused a transfer"),
    # Reply packets.
    "mute": ("info", "did not answer", "did not answer"),
    "kind-unknown": ("info", "unit of unknown kind", "unit of unknown kind"),
    "count-wrong": ("info", "another length", "another length"),
    "count-huge": ("info", "another length", "another length"),
    "tag-wrong": ("info", NONSENSE, NONSENSE),
    "replies-random": ("info", NONSENSE, NONSENSE),
    "replies-endless": ("info", "sends, but does not answer", "sends, but does not answer"),
    "no-memory": ("info", "reports an impossible description of itself", "reports an impossible description of itself"),
    # A run, where an earlier trace file exists.
    "event-empty": ("record", "an event without words", "an event without words"),
    "run-unplug": ("record", "unplugged", "unplugged"),
    "run-cut-mid": ("record", "connection to sim:full is lost", "unplugged"),
    "trace-garbage": ("record", "does not end its trace", "does not end its trace"),
    "trace-random": ("record", "does not end its trace", "does not end its trace"),
    "trace-stall": ("record", "refused a transfer", "refused a transfer"),
    "trace-endless": ("record", "does not end its trace", "does not end its trace"),
}


def start_fake(fault):
    server = subprocess.Popen([os.path.join(fakes, "full", "gnomon-sim"), "--fault", fault], stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline().rsplit(":", 1)[1].strip()


def arguments(command, name):
    if command == "info":
        return ["info"]
    shutil.copy("earlier.gnt", name + ".gnt")
    return ["record", "-o", name + ".gnt"]


def run(command, fault, over_usb):
    """Returns the result of gnomon with a device of that fault."""
    words = [gnomon, *arguments(command, f"{fault}-{'usb' if over_usb else 'usbip'}")]
    program = [] if command == "info" else ["good.elf"]
    if not over_usb:
        return subprocess.run([*words, "-d", "sim:full", "--sim-option", "--fault", "--sim-option", fault, *program],
                              capture_output=True, text=True, errors="replace", timeout=100, env=environment, stdin=subprocess.DEVNULL)
    server, port = start_fake(fault)
    try:
        return subprocess.run(["umockdev-wrapper", bridge, port, "env", f"LD_PRELOAD={asan}:libumockdev-preload.so.0", *words, "-d",
                               "usb:1209:0001", *program], capture_output=True, text=True, errors="replace", timeout=100,
                              env=environment, stdin=subprocess.DEVNULL)
    finally:
        server.kill()
        server.wait()


def judge(case):
    """(name of the case, what is wrong with it)"""
    fault, command, pattern, over_usb = case
    name = f"{command} with {fault} over {'libusb' if over_usb else 'USB/IP'}"
    try:
        done = run(command, fault, over_usb)
    except subprocess.TimeoutExpired:
        return name, ["hangs"]
    text = done.stderr + done.stdout
    path = f"{fault}-{'usb' if over_usb else 'usbip'}.gnt"
    if done.returncode != 1:
        problem = f"exit status {done.returncode}"
    elif "Sanitizer" in text or "runtime error" in text:
        problem = "sanitizer"
    elif not re.search(f"^gnomon: .*({pattern})", text, re.M):
        problem = f"no message like /{pattern}/"
    elif not re.search("^gnomon: .*\n        [^ ]", text, re.M):
        problem = "no remedy"
    elif command == "record" and open(path, "rb").read() != open("earlier.gnt", "rb").read():
        problem = "the earlier file is damaged"
    else:
        return name, []
    return name, [problem, *text[:1500].splitlines()]


# A program that the fake device accepts: one segment at the start of its memory.
with open("good.elf", "wb") as file:
    file.write(struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", 2, 243, 1, 0x10000000, 52, 0, 0, 52, 32, 1, 0, 0, 0))
    file.write(struct.pack("<IIIIIIII", 1, 84, 0x10000000, 0x10000000, 16, 16, 5, 4) + b"\x13\0\0\0" * 4)
# Without a fault all is well: else the rest would prove nothing. Strings are no reason to refuse a device.
good = subprocess.run([gnomon, "record", "-d", "sim:full", "-o", "earlier.gnt", "good.elf"], capture_output=True, text=True, env=environment)
expect("a good device", good.returncode == 0, good.stderr)
for fault in ("string-endless", "string-odd"):
    for over_usb in (False, True):
        answer = run("info", fault, over_usb)
        expect(fault, answer.returncode == 0 and "Sanitizer" not in answer.stderr, answer.stderr)
cases = [(fault, command, pattern, over_usb) for fault, (command, usbip, usb) in CASES.items()
         for over_usb, pattern in ((False, usbip), (True, usb)) if pattern]
with concurrent.futures.ThreadPoolExecutor(3) as pool:  # most of them wait for time-outs
    for case_name, errors in pool.map(judge, cases):
        check(case_name, errors)
sys.exit(result())
