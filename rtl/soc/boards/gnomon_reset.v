// SPDX-License-Identifier: Apache-2.0
// Power-on reset of a board: lasts for 255 cycles after configuration, or after the end of `hold_i` (a PLL without
// lock).
`default_nettype none

module gnomon_reset (
  input  wire clk_i,
  input  wire hold_i,  // asynchronous
  output wire rst_o
);

  reg [7:0] count = 8'd0;
  wire hold;

  gnomon_sync2 u_hold (
    .clk_i(clk_i), .rst_i(1'b0), .d_i(hold_i), .q_o(hold)
  );

  assign rst_o = count != 8'hFF;

  always @(posedge clk_i) begin
    if (hold) count <= 8'd0;
    else if (rst_o) count <= count + 8'd1;
  end

endmodule

`default_nettype wire
