// SPDX-License-Identifier: Apache-2.0
// Maps a word of main memory to its tags in the shadow memory (docs/internals/tags.md). The shadow memory has equal
// segments. The map register of a segment selects its part of main memory. If two segments cover an address, the lower
// one counts. Combinational.
`default_nettype none

module gnomon_tag_map #(
  parameter LOG2 = 18, // log2 of the shadow memory's words in all segments; a segment covers 2^LOG2 bytes of memory
  parameter SEGMENTS = 4
) (
  // of each segment: bits LOG2 and up of its first address, and whether the segment is in use
  input  wire [SEGMENTS*(33-LOG2)-1:0] maps_i,
  input  wire [31:2]     address_i,

  output reg             inside_o,
  output reg  [LOG2-1:0] index_o  // 0 if the address is outside of all segments
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
