// SPDX-License-Identifier: Apache-2.0
// The watched functions, by their first address: a hash table of two banks. An address has one place in each bank, so a
// lookup takes two simultaneous reads. The host (host/lib/device/watch_table.c) chooses a place for each address.
`default_nettype none

module gnomon_watch_table #(
  parameter LOG2 = 12, // log2 of its places; half of them are in each bank
  parameter NUMBER_BITS = 16
) (
  input  wire            clk_i,

  input  wire            rst_i,
  input  wire            clear_i,    // pulse: empties the table, in 2^(LOG2 - 1) cycles
  output reg             clearing_o,
  input  wire            write_i,
  input  wire [LOG2-1:0] place_i,    // bank, and place in the bank
  input  wire [31:1]     address_i,  // 0: the place is free
  input  wire [NUMBER_BITS-1:0] number_i,

  input  wire [31:1]     find_i,
  output wire            found_o,  // one cycle after find_i
  output wire [NUMBER_BITS-1:0] number_o
);
  localparam A = LOG2 - 1, WIDTH = 31 + NUMBER_BITS;
  (* no_rw_check *) reg [WIDTH-1:0] bank0[0:(1<<A)-1];
  (* no_rw_check *) reg [WIDTH-1:0] bank1[0:(1<<A)-1];
  reg [WIDTH-1:0] entry0, entry1;
  reg [31:1] wanted;

  wire [A-1:0] low = find_i[A:1], high = find_i[2*A:A+1];
  wire [A-1:0] reversed;
  genvar i;
  generate
    for (i = 0; i < A; i = i + 1) begin : g_reversed
      assign reversed[i] = high[A-1-i];
    end
  endgenerate
  wire [A-1:0] place0 = low ^ high;
  wire [A-1:0] place1 = low + {low[A-4:0], low[A-1:A-3]} + reversed;

  reg [A-1:0] sweep;
  wire [A-1:0] at = clearing_o ? sweep : place_i[A-1:0];
  wire [WIDTH-1:0] entry = {address_i, number_i} & {WIDTH{!clearing_o}};
  always @(posedge clk_i) begin
    sweep <= clearing_o ? sweep + {{(A - 1) {1'b0}}, 1'b1} : {A{1'b0}};
    clearing_o <= !rst_i && (clear_i || (clearing_o && !(&sweep)));
    if (clearing_o || (write_i && !place_i[A])) bank0[at] <= entry;
    if (clearing_o || (write_i && place_i[A])) bank1[at] <= entry;
    entry0 <= bank0[place0];
    entry1 <= bank1[place1];
    wanted <= find_i;
  end
  wire is0 = entry0[NUMBER_BITS+:31] == wanted, is1 = entry1[NUMBER_BITS+:31] == wanted;
  assign found_o = (is0 || is1) && |wanted;
  assign number_o = is0 ? entry0[NUMBER_BITS-1:0] : entry1[NUMBER_BITS-1:0];
endmodule

`default_nettype wire
