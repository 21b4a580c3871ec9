// SPDX-License-Identifier: Apache-2.0
// A short queue in distributed RAM; the first word falls through. A push into the full queue is dropped.
`default_nettype none

module gnomon_tag_queue #(
  parameter WIDTH = 8,
  parameter LOG2  = 4 // log2 of the capacity in words
) (
  input  wire             clk_i,
  input  wire             clear_i,

  input  wire             push_i,
  input  wire [WIDTH-1:0] word_i,
  output wire             valid_o,  // word_o is the oldest word
  output wire [WIDTH-1:0] word_o,
  input  wire             pop_i,    // only while valid_o
  output wire             half_o    // the queue is at least half full
`ifdef FORMAL
  , output wire [LOG2:0]  f_level_o
`endif
);
  (* ram_style = "distributed" *) reg [WIDTH-1:0] words[0:(1<<LOG2)-1];
  reg [LOG2-1:0] head, tail;
  reg [LOG2:0] level;
  wire push = push_i && !level[LOG2];
  always @(posedge clk_i) begin
    if (push) words[tail] <= word_i;
    if (push) tail <= tail + 1'b1;
    if (pop_i) head <= head + 1'b1;
    if (push != pop_i) level <= pop_i ? level - 1'b1 : level + 1'b1;
    if (clear_i) begin
      {head, tail} <= {2 * LOG2{1'b0}};
      level <= {LOG2 + 1{1'b0}};
    end
  end
  assign valid_o = level != {LOG2 + 1{1'b0}};
  assign word_o = words[head];
  assign half_o = |level[LOG2:LOG2-1];
`ifdef FORMAL
  assign f_level_o = level;
`endif
endmodule

`default_nettype wire
