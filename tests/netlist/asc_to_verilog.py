#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts an iCE40 bitstream to Verilog of yosys' cells: logic, carries, flip-flops, block RAM, SPRAM, DSP blocks
and pins, connected as the routing bits say. The only inputs are the bits and the names of the pins.

usage: asc_to_verilog.py --icebox FOLDER --asc FILE --package NAME --pcf FILE --top NAME > FILE.v

icebox: the folder of icestorm's icebox.py, which decodes the bits."""
import re
import sys

from options import values

OFF, ON = "1'b0", "1'b1"
PLAIN_INPUT = 1  # PIN_TYPE of an input without a register, which never drives


class Chip:
    """The bits of a chip, and the nets that they make."""

    def __init__(self, icebox, path):
        self.icebox = icebox
        self.config = icebox.iceconfig()
        self.config.read_file(path)
        self.net_of = {}
        for number, segments in enumerate(sorted(self.config.group_segments())):
            for segment in segments:
                self.net_of[segment] = f"n{number}"
        self.text = []
        self.driven = set()
        self.counts = {}
        self.ends = {}  # kind of tile: wires in its routing

    def source(self, x, y, name, default=OFF):
        """Returns the net at an input, or the value of an unconnected input."""
        return self.net_of.get((x, y, name), default)

    def sink(self, x, y, name):
        """The net at an output; empty if nothing is connected."""
        net = self.net_of.get((x, y, name), "")
        if net in self.driven:
            raise SystemExit(f"net {net} has two drivers, one of them {name} at {x} {y}")
        if net:
            self.driven.add(net)
        return net

    def inner(self, x, y, name):
        """Returns a wire within a tile, which exists even if the routing does not use it."""
        return self.net_of.setdefault((x, y, name), "w_" + re.sub(r"\W", "_", f"{x}_{y}_{name}"))

    def bits(self, x, y, kind):
        """Configuration bits of a tile: name to truth."""
        tile = self.icebox.tileconfig(self.config.tile(x, y))
        return {e[2]: tile.match(e[0]) for e in self.config.tile_db(x, y) if e[1] == kind}

    def reaches(self, x, y, name):
        """Whether the routing of this tile can end or begin at this wire."""
        kind = self.config.tile_type(x, y)
        if kind not in self.ends:
            entries = self.config.tile_db(x, y)
            self.ends[kind] = {n for e in entries if e[1] in ("buffer", "routing") for n in e[2:4]}
        return name in self.ends[kind]

    def cell(self, kind, name, parameters, ports):
        self.counts[kind] = self.counts.get(kind, 0) + 1
        given = ", ".join(f".{k}({v})" for k, v in parameters.items())
        pins = ", ".join(f".{k}({v})" for k, v in ports.items())
        self.text.append(f"{kind} #({given}) {name} ({pins});" if given else f"{kind} {name} ({pins});")

    def assign(self, net, value):
        self.text.append(f"assign {net} = {value};")


def vector(nets):
    """The nets, lowest first, as a Verilog vector."""
    return "{" + ", ".join(reversed(nets)) + "}"


def logic_cell(chip, x, y, i, tile):
    icebox = chip.icebox
    carry, register, preset, asynchronous = (bit == "1" for bit in icebox.get_lutff_seq_bits(tile, i))
    out, lut_out = (x, y, f"lutff_{i}/out"), (x, y, f"lutff_{i}/lout")
    inputs = [chip.source(x, y, f"lutff_{i}/in_{n}") for n in range(4)]
    if carry:
        before = chip.inner(x, y, "carry_in_mux" if i == 0 else f"lutff_{i - 1}/cout")
        chip.cell("SB_CARRY", f"carry_{x}_{y}_{i}", {},
                  {"I0": inputs[1], "I1": inputs[2], "CI": before, "CO": chip.inner(x, y, f"lutff_{i}/cout")})
        chip.driven.add(chip.inner(x, y, f"lutff_{i}/cout"))
    if out not in chip.net_of and lut_out not in chip.net_of:
        return
    table = "".join(reversed(icebox.get_lutff_lut_bits(tile, i)))
    q = chip.sink(*out) if out in chip.net_of else ""
    d = chip.inner(*lut_out)
    chip.driven.add(d)
    chip.cell("SB_LUT4", f"lut_{x}_{y}_{i}", {"LUT_INIT": f"16'b{table}"},
              {**{f"I{n}": net for n, net in enumerate(inputs)}, "O": d})
    if not register:
        if q:
            chip.assign(q, d)
        return
    enable, reset = (chip.source(x, y, f"lutff_global/{name}", "") for name in ("cen", "s_r"))
    ports = {"Q": q, "C": chip.source(x, y, "lutff_global/clk"), "D": d}
    kind = "SB_DFF" + ("N" if icebox.get_negclk_bit(tile) == "1" else "")
    if enable:
        kind, ports["E"] = kind + "E", enable
    if reset:
        kind += ("" if asynchronous else "S") + ("S" if preset else "R")
        ports["S" if preset else "R"] = reset
    chip.cell(kind, f"ff_{x}_{y}_{i}", {}, ports)


