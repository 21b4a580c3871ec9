// SPDX-License-Identifier: Apache-2.0
// The latency filter (docs/internals/profile.md, "Latency"): the distribution of the latencies of single instructions,
// and the first one that reaches a threshold. An instruction's latency is the number of cycles that it pays for
// (docs/internals/observation.md). The counts lie in distributed RAM with one adder. A threshold divides one power of
// two: its upper part has a counter of its own, so no second counter counts what reaches the threshold. Part of the
// block PMU.
`default_nettype none

module gnomon_latency #(
  parameter TAG_DELAY = 0, // cycles from an instruction's retirement until tagged_i describes it
  parameter WIDTH = 40     // bits of a count, 33 to 64
) (
  input  wire        clk_i,
  input  wire        clear_i,  // clears everything, when the hart's reset begins; writes during the reset stay

  input  wire        retired_i,       // an instruction retires
  input  wire        unattributed_i,  // no instruction pays for this cycle; also in the hart's reset
  input  wire [31:1] obs_pc_rdata_i,
  input  wire [31:0] obs_mem_addr_i,
  input  wire [3:0]  obs_mem_rmask_i, obs_mem_wmask_i,
  input  wire [2:0]  inside_i,        // the retiring instruction is inside of these ranges
  input  wire        tagged_i,        // the instruction that retired TAG_DELAY cycles ago has a tag for the filter

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o,  // one cycle after reg_sel_i, else 0

  output wire        irq_o
);
`include "gnomon_registers.vh"
  localparam BITS = 24; // of a latency
  localparam [11:0] COUNT = `GNOMON_PMU_LATENCY_COUNT_LO, CONTROL = `GNOMON_PMU_LATENCY_CONTROL,
      THRESHOLD = `GNOMON_PMU_LATENCY_THRESHOLD, FOUND = `GNOMON_PMU_LATENCY_FOUND, PC = `GNOMON_PMU_LATENCY_PC,
      ADDRESS = `GNOMON_PMU_LATENCY_ADDRESS;
  localparam [3:0] LONGEST = 4'd14, OVER = 4'd15; // counters: of the longest latencies; see above

  // ---- Settings ----
  reg enable, interrupt, only_tagged;
  reg [1:0] kinds; // of accesses: writes, reads; 0: all instructions
  reg [2:0] only_inside;
  reg [BITS-1:0] threshold;
  wire bus_mine = reg_sel_i && reg_addr_i[11:8] == COUNT[11:8], in_count = reg_addr_i[7];
  wire bus_write = bus_mine && reg_write_i;
  wire set_control = bus_write && reg_addr_i[7:2] == CONTROL[7:2];
  wire set_threshold = bus_write && reg_addr_i[7:2] == THRESHOLD[7:2];
  wire restart = clear_i || set_control || set_threshold;
  always @(posedge clk_i) begin
    if (set_control) begin
      {kinds, interrupt, enable} <= reg_wdata_i[3:0];
      {only_inside, only_tagged} <= reg_wdata_i[11:8];
    end
    if (set_threshold) threshold <= reg_wdata_i[BITS-1:0];
    if (clear_i) begin
      {kinds, interrupt, enable, only_inside, only_tagged} <= 8'd0;
      threshold <= {BITS{1'b0}};
    end
  end

  // ---- The instruction that retired TAG_DELAY cycles ago ----
  wire [1:0] kind = {|obs_mem_wmask_i, |obs_mem_rmask_i};
  wire of_kind = kinds == 2'd0 || |(kinds & kind);
  wire wanted = retired_i && enable && of_kind && (only_inside & ~inside_i) == 3'd0;
  wire [63:0] place = {obs_pc_rdata_i, obs_mem_addr_i, |kind};
  wire was_wanted, was_retired, was_unattributed;
  wire [63:0] was_place;
  generate
    if (TAG_DELAY == 0) begin : g_now
      assign {was_wanted, was_retired, was_unattributed, was_place} = {wanted, retired_i, unattributed_i, place};
    end else begin : g_later
      reg [3*TAG_DELAY-1:0] line;
      wire [3*TAG_DELAY+2:0] longer = {wanted, retired_i, unattributed_i, line};
      reg [64*TAG_DELAY-1:0] places; // flip-flops, which logic beside them does not need
      wire [64*TAG_DELAY+63:0] more_places = {place, places};
      always @(posedge clk_i) begin
        line <= longer[3*TAG_DELAY+2:3];
        places <= more_places[64*TAG_DELAY+63:64];
      end
      assign {was_wanted, was_retired, was_unattributed} = line[2:0];
      assign was_place = places[63:0];
      wire unused = &{1'b0, longer[2:0], more_places[63:0]};
    end
  endgenerate
  wire counts_now = was_wanted && (!only_tagged || tagged_i);

  // ---- Its latency ----
  // `bucket` and the flags describe `waiting`; those with _now describe `pays`.
  reg [BITS-1:0] waiting;
  reg [3:0] bucket;
  reg reached, passed; // the threshold; and the next power of two after it
  reg clearing;
  wire pays_more = !was_unattributed && !waiting[BITS-1]; // half of the largest value is enough, and easy to see
  wire [BITS-1:0] pays = waiting + {{(BITS - 1) {1'b0}}, pays_more};
  wire [15:0] powers = pays[15:0];
  wire doubles = bucket != LONGEST && powers[bucket+4'd1];
  wire [3:0] bucket_now = bucket + {3'd0, doubles};
  wire reached_now = pays >= threshold;
  wire passed_now = passed || (reached && doubles);
  always @(posedge clk_i) begin
    {waiting, bucket, reached, passed} <= {pays, bucket_now, reached_now, passed_now};
    if (was_retired || clearing) {waiting, bucket, reached, passed} <= {BITS + 6{1'b0}};
  end

  // ---- The first one that reaches the threshold. A find in the cycle of its clearing stays ----
  reg found, access;
  reg [BITS-1:0] cycles;
  reg [31:1] pc;
  reg [31:0] address;
  wire clear_found = bus_write && reg_addr_i[7:2] == FOUND[7:2] && |reg_wdata_i[`GNOMON_PMU_LATENCY_FOUND_FOUND];
  wire kept = found && !clear_found;
  wire finds = counts_now && reached_now && !clearing;
  always @(posedge clk_i) begin
    found <= (kept || finds) && !restart;
    if (finds && !kept) {cycles, pc, address, access} <= {pays, was_place};
  end
  assign irq_o = found && interrupt;

  // ---- The counts ----
  (* ram_style = "distributed" *) reg [WIDTH-1:0] counts[0:15];
  reg [3:0] at;
  reg count, wrapped;
  wire [WIDTH:0] sum = {1'b0, counts[at] & {WIDTH{!clearing}}} + {{WIDTH{1'b0}}, !clearing};
  always @(posedge clk_i) begin
    count <= counts_now && !clearing;
    at <= clearing ? at + 4'd1 : reached_now && !passed_now ? OVER : bucket_now;
    if (count || clearing) counts[at] <= sum[WIDTH-1:0];
    wrapped <= (wrapped || (count && sum[WIDTH])) && !restart;
    if (clearing && at == OVER) clearing <= 1'b0;
    if (restart) {clearing, at} <= 5'b1_0000;
  end

  // ---- Reads ----
  reg [WIDTH-33:0] high; // of the count that was read last
  wire [WIDTH-1:0] counted = counts[reg_addr_i[6:3]];
  wire bus_read = bus_mine && !reg_write_i;
  always @(posedge clk_i) begin
    case (reg_addr_i[7:2])
      FOUND[7:2]: reg_rdata_o <= {cycles, 5'd0, wrapped, access, found};
      PC[7:2]: reg_rdata_o <= {pc, 1'b0};
      ADDRESS[7:2]: reg_rdata_o <= address;
      default: reg_rdata_o <= reg_addr_i[2] ? {{(64 - WIDTH) {1'b0}}, high} : counted[31:0];
    endcase
    if (!bus_read || (!in_count && (reg_addr_i[6:4] != FOUND[6:4] || &reg_addr_i[3:2]))) reg_rdata_o <= 32'd0;
    if (bus_read && in_count && !reg_addr_i[2]) high <= counted[WIDTH-1:32];
  end

  wire unused = &{1'b0, reg_addr_i[1:0], reg_wdata_i, COUNT[7:0], CONTROL, THRESHOLD, FOUND, PC, ADDRESS};
endmodule

`default_nettype wire
