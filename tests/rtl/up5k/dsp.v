// SPDX-License-Identifier: Apache-2.0
// Input for synthesis: the modules that use DSP blocks.
`default_nettype none

module dsp (
    input  wire        clk_i, reset_i, hold_i,
    input  wire [31:0] data_i,
    output wire [31:0] data_o,
    output wire [63:0] cycle_o,
    input  wire [11:0] control_i, // of the adders
    output wire [82:0] adders_o
);
    gnomon_core_word #(.HARD(1)) word (.clk_i(clk_i), .hold_i(hold_i), .data_i(data_i), .data_o(data_o));
    gnomon_cycle #(.HARD(1)) cycle (.clk_i(clk_i), .reset_i(reset_i), .cycle_o(cycle_o));
    adders #(.HARD(1)) adders (.clk_i(clk_i), .word_i(data_i), .control_i(control_i), .adders_o(adders_o));
endmodule
`default_nettype wire
