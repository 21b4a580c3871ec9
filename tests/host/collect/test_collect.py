#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon collect runs a program as gnomon run does, whatever happens to the measuring: console, input, status, cycles. Nothing is measured
or sent without consent. Chosen functions cost what they cost with all functions watched, bucket by bucket. Starts are declined under load,
above the cap, with a full disk. Many at a time, and killed at any moment: each run is there once, or not at all.

usage: test_collect.py --gnomon FILE --out FOLDER --station ELF --waits ELF --hooked ELF --zlib ELF --text FILE"""
import json
import os
import pathlib
import pty
import random
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time

from checking import expect, result, same
from commands import PATIENCE, must, run
from fleet_service import Service
from host import Host
from options import values

GNOMON, OUT, STATION, WAITS, HOOKED, ZLIB, TEXT = (pathlib.Path(value).resolve() for value in values(
    __doc__, "gnomon", "out", "station", "waits", "hooked", "zlib", "text"))
LINES = "first line\nsecond line\n"
ARGUMENTS = ["--", "7", "north", "south"]


def shown(done):
    return done.returncode, done.stdout, done.stderr


def plain(*words, **more):
    return run([GNOMON, "run", "-d", "sim:full", *words], **more)


# ---- Consent ----

def check_consent():
    service = Service()
    host = Host(GNOMON, OUT / "consent")
    want = plain(STATION, *ARGUMENTS, input=LINES)
    got = host.run(STATION, *ARGUMENTS, input=LINES)
    same("not joined: the program runs", shown(got)[:2], shown(want)[:2])
    expect("not joined: it is said", "takes part in no fleet: the program runs unmeasured" in got.stderr, got.stderr)
    expect("not joined: nothing is on the disk", not host.state.exists() and not host.settings.exists())
    for action in "--status", "--show", "--submit", "--leave":
        got = host.collect(action)
        expect(f"not joined: {action}", got.returncode == 1 and "takes part in no fleet" in got.stderr, shown(got))
    join = ["--join", service.address, "--token", host.token]
    got = host.collect(*join)
    expect("--join asks", got.returncode == 2 and "--yes" in got.stderr, shown(got))
    for answer, joined in ("n", False), ("", False), ("maybe", False), ("y", True):
        said = on_terminal(host, join, answer)
        expect(f"--join: {answer!r}", host.settings.exists() == joined, said)
        expect("what would be sent is said first", said.index("its build id") < said.index("Join? [y/N]"), said)
        same("the lines fit 80 columns", [line for line in said.splitlines() if len(line) > 80], [])
        same("no request before", bool(service.seen), joined)
    same("only this user reads the settings", stat.S_IMODE(host.settings.stat().st_mode), 0o600)
    same("nor the results", stat.S_IMODE(host.state.stat().st_mode), 0o700)
    got = host.run("-v", STATION, *ARGUMENTS, input=LINES)
    expect("joined: it is measured", "measures " in got.stderr and host.open(), got.stderr)
    got = host.collect("--join", "https://elsewhere.example", "--token", host.token, "--yes")
    expect("results for one service are not for another one", got.returncode == 2 and "leave it first" in got.stderr, shown(got))
    same("--leave", host.collect("--leave").returncode, 0)
    expect("--leave: nothing is left", not host.settings.exists() and not host.state.exists())
    same("--leave: nothing was sent", service.posts(), [])
    (OUT / "other-token").write_text("another\n")
    got = host.collect("--join", service.address, "--token", OUT / "other-token", "--yes")
    expect("a token that the service does not know", got.returncode == 1 and "does not take this token" in got.stderr and not host.settings.exists(), shown(got))
    for text in "", "two words", "t\u00f6ken", "x" * 5000:
        (OUT / "other-token").write_text(text + "\n")
        expect(f"the token {text[:20]!r}", host.collect(*join[:2], "--token", OUT / "other-token", "--yes").returncode == 2)
    service.close()


def on_terminal(host, words, answer):
    """What is said on a terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(host.env, COLUMNS="80")
        os.execv(str(GNOMON), host.command(*words))
    text, answered = b"", False
    while True:
        if b"[y/N] " in text and not answered:
            answered = os.write(terminal, answer.encode() + b"\n")
        try:
            got = os.read(terminal, 10000)
        except OSError:
            break
        if not got:
            break
        text += got
    os.waitpid(pid, 0)
    os.close(terminal)
    return re.sub(r"\x1b\[[\d;]*m", "", text.decode(errors="replace")).replace("\r", "")


