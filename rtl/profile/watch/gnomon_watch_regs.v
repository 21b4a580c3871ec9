// SPDX-License-Identifier: Apache-2.0
// Registers of hookless call tracing, a part of the block PROFILE (docs/reference/registers.md): the table's port, and
// counts of missed calls.
`default_nettype none

module gnomon_watch_regs #(
  parameter TABLE_LOG2 = 12, // log2 of the places in the table
  parameter VALUES = 0
) (
  input  wire        clk_i,

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o,  // one cycle after reg_sel_i, else 0

  output wire        clear_o,
  input  wire        clearing_i,
  output wire        write_o,  // writes an entry with the number reg_wdata_i[19:0]
  output wire [TABLE_LOG2-1:0] place_o,
  output reg  [31:1] address_o,
  output reg         marked_o,  // of the entry

  input  wire [31:0] missed_i, overrun_i
);
`include "gnomon_registers.vh"
  localparam [31:0] PLACES = 1 << TABLE_LOG2;
  localparam [11:0] TABLE = `GNOMON_PROFILE_WATCH_TABLE;
  wire write = reg_sel_i && reg_write_i;
  wire in_table = reg_addr_i[11:10] == TABLE[11:10];
  assign clear_o = write && reg_addr_i == `GNOMON_PROFILE_WATCH_PLACES;
  assign write_o = write && in_table && reg_addr_i[2];
  assign place_o = reg_wdata_i[20+:TABLE_LOG2];
  always @(posedge clk_i) begin
    if (write && in_table && !reg_addr_i[2]) {address_o, marked_o} <= reg_wdata_i;
    reg_rdata_o <= 32'd0;
    if (reg_sel_i)
      case (reg_addr_i)
        `GNOMON_PROFILE_WATCH_PLACES: reg_rdata_o <= PLACES & {32{!clearing_i}};
        `GNOMON_PROFILE_WATCH_MISSED: reg_rdata_o <= missed_i;
        `GNOMON_PROFILE_WATCH_OVERRUN: reg_rdata_o <= overrun_i;
        `GNOMON_PROFILE_WATCH_VALUES: reg_rdata_o <= {31'd0, VALUES[0]};
        default: ;
      endcase
  end
endmodule

`default_nettype wire
