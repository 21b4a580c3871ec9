// SPDX-License-Identifier: Apache-2.0
// One timer of the tags. The cycles of an interval are those after the cycle that starts it, up to and including the
// cycle that ends it. Three actors may act on the timer in one cycle, in this order: an instruction, its data, the
// register GATE. So an interval may end and another one begin, or begin and end, in one cycle.
//
// One counter counts the cycles of all intervals, and the end of an interval stores this count. So the sum needs no
// adder and has no limit for one interval.
`default_nettype none

module gnomon_tag_timer #(
  parameter WIDTH = 32, // bits of all values except the sum; the registers show 32 and 48 bits
  parameter SUM   = 48
) (
  input  wire               clk_i,
  input  wire               rst_i,    // power-on: clears the thresholds
  input  wire               clear_i,  // clears everything else and stops the timer
  input  wire               time_i,   // this cycle counts

  input  wire [1:0]         act_i,       // of the instruction: 0 nothing, 1 starts, 2 stops, 3 toggles
  input  wire [1:0]         word_act_i,  // of the data, after act_i
  input  wire               set_i,       // after word_act_i: sets the timer to set_running_i
  input  wire               set_running_i,

  input  wire [3:0]         step_write_i,
  input  wire [WIDTH-1:0]   wdata_i,

  output reg                running_o,  // before these actions
  output wire [3:0]         passed_o,   // the interval reaches threshold n in this cycle
  // ended intervals; saturates, like the values below except the sum
  output reg  [WIDTH-1:0]   intervals_o,
  output reg  [SUM-1:0]     cycles_o,   // of ended intervals
  output reg  [WIDTH-1:0]   last_o, shortest_o, longest_o,
  output wire [WIDTH-1:0]   elapsed_o,  // of the running interval, this cycle included
`ifdef FORMAL
  output wire [SUM-1:0]     f_total_o,
`endif
  output reg  [4*WIDTH-1:0] steps_o  // thresholds; a threshold of 0 is never passed
);
  localparam [1:0] NOTHING = 2'd0, START = 2'd1, TOGGLE = 2'd3;
  wire first = act_i == NOTHING ? running_o : act_i == START || (act_i == TOGGLE && !running_o);
  wire second = word_act_i == NOTHING ? first : word_act_i == START || (word_act_i == TOGGLE && !first);
  wire third = set_i ? set_running_i : second;
  wire ends = running_o && !(first && second && third); // the running interval ends
  // an interval begins and ends in this cycle
  wire empty = (first && !running_o && !second) || (second && !third && !(running_o && first));

  reg [WIDTH-1:0] elapsed; // 0 unless the timer runs
  wire moves = running_o && time_i && !(&elapsed);
  wire [WIDTH-1:0] now = elapsed + {{(WIDTH - 1) {1'b0}}, moves};
  reg [SUM-1:0] total; // cycles, the running interval included
  wire [SUM-1:0] total_now = total + {{(SUM - 1) {1'b0}}, running_o && time_i};
  wire [WIDTH:0] intervals = {1'b0, intervals_o} + {{WIDTH{1'b0}}, ends} + {{WIDTH{1'b0}}, empty};
  always @(posedge clk_i) begin
    running_o <= third;
    elapsed <= now & {WIDTH{running_o && !ends}};
    total <= total_now;
    intervals_o <= intervals[WIDTH-1:0] | {WIDTH{intervals[WIDTH]}};
    if (ends) begin
      cycles_o <= total_now;
      last_o   <= now;
      if (now < shortest_o) shortest_o <= now;
      if (now > longest_o) longest_o <= now;
    end
    if (empty) {last_o, shortest_o} <= {2 * WIDTH{1'b0}};
    if (clear_i) begin
      running_o <= 1'b0;
      {elapsed, total, intervals_o, cycles_o, last_o, longest_o} <= {2 * SUM + 4 * WIDTH{1'b0}};
      shortest_o <= {WIDTH{1'b1}};
    end
  end
  assign elapsed_o = now;

  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_step
      always @(posedge clk_i) begin
        if (step_write_i[i]) steps_o[WIDTH*i+:WIDTH] <= wdata_i;
        if (rst_i) steps_o[WIDTH*i+:WIDTH] <= {WIDTH{1'b0}};
      end
      assign passed_o[i] = moves && now == steps_o[WIDTH*i+:WIDTH];
    end
  endgenerate

`ifdef FORMAL
  assign f_total_o = total;
`endif
endmodule

`default_nettype wire
