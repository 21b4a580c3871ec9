// SPDX-License-Identifier: Apache-2.0
// The selectable counters with filters and overflow interrupt. The hart accesses them as the CSRs mhpmcounter3..,
// mhpmevent3.. and the upper bits of mcountinhibit; the host and the bus access them as registers of the block PMU.
// Both accesses may come in one cycle; if both write a word, the CSR's value stays. CSR reads take 2 cycles, like those
// of gnomon_pmu, whose read data is ORed with this module's.
`default_nettype none

module gnomon_hpm #(
  parameter COUNTERS  = 6, // 1 to 15
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
  output reg  [31:0] reg_rdata_o,  // one cycle after reg_sel_i, else 0

  input  wire [63:0] events_i,
  input  wire        retired_i,       // an instruction retires
  input  wire        debug_i,         // a cycle of debug mode
  input  wire        unattributed_i,  // no instruction pays for this cycle
  input  wire [1:0]  obs_mode_i,
  input  wire [31:0] obs_mem_addr_i,
  input  wire [3:0]  obs_mem_wmask_i,
  input  wire [31:0] obs_mem_wdata_i,
  input  wire [2:0]  inside_i,        // the retiring instruction is inside of these ranges
  input  wire        tagged_i,        // the instruction that retired TAG_DELAY cycles ago has a tag that counts
  input  wire [3:0]  gates_i,         // the instruction that retired TAG_DELAY cycles ago is in these timers' intervals

  output reg         overflow_o  // a counter wrapped in the previous cycle
);
`include "gnomon_registers.vh"
`include "gnomon_events.vh"
  localparam NUMBER_BITS = 16;
`include "gnomon_trace_types.vh"
  localparam [11:0] FIRST = `GNOMON_PMU_COUNTER_LO;
  localparam [31:0] THREAD_ADDRESS = 32'd0 - 32'd4 - 32'd4 * {16'd0, CHANNEL_THREAD};
  localparam [3:0] HOW_MANY = COUNTERS[3:0];
  localparam [7:0] LAST = `GNOMON_EVENT_LAST;

  // Thread of the retiring instruction. The instruction after the message THREAD is the new thread's first.
  reg [8:0] thread;
  always @(posedge clk_i) begin
    if (retired_i && obs_mem_wmask_i == 4'b1111 && obs_mem_addr_i == THREAD_ADDRESS) thread <= {|obs_mem_wdata_i[31:8],
        obs_mem_wdata_i[7:0]};
    if (hart_rst_i) thread <= 9'd0;
  end

  // CSR access. Bits 11 and 10 of the CSR number tell counters (Bxx, Cxx) from 32x and 33x, 72x and 73x. The core
  // requests no other numbers.
  wire is_counter = hpm_addr_i[11];
  wire [4:0] which = hpm_addr_i[4:0];
  wire csr_high = is_counter ? hpm_addr_i[7] : hpm_addr_i[10];
  wire [1:0] csr_word = {!is_counter, csr_high};
  wire csr_write = hpm_valid_i && hpm_write_i;
  wire csr_inhibit = !is_counter && which == 5'd0;
  reg [4:0] r_which;
  reg [1:0] r_word;
  reg r_inhibit;
  always @(posedge clk_i)
    if (hpm_valid_i) begin
      r_which <= which;
      r_word <= csr_word;
      r_inhibit <= csr_inhibit;
    end

  // Register access.
  wire bus_write = reg_sel_i && reg_write_i;
  wire bus_counter = reg_addr_i[11:8] == FIRST[11:8];
  wire bus_inhibit = bus_write && reg_addr_i == `GNOMON_PMU_INHIBIT;

  reg [COUNTERS-1:0] inhibit;
  always @(posedge clk_i) begin
    if (bus_inhibit) inhibit <= reg_wdata_i[3+:COUNTERS];
    if (csr_write && csr_inhibit) inhibit <= hpm_wdata_i[3+:COUNTERS];
    if (clear_i) inhibit <= {COUNTERS{1'b0}};
  end

  wire [COUNTERS-1:0] overflow;
  wire [COUNTERS*128-1:0] words; // of each counter: low, high, event low, event high
  genvar i;
  generate
    for (i = 0; i < COUNTERS; i = i + 1) begin : g_counter
      wire [3:0] from_csr = {4{csr_write && !csr_inhibit && which == 5'd3 + i}} & (4'd1 << csr_word);
      wire [3:0] from_bus = {4{bus_write && bus_counter && reg_addr_i[7:4] == i}} & (4'd1 << reg_addr_i[3:2]);
      gnomon_hpm_counter #(
        .TAG_DELAY(TAG_DELAY)
      ) u_counter (
        .clk_i(clk_i), .clear_i(clear_i), .hold_i(hart_rst_i), .write_i(from_csr | from_bus),
        .wdata0_i(from_csr[0] ? hpm_wdata_i : reg_wdata_i), .wdata1_i(from_csr[1] ? hpm_wdata_i : reg_wdata_i),
        .wdata2_i(from_csr[2] ? hpm_wdata_i : reg_wdata_i), .wdata3_i(from_csr[3] ? hpm_wdata_i : reg_wdata_i),
        .inhibit_i(inhibit[i]), .counter_o(words[128*i+:64]), .event_o(words[128*i+64+:64]), .events_i(events_i),
        .debug_i(debug_i), .unattributed_i(unattributed_i), .retired_i(retired_i), .user_i(obs_mode_i == 2'd0),
        .inside_i(inside_i), .thread_i(thread), .tagged_i(tagged_i), .gates_i(gates_i), .overflow_o(overflow[i])
      );
    end
  endgenerate
  always @(posedge clk_i) overflow_o <= |overflow;

  // Reads.
  integer k;
  reg [31:0] csr_rdata, bus_rdata;
  always @* begin
    csr_rdata = 32'd0;
    bus_rdata = 32'd0;
    for (k = 0; k < COUNTERS; k = k + 1) begin
      if (r_which == 5'd3 + k[4:0]) csr_rdata = csr_rdata | words[128*k+32*r_word+:32];
      if (bus_counter && reg_addr_i[7:4] == k[3:0]) bus_rdata = bus_rdata | words[128*k+32*reg_addr_i[3:2]+:32];
    end
    if (r_inhibit) csr_rdata = {{(29 - COUNTERS) {1'b0}}, inhibit, 3'd0};
    if (reg_addr_i == `GNOMON_PMU_INHIBIT) bus_rdata = {{(29 - COUNTERS) {1'b0}}, inhibit, 3'd0};
    if (reg_addr_i == `GNOMON_PMU_CONFIG) bus_rdata = {8'd0, LAST, 4'd0, 4'd1, 4'd2, HOW_MANY};
  end
  assign hpm_rdata_o = csr_rdata;
  always @(posedge clk_i) reg_rdata_o <= bus_rdata & {32{reg_sel_i}};

  wire unused = &{1'b0, obs_mode_i, hpm_addr_i[9:8], hpm_addr_i[6:5], reg_addr_i[1:0]};
endmodule

`default_nettype wire
