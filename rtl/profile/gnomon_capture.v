// SPDX-License-Identifier: Apache-2.0
// Admission to the trace FIFO, by the loss rule of docs/trace-format.md. Decides in the cycle of the event; never waits.
//
// What can coincide in one cycle: at most one event of the hart (see gnomon_sink) and one lock access on the bus. Both go
// into one entry, the hart's first (it is the older instruction). An event dropped writes no entry but the provisional
// LOST entry, so one write a cycle is always enough. A lock access in the very cycle of a dropped event is dropped with it.
//
// slack = free slots - what is reserved: for every open frame its exit and a LOST before it, for END the same, and one
// slot that keeps full and empty apart. It never goes below 0: that is the invariant behind "an exit is always taken".
`default_nettype none

module gnomon_capture #(
    parameter FIFO_LOG2  = 8,
    parameter WIDE       = 0,
    parameter LOCKS      = 0,
    parameter DEPTH_BITS = 16, // of the nesting inside a dropped subtree
    parameter WIDTH      = 96  // ENTRY_BITS
) (
    input wire clk_i,
    input wire hart_rst_i,

    input wire                 enable_i,     // trace on; clearing it in a run ends the run's trace
    input wire                 obs_valid_i,
    input wire          [31:0] obs_pc_i,
    input wire          [63:0] cycle_i,
    input wire                 event_i,
    input wire                 enter_i,
    input wire                 leave_i,
    input wire                 exit_i,
    input wire          [ 3:0] type_i,
    input wire          [15:0] number_i,
    input wire          [31:0] data_i,
    input wire                 lock_i,
    input wire          [33:0] lock_data_i,

    output wire       running_o,    // between BEGIN (that cycle included) and END (that cycle included)
    output wire       dropping_o,
    output wire [1:0] produced_o,   // events of this cycle, and those of them that were dropped
    output wire [1:0] lost_o,

    output wire             fifo_write_o,
    output wire             fifo_behind_o,
    output wire             fifo_commit_o,
    output wire             fifo_hold_o,
    output wire [WIDTH-1:0] fifo_data_o,
    input  wire             fifo_provisional_i,
    input  wire             fifo_empty_i,
    input  wire             fifo_pop_i
`ifdef FORMAL
    ,
    input wire [FIFO_LOG2-1:0] f_used_i,
    input wire [          1:0] f_phase_i
