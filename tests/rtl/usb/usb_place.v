// SPDX-License-Identifier: Apache-2.0
// The bench with few pins, to place it alone and measure its size and speed.
`default_nettype none

module usb_place (
    input  wire clk_i, clk48_i, rst_i, usb_dp_i, usb_dn_i,
    output wire usb_dp_o, usb_dn_o, usb_oe_o, usb_pullup_o
);
  usb_bench u_bench (
    .clk_i(clk_i), .rst_i(rst_i), .clk48_i(clk48_i), .loop_i(1'b1), .trace_i(1'b1), .trace_ones_i(1'b0),
    .overrun_i(1'b0), .open_o(), .boot_o(), .suspended_o(), .trace_words_i(1'b0), .trace_bytes_o(), .usb_dp_i(usb_dp_i),
    .usb_dn_i(usb_dn_i), .usb_dp_o(usb_dp_o), .usb_dn_o(usb_dn_o), .usb_oe_o(usb_oe_o), .usb_pullup_o(usb_pullup_o),
    .txn_i(32'd0), .txn_o()
  );
endmodule

`default_nettype wire
