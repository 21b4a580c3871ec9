#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The lean model of the simulated board equals the full model except for the units that it leaves out, and reports
an error if a program uses them.

usage: lean.py --out FOLDER --left-out ELF --left-out-open ELF ELF[=ARGUMENT]..."""
import os
import pathlib

from commands import run
from options import values

folder, left_out, left_out_open, programs = values(__doc__, "out", "left-out", "left-out-open", rest="ELF")
FOLDER = pathlib.Path(folder)


def gnomon(model, *arguments, device="sim:full"):
    return run(["gnomon", *arguments], env={**os.environ, "GNOMON_SIM_MODEL": model, "GNOMON_DEVICE": device})


def good(model, *arguments):
    done = gnomon(model, *arguments)
    assert done.returncode == 0, (model, arguments, done)
    return done.stdout


def same(elf, argument):
    """Compares console, trace and records, byte for byte."""
    seen = {}
    for model in ("lean", "full"):
        files = {way: FOLDER / f"{pathlib.Path(elf).name}.{model}.{way[2:]}.gnt" for way in ("--records", "--events")}
        ran = gnomon(model, "run", elf, *argument)
        seen[model] = [(ran.returncode, ran.stdout, ran.stderr)]
        for way, path in files.items():
            seen[model] += [good(model, "record", "-q", way, "-o", path, elf, *argument), path.read_bytes()]
    assert seen["lean"] == seen["full"], f"{elf}: the models differ"
    print(f"ok  {elf}: {len(seen['lean'][2])} bytes of records, {len(seen['lean'][4])} of events, the same from both models")


FOLDER.mkdir(exist_ok=True)
assert good("lean", "info", "--json") == good("full", "info", "--json"), "info differs"
for program in programs:
    name, _, rest = program.partition("=")
    same(name, [rest] if rest else [])
for what, unit in (("watch", "hookless call tracing"), ("pmu", "the selectable counters"), ("csr", "the selectable counters"),
                   ("causes", "the counters of stall causes"), ("tags", "tags")):
    assert good("full", "run", left_out, what) == f"{what}: done\n"
    refused = gnomon("lean", "run", left_out, what)
    lines = refused.stderr.splitlines()
    assert refused.returncode == 1 and f"{what}: done" not in refused.stdout, (what, refused)
    assert len(lines) == 2 and unit in lines[0] and "lean model" in lines[0] and "GNOMON_SIM_MODEL=full" in lines[1], (what, refused)
    print(f"ok  {what}: {lines[0]}")
assert good("lean", "run", left_out_open, "open") == "open: done\n", "a program whose code names a counter is run by the whole model"
