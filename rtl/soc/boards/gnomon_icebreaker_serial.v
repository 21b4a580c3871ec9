// SPDX-License-Identifier: Apache-2.0
// iCEBreaker (iCE40 UP5K) without a USB connector on its PMOD: configuration `small`, on the second channel of the
// board's USB bridge (docs/guide/serial.md). The bridge and the SoC share one clock, the 12 MHz oscillator. The only
// asynchronous input is rx.
`default_nettype none

module gnomon_icebreaker_serial #(
  parameter [63:0] SERIAL = "00000001",
  parameter [31:0] RTL_HASH = 32'd0
) (
  input  wire clk12_pin,
  input  wire rx,  // from the USB bridge
  output wire tx
);

  wire rst;
  gnomon_reset u_reset (
    .clk_i(clk12_pin), .hold_i(1'b0), .rst_o(rst)
  );

  gnomon_soc #(
    .SERIAL  (SERIAL),
    .RTL_HASH(RTL_HASH),
    .UP5K    (1),
`include "icebreaker-serial.vh"
  ) u_soc (
    .clk_i(clk12_pin), .clk_host_i(clk12_pin), .clk_encoder_i(clk12_pin), .rst_i(rst), .clk48_i(clk12_pin),
    .usb_dp_i(rx), .usb_dn_i(1'b0), .usb_dp_o(tx), .txn_i(32'd0)
  );

endmodule

`default_nettype wire
