// SPDX-License-Identifier: Apache-2.0
// Replaces the units of the profiler that a lean model of full leaves out (docs/guide/sim.md): hookless call tracing,
// counters with filters and ranges, stall causes, tags. It reports the configuration of the whole device and notes any
// use of these units. For simulation only.
`default_nettype none

module gnomon_left_out #(
  parameter WATCH_LOG2  = 12,
  parameter WATCH_VALUES = 1,
  parameter CODE_WINDOW_LOG2 = 10,
  parameter LOG2        = 18, // log2 of the words that can have tags; LOG2 and the next three as in gnomon_tags
  parameter DELAY       = 4,
  parameter PER_ADDRESS_LOG2 = 12,
  parameter CACHE       = 0
) (
  input  wire        clk_i,  // runs in the cycles of register accesses
  input  wire        rst_i,

  input  wire [3:0]  reg_sel_i,    // see gnomon_profile
  input  wire        reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o,  // one cycle after the access, else 0

  input  wire        hpm_valid_i, hpm_write_i,
  input  wire [11:0] hpm_addr_i,
  input  wire [31:0] hpm_wdata_i,

  output reg  [3:0]  used_o  // units used since power-on: hookless call tracing, counters, stall causes, tags
);
`include "gnomon_registers.vh"
`include "gnomon_tags_config.vh"
  localparam [31:0] PLACES = 1 << WATCH_LOG2;
  localparam [11:0] TABLE = `GNOMON_PROFILE_WATCH_TABLE;

  wire at_places = reg_addr_i == `GNOMON_PROFILE_WATCH_PLACES;
  wire at_values = reg_addr_i == `GNOMON_PROFILE_WATCH_VALUES;
  wire at_causes = reg_addr_i == `GNOMON_STALL_CAUSES_CONFIG;
  wire at_tags = reg_addr_i == `GNOMON_TAGS_CONFIG;
  // Without watched functions no call can be missed, so the other registers of hookless call tracing are 0, as they
  // read here.
  wire in_table = reg_addr_i[11:10] == TABLE[11:10];
  wire clock_set = reg_addr_i == `GNOMON_PROFILE_CONTROL && |reg_wdata_i[`GNOMON_PROFILE_CONTROL_CLOCK];
  wire switched_on = reg_addr_i == `GNOMON_PROFILE_CONTROL && |reg_wdata_i[`GNOMON_PROFILE_CONTROL_WATCH];
  // The lean model has mcycle, time and minstret, and the bits of mcountinhibit that stop them.
  wire own_csr = hpm_addr_i[4:0] < 5'd3 && (hpm_addr_i[11] || !hpm_write_i || hpm_wdata_i[31:3] == 29'd0);

  always @(posedge clk_i) begin
    reg_rdata_o <= 32'd0;
    if (reg_sel_i[0]) begin
      if (at_places) reg_rdata_o <= PLACES;
      if (at_values) reg_rdata_o <= {31'd0, WATCH_VALUES[0]};
      if (reg_write_i && (in_table || at_places || switched_on)) used_o[0] <= 1'b1;
      if (reg_write_i && clock_set) used_o[1] <= 1'b1;
    end
    if (reg_sel_i[1] || (hpm_valid_i && !own_csr)) used_o[1] <= 1'b1;
    if (reg_sel_i[2]) begin
      if (at_causes) reg_rdata_o <= {27'h4000000, CODE_WINDOW_LOG2[4:0]};
      if (reg_write_i || !at_causes) used_o[2] <= 1'b1;
    end
    if (reg_sel_i[3]) begin
      if (at_tags) reg_rdata_o <= CONFIG_WORD;
      if (reg_write_i || !at_tags) used_o[3] <= 1'b1;
    end
    if (rst_i) used_o <= 4'd0;
  end

  wire unused = &{1'b0, hpm_addr_i[10:5], hpm_wdata_i[2:0], reg_wdata_i};
endmodule

`default_nettype wire
