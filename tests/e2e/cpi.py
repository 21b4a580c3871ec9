#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares cycles by stall cause, of the run and of each instruction: the device's counters with the simulator's
reference model of the whole program, difference 0; and the sums of annotate, report and stat with the run's
cycles.

usage: cpi.py --simulators FOLDER --out FOLDER NAME=WINDOWS=ELF[=ARGUMENT...]...
WINDOWS: operand of --cpi for the device: all, or names of functions separated by commas. NAME unsteady: a program
each of whose runs is longer than the one before.
Environment: PATH finds gnomon."""
import json
import os
import re
import shutil
import struct
import sys

import commands
from checking import check, result
from commands import must, run
from options import values

FAST = ["-d", "sim:full", *commands.FAST]
CAUSES = ["retired", "fetch", "jump", "mispredict", "load_use", "muldiv", "data", "trap", "wfi", "debug", "reset", "csr", "fence",
          "icache_miss", "dcache_miss", "unknown", "refresh", "page"]


def section(path):
    """Returns the section with the cycles of instructions of a trace file."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.index(b"GNTCPI\r\n") + 8
    return json.loads(data[at + 4:at + 4 + struct.unpack_from("<I", data, at)[0]])


def costs(rows):
    return {row[0]: dict(zip(row[1::2], row[2::2])) for row in rows}


def fresh(arguments, made=set()):  # one set for all calls
    """Returns the arguments and removes files of an earlier run: an existing output file would become an input."""
    made.update(name for name in arguments if not os.path.exists(name))
    for name in made & set(arguments):
        if os.path.exists(name):
            os.remove(name)
    return arguments


def record(output, cpi, elf, arguments, truth=None):
    """`truth`: file for the simulator's figures; the trace then has the device's figures."""
    more = ["--sim-option", "--instructions", "--sim-option", truth] if truth else []
    must(["gnomon", "record", "-q", *FAST, *more, "--cpi", cpi, "-o", output, elf, "--", *fresh(arguments)])
    return section(output)


def compare(mine, truth, whole):
    """Returns the differences between the device's figures and the simulator's."""
    errors = [f"{key}: {mine[key]}, not {truth[key]}" for key in ("cycles", "unattributed", "causes") if mine[key] != truth[key]]
    if mine.get("overflow") or mine.get("saturated"):
        errors.append("the device could not count all")
    left, right = costs(mine["instructions"]), costs(truth["instructions"])
    if not whole:
        right = {at: cost for at, cost in right.items() if mine["start"] <= at < mine["end"]}
    for at in sorted(left.keys() | right.keys()):
        if left.get(at) != right.get(at):
            errors.append(f"0x{at:x}: {left.get(at)}, not {right.get(at)}")
    if not right:
        errors.append("nothing was executed there")
    return errors


def total(cost):
    return sum(cost["causes"].values())


def sums(path):
    """annotate's figures of functions, lines and instructions add up to the run's cycles, as do those of report
    --causes."""
    whole = json.loads(must(["gnomon", "annotate", "--json", "-i", path]))
    truth = section(path)
    parts = [*whole["functions"], whole["not_counted"], whole["unattributed"]]
    errors = [f"{cost['cycles']} cycles, but causes of {total(cost)}" for cost in [whole, *parts] if cost["cycles"] != total(cost)]
    for index, cause in enumerate(CAUSES):
        of_parts = sum(part["causes"].get(cause, 0) for part in parts)
        if not of_parts == whole["causes"].get(cause, 0) == truth["causes"][index]:
            errors.append(f"{cause}: {of_parts} of the functions, {whole['causes'].get(cause)} of the run")
    if sum(part["cycles"] for part in parts) != whole["cycles"] or whole["cycles"] != truth["cycles"]:
        errors.append("functions do not add up to the run")
    if whole["not_counted"]["cycles"] != 0:
        errors.append(f"{whole['not_counted']['cycles']} cycles are in no instruction")
    if json.loads(must(["gnomon", "report", "--causes", "--json", path])) != whole:
        errors.append("report --causes says something else")
    for function in whole["functions"]:
        if function["name"] is None:
            continue
        one = json.loads(must(["gnomon", "annotate", "--json", "-i", path, f"0x{function['address']:x}"]))
        for kind in ("lines", "instructions"):
            if sum(map(total, one[kind])) != function["cycles"] or sum(part["cycles"] for part in one[kind]) != function["cycles"]:
                errors.append(f"{function['name']}: its {kind} do not add up to {function['cycles']}")
        for part in one["instructions"]:
            if part["executions"] != part["causes"].get("retired", 0) or not part["text"]:
                errors.append(f"{function['name']}: {part}")
    text = must(["gnomon", "annotate", "--asm", "-i", path, whole["functions"][0]["name"]]).splitlines()
    rows = [[int(word.replace(",", "")) if word != "-" else 0 for word in re.sub(r"\s\d+\.\d\d\s", " ", line.split("|")[0]).split()]
            for line in text[2:] if line.split("|")[0].strip()]
    if [sum(column) for column in zip(*rows[:-1])] != rows[-1] or rows[-1][0] != sum(rows[-1][1:]):
        errors.append("the columns of annotate --asm do not add up")
    return errors


