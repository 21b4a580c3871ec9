// SPDX-License-Identifier: Apache-2.0
// The core in an environment with all possible behaviour of buses, interrupts and debug port, and the checks of its
// bundle. The environment consists of gates that mask free inputs. There are no assumptions, so none can contradict
// each other. run.py selects CHECK_* and the parameters of the core.
`default_nettype none
`include "gnomon_obs.vh"
`ifndef MUL_FAST
`define MUL_FAST 1
`endif
`ifndef COMPACT
`define COMPACT 0
`endif
`ifndef PREDICT
`define PREDICT 0
`endif
`ifndef LUTRAM
`define LUTRAM 0
`endif
`ifndef LATE
`define LATE 0
`endif
`ifndef ATOMIC
`define ATOMIC 0
`endif
`ifndef BITS
`define BITS 0
`endif
`ifndef USER
`define USER 0
`endif
`ifndef PMP
`define PMP 0
`endif
`ifndef PMP_GRAIN
`define PMP_GRAIN 2
`endif
`ifndef TRIGGERS
`define TRIGGERS 0
`endif
`ifndef OVERFLOW
`define OVERFLOW 0
`endif
`ifdef NO_ERRORS
`define ERRORS 1'b0
`else
`define ERRORS 1'b1
`endif
`ifdef WITH_IRQ
`define IRQ 1'b1
`else
`define IRQ 1'b0
`endif
`ifdef WITH_DEBUG
`define DBG 1'b1
`else
`define DBG 1'b0
`endif

module formal_core (
    input wire        clk_i,
    // Free in each cycle.
    input wire        in_i_ready, in_i_valid, in_i_error, in_flush_done,
    input wire [31:0] in_i_rdata,
    input wire        in_d_ready, in_d_valid, in_d_error,
    input wire [31:0] in_d_rdata,
    input wire [3:0]  in_irq,
    input wire        in_overflow,
    input wire [31:0] in_hpm_rdata,
    input wire        in_halt, in_resume, in_insn_valid, in_data_we,
    input wire [31:0] in_dbg_insn, in_dbg_data, in_boot_pc,
    input wire        in_snoop,
    input wire [31:2] in_snoop_addr,
    input wire        in_i_miss, in_d_miss, in_i_refresh, in_i_page, in_d_refresh, in_d_page
);
    // Two cycles of reset from an arbitrary state. This short reset does not clear the memories (registers, CSR words);
    // docs/verification/formal.md explains why this only makes the checks stronger.
    reg  [5:0]  cycle = 6'd0;
    always @(posedge clk_i)
        cycle <= cycle == 6'd63 ? cycle : cycle + 6'd1;
    wire        rst = cycle < 6'd2;
    wire        live = cycle >= 6'd1;    // outputs are valid

    wire        i_req_valid, d_req_valid, d_req_write, i_flush, hpm_valid, hpm_write, halted, dbg_busy, dbg_error;
    wire [31:0] i_req_addr, d_req_addr, d_req_wdata, hpm_wdata, dbg_data;
    wire [11:0] hpm_addr;
    wire [3:0]  d_req_strb;
    wire [2:0]  dbg_cause;
    wire [`GNOMON_OBS_BITS-1:0] obs;
    wire obs_valid = obs[`GNOMON_OBS_VALID], obs_trap = obs[`GNOMON_OBS_TRAP], obs_halt = obs[`GNOMON_OBS_HALT],
        obs_intr = obs[`GNOMON_OBS_INTR], obs_csr_write = obs[`GNOMON_OBS_CSR_WRITE],
        obs_trap_enter = obs[`GNOMON_OBS_TRAP_ENTER], obs_trap_leave = obs[`GNOMON_OBS_TRAP_LEAVE],
        obs_irq_pending = obs[`GNOMON_OBS_IRQ_PENDING], obs_debug = obs[`GNOMON_OBS_DEBUG],
        obs_wfi = obs[`GNOMON_OBS_WFI];
    wire [63:0] obs_order = obs[`GNOMON_OBS_ORDER];
    wire [1:0] obs_mode = obs[`GNOMON_OBS_MODE], obs_ixl = obs[`GNOMON_OBS_IXL];
    wire [31:0] obs_insn = obs[`GNOMON_OBS_INSN], obs_pc_rdata = obs[`GNOMON_OBS_PC_RDATA],
        obs_pc_wdata = obs[`GNOMON_OBS_PC_WDATA], obs_rs1_rdata = obs[`GNOMON_OBS_RS1_RDATA],
        obs_rs2_rdata = obs[`GNOMON_OBS_RS2_RDATA], obs_rd_wdata = obs[`GNOMON_OBS_RD_WDATA],
        obs_mem_addr = obs[`GNOMON_OBS_MEM_ADDR], obs_mem_rdata = obs[`GNOMON_OBS_MEM_RDATA],
        obs_mem_wdata = obs[`GNOMON_OBS_MEM_WDATA], obs_csr_rdata = obs[`GNOMON_OBS_CSR_RDATA],
        obs_csr_wdata = obs[`GNOMON_OBS_CSR_WDATA];
    wire [4:0] obs_rs1_addr = obs[`GNOMON_OBS_RS1_ADDR], obs_rs2_addr = obs[`GNOMON_OBS_RS2_ADDR],
        obs_rd_addr = obs[`GNOMON_OBS_RD_ADDR], obs_cause = obs[`GNOMON_OBS_CAUSE];
    wire [3:0] obs_mem_rmask = obs[`GNOMON_OBS_MEM_RMASK], obs_mem_wmask = obs[`GNOMON_OBS_MEM_WMASK];
    wire [223:0] obs_csr_state = obs[`GNOMON_OBS_CSR_STATE];
    wire [5:0] obs_trap_cause = obs[`GNOMON_OBS_TRAP_CAUSE];
    wire        d_req_lock, d_lock;
    wire        d_snoop = in_snoop & ~d_lock;

    // Buses: a response for each accepted request, at any later time. WAIT limits their waits (for liveness).
    reg  [2:0]  i_open = 3'd0;           // accepted, not answered
    reg  [2:0]  d_open = 3'd0;
    wire        i_ready, d_ready, i_rsp, d_rsp, flush_done;
    wire        i_sent = i_req_valid & i_ready;
    wire        d_sent = d_req_valid & d_ready;
    always @(posedge clk_i) begin
        i_open <= rst ? 3'd0 : i_open + {2'd0, i_sent} - {2'd0, i_rsp};
        d_open <= rst ? 3'd0 : d_open + {2'd0, d_sent} - {2'd0, d_rsp};
    end
`ifdef WAIT
    // After WAIT refusals or cycles without a response in a row, the bus accepts or responds.
    reg  [2:0]  i_refused, i_late, d_refused, d_late, flush_late;
    assign i_ready = in_i_ready | i_refused == `WAIT;
    assign d_ready = in_d_ready | d_refused == `WAIT;
    assign i_rsp = i_open != 3'd0 & (in_i_valid | i_late == `WAIT);
    assign d_rsp = d_open != 3'd0 & (in_d_valid | d_late == `WAIT);
    assign flush_done = in_flush_done | flush_late == `WAIT;
    always @(posedge clk_i) begin
        i_refused <= rst | ~i_req_valid | i_ready ? 3'd0 : i_refused + 3'd1;
        d_refused <= rst | ~d_req_valid | d_ready ? 3'd0 : d_refused + 3'd1;
        i_late <= rst | i_open == 3'd0 | i_rsp ? 3'd0 : i_late + 3'd1;
        d_late <= rst | d_open == 3'd0 | d_rsp ? 3'd0 : d_late + 3'd1;
        flush_late <= rst | ~i_flush | flush_done ? 3'd0 : flush_late + 3'd1;
    end
`else
    assign i_ready = in_i_ready;
    assign d_ready = in_d_ready;
    assign i_rsp = in_i_valid & i_open != 3'd0;
    assign d_rsp = in_d_valid & d_open != 3'd0;
    assign flush_done = in_flush_done;
