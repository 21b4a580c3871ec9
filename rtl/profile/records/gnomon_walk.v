// SPDX-License-Identifier: Apache-2.0
// Names the open frames, one in a cycle, while gnomon_aggregator rests: from the running frame down to its root, then
// from the top frame of each resting thread down to its root. Each frame comes with the cycles that it would get if it
// ended now: the cycles by its own clock, and its self cycles. The clock of the frames below a trap has stood still
// since the trap.
`default_nettype none

module gnomon_walk #(
  parameter RECORDS_LOG2 = 10,
  parameter FRAMES_LOG2  = 9,
  parameter THREADS_LOG2 = 3,
  parameter FRAME_BITS   = 1
) (
  input  wire        clk_i, hart_rst_i,

  input  wire        begin_i,
  input  wire        open_i,     // frames are open
  input  wire        running_i,  // a followed thread runs
  output wire        done_o,     // the last frame has been named

  // Stable while the walk goes on: the running frame, its place, its clock; threads that have a frame; the running
  // thread.
  input  wire [FRAME_BITS-1:0] frame_i,
  input  wire [FRAMES_LOG2-1:0] node_i,
  input  wire [47:0] clock_i,
  input  wire [(1<<THREADS_LOG2)-1:0] seen_i,
  input  wire [THREADS_LOG2-1:0] thread_i,

  output wire [THREADS_LOG2-1:0] ahead_o,  // reads the state of this thread; it comes one cycle later:
  input  wire [FRAMES_LOG2-1:0] saved_node_i,
  input  wire [47:0] saved_clock_i,
  output wire [FRAMES_LOG2-1:0] node_o,    // reads this frame; it comes one cycle later:
  input  wire [FRAME_BITS-1:0] below_i,

  output reg         open_o,
  output reg  [RECORDS_LOG2-1:0] number_o,
  output reg  [THREADS_LOG2:0] context_o,  // a thread's number, or with the top bit a trap's context
  output reg         outermost_o,
  output reg  [47:0] cycles_o,
  // signed: the cycles of a LOST entry can reach beyond the snapshot time
  output reg  [47:0] self_o
);
  reg walking, searching; // a frame is named; a thread is looked up
  reg deep; // the frame to name was read from the memory
  reg [FRAMES_LOG2-1:0] node;
  reg [47:0] deep_clock, deep_above;
  reg [THREADS_LOG2:0] next; // next thread to look up; top bit: none is left

  wire [FRAMES_LOG2-1:0] parent;
  wire [RECORDS_LOG2-1:0] id;
  wire [47:0] start, base;
  wire [THREADS_LOG2:0] ctx;
  wire outermost, marker;
  wire [FRAME_BITS-FRAMES_LOG2-RECORDS_LOG2-THREADS_LOG2-100:0] unused; // loss flags and repeats
  assign {parent, id, start, base, ctx, outermost, marker, unused} = deep ? below_i : frame_i;
  wire [47:0] clock = deep ? deep_clock : clock_i;
  wire [47:0] above = deep ? deep_above : clock_i; // clock value at which the frame above began
  wire at_root = ~|((deep ? node : node_i) >> THREADS_LOG2);

  wire [THREADS_LOG2-1:0] looked_at = next[THREADS_LOG2-1:0];
  wire rests = seen_i[looked_at] && !(running_i && looked_at == thread_i) && open_i;
  assign ahead_o = begin_i ? {THREADS_LOG2{1'b0}} : searching ? looked_at + {{(THREADS_LOG2 - 1) {1'b0}}, 1'b1} :
      looked_at;
  assign done_o = searching && next[THREADS_LOG2];
  assign node_o = searching ? saved_node_i : parent;
  always @(posedge clk_i) begin
    node <= node_o;
    deep <= !begin_i;
    if (begin_i) begin
      walking <= running_i && open_i;
      searching <= !(running_i && open_i);
      next <= {(THREADS_LOG2 + 1) {1'b0}};
    end
    if (walking) begin
      deep_clock <= marker ? start : clock;
      deep_above <= start;
      walking <= !at_root;
      searching <= at_root;
    end
    if (searching) begin
      deep_clock <= saved_clock_i;
      deep_above <= saved_clock_i;
      next <= next + {{THREADS_LOG2{1'b0}}, 1'b1};
      walking <= rests && !done_o;
      searching <= !rests && !done_o;
    end
    open_o <= walking;
    number_o <= id;
    context_o <= ctx;
    outermost_o <= outermost;
    cycles_o <= clock - start;
    self_o <= above - base;
    if (hart_rst_i) begin
      walking <= 1'b0;
      searching <= 1'b0;
    end
  end
endmodule

`default_nettype wire
