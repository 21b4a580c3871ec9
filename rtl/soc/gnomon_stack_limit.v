// SPDX-License-Identifier: Apache-2.0
// SYSCTL.STACK_LIMIT for a core that checks the stack limit itself (gnomon_core_stack). Only GUARD of this register can
// be read, in gnomon_sysctl.
`default_nettype none

module gnomon_stack_limit #(
  parameter integer RAM_LOG2 = 16 // log2 of the bytes of main memory; higher bits are not stored
) (
  input  wire         clk_i,
  input  wire         rst_i,  // the hart's reset: clears the limit

  input  wire         reg_sel_i,  // selects SYSCTL
  input  wire         reg_write_i,
  input  wire [11:0]  reg_addr_i,
  input  wire [31:0]  reg_wdata_i,

  output wire [31:10] limit_n_o  // inverted
);
`include "gnomon_registers.vh"
  reg [RAM_LOG2-1:10] limit_n;
  always @(posedge clk_i) begin
    if (reg_sel_i && reg_write_i && reg_addr_i == `GNOMON_SYSCTL_STACK_LIMIT) limit_n <= ~reg_wdata_i[RAM_LOG2-1:10];
    if (rst_i) limit_n <= {(RAM_LOG2 - 10) {1'b1}};
  end
  assign limit_n_o = {{(32 - RAM_LOG2) {1'b1}}, limit_n};
  wire unused = &{1'b0, reg_wdata_i};
endmodule

`default_nettype wire
