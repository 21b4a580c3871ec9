// SPDX-License-Identifier: Apache-2.0
// The ECP5's PLL, with feedback from CLKOP. The lock comes after LOCK_CYCLES. The test bench makes all clocks: an
// output of 48 MHz is its clk_i, another one its pll_i, whose rate the last PLL to start tells it. The bench drives the
// pin with clk_i, whatever the oscillator's rate (BOARD_MHZ); a PLL whose input starts after another one has locked runs
// from that one's second output. Rates are known when an input starts. The model rejects parameters outside of the
// chip's limits: 10 to 400 MHz at the phase detector and 400 to 800 MHz at the oscillator (Lattice FPGA-DS-02012,
// "sysCLOCK PLL Timing").
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

    localparam integer TICK_KHZ = 48_000;
    localparam integer LOCK_CYCLES = 500;
    localparam SECOND = CLKOS_ENABLE == "ENABLED";

    reg started = 1'b0, first_is_tick = 1'b0, second_is_tick = 1'b0;
    reg [9:0] count = 10'd0;
    integer input_khz, detector_khz, first_khz, vco_khz, second_khz, other_khz;

    assign LOCK = count == LOCK_CYCLES;
    assign CLKOP = first_is_tick ? netlist_tb.clk_i : LOCK && netlist_tb.pll_i;
    assign CLKOS = SECOND && (second_is_tick ? netlist_tb.clk_i : LOCK && netlist_tb.pll_i);
    assign CLKINTFB = CLKOP;

    always @(posedge CLKI) begin
        if (!LOCK) count <= count + 10'd1;
        if (!started) start;
    end

    task start;
        begin
            started <= 1'b1;
            input_khz = netlist_tb.locked_khz == 0 ? `BOARD_MHZ * 1000 : netlist_tb.locked_khz;
            detector_khz = input_khz / CLKI_DIV;
            first_khz = detector_khz * CLKFB_DIV;
            vco_khz = first_khz * CLKOP_DIV;
            second_khz = SECOND ? vco_khz / CLKOS_DIV : 0;
            first_is_tick <= first_khz == TICK_KHZ;
            second_is_tick <= second_khz == TICK_KHZ;
            other_khz = SECOND && second_khz != TICK_KHZ ? second_khz : first_khz;
            netlist_tb.pll_multiply <= other_khz;
            netlist_tb.pll_divide <= TICK_KHZ;
            if (FEEDBK_PATH != "CLKOP" || CLKOP_ENABLE != "ENABLED" || detector_khz < 10_000 || detector_khz > 400_000 || vco_khz < 400_000 ||
                vco_khz > 800_000) begin
                $display("EHXPLLL: an oscillator at %0d kHz, a phase detector at %0d kHz, or a mode that is not modelled", vco_khz, detector_khz);
                $fatal(1, "the chip's limits are broken");
            end
        end
    endtask
    always @(posedge LOCK) netlist_tb.locked_khz <= second_khz;

    wire unused = &{1'b0, CLKFB, RST, STDBY, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
        CLKOP_CPHASE == 0, CLKOP_FPHASE == 0, CLKOS_CPHASE == 0, CLKOS_FPHASE == 0, PLLRST_ENA == "", INTFB_WAKE == "", STDBY_ENABLE == "", DPHASE_SOURCE == "",
        OUTDIVIDER_MUXA == "", OUTDIVIDER_MUXB == "", OUTDIVIDER_MUXC == "", OUTDIVIDER_MUXD == ""};

endmodule

`default_nettype wire
