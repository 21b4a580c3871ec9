// SPDX-License-Identifier: Apache-2.0
// One read port of a table of blocks (docs/internals/tags.md): block n of the shadow memory belongs to an address whose
// bits above the block number equal those in entry n. So an address can lie in one block only, and one comparator finds
// out whether it does. The tables are distributed RAM without a reset: a clearing after power-on writes all entries.
`default_nettype none

module gnomon_tag_blocks #(
  parameter LOG2 = 12 // log2 of the shadow memory's words
) (
  input  wire        clk_i,

  input  wire        write_i,
  input  wire [3:0]  number_i,
  input  wire [31:0] entry_i,  // the value of the register

  input  wire [31:2] address_i,
  output wire        inside_o,      // the block of this address is in use for it
  output wire        per_address_o  // and its words have per-address counters
);
  localparam UPPER = 30 - LOG2;
  (* ram_style = "distributed" *) reg [UPPER+1:0] entries[0:15];
  always @(posedge clk_i) if (write_i) entries[number_i] <= {entry_i[31:LOG2+2], entry_i[1:0]};
  wire [UPPER-1:0] upper;
  wire per_address, valid;
  assign {upper, per_address, valid} = entries[address_i[LOG2+1-:4]];
  assign inside_o = valid && upper == address_i[31:LOG2+2];
  assign per_address_o = per_address;
  wire unused = &{1'b0, entry_i[LOG2+1:2], address_i[LOG2-3:2]};
endmodule

`default_nettype wire
