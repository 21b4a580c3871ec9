#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon api exhaust. Of a library with a function of each kind: which return, crash, hang, end the program, write outside their memory, and
which cannot be called; what the others cost; recipes; a stopped measurement goes on. Of zlib: all functions of its header have a verdict.

usage: test_api_exhaust.py --gnomon FILE --out FOLDER --source FOLDER --zlib FOLDER --libz FILE"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from checking import expect, result, same
from commands import must, run
from options import values

GNOMON, OUT, SOURCE, ZLIB, LIBZ = (pathlib.Path(value).resolve() for value in values(__doc__, "gnomon", "out", "source", "zlib", "libz"))
VERDICTS = {
    "ok": "sum copy twice half pair total nothing squares tail open".split(),
    "crashes": ["crash", "deep"], "hangs": ["hang"], "ends": ["exit"], "scribbles": ["after", "before", "changes"],
    "skipped": "needs_more calls print list file by_value missing".split()}
WHY = {"crash": "with 255: load access fault, address 0x00000004", "deep": ": stack overflow", "hang": "with -1: has not returned after 5ms",
       "exit": "ended the program with status", "before": "wrote before the 4 bytes of number", "changes": "of text", "after": "bytes of text",
       "needs_more": "the header does not describe (brittle_hidden)", "calls": "a function", "print": "any number", "list": "va_list", "file": "a stream",
       "by_value": "brittle_pair", "missing": "the library does not define it"}
SIZES = (3, 100)


def exhaust(profile, *arguments):
    return [GNOMON, "api", "exhaust", "--json", "-o", profile, "--header", "brittle.h", "-I", SOURCE, "--inputs", OUT / "inputs", "--duration", "5ms", *arguments]


def rows(profile, *options):
    return json.loads(must([GNOMON, "api", "list", "--json", *options, profile]))["rows"]


def compile_library(name, *options):
    library = OUT / name
    must([GNOMON, "cc", "-O2", "-c", *options, "-o", library, SOURCE / "brittle.c"])
    return library


def by_name(text):
    return {f["function"].removeprefix("brittle_"): f for f in json.loads(text)["functions"]}


def check_verdicts(library):
    profile = OUT / "brittle.gnp"
    done = run(exhaust(profile, library))
    same("brittle: exit status", done.returncode, 0, done.stderr)
    found = by_name(done.stdout)
    for verdict, names in VERDICTS.items():
        same(f"brittle: {verdict}", sorted(name for name, f in found.items() if f["verdict"] == verdict), sorted(names))
    for name, text in WHY.items():
        expect(f"brittle: why {name}", text in (found[name]["why"] or ""), found[name])
    same("brittle: no word about good ones", {found[name]["why"] for name in VERDICTS["ok"]}, {None})
    same("brittle: calls, by inputs and values", [found[name]["calls"] for name in ("sum", "twice", "nothing", "copy", "half", "total")], [2, 9, 1, 2, 9, 2])
    same("brittle: of the function that crashes with one of nine values", (found["crash"]["calls"], found["crash"]["good_runs"]), (16, 16))
    expect("brittle: the runs are kept", "repeats one" in done.stderr, done.stderr)
    return profile


def check_costs(profile):
    """The profile's figures are those of a recording of the same program."""
    program = f"{profile}.runs/brittle.elf"
    for size in SIZES:
        for name in ("brittle_sum", "brittle_squares", "brittle_copy"):
            must([GNOMON, "record", "-q", "-d", "sim:full", "--watch-only", name, "-o", OUT / "one.gnt", "--put", f"{OUT}/inputs/{size}.bin=input", program, "--", name, "0", "input"])
            of = [f for f in json.loads(must([GNOMON, "report", "--json", "-i", OUT / "one.gnt"]))["functions"] if f["name"] == name][0]
            row = [r for r in rows(profile, "--size", str(size)) if r["symbol"] == name]
            same(f"{name} of {size} bytes", [(int(r["count"]), int(r["sum"]), r["exact"]) for r in row], [(of["calls"], of["total_cycles"], True)])
    squares = [int([r for r in rows(profile, "--size", str(size)) if r["symbol"] == "brittle_squares"][0]["sum"]) for size in SIZES]
    expect("the cost of squares grows with the square of the size", squares[1] > 100 * squares[0], squares)
    tail = [r for r in rows(profile) if r["symbol"] == "brittle_tail"][0]
    expect("a call costs what passes until it returns, also after a jump", int(tail["least"]) > 300, tail)
    same("where it is", (pathlib.Path(tail["file"]).name, tail["program"]), ("brittle.c", "brittle.elf"))


