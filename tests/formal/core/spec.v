// SPDX-License-Identifier: Apache-2.0
// The meaning of an instruction, written from the manual and not from the core: 16-bit and 32-bit words are decoded
// separately into a few common fields. All outputs are functions of the instruction and of the values that the bundle
// says it read. ATOMIC and BITS add A and Zba, Zbb, Zbs.
`default_nettype none

module formal_spec #(
    parameter ATOMIC = 0,
    parameter BITS = 0
) (
    input  wire [31:0] insn_i, pc_i,
    input  wire [31:0] rs1_i, rs2_i,     // values read
    input  wire [31:0] rdata_i,          // loaded, right-justified

    output wire        legal_o,          // by the word alone, without the existence of a CSR
    output wire        short_o,
    output reg  [4:0]  kind_o,
    output reg  [4:0]  rs1_o, rs2_o, rd_o,   // 0 for none
    output wire [31:0] rd_value_o,       // except for kind CSR
    output wire [31:0] next_pc_o,        // except for kind MRET
    output wire [31:0] addr_o,
    output wire [3:0]  mask_o,           // bytes accessed
    output wire        misaligned_o,
    output wire [31:0] wdata_o           // stored bytes, selected by mask_o
);
    localparam [4:0] BAD = 0, ALU = 1, SHIFT = 2, BRANCH = 3, JAL = 4, JALR = 5, LOAD = 6, STORE = 7, MULDIV = 8, CSR = 9,
                     FENCE = 10, FENCE_I = 11, ECALL = 12, EBREAK = 13, MRET = 14, WFI = 15, UPPER = 16, AMO = 17, LR = 18, SC = 19,
                     BITOP = 20;
    localparam [2:0] ADD = 0, SLL = 1, SLT = 2, SLTU = 3, XOR = 4, SRL = 5, OR = 6, AND = 7;

    wire [31:0] i = insn_i;
    wire [15:0] c = insn_i[15:0];
    assign short_o = c[1:0] != 2'b11;
    assign legal_o = kind_o != BAD;

    reg  [2:0]  op;                      // of ALU and SHIFT, operations of funct3; of other kinds, funct3
    reg         alt;                     // sub, sra
    reg         use_imm;
    reg  [31:0] imm;
    reg  [5:0]  bitop;

    // Registers of the compressed instructions.
    wire [4:0]  c_wide = c[11:7], c_wide2 = c[6:2];
    wire [4:0]  c_high = {2'b01, c[9:7]}, c_low = {2'b01, c[4:2]};
    wire        c_zero6 = {c[12], c[6:2]} == 6'd0;

    task set;                            // sets kind and registers
        input [4:0] kind, rd, rs1, rs2;
        begin
            kind_o = kind; rd_o = rd; rs1_o = rs1; rs2_o = rs2;
        end
    endtask

    always @* begin
        kind_o = BAD;
        rs1_o = 5'd0; rs2_o = 5'd0; rd_o = 5'd0;
        op = ADD; alt = 1'b0; use_imm = 1'b1; imm = 32'd0; bitop = 6'd0;
        if (short_o) begin
            case (c[1:0])
                2'b00: case (c[15:13])
                    3'd0: if (c[12:5] != 0) begin                        // c.addi4spn
                        set(ALU, c_low, 5'd2, 5'd0);
                        imm[9:2] = {c[10:7], c[12:11], c[5], c[6]};
                    end
                    3'd2, 3'd6: begin                                    // c.lw, c.sw
                        if (c[15]) set(STORE, 5'd0, c_high, c_low); else set(LOAD, c_low, c_high, 5'd0);
                        op = 3'd2;
                        imm[6:2] = {c[5], c[12], c[11], c[10], c[6]};
                    end
                    default: ;
                endcase
                2'b01: begin
                    imm = {{27{c[12]}}, c[6:2]};
                    case (c[15:13])
                        3'd0: set(ALU, c_wide, c_wide, 5'd0);            // c.addi, c.nop
                        3'd1, 3'd5: begin                                // c.jal, c.j
                            set(JAL, c[15] ? 5'd0 : 5'd1, 5'd0, 5'd0);
                            imm = {{21{c[12]}}, c[8], c[10], c[9], c[6], c[7], c[2], c[11], c[5], c[4], c[3], 1'b0};
                        end
                        3'd2: set(ALU, c_wide, 5'd0, 5'd0);              // c.li
                        3'd3: if (!c_zero6) begin
                            if (c_wide == 5'd2) begin                    // c.addi16sp
                                set(ALU, 5'd2, 5'd2, 5'd0);
                                imm = {{23{c[12]}}, c[4], c[3], c[5], c[2], c[6], 4'd0};
                            end else begin                               // c.lui
                                set(UPPER, c_wide, 5'd0, 5'd0);
                                imm = {{15{c[12]}}, c[6:2], 12'd0};
                            end
                        end
                        3'd4: begin
                            set(ALU, c_high, c_high, 5'd0);
                            case (c[11:10])
                                2'd0, 2'd1: begin                        // c.srli, c.srai
                                    kind_o = c[12] ? BAD : SHIFT;
                                    op = SRL;
                                    alt = c[10];
                                end
                                2'd2: op = AND;                          // c.andi
                                2'd3: begin
                                    use_imm = 1'b0;
                                    rs2_o = c_low;
                                    case (c[6:5])
                                        2'd0: alt = 1'b1;                // c.sub
                                        2'd1: op = XOR;
                                        2'd2: op = OR;
                                        2'd3: op = AND;
                                    endcase
                                    if (c[12]) kind_o = BAD;
                                end
                            endcase
                        end
                        3'd6, 3'd7: begin                                // c.beqz, c.bnez
                            set(BRANCH, 5'd0, c_high, 5'd0);
                            op = {2'd0, c[13]};
                            imm = {{24{c[12]}}, c[6], c[5], c[2], c[11], c[10], c[4], c[3], 1'b0};
                        end
                    endcase
                end
                2'b10: case (c[15:13])
                    3'd0: begin                                          // c.slli
                        set(c[12] ? BAD : SHIFT, c_wide, c_wide, 5'd0);
                        op = SLL;
                        imm[4:0] = c[6:2];
                    end
                    3'd2: if (c_wide != 0) begin                         // c.lwsp
                        set(LOAD, c_wide, 5'd2, 5'd0);
                        op = 3'd2;
                        imm[7:2] = {c[3], c[2], c[12], c[6], c[5], c[4]};
                    end
                    3'd4: if (c_wide2 != 0) begin                        // c.mv, c.add
                        set(ALU, c_wide, c[12] ? c_wide : 5'd0, c_wide2);
                        use_imm = 1'b0;
                    end else if (c_wide != 0)                            // c.jr, c.jalr
                        set(JALR, {4'd0, c[12]}, c_wide, 5'd0);
                    else if (c[12])
                        set(EBREAK, 5'd0, 5'd0, 5'd0);
                    3'd6: begin                                          // c.swsp
                        set(STORE, 5'd0, 5'd2, c_wide2);
                        op = 3'd2;
                        imm[7:2] = {c[8], c[7], c[12], c[11], c[10], c[9]};
                    end
                    default: ;
                endcase
                default: ;
            endcase
        end else begin
            op = i[14:12];
            imm = {{20{i[31]}}, i[31:20]};
            case (i[6:2])
                5'b01101, 5'b00101: begin                                // lui, auipc
                    set(UPPER, i[11:7], 5'd0, 5'd0);
                    imm = {i[31:12], 12'd0} + (i[5] ? 32'd0 : pc_i);
                end
                5'b11011: begin
                    set(JAL, i[11:7], 5'd0, 5'd0);
                    imm = {{12{i[31]}}, i[19:12], i[20], i[30:21], 1'b0};
                end
                5'b11001: if (op == 0)
                    set(JALR, i[11:7], i[19:15], 5'd0);
                5'b11000: if (op != 2 && op != 3) begin
                    set(BRANCH, 5'd0, i[19:15], i[24:20]);
                    imm = {{20{i[31]}}, i[7], i[30:25], i[11:8], 1'b0};
                end
                5'b00000: if (op != 3 && op < 6)
                    set(LOAD, i[11:7], i[19:15], 5'd0);
                5'b01000: if (op < 3) begin
                    set(STORE, 5'd0, i[19:15], i[24:20]);
                    imm = {{20{i[31]}}, i[31:25], i[11:7]};
                end
                5'b00100: begin
                    set(ALU, i[11:7], i[19:15], 5'd0);
                    if (op == SLL || op == SRL) begin
                        alt = i[30];
                        kind_o = i[31:25] == 7'd0 || i[31:25] == 7'b0100000 && op == SRL ? SHIFT : BAD;
                        if (BITS != 0 && kind_o == BAD) begin
                            bitop = unary(i[31:20], op);
                            if (bitop != 0)
                                kind_o = BITOP;
                        end
                    end
                end
                5'b01100: begin
                    set(BAD, i[11:7], i[19:15], i[24:20]);
                    use_imm = 1'b0;
                    alt = i[30];
                    if (i[31:25] == 7'd0 || i[31:25] == 7'b0100000 && (op == ADD || op == SRL))
                        kind_o = op == SLL || op == SRL ? SHIFT : ALU;
                    if (i[31:25] == 7'd1)
                        kind_o = MULDIV;
                    if (BITS != 0 && kind_o == BAD) begin
                        bitop = binary(i[31:25], op, i[24:20]);
                        if (bitop == ZEXTH)
                            rs2_o = 5'd0;
                        if (bitop != 0)
                            kind_o = BITOP;
                    end
                end
                5'b00011: if (op < 2)
                    kind_o = op[0] ? FENCE_I : FENCE;
                5'b01011: if (ATOMIC != 0 && op == 2)
                    case (i[31:27])
                        5'd2: if (i[24:20] == 0) set(LR, i[11:7], i[19:15], 5'd0);
                        5'd3: set(SC, i[11:7], i[19:15], i[24:20]);
                        5'd0, 5'd1, 5'd4, 5'd8, 5'd12, 5'd16, 5'd20, 5'd24, 5'd28: set(AMO, i[11:7], i[19:15], i[24:20]);
                        default: ;
                    endcase
                5'b11100:
                    if (op[1:0] != 0)
                        set(CSR, i[11:7], op[2] ? 5'd0 : i[19:15], 5'd0);
                    else
                        case (i)
                            32'h0000_0073: kind_o = ECALL;
                            32'h0010_0073: kind_o = EBREAK;
                            32'h3020_0073: kind_o = MRET;
                            32'h1050_0073: kind_o = WFI;
                            default: ;
                        endcase
                default: ;
            endcase
        end
    end

    // Results.
    wire [31:0] b = use_imm ? imm : rs2_i;
    wire signed [31:0] sra = $signed(rs1_i) >>> b[4:0];
    reg  [31:0] alu;
    always @*
        case (op)
            ADD: alu = alt ? rs1_i - b : rs1_i + b;
            SLL: alu = rs1_i << b[4:0];
            SLT: alu = {31'd0, $signed(rs1_i) < $signed(b)};
            SLTU: alu = {31'd0, rs1_i < b};
            XOR: alu = rs1_i ^ b;
            SRL: alu = alt ? sra : rs1_i >> b[4:0];
            OR: alu = rs1_i | b;
            AND: alu = rs1_i & b;
        endcase

    reg         holds;                   // branch condition
    always @*
        case (op)
            3'd0: holds = rs1_i == rs2_i;
            3'd1: holds = rs1_i != rs2_i;
            3'd4: holds = $signed(rs1_i) < $signed(rs2_i);
            3'd5: holds = $signed(rs1_i) >= $signed(rs2_i);
            3'd6: holds = rs1_i < rs2_i;
            default: holds = rs1_i >= rs2_i;
        endcase

    wire [31:0] behind = pc_i + (short_o ? 32'd2 : 32'd4);
    wire [31:0] sum = rs1_i + (kind_o == AMO || kind_o == LR || kind_o == SC ? 32'd0 : imm);
    assign next_pc_o = kind_o == JAL || kind_o == BRANCH && holds ? pc_i + imm : kind_o == JALR ? sum & ~32'd1 : behind;

    assign addr_o = sum;
    wire        access = kind_o == LOAD || kind_o == STORE || kind_o == AMO || kind_o == LR || kind_o == SC;
    assign mask_o = !access ? 4'b0000 : op[1] ? 4'b1111 : op[0] ? 4'b0011 : 4'b0001;
    assign misaligned_o = access && (sum[0] && op[1:0] != 0 || sum[1] && op[1]);
    wire [31:0] loaded = op == 3'd0 ? {{24{rdata_i[7]}}, rdata_i[7:0]} : op == 3'd1 ? {{16{rdata_i[15]}}, rdata_i[15:0]} : rdata_i;

    reg  [31:0] amo;
    always @*
        case (i[31:27])
            5'd0: amo = rdata_i + rs2_i;
            5'd1: amo = rs2_i;
            5'd4: amo = rdata_i ^ rs2_i;
            5'd8: amo = rdata_i | rs2_i;
            5'd12: amo = rdata_i & rs2_i;
            5'd16: amo = $signed(rdata_i) < $signed(rs2_i) ? rdata_i : rs2_i;
            5'd20: amo = $signed(rdata_i) < $signed(rs2_i) ? rs2_i : rdata_i;
            5'd24: amo = rdata_i < rs2_i ? rdata_i : rs2_i;
            default: amo = rdata_i < rs2_i ? rs2_i : rdata_i;
        endcase
    assign wdata_o = kind_o == AMO ? amo : rs2_i;

    wire [31:0] muldiv;
    formal_muldiv arithmetic (.op_i(op), .a_i(rs1_i), .b_i(rs2_i), .result_o(muldiv));

    wire [31:0] bit_result;
    formal_bits bits (.op_i(bitop), .a_i(rs1_i), .b_i(b), .result_o(bit_result));

    assign rd_value_o = kind_o == ALU || kind_o == SHIFT ? alu
                      : kind_o == UPPER ? imm
                      : kind_o == JAL || kind_o == JALR ? behind
                      : kind_o == MULDIV ? muldiv
                      : kind_o == BITOP ? bit_result
                      : kind_o == AMO ? rdata_i : loaded;

    // Zba, Zbb, Zbs: a number for each operation, used by formal_bits.
    localparam [5:0] ZEXTH = 6'd17;
    function [5:0] unary;                // of OP-IMM's upper twelve bits
        input [11:0] upper;
        input [2:0]  funct3;
        begin
            unary = 6'd0;
            if (funct3 == SLL)
                case (upper)
                    12'h600: unary = 6'd9;                               // clz
                    12'h601: unary = 6'd10;                              // ctz
                    12'h602: unary = 6'd11;                              // cpop
                    12'h604: unary = 6'd12;                              // sext.b
                    12'h605: unary = 6'd13;                              // sext.h
                    default:
                        case (upper[11:5])
                            7'h24: unary = 6'd20;                        // bclri
                            7'h34: unary = 6'd22;                        // binvi
                            7'h14: unary = 6'd23;                        // bseti
                            default: ;
                        endcase
                endcase
            else
                case (upper)
                    12'h287: unary = 6'd18;                              // orc.b
                    12'h698: unary = 6'd19;                              // rev8
                    default:
                        case (upper[11:5])
                            7'h30: unary = 6'd15;                        // rori
                            7'h24: unary = 6'd21;                        // bexti
                            default: ;
                        endcase
                endcase
        end
    endfunction
    function [5:0] binary;
        input [6:0] funct7;
        input [2:0] funct3;
        input [4:0] rs2;
        begin
            case ({funct7, funct3})
                {7'h10, 3'd2}: binary = 6'd1;                            // sh1add
                {7'h10, 3'd4}: binary = 6'd2;
                {7'h10, 3'd6}: binary = 6'd3;
                {7'h20, 3'd7}: binary = 6'd4;                            // andn
                {7'h20, 3'd6}: binary = 6'd5;                            // orn
                {7'h20, 3'd4}: binary = 6'd6;                            // xnor
                {7'h05, 3'd6}: binary = 6'd7;                            // max
                {7'h05, 3'd7}: binary = 6'd8;                            // maxu
                {7'h05, 3'd4}: binary = 6'd24;                           // min
                {7'h05, 3'd5}: binary = 6'd25;                           // minu
                {7'h30, 3'd1}: binary = 6'd14;                           // rol
                {7'h30, 3'd5}: binary = 6'd15;                           // ror
                {7'h04, 3'd4}: binary = rs2 == 0 ? ZEXTH : 6'd0;         // zext.h
                {7'h24, 3'd1}: binary = 6'd20;                           // bclr
                {7'h24, 3'd5}: binary = 6'd21;                           // bext
                {7'h34, 3'd1}: binary = 6'd22;                           // binv
                {7'h14, 3'd1}: binary = 6'd23;                           // bset
                default: binary = 6'd0;
            endcase
        end
    endfunction
endmodule

// Zba, Zbb, Zbs.
module formal_bits (
    input  wire [5:0]  op_i,
    input  wire [31:0] a_i, b_i,
    output reg  [31:0] result_o
);
    integer     n;
    reg  [5:0]  leading, trailing, ones;
    always @* begin
        leading = 6'd32;
        trailing = 6'd32;
        ones = 6'd0;
        for (n = 0; n < 32; n = n + 1) begin
            if (a_i[n]) leading = 6'd31 - n;
            if (a_i[31 - n]) trailing = 6'd31 - n;
            ones = ones + {5'd0, a_i[n]};
        end
    end
    wire [4:0]  s = b_i[4:0];
    wire [31:0] mask = 32'd1 << s;
    always @*
        case (op_i)
            6'd1: result_o = {a_i[30:0], 1'b0} + b_i;
            6'd2: result_o = {a_i[29:0], 2'b0} + b_i;
            6'd3: result_o = {a_i[28:0], 3'b0} + b_i;
            6'd4: result_o = a_i & ~b_i;
            6'd5: result_o = a_i | ~b_i;
            6'd6: result_o = ~(a_i ^ b_i);
            6'd7: result_o = $signed(a_i) < $signed(b_i) ? b_i : a_i;
            6'd8: result_o = a_i < b_i ? b_i : a_i;
            6'd9: result_o = {26'd0, leading};
            6'd10: result_o = {26'd0, trailing};
            6'd11: result_o = {26'd0, ones};
            6'd12: result_o = {{24{a_i[7]}}, a_i[7:0]};
            6'd13: result_o = {{16{a_i[15]}}, a_i[15:0]};
            6'd14: result_o = a_i << s | a_i >> (6'd32 - {1'b0, s});
            6'd15: result_o = a_i >> s | a_i << (6'd32 - {1'b0, s});
            6'd17: result_o = {16'd0, a_i[15:0]};
            6'd18: result_o = {{8{|a_i[31:24]}}, {8{|a_i[23:16]}}, {8{|a_i[15:8]}}, {8{|a_i[7:0]}}};
            6'd19: result_o = {a_i[7:0], a_i[15:8], a_i[23:16], a_i[31:24]};
            6'd20: result_o = a_i & ~mask;
            6'd21: result_o = {31'd0, |(a_i & mask)};
            6'd22: result_o = a_i ^ mask;
            6'd23: result_o = a_i | mask;
            6'd24: result_o = $signed(a_i) < $signed(b_i) ? a_i : b_i;
            6'd25: result_o = a_i < b_i ? a_i : b_i;
            default: result_o = 32'd0;
        endcase
endmodule
`default_nettype wire
