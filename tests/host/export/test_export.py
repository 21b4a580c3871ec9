#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon export: what each format's own reader says of a recording equals gnomon report's figures, difference 0.

usage: test_export.py --gnomon COMMAND --out FOLDER --pprof COMMAND --heap RECORDING RECORDING...
Readers: callgrind_annotate, riscv64-unknown-elf-gprof, dot, pprof; --pprof - leaves its check out."""
import collections
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

import readers
from checking import check, expect, result, same
from commands import must, run
from options import values

GNOMON, OUT, PPROF, HEAP, RECORDINGS = values(__doc__, "gnomon", "out", "pprof", "heap", rest="RECORDING")
OUT, GNOMON = pathlib.Path(OUT), pathlib.Path(GNOMON).resolve()


class Report:
    """gnomon report --json of a recording, by the names that the exported files have."""

    def __init__(self, recording):
        done = run([GNOMON, "report", "--json", recording])
        self.status, self.json = done.returncode, json.loads(done.stdout)
        names = collections.Counter(f["name"] for f in self.json["functions"])
        # Functions of the same name have more words in an export: they are compared by their sum.
        self.unique = {name for name, count in names.items() if count == 1}
        self.functions = {f["name"]: f for f in self.json["functions"] if f["name"] in self.unique}
        self.self_sum = sum(f["self_cycles"] for f in self.json["functions"])
        self.cycles, self.lost, self.unprofiled = (self.json[key] for key in ("cycles", "lost_cycles", "unprofiled_cycles"))
        self.aggregated = not any(thread["trap_cycles"] is not None for thread in self.json["threads"])
        self.recursive = self.find_recursive()

    def find_recursive(self):
        """Functions that call themselves, directly or through others: readers add up what report counts once."""
        functions = self.json["functions"]
        called = collections.defaultdict(set)
        for arc in self.json["arcs"]:
            if arc["caller"] is not None:
                called[arc["caller"]].add(arc["callee"])
        recursive = set()
        for start in range(len(functions)):
            seen, rest = set(), list(called[start])
            while rest:
                at = rest.pop()
                if at not in seen:
                    seen.add(at)
                    rest += called[at]
            if start in seen:
                recursive.add(functions[start]["name"])
        return recursive

    def arcs(self):
        """{(caller, callee): calls} of functions that have callers."""
        names, sums = [f["name"] for f in self.json["functions"]], collections.Counter()
        for arc in self.json["arcs"]:
            if arc["caller"] is not None:
                sums[names[arc["caller"]], names[arc["callee"]]] += arc["calls"]
        return sums

    def figures(self, key, among=None):
        return {name: f[key] for name, f in self.functions.items() if among is None or name in among}


def export(form, recording, *more):
    path = OUT / f"{recording.stem}.{form}"
    done = run([GNOMON, "export", "--to", form, "-o", path, *more, recording])
    return path, done


def compare(what, got, want):
    """Functions without cycles may be missing in a reader's list."""
    wrong = {name: (got.get(name, 0), value) for name, value in want.items() if got.get(name, 0) != value}
    return [f"{what}: {wrong}"] if wrong else []


def check_folded(recording, report):
    path, done = export("folded", recording)
    got = readers.folded(path.read_text(errors="replace"))
    errors = [] if done.returncode == report.status else [f"status {done.returncode}: {done.stderr}"]
    errors += compare("self", got.self, report.figures("self_cycles"))
    if not report.aggregated:  # function records do not know whole paths
        errors += compare("total", got.total, report.figures("total_cycles"))
    want = {"all": report.cycles, "lost": report.lost, "unprofiled": report.unprofiled, "threads": sum(t["cycles"] for t in report.json["threads"])}
    sums = {"all": got.sum, "lost": got.lost, "unprofiled": got.unprofiled, "threads": want["threads"] if report.aggregated else got.sum}
    check(f"folded: {recording.stem}", errors + compare("sums", sums, want))


