#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cone check: the signals of the SoC that the profiler's outputs can reach, over any number of cycles.

Reads a netlist of yosys (write_json) of gnomon_soc, flattened except for the core, the profiler, the USB device and the
host port. These instances are boundaries: a path ends at one of their inputs or at a port of the SoC. The check assumes
that every cell passes each input to each output, so it can only err on the safe side. Ends with status 1 if a profiler
output reaches more than the table permits.

usage: cone.py SOC.json          check the SoC
       cone.py PROFILE.json cycle  check that cycle_o of gnomon_profile depends only on clock and resets
"""
import collections
import json
import sys

# Allowed destinations of each output: inputs of the core, of the USB device, of the host port.
ALLOWED = {
    "irq_o": {"core.irq_profile_i"},
    "overflow_o": {"core.irq_overflow_i"},
    "hpm_rdata_o": {"core.hpm_rdata_i"},
    # Read data of registers go over the bus to the core, and to the host port, which sends them to the host.
    "reg_rdata_o": {"core.d_rsp_rdata_i", "host.h_rsp_rdata_i"},
    # The counter of record depends only on the resets (a separate check); SYSCTL shows it, the timer compares it.
    "cycle_o": {"core.d_rsp_rdata_i", "host.h_rsp_rdata_i", "core.irq_timer_i"},
    "trace_valid_o": {"usb.trace_valid_i"},
    "trace_data_o": {"usb.trace_data_i"},
}
BOUNDARIES = {"gnomon_core": "core", "gnomon_profile": "profile", "gnomon_usb": "usb", "gnomon_hostport": "host"}


def base_name(module):
    """Returns gnomon_core for $paramod...\\gnomon_core\\..."""
    for part in module.replace("/", "\\").split("\\"):
        if part in BOUNDARIES:
            return BOUNDARIES[part]
    return None


def load(path):
    with open(path, encoding="utf-8") as f:
        modules = json.load(f)["modules"]
    tops = [m for m in modules.values() if int(m["attributes"].get("top", "0"), 2)]
    assert len(tops) == 1, "one top module is wanted"
    return tops[0], modules


def directions(cell, modules):
    if "port_directions" in cell:
        return cell["port_directions"]
    return {name: port["direction"] for name, port in modules[cell["type"]]["ports"].items()}


def soc(path):
    top, modules = load(path)
    drives = collections.defaultdict(list)  # wire -> cells that read it
    ends = collections.defaultdict(set)  # wire -> boundary inputs and SoC outputs
    outputs = collections.defaultdict(list)  # cell -> wires that it drives
    sources = {}
    for name, cell in top["cells"].items():
        who = base_name(cell["type"])
        for port, wires in cell["connections"].items():
            direction = directions(cell, modules)[port]
            for wire in wires:
                if direction == "input" and who:
                    ends[wire].add(f"{who}.{port}")
                elif direction == "input":
                    drives[wire].append(name)
                elif who == "profile":
                    sources.setdefault(port, []).append(wire)
                elif not who:
                    outputs[name].append(wire)
    for name, port in top["ports"].items():
        if port["direction"] == "output":
            for wire in port["bits"]:
                ends[wire].add(f"soc.{name}")
    assert set(sources) == set(ALLOWED), f"ports of the profiler: {sorted(sources)}"

    good = True
    for port, wires in sorted(sources.items()):
        seen, reached, work = set(), set(), [w for w in wires if isinstance(w, int)]
        while work:
            wire = work.pop()
            if wire in seen:
                continue
            seen.add(wire)
            reached |= ends[wire]
            for cell in drives[wire]:
                work.extend(w for w in outputs[cell] if isinstance(w, int) and w not in seen)
        extra = reached - ALLOWED[port]
        print(f"{port}: {len(seen)} wires, reaches {', '.join(sorted(reached)) or 'nothing'}")
        if extra:
            print(f"  NOT ALLOWED: {', '.join(sorted(extra))}")
            good = False
    return good


def cycle(path):
    top, modules = load(path)
    driver = {}
    inputs = collections.defaultdict(list)
    for name, cell in top["cells"].items():
        for port, wires in cell["connections"].items():
            for wire in wires:
                if directions(cell, modules)[port] == "input":
                    inputs[name].append(wire)
                else:
                    driver[wire] = name
    names = {wire: name for name, port in top["ports"].items() if port["direction"] == "input" for wire in port["bits"]}
    seen, reached, work = set(), set(), list(top["ports"]["cycle_o"]["bits"])
    while work:
        wire = work.pop()
        if wire in seen or not isinstance(wire, int):
            continue
        seen.add(wire)
        if wire in names:
            reached.add(names[wire])
        work.extend(inputs.get(driver.get(wire), []))
    print(f"cycle_o depends on {', '.join(sorted(reached))}")
    return reached == {"clk_i", "hart_rst_i"}


def main():
    good = cycle(sys.argv[1]) if sys.argv[2:] == ["cycle"] else soc(sys.argv[1])
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
