#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `gnomon hot` and `gnomon scan` on programs without hooks with the simulator's reference model of every
instruction's cycles (sim/instruction_costs.h).

usage: hotspots.py --out FOLDER --board NAME hot ELF PERIOD [ARG...]   the five hottest functions, in their order
       hotspots.py --out FOLDER --board NAME whole ELF [ARG...]        each function's cycles and executions, difference 0; also of pages
       hotspots.py --out FOLDER --board NAME scanned ELF               a program that scans itself (programs/scanned.c): shares of its two routines
       hotspots.py --out FOLDER --board NAME locked ELF                a routine in step with the samples: samples never hit it, the scan finds it
"""
import bisect
import json
import pathlib

from checking import fail
from commands import must, sim_options
from e2e import FAST, GNOMON
from options import values
from tag_oracle import symbols

OUT = pathlib.Path("build/e2e/hotspots")
BOARD = "full"
RETIRED = 0  # number of this stall cause


def run(command, elf, arguments, options, account=True):
    """Returns (the command's result, the simulator's [(address, executions, cycles)])."""
    path = OUT / "instructions.json"
    path.unlink(missing_ok=True)
    for argument in arguments:
        if argument.startswith(str(OUT)):
            pathlib.Path(argument).unlink(missing_ok=True)
    simulator = sim_options(*FAST, *(["--instructions", path] if account else []))
    printed = must([GNOMON, command, "-d", f"sim:{BOARD}", "--json", *options, *simulator, elf, "--", *arguments])
    found = json.loads(path.read_text("ascii"))["instructions"] if account else []
    return json.loads(printed), [(address, dict(zip(costs[::2], costs[1::2]))[RETIRED], sum(costs[1::2])) for address, *costs in found]


def by_function(elf, costs):
    """Returns name -> [executions, cycles], by the symbol table."""
    functions = sorted((address, size, name) for name, address, size in symbols(elf, "tTwW"))
    starts = [address for address, _, _ in functions]
    found = {}
    for address, executions, cycles in costs:
        at = bisect.bisect(starts, address) - 1
        start, size, name = functions[bisect.bisect_left(starts, starts[at])] if at >= 0 else (0, 0, "")
        if address < start + size:
            total = found.setdefault((name, start), [0, 0])
            total[0] += executions
            total[1] += cycles
    return found


def hot(elf, arguments):
    period, *arguments = arguments
    result, costs = run("hot", elf, arguments, ["--period", period])
    oracle = sorted(by_function(elf, costs).items(), key=lambda item: -item[1][1])[:5]
    truth = {start: cycles for (_, start), (_, cycles) in by_function(elf, costs).items()}
    got = [function["address"] for function in result["functions"][:5]]
    want = [start for (_, start), _ in oracle]
    # On a loaded machine tags come late and may swap functions whose cycles differ by at most 10 %.
    apart = [g for g, w in zip(got, want) if truth.get(g, 0) < 0.9 * truth[w]]
    if sorted(got) != sorted(want) or apart or result["samples_lost"]:
        fail(f"{[f['name'] for f in result['functions'][:5]]}, by the simulator's reference model {oracle}")
    if not all(0 < f["cycles"] <= truth[f["address"]] for f in result["functions"][:5]):
        fail(f"{result['functions'][:5]}: more than there were, {oracle}")
    print(f"{elf}: {result['samples']} samples; " + ", ".join(f"{f['name']} {f['cycles']} of {truth[f['address']]}" for f in result["functions"][:5]))


def whole(elf, arguments):
    """The simulator's reference model ends with the program; tags count on until the hart has halted, some cycles
    later, and all of these cycles belong to the function that ends the program."""
    result, costs = run("scan", elf, arguments, ["--whole"])
    want = {start: figures for (_, start), figures in by_function(elf, costs).items()}
    got = {one["address"]: [one["executions"], one["cycles"]] for one in result["found"]}
    last = next(address for name, address, _ in symbols(elf, "tTwW") if name == "__gnomon_exit")
    behind = [have - expected for have, expected in zip(got[last], want[last])]
    if not all(0 <= n <= 16 for n in behind):
        fail(f"{elf}: __gnomon_exit {got[last]}, by the simulator's reference model {want[last]}")
    got[last] = want[last]
    if got != want or result["had_their_turn"] != result["pieces"] or result["runs"] != -(-result["pieces"] // 31):
        wrong = {k: (got.get(k), want.get(k)) for k in got.keys() | want.keys() if got.get(k) != want.get(k)}
        fail(f"{elf}: {wrong}, {result['had_their_turn']} of {result['pieces']} in {result['runs']} runs")
    pages, _ = run("scan", elf, arguments, ["--whole", "--page", "1024"], account=False)
    cycles, all_cycles = sum(one["cycles"] for one in pages["found"]), sum(cost for _, _, cost in costs)
    if not all_cycles <= cycles <= all_cycles + 2 * behind[1]:
        fail(f"{elf}: {cycles} cycles in pages, {all_cycles} by the simulator's reference model")
    print(f"{elf}: {len(got)} of {result['pieces']} functions ran, in {result['runs']} runs, difference 0 ({behind[1]} cycles after the end); "
          f"{len(pages['found'])} pages with {cycles} cycles")


def locked(elf, _arguments):
    result, costs = run("hot", elf, ["12", "300"], ["--period", "4096"])
    truth = {name: cycles for (name, _), (_, cycles) in by_function(elf, costs).items()}
    share = truth["hidden"] / sum(truth.values())
    seen = {f["name"]: f["samples"] for f in result["functions"]}
    if "hidden" in seen or seen["seen"] < 290 or share < 0.5:
        fail(f"samples {seen}, though hidden has {share:.1%}")
    result, _ = run("scan", elf, ["12", "3000"], ["--slice", "20000"], account=False)
    first = result["found"][0]
    # Share of the counts of its turn: the turn is slightly longer, by the time to begin and end it.
    counted = sum(f["cycles"] for f in result["found"] if f["cycles_of_turn"] == first["cycles_of_turn"])
    part = first["cycles"] / counted
    if first["name"] != "hidden" or abs(part - share) > 0.05 or counted > first["cycles_of_turn"]:
        fail(f"the scan finds {first['name']} with {part:.1%}, by the simulator's reference model hidden has {share:.1%}")
    print(f"hidden has {share:.1%} of the cycles: {sum(seen.values())} samples, none of them there; the scan finds {part:.1%} in its turns")


def scanned(elf, _arguments):
    """Each routine lies in pages of its own; while the program does not scan, it nearly always runs one of the two
    routines."""
    path = OUT / "scanned.json"
    path.unlink(missing_ok=True)
    printed = must([GNOMON, "run", "-q", "-d", f"sim:{BOARD}", *sim_options(*FAST, "--instructions", path), elf])
    pages = {int(address, 16): [int(figure) for figure in figures] for word, address, *figures in
             (text.split() for text in printed.splitlines()) if word == "page"}
    costs = json.loads(path.read_text("ascii"))["instructions"]
    truth = by_function(elf, [(address, 0, sum(cost[1::2])) for address, *cost in costs])
    shares = {}
    for name in ("heavy", "light"):
        _, cycles, watched = pages[start_of(elf, name)]
        shares[name] = cycles / watched
    found, true = shares["heavy"] / shares["light"], truth["heavy", start_of(elf, "heavy")][1] / truth["light", start_of(elf, "light")][1]
    if abs(found / true - 1) > 0.05 or not 0.8 < sum(shares.values()) <= 1:
        fail(f"heavy : light is {found:.3f} in their turns, {true:.3f} by the simulator's reference model; {shares}")
    print(f"a program's own scan: heavy : light is {found:.3f}, by the simulator's reference model {true:.3f}; {len(pages)} pages ran")


def start_of(elf, name):
    return next(address for symbol, address, _ in symbols(elf, "tT") if symbol == name)


def main():
    global OUT, BOARD
    out, BOARD, (what, elf, *arguments) = values(__doc__, "out", "board", rest="WHAT")
    OUT = pathlib.Path(out)
    OUT.mkdir(parents=True, exist_ok=True)
    {"hot": hot, "whole": whole, "locked": locked, "scanned": scanned}[what](elf, arguments)


if __name__ == "__main__":
    main()
