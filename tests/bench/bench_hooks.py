#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of a hook, by its method of finding the function's record, over the number of functions and the pattern
of calls.

usage: bench_hooks.py --firmware FOLDER --log2 "N..." MACHINE...
  FOLDER:   contains METHOD-N, firmware folders for the methods of tests/bench/hooks_find.S
  MACHINE:  NAME=EXECUTABLE, a bench_core, or NAME=board:PATH, the folder of a simulated board, whose profiler takes
            the calls
  N:        log2 of a number of functions
Prints tables, writes them to build/hooks.json and draws docs/internals/hooks.svg (hooks_plot.py)."""
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import subprocess

import core_run
import hooks_plot
from commands import FAST, must
from options import values

HERE = pathlib.Path(__file__).parent
OUT = pathlib.Path("build/bench/hooks")
CALLS, DEEPEST = 4096, 48

# For each method: code at the beginning of a function, after its prologue, before its epilogue and at its end; options
# for gnomon cc. A new method needs one more line here (and a name in mk/test/hooks.mk if it finds records in a new way).
SLOT = ".pushsection .gnomon.slots.f,\"aw\",@nobits\n.Ls\\i: .zero 1\n.popsection\n"
# A call as the plugin makes it: `call t0` would also use t1 if the hook is far away.
CALL = ".reloc .,R_RISCV_CALL_PLT,__gnomon_records_{}\n.reloc .,R_RISCV_RELAX\nauipc t0,0\njalr t0,0(t0)"
NUMBER = SLOT + "lui t1,%hi(.Ls\\i)\naddi t1,t1,%lo(.Ls\\i)\n" + CALL.format("enter")
FOUND = CALL.format("enter") + "\n9:\n.pushsection .rodata.keys,\"a\"\n.word 9b\n.popsection"
LEAVE = CALL.format("leave")
STORE = (SLOT + "lui t0,%hi(.Ls\\i)\nsb ra,%lo(.Ls\\i)(t0)", "", "", "lui t0,%hi(.Ls\\i)\nsb sp,%lo(.Ls\\i)(t0)", [])
INSTRUMENT = "lui a0,%hi(f\\i)\naddi a0,a0,%lo(f\\i)\nmv a1,ra\ncall __cyg_profile_func_{}"
METHODS = {
    "none": ("", "", "", "", []),
    "watch": ("", "", "", "", []),
    "store": STORE,
    "hardware": STORE,
    "array": (NUMBER, "", "", LEAVE, ["--gnomon-records=array"]),
    "graph": (NUMBER, "", "", LEAVE, ["--gnomon-records=pointers,graph"]),
    "pointers": (NUMBER, "", "", LEAVE, ["--gnomon-records=pointers"]),
    "open": (FOUND, "", "", LEAVE, ["--gnomon-records=array", "-DHOOKS_FINDS=1"]),
    "chained": (FOUND, "", "", LEAVE, ["--gnomon-records=array", "-DHOOKS_FINDS=1"]),
    "search": (FOUND, "", "", LEAVE, ["--gnomon-records=array", "-DHOOKS_FINDS=1"]),
    "tree": (FOUND, "", "", LEAVE, ["--gnomon-records=array", "-DHOOKS_FINDS=1"]),
    "mcount": ("", "mv a0,ra\ncall _mcount", "", "", []),
    "instrument": ("", INSTRUMENT.format("enter"), INSTRUMENT.format("exit"), "", []),
}

# A function processes the words in s0: it calls an address, and returns at 0. So the words are the call tree. Each
# function has one call site with changing callees; calls of leaves have a call site each.
FUNCTION = """
.macro function i
.globl f\\i
.balign 4
.type f\\i, @function
f\\i:
{}
addi sp,sp,-16
sw ra,12(sp)
{}
1: lw a5,0(s0)
addi s0,s0,4
beqz a5,2f
jalr a5
j 1b
2:
{}
lw ra,12(sp)
addi sp,sp,16
{}
ret
.size f\\i, . - f\\i
.endm
.section .rodata.keys,"a"
.globl hooks_keys
.balign 4
hooks_keys:
.section .text.hooks_run,"ax"
.globl hooks_run
hooks_run:
addi sp,sp,-16
sw ra,12(sp)
sw s0,8(sp)
mv s0,a0
beqz a1,1f
jalr a1
j 2f
1: lw a5,0(s0)
addi s0,s0,4
beqz a5,2f
jalr a5
j 1b
2: lw s0,8(sp)
lw ra,12(sp)
addi sp,sp,16
ret
"""


def patterns(count):
    """Sequences of function numbers, None to return: uniform, mostly a few functions, and deeply nested."""
    chance = random.Random(count)
    order = list(range(count))
    chance.shuffle(order)
    zipf = [1 / (rank + 1) for rank in range(count)]
    yield "uniform", chance.choices(order, k=CALLS)
    yield "skewed", chance.choices(order, zipf, k=CALLS)
    deep, depth = [], 0
    for number in chance.choices(order, k=CALLS):
        # Long runs up and down, so that there are as many levels as calls that return at once.
        while depth and (depth == DEEPEST or chance.random() < 0.45):
            deep.append(None)
            depth -= 1
        deep.append(number)
        depth += 1
    yield "deep", deep + [None] * depth


def source(method, log2):
    lines = ['# SPDX-License-Identifier: Apache-2.0', FUNCTION.format(*METHODS[method][:4])]
    # Several functions share a section: one section for each or for all makes the linker much slower.
    for number in range(1 << log2):
        lines += [f'.section .text.f{number},"ax"'] * (number % 32 == 0) + [f"function {number}"]
    table = ['.section .rodata.patterns,"a"', ".globl hooks_patterns", ".balign 4", "hooks_patterns:"]
    for name, sequence in patterns(1 << log2):
        called = [number for number in sequence if number is not None]
        code = f".Lcode_{name}" if name != "deep" else "0"
        if name != "deep":
            lines += [f'.section .text.{name},"ax"', ".balign 64", f"{code}: addi sp,sp,-16", "sw ra,12(sp)"]
            lines += [f"call f{number}" for number in called] + ["lw ra,12(sp)", "addi sp,sp,16", "ret"]
            sequence = [None] * len(called)
        words = ["0" if number is None else f"f{number}" for number in sequence] + ["0"]
        lines += [f'.section .rodata.{name},"a"', ".balign 4", f".Lsequence_{name}:"]
        lines += [f".word {','.join(words[at:at + 64])}" for at in range(0, len(words), 64)]
        lines += [f'.Lname_{name}: .asciz "{name}"']
        table += [f".word .Lname_{name}, .Lsequence_{name}, {code}, {len(called)}"]
    return "\n".join(lines + table + [".word 0", ""])


def build(method, log2, firmware):
    name = OUT / f"{method}-{log2}"
    assembler = name.with_suffix(".S")
    assembler.write_text(source(method, log2), encoding="utf-8")
    elf = name.with_suffix(".elf")
    environment = dict(os.environ, **({"GNOMON_FIRMWARE": os.path.abspath(firmware)} if firmware.is_dir() else {}))
    subprocess.run(["gnomon", "cc", "--gnomon-off", "-O2", "-Wl,--no-gc-sections", *METHODS[method][4], f"-DHOOKS_METHOD_{method}=1", f"-DHOOKS_LOG2={log2}",
                    assembler, HERE / "hooks_driver.c", "-o", elf], check=True, env=environment)
    return elf


def sizes(elf):
    """Bytes of the functions' code, and of data and bss, without the benchmark's own tables."""
    symbols = subprocess.run(["riscv64-unknown-elf-nm", "-S", elf], capture_output=True, text=True, check=True).stdout
    code = sum(int(m[1], 16) for m in re.finditer(r"^\w+ (\w+) [Tt] f\d+$", symbols, re.M))
    data = subprocess.run(["riscv64-unknown-elf-size", elf], capture_output=True, text=True, check=True).stdout.split("\n")[1].split()
    return code, int(data[1]) + int(data[2])


# For each method: how a board takes the calls, and the feature that it needs (gnomon info). The bare core has no
# profiler.
ON_BOARDS = {"watch": (["--watch", "--events"], "watch"), "hardware": (["--records"], "records"), "store": (["--events"], "profiler")}


def gnomon(board, *words):
    boards, config = os.path.split(board)
    return must(["gnomon", words[0], "-d", f"sim:{config}", *words[1:]], env=dict(os.environ, GNOMON_SIM_DIR=os.path.abspath(boards)))


@functools.cache
def capabilities(board):
    return json.loads(gnomon(board, "info", "--json"))


def run(machine, method, elf):
    """Returns the program's output; "" if the machine does not have the method."""
    if not machine.startswith("board:"):
        return "" if method in ("watch", "hardware") else core_run.run(machine, core_run.image_of(elf))[1]
    board = machine.removeprefix("board:")
    options, needs = ON_BOARDS.get(method, ([], "profiler"))
    if not capabilities(board)[needs]:
        return ""
    return gnomon(board, *(["record", "-o", "/dev/null", *options] if options else ["run"]), "-q", *FAST, elf)


