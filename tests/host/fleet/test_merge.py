#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon merge and gnomon api list: an API profile of a recording has the calls of gnomon report and the blocks of gnomon heap, difference 0;
profiles add in any order and grouping to the same bytes; what was lost is in the rows; bad files are refused and leave earlier ones.

usage: test_merge.py --gnomon FILE --out FOLDER RECORDING..."""
import itertools
import json
import pathlib
import random
import shutil
import subprocess
import sys

from checking import expect, result, same
from commands import must, run
from options import values

GNOMON, OUT, RECORDINGS = values(__doc__, "gnomon", "out", rest="RECORDING")
OUT, RECORDINGS = pathlib.Path(OUT), [pathlib.Path(file) for file in RECORDINGS]


def merge(name, *files, options=()):
    path = OUT / f"{name}.gnp"
    must([GNOMON, "merge", "-q", "-o", path, *options, *files])
    return path


def rows(profile, *options):
    return json.loads(must([GNOMON, "api", "list", "--json", "--no-demangle", *options, profile]))["rows"]


def numbers(buckets, fields):
    return sorted((cell["from"], *(int(cell[field]) for field in fields)) for cell in buckets)


def added(cells):
    total = {}
    for low, *figures in itertools.chain(*cells):
        total[low] = [a + b for a, b in zip(total.get(low, [0] * len(figures)), figures)]
    return sorted((low, *figures) for low, figures in total.items())


def by_key(listed, key):
    groups = {}
    for item in listed:
        groups.setdefault(key(item), []).append(item)
    return groups


def check_cycles(name, got, report):
    """Rows of one name (functions of two modules) are compared by their sum."""
    found = by_key((row for row in got if row["cost"] == "cycles"), lambda row: row["function"])
    functions = by_key(report["functions"], lambda function: function.get("symbol") or function["name"])
    same(f"{name}: functions", sorted(found), sorted(functions))
    for function, listed in functions.items():
        want = added(numbers(one["histogram"] or [], ("calls", "cycles", "squares")) for one in listed)
        have = added([(1 << b["log2"] if b["log2"] else 0, int(b["count"]), int(b["sum"]), int(b["squares"])) for b in row["buckets"]] for row in found.get(function, []))
        same(f"{name}: {function}: buckets", have, want)
        whole = [one for one in listed if one["histogram"]]
        row = found[function][0]
        if len(listed) == 1 and whole:
            same(f"{name}: {function}: least, most", (int(row["least"]), int(row["most"])), (listed[0]["min_cycles"], listed[0]["max_cycles"]))
        lost = sum(one["calls"] - sum(cell["calls"] for cell in one["histogram"] or []) for one in listed)
        same(f"{name}: {function}: calls in no bucket", sum(int(one["lost"]) for one in found[function]), lost)
        exact = all(one["exact"] for one in listed) and not lost
        same(f"{name}: {function}: exact", all(one["exact"] for one in found[function]), exact)


def check_bytes(name, got, heap):
    for cost, kind in (("own-bytes", "own"), ("bytes", "inclusive")):
        found = by_key((row for row in got if row["cost"] == cost), lambda row: row["function"])
        sizes = by_key((size for size in heap["function_sizes"] if size[kind] and size["function"] != "[caller not known]"), lambda size: size["function"])
        same(f"{name}: {cost}: functions", sorted(found), sorted(sizes))
        for function, listed in sizes.items():
            want = added(numbers(one[kind], ("blocks", "bytes", "squares")) for one in listed)
            have = added([(1 << b["log2"] if b["log2"] else 0, int(b["count"]), int(b["sum"]), int(b["squares"])) for b in row["buckets"]] for row in found.get(function, []))
            same(f"{name}: {cost} of {function}", have, want)


def check_recording(path):
    name = path.stem
    got = rows(merge(name, path))
    report = json.loads(run([GNOMON, "report", "-q", "--json", "--no-demangle", path]).stdout)
    check_cycles(name, got, report)
    heap = run([GNOMON, "heap", "-q", "--json", "--no-demangle", path])
    if heap.stdout:
        check_bytes(name, got, json.loads(heap.stdout))
        same(f"{name}: stacks that are too deep", json.loads(heap.stdout)["deep_stacks"], name == "deep")
        same(f"{name}: and in the first line", "64 calls" in must([GNOMON, "heap", "--sizes", path], heap.returncode).splitlines()[0], name == "deep")
    if name == "deep":
        same("stacks that are too deep", {row["cost"]: row["exact"] for row in got if row["symbol"] == "deep"}, {"cycles": True, "bytes": False, "own-bytes": True})
        sizes = [run([GNOMON, "heap", *option, path]).stdout.splitlines()[0] for option in ([], ["--sizes"])]
        same("gnomon heap --sizes says so, too", ["64 calls or more" in line for line in sizes], [False, True], *sizes)
        expect("the first line says so", "64 calls or more" in must([GNOMON, "api", "list", OUT / "deep.gnp"]).splitlines()[0])
        return
    expect(f"{name}: the first line says what was lost", ("counted exactly" in must([GNOMON, "api", "list", OUT / f"{name}.gnp"]).splitlines()[0]) == all(row["exact"] or int(row["lost"]) for row in got))


def check_order():
    """Any tree of merges of the same recordings gives one file."""
    rng, whole = random.Random(3), merge("whole", *RECORDINGS, options=("--scenario", "all"))
    for turn in range(6):
        parts = [merge(f"part{i}", file, options=("--scenario", "all")) for i, file in enumerate(RECORDINGS)]
        while len(parts) > 1:
            rng.shuffle(parts)
            taken, parts = parts[:2], parts[2:]
            parts.append(merge(f"sum{len(parts)}-{turn}", *taken))
        same(f"grouping {turn}: the bytes", parts[0].read_bytes() == whole.read_bytes(), True)
    twice = merge("twice", whole, whole)
    one, two = rows(whole), rows(twice)
    same("twice: the rows", [row["function"] for row in sorted(two, key=str)] != [], True)
    keyed = {(row["build"], row["module"], row["file"], row["symbol"], row["cost"]): row for row in one}
    for row in two:
        before = keyed[row["build"], row["module"], row["file"], row["symbol"], row["cost"]]
        same(f"twice: {row['function']}", (int(row["count"]), int(row["sum"]), row["least"], row["most"], row["mean"]),
             (2 * int(before["count"]), 2 * int(before["sum"]), before["least"], before["most"], before["mean"]))


def check_filters():
    both = merge("filters", merge("one", RECORDINGS[0], options=("--scenario", "one")), merge("two", RECORDINGS[0], options=("--scenario", "two")))
    same("one scenario", rows(both, "--scenario", "one"), rows(OUT / "one.gnp"))
    row = rows(both)[0]
    same("one function", {r["function"] for r in rows(both, "--function", row["function"])}, {row["function"]})
    same("a pattern", {r["function"] for r in rows(both, "--function", row["function"][0] + "*")}, {r["function"] for r in rows(both) if r["function"].startswith(row["function"][0])})
    same("a limit", len(rows(both, "-n", "1")), 1)
    same("a build", len(rows(both, "--build", row["build"][:6])), len(rows(both)))
    same("the order of names", [r["function"] for r in rows(both, "--sort", "name")], sorted(r["function"] for r in rows(both)))
    for options in (("--scenario", "none"), ("--cost", "none"), ("--build", "ffff0000")):
        done = run([GNOMON, "api", "list", *options, both])
        expect(f"nothing passes {options}", done.returncode == 1 and "no row passes" in done.stderr, done.returncode, done.stderr)


def check_sizes():
    """A size is part of what a source is: runs of other sizes are added for a list, and stay apart in the file."""
    parts = {size: merge(f"size{size}", RECORDINGS[0], options=("--scenario", "s", *(("--size", str(size)) if size else ()))) for size in (10, 0, 2**64 - 1, 9)}
    both = merge("sizes", *parts.values())
    same("sizes: any order, the same bytes", both.read_bytes() == merge("sizes2", *reversed(parts.values())).read_bytes(), True)
    sources = json.loads(must([GNOMON, "api", "list", "--json", both]))["sources"]
    same("sizes: the sources, in their order", [(source["scenario"], source["size"], source["runs"]) for source in sources], [("s", str(size), "1") for size in sorted(parts)])
    for size in (9, 10, 2**64 - 1):
        same(f"size {size}", rows(both, "--size", str(size)), rows(parts[0]))
        same(f"size {size}: its source", [source["size"] for source in json.loads(must([GNOMON, "api", "list", "--json", "--size", str(size), both]))["sources"]], [str(size)])
    same("all sizes: the sums", [int(row["sum"]) for row in rows(both, "--sort", "name")], [4 * int(row["sum"]) for row in rows(parts[0], "--sort", "name")])
    expect("sizes: the first line", "sizes 9 to 18,446,744,073,709,551,615" in must([GNOMON, "api", "list", both]).splitlines()[0])
    expect("one size: the first line", ", size 10," in must([GNOMON, "api", "list", parts[10]]).splitlines()[0])
    expect("no size: the first line", "size" not in must([GNOMON, "api", "list", parts[0]]).splitlines()[0])
    done = run([GNOMON, "api", "list", "--size", "11", both])
    expect("a size that is not there", done.returncode == 1 and "no row passes" in done.stderr, done.returncode, done.stderr)
    # Calls of one size are compared with calls of this size only.
    done = run([GNOMON, "check", "--against", parts[9], parts[10]])
    expect("no size in common", done.returncode == 1 and "same" in done.stderr, done.returncode, done.stderr)
    same("a size in common", run([GNOMON, "check", "--against", parts[9], both]).returncode, 0)


def check_doc():
    """The words of gnomon api doc have the numbers of gnomon api list."""
    path = OUT / "one.gnp"
    listed = rows(path)
    table = [line.split(" | ") for line in must([GNOMON, "api", "doc", "--no-demangle", path]).splitlines() if line.startswith("| ") and " in " in line]
    same("Markdown: rows", len(table), len(listed))
    same("Markdown: calls", sorted(int(cells[2].rsplit(" in ", 1)[1].split()[0].replace(",", "")) for cells in table), sorted(int(row["count"]) for row in listed))
    editor = json.loads(must([GNOMON, "api", "doc", "--form", "json", "--no-demangle", path]))
    same("JSON: functions", sorted((f["symbol"], f["file"], f["line"]) for f in editor["functions"]), sorted({(row["symbol"], row["file"], row["line"]) for row in listed}, key=str))
    for function in editor["functions"]:
        mine = [row for row in listed if (row["symbol"], row["file"]) == (function["symbol"], function["file"])]
        expect(f"JSON: {function['symbol']}", all(f"{row['mean']:.6g} " in function["hover"] for row in mine) and function["hover"].count("**") == 2 * len(mine), function, mine)
    comments = must([GNOMON, "api", "doc", "--form", "doxygen", "--no-demangle", path])
    same("Doxygen: a comment for each", (comments.count("\\fn "), comments.count("\\par Cost"), comments.count("*/")), (len(editor["functions"]), len(editor["functions"]), len(editor["functions"]) + 1))
    same("usage", run([GNOMON, "api", "doc", "--form", "x", path]).returncode, 2)
    same("no such function", run([GNOMON, "api", "doc", "--function", "none", path]).returncode, 1)


def check_pipes():
    whole = OUT / "one.gnp"
    done = subprocess.run([GNOMON, "merge", "-o", "-", "/dev/stdin", whole], input=whole.read_bytes(), stdout=subprocess.PIPE, check=False)
    same("through pipes", done.stdout == merge("piped", whole, whole).read_bytes(), True, done.returncode)


def check_bad():
    whole = (OUT / "one.gnp").read_bytes()
    kept, bad = OUT / "kept.gnp", OUT / "bad.gnp"
    shutil.copy(OUT / "one.gnp", kept)
    cases = {"half": whole[: len(whole) // 2], "a flipped bit": whole[:40] + bytes([whole[40] ^ 1]) + whole[41:], "no profile": b"some text\n" * 9, "empty": b""}
    for what, data in cases.items():
        bad.write_bytes(data)
        done = run([GNOMON, "merge", "-o", kept, OUT / "one.gnp", bad])
        expect(f"{what}: refused by name", done.returncode == 1 and "bad.gnp" in done.stderr, done.returncode, done.stderr)
        same(f"{what}: the earlier file stays", kept.read_bytes() == whole, True)
        done = run([GNOMON, "api", "list", bad])
        expect(f"{what}: not listed", done.returncode == 1 and "bad.gnp" in done.stderr and not done.stdout, done.returncode, done.stderr)
    bad.write_bytes(whole.replace(b"gnp\x10\x01", b"gnp\x10\x02", 1))
    done = run([GNOMON, "api", "list", bad])
    expect("a later version", done.returncode == 1 and "version 2" in done.stderr, done.stderr)
    done = run([GNOMON, "merge", "-o", "/dev/full", OUT / "one.gnp"])
    expect("a full disk", done.returncode == 1 and "No space" in done.stderr, done.returncode, done.stderr)
    for arguments in (["merge", OUT / "one.gnp"], ["merge", "-o", kept], ["api", "show", kept], ["api", "list"], ["api", "list", "--sort", "x", kept]):
        same(f"usage: {arguments[:2]}", run([GNOMON, *arguments]).returncode, 2)
    done = run([GNOMON, "merge", "-o", kept, OUT / "absent.gnp"])
    expect("a file that is not there", done.returncode == 1 and "absent.gnp" in done.stderr, done.stderr)


OUT.mkdir(parents=True, exist_ok=True)
for recording in RECORDINGS:
    check_recording(recording)
check_order()
check_filters()
check_sizes()
check_doc()
check_pipes()
check_bad()
sys.exit(result())
