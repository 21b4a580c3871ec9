#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon top: its figures are those of gnomon report and gnomon locks of the same run, from records and from events, of one hart and of two; its
screen in tmux, from 40x10 to 200x50; its exit statuses.

usage: top.py --out FOLDER --endless ELF --small ELF --mutexes ELF --kinds ELF --harts ELF --hart-locks ELF [--screen] ELF[=ARGUMENT...]...
    --small: for the simulated small, which has no epochs; --mutexes, --kinds: programs with mutexes only, and with other locks; --harts, --hart-locks:
    programs for two harts, with threads and with locks; --screen: only the screen, with the first ELF; without it, everything else
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
from commands import FAST, PATIENCE, must, report, run
from options import parser

LAST_LINE = 24
SCREEN_PATIENCE = 300  # seconds: only a screen that will never show it takes so long


def command(elf, *options, arguments=(), board="full"):
    return ["gnomon", "top", "-d", f"sim:{board}", *options, elf, "--", *arguments]


# ---- Figures ----

def recorded(out, elf, arguments, board="full", options=()):
    """Self cycles, calls and total cycles by function, as gnomon report has them of the same program and arguments."""
    trace = out / f"{pathlib.Path(elf).stem}.gnt"
    run(["gnomon", "record", "-q", *options, "-d", f"sim:{board}", "-o", trace, elf, "--", *arguments])
    made = report(trace)
    return made["cycles"], {f["name"]: (f["self_cycles"], f["calls"], f["total_cycles"]) for f in made["functions"]}


def rows(interval, prefix=""):
    return {f["name"]: (f[prefix + "cycles"], f[prefix + "calls"]) for f in interval["functions"] if f["name"] not in ("[unprofiled]", "[lost]")}


def check_figures(out, elf, arguments, board="full", options=()):
    """`options`: of gnomon top; a recording has events if it says so, or if the board has no epochs."""
    cycles, functions = recorded(out, elf, arguments, board, ["--events"] if "--events" in options or board == "small" else [])
    done = run(command(elf, "--json", "--interval", "0.1", *options, arguments=arguments, board=board))
    name = f"{pathlib.Path(elf).stem} on {board} {' '.join(options)}"
    intervals = [json.loads(line) for line in done.stdout.splitlines()]
    same(f"{name}: status", done.returncode, 0, done.stderr)
    expect(f"{name}: intervals", len(intervals) >= (1 if board == "duo" else 2), len(intervals))
    last = intervals[-1]
    same(f"{name}: cycles of the run", sum(interval["cycles"] for interval in intervals), cycles)
    totals = {f["name"]: f["all_total_cycles"] for f in last["functions"]}
    same(f"{name}: functions and calls are those of gnomon report", {n: (*f, totals[n]) for n, f in rows(last, "all_").items() if any(f)},
         {n: f for n, f in functions.items() if any(f)})
    sums, before = {}, 0
    for interval in intervals:
        if board != "duo":
            same(f"{name}: intervals follow each other", interval["cycle"], before + interval["cycles"])
        before = interval["cycle"]
        same(f"{name}: the functions' cycles are the interval's", sum(f["cycles"] for f in interval["functions"]), interval["cycles"])
        expect(f"{name}: exact", interval["exact"], interval["reasons"])
        for function, (self, calls) in rows(interval).items():
            had = sums.get(function, (0, 0))
            sums[function] = had[0] + self, had[1] + calls
    same(f"{name}: the sum of the intervals is the whole run", sums, rows(last, "all_"))
    if board == "full":
        same(f"{name}: every cycle has a cause", sum(c["all_cycles"] for c in last["causes"]), cycles)
    same(f"{name}: the threads' cycles are the run's", sum(t["all_cycles"] for t in last["threads"]), cycles)
    print(f"{name}: {len(intervals)} intervals, {cycles} cycles, {len(functions)} functions")


# ---- Locks ----

LOCK_FIGURES = ("cycles", "waits", "held_cycles")
MUTEXES = ("mutex", "recursive", "errorcheck", "spin")


