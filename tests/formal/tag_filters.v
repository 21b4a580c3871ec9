// SPDX-License-Identifier: Apache-2.0
// A selectable counter with TAG_DELAY equals one without it whose inputs are delayed by that many cycles, with the tags
// and timers of that time, if a filter TAGGED or GATED is set or the event TAGGED is counted. Otherwise it equals one
// without TAG_DELAY, to the cycle. A write or the reset discards delayed events.
`default_nettype none

module tag_filters #(
    parameter DELAY = 2
) (
    input wire        clk_i, clear_i, hold_i,
    input wire [ 3:0] write_i,
    input wire [31:0] wdata_i,
    input wire        inhibit_i,
    input wire [63:33] others_i,
    input wire [ 4:0] cause_i,
    input wire        debug_i, unattributed_i, retired_i, user_i,
    input wire [ 2:0] inside_i,
    input wire [ 8:0] thread_i,
    input wire        tagged_i, // of the instruction that retired DELAY cycles ago
    input wire [ 3:0] gates_i
);
`include "gnomon_events.vh"
  localparam [5:0] TAGGED = `GNOMON_EVENT_TAGGED;
  wire [5:0] number = 6'd1 + cause_i;
  wire [63:0] selection, increment, waiting;
  wire happens, settles, pays;
  gnomon_hpm_counter #(
    .TAG_DELAY(DELAY)
  ) u_delayed (
    .clk_i(clk_i), .clear_i(clear_i), .hold_i(hold_i), .write_i(write_i), .wdata_i(wdata_i), .inhibit_i(inhibit_i),
    .event_o(selection), .events_i(others_i), .cause_number_i(number), .debug_i(debug_i),
    .unattributed_i(unattributed_i),
    .retired_i(retired_i), .user_i(user_i), .inside_i(inside_i), .thread_i(thread_i), .tagged_i(tagged_i),
    .gates_i(gates_i), .happens_o(happens), .settles_o(settles), .pays_o(pays)
  );
  counter_plain u_delayed_count (
    .clk_i(clk_i), .happens_i(happens), .settles_i(settles), .pays_i(pays), .increment_o(increment),
    .waiting_o(waiting)
  );
  wire only_tagged = selection[8], only_gated = selection[13];
  wire of_tags = selection[5:0] == TAGGED;
  wire later = only_tagged || only_gated || of_tags;

  // Inputs of the reference counter: of this cycle, or of DELAY cycles ago; a write discards the delayed ones.
  // In the line, 0 means no event: the cause is inverted.
  localparam WIDTH = 31 + 6 + 1 + 1 + 1 + 1 + 1 + 3 + 9;
  wire [WIDTH-1:0] bundle = {others_i, ~number, inhibit_i, debug_i, unattributed_i, retired_i, user_i, inside_i, thread_i};
  localparam RETIRED = 13;
  reg [WIDTH*DELAY-1:0] line;
  wire [WIDTH*(DELAY+1)-1:0] longer = {bundle, line};
  wire [WIDTH-1:0] given = later ? line[WIDTH-1:0] : bundle;
  always @(posedge clk_i) line <= |write_i || hold_i ? {WIDTH * DELAY{1'b0}} : longer[WIDTH*(DELAY+1)-1:WIDTH];

  wire [63:33] others;
  wire [5:0] no_number;
  wire inhibit, debug, unattributed, retired, user;
  wire [2:0] inside;
  wire [8:0] thread;
  assign {others, no_number, inhibit, debug, unattributed, retired, user, inside, thread} = given;
  wire belongs = (!only_tagged || tagged_i) && (!only_gated || gates_i[selection[15:14]]);
  wire is_tagged = given[RETIRED] && tagged_i;
  wire [63:33] with_tagged = {others[63:TAGGED+1], is_tagged, others[TAGGED-1:33]};
  wire [63:0] plain_selection, plain_increment, plain_waiting;
  wire plain_happens, plain_settles, plain_pays;
  // A write of the low event word has one filter bit for both filters.
  wire [31:0] plain_wdata = write_i[2] ? {wdata_i[31:9], wdata_i[8] || wdata_i[13], wdata_i[7:0]} : wdata_i;
  gnomon_hpm_counter u_plain (
      .clk_i(clk_i),
      .clear_i(clear_i),
      .hold_i(hold_i),
      .write_i(write_i),
      .wdata_i(plain_wdata),
      .inhibit_i(inhibit),
      .event_o(plain_selection),
      .events_i(with_tagged),
      .cause_number_i(~no_number),
      .debug_i(debug),
      .unattributed_i(unattributed),
      .retired_i(retired),
      .user_i(user),
      .inside_i(inside),
      .thread_i(thread),
      .tagged_i(belongs),
      .gates_i(4'd0),
      .happens_o(plain_happens),
      .settles_o(plain_settles),
      .pays_o(plain_pays)
  );
  counter_plain u_plain_count (
    .clk_i(clk_i), .happens_i(plain_happens), .settles_i(plain_settles), .pays_i(plain_pays),
    .increment_o(plain_increment), .waiting_o(plain_waiting)
  );

  always @* assume (hold_i || !clear_i);
  reg begun = 1'b0;
  always @(posedge clk_i) begin
    begun <= 1'b1;
    if (!begun) assume (clear_i && hold_i);
    else begin
      assert ((increment == plain_increment || hold_i) && waiting == plain_waiting);
      assert ({selection[63:16], selection[12:9], selection[7:0]} == {plain_selection[63:16], plain_selection[12:9], plain_selection[7:0]});
      assert (plain_selection[8] == (only_tagged || only_gated) && plain_selection[15:13] == 3'd0);
      // Only the event TAGGED is known with the tags.
      assert (selection[23:16] == 8'd0 && selection[5:0] <= `GNOMON_EVENT_LAST);
    end
  end
endmodule

`default_nettype wire
