// SPDX-License-Identifier: Apache-2.0
// The reduced form of tags, for the UP5K (docs/internals/tags.md, "The reduced form"): 15 tags of instructions in all
// of main memory (64 KiB), their executions, two timers, an interrupt. It serves the block TAGS. A tag has acted DELAY
// cycles after the retirement: cycle 1 has the tag, cycle 2 its MODE and acts.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_reduced_tags #(
  parameter UP5K = 0
) (
  input  wire        clk_i,
  input  wire        rst_i,       // power-on: resets everything
  input  wire        hart_rst_i,  // the hart's reset; its beginning clears the counts

  input  wire        retired_i,   // an instruction retires
  input  wire [15:1] pc_i,

  input  wire        mon_valid_i, mon_write_i,
  input  wire [31:2] mon_addr_i,

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o,  // one cycle after reg_sel_i, else 0

  output wire        irq_o
);
`include "gnomon_registers.vh"
  localparam DELAY = 3;
  localparam LOW = 9;
  localparam [11:0] MODE = `GNOMON_TAGS_MODE, TIMER = `GNOMON_TAGS_TIMER_INTERVALS,
      SHORTEST = `GNOMON_TAGS_TIMER_SHORTEST;
  localparam [31:0] CONFIG_WORD = {4'b1010, DELAY[3:0], 8'd0, 4'd0, 4'd2, 3'd0, 5'd14};

  // ---- Settings, clearing ----
  wire write = reg_sel_i && reg_write_i;
  reg enable, in_reset;
  // Counts rounds of the sweep of the low parts. While the counts are cleared, two rounds of the engine's words.
  reg [11:0] turns;
  reg clearing;
  wire swept;
  wire clear = rst_i || (hart_rst_i && !in_reset) ||
      (write && reg_addr_i == `GNOMON_TAGS_CLEAR && reg_wdata_i[`GNOMON_TAGS_CLEAR_COUNTS]);
  always @(posedge clk_i) begin
    in_reset <= hart_rst_i;
    if (write && reg_addr_i == `GNOMON_TAGS_CONTROL) enable <= reg_wdata_i[`GNOMON_TAGS_CONTROL_ENABLE];
    if (rst_i) enable <= 1'b0;
    turns <= clear ? 12'd0 : turns + {11'd0, clearing || swept};
    clearing <= clear || (clearing && !(&turns[8:0]));
  end

  // ---- Cycle 1: the tag ----
  wire [3:0] found;
  wire cleared, missed_store, outside, access_busy;
  wire [15:2] access_address;
  wire [7:0] access_word;
  gnomon_reduced_lookup #(
    .UP5K(UP5K)
  ) u_lookup (
    .clk_i(clk_i), .rst_i(rst_i), .retired_i(retired_i && enable && !hart_rst_i), .pc_i(pc_i), .tag_o(found),
    .store_i(mon_valid_i && mon_write_i && !mon_addr_i[31]), .store_address_i(mon_addr_i[15:2]), .cleared_o(cleared),
    .missed_o(missed_store), .reg_write_i(write), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i),
    .address_o(access_address), .word_o(access_word), .outside_o(outside), .busy_o(access_busy)
  );

  // ---- Cycle 2: MODE and low part, of one tag; in other cycles the sweep visits a tag ----
  reg acts, sweeps, left;
  reg [3:0] tag, left_tag;
  reg [LOW-1:0] amount;
  wire left_taken;
  wire set_mode = write && reg_addr_i[11:6] == MODE[11:6] && !enable;
  wire [4:0] mode_set = {reg_wdata_i[14:12], reg_wdata_i[`GNOMON_TAGS_MODE_INTERRUPT],
      reg_wdata_i[`GNOMON_TAGS_MODE_EXECUTE]};
  wire acts_next = found != 4'd0 && enable && !clearing;
  wire sweeps_next = !acts_next && !set_mode && (clearing || (!left && !sweeps));
  wire [3:0] tag_next = acts_next ? found : turns[3:0];

  (* no_rw_check, ram_style = "block" *)
  reg [LOW+4:0] lows[0:15]; // WHICH, TIMER, INTERRUPT, EXECUTE; the low part
  reg [LOW+4:0] low;
  reg same; // the tag is that of the cycle before, whose low part is `new_low`
  reg [LOW-1:0] new_low;
  wire [4:0] mode = low[LOW+4:LOW];
  wire executes = acts && mode[0] && enable;
  wire [LOW:0] sum = {1'b0, same ? new_low : low[LOW-1:0]} + {{LOW{1'b0}}, executes};
  wire leaves = (sweeps || (acts && sum[LOW-1])) && (!left || left_taken) && !set_mode;
  wire [LOW-1:0] next_low = sum[LOW-1:0] & {LOW{!leaves && !clearing}};
  assign swept = sweeps && leaves && !clearing;
  always @(posedge clk_i) begin
    acts <= acts_next;
    sweeps <= sweeps_next;
    tag <= tag_next;
    same <= (acts || sweeps) && tag == tag_next;
    new_low <= next_low;
    low <= lows[tag_next];
    if (set_mode || acts || sweeps) lows[set_mode ? reg_addr_i[5:2] : tag] <= set_mode ? {mode_set, {LOW{1'b0}}} :
        {mode, next_low};
    if (leaves) {left_tag, amount} <= {tag, sum[LOW-1:0]};
    left <= ((left && !left_taken) || leaves) && !clearing;
  end

  // ---- Interrupt, timers ----
  reg interrupt, missed, saturated, clears, refusals;
  reg [1:0] running, ended;
  wire [1:0] ended_taken, wraps, refused;
  wire [63:0] lengths;
  wire [1:0] action = mode[3:2] & {2{executes}}; // start, stop, toggle
  wire clear_interrupt = write && reg_addr_i == `GNOMON_TAGS_INTERRUPT && reg_wdata_i[`GNOMON_TAGS_INTERRUPT_TAG];
  genvar t;
  generate
    for (t = 0; t < 2; t = t + 1) begin : g_timer
      wire mine = mode[4] == t[0];
      wire asks = mine && action[0] && !running[t], stop = mine && action[1] && running[t];
      wire start = asks && !ended[t];
      assign refused[t] = asks && ended[t];
      wire carry;
      gnomon_reduced_length #(
        .HARD(UP5K)
      ) u_length (
        .clk_i(clk_i), .start_i(start), .count_i(running[t]), .length_o(lengths[32*t+:32]), .carry_o(carry)
      );
      assign wraps[t] = carry && running[t];
      always @(posedge clk_i) begin
        running[t] <= ((running[t] && !stop) || start) && !clearing;
        ended[t] <= ((ended[t] && !ended_taken[t]) || stop) && !clearing;
      end
    end
  endgenerate
  always @(posedge clk_i) begin
    interrupt <= ((interrupt && !clear_interrupt) || (executes && mode[1])) && !clearing;
    missed <= (missed || missed_store || (found != 4'd0 && clearing)) && !clear;
    saturated <= (saturated || |wraps || (executes && sum[LOW])) && !clear;
    clears <= (clears || cleared) && !clear;
    refusals <= (refusals || |refused) && !clear;
  end
  assign irq_o = interrupt;

  // ---- All sums ----
  wire [31:0] word;
  wire [3:0] unused_taken;
  gnomon_reduced_engine #(
    .UP5K(UP5K), .LOW(LOW)
  ) u_engine (
    .clk_i(clk_i), .clear_i(clearing), .clear_at_i(turns[7:0]), .access_i(reg_sel_i && |reg_addr_i[10:9]),
    .read_at_i({reg_addr_i[10], reg_addr_i[8:2]}), .word_o(word), .left_i(left), .tag_i(left_tag), .amount_i(amount),
    .left_taken_o(left_taken), .zero_i(2'd0), .since_i(18'd0), .zeroed_o(unused_taken[3:2]),
    .since_taken_o(unused_taken[1:0]), .ended_i(ended), .length_i(lengths), .ended_taken_o(ended_taken)
  );

  // ---- Registers ----
  wire in_value = reg_addr_i[11:9] == 3'b010, in_timer = reg_addr_i[11:7] == TIMER[11:7];
  reg shows, inverts;
  reg [31:0] own;
  always @(posedge clk_i) begin
    shows <= reg_sel_i && !reg_write_i && (in_value || in_timer);
    inverts <= in_timer && reg_addr_i[5:2] == SHORTEST[5:2];
    own <= 32'd0;
    if (reg_sel_i && !reg_write_i)
      case (reg_addr_i)
        `GNOMON_TAGS_CONFIG: own <= CONFIG_WORD;
        `GNOMON_TAGS_CONTROL: own <= {31'd0, enable};
        `GNOMON_TAGS_STATUS: own <= {16'd0, turns[11:4], 2'd0, missed, saturated, 1'b1, outside, access_busy,
            !clearing && !access_busy};
        `GNOMON_TAGS_ADDRESS: own <= {16'h1000, access_address, 2'b00};
        `GNOMON_TAGS_TAG: own <= {23'd0, access_word[7:4], 1'b0, access_word[3:0]};
        `GNOMON_TAGS_CLEARED: own <= {31'd0, clears};
        `GNOMON_TAGS_TIMERS_LOST: own <= {31'd0, refusals};
        `GNOMON_TAGS_INTERRUPT: own <= {31'd0, interrupt};
        `GNOMON_TAGS_GATE: own <= {30'd0, running};
        default: own <= 32'd0;
      endcase
  end
  assign reg_rdata_o = own | ((word ^ {32{inverts}}) & {32{shows}});

  wire unused = &{1'b0, mon_addr_i[30:16], unused_taken};
endmodule

`default_nettype wire
