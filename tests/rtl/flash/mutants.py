#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small changes in the flash's controller, the bus and the instruction cache, each of which tb_flash must detect.

usage: mutants.py OUT_DIR"""
import pathlib
import subprocess
import sys

FLASH, BUS, CACHE = "rtl/bus/gnomon_flash.v", "rtl/bus/gnomon_interconnect.v", "rtl/cache/gnomon_icache_compact.v"
MEMORY = "rtl/soc/gnomon_memory.v"
SOURCES = ["tests/rtl/flash/tb_flash.v", MEMORY, FLASH, BUS, CACHE, "rtl/bus/gnomon_ram.v", "rtl/bus/gnomon_bus_delay.v", "rtl/cache/gnomon_icache.v",
           "rtl/cache/gnomon_dcache.v", "sim/gnomon_flash_chip.v"]

# text of the failure, file, code, its replacement
MUTANTS = [
    ("no such command", FLASH, "left != 5'd24 && left != 5'd22", "left != 5'd24"),
    ("an address on few wires", FLASH, "{{2{!reading}}, address, !reading}", "{{2{!reading}}, 1'b0, !reading}"),
    ("two drive a wire", FLASH, "{{2{!reading}}, address, !reading}", "{{2{!reading}}, address, select}"),
    ("two drive a wire", FLASH, "address, !reading};", "address || raw, !reading};"),
    ("wrong data for the host", FLASH, "addr_i, 2'b00, 8'hFF}", "addr_i, 2'b10, 8'hFF}"),
    ("two drive a wire", FLASH, "addr_i, 2'b00, 8'hFF}", "addr_i, 2'b00, 8'h20}"),
    ("wrong data for the host", FLASH, "ALL = 5'd27", "ALL = 5'd26"),
    ("wrong data", FLASH, "WORD = 5'd7", "WORD = 5'd6"),
    ("wait for the next word", FLASH, "at <= at + 1'b1", "at <= at"),
    ("wrong data", FLASH, "assign there_o = select && !raw && !run && fits;", "assign there_o = select && !raw && !run;"),
    ("wrong data", FLASH, "assign there_o = select && !raw && !run && fits;", "assign there_o = select && !raw && fits;"),
    ("wait for the next word", FLASH, "want_i ? !fits : stopped_i", "!want_i || !fits"),
    ("the host waits for ever", FLASH, "want_i ? !fits : stopped_i", "want_i && !fits"),
    ("identification", FLASH, "assign idle_o = !run && (raw || !select);", "assign idle_o = raw || !select;"),
    ("the host waits for ever", FLASH, "else if (raw && last && over) {raw, select} <= 2'b00;", ""),
    ("identification", FLASH, "{shift[7:0], shift[15:8], shift[23:16], shift[31:24]}", "shift"),
    ("a store to the flash", BUS, "== FLASH_BASE[31:FLASH_LOG2] && !d_req_write_i;", "== FLASH_BASE[31:FLASH_LOG2];"),
    ("wrong data for a load", BUS, "(mem_ready || !d_ram) && (flash_there_i || !d_flash);", "(mem_ready || !d_ram);"),
    ("wrong data for a fetch", BUS, "&& (flash_there_i || !i_flash);", ";"),
    ("wrong data for the host", BUS, "(flash_there_i || !h_flash) &&", ""),
    ("identification", BUS, "&& (flash_idle_i || !h_bytes);", ";"),
    ("wrong data", BUS, "r_flash <= is_flash || is_bytes;", "r_flash <= d_flash || is_bytes;"),
    ("wrong data for the host", BUS, "r_ram <= is_ram || is_flash || is_bytes;", "r_ram <= is_ram || is_bytes;"),
    ("wrong data for a fetch", CACHE, "wire [W-1:0] first = l_flash ? {W{1'b0}} : l_word;", "wire [W-1:0] first = l_word ^ l_flash;"),
    ("miss of the next line's last word", CACHE, "wire [W-1:0] first = l_flash ? {W{1'b0}} : l_word;", "wire [W-1:0] first = l_word;"),
    ("wrong data for a fetch", CACHE, "early <= l_flash && l_word != {W{1'b0}};", "early <= 1'b0;"),
    ("wrong data for a fetch", CACHE, "c_tag = {c_flash, c_req", "c_tag = {1'b1, c_req"),
    ("wrong data for a fetch", CACHE, "(SINGLE == 0 && fill_end", "(fill_end"),
    ("wrong data for a fetch", CACHE, "comes ? {l_line, f_rsp_word} :", "comes ? {l_line, f_req_word} :"),
    ("an answer to nothing", CACHE, "comes && f_wanted && answers", "comes && answers"),
]


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    missed = 0
    for number, (says, file, text, new) in enumerate(MUTANTS):
        source = pathlib.Path(file).read_text(encoding="utf-8")
        if source.count(text) != 1:
            sys.exit(f"mutant {number}: {file} has {source.count(text)} times: {text}")
        changed = out / f"{number}.v"
        changed.write_text(source.replace(text, new), encoding="utf-8")
        program = out / f"{number}.vvp"
        files = [str(changed) if name == file else name for name in SOURCES]
        built = subprocess.run(["iverilog", "-g2005-sv", "-s", "tb_flash", "-Ptb_flash.SEED=3", "-o", program, *files], capture_output=True, text=True, check=False)
        ran = subprocess.run(["timeout", "-k", "1", "100", "vvp", "-n", program], capture_output=True, text=True, check=False) if built.returncode == 0 else built
        said = ran.stdout + ran.stderr
        found = built.returncode == 0 and ran.returncode != 0 and says in said
        missed += not found
        print(f"{'pass' if found else 'FAIL'}  mutant {number}, {says}" + ("" if found else f": {said.strip()[-300:]}"), flush=True)
    sys.exit(f"{missed} of {len(MUTANTS)} were not found" if missed else 0)


main()
