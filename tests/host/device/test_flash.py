#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests gnomon flash over the real libusb, with a board that goes through its loader and with loaders that fail in every
way; and gnomon install-udev. Each error gives an exit status, one clear message and a remedy, and no report of a
sanitizer.
usage: test_flash.py --gnomon COMMAND --bridge COMMAND --loader FAKE_LOADER --rules UDEV_RULES --out FOLDER"""
import os
import re
import struct
import subprocess
import sys
import zlib

from checking import expect, result
from options import values

gnomon, bridge, loader, rules, folder = map(os.path.abspath, values(__doc__, "gnomon", "bridge", "loader", "rules", "out"))
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
asan = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()
environment = {name: value for name, value in os.environ.items() if name != "GNOMON_DEVICE"}


def judge(name, done, status, pattern):
    text = done.stderr + done.stdout
    problem = None
    if done.returncode != status:
        problem = f"exit status {done.returncode}, not {status}"
    elif not re.search(pattern, text):
        problem = f"no message like /{pattern}/"
    elif "Sanitizer" in text or "runtime error" in text:
        problem = "sanitizer"
    elif status == 1 and not re.search("^gnomon: .*\n        [^ ]", done.stderr, re.M):
        problem = "no message with a remedy"
    expect(f"{name}: {problem}", not problem, text)


def run(name, status, pattern, *arguments, **options):
    done = subprocess.run([gnomon, *arguments], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                          env=dict(environment, **options.get("env", {})))
    judge(name, done, status, pattern)
    return done


def flash(fault, status, pattern, *arguments, ids="1209:5af0", env=None):
    """Runs gnomon ARGUMENTS on a machine whose only device is the fake board with that fault."""
    if os.path.exists("written"):
        os.remove("written")
    server = subprocess.Popen([loader, "written", fault, ids], stdout=subprocess.PIPE, text=True)
    port = server.stdout.readline().rsplit(":", 1)[1].strip()
    try:
        done = subprocess.run(["umockdev-wrapper", bridge, "--again", port, "env", f"LD_PRELOAD={asan}:libumockdev-preload.so.0",
                               gnomon, *arguments], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                              env=dict(environment, **(env or {})))
    finally:
        server.kill()
        server.wait()
    judge(f"{fault or 'good'} {' '.join(arguments)}", done, status, pattern)
    return done


def ice40(width, height, size=5000):
    head = bytes.fromhex("ff0000ff7eaa997e51000105920020") + b"\x62" + struct.pack(">H", width - 1) + bytes.fromhex("820000") + \
        b"\x72" + struct.pack(">H", height)
    return head + bytes((i * 7 + i // 256) & 0xFF for i in range(size))


def ecp5(code, size=5000):
    return b"\xff\x00Part: LFE5U\0\x00\xff" + bytes.fromhex("ffffbdb3ffffffff3b000000e2000000") + struct.pack(">I", code) + \
        bytes((i * 11 + i // 256) & 0xFF for i in range(size))


def suffixed(data, vendor, product):
    data += struct.pack("<HHHH3sB", 0xFFFF, product, vendor, 0x0100, b"UFD", 16)
    return data + struct.pack("<I", zlib.crc32(data) ^ 0xFFFFFFFF)


def save(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


good = save("good.bit", ecp5(0x41111043))
whole = save("whole.bit", ecp5(0x21111043, 4096 - len(ecp5(0, 0))))  # a multiple of the block size
up5k = save("up5k.bin", ice40(692, 336))
wait = ["--wait", "1"]


def wrote(name, data=None):
    expect(f"{name}: what was written is the file", os.path.exists("written") and
           open("written", "rb").read() == (data or open(good, "rb").read()))


# A complete update, and its variants.
flash("", 0, r"restarting into its loader(.|\n)*writing good.bit \(\d+ bytes, for an ECP5 12F/25F\)(.|\n)*back as usb:1209:0001:F4KE",
      "flash", good)
wrote("good")
flash("reset-to-detach", 0, "back as", "flash", "-d", "usb:1209:0001", good)
wrote("reset-to-detach")
flash("vendor-request", 0, "back as", "flash", good)
wrote("vendor-request")
flash("vendor-request", 0, "^# no tool but gnomon(.|\n)*vendor request 2.\ndfu-util -a 0 -D good.bit -R\n$", "flash", "--dry-run", good)
flash("tolerant", 0, "back as", "flash", good)
wrote("tolerant")
flash("gone-in-manifest", 0, "back as", "flash", good)
flash("in-loader", 0, "back as", "flash", good)
wrote("in-loader")
flash("half-done", 0, "back as", "flash", good)
wrote("half-done")
flash("", 0, "back as", "flash", whole)
wrote("whole blocks", open(whole, "rb").read())
flash("", 0, "back as", "flash", "--alt", "1", save("suffix.bit", suffixed(ecp5(0x41111043), 0x1209, 0x5AF0)))
wrote("without its suffix")
flash("", 0, "for an iCE40 UP5K", "flash", "-b", "fomu", up5k, ids="1209:5bf0")
wrote("Fomu", open(up5k, "rb").read())
flash("in-loader", 0, "back as", "flash", up5k, ids="1234:5678")  # a loader that no table lists
flash("never-back", 0, "", "flash", "-q", "--no-return", good)
wrote("never-back")
flash("", 0, "^dfu-util -e -d 1209:0001\ndfu-util -d 1209:5af0 -a 0 -D good.bit -R\n$", "flash", "--dry-run", "-b", "orangecrab", good)
expect("a dry run writes nothing", not os.path.exists("written"))
flash("in-loader", 0, "^dfu-util -d 1209:5af0 -a 0 -D good.bit -R\n$", "flash", "--dry-run", good)

# TinyFPGA BX: another program writes its image.
os.makedirs("bin", exist_ok=True)
with open("bin/tinyprog", "w") as script:
    script.write("#!/bin/sh\nunset LD_PRELOAD\n[ ! -e refuse ] || exit 3\ncp \"$2\" written\n")
os.chmod("bin/tinyprog", 0o755)
bx = save("bx.bin", ice40(872, 272))
path = os.path.abspath("bin") + ":" + environment["PATH"]
flash("no-functional", 0, "for an iCE40 8K", "flash", "--no-return", bx, ids="1d50:6130", env={"PATH": path})
flash("in-loader", 0, "^tinyprog -p bx.bin\n$", "flash", "--dry-run", bx, ids="1d50:6130")

# Files.
flash("", 1, "good.bit is for an ECP5 12F/25F, Fomu .foboot. has an iCE40 UP5K", "flash", good, ids="1209:5bf0")
run("wrong board", 1, "up5k.bin is for an iCE40 UP5K, OrangeCrab has an ECP5", "flash", "-b", "orangecrab", up5k)
run("85F", 1, "is for an ECP5 85F", "flash", "-b", "orangecrab", save("85.bit", ecp5(0x41113043)))
run("another iCE40", 1, "is for an iCE40, another part", "flash", "-b", "fomu", save("1k.bin", ice40(332, 144)))
run("suffix for another", 1, "is for the loader 1209:5bf0, OrangeCrab is 1209:5af0", "flash", "-b", "orangecrab",
    save("other.bit", suffixed(ecp5(0x41111043), 0x1209, 0x5BF0)))
damaged = bytearray(suffixed(ecp5(0x41111043), 0x1209, 0x5AF0))
damaged[100] ^= 1
run("damaged", 1, "is damaged: its DFU suffix", "flash", save("damaged.bit", bytes(damaged)))
run("no bitstream", 1, "is not a bitstream", "flash", save("text", b"hello"))
run("empty", 1, "is not a bitstream", "flash", save("empty", b""))
run("cut preamble", 1, "is not a bitstream", "flash", save("cut", b"\xff\0\0\xff\x7e\xaa\x99"))
run("cut after preamble", 1, "there is no board|loader|has an iCE40 UP5K", "flash", "-b", "fomu", save("cut2", b"\x7e\xaa\x99\x7e\x62"))
expect("no file", "cannot open nix" in subprocess.run([gnomon, "flash", "nix"], capture_output=True, text=True, env=environment).stderr)

# Devices.
flash("no-runtime", 1, "usb:1209:0001:F4KE cannot restart into a loader", "flash", good)
flash("detach-stall", 1, "refuses to restart into its loader", "flash", good)
flash("never-loader", 1, "no loader appeared on USB within 1 s", "flash", *wait, good)
flash("never-back", 1, "no Gnomon appeared on USB within 1 s", "flash", *wait, good)
flash("", 1, "there is no board to write to: no usb:1209:0002", "flash", "-d", "usb:1209:0002", good)
flash("", 2, "has no place 2: it has 2", "flash", "--alt", "2", good)

# Loaders.
flash("err-target", 1, "gave up after 0 bytes: errTARGET", "flash", good)
flash("stall-block", 1, "gave up after 512 bytes: errWRITE", "flash", good)
flash("err-prog", 1, "gave up after 512 bytes: errPROG", "flash", good)
flash("err-verify", 1, r"gave up after \d+ bytes: errVERIFY", "flash", good)
flash("leaves-early", 1, "it left the download", "flash", good)
flash("busy-forever", 1, "is still in dfuDNBUSY after 0 bytes", "flash", *wait, good)
flash("endless-pause", 1, "is still in dfuDNBUSY after 0 bytes", "flash", *wait, good)
flash("stuck-in-error", 1, "stays in dfuERROR", "flash", good)
flash("state-unknown", 1, "in an unknown state", "flash", good)
flash("trouble-unknown", 1, "an unknown error", "flash", good)
flash("status-short", 1, "its status is cut short", "flash", good)
flash("status-random", 1, "does not keep to DFU 1.1|gave up after|is still in|stays in", "flash", *wait, good)
flash("no-functional", 1, "functional descriptor is missing or impossible", "flash", good)
flash("functional-loop", 1, "no loader appeared|functional descriptor is missing", "flash", *wait, good)
flash("no-transfer-size", 1, "functional descriptor is missing or impossible", "flash", good)
flash("cannot-download", 1, "cannot be written", "flash", good)
flash("unplug", 1, "connection to usb:1209:5af0:F4KE is lost", "flash", good)
open("refuse", "w").close()
flash("in-loader", 1, "tinyprog failed .status 3.", "flash", bx, ids="1d50:6130", env={"PATH": path})
os.remove("refuse")
flash("in-loader", 1, "needs the program tinyprog(.|\n)*pipx install", "flash", bx, ids="1d50:6130")

# Usage.
run("no operand", 2, "missing operand: FILE", "flash")
run("list", 0, "^fomu +1209:5bf0(.|\n)*orangecrab +1209:5af0(.|\n)*tinyfpga-bx", "flash", "--list")
run("list for programs", 0, '"loader": "1d50:6146"', "flash", "--list", "--json")
run("list with a file", 2, "takes no file", "flash", "--list", good)
run("unknown board", 2, "no board nix", "flash", "-b", "nix", good)
run("simulated board", 2, "no board on this machine's USB", "flash", "-d", "sim:full", good)
run("long wait", 2, "--wait is at most", "flash", "--wait", "9999", good)

# The udev rule.
os.makedirs("root/etc/udev/rules.d", exist_ok=True)
installed = "root/etc/udev/rules.d/70-gnomon.rules"
if os.path.exists(installed):
    os.remove(installed)
done = run("udev dry run", 0, "70-gnomon.rules", "install-udev", "--root", "root", "--dry-run")
expect("a dry run installs nothing", not os.path.exists(installed) and done.stdout.endswith(open(rules).read()), done.stdout)
run("udev", 0, "wrote root/etc", "install-udev", "--root", "root")
expect("the rule is the repository's", open(installed).read() == open(rules).read() and os.stat(installed).st_mode & 0o777 == 0o644)
run("udev again", 0, "is there already", "install-udev", "--root", "root")
save(installed, b"an older one\n")
run("udev over an older one", 0, "wrote", "install-udev", "--root", "root")
expect("the older rule is replaced", open(installed).read() == open(rules).read())
run("udev nowhere", 1, "cannot write .*No such file", "install-udev", "--root", "nix")
save("file", b"")
expect("udev, a file for a folder", subprocess.run([gnomon, "install-udev", "--root", "file"], capture_output=True).returncode == 1)
if os.geteuid() == 0:  # as somebody else, who cannot write there
    os.makedirs("root2/etc/udev/rules.d", exist_ok=True)
    done = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", gnomon, "install-udev", "--root", folder + "/root2"],
                          capture_output=True, text=True, env=environment)
    judge("udev without root", done, 1, "cannot write .*Permission denied(.|\n)*sudo gnomon install-udev")

sys.exit(result())
