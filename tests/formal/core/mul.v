// SPDX-License-Identifier: Apache-2.0
// The fast multiplier, for all operands: it adds the four products of the halves as in long multiplication, and
// subtracts the other operand from the upper half for each negative operand. That this sum is the product is arithmetic
// and not proved here.
`default_nettype none

module formal_mul (
    input wire        clk_i,
    input wire [31:0] in_a, in_b,
    input wire [1:0]  op
);
    wire [31:0] a = in_a, b = in_b;
    wire [31:0] result;
    gnomon_core_mul dut (.clk_i(clk_i), .x_mul_i(1'b1), .x_a_i(a), .x_b_i(b), .x_op_i(op), .m_mul_i(1'b1), .m_result_o(result));

    wire        a_signed = op != 2'd3, b_signed = op == 2'd1 | op == 2'd0;
    wire        a_negative = a_signed & a[31], b_negative = b_signed & b[31];
    wire [63:0] product;
    wire [31:0] ll = a[15:0] * b[15:0], lh = a[15:0] * b[31:16], hl = a[31:16] * b[15:0], hh = a[31:16] * b[31:16];
    wire [32:0] middle = {1'b0, lh} + {1'b0, hl};
    wire [63:0] plain = {{hh, ll[31:16]} + {15'd0, middle}, ll[15:0]};
    wire [31:0] excess = (a_negative ? b : 32'd0) + (b_negative ? a : 32'd0);
    assign product = {plain[63:32] - excess, plain[31:0]};
    reg  [31:0] expected;
    reg         check = 1'b0;
    always @(posedge clk_i) begin
        check <= 1'b1;
        expected <= op == 2'd0 ? product[31:0] : product[63:32];
    end
    always @*
        assert (~check | result == expected);
endmodule
`default_nettype wire
