#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Co-simulation of the core against QEMU: random programs, compared instruction by instruction
(docs/verification/cosim.md).

usage: cosim.py run [--instructions N] [--seed N]        programs in all set-ups, until N instructions are compared
       cosim.py one --setup NAME --program N [--only B,B]  repeats one program, as `run` printed it
       cosim.py shrink --setup NAME --program N            removes the blocks that the failure does not need
Programs and models are in --build (default build/cosim). Exit status: 0 all equal, 1 a mismatch, 2 something else.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import time

QEMU = ["qemu-system-riscv32", "-M", "none", "-m", "272M", "-display", "none", "-monitor", "none", "-serial", "none",
        "-nodefaults", "-singlestep", "-icount", "shift=0",
        "-cpu", "rv32,f=off,d=off,h=off,s=off,u={0},zbc=off,pmp={0},resetvec=0x10000000"]
OPTIONS = ["a", "zba", "zbb", "zbs"]  # optional extensions of a core; programs with --options use them
BLOCKS = 1600
LIMIT = 20_000_000  # instructions of one program; catches a generator that makes an endless loop

# name: (models that must agree, options of the generator, options of the harness)
SETUPS = {
    "plain": (["fast", "nosplit", "o0"], ["--options"], []),
    "window": (["fast"], ["--options", "--core-only"], ["--stalls", "light"]),
    "heavy": (["fast"], ["--options", "--core-only"], ["--stalls", "heavy", "--stale-fetch"]),
    "interrupts": (["fast", "nosplit", "o0"], ["--options", "--core-only", "--interrupts"], ["--interrupts", "1000"]),
    "storm": (["fast"], ["--options", "--core-only", "--interrupts"],
              ["--stalls", "mixed", "--stale-fetch", "--interrupts", "150"]),
    "debug": (["fast"], ["--options", "--core-only", "--interrupts"],
              ["--stalls", "mixed", "--stale-fetch", "--interrupts", "600", "--debug", "300"]),
    "slow": (["slow"], ["--core-only"], ["--stalls", "mixed", "--stale-fetch"]),
    "slow-interrupts": (["slow"], ["--core-only", "--interrupts"],
                        ["--stalls", "none", "--interrupts", "300", "--debug", "1000"]),
    "predict": (["predict"], ["--options", "--core-only"], ["--stalls", "light"]),
    "predict-storm": (["predict"], ["--options", "--core-only", "--interrupts"],
                      ["--stalls", "mixed", "--stale-fetch", "--interrupts", "150", "--debug", "300"]),
    "alias": (["alias"], ["--core-only"], ["--stalls", "mixed", "--stale-fetch"]),
    "alias-storm": (["alias"], ["--core-only", "--interrupts"],
                    ["--stalls", "none", "--interrupts", "150", "--debug", "300"]),
    "compact": (["compact"], ["--core-only"], ["--stalls", "mixed", "--stale-fetch"]),
    "compact-interrupts": (["compact"], ["--core-only", "--interrupts"],
                           ["--stalls", "none", "--interrupts", "300", "--debug", "1000"]),
    "compact-storm": (["compact"], ["--core-only", "--interrupts"],
                      ["--stalls", "mixed", "--stale-fetch", "--interrupts", "400", "--debug", "300"]),
    "compact-options": (["compactopt"], ["--options", "--core-only", "--interrupts"],
                        ["--stalls", "mixed", "--stale-fetch", "--interrupts", "300", "--debug", "600"]),
}
for name, model, harness in (
        ("user", "user", ["--stalls", "light"]),
        ("user-storm", "user", ["--stalls", "mixed", "--stale-fetch", "--interrupts", "150", "--debug", "300"]),
        ("compact-user", "compact-user", ["--stalls", "none", "--interrupts", "300", "--debug", "1000"])):
    interrupts = ["--interrupts"] if "--interrupts" in harness else []
    options = ["--options"] if model == "user" else []
    SETUPS[name] = ([model], ["--core-only", "--user", "--blocks", "600"] + options + interrupts, harness)
SUMS = ["compared", "cycles", "aside", "interrupts", "traps", "messages", "atomics", "wfi", "counters", "debug"]


class Failure(Exception):
    """A tool failed; the run says nothing about the core."""


def tool(command, log=None):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}\n{done.stdout}")


