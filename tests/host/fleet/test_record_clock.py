#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon record --clock EVENT: calls measured in an event in place of cycles.

- Calls, self and total events of each function are those of the simulator's reference model, which has no hooks and no trace and counts
  events by itself; in the device's records and in the events; of calls with and without hooks.
- Each time stamp in cycles is the sum of the same event's time stamps in all stall causes, so each call is; so is each function's row.
- The whole run has as many events as a counter of gnomon stat, up to those between the program's end and the hart's halt.
- gnomon report, export to folded, pprof and callgrind, and own costs of gnomon merge have these figures, in the event's name; nothing of
  what they show is in cycles or seconds, also of a run that was stopped and of a file that was cut.
- gnomon api run --cost: each function costs alone what it costs beside all others, in each cost.
- Other commands refuse a file that has no cycles; other devices refuse the option.

usage: test_record_clock.py --gnomon FILE --out FOLDER --sim FOLDER --cached FOLDER --hooked ELF --calls ELF --recursion ELF --interrupts ELF
       --zlib ELF --text FILE --freertos ELF --harts ELF   (the folders of simulators without and with a data cache)"""
import gzip
import json
import os
import pathlib
import re
import struct
import sys
import zlib

import pprof_file
from checking import expect, result, same
from commands import FAST, added, must, run, sim_options
from options import values

GNOMON, OUT, SIM, CACHED, HOOKED, CALLS, RECURSION, INTERRUPTS, ZLIB, TEXT, FREERTOS, HARTS = (pathlib.Path(value).resolve() for value in values(
    __doc__, "gnomon", "out", "sim", "cached", "hooked", "calls", "recursion", "interrupts", "zlib", "text", "freertos", "harts"))
CAUSES = [event["name"] for event in json.loads(must([GNOMON, "stat", "--json", "-e", "list"])) if event["name"].startswith("cycles-")] + ["retired"]
OTHERS = ["branches", "branches-taken", "jumps", "loads", "stores", "compressed", "messages", "mispredictions", "icache-accesses", "icache-misses",
          "dcache-accesses", "dcache-misses", "bus-instruction-reads", "bus-data-reads", "bus-data-writes", "io-bytes"]
LATE = ["none", "trace-events", "trace-lost", "range0-entries", "range1-entries", "data-range-entries", "tagged", "tagged-fills"]


def board(folder):
    return {**os.environ, "GNOMON_SIM_DIR": str(folder)}


def record(program, event, way, options=(), folder=SIM, model=None):
    """A recording of a program (ELF, arguments), with --clock unless the event is None."""
    elf, *arguments = program
    path = OUT / f"{elf.name}{way}.{event}.gnt"
    watch = "--watch" in options
    if model:
        model.unlink(missing_ok=True)
        options = [*options, *sim_options("--oracle", f"{elf}={model}", "--oracle-clock", event or "cycles", *["--oracle-watch"] * watch)]
    must([GNOMON, "record", "-q", "-d", "sim:full", way, *(["--clock", event] if event else []), *FAST, *options, "-o", path, elf, "--", *arguments],
         env=board(folder), cwd=OUT)
    return path


def with_header(path, change):
    """The same file with another header, and what `change` returned."""
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 8)[0]
    header = json.loads(data[12:12 + size])
    was = change(header)
    text = json.dumps(header).encode()
    other = path.with_suffix(".other.gnt")
    other.write_bytes(data[:8] + struct.pack("<I", len(text)) + text + struct.pack("<I", zlib.crc32(text)) + data[16 + size:])
    return was, other


def in_cycles(path):
    """The same file with a header that does not name the event: then its figures can be read, as if they were cycles."""
    return with_header(path, lambda header: header.pop("clock", None))


def rows(path):
    """The rows of the recording's API profile."""
    profile = path.with_suffix(".gnp")
    must([GNOMON, "merge", "-q", "-o", profile, path])
    return json.loads(must([GNOMON, "api", "list", "--json", "--no-demangle", profile]))["rows"]


