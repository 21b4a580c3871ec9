// SPDX-License-Identifier: Apache-2.0
// A board's top with only its pins: the oscillator, D+, D-, the pull-up, and those of an SDRAM chip. It is the same for
// RTL and netlists. mk/test/netlist.mk gives the names of the board's pins (BOARD, BOARD_CLOCK, BOARD_DP, BOARD_DN,
// BOARD_PULLUP; BOARD_SDRAM if it has that chip), the oscillator's rate (BOARD_MHZ, for the PLL's model), and the
// parameters that the netlist already has (BOARD_SET).
//
// A pin does not show who drives it. So the test bench releases both lines (host_oe_i = 0) before it samples: two ones,
// which no device may send, then mean that no one drives them.
`default_nettype none

module netlist_tb (
    input  wire        clk_i,       // 48 MHz: the board's oscillator, or its PLL's second output
    input  wire        pll_i,       // the PLL's first output, if there is a PLL, for its model
    input  wire        host_oe_i, host_dp_i, host_dn_i,
    input  wire [15:0] mutant_i,    // selects a fault in a netlist with faults (mutate.py); 0: none
    output wire        dp_o, dn_o, pullup_o,
    output wire [31:0] pll_multiply_o,  // pll_i's frequency is clk_i's * pll_multiply_o / pll_divide_o; 0: no PLL
    output wire [31:0] pll_divide_o
);

    // The models of PLLs set these: the rate of pll_i, and of the second output of the PLL that has locked.
    reg [31:0] pll_multiply = 32'd0;
    reg [31:0] pll_divide = 32'd1;
    integer locked_khz = 0;
    assign pll_multiply_o = pll_multiply;
    assign pll_divide_o = pll_divide;

    wire dp, dn;
    pullup (dp);
    pullup (dn);
    assign dp = host_oe_i ? host_dp_i : 1'bz;
    assign dn = host_oe_i ? host_dn_i : 1'bz;
    assign dp_o = dp;
    assign dn_o = dn;

    // An open output counts as 0: a board may release the pull-up instead of driving it low.
    wire pull;
    pulldown (pull);
    assign pullup_o = pull;

`ifdef BOARD_SDRAM
    wire sdram_clk, cke, cs_n, ras_n, cas_n, we_n;
    wire [1:0] ba, dqm;
    wire [12:0] a;
    wire [15:0] dq, chip_dq;
    wire chip_oe;
    assign dq = chip_oe ? chip_dq : 16'hzzzz;

    // Pins do not show who drives the data: the chip is told that the board does while a write has data.
    wire write = {cs_n, ras_n, cas_n, we_n} == 4'b0100;
    reg written = 1'b0;
    always @(posedge sdram_clk) written <= write;
    gnomon_sdram_chip chip (
        .clk_i(sdram_clk), .clock_hz_i(32'd48_000_000 / pll_divide * pll_multiply), .cke_i(cke), .cs_n_i(cs_n), .ras_n_i(ras_n),
        .cas_n_i(cas_n), .we_n_i(we_n), .ba_i(ba), .a_i(a), .dqm_i(dqm), .dq_i(dq), .dq_oe_i(write || written),
        .dq_o(chip_dq), .dq_oe_o(chip_oe)
    );
`endif

    `BOARD `BOARD_SET board (
`ifdef BOARD_SDRAM
        .sdram_clk(sdram_clk), .sdram_cke(cke), .sdram_cs_n(cs_n), .sdram_ras_n(ras_n), .sdram_cas_n(cas_n), .sdram_we_n(we_n),
        .sdram_ba(ba), .sdram_a(a), .sdram_dqm(dqm), .sdram_dq(dq),
`endif
        .`BOARD_CLOCK (clk_i),
        .`BOARD_DP    (dp),
        .`BOARD_DN    (dn),
        .`BOARD_PULLUP(pull)
    );

endmodule

`default_nettype wire