def check_locks(out, elf, arguments=(), known=True, board="full", options=()):
    """Waits and holds by lock: the intervals add up to the run, and those of mutexes are those of gnomon locks, with their names."""
    trace = out / f"{pathlib.Path(elf).stem}-locks.gnt"
    sim = [word for word in options if word != "--events"]
    run(["gnomon", "record", "-q", "--events", *sim, "-d", f"sim:{board}", "-o", trace, elf, "--", *arguments])
    made = json.loads(must(["gnomon", "locks", "--json", trace]))
    done = run(command(elf, "--json", "--interval", "0.1", *options, arguments=arguments, board=board))
    intervals = [json.loads(line) for line in done.stdout.splitlines()]
    last = intervals[-1]
    same(f"{elf}: exact at the end", (last["exact"], last["locks_exact"]), (True, known), last["reasons"])
    expect(f"{elf}: not said to be exact before", not any(i["locks_exact"] for i in intervals[:-1] if i["locks"] and i["state"] == "running"))
    sums = {}
    for lock in (lock for interval in intervals for lock in interval["locks"]):
        had = sums.get(lock["number"], (0, 0, 0))
        sums[lock["number"]] = tuple(sum_ + lock[key] for sum_, key in zip(had, LOCK_FIGURES))
        expect(f"{elf}: while it runs, a lock is known by a place that uses it", re.match(r"lock \d+ of \S+ \(\S+:\d+\)$", lock["name"])
               or lock in last["locks"], lock)
    same(f"{elf}: waits and holds of the intervals are those of the run", sums,
         {lock["number"]: tuple(lock["all_" + key] for key in LOCK_FIGURES) for lock in last["locks"]})
    same(f"{elf}: names at the end are those of gnomon locks", {lock["number"]: lock["name"] for lock in last["locks"]},
         {k["index"]: k["name"] for k in made["locks"]})
    mutexes = {k["index"]: k for k in made["locks"] if k["kind"] in MUTEXES}
    same(f"{elf}: waits and holds of mutexes are those of gnomon locks", {number: figures for number, figures in sums.items() if number in mutexes},
         {number: (k["wait"]["cycles"], k["wait"]["count"], k["hold"]["cycles"]) for number, k in mutexes.items()})
    same(f"{elf}: as many holds", {lock["number"]: lock["all_holds"] for lock in last["locks"] if lock["number"] in mutexes},
         {number: k["hold"]["count"] for number, k in mutexes.items()})
    if known:
        same(f"{elf}: all locks are mutexes", len(mutexes), len(made["locks"]))
        same(f"{elf}: no thread has a lock at the end", {lock["where"] for lock in last["locks"]}, {"free"})
    text = run(command(elf, "--view", "locks", *options, arguments=arguments, board=board)).stdout
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
    without = run(command(small, "-n", "2", board="small"))
    same("a board without epochs: status", without.returncode, 0, without.stderr)
    expect("a board without epochs: says that functions come as events", "the device has no epochs: functions come as events" in without.stderr, without.stderr)
    same("a board without epochs: two tables", without.stdout.count("# counted exactly, nothing lost: "), 2, without.stdout)
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
    same("200x50: the figures are those of gnomon report", shown, {name: functions[name][:2] for name in shown})
    expect("the program's output is at the bottom", any(line.startswith("zlib ") for line in lines[-5:]), *lines[-6:])
    screen.until("r: all counts from now on", lambda l: not any(re.match(r" *\d+\.\d", line) for line in l[4:]), "r")


def child_of(process):
    """The process that it has started."""
    return must(["ps", "--ppid", process, "-o", "pid="]).split()[0]


def check_small_screen(endless):
    """40x10; and a device that is lost meanwhile."""
    screen = Screen(40, 10, command(endless))
    try:
        lines = screen.until("figures", lambda l: cycle_of(l) > 0)
        expect("40x10: columns", re.match(r"self % +self function", lines[3]), lines[3])
        expect("40x10: rows", re.match(r" *\d+\.\d +[\d,]+ twice", lines[4]), lines[4])
        screen.until("help", lambda l: any(line.startswith("r            reset") for line in l), "h")
        shell = screen.tmux("list-panes", "-F", "#{pane_pid}").strip()
        os.kill(int(child_of(child_of(shell))), signal.SIGKILL)
        lines = screen.until("a lost device ends it", lambda l: "status 1" in l)
        expect("a lost device: says so", any("connection to sim:full" in line for line in lines), *lines)
    finally:
        screen.end()


def check_kinds_of_ends(small):
    """A program that ends at once stays on the screen; a terminal of which nothing is known shows text."""
    screen = Screen(80, 24, command(small, "--duration", "3000c", board="small"))
    try:
        screen.until("the end stays", lambda l: "the program is over: q quits" in l[2])
        screen.until("q ends it", lambda l: "status 0" in l, "q")
    finally:
        screen.end()
    screen = Screen(80, 24, ["env", "TERM=nonsense", *command(small, "-n", "1", "--console", "/dev/null", board="small")])
    try:
        lines = screen.until("text, and its end", lambda l: "status 0" in l)
        expect("an unknown terminal: says so", any("unknown kind (TERM)" in line for line in lines), *lines)
        expect("an unknown terminal: text", any(line.startswith("# cycle") for line in lines), *lines)
    finally:
        screen.end()


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
    options = parser(__doc__, "out", "endless", "small", "mutexes", "kinds", "harts", "hart-locks")
    options.add_argument("--screen", action="store_true")
    options.add_argument("programs", nargs="+")
    given = options.parse_args()
    out = pathlib.Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    programs = [(elf, arguments) for elf, *arguments in (text.split("=") for text in given.programs)]
    if given.screen:
        check_screen(out, *programs[0], given.endless)
        check_small_screen(given.endless)
        check_kinds_of_ends(given.small)
        sys.exit(result())
    for elf, arguments in programs:
        check_figures(out, elf, arguments)
        check_figures(out, elf, arguments, options=["--events"])
    check_figures(out, given.harts, [], "duo", ["--events"])
    check_locks(out, given.mutexes)
    check_locks(out, given.mutexes, options=["--events"])
    check_locks(out, given.kinds, ["held"], known=False)
    check_locks(out, given.hart_locks, ["400", "1"], known=False, board="duo", options=["--events", *FAST])
    check_ends(given.endless, given.small)
    check_interrupt(given.endless)
    sys.exit(result())


if __name__ == "__main__":
    main()
