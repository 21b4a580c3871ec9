#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the counts of tags, as `gnomon tag` prints them and as a program reads them, with the simulator's reference
model of the same tags (sim/tags.h): difference 0.

usage: tag_oracle.py --out FOLDER --board NAME WHAT ELF [ARG...]; WHAT:
       functions  the thirty largest functions of a program: executions and cycles; the same for one alone in a run
       each       executions of each instruction of a function, accesses to each word of a variable
       timers     from a function's first instruction to its return, thresholds; events between them, and of tagged instructions
       lines      the instructions of source lines
       self       a program that tags itself (programs/tagged.c): its own readings, interrupts in their cycles, overwritten code
       thresholds interrupts of a timer's thresholds, as many as a program's handler counts (programs/tagged.c)
       hints      hints in the code, and interrupts between a hint and its instruction
       groups     hints for several instructions, and interrupts among these
       memory     tags in main memory (zlib): functions, lines, timers and read words as on the chip; a run's cycles are the
                  same with these tags, with others, and without; what stores miss is counted
"""
import json
import pathlib
import re
import subprocess

import commands
from checking import fail
from commands import must, sim_options
from e2e import FAST, GNOMON
from options import values

NM, OBJDUMP = "riscv64-unknown-elf-nm", "riscv64-unknown-elf-objdump"
DELAY = 4  # cycles until a change of tags takes effect (docs/internals/tags.md)
LOOK = 200  # cycles after which a passed threshold's interrupt is pending, at most
OUT = pathlib.Path("build/e2e/tags")
BOARD = "full"
SHADOW = []  # options of gnomon tag that say where its tags are


def symbols(elf, kinds):
    """[(name, address, bytes)] of the symbols of these kinds, the largest first."""
    found = re.findall(r"^(\w+) (\w+) (\w) (\S+)$", must([NM, "-S", elf]), re.MULTILINE)
    return sorted(((name, int(address, 16), int(size, 16)) for address, size, kind, name in found if kind in kinds), key=lambda s: -s[2])


def symbol(elf, wanted):
    return next((address, size) for name, address, size in symbols(elf, "tTdDbBrR") if name == wanted)


def instructions(elf, function):
    """[(address, text)] of a function."""
    listing = must([OBJDUMP, "-d", f"--disassemble={function}", elf])
    return [(int(at, 16), text) for at, text in re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(.*)$", listing, re.MULTILINE)]


def run(elf, arguments, name, spec, options, counters=None):
    """Runs the program with tags; returns (gnomon's JSON, the simulator's reference model, its counters, the
    console)."""
    files = {part: OUT / f"{name}.{part}.json" for part in ("spec", "oracle", "counters", "counted")}
    for argument in arguments:
        if argument.startswith(str(OUT)):  # removes the output of an earlier run, which would become an input
            pathlib.Path(argument).unlink(missing_ok=True)
    files["spec"].write_text(json.dumps(spec), "ascii")
    files["oracle"].unlink(missing_ok=True)
    sim = FAST + ["--tags", f"{files['spec']}={files['oracle']}"]
    files["counters"].write_text(json.dumps({"counters": counters or []}), "ascii")
    sim += ["--counts", f"{files['counters']}={files['counted']}"]
    command = [GNOMON, "tag" if options else "run", "-d", f"sim:{BOARD}", *(["--json", *SHADOW, *options] if options else ["-q"]), *sim_options(*sim)]
    done = commands.run([*command, elf, "--", *arguments])
    if done.returncode or not files["oracle"].exists():
        fail(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stderr}")
    result = json.loads(done.stdout) if options else None
    return result, json.loads(files["oracle"].read_text("ascii")), json.loads(files["counted"].read_text("ascii")), \
        done.stderr if options else done.stdout


def same(what, got, want):
    if got != want:
        fail(f"{what}: {got}, by the simulator's reference model {want}")


def tagged(targets):
    """Returns the simulator's description of targets: (value from 1 on) -> [(address, bytes), ...], data, other
    fields of its mode."""
    tags, modes = [], []
    for value, (ranges, data, marks) in enumerate(targets, 1):
        tags += [{"address": address, "length": size, "value": value, "data": data} for address, size in ranges]
        modes.append({"value": value, **({"read": True, "write": True} if data else {"execute": True}), **marks})
    return {"tags": tags, "modes": modes}


def compare_targets(label, result, oracle):
    """Difference 0."""
    if not result["exact"] or result["reasons"]:
        fail(f"{label}: exact {result['exact']}, {result['reasons']}")
    for value, target in enumerate(result["targets"], 1):
        keys = ("reads", "writes") if target["kind"] == "data" else ("executions", "cycles")
        same(f"{label}: {target['what']}", {k: target[k] for k in keys}, {k: oracle["values"][value][k] for k in keys})


def memory(elf, arguments):
    global SHADOW
    cycles = [{"event": "cycles"}, {"event": "stores"}]
    _, _, counted, _ = run(elf, arguments, "without", {}, [], cycles)
    without = [c["count"] for c in counted["counters"]]
    SHADOW = ["--shadow", "memory"]
    code = [s for s in symbols(elf, "tT") if not re.search(r"\.(part|constprop|isra|cold)", s[0])]
    code = [s for s in code if sum(s[0] == name or s[1] == at for name, at, _ in code) == 1][:12]
    data = [(name, *symbol(elf, name)) for name in ("_length_code", "_dist_code", "static_ltree")]
    ranges = [([(address, size)], kind is data, {}) for kind in (code, data) for _, address, size in kind]
    result, oracle, counted, _ = run(elf, arguments, "memory", tagged(ranges), [o for name, *_ in code + data for o in ("-t", name)], cycles)
    compare_targets("memory", result, oracle)
    same("memory: cycles and stores of the run, tagged and not", [c["count"] for c in counted["counters"]], without)
    print("memory: " + ", ".join(f"{t['what']} {t.get('cycles', t.get('reads'))}" for t in result["targets"]) + f": difference 0; {without} cycles and stores, tagged and not")
    # All variables and the beginning of the heap: what has no tag because it fills no line is counted, and nothing else is missing.
    start = int(re.search(r"^(\w+) \w __bss_start$", must([NM, elf]), re.MULTILINE)[1], 16)
    end = start + 32768
    result, oracle, counted, _ = run(elf, arguments, "stores", tagged([([(start, end - start)], True, {})]), ["-t", f"{start:#x}-{end:#x}:read,write"], cycles)
    same("stores: cycles and stores", [c["count"] for c in counted["counters"]], without)
    target, want = result["targets"][0], oracle["values"][1]
    unknown = sum(reason["count"] for reason in result["reasons"] if reason["id"] == "accesses-unknown")
    same("stores: reads", target["reads"], want["reads"])
    same("stores: writes, and those without their tag", target["writes"] + unknown, want["writes"])
    same("stores: reasons", [reason["id"] for reason in result["reasons"]], ["accesses-unknown"] * (unknown > 0))
    if not 0 < unknown < want["writes"]:
        fail(f"stores that show nothing: {unknown} of {want['writes']} are not known")
    print(f"stores: {target['reads']} reads, {target['writes']} writes and {unknown} that are not known, of {want['writes']}: difference 0")
    timers(elf, arguments)
    lines(elf, arguments)


def functions(elf, arguments):
    """Also measures a function alone in a run: its cycles are the same (measured functions do not disturb each
    other)."""
    largest = [s for s in symbols(elf, "tT") if not re.search(r"\.(part|constprop|isra|cold)", s[0])]
    largest = [s for s in largest if sum(s[0] == name or s[1] == at for name, at, _ in largest) == 1][:30]
    targets = [([(address, size)], False, {}) for _, address, size in largest]
    options = [o for name, _, _ in largest for o in ("-t", name)]
    result, oracle, _, _ = run(elf, arguments, "functions", tagged(targets), options)
    compare_targets("functions", result, oracle)
    ran = sorted((t for t in result["targets"] if t["executions"]), key=lambda t: -t["cycles"])
    for target in ran[:5]:
        alone, _, _, _ = run(elf, arguments, "alone", {}, ["-t", target["what"]])
        same(f"{target['what']} alone", alone["targets"][0]["cycles"], target["cycles"])
        same(f"{target['what']} alone, the run", [alone["cycles"], alone["instructions"]], [result["cycles"], result["instructions"]])
    names = ", ".join(f"{t['what']} {t['cycles']}" for t in ran[:5])
    print(f"functions: {len(ran)} of {len(largest)} ran, difference 0; five alone in a run each, difference 0: {names}")


def each(elf, arguments):
    function, variable = {"zlib": ("inflate_fast", "_length_code"), "logo": ("stbiw__encode_png_line", "crc_table.21")}[pathlib.Path(elf).stem]
    targets = [([symbol(elf, function)], False, {"own": True}), ([symbol(elf, variable)], True, {"own": True})]
    result, oracle, _, _ = run(elf, arguments, "each", tagged(targets), ["-t", f"{function}:each", "-t", f"{variable}:each"])
    compare_targets("each", result, oracle)
    for target, data in zip(result["targets"], (False, True)):
        want = {at: count for at, is_data, count in oracle["own"] if is_data == data}
        got = {e["address"]: e["count"] for e in target["each"] if e["count"]}
        same(f"{target['what']} each", got, want)
        print(f"{target['what']}: {len(want)} per-address counters, {sum(want.values())} in all, difference 0")


def timers(elf, arguments):
    name = {"zlib": "longest_match", "logo": "stbtt__handle_clipped_edge.part.0"}[pathlib.Path(elf).stem]
    body = instructions(elf, name)
    returns = [(at, 2) for at, text in body if re.match(r"ret\b", text)]
    targets = [([(body[0][0], 2)], False, {"timer": "start", "which": 2, "tagged": True}), (returns, False, {"timer": "stop", "which": 2})]
    spec = tagged(targets) | {"steps": [[], [], [100, 1000, 5000, 0]]}
    events = [("loads:timer=2", {"event": "loads", "gate": 2}), ("cycles:timer=2", {"event": "cycles", "gate": 2}),
              ("cycles:tagged", {"event": "cycles", "tagged": True}), ("tagged", {"event": "tagged"})]
    options = ["-t", f"{name}@entry:start=2,tagged", "-t", f"{name}@return:stop=2", "--threshold", "2=100,1000,5000", "-e", ",".join(e for e, _ in events)]
    result, oracle, counted, _ = run(elf, arguments, "timers", spec, options, [c for _, c in events])
    compare_targets("timers", result, oracle)
    timer, want = result["timers"][0], oracle["timers"][2]
    same("timer", [timer[k] for k in ("intervals", "cycles", "shortest", "longest")], [want[k] for k in ("intervals", "cycles", "shortest", "longest")])
    same("thresholds", [t["intervals"] for t in timer["over"]], want["over"][:3])
    same("events", [e["count"] for e in result["events"]], [c["count"] for c in counted["counters"]])
    same("cycles of the timer", result["events"][1]["count"], want["cycles"])
    if not want["over"][0] or want["over"][1] == want["intervals"]:
        fail(f"thresholds that show nothing: {want}")
    print(f"{name}: {want['intervals']} intervals, {want['cycles']} cycles, {want['shortest']} to {want['longest']}, over {want['over'][:3]}; "
          f"{[e['count'] for e in result['events']]} events: difference 0")


def lines(elf, arguments):
    """Compares with objdump's line numbers: the instructions listed below each line."""
    source, wanted = {"zlib": ("deflate.c", 6), "logo": ("stb_image.h", 6)}[pathlib.Path(elf).stem]
    function = {"zlib": "deflate_slow", "logo": "stbi__create_png_image_raw"}[pathlib.Path(elf).stem]
    done = subprocess.run([OBJDUMP, "-dl", elf], capture_output=True, text=True, check=True)
    found, inside, line = {}, False, None
    for text in done.stdout.splitlines():
        header = re.match(r"^[0-9a-f]+ <(.*)>:$", text)
        inside = header[1] == function if header else inside
        place = re.match(r"^(\S+):(\d+)(?: \(discriminator \d+\))?$", text)
        if place:
            line = (place[1].rsplit("/", 1)[-1], int(place[2]))
        at = re.match(r"^ *([0-9a-f]+):\t", text)
        if at and line and line[0] == source:
            found.setdefault(line[1], []).append((int(at[1], 16), inside))
    chosen = [n for n, places in sorted(found.items()) if all(i for _, i in places)][::7][:wanted]
    targets = [([(at, 2) for at, _ in found[n]], False, {}) for n in chosen]
    result, oracle, _, _ = run(elf, arguments, "lines", tagged(targets), [o for n in chosen for o in ("-t", f"{source}:{n}")])
    compare_targets("lines", result, oracle)
    print("lines: " + ", ".join(f"{t['what']} {t['executions']} in {t['cycles']} cycles" for t in result["targets"]) + ": difference 0")


