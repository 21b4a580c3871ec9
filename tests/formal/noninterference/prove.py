#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two copies of the SoC whose profilers differ in settings and contents: everything else must be equal in
every cycle, forever.

Reads the SoC as gates (prove.sh): AND, NOT, flip-flops; profiler, USB device, host port and memories are boxes. Both
copies begin a cycle in the same state (RELATION lists the registers that may differ, and when) with the same inputs;
the profiler's outputs are arbitrary within limits(). The proof shows that both copies end the cycle in the same state,
with equal outputs. This is the step of an induction, from any state, reachable or not; memories with the same accesses
have the same contents. If a literal is not one node for both copies after hashing, a SAT solver compares them.
docs/verification/formal.md, "Non-interference".

With two harts each has a profiler, and the rules hold for each hart. The merger of the traces is a box, too.

usage: prove.py SOC.json ABC SCRATCH_FILE
"""
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[3]
sys.path.append(str(ROOT / "tools"))
sys.dont_write_bytecode = True

import gen_observation
from graph import FALSE, TRUE, Graph

PROFILE, USB, HOST, RAM, MEMORY, MERGE = "gnomon_profile", "gnomon_usb", "gnomon_hostport", "gnomon_ram", "memory_box", "gnomon_trace_merge"
# Outputs of boxes that may differ between the copies. All other outputs are equal, because the proof shows that the
# inputs of the boxes are.
DIFFER = {PROFILE: {"hpm_rdata_o", "reg_rdata_o", "irq_o", "overflow_o", "trace_valid_o", "trace_data_o"}, USB: {"trace_ready_o"}, MERGE: {"ready_o", "valid_o", "data_o"}}
# Inputs of boxes that may differ: the trace and the host's read data. The host's reaction is an input of the whole
# model.
FREE = {PROFILE: {"trace_ready_i"}, USB: {"trace_valid_i", "trace_data_i"}, HOST: {"h_rsp_rdata_i"}, MERGE: {"ready_i", "valid_i", "data_i"}}
# Inputs of boxes that count only while a bit of each of these inputs is 1; for memories, the bit of wr_en.
ENABLED = {(PROFILE, "hpm_wdata_i"): ["hpm_write_i"]}
# The same for fields of the observation bundle, which other fields enable.
BUNDLE = "obs_i"
FIELDS_ENABLED = {"mem_wdata": ["valid", "mem_wmask"], **{value: ["valid"] for value in ("rs1_rdata", "rs2_rdata", "rd_wdata", "mem_rdata", "pc_wdata")}}
# Registers that must be equal only while a condition holds, a sum of products of other registers (~: inverted): a
# pending interrupt that is not enabled, the last word of the profiler's registers, and values that belong to no
# instruction. Registers that a configuration does not have are skipped.
RELATION = [
    ("u_csr.pending[3]", "u_csr.enable[3]"),
    ("u_csr.overflow_pending", "u_csr.overflow_enable"),
    ("u_core.m_result", "u_core.m_valid | u_lsu.m_open"),
    ("u_core.w_result", "u_core.w_valid & ~u_core.w_trap & ~u_core.w_enter | u_core.w_write"),
    ("u_late.a", "u_core.m_valid"),
    ("u_late.b", "u_core.m_valid"),
    ("u_obs.m_rs1_value", "u_core.m_valid"),
    ("u_obs.m_rs2_value", "u_core.m_valid"),
    ("u_obs.w_rs1_value", "u_core.w_valid"),
    ("u_obs.w_rs2_value", "u_core.w_valid"),
    ("u_obs.w_pc_next", "u_core.w_valid"),
    ("u_interconnect.g_late.word", "u_interconnect.g_late.d_age[2]"),
    ("u_predict.v_history", "u_predict.u_again"),
    ("u_predict.v_went", "u_predict.v_valid"),
    ("u_predict.v_next", "u_predict.v_valid"),
    ("u_predict.v_same_next", "u_predict.v_valid"),
    ("u_predict.v_read_next", "u_predict.v_count"),
    ("u_predict.v_last_counted", "u_predict.v_same | u_predict.v_same_next"),
]
# What belongs to hart 1 begins so; everything else counts as hart 0's.
HART1 = "g_two_harts.u_second_hart."
# Memories whose read data often do not matter: the copies may read different addresses and words.
READ = ["u_predict.counters_after"]
# Products that are 0 in every reachable state.
NEVER = [
    "u_core.m_valid & u_core.m_load & ~u_core.m_trap & ~u_core.m_enter_debug & ~u_lsu.m_open",
    "u_core.m_valid & u_core.m_write & u_core.m_trap",
    "u_core.m_valid & u_core.m_write & u_core.m_enter_debug",
    "u_core.x_valid & u_core.x_write & u_core.x_enter_debug",
    "u_core.x_valid & u_core.x_write & u_core.x_trap",
    "u_core.x_valid & u_core.x_refetch & u_core.x_late",
    "u_core.m_load & atomic.hold",
    "u_core.m_load & atomic.check",
    "u_core.m_clear & u_core.m_load",
    *(f"u_core.m_clear & u_late.{select}" for select in ("sum", "less", "bitwise", "shift")),
    "u_predict.u_valid & u_late.branch & ~u_core.m_valid",
    "u_predict.v_count & ~u_predict.v_valid",
    "u_core.x_valid & u_core.x_load & u_core.x_csr",
    "u_core.x_valid & u_core.x_store & u_core.x_csr",
    "u_core.x_valid & u_core.x_load & u_core.x_refetch",
    "u_core.x_valid & u_core.x_store & u_core.x_refetch",
]
# Of the load-store unit of an only hart, which alone waits for the data port. With two harts this needs facts of the
# arbiter, but an offered store comes from registers that are always equal, so the step does not need it.
NEVER_ALONE = ["u_lsu.m_offer & ~u_lsu.m_open"]
# With a data cache: its open access is the one that M waits for. Without atomic instructions, of which some load and
# store.
CACHE = "u_dcache.g_cache"
NEVER_CACHED = [
    f"{CACHE}.l_valid & ~u_lsu.m_open",
    f"{CACHE}.l_valid & u_lsu.m_offer",
    f"{CACHE}.l_valid & {CACHE}.l_write & u_core.m_load",
    f"{CACHE}.l_valid & {CACHE}.clearing",
    f"{CACHE}.l_asked & ~{CACHE}.l_valid",
    "u_lsu.m_open & u_lsu.m_write & u_core.m_load",
    "u_core.x_valid & u_core.x_load & u_core.x_store",
]
# x waits for the instruction in M, which will deliver the operand
for wait in ("u_core.x_valid & u_core.x_wait_a", "u_core.x_valid & u_core.x_wait_b"):
    NEVER += [f"{wait} & ~u_core.m_valid", f"{wait} & ~u_core.m_write & ~u_core.m_trap & ~u_core.m_enter_debug"]
    NEVER += [f"{wait} & u_core.{other}" for other in ("x_csr", "x_div", "x_fence_i", "x_wfi", "x_load", "x_store")]


def hart_of(name):
    return int(name.startswith(HART1))


SHOWN = 20  # number of differences shown, all of one example


def directions(cell, modules):
    if cell["type"] == MEMORY:
        return {port: "output" if port == "rd_data" else "input" for port in cell["connections"]}
    return {name: port["direction"] for name, port in modules[cell["type"]]["ports"].items()}


class Soc:
    """The netlist: gates and registers by their output wire, and the compared outputs."""

    def __init__(self, path):
        header = (ROOT / "rtl/core/gnomon_obs.vh").read_text(encoding="utf-8")
        self.fields, self.first = gen_observation.fields(header), gen_observation.profiled(header)
        with open(path, encoding="utf-8") as file:
            modules = json.load(file)["modules"]
        top = modules["gnomon_soc"]
        self.wires = {name: net["bits"] for name, net in top["netnames"].items()}
        self.harts = (0, 1) if any(map(hart_of, self.wires)) else (0,)
        self.ends = collections.defaultdict(list)  # by hart and last part of the name
        for name, bits in self.wires.items():
            self.ends[hart_of(name), name.split(".")[-1]].append((name, tuple(bits)))
        self.gates, self.registers, self.differing, self.leaving, self.reads = {}, {}, {}, [], []
        for name, cell in top["cells"].items():
            pins, kind = cell["connections"], cell["type"]
            if kind in ("$_AND_", "$_NOT_"):
                self.gates[pins["Y"][0]] = [pins[pin][0] for pin in "AB" if pin in pins]
            elif kind in ("$_DFF_P_", "$_DFF_N_"):
                self.registers[pins["Q"][0]] = pins["D"][0]
            else:
                self.take_box(name, kind, pins, directions(cell, modules))
        for name, port in top["ports"].items():
            if port["direction"] == "output":
                # The bundle is also an input of the profiler, and what the profiler sees of it is compared there.
                self.leaving += [(f"output {name}[{i}]", wire, []) for i, wire in enumerate(port["bits"]) if not name.startswith("obs_")]
        self.drop_unseen()
        self.names = {}
        for name, bits in sorted(self.wires.items(), key=lambda item: (item[0].startswith("$"), item[0].count("."))):
            for i, wire in enumerate(bits):
                self.names.setdefault(wire, f"{name}[{i}]")

    def drop_unseen(self):
        """Drops the registers that lead to nothing that is compared: those of the bundle's fields that the profiler does not see."""
        seen, work = set(), [wire for _, wire, _ in self.leaving] + [wire for address, _ in self.reads for wire in address]
        while work:
            wire = work.pop()
            if wire not in seen:
                seen.add(wire)
                work += self.gates.get(wire, [])
                if wire in self.registers:
                    work.append(self.registers[wire])
        self.registers = {wire: after for wire, after in self.registers.items() if wire in seen}

    def take_box(self, name, kind, pins, direction):
        box = next(known for known in (PROFILE, USB, HOST, RAM, MEMORY, MERGE) if known in kind)
        if any(name.endswith("." + memory) for memory in READ):
            self.reads.append((pins.pop("rd_addr"), pins.pop("rd_data")))
        for port, wires in pins.items():
            if direction[port] == "output":
                if port in DIFFER.get(box, ()):
                    self.differing.update({wire: (hart_of(name), port, i) for i, wire in enumerate(wires)})
            elif port not in FREE.get(box, ()):
                enables = [pins[enable] for enable in ENABLED.get((box, port), [])]
                for i, wire in enumerate(wires):
                    if (box, port) == (MEMORY, "wr_data"):
                        enables = [[pins["wr_en"][i]]]
                    elif port == BUNDLE:
                        enables = [self.field(wires, enable) for enable in FIELDS_ENABLED.get(self.field_name(i), [])]
                    self.leaving.append((f"{name}.{port}[{i}]", wire, enables))

    def field(self, bundle, name):
        """The wires of a field of the observation bundle, in the part that the profiler sees."""
        low, width = self.fields[name]
        return bundle[low - self.first:low - self.first + width]

    def field_name(self, place):
        """The name of the field that a wire of that part belongs to."""
        return next(name for name, (low, width) in self.fields.items() if low <= place + self.first < low + width)

    def named(self, name, hart):
        """The words of a hart that have that name, or a name with that end."""
        return {bits for wire, bits in self.ends[hart, name.split(".")[-1]] if wire == name or wire.endswith("." + name)}

    def has(self, name, hart):
        return bool(self.named(name.split("[")[0], hart))

    def word(self, name, hart=0):
        """The wires of that name, or of the only name with that end; with [i] one wire."""
        name, bit = re.fullmatch(r"(.*?)(?:\[(\d+)\])?", name).groups()
        found = self.named(name, hart)
        assert len(found) == 1, f"{len(found)} wires {name}"
        bits = list(found.pop())
        return bits if bit is None else [bits[int(bit)]]


