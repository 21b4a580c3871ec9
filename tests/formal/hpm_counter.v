// SPDX-License-Identifier: Apache-2.0
// One selectable counter: it requests an interrupt exactly in the cycle in which it wraps while OF is 0. Without a
// filter it counts each event at once. With a filter it counts all events since the last retirement when an instruction
// retires that passes the filter, and only then.
`default_nettype none

module hpm_counter (
    input wire        clk_i, clear_i, hold_i,
    input wire [ 3:0] write_i,
    input wire [31:0] wdata0_i, wdata1_i, wdata2_i, wdata3_i,
    input wire        inhibit_i,
    input wire [63:0] events_i,
    input wire        debug_i, unattributed_i, retired_i, user_i, tagged_i,
    input wire [ 2:0] inside_i,
    input wire [ 8:0] thread_i
);
  wire [63:0] counter, selection;
  wire overflow;
  wire [30:0] waiting;
  gnomon_hpm_counter u_counter (
    .clk_i(clk_i), .clear_i(clear_i), .hold_i(hold_i), .write_i(write_i), .wdata0_i(wdata0_i), .wdata1_i(wdata1_i),
    .wdata2_i(wdata2_i), .wdata3_i(wdata3_i), .inhibit_i(inhibit_i), .counter_o(counter), .event_o(selection),
    .events_i(events_i), .debug_i(debug_i), .unattributed_i(unattributed_i), .retired_i(retired_i), .user_i(user_i),
    .tagged_i(tagged_i), .inside_i(inside_i), .thread_i(thread_i), .f_waiting_o(waiting), .overflow_o(overflow)
  );

  // The filters bit by bit, as in docs/internals/profile.md.
  wire filtered = selection[62] || selection[60] || |selection[12:8];
  reg wanted;
  always @* begin
    wanted = retired_i;
    if (selection[8] && !tagged_i) wanted = 0;
    if (selection[9] && !inside_i[0]) wanted = 0;
    if (selection[10] && !inside_i[1]) wanted = 0;
    if (selection[11] && !inside_i[2]) wanted = 0;
    if (selection[12] && thread_i != selection[31:24]) wanted = 0;
    if (selection[62] && !user_i) wanted = 0;
    if (selection[60] && user_i) wanted = 0;
  end
  wire counts = events_i[selection[5:0]] && !inhibit_i && !hold_i && !(debug_i && selection[5:0] != 10) && !(filtered && unattributed_i);
  reg [63:0] since; // events since the last instruction retired
  wire forget = hold_i || !filtered || |write_i;
  always @(posedge clk_i) since <= retired_i || forget ? 64'd0 : since + counts;
  wire [63:0] increment = !filtered ? counts : wanted ? since + counts : 64'd0;
  // Short waits: the counter saturates waits longer than 2^31 - 1 cycles.
  always @* assume (since < 64'h7FFF_FFFF);
  always @* assume (hold_i || !clear_i);

  reg begun = 1'b0, past = 1'b0;
  reg [63:0] was, added;
  reg [3:0] wrote;
  reg did, of_was, cleared;
  always @(posedge clk_i) begin
    if (!begun) assume (clear_i && hold_i);
    begun <= 1'b1;
    was <= counter;
    added <= increment;
    wrote <= write_i;
    did <= overflow;
    of_was <= selection[63];
    cleared <= clear_i;
    past <= begun;
    if (begun) assert (since == waiting);
    if (past && !cleared && wrote == 4'd0) begin
      assert (counter == was + added);
      assert (did == (counter < was && !of_was));
      assert (selection[63] == (of_was || counter < was));
    end
    if (past && !cleared && |wrote[1:0]) assert (!did);
    if (begun) assert (!selection[61] && selection[59:32] == 0 && selection[23:13] == 0 && selection[7:6] == 0 && selection[5:0] <= 58);
  end
endmodule

`default_nettype wire
