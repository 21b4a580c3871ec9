// SPDX-License-Identifier: Apache-2.0
// Aggregates enters and exits into a record for each function, by the rules of host/lib/profile/profile.c: the open
// frames of each thread, the payer of each cycle, the outermost activations. An enter takes 2 cycles, an exit 3, each
// frame that an exit passes over 3 more, and an exit in a subtree without frames 4. A frame that ends goes to the
// records, which are busy_i with it for some cycles: exits wait for them, enters do not.
//
// A frame's clock is the clock of its thread, or in a trap the clock of that trap: it stands still while another one
// runs. An entry's time minus `offset` is the running clock. A frame keeps its clock value at its entry (start), and
// the same value plus the cycles of the frames above it (base). Frames are linked, and registers hold the running
// frame. Each followed thread and each of eight open traps has a context. For every record number, one bit for each
// context tells whether the function is open there.
//
// When three quarters of the frames are taken, a function that calls itself and was called by itself gets no frame of
// its own: its frame counts the call (`repeats`). So recursion of any depth leaves the last quarter to the functions
// that it calls. Calls, self and total cycles stay exact. The lengths of these calls are unknown, so they count neither
// as shortest nor as longest call, and in no bucket.
//
// Events without a place are aggregated into the frame below: numbers without a record, and whole subtrees when frames
// or contexts have run out (`skip` is the depth in a subtree). The calls of a subtree still count in their records when
// they end. Events of threads without a context are untracked. Counters count all these events.
//
// With EPOCHS, a mark ends an epoch: between two entries, gnomon_walk names the open frames, as they are at a time by
// which all entries so far have been aggregated and no later one has. Meanwhile the FIFO holds new entries.
`default_nettype none

module gnomon_aggregator #(
  // log2 of the numbers with a record; the last 64 are for traps by cause, cause 31 for unprofiled cycles
  parameter RECORDS_LOG2 = 10,
  // log2 of the frames open at a time, of all threads; the first frame of each thread is for its unprofiled cycles
  parameter FRAMES_LOG2  = 9,
  parameter THREADS_LOG2 = 3,  // log2 of the followed threads; 3 to 6, less than FRAMES_LOG2 - 1
  parameter EPOCHS       = 0,
  parameter NUMBER_BITS  = 16
) (
  input  wire        clk_i,
  input  wire        hart_rst_i,  // clears everything; the clearing of the records follows

  // An entry of the trace FIFO.
  input  wire        valid_i,
  input  wire [3:0]  type_i,
  input  wire [NUMBER_BITS-1:0] number_i,
  input  wire [31:0] data_i,
  input  wire [47:0] time_i,
  input  wire [47:0] lost_cycles_i,  // of a LOST entry
  input  wire        lost_calls_i,   // the LOST entry has lost calls or ends of calls
  input  wire [31:0] lost_enters_i,  // of a LOST entry
  output wire        taken_o,

  output wire        idle_o,   // no entry is in work
  output reg         ended_o,  // END has closed all open calls

  // The records. add_o adds a frame that ends, lose_o adds add_cycles_o and add_lost_calls_o to what the record has
  // lost. The outputs from add_id_o on stay until a cycle after busy_i is 0.
  input  wire        busy_i,
  output reg         add_o, lose_o,
  output reg  [RECORDS_LOG2-1:0] add_id_o, add_caller_o,
  output reg  [47:0] add_cycles_o,     // from enter to exit
  output reg  [47:0] add_self_o,
  output reg  [31:0] add_lost_calls_o,
  output reg         add_outermost_o,
  output reg         add_lost_here_o,  // calls that it made were lost
  output reg         add_lost_o,       // calls that it or its callees made were lost
  output reg         add_call_o,       // it counts as a call; 0: the rest of a root at END
  output reg  [21:0] add_repeats_o,    // it counts as that many more calls
  // add_cycles_o is the length of a call; 0: a call whose cycles are unknown
  output reg         add_length_o,
  output reg         add_pair_o,  // the caller is known

  // A request to read a record, granted when nothing is being added.
  input  wire        show_i,
  output wire        show_o,
  input  wire        cleared_i,  // the records are cleared

  input  wire        mark_i,           // stays until marked_o
  input  wire        quiet_i,          // no entry waits
  input  wire [47:0] now_i,
  output wire        begin_o,          // gnomon_walk starts to name the open frames
  output wire [47:0] snapshot_time_o,  // the snapshot time, from the cycle after begin_o
  output wire        marked_o,         // gnomon_walk has named them all
  output wire        open_o,           // an open frame; for the meanings see gnomon_walk
  output wire [RECORDS_LOG2-1:0] open_number_o,
  output wire [THREADS_LOG2:0] open_context_o,
  output wire        open_outermost_o,
  output wire [47:0] open_cycles_o, open_self_o,

  output reg  [RECORDS_LOG2-1:0] highest_o,  // highest number of a function that was entered; 0: none

  // Counts since the hart's reset: aggregated entries; calls without a place; ends that match no open call; untracked
  // entries.
  output reg  [47:0] aggregated_o,
  output reg  [31:0] overflow_o, unbalanced_o, untracked_o,
  output reg  [31:0] deep_o,      // the part of overflow_o that found no frame
  output reg  [31:0] repeated_o,  // calls that the frame of the previous call counts
  output reg  [23:0] deepest_o    // maximum of the calls and traps open at a time in one thread
);
`include "gnomon_trace_types.vh"
  localparam SKIP_BITS = 24, REPEAT_BITS = 22, THREADS = 1 << THREADS_LOG2;
  localparam R = RECORDS_LOG2, F = FRAMES_LOG2, T = THREADS_LOG2;
  localparam [5:0] CAUSE_NONE = 6'd31;
  localparam [R-1:0] UNPROFILED = {{(R - 6) {1'b1}}, CAUSE_NONE};

  localparam [F-1:0] FIRST_FREE = {{(F - T - 1) {1'b0}}, 1'b1, {T{1'b0}}};
  localparam [T:0] TRAP_BIT = {1'b1, {T{1'b0}}};

  localparam [47:0] SETTLED = 48'd8; // an event's entry has arrived after these cycles, if no entry waits before it

  localparam [3:0] S_CLEAR = 4'd0, S_IDLE = 4'd1, S_EXEC = 4'd2, S_STORE = 4'd3, S_READ = 4'd4, S_CLOSE = 4'd5,
      S_SWITCH = 4'd6,
      S_LOAD = 4'd7, S_WALK = 4'd8, S_TALLY = 4'd9;
  reg [3:0] state;
  reg found_thread, loaded; // S_LOAD: the thread's word has been read; its frame has been read

  // The entry.
  wire is_trap = type_i == TYPE_TRAP_ENTER;
  wire is_call = type_i == TYPE_ENTER || is_trap;
  wire is_return = type_i == TYPE_EXIT || type_i == TYPE_TRAP_LEAVE;
  wire is_switch = type_i == TYPE_CHANNEL && number_i == CHANNEL_THREAD;
  wire is_lost = type_i == TYPE_LOST;
  wire is_end = type_i == TYPE_END;
  // longjmp: the frames above the function that continues have ended. The message's value has that function's number.
  wire is_landing = type_i == TYPE_CHANNEL && number_i == CHANNEL_LANDED;
  wire [31:0] function_number = is_landing ? ~data_i : {{(32 - NUMBER_BITS) {1'b0}}, number_i};
  wire [R-1:0] id_i = is_trap ? {{(R - 6) {1'b1}}, number_i[5:0]} : function_number[R-1:0];
  wire fits_i = is_trap || !(|(function_number >> R) || &function_number[R-1:6]);
  wire mark = mark_i && EPOCHS != 0;
  assign show_o = state == S_IDLE && show_i && !busy_i;
  assign begin_o = state == S_IDLE && mark && !show_i && !busy_i;
  assign taken_o = state == S_IDLE && valid_i && !show_i && !mark;
  assign idle_o = state == S_IDLE && !valid_i && !show_i && !mark && !busy_i;

  // The entry in work.
  reg call, trap, leave, trap_leave, landing, switch, lost, ending, lost_calls, fits;
  reg [R-1:0] id;
  reg [31:0] thread_new;
  reg [47:0] t; // the entry's time, or the lost cycles
  reg [31:0] lost_enters;
  reg [47:0] v; // the running clock at the entry

  // The running frame.
  reg [F-1:0] node, parent;
  reg [R-1:0] cur_id;
  reg [47:0] start, base;
  reg [T:0] ctx; // a thread's number, or with the top bit a trap's context
  reg [REPEAT_BITS-1:0] repeats; // calls of the function by itself that this frame counts
  reg outermost, marker, lost_here, lost_within;
  localparam FRAME_BITS = F + R + 48 + 48 + T + 1 + 4 + REPEAT_BITS;
  wire [FRAME_BITS-1:0] frame = {parent, cur_id, start, base, ctx, outermost, marker, lost_here, lost_within, repeats};
  reg [47:0] offset;
  reg [THREADS_LOG2-1:0] thread;
  reg untracked; // the running thread has no context
  reg [SKIP_BITS-1:0] skip;
  reg [F:0] taken_frames; // includes the roots
  reg [23:0] depth; // calls and traps open in the running thread, with and without a frame
  reg [THREADS-1:0] seen;
  reg [7:0] traps; // contexts of open traps
  wire is_root = ~|node[F-1:THREADS_LOG2];

  // The lowest free context for a trap.
  wire [7:0] lowest = ~traps & (traps + 8'd1);
  wire [2:0] trap_ctx = {|lowest[7:4], |(lowest & 8'hCC), |(lowest & 8'hAA)};
  wire [T:0] trap_context = {{(T - 2) {1'b0}}, trap_ctx};
  wire [T:0] new_ctx = trap ? trap_context | TRAP_BIT : ctx;

  // Open frames except the running one; contexts in which each number is open; the list of free frames; resting
  // threads.
  (* no_rw_check *) reg [FRAME_BITS-1:0] frames[0:(1<<F)-1];
  reg [FRAME_BITS-1:0] below;
  localparam OPEN_BITS = THREADS + 8, OPEN_LOG2 = T + 1;
  (* no_rw_check *) reg [OPEN_BITS-1:0] opens[0:(1<<R)-1];
  reg [OPEN_BITS-1:0] open;
  function [OPEN_BITS-1:0] changed(input [OPEN_BITS-1:0] bits, input [OPEN_LOG2-1:0] at, input value);
    begin
      changed = bits;
      changed[at] = value;
    end
  endfunction
  (* no_rw_check, ram_style = "distributed" *) reg [F-1:0] links[0:(1<<F)-1];
  reg [F-1:0] free, free_next;
  localparam SAVED_BITS = F + 48 + SKIP_BITS + 24;
  wire walk = EPOCHS != 0 && state == S_WALK;
  wire [T-1:0] walk_ahead;
  wire [SAVED_BITS-1:0] saved_word;
  wire [F-1:0] saved_node;
  wire [47:0] saved_clock;
  wire [SKIP_BITS-1:0] saved_skip;
  wire [23:0] saved_depth;
  assign {saved_node, saved_clock, saved_skip, saved_depth} = saved_word;
  wire known = seen[thread];

  // Index of a context's bit in the word of a number.
  wire in_trap = ctx[T];
  wire [OPEN_LOG2-1:0] own_bit = {in_trap, ctx[T-1:0]}, new_bit = {new_ctx[T], new_ctx[T-1:0]};
  wire is_open = open[own_bit];

  // What the entry does.
  wire exec = state == S_EXEC && !(busy_i && (leave || lost));
  wire skipping = |skip;
  wire place = |free && !(trap && &traps);
  wire live = exec && !untracked;
  wire here = cur_id == id && !marker;
  wire scarce = taken_frames[F] || &taken_frames[F-1:F-2];
  wire by_itself = here && below[FRAME_BITS-F-1-:R] == id;
  wire repeat_more = live && call && !trap && !skipping && fits && scarce && by_itself && !(&repeats);
  wire push = live && call && !skipping && fits && place && !repeat_more;
  wire no_place = call && (skipping || !fits || !place) && !repeat_more;
  wire deep = fits && no_place;
  wire skip_more = live && call && (skipping || (fits && !place)) && !repeat_more;
  wire skip_less = live && (leave || trap_leave) && skipping;
  wire tally = skip_less && leave && fits; // the call has no frame but still counts
  wire own = leave && fits && !skipping;
  wire on_top = own && here;
  // A landing's frame, if there is one, lies below all skipped calls.
  wire lands = landing && fits && is_open;
  wire unwind = (own && !on_top && is_open) || (trap_leave && !skipping && in_trap) || (lands && !here);
  // An exit that does not match the running frame, or a landing in a function that is not open.
  wire astray = landing ? fits && !is_open : !skipping && (own ? !on_top : trap_leave && !marker);
  wire ends = (live && on_top) || (state == S_CLOSE && !busy_i);
  wire tallies = state == S_TALLY && !busy_i;
  wire repeat_less = ends && leave && here && |repeats; // the last repeated call ends, the frame stays open
  wire close = ends && !repeat_less;
  wire found = ending ? is_root : trap_leave ? marker : leave && here;
  reg found_q, marker_q;

  // A mark: the snapshot time is the time of the last entry, or later if no entry can be on its way.
  wire [F-1:0] walk_node;
  function [47:0] marked(input [47:0] last, input [47:0] settled, input none);
    marked = none && settled > last && !settled[47] ? settled : last; // settled[47]: negative in the first cycles
  endfunction
  generate
    if (EPOCHS != 0) begin : g_walk
      gnomon_walk #(
        .RECORDS_LOG2(R), .FRAMES_LOG2(F), .THREADS_LOG2(THREADS_LOG2), .FRAME_BITS(FRAME_BITS)
      ) u_walk (
        .clk_i(clk_i), .hart_rst_i(hart_rst_i), .begin_i(begin_o), .open_i(!ended_o), .running_i(!untracked),
        .done_o(marked_o), .frame_i(frame), .node_i(node), .clock_i(v), .seen_i(seen), .thread_i(thread),
        .ahead_o(walk_ahead), .saved_node_i(saved_node), .saved_clock_i(saved_clock), .node_o(walk_node),
        .below_i(below), .open_o(open_o), .number_o(open_number_o), .context_o(open_context_o),
        .outermost_o(open_outermost_o), .cycles_o(open_cycles_o), .self_o(open_self_o)
      );
      reg [47:0] snapshot_time;
      always @(posedge clk_i) if (begin_o) snapshot_time <= marked(v + offset, now_i - SETTLED, quiet_i && !ended_o);
      assign snapshot_time_o = snapshot_time;
    end else begin : g_no_walk
      wire unused = &{1'b0, mark_i, walk};
      assign {marked_o, open_o, open_outermost_o} = 3'd0;
      assign walk_ahead = {T{1'b0}};
      assign walk_node = {F{1'b0}};
      assign open_number_o = {R{1'b0}};
      assign open_context_o = {(T + 1) {1'b0}};
      assign {open_cycles_o, open_self_o} = 96'd0;
      assign snapshot_time_o = 48'd0;
    end
  endgenerate

  // ---- Memories ----
  reg [(R > F ? R : F)-1:0] sweep;
  wire clear = state == S_CLEAR;
  wire spill = push || (state == S_SWITCH && !untracked);
  wire [F-1:0] below_at = state == S_LOAD ? saved_node : walk ? walk_node : parent;
  wire [R-1:0] open_at = state == S_READ ? cur_id : id_i;
  wire write_open = push || (close && outermost && !is_root);
  wire [R-1:0] write_open_at = clear ? sweep[R-1:0] : push ? id : cur_id;
  wire release_frame = close && !is_root;
  always @(posedge clk_i) begin
    if (spill) frames[node] <= frame;
    below <= frames[below_at];
    if (clear || write_open) opens[write_open_at] <= clear ? {OPEN_BITS{1'b0}} :
        changed(open, push ? new_bit : own_bit, push);
    if (state == S_IDLE || state == S_READ) open <= opens[open_at];
    if (clear || release_frame) links[clear ? sweep[F-1:0] : node] <= clear ? sweep[F-1:0] + {{(F - 1) {1'b0}}, 1'b1} :
        free;
    free_next <= links[free];
  end
  wire save = state == S_SWITCH && !untracked;
  wire [T-1:0] saved_at = walk || begin_o ? walk_ahead : thread;
  wire [SAVED_BITS-1:0] save_word = {node, v, skip, depth};
  generate
    if (T > 4) begin : g_many
      (* no_rw_check *) reg [SAVED_BITS-1:0] saved[0:THREADS-1];
      reg [SAVED_BITS-1:0] word;
      always @(posedge clk_i) begin
        if (save) saved[thread] <= save_word;
        word <= saved[saved_at];
      end
      assign saved_word = word;
    end else begin : g_few
      (* no_rw_check, ram_style = "distributed" *) reg [SAVED_BITS-1:0] saved[0:THREADS-1];
      reg [SAVED_BITS-1:0] word;
      always @(posedge clk_i) begin
        if (save) saved[thread] <= save_word;
        word <= saved[saved_at];
      end
      assign saved_word = word;
    end
  endgenerate

  // ---- The steps ----
  always @(posedge clk_i) begin
    add_o <= ends || tallies;
    lose_o <= live && lost;
    found_q <= found || state == S_TALLY;
    marker_q <= marker;
    found_thread <= 1'b0;
    loaded <= 1'b0;
    case (state)
      S_CLEAR: begin
        sweep <= sweep + {{(R > F ? R - 1 : F - 1) {1'b0}}, 1'b1};
        if (&sweep && cleared_i) state <= S_IDLE;
        else if (&sweep) sweep <= sweep;
      end
      S_IDLE: begin
        if (taken_o && !ended_o) state <= S_EXEC;
        if (begin_o) state <= S_WALK;
      end
      S_EXEC:
      if (exec) begin
        state <= S_IDLE;
        if (!untracked && on_top) state <= S_STORE;
        if (!untracked && unwind) state <= S_READ;
        if (tally) state <= S_TALLY;
        if (switch || ending) state <= S_SWITCH;
      end
      S_READ: state <= S_CLOSE;
      S_CLOSE: if (ends) state <= S_STORE;
      S_TALLY: if (tallies) state <= S_STORE;
      S_STORE: begin
        state <= found_q || (landing && here) ? S_IDLE : S_READ;
        if (ending && found_q && !(&thread)) state <= S_LOAD;
      end
      S_SWITCH: state <= ending || !(|thread_new[31:T]) ? S_LOAD : S_IDLE;
      S_WALK: if (marked_o) state <= S_IDLE;
      default: begin // S_LOAD
        found_thread <= !loaded;
        loaded <= found_thread && !loaded;
        if (loaded) state <= ending ? S_READ : S_IDLE;
        if (ending && !known) begin
          {found_thread, loaded} <= 2'b00;
          state <= &thread ? S_IDLE : S_LOAD;
        end
      end
    endcase
    if (hart_rst_i) begin
      state <= S_CLEAR;
      sweep <= {(R > F ? R : F) {1'b0}};
      {add_o, lose_o} <= 2'b00;
    end
  end

  // Changes of the depth.
  wire deeper = push || repeat_more || skip_more;
  wire [23:0] ended = repeat_less || skip_less ? 24'd1 : close && !is_root ? {2'd0, repeats} + 24'd1 : live && lands ?
      skip : 24'd0;
  wire [47:0] root_clock = known ? saved_clock : 48'd0;
  always @(posedge clk_i) begin
    if (taken_o) begin
      call <= is_call;
      trap <= is_trap;
      leave <= type_i == TYPE_EXIT;
      trap_leave <= type_i == TYPE_TRAP_LEAVE;
      landing <= is_landing;
      switch <= is_switch;
      lost <= is_lost;
      ending <= is_end;
      lost_calls <= lost_calls_i;
      fits <= fits_i;
      id <= id_i;
      thread_new <= data_i;
      t <= is_lost ? lost_cycles_i : time_i;
      lost_enters <= lost_enters_i;
      if (!is_lost) v <= time_i - offset;
    end
    if (begin_o) v <= marked(v + offset, now_i - SETTLED, quiet_i && !ended_o) - offset;
    if (live && lost) begin
      base <= base + t;
      lost_here <= lost_here || lost_calls;
      add_id_o <= cur_id;
      add_cycles_o <= t;
      add_lost_calls_o <= lost_enters;
    end
    if (push) begin
      parent <= node;
      node <= free;
      free <= free_next;
      cur_id <= id;
      start <= v;
      base <= v;
      ctx <= new_ctx;
      outermost <= trap || !open[ctx];
      marker <= trap;
      lost_here <= 1'b0;
      lost_within <= 1'b0;
      repeats <= {REPEAT_BITS{1'b0}};
      taken_frames <= taken_frames + {{F {1'b0}}, 1'b1};
      if (trap) traps <= traps | lowest;
      else if (id > highest_o) highest_o <= id;
    end
    if (repeat_more) repeats <= repeats + {{(REPEAT_BITS - 1) {1'b0}}, 1'b1};
    if (repeat_less) repeats <= repeats - {{(REPEAT_BITS - 1) {1'b0}}, 1'b1};
    if (tallies && id > highest_o) highest_o <= id;
    // A call without a length: its caller's frame counts it, or it has no frame.
    if (repeat_less || tallies) begin
      add_id_o <= id;
      add_caller_o <= id;
      add_cycles_o <= 48'd0;
      add_self_o <= 48'd0;
      add_outermost_o <= 1'b0;
      add_lost_here_o <= 1'b0;
      add_lost_o <= 1'b0;
      add_call_o <= 1'b1;
      add_repeats_o <= {REPEAT_BITS{1'b0}};
      add_length_o <= 1'b0;
      add_pair_o <= repeat_less;
    end
    if (close) begin
      add_repeats_o <= repeats;
      add_length_o <= !is_root;
      add_pair_o <= 1'b1;
      add_id_o <= cur_id;
      add_caller_o <= marker || is_root ? UNPROFILED : below[FRAME_BITS-F-1-:R];
      add_cycles_o <= v - start;
      add_self_o <= v - base;
      add_outermost_o <= outermost;
      add_lost_here_o <= lost_here;
      add_lost_o <= lost_within || lost_here;
      add_call_o <= !is_root;
      if (marker) begin
        traps <= traps & ~(8'd1 << ctx[2:0]);
        v <= start;
        offset <= t - start;
      end
      if (!is_root) begin
        free <= node;
        node <= parent;
        taken_frames <= taken_frames - {{F {1'b0}}, 1'b1};
        {parent, cur_id, start, base, ctx, outermost, marker, lost_here, lost_within, repeats} <= below;
      end
    end
    // The frame below takes over the cycles and losses of a frame that has ended.
    if (state == S_STORE && add_length_o && !marker_q) begin
      base <= base + add_cycles_o;
      lost_within <= lost_within || add_lost_o;
    end
    if (state == S_STORE && ending && found_q) thread <= thread + {{(T - 1) {1'b0}}, 1'b1};
    if (state == S_SWITCH) begin
      if (!untracked) seen[thread] <= 1'b1;
      untracked <= !ending && |thread_new[31:T];
      thread <= ending ? {T{1'b0}} : thread_new[T-1:0];
    end
    if (state == S_LOAD && loaded) begin
      node <= known ? saved_node : {{(F - T) {1'b0}}, thread};
      {parent, cur_id, start, base, ctx, outermost, marker, lost_here, lost_within, repeats} <= known ? below :
          {{F{1'b0}}, UNPROFILED, 48'd0, 48'd0, 1'b0, thread, 4'b1000, {REPEAT_BITS{1'b0}}};
      v <= root_clock;
      offset <= t - root_clock;
      skip <= known ? saved_skip : {SKIP_BITS{1'b0}};
      depth <= known ? saved_depth : 24'd0;
    end else depth <= deeper ? depth + 24'd1 : depth - ended;
    if (depth > deepest_o) deepest_o <= depth;
    if (state == S_LOAD && ending && !known) thread <= thread + {{(T - 1) {1'b0}}, 1'b1};
    if (skip_more) skip <= skip + {{(SKIP_BITS - 1) {1'b0}}, 1'b1};
    if (live && lands) skip <= {SKIP_BITS{1'b0}};
    if (skip_less) skip <= skip - {{(SKIP_BITS - 1) {1'b0}}, 1'b1};
    if (hart_rst_i) begin
      node <= {F{1'b0}};
      {parent, cur_id, start, base, ctx, outermost, marker, lost_here, lost_within, repeats} <=
          {{F{1'b0}}, UNPROFILED, 48'd0, 48'd0, {(T + 1) {1'b0}}, 4'b1000, {REPEAT_BITS{1'b0}}};
      free <= FIRST_FREE;
      taken_frames <= {1'b0, FIRST_FREE};
      v <= 48'd0;
      offset <= 48'd0;
      thread <= {T{1'b0}};
      untracked <= 1'b0;
      skip <= {SKIP_BITS{1'b0}};
      depth <= 24'd0;
      deepest_o <= 24'd0;
      seen <= {THREADS{1'b0}};
      traps <= 8'd0;
      highest_o <= {R{1'b0}};
    end
  end

  // ---- Counts ----
  always @(posedge clk_i) begin
    if (taken_o && (is_call || is_return)) aggregated_o <= aggregated_o + 48'd1;
    if (live && no_place) overflow_o <= overflow_o + 32'd1;
    if (live && deep) deep_o <= deep_o + 32'd1;
    if (repeat_more) repeated_o <= repeated_o + 32'd1;
    if (live && astray) unbalanced_o <= unbalanced_o + 32'd1;
    if (exec && untracked && (call || leave || trap_leave)) untracked_o <= untracked_o + 32'd1;
    if (ending && &thread && (state == S_STORE ? found_q : state == S_LOAD && !known)) ended_o <= 1'b1;
    if (hart_rst_i) begin
      aggregated_o <= 48'd0;
      {overflow_o, unbalanced_o, untracked_o, deep_o, repeated_o} <= 160'd0;
      ended_o <= 1'b0;
    end
  end
endmodule

`default_nettype wire
