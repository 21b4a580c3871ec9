#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests files of records in memory: `gnomon report` on good and on damaged files.

usage: test_memory.py --gnomon COMMAND --elfs FOLDER --out FOLDER
elfs: holds program.elf and another.elf; out: good files stay there as *.records
"""
import json
import pathlib
import struct
import subprocess

from memory_records import ARC, HEADER, LENGTHS, MAGIC, MODULE, OPEN, UNPROFILED, RECORD, VERSION
from options import values

GNOMON, ELFS, FOLDER = map(pathlib.Path, values(__doc__, "gnomon", "elfs", "out"))
ELF = ELFS / "program.elf"  # alpha 0, beta 1, (none) 2, helper 3
CLOCK = 60_000_000
# Each: module, number, in an interrupt, calls, self, total, lengths by bucket.
RECORDS = [(0, 0, 0, 2, 500, 900, {8: 2}), (0, 1, 0, 40, 300, 300, {2: 39, 3: 1}), (0, 1, 1, 10, 60, 60, {2: 10}), (0, 3, 1, 5, 90, 150, {4: 5}),
           (1, 4, 0, 3, 100, 100, {5: 3})]
# Each: caller (module, number), callee, in an interrupt, calls, self, total.
ARCS = [((0, UNPROFILED), (0, 0), 0, 2, 500, 900), ((0, 0), (0, 1), 0, 40, 300, 300), ((0, 0), (1, 4), 0, 3, 100, 100),
        ((0, UNPROFILED), (0, 3), 1, 5, 90, 150), ((0, 3), (0, 1), 1, 10, 60, 60)]
KEY = bytes(range(0xA0, 0xB4))


def build_id(elf):
    notes = subprocess.run(["riscv64-unknown-elf-readelf", "-n", elf], capture_output=True, text=True, check=True).stdout
    return bytes.fromhex(notes.split("Build ID:")[1].split()[0])


def whole(graph=1, key=None, version=VERSION, records=RECORDS, modules=((1, 5, KEY),), **header):
    """Returns a file; 40 cycles of threads and 10 of interrupts are in no function."""
    own = [sum(r[4] for r in records if r[2] == place) for place in (0, 1)]
    fields = {"functions": 4, "dropped": 0, "dropped_other": 0, "threads": own[0] + 40, "interrupts": own[1] + 10, "arcless": 0, "left": 0, "covered": 0, **header}
    arcs = ARCS if graph else []
    data = struct.pack(HEADER, MAGIC, version, fields["functions"], 1, len(records), 0, fields["dropped"], fields["dropped_other"],
                       fields["threads"], fields["interrupts"], own[0] + fields["covered"], own[1], len(arcs), len(modules), graph, fields["arcless"], CLOCK,
                       fields["left"], build_id(ELF) if key is None else key, 0)
    data += struct.pack(OPEN, 0, 0, 0, 0, 77)
    for module, number, place, calls, self_cycles, total, lengths in records:
        data += struct.pack(RECORD, module, number, place, 0, calls, self_cycles, total)
        data += struct.pack(LENGTHS, *(lengths.get(n, 0) for n in range(32))) if graph else b""
    for caller, callee, place, *figures in arcs:
        data += struct.pack(ARC, *caller, *callee, place, 0, *figures)
    return data + b"".join(struct.pack(MODULE, *module) for module in modules)


def report(data, *options, elf=ELF, name="file.bin", command="report"):
    path = FOLDER / name
    path.write_bytes(data)
    return subprocess.run([GNOMON, command, *(["--elf", elf] if elf else []), *options, path], capture_output=True, text=True, check=False,
                          timeout=60)


def good(data, name):
    run = report(data, "--json", name=name)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_figures():
    result = good(whole(), "graph.records")
    assert result["cycles"] == 1100 and result["unprofiled_cycles"] == 50 and result["clock_hz"] == CLOCK and result["complete"], result
    found = {f["name"]: (f["calls"], f["self_cycles"], f["total_cycles"], f["measured"], {b["from"]: b["calls"] for b in f["histogram"]})
             for f in result["functions"]}
    assert found == {
        "alpha": (2, 500, 900, ["memory"], {256: 2}), "beta": (50, 360, 360, ["memory"], {4: 49, 8: 1}),
        "helper": (5, 90, 150, ["memory"], {16: 5}), "[function 4 of a0a1a2a3]": (3, 100, 100, ["memory"], {32: 3})}, found
    name = [f["name"] for f in result["functions"]] + [None]
    arcs = {(name[-1 if a["caller"] is None else a["caller"]], name[a["callee"]]): (a["calls"], a["self_cycles"], a["total_cycles"])
            for a in result["arcs"]}
    assert arcs == {(None, "alpha"): (2, 500, 900), ("alpha", "beta"): (40, 300, 300), ("helper", "beta"): (10, 60, 60), (None, "helper"): (5, 90, 150),
                    ("alpha", "[function 4 of a0a1a2a3]"): (3, 100, 100)}, arcs
    assert all("min_cycles" not in f and "mean_cycles" not in f for f in result["functions"])


def test_plain():
    result = good(whole(graph=0), "plain.records")
    assert not result["arcs"] and all(f["histogram"] is None for f in result["functions"])
    assert "link with --gnomon-records" in report(whole(graph=0)).stdout
    assert good(whole(modules=(), records=RECORDS[:4], graph=0), "alone.records")["cycles"] == 1000


def test_missing():
    """The report lists what had no room, and --strict fails."""
    for field, text in (("dropped", "no room for 7 calls"), ("dropped_other", "7 interrupts or changes of thread"), ("arcless", "7 calls in the call graph"),
                        ("left", "7 calls left by longjmp")):
        run = report(whole(**{field: 7}), "--strict")
        assert run.returncode == 3 and text in run.stderr, (run.returncode, run.stderr)
        assert "nothing lost" not in run.stdout
    full = [RECORDS[0][:6] + ({8: 0xFFFFFFFF},)] + RECORDS[1:]
    assert "larger than their records can hold" in report(whole(records=full)).stderr


def refuses(what, data, text, **options):
    run = report(data, **options)
    assert run.returncode == 1 and text in run.stderr and not run.stdout, f"{what}: {run.returncode} {run.stdout}{run.stderr}"


def test_damage():
    data = whole()
    for size in (5, struct.calcsize(HEADER) - 1):
        refuses("cut in the header", data[:size], "ends within its header")
    for size in range(struct.calcsize(HEADER), len(data), 7):
        refuses(f"cut at {size}", data[:size], "its size is not what its header says")
    refuses("longer", data + b"\0", "its size is not what its header says")
    refuses("another version", whole(version=9), f"is of version 9 of its format, this gnomon reads {VERSION}")
    refuses("modules upside down", whole(modules=((1, 5, KEY), (2, 5, KEY))), "not in their order")
    for functions in ((1 << 20) + 1, 1 << 25):
        refuses("too many functions", whole(functions=functions), "more functions than any program has")
    refuses("too many in modules", whole(modules=((2, 1 << 22, KEY), (1, 1 << 22, KEY))), "more functions than any program has")
    refuses("a function that there is not", whole(records=[(0, 4, 0, 1, 1, 1, {})]), "a function that there is not")
    refuses("a module that there is not", whole(records=[(2, 0, 0, 1, 1, 1, {})]), "a function that there is not")
    refuses("more cycles in functions than in all", whole(threads=5), "the cycles do not add up")
    run = report(whole(covered=7))
    assert run.returncode == 1 and "the cycles do not add up" in run.stderr, run.stderr


def test_program():
    refuses("no program", whole(), "give its ELF file with --elf", elf=None)
    refuses("another program", whole(), "another build", elf=ELFS / "another.elf")
    refuses("no program for RISC-V", whole(), "another architecture", elf=GNOMON)
    refuses("dump", whole(), "has records, and no events", command="dump")
    assert report(whole(key=bytes(20))).returncode == 0, "a program without build id is taken as it is"


for test in (test_figures, test_plain, test_missing, test_damage, test_program):
    test()
    print(f"pass  {test.__name__[5:]}")
