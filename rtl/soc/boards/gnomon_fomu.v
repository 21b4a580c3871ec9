// SPDX-License-Identifier: Apache-2.0
// Fomu PVT (iCE40 UP5K, native USB): configuration `small`; with FOMU_COUNTERS or FOMU_TAGS defined, with counters or
// tags in place of the records (fomu-counters.vh, fomu-tags.vh). Clocks: the 48 MHz oscillator drives the USB line
// engine; the SoC runs at a quarter of this rate. Signals cross between the two clocks only in gnomon_usb, which treats
// them as unrelated (docs/guide/boards/README.md).
`default_nettype none

module gnomon_fomu #(
  parameter [63:0] SERIAL = "00000001",
  parameter [31:0] RTL_HASH = 32'd0
) (
  input  wire clki,  // 48 MHz
  inout  wire usb_dp, usb_dn,
  output wire usb_dp_pu
);

  reg [1:0] divider = 2'd0;
  always @(posedge clki) divider <= divider + 2'd1;

  wire clk12;
  SB_GB u_clk12 (
    .USER_SIGNAL_TO_GLOBAL_BUFFER(divider[1]), .GLOBAL_BUFFER_OUTPUT(clk12)
  );

  wire rst;
  gnomon_reset u_reset (
    .clk_i(clk12), .hold_i(1'b0), .rst_o(rst)
  );

  wire dp_in, dn_in, dp_out, dn_out, oe;
  assign usb_dp = oe ? dp_out : 1'bz;
  assign usb_dn = oe ? dn_out : 1'bz;
  assign dp_in = usb_dp;
  assign dn_in = usb_dn;

  // The boot loader is the first image in the flash memory.
  wire boot;
  SB_WARMBOOT u_loader (
    .BOOT(boot), .S1(1'b0), .S0(1'b0)
  );

  gnomon_soc #(
    .SERIAL  (SERIAL),
    .RTL_HASH(RTL_HASH),
    .UP5K    (1),
`ifdef FOMU_COUNTERS
`include "fomu-counters.vh"
`elsif FOMU_TAGS
`include "fomu-tags.vh"
`else
`include "fomu.vh"
`endif
  ) u_soc (
    .clk_i(clk12), .clk_host_i(clk12), .clk_encoder_i(clk12), .rst_i(rst), .clk48_i(clki), .usb_dp_i(dp_in),
    .usb_dn_i(dn_in), .usb_dp_o(dp_out), .usb_dn_o(dn_out), .usb_oe_o(oe), .usb_pullup_o(usb_dp_pu), .boot_o(boot),
    .txn_i(32'd0)
  );

endmodule

`default_nettype wire
