// SPDX-License-Identifier: Apache-2.0
// gnomon_count_bank equals plain counters of the same width in every cycle, for all additions and clearings; a carry
// never meets one that still waits. STEADY: each addition is 1. Otherwise amounts are elapsed cycles: at most the
// cycles since the last addition, up to 2^(LOW-1).
`default_nettype none

module count_bank #(
    parameter N      = 3,
    parameter LOW    = 4,
    parameter WIDTH  = 7,
    parameter STEADY = 1
) (
    input wire         clk_i,
    input wire [N-1:0] clear_i, add_i,
    input wire         pay_i, // adds an amount to some counters
    input wire [  1:0] read_index_i
);
  reg [LOW-2:0] waiting;
  always @(posedge clk_i) waiting <= pay_i ? {(LOW - 1) {1'b0}} : waiting + !(&waiting);
  wire [LOW-1:0] amount = STEADY != 0 ? {{(LOW - 1) {1'b0}}, 1'b1} : {1'b0, waiting} + 1'b1;
  wire [N-1:0] add = add_i & {N{pay_i || STEADY != 0}};
  wire [WIDTH-1:0] read;
  wire [N*WIDTH-1:0] f_words;

  gnomon_count_bank #(
    .N(N), .LOW(LOW), .WIDTH(WIDTH), .INDEX(2)
  ) u_bank (
    .clk_i(clk_i), .clear_i(clear_i), .add_i(add), .amount_i(amount), .read_index_i(read_index_i), .read_o(read),
    .f_words_o(f_words)
  );

  reg begun = 1'b0; // all counters were cleared at first
  always @(posedge clk_i) begin
    begun <= 1'b1;
    if (!begun) assume (&clear_i);
  end

  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_plain
      reg [WIDTH-1:0] plain;
      always @(posedge clk_i) begin
        plain <= clear_i[i] ? {WIDTH{1'b0}} : plain + (amount & {LOW{add[i]}});
        if (begun) begin
          assert (f_words[WIDTH*i+:WIDTH] == plain);
          if (read_index_i == i) assert (read == plain);
        end
      end
    end
  endgenerate
  always @* assume (read_index_i < N);
endmodule

`default_nettype wire
