#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the co-simulation finds bugs: each mutant is a copy of rtl/core with one defect, and must be caught.

usage: mutants.py [--build DIR] [--rtl DIR] [--select N,N]

The set-ups run in order until one fails. Exit status 1 if a mutant is not caught, or if an equivalent change fails.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

import cosim

CORE, CSR, DECODE, EXPAND, FETCH, LSU, MULDIV, MUL, OBS, ALU, REGFILE, BITS = (
    f"gnomon_core{suffix}.v" for suffix in
    ("", "_csr", "_decode", "_expand", "_fetch", "_lsu", "_muldiv", "_mul", "_obs", "_alu", "_regfile", "_bits"))

# (what, file, text, replacement); the file must have the text exactly once.
MUTANTS = [
    ("no bypass from W", CORE, ": w_bypass && w_rd == d_insn[24:20] ? w_result : d_rs2_file", ": d_rs2_file"),
    ("bypass from X for x0-like writes of loads", CORE, "wire        d_wait_a = x_late &&", "wire        d_wait_a = x_load &&"),
    ("jalr keeps bit 0 of the target's word", CORE, "assign x_redirect_target = x_jalr ? x_addr[31:1]", "assign x_redirect_target = x_jalr ? {x_addr[31:2], 1'b0}"),
    ("a predicted branch is not corrected", CORE, "x_branch && !x_later && x_condition != x_predicted", "x_branch && !x_later && x_condition && !x_predicted"),
    ("a failed store writes on", CORE, "assign m_kill = m_error ||", "assign m_kill = m_error && !m_store ||"),
    ("a failed load writes its register", CORE, "m_writes && !m_stall && !m_error", "m_writes && !m_stall"),
    ("an illegal CSR access writes its register", CORE, "m_write <= x_write && !x_fails", "m_write <= x_write && !x_trap"),
    ("mstatus writes do not hold fetch", CORE, "d_csr_serial = d_insn[31:24] == 8'h30", "d_csr_serial = d_insn[31:24] == 8'h31"),
    ("fence.i does not wait for stores", CORE, "x_valid && x_fence_i && !m_valid", "x_valid && x_fence_i"),
    ("fence.i does not fetch again", CORE, "x_wrong || x_fence_i && x_fence_done", "x_wrong"),
    ("mtval of ebreak", CORE, "(d_ecall || d_ebreak);", "d_ecall;"),
    ("ecall says breakpoint", CORE, "(user ? 6'd8 : 6'd11)", "(user ? 6'd8 : 6'd3)"),
    ("wfi never ends by the profiler's interrupt", CSR, "assign irq_any_o = |wanted", "assign irq_any_o = |wanted[2:0]"),
    ("interrupt priority", CSR, "wanted[2] ? 5'd11 : wanted[0] ? 5'd3", "wanted[0] ? 5'd3 : wanted[2] ? 5'd11"),
    ("mret does not restore MIE", CSR, "{mpie, mie} <= {1'b1, mpie}", "{mpie, mie} <= {1'b1, 1'b1}"),
    ("mepc of a trap loses a bit", CORE, "m_addr : x_word", "m_addr : {x_word[31:2], 2'b00}"),
    ("csrrc with immediate sets", CSR, "x_insn_i[12] ? old & ~x_source_i", "x_insn_i[12] & ~x_insn_i[14] ? old & ~x_source_i"),
    ("vectored interrupts go to the base", CSR, "word[0] && w_code_i[5] ?", "word[0] && w_code_i[5] && !w_code_i[4] ?"),
    ("read-only CSRs can be written", CSR, "|| write && addr[11:10] == 2'b11", "|| write && addr[11:10] == 2'b11 && addr[8]"),
    ("counter is read a cycle early", CSR, "assign x_busy_o = count_access && !phase[1]", "assign x_busy_o = count_access && ~|phase"),
    ("slli by a wrong funct7 is legal", DECODE, "ok_op_imm = op_imm && (!shift || f7_zero ||", "ok_op_imm = op_imm && (!shift || f7_zero || f7_alt ||"),
    ("sltiu does not subtract", DECODE, "|| op_imm && funct3[2:1] == 2'b01;", "|| op_imm && funct3 == 3'b010;"),
    ("c.lwsp offset", EXPAND, "{4'd0, c[3:2], c[12], c[6:4], 2'b00, 5'd2, 3'b010, rd, LOAD}", "{4'd0, c[2], c[3], c[12], c[6:4], 2'b00, 5'd2, 3'b010, rd, LOAD}"),
    ("c.addi16sp 0 is legal", EXPAND, "bad = {c[12], c[6:2]} == 6'd0", "bad = {c[12], c[6:2]} == 6'd0 & rd != 5'd2"),
    ("c.j reach", EXPAND, "c[11], c[5:3], {9{c[12]}}", "c[11], c[5:3], {8{c[12]}}, 1'b0"),
    ("fetch drops one response too few", FETCH, "f_drop <= f_open - {1'b0, i_rsp_valid_i}", "f_drop <= f_open - {1'b0, i_rsp_valid_i & |f_drop}"),
    ("error of the upper half is lost", FETCH, "assign f_error_o = f_w0_error || f_error_high_o", "assign f_error_o = f_w0_error && !f_odd || f_error_high_o"),
    ("fetch queue of two loses a word", FETCH, "    f_queue[f_place] <= f_rsp;", "    if (~f_count[1]) f_queue[f_place] <= f_rsp;"),
    ("byte lanes of sh", LSU, "r_byte ? r_addr[1:0] == 2'b10 : !r_half || r_addr[1]", "r_byte ? r_addr[1:0] == 2'b10 : 1'b1"),
    ("lhu extends its sign", LSU, "m_sign = m_load_i && !m_funct3[2] &&", "m_sign = m_load_i && (!m_funct3[2] || m_half) &&"),
    ("the window's stores reach the bus", LSU, "&& !x_misaligned && !x_window && x_go_i", "&& !x_misaligned && x_go_i"),
    ("a refused request changes", LSU, "early ? x_wdata_i : ATOMIC != 0 ? m_stored_o : m_wdata_i", "x_wdata_i"),
    ("misaligned stores say load", LSU, "assign x_code_o = {1'b1, x_store_i,", "assign x_code_o = {1'b1, 1'b0,"),
    ("signed overflow of division", MULDIV, "b_negative = b_i[31] &&", "b_negative = b_i[31] && !(&b_i) &&"),
    ("remainder's sign", MULDIV, "divide && op_i[1] ? a_negative", "divide && op_i[1] ? a_negative ^ b_negative"),
    ("mulhsu", MUL, "x_b_negative = x_b_i[31] && !x_op_i[1]", "x_b_negative = x_b_i[31] && x_op_i != 2'b11"),
    ("carry between the halves of a product", MUL, "{1'b0, m_lh} + {1'b0, m_hl}", "{1'b0, m_lh + m_hl}"),
    ("sra by 16 and more", ALU, "s4[15:0] : {16{fill}}, s4[31:16]}", "s4[15:0] : 16'd0, s4[31:16]}"),
    ("beq ignores bit 0", ALU, "equal = &(a_i ^ b_i)", "equal = &(a_i[31:1] ^ b_i[31:1])"),
    ("intr is not kept until the handler", OBS, "else if (valid)", "else"),
    ("order skips traps", OBS, "if (valid)\n        order", "if (w_retired)\n        order"),
    ("rs2 value of a subtraction", CORE, ".x_rs2_value_i(x_b_now ^ {32{x_alu_sub}})", ".x_rs2_value_i(x_b_now)"),
    ("a trap counts as retired", OBS, ": w_retired ? RETIRED", ": valid ? RETIRED"),
    ("an injected store is not done", CORE, ".x_store_i(x_valid && x_store && !x_unchecked)", ".x_store_i(x_valid && x_store && !x_unchecked && !debug)"),
    ("ebreak's entry of debug mode says halt request", CORE, "ebreak_enters ? 6'd1 : 6'd3", "ebreak_enters ? 6'd3 : 6'd3"),
    ("single step takes two", "gnomon_core_debug.v", "if (d_load_i)", "if (w_done_i)"),
]

