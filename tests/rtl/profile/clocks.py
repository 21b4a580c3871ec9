#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benches of gnomon_profile whose time counts an event: the trace, and the records made of it, against the events that
the script's cycles have.

usage: clocks.py --simulation FILE --records FILE --out FOLDER [NUMBER...]   (FILE: a vvp file or an executable; NUMBER: of an event)
"""
import os
import random

import cases
import clock_cases
import records
import run
import watched
from gnomon_trace import FRAME_BYTES
from options import values
from records_model import Model
from trace_check import Decoder, check_run, need, start

RECORDED = (0, clock_cases.RETIRED, clock_cases.FETCH, clock_cases.TRAP)  # events that happen in the walks of records.py
SIZES = (9, 7, 9, 1, 6)  # of the records, as in RECORDS_SIZES_records of mk/test/profile.mk


def trace(simulation, folder, name, script, args, balanced):
    text, data = run.simulate(simulation, folder, name, script.lines, args)
    need("PASS" in text, name, text)
    last = max(i for i in range(0, len(data), FRAME_BYTES) if data[i:i + 8] == start(script.data))
    decoder = Decoder(data=script.data)
    received = check_run(script.made, decoder.run(data[last:]), balanced)
    print(f"{name}: {received} events received, {decoder.lost} lost, END at {script.made[-1][1]}; {text.strip()}")


def calls(number):
    """Calls without hooks."""
    rng = random.Random(number)
    machine = watched.Machine(rng, lambda: int(rng.expovariate(0.3)), 8, 5)
    machine.start()
    machine.walk(1500, traps=0.03, jumps=0.02)
    machine.finish()
    return machine


def aggregated(simulation, folder, number):
    """The records of the walks, some with ends of epochs."""
    size, frames = 1 << SIZES[0], (1 << SIZES[1]) - (1 << SIZES[4])
    for source in (records.walks, records.epochs):
        for name, script, args, whole in source(size, frames, 1):
            if name not in ("threads", "fast", "stalled", "epochs-calls", "epochs-threads", "epochs-fast"):
                continue
            clock_cases.on_clock(script, number)
            if whole:
                model = Model(*SIZES)
                records.from_script(script, model)
                records.read_back(script, model)
            text, _ = run.simulate(simulation, folder, name, script.lines, [*args, f"records={folder}/{name}.records"])
            need("PASS" in text, name, text)
            model, lost, booked, marks = records.check(name, folder, SIZES)
            need((marks > 10) == name.startswith("epochs"), name, "epochs", marks)
            print(f"{name}{number}: {model.aggregated} events aggregated; {marks} epochs ended; {booked} booked, {lost} lost")


def main():
    simulation, of_records, folder, chosen = values(__doc__, "simulation", "records", "out", rest="NUMBER", least=0)
    simulation, of_records = os.path.abspath(simulation), os.path.abspath(of_records)
    os.makedirs(folder, exist_ok=True)
    cases.Script.filtered = True
    watched.Machine.marks = False
    for number in map(int, chosen or (0, *clock_cases.NUMBERS)):
        cases.Script.data = True
        for name, script, args, balanced in clock_cases.programs(number):
            clock_cases.on_clock(script, number)
            trace(simulation, folder, name, script, args, balanced)
        machine = calls(number)
        clock_cases.on_clock(machine, number)
        trace(simulation, folder, f"watched{number}", machine, ["rate=1"], True)
        cases.Script.data = False
        if number in RECORDED:
            aggregated(of_records, folder, number)


if __name__ == "__main__":
    main()
