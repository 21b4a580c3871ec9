// SPDX-License-Identifier: Apache-2.0
// The low parts of two counters by tag, in distributed RAM: each cycle can count with any tag. A low part leaves for
// the block RAM through one slot, and is 0 then: at once if one of both counters has reached half of its range, else in
// a cycle without a count, when the sweep comes to it.
//
// Why no low part overflows: it has HALF - 1 more counts to go when it asks for the slot. Until it gets the slot, only
// other tags that reached their half can be before it, each once, because a tag that has left needs HALF counts until
// it asks again. docs/internals/tags.md has the sum.
`default_nettype none

module gnomon_tag_low #(
  parameter WIDTH  = 12,
  parameter AMOUNT = 1 // bits of the second counter's amount, at most WIDTH - 2
) (
  input  wire              clk_i,
  input  wire              clear_i,  // clears the counters of tag clear_at_i; nothing counts
  input  wire [4:0]        clear_at_i,

  input  wire              count_i,
  input  wire [4:0]        tag_i,
  input  wire              first_i,  // with count_i: adds 1 to the first counter
  input  wire [AMOUNT-1:0] second_i, // with count_i: adds this to the second counter

  input  wire              leave_i,    // the sweep may use the slot
  input  wire              restart_i,  // the sweep begins with tag 0
  output wire              swept_o,    // the sweep has passed all tags since then

  output reg               valid_o,  // the slot: a tag and its low parts
  output reg  [4:0]        tag_o,
  output reg  [WIDTH-1:0]  first_o, second_o,
  input  wire              taken_i,

  output wire              overflow_o  // a low part has overflowed
);
  (* ram_style = "distributed" *) reg [2*WIDTH-1:0] parts[0:31];
  reg [5:0] sweep;
  assign swept_o = sweep[5];
  wire [4:0] at = clear_i ? clear_at_i : count_i ? tag_i : sweep[4:0];
  wire [WIDTH-1:0] first_was, second_was;
  assign {first_was, second_was} = parts[at];
  wire [WIDTH:0] first = {1'b0, first_was} + {{WIDTH{1'b0}}, count_i && first_i};
  wire [WIDTH:0] second = {1'b0, second_was} + {{(WIDTH + 1 - AMOUNT) {1'b0}}, second_i & {AMOUNT{count_i}}};
  wire half = first[WIDTH-1] || second[WIDTH-1];
  wire any = |first_was || |second_was;
  wire free = !valid_o;
  wire leaves = free && (count_i ? half : any && leave_i && !swept_o);
  assign overflow_o = (first[WIDTH] || second[WIDTH]) && !clear_i;
  always @(posedge clk_i) begin
    parts[at] <= leaves || clear_i ? {2 * WIDTH{1'b0}} : {first[WIDTH-1:0], second[WIDTH-1:0]};
    if (!count_i && !swept_o && (leaves || !any)) sweep <= sweep + 6'd1;
    if (restart_i || clear_i) sweep <= 6'd0;
    if (taken_i) valid_o <= 1'b0;
    if (leaves) {valid_o, tag_o, first_o, second_o} <= {1'b1, at, first[WIDTH-1:0], second[WIDTH-1:0]};
    if (clear_i) valid_o <= 1'b0;
  end
endmodule

`default_nettype wire
