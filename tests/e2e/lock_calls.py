#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lock functions watched by the device, in a program that sends no messages: `gnomon locks` shows what it shows of the same program built with
`gnomon cc --gnomon-locks`, also if the program is stripped and its functions are given by address; and the program takes no cycle more.

usage: lock_calls.py --out FOLDER -- PLAIN MESSAGES [INPUT ARGUMENT...]   (the same program, without and with --gnomon-locks; with INPUT a
program of others, with that standard input: the same counts of each lock)"""
import json
import shutil
import subprocess
import sys

from checking import expect, result, same
from commands import FAST, must, run
from options import values

OUT, (PLAIN, MESSAGES, *OTHER) = values(__doc__, "out", rest="PLAIN MESSAGES INPUT ARGUMENT")
COUNTS = ("requests", "acquisitions", "refused", "releases", "contended", "uncontended")
PREEMPTED = "busy"  # who waits for it depends on the times of preemption
ROLES = ("pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_mutex_init", "pthread_mutex_destroy",
         "pthread_mutexattr_settype", "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_signal")


def record(elf, name, *options, status=0):
    path = f"{OUT}/{name}.gnt"
    done = run(["gnomon", "record", "--events", "-o", path, *FAST, *options, elf])
    same(f"{name}: status", done.returncode, status, done.stderr)
    return path, done.stderr


def locks(path):
    shown = json.loads(must(["gnomon", "locks", "--json", path]))
    expect(f"{path}: exact", shown["exact"] and shown["lost_messages"] == 0, shown["reasons"])
    return shown


def place(where):
    return where and (where["function"], where["line"])


def counts(name, part):
    """The figures that do not depend on the time of single instructions."""
    return {key: part[key] for key in COUNTS if name != PREEMPTED or not key.endswith("contended")}


def figures(shown):
    """What both ways must show, by lock; locks with one name in the order of their making."""
    out = {}
    for lock in sorted(shown["locks"], key=lambda lock: lock["index"]):
        name = lock["name"] if lock["name"].isidentifier() or "(" in lock["name"] and not lock["name"].startswith("0x") else "block"
        key = (name, lock["kind"], sum(other[0] == name for other in out))
        out[key] = {
            **counts(name, lock), "tries": lock["tries"], "recursive": lock["recursive"], "destroyed": lock["destroyed"], "holds": lock["hold"]["count"],
            # With messages, that of a C11 mutex is in the library.
            "registered": place(lock["registered_by"]) if name not in (PREEMPTED, "c11_lock") else None,
            "threads": sorted((part["thread"], counts(name, part)) for part in lock["by_thread"]) if name != PREEMPTED else None,
            "callers": sorted((place(part["caller"]), counts(name, part)) for part in lock["by_caller"]) if name != PREEMPTED else None}
    return out


def misuse(shown):
    return [(one["what"], one["lock"], one["thread"], one["count"], place(one["caller"])) for one in shown["misuse"]]


def check_same():
    messages = locks(record(MESSAGES, "messages")[0])
    path, said = record(PLAIN, "calls", "--watch-locks")
    calls = locks(path)
    expect("says how many are watched", "lock functions are watched" in said, said)
    want, got = figures(messages), figures(calls)
    same("the locks", sorted(got), sorted(want))
    for key, figure in want.items():
        same(f"{key}", got.get(key), figure)
    same("misuse", misuse(calls), misuse(messages))
    same("messages", calls["messages"], messages["messages"])
    expect("contention was seen", want["lock", "mutex", 0]["contended"] == 2)
    return calls


def check_stripped(calls):
    """The same recording, without names, and with some of the functions only."""
    symbols = {words[2]: words[0] for words in (line.split() for line in must(["riscv64-unknown-elf-nm", PLAIN]).splitlines()) if len(words) == 3}
    stripped = f"{OUT}/stripped"
    shutil.copy(PLAIN, stripped)
    must(["riscv64-unknown-elf-strip", stripped])
    _, said = record(stripped, "refused", "--watch-locks", status=1)
    expect("no names", "no lock functions" in said and "--lock-function" in said, said)
    given = [part for role in ROLES for part in ("--lock-function", f"{role}=0x{symbols[role]}")]
    shown = {lock["address"]: lock for lock in locks(record(stripped, "stripped", *given)[0])["locks"]}
    some = [lock for lock in calls["locks"] if lock["kind"] in ("mutex", "recursive", "errorcheck", "condition") and lock["name"] != "c11_lock" and not lock["destroyed"]]
    for lock in some:
        got = shown[lock["address"]]
        same(f"stripped: {lock['name']}", (got["kind"], counts("", got)), (lock["kind"], counts("", lock)))
    for given in ("pthread_mutex_lock", "lock=0x10000000", "acquire=", "acquire=nothing", "acquire=0x10000001"):
        _, said = record(PLAIN, "wrong", "--lock-function", given, status=2 if "=" not in given or given.startswith("lock") else 1)
        expect(f"--lock-function {given}", given.split("=")[-1] in said, said)


def check_roles():
    """Functions of the program, by name: `try` and `acquire` say what their results are."""
    path, _ = record(PLAIN, "roles", "--lock-function", "acquire=pthread_spin_lock", "--lock-function", "release=pthread_spin_unlock")
    shown = locks(path)["locks"]
    same("own functions", [(lock["name"], lock["kind"], lock["acquisitions"], lock["releases"]) for lock in shown], [("spin", "user", 1, 1)])


def check_cycles():
    cycles = []
    for name, options in (("quiet", ()), ("watched", ("--watch-locks",))):
        path, _ = record(PLAIN, name, *options)
        cycles.append(json.loads(must(["gnomon", "report", "--json", "-i", path]))["cycles"])
    same("not a cycle more", cycles[1], cycles[0])


def check_refused():
    for options, elf, wanted in ((("--watch-locks",), MESSAGES, "sends messages about its locks already"), (("--watch-locks", "--watch"), PLAIN, "exclude each other"),
                                 (("--watch-locks", "--no-channels"), PLAIN, "needs channel messages")):
        _, said = record(elf, "not", *options, status=2)
        expect(f"{options}: says {wanted!r}", wanted in said, said)
    done = run(["gnomon", "record", "-o", f"{OUT}/not.gnt", "--watch-locks", PLAIN])
    expect("needs --events", done.returncode == 2 and "needs --events" in done.stderr, done.stderr)


def of_others(elf, name, *options):
    """What each lock counts, by kind and by where it was first used, of a program of others."""
    path = f"{OUT}/{name}.gnt"
    with open(OTHER[0], "rb") as text:
        done = subprocess.run(["gnomon", "record", "-q", "--events", "-o", path, *FAST, *options, elf, "--", *OTHER[1:]], stdin=text, capture_output=True, check=False)
    same(f"{name}: status", done.returncode, 0, done.stderr)
    shown = locks(path)
    figure = sorted((lock["kind"], str(place(lock["registered_by"])), [lock[key] for key in COUNTS], lock["hold"]["count"]) for lock in shown["locks"])
    return done.stdout, shown["messages"], figure


def check_others():
    want = of_others(MESSAGES, "others-messages")
    got = of_others(PLAIN, "others-calls", "--watch-locks")
    expect("it uses locks", want[1] > 100, want[1])
    for name, one, other in zip(("output", "messages", "locks"), got, want):
        same(f"others: {name}", one, other)


if OTHER:
    check_others()
else:
    check_stripped(check_same())
    check_roles()
    check_cycles()
    check_refused()
sys.exit(result())
