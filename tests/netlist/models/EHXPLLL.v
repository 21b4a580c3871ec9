// SPDX-License-Identifier: Apache-2.0
// The ECP5's PLL, with feedback from CLKOP. The test bench makes its clock and gets the ratio of the frequencies from
// this model: CLKOP = CLKI / CLKI_DIV * CLKFB_DIV. The lock comes after LOCK_CYCLES. The model rejects parameters
// outside of the chip's limits: 10 to 400 MHz at the phase detector and 400 to 800 MHz at the oscillator (Lattice
// FPGA-DS-02012, "sysCLOCK PLL Timing"), with a CLKI of 48 MHz.
`default_nettype none

module EHXPLLL #(
    parameter integer CLKI_DIV = 1,
    parameter integer CLKFB_DIV = 1,
    parameter integer CLKOP_DIV = 8,
    parameter integer CLKOP_CPHASE = 0,
    parameter integer CLKOP_FPHASE = 0,
    parameter CLKOP_ENABLE = "ENABLED",
    parameter integer CLKOS_DIV = 1,
    parameter integer CLKOS_CPHASE = 0,
    parameter integer CLKOS_FPHASE = 0,
    parameter CLKOS_ENABLE = "DISABLED",
    parameter FEEDBK_PATH = "CLKOP",
    parameter PLLRST_ENA = "DISABLED",
    parameter INTFB_WAKE = "DISABLED",
    parameter STDBY_ENABLE = "DISABLED",
    parameter DPHASE_SOURCE = "DISABLED",
    parameter OUTDIVIDER_MUXA = "DIVA",
    parameter OUTDIVIDER_MUXB = "DIVB",
    parameter OUTDIVIDER_MUXC = "DIVC",
    parameter OUTDIVIDER_MUXD = "DIVD"
) (
    input  wire CLKI, CLKFB, RST, STDBY, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
    output wire CLKOP, CLKOS, CLKINTFB, LOCK
);

    localparam integer CLKI_MHZ = 48;
    localparam integer LOCK_CYCLES = 500;
    localparam integer DETECTOR_MHZ = CLKI_MHZ / CLKI_DIV;
    localparam integer VCO_MHZ = CLKI_MHZ * CLKFB_DIV * CLKOP_DIV / CLKI_DIV;

    reg [9:0] count = 10'd0;
    always @(posedge CLKI) if (!LOCK) count <= count + 10'd1;

    assign LOCK = count == LOCK_CYCLES;
    assign CLKOP = netlist_tb.pll_i;
    assign CLKOS = 1'b0;
    assign CLKINTFB = CLKOP;

    initial begin
        netlist_tb.pll_multiply = CLKFB_DIV;
        netlist_tb.pll_divide = CLKI_DIV;
        if (FEEDBK_PATH != "CLKOP" || CLKOP_ENABLE != "ENABLED" || CLKOS_ENABLE != "DISABLED" || DETECTOR_MHZ < 10 || DETECTOR_MHZ > 400 || VCO_MHZ < 400 ||
            VCO_MHZ > 800) begin
            $display("EHXPLLL: an oscillator at %0d MHz, a phase detector at %0d MHz, or a mode that is not modelled", VCO_MHZ, DETECTOR_MHZ);
            $finish;
        end
    end

    wire unused = &{1'b0, CLKFB, RST, STDBY, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
        CLKOP_CPHASE == 0, CLKOP_FPHASE == 0, CLKOS_DIV == 0, CLKOS_CPHASE == 0, CLKOS_FPHASE == 0, PLLRST_ENA == "", INTFB_WAKE == "", STDBY_ENABLE == "", DPHASE_SOURCE == "",
        OUTDIVIDER_MUXA == "", OUTDIVIDER_MUXB == "", OUTDIVIDER_MUXC == "", OUTDIVIDER_MUXD == ""};

endmodule

`default_nettype wire
