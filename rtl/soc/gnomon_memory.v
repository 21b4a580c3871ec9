// SPDX-License-Identifier: Apache-2.0
// The memory system between the ports of core and host: caches, bus, main memory on the chip or in an SDRAM. The
// register blocks and the bus monitor's users are outside. Protocol: docs/internals/soc.md; SDRAM:
// docs/internals/sdram.md.
`default_nettype none

module gnomon_memory #(
  parameter [31:0] BASE = 32'h1000_0000,
  parameter integer BYTES = 65536,             // of main memory, a power of two
  parameter integer BLOCKS = 4,                // register blocks of 4 KiB from 0xF000_0000 on
  parameter integer LATE = BLOCKS,             // the first of them that answers three cycles later
  parameter integer ICACHE_BYTES = 1024,       // 0: no instruction cache
  parameter integer ICACHE_LINE_WORDS = 4,
  parameter integer ICACHE_COMPACT = 0,
  parameter integer DCACHE_BYTES = 0,          // 0: no data cache
  parameter integer DCACHE_LINE_WORDS = 8,
  parameter integer DCACHE_BUFFER_LOG2 = 2,    // log2 of the stores in its write buffer
  // additional cycles of each bus access by the hart, for measurements
  parameter integer DELAY = 0,
  parameter integer SDRAM = 0,                 // 1: main memory is a x16 SDR SDRAM
  parameter integer SDRAM_CAPTURE = 0,         // clock of the SDRAM, see gnomon_sdram
  // 1: each fill of a line brings the line's tags from main memory's shadow; with SDRAM, both caches, lines of 8 words
  parameter integer TAG_CACHE = 0,
  parameter [31:0] CLOCK_HZ = 32'd60_000_000,
  parameter integer SPRAM = 0,                 // 1: main memory uses single-port RAM of the UP5K
  parameter [31:0] FLASH_BASE = 32'h2000_0000,
  // log2 of the bytes of a quad SPI flash, 0: there is none; only with ICACHE_COMPACT, whose words are then in memory
  // with one port
  parameter integer FLASH_LOG2 = 0,
  // 2: a second hart with an instruction cache of its own; not with SDRAM, DCACHE_BYTES, DELAY, FLASH_LOG2
  parameter integer HARTS = 1
) (
  input  wire              clk_i, rst_i,
  input  wire              hart_rst_i,  // resets the caches

  // Instruction port of the core (read only).
  input  wire              i_req_valid_i,
  output wire              i_req_ready_o,
  input  wire [31:0]       i_req_addr_i,
  output wire              i_rsp_valid_o,
  output wire [31:0]       i_rsp_rdata_o,
  output wire              i_rsp_error_o,
  input  wire              i_flush_i,  // discards cached instructions after every store is complete
  output wire              i_flush_done_o, i_miss_o,

  // Data port of the core.
  input  wire              d_req_valid_i,
  output wire              d_req_ready_o,
  input  wire [31:0]       d_req_addr_i,
  input  wire              d_req_write_i,
  input  wire [31:0]       d_req_wdata_i,
  input  wire [3:0]        d_req_strb_i,
  input  wire              d_req_lock_i,
  input  wire              d_lock_i,           // the host must not write in this cycle
  output wire              d_snoop_valid_o,
  output wire [31:2]       d_snoop_addr_o,
  output wire              d_rsp_valid_o,
  output wire [31:0]       d_rsp_rdata_o,
  output wire              d_rsp_error_o, d_miss_o,
  output wire              d_grant_o,   // an sc may check its reservation

  // Ports of hart 1, with HARTS = 2. hart1_rst_i resets its cache. hart_o: whose access mon_* shows. hold_i: no access
  // of a hart to a register in this cycle.
  input  wire              hart1_rst_i, hold_i,
  input  wire              i1_req_valid_i,
  output wire              i1_req_ready_o,
  input  wire [31:0]       i1_req_addr_i,
  output wire              i1_rsp_valid_o,
  output wire [31:0]       i1_rsp_rdata_o,
  output wire              i1_rsp_error_o,
  input  wire              i1_flush_i,
  output wire              i1_flush_done_o, i1_miss_o,
  input  wire              d1_req_valid_i,
  output wire              d1_req_ready_o,
  input  wire [31:0]       d1_req_addr_i,
  input  wire              d1_req_write_i,
  input  wire [31:0]       d1_req_wdata_i,
  input  wire [3:0]        d1_req_strb_i,
  input  wire              d1_req_lock_i,
  output wire              d1_snoop_valid_o,
  output wire [31:2]       d1_snoop_addr_o,
  output wire              d1_rsp_valid_o,
  output wire [31:0]       d1_rsp_rdata_o,
  output wire              d1_rsp_error_o,
  output wire              d1_grant_o,
  output wire [1:0]        obs1_cache_o,  // accesses and fills of hart 1's instruction cache
  output wire              hart_o,

  // Reason for which a port waits; only stall causes depend on these signals.
  output wire              i_wait_refresh_o, i_wait_page_o, d_wait_refresh_o, d_wait_page_o,
  output wire [3:0]        obs_cache_o,  // accesses and fills: instruction cache, data cache
  // A word of shadow has come for a line of the instruction cache, of the data cache; the line, the word.
  output wire              tags_code_o, tags_data_o,
  output wire [$clog2(BYTES)-1:5] tags_line_o,
  output wire [31:0]       tags_word_o,

  // Host port (whole words).
  input  wire              stopped_i,  // the hart is stopped: memory must be as the program left it
  input  wire              h_grant_i,  // the bus may take a request of the host in this cycle
  input  wire              h_req_valid_i,
  output wire              h_req_ready_o,
  input  wire [31:0]       h_req_addr_i,
  input  wire              h_req_write_i,
  input  wire [31:0]       h_req_wdata_i,
  output wire              h_rsp_valid_o,
  output wire [31:0]       h_rsp_rdata_o,
  output wire              h_rsp_error_o,

  // Register blocks: see gnomon_interconnect.
  output wire [BLOCKS-1:0] reg_sel_o,
  output wire              reg_write_o,
  output wire [11:0]       reg_addr_o,
  output wire [31:0]       reg_wdata_o,
  input  wire [32*BLOCKS-1:0] reg_rdata_i,

  // Bus monitor: docs/internals/observation.md.
  output wire              mon_valid_o,
  output wire [1:0]        mon_master_o,
  output wire              mon_write_o,
  output wire [31:0]       mon_addr_o,
  output wire [3:0]        mon_strb_o,
  output wire [31:0]       mon_wdata_o,

  // SDRAM: with park_i the controller goes to the state in which every run starts, and stays there.
  input  wire              park_i,
  output wire              parked_o, sdram_cke_o, sdram_cs_n_o, sdram_ras_n_o, sdram_cas_n_o, sdram_we_n_o,
  output wire [1:0]        sdram_ba_o,
  output wire [12:0]       sdram_a_o,
  output wire [1:0]        sdram_dqm_o,
  output wire [15:0]       sdram_dq_o,
  output wire              sdram_dq_oe_o,
  input  wire [15:0]       sdram_dq_i,

  // Flash (gnomon_flash).
  output wire              flash_sck_o, flash_cs_n_o,
  output wire [3:0]        flash_io_o, flash_io_oe_o,
  input  wire [3:0]        flash_io_i
);

  localparam integer LOG2 = $clog2(BYTES);

  // ---- Caches; bi_* and bd_* are their bus ports ----
  wire d_empty;                                // every store is complete on the bus
  wire i_flushed;
  assign i_flush_done_o = i_flushed && d_empty;

  // In the shadow of a line, words 0 and 1 have the tags of its instructions, word 2 those of its words as data.
  wire bi_req_valid, bi_req_ready, bi_req_shadow, bi_rsp_valid, bi_rsp_error;
  wire [31:0] bi_req_addr, bi_rsp_rdata, i_shadow_addr, d_shadow_addr;
  gnomon_icache #(
    .BYTES(ICACHE_BYTES), .LINE_WORDS(ICACHE_LINE_WORDS), .BASE(BASE), .SIZE_LOG2(LOG2), .COMPACT(ICACHE_COMPACT),
    .SHADOW(TAG_CACHE != 0 ? 2 : 0), .FLASH_BASE(FLASH_BASE), .FLASH_LOG2(FLASH_LOG2),
    .SINGLE(FLASH_LOG2 != 0 ? 1 : 0), .SPRAM(SPRAM)
  ) u_icache (
    .clk_i(clk_i), .rst_i(hart_rst_i), .c_req_valid_i(i_req_valid_i), .c_req_ready_o(i_req_ready_o),
    .c_req_addr_i(i_req_addr_i), .c_rsp_valid_o(i_rsp_valid_o), .c_rsp_rdata_o(i_rsp_rdata_o),
    .c_rsp_error_o(i_rsp_error_o), .flush_i(i_flush_i && d_empty), .flush_done_o(i_flushed), .access_o(obs_cache_o[3]),
    .fill_o(obs_cache_o[2]), .miss_o(i_miss_o), .shadow_valid_o(tags_code_o), .shadow_addr_o(i_shadow_addr),
    .b_req_valid_o(bi_req_valid), .b_req_ready_i(bi_req_ready), .b_req_addr_o(bi_req_addr),
    .b_req_shadow_o(bi_req_shadow), .b_rsp_valid_i(bi_rsp_valid), .b_rsp_rdata_i(bi_rsp_rdata),
    .b_rsp_error_i(bi_rsp_error)
  );

  wire bd_req_valid, bd_req_ready, bd_req_write, bd_req_lock, bd_req_shadow, bd_rsp_valid, bd_rsp_error;
  wire [31:0] bd_req_addr, bd_req_wdata, bd_rsp_rdata;
  wire [3:0] bd_req_strb;
  wire unused_dcache = &{1'b0, bd_req_lock};
  gnomon_dcache #(
    .BYTES(DCACHE_BYTES), .LINE_WORDS(DCACHE_LINE_WORDS), .BASE(BASE), .SIZE_LOG2(LOG2),
    .BUFFER_LOG2(DCACHE_BUFFER_LOG2), .SHADOW(TAG_CACHE != 0 ? 1 : 0), .SHADOW_AT(2)
  ) u_dcache (
    .clk_i(clk_i), .rst_i(hart_rst_i), .c_req_valid_i(d_req_valid_i), .c_req_ready_o(d_req_ready_o),
    .c_req_addr_i(d_req_addr_i), .c_req_write_i(d_req_write_i), .c_req_wdata_i(d_req_wdata_i),
    .c_req_strb_i(d_req_strb_i), .c_req_lock_i(d_req_lock_i), .c_rsp_valid_o(d_rsp_valid_o),
    .c_rsp_rdata_o(d_rsp_rdata_o), .c_rsp_error_o(d_rsp_error_o), .b_req_valid_o(bd_req_valid),
    .b_req_ready_i(bd_req_ready), .b_req_addr_o(bd_req_addr), .b_req_write_o(bd_req_write),
    .b_req_wdata_o(bd_req_wdata), .b_req_strb_o(bd_req_strb), .b_req_lock_o(bd_req_lock),
    .b_req_shadow_o(bd_req_shadow), .b_rsp_valid_i(bd_rsp_valid),
    .b_rsp_rdata_i(bd_rsp_rdata), .b_rsp_error_i(bd_rsp_error),
    .snoop_valid_i(h_req_valid_i && h_req_ready_o && h_req_write_i), .snoop_addr_i(h_req_addr_i), .empty_o(d_empty),
    .access_o(obs_cache_o[1]), .fill_o(obs_cache_o[0]), .miss_o(d_miss_o), .shadow_valid_o(tags_data_o),
    .shadow_addr_o(d_shadow_addr)
  );
  assign tags_line_o = tags_data_o ? d_shadow_addr[LOG2-1:5] : i_shadow_addr[LOG2-1:5];
  assign tags_word_o = mem_rsp_rdata & {32{TAG_CACHE != 0}};
  wire unused_shadow = &{1'b0, i_shadow_addr, d_shadow_addr};

  // ---- Bus; xi_* and xd_* come from the delay ----
  wire xi_req_valid, xi_req_ready, xi_req_shadow, xd_req_valid, xd_req_ready, xd_req_write, xd_req_shadow;
  wire [31:0] xi_req_addr, xd_req_addr, xd_req_wdata;
  wire [3:0] xd_req_strb;
  gnomon_bus_delay #(
    .CYCLES(DELAY), .WIDTH(33)
  ) u_delay_i (
    .clk_i(clk_i), .rst_i(hart_rst_i), .req_valid_i(bi_req_valid), .req_ready_o(bi_req_ready),
    .req_i({bi_req_shadow, bi_req_addr}), .req_valid_o(xi_req_valid), .req_ready_i(xi_req_ready),
    .req_o({xi_req_shadow, xi_req_addr})
  );
  gnomon_bus_delay #(
    .CYCLES(DELAY), .WIDTH(70)
  ) u_delay_d (
    .clk_i(clk_i), .rst_i(hart_rst_i), .req_valid_i(bd_req_valid), .req_ready_o(bd_req_ready),
    .req_i({bd_req_shadow, bd_req_write, bd_req_strb, bd_req_addr, bd_req_wdata}), .req_valid_o(xd_req_valid),
    .req_ready_i(xd_req_ready), .req_o({xd_req_shadow, xd_req_write, xd_req_strb, xd_req_addr, xd_req_wdata})
  );

  // ---- Harts; yi_* and yd_* are the ports of all harts ----
  wire yi_req_valid, yi_req_ready, yi_rsp_valid, yd_req_valid, yd_req_ready, yd_req_write, yd_lock, yd_rsp_valid;
  wire [31:0] yi_req_addr, yd_req_addr, yd_req_wdata;
  wire [3:0] yd_req_strb;
  wire y_snoop_valid;
  wire [31:2] y_snoop_addr;
  generate
    if (HARTS == 1) begin : g_one_hart
      assign {yi_req_valid, xi_req_ready, bi_rsp_valid} = {xi_req_valid, yi_req_ready, yi_rsp_valid};
      assign {yd_req_valid, xd_req_ready, bd_rsp_valid} = {xd_req_valid, yd_req_ready, yd_rsp_valid};
      assign yi_req_addr = xi_req_addr;
      assign {yd_req_addr, yd_req_write, yd_req_wdata} = {xd_req_addr, xd_req_write, xd_req_wdata};
      assign {yd_req_strb, yd_lock} = {xd_req_strb, d_lock_i};
      assign {d_snoop_valid_o, d_snoop_addr_o} = {y_snoop_valid, y_snoop_addr};
      assign {d_grant_o, hart_o} = 2'b10;
      assign {i1_req_ready_o, i1_rsp_valid_o, i1_rsp_rdata_o, i1_rsp_error_o, i1_flush_done_o, i1_miss_o} = 37'd0;
      assign {d1_req_ready_o, d1_snoop_valid_o, d1_snoop_addr_o, d1_rsp_valid_o, d1_rsp_rdata_o} = 65'd0;
      assign {d1_rsp_error_o, d1_grant_o, obs1_cache_o} = 4'd0;
      wire unused_hart_1 = &{1'b0, hart1_rst_i, hold_i, i1_req_valid_i, i1_req_addr_i, i1_flush_i, d1_req_valid_i,
          d1_req_addr_i, d1_req_write_i, d1_req_wdata_i, d1_req_strb_i, d1_req_lock_i};
    end else begin : g_two_harts
      wire b1_req_valid, b1_req_ready, b1_rsp_valid, b1_req_shadow, b1_shadow_valid;
      wire [31:0] b1_req_addr, b1_shadow_addr;
      wire unused_shadow1 = &{1'b0, b1_req_shadow, b1_shadow_valid, b1_shadow_addr, xi_req_shadow, xd_req_shadow};
      gnomon_icache #(
        .BYTES(ICACHE_BYTES), .LINE_WORDS(ICACHE_LINE_WORDS), .BASE(BASE), .SIZE_LOG2(LOG2)
      ) u_icache1 (
        .clk_i(clk_i), .rst_i(hart1_rst_i), .c_req_valid_i(i1_req_valid_i), .c_req_ready_o(i1_req_ready_o),
        .c_req_addr_i(i1_req_addr_i), .c_rsp_valid_o(i1_rsp_valid_o), .c_rsp_rdata_o(i1_rsp_rdata_o),
        .c_rsp_error_o(i1_rsp_error_o), .flush_i(i1_flush_i), .flush_done_o(i1_flush_done_o),
        .access_o(obs1_cache_o[1]), .fill_o(obs1_cache_o[0]), .miss_o(i1_miss_o), .shadow_valid_o(b1_shadow_valid),
        .shadow_addr_o(b1_shadow_addr), .b_req_valid_o(b1_req_valid), .b_req_ready_i(b1_req_ready),
        .b_req_addr_o(b1_req_addr), .b_req_shadow_o(b1_req_shadow), .b_rsp_valid_i(b1_rsp_valid),
        .b_rsp_rdata_i(bi_rsp_rdata), .b_rsp_error_i(bi_rsp_error)
      );
      wire unused_lock = &{1'b0, d_lock_i};
      assign {d1_rsp_rdata_o, d1_rsp_error_o} = {bd_rsp_rdata, bd_rsp_error};
      gnomon_hart_arbiter u_hart_arbiter (
        .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst_i), .hold_i(hold_i),
        .i_req_valid_i({b1_req_valid, xi_req_valid}), .i_req_ready_o({b1_req_ready, xi_req_ready}),
        .i_req_addr_i({b1_req_addr, xi_req_addr}), .i_rsp_valid_o({b1_rsp_valid, bi_rsp_valid}),
        .d_req_valid_i({d1_req_valid_i, xd_req_valid}), .d_req_ready_o({d1_req_ready_o, xd_req_ready}),
        .d_req_addr_i({d1_req_addr_i, xd_req_addr}), .d_req_write_i({d1_req_write_i, xd_req_write}),
        .d_req_wdata_i({d1_req_wdata_i, xd_req_wdata}), .d_req_strb_i({d1_req_strb_i, xd_req_strb}),
        .d_req_lock_i({d1_req_lock_i, d_req_lock_i}), .d_grant_o({d1_grant_o, d_grant_o}),
        .d_snoop_valid_o({d1_snoop_valid_o, d_snoop_valid_o}), .d_snoop_addr_o({d1_snoop_addr_o, d_snoop_addr_o}),
        .d_rsp_valid_o({d1_rsp_valid_o, bd_rsp_valid}), .xi_req_valid_o(yi_req_valid), .xi_req_ready_i(yi_req_ready),
        .xi_req_addr_o(yi_req_addr), .xi_rsp_valid_i(yi_rsp_valid), .xd_req_valid_o(yd_req_valid),
        .xd_req_ready_i(yd_req_ready), .xd_req_addr_o(yd_req_addr), .xd_req_write_o(yd_req_write),
        .xd_req_wdata_o(yd_req_wdata), .xd_req_strb_o(yd_req_strb), .xd_lock_o(yd_lock), .xd_rsp_valid_i(yd_rsp_valid),
        .xh_write_i(y_snoop_valid), .xh_addr_i(y_snoop_addr), .hart_o(hart_o)
      );
    end
  endgenerate

  wire mem_valid, mem_ready, mem_write, mem_shadow, mem_rsp_valid, mem_refresh, mem_page;
  wire [LOG2-1:2] mem_addr;
  wire [31:0] mem_wdata, mem_rsp_rdata;
  wire [3:0] mem_strb;
  wire [1:0] mem_owner, mem_rsp_owner;
  wire flash_want, flash_there, flash_take, flash_idle, flash_send;
  wire [31:2] flash_addr;
  wire [31:0] flash_word;
  gnomon_interconnect #(
    .RAM_BASE(BASE), .RAM_BYTES(BYTES), .BLOCKS(BLOCKS), .LATE(LATE), .WAIT(SDRAM), .SHADOW(TAG_CACHE),
    .FLASH_BASE(FLASH_BASE), .FLASH_LOG2(FLASH_LOG2)
  ) u_interconnect (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .i_req_valid_i   (yi_req_valid),
    .i_req_ready_o   (yi_req_ready),
    .i_req_addr_i    (yi_req_addr),
    .i_req_shadow_i  (xi_req_shadow),
    .i_rsp_valid_o   (yi_rsp_valid),
    .i_rsp_rdata_o   (bi_rsp_rdata),
    .i_rsp_error_o   (bi_rsp_error),
    .d_req_valid_i   (yd_req_valid),
    .d_req_ready_o   (yd_req_ready),
    .d_req_addr_i    (yd_req_addr),
    .d_req_shadow_i  (xd_req_shadow),
    .d_req_write_i   (yd_req_write),
    .d_req_wdata_i   (yd_req_wdata),
    .d_req_strb_i    (yd_req_strb),
    .d_req_lock_i    (yd_lock),              // directly from the core, past data cache and delay
    .d_snoop_valid_o (y_snoop_valid),
    .d_snoop_addr_o  (y_snoop_addr),
    .d_rsp_valid_o   (yd_rsp_valid),
    .d_rsp_rdata_o   (bd_rsp_rdata),
    .d_rsp_error_o   (bd_rsp_error),
    .h_grant_i       (h_grant_i && (d_empty || !stopped_i)),
    .h_req_valid_i   (h_req_valid_i),
    .h_req_ready_o   (h_req_ready_o),
    .h_req_addr_i    (h_req_addr_i),
    .h_req_write_i   (h_req_write_i),
    .h_req_wdata_i   (h_req_wdata_i),
    .h_rsp_valid_o   (h_rsp_valid_o),
    .h_rsp_rdata_o   (h_rsp_rdata_o),
    .h_rsp_error_o   (h_rsp_error_o),
    .mem_valid_o     (mem_valid),
    .mem_ready_i     (mem_ready),
    .mem_addr_o      (mem_addr),
    .mem_shadow_o    (mem_shadow),
    .mem_write_o     (mem_write),
    .mem_wdata_o     (mem_wdata),
    .mem_strb_o      (mem_strb),
    .mem_owner_o     (mem_owner),
    .mem_rsp_valid_i (mem_rsp_valid),
    .mem_rsp_owner_i (mem_rsp_owner),
    .mem_rsp_rdata_i (mem_rsp_rdata),
    .mem_refresh_i   (mem_refresh),
    .mem_page_i      (mem_page),
    .flash_want_o    (flash_want),
    .flash_addr_o    (flash_addr),
    .flash_there_i   (flash_there),
    .flash_take_o    (flash_take),
    .flash_idle_i    (flash_idle),
    .flash_send_o    (flash_send),
    .flash_word_i    (flash_word),
    .i_wait_refresh_o(i_wait_refresh_o),
    .i_wait_page_o   (i_wait_page_o),
    .d_wait_refresh_o(d_wait_refresh_o),
    .d_wait_page_o   (d_wait_page_o),
    .reg_sel_o       (reg_sel_o),
    .reg_write_o     (reg_write_o),
    .reg_addr_o      (reg_addr_o),
    .reg_wdata_o     (reg_wdata_o),
    .reg_rdata_i     (reg_rdata_i),
    .mon_valid_o     (mon_valid_o),
    .mon_master_o    (mon_master_o),
    .mon_write_o     (mon_write_o),
    .mon_addr_o      (mon_addr_o),
    .mon_strb_o      (mon_strb_o),
    .mon_wdata_o     (mon_wdata_o)
  );

  // ---- Main memory ----
  generate
    if (SDRAM == 0) begin : g_chip
      gnomon_ram #(
        .BYTES(BYTES), .SPRAM(SPRAM)
      ) u_ram (
        .clk_i(clk_i), .en_i(mem_valid), .we_i(mem_write ? mem_strb : 4'b0000), .addr_i(mem_addr), .wdata_i(mem_wdata),
        .rdata_o(mem_rsp_rdata)
      );

      assign {mem_ready, mem_rsp_valid, mem_rsp_owner, mem_refresh, mem_page} = 6'b10_00_00;
      assign parked_o = 1'b1;
      assign {sdram_cke_o, sdram_cs_n_o, sdram_ras_n_o, sdram_cas_n_o, sdram_we_n_o} = 5'b01111;
      assign {sdram_ba_o, sdram_a_o, sdram_dqm_o, sdram_dq_o, sdram_dq_oe_o} = 34'd0;
      wire unused = &{1'b0, sdram_dq_i, park_i, mem_owner, mem_shadow, SDRAM_CAPTURE[0], CLOCK_HZ};
    end else begin : g_sdram
      // A line and its shadow are in one row: half of each row is main memory, the other half is its shadow.
      localparam integer CHIP_LOG2 = TAG_CACHE != 0 ? LOG2 + 1 : LOG2;
      wire [CHIP_LOG2-1:2] chip_addr;
      if (TAG_CACHE != 0) begin : g_shadow
        assign chip_addr = {mem_addr[LOG2-1:9], mem_shadow, mem_addr[8:2]};
      end else begin : g_plain
        assign chip_addr = mem_addr;
        wire unused_mem_shadow = &{1'b0, mem_shadow};
      end
      gnomon_sdram #(
        .CLOCK_HZ(CLOCK_HZ), .BYTES(1 << CHIP_LOG2), .CAPTURE(SDRAM_CAPTURE)
      ) u_sdram (
        .clk_i(clk_i), .rst_i(rst_i), .park_i(park_i), .parked_o(parked_o), .req_valid_i(mem_valid),
        .req_ready_o(mem_ready), .req_addr_i(chip_addr), .req_write_i(mem_write), .req_wdata_i(mem_wdata),
        .req_strb_i(mem_strb), .req_owner_i(mem_owner), .rsp_valid_o(mem_rsp_valid), .rsp_owner_o(mem_rsp_owner),
        .rsp_rdata_o(mem_rsp_rdata), .refresh_o(mem_refresh), .page_o(mem_page), .sdram_cke_o(sdram_cke_o),
        .sdram_cs_n_o(sdram_cs_n_o), .sdram_ras_n_o(sdram_ras_n_o), .sdram_cas_n_o(sdram_cas_n_o),
        .sdram_we_n_o(sdram_we_n_o), .sdram_ba_o(sdram_ba_o), .sdram_a_o(sdram_a_o), .sdram_dqm_o(sdram_dqm_o),
        .sdram_dq_o(sdram_dq_o), .sdram_dq_oe_o(sdram_dq_oe_o), .sdram_dq_i(sdram_dq_i)
      );
      wire unused = &{1'b0, SPRAM[0]};
    end
  endgenerate

  // ---- Flash memory; the host's bytes and their ends come from bits 8:0 of its words ----
  generate
    if (FLASH_LOG2 != 0) begin : g_flash
      gnomon_flash #(
        .LOG2(FLASH_LOG2)
      ) u_flash (
        .clk_i(clk_i), .rst_i(rst_i), .stopped_i(stopped_i), .want_i(flash_want), .addr_i(flash_addr[FLASH_LOG2-1:2]),
        .there_o(flash_there), .take_i(flash_take), .word_o(flash_word), .idle_o(flash_idle), .send_i(flash_send),
        .byte_i(h_req_wdata_i[7:0]), .last_i(h_req_wdata_i[8]), .sck_o(flash_sck_o), .cs_n_o(flash_cs_n_o),
        .io_o(flash_io_o), .io_oe_o(flash_io_oe_o), .io_i(flash_io_i)
      );
      wire unused_flash = &{1'b0, flash_addr};
    end else begin : g_no_flash
      assign {flash_there, flash_idle, flash_word} = {2'b11, 32'd0};
      assign {flash_sck_o, flash_cs_n_o, flash_io_o, flash_io_oe_o} = 10'b01_0000_0000;
      wire unused_flash = &{1'b0, flash_want, flash_addr, flash_take, flash_send, flash_io_i};
    end
  endgenerate

endmodule

`default_nettype wire