def printed(console):
    """Returns name -> [figures] of each line."""
    found = {}
    for line in console.splitlines():
        name, *figures = line.split()
        found.setdefault(name, []).append(figures)
    return found


def self(elf, arguments):
    place = {name: (address, size) for name, address, size in symbols(elf, "tTdDbB")}
    to = place["stopped"][0] - place["worked"][0]
    spec = tagged([
        ([(place["worked"][0], to)], False, {"own": True, "tagged": True}),
        ([(place["timed"][0], 2)], False, {"timer": "start", "which": 1}),
        ([(place["stopped"][0], 2)], False, {"timer": "stop", "which": 1}),
        ([place["table"]], True, {"own": True}),
        ([place["flag"]], True, {"read": False, "interrupt": True}),
        ([(place["patched"][0], place["after_patched"][0] - place["patched"][0])], False, {}),
    ])  # fmt: skip
    spec["steps"] = [[], [300, 0, 0, 500]]
    _, oracle, counted, console = run(elf, ["self"], "self", spec, [])
    got = printed(console)
    names = ("worked", "started", "stopped", "table", "flag", "patched")
    for value, name in enumerate(names, 1):
        want = oracle["values"][value]
        same(name, [int(n) for n in got[name][0]], [want[k] for k in ("executions", "cycles", "reads", "writes")])
        if not any(want.values()):
            fail(f"{name}: nothing happened")
    timer = oracle["timers"][1]
    same("timer", [int(n) for n in got["timer"][0]], [timer[k] for k in ("intervals", "cycles", "last", "shortest", "longest")])
    same("over", [int(n) for n in got["over"][0]], [timer["over"][0], timer["over"][3]])
    own = {(is_data, at): count for at, is_data, count in oracle["own"]}
    for key, is_data in (("own", False), ("word", True)):
        for at, count in got[key]:
            same(f"{key} {at}", int(count), own.get((is_data, int(at, 16)), 0))
    same("mapped", got["mapped"], [["1", "0"]])
    same("lost", got["lost"], [["0", "0"]])
    same("cleared", [int(got["cleared"][0][0]), int(got["cleared"][0][1], 16)], [oracle["cleared"], oracle["cleared_address"]])
    same("words cleared", oracle["cleared"], 1)
    # Each word and each threshold requested one interrupt. That of a threshold comes when the timer had its turn.
    tags, steps, pc, value = got["interrupts"][0]
    last = oracle["interrupts"][-1]
    same("interrupts", [int(tags), int(steps), int(pc, 16), int(value)], [len(oracle["interrupts"]), timer["over"][0], last[1], last[2] | last[3] << 5])
    pending = counted["first_pending"] - timer["first_over"][0]
    if not DELAY < pending <= LOOK:
        fail(f"the threshold's interrupt is pending {pending} cycles after the interval reached it")
    late = [taken - cycle for taken, (cycle, *_) in zip(oracle["taken"][-2:], oracle["interrupts"])]
    same("interrupts taken", len(oracle["taken"]), int(tags) + int(steps))
    if not all(DELAY + 2 <= n <= DELAY + 40 for n in late):
        fail(f"interrupts taken {late} cycles after their access")
    print(f"self: values {[v['executions'] + v['reads'] + v['writes'] for v in oracle['values'][1:7]]}, timer {timer['intervals']} intervals, over "
          f"{timer['over']}, {len(own)} per-address counters, {len(oracle['taken'])} interrupts, that of a threshold pending {pending} cycles after it: difference 0")


