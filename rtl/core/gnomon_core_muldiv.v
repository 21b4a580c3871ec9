// SPDX-License-Identifier: Apache-2.0
// Iterative unit in X: division, one bit a cycle, restoring; with MUL = 1 also multiplication. It works on magnitudes and
// puts the sign on at the end. A dividend below 65536 takes half the steps.
// Protocol: start_i is high from the instruction's first cycle until it leaves X; result_o is right while done_o is high.
`default_nettype none

module gnomon_core_muldiv #(
    parameter MUL = 0
) (
    input  wire        clk_i,
    input  wire        clear_i,          // no instruction, or it leaves: be idle in the next cycle
    input  wire        start_i,
    input  wire [2:0]  op_i,             // funct3
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output wire        done_o,
    output wire [31:0] result_o
);
    reg         busy;
    reg  [5:0]  count;                   // steps left
    reg  [31:0] high, low;               // remainder and quotient; product
    reg  [31:0] b;                       // magnitude of divisor or multiplicand
    reg         negate;
    reg         by_zero;                 // its quotient needs all 32 steps

    wire        divide = MUL == 0 | op_i[2];
    wire        a_signed = divide ? ~op_i[0] : op_i[1:0] != 2'b11;
    wire        b_signed = divide ? ~op_i[0] : ~op_i[1];
    wire        a_negative = a_i[31] & a_signed;
    wire        b_negative = b_i[31] & b_signed;
    wire [31:0] a_magnitude = (a_i ^ {32{a_negative}}) + {31'd0, a_negative};
    wire [31:0] b_magnitude = (b_i ^ {32{b_negative}}) + {31'd0, b_negative};

    wire [32:0] remainder = {high, low[31]};
    wire [32:0] difference = remainder - {1'b0, b};
    wire [32:0] sum = {1'b0, high} + (low[0] ? {1'b0, b} : 33'd0);
    wire        short = divide & ~by_zero & count == 6'd32 & low[31:16] == 16'd0;

    always @(posedge clk_i) begin
        if (~busy) begin
            busy <= start_i;
            count <= 6'd32;
            high <= 32'd0;
            low <= a_magnitude;
            b <= b_magnitude;
            // Division by zero: all ones, and the dividend as remainder.
            by_zero <= b_i == 32'd0;
            negate <= divide & op_i[1] ? a_negative : (a_negative ^ b_negative) & (b_i != 32'd0 | ~divide);
        end else if (short) begin
            count <= 6'd16;
            low <= {low[15:0], 16'd0};
        end else if (count != 6'd0) begin
            count <= count - 6'd1;
            if (divide) begin
                high <= difference[32] ? remainder[31:0] : difference[31:0];
                low <= {low[30:0], ~difference[32]};
            end else begin
                high <= sum[32:1];
                low <= {sum[0], low[31:1]};
            end
        end
        if (clear_i)
            busy <= 1'b0;
    end

    assign done_o = busy & count == 6'd0;
    wire        upper = divide ? op_i[1] : op_i[1:0] != 2'b00;
    wire [31:0] magnitude = upper ? high : low;
    // Negating a 64-bit product carries into the upper half only where the lower is zero.
    wire        carry = negate & (divide | ~upper | low == 32'd0);
    assign result_o = (magnitude ^ {32{negate}}) + {31'd0, carry};
endmodule
`default_nettype wire
