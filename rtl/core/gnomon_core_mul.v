// SPDX-License-Identifier: Apache-2.0
// Pipelined multiplier of two cycles in DSP blocks: X registers four 16 x 16 products, and M adds them. The products
// are unsigned, because some DSP blocks have a fixed signedness. M subtracts the excess of a negative operand from the
// upper half.
`default_nettype none

module gnomon_core_mul #(
  parameter EAGER = 1                  // 0: evaluates only requested results
) (
  input  wire        clk_i,
  input  wire        x_mul_i,    // X has a multiplication
  input  wire [31:0] x_a_i, x_b_i,
  input  wire [1:0]  x_op_i,     // funct3[1:0]: mul, mulh, mulhsu, mulhu
  input  wire        m_mul_i,    // M has a multiplication
  output reg  [31:0] m_result_o  // valid one cycle after the operands; else 0
);
  // keep: yosys 0.23 otherwise merges the sum of two products into one DSP block and loses the other product
  // (test-core-netlist compares the netlist).
  (* keep *) reg [31:0] m_ll, m_lh, m_hl, m_hh;
  reg [31:0] m_deficit;                // complement of the excess
  reg        m_high;
  wire       x_a_negative = x_a_i[31] && x_op_i != 2'b11;
  wire       x_b_negative = x_b_i[31] && !x_op_i[1];

  wire [31:0] x_excess = (x_a_negative ? x_b_i : 32'd0) + (x_b_negative ? x_a_i : 32'd0);

  always @(posedge clk_i) begin
    if (EAGER != 0 || x_mul_i) begin
      m_ll <= x_a_i[15:0] * x_b_i[15:0];
      m_lh <= x_a_i[15:0] * x_b_i[31:16];
      m_hl <= x_a_i[31:16] * x_b_i[15:0];
      m_hh <= x_a_i[31:16] * x_b_i[31:16];
      m_deficit <= ~x_excess;
      m_high <= x_op_i != 2'b00;
    end
  end

  wire [32:0] m_middle = {1'b0, m_lh} + {1'b0, m_hl};
  wire [47:0] m_upper = {m_hh, m_ll[31:16]} + {15'd0, m_middle};
  always @* begin
    m_result_o = 32'd0;
    if (m_mul_i)
      m_result_o = m_high ? m_upper[47:16] + m_deficit + 32'd1 : {m_upper[15:0], m_ll[15:0]};
  end
endmodule
`default_nettype wire
