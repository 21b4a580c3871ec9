#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares stack walks, and the monitor that finds callers, on the simulated board with the simulator's oracle, which
follows calls and returns.

usage: test_callers.py walks|callers --out FOLDER --zlib SOURCE_FOLDER --text FILE [--deep]
Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulators."""
import bisect
import collections
import json
import os
import struct
import sys

import image
from checking import check, result
from commands import must, run, sim_options
from options import parser

HERE = os.path.join(os.path.dirname(__file__), "callers")
ROUNDTRIP = os.path.join(os.path.dirname(__file__), "..", "..", "firmware", "apps", "roundtrip.c")
ZLIB = "adler32 compress crc32 deflate infback inffast inflate inftrees trees uncompr zutil".split()
LEVELS = ("-O0", "-O2", "-Os")
ROUNDS = 100  # of ways.c
TIMER, ROOT = 7, "__gnomon_main"


def build(folder, name, sources, flags, monitor=True):
    elf = f"{folder}/{name}"
    must(["gnomon", "cc", *(["--gnomon-monitor"] if monitor else []), *flags, "-o", elf, *sources])
    return elf


def oracle_options(elf):
    words = ["--oracle", f"{elf}={elf}.oracle.json", "--oracle-watch", "--oracle-stacks", f"{elf}.stacks"]
    return sim_options(*words)


def oracle(elf):
    with open(f"{elf}.oracle.json", encoding="utf-8") as file:
        return json.load(file)


def remove(*paths):
    for path in paths:
        if os.path.exists(path):
            os.remove(path)


# ---- Walks ----

def walks_in(path):
    """Returns (is cut, addresses) for each walk."""
    with open(path, "rb") as file:
        data = file.read()
    words, walks, at = struct.unpack(f"<{len(data) // 4}I", data), [], 0
    while at < len(words):
        count, cut = words[at:at + 2]
        walks.append((cut, list(words[at + 2:at + 2 + count])))
        at += 2 + count
    return walks


def stacks_in(path):
    """Returns (cycle, return addresses of the open calls) for each timer interrupt."""
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file]
    return [(int(line[0]), [int(word, 16) for word in line[2:]]) for line in lines if int(line[1]) == TIMER]


def within(elf, name):
    """Returns the addresses of a function, up to the next symbol."""
    symbols = sorted((int(line.split()[0], 16), line.split()[-1]) for line in must(["riscv64-unknown-elf-nm", elf]).splitlines())
    start = next(address for address, symbol in symbols if symbol == name)
    return range(start, next(address for address, _ in symbols if address > start))


def walks(folder, zlib, text, level, most):
    """Interrupts zlib's deflate and inflate, the C library and the runtime at random cycles: each walk equals the
    true stack."""
    sources = [ROUNDTRIP, f"{HERE}/walks.c", *(f"{zlib}/{name}.c" for name in ZLIB)]
    elf = build(folder, f"walks{level}", sources, ["--gnomon-off", level, f"-DLONGEST={most}", "-isystem", zlib])
    found, packed = f"{elf}.found", f"{folder}/text.z"
    remove(found, packed)
    must(["gnomon", "run", "-d", "sim:full", *oracle_options(elf), "--get", f"walks={found}", elf, "--", text, packed])
    mine, truth = walks_in(found), stacks_in(f"{elf}.stacks")
    errors = [] if len(truth) - 1 <= len(mine) <= len(truth) and len(mine) > 70 else [f"{len(mine)} walks, {len(truth)} interrupts"]
    # memset calls its own middle, with its caller's address in t0: the walk sees a caller, the oracle does not always.
    memset = within(elf, "memset")
    for (cut, addresses), (cycle, stack) in zip(mine, truth):
        if cut or [a for a in addresses[1:] if a not in memset] != [a for a in stack if a not in memset]:
            errors.append(f"cycle {cycle}: {[hex(a) for a in addresses]}{' cut' if cut else ''}, not {[hex(a) for a in stack]}")
    deepest = max(len(stack) for _, stack in truth)
    check(f"zlib {level}: {len(mine)} walks of up to {deepest} calls are the stacks of the oracle", errors)


# ---- Callers ----

def callers(elf, function, options=(), arguments=()):
    command = ["gnomon", "callers", "-d", "sim:full", "--json", *oracle_options(elf), *options, function, elf, "--", *arguments]
    return json.loads(must(command))


def compare(found, truth, function, enough):
    """Each reported caller has called; each frequent caller of `function` is reported, and each reported caller has
    a reported caller, too."""
    arcs = {(arc["callee"], arc["caller"]): arc["calls"] for arc in truth["arcs"]}
    pairs = {(entry["callee"], entry["caller"]) for entry in found["callers"]}
    errors = [f"{caller} has never called {callee}" for callee, caller in pairs if (callee, caller) not in arcs and caller != "_start"]
    errors += [f"{caller} has called {callee} {calls} times and was not found"
               for (callee, caller), calls in arcs.items() if callee == function and calls >= enough and (callee, caller) not in pairs]
    return errors + ([] if pairs and found["walks"] > 0 else ["nothing was found"])


def ways(folder, level, flags, both):
    elf = build(folder, f"ways{level}{'-hooks' * (not flags)}", [f"{HERE}/ways.c"], [*flags, "-g", "-Wall", "-Wextra", "-Werror", level])
    for function, enough, least in (("work", ROUNDS, 4), ("tiny", 10 * ROUNDS, 2))[:2 if both else 1]:
        options = ("--period", "4", "--quiet", "20000")
        found = callers(elf, function, options, [str(ROUNDS)])
        truth = oracle(elf)
        errors = compare(found, truth, function, enough)
        callees = {entry["callee"] for entry in found["callers"]}
        if len(callees) < least:
            errors.append(f"only callers of {callees} were looked for")
        # The interrupt comes up to 26 cycles after the call, and tiny has ended after 3.
        if found["missed"] * 5 > found["walks"]:
            errors.append(f"{found['missed']} walks found none, {found['walks']} did")
        check(f"ways.c {level}{' with hooks' * (not flags)}: {len(found['callers'])} places that call {function}, and up to main", errors)
    if not both:
        return
    one = callers(elf, "work", ("--period", "4", "--levels", "1"), [str(ROUNDS)])
    check(f"ways.c {level}{' with hooks' * (not flags)}: --levels 1", compare(one, truth, "work", ROUNDS) + [e for e in one["callers"] if e["callee"] != "work"])


def library(folder, zlib, text, both):
    """Tests functions of the C library, which has only debug information, and of zlib."""
    elf = build(folder, "zlib", [ROUNDTRIP, *(f"{zlib}/{name}.c" for name in ZLIB)], ["--gnomon-off", "-O2", "-isystem", zlib])
    for function, enough in (("memcpy", 40), ("longest_match", 100))[:2 if both else 1]:
        packed = f"{folder}/library.z"
        remove(packed)
        found = callers(elf, function, ("--period", "1", "--settle", "1000000"), [text, packed])
        check(f"zlib: {len(found['callers'])} places for {function}", compare(found, oracle(elf), function, enough))


# ---- Monitor off, and refused uses ----

RETIRED, FETCH, JUMP, MISPREDICT, ICACHE = 0, 1, 2, 3, 13  # stall causes
# functions that execute more instructions if the monitor is linked
STARTS = {"_start", "__libc_init_array", "start_if_asked"}
REFILL = 12  # cycles of a line refill, or of a misprediction


def account(path, elf):
    """Returns name -> cause -> cycles, from the simulator's reference model of each instruction."""
    starts = sorted((f.start, f.name) for f in image.Image(elf).functions)
    found = collections.defaultdict(collections.Counter)
    with open(path, encoding="ascii") as file:
        for address, *costs in json.load(file)["instructions"]:
            name = starts[max(bisect.bisect(starts, (address, "~")) - 1, 0)][1]
            for cause, cycles in zip(costs[::2], costs[1::2]):
                found[name][cause] += cycles
    return found


