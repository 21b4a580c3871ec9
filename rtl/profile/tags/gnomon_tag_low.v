// SPDX-License-Identifier: Apache-2.0
// The low parts of two counters by tag, in distributed RAM: each cycle can count with any tag. A low part leaves for
// the block RAM through one slot, and is 0 then: at once if one of both counters has reached half of its range, else in
// a cycle without a count, when the sweep comes to it.
//
// Why no low part overflows: beyond its half it counts only in cycles in which the slot is taken, else it leaves. The
// slot is taken by other tags at their half, each once, because a tag that has left needs many counts until it asks
// again; and by the sweep, until it comes to this tag. docs/internals/tags.md has the sum.
`default_nettype none

module gnomon_tag_low #(
  parameter WIDTH  = 16,
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

`ifdef FORMAL
  // Of any one tag: what has been counted is what has left, what is in the slot, and the low part.
  (* anyconst *) reg [4:0] f_tag;
  reg [WIDTH+3:0] f_counted, f_left, f_counted_2, f_left_2; // both counters, modulo their width
  reg f_known = 1'b0;
  wire f_counts = count_i && tag_i == f_tag, f_taken = taken_i && valid_o && tag_o == f_tag;
  wire [WIDTH-1:0] f_part, f_part_2;
  assign {f_part, f_part_2} = parts[f_tag];
  wire f_in_slot = valid_o && tag_o == f_tag;
  always @(posedge clk_i) begin
    f_counted <= f_counted + (f_counts && first_i);
    f_counted_2 <= f_counted_2 + (second_i & {AMOUNT{f_counts}});
    f_left <= f_left + (first_o & {WIDTH{f_taken}});
    f_left_2 <= f_left_2 + (second_o & {WIDTH{f_taken}});
    if (clear_i) {f_counted, f_counted_2, f_left, f_left_2} <= {4 * WIDTH + 16{1'b0}};
    if (clear_i && clear_at_i == f_tag) f_known <= 1'b1;
    if (clear_i && !f_known) assume (!count_i && !taken_i);
    if (!f_known) assume (clear_i);
    assume (!(clear_i && f_known)); // one clearing, which comes to this tag
    assume (!overflow_o);
    assume (!taken_i || valid_o);
    if (f_known) begin
      assert (f_counted == f_left + f_part + (first_o & {WIDTH{f_in_slot}}));
      assert (f_counted_2 == f_left_2 + f_part_2 + (second_o & {WIDTH{f_in_slot}}));
    end
  end
`endif
endmodule

`default_nettype wire
