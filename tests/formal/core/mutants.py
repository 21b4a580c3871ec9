#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the formal checks find defects: each mutant is a copy of rtl/core with one defect, and the named check
must refute it.

usage: mutants.py [--select N,N] [--out DIR]

Exit status 1 if a defect is not found. The results are in OUT/mutants.json.
"""
import dataclasses
import sys

sys.dont_write_bytecode = True
import checks
import defects
import run

CORE, CSR, DECODE, EXPAND, FETCH, COMPACT, LSU, OBS, ALU, MUL, MULDIV, SERIAL, REGFILE, MODE, PMP, CHECK, TRIGGER, GUARD, RVFI, LATE = (
    f"gnomon_core{suffix}.v" for suffix in
    ("", "_csr", "_decode", "_expand", "_fetch", "_fetch_compact", "_lsu", "_obs", "_alu", "_mul", "_muldiv", "_serial", "_regfile", "_mode", "_pmp",
     "_pmp_check", "_trigger", "_guard", "_rvfi", "_late"))

# (check, what, file, text, replacement); the file must have the text exactly once.
MUTANTS = [
    ("static.chain", "no bypass from W", CORE, ": w_bypass && w_rd == d_insn[24:20] ? w_result : d_rs2_file", ": d_rs2_file"),
    ("static.chain", "the use of a load does not wait", CORE, "wire        d_wait_a = x_late &&", "wire        d_wait_a = x_mul &&"),
    ("static.chain", "bypass from M before that from X", CORE, "d_rs1_x ? x_result", "d_rs1_x & ~m_writes ? x_result"),
    ("static.chain", "a predicted branch is not corrected", CORE, "x_branch && !x_later && x_condition != x_predicted", "x_branch && !x_later && x_condition && !x_predicted"),
    ("static.chain", "wrong prediction goes to the other side", CORE, "d_branch && (d_predict || d_taken) ? d_pc_next", "d_branch && d_taken ? d_pc_next"),
    ("static.insn", "a failed load writes its register", CORE, "m_writes && !m_stall && !m_error", "m_writes && !m_stall"),
    ("predict.chain", "a predicted target is not compared", CORE, "(d_branch || d_jal) && d_predicted != d_target", "d_branch && d_predicted != d_target"),
    ("predict.chain", "a prediction of what is no jump is kept", CORE, "(!(d_branch || d_jal || d_jalr) ||", "("),
    ("static.bus", "a killed instruction's request leaves", CORE, ".x_go_i(!m_stall && !m_ends)", ".x_go_i(!m_stall)"),
    ("static.bus", "byte lanes of sh", LSU, "r_byte ? r_addr[1:0] == 2'b10 : !r_half || r_addr[1]", "r_byte ? r_addr[1:0] == 2'b10 : 1'b1"),
    ("static.bus", "the window's stores reach the bus", LSU, "&& !x_misaligned && !x_window && x_go_i", "&& !x_misaligned && x_go_i"),
    ("static.bus", "a refused request changes", LSU, "early ? x_wdata_i : ATOMIC", "1'b1 ? x_wdata_i : ATOMIC"),
    ("static.bus", "a refused request is withdrawn", LSU, "d_req_valid_o && !d_req_ready_i || m_turn", "m_turn"),
    ("small.live", "a request asked for in M is lost", LSU, "EARLY == 0 && !m_stall_o ? x_request", "EARLY == 0 && !m_stall_o ? x_request && !m_open"),
    ("static.insn", "wrong branch offset", DECODE, "insn_i[7], insn_i[30:25], insn_i[11:8]}", "insn_i[7], insn_i[30:25], insn_i[10:8], 1'b0}"),
    ("static.insn", "lhu extends its sign", LSU, "m_sign = m_load_i && !m_funct3[2] &&", "m_sign = m_load_i && (!m_funct3[2] || m_half) &&"),
    ("static.insn", "misaligned stores say load", LSU, "assign x_code_o = {1'b1, x_store_i,", "assign x_code_o = {1'b1, 1'b0,"),
    ("static.insn", "c.lwsp offset", EXPAND, "{4'd0, c[3:2], c[12], c[6:4], 2'b00, 5'd2, 3'b010, rd, LOAD}", "{4'd0, c[2], c[3], c[12], c[6:4], 2'b00, 5'd2, 3'b010, rd, LOAD}"),
    ("static.insn", "c.addi16sp 0 is legal", EXPAND, "bad = {c[12], c[6:2]} == 6'd0", "bad = {c[12], c[6:2]} == 6'd0 & rd != 5'd2"),
    ("static.insn", "slli by a wrong funct7 is legal", DECODE, "ok_op_imm = op_imm && (!shift || f7_zero ||", "ok_op_imm = op_imm && (!shift || f7_zero || f7_alt ||"),
    ("static.insn", "sltiu does not subtract", DECODE, "|| op_imm && funct3[2:1] == 2'b01;", "|| op_imm && funct3 == 3'b010;"),
    ("static.insn", "sra by 16 and more", ALU, "{16{fill}}, s4[31:16]}", "{16{1'b0}}, s4[31:16]}"),
    ("static.insn", "ecall says breakpoint", CORE, "user ? 6'd8 : 6'd11", "user ? 6'd8 : 6'd3"),
    ("static.insn", "jalr keeps bit 1 clear", CORE, "x_jalr ? x_addr[31:1] : x_jal ||", "x_jalr ? {x_addr[31:2], 1'b0} : x_jal ||"),
    ("static.chain", "jalr goes elsewhere than it says", CORE, "assign x_redirect_target = x_jalr ? x_addr[31:1]", "assign x_redirect_target = x_jalr ? {x_addr[31:2], 1'b0}"),
    ("mid.insn", "the divider's result a cycle early", CORE, "x_div && !x_div_done || x_csr_busy", "x_div && !x_div_done && !m_valid || x_csr_busy"),
    ("static.fetch", "fetch drops one response too few", FETCH, "f_drop <= f_open - {1'b0, i_rsp_valid_i}", "f_drop <= f_open - {1'b0, i_rsp_valid_i & |f_drop}"),
    ("static.fetch", "error of the upper half is lost", FETCH, "assign f_error_o = f_w0_error || f_error_high_o", "assign f_error_o = f_w0_error && !f_odd || f_error_high_o"),
    ("static.fetch", "fence.i does not fetch again", CORE, "x_wrong || x_fence_i && x_fence_done", "x_wrong"),
    ("small.fetch", "the half kept is the lower", COMPACT, "f_half <= f_next[32:16]", "f_half <= {f_next[32], f_next[15:0]}"),
    ("static.csr", "mret does not restore MIE", CSR, "{mpie, mie} <= {1'b1, mpie}", "{mpie, mie} <= {1'b1, 1'b1}"),
    ("static.csr", "read-only CSRs can be written", CSR, "|| write && addr[11:10] == 2'b11", "|| write && addr[11:10] == 2'b11 && addr[8]"),
    ("static.csr", "an interrupt behind the write that disables it", CORE, "d_csr_serial = d_insn[31:24] == 8'h30", "d_csr_serial = d_insn[31:24] == 8'h31"),
    ("static.csr", "mtval of ebreak", CORE, "(d_ecall || d_ebreak);", "d_ecall;"),
    ("static.csr", "csrrc with immediate sets", CSR, "x_insn_i[12] ? old & ~x_source_i", "x_insn_i[12] & ~x_insn_i[14] ? old & ~x_source_i"),
    ("static.csr", "exceptions go to the table of vectors", CSR, "word[0] && w_code_i[5] ? w_code_i[4:0]", "word[0] ? w_code_i[4:0]"),
    ("static.csr", "a trap's mepc is not written", CSR, "wire        m_enter = m_kill_i &&", "wire        m_enter = m_kill_i && m_debug_i &&"),
    ("static.csr", "bundle: mtval of a trap", OBS, "w_trap_i ? m_word_i : w_csr_wdata", "w_csr_wdata"),
    ("static.csr", "bundle: CSRs a stage too late", OBS, "w_csr_state <= m_csr_state", "w_csr_state <= x_csr_state_i"),
    ("static.csr", "bundle: a csrrs of x0 writes", OBS, "m_csr_write <= x_csr_write_i", "m_csr_write <= x_insn_i[6:0] == 7'h73"),
    ("static.csr", "RVFI: mstatus behind a trap", RVFI, "mstatus[3], mstatus[6:4], 1'b0", "mstatus[3], mstatus[6:4], mstatus[3]"),
    ("static.csr", "RVFI: a trap's mcause", RVFI, "NUMBER == MEPC || NUMBER == MCAUSE || NUMBER == MTVAL", "NUMBER == MEPC || NUMBER == MTVAL"),
    ("user.csr", "RVFI: mret to U mode keeps MPRV", RVFI, "mstatus[17] && &mstatus[12:11]", "mstatus[17]"),
    ("user.csr", "mret to U mode keeps MPRV", MODE, "if (mpp_user)", "if (1'b0)"),
    ("user.csr", "a trap from U mode says M", MODE, "{mpp_user, user} <= {user, 1'b0}", "{mpp_user, user} <= 2'b00"),
    ("user.csr", "U mode reads every counter", MODE, "|| !counteren[csr_addr_i[4:0]]", ""),
    ("user.csr", "M mode is interrupted without MIE", CSR, "irq_any_o && (mie || user_i)", "irq_any_o && (mie || user_i || enable[3])"),
    ("user.insn", "wfi traps in M mode", MODE, "wfi_traps_o = user && tw", "wfi_traps_o = tw"),
    ("user.insn", "mret in U mode", DECODE, "!(is_mret && user_i)", "1'b1"),
    ("pmp.csr", "the address below a locked TOR entry can be written", PMP, "&& !lock && !top_locked[e + 1]", "&& !lock"),
    ("pmp.csr", "W without R", PMP, "&xwr_new[1:0], xwr_new[0]", "xwr_new[1], xwr_new[0]"),
    ("pmp.insn", "MPRV is not looked at", MODE, "user || mprv && mpp_user &&", "user || mprv && 1'b0 &&"),
    ("pmp.insn", "the second word of an instruction is not checked", CORE, "d_next_denied && d_pc[1] && !d_short", "1'b0"),
    ("pmp.insn", "a message is denied", GUARD, "denied && !(x_store_i && &x_addr_i[31:20])", "denied"),
    ("pmp.insn", "locked entries do not bind M mode", CHECK, "user_i || configs_i[8 * e + 7]", "user_i"),
    ("pmp.insn", "TOR without its lower end", CHECK, "kind[0] && !below[e] && below[e + 1]", "kind[0] && below[e + 1]"),
    ("pmp.bus", "a request leaves before it is judged", CORE, "(x_valid && x_load && !x_unchecked)", "(x_valid && x_load)"),
    ("pmp.bus", "what is denied asks", LSU, "&& x_go_i && !x_deny_i", "&& x_go_i"),
    ("trigger.csr", "the program makes itself the debugger", TRIGGER, "csr_wdata_i[27] && debug_i", "csr_wdata_i[27]"),
    ("trigger.insn", "a trigger fires in a handler", TRIGGER, "machine && (enters || mie_i)", "machine"),
    ("trigger.insn", "a byte of a word is not seen", TRIGGER, "{30'd0, x_size_i[1], x_size_i != 2'd0}", "32'd0"),
    ("trigger.insn", "a range of one bit less", TRIGGER, "address ^ (address + 32'd1)", "(address ^ (address + 32'd1)) >> 1"),
    ("trigger.bus", "a store that a trigger stops asks", CORE, "x_denied || x_hit_trap || x_hit_debug)", "x_denied || x_hit_trap)"),
    ("atomic.insn", "amomax takes the smaller", LSU, "less ^ op[1] ? old : operand", "less ? old : operand"),
    ("atomic.bus", "sc stores another word than was reserved", LSU, "reserved && word == m_addr_o[31:2]", "reserved"),
    ("atomic.bus", "another master's write is not seen", LSU, "d_snoop_valid_i && d_snoop_addr_i == word || m_check", "m_check"),
    ("atomic.bus", "sc ends no reservation", LSU, "== word || m_check || m_error_o && any", "== word || m_error_o && any"),
    ("atomic.bus", "an amo's load goes without the lock", LSU, "d_lock_o || EARLY != 0 && x_request && x_amo", "d_lock_o"),
    ("atomic.bus", "the lock ends with an amo's load", LSU, "d_lock_o = m_open && locked", "d_lock_o = m_open && locked && !m_write"),
    ("atomic.bus", "a failed amo stores", LSU, "m_turn && !d_rsp_error_i;", "m_turn;"),
    ("static.obs", "a cycle in debug mode says trap", OBS, "cause = debug_i ? DEBUG", "cause = debug_i & ~w_valid_i ? DEBUG"),
    ("static.obs", "RESET goes on behind a trap", OBS, "if (w_retired)\n        first", "if (w_retired & ~handler)\n        first"),
    ("static.obs", "mret does not leave", OBS, "w_retired && w_mret_i, w_enters", "w_seen && w_trap_i && w_mret_i, w_enters"),
    ("static.live", "fetch never asks for a second word", FETCH, "f_ahead < 3'd3", "f_ahead < 3'd1"),
    ("static.reset", "mie survives reset", CSR, "      enable <= 4'd0;\n", ""),
    ("user.reset", "mcounteren survives reset", MODE, "      counteren <= 32'd0;\n", ""),
    ("pmp.reset", "an entry's lock survives reset", PMP, "{lock, kind, x, w, r} <= 6'd0;", "{kind, x, w, r} <= 5'd0;"),
    ("trigger.reset", "a trigger survives reset", TRIGGER, "machine, user, execute, store, load} <= 8'd0;", "machine, user, store, load} <= 7'd0;"),
    ("full.insn", "second ALU: rotations are shifts", LATE, "rotate <= x_rotate_i", "rotate <= 1'b0"),
    ("full.insn", "second ALU: no bit number for single bits", LATE, "b <= x_b_o;", "b <= x_b_o & {32{~x_single_i}};"),
    ("full.chain", "second ALU: a branch that is not there is decided", LATE, "m_wrong_o = m_valid_i && branch", "m_wrong_o = branch"),
    ("static.reach", "no interrupt is ever taken", CSR, "assign irq_any_o = |wanted", "assign irq_any_o = 1'b0 & |wanted"),
    ("unit.pmp-4-2", "the highest entry decides", CHECK, "i = ENTRIES - 1; i >= 0; i = i - 1", "i = 0; i < ENTRIES; i = i + 1"),
    ("unit.pmp-4-2", "a range of four bytes has eight", PMP, "kind == NA4 ? 30'd0 : ones", "ones"),
    ("unit.pmp-4-5", "a range of four bytes with a grain of 32", PMP, "GRAIN > 2 && kind_new == NA4 ? OFF : kind_new", "kind_new"),
    ("unit.pmp-16-26", "entries 4 to 7 are written with 12 to 15", PMP, "at_config && csr_addr_i[1:0] == NUMBER[3:2]", "at_config && csr_addr_i[0] == NUMBER[2]"),
    ("unit.muldiv-step", "skips zeros of what is divided by zero", MULDIV, "!divide || b_i == 32'd0 || |a_load[31:24]", "!divide || |a_load[31:24]"),
    ("unit.muldiv-step", "remainder's sign", MULDIV, "divide && op_i[1] ? a_negative", "divide && op_i[1] ? a_negative ^ b_negative"),
    ("unit.muldiv-step", "signed overflow of division", MULDIV, "b_negative = b_i[31] &&", "b_negative = b_i[31] && !(&b_i) &&"),
    ("unit.product-halves", "mulhsu", MUL, "x_b_negative = x_b_i[31] && !x_op_i[1]", "x_b_negative = x_b_i[31] && x_op_i != 2'b11"),
    ("unit.regfile", "one copy is not written", REGFILE, "copy2[waddr_i] <= wdata_i;", "copy2[waddr_i] <= copy1[waddr_i];"),
]


def refute(check, rtl, out):
    # A counterexample is found sooner than the graph is reduced.
    if check.prepare == checks.SMALLER:
        check = dataclasses.replace(check, prepare="strash")
    return run.run(check, rtl, out)


if __name__ == "__main__":
    defects.main(__doc__, MUTANTS, checks.all_checks(), {"core": "."}, "build/formal-core/mutants", refute)