def measure(method, log2, folders, machines):
    """One program on all machines: bytes of code, of data and heap, and (machine, pattern, calls, cycles,
    instructions)."""
    elf = build(method, log2, folders / f"{method}-{log2}")
    code, data = sizes(elf)
    heap, runs = 0, []
    for machine, executable in machines.items():
        for line in run(executable, method, elf).splitlines():
            name, *values = line.split()
            if name == "heap":
                heap = int(values[0])
            else:
                runs.append((machine, name, *map(int, values)))
    for file in OUT.glob(f"{method}-{log2}.*"):
        file.unlink()
    return code, data + heap, runs


def table(rows, machine, pattern, unit):
    """Prints the cost relative to no hooks, methods by numbers of functions."""
    counts = sorted({row["functions"] for row in rows})
    print(f"\n{machine}, {pattern}: {unit} per call" + "".join(f"{count:>10}" for count in counts))
    for method in METHODS:
        cells = [row for count in counts for row in rows if (row["machine"], row["pattern"], row["method"], row["functions"]) ==
                 (machine, pattern, method, count)]
        if cells:
            print(f"{method:>34}" + "".join(f"{row[unit]:10.1f}" for row in cells))


def main():
    folders, logs, machines = values(__doc__, "firmware", "log2", rest="MACHINE")
    folders, logs, machines = pathlib.Path(folders), [int(word) for word in logs.split()], dict(word.split("=", 1) for word in machines)
    OUT.mkdir(parents=True, exist_ok=True)
    rows, memory = [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        measured = {(log2, method): pool.submit(measure, method, log2, folders, machines) for log2 in logs for method in METHODS}
        plain, bare = {}, {}
        for (log2, method), job in measured.items():
            code, data, runs = job.result()
            least = bare.setdefault(log2, (code, data))
            memory.append({"functions": 1 << log2, "method": method, "code": (code - least[0]) / (1 << log2), "ram": (data - least[1]) / (1 << log2)})
            for machine, name, calls, cycles, instructions in runs:
                base = plain.setdefault((log2, machine, name), (cycles, instructions))
                rows.append({"machine": machine, "pattern": name, "functions": 1 << log2, "method": method,
                             "calls": calls, "cycles": (cycles - base[0]) / calls, "instructions": (instructions - base[1]) / calls,
                             "all_cycles": cycles, "all_instructions": instructions})
            print(f"{1 << log2:>6} {method}", flush=True)
    for machine in machines:
        for pattern in ("uniform", "skewed", "deep"):
            table(rows, machine, pattern, "cycles")
        table(rows, machine, "uniform", "instructions")
    largest = 1 << max(logs)
    print(f"\nbytes per function, of {largest}       code       RAM")
    for row in memory:
        if row["functions"] == largest:
            print(f"{row['method']:>34}{row['code']:10.1f}{row['ram']:10.1f}")
    pathlib.Path("build/hooks.json").write_text(json.dumps({"costs": rows, "memory": memory}, indent=1), encoding="utf-8")
    pathlib.Path("docs/internals/hooks.svg").write_text(hooks_plot.draw(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
