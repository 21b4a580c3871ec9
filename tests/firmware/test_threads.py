#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the threads layer of the runtime: self-checking programs on simulated boards, recorded; how programs end that
cannot go on; that a program without threads contains nothing of it.

usage: test_threads.py WORK_DIRECTORY [--deep]"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

from checking import check, expect, result, same

HERE = pathlib.Path(__file__).parent
PROGRAMS = HERE / "threads"
CC = ["gnomon", "cc", "-Os", "-g", "-Wall", "-Wextra", "-Werror", "-DPICOLIBC_INTEGER_PRINTF_SCANF"]
SECONDS = 600
# For each device: programs, with arguments. Small devices follow 8 threads.
SHORT = {"full": ["lifecycle", "locks", "timing", "c11", "handlers", "many 62"], "mid": ["timing"], "small": ["locks", "handlers", "many 5"]}
DEEP = {device: ["lifecycle", "locks", "timing", "c11", "handlers", "many 5 20"] for device in SHORT}
DEEP["full"] += ["many 300", "many 10 300"]
SYMBOLS = re.compile(r"__gnomon_(kernel|thread|switch|preempt|mutex)|pthread|gnomon_timer_interrupt$")
# How a program ends: status, what standard error says, what standard output says.
ENDS = {
    "deadlock": (134, "dying.elf died: all threads wait: deadlock", ""),
    "alone": (134, "dying.elf died: all threads wait: deadlock", ""),
    "stack": (139, "stack overflow of thread digger in dig", ""),
    "guard": (139, "dying.elf died: stack overflow of thread vandal", ""),
    "main": (139, "stack overflow of thread main in dig", "last thread\n"),
    "exit": (42, "", "at exit\n"),
    "return": (7, "", "at exit\n"),
    "last": (0, "", "last thread\nat exit\n"),
    "crash": (139, "store access fault, address 0x00000000", ""),
}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    return done.returncode, done.stdout, done.stderr


def compile_one(out, name, *options, source=None):
    elf = out / f"{name}.elf"
    status, _, errors = run(*CC, *options, str(source or PROGRAMS / f"{name}.c"), "-o", str(elf))
    check(f"compile {elf.stem}", [errors] if status else [])
    return str(elf)


def record(out, device, elf, *arguments):
    """Runs a program under the profiler. Each check of the program, and the recording, must be good."""
    name = " ".join((pathlib.Path(elf).stem, *arguments))
    trace = str(out / f"{name.replace(' ', '-')}-{device}.gnt")
    status, output, errors = run("gnomon", "record", "-q", "-d", f"sim:{device}", "-o", trace, elf, *(["--", *arguments] if arguments else []))
    wrong = [f"status {status}", output, errors] if status else []
    if not re.search(r"^[1-9]\d* checks, 0 failed$", output, re.M):
        wrong.append(f"its last line: {output.splitlines()[-1:]}")
    status, text, errors = run("gnomon", "report", "--json", trace)
    summary = json.loads(text) if not status else {}
    if not summary.get("exact"):
        wrong.append(f"not counted exactly: {summary.get('reasons', errors)}")
    check(f"{name} on {device}", wrong)
    return output, summary


def test_programs(out, programs):
    elfs = {name: compile_one(out, name) for name in ("lifecycle", "locks", "timing", "c11", "handlers", "many")}
    for device, names in programs.items():
        for name, *arguments in map(str.split, names):
            output, summary = record(out, device, elfs[name], *arguments)
            if name != "many":
                continue
            threads = sum(int(argument) for argument in arguments) + 2  # with main and the time in which all wait
            same(f"{arguments} on {device}: thread table", output.splitlines()[-2], f"threads {min(threads, 255)} refused {max(threads - 255, 0)}")
            calls = {function["name"]: function["calls"] for function in summary.get("functions", [])}
            same(f"{arguments} on {device}: calls", calls.get("add"), 3 * int(arguments[0]))


def test_ends(out, device, ends):
    elf = compile_one(out, "dying")
    for what in ends:
        status, says, prints = ENDS[what]
        got = run("gnomon", "run", "-q", "-d", f"sim:{device}", elf, "--", what)
        good = got[0] == status and got[1] == prints and says in got[2] and bool(says) == bool(got[2])
        check(f"ends by {what} on {device}", [] if good else list(map(str, got)))


def symbols(elf):
    return [line.split()[-1] for line in run("riscv64-unknown-elf-nm", elf)[1].splitlines()]


def test_without(out):
    """A program without threads has nothing of the layer, with or without sleeping and locks of libc."""
    source = out / "without.c"
    source.write_text("#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
                      "int main(void) { char *text = malloc(9); sprintf(text, \"%d\", 1); puts(text); free(text); usleep(9); return 0; }\n", encoding="utf-8")
    for options in ([], ["-flto"]):
        found = [name for name in symbols(compile_one(out, "without" + "".join(options), *options, source=source)) if SYMBOLS.search(name)]
        # start.S names the handler of each interrupt.
        same(f"symbols without threads {options}", [name for name in found if name != "gnomon_timer_interrupt"], [])
    found = symbols(str(out / "c11.elf"))
    for name in ("nanosleep", "usleep", "__retarget_lock_acquire_recursive"):
        expect(f"one {name} with threads", found.count(name) <= 1)


def test_refusals(out):
    """The layer owns the timer's interrupt."""
    source = out / "timer.c"
    source.write_text("#include <pthread.h>\n#include <gnomon.h>\nGNOMON_INTERRUPT void gnomon_timer_interrupt(void) {}\n"
                      "int main(void) { pthread_t t; return pthread_create(&t, 0, 0, 0); }\n", encoding="utf-8")
    status, _, errors = run(*CC, str(source), "-o", str(out / "timer.elf"))
    expect("a handler of the timer is refused beside threads", status and "multiple definition of `gnomon_timer_interrupt'" in errors, status, errors)


def test_records(out):
    """Records in memory: the thread is told to them, and all calls are counted."""
    elf = compile_one(out, "many", "--gnomon-records=array")
    records = str(out / "many.records")
    status, output, errors = run("gnomon", "run", "-q", "-d", "sim:full", "--get", f"gnomon.records={records}", elf, "--", "6")
    expect("records in memory: runs", not status and "0 failed" in output, status, output, errors)
    status, text, errors = run("gnomon", "report", "--json", "--elf", elf, records)
    summary = json.loads(text) if not status else {}
    calls = {function["name"]: function["calls"] for function in summary.get("functions", [])}
    same("records in memory: calls", (calls.get("adds"), calls.get("add")), (6, 18), errors)
    expect("records in memory: exact", summary.get("exact"), summary.get("reasons"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--deep", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    test_programs(options.out, DEEP if options.deep else SHORT)
    test_ends(options.out, "full", ENDS)
    test_ends(options.out, "small", ENDS if options.deep else ["deadlock", "stack"])
    test_without(options.out)
    test_refusals(options.out)
    test_records(options.out)
    sys.exit(result())


if __name__ == "__main__":
    main()
