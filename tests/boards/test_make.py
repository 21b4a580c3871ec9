#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make bitstream and make flash, without placement: the exact commands, and every way to go wrong.

usage: test_make.py WORK_DIR"""
import glob
import json
import os
import subprocess
import sys

from checking import expect, result

WORK = sys.argv[1]
COMMANDS = {
    "fomu": "dfu-util -d 1209:5bf0 -a 0 -D build/fpga/fomu.dfu",
    "fomu-bus": "dfu-util -d 1209:5bf0 -a 0 -D build/fpga/fomu-bus.dfu",
    "fomu-counters": "dfu-util -d 1209:5bf0 -a 0 -D build/fpga/fomu-counters.dfu",
    "fomu-flash": "dfu-util -d 1209:5bf0 -a 0 -D build/fpga/fomu-flash.dfu",
    "fomu-tags": "dfu-util -d 1209:5bf0 -a 0 -D build/fpga/fomu-tags.dfu",
    "icebreaker": "iceprog build/fpga/icebreaker.bin",
    "icebreaker-bitsy": "dfu-util -d 1d50:6146 -a 0 -D build/fpga/icebreaker-bitsy.dfu",
    "icebreaker-serial": "iceprog build/fpga/icebreaker-serial.bin",
    "orangecrab": "dfu-util -d 1209:5af0 -a 0 -D build/fpga/orangecrab.dfu",
    "tinyfpga-bx": "tinyprog -p build/fpga/tinyfpga-bx.bin",
    "ulx3s-25f": "openFPGALoader -b ulx3s -f build/fpga/ulx3s-25f.bit",
    "ulx3s-85f": "openFPGALoader -b ulx3s -f build/fpga/ulx3s-85f.bit",
    "ulx3s-85f-duo": "openFPGALoader -b ulx3s -f build/fpga/ulx3s-85f-duo.bit",
}


def run(*command, **environment):
    """Exit status, and all that it says."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=clean | environment, check=False)
    return done.returncode, done.stdout


def make(*arguments):
    return run("make", "-s", "--no-print-directory", *arguments)


def answers(what, answer, good, *texts):
    """Succeeds if `good`, and else fails; says each of the texts."""
    status, output = answer
    wrong = [text for text in texts if text not in output]
    expect(what, (status == 0) == good and not wrong, f"exit status {status}, without {wrong}:", output)


def report(path, **clocks):
    """A report of nextpnr's with these clocks: (reached, wanted)."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({
            "utilization": {"ICESTORM_LC": {"used": 5000, "available": 5280}, "ICESTORM_RAM": {"used": 30, "available": 30}},
            "fmax": {name: {"achieved": mhz, "constraint": wanted} for name, (mhz, wanted) in clocks.items()},
        }, file)  # fmt: skip
    return path


def estimate(path, *figures):
    """A log of nextpnr's with these estimates: (clk12, clki)."""
    with open(path, "w", encoding="utf-8") as file:
        for clk12, clki in figures:
            file.write(f"Info: Max frequency for clock          'clk12': {clk12:.2f} MHz ({'PASS' if clk12 >= 12 else 'FAIL'} at 12.00 MHz)\n"
                       f"Info: Max frequency for clock 'clki$SB_IO_IN_$glb_clk': {clki:.2f} MHz ({'PASS' if clki >= 48 else 'FAIL'} at 48.00 MHz)\n")
    return path


