#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collectors and the real service, through a connection that breaks between commit and answer, before the request has come, and while the
service is killed: what the service publishes is the sum of what all hosts have measured, byte for byte.

usage: test_collect_fleet.py --gnomon FILE --out FOLDER --station ELF --zlib ELF --text FILE"""
import pathlib
import random
import shutil
import socket
import struct
import sys
import threading
import types
import urllib.request

from checking import expect, result, same
from commands import must
from fleet_places import Service, Sqlite
from host import Host
from options import values

GNOMON, OUT, STATION, ZLIB, TEXT = (pathlib.Path(value).resolve() for value in values(__doc__, "gnomon", "out", "station", "zlib", "text"))
HOSTS, ROUNDS = 3, 4


class Way:
    """A way to a port of this machine that breaks as `breaks` says for each connection that posts: "before" the request is passed on,
    "after" the service has answered, or "no"."""

    def __init__(self, port, breaks):
        self.port, self.breaks, self.counts = port, breaks, {}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                self.pass_on(self.listener.accept()[0])
            except OSError:
                pass  # the service is not there

    def pass_on(self, client):
        with client:
            request = self.read_request(client)
            how = self.breaks() if request.startswith(b"POST") else "no"
            self.counts[how] = self.counts.get(how, 0) + 1
            if how != "before":
                with socket.create_connection(("127.0.0.1", self.port)) as service:
                    service.sendall(request.replace(self.address.split("//")[1].encode(), b"127.0.0.1:%d" % self.port))
                    answer = self.read_request(service)
            if how == "no":
                client.sendall(answer)
            else:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    @staticmethod
    def read_request(connection):
        """A request or an answer, whole."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += connection.recv(65536) or (_ for _ in ()).throw(OSError())
        head, body = data.split(b"\r\n\r\n", 1)
        length = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
        while length and len(body) < length[0]:
            body += connection.recv(65536) or (_ for _ in ()).throw(OSError())
        return head + b"\r\n\r\n" + body


def submissions(host):
    return sorted((host.state / "queue").glob("*.gnp"))


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    chance = random.Random(3)
    service = Service(GNOMON, Sqlite(OUT / "store"), OUT / "service", "--policy", "load=6400", "--policy", "functions=20")
    way = Way(service.port, lambda: chance.choice(["no", "before", "after", "after"]))
    told = types.SimpleNamespace(address=way.address, token=service.tokens[0])
    hosts = [Host(GNOMON, OUT / f"host-{number}", told) for number in range(HOSTS)]
    same("the service's policy", {name: hosts[0].json("--status")["policy"][name] for name in ("functions", "load")}, {"functions": 20, "load": 64})
    runs, attempts = 0, 0
    for turn in range(ROUNDS):
        for host in hosts:
            same("a run", host.run(STATION, "--", "0", input="").returncode, 0)
            same("another", host.run(ZLIB, "--", TEXT, "text.z", cwd=OUT).returncode, 0)
            runs += 2
            if turn == 2:
                service.kill()
            done = host.collect("--submit")  # makes the submission, and may fail to send it
            if turn == 2:
                expect("the service is not there", done.returncode == 1 or not submissions(host), done.stderr)
                service.start()
            attempts += 1
            while submissions(host):
                host.collect("--submit")
                attempts += 1
    published = urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{service.port}/v1/profile", headers={"Authorization": f"Bearer {told.token}"})).read()
    (OUT / "published.gnp").write_bytes(published)
    same("all runs are there, each once", hosts[0].runs(OUT / "published.gnp"), runs)
    print(f"{runs} runs of {HOSTS} hosts, {attempts} attempts; connections: {way.counts}")
    expect("connections broke in each way", all(way.counts.get(how) for how in ("no", "before", "after")), way.counts)
    same("the service ends well", service.stop()[0], 0)
    check_sum(service, way)
    sys.exit(result())


def check_sum(service, way):
    """Each submission is copied before it is sent; the sum of the copies is what the service publishes."""
    service.database = Sqlite(OUT / "store")
    service.start()
    way.breaks = iter(["after", "no"] * 100).__next__
    told = types.SimpleNamespace(address=way.address, token=service.tokens[0])
    hosts = [Host(GNOMON, OUT / f"host-{number}", told, "--scenario", f"scenario {number}") for number in range(HOSTS)]
    copies = []
    for turn in range(ROUNDS):
        for number, host in enumerate(hosts):
            for _ in range(1 + (turn + number) % 2):
                host.run(STATION, "--", "0", input="")
            copies.append(OUT / f"copy-{turn}-{number}.gnp")
            copies[-1].write_bytes(host.open().read_bytes())
            while host.open() or submissions(host):
                host.collect("--submit")
    must([GNOMON, "merge", "-q", "-o", OUT / "sum.gnp", *copies])
    same("what is published is the sum of the copies, byte for byte", service.export("whole") == (OUT / "sum.gnp").read_bytes(), True)
    same("that many runs", hosts[0].runs(OUT / "sum.gnp"), HOSTS * ROUNDS + HOSTS * ROUNDS // 2)
    same("the service ends well", service.stop()[0], 0)


if __name__ == "__main__":
    main()
