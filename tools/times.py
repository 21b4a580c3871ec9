#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps what the commands of the README take: puts one entry into FILE (build/times.json).

usage: times.py FILE NAME SECONDS <STEPS

STEPS has a line for each step: its name, seconds, seconds of processor. Steps may overlap, so SECONDS is not their sum."""
import json
import pathlib
import sys


def main():
    path, name, seconds = pathlib.Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    steps = {}
    for line in sys.stdin:
        step, taken, processor = line.split()
        steps[step] = {"seconds": float(taken), "processor_seconds": float(processor)}
    times = json.loads(path.read_text()) if path.exists() else {}
    processor = sum(step["processor_seconds"] for step in steps.values())
    times[name] = {"seconds": round(seconds, 1), "processor_seconds": round(processor, 1), "steps": steps}
    partial = path.with_suffix(".json.new")
    partial.write_text(json.dumps(times, indent=2) + "\n")
    partial.replace(path)
    print(f"{name}: {int(seconds) // 60} min {int(seconds) % 60} s, {processor:.0f} s of processor; also in {path}")


main()
