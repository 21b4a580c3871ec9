#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs in flash memory on the simulated Fomu: recordings equal the reference model, flash memory is written only
where it differs and never outside of the area for programs, and what cannot run says why.

usage: test_xip.py --out FOLDER --constant ELF --large ELF=EXPECTED PROGRAM...

PROGRAM is ELF or ELF=ARGUMENT. --large names a program and the file with its output, or nothing."""
import json
import os
import pathlib
import subprocess
import sys

from checking import fail
from commands import FAST_USB, must, run, sim_options
from options import values

OUT, CONSTANT, LARGE, PROGRAMS = values(__doc__, "out", "constant", "large", rest="PROGRAM")
OUT = pathlib.Path(OUT)
BOARD = "sim:fomu-flash"
COMPARE = pathlib.Path(__file__).parent.parent / "e2e" / "compare_oracle.py"
START, ADDRESS, BYTES, MISS = 512 << 10, 0x20080000, 2 << 20, 13
BEFORE = b"bitstream and boot loader " * (START // 26) + bytes(START % 26)


def flash_file(name):
    """A flash that holds something else wherever programs must not write, and in their area, too."""
    path = OUT / name
    path.write_bytes(BEFORE + bytes(65536) + b"\xff" * (BYTES - START - 65536))
    return path


def check_before(path):
    if path.read_bytes()[:START] != BEFORE or path.stat().st_size != BYTES:
        fail(f"{path}: what is before the programs has changed")


def record(elf, arguments, flash, name):
    """Records on the flash in this file; compares with the reference model. Returns the recording's bytes and the output."""
    trace, oracle, causes = OUT / f"{name}.gnt", OUT / f"{name}.oracle.json", OUT / f"{name}.causes.json"
    for path in trace, oracle, causes:
        path.unlink(missing_ok=True)
    options = sim_options(*FAST_USB, "--flash", flash, "--oracle", f"{elf}={oracle}", "--instructions", causes)
    said = run(["gnomon", "record", "-q", "-d", BOARD, "-o", trace, *options, elf, "--", *arguments])
    if not trace.exists():
        fail(f"{elf}: no recording\n{said.stderr}")
    report = trace.with_suffix(".json")
    report.write_text(must(["gnomon", "report", "-i", trace, "--json"]), encoding="utf-8")
    if json.loads(report.read_text(encoding="utf-8"))["lost_events"]:
        fail(f"{elf}: events were lost")
    if subprocess.run([sys.executable, COMPARE, report, oracle], check=False).returncode:
        fail(f"{elf}: the report is not what the reference model counts")
    counted = json.loads(oracle.read_text(encoding="utf-8"))["causes"]
    if not counted[MISS]:
        fail(f"{elf}: no cycle was a miss of the instruction cache")
    print(f"{name}: {sum(counted)} cycles, {counted[MISS]} of them misses of the instruction cache")
    check_before(flash)
    return trace.read_bytes(), said.stdout


def text_bytes(elf):
    """Bytes that the program has in flash memory."""
    sections = must(["riscv64-unknown-elf-readelf", "-SW", elf])
    sizes = [int(words[4], 16) for words in (line[7:].split() for line in sections.splitlines()) if len(words) > 4 and words[2].startswith("200")]
    return sum(sizes)


def programs():
    flash = flash_file("flash.bin")
    first = {}
    for turn in range(2):  # in the second turn, each program overwrites the last one again
        for program in PROGRAMS:
            elf, *arguments = program.split("=")
            name = os.path.basename(elf)
            recording, _ = record(elf, arguments, flash, f"{name}.{turn}")
            if first.setdefault(name, recording) != recording:
                fail(f"{elf}: two recordings differ")
    # What is there already is not written again; what is damaged is repaired.
    before = flash.read_bytes()
    elf, *arguments = PROGRAMS[-1].split("=")
    name = os.path.basename(elf)
    log = OUT / "usb.log"
    sent = []
    for kind in "same", "damaged":
        if kind == "damaged":
            flash.write_bytes(before[:START + 999] + bytes([before[START + 999] ^ 4]) + before[START + 1000:])
        options = sim_options("--flash", flash, "--usb-log", log)
        run(["gnomon", "run", "-q", "-d", BOARD, *options, elf, "--", *arguments])  # the program's status is its own
        sent.append(sum(int(line.split()[2]) for line in log.read_text(encoding="utf-8").splitlines() if line.split()[1] == "0x01"))
        if flash.read_bytes() != before:
            fail(f"{elf}, {kind}: the flash does not hold the program")
    data = 4 * text_bytes(elf)  # a byte to the flash is a word over USB
    if not sent[0] < data / 2 < data + 4096 or not sent[0] + 4 * 4096 < sent[1] < sent[0] + 8 * 4096:
        fail(f"{elf}: {sent[0]} bytes sent for a program that was there, {sent[1]} for one with a damaged byte; it has {data // 4} bytes")


def wrong():
    done = run(["gnomon", "run", "-d", "sim:small", CONSTANT])
    if done.returncode == 0 or "has none" not in done.stderr or "--gnomon-flash" not in done.stderr:
        fail(f"on a board without flash memory: {done.stderr}")
    done = run(["gnomon", "run", "-d", BOARD, CONSTANT])
    if "constant 42" not in done.stdout or "store access fault" not in done.stderr or "main" not in done.stderr:
        fail(f"a store to a constant: {done.stdout}{done.stderr}")
    source = OUT / "huge.c"
    source.write_text("const char huge[1600000] = {1};\nint main(int argc, char **argv) { return huge[argc + (argv != 0)]; }\n", encoding="utf-8")
    done = run(["gnomon", "cc", "--gnomon-flash", "-O1", "-Wl,--defsym=__gnomon_flash_bytes=0x400000", "-o", OUT / "huge.elf", source])
    done = run(["gnomon", "run", "-d", BOARD, OUT / "huge.elf"])
    if done.returncode == 0 or "1572864 bytes at 0x20080000" not in done.stderr:
        fail(f"a program that is too large: {done.stderr}")
    for option in "--gnomon-overlays", "--gnomon-module", "--gnomon-monitor", "--gnomon-patchable":
        done = run(["gnomon", "cc", "--gnomon-flash", option, "-o", OUT / "huge.elf", source])
        if done.returncode != 2 or option not in done.stderr:
            fail(f"--gnomon-flash with {option}: {done.stderr}")


def large(elf, expected):
    size = text_bytes(elf)
    if size < 500_000:
        fail(f"{elf} has only {size} bytes in flash memory")
    _, output = record(elf, [], flash_file("large.bin"), "large")
    if output != pathlib.Path(expected).read_text(encoding="utf-8"):
        fail(f"{elf} prints {output}")
    print(f"{elf}: {size} bytes in flash memory")


OUT.mkdir(parents=True, exist_ok=True)
info = json.loads(must(["gnomon", "info", "--json", "-d", BOARD]))
if (info["flash_start"], info["flash_bytes"]) != (ADDRESS, BYTES - START):
    fail(f"flash memory: {info['flash_bytes']} bytes at {info['flash_start']:#x}")
wrong()
programs()
if LARGE:
    large(*LARGE.split("="))
