#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gnomon collect sends: what --show shows, byte for byte, and no name of a person, machine, folder or argument. Each submission counts
once, whatever the service and the network do; what a service refuses is put aside; what it asks for beyond the documented bounds it does
not get.

usage: test_collect_sends.py --gnomon FILE --out FOLDER --station ELF"""
import getpass
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

from checking import expect, result, same
from commands import must, run
from fleet_service import Handler, Service
from host import Host
from options import values

GNOMON, OUT, STATION = (pathlib.Path(value).resolve() for value in values(__doc__, "gnomon", "out", "station"))


def host_with(name, policy=None, *options):
    service = Service(policy)
    return Host(GNOMON, OUT / name, service, *options), service


def measure(host, times=1):
    for _ in range(times):
        host.run(STATION, "--", "0", input="")


def retry_now(host):
    """As if the time of waiting were over."""
    path = host.state / "service.json"
    ledger = json.loads(path.read_text())
    path.write_text(json.dumps({**ledger, "next": 0}))


# ---- What is sent ----

def check_shown():
    host, service = host_with("shown")
    measure(host, 3)
    showing = host.json("--show")
    before = pathlib.Path(showing["file"]).read_bytes()
    text = host.collect("--show").stdout
    same("--submit", host.collect("--submit").returncode, 0)
    sent = list(service.stored.values())
    same("what --show named is what is sent, byte for byte", sent, [before])
    (OUT / "sent.gnp").write_bytes(sent[0])
    listed = host.listed(OUT / "sent.gnp")
    same("what it printed is in it: as many functions", len(showing["profile"]["rows"]), len(listed["rows"]))
    same("and buckets", sorted((row["symbol"], row["buckets"]) for row in showing["profile"]["rows"]),
         sorted((row["symbol"], row["buckets"]) for row in listed["rows"]))
    expect("the table has all functions", all(row["function"] in text for row in listed["rows"]), text)
    texts = subprocess.run(["protoc", "--decode_raw"], input=sent[0], capture_output=True, check=True).stdout
    expect("the sources are named", b"" != texts and all(word in text for word in ("station.elf", listed["sources"][0]["build"], "collected", "sim:full")), text)
    headers = service.posts()[0]["headers"]
    same("no header more", sorted(headers), ["Accept", "Authorization", "Content-Length", "Content-Type", "Host", "Submission-Id"])
    expect("a random identity", re.fullmatch("[0-9a-f]{32}", headers["Submission-Id"]), headers)
    expect("nothing is left", not host.waiting() and "nothing waits" in host.collect("--show").stderr)
    service.close()


PRIVATE = """
#include <stdio.h>
#define API __attribute__((noinline, noclone))
static volatile unsigned sink;
# 1 "{0}"
API unsigned api_absolute(unsigned n) {{ return sink += n; }}
# 1 "../../home/mallory/parent.c"
API unsigned api_parent(unsigned n) {{ return sink += n * 2; }}
# 1 "C:\\\\Users\\\\mallory\\\\windows.c"
API unsigned api_windows(unsigned n) {{ return sink += n * 3; }}
# 1 "home/mallory/inner.c"
API unsigned api_inner(unsigned n) {{ return sink += n * 4; }}
# 1 "/home/mallory/secret-project/own.c"
API unsigned api_own(unsigned n) {{ return sink += n * 5; }}
# 1 "lib/good.c"
API unsigned api_good(unsigned n) {{ return sink += n * 6; }}
# 1 "main.c"
int main(int argc, char **argv) {{
    printf("%s %u\\n", argc > 1 ? argv[1] : "", api_absolute(1) + api_parent(2) + api_windows(3) + api_inner(4) + api_own(5) + api_good(6));
    return 0;
}}
"""


def check_private():
    """No folder, user, machine, argument or time is in what is sent, also of a program with odd debug information."""
    folder = OUT / "zzyzx-person" / "zzyzx-project"
    folder.mkdir(parents=True)
    (folder / "odd.c").write_text(PRIVATE.format(folder / "sub" / "absolute.c"))
    must([shutil.which("gnomon"), "cc", "--gnomon-off", "-O1", "-g", "-o", "odd.elf", "odd.c"], cwd=folder)
    host, service = host_with("zzyzx-host", {"functions": 128})
    (folder / "zzyzx-input.txt").write_text("zzyzx-text\n")
    for seed in range(1, 5):
        got = host.run("--seed", seed, "--put", folder / "zzyzx-input.txt", folder / "odd.elf", "--", "zzyzx-argument", folder / "zzyzx-input.txt", cwd=folder)
        expect("the program runs", got.returncode == 0 and got.stdout.startswith("zzyzx-argument "), got.stdout, got.stderr)
    same("--submit", host.collect("--submit").returncode, 0)
    body = b"".join(service.stored.values())
    (OUT / "private.gnp").write_bytes(body)
    files = {row["symbol"]: row["file"] for row in host.listed(OUT / "private.gnp")["rows"]}
    same("paths of the sources", {name: files.get(name) for name in files if name.startswith("api_")},
         {"api_absolute": "sub/absolute.c", "api_parent": "parent.c", "api_windows": "windows.c", "api_inner": "inner.c", "api_own": "own.c", "api_good": "lib/good.c"})
    for one in service.seen:
        sent = one["raw"] + repr(one["headers"]).encode() + one["body"]
        for word in ["zzyzx", "mallory", "/home/", "/root", "/tmp/", str(OUT), str(pathlib.Path.cwd()), str(pathlib.Path.home()), socket.gethostname(), *names_of_user()]:
            expect(f"\"{word}\" is not sent", word.encode() not in sent, sent[:2000])
    expect("no path begins at the root", not re.search(rb"[\x00-\x1f]/", body))
    stamps = [int(time.time()) // 1000]
    expect("no time", not any(str(stamp).encode() in body for stamp in stamps))
    service.close()


def names_of_user():
    """Not those that are parts of common words."""
    return [name for name in {getpass.getuser(), os.environ.get("LOGNAME", "")} if name and name != "root"]


# ---- Once, whatever happens ----

def check_failures():
    again = [
        ("the service is busy", (503, [("Retry-After", "0")]), "answered 503"),
        ("too many requests", (429, []), "answered 429"),
        ("the storage is full", (507, []), "answered 507"),
        ("cut after the commit", Handler.cut, ""),
        ("no HTTP", Handler.garbage, ""),
        ("another page", Handler.portal, "answered 200"),
        ("no end", Handler.endless, "longer than"),
        ("a redirect", Handler.redirect, "answered 307"),
    ]
    for name, how, said in again:
        host, service = host_with("failures")
        measure(host)
        service.fails = [how, how]
        for attempt in range(3):
            got = host.collect("--submit")
            expect(f"{name}: attempt {attempt + 1}", got.returncode == (attempt < 2) and (attempt == 2 or (said in got.stderr and "sent later" in got.stderr)), got.stderr)
            same(f"{name}: what waits", len(host.waiting()), int(attempt < 2))
            if attempt == 0:
                measure(host)  # goes into the next submission: the first one does not change
                due = host.collect("--submit", "--due")
                same(f"{name}: not tried again at once in the background", (due.returncode, len(service.posts())), (0, 1))
                (host.state / f"aside-{name}").write_bytes(b"")
                moved = host.open().rename(host.folder / "later.gnp")
        posts = service.posts()
        same(f"{name}: three attempts", len(posts), 3)
        same(f"{name}: with one identity and the same bytes", len({(post["headers"]["Submission-Id"], post["body"]) for post in posts}), 1)
        same(f"{name}: stored once", len(service.stored), 1)
        same(f"{name}: a run", host.runs(stored(service, 0)), 1)
        same(f"{name}: the later run has not gone into it", host.runs(moved), 1)
        service.close()


def stored(service, index):
    path = OUT / f"stored-{index}.gnp"
    path.write_bytes(list(service.stored.values())[index])
    return path


def check_waiting():
    """Retry-After is respected, by --submit, too."""
    host, service = host_with("waiting")
    measure(host)
    service.fails = [(503, [("Retry-After", "3600")])]
    host.collect("--submit")
    got = host.collect("--submit")
    expect("Retry-After", got.returncode == 1 and "asked for a pause of" in got.stderr and len(service.posts()) == 1, got.stderr)
    expect("--status says so", "waits until" in host.collect("--status").stdout and "503: made to fail" in host.collect("--status").stdout)
    retry_now(host)
    same("after that", (host.collect("--submit").returncode, len(service.stored)), (0, 1))
    measure(host)
    service.fails = [(503, [("Retry-After", "999999999")])]
    host.collect("--submit")
    status = host.json("--status")
    expect("a day at most", 0 < status["next"] - status["tried"] <= 86400, status)
    service.close()
    # No service at all: each failure doubles the time of waiting.
    retry_now(host)
    waits = []
    for _ in range(4):
        host.collect("--submit")
        status = host.json("--status")
        waits.append(status["next"] - status["tried"])
        time.sleep(0)
    expect("doubling, within a quarter", all(60 * 2 ** (i + 1) * 0.74 <= wait <= 60 * 2 ** (i + 1) * 1.26 for i, wait in enumerate(waits)), waits)


def check_refused():
    for status in 400, 413:
        host, service = host_with("refused")
        measure(host)
        service.fails = [status]
        got = host.collect("--submit")
        expect(f"{status}: it is said", got.returncode == 1 and "1 submission was refused" in got.stderr, got.stderr)
        same(f"{status}: put aside", (host.waiting(), len(list((host.state / "refused").iterdir()))), ([], 1))
        same(f"{status}: not tried again", (host.collect("--submit").returncode, len(service.posts())), (0, 1))
        service.close()
    host, service = host_with("refused")
    measure(host)
    (host.state / "queue").mkdir(exist_ok=True)
    (host.state / "queue" / f"{1:020}-{'ab' * 16}.gnp").write_bytes(b"\x0a\x03gnp damaged")
    got = host.collect("--submit")
    expect("a damaged one is put aside, others are sent", got.returncode == 1 and len(service.stored) == 1, got.stderr)
    measure(host)
    service.fails = [401]
    got = host.collect("--submit")
    expect("a token that is no longer good", got.returncode == 1 and "does not take this token" in got.stderr and len(host.waiting()) == 1, got.stderr)
    for index in range(12):
        (host.state / "queue" / f"{index:020}-{'cd' * 16}.gnp").write_bytes(b"\x0a\x03gnp damaged")
    host.collect("--submit")
    same("only the newest of what was refused are kept", len(list((host.state / "refused").iterdir())), 8)
    service.close()


def check_due():
    """In the background, when enough has come together."""
    host, service = host_with("due", {"submit_bytes": 2048, "functions": 16})
    runs = 0
    while not service.posts() and runs < 40:
        measure(host)
        runs += 1
        if not host.open():
            host.settle(1)
    same("sent", host.settle(1), 1)
    expect("when it is large enough", 2048 <= len(service.posts()[0]["body"]) < 4096, len(service.posts()[0]["body"]))
    same("all runs are in it", host.runs(stored(service, 0)), runs)
    # A day is over.
    measure(host)
    same("not yet", host.collect("--submit", "--due").returncode + len(service.stored), 1)
    file = host.open()
    file.rename(file.with_name(f"open-{int(time.time()) - 86500:020}.gnp"))
    measure(host)
    same("a day is over", host.settle(2), 2)
    same("with the last run", host.runs(stored(service, 1)), 2)
    # A clock that was put back.
    measure(host)
    file = host.open()
    file.rename(file.with_name(f"open-{int(time.time()) + 100000:020}.gnp"))
    measure(host)
    same("one of the future", host.settle(3), 3)
    service.close()
    # Nobody takes anything: what is kept is bounded, and the oldest stay.
    host, service = host_with("bounded", {"submit_bytes": 2048, "functions": 16}, "--most", "3000")
    service.fails = [503] * 1000
    sizes = []
    for _ in range(20):
        measure(host)
        sizes.append(sum(path.stat().st_size for path in host.waiting()))
    queue = sorted((host.state / "queue").iterdir())
    expect("bounded", len(queue) == 2 and sizes[-1] < 12000, sizes, queue)
    same("no run is lost", host.runs(*host.waiting()), 20)
    service.close()


def check_policy():
    """A service gets no more than the documented bounds, whatever it says."""
    bounds = {"binaries": (0, 64), "functions": (0, 128), "submit_bytes": (1024, 1048576), "submit_seconds": (3600, 2592000), "load": (0, 64)}
    usual = {"binaries": 6, "functions": 32, "submit_bytes": 131072, "submit_seconds": 86400, "load": 0.7, "costs": ["cycles"]}
    for value in 1e300, -1e300, 10**15, -1, "all", None, [], {"x": 1}, True:
        host, service = host_with("policy", {name: value for name in bounds})
        got = host.json("--status")["policy"]
        expect(f"policy of {value!r}", all(bounds[name][0] <= got[name] <= bounds[name][1] for name in bounds), got)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            same(f"policy of {value!r}: the usual", got, usual)
        measure(host)
        service.close()
    host, service = host_with("policy", {"names": True, "arguments": True, "hostname": True, "functions": 2, "upload": "/etc/passwd"})
    measure(host, 2)
    asked = [one for one in service.seen if one["path"] == "/v1/policy"]
    same("asked once an hour", len(asked), 1)
    expect("not more functions", len(host.listed(host.open())["rows"]) <= 4)
    path = host.state / "service.json"
    ledger = json.loads(path.read_text())
    service.policy["functions"] = 5
    path.write_text(json.dumps({**ledger, "policy_asked": ledger["policy_asked"] - 3601}))
    host.collect("--submit", "--due")
    same("again after an hour", host.json("--status")["policy"]["functions"], 5)
    for how in Handler.garbage, Handler.portal, Handler.endless, 503, 404:
        ledger = json.loads(path.read_text())
        path.write_text(json.dumps({**ledger, "policy_asked": 1, "next": 0}))
        service.policy_fails = [how]
        host.collect("--submit", "--due")
        same(f"{how}: the last policy stays", host.json("--status")["policy"]["functions"], 5)
    path.write_text("{ damaged")
    same("a damaged file: the usual", host.json("--status")["policy"], usual)
    service.close()


# ---- The way to the service ----

def check_addresses():
    host = Host(GNOMON, OUT / "addresses")

    def joins(address, *more):
        return host.collect("--join", address, "--token", host.token, "--yes", "-q", *more)
    for address in ("http://fleet.example", "http://127.0.0.1.example:80", "http://127.evil:1", "ftp://127.0.0.1", "file:///etc/passwd", "https://user:word@127.0.0.1",
                    "https://127.0.0.1/?token=1", "https://127.0.0.1/#x", "no address", "", "http://[::2]"):
        got = joins(address)
        expect(f"{address!r} is refused", got.returncode == 2 and not host.settings.exists(), got.stderr)
    for address in "http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "https://127.0.0.1:1/path/":
        got = joins(address)
        expect(f"{address!r} is taken", got.returncode == 0 and host.settings.exists(), got.stderr)
        host.collect("--leave")
    got = joins("http://198.51.100.1:1", "--insecure-http", "--scenario", "a/b")
    expect("a scenario that cannot be sent", got.returncode == 2 and "cannot be sent" in got.stderr, got.stderr)


def check_tls():
    key = OUT / "service.pem"
    must(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", OUT / "key.pem", "-out", OUT / "cert.pem", "-days", "2", "-subj", "/CN=fleet",
          "-addext", "subjectAltName=IP:127.0.0.1"])
    key.write_bytes((OUT / "key.pem").read_bytes() + (OUT / "cert.pem").read_bytes())
    service = Service(certificate=key)
    host = Host(GNOMON, OUT / "tls", service)
    (host.state / "service.json").write_text(json.dumps({"policy": service.policy, "policy_asked": int(time.time())}))
    measure(host)
    got = host.collect("--submit")
    expect("a certificate of an unknown authority", got.returncode == 1 and "certificate" in got.stderr and not service.seen, got.stderr)
    host = Host(GNOMON, OUT / "tls", service, "--ca", OUT / "cert.pem")
    measure(host)
    same("of one that is known", (host.collect("--submit").returncode, len(service.stored)), (0, 1))
    other = service.address.replace("127.0.0.1", "localhost")
    host.collect("--leave")
    got = host.collect("--join", other, "--token", host.token, "--yes", "--ca", OUT / "cert.pem")
    expect("of another name", "joined nevertheless" in got.stderr, got.stderr)
    service.close()


def check_slow():
    host, service = host_with("slow")
    measure(host)
    service.fails = [Handler.slow]
    same("an answer byte by byte", (host.collect("--submit").returncode, len(service.stored), host.waiting()), (0, 1, []))
    # Two at once: one sends, and the other one finds nothing to send.
    measure(host)
    two = [subprocess.Popen(host.command("--submit"), env=host.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
    same("two at once", ([one.wait() for one in two], len(service.posts()), len(service.stored)), ([0, 0], 2, 2))
    for words in (["--submit", "--status"], ["--show", STATION], ["--token", "x", STATION], ["--json", "--submit"], []):
        got = host.collect(*words)
        same(f"{words}: wrong usage", got.returncode, 2)
    service.close()


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    check_shown()
    check_private()
    check_failures()
    check_waiting()
    check_refused()
    check_due()
    check_policy()
    check_addresses()
    check_tls()
    check_slow()
    sys.exit(result())


if __name__ == "__main__":
    main()
