// SPDX-License-Identifier: Apache-2.0
// For clock and area figures: the hart with its caches, with registers on all pins. Inputs are shifted in serially, and
// the outputs are reduced to one bit.
`default_nettype none
`include "gnomon_obs.vh"

module place_core #(
    parameter MUL_FAST = 1,
    parameter COMPACT = 0,
    parameter PREDICT = 0,
    parameter LATE = 0,
    parameter ATOMIC = 0,
    parameter BITS = 0,
    parameter USER = 0,
    parameter TRIGGERS = 0,
    parameter UP5K = 0,
    parameter LUTRAM = 0,
    parameter ICACHE_BYTES = 2048
) (
    input  wire clk_i, bit_i,
    output wire bit_o
);
    localparam INS = 2 + 1 + 32 + 1 + 1 + 32 + 1 + 1 + 4 + 32 + 2 + 1 + 32, OUTS = 1 + 32 + 1 + 32 + 1 + 32 + 4 + 2 + 12 + 32 + 8;
    reg  [INS-1:0] in;
    reg  [OUTS-1:0] out;
    reg  [7:0] fold;
    wire rst, bi_ready, b_rsp_valid, b_rsp_error, d_ready, d_rsp_valid, d_rsp_error, halt, resume, insn_valid;
    wire [31:0] b_rdata, d_rdata, hpm_rdata, insn;
    wire [3:0] irq;
    assign {rst, bi_ready, b_rsp_valid, b_rdata, b_rsp_error, d_ready, d_rdata, d_rsp_valid, d_rsp_error, irq, hpm_rdata, halt, resume,
            insn_valid, insn} = in;

    wire i_valid, i_ready, i_rsp_valid, i_rsp_error, flush, flushed, miss;
    wire [31:0] i_addr, i_rdata;
    wire b_valid, d_valid, d_write, hpm_valid, hpm_write, halted, busy, error, retired;
    wire [31:0] b_addr, d_addr, d_wdata, hpm_wdata;
    wire [3:0] d_strb;
    wire [11:0] hpm_addr;
    wire [2:0] cause;
    wire lock;

    wire [`GNOMON_OBS_BITS-1:0] obs;
    assign retired = obs[`GNOMON_OBS_VALID];
    gnomon_core #(.MUL_FAST(MUL_FAST), .COMPACT(COMPACT), .PREDICT(PREDICT), .LATE(LATE), .ATOMIC(ATOMIC), .BITS(BITS), .USER(USER),
                  .TRIGGERS(TRIGGERS), .UP5K(UP5K), .LUTRAM(LUTRAM)) core (
        .clk_i(clk_i), .rst_i(rst), .boot_pc_i(32'h1000_0000), .i_req_valid_o(i_valid), .i_req_ready_i(i_ready),
        .i_req_addr_o(i_addr), .i_rsp_valid_i(i_rsp_valid), .i_rsp_rdata_i(i_rdata), .i_rsp_error_i(i_rsp_error),
        .i_wait_refresh_i(1'b0), .i_wait_page_i(1'b0), .d_wait_refresh_i(1'b0), .d_wait_page_i(1'b0),
        .i_flush_o(flush), .i_flush_done_i(flushed), .i_wait_miss_i(miss & COMPACT == 0), .d_wait_miss_i(1'b0), .d_req_valid_o(d_valid), .d_req_ready_i(d_ready), .d_req_addr_o(d_addr),
        .d_req_write_o(d_write), .d_req_wdata_o(d_wdata), .d_req_strb_o(d_strb), .d_req_lock_o(), .d_lock_o(lock),
        .d_snoop_valid_i(1'b0), .d_snoop_addr_i(30'd0), .d_grant_i(1'b1), .d_rsp_valid_i(d_rsp_valid),
        .d_rsp_rdata_i(d_rdata), .d_rsp_error_i(d_rsp_error), .irq_software_i(irq[0]), .irq_timer_i(irq[1]),
        .irq_external_i(irq[2]), .irq_profile_i(irq[3]), .irq_overflow_i(1'b0), .stack_limit_n_i(~22'd0), .hpm_valid_o(hpm_valid), .hpm_write_o(hpm_write),
        .hpm_addr_o(hpm_addr), .hpm_wdata_o(hpm_wdata), .hpm_rdata_i(hpm_rdata), .dbg_halt_i(halt), .dbg_resume_i(resume),
        .dbg_halted_o(halted), .dbg_cause_o(cause), .dbg_insn_valid_i(insn_valid), .dbg_insn_i(insn), .dbg_busy_o(busy),
        .dbg_error_o(error), .dbg_data_we_i(1'b0), .dbg_data_i(32'd0), .obs_o(obs)
    );
    gnomon_icache #(.BYTES(ICACHE_BYTES), .COMPACT(COMPACT)) icache (
        .clk_i(clk_i), .rst_i(rst), .c_req_valid_i(i_valid), .c_req_ready_o(i_ready), .c_req_addr_i(i_addr),
        .c_rsp_valid_o(i_rsp_valid), .c_rsp_rdata_o(i_rdata), .c_rsp_error_o(i_rsp_error), .flush_i(flush),
        .flush_done_o(flushed), .access_o(), .fill_o(), .miss_o(miss), .b_req_valid_o(b_valid), .b_req_ready_i(bi_ready), .b_req_addr_o(b_addr),
        .b_rsp_valid_i(b_rsp_valid), .b_rsp_rdata_i(b_rdata), .b_rsp_error_i(b_rsp_error));

    always @(posedge clk_i) begin
        in <= {in[INS-2:0], bit_i};
        out <= {b_valid, b_addr, d_valid, d_addr, d_write, d_wdata, d_strb, hpm_valid, hpm_write, hpm_addr, hpm_wdata, halted,
                busy, error, retired, lock, cause};
        fold <= {^out[OUTS-1:140], ^out[139:120], ^out[119:100], ^out[99:80], ^out[79:60], ^out[59:40], ^out[39:20], ^out[19:0]};
    end
    assign bit_o = ^fold;
endmodule
`default_nettype wire
