// SPDX-License-Identifier: Apache-2.0
// Compares the models of cells with references: look-up tables with those of yosys (YOSYS_TABLE renames them), the
// multiplier with `*`, the block RAM in each width and pair of widths with an array of bits.
`default_nettype none
`timescale 1ns / 1ns

module tb_models;

    integer failures = 0;
    integer n, round;

    // ---- Look-up tables: every table with one bit set, and random tables, at every input ----
    reg [3:0] at;
    genvar g;
    wire [31:0] ours_ice40, theirs_ice40, ours_ecp5, theirs_ecp5;
    generate
        for (g = 0; g < 32; g = g + 1) begin : g_tables
            localparam [15:0] TABLE = g < 16 ? 16'd1 << g : 16'd40503 * g;
            SB_LUT4 #(.LUT_INIT(TABLE)) a (.I0(at[0]), .I1(at[1]), .I2(at[2]), .I3(at[3]), .O(ours_ice40[g]));
            yosys_SB_LUT4 #(.LUT_INIT(TABLE)) b (.I0(at[0]), .I1(at[1]), .I2(at[2]), .I3(at[3]), .O(theirs_ice40[g]));
            LUT4 #(.INIT(TABLE)) c (.A(at[0]), .B(at[1]), .C(at[2]), .D(at[3]), .Z(ours_ecp5[g]));
            yosys_LUT4 #(.INIT(TABLE)) d (.A(at[0]), .B(at[1]), .C(at[2]), .D(at[3]), .Z(theirs_ecp5[g]));
        end
    endgenerate

    // ---- Multiplier ----
    reg [17:0] a, b;
    reg signed_a, signed_b;
    wire [35:0] p;
    wire signed [35:0] wide_a = signed_a ? {{18{a[17]}}, a} : {18'd0, a};
    wire signed [35:0] wide_b = signed_b ? {{18{b[17]}}, b} : {18'd0, b};
    wire [35:0] expected = wide_a * wide_b;
    MULT18X18D multiplier (
        .A0(a[0]), .A1(a[1]), .A2(a[2]), .A3(a[3]), .A4(a[4]), .A5(a[5]), .A6(a[6]), .A7(a[7]), .A8(a[8]),
        .A9(a[9]), .A10(a[10]), .A11(a[11]), .A12(a[12]), .A13(a[13]), .A14(a[14]), .A15(a[15]), .A16(a[16]), .A17(a[17]),
        .B0(b[0]), .B1(b[1]), .B2(b[2]), .B3(b[3]), .B4(b[4]), .B5(b[5]), .B6(b[6]), .B7(b[7]), .B8(b[8]),
        .B9(b[9]), .B10(b[10]), .B11(b[11]), .B12(b[12]), .B13(b[13]), .B14(b[14]), .B15(b[15]), .B16(b[16]), .B17(b[17]),
        .C0(1'b0), .C1(1'b0), .C2(1'b0), .C3(1'b0), .C4(1'b0), .C5(1'b0), .C6(1'b0), .C7(1'b0), .C8(1'b0),
        .C9(1'b0), .C10(1'b0), .C11(1'b0), .C12(1'b0), .C13(1'b0), .C14(1'b0), .C15(1'b0), .C16(1'b0), .C17(1'b0),
        .SIGNEDA(signed_a), .SIGNEDB(signed_b), .SOURCEA(1'b0), .SOURCEB(1'b0), .P0(p[0]), .P1(p[1]), .P2(p[2]), .P3(p[3]), .P4(p[4]),
        .P5(p[5]), .P6(p[6]), .P7(p[7]), .P8(p[8]), .P9(p[9]), .P10(p[10]), .P11(p[11]), .P12(p[12]), .P13(p[13]),
        .P14(p[14]), .P15(p[15]), .P16(p[16]), .P17(p[17]), .P18(p[18]), .P19(p[19]), .P20(p[20]), .P21(p[21]), .P22(p[22]),
        .P23(p[23]), .P24(p[24]), .P25(p[25]), .P26(p[26]), .P27(p[27]), .P28(p[28]), .P29(p[29]), .P30(p[30]), .P31(p[31]),
        .P32(p[32]), .P33(p[33]), .P34(p[34]), .P35(p[35]));

    // ---- Block RAM: one for each pair of widths, with random writes and reads on both ports ----
    reg clk = 1'b0;
    always #5 clk = !clk;
    tb_ram #(.A(1), .B(1), .SEED(1)) ram_1_1 (.clk_i(clk));
    tb_ram #(.A(2), .B(2), .SEED(2)) ram_2_2 (.clk_i(clk));
    tb_ram #(.A(4), .B(9), .SEED(3)) ram_4_9 (.clk_i(clk));
    tb_ram #(.A(9), .B(9), .SEED(4)) ram_9_9 (.clk_i(clk));
    tb_ram #(.A(2), .B(18), .SEED(5)) ram_2_18 (.clk_i(clk));
    tb_ram #(.A(18), .B(18), .SEED(6)) ram_18_18 (.clk_i(clk));
    tb_ram #(.A(36), .B(36), .SEED(7)) ram_36_36 (.clk_i(clk));

    initial begin
        for (n = 0; n < 16; n = n + 1) begin
            at = n;
            #1 if (ours_ice40 !== theirs_ice40 || ours_ecp5 !== theirs_ecp5) begin
                failures = failures + 1;
                $display("look-up tables differ at %0d", n);
            end
        end
        for (round = 0; round < 5000; round = round + 1) begin
            a = $random;
            b = $random;
            {signed_a, signed_b} = $random;
            if (round % 16 == 0) a = round[4] ? 18'h20000 : 18'h3FFFF;
            if (round % 24 == 0) b = round[3] ? 18'h20000 : 18'h3FFFF;
            #1 if (p !== expected && failures < 10) begin
                failures = failures + 1;
                $display("%h * %h, signed %b %b: %h and not %h", a, b, signed_a, signed_b, p, expected);
            end
        end
        #200000 failures = failures + ram_1_1.failures + ram_2_2.failures + ram_4_9.failures + ram_9_9.failures + ram_2_18.failures +
            ram_18_18.failures + ram_36_36.failures;
        if (failures != 0) $fatal(1, "%0d failures", failures);
        $display("models: look-up tables, multiplier and block RAM as they should be");
        $finish;
    end

endmodule

// A block RAM with ports of A and B bits, and a reference array of its 18432 bits. The ports never access one word
// together.
module tb_ram #(
    parameter integer A = 18,
    parameter integer B = 18,
    parameter integer SEED = 1
) (
    input wire clk_i
);

    localparam integer ROUNDS = 4000;
    localparam integer FIRST = 18'h2A5F3;  // initial value of the first word

    reg bits [0:18431];
    integer failures = 0;
    integer seed = SEED;
    integer i, k;
    reg [13:0] ada = 14'd0, adb = 14'd0;
    reg [35:0] da = 36'd0, db = 36'd0;
    reg wa = 1'b0, wb = 1'b0;
    wire [35:0] qa, qb;
    reg [35:0] expected_a, expected_b;

    // Place of bit k of the datum at an address.
    function integer place(input integer width, input [13:0] address, input integer k);
        integer unit, byte_;
        begin
            unit = address >> $clog2(width > 4 ? width / 9 * 8 : width);
            if (width >= 9) place = unit * width + k;
            else begin
                byte_ = unit * width / 8;
                place = byte_ * 9 + (unit * width) % 8 + k;
            end
        end
    endfunction
    // The address with unused lowest bits 0, except byte enables.
    function [13:0] aligned(input integer width, input integer value);
        aligned = (value >> $clog2(width > 4 ? width / 9 * 8 : width)) << $clog2(width > 4 ? width / 9 * 8 : width);
    endfunction

    wire [13:0] enables = A >= 18 ? 14'hF >> (A == 36 ? 0 : 2) : 14'd0;
    wire [13:0] enables_b = B == 18 ? 14'd3 : 14'd0;
    wire [17:0] doa, dob;
    assign qa = {18'd0, doa};
    assign qb = B == 36 ? {dob, doa} : {18'd0, dob};
    DP16KD #(
      .DATA_WIDTH_A(A), .DATA_WIDTH_B(B), .WRITEMODE_A(A == 36 ? "NORMAL" : "READBEFOREWRITE"),
      .WRITEMODE_B("READBEFOREWRITE"), .INITVAL_00({302'd0, FIRST[17:0]})
    ) ram (
        .DIA0(da[0]), .DIA1(da[1]), .DIA2(da[2]), .DIA3(da[3]), .DIA4(da[4]), .DIA5(da[5]),
        .DIA6(da[6]), .DIA7(da[7]), .DIA8(da[8]), .DIA9(da[9]), .DIA10(da[10]), .DIA11(da[11]),
        .DIA12(da[12]), .DIA13(da[13]), .DIA14(da[14]), .DIA15(da[15]), .DIA16(da[16]), .DIA17(da[17]),
        .DIB0(A == 36 ? da[18] : db[0]), .DIB1(A == 36 ? da[19] : db[1]), .DIB2(A == 36 ? da[20] : db[2]), .DIB3(A == 36 ? da[21] : db[3]), .DIB4(A == 36 ? da[22] : db[4]), .DIB5(A == 36 ? da[23] : db[5]),
        .DIB6(A == 36 ? da[24] : db[6]), .DIB7(A == 36 ? da[25] : db[7]), .DIB8(A == 36 ? da[26] : db[8]), .DIB9(A == 36 ? da[27] : db[9]), .DIB10(A == 36 ? da[28] : db[10]), .DIB11(A == 36 ? da[29] : db[11]),
        .DIB12(A == 36 ? da[30] : db[12]), .DIB13(A == 36 ? da[31] : db[13]), .DIB14(A == 36 ? da[32] : db[14]), .DIB15(A == 36 ? da[33] : db[15]), .DIB16(A == 36 ? da[34] : db[16]), .DIB17(A == 36 ? da[35] : db[17]),
        .ADA0(ada[0] || enables[0]), .ADA1(ada[1] || enables[1]), .ADA2(ada[2] || enables[2]), .ADA3(ada[3] || enables[3]), .ADA4(ada[4]), .ADA5(ada[5]),
        .ADA6(ada[6]), .ADA7(ada[7]), .ADA8(ada[8]), .ADA9(ada[9]), .ADA10(ada[10]), .ADA11(ada[11]),
        .ADA12(ada[12]), .ADA13(ada[13]), .ADB0(adb[0] || enables_b[0]), .ADB1(adb[1] || enables_b[1]), .ADB2(adb[2] || enables_b[2]), .ADB3(adb[3] || enables_b[3]),
        .ADB4(adb[4]), .ADB5(adb[5]), .ADB6(adb[6]), .ADB7(adb[7]), .ADB8(adb[8]), .ADB9(adb[9]),
        .ADB10(adb[10]), .ADB11(adb[11]), .ADB12(adb[12]), .ADB13(adb[13]), .CLKA(clk_i), .CEA(1'b1),
        .OCEA(1'b1), .WEA(wa), .RSTA(1'b0), .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
        .CLKB(clk_i), .CEB(1'b1), .OCEB(1'b1), .WEB(wb), .RSTB(1'b0), .CSB0(1'b0),
        .CSB1(1'b0), .CSB2(1'b0), .DOA0(doa[0]), .DOA1(doa[1]), .DOA2(doa[2]), .DOA3(doa[3]),
        .DOA4(doa[4]), .DOA5(doa[5]), .DOA6(doa[6]), .DOA7(doa[7]), .DOA8(doa[8]), .DOA9(doa[9]),
        .DOA10(doa[10]), .DOA11(doa[11]), .DOA12(doa[12]), .DOA13(doa[13]), .DOA14(doa[14]), .DOA15(doa[15]),
        .DOA16(doa[16]), .DOA17(doa[17]), .DOB0(dob[0]), .DOB1(dob[1]), .DOB2(dob[2]), .DOB3(dob[3]),
        .DOB4(dob[4]), .DOB5(dob[5]), .DOB6(dob[6]), .DOB7(dob[7]), .DOB8(dob[8]), .DOB9(dob[9]),
        .DOB10(dob[10]), .DOB11(dob[11]), .DOB12(dob[12]), .DOB13(dob[13]), .DOB14(dob[14]), .DOB15(dob[15]),
        .DOB16(dob[16]), .DOB17(dob[17]));

    initial for (i = 0; i < 18432; i = i + 1) bits[i] = i < 18 ? FIRST >> i : 1'b0;

    initial begin
        @(negedge clk_i);
        for (i = 0; i < ROUNDS; i = i + 1) begin
            // The ports alternate between the halves of the memory, which differ in the highest bit.
            ada = aligned(A, $random(seed));
            adb = aligned(B, $random(seed));
            if (i % 5 < 4) begin ada = aligned(A, ada & 14'h203F); adb = aligned(B, adb & 14'h203F); end
            ada[13] = i[0];
            adb[13] = !i[0];
            da = {$random(seed), $random(seed)};
            db = {$random(seed), $random(seed)};
            wa = $random(seed);
            wb = A != 36 && $random(seed);
            for (k = 0; k < 36; k = k + 1) begin
                expected_a[k] = k < A && A != 36 ? bits[place(A, ada, k)] : 1'b0;
                expected_b[k] = k < B ? bits[place(B, adb, k)] : 1'b0;
            end
            for (k = 0; k < A; k = k + 1) if (wa) bits[place(A, ada, k)] = da[k];
            for (k = 0; k < B; k = k + 1) if (wb) bits[place(B, adb, k)] = db[k];
            @(negedge clk_i);
            if (((A != 36 && qa !== expected_a) || qb !== expected_b) && failures < 5) begin
                failures = failures + 1;
                $display("block RAM %0d/%0d, round %0d: %h %h and not %h %h", A, B, i, qa, qb, expected_a, expected_b);
            end
        end
    end

endmodule

`default_nettype wire
