// SPDX-License-Identifier: Apache-2.0
// For `make area`: configuration `mid` on an HX8K. Caches, FIFOs and stacks use all 32 block RAMs, so main memory is
// outside. There is no board with this part yet, so this top takes clocks and USB directly. Registers in the pins'
// cells replace main memory, with a distance similar to that of block RAM's registers.
`default_nettype none

module place_mid (
    input  wire clk24, clk48,
    inout  wire usb_dp, usb_dn,
    output wire usb_pu
);
    wire rst, dp_out, dn_out, oe;
    gnomon_reset u_reset (
      .clk_i(clk24), .hold_i(1'b0), .rst_o(rst)
    );

    assign usb_dp = oe ? dp_out : 1'bz;
    assign usb_dn = oe ? dn_out : 1'bz;

    gnomon_soc #(
      .CONFIG(1)
    ) u_soc (
      .clk_i(clk24), .clk_host_i(clk24), .clk_encoder_i(clk24), .rst_i(rst), .clk48_i(clk48), .usb_dp_i(usb_dp),
      .usb_dn_i(usb_dn), .usb_dp_o(dp_out), .usb_dn_o(dn_out), .usb_oe_o(oe), .usb_pullup_o(usb_pu), .txn_i(32'd0)
    );
endmodule

// The inputs and outputs of the main memory.
module gnomon_ram #(
    parameter integer BYTES = 65536,
    parameter integer SPRAM = 0
) (
    input  wire                     clk_i, en_i,
    input  wire               [3:0] we_i,
    input  wire [$clog2(BYTES)-3:0] addr_i,
    input  wire              [31:0] wdata_i,
    output wire              [31:0] rdata_o
);
    localparam integer OUTS = 5 + $clog2(BYTES) - 2 + 32;
    wire [OUTS-1:0] out = {en_i, we_i, addr_i, wdata_i};
    // `expose` makes these the pins of the top.
    (* keep *) wire [OUTS-1:0] pin_out;
    (* keep *) wire [31:0] pin_in;
    genvar i;
    generate
        for (i = 0; i < OUTS; i = i + 1) begin : g_out
            (* keep *) SB_IO #(
                .PIN_TYPE(6'b010100)    // registered output
            ) u_pin (
              .PACKAGE_PIN(pin_out[i]), .OUTPUT_CLK(clk_i), .D_OUT_0(out[i])
            );
        end
        for (i = 0; i < 32; i = i + 1) begin : g_in
            SB_IO #(
                .PIN_TYPE(6'b000000)    // registered input
            ) u_pin (
              .PACKAGE_PIN(pin_in[i]), .INPUT_CLK(clk_i), .D_IN_0(rdata_o[i])
            );
        end
    endgenerate
endmodule

`default_nettype wire
