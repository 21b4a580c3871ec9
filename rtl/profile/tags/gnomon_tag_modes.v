// SPDX-License-Identifier: Apache-2.0
// What the tags of a retired instruction and of its data word do: MODE, with one read port for each of both. A result
// is 0 if the tag does not act. The memory has no reset: a clearing after power-on writes all entries.
`default_nettype none

module gnomon_tag_modes (
  input  wire        clk_i,

  input  wire        clear_i,  // clears MODE of number_i
  input  wire        write_i,
  input  wire [4:0]  number_i,
  input  wire [31:0] wdata_i,

  input  wire        retired_i,  // an instruction retired, and tags may act
  input  wire        read_i,     // it read memory
  input  wire        write_mem_i,
  input  wire [4:0]  tag_i, word_tag_i,

  // One cycle later.
  output reg         execute_o,  // the instruction's tag acts
  output reg         read_o,     // the word's tag acts, for a read; for a write
  output reg         write_o,
  output reg  [4:0]  tag_o, word_tag_o,
  output reg  [15:0] mode_o, word_mode_o  // MODE of the tags that act, else 0
);
`include "gnomon_registers.vh"
  localparam [15:0] BITS = 16'hF33F; // those that exist
  (* ram_style = "distributed" *) reg [15:0] modes[0:31];
  always @(posedge clk_i) if (write_i || clear_i) modes[number_i] <= wdata_i[15:0] & BITS & {16{!clear_i}};
  wire [15:0] mode = modes[tag_i] & BITS, word_mode = modes[word_tag_i] & BITS;
  wire execute = retired_i && tag_i != 5'd0 && mode[`GNOMON_TAGS_MODE_EXECUTE];
  wire word = retired_i && word_tag_i != 5'd0;
  wire read = word && read_i && word_mode[`GNOMON_TAGS_MODE_READ];
  wire write = word && write_mem_i && word_mode[`GNOMON_TAGS_MODE_WRITE];
  always @(posedge clk_i) begin
    {execute_o, read_o, write_o} <= {execute, read, write};
    {tag_o, word_tag_o} <= {tag_i, word_tag_i};
    mode_o <= mode & {16{execute}};
    word_mode_o <= word_mode & {16{read || write}};
  end
  wire unused = &{1'b0, wdata_i[31:16]};
endmodule

`default_nettype wire
