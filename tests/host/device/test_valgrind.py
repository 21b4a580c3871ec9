#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs gnomon under valgrind on the fake device. usage: test_valgrind.py --gnomon COMMAND --simulators FOLDER --out FOLDER"""
import os
import struct
import subprocess
import sys

from checking import check, result
from options import values

gnomon, sim_dir, folder = map(os.path.abspath, values(__doc__, "gnomon", "simulators", "out"))
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
environment = dict(os.environ, GNOMON_SIM_DIR=sim_dir)
header = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\x01\x01\x01", 2, 243, 1, 0x10000000, 52, 0, 0, 52, 32, 1, 0, 0, 0)
with open("program.elf", "wb") as file:
    file.write(header + struct.pack("<IIIIIIII", 1, 84, 0x10000000, 0x10000000, 16, 16, 5, 4) + b"\x13\0\0\0" * 4)
for arguments, status in ((["info", "--json"], 0), (["run", "program.elf", "--", "out.bin"], 7),
                          (["record", "-o", "a.gnt", "program.elf"], 0),
                          (["record", "-o", "b.gnt", "--sim-option", "--fault", "--sim-option", "run-unplug", "program.elf"], 1),
                          (["tag", "--sim-option", "--fault", "--sim-option", "tags", "-t", "0x10000000:read,each", "-t", "0x10000008-0x10000010:start=0",
                            "program.elf"], 0)):
    command = [arguments[0], "-d", "sim:full", *arguments[1:]]
    done = subprocess.run(["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite,indirect",
                           "--errors-for-leak-kinds=definite,indirect", "--child-silent-after-fork=yes", gnomon, *command],
                          capture_output=True, text=True, env=environment)
    check(" ".join(command), [] if done.returncode == status else [f"status {done.returncode}, not {status}", done.stdout + done.stderr])
sys.exit(result())
