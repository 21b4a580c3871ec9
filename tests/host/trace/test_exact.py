#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests which functions the report calls exact after lost calls, with calls.c, whose call graph is in this file.

usage: test_exact.py GNOMON FOLDER   (FOLDER holds the programs that mk/test/trace.mk builds)
"""
import json
import subprocess
import sys

from gnt_encoder import encode, gnt_bytes

GNOMON, FOLDER = sys.argv[1:3]
PATH = f"{FOLDER}/exact.gnt"
NAMES = "leaf calls_leaf jumps pointed_at calls_pointer alone far_away calls_far from_trap in_code points recursive".split()
POINTED = {"pointed_at", "in_code"}
# functions that a function's calls can reach
REACHED = {
    "leaf": set(), "calls_leaf": {"leaf"}, "jumps": {"calls_leaf", "leaf"}, "pointed_at": set(), "calls_pointer": POINTED,
    "alone": set(), "far_away": set(), "calls_far": {"far_away"}, "from_trap": set(), "in_code": set(), "points": set(),
    "recursive": {"recursive"},
}


def doubtful(program, events, records=None):
    """Returns the functions that the report does not call exact."""
    with open(PATH, "wb") as file:
        file.write(gnt_bytes({"elf": {"path": f"{FOLDER}/{program}.elf"}, "records": records is not None}, encode(events)[0],
                             records=records))
    run = subprocess.run([GNOMON, "report", "--json", PATH], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return {f["name"] for f in json.loads(run.stdout)["functions"] if not f["exact"]}


def all_functions(inside, lost):
    """A run that calls every function, with loss `lost` within a call of `inside`; all calls are within a call of
    `alone`."""
    events = [(0, "begin", 0), (5, "enter", NAMES.index("alone"))]
    for number, name in enumerate(NAMES):
        cycle = events[-1][0] + 50
        events.append((cycle, "enter", number))
        if name == inside:
            events.append((cycle, "lost", *lost))
        events.append((cycle + 40, "exit", number))
    cycle = events[-1][0]
    sent, dropped = 2 * len(NAMES) + 2, sum(lost[:3]) if inside else 0
    return [*events, (cycle + 1, "exit", NAMES.index("alone")), (cycle + 2, "end", 0, 9, sent + dropped, dropped, 0)]


def from_records(inside):
    """The same run from function records: the record of `alone` has lost calls, too, because `alone` is open at that
    time."""
    flags = {NAMES.index("alone"): 2, NAMES.index(inside): 3}
    records = [[n, 1, 20 if name == inside else 40, 40, 40, 40, flags.get(n, 0)] for n, name in enumerate(NAMES)]
    cycles, aggregated = 40 * len(NAMES) + 100, 2 * len(NAMES)
    records.append([192 + 31, 0, 100, cycles, 2**36 - 1, 0, 2])
    events = [(0, "begin", 0), (9, "lost", 2, 2, 0, 20), (cycles, "end", 0, 9, aggregated + 4, 4, 0)]
    return events, {"size": 256, "aggregated": aggregated, "overflow": 0, "unbalanced": 0, "untracked": 0, "with_arcs": False, "arc_overflow": 0,
                    "arcs": [], "records": records}


def first_line(events):
    with open(PATH, "wb") as file:
        file.write(gnt_bytes({"elf": {"path": f"{FOLDER}/calls.elf"}}, encode(events)[0]))
    return subprocess.run([GNOMON, "report", PATH], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def unlisted():
    """A function all of whose calls were lost is in no list, and the first line does not claim that only messages
    are missing."""
    calls_leaf, leaf = NAMES.index("calls_leaf"), NAMES.index("leaf")
    dropped = [(30, "lost", 2, 2, 0, 20), (60, "exit", calls_leaf)]
    first = first_line([(0, "begin", 0), (5, "enter", calls_leaf), *dropped, (61, "end", 0, 9, 6, 4, 0)])
    assert "4 of 6 events LOST, with 33 % of the cycles: exact for the 1 function listed, others may have been called" in first, first
    first = first_line([(0, "begin", 0), (5, "enter", calls_leaf), (6, "enter", leaf), (8, "exit", leaf), *dropped, (61, "end", 0, 9, 8, 4, 0)])
    assert "lower bounds for the 1 function marked + and for any that is not listed, exact for 1" in first, first


def main():
    unlisted()
    for name in NAMES:
        run = all_functions(name, (2, 2, 0, 20))
        got = doubtful("calls", run)
        assert got == REACHED[name], f"lost in {name}: {sorted(got)}, expected {sorted(REACHED[name])}"
        got = doubtful("calls", *from_records(name))
        assert got == REACHED[name], f"lost in {name}, by records: {sorted(got)}, expected {sorted(REACHED[name])}"
        # With traps, the lost calls may include traps: the traps' functions and the totals of interrupted functions are
        # doubtful.
        got, want = doubtful("traps", run), REACHED[name] | {"from_trap", name, "alone"}
        assert got == want, f"lost in {name}, with traps: {sorted(got)}, expected {sorted(want)}"
        got = doubtful("traps", *from_records(name))
        assert got == want, f"lost in {name}, by records, with traps: {sorted(got)}, expected {sorted(want)}"
    everything = set(NAMES)
    assert doubtful("calls", all_functions(None, (0, 0, 0, 0))) == set()
    assert doubtful("calls", all_functions("leaf", (0, 0, 3, 0))) == set()
    # Only an exit was lost: any open function may have ended, and the callers of later dropped calls are unknown.
    assert doubtful("calls", all_functions("leaf", (0, 1, 0, 0))) == {"leaf", "alone"}
    both = all_functions("leaf", (0, 1, 0, 0))
    cycle = both[-2][0] - 1
    both[-2:] = [(cycle, "lost", 2, 2, 0, 0), (cycle, "exit", NAMES.index("alone")), (cycle + 1, "end", 0, 9, 2 * len(NAMES) + 7, 5, 0)]
    assert doubtful("calls", both) == everything
    outside = [(0, "begin", 0), (0, "lost", 1, 1, 0, 9), *[e for e in all_functions(None, (0, 0, 0, 0))[1:-1]]]
    outside = [(c + 50 if k != "lost" and c else c, k, *r) for c, k, *r in outside]
    assert doubtful("calls", [*outside, (9999, "end", 0, 1, 2 * len(NAMES) + 4, 2, 0)]) == everything
    print(f"calls lost in each of {len(NAMES)} functions, without and with traps: the right ones are in doubt")


if __name__ == "__main__":
    main()
