# SPDX-License-Identifier: Apache-2.0
"""The cross events that the core's tests are to reach: axes of conditions inside gnomon_core, crossed.

Each condition is Verilog, sampled at the rising edge outside of reset. `cover.vh` follows the class of the instruction in each
stage (c_d, c_x, c_m, c_w). IMPOSSIBLE names what cannot be, with the reason; reaching one of those is an error in this list.
"""
CLASSES = ["alu", "mul", "div", "load", "store", "branch", "jal", "jalr", "csr_read", "csr_write", "csr_counter", "csr_serial", "mret",
           "wfi", "fence_i", "ecall", "ebreak", "illegal", "fetch_error"]
NUMBER = {name: index + 1 for index, name in enumerate(CLASSES)}

OPERANDS = [("rs1", "d_use_rs1", "d_insn[19:15]", "d_rs1_x"), ("rs2", "d_use_rs2", "d_insn[24:20]", "d_rs2_x")]


def hazards(form):
    axis = []
    for name, used, number, from_x in OPERANDS:
        good = f"d_valid & ~d_special & {used} & {number} != 5'd0"
        from_m = f"~{from_x} & m_writes & m_rd == {number}"
        axis += [(f"load_use.{name}", f"{good} & {from_x} & x_late & x_load"),
                 (f"busy_use.{name}", f"{good} & {from_x} & x_div & x_busy"),
                 (f"bypass_x.{name}", f"{good} & {from_x} & ~x_late & ~x_busy"),
                 (f"bypass_m.{name}", f"{good} & {from_m} & ~m_load & ~m_mul"),
                 (f"bypass_m_load.{name}", f"{good} & {from_m} & m_load"),
                 (f"file.{name}", f"{good} & ~{from_x} & ~(m_writes & m_rd == {number}) & ~(w_write & w_rd == {number})"),
                 (f"w_writes_it.{name}", f"{good} & ~{from_x} & ~(m_writes & m_rd == {number}) & w_write & w_rd == {number}")]
        if form == "full":
            axis += [(f"mul_use.{name}", f"{good} & {from_x} & x_late & x_mul"), (f"bypass_m_mul.{name}", f"{good} & {from_m} & m_mul")]
    return axis + [("csr_after_csr", "d_valid & ~d_special & x_csr_writes & d_csr"),
                   ("counter_waits", "x_valid & x_csr & u_csr.is_counter & u_csr.phase == 2'd0 & ~u_csr.x_alone_i"),
                   ("counter_access", "x_valid & x_csr & u_csr.is_counter & u_csr.phase != 2'd0"),
                   ("serial_in_d", "d_holds_serial"), ("serial_in_x", "x_holds_serial"), ("sleeps", "x_sleeps"),
                   ("flushing", "x_valid & x_fence_i"), ("store_data", "d_valid & ~d_special & d_is_store & d_rs2_x & d_use_rs2")]


SITUATIONS = [("calm", "~m_stall & ~x_busy & f_valid"), ("starved", "~f_valid & ~f_wait"), ("refused", "d_req_valid_o & ~d_req_ready_i"),
              ("late", "m_stall & ~d_req_valid_o"), ("answered", "u_lsu.m_open & d_rsp_valid_i"), ("redirect_x", "x_redirect"),
              ("killed", "m_kill"), ("interrupted", "f_mark & d_free & ~f_wait")]

TAKEN = "m_kill & ~debug"
TRAPS = [("load_fault", "m_error & ~m_store"), ("store_fault", "m_error & m_store"), ("mret", "m_valid & m_mret"),
         ("debug_halt", "m_valid & m_enter_debug & m_code == 6'd3"), ("debug_step", "m_valid & m_enter_debug & m_code == 6'd4"),
         ("debug_ebreak", "m_valid & m_enter_debug & m_code == 6'd1")] + [
         (name, f"~m_error & m_valid & m_trap & m_code == 6'd{code}") for name, code in (
             ("fetch_fault", 1), ("ebreak", 3), ("load_misaligned", 4), ("load_window", 5), ("store_misaligned", 6), ("ecall", 11),
             ("irq_software", 35), ("irq_timer", 39), ("irq_external", 43), ("irq_profile", 48))] + [
         ("illegal", f"~m_error & m_valid & m_trap & m_code == 6'd2 & c_m == 5'd{NUMBER['illegal']}"),
         ("illegal_csr", f"~m_error & m_valid & m_trap & m_code == 6'd2 & c_m != 5'd{NUMBER['illegal']}")]
