#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a start costs the host with gnomon collect, for programs of few and of very many functions: processor time of the command itself,
without the simulated board, beside that of gnomon run. It checks that both run, and that functions are measured; times are printed only.

usage: bench_collect.py --gnomon FILE --out FOLDER --functions N"""
import os
import pathlib
import shutil
import subprocess
import sys

from checking import expect, result, same
from commands import must
from fleet_service import Service
from host import Host
from options import values

GNOMON, OUT, FUNCTIONS = values(__doc__, "gnomon", "out", "functions")
GNOMON, OUT, FUNCTIONS = pathlib.Path(GNOMON).resolve(), pathlib.Path(OUT).resolve(), int(FUNCTIONS)
STARTS = 5
TICK = os.sysconf("SC_CLK_TCK")
# Each function calls another one, or ends with a jump to it, until its argument is 0.
CALLS = "  addi sp, sp, -16\n  sw ra, 12(sp)\n  beqz a0, 1f\n  srli a0, a0, 1\n  call f{}\n1:\n  lw ra, 12(sp)\n  addi sp, sp, 16\n  ret\n"
JUMPS = "  beqz a0, 1f\n  srli a0, a0, 1\n  tail f{}\n1:\n  ret\n"
MAIN = '#include <stdio.h>\nunsigned f0(unsigned);\nint main(void) {\n    unsigned sum = 0;\n    for (unsigned i = 0; i < 64; i++)\n        sum += f0(i);\n    printf("%u\\n", sum);\n    return 0;\n}\n'


def program(count):
    assembly, main, elf = OUT / f"many-{count}.s", OUT / "main.c", OUT / f"many-{count}.elf"
    text = [".text\n"]
    for i in range(count):
        text.append(f".globl f{i}\n.type f{i}, @function\nf{i}:\n" + (JUMPS if i % 8 == 0 else CALLS).format((7 * i + 1) % count) + f".size f{i}, .-f{i}\n")
    assembly.write_text("".join(text))
    main.write_text(MAIN)
    must([GNOMON, "cc", "--gnomon-off", "-O1", "-g", "-o", elf, main, assembly])
    return elf


def own_time(command, env):
    """Seconds of a processor that the command itself took, without its children."""
    with subprocess.Popen([str(word) for word in command], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    same("it ends well", process.returncode, 0)
    return (int(fields[11]) + int(fields[12])) / TICK


def check(count):
    service = Service()
    host, elf = Host(GNOMON, OUT / f"host-{count}", service), program(count)
    plain = sum(own_time([GNOMON, "run", "-d", "sim:full", elf], host.env) for _ in range(STARTS)) / STARTS
    measured = sum(own_time(host.command("-d", "sim:full", "--seed", seed + 1, elf), host.env) for seed in range(STARTS)) / STARTS
    expect(f"{count} functions: all starts are measured", host.runs(host.open()) == STARTS)
    print(f"{count} functions: a start takes {measured:.3f} s of a processor with gnomon collect, {plain:.3f} s with gnomon run")
    service.close()
    return measured


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    few, many = check(20), check(FUNCTIONS)
    print(f"{FUNCTIONS} functions instead of 20: {many - few:+.3f} s a start")
    sys.exit(result())


if __name__ == "__main__":
    main()
