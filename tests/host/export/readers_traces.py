# SPDX-License-Identifier: Apache-2.0
"""Figures out of what babeltrace2, gtkwave's converters and google-pprof read."""
import collections
import re
import types

from checking import fail
from commands import must, run

UNPROFILED, LOST = "[unprofiled]", "[lost]"


def figures():
    return types.SimpleNamespace(self=collections.Counter(), calls=collections.Counter(), threads=collections.Counter(),
                                 traps=collections.Counter(), owners=collections.Counter(), waits=collections.Counter(), discarded=0, packets=0, lost=0, unprofiled=0)


LABEL = r'\( (?:"((?:[^"\\]|\\.)*)"|<unknown>) : container = \d+ \)'
EVENT = re.compile(r"^\[(\d+)\] (\w+): \{ cpu_id = (\d+) \}, \{ thread = " + LABEL + r", running = " + LABEL + r", lost_cycles = (\d+) \}(?:, \{ (.*)\})?$")


def ctf(path):
    """Each event says what its hart did since its event before."""
    got, harts = figures(), {}
    done = run(["babeltrace2", "--clock-cycles", "--no-delta", path])
    if done.returncode:
        fail(f"babeltrace2 {path}: {done.stderr}")
    for line in done.stdout.splitlines():
        found = EVENT.match(line)
        if not found:
            fail(f"babeltrace2 {path}: {line}")
        cycle, name, hart, thread, running, lost, fields = found.groups()
        cycle, lost = int(cycle), int(lost)
        since = harts.get(hart, 0 if hart == "0" else cycle)  # hart 0 begins with the run
        harts[hart] = cycle
        got.lost += lost
        got.self[running] += cycle - since - lost
        got.threads[thread] += 0 if name == "gap" else cycle - since
        called = re.match(r"(?:function|trap) = " + LABEL, fields or "")
        if name in ("enter", "trap_enter", "entry"):
            got.calls[called[1]] += 1
    got.unprofiled = got.self.pop(UNPROFILED, 0)
    got.discarded = sum(int(n) for n in re.findall(r"Tracer discarded (\d+) events? between", done.stderr))
    got.packets = sum(int(n) for n in re.findall(r"Tracer discarded (\d+) packets? between", done.stderr))
    return got


def ctf_environment(path):
    text = must(["babeltrace2", path, "--component=sink.text.details", "--params=color=\"never\""])
    return " ".join(re.findall(r"^ *(?:remark_\d+|program): (.*)$", text, re.M))


def unescaped(text):
    return re.sub(r"\\(?:x([0-9a-f]{2})|([0-7]{3})|(.))", lambda m: chr(int(m[1], 16) if m[1] else int(m[2], 8)) if m[1] or m[2] else m[3], text)


def changes(text):
    """(name of the signal with its scopes, from, to, value) of each value that a signal has for a time"""
    names, scopes, values, time = {}, [], {}, 0
    for line in text.splitlines():
        words = line.split()
        if line.startswith("$scope"):
            scopes.append(words[2])
        elif line.startswith("$upscope"):
            scopes.pop()
        elif line.startswith("$var"):
            names[words[3]] = (*scopes, words[4])
        elif line.startswith("#"):
            time = int(line[1:])
        elif line[:1] in "sb01" and line and not line.startswith("$"):
            value, code = (line[1:].split(" ", 1)) if line[0] in "sb" else (line[0], line[1:])
            value = unescaped(value) if line[0] == "s" else int(value, 2)
            if code in values:
                yield names[code], values[code][0], time, values[code][1]
            values[code] = time, value
    for code, (since, value) in values.items():
        yield names[code], since, time, value


def vcd(path):
    """Through gtkwave's own binary format, so that its reader has understood the file."""
    fst = path.with_suffix(".fst")
    must(["vcd2fst", path, fst])
    got, last = figures(), {}
    for name, since, until, value in changes(must(["fst2vcd", fst])):
        cycles = until - since
        if name[0] == "harts" and name[2] == "function" and value:
            got.self[value] += cycles
        elif name[0] == "harts" and name[2] == "trap" and value:
            got.traps[value] += cycles
        elif name[0] == "threads" and name[2] == "runs" and value == 1:
            got.threads[name[1]] += cycles
        elif name[0] == "threads" and name[2] == "waits_for" and value:
            got.waits[name[1]] += cycles
        elif name[0] == "locks" and value not in ("", LOST):
            got.owners[name[1]] += cycles
        last[name] = max(last.get(name, (0, 0)), (until, value)) if name[2:] == ("lost_events",) else (0, 0)
    got.discarded = sum(value for _, value in last.values())
    got.lost, got.unprofiled = got.self.pop(LOST, 0), got.self.pop(UNPROFILED, 0)
    return got


def vcd_name(name):
    return re.sub(r"[^A-Za-z0-9_.:*&~+-]", "_", name)


def shortened(name):
    """What google-pprof makes of a name."""
    before = None
    while before != name:
        before, name = name, re.sub(r"\([^()]*\)(\s*const)?", "", name)
    return re.sub(r"^.*\s+(\w+::)", r"\1", name)


def google_pprof(path):
    """({function: flat}, {function: cum}, total, the warnings)"""
    done = run(["google-pprof", "--text", "--no_strip_temp", "--nodefraction=0", "--edgefraction=0", "--nodecount=1000000", path])
    if done.returncode:
        fail(f"google-pprof {path}: {done.stderr}")
    flat, cum = collections.Counter(), collections.Counter()
    total = re.search(r"^Total: (\d+) samples$", done.stdout, re.M)
    for line in done.stdout.splitlines():
        found = re.match(r"^ *(\d+) +[\d.]+% +[\d.]+% +(\d+) +[\d.]+% (.*)$", line)
        if found:
            name = re.sub(r"@[0-9a-f]+$", "", found[3])
            flat[name] += int(found[1])
            cum[name] += int(found[2])
    return flat, cum, int(total[1]) if total else 0, done.stderr + done.stdout
