#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Modules that a program loads and unloads: tests to which function every call belongs, in events, in function records
and in records in memory, against the simulator's oracle; and the refusals.

usage: test_modules.py WORK_DIRECTORY [--deep]"""
import collections
import json
import pathlib
import re
import shutil
import struct
import sys

import image
from checking import check, result
from commands import FAST, must, report, run, sim_options
from memory_records import Records

HERE = pathlib.Path(__file__).parent / "modules"
SLOW = sim_options("--rate-divisor", "4")
SAMPLES_KEPT = 480  # of the 512 that the device can keep
NEAR_FIRST, FAR_FIRST = 1000, 60000  # numbers that a store from x0 reaches; that take two instructions
CC = ["gnomon", "cc", "-O2", "-g", "-Wall", "-Wextra", "-Werror"]


def same(what, found, expected):
    return [] if found == expected else [f"{what}: {found}, not {expected}"]


class Bench:
    def __init__(self, work):
        self.work = work
        self.program = self.link("main.elf", [HERE / "main.c"])

    def link(self, name, sources, *options):
        out = self.work / name
        must(CC + list(options) + ["-o", out] + sources)
        return out

    def module(self, name, which, *options):
        return self.link(name, [HERE / "module.c"], "--gnomon-module", f"-DWHICH={which}", *options)

    def record(self, name, arguments, *options, program=None):
        """Returns the recording's path and the program's output."""
        trace = self.work / f"{name}.gnt"
        out = must(["gnomon", "record", "-q", "-d", "sim:full", "-o", trace, *options, program or self.program, "--", *arguments])
        return trace, out


def figures(result):
    """Returns by module and name: calls, self, total."""
    return {(f.get("module"), f["name"]): (f["calls"], f["self_cycles"], f["total_cycles"]) for f in result["functions"]}


def calls_of_rounds(modules, rounds, calls=1):
    """Returns the calls that tests/firmware/modules/module.c makes when `run` is called."""
    total = collections.Counter()
    for which, path in enumerate(modules):
        for name, each in (("born", 1), ("dies", 1), ("run", calls), ("leaf", (which + 2) * calls), ("recursive", calls)):
            total[(path.name, name)] += each * rounds
    return total


def plain(name):
    return name.split(".")[0]


def check_calls(result, expected):
    found = collections.Counter()
    for (module, name), (calls, _, _) in figures(result).items():
        if module:
            found[(module, plain(name))] += calls
    errors = same("calls", dict(found), dict(expected))
    inside = sum(f["self_cycles"] for f in result["functions"])
    if not result["complete"] or inside + result["unprofiled_cycles"] != result["cycles"]:
        errors.append(f"{inside} + {result['unprofiled_cycles']} != {result['cycles']}, or not complete: {result['reasons']}")
    for function in result["functions"]:
        if function.get("module") and (pathlib.Path(function["file"] or "").name != "module.c" or not function["line"]):
            errors.append(f"{function['name']} is not where it is: {function}")
    return errors


def leaks(out):
    return [] if re.search(r"leaked 0$", out, re.M) else [out.strip()]


# ---- Against the oracle ----

def oracle_image(bench, modules, trace, first):
    """Builds an ELF of the program with the modules' functions at their loaded addresses, as if they had been linked
    in, for the oracle. Numbers start at `first`, which decides how many instructions a hook has."""
    places = [json.loads(line)["value"] for line in must(["gnomon", "dump", "--json", "-i", trace]).splitlines()
              if '"module"' in line and json.loads(line)["event"] == "module" and json.loads(line)["number"] >= 16]
    out, table, addresses = bench.work / "oracle.elf", bench.work / "oracle.map", {}
    command = ["riscv64-unknown-elf-objcopy"]
    must(["riscv64-unknown-elf-objcopy", "--dump-section", f".gnomon.map={table}", bench.program, out])
    entries = table.read_bytes()
    for path, place in zip(modules, places):
        module = image.Image(path)
        for index, function in enumerate(module.functions):
            number = module.number_of.get(function.start)
            name = f"{path.stem}.{index}.{function.name}"
            command += ["--add-symbol", f"{name}={place + function.start:#x},function,global"]
            if number is not None:
                addresses[place + function.start] = (path.name, number)
                entries += struct.pack("<2I", 0xFFFFFFFF - first - len(addresses), place + function.start)
    table.write_bytes(entries)
    must(command + ["--update-section", f".gnomon.map={table}", bench.program, out])
    return out, addresses


def exact(bench, name, arguments, modules, cycles=True, first=NEAR_FIRST):
    """Loads each module once, so that an address means one function. The oracle ends a longjmp before setjmp's
    message: then only calls are compared."""
    trace, _ = bench.record(f"{name}-first", arguments, "--events", *FAST)
    elf, addresses = oracle_image(bench, modules, trace, first)
    account = bench.work / f"{name}.oracle.json"
    account.unlink(missing_ok=True)
    trace, _ = bench.record(name, arguments, "--events", *FAST, "--sim-option", "--oracle", "--sim-option", f"{elf}={account}")
    result, oracle = report(trace), json.loads(account.read_text(encoding="utf-8"))
    known = {}
    for f in oracle["functions"]:
        known[addresses.get(f["address"], (None, f["name"]))] = (f["calls"], f["self_cycles"], f["total_cycles"])
    found = {(f["module"], f["number"]) if f.get("module") else (None, f["name"]):
             (f["calls"], f["self_cycles"], f["total_cycles"]) for f in result["functions"]}
    count = 3 if cycles else 1
    errors = [f"{key}: {found.get(key)}, the oracle says {known.get(key)}" for key in sorted(set(found) | set(known), key=str)
              if found.get(key, ())[:count] != known.get(key, ())[:count]]
    errors += same("outside", result["unprofiled_cycles"], oracle["unprofiled_cycles"]) + same("cycles", result["cycles"], oracle["cycles"])
    errors += [] if any(key[0] for key in known) else ["the oracle saw no module"]
    check(f"{name}: {sum(f[0] for f in known.values())} calls as the oracle", errors)
    recorded = report(bench.record(f"{name}-records", arguments, *FAST)[0])
    check(f"{name}: the device's records say the same", same("functions", figures(recorded), figures(result)))


# ---- Owners and numbers of calls ----

def check_rounds(bench, modules, rounds):
    arguments = ["rounds", str(rounds)] + modules
    expected = calls_of_rounds(modules, rounds)
    trace, out = bench.record("rounds", arguments, "--events", *FAST)
    events = report(trace)
    check(f"{rounds} rounds of {len(modules)} modules at the same addresses: events", check_calls(events, expected) + leaks(out))
    trace, out = bench.record("rounds-records", arguments)
    check("... the device's records", check_calls(report(trace), expected) + leaks(out) +
          same("figures", figures(report(trace)), figures(events)))
    lossy, expected = report(bench.record("busy", ["busy"] + arguments[1:], "--events", *SLOW)[0]), calls_of_rounds(modules, rounds, 50)
    wrong = [f"{key}: {value[0]} calls" for key, value in figures(lossy).items()
             if key[0] and (key[0], plain(key[1])) not in expected]
    few = [f"{f['name']} of {f['module']}: {f['calls']} calls are no lower bound" for f in lossy["functions"]
           if f.get("module") and f["calls"] > expected[(f["module"], plain(f["name"]))]]
    check(f"... with {lossy['lost_events']} events lost: no call is given to another module's function",
          (wrong + few if not any("modules" in fault["text"] for fault in lossy["reasons"]) else []) +
          ([] if lossy["lost_events"] else ["nothing was lost"]))


def check_names(bench, modules):
    """Tests names of modules whose file was removed, moved, or rebuilt."""
    away = bench.work / "away"
    away.mkdir(exist_ok=True)
    copies = [pathlib.Path(shutil.copy(path, bench.work / f"gone-{path.name}")) for path in modules[:2]]
    trace, _ = bench.record("names", ["rounds", "2"] + copies)
    names = {f["name"] for f in report(trace)["functions"] if f.get("module") == copies[0].name}
    moved = shutil.move(copies[0], away / copies[0].name)
    gone = {f["name"] for f in report(trace)["functions"] if f.get("module") == copies[0].name}
    expected = {f"[function {image.Image(moved).number_of[f.start]} of {copies[0].name}]" for f in image.Image(moved).functions
                if plain(f.name) in ("run", "leaf", "recursive", "born", "dies")}
    check("a file that is gone: numbers in place of names", same("names", gone, expected))
    back = {f["name"] for f in report(trace, "--module", moved)["functions"] if f.get("module") == copies[0].name}
    check("... --module names it", same("names", back, names))
    shutil.copy(trace, away / "names.gnt")
    shutil.copy(bench.program, away)
    beside = {f["name"] for f in report(away / "names.gnt")["functions"] if f.get("module") == copies[0].name}
    check("... or it lies beside the recording", same("names", beside, names))
    bench.module(copies[0].name, 5)
    again = {f["name"] for f in report(trace)["functions"] if f.get("module") == copies[0].name}
    check("a file that was built again gives no names", same("names", again, expected))
    done = run(["gnomon", "report", "-i", trace, "--module", bench.program])
    check("--module with a program is refused", [] if done.returncode == 1 and "not a module" in done.stderr else [done.stderr])
    dump = must(["gnomon", "dump", "-i", bench.record("dump", ["rounds", "1"] + modules[:1], "--events", *FAST)[0]])
    wanted = ["module of build id ", "module's functions: numbers ", "module loaded at 0x", "> leaf  module.c:", "module unloaded: numbers "]
    check("dump says when it came and went", [text for text in wanted if text not in dump])


def check_memory(bench):
    """Tests records in memory."""
    for mode in ("array", "pointers"):
        option = f"--gnomon-records={mode}"
        program = bench.link(f"main-{mode}.elf", [HERE / "main.c"], option)
        modules = [bench.module(f"m{which}-{mode}.so", which, option) for which in (0, 1)]
        kept = bench.work / f"{mode}.records"

        def get(arguments, program=program, kept=kept, mode=mode):
            bench.record(f"memory-{mode}", arguments, "--get", f"gnomon.records={kept}", program=program)
            return Records(kept.read_bytes())

        found = collections.Counter()
        records = get(["rounds", "7"] + modules)
        by_key = {image.Image(path).section_bytes(".note.gnu.build-id")[-20:].hex(): path for path in modules}
        names = {}
        for index, module in records.modules.items():
            path = by_key[module.key]
            functions = {number: f.name for f in image.Image(path).functions
                         if (number := image.Image(path).number_of.get(f.start)) is not None}
            names.update({(index, number): (path.name, plain(name)) for number, name in functions.items()})
        for place in records.of_modules:
            for key, record in place.items():
                found[names[key]] += record.calls
        expected = calls_of_rounds(modules, 7)
        errors = same("calls", dict(found), dict(expected)) + same("modules", len(records.modules), 2)
        covered = sum(r.self for place in (records.records, records.of_modules) for r in place[0].values())
        errors += same("self cycles", covered, records.covered[0]) + same("dropped", records.dropped, 0)
        check(f"records in memory, {mode}: each module's own array, also when it came back", errors)
        in_interrupts = get(["interrupt", modules[0]]).of_modules[1]
        check(f"... {mode}: calls in interrupts apart",
              [] if any(record.calls == 40 for record in in_interrupts.values()) else [str(in_interrupts)])
    out = bench.record("mixed", ["try", modules[0]])[1]
    check("a module with records in memory, a program without", [] if "--gnomon-records is for both" in out else [out])
    plain_module = bench.module("m0-stores.so", 0)
    out = bench.record("mixed", ["fetch", plain_module], program=program)[1]
    check("a program with records in memory, a module without", [] if "234" in out else [out])


def check_host(bench, modules):
    """Tests files that the host delivers on request."""
    offers = ["--offer", f"{modules[0]}=effect", "--offer", modules[1]]
    arguments = ["fetch", "effect", str(modules[1]) + "=no", modules[1].name, "none"]
    offers = ["--offer", f"{modules[0]}=effect", "--offer", f"{modules[1]}={modules[1].name}"]
    trace, out = bench.record("offer", arguments, "--events", *offers)
    again, _ = bench.record("offer-again", arguments, "--events", *offers)
    result = figures(report(trace))
    errors = [] if ("effect: " in out and "there is no such file, here or with the host (--put, --offer): none" in out) else [out]
    errors += [f"no {key}" for key in ((modules[0].name, "run"), (modules[1].name, "run")) if key not in result]
    check("over USB, when asked", errors)
    check("... twice the same recording", [] if trace.read_bytes() == again.read_bytes() else ["they differ"])
    done = run(["gnomon", "run", "-q", *offers, bench.program, "--", *arguments])
    check("... gnomon run, too", [] if done.stdout == out else [done.stdout])
    done = run(["gnomon", "run", "-q", "--offer", "/nowhere", bench.program])
    check("an offer that is not there", [] if done.returncode == 1 and "/nowhere" in done.stderr else [done.stderr])


# ---- Cycles of instructions ----

def annotated(trace, *arguments):
    return json.loads(must(["gnomon", "annotate", "--json", "-i", trace, *arguments]))


def check_causes(bench, modules):
    """Instructions have only addresses, and a module's instructions are in the heap."""
    trace, _ = bench.record("causes", ["both"] + modules[:2], "--cpi", "all", *FAST)
    whole, called = annotated(trace), figures(report(trace))
    ran = {(f["module"], plain(f["name"])): f for f in whole["functions"] if f["name"] and f.get("module")}
    total = sum(f["cycles"] for f in whole["functions"]) + whole["unattributed"]["cycles"] + whole["not_counted"]["cycles"]
    strange = [f["code"] for f in whole["functions"] if f["name"] is None and not f["code"].startswith("[no function of m")]
    check("cycles of instructions: each module's are its own", same("cycles", total, whole["cycles"]) + same("not named", strange, []) +
          same("functions", sorted(ran), sorted((module, plain(name)) for module, name in called if module)))
    function = ran[(modules[0].name, "calls_back")]
    one = annotated(trace, "calls_back")
    good = all(part["text"] for part in one["instructions"]) and all(line["file"].endswith("module.c") for line in one["lines"])
    check("... with its own lines and code", ([] if good and one["exact"] else [str(one)[:400]]) +
          same("cycles", sum(part["cycles"] for part in one["instructions"]), function["cycles"]))
    trace, _ = bench.record("causes-again", ["rounds", "3"] + modules[:2], "--cpi", "all", *FAST)
    whole = annotated(trace)
    mixed = [f["code"] for f in whole["functions"] if "or m" in f.get("code", "")]
    total = sum(f["cycles"] for f in whole["functions"]) + whole["unattributed"]["cycles"]
    check("... where two were at one address, neither is named", same("cycles", total, whole["cycles"]) +
          ([] if mixed and all(re.fullmatch(r"\[module m\d.so or m\d.so\]", text) for text in mixed) else [str(mixed)]))


