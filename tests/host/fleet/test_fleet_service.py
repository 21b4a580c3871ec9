#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon fleet serve on SQLite and on PostgreSQL: each submission is counted once although collectors, service and database are killed; what is published
is what gnomon merge makes of the submissions, byte for byte, whole or incrementally; hostile requests store nothing; each answer is one that
docs/reference/fleet.yaml has.

usage: test_fleet_service.py --gnomon FILE --out FOLDER --openapi FILE"""
import hashlib
import http.client
import json
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import threading
import time

import jsonschema
import openapi_spec_validator
import yaml

import fleet_places
import gnp_file
from checking import expect, result, same
from commands import must, run
from fleet_files import inner_of, packed, rows_of
from fleet_places import STANDARD, Load, Postgres, Service, Sqlite, add_counts, bodies, expected
from options import values

GNOMON, OUT, OPENAPI = values(__doc__, "gnomon", "out", "openapi")
OUT = pathlib.Path(OUT)
DESCRIPTION = yaml.safe_load(pathlib.Path(OPENAPI).read_text(encoding="utf-8"))
CARRY_EVERY, CARRY_FROM = 1 << 20, 1 << 60  # of host/lib/store
ANSWERED = set()  # (path, method, status) that a test has seen


# ---- Requests ----

def resolve(part):
    while "$ref" in part:
        found = DESCRIPTION
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = found
    return part


def check_described(method, path, status, headers, body):
    described = DESCRIPTION["paths"].get(path, {}).get(method.lower())
    if not described:
        return
    ANSWERED.add((path, method, status))
    if not expect(f"{method} {path} {status} is described", str(status) in described["responses"], body[:300]):
        return
    answer = resolve(described["responses"][str(status)])
    kind = headers.get("Content-Type")
    expect(f"{method} {path} {status}: {kind} is described", kind in answer["content"], body[:300])
    for name in answer.get("headers", {}):
        expect(f"{method} {path} {status} has {name}", headers.get(name, "").isdigit(), headers)
    if kind == "application/json":
        schema = resolve(answer["content"][kind]["schema"])
        jsonschema.validate(json.loads(body), schema)
        expect(f"{method} {path} {status}: no other members", set(json.loads(body)) <= set(schema["properties"]), body)


def ask(service, method, path, body=None, token=None, number=None, **headers):
    """(status, headers, body)"""
    client = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if number is not None:
        headers["Submission-Id"] = number if isinstance(number, str) else f"{number:032x}"
    client.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = client.getresponse()
    content = answer.read()
    client.close()
    check_described(method, path.partition("?")[0], answer.status, answer.headers, content)
    return answer.status, answer.headers, content


def submit(service, body, number, token=None, **headers):
    return ask(service, "POST", "/v1/submissions", body, token or service.tokens[0], number, **headers)[0]


def profile(service, query=""):
    status, headers, body = ask(service, "GET", f"/v1/profile{query}")
    same(f"GET /v1/profile{query}", status, 200, body[:300])
    return body, int(headers["Gnomon-Sequence"])


# ---- Counting ----

def check_counting(name, service, folder, files):
    """Killed service, killed database, rough collectors; a reader that keeps up with `since`."""
    total, known, sequence, count = {}, {}, 0, 200
    for turn, trouble in enumerate((lambda: None, service.kill, service.database.kill)):
        load = Load(service, turn * count, count, files, rough=True)
        time.sleep(0.4)
        trouble()
        if trouble == service.kill:
            service.start()
        elif trouble == service.database.kill:
            service.database.start()
        while not load.ended():
            time.sleep(0.1)
            if trouble != service.database.kill:
                part, sequence = profile(service, f"?since={sequence}")
                known.update(rows_of(part))
        add_counts(total, load.result())
    whole, last = profile(service)
    part, again = profile(service, f"?since={sequence}")
    known.update(rows_of(part))
    want = expected(folder, total)
    expect(f"{name}: {3 * count} submissions are counted once each", whole == want)
    expect(f"{name}: gnomon fleet export", service.export("export") == want)
    same(f"{name}: sequence", last, again)
    expect(f"{name}: the rows that changed, taken together, are all rows", known == rows_of(whole))
    expect(f"{name}: nothing has changed since", rows_of(profile(service, f"?since={last}")[0]) == {})
    same(f"{name}: submissions", json.loads(ask(service, "GET", "/v1/status")[2])["submissions"], 3 * count)
    return total


def check_merge(service, folder, files, name):
    """What a filter gives is what gnomon api list chooses of the whole."""
    whole = folder / "whole.gnp"
    whole.write_bytes(profile(service)[0])
    for key, value in (("scenario", "collected"), ("device", "full"), ("build", "a1"), ("cost", "cycles")):
        part = folder / "part.gnp"
        part.write_bytes(profile(service, f"?{key}={value}")[0])
        listed = [must([GNOMON, "api", "list", "--json", *options, file]) for file, options in ((whole, ["--on" if key == "device" else f"--{key}", value]), (part, []))]
        same(f"{name}: {key}={value}", *(json.loads(text)["rows"] for text in listed))
        expect(f"{name}: {key}={value} with fleet export", service.export("part", "--on" if key == "device" else f"--{key}", value) == part.read_bytes())
    whole_json = json.loads(ask(service, "GET", "/v1/profile?format=json")[2])
    everything = [row for source in whole_json["sources"] for row in json.loads(must(
        [GNOMON, "api", "list", "--json", "--scenario", source["scenario"], "--on", source["device"], "--build", source["build"], whole]))["rows"]]
    expect(f"{name}: format=json has the functions of the whole", {row["function"] for row in whole_json["rows"]} == {row["function"] for row in everything})
    same(f"{name}: format=json has all rows", len(whole_json["sources"]) + len(whole_json["rows"]), len(rows_of(whole.read_bytes())))
    same(f"{name}: another format", ask(service, "GET", "/v1/profile?format=xml")[0], 400)
    by_command = folder / "merged.gnp"
    must([GNOMON, "merge", "-q", "-o", by_command, *files])
    expect("fleet_times is gnomon merge", expected(folder, {file: 1 for file in files}) == by_command.read_bytes())


def check_carry(name, service, folder, files, total):
    """Words of sums that are far above 32 bits are carried, and mean the same."""
    words = [f"{table} set {', '.join(f'{word} = {word} + {CARRY_FROM}' for word in columns)}" for table, columns in
             (("gnomon_bucket", ["calls0", "total0", "squares0", "squares1", "squares2"]), ("gnomon_source", ["runs0", "cycles0"]), ("gnomon_row", ["lost0"]))]
    top = f"gnomon_bucket set calls1 = calls1 + {CARRY_FROM}, squares3 = squares3 + {CARRY_FROM} where log2 = 3"
    service.database.script("; ".join(f"update {change}" for change in (*words, top)))
    before = folder / "before.gnp"
    before.write_bytes(profile(service)[0])
    service.database.script(f"update gnomon_shard set sequence = sequence + {CARRY_EVERY}")
    same(f"{name}: a submission after {CARRY_EVERY} transactions", submit(service, files[0].read_bytes(), 1 << 100), 201)
    same(f"{name}: the same once more", submit(service, files[1].read_bytes(), 1 << 100), 200)
    expect(f"{name}: carries change no number", profile(service)[0] == expected(folder, {before: 1, files[0]: 1}))
    expect(f"{name}: the numbers are not those without", before.read_bytes() != expected(folder, total))
    over = " or ".join(f"calls{i} > {CARRY_FROM - 1} or total{i} > {CARRY_FROM - 1}" for i in range(2))
    over += " or " + " or ".join(f"squares{i} > {CARRY_FROM - 1}" for i in range(4))
    # A row that is too large ends the statement: its place would be twice in the table.
    guard = f"insert into gnomon_shard select shard, version, shards, sequence, carried, submissions from gnomon_shard where exists (select 1 from gnomon_bucket where {over})"
    service.database.script(guard)


def check_retention(name, service, folder, files):
    """Programs that were not seen for 30 days are deleted as a whole."""
    service.stop()
    service.database.script("update gnomon_source set day = day - 31 where program like 'zlib%'")
    before = rows_of(service.export("before"))
    service.options = (*service.options, "--retention", "30")
    service.start()
    fleet_places.until(lambda: not any(key[0] == b"zlib.elf" for key in rows_of(service.export("after"))), "retention")
    after = rows_of(service.export("after"))
    same(f"{name}: retention", after, {key: value for key, value in before.items() if key[0] != b"zlib.elf"})
    expect(f"{name}: retention had something to delete", len(after) < len(before))
    again = next(file for file in files if any(key[0] == b"zlib.elf" for key in rows_of(file.read_bytes())))
    same(f"{name}: a deleted program comes again", submit(service, again.read_bytes(), 1 << 101), 201)
    expect(f"{name}: and has no more than it brings", service.export("again") == expected(folder, {folder / "after.gnp": 1, again: 1}))


# ---- Hostile requests ----

def one_row(function="main", file="", program="image.elf", source_text=b""):
    """A profile with one row, put together here."""
    def field(number, data):
        return bytes([number << 3 | 2]) + bytes([len(data) & 127 | 128, len(data) >> 7]) + data
    texts = [program.encode() if isinstance(program, str) else program, function.encode() if isinstance(function, str) else function, file.encode(), b"cycles", source_text]
    source = b"\x08\x00\x10\x04\x18\x04\x20\x04\x28\x01"
    row = b"\x08\x00\x10\x03\x18\x00\x20\x04\x28\x01\x30\x02\x50\x05\x58\x07" + field(12, b"\x08\x02\x10\x01\x18\x05\x20\x19")
    return packed(b"gnp", b"".join(field(1, text) for text in texts) + field(2, source) + field(3, row))


def check_refused(name, service, good):
    """Nothing of these is stored."""
    before, _ = profile(service)
    wrong = good[:-1] + bytes([good[-1] ^ 1])
    refused = [
        ("no token", 401, lambda: ask(service, "POST", "/v1/submissions", good, None, 1)[0]),
        ("a forged token", 401, lambda: submit(service, good, 1, "gnomon_" + "0" * 64)),
        ("the hash in place of the token", 401, lambda: submit(service, good, 1, service.hashes.read_text().split()[0])),
        ("a token that is too short", 401, lambda: submit(service, good, 1, service.tokens[0][:-1])),
        ("another scheme", 401, lambda: ask(service, "POST", "/v1/submissions", good, None, 1, Authorization=f"Basic {service.tokens[0]}")[0]),
        ("no id", 400, lambda: submit(service, good, None)),
        ("an id in upper case", 400, lambda: submit(service, good, "A" * 32)),
        ("an id that is too long", 400, lambda: submit(service, good, "0" * 33)),
        ("an empty body", 400, lambda: submit(service, b"", 1)),
        ("text", 400, lambda: submit(service, b"select 1; " * 100, 1)),
        ("a wrong check sum", 400, lambda: submit(service, wrong, 1)),
        ("half a file", 400, lambda: submit(service, good[:len(good) // 2], 1)),
        ("no UTF-8", 400, lambda: submit(service, one_row(function=b"\xff\xfe"), 1)),
        ("a control character", 400, lambda: submit(service, one_row(function="a\nb"), 1)),
        ("a path of a machine", 400, lambda: submit(service, one_row(file="/home/someone/main.c"), 1)),
        ("a path of another system", 400, lambda: submit(service, one_row(file="C:\\Users\\someone\\main.c"), 1)),
        ("a program with its folder", 400, lambda: submit(service, one_row(program="someone/image.elf"), 1)),
        ("a long name", 413, lambda: submit(service, one_row(function="x" * 1025), 1)),
        ("a long body", 413, lambda: submit(service, b"x" * ((4 << 20) + 1), 1)),
        ("a body in chunks", 411, lambda: ask(service, "POST", "/v1/submissions", iter([good]), service.tokens[0], 1)[0]),
        ("GET of submissions", 405, lambda: ask(service, "GET", "/v1/submissions", None, service.tokens[0])[0]),
        ("DELETE of the profile", 405, lambda: ask(service, "DELETE", "/v1/profile", None, service.tokens[0])[0]),
        ("another path", 404, lambda: ask(service, "POST", "/v1/../etc/passwd", good, service.tokens[0], 1)[0]),
        ("an unknown parameter", 400, lambda: ask(service, "GET", "/v1/profile?colour=x")[0]),
        ("a sequence that is none", 400, lambda: ask(service, "GET", "/v1/profile?since=-1")[0]),
        ("policy without token", 401, lambda: ask(service, "GET", "/v1/policy")[0]),
        ("another host's name", 421, lambda: submit(service, good, 1, Host="evil.example")),
        ("another site's page", 403, lambda: submit(service, good, 1, Origin="http://evil.example")),
    ]
    for what, status, request in refused:
        same(f"{name}: {what}", request(), status)
    draw = random.Random(1)
    for _ in range(60):
        damaged = bytearray(good)
        for _ in range(draw.randrange(1, 6)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        inner = bytearray(inner_of(good))
        for _ in range(draw.randrange(1, 6)):
            inner[draw.randrange(len(inner))] = draw.randrange(256)
        same(f"{name}: damaged bytes", submit(service, bytes(damaged), 1), 400) if damaged != good else None
        status = submit(service, packed(b"gnp", bytes(inner)), draw.getrandbits(120), service.tokens[1])
        expect(f"{name}: a forged check sum over damaged bytes", status in (201, 400, 413), status)
        if status == 201:
            before, _ = profile(service)
    expect(f"{name}: nothing of it is stored", profile(service)[0] == before)


def raw(service, text, patience=20):
    """What comes back for these bytes until the connection ends, and how many could be sent."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=patience) as client:
        sent, answer = 0, b""
        try:
            for part in text:
                client.sendall(part)
                sent += len(part)
        except OSError:
            pass
        try:
            while part := client.recv(65536):
                answer += part
        except OSError:
            pass
    return answer, sent


