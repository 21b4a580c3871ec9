# SPDX-License-Identifier: Apache-2.0
"""Runs the programs that read exported files, and takes the figures out of what they print."""
import collections
import re
import types

from commands import must


def by_name(figures):
    """Sums of what a name has in several files."""
    sums = collections.Counter()
    for name, value in figures.items():
        sums[name] += value
    return sums


def folded(text):
    """Adds up folded stacks as a flame graph does: a function counts once in each stack."""
    got = types.SimpleNamespace(self=collections.Counter(), total=collections.Counter(), sum=0, lost=0, unprofiled=0)
    for line in text.splitlines():
        stack, cycles = line.rsplit(" ", 1)
        _, *frames = stack.split(";")
        got.sum += int(cycles)
        got.lost += int(cycles) if frames[-1] == "[lost]" else 0
        got.unprofiled += int(cycles) if frames[-1] == "[unprofiled]" else 0
        got.self[frames[-1]] += int(cycles)
        for frame in set(frames):
            got.total[frame] += int(cycles)
    return got


def number(text):
    return 0 if text == "." else int(text.replace(",", ""))


FIGURE = r"\s*([\d,]+|\.)(?:\s+\(\s*[\d.]+%\))?"


def callgrind(path, inclusive):
    """({event: {function: cycles}}, {event: total}, the remarks) of callgrind_annotate."""
    text = must(["callgrind_annotate", "--threshold=100", "--auto=no", f"--inclusive={'yes' if inclusive else 'no'}", path])
    events = re.search(r"^Events shown:\s+(.*)$", text, re.M)[1].split()
    row = re.compile("^" + FIGURE * len(events) + r"\s+(\S.*)$")
    figures, whole = {event: collections.Counter() for event in events}, {}
    for line in text.splitlines():
        found = row.match(line)
        if not found:
            continue
        cycles = dict(zip(events, map(number, found.groups()[:-1])))
        if found.groups()[-1].strip() == "PROGRAM TOTALS":
            whole = cycles
            continue
        name = re.sub(r" \[[^][]*\]$", "", found.groups()[-1]).split(":", 1)[1]
        for event in events:
            figures[event][name] += cycles[event]
    return figures, whole, text


def callgrind_calls(path):
    """{function: calls} of callgrind_annotate's list of callers."""
    text = must(["callgrind_annotate", "--threshold=100", "--auto=no", "--tree=calling", "--show=Cycles", path])
    calls = collections.Counter()
    for line in text.splitlines():
        found = re.match(r"^.*  >   [^:]*:(.*) \(([\d,]+)x\)(?: \[.*\])?$", line)
        if found:
            calls[found[1]] += number(found[2])
    return calls


def pprof_top(pprof, path, sample):
    """({function: flat}, {function: cum})"""
    text = must([pprof, "-top", "-nodefraction=0", "-edgefraction=0", "-nodecount=1000000", f"-sample_index={sample}", path])
    flat, total = collections.Counter(), collections.Counter()
    for line in text.splitlines():
        found = re.match(r"^\s*(\d+)\s+[\d.]+%\s+[\d.]+%\s+(\d+)\s+[\d.]+%  (.*?)(?: \(inline\))?$", line)
        if found:
            flat[found[3]] += int(found[1])
            total[found[3]] += int(found[2])
    return flat, total


def pprof_tags(pprof, path):
    """{thread: cycles}"""
    text = must([pprof, "-tags", "-sample_index=cycles", path])
    return {found[2]: int(found[1]) for found in re.finditer(r"^\s*(\d+) \(\s*[\d.]+%\): (.*)$", text, re.M)}
