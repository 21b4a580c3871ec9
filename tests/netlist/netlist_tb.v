// SPDX-License-Identifier: Apache-2.0
// A board's top with nothing but its pins: the oscillator, D+, D- and the pull-up. The same for RTL and netlists; what
// the board's pins are called comes from mk/netlist.mk (BOARD, BOARD_CLOCK, BOARD_DP, BOARD_DN, BOARD_PULLUP), and so do the
// parameters that its netlist has already (BOARD_SET).
//
// Who drives the cable cannot be seen at a pin. So the test bench lets go of both lines (host_oe_i = 0) before it looks:
// two ones, which no device may send, are then two lines that nothing drives.
`default_nettype none

module netlist_tb (
    input  wire        clk_i,       // the board's oscillator
    input  wire        pll_i,       // output of its PLL, if it has one: the model takes it from here
    input  wire        host_oe_i, host_dp_i, host_dn_i,
    input  wire [15:0] mutant_i,    // which fault a netlist that has some is to have (mutate.py); 0: none
    output wire        dp_o, dn_o, pullup_o,
    output wire [31:0] pll_multiply_o,  // pll_i's frequency is that of clk_i times this by the next; 0: no PLL
    output wire [31:0] pll_divide_o
);

    // Set by the model of the PLL, from its parameters.
    reg [31:0] pll_multiply = 32'd0;
    reg [31:0] pll_divide = 32'd1;
    assign pll_multiply_o = pll_multiply;
    assign pll_divide_o = pll_divide;

    wire dp, dn;
    pullup (dp);
    pullup (dn);
    assign dp = host_oe_i ? host_dp_i : 1'bz;
    assign dn = host_oe_i ? host_dn_i : 1'bz;
    assign dp_o = dp;
    assign dn_o = dn;

    `BOARD `BOARD_SET board (
        .`BOARD_CLOCK (clk_i),
        .`BOARD_DP    (dp),
        .`BOARD_DN    (dn),
        .`BOARD_PULLUP(pullup_o)
    );

endmodule

`default_nettype wire