def report(path):
    return json.loads(must([GNOMON, "report", "--json", "--no-demangle", "-i", path]))


def key_of(shown):
    """The ending of keys of the report's figures."""
    return "cycles" if shown["unit"] == "cycles" else "units"


def figures(functions, key="cycles"):
    return {(f.get("symbol") or f["name"], int(str(f.get("address") or 0), 0)): (f["calls"], f[f"self_{key}"], f[f"total_{key}"]) for f in functions}


def check_exports(name, path, event):
    """What is exported, and own costs, have the report's figures, in the event's name."""
    shown = report(path)
    key = key_of(shown)
    rest = [("[unprofiled]", shown[f"unprofiled_{key}"]), ("[lost]", shown[f"lost_{key}"])]
    own = added([*((f.get("symbol") or f["name"], f[f"self_{key}"]) for f in shown["functions"]), *rest])
    folded = [line.rsplit(" ", 1) for line in must([GNOMON, "export", "-q", "--to", "folded", "--no-demangle", "-o", "-", path]).splitlines()]
    leaves = added((stack.split(";")[-1], int(count)) for stack, count in folded)
    same(f"{name}: folded, sum", sum(leaves.values()), shown[key])
    same(f"{name}: folded", added((label.split(" (")[0], count) for label, count in leaves.items()), own)
    must([GNOMON, "export", "-q", "--to", "pprof", "--no-demangle", "-o", path.with_suffix(".pb.gz"), path])
    profile = pprof_file.read(path.with_suffix(".pb.gz").read_bytes())
    same(f"{name}: pprof's types", profile.types, [(event, "count"), ("calls", "count"), (event, "count")])
    same(f"{name}: pprof has a duration", bool(profile.duration), event == "cycles")
    same(f"{name}: pprof and folded", added((path[-1], values[0]) for path, _, _, values in profile.samples), leaves)
    callgrind = must([GNOMON, "export", "-q", "--to", "callgrind", "-o", "-", path])
    same(f"{name}: callgrind", int(callgrind.split("totals: ")[1]), shown[key])
    expect(f"{name}: callgrind's event", f" : {event} between calls and returns" in callgrind, callgrind[:600])
    must([GNOMON, "merge", "-q", "-o", path.with_suffix(".gnp"), path])
    asked = json.loads(must([GNOMON, "api", "list", "--json", "--no-demangle", "--cost", f"own-{event}", path.with_suffix(".gnp")]))["rows"]
    same(f"{name}: own costs", added((row["symbol"], int(row["sum"])) for row in asked), own)
    by = json.loads(must([GNOMON, "api", "list", "--json", "--by", "folder", path.with_suffix(".gnp")]))["costs"]
    same(f"{name}: by folder", [(cost["cost"], int(cost["sum"]), cost["runs"]) for cost in by], [(f"own-{event}", shown[key], "1")])


def check_words(name, path, event):
    """No word and no figure of what is shown is of cycles or seconds; the first line says what the figures are of."""
    texts = {"json": run([GNOMON, "report", "--json", path]).stdout}
    for options in ([], ["--histogram"], ["--threads"], ["--flat"]):
        done = run([GNOMON, "report", *options, path])
        texts[f"report {options}"] = done.stdout + done.stderr
    expect(f"{name}: the first line", re.search(rf"^# .*, [\d,]+ {event}( of both harts added \(.*?\))?, ", " ".join(texts["report []"].split("\n#  "))), texts["report []"][:300])
    for form in ("folded", "callgrind", "flamegraph", "dot", "pprof"):
        done = run([GNOMON, "export", "--to", form, "-o", OUT / "words", path])
        content = (OUT / "words").read_bytes()
        texts[form] = done.stderr + (gzip.decompress(content) if form == "pprof" else content).decode(errors="replace")
    for what, text in texts.items():
        left = text.replace(event, "")
        expect(f"{name}: no cycles in {what}", "cycle" not in left.lower() and "MHz" not in left, [line for line in left.splitlines() if "cycle" in line.lower() or "MHz" in line][:3])


