// SPDX-License-Identifier: Apache-2.0
// Decodes a 32-bit instruction into what the stages after it need. Whatever RV32IM, Zicsr, Zifencei, machine mode, with
// ATOMIC A and with BITS Zba, Zbb and Zbs do not define is illegal; which CSRs there are, the CSR unit knows.
`default_nettype none

module gnomon_core_decode #(
    parameter ATOMIC = 0,
    parameter BITS = 0
) (
    input  wire [31:0] insn_i,
    input  wire        debug_i,          // injected in debug mode: control flow is illegal
    input  wire        user_i,           // in U mode: no mret,
    input  wire        wfi_traps_i,      // no wfi
    output wire        illegal_o,
    output wire        use_rs1_o,
    output wire        use_rs2_o,
    output wire        use_rd_o,
    output wire        load_o,           // also lr, amo
    output wire        store_o,          // also sc, amo
    output wire        atomic_o,         // lr, sc, amo
    output wire        branch_o,
    output wire        jal_o,
    output wire        jalr_o,
    output wire        auipc_o,
    output wire        mul_o,            // mul, mulh, mulhsu, mulhu
    output wire        div_o,            // div, divu, rem, remu
    output wire        alu_imm_o,        // the ALU's second operand is the immediate
    output wire        alu_sum_o,        // the ALU's result, see there
    output wire        alu_less_o,
    output wire        alu_logic_o,      // also lui and a store's data: b as it is
    output wire [1:0]  alu_logic_op_o,
    output wire        alu_shift_o,
    output wire        alu_alt_o,        // sub instead of add, sra instead of srl
    output wire        alu_sub_o,        // the ALU gets its second operand complemented (sub, slt, sltu, branches, min, andn, ...)
    output wire        alu_rotate_o,     // the shift is a rotation,
    output wire        alu_single_o,     // or only bit 0 of it counts
    output wire [4:0]  bits_o,           // results of gnomon_core_bits, see there
    output wire        bits_late_o,
    output wire        csr_o,
    output wire        ecall_o,
    output wire        ebreak_o,
    output wire        mret_o,
    output wire        wfi_o,
    output wire        fence_i_o,
    output wire [31:1] offset_o,         // for addition to the PC: jal, branches, auipc
    output wire [31:0] alu_imm_value_o,
    output wire [11:0] mem_imm_o
);
    wire [6:0] opcode = insn_i[6:0];
    wire [2:0] funct3 = insn_i[14:12];
    wire [6:0] funct7 = insn_i[31:25];

    wire op_imm = opcode == 7'h13;
    wire op = opcode == 7'h33;
    wire misc_mem = opcode == 7'h0f;
    wire system = opcode == 7'h73;
    wire is_load = opcode == 7'h03;
    wire is_store = opcode == 7'h23;
    wire is_branch = opcode == 7'h63;
    wire is_jal = opcode == 7'h6f;
    wire is_jalr = opcode == 7'h67;
    wire is_lui = opcode == 7'h37;
    wire is_auipc = opcode == 7'h17;

    wire f7_zero = funct7 == 7'h00;
    wire f7_alt = funct7 == 7'h20;
    wire f7_muldiv = funct7 == 7'h01;
    wire shift = funct3[1:0] == 2'b01;

    // Atomics.
    wire [4:0] funct5 = insn_i[31:27];
    wire atomic = ATOMIC != 0 & opcode == 7'h2f;
    wire is_lr = atomic & funct5 == 5'b00010;
    wire is_sc = atomic & funct5 == 5'b00011;
    wire is_amo = atomic & ~(is_lr | is_sc);
    // The operations: add, swap, and those with xor, and, or, min, max, minu, maxu, which end in 00.
    wire ok_atomic = atomic & funct3 == 3'b010
                   & (is_lr & insn_i[24:20] == 5'd0 | is_sc | funct5 == 5'b00001 | funct5[1:0] == 2'b00);

    // Bit manipulation. A unit of its own makes what the ALU has not got.
    wire f7_shadd = BITS != 0 & funct7 == 7'h10;
    wire f7_minmax = BITS != 0 & funct7 == 7'h05;
    wire f7_rotate = BITS != 0 & funct7 == 7'h30;
    wire f7_set = BITS != 0 & funct7 == 7'h14;
    wire f7_clear = BITS != 0 & funct7 == 7'h24;     // and bext
    wire f7_invert = BITS != 0 & funct7 == 7'h34;
    wire left = funct3 == 3'b001;
    wire right = funct3 == 3'b101;
    wire unary = op_imm & left & f7_rotate;
    wire is_shadd = op & f7_shadd & funct3[2:1] != 2'b00 & ~funct3[0];
    wire is_minmax = op & f7_minmax & funct3[2];
    wire is_negated = BITS != 0 & op & f7_alt & funct3[2] & ~right;
    wire is_rotate = (op & left | (op | op_imm) & right) & f7_rotate;
    wire is_single = (op | op_imm) & left & (f7_set | f7_clear | f7_invert);
    wire is_extract = (op | op_imm) & right & f7_clear;
    wire is_count = unary & insn_i[24:22] == 3'b000 & insn_i[21:20] != 2'b11;
    wire is_extend = unary & insn_i[24:21] == 4'b0010
                   | BITS != 0 & op & funct7 == 7'h04 & funct3 == 3'b100 & insn_i[24:20] == 5'd0;
    wire is_bytes = op_imm & right & (f7_set & insn_i[24:20] == 5'd7 | f7_invert & insn_i[24:20] == 5'd24);
    wire in_bits = is_shadd | is_minmax | is_single | is_count | is_extend | is_bytes;
    assign bits_o = {is_bytes, is_extend, is_single, is_minmax, is_shadd};
    assign bits_late_o = is_count;
    assign alu_rotate_o = f7_rotate;
    assign alu_single_o = f7_clear;

    // Everything of SYSTEM with funct3 = 0 is one exact word each.
    wire privileged = system & funct3 == 3'b000 & insn_i[11:7] == 5'd0 & insn_i[19:15] == 5'd0;
    wire is_ecall = privileged & insn_i[31:20] == 12'h000;
    wire is_ebreak = privileged & insn_i[31:20] == 12'h001;
    wire is_mret = privileged & insn_i[31:20] == 12'h302;
    wire is_wfi = privileged & insn_i[31:20] == 12'h105;
    wire is_csr = system & funct3[1:0] != 2'b00;

    wire ok_op_imm = op_imm & (~shift | f7_zero | f7_alt & funct3[2]);
    wire ok_op = op & (f7_zero | f7_alt & (funct3 == 3'b000 | funct3 == 3'b101) | f7_muldiv);
    wire ok_bits = in_bits | is_negated | is_rotate | is_extract;
    wire ok_memory = is_load & funct3 != 3'b011 & funct3[2:1] != 2'b11 | is_store & funct3[2] == 1'b0 & funct3 != 3'b011
                   | misc_mem & funct3[2:1] == 2'b00;
    wire ok_flow = is_branch & funct3[2:1] != 2'b01 | is_jal | is_jalr & funct3 == 3'b000 | is_auipc | is_ecall | is_ebreak
                 | is_mret & ~user_i | is_wfi & ~wfi_traps_i;
    assign illegal_o = ~(ok_op_imm | ok_op | ok_bits | ok_atomic | ok_memory | is_lui | is_csr | ok_flow & ~debug_i);

    // No unit but the trap logic looks at an illegal instruction, so these need not exclude it.
    assign load_o = is_load | is_lr | is_amo;
    assign store_o = is_store | is_sc | is_amo;
    assign atomic_o = atomic;
    assign branch_o = is_branch;
    assign jal_o = is_jal;
    assign jalr_o = is_jalr;
    assign auipc_o = is_auipc;
    assign mul_o = op & f7_muldiv & ~funct3[2];
    assign div_o = op & f7_muldiv & funct3[2];
    assign csr_o = is_csr;
    assign ecall_o = is_ecall;
    assign ebreak_o = is_ebreak;
    assign mret_o = is_mret;
    assign wfi_o = is_wfi;
    assign fence_i_o = misc_mem & funct3[0];

    assign use_rs1_o = op | op_imm | is_load | is_store | atomic | is_branch | is_jalr | is_csr & ~funct3[2];
    assign use_rs2_o = op | is_store | is_branch | atomic;
    assign use_rd_o = op | op_imm | is_load | atomic | is_jal | is_jalr | is_lui | is_auipc | is_csr;

    assign alu_imm_o = op_imm | is_lui;
    wire alu = (op_imm | op & ~f7_muldiv) & ~in_bits;
    assign alu_sum_o = alu & funct3 == 3'b000;
    assign alu_less_o = alu & funct3[2:1] == 2'b01;
    assign alu_shift_o = alu & shift;
    assign alu_logic_o = is_lui | is_store | alu & funct3[2] & ~shift;
    assign alu_logic_op_o = is_lui | is_store ? 2'd1 : funct3[1:0];
    assign alu_alt_o = insn_i[30] & (op | op_imm & funct3[2]);
    assign alu_sub_o = is_branch | is_negated | is_minmax
                     | op & ~f7_muldiv & ~f7_shadd & (funct3 == 3'b000 & insn_i[30] | funct3[2:1] == 2'b01)
                     | op_imm & funct3[2:1] == 2'b01;

    assign offset_o = is_jal ? {{12{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21]}
                    : is_branch ? {{20{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8]}
                    : {insn_i[31:12], 11'd0};
    assign alu_imm_value_o = is_lui ? {insn_i[31:12], 12'd0} : {{20{insn_i[31]}}, insn_i[31:20]};
    assign mem_imm_o = {12{~atomic}} & {insn_i[31:25], is_store ? insn_i[11:7] : insn_i[24:20]};
endmodule
`default_nettype wire
