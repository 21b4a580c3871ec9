// SPDX-License-Identifier: Apache-2.0
// Where the cycles of a code window went, by instruction and cause: a counter for each parcel (two bytes) of the code
// window and each of 16 causes. Cause 0 is RETIRED, one cycle for each execution, so these counters also are how often
// each instruction was executed.
//
// Who pays for a cycle is known only when the next instruction retires (docs/internals/observation.md). Until then the
// cycles wait as a list of runs (cause, length). A cycle ends one run at most, so one enters the list in a cycle at
// most, and once their payer is known one leaves it in each cycle: one read and one write of the table. So the list is
// never longer than twice what one instruction can wait for; what it could not hold is counted (OVERFLOW), as is
// everything that is not the code window's: table + outside + overflow + unattributed + what still waits = cycles
// counted, always.
`default_nettype none

module gnomon_code_window #(
  parameter PARCELS_LOG2 = 10,
  parameter QUEUE_LOG2 = 6, // runs in the list
  parameter LENGTH = 32,    // bits of a run's length: a longer one is several
  parameter WIDTH = 48      // of the counts of what is not in the table
) (
  input  wire             clk_i,
  input  wire             hart_rst_i,  // everything becomes 0; the table at one counter a cycle, until ready_o

  input  wire [31:1]      base_i,  // of the code window; changed only while the hart is in reset

  input  wire             count_i,    // a cycle of the run; when it falls, the run has ended
  input  wire             retired_i,  // an instruction retired in it; then cause_i is 0
  input  wire             unpaid_i,   // no instruction pays for it
  input  wire [3:0]       cause_i,
  input  wire [31:1]      pc_i,

  input  wire             show_i,   // for the list this cycle does not exist
  input  wire [PARCELS_LOG2+3:0] show_at_i,
  output wire [31:0]      shown_o,  // the cycle after; 0 without show_i

  // the table was cleared; where it was not, nothing is counted in it until the next reset
  output reg              ready_o,
  output wire             idle_o,         // nothing waits
  output reg              saturated_o,    // a counter of the table stands at its largest value, and is at least that
  output reg  [WIDTH-1:0] outside_o,      // of instructions elsewhere
  output wire [WIDTH-1:0] overflow_o,
  output reg  [WIDTH-1:0] unattributed_o  // debug mode, reset; and what waited when the run ended
);
  localparam CELL_BITS = PARCELS_LOG2 + 4;

  // ---- The run that goes on ----
  reg open, run_last; // run_last: the retirement itself; its payer is run_index, if run_inside
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

  // ---- The list: runs, and the payers of those whose retirement is in it ----
  reg [LENGTH+4:0] runs[0:(1<<QUEUE_LOG2)-1];
  reg [PARCELS_LOG2+1:0] payers[0:(1<<QUEUE_LOG2)-1];
  reg [QUEUE_LOG2:0] head, tail, payer_head, payer_tail;
  // a retirement found no room: what waits before it is taken for the next one's, so that one's runs are unattributed,
  // too
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

  // ---- The table: read, a cycle later written with more ----
  (* no_rw_check *) reg [31:0] cells[0:(1<<CELL_BITS)-1];
  reg [31:0] found, latest;
  reg add, again, showing; // again: what was read has been written in the same cycle, with `latest`
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
    // Once in each reset, from its beginning; a reset that is too short for it leaves the table as it is, and not
    // ready.
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

  // ---- What is not in the table ----
  reg [WIDTH-1:0] crowded, torn_off; // did not fit into the list; lost its payer
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
