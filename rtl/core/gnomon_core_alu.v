// SPDX-License-Identifier: Apache-2.0
// Single-cycle ALU and branch comparison. The result is 0 while no select signal is high, so the core merges the
// results of its units by OR. The decode stage complements the second operand for a subtraction (sub_i), in a LUT that
// it needs anyway.
`default_nettype none

module gnomon_core_alu #(
  parameter SHIFT = 1,                 // 0: another unit shifts
  parameter BITS = 0,                  // 1: the shifter also rotates and extracts a bit
  parameter EAGER = 1                  // 0: evaluates only requested results
) (
  input  wire        enable_i,    // a result of the ALU is requested
  input  wire [31:0] a_i, b_i,
  input  wire        sub_i,       // b_i is complemented, for a subtraction
  input  wire        sum_i,       // 1: the result is the sum
  input  wire        less_i,      // 1: the result is the comparison (unsigned with op_i[0])
  input  wire        logic_i,     // 1: the result is the logical operation
  input  wire        shift_i,     // 1: the result is the shift (to the right with op_i[2])
  input  wire [1:0]  logic_op_i,  // 0 xor, 1 b_i unchanged, 2 or, 3 and
  input  wire [2:0]  op_i,        // funct3, also for branches
  input  wire        alt_i,       // 1: sra, 0: srl
  input  wire        rotate_i,    // with BITS: rotates instead of shifting
  input  wire        single_i,    // with BITS: keeps only bit 0 of a right shift (bext)
  output reg  [31:0] result_o,
  output reg         less_o,      // comparison, also without less_i (needs sub_i)
  output reg         taken_o      // the branch condition holds (needs sub_i)
);
  reg  [32:0] sum;
  reg  [31:0] logical, plain;
  reg         below, less, equal;
  // Selections instead of ANDs: the gates are equal, but a simulation evaluates only selected values.
  always @* begin
    sum = 33'd0;
    {below, less, equal, less_o, taken_o} = 5'd0;
    logical = 32'd0;
    plain = 32'd0;
    if (enable_i) begin
      sum = {1'b0, a_i} + {1'b0, b_i} + {32'd0, sub_i};
      below = !sum[32];
      less = a_i[31] == !b_i[31] ? sum[31] : a_i[31];
      equal = &(a_i ^ b_i);
      less_o = op_i[0] ? below : less;
      taken_o = (op_i[2] ? (op_i[1] ? below : less) : equal) ^ op_i[0];
      logical = logic_op_i[1] ? (logic_op_i[0] ? a_i & b_i : a_i | b_i) : logic_op_i[0] ? b_i : a_i ^ b_i;
      plain = (sum_i ? sum[31:0] : 32'd0) | (logic_i ? logical : 32'd0) | {31'd0, less_i && less_o};
    end
  end

  function [31:0] backwards;
    input [31:0] v;
    backwards = {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15],
           v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24], v[25], v[26], v[27], v[28], v[29], v[30],
               v[31]};
  endfunction
  generate
    if (SHIFT != 0) begin : shifter
      // One right shifter serves both directions: a left shift reverses the bits before and after it.
      reg         left, right, fill;
      reg  [31:0] s0, s1, s2, s3, s4, s5;
      wire        around = BITS != 0 && rotate_i;
      always @* begin
        {left, right, fill} = 3'd0;
        {s0, s1, s2, s3, s4, s5} = 192'd0;
        if (EAGER != 0 || shift_i) begin
          left = shift_i && !op_i[2];
          right = shift_i && !left;
          fill = alt_i && a_i[31];
          s0 = left ? backwards(a_i) : a_i;
          s1 = b_i[0] ? {around ? s0[0] : fill, s0[31:1]} : s0;
          s2 = b_i[1] ? {around ? s1[1:0] : {2{fill}}, s1[31:2]} : s1;
          s3 = b_i[2] ? {around ? s2[3:0] : {4{fill}}, s2[31:4]} : s2;
          s4 = b_i[3] ? {around ? s3[7:0] : {8{fill}}, s3[31:8]} : s3;
          s5 = b_i[4] ? {around ? s4[15:0] : {16{fill}}, s4[31:16]} : s4;
        end
        result_o = plain;
        if (BITS == 0) begin
          if (shift_i)
            result_o = left ? backwards(s5) : s5;
        end else if (EAGER != 0 || shift_i)
          result_o = plain | (left ? backwards(s5) : 32'd0) | {{31{right && !single_i}}, right} & s5;
      end
      wire unused = single_i || rotate_i;
    end else begin : no_shifter
      always @*
        result_o = plain;
      wire unused = &{1'b0, alt_i, shift_i, rotate_i, single_i};
    end
  endgenerate
endmodule
`default_nettype wire
