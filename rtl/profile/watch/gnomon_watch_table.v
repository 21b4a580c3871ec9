// SPDX-License-Identifier: Apache-2.0
// The watched functions, by their first address: a hash table of two banks. An address has one place in each bank, so a
// lookup takes two simultaneous reads. The host (host/lib/device/watch_table.c) chooses a place for each address.
//
// All functions lie in main memory, and a place together with a part of the address gives the whole address. So an
// entry keeps, and a lookup compares, only that part.
`default_nettype none

module gnomon_watch_table #(
  parameter LOG2 = 12, // log2 of its places; half of them are in each bank
  parameter NUMBER_BITS = 16,
  parameter [31:0] MEMORY_BASE = 32'h1000_0000,
  parameter MEMORY_LOG2 = 25 // log2 of main memory's bytes, more than LOG2
) (
  input  wire            clk_i,

  input  wire            rst_i,
  input  wire            clear_i,    // pulse: empties the table, in 2^(LOG2 - 1) cycles
  output reg             clearing_o,
  input  wire            write_i,
  input  wire [LOG2-1:0] place_i,    // bank, and place in the bank
  input  wire [31:1]     address_i,  // not in main memory: the place is free
  input  wire [NUMBER_BITS-1:0] number_i,

  input  wire [31:1]     find_i,
  output wire            found_o,  // one cycle after find_i
  output wire [NUMBER_BITS-1:0] number_o
);
  localparam A = LOG2 - 1, M = MEMORY_LOG2;
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

  // Bank 0 keeps what is above `low`, which follows from place and `high`; bank 1 all except `high`.
  localparam KEPT0 = M - 1 - A, KEPT1 = M > 2 * A + 1 ? M - 1 - A : A;
  reg [M-1:1] wanted;
  wire [KEPT0-1:0] keeps0 = address_i[M-1:A+1], wants0 = wanted[M-1:A+1];
  wire [KEPT1-1:0] keeps1, wants1;
  generate
    if (M > 2 * A + 1) begin : g_large
      assign keeps1 = {address_i[M-1:2*A+1], address_i[A:1]};
      assign wants1 = {wanted[M-1:2*A+1], wanted[A:1]};
    end else begin : g_small
      assign keeps1 = address_i[A:1];
      assign wants1 = wanted[A:1];
    end
  endgenerate

  (* no_rw_check *) reg [KEPT0+NUMBER_BITS:0] bank0[0:(1<<A)-1];
  (* no_rw_check *) reg [KEPT1+NUMBER_BITS:0] bank1[0:(1<<A)-1];
  reg [A-1:0] sweep;
  reg in_memory; // the wanted address is
  wire [A-1:0] at = clearing_o ? sweep : place_i[A-1:0];
  wire used = address_i[31:M] == MEMORY_BASE[31:M] && !clearing_o;
  reg used0, used1;
  reg [KEPT0-1:0] kept0;
  reg [KEPT1-1:0] kept1;
  reg [NUMBER_BITS-1:0] number0, number1;
  always @(posedge clk_i) begin
    sweep <= clearing_o ? sweep + {{(A - 1) {1'b0}}, 1'b1} : {A{1'b0}};
    clearing_o <= !rst_i && (clear_i || (clearing_o && !(&sweep)));
    if (clearing_o || (write_i && !place_i[A])) bank0[at] <= {used, keeps0, number_i};
    if (clearing_o || (write_i && place_i[A])) bank1[at] <= {used, keeps1, number_i};
    {used0, kept0, number0} <= bank0[place0];
    {used1, kept1, number1} <= bank1[place1];
    wanted <= find_i[M-1:1];
    in_memory <= find_i[31:M] == MEMORY_BASE[31:M];
  end
  wire is0 = used0 && kept0 == wants0, is1 = used1 && kept1 == wants1;
  assign found_o = in_memory && (is0 || is1);
  assign number_o = is0 ? number0 : number1;
endmodule

`default_nettype wire
