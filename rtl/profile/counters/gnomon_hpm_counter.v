// SPDX-License-Identifier: Apache-2.0
// What one selectable counter counts: mhpmevent, and from it the inputs of gnomon_counter_store in each cycle. Without
// a filter, an event counts in its cycle. With a filter, an event waits for the instruction that pays for it, the next
// one to retire (docs/internals/observation.md), because the filter needs that instruction. A write to the counter or
// to the event register discards the events that wait. In debug mode the counter counts only CYCLES_DEBUG. With
// TAG_DELAY, the filters TAGGED and GATED and the event TAGGED take effect that many cycles later, when the
// instruction's tags and timers are known. Nothing else is delayed.
`default_nettype none

module gnomon_hpm_counter #(
  parameter TAG_DELAY = 0 // 0: tagged_i comes with the retirement, and the filter GATED does not exist
) (
  input  wire        clk_i,
  input  wire        clear_i,  // clears everything; comes with hold_i
  input  wire        hold_i,   // stops counting; writes still work

  // Words: 0 and 1 are the counter, 2 and 3 the event register, low word first. A written word is visible in the next
  // cycle. OF, bit 31 of word 3, is elsewhere and reads 0 here.
  input  wire [3:0]  write_i,
  input  wire [31:0] wdata_i,
  input  wire        inhibit_i,
  output wire [63:0] event_o,

  input  wire [63:33] events_i,       // events of this cycle, by number
  input  wire [5:0]  cause_number_i,  // the cycle's stall cause, the only one of events 1 to 32 in this cycle
  input  wire        debug_i,         // a cycle of debug mode
  input  wire        unattributed_i,  // no instruction pays for this cycle
  input  wire        retired_i,       // an instruction retires; the following inputs describe it
  input  wire        user_i,
  input  wire [2:0]  inside_i,        // instruction ranges 0 and 1, data range
  input  wire [8:0]  thread_i,        // 256 or more: a thread that the filter cannot select
  input  wire        tagged_i,        // tagged_i and gates_i describe the instruction that retired TAG_DELAY cycles ago
  input  wire [3:0]  gates_i,

  // For the store: an event in this cycle; the events that wait count (with pays_o) or are discarded.
  output wire        happens_o, settles_o, pays_o
);
`include "gnomon_events.vh"
  localparam [5:0] LAST = `GNOMON_EVENT_LAST, CYCLES_DEBUG = `GNOMON_EVENT_CYCLES_DEBUG, TAGGED = `GNOMON_EVENT_TAGGED;

  // The event register: docs/internals/profile.md, "Counters".
  reg minh, uinh;
  reg [5:0] number;
  reg [7:0] thread;
  reg only_tagged, only_thread;
  reg [2:0] only_inside;
  wire exists = wdata_i[7:6] == 2'd0 && wdata_i[5:0] <= LAST;
  always @(posedge clk_i) begin
    if (write_i[2]) begin
      number <= wdata_i[5:0] & {6{exists}};
      {only_thread, only_inside, only_tagged} <= wdata_i[12:8];
      thread <= wdata_i[31:24];
    end
    if (write_i[3]) {minh, uinh} <= {wdata_i[30], wdata_i[28]};
    if (clear_i) {number, only_thread, only_inside, only_tagged, thread, minh, uinh} <= 21'd0;
  end
  wire only_gated;
  wire [1:0] gate;
  assign event_o = {1'b0, minh, 1'b0, uinh, 28'd0, thread, 8'd0, gate, only_gated, only_thread, only_inside,
      only_tagged, 2'd0, number};

  wire filtered = only_thread || |only_inside || only_tagged || only_gated || minh || uinh;
  wire tag_good = TAG_DELAY != 0 || !only_tagged || tagged_i; // with TAG_DELAY, `pays` checks the tag
  wire good = retired_i && tag_good && (!only_thread || thread_i == {1'b0, thread}) &&
      (only_inside & ~inside_i) == 3'd0 && !(user_i ? uinh : minh);
  wire unseen = hold_i || (debug_i && number != CYCLES_DEBUG) || (filtered && unattributed_i);

  // A comparison in place of half of the multiplexer.
  wire [31:0] others = {events_i, 1'b0};
  wire occurs = number == cause_number_i || (number[5] && others[number[4:0]]);

  // Of this cycle, or of the cycle TAG_DELAY cycles ago: an event, a retirement, a retirement that passes the filters.
  wire happens, retires, pays;
  generate
    if (TAG_DELAY == 0) begin : g_now
      assign {only_gated, gate} = 3'd0;
      assign happens = occurs && !inhibit_i && !unseen;
      assign retires = retired_i;
      assign pays = good;
      wire unused = &{1'b0, gates_i, wdata_i[15:13]};
    end else begin : g_later
      reg r_gated;
      reg [1:0] r_gate;
      always @(posedge clk_i) begin
        if (write_i[2]) {r_gate, r_gated} <= wdata_i[15:13];
        if (clear_i) {r_gate, r_gated} <= 3'd0;
      end
      assign {only_gated, gate} = {r_gated, r_gate};

      // The event TAGGED travels as a retirement until its tag is known. A write discards the events in the line.
      wire of_tags = number == TAGGED;
      wire later = only_tagged || only_gated || of_tags;
      wire now = (of_tags ? retired_i : occurs) && !inhibit_i && !unseen;
      reg [3*TAG_DELAY-1:0] line;
      wire [3*TAG_DELAY+2:0] longer = {now, retired_i, good, line};
      always @(posedge clk_i) begin
        line <= longer[3*TAG_DELAY+2:3];
        if (|write_i || hold_i) line <= {3 * TAG_DELAY{1'b0}};
      end
      wire was, was_good;
      assign {was, retires, was_good} = later ? line[2:0] : {now, retired_i, good};
      wire unused = &{1'b0, longer[2:0]};
      assign happens = was && (!of_tags || tagged_i) && !hold_i;
      assign pays = was_good && (!only_tagged || tagged_i) && (!only_gated || gates_i[gate]);
    end
  endgenerate

  assign happens_o = happens;
  assign settles_o = retires || !filtered || |write_i || hold_i;
  assign pays_o = pays || !filtered;

  wire unused = &{1'b0, wdata_i[31], wdata_i[29], wdata_i[23:16]};
endmodule

`default_nettype wire