def logic_tile(chip, x, y, tile):
    mux = (x, y, "carry_in_mux")
    # A constant, not the carry of the tile below.
    if chip.icebox.get_carry_cascade_bit(tile) == "0":
        uses = any(chip.icebox.get_lutff_seq_bits(tile, i)[0] == "1" for i in range(1))
        if uses or mux in chip.net_of:
            chip.assign(chip.inner(*mux), f"1'b{chip.icebox.get_carry_bit(tile)}")
            chip.driven.add(chip.inner(*mux))
    for i in range(8):
        logic_cell(chip, x, y, i, tile)


def block_ram(chip, x, y):
    """A block RAM lies in two tiles; the tile of a port has the port's clock bit."""
    config = {**chip.bits(x, y, "RamConfig"), **chip.bits(x, y + 1, "RamConfig")}
    ports = {}
    used = False
    clocks = {}
    for name, width in (("WADDR", 11), ("RADDR", 11), ("MASK", 16), ("WDATA", 16), ("RDATA", 16), ("WE", 0), ("WCLKE", 0),
                        ("WCLK", 0), ("RE", 0), ("RCLKE", 0), ("RCLK", 0)):
        nets = []
        for bit in range(max(width, 1)):
            wire = f"ram/{name}_{bit}" if width else f"ram/{name}"
            row = y if chip.reaches(x, y, wire) else y + 1
            if name in ("WCLK", "RCLK"):
                clocks[name] = chip.icebox.get_negclk_bit(chip.config.tile(x, row)) == "1"
            if name == "RDATA":
                net = chip.sink(x, row, wire)
                used |= net != ""
                if not net:
                    net = chip.inner(x, row, wire)
            else:
                net = chip.source(x, row, wire, ON if name in ("WCLKE", "RCLKE") else OFF)
            nets.append(net)
        ports[name] = vector(nets) if width else nets[0]
    if not used:
        return
    parameters = {"READ_MODE": config["CBIT_2"] + 2 * config["CBIT_3"], "WRITE_MODE": config["CBIT_0"] + 2 * config["CBIT_1"]}
    if (x, y) in chip.config.ram_data:
        parameters.update({f"INIT_{i:X}": f"256'h{line}" for i, line in enumerate(chip.config.ram_data[(x, y)])})
    kind = "SB_RAM40_4K" + ("NR" if clocks["RCLK"] else "") + ("NW" if clocks["WCLK"] else "")
    for name in clocks:
        if clocks[name]:
            ports[name + "N"] = ports.pop(name)
    chip.cell(kind, f"ram_{x}_{y}", parameters, ports)


def spram(chip, place, wires):
    x, y, bit = wires["SPRAM_EN"]
    if not chip.bits(x, y, "IpConfig")[bit]:
        return
    ports = {p: chip.source(*wires[p]) for p in ("CLOCK", "CHIPSELECT", "WREN", "STANDBY", "SLEEP", "POWEROFF")}
    for port, width in (("ADDRESS", 14), ("DATAIN", 16), ("MASKWREN", 4)):
        ports[port] = vector([chip.source(*wires[f"{port}_{i}"]) for i in range(width)])
    outputs = [wires[f"DATAOUT_{i}"] for i in range(16)]
    ports["DATAOUT"] = vector([chip.sink(*o) or chip.inner(*o) for o in outputs])
    chip.cell("SB_SPRAM256KA", "spram_%d_%d_%d" % place, {}, ports)