REDIRECTS = [("jal", "d_redirect & d_jal & ~f_other"), ("branch_back", "d_redirect & d_branch & ~f_other"), ("jalr", "x_redirect & x_jalr"),
             ("branch_taken", "x_redirect & x_branch & x_condition"), ("branch_not_taken", "x_redirect & x_branch & ~x_condition"),
             ("fence_i", "x_redirect & x_fence_i"), ("trap", "w_take_trap"), ("mret", "w_valid & w_mret"), ("resume", "resume")]


def fetch_states(form):
    fetch = "fetch_plain.fetch" if form == "full" else "fetch_compact.fetch"
    nothing_open = f"{fetch}.f_open == 0 & {fetch}.f_drop == 0"
    return [("sent", f"{fetch}.f_sent"), ("refused", "i_req_valid_o & ~i_req_ready_i"), ("cannot_ask", "~i_req_valid_o"),
            ("nothing_open", nothing_open), ("late_answer", f"~({nothing_open}) & ~i_rsp_valid_i"), ("answer", "i_rsp_valid_i"),
            ("dropping", f"{fetch}.f_drop != 0"), ("memory_stalls", "m_stall"), ("upper_halfword", f"{fetch}.{'f_next_addr' if form == 'full' else 'target_i'}[1]"),
            ("word_waits", f"{fetch}.f_count != 0" if form == "full" else f"{fetch}.f_word_valid | {fetch}.f_half_valid")]


LEAVES = "x_valid & x_go & ~m_kill & ~x_trap & ~debug"
FLOW = [("branch", "x_branch"), ("jal", "x_jal & c_x == 5'd%d & ~predict.call" % NUMBER["jal"]),
        ("call", "x_jal & c_x == 5'd%d & predict.call" % NUMBER["jal"]), ("jalr", "x_jalr & ~predict.back & ~predict.call"),
        ("call_jalr", "x_jalr & predict.call"), ("return", "x_jalr & predict.back")]
FORECASTS = [("unknown_taken", "~x_refetch & ~x_known & (~x_branch | x_condition)"), ("unknown_not_taken", "~x_refetch & ~x_known & x_branch & ~x_condition"),
             ("right_taken", "~x_refetch & x_taken & ~x_redirect & ~x_jumped"), ("right_not_taken", "~x_refetch & x_known & ~x_taken & x_branch & ~x_condition"),
             ("wrong_not_taken", "~x_refetch & x_taken & x_branch & ~x_condition"), ("wrong_taken", "~x_refetch & x_known & ~x_taken & x_branch & x_condition"),
             ("wrong_target", "~x_refetch & x_taken & x_jalr & ~x_right")]
LENGTHS = [("short", "x_short"), ("long", "~x_short & ~x_pc[1]"), ("spanning", "~x_short & x_pc[1]")]
ALIASES = [("refetch", "d_valid & x_go & d_refetch & ~d_unclaimed & ~x_redirect & ~m_kill")]
CLASS_IN = {stage: [(name, f"{stage} == 5'd{number}") for name, number in NUMBER.items()] for stage in ("c_d", "c_x", "c_m", "c_w", "c_ahead", "c_behind")}


def crosses(form):
    """(name, condition that all have in common, axes)"""
    fetch = "fetch_plain.fetch"
    every = [("hazard", "~debug", [hazards(form), SITUATIONS]),
             ("trap_behind", TAKEN, [TRAPS, CLASS_IN["c_ahead"]]),
             ("trap_before", TAKEN, [TRAPS, CLASS_IN["c_behind"]]),
             ("redirect", "~debug", [REDIRECTS, fetch_states(form)]),
             ("injected", "debug & w_valid", [[("good", "~w_trap"), ("refused", "w_trap")], CLASS_IN["c_w"]])]
    if form == "full":
        every += [("predict", LEAVES, [FLOW, FORECASTS, LENGTHS]),
                  ("alias", "~debug", [ALIASES, CLASS_IN["c_d"]]),
                  ("unclaimed", f"{fetch}.f_valid_o & {fetch}.f_unclaimed_o",
                   [[("short", f"{fetch}.f_short"), ("long", f"~{fetch}.f_short & ~{fetch}.f_odd"), ("spanning", f"{fetch}.f_spans")],
                    [("calm", "f_take"), ("redirected", "f_redirect"), ("d_full", "~d_free")]])]
    return every


