#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the style of the RTL: at most 120 columns, indents of two spaces, no tabs, no blanks at a line's end, ports in columns,
truth values in logical operators, instances named u_*, one module in a file of its name, and a comment that says what the module
does.

usage: lint_rtl.py        exit status 1 if there is a finding; each is printed with its place
"""
import pathlib
import re
import sys

COLUMNS = 120
PORT = re.compile(r"\s*(input|output|inout)\b")
PORT_COLUMNS = re.compile(r"  (input  wire|output wire|output reg |inout  wire) ( *|\[[^\] ][^\]]*\] +)\w+(, \w+)*,?( +//.*)?$")
DECLARATION = re.compile(r"\b(?:wire|reg)\b\s*(?:signed\s*)?(\[[^\]]*\])?([^;]*?)(?=;|\n\)|\n *(?:input|output)\b)")
MODULE = re.compile(r"^module\s+(\w+)", re.M)


def line_findings(path, lines):
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            yield f"{path}:{number}: {len(line)} columns, at most {COLUMNS}"
        if "\t" in line:
            yield f"{path}:{number}: a tab"
        if line != line.rstrip():
            yield f"{path}:{number}: blanks at the end"


def indent_findings(path, lines):
    """The body's first level is two spaces; deeper lines may be aligned with what they continue."""
    indents = [len(line) - len(line.lstrip()) for line in lines if line.startswith(" ") and line.strip()]
    if indents and min(indents) != 2:
        yield f"{path}: indents begin with {min(indents)} spaces, not 2"


def port_findings(path, lines):
    for number, line in enumerate(lines, 1):
        if PORT.match(line) and not line.startswith("    ") and not PORT_COLUMNS.match(line):
            yield f"{path}:{number}: direction, type, width and names of a port are not in their columns"


def without_comments(text):
    return re.sub(r"//[^\n]*", lambda comment: " " * len(comment[0]), text)


def single_bits(code):
    """The names that are declared without a range, and with none elsewhere in the file."""
    found = {True: set(), False: set()}
    for declared in DECLARATION.finditer(code):
        names, nested = declared[2], re.compile(r"[({\[][^(){}\[\]]*[)}\]]")
        while nested.search(names):
            names = nested.sub(" ", names)
        found[declared[1] is None] |= {match[1] for match in re.finditer(r"(?:^|,)\s*(\w+)", names)}
    return found[True] - found[False]


def operator_findings(path, text):
    """A bit operator beside a name of one bit, except in the sinks of unused wires."""
    code = without_comments(text)
    names = single_bits(code)
    for number, line in enumerate(code.splitlines(), 1):
        if "unused" in line:
            continue
        beside = re.findall(r"~(\w+)\b(?! *[\[.])", line) + re.findall(r"(?<![\w.'\]])(\w+) [&|] (?![&|])", line) + \
            re.findall(r"(?<![&|]) [&|] !?(\w+)\b(?! *[\[.(])", line)
        wrong = names & set(beside)
        if wrong:
            yield f"{path}:{number}: a bit operator with {', '.join(sorted(wrong))} of one bit, use && || !"


def instance_findings(path, text, modules):
    """Instances of the project's modules and of the vendors' cells (names in capitals)."""
    code = without_comments(text)
    for found in re.finditer(r"^\s*(gnomon_\w+|[A-Z][A-Z0-9_]{3,})\s+(#\s*\()?", code, re.M):
        if found[1] not in modules and found[1].startswith("gnomon_"):
            continue
        at = found.end()
        if found[2]:  # the parameters' closing bracket
            depth = 1
            while depth:
                depth += {"(": 1, ")": -1}.get(code[at], 0)
                at += 1
        name = re.match(r"\s*(\w+)\s*\(", code[at:])
        if name and not name[1].startswith("u_"):
            yield f"{path}:{code.count(chr(10), 0, at) + 1}: instance {name[1]} of {found[1]}, use u_{name[1]}"


def module_findings(path, text):
    names = MODULE.findall(text)
    if path.suffix == ".v" and names != [path.stem]:
        yield f"{path}: has the modules {', '.join(names) or 'none'}, not {path.stem} alone"
    if not re.match(r"// SPDX-License-Identifier: [^\n]+\n// \S", text):
        yield f"{path}: has no comment below its licence that says what it does"


def main():
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(pathlib.Path("rtl").rglob("*.v*"))}
    modules = {name for text in texts.values() for name in MODULE.findall(text)}
    findings = []
    for path, text in texts.items():
        lines = text.splitlines()
        findings += [*line_findings(path, lines), *indent_findings(path, lines), *port_findings(path, lines),
                     *operator_findings(path, text), *instance_findings(path, text, modules), *module_findings(path, text)]
    for finding in findings:
        print(finding)
    if findings:
        sys.exit(1)
    print(f"{len(texts)} files of RTL: style as it should be")


if __name__ == "__main__":
    main()
