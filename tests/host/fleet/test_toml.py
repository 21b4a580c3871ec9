#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reader of TOML files takes what Python's takes, with the same result, or refuses it by its line: known files, and files put together
from pieces at random, right and wrong ones.

usage: test_toml.py --dump FILE --seeds N"""
import json
import random
import subprocess
import sys
import tomllib

from checking import expect, result, same
from options import values

DUMP, SEEDS = values(__doc__, "dump", "seeds")

RIGHT = """
# a comment
program = "zlib.elf"   # another
functions = ["deflate*", 'in\\flate', "tab\\there \\u00e9 \\U0001F600 \\" \\\\",]
empty = []
lines = [ # over lines
  "a",

  "b", # with comments
]
count = 1_000
negative = -17
zero = 0
plus = +5
yes = true
no = false
nested = [[1, 2], ["x"]]
"quoted key" = 1
'literal' = 2
dotted.key.here = "x"
dotted . other = 3
[table]
a = 1
[table.inner]
b = 2
[[scenario]]
name = "one"
[[scenario]]
name = "two"
[scenario.more]
c = 3
[[deep.list]]
d = 1
[ spaced . name ]
e = 1
"""
WRONG = ["a", "a =", "a = 1 2", "a = 1\na = 2", "a = \"x", "a = 'x\n'", "a = [1", "a = [1 2]", "[a", "[a]\n[a]", "[a]\nb = 1\n[a.b]", "a = 1\n[a]", "[[a]]\n[a]", "a = 01",
         "a = \"\\q\"", "a = \"\\ud800\"", "a = \"\\udfff\"", "a = \"\x7f\"", "[a.b]\nx = 1\n[a]\nb.y = 2", "a = truth", "= 1", "a.b = 1\na = 2", "a = _1", "a = 1_", "a = 1__0", "a = \"\x01\"", "[[a]\n", "[]", "a = [,]", "a b = 1", "a = [\"x\" # y"]
# What TOML has and Gnomon's files do not need.
REFUSED = ["a = 99999999999999999999", "a = 1.5", "a = 0x10", "a = 1979-05-27", "a = { b = 1 }", 'a = """x"""', "a = '''x'''", "a = inf", "a = nan", "a = 1e3"]
PIECES = ["a", "b", "c", "\"k y\"", ".", "=", " ", "\n", "[", "]", "[[", "]]", ",", "\"x\"", "'y'", "1", "-2", "true", "false", "#c\n", "\"\\n\"", "\t", "\r\n", "_", "0"]


def ours(text):
    done = subprocess.run([DUMP], input=text.encode(), stdout=subprocess.PIPE, check=False)
    return (done.returncode, json.loads(done.stdout)) if done.returncode == 0 else (done.returncode, done.stdout.decode())


def theirs(text):
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def line(rng):
    key = ".".join(rng.choice(["a", "b", "c", "d-e", '"f g"', "h_1"]) for _ in range(rng.choice([1, 1, 1, 2, 3])))
    if rng.random() < 0.2:
        return f"[{key}]" if rng.random() < 0.5 else f"[[{key}]]"
    value = rng.choice(["1", "-20", "true", '"x\\ty"', "'z'", "[]", "[1, 2]", '[ "a",\n "b" ]', "[[1], [2, 3]]", '"é"'])
    return f"{key} = {value}" + rng.choice(["", "  # c", " "])


same("a file of all that is taken", ours(RIGHT), (0, theirs(RIGHT)))
for text in WRONG:
    same(f"Python refuses {text!r}", theirs(text), None)
    expect(f"refused: {text!r}", ours(text)[0] == 1 and "input, line " in ours(text)[1], ours(text))
for text in REFUSED:
    expect(f"refused, though it is TOML: {text!r}", theirs(text) is not None and ours("\n\n" + text)[0] == 1 and "input, line 3" in ours("\n\n" + text)[1], ours("\n\n" + text))
taken = refused = 0
for seed in range(int(SEEDS)):
    rng = random.Random(seed)
    text = "\n".join(line(rng) for _ in range(rng.randrange(1, 8))) if seed % 2 else "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 12)))
    (status, got), want = ours(text), theirs(text)
    if status == 0:
        taken += 1
        same(f"seed {seed}: {text!r}", got, want)
    else:
        refused += 1
        expect(f"seed {seed}: {text!r} is taken by Python", want is None, got, want)
expect("both kinds", min(taken, refused) > int(SEEDS) // 20, taken, refused)
sys.exit(result())
