// SPDX-License-Identifier: Apache-2.0
// The ECP5's block RAM, because yosys' model stores no data: 1024 words of 18 bits with two ports. A word is two bytes
// of 9 bits; ports of 1, 2 and 4 bits access 8 of the 9 bits. With DATA_WIDTH 36 both ports act as one: port A writes
// (DIA is the lower half), port B reads (DOA is the lower half). Lattice FPGA-TN-02204, "ECP5 Memory Usage Guide".
//
// The model covers the features that synthesis uses: no output registers, one chip select, no reset (a reset stops the
// simulation: see `ecp5` in mk/build/fpga.mk). If one port reads a word in the cycle in which the other one writes it,
// the model returns the old word; in the chip the result is undefined, and synthesis adds logic that does not depend on
// it.
`default_nettype none

module DP16KD #(
    parameter [319:0] INITVAL_00 = 320'd0,
    parameter [319:0] INITVAL_01 = 320'd0,
    parameter [319:0] INITVAL_02 = 320'd0,
    parameter [319:0] INITVAL_03 = 320'd0,
    parameter [319:0] INITVAL_04 = 320'd0,
    parameter [319:0] INITVAL_05 = 320'd0,
    parameter [319:0] INITVAL_06 = 320'd0,
    parameter [319:0] INITVAL_07 = 320'd0,
    parameter [319:0] INITVAL_08 = 320'd0,
    parameter [319:0] INITVAL_09 = 320'd0,
    parameter [319:0] INITVAL_0A = 320'd0,
    parameter [319:0] INITVAL_0B = 320'd0,
    parameter [319:0] INITVAL_0C = 320'd0,
    parameter [319:0] INITVAL_0D = 320'd0,
    parameter [319:0] INITVAL_0E = 320'd0,
    parameter [319:0] INITVAL_0F = 320'd0,
    parameter [319:0] INITVAL_10 = 320'd0,
    parameter [319:0] INITVAL_11 = 320'd0,
    parameter [319:0] INITVAL_12 = 320'd0,
    parameter [319:0] INITVAL_13 = 320'd0,
    parameter [319:0] INITVAL_14 = 320'd0,
    parameter [319:0] INITVAL_15 = 320'd0,
    parameter [319:0] INITVAL_16 = 320'd0,
    parameter [319:0] INITVAL_17 = 320'd0,
    parameter [319:0] INITVAL_18 = 320'd0,
    parameter [319:0] INITVAL_19 = 320'd0,
    parameter [319:0] INITVAL_1A = 320'd0,
    parameter [319:0] INITVAL_1B = 320'd0,
    parameter [319:0] INITVAL_1C = 320'd0,
    parameter [319:0] INITVAL_1D = 320'd0,
    parameter [319:0] INITVAL_1E = 320'd0,
    parameter [319:0] INITVAL_1F = 320'd0,
    parameter [319:0] INITVAL_20 = 320'd0,
    parameter [319:0] INITVAL_21 = 320'd0,
    parameter [319:0] INITVAL_22 = 320'd0,
    parameter [319:0] INITVAL_23 = 320'd0,
    parameter [319:0] INITVAL_24 = 320'd0,
    parameter [319:0] INITVAL_25 = 320'd0,
    parameter [319:0] INITVAL_26 = 320'd0,
    parameter [319:0] INITVAL_27 = 320'd0,
    parameter [319:0] INITVAL_28 = 320'd0,
    parameter [319:0] INITVAL_29 = 320'd0,
    parameter [319:0] INITVAL_2A = 320'd0,
    parameter [319:0] INITVAL_2B = 320'd0,
    parameter [319:0] INITVAL_2C = 320'd0,
    parameter [319:0] INITVAL_2D = 320'd0,
    parameter [319:0] INITVAL_2E = 320'd0,
    parameter [319:0] INITVAL_2F = 320'd0,
    parameter [319:0] INITVAL_30 = 320'd0,
    parameter [319:0] INITVAL_31 = 320'd0,
    parameter [319:0] INITVAL_32 = 320'd0,
    parameter [319:0] INITVAL_33 = 320'd0,
    parameter [319:0] INITVAL_34 = 320'd0,
    parameter [319:0] INITVAL_35 = 320'd0,
    parameter [319:0] INITVAL_36 = 320'd0,
    parameter [319:0] INITVAL_37 = 320'd0,
    parameter [319:0] INITVAL_38 = 320'd0,
    parameter [319:0] INITVAL_39 = 320'd0,
    parameter [319:0] INITVAL_3A = 320'd0,
    parameter [319:0] INITVAL_3B = 320'd0,
    parameter [319:0] INITVAL_3C = 320'd0,
    parameter [319:0] INITVAL_3D = 320'd0,
    parameter [319:0] INITVAL_3E = 320'd0,
    parameter [319:0] INITVAL_3F = 320'd0,
    parameter integer DATA_WIDTH_A = 18,
    parameter integer DATA_WIDTH_B = 18,
    parameter REGMODE_A = "NOREG",
    parameter REGMODE_B = "NOREG",
    parameter RESETMODE = "SYNC",
    parameter ASYNC_RESET_RELEASE = "SYNC",
    parameter CSDECODE_A = "0b000",
    parameter CSDECODE_B = "0b000",
    parameter CLKAMUX = "CLKA",
    parameter CLKBMUX = "CLKB",
    parameter WRITEMODE_A = "NORMAL",
    parameter WRITEMODE_B = "NORMAL",
    parameter GSR = "ENABLED"
) (
    input wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2,
    input wire DIA1, DIA0, ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0, CLKA,
    input wire CEA, OCEA, WEA, RSTA, CSA2, CSA1, CSA0,
    output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2,
    output wire DOA1, DOA0,
    input wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2,
    input wire DIB1, DIB0, ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0, CLKB,
    input wire CEB, OCEB, WEB, RSTB, CSB2, CSB1, CSB0,
    output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2,
    output wire DOB1, DOB0
);

    localparam WIDE = DATA_WIDTH_A == 36;

    reg [17:0] words [0:1023];
    reg [17:0] a_q, b_q;

    // The bits of the word that a port of this width accesses at this address.
    function [17:0] mask(input integer width, input [13:0] address);
        case (width)
            1: mask = 18'd1 << (9 * address[3] + address[2:0]);
            2: mask = 18'd3 << (9 * address[3] + 2 * address[2:1]);
            4: mask = 18'd15 << (9 * address[3] + 4 * address[2]);
            9: mask = address[3] ? 18'h3FE00 : 18'h001FF;
            default: mask = {{9{address[1]}}, {9{address[0]}}};  // byte enables
        endcase
    endfunction
    // Moves data to the place of the mask, and back.
    function [17:0] spread(input integer width, input [17:0] data);
        case (width)
            1: spread = {2{1'b0, {8{data[0]}}}};
            2: spread = {2{1'b0, {4{data[1:0]}}}};
            4: spread = {2{1'b0, {2{data[3:0]}}}};
            9: spread = {2{data[8:0]}};
            default: spread = data;
        endcase
    endfunction
    function [17:0] pick(input integer width, input [13:0] address, input [17:0] word);
        case (width)
            1: pick = (word >> (9 * address[3] + address[2:0])) & 18'd1;
            2: pick = (word >> (9 * address[3] + 2 * address[2:1])) & 18'd3;
            4: pick = (word >> (9 * address[3] + 4 * address[2])) & 18'd15;
            9: pick = {9'd0, address[3] ? word[17:9] : word[8:0]};
            default: pick = word;
        endcase
    endfunction

    wire [17:0] a_data = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
    wire [17:0] b_data = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
    wire [13:0] a_address = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
    wire [13:0] b_address = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
    wire a_enable = CEA && {CSA2, CSA1, CSA0} == 3'd0;
    wire b_enable = CEB && {CSB2, CSB1, CSB0} == 3'd0;

    generate
        if (WIDE) begin : g_wide
            wire [17:0] low = {{9{ADA1}}, {9{ADA0}}};
            wire [17:0] high = {{9{ADA3}}, {9{ADA2}}};
            wire [9:0] a_row = {a_address[13:5], 1'b0};
            wire [9:0] b_row = {b_address[13:5], 1'b0};
            always @(posedge CLKA) if (a_enable && WEA) begin
                words[a_row] <= words[a_row] & ~low | a_data & low;
                words[a_row|10'd1] <= words[a_row|10'd1] & ~high | b_data & high;
            end
            always @(posedge CLKB) if (b_enable) begin
                a_q <= words[b_row];
                b_q <= words[b_row|10'd1];
            end
        end else begin : g_two
            wire [17:0] a_mask = mask(DATA_WIDTH_A, a_address);
            wire [17:0] b_mask = mask(DATA_WIDTH_B, b_address);
            wire [17:0] a_spread = spread(DATA_WIDTH_A, a_data);
            wire [17:0] b_spread = spread(DATA_WIDTH_B, b_data);
            wire [9:0] a_row = a_address[13:4];
            wire [9:0] b_row = b_address[13:4];
            wire [17:0] a_new = words[a_row] & ~a_mask | a_spread & a_mask;
            wire [17:0] b_new = words[b_row] & ~b_mask | b_spread & b_mask;
            always @(posedge CLKA) if (a_enable) begin
                if (WEA) words[a_row] <= a_new;
                if (!WEA || WRITEMODE_A == "READBEFOREWRITE") a_q <= pick(DATA_WIDTH_A, a_address, words[a_row]);
                else if (WRITEMODE_A == "WRITETHROUGH") a_q <= pick(DATA_WIDTH_A, a_address, a_new);
            end
            always @(posedge CLKB) if (b_enable) begin
                if (WEB) words[b_row] <= b_new;
                if (!WEB || WRITEMODE_B == "READBEFOREWRITE") b_q <= pick(DATA_WIDTH_B, b_address, words[b_row]);
                else if (WRITEMODE_B == "WRITETHROUGH") b_q <= pick(DATA_WIDTH_B, b_address, b_new);
            end
        end
    endgenerate

    assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = a_q;
    assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = b_q;

    // Each word of 18 bits takes 20 bits of a parameter.
    wire [64*320-1:0] initial_words = {
        INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
        INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
        INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
        INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
        INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
        INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
        INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
        INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
    };
    integer i;
    initial begin
        for (i = 0; i < 1024; i = i + 1) words[i] = initial_words[20*i+:18];
        a_q = 18'd0;
        b_q = 18'd0;
        if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG" || CSDECODE_A != "0b000" || CSDECODE_B != "0b000" ||
            CLKAMUX != "CLKA" || CLKBMUX != "CLKB" || (DATA_WIDTH_B == 36) != WIDE) begin
            $display("DP16KD: a mode that is not modelled");
            $finish;
        end
    end

    always @* if (RSTA || RSTB) begin
        $display("DP16KD: a reset, which is not modelled");
        $finish;
    end
    wire unused = &{1'b0, OCEA, OCEB, RESETMODE == "SYNC", ASYNC_RESET_RELEASE == "SYNC", GSR == "DISABLED"};

endmodule

`default_nettype wire
