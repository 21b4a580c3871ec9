// SPDX-License-Identifier: Apache-2.0
// Address ranges [BASE, LIMIT): 0 and 1 are ranges of instructions, 2 is a range of data. An instruction is inside of
// an instruction range if its address is, and inside of the data range if it accesses a byte there. Each range counts
// entries (retired instructions inside whose predecessor was not), instructions, the cycles that these instructions pay
// for (docs/internals/observation.md), and the instructions that read and that wrote. The counters have 64 bits and are
// in the store of gnomon_counters. Part of the block PMU.
`default_nettype none

module gnomon_ranges (
  input  wire        clk_i,
  input  wire        clear_i,  // clears everything, when the hart's reset begins; writes during the reset stay
  input  wire        hart_rst_i,

  input  wire        retired_i,       // an instruction retires
  input  wire        unattributed_i,  // no instruction pays for this cycle
  input  wire [31:0] obs_pc_rdata_i, obs_mem_addr_i,
  input  wire [3:0]  obs_mem_rmask_i, obs_mem_wmask_i,

  output wire [2:0]  inside_o,  // the retiring instruction is inside
  output wire [2:0]  enter_o,   // the retiring instruction is inside, its predecessor was not
  output wire        traced_o,  // the hook of a function may be an event if it retires in this cycle

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o,  // one cycle after reg_sel_i, else 0

  // For the store: cycles of the three ranges, and after them entries, instructions, reads, writes of each range. Only
  // cycles wait for an instruction.
  output wire [14:0] clear_o, happens_o,
  output wire [2:0]  settles_o, pays_o,
  output wire        access_o,
  output wire [3:0]  index_o,
  output wire        high_o,   // the upper half is read
  // For the memory by which settings are read: BASE or LIMIT of a range is accessed.
  output wire        setting_o,
  output wire [2:0]  setting_at_o,
  input  wire [31:0] word_i,   // one cycle after access_o or setting_o: the half of the counter, or the setting
  input  wire        starved_i
);
`include "gnomon_registers.vh"
  localparam RANGES = 3;
  localparam [11:0] FIRST = `GNOMON_PMU_RANGE_BASE;

  wire reads = |obs_mem_rmask_i;
  wire writes = |obs_mem_wmask_i;
  wire [3:0] mask = obs_mem_rmask_i | obs_mem_wmask_i;
  wire [31:0] last_byte = {obs_mem_addr_i[31:2], obs_mem_addr_i[1:0] | {mask[3], mask[1]}}; // accesses are aligned

  // Registers of a range, 64 bytes: its addresses, the clear register, and from 16 on five counters of two words.
  wire bus_mine = reg_sel_i && reg_addr_i[11:8] == FIRST[11:8] && reg_addr_i[7:6] != 2'd3;
  wire [1:0] bus_range = reg_addr_i[7:6];
  wire [3:0] bus_word = reg_addr_i[5:2];
  wire bus_write = bus_mine && reg_write_i;

  reg [1:0] trace; // ranges in which hooks are events; 0: hooks are events everywhere
  wire bus_trace = reg_sel_i && reg_addr_i == `GNOMON_PMU_TRACE;
  always @(posedge clk_i) begin
    if (bus_trace && reg_write_i) trace <= reg_wdata_i[1:0];
    if (clear_i) trace <= 2'd0;
  end
  assign traced_o = trace == 2'd0 || |(trace & inside_o[1:0]);

  wire [4*RANGES-1:0] add, clear;
  wire [RANGES-1:0] clear_cycles, lost;
  genvar i;
  generate
    for (i = 0; i < RANGES; i = i + 1) begin : g_range
      reg [31:0] base, limit;
      wire mine = bus_write && bus_range == i;
      always @(posedge clk_i) begin
        if (mine && bus_word == 4'd0) base <= reg_wdata_i;
        if (mine && bus_word == 4'd1) limit <= reg_wdata_i;
        if (clear_i) {base, limit} <= 64'd0;
      end

      if (i < 2) assign inside_o[i] = obs_pc_rdata_i >= base && obs_pc_rdata_i < limit;
      else begin : g_data
        reg empty;
        always @(posedge clk_i) empty <= base >= limit; // without `empty`, an access could span an empty range
        assign inside_o[i] = |mask && last_byte >= base && obs_mem_addr_i < limit && !empty;
      end

      reg was; // the last retired instruction was inside
      always @(posedge clk_i) begin
        if (retired_i) was <= inside_o[i];
        if (hart_rst_i) was <= 1'b0;
      end
      assign enter_o[i] = retired_i && inside_o[i] && !was;
      assign add[4*i+:4] = {writes, reads, 1'b1, !was} & {4{retired_i && inside_o[i]}};
      assign clear_cycles[i] = clear_i || (mine && bus_word == 4'd2);
      assign clear[4*i+:4] = {4{clear_cycles[i]}};

      reg r_lost;
      always @(posedge clk_i) r_lost <= !clear_i && (starved_i || (r_lost && !clear_cycles[i]));
      assign lost[i] = r_lost;
    end
  endgenerate

  // Counters in the order of the registers: entries, instructions, cycles, reads, writes.
  wire [2:0] counter = bus_word[3:1] - 3'd2;
  wire [2:0] of_range = counter - {2'd0, counter[2] || &counter[1:0]};
  assign index_o = counter == 3'd2 ? {2'd0, bus_range} : {bus_range, of_range[1:0]} + 4'd3;
  assign access_o = bus_mine && bus_word >= 4'd4 && bus_word < 4'd14;
  assign high_o = bus_word[0];
  assign clear_o = {clear, clear_cycles};
  assign happens_o = {add, {RANGES{!unattributed_i}}};
  assign settles_o = {RANGES{retired_i}};
  assign pays_o = inside_o;

  assign setting_o = bus_mine && bus_word < 4'd2;
  assign setting_at_o = {bus_range, bus_word[0]};

  // Reads are answered in the next cycle.
  reg b_word;
  reg [31:0] b_other;
  always @(posedge clk_i) begin
    b_word <= access_o || setting_o;
    b_other <= {30'd0, trace & {2{bus_trace}}};
    if (reg_sel_i && reg_addr_i == `GNOMON_PMU_LOST) b_other <= {13'd0, lost, 16'd0};
  end
  assign reg_rdata_o = b_other | (word_i & {32{b_word}});

  wire unused = &{1'b0, of_range[2], reg_addr_i[1:0]};
endmodule

`default_nettype wire
