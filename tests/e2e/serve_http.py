#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon serve --http: Go's pprof and google-pprof fetch profiles of a running program unchanged, and their totals are the device's;
100 clients at once; slow and hostile clients.

usage: serve_http.py --gnomon COMMAND --pprof COMMAND --out FOLDER --endless ELF --whole ELF --lossy ELF
    --whole, --lossy: programs whose runs end, compared with gnomon report; of the second one, the device drops calls
"""
import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time

from checking import expect, fail, result, same
from commands import PATIENCE, must, report, run
from options import values

SLOW = ("--clients", "30", "--timeout", "3")
COMMENT = re.compile(r"cycles ([\d,]+) to ([\d,]+) of a program that is running")


class Server:
    """The command, until it is ended."""

    def __init__(self, gnomon, elf, *options, arguments=()):
        words = [gnomon, "serve", "--http", "0", "-d", "sim:full", *options, elf, "--", *arguments]
        self.process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                        text=True)
        self.said = [""]
        self.wait("http://")
        found = re.search(r"http://(127\.0\.0\.1):(\d+)/pprof/profile", self.said[-1])
        if not found:
            fail(f"no address: {self.said[-1]}{self.process.stderr.read()}")
        self.port = int(found[2])
        self.host = f"127.0.0.1:{self.port}"

    def url(self, path):
        return f"http://{self.host}{path}"

    def ask(self, path, method="GET", body=None, headers=None):
        """(status, body, headers)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, body, {"User-Agent": "test", **(headers or {})})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text, answer.headers

    def wait(self, text):
        while text not in self.said[-1]:
            line = self.process.stderr.readline()
            if not line:
                fail(f"the server never says: {text}\n{''.join(self.said)}")
            self.said.append(line)

    def end(self):
        """Exit status, and all that it said."""
        self.process.send_signal(signal.SIGINT)
        rest = self.process.communicate(timeout=PATIENCE)[1]
        return self.process.returncode, "".join(self.said) + rest


def clean(name, status, said, wanted):
    same(f"{name}: exit status", status, wanted, said)
    expect(f"{name}: no report of a sanitizer", "Sanitizer" not in said and "runtime error" not in said, said)


# ---- What the readers see ----

def pprof_figures(pprof, source):
    """({function: cycles}, comment, text); `source` is a file or an address"""
    text = must([pprof, "-timeout=600", "-top", "-nodefraction=0", "-edgefraction=0", "-nodecount=1000000", "-sample_index=cycles", source],
                env={**os.environ, "PPROF_TMPDIR": "/nonexistent"})
    flat = {}
    for line in text.splitlines():
        found = re.match(r"^\s*(\d+)\s+[\d.]+%\s+[\d.]+%\s+(\d+)\s+[\d.]+%  (.*)$", line)
        if found:
            flat[found[3]] = flat.get(found[3], 0) + int(found[1])
    return flat, text


def google_figures(out, host, seconds):
    """({function: cycles}, {function: cycles with those that it called}, text), as google-pprof has them"""
    done = run(["google-pprof", "--text", "--nodefraction=0", "--edgefraction=0", f"--seconds={seconds}", host],
               env={**os.environ, "PPROF_TMPDIR": str(out), "HOME": str(out)})
    same("google-pprof: status", done.returncode, 0, done.stderr)
    flat, cum = {}, {}
    for line in done.stdout.splitlines():
        found = re.match(r"^ *(\d+) +[\d.]+% +[\d.]+% +(\d+) +[\d.]+% (.*)$", line)
        if found:
            flat[found[3]] = flat.get(found[3], 0) + int(found[1])
            cum[found[3]] = int(found[2])
    return flat, cum, done.stdout


def interval(text):
    found = COMMENT.search(text)
    return int(found[2].replace(",", "")) - int(found[1].replace(",", "")) if found else None


