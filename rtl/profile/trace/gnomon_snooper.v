// SPDX-License-Identifier: Apache-2.0
// Recognises accesses of the hart's data port to the two lock segments on the memory bus, and with TRAFFIC accesses
// that pass a filter: addresses first_i to last_i, reads or writes, ports. What is a lock access is nothing else.
// Combinational.
`default_nettype none

module gnomon_snooper #(
  parameter LOCK_DATA = 0,  // 1: with what is written
  parameter TRAFFIC   = 0,  // 1: with the filter
  parameter BUS_BITS  = 34
) (
  input  wire        enable_i,
  input  wire [31:0] base0_i, mask0_i, base1_i, mask1_i,
  input  wire [31:0] first_i, last_i,
  input  wire [4:0]  filter_i,     // host port, data port, instruction port, writes, reads

  input  wire        obs_debug_i,  // debug mode: accesses of injected instructions do not count
  input  wire        mon_valid_i,
  input  wire [1:0]  mon_master_i,
  input  wire        mon_write_i,
  input  wire [31:0] mon_addr_i,
  input  wire [3:0]  mon_strb_i,
  input  wire [31:0] mon_wdata_i,

  output wire        lock_o,
  output wire [BUS_BITS-1:0] lock_data_o  // byte lanes, port, no lock access; data; address, segment, write
);
  localparam [1:0] MASTER_DATA = 2'd1;

  wire in0 = ((mon_addr_i ^ base0_i) & mask0_i) == 32'd0;
  wire in1 = ((mon_addr_i ^ base1_i) & mask1_i) == 32'd0;
  wire seen = mon_valid_i && !(mon_master_i == MASTER_DATA && obs_debug_i);
  wire lock = enable_i && mon_valid_i && mon_master_i == MASTER_DATA && !obs_debug_i && (in0 || in1);
  assign lock_data_o[33:0] = {mon_addr_i, !in0, mon_write_i};
  generate
    if (LOCK_DATA != 0) begin : g_data
      assign lock_data_o[65:34] = mon_wdata_i;
    end else begin : g_no_data
      wire unused = &{1'b0, mon_wdata_i};
    end
    if (TRAFFIC != 0) begin : g_traffic
      wire [3:0] ports = {1'b0, filter_i[4:2]};
      wire passes = ports[mon_master_i] && (mon_write_i ? filter_i[1] : filter_i[0]) && mon_addr_i >= first_i &&
          mon_addr_i <= last_i;
      assign lock_o = lock || (seen && passes);
      assign lock_data_o[BUS_BITS-1-:7] = {mon_strb_i & {4{mon_write_i}}, mon_master_i, !lock};
    end else begin : g_locks_only
      assign lock_o = lock;
      wire unused = &{1'b0, seen, first_i, last_i, filter_i, mon_strb_i};
    end
  endgenerate
endmodule

`default_nettype wire
