// SPDX-License-Identifier: Apache-2.0
// The adder of gnomon_reduced_engine, with its register. HARD = 1 uses a DSP block of the UP5K.
`default_nettype none

module gnomon_reduced_sum #(
  parameter HARD = 0
) (
  input  wire        clk_i,
  input  wire [31:0] word_i, addend_i,
  input  wire        subtract_i, carry_i,
  output wire [31:0] sum_o,   // one cycle later
  output wire        carry_o  // carry or borrow, in the same cycle
);
  generate
    if (HARD != 0) begin : g_hard
      wire carry;
      gnomon_up5k_adder #(
        .TOP_LOADED(1'b1), .BOTTOM_LOADED(1'b1)
      ) u_sum (
        .clk_i(clk_i), .hold_i(1'b0), .load_i(1'b0), .load_value_i(word_i), .addend_i(addend_i),
        .subtract_i(subtract_i), .carry_i(carry_i), .value_o(sum_o), .carry_o(carry)
      );
      assign carry_o = carry ^ subtract_i;
    end else begin : g_soft
      reg [31:0] sum;
      wire [32:0] next = subtract_i ? {1'b0, word_i} - {1'b0, addend_i} - {32'd0, carry_i} :
          {1'b0, word_i} + {1'b0, addend_i} + {32'd0, carry_i};
      always @(posedge clk_i) sum <= next[31:0];
      assign sum_o = sum;
      assign carry_o = next[32];
    end
  endgenerate
endmodule

`default_nettype wire
