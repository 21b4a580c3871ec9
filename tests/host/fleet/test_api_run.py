#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon api plan and run. In no run of a plan are two functions that share a stack, by an account of the events of its own; the plan needs
no more runs than it says; each function costs alone what it costs beside all others, bucket by bucket, for a program with calls of each
kind and for zlib; a stopped measurement goes on; what is wrong is said.

usage: test_api_run.py --gnomon FILE --out FOLDER --calls ELF --slower ELF --hooked ELF --zlib ELF --text FILE"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

from checking import expect, result, same
from commands import must, run
from options import values
from watched_stacks import sharing, watched_stacks

GNOMON, OUT, CALLS, SLOWER, HOOKED, ZLIB, TEXT = (pathlib.Path(value).resolve() for value in values(
    __doc__, "gnomon", "out", "calls", "slower", "hooked", "zlib", "text"))
ARGUMENTS = ["200", str(TEXT)]


def plan(program, *arguments):
    return json.loads(must([GNOMON, "api", "plan", "--json", *arguments[0], program, "--", *arguments[1:]]))["scenarios"][0]


def check_plan(name, program, option, *arguments):
    made = plan(program, option, *arguments)
    together = watched_stacks(GNOMON, OUT, program, *arguments)
    same(f"{name}: each function has one run", sorted({f["run"] for f in made["functions"]}), list(range(1, made["runs"] + 1)))
    same(f"{name}: no two functions of a run share a stack", sharing(made["functions"], together), [])
    expect(f"{name}: at least {made['least_runs']} runs", 1 <= made["least_runs"] <= made["runs"], made["runs"])
    chosen = {function["function"] for function in made["functions"]}
    expect(f"{name}: this number is on one stack", any(len(together[a] & chosen) >= made["least_runs"] for a in chosen))
    return made, together


def measure(name, program, option, *arguments):
    profile = OUT / f"{name}.gnp"
    profile.unlink(missing_ok=True)
    shown = json.loads(must([GNOMON, "api", "run", "--json", "-q", "-o", profile, *option, program, "--", *arguments]))
    same(f"{name}: all functions cost the same alone as beside all others", [f for f in shown["functions"] if not f["equal"]], [])
    expect(f"{name}: the folder of the runs is gone", not pathlib.Path(f"{profile}.runs").exists())
    return shown, profile


def check_calls():
    made, together = check_plan("calls", CALLS, ["--function", "api_*"], *ARGUMENTS)
    names = {function["function"] for function in made["functions"]}
    same("calls: which functions", names, {name for name in together if name.startswith("api_")})
    expect("calls: one that is not called is not measured", "api_never" not in names and "plain" not in names)
    shown, profile = measure("calls", CALLS, ["--function", "api_*"], *ARGUMENTS)
    same("calls: those of the plan, in as many runs", (shown["runs"], {f["symbol"] for f in shown["functions"]}), (made["runs"], names))
    # The profile has the figures of a run in which all functions are watched: each bucket.
    whole = OUT / "whole.gnp"
    must([GNOMON, "merge", "-q", "-o", whole, "--scenario", "calls", OUT / "watched.gnt"])
    rows = {row["symbol"]: row for row in json.loads(must([GNOMON, "api", "list", "--json", profile]))["rows"]}
    others = {row["symbol"]: row for row in json.loads(must([GNOMON, "api", "list", "--json", whole]))["rows"]}
    for name in sorted(names):
        same(f"calls: {name} costs what it costs with all functions watched", rows[name]["buckets"], others[name]["buckets"])


def check_zlib():
    check_plan("zlib", ZLIB, ["--header", "zlib.h"], TEXT, "text.z")
    shown, _ = measure("zlib", ZLIB, ["--header", "zlib.h"], TEXT, "text.z")
    expect("zlib: the functions that its header declares and the program calls", {"deflate", "inflate", "compress2"} <= {f["symbol"] for f in shown["functions"]}, shown)


def check_file():
    """Two scenarios, on two devices at once; paths are below the file's folder."""
    folder = OUT / "project"
    folder.mkdir()
    shutil.copy(CALLS, folder / "calls.elf")
    (folder / "input").write_bytes(bytes(range(0, 250, 3)))
    (folder / "api.toml").write_text('program = "calls.elf"\nfunctions = ["api_*"]\ndevices = ["sim:full", "sim:full"]\noutput = "calls.gnp"\n'
                                     '[[scenario]]\nname = "few"\nsize = 5\narguments = ["5"]\n[[scenario]]\nname = "few"\nsize = 8\narguments = ["8"]\n[[scenario]]\nname = "bytes"\narguments = ["80", "input"]\n')
    relative = {**os.environ, "GNOMON_SIM_DIR": os.path.relpath(os.environ["GNOMON_SIM_DIR"])}
    shown = json.loads(must([GNOMON, "api", "run", "-q", "--json", folder / "api.toml"], env=relative))
    same("a file: all equal", (shown["equal"], {f["scenario"] for f in shown["functions"]}), (True, {"few", "bytes"}))
    same("a file: sizes", {(f["scenario"], f["size"]) for f in shown["functions"]}, {("few", 5), ("few", 8), ("bytes", 0)})
    listed = json.loads(must([GNOMON, "api", "list", "--json", folder / "calls.gnp"]))
    same("a file: sizes in the profile", {(source["scenario"], source["size"]) for source in listed["sources"]}, {("few", "5"), ("few", "8"), ("bytes", "0")})
    rows = json.loads(must([GNOMON, "api", "list", "--json", "--scenario", "few", folder / "calls.gnp"]))["rows"]
    expect("a file: a scenario", any(row["symbol"] == "api_leaf" for row in rows), rows)
    text = must([GNOMON, "api", "plan", folder / "api.toml"])
    expect("a file: the plans of both", "scenario few" in text and "scenario bytes" in text, text)


