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

  generate
    if (SHIFT != 0) begin : shifter
      // A rotator to the right, and a mask of the bits that come from the operand. A shift to the left by n is a
      // rotation to the right by 32 - n.
      wire        around = BITS != 0 && rotate_i;
      wire        single = BITS != 0 && single_i;
      wire [4:0]  amount = b_i[4:0];
      reg         left, fill;
      reg  [4:0]  turn;
      reg  [31:0] s1, s2, s3, s4, s5, keep;
      // For each byte of the result: all bits come from the operand; the bits in low do.
      reg  [3:0]  whole, partly;
      reg  [7:0]  low;
      always @* begin
        {left, fill} = 2'd0;
        turn = 5'd0;
        {s1, s2, s3, s4, s5, keep} = 192'd0;
        {whole, partly, low} = 16'd0;
        if (EAGER != 0 || shift_i) begin
          left = !op_i[2];
          fill = shift_i && !left && !single && alt_i && a_i[31];
          // -amount, without a carry chain
          turn = amount ^ ({5{left}} & {|amount[3:0], |amount[2:0], |amount[1:0], amount[0], 1'b0});
          s1 = turn[0] ? {a_i[0], a_i[31:1]} : a_i;
          s2 = turn[1] ? {s1[1:0], s1[31:2]} : s1;
          s3 = turn[2] ? {s2[3:0], s2[31:4]} : s2;
          s4 = turn[3] ? {s3[7:0], s3[31:8]} : s3;
          s5 = turn[4] ? {s4[15:0], s4[31:16]} : s4;
          low = left ? 8'hff << amount[2:0] : 8'hff >> amount[2:0];
          partly = {4{shift_i && !single}} & (left ? 4'h1 << amount[4:3] : 4'h8 >> amount[4:3]);
          whole = {4{shift_i && !single}} & ({4{around}} | (left ? 4'he << amount[4:3] : 4'h7 >> amount[4:3]));
          keep = {{8{whole[3]}}, {8{whole[2]}}, {8{whole[1]}}, {8{whole[0]}}}
              | {{8{partly[3]}}, {8{partly[2]}}, {8{partly[1]}}, {8{partly[0]}}} & {4{low}}
              | {31'd0, shift_i && single};
        end
        result_o = plain;
        if (EAGER != 0 || shift_i)
          result_o = plain | s5 & keep | {32{fill}} & ~keep;
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