def check_readers(server, pprof, out):
    flat, text = pprof_figures(pprof, server.url("/pprof/profile?seconds=1"))
    same("pprof: the functions' cycles are those of the interval", sum(flat.values()), interval(text), text)
    expect("pprof: exact", "counted exactly, nothing lost" in text, text)
    share = sum(n for name, n in flat.items() if name.startswith("twice")) / max(sum(flat.values()), 1)
    expect("pprof: twice has two thirds", 0.6 < share < 0.7, text)
    flat, cum, text = google_figures(out, server.host, 1)
    same("google-pprof: main has called all of it", cum.get("main"), sum(flat.values()), text)
    total = re.search(r"^Total: (\d+) samples$", text, re.M)
    same("google-pprof: the functions' cycles are the total", sum(flat.values()), int(total[1]) if total else None, text)
    expect("google-pprof: it has the names", any(name.startswith("twice") for name in flat) and any(name.startswith("once") for name in flat), text)
    status, body, _ = server.ask("/pprof/cmdline")
    expect("cmdline", status == 200 and body.endswith(b"\n") and b"rounds" in body.splitlines()[0], body)
    same("symbol: GET", server.ask("/pprof/symbol")[1], b"num_symbols: 1\n")
    same("symbol: HEAD", server.ask("/pprof/symbol", "HEAD")[:2], (200, b""))


def check_sampled(server, pprof, out):
    for query, period, event in (("frequency=20000", 3000, "cycles"), ("event=branches&period=200", 200, "branches")):
        status, body, _ = server.ask(f"/pprof/profile?seconds=3&{query}")
        same(f"{query}: status", status, 200, body)
        file = out / "sampled.pb.gz"
        file.write_bytes(body)
        text = must([pprof, "-top", "-nodefraction=0", "-sample_index=" + event, file])
        flat = {found[2]: int(found[1]) for found in re.finditer(r"^\s*(\d+)\s+[\d.]+%\s+[\d.]+%\s+\d+\s+[\d.]+%  (.*)$", text, re.M)}
        told = re.search(r"estimated from (\d+) samples of (\w+), one every (\d+); the standard error of a share of 50 % is ([\d.]+) %; 0 samples lost", text)
        if not expect(f"{query}: the comment tells of samples", told, text):
            continue
        same(f"{query}: event and period", (told[2], int(told[3])), (event, period))
        same(f"{query}: events are samples times period", sum(flat.values()), int(told[1]) * period)
        share = 100 * sum(n for name, n in flat.items() if name.startswith("twice")) / sum(flat.values())
        expect(f"{query}: twice has two thirds, within six errors", abs(share - 66.6) < 6 * float(told[4]), text)
    flat, _, text = google_figures(out, f"http://{server.host}/pprof/pmuprofile?event=branches&period=200", 2)
    expect("google-pprof: samples have names", any(name.startswith("twice") for name in flat), text)


def check_rate(server, pprof, out):
    same("rate before start", server.ask("/pprof/rate?frequency=1000", "POST")[0], 404)
    same("start with samples", server.ask("/pprof/start?frequency=10000", "POST")[0], 200)
    same("another rate at the same time", server.ask("/pprof/profile?seconds=1&frequency=2000")[0], 409)
    same("the same rate at the same time", server.ask("/pprof/profile?seconds=1&frequency=10000")[0], 200)
    same("rate", server.ask("/pprof/rate?frequency=20000", "POST")[0], 200)
    same("rate without a number", server.ask("/pprof/rate", "POST")[0], 400)
    server.ask("/pprof/profile?seconds=1&frequency=20000")
    status, body, _ = server.ask("/pprof/stop", "POST")
    same("stop", status, 200)
    file = out / "rated.pb.gz"
    file.write_bytes(body)
    text = must([pprof, "-top", "-sample_index=samples", file])
    expect("the comment tells of the new rate", "samples of cycles, at last one every 3000" in text, text)
    same("rate after stop", server.ask("/pprof/rate?frequency=1000", "POST")[0], 404)


