// SPDX-License-Identifier: Apache-2.0
// OrangeCrab r0.2 (ECP5-25F, native USB): configuration `full` without the units that the part has no room for
// (orangecrab.vh). Main memory is block RAM until the board's DDR3 has a controller. Clocks: the 48 MHz oscillator
// drives the USB line engine; a PLL makes the SoC's clock from it. Signals cross between the two clocks only in
// gnomon_usb, which treats them as unrelated (docs/guide/boards/README.md).
`default_nettype none

module gnomon_orangecrab #(
  parameter [63:0] SERIAL = "00000001",
  parameter [31:0] RTL_HASH = 32'd0
) (
  input  wire clk48,
  inout  wire usb_d_p, usb_d_n,
  output wire usb_pullup,
  output wire program_n  // low: the boot loader configures the FPGA again
);

  wire clk, locked;
  // The PLL's oscillator runs at 48 MHz * 15 = 720 MHz; / 15 = 48 MHz. It is another clock than clk48 all the same.
  gnomon_ecp5_pll #(
    .INPUT_DIV(1), .FEEDBACK_DIV(1), .FIRST_DIV(15), .SECOND_DIV(15)
  ) u_pll (
    .pin_i(clk48), .first_o(), .second_o(clk), .locked_o(locked)
  );

  wire rst;
  gnomon_reset u_reset (
    .clk_i(clk), .hold_i(!locked), .rst_o(rst)
  );

  wire dp_out, dn_out, oe;
  assign usb_d_p = oe ? dp_out : 1'bz;
  assign usb_d_n = oe ? dn_out : 1'bz;

  wire boot;
  assign program_n = boot ? 1'b0 : 1'bz;

  gnomon_soc #(
    .SERIAL  (SERIAL),
    .RTL_HASH(RTL_HASH),
`include "orangecrab.vh"
  ) u_soc (
    .clk_i(clk), .clk_host_i(clk), .clk_encoder_i(clk), .rst_i(rst), .clk48_i(clk48), .usb_dp_i(usb_d_p),
    .usb_dn_i(usb_d_n), .usb_dp_o(dp_out), .usb_dn_o(dn_out), .usb_oe_o(oe), .usb_pullup_o(usb_pullup), .boot_o(boot),
    .txn_i(32'd0)
  );

endmodule

`default_nettype wire
