// SPDX-License-Identifier: Apache-2.0
// The two forms of the decoder agree: for every opcode, funct3 and funct7, with each deciding rs2 and some others, with
// registers zero and nonzero, and for random words. For an illegal instruction only its illegality counts.
`default_nettype none
`timescale 1ns / 1ns

module tb_decode;
    parameter ATOMIC = 0, BITS = 0;

    reg  [31:0] insn;
    reg         debug, user, wfi_traps;
    wire [112:0] gates, lookup;
    wire        illegal, illegal_lookup;
    wire [31:1] offset, offset_lookup;
    gnomon_core_decode #(.ATOMIC(ATOMIC), .BITS(BITS), .LOOKUP(0)) by_gates (
        .insn_i(insn), .debug_i(debug), .user_i(user), .wfi_traps_i(wfi_traps), .illegal_o(illegal), .enables_o(gates[8:0]),
        .controls_o(gates[27:9]), .use_rd_o(gates[28]), .auipc_o(gates[29]), .div_o(gates[30]), .alu_imm_o(gates[31]), .alu_sub_o(gates[32]),
        .ecall_o(gates[33]), .ebreak_o(gates[34]), .offset_o(offset), .alu_imm_value_o(gates[66:35]), .mem_imm_o(gates[78:67]));
    gnomon_core_decode #(.ATOMIC(ATOMIC), .BITS(BITS), .LOOKUP(1)) by_lookup (
        .insn_i(insn), .debug_i(debug), .user_i(user), .wfi_traps_i(wfi_traps), .illegal_o(illegal_lookup), .enables_o(lookup[8:0]),
        .controls_o(lookup[27:9]), .use_rd_o(lookup[28]), .auipc_o(lookup[29]), .div_o(lookup[30]), .alu_imm_o(lookup[31]),
        .alu_sub_o(lookup[32]), .ecall_o(lookup[33]), .ebreak_o(lookup[34]), .offset_o(offset_lookup), .alu_imm_value_o(lookup[66:35]),
        .mem_imm_o(lookup[78:67]));
    assign gates[112:79] = {3'd0, offset};
    assign lookup[112:79] = {3'd0, offset_lookup};
    // alu_alt, which only a shift uses.
    wire [112:0] matters = ~{96'd0, ~gates[19], 16'd0};

    integer     bad = 0, legal = 0, words = 0;
    task check(input [31:0] word, input [2:0] state);
        begin
            insn = word;
            {debug, user, wfi_traps} = state;
            #1;
            words = words + 1;
            legal = legal + {31'd0, ~illegal};
            if (illegal !== illegal_lookup || !illegal && (gates & matters) !== (lookup & matters)) begin
                bad = bad + 1;
                if (bad < 10)
                    $display("decode: %h: %h %h, by look-up %h %h", insn, illegal, gates, illegal_lookup, lookup);
            end
        end
    endtask

    integer     i, r;
    reg  [4:0]  rs2;
    initial begin
        for (i = 0; i < 1 << 17; i = i + 1)
            for (r = 0; r < 9; r = r + 1) begin
                rs2 = r < 6 ? r[4:0] : r == 6 ? 5'd7 : r == 7 ? 5'd24 : 5'd31;
                check({i[16:10], rs2, 5'd0, i[9:7], 5'd0, i[6:0]}, i[2:0]);
                check({i[16:10], rs2, 5'd9, i[9:7], 5'd3, i[6:0]}, 3'd0);
            end
        for (i = 0; i < 8; i = i + 1) begin
            check(32'h0000_0073, i[2:0]);
            check(32'h0010_0073, i[2:0]);
            check(32'h3020_0073, i[2:0]);
            check(32'h1050_0073, i[2:0]);
        end
        for (i = 0; i < 200000; i = i + 1)
            check($random, 3'd0);
        if (bad != 0 || legal < words / 100) begin
            $display("decode: FAIL, %0d of %0d words", bad, words);
            $fatal;
        end
        $display("decode: pass, %0d words, %0d legal", words, legal);
        $finish;
    end
endmodule
`default_nettype wire
