// SPDX-License-Identifier: Apache-2.0
// Counts the cycles of a code window by instruction and stall cause: one counter for each parcel (16 bits) of the
// window and each of 16 causes. Cause 0 is RETIRED. An instruction has one RETIRED cycle for each execution, so these
// counters also give the execution count of each instruction.
//
// The next instruction to retire pays for a cycle (docs/internals/observation.md). Until it retires, its cycles wait in
// a list of runs (cause, length). A cycle ends at most one run, so at most one run enters the list in a cycle. When the
// payer is known, one run leaves the list in each cycle, with one read and one write of the table. So the list never
// has more than twice the number of runs that one instruction can wait for. OVERFLOW counts the cycles that the list
// had no room for. At all times: table + outside + overflow + unattributed + waiting cycles = counted cycles.
`default_nettype none

module gnomon_code_window #(
  parameter PARCELS_LOG2 = 10,
  parameter QUEUE_LOG2 = 6, // capacity of the list, in runs
  parameter LENGTH = 32,    // bits of a run's length; a longer run is split
  parameter WIDTH = 48      // bits of the counters outside_o, overflow_o, unattributed_o
) (
  input  wire             clk_i,
  input  wire             hart_rst_i,  // clears everything; the table takes one counter a cycle, until ready_o

  input  wire [31:1]      base_i,  // first address of the code window; changes only in the hart's reset

  input  wire             count_i,    // this cycle belongs to the profiled run; the run ends when count_i falls
  input  wire             retired_i,  // an instruction retires in this cycle; then cause_i is 0
  input  wire             unpaid_i,   // no instruction pays for this cycle
  input  wire [3:0]       cause_i,
  input  wire [31:1]      pc_i,

  input  wire             show_i,   // reads the table; the list stands still in this cycle
  input  wire [PARCELS_LOG2+3:0] show_at_i,
  output wire [31:0]      shown_o,  // one cycle after show_i; 0 without show_i

  // the table is cleared; without ready_o the table counts nothing until the next reset
  output reg              ready_o,
  output wire             idle_o,         // no cycle waits
  output reg              saturated_o,    // a counter of the table has saturated
  output reg  [WIDTH-1:0] outside_o,      // cycles of instructions outside of the code window
  output wire [WIDTH-1:0] overflow_o,
  output reg  [WIDTH-1:0] unattributed_o  // cycles of debug mode and reset, and cycles that waited when the run ended
);
  localparam CELL_BITS = PARCELS_LOG2 + 4;

  // ---- The open run ----
  reg open, run_last; // run_last: the run is a retirement; run_inside, run_index: its payer's place
  reg [3:0] run_cause;
  reg [LENGTH-1:0] run_length;
  reg run_inside;
  reg [PARCELS_LOG2-1:0] run_index;
  wire [31:1] distance = pc_i - base_i;
  wire paid = count_i && !unpaid_i;
  wire longer = open && !run_last && !retired_i && run_cause == cause_i && !(&run_length);
  wire push = open && (paid ? !longer : !count_i);
  always @(posedge clk_i) begin
    if (push) open <= 1'b0;
    if (paid && longer) run_length <= run_length + {{(LENGTH - 1) {1'b0}}, 1'b1};
    if (paid && !longer) begin
      open <= 1'b1;
      run_last <= retired_i;
      run_cause <= cause_i;
      run_length <= {{(LENGTH - 1) {1'b0}}, 1'b1};
      run_inside <= distance[31:PARCELS_LOG2+1] == 0;
      run_index <= distance[PARCELS_LOG2:1];
    end
    if (hart_rst_i) open <= 1'b0;
  end

  // ---- The list: runs, and the payers of the retirements in it ----
  reg [LENGTH+4:0] runs[0:(1<<QUEUE_LOG2)-1];
  reg [PARCELS_LOG2+1:0] payers[0:(1<<QUEUE_LOG2)-1];
  reg [QUEUE_LOG2:0] head, tail, payer_head, payer_tail;
  // 1: the list had no room for a retirement, so the cycles of two instructions cannot be distinguished; both count as
  // overflow
  reg torn;
  wire full = (tail ^ head) == {1'b1, {QUEUE_LOG2{1'b0}}};
  wire empty = tail == head, known = payer_tail != payer_head;
  wire last, tainted, in_window;
  wire [3:0] cause;
  wire [LENGTH-1:0] length;
  wire [PARCELS_LOG2-1:0] index;
  assign {last, cause, length} = runs[head[QUEUE_LOG2-1:0]];
  assign {tainted, in_window, index} = payers[payer_head[QUEUE_LOG2-1:0]];
  wire ended = !count_i && !open;
  wire take = !empty && (known || ended) && !show_i;
  wire keep = push && !full;
  always @(posedge clk_i) begin
    if (keep) runs[tail[QUEUE_LOG2-1:0]] <= {run_last, run_cause, run_length};
    if (keep && run_last) payers[payer_tail[QUEUE_LOG2-1:0]] <= {torn, run_inside, run_index};
    if (keep) tail <= tail + 1'b1;
    if (keep && run_last) payer_tail <= payer_tail + 1'b1;
    if (push && run_last) torn <= full;
    if (take) head <= head + 1'b1;
    if (take && last) payer_head <= payer_head + 1'b1;
    if (hart_rst_i) begin
      {head, tail, payer_head, payer_tail} <= {4 * (QUEUE_LOG2 + 1) {1'b0}};
      torn <= 1'b0;
    end
  end

  // ---- The table: a read, and one cycle later the write of the sum ----
  (* no_rw_check *) reg [31:0] cells[0:(1<<CELL_BITS)-1];
  reg [31:0] found, latest;
  reg add, again, showing; // again: the previous cycle wrote the counter that was read, with `latest`
  reg [CELL_BITS-1:0] add_at, clear_at;
  reg [LENGTH-1:0] add_length;
  reg clearing, was_reset;
  initial was_reset = 1'b0;
  wire [CELL_BITS-1:0] read_at = show_i ? show_at_i : {index, cause};
  wire [31:0] present = again ? latest : found;
  wire [32:0] sum = {1'b0, present} + {1'b0, add_length};
  wire [31:0] more = sum[31:0] | {32{sum[32]}};
  wire write = add || clearing;
  always @(posedge clk_i) begin
    if (write) cells[clearing ? clear_at : add_at] <= more & {32{!clearing}};
    found <= cells[read_at];
    latest <= more;
    again <= add && add_at == read_at;
    showing <= show_i;
    add <= take && known && in_window && !tainted && ready_o && !hart_rst_i;
    add_at <= read_at;
    add_length <= length;
    saturated_o <= !hart_rst_i && (saturated_o || (add && sum[32]));
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
  assign idle_o = empty && !open && !add;

  // ---- Cycles outside of the table ----
  reg [WIDTH-1:0] crowded, torn_off; // cycles that found no room; cycles without a known payer or a cleared table
  wire [WIDTH-1:0] taken = {{(WIDTH - LENGTH) {1'b0}}, length};
  assign overflow_o = crowded + torn_off;
  always @(posedge clk_i) begin
    if (push && full) crowded <= crowded + {{(WIDTH - LENGTH) {1'b0}}, run_length};
    if (take && known && (tainted || (in_window && !ready_o))) torn_off <= torn_off + taken;
    if (take && known && !tainted && !in_window) outside_o <= outside_o + taken;
    if (count_i && unpaid_i) unattributed_o <= unattributed_o + {{(WIDTH - 1) {1'b0}}, 1'b1};
    if (take && !known) unattributed_o <= unattributed_o + taken;
    if (hart_rst_i) {outside_o, crowded, torn_off, unattributed_o} <= {4 * WIDTH{1'b0}};
  end
endmodule

`default_nettype wire
