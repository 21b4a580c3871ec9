#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon api classes: laws fitted as exact arithmetic fits them; what is not enough is not told; which runs belong together; calls of a
start; the classes of a program's functions whose growth is known.

usage: test_classes.py --gnomon FILE --out FOLDER --program ELF"""
import json
import math
import pathlib
import random
import shutil
import sys
from fractions import Fraction

import gnp_file
from checking import expect, result, same
from commands import must, run
from options import values

GNOMON, OUT, PROGRAM = (pathlib.Path(value).resolve() for value in values(__doc__, "gnomon", "out", "program"))
LAWS = {"log n": math.log2, "sqrt n": math.sqrt, "n": float, "n log n": lambda n: n * math.log2(n), "n sqrt n": lambda n: n * math.sqrt(n), "n^2": lambda n: n ** 2, "n^3": lambda n: n ** 3}


def classes(profile, *options):
    found = json.loads(must([GNOMON, "api", "classes", "--json", *options, profile]))["classes"]
    return {(one["function"], one["scenario"]): one for one in found}


def squares(points, law, base, factor):
    most = max(cost for _, cost in points)
    return sum(((base + factor * Fraction(law(n)) - cost) / max(cost, most / 1000)) ** 2 for n, cost in points)


def fit(points, law):
    """The best of the four ways in which base and factor can be 0 or free, in fractions."""
    most = max(cost for _, cost in points)
    sums = [Fraction(0)] * 5
    for n, cost in points:
        weight, f = 1 / max(cost, most / 1000) ** 2, Fraction(law(n))
        sums = [a + weight * b for a, b in zip(sums, (1, f, f * f, cost, f * cost))]
    ones, f, ff, y, fy = sums
    ways = [(y / ones, Fraction(0)), (Fraction(0), fy / ff), (Fraction(0), Fraction(0))]
    if ones * ff != f * f:
        ways.append(((ff * y - f * fy) / (ones * ff - f * f), (ones * fy - f * y) / (ones * ff - f * f)))
    ways = [way for way in ways if way[0] >= 0 and way[1] >= 0]
    best = min(ways, key=lambda way: squares(points, law, *way))
    return float(best[0]), float(best[1]), math.sqrt(squares(points, law, *best) / len(points))


def check_fits():
    """Random costs of known growth: what is told is the fit of exact arithmetic, and the law is the true one."""
    rng, rows, truth = random.Random(5), [], {}
    for index in range(140):
        name = list(LAWS)[index % len(LAWS)]
        law, noise, factor = LAWS[name], rng.choice((0, 0.002, 0.02)), rng.uniform(20, 90)
        sizes = [round(rng.uniform(4, 40) * 2 ** i) for i in range(rng.randrange(4, 10))]
        base = rng.uniform(0, 0.5) * factor * law(max(sizes))
        points = []
        for size in sorted(set(sizes)):
            calls = [max(1, round((base + factor * law(size)) * (1 + rng.gauss(0, noise)))) for _ in range(rng.randrange(1, 5))]
            rows.append({"function": f"f{index}", "size": size, "calls": calls})
            points.append((size, Fraction(sum(calls), len(calls))))
        truth[f"f{index}"] = (name, points)
    found, told = classes(gnp_file.write(OUT / "fits.gnp", rows)), 0
    for (function, _), one in found.items():
        name, points = truth[function]
        got = one["call"]
        if got["verdict"] == "told":
            told += 1
            flat = max(cost for _, cost in points) <= min(cost for _, cost in points) * Fraction(5, 4)
            expect(f"{function}: the law", got["law"] == name or (flat and got["law"] == "constant"), got, name)
        if got["law"] == "constant":
            continue
        base, factor, error = fit(points, LAWS[got["law"]])
        scale = base + factor * LAWS[got["law"]](points[-1][0])
        expect(f"{function}: base, factor, error", abs(got["base"] - base) <= 1e-6 * scale and abs(got["factor"] - factor) <= 1e-6 * max(factor, 1e-9)
               and abs(got["error"] - error) <= 1e-6, got, (base, factor, error))
    expect("most laws are told", told >= 100, told)


def series(name, costs, **more):
    return [{"function": name, "size": size, "calls": calls if isinstance(calls, list) else [calls], **more} for size, calls in costs.items()]


def check_what_is_told():
    linear = {16: 100, 32: 180, 64: 340, 128: 660, 256: 1300}
    rows = [*series("linear", linear), *series("two", dict(list(linear.items())[:2])), *series("none", {0: [40] * 9 + [4000]}), *series("steady", {0: [100] * 30 + [101]}),
            *series("jumps", {16: 10, 32: 900, 64: 20, 128: 800, 256: 10}), *series("level", {16: 100, 32: 101, 64: 103, 128: 100, 256: 102}),
            *series("near", {100: 1000, 110: 1105, 120: 1200, 130: 1310}), *series("counts", linear, doubt=2), *series("lossy", linear, doubt=1)]
    profile = gnp_file.write(OUT / "told.gnp", rows)
    found = {name: one for (name, _), one in classes(profile).items()}
    same("the classes", {name: one["class"] for name, one in found.items()}, {"linear": "n", "two": "not told", "none": "not told", "steady": "constant", "jumps": "not told",
                                                                             "level": "constant", "near": "not told", "counts": "not told", "lossy": "n"})
    same("why not", {name: found[name]["call"]["verdict"] for name in ("two", "none", "jumps", "near")}, {"two": "few sizes", "none": "few sizes", "jumps": "no law", "near": "ambiguous"})
    expect("several laws are possible", {"n", "n log n"} <= set(found["near"]["call"]["possible"]), found["near"])
    same("sums that are not known", (found["counts"]["call"], found["counts"]["exact"], found["lossy"]["exact"], found["linear"]["exact"]), (None, False, False, True))
    text = must([GNOMON, "api", "classes", profile])
    for shown in ("20 + 5 n ", "2 sizes, 3 are needed", "sums are not known", " to n^3"):
        expect(f"the table: {shown!r}", shown in text, text)
    same("the order: what grows is first", text.splitlines()[2].split()[0], "n")
    words = must([GNOMON, "api", "doc", "--function", "linear", "--function", "level", "--function", "near", profile])
    expect("in words: it grows", "grows with n: 20 + 5 n cycles, error 0.0 %, for n = 16 to 256" in words, words)
    expect("in words: constant", "constant for n = 16 to 256" in words, words)
    same("in words: only what is told", words.count(" for n = "), 2)
    hover = {one["name"]: one["hover"] for one in json.loads(must([GNOMON, "api", "doc", "--form", "json", profile]))["functions"]}
    expect("for editors", "grows with n: 20 + 5 n cycles" in hover["linear"] and "grows" not in hover["near"], hover)
    done = run([GNOMON, "api", "classes", "--function", "absent", profile])
    expect("nothing passes", done.returncode == 1 and "no row passes" in done.stderr, done.stderr)
    same("usage", run([GNOMON, "api", "classes", profile, profile]).returncode, 2)


def check_series():
    """A scenario with several sizes is a series; scenarios with one size each are one series together; devices and builds are apart."""
    linear, square = {n: 10 + 3 * n for n in (10, 20, 40, 80)}, {n: 5 + n * n for n in (10, 20, 40, 80)}
    rows = [*series("f", linear, scenario="pack"), *series("f", square, scenario="unpack")]
    for size in linear:
        rows += series("g", {size: linear[size]}, scenario=f"case {size}")
        rows += series("g", {size: square[size]}, scenario=f"case {size}", device="full")
    found = json.loads(must([GNOMON, "api", "classes", "--json", gnp_file.write(OUT / "series.gnp", rows)]))["classes"]
    same("series", sorted((one["function"], one["scenario"] or "", one["device"], one["class"]) for one in found),
         [("f", "pack", "sim:full", "n"), ("f", "unpack", "sim:full", "n^2"), ("g", "", "full", "n^2"), ("g", "", "sim:full", "n")])
    one = classes(OUT / "series.gnp", "--scenario", "unpack")
    same("a filter", [(key, value["class"]) for key, value in one.items()], [(("f", "unpack"), "n^2")])
    words = must([GNOMON, "api", "doc", "--function", "f", OUT / "series.gnp"])
    expect("in words: both scenarios", "; pack: grows with n: " in words and "; unpack: grows with n^2: " in words, words)
    # All calls together are compared only if all sizes have the same number of runs.
    rows = [row for size in (10, 20, 40, 80) for row in series("h", {size: [size % 7 + 1] * size}, runs=1 + size // 50)] + series("k", {n: [7 + n % 3] * n for n in (11, 20, 40, 80)}, scenario="t")
    found = {name: one for (name, _), one in classes(gnp_file.write(OUT / "runs.gnp", rows)).items()}
    same("the number of runs", [found[name]["all_calls"] is None for name in "hk"], [True, False])


def check_recursion():
    """A walk of a tree with n leaves: the mean of all calls, the inner ones included, grows with log n; the walk grows with n."""
    walks = {n: [10 * n // 2 ** level + 3 for level in range(n.bit_length()) for _ in range(2 ** level)] for n in (16, 64, 256, 1024, 4096)}
    one = classes(gnp_file.write(OUT / "tree.gnp", series("walk", walks)))["walk", "s"]
    same("a recursion", (one["call"]["law"], one["call"]["verdict"], one["class"], one["of"]), ("log n", "told", "n", "longest_call"))


def check_start():
    usual, cases = [20, 21, 22, 30] * 5, {}
    cases["start"] = {n: [900, *usual] for n in (16, 32, 64)}
    cases["twice"] = {n: [900, 950, *usual] for n in (16, 32, 64)}          # two in one run
    cases["near"] = {n: [100, *usual] for n in (16, 32, 64)}                # less than 4 times as much is possible
    cases["one size"] = {16: [900, *usual], 32: usual, 64: [900, *usual]}
    cases["few"] = {n: [900, *usual[:9]] for n in (16, 32, 64)}
    cases["grows"] = {n: [500 * n, *[10 * n] * 20] for n in (16, 32, 64, 128)}
    found = {name: one for (name, _), one in classes(gnp_file.write(OUT / "start.gnp", [row for name, costs in cases.items() for row in series(name, costs)])).items()}
    same("which have a start", {name for name, one in found.items() if one["start"]}, {"start", "grows"})
    same("its calls and the others", found["start"]["start"], {"calls": 3, "mean": 900.0, "others": 60, "others_mean": 23.25})
    same("the classes", (found["start"]["class"], found["grows"]["class"], round(found["grows"]["call"]["factor"], 6)), ("start-up, constant", "start-up, n", 10.0))
    rows = series("runs", {16: [900, 950, *usual * 2]}, runs=2)
    found = classes(gnp_file.write(OUT / "start2.gnp", rows))["runs", "s"]
    same("one call of each of two runs", (found["start"]["calls"], found["class"]), (2, "start-up, not told"))
    words = must([GNOMON, "api", "doc", OUT / "start.gnp", "--function", "start"])
    expect("in words", "start-up: 3 calls of 900, others 23.2 cycles on average, constant for n = 16 to 64" in words, words)


def check_program():
    """The functions of tests/host/fleet/sizes.c, measured on the simulated board."""
    parts = []
    for size in (16, 32, 64, 128, 256, 512, 1024):
        trace = OUT / f"size{size}.gnt"
        must([GNOMON, "record", "-q", "--watch", "--records", "-d", "sim:full", "-o", trace, PROGRAM, "--", size])
        parts.append(OUT / f"size{size}.gnp")
        must([GNOMON, "merge", "-q", "-o", parts[-1], "--scenario", "sizes", "--size", size, trace])
    whole = OUT / "sizes.gnp"
    must([GNOMON, "merge", "-q", "-o", whole, *parts])
    found = {name: one for (name, _), one in classes(whole).items() if one["cost"] == "cycles"}
    expected = {"insertion_sort": ("n^2", "call"), "merge_sort": ("n log n", "longest_call"), "crc32_z": ("n", "call"), "fill": ("n", "call"), "search": ("log n", "call"),
                "lookup": ("start-up, constant", "call"), "mix": ("constant", "call")}
    same("a program: classes", {name: (found[name]["class"], found[name]["of"]) for name in expected}, expected)
    same("a program: fill", (round(found["fill"]["call"]["factor"], 3), found["fill"]["call"]["r2"] > 0.999999), (5.0, True))


shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir(parents=True)
check_fits()
check_what_is_told()
check_series()
check_recursion()
check_start()
check_program()
sys.exit(result())