def thresholds(elf, _arguments):
    """Two thresholds ask for the interrupt, two only count. Timer 3 has the same lengths, and no interrupts."""
    (start, _), (stop, _) = symbol(elf, "timed"), symbol(elf, "stopped")
    length = instructions(elf, "timed")[1][0] - start, instructions(elf, "stopped")[1][0] - stop
    spec = tagged([([(start, length[0])], False, {"timer": "start", "which": 1}), ([(stop, length[1])], False, {"timer": "stop", "which": 1})])
    spec["steps"] = [[], [100, 300, 500, 700]]
    result, oracle, _, console = run(elf, ["thresholds"], "thresholds", spec,
                                     ["-t", "timed@entry:start=1", "-t", "stopped@entry:stop=1",
                                      "--threshold", "1=100,300:interrupt", "--threshold", "1=500,700:interrupt"])
    over = oracle["timers"][1]["over"]
    same("thresholds", [[t["cycles"], t["intervals"], t["interrupt"]] for t in result["timers"][0]["over"]],
         [[100, over[0], False], [300, over[1], True], [500, over[2], False], [700, over[3], True]])
    counted = [int(n) for _, n in printed(console)["step"]]
    same("interrupts", counted, [0] * 4 + [0, over[1], 0, over[3]] + [0] * 8)
    same("interrupts taken", len(oracle["taken"]), over[1] + over[3])
    if not over[3] or over[1] == over[0]:
        fail(f"thresholds that show nothing: {over}")
    print(f"thresholds: {over}, of which {over[1] + over[3]} asked for an interrupt: difference 0")


