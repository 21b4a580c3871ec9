// SPDX-License-Identifier: Apache-2.0
// Clocks of an iCE40 board without a 48 MHz oscillator: the PLL makes 48 MHz from the oscillator, and a divider makes
// the SoC's clock, 2^SLOWER_LOG2 times slower. The PLL's rate is the pin's * (DIVF + 1) / 2^DIVQ.
`default_nettype none

module gnomon_ice40_clocks #(
  parameter [6:0] DIVF = 7'd63,
  parameter [2:0] DIVQ = 3'd4,
  parameter [2:0] FILTER_RANGE = 3'd1,  // by the pin's rate: 1 for 10 to 16 MHz, 2 up to 25 MHz
  parameter integer SLOWER_LOG2 = 2,
  parameter integer PAD = 1             // 1: the oscillator is on the PLL's own pin
) (
  input  wire pin_i,
  output wire clk48_o, clk_o,
  output wire locked_o  // asynchronous
);

  generate
    if (PAD != 0) begin : g_pad
      SB_PLL40_PAD #(
        .FEEDBACK_PATH("SIMPLE"), .DIVR(4'd0), .DIVF(DIVF), .DIVQ(DIVQ), .FILTER_RANGE(FILTER_RANGE)
      ) u_pll (
        .PACKAGEPIN(pin_i), .PLLOUTGLOBAL(clk48_o), .LOCK(locked_o), .RESETB(1'b1), .BYPASS(1'b0)
      );
    end else begin : g_core
      SB_PLL40_CORE #(
        .FEEDBACK_PATH("SIMPLE"), .DIVR(4'd0), .DIVF(DIVF), .DIVQ(DIVQ), .FILTER_RANGE(FILTER_RANGE)
      ) u_pll (
        .REFERENCECLK(pin_i), .PLLOUTGLOBAL(clk48_o), .LOCK(locked_o), .RESETB(1'b1), .BYPASS(1'b0)
      );
    end
  endgenerate

  reg [SLOWER_LOG2-1:0] divider = 0;
  always @(posedge clk48_o) divider <= divider + 1'b1;
  SB_GB u_clk (
    .USER_SIGNAL_TO_GLOBAL_BUFFER(divider[SLOWER_LOG2-1]), .GLOBAL_BUFFER_OUTPUT(clk_o)
  );

endmodule

`default_nettype wire
