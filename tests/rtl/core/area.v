// SPDX-License-Identifier: Apache-2.0
// For area figures only: the core with the fields of the observation bundle that the profiler reads. Synthesis removes
// the other RVFI fields in a SoC that does not use them.
`default_nettype none
`include "gnomon_obs.vh"

module area (
    input  wire        clk_i, rst_i,
    output wire        i_req_valid_o,
    input  wire        i_req_ready_i,
    output wire [31:0] i_req_addr_o,
    input  wire        i_rsp_valid_i,
    input  wire [31:0] i_rsp_rdata_i,
    input  wire        i_rsp_error_i,
    output wire        i_flush_o,
    input  wire        i_flush_done_i, i_wait_miss_i, d_wait_miss_i,
    output wire        d_req_valid_o,
    input  wire        d_req_ready_i,
    output wire [31:0] d_req_addr_o,
    output wire        d_req_write_o,
    output wire [31:0] d_req_wdata_o,
    output wire [3:0]  d_req_strb_o,
    output wire        d_req_lock_o, d_lock_o,
    input  wire        d_snoop_valid_i,
    input  wire [31:2] d_snoop_addr_i,
    input  wire        d_rsp_valid_i,
    input  wire [31:0] d_rsp_rdata_i,
    input  wire        d_rsp_error_i, irq_software_i, irq_timer_i, irq_external_i, irq_profile_i,
    output wire        hpm_valid_o, hpm_write_o,
    output wire [11:0] hpm_addr_o,
    output wire [31:0] hpm_wdata_o,
    input  wire [31:0] hpm_rdata_i,
    input  wire        dbg_halt_i, dbg_resume_i,
    output wire        dbg_halted_o,
    output wire [2:0]  dbg_cause_o,
    input  wire        dbg_insn_valid_i,
    input  wire [31:0] dbg_insn_i,
    output wire        dbg_busy_o, dbg_error_o,
    input  wire        dbg_data_we_i,
    input  wire [31:0] dbg_data_i,
    output wire [31:0] dbg_data_o,
    output wire        obs_valid_o, obs_trap_o,
    output wire [4:0]  obs_rs2_addr_o,
    output wire [31:0] obs_pc_rdata_o, obs_mem_addr_o, obs_mem_wdata_o,
    output wire [3:0]  obs_mem_wmask_o,
    output wire [4:0]  obs_cause_o,
    output wire        obs_trap_enter_o, obs_trap_leave_o,
    output wire [5:0]  obs_trap_cause_o
);
    parameter MUL_FAST = 1, COMPACT = 0, LATE = 0, ATOMIC = 0, BITS = 0, USER = 0, PMP = 0, TRIGGERS = 0;
    wire [`GNOMON_OBS_BITS-1:0] obs;
    assign obs_valid_o = obs[`GNOMON_OBS_VALID];
    assign obs_trap_o = obs[`GNOMON_OBS_TRAP];
    assign obs_rs2_addr_o = obs[`GNOMON_OBS_RS2_ADDR];
    assign obs_pc_rdata_o = obs[`GNOMON_OBS_PC_RDATA];
    assign obs_mem_addr_o = obs[`GNOMON_OBS_MEM_ADDR];
    assign obs_mem_wdata_o = obs[`GNOMON_OBS_MEM_WDATA];
    assign obs_mem_wmask_o = obs[`GNOMON_OBS_MEM_WMASK];
    assign obs_cause_o = obs[`GNOMON_OBS_CAUSE];
    assign obs_trap_enter_o = obs[`GNOMON_OBS_TRAP_ENTER];
    assign obs_trap_leave_o = obs[`GNOMON_OBS_TRAP_LEAVE];
    assign obs_trap_cause_o = obs[`GNOMON_OBS_TRAP_CAUSE];
    gnomon_core #(.MUL_FAST(MUL_FAST), .COMPACT(COMPACT), .LATE(LATE), .ATOMIC(ATOMIC), .BITS(BITS), .USER(USER), .PMP(PMP),
                  .TRIGGERS(TRIGGERS)) core (
        .clk_i(clk_i), .rst_i(rst_i), .boot_pc_i(32'h1000_0000), .i_req_valid_o(i_req_valid_o),
        .i_req_ready_i(i_req_ready_i), .i_req_addr_o(i_req_addr_o), .i_rsp_valid_i(i_rsp_valid_i),
        .i_rsp_rdata_i(i_rsp_rdata_i), .i_rsp_error_i(i_rsp_error_i), .i_flush_o(i_flush_o),
        .i_wait_refresh_i(1'b0), .i_wait_page_i(1'b0), .d_wait_refresh_i(1'b0), .d_wait_page_i(1'b0),
        .i_flush_done_i(i_flush_done_i), .i_wait_miss_i(i_wait_miss_i), .d_wait_miss_i(d_wait_miss_i), .d_req_valid_o(d_req_valid_o), .d_req_ready_i(d_req_ready_i),
        .d_req_addr_o(d_req_addr_o), .d_req_write_o(d_req_write_o), .d_req_wdata_o(d_req_wdata_o),
        .d_req_strb_o(d_req_strb_o), .d_req_lock_o(d_req_lock_o), .d_lock_o(d_lock_o),
        .d_snoop_valid_i(d_snoop_valid_i), .d_snoop_addr_i(d_snoop_addr_i), .d_grant_i(1'b1), .d_rsp_valid_i(d_rsp_valid_i), .d_rsp_rdata_i(d_rsp_rdata_i),
        .d_rsp_error_i(d_rsp_error_i), .irq_software_i(irq_software_i), .irq_timer_i(irq_timer_i),
        .irq_external_i(irq_external_i), .irq_profile_i(irq_profile_i), .irq_overflow_i(1'b0), .stack_limit_n_i(~22'd0), .hpm_valid_o(hpm_valid_o),
        .hpm_write_o(hpm_write_o), .hpm_addr_o(hpm_addr_o), .hpm_wdata_o(hpm_wdata_o), .hpm_rdata_i(hpm_rdata_i),
        .dbg_halt_i(dbg_halt_i), .dbg_resume_i(dbg_resume_i), .dbg_halted_o(dbg_halted_o), .dbg_cause_o(dbg_cause_o),
        .dbg_insn_valid_i(dbg_insn_valid_i), .dbg_insn_i(dbg_insn_i), .dbg_busy_o(dbg_busy_o), .dbg_error_o(dbg_error_o),
        .dbg_data_we_i(dbg_data_we_i), .dbg_data_i(dbg_data_i), .dbg_data_o(dbg_data_o), .obs_o(obs)
                  );
endmodule
`default_nettype wire
