// SPDX-License-Identifier: Apache-2.0
// Decodes a 32-bit instruction into the control signals of the later stages. Encodings that RV32IM, Zicsr, Zifencei,
// machine mode, with ATOMIC A, and with BITS Zba, Zbb and Zbs do not define are illegal. The CSR unit rejects CSRs that
// do not exist.
//
// LOOKUP = 1, for simulators: a table, indexed by opcode, funct3 and class of funct7, holds the decoded words. The
// decode function fills the table before the first cycle. The table takes a simulator a tenth of the time.
// test-core-decode compares the two forms.
`default_nettype none

module gnomon_core_decode #(
  parameter ATOMIC = 0,
  parameter BITS = 0,
  parameter LOOKUP = 0
) (
  input  wire [31:0] insn_i,
  input  wire        debug_i,      // instruction injected in debug mode: control flow is illegal
  input  wire        user_i,       // U mode: mret is illegal
  input  wire        wfi_traps_i,  // wfi is illegal
  output wire        illegal_o,
  // enables_o and controls_o go to X as one word. X gets enables_o as zeros if the instruction does nothing in X.
  // enables_o: load (also lr, amo), store (also sc, amo), branch, jalr, csr, mret, wfi, fence_i, bits_late (x_late_i of
  // gnomon_core_bits).
  // controls_o: jal, mul (mul, mulh, mulhsu, mulhu), atomic (lr, sc, amo), use_rs1, use_rs2; for the ALU: sum, less,
  // logic (also lui and a store's data: b unchanged), shift, logic_op (2 bits), alt, rotate, single; bits (5 bits:
  // x_select_i of gnomon_core_bits).
  output wire [8:0]  enables_o,
  output wire [18:0] controls_o,
  output wire        use_rd_o, auipc_o,
  output wire        div_o,      // div, divu, rem, remu
  output wire        alu_imm_o,  // the ALU's second operand is the immediate
  // alu_sub_o: the second operand is complemented, for the ALU (sub, slt, sltu, branches, min, andn, ...) or for the
  // comparison of the load-store unit (amomin, amomax, ...)
  output wire        alu_sub_o, ecall_o, ebreak_o,
  output wire [31:1] offset_o,  // offset from the PC: jal, branches, auipc
  output wire [31:0] alu_imm_value_o,
  output wire [11:0] mem_imm_o
);
  localparam WIDTH = 9 + 19 + 12;
  function [WIDTH-1:0] decode;
    input [31:0] insn;
    reg   [6:0] opcode, funct7;
    reg   [2:0] funct3;
    reg   [4:0] funct5, rs2, bits;
    reg   [1:0] logic_op;
    reg         op_imm, op, misc_mem, system, is_load, is_store, is_branch, is_jal, is_jalr, is_lui, is_auipc;
    reg         f7_zero, f7_alt, f7_muldiv, f7_shadd, f7_minmax, f7_rotate, f7_set, f7_clear, f7_invert, shift, left,
        right, unary;
    reg         atomic, is_lr, is_sc, is_amo, is_shadd, is_minmax, is_negated, is_rotate, is_single, is_extract,
        is_count, is_extend;
    reg         is_bytes, in_bits, privileged, is_ecall, is_ebreak, is_mret, is_wfi, is_csr;
    reg         ok_op_imm, ok_op, ok_bits, ok_atomic, ok_memory, ok_flow, alu, alu_sub, undecided;
    begin
      opcode = insn[6:0];
      funct3 = insn[14:12];
      funct7 = insn[31:25];
      rs2 = insn[24:20];
      op_imm = opcode == 7'h13;
      op = opcode == 7'h33;
      misc_mem = opcode == 7'h0f;
      system = opcode == 7'h73;
      is_load = opcode == 7'h03;
      is_store = opcode == 7'h23;
      is_branch = opcode == 7'h63;
      is_jal = opcode == 7'h6f;
      is_jalr = opcode == 7'h67;
      is_lui = opcode == 7'h37;
      is_auipc = opcode == 7'h17;

      f7_zero = funct7 == 7'h00;
      f7_alt = funct7 == 7'h20;
      f7_muldiv = funct7 == 7'h01;
      shift = funct3[1:0] == 2'b01;

      // Atomics. funct5 of an amo is 00001 for swap, and ends in 00 for add, xor, and, or, min, max, minu, maxu.
      funct5 = funct7[6:2];
      atomic = ATOMIC != 0 && opcode == 7'h2f;
      is_lr = atomic && funct5 == 5'b00010;
      is_sc = atomic && funct5 == 5'b00011;
      is_amo = atomic && !(is_lr || is_sc);
      ok_atomic = atomic && funct3 == 3'b010
           && (is_lr && rs2 == 5'd0 || is_sc || funct5 == 5'b00001 || funct5[1:0] == 2'b00);

      // Bit manipulation. gnomon_core_bits executes the operations that the ALU lacks.
      f7_shadd = BITS != 0 && funct7 == 7'h10;
      f7_minmax = BITS != 0 && funct7 == 7'h05;
      f7_rotate = BITS != 0 && funct7 == 7'h30;
      f7_set = BITS != 0 && funct7 == 7'h14;
      f7_clear = BITS != 0 && funct7 == 7'h24;      // bclr and bext
      f7_invert = BITS != 0 && funct7 == 7'h34;
      left = funct3 == 3'b001;
      right = funct3 == 3'b101;
      unary = op_imm && left && f7_rotate;
      is_shadd = op && f7_shadd && funct3[2:1] != 2'b00 && !funct3[0];
      is_minmax = op && f7_minmax && funct3[2];
      is_negated = BITS != 0 && op && f7_alt && funct3[2] && !right;
      is_rotate = (op && left || (op || op_imm) && right) && f7_rotate;
      is_single = (op || op_imm) && left && (f7_set || f7_clear || f7_invert);
      is_extract = (op || op_imm) && right && f7_clear;
      is_count = unary && rs2[4:2] == 3'b000 && rs2[1:0] != 2'b11;
      is_extend = unary && rs2[4:1] == 4'b0010
           || BITS != 0 && op && funct7 == 7'h04 && funct3 == 3'b100 && rs2 == 5'd0;
      is_bytes = op_imm && right && (f7_set && rs2 == 5'd7 || f7_invert && rs2 == 5'd24);
      in_bits = is_shadd || is_minmax || is_single || is_count || is_extend || is_bytes;
      bits = {is_bytes, is_extend, is_single, is_minmax, is_shadd};

      // Each SYSTEM instruction with funct3 = 0 has exactly one encoding.
      privileged = system && funct3 == 3'b000 && insn[11:7] == 5'd0 && insn[19:15] == 5'd0;
      is_ecall = privileged && insn[31:20] == 12'h000;
      is_ebreak = privileged && insn[31:20] == 12'h001;
      is_mret = privileged && insn[31:20] == 12'h302;
      is_wfi = privileged && insn[31:20] == 12'h105;
      is_csr = system && funct3[1:0] != 2'b00;

      ok_op_imm = op_imm && (!shift || f7_zero || f7_alt && funct3[2]);
      ok_op = op && (f7_zero || f7_alt && (funct3 == 3'b000 || funct3 == 3'b101) || f7_muldiv);
      ok_bits = in_bits || is_negated || is_rotate || is_extract;
      ok_memory = is_load && funct3 != 3'b011 && funct3[2:1] != 2'b11
          || is_store && funct3[2] == 1'b0 && funct3 != 3'b011 || misc_mem && funct3[2:1] == 2'b00;
      ok_flow = is_branch && funct3[2:1] != 2'b01 || is_jal || is_jalr && funct3 == 3'b000 || is_auipc || is_ecall
          || is_ebreak || is_mret || is_wfi;

      alu = (op_imm || op && !f7_muldiv) && !in_bits;
      logic_op = is_lui || is_store ? 2'd1 : funct3[1:0];
      alu_sub = is_branch || is_negated || is_minmax || atomic && funct5[4]
          || op && !f7_muldiv && !f7_shadd && (funct3 == 3'b000 && insn[30] || funct3[2:1] == 2'b01)
          || op_imm && funct3[2:1] == 2'b01;
      // 1: opcode, funct3 and funct7 alone do not determine the decoded word.
      undecided = opcode[1:0] != 2'b11 || system && funct3 == 3'b000 || atomic || unary
          || op_imm && right && (f7_set || f7_invert) || BITS != 0 && op && funct7 == 7'h04;

      // Only the trap logic handles an illegal instruction, so the other control signals need not exclude it.
      decode = {is_load || is_lr || is_amo, is_store || is_sc || is_amo, is_branch, is_jalr, is_csr, is_mret, is_wfi,
           misc_mem && funct3[0], is_count,
           is_jal, op && f7_muldiv && !funct3[2], atomic,
           op || op_imm || is_load || is_store || atomic || is_branch || is_jalr || is_csr && !funct3[2],
           op || is_store || is_branch || atomic,
           alu && funct3 == 3'b000, alu && funct3[2:1] == 2'b01, is_lui || is_store || alu && funct3[2] && !shift,
           alu && shift,
           logic_op, insn[30] && (op || op_imm && funct3[2]), f7_rotate, f7_clear, bits,
           op || op_imm || is_load || atomic || is_jal || is_jalr || is_lui || is_auipc || is_csr, is_auipc,
           op && f7_muldiv && funct3[2], op_imm || is_lui, alu_sub, is_ecall, is_ebreak,
           is_lui, is_store, ok_flow,
           ok_op_imm || ok_op || ok_bits || ok_atomic || ok_memory || is_lui || is_csr, undecided};
    end
  endfunction

  reg  [WIDTH-1:0] decoded;
  generate
    if (LOOKUP != 0) begin : by_lookup
      // Classes of funct7: one for each value that an instruction has, and class 15 for all other values.
      localparam [16*7-1:0] CLASSES = {{6{7'h7f}}, 7'h34, 7'h30, 7'h24, 7'h20, 7'h14, 7'h10, 7'h05, 7'h04, 7'h01,
          7'h00};
      reg  [3:0]  classes [0:127];
      reg  [WIDTH-1:0] lookup [0:4095];            // index: opcode, funct3, class of funct7
      integer     i;
      initial begin
        for (i = 0; i < 128; i = i + 1)
          classes[i] = 4'd15;
        for (i = 0; i < 16; i = i + 1)
          classes[CLASSES[7 * i +: 7]] = i[3:0];
        for (i = 0; i < 4096; i = i + 1)
          lookup[i] = decode({CLASSES[7 * i[3:0] +: 7], 10'd0, i[6:4], 5'd0, i[11:7], 2'b11});
      end
      always @* begin
        decoded = lookup[{insn_i[6:2], insn_i[14:12], classes[insn_i[31:25]]}];
        if (decoded[0] || insn_i[1:0] != 2'b11)
          decoded = decode(insn_i);
      end
    end else begin : by_gates
      always @*
        decoded = decode(insn_i);
    end
  endgenerate

  wire        is_lui, is_store, ok_flow, ok, undecided;
  assign {enables_o, controls_o, use_rd_o, auipc_o, div_o, alu_imm_o, alu_sub_o, ecall_o, ebreak_o, is_lui, is_store,
      ok_flow, ok,
      undecided} = decoded;
  wire        is_branch = enables_o[6], is_mret = enables_o[3], is_wfi = enables_o[2], is_jal = controls_o[18],
      atomic = controls_o[16];
  assign illegal_o = !(ok || ok_flow && !debug_i && !(is_mret && user_i) && !(is_wfi && wfi_traps_i));

  assign offset_o = is_jal ? {{12{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21]}
          : is_branch ? {{20{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8]}
          : {insn_i[31:12], 11'd0};
  assign alu_imm_value_o = is_lui ? {insn_i[31:12], 12'd0} : {{20{insn_i[31]}}, insn_i[31:20]};
  assign mem_imm_o = {12{!atomic}} & {insn_i[31:25], is_store ? insn_i[11:7] : insn_i[24:20]};
  wire        unused = undecided;
endmodule
`default_nettype wire
