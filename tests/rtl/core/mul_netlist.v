// SPDX-License-Identifier: Apache-2.0
// Compares the multiplier, as synthesised for DSP blocks of the iCE40 or the ECP5, with Verilog's multiplication.
`default_nettype none
`timescale 1ns / 1ns

module mul_netlist;
    reg         clk;
    reg  [31:0] a, b;
    reg  [1:0]  op;
    wire [31:0] result;
    gnomon_core_mul mul (.clk_i(clk), .x_mul_i(1'b1), .x_a_i(a), .x_b_i(b), .x_op_i(op), .m_mul_i(1'b1), .m_result_o(result));

    reg signed [65:0] product;
    integer           i, bad;
    initial begin
        clk = 1'b0;
        bad = 0;
        for (i = 0; i < 4000; i = i + 1) begin
            a = i % 7 == 0 ? 32'h8000_0000 : $random;
            b = i % 11 == 0 ? 32'hffff_ffff : $random;
            op = $random;
            product = $signed({{2{op != 2'b11 & a[31]}}, a}) * $signed({{2{~op[1] & b[31]}}, b});
            #5 clk = 1'b1;
            #5 if (result !== (op == 2'b00 ? product[31:0] : product[63:32]))
                bad = bad + 1;
            clk = 1'b0;
        end
        if (bad != 0)
            $display("mul_netlist: FAIL, %0d of %0d products", bad, i);
        else
            $display("mul_netlist: pass, %0d products", i);
    end
endmodule
`default_nettype wire
