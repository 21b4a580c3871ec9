// SPDX-License-Identifier: Apache-2.0
// iCEBreaker-Bitsy v1 (iCE40 UP5K, native USB): configuration `small`. The flash memory has a DFU boot loader. Clocks:
// the PLL makes 48 MHz from the 12 MHz oscillator for the USB line engine; the SoC runs at a quarter of this rate.
// Signals cross between the two clocks only in gnomon_usb, which treats them as unrelated
// (docs/guide/boards/README.md).
`default_nettype none

module gnomon_icebreaker_bitsy #(
  parameter [63:0] SERIAL = "00000001",
  parameter [31:0] RTL_HASH = 32'd0
) (
  input  wire clk12_pin,
  inout  wire usb_dp, usb_dn,
  output wire usb_pullup
);

  wire clk48, clk, locked;
  gnomon_ice40_clocks #(
    .DIVF(7'd63), .FILTER_RANGE(3'd1), .SLOWER_LOG2(2)
  ) u_clocks (
    .pin_i(clk12_pin), .clk48_o(clk48), .clk_o(clk), .locked_o(locked)
  );

  wire rst;
  gnomon_reset u_reset (
    .clk_i(clk), .hold_i(!locked), .rst_o(rst)
  );

  wire dp_out, dn_out, oe;
  assign usb_dp = oe ? dp_out : 1'bz;
  assign usb_dn = oe ? dn_out : 1'bz;

  // The boot loader is the second image in the flash memory.
  wire boot;
  SB_WARMBOOT u_loader (
    .BOOT(boot), .S1(1'b0), .S0(1'b1)
  );

  gnomon_soc #(
    .SERIAL  (SERIAL),
    .RTL_HASH(RTL_HASH),
    .UP5K    (1),
`include "icebreaker-bitsy.vh"
  ) u_soc (
    .clk_i(clk), .clk_host_i(clk), .clk_encoder_i(clk), .rst_i(rst), .clk48_i(clk48), .usb_dp_i(usb_dp),
    .usb_dn_i(usb_dn), .usb_dp_o(dp_out), .usb_dn_o(dn_out), .usb_oe_o(oe), .usb_pullup_o(usb_pullup), .boot_o(boot),
    .txn_i(32'd0)
  );

endmodule

`default_nettype wire
