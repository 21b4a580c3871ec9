// SPDX-License-Identifier: Apache-2.0
// The SoC, independent of the board: hart, memory (caches, bus, main memory), registers, profiler, USB device and host
// port. Blocks and signals: docs/internals/soc.md. Sizes: gnomon_config.vh.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_soc #(
  parameter integer CONFIG = 0,            // 0 small, 1 mid, 2 full
  parameter integer FUNCTIONAL = 0,        // USB at packet level (simulation), see gnomon_usb
  parameter integer LINE = 0,              // 1: a UART link in place of USB, see gnomon_usb
  parameter integer SERIAL_DIVIDER = 4,    // with LINE = 1: cycles of clk_i for a bit
  parameter integer SIMULATED = 0,
  // simulation: 1 leaves out the units listed in gnomon_left_out; only with CONFIG 2
  parameter integer LEAN = 0,
  parameter [31:0] RTL_HASH = 32'd0,       // build/gen/rtl_hash
  parameter [63:0] SERIAL = "00000001",
  parameter [31:0] CLOCK_HZ = 32'd0,       // rate of clk_i; 0: CONFIG decides. Boards set their rate
  parameter integer DFU = 0,               // way into the board's boot loader, see gnomon_usb
  parameter integer RAM_BYTES = 0,         // 0: CONFIG decides; boards with less memory set their size
  parameter integer ICACHE_BYTES = -1,     // instruction cache, -1: CONFIG decides
  parameter integer DCACHE_BYTES = -1,     // data cache, -1: CONFIG decides
  parameter integer FIFO_LOG2 = -1,        // log2 of the trace FIFO's entries, -1: CONFIG decides
  parameter integer LOCKS = -1,            // lock accesses (CFG_LOCKS), -1: CONFIG decides
  parameter integer TRAFFIC = -1,          // filter for bus accesses, with LOCKS 1, -1: CONFIG decides
  parameter integer NUMBER_BITS = 0,       // bits of a function number, 16 or 20; 0: CONFIG decides
  parameter integer THREADS_LOG2 = -1,     // log2 of the followed threads, -1: CONFIG decides
  parameter integer RECORDS_LOG2 = -1,     // log2 of the function records, -1: CONFIG decides
  parameter integer ARCS = -1,             // records of pairs of caller and callee, -1: CONFIG decides
  parameter integer LOCK_WORDS_LOG2 = -1,  // log2 of the lock words, -1: CONFIG decides
  parameter integer EVENT_CLOCK = -1,      // the time of trace and records can count an event, -1: CONFIG decides
  parameter integer WATCH_LOG2 = -1,       // log2 of the watched functions, -1: CONFIG decides
  parameter integer WATCH_FRAMES_LOG2 = -1, // log2 of their calls open at a time in a thread, -1: CONFIG decides
  parameter integer WATCH_QUEUE_LOG2 = -1, // log2 of their calls and other events that wait, -1: CONFIG decides
  parameter integer WATCH_VALUES = -1,     // 1: arguments and results of watched functions, -1: CONFIG decides
  parameter integer BUCKETS_LOG2 = -1,     // log2 of the records with buckets, -1: CONFIG decides
  parameter integer EPOCHS = -1,           // epochs, -1: CONFIG decides
  parameter integer LOSSES = -1,           // counts of dropped calls, -1: CONFIG decides
  parameter integer PMU = -1,              // counter filters and address ranges, -1: CONFIG decides
  parameter integer LATENCY = -1,          // latencies of single instructions, with PMU, -1: CONFIG decides
  // log2 of the code window's parcels, -1: CONFIG decides
  parameter integer CODE_WINDOW_LOG2 = -1,
  parameter integer TAGS_LOG2 = -1,        // log2 of the words that can have tags, -1: CONFIG decides
  // the reduced form of 1: two selectable counters, 2: tags; only with CONFIG 0
  parameter integer REDUCED = 0,
  parameter integer PER_ADDRESS_LOG2 = -1, // log2 of the per-address counters of instructions, -1: CONFIG decides
  // 1: tag caches; with SDRAM, both caches and tags. RAM_BYTES is half of the chip
  parameter integer TAG_CACHE = 0,
  // 1: main memory is a x16 SDR SDRAM of RAM_BYTES on sdram_*; not with COMPACT
  parameter integer SDRAM = 0,
  parameter integer SDRAM_CAPTURE = 0,     // clock of the SDRAM: 0 clk_i inverted, 1 in phase (gnomon_sdram)
  // first byte in the board's quad SPI flash that is for programs, 0: there is none; only with COMPACT
  parameter [31:0] FLASH = 32'd0,
  parameter integer MEM_DELAY = 0,         // additional cycles of each bus access by the hart, for measurements
  // 2: a second hart (gnomon_second_hart); only with CONFIG 2, not with SDRAM, DCACHE_BYTES, MEM_DELAY or LEAN
  parameter integer HARTS = 1,
  // with HARTS 2: 1: hart 1's profiler has function records, watched functions, lock words and a code window, too
  parameter integer HART1_PROFILE = 1,
  parameter integer UP5K = 0               // 1: uses memory and DSP blocks of the UP5K
) (
  input  wire        clk_i,
  input  wire        rst_i,  // lasts at least 4 cycles of the slower clock
  // clk_i; a simulation may leave out edges at which no unit after the trace FIFO changes
  input  wire        clk_host_i,
  // clk_host_i; a simulation may let it rise more often than the hart's clock (docs/guide/sim.md)
  input  wire        clk_encoder_i,
  // USB clock; with FUNCTIONAL = 1 clk_i, for USB packets, with the same freedom as clk_host_i
  input  wire        clk48_i,

  // USB line.
  input  wire        usb_dp_i, usb_dn_i,
  output wire        usb_dp_o, usb_dn_o, usb_oe_o, usb_pullup_o,

  // In clk48_i: the host has requested the board's boot loader (DFU), until reset; the bus is suspended (CONFIG 2).
  output wire        boot_o, suspended_o,

  // USB transaction port, with FUNCTIONAL = 1.
  input  wire [31:0] txn_i,
  output wire [15:0] txn_o,

  // SDRAM, in clk_i, from which the board makes the chip's clock.
  output wire        sdram_cke_o, sdram_cs_n_o, sdram_ras_n_o, sdram_cas_n_o, sdram_we_n_o,
  output wire [1:0]  sdram_ba_o,
  output wire [12:0] sdram_a_o,
  output wire [1:0]  sdram_dqm_o,
  output wire [15:0] sdram_dq_o,
  output wire        sdram_dq_oe_o,
  input  wire [15:0] sdram_dq_i,

  // Quad SPI flash, in clk_i: see gnomon_flash.
  output wire        flash_sck_o, flash_cs_n_o,
  output wire [3:0]  flash_io_o, flash_io_oe_o,
  input  wire [3:0]  flash_io_i,

  // For simulation and LEDs: hart in reset, hart in reset or halted, host port idle.
  output wire        hart_rst_o, stopped_o, host_idle_o,

  // Observation bundle.
  output wire [`GNOMON_OBS_BITS-1:0] obs_o,
  output wire [3:0]  obs_cache_o
);

`include "gnomon_config.vh"

  localparam [31:0] HZ = CLOCK_HZ != 32'd0 ? CLOCK_HZ : CFG_CLOCK_HZ;
  localparam integer MEM_BYTES = RAM_BYTES != 0 ? RAM_BYTES : CFG_RAM_BYTES;
  localparam integer TRACE_FIFO = FIFO_LOG2 >= 0 ? FIFO_LOG2 : CFG_FIFO_LOG2;
  localparam integer RECORDS = RECORDS_LOG2 >= 0 ? RECORDS_LOG2 : CFG_RECORDS_LOG2;
  localparam integer BUCKETS = RECORDS == 0 ? 0 : BUCKETS_LOG2 >= 0 ? BUCKETS_LOG2 : CFG_BUCKETS_LOG2;
  localparam integer WITH_EPOCHS = RECORDS == 0 ? 0 : EPOCHS >= 0 ? EPOCHS : CFG_EPOCHS;
  localparam integer WITH_LOSSES = RECORDS == 0 ? 0 : LOSSES >= 0 ? LOSSES : CFG_LOSSES;
  localparam integer WITH_ARCS = RECORDS == 0 ? 0 : ARCS >= 0 ? ARCS : CFG_ARCS;
  localparam integer THREADS = THREADS_LOG2 >= 0 ? THREADS_LOG2 : CFG_THREADS_LOG2;
  localparam integer WITH_PMU = PMU >= 0 ? PMU : CFG_PMU;
  localparam integer WITH_LATENCY = LATENCY >= 0 ? LATENCY : CFG_LATENCY;
  localparam integer LOCK_WORDS = LOCK_WORDS_LOG2 >= 0 ? LOCK_WORDS_LOG2 : CFG_LOCK_WORDS_LOG2;
  localparam integer WITH_EVENT_CLOCK = EVENT_CLOCK >= 0 ? EVENT_CLOCK : CFG_EVENT_CLOCK;
  localparam integer WATCH = WATCH_LOG2 >= 0 ? WATCH_LOG2 : CFG_WATCH_LOG2;
  localparam integer WATCH_FRAMES = WATCH_FRAMES_LOG2 >= 0 ? WATCH_FRAMES_LOG2 : CFG_WATCH_FRAMES_LOG2;
  localparam integer WATCH_QUEUE = WATCH_QUEUE_LOG2 >= 0 ? WATCH_QUEUE_LOG2 : CFG_WATCH_QUEUE_LOG2;
  localparam integer VALUES = WATCH_VALUES >= 0 ? WATCH_VALUES : CFG_WATCH_VALUES;
  localparam integer CODE_WINDOW = CODE_WINDOW_LOG2 >= 0 ? CODE_WINDOW_LOG2 : CFG_CODE_WINDOW_LOG2;
  localparam integer TAGS = TAGS_LOG2 >= 0 ? TAGS_LOG2 : CFG_TAGS_LOG2;
  localparam integer LOCK_ACCESSES = LOCKS >= 0 ? LOCKS : CFG_LOCKS;
  localparam integer WITH_TRAFFIC = TRAFFIC >= 0 ? TRAFFIC : CFG_TRAFFIC;
  localparam integer NUMBERS = NUMBER_BITS != 0 ? NUMBER_BITS : CFG_NUMBER_BITS;
  localparam integer PER_ADDRESS = PER_ADDRESS_LOG2 >= 0 ? PER_ADDRESS_LOG2 : CFG_PER_ADDRESS_LOG2;
  localparam integer LONG_NUMBERS = (NUMBERS - 16) / 4;
  localparam integer CODE_BYTES = ICACHE_BYTES >= 0 ? ICACHE_BYTES : CFG_ICACHE_BYTES;
  localparam integer DATA_BYTES = DCACHE_BYTES >= 0 ? DCACHE_BYTES : SDRAM != 0 ? CFG_SDRAM_DCACHE_BYTES :
      CFG_DCACHE_BYTES;
  localparam integer CODE_LINE_WORDS = FLASH != 0 ? CFG_FLASH_ICACHE_LINE_WORDS : CFG_ICACHE_LINE_WORDS;
  localparam [31:0] FLASH_START = FLASH != 0 ? CFG_FLASH_BASE + FLASH : 32'd0;
  localparam [31:0] FLASH_BYTES = FLASH != 0 ? (32'd1 << CFG_FLASH_LOG2) - FLASH : 32'd0;
  localparam integer UART_LOG2 = 9;
  localparam [0:0] OWN_TIMER = CONFIG != 0;  // 1: TIMER has a writable mtime
  // SYSCTL, TIMER, UART, PROFILE; PMU, STALL_CAUSES, TAGS: 4 KiB each, in this order
  // with two harts, PROFILE to TAGS of hart 1
  localparam integer BLOCKS = HARTS != 1 ? 11 : CONFIG == 2 || REDUCED != 0 ? 7 : 4;
  localparam integer COUNTERS = REDUCED == 1 ? 2 : CFG_HPM;
  localparam [31:0] MISA = 32'h4000_1104 | {4'd0, CFG_PMP != 0, CFG_BITS != 0, 26'd0} | CFG_USER << 20 | CFG_ATOMIC;
  localparam [31:0] CONFIG_WORD = {
    WATCH != 0, LONG_NUMBERS[1:0], WITH_ARCS != 0, RECORDS[3:0], TRACE_FIFO[3:0], CFG_STACK_LOG2[3:0], COUNTERS[3:0],
        SIMULATED != 0, CODE_BYTES != 0, LOCK_ACCESSES != 0, 1'b1,
    HARTS[3:0], CONFIG[3:0]
  };

  // ---- Hart ----
  wire hart_reset, hart_reset_host;
  wire hart_rst = hart_reset || rst_i;
  wire [31:0] boot_pc;

  wire i_req_valid, i_req_ready, i_rsp_valid, i_rsp_error;
  wire [31:0] i_req_addr, i_rsp_rdata;
  wire i_flush, i_flush_done, i_miss, d_miss;
  wire i_wait_refresh, i_wait_page, d_wait_refresh, d_wait_page;
  wire d_req_valid, d_req_ready, d_req_write, d_rsp_valid, d_rsp_error;
  wire [31:0] d_req_addr, d_req_wdata, d_rsp_rdata;
  wire [3:0] d_req_strb;
  wire d_req_lock, d_lock, d_snoop_valid, d_grant;
  wire [31:2] d_snoop_addr;

  wire irq_software, irq_timer, irq_uart, irq_profile, irq_overflow;
  wire hpm_valid, hpm_write;
  wire [11:0] hpm_addr;
  wire [31:0] hpm_wdata, hpm_rdata;
  wire dbg_halt, dbg_resume, dbg_halted, dbg_insn_valid, dbg_busy, dbg_error;
  wire [2:0] dbg_cause;
  wire [31:10] stack_limit_n;
  wire [31:0] dbg_insn, dscratch0;
  wire h1_selected;  // DEBUG_HART names hart 1
  wire unused_dscratch0 = &{1'b0, dscratch0};

  // `small` has no room for the difference between FETCH and ICACHE_MISS. With a flash only the simulator shows it.
  gnomon_core #(
    .MUL_FAST(CFG_MUL_FAST), .COMPACT(CFG_COMPACT), .PREDICT(CFG_PREDICT), .LATE(CFG_LATE), .ATOMIC(CFG_ATOMIC),
    .BITS(CFG_BITS), .USER(CFG_USER), .PMP(CFG_PMP), .TRIGGERS(CFG_TRIGGERS), .LUTRAM(CFG_LUTRAM), .OVERFLOW(WITH_PMU),
    .STACK(CFG_STACK_GUARD != 0 ? 0 : $clog2(MEM_BYTES)), .UP5K(UP5K)
  ) u_core (
    .clk_i(clk_i), .rst_i(hart_rst), .boot_pc_i(boot_pc), .i_req_valid_o(i_req_valid), .i_req_ready_i(i_req_ready),
    .i_req_addr_o(i_req_addr), .i_rsp_valid_i(i_rsp_valid), .i_rsp_rdata_i(i_rsp_rdata), .i_rsp_error_i(i_rsp_error),
    .i_flush_o(i_flush), .i_flush_done_i(i_flush_done), .i_wait_miss_i((CFG_COMPACT == 0 || FLASH != 0) && i_miss),
    .d_req_valid_o(d_req_valid), .d_req_ready_i(d_req_ready), .d_req_addr_o(d_req_addr), .d_req_write_o(d_req_write),
    .d_req_wdata_o(d_req_wdata), .d_req_strb_o(d_req_strb), .d_req_lock_o(d_req_lock), .d_lock_o(d_lock),
    .d_grant_i(d_grant), .d_snoop_valid_i(d_snoop_valid), .d_snoop_addr_i(d_snoop_addr), .d_rsp_valid_i(d_rsp_valid),
    .d_rsp_rdata_i(d_rsp_rdata), .d_rsp_error_i(d_rsp_error), .d_wait_miss_i(d_miss),
    .i_wait_refresh_i(i_wait_refresh), .i_wait_page_i(i_wait_page), .d_wait_refresh_i(d_wait_refresh),
    .d_wait_page_i(d_wait_page), .irq_software_i(irq_software),
    .irq_timer_i(irq_timer), .irq_external_i(irq_uart), .irq_profile_i(irq_profile), .irq_overflow_i(irq_overflow),
    .hpm_valid_o(hpm_valid), .hpm_write_o(hpm_write), .hpm_addr_o(hpm_addr), .hpm_wdata_o(hpm_wdata),
    .hpm_rdata_i(hpm_rdata), .stack_limit_n_i(stack_limit_n), .dbg_halt_i(dbg_halt), .dbg_resume_i(dbg_resume),
    .dbg_halted_o(dbg_halted), .dbg_cause_o(dbg_cause), .dbg_insn_valid_i(dbg_insn_valid && !h1_selected),
    .dbg_insn_i(dbg_insn), .dbg_busy_o(dbg_busy), .dbg_error_o(dbg_error), .dbg_data_we_i(1'b0),
    .dbg_data_i(32'd0), .dbg_data_o(dscratch0), .obs_o(obs_o)
  );

  // ---- Memory ----
  wire h_grant, h_req_valid, h_req_ready, h_req_write, h_rsp_valid, h_rsp_error;
  wire [31:0] h_req_addr, h_req_wdata, h_rsp_rdata;
  wire [BLOCKS-1:0] reg_sel;
  wire reg_write;
  wire [11:0] reg_addr;
  wire [31:0] reg_wdata;
  wire [32*BLOCKS-1:0] reg_rdata;
  // The selectable counters take one access a cycle, and those of a counter CSR in the two cycles after it begins. The
  // host's accesses to registers wait so that none arrives there then. The hart itself makes no access then; of two
  // harts, neither does.
  wire counter_access, h1_counter;
  generate
    if (WITH_PMU != 0) begin : g_counter_access
      reg [1:0] since;
      always @(posedge clk_i) since <= {since[0], hpm_valid};
      assign counter_access = h1_counter || (CFG_BORDER != 0 ? hpm_valid || since[0] : |since);
    end else begin : g_no_counter_access
      assign counter_access = h1_counter;
    end
  endgenerate
  // The profiler serves PROFILE and the blocks after it.
  localparam integer PROFILE_BLOCK = 3;
  wire [3:0] profile_access, profile_sel;
  wire profile_write;
  wire [11:0] profile_addr;
  wire [31:0] profile_wdata;
  gnomon_bus_stage #(
    .REGISTERED(CFG_BORDER), .BLOCKS(4)
  ) u_profile_stage (
    .clk_i(clk_i), .rst_i(rst_i), .sel_i(profile_access), .write_i(reg_write), .addr_i(reg_addr), .wdata_i(reg_wdata),
    .sel_o(profile_sel), .write_o(profile_write), .addr_o(profile_addr), .wdata_o(profile_wdata)
  );
  generate
    if (HARTS != 1) begin : g_profiles_blocks
      assign profile_access = reg_sel[PROFILE_BLOCK+:4];
      assign reg_rdata[32*PROFILE_BLOCK+127:128] = 96'd0;
      assign reg_rdata[32*BLOCKS-1-:96] = 96'd0;
    end else if (BLOCKS == 4) begin : g_profile_block
      assign profile_access = {3'd0, reg_sel[PROFILE_BLOCK]};
    end else begin : g_profile_blocks
      assign profile_access = reg_sel[PROFILE_BLOCK+:4];
      assign reg_rdata[32*BLOCKS-1:128] = 96'd0;  // their read data are ORed into PROFILE's
    end
  endgenerate
  wire mon_valid, mon_write, mon_hart;
  wire [1:0] mon_master;
  wire [31:0] mon_addr, mon_wdata;
  wire [3:0] mon_strb;

  // Tags of a line that a cache fills.
  wire tags_code, tags_data;
  wire [$clog2(MEM_BYTES)-1:5] tags_line;
  wire [31:0] tags_word;

  // ---- Ports of hart 1 ----
  wire h1_rst;
  wire i1_req_valid, i1_req_ready, i1_rsp_valid, i1_rsp_error, i1_flush, i1_flush_done, i1_miss;
  wire d1_req_valid, d1_req_ready, d1_req_write, d1_req_lock, d1_grant, d1_snoop_valid, d1_rsp_valid, d1_rsp_error;
  wire [31:0] i1_req_addr, i1_rsp_rdata, d1_req_addr, d1_req_wdata, d1_rsp_rdata;
  wire [31:2] d1_snoop_addr;
  wire [3:0] d1_req_strb;
  wire [1:0] obs1_cache;

  wire stopped;
  // an SDRAM parks with the hart's reset, so that every run finds it in the same state
  wire reset_asked, memory_parked;
  gnomon_memory #(
    .BASE(CFG_RAM_BASE), .BYTES(MEM_BYTES), .BLOCKS(BLOCKS), .LATE(CFG_BORDER != 0 ? PROFILE_BLOCK : BLOCKS),
    .ICACHE_BYTES(CODE_BYTES), .ICACHE_LINE_WORDS(CODE_LINE_WORDS), .ICACHE_COMPACT(CFG_COMPACT),
    .DCACHE_BYTES(DATA_BYTES), .DCACHE_LINE_WORDS(CFG_DCACHE_LINE_WORDS), .DCACHE_BUFFER_LOG2(CFG_DCACHE_BUFFER_LOG2),
    .DELAY(MEM_DELAY), .SDRAM(SDRAM), .SDRAM_CAPTURE(SDRAM_CAPTURE), .TAG_CACHE(TAG_CACHE), .CLOCK_HZ(HZ),
    .SPRAM(UP5K), .FLASH_BASE(CFG_FLASH_BASE), .FLASH_LOG2(FLASH != 0 ? CFG_FLASH_LOG2 : 0), .HARTS(HARTS)
  ) u_memory (
    .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst), .i_req_valid_i(i_req_valid), .i_req_ready_o(i_req_ready),
    .i_req_addr_i(i_req_addr), .i_rsp_valid_o(i_rsp_valid), .i_rsp_rdata_o(i_rsp_rdata), .i_rsp_error_o(i_rsp_error),
    .i_flush_i(i_flush), .i_flush_done_o(i_flush_done), .i_miss_o(i_miss), .d_req_valid_i(d_req_valid),
    .d_req_ready_o(d_req_ready), .d_req_addr_i(d_req_addr), .d_req_write_i(d_req_write), .d_req_wdata_i(d_req_wdata),
    .d_req_strb_i(d_req_strb), .d_req_lock_i(d_req_lock), .d_lock_i(d_lock), .d_snoop_valid_o(d_snoop_valid),
    .d_snoop_addr_o(d_snoop_addr), .d_rsp_valid_o(d_rsp_valid), .d_rsp_rdata_o(d_rsp_rdata),
    .d_rsp_error_o(d_rsp_error), .d_miss_o(d_miss), .d_grant_o(d_grant), .hart1_rst_i(h1_rst),
    .hold_i(counter_access || any_end), .i1_req_valid_i(i1_req_valid), .i1_req_ready_o(i1_req_ready),
    .i1_req_addr_i(i1_req_addr), .i1_rsp_valid_o(i1_rsp_valid), .i1_rsp_rdata_o(i1_rsp_rdata),
    .i1_rsp_error_o(i1_rsp_error), .i1_flush_i(i1_flush), .i1_flush_done_o(i1_flush_done), .i1_miss_o(i1_miss),
    .d1_req_valid_i(d1_req_valid), .d1_req_ready_o(d1_req_ready), .d1_req_addr_i(d1_req_addr),
    .d1_req_write_i(d1_req_write), .d1_req_wdata_i(d1_req_wdata), .d1_req_strb_i(d1_req_strb),
    .d1_req_lock_i(d1_req_lock), .d1_snoop_valid_o(d1_snoop_valid), .d1_snoop_addr_o(d1_snoop_addr),
    .d1_rsp_valid_o(d1_rsp_valid), .d1_rsp_rdata_o(d1_rsp_rdata), .d1_rsp_error_o(d1_rsp_error), .d1_grant_o(d1_grant),
    .obs1_cache_o(obs1_cache), .hart_o(mon_hart), .i_wait_refresh_o(i_wait_refresh), .i_wait_page_o(i_wait_page),
    .d_wait_refresh_o(d_wait_refresh), .d_wait_page_o(d_wait_page), .obs_cache_o(obs_cache_o),
    .tags_code_o(tags_code), .tags_data_o(tags_data), .tags_line_o(tags_line), .tags_word_o(tags_word),
    .stopped_i(stopped),
    .h_grant_i(h_grant && !counter_access), .h_req_valid_i(h_req_valid), .h_req_ready_o(h_req_ready),
    .h_req_addr_i(h_req_addr),
    .h_req_write_i(h_req_write), .h_req_wdata_i(h_req_wdata), .h_rsp_valid_o(h_rsp_valid), .h_rsp_rdata_o(h_rsp_rdata),
    .h_rsp_error_o(h_rsp_error), .reg_sel_o(reg_sel), .reg_write_o(reg_write), .reg_addr_o(reg_addr),
    .reg_wdata_o(reg_wdata), .reg_rdata_i(reg_rdata), .mon_valid_o(mon_valid), .mon_master_o(mon_master),
    .mon_write_o(mon_write), .mon_addr_o(mon_addr), .mon_strb_o(mon_strb), .mon_wdata_o(mon_wdata),
    .park_i(hart_rst && !reset_asked), .parked_o(memory_parked), .sdram_cke_o(sdram_cke_o), .sdram_cs_n_o(sdram_cs_n_o),
    .sdram_ras_n_o(sdram_ras_n_o), .sdram_cas_n_o(sdram_cas_n_o), .sdram_we_n_o(sdram_we_n_o), .sdram_ba_o(sdram_ba_o),
    .sdram_a_o(sdram_a_o), .sdram_dqm_o(sdram_dqm_o), .sdram_dq_o(sdram_dq_o), .sdram_dq_oe_o(sdram_dq_oe_o),
    .sdram_dq_i(sdram_dq_i), .flash_sck_o(flash_sck_o), .flash_cs_n_o(flash_cs_n_o), .flash_io_o(flash_io_o),
    .flash_io_oe_o(flash_io_oe_o), .flash_io_i(flash_io_i)
  );

  // The host must not access an SDRAM while it parks.
  wire memory_free = SDRAM == 0 ? stopped : reset_asked || dbg_halted;

  // ---- Registers ----
  wire [63:0] cycle;
  wire event_valid, event_exit, event_done;
  wire alarm, alarm_software, irq1_timer, irq1_software;
  wire tx_valid, tx_ready, rx_valid, rx_ready;
  wire [7:0] tx_data, rx_data;
  wire put;
  // Bytes of the host port and of a terminal program, merged.
  wire tx_take, to_uart_valid;
  wire [7:0] to_uart_data;
  wire [UART_LOG2:0] tx_level;

  wire stack_overflow;
  wire stack_left; // the hart has left its stack
  wire [31:0] sysctl_rdata, guard_rdata, h1_rdata;
  wire program_end, any_end;  // of hart 0; of any hart
  wire both_halted, one_halts, shown_busy, shown_error, shown_wfi;
  wire [2:0] shown_cause;
  wire [31:0] end_status;
  gnomon_program_end u_program_end (
    .obs_i(obs_o), .end_o(program_end)
  );
  gnomon_sysctl #(
    .CONFIG_WORD(CONFIG_WORD), .CLOCK_HZ(HZ), .RAM_BASE(CFG_RAM_BASE), .RAM_BYTES(MEM_BYTES), .RTL_HASH(RTL_HASH),
    .MISA(MISA), .FLASH_START(FLASH_START), .FLASH_BYTES(FLASH_BYTES), .TIMER(OWN_TIMER ? 0 : 1)
  ) u_sysctl (
    .clk_i(clk_i), .clk_host_i(clk_host_i), .rst_i(rst_i), .reg_sel_i(reg_sel[0]),
    .timer_sel_i(reg_sel[1] && !OWN_TIMER), .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata),
    .reg_rdata_o(sysctl_rdata), .host_grant_o(h_grant), .host_wdata_i(h_req_wdata), .cycle_i(cycle),
    .hold_i(!memory_parked), .reset_asked_o(reset_asked), .hart_rst_o(hart_reset), .hart_rst_host_o(hart_reset_host),
    .boot_pc_o(boot_pc), .dbg_halt_o(dbg_halt), .dbg_resume_o(dbg_resume), .dbg_halted_i(both_halted),
    .dbg_cause_i(shown_cause), .dbg_insn_valid_o(dbg_insn_valid), .dbg_insn_o(dbg_insn), .dbg_busy_i(shown_busy),
    .dbg_error_i(shown_error), .stopped_o(stopped), .irq_timer_o(alarm), .irq_software_o(alarm_software),
    .program_end_i(any_end), .obs_mem_wdata_i(end_status), .obs_wfi_i(shown_wfi),
    .overflow_i(stack_overflow || one_halts), .event_valid_o(event_valid), .event_exit_o(event_exit),
    .event_done_i(event_done)
  );

  assign reg_rdata[31:0] = sysctl_rdata | guard_rdata | h1_rdata;
  generate
    if (CFG_STACK_GUARD != 0) begin : g_stack_guard
      assign stack_limit_n = ~22'd0;
      assign stack_left = stack_overflow;
      gnomon_stack_guard u_stack_guard (
        .clk_i(clk_i), .clk_host_i(clk_host_i), .rst_i(rst_i), .hart_rst_i(hart_reset), .reg_sel_i(reg_sel[0]),
        .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata), .reg_rdata_o(guard_rdata),
        .obs_i(obs_o), .overflow_o(stack_overflow)
      );
    end else begin : g_stack_limit
      gnomon_stack_limit #(
        .RAM_LOG2($clog2(MEM_BYTES))
      ) u_stack_limit (
        .clk_i(clk_i), .rst_i(hart_rst), .reg_sel_i(reg_sel[0]), .reg_write_i(reg_write), .reg_addr_i(reg_addr),
        .reg_wdata_i(reg_wdata), .limit_n_o(stack_limit_n)
      );
      // The core halts with the cause of a trigger; this configuration has no triggers.
      assign stack_left = dbg_halted && dbg_cause == 3'd2;
      assign stack_overflow = 1'b0;
      assign guard_rdata = 32'd0;
    end
  endgenerate

  generate
    if (OWN_TIMER) begin : g_timer
      gnomon_timer #(
        .HARTS(HARTS)
      ) u_timer (
        .clk_i(clk_i), .rst_i(hart_rst), .reg_sel_i(reg_sel[1]), .reg_write_i(reg_write), .reg_addr_i(reg_addr),
        .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata[63:32]), .irq_timer_o(irq_timer), .irq_software_o(irq_software),
        .irq1_timer_o(irq1_timer), .irq1_software_o(irq1_software)
      );
      wire unused_alarm = &{1'b0, alarm, alarm_software};
    end else begin : g_no_timer
      assign reg_rdata[63:32] = 32'd0;
      assign irq_timer = alarm;
      assign irq_software = alarm_software;
      assign {irq1_timer, irq1_software} = 2'b00;
    end
  endgenerate

  gnomon_uart #(
    .FIFO_LOG2(UART_LOG2)
  ) u_uart (
    .clk_i(clk_host_i), .rst_i(rst_i), .hart_rst_i(hart_reset_host || rst_i), .reg_sel_i(reg_sel[2]),
    .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata[95:64]),
    .irq_o(irq_uart), .tx_valid_o(tx_valid), .tx_data_o(tx_data), .tx_ready_i(tx_take), .tx_level_o(tx_level),
    .put_o(put), .rx_valid_i(to_uart_valid), .rx_data_i(to_uart_data), .rx_ready_o(rx_ready)
  );

  // ---- Profiler: it only observes ----
  wire trace_valid, trace_ready, h0_trace_valid, h0_trace_ready;
  wire [7:0] trace_data, h0_trace_data;
  wire h0_stops;
  // The monitor's access is hart 1's; the host's belong to hart 0's profiler.
  localparam [1:0] MASTER_H = 2'd2;
  wire mon_h1 = mon_hart && mon_master != MASTER_H;
  wire [31:0] profile_rdata, left_out_rdata;
  wire [3:0] left_out_used;
  assign reg_rdata[127:96] = profile_rdata | left_out_rdata;
  generate
    if (LEAN != 0) begin : g_lean
      gnomon_left_out #(
        .WATCH_LOG2(WATCH), .WATCH_VALUES(VALUES), .CODE_WINDOW_LOG2(CODE_WINDOW), .LOG2(TAGS),
        .PER_ADDRESS_LOG2(PER_ADDRESS), .CACHE(TAG_CACHE)
      ) u_left_out (
        .clk_i(clk_host_i), .rst_i(rst_i), .reg_sel_i(profile_sel), .reg_write_i(profile_write),
        .reg_addr_i(profile_addr), .reg_wdata_i(profile_wdata), .reg_rdata_o(left_out_rdata),
        .hpm_valid_i(hpm_valid), .hpm_write_i(hpm_write), .hpm_addr_i(hpm_addr), .hpm_wdata_i(hpm_wdata),
        .used_o(left_out_used)
      );
    end else begin : g_whole
      assign left_out_rdata = 32'd0;
      assign left_out_used = 4'd0;
    end
  endgenerate
  wire unused_left_out = &{1'b0, left_out_used};

  gnomon_profile #(
    .FIFO_LOG2(TRACE_FIFO), .STACK_LOG2(CFG_STACK_LOG2), .NUMBER_BITS(NUMBERS), .LANDINGS(CFG_LANDINGS),
    .HPM(LEAN != 0 ? 0 : CFG_HPM), .PMU(LEAN != 0 ? 0 : WITH_PMU), .LATENCY(WITH_LATENCY),
    .LOCKS(LOCK_ACCESSES), .LOCK_DATA(NUMBERS > 16 ? CFG_LOCK_DATA : 0), .TRAFFIC(WITH_TRAFFIC),
    .LOCK_WORDS_LOG2(LOCK_WORDS), .INTERRUPTS(CFG_INTERRUPTS), .RECORDS_LOG2(RECORDS), .COMPACT(CFG_COMPACT),
    .ARCS(WITH_ARCS), .BUCKETS_LOG2(BUCKETS), .EPOCHS(WITH_EPOCHS), .LOSSES(WITH_LOSSES),
    .FRAMES_LOG2(RECORDS - 1), .THREADS_LOG2(THREADS), .SWITCHES(CFG_SWITCHES),
    .EVENT_CLOCK(LEAN != 0 ? 0 : WITH_EVENT_CLOCK), .WATCH_LOG2(LEAN != 0 ? 0 : WATCH),
    .WATCH_FRAMES_LOG2(WATCH_FRAMES), .WATCH_QUEUE_LOG2(WATCH_QUEUE), .WATCH_VALUES(VALUES),
    .MEMORY_BASE(CFG_RAM_BASE), .MEMORY_LOG2($clog2(MEM_BYTES)), .CAUSES(LEAN != 0 ? 0 : CFG_CAUSES),
    .MEMORY_CAUSES(SDRAM), .CODE_WINDOW_LOG2(LEAN != 0 ? 0 : CODE_WINDOW),
    .TAGS_LOG2(LEAN != 0 ? 0 : TAGS), .PER_ADDRESS_LOG2(PER_ADDRESS),
    .LINE_LOG2($clog2(CFG_DCACHE_LINE_WORDS)), .TAG_CACHE(TAG_CACHE), .CODE_LINES_LOG2($clog2(CODE_BYTES / 32)),
    .DATA_LINES_LOG2($clog2(DATA_BYTES / 32)), .REDUCED(REDUCED), .BORDER(CFG_BORDER), .SIMULATED(SIMULATED),
    .UP5K(UP5K)
  ) u_profile (
    .clk_i(clk_i), .clk_host_i(clk_host_i), .clk_encoder_i(clk_encoder_i),
    .keeps_up_i(FUNCTIONAL != 0 && txn_i[31] && !txn_i[30]), .rst_i(rst_i), .hart_rst_i(hart_rst),
    .hart_rst_host_i(hart_reset_host || rst_i), .obs_i(obs_o[`GNOMON_OBS_PROFILED]), .stop_i(h0_stops),
    .exit_i(program_end), .obs_cache_i(obs_cache_o), .tags_code_i(tags_code), .tags_data_i(tags_data),
    .tags_line_i(tags_line), .tags_word_i(tags_word), .mon_valid_i(mon_valid && !mon_h1), .mon_master_i(mon_master),
    .mon_write_i(mon_write), .mon_addr_i(mon_addr), .mon_strb_i(mon_strb), .mon_wdata_i(mon_wdata),
    .hpm_valid_i(hpm_valid),
    .hpm_write_i(hpm_write), .hpm_addr_i(hpm_addr), .hpm_wdata_i(hpm_wdata), .hpm_rdata_o(hpm_rdata),
    .reg_sel_i(profile_sel), .reg_write_i(profile_write), .reg_addr_i(profile_addr), .reg_wdata_i(profile_wdata),
    .reg_rdata_o(profile_rdata), .irq_o(irq_profile), .overflow_o(irq_overflow), .cycle_o(cycle),
    .trace_valid_o(h0_trace_valid), .trace_data_o(h0_trace_data), .trace_ready_i(h0_trace_ready)
  );

  // ---- Hart 1 ----
  generate
    if (HARTS == 1) begin : g_one_hart
      assign {i1_req_valid, i1_req_addr, i1_flush} = 34'd0;
      assign {d1_req_valid, d1_req_addr, d1_req_write, d1_req_wdata, d1_req_strb, d1_req_lock} = 71'd0;
      assign {h1_rst, h1_selected, h1_counter, h1_rdata, one_halts} = 36'd0;
      assign {both_halted, any_end, h0_stops} = {dbg_halted, program_end, stack_left};
      assign {shown_busy, shown_error, shown_wfi, shown_cause} =
          {dbg_busy, dbg_error, obs_o[`GNOMON_OBS_WFI], dbg_cause};
      assign end_status = obs_o[`GNOMON_OBS_MEM_WDATA];
      assign {trace_valid, trace_data, h0_trace_ready} = {h0_trace_valid, h0_trace_data, trace_ready};
      wire unused = &{1'b0, i1_req_ready, i1_rsp_valid, i1_rsp_rdata, i1_rsp_error, i1_flush_done, i1_miss,
          d1_req_ready, d1_grant, d1_snoop_valid, d1_snoop_addr, d1_rsp_valid, d1_rsp_rdata, d1_rsp_error, obs1_cache,
          irq1_timer, irq1_software};
    end else begin : g_two_harts
      wire h1_halted, h1_busy, h1_error, h1_end, h1_trace_valid, h1_trace_ready, h1_profile_write;
      wire [2:0] h1_cause;
      wire [`GNOMON_OBS_BITS-1:0] h1_obs;
      wire [7:0] h1_trace_data;
      wire [3:0] h1_profile_sel;
      wire [11:0] h1_profile_addr;
      wire [31:0] h1_profile_wdata;
      gnomon_bus_stage #(
        .REGISTERED(CFG_BORDER), .BLOCKS(4)
      ) u_profile_stage (
        .clk_i(clk_i), .rst_i(rst_i), .sel_i(reg_sel[PROFILE_BLOCK+4+:4]), .write_i(reg_write), .addr_i(reg_addr),
        .wdata_i(reg_wdata), .sel_o(h1_profile_sel), .write_o(h1_profile_write), .addr_o(h1_profile_addr),
        .wdata_o(h1_profile_wdata)
      );
      gnomon_second_hart #(
        .MUL_FAST(CFG_MUL_FAST), .COMPACT(CFG_COMPACT), .PREDICT(CFG_PREDICT), .LATE(CFG_LATE), .ATOMIC(CFG_ATOMIC),
        .BITS(CFG_BITS), .USER(CFG_USER), .PMP(CFG_PMP), .TRIGGERS(CFG_TRIGGERS), .LUTRAM(CFG_LUTRAM),
        .BORDER(CFG_BORDER), .STACK_LOG2(CFG_STACK_LOG2), .LANDINGS(CFG_LANDINGS), .HPM(CFG_HPM), .LOCKS(LOCK_ACCESSES),
        .LOCK_DATA(NUMBERS > 16 ? CFG_LOCK_DATA : 0), .TRAFFIC(WITH_TRAFFIC), .SWITCHES(CFG_SWITCHES),
        .RAM_BASE(CFG_RAM_BASE), .CAUSES(CFG_CAUSES), .FIFO_LOG2(TRACE_FIFO), .NUMBER_BITS(NUMBERS), .PMU(WITH_PMU),
        .RECORDS_LOG2(HART1_PROFILE != 0 ? RECORDS : 0), .ARCS(WITH_ARCS), .BUCKETS_LOG2(BUCKETS), .EPOCHS(WITH_EPOCHS),
        .LOSSES(WITH_LOSSES), .THREADS_LOG2(THREADS), .WATCH_LOG2(HART1_PROFILE != 0 ? WATCH : 0),
        .EVENT_CLOCK(HART1_PROFILE != 0 ? WITH_EVENT_CLOCK : 0),
        .WATCH_FRAMES_LOG2(WATCH_FRAMES), .WATCH_QUEUE_LOG2(WATCH_QUEUE), .WATCH_VALUES(VALUES),
        .LOCK_WORDS_LOG2(HART1_PROFILE != 0 ? LOCK_WORDS : 0), .MEMORY_LOG2($clog2(MEM_BYTES)),
        .CODE_WINDOW_LOG2(HART1_PROFILE != 0 ? CODE_WINDOW : 0), .SIMULATED(SIMULATED)
      ) u_second_hart (
        .clk_i(clk_i), .clk_host_i(clk_host_i), .clk_encoder_i(clk_encoder_i), .rst_i(rst_i), .hart_rst_i(hart_rst),
        .hart_rst_host_i(hart_reset_host || rst_i), .rst_o(h1_rst), .reg_sel_i(reg_sel[0]), .reg_write_i(reg_write),
        .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata), .reg_rdata_o(h1_rdata), .profile_sel_i(h1_profile_sel),
        .profile_write_i(h1_profile_write), .profile_addr_i(h1_profile_addr), .profile_wdata_i(h1_profile_wdata),
        .profile_rdata_o(reg_rdata[32*(PROFILE_BLOCK+4)+:32]), .i_req_valid_o(i1_req_valid),
        .i_req_ready_i(i1_req_ready), .i_req_addr_o(i1_req_addr), .i_rsp_valid_i(i1_rsp_valid),
        .i_rsp_rdata_i(i1_rsp_rdata), .i_rsp_error_i(i1_rsp_error), .i_flush_o(i1_flush),
        .i_flush_done_i(i1_flush_done), .i_miss_i(i1_miss), .d_req_valid_o(d1_req_valid), .d_req_ready_i(d1_req_ready),
        .d_req_addr_o(d1_req_addr), .d_req_write_o(d1_req_write), .d_req_wdata_o(d1_req_wdata),
        .d_req_strb_o(d1_req_strb), .d_req_lock_o(d1_req_lock), .d_grant_i(d1_grant), .d_snoop_valid_i(d1_snoop_valid),
        .d_snoop_addr_i(d1_snoop_addr), .d_rsp_valid_i(d1_rsp_valid), .d_rsp_rdata_i(d1_rsp_rdata),
        .d_rsp_error_i(d1_rsp_error), .icache_i(obs1_cache), .irq_software_i(irq1_software), .irq_timer_i(irq1_timer),
        .select_o(h1_selected), .dbg_halt_i(dbg_halt), .dbg_resume_i(dbg_resume), .dbg_halted_o(h1_halted),
        .dbg_cause_o(h1_cause), .dbg_insn_valid_i(dbg_insn_valid && h1_selected), .dbg_insn_i(dbg_insn),
        .dbg_busy_o(h1_busy), .dbg_error_o(h1_error), .counter_o(h1_counter), .stop_i(program_end || stack_left),
        .program_end_o(h1_end), .obs_o(h1_obs), .mon_valid_i(mon_valid && mon_h1), .mon_master_i(mon_master),
        .mon_write_i(mon_write), .mon_addr_i(mon_addr), .mon_strb_i(mon_strb), .mon_wdata_i(mon_wdata),
        .trace_valid_o(h1_trace_valid), .trace_data_o(h1_trace_data), .trace_ready_i(h1_trace_ready)
      );
      gnomon_trace_merge u_trace_merge (
        .clk_i(clk_host_i), .rst_i(rst_i), .valid_i({h1_trace_valid, h0_trace_valid}),
        .data_i({h1_trace_data, h0_trace_data}), .ready_o({h1_trace_ready, h0_trace_ready}), .valid_o(trace_valid),
        .data_o(trace_data), .ready_i(trace_ready)
      );

      // A hart that halts halts the other, by CONTROL.HALT. Hart 1 before its start counts as halted.
      reg h0_halted_q, h1_halted_q;
      always @(posedge clk_i) {h0_halted_q, h1_halted_q} <= {dbg_halted, h1_halted && !h1_rst};
      assign both_halted = dbg_halted && (h1_halted || h1_rst);
      assign one_halts = (dbg_halted && !h0_halted_q) || (h1_halted && !h1_rst && !h1_halted_q);
      assign any_end = program_end || h1_end;
      assign end_status = program_end ? obs_o[`GNOMON_OBS_MEM_WDATA] : h1_obs[`GNOMON_OBS_MEM_WDATA];
      assign h0_stops = stack_left || h1_end;
      assign {shown_busy, shown_error, shown_wfi, shown_cause} = h1_selected ?
          {h1_busy, h1_error, h1_obs[`GNOMON_OBS_WFI], h1_cause} :
          {dbg_busy, dbg_error, obs_o[`GNOMON_OBS_WFI], dbg_cause};
      wire unused = &{1'b0, h1_obs};
    end
  endgenerate

  // ---- The host's side ----
  wire cmd_valid, cmd_ready, rep_valid, rep_ready, rep_flush;
  wire [7:0] cmd_data, rep_data;

  gnomon_hostport #(
    .LEVEL_LOG2(UART_LOG2)
  ) u_hostport (
    .clk_i(clk_host_i), .rst_i(rst_i), .cmd_valid_i(cmd_valid), .cmd_data_i(cmd_data), .cmd_ready_o(cmd_ready),
    .rep_valid_o(rep_valid), .rep_data_o(rep_data), .rep_ready_i(rep_ready), .rep_flush_o(rep_flush),
    .h_req_valid_o(h_req_valid), .h_req_ready_i(h_req_ready), .h_req_addr_o(h_req_addr), .h_req_write_o(h_req_write),
    .h_req_wdata_o(h_req_wdata), .h_rsp_valid_i(h_rsp_valid), .h_rsp_rdata_i(h_rsp_rdata), .h_rsp_error_i(h_rsp_error),
    .stopped_i(memory_free), .tx_valid_i(tx_valid), .tx_data_i(tx_data), .tx_ready_o(tx_ready), .tx_level_i(tx_level),
    .rx_valid_o(rx_valid), .rx_data_o(rx_data), .rx_ready_i(rx_ready), .event_valid_i(event_valid),
    .event_exit_i(event_exit), .event_done_o(event_done)
  );

  wire acm_valid, acm_ready, acm_flush, acm_open, acm_overrun, acm_typed_valid;
  wire [7:0] acm_data, acm_typed_data;
  generate
    if (CONFIG == 2) begin : g_terminal
      wire drop;
      assign tx_take = tx_ready || drop;
      // The host port has priority because it does not wait.
      assign to_uart_valid = rx_valid || acm_typed_valid;
      assign to_uart_data = rx_valid ? rx_data : acm_typed_data;
      gnomon_terminal u_terminal (
        .clk_i(clk_host_i), .rst_i(rst_i), .open_i(acm_open), .put_i(put), .put_data_i(reg_wdata[7:0]),
        .full_i(tx_level[UART_LOG2]), .rep_valid_i(rep_valid), .rep_ready_i(rep_ready), .drop_o(drop),
        .valid_o(acm_valid), .data_o(acm_data), .ready_i(acm_ready), .flush_o(acm_flush), .overrun_o(acm_overrun)
      );
    end else begin : g_no_terminal
      assign tx_take = tx_ready;
      assign to_uart_valid = rx_valid;
      assign to_uart_data = rx_data;
      assign {acm_valid, acm_data, acm_flush, acm_overrun} = 11'd0;
      wire unused_terminal = &{1'b0, put, acm_ready, acm_open, acm_typed_valid, acm_typed_data};
    end
  endgenerate

  gnomon_usb #(
    .CONFIG(CONFIG), .FUNCTIONAL(FUNCTIONAL), .DFU(DFU), .LINE(LINE), .SERIAL_DIVIDER(SERIAL_DIVIDER), .SERIAL(SERIAL)
  ) u_usb (
    .clk_i(clk_host_i), .rst_i(rst_i), .clk48_i(clk48_i), .cmd_valid_o(cmd_valid), .cmd_data_o(cmd_data),
    .cmd_ready_i(cmd_ready), .rep_valid_i(rep_valid), .rep_data_i(rep_data), .rep_ready_o(rep_ready),
    .rep_flush_i(rep_flush), .trace_valid_i(trace_valid), .trace_data_i(trace_data), .trace_ready_o(trace_ready),
    .acm_valid_i(acm_valid), .acm_data_i(acm_data), .acm_ready_o(acm_ready), .acm_flush_i(acm_flush),
    .acm_typed_valid_o(acm_typed_valid), .acm_typed_data_o(acm_typed_data), .acm_typed_ready_i(rx_ready && !rx_valid),
    .acm_open_o(acm_open), .acm_overrun_i(acm_overrun), .boot_o(boot_o), .suspended_o(suspended_o), .usb_dp_i(usb_dp_i),
    .usb_dn_i(usb_dn_i), .usb_dp_o(usb_dp_o), .usb_dn_o(usb_dn_o), .usb_oe_o(usb_oe_o), .usb_pullup_o(usb_pullup_o),
    .txn_i(txn_i), .txn_o(txn_o)
  );

  assign hart_rst_o = hart_rst;
  assign stopped_o = stopped;
  assign host_idle_o = rep_flush && !tx_valid && !acm_valid && (CONFIG != 2 || !acm_typed_valid);

endmodule

`default_nettype wire