# ---- The program is as it was ----

def check_program():
    service = Service()
    host = Host(GNOMON, OUT / "program", service)
    want = plain(STATION, *ARGUMENTS, input=LINES)
    same("its status", want.returncode, 7)
    for seed in range(1, 7):
        got = host.run("--seed", seed, STATION, *ARGUMENTS, input=LINES)
        same(f"seed {seed}: console with its cycles, input, status", shown(got), shown(want))
    same("each is measured", host.runs(host.open()), 6)
    source = host.listed(host.open())["sources"][0]
    trace = OUT / "cycles.gnt"
    must([GNOMON, "record", "-q", "-d", "sim:full", "--records", "--watch", "-o", trace, STATION, *ARGUMENTS], status=0, input=LINES)
    report = json.loads(must([GNOMON, "report", "--json", "-i", trace]))
    same("cycles of the runs", int(source["cycles"]), 6 * report["cycles"])
    same("the scenario is a fixed text", source["scenario"], "collected")
    want, got = plain("-q", OUT / "none.elf"), host.run("-q", OUT / "none.elf")
    same("a program that is not there", (got.returncode, got.stderr), (want.returncode, want.stderr.replace("run:", "collect:")))
    same("--duration", host.run("--duration", "1e6c", ZLIB, "--", TEXT, "text.z", cwd=OUT).returncode, 0)
    same("one that was stopped counts, too", host.runs(host.open()), 7)
    expect("a name for the program", host.run("--program-name", "buoy", STATION, *ARGUMENTS, input=LINES).returncode == 7)
    names = {row["module"] for row in host.listed(host.open())["rows"]} | {source["program"] for source in host.listed(host.open())["sources"]}
    same("it is the only one of it", names, {"station.elf", "zlib.elf", "buoy"})
    got = host.run("--program-name", "/home/anne", STATION, *ARGUMENTS, input=LINES)
    expect("a name that cannot be sent", got.returncode == 7 and "cannot be sent" in got.stderr, shown(got))
    same("is not measured", host.runs(host.open()), 8)
    service.close()


# ---- Figures ----

def check_figures(name, program, runs, *arguments, **more):
    """Each function that some run has chosen, beside a run in which all are watched."""
    service = Service({"functions": 24})
    host = Host(GNOMON, OUT / f"figures-{name}", service)
    trace, whole = OUT / f"{name}.gnt", OUT / f"{name}.gnp"
    run([GNOMON, "record", "-q", "-d", "sim:full", "--records", "--watch", "-o", trace, program, *arguments], cwd=OUT, **more)
    must([GNOMON, "merge", "-q", "-o", whole, trace])
    want, found = host.figures(whole), set()
    for seed in range(1, runs + 1):
        host.run("--seed", seed, program, *arguments, cwd=OUT, **more)
        got = host.figures(host.open())
        expect(f"{name}, seed {seed}: not more than the policy allows", 0 < len({symbol for symbol, *_ in got}) <= 24, len(got))
        wrong = {key: (row, want.get(key)) for key, row in got.items() if row != want.get(key)}
        same(f"{name}, seed {seed}: as with all functions watched", wrong, {})
        found |= set(got)
        host.open().unlink()
    called = {symbol for symbol, *_ in found if symbol.startswith(("api_", "deflate", "inflate"))}
    print(f"{name}: {len(found)} of {len(want)} functions in {runs} runs, {len(called)} of its own")
    expect(f"{name}: the choice changes", len(found) > 24 or name == "hooked", len(found))
    service.close()


