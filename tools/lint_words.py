#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the project's words: no name that tools/words.txt replaces stands in a tracked file, and codespell finds no typing error.

usage: lint_words.py [--codespell COMMAND]      exit status 1 if there is a finding; each is printed with its place
"""
import argparse
import pathlib
import re
import subprocess
import sys

LIST = pathlib.Path("tools/words.txt")
SKIPPED = (".svg", ".png", ".lock", "package-lock.json", str(LIST))
# Words that codespell takes for typing errors: Verilog's inout, a hart, names in programs' output.
KNOWN = "inout,hart,statics,froms,datas,thirdparty"


def rules():
    """Yields (pattern, replacement, folders) for each line of the list: fields between tabs, comments after #."""
    for number, line in enumerate(LIST.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) not in (2, 3):
            sys.exit(f"{LIST}:{number}: a line is PATTERN, tab, REPLACEMENT, and perhaps tab, FOLDERS")
        folders = tuple(fields[2].split()) if len(fields) == 3 else ("",)
        yield re.compile(fields[0]), fields[1], folders


def tracked():
    names = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True, text=True).stdout.split("\0")
    return [name for name in names if name and not name.endswith(SKIPPED) and pathlib.Path(name).is_file()]


def findings(name, words):
    try:
        lines = pathlib.Path(name).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return
    mine = [(pattern, instead) for pattern, instead, folders in words if name.startswith(folders)]
    for pattern, instead in mine:
        if pattern.search(name):
            yield f"{name}: the name has \"{pattern.search(name)[0]}\", use \"{instead}\""
    for number, line in enumerate(lines, 1):
        for pattern, instead in mine:
            found = pattern.search(line)
            if found:
                yield f"{name}:{number}: \"{found[0]}\", use \"{instead}\""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--codespell", default="codespell", metavar="COMMAND", help="the codespell to run")
    options = parser.parse_args()
    names, words = tracked(), list(rules())
    found = [finding for name in names for finding in findings(name, words)]
    print(*found, sep="\n" if found else "")
    spelling = subprocess.run([options.codespell, "--ignore-words-list", KNOWN, *names], check=False).returncode
    sys.exit(1 if found or spelling else 0)


if __name__ == "__main__":
    main()
