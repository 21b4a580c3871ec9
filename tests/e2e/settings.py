#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every setting of the profiler, the same program: the same instructions, cycles and causes, as the simulator's oracle counts them.

usage: settings.py FOLDER BOARD ELF [ARG...]
"""
import json
import os
import pathlib
import subprocess
import sys

# The profiler off; on in each way that `gnomon record` knows; read slowly, so that it loses; and sending with every event.
SETTINGS = {
    "off": None,
    "default": [],
    "events": ["--events", "--sim-option", "--usb-speedup", "--sim-option", "64"],
    "slow": ["--events", "--sim-option", "--rate-divisor", "--sim-option", "50"],
    "flush": ["--events", "--flush-cycles", "4096"],
    "nothing": ["--events", "--no-functions", "--no-traps", "--no-channels", "--no-locks", "--no-modules"],
    "traps": ["--events", "--no-functions"],
    "records": ["--records"],
    "watch": ["--watch"],
}
LACKING = {"small": {"watch"}, "mid": {"records", "watch"}}


def run(folder, board, setting, elf, arguments):
    oracle = folder / f"{setting}.oracle.json"
    oracle.unlink(missing_ok=True)
    for argument in arguments:
        if argument.startswith(str(folder.parent)):  # an output of an earlier run would be placed as an input
            pathlib.Path(argument).unlink(missing_ok=True)
    options = SETTINGS[setting]
    command = ["gnomon", "run" if options is None else "record", "-q", "-d", f"sim:{board}", "--sim-option", "--oracle", "--sim-option", f"{elf}={oracle}"]
    if options is not None:
        command += ["-o", str(folder / f"{setting}.gnt"), *options]
    done = subprocess.run([*command, elf, "--", *arguments], capture_output=True, text=True, check=False)
    if not oracle.exists():
        sys.exit(f"FAIL: {' '.join(command)}: status {done.returncode}\n{done.stderr}")
    account = json.loads(oracle.read_text(encoding="utf-8"))
    return done.stdout, {key: account[key] for key in ("cycles", "instructions", "causes")}


def main():
    folder, board, elf, *arguments = sys.argv[1:]
    folder = pathlib.Path(folder) / f"{board}-{pathlib.Path(elf).stem}"
    os.makedirs(folder, exist_ok=True)
    settings = [setting for setting in SETTINGS if setting not in LACKING.get(board, ())]
    first = run(folder, board, settings[0], elf, arguments)
    different = []
    for setting in settings[1:]:
        other = run(folder, board, setting, elf, arguments)
        if other != first:
            different.append(setting)
            print(f"FAIL: {setting}: {other[1]}\n  where the profiler is off: {first[1]}")
    print(f"{elf} on {board}: {first[1]['cycles']} cycles, {first[1]['instructions']} instructions, {len(settings) - len(different)} of {len(settings)} settings alike")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
