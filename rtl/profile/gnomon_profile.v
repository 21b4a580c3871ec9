// SPDX-License-Identifier: Apache-2.0
// The profiler observes one hart's observation bundle and the memory bus (docs/internals/observation.md), sends the
// trace (docs/reference/trace-format.md), and serves the counter CSRs. It drives only read data, the trace and an
// interrupt; the hart and the bus never wait for it. See docs/internals/profile.md.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_profile #(
  parameter FIFO_LOG2  = 8, // log2 of the capture FIFO's entries
  parameter STACK_LOG2 = 8, // log2 of the trace encoder's stack entries
  parameter NUMBER_BITS = 16, // bits of a function number, 16 to 20; more than 16 only with FIFO_LOG2 of 10 or more
  parameter LANDINGS   = 1, // 1: a landing of longjmp frees the room reserved for the exits that longjmp skipped
  parameter HPM        = 0, // number of selectable counters, 0 to 6; with PMU up to 15
  // 1: counters have filters and an interrupt; adds address ranges and the block PMU
  parameter PMU        = 0,
  parameter LATENCY    = 0, // with PMU, 1: latencies of single instructions
  // 1: adds the lock snooper; 2: finds accesses of the lock segments without it, when they retire
  parameter LOCKS      = 0,
  parameter LOCK_DATA  = 0, // with LOCKS 1 and NUMBER_BITS above 16, 1: lock packets have the data of writes
  // with LOCKS 1, 1: a filter for any accesses of the bus; with NUMBER_BITS above 16 only with LOCK_DATA
  parameter TRAFFIC    = 0,
  parameter LOCK_WORDS_LOG2 = 0, // with BORDER: log2 of the addresses whose accesses are events, 3 to 10; 0: none
  parameter INTERRUPTS = 0, // 1: instructions that switch interrupts off and on are events, and the waits of interrupts
  parameter RECORDS_LOG2 = 0, // log2 of the records for functions and traps; 0: none
  // with records, 1: the compact records, made by a program, without pairs, buckets, epochs, losses; RECORDS_LOG2 at
  // most 9, FRAMES_LOG2 at most 8
  parameter COMPACT = 0,
  parameter ARCS = 0, // with records, 1: adds as many records for pairs of caller and callee
  parameter BUCKETS_LOG2 = 0, // with records: log2 of the records that have buckets for the lengths of calls; 0: none
  parameter EPOCHS = 0, // with records, 1: epochs can start while the hart runs; the open calls can be read
  parameter LOSSES = 0, // with records, 1: they count the dropped calls and cycles of each function
  parameter FRAMES_LOG2 = 9, // with records: log2 of the functions and traps open at a time, in all threads; 4 or more
  parameter THREADS_LOG2 = 3, // with records, except the compact ones: log2 of the followed threads
  parameter SWITCHES = 0, // 1: counts unannounced switches of stacks
  parameter EVENT_CLOCK = 0, // with PMU and WATCH_LOG2, 1: the time of trace and records can count an event
  parameter WATCH_LOG2 = 0, // log2 of the table of watched functions (hookless call tracing), 8 or more; 0: none
  parameter WATCH_FRAMES_LOG2 = 9, // with WATCH_LOG2: log2 of the calls open at a time in a thread, 9 at most
  parameter WATCH_QUEUE_LOG2 = 9, // with WATCH_LOG2: log2 of its events that wait, 5 to 9
  parameter WATCH_VALUES = 0, // with WATCH_LOG2, 1: arguments and results of the watched functions that are marked
  parameter [31:0] MEMORY_BASE = 32'h1000_0000, // main memory, where watched functions and stacks are
  parameter MEMORY_LOG2 = 25, // log2 of its bytes, rounded up, more than WATCH_LOG2
  parameter CAUSES = 0, // 1: adds counters of cycles by stall cause
  parameter MEMORY_CAUSES = 0, // with CAUSES, 1: the bundle has REFRESH and PAGE
  // with CAUSES: log2 of the code window's parcels, which are counted by instruction; 0: none
  parameter CODE_WINDOW_LOG2 = 0,
  parameter TAGS_LOG2 = 0, // log2 of the words that can have tags, 6 or more; 0: no tags
  parameter PER_ADDRESS_LOG2 = 12, // with tags: log2 of the per-address counters of instructions
  parameter LINE_LOG2 = 3, // with tags: log2 of the words of a cache line
  // with tags, 1: tag caches, for tags that come with the line; log2 of the lines of both caches
  parameter TAG_CACHE = 0,
  parameter CODE_LINES_LOG2 = 8,
  parameter DATA_LINES_LOG2 = 8,
  // the reduced form of 1: two selectable counters, 2: tags, for 64 KiB of main memory; not with HPM, PMU, TAGS_LOG2
  parameter REDUCED = 0,
  parameter BORDER = 0, // 1: observes everything one cycle later, so that the profiler cannot set the hart's clock
  parameter SIMULATED  = 0, // 1: skips the evaluation of values that do not change; on a board this would cost logic
  parameter UP5K       = 0  // 1: uses the DSP blocks of the UP5K
) (
  input  wire        clk_i,
  // clk_i, for the units after the trace FIFO; may stop as docs/guide/sim.md, "What is left out", says
  input  wire        clk_host_i,
  // clk_host_i, for the trace encoder; may also rise alone as docs/guide/sim.md, "The rate of USB", says
  input  wire        clk_encoder_i,
  // only with SIMULATED: the encoder runs and sends so often that the FIFO never fills
  input  wire        keeps_up_i,
  input  wire        rst_i,            // power-on: resets everything
  input  wire        hart_rst_i,       // the hart's reset, of capture, counters and cycle_o; at least 32 cycles long
  input  wire        hart_rst_host_i,  // hart_rst_i, for clk_host_i

  input  wire [`GNOMON_OBS_PROFILED] obs_i,
  input  wire        stop_i,  // the hart has left its stack: the trace ends with END
  input  wire        exit_i,  // the program sends EXIT in this cycle
  input  wire [3:0]  obs_cache_i,
  // With TAG_CACHE: a word of shadow for a line of the instruction cache, of the data cache.
  input  wire        tags_code_i, tags_data_i,
  input  wire [MEMORY_LOG2-1:5] tags_line_i,
  input  wire [31:0] tags_word_i,

  input  wire        mon_valid_i,
  input  wire [1:0]  mon_master_i,
  input  wire        mon_write_i,
  input  wire [31:0] mon_addr_i,
  input  wire [3:0]  mon_strb_i,
  input  wire [31:0] mon_wdata_i,

  input  wire        hpm_valid_i, hpm_write_i,
  input  wire [11:0] hpm_addr_i,
  input  wire [31:0] hpm_wdata_i,
  output wire [31:0] hpm_rdata_o,  // 2 cycles after the read pulse

  input  wire [3:0]  reg_sel_i,    // register blocks: 0 PROFILE; where they exist, 1 PMU, 2 STALL_CAUSES, 3 TAGS
  input  wire        reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o,  // one cycle after reg_sel_i

  output wire        irq_o,
  output wire        overflow_o,  // pulse: a counter wrapped in the previous cycle
  output wire [63:0] cycle_o,     // cycle counter of record: 0 in the first cycle with hart_rst_i low

  output wire        trace_valid_o,
  output wire [7:0]  trace_data_o,
  input  wire        trace_ready_i
);
  // What the profiler observes, after the border. The hart's counters in gnomon_pmu count before it: mcycle,
  // minstret and the counter of record, which is cycle_o.
  wire hart_rst, hart_rst_host, stop, ending, mon_valid, mon_write;
  wire [`GNOMON_OBS_PROFILED] obs;
  wire [3:0] obs_cache;
  wire [1:0] mon_master;
  wire [31:0] mon_addr, mon_wdata;
  wire [3:0] mon_strb;
  wire [63:0] cycle;
  wire tags_code, tags_data;
  wire [MEMORY_LOG2-1:5] tags_line;
  wire [31:0] tags_word;
  gnomon_profile_border #(
    .REGISTERED(BORDER), .LINE_BITS(MEMORY_LOG2 - 5)
  ) u_border (
    .tags_code_i(tags_code_i), .tags_data_i(tags_data_i), .tags_line_i(tags_line_i), .tags_word_i(tags_word_i),
    .tags_code_o(tags_code), .tags_data_o(tags_data), .tags_line_o(tags_line), .tags_word_o(tags_word),
    .clk_i(clk_i), .clk_host_i(clk_host_i), .hart_rst_i(hart_rst_i), .hart_rst_host_i(hart_rst_host_i), .obs_i(obs_i),
    .stop_i(stop_i), .exit_i(exit_i), .obs_cache_i(obs_cache_i), .mon_valid_i(mon_valid_i),
    .mon_master_i(mon_master_i), .mon_write_i(mon_write_i), .mon_addr_i(mon_addr_i), .mon_strb_i(mon_strb_i),
    .mon_wdata_i(mon_wdata_i), .cycle_i(cycle_o),
    .hart_rst_o(hart_rst), .hart_rst_host_o(hart_rst_host), .obs_o(obs), .stop_o(stop), .exit_o(ending),
    .obs_cache_o(obs_cache), .mon_valid_o(mon_valid), .mon_master_o(mon_master), .mon_write_o(mon_write),
    .mon_addr_o(mon_addr), .mon_strb_o(mon_strb), .mon_wdata_o(mon_wdata), .cycle_o(cycle)
  );
  wire hart_retired = obs_i[`GNOMON_OBS_VALID] && !obs_i[`GNOMON_OBS_TRAP];

  wire obs_valid = obs[`GNOMON_OBS_VALID], obs_trap = obs[`GNOMON_OBS_TRAP],
      obs_trap_enter = obs[`GNOMON_OBS_TRAP_ENTER], obs_trap_leave = obs[`GNOMON_OBS_TRAP_LEAVE],
      obs_debug = obs[`GNOMON_OBS_DEBUG];
  wire [1:0] obs_mode = obs[`GNOMON_OBS_MODE];
  wire [31:0] obs_pc_rdata = obs[`GNOMON_OBS_PC_RDATA], obs_rd_wdata = obs[`GNOMON_OBS_RD_WDATA],
      obs_mem_addr = obs[`GNOMON_OBS_MEM_ADDR], obs_mem_wdata = obs[`GNOMON_OBS_MEM_WDATA];
  wire [4:0] obs_rd_addr = obs[`GNOMON_OBS_RD_ADDR], obs_cause = obs[`GNOMON_OBS_CAUSE];
  wire [3:0] obs_mem_rmask = obs[`GNOMON_OBS_MEM_RMASK], obs_mem_wmask = obs[`GNOMON_OBS_MEM_WMASK];
  // Function numbers of more than 16 bits need wide entries, which also suit fast clocks and large FIFOs.
  localparam WIDE = NUMBER_BITS > 16 ? 1 : 0;
  localparam SNOOPER = LOCKS == 1 || LOCKS == 3 ? 1 : 0, LOCK_EVENTS = LOCKS == 2 ? 1 : 0;
