#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program of make demo-api with a few repetitions: what it prints, and what it leaves in rates.json.

usage: test_demo_api.py --gnomon FILE --zlib FOLDER --libz FILE --program C --out FOLDER"""
import json
import pathlib
import shutil
import sys

from checking import expect, result, same
from commands import must
from options import values

GNOMON, ZLIB, LIBZ, PROGRAM, OUT = (pathlib.Path(value).resolve() for value in values(__doc__, "gnomon", "zlib", "libz", "program", "out"))
REPETITIONS = 3

shutil.rmtree(OUT, ignore_errors=True)
text = must([pathlib.Path(__file__).parents[3] / "tools" / "demo_api.py", "--gnomon", GNOMON, "--zlib", ZLIB, "--libz", LIBZ, "--program", PROGRAM, "--out", OUT, "--repetitions", REPETITIONS])
rates = json.loads((OUT / "rates.json").read_text())
same("alone as all at once", rates["zlib"]["different"], 0)
expect("alone as all at once: shown", "difference 0 in each bucket" in text, text)
expect("rows of functions, of all sizes together", rates["zlib"]["rows"] >= 8, rates)
same("3 % more in inflate are found", rates["check"]["slower_build_found"], REPETITIONS, text)
expect("the same build is flagged at most once", rates["check"]["same_build_flagged"] <= 1, rates)
expect("the gate", "WORSE  inflate" in text and "status 4" in text, text)
for shown in ("api plan", "api run", "api list", "api doc", "api classes", "check --against"):
    expect(f"it shows gnomon {shown}", f"$ gnomon {shown}" in text, text)
sys.exit(result())
