// SPDX-License-Identifier: Apache-2.0
// Recognises accesses of the hart's data port to the two lock segments on the memory bus. Combinational.
`default_nettype none

module gnomon_snooper (
  input  wire        enable_i,
  input  wire [31:0] base0_i, mask0_i, base1_i, mask1_i,

  input  wire        obs_debug_i,  // debug mode: accesses of injected instructions do not count
  input  wire        mon_valid_i,
  input  wire [1:0]  mon_master_i,
  input  wire        mon_write_i,
  input  wire [31:0] mon_addr_i,

  output wire        lock_o,
  output wire [33:0] lock_data_o  // address, segment, write
);
  localparam [1:0] MASTER_DATA = 2'd1;

  wire in0 = ((mon_addr_i ^ base0_i) & mask0_i) == 32'd0;
  wire in1 = ((mon_addr_i ^ base1_i) & mask1_i) == 32'd0;
  assign lock_o = enable_i && mon_valid_i && mon_master_i == MASTER_DATA && !obs_debug_i && (in0 || in1);
  assign lock_data_o = {mon_addr_i, !in0, mon_write_i};
endmodule

`default_nettype wire