def stat(elf, arguments, truth):
    errors = []
    command = ["gnomon", "stat", *FAST, "-r", "2"]
    done = run([*command, "--json", elf, "--", *fresh(arguments)])
    figures = json.loads(done.stdout)
    if not figures["identical"] or figures["cycles"]["runs"] != [truth["cycles"]] * 2:
        errors.append(f"cycles: {figures['cycles']}, not {truth['cycles']}")
    if figures["instructions"]["runs"][0] != truth["causes"][0]:
        errors.append(f"instructions: {figures['instructions']}")
    if [figures["causes"][cause]["runs"][1] for cause in CAUSES] != truth["causes"]:
        errors.append("other causes than in the reference model")
    text = run([*command, elf, "--", *fresh(arguments)]).stderr
    shares = [int(tenths.replace(".", "")) for tenths in re.findall(r"(\d+\.\d) %", text)]
    if sum(shares[:-1]) != 1000 or shares[-1] != 1000 or "identical in 2 runs" not in text or "ended with status" not in text:
        errors.append(f"text: {text}")
    return errors


def wrong(folder, elf, arguments, path):
    """Unsupported uses are refused with a remedy."""
    def says(name, command, status, text):
        done = run(command)
        check(name, [] if done.returncode == status and text in done.stderr and done.stderr.count("\n") >= 2
              else [f"exit status {done.returncode}: {done.stderr}"])

    def recording(cpi, *more):
        return ["gnomon", "record", *FAST, *more, "--cpi", cpi, "-o", f"{folder}/wrong.gnt", elf, "--", *arguments]

    annotate = ["gnomon", "annotate", "-i"]
    says("unknown function, recording", recording("no_such"), 1, "has no function no_such")
    says("range of nothing", recording("0x10000010-0x10000010"), 1, "has no function 0x10000010-0x10000010")
    says("odd range", recording("0x10000001-0x10000011"), 1, "has no function")
    if os.path.exists(f"{os.environ['GNOMON_SIM_DIR']}/small/gnomon-sim"):
        says("device without counters", ["gnomon", "record", "-d", "sim:small", "--sim-option=--instructions",
                                         f"--sim-option={folder}/small.json", "--cpi", "all", elf], 1,
             "does not count cycles by instruction")
    says("unknown function", [*annotate, path, "no_such"], 1, "has no function no_such")
    executed = {function["address"] for function in json.loads(must([*annotate, path, "--json"]))["functions"] if function["name"]}
    idle = next(name for address, kind, name in map(str.split, must(["riscv64-unknown-elf-nm", "--defined-only", elf]).splitlines())
                if kind == "T" and int(address, 16) not in executed)
    says("function that was not executed", [*annotate, path, idle], 1, "was not executed")
    must(["gnomon", "record", "-q", *FAST, "-o", f"{folder}/plain.gnt", elf, "--", *arguments])
    says("recording without", [*annotate, f"{folder}/plain.gnt"], 1, "does not say what instructions cost")
    record(f"{folder}/one.gnt", "main", elf, arguments)
    says("function outside of the code window", [*annotate, f"{folder}/one.gnt", "memset"], 1, "outside of the code that was counted")
    stripped = f"{folder}/no-lines.elf"
    must(["riscv64-unknown-elf-objcopy", "--strip-debug", elf, stripped])
    says("function without lines", [*annotate, path, "--elf", stripped, "--source", "main"], 1, "main has no line numbers")
    done = run([*annotate, path, "--elf", stripped, "main"])
    check("its instructions all the same", [] if done.returncode == 0 and "addi" in done.stdout.replace("add ", "addi ") else [done.stderr])
    says("wrong program", [*annotate, path, "--elf", "/bin/true"], 1, "another architecture")
    says("no disassembler", [*annotate, path, "--objdump", "/no/such", "main"], 1, "cannot disassemble")
    check("both views", [] if run([*annotate, path, "--asm", "--source", "main"]).returncode == 2 else ["accepted"])
    data = open(path, "rb").read()
    at = data.index(b"GNTCPI\r\n")
    for name, changed in (("damaged", data[:at + 40] + bytes([data[at + 40] ^ 1]) + data[at + 41:]), ("cut", data[:at + 40])):
        with open(f"{folder}/{name}.gnt", "wb") as file:
            file.write(changed)
        done = run([*annotate, f"{folder}/{name}.gnt"])
        check(f"{name} section", [] if done.returncode == 1 and done.stderr.startswith("gnomon: ") else [done.stderr, done.returncode])
    left = os.listdir(os.environ["TMPDIR"])
    check("no temporary file is left", left)