def check_filters():
    service = Service({"functions": 3})
    host = Host(GNOMON, OUT / "filters", service, "--function", "api_l*", "--function", "api_switch", "--header", "zlib.h", "--scenario", "night shift")
    for seed in range(1, 9):
        host.run("--seed", seed, STATION, "--", "0", input="")
    expect("a header that the program does not use: it runs, unmeasured", host.open() is None)
    service.close()
    host = Host(GNOMON, OUT / "filters", service := Service({"functions": 3}), "--function", "api_l*", "--function", "api_switch", "--scenario", "night shift")
    for seed in range(1, 9):
        host.run("--seed", seed, STATION, "--", "0", input="")
    about = host.listed(host.open())
    same("functions that were named", {row["symbol"] for row in about["rows"]}, {"api_leaf", "api_long", "api_leaps", "api_switch"})
    same("the scenario that was named", {source["scenario"] for source in about["sources"]}, {"night shift"})
    service.close()
    host = Host(GNOMON, OUT / "filters", service := Service(), "--header", "zlib.h")
    host.run(ZLIB, "--", TEXT, "text.z", cwd=OUT)
    names = {row["symbol"] for row in host.listed(host.open())["rows"]}
    expect("a header", {"compress2", "inflate"} <= names and not names & {"main", "memcpy"}, names)
    service.close()
    host = Host(GNOMON, OUT / "filters", service := Service(), "--function", "lseek")
    host.run(STATION, "--", "0", input="")
    same("functions that do not run", (host.runs(host.open()), host.listed(host.open())["rows"]), (1, []))
    same("as text", must([GNOMON, "api", "list", host.open()]), "# 1 run of station.elf on sim:full, scenario collected, 0 functions, counted exactly\n")
    service.close()


def check_sizes():
    """The size of the input, as gnomon merge --size has it."""
    service = Service({"functions": 128})
    host = Host(GNOMON, OUT / "sizes", service)
    for size in 20, 20, 40, None:
        host.run(*(["--size", size] if size else []), HOOKED, "--", size or 20)
    same("a source for each size", {source["size"]: source["runs"] for source in host.listed(host.open())["sources"]}, {"0": "1", "20": "2", "40": "1"})
    for size in 20, 40:
        trace, whole, ours = (OUT / f"size-{size}.{kind}" for kind in ("gnt", "gnp", "json"))
        must([GNOMON, "record", "-q", "-d", "sim:full", "--records", "--watch", "-o", trace, HOOKED, "--", str(size)], cwd=OUT)
        must([GNOMON, "merge", "-q", "--scenario", "collected", "--size", str(size), "-o", whole, *[trace] * (1 + (size == 20))])
        ours = json.loads(must([GNOMON, "api", "list", "--json", "--size", str(size), host.open()]))["rows"]
        want = {row["symbol"]: row["buckets"] for row in host.listed(whole)["rows"]}
        same(f"size {size}: the figures of its runs", {row["symbol"]: row["buckets"] for row in ours}, {row["symbol"]: want[row["symbol"]] for row in ours})
        expect(f"size {size}: functions", len(ours) > 8, len(ours))
    shown = must(host.command("--show"), env=host.env)
    expect("--show has it", "scenario collected, size 40, on sim:full" in shown and "scenario collected, on sim:full" in shown, shown)
    for words in ["--show"], ["--submit"], ["--join", service.address, "--token", host.token, "--yes"]:
        same(f"{words[0]} has no size", host.collect("--size", 3, *words).returncode, 2)
    service.close()


# ---- Declining ----

