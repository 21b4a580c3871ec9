// SPDX-License-Identifier: Apache-2.0
// A part of the shadow memory: the tags of one kind, for each word of main memory that is in a block. Lookups have a
// read port of their own, so they never wait. The other port clears, writes and shows tags; a write shows the word
// before the write. A lookup in the cycle of a write sees the new word: so yosys needs one copy of the memory, not two.
`default_nettype none

module gnomon_tag_shadow #(
  parameter LOG2  = 12,
  parameter WIDTH = 10
) (
  input  wire             clk_i,

  input  wire [LOG2-1:0]  find_i,
  output reg  [WIDTH-1:0] found_o,  // one cycle later

  input  wire             write_i,
  input  wire [LOG2-1:0]  index_i,
  input  wire [WIDTH-1:0] word_i,
  output reg  [WIDTH-1:0] word_o    // one cycle later
);
  reg [WIDTH-1:0] words[0:(1<<LOG2)-1];
  always @(posedge clk_i) found_o <= write_i && index_i == find_i ? word_i : words[find_i];
  always @(posedge clk_i) begin
    word_o <= words[index_i];
    if (write_i) words[index_i] <= word_i;
  end
endmodule

`default_nettype wire
