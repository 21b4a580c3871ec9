#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What mk/build/boards.mk needs to know of boards and of nextpnr's reports.

usage: boards.py known NAME BOARD...                is NAME one of the boards?
       boards.py serial TEXT FILE                   leaves a good serial number in FILE, untouched if it is there
       boards.py clocks NAME REPORT.json            does the placed design meet its clocks, and fit?
       boards.py seeds NAME LOG...                  of placements without routing, LOG being SEED.log: the clocks to be expected, the best first
       boards.py flash [--dry-run] NAME IMAGE LOADER [VID:PID]
       boards.py table OUT.json HEADER.vh=REPORT.json...
       boards.py features DEFAULTS.vh HEADER.vh...  which board has what: a table for README.md
Exit status 1 where the answer is no.
"""
import json
import os
import re
import shutil
import sys

# The kinds of cells that get a column, in this order: iCE40's, then ECP5's.
KINDS = {
    "ICESTORM_LC": "LC", "ICESTORM_RAM": "EBR", "ICESTORM_SPRAM": "SPRAM", "ICESTORM_DSP": "DSP",
    "TRELLIS_COMB": "LUT", "TRELLIS_FF": "FF", "DP16KD": "EBR", "MULT18X18D": "DSP",
}  # fmt: skip

# The command of each loader, with FILE and ID as placeholders, and how to install it.
LOADERS = {
    "dfu": (["dfu-util", "-d", "ID", "-a", "0", "-D", "FILE"], "apt install dfu-util"),
    "iceprog": (["iceprog", "FILE"], "apt install fpga-icestorm"),
    "tinyprog": (["tinyprog", "-p", "FILE"], "pip install tinyprog"),
    "openfpgaloader": (["openFPGALoader", "-b", "ulx3s", "-f", "FILE"], "apt install openfpgaloader"),
}

# Parameters of gnomon_soc that leave a feature out when they are 0, and the feature.
FEATURES = {
    "RECORDS_LOG2": "records of functions", "ARCS": "records of callers", "WATCH_LOG2": "hookless call tracing",
    "BUCKETS_LOG2": "histograms", "EPOCHS": "epochs", "LOSSES": "counts of losses", "PMU": "filters, ranges", "LATENCY": "latencies",
    "CODE_WINDOW_LOG2": "counters by instruction", "TAGS_LOG2": "tags", "ICACHE_BYTES": "instruction cache",
    "LOCKS": "lock accesses", "HPM": "selectable counters",
}  # fmt: skip
CONFIGS = ["small", "mid", "full"]


def fail(what, remedy):
    sys.exit(f"error: {what}\n       {remedy}")


def known(name, *boards):
    if name not in boards:
        fail(f'there is no board "{name}"' if name else "no board is named", "BOARD= one of: " + ", ".join(boards))


def serial(text, path):
    if not re.fullmatch(r"[0-9A-Za-z]{8}", text):
        fail(f'"{text}" is no serial number', "SERIAL= eight letters or digits")
    if not os.path.exists(path) or open(path, encoding="ascii").read() != text:
        with open(path, "w", encoding="ascii") as file:
            file.write(text)


def read_report(path):
    """Returns the number of used cells of each kind, and for each clock the reached and the wanted frequency in MHz."""
    with open(path, encoding="utf-8") as source:
        report = json.load(source)
    used = {
        column: {"used": report["utilization"][kind]["used"], "available": report["utilization"][kind]["available"]}
        for kind, column in KINDS.items()
        if kind in report["utilization"]
    }
    clocks = {
        clock_name(name): {
            "mhz": round(figures["achieved"], 2), "wanted_mhz": round(figures["constraint"], 2)}
        for name, figures in report["fmax"].items()
    }
    return used, clocks


def clock_name(name):
    return re.sub(r"^\$glbnet\$|\$TRELLIS_IO_IN$|\$SB_IO_IN.*$", "", name)


def misses(clocks):
    return [f"{clock} reaches {c['mhz']} of {c['wanted_mhz']} MHz" for clock, c in clocks.items() if c["mhz"] < c["wanted_mhz"]]


def clocks(name, path):
    used, reached = read_report(path)
    too_large = [f"{n['used']} of {n['available']} {kind}" for kind, n in used.items() if n["used"] > n["available"]]
    if too_large:
        fail(f"{name} does not fit: " + ", ".join(too_large), f"leave something out in rtl/soc/boards/{name}.vh")
    if not reached:
        fail(f"{name}: no clock in {path}", "is the pins' file right?")
    missed = misses(reached)
    if missed:
        fail(f"{name} misses its clock: " + ", ".join(missed),
             f'try other places: make bitstream BOARD={name} SEEDS="11 12 13", or give it a slower clock')


def read_estimate(path):
    """Returns the clocks of the last estimate in nextpnr's log, in the form of read_report."""
    with open(path, encoding="utf-8") as log:
        found = re.findall(r"Max frequency for clock +'([^']+)': +([\d.]+) MHz \(\w+ at ([\d.]+) MHz\)", log.read())
    return {clock_name(name): {"mhz": float(mhz), "wanted_mhz": float(wanted)} for name, mhz, wanted in found}


