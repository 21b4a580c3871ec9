// SPDX-License-Identifier: Apache-2.0
// The ECP5's output at both edges of its clock: D0 after the rising edge, D1 after the falling one. Without its
// registers, because the boards give it constants, which makes a clock.
`default_nettype none

module ODDRX1F #(
    parameter GSR = "ENABLED"
) (
    input  wire SCLK, RST, D0, D1,
    output wire Q
);

    assign Q = SCLK ? D0 : D1;

    wire unused = &{1'b0, RST, GSR == ""};

endmodule

`default_nettype wire
