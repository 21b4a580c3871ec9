# SPDX-License-Identifier: Apache-2.0
"""Compares `gnomon report` of a recording of two harts with the reference models, one for each hart."""
import json

from checking import expect, same
from commands import must


def by_name(functions):
    return {f["name"]: (f["calls"], f["self_cycles"], f["total_cycles"]) for f in functions}


def compare_report(name, trace, model):
    one, other, both = (json.loads(must(["gnomon", "report", "--json", *options, trace])) for options in (["--hart", "0"], ["--hart", "1"], []))
    for hart, shown, want in ((0, one, model), (1, other, model["hart1"])):
        same(f"{name}: functions of hart {hart}", by_name(shown["functions"]), by_name(want["functions"]))
        same(f"{name}: instructions of hart {hart}", shown["instructions"], want["instructions"])
        same(f"{name}: cycles of hart {hart}", shown["cycles"], want["cycles"])
    sums = {}
    for shown in (one, other):
        for function, figures in by_name(shown["functions"]).items():
            sums[function] = tuple(a + b for a, b in zip(sums.get(function, (0, 0, 0)), figures))
    same(f"{name}: functions of both harts", by_name(both["functions"]), sums)
    same(f"{name}: cycles of both harts", (both["cycles"], [hart["cycles"] for hart in both["harts"]]), (one["cycles"] + other["cycles"], [one["cycles"], other["cycles"]]))
    same(f"{name}: unprofiled", both["unprofiled_cycles"], one["unprofiled_cycles"] + other["unprofiled_cycles"])
    same(f"{name}: threads", sum(thread["cycles"] for thread in both["threads"]), both["cycles"])
    same(f"{name}: instructions", both["instructions"], model["instructions"] + model["hart1"]["instructions"])
    expect(f"{name}: exact", both["exact"] and not both["reasons"], both["reasons"])