def check_callgrind(recording, report):
    path, done = export("callgrind", recording)
    errors = [] if done.returncode == report.status else [f"status {done.returncode}: {done.stderr}"]
    got, whole, remarks = readers.callgrind(path, inclusive=False)
    calls = readers.callgrind_calls(path)
    inclusive, _, _ = readers.callgrind(path, inclusive=True)
    errors += compare("self", got["Cycles"], report.figures("self_cycles"))
    total = report.figures("total_cycles", report.unique - report.recursive)
    errors += compare("inclusive", inclusive["Cycles"], total)
    errors += compare("calls", calls, report.figures("calls"))
    errors += compare("sum", {"Cycles": sum(got["Cycles"].values())}, {"Cycles": report.cycles})
    errors += [] if whole["Cycles"] == report.cycles else [f"totals {whole}"]
    if "Charged" in got:
        costs = json.loads(must([GNOMON, "report", "--causes", "--json", recording]))
        want = collections.Counter()
        for function in costs["functions"]:
            want[function["name"]] += function["cycles"]
        errors += compare("charged", readers.by_name(got["Charged"]), {n: c for n, c in want.items() if n in report.unique})
        errors += compare("charged", {"sum": sum(got["Charged"].values())}, {"sum": costs["cycles"]})
        causes = {name: sum(cycles.values()) for name, cycles in got.items() if name not in ("Cycles", "Charged")}
        errors += compare("causes", {"sum": sum(causes.values()), **causes}, {"sum": costs["cycles"], **costs["causes"]})
    errors += [f"remark missing: {r['text']}" for r in report.json["reasons"] if r["text"] not in remarks]
    check(f"callgrind_annotate: {recording.stem}", errors)


def check_pprof(recording, report):
    path, done = export("pprof", recording)
    errors = [] if done.returncode == report.status else [f"status {done.returncode}: {done.stderr}"]
    if PPROF == "-":
        return
    flat, total = readers.pprof_top(PPROF, path, "cycles")
    calls, _ = readers.pprof_top(PPROF, path, "calls")
    errors += compare("flat", flat, {**report.figures("self_cycles"), "[lost]": report.lost, "[unprofiled]": report.unprofiled})
    if not report.aggregated:
        errors += compare("cum", total, report.figures("total_cycles"))
    errors += compare("calls", calls, report.figures("calls"))
    errors += compare("sum", {"cycles": sum(flat.values())}, {"cycles": report.cycles})
    comments = must([PPROF, "-comments", path])
    errors += [f"comment missing: {r['text']}" for r in report.json["reasons"] if r["text"] not in comments]
    if not report.aggregated:
        tags = readers.pprof_tags(PPROF, path)
        errors += compare("threads", tags.pop("thread"), {t["name"]: t["cycles"] for t in report.json["threads"]})
        for key, start in ("interrupt", "[interrupt "), ("exception", "[exception "):
            # What a handler calls has the label, too.
            errors += [] if bool(tags.get(key)) == any(f["name"].startswith(start) for f in report.json["functions"]) else [f"{key}: {tags}"]
            for number, cycles in tags.get(key, {}).items():
                total = next((f["total_cycles"] for f in report.json["functions"] if f["name"] == f"{start}{number}]"), None)
                errors += [] if cycles == total else [f"{key} {number}: {cycles}, not {total}"]
    check(f"pprof: {recording.stem}", errors)


def check_inlined(recording):
    """The frames of each instruction are those that addr2line finds. The outermost has the linker's name, of which a function can have several."""
    if PPROF == "-":
        return
    path, _ = export("pprof", recording)
    program = json.loads(must([GNOMON, "report", "--json", recording]))["program"]
    got = readers.pprof_frames(PPROF, path)
    want = readers.addr2line_frames(program, got)
    known = {address for address, frames in want.items() if "??" not in str(frames)}
    errors = [f"{address:#x}: {got[address]}, not {want[address]}" for address in sorted(known)
              if got[address][:-1] != want[address][:-1] or got[address][-1][1] != want[address][-1][1]]
    errors += [] if sum(len(got[address]) > 1 for address in known) > 20 else ["too few inlined instructions"]
    check(f"pprof, inlined functions: {recording.stem}, {len(known)} instructions", errors)



