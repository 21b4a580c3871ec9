#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests gnomon record over a faulty USB cable: the trace file equals the one recorded over a good cable. When the
cable is pulled out, gnomon reports a clear error, the file is a prefix of the good file, and the board remains
usable.

usage: cable.py --simulators FOLDER --out FOLDER ELF [ARG...]
simulators: the folder of the simulated boards; `full` and `full-line` are used."""
import os
import pathlib
import re
import subprocess

from checking import fail
from commands import FAST_USB, run, sim_options
from gnomon_trace import FRAME_BYTES
from options import values

*folders, PROGRAM = values(__doc__, "simulators", "out", rest="ARG")
SIMULATORS, FOLDER = map(pathlib.Path, folders)


def record(device, name, *gnomon_options, simulator=(), good=True):
    """Runs gnomon record; returns the file's path and the text on standard error."""
    path = FOLDER / f"{name}.gnt"
    for old in path, pathlib.Path(f"{path}.partial"):
        old.unlink(missing_ok=True)
    done = run(["gnomon", "record", "-d", device, "-o", path, *gnomon_options, *sim_options(*simulator), *PROGRAM],
               env={**os.environ, "GNOMON_SIM_DIR": str(SIMULATORS)})
    if (done.returncode == 0) != good:
        fail(f"{name}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return path, done.stderr


def frames(path):
    """Returns the file without its header, which contains the device's address."""
    data = path.read_bytes()
    return data[12 + int.from_bytes(data[8:12], "little") + 4:]


def same(what, one, other):
    if one != other:
        fail(f"{what}: differs from the file recorded over a good cable")
    print(f"ok  {what}: {len(one)} bytes, the same")


def faulty_cables():
    """With retries on the cable no byte is lost or duplicated, so the files are identical."""
    for device, options, simulator, cable in (("sim:full", ["--events"], FAST_USB, "1:300"),
                                               ("sim:full", ["--records"], [], "3:500"),
                                               ("sim:full-line", ["--records"], [], "4:400")):
        clean, _ = record(device, "clean", *options, simulator=simulator)
        faulty, _ = record(device, "faulty", *options, simulator=[*simulator, "--usb-faults", cable])
        same(f"{device} {options[0]}, faults {cable}", faulty.read_bytes(), clean.read_bytes())


def lossy():
    """USB is too slow for the program, and retries take more of its time: received and lost events must add up to
    the produced events. gnomon report checks this sum and calls a file with a wrong sum damaged."""
    path, _ = record("sim:full", "lossy", "--events", simulator=["--usb-faults", "5:500"])
    done = run(["gnomon", "report", "-i", path])
    lost = re.search(r"[\d,]+ of [\d,]+ events LOST", done.stdout + done.stderr)
    if done.returncode != 0 or "damaged" in done.stdout + done.stderr or not lost:
        fail(f"lossy: status {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"ok  sim:full --events, faults 5:500: {lost[0]}, all accounted for")


def pulled_out():
    clean, _ = record("sim:full", "clean", "--events", simulator=FAST_USB)
    _, said = record("sim:full", "pulled", "--events", simulator=[*FAST_USB, "--usb-unplug", "1"], good=False)
    partial = FOLDER / "pulled.gnt.partial"
    if "connection to sim:full is lost" not in said or str(partial) not in said:
        fail(f"pulled out: the error does not say what was lost, and where the rest is:\n{said}")
    got, whole = frames(partial), frames(clean)
    size = len(got) // FRAME_BYTES * FRAME_BYTES
    if size < 2 * FRAME_BYTES or not whole.startswith(got[:size]) or not got[size:].startswith(b"GNTEND\r\n"):
        fail(f"pulled out: {len(got)} bytes that are not the beginning of the good file's frames")
    print(f"ok  pulled out: the first {size // FRAME_BYTES} of {len(whole) // FRAME_BYTES} frames came")


def used_again():
    """The server keeps running after the cable was pulled out: the next client finds a board in its initial state."""
    with subprocess.Popen([SIMULATORS / "full/gnomon-sim", "--port", "0", *FAST_USB, "--usb-unplug", "1", "--usb-faults", "6:300"],
                          stdout=subprocess.PIPE, text=True) as server:
        try:
            port = server.stdout.readline().split(":")[1].strip()
            device = f"usbip:127.0.0.1:{port}"
            _, said = record(device, "again", "--events", good=False)
            if f"connection to {device} is lost" not in said:
                fail(f"pulled out of a server: {said}")
            again, _ = record(device, "again", "--events")
            same("plugged in again", frames(again), frames(FOLDER / "clean.gnt"))
        finally:
            server.terminate()


FOLDER.mkdir(parents=True, exist_ok=True)
faulty_cables()
lossy()
pulled_out()
used_again()
