// SPDX-License-Identifier: Apache-2.0
// The PLL of an ECP5 board. The feedback uses the first output, whose rate is the pin's rate * FEEDBACK_DIV /
// INPUT_DIV. The internal oscillator runs at FIRST_DIV times that rate. The second output has the oscillator's rate /
// SECOND_DIV. nextpnr computes both rates from these numbers and the pin's rate, and constrains the design to them; it
// does not ask whether the PLL can lock, so this module does (Lattice FPGA-DS-02012, "sysCLOCK PLL Timing"). A board
// waits for the lock in reset.
`default_nettype none

module gnomon_ecp5_pll #(
  parameter integer PIN_MHZ = 48,
  parameter integer INPUT_DIV = 1,
  parameter integer FEEDBACK_DIV = 1,
  parameter integer FIRST_DIV = 12,
  parameter integer SECOND_DIV = 0  // 0: no second output
) (
  input  wire pin_i,
  output wire first_o, second_o,
  output wire locked_o  // asynchronous
);

  localparam integer SECOND = SECOND_DIV == 0 ? 1 : SECOND_DIV;

  localparam integer DETECTOR_KHZ = PIN_MHZ * 1000 / INPUT_DIV;
  localparam integer OSCILLATOR_KHZ = DETECTOR_KHZ * FEEDBACK_DIV * FIRST_DIV;
  generate
    if (DETECTOR_KHZ < 10_000 || DETECTOR_KHZ > 400_000 || OSCILLATOR_KHZ < 400_000 || OSCILLATOR_KHZ > 800_000)
      gnomon_ecp5_pll_is_outside_of_its_limits u_refused ();
  endgenerate

  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"),
    .CLKI_DIV(INPUT_DIV), .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(FIRST_DIV), .CLKOP_CPHASE(FIRST_DIV - 1),
    .CLKOP_FPHASE(0), .CLKOS_ENABLE(SECOND_DIV == 0 ? "DISABLED" : "ENABLED"), .CLKOS_DIV(SECOND),
    .CLKOS_CPHASE(SECOND - 1), .CLKOS_FPHASE(0), .FEEDBK_PATH("CLKOP"), .CLKFB_DIV(FEEDBACK_DIV)
  ) u_pll (
    .RST(1'b0), .STDBY(1'b0), .CLKI(pin_i), .CLKOP(first_o), .CLKOS(second_o), .CLKFB(first_o), .CLKINTFB(),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0),
    .ENCLKOP(1'b0), .LOCK(locked_o)
  );

endmodule

`default_nettype wire
