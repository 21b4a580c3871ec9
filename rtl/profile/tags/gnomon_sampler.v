// SPDX-License-Identifier: Apache-2.0
// The sampler: every SAMPLE_PERIOD cycles, or occurrences of an event (docs/internals/tags.md), it samples the
// instruction that pays for the cycle: its address, its thread, what it accessed. A sample takes its place in its cycle
// and waits for the next instruction to retire. All samples that wait for one instruction become one entry of the
// memory, with their number, so there is at most one write a cycle.
`default_nettype none

module gnomon_sampler (
  input  wire        clk_i,
  input  wire        rst_i,       // power-on: also clears SAMPLE_PERIOD and SAMPLE_EVENT
  // Discards all samples. The next one is due in cycle SAMPLE_PERIOD after the reset, or at the event of that number.
  input  wire        hart_rst_i,
  input  wire        clear_i,     // discards all samples

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o,  // one cycle after a read of SAMPLE, else 0

  input  wire [63:0] events_i,        // by number, one cycle before the following inputs
  input  wire        retired_i,       // an instruction retires
  input  wire        unattributed_i,  // no instruction pays for this cycle
  input  wire [31:1] pc_i,
  input  wire [8:0]  thread_i,
  input  wire        read_i, write_i, // it accesses memory, at address_i
  input  wire [31:0] address_i,

  output wire        lost_o,         // a sample has no room
  output wire        unattributed_o  // a sample in a cycle for which no instruction pays
);
`include "gnomon_registers.vh"
  localparam LOG2 = 9; // log2 of the capacity in samples
  localparam [LOG2:0] ALL = {1'b1, {LOG2{1'b0}}};
  localparam [11:0] SAMPLE = `GNOMON_TAGS_SAMPLE;
  wire in_sample = reg_addr_i[11:10] == SAMPLE[11:10]; // all words of the window read the same port
  wire bus_write = reg_sel_i && reg_write_i;
  wire set_period = bus_write && reg_addr_i == `GNOMON_TAGS_SAMPLE_PERIOD;
  wire set_event = bus_write && reg_addr_i == `GNOMON_TAGS_SAMPLE_EVENT;

  // ---- What is sampled ----
  reg [5:0] number;
  reg wide, happens; // happens: the event, in the cycle of the other inputs
  wire [5:0] number_next = rst_i ? 6'd0 : set_event ? reg_wdata_i[`GNOMON_TAGS_SAMPLE_EVENT_NUMBER] : number;
  wire of_events = number != 6'd0;
  // No instruction pays for an event in debug mode.
  wire tick = !of_events || (happens && !unattributed_i);
  always @(posedge clk_i) begin
    number <= number_next;
    happens <= events_i[number];
    if (set_event) wide <= reg_wdata_i[`GNOMON_TAGS_SAMPLE_EVENT_WIDE];
    if (rst_i) wide <= 1'b0;
  end

  // ---- The time of a sample ----
  reg [31:0] period, left; // left: cycles, or events, before the next sample
  wire [31:0] period_next = rst_i ? 32'd0 : set_period ? reg_wdata_i : period;
  wire over = left == 32'd0 && tick;
  wire due = over && period != 32'd0 && !hart_rst_i;
  wire restart = set_period || set_event;
  wire [31:0] from = restart || over || hart_rst_i ? period_next : left;
  // The first cycle after a reset is cycle 0, the first event is event 1.
  wire less = hart_rst_i ? number_next != 6'd0 : restart || tick;
  always @(posedge clk_i) begin
    period <= period_next;
    left <= from - {31'd0, less};
  end

  // ---- Samples in the memory, and samples that wait for their instruction ----
  reg [LOG2:0] used, waiting;
  wire pop, valid;
  wire full = used == ALL;
  wire paid = due && !unattributed_i;
  wire keep = paid && !full;
  wire [LOG2:0] waiting_now = waiting + {{LOG2{1'b0}}, keep};
  wire write = retired_i && |waiting_now;
  wire clear = clear_i || hart_rst_i;
  assign lost_o = paid && full;
  assign unattributed_o = due && unattributed_i;
  always @(posedge clk_i) begin
    used <= used + {{LOG2{1'b0}}, keep} - {{LOG2{1'b0}}, pop};
    waiting <= retired_i ? {LOG2 + 1{1'b0}} : waiting_now;
    if (clear) {used, waiting} <= {2 * LOG2 + 2{1'b0}};
  end

  // ---- The memory: reads take samples from the first entry ----
  localparam WIDTH = LOG2 + 1 + 31 + 9 + 2 + 32;
  (* no_rw_check *) reg [WIDTH-1:0] memory[0:(1<<LOG2)-1];
  reg [LOG2-1:0] head, tail;
  reg [LOG2:0] taken; // samples already read from the first entry
  reg [WIDTH-1:0] entry;
  reg there;
  reg [1:0] part; // of a sample: the word that is read next
  wire [LOG2:0] many;
  wire [31:1] pc;
  wire [8:0] thread;
  wire [1:0] accesses;
  wire [31:0] address;
  assign {many, pc, thread, accesses, address} = entry;
  assign valid = there;
  wire reads = reg_sel_i && !reg_write_i && in_sample && valid;
  wire last = !wide || part == 2'd2;
  assign pop = reads && last;
  wire [LOG2:0] taken_now = taken + {{LOG2{1'b0}}, pop};
  wire leaves = pop && taken_now == many;
  wire [LOG2-1:0] tail_next = tail + {{(LOG2 - 1) {1'b0}}, leaves};
  always @(posedge clk_i) begin
    if (write) memory[head] <= {waiting_now, pc_i, thread_i, write_i, read_i, address_i};
    entry <= memory[tail_next];
    head <= head + {{(LOG2 - 1) {1'b0}}, write};
    tail <= tail_next;
    taken <= leaves ? {LOG2 + 1{1'b0}} : taken_now;
    // An entry has at least one sample, and `used` includes waiting samples, so head meets tail only if no entry is
    // left.
    there <= head != tail_next || (there && !leaves);
    if (reads) part <= last ? 2'd0 : part + 2'd1;
    if (clear || set_event) part <= 2'd0;
    if (clear) begin
      {head, tail, taken} <= {3 * LOG2 + 1{1'b0}};
      there <= 1'b0;
    end
  end

  wire [31:0] access = {14'd0, accesses, 7'd0, thread};
  always @(posedge clk_i)
    reg_rdata_o <= (part == 2'd0 ? {pc, 1'b1} : part == 2'd1 ? access : address) & {32{reads}};
endmodule

`default_nettype wire
