// SPDX-License-Identifier: Apache-2.0
// The block TAGS (docs/internals/tags.md): looks up tags or takes them from hints, and performs their actions DELAY
// cycles after the instruction retired.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_tags #(
  parameter LOG2 = 18,        // log2 of the shadow memory's words, 12 or more
  parameter FETCH_LOG2 = 11,  // log2 of the words in the tag cache of instructions, as many as in the instruction cache
  parameter DATA_LOG2 = 8,    // log2 of the words in the tag cache of accesses; both below LOG2
  parameter WAIT = 0,         // additional cycles of an access to the shadow memory, up to 3, for a bench
  parameter DELAY = 8,
  parameter PER_ADDRESS_LOG2 = 9,     // log2 of the per-address counters in each segment
  parameter PER_ADDRESS_SEGMENTS = 4
) (
  input  wire        clk_i,
  input  wire        rst_i,       // power-on: resets everything
  // The hart's reset, at least 32 cycles long. Its beginning clears the counts and the sample queue.
  input  wire        hart_rst_i,

  input  wire [`GNOMON_OBS_PROFILED] obs_i,

  input  wire        mon_valid_i,
  input  wire [1:0]  mon_master_i,
  input  wire        mon_write_i,
  input  wire [31:2] mon_addr_i,

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o,  // one cycle after reg_sel_i, else 0

  output wire        irq_o,
  output wire        traced_o,  // the enter or exit of a function may be an event
  // Of the instruction that retired DELAY cycles ago:
  output wire        tagged_o,  // it has a tag for the filter TAGGED
  output wire [3:0]  gates_o    // it is in an interval of timer n
);
`include "gnomon_tags_config.vh"
  localparam [4:0] DEBUG = 5'd9, RESET = 5'd10;
  wire obs_valid = obs_i[`GNOMON_OBS_VALID], obs_trap = obs_i[`GNOMON_OBS_TRAP], obs_debug = obs_i[`GNOMON_OBS_DEBUG];
  wire [31:0] obs_insn = obs_i[`GNOMON_OBS_INSN], obs_pc_rdata = obs_i[`GNOMON_OBS_PC_RDATA],
      obs_pc_wdata = obs_i[`GNOMON_OBS_PC_WDATA], obs_mem_addr = obs_i[`GNOMON_OBS_MEM_ADDR];
  wire [3:0] obs_mem_rmask = obs_i[`GNOMON_OBS_MEM_RMASK], obs_mem_wmask = obs_i[`GNOMON_OBS_MEM_WMASK];
  wire [4:0] obs_cause = obs_i[`GNOMON_OBS_CAUSE];

  reg in_reset;
  always @(posedge clk_i) in_reset <= hart_rst_i;
  wire clear = rst_i || (hart_rst_i && !in_reset);

  wire retired = obs_valid && !obs_trap;
  wire unattributed = obs_cause == DEBUG || obs_cause == RESET; // no instruction pays for this cycle
  wire reads = |obs_mem_rmask, writes = |obs_mem_wmask;

  // ---- Registers ----
  wire enable, hints, trace, clear_tags, clear_counts, swept, actions_ready, actions_busy;
  wire access, access_write, access_done, done, cleared;
  wire [LOG2-1:0] access_index, done_index;
  wire [14:0] access_word, done_word;
  wire [SEGMENTS*(33-LOG2)-1:0] maps;
  wire fetch_miss, data_miss, filled, fetch_late, data_late, hinted, hint_lost;
  wire [31:0] own_rdata, actions_rdata, sampler_rdata;
  assign reg_rdata_o = own_rdata | actions_rdata | sampler_rdata;
  gnomon_tag_regs #(
    .LOG2(LOG2), .SEGMENTS(SEGMENTS), .CONFIG_WORD(CONFIG_WORD)
  ) u_regs (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear || clear_counts), .reg_sel_i(reg_sel_i), .reg_write_i(reg_write_i),
    .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(own_rdata), .enable_o(enable), .hints_o(hints),
    .trace_o(trace), .clear_tags_o(clear_tags), .clear_counts_o(clear_counts), .ready_i(swept && actions_ready),
    .busy_i(actions_busy), .maps_o(maps), .valid_o(access), .write_o(access_write), .index_o(access_index),
    .word_o(access_word), .done_i(access_done), .access_i(done), .access_index_i(done_index), .access_word_i(done_word),
    .cleared_i(cleared), .fetch_miss_i(fetch_miss), .data_miss_i(data_miss), .fetch_late_i(fetch_late),
    .data_late_i(data_late), .filled_i(filled), .hinted_i(hinted), .hint_lost_i(hint_lost)
  );

  // ---- Hints and lookup ----
  wire [4:0] hint_tag;
  gnomon_tag_hints u_hints (
    .clk_i(clk_i), .clear_i(clear || clear_counts || !enable || !hints), .retired_i(retired), .obs_insn_i(obs_insn),
    .pc_i(obs_pc_rdata[31:1]), .next_pc_i(obs_pc_wdata[31:1]), .hinted_o(hinted), .tag_o(hint_tag), .lost_o(hint_lost)
  );

  wire [4:0] found_tag, word_tag;
  gnomon_tag_lookup #(
    .LOG2(LOG2), .SEGMENTS(SEGMENTS), .FETCH_LOG2(FETCH_LOG2), .DATA_LOG2(DATA_LOG2), .WAIT(WAIT), .DELAY(DELAY)
  ) u_lookup (
    .clk_i(clk_i), .rst_i(rst_i), .enable_i(enable), .maps_i(maps), .fetch_i(retired && !hinted),
    .pc_i(obs_pc_rdata[31:1]), .access_i(retired && (reads || writes)), .store_i(writes),
    .address_i(obs_mem_addr[31:2]), .mon_valid_i(mon_valid_i), .mon_master_i(mon_master_i), .mon_write_i(mon_write_i),
    .mon_addr_i(mon_addr_i), .unseen_i(obs_debug), .sweep_i(clear_tags), .ready_o(swept), .reg_valid_i(access),
    .reg_write_i(access_write), .reg_index_i(access_index), .reg_word_i(access_word), .reg_done_o(access_done),
    .done_o(done), .index_o(done_index), .word_o(done_word), .cleared_o(cleared), .fetch_miss_o(fetch_miss),
    .data_miss_o(data_miss), .filled_o(filled), .fetch_late_o(fetch_late), .data_late_o(data_late), .tag_o(found_tag),
    .word_tag_o(word_tag)
  );

  // ---- The bundle, DELAY cycles later ----
  localparam BUNDLE = 4 + 5 + 31 + 32;
  wire late_retired, late_unattributed, late_read, late_write;
  wire [4:0] late_hint;
  wire [31:1] late_pc;
  wire [31:0] late_address;
  gnomon_tag_delay #(
    .WIDTH(BUNDLE), .DELAY(DELAY)
  ) u_delay (
    .clk_i(clk_i), .rst_i(rst_i),
    .data_i({retired, unattributed, reads && retired, writes && retired, hint_tag, obs_pc_rdata[31:1], obs_mem_addr}),
    .data_o({late_retired, late_unattributed, late_read, late_write, late_hint, late_pc, late_address})
  );
  wire [4:0] tag = found_tag | late_hint; // an instruction with a hint is not looked up

  wire gate;
  gnomon_tag_actions #(
    .PER_ADDRESS_LOG2(PER_ADDRESS_LOG2), .PER_ADDRESS_SEGMENTS(PER_ADDRESS_SEGMENTS)
  ) u_actions (
    .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst_i), .clear_i(clear), .reg_sel_i(reg_sel_i),
    .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(actions_rdata),
    .enable_i(enable), .clear_counts_i(clear_counts), .retired_i(late_retired), .unattributed_i(late_unattributed),
    .read_i(late_read), .write_i(late_write), .pc_i(late_pc), .address_i(late_address), .tag_i(tag),
    .word_tag_i(word_tag), .ready_o(actions_ready), .busy_o(actions_busy), .irq_o(irq_o), .trace_o(gate),
    .tagged_o(tagged_o), .gates_o(gates_o)
  );
  assign traced_o = !trace || gate;

  gnomon_sampler u_sampler (
    .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst_i), .clear_i(clear || clear_counts), .reg_sel_i(reg_sel_i),
    .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(sampler_rdata),
    .retired_i(retired), .unattributed_i(unattributed), .pc_i(obs_pc_rdata[31:1])
  );
  wire unused = &{1'b0, obs_i, obs_pc_rdata[0], obs_pc_wdata[0]};
endmodule

`default_nettype wire