def hints(elf, _arguments):
    modes = [{"value": value, "execute": True} for value in range(7, 15)]
    for period in (0, 151, 307):
        off = run(elf, ["hints", str(period)], "hints-off", {"hints": True, "modes": modes}, ["-t", "main@entry"])
        result, oracle, _, _ = run(elf, ["hints", str(period)], f"hints-{period}", {"hints": True, "modes": modes},
                                   [o for value in range(7, 15) for o in ("-t", f"hint={value}")])
        for value, target in enumerate(result["targets"], 7):
            same(f"hint {value}", [target["executions"], target["cycles"]], [oracle["values"][value][k] for k in ("executions", "cycles")])
        same("hints", [result["device_counts"][k] for k in ("hinted", "hints_lost")], [oracle["hinted"], oracle["hints_lost"]])
        # The program drops one hint; a hint of the handler displaces one of the loop that waits.
        loop = [oracle["values"][value]["executions"] for value in (7, 8)]
        if period == 0:
            same("hints of the program", [oracle["hints_lost"], *loop], [1, 2005, 2005])
        same("hints of the loop", sum(loop) + oracle["hints_lost"], 4011)
        same("without hints", [off[0]["cycles"], off[0]["instructions"]], [result["cycles"], result["instructions"]])
        ticks = oracle["values"][9]["executions"]
        if (ticks == 0) != (period == 0):
            fail(f"{ticks} interrupts")
        print(f"hints: {oracle['hinted']} instructions, {ticks} interrupts, {oracle['hints_lost']} forgotten, difference 0")


