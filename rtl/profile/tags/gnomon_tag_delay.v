// SPDX-License-Identifier: Apache-2.0
// Delays its input by DELAY cycles, with a ring buffer in a small memory in place of a chain of flip-flops.
`default_nettype none

module gnomon_tag_delay #(
  parameter WIDTH = 1,
  parameter DELAY = 8 // 2 or more
) (
  input  wire             clk_i, rst_i,

  input  wire [WIDTH-1:0] data_i,
  output reg  [WIDTH-1:0] data_o  // undefined in the first DELAY cycles after the reset
);
  localparam A = $clog2(DELAY);
  localparam [31:0] BACK = DELAY - 1; // the word read now leaves in the next cycle
  (* ram_style = "distributed" *) reg [WIDTH-1:0] ring[0:(1<<A)-1];
  reg  [A-1:0] pointer;
  wire [A-1:0] behind = pointer - BACK[A-1:0];
  always @(posedge clk_i) begin
    ring[pointer] <= data_i;
    data_o <= ring[behind];
    pointer <= rst_i ? {A{1'b0}} : pointer + 1'b1;
  end
endmodule

`default_nettype wire