# Mutants of A, Zba, Zbb, Zbs.
OPTIONS = [
    ("sc does not end the reservation", LSU, "|| m_check || m_error_o && any", "|| m_error_o && any"),
    ("sc stores whatever is reserved", LSU, "m_reserved = reserved && word == m_addr_o[31:2]", "m_reserved = reserved"),
    ("any other master's write ends a reservation", LSU, "d_snoop_valid_i && d_snoop_addr_i == word", "d_snoop_valid_i"),
    ("a trap ends the reservation", LSU, "if (rst_i) begin\n          broken", "if (x_note_i & x_go_i)\n          reserved <= 1'b0;\n        if (rst_i) begin\n          broken"),
    ("a failed sc says 0", LSU, "old <= 32'd1;", "old <= 32'd0;"),
    ("a failed sc shows a store", OBS, "w_store <= m_store && !m_failed_i", "w_store <= m_store"),
    ("amomax of two negative numbers", LSU, "old[31] == operand[31] ? !sum[32]", "old[31] == operand[31] ? !sum[32] ^ old[31]"),
    ("amomaxu is signed", LSU, "less = op[2] ||", "less = op[2] && !op[1] ||"),
    ("amoand with bit 31 of the operand", LSU, "old & operand :", "old & {1'b1, operand[30:0]} :"),
    ("amo locks only its store", LSU, "d_lock_o || EARLY != 0 && x_request && x_amo", "m_open && locked && !hold"),
    ("the lock of an amo begins with its store", LSU, "d_lock_o = m_open && locked", "d_lock_o = m_open && locked && !hold"),
    ("an amo's fault says load", CORE, "{4'd1, m_store, 1'b1}", "{4'd1, m_store & ~m_rd[0], 1'b1}"),
    ("a misaligned amo is done", LSU, "x_trap_o = (x_load_i || x_store_i) && (x_misaligned", "x_trap_o = (x_load_i ^ x_store_i) && (x_misaligned"),
    ("a sc's result used at once", CORE, "x_late <= (d_is_load || d_atomic ||", "x_late <= (d_is_load ||"),
    ("a count used at once", CORE, "d_atomic || d_bits_late ||", "d_atomic ||"),
    ("a count behind a load that waits", BITS, "else if (m_load_i)", "else"),
    ("ctz of 0", BITS, "below = ~from & (from + 32'hffff_ffff)", "below = ~from & (from + 32'hffff_ffff) & 32'h7fff_ffff"),
    ("max of equal signs", BITS, "first = x_less_i ^ op[1]", "first = x_less_i ^ (op[1] & ~op[0] | op[1] & x_less_i)"),
    ("rotation by 16 fills", ALU, "around ? s4[15:0] : {16{fill}}", "{16{fill}}"),
    ("bext shows more than its bit", ALU, "{31{right && !single_i}}", "{31{right}}"),
    ("binv by 31", BITS, "one = 32'd1 << x_b_i[4:0]", "one = 32'd1 << (x_b_i[4:0] == 5'd31 ? 5'd30 : x_b_i[4:0])"),
    ("orc.b of a byte with bit 7 alone", BITS, "{8{|x_a_i[15:8]}}", "{8{|x_a_i[14:8]}}"),
    ("zext.h extends its sign", BITS, "sign = !x_insn_i[5] && (", "sign = ("),
    ("lr with rs2 is legal", DECODE, "is_lr && rs2 == 5'd0", "is_lr"),
    ("pack is zext.h", DECODE, "funct3 == 3'b100 && rs2 == 5'd0", "funct3 == 3'b100"),
    ("xnor by its second operand as it is", DECODE, "funct3[2] && !right;\n      is_rotate", "funct3[2:1] == 2'b11 && !right;\n      is_rotate"),
]

