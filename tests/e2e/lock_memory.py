#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`gnomon locks` against the memory of the locks: the owners that retired stores write into the mutexes of the threads layer
(firmware/runtime/threads/mutex.c), without the program's messages. A mutex that an unlock hands over had a thread that waited for it.

usage: lock_memory.py --simulators FOLDER --out FOLDER ELF [ARGUMENT...]"""
import json
import os
import pathlib
import struct
import sys

from checking import expect, result, same
from commands import FAST, must, sim_options
from options import values

SIMULATORS, OUT, (ELF, *ARGUMENTS) = values(__doc__, "simulators", "out", rest="ELF ARGUMENT")
os.environ["GNOMON_SIM_DIR"] = SIMULATORS
NAME = pathlib.Path(ELF).name
RECORD = struct.Struct("<12B8I")  # sim/retired_log.h
KIND, VALID, WMASK, PC, ADDRESS, WRITTEN = 0, 3, 11, 14, 17, 19
UNLOCK = ("__gnomon_mutex_give", "pthread_mutex_unlock")  # functions that write the next owner
MUTEXES = {"mutex", "errorcheck", "recursive"}
LEAST = 20  # mutexes that are handed over


def ranges(names):
    """Addresses of these functions, as pairs of start and end."""
    found = []
    for line in must(["riscv64-unknown-elf-nm", "-S", "--defined-only", ELF]).splitlines():
        words = line.split()
        if len(words) == 4 and words[3] in names:
            found.append((int(words[0], 16), int(words[0], 16) + int(words[1], 16)))
    return found


def owners(log, addresses):
    """For each mutex how often it got an owner, and how often an unlock gave it the next one."""
    unlock = ranges(UNLOCK)
    taken, handed = dict.fromkeys(addresses, 0), dict.fromkeys(addresses, 0)
    for record in RECORD.iter_unpack(log):
        if record[KIND] == 1 and record[VALID] and record[WMASK] and record[ADDRESS] in taken and record[WRITTEN]:
            taken[record[ADDRESS]] += 1
            handed[record[ADDRESS]] += any(start <= record[PC] < end for start, end in unlock)
    return taken, handed


def main():
    trace, log = f"{OUT}/{NAME}.gnt", pathlib.Path(f"{OUT}/{NAME}.retired")
    must(["gnomon", "record", "-q", "--events", "-d", "sim:duo", "-o", trace, *FAST, *sim_options("--retired", log), ELF, "--", *ARGUMENTS])
    shown = json.loads(must(["gnomon", "locks", "--json", trace]))
    expect(f"{NAME}: exact", shown["exact"], shown["reasons"])
    mutexes = {lock["address"]: lock for lock in shown["locks"] if lock["kind"] in MUTEXES}
    taken, handed = owners(log.read_bytes(), mutexes)
    log.unlink()
    for address, lock in mutexes.items():
        where = f"{NAME}, {lock['name']}"
        same(f"{where}: acquisitions", lock["acquisitions"] - lock["recursive"], taken[address])
        expect(f"{where}: each that was handed over was contended", handed[address] <= lock["contended"], handed[address], lock["contended"])
        print(f"{where}: {taken[address]} acquired, {handed[address]} handed over, {lock['contended']} contended")
    expect(f"{NAME}: some are handed over", sum(handed.values()) >= LEAST, handed)


main()
sys.exit(result())
