#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proofs of instruction cache and bus, checked at their ports; without bound (ABC's pdr) if no depth is shown.

usage: prove.py [--short] [--select WORD,WORD] [--rtl DIR] [--out DIR] [--trace]

--select: the proofs whose "configuration.check" contains one of the words. --trace prints a counterexample, if there is
one of at most 32 cycles.
Prints a line for each proof and writes a table to OUT/checks.json; exit status 1 if a proof fails.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "core"))
import checks
import run

# Words in a line, compact form (2: with words in a memory with one port); the maximum of cycles until an answer, an acceptance, the end of a flush, with a bus
# that waits at most one cycle each time.
CACHES = {"icache2": (2, 0, 11, 10, 23), "icache4": (4, 0, 15, 14, 29), "compact2": (2, 1, 4, 7, 11), "compact4": (4, 1, 4, 11, 13), "single4": (4, 2, 4, 12, 13)}
SHORT = ("icache2", "compact4")          # in make test
MUTANT_DEPTH = 32


def check(config, title, top, sources, defines=(), depth=0, short=True):
    return checks.Check(config, title, tuple(defines), depth, short=short, top=f"formal_{top}", sources=(str(HERE / f"{top}.v"), *sources))


def all_checks():
    for config, (words, compact, answer, accept, flush) in CACHES.items():
        def icache(title, more=(), depth=0, bits=1, config=config, words=words, compact=compact):
            return check(config, title, "icache", ("cache/gnomon_icache.v", "cache/gnomon_icache_compact.v", "bus/gnomon_ram.v"),
                         (f"CHECK_{title.upper()}", f"LINE_WORDS={words}", f"COMPACT={min(compact, 1)}", f"SINGLE={compact // 2}", f"BITS={bits}", *more), depth, config in SHORT)
        yield icache("answers")
        yield icache("word")
        yield dataclasses.replace(icache("word", depth=14, bits=32), title="word-32")
        yield icache("bus")
        yield icache("miss")
        yield icache("live", ("WAIT=1", f"ANSWER={answer}", f"ACCEPT={accept}", f"FLUSH={flush}"))
    yield check("icache", "shadow", "shadow", ("cache/gnomon_icache.v", "cache/gnomon_icache_compact.v"), short=False)
    for config, size, blocks, late in ("64k", 1 << 16, 4, 4), ("8m", 1 << 23, 7, 7), ("late", 1 << 23, 7, 3):
        yield check(config, "interconnect", "interconnect", ("bus/gnomon_interconnect.v",), (f"RAM_BYTES={size}", f"BLOCKS={blocks}", f"LATE={late}"))
    for title, more in ("order", ()), ("atomic", ()), ("state", ()), ("waits", ("D_WAIT=48", "I_WAIT=20", "LOCKED=50")):
        # A wait begins in any state, so the longest one decides the depth.
        one = check("two", title, "harts", ("bus/gnomon_hart_arbiter.v", "core/gnomon_core_lsu.v"), (f"CHECK_{title.upper()}", *more), 52 if title == "waits" else 0, False)
        yield dataclasses.replace(one, script=tuple(f"connect -set {name} dut.{name}" for name in ("holder", "open") if title in ("state", "waits")))
    yield check("3", "delay", "delay", ("bus/gnomon_bus_delay.v",))
    yield check("block", "ram", "ram", ("bus/gnomon_ram.v",))


def refute(the_check, rtl, out, shown=False):
    """Searches only for a counterexample, which is found sooner than with a proof."""
    script = ("expose w:c_* w:b_* w:open w:owed w:flush* w:miss w:rst w:i_* w:d_* w:h_* w:mon* w:ram_* w:reg_*",) if shown else ()
    return run.run(dataclasses.replace(the_check, depth=max(MUTANT_DEPTH, the_check.depth), limit=60, prepare="strash", script=(*the_check.script, *script)), rtl, out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--select", default="")
    parser.add_argument("--rtl", default="rtl")
    parser.add_argument("--out", type=pathlib.Path, default=run.ROOT / "build/formal-soc")
    parser.add_argument("--trace", action="store_true")
    args = parser.parse_args()
    args.out = args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    os.chdir(run.ROOT)
    results = []
    for one in all_checks():
        if args.short and not one.short or args.select and not any(w in one.name for w in args.select.split(",")):
            continue
        result = run.run(one, args.rtl, args.out)
        results.append(result)
        depth = f"depth {result['depth']}" if result["depth"] else "unbounded"
        where = f" in cycle {result['cycle']} {result['property']}" if result["cycle"] is not None else ""
        print(f"{one.config:8} {one.title:12} {depth:>9} {result['seconds']:7.1f} s  {result['verdict']}{where}", flush=True)
        if args.trace and result["verdict"] == "FAIL":
            refute(one, args.rtl, args.out, shown=True)
            run.trace(one, args.out)
    (args.out / "checks.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    bad = [r for r in results if r["verdict"] != "pass"]
    print(f"{len(results) - len(bad)} of {len(results)} proved, {sum(r['seconds'] for r in results):.0f} s")
    sys.exit(1 if bad or not results else 0)


if __name__ == "__main__":
    main()
