// SPDX-License-Identifier: Apache-2.0
// The open calls of watched functions. Turns calls, jumps, returns and traps into enters and exits, one a cycle, all
// with the time of their item. It takes an item when its last event is out.
//
// A frame has the function's number, sp at its entry, and its return address, both as addresses of main memory. At a
// return or jump the function of a frame has ended if sp is above the frame's, or if sp equals it and the target is the
// return address. So a function that never returns and needs no stack stays open while its callees end. A landing of
// longjmp also ends functions entered with the same sp. The frame of a trap is a floor: returns within the trap do not
// go below it, and `mret` ends all frames above it.
//
// With VALUES, the top bit of a number marks a function whose arguments and result are wanted: values follow its enter,
// and its exit if it returned.
//
// Frames are in block RAM, 2^FRAMES_LOG2 for each of the threads 0 to 7, and registers hold the top two. A call without
// a frame is counted in missed_o, and its cycles belong to its caller. Calls of other threads have no frame.
`default_nettype none

module gnomon_watch_frames #(
  parameter FRAMES_LOG2 = 9,
  parameter NUMBER_BITS = 16,
  parameter VALUES      = 0,
  parameter MEMORY_LOG2 = 25 // log2 of main memory's bytes
) (
  input  wire        clk_i, hart_rst_i,

  // An item: first its call, jump or return, then another event of the hart.
  input  wire        valid_i,
  input  wire        call_i,      // a call of the watched function number_i
  input  wire        jump_i,      // a jump to the beginning of a watched function
  input  wire        indirect_i,  // with jump_i: through a register
  input  wire        return_i,    // a jump through a register to another address
  // with jump_i or return_i: the top function ends, whatever sp is, because it has changed the stack
  input  wire        leaves_i,
  input  wire        lands_i,   // with jump_i or return_i: sp has a new value
  input  wire [NUMBER_BITS-1:0] number_i,
  input  wire [MEMORY_LOG2:2] sp_i, // may be the end of main memory, too
  input  wire [MEMORY_LOG2-1:1] back_i, // return address of the called function, else of the running one
  input  wire        trap_enter_i, trap_leave_i,
  input  wire        switch_i,  // the event is the switch to thread_i
  input  wire [31:0] thread_i,
  input  wire        event_i,
  output wire        taken_o,

  // The result in this cycle: at most one of these.
  output wire        enter_o,  // the function number_o enters
  output wire        exit_o,
  output wire        event_o,  // the item's own event
  output wire [1:0]  value_o,  // a value: 3 the return address, 2 the second argument, 1 the first one or the result
  output wire [NUMBER_BITS-1:0] number_o,

  output reg  [31:0] missed_o  // calls without a frame
);
  localparam F = FRAMES_LOG2, THREADS_LOG2 = 3, M = MEMORY_LOG2;
  localparam WIDTH = 2 + NUMBER_BITS + 2 * (M - 1);
  localparam BARE = 5;

  // Of the running thread: frames; open traps without a frame. With more of these than can be counted, no call of the
  // thread is followed any more.
  reg [F:0] depth;
  reg [BARE-1:0] bare;
  reg [THREADS_LOG2-1:0] thread;
  reg untracked; // the running thread has no frames
  reg [1:0] loading;
  reg again, done; // of the item: its first step is done; its call, jump or return is done
  reg landing;
  reg unplaced; // the last call found no frame
  wire [1:0] value; // the value of this cycle; it counts down to 0
  reg [F+BARE:0] saved[0:(1<<THREADS_LOG2)-1];

  (* no_rw_check *) reg [WIDTH-1:0] frames[0:(1<<(THREADS_LOG2+F))-1];
  reg [WIDTH-1:0] top, below;
  // A frame is that of a trap; it is in a trap, or that of one.
  wire top_trap, top_inside, below_trap, below_inside;
  wire [NUMBER_BITS-1:0] top_number, below_number;
  wire [M:2] top_sp, below_sp;
  wire [M-1:1] top_back, below_back;
  assign {top_trap, top_inside, top_number, top_sp, top_back} = top;
  assign {below_trap, below_inside, below_number, below_sp, below_back} = below;
  wire unused_below = &{1'b0, below_inside, below_number, below_back};

  wire go = valid_i && !(|loading) && !(|value);
  wire room = !depth[F] && !untracked && ~|bare;
  wire some = |depth && !untracked && ~|bare;
  wire any = some && !top_trap;
  wire same = top_sp == sp_i;
  wire exact = any && same && top_back == back_i;
  // A normal return may also load sp, from its saved value.
  wire lands = again ? landing : lands_i && !exact;
  wire leaves = leaves_i && !again && !unplaced;
  wire ended = exact || (any && (leaves || top_sp < sp_i || (same && lands)));
  wire more = |depth[F:1] && !below_trap && below_sp <= sp_i; // the frame below may have ended, too

  // A direct jump of a function to its own beginning is a loop. Compilers make no loop through a register, so an
  // indirect one is a call through a pointer.
  wire loop = jump_i && !indirect_i && any && !again && !leaves && same && top_number == number_i;
  wire watch = go && !done;
  wire push = watch && (call_i || (jump_i && !ended)) && !loop;
  wire in_trap = some && top_inside;
  wire floor = trap_leave_i && in_trap && top_trap;
  wire pop = watch && (((jump_i || return_i) && ended && !loop) || (trap_leave_i && in_trap && !top_trap));
  wire last = return_i ? !(pop && more) : !pop;
  wire own = go && (done || !(call_i || jump_i || return_i)) && !pop;
  wire tells_enter, tells_exit; // values follow
  assign taken_o = own || (go && last && !event_i && !tells_enter && !tells_exit);

  assign enter_o = push && room;
  assign exit_o = pop;
  assign event_o = own && event_i;
  assign value_o = value;
  assign number_o = pop ? top_number : number_i;

  wire trap = own && trap_enter_i && !untracked;
  wire write = (push || trap) && room;
  wire drop = pop || (own && floor);
  wire change = own && event_i && switch_i;
  wire [F:0] depth_next = depth + {{F{drop}}, write || drop};
  wire [F-1:0] read_depth = depth_next[F-1:0] - {{(F - 2) {1'b0}}, loading != 2'd2, loading == 2'd2};
  wire [WIDTH-1:0] frame = {trap, trap || in_trap, number_i, sp_i, back_i};
  always @(posedge clk_i) begin
    if (write) frames[{thread, depth[F-1:0]}] <= frame;
    below <= frames[{thread, read_depth}];
    if (change && !untracked) saved[thread] <= {depth, bare};
    if (write) top <= frame;
    if (drop || loading == 2'd1) top <= below;
  end

  generate
    if (VALUES != 0) begin : g_values
      assign tells_enter = push && room && number_i[NUMBER_BITS-1];
      assign tells_exit = pop && return_i && exact && top_number[NUMBER_BITS-1];
      reg [1:0] left;
      always @(posedge clk_i) begin
        left <= left - {1'b0, |left};
        if (tells_enter || tells_exit) left <= {tells_enter, 1'b1};
        if (hart_rst_i) left <= 2'd0;
      end
      assign value = left;
    end else begin : g_no_values
      assign {tells_enter, tells_exit, value} = 4'd0;
    end
  endgenerate

  reg [7:0] seen;
  wire other = |thread_i[31:THREADS_LOG2];
  wire none = ~|bare;
  always @(posedge clk_i) begin
    depth <= depth_next;
    if (trap && !room && !(&bare)) bare <= bare + {{(BARE - 1) {1'b0}}, 1'b1};
    if (own && trap_leave_i && !untracked && !none && !(&bare)) bare <= bare - {{(BARE - 1) {1'b0}}, 1'b1};
    if (push && !room) missed_o <= missed_o + 32'd1;
    if (push) unplaced <= !room;
    if (~|value) begin
      landing <= lands;
      again <= go && pop && !taken_o;
      done <= go && !taken_o && (done || last);
    end
    // A switch takes three cycles to read the top two frames of the other thread.
    loading <= loading - {1'b0, |loading};
    if (change) begin
      if (!untracked) seen[thread] <= 1'b1;
      untracked <= other;
      thread <= thread_i[THREADS_LOG2-1:0];
      loading <= other ? 2'd0 : 2'd3;
    end
    if (loading == 2'd3) {depth, bare} <= seen[thread] ? saved[thread] : {(F + 1 + BARE) {1'b0}};
    if (hart_rst_i) begin
      {depth, bare} <= {(F + 1 + BARE) {1'b0}};
      thread <= {THREADS_LOG2{1'b0}};
      {untracked, again, done, unplaced} <= 4'd0;
      loading <= 2'd0;
      seen <= 8'd0;
      missed_o <= 32'd0;
    end
  end
endmodule

`default_nettype wire
