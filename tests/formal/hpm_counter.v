// SPDX-License-Identifier: Apache-2.0
// What one selectable counter counts. Without a filter it counts each event at once. With a filter it counts all events
// since the last retirement when an instruction retires that passes the filter, and only then. A write, and the hart's
// reset, discard the events that wait.
`default_nettype none

module hpm_counter (
    input wire        clk_i, clear_i, hold_i,
    input wire [ 3:0] write_i,
    input wire [31:0] wdata_i,
    input wire        inhibit_i,
    input wire [63:33] others_i,
    input wire [ 4:0] cause_i,
    input wire        debug_i, unattributed_i, retired_i, user_i, tagged_i,
    input wire [ 2:0] inside_i,
    input wire [ 8:0] thread_i
);
`include "gnomon_events.vh"
  wire [63:0] selection;
  wire [63:0] events_i = {others_i, 32'd1 << cause_i, 1'b0}; // as gnomon_pmu_events makes them
  wire happens, settles, pays;
  gnomon_hpm_counter u_counter (
    .clk_i(clk_i), .clear_i(clear_i), .hold_i(hold_i), .write_i(write_i), .wdata_i(wdata_i), .inhibit_i(inhibit_i),
    .event_o(selection), .events_i(others_i),
    .cause_number_i(6'd1 + cause_i), .debug_i(debug_i), .unattributed_i(unattributed_i),
    .retired_i(retired_i), .user_i(user_i), .tagged_i(tagged_i), .inside_i(inside_i), .thread_i(thread_i),
    .gates_i(4'd0), .happens_o(happens), .settles_o(settles), .pays_o(pays)
  );
  wire [63:0] got, waiting;
  counter_plain u_plain (
    .clk_i(clk_i), .happens_i(happens), .settles_i(settles), .pays_i(pays), .increment_o(got), .waiting_o(waiting)
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
  always @* assume (hold_i || !clear_i);

  reg begun = 1'b0;
  always @(posedge clk_i) begin
    if (!begun) assume (clear_i && hold_i);
    begun <= 1'b1;
    if (begun) begin
      assert (since == waiting);
      assert (got == increment || hold_i); // the store counts nothing then
      assert (selection[63] == 0 && !selection[61] && selection[59:32] == 0 && selection[23:13] == 0 && selection[7:6] == 0 && selection[5:0] <= `GNOMON_EVENT_LAST);
      if (filtered && !forget) assert (settles == retired_i);
    end
  end
endmodule

`default_nettype wire
