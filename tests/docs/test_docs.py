#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of the documents, and compares what they print with what the documents show.

usage: test_docs.py WORK PAGE...

Of each page, the lines of fenced blocks that begin with `gnomon` or `$ gnomon` are run, in the order of the page, in a folder of
their own (WORK/page) that prepare.sh has filled; those in not_run.txt are not, and its reasons are. Below a line with `$` stands
what it prints: each line shown must come, in that order, with any number in place of a number. A command fails if, and only if, what
is shown has an error of gnomon's. Every target that is named after
`make` must exist, every command and every option that is named after `gnomon` must be in its help. Each relative link of a tracked
page must lead to a file and, with an anchor, to a heading; each page of docs/ that a tracked file names must exist."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
BIN = ROOT / "build/bin"
NOWHERE = str(ROOT / "build/docs/none")  # commands see no settings of the user
ENVIRONMENT = dict(os.environ, XDG_CONFIG_HOME=NOWHERE, XDG_STATE_HOME=NOWHERE, PATH=f"{BIN}:{os.environ['PATH']}", NO_COLOR="1")
NUMBER = re.compile(r"[+-]?(0x[0-9a-f]+|\d[\d,]*(\.\d+)?(e[+-]?\d+)?)")
# A bar of a histogram is as long as its number is large; a cell without a number is a number that is 0.
BAR = re.compile(r"(?<=\s)#+\s*$")
EMPTY = re.compile(r"(?<!\S)-(?!\S)")
# Hints that are cut out of a line, or a page: what is not shown.
GAP = re.compile(r"^\s*(\.\.\.|\[\.\.\.\])\s*$")
failures = []


def fail(page, text):
    failures.append(f"{page}: {text}")


def shape(line):
    line = EMPTY.sub("0", BAR.sub("", line))
    return " ".join(NUMBER.sub("0", line).split())


def blocks(text):
    """Fenced blocks, each as (number of its first line, lines)."""
    inside, block, first = False, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            if inside:
                yield first, block
            inside, block, first = not inside, [], number + 1
        elif inside:
            block.append(line)


def commands(text):
    """(number of the line, command, lines that are shown below it, or None if the block shows no output)"""
    for first, block in blocks(text):
        index = 0
        while index < len(block):
            number, line = first + index, block[index]
            index += 1
            shows = line.startswith("$ ")
            command = line[2:] if shows else line
            if not re.match(r"(gnomon|make) ", command):
                continue
            while command.endswith("\\") and index < len(block):
                command = command[:-1] + block[index]
                index += 1
            output = []
            while shows and index < len(block) and not block[index].startswith("$ "):
                output.append(block[index])
                index += 1
            yield number, command, output


def spans(text):
    """What stands in backquotes, outside of blocks."""
    text = re.sub(r"^\s*```.*?^\s*```", "", text, flags=re.S | re.M)
    return re.findall(r"`([^`\n]+)`", text)


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT, cwd=ROOT)
    return done.stdout + done.stderr


class Vocabulary:
    """Targets of make, and commands and options of gnomon."""

    def __init__(self):
        database = output_of(["make", "-pn", "help"])
        self.targets = set(re.findall(r"^([\w./-]+):", database, re.M))
        self.boards = {path.stem for path in (ROOT / "rtl/soc/boards").glob("*.vh")}
        self.commands = set(re.findall(r"^  ([a-z+-]+) ", output_of([BIN / "gnomon", "--help"]), re.M))
        self.help = {}

    def check_make(self, page, command):
        for word in re.sub(r"#.*|\[[^]]*\]|\w+=(\"[^\"]*\"|\S+)", "", command).split()[1:]:
            # NAME and ... stand for a part of a target.
            if not (word in self.targets or "NAME" in word or "..." in word or word in ("-n", "-j")):
                fail(page, f"`{command}`: make has no target {word}")
        for board in re.findall(r"BOARD=([\w-]+)", command):
            if board not in self.boards:
                fail(page, f"`{command}`: there is no board {board}")

    def check_gnomon(self, page, command):
        for words in re.findall(r"(?:^|[|;&(]\s*)gnomon\s+([^|;&#)]*)", command):
            name = next((word for word in words.split() if not word.startswith("-")), None)
            if name is None or not re.fullmatch(r"[a-z+-]+", name):
                continue
            if name not in self.commands:
                fail(page, f"`{command}`: gnomon has no command {name}")
                continue
            if name not in self.help:
                self.help[name] = output_of([BIN / "gnomon", name, "--help"])
            # What follows "--" is the program's, what follows --sim-option the simulator's.
            ours = re.sub(r"--sim-option \S+", "--sim-option", words.split(" -- ")[0])
            for option in re.findall(r"(?<!\S)(--[a-z][a-z-]*)", ours):
                if option not in self.help[name] and option not in ("--help", "--version"):
                    fail(page, f"`{command}`: gnomon {name} has no option {option}")


