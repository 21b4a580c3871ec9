// SPDX-License-Identifier: Apache-2.0
// Hart 1 of a SoC with two harts: its core, its registers in SYSCTL (HART1_START, DEBUG_HART), and a profiler that
// observes it. See docs/internals/harts.md.
//
// Hart 1 stays in reset until HART1_START is written, once for each reset of hart 0. It is then in the state in which
// every hart leaves reset: hart 0's reset lasts 32 cycles, in which hart 1's core clears its memories, too.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_second_hart #(
  // as those of hart 0
  parameter integer MUL_FAST = 1,
  parameter integer COMPACT = 1,
  parameter integer PREDICT = 1,
  parameter integer LATE = 1,
  parameter integer ATOMIC = 1,
  parameter integer BITS = 1,
  parameter integer USER = 1,
  parameter integer PMP = 1,
  parameter integer TRIGGERS = 1,
  parameter integer LUTRAM = 1,
  parameter integer BORDER = 1,
  parameter integer STACK_LOG2 = 1,
  parameter integer LANDINGS = 1,
  parameter integer HPM = 1,
  parameter integer LOCKS = 1,
  parameter integer LOCK_DATA = 1,
  parameter integer TRAFFIC = 1,
  parameter integer SWITCHES = 1,
  parameter [31:0] RAM_BASE = 32'h1000_0000,
  parameter integer CAUSES = 1,
  parameter integer FIFO_LOG2 = 10,
  parameter integer NUMBER_BITS = 20,
  parameter integer PMU = 1,
  // of its profiler: see gnomon_profile; 0: none
  parameter integer RECORDS_LOG2 = 0,
  parameter integer ARCS = 0,
  parameter integer BUCKETS_LOG2 = 0,
  parameter integer EPOCHS = 0,
  parameter integer LOSSES = 0,
  parameter integer THREADS_LOG2 = 3,
  parameter integer EVENT_CLOCK = 0,
  parameter integer WATCH_LOG2 = 0,
  parameter integer WATCH_FRAMES_LOG2 = 9,
  parameter integer WATCH_QUEUE_LOG2 = 9,
  parameter integer WATCH_VALUES = 0,
  parameter integer LOCK_WORDS_LOG2 = 0,
  parameter integer MEMORY_LOG2 = 25,
  parameter integer CODE_WINDOW_LOG2 = 0,
  parameter integer SIMULATED = 0
) (
  input  wire        clk_i, clk_host_i, clk_encoder_i, rst_i,
  input  wire        hart_rst_i,       // hart 0's reset
  input  wire        hart_rst_host_i,
  output wire        rst_o,            // hart 1's reset

  // Registers: SYSCTL; hart 1's PROFILE, PMU, STALL_CAUSES and TAGS, one cycle later.
  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o,
  input  wire [3:0]  profile_sel_i,
  input  wire        profile_write_i,
  input  wire [11:0] profile_addr_i,
  input  wire [31:0] profile_wdata_i,
  output wire [31:0] profile_rdata_o,

  // Instruction port and data port.
  output wire        i_req_valid_o,
  input  wire        i_req_ready_i,
  output wire [31:0] i_req_addr_o,
  input  wire        i_rsp_valid_i,
  input  wire [31:0] i_rsp_rdata_i,
  input  wire        i_rsp_error_i,
  output wire        i_flush_o,
  input  wire        i_flush_done_i, i_miss_i,
  output wire        d_req_valid_o,
  input  wire        d_req_ready_i,
  output wire [31:0] d_req_addr_o,
  output wire        d_req_write_o,
  output wire [31:0] d_req_wdata_o,
  output wire [3:0]  d_req_strb_o,
  output wire        d_req_lock_o,
  input  wire        d_grant_i, d_snoop_valid_i,
  input  wire [31:2] d_snoop_addr_i,
  input  wire        d_rsp_valid_i,
  input  wire [31:0] d_rsp_rdata_i,
  input  wire        d_rsp_error_i,
  input  wire [1:0]  icache_i,         // accesses and fills of its instruction cache

  input  wire        irq_software_i, irq_timer_i,

  // Debug; select_o: DEBUG_HART names this hart.
  output wire        select_o,
  input  wire        dbg_halt_i, dbg_resume_i,
  output wire        dbg_halted_o,
  output wire [2:0]  dbg_cause_o,
  input  wire        dbg_insn_valid_i,
  input  wire [31:0] dbg_insn_i,
  output wire        dbg_busy_o, dbg_error_o,

  output wire        counter_o,        // accesses of a counter CSR: see gnomon_soc
  input  wire        stop_i,           // the program has ended on the other hart, or the other hart has left its stack
  output wire        program_end_o,
  output wire [`GNOMON_OBS_BITS-1:0] obs_o,

  // Bus monitor; mon_valid_i only for this hart's accesses.
  input  wire        mon_valid_i,
  input  wire [1:0]  mon_master_i,
  input  wire        mon_write_i,
  input  wire [31:0] mon_addr_i,
  input  wire [3:0]  mon_strb_i,
  input  wire [31:0] mon_wdata_i,

  output wire        trace_valid_o,
  output wire [7:0]  trace_data_o,
  input  wire        trace_ready_i
);

`include "gnomon_registers.vh"

  // ---- Registers ----
  reg started, select;
  reg [31:1] boot_pc;
  wire write = reg_sel_i && reg_write_i;
  assign rst_o = hart_rst_i || !started;
  assign select_o = select;
  always @(posedge clk_i) begin
    if (write && reg_addr_i == `GNOMON_SYSCTL_HART1_START && !started) {boot_pc, started} <= {reg_wdata_i[31:1], 1'b1};
    if (write && reg_addr_i == `GNOMON_SYSCTL_DEBUG_HART) select <= reg_wdata_i[0];
    if (rst_i || hart_rst_i) {boot_pc, started, select} <= 33'd0;
  end
  always @(posedge clk_i) begin
    reg_rdata_o <= 32'd0;
    if (reg_sel_i && reg_addr_i == `GNOMON_SYSCTL_HART1_START) reg_rdata_o <= {boot_pc, started};
    if (reg_sel_i && reg_addr_i == `GNOMON_SYSCTL_DEBUG_HART) reg_rdata_o <= {31'd0, select};
  end

  // The core samples boot_pc_i while it is in reset, so it leaves reset a cycle after HART1_START.
  reg was_rst;
  wire core_rst = rst_o || was_rst;
  always @(posedge clk_i) was_rst <= rst_o;

  // ---- Core ----
  wire hpm_valid, hpm_write, irq_profile, irq_overflow, lock;
  wire [11:0] hpm_addr;
  wire [31:0] hpm_wdata, hpm_rdata, dscratch0;
  gnomon_core #(
    .MUL_FAST(MUL_FAST), .COMPACT(COMPACT), .PREDICT(PREDICT), .LATE(LATE), .ATOMIC(ATOMIC),
    .BITS(BITS), .USER(USER), .PMP(PMP), .TRIGGERS(TRIGGERS), .LUTRAM(LUTRAM), .OVERFLOW(PMU),
    .HART_ID(1)
  ) u_core (
    .clk_i(clk_i), .rst_i(core_rst), .boot_pc_i({boot_pc, 1'b0}), .i_req_valid_o(i_req_valid_o),
    .i_req_ready_i(i_req_ready_i), .i_req_addr_o(i_req_addr_o), .i_rsp_valid_i(i_rsp_valid_i),
    .i_rsp_rdata_i(i_rsp_rdata_i), .i_rsp_error_i(i_rsp_error_i), .i_flush_o(i_flush_o),
    .i_flush_done_i(i_flush_done_i), .i_wait_miss_i(i_miss_i), .d_req_valid_o(d_req_valid_o),
    .d_req_ready_i(d_req_ready_i), .d_req_addr_o(d_req_addr_o), .d_req_write_o(d_req_write_o),
    .d_req_wdata_o(d_req_wdata_o), .d_req_strb_o(d_req_strb_o), .d_req_lock_o(d_req_lock_o), .d_lock_o(lock),
    .d_grant_i(d_grant_i), .d_snoop_valid_i(d_snoop_valid_i), .d_snoop_addr_i(d_snoop_addr_i),
    .d_rsp_valid_i(d_rsp_valid_i), .d_rsp_rdata_i(d_rsp_rdata_i), .d_rsp_error_i(d_rsp_error_i), .d_wait_miss_i(1'b0),
    .i_wait_refresh_i(1'b0), .i_wait_page_i(1'b0), .d_wait_refresh_i(1'b0), .d_wait_page_i(1'b0),
    .irq_software_i(irq_software_i),
    .irq_timer_i(irq_timer_i), .irq_external_i(1'b0), .irq_profile_i(irq_profile), .irq_overflow_i(irq_overflow),
    .hpm_valid_o(hpm_valid), .hpm_write_o(hpm_write), .hpm_addr_o(hpm_addr), .hpm_wdata_o(hpm_wdata),
    .hpm_rdata_i(hpm_rdata), .stack_limit_n_i(~22'd0), .dbg_halt_i(dbg_halt_i), .dbg_resume_i(dbg_resume_i),
    .dbg_halted_o(dbg_halted_o), .dbg_cause_o(dbg_cause_o), .dbg_insn_valid_i(dbg_insn_valid_i),
    .dbg_insn_i(dbg_insn_i), .dbg_busy_o(dbg_busy_o), .dbg_error_o(dbg_error_o), .dbg_data_we_i(1'b0),
    .dbg_data_i(32'd0), .dbg_data_o(dscratch0), .obs_o(obs_o)
  );
  gnomon_program_end u_program_end (
    .obs_i(obs_o), .end_o(program_end_o)
  );

  generate
    if (PMU != 0) begin : g_counter_access
      reg [1:0] since;
      always @(posedge clk_i) since <= {since[0], hpm_valid};
      assign counter_o = BORDER != 0 ? hpm_valid || since[0] : |since;
    end else begin : g_no_counter_access
      assign counter_o = 1'b0;
    end
  endgenerate

  // ---- Profiler: it has no tags and no messages of interrupts ----
  wire [63:0] cycle;
  gnomon_profile #(
    .FIFO_LOG2(FIFO_LOG2), .STACK_LOG2(STACK_LOG2), .NUMBER_BITS(NUMBER_BITS), .LANDINGS(LANDINGS),
    .HPM(HPM), .PMU(PMU), .LOCKS(LOCKS), .LOCK_DATA(LOCK_DATA), .TRAFFIC(TRAFFIC), .SWITCHES(SWITCHES),
    .RECORDS_LOG2(RECORDS_LOG2), .ARCS(ARCS), .BUCKETS_LOG2(BUCKETS_LOG2), .EPOCHS(EPOCHS), .LOSSES(LOSSES),
    .FRAMES_LOG2(RECORDS_LOG2 - 1), .THREADS_LOG2(THREADS_LOG2), .EVENT_CLOCK(EVENT_CLOCK), .WATCH_LOG2(WATCH_LOG2),
    .WATCH_FRAMES_LOG2(WATCH_FRAMES_LOG2), .WATCH_QUEUE_LOG2(WATCH_QUEUE_LOG2), .WATCH_VALUES(WATCH_VALUES),
    .LOCK_WORDS_LOG2(LOCK_WORDS_LOG2), .MEMORY_BASE(RAM_BASE), .MEMORY_LOG2(MEMORY_LOG2), .CAUSES(CAUSES),
    .CODE_WINDOW_LOG2(CODE_WINDOW_LOG2), .BORDER(BORDER), .SIMULATED(SIMULATED)
  ) u_profile (
    .clk_i(clk_i), .clk_host_i(clk_host_i), .clk_encoder_i(clk_encoder_i), .keeps_up_i(1'b0), .rst_i(rst_i),
    .hart_rst_i(hart_rst_i), .hart_rst_host_i(hart_rst_host_i), .obs_i(obs_o[`GNOMON_OBS_PROFILED]), .stop_i(stop_i),
    .exit_i(program_end_o), .obs_cache_i({icache_i, 2'b00}), .tags_code_i(1'b0), .tags_data_i(1'b0),
    .tags_line_i({(MEMORY_LOG2 - 5) {1'b0}}), .tags_word_i(32'd0), .mon_valid_i(mon_valid_i),
    .mon_master_i(mon_master_i), .mon_write_i(mon_write_i), .mon_addr_i(mon_addr_i), .mon_strb_i(mon_strb_i),
    .mon_wdata_i(mon_wdata_i), .hpm_valid_i(hpm_valid), .hpm_write_i(hpm_write), .hpm_addr_i(hpm_addr),
    .hpm_wdata_i(hpm_wdata), .hpm_rdata_o(hpm_rdata), .reg_sel_i(profile_sel_i), .reg_write_i(profile_write_i),
    .reg_addr_i(profile_addr_i), .reg_wdata_i(profile_wdata_i),
    .reg_rdata_o(profile_rdata_o), .irq_o(irq_profile), .overflow_o(irq_overflow),
    .cycle_o(cycle), .trace_valid_o(trace_valid_o), .trace_data_o(trace_data_o), .trace_ready_i(trace_ready_i)
  );
  wire unused = &{1'b0, dscratch0, cycle, lock};

endmodule

`default_nettype wire