def check_large_and_slow(name, service, good):
    head = f"POST /v1/submissions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {service.tokens[0]}\r\nSubmission-Id: {'1' * 32}\r\n"
    answer, sent = raw(service, [head.encode() + b"Content-Length: 1073741824\r\n\r\n", *([b"x" * 65536] * 16384)])
    expect(f"{name}: a body of 1 GB is not read", sent < 64 << 20 and (not answer or b" 413 " in answer), sent, answer[:300])
    answer, _ = raw(service, [head.encode() + b"Content-Length: 1073741824\r\n\r\n"])
    expect(f"{name}: a body of 1 GB is refused before it is sent", b" 413 " in answer, answer[:300])
    forged = head.replace(service.tokens[0], "gnomon_x").encode() + b"Content-Length: 1073741824\r\n\r\n"
    expect(f"{name}: without a token, too", b" 401 " in raw(service, [forged])[0])
    answer, _ = raw(service, [b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", *[b"x" * 65536] * 16])
    expect(f"{name}: headers of 1 MB", b" 431 " in answer[:100] or not answer, answer[:300])  # the end of the connection can overtake the answer
    for rows in 17000, 200000:
        many = OUT / "many.gnp"
        must([fleet_places.TOOLS / "fleet_random", 1, rows, 1, "next", many])
        body = many.read_bytes()
        answer, _ = raw(service, [head.encode() + f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode(), body])
        expect(f"{name}: {rows} names", b" 413 " in answer or (not answer and len(body) > 5 << 20), answer[:300])
    slow = [socket.create_connection(("127.0.0.1", service.port), timeout=30) for _ in range(100)]
    for client in slow:
        client.sendall(head.encode()[:-10])
    ended = threading.Event()

    def drip():
        while not ended.wait(0.3):
            for client in slow:
                try:
                    client.send(b"x")
                except OSError:
                    pass
    threading.Thread(target=drip, daemon=True).start()
    same(f"{name}: a collector beside 100 slow ones", submit(service, good, 1 << 90), 201)
    fleet_places.until(lambda: all(gone(client) for client in slow), "slow clients are sent away")
    ended.set()
    for client in slow:
        client.close()


def gone(client):
    client.settimeout(0.01)
    try:
        return client.recv(4096) == b"" or gone(client)
    except TimeoutError:
        return False
    except OSError:
        return True


def check_limits(folder):
    """No one fills the store with names, or asks too often."""
    database = Sqlite(folder)
    limits = [word for limit in ("rows=60", "functions=100", "sources=4", "store=250", "rate=12", "volume=1000000000") for word in ("--limits", limit)]
    service = Service(GNOMON, database, folder, *limits, tokens=60)
    token = iter(service.tokens)
    send = lambda body, number: submit(service, body, number, next(token))
    rows = lambda program, first, count: merged(folder, [one_row(function=f"f{first + i}", program=program) for i in range(count)])
    same("60 rows", send(rows("a", 0, 60), 1), 201)
    same("61 rows at one time", send(rows("a", 0, 61), 2), 413)
    same("40 more functions", send(rows("a", 60, 40), 3), 201)
    same("the 101st function", send(rows("a", 100, 1), 4), 413)
    same("functions that are known", send(rows("a", 40, 60), 5), 201)
    for number, program in enumerate("bcd"):
        same(f"program {program}", send(rows(program, 0, 50), 10 + number), 201)
    same("the store is full", send(rows("b", 50, 1), 20), 413)
    same("a fifth program", send(rows("e", 0, 1), 21), 413)
    same("what is known, in a full store", send(rows("d", 0, 50), 22), 201)
    status = [submit(service, one_row(program="a"), 100 + i, service.tokens[-1]) for i in range(13)]
    expect("at most 12 a minute of one token", status[:12].count(429) == 0 and status[12] == 429, status)
    same("another token may", submit(service, one_row(function="f0", program="a"), 200, service.tokens[-2]), 201)
    _, headers, _ = ask(service, "POST", "/v1/submissions", one_row(program="a"), service.tokens[-1], 201)
    expect("Retry-After of a minute's twelfth", 1 <= int(headers["Retry-After"]) <= 6, headers)
    lines = service.hashes.read_text().splitlines(True)
    service.hashes.write_text("".join(lines[1:]))
    same("a token that was taken away", submit(service, one_row(), 300, service.tokens[0]), 401)
    same("one that stays", submit(service, one_row(function="f1", program="a"), 301, service.tokens[50]), 201)
    check_stopped("limits", service)


def check_compare(folder):
    """The verdicts are those of gnomon check --against about what was submitted."""
    service = Service(GNOMON, Sqlite(folder), folder, "--limits", "compare=3", "--private")
    draw = random.Random(5)
    token = service.tokens[0]
    builds = {build: [gnp_file.write(folder / f"{build}-{i}.gnp", [
        {"program": "image.elf", "build": build, "function": function, "calls": [draw.randrange(400, 600) + (slower if function == "slow" else 0) for _ in range(50)]}
        for function in functions]) for i in range(4)] for build, slower, functions in (("0a01", 0, ("slow", "same")), ("0b02", 40, ("slow", "same")), ("0c03", 0, "abcd"), ("0d04", 0, "abc"))}
    for number, path in enumerate(path for paths in builds.values() for path in paths):
        same(f"compare: submission {number}", submit(service, path.read_bytes(), number), 201)
    get = lambda query, sent=token: ask(service, "GET", f"/v1/compare{query}", None, sent)
    sums = {build: folder / f"{build}.gnp" for build in builds}
    for build, paths in builds.items():
        must([GNOMON, "merge", "-q", "-o", sums[build], *paths])
    for old, new, worse in (("0a01", "0b02", ["slow"]), ("0b02", "0a01", []), ("0a01", "0a01", [])):
        status, _, said = get(f"?old={old}&new={new}")
        checked = json.loads(run([GNOMON, "check", "--json", "--against", sums[old], sums[new]]).stdout)
        same(f"compare: {old}, {new}", status, 200, said)
        same(f"compare: {old}, {new} as gnomon check", json.loads(said)["functions"], checked["functions"])
        same(f"compare: {old}, {new}: worse", [one["function"] for one in json.loads(said)["functions"] if one["worse"]], worse)
    same("compare: first digits", get("?old=0a&new=0b")[2], get("?old=0a01&new=0b02")[2])
    for query in ("", "?old=0a01", "?new=0b02", "?old=&new=0b02", "?old=0a01&new=", "?old=0a01&new=0b02&since=1"):
        same(f"compare: {query} is wrong", get(query)[0], 400)
    for query in ("old=0a01&new=ff", "old=ff&new=0a01"):
        same(f"compare: no such build, {query}", get(f"?{query}")[0], 404)
    for what in ("program", "scenario", "device"):
        same(f"compare: no such {what}", get(f"?old=0a01&new=0b02&{what}=other")[0], 404)
    for query in ("old=0c03&new=0b02", "old=0b02&new=0c03"):
        same(f"compare: a build with more rows than may be compared, {query}", get(f"?{query}")[0], 413)
    same("compare: a build with as many rows as may be compared", get("?old=0d04&new=0d04")[0], 200)
    same("compare: without token", get("?old=0a01&new=0b02", None)[0], 401)
    check_stopped("compare", service)


def check_private(folder):
    service = Service(GNOMON, Sqlite(folder), folder, "--private")
    for path in ("/v1/profile", "/v1/status"):
        same(f"private: {path} without token", ask(service, "GET", path)[0], 401)
        same(f"private: {path} with a token", ask(service, "GET", path, None, service.tokens[0])[0], 200)
    check_stopped("private", service)


def merged(folder, parts):
    files = [folder / f"part{number}.gnp" for number in range(len(parts))]
    for file, data in zip(files, parts):
        file.write_bytes(data)
    must([GNOMON, "merge", "-q", "-o", folder / "merged.gnp", *files])
    return (folder / "merged.gnp").read_bytes()


def check_stopped(name, service):
    status, errors = service.stop()
    same(f"{name}: SIGTERM", status, 0, errors)
    expect(f"{name}: standard error", all(line.startswith("gnomon: fleet: warning: the database cannot be used") for line in errors.splitlines()), errors)


def check_starting(folder):
    """What is refused at the start."""
    def refused(name, text, *options):
        done = run([GNOMON, "fleet", "serve", "--db", folder / "x.db", "--listen", 0, *options], timeout=30)
        expect(f"{name}: status {done.returncode}", done.returncode in (1, 2) and text in done.stderr, done.stderr)
    refused("all addresses without tokens", "no tokens", "--listen", "0.0.0.0:0")
    expect("no database is made meanwhile", not (folder / "x.db").exists())
    (folder / "none").write_text("# none\n")
    refused("a file without tokens", "has no tokens", "--listen", "0.0.0.0:0", "--tokens", folder / "none")
    (folder / "bad").write_text("secret\n")
    refused("a damaged file", "line 1", "--tokens", folder / "bad")
    refused("an unknown limit", "no value", "--limits", "colour=3")
    refused("a short retention", "30", "--retention", "1")
    refused("a database that is not there", "cannot be used", "--db", "postgres://gnomon@127.0.0.1:1/x")
    (folder / "open").write_text("a" * 64)
    made = must([GNOMON, "fleet", "token", "-q", "--tokens", folder / "open", "board 7"]).strip()
    same("a token after a line without an end", (folder / "open").read_text(), "a" * 64 + f"\n{hashlib.sha256(made.encode()).hexdigest()} board 7\n")
    (folder / "text").write_text("no database " * 1000)
    refused("a file that is no database", "database", "--db", folder / "text")
    must([GNOMON, "fleet", "export", "--db", folder / "not-there.db", "-o", folder / "x.gnp"], status=1)
    expect("export makes no database", not (folder / "not-there.db").exists())


def check_storage(database, folder, files):
    name = database.kind
    service = Service(GNOMON, database, folder, *STANDARD, "--limits", "seconds=4", tokens=20)
    total = check_counting(name, service, folder, files)
    check_merge(service, folder, files, name)
    good = files[0].read_bytes()
    same(f"{name}: an id of two tokens is two submissions", [submit(service, good, 1 << 102, token) for token in (*service.tokens[:2], service.tokens[0])], [201, 201, 200])
    total[str(files[0])] = total.get(str(files[0]), 0) + 2
    check_refused(name, service, good)
    check_large_and_slow(name, service, good)
    check_carry(name, service, folder, files, total)
    check_retention(name, service, folder, files)
    for path in ("/openapi.yaml", "/v1/status", "/", "/gnomon.js", "/gnomon.css", "/profile.js"):
        same(f"{name}: {path}", ask(service, "GET", path)[0], 200)
    same(f"{name}: HEAD", ask(service, "HEAD", "/v1/profile")[0], 200)
    same(f"{name}: policy", json.loads(ask(service, "GET", "/v1/policy", None, service.tokens[0])[2]),
         {"binaries": 6, "functions": 32, "submit_bytes": 131072, "submit_seconds": 86400, "load": 0.7, "costs": ["cycles"]})
    same(f"{name}: the description", ask(service, "GET", "/openapi.yaml")[2].decode(), pathlib.Path(OPENAPI).read_text(encoding="utf-8"))
    database.kill()
    if database.shards == 1 and database.kind == "postgresql":
        status, _, said = ask(service, "POST", "/v1/submissions", good, service.tokens[0], 1 << 80)
        same(f"{name}: without its database", status, 503)
        expect(f"{name}: says nothing of its database", str(database.port).encode() not in said, said)
        same(f"{name}: status without its database", ask(service, "GET", "/v1/status")[0], 503)
        same(f"{name}: comparison without its database", ask(service, "GET", "/v1/compare?old=a&new=b")[0], 503)
        database.start()
        same(f"{name}: and with it again", submit(service, good, 1 << 80), 201)
    check_stopped(name, service)


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    openapi_spec_validator.validate(DESCRIPTION)
    files = bodies(OUT / "bodies", 6, 20, 60, "small") + bodies(OUT / "bodies", 2, 20, 60, "large")
    check_starting(OUT)
    check_limits(OUT / "limits")
    check_compare(OUT / "compare")
    check_private(OUT / "private")
    check_storage(Sqlite(OUT / "sqlite"), OUT / "sqlite", files)
    database = Postgres()
    try:
        check_storage(database, OUT / "postgres", files)
    finally:
        database.close()
    described = {(path, method.upper(), int(status)) for path, methods in DESCRIPTION["paths"].items() for method, what in methods.items()
                 for status in what["responses"] if status not in ("403", "421")}
    same("described, and never seen", described - ANSWERED, {("/v1/submissions", "POST", 507), ("/v1/profile", "GET", 503)})
    return result()


if __name__ == "__main__":
    sys.exit(main())
