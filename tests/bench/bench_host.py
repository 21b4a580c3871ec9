#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Events that the host's commands process in a second, and the memory that they take, beside other profilers with the same events.

A generator writes the same calls at the same times as a recording of gnomon, as a data directory of uftrace, and as perf.data (one
sample for each event); babeltrace2 gets what `gnomon export --to ctf` writes. First the results are compared: gnomon's with what the
generator says, uftrace's calls and times with gnomon's, and the number of events that each other program prints. Then all commands run
in turn, several times; the figures are medians. Instructions are counted by callgrind, as the difference between two small recordings, so
without the start of the program.

usage: bench_host.py --gnomon COMMAND --generator make_events --elf FILE --out FOLDER --json FILE [--runs N] [--events N ...]"""
import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

CHECKED = 1_000_000  # events of the recording whose results are compared
COUNTED = (50_000, 100_000)  # of those under callgrind
LONGEST = 100  # seconds: a command that would take longer is left out
UNITS = {"us": 1e3, "ms": 1e6, " s": 1e9, " m": 60e9}  # in cycles, which are nanoseconds
REPORT_ROW = re.compile(r"^ +([\d.]+ (?:us|ms| s| m)) +([\d.]+ (?:us|ms| s| m)) +(\d+)  (f\d+)$", re.M)


class Recordings:
    """The same events for each program, of one size."""

    def __init__(self, options, events):
        self.events, self.options, self.folder = events, options, options.out / str(events)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.gnt, self.ctf = self.make("gnt"), self.folder / "ctf"
        self.uftrace, self.perf = self.make("uftrace"), self.make("perf")
        gnomon = [options.gnomon, "export", "-q", "--to", "ctf", "-o", self.ctf, self.gnt]
        subprocess.run([str(word) for word in gnomon], check=True)
        self.totals = json.loads((self.folder / "gnt.json").read_text(encoding="utf-8"))

    def make(self, form):
        path = self.folder / form
        subprocess.run([str(word) for word in (self.options.generator, form, self.events, self.options.elf, path, f"{path}.json")], check=True)
        return path

    def commands(self):
        """Work, name and command."""
        gnomon, uftrace = self.options.gnomon, ["-d", self.uftrace, "--no-pager"]
        yield "report", "gnomon report", [gnomon, "report", self.gnt]
        yield "report", "uftrace report", ["uftrace", "report", *uftrace]
        yield "every event", "gnomon dump", [gnomon, "dump", self.gnt]
        yield "every event", "babeltrace2", ["babeltrace2", self.ctf]
        yield "every event", "perf script", ["perf", "script", "-i", self.perf]
        yield "every event", "uftrace dump", ["uftrace", "dump", *uftrace]
        yield "call paths", "gnomon export --to folded", [gnomon, "export", "--to", "folded", "-q", "-o", "/dev/null", self.gnt]
        yield "call paths", "uftrace dump --flame-graph", ["uftrace", "dump", "--flame-graph", *uftrace]
        yield "time line", "gnomon export --to chrome", [gnomon, "export", "--to", "chrome", "-q", "-o", "/dev/null", self.gnt]
        yield "time line", "gnomon export --to perfetto", [gnomon, "export", "--to", "perfetto", "-q", "-o", "/dev/null", self.gnt]
        yield "time line", "uftrace dump --chrome", ["uftrace", "dump", "--chrome", *uftrace]

    def remove(self):
        shutil.rmtree(self.folder)


def text_of(command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def lines_of(command, pattern):
    count = 0
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        for line in process.stdout:
            count += bool(pattern.search(line))
    return count


def agree(printed, cycles):
    """Is the printed time, with three digits after the point, that number of cycles?"""
    unit = UNITS[printed[-2:]]
    return abs(float(printed[:-2]) * unit - cycles) <= unit / 1000


def compare(recordings):
    """Fails if the programs do not show the same."""
    functions = recordings.totals["functions"]
    shown = json.loads(text_of([recordings.options.gnomon, "report", "--json", recordings.gnt]))
    assert shown["exact"] and {row["name"]: [row["calls"], row["self_cycles"], row["total_cycles"]] for row in shown["functions"]} == functions
    rows = REPORT_ROW.findall(text_of(["uftrace", "report", "-d", recordings.uftrace, "--no-pager"]))
    assert {name for *_, name in rows} == set(functions), "uftrace shows other functions"
    for total, own, calls, name in rows:
        want = functions[name]
        assert int(calls) == want[0] and agree(own, want[1]) and agree(total, want[2]), f"uftrace: {name} {calls} {own} {total}, not {want}"
    events, patterns = recordings.totals["events"], {"gnomon dump": r" [<>] f\d", "babeltrace2": r" (enter|exit): ", "perf script": r" f\d+\+0x0 ", "uftrace dump": r"\[(entry|exit )\]"}
    for _, name, command in recordings.commands():
        if name in patterns:
            printed = lines_of(command, re.compile(patterns[name]))
            assert printed == events, f"{name} prints {printed} events, not {events}"


def measure(command, out):
    """Seconds, processor seconds, and bytes of memory at most. The time program starts the command, because a process begins with the memory of
    the one that starts it."""
    figures = out / "time"
    done = subprocess.run(["/usr/bin/time", "-o", figures, "-f", "%e %U %S %M", *(str(word) for word in command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, f"{command}: exit status {done.returncode}"
    seconds, user, system, kilobytes = map(float, figures.read_text(encoding="ascii").split())
    return seconds, user + system, kilobytes * 1024


def measure_all(recordings, runs, rates):
    """Rows by command; `rates` are events a second so far, by command."""
    todo = [(work, name, command) for work, name, command in recordings.commands() if recordings.events / rates.get(name, 1e9) <= LONGEST]
    results = {name: [] for _, name, _ in todo}
    for _ in range(runs):
        for _, name, command in todo:
            results[name].append(measure(command, recordings.options.out))
    events = recordings.totals["events"]
    rows = []
    for work, name, _ in recordings.commands():
        if name not in results:
            rows.append({"work": work, "command": name, "events": events, "not_run": f"about {recordings.events / rates[name]:.0f} s"})
            continue
        seconds, processor, memory = (statistics.median(column) for column in zip(*results[name]))
        rates[name] = events / seconds
        rows.append({"work": work, "command": name, "events": events, "runs": runs, "seconds": seconds, "processor_seconds": processor, "events_a_second": events / seconds,
                     "processor_ns_an_event": processor / events * 1e9, "memory": memory})
    for row in rows:
        peers = [other for other in rows if other["work"] == row["work"] and not other["command"].startswith("gnomon") and "seconds" in other]
        if peers and row["command"].startswith("gnomon") and "seconds" in row:
            row["times_best_peer"] = row["events_a_second"] / max(other["events_a_second"] for other in peers)
            row["times_best_peer_processor"] = min(other["processor_seconds"] for other in peers) / row["processor_seconds"]
    return rows


def instructions(command, out):
    try:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}/callgrind.out", *(str(word) for word in command)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return None
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) if found and done.returncode == 0 else None


def count_instructions(options):
    """Instructions for each further event, by command; None: the command does not run under valgrind."""
    few, many = (Recordings(options, events) for events in COUNTED)
    counts = {}
    for (_, name, one), (_, _, other) in zip(few.commands(), many.commands()):
        a, b = instructions(one, options.out), instructions(other, options.out)
        counts[name] = (b - a) / (many.totals["events"] - few.totals["events"]) if a and b else None
    few.remove()
    many.remove()
    return counts


def show(rows, counts):
    print(f"\n{rows[0]['events']:,} events\n{'':<29}{'M events/s':>11}{'x best':>8}{'CPU ns':>8}{'x best':>8}{'instr.':>8}{'MiB':>8}")
    work = None
    for row in rows:
        if row["work"] != work:
            work = row["work"]
            print(work)
        if "not_run" in row:
            print(f"  {row['command']:<27}  not run: {row['not_run']}")
            continue
        ratios = [f"{row[key]:.1f}" if key in row else "" for key in ("times_best_peer", "times_best_peer_processor")]
        count = counts.get(row["command"])
        print(f"  {row['command']:<27}{row['events_a_second'] / 1e6:>11.2f}{ratios[0]:>8}{row['processor_ns_an_event']:>8.1f}{ratios[1]:>8}"
              f"{f'{count:.0f}' if count else '-':>8}{row['memory'] / 2**20:>8.1f}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("gnomon", "generator", "elf", "out", "json"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--events", type=int, nargs="+", default=[1_000_000, 10_000_000])
    options = parser.parse_args()
    for path in ("gnomon", "generator", "elf"):
        setattr(options, path, getattr(options, path).resolve())
    checked = Recordings(options, CHECKED)
    compare(checked)
    checked.remove()
    print("gnomon, uftrace, babeltrace2 and perf show the same calls and events")
    counts, rates, all_rows = count_instructions(options), {}, []
    for events in options.events:
        recordings = Recordings(options, events)
        rows = measure_all(recordings, options.runs, rates)
        recordings.remove()
        show(rows, counts)
        all_rows += rows
    versions = {name: text_of([name, "--version"]).strip().splitlines()[0] for name in ("uftrace", "babeltrace2", "perf")}
    options.json.write_text(json.dumps({"versions": versions, "instructions_an_event": counts, "measured": all_rows}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
