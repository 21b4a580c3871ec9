// SPDX-License-Identifier: Apache-2.0
// A tag cache: words of the shadow memory, direct mapped, in block RAM with a read port and a write port. A written
// word replaces the word in its place. Valid bits are not needed: the first clearing of the shadow memory writes every
// place, and there is no lookup before.
`default_nettype none

module gnomon_tag_cache #(
  parameter LOG2 = 18,      // log2 of the shadow memory's words
  parameter CACHE_LOG2 = 8, // log2 of the cached words, below LOG2
  parameter WIDTH = 15      // bits of a word
) (
  input  wire             clk_i,

  input  wire [LOG2-1:0]  find_i,
  output wire             hit_o,  // one cycle after find_i; a word written in the cycle of find_i is found
  output wire [WIDTH-1:0] word_o,

  input  wire             write_i,
  input  wire [LOG2-1:0]  index_i,
  input  wire [WIDTH-1:0] word_i
`ifdef FORMAL
  , input wire [LOG2-1:0] f_at_i,
  output wire             f_holds_o,  // the cache holds the word f_at_i
  output wire [WIDTH-1:0] f_word_o
`endif
);
  localparam UPPER = LOG2 - CACHE_LOG2;
  (* no_rw_check *) reg [UPPER+WIDTH-1:0] entries[0:(1<<CACHE_LOG2)-1];
  reg [UPPER+WIDTH-1:0] found, latest;
  reg again; // the previous cycle wrote the word that was read, with `latest`
  reg [UPPER-1:0] wanted;
  wire [CACHE_LOG2-1:0] read_at = find_i[CACHE_LOG2-1:0], write_at = index_i[CACHE_LOG2-1:0];
  wire [UPPER+WIDTH-1:0] entry = {index_i[LOG2-1:CACHE_LOG2], word_i};
  always @(posedge clk_i) begin
    if (write_i) entries[write_at] <= entry;
    found <= entries[read_at];
    latest <= entry;
    again <= write_i && write_at == read_at;
    wanted <= find_i[LOG2-1:CACHE_LOG2];
  end
  wire [UPPER+WIDTH-1:0] present = again ? latest : found;
`ifdef FORMAL
  wire [UPPER-1:0] f_upper;
  assign {f_upper, f_word_o} = entries[f_at_i[CACHE_LOG2-1:0]];
  assign f_holds_o = f_upper == f_at_i[LOG2-1:CACHE_LOG2];
`endif
  assign hit_o = present[WIDTH+:UPPER] == wanted;
  assign word_o = present[WIDTH-1:0];
endmodule

`default_nettype wire