class Cosim:
    def __init__(self, build):
        self.build = pathlib.Path(build)

    def make_program(self, prefix, setup, program, only=None, blocks=BLOCKS):
        options = ["--blocks", str(blocks)] + (["--only", ",".join(map(str, only))] if only is not None else [])
        tool([self.build / "cosim_gen", "--seed", str(program), "--out", str(prefix)] + options + SETUPS[setup][1])
        user = "on" if "--user" in SETUPS[setup][1] else "off"
        options = "".join(f",{option}={'on' if '--options' in SETUPS[setup][1] else 'off'}" for option in OPTIONS)
        tool([word.format(user) for word in QEMU[:-1]] + [QEMU[-1].format(user) + options, "-device", f"loader,file={prefix}.bin,addr=0x10000000,force-raw=on",
                     "-plugin", f"{self.build / 'qemu_trace.so'},out={prefix}.ref,limit={LIMIT}"])

    def compare(self, prefix, setup, program):
        """Returns the totals, or None and the report."""
        lines = {}
        for model in SETUPS[setup][0]:
            command = [self.build / model / "cosim", prefix, "--seed", str(program)] + SETUPS[setup][2]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode == 1:
                return None, f"model {model}: {done.stdout}"
            if done.returncode != 0:
                raise Failure(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
            lines[model] = done.stdout
        if len(set(lines.values())) != 1:
            return None, "the models differ:\n" + "".join(f"{m}: {line}" for m, line in lines.items())
        words = dict(word.split("=") for word in next(iter(lines.values())).split())
        return words, ""

    def remove(self, prefix):
        for suffix in (".bin", ".map", ".ref"):
            pathlib.Path(f"{prefix}{suffix}").unlink(missing_ok=True)

    def run_one(self, setup, program):
        prefix = self.build / f"run-{os.getpid()}-{program}"
        try:
            self.make_program(prefix, setup, program)
            return (setup, program, *self.compare(prefix, setup, program))
        finally:
            self.remove(prefix)

    def run(self, seed, instructions, jobs):
        """Runs whole rounds of one program of each set-up, so that all have equal shares, until enough instructions
        are compared."""
        print(f"seed {seed}, at least {instructions} instructions; SEED= chooses another")
        total = dict.fromkeys(SUMS, 0)
        index, begun = 0, time.time()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            while total["compared"] < instructions:
                work = [(setup, seed * 1_000_000 + index + n) for n, setup in enumerate(SETUPS)]
                index += len(work)
                runs = [pool.submit(self.run_one, *one) for one in work]
                for run in runs:
                    setup, program, words, report = run.result()
                    if words is None:
                        print(f"MISMATCH  setup {setup}, program {program}\n{report}")
                        print(f"again:  tests/cosim/cosim.py one --setup {setup} --program {program}\n"
                              f"shrink: tests/cosim/cosim.py shrink --setup {setup} --program {program}")
                        pool.shutdown(cancel_futures=True)
                        return 1
                    for key in SUMS:
                        total[key] += int(words[key])
                    print(f"{setup:18} program {program:12}  " + " ".join(f"{k} {words[k]}" for k in SUMS)
                          + f"  {100 * total['compared'] / instructions:5.1f} %", flush=True)
        print("equal: " + ", ".join(f"{key} {total[key]}" for key in SUMS) + f"; {time.time() - begun:.0f} s")
        return 0

    def one(self, setup, program, only=None):
        prefix = self.build / "one"
        self.make_program(prefix, setup, program, only)
        words, report = self.compare(prefix, setup, program)
        print(report if words is None else f"equal: {words}")
        return 1 if words is None else 0

    def fails(self, setup, program, only):
        prefix = self.build / "shrink"
        self.make_program(prefix, setup, program, only)
        return self.compare(prefix, setup, program)[0] is None

    def shrink(self, setup, program):
        """Delta debugging over the blocks: removes ever smaller pieces while the failure stays."""
        only = list(range(BLOCKS))
        if not self.fails(setup, program, only):
            print("this program does not fail")
            return 0
        piece = len(only) // 2
        while piece >= 1:
            start = 0
            while start < len(only):
                fewer = only[:start] + only[start + piece:]
                if fewer and self.fails(setup, program, fewer):
                    only = fewer
                else:
                    start += piece
            print(f"{len(only)} blocks left", flush=True)
            piece //= 2
        print(f"again: tests/cosim/cosim.py one --setup {setup} --program {program} --only {','.join(map(str, only))}")
        return self.one(setup, program, only)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["run", "one", "shrink"])
    parser.add_argument("--build", default="build/cosim")
    parser.add_argument("--instructions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--setup", choices=list(SETUPS))
    parser.add_argument("--program", type=int)
    parser.add_argument("--only", type=lambda text: [int(word) for word in text.split(",")])
    arguments = parser.parse_args()
    cosim = Cosim(arguments.build)
    if arguments.command == "run":
        return cosim.run(arguments.seed, arguments.instructions, arguments.jobs)
    if arguments.setup is None or arguments.program is None:
        parser.error("--setup and --program are needed")
    if arguments.command == "one":
        return cosim.one(arguments.setup, arguments.program, arguments.only)
    return cosim.shrink(arguments.setup, arguments.program)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"cosim: {failure}", file=sys.stderr)
        sys.exit(2)
