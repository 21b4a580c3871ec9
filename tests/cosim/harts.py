#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Co-simulation of both harts of the simulated board `duo` (docs/verification/cosim.md, "Two harts").

Runs programs on the board, and checks its log of both harts' instructions and of the bus (cosim_harts). The programs: ELF files, and
random ones. Of these, half access memory of the other hart only without an effect on their registers, so QEMU can execute
each hart alone, and its instructions are compared, too.

usage: harts.py [--programs N] [--seed N] --simulators DIR [ELF...]
Exit status: 0 all equal, 1 a mismatch, 2 something else."""
import argparse
import os
import pathlib
import random
import subprocess
import sys

import cosim

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests/lib"))
from commands import sim_options

RAM = 0x10000000
SELF_LOOP = b"\x6f\x00\x00\x00"
FREE = [1, 2, 3, 4, 5, 6, 7, *range(10, 18), *range(20, 32)]
PRIVATE, SHARED, ADDRESS, COUNT = "x8", "x9", "x18", "x19"  # private and shared memory; address of an atomic; loops left
PRIVATE_BYTES, SHARED_BYTES = 1024, 32
THREE = ("add sub sll slt sltu xor srl sra or and mul mulh mulhsu mulhu div divu rem remu sh1add sh2add sh3add andn orn xnor "
         "min minu max maxu rol ror bclr bext binv bset").split()
IMMEDIATE, SHIFT = "addi slti sltiu xori ori andi".split(), "slli srli srai rori bclri bexti binvi bseti".split()
UNARY = "clz ctz cpop sext.b sext.h zext.h orc.b rev8".split()
AMO = [f"amo{name}.w" for name in "swap add xor and or min max minu maxu".split()]
BRANCH = "beq bne blt bge bltu bgeu".split()
EDGES = (0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 0xAAAAAAAA)


class Writer:
    """Writes the code of one hart. With `apart`, no value of shared memory reaches a register."""

    def __init__(self, rng, hart, apart):
        self.rng, self.hart, self.apart, self.lines, self.labels = rng, hart, apart, [], 0

    def put(self, *lines):
        self.lines += lines

    def any(self):
        return f"x{self.rng.choice(FREE)}"

    def place(self, size):
        """Base register, offset, and whether the memory is shared."""
        shared = self.rng.random() < 0.4
        return (SHARED if shared else PRIVATE), self.rng.randrange(0, SHARED_BYTES if shared else PRIVATE_BYTES, size), shared

    def result(self, shared):
        return "x0" if shared and self.apart else self.any()

    def arithmetic(self):
        kind = self.rng.randrange(6)
        if kind < 3:
            self.put(f"{self.rng.choice(THREE)} {self.any()}, {self.any()}, {self.any()}")
        elif kind == 3:
            self.put(f"{self.rng.choice(IMMEDIATE)} {self.any()}, {self.any()}, {self.rng.randrange(-2048, 2048)}")
        elif kind == 4:
            self.put(f"{self.rng.choice(SHIFT)} {self.any()}, {self.any()}, {self.rng.randrange(32)}")
        else:
            self.put(f"{self.rng.choice(UNARY)} {self.any()}, {self.any()}")

    def memory(self):
        name, size = self.rng.choice((("lb", 1), ("lh", 2), ("lw", 4), ("lbu", 1), ("lhu", 2)))
        base, offset, shared = self.place(size)
        if self.rng.random() < 0.5:
            self.put(f"{name} {self.result(shared)}, {offset}({base})")
        else:
            self.put(f"s{name[1]} {self.any()}, {offset}({base})")

    def atomic(self):
        base, offset, shared = self.place(4)
        self.put(f"addi {ADDRESS}, {base}, {offset}")
        if self.rng.random() < 0.5:
            self.put(f"{self.rng.choice(AMO)} {self.result(shared)}, {self.any()}, ({ADDRESS})")
            return
        self.put(f"lr.w {self.result(shared)}, ({ADDRESS})")
        for _ in range(self.rng.randrange(4)):
            self.arithmetic()
        self.put(f"sc.w {self.result(shared)}, {self.any()}, ({ADDRESS})")

    def branch(self):
        self.labels += 1
        label = f"h{self.hart}_{self.labels}"
        self.put(f"{self.rng.choice(BRANCH)} {self.any()}, {self.any()}, {label}" if self.rng.random() < 0.8 else f"jal {self.any()}, {label}")
        for _ in range(self.rng.randrange(1, 5)):
            self.rng.choice((self.arithmetic, self.memory))()
        self.put(f"{label}:")

    def body(self, units, loops):
        self.put(f"entry{self.hart}:", f"la {PRIVATE}, private{self.hart}", f"la {SHARED}, shared", f"li {COUNT}, {loops}")
        for register in FREE:
            value = self.rng.choice(EDGES) if self.rng.random() < 0.5 else self.rng.getrandbits(32)
            self.put(f"li x{register}, {value}")
        self.put(f"again{self.hart}:")
        units = [self.rng.choices((self.arithmetic, self.memory, self.atomic, self.branch), (5, 4, 2, 2))[0] for _ in range(units)]
        for unit in units:
            unit()
        # The loop's end is out of a conditional branch's reach.
        self.put(f"addi {COUNT}, {COUNT}, -1", f"beqz {COUNT}, stop{self.hart}", f"j again{self.hart}")
        self.put(".balign 4", f"stop{self.hart}:", ".option push", ".option norvc", "nop", ".option pop")
        return self.lines


def program(seed, apart):
    """Assembly of both harts. `stop`: a word that is an endless loop for QEMU."""
    rng = random.Random(seed)
    lines = [".globl _start", "_start:", "li t0, 0xF0000000", "la t1, entry1", "sw t1, 0x54(t0)", "j entry0"]
    for hart in (0, 1):
        lines += Writer(rng, hart, apart).body(rng.randrange(150, 250), rng.randrange(15, 30))
        if hart == 0:  # waits for hart 1, and ends the program
            lines += ["la t0, done", "1: lw t1, (t0)", "beqz t1, 1b", "li a0, 0", "sw a0, -4(zero)", "2: j 2b"]
        else:
            lines += ["la t0, done", "li t1, 1", "sw t1, (t0)", "3: j 3b"]
    lines += [".balign 64", "done: .word 0", ".balign 64", f"shared: .space {SHARED_BYTES}", ".balign 64"]
    for hart in (0, 1):
        lines += [f"private{hart}:"] + [f".word {rng.getrandbits(32)}" for _ in range(PRIVATE_BYTES // 4)]
    return "\n".join(lines) + "\n"


class Harts:
    def __init__(self, build, simulators):
        self.build, self.out = pathlib.Path(build), pathlib.Path(build) / "harts"
        self.out.mkdir(parents=True, exist_ok=True)
        os.environ["GNOMON_SIM_DIR"] = simulators

    def check(self, elf, references=(), status=0):
        """Runs the program and checks the log; returns whether all is equal."""
        log = self.out / "retired.log"
        command = ["gnomon", "run", "-d", "sim:duo", *sim_options("--retired", log), elf]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
        if done.returncode != status:
            raise cosim.Failure(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
        command = [self.build / "cosim_harts", *(f"--reference={hart}={path}" for hart, path in references), log]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        log.unlink()
        if done.returncode > 1:
            raise cosim.Failure(f"cosim_harts: status {done.returncode}")
        print(f"{pathlib.Path(elf).stem:12} {done.stdout}", end="", flush=True)
        return done.returncode == 0

    def qemu(self, stem, image, labels):
        """Executes each hart alone; returns the files with its instructions."""
        for hart in (0, 1):
            changed = bytearray(image)
            place = labels[f"stop{hart}"] - RAM
            changed[place:place + 4] = SELF_LOOP
            binary, reference = stem.with_suffix(f".{hart}.bin"), stem.with_suffix(f".{hart}.ref")
            binary.write_bytes(changed)
            cpu = cosim.QEMU[-1].format("off").replace(f"resetvec=0x{RAM:08x}", f"resetvec=0x{labels[f'entry{hart}']:08x}")
            cosim.tool([*cosim.QEMU[:-1], cpu + "".join(f",{option}=on" for option in cosim.OPTIONS), "-device",
                        f"loader,file={binary},addr=0x{RAM:08x},force-raw=on", "-plugin",
                        f"{self.build / 'qemu_trace.so'},out={reference},limit={cosim.LIMIT}"])
            yield hart, reference

    def random_program(self, seed):
        apart = seed % 2 == 0
        stem = self.out / f"{'apart' if apart else 'shared'}-{seed}"
        source, elf, binary = stem.with_suffix(".S"), stem.with_suffix(".elf"), stem.with_suffix(".bin")
        source.write_text(program(seed, apart), encoding="utf-8")
        cosim.tool(["riscv64-unknown-elf-gcc", "-march=rv32imac_zicsr_zba_zbb_zbs", "-mabi=ilp32", "-nostdlib", "-nostartfiles",
                    f"-Wl,-Ttext=0x{RAM:08x},-N,--no-relax,--no-warn-rwx-segments", "-o", elf, source])
        cosim.tool(["riscv64-unknown-elf-objcopy", "-O", "binary", elf, binary])
        names = subprocess.run(["riscv64-unknown-elf-nm", elf], stdout=subprocess.PIPE, text=True, check=True).stdout
        labels = {line.split()[2]: int(line.split()[0], 16) for line in names.splitlines()}
        good = self.check(elf, self.qemu(stem, binary.read_bytes(), labels) if apart else ())
        if good:
            for path in self.out.glob(f"{stem.name}.*"):
                path.unlink()
        return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/cosim")
    parser.add_argument("--simulators", default="build/sim")
    parser.add_argument("--programs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("elf", nargs="*")
    arguments = parser.parse_args()
    harts = Harts(arguments.build, arguments.simulators)
    good = [harts.check(elf, status=42 if "interrupts" in elf else 0) for elf in arguments.elf]
    good += [harts.random_program(arguments.seed + n) for n in range(arguments.programs)]
    print(f"{sum(good)} of {len(good)} programs equal")
    return 0 if all(good) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except cosim.Failure as failure:
        print(f"harts: {failure}", file=sys.stderr)
        sys.exit(2)