def check_gmon(recording, report):
    """gprof knows the program's own functions by their linker's names; traps and modules are outside of all."""
    path, done = export("gmon", recording)
    errors = [] if done.returncode == report.status else [f"status {done.returncode}: {done.stderr}"]
    program = report.json["program"]
    cycles, calls, unit = readers.gprof_flat(program, path)
    known = {n: f for n, f in report.functions.items() if f["address"] and "module" not in f and "overlay" not in f}
    left_out = readers.gprof_leaves_out(program)
    known = {n: f for n, f in known.items() if f.get("symbol", n) not in left_out}
    errors += compare("self", cycles, {f.get("symbol", n): f["self_cycles"] for n, f in known.items()})
    arcs = readers.gprof_arcs(program, path)
    calls.update({caller: count for (caller, callee), count in arcs.items() if caller == callee})  # gprof shows them apart
    errors += compare("calls", calls, {f.get("symbol", n): f["calls"] for n, f in known.items()})
    want = {(a, b): n for (a, b), n in report.arcs().items() if a in known and b in known}
    errors += compare("arcs", arcs, {(known[a].get("symbol", a), known[b].get("symbol", b)): n for (a, b), n in want.items()})
    errors += [] if unit == ("cycles" if report.json["exact"] else "inexact cycles") else [f"unit {unit}"]
    costs, _ = export("callgrind", recording)
    if "retired" in costs.read_text(errors="replace"):
        blocks = readers.gprof_blocks(program, path)
        wrong = set(blocks) - readers.executions(costs)
        errors += [] if blocks and not wrong else [f"basic blocks: {wrong} of {blocks}"]
    check(f"gprof: {recording.stem}", errors)


def check_dot(recording, report):
    path, done = export("dot", recording)
    errors = [] if done.returncode == report.status else [f"status {done.returncode}: {done.stderr}"]
    figures, arcs = readers.dot(path)
    errors += compare("self of total", figures, {n: (f["self_cycles"], f["total_cycles"]) for n, f in report.functions.items()})
    errors += compare("sum", {"self": sum(f[0] for f in figures.values())}, {"self": report.cycles})
    errors += compare("arcs", arcs, {(a, b): n for (a, b), n in report.arcs().items() if a in report.unique and b in report.unique})
    label = " ".join(must(["dot", "-Tjson0", path]).split())
    errors += [f"remark missing: {r['text']}" for r in report.json["reasons"] if r["text"].replace('"', r"\"") not in label]
    check(f"dot: {recording.stem}", errors)


def check_flamegraph(recording, report):
    path, done = export("flamegraph", recording)
    errors = [] if done.returncode == report.status else [f"status {done.returncode}: {done.stderr}"]
    got, text = readers.flamegraph(path)
    errors += compare("self", got, {**report.figures("self_cycles"), "[lost]": report.lost, "[unprofiled]": report.unprofiled})
    errors += compare("sum", {"self": sum(got.values())}, {"self": report.cycles})
    errors += [f"remark missing: {r['text']}" for r in report.json["reasons"] if r["text"] not in text]
    check(f"flamegraph: {recording.stem}", errors)


def check_output(recording):
    """Full disk, Ctrl-C, standard output, wrong usage: an error, and no half file."""
    folder = OUT / "output"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    done = run([GNOMON, "export", "--to", "folded", "-o", "/dev/full", recording])
    expect("a full disk", done.returncode == 1 and "No space left" in done.stderr, done.stderr)
    kept = folder / "kept"
    kept.write_text("earlier")
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)), "restore_signals": False}  # SIGXFSZ stays ignored
    done = run([GNOMON, "export", "--to", "folded", "-o", kept, recording], **limit)
    same("a file that cannot grow", (done.returncode, kept.read_text(), [p.name for p in folder.iterdir()]), (1, "earlier", ["kept"]), done.stderr)
    kept.unlink()
    whole, _ = export("folded", recording)
    same("standard output", must([GNOMON, "export", "--to", "folded", "-q", "-o", "-", recording], status=run([GNOMON, "report", recording]).returncode), whole.read_text())
    done = run([GNOMON, "export", "--to", "folded", pathlib.Path(recording).resolve()], cwd=folder)
    same("the default name", [p.name for p in folder.iterdir()], [f"{recording.stem}.folded"], done.stderr)
    done = run([GNOMON, "export", "--to", "nonsense", recording])
    expect("an unknown format", done.returncode == 2 and "--list" in done.stderr, done.stderr)
    done = run([GNOMON, "export", recording])
    expect("no format", done.returncode == 2 and "--to" in done.stderr, done.stderr)
    listed = json.loads(must([GNOMON, "export", "--list", "--json"]))
    text = must([GNOMON, "export", "--list"])
    expect("--list", len(listed) >= 3 and all(f["name"] in text and f["description"] in text for f in listed), text)
    check_interrupt(recording, folder)


