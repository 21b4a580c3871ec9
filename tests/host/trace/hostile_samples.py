#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Samples in a trace file are not trusted: files with samples that make no sense are refused with a message, those at the
limits are shown, and no command fails otherwise. With a gnomon that was built with sanitizers.

usage: hostile_samples.py GNOMON FILE.gnt FOLDER
FILE.gnt was recorded with gnomon record --sample."""
import copy
import json
import os
import struct
import sys
import zlib

from checking import check, result
from commands import run

MAGIC = b"GNTSMP\r\n"
COMMANDS = (["report"], ["report", "--json"], ["report", "--threads"], ["report", "--thread", "1"], ["annotate"], ["dump"],
            *(["export", "--to", to, "-o", "OUT"] for to in ("folded", "flamegraph", "pprof", "pprof-legacy", "callgrind", "gmon", "dot")))
DEEPEST, BIG = 1024, 1 << 56


class Recording:
    """The parts of a trace file around its samples."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        at = data.index(MAGIC)
        size, = struct.unpack_from("<I", data, at + 8)
        self.before, self.text, self.after = data[:at], data[at + 12:at + 12 + size], data[at + 16 + size:]
        self.samples = json.loads(self.text)

    def write(self, path, text, crc=None, size=None):
        section = MAGIC + struct.pack("<I", len(text) if size is None else size) + text
        section += struct.pack("<I", zlib.crc32(text) if crc is None else crc)
        with open(path, "wb") as file:
            file.write(self.before + section + self.after)


def with_members(whole, /, **members):
    changed = copy.deepcopy(whole)
    for key, value in members.items():
        if value is None:
            del changed[key]
        else:
            changed[key] = value
    return changed


def refused(samples):
    """(name, samples) that make no sense."""
    row = samples["samples"][0]
    for key in ("event", "period", "samples", "lost", "excluded", "unattributed", "cut", "evictions", "cost"):
        yield f"without {key}", with_members(samples, **{key: None})
        if key not in ("event", "samples"):
            for value in (-1, "1", 1.5, [], (1 << 63) - 1):
                yield f"{key} {value!r}", with_members(samples, **{key: value})
    yield "period 0", with_members(samples, period=0)
    for event in ("", "x" * 32, "cycles\n", "\u001b[31m", 7):
        yield f"event {event!r}", with_members(samples, event=event)
    for name in ("thread", "range"):
        yield f"long {name}", with_members(samples, **{name: "x" * 128})
    for rows in ({}, [[]], [[0]], [[0, 1]], [7], [row + [7]], [[0, 1, "7"]], [[0, 0, 16]], [[0, -1, 16]], [[-1, 1, 16]], [[257, 1, 16]], [[0, 1, 1 << 32]],
                 [[0, 1, -2]], [[0, 1, 17]], [[0, BIG, 16], [0, 1, 16]], [[0, 1] + [16] * (DEEPEST + 1)]):
        yield f"rows {str(rows)[:40]}", with_members(samples, samples=rows)
    yield "more cut than samples", with_members(samples, cut=1 + sum(r[1] for r in samples["samples"]))
    yield "too many events", with_members(samples, event="loads", period=(1 << 32) - 1, lost=BIG)


def at_limits(samples):
    """(name, samples) that are strange, and can be shown."""
    pc = samples["samples"][0][2]
    yield "no rows", with_members(samples, samples=[])
    yield "no memory there", with_members(samples, samples=[[0, 1, 0], [256, 1, (1 << 32) - 2], [1, 1, 0x800000]])
    yield "a deep recursion", with_members(samples, stacks=True, samples=[[1, 5] + [pc] * DEEPEST])
    yield "equal rows", with_members(samples, samples=[[0, 1, pc]] * 500)
    yield "threads", with_members(samples, samples=[[thread, 1, pc] for thread in range(257)])
    yield "as many as there may be", with_members(samples, samples=[[0, BIG, pc]], period=16)
    yield "more cost than cycles", with_members(samples, cost=BIG)
    yield "everything lost", with_members(samples, samples=[], lost=BIG // 2, unattributed=BIG // 2, excluded=BIG // 2)
    yield "texts", with_members(samples, thread="\u001b[31m;\"\n", range="\\x01\\x1B[2J")
    yield "events", with_members(samples, event="a-b_c.9", period=1)
    yield "functions and traps", with_members(samples, stacks=True, functions=True, samples=[[0, 1, 0], [0, 2, 78, 0], [1, 3, 126, 128], [1, 1, 128], [2, 1, pc, 80]])
    yield "functions, in words", with_members(samples, functions="yes")
    yield "calls of calls", with_members(samples, stacks=True, samples=[[0, i + 1] + [pc + 2 * ((i * j) % 97) for j in range(60)] for i in range(60)])


def use(gnomon, path, out):
    """Runs all commands: what is wrong, and the exit statuses."""
    errors, statuses = [], set()
    for command in COMMANDS:
        words = [out if word == "OUT" else word for word in command]
        done = run([gnomon, *words, "-i", path] if command[0] != "export" else [gnomon, *words, path])
        statuses.add(done.returncode)
        if done.returncode not in (0, 1) or "Sanitizer" in done.stderr or "runtime error" in done.stderr or "\u001b" in done.stdout + done.stderr:
            errors.append(f"{' '.join(command)}: {done.returncode}: {done.stderr[-600:]}")
    return errors, statuses


def main():
    gnomon, source, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    recording, path, out = Recording(source), f"{folder}/hostile.gnt", f"{folder}/out"
    for name, samples in refused(recording.samples):
        recording.write(path, json.dumps(samples).encode())
        done = run([gnomon, "report", path])
        good = done.returncode == 1 and "the samples in the file make no sense" in done.stderr
        if not good:
            check(f"refused: {name}", [done.returncode, done.stderr[-600:]])
    check("samples that make no sense are refused", [])
    errors, statuses = use(gnomon, path, out)
    check("and by every command", errors if statuses == {1} else [*errors, statuses])
    for name, samples in at_limits(recording.samples):
        recording.write(path, json.dumps(samples).encode())
        errors, _ = use(gnomon, path, out)
        check(f"shown: {name}", errors)
    for name, more in (("a wrong checksum", {"crc": 1}), ("a length beyond the file", {"size": len(recording.text) + 10000}), ("an absurd length", {"size": (1 << 32) - 1}),
                       ("a short length", {"size": 5})):
        recording.write(path, recording.text, **more)
        errors, _ = use(gnomon, path, out)
        shown = run([gnomon, "report", path])
        told = "the samples are missing" in shown.stdout and "samples" in shown.stderr
        check(f"{name}: a message, and no figures", errors if told else [*errors, shown.returncode, shown.stdout, shown.stderr])
    with open(path, "wb") as file:
        file.write(recording.before)
    errors, _ = use(gnomon, path, out)
    shown = run([gnomon, "report", path])
    check("the samples are not there", errors if "the samples are missing" in shown.stdout else [*errors, shown.stdout])
    return result()


if __name__ == "__main__":
    sys.exit(main())
