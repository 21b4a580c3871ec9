// SPDX-License-Identifier: Apache-2.0
// The four timers of the tags and their registers (gnomon_tag_timer), and the number of intervals that passed each
// threshold.
`default_nettype none

module gnomon_tag_timers (
  input  wire        clk_i,
  input  wire        rst_i,    // power-on: clears the thresholds and their interrupt enables
  input  wire        clear_i,  // clears everything else
  input  wire        time_i,   // this cycle counts

  // An instruction, its data, and the register GATE may act in one cycle, in this order.
  input  wire [1:0]  act_i,    // of the instruction: 0 nothing, 1 starts, 2 stops, 3 toggles
  input  wire [1:0]  which_i,  // the timer that act_i acts on
  input  wire [1:0]  word_act_i, word_which_i,
  input  wire        set_i,    // sets all timers to set_running_i
  input  wire [3:0]  set_running_i,

  output wire [3:0]  running_o,  // before these actions
  output wire [15:0] steps_o,    // 4 * timer + threshold: passed in this cycle, with its interrupt enabled

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  // one cycle after reg_sel_i, else 0. A read of a low half keeps the high half for the next read
  output reg  [31:0] reg_rdata_o
);
`include "gnomon_registers.vh"
  localparam TIMERS = 4;
  // Registers: 64 bytes for each timer.
  localparam [11:0] FIRST = `GNOMON_TAGS_TIMER_INTERVALS, LO = `GNOMON_TAGS_TIMER_CYCLES_LO,
      HI = `GNOMON_TAGS_TIMER_CYCLES_HI,
      LAST = `GNOMON_TAGS_TIMER_LAST, SHORTEST = `GNOMON_TAGS_TIMER_SHORTEST, LONGEST = `GNOMON_TAGS_TIMER_LONGEST,
      ELAPSED = `GNOMON_TAGS_TIMER_ELAPSED, INTERRUPT = `GNOMON_TAGS_TIMER_INTERRUPT, STEP = `GNOMON_TAGS_TIMER_STEP;
  wire mine = reg_sel_i && reg_addr_i[11:8] == FIRST[11:8];
  wire bus_write = mine && reg_write_i;
  wire [1:0] timer = reg_addr_i[7:6];
  wire [3:0] word = reg_addr_i[5:2];
  wire is_step = word[3:2] == STEP[5:4];

  wire [4*TIMERS-1:0] passed;
  reg [4*TIMERS-1:0] interrupts;
  wire [32*TIMERS-1:0] intervals, last, shortest, longest, elapsed;
  wire [48*TIMERS-1:0] cycles;
  wire [128*TIMERS-1:0] steps;
  genvar i;
  generate
    for (i = 0; i < TIMERS; i = i + 1) begin : g_timer
      gnomon_tag_timer u_timer (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear_i), .time_i(time_i), .act_i(act_i & {2{which_i == i}}),
        .word_act_i(word_act_i & {2{word_which_i == i}}), .set_i(set_i), .set_running_i(set_running_i[i]),
        .step_write_i({4{bus_write && timer == i && is_step}} & (4'd1 << word[1:0])), .wdata_i(reg_wdata_i),
        .running_o(running_o[i]), .passed_o(passed[4*i+:4]), .intervals_o(intervals[32*i+:32]),
        .cycles_o(cycles[48*i+:48]), .last_o(last[32*i+:32]), .shortest_o(shortest[32*i+:32]),
        .longest_o(longest[32*i+:32]), .elapsed_o(elapsed[32*i+:32]), .steps_o(steps[128*i+:128])
      );
      always @(posedge clk_i) begin
        if (bus_write && timer == i && word == INTERRUPT[5:2]) interrupts[4*i+:4] <= reg_wdata_i[3:0];
        if (rst_i) interrupts[4*i+:4] <= 4'd0;
      end
    end
  endgenerate
  assign steps_o = passed & interrupts;

  // At most one threshold is passed in a cycle, so these counters cannot overflow within 2^48 cycles. The registers
  // show 32 bits.
  localparam OVER_BITS = 48;
  wire [OVER_BITS-1:0] over;
  gnomon_count_bank #(
    .N(4 * TIMERS), .LOW(8), .WIDTH(OVER_BITS), .INDEX(4)
  ) u_over (
    .clk_i(clk_i), .clear_i({4 * TIMERS{clear_i}}), .add_i(passed), .amount_i(8'd1), .read_index_i({timer, word[1:0]}),
    .read_o(over)
  );

  wire [47:0] sum = cycles[48*timer+:48];
  reg [15:0] high;
  always @(posedge clk_i) begin
    reg_rdata_o <= 32'd0;
    if (mine) begin
      case (word)
        FIRST[5:2]: reg_rdata_o <= intervals[32*timer+:32];
        LO[5:2]: reg_rdata_o <= sum[31:0];
        HI[5:2]: reg_rdata_o <= {16'd0, high};
        LAST[5:2]: reg_rdata_o <= last[32*timer+:32];
        SHORTEST[5:2]: reg_rdata_o <= shortest[32*timer+:32];
        LONGEST[5:2]: reg_rdata_o <= longest[32*timer+:32];
        ELAPSED[5:2]: reg_rdata_o <= elapsed[32*timer+:32];
        INTERRUPT[5:2]: reg_rdata_o <= {28'd0, interrupts[4*timer+:4]};
        default: reg_rdata_o <= is_step ? steps[128*timer+32*word[1:0]+:32] : over[31:0] | {32{|over[OVER_BITS-1:32]}};
      endcase
      if (word == LO[5:2]) high <= sum[47:32];
    end
    if (clear_i) high <= 16'd0;
  end

  wire unused = &{1'b0, reg_addr_i[1:0]};
endmodule

`default_nettype wire
