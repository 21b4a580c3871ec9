// SPDX-License-Identifier: Apache-2.0
// Where the tags of a word of main memory lie in the shadow memory (docs/internals/tags.md). The shadow memory is cut
// into equal segments; a segment covers what part of main memory its map register says. Where two cover an address the
// lower one counts. Combinational.
`default_nettype none

module gnomon_tag_map #(
  parameter LOG2 = 18, // of the shadow memory's words, in all segments; a segment covers 2^LOG2 bytes of main memory
  parameter SEGMENTS = 4
) (
  // of each segment: bits LOG2 and up of its first address, whether it is in use
  input  wire [SEGMENTS*(33-LOG2)-1:0] maps_i,
  input  wire [31:2]     address_i,

  output reg             inside_o,
  output reg  [LOG2-1:0] index_o  // 0 where it is outside of all
);
  localparam WIDTH = 33 - LOG2;
  integer i;
  always @* begin
    inside_o = 1'b0;
    index_o  = {LOG2{1'b0}};
    for (i = SEGMENTS - 1; i >= 0; i = i - 1)
    if (maps_i[WIDTH*i+:WIDTH] == {address_i[31:LOG2], 1'b1}) begin
      inside_o = 1'b1;
      index_o  = {i[1:0], address_i[LOG2-1:2]};
    end
  end
endmodule

`default_nettype wire
