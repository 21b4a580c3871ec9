#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the same program with every setting of the profiler: instructions, cycles and stall causes are the same, as the
simulator's oracle counts them.

usage: settings.py --out FOLDER --board NAME ELF [ARG...]
"""
import json
import os
import pathlib
import sys

from checking import expect, fail, result
from commands import FAST, run, sim_options
from options import values

# The profiler off; on in each way that `gnomon record` knows; read slowly, so that it loses; and sending with every event.
SETTINGS = {
    "off": None,
    "default": [],
    "events": ["--events", *FAST],
    "slow": ["--events", *sim_options("--rate-divisor", "50")],
    "flush": ["--events", "--flush-cycles", "4096"],
    "nothing": ["--events", "--no-functions", "--no-traps", "--no-channels", "--no-locks", "--no-modules"],
    "traps": ["--events", "--no-functions"],
    "records": ["--records"],
    "watch": ["--watch"],
}
LACKING = {"small": {"watch"}, "mid": {"records", "watch"}}


def measured(folder, board, setting, elf, arguments):
    """The console, and the oracle's cycles, instructions and causes."""
    oracle = folder / f"{setting}.oracle.json"
    oracle.unlink(missing_ok=True)
    for argument in arguments:
        if argument.startswith(str(folder.parent)):  # removes the output of an earlier run, which would become an input
            pathlib.Path(argument).unlink(missing_ok=True)
    options = SETTINGS[setting]
    command = ["gnomon", "run" if options is None else "record", "-q", "-d", f"sim:{board}", *sim_options("--oracle", f"{elf}={oracle}")]
    if options is not None:
        command += ["-o", str(folder / f"{setting}.gnt"), *options]
    done = run([*command, elf, "--", *arguments])
    if not oracle.exists():
        fail(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    account = json.loads(oracle.read_text(encoding="utf-8"))
    return done.stdout, {key: account[key] for key in ("cycles", "instructions", "causes")}


def main():
    folder, board, (elf, *arguments) = values(__doc__, "out", "board", rest="ARG")
    folder = pathlib.Path(folder) / f"{board}-{pathlib.Path(elf).stem}"
    os.makedirs(folder, exist_ok=True)
    settings = [setting for setting in SETTINGS if setting not in LACKING.get(board, ())]
    first = measured(folder, board, settings[0], elf, arguments)
    for setting in settings[1:]:
        other = measured(folder, board, setting, elf, arguments)
        expect(f"{setting}: the same as with the profiler off", other == first, other[1], first[1])
    print(f"{elf} on {board}: {first[1]['cycles']} cycles, {first[1]['instructions']} instructions")
    return result()


if __name__ == "__main__":
    sys.exit(main())
