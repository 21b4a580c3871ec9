#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benches of gnomon_profile: writes stimuli, runs a simulation of tb_profile, checks the trace.

usage: run.py --simulation FILE --out FOLDER --config NAME [CASE...]   (FILE: a vvp file or an executable)
"""
import os
import subprocess
import sys

import bus_cases
import cases
import word_cases
from gnomon_trace import FRAME_BYTES
from options import values
from trace_check import Decoder, check_run, start


COLUMNS = 9  # of the stimuli
CASES = {**cases.CASES, "traffic": bus_cases.traffic, "words": word_cases.words, "interrupts": word_cases.interrupts,
         "long_waits": word_cases.long_waits}


def simulate(simulation, folder, name, lines, args):
    stimulus, out = os.path.join(folder, name + ".stimulus"), os.path.join(folder, name + ".hex")
    with open(stimulus, "w", encoding="ascii") as f:
        for line in (*lines, ()):
            f.write(" ".join("%x" % v for v in (*line, *[0] * (COLUMNS - len(line)))) + "\n")
    command = [simulation] if not simulation.endswith(".vvp") else ["vvp", "-n", simulation]
    command += ["+stimulus=" + stimulus, "+out=" + out] + ["+" + a for a in args]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    with open(out, encoding="ascii") as f:
        return text, bytes.fromhex("".join(f.read().split()))


def cut_short(script, cycle):
    """END with how = 2 in that cycle; later events were not captured. (Every instruction of the script is an event.)"""
    retired = sum(1 for event in script.made if event[1] <= cycle)
    script.made = [event for event in script.made if event[1] < cycle]
    script.made.append(("end", cycle, None, {"status": 0, "how": 2, "instructions": retired}))


def run_case(simulation, folder, config, case):
    for name, script, args, balanced in CASES[case](config):
        text, data = simulate(simulation, folder, name, script.lines, args)
        if "PASS" not in text:
            print(text)
            return False
        if not script.made:
            if data:
                print(f"{name}: {len(data)} bytes, though nothing is traced")
                return False
            print(f"{name}: {text.strip()}")
            continue
        # The last run. Output before a reset of the hart also consists of whole frames.
        last = max(i for i in range(0, len(data), FRAME_BYTES) if data[i:i + 8] == start(script.data))
        decoder = Decoder(stacked=1 << (20 if config == "full" else 15), data=script.data)
        got = decoder.run(data[last:])
        if script.gives_up:
            cut_short(script, got[-1][1])
        if config != "full":
            script.made[0] = (*script.made[0][:3], 0)  # BEGIN without its address
        received = check_run(script.made, got, balanced)
        missing = [f for f in script.want_forms if f not in decoder.forms]
        if missing or (script.want_lost is not None and script.want_lost != (decoder.lost > 0)):
            print(f"{name}: lost {decoder.lost}, no record of form {missing}; {decoder.forms}")
            return False
        functions = max(1, decoder.functions)
        print(f"{name}: {received} events received, {decoder.lost} lost, {len(data) - last} bytes; "
              f"{decoder.bytes_of_functions / functions:.3f} bytes a record of enter or exit, "
              f"{(len(data) - last) / functions:.3f} with all else; {text.strip()}")
    return True


def main():
    simulation, folder, config, names = values(__doc__, "simulation", "out", "config", rest="CASE", least=0)
    simulation = os.path.abspath(simulation)
    os.makedirs(folder, exist_ok=True)
    cases.Script.filtered = config.startswith("bus")
    cases.Script.data = config == "bus"
    word_cases.Words.places_log2 = 10 if config == "bus" else 6
    config = {"bus": "full", "bus-narrow": "mid"}.get(config, config)
    cases.Script.number_bits = cases.NUMBER_BITS[config]
    cases.Script.snooped = config != "small"
    results = [run_case(simulation, folder, config, case) for case in names or CASES]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
