# SPDX-License-Identifier: Apache-2.0
"""Tests of the proofs with defects: each defect goes into a copy of the RTL, and the named check must refute it."""
import argparse
import json
import os
import pathlib
import shutil
import sys

import run


def main(description, defects, checks, rooms, out, refute):
    """Judges `defects`, (check, what, file, text, replacement); the text must be in the file exactly once. rooms:
    folder of rtl/ to its copy's folder, to which files are relative; out: default folder for the copies and
    mutants.json; refute(check, rtl, out): result as run.run's. Ends the program, with status 1 if a defect is not
    found."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--select", default="", help="numbers, with commas between; all without")
    parser.add_argument("--out", type=pathlib.Path, default=run.ROOT / out)
    args = parser.parse_args()
    chosen = {int(n) for n in args.select.split(",") if n}
    folder = args.out.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.chdir(run.ROOT)
    by_name = {check.name: check for check in checks}
    results = []
    for n, (name, what, file, text, replacement) in enumerate(defects):
        if chosen and n not in chosen:
            continue
        rtl = folder / f"{n}"
        for room, place in rooms.items():
            shutil.copytree(run.ROOT / "rtl" / room, rtl / place)
        source = (rtl / file).read_text(encoding="utf-8")
        if source.count(text) != 1:
            sys.exit(f"mutant {n} ({what}): the text is {source.count(text)} times in {file}")
        (rtl / file).write_text(source.replace(text, replacement), encoding="utf-8")
        result = refute(by_name[name], pathlib.Path(os.path.relpath(rtl, run.ROOT)), folder)
        found = result["verdict"] == "FAIL"
        results.append({"mutant": what, **result})
        where = f"cycle {result['cycle']}, {result['property']}" if found else result["verdict"]
        print(f"{n:3} {name:17} {what:48} {'found' if found else 'NOT FOUND'}: {where}, {result['seconds']} s", flush=True)
    (folder / "mutants.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    missed = [r for r in results if r["verdict"] != "FAIL"]
    print(f"{len(results) - len(missed)} of {len(results)} found")
    sys.exit(1 if missed or not results else 0)
