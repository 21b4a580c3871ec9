// SPDX-License-Identifier: Apache-2.0
// Second ALU, in M, for an instruction that passed X while an operand was still being loaded or multiplied. The
// instruction takes the operand from the instruction ahead as that one leaves M, so it loses no cycle. M decides a
// branch of this kind. Without such an instruction, the result and all other outputs of M are 0.
`default_nettype none

module gnomon_core_late #(
  parameter BITS = 0,
  parameter EAGER = 1                  // 0: evaluates only requested results
) (
  input  wire        clk_i, rst_i,
  input  wire        m_stall_i,  // the instruction in X does not move to M

  input  wire        x_wait_a_i,     // the instruction in X takes its first operand from M
  input  wire        x_wait_b_i,     // the instruction in X takes its second operand from M
  input  wire        x_branch_i,
  input  wire        x_predicted_i,  // the branch is predicted taken
  input  wire [31:0] x_a_i,
  input  wire [31:0] x_b_i,          // complemented with x_sub_i, as for the ALU in X
  input  wire        x_sub_i, x_sum_i, x_less_i, x_logic_i, x_shift_i,
  input  wire [1:0]  x_logic_op_i,
  input  wire [2:0]  x_op_i,
  input  wire        x_alt_i, x_rotate_i, x_single_i,
  output wire [31:0] x_a_o,          // operands, valid when the instruction in X moves to M
  output wire [31:0] x_b_o,

  input  wire        m_valid_i,
  input  wire [31:0] m_value_i,  // result of the instruction in M
  output wire [31:0] m_result_o,
  output wire        m_taken_o,  // a branch that M decides is taken
  output wire        m_wrong_o   // a branch that M decides was predicted wrongly
);
  assign x_a_o = x_wait_a_i ? m_value_i : x_a_i;
  assign x_b_o = x_wait_b_i ? m_value_i ^ {32{x_sub_i}} : x_b_i;

  reg         mine, branch, predicted, sub, sum, less, bitwise, shift, alt, rotate, single;
  reg  [1:0]  logic_op;
  reg  [2:0]  op;
  reg  [31:0] a, b;
  wire        x_mine = x_wait_a_i || x_wait_b_i;
  always @(posedge clk_i) begin
    if (!m_stall_i) begin
      mine <= x_mine;
      {branch, sum, less, bitwise, shift} <= 5'd0;
      if (x_mine)
        {branch, sum, less, bitwise, shift} <= {x_branch_i, x_sum_i, x_less_i, x_logic_i, x_shift_i};
      if (EAGER != 0 || x_mine) begin
        predicted <= x_predicted_i;
        a <= x_a_o;
        b <= x_b_o;
        sub <= x_sub_i;
        logic_op <= x_logic_op_i;
        op <= x_op_i;
        alt <= x_alt_i;
        rotate <= x_rotate_i;
        single <= x_single_i;
      end
    end
    if (rst_i)                       // in reset M writes its result, 0, to all registers
      {mine, branch, sum, less, bitwise, shift} <= 6'd0;
  end

  wire        condition;
  wire        unused;
  gnomon_core_alu #(.BITS(BITS), .EAGER(EAGER)) u_alu (
    .enable_i(EAGER != 0 || mine), .a_i(a), .b_i(b), .sub_i(sub), .sum_i(sum), .less_i(less), .logic_i(bitwise),
        .shift_i(shift), .logic_op_i(logic_op),
    .op_i(op), .alt_i(alt), .rotate_i(rotate), .single_i(single), .less_o(unused),
    .result_o(m_result_o), .taken_o(condition));
  assign m_taken_o = branch && condition;
  assign m_wrong_o = m_valid_i && branch && condition != predicted;
endmodule
`default_nettype wire
