// SPDX-License-Identifier: Apache-2.0
// Aggregates enters and exits into a record for each function, by the rules of host/lib/profile/profile.c: the open
// frames of each thread, the payer of each cycle, the outermost activations. An enter takes 2 cycles, an exit 3, each
// frame that an exit passes over 3 more, and an exit in a subtree without frames 4. A frame that ends goes to the
// records, which are busy_i with it for some cycles: the next one waits for them, enters do not.
//
// A frame has two words of cycles: its self cycles, and the total cycles of the calls that it made (a call is credited
// to its caller when it ends, a trap to none). Total cycles are the sum of both. The running frame's first word lacks
// the cycles since `credited`, which an event adds when it stops or ends the frame; so nothing has to be done while
// time passes. One adder makes one addition in a cycle: `sum` is the word that was read plus these cycles, the previous
// sum, or lost cycles. An entry stays on the inputs until it has been aggregated.
//
// Between two entries, `frame` and `word` always have the running frame and its first word. So the first step of an
// entry (in_exec) takes place in the cycle in which it arrives. The words of a frame that has just begun are still
// unwritten (`fresh`): they count as zero.
//
// A frame also has its function, its context, and its level: the number of calls and traps open in its thread with
// this one. Each followed thread and each of eight open traps has a context. For every record number, one bit for each
// context tells whether the function is open there. The memories of frames are twice as large as needed: in the upper
// halves, a resting thread has its running frame and its depth, in the form of a frame.
//
// When three quarters of the frames are taken, a function that calls itself and was called by itself gets no frame of
// its own: its frame counts the call (its level increases). So recursion of any depth leaves the last quarter to the
// functions that it calls. Calls, self and total cycles stay exact. The lengths of these calls are unknown, so they
// count neither as shortest nor as longest call, and in no bucket.
//
// Events without a place are aggregated into the frame below: numbers without a record, and whole subtrees when frames
// or contexts have run out (`skipping`: the depth exceeds the frame's level). The calls of a subtree still count in
// their records when they end. Events of threads without a context are untracked. Counters count all these events.
//
// With EPOCHS, a mark ends an epoch: between two entries, the open frames are named, as they are at a time by which all
// entries so far have been aggregated and no later one has. The running thread comes first, then the resting ones, each
// from its running frame to its root, a frame every two cycles. Meanwhile the FIFO holds new entries.
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

  // An entry of the trace FIFO. It stays until taken_o.
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
  input  wire        steady_i,         // time counts cycles; 0: it counts other events, and can stand still
  output wire        begin_o,          // the naming of the open frames begins
  output wire [47:0] snapshot_time_o,  // the snapshot time, from the cycle after begin_o
  output wire        marked_o,         // they have all been named
  // An open frame, with the cycles that it would get if it ended now. The clock of the frames below a trap has stood
  // still since the trap.
  output wire        open_o,
  output wire [RECORDS_LOG2-1:0] open_number_o,
  output wire [THREADS_LOG2:0] open_context_o,  // a thread's number, or with the top bit a trap's context
  output wire        open_outermost_o,
  output wire [47:0] open_cycles_o,
  // signed: the cycles of a LOST entry can reach beyond the snapshot time
  output wire [47:0] open_self_o,

  // Counts since the hart's reset: a read gets the one of the address of its register, in the same cycle.
  input  wire        count_read_i,
  input  wire [3:0]  count_which_i,  // see gnomon_record_counts
  output wire [31:0] count_o,
  input  wire        arc_overflow_i,  // a call's pair has no place
  output reg  [RECORDS_LOG2-1:0] highest_o  // highest number of a function that was entered; 0: none
);
`include "gnomon_trace_types.vh"
  localparam LEVEL_BITS = 24, REPEAT_BITS = 22, THREADS = 1 << THREADS_LOG2;
  localparam R = RECORDS_LOG2, F = FRAMES_LOG2, T = THREADS_LOG2;
  localparam [5:0] CAUSE_NONE = 6'd31;
  localparam [R-1:0] UNPROFILED = {{(R - 6) {1'b1}}, CAUSE_NONE};
  localparam [F-1:0] FIRST_FREE = {{(F - T - 1) {1'b0}}, 1'b1, {T{1'b0}}};

  localparam [3:0] S_CLEAR = 4'd0, S_IDLE = 4'd1, S_AGAIN = 4'd2, S_PUSH = 4'd3, S_REPEAT = 4'd4, S_NO_FRAME = 4'd5,
      S_SELF = 4'd6, S_TOTAL = 4'd7, S_CLOSE = 4'd8, S_SWITCH = 4'd9, S_LOAD = 4'd10, S_FIND = 4'd11, S_MARK = 4'd12,
      S_NAME = 4'd13, S_NAMED = 4'd14;
  reg [3:0] state, next;
  wire in_clear = state == S_CLEAR, in_idle = state == S_IDLE, in_again = state == S_AGAIN, in_push = state == S_PUSH;
  wire in_repeat = state == S_REPEAT, in_no_frame = state == S_NO_FRAME, in_self = state == S_SELF;
  wire in_total = state == S_TOTAL, in_close = state == S_CLOSE, in_switch = state == S_SWITCH;
  wire in_load = state == S_LOAD, in_find = state == S_FIND, in_mark = EPOCHS != 0 && state == S_MARK;
  wire in_name = EPOCHS != 0 && state == S_NAME, in_named = EPOCHS != 0 && state == S_NAMED;

  // ---- The entry ----
  wire marking, restoring; // the open frames are named; after them, the running thread is loaded again
  wire trap = type_i == TYPE_TRAP_ENTER, call = type_i == TYPE_ENTER || trap;
  wire leave = type_i == TYPE_EXIT, trap_leave = type_i == TYPE_TRAP_LEAVE;
  wire lost = type_i == TYPE_LOST && !marking, ending = type_i == TYPE_END && !marking;
  wire switch = type_i == TYPE_CHANNEL && number_i == CHANNEL_THREAD;
  // longjmp: the frames above the function that continues have ended. The message's value has that function's number.
  wire landing = type_i == TYPE_CHANNEL && number_i == CHANNEL_LANDED;
  wire [31:0] function_number = landing ? ~data_i : {{(32 - NUMBER_BITS) {1'b0}}, number_i};
  wire [R-1:0] id = trap ? {{(R - 6) {1'b1}}, number_i[5:0]} : function_number[R-1:0];
  wire fits = trap || !(|(function_number >> R) || &function_number[R-1:6]);

  // ---- The running thread and frame ----
  reg [T-1:0] thread;
  reg untracked; // it has no context
  reg [F-1:0] node, up; // the running frame; its caller's
  reg [LEVEL_BITS-1:0] depth; // calls and traps open in the thread, with and without a frame
  wire [LEVEL_BITS-1:0] depth_next;
  reg [LEVEL_BITS-1:0] deepest; // maximum of all threads
  wire deeper_than_ever = depth > deepest;
  reg skipping;
  reg fresh; // the running frame has just begun: its words are unwritten
  reg pushed; // it has begun in the cycle before: `frame` does not have it yet, but ctx_q is its context
  reg look; // whether the function is open has to be looked up
  wire is_root = ~|node[F-1:T];
  // What is known of a frame while it ends. Then the memories already have its caller's.
  reg [R-1:0] id_q;
  reg [T:0] ctx_q; // or of a frame that begins
  reg outermost_q, marker_q, here_q;
  reg tally; // a call without a frame ends
  reg bare; // what ends has no frame of its own, so no cycles
  reg found; // the frame is the last one to end

  // ---- The memories ----
  // Frames: caller's frame (or the next free frame), number, context, outermost, marker of a trap. And their levels.
  // A resting thread: its running frame, in place of outermost skipping, in place of the marker 1. And its depth.
  localparam FRAME_BITS = F + R + T + 3;
  (* no_rw_check *) reg [FRAME_BITS-1:0] frames[0:(2<<F)-1];
  (* no_rw_check *) reg [LEVEL_BITS-1:0] levels[0:(2<<F)-1];
  reg [FRAME_BITS-1:0] frame;
  reg [LEVEL_BITS-1:0] level;
  wire [F-1:0] parent;
  wire [R-1:0] cur_id;
  wire [T:0] ctx; // a thread's number, or with the top bit a trap's context
  wire outermost, marker;
  assign {parent, cur_id, ctx, outermost, marker} = frame;

  reg [F-1:0] free; // the first free frame, 0: none
  reg [F:0] taken_frames; // includes the roots
  reg [7:0] traps; // contexts of open traps
  wire [7:0] lowest = ~traps & (traps + 8'd1);
  wire [2:0] trap_ctx = {|lowest[7:4], |(lowest & 8'hCC), |(lowest & 8'hAA)};

  // For each number, the contexts in which it is open.
  localparam OPEN_BITS = THREADS + 8;
  (* no_rw_check *) reg [OPEN_BITS-1:0] opens[0:(1<<R)-1];
  reg [OPEN_BITS-1:0] open;
  wire is_open = open[ctx_q];

  // Two words of cycles for each frame. The top bit of the first one tells that calls made by the frame were lost, that
  // of the second one that calls made by its callees were.
  (* no_rw_check *) reg [48:0] words[0:(2<<F)-1];
  reg [48:0] word_read, acc, self; // the last sum; the frame's self cycles
  reg blank;
  wire [48:0] word = word_read & {49{!blank}}; // the word that was read, or 0: see gnomon_records
  wire [48:0] sum;
  wire [47:0] snapshot_time;
  wire [47:0] entry = marking ? snapshot_time : time_i;
  reg [47:0] credited; // the running frame has its cycles up to this time

  // ---- What the entry does ----
  wire counting;
  reg was_busy;
  wire quiet = !busy_i && !was_busy && !add_o && !lose_o;
  wire mark = mark_i && EPOCHS != 0;
  wire early = pushed && (!call || scarce); // the entry needs the running frame
  wire begins = in_idle && valid_i && !show_i && !mark && !counting && !early;
  wire in_exec = (begins && !ended_o) || in_again;
  assign show_o = in_idle && show_i && quiet;
  assign begin_o = in_idle && mark && !show_i && quiet;
  assign idle_o = in_idle && !valid_i && !show_i && !mark && quiet && !counting;

  wire live = in_exec && !untracked;
  wire here = cur_id == id && !marker;
  wire scarce = taken_frames[F] || &taken_frames[F-1:F-2];
  wire may_repeat = !trap && here && fits && scarce && !in_again;
  wire place = |free && !(trap && &traps);
  wire calls = live && call;
  wire check = calls && !skipping && may_repeat;
  wire push = calls && !skipping && !may_repeat && fits && place;
  wire no_place = calls && !check && !push;
  wire deep = no_place && fits;
  wire skip_more = no_place && (skipping || fits);
  wire skip_less = live && (leave || trap_leave) && skipping;
  wire look_up = live && !in_again && fits && (landing || (leave && !skipping && !here));
  wire lands = live && in_again && landing && is_open; // the landing's frame lies below all skipped calls
  wire ends = live && !skipping && (leave ? (fits && here) || (in_again && is_open) : trap_leave && ctx[T]) ||
      (lands && !here);
  // An exit that does not match the running frame, or a landing in a function that is not open.
  wire astray = live && (in_again && landing ? !is_open : !skipping && (in_again ? leave : trap_leave && !marker));
  wire stops = ((in_exec && (switch || ending)) || in_mark) && !untracked && !ended_o; // the running thread
  // The frame was called by the function itself, and calls it.
  wire repeat_more = in_repeat && cur_id == id && ~|depth[LEVEL_BITS-1:REPEAT_BITS];
  wire ready = in_total && !busy_i;
  wire pop = ready && !lost && !bare && !is_root;

  // The difference to the level of the caller tells how many calls the frame has counted.
  wire [LEVEL_BITS-1:0] above = depth - level - {{(LEVEL_BITS - 1) {1'b0}}, !bare && !in_no_frame};
  wire repeat_less = in_self && !bare && leave && here_q && |above;

  // ---- The steps ----
  wire known = marker; // the loaded thread has run
  wire known_running; // and is the running one, so that its frames have been named
  wire loads = (switch && !marking) || restoring || (known && !known_running);
  wire next_thread = (ready && !lost && !bare && is_root) || (in_load && !loads) || (in_named && is_root);
  wire last_thread;
  wire [T-1:0] thread_after = thread + {{(T - 1) {1'b0}}, 1'b1};
  wire [T-1:0] thread_next;
  reg [(R > F ? R : F + 1)-1:0] sweep;
  wire [(R > F ? R : F + 1)-1:0] sweep_next = sweep + {{(R > F ? R - 1 : F) {1'b0}}, 1'b1};
  always @* begin
    next = S_IDLE;
    case (state)
      S_CLEAR: if (!(&sweep && cleared_i)) next = S_CLEAR;
      S_IDLE, S_AGAIN:
      if (begin_o) next = S_MARK;
      else if (in_exec && (switch || ending)) next = S_SWITCH;
      else if (in_exec)
        next = (live && lost) || ends ? S_SELF : check ? S_REPEAT : push ? S_PUSH : skip_less ? S_NO_FRAME : S_FIND;
      S_REPEAT: if (!repeat_more) next = S_AGAIN;
      S_NO_FRAME: next = lost ? S_TOTAL : leave && fits ? S_SELF : S_FIND;
      S_SELF: next = lost || repeat_less ? S_NO_FRAME : S_TOTAL;
      S_TOTAL: if (busy_i) next = S_TOTAL;
      else if (pop && !found) next = S_CLOSE;
      S_CLOSE: next = landing && here ? S_FIND : S_SELF;
      S_SWITCH: if (!untracked || marking) next = S_LOAD;
      S_LOAD: next = S_FIND;
      S_FIND: if (look) next = S_AGAIN;
      else if (marking && !restoring) next = S_NAME;
      else if (!found) next = S_CLOSE;
      S_MARK: if (!ended_o) next = untracked ? S_SWITCH : S_FIND;
      S_NAME: next = S_NAMED;
      S_NAMED: next = S_NAME;
      default: ;
    endcase
    if (next_thread) next = last_thread && !(marking && !untracked) ? S_IDLE : in_load ? S_LOAD : S_SWITCH;
  end
  wire finish = !in_clear && !in_idle && next == S_IDLE;
  assign taken_o = (finish && !marking) || (begins && ended_o);
  assign marked_o = finish && marking;

  always @(posedge clk_i) begin
    state <= next;
    sweep <= &sweep ? sweep : sweep_next;
    was_busy <= busy_i;
    if (in_exec) look <= look_up;
    pushed <= in_push;
    if (in_push) fresh <= 1'b1;
    else if (pop || in_switch || (in_self && lost) || (in_find && marking)) fresh <= 1'b0;
    if (in_push || pop || in_switch || in_mark) credited <= entry;
    add_o <= ready && !lost;
    lose_o <= ready && lost;
    if (in_exec || in_close || in_name) begin
      up <= parent;
      id_q <= in_exec && skipping && leave ? id : cur_id;
      if (!pushed || trap) ctx_q <= in_exec && trap ? {1'b1, {(T - 3) {1'b0}}, trap_ctx} : ctx;
      outermost_q <= outermost;
      marker_q <= marker;
      here_q <= here;
      tally <= in_exec && skipping;
    end
    if (in_exec) bare <= 1'b0;
    if (in_no_frame) bare <= 1'b1;
    if (in_exec || in_close) found <= 1'b1;
    if (in_load) found <= !ending;
    if (in_self) found <= trap_leave ? marker_q : leave && here_q;

    if (in_push) node <= free;
    if (pop || in_named) node <= up;
    if (in_load) node <= known ? parent : {{(F - T) {1'b0}}, thread};
    if (in_push) free <= parent;
    if (pop) free <= node;
    if (in_push) taken_frames <= taken_frames + {{F{1'b0}}, 1'b1};
    if (pop) taken_frames <= taken_frames - {{F{1'b0}}, 1'b1};
    if (in_push && trap) traps <= traps | lowest;
    if (pop && marker_q) traps <= traps & ~(8'd1 << ctx_q[2:0]);
    if (((in_push && !trap) || (in_no_frame && leave && fits)) && id > highest_o) highest_o <= id;
    depth <= pop || lands || in_load || in_close ? level : depth_next;
    if (deeper_than_ever) deepest <= depth;
    if (skip_more) skipping <= 1'b1;
    if (lands || (in_no_frame && !lost && ~|above)) skipping <= 1'b0;
    if (in_load) skipping <= known && outermost;

    if ((in_exec && (switch || ending)) || in_mark) begin
      if (!marking) untracked <= switch && |data_i[31:T];
      if (!marking || untracked) thread <= ending || marking ? {T{1'b0}} : data_i[T-1:0];
    end
    if (next_thread) thread <= thread_next;
    if (next_thread && last_thread && ending) ended_o <= 1'b1;

    // What the records get.
    if (ready) begin
      add_id_o <= id_q;
      add_caller_o <= marker_q || is_root ? UNPROFILED : cur_id;
      {add_lost_here_o, add_self_o} <= self;
      {add_lost_o, add_cycles_o} <= acc;
      add_outermost_o <= outermost_q && !bare;
      add_call_o <= !is_root || bare;
      add_length_o <= !is_root && !bare;
      add_pair_o <= !(bare && tally);
      add_lost_calls_o <= lost_enters_i;
      add_repeats_o <= bare ? {REPEAT_BITS{1'b0}} : above[REPEAT_BITS-1:0];
    end
    if (in_self) self <= acc;

    if (hart_rst_i) begin
      state <= S_CLEAR;
      sweep <= {(R > F ? R : F + 1) {1'b0}};
      {add_o, lose_o} <= 2'b00;
      node <= {F{1'b0}};
      free <= FIRST_FREE;
      taken_frames <= {1'b0, FIRST_FREE};
      thread <= {T{1'b0}};
      untracked <= 1'b0;
      skipping <= 1'b0;
      {fresh, pushed, look} <= 3'b000;
      credited <= 48'd0;
      depth <= {LEVEL_BITS{1'b0}};
      deepest <= {LEVEL_BITS{1'b0}};
      traps <= 8'd0;
      highest_o <= {R{1'b0}};
      ended_o <= 1'b0;
    end
  end

  // ---- The depth ----
  wire deeper = in_push || repeat_more || skip_more;
  wire less = skip_less || repeat_less;
  assign depth_next = depth + {{(LEVEL_BITS - 1) {less}}, deeper || less};

  // ---- The cycles ----
  wire [47:0] elapsed = entry - credited;
  wire from_time = (in_exec && !lost) || in_close || in_mark;
  wire from_lost = lost && !in_total;
  wire negative = in_exec && lost;
  wire [47:0] other = from_lost ? lost_cycles_i ^ {48{negative}} : acc[47:0];
  assign sum = {word[48] || (from_lost ? lost_calls_i : acc[48] && !from_time), word[47:0] +
      (from_time ? elapsed : other) + {47'd0, negative}};
  // A sum of its own, or 0, follows, without the frame's cycles. A trap's cycles are not its caller's.
  wire apart = in_exec && (call || switch || ending || (skipping && !landing && !lost));
  always @(posedge clk_i) begin
    if (!in_total || ready) acc <= sum;
    if (in_clear || apart || repeat_less || in_mark || in_find || (in_named && marker_q)) acc <= 49'd0;
  end
  // The next word counts as zero.
  wire in_find_mark = in_find && marking;
  wire of_caller = (in_self || in_total) && !bare; // the caller's words and frame are read
  wire zero = in_clear || in_push || in_no_frame || in_mark || (in_self && (lost || bare || repeat_less)) ||
      apart || (fresh && !of_caller && !in_find_mark);
  wire [F-1:0] word_node = of_caller || in_named ? up : node;
  wire second = in_exec || in_close || in_self || in_name || (in_total && busy_i);
  wire write_word = in_clear || push || stops || (live && lost) || (in_self && lost) || (pop && !marker_q) ||
      (fresh && (in_push || in_switch || in_find_mark));
  wire [F-1:0] write_node = in_total ? up : node;
  wire write_second = !(in_exec || in_mark);

  // ---- The memories' ports ----
  wire write_level = in_clear || in_push || stops || repeat_more || repeat_less;
  wire write_frame = in_clear || in_push || stops || pop;
  wire [F:0] write_at = in_clear ? sweep[F:0] : in_exec || in_mark ? {1'b1, {(F - T) {1'b0}}, thread} :
      {1'b0, in_push ? free : node};
  wire [F:0] read_at = in_switch || in_load ? {1'b1, {(F - T) {1'b0}}, in_load ? thread_next : thread} :
      {1'b0, frame_at};
  reg [F-1:0] frame_at;
  always @* begin
    frame_at = node;
    if (in_exec && (!skipping || landing)) frame_at = call && !may_repeat ? free : parent;
    if (in_close) frame_at = parent;
    if (of_caller || in_named) frame_at = up;
  end
  wire toggle = (in_push && !trap && !is_open) || (pop && outermost_q && !marker_q);
  wire [OPEN_BITS-1:0] one = 1;
  always @(posedge clk_i) begin
    if (write_frame) frames[write_at] <= {
      in_clear ? sweep_next[F-1:0] : in_total ? free : node, in_clear ? UNPROFILED : id,
      in_clear ? {1'b0, sweep[T-1:0]} : ctx_q, in_clear || (in_push ? !is_open : skipping),
      !in_clear && (!in_push || trap)
    };
    frame <= frames[read_at];
    if (write_level) levels[write_at] <= depth_next;
    level <= levels[read_at];
    if (in_clear || toggle) opens[in_clear ? sweep[R-1:0] : in_push ? id : id_q] <= in_clear ? {OPEN_BITS{1'b0}} :
        open ^ one << ctx_q;
    open <= opens[in_self || in_total ? id_q : id];
    if (write_word) words[in_clear ? sweep[F:0] : {write_node, write_second}] <= sum;
    word_read <= words[{word_node, second}];
    blank <= zero;
  end

  wire is_event = call || leave || trap_leave;
  gnomon_record_counts u_counts (
    .clk_i(clk_i), .clear_i(in_clear), .sweep_i(sweep[3:0]),
    .count_i({repeat_more, deep, in_exec && untracked && is_event, astray, no_place, begins && is_event}),
    .deepest_i(deeper_than_ever), .arc_overflow_i(arc_overflow_i), .more_i(add_repeats_o),
    .busy_o(counting), .read_i(count_read_i), .which_i(count_which_i), .count_o(count_o)
  );

  // ---- The mark ----
  // The snapshot time is the time of the last entry, or later if no entry can be on its way: an event's entry has
  // arrived after SETTLED cycles, if no entry waits before it. Where time can stand still, now_i says nothing about
  // when an entry came.
  localparam [47:0] SETTLED = 48'd8;
  generate
    if (EPOCHS != 0) begin : g_epochs
      reg walks, restores, resting;
      reg passed; // an entry has been aggregated since the last mark
      reg [T-1:0] walker; // the running thread
      reg [3:0] waited;
      reg [47:0] last, snapshot, named_self;
      wire settled = waited[3] && !ended_o && steady_i;
      always @(posedge clk_i) begin
        waited <= !quiet_i ? 4'd0 : waited[3] ? waited : waited + 4'd1;
        if (taken_o && !lost) last <= time_i;
        if (taken_o && !lost) passed <= 1'b1;
        if (begin_o) begin
          if (settled || passed) snapshot <= settled ? now_i - SETTLED : last;
          passed <= 1'b0;
          walks <= 1'b1;
          restores <= 1'b0;
          resting <= untracked;
          walker <= thread;
        end
        if (marked_o) walks <= 1'b0;
        if (next_thread) resting <= 1'b1;
        if (next_thread && last_thread) restores <= 1'b1;
        if (in_name) named_self <= word[47:0];
        if (hart_rst_i) begin
          walks <= 1'b0;
          last <= 48'd0;
          passed <= 1'b1;
        end
      end
      assign {marking, restoring} = {walks, walks && restores};
      assign known_running = walks && !restores && !untracked && thread == walker;
      assign last_thread = walks && !resting ? 1'b0 : &thread;
      assign thread_next = walks && !resting ? {T{1'b0}} : walks && last_thread ? walker : thread_after;
      assign snapshot_time = snapshot;
      assign {open_o, open_number_o, open_context_o, open_outermost_o} = {in_named, id_q, ctx_q, outermost_q};
      assign {open_cycles_o, open_self_o} = {sum[47:0], named_self};
    end else begin : g_no_epochs
      wire unused = &{1'b0, mark_i, quiet_i, now_i, steady_i, SETTLED, marked_o, next_thread};
      assign {marking, restoring, known_running} = 3'd0;
      assign last_thread = &thread;
      assign thread_next = thread_after;
      assign snapshot_time = 48'd0;
      assign {open_o, open_number_o, open_context_o, open_outermost_o} = {(R + T + 3) {1'b0}};
      assign {open_cycles_o, open_self_o} = 96'd0;
    end
  endgenerate
  assign snapshot_time_o = snapshot_time;
endmodule

`default_nettype wire
