// SPDX-License-Identifier: Apache-2.0
// Counters of what the tag caches did not know (docs/internals/tags.md, "Tag caches"). They stay at their largest
// value.
`default_nettype none

module gnomon_tag_unknown (
  input  wire        clk_i,
  input  wire        clear_i,
  input  wire [2:0]  add_i,  // instructions, accesses, stores into tagged code

  input  wire        read_i,
  input  wire [11:0] reg_addr_i,
  output reg  [31:0] reg_rdata_o,  // one cycle after read_i, else 0
  output wire        saturated_o
);
`include "gnomon_registers.vh"
  reg [32:0] counts[0:2];
  integer k;
  always @(posedge clk_i)
    for (k = 0; k < 3; k = k + 1)
      counts[k] <= clear_i ? 33'd0 : counts[k] + {32'd0, add_i[k] && !counts[k][32]};
  assign saturated_o = counts[0][32] || counts[1][32] || counts[2][32];

  wire [1:0] which = reg_addr_i == `GNOMON_TAGS_INSTRUCTIONS_UNKNOWN ? 2'd0 :
      reg_addr_i == `GNOMON_TAGS_ACCESSES_UNKNOWN ? 2'd1 : 2'd2;
  wire here = which != 2'd2 || reg_addr_i == `GNOMON_TAGS_STORES_INTO_CODE;
  always @(posedge clk_i)
    reg_rdata_o <= (counts[which][31:0] | {32{counts[which][32]}}) & {32{read_i && here}};
endmodule

`default_nettype wire
