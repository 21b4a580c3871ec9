#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the whole chain on the simulated board. Results and recordings go to build/e2e.

usage: e2e.py exact ELF [--twice] [--lossy-too [--bytes]] [ARG...]
                                  report = oracle, nothing lost; two runs give the same file; also at USB's real rate, where
                                  a recording takes at most 2.0 bytes per enter or exit, all overhead included
       e2e.py small|mid ELF [--lossy] [ARG...]
                                  on the board of that name, at USB's real rate and a tenth of it: report = oracle, same
                                  cycles, lost + received = produced; with --lossy the real rate loses events, else none
       e2e.py records ELF [--small] [--lossy] [--events-only|--oracle-only] [ARG...]
                                  with function records, at USB's real rate: nothing lost, equal to the events and to the
                                  oracle; on the board full, or small; with --lossy events are lost, and the figures are
                                  compared with the oracle only
       e2e.py loss ELF [ARG...]   at a tenth of the rate: same cycles, lost + received = produced
       e2e.py one-instruction ELF each hook of the image is one instruction
"""
import json
import os
import pathlib
import re
import subprocess
import sys

from checking import fail
from commands import FAST_USB as FAST, must, run, sim_options

OUT = pathlib.Path("build/e2e")
GNOMON = "build/bin/gnomon"
HERE = pathlib.Path(__file__).parent
CABLE = ["--usb-rate", "true"]  # loses events beyond full speed's rate


def record(elf, arguments, name, simulator, oracle=None, board="sim:full", options=("--events",)):
    """Records ELF into OUT/name.gnt; returns the file's path."""
    trace = OUT / f"{name}.gnt"
    if oracle:
        simulator = simulator + ["--oracle", f"{elf}={oracle}"]
    for argument in arguments:
        if argument.startswith(str(OUT)):  # removes the output of an earlier run, which would become an input
            pathlib.Path(argument).unlink(missing_ok=True)
    command = [GNOMON, "record", "-q", "-d", board, "-o", str(trace), *options, *sim_options(*simulator)]
    # The program's own status is passed on: only a status of the command's own is a failure here.
    done = run([*command, elf, "--", *arguments])
    if not trace.exists() or re.match(r"gnomon: record: (?!warning: )", done.stderr):
        fail(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return trace


def report(trace):
    text = must([GNOMON, "report", "-i", trace, "--json"])
    path = trace.with_suffix(".report.json")
    path.write_text(text, encoding="utf-8")
    return path, json.loads(text)


def compare(report_path, oracle_path):
    done = subprocess.run([sys.executable, HERE / "compare_oracle.py", report_path, oracle_path], check=False)
    if done.returncode != 0:
        fail(f"{report_path} differs from {oracle_path}")


def exact(elf, arguments, flags):
    name = "-".join([pathlib.Path(elf).stem] + [re.sub(r"\W", "_", os.path.basename(a)) for a in arguments])
    oracle = OUT / f"{name}.oracle.json"
    oracle.unlink(missing_ok=True)
    trace = record(elf, arguments, name, FAST, oracle)
    path, result = report(trace)
    if result["lost_events"] != 0:
        fail(f"{name}: {result['lost_events']} events lost with USB {FAST[1]} times as fast")
    compare(path, oracle)
    if "--twice" in flags and trace.read_bytes() != record(elf, arguments, f"{name}.again", FAST).read_bytes():
        fail(f"{name}: two recordings differ")
    if "--lossy-too" in flags:
        oracle.unlink()
        path, lossy = report(record(elf, arguments, f"{name}.rate1", CABLE, oracle))
        if lossy["cycles"] != result["cycles"]:
            fail(f"{name}: {lossy['cycles']} cycles at the real rate, {result['cycles']} at the fast one")
        compare(path, oracle)
        if "--bytes" in flags:
            bytes_per_event(OUT / f"{name}.rate1.gnt", sum(function["calls"] for function in lossy["functions"]))


def check_loss_reason(result, slower):
    """The report says what was slower than the events."""
    said = [reason["text"] for reason in result["reasons"] if reason["id"] == "events-lost"]
    if [text.split("faster than ")[-1] for text in said] != [slower]:
        fail(f"the reason is not that {slower}: {said}")


def records(elf, arguments, flags):
    name = f"{pathlib.Path(elf).stem}.records{'-small' * ('--small' in flags)}"
    oracle = OUT / f"{name}.oracle.json"
    oracle.unlink(missing_ok=True)
    board = "sim:small" if "--small" in flags else "sim:full"
    path, result = report(record(elf, arguments, name, CABLE, oracle, board, ["--records"]))
    lossy = "--lossy" in flags
    # small has no call graph, so it cannot tell that a function has only one open activation, and reports longjmp's
    # landings as ambiguous.
    reasons = [reason for reason in result["reasons"] if reason["id"] != "ambiguous-landings" or board != "sim:small"]
    if bool(result["lost_events"]) != lossy or (reasons and not lossy):
        fail(f"{name}: {result['lost_events']} events lost, {reasons}")
    if lossy:  # storm sends messages, too, which go to the host
        check_loss_reason(result, "the device adds calls to its records, or than the link to the host takes messages and accesses"
                          if "storm" in name else "the device adds them to its records")
    if "--events-only" not in flags:
        compare(path, oracle)
    if "--oracle-only" in flags or lossy:
        print(f"{name}: {result['received_events']} events in {result['cycles']} cycles")
        return
    _, events = report(record(elf, arguments, f"{name}.events", FAST, board=board))
    pairs_too = board == "sim:full"  # full also has minimum, maximum and histograms
    keys = ("number", "name", "calls", "self_cycles", "total_cycles", "min_cycles", "max_cycles") + ("histogram",) * pairs_too

    def figures(source):
        return sorted([[function.get(key) for key in keys] for function in source["functions"]], key=str)
    def arcs(source):
        """Returns arcs without total cycles: in recursion the records count a cycle in fewer arcs."""
        names = [function["name"] for function in source["functions"]]
        return sorted(("" if arc["caller"] is None else names[arc["caller"]], names[arc["callee"]], arc["calls"], arc["self_cycles"])
                      for arc in source["arcs"])
    if pairs_too and arcs(result) != arcs(events):
        fail(f"{name}: the call graphs differ: {arcs(result)} {arcs(events)}")
    if figures(result) != figures(events) or result["cycles"] != events["cycles"] or result["received_events"] != events["received_events"]:
        fail(f"{name}: records and events differ")
    print(f"{name}: {result['received_events']} events, the same from records of {os.path.getsize(OUT / f'{name}.gnt')} bytes and from events of "
          f"{os.path.getsize(OUT / f'{name}.events.gnt')}")


def bytes_per_event(trace, calls):
    """Prints the size of a recording per enter and exit, all overhead included."""
    size = os.path.getsize(trace)
    print(f"{trace}: {size} bytes, {calls} calls, {size / (2 * calls):.3f} bytes per enter or exit")
    if size > 4.0 * calls:
        fail("more than 2.0 bytes per enter or exit")


def account(trace, label):
    """Checks that enters and exits nest and that lost + received = produced; returns the number of lost events."""
    _, result = report(trace)
    received, lost, produced, depth = 0, 0, None, []
    for line in must([GNOMON, "dump", "-i", trace, "--json"]).splitlines():
        event = json.loads(line)
        kind = event.get("event")
        if kind == "lost":
            lost += event["enters"] + event["exits"] + event["others"]
        elif kind == "end":
            produced = event["produced"]
        elif kind in ("enter", "trap_enter"):
            received += 1
            depth.append(event.get("number", kind))
        elif kind in ("exit", "trap_leave"):
            received += 1
            if depth.pop() != event.get("number", "trap_enter"):
                fail(f"{label}: exit of a function that is not on top: {line}")
        elif kind in ("channel", "lock", "module"):
            received += 1
    if produced is None or received + lost != produced:
        fail(f"{label}: received {received} + lost {lost} != produced {produced}")
    if lost != result["lost_events"]:
        fail(f"{label}: dump counts {lost} lost, report {result['lost_events']}")
    print(f"{label}: received {received} + lost {lost} = produced {produced}, {result['cycles']} cycles")
    return lost, result["cycles"]


def loss(elf, arguments):
    name = pathlib.Path(elf).stem
    cycles = set()
    for label, options in (("full", CABLE), ("tenth", ["--rate-divisor", "10"]), ("fast", FAST), ("lossless", [])):
        lost, took = account(record(elf, arguments, f"{name}.{label}", options), f"{name}.{label}")
        cycles.add(took)
        if (label in ("fast", "lossless") and lost != 0) or (label == "tenth" and lost == 0):
            fail(f"{name}.{label}: {lost} events lost")
    if len(cycles) != 1:
        fail(f"{name}: the program's cycles depend on how fast the trace is read: {sorted(cycles)}")


def smaller(board, elf, arguments, flags):
    name = f"{pathlib.Path(elf).stem}.{board}"
    oracle = OUT / f"{name}.oracle.json"
    cycles = set()
    for label, options in (("full", CABLE), ("tenth", ["--rate-divisor", "10"])):
        oracle.unlink(missing_ok=True)
        trace = record(elf, arguments, f"{name}.{label}", options, oracle, board=f"sim:{board}")
        lost, took = account(trace, f"{name}.{label}")
        cycles.add(took)
        path, result = report(trace)
        compare(path, oracle)
        if lost:
            check_loss_reason(result, "the link to the host takes them")
        if (lost != 0) != (label == "tenth" or "--lossy" in flags):
            fail(f"{name}.{label}: {lost} events lost")
    if len(cycles) != 1:
        fail(f"{name}: the program's cycles depend on how fast the trace is read: {sorted(cycles)}")


def one_instruction(elf):
    """Every store into the window is a single instruction relative to x0, and every profiled function begins with one."""
    text = must(["riscv64-unknown-elf-objdump", "-d", "-M", "no-aliases", elf])
    code = {int(m[1], 16): m[2] for m in re.finditer(r"^\s*([0-9a-f]+):\s+[0-9a-f]+\s+(\S.*)$", text, re.M)}
    table = subprocess.run(
        ["riscv64-unknown-elf-objcopy", "-O", "binary", "--only-section=.gnomon.map",
         "--set-section-flags", ".gnomon.map=alloc", elf, "/dev/stdout"], capture_output=True, check=True).stdout
    words = [int.from_bytes(table[at : at + 4], "little") for at in range(0, len(table), 4)]
    functions = {function: slot for slot, function in zip(words[::2], words[1::2]) if slot and function}
    if not functions:
        fail(f"{elf}: no profiled function")
    for function, slot in functions.items():
        first = code.get(function, "nothing")
        if not re.match(rf"sb\s+ra,{slot - (1 << 32)}\(zero\)", first):
            fail(f"{elf}: function at {function:#x} with slot {slot:#x} begins with {first}")
    far = [line for line in code.values() if re.match(r"sb\s+(ra|sp),-?\d+\((?!zero)", line) and "(sp)" not in line]
    exits = sum(1 for line in code.values() if re.match(r"sb\s+sp,-\d+\(zero\)", line))
    print(f"{elf}: {len(functions)} functions begin with one store, {exits} exits are one store, {len(far)} are longer")
    if far:
        fail(f"{elf}: {far[:5]}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    OUT.mkdir(parents=True, exist_ok=True)
    what, elf, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    flags = [a for a in rest if a.startswith("--")]
    arguments = [a for a in rest if not a.startswith("--")]
    if what == "exact":
        exact(elf, arguments, flags)
    elif what in ("small", "mid"):
        smaller(what, elf, arguments, flags)
    elif what == "records":
        records(elf, arguments, flags)
    elif what == "loss":
        loss(elf, arguments)
    elif what == "one-instruction":
        one_instruction(elf)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