def check_made_inputs(library):
    """Without a folder of inputs, bytes of four sizes are made."""
    profile, made = OUT / "made.gnp", (("empty", 0), ("random", 16), ("random", 256), ("random", 4096))
    must([GNOMON, "api", "exhaust", "-q", "-o", profile, "--header", "brittle.h", "-I", SOURCE, "--function", "brittle_sum", library])
    sources = json.loads(must([GNOMON, "api", "list", "--json", profile]))["sources"]
    same("made inputs", sorted((source["scenario"], int(source["size"])) for source in sources), list(made))
    sums = [[int(row["sum"]) for row in rows(profile, "--scenario", name, *(["--size", str(size)] if size else []))] for name, size in made]
    expect("made inputs: 16 times the bytes cost 16 times as much", all(len(one) == 1 for one in sums) and sums[0] < sums[1] and
           sums[3][0] - sums[2][0] == 16 * (sums[2][0] - sums[1][0]), sums)


def check_changed_input(library):
    """An input is another one if only its size is, or only its time."""
    folder, profile = OUT / "changed", OUT / "changed.gnp"
    folder.mkdir()
    file, kept = folder / "file", pathlib.Path(f"{profile}.runs/runs/kept")
    command = [GNOMON, "api", "exhaust", "-q", "-o", profile, "--header", "brittle.h", "-I", SOURCE, "--function", "brittle_after", "--inputs", folder, library]

    def again(content, seconds):
        """Are the runs before this one kept?"""
        file.write_bytes(content)
        os.utime(file, (seconds, seconds))
        must(command)
        was = kept.exists()
        kept.touch()
        return was
    same("inputs: new, the same, of another size, of another time", [again(b"abc", 5), again(b"abc", 5), again(b"abcd", 5), again(b"abcd", 6)], [False, True, False, False])


def check_without_names():
    """Without debug information of the library a length is what follows the bytes."""
    found = by_name(run(exhaust(OUT / "bare.gnp", "--function", "brittle_[cst]*", compile_library("bare.o", "--gnomon-off"))).stdout)
    same("no debug information", {name: f["verdict"] for name, f in found.items() if f["verdict"] != "ok"},
         {"changes": "scribbles", "calls": "skipped"})
    same("no debug information: inputs", found["sum"]["calls"], 2)


def check_recipe(library):
    done = run(exhaust(OUT / "recipe.gnp", "--recipe", SOURCE / "brittle.toml", "--function", "brittle_[cdns]*", library))
    found = by_name(done.stdout)
    same("recipe", {name: (found[name]["verdict"], found[name]["calls"]) for name in ("calls", "needs_more", "sum", "deep")},
         {"calls": ("ok", 2), "needs_more": ("ok", 1), "sum": ("ok", 2), "deep": ("skipped", 0)}, done.stderr)
    for text, said in (("[[function]]\nname = \"absent\"", "no header declares it"), ("[[function]]\nname = \"brittle_sum\"\nvalues = \"1,x\"", "numbers with commas"),
                       ("[[function]]\nskip = \"x\"", "no name"), ("code = [\"absent.c\"]", "absent.c"), ("[[function]]\nnme = \"x\"", "no such key"), ("function = 1", "[[function]]"),
                       ("[[function]]\nname = \"brittle_sum\"\narguments = [\"nothing_like_this\"]", "nothing_like_this")):
        (OUT / "wrong.toml").write_text(text)
        done = run(exhaust(OUT / "wrong.gnp", "--recipe", OUT / "wrong.toml", library))
        expect(f"recipe {text!r}", done.returncode == 1 and said in done.stderr, done.returncode, done.stderr)


def check_resume(library):
    """Ctrl-C; the same command makes the other runs, and has the same profile."""
    few = ["--function", "brittle_s*", "--function", "brittle_changes"]
    command = exhaust(OUT / "stopped.gnp", *few, "-j", "1", "--strict", library)
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 600
    while len(list(OUT.glob("stopped.gnp.runs/runs/*/found.json"))) < 2 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=600)
    expect("Ctrl-C", process.returncode == 130 and "goes on from there" in said, process.returncode, said)
    done = run(command)
    expect("it goes on; --strict", done.returncode == 3 and re.search(r"[1-9] of \d+ runs were made before", done.stderr), done.returncode, done.stderr)
    whole = by_name(run(exhaust(OUT / "whole.gnp", *few, library)).stdout)
    same("the same verdicts", by_name(done.stdout), whole)
    same("the same rows", rows(OUT / "stopped.gnp"), rows(OUT / "whole.gnp"))  # the program's path, an argument, has another length
    (OUT / "inputs" / "3.bin").write_bytes(b"xyz")
    done = run(command)
    expect("another input begins again", "were made before" not in done.stderr, done.stderr)


