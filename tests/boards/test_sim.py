#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A simulated board says of itself what its header of parameters says, and `gnomon` profiles a program on it.

usage: test_sim.py --headers FOLDER --program ELF --out FOLDER BOARD..."""
import json
import re

from commands import must, report
from options import values

HEADERS, PROGRAM, WORK, BOARDS = values(__doc__, "headers", "program", "out", rest="BOARD")


def gnomon(*arguments):
    return must(["gnomon", *arguments], timeout=300)


def parameters(board):
    with open(f"{HEADERS}/{board}.vh", encoding="utf-8") as source:
        text = re.sub(r"//.*", "", source.read())
    return {name: int(value.replace("_", "")) for name, value in re.findall(r"\.(\w+)\s*\(([\d_]+)\)", text)}


for board in BOARDS:
    wanted = parameters(board)
    info = json.loads(gnomon("info", "--json", "-d", f"sim:{board}"))
    assert info["clock_hz"] == wanted["CLOCK_HZ"], (board, info["clock_hz"])
    assert info["configuration"] == ["small", "mid", "full"][wanted["CONFIG"]], (board, info["configuration"])
    if "RAM_BYTES" in wanted:
        assert info["ram_bytes"] == wanted["RAM_BYTES"], (board, info["ram_bytes"])
    if "RECORDS_LOG2" in wanted:
        assert info["records"] == (1 << wanted["RECORDS_LOG2"] if wanted["RECORDS_LOG2"] else 0), (board, info["records"])
    assert info["harts"] == wanted.get("HARTS", 1), (board, info["harts"])
    assert info["icache"] == (wanted.get("ICACHE_BYTES", 1) != 0), board
    gnomon("record", "-d", f"sim:{board}", "-o", f"{WORK}/{board}.gnt", PROGRAM)
    recorded = report(f"{WORK}/{board}.gnt")
    calls = {function["name"]: function["calls"] for function in recorded["functions"]}
    assert calls["work"] == 25 and recorded["clock_hz"] == wanted["CLOCK_HZ"], (board, calls, recorded["clock_hz"])
    print(f"{board}: {info['clock_hz'] / 1e6:g} MHz, {info['ram_bytes'] // 1024} KiB, work called 25 times in {recorded['cycles']} cycles")
