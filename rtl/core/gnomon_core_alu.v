// SPDX-License-Identifier: Apache-2.0
// Single-cycle ALU and branch comparison. The result is 0 where none of the select signals is high, so that the core
// merges the results of its units by OR. The second operand comes already inverted where the adder is to subtract
// (sub_i): the decode stage does that in a LUT that it needs anyway.
`default_nettype none

module gnomon_core_alu #(
    parameter SHIFT = 1,                 // 0: shifts are made elsewhere
    parameter BITS = 0                   // 1: the shifter also rotates and takes out a bit
) (
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    input  wire        sub_i,
    input  wire        sum_i,            // what the result is: the sum,
    input  wire        less_i,           // the comparison (signed, or not with op_i[0]),
    input  wire        logic_i,          // the logical operation,
    input  wire        shift_i,          // the shift (right with op_i[2])
    input  wire [1:0]  logic_op_i,       // 0 xor, 1 b_i as it is, 2 or, 3 and
    input  wire [2:0]  op_i,             // funct3, also that of a branch
    input  wire        alt_i,            // sra instead of srl
    input  wire        rotate_i,         // with BITS: what falls out comes in at the other end,
    input  wire        single_i,         // only bit 0 of the shift to the right counts (bext)
    output wire [31:0] result_o,
    output wire        less_o,           // the comparison, whatever the result is (needs sub_i)
    output wire        taken_o           // the branch condition holds (needs sub_i)
);
    wire [32:0] sum = {1'b0, a_i} + {1'b0, b_i} + {32'd0, sub_i};
    wire        below = ~sum[32];
    wire        less = a_i[31] == ~b_i[31] ? sum[31] : a_i[31];
    wire        equal = &(a_i ^ b_i);

    assign less_o = op_i[0] ? below : less;
    assign taken_o = (op_i[2] ? (op_i[1] ? below : less) : equal) ^ op_i[0];

    wire [31:0] logical = logic_op_i[1] ? (logic_op_i[0] ? a_i & b_i : a_i | b_i) : logic_op_i[0] ? b_i : a_i ^ b_i;
    // Choices, not ANDs: the same gates, but a simulation works out only what is chosen.
    wire [31:0] plain = (sum_i ? sum[31:0] : 32'd0) | (logic_i ? logical : 32'd0) | {31'd0, less_i & less_o};

    generate
        if (SHIFT != 0) begin : shifter
            // One right shifter; a left shift goes through it backwards. (With shift_i, so that a simulation turns only those.)
            wire        left = shift_i & ~op_i[2];
            wire        fill = alt_i & a_i[31];
            wire [31:0] a_back, back;
            wire [31:0] s0 = left ? a_back : a_i;
            wire        around = BITS != 0 & rotate_i;
            wire [31:0] s1 = b_i[0] ? {around ? s0[0] : fill, s0[31:1]} : s0;
            wire [31:0] s2 = b_i[1] ? {around ? s1[1:0] : {2{fill}}, s1[31:2]} : s1;
            wire [31:0] s3 = b_i[2] ? {around ? s2[3:0] : {4{fill}}, s2[31:4]} : s2;
            wire [31:0] s4 = b_i[3] ? {around ? s3[7:0] : {8{fill}}, s3[31:8]} : s3;
            wire [31:0] s5 = b_i[4] ? {around ? s4[15:0] : {16{fill}}, s4[31:16]} : s4;
            genvar g;
            for (g = 0; g < 32; g = g + 1) begin : backwards
                assign a_back[g] = a_i[31 - g];
                assign back[g] = s5[31 - g];
            end
            if (BITS != 0) begin : single
                wire        right = shift_i & ~left;
                assign result_o = plain | (left ? back : 32'd0) | {{31{right & ~single_i}}, right} & s5;
            end else begin : whole
                assign result_o = shift_i ? (left ? back : s5) : plain;
                wire unused = single_i | rotate_i;
            end
        end else begin : no_shifter
            assign result_o = plain;
            wire unused = &{1'b0, alt_i, shift_i, rotate_i, single_i};
        end
    endgenerate
endmodule
`default_nettype wire
