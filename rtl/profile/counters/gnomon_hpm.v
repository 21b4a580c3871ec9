// SPDX-License-Identifier: Apache-2.0
// The selectable counters with filters and overflow interrupt. The hart accesses them as the CSRs mhpmcounter3..,
// mhpmevent3.. and the upper bits of mcountinhibit; the host and the bus access them as registers of the block PMU.
// CSR reads take 2 cycles, like those of gnomon_pmu, whose read data is ORed with this module's. The bus accesses no
// counter in the cycle after a CSR read begins, nor in the cycle of a CSR write: the hart makes no other access then,
// and gnomon_soc lets the host wait. The counts are in the store of gnomon_counters, which finds a wrap when it visits
// the counter.
`default_nettype none

module gnomon_hpm #(
  parameter COUNTERS  = 6, // 1 to 15
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

  input  wire [63:0] events_i,
  input  wire [4:0]  cause_i,         // of this cycle: events 1 to 32
  input  wire        retired_i,       // an instruction retires
  input  wire        debug_i,         // a cycle of debug mode
  input  wire        unattributed_i,  // no instruction pays for this cycle
  input  wire [1:0]  obs_mode_i,
  input  wire [8:0]  thread_i,        // of the retiring instruction
  input  wire [2:0]  inside_i,        // the retiring instruction is inside of these ranges
  input  wire        tagged_i,        // the instruction that retired TAG_DELAY cycles ago has a tag that counts
  input  wire [3:0]  gates_i,         // the instruction that retired TAG_DELAY cycles ago is in these timers' intervals

  output reg         overflow_o,  // a counter has wrapped while its OF was 0

  // For the store.
  output wire [COUNTERS-1:0] happens_o, settles_o, pays_o,
  output wire        access_o,
  output wire        counts_o, // the access is of the counter, not of its event register
  output wire [3:0]  index_o,
  output wire [1:0]  write_o,
  output wire        high_o,   // the upper half is read
  output wire [31:0] wdata_o,
  // For the memory by which settings are read: word 2 of a counter is accessed.
  output wire        setting_o,
  output wire        set_o,
  output wire [31:0] set_wdata_o,
  input  wire [31:0] word_i,   // one cycle after access_o: the half of the counter, or its word 2; 0 for word 3
  input  wire [COUNTERS-1:0] wraps_i,
  input  wire        starved_i
);
`include "gnomon_registers.vh"
`include "gnomon_events.vh"
  localparam [11:0] FIRST = `GNOMON_PMU_COUNTER_LO;
  localparam [3:0] HOW_MANY = COUNTERS[3:0];
  localparam [7:0] LAST = `GNOMON_EVENT_LAST;

  // CSR access. Bits 11 and 10 of the CSR number tell counters (Bxx, Cxx) from 32x and 33x, 72x and 73x. The core
  // requests no other numbers.
  wire is_counter = hpm_addr_i[11];
  wire [4:0] which = hpm_addr_i[4:0] - 5'd3;
  wire csr_high = is_counter ? hpm_addr_i[7] : hpm_addr_i[10];
  wire [1:0] csr_word = {!is_counter, csr_high};
  wire csr_exists = which < {1'b0, HOW_MANY};
  wire csr_inhibit = !is_counter && hpm_addr_i[4:0] == 5'd0;
  wire csr_write = hpm_valid_i && hpm_write_i;
  reg r_read; // the cycle after a read began
  reg r_exists, r_inhibit;
  reg [3:0] r_which;
  reg [1:0] r_word;
  always @(posedge clk_i) begin
    r_read <= hpm_valid_i && !hpm_write_i;
    if (hpm_valid_i) {r_exists, r_inhibit, r_which, r_word} <= {csr_exists, csr_inhibit, which[3:0], csr_word};
  end

  // Register access. Reads are answered in the next cycle.
  wire bus_counter = reg_addr_i[11:8] == FIRST[11:8] && reg_addr_i[7:4] < HOW_MANY;
  wire bus_inhibit = reg_addr_i == `GNOMON_PMU_INHIBIT;
  wire bus_lost = reg_addr_i == `GNOMON_PMU_LOST;
  reg b_counter, b_inhibit, b_lost, b_config;
  always @(posedge clk_i)
    {b_counter, b_inhibit, b_lost, b_config} <= {bus_counter, bus_inhibit, bus_lost, reg_addr_i == `GNOMON_PMU_CONFIG} &
        {4{reg_sel_i}};

  // One word of one counter is accessed at a time.
  wire write = csr_write ? csr_exists : reg_sel_i && reg_write_i && bus_counter;
  wire access = (csr_write && csr_exists) || (r_read && r_exists) || (reg_sel_i && bus_counter);
  wire [3:0] index = csr_write ? which[3:0] : r_read ? r_which : reg_addr_i[7:4];
  wire [1:0] word = csr_write ? csr_word : r_read ? r_word : reg_addr_i[3:2];
  wire [31:0] wdata = csr_write ? hpm_wdata_i : reg_wdata_i;
  wire [3:0] writes = {3'd0, write} << word;

  reg [COUNTERS-1:0] inhibit;
  always @(posedge clk_i) begin
    if (reg_sel_i && reg_write_i && bus_inhibit) inhibit <= reg_wdata_i[3+:COUNTERS];
    if (csr_write && csr_inhibit) inhibit <= hpm_wdata_i[3+:COUNTERS];
    if (clear_i) inhibit <= {COUNTERS{1'b0}};
  end

  // An access reaches the counter in the next cycle.
  reg [1:0] v_word;
  reg v_of_write, v_of; // OF is written
  always @(posedge clk_i) {v_word, v_of_write, v_of} <= {word, writes[3] && !clear_i, wdata[31]};

  wire [COUNTERS-1:0] overflows, lost;
  wire [5:0] cause_number = {1'b0, cause_i} + 6'd1; // the cause as an event
  wire [COUNTERS*3-1:0] uppers; // OF, MINH, UINH of the accessed counter; else 0
  reg [COUNTERS-1:0] mine;           // the accessed counter
  genvar i;
  generate
    for (i = 0; i < COUNTERS; i = i + 1) begin : g_counter
      wire [63:0] selection;
      gnomon_hpm_counter #(
        .TAG_DELAY(TAG_DELAY)
      ) u_counter (
        .clk_i(clk_i), .clear_i(clear_i), .hold_i(hart_rst_i), .write_i(writes & {4{index == i}}), .wdata_i(wdata),
        .inhibit_i(inhibit[i]), .event_o(selection), .events_i(events_i[63:33]),
        .cause_number_i(cause_number), .debug_i(debug_i),
        .unattributed_i(unattributed_i), .retired_i(retired_i), .user_i(obs_mode_i == 2'd0), .inside_i(inside_i),
        .thread_i(thread_i), .tagged_i(tagged_i), .gates_i(gates_i), .happens_o(happens_o[i]),
        .settles_o(settles_o[i]), .pays_o(pays_o[i])
      );

      // A write of OF replaces what this visit finds.
      reg of;
      always @(posedge clk_i) begin
        mine[i] <= index == i;
        of <= !clear_i && (v_of_write && mine[i] ? v_of : of || wraps_i[i]);
      end
      assign overflows[i] = wraps_i[i] && !of;
      assign uppers[3*i+:3] = {of || wraps_i[i], selection[62], selection[60]} & {3{mine[i]}};

      // A count is lost until software has written its lower half, and then its upper half.
      reg lost_low, lost_high;
      always @(posedge clk_i) begin
        if (writes[0] && index == i) lost_low <= 1'b0;
        if (writes[1] && index == i && !lost_low) lost_high <= 1'b0;
        if (starved_i || clear_i) {lost_low, lost_high} <= {2{!clear_i}};
      end
      assign lost[i] = lost_low || lost_high;
      wire unused = &{1'b0, selection[63], selection[61], selection[59:0]};
    end
  endgenerate
  always @(posedge clk_i) overflow_o <= |overflows;

  assign access_o = access;
  assign counts_o = access && !word[1];
  assign index_o = index;
  assign write_o = writes[1:0] & {2{!clear_i}};
  assign high_o = word[0];
  assign wdata_o = wdata;

  // The lower word of the event register as software reads it: see gnomon_hpm_counter.
  wire exists = wdata[7:6] == 2'd0 && wdata[5:0] <= LAST[5:0];
  assign setting_o = access && word == 2'd2;
  assign set_o = writes[2] && !clear_i;
  assign set_wdata_o = {wdata[31:24], 8'd0, wdata[15:13] & {3{TAG_DELAY != 0}}, wdata[12:8], 2'd0,
      wdata[5:0] & {6{exists}}};

  // Reads.
  integer k;
  reg [2:0] upper;
  always @* begin
    upper = 3'd0;
    for (k = 0; k < COUNTERS; k = k + 1) upper = upper | uppers[3*k+:3];
  end
  wire [31:0] data = word_i | ({upper[2:1], 1'b0, upper[0], 28'd0} & {32{&v_word}});
  wire [31:0] inhibits = {{(29 - COUNTERS) {1'b0}}, inhibit, 3'd0};
  assign hpm_rdata_o = (data & {32{r_exists}}) | (inhibits & {32{r_inhibit}});
  assign reg_rdata_o = (data & {32{b_counter}}) | (inhibits & {32{b_inhibit}}) |
      ({{(32 - COUNTERS) {1'b0}}, lost} & {32{b_lost}}) |
      ({8'd0, LAST, 3'd0, LATENCY != 0, 4'd1, 4'd2, HOW_MANY} & {32{b_config}});

  wire unused = &{1'b0, events_i[32:0], obs_mode_i, hpm_addr_i[9:8], hpm_addr_i[6:5], reg_addr_i[1:0]};
endmodule

`default_nettype wire