# Equivalent changes: permitted behaviour of a block memory without read-during-write check.
# Mutants of the branch predictor: in the model whose predictor mistakes most instructions for others.
PREDICTOR = [
    ("a prediction that no instruction claims is believed", FETCH, "p0_taken && (f_spans || f_upper && !p0_half)", "1'b0"),
    ("a prediction of what is no jump is believed", CORE, "(!(d_branch || d_jal || d_jalr) || (d_branch || d_jal)", "((d_branch || d_jal)"),
    ("a prediction of another target is believed", CORE, "(d_branch || d_jal) && d_predicted != d_target", "1'b0"),
    ("a return's prediction is believed", CORE, "&& x_first[31:1] == x_predicted_to", ""),
    ("a call's link behind a prediction", CORE, "d_jal || d_jalr || d_fence_i || d_branch && (d_predict || d_taken)", "d_jal && !d_taken || d_jalr || d_fence_i || d_branch && (d_predict || d_taken)"),
    ("a refetch is predicted again", CORE, "resume || x_refetch && !w_redirect", "resume"),
]
# Mutants of the second ALU.
LATE = "gnomon_core_late.v"
SECOND = [
    ("a subtraction in M adds", LATE, "m_value_i ^ {32{x_sub_i}}", "m_value_i"),
    ("a branch decided in M is not corrected", LATE, "condition != predicted", "1'b0"),
    ("what is behind such a branch lives on in X", CORE, "if (rst_i || m_ends)", "if (rst_i || m_kill)"),
    ("a jump behind such a branch decides", CORE, "= m_wrong ? m_result[31:1] : w_redirect", "= m_wrong & ~x_redirect ? m_result[31:1] : w_redirect"),
    ("a jump in D behind such a branch decides", CORE, ".correct_i(f_correct)", ".correct_i(f_correct & ~(m_wrong & d_redirect))"),
    ("X's result counts too", CORE, "if (LATE != 0 && x_later && !x_branch)", "if (1'b0)"),
    ("a result of M is used in X", CORE, "|| d_later) && d_does", ") && d_does"),
    ("the other operand waits", CORE, "x_wait_b <= d_wait_b && d_later", "x_wait_b <= d_wait_a && d_later"),
    ("the address behind a branch decided in M", OBS, "m_taken_i ? m_target : m_pc_next", "m_pc_next"),
    ("a branch decided in M is decided in X too", CORE, "x_branch && !x_later && x_condition", "x_branch && x_condition"),
    ("a store behind such a branch is done", CORE, ".x_go_i(!m_stall && !m_ends)", ".x_go_i(!m_stall && !m_kill)"),
    ("a CSR access behind such a branch is done", CORE, ".x_go_i(x_go && !m_ends)", ".x_go_i(x_go && !m_kill)"),
]
# Mutants of user mode and PMP.
MODE, PMP, PMP_CHECK, GUARD = (f"gnomon_core_{name}.v" for name in ("mode", "pmp", "pmp_check", "guard"))
PRIVILEGED = [
    ("an ecall from U mode says M mode", CORE, "user ? 6'd8 : 6'd11", "6'd11"),
    ("mret is legal in U mode", DECODE, "!(is_mret && user_i)", "1'b1"),
    ("wfi ignores TW", MODE, "user && tw", "1'b0"),
    ("CSRs of M mode can be read in U mode", MODE, "csr_addr_i[9:8] != 2'b00 ||", "csr_addr_i[9] && !csr_addr_i[8] ||"),
    ("mcounteren is not asked", MODE, "|| !counteren[csr_addr_i[4:0]]", ""),
    ("a counter's upper half has a bit of its own", MODE, "counteren[csr_addr_i[4:0]]", "counteren[csr_addr_i[4:0] ^ {5{csr_addr_i[7]}}]"),
    ("a trap does not save the mode", MODE, "{mpp_user, user} <= {user, 1'b0};", "{mpp_user, user} <= 2'b00;"),
    ("mret leaves MPP", MODE, "{mpp_user, user} <= {1'b1, mpp_user};", "user <= mpp_user;"),
    ("mret to M mode clears MPRV", MODE, "      if (mpp_user)\n        mprv", "      mprv"),
    ("MPRV does nothing", MODE, "user || mprv && mpp_user &&", "user || 1'b0 &&"),
    ("interrupts in U mode ask MIE", CSR, "irq_any_o && (mie || user_i)", "irq_any_o && mie"),
    ("the bundle's mode", OBS, "{2{!user_i}}", "2'd3"),
    ("the last entry that matches decides", PMP_CHECK, "i = ENTRIES - 1; i >= 0; i = i - 1", "i = 0; i < ENTRIES; i = i + 1"),
    ("the end of a range belongs to it", PMP_CHECK, "addr < (addresses", "addr <= (addresses"),
    ("a range's lower end is not looked at", PMP_CHECK, "kind[0] && !below[e]", "kind[0]"),
    ("NAPOT ignores a bit too many", PMP, "ones ^ (ones + 30'd1)", "(ones ^ (ones + 30'd1)) << 1 | 30'd1"),
    ("NA4 is as NAPOT", PMP, "kind == NA4 ? 30'd0", "kind == OFF ? 30'd0"),
    ("a lock does not bind M mode", PMP_CHECK, "user_i || configs_i[8 * e + 7]", "user_i"),
    ("a lock can be written over", PMP, "== NUMBER[3:2] && !lock", "== NUMBER[3:2]"),
    ("stores ask for permission to read", PMP, "x_store_i ? writes : reads", "reads"),
    ("fetches ask for permission to read", PMP, ".permits_i(executes), .denied_o(f_denied_o)", ".permits_i(reads), .denied_o(f_denied_o)"),
    ("a denied store is done", LSU, "&& x_go_i && !x_deny_i", "&& x_go_i"),
    ("an access leaves before it is checked", GUARD, "assign x_unchecked_o = needs && !done;", "assign x_unchecked_o = 1'b0;"),
]
EQUIVALENT = [
    ("register file: a read during a write gives nonsense", REGFILE, "posedge clk_i) begin\n          rdata1 <= copy1[raddr1_i]",
     "posedge clk_i) begin\n                    rdata1 <= we_i & waddr_i == raddr1_i ? 32'hdeadbeef : copy1[raddr1_i]"),
    ("CSR memory: a read during a write gives nonsense", CSR, "word <= words[read_index]",
     "word <= write_word & write_index == read_index ? 32'hdeadbeef : words[read_index]"),
]