`include "gnomon_trace_entry.vh"
  localparam DEPTH_BITS = WIDE ? 24 : 16;

  // If the block PROFILE is not selected, its units get an address that reads as 0. The records use reg_sel_i, too.
  wire [11:0] own_address = reg_addr_i | {!reg_sel_i[0], 11'd0};

  wire enable, functions, traps, channels, locks, modules, records, watch, flush_asked, age_flush;
  wire lock_words, interrupts;
  wire [127:0] lock_map;
  wire [68:0] bus_filter;
  wire traced, tags_traced; // hooks are events by the address ranges; by the tags
  wire message, decoded, enter, leave, lock;
  wire [3:0] decoded_type;
  wire [NUMBER_BITS-1:0] decoded_number;
  wire [31:0] decoded_data;
  wire [BUS_BITS-1:0] lock_data;

  gnomon_event_decoder #(
    .NUMBER_BITS(NUMBER_BITS), .LOCKS(LOCK_EVENTS)
  ) u_event_decoder (
    .functions_i(functions && traced && tags_traced), .traps_i(traps), .channels_i(channels), .modules_i(modules),
    .locks_i(locks), .obs_i(obs), .message_o(message), .event_o(decoded), .enter_o(enter), .leave_o(leave),
    .type_o(decoded_type), .number_o(decoded_number), .data_o(decoded_data)
  );

  // Further events of the hart. There is at most one of all in a cycle: an access of main memory is no message, an
  // instruction that writes a CSR accesses no memory, and none retires in the cycle after an interrupt.
  wire word, of_interrupts;
  wire [15:0] word_number;
  wire [NUMBER_BITS-1:0] interrupts_number;
  wire [31:0] word_data, interrupts_data, words_rdata;
  generate
    if (LOCK_WORDS_LOG2 != 0) begin : g_lock_words
      if (BORDER == 0) begin : g_unfit
        lock_words_need_the_border u_unfit ();
      end
      gnomon_lock_words #(
        .LOG2(LOCK_WORDS_LOG2), .MEMORY_BASE(MEMORY_BASE), .MEMORY_LOG2(MEMORY_LOG2)
      ) u_lock_words (
        .clk_i(clk_i), .rst_i(rst_i), .enable_i(lock_words), .early_addr_i(obs_i[`GNOMON_OBS_MEM_ADDR]), .obs_i(obs),
        .event_o(word), .number_o(word_number), .data_o(word_data), .reg_sel_i(reg_sel_i[0]),
        .reg_write_i(reg_write_i), .reg_addr_i(own_address), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(words_rdata)
      );
    end else begin : g_no_lock_words
      assign {word, word_number, word_data, words_rdata} = 81'd0;
      wire unused = &{1'b0, lock_words};
    end
    if (INTERRUPTS != 0) begin : g_interrupts
      gnomon_interrupts #(
        .NUMBER_BITS(NUMBER_BITS)
      ) u_interrupts (
        .clk_i(clk_i), .hart_rst_i(hart_rst), .enable_i(interrupts), .obs_i(obs), .cycle_i(cycle[26:0]),
        .event_o(of_interrupts), .number_o(interrupts_number), .data_o(interrupts_data)
      );
    end else begin : g_no_interrupts
      assign {of_interrupts, interrupts_number, interrupts_data} = {(NUMBER_BITS + 33) {1'b0}};
      wire unused = &{1'b0, interrupts};
    end
  endgenerate
  wire hart_event = decoded || word || of_interrupts;
  wire [3:0] hart_type = word ? TYPE_WORD : of_interrupts ? TYPE_CHANNEL : decoded_type;
  wire [NUMBER_BITS-1:0] hart_number = word ? {{(NUMBER_BITS - 16) {1'b0}}, word_number} :
      of_interrupts ? interrupts_number : decoded_number;
  wire [31:0] hart_data = word ? word_data : of_interrupts ? interrupts_data : decoded_data;

  generate
    if (SNOOPER != 0) begin : g_snooper
      gnomon_snooper #(
        .LOCK_DATA(LOCK_DATA), .TRAFFIC(TRAFFIC), .BUS_BITS(BUS_BITS)
      ) u_snooper (
        .enable_i(locks), .base0_i(lock_map[31:0]), .mask0_i(lock_map[63:32]), .base1_i(lock_map[95:64]),
        .mask1_i(lock_map[127:96]), .first_i(bus_filter[31:0]), .last_i(bus_filter[63:32]),
        .filter_i(bus_filter[68:64]), .obs_debug_i(obs_debug), .mon_valid_i(mon_valid), .mon_master_i(mon_master),
        .mon_write_i(mon_write), .mon_addr_i(mon_addr), .mon_strb_i(mon_strb), .mon_wdata_i(mon_wdata), .lock_o(lock),
        .lock_data_o(lock_data)
      );
    end else begin : g_no_snooper
      wire unused = &{1'b0, lock_map, bus_filter, mon_valid, mon_master, mon_write, mon_addr, mon_strb, mon_wdata};
      assign lock = 1'b0;
      assign lock_data = {BUS_BITS{1'b0}};
    end
  endgenerate

  wire [31:0] switches_rdata;
  generate
    if (SWITCHES != 0) begin : g_switches
      gnomon_switches u_switches (
        .clk_i(clk_i), .clk_host_i(clk_host_i), .hart_rst_i(hart_rst), .obs_valid_i(obs_valid), .obs_trap_i(obs_trap),
        .obs_rd_addr_i(obs_rd_addr), .obs_rd_wdata_i(obs_rd_wdata), .obs_trap_enter_i(obs_trap_enter),
        .obs_trap_leave_i(obs_trap_leave),
        .told_i(hart_event && hart_type == TYPE_CHANNEL && hart_number == CHANNEL_THREAD), .ended_i(!enable),
        .reg_sel_i(reg_sel_i[0]), .reg_addr_i(own_address), .reg_rdata_o(switches_rdata)
      );
    end else begin : g_no_switches
      assign switches_rdata = 32'd0;
    end
  endgenerate

  // Events for the capture: those of the event decoder, or the output of hookless call tracing, which delays and
  // extends them.
  wire running, closed, flush;
  wire [63:0] events; // of this cycle, by number
  wire [2:0] range_enter;
  wire tagged_fill;
  wire [63:0] event_cycle, event_before;
  wire on, any_event, any_enter, any_leave, any_exit, any_lock;
  wire [3:0] any_type;
  wire [NUMBER_BITS-1:0] any_number;
  wire [31:0] any_data;
  wire [BUS_BITS-1:0] any_lock_data;
  wire [31:0] watch_rdata;
  wire [5:0] clock; // number of the event that time counts
  wire [63:0] clock_time; // the time
  generate
    if (EVENT_CLOCK != 0) begin : g_event_clock
      if (PMU == 0 || WATCH_LOG2 == 0) begin : g_unfit
        event_clock_needs_pmu_and_watch u_unfit ();
      end
      gnomon_event_clock u_event_clock (
        .clk_i(clk_i), .hart_rst_i(hart_rst), .number_i(clock), .events_i(events), .time_o(clock_time)
      );
      wire unused = &{1'b0, cycle[63:12]};
    end else begin : g_no_event_clock
      assign clock_time = cycle;
      wire unused = &{1'b0, clock};
    end
  endgenerate
  generate
    if (WATCH_LOG2 != 0) begin : g_watch
      gnomon_watch #(
        .TABLE_LOG2(WATCH_LOG2), .FRAMES_LOG2(WATCH_FRAMES_LOG2), .QUEUE_LOG2(WATCH_QUEUE_LOG2),
        .BUS_BITS(BUS_BITS), .NUMBER_BITS(NUMBER_BITS), .VALUES(WATCH_VALUES), .MEMORY_BASE(MEMORY_BASE),
        .MEMORY_LOG2(MEMORY_LOG2)
      ) u_watch (
        .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst), .watch_i(watch && functions), .enable_i(enable),
        .running_i(running), .obs_i(obs), .cycle_i(clock_time), .event_i(hart_event), .enter_i(enter), .leave_i(leave),
        .exit_i(ending), .type_i(hart_type), .number_i(hart_number), .data_i(hart_data), .lock_i(lock),
        .lock_data_i(lock_data), .cycle_o(event_cycle), .before_o(event_before), .enable_o(on), .event_o(any_event),
        .enter_o(any_enter), .leave_o(any_leave), .exit_o(any_exit), .type_o(any_type), .number_o(any_number),
        .data_o(any_data), .lock_o(any_lock), .lock_data_o(any_lock_data), .closed_o(closed), .flush_i(flush_asked),
        .flush_o(flush), .reg_sel_i(reg_sel_i[0]), .reg_write_i(reg_write_i), .reg_addr_i(own_address),
        .reg_wdata_i(reg_wdata_i), .reg_rdata_o(watch_rdata)
      );
    end else begin : g_no_watch
      assign {closed, flush, on, any_event, any_enter, any_leave, any_exit, any_lock} =
          {1'b0, flush_asked, enable, hart_event, enter, leave, ending, lock};
      assign {any_type, any_number, any_data, any_lock_data} = {hart_type, hart_number, hart_data, lock_data};
      assign {event_cycle, event_before, watch_rdata} = {clock_time, clock_time, 32'd0};
      wire unused = &{1'b0, watch, WATCH_FRAMES_LOG2[0], WATCH_QUEUE_LOG2[0], WATCH_VALUES[0], MEMORY_BASE[0],
          MEMORY_LOG2[0]};
    end
  endgenerate

  wire dropping;
  wire [1:0] produced, lost;
  wire fifo_write, fifo_behind, fifo_commit, fifo_empty, fifo_few;
  wire entry_valid, entry_pop;
  wire [ENTRY_BITS-1:0] fifo_data, entry;

  gnomon_capture #(
    .FIFO_LOG2(FIFO_LOG2), .WIDE(WIDE), .LOCKS(SNOOPER), .LOCK_DATA(LOCK_DATA), .TRAFFIC(TRAFFIC),
    .BUS_WIDTH(BUS_BITS), .LOCK_WORDS(LOCK_WORDS_LOG2), .TIMED(WATCH_LOG2), .NUMBER_BITS(NUMBER_BITS),
    .LANDINGS(LANDINGS), .DEPTH_BITS(DEPTH_BITS), .SIMULATED(SIMULATED), .WIDTH(ENTRY_BITS)
  ) u_capture (
    .clk_i(clk_i), .hart_rst_i(hart_rst), .enable_i(on), .obs_valid_i(obs_valid), .obs_pc_i(obs_pc_rdata),
    .cycle_i(event_cycle), .before_i(event_before), .event_i(any_event), .enter_i(any_enter), .leave_i(any_leave),
    .exit_i(any_exit), .type_i(any_type), .number_i(any_number), .data_i(any_data), .lock_i(any_lock),
    .lock_data_i(any_lock_data), .running_o(running), .dropping_o(dropping), .produced_o(produced), .lost_o(lost),
    .fifo_write_o(fifo_write), .fifo_behind_o(fifo_behind), .fifo_commit_o(fifo_commit), .fifo_data_o(fifo_data),
    .fifo_empty_i(fifo_empty), .fifo_few_i(fifo_few), .keeps_up_i(keeps_up_i && !records), .fifo_pop_i(entry_pop)
  );

  gnomon_trace_fifo #(
    .LOG2(FIFO_LOG2), .WIDTH(ENTRY_BITS)
  ) u_fifo (
    .clk_i(clk_i), .clk_read_i(clk_encoder_i), .reset_i(hart_rst), .reset_read_i(hart_rst_host),
    .write_i(fifo_write), .behind_i(fifo_behind), .commit_i(fifo_commit), .data_i(fifo_data), .empty_o(fifo_empty),
    .few_o(fifo_few), .valid_o(entry_valid), .data_o(entry), .pop_i(entry_pop)
  );

  wire [NUMBER_BITS-1:0] number; // function or channel number of the entry
  generate
    if (NUMBER_BITS > 16) assign number = {entry[8*HIGH_AT+:NUMBER_BITS-16], entry[8*NUMBER_AT+:16]};
    else assign number = entry[8*NUMBER_AT+:16];
  endgenerate

  wire encoder_valid, encoder_pop, records_idle, recorded;
  wire [ENTRY_BITS-1:0] encoder_entry;
  wire [31:0] records_rdata;
  generate
    if (RECORDS_LOG2 != 0) begin : g_records
      wire records_valid, taken, lost_calls;
      wire [3:0] kind;
      wire [47:0] now, lost_cycles;
      wire [31:0] lost_enters;
      gnomon_entry_router #(
        .WIDE(WIDE), .LOCKS(SNOOPER), .LOCK_DATA(LOCK_DATA), .TRAFFIC(TRAFFIC), .NUMBER_BITS(NUMBER_BITS),
        .COMPACT(COMPACT), .WIDTH(ENTRY_BITS)
      ) u_router (
        .clk_i(clk_host_i), .hart_rst_i(hart_rst_host), .records_i(records), .valid_i(entry_valid), .entry_i(entry),
        .number_i(number), .pop_o(entry_pop), .encoder_valid_o(encoder_valid), .encoder_entry_o(encoder_entry),
        .encoder_pop_i(encoder_pop), .records_valid_o(records_valid), .records_taken_i(taken), .type_o(kind),
        .time_o(now), .lost_cycles_o(lost_cycles), .lost_enters_o(lost_enters), .lost_calls_o(lost_calls)
      );

      if (COMPACT != 0) begin : g_compact
        gnomon_function_records_compact #(
          .RECORDS_LOG2(RECORDS_LOG2), .FRAMES_LOG2(FRAMES_LOG2), .UP5K(UP5K)
        ) u_function_records (
          .clk_i(clk_i), .clk_host_i(clk_host_i), .rst_i(rst_i), .hart_rst_i(hart_rst), .valid_i(records_valid),
          .type_i(kind), .number_i(number[15:0]), .data_i(entry[8*DATA_AT+:32]), .time_i(now),
          .lost_cycles_i(lost_cycles[31:0]), .lost_calls_i(lost_calls), .taken_o(taken), .tick_i(&cycle[9:0]),
          .idle_o(records_idle), .ended_o(recorded), .reg_sel_i(reg_sel_i[0]), .reg_write_i(reg_write_i),
          .reg_addr_i(own_address), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(records_rdata)
        );
        wire unused = &{1'b0, ARCS[0], BUCKETS_LOG2[0], EPOCHS[0], LOSSES[0], THREADS_LOG2[0], lost_cycles[47:32],
            lost_enters};
      end else begin : g_parallel
        reg in_reset;
        always @(posedge clk_host_i) in_reset <= hart_rst_host;
        gnomon_function_records #(
          .RECORDS_LOG2(RECORDS_LOG2), .FRAMES_LOG2(FRAMES_LOG2), .THREADS_LOG2(THREADS_LOG2), .ARCS(ARCS),
          .BUCKETS_LOG2(BUCKETS_LOG2), .EPOCHS(EPOCHS), .LOSSES(LOSSES), .NUMBER_BITS(NUMBER_BITS)
        ) u_function_records (
          .clk_i(clk_host_i), .hart_rst_i(hart_rst_host), .clear_i(rst_i || (hart_rst_host && !in_reset)),
          .valid_i(records_valid), .type_i(kind), .number_i(number), .data_i(entry[8*DATA_AT+:32]), .time_i(now),
          .lost_cycles_i(lost_cycles), .lost_calls_i(lost_calls), .lost_enters_i(lost_enters), .taken_o(taken),
          .quiet_i(!entry_valid), .now_i(event_cycle[47:0]), .steady_i(clock == 6'd0), .idle_o(records_idle),
          .ended_o(recorded), .reg_sel_i(reg_sel_i[0]), .reg_write_i(reg_write_i), .reg_addr_i(own_address),
          .reg_wdata_i(reg_wdata_i), .reg_rdata_o(records_rdata)
        );
      end
    end else begin : g_no_records
      assign {encoder_valid, encoder_entry, entry_pop} = {entry_valid, entry, encoder_pop};
      assign records_idle = 1'b1;
      assign recorded = 1'b0;
      assign records_rdata = 32'd0;
      wire unused = &{1'b0, records, COMPACT[0], FRAMES_LOG2[0], ARCS[0], BUCKETS_LOG2[0], EPOCHS[0], LOSSES[0],
          THREADS_LOG2[0]};
    end
  endgenerate

  wire aux_high, aux_valid, aux_quiet;
  wire [1:0] aux_counter;
  wire [31:0] aux_data;
  wire encoder_idle, encoder_open, encoder_ended;

  gnomon_trace_encoder #(
    .STACK_LOG2(STACK_LOG2), .WIDE(WIDE), .LOCKS(SNOOPER), .LOCK_DATA(LOCK_DATA), .TRAFFIC(TRAFFIC),
    .LOCK_WORDS(LOCK_WORDS_LOG2), .LOCK_EVENTS(LOCK_EVENTS), .NUMBER_BITS(NUMBER_BITS),
    .WIDTH(ENTRY_BITS)
  ) u_trace_encoder (
    .clk_i(clk_encoder_i), .rst_i(rst_i), .hart_rst_i(hart_rst_host), .flush_i(flush), .age_flush_i(age_flush),
    .dropping_i(dropping), .entry_valid_i(encoder_valid), .entry_i(encoder_entry), .entry_number_i(number),
    .entry_pop_o(encoder_pop), .aux_counter_o(aux_counter), .aux_high_o(aux_high), .aux_valid_i(aux_valid),
    .aux_data_i(aux_data), .aux_quiet_i(aux_quiet), .idle_o(encoder_idle),
    .open_o(encoder_open), .ended_o(encoder_ended), .trace_valid_o(trace_valid_o), .trace_data_o(trace_data_o),
    .trace_ready_i(trace_ready_i)
  );

  // Events of the selectable counters, by number.
  generate
    if (HPM != 0 || REDUCED == 1) begin : g_events
      gnomon_pmu_events #(
        .IO(EVENT_CLOCK)
      ) u_events (
        .clk_i(clk_i), .obs_i(obs), .obs_cache_i(obs_cache), .mon_valid_i(mon_valid), .mon_master_i(mon_master),
        .mon_write_i(mon_write), .range_enter_i(range_enter), .message_i(message), .produced_i(|produced),
        .lost_i(|lost), .tagged_fill_i(tagged_fill), .events_o(events)
      );
    end else begin : g_no_events
      wire unused = &{1'b0, message, obs_cache, range_enter, tagged_fill};
      assign events = 64'd0;
    end
  endgenerate

  wire retired = obs_valid && !obs_trap;
  wire [31:0] basic_rdata, pmu_rdata;
  wire count_read, count_lost;
  wire [31:0] count_data;
  gnomon_pmu #(
    .HPM(PMU != 0 ? 0 : HPM), .SIMULATED(SIMULATED), .UP5K(UP5K)
  ) u_pmu (
    .clk_i(clk_i), .clk_host_i(clk_host_i), .rst_i(rst_i), .hart_rst_i(hart_rst_i), .cycle_o(cycle_o),
    .hpm_valid_i(hpm_valid_i), .hpm_write_i(hpm_write_i), .hpm_addr_i(hpm_addr_i), .hpm_wdata_i(hpm_wdata_i),
    .hpm_rdata_o(basic_rdata), .retired_i(hart_retired), .events_i(events), .run_i(running),
    .run_retired_i(running && !closed && retired), .produced_i(produced), .lost_i(lost),
    .reg_read_i(count_read), .reg_lost_i(count_lost), .reg_data_o(count_data), .aux_counter_i(aux_counter),
    .aux_high_i(aux_high), .aux_valid_o(aux_valid), .aux_data_o(aux_data), .quiet_o(aux_quiet)
  );

  wire [8:0] thread; // of the retiring instruction
  generate
    if (PMU != 0 || TAGS_LOG2 != 0) begin : g_thread
      gnomon_thread u_thread (
        .clk_i(clk_i), .hart_rst_i(hart_rst), .retired_i(retired), .obs_mem_addr_i(obs_mem_addr),
        .obs_mem_wmask_i(obs_mem_wmask), .obs_mem_wdata_i(obs_mem_wdata), .thread_o(thread)
      );
    end else begin : g_no_thread
      assign thread = 9'd0;
    end
  endgenerate

  // The tags' result for the instruction that retired TAG_DELAY cycles ago.
  localparam TAG_DELAY = TAGS_LOG2 != 0 ? 4 : 0;
  wire is_tagged;
  wire [3:0] gates;
  wire tags_irq, latency_irq;
  assign irq_o = tags_irq || latency_irq;
  generate
    if (PMU != 0) begin : g_pmu
      localparam [4:0] DEBUG = 5'd9, RESET = 5'd10;
      wire debug = obs_cause == DEBUG;
      wire unattributed = debug || obs_cause == RESET; // no instruction pays for this cycle
      reg in_reset;
      always @(posedge clk_i) in_reset <= hart_rst;
      wire clear = rst_i || (hart_rst && !in_reset);
      wire [2:0] is_inside;
      wire [31:0] hpm_rdata, counters_rdata, latency_rdata;
      gnomon_counters #(
        .COUNTERS(HPM), .LATENCY(LATENCY), .TAG_DELAY(TAG_DELAY)
      ) u_counters (
        .clk_i(clk_i), .clear_i(clear), .hart_rst_i(hart_rst), .hpm_valid_i(hpm_valid_i), .hpm_write_i(hpm_write_i),
        .hpm_addr_i(hpm_addr_i), .hpm_wdata_i(hpm_wdata_i), .hpm_rdata_o(hpm_rdata), .reg_sel_i(reg_sel_i[1]),
        .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(counters_rdata),
        .events_i(events), .cause_i(obs_cause), .retired_i(retired), .debug_i(debug), .unattributed_i(unattributed),
        .obs_mode_i(obs_mode), .obs_pc_rdata_i(obs_pc_rdata), .obs_mem_addr_i(obs_mem_addr),
        .obs_mem_rmask_i(obs_mem_rmask), .obs_mem_wmask_i(obs_mem_wmask), .thread_i(thread), .tagged_i(is_tagged),
        .gates_i(gates), .inside_o(is_inside), .enter_o(range_enter), .traced_o(traced), .overflow_o(overflow_o)
      );
      if (LATENCY != 0) begin : g_latency
        gnomon_latency #(
          .TAG_DELAY(TAG_DELAY)
        ) u_latency (
          .clk_i(clk_i), .clear_i(clear), .retired_i(retired), .unattributed_i(unattributed),
          .obs_pc_rdata_i(obs_pc_rdata[31:1]), .obs_mem_addr_i(obs_mem_addr), .obs_mem_rmask_i(obs_mem_rmask),
          .obs_mem_wmask_i(obs_mem_wmask), .inside_i(is_inside), .tagged_i(is_tagged), .reg_sel_i(reg_sel_i[1]),
          .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(latency_rdata),
          .irq_o(latency_irq)
        );
      end else begin : g_no_latency
        assign {latency_irq, latency_rdata} = 33'd0;
        wire unused = &{1'b0, is_inside};
      end
      assign hpm_rdata_o = basic_rdata | hpm_rdata;
      assign pmu_rdata = counters_rdata | latency_rdata;
    end else if (REDUCED == 1) begin : g_reduced_counters
      gnomon_reduced_counters #(
        .UP5K(UP5K)
      ) u_reduced_counters (
        .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst), .cause_i(obs_cause), .events_i(events),
        .reg_sel_i(reg_sel_i[1]), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i),
        .reg_rdata_o(pmu_rdata)
      );
      assign hpm_rdata_o = basic_rdata;
      assign {range_enter, overflow_o, latency_irq, traced} = 6'd1;
      wire unused = &{1'b0, LATENCY[0], is_tagged, gates, thread};
    end else begin : g_no_pmu
      assign hpm_rdata_o = basic_rdata;
      assign {pmu_rdata, range_enter, overflow_o, latency_irq, traced} = {37'd0, 1'b1};
      wire unused = &{1'b0, LATENCY[0], reg_sel_i[1], is_tagged, gates, thread};
    end
  endgenerate

  wire [31:0] own_rdata;
  wire [31:0] causes_rdata, tags_rdata;
  reg selected; // a block was selected in the previous cycle; otherwise all read data are 0
  always @(posedge clk_host_i) selected <= |reg_sel_i;
  assign reg_rdata_o = SIMULATED != 0 && !selected ? 32'd0 : own_rdata | records_rdata | watch_rdata | switches_rdata |
      words_rdata | pmu_rdata | causes_rdata | tags_rdata;
  gnomon_profile_regs #(
    .LOCKS(LOCKS), .TRAFFIC(TRAFFIC), .LOCK_WORDS(LOCK_WORDS_LOG2), .INTERRUPTS(INTERRUPTS), .RECORDS(RECORDS_LOG2),
    .WATCH(WATCH_LOG2), .EVENT_CLOCK(EVENT_CLOCK)
  ) u_regs (
    .clk_i(clk_i), .clk_host_i(clk_host_i), .rst_i(rst_i), .reg_sel_i(reg_sel_i[0]), .reg_write_i(reg_write_i),
    .reg_addr_i(own_address), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(own_rdata), .count_read_o(count_read),
    .count_lost_o(count_lost), .count_data_i(count_data), .enable_o(enable), .functions_o(functions), .traps_o(traps),
    .channels_o(channels), .locks_o(locks), .modules_o(modules), .records_o(records), .watch_o(watch),
    .flush_o(flush_asked), .age_flush_o(age_flush), .lock_map_o(lock_map), .lock_words_o(lock_words),
    .interrupts_o(interrupts), .clock_o(clock), .bus_filter_o(bus_filter), .stop_i(stop),
    .dropping_i(dropping),
    .idle_i(encoder_idle && records_idle), .ended_i(encoder_ended), .recorded_i(recorded), .open_i(encoder_open),
    .tick_i(&cycle[11:0])
  );

  generate
    if (CAUSES != 0) begin : g_causes
      gnomon_stall_causes #(
        .CODE_WINDOW_LOG2(CODE_WINDOW_LOG2), .MEMORY(MEMORY_CAUSES)
      ) u_stall_causes (
        .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst), .obs_valid_i(obs_valid), .obs_trap_i(obs_trap),
        .obs_pc_i(obs_pc_rdata[31:1]), .obs_cause_i(obs_cause), .exit_i(ending), .enable_i(enable),
        .reg_sel_i(reg_sel_i[2]), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i),
        .reg_rdata_o(causes_rdata)
      );
    end else begin : g_no_causes
      wire unused = &{1'b0, CODE_WINDOW_LOG2[0], MEMORY_CAUSES[0], reg_sel_i[2]};
      assign causes_rdata = 32'd0;
    end
  endgenerate

  generate
    if (TAGS_LOG2 != 0) begin : g_tags
      gnomon_tags #(
        .LOG2(TAGS_LOG2), .DELAY(TAG_DELAY), .PER_ADDRESS_LOG2(PER_ADDRESS_LOG2), .LINE_LOG2(LINE_LOG2),
        .CACHE(TAG_CACHE), .MEMORY_BASE(MEMORY_BASE), .MEMORY_LOG2(MEMORY_LOG2), .CODE_LINES_LOG2(CODE_LINES_LOG2),
        .DATA_LINES_LOG2(DATA_LINES_LOG2)
      ) u_tags (
        .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst), .obs_i(obs), .events_i(events), .thread_i(thread),
        .mon_valid_i(mon_valid), .mon_master_i(mon_master), .mon_write_i(mon_write), .mon_addr_i(mon_addr[31:2]),
        .fills_i({obs_cache[2], obs_cache[0]}), .code_beat_i(tags_code), .data_beat_i(tags_data),
        .beat_line_i(tags_line), .beat_word_i(tags_word), .filled_o(tagged_fill), .reg_sel_i(reg_sel_i[3]),
        .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(tags_rdata),
        .irq_o(tags_irq), .traced_o(tags_traced), .tagged_o(is_tagged), .gates_o(gates)
      );
    end else if (REDUCED == 2) begin : g_reduced_tags
      gnomon_reduced_tags #(
        .UP5K(UP5K)
      ) u_reduced_tags (
        .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst), .retired_i(retired), .pc_i(obs_pc_rdata[15:1]),
        .mon_valid_i(mon_valid), .mon_write_i(mon_write), .mon_addr_i(mon_addr[31:2]), .reg_sel_i(reg_sel_i[3]),
        .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(tags_rdata),
        .irq_o(tags_irq)
      );
      assign {tags_traced, tagged_fill, is_tagged, gates} = {1'b1, 6'd0};
      wire unused = &{1'b0, PER_ADDRESS_LOG2[0], LINE_LOG2[0], TAG_CACHE[0], CODE_LINES_LOG2[0], DATA_LINES_LOG2[0],
          tags_code, tags_data, tags_line, tags_word};
    end else begin : g_no_tags
      assign {tags_irq, tags_traced, tagged_fill, is_tagged, gates, tags_rdata} = {2'b01, 38'd0};
      wire unused = &{1'b0, PER_ADDRESS_LOG2[0], LINE_LOG2[0], reg_sel_i[3], TAG_CACHE[0],
          CODE_LINES_LOG2[0], DATA_LINES_LOG2[0], tags_code, tags_data, tags_line, tags_word};
    end
  endgenerate

`ifdef FORMAL_UNSELECTED
  // The proof of non-interference relies on this property (docs/verification/formal.md).
  reg unselected = 1'b0;
  always @(posedge clk_i) begin
    unselected <= reg_sel_i == 4'd0;
    if (unselected) assert (reg_rdata_o == 32'd0);
  end
`endif

  // Some sets of parameters leave fields of the bundle unread.
  wire unused_obs = &{1'b0, obs, obs_trap_enter, obs_trap_leave, obs_debug, obs_mode, obs_rd_addr, obs_rd_wdata,
      obs_cause, obs_mem_addr, obs_mem_rmask, obs_mem_wmask, obs_mem_wdata};
  wire unused = &{1'b0, mon_strb_i, mon_wdata_i};
endmodule

`default_nettype wire
