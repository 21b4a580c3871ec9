#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every way from one clock domain into another in a flattened netlist of gates: what is no known cell is an error.

usage: cdc.py NETLIST.json TOP CLOCK[=NET]... [--quiet]
       cdc.py --alone HIERARCHY.json TOP CLOCK MODULE    nothing but a cell of that module has the clock
A net after "=" belongs to that clock too (inputs that come with it, another name of it). Known cells are
  synchronised   the first flip-flop of a gnomon_sync2, each bit of which has one source in the other domain
  memory         a word of a memory written in one domain and read in the other, in a slot of a gnomon_usb_handover
  handed over    a register beside such a slot, written and read as the slot is: those of HANDED_OVER
Prints them, and everything else that crosses. Exit status 1 if there is something else."""
import json
import re
import sys

# Memories of such slots, and registers that describe one, within gnomon_usb (u_usb in the SoC): they
# change only while the other side does not look (gnomon_usb_handover.v).
MEMORIES = ("u_in.u_store.mem", "u_out.mem", "g_acm.u_out.mem")
HANDED_OVER = ("u_in.u_rep.is_short", "in_rep_length", "u_in.g_acm.u_acm.is_short", "in_acm_length")
GATE_INPUTS = ("A", "B", "C", "D", "S")


class Netlist:
    def __init__(self, path, top, clocks):
        with open(path, encoding="utf-8") as source:
            module = json.load(source)["modules"][top]
        self.names, self.domain_of, self.driver = {}, {}, {}
        for name, net in sorted(module["netnames"].items(), key=lambda item: (item[1]["hide_name"], len(item[0]))):
            for index, bit in enumerate(net["bits"]):
                self.names.setdefault(bit, (name, index))
        self.clock = {}  # bit of a clock's net -> its name
        for clock in clocks:
            first, *others = clock.split("=")
            for net in (first, *others):
                for bit in module["netnames"][net]["bits"]:
                    self.clock[bit] = first
        self.flipflops, self.memories = [], []
        for name, cell in module["cells"].items():
            kind, wires = cell["type"], cell["connections"]
            if kind.startswith("$_DFF_") or kind.startswith("$_SDFF"):
                self.flipflops.append((wires["Q"][0], wires["D"][0], self.clock.get(wires["C"][0], "unknown clock")))
                self.domain_of[wires["Q"][0]] = self.flipflops[-1][2]
            elif kind == "$mem_v2":
                self.memories.append((name, cell))
            elif kind.startswith("$_"):
                self.driver[wires["Y"][0]] = [wires[port][0] for port in GATE_INPUTS if port in wires]
            elif kind != "$scopeinfo":
                sys.exit(f"{name}: a {kind} in the netlist")
        for name, cell in self.memories:
            self.read_memory(name, cell)
        for bit, (name, _) in self.names.items():
            if bit not in self.domain_of and bit not in self.driver and not isinstance(bit, str):
                self.domain_of[bit] = self.clock.get(bit, f"input {name}")
        self.known = {}

    def read_memory(self, name, cell):
        """A read without a clock is its memory's word through gates: the domain is that of the writes, and its address counts, too."""
        wires, parameters = cell["connections"], cell["parameters"]
        width, ports = int(parameters["WIDTH"], 2), int(parameters["RD_PORTS"], 2)
        clocked = parameters["RD_CLK_ENABLE"][::-1]
        bits = int(parameters["ABITS"], 2)
        for port in range(ports):
            for bit in wires["RD_DATA"][port * width:(port + 1) * width]:
                if clocked[port] == "1":
                    self.domain_of[bit] = self.clock.get(wires["RD_CLK"][port], "unknown clock")
                else:
                    self.driver[bit] = [("word", name), *wires["RD_ADDR"][port * bits:(port + 1) * bits]]
        writers = {self.clock.get(bit, "unknown clock") for bit in wires["WR_CLK"]}
        if not writers:  # its words never change
            self.driver["word", name] = []
        self.domain_of["word", name] = " ".join(sorted(writers))

    def sources(self, bit):
        """The flip-flops, memories and inputs that a bit follows from through gates."""
        found, seen, work = set(), set(), [bit]
        while work:
            at = work.pop()
            if at in seen or at in ("0", "1", "x"):
                continue
            seen.add(at)
            if at in self.driver:
                work += self.driver[at]
            else:
                found.add(at)
        return found

    def name(self, bit):
        if isinstance(bit, tuple):
            return bit[1]
        name, index = self.names.get(bit, (str(bit), 0))
        return f"{name}[{index}]"