def main():
    os.makedirs(WORK, exist_ok=True)
    headers = sorted(name.removesuffix(".vh") for name in os.listdir("rtl/soc/boards") if name.endswith(".vh"))
    assert headers == sorted(COMMANDS), f"boards are {headers}: this test knows others"
    for board, command in COMMANDS.items():
        status, output = make("flash", f"BOARD={board}", "DRYRUN=1")
        assert (status, output) == (0, command + "\n"), f"{board}: {status} {output}"

    for target in "bitstream", "seeds", "flash":
        answers("unknown board", make(target, "BOARD=nexys"), False, 'there is no board "nexys"', *headers)
        answers("no board", make(target), False, "no board is named", *headers)

    # The loader is not installed; the remedy says how it gets there.
    for board, command in COMMANDS.items():
        loader = {"dfu-util": ["dfu", "1209:5bf0"], "openFPGALoader": ["openfpgaloader"]}.get(command.split()[0], [command.split()[0]])
        answers("no loader", run(sys.executable, "tools/boards.py", "flash", board, "image", *loader, PATH="/nowhere"), False,
                f"{command.split()[0]} is not installed", "install ", f"make flash BOARD={board}")
    # It is: it gets the image.
    fake = os.path.abspath(f"{WORK}/bin")
    os.makedirs(fake, exist_ok=True)
    with open(f"{fake}/iceprog", "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\necho "loading $@"\nexit 3\n')
    os.chmod(f"{fake}/iceprog", 0o755)
    status, output = run(sys.executable, "tools/boards.py", "flash", "icebreaker", "x.bin", "iceprog", PATH=fake + ":/usr/bin:/bin")
    assert (status, output) == (3, "iceprog x.bin\nloading x.bin\n"), (status, output)

    # Clocks.
    good = report(f"{WORK}/good.json", clk48=(48.2, 48.0), clk12=(14.6, 12.0))
    answers("clocks are met", run("tools/boards.py", "clocks", "fomu", good), True)
    slow = report(f"{WORK}/slow.json", clk48=(47.9, 48.0), clk12=(14.6, 12.0))
    answers("a clock is missed", run("tools/boards.py", "clocks", "fomu", slow), False,
            "fomu misses its clock: clk48 reaches 47.9 of 48.0 MHz", "SEEDS=")
    answers("no clock at all", run("tools/boards.py", "clocks", "fomu", report(f"{WORK}/none.json")), False, "no clock in")
    large = json.load(open(good, encoding="utf-8"))
    large["utilization"]["ICESTORM_LC"]["used"] = 5281
    json.dump(large, open(f"{WORK}/large.json", "w", encoding="utf-8"))
    answers("too large", run("tools/boards.py", "clocks", "fomu", f"{WORK}/large.json"), False, "does not fit: 5281 of 5280 LC")

    # What is expected before routing: of each log the last estimate counts.
    logs = [estimate(f"{WORK}/{seed}.log", *figures) for seed, *figures in ((1, (13.5, 47.3)), (7, (9.0, 20.0), (13.6, 50.4)), (12, (12.1, 50.0)))]
    answers("seeds", run("tools/boards.py", "seeds", "fomu", *logs), True,
            "seed    7:  +5.0 %, clk12 13.6 of 12.0 MHz, clki 50.4 of 48.0 MHz\nseed   12:  +0.8 %", "seed    1:  -1.5 %",
            'make bitstream BOARD=fomu SEEDS="7 12"')
    answers("no good seed", run("tools/boards.py", "seeds", "fomu", logs[0]), False, "with none of these seeds", "SEEDS=")

    # A report that misses a clock makes no bitstream.
    fpga = f"{WORK}/fpga"
    os.makedirs(fpga, exist_ok=True)
    image = f"{fpga}/fomu.bin"
    for path in image, f"{fpga}/fomu.dfu":
        if os.path.exists(path):
            os.remove(path)
    placed = report(f"{fpga}/fomu.report.json", clk48=(40.0, 48.0), clk12=(14.6, 12.0))
    answers("bitstream that misses a clock", make(f"FPGA={fpga}", "-o", placed, f"{fpga}/fomu.dfu"), False, "fomu misses its clock")
    assert not os.path.exists(image), "there is a bitstream that misses its clock"

    # Serial numbers.
    for bad in "1234567", "123456789", "1234 678", "'; rm -r", "":
        answers("serial number", run("tools/boards.py", "serial", bad, f"{WORK}/serial"), False, "is no serial number", "eight")
    answers("serial number", run("tools/boards.py", "serial", "LAB00042", f"{WORK}/serial"), True)
    before = os.stat(f"{WORK}/serial").st_mtime_ns
    answers("the same again", run("tools/boards.py", "serial", "LAB00042", f"{WORK}/serial"), True)
    assert os.stat(f"{WORK}/serial").st_mtime_ns == before, "the netlist would be made again"
    answers("serial number through make", make(f"FPGA={fpga}", f"{fpga}/fomu.serial", "SERIAL=short"), False, "is no serial number")

    # The table.
    out = f"{WORK}/boards.json"
    answers("table", run("tools/boards.py", "table", out, f"rtl/soc/boards/fomu.vh={good}", f"rtl/soc/boards/tinyfpga-bx.vh={good}"), True,
            "fomu ", "12 MHz, 64 KiB", "clk48 48.2 of 48.0 MHz", "LC 5000/5280", "without: ", "records of functions")
    rows = json.load(open(out, encoding="utf-8"))
    assert rows[0]["margin_percent"] == 0.4 and rows[0]["left_out"] == [] and rows[1]["ram_bytes"] == 4096, rows
    answers("table with a miss", run("tools/boards.py", "table", out, f"rtl/soc/boards/fomu.vh={slow}"), False, "a clock is missed: fomu: clk48")
    # README.md has the table of features as the headers say.
    headers = sorted(glob.glob("rtl/soc/boards/*.vh"))
    status, features = run("tools/boards.py", "features", "rtl/soc/gnomon_config.vh", *headers)
    assert status == 0 and features in open("README.md", encoding="utf-8").read(), f"README.md is to have this table:\n{features}"
    print(f"{len(COMMANDS)} commands as they are typed")
    return result()


sys.exit(main())
