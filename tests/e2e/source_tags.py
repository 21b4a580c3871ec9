#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests tags that the source of a program and of its modules asks for, on the simulated board, with and without -flto:
executions and cycles of modules' functions equal the simulator's reference model of each instruction; accesses to
their variables are what the source says; thresholds equal the simulator's reference model, and interrupt as often as
they say; an unloaded module has no tags.

usage: source_tags.py --out FOLDER
Environment: PATH finds gnomon, GNOMON_SIM_DIR the simulator."""
import json
import os
import pathlib
import re
import sys

from checking import check, result
from commands import must, run
from cpi import FAST, costs
from options import values

HERE = pathlib.Path(__file__).parent / "programs"
MODULE = "source_tags_module.c"
CALLS = (20, 40, 60)  # what the program calls `run` with, after each load
THRESHOLDS = {0: (300, 500), 1: (300, 500)}  # of the program, of the modules; the second one of each interrupts
FLAGS = ("-O2", "-g", "-Wall", "-Wextra", "-Werror")


def symbols(elf):
    """{name: (address, bytes)}, without the compiler's suffixes."""
    found = re.findall(r"^(\w+) (\w+) \w (\w+)", must(["riscv64-unknown-elf-nm", "-S", elf]), re.MULTILINE)
    return {name: (int(address, 16), int(size, 16)) for address, size, name in found}


def build(folder, name, source, *options):
    path = str(folder / name)
    must(["gnomon", "cc", *FLAGS, *options, "-o", path, HERE / source])
    return path


class Run:
    """A run of `gnomon tag`, and what the simulator's reference models and the program say of it."""

    def __init__(self, folder, elf, arguments, *options):
        spec, oracle, instructions = folder / "spec.json", folder / "oracle.json", folder / "instructions.json"
        place = symbols(elf)
        tags = [{"address": place[name][0], "length": place[name][1], "value": value} for value, name in enumerate(("begin", "finish"), 1)]
        modes = [{"value": value, "execute": True, "timer": act, "which": 0} for value, act in enumerate(("start", "stop"), 1)]
        spec.write_text(json.dumps({"tags": tags, "modes": modes, "steps": [[*THRESHOLDS[0]]]}), "ascii")
        for path in (oracle, instructions):
            path.unlink(missing_ok=True)
        sim = [part for word in ("--instructions", instructions, "--tags", f"{spec}={oracle}") for part in ("--sim-option", str(word))]
        done = run(["gnomon", "tag", "--json", *FAST, *sim, *options, elf, "--", *arguments])
        self.console = done.stderr
        self.status = done.returncode
        self.json = json.loads(done.stdout) if done.stdout else None
        if self.json:
            self.targets = {target["what"]: target for target in self.json["targets"]}
            self.model = costs(json.loads(instructions.read_text("ascii"))["instructions"])
            self.timer = json.loads(oracle.read_text("ascii"))["timers"][0]
        self.printed = {}
        for line in self.console.splitlines():
            name, *figures = line.split()
            self.printed.setdefault(name, []).append(figures)

    def bases(self, modules):
        """Where each load put its module."""
        return [int(address, 16) - symbols(modules[i % len(modules)])["run"][0] for i, (address,) in enumerate(self.printed["run"])]

    def counted(self, addresses):
        """Executions and cycles by the reference model."""
        inside = [cost for at, cost in self.model.items() if at in addresses]
        return [sum(cost.get(0, 0) for cost in inside), sum(sum(cost.values()) for cost in inside)]


def thresholds(ran, loads):
    """Compares the timers: the program's with the reference model, all interrupts with the program's handler."""
    errors = []
    timers = {timer["timer"]: timer for timer in ran.json["timers"]}
    over = {timer: [step["intervals"] for step in timers[timer]["over"]] for timer in timers}
    if [timers[0]["intervals"], timers[0]["cycles"], over[0]] != [ran.timer["intervals"], ran.timer["cycles"], ran.timer["over"][:2]]:
        errors.append(f"{timers[0]}, by the reference model {ran.timer}")
    if loads and (timers[1]["intervals"] != len(CALLS) * loads or not 0 < over[1][1] < over[1][0] <= timers[1]["intervals"]):
        errors.append(f"{timers[1]}")
    if not 0 < over[0][1] < over[0][0] < timers[0]["intervals"]:
        errors.append(f"thresholds that show nothing: {over[0]}")
    want = [0] * 16
    for timer, steps in THRESHOLDS.items():
        listed = [[step["cycles"], step["interrupt"]] for step in timers.get(timer, {"over": []})["over"]]
        if timer in timers and listed != [[steps[0], False], [steps[1], True]]:
            errors.append(f"timer {timer}: {listed}")
        want[4 * timer + 1] = over.get(timer, [0, 0])[1]
    got = [int(count) for _, count in ran.printed["step"]]
    return errors + ([] if got == want else [f"interrupts {got}, not {want}"]) + ([] if ran.json["exact"] else [ran.json["reasons"]])


def places(target, base):
    return {at for start, end in target["ranges"] for at in range(base + start, base + end)}


