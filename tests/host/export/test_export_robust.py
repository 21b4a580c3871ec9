#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon export where something goes wrong, in every format: an error says so, an earlier file stays, none is left over.

usage: test_export_robust.py --gnomon COMMAND --out FOLDER --modules RECORDING RECORDING...
The recordings have events; that of --modules is of a program that unloads its modules."""
import gzip
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

from checking import expect, result, same
from commands import must, run
from options import values

GNOMON, OUT, MODULES, RECORDINGS = values(__doc__, "gnomon", "out", "modules", rest="RECORDING")
OUT, GNOMON = pathlib.Path(OUT).resolve(), pathlib.Path(GNOMON).resolve()
RECORDINGS = [pathlib.Path(name).resolve() for name in RECORDINGS]
FORMATS = {form["name"]: form for form in json.loads(must([GNOMON, "export", "--list", "--json"])) if form["needs"] != "heap"}
EVENTS = [name for name, form in FORMATS.items() if form["needs"] == "events"]
NAME_MOST = 255
FRAME, HEADER_AT, CYCLE_AT = 512, 12, 8


def is_directory(form):
    return form == "ctf"


def contents(path):
    """All files of a folder with their bytes."""
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def fresh(name):
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def export(form, recording, path, **more):
    return run([GNOMON, "export", "--to", form, "-o", path, recording], **more)


def check_long_name(form, recording):
    folder = fresh("long")
    name = "n" * NAME_MOST
    done = export(form, recording, folder / name)
    same(f"a name of {NAME_MOST} characters: {form}", (done.returncode, [p.name for p in folder.iterdir()]), (0, [name]), done.stderr)
    again = export(form, recording, folder / name)
    same(f"and once more: {form}", (again.returncode, [p.name for p in folder.iterdir()]), (0, [name]), again.stderr)
    done = export(form, recording, folder / (name + "n"))
    expect(f"a name that is too long: {form}", done.returncode == 1 and "too long" in done.stderr, done.stderr)


def check_full_disk(form, recording):
    """A file that cannot grow; the signal that says so stays ignored."""
    folder = fresh("full")
    export(form, recording, folder / "kept")
    before = contents(folder)
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)), "restore_signals": False}
    done = export(form, recording, folder / "kept", **limit)
    expect(f"a full disk: {form}", done.returncode == 1 and "File too large" in done.stderr, done.stderr)
    same(f"the earlier output stays: {form}", contents(folder) == before, True, list(folder.iterdir()))
    if is_directory(form):
        return
    done = export(form, recording, "/dev/full")
    expect(f"/dev/full: {form}", done.returncode == 1 and "No space left" in done.stderr, done.stderr)


def check_full_temporary(recording):
    """The changes of signals do not fit into their temporary file, and the output would."""
    folder = fresh("temporary")
    export("vcd", recording, folder / "whole")
    size = (folder / "whole").stat().st_size
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size + 1000, size + 1000)), "restore_signals": False}
    done = export("vcd", recording, folder / "kept", **limit)
    expect("a full temporary file", done.returncode == 1 and "temporary file: File too large" in done.stderr, done.stderr)
    same("and no output", [p.name for p in folder.iterdir()], ["whole"])


def check_closed_pipe(form, recording):
    command = [GNOMON, "export", "--to", form, "-q", "-o", "-", recording]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writer)
    if is_directory(form):
        expect(f"no directory on standard output: {form}", done.returncode == 2 and b"-o DIRECTORY" in done.stderr, done.stderr)
    else:
        same(f"a closed pipe: {form}", done.returncode, -signal.SIGPIPE, done.stderr)


def check_interrupt(form, recording):
    """The output has begun when the signal comes, while the command waits for more of the recording."""
    folder, slow = fresh("interrupt"), OUT / "slow"
    export(form, recording, folder / "kept")
    before = contents(folder)
    slow.unlink(missing_ok=True)
    os.mkfifo(slow)
    command = subprocess.Popen([GNOMON, "export", "--to", form, "-o", folder / "kept", slow], stderr=subprocess.PIPE)
    with open(slow, "wb") as stream:
        data = recording.read_bytes()
        stream.write(data[: len(data) // 2])
        stream.flush()
        until = time.monotonic() + 30
        while not (folder / "kept.tmp").exists() and time.monotonic() < until:
            time.sleep(0.02)
        expect(f"the output has begun: {form}", (folder / "kept.tmp").exists())
        command.send_signal(signal.SIGINT)
        command.wait(60)
    same(f"Ctrl-C: {form}", command.returncode, 130, command.stderr.read().decode())
    same(f"the earlier output stays after it: {form}", contents(folder) == before, True, list(folder.iterdir()))


def check_pipe(form, recording):
    """What is read from a pipe; the names of threads are not known there."""
    folder = fresh("pipe")
    export(form, recording, folder / "file")
    with open(recording, "rb") as stream:
        done = subprocess.run(["cat"], stdin=stream, stdout=subprocess.PIPE, check=True)
    piped = subprocess.run([GNOMON, "export", "--to", form, "-o", folder / "pipe", "/dev/stdin"], input=done.stdout, stderr=subprocess.PIPE, check=False)
    same(f"a recording from a pipe: {form}", piped.returncode, 0, piped.stderr)
    sizes = {name: sum(file.stat().st_size for file in [folder / name, *(folder / name).rglob("*")] if file.is_file()) for name in ("file", "pipe")}
    expect(f"and it is as large: {form}", 0.8 < sizes["pipe"] / sizes["file"] < 1.25, sizes)


def check_unreadable(form, recording):
    folder = fresh("unreadable")
    (folder / "earlier").write_text("earlier")
    data = recording.read_bytes()
    header = HEADER_AT + int.from_bytes(data[8:12], "little") + 4
    for name, part in {"empty": b"", "magic": data[:6], "header": data[: header - 9], "text": b"no trace\n" * 200}.items():
        (folder / "input").write_bytes(part)
        done = export(form, folder / "input", folder / ("new" if is_directory(form) else "earlier"))
        expect(f"{name}: {form}", done.returncode == 1 and done.stderr.startswith("gnomon: export: "), done.returncode, done.stderr)
        same(f"no output of it: {form}, {name}", sorted(p.name for p in folder.iterdir()), ["earlier", "input"])
    same(f"the earlier file stays: {form}", (folder / "earlier").read_text(), "earlier")


def check_damaged(form, recording):
    """Cut anywhere, without frames, with wrong bytes: it is written with a warning, or refused."""
    folder = fresh("damaged")
    data = recording.read_bytes()
    header = HEADER_AT + int.from_bytes(data[8:12], "little") + 4
    damaged = {f"cut{i}": data[: header + (len(data) - header) * i // 7] for i in range(7)}
    damaged["first"] = data[:header] + data[header + FRAME :]
    damaged["frames"] = data[: header + FRAME] + data[header + 3 * FRAME :]
    damaged["bytes"] = bytes(byte ^ (0x55 if i > header and (i - header) % 500 == 100 else 0) for i, byte in enumerate(data))
    for name, part in damaged.items():
        (folder / f"{name}.gnt").write_bytes(part)
        done = export(form, folder / f"{name}.gnt", folder / name)
        reported = run([GNOMON, "report", "--json", folder / f"{name}.gnt"])
        same(f"status as of report: {form}, {name}", done.returncode, reported.returncode, done.stderr)
        if reported.stdout:
            reasons = [reason["text"] for reason in json.loads(reported.stdout)["reasons"]]
            expect(f"what is missing is told: {form}, {name}", reasons and all(text in done.stderr for text in reasons), done.stderr)
            expect(f"written: {form}, {name}", (folder / name).exists())


def check_far(form, recording):
    """A frame whose time is years later: the others' files do not grow with it, and gmon's must not."""
    folder = fresh("far")
    data = bytearray(recording.read_bytes())
    frame = HEADER_AT + int.from_bytes(data[8:12], "little") + 4 + FRAME
    data[frame + CYCLE_AT + 6] += 1
    (folder / "far.gnt").write_bytes(data)
    done = export(form, folder / "far.gnt", folder / "out", timeout=60)
    if form == "gmon":
        expect("too many cycles for gmon", done.returncode == 1 and "too many cycles" in done.stderr, done.stderr)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    expect(f"years: {form}", size < 4 << 20, size, done.stderr)


def check_directory(recording):
    folder = fresh("directory")
    (folder / "mine").write_text("mine")
    done = export("ctf", recording, folder)
    expect("a directory with other files is refused", done.returncode == 2 and "no export has written" in done.stderr, done.returncode, done.stderr)
    same("and stays as it was", contents(folder), {"mine": b"mine"})
    done = export("ctf", recording, folder / "mine")
    expect("a file where a directory is to be", done.returncode == 1 and (folder / "mine").read_text() == "mine", done.stderr)
    done = export("vcd", recording, folder)
    expect("a directory where a file is to be", done.returncode == 1 and contents(folder) == {"mine": b"mine"}, done.stderr)
    (folder / "trace").mkdir()
    same("an empty directory, and a slash after its name", export("ctf", recording, f"{folder}/trace/").returncode, 0)
    (folder / "trace.tmp").mkdir()
    (folder / "trace.tmp" / "hart0").write_text("left over")
    same("what a killed run left over", export("ctf", recording, folder / "trace").returncode, 0)
    same("nothing else is there", sorted(contents(folder)), ["mine", "trace/hart0", "trace/hart1", "trace/metadata"])


def check_modules(form, recording):
    """gprof knows only the program's own functions; all other files name those of modules that are gone."""
    folder = fresh("modules")
    export(form, recording, folder / "out")
    data = b"".join(gzip.decompress(b) if b.startswith(b"\x1f\x8b") else b for b in (contents(folder)).values()).decode(errors="replace")
    told = json.loads(must([GNOMON, "report", "--json", recording]))
    functions = {(f["module"], f["name"]) for f in told["functions"] if f.get("module")}
    names = [f["name"] for f in told["functions"]]  # only those that several have are followed by their module
    expect("the recording has functions of modules", len({module for module, _ in functions}) == 2, functions)
    missing = [f"{name} ({module})" for module, name in functions if not (name in data if names.count(name) == 1 else f"{name} ({module}" in data or rf"{name}\x20({module}" in data)]
    same(f"functions of modules: {form}", missing if form != "gmon" else [], [])


for file in RECORDINGS:
    for each in FORMATS:
        check_damaged(each, file)
for each in FORMATS:
    check_long_name(each, RECORDINGS[0])
    check_full_disk(each, RECORDINGS[0])
    check_closed_pipe(each, RECORDINGS[0])
    check_pipe(each, RECORDINGS[0])
    check_unreadable(each, RECORDINGS[0])
    check_modules(each, pathlib.Path(MODULES))
    check_far(each, RECORDINGS[0])
for each in EVENTS:
    check_interrupt(each, RECORDINGS[0])
check_directory(RECORDINGS[0])
check_full_temporary(RECORDINGS[0])
sys.exit(result())
