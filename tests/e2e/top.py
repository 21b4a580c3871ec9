#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon top: its figures are those of gnomon report and gnomon locks of the same run; its screen in tmux, of 80x24 and 200x50; its exit statuses.

usage: top.py --out FOLDER --endless ELF --small ELF --mutexes ELF --kinds ELF [--screen] ELF[=ARGUMENT...]...
    --mutexes, --kinds: programs with mutexes only, and with other locks; --screen: only the screen, with the first ELF; without it, everything else
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from checking import expect, fail, result, same
from commands import PATIENCE, must, report, run
from options import parser

LAST_LINE = 24
SCREEN_PATIENCE = 300  # seconds: only a screen that will never show it takes so long


def command(elf, *options, arguments=()):
    return ["gnomon", "top", "-d", "sim:full", *options, elf, "--", *arguments]


# ---- Figures ----

def recorded(out, elf, arguments):
    """Self cycles and calls by function, as gnomon report has them of the same program and arguments."""
    trace = out / f"{pathlib.Path(elf).stem}.gnt"
    run(["gnomon", "record", "-q", "-d", "sim:full", "-o", trace, elf, "--", *arguments])
    made = report(trace)
    return made["cycles"], {f["name"]: (f["self_cycles"], f["calls"]) for f in made["functions"]}


def rows(interval, prefix=""):
    return {f["name"]: (f[prefix + "cycles"], f[prefix + "calls"]) for f in interval["functions"] if f["name"] != "[unprofiled]"}


def check_figures(out, elf, arguments):
    cycles, functions = recorded(out, elf, arguments)
    done = run(command(elf, "--json", "--interval", "0.1", arguments=arguments))
    name = pathlib.Path(elf).stem
    intervals = [json.loads(line) for line in done.stdout.splitlines()]
    same(f"{name}: status", done.returncode, 0, done.stderr)
    expect(f"{name}: intervals", len(intervals) >= 2, len(intervals))
    last = intervals[-1]
    same(f"{name}: cycles of the run", last["cycle"], cycles)
    same(f"{name}: functions and calls are those of gnomon report", {n: f for n, f in rows(last, "all_").items() if any(f)},
         {n: f for n, f in functions.items() if any(f)})
    sums, before = {}, 0
    for interval in intervals:
        same(f"{name}: intervals follow each other", interval["cycle"], before + interval["cycles"])
        before = interval["cycle"]
        same(f"{name}: the functions' cycles are the interval's", sum(f["cycles"] for f in interval["functions"]), interval["cycles"])
        expect(f"{name}: exact", interval["exact"], interval["reasons"])
        for function, (self, calls) in rows(interval).items():
            had = sums.get(function, (0, 0))
            sums[function] = had[0] + self, had[1] + calls
    same(f"{name}: the sum of the intervals is the whole run", sums, rows(last, "all_"))
    same(f"{name}: every cycle has a cause", sum(c["all_cycles"] for c in last["causes"]), cycles)
    same(f"{name}: the threads' cycles are the run's", sum(t["all_cycles"] for t in last["threads"]), cycles)
    print(f"{name}: {len(intervals)} intervals, {cycles} cycles, {len(functions)} functions")


# ---- Locks ----

def check_locks(out, elf, arguments=(), known=True):
    """Waits by lock: the intervals add up to the run, and those of mutexes are those of gnomon locks."""
    trace = out / f"{pathlib.Path(elf).stem}-locks.gnt"
    run(["gnomon", "record", "-q", "--events", "-d", "sim:full", "-o", trace, elf, "--", *arguments])
    made = json.loads(must(["gnomon", "locks", "--json", trace]))
    done = run(command(elf, "--json", "--interval", "0.1", arguments=arguments))
    intervals = [json.loads(line) for line in done.stdout.splitlines()]
    last = intervals[-1]
    same(f"{elf}: exact at the end", (last["exact"], last["locks_exact"]), (True, known), last["reasons"])
    expect(f"{elf}: not said to be exact before", not any(i["locks_exact"] for i in intervals[:-1] if i["locks"] and i["state"] == "running"))
    sums = {}
    for lock in (lock for interval in intervals for lock in interval["locks"]):
        had = sums.get(lock["name"], (0, 0))
        sums[lock["name"]] = had[0] + lock["cycles"], had[1] + lock["waits"]
    same(f"{elf}: waits of the intervals are those of the run", sums, {lock["name"]: (lock["all_cycles"], lock["all_waits"]) for lock in last["locks"]})
    if known:
        same(f"{elf}: waits are those of gnomon locks", sums, {f"lock {k['index']}": (k["wait"]["cycles"], k["wait"]["count"]) for k in made["locks"]})
        same(f"{elf}: no thread has a lock at the end", {lock["where"] for lock in last["locks"]}, {"free"})
    text = run(command(elf, "--view", "locks", arguments=arguments)).stdout
    same(f"{elf}: the first line tells of the kinds", "each lock counts as a mutex" in text.splitlines()[-2 - len(last["locks"]) - 2], not known, text)


