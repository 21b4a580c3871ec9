// SPDX-License-Identifier: Apache-2.0
// The program of gnomon_trace_encoder, in one block RAM of the iCE40. A word is 7 bits of the next word's address, then
// what the encoder does. The condition is the lowest bit of the address; select_i, which is 0 except where the program
// has a table, is added to it.
`default_nettype none

module gnomon_trace_program #(
  parameter WIDE = 0,
  parameter LOCK_DATA = 0 // only with WIDE
) (
  input  wire       clk_i,
  input  wire       restart_i,    // goes to the first word
  input  wire       stall_i,      // stays at this word
  input  wire       condition_i,
  input  wire [3:0] select_i,
  output wire [8:0] word_o
);
`include "gnomon_encoder_program.vh"
  reg [15:0] word;
  wire [7:0] next = {word[15:9], condition_i} | {4'd0, select_i};
  always @(posedge clk_i) if (!stall_i || restart_i) word <= words[next & {8{!restart_i}}];
  assign word_o = word[8:0];
endmodule

`default_nettype wire
