// SPDX-License-Identifier: Apache-2.0
// The length of a timer's interval, 32 bits: set to 0, one more, or unchanged. HARD = 1 uses a DSP block of the UP5K.
`default_nettype none

module gnomon_reduced_length #(
  parameter HARD = 0
) (
  input  wire        clk_i,
  input  wire        start_i,
  input  wire        count_i,
  output wire [31:0] length_o,
  output wire        carry_o  // with count_i: it wraps
);
  generate
    if (HARD != 0) begin : g_hard
      gnomon_up5k_adder u_length (
        .clk_i(clk_i), .hold_i(!start_i && !count_i), .load_i(start_i), .load_value_i(32'd0), .addend_i(32'd0),
        .subtract_i(1'b0), .carry_i(1'b1), .value_o(length_o), .carry_o(carry_o)
      );
    end else begin : g_soft
      reg [31:0] length;
      always @(posedge clk_i) begin
        if (start_i) length <= 32'd0;
        else if (count_i) length <= length + 32'd1;
      end
      assign length_o = length;
      assign carry_o = &length;
    end
  endgenerate
endmodule

`default_nettype wire