def margin(clocks):
    return min((c["mhz"] / c["wanted_mhz"] - 1 for c in clocks.values()), default=-1)


def seeds(name, *logs):
    """nextpnr's estimate before routing is within a few percent of the result, and takes a tenth of the time."""
    found = sorted(((margin(clocks), os.path.basename(log).removesuffix(".log"), clocks) for log in logs for clocks in [read_estimate(log)]), reverse=True)
    for least, seed, clocks in found:
        print(f"seed {seed:>4}: {100 * least:+5.1f} %, " + ", ".join(f"{clock} {c['mhz']} of {c['wanted_mhz']} MHz" for clock, c in clocks.items()))
    good = [seed for least, seed, _ in found if least >= 0]
    if not good:
        fail(f"{name}: with none of these seeds its clocks are likely to be met", 'try others: SEEDS="31 32 33"')
    print(f'next: make bitstream BOARD={name} SEEDS="{" ".join(good[:5])}"')


def flash(*arguments):
    dry = arguments[0] == "--dry-run"
    name, image, loader, *usb = arguments[1:] if dry else arguments
    command, get = LOADERS[loader]
    command = [{"FILE": image, "ID": usb[0] if usb else ""}.get(word, word) for word in command]
    if dry:
        print(" ".join(command))
        return
    if not shutil.which(command[0]):
        fail(f"{command[0]} is not installed, which brings a bitstream into {name}", f"{get}; then make flash BOARD={name}")
    print(" ".join(command), flush=True)
    os.execvp(command[0], command)


def read_header(path):
    """Returns the parameters of a board's SoC."""
    with open(path, encoding="utf-8") as source:
        text = re.sub(r"//.*", "", source.read())
    return {name: int(value.replace("_", "")) for name, value in re.findall(r"\.(\w+)\s*\(([\d_]+)\)", text)}


def row(header, report):
    parameters = read_header(header)
    used, reached = read_report(report)
    return {
        "board": os.path.basename(header).removesuffix(".vh"),
        "configuration": CONFIGS[parameters["CONFIG"]],
        "clock_hz": parameters["CLOCK_HZ"],
        "clocks": reached,
        "margin_percent": round(100 * margin(reached), 1),
        "used": used,
        "ram_bytes": parameters.get("RAM_BYTES", 65536 if parameters["CONFIG"] == 0 else None),
        "left_out": [what for name, what in FEATURES.items() if parameters.get(name) == 0],
    }


def number(count, unit=""):
    return f"{count:,}{unit}" if count else "-"


def memory(size):
    return f"{size / (1 << 20):g} MiB" if size >= 1 << 20 else f"{size >> 10} KiB" if size else "-"


def yes(value):
    return "yes" if value else "-"


def power(log2):
    return 1 << log2 if log2 else 0