def lines_of(name):
    """The lines of the loop, as the tag has them."""
    first = next(n for n, line in enumerate((HERE / MODULE).read_text("ascii").splitlines(), 1) if "for (int i" in line)
    return f"{name}:{MODULE}:{first}-{first + 1}"


def names_of(module):
    name = os.path.basename(module)
    return [f"{name}:{MODULE}:{function}" for function in ("begins", "ends", "leaf")] + [lines_of(name)]


def accesses(ran, module, loads):
    """A load writes a word once; a call reads as many words as its argument says, and writes one."""
    target = ran.targets[f"{os.path.basename(module)}:words"]
    got, want = [target["reads"], target["writes"]], [sum(CALLS) * loads, (len(CALLS) + 1) * loads]
    return [] if got == want else [f"{target['what']}: {got}, not {want}"]


def together(label, folder, elf, modules, *options, arguments=None):
    ran = Run(folder, elf, ["together", *(arguments or modules)], *options)
    if ran.status or "refused" in ran.printed:
        check(label, [ran.console])
        return None
    errors = thresholds(ran, len(modules)) + ([ran.console] if "warning" in ran.console else [])
    for module, base in zip(modules, ran.bases(modules)):
        for name in names_of(module):
            target = ran.targets[name]
            want = ran.counted(places(target, base))
            if [target["executions"], target["cycles"]] != want or not want[0]:
                errors.append(f"{name}: {target['executions']}, {target['cycles']}, by the reference model {want}")
        errors += accesses(ran, module, 1)
    check(label, errors)
    return ran


def rounds(label, folder, elf, modules, times, once):
    """`once`: the run in which each module was loaded once."""
    ran = Run(folder, elf, ["rounds", str(times), *modules])
    if ran.status or "refused" in ran.printed:
        check(label, [ran.console])
        return None
    errors = thresholds(ran, times * len(modules))
    bases = ran.bases(modules)
    for module in modules:
        for name in names_of(module):
            got, want = ran.targets[name]["executions"], times * once.targets[name]["executions"]
            errors += [] if got == want else [f"{name}: {got} executions, not {want}"]
        errors += accesses(ran, module, times)
    if max(bases) - min(bases) < 1 << 20:
        errors.append(f"all modules are near {bases[0]:#x}")
    # The modules have the same layout, and are at the same addresses one after the other.
    ranges = [ran.targets[names_of(module)[2]] for module in modules]
    cycles, want = sum(target["cycles"] for target in ranges), ran.counted(set().union(*(places(ranges[0], base) for base in bases)))[1]
    if any(target["ranges"] != ranges[0]["ranges"] for target in ranges) or len(set(bases)) == len(bases) or cycles != want:
        errors.append(f"{cycles} cycles, by the reference model {want}, at {sorted(set(bases))}")
    check(label, errors)
    return ran


def refused(folder, elf, modules, base):
    without = build(folder, "without.elf", "source_tags.c", "-DWITHOUT_HANDLER")
    ran = Run(folder, without, ["together", *modules])
    check("a module's threshold, and no handler", [] if ran.status == 2 and "does not handle the interrupt" in ran.console else [ran.console])
    # This address needs the same block of the device as the module's words.
    far = base + symbols(modules[0])["words"][0] + (1 << 20)
    ran = Run(folder, elf, ["rounds", "1", modules[0]], "-t", f"{far:#x}:read")
    check("no memory for the tags of a module", [] if "refused other tags need the same memory of the device" in ran.console else [ran.console])
    embedded = build(folder, "embedded.elf", "source_tags.c", f"-DEMBEDDED=\"{os.path.abspath(modules[0])}\"")
    ran = Run(folder, embedded, [])
    check("a module that gnomon does not give to the program", thresholds(ran, 0) +
          ([] if "loaded a module that gnomon did not give it" in ran.console and len(ran.printed["run"]) == 1 else [ran.console]))
    ran = Run(folder, elf, ["together", *modules], "--no-metadata", "-t", "main")
    check("--no-metadata", [] if ran.status == 0 and list(ran.targets) == ["main"] and ran.json["exact"] else [ran.console, ran.json])


def main():
    folder = pathlib.Path(values(__doc__, "out")[0])
    folder.mkdir(parents=True, exist_ok=True)
    for label, options in (("-O2", ()), ("-flto", ("-flto",))):
        elf = build(folder, f"main{label}.elf", "source_tags.c", *options)
        modules = [build(folder, f"m{which}{label}.so", MODULE, "--gnomon-module", f"-DWHICH={which}", *options) for which in (1, 2, 3)]
        check(f"{label}: without modules", thresholds(Run(folder, elf, []), 0))
        once = together(f"{label}: three modules at the same time", folder, elf, modules)
        again = rounds(f"{label}: modules at one address, one after the other", folder, elf, modules, 4, once)
    name = os.path.basename(modules[0])
    together("a module that the host delivers when asked", folder, elf, modules[:1], "--offer", f"{modules[0]}={name}", arguments=[name])
    refused(folder, elf, modules, again.bases(modules)[0])
    return result()


if __name__ == "__main__":
    sys.exit(main())
