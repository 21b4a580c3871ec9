// SPDX-License-Identifier: Apache-2.0
// Admission to the trace FIFO, by the loss rule of docs/reference/trace-format.md. The decision comes in the cycle of
// the event and never waits.
//
// At most one event of the hart (see gnomon_event_decoder) and one lock access on the bus come in one cycle. Both go
// into one entry, the event of the hart first, because its instruction is older. A dropped event writes no entry except
// the provisional LOST entry, so one write a cycle is always enough. A lock access in the cycle of a dropped event is
// dropped, too.
//
// longjmp leaves frames whose exits never come. At its landing, the message LANDED ends a subtree that is being
// dropped, and frees the reservations as soon as the FIFO is empty. (Only with LANDINGS.)
//
// slack = free slots - reserved slots. Reserved are, for every open frame, its exit and a LOST before it; for END the
// same; and one slot that distinguishes full from empty. slack never goes below 0. This invariant guarantees that an
// exit is always admitted.
//
// If the reader keeps up with all events (keeps_up_i, in a simulation without a cable: docs/guide/sim.md), exits need
// no reservation. Then the capture discards the reservations of open frames before slack is used up.
`default_nettype none

module gnomon_capture #(
  parameter FIFO_LOG2  = 8,
  parameter WIDE       = 0,
  parameter LOCKS      = 0,
  parameter LOCK_DATA  = 0,
  parameter TRAFFIC    = 0,
  parameter BUS_WIDTH  = 34, // BUS_BITS
  parameter LOCK_WORDS = 0,  // 1: accesses of lock words are events of the hart, and bus messages in the count
  parameter TIMED      = 0,  // 1: cycle_i may stand still or jump
  parameter NUMBER_BITS = 16,
  parameter LANDINGS   = 1,  // 1: heeds the landings of longjmp
  parameter DEPTH_BITS = 16, // bits of the nesting depth inside a dropped subtree
  parameter SIMULATED  = 0,  // 1: skips writes that do not change a register; this costs logic
  parameter WIDTH      = 96  // ENTRY_BITS
) (
  input  wire             clk_i, hart_rst_i,

  input  wire             enable_i,  // the trace is on; 0 during a run ends the run's trace
  input  wire             obs_valid_i,
  input  wire [31:0]      obs_pc_i,
  input  wire [63:0]      cycle_i,
  input  wire [63:0]      before_i,  // with TIMED: cycle_i of the previous cycle; equals cycle_i in the cycle of exit_i
  input  wire             event_i, enter_i, leave_i, exit_i,
  input  wire [3:0]       type_i,
  input  wire [NUMBER_BITS-1:0] number_i,
  input  wire [31:0]      data_i,
  input  wire             lock_i,
  input  wire [BUS_WIDTH-1:0] lock_data_i,

  output wire             running_o,   // from BEGIN to END, both cycles included
  output wire             dropping_o,
  output wire [1:0]       produced_o,  // events of this cycle; lost_o: dropped events of this cycle
  output wire [1:0]       lost_o,

  output wire             fifo_write_o, fifo_behind_o, fifo_commit_o,
  output wire [WIDTH-1:0] fifo_data_o,
  input  wire             fifo_empty_i,
  input  wire             fifo_few_i,  // the FIFO has fewer than 8 entries
  input  wire             keeps_up_i,  // only with SIMULATED
  input  wire             fifo_pop_i
`ifdef FORMAL
  ,
  input  wire [FIFO_LOG2-1:0] f_used_i