# The rows of the table of features: a name, and the cell by the parameters of a board's SoC.
FEATURE_ROWS = [
    ("clock", lambda p: f"{p['CLOCK_HZ'] / 1e6:g} MHz"),
    ("harts", lambda p: number(p.get("HARTS", 1))),
    ("main memory", lambda p: memory(p["RAM_BYTES"])),
    ("flash memory for programs", lambda p: memory((2 << 20) - p["FLASH"] if p.get("FLASH") else 0)),
    ("records of functions and traps", lambda p: number(power(p["RECORDS_LOG2"]))),
    ("their call graph: pairs", lambda p: number(power(p["RECORDS_LOG2"]) if p["ARCS"] else 0)),
    ("their histograms: functions", lambda p: number(power(p["BUCKETS_LOG2"]))),
    ("their losses; epochs", lambda p: f"{yes(p['LOSSES'])}; {yes(p['EPOCHS'])}"),
    ("threads followed", lambda p: number(power(p["THREADS_LOG2"]) if p["RECORDS_LOG2"] else 0)),
    ("`--watch`: functions without hooks", lambda p: number(power(p["WATCH_LOG2"]))),
    ("their calls open at a time, in a thread", lambda p: number(power(p["WATCH_FRAMES_LOG2"]) if p["WATCH_LOG2"] else 0)),
    ("their events that can wait", lambda p: number(power(p["WATCH_QUEUE_LOG2"]) if p["WATCH_LOG2"] else 0)),
    ("their arguments and results (`--watch-locks`)", lambda p: yes(p["WATCH_LOG2"] and p["WATCH_VALUES"])),
    ("`record --clock`: calls measured in events", lambda p: yes(p["EVENT_CLOCK"])),
    ("`stat -e`: counters at a time", lambda p: "2, of most events" if p.get("REDUCED") == 1 else number(p["HPM"])),
    ("their filters, ranges of addresses", lambda p: yes(p["PMU"])),
    ("`stat --latency`", lambda p: yes(p["LATENCY"])),
    ("accesses of lock segments, found", lambda p: ("-", "on the bus", "at retirement", "on the bus")[p["LOCKS"]]),
    ("values (callers) in these accesses", lambda p: yes(p["LOCK_DATA"] and p["NUMBER_BITS"] > 16)),
    ("`gnomon trace`: any accesses of the bus", lambda p: "-" if not p["TRAFFIC"] else "with values" if p["NUMBER_BITS"] > 16 else "yes"),
    ("`gnomon trace --word`: words of memory", lambda p: number(power(p["LOCK_WORDS_LOG2"]))),
    ("`record --interrupts`: switched off and on, waits", lambda p: yes(p["INTERRUPTS"])),
    ("cycles by cause", lambda p: yes(p["CAUSES"])),
    ("`--cpi` in one run: code", lambda p: number(2 * power(p["CODE_WINDOW_LOG2"]), " bytes")),
    ("tags: words of code, and of data", lambda p: "16,384 of code, reduced" if p.get("REDUCED") == 2 else number(power(p["TAGS_LOG2"]))),
    ("tags for all of main memory (tag caches)", lambda p: yes(p.get("TAG_CACHE"))),
    ("counters by address: code, and data", lambda p: number(2 * power(p["PER_ADDRESS_LOG2"]) if p["TAGS_LOG2"] else 0, " bytes")),
    ("`hot`, `scan`", lambda p: yes(p["TAGS_LOG2"])),
]


def read_defaults(path, config):
    """The sizes and options that a configuration has where a board does not set them."""
    with open(path, encoding="utf-8") as source:
        text = re.sub(r"//.*", "", source.read())
    found = {}
    for name, value in re.findall(r"localparam integer CFG_(\w+) = ([^;]+);", text):
        choices = dict(re.findall(r"CONFIG == (\d) \? ([\d_]+)", value))
        found[name] = int(choices.get(str(config), re.split(r"[ :]+", value)[-1]).replace("_", ""))
    return found


def features(defaults, *headers):
    """A column for each board, or for all boards that have the same."""
    columns = {}
    for header in headers:
        own = read_header(header)
        parameters = {**read_defaults(defaults, own["CONFIG"]), **own}
        cells = tuple(cell(parameters) for _, cell in FEATURE_ROWS)
        columns.setdefault(cells, []).append(os.path.basename(header).removesuffix(".vh"))
    rows = [["", *map(", ".join, columns.values())], ["---"] * (len(columns) + 1), *([name, *cells] for (name, _), *cells in zip(FEATURE_ROWS, *columns))]
    print("\n".join("| " + " | ".join(row) + " |" for row in rows))


def table(output, *pairs):
    rows = [row(*pair.split("=", 1)) for pair in pairs]
    for r in rows:
        cells = ", ".join(f"{kind} {n['used']}/{n['available']}" for kind, n in r["used"].items() if n["used"])
        speeds = ", ".join(f"{name} {c['mhz']} of {c['wanted_mhz']} MHz" for name, c in r["clocks"].items())
        print(f"{r['board']:17} {r['configuration']:6} {r['clock_hz'] / 1e6:g} MHz, {r['ram_bytes'] // 1024} KiB; {speeds}; {cells}")
        if r["left_out"]:
            print(f"{'':17} without: {', '.join(r['left_out'])}")
    with open(output, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
    missed = [f"{r['board']}: {m}" for r in rows for m in misses(r["clocks"])]
    if missed:
        fail("a clock is missed: " + "; ".join(missed), "try other places: SEEDS=")


if __name__ == "__main__":
    command = {"known": known, "serial": serial, "clocks": clocks, "seeds": seeds, "flash": flash, "table": table, "features": features}.get("".join(sys.argv[1:2]))
    if not command:
        sys.exit(__doc__)
    command(*sys.argv[2:])
