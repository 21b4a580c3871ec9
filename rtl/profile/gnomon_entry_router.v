// SPDX-License-Identifier: Apache-2.0
// Routes each entry of the trace FIFO to the trace encoder, to the function records, or first to the records and then
// to the encoder. With records_i, enters, exits and traps go only to the records, unless the entry also carries a lock
// access. Losses, the end, and messages that name a thread or a landing go to both. The router also extracts the fields
// that the records need.
`default_nettype none

module gnomon_entry_router #(
  parameter WIDE        = 0,
  parameter LOCKS       = 0,
  parameter LOCK_DATA   = 0,
  parameter TRAFFIC     = 0,
  parameter NUMBER_BITS = 16,
  parameter COMPACT     = 0,  // 1: the compact records, which use 16 bits of a landing's value
  parameter WIDTH       = 96  // bits of an entry, ENTRY_BITS of gnomon_trace_entry.vh
) (
  input  wire             clk_i, hart_rst_i,
  input  wire             records_i,  // CONTROL.RECORDS is set

  input  wire             valid_i,
  input  wire [WIDTH-1:0] entry_i,
  input  wire [NUMBER_BITS-1:0] number_i,  // the function or channel number of the entry
  output wire             pop_o,           // removes the entry from the FIFO

  output wire             encoder_valid_o,
  output wire [WIDTH-1:0] encoder_entry_o,
  input  wire             encoder_pop_i,

  output wire             records_valid_o,
  input  wire             records_taken_i,
  output wire [3:0]       type_o,
  output wire [47:0]      time_o, lost_cycles_o,
  output wire [31:0]      lost_enters_o,
  output wire             lost_calls_o
);
`include "gnomon_trace_entry.vh"
  localparam LOST_AT = 8 * (2 * CALL_BYTES + OTHER_BYTES);

  wire [3:0] kind = entry_i[TYPE_AT+:4];
  wire call = kind == TYPE_ENTER || kind == TYPE_EXIT || kind == TYPE_TRAP_ENTER || kind == TYPE_TRAP_LEAVE;
  wire lands = number_i == CHANNEL_LANDED && (COMPACT == 0 || (&entry_i[8*DATA_AT+16+:16]));
  wire both = kind == TYPE_LOST || kind == TYPE_END || (kind == TYPE_CHANNEL && (number_i == CHANNEL_THREAD || lands));
  wire lock_part;

  reg aggregated; // the records have taken the entry
  wire for_records = records_i && (call || both) && !aggregated;
  wire records_only = call && !lock_part;
  always @(posedge clk_i) aggregated <= !hart_rst_i && !pop_o && (aggregated || records_taken_i);

  assign records_valid_o = valid_i && for_records;
  assign encoder_valid_o = valid_i && !(records_i && records_only) && !for_records;
  assign pop_o = encoder_pop_i || (records_taken_i && records_only);
  assign encoder_entry_o[TYPE_AT+3:0] = {records_i && call ? TYPE_NONE : kind, entry_i[TYPE_AT-1:0]};
  assign type_o = kind;
  assign lost_calls_o = |entry_i[0+:16*CALL_BYTES];
  generate
    if (LOCKS != 0) begin : g_locks
      assign lock_part = entry_i[TYPE_AT+4];
      assign encoder_entry_o[WIDTH-1:TYPE_AT+4] = entry_i[WIDTH-1:TYPE_AT+4];
    end else begin : g_no_locks
      assign lock_part = 1'b0;
    end
    if (WIDE != 0) begin : g_wide
      assign time_o = entry_i[8*TIME_AT+:48];
      assign lost_cycles_o = entry_i[LOST_AT+:48];
      assign lost_enters_o = entry_i[0+:32];
    end else begin : g_narrow
      assign time_o = {4'd0, entry_i[8*TIME_AT+:TIME_BITS]};
      assign lost_cycles_o = {{(48 - CYCLES_BITS) {1'b0}}, entry_i[LOST_AT+:CYCLES_BITS]};
      assign lost_enters_o = {8'd0, entry_i[0+:8*CALL_BYTES]};
    end
  endgenerate
endmodule

`default_nettype wire
