// SPDX-License-Identifier: Apache-2.0
// Register of 32 bits with a hold. HARD = 1 puts it into a DSP block of the UP5K (gnomon_up5k_adder, always loaded),
// because a register that only copies another register would cost one logic cell per bit. The power-on value is
// undefined.
`default_nettype none

module gnomon_core_word #(
  parameter HARD = 0
) (
  input  wire        clk_i, hold_i,
  input  wire [31:0] data_i,
  output wire [31:0] data_o
);
  generate
    if (HARD != 0) begin : g_hard
      wire unused;
      gnomon_up5k_adder u_register (
        .clk_i(clk_i), .hold_i(hold_i), .load_i(1'b1), .load_value_i(data_i), .addend_i(32'd0), .subtract_i(1'b0),
        .carry_i(1'b0), .value_o(data_o), .carry_o(unused)
      );
    end else begin : g_soft
      reg [31:0] data;
      always @(posedge clk_i)
        if (!hold_i)
          data <= data_i;
      assign data_o = data;
    end
  endgenerate
endmodule
`default_nettype wire
