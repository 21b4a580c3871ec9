// SPDX-License-Identifier: Apache-2.0
// N counters of WIDTH bits in little logic: flip-flops hold the lower LOW bits of each counter, a memory holds the
// upper bits. A carry waits for the memory's port, which takes one carry a cycle, from the lowest counter first. A read
// includes the waiting carry. A counter must not produce a second carry while one waits: N is below 2^(LOW-1), and the
// amount is 1, or the number of cycles since the last add, at most 2^(LOW-1). `make test-formal-profile` proves that
// the counters then equal plain counters.
`default_nettype none

module gnomon_count_bank #(
  parameter N     = 12,
  parameter LOW   = 8,
  parameter WIDTH = 64,
  parameter INDEX = 4 // bits of a counter's number
) (
  input  wire             clk_i,

  input  wire [N-1:0]     clear_i,  // the counter is 0 in the next cycle, whatever the other inputs
  input  wire [N-1:0]     add_i,
  input  wire [LOW-1:0]   amount_i,

  input  wire [INDEX-1:0] read_index_i,
  output wire [WIDTH-1:0] read_o  // the count at the start of this cycle
`ifdef FORMAL
  , output wire [N*WIDTH-1:0] f_words_o
`endif
);
  localparam HIGH = WIDTH - LOW;

  // A word that was not written since its counter was cleared counts as 0.
  (* ram_style = "distributed" *) reg [HIGH-1:0] memory[0:N-1];
  reg [N-1:0] written, carry;
  wire [N*LOW-1:0] lows;

  // The lowest counter whose carry waits.
  integer k;
  reg [INDEX-1:0] first;
  always @* begin
    first = {INDEX{1'b0}};
    for (k = N - 1; k >= 0; k = k - 1) if (carry[k]) first = k[INDEX-1:0];
  end
  wire [N-1:0] taken = carry & ~(carry - 1'b1);
  wire [HIGH-1:0] first_word = memory[first] & {HIGH{written[first]}};
  always @(posedge clk_i) if (|carry) memory[first] <= first_word + 1'b1;

`ifdef FORMAL
  reg f_begun = 1'b0; // all counters were cleared
  always @(posedge clk_i) f_begun <= f_begun || &clear_i;
`endif

  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_counter
      reg [LOW-1:0] low;
      wire [LOW:0] sum = {1'b0, low} + {1'b0, amount_i & {LOW{add_i[i]}}};
      always @(posedge clk_i) begin
        low <= clear_i[i] ? {LOW{1'b0}} : sum[LOW-1:0];
        carry[i] <= !clear_i[i] && (sum[LOW] || (carry[i] && !taken[i]));
        written[i] <= !clear_i[i] && (written[i] || taken[i]);
      end
      assign lows[LOW*i+:LOW] = low;
`ifdef FORMAL
      wire [HIGH-1:0] f_high = memory[i] & {HIGH{written[i]}};
      assign f_words_o[WIDTH*i+:WIDTH] = {f_high + {{(HIGH - 1) {1'b0}}, carry[i]}, low};
      always @(posedge clk_i) assert (!(sum[LOW] && !clear_i[i] && carry[i] && !taken[i]) || !f_begun);
`endif
    end
  endgenerate

  wire [HIGH-1:0] read_word = memory[read_index_i] & {HIGH{written[read_index_i]}};
  assign read_o = {read_word + {{(HIGH - 1) {1'b0}}, carry[read_index_i]}, lows[LOW*read_index_i+:LOW]};
endmodule

`default_nettype wire
