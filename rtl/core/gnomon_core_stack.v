// SPDX-License-Identifier: Apache-2.0
// Check of the stack's end, for parts without room for gnomon_stack_guard: detects an addition in X that moves sp below
// the limit, from the limit or above. The check is two comparisons and has no registers. The limit is a multiple of
// 1024. The limit and sp lie in main memory or at its end, so the comparisons use only address bits that differ there.
// The check misses a frame that is larger than all memory below the limit.
`default_nettype none

module gnomon_core_stack #(
  parameter RAM_LOG2 = 16              // log2 of the bytes of main memory
) (
  input  wire         x_adds_i,    // X has an addition to sp
  input  wire [31:0]  x_before_i,  // sp before the addition
  input  wire [31:0]  x_after_i,   // sp after the addition
  // limit_n_i: the limit, inverted, so that the comparators need no inverters; a limit of 0 turns the check off
  input  wire [31:10] limit_n_i,
  output wire         x_leaves_o  // combinational
);
  localparam HIGH = RAM_LOG2 - 1, BITS = RAM_LOG2 - 10;
  // Carry 1: sp is not below the limit.
  wire [BITS:0] old = {1'b0, x_before_i[HIGH:10]} + {1'b0, limit_n_i[HIGH:10]} + {{BITS{1'b0}}, 1'b1};
  wire [BITS:0] now = {1'b0, x_after_i[HIGH:10]} + {1'b0, limit_n_i[HIGH:10]} + {{BITS{1'b0}}, 1'b1};
  // Bit RAM_LOG2 of sp is 1 only at the end of main memory.
  assign x_leaves_o = x_adds_i && (x_before_i[RAM_LOG2] || old[BITS]) && !(x_after_i[RAM_LOG2] || now[BITS]);
  wire        unused = &{1'b0, x_before_i, x_after_i, limit_n_i, old, now};
endmodule
`default_nettype wire
