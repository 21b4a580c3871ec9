// SPDX-License-Identifier: Apache-2.0
// A queue of two requests for gnomon_sdram. All outputs are registers.
`default_nettype none

module gnomon_sdram_queue #(
  parameter integer WIDTH = 32
) (
`ifdef FORMAL
  output wire [WIDTH-1:0] f_behind_o,
`endif
  input  wire             clk_i, rst_i, valid_i,
  output wire             ready_o,
  input  wire [WIDTH-1:0] data_i,
  output reg              valid_o,  // data_o is valid
  input  wire             take_i,   // only with valid_o
  output reg  [WIDTH-1:0] data_o    // the oldest request
);

  reg full;                          // `behind` holds a second request
  reg [WIDTH-1:0] behind;
`ifdef FORMAL
  assign f_behind_o = behind;
`endif
  wire push = valid_i && ready_o;
  assign ready_o = !full;

  always @(posedge clk_i) begin
    if (!full) behind <= data_i;
    if (take_i || !valid_o) begin
      data_o <= full ? behind : data_i;
      valid_o <= full || push;
      full <= 1'b0;
    end else begin
      full <= full || push;
    end
    if (rst_i) {valid_o, full} <= 2'b00;
  end

endmodule

`default_nettype wire
