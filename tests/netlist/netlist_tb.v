// SPDX-License-Identifier: Apache-2.0
// A board's top with only its pins: the oscillator, D+, D- and the pull-up. It is the same for RTL and netlists.
// mk/test/netlist.mk gives the names of the board's pins (BOARD, BOARD_CLOCK, BOARD_DP, BOARD_DN, BOARD_PULLUP) and the
// parameters that the netlist already has (BOARD_SET).
//
// A pin does not show who drives it. So the test bench releases both lines (host_oe_i = 0) before it samples: two ones,
// which no device may send, then mean that no one drives them.
`default_nettype none

module netlist_tb (
    input  wire        clk_i,       // the board's oscillator
    input  wire        pll_i,       // output of its PLL, if it has one, for the PLL's model
    input  wire        host_oe_i, host_dp_i, host_dn_i,
    input  wire [15:0] mutant_i,    // selects a fault in a netlist with faults (mutate.py); 0: none
    output wire        dp_o, dn_o, pullup_o,
    output wire [31:0] pll_multiply_o,  // pll_i's frequency is clk_i's * pll_multiply_o / pll_divide_o; 0: no PLL
    output wire [31:0] pll_divide_o
);

    // The model of the PLL sets these from its parameters.
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