def off(folder, zlib, text):
    """Tests a monitor that is linked but not started: all code keeps its address and its number of executions.
    Stalls are the same, too, except those of the branch predictor and the cache: a few more instructions before
    main change some of their entries, and each of these instructions may cost one refill later."""
    sources, flags = [ROUNDTRIP, *(f"{zlib}/{name}.c" for name in ZLIB)], ["--gnomon-off", "-O2", "-isystem", zlib]
    figures, costs = [], []
    for monitor in (True, False):
        # names are arguments: equally long
        elf, packed = build(folder, "off-with" if monitor else "off-none", sources, flags, monitor), f"{folder}/off.z"
        remove(packed)
        path = f"{elf}.instructions.json"
        remove(path)
        must(["gnomon", "run", "-d", "sim:full", *oracle_options(elf), "--sim-option", "--instructions", "--sim-option", path, elf, "--", text, packed])
        figures.append({f["name"]: f for f in oracle(elf)["functions"]})
        costs.append(account(path, elf))
    on, without = figures
    added = set(on) - set(without)
    errors = [f"{added} run as well"] if added != {"start_if_asked"} else []
    for name, function in without.items():
        mine = on.get(name, {})
        if any(mine.get(key) != function[key] for key in ("address", "calls")):
            errors.append(f"{name}: {mine}, not {function}")
    cycles = on["main"]["total_cycles"], without["main"]["total_cycles"]
    more = sum(costs[0][name][RETIRED] - costs[1][name][RETIRED] for name in STARTS)
    learnt = 0
    for name in (set(costs[0]) | set(costs[1])) - STARTS:
        for cause in set(costs[0][name]) | set(costs[1][name]):
            difference = costs[0][name][cause] - costs[1][name][cause]
            learnt += abs(difference)
            if difference and cause not in (FETCH, JUMP, MISPREDICT, ICACHE):
                errors.append(f"{name}: {difference:+} cycles of cause {cause}")
    if not 0 < more < 50 or learnt > more * REFILL:
        errors.append(f"predictor and cache cost {learnt} cycles more or less, after {more} instructions more before main")
    check(f"not asked for: {len(without)} functions where they are without, {more} instructions more before main; main {cycles[0] - cycles[1]:+} cycles "
          f"of {cycles[1]}, {learnt} of the predictor and the cache, none else", errors)


