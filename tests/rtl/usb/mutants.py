#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks the USB device in one place at a time; the test of faults must detect each defect.

usage: mutants.py --bench COMMAND --out FOLDER --seed N --faults N
bench: the built bench of the correct device; the folder gets the broken devices, linked to the same host."""
import pathlib
import shutil
import subprocess
import sys

from options import values

RTL = pathlib.Path("rtl/usb")
TIME_LIMIT = 300  # seconds; a device that hangs the bench counts as detected
# Name of the defect: file, original text, replacement.
MUTANTS = {
    "toggle not checked": ("protocol", "rx_fresh <= rx_toggle_i == (third ? toggle[3] : toggle[0]);", "rx_fresh <= 1'b1;"),
    "ACK taken twice": ("protocol", "else if (token_i || ack_i || rx_end_i) expect_ack <= 1'b0;",
                        "else if (token_i || rx_end_i) expect_ack <= 1'b0;"),
    "packet given back without ACK": ("protocol", "wire in_acked = expect_ack && ack_i;",
                                      "wire in_acked = expect_ack && (ack_i || rx_end_i);"),
    "broken packet taken": ("protocol", "rx_good <= expect_data && rx_end_i && rx_good_i && !too_long;",
                            "rx_good <= expect_data && rx_end_i && !too_long;"),
    "packet of more than 64 bytes taken": ("protocol", "rx_end_i && rx_good_i && !too_long;", "rx_end_i && rx_good_i;"),
    "data without a token taken": ("protocol", "else if (rx_end_i) expect_data <= 1'b0;", ""),
    "full buffer acknowledged": ("protocol", "rx_fresh && !room) out_answer = PID_NAK;",
                                 "rx_fresh && !room) out_answer = PID_ACK;"),
    "repeated packet refused": ("protocol", "else if (endpoint[0] && rx_fresh && !room)",
                                "else if (endpoint[0] && !(rx_fresh && room))"),
    "CRC16 ignored": ("line", "state == DATA && bits_over && crc16_good;", "state == DATA && bits_over;"),
    "CRC5 ignored": ("line", "crc5_good ? TOKEN_END : IGNORE;", "TOKEN_END;"),
    "PID's check ignored": ("line", "if (shift[7:4] != ~shift[3:0]) pid_state", "if (1'b0) pid_state"),
    "stuffing error ignored": ("line", "wire stuff_error = tick && receiving", "wire stuff_error = 1'b0 && receiving"),
    "address kept over a reset": ("control", "address_o <= 7'd0;", ""),
    "bus reset not seen": ("sampler", "assign bus_reset_o = se0_count[5];", "assign bus_reset_o = 1'b0;"),
    "length of a short packet overwritten": ("fill", "wire wait_short = is_short[!slot]", "wire wait_short = 1'b0 && is_short[!slot]"),
}


def build(bench, folder, name, old, new):
    """Returns the broken bench."""
    shutil.copytree(RTL, folder, dirs_exist_ok=True)
    broken = folder / f"gnomon_usb_{name}.v"
    text = broken.read_text()
    if text.count(old) != 1:
        sys.exit(f"{broken.name}: {text.count(old)} times instead of once: {old}\n"
                 "The device has changed: say in this script how to break it now.")
    broken.write_text(text.replace(old, new))
    verilate = ["verilator", "--cc", "--build", "-Wno-fatal", "-O3", "--top-module", "usb_bench", "-GFUNCTIONAL=0", "-GCONFIG=0",
                "-Mdir", folder, "-MAKEFLAGS", "OPT_FAST=-O1", "-y", folder, "tests/rtl/usb/usb_bench.v"]
    objects = [o for o in bench.parent.glob("*.o") if not o.name.startswith("Vusb_bench")]
    link = ["g++", "-o", folder / "Vusb_bench", *objects, folder / "Vusb_bench__ALL.a", "-lpthread"]
    for command in verilate, link:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{name}: {old}: does not build\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return folder / "Vusb_bench"


def noticed(program, seed, faults):
    """Returns the test's complaint, or None."""
    try:
        run = subprocess.run([program, seed, faults], capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return "no end"
    if run.returncode == 0:
        return None
    return next((line for line in run.stdout.splitlines() if "failed" in line), f"status {run.returncode}")


def main():
    bench, folder, seed, faults = values(__doc__, "bench", "out", "seed", "faults")
    bench, folder = pathlib.Path(bench), pathlib.Path(folder)
    if noticed(bench, seed, faults):
        sys.exit("the device as it is fails")
    survivors = []
    for number, (what, (name, old, new)) in enumerate(MUTANTS.items()):
        complaint = noticed(build(bench, folder / str(number), name, old, new), seed, faults)
        print(f"{what:38} {complaint or 'NOT NOTICED'}", flush=True)
        if not complaint:
            survivors.append(what)
    print(f"{len(MUTANTS) - len(survivors)} of {len(MUTANTS)} broken devices noticed")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