`endif
    wire [31:0] i_rdata;
    wire        i_error;
    wire        d_error = in_d_error & `ERRORS;
    wire [31:0] d_rdata = in_d_rdata;

    // Debug: inputs are masked while the hart runs, except the halt request.
    wire        dbg_halt = in_halt & `DBG;
    wire        dbg_resume = in_resume & `DBG & halted;
    wire        dbg_insn_valid = in_insn_valid & `DBG & halted;
    wire        dbg_data_we = in_data_we & `DBG & halted & ~dbg_busy & ~dbg_insn_valid & ~dbg_resume;
`ifdef INJECT_NO_CSR
    wire [31:0] dbg_insn = in_dbg_insn[6:0] == 7'h73 ? 32'h13 : in_dbg_insn;
`else
    wire [31:0] dbg_insn = in_dbg_insn;
`endif

    gnomon_core #(
      .LUTRAM(`LUTRAM), .MUL_FAST(`MUL_FAST), .COMPACT(`COMPACT), .PREDICT(`PREDICT), .LATE(`LATE), .ATOMIC(`ATOMIC),
      .BITS(`BITS), .USER(`USER), .PMP(`PMP), .PMP_GRAIN(`PMP_GRAIN), .TRIGGERS(`TRIGGERS), .OVERFLOW(`OVERFLOW)
    ) core (
      .clk_i(clk_i), .rst_i(rst), .boot_pc_i(in_boot_pc), .i_req_valid_o(i_req_valid), .i_req_ready_i(i_ready),
      .i_req_addr_o(i_req_addr), .i_rsp_valid_i(i_rsp), .i_rsp_rdata_i(i_rdata), .i_rsp_error_i(i_error),
      .i_flush_o(i_flush), .i_flush_done_i(flush_done), .i_wait_miss_i(in_i_miss), .d_wait_miss_i(in_d_miss),
      .i_wait_refresh_i(in_i_refresh), .i_wait_page_i(in_i_page), .d_wait_refresh_i(in_d_refresh),
      .d_wait_page_i(in_d_page), .d_req_valid_o(d_req_valid), .d_req_ready_i(d_ready), .d_req_addr_o(d_req_addr),
      .d_req_write_o(d_req_write), .d_req_wdata_o(d_req_wdata), .d_req_strb_o(d_req_strb), .d_rsp_valid_i(d_rsp),
      .d_rsp_rdata_i(d_rdata), .d_rsp_error_i(d_error), .d_req_lock_o(d_req_lock), .d_lock_o(d_lock),
      .d_snoop_valid_i(d_snoop), .d_snoop_addr_i(in_snoop_addr), .d_grant_i(1'b1), .irq_software_i(in_irq[0] & `IRQ),
      .irq_timer_i(in_irq[1] & `IRQ),
      .irq_external_i(in_irq[2] & `IRQ), .irq_profile_i(in_irq[3] & `IRQ), .irq_overflow_i(in_overflow & `IRQ),
      .stack_limit_n_i(~22'd0), .hpm_valid_o(hpm_valid), .hpm_write_o(hpm_write), .hpm_addr_o(hpm_addr),
      .hpm_wdata_o(hpm_wdata), .hpm_rdata_i(in_hpm_rdata), .dbg_halt_i(dbg_halt), .dbg_resume_i(dbg_resume),
      .dbg_halted_o(halted), .dbg_cause_o(dbg_cause), .dbg_insn_valid_i(dbg_insn_valid), .dbg_insn_i(dbg_insn),
      .dbg_busy_o(dbg_busy), .dbg_error_o(dbg_error), .dbg_data_we_i(dbg_data_we), .dbg_data_i(in_dbg_data),
      .dbg_data_o(dbg_data), .obs_o(obs)
    );

    // The decoded instruction.
    wire        s_legal, s_short, s_misaligned;
    wire [4:0]  s_kind, s_rs1, s_rs2, s_rd;
    wire [31:0] s_rd_value, s_next_pc, s_addr, s_wdata;
    wire [3:0]  s_mask;
    formal_spec #(.ATOMIC(`ATOMIC), .BITS(`BITS)) spec (
        .insn_i(obs_insn), .pc_i(obs_pc_rdata), .rs1_i(obs_rs1_rdata), .rs2_i(obs_rs2_rdata), .rdata_i(obs_mem_rdata),
        .legal_o(s_legal), .short_o(s_short), .kind_o(s_kind), .rs1_o(s_rs1), .rs2_o(s_rs2), .rd_o(s_rd),
        .rd_value_o(s_rd_value), .next_pc_o(s_next_pc), .addr_o(s_addr), .mask_o(s_mask), .misaligned_o(s_misaligned),
        .wdata_o(s_wdata));
    localparam [4:0] BAD = 0, ALU = 1, SHIFT = 2, BRANCH = 3, JAL = 4, JALR = 5, LOAD = 6, STORE = 7, MULDIV = 8, CSR = 9,
                     FENCE = 10, FENCE_I = 11, ECALL = 12, EBREAK = 13, MRET = 14, WFI = 15, UPPER = 16, AMO = 17, LR = 18, SC = 19,
                     BITOP = 20;
    localparam [4:0] C_RETIRED = 0, C_TRAP = 7, C_DEBUG = 9, C_RESET = 10, C_REFRESH = 16, C_PAGE = 17;
    wire [31:0] bits = {{8{s_mask[3]}}, {8{s_mask[2]}}, {8{s_mask[1]}}, {8{s_mask[0]}}};
    wire        retired = live & obs_valid & ~obs_trap;
    wire        trapped = live & obs_valid & obs_trap;
    wire        interrupted = live & obs_trap_enter & ~obs_valid;

    // CSRs: the number and the operation of the instruction; mstatus before it.
    wire [11:0] number = obs_insn[31:20];
    wire [2:0]  op = obs_insn[14:12];
    wire        is_csr = s_kind == CSR;
    wire        writes = op[1:0] == 2'b01 | obs_insn[19:15] != 5'd0;
    wire [31:0] source = op[2] ? {27'd0, obs_insn[19:15]} : obs_rs1_rdata;
    wire [31:0] status = obs_csr_state[31:0];

    // PMP and triggers, which may stop an instruction. checks.py joins their start values with the core's state at the
    // end of reset.
    localparam ENTRIES = `PMP != 0 ? `PMP : 1;
    localparam COUNT = `TRIGGERS != 0 ? `TRIGGERS : 1;
    (* keep *) wire [8*ENTRIES-1:0] start_configs;
    (* keep *) wire [30*ENTRIES-1:0] start_addresses;
    (* keep *) wire [32*COUNT-1:0] start_controls, start_places;
    (* keep *) wire start_select;
    (* keep *) wire start_zero;          // keeps ports from becoming aliases of these signals before the join
    wire        user = obs_mode == 2'd0;
    wire        g_exists, g_first, g_second, g_data, g_fetch_trap, g_fetch_debug, g_data_trap, g_data_debug, g_sane;
    wire [31:0] g_rdata;
    formal_guard #(.USER(`USER), .PMP(`PMP), .GRAIN(`PMP_GRAIN), .TRIGGERS(`TRIGGERS)) guard (
        .clk_i(clk_i), .load_i(rst), .configs_i(start_configs ^ {8*ENTRIES{start_zero}}),
        .addresses_i(start_addresses ^ {30*ENTRIES{start_zero}}), .controls_i(start_controls ^ {32*COUNT{start_zero}}),
        .places_i(start_places ^ {32*COUNT{start_zero}}), .select_i(start_select ^ start_zero),
        .write_i(retired & is_csr & writes), .number_i(number), .wdata_i(obs_csr_wdata), .exists_o(g_exists), .rdata_o(g_rdata),
        .user_i(user), .data_user_i(user | status[17] & status[12:11] == 2'd0), .mie_i(status[3]), .pc_i(obs_pc_rdata),
        .addr_i(s_addr), .mask_i(s_mask), .store_i(s_kind == STORE | s_kind == SC | s_kind == AMO),
        .first_o(g_first), .second_o(g_second), .data_o(g_data), .fetch_trap_o(g_fetch_trap), .fetch_debug_o(g_fetch_debug),
        .data_trap_o(g_data_trap), .data_debug_o(g_data_debug), .sane_o(g_sane));
    // A legal start state of the CSRs that are not reset: a state that the core can reach. Other states are not
    // checked.
    (* keep *) wire [223:0] start_csrs;
    (* keep *) wire [31:0] start_counteren;
    (* keep *) wire start_overflow;      // mip bit 13
    (* keep *) wire start_user, start_step, start_ebreakm, start_ebreaku;
    reg         sane;
    wire        start_sane = g_sane & ~start_step & ~start_ebreakm & ~start_ebreaku & ~(start_user & start_csrs[17])
                             & ~start_csrs[65] & ~(start_csrs[64] & start_csrs[70:66] != 5'd0) & ~start_csrs[128];
    always @(posedge clk_i)
        if (rst)
            sane <= start_sane;

`ifndef CHECK_FETCH
    assign i_rdata = in_i_rdata;
    assign i_error = in_i_error & `ERRORS;
`endif
`ifdef CHECK_INSN
`include "insn.vh"
`endif
`ifdef CHECK_CHAIN
`include "chain.vh"
`endif
`ifdef CHECK_OBS
`include "obs.vh"
`endif
`ifdef CHECK_BUS
`include "bus.vh"
`endif
`ifdef CHECK_FETCH
`include "fetch.vh"
`endif
`ifdef CHECK_LIVE
`include "live.vh"
`endif
`ifdef CHECK_RESET
`include "reset.vh"
`endif
`ifdef CHECK_CSR
`include "csr.vh"
`endif
`ifdef CHECK_REACH
`include "reach.vh"
`endif
endmodule
`default_nettype wire
