// SPDX-License-Identifier: Apache-2.0
// The sum of a word of the records and what is added to it. It saturates at all ones, of 48 bits or of the lower 40 or
// 32 (then the bits above them have no meaning).
`default_nettype none

module gnomon_record_sum (
  input  wire [47:0] word_i,
  input  wire        below_48_i, // the sum has 40 bits
  input  wire        below_40_i, // with below_48_i: 32 bits
  input  wire [47:0] addend_i,
  input  wire        carry_i,
  output wire [47:0] sum_o,      // does not saturate
  output wire        carry_o     // the sum does not fit
);
  // Ones above a shorter sum pass its carry on.
  wire [47:0] filled = {word_i[47:40] | {8{below_48_i}}, word_i[39:32] | {8{below_40_i}}, word_i[31:0]};
  assign {carry_o, sum_o} = {1'b0, filled} + {1'b0, addend_i} + {48'd0, carry_i};
endmodule

`default_nettype wire
