// SPDX-License-Identifier: Apache-2.0
// The reduced form of the selectable counters, for the UP5K (docs/internals/profile.md, "The reduced counters"): two
// counters without filters, interrupt and CSRs. It serves the block PMU.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_reduced_counters #(
  parameter UP5K = 0
) (
  input  wire        clk_i,
  input  wire        rst_i,       // power-on
  input  wire        hart_rst_i,  // the hart's reset; its beginning clears everything

  input  wire [4:0]  cause_i,   // of this cycle: events 1 to 32
  input  wire [63:0] events_i,  // of this cycle, by number

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o  // one cycle after reg_sel_i, else 0
);
`include "gnomon_registers.vh"
`include "gnomon_events.vh"
  localparam SINCE = 9;
  localparam [4:0] DEBUG = 5'd9;
  localparam [11:0] COUNTER = `GNOMON_PMU_COUNTER_LO;
  localparam [7:0] LAST = `GNOMON_EVENT_BUS_HOST_WRITES;
  // The events that there are: not those of caches, ranges and tags, nor taken branches, which take 280 logic cells to
  // find out.
  localparam [63:0] CAUSES = 64'h3FFF, // none, and the causes up to FENCE
      NOT_TAKEN = ~(64'd1 << `GNOMON_EVENT_BRANCHES_TAKEN),
      THERE = CAUSES | (NOT_TAKEN & ((64'd2 << `GNOMON_EVENT_MISPREDICTIONS) - (64'd1 << `GNOMON_EVENT_BRANCHES))) |
        ((64'd2 << `GNOMON_EVENT_BUS_HOST_WRITES) - (64'd1 << `GNOMON_EVENT_BUS_INSTRUCTION_READS));
  localparam [31:0] CONFIG_WORD = {8'd0, LAST, 3'b001, 1'b0, 4'd0, 4'd0, 4'd2};

  reg in_reset, clearing;
  reg [8:0] clear_at;  // two rounds of the engine's words
  wire clear = rst_i || (hart_rst_i && !in_reset);
  always @(posedge clk_i) begin
    in_reset <= hart_rst_i;
    clear_at <= clear ? 9'd0 : clear_at + 9'd1;
    clearing <= clear || (clearing && !(&clear_at));
  end

  wire [5:0] cause_number = {1'b0, cause_i} + 6'd1; // the cause as an event
  wire [63:32] others = events_i[63:32] & THERE[63:32];
  wire write = reg_sel_i && reg_write_i;
  wire in_counter = reg_addr_i[11:5] == COUNTER[11:5];
  wire exists = reg_wdata_i[7:6] == 2'd0 && THERE[reg_wdata_i[5:0]];
  reg [1:0] inhibit, zero;
  reg lost;
  wire [1:0] zeroed, since_taken, since_full;
  wire [2*SINCE-1:0] sinces;
  wire [11:0] numbers;
  genvar n;
  generate
    for (n = 0; n < 2; n = n + 1) begin : g_counter
      reg [5:0] number;
      reg [SINCE-1:0] since;
      wire set = write && in_counter && reg_addr_i[4] == n[0];
      wire set_zero = set && reg_addr_i[3:2] == 2'd0;
      wire happens = (number == cause_number || (number[5] && others[number] && cause_i != DEBUG)) &&
          !inhibit[n] && !hart_rst_i;
      wire restart = set_zero || clearing;
      always @(posedge clk_i) begin
        if (set && reg_addr_i[3:2] == 2'd2) number <= reg_wdata_i[5:0] & {6{exists}};
        if (clear) number <= 6'd0;
        zero[n] <= ((zero[n] && !zeroed[n]) || set_zero) && !clearing;
        since[0] <= (happens ^ (since[0] && !since_taken[n])) && !restart;
        since[SINCE-1:1] <= since[SINCE-1:1] + {{(SINCE - 2) {1'b0}}, happens && since[0]};
        if (since_taken[n] || restart) since[SINCE-1:1] <= {(SINCE - 1) {1'b0}};
      end
      assign since_full[n] = &since && happens && !since_taken[n];
      assign sinces[SINCE*n+:SINCE] = since;
      assign numbers[6*n+:6] = number;
    end
  endgenerate
  always @(posedge clk_i) begin
    if (write && reg_addr_i == `GNOMON_PMU_INHIBIT) inhibit <= reg_wdata_i[4:3];
    lost <= lost || |since_full;
    if (clear) {lost, inhibit} <= 3'd0;
  end

  wire [31:0] word;
  wire [2:0] unused_taken;
  gnomon_reduced_engine #(
    .UP5K(UP5K), .COUNTERS(1), .SINCE(SINCE)
  ) u_engine (
    .clk_i(clk_i), .clear_i(clearing), .clear_at_i(clear_at[7:0]), .access_i(reg_sel_i && reg_addr_i[8]),
    .read_at_i({reg_addr_i[10], reg_addr_i[8:2]}), .word_o(word), .left_i(1'b0), .tag_i(4'd0), .amount_i(9'd0),
    .left_taken_o(unused_taken[2]), .zero_i(zero), .since_i(sinces), .zeroed_o(zeroed), .since_taken_o(since_taken),
    .ended_i(2'd0), .length_i(64'd0), .ended_taken_o(unused_taken[1:0])
  );

  reg shows;
  reg [31:0] own;
  always @(posedge clk_i) begin
    shows <= reg_sel_i && !reg_write_i && in_counter && !reg_addr_i[3];
    own <= 32'd0;
    if (reg_sel_i && !reg_write_i)
      case (reg_addr_i)
        `GNOMON_PMU_CONFIG: own <= CONFIG_WORD;
        `GNOMON_PMU_INHIBIT: own <= {27'd0, inhibit, 3'd0};
        `GNOMON_PMU_LOST: own <= {30'd0, {2{lost}}};
        COUNTER + 12'd8: own <= {26'd0, numbers[5:0]};
        COUNTER + 12'd24: own <= {26'd0, numbers[11:6]};
        default: own <= 32'd0;
      endcase
  end
  assign reg_rdata_o = own | (word & {32{shows}});

  wire unused = &{1'b0, events_i[31:0], reg_addr_i[1:0], reg_wdata_i[31:8], unused_taken};
endmodule

`default_nettype wire
