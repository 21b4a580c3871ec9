#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares gnomon commands that contain the same board in two forms: the device's information, and for each of the
SESSIONS its output and its trace byte by byte, and all packets from the device on the cable, to the tick of 48 MHz.
The first command also runs with random contents of memories and registers, which must not change any result.

usage: compare.py --out FOLDER --programs FOLDER --sessions NAME[+NAME...] GNOMON GNOMON...
The sessions are those of SESSIONS below; --programs is the folder with their programs."""
import json
import os
import subprocess
import sys

from options import values

SEEDS = (1, 2)
HOST_PPM = (0, 2500, -2500)  # deviation of the host's clock in `info`
LEAST_CALLS = 400  # in a profile of events or records; fewer calls make the comparison weak
LEAST_LOCKS = 100
LEAST_COUNT = 20  # of each event and tag
LEAST_PACKETS = 300  # of events and records

# What each session runs: the command with its options, the program, and the program's arguments.
SESSIONS = {
    "events": (["record", "--events"], "storm-O2", "12"),
    "records": (["record", "--records"], "interrupts-O2", "1009"),
    "clock": (["record", "--events", "--clock", "retired"], "storm-O2", "12"),
    "locks": (["record", "--events"], "lock_accesses-O2", "40"),
    # As many lock messages of both harts as their trace FIFOs hold, so that none is lost.
    "harts": (["record", "--events", "--no-functions"], "hart_locks", "100", "1"),
    "stat": (["stat", "-e", "branches,loads,stores:m,jumps,bus-data-reads,cycles:range0", "--range", "take"], "lock_accesses-O2", "40"),
    "tag": (["tag", "-t", "take", "-t", "take@entry:start=0", "-t", "take@return:stop=0", "-t", "rounds_done"], "lock_accesses-O2", "40"),
    # Each pair of events is a run: there are two counters.
    "stat-reduced": (["stat", "-e", "retired,cycles-fetch,cycles-jump,cycles-mispredict,cycles-load-use,cycles-muldiv,cycles-data,branches,jumps,loads,"
                      "stores,compressed,messages,cycles,mispredictions,bus-instruction-reads,bus-data-reads,bus-data-writes"], "lock_accesses-O2", "40"),
    "tag-reduced": (["tag", "-t", "main", "-t", "take", "-t", "take@entry:start=0", "-t", "take@return:stop=0", "-t", "give@entry:start=1",
                     "-t", "give@return:stop=1"], "lock_accesses-O2", "40"),
    "bus": (["trace", "--bus", "rounds_done"], "lock_accesses-O2", "60"),
    "tag-self": (["run"], "reduced-O2", "self", "777"),
}


def gnomon(command, *arguments, status=0):
    """Runs one command to its end and returns its output."""
    done = subprocess.run([command, *arguments], capture_output=True, timeout=900, check=False)
    if status is not None and done.returncode != status:
        sys.exit(f"{command} {' '.join(arguments)}: status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout


def session(command, folder, name, programs, kinds, seed):
    """Returns all output of one board, as a dictionary of bytes."""
    said = {}
    base = os.path.join(folder, name)
    common = ["-d", "sim:board", "--sim-option", f"log={base}.log", "--sim-option", f"seed={seed}"]

    def keep(what, path):
        with open(path, "rb") as file:
            said[what] = file.read()

    for ppm in HOST_PPM:
        what = f"info {ppm:+d}" if ppm else "info"
        said[what] = gnomon(command, "info", "--json", *common, "--sim-option", f"ppm={ppm}")
        keep(what + " cable", base + ".log")
    for kind in kinds:
        (verb, *options), program, *arguments = SESSIONS[kind]
        trace = f"{base}.{kind}.gnt"
        form = {"record": ["-o", trace], "run": [], "trace": ["--json", "-o", trace]}.get(verb, ["--json"])
        # The exit status is the program's own result, which the trace also has.
        said[kind + " output"] = gnomon(command, verb, "-q", *common, *options, *form, os.path.join(programs, program), *arguments,
                                        status=None)
        if verb in ("record", "trace"):
            keep(kind + " trace", trace)
        if kind == "harts":
            said["harts locks"] = gnomon(command, "locks", "--json", trace)
        keep(kind + " cable", base + ".log")
    return said


def first_difference(left, right):
    """Returns the first different line of a log, or byte of other output."""
    if b" ticks " in left:
        pairs = zip(left.split(b"\n"), right.split(b"\n"))
        for number, (a, b) in enumerate(pairs, 1):
            if a != b:
                return f"line {number}: {a.decode()!r} and {b.decode()!r}"
        return "one ends early"
    at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
    return f"byte {at}"


def defined(said):
    """Removes what random contents may change: the cable's state before the device's pull-up, because random registers
    may drive it until the reset takes effect (registers of a real chip start with 0), and the cable of `harts`, because
    the host reads the names of locks in pages of memory, of which the program does not set every byte."""
    return {what: value[value.index(b"pull-up 1"):] if what.endswith("cable") else value for what, value in said.items()
            if what != "harts cable"}


def must_equal(name, other, said, heard):
    for what, value in said.items():
        if value != heard[what]:
            sys.exit(f"{name} and {other} differ: {what}, {first_difference(value, heard[what])}")


def check_worth(command, folder, name, kinds, said):
    """Checks that the compared output is large enough."""
    for kind in kinds:
        packets = said[kind + " cable"].count(b" ticks ")
        last = said[kind + " cable"].split()[-2].decode()
        trace = os.path.join(folder, f"{name}.{kind}.gnt")
        if kind in ("events", "records", "clock"):
            report = json.loads(gnomon(command, "report", "--json", "-i", trace))
            seen = f"{at_least(LEAST_CALLS, sum(function['calls'] for function in report['functions']))} calls"
            at_least(LEAST_PACKETS, packets)
        elif kind in ("locks", "bus"):
            events = [json.loads(line) for line in gnomon(command, "dump", "--json", "-i", trace).splitlines()]
            wanted = "lock" if kind == "locks" else "access"
            seen = f"{at_least(LEAST_LOCKS, sum(event.get('event') == wanted for event in events))} events {wanted}"
        elif kind == "harts":
            locks = json.loads(said["harts locks"])
            assert (locks["harts"], locks["exact"], locks["lost_messages"], locks["misuse"]) == (2, True, 0, []), locks
            across = at_least(1, sum(lock["contended_across_harts"] for lock in locks["locks"]))
            requests = at_least(LEAST_LOCKS, sum(lock["requests"] for lock in locks["locks"]))
            seen = f"{requests} requests of locks, {across} that waited for the other hart"
        elif kind == "tag-self":
            counts = {name: words for name, *words in map(str.split, said[kind + " output"].decode().splitlines())}
            assert counts["asked"] == ["5"] and counts["timer"][0] == "4" and counts["lost"] == ["1", "0", "0"], counts
            seen = f"{counts['asked'][0]} interrupts, {counts['timer'][0]} intervals"
        else:
            result = json.loads(said[kind + " output"])
            assert result["exact"], result
            counts = [event["runs"][0] for event in result["events"]] if kind.startswith("stat") else [
                target[count] for target in result["targets"] for count in ("executions", "reads", "writes") if count in target]
            counts += [timer["intervals"] for timer in result.get("timers", [])]
            seen = f"counts {' '.join(str(at_least(LEAST_COUNT, count)) for count in counts)}"
        print(f"{kind}: {seen}, {packets} packets of the device, {last} ticks")
    check_clock(json.loads(said["info"])["clock_hz"], said["info cable"].split(b"\n")[-3].split())


def at_least(least, value):
    assert value >= least, (least, value)
    return value


def check_clock(clock_hz, pll):
    """Checks that the PLL's parameters give the clock that the device reports."""
    _, multiply, divide = pll
    if multiply != b"0":
        assert clock_hz * int(divide) == 48000000 * int(multiply), (clock_hz, pll)


def main():
    folder, programs, kinds, commands = values(__doc__, "out", "programs", "sessions", rest="GNOMON")
    kinds = kinds.split("+")
    os.makedirs(folder, exist_ok=True)
    first = session(commands[0], folder, "0", programs, kinds, 0)
    check_worth(commands[0], folder, "0", kinds, first)
    for seed in SEEDS:
        heard = session(commands[0], folder, f"0.seed{seed}", programs, kinds, seed)
        must_equal(commands[0], f"itself with random contents, seed {seed},", defined(first), defined(heard))
    for number, command in enumerate(commands[1:], 1):
        must_equal(commands[0], command, first, session(command, folder, str(number), programs, kinds, 0))
        print(f"{command}: the same")


main()
