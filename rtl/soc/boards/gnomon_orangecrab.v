// SPDX-License-Identifier: Apache-2.0
// OrangeCrab r0.2 (ECP5-25F, native USB): configuration `full`, with 32 KiB of block RAM as main memory until the board's
// DDR3 has a controller, and records for 448 functions. The 48 MHz oscillator drives the USB line engine; a PLL makes the SoC's 60 MHz of it. The crossings
// between the two are those of gnomon_usb, which takes the clocks as unrelated.
`default_nettype none

module gnomon_orangecrab (
    input  wire clk48,
    inout  wire usb_d_p,
    inout  wire usb_d_n,
    output wire usb_pullup
);

    wire clk60, locked;

    // 48 MHz / 4 * 5 = 60 MHz, VCO at 600 MHz.
    (* FREQUENCY_PIN_CLKI = "48", FREQUENCY_PIN_CLKOP = "60" *)
    (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
    EHXPLLL #(
        .PLLRST_ENA      ("DISABLED"),
        .INTFB_WAKE      ("DISABLED"),
        .STDBY_ENABLE    ("DISABLED"),
        .DPHASE_SOURCE   ("DISABLED"),
        .OUTDIVIDER_MUXA ("DIVA"),
        .OUTDIVIDER_MUXB ("DIVB"),
        .OUTDIVIDER_MUXC ("DIVC"),
        .OUTDIVIDER_MUXD ("DIVD"),
        .CLKI_DIV        (4),
        .CLKOP_ENABLE    ("ENABLED"),
        .CLKOP_DIV       (10),
        .CLKOP_CPHASE    (4),
        .CLKOP_FPHASE    (0),
        .FEEDBK_PATH     ("CLKOP"),
        .CLKFB_DIV       (5)
    ) u_pll (
        .RST         (1'b0),
        .STDBY       (1'b0),
        .CLKI        (clk48),
        .CLKOP       (clk60),
        .CLKFB       (clk60),
        .CLKINTFB    (),
        .PHASESEL0   (1'b0),
        .PHASESEL1   (1'b0),
        .PHASEDIR    (1'b1),
        .PHASESTEP   (1'b1),
        .PHASELOADREG(1'b1),
        .PLLWAKESYNC (1'b0),
        .ENCLKOP     (1'b0),
        .LOCK        (locked)
    );

    wire rst;
    gnomon_reset u_reset (
        .clk_i (clk60),
        .hold_i(!locked),
        .rst_o (rst)
    );

    wire dp_in, dn_in, dp_out, dn_out, oe;
    assign usb_d_p = oe ? dp_out : 1'bz;
    assign usb_d_n = oe ? dn_out : 1'bz;
    assign dp_in = usb_d_p;
    assign dn_in = usb_d_n;

    gnomon_soc #(
        .CONFIG   (2),
        .RAM_BYTES(32768),
        .RECORDS_LOG2(9),
        .ARCS     (0),
        .WATCH_LOG2(0),
        .BUCKETS_LOG2(0),
        .EPOCHS   (0),
        .LOSSES   (0),
        .REGION_LOG2(0),
        .TAGS_LOG2(0)
    ) u_soc (
        .clk_i       (clk60),
        .clk_host_i  (clk60),
        .rst_i       (rst),
        .clk48_i     (clk48),
        .usb_dp_i    (dp_in),
        .usb_dn_i    (dn_in),
        .usb_dp_o    (dp_out),
        .usb_dn_o    (dn_out),
        .usb_oe_o    (oe),
        .usb_pullup_o(usb_pullup),
        .txn_i       (32'd0)
    );

endmodule

`default_nettype wire
