#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What other tools show of the locks of a program that is built for this machine, beside gnomon locks on the simulated board
(docs/guide/locks-peers.md). A tool that is missing or may not run here is named, with the reason. mutrace is in few distributions:
MUTRACE=FILE is its libmutrace.so.

usage: bench_locks_peers.py WORK_DIRECTORY SOURCE.c JSON_FILE"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

SECONDS = 300
FUTEX = re.compile(r"^ +futex +(\d+) +\d+ +([\d.]+)", re.M)
MUTRACE = re.compile(r"^ +\d+ +(\d+) +(\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) M", re.M)


def run(command, more=None):
    """Returns status, text and seconds."""
    began = time.monotonic()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False,
                          env=dict(os.environ, **(more or {})))
    return done.returncode, done.stdout + done.stderr, time.monotonic() - began


def last_line(text):
    return (text.strip().splitlines() or ["no output"])[-1]


def gnomon(work, source):
    elf, trace = work / "pool.elf", work / "pool.gnt"
    for command in (["gnomon", "cc", "--gnomon-locks", "-O2", "-g", "-o", elf, source], ["gnomon", "record", "--events", "-q", "-d", "sim:full", "-o", trace, elf]):
        status, text, seconds = run(command)
        if status:
            return {"not_run": last_line(text)}
    status, text, _ = run(["gnomon", "locks", "--json", "-i", trace])
    if status:
        return {"not_run": last_line(text)}
    said = json.loads(text)
    locks = {lock["name"]: {"acquired": lock["acquisitions"], "contended": lock["contended"], "wait_cycles": lock["wait"]["cycles"], "hold_cycles": lock["hold"]["cycles"]}
             for lock in said["locks"]}
    return {"seconds": seconds, "locks": locks, "orders_both_ways": len(said["circles"]), "exact": said["exact"],
            "shows": ", ".join(f"{name}: {lock['acquired']} acquired, {lock['contended']} contended, waits {lock['wait_cycles']:,} and holds {lock['hold_cycles']:,} cycles"
                               for name, lock in locks.items()) + f"; {len(said['circles'])} order both ways"}


def mutrace(program):
    library = os.environ.get("MUTRACE")
    if library and pathlib.Path(library).is_file():
        status, text, seconds = run([program], {"LD_PRELOAD": str(pathlib.Path(library).resolve())})
    elif shutil.which("mutrace"):
        status, text, seconds = run(["mutrace", program])
    else:
        return {"not_run": "not installed; Debian 12 has no package of it (MUTRACE=FILE: libmutrace.so)"}
    rows = [dict(zip(("locked", "changed", "contended", "wait_ms", "hold_ms", "mean_hold_ms"), map(float, row))) for row in MUTRACE.findall(text)]
    if status or not rows:
        return {"not_run": last_line(text)}
    return {"seconds": seconds, "mutexes": rows, "shows": ", ".join(f"mutex: {row['locked']:.0f} locked, owner changed {row['changed']:.0f} times, {row['contended']:.0f} "
                                                                    f"contended, waits {row['wait_ms']} ms, holds {row['hold_ms']} ms" for row in rows)}


def perf_lock(work, program):
    if not shutil.which("perf"):
        return {"not_run": "not installed (package linux-perf)"}
    data = work / "perf.data"
    status, text, seconds = run(["perf", "lock", "record", "-o", data, program])
    if status or not data.is_file():
        return {"not_run": last_line(text)}
    status, text, _ = run(["perf", "lock", "contention", "-i", data])
    if status:
        return {"not_run": last_line(text)}
    rows = [line for line in text.splitlines() if line.strip()][1:]
    return {"seconds": seconds, "kernel_locks": len(rows), "shows": f"{len(rows)} contended locks of the kernel, and none of the program"}


def perf_trace(program):
    if not shutil.which("perf"):
        return {"not_run": "not installed (package linux-perf)"}
    status, text, seconds = run(["perf", "trace", "-s", "-e", "futex", program])
    if status:
        return {"not_run": last_line(text)}
    calls = [(int(count), float(milliseconds)) for count, milliseconds in FUTEX.findall(text)]
    total = sum(count for count, _ in calls)
    return {"seconds": seconds, "futex_calls": total, "futex_ms": sum(one for _, one in calls),
            "shows": f"{total} system calls futex, {sum(one for _, one in calls):.3f} ms, by thread; no lock names, no holds"}


def valgrind(program, tool, *options):
    if not shutil.which("valgrind"):
        return {"not_run": "not installed (package valgrind)"}
    status, text, seconds = run(["valgrind", f"--tool={tool}", *options, program])
    if status:
        return {"not_run": last_line(text)}
    found = {"orders_both_ways": len(re.findall(r"lock order \".*\" violated", text)), "races": len(re.findall(r"Possible data race|Conflicting (?:load|store)", text)),
             "long_holds": len(re.findall(r"was held during", text))}
    said = [f"{found['races']} messages of data races"]
    if tool == "helgrind":
        said.append(f"{found['orders_both_ways']} lock order violated, with both stacks; no counts or times")
    else:
        said.append(f"{found['long_holds']} holds longer than 1 ms; no lock order")
    return {"seconds": seconds, **found, "shows": ", ".join(said)}


def main():
    work, source, to = map(pathlib.Path, sys.argv[1:])
    work.mkdir(parents=True, exist_ok=True)
    program = work / "pool"
    subprocess.run(["cc", "-D_GNU_SOURCE", "-O2", "-g", "-Ifirmware/runtime/include", "-Iinclude", "-o", program, source, "-pthread", "-rdynamic"], check=True)
    native = min(run([program])[2] for _ in range(3))
    tools = {"gnomon locks (simulated board)": gnomon(work, source), "mutrace": mutrace(program), "perf lock": perf_lock(work, program),
             "perf trace -e futex": perf_trace(program), "valgrind --tool=helgrind": valgrind(program, "helgrind"),
             "valgrind --tool=drd": valgrind(program, "drd", "--exclusive-threshold=1")}
    print(f"{source.name}: natively {native:.3f} s")
    for name, what in tools.items():
        took = f"{what['seconds']:6.2f} s" if "seconds" in what else "       -"
        print(f"{name:<31} {took}  {what.get('shows') or 'did not run: ' + what['not_run']}")
    to.write_text(json.dumps({"program": source.name, "native_seconds": native, "tools": tools}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
