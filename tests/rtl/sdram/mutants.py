#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small changes in the SDRAM controller and its bus, each of which the benches must detect; for the chip's rules the
chip model must name the rule.

usage: mutants.py OUT_DIR"""
import pathlib
import subprocess
import sys

CONTROLLER, BUS, QUEUE = "rtl/bus/gnomon_sdram.v", "rtl/bus/gnomon_interconnect.v", "rtl/bus/gnomon_sdram_queue.v"
CHIP = "sim/gnomon_sdram_chip.v"
SOURCES = ["tests/rtl/sdram/tb_sdram.v", CONTROLLER, QUEUE, CHIP]
SDRAM = "tb_sdram", SOURCES, []
FAST = "tb_sdram", SOURCES, ["CLOCK_HZ=133000000", "CAS=3", "RCD=3", "RP=3", "RFC=10"]  # tRAS is longer than an access
WAIT = "tb_interconnect_wait", ["tests/rtl/sdram/tb_interconnect_wait.v", BUS], []
WAIT_LATE = *WAIT[:2], ["LATE=2"]

# The model's message for each rule that tb_sdram_chip breaks, by number.
RULES = ["all commands were taken", "no PRECHARGE at first", "too few refreshes", "mode not set", "CAS latency", "tRCD", "ACTIVE with a row open",
         "access to a closed row", "REFRESH with a row open", "MODE with a row open", "clock paused", "no such command", "auto precharge",
         "unknown pins", "access to a closed row", "tRC,", "tRRD", "refresh late"]

# bench, text of the failure, file, code, its replacement
MUTANTS = [
    (SDRAM, "tRCD", CONTROLLER, "hold <= T_RCD[H-1:0] - 1'b1;", "hold <= T_RCD[H-1:0] - 2'd2;"),
    (SDRAM, "tRP", CONTROLLER, "if (do_close || do_close_all) hold <= T_RP[H-1:0] - 1'b1;", ""),
    (FAST, "tRAS", CONTROLLER, "hold_precharge <= T_RAS[H-1:0] - 1'b1;", ""),
    (SDRAM, "tRFC", CONTROLLER, "hold <= T_RFC[H-1:0] - 1'b1;", "hold <= T_RFC[H-1:0] - 2'd2;"),
    (SDRAM, "tWR", CONTROLLER, "hold_precharge <= T_WR[H-1:0];", "hold_precharge <= T_WR[H-1:0] - 1'b1;"),
    (SDRAM, "tMRD", CONTROLLER, "if (do_mode) hold <= T_MRD[H-1:0] - 1'b1;", "if (do_mode && !park_i) hold <= T_MRD[H-1:0];"),
    (SDRAM, "refresh late", CONTROLLER, "UNTIL = T_REFRESH - T_LATE", "UNTIL = T_REFRESH + 64'd1"),
    (SDRAM, "refresh late", CONTROLLER, "if (park_i && parked) until_due <= UNTIL_DUE_PARKED;", "if (park_i && parked) until_due <= UNTIL_DUE;"),
    (SDRAM, "power-up", CONTROLLER, "* HZ / SECOND + 64'd1;", "* HZ / SECOND - 64'd5;"),
    (SDRAM, "too few refreshes", CONTROLLER, "CHIP_POWER_UP_REFRESHES + 4'd2", "CHIP_POWER_UP_REFRESHES + 4'd1"),
    (SDRAM, "no PRECHARGE at first", CONTROLLER, "wants_refresh && open != 4'd0 && closable : init == INIT);", "wants_refresh && open != 4'd0 && closable : 1'b0);"),
    (SDRAM, "mode not set", CONTROLLER, "wire do_mode = go && init == MODE_STEP;", "wire do_mode = 1'b0;"),
    (SDRAM, "mode,", CONTROLLER, "1'b0, 3'b001};", "1'b0, 3'b010};"),
    (SDRAM, "ACTIVE with a row open", CONTROLLER, "if (do_active) begin", "if (do_active && 0) begin"),
    (SDRAM, "burst cut short", CONTROLLER, "hold <= BURST[H-1:0] - 1'b1;", "hold <= BURST[H-1:0] - 2'd2;"),
    (SDRAM, "two drive DQ", CONTROLLER, "T_TURN = LATENCY + BURST + 64'd1", "T_TURN = LATENCY + BURST - 64'd1"),
    (SDRAM, "DQM in a read", CONTROLLER, "later ? later_mask : 2'b00", "later_mask"),
    (SDRAM, "no data to write", CONTROLLER, "sdram_dq_oe_o <= do_write || later;", "sdram_dq_oe_o <= do_write;"),
    (SDRAM, "data without a write", CONTROLLER, "sdram_dq_oe_o <= do_write || later;", "sdram_dq_oe_o <= do_write || later || do_active;"),
    (SDRAM, "auto precharge", CONTROLLER, "access ? {4'd0, head_addr", "access ? {2'd0, 1'b1, 1'b0, head_addr"),
    (SDRAM, "data", CONTROLLER, "later_data <= head_wdata[31:16];", "later_data <= head_wdata[15:0];"),
    (SDRAM, "data", CONTROLLER, "assign rsp_rdata_o = {dq, dq_before};", "assign rsp_rdata_o = {dq_before, dq};"),
    (SDRAM, "another row", CONTROLLER, "if (do_close || do_close_all) hold <= T_RP[H-1:0] - 1'b1;", "if (do_close || do_close_all) hold <= T_RP[H-1:0];"),
    (SDRAM, "not the same after parking", CONTROLLER, "if (park_i && parked) until_due <= UNTIL_DUE_PARKED;", "if (park_i && parked) until_due <= UNTIL_DUE_PARKED - sdram_a_o[3:0] - sdram_dq_i[4:0];"),
    (SDRAM, "both causes", CONTROLLER, "quiet && head && !in_refresh &&", "quiet && head &&"),
    (SDRAM, "page cycles", CONTROLLER, "(!hit || (opening &&", "(!hit && (opening &&"),
    (SDRAM, "refresh cycles", CONTROLLER, "wants_refresh || (refreshing && hold", "wants_refresh || (refreshing && !head && hold"),
    (SDRAM, "data", QUEUE, "data_o <= full ? behind : data_i;", "data_o <= data_i;"),
    (WAIT, "no answer at its time", BUS, "d_clear || (d_ram && !d_req_write_i);", "1'b1;"),
    (WAIT, "registers must not wait", BUS, "assign d_req_ready_o = d_ordered && (mem_ready || !d_ram)", "assign d_req_ready_o = d_ordered && mem_ready"),
    (WAIT, "no answer at its time", BUS, "r_d <= d_go && !later && !to_late;", "r_d <= d_go && !is_ram && !to_late;"),
    (WAIT, "data", BUS, "assign d_rsp_rdata_o = d_back ? mem_rsp_rdata_i : d_due ? late_rdata : rdata;", "assign d_rsp_rdata_o = d_due ? late_rdata : rdata;"),
    (WAIT_LATE, "no answer at its time", BUS, "{d_due, h_due} = {d_age[2], h_age[2]}", "{d_due, h_due} = {d_age[2], h_age[1]}"),
    (WAIT_LATE, "data", BUS, "assign late_rdata = word;", "assign late_rdata = late_word;"),
    (WAIT, "error flag", BUS, "assign d_rsp_error_o = r_d && r_error;", "assign d_rsp_error_o = r_error;"),
    (WAIT, "an answer to nothing", BUS, "mem_rsp_owner_i == MASTER_I;", "mem_rsp_owner_i != MASTER_D;"),
    (WAIT, "host ready", BUS, "(mem_ready || !h_ram)", "mem_ready"),
    (WAIT, "priority", BUS, "assign i_req_ready_o = !d_req_valid_i &&", "assign i_req_ready_o ="),
    (WAIT, "waits for a row", BUS, "assign d_wait_page_o = d_waits &&", "assign d_wait_page_o = i_waits &&"),
    (WAIT, "monitor", BUS, "assign mon_valid_o = valid && !beat;", "assign mon_valid_o = (d_req_valid_i || valid) && !beat;"),
]


def rules(out):
    """Returns the number of broken rules that the model did not name."""
    program = out / "chip.vvp"
    subprocess.run(["iverilog", "-g2005-sv", "-Irtl/bus", "-s", "tb_sdram_chip", "-o", program, "tests/rtl/sdram/tb_sdram_chip.v", CHIP], check=True)
    missed = 0
    for number, says in enumerate(RULES):
        said = subprocess.run(["timeout", "20", "vvp", "-n", program, f"+rule={number}"], capture_output=True, text=True, check=False).stdout
        found = said.startswith(says if number == 0 else f"sdram: {says}")
        missed += not found
        print(f"{'pass' if found else 'FAIL'}  rule {number}, {says}" + ("" if found else f": {said.strip()[:200]}"), flush=True)
    return missed


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    missed = rules(out)
    for number, ((bench, sources, parameters), says, file, text, new) in enumerate(MUTANTS):
        source = pathlib.Path(file).read_text(encoding="utf-8")
        if source.count(text) != 1:
            sys.exit(f"mutant {number}: {file} has {source.count(text)} times: {text}")
        folder = out / f"m{number}"
        folder.mkdir(exist_ok=True)
        changed = folder / pathlib.Path(file).name
        changed.write_text(source.replace(text, new), encoding="utf-8")
        program = folder / "bench.vvp"
        files = [str(changed) if name == file else name for name in sources]
        built = subprocess.run(["iverilog", "-g2005-sv", f"-I{folder}", "-Irtl/bus", "-s", bench, *[f"-P{bench}.{value}" for value in ["CYCLES=15000", *parameters]],
                                "-o", program, *files],
                               capture_output=True, text=True, check=False)
        ran = None
        if built.returncode == 0:
            try:
                ran = subprocess.run(["timeout", "-k", "1", "20", "vvp", "-n", program], capture_output=True, text=True, check=False)
            except OSError as error:
                sys.exit(str(error))
        said = built.stderr if ran is None else ran.stdout
        found = ran is not None and ran.returncode != 0 and says in said
        missed += not found
        print(f"{'pass' if found else 'FAIL'}  mutant {number}, {says}" + ("" if found else f": {said.strip()[-300:]}"), flush=True)
    sys.exit(f"{missed} of {len(MUTANTS) + len(RULES)} were not found" if missed else 0)


main()