def groups(elf, _arguments):
    modes = [{"value": value, "execute": True} for value in range(9, 14)]
    for period in (0, 151, 307):
        result, oracle, _, _ = run(elf, ["groups", str(period)], f"groups-{period}", {"hints": True, "modes": modes},
                                   [o for value in range(9, 14) for o in ("-t", f"hint={value}")])
        for value, target in enumerate(result["targets"], 9):
            same(f"hint {value}", [target["executions"], target["cycles"]], [oracle["values"][value][k] for k in ("executions", "cycles")])
        same("hints", [result["device_counts"][k] for k in ("hinted", "hints_lost")], [oracle["hinted"], oracle["hints_lost"]])
        many, ends = oracle["values"][10]["executions"], oracle["values"][13]["executions"]
        # Nothing displaces a group in the first 500 rounds; the handler does in the last 100.
        if many < 600 * 5 or not 600 - oracle["hints_lost"] <= ends <= 600 or (oracle["hints_lost"] > 0) != (period > 0) or oracle["hints_lost"] > 500:
            fail(f"{many} instructions of groups of 30, {ends} of groups of 1, {oracle['hints_lost']} lost")
        print(f"groups: {oracle['hinted']} instructions, {oracle['hints_lost']} forgotten, difference 0")


def main():
    global OUT, BOARD
    out, BOARD, (what, elf, *arguments) = values(__doc__, "out", "board", rest="WHAT")
    OUT = pathlib.Path(out)
    OUT.mkdir(parents=True, exist_ok=True)
    {"functions": functions, "each": each, "timers": timers, "lines": lines, "self": self, "thresholds": thresholds, "hints": hints,
     "groups": groups, "memory": memory}[what](elf, arguments)


if __name__ == "__main__":
    main()
