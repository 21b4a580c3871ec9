#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon fleet with 200 collectors on each kind of storage: SQLite, PostgreSQL, and two PostgreSQLs behind ShardingSphere-Proxy. Meanwhile the service is
killed, the database is killed, its disk is full, and submissions come twice and in any order. At the end all have the same bytes: those of gnomon merge.

usage: test_fleet.py --gnomon FILE --out FOLDER --jars FOLDER --submissions N --storages NAME,NAME...   (sqlite, postgresql, sharded)"""
import http.client
import json
import os
import pathlib
import random
import shutil
import sys
import threading
import time
import urllib.request

from checking import expect, fail, result, same
from commands import must
from fleet_files import rows_of
from fleet_places import STANDARD, Load, Postgres, Service, Sharded, Sqlite, add_counts, bodies, expected
from options import values

GNOMON, OUT, JARS, SUBMISSIONS, STORAGES = values(__doc__, "gnomon", "out", "jars", "submissions", "storages")
OUT, SUBMISSIONS, STORAGES = pathlib.Path(OUT), int(SUBMISSIONS), STORAGES.split(",")
COLLECTORS = 200
STEPS = 5  # parts of the submissions, each with a trouble of its own
TROUBLE_SECONDS = 3


class Disk:
    """A small file system; `fill` leaves no room on it."""

    def __init__(self, path, megabytes):
        if os.getuid() != 0:
            fail("a small disk needs root, who may mount it")
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        must(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", path])

    def fill(self):
        with (self.path / "ballast").open("wb", buffering=0) as ballast:
            try:
                while ballast.write(b"x" * 65536):
                    pass
            except OSError:
                pass

    def free(self):
        (self.path / "ballast").unlink()

    def close(self):
        must(["umount", "-l", self.path])


def kill_service(service):
    service.kill()
    time.sleep(0.3)
    service.start()


def end_service(service):
    """As an administrator does: what was answered is stored."""
    same("SIGTERM", service.stop()[0], 0)
    service.start()


def kill_database(service):
    service.database.kill()
    time.sleep(TROUBLE_SECONDS / 2)
    service.database.start()


def kill_both(service):
    service.database.kill()
    service.kill()
    service.database.start()
    service.start()


class Reader:
    """Keeps up with what the service publishes, by `since`."""

    def __init__(self, service):
        self.service, self.sequence, self.known = service, 0, {}

    def read(self):
        """False: the service, or its database, is away."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.service.port}/v1/profile?since={self.sequence}", timeout=60) as answer:
                self.known.update(rows_of(answer.read()))
                self.sequence = int(answer.headers["Gnomon-Sequence"])
        except (OSError, http.client.HTTPException):
            return False
        return True

    def follow(self, load):
        while not load.ended():
            self.read()
            time.sleep(0.2)


def check_storage(name, database, files):
    """Returns what it publishes, and what it has counted."""
    service = Service(GNOMON, database, OUT / name, *STANDARD, tokens=COLLECTORS)
    reader = Reader(service)
    total, each, draw = {}, SUBMISSIONS // STEPS, random.Random(name)
    troubles = [None, kill_service, kill_database, kill_both, end_service]
    for step, trouble in enumerate(troubles):
        load, turns = Load(service, step * each, each, files, rough=True), 0
        following = threading.Thread(target=reader.follow, args=[load])
        following.start()
        while trouble and not load.ended():
            time.sleep(draw.uniform(0.2, TROUBLE_SECONDS))
            if not load.ended():
                trouble(service)
                turns += 1
        following.join()
        got = load.result()
        add_counts(total, got)
        print(f"{name}: {each} submissions in {got['seconds']:.1f} s, {trouble.__name__ if trouble else 'no trouble'} {turns} times, "
              f"{got['unanswered']} without an answer, answers {got['answers']}", flush=True)
    published = service.export("published")
    expect(f"{name}: {each * STEPS} submissions are counted once each, byte for byte", published == expected(OUT / name, total))
    expect(f"{name}: a reader of what has changed has the whole", reader.read() and reader.known == rows_of(published))
    status, errors = service.stop()
    same(f"{name}: ends", status, 0, errors)
    expect(f"{name}: standard error", all(line.startswith("gnomon: fleet: warning: the database cannot be used") for line in errors.splitlines()), errors)
    expect(f"{name}: after the end", service.export("after") == published)
    return published, total


def check_full(name, disk, database, files):
    """Nothing half, nothing lost: what was answered by 201 is there; and with room again all goes on."""
    service = Service(GNOMON, database, OUT / f"{name}-full", *STANDARD, tokens=20)
    total, count = {}, 400
    load = Load(service, 0, count, files)
    add_counts(total, load.result())
    before = service.export("before")
    expect(f"{name}: before the disk is full", before == expected(OUT / f"{name}-full", total))
    disk.fill()
    load = Load(service, count, 20 * count, files)
    time.sleep(TROUBLE_SECONDS)
    expect(f"{name}: a full disk makes collectors wait", not load.ended())
    meanwhile = OUT / f"{name}-full" / "meanwhile.gnp"
    must(["curl", "-s", "-f", "-o", meanwhile, f"http://127.0.0.1:{service.port}/v1/profile"])
    expect(f"{name}: can be read meanwhile", json.loads(must([GNOMON, "api", "list", "--json", meanwhile]))["rows"])
    disk.free()
    got = load.result()
    add_counts(total, got)
    expect(f"{name}: says that the storage is full", got["answers"].get("507", 0) > 0, got["answers"])
    expect(f"{name}: nothing is lost on a full disk", service.export("published") == expected(OUT / f"{name}-full", total))
    service.stop()


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    files = bodies(OUT / "bodies", 14, 60, 300, "small") + bodies(OUT / "bodies", 2, 60, 300, "large")
    published = {}
    places = {"sqlite": lambda: Sqlite(OUT / "sqlite"), "postgresql": Postgres, "sharded": lambda: Sharded(GNOMON, JARS)}
    for name in STORAGES:
        database = places[name]()
        try:
            published[name] = check_storage(name, database, files)
        finally:
            database.close()
    for name, found in published.items():
        expect(f"{name} and {STORAGES[0]} publish the same bytes", found == published[STORAGES[0]])
    for name, megabytes, make in (("sqlite", 12, lambda place: Sqlite(place / "db")), ("postgresql", 120, Postgres)):
        if name not in STORAGES:
            continue
        disk = Disk(OUT / f"{name}-disk", megabytes)
        try:
            database = make(disk.path)
            try:
                check_full(name, disk, database, files)
            finally:
                database.close()
        finally:
            disk.close()
    return result()


if __name__ == "__main__":
    sys.exit(main())
