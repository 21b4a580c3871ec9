#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests hookless call tracing on the simulated board: programs without hooks, and with some, against the simulator's
oracle, which follows return addresses; in function records and in the event stream. Results and recordings go to
WORK_DIRECTORY.

usage: watch.py WORK_DIRECTORY exact|others|demo|board
       exact    all kinds of calls: recursion, tail calls, longjmp, unwinding, traps, coroutines, threads; with and without hooks
       others   objects of another compiler, programs that do not fit or cannot be traced
       demo     the demo's program that reads a picture
       board    the sizes of the ULX3S-25F
"""
import json
import pathlib
import sys
import zlib

import e2e
from checking import fail
from commands import FAST, must, report, run

MATRIX, RECORDS = pathlib.Path("tests/firmware/matrix"), pathlib.Path("tests/firmware/records")
PROGRAMS = pathlib.Path("tests/e2e/programs")
LOGO, FONT = "/usr/share/pixmaps/debian-logo.png", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
FOREIGN = ["riscv64-unknown-elf-gcc", "-march=rv32imc", "-misa-spec=2.2", "-mabi=ilp32", "--specs=picolibc.specs", "-ftls-model=local-exec"]


def tool(*command, status=0):
    done = run(command)
    if done.returncode != status:
        fail(f"{command}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done.stderr


def build(work, name, sources, flags):
    elf = work / name
    compiler = "c++" if str(sources[0]).endswith(".cc") else "cc"
    tool(e2e.GNOMON, compiler, "-g", *flags, "-o", elf, *sources)
    return elf


def figures(result):
    """Returns by name: calls, self, total."""
    return {(f["name"], f["address"]): (f["calls"], f["self_cycles"], f["total_cycles"]) for f in result["functions"]}


def measured(result):
    return {f["name"]: f["measured"] for f in result["functions"]}


def watch(elf, arguments=(), options=("--watch",), against_oracle=True, ways=("--records", "--events")):
    """Records the program with each method; returns the report of the first."""
    oracle, results = pathlib.Path(f"{elf}.oracle.json"), []
    for way in ways:
        oracle.unlink(missing_ok=True)
        trace = e2e.record(elf, list(arguments), elf.name + way, ["--oracle-watch", *e2e.FAST], oracle, options=[way, *options])
        path, result = e2e.report(trace)
        lossy = result["lost_events"] > 0  # USB is too slow even at this rate
        if way == "--records" and lossy or len(result["reasons"]) != lossy:
            fail(f"{elf} {way}: {result['reasons']}")
        if against_oracle:
            e2e.compare(path, oracle)
        results.append(result)
    if results[0]["cycles"] != results[-1]["cycles"] or (not lossy and figures(results[0]) != figures(results[-1])):
        fail(f"{elf}: records and events differ")
    return results[0]


def same_cycles(elf, arguments, result):
    """Hookless call tracing does not change the program's cycles."""
    trace = e2e.record(elf, list(arguments), elf.name + ".unwatched", [], options=["--events", "--no-functions", "--no-traps"])
    cycles = e2e.report(trace)[1]["cycles"]
    if cycles != result["cycles"]:
        fail(f"{elf}: {result['cycles']} cycles when watched, {cycles} when not")


def same_calls(work, name, sources, flags, arguments, watched):
    """The functions to which the plugin gives hooks are called as often as in the hookless build of the same code."""
    result = e2e.report(e2e.record(build(work, name, sources, flags), list(arguments), name, e2e.FAST))[1]
    calls, hooked = ({f["name"]: f["calls"] for f in side["functions"] if not f["name"].startswith("[")} for side in (watched, result))
    wrong = {name: (count, calls.get(name)) for name, count in hooked.items() if calls.get(name) != count}
    if wrong or not hooked:
        fail(f"{name}: calls (hooked, watched): {wrong}")


