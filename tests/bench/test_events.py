#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The generator of recordings: every figure that it promises is in `gnomon report`, from a file, through a pipe, and with frames missing; and
`gnomon dump` has as many events, and the call paths of `gnomon export --to folded` add up to the functions' self cycles.

usage: test_events.py --gnomon COMMAND --generator make_events --elf FILE --out FOLDER"""
import argparse
import json
import pathlib
import subprocess
import sys

from soak import wrong_in

EVENTS = 20_000
LOSS = 7


def generate(options, loss, output):
    totals = options.out / "totals.json"
    words = [options.generator, "gnt", EVENTS, options.elf, "-", totals, "--loss", loss]
    with open(output, "wb") as file:
        subprocess.run([str(word) for word in words], stdout=file, check=True)
    return json.loads(totals.read_text(encoding="utf-8"))


def report(options, loss, piped):
    path = options.out / "events.gnt"
    totals = generate(options, loss, path)
    with open(path, "rb") as file, subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE) as pipe:
        done = subprocess.run([options.gnomon, "report", "--json", "/dev/stdin" if piped else path], stdin=pipe.stdout, capture_output=True, check=False)
        pipe.stdout.close()
    wrong = wrong_in(json.loads(done.stdout), totals, loss)
    assert done.returncode == 0 and not wrong, (loss, piped, done.stderr, wrong)
    assert (totals["frames_lost"] > 0) == (loss > 0), totals
    return totals


def main():
    parser = argparse.ArgumentParser()
    for name in ("gnomon", "generator", "elf", "out"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for loss in (0, LOSS):
        for piped in (False, True):
            totals = report(options, loss, piped)
            print(f"pass  {totals['events']} events in {totals['frames']} frames, {totals['frames_lost']} missing, {'through a pipe' if piped else 'from a file'}")
    whole = generate(options, 0, options.out / "whole.gnt")
    folded = subprocess.run([options.gnomon, "export", "--to", "folded", "-q", "-o", "-", options.out / "whole.gnt"], capture_output=True, text=True, check=True).stdout
    own = {}
    for line in folded.splitlines():
        path, cycles = line.rsplit(" ", 1)
        own[path.split(";")[-1]] = own.get(path.split(";")[-1], 0) + int(cycles)
    assert {name: own.get(name) for name in whole["functions"]} == {name: self for name, (_, self, _) in whole["functions"].items()}, "paths"
    print(f"pass  {len(folded.splitlines())} call paths add up to the functions' self cycles")
    lines = subprocess.run([options.gnomon, "dump", options.out / "events.gnt"], capture_output=True, text=True, check=False).stdout.splitlines()
    shown = sum(" > " in line or " < " in line or "  thread " in line[24:] for line in lines[1:])
    assert shown == totals["received"], (shown, totals["received"])
    print(f"pass  gnomon dump shows the {shown} events that were received")


if __name__ == "__main__":
    sys.exit(main())
