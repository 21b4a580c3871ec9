// SPDX-License-Identifier: Apache-2.0
// Pipelined multiplier of two cycles in DSP blocks: X registers the four products of the operands' halves, and M adds
// them.
// SIGNED = 1, for DSP blocks with signed factors of 17 bits or more: the upper halves have their sign.
// SIGNED = 0: the products are unsigned, 16 x 16 bits, because some DSP blocks have a fixed signedness. M subtracts the
// excess of a negative operand from the upper half.
`default_nettype none

module gnomon_core_mul #(
  parameter SIGNED = 0,
  parameter EAGER = 1                  // 0: evaluates only requested results
) (
  input  wire        clk_i,
  input  wire        x_mul_i,    // X has a multiplication
  input  wire [31:0] x_a_i, x_b_i,
  input  wire [1:0]  x_op_i,     // funct3[1:0]: mul, mulh, mulhsu, mulhu
  input  wire        m_mul_i,    // M has a multiplication
  output reg  [31:0] m_result_o  // valid one cycle after the operands; else 0
);
  reg        m_high;
  wire       x_a_negative = x_a_i[31] && x_op_i != 2'b11;
  wire       x_b_negative = x_b_i[31] && !x_op_i[1];
  wire [31:0] m_low, m_upper;          // the halves of the product

  always @(posedge clk_i)
    if (EAGER != 0 || x_mul_i)
      m_high <= x_op_i != 2'b00;
  always @* begin
    m_result_o = 32'd0;
    if (m_mul_i)
      m_result_o = m_high ? m_upper : m_low;
  end

  generate
    if (SIGNED != 0) begin : with_sign
      wire signed [16:0] al = {1'b0, x_a_i[15:0]}, ah = {x_a_negative, x_a_i[31:16]};
      wire signed [16:0] bl = {1'b0, x_b_i[15:0]}, bh = {x_b_negative, x_b_i[31:16]};
      (* keep *) reg signed [31:0] ll, hh;
      (* keep *) reg signed [32:0] lh, hl;
      always @(posedge clk_i)
        if (EAGER != 0 || x_mul_i) begin
          ll <= al * bl;
          lh <= al * bh;
          hl <= ah * bl;
          hh <= ah * bh;
        end
      wire signed [33:0] middle = {lh[32], lh} + {hl[32], hl};
      wire [47:0] upper = {hh, ll[31:16]} + {{14{middle[33]}}, middle};
      assign m_upper = upper[47:16];
      assign m_low = {upper[15:0], ll[15:0]};
    end else begin : without_sign
      // keep: yosys 0.23 otherwise merges the sum of two products into one DSP block and loses the other product
      // (test-core-netlist compares the netlist).
      (* keep *) reg [31:0] ll, lh, hl, hh;
      reg [31:0] deficit;              // complement of the excess
      wire [31:0] x_excess = (x_a_negative ? x_b_i : 32'd0) + (x_b_negative ? x_a_i : 32'd0);
      always @(posedge clk_i)
        if (EAGER != 0 || x_mul_i) begin
          ll <= x_a_i[15:0] * x_b_i[15:0];
          lh <= x_a_i[15:0] * x_b_i[31:16];
          hl <= x_a_i[31:16] * x_b_i[15:0];
          hh <= x_a_i[31:16] * x_b_i[31:16];
          deficit <= ~x_excess;
        end
      wire [32:0] middle = {1'b0, lh} + {1'b0, hl};
      wire [47:0] upper = {hh, ll[31:16]} + {15'd0, middle};
      assign m_upper = upper[47:16] + deficit + 32'd1;
      assign m_low = {upper[15:0], ll[15:0]};
    end
  endgenerate
endmodule
`default_nettype wire
