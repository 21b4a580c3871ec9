#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A trace without an end through a pipe into gnomon: memory stays flat, and at the end every total is right.

Each command in turn reads a trace of its own for its share of the time, or up to its share of the bytes: `report`, `report` with one frame
in 1,000 missing, and `export` in several formats, whose output is thrown away. Memory is what the command held (VmRSS) ten times a
second while the trace comes. It is flat if the most that it held in the second half of that time is at most 1 MiB more than in the first half,
its first tenth left out.

usage: soak.py --gnomon COMMAND --generator make_events --elf FILE --out FOLDER --json FILE --seconds N --bytes N"""
import argparse
import json
import pathlib
import subprocess
import sys
import threading
import time

FLAT = 1 << 20
LOSS = 1000
SAMPLES_A_SECOND = 10
EVENTS = 10**18  # more than there is time for


def cases(out):
    """Each command's name, its arguments after the command, one frame in how many is missing, and its part of the time."""
    exports = [("folded", 2), ("pprof", 1), ("ctf", 1), ("perfetto", 1), ("chrome", 1)]
    yield "report", ["report", "--json"], 0, 5
    yield "report, frames missing", ["report", "--json"], LOSS, 2
    for name, part in exports:
        target = [] if name == "ctf" else ["-o", "/dev/null"]
        yield f"export {name}", ["export", "--to", name, *(target or ["-o", str(out / "null.ctf")])], 0, part


def resident(pid):
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def watch(process, generator, samples):
    while process.poll() is None and generator.poll() is None:
        samples.append(resident(process.pid))
        time.sleep(1 / SAMPLES_A_SECOND)


def is_flat(samples):
    held = [size for size in samples if size]
    first, second = held[len(held) // 10:len(held) // 2], held[len(held) // 2:]
    return not first or max(second) <= max(first) + FLAT


def functions_of(report):
    return {row["name"]: [row["calls"], row["self_cycles"], row["total_cycles"]] for row in report["functions"] if row["calls"]}


def wrong_in(report, totals, loss):
    """What the report says otherwise than the generator."""
    want = {"cycles": totals["cycles"], "received_events": totals["received"], "produced_events": totals["produced"], "lost_frames": totals["frames_lost"],
            "frames": totals["frames"], "complete": not loss, "exact": not loss, "lost_events": totals["produced"] - totals["received"]}
    wrong = [f"{key} is {report[key]}, not {value}" for key, value in want.items() if report[key] != value]
    if not loss and functions_of(report) != totals["functions"]:
        wrong.append("the functions' figures differ")
    return wrong


def soak(options, name, arguments, loss, seconds, most_bytes):
    totals_file, said = options.out / "soak-totals.json", options.out / "soak-said"
    generate = [options.generator, "gnt", EVENTS, options.elf, "-", totals_file, "--seconds", seconds, "--bytes", most_bytes, "--loss", loss]
    samples = []
    began = time.monotonic()
    with open(said, "wb") as output, subprocess.Popen([str(word) for word in generate], stdout=subprocess.PIPE) as generator:
        with subprocess.Popen([options.gnomon, *arguments, "/dev/stdin"], stdin=generator.stdout, stdout=output, stderr=subprocess.PIPE) as process:
            generator.stdout.close()
            watcher = threading.Thread(target=watch, args=(process, generator, samples))
            watcher.start()
            errors = process.stderr.read().decode(errors="replace")
            status = process.wait()
            watcher.join()
        generated = generator.wait()
    took = time.monotonic() - began
    wrong = [f"exit status {status}: {errors.strip()[-200:]}"] * (status != 0) + ["the generator failed"] * (generated != 0)
    totals = json.loads(totals_file.read_text(encoding="utf-8")) if not generated else {"bytes": 0, "events": 0}
    if not wrong and arguments[0] == "report":
        wrong = wrong_in(json.loads(said.read_text(encoding="utf-8")), totals, loss)
    if not is_flat(samples):
        wrong.append("memory grows")
    return {"command": name, "bytes": totals["bytes"], "events": totals["events"], "seconds": took, "most_resident": max(samples, default=0),
            "resident": samples[:: max(1, len(samples) // 20)], "frames_lost": totals.get("frames_lost", 0), "wrong": wrong}


def main():
    parser = argparse.ArgumentParser()
    for name in ("gnomon", "generator", "elf", "out", "json"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("--bytes", type=int, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    todo = list(cases(options.out))
    parts = sum(part for *_, part in todo)
    rows = []
    print(f"{'command':<24} {'GB read':>10} {'events':>17} {'MB/s':>8} {'most MiB':>9}  result")
    for name, arguments, loss, part in todo:
        row = soak(options, name, arguments, loss, max(1, options.seconds * part // parts), options.bytes * part // parts)
        rows.append(row)
        print(f"{name:<24} {row['bytes'] / 1e9:>10.3f} {row['events']:>17,} {row['bytes'] / 1e6 / row['seconds']:>8.1f} {row['most_resident'] / 2**20:>9.1f}  "
              + ("; ".join(row["wrong"]) or "flat, totals right"), flush=True)
    whole = sum(row["bytes"] for row in rows)
    print(f"{'together':<24} {whole / 1e9:>10.3f} {sum(row['events'] for row in rows):>17,}")
    options.json.write_text(json.dumps({"bytes": whole, "commands": rows}, indent=1) + "\n", encoding="utf-8")
    return any(row["wrong"] for row in rows)


if __name__ == "__main__":
    sys.exit(main())
