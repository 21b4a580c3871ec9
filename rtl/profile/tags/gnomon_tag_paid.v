// SPDX-License-Identifier: Apache-2.0
// The cycles that a retired instruction pays for (docs/internals/observation.md). Short waits are added at once. What a
// wait has above SHORT bits goes through a slot of its own: the next such wait ends 2^SHORT cycles later at the
// earliest, and by then the slot is free.
`default_nettype none

module gnomon_tag_paid #(
  parameter SHORT = 10
) (
  input  wire             clk_i,
  input  wire             clear_i,  // discards the cycles that wait for an instruction

  input  wire             retired_i,
  input  wire             unattributed_i,  // no instruction pays for this cycle
  input  wire             execute_i,       // with retired_i: the cycles count, for tag_i
  input  wire [4:0]       tag_i,

  output wire [SHORT-1:0] cycles_o,  // with execute_i, the short part
  output reg              valid_o,   // the slot: a tag and the rest of its cycles, in units of 2^SHORT
  output reg  [4:0]       tag_o,
  output reg  [31-SHORT:0] rest_o,
  input  wire             taken_i,
  output wire             overflow_o  // the wait is longer than is counted
);
  reg [31:0] waiting;
  wire [31:0] pays = waiting + {31'd0, !unattributed_i && !(&waiting)};
  assign cycles_o = pays[SHORT-1:0];
  assign overflow_o = execute_i && &pays;
  always @(posedge clk_i) begin
    waiting <= retired_i || clear_i ? 32'd0 : pays;
    if (taken_i) valid_o <= 1'b0;
    if (execute_i && |pays[31:SHORT]) {valid_o, tag_o, rest_o} <= {1'b1, tag_i, pays[31:SHORT]};
    if (clear_i) valid_o <= 1'b0;
  end
endmodule

`default_nettype wire
