// SPDX-License-Identifier: Apache-2.0
// Look-up tables of both families, in one expression, which Verilator simulates faster than yosys' tree of
// multiplexers. tb_models.v compares both forms.
`default_nettype none

module SB_LUT4 #(
    parameter [15:0] LUT_INIT = 16'd0
) (
    input  wire I0, I1, I2, I3,
    output wire O
);

    assign O = LUT_INIT[{I3, I2, I1, I0}];

endmodule

module LUT4 #(
    parameter [15:0] INIT = 16'd0
) (
    input  wire A, B, C, D,
    output wire Z
);

    assign Z = INIT[{D, C, B, A}];

endmodule

`default_nettype wire
