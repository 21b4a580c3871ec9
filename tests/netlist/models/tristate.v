// SPDX-License-Identifier: Apache-2.0
// The tristate pin that synthesis leaves to place and route, for both families.
`default_nettype none

module \$_TBUF_ (
    input  wire A, E,
    output wire Y
);

    assign Y = E ? A : 1'bz;

endmodule

`default_nettype wire
