// SPDX-License-Identifier: Apache-2.0
// The adders of the records, with their inputs and outputs collected in two vectors.
`default_nettype none

module adders #(
    parameter HARD = 0
) (
    input  wire        clk_i,
    input  wire [31:0] word_i,
    input  wire [11:0] control_i,
    output wire [82:0] adders_o
);
    gnomon_aggregator_compact_adders #(.HARD(HARD)) u_adders (
        .clk_i(clk_i),
        .word_i(word_i),
        .subtract_i(control_i[0]),
        .low_load_i(control_i[1]),
        .low_step_i(control_i[2]),
        .low_carry_i(control_i[3]),
        .low_i({word_i[15:0], word_i[31:16]}),
        .low_o(adders_o[31:0]),
        .low_carry_o(adders_o[32]),
        .high_load_i(control_i[4]),
        .high_step_i(control_i[5]),
        .high_carry_i(control_i[6]),
        .high_i(word_i[23:8]),
        .high_o(adders_o[48:33]),
        .high_carry_o(adders_o[49]),
        .sum_high_i(control_i[7]),
        .sum_load_i(control_i[8]),
        .sum_step_i(control_i[9]),
        .sum_carry_i(control_i[10] && control_i[11]),
        .sum_o(adders_o[81:50]),
        .sum_carry_o(adders_o[82])
    );
endmodule
`default_nettype wire