def refused(folder):
    plain = build(folder, "plain", [f"{HERE}/ways.c"], ["-O2"], monitor=False)
    elf = build(folder, "refused", [f"{HERE}/ways.c"], ["-O2"])
    cases = [(["callers", "-d", "sim:full", "work", plain], 1, "--gnomon-monitor"),
             (["callers", "-d", "sim:full", "nobody", elf], 1, "no function nobody"),
             (["callers", "-d", "sim:mid", "work", elf], 1, "counters"),
             (["callers", "work"], 2, "missing operand: ELF"),
             (["callers", "--period", "2M", "work", elf], 2, "--period"),
             (["cc", "--gnomon-monitor", "--gnomon-overlays", f"{HERE}/ways.c", "-o", f"{folder}/none"], 2, "overlays"),
             (["cc", "--gnomon-monitor", "--gnomon-module", f"{HERE}/ways.c", "-o", f"{folder}/none"], 2, "module")]
    for arguments, status, text in cases:
        done = run(["gnomon", *arguments])
        good = done.returncode == status and text in done.stderr
        check(f"refused: gnomon {' '.join(arguments[:4])} ...", [] if good else [f"status {done.returncode}: {done.stderr}"])


def main():
    options = parser(__doc__, "out", "zlib", "text")
    options.add_argument("what", choices=("walks", "callers"))
    options.add_argument("--deep", action="store_true")
    given = options.parse_args()
    what, folder, zlib, deep = given.what, given.out, given.zlib, given.deep
    os.makedirs(folder, exist_ok=True)
    with open(given.text, "rb") as file:
        content = file.read()
    short, longer = f"{folder}/short", f"{folder}/longer"
    for path, size in ((short, 2000 if deep else 300), (longer, 8000 if deep else 1500)):
        with open(path, "wb") as file:
            file.write(content[:size])
    for level in LEVELS:
        if what == "walks":
            walks(folder, zlib, short, level, 1024 if deep else 8192 if level == "-O0" else 4096)
        elif deep or level == "-O2":
            ways(folder, level, [], deep)
            ways(folder, level, ["--gnomon-off"], True)
    if what == "callers":
        library(folder, zlib, longer, deep)
        off(folder, zlib, longer)
    program = "damage" if what == "walks" else "api"
    elf = build(folder, program, [f"{HERE}/{program}.c"], ["--gnomon-off", "-g", "-Wall", "-Wextra", "-Werror", "-O2"])
    done = run(["gnomon", "run", "-d", "sim:full", elf])
    check(f"{program}.c", [] if done.returncode == 0 else [done.stdout + done.stderr])
    if what == "callers":
        refused(folder)
    sys.exit(result())


if __name__ == "__main__":
    main()
