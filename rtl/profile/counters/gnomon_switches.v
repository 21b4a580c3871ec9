// SPDX-License-Identifier: Apache-2.0
// Counts unannounced switches of stacks: a trap that ends on another stack than it began on, without the message THREAD
// in between. After such a switch the profiler charges cycles to the wrong thread. The stack pointer comes from the
// retired instructions. The module follows traps within traps 8 deep. A trap return without an open trap starts a
// program and does not count.
`default_nettype none

module gnomon_switches (
  input  wire        clk_i,
  input  wire        clk_host_i,  // clk_i; runs in the cycles of register accesses
  input  wire        hart_rst_i,

  input  wire        obs_valid_i, obs_trap_i,
  input  wire [4:0]  obs_rd_addr_i,
  input  wire [31:0] obs_rd_wdata_i,
  input  wire        obs_trap_enter_i, obs_trap_leave_i,
  input  wire        told_i,   // the message THREAD retires
  input  wire        ended_i,  // the program has ended: counting stops

  input  wire        reg_sel_i,
  input  wire [11:0] reg_addr_i,
  output wire [31:0] reg_rdata_o
);
`include "gnomon_registers.vh"
  localparam [4:0] SP = 5'd2;
  localparam [7:0] KEPT = 8'd8;

  reg [31:0] sp;
  (* no_rw_check, ram_style = "distributed" *) reg [31:0] entered[0:7];
  reg [7:0] depth; // open traps
  reg told;
  reg [30:0] unseen; // saturates
  wire [7:0] last = depth - 8'd1;
  wire known = |depth && depth <= KEPT;
  wire differs = known && entered[last[2:0]] != sp && !told && !told_i;
  always @(posedge clk_i) begin
    if (obs_valid_i && !obs_trap_i && obs_rd_addr_i == SP) sp <= obs_rd_wdata_i;
    if (obs_trap_enter_i) begin
      if (depth < KEPT) entered[depth[2:0]] <= sp;
      if (!(&depth)) depth <= depth + 8'd1;
      if (!(|depth)) told <= 1'b0;
    end
    if (obs_trap_leave_i) begin
      if (|depth) depth <= last;
      if (differs && !(&unseen) && !ended_i) unseen <= unseen + 31'd1;
    end
    if (told_i) told <= 1'b1;
    if (hart_rst_i) begin
      depth <= 8'd0;
      told <= 1'b0;
      unseen <= 31'd0;
    end
  end

  // The register reads as PRESENT and the count.
  reg shown;
  always @(posedge clk_host_i) shown <= reg_sel_i && reg_addr_i == `GNOMON_PROFILE_SWITCHES;
  assign reg_rdata_o = {1'b1, unseen} & {32{shown}};
endmodule

`default_nettype wire