# (form, pattern of the name, reason). Forms: full, compact, or * for both.
A = "(rs1|rs2)"
JUMPS = "(jal|call|jalr|call_jalr|return)"
IMPOSSIBLE = [
    ("*", f"hazard/(busy_use.{A}|counter_waits|sleeps)/calm", "calm is when X is not busy"),
    ("*", f"hazard/(busy_use.{A}|csr_after_csr)/interrupted", "D keeps its instruction"),
    ("compact", f"hazard/load_use.{A}/interrupted", "D keeps its instruction"),
    ("*", f"hazard/(load_use.{A}|mul_use.{A}|busy_use.{A}|csr_after_csr|counter_waits|counter_access|serial_in_x|sleeps)/redirect_x",
     "X has no jump, branch or fence.i"),
    ("*", "hazard/(serial_in_d|serial_in_x|sleeps)/(starved|interrupted)", "F has to wait"),
    ("*", "hazard/counter_access/(refused|late|answered|killed)", "M and W are empty"),
    ("full", f"hazard/bypass_m_mul.{A}/(late|answered|killed)", "M has neither a load nor a trap, and writes"),
    ("compact", f"hazard/bypass_m.{A}/(late|answered|killed)", "M has neither a load nor a trap, and writes (without A)"),
    ("compact", f"hazard/w_writes_it.{A}/(late|answered)", "M has its instruction for the first cycle: it asks (without A)"),
    ("compact", f"hazard/bypass_m.{A}/refused", "requests leave from M, which has something else"),
    ("*", "trap_behind/irq_.*/(ecall|illegal|fetch_error)", "the trap has closed interrupts"),
    ("*", "trap_before/debug_(halt|step)/.*", "the wish stays until it is granted: only marks enter D"),
    ("*", "redirect/(trap|mret|resume)/memory_stalls", "M is empty then"),
    ("*", "redirect/fence_i/memory_stalls", "fence.i waits until M is empty"),
    ("*", "redirect/trap/upper_halfword", "bit 1 of mtvec is 0"),
    ("*", "redirect/(jal|branch_back)/dropping", "what it was fetched from comes behind what is dropped"),
    ("compact", "redirect/(jalr|branch_taken|fence_i)/dropping",
     "D sends F elsewhere only as its instruction goes to X, so nothing does behind this one"),
    ("compact", "redirect/branch_not_taken/word_waits", "F was sent elsewhere in the cycle before"),
    ("compact", "redirect/(jal|branch_back)/memory_stalls", "they leave as the instruction goes to X"),
    ("*", "injected/good/(branch|jal|jalr|mret|wfi|ecall|ebreak|illegal|fetch_error)", "control flow is refused in debug mode"),
    ("*", "injected/refused/(branch|jal|jalr|mret|wfi|ecall|ebreak)", "counts as illegal there"),
    ("*", "injected/refused/(alu|mul|div|fence_i)", "cannot trap"),
    ("*", "injected/.*/fetch_error", "it is not fetched"),
    ("full", f"predict/{JUMPS}/(unknown_not_taken|right_not_taken|wrong_not_taken|wrong_taken)/.*", "jumps are always taken"),
    ("full", "predict/(branch|jal|call)/wrong_target/.*", "D sends it back: alias/refetch"),
    ("full", "alias/refetch/(ecall|ebreak|illegal|fetch_error)", "what traps goes nowhere"),
    ("full", "alias/refetch/jalr", "X compares the target: predict/jalr/wrong_target"),
]


def events(form):
    """[(name, condition)]"""
    listed = []
    for name, common, axes in crosses(form):
        combined = [(name, common)]
        for axis in axes:
            combined = [(f"{before}/{what}", f"{so_far} & ({condition})") for before, so_far in combined for what, condition in axis]
        listed += combined
    return listed


# Conditions that the parameters of every tested form fix: (end of the file's name, condition, the way that cannot be, reason).
FOLDED = [
]
