// SPDX-License-Identifier: Apache-2.0
// ULX3S with an ECP5-25F or, with ULX3S_85F or ULX3S_85F_DUO defined, an ECP5-85F: configuration `full` without the
// units that the part has no room for (ulx3s-25f.vh, ulx3s-85f.vh, ulx3s-85f-duo.vh). USB uses the socket US2, whose
// wires lead to the FPGA. Main memory is the board's SDRAM; with ULX3S_85F_DUO it is on the chip, and the SDRAM's clock
// enable stays low. Clocks: two PLLs make 48 MHz from the 25 MHz oscillator for the USB line engine, and the SoC's
// 36 MHz (85F: 30 MHz). Signals cross between the two clocks only in gnomon_usb, which treats them as unrelated
// (docs/guide/boards/README.md).
`default_nettype none

module gnomon_ulx3s #(
  parameter [63:0] SERIAL = "00000001",
  parameter [31:0] RTL_HASH = 32'd0
) (
  input  wire        clk25,
  inout  wire        usb_dp, usb_dn,
  output wire        usb_pullup_dp, usb_pullup_dn, wifi_gpio0,

  output wire        sdram_clk, sdram_cke, sdram_cs_n, sdram_ras_n, sdram_cas_n, sdram_we_n,
  output wire [1:0]  sdram_ba,
  output wire [12:0] sdram_a,
  output wire [1:0]  sdram_dqm,
  inout  wire [15:0] sdram_dq
);

  assign wifi_gpio0 = 1'b1;  // keeps the ESP32 from resetting the FPGA

  // One PLL within its limits cannot make 48 MHz of 25 MHz. So one makes 24 MHz, which are 600 MHz / 25, and another of
  // these 48 MHz and the SoC's clock, which are 576 MHz / 12 and / 16 (85F: 480 MHz / 10 and / 16; with two harts / 20
  // in place of / 16).
  wire clk24, ready, clk, clk48, locked;
  gnomon_ecp5_pll #(
    .PIN_MHZ     (25),
    .FEEDBACK_DIV(1),
    .FIRST_DIV   (24),
    .SECOND_DIV  (25)
  ) u_pll24 (
    .pin_i(clk25), .first_o(), .second_o(clk24), .locked_o(ready)
  );
  gnomon_ecp5_pll #(
    .PIN_MHZ     (24),
    .FEEDBACK_DIV(2),
`ifdef ULX3S_85F_DUO
    .FIRST_DIV   (10),
    .SECOND_DIV  (20)
`elsif ULX3S_85F
    .FIRST_DIV   (10),
    .SECOND_DIV  (16)
`else
    .FIRST_DIV   (12),
    .SECOND_DIV  (16)
`endif
  ) u_pll (
    .pin_i(clk24), .first_o(clk48), .second_o(clk), .locked_o(locked)
  );

  wire rst;
  gnomon_reset u_reset (
    .clk_i(clk), .hold_i(!(ready && locked)), .rst_o(rst)
  );

  // Pins drive the pull-up resistors: a full-speed device pulls up D+ and leaves D- open.
  wire pull_dp;
  assign usb_pullup_dp = pull_dp ? 1'b1 : 1'bz;
  assign usb_pullup_dn = 1'bz;

  // The SDRAM chip's clock is clk inverted. This leaves half a cycle of setup and hold for the pins, which nextpnr does
  // not time.
  ODDRX1F u_sdram_clk (
    .SCLK(clk), .RST(1'b0), .D0(1'b0), .D1(1'b1), .Q(sdram_clk)
  );
  wire [15:0] dq_out;
  wire dq_oe;
  assign sdram_dq = dq_oe ? dq_out : 16'bz;

  wire dp_out, dn_out, oe;
  assign usb_dp = oe ? dp_out : 1'bz;
  assign usb_dn = oe ? dn_out : 1'bz;

  gnomon_soc #(
    .SERIAL  (SERIAL),
    .RTL_HASH(RTL_HASH),
`ifdef ULX3S_85F_DUO
`include "ulx3s-85f-duo.vh"
`elsif ULX3S_85F
`include "ulx3s-85f.vh"
`else
`include "ulx3s-25f.vh"
`endif
  ) u_soc (
    .clk_i(clk), .clk_host_i(clk), .clk_encoder_i(clk), .rst_i(rst), .clk48_i(clk48), .usb_dp_i(usb_dp),
    .usb_dn_i(usb_dn), .usb_dp_o(dp_out), .usb_dn_o(dn_out), .usb_oe_o(oe), .usb_pullup_o(pull_dp), .txn_i(32'd0),
    .sdram_cke_o(sdram_cke), .sdram_cs_n_o(sdram_cs_n), .sdram_ras_n_o(sdram_ras_n), .sdram_cas_n_o(sdram_cas_n),
    .sdram_we_n_o(sdram_we_n), .sdram_ba_o(sdram_ba), .sdram_a_o(sdram_a), .sdram_dqm_o(sdram_dqm), .sdram_dq_o(dq_out),
    .sdram_dq_oe_o(dq_oe), .sdram_dq_i(sdram_dq)
  );

endmodule

`default_nettype wire