def exact(work):
    # For jumps and coroutines with hooks the oracle is not exact: the hooks' messages announce the running thread.
    for program, both in (("recursion", True), ("tails", True), ("jumps", False), ("eh_return", True), ("handlers", True),
                          ("frames", True), ("coroutines", False), ("ends", True), ("objects", True)):
        sources = sorted(MATRIX.glob(f"{program}.c*")) + sorted(MATRIX.glob(f"{program}.2.c*"))
        plain, fast = (watch(build(work, program + level, sources, ["--gnomon-off", level])) for level in ("-O0", "-O2"))
        if any(how != ["watch"] for name, how in measured(fast).items() if not name.startswith("[")):
            fail(f"{program}: {measured(fast)}")
        same_cycles(work / f"{program}-O2", [], fast)
        if program not in ("coroutines", "ends"):
            same_calls(work, f"{program}-O0-hooked", sources, ["-O0"], [], plain)
        mixed = watch(build(work, f"{program}-mixed", sources, ["-O2"]), against_oracle=both)
        if not {"store", "watch"} <= {how for ways in measured(mixed).values() for how in ways}:
            fail(f"{program}: {measured(mixed)}")
    for arguments in ([], ["997", "1"]):  # interrupts, and those within them
        watch(build(work, f"threads{len(arguments)}", [RECORDS / "threads.c"], ["--gnomon-off", "-O2"]), arguments)
    for program, argument in (("interrupts", "1009"), ("storm", "40")):
        elf = build(work, program, [PROGRAMS / f"{program}.c"], ["--gnomon-off", "-O2"])
        same_cycles(elf, [argument], watch(elf, [argument]))


def foreign(work):
    """Objects of a compiler without the plugin, with the library calls that save and restore registers; traced by
    default."""
    thing = work / "foreign.o"
    tool(*FOREIGN, "-O2", "-g", "-msave-restore", "-c", "-o", thing, MATRIX / "recursion.c")
    elf = build(work, "foreign", [thing], ["--gnomon-off"])
    result = watch(elf, options=())
    if not any(name.startswith("__riscv_restore") for name, _, in figures(result)):
        fail(f"nothing of -msave-restore was seen: {sorted(figures(result))}")
    only = watch(elf, options=("--watch-only", "fib*", "--watch-only", "main"), against_oracle=False)
    if {name for name, _ in figures(only)} != {"fibonacci", "main"}:
        fail(f"--watch-only: {figures(only)}")
    whole, fewer = (next(f for f in side["functions"] if f["name"] == "main")["total_cycles"] for side in (result, only))
    if whole != fewer:
        fail(f"--watch-only: main has {fewer} cycles, not {whole}")


def deep(work):
    """More open calls than frames: the extra calls are counted, and their cycles belong to the last call with a
    frame."""
    source = work / "deep.c"
    source.write_text("__attribute__((noinline)) int down(int n) { return n ? down(n - 1) + 1 : 0; }\n"
                      "int main(void) { return down(999) == 999 ? 0 : 1; }\n", encoding="ascii")
    elf = build(work, "deep", [source], ["--gnomon-off", "-O1", "-fno-optimize-sibling-calls"])
    text = tool(e2e.GNOMON, "record", "-d", "sim:full", "--watch", "-o", work / "deep.gnt", elf)
    if "calls of watched functions could not be followed" not in text:
        fail(f"deep: {text}")
    result = e2e.report(work / "deep.gnt")[1]
    calls = {f["name"]: f["calls"] for f in result["functions"]}
    text = [fault["text"] for fault in result["reasons"]]
    if len(text) != 1 or not text[0].startswith(f"{1000 - calls['down']} calls of watched functions could not be followed") or \
            not 400 < calls["down"] < 512:
        fail(f"deep: {calls}, {text}")
    if sum(f["self_cycles"] for f in result["functions"]) != result["attributed_cycles"]:
        fail("deep: cycles do not add up")


def many(work):
    """More functions than entries: the table takes as many as fit, and the report gives the number of the others."""
    source = work / "many.c"
    source.write_text("".join(f"__attribute__((noinline, used)) int f{i}(int x) {{ return x * {i} + 1; }}\n" for i in range(5000)) +
                      "int main(void) { return f4999(f7(f0(0))) != 0 ? 0 : 1; }\n", encoding="ascii")
    elf = build(work, "many", [source], ["--gnomon-off", "-O1"])
    text = tool(e2e.GNOMON, "record", "-d", "sim:full", "--watch", "-o", work / "many.gnt", elf)
    if "(it watches up to 4096)" not in text:
        fail(f"many: {text}")
    result = e2e.report(e2e.record(elf, [], "many", [], options=["--watch-only", "f*9*", "--watch-only", "main"]))[1]
    if {f["name"]: f["calls"] for f in result["functions"]} != {"main": 1, "f4999": 1} or result["reasons"]:
        fail(f"many: {result['functions']}")


