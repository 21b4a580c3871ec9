// SPDX-License-Identifier: Apache-2.0
// 32 counters in distributed RAM. Each cycle can add to one counter and read any counter. A counter that was not
// written since the last clearing counts as 0, so that clearing takes one cycle.
`default_nettype none

module gnomon_tag_counts #(
  parameter WIDTH  = 40,
  parameter AMOUNT = 1 // bits of the amount, fewer than WIDTH
) (
  input  wire              clk_i,
  input  wire              clear_i,  // the counters are 0 in the next cycle, whatever is added

  input  wire              add_i,
  input  wire [4:0]        index_i,
  input  wire [AMOUNT-1:0] amount_i,

  input  wire [4:0]        read_index_i,
  output wire [WIDTH-1:0]  read_o  // the count at the start of this cycle
);
  (* ram_style = "distributed" *) reg [WIDTH-1:0] memory[0:31];
  reg [31:0] written;
  wire [WIDTH-1:0] present = memory[index_i] & {WIDTH{written[index_i]}};
  always @(posedge clk_i) begin
    if (add_i) begin
      memory[index_i] <= present + {{(WIDTH - AMOUNT) {1'b0}}, amount_i};
      written[index_i] <= 1'b1;
    end
    if (clear_i) written <= 32'd0;
  end
  assign read_o = memory[read_index_i] & {WIDTH{written[read_index_i]}};
endmodule

`default_nettype wire
