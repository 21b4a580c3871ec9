#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the device's counters and ranges, as the host programs and reads them, with the simulator's reference model
(sim/counts.h): difference 0 for every event, with every filter.

usage: counts.py --reader COMMAND WHAT [ELF [ARG...]]   (the reader is tests/e2e/counts.c); WHAT:
       events     every event, without filter and with each filter in turn
       some       a few events with a few filters (for long programs)
       overflow   counters that wrap: their interrupt is pending PENDING cycles after the cycle of the wrap
       trace      a trace limited to ranges: equals that part of the whole trace, cycle for cycle
       busy       a program that reads counters all the time by their registers: nothing is lost; lost counts are refused
       together   a program that reads a counter by its CSR all the time, while the host reads the same counters
       refuse     (no ELF) invalid settings are refused
"""
import json
import os
import pathlib
import re
import subprocess

from checking import fail
from e2e import FAST, GNOMON, OUT, record
from gnomon_trace import CHANNEL_MARK
from options import values

NM, OBJDUMP = "riscv64-unknown-elf-nm", "riscv64-unknown-elf-objdump"
FILTERS = ("", ":u", ":m", ":range0", ":range1", ":data", ":thread=2", ":range0:thread=1", ":data:m", ":u:m", ":range0:data:u")
FEW = ("cycles", "retired:range0", "cycles:range0", "cycles-icache-miss:range1", "branches-taken:range0", "loads:data",
       "icache-misses", "bus-instruction-reads", "mispredictions:range1", "bus-data-reads", "bus-data-writes:range0", "bus-host-reads")
# two functions and a variable of each demo program
DEMO = {"zlib": ("deflate_slow", "inflate_fast", "_length_code"), "logo": ("stbi__parse_png_file", "malloc", "canvas.2")}
READS = 20  # of the host, while the hart reads a counter all the time
PENDING = range(4, 27)  # cycles from a counter's wrap to its pending interrupt
LINE_WORDS = 8  # words of a line of the instruction cache


def event_names():
    """Events that the simulator counts, too: all except trace events, tag events, and cycles in debug mode (which
    continue while the host reads the counters)."""
    with open("rtl/soc/events.json", encoding="utf-8") as source:
        names = [event["name"] for event in json.load(source)["events"]]
    return [name for name in names if name not in ("none", "trace-events", "trace-lost", "tagged", "tagged-fills", "cycles-unknown", "cycles-debug")]


def ranges_of(elf, names):
    """Returns [first address, address after the last byte] of functions or variables."""
    done = subprocess.run([NM, "-S", elf], capture_output=True, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        match = re.fullmatch(r"(\w+) (\w+) \w (\S+)", line)
        if match:
            found[match[3]] = [int(match[1], 16), int(match[1], 16) + int(match[2], 16)]
    return [found[name] for name in names]


def awkward_ranges(elf):
    """Returns ranges with odd limits: a whole function; from the middle of one function to before the next; from the
    upper byte of a halfword to the middle of another."""
    whole, _, halves = ranges_of(elf, ("mix", "collatz", "halves"))
    done = subprocess.run([OBJDUMP, "-d", "--disassemble=collatz", elf], capture_output=True, text=True, check=True)
    addresses = [int(match, 16) for match in re.findall(r"^ *([0-9a-f]+):\t", done.stdout, re.MULTILINE)]
    return [whole, [addresses[1], addresses[len(addresses) // 2]], [halves[0] + 3, halves[0] + 41]]


def spec_of(setting, start):
    event, *filters = setting.split(":")
    counter = {"event": event, "start": start}
    ranges = [{"range0": 0, "range1": 1, "data": 2}[f] for f in filters if f in ("range0", "range1", "data")]
    modes = [f for f in filters if f in ("u", "m")]
    if ranges:
        counter["ranges"] = ranges
    if modes:
        counter["mode"] = modes[0] if len(modes) == 1 else "none"
    for f in filters:
        if f.startswith("thread="):
            counter["thread"] = int(f[7:])
    return counter


def run(program, elf, arguments, ranges, settings, starts, name):
    """Returns (the device's values, the simulator's values)."""
    spec, got, want = (OUT / f"{name}.counts.{part}.json" for part in ("spec", "device", "oracle"))
    got.unlink(missing_ok=True)
    want.unlink(missing_ok=True)
    spec.write_text(json.dumps({"ranges": ranges, "settings": list(zip(settings, starts)),
                                "counters": [spec_of(s, start) for s, start in zip(settings, starts)]}), encoding="ascii")
    environment = {**os.environ, "COUNTS": f"{spec}={want}"}
    done = subprocess.run([program, "sim:full", spec, got, elf, *arguments], capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        fail(f"{name}: {done.stderr}{done.stdout}")
    return json.loads(got.read_text(encoding="ascii")), json.loads(want.read_text(encoding="ascii"))


def compare(name, settings, got, want):
    for setting, (count, _), oracle in zip(settings, got["counters"], want["counters"]):
        if count != oracle["count"]:
            fail(f"{name}: {setting} is {count}, by the simulator's count {oracle['count']}")
    if got["ranges"] != want["ranges"]:
        fail(f"{name}: ranges {got['ranges']}, by the simulator's count {want['ranges']}")


def several(program, elf, arguments, ranges, settings, name):
    """Compares all settings, six in a run; returns the counts by setting, and the ranges."""
    counts = {}
    for at in range(0, len(settings), 6):
        part = settings[at:at + 6]
        got, want = run(program, elf, arguments, ranges, part, [0] * len(part), name)
        compare(name, part, got, want)
        counts |= {setting: count for setting, (count, _) in zip(part, got["counters"])}
    return counts, got["ranges"]


def events(program, elf, arguments):
    ranges = awkward_ranges(elf)
    names = event_names()
    rotated = [names[i] + FILTERS[1 + (i + shift) % (len(FILTERS) - 1)] for shift in (0, 4, 7) for i in range(len(names))]
    counts, figures = several(program, elf, arguments, ranges, names + rotated, pathlib.Path(elf).stem)
    # The list of events must not be full of zeros.
    silent = {name for name in names if counts[name] == 0}
    folder = os.environ.get("GNOMON_SIM_DIR", "")
    sdram = "sdram" in folder
    cached = sdram or "cached" in folder
    # The host polls when it has time, so these events do not occur in every run.
    allowed = {"cycles-fence", "bus-host-reads", "bus-host-writes"}
    if not cached:
        allowed |= {"cycles-data", "cycles-dcache-miss", "dcache-accesses", "dcache-misses"}
    if not sdram:
        allowed |= {"cycles-refresh", "cycles-page"}
    if not arguments:
        allowed |= {"interrupts", "cycles-wfi"}
    if silent - allowed or 0 in figures[0]:
        fail(f"nothing was counted of {sorted(silent - allowed)}; ranges {figures}")
    # Every miss reads a line from the bus, and nothing else reads lines; the last line may be incomplete.
    reads, misses = counts["bus-instruction-reads"], counts["icache-misses"]
    if not (misses - 1) * LINE_WORDS <= reads <= misses * LINE_WORDS:
        fail(f"{reads} reads of the bus for {misses} lines")
    # A misprediction costs two cycles, or three if the branch is resolved late, as in the function `late`.
    late = several(program, elf, arguments, ranges_of(elf, ("late",)), ["mispredictions:range0", "cycles-mispredict:range0"], "late")[0]
    for wrong, bubbles in ((counts["mispredictions"], counts["cycles-mispredict"]), late.values()):
        if not bubbles / 3 <= wrong <= bubbles / 2 or wrong < 20:
            fail(f"{wrong} mispredictions cost {bubbles} cycles")
    alive = sum(count != 0 for setting, count in counts.items() if ":" in setting)
    print(f"{elf} {arguments}: {len(names)} events and {len(rotated)} with filters, {alive} of these not 0, difference 0; ranges {figures}")


def some(program, elf, arguments):
    ranges = ranges_of(elf, DEMO[pathlib.Path(elf).stem])
    counts, figures = several(program, elf, arguments, ranges, FEW, pathlib.Path(elf).stem)
    if not counts["bus-host-reads"]:
        fail(f"{elf}: no figures were shown while it ran")
    print(f"{elf}: {counts}, ranges {figures}, difference 0")


def overflow(program, elf, arguments):
    """Interrupts are enabled from the start of main to its end, and only counters raise them: the interrupt is
    pending within the documented cycles. (The host reads the counters meanwhile: two accesses at most delay it.)"""
    ranges = awkward_ranges(elf)
    latencies = []
    for setting, n in (("branches", 4000), ("cycles", 15001), ("retired:u", 700), ("loads:data", 177), ("cycles:range1", 1234), ("icache-misses", 45),
                       ("mispredictions:range0", 20), ("messages", 40), ("stores:thread=2", 100)):
        got, want = run(program, elf, [*arguments, "0", "1"], ranges, [setting], [-n], "overflow")
        compare(setting, [setting], got, want)
        wrapped = want["counters"][0]["wrapped"]
        if not got["counters"][0][1] or wrapped is None or len(want["taken"]) != 1:
            fail(f"{setting} from -{n}: {got}, {want}")
        pending = want["first_pending"]
        if pending - wrapped not in PENDING or want["taken"][0] < pending + 4:
            fail(f"{setting} from -{n}: wraps in cycle {wrapped}, interrupt pending in {pending}, taken in {want['taken']}")
        latencies.append(pending - wrapped)
    got, want = run(program, elf, [*arguments, "0", "1"], ranges, ["branches", "cycles"], [0, 0], "overflow")
    if any(wrapped for _, wrapped in got["counters"]) or want["taken"]:
        fail(f"an interrupt without a wrap: {got}")
    print(f"overflow: pending {min(latencies)} to {max(latencies)} cycles after the wrap in {len(latencies)} cases")


def trace(_program, elf, _arguments):
    """The program sets and enables the ranges between its marks 1 and 2."""
    names = ("within_0", "within_1")
    places = [f"{address:08x}" for ends in ranges_of(elf, names) for address in ends]

    def recorded(mask):
        path = record(elf, [str(mask), *places], f"traced{mask}", FAST)
        done = subprocess.run([GNOMON, "dump", "--json", "-i", str(path)], capture_output=True, text=True, check=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return [line for line in lines if line["event"] in ("enter", "exit", "trap_enter", "trap_leave", "channel", "end", "lost")]
    whole = recorded(0)
    first, last = (next(e["cycle"] for e in whole if e["event"] == "channel" and e["number"] == CHANNEL_MARK + mark) for mark in (1, 2))
    counts = []
    for mask in (1, 2, 3):
        inside = [name for bit, name in enumerate(names) if mask >> bit & 1]
        want = [e for e in whole if e["event"] not in ("enter", "exit") or not first < e["cycle"] < last or e["function"] in inside]
        got = recorded(mask)
        keys = ("event", "number", "cycle")
        if [[e.get(k) for k in keys] for e in got] != [[e.get(k) for k in keys] for e in want]:
            fail(f"ranges {mask}: {len(got)} events, {len(want)} wanted")
        counts.append(len(got))
    if not counts[0] < counts[2] < len(whole) or counts[1] >= counts[2]:
        fail(f"trace: {len(whole)} events, {counts} with ranges")
    print(f"trace: {len(whole)} events; in range 0, 1, both: {counts}, each in its cycle")


def busy(program, elf, _arguments):
    """The program reads registers of counters (with an argument, of ranges) in hundreds of consecutive instructions,
    and no count is lost. The host refuses counts of a device that has lost some."""
    settings = ["cycles", "retired", "loads", "bus-data-reads:range0", "cycles:m", "retired:range0"]
    for arguments in ([], ["ranges"]):
        got, want = run(program, elf, arguments, ranges_of(elf, ("main",)), settings, [0] * len(settings), "busy")
        compare("busy", settings, got, want)
    spec = OUT / "busy.counts.spec.json"
    for bits, what in ("0x1", "its counters"), ("0x10000", "an address range"):
        done = subprocess.run([program, "sim:full", spec, OUT / "lost.json", elf], capture_output=True, text=True, check=False,
                              env={**os.environ, "PMU_LOST": bits})
        if done.returncode != 1 or f"has lost counts of {what} (PMU.LOST is 0x{int(bits, 16):08x})" not in done.stderr:
            fail(f"lost counts {bits}: status {done.returncode}, {done.stderr}")
    print("busy: difference 0")


def together(program, elf, _arguments):
    """Neither gets a word of another counter: no value goes back (the reader checks this), and all are right at the end."""
    settings = ["retired", "branches", "branches-taken", "loads", "jumps", "cycles"]
    reads = runs = 0
    while reads < READS:  # how many fit into a run depends on the machine
        got, want = run(program, elf, [], ranges_of(elf, ("main",)), settings, [0] * len(settings), "together")
        compare("together", settings, got, want)
        reads, runs = reads + got["reads"], runs + 1
        if runs == 2 * READS:
            fail(f"the host has read the counters {reads} times only, in {runs} runs")
    print(f"together: {reads} reads of the host in {runs} runs, difference 0")


def refuse(program):
    words = ["there is no event"] * 2 + ["is not a filter"] * 7
    everything = words + ["0 ", "there is no counter 6", "there is no counter 6", "there is no range 3", "the range from",
                          "does not count the event later", "ff00ff00 d0000000", "1"]
    for board, wanted in (("sim:full", everything), ("sim:mid", words + ["no counters that the host can program"]),
                          ("sim:small", words + ["no counters that the host can program"])):
        done = subprocess.run([program, "refuse", board], capture_output=True, text=True, check=True)
        lines = done.stdout.splitlines()
        if len(lines) != len(wanted) or any(want not in line for want, line in zip(wanted, lines)):
            fail(f"{board}: " + "\n".join(lines))
    print("refuse: good")


def main():
    program, (what, *rest) = values(__doc__, "reader", rest="WHAT")
    OUT.mkdir(parents=True, exist_ok=True)
    if what == "refuse":
        refuse(program)
    else:
        {"events": events, "some": some, "overflow": overflow, "trace": trace, "busy": busy, "together": together}[what](program, rest[0], rest[1:])


if __name__ == "__main__":
    main()
