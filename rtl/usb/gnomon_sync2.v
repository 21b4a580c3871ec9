// SPDX-License-Identifier: Apache-2.0
// Two flip-flops that bring signals into the domain of clk_i. Each bit is synchronised on its own: a vector may
// only be passed when at most one of its bits changes at a time (Gray code) or its bits are unrelated.
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
