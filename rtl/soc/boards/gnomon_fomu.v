// SPDX-License-Identifier: Apache-2.0
// Fomu PVT (iCE40 UP5K, native USB): configuration `small`; with FOMU_FLASH defined, with the board's flash memory,
// with FOMU_COUNTERS, FOMU_TAGS or FOMU_BUS, with counters, tags or the bus filter, each in place of the records
// (fomu-flash.vh, fomu-counters.vh, fomu-tags.vh, fomu-bus.vh). Clocks: the 48 MHz oscillator drives the USB line
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
`ifdef FOMU_FLASH
  ,
  output wire spi_cs, spi_clk,
  inout  wire [3:0] spi  // MOSI, MISO, IO2, IO3
`endif
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

`ifdef FOMU_FLASH
  wire flash_sck;
  wire [3:0] flash_out, flash_in, flash_oe;
  // High in the second half of each cycle with flash_sck.
  SB_IO #(
    .PIN_TYPE(6'b010001)
  ) u_spi_clk (
    .PACKAGE_PIN(spi_clk), .OUTPUT_CLK(clk12), .D_OUT_0(1'b0), .D_OUT_1(flash_sck)
  );
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_spi
      SB_IO #(
        .PIN_TYPE(6'b101001)
      ) u_io (
        .PACKAGE_PIN(spi[i]), .OUTPUT_ENABLE(flash_oe[i]), .D_OUT_0(flash_out[i]), .D_IN_0(flash_in[i])
      );
    end
  endgenerate
`endif

  // The boot loader is the first image in the flash memory.
  wire boot;
  SB_WARMBOOT u_loader (
    .BOOT(boot), .S1(1'b0), .S0(1'b0)
  );

  gnomon_soc #(
    .SERIAL  (SERIAL),
    .RTL_HASH(RTL_HASH),
    .UP5K    (1),
`ifdef FOMU_FLASH
`include "fomu-flash.vh"
`elsif FOMU_COUNTERS
`include "fomu-counters.vh"
`elsif FOMU_BUS
`include "fomu-bus.vh"
`elsif FOMU_TAGS
`include "fomu-tags.vh"
`else
`include "fomu.vh"
`endif
  ) u_soc (
    .clk_i(clk12), .clk_host_i(clk12), .clk_encoder_i(clk12), .rst_i(rst), .clk48_i(clki), .usb_dp_i(dp_in),
    .usb_dn_i(dn_in), .usb_dp_o(dp_out), .usb_dn_o(dn_out), .usb_oe_o(oe), .usb_pullup_o(usb_dp_pu), .boot_o(boot),
`ifdef FOMU_FLASH
    .flash_sck_o(flash_sck), .flash_cs_n_o(spi_cs), .flash_io_o(flash_out), .flash_io_oe_o(flash_oe),
    .flash_io_i(flash_in),
`endif
    .txn_i(32'd0)
  );

endmodule

`default_nettype wire
