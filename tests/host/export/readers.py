# SPDX-License-Identifier: Apache-2.0
"""Runs the programs that read exported files, and takes the figures out of what they print."""
import collections
import json
import re
import subprocess
import types
import xml.etree.ElementTree

from checking import fail
from commands import must


def by_name(figures):
    """Sums of what a name has in several files."""
    sums = collections.Counter()
    for name, value in figures.items():
        sums[name] += value
    return sums


def folded(text):
    """Adds up folded stacks as a flame graph does: a function counts once in each stack."""
    got = types.SimpleNamespace(self=collections.Counter(), total=collections.Counter(), sum=0, lost=0, unprofiled=0)
    for line in text.splitlines():
        stack, cycles = line.rsplit(" ", 1)
        _, *frames = stack.split(";")
        got.sum += int(cycles)
        got.lost += int(cycles) if frames[-1] == "[lost]" else 0
        got.unprofiled += int(cycles) if frames[-1] == "[unprofiled]" else 0
        got.self[frames[-1]] += int(cycles)
        for frame in set(frames):
            got.total[frame] += int(cycles)
    return got


def number(text):
    return 0 if text == "." else int(text.replace(",", ""))


FIGURE = r"\s*([\d,]+|\.)(?:\s+\(\s*[\d.]+%\))?"


def callgrind(path, inclusive):
    """({event: {function: cycles}}, {event: total}, the remarks) of callgrind_annotate. It must not run above the sources: it takes that
    folder off the names of callers' files, and not of callees'."""
    text = must(["callgrind_annotate", "--threshold=100", "--auto=no", f"--inclusive={'yes' if inclusive else 'no'}", path.resolve()], cwd=path.parent)
    events = re.search(r"^Events shown:\s+(.*)$", text, re.M)[1].split()
    row = re.compile("^" + FIGURE * len(events) + r"\s+(\S.*)$")
    figures, whole = {event: collections.Counter() for event in events}, {}
    for line in text.splitlines():
        found = row.match(line)
        if not found:
            continue
        cycles = dict(zip(events, map(number, found.groups()[:-1])))
        if found.groups()[-1].strip() == "PROGRAM TOTALS":
            whole = cycles
            continue
        name = re.sub(r" \[[^][]*\]$", "", found.groups()[-1]).split(":", 1)[1]
        for event in events:
            figures[event][name] += cycles[event]
    return figures, whole, text


def callgrind_calls(path):
    """{function: calls} of callgrind_annotate's list of callers."""
    text = must(["callgrind_annotate", "--threshold=100", "--auto=no", "--tree=calling", "--show=Cycles", path])
    calls = collections.Counter()
    for line in text.splitlines():
        found = re.match(r"^.*  >   [^:]*:(.*) \(([\d,]+)x\)(?: \[.*\])?$", line)
        if found:
            calls[found[1]] += number(found[2])
    return calls


def pprof_top(pprof, path, sample):
    """({function: flat}, {function: cum}); bytes are not rounded"""
    text = must([pprof, "-top", "-unit=B", "-nodefraction=0", "-edgefraction=0", "-nodecount=1000000", f"-sample_index={sample}", path])
    flat, total = collections.Counter(), collections.Counter()
    for line in text.splitlines():
        found = re.match(r"^\s*(\d+)B?\s+[\d.]+%\s+[\d.]+%\s+(\d+)B?\s+[\d.]+%  (.*?)(?: \(inline\))?$", line)
        if found:
            flat[found[3]] += int(found[1])
            total[found[3]] += int(found[2])
    return flat, total


def google_pprof_bytes(path, *options):
    """({function: flat bytes}, total) of a heap profile"""
    text = must(["google-pprof", "--text", "--show_bytes", "--nodefraction=0", "--edgefraction=0", *options, path])
    flat = {found[2]: int(found[1]) for found in re.finditer(r"^ *(\d+) +[\d.]+% +[\d.]+% +\d+ +[\d.]+% (.*)$", text, re.M)}
    return flat, int(re.search(r"^Total: (\d+) B$", text, re.M)[1])


def pprof_tags(pprof, path):
    """{key: {value: cycles}}"""
    text = must([pprof, "-tags", "-sample_index=cycles", path])
    tags = {}
    for block in re.split(r"^ (?=\w+: Total )", text, flags=re.M)[1:]:
        tags[block.split(":")[0]] = {found[2]: int(found[1]) for found in re.finditer(r"^\s*(\d+) \(\s*[\d.]+%\): (.*)$", block, re.M)}
    return tags


def pprof_frames(pprof, path):
    """{address of an instruction of the program: [(function, line)]}, the innermost frame first"""
    places, frames = {}, None
    for line in must([pprof, "-raw", path]).split("\nLocations\n")[1].split("\nMappings\n")[0].splitlines():
        found = re.match(r"^ *(?:\d+: 0x([0-9a-f]+) (M=1 )?)?(\S+) .*:(\d+):\d+ s=\d+", line)
        if found and found[1]:
            frames = places.setdefault(int(found[1], 16), []) if found[2] else []
            frames.clear()  # the location of a function's start has no inlined ones: that of the instruction follows
        if found:
            frames.append((found[3], int(found[4])))
    return places


