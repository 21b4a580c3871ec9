#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon api list --by. Own cycles of recordings are the self cycles of gnomon report, function by function, and with what is no
function's they add up to the run's cycles, difference 0; so do groups by module and folder; own bytes are those of gnomon heap;
namespaces of C++ and Rust; libraries by a file of patterns; nothing of recordings of some functions only.

usage: test_by.py --gnomon FILE --out FOLDER --program ELF RECORDING..."""
import json
import os
import pathlib
import shutil
import sys

import gnp_file
from checking import expect, result, same
from commands import added, must, run
from options import values

GNOMON, OUT, PROGRAM, RECORDINGS = values(__doc__, "gnomon", "out", "program", rest="RECORDING")
OUT = pathlib.Path(OUT)


def by(what, profile, *options):
    return json.loads(must([GNOMON, "api", "list", "--json", "--by", what, *options, profile]))


def groups(what, profile, *options, cost="own-cycles"):
    costs = {one["cost"]: one for one in by(what, profile, *options)["costs"]}
    return {group["name"]: int(group["sum"]) for group in costs[cost]["groups"]} if cost in costs else {}


def without_zeros(sums):
    return {name: value for name, value in sums.items() if value}


def check_recording(path):
    name, profile = pathlib.Path(path).stem, OUT / f"{pathlib.Path(path).stem}.gnp"
    must([GNOMON, "merge", "-q", "-o", profile, path])
    report = json.loads(run([GNOMON, "report", "-q", "--json", "--no-demangle", path]).stdout)
    functions, rest = report["functions"], [("[unprofiled]", report["unprofiled_cycles"]), ("[lost]", report["lost_cycles"])]
    program = json.loads(must([GNOMON, "api", "list", "--json", profile]))["sources"][0]["program"]
    rows = json.loads(must([GNOMON, "api", "list", "--json", "--no-demangle", "--cost", "own-cycles", profile]))["rows"]
    got = added((row["symbol"], int(row["sum"])) for row in rows)
    same(f"{name}: own cycles are self cycles", got, added([*((f.get("symbol") or f["name"], f["self_cycles"]) for f in functions), *rest]))
    same(f"{name}: they add up to the run", sum(got.values()), report["cycles"])
    same(f"{name}: one run", {int(row["count"]) for row in rows if row["symbol"] == "[unprofiled]"}, {1})
    by_module = groups("module", profile)
    same(f"{name}: by module", without_zeros(by_module), added([*((f.get("module") or program, f["self_cycles"]) for f in functions), *rest]))
    by_folder = groups("folder", profile)
    same(f"{name}: by folder", without_zeros(by_folder), added([*(((os.path.dirname(f["file"]) or ".") if f["file"] else "(not known)", f["self_cycles"]) for f in functions), *rest]))
    for what in ("module", "folder", "namespace", "library"):
        own = next(cost for cost in by(what, profile)["costs"] if cost["cost"] == "own-cycles")
        same(f"{name}: the sum by {what}", (int(own["sum"]), sum(int(group["sum"]) for group in own["groups"])), (report["cycles"],) * 2)
        same(f"{name}: exact by {what}", own["exact"], all(row["exact"] for row in rows))
    heap = run([GNOMON, "heap", "-q", "--json", path])
    if heap.stdout:
        bytes_of = sum(int(cell["bytes"]) for size in json.loads(heap.stdout)["function_sizes"] for cell in size["own"] if size["function"] != "[caller not known]")
        same(f"{name}: own bytes", sum(groups("folder", profile, cost="own-bytes").values()), bytes_of)
    twice = OUT / f"{name}-twice.gnp"
    must([GNOMON, "merge", "-q", "-o", twice, profile, profile])
    same(f"{name}: two runs", (groups("folder", twice), by("folder", twice)["runs"]), ({group: 2 * cycles for group, cycles in by_folder.items()}, "2"))
    plain = json.loads(must([GNOMON, "api", "list", "--json", profile]))
    expect(f"{name}: not shown if not asked for", all(row["cost"] != "own-cycles" for row in plain["rows"]) and "own-cycles" not in must([GNOMON, "api", "doc", profile]))
    same(f"{name}: what is no function is not counted as one", f" {len({(row['symbol'], row['file'], row['module']) for row in plain['rows']}):,} function" in plain["about"], True, plain["about"])


NAMESPACES = {
    "main": "(none)", "_Z1fv": "(none)", "_ZN2ns1C1fEi": "ns::C", "_ZN2ns1fIiEEvT_": "ns", "_ZN12_GLOBAL__N_11gEv": "(anonymous namespace)", "_ZNSt6vectorIiSaIiEE9push_backERKi": "std::vector",
    "_ZlsRSoRK1X": "(none)", "_ZN1XcvbEv": "X", "_ZN1XclEi": "X", "_ZN1XptEv": "X", "_ZN2ns1XltERKS0_": "ns::X", "_ZN1aIN1b1cEE1dEv": "a", "_ZN2ns1XC2Ev": "ns::X",
    "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE": "core::fmt::Formatter",
    "_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE": "alloc::string::String",
    "_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE": "T",
}


def own(function, cycles, **more):
    return {"function": function, "calls": [cycles], "cost": "own-cycles", **more}


def check_namespaces():
    rows = [own(symbol, 1 << index) for index, symbol in enumerate(NAMESPACES)]
    profile = gnp_file.write(OUT / "names.gnp", rows)
    same("namespaces", groups("namespace", profile), added((NAMESPACES[symbol], 1 << index) for index, symbol in enumerate(NAMESPACES)))
    same("the first names of namespaces", groups("namespace", profile, "--depth", "1"), added((NAMESPACES[symbol].split("::")[0], 1 << index) for index, symbol in enumerate(NAMESPACES)))


def check_folders():
    files = {"a.c": ".", "/a.c": "/", "x/a.c": "x", "x/y/z/a.c": "x/y/z", "/x/y/a.c": "/x/y", "../lib/a.c": "../lib", "": "(not known)"}
    profile = gnp_file.write(OUT / "folders.gnp", [own(f"f{index}", 1 << index, file=file) for index, file in enumerate(files)])
    same("folders", groups("folder", profile), added((folder, 1 << index) for index, folder in enumerate(files.values())))
    first = {".": ".", "/": "/", "x/y/z": "x/y", "../lib": "../lib", "/x/y": "/x/y", "x": "x", "(not known)": "(not known)"}
    same("the first two names of folders", groups("folder", profile, "--depth", "2"), added((first[folder], 1 << index) for index, folder in enumerate(files.values())))


def check_libraries():
    files = {"third_party/png/png.c": "png", "src/main.c": "(none)", "app/lib/zlib/src/inflate.c": "zlib", "lib/a.c": "(none)", "/x/vendor/one/deps/two/b.c": "two", "../gcc/libgcc/udiv.c": "libgcc", "": "(not known)"}
    rows = [own(f"f{index}", 1 << index, file=file) for index, file in enumerate(files)] + [own("memcpy", 1 << 20), own("[unprofiled]", 1 << 21)]
    profile, patterns = gnp_file.write(OUT / "libraries.gnp", rows), OUT / "libraries.toml"
    want = added((library, 1 << index) for index, library in enumerate(files.values()))
    same("libraries by their folders", groups("library", profile), {**want, "(not known)": want["(not known)"] + (1 << 20), "[unprofiled]": 1 << 21})
    patterns.write_text('"our code" = ["src/*", "lib/*"]\nlibc = "mem*"\nimages = "*/png/*"\nlate = "third_party/*"\n')
    want = {"our code": 1 << 1 | 1 << 3, "libc": 1 << 20, "images": 1, "zlib": 1 << 2, "two": 1 << 4, "libgcc": 1 << 5, "(not known)": 1 << 6, "[unprofiled]": 1 << 21}
    same("libraries by a file", groups("library", profile, "--libraries", patterns), want)
    text = must([GNOMON, "api", "list", "--by", "library", profile])
    expect("the table", " 100.00 " in text and "(sum)" in text and "own-cycles of 1 run" in text, text)
    for bad, said in (("x = 1", "has no pattern"), ("x = [1]", "has no pattern"), ("x = ", "line 1"), ("[x]\ny = \"z\"", "has no pattern")):
        patterns.write_text(bad)
        done = run([GNOMON, "api", "list", "--by", "library", "--libraries", patterns, profile])
        expect(f"{bad!r} is refused", done.returncode == 1 and said in done.stderr, done.returncode, done.stderr)


def check_some():
    """A recording of some functions has no own cycles: those of other functions would count for their callers."""
    trace = OUT / "some.gnt"
    for options, whole in ((["--watch"], True), (["--watch", "--watch-only", "m*"], False)):
        must([GNOMON, "record", "-q", *options, "--records", "-d", "sim:full", "-o", trace, PROGRAM, "--", "20"])
        must([GNOMON, "merge", "-q", "-o", OUT / "some.gnp", trace])
        done = run([GNOMON, "api", "list", "--by", "module", OUT / "some.gnp"])
        expect(f"{options}: own cycles: {whole}", done.returncode == (0 if whole else 1) and ("no run of the profile has own cycles" in done.stderr) != whole, done.stderr)
    for options in (["--by", "x"], ["--by", "module", "--cost", "cycles"], ["--by", "module", "--function", "f"], ["--by", "module", "-n", "3"]):
        same(f"usage: {options}", run([GNOMON, "api", "list", *options, OUT / "some.gnp"]).returncode, 2)


def check_against():
    """Whole runs take no part in the comparison of calls."""
    path = OUT / f"{pathlib.Path(RECORDINGS[0]).stem}.gnp"
    shown = json.loads(must([GNOMON, "check", "--json", "--against", path, path]))
    expect("no verdict about whole runs", shown["functions"] and all(one["cost"] != "own-cycles" for one in shown["functions"]))


shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir(parents=True)
for recording in RECORDINGS:
    check_recording(recording)
check_namespaces()
check_folders()
check_libraries()
check_some()
check_against()
sys.exit(result())
