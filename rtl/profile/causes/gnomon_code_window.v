// SPDX-License-Identifier: Apache-2.0
// Counts the cycles of a code window by instruction and stall cause: one counter for each parcel (16 bits) of the
// window and each of 16 causes. Cause 0 is RETIRED. An instruction has one RETIRED cycle for each execution, so these
// counters also give the execution count of each instruction.
//
// The next instruction to retire pays for a cycle (docs/internals/observation.md). Until it retires, its cycles wait in
// a list of runs (cause, length). A group of the list is an instruction's runs, and before them a word for the payer.
// That word is reserved when the group begins, and written when the instruction retires; so the list is one block RAM
// with one write and one read a cycle. At most one word enters the list in a cycle, and one leaves it in each cycle
// after the payer is known, with one read and one write of the table. So the list never has more than twice the number
// of runs that one instruction can wait for. OVERFLOW counts the cycles that the list had no room for. At all times:
// table + outside + overflow + unattributed + waiting cycles = counted cycles.
`default_nettype none

module gnomon_code_window #(
  parameter PARCELS_LOG2 = 10,
  parameter QUEUE_LOG2 = 7, // log2 of the list's words; a block RAM has 512
  parameter LENGTH = 31,    // bits of a run's length, 6 to 31; a run of half of the largest is split
  parameter WIDTH = 48      // bits of the totals
) (
  input  wire             clk_i,
  input  wire             hart_rst_i,  // clears everything; the table takes one counter a cycle, until ready_o

  input  wire [31:1]      base_i,  // first address of the code window; changes only in the hart's reset

  input  wire             count_i,    // this cycle belongs to the profiled run; the run ends when count_i falls
  input  wire             retired_i,  // an instruction retires in this cycle; then cause_i is 0
  input  wire             unpaid_i,   // no instruction pays for this cycle
  input  wire [3:0]       cause_i,
  input  wire [31:1]      pc_i,

  // Reads of the table and of the totals. The list stands still in this cycle. While unpaid_i, at most 15 reads
  // follow each other without a pause: then no instruction reads.
  input  wire             show_i, tell_i,
  input  wire [PARCELS_LOG2+3:0] show_at_i,
  input  wire [2:0]       tell_at_i,  // OUTSIDE, OVERFLOW or UNATTRIBUTED, below
  output wire [31:0]      shown_o,    // one cycle after show_i; 0 without show_i
  output wire [WIDTH-1:0] told_o,     // one cycle after tell_i

  // the table is cleared; without ready_o the table counts nothing until the next reset
  output reg              ready_o,
  output wire             idle_o,      // no cycle waits
  output reg              saturated_o  // a counter of the table has saturated
);
  localparam CELL_BITS = PARCELS_LOG2 + 4;
  // Where cycles go, by number: the table, or a total. UNATTRIBUTED has the cycles of debug mode and reset, and those
  // that waited when the run ended. The numbers are bits 5:3 of the totals' registers.
  localparam [2:0] TABLE = 3'd0, OUTSIDE = 3'd2, OVERFLOW = 3'd3, UNATTRIBUTED = 3'd4;

  // ---- The open run, and the payer that goes into the list in this cycle ----
  // lost: the list had no room for the run. Then the run also takes the cycles that follow, until there is room.
  reg open, lost, paying;
  reg [3:0] run_cause;
  reg [LENGTH-1:0] run_length; // less 1
  reg [2:0] pay_place;
  reg [PARCELS_LOG2-1:0] pay_index;
  // The list: `head` is the next word to leave. At `start` is the place of the open group's payer, if it is `reserved`.
  // The words before `start` have a payer. `grouped`: the open group has runs.
  reg [QUEUE_LOG2:0] head, start, next;
  reg reserved, grouped;
  wire full = (next ^ head) == {1'b1, {QUEUE_LOG2{1'b0}}};
  wire reserves = (reserved && !paying) || !full; // there is a place for a payer in the next cycle

  wire paid = count_i && !unpaid_i, stall = paid && !retired_i;
  wire longer = stall && !lost && run_cause == cause_i && !run_length[LENGTH-1];
  wire closes = lost || !count_i || (paid && !longer);
  wire push = open && closes && reserved && !paying && !full;
  wire stays = open && !push;
  // A retirement without a place, or in an empty group while a lost run waits for the next place.
  wire retires = paid && retired_i;
  wire missed = retires && (!reserves || (stays && lost && (!grouped || paying)));
  // If the runs of one instruction fill the list, they leave it without a payer, before the lost run is too long.
  wire crowded = lost && open && grouped && run_length[LENGTH-1];
  wire pays = (retires && !missed) ||
      (reserved && !paying && !push && (crowded || (!count_i && (open || grouped))));
  wire [31:1] distance = pc_i - base_i;
  wire in_window = distance[31:PARCELS_LOG2+1] == 0;
  always @(posedge clk_i) begin
    open <= (open && !push) || stall || missed;
    lost <= stays ? lost || (paid && !longer) : missed;
    if ((stall || missed) && stays) run_length <= run_length + {{(LENGTH - 1) {1'b0}}, 1'b1};
    if (!stays) run_length <= {LENGTH{1'b0}};
    if (!stays) run_cause <= cause_i;
    paying <= pays;
    pay_place <= !count_i ? UNATTRIBUTED : !retires ? OVERFLOW : in_window ? TABLE : OUTSIDE;
    pay_index <= distance[PARCELS_LOG2:1];
    if (hart_rst_i) {open, paying} <= 2'b00;
  end

  // ---- The list ----
  localparam WORD = 36;
  (* no_rw_check, ram_style = "block" *) reg [WORD-1:0] list[0:(1<<QUEUE_LOG2)-1];
  reg [WORD-1:0] word;
  reg taken; // `word` waits
  wire blocked;
  wire take = taken && !blocked;
  wire fetch = (!taken || take) && head != start;
  wire [QUEUE_LOG2-1:0] write_at = paying ? start[QUEUE_LOG2-1:0] : next[QUEUE_LOG2-1:0];
  wire [WORD-1:0] run_word = {lost, {(31 - LENGTH) {1'b0}}, run_length, lost ? 4'd0 : run_cause};
  wire [WORD-1:0] payer_word = {1'b1, run_word[34:PARCELS_LOG2+8], pay_index, run_word[7], pay_place, 4'd1};
  always @(posedge clk_i) begin
    if (paying || push) list[write_at] <= paying ? payer_word : run_word;
    if (fetch) word <= list[head[QUEUE_LOG2-1:0]];
    taken <= fetch || (taken && !take);
    if (fetch) head <= head + 1'b1;
    if (paying) start <= next;
    if (push || (reserves && !(reserved && !paying))) next <= next + 1'b1;
    reserved <= reserves;
    grouped <= push || (grouped && !paying);
    if (hart_rst_i) begin
      head <= {(QUEUE_LOG2 + 1) {1'b0}};
      start <= {(QUEUE_LOG2 + 1) {1'b0}};
      next <= {{QUEUE_LOG2{1'b0}}, 1'b1};
      {taken, reserved, grouped} <= 3'b010;
    end
  end

  // Special words have bit 35: payers, and with cause 0 the lost runs.
  wire of_payer = word[35] && word[0];
  reg [2:0] last_place; // of the payer that was taken last
  reg [PARCELS_LOG2-1:0] last_index;
  wire [2:0] place = of_payer ? word[6:4] : word[35] ? OVERFLOW : last_place;
  wire [PARCELS_LOG2-1:0] index = of_payer ? word[8+:PARCELS_LOG2] : last_index;
  wire [3:0] cause = word[3:0] & {4{!of_payer}};
  wire no_instruction = of_payer && (word[6] || word[4]); // a payer that is no instruction
  always @(posedge clk_i) if (take && of_payer) {last_place, last_index} <= {place, index};

  // Cycles that no instruction pays for go to their total at once, except those in which a read is in the way.
  reg [3:0] owed;
  wire [4:0] due = {1'b0, owed} + {4'd0, count_i && unpaid_i};
  wire reads = show_i || tell_i;
  assign blocked = reads || |due;
  always @(posedge clk_i) owed <= due[3:0] & {4{reads && !hart_rst_i}};

  // ---- The table: a read, and one cycle later the write of the sum ----
  (* no_rw_check *) reg [31:0] cells[0:(1<<CELL_BITS)-1];
  reg [31:0] found, latest;
  reg add, again, showing; // again: the previous cycle wrote the counter that was read, with `latest`
  reg [CELL_BITS-1:0] add_at, clear_at;
  reg [30:0] add_length; // less 1
  reg clearing, was_reset;
  initial was_reset = 1'b0;
  wire [CELL_BITS-1:0] read_at = show_i ? show_at_i : {index, cause};
  wire [31:0] present = again ? latest : found;
  wire [33:0] sum = {1'b0, present, 1'b1} + {2'd0, add_length, 1'b1}; // the last bit carries 1 in
  wire [31:0] more = sum[32:1] | {32{sum[33]}};
  wire write = add || clearing;
  always @(posedge clk_i) begin
    if (write) cells[clearing ? clear_at : add_at] <= more & {32{!clearing}};
    found <= cells[read_at];
    latest <= more;
    again <= add && add_at == read_at;
    showing <= show_i;
    add <= take && place == TABLE && ready_o && !hart_rst_i;
    add_at <= read_at;
    add_length <= |due ? {27'd0, due[3:0] - 4'd1} : word[34:4];
    if (clearing || (of_payer && !(|due))) add_length <= 31'd0;
    saturated_o <= !hart_rst_i && (saturated_o || (add && sum[33]));
    // Each reset clears the table once, from its beginning. A reset that is too short leaves the table uncleared and
    // ready_o low.
    clearing <= hart_rst_i && !ready_o && !(clearing && &clear_at);
    clear_at <= clearing ? clear_at + 1'b1 : {CELL_BITS{1'b0}};
    if (clearing && &clear_at) ready_o <= hart_rst_i;
    if (hart_rst_i && !was_reset) begin
      ready_o  <= 1'b0;
      clearing <= 1'b1;
      clear_at <= {CELL_BITS{1'b0}};
    end
    was_reset <= hart_rst_i;
  end
  assign shown_o = present & {32{showing}};

  // ---- The totals, in the same cycle as the table's write. A read has this cycle to itself ----
  // Total 0 is always 0: the others are cleared with it.
  (* ram_style = "distributed" *) reg [WIDTH-1:0] totals[0:7];
  initial totals[TABLE] = {WIDTH{1'b0}};
  reg [2:0] total_at, total_write_at;
  reg add_total, clear_total;
  wire [2:0] place_now = clearing ? clear_at[2:0] : tell_i ? tell_at_i : |due ?
      UNATTRIBUTED : place == TABLE ? OVERFLOW : place; // a table that is not cleared
  assign told_o = totals[total_at];
  wire [WIDTH:0] total_sum = {told_o, 1'b1} + {{(WIDTH - 31) {1'b0}}, add_length, !clear_total};
  always @(posedge clk_i) begin
    total_at <= place_now & {3{!clearing}};
    total_write_at <= place_now;
    add_total <= !hart_rst_i && ((take && !no_instruction && (place != TABLE || !ready_o)) || (|due && !reads));
    clear_total <= clearing;
    if (add_total || clear_total) totals[total_write_at] <= total_sum[WIDTH:1];
  end

  assign idle_o = !(count_i || open || paying || grouped || head != start || taken || add || add_total || |owed);

  wire unused = &{1'b0, sum[0], total_sum[0]};
endmodule

`default_nettype wire