def not_run():
    entries = []
    for line in (HERE / "not_run.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            page, command, reason = (part.strip() for part in line.split("|"))
            assert reason, line
            entries.append((page, command))
    return entries


def compare(page, number, command, shown, printed):
    lines = [shape(line) for line in printed.splitlines()]
    at = 0
    for line in shown:
        if not line.strip() or GAP.match(line):
            continue
        try:
            at = lines.index(shape(line), at) + 1
        except ValueError:
            fail(page, f"line {number}, {command}: does not print\n    {line}\n  (as {shape(line)!r}) but\n" + printed)
            return


def run_page(work, page, text, skipped):
    """The number of commands that were run."""
    listed = [(number, command, shown) for number, command, shown in commands(text) if command.startswith("gnomon ")]
    listed = [entry for entry in listed if not any(entry[1].startswith(start) for of, start in skipped if of == page)]
    if not listed:
        return 0
    folder = work / page.replace("/", "-").removesuffix(".md")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

    def run(command):
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder,
                              check=False, env=ENVIRONMENT)

    prepared = run([HERE / "prepare.sh", page, str(ROOT)])
    if prepared.returncode != 0:
        fail(page, f"prepare.sh: {prepared.stdout}")
        return 0
    for number, command, shown in listed:
        done = run(["bash", "-euo", "pipefail", "-c", command])
        if (done.returncode == 0) == any(line.startswith("gnomon: ") for line in shown):
            fail(page, f"line {number}, {command}: status {done.returncode}\n{done.stdout}")
        else:
            compare(page, number, command, shown, done.stdout)
    return len(listed)


def anchors(path):
    """The anchors of a page's headings."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    headings = re.findall(r"^#+ +(.*)$", text, re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links():
    """The number of links and names of pages in tracked files."""
    names = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines()
    checked = 0
    for name in names:
        path = ROOT / name
        if not path.is_file() or path.suffix in (".svg", ".png"):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for page in re.findall(r"(?<![\w/.])docs/[\w/-]+\.md\b", text):
            checked += 1
            if not (ROOT / page).exists():
                fail(name, f"there is no page {page}")
        if path.suffix != ".md":
            continue
        for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", re.sub(r"`[^`\n]*`", "", text)):
            if re.match(r"[a-z]+:", target):
                continue
            checked += 1
            page = (path.parent / target) if target else path
            if not page.exists():
                fail(name, f"the link {target} leads nowhere")
            elif anchor and page.suffix == ".md" and anchor not in anchors(page):
                fail(name, f"{target or name} has no heading #{anchor}")
    return checked


def main():
    work, pages = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    skipped, vocabulary = not_run(), Vocabulary()
    for page in pages:
        text = (ROOT / page).read_text(encoding="utf-8")
        listed = [command for _, command, _ in commands(text)]
        for command in listed + spans(text):
            if command.startswith("make "):
                vocabulary.check_make(page, command)
            elif command.startswith("gnomon "):
                vocabulary.check_gnomon(page, command)
        for of, start in skipped:
            if of == page and not any(command.startswith(start) for command in listed):
                fail(page, f"not_run.txt: no command begins with {start}")
        ran = run_page(work, page, text, skipped)
        print(f"{page}: {ran} commands run", flush=True)
    print(f"{check_links()} links and names of pages checked")
    for failure in failures:
        print(f"FAIL: {failure}")
    sys.exit(1 if failures else 0)


main()
