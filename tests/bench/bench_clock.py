#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Results of placing the hart with its caches: logic, clock (best of several seeds), and with CoreMark/MHz
(build/bench-coremark.json, if it exists) CoreMark per second.

usage: bench_clock.py --yosys COMMAND --nextpnr-ice40 COMMAND --nextpnr-ecp5 COMMAND --seeds COUNT [FORM:PART...]
Prints a table and writes it to build/bench-clock.json."""
import glob
import json
import pathlib
import subprocess

from options import values

OUT = pathlib.Path("build/bench/clock")
# Parameters of tests/bench/place_core.v, and the name of the form in bench-coremark.json.
FORMS = {
    "compact": ("MUL_FAST 0 COMPACT 1 UP5K 1 ICACHE_BYTES 1024", "compact"),
    "plain": ("MUL_FAST 1 ICACHE_BYTES 2048", "static"),
    "late": ("MUL_FAST 1 LATE 1 ICACHE_BYTES 2048", "late"),
    "full": ("MUL_FAST 1 LATE 1 PREDICT 9 LUTRAM 1 ICACHE_BYTES 8192", "full"),
    "options": ("MUL_FAST 1 LATE 1 PREDICT 9 LUTRAM 1 ATOMIC 1 BITS 1 USER 1 TRIGGERS 2 ICACHE_BYTES 8192", "full"),
}
# The compact form instantiates the UP5K's DSP blocks, which -dsp would rewrite; it has no other multiplier.
PARTS = {
    "UP5K": ("synth_ice40 {dsp}", "ice40", ["--up5k", "--package", "sg48", "--freq", "20"]),
    "HX8K": ("synth_ice40", "ice40", ["--hx8k", "--package", "ct256", "--freq", "50"]),
    "ECP5-25F": ("synth_ecp5", "ecp5", ["--25k", "--package", "CSFBGA285", "--speed", "6", "--lpf-allow-unconstrained",
                                        "--freq", "90"]),
}
DEFAULT = ["compact:UP5K", "plain:UP5K", "plain:HX8K", "full:ECP5-25F", "options:ECP5-25F"]
KINDS = ("ICESTORM_LC", "ICESTORM_RAM", "ICESTORM_DSP", "TRELLIS_COMB", "TRELLIS_FF", "DP16KD", "MULT18X18D")


def place(yosys, nextpnr, form, part, seeds):
    name, parameters = OUT / f"{form}-{part}", FORMS[form][0].split()
    synth, family, flags = PARTS[part]
    settings = " ".join(f"-set {key} {value}" for key, value in zip(parameters[::2], parameters[1::2]))
    sources = " ".join(sorted(glob.glob("rtl/core/*.v") + glob.glob("rtl/cache/*.v")))
    subprocess.run([yosys, "-q", "-l", f"{name}.synth.log", "-p",
                    f"read_verilog {sources} tests/bench/place_core.v; chparam {settings} place_core; "
                    f"{synth.format(dsp='' if 'UP5K' in parameters else '-dsp')} -top place_core -json {name}.json"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    best = None
    for seed in range(1, seeds + 1):
        subprocess.run([nextpnr[family], "-q", "-l", f"{name}.{seed}.log", "--json", f"{name}.json", "--seed", str(seed), *flags,
                        "--timing-allow-fail", "--report", f"{name}.{seed}.report"], check=True, stderr=subprocess.DEVNULL)
        report = json.loads(pathlib.Path(f"{name}.{seed}.report").read_text(encoding="utf-8"))
        mhz = max(clock["achieved"] for clock in report["fmax"].values())
        if best is None or mhz > best["mhz"]:
            best = {"mhz": round(mhz, 2), "seed": seed, "used": {kind: report["utilization"][kind]["used"] for kind in KINDS
                                                               if kind in report["utilization"]}}
    return best


def main():
    yosys, ice40, ecp5, seeds, wanted = values(__doc__, "yosys", "nextpnr-ice40", "nextpnr-ecp5", "seeds", rest="FORM:PART", least=0)
    OUT.mkdir(parents=True, exist_ok=True)
    scores = {}
    measured = pathlib.Path("build/bench-coremark.json")
    if measured.exists():
        for row in json.loads(measured.read_text(encoding="utf-8")):
            if row.get("arch") == "rv32im":
                scores.setdefault(row["core"], {})[row["flags"]] = row["coremark_per_mhz"]
    rows = []
    print(f"{'form':8} {'part':9} {'MHz':>6}  {'CoreMark/s':>10}  (-O2)   uses")
    for form, part in (item.split(":") for item in wanted or DEFAULT):
        row = {"form": form, "part": part, "parameters": FORMS[form][0],
               **place(yosys, {"ice40": ice40, "ecp5": ecp5}, form, part, int(seeds))}
        score = scores.get(FORMS[form][1], {}).get("-O2")
        if score:
            row["coremark_per_second"] = round(score * row["mhz"], 1)
        rows.append(row)
        print(f"{form:8} {part:9} {row['mhz']:6.2f}  {row.get('coremark_per_second', '-'):>10}          {row['used']}", flush=True)
    pathlib.Path("build/bench-clock.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


main()
