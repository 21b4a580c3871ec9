#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon export to ctf, vcd and pprof-legacy: what babeltrace2, gtkwave's converters and google-pprof say of a recording
equals the figures of gnomon report and gnomon locks, difference 0.

Also of the recording cut in its middle, and without its second frame.
usage: test_export_traces.py --gnomon COMMAND --out FOLDER RECORDING..."""
import collections
import json
import pathlib
import sys

import readers_traces as readers
from checking import check, result
from commands import run
from options import values

GNOMON, OUT, RECORDINGS = values(__doc__, "gnomon", "out", rest="RECORDING")
OUT, GNOMON = pathlib.Path(OUT), pathlib.Path(GNOMON).resolve()
FRAME, HEADER_AT = 512, 12
OWNED = ("mutex", "recursive", "errorcheck", "spin", "rwlock")


class Reported:
    """What gnomon report says of a recording."""

    def __init__(self, recording):
        done = run([GNOMON, "report", "--json", recording])
        self.status, self.json = done.returncode, json.loads(done.stdout)
        names = collections.Counter(f["name"] for f in self.json["functions"])
        self.functions = {f["name"]: f for f in self.json["functions"] if names[f["name"]] == 1}
        self.events = any(thread["trap_cycles"] is not None for thread in self.json["threads"])
        self.reasons = [reason["text"] for reason in self.json["reasons"]]
        # One thread ran on two harts at once, by the recording: what a hart does from now on changes with the other's events.
        self.twice = {"unbalanced-exits", "thread-on-both-harts"} & {r["id"] for r in self.json["reasons"]} and "harts" in recording.stem

    def figures(self, key):
        return {name: f[key] for name, f in self.functions.items()}

    def sums(self):
        sums = {key: self.json[f"{key}_cycles"] for key in ("lost", "unprofiled")}
        return {"self": sum(f["self_cycles"] for f in self.json["functions"]), **sums}

    def threads(self):
        """Threads of one name have their numbers in the files."""
        names = collections.Counter(t["name"] for t in self.json["threads"])
        return {t["name"]: t["cycles"] for t in self.json["threads"] if names[t["name"]] == 1}


def export(form, recording, report):
    path = OUT / f"{recording.parent.name}-{recording.stem}.{form}"
    done = run([GNOMON, "export", "--to", form, "-o", path, recording])
    return path, [] if done.returncode == report.status else [f"status {done.returncode}, not {report.status}: {done.stderr}"]


def compare(what, got, want):
    wrong = {name: (got.get(name, 0), value) for name, value in want.items() if got.get(name, 0) != value}
    return [f"{what} (got, want): {wrong}"] if wrong else []


def compare_all(got, report):
    errors = compare("self", got.self, report.figures("self_cycles"))
    errors += compare("sums", {"self": sum(got.self.values()), "lost": got.lost, "unprofiled": got.unprofiled}, report.sums())
    return errors + compare("lost events", {"lost": got.discarded}, {"lost": report.json["lost_events"]})


def check_ctf(recording, report):
    path, errors = export("ctf", recording, report)
    got = readers.ctf(path)
    errors += compare_all(got, report) + compare("calls", got.calls, report.figures("calls")) + compare("threads", got.threads, report.threads())
    errors += compare("lost frames", {"frames": got.packets}, {"frames": report.json["lost_frames"]})
    environment = readers.ctf_environment(path)
    errors += [f"remark missing: {text}" for text in report.reasons if text not in environment]
    check(f"babeltrace2: {path.stem}", errors)


def holds(recording):
    """Cycles of the owned locks, of those whose holds are all known from beginning to end."""
    done = run([GNOMON, "locks", "--json", recording])
    if not done.stdout:  # a recording without messages of locks
        return {}
    told = json.loads(done.stdout)
    names = collections.Counter(lock["name"] for lock in told["locks"])
    held = {lock["lock"] for lock in told["held_at_end"]}
    held |= {wrong["lock"] for wrong in told["misuse"]}  # free until the program is told that its release failed
    return {readers.vcd_name(lock["name"]): lock["hold"]["cycles"] for lock in told["locks"]
            if lock["index"] and lock["kind"] in OWNED and not lock["holds_unknown"] and lock["name"] not in held and names[lock["name"]] == 1}


def waits(recording):
    """Cycles from each request for an owned lock to the thread's next message about such a lock, by thread."""
    sums, asked, cycle = collections.Counter(), {}, 0
    for line in run([GNOMON, "dump", "--json", recording]).stdout.splitlines():
        event = json.loads(line)
        cycle = event.get("cycle", cycle)
        if event.get("event") == "lock" and event.get("lock_kind") in OWNED:
            thread = event["thread_name"]
            sums[thread] += cycle - asked.pop(thread, cycle)
            if event["message"] == "request":
                asked[thread] = cycle
    for thread, since in asked.items():
        sums[thread] += cycle - since
    return {readers.vcd_name(thread): cycles for thread, cycles in sums.items()}


def check_vcd(recording, report):
    path, errors = export("vcd", recording, report)
    got = readers.vcd(path)
    if not report.twice:
        errors += compare_all(got, report)
        errors += compare("threads", got.threads, {readers.vcd_name(name): cycles for name, cycles in report.threads().items()})
    if len(report.json["threads"]) == 1 and report.json["exact"]:  # a thread's trap may end after another thread's
        errors += compare("traps", got.traps, {name: f["total_cycles"] for name, f in report.functions.items() if name.startswith(("[interrupt ", "[exception "))})
    errors += compare("holds", got.owners, holds(recording))
    if report.json["exact"] and "harts" not in recording.stem:  # names of threads that only one hart has
        errors += compare("waits", got.waits, waits(recording))
    text = path.read_text()
    errors += [f"remark missing: {reason}" for reason in report.reasons if reason not in text]
    check(f"gtkwave: {path.stem}", errors)


def check_pprof(recording, report):
    path, errors = export("pprof-legacy", recording, report)
    flat, cum, total, warnings = readers.google_pprof(path)
    names = collections.Counter(readers.shortened(f["name"]) for f in report.json["functions"])
    unique = {name: f for name, f in report.functions.items() if names[readers.shortened(name)] == 1}
    errors += compare("flat", flat, {readers.shortened(name): f["self_cycles"] for name, f in unique.items()})
    errors += compare("flat", flat, {"[lost]": report.json["lost_cycles"], "[unprofiled]": report.json["unprofiled_cycles"]})
    errors += compare("sums", {"flat": sum(flat.values()), "total": total}, {"flat": report.json["cycles"], "total": report.json["cycles"]})
    if report.events:
        errors += compare("cum", cum, {readers.shortened(name): f["total_cycles"] for name, f in unique.items()})
    errors += [f"warning missing: {text}" for text in report.reasons if text not in warnings]
    check(f"google-pprof: {path.stem}", errors)


def damaged(recording):
    """Copies of the recording of which parts are missing."""
    data = recording.read_bytes()
    frames = HEADER_AT + int.from_bytes(data[8:12], "little") + 4
    parts = {"cut": data[: frames + FRAME * ((len(data) - frames) // FRAME // 2)], "gap": data[: frames + FRAME] + data[frames + 2 * FRAME :]}
    for name, part in parts.items():
        path = OUT / f"{recording.stem}-{name}.gnt"
        path.write_bytes(part)
        yield path


OUT.mkdir(parents=True, exist_ok=True)
for file in map(pathlib.Path, RECORDINGS):
    for each in (file, *damaged(file)):
        truth = Reported(each)
        check_pprof(each, truth)
        if truth.events:
            check_ctf(each, truth)
            check_vcd(each, truth)
sys.exit(result())
