// SPDX-License-Identifier: Apache-2.0
// The cycle counter of record: 64 bits, never written, 0 in the cycle after a reset. HARD = 1 counts in two DSP blocks
// of the UP5K; the upper block adds the carry of the lower one.
`default_nettype none

module gnomon_cycle #(
  parameter HARD = 0
) (
  input  wire        clk_i, reset_i,
  output wire [63:0] cycle_o
);
  generate
    if (HARD != 0) begin : g_hard
      wire [1:0] carry;
      genvar half;
      for (half = 0; half < 2; half = half + 1) begin : g_half
        gnomon_up5k_adder u_half (
          .clk_i(clk_i), .hold_i(1'b0), .load_i(reset_i), .load_value_i(32'd0), .addend_i(32'd0), .subtract_i(1'b0),
          .carry_i(half == 0 || carry[0]), .value_o(cycle_o[32*half+:32]), .carry_o(carry[half])
        );
      end
      wire unused_carry = carry[1];
    end else begin : g_soft
      reg [63:0] cycle;
      always @(posedge clk_i) cycle <= reset_i ? 64'd0 : cycle + 64'd1;
      assign cycle_o = cycle;
    end
  endgenerate
endmodule

`default_nettype wire
