// SPDX-License-Identifier: Apache-2.0
// The low bits of one counter, in flip-flops. A wrap leaves a carry behind, which the sweep of gnomon_pmu adds to the
// block RAM within less than 2^BITS cycles; ones_i tells it whether that goes on into the upper half.
`default_nettype none

module gnomon_pmu_low #(
    parameter BITS = 7
) (
    input wire clk_i,
    input wire reset_i,
    input wire count_i,      // + 1
    input wire count_two_i,  // + 2 instead, with count_i
    input wire load_low_i,   // software writes the lower 32 bits
    input wire load_high_i,  // software writes the upper 32 bits
    input wire [BITS-1:0] load_data_i,
    input wire ones_we_i,    // bits BITS..31 in block RAM are rewritten: all ones?
    input wire ones_i,
    input wire carry_taken_i,
    input wire carry_high_taken_i,

    output wire [BITS-1:0] low_o,
    output wire carry_o,      // 2^BITS to be added to the lower word
    output wire carry_high_o, // 2^32 to be added, that of carry_o not included
    output wire carry_through_o // 2^32 to be added, all in all
);
  reg [BITS-1:0] low;
  reg carry, carry_high, ones;
  wire [BITS:0] sum = {1'b0, low} + {{BITS{1'b0}}, count_i && !count_two_i} + {{(BITS - 1) {1'b0}}, count_i && count_two_i, 1'b0};

  assign low_o = low;
  assign carry_o = carry;
  assign carry_high_o = carry_high;
  assign carry_through_o = carry_high || (carry && ones);

  always @(posedge clk_i) begin
    if (reset_i || load_low_i) begin
      low <= reset_i ? {BITS{1'b0}} : load_data_i;
      carry <= 1'b0;
    end else begin
      low <= sum[BITS-1:0];
      carry <= sum[BITS] || (carry && !carry_taken_i);
    end
    if (reset_i || load_high_i || carry_high_taken_i) carry_high <= 1'b0;
    else if (carry_taken_i && ones && !load_low_i) carry_high <= 1'b1;
    // What was pending for the upper half when software wrote that is gone with the old value.
    if (reset_i || (load_high_i && carry)) ones <= 1'b0;
    else if (ones_we_i) ones <= ones_i;
  end
endmodule

`default_nettype wire
