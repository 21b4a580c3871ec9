#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon record --clock on two harts that pass locks to each other: for each function, what it has in all stall causes and in retired instructions adds
up to its cycles, in records and in events; the profile names the device, which is another one than the board with one hart.

usage: test_clock_harts.py --gnomon FILE --out FOLDER --harts ELF"""
import json
import pathlib
import sys

from checking import expect, result, same
from commands import FAST, must
from options import values

GNOMON, OUT, HARTS = (pathlib.Path(value).resolve() for value in values(__doc__, "gnomon", "out", "harts"))
CAUSES = [event["name"] for event in json.loads(must([GNOMON, "stat", "--json", "-e", "list"])) if event["name"].startswith("cycles-")] + ["retired"]


def profile(event, way):
    """What gnomon api list says of a run."""
    trace, file = OUT / f"{event}{way}.gnt", OUT / f"{event}{way}.gnp"
    must([GNOMON, "record", "-q", "-d", "sim:duo", way, *([] if event == "cycles" else ["--clock", event]), *FAST, "-o", trace, HARTS, "--", "40", "1"], cwd=OUT)
    must([GNOMON, "merge", "-q", "-o", file, trace])
    trace.unlink()
    return json.loads(must([GNOMON, "api", "list", "--json", file]))


def check(way):
    whole = profile("cycles", way)
    cycles = {(row["symbol"], row["count"]): int(row["sum"]) for row in whole["rows"] if row["cost"] == "cycles"}
    same(f"{way}: the device", {source["device"] for source in whole["sources"]}, {"sim:duo"})
    expect(f"{way}: functions of both harts", {"run", "work", "second"} <= {symbol for symbol, _ in cycles}, sorted(cycles))
    total = dict.fromkeys(cycles, 0)
    for cause in CAUSES:
        rows = {(row["symbol"], row["count"]): int(row["sum"]) for row in profile(cause, way)["rows"] if row["cost"] == cause}
        same(f"{way} {cause}: the same calls", sorted(rows), sorted(cycles))
        total = {key: total[key] + rows.get(key, 0) for key in total}
    same(f"{way}: all causes together", total, cycles)
    print(f"{way}: {len(cycles)} functions on two harts, {sum(cycles.values())} cycles in {len(CAUSES)} causes: difference {sum(abs(total[key] - cycles[key]) for key in cycles)}")


OUT.mkdir(parents=True, exist_ok=True)
for kind in ("--records", "--events"):
    check(kind)
sys.exit(result())
