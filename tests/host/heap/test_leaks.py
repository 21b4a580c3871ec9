#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gnomon heap --mode: the leak check finds exactly the blocks that the program has lost, in each mode, and never passes a recording
that does not say it.

usage: test_leaks.py --gnomon COMMAND --out FOLDER [--reach RECORDING... --cxx RECORDING --unasked RECORDING --stopped RECORDING
                     --endless RECORDING --lossy RECORDING] [--many RECORDING --blocks N] [--others RECORDING...] [--forgetful RECORDING...]
--reach: of reach.c, ended by exit, _exit and abort; --many of many.c with N blocks in each list; --unasked of reach.c without
--leak-check; --stopped ended early, and --endless when all blocks were freed; --lossy frees each block, and has lost messages; --others are of any program; --forgetful, of FreeRTOS, lose a pair of
blocks, up to four others of tasks, and none of the kernel."""
import argparse
import collections
import json
import pathlib
import struct
import sys
import zlib

from checking import expect, result, same
from commands import run

ARGUMENTS = argparse.ArgumentParser()
for option in "gnomon", "out", "cxx", "many", "blocks", "unasked", "stopped", "endless", "lossy":
    ARGUMENTS.add_argument(f"--{option}", required=option in ("gnomon", "out"))
ARGUMENTS.add_argument("--reach", nargs=3)
for option in "others", "forgetful":
    ARGUMENTS.add_argument(f"--{option}", nargs="*", default=[])
ARGS = ARGUMENTS.parse_args()
MODES = "minimal", "normal", "strict", "draconian"
MAGIC = b"GNTHEP\r\n"
ALWAYS = {"lost_alone": 1, "lost_in_cycle": 2, "lost_below_lost": 4, "lost_beyond": 1, "lost_unaligned": 1, "lost_only_in_freed": 1,
          "lost_again": 1, "lost_in_thread": 1}
# Those of reach.c that are in reach, one of them a thread's stack; and those that only an ignored block points to.
REACHED = {"reached_from_global": 3, "reached_inside": 1, "reached_from_thread_variable": 1, "reached_from_older": 1, "reached_from_thread": 1,
           "reached_from_register": 1, "main": 1, "below_ignored": 1, "below_unchecked": 1}


def heap(*words):
    done = run([ARGS.gnomon, "heap", "--json", *words])
    if done.returncode not in (0, 4):
        expect(" ".join(map(str, words)), False, done.returncode, done.stderr)
    return json.loads(done.stdout), done.returncode


def lost(*words):
    got, status = heap(*words)
    found = collections.Counter(block["path"][0] for block in got["live"] if block["lost"])
    same(f"{words}: sums and status", (got["leaks"]["blocks"], got["leaks"]["bytes"], status),
         (sum(found.values()), sum(block["bytes"] for block in got["live"] if block["lost"]), 4 if found else 0))
    return dict(found)


def test_reach():
    before_main = {"lost_before_main": 1}
    for how, recording in zip(("exit", "_exit", "abort"), ARGS.reach):
        at_exit = {"lost_at_exit": 1, "lost_after_exit": 1} if how == "exit" else {}
        left = at_exit or {"lost_at_exit": 2}
        wants = ALWAYS, ALWAYS | before_main, ALWAYS | before_main | at_exit, ALWAYS | before_main | left | REACHED
        for mode, want in zip(MODES, wants):
            same(f"{how}, {mode}", lost("--mode", mode, recording), want)
    same("--leaks is draconian", lost("--leaks", ARGS.reach[0]), lost("--mode", "draconian", ARGS.reach[0]))
    between = {name: ALWAYS[name] for name in ("lost_alone", "lost_in_cycle", "lost_below_lost", "lost_beyond")}
    for mode in MODES[:3]:
        same(f"between marks, {mode}", lost("--mode", mode, "--between", "1:2", ARGS.reach[0]), between)
    same("between marks, draconian", lost("--leaks", "--between", "1:2", ARGS.reach[0]), between | {"reached_from_older": 1})
    text = run([ARGS.gnomon, "heap", "--mode", "strict", ARGS.reach[0]])
    expect("text", text.returncode == 4 and "out of reach (strict) 1,158 bytes in 15" in " ".join(text.stdout.replace("\n#", "").split())
           and "lost_in_cycle" in text.stdout and ", by\n    reached_" not in text.stdout, text.stdout)


def test_cxx():
    always = {"lost_object()": 1, "lost_array()": 1}
    at_exit = {"lost_at_exit()": 1}
    for mode, want in zip(MODES, (always, always, always | at_exit, always | at_exit | {"reached_by_second_base()": 1, "reached_behind_count()": 1})):
        same(f"C++, {mode}", lost("--mode", mode, ARGS.cxx), want)


def test_refused():
    for words, want in ((["--mode", "normal", ARGS.unasked], "--leak-check"), (["--mode", "minimal", ARGS.unasked], "--leak-check"),
                        (["--mode", "strict", "--between", "1:2", ARGS.unasked], "GNOMON_HEAP_MARK"),
                        (["--mode", "strict", "--between", "1:3", ARGS.reach[0]], "GNOMON_HEAP_MARK"),
                        (["--mode", "strict", ARGS.stopped], "at its end"), (["--mode", "severe", ARGS.unasked], "strict or draconian")):
        done = run([ARGS.gnomon, "heap", *words])
        expect(f"refused: {words}", done.returncode in (1, 2) and want in done.stderr, done.returncode, done.stderr)
    done = run(["sh", "-c", 'cat "$0" | "$1" heap --mode strict /dev/stdin', ARGS.unasked, ARGS.gnomon])
    expect("refused: a pipe", done.returncode == 1 and "regular file" in done.stderr, done.returncode, done.stderr)
    same("without --leak-check, strict", lost("--mode", "strict", ARGS.unasked), lost("--mode", "strict", ARGS.reach[0]))
    done = run([ARGS.gnomon, "heap", "--leaks", ARGS.endless])
    expect("a run that was stopped passes no check", done.returncode == 4 and "No block was left up to where the run was cut short." in done.stdout,
           done.returncode, done.stdout, done.stderr)
    for mode in "strict", "draconian":
        done = run([ARGS.gnomon, "heap", "--json", "--mode", mode, ARGS.lossy])
        same(f"a lossy recording passes no check, {mode}", (done.returncode, json.loads(done.stdout)["leaks"]["blocks"]), (4, 0), done.stderr)


def test_many():
    count = int(ARGS.blocks)
    got, status = heap("--mode", "strict", ARGS.many)
    same("many blocks", (got["leaks"]["blocks"], got["live_blocks"], status), (count, 2 * count, 4))


def rewritten(section):
    """The recording with another heap section, and a right checksum."""
    data = pathlib.Path(ARGS.reach[0]).read_bytes()
    at = data.index(MAGIC)
    length = struct.unpack_from("<I", data, at + 8)[0]
    text = json.dumps(section).encode() if not isinstance(section, bytes) else section
    path = pathlib.Path(ARGS.out) / "hostile.gnt"
    path.write_bytes(data[:at + 8] + struct.pack("<I", len(text)) + text + struct.pack("<I", zlib.crc32(text)) + data[at + 16 + length:])
    return path


def test_hostile():
    data = pathlib.Path(ARGS.reach[0]).read_bytes()
    at = data.index(MAGIC)
    whole = json.loads(data[at + 12:at + 12 + struct.unpack_from("<I", data, at + 8)[0]])
    end = whole["looks"][-1]
    same("strict, written again", lost("--mode", "strict", rewritten(whole)), lost("--mode", "strict", ARGS.reach[0]))
    for name, change in (("no looks", {"looks": 1}), ("a look that is none", {"looks": [7]}), ("no cycle", {"main_cycle": "x"}),
                         ("half a word", {"looks": [end | {"words": [4]}]}), ("words that are texts", {"looks": [end | {"words": ["a", "b"]}]}),
                         ("an address that is too large", {"looks": [end | {"words": [4, 5, 2 ** 32, 0]}]}),
                         ("addresses beyond the end", {"looks": [end | {"words": [2 ** 32 - 4, 5, 8, 0]}]}),
                         ("the same address twice", {"looks": [end | {"words": [4, 5, 0, 0]}]}),
                         ("a root that ends before it begins", {"looks": [end | {"roots": [[9, 3]]}]}), ("no roots", {"looks": [end | {"roots": None}]})):
        done = run([ARGS.gnomon, "heap", "--mode", "strict", rewritten(whole | change)])
        expect(f"refused: {name}", done.returncode == 1 and "makes no sense" in done.stderr, done.returncode, done.stderr)
    everything = end | {"roots": [[0, 2 ** 32 - 1]]}
    same("everything a root", run([ARGS.gnomon, "heap", "--mode", "strict", rewritten(whole | {"looks": [everything]})]).returncode, 4)
    nothing = end | {"roots": [], "words": []}
    same("no word: all except the six that are ignored", sum(lost("--mode", "strict", rewritten(whole | {"looks": [nothing]})).values()), heap(ARGS.reach[0])[0]["live_blocks"] - 6)
    done = run([ARGS.gnomon, "heap", "--mode", "strict", rewritten(whole | {"looks": []})])
    expect("no look at the end", done.returncode == 1 and "at its end" in done.stderr, done.stderr)
    damaged = pathlib.Path(ARGS.out) / "damaged.gnt"
    damaged.write_bytes(data[:at + 20] + bytes([data[at + 20] ^ 1]) + data[at + 21:])
    done = run([ARGS.gnomon, "heap", damaged])
    expect("a wrong checksum", done.returncode == 1 and "what points to the heap is damaged" in done.stdout + done.stderr, done.returncode,
           done.stdout, done.stderr)


def test_others():
    for recording in ARGS.others:
        strict, draconian = (heap("--mode", mode, recording)[0] for mode in ("strict", "draconian"))
        expect(f"{pathlib.Path(recording).name}: {strict['leaks']['blocks']} of {draconian['leaks']['blocks']} blocks out of reach",
               strict["leaks"]["blocks"] <= draconian["leaks"]["blocks"] == draconian["live_blocks"], strict["leaks"], draconian["leaks"])


def test_forgetful():
    """Blocks that point to each other are lost, and blocks that tasks have forgotten, except for those whose address is left on a stack."""
    for recording in ARGS.forgetful:
        paths = [block["path"] for block in heap("--mode", "strict", recording)[0]["live"] if block["lost"]]
        pair = [path for path in paths if "lose_pair" in path]
        others = [path for path in paths if "lose_pair" not in path]
        expect(f"{pathlib.Path(recording).name}: lost {paths}", len(pair) == 2 and 0 < len(others) <= 4 and {path[-1] for path in paths} == {"work"})


def main():
    if ARGS.reach:
        test_reach()
        test_cxx()
        test_refused()
        test_hostile()
    if ARGS.many:
        test_many()
    test_others()
    test_forgetful()
    return result()


sys.exit(main())
