#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long interrupts wait: `gnomon report`, `dump` and `check` against the simulator's reference model of the requests, difference 0; and
against a timer that asks at equal distances. No cycle more with the messages.

usage: interrupt_waits.py --out FOLDER --waits ELF --without BOARD ELF...   (BOARD does not see interrupts)"""
import json
import pathlib
import re
import sys

from checking import expect, result, same
from commands import FAST, must, run, sim_options
from options import values

OUT, WAITS, WITHOUT, ELFS = values(__doc__, "out", "waits", "without", rest="ELF", least=1)
OUT = pathlib.Path(OUT)
OUT.mkdir(parents=True, exist_ok=True)
TIMER, PERIOD = 7, 1009  # of waits.c


def record(elf, name, *options):
    trace = OUT / f"{name}.gnt"
    program, *arguments = str(elf).split("=")
    done = run(["gnomon", "record", "-q", "-d", "sim:full", "-o", trace, "--events", *options, program, *arguments])
    expect(f"{name}: status", done.returncode == 0, done.returncode, done.stderr)
    return trace


def reported(trace):
    report = json.loads(must(["gnomon", "report", "--json", "-i", trace]))
    return {int(found[1]): dict(row["waits"], calls=row["calls"]) for row in report["functions"]
            if (found := re.fullmatch(r"\[interrupt (\d+)\]", row["name"])) and "waits" in row}


def buckets(cycles):
    cells = {}
    for one in cycles:
        low = 1 << one.bit_length() - 1 if one > 1 else 0
        calls, total, squares = cells.get(low, (0, 0, 0))
        cells[low] = calls + 1, total + one, squares + one * one
    return sorted((low, *cell) for low, cell in cells.items())


def compare(elf, name, least):
    """All that is reported, against the model, which must have seen `least` interrupts or more. Returns the recording and the model's waits:
    [cycle, code, cycles waited]."""
    model = OUT / f"{name}.model.json"
    trace = record(elf, name, "--interrupts", *FAST, *sim_options("--oracle", f"{str(elf).split('=')[0]}={model}"))
    want = json.loads(model.read_text("utf-8"))["interrupt_waits"]
    expect(f"{name}: enough interrupts", len(want) >= least, len(want))
    got = reported(trace)
    same(f"{name}: which interrupts", sorted(got), sorted({code for _, code, _ in want}))
    for code, waits in got.items():
        known = [(cycle, cycles) for cycle, of, cycles in want if of == code]
        cycles = [one for _, one in known]
        same(f"{name}: interrupt {code}", (waits["count"], waits["cycles"], waits["min_cycles"], waits["max_cycles"], waits["calls"], waits["exact"]),
             (len(cycles), sum(cycles), min(cycles), max(cycles), len(cycles), True))
        same(f"{name}: interrupt {code}: the longest", waits["longest_at_cycle"], next(cycle for cycle, one in known if one == max(cycles)))
        same(f"{name}: interrupt {code}: buckets", [(cell["from"], cell["calls"], cell["cycles"], int(cell["squares"])) for cell in waits["histogram"]], buckets(cycles))
    events = re.findall(r"^ *(\d+) .* interrupt (\d+) had waited (\d+) cycles$", must(["gnomon", "dump", "-i", trace]), re.M)
    same(f"{name}: gnomon dump", [(int(cycle) - 1, int(code), int(cycles)) for cycle, code, cycles in events], [tuple(one) for one in want])
    return trace, want


def equal_distances(want):
    """The timer asks every PERIOD cycles, whenever its handler begins."""
    asked = [cycle - waited for cycle, code, waited in want if code == TIMER]
    same("the times at which the timer asks", {after - before for before, after in zip(asked, asked[1:])}, {PERIOD})
    expect("some waits are long", max(waited for _, code, waited in want if code == TIMER) > 200)


def gates(trace, want):
    longest = max(waited for _, code, waited in want if code == TIMER)
    plain = record(WAITS, "plain", *FAST)
    for limit, status in ((longest, 0), (longest - 1, 4)):
        same(f"--max-latency {limit}", run(["gnomon", "check", "--max-latency", f"irq7:{limit}", trace]).returncode, status)
    same("against itself", run(["gnomon", "check", "--max-latency", "irq7:+0", "--baseline", trace, trace]).returncode, 0)
    same("an interrupt that did not come", run(["gnomon", "check", "--max-latency", "irq11:0", trace]).returncode, 0)
    done = run(["gnomon", "check", "--max-latency", "irq7:9", plain])
    expect("not recorded", done.returncode == 1 and "record with --events --interrupts" in done.stderr, done.stderr)
    done = run(["gnomon", "check", "--max-latency", "irq7:+0", "--baseline", plain, trace])
    expect("not recorded before", done.returncode == 1 and "plain.gnt does not say" in done.stderr, done.stderr)
    done = run(["gnomon", "check", "--max-latency", "main:9", trace])
    expect("no interrupt", done.returncode == 2 and "irqN:LIMIT" in done.stderr, done.returncode, done.stderr)
    ends = [json.loads(must(["gnomon", "dump", "--json", "-i", one]).splitlines()[-1]) for one in (plain, trace)]
    same("no cycle more", *((end["cycle"], end["instructions"]) for end in ends))


def losses():
    """With lost messages no latency counts as exact, and a limit that may be kept is not taken for kept."""
    trace = record(f"{WAITS}=1000", "loss", "--interrupts", *sim_options("--rate-divisor", "200"))
    waits = reported(trace)
    expect("something was lost", json.loads(must(["gnomon", "report", "--json", "-i", trace]))["lost_events"] > 0)
    expect("not exact", all(not one["exact"] for one in waits.values()), waits)
    same("a limit", run(["gnomon", "check", "--max-latency", "irq7:100000", trace]).returncode, 4)
    text = must(["gnomon", "report", "--flat", "-i", trace])
    expect("the table", re.search(r"\+\[interrupt 7\]", text.split("request to the handler")[1]), text)


all_waits = {}
for one in (WAITS, *ELFS):
    all_waits[one] = compare(one, pathlib.Path(one.split("=")[0]).name, 20 if one == WAITS else 5)
equal_distances(all_waits[WAITS][1])
gates(*all_waits[WAITS])
losses()
done = run(["gnomon", "record", "-d", f"sim:{WITHOUT}", "--events", "--interrupts", "-o", OUT / "refused.gnt", WAITS])
expect("a device that does not see them", done.returncode == 1, done.stderr)
sys.exit(result())