def check_whole(gnomon, pprof, elf, out, lossy=False):
    """After the program's end: the profile of the whole run, for both readers."""
    arguments = ["3000" if lossy else "300"]
    trace = out / "whole.gnt"
    must(["gnomon", "record", "-q", "-d", "sim:full", "-o", trace, elf, "--", *arguments])
    recorded = report(trace)
    wanted = {f["name"]: f["self_cycles"] for f in recorded["functions"] if f["self_cycles"]}
    wanted["[unprofiled]"] = recorded["unprofiled_cycles"]
    same(f"{elf}: calls are dropped", recorded["lost_cycles"] > 0, lossy)
    if lossy:
        wanted["[lost]"] = recorded["lost_cycles"]

    def compare(what, flat, *more):
        """Which calls are dropped can depend on when the server ends epochs: there, cycles in all are compared, and how many are lost."""
        got = {name: cycles for name, cycles in flat.items() if cycles}
        if not lossy:
            return same(what, got, wanted, *more)
        same(f"{what}: cycles in all", sum(got.values()), sum(wanted.values()), *more)
        return expect(f"{what}: lost cycles", abs(got["[lost]"] - wanted["[lost]"]) <= wanted["[lost]"] // 100, got, wanted)
    server = Server(gnomon, elf, arguments=arguments)
    server.wait("its profile is served until Ctrl-C")
    for _ in range(2):
        flat, text = pprof_figures(pprof, server.url("/pprof/profile?seconds=30"))
        compare("the whole run, by pprof, as gnomon report has it", flat, text)
    same("the comment says what is lost", "events LOST" in text and f"{flat.get('[lost]', 0):,} cycles are in no function's record" in text, lossy)
    expect("the comment says that the program has ended", "of a program that has ended: it ended with status 0" in text, text)
    flat, _, _ = google_figures(out, server.host, 30)
    compare("the whole run, by google-pprof", flat)
    same("samples after the program's end", server.ask("/pprof/profile?seconds=1&frequency=1000")[0], 501)
    clean("after the program's end", *server.end(), 0)


# ---- Many, slow and hostile clients ----

def check_many(server, pprof, out):
    answers = [None] * 100

    def fetch(index):
        answers[index] = server.ask("/pprof/profile?seconds=1")

    threads = [threading.Thread(target=fetch, args=(i,)) for i in range(len(answers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same("100 clients at once: all get a profile", [a[0] for a in answers], [200] * len(answers))
    bodies = {a[1] for a in answers}
    for number, body in enumerate(bodies):
        path = out / f"many-{number}.pb.gz"
        path.write_bytes(body)
        flat, text = pprof_figures(pprof, path)
        same("100 clients: each profile adds up", sum(flat.values()), interval(text), text)
    print(f"100 clients: {len(bodies)} different profiles")


def check_control(server, pprof, out):
    same("stop before start", server.ask("/pprof/stop", "POST")[0], 404)
    same("current before start", server.ask("/pprof/current")[0], 404)
    same("start", server.ask("/pprof/start", "POST")[:2], (200, b"done\n"))
    same("start again", server.ask("/pprof/start", "POST")[0], 409)
    for path, method in (("/pprof/current", "GET"), ("/pprof/stop", "POST")):
        status, body, _ = server.ask(path, method)
        same(path, status, 200)
        file = out / "control.pb.gz"
        file.write_bytes(body)
        flat, text = pprof_figures(pprof, file)
        same(f"{path}: adds up", sum(flat.values()), interval(text), text)
    same("stop again", server.ask("/pprof/stop", "POST")[0], 404)


def raw(server, data, patience=PATIENCE):
    """What the server answers to these bytes, until it closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=patience) as connection:
        try:
            connection.sendall(data)
            answer = b""
            while part := connection.recv(65536):
                answer += part
        except (ConnectionResetError, BrokenPipeError):
            pass
        return answer


def head(server, **headers):
    return "".join(f"{name}: {value}\r\n" for name, value in {"Host": server.host, "Connection": "close", **headers}.items())


def check_hostile(server):
    def status(line, **headers):
        answer = raw(server, f"{line} HTTP/1.1\r\n{head(server, **headers)}\r\n".encode())
        return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else answer

    same("a Host of another machine", status("GET /pprof/cmdline", Host="evil.example"), 421)
    same("the same with our port", status("GET /pprof/cmdline", Host=f"evil.example:{server.port}"), 421)
    same("an address that is not ours", status("GET /pprof/cmdline", Host="8.8.8.8"), 421)
    same("localhost", status("GET /pprof/cmdline", Host=f"localhost:{server.port}"), 200)
    same("a Host that makes no sense", status("GET /pprof/cmdline", Host="[::1"), 421)
    same("no Host", int(raw(server, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").split()[1]), 400)
    same("a page of another site", status("GET /pprof/cmdline", Origin="http://evil.example"), 403)
    same("a page without origin", status("GET /pprof/cmdline", Origin="null"), 403)
    same("a page of ours", status("GET /pprof/cmdline", Origin=f"http://{server.host}"), 200)
    same("a picture in a page of another site", status("GET /pprof/cmdline", **{"Sec-Fetch-Site": "cross-site"}), 403)
    same("headers that are too large", status("GET /pprof/cmdline", X="x" * 100000), 431)
    same("an address that is too long", status("GET /" + "x" * 100000) in (414, 431), True)
    same("no such page", status("GET /../../etc/passwd"), 404)
    same("a page that needs --events", status("GET /pprof/heap"), 501)
    same("another method", status("DELETE /pprof/profile"), 405)
    same("control without leave", status("POST /pprof/start", **{"Content-Length": "0"}), 403)
    for query in ("seconds=x", "seconds=-1", "seconds=1e9", "seconds=nan", "seconds=", "sekunden=1", "format=gif&seconds=0", "event=nothing", "event=branches:u",
                  "frequency=0", "frequency=1e3", "frequency=99999999", "period=1", "frequency=1000&period=1000", "event=branches&frequency=10", "seconds=0&frequency=1000"):
        expect(f"?{query}", status(f"GET /pprof/profile?{query}") in (400, 501), status(f"GET /pprof/profile?{query}"))
    same("a body that is too large", server.ask("/pprof/symbol", "POST", b"x" * (2 << 20))[0], 413)
    same("a body of many addresses", server.ask("/pprof/symbol", "POST", b"+".join(b"0x%x" % n for n in range(90000)))[0], 200)
    same("addresses that make no sense", server.ask("/pprof/symbol", "POST", b"0x+0xzz+-1+0xffffffffffffffffffff+\x00\xff")[0], 200)
    for garbage in (b"\x00" * 1000, b"GET", b"\r\n" * 1000, bytes(range(256)) * 100, b"GET / HTTP/9.9\r\n\r\n",
                    b"POST /pprof/symbol HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n", b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(garbage)
    for _ in range(30):  # clients that do not wait for their profile
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(f"GET /pprof/profile?seconds=1 HTTP/1.1\r\n{head(server)}\r\n".encode())
    same("after all that", server.ask("/pprof/profile?seconds=1")[0], 200)


def check_slow(gnomon, elf):
    server = Server(gnomon, elf, *SLOW)
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
    gone = [0]

    def drip():
        for _ in range(60):
            time.sleep(0.2)
            for connection in slow[:]:
                try:
                    connection.sendall(b"x")
                except OSError:
                    slow.remove(connection)
                    gone[0] += 1

    for connection in slow:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        except OSError:
            pass
    dripping = threading.Thread(target=drip)
    dripping.start()
    same("60 slow clients where 30 may be: a quick one is served", server.ask("/pprof/cmdline")[0], 200)
    same("and its profile, too", server.ask("/pprof/profile?seconds=4")[0], 200)
    dripping.join()
    same("the slow ones were sent away", gone[0], 60)
    clean("slow clients", *server.end(), 130)


def main():
    gnomon, pprof, out, endless, whole, lossy = values(__doc__, "gnomon", "pprof", "out", "endless", "whole", "lossy")
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    server = Server(gnomon, endless)
    check_readers(server, pprof, out)
    check_sampled(server, pprof, out)
    check_many(server, pprof, out)
    check_hostile(server)
    told = []
    waiting = threading.Thread(target=lambda: told.append(server.ask("/pprof/profile?seconds=3000")))
    waiting.start()
    time.sleep(1)
    clean("Ctrl-C while a client waits", *server.end(), 130)
    waiting.join()
    expect("the client gets the profile up to there", told and told[0][0] == 200, told)
    server = Server(gnomon, endless, "--allow-control")
    check_control(server, pprof, out)
    check_rate(server, pprof, out)
    clean("with --allow-control", *server.end(), 130)
    check_slow(gnomon, endless)
    check_whole(gnomon, pprof, whole, out)
    check_whole(gnomon, pprof, lossy, out, lossy=True)
    for words, status in ((["--http", "x", endless], 2), (["--http", "0"], 2), ([endless], 2), (["--http", "0", "--usbip", "0"], 2), (["--usbip", "0", endless], 2)):
        same(f"serve {' '.join(map(str, words))}: status", run([gnomon, "serve", *words]).returncode, status)
    sys.exit(result())


if __name__ == "__main__":
    main()
