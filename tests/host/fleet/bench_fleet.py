#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast gnomon fleet serve stores submissions on each kind of storage, beside the same statement in pgbench (for SQLite: in Python's sqlite3), in the
same run; and what a submission costs in a store of more and more rows. All databases wait for their disk.

usage: bench_fleet.py --gnomon FILE --out FOLDER --jars FOLDER --submissions N --rows N --json FILE"""
import contextlib
import json
import math
import pathlib
import re
import shutil
import sqlite3
import sys
import time

from checking import fail
from commands import must
from fleet_places import POSTGRES, STANDARD, TOOLS, Load, Postgres, Service, Sharded, Sqlite, bodies
from options import values

GNOMON, OUT, JARS, SUBMISSIONS, ROWS, JSON = values(__doc__, "gnomon", "out", "jars", "submissions", "rows", "json")
OUT, SUBMISSIONS, ROWS = pathlib.Path(OUT), int(SUBMISSIONS), int(ROWS)
COLLECTORS, BODY_ROWS, FUNCTIONS = 64, 60, 300
PEER_SECONDS = 5
TOGETHER = 100
FILL_ROWS, PROBES = 10000, 300
NO_LIMIT = [*STANDARD, *(word for limit in ("rows=16777216", "functions=4294967295", "store=1099511627776") for word in ("--limits", limit))]
COLUMNS = ["shard", "s", "k1", "k2", "log2", "calls0", "calls1", "total0", "total1", "squares0", "squares1", "squares2", "squares3"]


def upsert(key, bucket, sign):
    """The statement that the service makes for one bucket."""
    sums = ", ".join(f"{name} = gnomon_bucket.{name} + excluded.{name}" for name in COLUMNS[5:])
    return (f"insert into gnomon_bucket ({', '.join(COLUMNS)}) values (0, 1, {sign}{key}, 1, {sign}{bucket}, 100, 0, 5000, 0, 250000, 0, 0, 0) "
            f"on conflict ({', '.join(COLUMNS[:5])}) do update set {sums}")


def pgbench(where, clients, together=1):
    """Statements a second, with `together` of them in a transaction, and the mean latency of a transaction in ms."""
    script = OUT / "upsert.sql"
    statement = f"\\set k random(1, {FUNCTIONS})\n\\set l random(0, 3)\n{upsert('k', 'l', ':')};\n"
    script.write_text(statement if together == 1 else f"begin;\n{statement * together}commit;\n")
    text = must([POSTGRES / "pgbench", "-n", "-M", "prepared", "-c", clients, "-j", 2, "-T", PEER_SECONDS, "-f", script, where])
    return together * float(re.search(r"tps = ([\d.]+)", text)[1]), float(re.search(r"latency average = ([\d.]+)", text)[1])


def pgbench_peers(where):
    return [("pgbench -c 1", lambda: pgbench(where, 1)), ("pgbench -c 16", lambda: pgbench(where, 16)), (f"pgbench -c 1, {TOGETHER} in a transaction", lambda: pgbench(where, 1, TOGETHER))]


def python_sqlite(path):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        start, count = time.monotonic(), 0
        while time.monotonic() - start < PEER_SECONDS:
            connection.execute(upsert("k", "l", ":"), {"k": count % FUNCTIONS, "l": count % 4})
            count += 1
        seconds = time.monotonic() - start
    return count / seconds, 1000 * seconds / count


def upserts_of(files):
    """Rows and buckets of a submission, on average."""
    rows = [row for file in files for row in json.loads(must([GNOMON, "api", "list", "--json", file]))["rows"]]
    return (len(rows) + sum(len(row["buckets"]) for row in rows)) / len(files)


def measure(name, database, files, peers):
    service = Service(GNOMON, database, OUT / name, *STANDARD, tokens=COLLECTORS)
    Load(service, 0, SUBMISSIONS // 10, files).result()
    got = Load(service, SUBMISSIONS, SUBMISSIONS, files).result()
    service.stop()
    per_second = SUBMISSIONS / got["seconds"]
    found = {"storage": name, "submissions_per_second": per_second, "p50_ms": got["p50_us"] / 1000, "p99_ms": got["p99_us"] / 1000,
             "upserts_per_second": per_second * upserts_of(files), "peers": []}
    for peer, run in peers:
        rate, latency = run()
        found["peers"].append({"peer": peer, "upserts_per_second": rate, "mean_ms": latency})
    return found


def one_by_one(service, files, first):
    """ms of a submission when one collector submits."""
    lines = service.secrets.read_text().splitlines(True)
    service.secrets.write_text(lines[0])
    got = Load(service, first, PROBES, files).result()
    service.secrets.write_text("".join(lines))
    return got["p50_us"] / 1000, got["p99_us"] / 1000


def growth(name, database):
    """The cost of a submission of 60 rows, drawn from all that the store has."""
    service = Service(GNOMON, database, OUT / f"{name}-growth", *NO_LIMIT, tokens=2)
    rows, target, found = 0, 10000, []
    while target <= ROWS:
        while rows < target:
            file = OUT / "fill.gnp"
            must([TOOLS / "fleet_random", rows // FILL_ROWS, FILL_ROWS, 1, "next", file])
            Load(service, 1_000_000 + rows, 1, [file]).result()
            rows += FILL_ROWS
        p50, p99 = one_by_one(service, bodies(OUT / f"bodies{target}", 32, BODY_ROWS, rows, "even", seed=target), 500_000_000 + rows)
        found.append({"rows": rows, "p50_ms": p50, "p99_ms": p99})
        print(f"{name:12} {rows:>12,} rows: {p50:8.2f} ms p50 {p99:8.2f} ms p99", flush=True)
        target *= 10
    service.stop()
    return found


def show(found):
    print(f"\n{'storage':12} {'submissions/s':>13} {'p50 ms':>8} {'p99 ms':>8} {'upserts/s':>11}")
    for one in found:
        print(f"{one['storage']:12} {one['submissions_per_second']:13,.0f} {one['p50_ms']:8.1f} {one['p99_ms']:8.1f} {one['upserts_per_second']:11,.0f}")
        for peer in one["peers"]:
            print(f"  {'the same statement':43} {peer['upserts_per_second']:11,.0f}  {peer['peer']}: {peer['mean_ms']:.2f} ms")
    print(f"{SUBMISSIONS:,} submissions of {BODY_ROWS} rows by {COLLECTORS} collectors; upserts: rows and buckets as they are submitted; those of one transaction are added together before they are written", flush=True)


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    files = bodies(OUT / "bodies", 16, BODY_ROWS, FUNCTIONS, "even")
    database = Sqlite(OUT / "sqlite")
    found = [measure("sqlite", database, files, [("sqlite3", lambda: python_sqlite(database.path))])]
    grown = {"sqlite": growth("sqlite", Sqlite(OUT / "sqlite-growth"))}
    postgres = Postgres(fsync=True)
    try:
        found.append(measure("postgresql", postgres, files, pgbench_peers(postgres.where)))
    finally:
        postgres.close()
    postgres = Postgres(fsync=True)
    try:
        grown["postgresql"] = growth("postgresql", postgres)
    finally:
        postgres.close()
    sharded = Sharded(GNOMON, JARS, fsync=True)
    try:
        found.append(measure("sharded", sharded, files, pgbench_peers(sharded.where)))
    finally:
        sharded.close()
    show(found)
    if not all(math.isfinite(one["submissions_per_second"]) for one in found):
        fail("no figures")
    pathlib.Path(JSON).write_text(json.dumps({"submissions": SUBMISSIONS, "collectors": COLLECTORS, "storages": found, "growth": grown}, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
