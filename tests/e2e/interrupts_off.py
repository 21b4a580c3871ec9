#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interrupts that a program switches off: `gnomon locks` against the simulator's reference model, which sees only the bit MIE of mstatus,
difference 0; the options that ask for them; no cycle more with them.

usage: interrupts_off.py --out FOLDER --without BOARD ELF...   (BOARD does not see them)"""
import json
import os
import pathlib
import sys

from checking import expect, result, same
from commands import FAST, must, run, sim_options
from options import values

OUT, WITHOUT, ELFS = values(__doc__, "out", "without", rest="ELF", least=1)
OUT = pathlib.Path(OUT)
OUT.mkdir(parents=True, exist_ok=True)
CSR_BYTES = 4  # a call site is the address after the instruction


def record(elf, name, *options):
    trace = OUT / f"{name}.gnt"
    done = run(["gnomon", "record", "-q", "-d", "sim:full", "-o", trace, "--events", *options, elf])
    expect(f"{name}: status", done.returncode == 0, done.returncode, done.stderr)
    return trace


def end_of(trace):
    return json.loads(must(["gnomon", "dump", "--json", "-i", trace]).splitlines()[-1])


def histogram(cycles):
    cells = {}
    for one in cycles:
        low = 1 << max(one.bit_length() - 1, 0) if one else 0
        cells[low if low > 1 else 0] = cells.get(low if low > 1 else 0, 0) + 1
    return sorted(cells.items())


def compare(elf):
    name = pathlib.Path(elf).name
    model = OUT / f"{name}.model.json"
    trace = record(elf, name, "--interrupts", *FAST, *sim_options("--oracle", f"{elf}={model}"))
    shown = json.loads(must(["gnomon", "locks", "--json", trace]))
    want = json.loads(model.read_text(encoding="utf-8"))["interrupts_off"]
    holds = want["holds"]
    expect(f"{name}: they are switched off often enough", len(holds) > 20, len(holds))
    got = [lock for lock in shown["locks"] if lock["kind"] == "interrupts"]
    same(f"{name}: a lock of its own", [(lock["name"], lock["exact"]) for lock in got], [("interrupts off", True)])
    hold, cycles = got[0]["hold"], [one[1] for one in holds]
    same(f"{name}: holds", (hold["count"], hold["cycles"], hold["min"], hold["max"]), (len(cycles), sum(cycles), min(cycles), max(cycles)))
    same(f"{name}: begun", got[0]["acquisitions"], len(holds) + want["off"])
    same(f"{name}: histogram", [(cell["from"], cell["count"]) for cell in hold["histogram"] if cell["count"]], histogram(cycles))
    sites = {}
    for _, length, pc in holds:
        sites.setdefault(pc and pc + CSR_BYTES, []).append(length)
    by_caller = {(part["caller"] or {}).get("address", 0): part["hold"] for part in got[0]["by_caller"]}
    same(f"{name}: by call site", {site: (one["count"], one["cycles"], one["max"]) for site, one in by_caller.items() if one["count"]},
         {site: (len(lengths), sum(lengths), max(lengths)) for site, lengths in sites.items()})
    longest = got[0]["longest_holds"]
    same(f"{name}: longest", [one["cycles"] for one in longest], sorted(cycles, reverse=True)[:len(longest)])
    first = next(one for one in holds if one[1] == max(cycles))
    same(f"{name}: the longest one's time", longest[0]["from"], first[0])
    return trace, len(holds)


def no_probe_effect(elf, trace):
    plain, end = end_of(record(elf, "plain", *FAST)), end_of(trace)
    same("cycles and instructions without it", (end["cycle"], end["instructions"]), (plain["cycle"], plain["instructions"]))


def texts(trace):
    table = must(["gnomon", "locks", trace])
    expect("the table", any(line.split()[:3] == ["interrupts", "off", "interrupts"] for line in table.splitlines()), table)
    details = must(["gnomon", "locks", "--lock", "interrupts off", trace])
    expect("the details", "histogram" in details.lower() or "from" in details.lower(), details)
    dump = must(["gnomon", "dump", "-i", trace])
    expect("gnomon dump", "interrupts off in " in dump and "interrupts on in " in dump, dump[:2000])


def refused(elf):
    done = run(["gnomon", "record", "-d", "sim:full", "--interrupts", "-o", OUT / "refused.gnt", elf])
    expect("without --events", done.returncode == 2 and "--interrupts needs --events" in done.stderr, done.stderr)
    done = run(["gnomon", "record", "-d", f"sim:{WITHOUT}", "--events", "--interrupts", "-o", OUT / "refused.gnt", elf])
    expect("a device that does not see them", done.returncode == 1 and "does not see when the program switches interrupts off" in " ".join(done.stderr.split()), done.stderr)


for one in ELFS:
    last, _ = compare(os.path.abspath(one))
no_probe_effect(os.path.abspath(ELFS[-1]), last)
texts(last)
refused(os.path.abspath(ELFS[-1]))
sys.exit(result())