class Copies:
    """Both copies in one graph: leaves are the inputs and the state."""

    def __init__(self, soc, graph):
        self.soc, self.graph = soc, graph
        self.own = {wire for hart in soc.harts for name, _ in RELATION if soc.has(name, hart) for wire in soc.word(name, hart)}
        self.own.update(wire for _, data in soc.reads for wire in data)
        self.values = [{"0": FALSE, "1": TRUE, "x": FALSE} for _ in range(2)]
        self.shared = collections.defaultdict(graph.leaf)

    def wire(self, copy, wire):
        """The literal of a wire in a copy."""
        values, gates, work = self.values[copy], self.soc.gates, [wire]
        while work:
            top = work[-1]
            if top in values:
                work.pop()
            elif top in gates:
                todo = [w for w in gates[top] if w not in values]
                work += todo
                if not todo:
                    ins = [values[w] for w in gates[work.pop()]]
                    values[top] = self.graph.land(*ins) if len(ins) == 2 else ins[0] ^ 1
            elif top in self.soc.differing or top in self.own:
                values[work.pop()] = self.graph.leaf()
            else:
                values[work.pop()] = self.shared[top]
        return values[wire]

    def word(self, copy, name, after=False, hart=0):
        """The literals of a word; for registers with `after`, of the next cycle."""
        return [self.wire(copy, self.soc.registers[wire] if after and wire not in ("0", "1") else wire) for wire in self.soc.word(name, hart)]

    def port(self, copy, name, hart):
        """The literals of an output of a hart's profiler."""
        wires = {i: wire for wire, (of, port, i) in self.soc.differing.items() if (of, port) == (hart, name)}
        return [self.wire(copy, wires[i]) for i in range(len(wires))]

    def condition(self, copy, text, after, hart):
        """The literal of a sum of products of registers."""
        g, terms = self.graph, []
        for product in text.split("|"):
            factors = [factor.strip() for factor in product.split("&")]
            inverted = [factor[0] == "~" for factor in factors]
            names = [factor.lstrip("~") for factor in factors]
            if all(self.soc.has(name, hart) for name in names):
                terms.append(g.all(self.word(copy, name, after, hart)[0] ^ invert for name, invert in zip(names, inverted)))
        return g.any(terms)

    def related(self, after):
        """Name and literal of each rule of RELATION, now or in the next cycle."""
        for hart in self.soc.harts:
            for name, condition in RELATION:
                if self.soc.has(name, hart):
                    same = self.graph.equal(*(self.word(copy, name, after, hart) for copy in (0, 1)))
                    yield name, self.graph.implies(self.condition(0, condition, after, hart), same)

    def invariants(self, after, hart):
        """Name and literal of each rule of NEVER, in both copies."""
        for copy in (0, 1):
            for text in NEVER + NEVER_ALONE * (len(self.soc.harts) == 1) + NEVER_CACHED * self.soc.has(f"{CACHE}.l_valid", hart):
                yield f"never {text}", self.condition(copy, text, after, hart) ^ 1
            cleared = self.graph.is_value(self.word(copy, "u_core.m_result", after, hart), 0)
            yield "what clears the registers is 0", self.graph.implies(self.condition(copy, "u_core.m_clear", after, hart), cleared)

    def all_invariants(self, after):
        return [rule for hart in self.soc.harts for rule in self.invariants(after, hart)]


