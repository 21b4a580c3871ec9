// SPDX-License-Identifier: Apache-2.0
// Iterative unit of the compact core: multiplication, division and shifts with one adder, one bit per cycle. The unit
// uses the first operand's register in X for the shifted value, the multiplier or the quotient. The second operand does
// not change; D complements it if the unit subtracts it. Division subtracts the magnitude of the divisor from that of
// the dividend. Multiplication multiplies the magnitude of the multiplier by the multiplicand, negated if the
// multiplier is negative. The first step makes the magnitude; a quotient or remainder gets its sign at the end. Cycles:
// shift by N 1 + N, product 33, quotient 34, remainder 35.
`default_nettype none

module gnomon_core_serial (
  input  wire        clk_i,

  // Values that X takes from D with load_i.
  input  wire        load_i, d_shift_i, d_mul_i, d_div_i,
  input  wire [1:0]  d_op_i,          // funct3[1:0]
  input  wire        d_a_sign_i, d_b_sign_i,
  input  wire [4:0]  d_amount_i,      // shift amount
  output wire        d_complement_o,  // the second operand must come complemented

  // Stage X. The result is valid while done_o is high, and 0 for an instruction of another unit.
  input  wire        x_mine_i, x_valid_i,
  input  wire        x_shift_i,       // the instruction is a shift
  input  wire        x_arithmetic_i,  // the shift is sra
  input  wire [2:0]  x_op_i,
  input  wire [31:0] x_a_i, x_b_i,
  input  wire        x_complement_i,  // x_b_i is complemented
  output wire        x_step_o,        // the first operand's register takes x_a_o
  output wire [31:0] x_a_o,
  output wire        done_o,
  output wire [31:0] result_o
);
  reg         first;                   // no step is done
  reg         finish;                  // the remainder has been shifted back
  reg  [5:0]  count;                   // bit 5: all steps are done
  reg  [32:0] high;                    // remainder with the next bit; or the product
  reg         negate;

  assign d_complement_o = d_div_i && (d_op_i[0] || !d_b_sign_i) || d_mul_i && d_op_i != 2'b11 && d_a_sign_i;

  wire        divide = x_op_i[2] && !x_shift_i;
  wire        up = x_op_i[2] ^ x_shift_i;
  wire        a_signed = divide ? !x_op_i[0] : x_op_i[1:0] != 2'b11;
  wire        b_signed = divide ? !x_op_i[0] : !x_op_i[1];
  wire        a_negative = x_a_i[31] && a_signed;

  // A complemented unsigned multiplicand needs 34 bits.
  wire        b_sign = b_signed ? x_b_i[31] : x_complement_i;
  wire [33:0] old = {high[32], high};
  wire [33:0] sum = old + {{2{b_sign}}, x_b_i} + {33'd0, x_complement_i};
  wire        take = divide ? !sum[32] && !count[5] : x_a_i[0];
  wire [33:0] next = take ? sum : old;

  // A quotient with bit 31 set is not negated: it is 2^31, its own negative, or all ones from a division by zero.
  wire        upper = !x_shift_i && count[5] && (divide ? x_op_i[1] : x_op_i[1:0] != 2'b00);
  wire        minus = first ? a_negative && !x_shift_i : negate && count[5] && (x_op_i[1] || !x_a_i[31]);
  wire [31:0] magnitude = {32{x_mine_i}} & (upper ? high[31:0] : x_a_i);
  // A conditional negation as the complement of x - 1 takes one LUT with carry per bit.
  wire [31:0] magnitude_less = magnitude + 32'hffff_ffff;
  assign result_o = minus ? ~magnitude_less : magnitude;

  // Until the last step is done, result_o is the first operand; in the first step, its magnitude.
  assign x_a_o = up ? {result_o[30:0], divide && take} : {x_shift_i ? x_arithmetic_i && x_a_i[31] : next[0],
      result_o[31:1]};
  assign x_step_o = x_mine_i && x_valid_i && !done_o;
  assign done_o = count[5] && (finish || !(divide && x_op_i[1]));

  always @(posedge clk_i) begin
    if (first)
      negate <= divide && (a_negative ^ (!x_op_i[1] && !x_op_i[0] && !x_complement_i));
    if (x_step_o) begin
      first <= 1'b0;
      finish <= count[5];
      if (!(first && divide))
        count <= count + 6'd1;
      // The last step of a remainder shifts it back by one bit.
      high <= up && !count[5] ? {next[31:0], result_o[31]} : next[33:1];
    end
    if (load_i) begin
      first <= 1'b1;
      finish <= 1'b0;
      count <= d_shift_i ? 6'd32 - {1'b0, d_amount_i} : 6'd0;
      high <= 33'd0;
    end
  end
endmodule
`default_nettype wire
