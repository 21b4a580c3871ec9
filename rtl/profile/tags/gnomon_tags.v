// SPDX-License-Identifier: Apache-2.0
// The block TAGS (docs/internals/tags.md): the tags of each retired instruction and of the word that it accesses, and
// what they do. The bundle and the bus monitor are registered once. A tag's acts leave DELAY cycles after the
// retirement: cycle 1 reads the shadow memory, cycle 2 MODE, cycle 3 acts, cycle 4 has the result.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_tags #(
  parameter LOG2 = 12,  // log2 of the shadow memory's words, 6 or more
  parameter DELAY = 4,  // of this pipeline; not for a choice
  parameter PER_ADDRESS_LOG2 = 12, // log2 of the per-address counters of instructions; half as many of words
  parameter LINE_LOG2 = 3, // log2 of the words of a cache line
  // 1: tag caches, for segments whose tags come with the line, with MEMORY_LOG2 - 16 of LOG2 at most; main memory; log2
  // of the lines of both caches
  parameter CACHE = 0,
  parameter [31:0] MEMORY_BASE = 32'h1000_0000,
  parameter MEMORY_LOG2 = 24,
  parameter CODE_LINES_LOG2 = 8,
  parameter DATA_LINES_LOG2 = 8
) (
  input  wire        clk_i,
  input  wire        rst_i,       // power-on: resets everything
  // The hart's reset, at least 32 cycles long. Its beginning clears the counts and the sample queue.
  input  wire        hart_rst_i,

  input  wire [`GNOMON_OBS_PROFILED] obs_i,
  input  wire [63:0] events_i,  // of this cycle, by number
  input  wire [8:0]  thread_i,  // of the retiring instruction

  input  wire        mon_valid_i,
  input  wire [1:0]  mon_master_i,
  input  wire        mon_write_i,
  input  wire [31:2] mon_addr_i,
  input  wire [1:0]  fills_i,  // the instruction cache, the data cache begins to fill a line
  // With CACHE: a shadow word has come for a line of the instruction cache, of the data cache.
  input  wire        code_beat_i, data_beat_i,
  input  wire [MEMORY_LOG2-1:5] beat_line_i,
  input  wire [31:0] beat_word_i,

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o,  // one cycle after reg_sel_i, else 0

  output wire        irq_o,
  output wire        filled_o,  // pulse: a line with a tag was filled; when it has been looked up
  output wire        traced_o,  // the enter or exit of a function may be an event
  // Of the instruction that retired DELAY cycles ago:
  output reg         tagged_o,  // it has a tag for the filter TAGGED
  output reg  [3:0]  gates_o    // it is in an interval of timer n
);
`include "gnomon_registers.vh"
`include "gnomon_tags_config.vh"
  localparam [11:0] MODE = `GNOMON_TAGS_MODE, CODE_BLOCK = `GNOMON_TAGS_CODE_BLOCK,
      DATA_BLOCK = `GNOMON_TAGS_DATA_BLOCK, TIMER = `GNOMON_TAGS_TIMER_INTERVALS, STEP = `GNOMON_TAGS_TIMER_STEP,
      VALUE = `GNOMON_TAGS_VALUE_EXECUTIONS_LO, BOUNDS = `GNOMON_TAGS_CODE_BEGIN,
      INTERRUPTS = `GNOMON_TAGS_TIMER_INTERRUPT,
      CYCLES_LO = `GNOMON_TAGS_TIMER_CYCLES_LO, CYCLES_HI = `GNOMON_TAGS_TIMER_CYCLES_HI;
  localparam [4:0] DEBUG = 5'd9, RESET = 5'd10;
  localparam [1:0] HOST = 2'd2; // a master of the bus
  localparam [26:0] HINT = {7'b0100011, 5'd0, 3'b010, 5'd0, 7'b0010011}; // 0x460 >> 5: the hint without its tag
  localparam [20:0] GROUP = {1'b0, 5'd0, 3'b011, 5'd0, 7'b0010011}; // the hint for several, without tag and number

  // ---- Cycle 1: bundle and monitor ----
  wire [31:0] obs_insn = obs_i[`GNOMON_OBS_INSN], obs_pc_rdata = obs_i[`GNOMON_OBS_PC_RDATA],
      obs_pc_wdata = obs_i[`GNOMON_OBS_PC_WDATA], obs_mem_addr = obs_i[`GNOMON_OBS_MEM_ADDR];
  wire [4:0] obs_cause = obs_i[`GNOMON_OBS_CAUSE];
  wire [3:0] obs_rmask = obs_i[`GNOMON_OBS_MEM_RMASK], obs_wmask = obs_i[`GNOMON_OBS_MEM_WMASK];
  wire obs_retired = obs_i[`GNOMON_OBS_VALID] && !obs_i[`GNOMON_OBS_TRAP];
  reg retired_1, unattributed_1, read_1, write_1, hint_1, foreign_1, resets_1;
  reg [4:0] hint_tag_1;
  reg [5:0] hint_many_1;
  wire is_group = {obs_insn[31], obs_insn[19:0]} == GROUP;
  reg [31:1] pc_1, next_pc_1;
  reg [31:0] address_1;
  reg [31:2] foreign_address_1;
  reg [8:0] thread_1;
  always @(posedge clk_i) begin
    retired_1 <= obs_retired;
    unattributed_1 <= obs_cause == DEBUG || obs_cause == RESET; // no instruction pays for this cycle
    read_1 <= obs_retired && |obs_rmask;
    write_1 <= obs_retired && |obs_wmask;
    hint_1 <= is_group || {obs_insn[31:25], obs_insn[19:0]} == HINT;
    hint_tag_1 <= obs_insn[24:20];
    hint_many_1 <= is_group ? obs_insn[30:25] : 6'd1;
    {pc_1, next_pc_1, address_1} <= {obs_pc_rdata[31:1], obs_pc_wdata[31:1], obs_mem_addr};
    thread_1 <= thread_i;
    // In debug mode the host's stores through the hart do not retire.
    foreign_1 <= mon_valid_i && mon_write_i && (mon_master_i == HOST || obs_i[`GNOMON_OBS_DEBUG]);
    foreign_address_1 <= mon_addr_i;
    resets_1 <= hart_rst_i;
  end

  // ---- Settings ----
  wire bus_read = reg_sel_i && !reg_write_i, bus_write = reg_sel_i && reg_write_i;
  wire in_code_block = reg_addr_i[11:6] == CODE_BLOCK[11:6], in_data_block = reg_addr_i[11:6] == DATA_BLOCK[11:6];
  wire set_clear = bus_write && reg_addr_i == `GNOMON_TAGS_CLEAR;
  wire clear_tags = set_clear && reg_wdata_i[`GNOMON_TAGS_CLEAR_TAGS];
  wire clear_counts = set_clear && reg_wdata_i[`GNOMON_TAGS_CLEAR_COUNTS];
  wire clear_reset = rst_i || (hart_rst_i && !resets_1);
  wire clear = clear_reset || clear_counts;
  reg enable, hints, trace, fill_interrupt;
  always @(posedge clk_i) begin
    if (bus_write && reg_addr_i == `GNOMON_TAGS_CONTROL) {fill_interrupt, trace, hints, enable} <= reg_wdata_i[3:0];
    if (rst_i) {fill_interrupt, trace, hints, enable} <= 4'b0000;
  end

  // ---- Cycles 2 and 3 ----
  reg retired_2, unattributed_2, read_2, write_2, hinted_2, resets_2, resets_3;
  reg [4:0] hint_tag_2;
  reg [31:1] pc_2, pc_3;
  reg [31:2] address_2;
  reg [16:2] address_3;
  reg retired_3, unattributed_3, code_block_3, data_block_3;

  // ---- Lookup, hints ----
  wire swept, taken, code_inside, data_inside, access_write, access_read, access_busy, unmapped_code, unmapped_data;
  wire [31:2] access_address;
  wire [14:0] access_word, found_word, tag_word;
  wire clearing, cold;
  wire [8:0] clear_at;
  wire [4:0] found_tag, found_word_tag, hint_tag;
  wire code_block, data_block, cleared, store_missed, hinted_1, hint_lost;
  wire [31:2] cleared_address;
  wire fill_valid, fill_data, fill_shadowed, fill_taken, fill_tagged, fill_missed;
  wire [31:2] fill_address, filled_address;
  wire code_filled, data_filled, filled_tagged, unknown, word_unknown, in_code;
  gnomon_tag_fills #(
    .LINE_LOG2(LINE_LOG2), .CACHE(CACHE)
  ) u_fills (
    .clk_i(clk_i), .clear_i(clear || !enable), .enable_i(swept), .code_i(fills_i[1]), .data_i(fills_i[0]),
    .mon_valid_i(mon_valid_i), .mon_master_i(mon_master_i), .mon_write_i(mon_write_i), .mon_addr_i(mon_addr_i),
    .code_filled_i(code_filled), .data_filled_i(data_filled),
    .filled_line_i({MEMORY_BASE[31:MEMORY_LOG2], beat_line_i, 3'd0}), .filled_tagged_i(filled_tagged),
    .valid_o(fill_valid), .data_o(fill_data), .address_o(fill_address), .shadowed_o(fill_shadowed),
    .taken_i(fill_taken), .tagged_i(fill_tagged),
    .filled_o(filled_o), .filled_at_o(filled_address), .missed_o(fill_missed)
  );
  wire blocks_write = bus_write && (in_code_block || in_data_block);
  wire is_bound = CACHE != 0 && reg_addr_i[11:4] == BOUNDS[11:4];
  gnomon_tag_lookup #(
    .LOG2(LOG2), .CACHE(CACHE), .MEMORY_BASE(MEMORY_BASE), .MEMORY_LOG2(MEMORY_LOG2),
    .CODE_LINES_LOG2(CODE_LINES_LOG2), .DATA_LINES_LOG2(DATA_LINES_LOG2)
  ) u_lookup (
    .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst_i), .code_beat_i(code_beat_i), .data_beat_i(data_beat_i),
    .beat_line_i(beat_line_i), .beat_word_i(beat_word_i), .code_filled_o(code_filled), .data_filled_o(data_filled),
    .filled_tagged_o(filled_tagged), .segment_i(bus_write && reg_addr_i == `GNOMON_TAGS_SEGMENT),
    .bound_i(bus_write && is_bound), .bound_which_i(reg_addr_i[3:2]), .enable_i(enable),
    .blocks_clear_i(clearing && cold), .blocks_write_i(blocks_write),
    .blocks_data_i(in_data_block), .blocks_number_i(clearing && cold ? clear_at[3:0] : reg_addr_i[5:2]),
    .blocks_entry_i(reg_wdata_i), .pc_i(pc_1), .address_i(address_1[31:2]), .store_i(write_2),
    .store_address_i(address_2), .foreign_i(foreign_1), .foreign_address_i(foreign_address_1), .sweep_i(clear_tags),
    .ready_o(swept), .fill_i(fill_valid), .fill_data_i(fill_data), .fill_address_i(fill_address),
    .fill_shadowed_i(fill_shadowed), .fill_taken_o(fill_taken), .fill_tagged_o(fill_tagged),
    .reg_write_i(access_write), .reg_read_i(access_read), .reg_address_i(access_address), .reg_word_i(access_word),
    .reg_taken_o(taken), .reg_word_o(found_word), .reg_code_o(code_inside), .reg_data_o(data_inside),
    .tag_o(found_tag), .word_tag_o(found_word_tag), .per_address_o(code_block), .word_per_address_o(data_block),
    .unknown_o(unknown), .word_unknown_o(word_unknown), .in_code_o(in_code), .cleared_o(cleared),
    .cleared_address_o(cleared_address), .missed_o(store_missed)
  );
  gnomon_tag_access u_access (
    .clk_i(clk_i), .rst_i(rst_i), .reg_write_i(bus_write), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i),
    .blocks_i(blocks_write), .write_o(access_write), .read_o(access_read), .address_o(access_address),
    .word_o(access_word), .taken_i(taken), .word_i(found_word), .code_i(code_inside), .data_i(data_inside),
    .busy_o(access_busy), .code_o(unmapped_code), .data_o(unmapped_data), .tag_o(tag_word)
  );
  gnomon_tag_hints u_hints (
    .clk_i(clk_i), .clear_i(clear || !enable || !hints), .retired_i(retired_1), .hint_i(hint_1),
    .hint_tag_i(hint_tag_1), .hint_many_i(hint_many_1), .pc_i(pc_1), .next_pc_i(next_pc_1), .hinted_o(hinted_1),
    .tag_o(hint_tag), .lost_o(hint_lost)
  );

  // ---- Cycle 2: the tags; MODE ----
  always @(posedge clk_i) begin
    {retired_2, unattributed_2, read_2, write_2, hinted_2, resets_2} <= {retired_1, unattributed_1, read_1, write_1,
        hinted_1, resets_1};
    {hint_tag_2, pc_2, address_2} <= {hint_tag, pc_1, address_1[31:2]};
    {retired_3, unattributed_3, resets_3} <= {retired_2, unattributed_2, resets_2};
    {pc_3, address_3} <= {pc_2, address_2[16:2]};
    code_block_3 <= code_block && !hinted_2; // a hint does not say whose counter it would be
    data_block_3 <= data_block;
  end
  wire execute, reads, writes;
  wire [4:0] tag, word_tag;
  wire [15:0] mode, word_mode;
  wire mode_clear = clearing && cold;
  gnomon_tag_modes u_modes (
    .clk_i(clk_i), .clear_i(mode_clear), .write_i(bus_write && reg_addr_i[11:7] == MODE[11:7]),
    .number_i(mode_clear ? clear_at[4:0] : reg_addr_i[6:2]), .wdata_i(reg_wdata_i),
    .retired_i(retired_2 && enable && !hart_rst_i && !clear), .read_i(read_2), .write_mem_i(write_2),
    .tag_i(hinted_2 ? hint_tag_2 : found_tag), .word_tag_i(found_word_tag), .execute_o(execute), .read_o(reads),
    .write_o(writes), .tag_o(tag), .word_tag_o(word_tag), .mode_o(mode), .word_mode_o(word_mode)
  );

  // ---- Cycle 3: the acts. During a clearing no tag acts: MISSED. In the cycle of a write of CLEAR, tags act, and what
  // they counted is cleared with the rest: so no long path leads from the register bus to the counters ----
  wire may = !clearing && !clear_reset;
  wire executes = execute && may, accesses = (reads || writes) && may;
  reg missed, saturated;
  wire [1:0] refused;
  wire [3:0] running;
  wire gate, pop, queued, first, first_start, second, second_start;
  wire [31:0] now, queue_time;
  wire [1:0] first_timer, second_timer;
  gnomon_tag_gates u_gates (
    .clk_i(clk_i), .clear_i(clear), .time_i(enable && !resets_3),
    .act_i(mode[`GNOMON_TAGS_MODE_TIMER] & {2{may}}), .which_i(mode[`GNOMON_TAGS_MODE_WHICH]),
    .word_act_i(word_mode[`GNOMON_TAGS_MODE_TIMER] & {2{may}}), .word_which_i(word_mode[`GNOMON_TAGS_MODE_WHICH]),
    .trace_act_i(mode[`GNOMON_TAGS_MODE_TRACE] & {2{may}}),
    .word_trace_act_i(word_mode[`GNOMON_TAGS_MODE_TRACE] & {2{may}}),
    .set_i(bus_write && reg_addr_i == `GNOMON_TAGS_GATE), .set_running_i(reg_wdata_i[`GNOMON_TAGS_GATE_RUNNING]),
    .set_trace_i(reg_wdata_i[`GNOMON_TAGS_GATE_TRACE]), .running_o(running), .trace_o(gate), .now_o(now),
    .refused_o(refused), .valid_o(queued), .time_o(queue_time), .first_o(first), .first_start_o(first_start),
    .first_timer_o(first_timer), .second_o(second), .second_start_o(second_start), .second_timer_o(second_timer),
    .pop_i(pop)
  );
  assign traced_o = !trace || gate;
  always @(posedge clk_i) begin
    tagged_o <= (executes && mode[`GNOMON_TAGS_MODE_TAGGED]) || (accesses && word_mode[`GNOMON_TAGS_MODE_TAGGED]);
    gates_o <= running & {4{enable}};
  end

  wire [3:0] hits;
  wire [1:0] hit_timer;
  wire [31:0] interrupt;
  wire [31:1] interrupt_pc;
  wire [5:0] interrupt_value;
  gnomon_tag_interrupt u_interrupt (
    .clk_i(clk_i), .clear_i(clear), .asks_i(mode[`GNOMON_TAGS_MODE_INTERRUPT] && may),
    .word_asks_i(word_mode[`GNOMON_TAGS_MODE_INTERRUPT] && may), .tag_i(tag), .word_tag_i(word_tag), .pc_i(pc_3),
    .fill_i(filled_o && fill_interrupt), .steps_i({12'd0, hits} << {hit_timer, 2'd0}),
    .clears_i(bus_write && reg_addr_i == `GNOMON_TAGS_INTERRUPT), .bits_i(reg_wdata_i), .irq_o(irq_o),
    .interrupt_o(interrupt), .pc_o(interrupt_pc), .value_o(interrupt_value)
  );

  // ---- Counters by tag: low parts ----
  localparam WIDTH = 16, SHORT = 10;
  wire [SHORT-1:0] cycles;
  wire rest_valid, rest_taken, wait_overflow, code_valid, data_valid, code_taken, data_taken, code_leave, data_leave;
  wire code_swept, data_swept, restart, code_overflow, data_overflow;
  wire [4:0] rest_tag, code_tag, data_tag;
  wire [31-SHORT:0] rest;
  wire [WIDTH-1:0] low_executions, low_cycles, low_reads, low_writes;
  gnomon_tag_paid #(
    .SHORT(SHORT)
  ) u_paid (
    .clk_i(clk_i), .clear_i(clear || resets_3), .retired_i(retired_3), .unattributed_i(unattributed_3),
    .execute_i(executes), .tag_i(tag), .cycles_o(cycles), .valid_o(rest_valid), .tag_o(rest_tag), .rest_o(rest),
    .taken_i(rest_taken), .overflow_o(wait_overflow)
  );
  gnomon_tag_low #(
    .WIDTH(WIDTH), .AMOUNT(SHORT)
  ) u_code (
    .clk_i(clk_i), .clear_i(clearing || clear_reset), .clear_at_i(clear_at[4:0]), .count_i(executes), .tag_i(tag),
    .first_i(1'b1), .second_i(cycles), .leave_i(code_leave), .restart_i(restart), .swept_o(code_swept),
    .valid_o(code_valid), .tag_o(code_tag), .first_o(low_executions), .second_o(low_cycles), .taken_i(code_taken),
    .overflow_o(code_overflow)
  );
  gnomon_tag_low #(
    .WIDTH(WIDTH), .AMOUNT(1)
  ) u_data (
    .clk_i(clk_i), .clear_i(clearing || clear_reset), .clear_at_i(clear_at[4:0]), .count_i(accesses), .tag_i(word_tag),
    .first_i(reads), .second_i(writes), .leave_i(data_leave), .restart_i(restart), .swept_o(data_swept),
    .valid_o(data_valid), .tag_o(data_tag), .first_o(low_reads), .second_o(low_writes), .taken_i(data_taken),
    .overflow_o(data_overflow)
  );

  // ---- Per-address counters ----
  wire own_ready, own_busy, own_saturated;
  wire [1:0] without;
  wire [31:0] own_count;
  gnomon_tag_per_address #(
    .LOG2(PER_ADDRESS_LOG2)
  ) u_per_address (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .execute_i(executes && mode[`GNOMON_TAGS_MODE_PER_ADDRESS]),
    .access_i(accesses && word_mode[`GNOMON_TAGS_MODE_PER_ADDRESS]), .execute_block_i(code_block_3),
    .access_block_i(data_block_3), .pc_i(pc_3[15:1]), .address_i(address_3), .ready_o(own_ready), .busy_o(own_busy),
    .without_o(without), .saturated_o(own_saturated), .reg_read_i(bus_read), .reg_write_i(bus_write),
    .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i), .count_o(own_count)
  );

  // ---- Sampler: of the bundle as registered ----
  wire [31:0] sampler_rdata;
  wire sample_lost, sample_unattributed;
  gnomon_sampler u_sampler (
    .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(resets_1), .clear_i(clear), .reg_sel_i(reg_sel_i),
    .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(sampler_rdata),
    .events_i(events_i), .retired_i(retired_1), .unattributed_i(unattributed_1), .pc_i(pc_1), .thread_i(thread_1),
    .read_i(read_1), .write_i(write_1), .address_i(address_1), .lost_o(sample_lost),
    .unattributed_o(sample_unattributed)
  );

  // ---- Events, in the order of their registers ----
  localparam EVENTS = 7, EVENTS_WIDTH = 9;
  wire event_valid, event_any, event_urgent, event_taken;
  wire [2:0] event_index;
  wire [EVENTS_WIDTH-1:0] event_count;
  gnomon_tag_events #(
    .N(EVENTS), .WIDTH(EVENTS_WIDTH)
  ) u_events (
    .clk_i(clk_i), .clear_i(clear),
    .add_i({1'b0, sample_unattributed, 1'b0, sample_lost, without, refused, 1'b0, hint_lost, 1'b0, hinted_1, 1'b0,
      cleared}), .any_o(event_any), .urgent_o(event_urgent), .valid_o(event_valid), .index_o(event_index),
    .count_o(event_count), .taken_i(event_taken)
  );

  // ---- All other state ----
  wire go, engine_write, engine_saturated;
  wire [8:0] at, write_at;
  wire [31:0] word, engine_wdata, store_rdata;
  wire [3:0] long;
  wire [7:0] rounds;
  gnomon_tag_engine #(
    .WIDTH(WIDTH), .SHORT(SHORT), .EVENTS_WIDTH(EVENTS_WIDTH)
  ) u_engine (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .go_i(go), .at_o(at), .word_i(word), .write_o(engine_write),
    .write_at_o(write_at), .wdata_o(engine_wdata), .clearing_o(clearing), .cold_o(cold), .clear_at_o(clear_at),
    .code_valid_i(code_valid), .data_valid_i(data_valid), .code_tag_i(code_tag), .data_tag_i(data_tag),
    .executions_i(low_executions), .cycles_i(low_cycles), .reads_i(low_reads), .writes_i(low_writes),
    .code_taken_o(code_taken), .data_taken_o(data_taken), .code_leave_o(code_leave), .data_leave_o(data_leave),
    .swept_i(code_swept && data_swept), .restart_o(restart), .rounds_o(rounds), .rest_valid_i(rest_valid),
    .rest_tag_i(rest_tag), .rest_i(rest), .rest_taken_o(rest_taken), .events_any_i(event_any),
    .events_urgent_i(event_urgent), .event_valid_i(event_valid), .event_i(event_index), .event_count_i(event_count),
    .event_taken_o(event_taken), .queue_valid_i(queued), .queue_time_i(queue_time), .first_i(first),
    .first_start_i(first_start), .second_i(second), .second_start_i(second_start), .first_timer_i(first_timer),
    .second_timer_i(second_timer), .queue_pop_o(pop), .running_i(running), .now_i(now), .hits_o(hits),
    .hit_timer_o(hit_timer), .long_o(long), .saturated_o(engine_saturated)
  );

  wire in_timer = reg_addr_i[11:8] == TIMER[11:8], in_value = reg_addr_i[11:10] == VALUE[11:10];
  wire is_setting = reg_addr_i[11:7] == MODE[11:7] || in_code_block || in_data_block || (in_timer &&
      (reg_addr_i[5:4] == STEP[5:4] || reg_addr_i[5:2] == INTERRUPTS[5:2])) ||
      reg_addr_i == `GNOMON_TAGS_CONTROL || reg_addr_i == `GNOMON_TAGS_UNTIL || is_bound ||
      reg_addr_i == `GNOMON_TAGS_SAMPLE_PERIOD || reg_addr_i == `GNOMON_TAGS_SAMPLE_EVENT;
  gnomon_tag_store u_store (
    .clk_i(clk_i), .clear_i(clear), .read_i(bus_read && !reg_addr_i[11] && !(clearing && cold)),
    .write_i(bus_write && is_setting),
    .reg_addr_i(reg_addr_i[10:2]), .reg_wdata_i(reg_wdata_i),
    .low_i((in_value && !reg_addr_i[2]) || (in_timer && reg_addr_i[5:2] == CYCLES_LO[5:2])),
    .high_i((in_value && reg_addr_i[2]) || (in_timer && reg_addr_i[5:2] == CYCLES_HI[5:2])), .reg_rdata_o(store_rdata),
    .go_o(go), .at_i(at), .word_o(word), .engine_write_i(engine_write), .write_at_i(write_at), .wdata_i(engine_wdata)
  );

  // ---- What the tag caches did not know; in the times of the lookup ----
  wire [31:0] unknown_rdata;
  wire unknown_saturated;
  generate
    if (CACHE != 0) begin : g_unknown
      wire looked = enable && !hart_rst_i && !clear;
      gnomon_tag_unknown u_unknown (
        .clk_i(clk_i), .clear_i(clear),
        .add_i({write_2 && in_code, (read_2 || write_2) && word_unknown, retired_2 && !hinted_2 && unknown} &
          {3{looked}}), .read_i(bus_read), .reg_addr_i(reg_addr_i), .reg_rdata_o(unknown_rdata),
        .saturated_o(unknown_saturated)
      );
    end else begin : g_no_unknown
      assign {unknown_rdata, unknown_saturated} = 33'd0;
      wire unused_unknown = &{1'b0, unknown, word_unknown, in_code};
    end
  endgenerate

  // ---- Registers that are not words of the store, whose words are 0 ----
  wire [31:0] status = {16'd0, rounds, 2'd0, missed, saturated, !unmapped_data, !unmapped_code, access_busy || own_busy,
      swept && own_ready && !clearing};
  reg [31:0] own_rdata;
  always @(posedge clk_i) begin
    missed <= (missed || store_missed || fill_missed || (!may && (execute || reads || writes))) && !clear;
    saturated <= (saturated || own_saturated || engine_saturated || wait_overflow || code_overflow || data_overflow ||
        unknown_saturated) &&
        !clear;
    own_rdata <= 32'd0;
    if (bus_read)
      case (reg_addr_i)
        `GNOMON_TAGS_CONFIG: own_rdata <= CONFIG_WORD;
        `GNOMON_TAGS_STATUS: own_rdata <= status;
        `GNOMON_TAGS_ADDRESS: own_rdata <= {access_address, 2'b00};
        `GNOMON_TAGS_TAG: own_rdata <= {17'd0, tag_word};
        `GNOMON_TAGS_CLEARED_ADDRESS: own_rdata <= {cleared_address, 2'b00};
        `GNOMON_TAGS_INTERRUPT: own_rdata <= interrupt;
        `GNOMON_TAGS_FILLED_ADDRESS: own_rdata <= {filled_address, 2'b00};
        `GNOMON_TAGS_INTERRUPT_PC: own_rdata <= {interrupt_pc, 1'b0};
        `GNOMON_TAGS_INTERRUPT_VALUE: own_rdata <= {26'd0, interrupt_value};
        `GNOMON_TAGS_GATE: own_rdata <= {23'd0, gate, long, running};
        `GNOMON_TAGS_TIME: own_rdata <= now;
        `GNOMON_TAGS_PER_ADDRESS_COUNT: own_rdata <= own_count;
        default: own_rdata <= 32'd0;
      endcase
  end
  assign reg_rdata_o = own_rdata | store_rdata | sampler_rdata | unknown_rdata;

  wire unused = &{1'b0, obs_i, obs_pc_rdata[0], obs_pc_wdata[0], mode, word_mode, clear_at};
endmodule

`default_nettype wire
