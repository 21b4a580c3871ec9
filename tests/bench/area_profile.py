#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of the profiler: the area of each feature, as the difference of two syntheses of gnomon_profile, on the
UP5K and on ECP5; and placements of the board `small` with and without the profiler, with several seeds (0: not
placed).

usage: area_profile.py --yosys COMMAND --nextpnr COMMAND --seeds COUNT --make COMMAND
Prints two tables and writes them to build/area-profile.json."""
import glob
import json
import pathlib
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from options import values

OUT = pathlib.Path("build/bench/area-profile")
RTL = " ".join(sorted(glob.glob("rtl/profile/**/*.v", recursive=True) + glob.glob("rtl/periph/*.v")))
# For each part: common parameters, and the features: name, parameters before, parameters added.
UP5K = "FIFO_LOG2 8 UP5K 1"
ECP5 = "FIFO_LOG2 10"
RECORDS = "RECORDS_LOG2 9 FRAMES_LOG2 8"
FEATURES = {
    "UP5K": [
        ("trace and counters", None, UP5K),
        ("+ lock segments", UP5K, "LOCKS 1"),
        ("+ 2 selectable counters", UP5K, "HPM 2"),
        ("+ records, compact", UP5K, f"{RECORDS} COMPACT 1"),
    ],
    "ECP5": [
        ("trace and counters", None, ECP5),
        ("+ 20-bit numbers", ECP5, "NUMBER_BITS 20"),
        ("+ lock segments", ECP5, "LOCKS 1"),
        ("+ 6 selectable counters", ECP5, "HPM 6"),
        ("+ their filters, interrupt, ranges", f"{ECP5} HPM 6", "PMU 1"),
        ("+ 512 records", ECP5, RECORDS),
        ("+ pairs of caller and callee", f"{ECP5} {RECORDS}", "ARCS 1"),
        ("+ buckets of 64", f"{ECP5} {RECORDS}", "BUCKETS_LOG2 6"),
        ("+ epochs", f"{ECP5} {RECORDS}", "EPOCHS 1"),
        ("+ counts of what was dropped", f"{ECP5} {RECORDS}", "LOSSES 1"),
        ("+ 256 watched functions", ECP5, "WATCH_LOG2 8 WATCH_FRAMES_LOG2 6"),
        ("+ cycles by cause", ECP5, "CAUSES 1"),
        ("+ the same by instruction, of 512", f"{ECP5} CAUSES 1", "CODE_WINDOW_LOG2 9"),
        ("+ tags of 4,096 words, and sampler", f"{ECP5} HPM 6 PMU 1", "TAGS_LOG2 12"),
    ],
}
# The columns made from yosys' cells. A carry cell takes two LUTs, a distributed RAM four.
COLUMNS = {
    "UP5K": ("LC", "EBR", "SPRAM", "DSP"),
    "ECP5": ("LUT", "FF", "EBR", "DSP"),
}


def synthesise(yosys, nextpnr, part, parameters):
    """Area of gnomon_profile with these parameters: a dictionary by column."""
    name = OUT / re.sub(r"\W+", "_", f"{part} {parameters}")
    words = parameters.split()
    settings = " ".join(f"-set {key} {value}" for key, value in zip(words[::2], words[1::2]))
    synth = "synth_ice40" if part == "UP5K" else "synth_ecp5"
    subprocess.run([yosys, "-q", "-p", f"read_verilog -Ibuild/gen -Irtl/core -Irtl/profile/trace -Irtl/profile/tags -Irtl/soc {RTL}; chparam {settings} gnomon_profile; "
                    f"{synth} -top gnomon_profile -json {name}.json; tee -q -o {name}.stat stat -json"], check=True, stdout=subprocess.DEVNULL)
    if part == "UP5K":
        done = subprocess.run([nextpnr, "--up5k", "--pack-only", "--json", f"{name}.json"], capture_output=True, text=True, check=True)
        kinds = {"LC": "ICESTORM_LC", "EBR": "ICESTORM_RAM", "SPRAM": "ICESTORM_SPRAM", "DSP": "ICESTORM_DSP"}
        return {column: int(re.search(rf"{kind}: *(\d+)/", done.stderr)[1]) for column, kind in kinds.items()}
    text = pathlib.Path(f"{name}.stat").read_text("utf-8")
    cells = json.loads(text[text.index("{") :])["design"]["num_cells_by_type"]
    return {
        "LUT": cells.get("LUT4", 0) + 2 * cells.get("CCU2C", 0) + 4 * cells.get("TRELLIS_DPR16X4", 0),
        "FF": cells.get("TRELLIS_FF", 0), "EBR": cells.get("DP16KD", 0), "DSP": cells.get("MULT18X18D", 0),
    }  # fmt: skip


def areas(yosys, nextpnr):
    wanted = set()
    for part, features in FEATURES.items():
        for _, before, added in features:
            wanted |= {(part, before), (part, f"{before} {added}")} if before else {(part, added)}
    wanted = sorted(wanted)
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(wanted, pool.map(lambda one: synthesise(yosys, nextpnr, *one), wanted)))
    rows = []
    for part, features in FEATURES.items():
        print(f"{part:36} " + " ".join(f"{column:>6}" for column in COLUMNS[part]))
        for name, before, added in features:
            area = found[part, f"{before} {added}" if before else added]
            cost = {column: area[column] - (found[part, before][column] if before else 0) for column in COLUMNS[part]}
            rows.append({"part": part, "feature": name, **cost})
            print(f"{name:36} " + " ".join(f"{cost[column]:6}" for column in COLUMNS[part]), flush=True)
    return rows


def without_profiler():
    """Returns a gnomon_profile with the same ports that has only the counter of record."""
    source = pathlib.Path("rtl/profile/gnomon_profile.v").read_text("utf-8")
    head = source[: source.index(");", source.index(") (")) + 2]
    lists = re.findall(r"output wire (?:\[[^\]]*\])? *(\w+(?:, \w+)*)", head)
    outputs = [name for names in lists for name in names.split(", ")]
    zero = "\n".join(f"  assign {name} = 0;" for name in outputs if name != "cycle_o")
    path = OUT / "gnomon_profile.v"
    path.write_text(f"{head}\n  gnomon_cycle #(.HARD(UP5K)) u_cycle (.clk_i(clk_i), .reset_i(hart_rst_i), "
                    f".cycle_o(cycle_o));\n{zero}\nendmodule\n", "utf-8")
    return path


def clocks(nextpnr, seeds, make):
    """The board `small` with and without the profiler: area, and the rates of both clocks with each seed."""
    netlists = {"with": "build/fpga/fomu.json", "without": "build/fpga/fomu-bare.json"}
    subprocess.run([make, "-s", *netlists.values(), f"NO_PROFILER={without_profiler()}"], check=True, stdout=subprocess.DEVNULL)
    jobs = [(which, seed) for which in netlists for seed in range(1, seeds + 1)]

    def place(job):
        which, seed = job
        report = OUT / f"{which}-{seed}.json"
        done = subprocess.run([nextpnr, "-q", "-l", f"{report}.log", "--up5k", "--package", "uwg30", "--json", netlists[which], "--pcf",
                               "constraints/fomu.pcf", "--placer", "static", "--seed", str(seed), "--timing-allow-fail", "--report",
                               str(report)], check=False, stderr=subprocess.DEVNULL)
        if done.returncode:
            return None  # not routed
        return json.loads(report.read_text("utf-8"))

    rows = {which: {"seeds": []} for which in netlists}
    with ThreadPoolExecutor(2) as pool:
        for (which, seed), report in zip(jobs, pool.map(place, jobs)):
            mhz = {round(c["constraint"]): round(c["achieved"], 2) for c in report["fmax"].values()} if report else None
            rows[which]["seeds"].append({"seed": seed, "mhz": mhz})
            if report:
                rows[which]["LC"] = report["utilization"]["ICESTORM_LC"]["used"]
    print("\nsmall on the UP5K          LC   MHz reached of the clocks wanted, by seed")
    for which, row in rows.items():
        reached = "; ".join(", ".join(f"{got} of {want}" for want, got in sorted(one["mhz"].items())) if one["mhz"] else "not routed"
                            for one in row["seeds"])
        print(f"{which + ' the profiler':24} {row.get('LC', '-'):>5}   {reached}")
    return rows


def main():
    yosys, nextpnr, seeds, make = values(__doc__, "yosys", "nextpnr", "seeds", "make")
    OUT.mkdir(parents=True, exist_ok=True)
    result = {"features": areas(yosys, nextpnr)}
    if int(seeds):
        result["small"] = clocks(nextpnr, int(seeds), make)
    pathlib.Path("build/area-profile.json").write_text(json.dumps(result, indent=1), "utf-8")


if __name__ == "__main__":
    main()
