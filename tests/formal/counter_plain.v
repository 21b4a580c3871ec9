// SPDX-License-Identifier: Apache-2.0
// What gnomon_counter_store makes of its inputs for one counter, in its plainest form: how many events count in this
// cycle, and how many wait.
`default_nettype none

module counter_plain (
    input  wire        clk_i, happens_i, settles_i, pays_i,
    output wire [63:0] increment_o,
    output reg  [63:0] waiting_o
);
  wire [63:0] sum = waiting_o + happens_i;
  assign increment_o = settles_i && pays_i ? sum : 64'd0;
  always @(posedge clk_i) waiting_o <= settles_i ? 64'd0 : sum;
endmodule

`default_nettype wire
