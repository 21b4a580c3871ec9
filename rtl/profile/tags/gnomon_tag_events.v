// SPDX-License-Identifier: Apache-2.0
// Small counters of what happens at full rate; each leaves for a 32-bit counter of the block RAM, one after the other,
// and is 0 then. A counter that has reached half of its range is urgent: then the engine takes all of them before
// anything else, in fewer cycles than it takes to fill the other half.
`default_nettype none

module gnomon_tag_events #(
  parameter N = 7, // at most 8
  parameter WIDTH = 9
) (
  input  wire             clk_i,
  input  wire             clear_i,
  input  wire [2*N-1:0]   add_i,  // 0 to 2 to each counter

  output wire             any_o,
  output wire             urgent_o,
  output wire             valid_o,  // counter index_o has a count to give
  output reg  [2:0]       index_o,
  output reg  [WIDTH-1:0] count_o,
  input  wire             taken_i
);
  reg [WIDTH*N-1:0] counts;
  wire [N-1:0] some, half;
  genvar g;
  generate
    for (g = 0; g < N; g = g + 1) begin : g_count
      wire [WIDTH-1:0] count = counts[WIDTH*g+:WIDTH] & {WIDTH{!(taken_i && index_o == g)}};
      always @(posedge clk_i)
        counts[WIDTH*g+:WIDTH] <= clear_i ? {WIDTH{1'b0}} : count + {{(WIDTH - 2) {1'b0}}, add_i[2*g+:2]};
      assign some[g] = |counts[WIDTH*g+:WIDTH];
      assign half[g] = counts[WIDTH*g+WIDTH-1];
    end
  endgenerate
  integer k;
  always @* begin
    count_o = {WIDTH{1'b0}};
    for (k = 0; k < N; k = k + 1) if (index_o == k[2:0]) count_o = count_o | counts[WIDTH*k+:WIDTH];
  end
  assign any_o = |some;
  assign urgent_o = |half;
  assign valid_o = |count_o;
  always @(posedge clk_i) begin
    if (!valid_o || taken_i) index_o <= index_o == N - 1 ? 3'd0 : index_o + 3'd1;
    if (clear_i) index_o <= 3'd0;
  end
endmodule

`default_nettype wire
