// SPDX-License-Identifier: Apache-2.0
// Stack limit check without room for gnomon_stack_guard: detects an addition in X that moves sp from the limit or above
// it to below it. Two comparisons, no state. The limit is a multiple of 1024, and limit and sp lie in main memory, or
// at its end: only the address bits that differ there are compared. So a frame larger than all memory below the limit
// is not detected.
`default_nettype none

module gnomon_core_stack #(
  parameter RAM_LOG2 = 16              // log2 of the bytes of main memory
) (
  input  wire         x_adds_i,    // X holds an addition to sp
  input  wire [31:0]  x_before_i,  // sp before the addition
  input  wire [31:0]  x_after_i,   // sp after the addition
  // inverted, which saves the comparators their inverters; inverted 0: no limit
  input  wire [31:10] limit_n_i,
  output wire         x_leaves_o  // combinational
);
  localparam HIGH = RAM_LOG2 - 1, BITS = RAM_LOG2 - 10;
  // The carries: sp is not below the limit.
  wire [BITS:0] old = {1'b0, x_before_i[HIGH:10]} + {1'b0, limit_n_i[HIGH:10]} + {{BITS{1'b0}}, 1'b1};
  wire [BITS:0] now = {1'b0, x_after_i[HIGH:10]} + {1'b0, limit_n_i[HIGH:10]} + {{BITS{1'b0}}, 1'b1};
  // The end of main memory needs one bit more.
  assign x_leaves_o = x_adds_i && (x_before_i[RAM_LOG2] || old[BITS]) && !(x_after_i[RAM_LOG2] || now[BITS]);
  wire        unused = &{1'b0, x_before_i, x_after_i, limit_n_i, old, now};
endmodule
`default_nettype wire