def check_unit(event):
    path = record((HOOKED, "20"), event, "--events")
    check_words(event, path, event)
    stopped = record((HOOKED, "2000"), event, "--events", ["--duration", "1e4c"])
    check_words(f"{event}, stopped", stopped, event)
    expect(f"{event}: where it was stopped", f"{report(stopped)['end']['at']:,} {event}" in run([GNOMON, "report", "--flat", stopped]).stdout)
    cut = OUT / "cut.gnt"
    cut.write_bytes(path.read_bytes()[:-1500])
    shown = run([GNOMON, "report", "--json", cut])
    if shown.stdout:
        check_words(f"{event}, cut", cut, event)


def check_model(program, event, way, options=(), folder=SIM):
    """A recording beside the reference model."""
    name = f"{program[0].name} {way} {event}"
    model = OUT / "model.json"
    path = record(program, event, way, options, folder, model)
    clock, _ = in_cycles(path)
    shown, known = report(path), json.loads(model.read_text(encoding="utf-8"))
    same(f"{name}: the header's clock", clock, None if event == "cycles" else event)
    same(f"{name}: whole run", (shown[key_of(shown)], shown["instructions"], shown["lost_events"]), (known["cycles"], known["instructions"], 0))
    same(f"{name}: unit", shown["unit"], event)
    same(f"{name}: functions", figures(shown["functions"], key_of(shown)), figures(known["functions"]))
    check_exports(name, path, event)
    same(f"{name}: costs of the rows", {row["cost"] for row in rows(path)}, {event})
    return {row["symbol"]: (row["count"], row["sum"], row["buckets"]) for row in rows(path)}, shown[key_of(shown)]


def times(path):
    """What the events are, and the time of each."""
    events = [json.loads(line) for line in must([GNOMON, "dump", "--json", "-i", in_cycles(path)[1]]).splitlines()]
    return [(e["event"], e.get("function"), e.get("value")) for e in events], [e["cycle"] for e in events]


def check_causes(program):
    """Stall causes and retired instructions add up to cycles, call by call."""
    name = program[0].name
    what, cycles = times(record(program, None, "--events"))
    expect(f"{name}: there are calls", len(what) > 100, len(what))
    total = [0] * len(cycles)
    for cause in CAUSES:
        path = record(program, cause, "--events")
        which, counts = times(path)
        same(f"{name} {cause}: the same events", which == what, True)
        expect(f"{name} {cause}: time does not go back", all(a <= b for a, b in zip(counts, counts[1:])))
        total = [a + b for a, b in zip(total, counts)]
    same(f"{name}: all causes together, at each of {len(cycles)} events", sum(a != b for a, b in zip(total, cycles)), 0)
    whole = {(row["symbol"], row["file"], row["line"]): int(row["sum"]) for row in rows(OUT / f"{name}--events.None.gnt")}
    parts = {}
    for cause in CAUSES:
        for row in rows(OUT / f"{name}--events.{cause}.gnt"):
            key = (row["symbol"], row["file"], row["line"])
            parts[key] = parts.get(key, 0) + int(row["sum"])
    same(f"{name}: all causes together, of each function", parts, whole)
    print(f"{name}: {len(cycles)} events, {len(whole)} functions, {cycles[-1]} cycles in {len(CAUSES)} causes: difference {sum(abs(a - b) for a, b in zip(total, cycles))}")


def check_harts():
    """Each hart counts its own events: the sum of both is that of each, and there is no time of both."""
    path = OUT / "harts.gnt"
    must([GNOMON, "record", "-q", "-d", "sim:duo", "--events", "--clock", "retired", *FAST, "-o", path, HARTS], env=board(SIM), cwd=OUT)
    check_exports("two harts", path, "retired")
    check_words("two harts", path, "retired")
    both, each = report(path), [json.loads(must([GNOMON, "report", "--json", "--hart", hart, path]))["units"] for hart in (0, 1)]
    same("two harts: units", (both["units"], [hart["units"] for hart in both["harts"]], "run_cycles" in both), (sum(each), each, False))
    expect("two harts: both ran", min(each) > 1000, each)