def check_wrong(library):
    def refused(what, status, text, *arguments):
        done = run([GNOMON, "api", "exhaust", *arguments], cwd=OUT)
        expect(what, done.returncode == status and text in done.stderr, done.returncode, done.stderr)
    refused("no output", 2, "-o PROFILE.gnp", "--header", "brittle.h", library)
    refused("no header", 2, "--header", "-o", "x.gnp", library)
    refused("a header that is not there", 1, "absent.h", "-o", "x.gnp", "--header", "absent.h", library)
    refused("no library", 1, "no library", "-o", "x.gnp", "--header", "brittle.h", "-I", SOURCE, SOURCE / "brittle.c")
    refused("no inputs", 1, "cannot read the folder", "-o", "x.gnp", "--header", "brittle.h", "-I", SOURCE, "--inputs", "absent", library)
    refused("no function", 1, "no function", "-o", "x.gnp", "--header", "brittle.h", "-I", SOURCE, "--function", "zip", library)
    refused("hooks", 2, "--gnomon-off", "-o", "x.gnp", "--header", "brittle.h", "-I", SOURCE, compile_library("hooks.o"))
    damaged = OUT / "damaged.o"
    damaged.write_bytes(library.read_bytes()[:900])
    done = run([GNOMON, "api", "exhaust", "-o", OUT / "x.gnp", "--header", "brittle.h", "-I", SOURCE, damaged])
    expect("a damaged library", done.returncode == 1, done.returncode, done.stderr)


def check_zlib():
    """Every function that zlib.h declares by an own reading of it."""
    shutil.rmtree(OUT / "inputs")
    (OUT / "inputs").mkdir()
    (OUT / "inputs" / "words").write_bytes(b"one two three two one " * 3)
    done = run([GNOMON, "api", "exhaust", "--json", "-o", OUT / "zlib.gnp", "--header", "zlib.h", "-I", ZLIB, "--inputs", OUT / "inputs", "--duration", "5ms", LIBZ])
    found = {f["function"]: f for f in json.loads(done.stdout)["functions"]}
    text = re.sub(r"/\*.*?\*/|^#.*?(?<!\\)$", "", (ZLIB / "zlib.h").read_text(), flags=re.S | re.M)
    declared = set(re.findall(r"ZEXTERN\s+[\w \n*]*?ZEXPORT(?:VA)?\s+(\w+)\s+(?:OF|Z_ARG)", text)) - {name for name in re.findall(r"\b(\w+64|gzopen_w)\b", text)}
    same("zlib: all functions of the header", sorted(found), sorted(declared))
    same("zlib: each has a verdict", {f["verdict"] for f in found.values()} - {"ok", "skipped", "crashes", "hangs"}, set())
    same("zlib: which are skipped", sorted(n for n, f in found.items() if f["verdict"] == "skipped"), ["gzprintf", "gzvprintf", "inflateBack"])
    same("zlib: negative lengths are not for crc32_combine", (found["crc32_combine"]["verdict"], "with -1" in found["crc32_combine"]["why"]), ("hangs", True))
    expect("zlib: a message that is not there", found["zError"]["verdict"] == "crashes", found["zError"])
    sums = {r["symbol"]: int(r["sum"]) for r in rows(OUT / "zlib.gnp", "--scenario", "words")}
    expect("zlib: compressing costs more than a check sum", sums["compress"] > sums["crc32"] > 0, sums)


shutil.rmtree(OUT, ignore_errors=True)
(OUT / "inputs").mkdir(parents=True)
for length in SIZES:
    (OUT / "inputs" / f"{length}.bin").write_bytes(bytes((7 * i + 1) % 250 + 1 for i in range(length)))
LIBRARY = compile_library("brittle.o", "--gnomon-off", "-g")
check_costs(check_verdicts(LIBRARY))
check_made_inputs(LIBRARY)
check_changed_input(LIBRARY)
check_without_names()
check_recipe(LIBRARY)
check_resume(LIBRARY)
check_wrong(LIBRARY)
check_zlib()
sys.exit(result())
