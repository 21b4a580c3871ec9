#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make demo-api: what the functions of zlib cost, from the list to the gate, with zlib from Debian's source.

Lists the functions that a program calls, plans the runs, measures each function alone and all at once, and shows costs in words and how they
grow with the input. Then asks the permutation test of `gnomon check --against` in many repetitions, each with inputs of its own for both sides:
is the same build flagged, and is one in which `inflate` costs 3 % more? The rates are printed, and are in OUT/rates.json.

usage: demo_api.py --gnomon FILE --zlib FOLDER --libz FILE --program C --out FOLDER --repetitions N"""
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

SIZES = (64, 256, 1024, 4096)
PIECE, PIECES = 64, 40  # of a repetition
PLANTED = ("inflate", 3)
PLACE = "    if (inflateStateCheck(strm) || strm->next_out == Z_NULL ||"  # in inflate(), once in inflate.c
LEVEL = 0.05
FUNCTIONS = ["deflate", "inflate", "crc32_z", "adler32_z", "deflateReset", "inflateReset"]


def arguments():
    given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    names = ("gnomon", "zlib", "libz", "program", "out", "repetitions")
    if sorted(given) != sorted(f"--{name}" for name in names):
        sys.exit(__doc__)
    *paths, repetitions = (given[f"--{name}"] for name in names)
    return (*(pathlib.Path(path).resolve() for path in paths), int(repetitions))


GNOMON, ZLIB, LIBZ, PROGRAM, OUT, REPETITIONS = arguments()


def run(*words, statuses=(0,)):
    done = subprocess.run([str(word) for word in words], cwd=OUT, capture_output=True, text=True, check=False)
    if done.returncode not in statuses:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def show(*words, lines=None):
    """Runs gnomon as a user would, and shows what it prints."""
    print("\n$ gnomon " + " ".join(words), flush=True)
    text = run(GNOMON, *words).stdout.splitlines()
    print("\n".join(text[:lines] + (["..."] if lines and len(text) > lines else [])), flush=True)


LETTERS = random.Random(1)
WORDS = ["".join(LETTERS.choice("etaoinshrdlu") for _ in range(LETTERS.randint(2, 8))) for _ in range(200)]


def text_of(size, chance):
    text = ""
    while len(text) < size:
        text += chance.choice(WORDS) + " "
    return text[:size]


def build(name, library):
    run(GNOMON, "cc", "--gnomon-off", "-O2", "-g", "-isystem", ZLIB, "-o", name, PROGRAM, library)


def measure():
    """The whole way for one program, with inputs of four sizes."""
    scenarios = ""
    for size in SIZES:
        chance = random.Random(size)
        (OUT / f"{size}.txt").write_text("".join(text_of(size, chance) for _ in range(3)))
        scenarios += f'\n[[scenario]]\nname = "text"\nsize = {size}\narguments = ["{size}.txt", "{size}"]\n'
    (OUT / "api.toml").write_text(f'program = "zlib.elf"\nheaders = ["zlib.h"]\noutput = "zlib.gnp"\n{scenarios}')
    show("api", "plan", "--header", "zlib.h", "zlib.elf", "--", "64.txt", "64")
    show("api", "run", "--strict", "api.toml", lines=22)  # fails if a function costs something else when all are watched at once
    show("api", "list", "-n", "8", "zlib.gnp")
    show("api", "doc", "--form", "markdown", "--function", "inflate", "--function", "crc32_z", "zlib.gnp")
    show("api", "classes", "zlib.gnp", lines=24)
    return {"rows": len(json.loads(run(GNOMON, "api", "list", "--json", "zlib.gnp").stdout)["rows"]), "different": 0}


def mean_of(profile, function):
    """What it costs, and the file that it is in."""
    rows = json.loads(run(GNOMON, "api", "list", "--json", "--function", function, profile).stdout)["rows"]
    return rows[0]["mean"], rows[0]["file"]


def profile(program, name):
    """Of one run with an input of its own. In the same scenario as the others, whatever the input is."""
    chance = random.Random(name)
    (OUT / f"{name}.txt").write_text("".join(text_of(PIECE, chance) for _ in range(PIECES)))  # each piece is another text
    watched = [word for function in FUNCTIONS for word in ("--watch-only", function)]
    run(GNOMON, "record", "-q", "-d", "sim:full", "--records", *watched, "-o", f"{name}.gnt", program, "--", f"{name}.txt", PIECE)
    run(GNOMON, "merge", "-q", "-o", f"{name}.gnp", "--scenario", "words", f"{name}.gnt")
    for kind in ("gnt", "txt"):
        (OUT / f"{name}.{kind}").unlink()
    return f"{name}.gnp"


def plant(cycles, file):
    """A function of another file is another one, so the changed copy has the name of the original."""
    text = (ZLIB / "inflate.c").read_text()
    if text.count(PLACE) != 1:
        sys.exit(f"{ZLIB}/inflate.c has not the line that the demo looks for: {PLACE.strip()}")
    (OUT / "inflate.c").write_text(text.replace(PLACE, f'    __asm__ volatile(".rept {cycles}\\n nop\\n .endr");\n{PLACE}'))
    run(GNOMON, "cc", "--gnomon-off", "-O2", "-g", "-I", ZLIB, f"-ffile-prefix-map=inflate.c={file}", "-c", "-o", "inflate.o", "inflate.c")
    shutil.copy(LIBZ, OUT / "slower.a")
    run("riscv64-unknown-elf-ar", "r", "slower.a", "inflate.o")
    build("slower.elf", "slower.a")


def check(published, ours, seed):
    done = run(GNOMON, "check", "--json", "--level", LEVEL, "--seed", seed, "--against", published, ours, statuses=(0, 4))
    flagged = {f["function"]: f for f in json.loads(done.stdout)["functions"] if f["worse"]}
    if (done.returncode == 4) != bool(flagged):
        sys.exit(f"gnomon check: status {done.returncode}, and flagged are {sorted(flagged)}")
    return flagged


def repeat(number):
    """One repetition: three runs with three inputs. Which functions are flagged, of the same build and of the slower one."""
    published, same, slower = (profile(program, f"{kind}-{number}") for program, kind in (("zlib.elf", "published"), ("zlib.elf", "same"), ("slower.elf", "slower")))
    return check(published, same, number), check(published, slower, number)


def rates():
    mean, file = mean_of(profile("zlib.elf", "first"), PLANTED[0])
    plant(round(mean * PLANTED[1] / 100), file)
    function, percent = PLANTED
    print(f"\nA build in which {function} costs {percent} % more ({round(mean * percent / 100)} of {mean:.0f} cycles); {REPETITIONS} repetitions, each with {PIECES} calls of its own texts on each side")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = []
        for found in pool.map(repeat, range(1, REPETITIONS + 1)):
            results.append(found)
            if len(results) % 10 == 0:
                print(f"{len(results)} of {REPETITIONS} are done", flush=True)
    wrong = sum(bool(same) for same, _ in results)
    found = sum(function in slower for _, slower in results)
    others = sum(bool(set(slower) - {function}) for _, slower in results)
    print(f"the same build is flagged in {wrong} of {REPETITIONS} (at a level of {LEVEL:.0%}: expected at most {LEVEL * REPETITIONS:.0f} or so)")
    print(f"the slower build is flagged in {found} of {REPETITIONS} for {function}, in {others} for another function: the code after it has moved, and lies in other lines of the cache")
    return {"function": function, "percent": percent, "level": LEVEL, "calls": PIECES, "repetitions": REPETITIONS, "same_build_flagged": wrong, "slower_build_found": found,
            "others_flagged": others}


def gate():
    print(f"\n$ gnomon check --against {'published-1.gnp'} slower-1.gnp; echo status $?")
    done = run(GNOMON, "check", "--against", "published-1.gnp", "slower-1.gnp", statuses=(0, 4))
    print(f"{done.stdout}status {done.returncode}")


OUT.mkdir(parents=True, exist_ok=True)
build("zlib.elf", LIBZ)
measured = measure()
counted = rates()
gate()
(OUT / "rates.json").write_text(json.dumps({"zlib": measured, "check": counted}, indent=1) + "\n")
print(f"\nwrote {os.path.relpath(OUT / 'rates.json', pathlib.Path(__file__).parent.parent)}")
