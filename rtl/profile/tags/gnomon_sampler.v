// SPDX-License-Identifier: Apache-2.0
// The sampler: every SAMPLE_PERIOD cycles (docs/internals/tags.md), it samples the address of the instruction that pays
// for the cycle. A sample takes its place in its cycle and waits for the next instruction to retire. All samples that
// wait for one instruction become one entry of the memory, its address and their number, so there is at most one write
// a cycle.
`default_nettype none

module gnomon_sampler (
  input  wire        clk_i,
  input  wire        rst_i,       // power-on: also clears SAMPLE_PERIOD
  input  wire        hart_rst_i,  // discards all samples; the next one is due in cycle SAMPLE_PERIOD after the reset
  input  wire        clear_i,     // discards all samples

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o,  // one cycle after a read of SAMPLE, else 0

  input  wire        retired_i,       // an instruction retires
  input  wire        unattributed_i,  // no instruction pays for this cycle
  input  wire [31:1] pc_i,

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

  // ---- The time of a sample ----
  reg [31:0] period, left; // left: cycles until the next sample
  wire [31:0] period_next = rst_i ? 32'd0 : set_period ? reg_wdata_i : period;
  wire due = left == 32'd0 && period != 32'd0 && !hart_rst_i;
  wire [31:0] from = set_period || left == 32'd0 || hart_rst_i ? period_next : left;
  always @(posedge clk_i) begin
    period <= period_next;
    left <= from - {31'd0, !hart_rst_i};
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

  // ---- The memory: a read takes one sample from the first entry ----
  (* no_rw_check *) reg [LOG2+31:0] memory[0:(1<<LOG2)-1];
  reg [LOG2-1:0] head, tail;
  reg [LOG2:0] taken; // samples already read from the first entry
  reg [LOG2+31:0] entry;
  reg there;
  wire [LOG2:0] many;
  wire [31:1] pc;
  assign {many, pc} = entry;
  assign valid = there;
  assign pop = reg_sel_i && !reg_write_i && in_sample && valid;
  wire [LOG2:0] taken_now = taken + {{LOG2{1'b0}}, pop};
  wire leaves = pop && taken_now == many;
  wire [LOG2-1:0] tail_next = tail + {{(LOG2 - 1) {1'b0}}, leaves};
  always @(posedge clk_i) begin
    if (write) memory[head] <= {waiting_now, pc_i};
    entry <= memory[tail_next];
    head <= head + {{(LOG2 - 1) {1'b0}}, write};
    tail <= tail_next;
    taken <= leaves ? {LOG2 + 1{1'b0}} : taken_now;
    // An entry has at least one sample, and `used` includes waiting samples, so head meets tail only if no entry is
    // left.
    there <= head != tail_next || (there && !leaves);
    if (clear) begin
      {head, tail, taken} <= {3 * LOG2 + 1{1'b0}};
      there <= 1'b0;
    end
  end

  always @(posedge clk_i) reg_rdata_o <= {pc, 1'b1} & {32{pop}};
endmodule

`default_nettype wire
