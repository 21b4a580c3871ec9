// SPDX-License-Identifier: Apache-2.0
// Fomu (iCE40 UP5K, native USB): configuration `small`. The 48 MHz oscillator drives the USB line engine; the SoC runs at
// a quarter of it. The crossings between the two are those of gnomon_usb, which takes the clocks as unrelated.
`default_nettype none

module gnomon_fomu (
    input  wire clki,  // 48 MHz
    inout  wire usb_dp,
    inout  wire usb_dn,
    output wire usb_dp_pu
);

    reg [1:0] divider = 2'd0;
    always @(posedge clki) divider <= divider + 2'd1;

    wire clk12;
    SB_GB u_clk12 (
        .USER_SIGNAL_TO_GLOBAL_BUFFER(divider[1]),
        .GLOBAL_BUFFER_OUTPUT        (clk12)
    );

    wire rst;
    gnomon_reset u_reset (
        .clk_i (clk12),
        .hold_i(1'b0),
        .rst_o (rst)
    );

    wire dp_in, dn_in, dp_out, dn_out, oe;
    assign usb_dp = oe ? dp_out : 1'bz;
    assign usb_dn = oe ? dn_out : 1'bz;
    assign dp_in = usb_dp;
    assign dn_in = usb_dn;

    gnomon_soc #(
        .CONFIG(0),
        .DFU(1),
        .UP5K(1)
    ) u_soc (
        .clk_i       (clk12),
        .clk_host_i  (clk12),
        .rst_i       (rst),
        .clk48_i     (clki),
        .usb_dp_i    (dp_in),
        .usb_dn_i    (dn_in),
        .usb_dp_o    (dp_out),
        .usb_dn_o    (dn_out),
        .usb_oe_o    (oe),
        .usb_pullup_o(usb_dp_pu),
        .txn_i       (32'd0)
    );

endmodule

`default_nettype wire