def addr2line_frames(program, addresses):
    """The same of these addresses, from the program's debug information."""
    text = subprocess.run(["riscv64-unknown-elf-addr2line", "-a", "-i", "-f", "-s", "-e", program], input="".join(f"{one:#x}\n" for one in addresses), text=True,
                          capture_output=True, check=True).stdout.split("\n0x")
    places = {}
    for one in text:
        address, *rest = one.removeprefix("0x").split("\n")
        lines = [re.search(r":(\d+|\?)", place)[1] for place in rest[1::2]]
        places[int(address, 16)] = [(name, 0 if line == "?" else int(line)) for name, line in zip(rest[::2], lines)]
    return places


def gprof_flat(program, path):
    """({function: self cycles}, {function: calls}, the unit)"""
    text = must(["riscv64-unknown-elf-gprof", "-b", "-p", "-z", "--no-demangle", program, path])
    cycles, calls = collections.Counter(), collections.Counter()
    for line in text.splitlines():
        found = re.match(r"^\s*[\d.]+\s+[\d.]+\s+(\d+)\.00\s+(?:(\d+)\s+[\d.]+\s+[\d.]+\s+)?(\S+)$", line)
        if found:
            cycles[found[3]] += int(found[1])
            calls[found[3]] += int(found[2] or 0)
    return cycles, calls, re.search(r"^Each sample counts as 1 (.*)\.$", text, re.M)[1]


def gprof_arcs(program, path):
    """{(caller, callee): calls}"""
    text = must(["riscv64-unknown-elf-gprof", "-b", "-q", "-z", "--no-demangle", program, path])
    arcs = collections.Counter()
    for entry in text.split("-" * 47):
        lines = [re.sub(r" <cycle \d+>", "", line) for line in entry.splitlines()]
        primary = [re.match(r"^\[\d+\].* (\S+) \[\d+\]$", line) for line in lines]
        at = next((i for i, found in enumerate(primary) if found), None)
        if at is None:
            continue
        for line in lines[at + 1 :]:
            found = re.match(r"^[\s\d.]*?\s(\d+)(?:/\d+)?\s+(\S+) \[\d+\]$", line)
            if found:
                arcs[primary[at][1], found[2]] += int(found[1])
    return arcs


def gprof_blocks(program, path):
    """The counts of basic blocks in the annotated source."""
    text = must(["riscv64-unknown-elf-gprof", "-b", "-A", "-l", program, path])
    found = re.findall(r"^ *([\d,]+) -> ", text, re.M)
    return [int(count) for counts in found for count in counts.split(",")]


def executions(path):
    """How often the instructions were executed, from a file in callgrind's format."""
    lines = path.read_text(errors="replace").splitlines()
    column = next(line for line in lines if line.startswith("events:")).split().index("retired") + 1
    return {int(words[column]) for words in map(str.split, lines) if words and words[0].startswith("0x") and len(words) > column}


def gprof_leaves_out(program):
    """Linker's names that gprof gives no cycles: parts of functions, and the last function of the program."""
    symbols = [line.split() for line in must(["riscv64-unknown-elf-nm", "-n", program]).splitlines()]
    code = [words[2] for words in symbols if len(words) == 3 and words[1] in "tT"]
    return {name for name in code if re.search(r"\.(?!clone|constprop|\d)", name)} | {code[-1]}


def dot(path):
    """({label: (self, total)}, {(caller, callee): calls})"""
    graph = json.loads(must(["dot", "-Tjson0", path]))
    names, figures, arcs = {}, {}, collections.Counter()
    for node in graph["objects"]:
        names[node["_gvid"]] = node["label"].split("\\n")[0]
        figures[names[node["_gvid"]]] = int(node["self"]), int(node["total"])
    for edge in graph.get("edges", []):
        arcs[names[edge["tail"]], names[edge["head"]]] += int(edge.get("calls", 0))
    return figures, arcs


def flamegraph(path):
    """({function: cycles without the frames above}, all text); fails if frames overlap or the file asks for another one."""
    root = xml.etree.ElementTree.parse(path).getroot()
    cycles, rows = collections.Counter(), collections.defaultdict(list)
    for frame in root.iter("{http://www.w3.org/2000/svg}g"):
        figures = {key: int(frame.get(f"data-{key}")) for key in ("x", "w", "self", "row")}
        cycles[frame.get("data-name")] += figures["self"]
        rows[figures["row"]].append((figures["x"], figures["x"] + figures["w"]))
    for row in rows.values():
        row.sort()
        if any(before[1] > after[0] for before, after in zip(row, row[1:])):
            fail(f"{path}: frames overlap: {row}")
    source = path.read_text()
    if re.search(r"(?:href|src)=|url\(|@import|fetch\(", source):
        fail(f"{path} asks for other files")
    return cycles, " ".join(root.itertext())
