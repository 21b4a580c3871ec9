// SPDX-License-Identifier: Apache-2.0
// Two flip-flops that synchronise signals to clk_i. Each bit is synchronised separately, so a vector may change only
// one bit at a time (Gray code), or its bits must be unrelated.
`default_nettype none

module gnomon_sync2 #(
  parameter integer WIDTH = 1,
  parameter [WIDTH-1:0] RESET = {WIDTH{1'b0}}
) (
  input  wire             clk_i, rst_i,
  input  wire [WIDTH-1:0] d_i,
  output wire [WIDTH-1:0] q_o
);
  (* keep, async_reg = "true" *) reg [WIDTH-1:0] s1;
  (* keep, async_reg = "true" *) reg [WIDTH-1:0] s2;

  initial begin
    s1 = RESET;
    s2 = RESET;
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      s1 <= RESET;
      s2 <= RESET;
    end else begin
      s1 <= d_i;
      s2 <= s1;
    end
  end

  assign q_o = s2;
endmodule

`default_nettype wire
