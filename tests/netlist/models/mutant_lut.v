// SPDX-License-Identifier: Apache-2.0
// A look-up table of the iCE40 with a selectable fault (mutate.py): the bit FLIPPED is wrong in mutant number MUTANT.
`default_nettype none

module mutant_lut #(
    parameter integer MUTANT = 1,
    parameter integer FLIPPED = 0,
    parameter [15:0] LUT_INIT = 16'd0
) (
    input  wire I0, I1, I2, I3,
    output wire O
);

    wire [3:0] at = {I3, I2, I1, I0};
    assign O = LUT_INIT[at] ^ (at == FLIPPED && netlist_tb.mutant_i == MUTANT);

endmodule

`default_nettype wire
