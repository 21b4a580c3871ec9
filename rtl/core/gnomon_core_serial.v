// SPDX-License-Identifier: Apache-2.0
// The iterative unit of the compact core: multiplication, division and shifts through one adder and one pair of
// registers, a bit a cycle. Multiplication is signed as it stands (its last step subtracts); division works on the
// dividend's magnitude, adds or subtracts the divisor by its sign, and puts the sign on at the end.
// Cycles: shift by N 2 + N, product 34, quotient 35, remainder 36.
// Protocol: start_i is high from the instruction's first cycle until it leaves X; result_o is right while done_o is high
// and 0 while no instruction is here.
`default_nettype none

module gnomon_core_serial (
    input  wire        clk_i,
    input  wire        clear_i,          // no instruction, or it leaves: be idle in the next cycle
    input  wire        start_i,
    input  wire        shift_i,          // it is a shift,
    input  wire        arithmetic_i,     // sra
    input  wire [2:0]  op_i,             // funct3
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output wire        done_o,
    output wire [31:0] result_o
);
    reg         busy;
    reg         prepare;                 // division: the dividend becomes its magnitude
    reg         finish;                  // remainder: has been shifted back
    reg  [5:0]  count;                   // bit 5: all steps done
    reg  [32:0] high;                    // remainder with the next bit; product
    reg  [31:0] low;                     // quotient; product; what is shifted
    reg  [32:0] b;                       // complemented where it is subtracted
    reg         subtract;
    reg         negate;

    wire        divide = op_i[2] & ~shift_i;
    wire        left = shift_i ? ~op_i[2] : op_i[2];
    wire        a_signed = divide ? ~op_i[0] : op_i[1:0] != 2'b11;
    wire        b_signed = divide ? ~op_i[0] : ~op_i[1];
    wire        a_negative = a_i[31] & a_signed;
    wire        b_negative = b_i[31] & b_signed;

    wire [32:0] sum = high + b + {32'd0, subtract};
    wire        take = divide ? ~sum[32] & ~prepare & ~count[5] : low[0];
    wire [32:0] next = take ? sum : high;
    wire        up = left & ~(divide & count[5]);        // not a remainder's last step

    // A negated quotient with bit 31 set would be 2^31, which is its own negative, or all ones of a division by zero.
    wire        upper = ~shift_i & (divide ? op_i[1] & count[5] : op_i[1:0] != 2'b00);
    wire        minus = prepare ? low[31] & ~op_i[0] : negate & count[5] & (op_i[1] | ~low[31]);
    wire [31:0] magnitude = upper ? high[31:0] : low;
    // Written as the complement of x - 1, a conditional negation takes one LUT with carry per bit.
    wire [31:0] magnitude_less = magnitude + 32'hffff_ffff;
    assign result_o = minus ? ~magnitude_less : magnitude;

    // Multiplication: the last step's operand is -b where a is signed.
    wire        turn = ~divide & a_signed & count[4:0] == 5'd30;
    wire        invert = busy ? turn : divide & ~b_negative;

    always @(posedge clk_i) begin
        b <= (busy ? b : {b_negative, b_i}) ^ {33{invert}};
        subtract <= busy ? subtract ^ turn : invert;
        if (~busy) begin
            busy <= start_i;
            prepare <= divide;
            count <= shift_i ? 6'd32 - {1'b0, b_i[4:0]} : 6'd0;
            high <= 33'd0;
            low <= a_i;
            negate <= divide & (op_i[1] ? a_negative : a_negative ^ b_negative);
        end else begin
            prepare <= 1'b0;
            finish <= count[5];
            if (~prepare & ~count[5])
                count <= count + 6'd1;
            if (~done_o) begin
                // result_o is low, but for the first step of a division, where it is its magnitude.
                high <= up ? {next[31:0], result_o[31]} : {b_signed & next[32], next[32:1]};
                low <= up ? {result_o[30:0], divide & take} : {shift_i ? arithmetic_i & low[31] : next[0], low[31:1]};
            end
        end
        if (clear_i | ~busy & ~start_i) begin
            busy <= 1'b0;
            high <= 33'd0;
            low <= 32'd0;
        end
        if (clear_i | ~busy)
            finish <= 1'b0;
    end

    assign done_o = busy & count[5] & (finish | ~(divide & op_i[1]));
endmodule
`default_nettype wire