`endif
);
`include "gnomon_trace_entry.vh"
  localparam CALL_BITS = 8 * CALL_BYTES;
  localparam OTHER_BITS = 8 * OTHER_BYTES;
  localparam EXITS_AT = CALL_BITS, OTHERS_AT = 2 * CALL_BITS, CYCLES_AT = OTHERS_AT + OTHER_BITS;
  localparam [1:0] HOW_EXIT = 2'd0, HOW_HOST = 2'd1, HOW_OVERFLOW = 2'd2;
  localparam S = FIFO_LOG2 + 1;
  localparam [S-1:0] SLACK_RESET = (1 << FIFO_LOG2) - 3;

  reg started, running, dropping;
  reg left; // a landing came since the reservations were discarded
  reg provisional; // the slot in front of the next entry has a LOST entry
  reg [S-1:0] slack;
  reg [FIFO_LOG2-1:0] open;
  reg [DEPTH_BITS-1:0] depth; // open frames of the dropped subtree, minus 1

  // The entry, written one cycle after the decision. Without an event it holds the counters of dropped events.
  reg [TYPE_AT-1:0] word;
  reg [3:0] word_type;
  reg counting; // word holds counters
  reg write, behind, commit;

  // One of these happens in a cycle: begin, end, the hart's event, a lock access alone, nothing.
  wire overflow = counting && (word[EXITS_AT-1] || word[OTHERS_AT-1] || word[CYCLES_AT-1] || word[TYPE_AT-1]);
  wire begin_now = obs_valid_i && !started && enable_i;
  wire end_now = running && (exit_i || !enable_i || overflow);
  wire [1:0] how = exit_i ? HOW_EXIT : !enable_i ? HOW_HOST : HOW_OVERFLOW;
  wire hart_event = running && !end_now && event_i;
  wire lock_event = running && !end_now && lock_i;
  wire any_event = hart_event || lock_event;
  wire enter = hart_event && enter_i;
  wire leave = hart_event && leave_i;
  wire landing = LANDINGS != 0 && hart_event && type_i == TYPE_CHANNEL && number_i == CHANNEL_LANDED;

  // Admission. The thresholds ignore whether a LOST is due: this wastes one slot and shortens the path.
  wire room_enter = |slack[S-1:2]; // LOST, the entry, its exit, a LOST before the exit
  wire room_other = |slack[S-1:1]; // LOST, the entry
  wire reserved = leave && |open;
  wire empty = fifo_empty_i && !commit;
  // The FIFO is empty and has no room, or longjmp has left some of the open frames: discards the reservations.
  wire forget = enter && !dropping && (!room_enter || left) && empty;
  wire room = enter ? room_enter || empty : reserved || room_other;
  // A landing right after a LOST that was sent in the middle of a subtree is dropped, because the slot of the next LOST
  // is already taken.
  wire resume = dropping && landing && room && !commit;
  wire admit = (any_event && !dropping && room) || resume;
  wire drop = any_event && !admit;
  wire start = drop && enter && !dropping;
  wire [DEPTH_BITS:0] depth_next = {1'b0, depth} + {1'b0, {(DEPTH_BITS - 1) {leave}}, 1'b1};
  wire finish = dropping && leave && !depth_next[DEPTH_BITS]; // no carry: depth was 0
  wire still_dropping = (dropping || start) && !finish && !resume;

  // The LOST entry is sent long before its counters overflow, if there is room.
  wire high = counting && (word[EXITS_AT-2] || word[OTHERS_AT-2] || word[CYCLES_AT-2] || word[TYPE_AT-2]);
  wire flush = running && !end_now && !any_event && high && room_other;

  // Nothing happens in reset. The term is here so that an AND ends the expression: its output needs no inverter in
  // front of the carry chains.
  wire append = !hart_rst_i && (begin_now || admit || end_now);

  // In the cycle of the decision for END or for a landing, the provisional LOST is written again, with the cycles since
  // the last drop.
  assign fifo_write_o = write || ((end_now || resume) && provisional);
  assign fifo_behind_o = behind;
  assign fifo_commit_o = commit;

  wire [3:0] event_type = begin_now ? TYPE_BEGIN : end_now ? TYPE_END : LOCKS != 0 && !event_i ? TYPE_NONE : type_i;
  wire [15:0] entry_number = {number_i[15:2], end_now ? how : number_i[1:0]};
  // Narrow entries have no address in BEGIN: it would take a register throughout the core for this one packet.
  wire [31:0] entry_data = WIDE != 0 && begin_now ? obs_pc_i : data_i;
  wire [TYPE_AT-1:0] event_entry;
  assign event_entry[8*TIME_AT+TIME_BITS-1:0] = {entry_cycle[TIME_BITS-1:0], entry_data, entry_number};

  // A logic cell of the iCE40 holds a counter's bit and the selection of the event's bit only if the selection enters
  // the carry chain as the second addend. The carry into each chain is the count of dropped events.
  wire enter_dropped = drop && enter;
  wire exit_dropped = drop && leave;
  wire other_dropped = drop && hart_event && !enter && !leave;
  wire lock_dropped = LOCKS != 0 && drop && lock_event;
  wire fresh = !append && !counting; // counting starts
  wire counts = drop || dropping;
  wire changes = SIMULATED == 0 || append || fresh || counts;
  reg [CALL_BITS:0] enters, exits;
  reg [OTHER_BITS:0] others;
  reg [CYCLES_BITS:0] cycles;
  always @* begin
    {enters, exits} = {(2 * CALL_BITS + 2) {1'b0}};
    others = {(OTHER_BITS + 1) {1'b0}};
    cycles = {(CYCLES_BITS + 1) {1'b0}};
    if (changes) begin
      enters = {word[0+:CALL_BITS], 1'b1} + {{CALL_BITS{append}}, enter_dropped};
      exits = {word[EXITS_AT+:CALL_BITS], 1'b1} + {{CALL_BITS{append}}, exit_dropped};
      others = {word[OTHERS_AT+:OTHER_BITS], 1'b1} + {{OTHER_BITS{append}}, other_dropped};
      if (TIMED != 0) cycles = {word[CYCLES_AT+:CYCLES_BITS] + passed, 1'b0};
      else cycles = {word[CYCLES_AT+:CYCLES_BITS], 1'b1} + {{CYCLES_BITS{append}}, still_dropping};
    end
  end
  wire [OTHER_BITS-1:0] all_others = others[OTHER_BITS:1] + {{(OTHER_BITS - 1) {1'b0}}, lock_dropped};
  wire unused_first = &{1'b0, enters[0], exits[0], others[0], cycles[0]};

  always @(posedge clk_i) begin
    if (changes) begin
      word <= append ? event_entry : {cycles[CYCLES_BITS:1], all_others, exits[CALL_BITS:1], enters[CALL_BITS:1]};
      if (fresh || end_now) word[15:2] <= 14'd0;
      if (fresh || (end_now && !exit_i)) word[8*DATA_AT+:32] <= 32'd0;
      // BEGIN stands for cycle 0, no matter when the first instruction retired.
      if (fresh || begin_now) word[TYPE_AT-1:8*TIME_AT] <= {(TYPE_AT - 8 * TIME_AT) {1'b0}};
      if (fresh) begin
        word[1:0] <= {1'b0, enter_dropped};
        word[EXITS_AT] <= exit_dropped;
        word[OTHERS_AT+:2] <= {1'b0, other_dropped} + {1'b0, lock_dropped};
        word[CYCLES_AT] <= still_dropping;
        if (TIMED != 0) word[CYCLES_AT+:CYCLES_BITS] <= passed;
      end
      word_type <= append ? event_type : TYPE_LOST;
    end
    counting <= !append && !flush && !hart_rst_i;
  end

  // Cycles in a dropped subtree: from this cycle up to the next one. With TIMED: the cycles since the previous one, and
  // END gets the time of the previous one.
  wire [63:0] entry_cycle;
  wire [CYCLES_BITS-1:0] passed, cycles_out;
  assign fifo_data_o[TYPE_AT+3:0] = {word_type, cycles_out, word[CYCLES_AT-1:0]};
  generate
    if (TIMED != 0) begin : g_timed
      wire [CYCLES_BITS-1:0] since = cycle_i[CYCLES_BITS-1:0] - before_i[CYCLES_BITS-1:0];
      assign passed = since & {CYCLES_BITS{dropping}};
      assign entry_cycle = end_now ? before_i : cycle_i;
      assign cycles_out = resume ? cycles[CYCLES_BITS:1] : word[CYCLES_AT+:CYCLES_BITS];
    end else begin : g_even
      assign passed = {CYCLES_BITS{1'b0}};
      assign entry_cycle = cycle_i;
      assign cycles_out = word[CYCLES_AT+:CYCLES_BITS];
      wire unused_before = &{1'b0, before_i};
    end
  endgenerate
  generate
    if (WIDE != 0) begin : g_wide
      wire [TYPE_AT-8*HIGH_AT+15:0] number = {{(TYPE_AT - 8 * HIGH_AT + 16 - NUMBER_BITS) {1'b0}}, number_i};
      if (TRAFFIC != 0) assign event_entry[EXTRA_AT+:7] = lock_data_i[BUS_WIDTH-1-:7];
      else assign event_entry[TYPE_AT-1-:7] = number[TYPE_AT-8*HIGH_AT+15-:7];
      assign event_entry[TYPE_AT-8:8*HIGH_AT] = number[TYPE_AT-8*HIGH_AT+8:16];
      wire unused_low = &{1'b0, number[TYPE_AT-8*HIGH_AT+15-:7], number[15:0]};
    end else begin : g_narrow
      wire unused_cycle = &{1'b0, entry_cycle[63:TIME_BITS]};
    end
    if (LOCKS != 0) begin : g_lock
      reg [34:0] lock;
      always @(posedge clk_i) begin
        if (SIMULATED == 0 || lock_event) lock[34:1] <= lock_data_i[33:0];
        lock[0] <= lock_event && admit;
      end
      assign fifo_data_o[TYPE_AT+4+:35] = lock;
      if (TRAFFIC != 0 && WIDE == 0) begin : g_extra
        reg [6:0] extra;
        always @(posedge clk_i) if (SIMULATED == 0 || lock_event) extra <= lock_data_i[BUS_WIDTH-1-:7];
        assign fifo_data_o[EXTRA_AT+:7] = extra;
      end
      if (LOCK_DATA != 0) begin : g_data
        reg [31:0] made; // bus messages since BEGIN, dropped ones included
        reg [31:0] value;
        wire word_event = LOCK_WORDS != 0 && hart_event && type_i == TYPE_WORD;
        wire [1:0] messages = {word_event && lock_event, word_event ^ lock_event};
        wire [31:0] made_next = made + {30'd0, messages};
        always @(posedge clk_i) begin
          made <= made_next & {32{!hart_rst_i}};
          value <= lock_event && admit ? lock_data_i[65:34] : made_next;
        end
        assign fifo_data_o[VALUE_AT+:32] = value;
`ifdef FORMAL
        // An entry without an access has the number of accesses before it: of LOST and END, those that were dropped and
        // those in earlier entries.
        reg [31:0] f_admitted, f_dropped;
        always @(posedge clk_i) begin
          f_admitted <= hart_rst_i ? 32'd0 : f_admitted + ({30'd0, messages} & {32{admit}});
          f_dropped <= hart_rst_i ? 32'd0 : f_dropped + ({30'd0, messages} & {32{drop}});
          if (!f_reset) assert (made == f_admitted + f_dropped);
          if (!f_reset && started && !lock[0]) assert (value == f_admitted + f_dropped);
        end
`endif
      end
    end else begin : g_no_lock
      wire unused_lock = &{1'b0, lock_data_i};
    end
  endgenerate

  assign running_o = running || begin_now;
  assign dropping_o = dropping;
  assign produced_o = {hart_event && lock_event, hart_event ^ lock_event};
  assign lost_o = produced_o & {2{drop}};

  // Change of slack: entries written, reservations made and freed; without the reader's pop.
  wire [2:0] change = admit ? {!reserved, !enter && !reserved, 1'b1} - {2'd0, provisional} : // -3, 1, -1
      {3{begin_now || flush}};
  wire [S:0] slack_next = {slack, 1'b1} + {{(S - 3) {change[2]}}, change, fifo_pop_i};
  wire unused_carry = slack_next[0];

  // The 16 slots left out: fewer than 8 entries in the FIFO, entries on their way into it, and this cycle's event.
  wire renew = SIMULATED != 0 && FIFO_LOG2 > 5 && keeps_up_i && fifo_few_i && !(|(slack >> 5));
  localparam [S-1:0] SLACK_RENEWED = SLACK_RESET - 16;

  wire happens = begin_now || end_now || any_event || flush;
  always @(posedge clk_i) begin
    if (hart_rst_i) begin
      started <= 1'b0;
      running <= 1'b0;
      dropping <= 1'b0;
      provisional <= 1'b0;
      write <= 1'b0;
      behind <= 1'b0;
      commit <= 1'b0;
      left <= 1'b0;
      slack <= SLACK_RESET;
      open <= {FIFO_LOG2{1'b0}};
    end else begin
      if (obs_valid_i) started <= 1'b1;
      if (SIMULATED == 0 || happens || write) begin
        running <= running_o && !end_now;
        dropping <= still_dropping && !end_now;
        // A LOST sent in the middle of a subtree takes the next slot at once; an END right after it needs no slot for a
        // LOST.
        provisional <= (flush && dropping) || (!append && !flush && (provisional || drop));
        write <= append || drop || flush;
        behind <= append && provisional && !(write && commit);
        commit <= append || flush;
        left <= (left || (admit && landing)) && !forget;
      end
      if (SIMULATED == 0 || admit || begin_now || flush || fifo_pop_i) slack <= slack_next[S:1];
      if (admit && (enter || reserved)) open <= open + {{(FIFO_LOG2 - 1) {!enter}}, 1'b1};
      // The FIFO is empty, so the reader takes nothing in this cycle.
      if (forget) begin
        slack <= SLACK_RESET - (provisional ? 4 : 3);
        open <= {{(FIFO_LOG2 - 1) {1'b0}}, 1'b1};
      end
      if (renew) begin
        slack <= SLACK_RENEWED;
        open <= {{(FIFO_LOG2 - 1) {1'b0}}, admit && enter};
      end
    end
  end

  always @(posedge clk_i) begin
    if (start || hart_rst_i) depth <= {DEPTH_BITS{1'b0}};
    else if (dropping && (enter || leave)) depth <= depth_next[DEPTH_BITS-1:0];
  end

`ifdef FORMAL
  // The ledger of slack: every slot is committed, reserved, or counted in slack. So an exit of an open frame always
  // finds room.
  reg f_reset = 1'b1;
  wire [S-1:0] f_reserved = {open, 1'b0};
  wire [S-1:0] f_used = {1'b0, f_used_i} + (commit ? (behind ? 2 : 1) : 0);
  wire [S+1:0] f_ledger = {2'b00, slack} + {2'b00, f_reserved} + {2'b00, f_used};
  wire f_ending = started && !running;
  always @(posedge clk_i) begin
    f_reset <= 1'b0;
    if (f_reset) assume (hart_rst_i);
    else begin
      assert (!running || started);
      // After END its reservation is used up, in the worst case.
      if (f_ending) assert (f_used < (1 << FIFO_LOG2) && (!write || commit));
      else assert (SIMULATED != 0 && started ? f_ledger <= SLACK_RESET : f_ledger == SLACK_RESET);
      if (!started) assert (f_used == 0 && open == 0 && !dropping && !provisional && !write);
      if (f_ending) assert (!provisional);
      if (dropping) assert (running && provisional);
      if (behind) assert (commit);
      if (commit) assert (write);
      if (!hart_rst_i) begin
        // An exit of an admitted frame is dropped only with its subtree.
        if (running && !end_now && leave && |open && !dropping) assert (admit);
        // Every event is admitted or counted as lost; a LOST entry announces the counts.
        if (any_event) assert (admit != drop);
      end
      if (running && counting && |word[CYCLES_AT-1:0]) assert (provisional);
      // Registers that SIMULATED does not write keep their value.
      if (!happens && !write) assert (!append && !drop && !flush && running_o == running && still_dropping == dropping);
      if (SIMULATED == 0 && !append && !fresh && !counts) begin
        assert ({cycles[CYCLES_BITS:1], all_others, exits[CALL_BITS:1], enters[CALL_BITS:1]} == word &&
            word_type == TYPE_LOST);
      end
      if (!admit && !begin_now && !flush && !fifo_pop_i) assert (slack_next[S:1] == slack);
    end
  end
`endif
endmodule

`default_nettype wire
