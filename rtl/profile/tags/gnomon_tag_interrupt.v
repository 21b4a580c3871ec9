// SPDX-License-Identifier: Apache-2.0
// The profiler's interrupt: what asks for it, and the first tag that did since the bit was cleared. A request in the
// cycle of its clearing stays.
`default_nettype none

module gnomon_tag_interrupt (
  input  wire        clk_i,
  input  wire        clear_i,

  input  wire        asks_i,       // the instruction's tag asks; that of its word
  input  wire        word_asks_i,
  input  wire [4:0]  tag_i, word_tag_i,
  input  wire [31:1] pc_i,
  input  wire        fill_i,       // a tagged line was filled, and this asks for an interrupt
  input  wire [15:0] steps_i,      // thresholds with an interrupt that have been passed

  input  wire        clears_i,     // a write of INTERRUPT: clears the bits that are 1
  input  wire [31:0] bits_i,

  output wire        irq_o,
  output wire [31:0] interrupt_o,  // the registers
  output reg  [31:1] pc_o,
  output reg  [5:0]  value_o
);
`include "gnomon_registers.vh"
  reg by_tag, by_fill;
  reg [15:0] by_step;
  wire [31:0] cleared = bits_i & {32{clears_i}};
  wire kept = by_tag && !cleared[`GNOMON_TAGS_INTERRUPT_TAG];
  always @(posedge clk_i) begin
    by_tag <= kept || asks_i || word_asks_i;
    by_fill <= (by_fill && !cleared[`GNOMON_TAGS_INTERRUPT_FILL]) || fill_i;
    by_step <= (by_step & ~cleared[`GNOMON_TAGS_INTERRUPT_STEP]) | steps_i;
    if (!kept && (asks_i || word_asks_i)) {pc_o, value_o} <= {pc_i, !asks_i, asks_i ? tag_i : word_tag_i};
    if (clear_i) {by_tag, by_fill, by_step, pc_o, value_o} <= 55'd0;
  end
  assign irq_o = by_tag || by_fill || |by_step;
  assign interrupt_o = {by_step, 14'd0, by_fill, by_tag};
  wire unused = &{1'b0, cleared};
endmodule

`default_nettype wire