def check_declining():
    def declines(name, policy, why, **more):
        service = Service(policy)
        host = Host(GNOMON, OUT / "declining", service)
        got = host.run("-v", STATION, *ARGUMENTS, input=LINES, **more)
        same(f"{name}: the program runs", (got.returncode, got.stdout), (7, plain(STATION, *ARGUMENTS, input=LINES).stdout))
        expect(f"{name}: why", f"runs unmeasured: {why}" in got.stderr, got.stderr)
        expect(f"{name}: nothing is there", host.open() is None)
        service.close()

    declines("load", {"load": 0}, "the load of this host")
    declines("no functions", {"functions": 0}, "the service wants nothing measured")
    declines("no programs", {"binaries": -3}, "the service wants nothing measured")
    # No file can be written.
    declines("full disk", {}, "cannot write", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)), restore_signals=False)
    # A device without what is needed.
    service = Service()
    host = Host(GNOMON, OUT / "declining", service)
    got = host.collect("-v", "-d", "sim:small", STATION, *ARGUMENTS, input=LINES)
    want = run([GNOMON, "run", "-d", "sim:small", STATION, *ARGUMENTS], input=LINES)
    same("a device that cannot: as gnomon run", shown(got)[:2], shown(want)[:2])
    service.close()


def waiting(host, *words):
    """A program that has begun, and waits for input."""
    process = subprocess.Popen(host.command(*words, "-d", "sim:full", WAITS, "--", "0"), env=host.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    same("it waits", process.stdout.readline(), b"waits\n")
    return process


def check_cap():
    """Programs that are measured at a time; one that is killed gives its place back."""
    service = Service({"binaries": 2})
    host = Host(GNOMON, OUT / "cap", service)
    first, second = waiting(host), waiting(host)
    got = host.run("-v", STATION, *ARGUMENTS, input=LINES)
    expect("the third", got.returncode == 7 and "as many programs as the service allows" in got.stderr, shown(got))
    first.kill()
    first.wait()
    got = host.run("-v", STATION, *ARGUMENTS, input=LINES)
    expect("after a kill", "measures " in got.stderr, shown(got))
    second.communicate(b"x\n", timeout=PATIENCE)
    same("the one that was killed is not there", host.runs(host.open()), 2)
    # Ctrl-C: the run so far counts.
    third = waiting(host)
    third.send_signal(signal.SIGINT)
    third.communicate(timeout=PATIENCE)
    same("Ctrl-C", (third.returncode, host.runs(host.open())), (130, 3))
    # A host that leaves while a program runs: nothing of that run is kept.
    fourth = waiting(host)
    kept = host.open().read_bytes()
    same("--leave beside a run", host.collect("--leave").returncode, 0)
    fourth.communicate(b"x\n", timeout=PATIENCE)
    same("it ends as ever, and leaves nothing", (fourth.returncode, host.state.exists()), (0, False))
    host = Host(GNOMON, OUT / "cap", service)
    fifth = waiting(host)
    host.settings.unlink()
    fifth.communicate(b"x\n", timeout=PATIENCE)
    same("nor if the settings are only removed", (fifth.returncode, host.open()), (0, None))
    host = Host(GNOMON, OUT / "cap", service)
    host.open_with(kept)
    many = [subprocess.Popen(host.command("-v", "-d", "sim:full", STATION, "--", "0"), env=host.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE) for _ in range(8)]
    measured = sum(b"measures " in process.communicate(timeout=PATIENCE)[1] for process in many)
    same("8 at a time: all run", [process.returncode for process in many], [0] * 8)
    same("8 at a time: those that were measured are all there", host.runs(host.open()), 3 + measured)
    print(f"{measured} of 8 programs at a time were measured, 2 places")
    service.close()


# ---- Crashes and full disks ----

def check_kills():
    """Killed at random: each run is there once or not at all, and one that has ended is there."""
    service = Service({"binaries": 64})
    host = Host(GNOMON, OUT / "kills", service)
    chance = random.Random(7)
    ended, begun, killed = 0, 0, 0
    took = time.monotonic()
    host.run(STATION, "--", "0")
    took, ended, begun = time.monotonic() - took, 1, 1
    for _ in range(24):
        several = [subprocess.Popen(host.command("-d", "sim:full", STATION, "--", "0"), env=host.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, start_new_session=True) for _ in range(2)]
        begun += 2
        time.sleep(took * chance.uniform(0.7, 2.6))
        for process in several:
            process.send_signal(signal.SIGKILL)
            ended += process.wait() == 0
            killed += process.returncode != 0
        files = host.waiting()
        expect("what is there is whole", host.runs(*files) >= ended, files)
    runs = host.runs(*host.waiting())
    print(f"{begun} runs, {killed} killed, {ended} ended, {runs} are there")
    expect("no run is there twice, none that ended is missing", ended <= runs <= begun, runs)
    expect("some were killed, and some not", killed and ended > 1)
    host.run(STATION, "--", "0")
    same("and it goes on", host.runs(*host.waiting()), runs + 1)
    # A recording of a killed one stays until its place is used again; results leave nothing.
    same("no half-written file of results is left", [path.name for path in host.state.glob("*.tmp")], [])
    service.close()


def check_full_disk():
    """The disk is full before, and while results are written: what was there stays, and the program runs."""
    service = Service({"functions": 128})
    host = Host(GNOMON, OUT / "full", service)
    host.run(ZLIB, "--", TEXT, "text.z", cwd=OUT)
    host.run(STATION, *ARGUMENTS, input=LINES)
    before = host.open().read_bytes()
    # Few functions: a recording that is smaller than the profile to which it is added.
    ledger = json.loads((host.state / "service.json").read_text())
    (host.state / "service.json").write_text(json.dumps({**ledger, "policy": {**ledger["policy"], "functions": 2}}))
    outcomes = []
    for limit in (0, 100, 1000, 4096, 6000, 20000):
        got = host.run("-v", STATION, *ARGUMENTS, input=LINES, restore_signals=False,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        expect(f"files of up to {limit} bytes: the program runs", got.returncode == 7 and "text: south" in got.stdout, shown(got))
        same(f"files of up to {limit} bytes: what was there stays", host.runs(host.open()), 2 + (limit == 20000))
        outcomes += re.findall("runs unmeasured|the measurement is lost", got.stderr)
        if limit < 20000:
            same(f"files of up to {limit} bytes: byte for byte", host.open().read_bytes(), before)
    same("said with -v, before and after the run", (len(outcomes), set(outcomes)), (5, {"runs unmeasured", "the measurement is lost"}))
    host.open().write_bytes(before)
    # A small file system, where that can be mounted.
    shutil.copy(host.state / "service.json", host.folder)
    script = f'mount -t tmpfs -o size=8m none {host.state} && cp {host.folder}/service.json {host.state} && exec "$@"'
    if run(["unshare", "-rm", "true"]).returncode == 0:
        got = run(["unshare", "-rm", "sh", "-c", script, "sh", *host.command("-v", "-d", "sim:full", STATION, *ARGUMENTS)], env=host.env, input=LINES)
        expect("a small file system", got.returncode == 7 and "the disk for results is nearly full" in got.stderr, shown(got))
    # A damaged file is put aside.
    host.open().write_bytes(before[:-3] + b"xyz")
    host.run(STATION, *ARGUMENTS, input=LINES)
    same("a damaged file does not hold up others", host.runs(host.open()), 1)
    same("it is kept", len(list((host.state / "refused").iterdir())), 1)
    host.settings.write_text("service = 1\n")
    got = host.run(STATION, *ARGUMENTS, input=LINES)
    expect("damaged settings: the program runs", got.returncode == 7 and "unmeasured" in got.stderr, shown(got))
    host.settings.unlink()
    service.close()


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    check_consent()
    check_program()
    check_figures("station", STATION, 12, "--", "0", input="")
    check_figures("hooked", HOOKED, 3, "--", "40")
    check_figures("zlib", ZLIB, 4, "--", TEXT, "text.z")
    check_filters()
    check_sizes()
    check_declining()
    check_cap()
    check_kills()
    check_full_disk()
    sys.exit(result())


if __name__ == "__main__":
    main()
