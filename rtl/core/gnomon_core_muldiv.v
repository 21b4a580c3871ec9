// SPDX-License-Identifier: Apache-2.0
// Iterative unit in X: restoring division, one bit per cycle; with MUL = 1 also multiplication. The unit works on
// magnitudes and applies the sign at the end: 34 cycles. It skips leading zero bytes of a dividend: 26, 18 or 10
// cycles. Protocol: start_i is high from the instruction's first cycle until the instruction leaves X; result_o is
// valid while done_o is high.
`default_nettype none

module gnomon_core_muldiv #(
  parameter MUL = 0,
  parameter EAGER = 1                  // 0: evaluates only requested results
) (
  input  wire        clk_i,
  input  wire        clear_i,   // X is empty or its instruction leaves: the unit is idle in the next cycle
  input  wire        select_i,  // the instruction in X belongs to this unit
  input  wire        start_i,
  input  wire [2:0]  op_i,      // funct3
  input  wire [31:0] a_i, b_i,
  output wire        done_o,
  output reg  [31:0] result_o   // 0 for an instruction of another unit
);
  reg         busy;
  reg  [5:0]  count;                   // bit 5: all steps are done
  reg  [31:0] high, low;               // remainder and quotient; or the product
  // The divisor, with the sign that the subtraction of its magnitude needs: minus the magnitude, less 1 for a positive
  // divisor (b_adds_1). Or the magnitude of the multiplicand.
  reg  [31:0] b;
  reg         b_adds_1;
  reg         negate;

  wire        divide = MUL == 0 || op_i[2];

  // Magnitudes, in the first cycle. A conditional negation as the complement of x - 1 takes one LUT with carry per bit.
  reg         a_negative, b_negative;
  reg  [31:0] a_load, b_load;
  reg  [1:0]  skip;
  always @* begin
    {a_negative, b_negative, skip} = 4'd0;
    {a_load, b_load} = 64'd0;
    if (EAGER != 0 || start_i && !busy) begin
      a_negative = a_i[31] && (divide ? !op_i[0] : op_i[1:0] != 2'b11);
      b_negative = b_i[31] && (divide ? !op_i[0] : !op_i[1]);
      a_load = a_negative ? ~(a_i + 32'hffff_ffff) : a_i;
      b_load = divide ? b_i ^ {32{!b_negative}} : b_negative ? ~(b_i + 32'hffff_ffff) : b_i;
      // A skipped byte leaves zeros in the quotient, which is correct unless the divisor is 0.
      skip = !divide || b_i == 32'd0 || |a_load[31:24] ? 2'd0 : |a_load[23:16] ? 2'd1 : |a_load[15:8] ? 2'd2 : 2'd3;
    end
  end

  reg  [32:0] remainder, difference, sum;
  always @* begin
    {remainder, difference, sum} = 99'd0;
    if (EAGER != 0 || busy) begin
      remainder = {high, low[31]};
      difference = remainder + {1'b1, b} + {32'd0, b_adds_1};
      sum = {1'b0, high} + (low[0] ? {1'b0, b} : 33'd0);
    end
  end

  always @(posedge clk_i) begin
    if (!busy) begin
      busy <= start_i;
      if (EAGER != 0 || start_i) begin
        count <= {1'b0, skip, 3'd0};
        high <= 32'd0;
        low <= a_load << {skip, 3'd0};
        b <= b_load;
        b_adds_1 <= !b_negative;
        // Division by zero: the quotient is all ones, never negated; the remainder is the dividend.
        negate <= divide && op_i[1] ? a_negative : (a_negative ^ b_negative) && (b_i != 32'd0 || !divide);
      end
    end else if (!count[5]) begin
      count <= count + 6'd1;
      if (divide) begin
        high <= difference[32] ? remainder[31:0] : difference[31:0];
        low <= {low[30:0], !difference[32]};
      end else begin
        high <= sum[32:1];
        low <= {sum[0], low[31:1]};
      end
    end
    if (clear_i)
      busy <= 1'b0;
  end

  assign done_o = busy && count[5];
  reg         upper, whole;
  reg  [31:0] magnitude, magnitude_less;
  always @* begin
    result_o = 32'd0;
    {upper, whole, magnitude, magnitude_less} = 66'd0;
    if (select_i) begin
      upper = divide ? op_i[1] : op_i[1:0] != 2'b00;
      magnitude = upper ? high : low;
      // The negation of a 64-bit product carries into the upper half only if the lower half is 0; otherwise the upper
      // half is complemented.
      whole = divide || !upper || low == 32'd0;
      magnitude_less = magnitude + {32{whole}};
      result_o = negate ? ~magnitude_less : magnitude;
    end
  end
endmodule
`default_nettype wire