def plain(name):
    """As in the SoC, where the device is u_usb."""
    return re.sub(r"^u_usb\.", "", name)


def register_of(name):
    return re.sub(r"\[\d+\]$", "", name)


def check(netlist):
    """(known crossings, others): lists of lines."""
    good, bad = {}, []

    def judge(bit, clock, name):
        others = [s for s in netlist.sources(bit) if netlist.domain_of.get(s) != clock]
        if not others:
            return
        register = register_of(name)
        if re.search(r"(^|\.)s1$", register) and len(others) == 1:
            good.setdefault(("synchronised", clock, register), set()).add(register_of(netlist.name(others[0])))
            return
        for source in others:
            origin = plain(register_of(netlist.name(source)))
            if origin in MEMORIES + HANDED_OVER:
                kind = "memory" if origin in MEMORIES else "handed over"
                good.setdefault((kind, clock, register), set()).add(origin)
            else:
                bad.append(f"{netlist.name(source)} ({netlist.domain_of.get(source, '?')}) -> {name} ({clock})")

    for q, d, clock in netlist.flipflops:
        judge(d, clock, netlist.name(q))
    for name, cell in netlist.memories:
        wires = cell["connections"]
        writers = {netlist.clock.get(bit, "unknown clock") for bit in wires["WR_CLK"]}
        readers = {netlist.clock.get(bit, "unknown clock") for bit, used in zip(wires["RD_CLK"], cell["parameters"]["RD_CLK_ENABLE"][::-1]) if used == "1"}
        for side, clocks in (("WR", writers), ("RD", readers)):
            if len(clocks) > 1:
                bad.append(f"{name}: {side} ports have clocks {sorted(clocks)}")
            for port in ("ADDR", "EN", "DATA") if side == "WR" else ("ADDR", "EN"):
                for bit in wires[f"{side}_{port}"]:
                    if clocks:
                        judge(bit, min(clocks), f"{name} {side}_{port}")
        if readers and writers - readers and plain(name) in MEMORIES:
            good.setdefault(("memory", min(readers), name), set()).add(min(writers))
        elif readers and writers - readers:
            bad.append(f"{name}: written with {min(writers)}, read with {min(readers)}")
    return good, bad


def alone(path, top, clock, module):
    with open(path, encoding="utf-8") as source:
        hierarchy = json.load(source)["modules"][top]
    bits = set(hierarchy["netnames"][clock]["bits"])
    users = {name: cell["type"] for name, cell in hierarchy["cells"].items() if any(bits & set(net) for net in cell["connections"].values())}
    if len(users) != 1 or module not in next(iter(users.values())):
        sys.exit(f"{clock} goes to {users}")


def main():
    if len(sys.argv) == 6 and sys.argv[1] == "--alone":
        return alone(*sys.argv[2:])
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    good, bad = check(Netlist(sys.argv[1], sys.argv[2], [a for a in sys.argv[3:] if not a.startswith("--")]))
    if "--quiet" not in sys.argv:
        for (kind, clock, what), sources in sorted(good.items()):
            print(f"{kind:13} to {clock}: {what} from {', '.join(sorted(sources))}")
    for line in sorted(set(bad)):
        print(f"NOT KNOWN     {line}")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
