// SPDX-License-Identifier: Apache-2.0
// The adders of gnomon_aggregator_compact: an accumulator of 32 bits, one of 16 bits above it, and their sum with a
// word of the memory. HARD = 1 uses three DSP blocks of the UP5K. No reset clears the adders.
`default_nettype none

module gnomon_aggregator_compact_adders #(
  parameter HARD = 0
) (
  input  wire        clk_i,
  input  wire [31:0] word_i,

  input  wire        subtract_i,   // 1: both accumulators subtract; 0: they add
  input  wire        low_load_i, low_step_i, low_carry_i,
  input  wire [31:0] low_i,
  output wire [31:0] low_o,
  output wire        low_carry_o,  // carry or borrow of a step; valid even without a step

  input  wire        high_load_i, high_step_i, high_carry_i,
  input  wire [15:0] high_i,
  output wire [15:0] high_o,
  output wire        high_carry_o,

  input  wire        sum_high_i,  // adds to the upper accumulator; the upper half of the sum then has no meaning
  input  wire        sum_load_i,  // loads the accumulator without the word
  input  wire        sum_step_i, sum_carry_i,
  output wire [31:0] sum_o,
  output wire        sum_carry_o
);
  wire [31:0] addend = {low_o[31:16], sum_high_i ? high_o : low_o[15:0]};
  generate
    if (HARD != 0) begin : g_hard
      wire [2:0] carry;
      wire [15:0] unused_high;
      gnomon_up5k_adder u_low (
        .clk_i(clk_i), .hold_i(!(low_load_i || low_step_i)), .load_i(low_load_i), .load_value_i(low_i),
        .addend_i(word_i), .subtract_i(subtract_i), .carry_i(low_carry_i), .value_o(low_o), .carry_o(carry[0])
      );
      // The accumulator is the upper half. The lower half only passes the carry.
      gnomon_up5k_adder #(
        .BOTTOM_LOADED(1'b1)
      ) u_high (
        .clk_i(clk_i), .hold_i(!(high_load_i || high_step_i)), .load_i(high_load_i), .load_value_i({high_i, 16'd0}),
        .addend_i({word_i[15:0], {16{!subtract_i}}}), .subtract_i(subtract_i), .carry_i(high_carry_i),
        .value_o({high_o, unused_high}), .carry_o(carry[1])
      );
      gnomon_up5k_adder #(
        .TOP_LOADED(1'b1), .BOTTOM_LOADED(1'b1)
      ) u_sum (
        .clk_i(clk_i), .hold_i(!(sum_load_i || sum_step_i)), .load_i(sum_load_i), .load_value_i(addend),
        .addend_i(word_i), .subtract_i(1'b0), .carry_i(sum_carry_i), .value_o(sum_o), .carry_o(carry[2])
      );
      assign low_carry_o = carry[0] ^ subtract_i;
      assign high_carry_o = carry[1] ^ subtract_i;
      assign sum_carry_o = carry[2];
    end else begin : g_soft
      reg [31:0] low, sum;
      reg [15:0] high;
      wire [32:0] low_next = subtract_i ? {1'b0, low} - {1'b0, word_i} - {32'd0, low_carry_i} :
          {1'b0, low} + {1'b0, word_i} + {32'd0, low_carry_i};
      wire [16:0] high_next = subtract_i ? {1'b0, high} - {1'b0, word_i[15:0]} - {16'd0, high_carry_i} :
          {1'b0, high} + {1'b0, word_i[15:0]} + {16'd0, high_carry_i};
      wire [32:0] sum_next = {1'b0, addend} + {1'b0, word_i} + {32'd0, sum_carry_i};
      always @(posedge clk_i) begin
        if (low_load_i) low <= low_i;
        else if (low_step_i) low <= low_next[31:0];
        if (high_load_i) high <= high_i;
        else if (high_step_i) high <= high_next[15:0];
        if (sum_load_i) sum <= addend;
        else if (sum_step_i) sum <= sum_next[31:0];
      end
      assign low_o = low;
      assign high_o = high;
      assign sum_o = sum;
      assign low_carry_o = low_next[32];
      assign high_carry_o = high_next[16];
      assign sum_carry_o = sum_next[32];
    end
  endgenerate
endmodule

`default_nettype wire
