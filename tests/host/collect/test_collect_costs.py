#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon collect in other costs than cycles: each start is measured in one of the policy's, and its figures are those of a recording of all
functions in that cost, bucket by bucket. The program is as with gnomon run. What the collector does not know of a policy is left out. The
real service gives the costs to collectors, and takes their rows.

usage: test_collect_costs.py --gnomon FILE --out FOLDER --station ELF --hooked ELF --zlib ELF --heap ELF --text FILE   (heap: zlib with heap
       messages, without hooks)"""
import json
import pathlib
import re
import shutil
import sys
import types

from checking import expect, result, same
from commands import FAST, must, run
from fleet_places import Service as Fleet, Sqlite
from fleet_service import Service
from host import Host
from options import values

GNOMON, OUT, STATION, HOOKED, ZLIB, HEAP, TEXT = (pathlib.Path(value).resolve() for value in values(
    __doc__, "gnomon", "out", "station", "hooked", "zlib", "heap", "text"))
COSTS = ["cycles", "retired", "icache-misses", "bus-data-reads", "io-bytes"]
# Events that time cannot count, one that no version has, and what is no name.
STRANGE = ["tagged", "none", "cups-of-tea", "Retired", "", "../retired", "x" * 32, 7, None, ["retired"], {"retired": 1}]


def whole(host, name, cost, program, *arguments, **more):
    """The figures of a recording of all functions."""
    trace, profile = OUT / f"{name}.{cost}.gnt", OUT / f"{name}.{cost}.gnp"
    clock = [] if cost == "cycles" else ["--clock", cost]
    run([GNOMON, "record", "-q", "-d", "sim:full", "--records", "--watch", *clock, "-o", trace, program, *arguments], cwd=OUT, **more)
    must([GNOMON, "merge", "-q", "-o", profile, trace])
    return host.figures(profile)


def check_figures(name, program, runs, *arguments, **more):
    service = Service({"functions": 24, "costs": [*STRANGE, *COSTS, *COSTS]})
    host = Host(GNOMON, OUT / f"figures-{name}", service)
    same(f"{name}: the policy's costs, each once", [cost for cost in host.json("--status")["policy"]["costs"] if cost in COSTS], COSTS)
    want = {cost: whole(host, name, cost, program, *arguments, **more) for cost in COSTS}
    plain = run([GNOMON, "run", "-d", "sim:full", program, *arguments], cwd=OUT, **more)
    drawn, files = {cost: set() for cost in COSTS}, []
    for seed in range(1, runs + 1):
        done = host.run("--seed", seed, program, *arguments, cwd=OUT, **more)
        same(f"{name}, seed {seed}: the program is as with gnomon run", (done.returncode, done.stdout, done.stderr), (plain.returncode, plain.stdout, plain.stderr))
        got = host.figures(host.open())
        costs = {cost for *_, cost in got}
        expect(f"{name}, seed {seed}: one cost, of the policy's", len(costs) == 1 and costs <= set(COSTS), costs)
        cost = costs.pop()
        same(f"{name}, seed {seed}, {cost}: as with all functions watched", {key: (row, want[cost].get(key)) for key, row in got.items() if row != want[cost].get(key)}, {})
        drawn[cost] |= {key for key, row in got.items() if row[0]}
        files.append(OUT / f"{name}-{seed}.gnp")
        shutil.move(host.open(), files[-1])
    expect(f"{name}: costs are drawn", len([keys for keys in drawn.values() if keys]) > 2, {cost: len(keys) for cost, keys in drawn.items()})
    print(f"{name}: {runs} runs;", ", ".join(f"{len(keys)} functions in {cost}" for cost, keys in drawn.items()))
    service.close()
    return host, files, drawn


def check_one_file():
    """The same runs again, in one file: the sum of the runs, byte for byte; it shows all costs."""
    host, files, drawn = check_figures("station", STATION, 14, "--", "0", input="")
    expect("each cost is drawn", all(drawn.values()), {cost: len(keys) for cost, keys in drawn.items()})
    for seed in range(1, len(files) + 1):
        host.run("--seed", seed, STATION, "--", "0", input="")
    must([GNOMON, "merge", "-q", "-o", OUT / "station.gnp", *files])
    same("rows of all costs in one profile", host.open().read_bytes() == (OUT / "station.gnp").read_bytes(), True)
    shown = must(host.command("--show"), env=host.env)
    expect("--show has the costs", all(re.search(rf"  {cost}  ", shown) for cost in COSTS), shown)


def check_seeds():
    """The cost has nothing to do with which functions are chosen: each function is measured in each cost."""
    service = Service({"functions": 24, "costs": ["cycles", "retired"]})
    host = Host(GNOMON, OUT / "seeds", service)
    functions = {}
    for costs in (["cycles"], ["retired"], ["cycles", "retired"]):
        host.ledger(policy={**service.policy, "costs": costs})
        host.run("--seed", 5, HOOKED, "--", "40")
        functions[str(costs)] = {symbol for symbol, *_ in host.figures(host.open())}
        host.open().unlink()
    same("the same functions in whatever cost", len({frozenset(chosen) for chosen in functions.values()}), 1, functions)
    service.close()


def check_unknown():
    """A policy without a cost that this collector knows: cycles."""
    for costs in ([], ["cups-of-tea"], STRANGE, "retired", {"retired": 1}, None, ["retired"]):
        service = Service({"costs": costs})
        host = Host(GNOMON, OUT / "unknown", service)
        done = host.run("-v", STATION, "--", "0", input="")
        want = "retired" if costs == ["retired"] else "cycles"
        expect(f"the costs {costs!r}", done.returncode == 0 and re.search(rf"measures \d+ of \d+ functions in {want}\n", done.stderr), done.stderr)
        same(f"the costs {costs!r}: rows", {row["cost"] for row in host.listed(host.open())["rows"]}, {want})
        service.close()
    service = Service({"costs": [f"cost-{i}" for i in range(100)] + ["retired"]})
    host = Host(GNOMON, OUT / "unknown", service)
    expect("a long list", len(host.json("--status")["policy"]["costs"]) <= 64 and "in cycles" in host.run("-v", STATION, "--", "0", input="").stderr)
    service.close()


def check_blocks():
    """Bytes of blocks, of a program that reports them."""
    service = Service({"functions": 60, "costs": ["bytes", "retired"]})
    host = Host(GNOMON, OUT / "blocks", service)
    must([GNOMON, "record", "-q", "-d", "sim:full", "--events", "--watch", *FAST, "-o", OUT / "blocks.gnt", HEAP, "--", TEXT, "text.z"], cwd=OUT)
    must([GNOMON, "merge", "-q", "-o", OUT / "blocks.gnp", OUT / "blocks.gnt"])
    want = {**host.figures(OUT / "blocks.gnp"), **whole(host, "blocks", "retired", HEAP, "--", TEXT, "text.z")}
    plain = run([GNOMON, "run", "-d", "sim:full", HEAP, "--", TEXT, "text.z"], cwd=OUT)
    found = {"bytes": set(), "retired": set()}
    for seed in range(1, 7):
        done = host.run("--seed", seed, *FAST, HEAP, "--", TEXT, "text.z", cwd=OUT)
        same(f"blocks, seed {seed}: the program is as with gnomon run", (done.returncode, done.stdout), (plain.returncode, plain.stdout))
        got = host.figures(host.open())
        same(f"blocks, seed {seed}: one cost", len({cost for *_, cost in got}) <= 1, True, got)
        same(f"blocks, seed {seed}: a run", host.runs(host.open()), 1)
        same(f"blocks, seed {seed}: as with all functions watched", {key: (row, want.get(key)) for key, row in got.items() if row != want.get(key)}, {})
        for key in got:
            found[key[2]].add(key[0])
        host.open().unlink()
    expect("blocks of several functions", len(found["bytes"]) > 4 and len(found["retired"]) > 10, found)
    print(f"blocks: {len(found['bytes'])} functions in bytes, {len(found['retired'])} in retired")
    must([GNOMON, "record", "-q", "-d", "sim:full", "--events", "--watch-only", "deflateInit*", *FAST, "-o", OUT / "some.gnt", HEAP, "--", TEXT, "text.z"], cwd=OUT)
    must([GNOMON, "merge", "-q", "-o", OUT / "some.gnp", OUT / "some.gnt"])
    costs = {cost for *_, cost in host.figures(OUT / "some.gnp")}
    same("who allocates by itself is not known of some functions", costs, {"cycles", "bytes"})
    service.policy["costs"] = ["bytes"]
    host.ledger(policy=service.policy)
    done = host.run("-v", STATION, "--", "0", input="")
    expect("a program that reports no blocks", re.search(r"measures \d+ of \d+ functions in cycles\n", done.stderr), done.stderr)
    service.close()


def check_fleet():
    """The real service."""
    for wrong in ("costs=", "costs=retired,", "costs=retired,retired", "costs=Retired", "costs=cups-of-tea", "costs=tagged"):
        done = run([GNOMON, "fleet", "serve", "--database", OUT / "no.db", "--tokens", OUT / "no.tokens", "--policy", wrong])
        expect(f"gnomon fleet serve --policy {wrong}", done.returncode == 2 and not (OUT / "no.db").exists(), done.returncode, done.stderr)
    service = Fleet(GNOMON, Sqlite(OUT / "store"), OUT / "service", "--policy", "load=6400", "--policy", "costs=retired,bytes,io-bytes")
    host = Host(GNOMON, OUT / "fleet", types.SimpleNamespace(address=f"http://127.0.0.1:{service.port}", token=service.tokens[0]))
    same("the costs of the service", host.json("--status")["policy"]["costs"], ["retired", "bytes", "io-bytes"])
    expect("as text", "measured in retired or bytes or io-bytes" in must(host.command("--status"), env=host.env).replace("\n               ", " "))
    for seed in range(1, 7):
        host.run("--seed", seed, STATION, "--", "0", input="")
    copy = host.open().read_bytes()
    must(host.command("--submit"), env=host.env)
    same("the service publishes both", service.export("whole") == copy, True)
    (OUT / "copy.gnp").write_bytes(copy)
    same("in two costs", {row["cost"] for row in host.listed(OUT / "copy.gnp")["rows"]}, {"retired", "io-bytes"})
    same("the service ends well", service.stop()[0], 0)


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    check_one_file()
    check_figures("hooked", HOOKED, 6, "--", "40")
    check_figures("zlib", ZLIB, 6, "--", TEXT, "text.z")
    check_seeds()
    check_unknown()
    check_blocks()
    check_fleet()
    sys.exit(result())


if __name__ == "__main__":
    main()
