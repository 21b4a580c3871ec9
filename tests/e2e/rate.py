#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""When the simulated USB goes at the cable's rate must not show in a recording, except where the cable loses events.

usage: rate.py ELF, a program that makes more events than full speed carries"""
import json
import pathlib
import re
import subprocess
import sys

ELF = sys.argv[1]
FOLDER = pathlib.Path(ELF).parent / "rate"


def record(board, name, rate, *options):
    """The recording's bytes, its cycles and how many events it lost."""
    path = FOLDER / f"{board}.{name}.{rate or 'default'}.gnt"
    simulator = ["--sim-option", "--usb-rate", "--sim-option", rate] if rate else []
    calls = "20000" if name == "dense" else "20"
    subprocess.run(["gnomon", "record", "-q", "-d", f"sim:{board}", "-o", path, *options, *simulator, ELF, calls], check=True,
                   stdout=subprocess.PIPE)
    said = json.loads(subprocess.run(["gnomon", "report", "--json", "-i", path], check=True, stdout=subprocess.PIPE).stdout)
    return path.read_bytes(), said["cycles"], said["lost_events"]


def same(board, *options):
    """Where nothing is lost, loading at once and reading the trace at once change no byte."""
    recordings = {rate: record(board, "few", rate, *options) for rate in ("true", "load", "lossless", None)}
    assert recordings["true"][2] == 0, recordings["true"][1:]
    for rate, recording in recordings.items():
        assert recording == recordings["true"], f"{board} {options}: --usb-rate {rate} shows"
    print(f"ok  {board} {' '.join(options)}: {len(recordings['true'][0])} bytes, {recordings['true'][1]} cycles at any rate")


def lossless():
    """What full speed loses, the default does not, and the program's cycles are the same."""
    whole, cable = record("full", "dense", None, "--events"), record("full", "dense", "true", "--events")
    assert whole[2] == 0, f"{whole[2]} events lost by default"
    assert cable[2] > 1000, f"{cable[2]} events lost at the cable's rate"
    assert whole[1] == cable[1], f"{whole[1]} and {cable[1]} cycles"
    print(f"ok  full: {cable[2]} events lost at the cable's rate, none by default, {whole[1]} cycles both times")


FOLDER.mkdir(exist_ok=True)
wrong = subprocess.run(["gnomon", "run", "--sim-option", "--usb-rate", "--sim-option", "fast", ELF], stderr=subprocess.PIPE, text=True, check=False)
assert wrong.returncode != 0 and re.search("--usb-rate takes true, load or lossless", wrong.stderr), wrong.stderr
same("full")
same("full", "--events")
same("small", "--events")
lossless()