`endif
);
`include "gnomon_trace_entry.vh"
  localparam CALL_BITS = 8 * CALL_BYTES;
  localparam OTHER_BITS = 8 * OTHER_BYTES;
  localparam LOST_BITS = CYCLES_BITS;
  localparam [1:0] HOW_EXIT = 2'd0, HOW_HOST = 2'd1, HOW_OVERFLOW = 2'd2;
  localparam S = FIFO_LOG2 + 1;
  localparam [S-1:0] SLACK_RESET = (1 << FIFO_LOG2) - 3;

  reg started, running, dropping, end_lost, end_commit;
  reg [S-1:0] slack;
  reg [FIFO_LOG2-1:0] open;
  reg [DEPTH_BITS-1:0] depth; // open frames of the dropped subtree, less one
  reg [CALL_BITS-1:0] lost_enters, lost_exits;
  reg [OTHER_BITS-1:0] lost_others;
  reg [LOST_BITS-1:0] lost_cycles;

  // What happens in this cycle: one of begin, end, the hart's event, a lock access alone, nothing.
  wire overflow = lost_enters[CALL_BITS-1] || lost_exits[CALL_BITS-1] || lost_others[OTHER_BITS-1] || lost_cycles[LOST_BITS-1];
  wire begin_now = obs_valid_i && !started && enable_i;
  wire end_now = running && (exit_i || !enable_i || overflow);
  wire [1:0] how = exit_i ? HOW_EXIT : !enable_i ? HOW_HOST : HOW_OVERFLOW;
  wire hart_event = running && !end_now && event_i;
  wire lock_event = running && !end_now && lock_i;
  wire any_event = hart_event || lock_event;
  wire enter = hart_event && enter_i;
  wire leave = hart_event && leave_i;

  // Admission. The thresholds do not look whether a LOST is due: one slot is given away for a shorter path.
  wire room_enter = |slack[S-1:2]; // LOST, the entry, its exit, a LOST before that
  wire room_other = |slack[S-1:1]; // LOST, the entry
  wire reserved = leave && |open;
  // The FIFO is empty and still there is no room: forget what is open.
  wire forget = enter && !dropping && !room_enter && fifo_empty_i;
  wire room = enter ? room_enter || fifo_empty_i : reserved || room_other;
  wire admit = any_event && !dropping && room;
  wire drop = any_event && !admit;
  wire start = drop && enter && !dropping;
  wire finish = dropping && leave && depth == {DEPTH_BITS{1'b0}};
  wire still_dropping = (dropping || start) && !finish;

  // Long before the counters overflow, their LOST is sent, if there is room.
  wire high = lost_enters[CALL_BITS-2] || lost_exits[CALL_BITS-2] || lost_others[OTHER_BITS-2] || lost_cycles[LOST_BITS-2];
  wire flush = running && !end_now && !any_event && high && room_other;

  // END: the entry goes behind the provisional LOST; that is written once more, for the cycles since the last drop.
  wire end_alone = end_now && !fifo_provisional_i;
  wire append = begin_now || admit || end_now;
  wire commit = begin_now || admit || end_alone || flush || end_lost || end_commit;
  wire lost_sent = begin_now || admit || flush;

  assign fifo_write_o = append || drop || flush || end_lost;
  assign fifo_behind_o = append;
  assign fifo_commit_o = commit;
  assign fifo_hold_o = flush && dropping;

  wire [3:0] lost_type = !(drop && hart_event) ? TYPE_LOST : enter ? TYPE_LOST_ENTER : leave ? TYPE_LOST_EXIT : TYPE_LOST_OTHER;
  wire [3:0] event_type = begin_now ? TYPE_BEGIN : end_now ? TYPE_END : event_i ? type_i : TYPE_NONE;
  wire [3:0] entry_type = append ? event_type : lost_type;
  wire [15:0] entry_number = end_now ? {14'd0, how} : number_i;
  // In narrow entries BEGIN has no address, which would take a register all through the core for this one record.
  wire [31:0] entry_data = WIDE != 0 && begin_now ? obs_pc_i : data_i;
  // BEGIN stands for cycle 0, whenever the first instruction retired.
  wire [TIME_BITS-1:0] entry_time = begin_now ? {TIME_BITS{1'b0}} : cycle_i[TIME_BITS-1:0];
  // A lock access dropped in this cycle is counted at once, for the entry's type can say only one more.
  wire [OTHER_BITS-1:0] others = lost_others + {{(OTHER_BITS - 1) {1'b0}}, LOCKS != 0 && drop && lock_event};
  wire [TYPE_AT-1:0] event_entry, lost_entry;
  assign event_entry[8*TIME_AT+TIME_BITS-1:0] = {entry_time, entry_data, entry_number};
  assign lost_entry = {lost_cycles, others, lost_exits, lost_enters};
  assign fifo_data_o[TYPE_AT+3:0] = {entry_type, append ? event_entry : lost_entry};
  generate
    if (WIDE != 0) begin : g_wide
      assign event_entry[TYPE_AT-1:8*TIME_AT+TIME_BITS] = {(TYPE_AT - 8 * TIME_AT - TIME_BITS) {1'b0}};
    end else begin : g_narrow
      wire unused_cycle = &{1'b0, cycle_i[63:TIME_BITS]};
    end
    if (LOCKS != 0) begin : g_lock
      assign fifo_data_o[TYPE_AT+4+:35] = {lock_data_i, lock_event && admit};
    end else begin : g_no_lock
      wire unused_lock = &{1'b0, lock_data_i};
    end
  endgenerate

  assign running_o = running || begin_now;
  assign dropping_o = dropping;
  assign produced_o = {hart_event && lock_event, hart_event ^ lock_event};
  assign lost_o = produced_o & {2{drop}};

  // slack: entries written, reservations made and given back.
  reg [S-1:0] change;
  always @* begin
    change = {S{1'b0}};
    if (begin_now || flush) change = {S{1'b1}};
    else if (admit) begin
      change = enter ? -3 : reserved ? 1 : -1;
      if (fifo_provisional_i) change = change - 1;
    end
  end

  always @(posedge clk_i) begin
    if (hart_rst_i) begin
      started <= 1'b0;
      running <= 1'b0;
      dropping <= 1'b0;
      end_lost <= 1'b0;
      end_commit <= 1'b0;
      slack <= SLACK_RESET;
      open <= {FIFO_LOG2{1'b0}};
    end else begin
      if (obs_valid_i) started <= 1'b1;
      running <= running_o && !end_now;
      dropping <= still_dropping && !end_now;
      end_lost <= end_now && fifo_provisional_i;
      end_commit <= end_lost;
      slack <= (forget ? SLACK_RESET : slack) + change + {{(S - 1) {1'b0}}, fifo_pop_i};
      if (admit && enter) open <= forget ? {{(FIFO_LOG2 - 1) {1'b0}}, 1'b1} : open + 1'b1;
      else if (admit && reserved) open <= open - 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (start || hart_rst_i) depth <= {DEPTH_BITS{1'b0}};
    else if (dropping && (enter || leave)) depth <= depth + {{(DEPTH_BITS - 1) {leave}}, 1'b1};
  end

  // The counters hold what was dropped before this cycle; what is dropped now is in the type and the lock flag.
  always @(posedge clk_i) begin
    if (hart_rst_i || lost_sent) begin
      lost_enters <= {CALL_BITS{1'b0}};
      lost_exits <= {CALL_BITS{1'b0}};
      lost_others <= {OTHER_BITS{1'b0}};
      lost_cycles <= {{(LOST_BITS - 1) {1'b0}}, dropping && !hart_rst_i};
    end else begin
      lost_enters <= lost_enters + {{(CALL_BITS - 1) {1'b0}}, drop && enter};
      lost_exits <= lost_exits + {{(CALL_BITS - 1) {1'b0}}, drop && leave};
      if (drop) lost_others <= lost_others + {{(OTHER_BITS - 2) {1'b0}},
          {1'b0, hart_event && !enter && !leave} + {1'b0, lock_event}};
      lost_cycles <= lost_cycles + {{(LOST_BITS - 1) {1'b0}}, still_dropping && !end_now};
    end
  end

`ifdef FORMAL
  // The ledger of slack: every slot is committed, reserved, or counted in slack; so an exit of an open frame always finds room.
  reg f_reset = 1'b1;
  wire [S-1:0] f_reserved = {open, 1'b0};
  wire [S+1:0] f_ledger = {2'b00, slack} + {2'b00, f_reserved} + {3'b000, f_used_i};
  wire f_ending = started && !running;
  always @(posedge clk_i) begin
    f_reset <= 1'b0;
    if (f_reset) assume (hart_rst_i);
    else begin
      assert (!running || started);
      assert (end_lost == (f_phase_i == 2'd1) && end_commit == (f_phase_i == 2'd2));
      assert (!(end_lost || end_commit) || f_ending);
      // After END the room that was reserved for it is used up, in the worst case.
      if (f_ending) assert ({2'b00, f_used_i} + (end_lost ? 2 : end_commit ? 1 : 0) < (1 << FIFO_LOG2));
      else assert (f_ledger == SLACK_RESET);
      if (!started) assert (f_used_i == 0 && open == 0 && !dropping && !fifo_provisional_i);
      if (dropping) assert (running && fifo_provisional_i);
      if (!hart_rst_i) begin
        // An exit of an admitted frame is dropped with its subtree only, never alone.
        if (running && !end_now && leave && |open && !dropping) assert (admit);
        // Every event is admitted or counted as lost; what is counted is announced by a LOST entry.
        if (any_event) assert (admit != drop);
      end
      if (running && (|lost_enters || |lost_exits || |lost_others)) assert (fifo_provisional_i);
    end
  end
`endif
endmodule

`default_nettype wire