def program_json(command, arguments, program, *options, function=()):
    return json.loads(must(["gnomon", command, "--json", "-d", "sim:full", *FAST, *options, *function, program, "--", *arguments]))


def hot(arguments, program):
    """What `gnomon hot` says, with a period so long that the device keeps all samples, however late the host reads them."""
    cycles = program_json("hot", arguments, program, "--period", "1000000")["cycles"]
    return program_json("hot", arguments, program, "--period", str(max(64, cycles // SAMPLES_KEPT + 1)))


def check_samples(bench, modules):
    """Commands that sample a running program name a module's code as its recording does."""
    arguments = ["both", *modules[:2], "260"]  # with this number, the period is no multiple of the cycles between two calls
    trace, _ = bench.record("samples", arguments, "--cpi", "all", *FAST)
    cost = {(f.get("module"), f["name"]): f["cycles"] for f in annotated(trace)["functions"] if f["name"]}
    found = hot(arguments, bench.program)
    period = found["period"]
    errors = same("samples", sum(f["samples"] for f in found["functions"]), found["samples"]) + same("lost", found["samples_lost"], 0)
    in_modules = {(f["module"], f["name"]): f["samples"] for f in found["functions"] if f.get("module")}
    errors += [f"{key} is not named: {sorted(in_modules)}" for key, cycles in cost.items()
               if key[0] and cycles > 8 * period and key not in in_modules]
    errors += [f"{key}: {samples} samples of {period} cycles, and {cost.get(key)} cycles" for key, samples in in_modules.items()
               if abs(samples * period - cost.get(key, 0)) > 0.1 * cost.get(key, 0) + 4 * period]
    errors += same("modules with samples", sorted({module for module, _ in in_modules}), [path.name for path in modules[:2]])
    check("samples: each module's are its own", errors)
    again = hot(["busy", "3"] + modules[:2], bench.program)
    mixed = [f["name"] for f in again["functions"] if "or m" in f["name"]]
    check("... where two were at one address, neither is named",
          [] if mixed and all(re.fullmatch(r"\[module m\d.so or m\d.so\]", text) for text in mixed) else [str(again["functions"])[:400]])
    done = run(["gnomon", "scan", "--whole", "-d", "sim:full", *FAST, bench.program, "--", *arguments])
    check("scan says that it leaves them out", [] if "modules are not in the table" in done.stderr else [done.stderr])
    monitored = bench.link("monitored.elf", [HERE / "main.c"], "--gnomon-monitor")
    found = program_json("callers", arguments, monitored, "--period", "1", "--levels", "1", function=["call_back"])
    check("callers in modules are not found, and no other in their place",
          same("callers", found["callers"], []) + ([] if found["missed"] > 0 and not found["exact"] else [f"{found['missed']} walks found none"]))


# ---- Numbers ----

TAKEN, MANY = (1 << 20) - 1536, 500


def check_numbers(bench):
    """Three modules of 500 functions fit beside a program of more than 1,047,000: the least recently loaded module
    gives its numbers up."""
    source, slots = bench.work / "many.c", bench.work / "slots.s"
    slots.write_text(f'.section .gnomon.slots.taken,"aw",@nobits\n.zero {TAKEN}\n.section .text\n.globl taken\ntaken: .word 0\n'
                     '.section .gnomon.map,"o",@progbits,taken\n.4byte .gnomon.slots.taken,taken\n', encoding="utf-8")
    source.write_text("".join(f"int f{n}(int x) {{ return x + {n}; }}\n" for n in range(MANY - 1)) +
                      "int run(int x) { return f0(x) + f7(x); }\n", encoding="utf-8")
    program = bench.link("crowded.elf", [HERE / "main.c", slots], "-Wl,--no-gc-sections")
    common = bench.work / "many.o"
    must(["gnomon", "cc", "-Os", "-fno-inline", "--gnomon-module", "-c", "-o", common, source])
    modules = []
    for which in range(4):
        small = bench.work / f"tag{which}.c"
        small.write_text(f"const int which = {which};\n", encoding="utf-8")
        modules.append(bench.link(f"many{which}.so", [common, small], "--gnomon-module"))
    order = [0, 1, 2, 3, 1, 0, 2]
    trace, out = bench.record("many", ["fetch"] + [modules[i] for i in order], "--events", *FAST, program=program)
    found = {key[0]: value[0] for key, value in figures(report(trace)).items() if key[1] == "f7"}
    expected = {modules[i].name: order.count(i) for i in set(order)}
    ranges = [json.loads(line)["value"] for line in must(["gnomon", "dump", "--json", "-i", trace]).splitlines()
              if '"event":"module"' in line and '"number":3,' in line]
    errors = same("calls of f7", found, expected)
    # 3 takes the numbers of 0; 1 has its own; 0 takes those of 2, and 2 those of 3.
    at = dict(zip("abc", ranges))
    errors += same("numbers", ranges, [at["a"], at["b"], at["c"], at["a"], at["b"], at["c"], at["a"]])
    errors += same("different ranges", len(set(ranges)), 3) + ([] if min(ranges) >= TAKEN else [f"numbers begin at {min(ranges)}"])
    check("four modules, of whose numbers three fit", errors + ([out] if "no numbers" in out else []))
    recorded = report(bench.record("many-records", ["fetch", modules[0]], "--records", *FAST, program=program)[0])
    check("... more than there are records: said, and nothing is another's",
          ([] if any("no place" in f["text"] for f in recorded["reasons"]) else [str(recorded["reasons"])]) +
          [str(f) for f in recorded["functions"] if f.get("module")])
    near = bench.module("near.so", 1, "--gnomon-module=near")
    trace, _ = bench.record("near", ["fetch", near], "--events", *FAST)
    check("near hooks are one instruction",
          [f"{i}" for i in image.Image(near).disassemble() if i.mnemonic == "sb" and re.fullmatch(r"(ra|sp),0\(t0\)", i.operands)] +
          ([] if ("near.so", "run") in figures(report(trace)) else ["run is not in the report"]))
    wide = bench.work / "wide.o"
    source.write_text("".join(f"int f{n}(int x) {{ return x + {n}; }}\n" for n in range(2100)), encoding="utf-8")
    must(["gnomon", "cc", "-Os", "--gnomon-module=near", "-c", "-o", wide, source])
    out = bench.record("wide", ["try", bench.link("wide.so", [wide], "--gnomon-module=near")])[1]
    check("more near functions than one instruction reaches", [] if "no numbers are left that its hooks reach" in out else [out])


# ---- Refusals ----

def check_refused(bench, module):
    data = bytearray(module.read_bytes())
    where = image.Image(module).sections[".gnomon.module"][4]

    def damaged(name, at, value):
        path = bench.work / name
        changed = bytearray(data)
        changed[at:at + len(value)] = value
        path.write_bytes(changed)
        return path

    def compiled(name, *options):
        path = bench.work / name
        must(["riscv64-unknown-elf-gcc", "-r", "-nostdlib", *options, "-o", path, "-x", "c", HERE / "empty.c"])
        return path

    def with_isa(name, isa):
        """Returns the same module with another ISA string."""
        before = b"rv32i2p0_m2p0_c2p0_zmmul1p0\0"
        at = data.find(before, image.Image(module).sections[".riscv.attributes"][4])
        if at < 0 or len(isa) + 1 != len(before):
            sys.exit("the string is not there, or its length changes")
        return damaged(name, at, isa.encode())

    cases = [
        (damaged("total.so", where + 8, b"\x05\x00\x00\x00"), "does not have as many functions as it says"),
        (damaged("version.so", where + 4, b"\x09"), "linked by another version of Gnomon"),
        (damaged("magic.so", 0, b"\x7fElf"), "not an ELF file"),
        (damaged("class.so", 4, b"\x02"), "for another processor"),
        (damaged("machine.so", 18, b"\x3e\x00"), "for another processor"),
        (damaged("float.so", 36, b"\x03"), "for a core with floating-point registers"),
        (damaged("rve.so", 36, b"\x09"), "for a core with 16 registers"),
        (with_isa("vector.so", "rv32i2p0_m2p0_v1p0_zmmul1p0"), "an extension that this one does not have: v1p0"),
        (with_isa("zba.so", "rv32i2p0_m2p0_c2p0_zbb1p000"), "an extension that this one does not have: zbb1p000"),
        (compiled("rv64.o", "-march=rv64imac", "-mabi=lp64"), "for another processor"),
        (compiled("object.o", "-march=rv32imc", "-misa-spec=2.2", "-mabi=ilp32"), "not a module: link it with gnomon cc"),
        (bench.program, "not a module: link it with gnomon cc"),
        (bench.link("needs.so", [HERE / "needs.c"], "--gnomon-module"), "does not export (GNOMON_EXPORT): nobody_has_this"),
        (damaged("empty.so", 0, b""), "loaded"),
    ]
    for size in range(0, len(data), max(1, len(data) // 12)):
        path = bench.work / f"cut{size}.so"
        path.write_bytes(data[:size])
        cases.append((path, None))
    names = [path for path, _ in cases]
    _, out = bench.record("refused", ["try"] + names, *FAST)
    for line, (path, wanted) in zip(out.splitlines(), cases):
        good = line.startswith(f"{path}: ") and (wanted in line if wanted else "loaded" not in line)
        check(f"{path.name}: {line.removeprefix(str(path) + ': ')[:100]}", [] if good else [f"{line}, not {wanted}"])
    check("all were tried", same("lines", len(out.splitlines()), len(cases)))
    for name, source, options, wanted in (
            ("interrupt.so", "__attribute__((interrupt)) void f(void) {}", ["--gnomon-module"], "an interrupt function in a module"),
            ("thread.so", "_Thread_local int x = 1; int *f(void) { return &x; }", ["--gnomon-module"], "thread-local data in a module"),
            ("none.so", "__attribute__((no_instrument_function)) int f(void) { return 1; }", ["--gnomon-module"], "no profiled function in this module"),
            ("mixed.so", "int f(void) { return 1; }", [], None)):
        path = bench.work / "refused.c"
        path.write_text(source + "\n", encoding="utf-8")
        obj = bench.work / "refused.o"
        must(["gnomon", "cc", "-O2", "-fPIC", *options, "-c", "-o", obj, path])
        done = run(["gnomon", "cc", "--gnomon-module", "-o", bench.work / name, obj])
        check(f"{name} does not link", [] if done.returncode and (not wanted or wanted in done.stderr) else [done.stderr])


def main():
    work = pathlib.Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)
    bench = Bench(work)
    modules = [bench.module(f"m{which}.so", which) for which in (0, 1, 2)]
    if "--deep" in sys.argv[2:]:
        trace, out = bench.record("ten-thousand", ["rounds", "3334"] + modules)
        check("10,002 loads: all are named, nothing leaks", check_calls(report(trace), calls_of_rounds(modules, 3334)) + leaks(out))
    else:
        check_causes(bench, modules)
        check_samples(bench, modules)
        check_rounds(bench, modules, 15)
        near = [bench.module(f"near{which}.so", which, "--gnomon-module=near") for which in (0, 1)]
        exact(bench, "both", ["both"] + near, near)
        exact(bench, "both-far", ["both"] + modules[:2], modules[:2], first=FAR_FIRST)
        exact(bench, "interrupt", ["interrupt", near[1]], near[1:])
        exact(bench, "jump", ["jump", near[1]], near[1:], cycles=False)
        check_names(bench, modules)
        check_memory(bench)
        check_host(bench, modules)
        check_numbers(bench)
        check_refused(bench, modules[0])
    return result()


if __name__ == "__main__":
    sys.exit(main())
