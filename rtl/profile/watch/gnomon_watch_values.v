// SPDX-License-Identifier: Apache-2.0
// The registers a0 and a1, in which functions get their first two arguments and return their result, for the
// instruction that retired two cycles ago: before it, and so at the entry of a function that it calls, and after the
// one that it returns from. Late values of loads are in the bundle, too. What a debugger writes is not.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_watch_values (
  input  wire        clk_i, hart_rst_i,
  input  wire [`GNOMON_OBS_PROFILED] obs_i,
  output reg  [31:0] a0_o, a1_o
);
  localparam [4:0] A0 = 5'd10, A1 = 5'd11;
  wire retired = obs_i[`GNOMON_OBS_VALID] && !obs_i[`GNOMON_OBS_TRAP];
  wire [4:0] rd = obs_i[`GNOMON_OBS_RD_ADDR];

  reg [31:0] value_1, value_2;
  reg a0_1, a0_2, a1_1, a1_2; // the value is for this register
  always @(posedge clk_i) begin
    value_1 <= obs_i[`GNOMON_OBS_RD_WDATA];
    {a0_1, a1_1} <= {retired && rd == A0, retired && rd == A1};
    {value_2, a0_2, a1_2} <= {value_1, a0_1, a1_1};
    if (a0_2) a0_o <= value_2;
    if (a1_2) a1_o <= value_2;
    if (hart_rst_i) {a0_1, a1_1, a0_2, a1_2, a0_o, a1_o} <= 68'd0;
  end

  wire unused = &{1'b0, obs_i};
endmodule

`default_nettype wire
