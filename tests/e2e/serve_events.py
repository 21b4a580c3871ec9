#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon serve --http --events: what both pprofs fetch of heap and locks is what gnomon heap and gnomon locks say of a recording of
the same run, while the program runs and at its end.

usage: serve_events.py --gnomon COMMAND --pprof COMMAND --out FOLDER --random ELF --small ELF --other ELF --arguments WORDS --without ELF --mutexes ELF
                       --kinds ELF
    --random: random_heap.c; --small: the same for the simulated small; --other: a program that is not of this project, with its arguments
    between commas; --without: a program that is not linked with --gnomon-heap; --mutexes, --kinds: programs with mutexes only, and with other locks
"""
import json
import os
import pathlib
import re
import sys

from checking import expect, result, same
from commands import must, run
from options import values
from serve_http import Server, clean

HEAP_ADDR, HEAP_ALLOC, HEAP_FREE = 4, 5, 6
GREW = 0x80000000  # include/gnomon/heap.h
TYPES = ("alloc_objects", "alloc_space", "inuse_objects", "inuse_space")
CALLS = "4000"
LOSSY = ("--sim-option", "--rate-divisor", "--sim-option", "40")


def record(elf, out, arguments, board="full", options=()):
    trace = out / f"{pathlib.Path(elf).stem}-{board}{len(options)}.gnt"
    run(["gnomon", "record", "-q", "--events", "-d", f"sim:{board}", *options, "-o", trace, elf, "--", *arguments])
    return trace


def by_function(trace, *keys):
    """[{function: figure}] for each key, functions without any left out, and the whole account"""
    heap = json.loads(must(["gnomon", "heap", "--json", trace]))
    return [{f["function"]: f[key] for f in heap["functions"] if f[key]} for key in keys], heap


# ---- What the readers see ----

def pprof_flat(pprof, source, index):
    text = must([pprof, "-timeout=600", "-top", "-nodefraction=0", "-edgefraction=0", "-nodecount=1000000", f"-sample_index={index}", "-unit=B", source],
                env={**os.environ, "PPROF_TMPDIR": "/nonexistent"})
    flat = {}
    for found in re.finditer(r"^\s*(\d+)B?\s+[\d.]+%\s+[\d.]+%\s+\d+B?\s+[\d.]+%  (.*)$", text, re.M):
        flat[found[2]] = flat.get(found[2], 0) + int(found[1])
    return {name: n for name, n in flat.items() if n}, text


def google_flat(out, url, *options):
    done = run(["google-pprof", "--text", "--nodefraction=0", "--edgefraction=0", "--show_bytes", *options, url],
               env={**os.environ, "PPROF_TMPDIR": str(out), "HOME": str(out)})
    same("google-pprof: status", done.returncode, 0, done.stderr)
    flat = {found[2]: int(found[1]) for found in re.finditer(r"^ *(\d+) +[\d.]+% +[\d.]+% +\d+ +[\d.]+% (.*)$", done.stdout, re.M)}
    return {name: n for name, n in flat.items() if n}, done.stderr


# ---- A program that runs ----

def account(trace, last):
    """(blocks, bytes, live blocks, live bytes) of all messages up to a cycle, made here from the events"""
    blocks = bytes_ = address = 0
    live = {}
    for line in must(["gnomon", "dump", "--json", trace]).splitlines():
        event = json.loads(line)
        if event["event"] != "channel" or event["cycle"] > last:
            continue
        number, value = event["number"], event["value"]
        if number == HEAP_ADDR:
            address = value
        elif number == HEAP_FREE:
            live.pop(value, None)
        elif number == HEAP_ALLOC and address and value < GREW:
            blocks, bytes_ = blocks + 1, bytes_ + value
            live[address] = value
    return blocks, bytes_, len(live), sum(live.values())


def sums(pprof, file):
    flats = [pprof_flat(pprof, file, index) for index in TYPES]
    return tuple(sum(flat.values()) for flat, _ in flats), flats[0][1]


def check_running(server, pprof, out, trace):
    """Each profile is that of the events up to the cycle that it names."""
    seen = []
    while len(seen) < 4:
        status, body, _ = server.ask("/pprof/heap")
        if status == 404 and b"no messages about the heap" in body:
            continue
        if not same("running: status", status, 200, body):
            return
        file = out / f"running-{len(seen)}.pb.gz"
        file.write_bytes(body)
        figures, text = sums(pprof, file)
        told = re.search(r"cycles 0 to ([\d,]+) of a program that is running", text)
        if not told:
            break
        expect("running: exact", "counted exactly, nothing lost" in text, text)
        if seen and seen[-1][0] == told[1]:
            continue
        seen.append((told[1], figures))
    expect("running: there are profiles of it", len(seen) > 1, seen)
    for cycle, figures in seen:
        same(f"running: up to cycle {cycle}", figures, account(trace, int(cycle.replace(",", ""))))


# ---- A program that has ended ----

def check_ended(server, pprof, out, trace):
    server.wait("its profile is served until Ctrl-C")
    wanted, heap = by_function(trace, "allocated_blocks", "allocated_bytes", "live_blocks", "live_bytes")
    url = server.url("/pprof/heap")
    for index, figures in zip(TYPES, wanted):
        flat, text = pprof_flat(pprof, url, index)
        same(f"{trace}: pprof, {index}", flat, figures, text)
    same(f"{trace}: exact", "counted exactly, nothing lost" in text, heap["exact"], text)
    expect(f"{trace}: ended", "of a program that has ended" in text, text)
    for option, figures in zip(("--alloc_objects", "--alloc_space", "--inuse_objects", "--inuse_space"), wanted):
        flat, said = google_flat(out, url, option)
        same(f"{trace}: google-pprof, {option}", flat, figures)
        same(f"{trace}: google-pprof warns of a loss", "WARNING" in said, not heap["exact"], said)
    (grown,), _ = by_function(trace, "grown_bytes")
    growth = server.url("/pprof/growth")
    same(f"{trace}: pprof, growth", pprof_flat(pprof, growth, "space")[0], grown)
    same(f"{trace}: google-pprof, growth", google_flat(out, growth)[0], grown)
    return heap


def check_waits(server, pprof, out, trace, exact):
    """Waits by function, for both readers, and their cycles."""
    server.wait("its profile is served until Ctrl-C")
    url = server.url("/pprof/contention")
    locks = json.loads(must(["gnomon", "locks", "--json", trace]))
    delays, text = pprof_flat(pprof, url, "delay")
    same(f"{trace}: contention is exact", "counted exactly, nothing lost" in text, exact, text)
    same(f"{trace}: kinds of locks are told", "each lock counts as a mutex" in text, not exact and locks["exact"], text)
    waits, _ = pprof_flat(pprof, url, "contentions")
    counted, said = google_flat(out, url, "--contentions")
    same(f"{trace}: google-pprof warns", "WARNING" in said, not exact, said)
    same(f"{trace}: google-pprof, contentions", counted, waits)
    if not exact:
        return
    wanted = [lock["wait"] for lock in locks["locks"]]
    by_caller = {}
    for part in (part for lock in locks["locks"] for part in lock["by_caller"] if part["wait"]["count"]):
        by_caller[part["caller"]["function"]] = by_caller.get(part["caller"]["function"], 0) + part["wait"]["count"]
    same(f"{trace}: waits by function", waits, by_caller)
    same(f"{trace}: waits", sum(waits.values()), sum(wait["count"] for wait in wanted))
    same(f"{trace}: cycles of waits", sum(delays.values()), sum(wait["cycles"] for wait in wanted))
    expect(f"{trace}: threads waited", sum(waits.values()), waits)
    legacy = server.ask("/pprof/contention?format=legacy")[1].decode()
    same(f"{trace}: cycles, as gperftools writes them", sum(int(n) for n in re.findall(r"^(\d+) \d+ @", legacy, re.M)), sum(delays.values()))


def check_locks(gnomon, pprof, out, elf, arguments=(), exact=True):
    trace = record(elf, out, arguments)
    server = Server(gnomon, elf, "--events", arguments=arguments)
    while (answer := server.ask("/pprof/contention"))[0] == 404:
        pass
    (out / "waits.pb.gz").write_bytes(answer[1])
    text = must([pprof, "-top", out / "waits.pb.gz"])
    expect(f"{elf}: while it runs, it is not said to be exact", "that is running" not in text or "each lock counts as a mutex" in text, text)
    check_waits(server, pprof, out, trace, exact)
    clean(f"{elf}: locks", *server.end(), 0)


def check_program(gnomon, pprof, out, elf, arguments, board="full", options=()):
    trace = record(elf, out, arguments, board, options)
    server = Server(gnomon, elf, "--events", *options, "-d", f"sim:{board}", arguments=arguments)
    heap = check_ended(server, pprof, out, trace)
    clean(f"{elf} on {board}", *server.end(), 0)
    return heap


def check_modes(gnomon, without):
    server = Server(gnomon, without, "--events")
    for path in ("/pprof/profile?seconds=0", "/pprof/profile?seconds=1&frequency=20000", "/pprof/pmuprofile?seconds=1&event=branches"):
        status, body, _ = server.ask(path)
        same(f"with --events, {path}", (status, body[:2]), (200, b"\x1f\x8b"), body)
    status, body, _ = server.ask("/pprof/heap")
    same("no messages", (status, b"--gnomon-heap" in body), (404, True), body)
    status, body, _ = server.ask("/pprof/contention")
    same("no messages of locks", (status, b"--gnomon-locks" in body), (404, True), body)
    same("another format", server.ask("/pprof/heap?format=gif")[0], 400)
    clean("with --events", *server.end(), 130)
    server = Server(gnomon, without)
    for path in ("/pprof/heap", "/pprof/growth", "/pprof/contention"):
        status, body, _ = server.ask(path)
        same(f"without --events, {path}", (status, b"with --events" in body), (501, True), body)
    clean("without --events", *server.end(), 130)


def main():
    gnomon, pprof, out, random, small, other, arguments, without, mutexes, kinds = values(
        __doc__, "gnomon", "pprof", "out", "random", "small", "other", "arguments", "without", "mutexes", "kinds")
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    server = Server(gnomon, random, "--events", arguments=[CALLS])
    check_running(server, pprof, out, record(random, out, [CALLS]))
    status, said = server.end()
    clean("while it runs", status, said, 0 if "until Ctrl-C" in said else 130)
    check_program(gnomon, pprof, out, random, ["400"])
    expect("messages are lost", not check_program(gnomon, pprof, out, random, [CALLS], options=LOSSY)["exact"])
    check_program(gnomon, pprof, out, small, ["400"], board="small")
    check_program(gnomon, pprof, out, other, arguments.split(","))
    check_locks(gnomon, pprof, out, mutexes)
    check_locks(gnomon, pprof, out, kinds, ["held"], exact=False)
    check_modes(gnomon, without)
    sys.exit(result())


if __name__ == "__main__":
    main()
