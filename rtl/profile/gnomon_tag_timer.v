// SPDX-License-Identifier: Apache-2.0
// One timer of the tags. An interval's cycles are those between the cycle that starts it and the one that ends it, the latter included. In one
// cycle three may act on it, one after the other: an instruction, its data, the register GATE. So an interval may end, and another begin, or
// begin and end, with no cycles.
//
// All cycles of all intervals are counted on; with an interval's end their number so far is kept. That sum needs no adder, and no limit for one
// interval.
`default_nettype none

module gnomon_tag_timer (
    input wire clk_i,
    input wire rst_i,   // thresholds
    input wire clear_i, // everything else: it does not run, and has not
    input wire time_i,  // a cycle that counts

    input wire [1:0] act_i,         // 0 nothing, 1 starts, 2 stops, 3 the other one
    input wire [1:0] word_act_i,    // then this
    input wire       set_i,         // then it runs or not, as:
    input wire       set_running_i,

    input wire [ 3:0] step_write_i,
    input wire [31:0] wdata_i,

    output reg          running_o,   // before all that
    output wire [  3:0] passed_o,    // the interval reaches that threshold in this cycle
    output reg  [ 31:0] intervals_o, // ended; this and what follows but for the sum stay at their largest value
    output reg  [ 47:0] cycles_o,    // of intervals that have ended
    output reg  [ 31:0] last_o,
    output reg  [ 31:0] shortest_o,
    output reg  [ 31:0] longest_o,
    output wire [ 31:0] elapsed_o,   // of the one that runs, this cycle included
    output reg  [127:0] steps_o      // thresholds; one that is 0 is never passed
);
  localparam [1:0] NOTHING = 2'd0, START = 2'd1, TOGGLE = 2'd3;
  wire first = act_i == NOTHING ? running_o : act_i == START || (act_i == TOGGLE && !running_o);
  wire second = word_act_i == NOTHING ? first : word_act_i == START || (word_act_i == TOGGLE && !first);
  wire third = set_i ? set_running_i : second;
  wire ends = running_o && !(first && second && third); // the interval that runs
  wire empty = (first && !running_o && !second) || (second && !third && !(running_o && first)); // one begins and ends

  reg [31:0] elapsed; // 0 unless it runs
  wire moves = running_o && time_i && !(&elapsed);
  wire [31:0] now = elapsed + {31'd0, moves};
  reg [47:0] total; // of the one that runs, too
  wire [47:0] total_now = total + {47'd0, running_o && time_i};
  wire [32:0] intervals = {1'b0, intervals_o} + {32'd0, ends} + {32'd0, empty};
  always @(posedge clk_i) begin
    running_o <= third;
    elapsed <= now & {32{running_o && !ends}};
    total <= total_now;
    intervals_o <= intervals[31:0] | {32{intervals[32]}};
    if (ends) begin
      cycles_o <= total_now;
      last_o   <= now;
      if (now < shortest_o) shortest_o <= now;
      if (now > longest_o) longest_o <= now;
    end
    if (empty) {last_o, shortest_o} <= 64'd0;
    if (clear_i) begin
      running_o <= 1'b0;
      {elapsed, total, intervals_o, cycles_o, last_o, longest_o} <= 224'd0;
      shortest_o <= 32'hFFFF_FFFF;
    end
  end
  assign elapsed_o = now;

  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_step
      always @(posedge clk_i) begin
        if (step_write_i[i]) steps_o[32*i+:32] <= wdata_i;
        if (rst_i) steps_o[32*i+:32] <= 32'd0;
      end
      assign passed_o[i] = moves && now == steps_o[32*i+:32];
    end
  endgenerate

`ifdef FORMAL
  // The sum of intervals: all cycles so far are those of intervals that have ended and of the one that runs.
  reg f_begun = 1'b0, f_full;
  always @(posedge clk_i) begin
    f_begun <= 1'b1;
    f_full  <= !clear_i && running_o && !ends && (f_full || &elapsed); // the interval is longer than `elapsed` can say
    if (!f_begun) assume (clear_i);
    else begin
      if (!running_o) assert (elapsed == 0 && total == cycles_o);
      if (running_o && !(&elapsed)) assert (total == cycles_o + {16'd0, elapsed} && !f_full);
    end
  end
`endif
endmodule

`default_nettype wire