def limits(copies):
    """The assumptions about the profilers' outputs, and the events that end the comparison."""
    g, both = copies.graph, (0, 1)
    for address, data in copies.soc.reads:
        same_address, same = (g.equal(*([copies.wire(copy, wire) for wire in wires] for copy in both)) for wires in (address, data))
        yield g.implies(same_address, same)
    for hart in copies.soc.harts:
        yield from hart_limits(copies, hart)


def hart_limits(copies, hart):
    """The same of one hart's profiler."""
    g, both = copies.graph, (0, 1)
    # The profiler's registers read 0 if they were not selected in the previous cycle. A read by the hart ends the
    # comparison, in the cycle in which the bus takes the word.
    selected = g.leaf()
    for copy in both:
        yield g.lor(selected, g.is_value(copies.port(copy, "reg_rdata_o", hart), 0))
    late = "u_interconnect.g_late.d_age[1]"
    yield g.land(selected, copies.word(0, late if copies.soc.has(late, 0) else "u_interconnect.r_d")[0]) ^ 1
    # mcycle, minstret and time are equal when their value arrives. A read of another counter by the hart ends the
    # comparison.
    arrives = g.land(copies.word(0, "u_csr.count_access", hart=hart)[0], copies.word(0, "u_csr.phase", hart=hart)[1])
    yield g.implies(arrives, g.equal(*(copies.port(copy, "hpm_rdata_o", hart) for copy in both)))
    # An enabled interrupt that comes in one copy only ends the comparison, and so does a read of mip.
    for enable, pending, port in ("u_csr.enable[3]", "u_csr.pending[3]", "irq_o"), ("u_csr.overflow_enable", "u_csr.overflow_pending", "overflow_o"):
        enabled = g.lor(copies.word(0, enable, hart=hart)[0], copies.word(0, enable, True, hart)[0])
        yield g.implies(enabled, g.equal(*(copies.port(copy, port, hart) for copy in both)))
        yield g.implies(enabled, g.equal(*(copies.word(copy, pending, hart=hart) for copy in both)))
    yield g.land(copies.word(0, "u_csr.x_csr_i", hart=hart)[0], g.is_value(copies.word(0, "u_csr.addr", hart=hart), 0x344)) ^ 1