def check_counters(program):
    """A counter counts on until the hart halts, one of cycles in debug mode also after that."""
    names = ["cycles", *CAUSES, "io-bytes"]
    found = json.loads(must([GNOMON, "stat", "--json", "-d", "sim:full", "-e", ",".join(names), program[0], "--", *program[1:]], env=board(SIM), cwd=OUT))
    counts = {event["event"]: event["runs"][0] for event in found["events"]}
    tail = {name: counts[name] - times(record(program, name, "--events"))[1][-1] for name in names}
    del tail["cycles-debug"]
    same(f"{program[0].name}: after the program's end", sum(count for name, count in tail.items() if name in CAUSES), tail["cycles"], tail)
    expect(f"{program[0].name}: a few cycles", all(0 <= count <= tail["cycles"] < 20 for count in tail.values()) and not tail["io-bytes"], tail)


def check_profile():
    """Costs of one program in one profile: rows of each, the run's cycles once."""
    files = [record((HOOKED, "20"), event, "--events") for event in (None, "retired", "io-bytes", "cycles-jump")]
    must([GNOMON, "merge", "-q", "-o", OUT / "costs.gnp", *files])
    shown = json.loads(must([GNOMON, "api", "list", "--json", OUT / "costs.gnp"]))
    got = shown["rows"]
    expect("what is no function is not counted as one", f" {len({row['symbol'] for row in got})} functions" in shown["about"], shown["about"])
    same("costs of the profile", sorted({row["cost"] for row in got}), ["cycles", "cycles-jump", "io-bytes", "retired"])
    main = {row["cost"]: int(row["sum"]) for row in got if row["symbol"] == "main"}
    same("bytes that main sent", main["io-bytes"], len("25\n"))
    text = must([GNOMON, "api", "doc", OUT / "costs.gnp"])
    expect("api doc has the costs", f"{main['retired']:,}" in text or f"{main['retired']} " in text, text)
    expect("and no blocks", "block" not in text, text)
    done = run([GNOMON, "check", "--json", "--against", OUT / "costs.gnp", files[1]])
    same("check --against of the same run", done.returncode, 0, done.stdout, done.stderr)
    same("no verdict about whole runs", {one["cost"] for one in json.loads(done.stdout)["functions"]}, {"retired"})


def check_api_run():
    """Several costs of a plan's runs: alone as beside all others, and as a recording of all functions has them."""
    costs, profile = ["cycles", "retired", "branches"], OUT / "api.gnp"
    scenario = f'[[scenario]]\nname = "calls"\narguments = ["30", "{TEXT}"]\n'
    (OUT / "api.toml").write_text(f'program = "{CALLS}"\nfunctions = ["api_*"]\noutput = "api.gnp"\ncosts = {json.dumps(costs)}\n{scenario}', encoding="utf-8")
    shown = json.loads(must([GNOMON, "api", "run", "--json", "-j", "2", OUT / "api.toml"], env=board(SIM), cwd=OUT))
    same("api run: alone as at once", (shown["equal"], all(f["sum"] == f["sum_at_once"] and f["equal"] for f in shown["functions"])), (True, True))
    same("api run: costs", sorted({f["cost"] for f in shown["functions"]}), sorted(costs))
    got = json.loads(must([GNOMON, "api", "list", "--json", "--no-demangle", profile]))["rows"]
    for cost in costs:
        alone = {row["symbol"]: row["buckets"] for row in got if row["cost"] == cost}
        whole = {row["symbol"]: row["buckets"] for row in rows(record((CALLS, "30", str(TEXT)), cost, "--events", ["--watch"])) if row["symbol"] in alone}
        same(f"api run: {cost} of {len(alone)} functions", alone, whole)
        expect(f"api run: {cost} has functions", len(alone) > 5, sorted(alone))
    for wrong, words in ((["--cost", "cups"], "no event is called cups"), (["--cost", "retired", "--cost", "retired"], "named twice")):
        done = run([GNOMON, "api", "run", "-o", OUT / "w.gnp", *wrong, "--function", "api_*", CALLS], env=board(SIM), cwd=OUT)
        expect(f"api run {wrong}", done.returncode and words in done.stderr, done.stderr)


