#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the formal checks of the core: yosys makes an and-inverter graph, ABC's bounded model checker searches it.

usage: run.py [--short] [--select WORD,WORD] [--rtl DIR] [--out DIR] [--trace]

--select: the checks whose "configuration.check" contains one of the words. --trace prints a counterexample.
Prints a line for each check and writes a table to OUT/checks.json; exit status 1 if a result is not the expected one.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import aig
import checks

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
STAND_INS = ("_mul.v", "_muldiv.v", "_serial.v", "_regfile.v", "_predict.v")
SHOWN = "obs_* s_* i_req_* d_req_* i_rsp d_rsp i_rdata d_rdata rst halted cycle"


def build(check, rtl, out):
    """Builds the check as OUT/NAME.aig; returns the names of its properties."""
    base = out / check.name
    flags = " ".join(f"-D{d}" for d in check.defines)
    if check.sources:
        sources = [str(HERE / s) if (HERE / s).exists() else str(ROOT / rtl / s) for s in check.sources]
    else:
        sources = [str(HERE / f) for f in ("top.v", "spec.v", "guard.v", "units.v")]
        sources += sorted(str(f) for f in (ROOT / rtl).glob("*.v") if not f.name.endswith(STAND_INS))
    shown = " ".join("w:" + w for w in SHOWN.split())
    zinit = "-zinit" if check.free else ""
    script = [
        f"read_verilog -formal -DSYNTHESIS -I{HERE} -I{ROOT / rtl} {flags} {' '.join(sources)}",
        f"hierarchy -top {check.top}; proc" if check.early else "",
        *check.early,
        f"prep -top {check.top} -flatten",
        "memory_map; opt -fast",
        *check.script,
        f"expose {shown}" if check.top == "formal_core" else "",
        "techmap; opt_expr; dffunmap; simplemap; setundef -undriven -anyseq; opt_clean; aigmap",
        f"write_aiger {zinit} -map {base}.aim {base}.aig",
        f"tee -q -o {base}.names select -list t:$assert",
    ]
    done = subprocess.run(["yosys", "-q", "-p", "; ".join(s for s in script if s)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{check.name}: yosys: {done.stdout[-2000:]}")
    # In the order of write_aiger.
    return re.findall(r"([a-z_]+\.vh?:\d+)", pathlib.Path(f"{base}.names").read_text(encoding="utf-8"))


def abc(base, commands, limit):
    # Outputs come before the properties.
    with open(f"{base}.aig", "rb") as f:
        outputs, properties = (int(n) for n in f.readline().split()[4:7:2])
    select = f"cone -s -a -O {outputs} -R {properties}; " if outputs else ""
    script = f"read_aiger {base}.aig; {select}{commands}"
    done = subprocess.run(["timeout", str(limit), "yosys-abc", "-c", script], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)


def bounded(check, out, names):
    """Returns the verdict, and the cycle and property of a counterexample."""
    base = out / check.name
    pathlib.Path(f"{base}.cex").unlink(missing_ok=True)
    log = abc(base, f"{check.prepare}; {check.engine}; write_cex -a {base}.cex", check.limit)
    pathlib.Path(f"{base}.log").write_text(log, encoding="utf-8")
    found = re.search(r"Output (\d+) of miter .* asserted in frame (\d+)", log)
    if found:
        return "FAIL", int(found[2]), names[int(found[1])] if int(found[1]) < len(names) else found[1]
    if re.search(r"No output (was )?asserted in|Property proved", log) and "imeout" not in log:
        return "pass", None, None
    return "UNDECIDED", None, log.strip().splitlines()[-1][:80] if log.strip() else "no output"


def covers(check, out, names):
    """Every property must be violated within the depth: the asserts of this check claim that an event never happens."""
    base = out / check.name
    log = abc(base, f"{check.prepare}; bmc3 -a -x -F {check.depth}", check.limit)
    pathlib.Path(f"{base}.log").write_text(log, encoding="utf-8")
    seen = {int(n) for n in re.findall(r"Output +(\d+) was asserted in frame", log)}
    missing = [name for n, name in enumerate(names) if n not in seen and name.startswith("reach")]
    return ("FAIL" if missing else "pass"), None, " ".join(missing)


def trace(check, out):
    """Prints the course of the shown signals in the last counterexample."""
    base = out / check.name
    lines = pathlib.Path(f"{base}.cex").read_text(encoding="utf-8").split()
    frames = [line for line in lines if len(line) > 40]
    graph = aig.Aig(f"{base}.aig")
    frames = frames[1:]                  # the first line is the initial state
    places = []
    for line in pathlib.Path(f"{base}.aim").read_text(encoding="utf-8").splitlines():
        word = line.split()
        if word[0] == "output":
            places.append((int(word[1]), int(word[2]), word[3]))
    last = {}
    for n, values in enumerate(graph.run(frames)):
        now = {}
        for at, bit, name in places:
            if at < len(values):
                now[name] = now.get(name, 0) | values[at] << bit
        print(f"cycle {n}: " + " ".join(f"{k}={v:x}" for k, v in sorted(now.items()) if last.get(k) != v))
        last = now


def processor_time():
    used = os.times()
    return used.children_user + used.children_system


def run(check, rtl, out):
    start, used = time.monotonic(), processor_time()
    names = build(check, rtl, out)
    verdict, cycle, where = (covers if check.cover else bounded)(check, out, names)
    return {"configuration": check.config, "check": check.title, "depth": check.depth, "seconds": round(time.monotonic() - start, 1),
            "processor_seconds": round(processor_time() - used, 1),
            "properties": len(names), "verdict": verdict, "cycle": cycle, "property": where}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--select", default="")
    parser.add_argument("--rtl", default="rtl/core")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/formal-core")
    parser.add_argument("--trace", action="store_true")
    args = parser.parse_args()
    args.out = args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    results = []
    for check in checks.all_checks():
        if args.short and not check.short or args.select and not any(w in check.name for w in args.select.split(",")):
            continue
        result = run(check, args.rtl, args.out)
        results.append(result)
        where = f" {result['property']}" if result["property"] else ""
        at = f" in cycle {result['cycle']}" if result["cycle"] is not None else ""
        depth = result["depth"] or "all"
        print(f"{check.config:8} {check.title:24} depth {depth:>3} {result['processor_seconds']:7.1f} s  {result['verdict']}{at}{where}", flush=True)
        if args.trace and result["verdict"] == "FAIL" and not check.cover:
            trace(check, args.out)
    (args.out / "checks.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    bad = [r for r in results if r["verdict"] != "pass"]
    print(f"{len(results) - len(bad)} of {len(results)} checks pass, {sum(r['processor_seconds'] for r in results):.0f} s of processor time")
    sys.exit(1 if bad or not results else 0)


if __name__ == "__main__":
    main()
