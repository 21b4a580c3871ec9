// SPDX-License-Identifier: Apache-2.0
// RV32IMC_Zicsr_Zifencei hart with machine and debug mode in five stages: F fetches and expands, D decodes and reads
// operands, X executes and sends memory requests, M takes memory responses, W retires. docs/internals/core.md has a
// diagram and the cycle counts.
//
// Control flow:
// - m_stall (a load or store waits for its response) holds X and D. x_busy holds X and D. d_hazard holds D.
// - D redirects fetch for predicted jumps; X corrects wrong predictions. A trap does nothing in X, kills the later
//   instructions in M, and redirects fetch in W; mret and the entry to debug mode do so, too. An interrupt is a mark
//   that takes the place of an instruction at the entry of D.
// - A stage without an instruction carries the cause of this bubble; the cause becomes the cycle's cause in W.
`default_nettype none
`include "gnomon_obs.vh"
`ifdef VERILATOR
`define GNOMON_CORE_EAGER 0
`else
`define GNOMON_CORE_EAGER 1
`endif

module gnomon_core #(
  parameter MUL_FAST = 1,              // 1: multiplier of two cycles in DSP blocks; 0: the divider multiplies
  parameter COMPACT = 0,               // 1: smaller and slower, see docs/internals/core.md (needs MUL_FAST = 0)
  parameter ATOMIC = 0,                // 1: A (lr, sc, amo)
  parameter BITS = 0,                  // 1: Zba, Zbb, Zbs; the compact form then has a barrel shifter
  parameter PREDICT = 0,               // log2 of the branch predictor's entries; 0: static prediction only
  parameter PREDICT_TAG = 8,           // address bits that an entry has in addition to its index
  // 1: a second ALU, in M, for instructions that would wait for a load or product (not with COMPACT)
  parameter LATE = 0,
  parameter USER = 0,                  // 1: U mode
  parameter PMP = 0,                   // entries of physical memory protection: 0, 4, 8, 16
  parameter PMP_GRAIN = 2,             // log2 of the bytes of the smallest PMP region
  parameter TRIGGERS = 0,              // number of triggers: 0, 2, 4
  // 1: an ECP5: the register file is in distributed RAM, and D reads it (not with COMPACT); multipliers have 18 bits
  parameter LUTRAM = 0,
  parameter OVERFLOW = 0,              // 1: the counters have mhpmeventh and an interrupt (Sscofpmf)
  // log2 of main memory's bytes: an addition that moves sp below the limit (stack_limit_n_i) enters debug mode;
  // 0: no check
  parameter STACK = 0,
  parameter UP5K = 0,                  // 1: DSP blocks of the UP5K keep the pipeline payload
  // 0: evaluates only requested results; for simulators, see docs/internals/core.md
  parameter EAGER = `GNOMON_CORE_EAGER,
  parameter [31:0] HART_ID = 0
) (
  input  wire         clk_i, rst_i,
  input  wire [31:0]  boot_pc_i,

  output wire         i_req_valid_o,
  input  wire         i_req_ready_i,
  output wire [31:0]  i_req_addr_o,
  input  wire         i_rsp_valid_i,
  input  wire [31:0]  i_rsp_rdata_i,
  input  wire         i_rsp_error_i,
  output wire         i_flush_o,
  input  wire         i_flush_done_i,
  // high while a fetch waits for a cache miss; changes only the cause of the cycle
  input  wire         i_wait_miss_i,

  output wire         d_req_valid_o,
  input  wire         d_req_ready_i,
  output wire [31:0]  d_req_addr_o,
  output wire         d_req_write_o,
  output wire [31:0]  d_req_wdata_o,
  output wire [3:0]   d_req_strb_o,
  output wire         d_req_lock_o,     // the request belongs to an atomic access
  output wire         d_lock_o,         // no other master may write to memory in this cycle
  input  wire         d_snoop_valid_i,  // another master writes this word in this cycle
  input  wire [31:2]  d_snoop_addr_i,
  input  wire         d_grant_i,        // an sc may check its reservation: the bus accepts its store in this cycle
  input  wire         d_rsp_valid_i,
  input  wire [31:0]  d_rsp_rdata_i,
  input  wire         d_rsp_error_i,
  input  wire         d_wait_miss_i,    // high while a data access waits for a cache miss
  // high while an access waits for a refresh of main memory, or for it to close or open a row; precedes a cache miss
  input  wire         i_wait_refresh_i, i_wait_page_i, d_wait_refresh_i, d_wait_page_i,

  input  wire         irq_software_i, irq_timer_i, irq_external_i, irq_profile_i,
  input  wire         irq_overflow_i,  // pulse: a counter has overflowed

  output wire         hpm_valid_o, hpm_write_o,
  output wire [11:0]  hpm_addr_o,
  output wire [31:0]  hpm_wdata_o,
  input  wire [31:0]  hpm_rdata_i,

  input  wire [31:10] stack_limit_n_i,  // with STACK: inverted limit of the stack, in main memory; limit 0: no check

  input  wire         dbg_halt_i, dbg_resume_i,
  output wire         dbg_halted_o,
  output wire [2:0]   dbg_cause_o,
  input  wire         dbg_insn_valid_i,
  input  wire [31:0]  dbg_insn_i,
  output wire         dbg_busy_o, dbg_error_o,
  input  wire         dbg_data_we_i,
  input  wire [31:0]  dbg_data_i,
  output wire [31:0]  dbg_data_o,

  output wire [`GNOMON_OBS_BITS-1:0] obs_o
);
  // Causes of docs/internals/observation.md that the pipeline generates.
  localparam [4:0] FETCH = 5'd1, JUMP = 5'd2, MISPREDICT = 5'd3, LOAD_USE = 5'd4, MULDIV = 5'd5, DATA = 5'd6, TRAP =
      5'd7, WFI = 5'd8, DEBUG = 5'd9, RESET = 5'd10, CSR = 5'd11, FENCE = 5'd12, ICACHE_MISS = 5'd13, DCACHE_MISS =
      5'd14, REFRESH = 5'd16, PAGE = 5'd17;
  localparam [4:0] SP = 5'd2;
  localparam SERIAL_SHIFT = COMPACT != 0 && BITS == 0;

  // ---- Control signals from later to earlier stages ----
  wire        m_stall;                 // M keeps its instruction
  wire        m_kill;                  // M's instruction moves to W and kills all later instructions
  wire        m_debug;                 // M's instruction enters debug mode
  wire        m_wrong;                 // M decides a branch against its prediction
  wire        m_ends = m_kill || m_wrong;               // M kills all later instructions
  wire        w_redirect;
  wire [31:1] w_target;
  wire        x_redirect;
  wire [31:1] x_redirect_target;
  wire [4:0]  x_redirect_cause;
  reg         x_busy;                  // X's instruction needs more cycles
  wire        x_go = !m_stall && !x_busy;
  wire        x_holds_serial;
  wire        d_redirect;
  reg         d_hazard;
  wire [31:1] d_target;
  reg         d_valid;
  wire        d_free = !d_valid || x_go && !d_hazard;    // D accepts an instruction from F
  wire        d_load;                                  // D takes an instruction of the program

  // ---- Debug mode and interrupts: marks for D ----
  wire        debug, leave, resume, inject, want_debug;
  wire [2:0]  want_cause;
  wire        step, w_enter_debug, w_valid_any, w_fails, ebreakm;
  wire        user, wfi_traps, ebreaku;
  wire        ebreak_enters = user ? ebreaku : ebreakm;
  wire        irq_pending, irq_any;
  wire [4:0]  irq_code, irq_requests;
  gnomon_core_debug u_debug (
    .clk_i(clk_i), .rst_i(rst_i), .dbg_halt_i(dbg_halt_i), .dbg_resume_i(dbg_resume_i),
    .dbg_insn_valid_i(dbg_insn_valid_i), .dbg_busy_o(dbg_busy_o), .dbg_error_o(dbg_error_o),
    .step_i(step), .d_load_i(d_load), .w_enter_i(w_enter_debug), .w_done_i(w_valid_any), .w_error_i(w_fails),
    .debug_o(debug), .leave_o(leave), .resume_o(resume), .inject_o(inject), .want_o(want_debug),
        .want_cause_o(want_cause));
  assign dbg_halted_o = debug;
  wire        f_mark = want_debug || irq_pending && !step;
  wire [5:0]  f_mark_code = want_debug ? {3'd0, want_cause} : {1'b1, irq_code};

  // ---- F ----
  wire        f_valid, f_error, f_error_high;
  wire [31:0] f_word;
  wire [31:1] f_pc;
  wire        d_holds_serial;
  wire        f_wait = debug || w_enter_debug || d_holds_serial || x_holds_serial;
  wire        f_correct = w_redirect || m_wrong || x_redirect;
  wire        f_redirect = f_correct || d_redirect;
  // X, D and M are empty when W redirects.
  wire [31:1] f_correct_target = m_wrong ? m_result[31:1] : w_redirect ? w_target : x_redirect_target;
  wire [31:1] f_d_pc;                  // with COMPACT: the address of the instruction in D
  wire        f_blind;                 // F fetches the redirect target without a prediction
  wire        f_unclaimed;             // no instruction ends at the predicted place: fetch again
  wire        f_known, f_taken;        // F has a prediction for its instruction, a taken one
  wire [31:1] f_predicted;
  wire        p_known, p_taken, p_half;
  wire [31:1] p_target;
  wire        f_take = d_free && !f_wait && !f_mark;
  generate
    if (COMPACT != 0) begin : fetch_compact
      assign {f_unclaimed, f_known, f_taken, f_predicted} = 34'd0;
      wire unused = &{1'b0, f_blind, f_correct_target, p_known, p_taken, p_half, p_target};
      gnomon_core_fetch_compact u_fetch (
        .clk_i(clk_i), .rst_i(rst_i), .stop_i(debug || dbg_halt_i),
        .redirect_i(f_redirect || rst_i), .target_i({31{rst_i}} & boot_pc_i[31:1] | {31{w_redirect}} & w_target
         | {31{x_redirect}} & x_redirect_target | {31{d_redirect && !x_redirect}} & d_target),
        .i_req_valid_o(i_req_valid_o), .i_req_ready_i(i_req_ready_i), .i_req_addr_o(i_req_addr_o[31:2]),
        .i_rsp_valid_i(i_rsp_valid_i), .i_rsp_rdata_i(i_rsp_rdata_i), .i_rsp_error_i(i_rsp_error_i),
        .f_valid_o(f_valid), .f_take_i(f_take), .f_insn_o(f_word), .f_pc_o(f_pc), .d_free_i(d_free),
        .d_pc_o(f_d_pc), .f_error_o(f_error), .f_error_high_o(f_error_high));
    end else begin : fetch_plain
      gnomon_core_fetch u_fetch (
        .clk_i(clk_i), .rst_i(rst_i), .boot_pc_i(boot_pc_i[31:1]), .stop_i(debug || dbg_halt_i),
        .correct_i(f_correct), .correct_target_i(f_correct_target), .jump_i(d_redirect), .jump_target_i(d_target),
        .blind_i(f_blind),
        .p_known_i(p_known), .p_taken_i(p_taken), .p_half_i(p_half), .p_target_i(p_target),
        .i_req_valid_o(i_req_valid_o), .i_req_ready_i(i_req_ready_i), .i_req_addr_o(i_req_addr_o[31:2]),
        .i_rsp_valid_i(i_rsp_valid_i), .i_rsp_rdata_i(i_rsp_rdata_i), .i_rsp_error_i(i_rsp_error_i),
        .f_valid_o(f_valid), .f_take_i(f_take), .f_insn_o(f_word), .f_pc_o(f_pc), .f_error_o(f_error),
        .f_error_high_o(f_error_high), .f_unclaimed_o(f_unclaimed), .f_known_o(f_known), .f_taken_o(f_taken),
        .f_target_o(f_predicted));
      assign f_d_pc = 31'd0;
    end
  endgenerate
  assign i_req_addr_o[1:0] = 2'b00;

  wire [31:0] f_raw = debug ? dbg_insn_i : f_word;
  wire [31:0] f_insn;
  wire        f_short, f_illegal;
  gnomon_core_expand u_expand (.insn_i(f_raw), .short_o(f_short), .illegal_o(f_illegal), .insn_o(f_insn));

  // ---- D ----
  reg  [4:0]  d_cause;                 // cause of the bubble in D
  reg         d_mark;                  // D has an interrupt or debug entry; d_insn has its code
  reg         d_mark_debug, d_error, d_error_high, d_bad, d_short;
  wire        d_denied, d_next_denied;                 // PMP denies the instruction's first word, the next word
  wire        d_hit_trap, d_hit_debug;                 // a trigger raises an exception, enters debug mode
  reg         d_jumped;                // D has redirected fetch for its instruction
  reg         d_known, d_taken;        // F had a prediction; F has continued at d_predicted
  reg         d_unclaimed;             // f_unclaimed of D's instruction
  reg  [31:1] d_predicted;
  reg  [31:0] d_insn;                  // the expanded instruction
  reg  [15:0] d_low_insn;            // lower half as fetched, for the bundle
  wire [31:1] d_pc;
  wire [4:0]  fetch_cause = i_wait_refresh_i ? REFRESH : i_wait_page_i ? PAGE : i_wait_miss_i ? ICACHE_MISS : FETCH;
  wire [4:0]  data_cause = d_wait_refresh_i ? REFRESH : d_wait_page_i ? PAGE : d_wait_miss_i ? DCACHE_MISS : DATA;
  assign d_load = d_free && !f_wait && !f_redirect && !m_kill && !f_mark && f_valid;

  always @(posedge clk_i) begin
    if (rst_i) begin
      d_valid <= 1'b0;
      d_cause <= RESET;
    end else if (m_kill) begin
      d_valid <= 1'b0;
      d_cause <= m_debug ? DEBUG : TRAP;
    end else if (x_redirect || m_wrong) begin
      d_valid <= 1'b0;
      d_cause <= m_wrong ? MISPREDICT : x_redirect_cause;
    end else if (d_free) begin
      d_valid <= inject || !f_wait && !f_redirect && (f_mark || f_valid);
      d_cause <= debug || w_enter_debug ? DEBUG : w_redirect && !resume ? TRAP : d_redirect ? JUMP
           : !f_wait ? fetch_cause : (x_holds_serial ? x_wfi : d_wfi) ? WFI : CSR;
    end

    if (d_free) begin
      d_mark <= f_mark && !debug;
      d_mark_debug <= want_debug;
      d_error <= f_error && !debug;
      d_error_high <= f_error_high;
      d_bad <= f_illegal;
      d_short <= f_short || f_error_high;
      d_insn <= {f_insn[31:6], f_mark && !debug ? f_mark_code : f_insn[5:0]};
      d_low_insn <= f_raw[15:0];
      d_known <= (f_known || f_unclaimed) && f_take && f_valid;
      d_taken <= (f_taken || f_unclaimed) && f_take && f_valid;
      d_unclaimed <= f_unclaimed && f_take && f_valid;
      d_predicted <= f_predicted;
    end
    d_jumped <= d_redirect && !d_free || d_jumped && !d_free;
  end

  wire        d_illegal, d_is_load, d_branch, d_jalr, d_csr, d_wfi, d_fence_i, d_bits_late;
  wire        d_jal, d_mul, d_atomic, d_use_rs1, d_use_rs2, d_alu_sum, d_alu_less, d_alu_logic, d_alu_shift;
  wire        d_use_rd, d_auipc, d_div, d_alu_imm, d_alu_sub, d_ecall, d_ebreak;
  wire [8:0]  d_enables;                  // gnomon_core_decode.v lists the bits; X takes them over
  wire [18:0] d_controls;
  wire [31:1] d_offset;
  wire [31:0] d_imm;
  wire [11:0] d_mem_imm;
  gnomon_core_decode #(.ATOMIC(ATOMIC), .BITS(BITS), .LOOKUP(EAGER == 0)) u_decode (
    .insn_i(d_insn), .debug_i(debug), .user_i(user), .wfi_traps_i(wfi_traps), .illegal_o(d_illegal),
        .enables_o(d_enables), .controls_o(d_controls),
    .use_rd_o(d_use_rd), .auipc_o(d_auipc), .div_o(d_div), .alu_imm_o(d_alu_imm), .alu_sub_o(d_alu_sub),
        .ecall_o(d_ecall),
    .ebreak_o(d_ebreak), .offset_o(d_offset), .alu_imm_value_o(d_imm), .mem_imm_o(d_mem_imm));
  assign {d_is_load, d_branch, d_jalr, d_csr, d_wfi, d_fence_i, d_bits_late} = {d_enables[8], d_enables[6:4],
      d_enables[2:0]};
  assign {d_jal, d_mul, d_atomic, d_use_rs1, d_use_rs2, d_alu_sum, d_alu_less, d_alu_logic,
      d_alu_shift} = d_controls[18:10];

  wire        d_denied_high = d_next_denied && d_pc[1] && !d_short;
  wire        d_fault = d_error || d_denied || d_denied_high;
  wire        d_hit = d_hit_trap || d_hit_debug;
  wire        d_special = d_mark || d_hit || d_fault || d_bad || d_illegal || d_ecall || d_ebreak;
  reg         d_trap, d_enter_debug, d_no_tval;
  reg  [5:0]  d_code;
  always @* begin
    {d_trap, d_enter_debug, d_no_tval, d_code} = 9'd0;
    if (EAGER != 0 || d_special) begin
      d_trap = d_mark && !d_mark_debug
          || !d_mark && !d_unclaimed && !d_hit_debug
              && (d_hit_trap || d_fault || d_bad || d_illegal || d_ecall || d_ebreak && !ebreak_enters);
      d_enter_debug = d_mark && d_mark_debug
          || !d_mark && !d_unclaimed
              && (d_hit_debug || !d_hit_trap && !d_fault && d_ebreak && ebreak_enters && !debug);
      d_no_tval = d_mark || !d_fault && !d_hit && (d_ecall || d_ebreak);
      d_code = d_mark ? d_insn[5:0] : d_hit_debug ? 6'd2 : d_hit_trap ? 6'd3
          : d_fault ? 6'd1 : d_bad || d_illegal ? 6'd2 : d_ecall ? (user ? 6'd8 : 6'd11) : ebreak_enters ? 6'd1 : 6'd3;
    end
  end

  // Static prediction of jumps and branches for which F had no prediction: jumps and backward branches are taken. D
  // redirects fetch in their first cycle; with COMPACT, as they move to X, because F keeps the addresses. A trapping
  // instruction may redirect fetch to any address. Marks and debug mode redirect nothing.
  wire        d_predict = (d_jal && !d_taken || d_branch && d_insn[31] && !d_known) && !d_mark && !debug;
  assign d_target = d_pc + d_offset;
  assign d_redirect = d_valid && d_predict && !d_jumped && (COMPACT == 0 || d_free);
  // F followed a prediction that does not belong to the instruction in D: X only sends F back to the instruction.
  reg         d_refetch;
  always @* begin
    d_refetch = 1'b0;
    if (EAGER != 0 || d_taken)
      d_refetch = d_unclaimed
          || d_taken && !d_special
              && (!(d_branch || d_jal || d_jalr) || (d_branch || d_jal) && d_predicted != d_target);
  end
  wire        d_does = !d_special && !d_refetch;
  wire        d_alu = d_branch || d_use_rd && (d_alu_sum || d_alu_less || d_alu_logic || d_alu_shift);
  wire [31:1] d_pc_next, x_pc_next;
  wire [31:1] d_error_pc;              // mtval of a fetch fault or trigger
  generate
    if (COMPACT != 0) begin : shared_pc
      assign d_pc = f_d_pc;
      assign d_pc_next = f_pc;
      // F's address stays at the halfword whose fetch failed.
      assign d_error_pc = d_hit || d_denied ? d_pc : {f_pc[31:2], f_pc[1] && (PMP == 0 || d_error)};
      assign x_pc_next = x_pc + {29'd0, !x_short, x_short};
      wire unused = &{1'b0, d_error_high};
    end else begin : own_pc
      reg [31:1] pc, x_next;
      always @(posedge clk_i) begin
        if (d_free)
          pc <= f_pc;
        if (x_go)
          x_next <= d_pc_next;
      end
      assign d_pc = pc;
      assign d_pc_next = d_pc + {29'd0, !d_short, d_short};
      assign x_pc_next = x_next;
      wire   high = (d_error_high || !d_error && d_denied_high) && !d_denied && !d_hit;
      assign d_error_pc = high ? {d_pc_next[31:2], d_pc_next[1] && PMP == 0} : d_pc;
      wire unused = &{1'b0, f_d_pc};
    end
  endgenerate
  // X may need one of two addresses: the target after a misprediction or the link, or the sum of auipc.
  wire        d_uses_other = d_jal || d_jalr || d_fence_i || d_branch || d_auipc;
  wire [31:1] d_other = d_jal || d_jalr || d_fence_i || d_branch && (d_predict || d_taken) ? d_pc_next : d_target;

  // D takes no instruction until a wfi, or an access to a CSR of interrupts, PMP or triggers, is done.
  wire        d_csr_serial = d_insn[31:24] == 8'h30 || PMP != 0 && d_insn[31:27] == 5'b00111 || TRIGGERS != 0 &
      d_insn[31:24] == 8'h7a
               || OVERFLOW != 0 && d_insn[31:20] == 12'h344;
  reg         d_serial;
  always @* begin
    d_serial = 1'b0;
    if (EAGER != 0 || d_wfi || d_csr)
      d_serial = (d_wfi || d_csr && d_csr_serial) && !d_special && !d_taken;
  end
  assign d_holds_serial = d_valid && d_serial;

  // ---- D: operands ----
  wire [31:0] d_rs1_file, d_rs2_file;
  wire [31:0] x_result, m_value;
  wire [31:0] w_result;
  reg         x_valid, x_write, m_valid, m_write, w_write;
  reg         x_late;                  // the result of X's instruction comes in M
  reg         x_wait_a, x_wait_b;      // X's instruction takes this operand from M
  reg  [4:0]  x_rd, w_rd;
  reg  [4:0]  m_rd = 5'd0;
  reg         m_clear = 1'b0;
  wire        m_commit;                // M writes its result to the register file
  // READ 0 reads the registers of the instruction that enters D. READ 1 (in the middle of the cycle) and READ 2
  // (without a clock) read the registers of the instruction in D.
  localparam  READ = LUTRAM != 0 ? 2 : COMPACT != 0 ? 1 : 0;
  wire        r_next = READ == 0 && d_free;
  gnomon_core_regfile #(.READ(READ)) u_regfile (
    .clk_i(clk_i), .raddr1_i(r_next ? f_insn[19:15] : d_insn[19:15]), .raddr2_i(r_next ? f_insn[24:20] : d_insn[24:20]),
    .rdata1_o(d_rs1_file), .rdata2_o(d_rs2_file), .we_i(m_commit || m_clear), .waddr_i(m_rd), .wdata_i(m_value));

  wire        x_csr_writes = x_valid && x_csr && (x_insn[13:12] == 2'b01 || x_insn[19:15] != 5'd0);
  wire        x_writes = x_valid && x_write;
  wire        m_writes = m_valid && m_write;
  wire        w_bypass = READ == 0 && w_write;          // with READ 1 or 2 the register file has the value
  wire        d_rs1_x = x_writes && x_rd == d_insn[19:15];
  wire        d_rs2_x = x_writes && x_rd == d_insn[24:20];
  wire [31:0] d_rs1 = d_rs1_x ? x_result
           : m_writes && m_rd == d_insn[19:15] ? m_value
           : w_bypass && w_rd == d_insn[19:15] ? w_result : d_rs1_file;
  wire [31:0] d_rs2 = d_rs2_x ? x_result
           : m_writes && m_rd == d_insn[24:20] ? m_value
           : w_bypass && w_rd == d_insn[24:20] ? w_result : d_rs2_file;
  wire        d_wait_a = x_late && d_rs1_x && d_use_rs1;
  wire        d_wait_b = x_late && d_rs2_x && d_use_rs2;
  wire        d_later = LATE != 0 && d_alu && (d_wait_a || d_wait_b);     // M supplies the operand
  always @* begin
    d_hazard = (d_wait_a || d_wait_b) && !(LATE != 0 && d_alu);
    // The CSR memory is read as a CSR instruction enters X: D waits while a CSR instruction in X writes.
    if (EAGER != 0 || x_csr)
      d_hazard = d_hazard || x_csr_writes && d_csr;
  end

  // ---- X ----
  reg  [4:0]  x_cause;
  reg  [8:0]  x_exception;                  // trap or debug entry in place of the instruction
  wire        x_trap, x_enter_debug;
  wire        x_no_tval;               // mtval becomes 0: ecall, ebreak, interrupt
  wire [5:0]  x_code;
  assign {x_trap, x_enter_debug, x_no_tval, x_code} = x_exception;
  reg         x_predicted, x_div, x_alu_sub, x_short, x_serial, x_jumped;
  reg  [8:0]  x_enables;
  reg  [18:0] x_controls;
  wire        x_load, x_store, x_branch, x_jalr, x_csr, x_mret, x_wfi, x_fence_i, x_bits_late;
  wire        x_jal, x_mul, x_atomic, x_use_rs1, x_use_rs2, x_alu_sum, x_alu_less, x_alu_logic, x_alu_shift;
  wire        x_alu_alt, x_alu_rotate, x_alu_single;
  wire [1:0]  x_alu_logic_op;
  wire [4:0]  x_bits;
  assign {x_load, x_store, x_branch, x_jalr, x_csr, x_mret, x_wfi, x_fence_i, x_bits_late} = x_enables;
  assign {x_jal, x_mul, x_atomic, x_use_rs1, x_use_rs2, x_alu_sum, x_alu_less, x_alu_logic, x_alu_shift,
      x_alu_logic_op, x_alu_alt, x_alu_rotate, x_alu_single, x_bits} = x_controls;
  reg  [31:0] x_insn, x_b;
  reg  [31:0] x_a;                     // the first operand; with COMPACT only for the bundle
  reg  [15:0] x_low_insn;
  reg  [11:0] x_mem_imm;
  wire [31:0] x_word;                  // address of X's instruction; after dbg_data_we_i, the host's word for one cycle
  gnomon_core_word #(.HARD(UP5K)) u_x_word (
    .clk_i(clk_i), .hold_i(!x_go), .data_i(dbg_data_we_i ? dbg_data_i : {d_pc, 1'b0}), .data_o(x_word));
  wire [31:1] x_pc = x_word[31:1];
  reg  [31:1] x_other;                 // d_pc of a refetch, else d_other; 0 if unused and in reset
  reg         x_refetch, x_known, x_taken, x_no_offset;
  reg  [31:1] x_predicted_to;
  reg  [31:1] x_target;                // target of a jal or branch, for the bundle and the predictor
  wire [31:0] x_first;                 // x_a; with COMPACT the working register of the serial unit
  wire        d_zimm = d_csr && d_insn[14];
  wire        d_complement;            // the serial unit needs the second operand complemented
  wire        d_sub = d_alu_sub || d_complement;

  always @(posedge clk_i) begin
    if (x_go) begin
      x_valid <= d_valid && !d_hazard && !x_redirect;
      x_cause <= d_cause;
      if (x_redirect)
        x_cause <= x_redirect_cause;
      else if (d_valid && (EAGER != 0 || d_hazard))
        x_cause <= x_mul || x_bits_late ? MULDIV : x_csr ? CSR : LOAD_USE;
      x_enables <= d_enables & {9{d_does}};
      x_controls <= d_controls;
      x_exception <= {d_trap, d_enter_debug, d_no_tval, d_code};
      x_refetch <= d_refetch;
      x_predicted <= d_predict || d_taken;
      x_known <= d_known;
      x_taken <= d_taken;
      x_predicted_to <= d_predicted;
      x_no_offset <= d_mem_imm == 12'd0;
      x_div <= (d_div || d_mul && MUL_FAST == 0 || d_alu_shift && SERIAL_SHIFT) && d_does;
      x_late <= (d_is_load || d_atomic || d_bits_late || d_mul && MUL_FAST != 0 || d_later) && d_does;
      x_wait_a <= d_wait_a && d_later;     // also for a trap: the bundle shows its operands
      x_wait_b <= d_wait_b && d_later;
      x_serial <= d_serial;
      x_write <= d_use_rd && d_does && d_insn[11:7] != 5'd0;
      x_rd <= d_insn[11:7];
      x_alu_sub <= d_sub;
      x_a <= d_rs1;
      if (d_zimm)
        x_a <= {27'd0, d_insn[19:15]};
      x_b <= (d_alu_imm ? d_imm : d_rs2) ^ {32{d_sub}};
      x_mem_imm <= d_mem_imm;
      x_insn <= !(d_fault || d_hit) ? d_insn : {d_error_pc, 1'b0};
      x_short <= d_short;
      x_low_insn <= d_low_insn;
      x_other <= rst_i ? 31'd0 : d_refetch ? d_pc : d_uses_other ? d_other : 31'd0;
      x_target <= d_target;
    end
    x_jumped <= !x_go && (x_jumped || x_redirect);
    if (rst_i || m_ends) begin
      x_valid <= 1'b0;
      x_cause <= rst_i ? RESET : m_wrong ? MISPREDICT : m_debug ? DEBUG : TRAP;
    end
  end
  assign x_holds_serial = x_valid && x_serial;

  wire        x_later = x_wait_a || x_wait_b;
  wire        x_unchecked, x_denied, x_hit_trap, x_hit_debug;
  wire [31:0] x_alu, x_addr, x_csr_value, x_div_result;
  wire        x_less, x_condition, x_mem_trap, x_csr_illegal, x_csr_busy, x_div_done;
  wire [2:0]  x_mem_code;
  gnomon_core_alu #(.SHIFT(!SERIAL_SHIFT), .BITS(BITS), .EAGER(EAGER)) u_alu (
    .enable_i(1'b1), .a_i(x_first), .b_i(x_b), .sub_i(x_alu_sub), .sum_i(x_alu_sum), .less_i(x_alu_less),
        .logic_i(x_alu_logic),
    .shift_i(x_alu_shift), .logic_op_i(x_alu_logic_op), .op_i(x_insn[14:12]), .alt_i(x_alu_alt),
        .rotate_i(x_alu_rotate),
    .single_i(x_alu_single), .result_o(x_alu), .less_o(x_less), .taken_o(x_condition));
  generate
    if (COMPACT != 0) begin : serial
      reg  [31:0] first;
      wire [31:0] stepped;
      wire        takes;
      gnomon_core_serial u_serial (
        .clk_i(clk_i), .load_i(x_go), .d_shift_i(d_alu_shift && SERIAL_SHIFT), .d_mul_i(d_mul), .d_div_i(d_div),
            .d_op_i(d_insn[13:12]),
        .d_a_sign_i(d_rs1[31]), .d_b_sign_i(d_rs2[31]), .d_amount_i(d_alu_imm ? d_insn[24:20] : d_rs2[4:0]),
        .d_complement_o(d_complement), .x_mine_i(x_div), .x_valid_i(x_valid), .x_shift_i(x_alu_shift && SERIAL_SHIFT),
        .x_arithmetic_i(x_alu_alt), .x_op_i(x_insn[14:12]), .x_a_i(first), .x_b_i(x_b), .x_complement_i(x_alu_sub),
        .x_step_o(takes), .x_a_o(stepped), .done_o(x_div_done), .result_o(x_div_result));
      always @(posedge clk_i) begin
        if (x_go || takes)
          first <= x_go ? {d_rs1[31:5], d_zimm ? d_insn[19:15] : d_rs1[4:0]} : stepped;
        if (x_go && d_zimm)
          first[31:5] <= 27'd0;
      end
      assign x_first = first;
    end else begin : iterative
      gnomon_core_muldiv #(.MUL(MUL_FAST == 0), .EAGER(EAGER)) u_muldiv (
        .clk_i(clk_i), .clear_i(rst_i || x_go), .select_i(x_div), .start_i(x_valid && x_div), .op_i(x_insn[14:12]),
            .a_i(x_a),
        .b_i(x_b), .done_o(x_div_done), .result_o(x_div_result));
      assign x_first = x_a;
      assign d_complement = 1'b0;
    end
  endgenerate

  wire [31:0] x_bits_value, m_bits;
  generate
    if (BITS != 0) begin : bits
      gnomon_core_bits u_bits (
        .clk_i(clk_i), .x_select_i(x_bits), .x_late_i(x_bits_late), .x_insn_i(x_insn), .x_a_i(x_first), .x_b_i(x_b),
        .x_less_i(x_less), .x_result_o(x_bits_value), .m_load_i(!m_stall), .m_clear_i(rst_i), .m_result_o(m_bits));
    end else begin : no_bits
      assign x_bits_value = 32'd0;
      assign m_bits = 32'd0;
      wire unused = &{1'b0, x_bits, x_less};
    end
  endgenerate

  // A unit that X's instruction does not use returns 0. The result of an instruction without rd does not matter, except
  // a store's data, which the load-store unit and the bundle use.
  assign x_result = {x_other, 1'b0} | x_csr_value | x_div_result | x_alu | x_bits_value;

  // X corrects fetch in the first cycle of its instruction, even if the instruction waits for M.
  wire        x_wrong = x_branch && !x_later && x_condition != x_predicted;
  wire        x_fence_done;
  // The prediction of a jalr counts only with offset 0, so that the comparison does not wait for the sum.
  wire        x_right = x_taken && x_no_offset && x_first[31:1] == x_predicted_to;
  assign x_redirect = x_valid && !x_jumped && !debug && (x_jalr && !x_right || x_wrong || x_fence_i && x_fence_done ||
      x_refetch);
  // x_missed keeps x_misses while the mispredicted instruction stays in X.
  wire        x_misses = x_valid && !x_jumped && !debug && (x_wrong || x_jalr && x_taken && !x_right);
  reg         x_missed;
  always @(posedge clk_i)
    x_missed <= !x_go && !rst_i && (x_missed || x_misses);
  assign f_blind = resume || x_refetch && !w_redirect;
  assign x_redirect_target = x_jalr ? x_addr[31:1] : x_other;
  wire [31:1] x_goes_to = x_jalr ? x_addr[31:1] : x_target;     // for the bundle and the predictor
  assign x_redirect_cause = x_jalr && !x_taken ? JUMP : x_fence_i ? FENCE : MISPREDICT;
  generate
    if (PREDICT != 0) begin : predict
      wire        d_link = d_insn[11:7] == 5'd1 || d_insn[11:7] == 5'd5;
      wire        d_back = d_insn[19:15] == 5'd1 || d_insn[19:15] == 5'd5;
      reg         call, back;          // X has a call, a return
      always @(posedge clk_i)
        if (x_go) begin
          call <= (d_jal || d_jalr) && d_link && d_does;
          back <= d_jalr && d_back && !d_link && d_does;
        end
      wire        leaves = x_valid && x_go && !m_ends && !x_trap && !x_refetch && !debug;
      gnomon_core_predict #(.ENTRIES_LOG2(PREDICT), .TAG_BITS(PREDICT_TAG), .EAGER(EAGER)) u_predict (
        .clk_i(clk_i), .rst_i(rst_i), .f_addr_i(i_req_addr_o[31:2]), .f_known_o(p_known), .f_taken_o(p_taken),
        .f_half_o(p_half), .f_target_o(p_target),
        .x_holds_jump_i(x_branch || x_jal || x_jalr),
        .x_valid_i(leaves && (x_branch || x_jal || x_jalr && x_no_offset)), .x_pc_i(x_pc),
        .x_word_next_i(x_pc_next[31:2]), .x_short_i(x_short),
        .x_known_i(x_known), .x_expected_i(x_taken), .x_moved_i(x_jalr && !x_right),
            .x_taken_i(!x_branch || x_condition), .x_always_i(!x_branch),
        .x_later_i(x_later), .m_taken_i(m_taken),
        .x_call_i(leaves && call), .x_return_i(leaves && back), .x_holds_call_i(x_valid && call),
        .x_holds_return_i(x_valid && back), .d_call_i(d_valid && (d_jal || d_jalr) && d_link),
        .d_return_i(d_valid && d_jalr && d_back && !d_link), .d_link_i(d_pc_next),
        .x_target_i(x_goes_to), .x_link_i(x_other));
    end else begin : no_predict
      assign {p_known, p_taken, p_half, p_target} = 34'd0;
      wire unused = &{1'b0, x_known, x_pc, m_taken};
    end
  endgenerate

  // fence.i flushes when all earlier stores are done, then fetches again.
  assign i_flush_o = x_valid && x_fence_i && !m_valid;
  assign x_fence_done = i_flush_o && i_flush_done_i;
  wire        x_sleeps = x_valid && x_wfi && !debug && !step && !dbg_halt_i && !irq_any;
  always @* begin
    x_busy = 1'b0;
    if (EAGER != 0 || x_div || x_csr || x_fence_i || x_wfi || x_unchecked)
      x_busy = x_valid && (x_div && !x_div_done || x_csr_busy || x_fence_i && !x_fence_done || x_unchecked) || x_sleeps;
  end
  wire [4:0]  x_busy_cause = x_div ? MULDIV : x_csr ? CSR : x_fence_i ? FENCE : x_unchecked ? DATA : WFI;

  // An addition that leaves the stack does not change sp: it enters debug mode, and dpc is its address.
  wire        x_leaves_stack;
  generate
    if (STACK != 0) begin : stack
      wire        adds = x_write && x_alu_sum && x_rd == SP && x_insn[19:15] == SP && !debug;
      gnomon_core_stack #(.RAM_LOG2(STACK)) u_stack (
        .x_adds_i(adds), .x_before_i(x_first), .x_after_i(x_alu), .limit_n_i(stack_limit_n_i),
            .x_leaves_o(x_leaves_stack));
    end else begin : no_stack
      assign x_leaves_stack = 1'b0;
      wire unused = &{1'b0, stack_limit_n_i};
    end
  endgenerate

  wire        x_stops = x_hit_debug || x_leaves_stack;
  wire        x_fails = x_trap || x_csr && x_csr_illegal || x_mem_trap && !x_hit_debug;
  reg  [5:0]  x_fail_code;
  always @* begin
    x_fail_code = x_code;
    if (EAGER != 0 || x_fails || x_stops)
      x_fail_code = x_trap || x_enter_debug ? x_code : x_csr || x_stops ? 6'd2 : x_hit_trap ? 6'd3 : {3'd0, x_mem_code};
  end

  // ---- M ----
  reg  [4:0]  m_cause;
  reg         m_trap, m_enter_debug, m_mret, m_load, m_store, m_mul, m_missed;
  reg  [5:0]  m_code;
  reg  [31:0] m_result;
  reg  [31:0] m_word;                  // address of M's instruction; in the cycle after m_kill the new mtval
  wire [31:1] m_pc = m_word[31:1];
  wire        m_error;
  wire [31:0] m_addr, m_rdata, m_product, m_later, m_atomic, m_stored;
  wire        m_failed;                // the sc in M has failed
  wire        m_taken;                 // M decides a branch as taken
  wire [31:0] x_a_now, x_b_now;        // X's operands, also those taken from M
  gnomon_core_lsu #(.EARLY(COMPACT == 0), .ATOMIC(ATOMIC)) u_lsu (
    .clk_i(clk_i), .rst_i(rst_i), .x_load_i(x_valid && x_load && !x_unchecked),
    .x_store_i(x_valid && x_store && !x_unchecked), .x_deny_i(x_denied || x_hit_trap || x_hit_debug),
    .x_atomic_i(x_atomic), .x_op_i({x_insn[31:29], x_insn[27]}), .x_funct3_i(x_insn[14:12]), .x_base_i(x_first),
        .x_offset_i(x_mem_imm), .x_wdata_i(x_b), .x_go_i(!m_stall && !m_ends),
    .x_note_i(x_trap || x_csr), .x_note_value_i(x_no_tval ? 32'd0 : x_insn), .x_addr_o(x_addr), .x_trap_o(x_mem_trap),
        .x_code_o(x_mem_code), .m_stall_o(m_stall), .m_error_o(m_error),
    .m_addr_o(m_addr), .m_load_i(m_load), .m_rdata_o(m_rdata), .m_wdata_i(m_result), .m_atomic_o(m_atomic),
    .m_failed_o(m_failed), .m_stored_o(m_stored), .d_req_lock_o(d_req_lock_o), .d_lock_o(d_lock_o),
    .d_grant_i(d_grant_i), .d_snoop_valid_i(d_snoop_valid_i), .d_snoop_addr_i(d_snoop_addr_i),
    .d_req_valid_o(d_req_valid_o), .d_req_ready_i(d_req_ready_i),
    .d_req_addr_o(d_req_addr_o), .d_req_write_o(d_req_write_o), .d_req_wdata_o(d_req_wdata_o),
    .d_req_strb_o(d_req_strb_o), .d_rsp_valid_i(d_rsp_valid_i), .d_rsp_rdata_i(d_rsp_rdata_i),
    .d_rsp_error_i(d_rsp_error_i));
  generate
    if (MUL_FAST != 0) begin : fast
      gnomon_core_mul #(.SIGNED(LUTRAM), .EAGER(EAGER)) u_mul (
        .clk_i(clk_i), .x_mul_i(x_mul), .x_a_i(x_a), .x_b_i(x_b), .x_op_i(x_insn[13:12]), .m_mul_i(m_mul),
            .m_result_o(m_product));
    end else begin : slow
      assign m_product = 32'd0;
      wire unused = m_mul;
    end
  endgenerate

  generate
    if (LATE != 0) begin : second_alu
      gnomon_core_late #(.BITS(BITS), .EAGER(EAGER)) u_late (
        .clk_i(clk_i), .rst_i(rst_i), .m_stall_i(m_stall), .x_wait_a_i(x_wait_a), .x_wait_b_i(x_wait_b),
            .x_branch_i(x_branch),
        .x_predicted_i(x_predicted), .x_a_i(x_a), .x_b_i(x_b), .x_sub_i(x_alu_sub), .x_sum_i(x_alu_sum),
        .x_less_i(x_alu_less), .x_logic_i(x_alu_logic), .x_shift_i(x_alu_shift), .x_logic_op_i(x_alu_logic_op),
        .x_op_i(x_insn[14:12]), .x_alt_i(x_alu_alt), .x_rotate_i(x_alu_rotate), .x_single_i(x_alu_single),
            .x_a_o(x_a_now), .x_b_o(x_b_now), .m_valid_i(m_valid),
        .m_value_i(m_value), .m_result_o(m_later), .m_taken_o(m_taken), .m_wrong_o(m_wrong));
    end else begin : one_alu
      assign {x_a_now, x_b_now} = {x_a, x_b};
      assign {m_later, m_taken, m_wrong} = 34'd0;
    end
  endgenerate

  always @(posedge clk_i) begin
    m_clear <= rst_i;
    if (!m_stall) begin
      m_valid <= x_valid && !x_busy && !x_refetch && !m_ends;
      m_cause <= x_cause;
      if (m_kill)
        m_cause <= m_debug ? DEBUG : TRAP;
      else if (m_wrong || x_refetch && x_valid)
        m_cause <= MISPREDICT;
      else if (x_valid && (EAGER != 0 || x_busy))
        m_cause <= x_busy_cause;
      m_trap <= x_fails;
      m_enter_debug <= x_enter_debug || x_stops;
      m_mret <= x_mret;
      m_missed <= x_misses || x_missed;
      m_code <= x_fail_code;
      m_load <= x_load && !(x_atomic && x_store);
      m_store <= x_store;
      m_mul <= x_mul;
      m_write <= x_write && !x_fails && !x_stops;
      m_rd <= x_rd;
      m_word <= m_kill ? m_addr : x_word;
    end
    // One condition clears m_result: synthesis makes it a reset.
    if (rst_i || !m_stall && LATE != 0 && x_later && !x_branch)
      m_result <= 32'd0;
    else if (!m_stall)
      m_result <= x_result;
    if (rst_i) begin
      m_valid <= 1'b0;
      m_cause <= RESET;
      // M clears the register file from the second cycle of reset on, one register per cycle.
      m_rd <= m_rd + 5'd1;
      m_word <= 32'd0;             // clears the CSR memory
      m_load <= 1'b0;
      m_mul <= 1'b0;
    end
  end

  assign m_kill = m_error || m_valid && (m_trap || m_mret || m_enter_debug);
  assign m_debug = m_enter_debug;
  // m_result is 0 for an instruction whose result comes in M.
  assign m_value = m_result | m_rdata | m_product | m_later | m_atomic | m_bits;
  assign m_commit = m_writes && !m_stall && !m_error;

  // ---- W ----
  reg         w_valid, w_trap, w_enter, w_mret, w_missed;
  reg  [5:0]  w_code;
  reg  [4:0]  w_cause;
  gnomon_core_word #(.HARD(UP5K)) u_w_result (
    .clk_i(clk_i), .hold_i(1'b0), .data_i(m_value), .data_o(w_result));
  always @(posedge clk_i) begin
    w_valid <= m_valid && !m_stall && !rst_i;
    w_trap <= m_trap || m_error;
    w_enter <= m_enter_debug;
    w_mret <= m_mret;
    w_missed <= m_missed || m_wrong;
    w_code <= rst_i ? 6'd8 : m_error ? {4'd1, m_store, 1'b1} : m_code;
    w_cause <= rst_i ? RESET : m_stall ? data_cause : m_cause;
    w_write <= m_commit;
    w_rd <= m_rd;
  end

  wire w_take_trap = w_valid && w_trap && !debug;
  assign w_enter_debug = w_valid && w_enter;
  assign w_valid_any = w_valid;
  assign w_fails = w_trap;
  assign w_redirect = w_take_trap || w_valid && w_mret || resume;

  wire        csr_write, csr_denied, guard_exists, mie;
  wire [31:0] guard_rdata, guard_status;
  wire [223:0] csr_state;
  gnomon_core_csr #(.EAGER(EAGER), .USER(USER), .ATOMIC(ATOMIC), .OVERFLOW(OVERFLOW), .HART_ID(HART_ID)) u_csr (
    .clk_i(clk_i), .rst_i(rst_i), .d_index_i({d_insn[30], d_insn[26], d_insn[21:20]}), .d_valid_i(d_valid),
        .x_load_i(x_go && (EAGER != 0 || d_csr || debug)), .x_csr_i(x_valid && x_csr), .x_insn_i(x_insn[31:12]),
        .x_source_i(x_first),
    .x_go_i(x_go && !m_ends), .x_alone_i(!m_valid && !w_valid), .x_illegal_o(x_csr_illegal), .x_busy_o(x_csr_busy),
    .x_rdata_o(x_csr_value), .more_exists_i(guard_exists), .more_rdata_i(guard_rdata), .denied_i(csr_denied),
        .user_i(user), .more_status_i(guard_status), .write_o(csr_write),
    .mie_o(mie), .hpm_valid_o(hpm_valid_o), .hpm_write_o(hpm_write_o), .hpm_addr_o(hpm_addr_o),
    .hpm_wdata_o(hpm_wdata_o), .hpm_rdata_i(hpm_rdata_i), .irq_software_i(irq_software_i), .irq_timer_i(irq_timer_i),
    .irq_external_i(irq_external_i), .irq_profile_i(irq_profile_i), .irq_overflow_i(irq_overflow_i),
        .irq_pending_o(irq_pending), .irq_code_o(irq_code),
    .irq_any_o(irq_any), .irq_requests_o(irq_requests),
        .m_kill_i(m_kill), .m_mret_i(m_mret), .m_debug_i(m_debug), .m_word_i(m_word),
        .w_trap_i(w_take_trap), .w_mret_i(w_valid && w_mret), .w_debug_i(w_enter_debug),
    .w_code_i(w_code), .target_o(w_target), .debug_i(debug), .leave_i(leave),
    .ebreakm_o(ebreakm), .step_o(step), .dbg_cause_o(dbg_cause_o), .dbg_data_we_i(dbg_data_we_i),
    .dbg_data_o(dbg_data_o), .state_o(csr_state));

  gnomon_core_guard #(.USER(USER), .PMP(PMP), .PMP_GRAIN(PMP_GRAIN), .TRIGGERS(TRIGGERS)) u_guard (
    .clk_i(clk_i), .rst_i(rst_i), .csr_write_i(csr_write), .csr_addr_i(hpm_addr_o), .csr_wdata_i(hpm_wdata_o),
    .csr_exists_o(guard_exists), .csr_rdata_o(guard_rdata), .csr_denied_o(csr_denied), .status_o(guard_status),
        .mie_i(mie), .debug_i(debug),
    .w_trap_i(w_take_trap), .w_mret_i(w_valid && w_mret), .w_debug_i(w_enter_debug), .resume_i(resume), .user_o(user),
    .wfi_traps_o(wfi_traps), .ebreaku_o(ebreaku), .d_load_i(d_free), .f_pc_i(f_pc), .d_denied_o(d_denied),
    .d_next_denied_o(d_next_denied), .d_hit_trap_o(d_hit_trap), .d_hit_debug_o(d_hit_debug),
    .x_access_i(x_valid && (x_load || x_store)), .x_store_i(x_store), .x_size_i(x_insn[13:12]), .x_addr_i(x_addr),
    .x_leaves_i(x_go || m_ends), .x_unchecked_o(x_unchecked), .x_denied_o(x_denied), .x_hit_trap_o(x_hit_trap),
    .x_hit_debug_o(x_hit_debug));

  gnomon_core_obs #(.UP5K(UP5K), .ATOMIC(ATOMIC)) u_obs (
    .clk_i(clk_i), .rst_i(rst_i), .m_stall_i(m_stall), .x_insn_i({{16{!x_short}} & x_insn[31:16], x_low_insn}),
    .x_rs1_i(x_use_rs1 ? x_insn[19:15] : 5'd0), .x_rs2_i(x_use_rs2 ? x_insn[24:20] : 5'd0), .x_rs1_value_i(x_a_now),
    .x_rs2_value_i(x_b_now ^ {32{x_alu_sub}}),
    .x_pc_next_i(x_jalr || x_jal || x_branch && x_condition && !x_later ? x_goes_to : x_pc_next),
    .x_target_i(x_target), .m_taken_i(m_taken), .x_load_i(x_load),
    .x_store_i(x_store), .x_size_i(x_insn[13:12]), .m_failed_i(m_failed), .m_stored_i(m_stored), .m_addr_i(m_addr),
        .m_pc_i(m_pc),
    .x_csr_write_i(csr_write), .x_csr_wdata_i(hpm_wdata_o), .x_csr_state_i(csr_state), .m_word_i(m_word),
        .w_valid_i(w_valid),
    .w_trap_i(w_trap), .w_debug_i(w_enter), .w_mret_i(w_mret), .user_i(user), .w_code_i(w_code), .w_write_i(w_write),
        .w_rd_i(w_rd),
    .w_result_i(w_result), .w_target_i(w_target), .w_cause_i(w_cause), .debug_i(debug),
    .wfi_i(x_sleeps), .irq_pending_i(irq_pending), .irq_requests_i(irq_requests), .mispredict_i(w_missed),
    .obs_o(obs_o)
  );

  wire        unused = &{1'b0, boot_pc_i[0], x_addr[0]};
endmodule
`undef GNOMON_CORE_EAGER
`default_nettype wire