def build_model(build, rtl, setups_model):
    command = ["make", "--no-print-directory", f"COSIM={build}", f"COSIM_RTL={rtl}", str(build / setups_model / "cosim")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise cosim.Failure(done.stdout[-2000:])


def mutate(source, target, file, old, new):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.md"))
    path = target / file
    text = path.read_text()
    if text.count(old) != 1:
        raise cosim.Failure(f"{file}: expected once, found {text.count(old)} times: {old}")
    path.write_text(text.replace(old, new))


def first_failure(runner, programs):
    for setup, (program, prefix) in programs.items():
        words, report = runner.compare(prefix, setup, program)
        if words is None:
            return setup, report.splitlines()[0].split(": ", 1)[1]
    return None, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/cosim-mutants", type=pathlib.Path)
    parser.add_argument("--tools", default="build/cosim", type=pathlib.Path)
    parser.add_argument("--rtl", default="rtl/core", type=pathlib.Path)
    parser.add_argument("--select", type=lambda text: [int(word) for word in text.split(",")])
    arguments = parser.parse_args()
    build = arguments.build
    build.mkdir(parents=True, exist_ok=True)
    for name, (models, generator, harness) in list(cosim.SETUPS.items()):
        if models[0] in ("fast", "alias", "user"):
            cosim.SETUPS[name] = (models[:1], generator, harness)
        else:
            del cosim.SETUPS[name]
    generator = cosim.Cosim(arguments.tools)
    programs = {setup: (1_000_000 + index, build / f"program-{setup}") for index, setup in enumerate(cosim.SETUPS)}
    made = set()
    runner = cosim.Cosim(build)
    wrong = 0
    every = [(m, "fast", True) for m in MUTANTS] + [(m, "alias", True) for m in PREDICTOR + SECOND] + [(m, "fast", True) for m in OPTIONS] + [(m, "user", True) for m in PRIVILEGED] + [(m, "fast", False) for m in EQUIVALENT]
    for number, ((what, file, old, new), model, defect) in enumerate(every):
        if arguments.select and number not in arguments.select:
            continue
        try:
            mutate(arguments.rtl, build / "rtl", file, old, new)
            build_model(build, build / "rtl", model)
        except cosim.Failure as failure:
            print(f"{number:2} NOT BUILT  {what}: {failure}", flush=True)
            wrong += 1
            continue
        mine = {setup: program for setup, program in programs.items() if cosim.SETUPS[setup][0] == [model]}
        for setup, (program, prefix) in mine.items():
            if setup not in made:
                generator.make_program(prefix, setup, program)
                made.add(setup)
        setup, report = first_failure(runner, mine)
        wrong += (setup is not None) != defect
        result = "caught" if setup else "survived"
        print(f"{number:2} {result:9} {what:52} {setup or '':11} {report}", flush=True)
    print(f"{wrong} not as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    os.environ.setdefault("MAKEFLAGS", "")
    sys.exit(main())