# ---- Ends ----

def check_ends(endless, small):
    done = run(command(endless, "-n", "2", "--console", "/dev/null"))
    same("-n: status", done.returncode, 0, done.stderr)
    same("-n: two tables", done.stdout.count("# counted exactly, nothing lost: "), 2, done.stdout)
    expect("-n: the last table says that the program was stopped", re.search(r"^# INTERRUPTED at cycle .*counted exactly.* stopped$", done.stdout, re.M),
           done.stdout)
    for word, status in (("--interval=0", 2), ("--view=none", 2), ("--sort=none", 2), ("--filter=" + "x" * 100, 2), ("--interval=x", 2)):
        same(f"{word[:20]}: status", run(command(endless, word)).returncode, status)
    refused = run(["gnomon", "top", "-d", "sim:small", small])
    same("a board without epochs: status", refused.returncode, 1)
    expect("a board without epochs: says so, with what to do", "sim:small cannot be read while the program runs" in refused.stderr
           and "gnomon record" in refused.stderr, refused.stderr)
    causes = must(command(endless, "-n", "1", "--view", "causes", "--rows", "1", "--console", "/dev/null"))
    expect("--view causes", re.search(r"^ *\d+\.\d +[\d,]+ +\d+\.\d +[\d,]+ +retired$", causes, re.M), causes)
    filtered = must(command(endless, "-n", "1", "--filter", "no function has this", "--console", "/dev/null"))
    expect("--filter", "self %" not in filtered, filtered)
    full = run(command(endless, "-n", "1", "--console", "/dev/full"))
    same("a full disk: status", full.returncode, 1, full.stderr)


