// SPDX-License-Identifier: Apache-2.0
// The selectable counters (gnomon_hpm) and the address ranges (gnomon_ranges), with one store for the counts of both,
// and one memory by which their settings are read: logic uses them in flip-flops, and a multiplexer would cost more.
// The hart and the host access one counter at a time: the bus makes one access a cycle, and none of a counter while a
// CSR access uses the store (see gnomon_hpm).
`default_nettype none

module gnomon_counters #(
  parameter COUNTERS  = 6, // selectable counters, 1 to 15
  parameter LATENCY   = 0, // 1: CONFIG says that there is gnomon_latency
  parameter TAG_DELAY = 0  // see gnomon_hpm_counter
) (
  input  wire        clk_i,
  input  wire        clear_i,  // clears everything, when the hart's reset begins; writes during the reset stay
  input  wire        hart_rst_i,

  input  wire        hpm_valid_i, hpm_write_i,
  input  wire [11:0] hpm_addr_i,
  input  wire [31:0] hpm_wdata_i,
  output wire [31:0] hpm_rdata_o,

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o,  // one cycle after reg_sel_i, else 0

  input  wire [63:0] events_i,        // see gnomon_pmu_events
  input  wire [4:0]  cause_i,
  input  wire        retired_i,       // an instruction retires
  input  wire        debug_i,         // a cycle of debug mode
  input  wire        unattributed_i,  // no instruction pays for this cycle
  input  wire [1:0]  obs_mode_i,
  input  wire [31:0] obs_pc_rdata_i, obs_mem_addr_i,
  input  wire [3:0]  obs_mem_rmask_i, obs_mem_wmask_i,
  input  wire [8:0]  thread_i,        // of the retiring instruction
  input  wire        tagged_i,        // tagged_i and gates_i: of the instruction that retired TAG_DELAY cycles ago
  input  wire [3:0]  gates_i,

  output wire [2:0]  inside_o,   // the retiring instruction is inside of these ranges
  output wire [2:0]  enter_o,    // and its predecessor was not
  output wire        traced_o,   // the hook of a function may be an event if it retires in this cycle
  output wire        overflow_o  // a counter has wrapped while its OF was 0
);
  localparam RANGES = 3, OF_RANGES = 5 * RANGES, WAITS = COUNTERS + RANGES, N = COUNTERS + OF_RANGES;
  localparam INDEX = N <= 16 ? 4 : N <= 32 ? 5 : 6;

  wire [COUNTERS-1:0] happens, settles, pays, wraps;
  wire [OF_RANGES-1:0] range_clear, range_happens;
  wire [RANGES-1:0] range_settles, range_pays;
  wire hpm_access, hpm_counts, hpm_high, range_access, range_high, starved;
  wire [3:0] hpm_index, range_index;
  wire [1:0] write;
  wire [31:0] wdata, hpm_reg_rdata, range_rdata;
  wire [63:0] count;

  // Settings: BASE and LIMIT of each range, and from FIRST_EVENT on the lower words of mhpmevent. A setting that was
  // not written since clear_i is 0.
  localparam PLACE = COUNTERS <= 8 ? 4 : 5;
  localparam [PLACE-1:0] FIRST_EVENT = 1 << (PLACE - 1);
  wire range_setting, hpm_setting, hpm_set;
  wire [2:0] range_at;
  wire [31:0] hpm_set_wdata;
  (* ram_style = "distributed" *) reg [31:0] settings[0:(1<<PLACE)-1];
  reg [(1<<PLACE)-1:0] was_set;
  wire [PLACE-1:0] event_at = FIRST_EVENT | {1'b0, hpm_index[PLACE-2:0]};
  wire [PLACE-1:0] setting_at = range_setting ? {{(PLACE - 3) {1'b0}}, range_at} : event_at;
  wire set = range_setting ? reg_write_i : hpm_set;
  reg [31:0] setting;
  reg high, counts;
  always @(posedge clk_i) begin
    if (set) settings[setting_at] <= range_setting ? reg_wdata_i : hpm_set_wdata;
    if (set) was_set[setting_at] <= 1'b1;
    if (clear_i) was_set <= {(1 << PLACE) {1'b0}};
    setting <= settings[setting_at];
    if (!((range_setting || hpm_setting) && was_set[setting_at])) setting <= 32'd0;
    high <= range_access ? range_high : hpm_high;
    counts <= range_access || hpm_counts;
  end
  wire [31:0] word = setting | ((high ? count[63:32] : count[31:0]) & {32{counts}});

  gnomon_hpm #(
    .COUNTERS(COUNTERS), .LATENCY(LATENCY), .TAG_DELAY(TAG_DELAY)
  ) u_hpm (
    .clk_i(clk_i), .clear_i(clear_i), .hart_rst_i(hart_rst_i), .hpm_valid_i(hpm_valid_i), .hpm_write_i(hpm_write_i),
    .hpm_addr_i(hpm_addr_i), .hpm_wdata_i(hpm_wdata_i), .hpm_rdata_o(hpm_rdata_o), .reg_sel_i(reg_sel_i),
    .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i), .reg_rdata_o(hpm_reg_rdata),
    .events_i(events_i), .cause_i(cause_i), .retired_i(retired_i), .debug_i(debug_i), .unattributed_i(unattributed_i),
    .obs_mode_i(obs_mode_i), .thread_i(thread_i), .inside_i(inside_o), .tagged_i(tagged_i), .gates_i(gates_i),
    .overflow_o(overflow_o), .happens_o(happens), .settles_o(settles), .pays_o(pays), .access_o(hpm_access),
    .counts_o(hpm_counts), .setting_o(hpm_setting), .set_o(hpm_set), .set_wdata_o(hpm_set_wdata),
    .index_o(hpm_index), .write_o(write), .high_o(hpm_high), .wdata_o(wdata), .word_i(word), .wraps_i(wraps),
    .starved_i(starved)
  );
  gnomon_ranges u_ranges (
    .clk_i(clk_i), .clear_i(clear_i), .hart_rst_i(hart_rst_i), .retired_i(retired_i), .unattributed_i(unattributed_i),
    .obs_pc_rdata_i(obs_pc_rdata_i), .obs_mem_addr_i(obs_mem_addr_i), .obs_mem_rmask_i(obs_mem_rmask_i),
    .obs_mem_wmask_i(obs_mem_wmask_i), .inside_o(inside_o), .enter_o(enter_o), .traced_o(traced_o),
    .reg_sel_i(reg_sel_i), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i),
    .reg_rdata_o(range_rdata), .clear_o(range_clear), .happens_o(range_happens), .settles_o(range_settles),
    .pays_o(range_pays), .access_o(range_access), .index_o(range_index), .high_o(range_high),
    .setting_o(range_setting), .setting_at_o(range_at), .word_i(word),
    .starved_i(starved)
  );

  localparam [31:0] FIRST = COUNTERS; // counter of the ranges
  wire [INDEX-1:0] index = range_access ? {{(INDEX - 4) {1'b0}}, range_index} + FIRST[INDEX-1:0] :
      {{(INDEX - 4) {1'b0}}, hpm_index};
  wire [OF_RANGES-1:0] unused_wraps;
  gnomon_counter_store #(
    .N(N), .WAITS(WAITS), .WRITES(COUNTERS), .INDEX(INDEX)
  ) u_store (
    .clk_i(clk_i), .hold_i(hart_rst_i), .clear_i({range_clear, {COUNTERS{clear_i}}}),
    .event_i({range_happens, happens}), .settle_i({{(OF_RANGES - RANGES) {1'b1}}, range_settles, settles}),
    .pay_i({{(OF_RANGES - RANGES) {1'b1}}, range_pays, pays}), .access_i(range_access || hpm_access), .index_i(index),
    .write_i(write & {2{!range_access}}), .wdata_i(wdata), .count_o(count), .wrap_o({unused_wraps, wraps}),
    .starved_o(starved)
  );
  assign reg_rdata_o = hpm_reg_rdata | range_rdata;

  wire unused = &{1'b0, unused_wraps};
endmodule

`default_nettype wire
