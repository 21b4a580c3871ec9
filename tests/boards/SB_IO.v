// SPDX-License-Identifier: Apache-2.0
// The iCE40's pad cell as an empty box for lint: Verilator does not support the tristate of yosys's model at a top.
`default_nettype none

module SB_IO #(
  parameter [5:0] PIN_TYPE = 6'b000000
) (
  inout  wire PACKAGE_PIN,
  input  wire OUTPUT_CLK, OUTPUT_ENABLE, D_OUT_0, D_OUT_1,
  output wire D_IN_0
);
  wire unused = &{1'b0, PIN_TYPE, PACKAGE_PIN, OUTPUT_CLK, OUTPUT_ENABLE, D_OUT_0, D_OUT_1};
  assign D_IN_0 = 1'b0;
endmodule

`default_nettype wire