def compared(soc, copies):
    """Name and literal of everything that must hold at the end of the cycle."""
    g = copies.graph
    yield from copies.related(True)
    yield from copies.all_invariants(True)
    for name, wire, enables in soc.leaving:
        counts = g.all(g.any(copies.wire(0, enable) for enable in bits) for bits in enables)
        yield name, g.implies(counts, g.equal([copies.wire(0, wire)], [copies.wire(1, wire)]))
    for wire, after in soc.registers.items():
        if wire not in copies.own:
            yield f"register {soc.names[wire]}", g.equal([copies.wire(0, after)], [copies.wire(1, after)])


def violated(graph, given, ends, solver):
    """The ends that are false in an example in which `given` holds; none if all follow from it."""
    example = graph.example(graph.land(given, graph.all({literal for _, literal in ends}) ^ 1), *solver)
    if example is None:
        return []
    value = graph.values(example)
    false = [name for name, literal in ends if not value[literal >> 1] ^ literal & 1]
    assert false and value[given >> 1] ^ given & 1, "the solver's example is none"
    return false


def main():
    path, *solver = sys.argv[1:]
    soc, g = Soc(path), Graph()
    copies = Copies(soc, g)
    before = g.all([*limits(copies), *(literal for _, literal in [*copies.related(False), *copies.all_invariants(False)])])
    ends = list(compared(soc, copies))
    print(f"{path}: {len(ends)} ends, of which {sum(literal != TRUE for _, literal in ends)} see something of the profiler")

    wrong = [f"may differ: {name}" for name in violated(g, before, ends, solver)]
    for hart in soc.harts:
        # The invariants begin with the hart's reset, from any earlier state.
        reset = copies.word(0, "u_core.rst_i", hart=hart)[0]
        wrong += [f"not after reset: {name}" for name in violated(g, reset, list(copies.invariants(True, hart)), solver)]
        # The comparison is not empty: there is a cycle within the limits in which the profilers differ.
        if g.never(g.land(before, g.equal(*(copies.port(copy, "hpm_rdata_o", hart) for copy in (0, 1))) ^ 1), *solver):
            wrong.append("the limits leave nothing")
    for line in wrong[:SHOWN]:
        print(" ", line)
    print(f"{len(wrong)} or more differ" if wrong else "equal for all time")
    sys.exit(wrong != [])


if __name__ == "__main__":
    main()
