#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures which faults of a netlist (mutate.py) the comparison with the RTL detects. A fault is one bit of one
look-up table.

usage: mutants.py --out FOLDER --program ELF --argument TEXT --rtl GNOMON --mutants GNOMON --count N"""
import os
import subprocess

from options import values

PATIENCE = 120  # seconds; a faulty board may run forever


def cable(command, folder, mutant, program, argument):
    """Returns the packets that the device sends during `record`, up to its end or to the first failure; None if it
    never ends."""
    log = os.path.join(folder, "cable.log")
    try:
        subprocess.run([command, "record", "-q", "-d", "sim:board", "--sim-option", f"log={log}", "--sim-option", f"mutant={mutant}",
                        "--events", "-o", os.path.join(folder, "trace.gnt"), program, argument],
                       capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return None
    with open(log, "rb") as file:
        return file.read()


def main():
    folder, program, argument, rtl, mutants, count = values(__doc__, "out", "program", "argument", "rtl", "mutants", "count")
    os.makedirs(folder, exist_ok=True)
    expected = cable(rtl, folder, 0, program, argument)
    assert cable(mutants, folder, 0, program, argument) == expected, "the netlist without a fault differs"
    missed = [m for m in range(1, int(count) + 1) if cable(mutants, folder, m, program, argument) == expected]
    found = int(count) - len(missed)
    print(f"{found} of {count} faults found; not: {' '.join(map(str, missed)) or '-'}")


main()
