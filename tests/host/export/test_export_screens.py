#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kcachegrind and speedscope open exported recordings, and show the functions and figures of `gnomon report`. kcachegrind's window is read
from a picture, speedscope's table from its page.

usage: test_export_screens.py --out FOLDER --modules NODE_MODULES RECORDING..."""
import contextlib
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time

from checking import expect, result, same
from commands import must
from options import values

OUT, MODULES, RECORDINGS = values(__doc__, "out", "modules", rest="RECORDING", least=1)
OUT, MODULES = pathlib.Path(OUT).resolve(), pathlib.Path(MODULES).resolve()
SPEEDSCOPE = MODULES / "speedscope/dist/release"
TOP = 5  # functions with most cycles that must be found
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}


def top(report):
    """The functions with most cycles of their own, as (name, self, total)."""
    rows = [(f["name"], f["self_cycles"], f["total_cycles"]) for f in report["functions"] if not f["name"].startswith("[")]
    return sorted(rows, key=lambda row: -row[1])[:TOP]


# ---- kcachegrind ----

@contextlib.contextmanager
def running(command, **options):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def found_window(environment, name):
    for _ in range(400):
        found = subprocess.run(["xdotool", "search", "--name", name], env=environment, capture_output=True, text=True, check=False).stdout.split()
        if found:
            return found[-1]
        time.sleep(0.5)
    return None


def read_picture(picture, part, mode):
    """The text in a part of the picture (WIDTHxHEIGHT+X+Y), by optical character recognition."""
    cut = picture.with_suffix(".part.png")
    must(["convert", picture, "-crop", part, "+repage", "-colorspace", "Gray", "-resize", "300%", cut])
    return must(["tesseract", cut, "-", "--psm", mode])


def kcachegrind(exported, picture):
    """(the list of functions, the line at the bottom)"""
    home = OUT / "home"
    (home / ".config").mkdir(parents=True, exist_ok=True)
    (home / ".config/kcachegrindrc").write_text("[TipOfDay]\nRunOnStart=false\n", "utf-8")
    environment = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}
    numbered, number = os.pipe()  # by which the X server tells its number
    with running(["Xvfb", "-noreset", "-displayfd", str(number), "-screen", "0", "1600x1000x24"], pass_fds=(number,)):
        os.close(number)
        with os.fdopen(numbered, encoding="ascii") as lines:
            environment["DISPLAY"] = ":" + lines.readline().strip()
        with running(["dbus-run-session", "--", "kcachegrind", exported.name], env=environment, cwd=exported.parent):
            window = found_window(environment, exported.name)
            if not expect(f"{exported.name}: kcachegrind opens it", window):
                return "", ""
            subprocess.run(["xdotool", "windowsize", window, "1600", "1000"], env=environment, check=True)
            for _ in range(60):
                time.sleep(1)
                subprocess.run(["import", "-window", "root", picture], env=environment, check=True)
                bottom = read_picture(picture, "800x24+0+976", "7")
                if "Cost" in bottom:
                    break
    return read_picture(picture, "330x860+0+108", "6"), bottom


def check_kcachegrind(recording, report):
    exported, picture = OUT / f"{recording.stem}.callgrind", OUT / f"{recording.stem}.kcachegrind.png"
    must(["gnomon", "export", "-q", "--to", "callgrind", "-o", exported, recording])
    functions, bottom = kcachegrind(exported, picture)
    same(f"{exported.name}: cycles", re.sub(r"\D", "", bottom.split("Cost")[-1]), str(report["cycles"]), bottom)
    for name, own, _ in top(report):
        # What has too little room in the window is cut off. The reading confuses some characters.
        wanted = rf"{100 * own / report['cycles']:.2f}\b.*{'.'.join(map(re.escape, re.split('[ _Il]', name[:12])))}"
        expect(f"{exported.name}: {name}", re.search(wanted, functions), wanted, functions)


# ---- speedscope ----

@contextlib.contextmanager
def served(folder):
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def seconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(\D+)", text).groups()
    return float(number), UNITS[unit]


def shown_as(text, value):
    """Is this the value, rounded as the text is?"""
    number, unit = seconds(text)
    digits = len(text.split(".")[1].rstrip("nµms")) if "." in text else 0
    return abs(value / unit - number) <= 0.5001 * 10**-digits


def check_speedscope(recording, report, kind, extension):
    exported = OUT / "site" / f"{recording.stem}.{extension}"
    must(["gnomon", "export", "-q", "--to", kind, "-o", exported, recording])
    with served(OUT / "site") as site:
        text = must(["node", pathlib.Path(__file__).with_name("speedscope.js"), "/usr/bin/chromium", f"{site}/index.html#profileURL={exported.name}&view=sandwich",
                     OUT / f"{recording.stem}.{kind}.png"], env={**os.environ, "NODE_PATH": str(MODULES)})
    expect(f"{exported.name}: no request leaves the machine", "LEFT" not in text, text)
    rows = {name: (total, own) for total, own, name in re.findall(r"^(\S+) \([\d.]+%\)\s+(\S+) \([\d.]+%\)\s+(.+)$", text, re.M)}
    for name, own, total in top(report):
        figures = rows.get(name)
        good = figures and all(shown_as(shown, cycles / report["clock_hz"]) for shown, cycles in zip(figures, (total, own)))
        expect(f"{exported.name}: {name}", good, figures, (total, own), text[:1500])


OUT.mkdir(parents=True, exist_ok=True)
shutil.copytree(SPEEDSCOPE, OUT / "site", dirs_exist_ok=True)
for one in map(pathlib.Path, RECORDINGS):
    truth = json.loads(must(["gnomon", "report", "--json", one]))
    check_kcachegrind(one, truth)
    check_speedscope(one, truth, "speedscope", "speedscope.json")
sys.exit(result())