def check_resume():
    """Ctrl-C in the middle; the same command makes only the runs that are missing."""
    profile, folder = OUT / "resumed.gnp", OUT / "resumed.gnp.runs"
    command = [GNOMON, "api", "run", "-o", profile, "-j", "1", "--function", "api_*", CALLS, "--", *ARGUMENTS]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 600
    while not (folder / "scenario-1" / "run-1.gnp").exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=600)
    expect("Ctrl-C", process.returncode == 130 and "goes on from there" in said and not profile.exists(), process.returncode, said)
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("scenario-1/*.gnp")}
    expect("Ctrl-C: runs are kept", kept, list(folder.rglob("*")))
    shutil.copytree(folder, OUT / "copied.gnp.runs", copy_function=shutil.copy2)
    done = run(command)
    expect("it goes on", done.returncode == 0 and "runs were made before" in done.stderr, done.returncode, done.stderr)
    same("and has the profile of a whole measurement", profile.read_bytes() == (OUT / "calls.gnp").read_bytes(), True)
    command[4] = OUT / "copied.gnp"
    done = run([*command[:-2], "10", *ARGUMENTS[1:]])
    expect("other arguments begin again", done.returncode == 0 and "were made before" not in done.stderr, done.returncode, done.stderr)


def check_against():
    """60 cycles more in one function are found; the same build is not flagged, with any seed."""
    profile, slower = OUT / "calls.gnp", OUT / "slower.gnp"
    option = ["--function", "api_*", "--scenario", CALLS.name]
    must([GNOMON, "api", "run", "-q", "-o", slower, *option, SLOWER, "--", *ARGUMENTS])
    for seed in range(5):
        done = run([GNOMON, "check", "--against", profile, "--seed", seed, "--json", profile])
        shown = json.loads(done.stdout)
        same(f"the same build, seed {seed}", (done.returncode, shown["worse"], {f["p"] for f in shown["functions"]}), (0, 0, {1.0}))
    done = run([GNOMON, "check", "--against", profile, "--json", "--junit", OUT / "against.xml", slower])
    shown = json.loads(done.stdout)
    worse = {f["function"] for f in shown["functions"] if f["worse"]}
    expect("60 cycles more in api_nested", done.returncode == 4 and "api_nested" in worse, done.returncode, worse)
    changed = {f["function"] for f in shown["functions"] if f["mean"] != f["mean_before"]}
    expect("flagged are only functions that changed", worse <= changed and "api_leaf" not in changed, worse, changed)
    suite = xml.etree.ElementTree.parse(OUT / "against.xml").getroot()
    same("JUnit", (int(suite.get("failures")), {case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None}),
         (len(worse), {f"cycles of {name}" for name in worse}))
    same("faster is not worse", run([GNOMON, "check", "--against", slower, profile]).returncode, 0)
    text = run([GNOMON, "check", "--against", profile, slower])
    expect("the table", text.returncode == 4 and "WORSE  api_nested" in text.stdout, text.stdout)
    other = OUT / "other.gnp"
    must([GNOMON, "merge", "-q", "-o", other, "--scenario", "another", OUT / "watched.gnt"])
    done = run([GNOMON, "check", "--against", profile, other])
    expect("no scenario in common", done.returncode == 1 and "same scenario" in done.stderr, done.returncode, done.stderr)
    for wrong in (["--level", "0"], ["--level", "x"], ["--level", "1.5"], ["--max", "main:1"], ["--baseline", profile]):
        same(f"usage: {wrong}", run([GNOMON, "check", "--against", profile, *wrong, profile]).returncode, 2)


def check_wrong():
    def refused(what, status, text, *arguments):
        done = run([GNOMON, "api", *arguments], cwd=OUT)
        expect(f"{what}", done.returncode == status and text in done.stderr, done.returncode, done.stderr)
    bad = OUT / "bad.toml"
    refused("no functions", 2, "no functions are named", "plan", CALLS)
    refused("a header that is not used", 1, "declares", "plan", "--header", "none.h", CALLS)
    refused("functions that do not run", 1, "calls none", "plan", "--function", "api_never", CALLS, "--", *ARGUMENTS)
    refused("a program with hooks", 2, "--gnomon-off", "plan", "--function", "main", HOOKED)
    refused("no output", 2, "-o PROFILE.gnp", "run", "--function", "api_*", CALLS)
    refused("a program that is not there", 1, "absent.elf", "plan", "--function", "x", "absent.elf")
    for text, said in (("program = 1", "a string is expected"), ("prog = \"x\"", "no such key"), ("program = \"calls.elf\"", "[[scenario]]"), ("functions = [1]\nprogram = \"x\"", "array of strings"),
                       ("program = \"x\"\n[[scenario]]\narguments = []", "no name"), ("program = \"x\"\n[[scenario]]\nname = \"a\"\n[[scenario]]\nname = \"a\"", "two scenarios"), ("program = \"x\"\n[[scenario]]\nname = \"a\"\nsize = 0", "above 0"),
                       ("program = \"x\"\n[[scenario]]\nname = \"a\"\nsize = \"9\"", "above 0"), ("program = ", "line 1"),
                       ("program = \"x\"\n[[scenario]]\nname = \"a\"\nput = [\"absent\"]", "absent")):
        bad.write_text(text)
        refused(f"{text!r}", 1, said, "plan", bad)


shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir(parents=True)
os.environ.setdefault("TMPDIR", str(OUT))
check_calls()
check_zlib()
check_file()
check_resume()
check_against()
check_wrong()
sys.exit(result())
