#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon diff and gnomon check: every change is the difference of what gnomon report says of the two recordings, and every verdict is
what the figures say.

usage: test_compare.py --gnomon COMMAND --out FOLDER --few RECORDING... --many RECORDING... --old RECORDING --new RECORDING
                       --lossy RECORDING --cut FILE --others RECORDING RECORDING --classes FOLDER
FILE is made: a part of NEW. FOLDER has recordings of a program with interrupts and of one with threads, without some classes of events. The recordings of --few and --many are runs of one program, with fewer and more rounds; --old and --new are of two builds of another
one; --others of a third one, which is not of this project."""
import argparse
import itertools
import json
import math
import os
import pathlib
import re
import struct
import sys
import xml.etree.ElementTree
import zlib

from checking import check, expect, result, same
from commands import must, run

ARGUMENTS = argparse.ArgumentParser()
for option in "gnomon", "out", "old", "new", "lossy", "cut", "classes":
    ARGUMENTS.add_argument(f"--{option}", required=True)
for option in "few", "many", "others":
    ARGUMENTS.add_argument(f"--{option}", nargs="+", required=True)
ARGS = ARGUMENTS.parse_args()
OUT = pathlib.Path(ARGS.out)
KEYS = {"self_cycles": "self_cycles", "total_cycles": "total_cycles", "calls": "calls", "max_cycles": "max_cycles"}


def gnomon(*words, **more):
    return run([ARGS.gnomon, *words], **more)


def load(*words, status=0):
    return json.loads(must([ARGS.gnomon, *words], status))


def report(recording):
    """{(name, file's name, module): function} of gnomon report, and all of it."""
    whole = load("report", "--json", recording)
    functions = {}
    for function in whole["functions"]:
        place = (function["name"], pathlib.Path(function["file"] or "").name, function.get("module"))
        expect(f"{recording}: {place} is one function", place not in functions)
        functions[place] = function
    return functions, whole


def place_of(row):
    return row["name"], pathlib.Path(row["file"] or "").name, row["module"]


def test_functions(old, new):
    """The rows of gnomon diff against two reports."""
    wrong = []
    (before, before_all), (after, after_all) = report(old), report(new)
    diff = load("diff", "--json", "--all", old, new)
    rows = {place_of(row): row for row in diff["functions"] if not row["name"] in ("[unprofiled]", "[lost]")}
    if set(rows) != set(before) | set(after):
        wrong.append(f"rows {set(rows) ^ (set(before) | set(after))}")
    for place, row in rows.items():
        for key in KEYS:
            want = [functions.get(place, {}).get(key, 0) for functions in (before, after)]
            got = row.get(key, {"old": [0], "new": [0], "change": 0})
            if got["old"] + got["new"] != want or got["change"] != want[1] - want[0]:
                wrong.append(f"{place} {key}: {got}, not {want}")
        if (row["in_old"], row["in_new"]) != (place in before, place in after):
            wrong.append(f"{place}: in_old, in_new")
    change = sum(row["self_cycles"]["change"] for row in diff["functions"])
    if change != after_all["cycles"] - before_all["cycles"] or diff["cycles"]["change"] != change:
        wrong.append(f"the changes add up to {change}, not {after_all['cycles'] - before_all['cycles']}")
    check(f"functions of {pathlib.Path(old).name} and {pathlib.Path(new).name}: {len(rows)} rows, {change:+.0f} cycles", wrong)
    few = load("diff", "--json", old, new)
    want = [row for row in diff["functions"] if any(row[key]["change"] for key in KEYS if key in row)]
    same("rows with a change", [place_of(row) for row in few["functions"]], [place_of(row) for row in want])
    sizes = [abs(row["self_cycles"]["change"]) for row in few["functions"]]
    same("order", sizes, sorted(sizes, reverse=True))


def test_text(old, new):
    """The column of changes adds up on the screen, also with a limit; 80 columns are enough."""
    diff = load("diff", "--json", old, new)
    for more in [], ["--limit", "2"], ["--all"]:
        lines = must([ARGS.gnomon, "diff", *more, old, new]).splitlines()
        changes = [int(line.split()[0].replace(",", "").replace("-", "-0") or 0) for line in lines[2:]]
        same(f"text {more}", sum(changes), int(diff["cycles"]["change"]), "\n".join(lines))
    wide = must(["script", "-qec", f"stty cols 80; GNOMON_PAGER=cat {ARGS.gnomon} diff {old} {new}", "/dev/null"])
    plain = [re.sub(r"\x1b\[[0-9;]*m|\r", "", line) for line in wide.splitlines()]
    expect("80 columns", max(map(len, plain)) <= 80, wide)


def test_causes(old, new):
    """The causes of gnomon diff against those of two reports."""
    wrong = []
    before, after = (load("report", "--causes", "--json", path) for path in (old, new))
    diff = load("diff", "--causes", "--all", "--json", old, new)
    sums = [{}, {}]
    for side, whole in enumerate((before, after)):
        for function in whole["functions"]:
            name = function["name"] or function["code"]
            sums[side].setdefault(name, {"cycles": 0})["cycles"] += function["cycles"]
            for cause, cycles in function["causes"].items():
                sums[side][name][cause] = sums[side][name].get(cause, 0) + cycles
    got = [{}, {}]
    keys = {key for row in diff["causes"] for key in row} - {"name", "file", "line", "module", "exact", "in_old", "in_new"}
    for row, side, key in itertools.product(diff["causes"], (0, 1), keys):
        value = row[key]["old" if side == 0 else "new"][0] if key in row else 0
        if value and not row["name"].startswith("[not counted") and not row["name"].startswith("[unattributed"):
            got[side].setdefault(row["name"], {})
            got[side][row["name"]][key] = got[side][row["name"]].get(key, 0) + value
    for side in 0, 1:
        if got[side] != sums[side]:
            wrong.append(f"{side}: {got[side]}\nnot {sums[side]}")
    change = sum(row["cycles"]["change"] for row in diff["causes"])
    if change != after["cycles"] - before["cycles"]:
        wrong.append(f"the changes add up to {change}, not {after['cycles'] - before['cycles']}")
    check(f"causes of {len(diff['causes'])} functions", wrong)
    lines = load("diff", "--lines", "--all", "--json", old, new)["lines"]
    same("lines: sum", sum(row["cycles"]["change"] for row in lines), change)
    by_name = {}
    for row in lines:
        by_name[row["name"]] = by_name.get(row["name"], 0) + row["cycles"]["change"]
    same("lines: by function", {n: c for n, c in by_name.items() if c},
         {n: sums[1].get(n, {"cycles": 0})["cycles"] - sums[0].get(n, {"cycles": 0})["cycles"]
          for n in by_name if not n.startswith("[") and
          sums[1].get(n, {"cycles": 0})["cycles"] != sums[0].get(n, {"cycles": 0})["cycles"]})
    moved = [row for row in lines if row["name"] == "main" and pathlib.Path(row["file"] or "").name == "twins.c"]
    expect("lines are matched although they moved", sum(row["in_old"] and row["in_new"] for row in moved) >= 4, moved)


def welch(old, new):
    """Half of the width of the interval of 99 % for the change between the means."""
    table = {1: 63.657, 2: 9.925, 3: 5.841, 4: 4.604}
    means = [sum(side) / len(side) for side in (old, new)]
    terms = [sum((x - mean) ** 2 for x in side) / (len(side) - 1) / len(side) for side, mean in zip((old, new), means)]
    if not sum(terms):
        return 0
    freedom = sum(terms) ** 2 / sum(term ** 2 / (len(side) - 1) for term, side in zip(terms, (old, new)))
    return table[int(freedom)] * math.sqrt(sum(terms))


def test_noise(few, many):
    """Several runs of each: means, and a change counts if it is above the noise."""
    more = [word for path in few[1:] for word in ("--old", path)] + [word for path in many[1:] for word in ("--new", path)]
    diff = load("diff", "--json", "--all", *more, few[0], many[0])
    reports = [[report(path)[0] for path in side] for side in (few, many)]
    wrong = []
    for row in diff["functions"]:
        if row["name"].startswith("["):
            continue
        values = [[functions[place_of(row)]["self_cycles"] for functions in side] for side in reports]
        got, noise = row["self_cycles"], welch(*values)
        mean = [sum(side) / len(side) for side in values]
        if got["old"] != values[0] or got["new"] != values[1] or not math.isclose(got["change"], mean[1] - mean[0], abs_tol=1e-6):
            wrong.append(f"{row['name']}: {got}, not {values}")
        if not math.isclose(got["noise"], noise, rel_tol=1e-9, abs_tol=1e-9) or got["changed"] != (abs(mean[1] - mean[0]) > noise):
            wrong.append(f"{row['name']}: noise {got['noise']}, not {noise}")
    check(f"noise of {len(few)} and {len(many)} runs", wrong)
    one = load("diff", "--json", "--all", *more[:2], few[0], few[2])
    expect("a run within the noise of two", not any(row["self_cycles"]["changed"] for row in one["functions"] if row["name"] == "main"))
    alike = load("diff", "--json", "--old", few[0], "--new", few[0], few[0], few[0])
    same("the same runs", (alike["functions"], alike["cycles"]["noise"], alike["same_build"]), ([], 0, True))


def test_limits(old, new):
    """Verdicts at the figure, and one below it."""
    functions = report(new)[0]
    before = report(old)[0]
    main = next(function for place, function in functions.items() if place[0] == "main")
    first = next(function for place, function in before.items() if place[0] == "main")
    for option, key in ("max", "total_cycles"), ("max-self", "self_cycles"), ("max-calls", "calls"), ("max-call", "max_cycles"):
        same(f"{option} at the figure", gnomon("check", f"--{option}", f"main:{main[key]}", new).returncode, 0)
        same(f"{option} below the figure", gnomon("check", f"--{option}", f"main:{main[key] - 1}", new).returncode, 4)
        grown = main[key] - first[key]
        same(f"{option} relative", gnomon("check", "-b", old, f"--{option}", f"main:{grown:+d}", new).returncode, 0)
        same(f"{option} relative, below", gnomon("check", "-b", old, f"--{option}", f"main:{grown - 1:+d}", new).returncode, 4)
    percent = 100 * (main["total_cycles"] / first["total_cycles"] - 1)
    same("percent", gnomon("check", "-b", old, "--max", f"main:{percent + .001:+.3f}%", new).returncode, 0)
    same("percent, below", gnomon("check", "-b", old, "--max", f"main:{percent - .001:+.3f}%", new).returncode, 4)
    cycles = load("report", "--json", new)["cycles"]
    same("the run", [gnomon("check", "--max-cycles", str(cycles + more), new).returncode for more in (0, -1)], [0, 4])
    verdicts = load("check", "--json", "-b", old, "--max-self", "*:+0", new, status=4)["limits"]
    want = {place: row["self_cycles"] > before.get(place, {"self_cycles": 0})["self_cycles"]
            for place, row in (functions | {p: before[p] | {"self_cycles": 0} for p in before if p not in functions}).items()
            if not place[0].startswith("[")}
    same("a pattern", sorted((v["function"], v["failed"]) for v in verdicts), sorted((p[0], f) for p, f in want.items()))


def test_results(new):
    """Files for build servers; a budget; what is refused."""
    junit, budget = OUT / "result.xml", OUT / "budget.txt"
    budget.write_text("# what main may take\nmax main:1   # cycles\n\n  max-calls main:1\nmax-cycles 1\n", encoding="utf-8")
    done = gnomon("check", "--budget", budget, "--junit", junit, new)
    same("status of a budget", done.returncode, 4, done.stdout, done.stderr)
    suite = xml.etree.ElementTree.parse(junit).getroot()
    same("JUnit", (suite.get("tests"), suite.get("failures"), len(suite.findall(".//testcase")), len(suite.findall(".//failure"))),
         ("3", "2", 3, 2))
    for text, words in (("max main\n", "1: --max does not take"), ("\nmost main:1\n", "2: \"most\" is no limit"),
                        ("max main:+2%\n", "--baseline"), ("", "there is no limit")):
        budget.write_text(text, encoding="utf-8")
        done = gnomon("check", "--budget", budget, new)
        expect(f"budget {text!r}", done.returncode == 2 and words in done.stderr or done.returncode == 1 and words in done.stderr,
               done.returncode, done.stderr)
    for words, want in ((("--max", "maine:1"), "no function named maine"), (("--max", "atoi:1"), "it has no hooks"),
                        (("--max", "nothing*:1"), "no function that was called matches"), (("--max", "main:-5"), "--baseline"),
                        (("--max", "main:+5%%"), "does not take"), (("--max-cycles", "main:5"), "does not take"),
                        (("--budget", OUT / "absent"), "cannot open")):
        done = gnomon("check", *words, new)
        expect(f"refused: {words}", done.returncode in (1, 2) and want in done.stderr, done.returncode, done.stderr)
    done = gnomon("check", "--max", "main:1", "--junit", "/dev/full", new)
    expect("full disk", done.returncode == 1 and "/dev/full" in done.stderr, done.stderr)
    done = gnomon("diff", new)
    expect("one file", done.returncode == 2 and "NEW" in done.stderr, done.stderr)
    done = gnomon("diff", "--sort", "size", new, new)
    expect("an unknown key", done.returncode == 2 and "size" in done.stderr, done.returncode, done.stderr)


def test_inexact(lossy, cut, new):
    """Figures that are not exact: never within a limit by mistake."""
    functions = report(lossy)[0]
    unsure = [place[0] for place, function in functions.items() if not function["exact"]]
    expect("the lossy recording has doubtful figures", unsure)
    name = unsure[0]
    done = gnomon("check", "--max", f"{name}:99999999999", lossy)
    same("not exact", (done.returncode, "not known exactly" in done.stdout), (4, True), done.stdout, done.stderr)
    same("--inexact", gnomon("check", "--inexact", "--max", f"{name}:99999999999", lossy).returncode, 0)
    verdicts = load("check", "--json", "--max-self", "*:99999999999", lossy, status=4)["limits"]
    same("functions that may have been lost as a whole", [v["verdict"] for v in verdicts if v["function"] == "*"], ["not-exact"])
    same("certainly over", gnomon("check", "--max", f"{name}:0", lossy).returncode, 4)
    done = gnomon("diff", "--strict", lossy, lossy)
    same("diff --strict", done.returncode, 3, done.stderr)
    expect("diff says what was lost", "old: " in done.stdout and "exactly, nothing lost" not in done.stdout, done.stdout)
    diff = load("diff", "--json", "--all", lossy, lossy)
    same("diff: what is exact", {place_of(row): row["exact"] for row in diff["functions"] if not row["name"] in ("[unprofiled]", "[lost]")},
         {place: function["exact"] for place, function in functions.items()})
    data = pathlib.Path(new).read_bytes()
    pathlib.Path(cut).write_bytes(data[:len(data) * 2 // 3])
    done = gnomon("check", "--max", "main:99999999999", cut)
    expect("a cut file is not good", done.returncode in (1, 4), done.returncode, done.stdout, done.stderr)


def with_classes(recording, path, classes):
    """The recording at `path`, with other `classes` in its header; None: without them, as an older file."""
    data = pathlib.Path(recording).read_bytes()
    length, = struct.unpack_from("<I", data, 8)
    header = json.loads(data[12:12 + length])
    if classes is None:
        del header["classes"]
    else:
        header["classes"] = classes
    text = json.dumps(header).encode()
    pathlib.Path(path).write_bytes(data[:8] + struct.pack("<I", len(text)) + text + struct.pack("<I", zlib.crc32(text)) + data[16 + length:])
    return path


ALL = ["channels", "functions", "locks", "modules", "traps"]
WITHOUT = "not known: the recording was made without "
UNTOLD = "not known: the recording does not say if "
TOLD = "of at most"


def test_classes(folder):
    """What did not come and what was not recorded are not the same."""
    full, bare, silent, deaf = (folder / f"waits-{name}.gnt" for name in ("all", "no-traps", "no-functions", "no-channels"))
    older = with_classes(silent, OUT / "older.gnt", None), with_classes(bare, OUT / "older-bare.gnt", None)
    cases = [("came", full, "max-call=irq7:1", "over", TOLD), ("did not come", full, "max-call=irq5:0", "within", TOLD),
             ("did not come: no wait", full, "max-latency=irq5:0", "within", TOLD), ("an exception", full, "max-calls=[exception 2]:0", "within", TOLD),
             ("calls of an interrupt", bare, "max-calls=irq7:99", "not-recorded", WITHOUT + "traps"),
             ("longest call", bare, "max-call=[interrupt 7]:9999", "not-recorded", WITHOUT + "traps"),
             ("latency", bare, "max-latency=irq7:9999", "not-recorded", WITHOUT + "traps"),
             ("a function in which traps can be", bare, "max=spend:9999999", "not-exact", "not known exactly"),
             ("a function", silent, "max-calls=spend:9999", "not-recorded", WITHOUT + "calls"),
             ("traps without calls", silent, "max-call=irq5:0", "within", TOLD),
             ("threads", deaf, "max=spend:9999999", "not-exact", "not known exactly"),
             ("older: other traps came", older[0], "max-call=irq5:0", "within", TOLD),
             ("older: no call", older[0], "max-calls=spend:9999", "not-recorded", UNTOLD + "calls"),
             ("older: no trap", older[1], "max-call=irq7:9999", "not-recorded", UNTOLD + "traps"),
             ("older: other calls came", older[1], "max-calls=spend:9999", "within", TOLD)]
    for number, classes in enumerate(("traps", 7, {"traps": True}, None)):
        path = with_classes(bare, OUT / f"strange-{number}.gnt", classes)
        cases.append((f"classes {classes!r}", path, "max-call=irq7:9999", "not-recorded", UNTOLD + "traps"))
    for number, classes in enumerate(([], [None, 1, ["traps"], "trap", "tomorrow's"], [*ALL[:-1]])):
        path = with_classes(full, OUT / f"other-{number}.gnt", classes)
        cases.append((f"classes {classes!r}", path, "max-call=irq5:9999", "not-recorded", WITHOUT + "traps"))
    for name, recording, limit, verdict, text in cases:
        option, _, value = limit.partition("=")
        words = "check", f"--{option}", value, recording
        done = gnomon("check", "--json", *words[1:])
        got, = json.loads(done.stdout or '{"limits": [null]}')["limits"]
        failed = verdict != "within"
        same(name, (got and got["verdict"], got and got["failed"], done.returncode), (verdict, failed, 4 if failed else 0), done.stderr)
        done = gnomon(*words)
        same(f"{name}: text", (text in done.stdout, done.returncode), (True, 4 if failed else 0), done.stdout, done.stderr)
        if verdict == "not-recorded":
            expect(f"{name}: no figure", got["figure"] is None, got)
            same(f"{name}: --inexact", gnomon("check", "--inexact", *words[1:]).returncode, 4)
    done = gnomon("check", "-b", bare, "--max-call", "irq7:+9999", full)
    expect("a baseline without traps", done.returncode == 4 and "the baseline was made without traps" in done.stdout, done.stdout, done.stderr)
    same("a baseline with them", gnomon("check", "-b", full, "--max-call", "irq7:+0", full).returncode, 0)
    for name in "[irq 7]", "[interrupt 7", "[interrupt 77]", "[exception]":
        done = gnomon("check", "--max-call", f"{name}:1", full)
        expect(f"{name} is no name", done.returncode == 1 and f"no function named {name}" in done.stderr, done.returncode, done.stderr)
    junit = OUT / "classes.xml"
    gnomon("check", "--max-call", "irq7:9", "--junit", junit, bare)
    failure = xml.etree.ElementTree.parse(junit).find(".//failure")
    same("JUnit", failure is not None and failure.get("type"), "not-recorded")


def test_left_out(folder):
    """Figures that events which were left out can have changed are not exact."""
    whole = [report(folder / f"{name}-all.gnt")[1] for name in ("waits", "pool")]
    expect("with all classes: exact", all(one["exact"] and one["complete"] for one in whole))
    for name, reason in ("waits-no-traps", "traps-not-recorded"), ("pool-no-channels", "channels-not-recorded"):
        functions, one = report(folder / f"{name}.gnt")
        same(f"{name}: reason", (one["exact"], one["complete"], [r["id"] for r in one["reasons"]]), (False, False, [reason]))
        expect(f"{name}: no function is exact", not any(function["exact"] for function in functions.values()))
        for words in ["report"], ["report", "--threads"], ["export", "--to", "folded", "-o", "/dev/null"]:
            done = gnomon(*words, folder / f"{name}.gnt")
            expect(f"{name}: {words}", done.returncode == 0 and "not recorded" in done.stderr and "exactly" not in done.stdout, done.stdout, done.stderr)
        done = gnomon("dump", "--strict", folder / f"{name}.gnt")
        same(f"{name}: dump has all events that were recorded", (done.returncode, done.stderr), (0, ""))
    same("without functions, traps are exact", report(folder / "waits-no-functions.gnt")[1]["exact"], True)
    longest = {name: max(f["max_cycles"] for f in report(folder / f"pool-{name}.gnt")[0].values()) for name in ("all", "no-channels")}
    expect("calls of one thread do contain those of another one", longest["no-channels"] > 2 * longest["all"], longest)


def main():
    os.environ["COLUMNS"] = "0"
    few, many = ARGS.few, ARGS.many
    for old, new in (few[0], many[0]), (many[0], few[0]), (ARGS.old, ARGS.new), tuple(ARGS.others):
        test_functions(old, new)
    test_text(ARGS.old, ARGS.new)
    test_causes(ARGS.old, ARGS.new)
    test_noise(few, many)
    test_limits(ARGS.old, ARGS.new)
    test_results(ARGS.new)
    test_inexact(ARGS.lossy, ARGS.cut, ARGS.new)
    test_classes(pathlib.Path(ARGS.classes))
    test_left_out(pathlib.Path(ARGS.classes))
    sys.exit(result())


main()
