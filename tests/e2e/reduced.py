#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reduced forms on the boards of the Fomu: what tags and counters count equals the simulator's reference models
(sim/tags.h, sim/counts.h), difference 0; what they cannot do is refused, with a remedy.

usage: reduced.py --out FOLDER WHAT ELF; WHAT:
       tags      (programs/reduced.c, on fomu-tags) functions, timers, a program that tags itself, refusals
       counters  (the same program, on fomu-counters) every event that there is, two at a time, refusals
"""
import json
import pathlib
import re

import commands
from checking import fail
from commands import FAST, must, sim_options
from counts import event_names, spec_of
from options import values
from tag_oracle import instructions, printed, same, symbol, symbols, tagged

PERIOD = "777"  # of the timer interrupt
ABSENT = ("branches-taken", "range0-entries", "range1-entries", "data-range-entries", "cycles-icache-miss", "cycles-dcache-miss", "cycles-refresh",
          "cycles-page", "icache-accesses", "icache-misses", "dcache-accesses", "dcache-misses", "io-bytes")
OUT = pathlib.Path("build/e2e/reduced")


def run(board, command, options, model, spec, elf, arguments):
    """Returns (JSON of the command, the reference model's, the console)."""
    asked, found = OUT / "spec.json", OUT / "model.json"
    asked.write_text(json.dumps(spec), "ascii")
    found.unlink(missing_ok=True)
    figures = ["--json", *options] if options else ["-q"]
    done = commands.run(["gnomon", command, "-d", f"sim:{board}", *figures, *FAST, *sim_options(f"--{model}", f"{asked}={found}"), elf, "--", *arguments])
    if done.returncode or not found.exists():
        fail(f"{command} {' '.join(options)}: status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout) if options else None, json.loads(found.read_text("ascii")), done.stderr if options else done.stdout


def refused(board, elf, cases):
    for name, command, text in cases:
        done = commands.run(["gnomon", command[0], "-d", f"sim:{board}", *FAST, *command[1:], elf])
        said = [line for line in done.stderr.splitlines() if not line.endswith("does not count causes")]
        if done.returncode == 0 or len(said) != 2 or text not in done.stderr or not said[1].startswith("        "):
            fail(f"{name}: status {done.returncode}\n{done.stderr}")
    print(f"refused: {', '.join(name for name, *_ in cases)}")


def functions(elf):
    largest = [s for s in symbols(elf, "tT") if not re.search(r"\.(part|constprop|isra|cold)", s[0]) and s[2]]
    largest = [s for s in largest if sum(s[0] == name or s[1] == at for name, at, _ in largest) == 1]
    names = ("mixed", "straight", "timed", "ended", "gnomon_timer_interrupt")
    chosen = ([s for s in largest if s[0] in names] + [s for s in largest if s[0] not in names])[:15]
    spec = tagged([([(at, size)], False, {}) for _, at, size in chosen])
    result, model, _ = run("fomu-tags", "tag", [o for name, *_ in chosen for o in ("-t", name)], "tags", spec, elf, ["plain", PERIOD])
    if not result["exact"] or result["reasons"]:
        fail(f"functions: exact {result['exact']}, {result['reasons']}")
    for value, target in enumerate(result["targets"], 1):
        same(target["what"], target["executions"], model["values"][value]["executions"])
        if "cycles" in target or target["kind"] != "code":
            fail(f"{target}: reduced tags count no cycles")
    ran = [t for t in result["targets"] if t["executions"]]
    if len(ran) < 5:
        fail(f"only {len(ran)} functions ran")
    plain = json.loads(must(["gnomon", "stat", "--json", "-d", "sim:fomu-tags", *FAST, elf, "--", "plain", PERIOD]))
    same("the run without tags", [plain["cycles"]["runs"][0], plain["instructions"]["runs"][0]], [result["cycles"], result["instructions"]])
    print(f"functions: {len(ran)} of {len(chosen)} ran, {sum(t['executions'] for t in ran)} executions, difference 0")


def timers(elf):
    targets, options = [], []
    for timer, (first, last) in enumerate((("timed", "ended"), ("straight", "straight"))):
        returns = [(at, 2) for at, text in instructions(elf, last) if re.match(r"ret\b", text)]
        targets += [([(symbol(elf, first)[0], 2)], False, {"timer": "start", "which": timer}), (returns, False, {"timer": "stop", "which": timer})]
        options += ["-t", f"{first}@entry:start={timer}", "-t", f"{last}@return:stop={timer}"]
    result, model, _ = run("fomu-tags", "tag", options, "tags", tagged(targets), elf, ["plain", PERIOD])
    if not result["exact"]:
        fail(f"timers: {result['reasons']}")
    keys = ("intervals", "cycles", "last", "shortest", "longest")
    for timer, want in zip(result["timers"], model["timers"]):
        same(f"timer {timer['timer']}", [timer[k] for k in keys], [want[k] for k in keys])
    if [t["intervals"] for t in result["timers"]] != [4, 40]:
        fail(f"{result['timers']}: not as many as the program makes")
    print("timers: " + ", ".join(f"{t['intervals']} intervals of {t['shortest']} to {t['longest']} cycles" for t in result["timers"]) + ": difference 0")


def self(elf):
    at = {name: address for name, address, _ in symbols(elf, "tT")}
    targets = {1: ((at["mixed"], at["straight"] - at["mixed"]), {}), 2: ((at["timed"], 2), {"timer": "start", "which": 1}),
               3: ((at["ended"], 2), {"timer": "stop", "which": 1}), 4: ((at["asks"], 2), {"interrupt": True}),
               15: ((at["patched"], at["after_patched"] - at["patched"]), {})}
    spec = {"tags": [{"address": span[0], "length": span[1], "value": value, "data": False} for value, (span, _) in targets.items()],
            "modes": [{"value": value, "execute": True, **marks} for value, (_, marks) in targets.items()]}
    _, model, console = run("fomu-tags", "run", [], "tags", spec, elf, ["self", PERIOD])
    got = printed(console)
    same("mapped", got["mapped"], [["1", "0", "0"]])
    for value, count in got["tag"]:
        same(f"tag {value}", int(count), model["values"][int(value)]["executions"])
    timer = model["timers"][1]
    same("timer", [int(n) for n in got["timer"][0]], [timer[k] for k in ("intervals", "cycles", "last", "shortest", "longest")])
    same("interrupts", [int(got["asked"][0][0])] * 2, [len(model["interrupts"]), len(model["taken"])])
    same("lost", got["lost"], [["1", "0", "0"]])
    same("words cleared", model["cleared"], 1)
    if not timer["intervals"] or len(model["interrupts"]) != 5 or not model["values"][15]["executions"]:
        fail("too little happened")
    print(f"self: {[int(count) for _, count in got['tag']]} executions, {timer['intervals']} intervals, {len(model['taken'])} interrupts: difference 0")


def tags(elf):
    functions(elf)
    timers(elf)
    self(elf)
    remedy = "board with an ECP5"
    sixteen = [o for n in range(16) for o in ("-t", f"0x{symbol(elf, 'mixed')[0] + 2 * n:x}:execute")]
    refused("fomu-tags", elf, [
        ("data", ["tag", "-t", "table"], "reduced tags, for instructions only, not for data"),
        ("hints", ["tag", "-t", "hint=3"], "not for hints"),
        ("each", ["tag", "-t", "mixed:each"], "without the action each"),
        ("tagged", ["tag", "-t", "mixed:tagged"], "without the action tagged"),
        ("the trace", ["record", "--tag", "mixed:trace-start", "-o", str(OUT / "no.gnt")], "without the action trace-start"),
        ("thresholds", ["tag", "-t", "mixed@entry:start=0", "--threshold", "0=5"], "has no thresholds"),
        ("timer 2", ["tag", "-t", "mixed:start=2"], "has 2 timers"),
        ("16 tags", ["tag", *sixteen], "there are 15 tags"),
        ("events", ["tag", "-t", "mixed", "-e", "loads"], "has no counters"),
        ("hot", ["hot"], remedy), ("hot --event", ["hot", "--event", "loads"], remedy), ("scan", ["scan"], remedy)])  # fmt: skip


def counters(elf):
    names = [name for name in event_names() if name not in ABSENT]
    for first in range(0, len(names), 2):
        pair = names[first:first + 2]
        spec = {"ranges": [], "counters": [spec_of(event, 0) for event in pair]}
        result, model, _ = run("fomu-counters", "stat", ["-e", ",".join(pair)], "counts", spec, elf, ["plain", PERIOD])
        for event, want in zip(result["events"], model["counters"]):
            same(event["event"], event["runs"], [want["count"]])
    print(f"{len(names)} events, two at a time: difference 0")
    refused("fomu-counters", elf, [
        *((name, ["stat", "-e", name], f"does not count the event {name}") for name in (*ABSENT[:1], *ABSENT[4:], "tagged")),
        ("a filter", ["stat", "-e", "loads:m"], "have no filters"), ("a range", ["stat", "--range", "mixed"], "1 ranges of instructions are requested"),
        ("tags", ["tag", "-t", "mixed"], "has no tags")])  # fmt: skip


if __name__ == "__main__":
    out, (what, program) = values(__doc__, "out", rest="WHAT")
    OUT = pathlib.Path(out)
    OUT.mkdir(parents=True, exist_ok=True)
    {"tags": tags, "counters": counters}[what](program)