def check_refusals():
    path, least = record((HOOKED, "20"), "retired", "--events"), OUT / "cycles.gnt"
    record((HOOKED, "20"), None, "--events").rename(least)
    for command in (["report", "--causes", "-i"], ["dump", "-i"], ["annotate", "main", "-i"], ["heap", "-i"], ["locks", "-i"], ["export", "--to", "perfetto", "-i"],
                    ["export", "--to", "pprof-legacy", "-i"], ["export", "--to", "gmon", "-i"], ["ui", "-i"], ["diff", least], ["check", "--max", "main:9", "-i"]):
        done = run([GNOMON, *command, path])
        expect(f"{command[0]} refuses", done.returncode not in (0, 4) and "--clock retired" in done.stderr and "gnomon report" in done.stderr, done.returncode, done.stdout, done.stderr)
    for wrong in ({"clock": "\x1b[31mred"}, {"clock": "a" * 40}, {"clock": "two words"}, {"sampled": True}):
        other = with_header(path, lambda header, wrong=wrong: header.update(wrong))[1]
        for command in (["report"], ["export", "--to", "folded", "-o", "-"], ["merge", "-o", OUT / "w.gnp"]):
            done = run([GNOMON, *command, other])
            expect(f"{command[0]} of a header with {wrong}", done.returncode == 1 and "\x1b" not in done.stderr + done.stdout, done.returncode, done.stdout, done.stderr)
    for event in LATE:
        done = run([GNOMON, "record", "--clock", event, HOOKED], env=board(SIM), cwd=OUT)
        expect(f"--clock {event}", done.returncode == 2 or done.returncode == 1 and f"cannot count the event {event}" in done.stderr, done.returncode, done.stderr)
    done = run([GNOMON, "record", "--clock", "cups", HOOKED], cwd=OUT)
    expect("an unknown event", done.returncode and "no event is called cups" in done.stderr and "gnomon stat -e list" in done.stderr, done.stderr)
    done = run([GNOMON, "record", "-d", "sim:small", "--clock", "retired", HOOKED], env=board(SIM), cwd=OUT)
    expect("small refuses", done.returncode and "only in cycles" in done.stderr and not (OUT / "gnomon.gnt").exists(), done.stderr)
    for option in (["--sample", "cycles"], ["--cpi", "all"], ["--calibrate"], ["--no-functions"]):
        done = run([GNOMON, "record", "--clock", "retired", *option, HOOKED], cwd=OUT)
        same(f"--clock with {option[0]}", done.returncode, 2, done.stderr)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    programs = [(HOOKED, "30", str(TEXT)), (RECURSION,), (INTERRUPTS, "1009")]
    for event in ("cycles", "retired", "cycles-jump", "loads", "io-bytes"):
        for program in programs:
            ways = [check_model(program, event, way) for way in ("--records", "--events")]
            same(f"{program[0].name} {event}: records and events", *ways)
        ways = [check_model((CALLS, "30", str(TEXT)), event, way, ["--watch"]) for way in ("--records", "--events")]
        same(f"watched {event}: records and events", *ways)
    for event in OTHERS + CAUSES:
        check_model((HOOKED, "30", str(TEXT)), event, "--events", folder=CACHED)
    for event in ("retired", "dcache-misses"):
        check_model((ZLIB, str(TEXT), "text.z"), event, "--records", folder=CACHED)
    for program in ((RECURSION,), (INTERRUPTS, "1009"), (ZLIB, str(TEXT), "text.z"), (FREERTOS,)):
        check_causes(program)
    for event in ("retired", "io-bytes", "bus-instruction-reads"):
        check_unit(event)
    check_harts()
    check_counters((HOOKED, "30", str(TEXT)))
    check_profile()
    check_api_run()
    check_refusals()
    sys.exit(result())


if __name__ == "__main__":
    main()