def unsteady(folder, elf):
    """Runs with different cycles are not merged, and stat prints their spread."""
    path = f"{folder}/unsteady.gnt"
    if os.path.exists(path):
        os.remove(path)
    done = run(["gnomon", "record", *FAST, "--sim-option", "--instructions", "--sim-option", f"{folder}/unsteady.json", "--cpi", "all",
                "-o", path, elf])
    check("runs that differ: record", [] if done.returncode == 1 and "run 2 took" in done.stderr and not os.path.exists(path) else [done.stderr])
    figures = json.loads(must(["gnomon", "stat", *FAST, "-r", "4", "--json", elf]))
    runs = figures["cycles"]["runs"]
    mean = sum(runs) / 4
    error = 100 * (sum((one - mean) ** 2 for one in runs) / 3 / 4) ** 0.5 / mean
    good = not figures["identical"] and figures["cycles"]["mean"] == mean and abs(figures["cycles"]["spread_percent"] - error) < 1e-9
    check("runs that differ: stat", [] if good and len(set(runs)) == 4 and runs == sorted(runs) else [figures])
    text = run(["gnomon", "stat", *FAST, "-r", "4", elf]).stderr
    check("and in words", [] if "mean of 4 runs" in text and "( +- " in text else [text])


def main():
    simulators, folder, programs = values(__doc__, "simulators", "out", rest="PROGRAM")
    os.makedirs(folder, exist_ok=True)
    os.environ["GNOMON_SIM_DIR"] = simulators
    os.environ["TMPDIR"] = f"{folder}/tmp"  # a private folder: other tests run at the same time
    shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
    os.mkdir(os.environ["TMPDIR"])
    for number, program in enumerate(programs):
        name, code_windows, elf, *arguments = program.split("=")
        if name == "unsteady":
            unsteady(folder, elf)
            continue
        path = f"{folder}/{name}.gnt"
        truth = record(path, "all", elf, arguments)
        check(f"{name}: {truth['cycles']} cycles, {len(truth['instructions'])} instructions, sums", sums(path))
        for code_window in code_windows.split(","):
            mine = record(f"{folder}/{name}-{code_window}.gnt", code_window, elf, arguments, f"{folder}/{name}-truth.json")
            with open(f"{folder}/{name}-truth.json", encoding="utf-8") as file:
                own = json.load(file)
            errors = compare(mine, own, code_window == "all") + ([] if own == truth else ["the reference model's figures differ from run to run"])
            check(f"{name}, --cpi {code_window}: {mine.get('runs', 1)} runs, {len(mine['instructions'])} instructions equal the reference model", errors)
        check(f"{name}: stat", stat(elf, arguments, truth))
        if number == 0:
            wrong(folder, elf, arguments, path)
    return result()


if __name__ == "__main__":
    sys.exit(main())
