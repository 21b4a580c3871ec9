// SPDX-License-Identifier: Apache-2.0
// The timers that run, the gate of the trace, and the queue of what starts and stops timers. In one cycle the
// instruction acts first, then its data. A write of GATE acts on one timer a cycle, in cycles in which no tag acts on a
// timer. Each act enters the queue with the time of its cycle; gnomon_tag_engine does the arithmetic later.
//
// A timer is started only while the queue is less than half full. So there is always room for the stops of the timers
// that run, at most four; a refused start is counted, and that interval never begins.
`default_nettype none

module gnomon_tag_gates (
  input  wire        clk_i,
  input  wire        clear_i,  // stops everything
  input  wire        time_i,   // time passes in this cycle

  // Of the instruction, and of its data: 0 nothing, 1 starts, 2 stops, 3 toggles.
  input  wire [1:0]  act_i, which_i, word_act_i, word_which_i,
  input  wire [1:0]  trace_act_i, word_trace_act_i,
  input  wire        set_i,  // a write of GATE
  input  wire [3:0]  set_running_i,
  input  wire        set_trace_i,

  output reg  [3:0]  running_o,  // before the acts of this cycle
  output reg         trace_o,
  output wire [31:0] now_o,  // cycles of time, this one included
  output wire [1:0]  refused_o,  // starts for which there was no room

  output wire        valid_o,  // the oldest entry of the queue:
  output wire [31:0] time_o,
  output wire        first_o,       // the instruction acts
  output wire        first_start_o, // it starts its timer, else it stops it
  output wire [1:0]  first_timer_o,
  output wire        second_o,      // the same of its data
  output wire        second_start_o,
  output wire [1:0]  second_timer_o,
  input  wire        pop_i
);
  localparam [1:0] NOTHING = 2'd0, START = 2'd1, STOP = 2'd2, TOGGLE = 2'd3;
  wire half;
  wire room = !half;

  // ---- GATE: what remains to be set ----
  reg [3:0] setting, values;
  wire [3:0] lowest = setting & ~(setting - 4'd1);
  wire [1:0] next = {|lowest[3:2], lowest[3] || lowest[1]};
  wire sets = setting != 4'd0 && act_i == NOTHING && word_act_i == NOTHING && room;
  always @(posedge clk_i) begin
    if (sets) setting <= setting & ~lowest;
    if (set_i) {setting, values} <= {4'b1111, set_running_i};
    if (clear_i) setting <= 4'd0;
  end

  // ---- The acts of this cycle, one after the other ----
  wire [1:0] act = sets ? (values[next] ? START : STOP) : act_i;
  wire [1:0] which = sets ? next : which_i;
  wire on = running_o[which];
  wire wants = !on && act[0], stops = on && act[1]; // START and TOGGLE have bit 0, STOP and TOGGLE bit 1
  wire starts = wants && room;
  wire [3:0] changed = running_o ^ ({3'd0, starts || stops} << which);
  wire word_on = changed[word_which_i];
  wire word_wants = !word_on && word_act_i[0], word_stops = word_on && word_act_i[1];
  wire word_starts = word_wants && room;
  assign refused_o = {1'b0, wants && !room} + {1'b0, word_wants && !room};

  wire trace_1 = trace_act_i == NOTHING ? trace_o : trace_act_i == START || (trace_act_i == TOGGLE && !trace_o);
  wire trace_2 = word_trace_act_i == NOTHING ? trace_1 : word_trace_act_i == START || (word_trace_act_i == TOGGLE &&
      !trace_1);
  reg [31:0] time_before;
  assign now_o = time_before + {31'd0, time_i};
  always @(posedge clk_i) begin
    running_o <= changed ^ ({3'd0, word_starts || word_stops} << word_which_i);
    trace_o <= set_i ? set_trace_i : trace_2;
    time_before <= now_o;
    if (clear_i) {running_o, trace_o, time_before} <= 37'd0;
  end

`ifdef FORMAL
  wire [4:0] f_level;
`endif
  gnomon_tag_queue #(
    .WIDTH(40), .LOG2(4)
  ) u_queue (
      .clk_i(clk_i),
      .clear_i(clear_i),
      .push_i(starts || stops || word_starts || word_stops),
      .word_i({now_o, starts || stops, starts, which, word_starts || word_stops, word_starts, word_which_i}),
      .valid_o(valid_o),
      .word_o({time_o, first_o, first_start_o, first_timer_o, second_o, second_start_o, second_timer_o}),
`ifdef FORMAL
      .f_level_o(f_level),
`endif
      .pop_i(pop_i),
      .half_o(half)
  );

`ifdef FORMAL
  // There is always room for a stop: the queue never drops what it is given.
  reg f_begun = 1'b0;
  wire [5:0] f_running = {5'd0, running_o[0]} + {5'd0, running_o[1]} + {5'd0, running_o[2]} + {5'd0, running_o[3]};
  always @(posedge clk_i) begin
    f_begun <= 1'b1;
    if (!f_begun) assume (clear_i);
    assume (!pop_i || valid_o);
    if (f_begun) assert ({1'b0, f_level} + f_running <= 6'd12);
  end
`endif
endmodule

`default_nettype wire