def check_interrupt(recording, folder):
    """The command waits in a pipe that nobody reads: a signal ends it, and the earlier file is there."""
    path = folder / "kept"
    path.write_text("earlier")
    slow = folder / "input"
    os.mkfifo(slow)
    command = subprocess.Popen([GNOMON, "export", "--to", "folded", "-o", path, slow], stderr=subprocess.PIPE)
    with open(slow, "wb") as stream:
        stream.write(recording.read_bytes()[:512])
        stream.flush()
        time.sleep(0.3)
        command.send_signal(signal.SIGINT)
        command.wait(60)
    expect("Ctrl-C", command.returncode in (130, -signal.SIGINT), command.returncode)
    same("and no half file", (path.read_text(), sorted(p.name for p in folder.iterdir() if "tmp" in p.name)), ("earlier", []))


def check_heap(recording):
    """pprof reads what gnomon heap says."""
    path, done = export("pprof-heap", recording)
    told = json.loads(must([GNOMON, "heap", "--json", recording]))
    errors = [] if done.returncode == 0 else [f"status {done.returncode}: {done.stderr}"]
    for sample, key in ("alloc_objects", "allocated_blocks"), ("alloc_space", "allocated_bytes"), ("inuse_objects", "live_blocks"), ("inuse_space", "live_bytes"):
        flat, _ = readers.pprof_top(PPROF, path, sample)
        errors += compare(sample, flat, {row["function"]: row[key] for row in told["functions"]})
        errors += compare(sample, {"all": sum(flat.values())}, {"all": told[key]})
    path, _ = export("pprof-growth", recording)
    for sample, key in ("growths", "grown"), ("space", "grown_bytes"):
        errors += compare(sample, readers.pprof_top(PPROF, path, sample)[0], {row["function"]: row[key] for row in told["functions"]})
    for form, more, key in (("pprof-heap-legacy", "--inuse_space", "live_bytes"), ("pprof-heap-legacy", "--alloc_space", "allocated_bytes"),
                            ("pprof-growth-legacy", "--show_bytes", "grown_bytes")):
        flat, total = readers.google_pprof_bytes(export(form, recording)[0], more)
        errors += compare(f"{form} {more}", flat | {"all": total}, {row["function"]: row[key] for row in told["functions"]} | {"all": told[key]})
    check(f"pprof of the heap: {recording.stem}, {told['allocated_bytes']} bytes", errors)
    same("a recording without heap", (export("pprof-heap", pathlib.Path(RECORDINGS[0]))[1].returncode, (OUT / f"{pathlib.Path(RECORDINGS[0]).stem}.pprof-heap").exists()), (1, False))


def check_strict(recording, report):
    done = run([GNOMON, "export", "--to", "folded", "--strict", "-o", "-", recording])
    want = 1 if report.status else 0 if report.json["complete"] else 3
    same(f"--strict: {recording.stem}", done.returncode, want, done.stderr)
    missing = [r["text"] for r in report.json["reasons"] if r["text"] not in done.stderr]
    same(f"reasons on standard error: {recording.stem}", missing, [])


OUT.mkdir(parents=True, exist_ok=True)
for name in RECORDINGS:
    file = pathlib.Path(name)
    truth = Report(file)
    check_folded(file, truth)
    check_callgrind(file, truth)
    check_pprof(file, truth)
    if file.stem == "cpi":
        check_inlined(file)
    check_gmon(file, truth)
    check_dot(file, truth)
    check_flamegraph(file, truth)
    check_strict(file, truth)
check_output(pathlib.Path(RECORDINGS[0]))
if PPROF != "-":
    check_heap(pathlib.Path(HEAP))
sys.exit(result())