def check_interrupt(endless):
    process = subprocess.Popen([str(word) for word in command(endless, "--interval", "0.1")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    text = process.communicate(timeout=PATIENCE)[0]
    same("Ctrl-C: status", process.returncode, 130)
    expect("Ctrl-C: the table of the whole run comes last", "stopped" in text, text)


# ---- The screen ----

class Screen:
    """A terminal of tmux with the command."""

    number = 0

    def __init__(self, width, height, words):
        Screen.number += 1
        self.socket = f"gnomon-{os.getpid()}-{Screen.number}"
        text = " ".join(f"'{word}'" for word in words)
        self.tmux("new-session", "-d", "-x", str(width), "-y", str(height), f"{text}; echo status $?; sleep 1000")

    def tmux(self, *words, check=True):
        done = subprocess.run(["tmux", "-L", self.socket, "-f", "/dev/null", *words], capture_output=True, text=True, check=False,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"})
        if check and done.returncode:
            fail(f"tmux {words[0]}: {done.stderr}")
        return done.stdout

    def lines(self):
        return self.tmux("capture-pane", "-p").split("\n")

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def until(self, what, found, *keys):
        """Waits until `found` of the lines is true, and returns the lines."""
        self.keys(*keys) if keys else None
        for _ in range(SCREEN_PATIENCE * 10):
            lines = self.lines()
            if found(lines):
                return lines
            time.sleep(0.1)
        fail(f"the screen never has: {what}\n" + "\n".join(self.lines()))

    def end(self):
        self.tmux("kill-server", check=False)


def number(text):
    return int(text.replace(",", ""))


def cycle_of(lines):
    found = re.match(r"cycle ([\d,]+) = ", lines[1])
    return number(found[1]) if found else 0


def check_narrow(screen):
    lines = screen.until("figures", lambda l: l[0].startswith("counted exactly, nothing lost: ") and cycle_of(l) > 0)
    expect("80x24: columns", re.match(r"self % +self +calls +all % +all calls function", lines[3]), lines[3])
    expect("80x24: rows", re.match(r" *\d+\.\d +[\d,]+ +[\d,]+ +\d+\.\d +[\d,]+ \S", lines[4]), lines[4])
    screen.until("causes", lambda l: "[causes]" in l[2] and any(line.endswith(" retired") for line in l), "2")
    screen.until("threads", lambda l: "[threads]" in l[2], "3")
    screen.until("locks", lambda l: "[locks] by" in l[2], "Tab")
    screen.until("functions", lambda l: "[functions] by self" in l[2], "Tab")
    screen.until("by calls", lambda l: "by calls" in l[2], ">")
    screen.until("by name", lambda l: "by function" in l[2], "<", "<", "<")
    names = [line.split()[-1] for line in screen.until("rows", lambda l: l[4])[4:20] if line.strip()]
    same("sorted by name", names, sorted(names))
    screen.until("by self", lambda l: "by self  " in l[2], ">", ">")
    screen.until("help", lambda l: any(line.startswith("q            quit") for line in l), "h")
    screen.until("no help", lambda l: not any(line.startswith("q            quit") for line in l), "h")
    lines = screen.until("filtered", lambda l: "filter: adler_" in l[2], "/", "a", "d", "l", "e", "r")
    expect("the filter leaves only such names", all("adler" in line for line in lines[4:] if line.strip()), *lines)
    screen.until("the filter is gone", lambda l: "filter" not in l[2], "Escape")


def check_still(screen):
    """Pause and freeze."""
    screen.until("paused", lambda l: "PAUSED" in l[2], "p")
    before = cycle_of(screen.lines())
    time.sleep(4)
    same("paused: the display stands still", cycle_of(screen.lines()), before)
    screen.until("goes on", lambda l: "PAUSED" not in l[2] and cycle_of(l) > before, "p")
    lines = screen.until("frozen", lambda l: "FROZEN" in l[2], "f")
    time.sleep(4)
    same("frozen: the figures stay", cycle_of(screen.lines()), cycle_of(lines))
    screen.until("goes on", lambda l: "FROZEN" not in l[2] and cycle_of(l) > cycle_of(lines), "f")


def check_wide(screen, functions):
    screen.tmux("resize-window", "-x", "200", "-y", "50")
    lines = screen.until("the end", lambda l: "all self" in l[3] and "ended with status 0" in l[0])
    shown = {}
    for line in lines[4:]:
        found = re.match(r" *\d+\.\d +[\d,]+ +[\d,]+ +\d+\.\d +([\d,]+) +([\d,]+) +[\d,]* *(\S+)  \S+:\d+$", line)
        if found:
            shown[found[3]] = number(found[1]), number(found[2])
    expect("200x50: more rows, with all figures and places", len(shown) > LAST_LINE, *lines)
    same("200x50: the figures are those of gnomon report", shown, {name: functions.get(name) for name in shown})
    expect("the program's output is at the bottom", any(line.startswith("zlib ") for line in lines[-5:]), *lines[-6:])
    screen.until("r: all counts from now on", lambda l: not any(re.match(r" *\d+\.\d", line) for line in l[4:]), "r")


def check_screen(out, elf, arguments, endless):
    _, functions = recorded(out, elf, arguments)
    screen = Screen(80, 24, command(elf, "--interval", "0.2", arguments=arguments))
    try:
        check_narrow(screen)
        check_wide(screen, functions)
        lines = screen.until("q ends it", lambda l: "status 0" in l, "q")
        expect("the program's output stays", any(line.startswith("zlib ") for line in lines), *lines)
    finally:
        screen.end()
    screen = Screen(80, 24, command(endless))
    try:
        screen.until("figures", lambda l: cycle_of(l) > 0)
        check_still(screen)
        screen.until("Ctrl-C ends it", lambda l: "status 130" in l, "C-c")
    finally:
        screen.end()


def main():
    options = parser(__doc__, "out", "endless", "small", "mutexes", "kinds")
    options.add_argument("--screen", action="store_true")
    options.add_argument("programs", nargs="+")
    given = options.parse_args()
    out = pathlib.Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    programs = [(elf, arguments) for elf, *arguments in (text.split("=") for text in given.programs)]
    if given.screen:
        check_screen(out, *programs[0], given.endless)
        sys.exit(result())
    for elf, arguments in programs:
        check_figures(out, elf, arguments)
    check_locks(out, given.mutexes)
    check_locks(out, given.kinds, ["held"], known=False)
    check_ends(given.endless, given.small)
    check_interrupt(given.endless)
    sys.exit(result())


if __name__ == "__main__":
    main()