def refused(work):
    elf = build(work, "refused", [MATRIX / "tails.c"], ["--gnomon-off", "-O2"])
    stripped = work / "stripped"
    tool("riscv64-unknown-elf-strip", "-s", "-o", stripped, elf)
    for words, status, options in (
            ("sim:mid cannot watch calls", 1, ["-d", "sim:mid", "--watch", elf]),
            ("has no functions to watch", 1, ["-d", "sim:full", "--watch", stripped]),
            ("has no functions to watch", 1, ["-d", "sim:full", "--watch-only", "nobody", elf]),
            ("--watch and --no-functions exclude each other", 2, ["-d", "sim:full", "--watch", "--no-functions", elf])):
        text = tool(e2e.GNOMON, "record", "-o", work / "refused.gnt", *options, status=status)
        if words not in text:
            fail(f"{options}: {text}")
    # Without being asked nothing is watched where it cannot be.
    tool(e2e.GNOMON, "record", "-q", "-d", "sim:mid", "-o", work / "refused.gnt", elf)
    header = json.loads(must([e2e.GNOMON, "info", "-d", "sim:mid", "--json"]))
    if header["watch"] != 0:
        fail(f"sim:mid: {header}")


def damaged(work):
    """Every damaged list of traced functions is refused."""
    data = (work / "deep.gnt").read_bytes()
    size = int.from_bytes(data[8:12], "little")
    header, rest = json.loads(data[12:12 + size]), data[16 + size:]
    for bad in (None, [], {"first": 0}, {"first": -1, "addresses": []}, {"first": (1 << 20) - 6, "addresses": [4] * 7}, {"first": 0, "addresses": [1 << 32]},
                {"first": 0, "addresses": ["main"]}):
        text = json.dumps(header | {"watch": bad}).encode()
        (work / "damaged.gnt").write_bytes(data[:8] + len(text).to_bytes(4, "little") + text + zlib.crc32(text).to_bytes(4, "little") + rest)
        if "the list of watched functions in it makes no sense" not in tool(e2e.GNOMON, "report", work / "damaged.gnt", status=1):
            fail(f"damaged: {bad}")


def demo(work):
    """Runs 600,000 calls with function records only: USB would take long for their events."""
    elf = build(work, "logo", [pathlib.Path("firmware/apps/logo.c"), "-lm"], ["--gnomon-off", "-O2", "-isystem", "/usr/include/stb"])
    arguments = [LOGO, FONT, str(e2e.OUT / "watched-logo.png")]
    result = watch(elf, arguments, ways=("--records",))
    print(f"{elf}: {sum(f['calls'] for f in result['functions'])} calls of {len(result['functions'])} functions, {result['cycles']} cycles")


def board(work):
    """The smallest sizes of a board suffice for programs with dense calls: their calls are those that the board `full`
    counts. Where they do not suffice, the report says so."""
    def recorded(name, elf, *arguments):
        trace = work / f"{elf.name}-{name}.gnt"
        run(["gnomon", "record", "-q", "-d", f"sim:{name}", *FAST, "--records", "--watch", "-o", trace, elf, *arguments])
        return report(trace)

    programs = [(MATRIX / f"{name}.c", "") for name in ("tails", "handlers", "frames")] + [(PROGRAMS / "storm.c", "40")]
    for source, argument in programs:
        elf = build(work, source.stem + "-board", sorted({source, *source.parent.glob(f"{source.stem}.2.c*")}), ["--gnomon-off", "-O2"])
        full, small = (recorded(name, elf, *argument.split()) for name in ("full", "ulx3s-25f"))
        calls = [{f["name"]: f["calls"] for f in result["functions"]} for result in (full, small)]
        if not (full["exact"] and small["exact"]) or calls[0] != calls[1] or sum(calls[0].values()) < 20:
            fail(f"{elf}: {full['reasons']} {small['reasons']} {calls}")
    deep_result = recorded("ulx3s-25f", build(work, "deep-board", [PROGRAMS / "deep.c"], ["--gnomon-off", "-O2"]), "200")
    if deep_result["exact"] or [reason["id"] for reason in deep_result["reasons"]] != ["watch-missed"]:
        fail(f"200 calls open: {deep_result['reasons']}")


def main():
    work, what = pathlib.Path(sys.argv[1]), sys.argv[2]
    for folder in (work, e2e.OUT):
        folder.mkdir(parents=True, exist_ok=True)
    for test in {"exact": (exact,), "others": (foreign, deep, many, refused, damaged), "demo": (demo,), "board": (board,)}[what]:
        test(work)
        print(f"{test.__name__}: good")


if __name__ == "__main__":
    main()
