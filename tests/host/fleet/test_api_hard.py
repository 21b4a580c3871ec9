#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon api plan and run where it is hard: the device loses events when all functions are watched, the program never ends, ends with an
error, or dies.

usage: test_api_hard.py --gnomon FILE --out FOLDER --calls ELF --interrupts ELF --ends ELF --zlib ELF --text FILE"""
import json
import os
import pathlib
import shutil
import sys

from checking import expect, result, same
from commands import must, run
from options import values
from watched_stacks import sharing, watched_stacks

GNOMON, OUT, CALLS, INTERRUPTS, ENDS, ZLIB, TEXT = (pathlib.Path(value).resolve() for value in values(
    __doc__, "gnomon", "out", "calls", "interrupts", "ends", "zlib", "text"))
LOSSY = ["--sim-option", "--rate-divisor", "--sim-option", "40"]


def plan(*arguments):
    done = run([GNOMON, "api", "plan", "--json", *arguments])
    return json.loads(done.stdout)["scenarios"][0], done.stderr


def rows(profile):
    return {row["symbol"]: row for row in json.loads(must([GNOMON, "api", "list", "--json", profile]))["rows"]}


def check_loss(name, program, option, *arguments):
    """The plan has the same functions, and no two in one run that the plan of all events keeps apart; each function costs the same."""
    exact, _ = plan(*option, program, "--", *arguments)
    lossy, said = plan(*LOSSY, *option, program, "--", *arguments)
    expect(f"{name}: the loss is said", "events were lost" in said, said)
    same(f"{name}: which is which", (exact["from_pairs"], lossy["from_pairs"]), (False, True))
    calls = [{f["symbol"]: f["calls"] for f in made["functions"]} for made in (exact, lossy)]
    same(f"{name}: the functions and their calls", calls[1], calls[0])
    together = watched_stacks(GNOMON, OUT, program, *arguments)
    same(f"{name}: no two functions of a run share a stack", [sharing(made["functions"], together) for made in (exact, lossy)], [[], []])
    expect(f"{name}: no fewer runs", lossy["runs"] >= exact["least_runs"] >= lossy["least_runs"], exact, lossy)
    text = must([GNOMON, "api", "plan", *LOSSY, *option, program, "--", *arguments])
    expect(f"{name}: the first line says so", "perhaps more runs than needed" in " ".join(text.replace("#", " ").split("run  calls")[0].split()), text)
    profiles = OUT / f"{name}-exact.gnp", OUT / f"{name}-lossy.gnp"
    for profile, more in zip(profiles, ([], LOSSY)):
        shown = json.loads(must([GNOMON, "api", "run", "--json", "-q", "-o", profile, *more, *option, program, "--", *arguments]))
        same(f"{profile.name}: alone as beside all others", [f for f in shown["functions"] if not f["equal"]], [])
    both = [rows(profile) for profile in profiles]
    same(f"{name}: each bucket", {f: row["buckets"] for f, row in both[1].items()}, {f: row["buckets"] for f, row in both[0].items()})
    return exact["functions"], lossy["functions"]


def check_interrupts():
    """What an interrupt calls is alone in its run: it can come at any time."""
    options = [word for name in ("gnomon_timer_*", "main", "classify", "fibonacci", "collatz", "by_value") for word in ("--function", name)]
    for functions in check_loss("interrupts", INTERRUPTS, options, "1009"):
        runs = [f["run"] for f in functions]
        same("interrupts: alone", [(f["function"], runs.count(f["run"])) for f in sorted(functions, key=lambda f: f["function"]) if f["function"].startswith("gnomon_timer_")],
             [("gnomon_timer_alarm", 1), ("gnomon_timer_interrupt", 1), ("gnomon_timer_now", 1)])


def check_duration():
    """Calls that the end of the time cut are marked; a measurement goes on where it was."""
    profile = OUT / "endless.gnp"
    command = [GNOMON, "api", "run", "-o", profile, "--function", "api_*", "--duration", "2ms", ENDS, "endless"]
    must(command)
    found = rows(profile)
    same("endless: which functions", sorted(found), ["api_rounds", "api_step"])
    expect("endless: many calls of one, one of the other", int(found["api_step"]["count"]) > 1000 and int(found["api_rounds"]["count"]) == 1, found)
    same("endless: not exact", {row["exact"] for row in found.values()}, {False})
    expect("endless: said in the first line", "except calls that did not end" in must([GNOMON, "api", "list", profile]).splitlines()[0])
    folder = OUT / "project"
    folder.mkdir()
    (folder / "api.toml").write_text(f'program = "{ENDS}"\nfunctions = ["api_*"]\noutput = "both.gnp"\n[[scenario]]\nname = "endless"\narguments = ["endless"]\nduration = "1ms"\n'
                                     '[[scenario]]\nname = "error"\narguments = ["7"]\nstatus = 7\n[[scenario]]\nname = "any"\narguments = ["8"]\nstatus = "any"\n')
    must([GNOMON, "api", "run", "-q", folder / "api.toml"])
    found = json.loads(must([GNOMON, "api", "list", "--json", "--scenario", "error", folder / "both.gnp"]))["rows"]
    same("a program that ended is exact", {row["exact"] for row in found}, {True})
    same("a duration that is none", run([GNOMON, "api", "plan", "--function", "api_*", "--duration", "2x", ENDS]).returncode, 1)


def check_status():
    def refused(what, expected, *arguments):
        done = run([GNOMON, "api", "run", "-q", "-o", OUT / "status.gnp", "--function", "api_*", *arguments])
        expect(what, done.returncode == 1 and all(text in done.stderr for text in expected), done.returncode, done.stderr)
    refused("an error", ["scenario ends.elf", "status 7, and not 0", "job-1/console"], ENDS, "7")
    refused("no error, though one was expected", ["status 0, and not 7"], "--status", "7", ENDS, "0")
    refused("a crash", ["the program died (status 139)", "in main", "job-1/console"], ENDS, "crash")
    for wrong in ("x", "-1", "256", "7x", ""):
        same(f"--status {wrong!r}", run([GNOMON, "api", "run", "-o", OUT / "status.gnp", "--function", "x", "--status", wrong, ENDS]).returncode, 2)
    for status, how in (("7", "7"), ("any", "7"), ("139", "crash"), ("any", "crash")):
        must([GNOMON, "api", "run", "-q", "-o", OUT / "status.gnp", "--function", "api_*", "--status", status, ENDS, how])
        same(f"--status {status}: {how}", {row["exact"] for row in rows(OUT / "status.gnp").values()}, {how != "crash"})


def check_device():
    profile = OUT / "calls-exact.gnp"
    done = run([GNOMON, "api", "list", "-d", "sim:full", profile])
    expect("list runs nothing", done.returncode == 2 and "--on sim:full" in done.stderr, done.stderr)
    expect("runs on a device", "api_leaf" in must([GNOMON, "api", "list", "--on", "sim:full", profile]))
    expect("on another device", "api_leaf" not in run([GNOMON, "api", "list", "--on", "usb", profile]).stdout)


shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir(parents=True)
os.environ.setdefault("TMPDIR", str(OUT))
check_loss("calls", CALLS, ["--function", "api_*"], "200", str(TEXT))
check_loss("zlib", ZLIB, ["--header", "zlib.h"], str(TEXT), "text.z")
check_interrupts()
check_duration()
check_status()
check_device()
sys.exit(result())
