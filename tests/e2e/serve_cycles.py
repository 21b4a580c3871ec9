#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon serve --http --events: each profile of cycles is the account of the events between the two cycles that its comment names, made here from a
recording of the same run: call path by call path, difference 0. At the program's end it is that of gnomon report.

usage: serve_cycles.py --gnomon COMMAND --out FOLDER --small ELF --interrupts ELF --threads ELF --harts ELF --lossy ELF --other ELF --arguments WORDS
    --small: for the simulated small, which has no epochs; --harts: for two harts; of the lossy one, the device drops calls; --other: a program
    that is not of this project, with its arguments between commas
"""
import collections
import json
import pathlib
import re
import sys

import pprof_file
from checking import expect, result, same
from commands import FAST, must, report, run
from options import values
from serve_http import Server, clean

WINDOW = re.compile(r"cycles ([\d,]+) to ([\d,]+) of a program that (.*)")
PROFILES = 3  # of each running program


def events_of(trace):
    return [json.loads(line) for line in must(["gnomon", "dump", "--json", "--hart", "both", trace]).splitlines()]


def account(events, first, last):
    """{(path, hart): [cycles, calls]} of the events after the cycle `first` up to `last`"""
    stacks, running, now = collections.defaultdict(list), {}, {}
    sums = collections.defaultdict(lambda: [0, 0])

    def where(hart, thread):
        """What runs: the calls of the innermost trap or of the thread, the outermost first"""
        stack = stacks[thread]
        traps = [i for i, name in enumerate(stack) if name.startswith("[")]
        return tuple(stack[traps[-1]:] if traps else stack) or ("[unprofiled]",), hart

    for event in events:
        hart, cycle = event.get("hart", 0), event["cycle"]
        if hart not in now:
            now[hart], running[hart] = cycle if hart else 0, event["thread"]
        passed = min(cycle, last) - max(now[hart], first)
        if passed > 0:
            sums[where(hart, running[hart])][0] += passed
        now[hart] = cycle
        kind, thread = event["event"], running[hart]
        if kind in ("enter", "trap_enter"):
            stacks[thread].append(event["function"])
            sums[where(hart, thread)][1] += first < cycle <= last
        elif kind in ("exit", "trap_leave") and event["ended"]:
            del stacks[thread][-event["ended"]:]
        elif kind == "channel" and event["number"] == 1:
            running[hart] = event["value"]
    return {path: tuple(figures) for path, figures in sums.items() if any(figures)}


def figures_of(profile):
    """The same of a fetched profile: all threads together"""
    sums = collections.defaultdict(lambda: [0, 0])
    for path, _, hart, (cycles, calls) in profile.samples:
        sums[path, hart][0] += cycles
        sums[path, hart][1] += calls
    return {path: tuple(figures) for path, figures in sums.items() if any(figures)}


def check_paths(name, profile, wanted):
    got = figures_of(profile)
    expect(name, got and got == wanted, *((path, got.get(path), wanted.get(path)) for path in got.keys() | wanted if got.get(path) != wanted.get(path)))


def fetch(server, query, page="profile", method="GET"):
    """The profile, its two cycles, and what the program does"""
    status, body, headers = server.ask(f"/pprof/{page}?{query}{'&' if query else ''}format=proto", method)
    if not same(f"{page}?{query}: status", status, 200, body):
        sys.exit(result())
    profile = pprof_file.read(body)
    said = next(found for found in map(WINDOW.match, profile.comments) if found)
    expect(f"{query}: the header says how exact it is, as the first comment", profile.comments[0].endswith(headers["X-Gnomon-Exactness"]),
           profile.comments, headers["X-Gnomon-Exactness"])
    return profile, int(said[1].replace(",", "")), int(said[2].replace(",", "")), said[3]


def check_windows(name, server, events):
    """Of the running program: first all are fetched, because it goes on while they are compared."""
    got = []
    for query in ["seconds=0"] + ["seconds=0.3"] * 20:
        profile, first, last, state = fetch(server, query)
        if "has ended" in state or len(got) == PROFILES:
            break
        if first < last:
            got.append((profile, first, last))
    same("start", server.ask("/pprof/start", "POST")[0], 200)
    for page, method in (("current", "GET"), ("stop", "POST")):
        profile, first, last, state = fetch(server, "", page, method)
        if "has ended" not in state and first < last:
            got.append((profile, first, last))
    expect(f"{name}: there are profiles of the running program", len(got) >= 2, len(got))
    for profile, first, last in got:
        expect(f"{name}: exact", "counted exactly, nothing lost" in profile.comments[0], profile.comments)
        check_paths(f"{name}: paths of cycles {first} to {last}", profile, account(events, first, last))


def check_whole(name, server, trace, events):
    """After the program's end"""
    server.wait("its profile is served until Ctrl-C")
    profile, first, last, state = fetch(server, "seconds=1")
    made = report(trace)
    same(f"{name}: the whole run", (first, last), (0, max(event["cycle"] for event in events)))
    expect(f"{name}: has ended", "has ended" in state, state)
    same(f"{name}: exactness", "counted exactly, nothing lost" in profile.comments[0], made["exact"], profile.comments)
    flat = collections.Counter()
    calls = collections.Counter()
    for path, _, _, (cycles, count) in profile.samples:
        flat[path[-1]] += cycles
        calls[path[-1]] += count
    rest = {"[unprofiled]", "[lost]"}
    wanted = {f["name"]: (f["self_cycles"], f["calls"]) for f in made["functions"]}
    same(f"{name}: functions are those of gnomon report", {f: (flat[f], calls[f]) for f in flat if f not in rest},
         {f: figures for f, figures in wanted.items() if any(figures)})
    same(f"{name}: all cycles are in it", sum(flat.values()), made["cycles"])
    if made["exact"]:
        check_paths(f"{name}: all paths", profile, account(events, 0, last))


def check(gnomon, out, elf, arguments, board="full", options=(), running=True, whole=True):
    name = f"{pathlib.Path(elf).stem} on {board}"
    trace = out / f"{pathlib.Path(elf).stem}-{board}.gnt"
    run(["gnomon", "record", "-q", "--events", "-d", f"sim:{board}", *options, "-o", trace, elf, "--", *arguments])
    events = events_of(trace)
    way = [] if board == "small" else ["--events"]
    server = Server(gnomon, elf, *way, *options, "--allow-control", "-d", f"sim:{board}", arguments=arguments)
    if running:
        check_windows(name, server, events)
    if whole:
        check_whole(name, server, trace, events)
    status, said = server.end()
    clean(name, status, said, 0 if "until Ctrl-C" in said else 130)


def main():
    gnomon, out, small, interrupts, threads, harts, lossy, other, arguments = values(
        __doc__, "gnomon", "out", "small", "interrupts", "threads", "harts", "lossy", "other", "arguments")
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    check(gnomon, out, small, ["4000"], "small")
    check(gnomon, out, interrupts, ["1009"], running=False)
    check(gnomon, out, other, arguments.split(","))
    check(gnomon, out, threads, [])
    check(gnomon, out, harts, ["4000", "1"], "duo", FAST)
    check(gnomon, out, lossy, [], running=False)
    sys.exit(result())


if __name__ == "__main__":
    main()