def dsp(chip, x, y):
    wires = chip.config.get_dsp_nets_db(x, y)
    outputs = [wires[f"O_{i}"] for i in range(32)]
    if not any(o in chip.net_of for o in outputs + [wires["CO"]]):
        return
    values = {}
    for key, (cx, cy, bit) in chip.config.get_dsp_config_db(x, y).items():
        parameter, index = re.fullmatch(r"(.*?(?:SELECT|LOWERINPUT))_([01])", key).groups() if key[-2:] in ("_0", "_1") else (key, 0)
        values[parameter] = values.get(parameter, 0) | chip.bits(cx, cy, "IpConfig")[bit] << int(index)
    ports = {}
    for port, wire in wires.items():
        if not re.fullmatch(r"[ABCDO]_\d+|CO", port):
            ports[port] = chip.source(*wire, ON if port == "CE" else OFF)
    for port in "ABCD":
        ports[port] = vector([chip.source(*wires[f"{port}_{i}"]) for i in range(16)])
    ports["O"] = vector([chip.sink(*o) or chip.inner(*o) for o in outputs])
    ports["CO"] = chip.sink(*wires["CO"])
    ports.update(ACCUMCI=OFF, SIGNEXTIN=OFF)  # chains between DSP blocks, which cannot be routed
    chip.cell("SB_MAC16", f"dsp_{x}_{y}", {k: f"2'd{v}" if v > 1 or "SELECT" in k or "LOWER" in k else v for k, v in values.items()}, ports)


def pins(chip, package, pcf):
    """Creates the pads that the constraints name. Returns the ports."""
    places = {entry[0]: entry[1:4] for entry in chip.config.pinloc_db(package)}
    ports = []
    with open(pcf, encoding="ascii") as file:
        named = [line.split()[1:3] for line in file if line.startswith("set_io")]
    for name, pin in named:
        x, y, z = places[pin]
        types = chip.bits(x, y, f"IOB_{z}")
        kind = sum(types[f"PINTYPE_{i}"] << i for i in range(6))
        ports.append(("inout" if kind >> 4 == 2 else "output" if kind >> 4 else "input", name))
        if kind == PLAIN_INPUT:
            chip.assign(chip.sink(x, y, f"io_{z}/D_IN_0"), name)
            continue
        global_ = {p: chip.source(x, y, f"io_global/{p}") for p in ("inclk", "outclk", "latch")}
        chip.cell("SB_IO", f"io_{name}", {"PIN_TYPE": f"6'd{kind}"}, {
            "PACKAGE_PIN": name, "D_IN_0": chip.sink(x, y, f"io_{z}/D_IN_0"), "D_IN_1": chip.sink(x, y, f"io_{z}/D_IN_1"),
            "D_OUT_0": chip.source(x, y, f"io_{z}/D_OUT_0"), "D_OUT_1": chip.source(x, y, f"io_{z}/D_OUT_1"),
            "OUTPUT_ENABLE": chip.source(x, y, f"io_{z}/OUT_ENB"), "CLOCK_ENABLE": chip.source(x, y, "io_global/cen", ON),
            "INPUT_CLK": global_["inclk"], "OUTPUT_CLK": global_["outclk"], "LATCH_INPUT_VALUE": global_["latch"]})
    return ports


def main():
    folder, path, package, pcf, top = values(__doc__, "icebox", "asc", "package", "pcf", "top")
    sys.path.insert(0, folder)
    import icebox  # pylint: disable=import-error,import-outside-toplevel
    chip = Chip(icebox, path)
    ports = pins(chip, package, pcf)
    for (x, y), tile in sorted(chip.config.logic_tiles.items()):
        logic_tile(chip, x, y, tile)
    for x, y in sorted(chip.config.ramb_tiles):
        block_ram(chip, x, y)
    for place, wires in sorted(icebox.spram_db[chip.config.device].items()):
        spram(chip, place, wires)
    for x, y in sorted(chip.config.dsp_tiles[0]):
        dsp(chip, x, y)
    print(f"module {top} ({', '.join(f'{kind} {name}' for kind, name in ports)});")
    for net in sorted(set(chip.net_of.values())):
        print(f"wire {net};")
    print("\n".join(chip.text))
    print("endmodule")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(chip.counts.items())), file=sys.stderr)


main()
