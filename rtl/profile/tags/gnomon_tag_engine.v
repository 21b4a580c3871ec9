// SPDX-License-Identifier: Apache-2.0
// Does all sums of the tags in the block RAM (gnomon_tag_store), one word a step, with one adder. In the order of their
// priority, its jobs are:
//   clearing
//   small counters of events, if one of them is urgent
//   the rest of a long wait; low parts of counters by tag that have left
//   timers that started or stopped, in order
//   in turn: a look at the thresholds of a running timer; the other small counters; the sweep of the low parts
// A job ends before the next one begins. docs/internals/tags.md has their lengths and what follows from them.
`default_nettype none

module gnomon_tag_engine #(
  parameter WIDTH = 16, // bits of a low part
  parameter SHORT = 10, // see gnomon_tag_paid
  parameter EVENTS_WIDTH = 9
) (
  input  wire             clk_i, rst_i,
  input  wire             clear_i,  // pulse: clear all counts; with rst_i also the settings

  // The block RAM.
  input  wire             go_i,    // this step is taken
  output wire [8:0]       at_o,    // the word to read for the next step
  input  wire [31:0]      word_i,
  output wire             write_o, // this step writes the word at write_at_o
  output reg  [8:0]       write_at_o,
  output wire [31:0]      wdata_o,

  output wire             clearing_o,
  output reg              cold_o,      // the clearing is that after power-on
  output wire [8:0]       clear_at_o,  // the word that is cleared

  // Low parts of executions and cycles, and of reads and writes.
  input  wire             code_valid_i, data_valid_i,
  input  wire [4:0]       code_tag_i, data_tag_i,
  input  wire [WIDTH-1:0] executions_i, cycles_i, reads_i, writes_i,
  output reg              code_taken_o, data_taken_o,
  output reg              code_leave_o, data_leave_o,  // the sweep may use the slot
  input  wire             swept_i,    // both sweeps are at their end
  output reg              restart_o,  // they begin again
  output reg  [7:0]       rounds_o,   // how often everything counted before has reached the block RAM

  input  wire             rest_valid_i,
  input  wire [4:0]       rest_tag_i,
  input  wire [31-SHORT:0] rest_i,
  output reg              rest_taken_o,

  input  wire             events_any_i, events_urgent_i, event_valid_i,
  input  wire [2:0]       event_i,
  input  wire [EVENTS_WIDTH-1:0] event_count_i,
  output wire             event_taken_o,

  // Timers.
  input  wire             queue_valid_i,
  input  wire [31:0]      queue_time_i,
  input  wire             first_i, first_start_i, second_i, second_start_i,
  input  wire [1:0]       first_timer_i, second_timer_i,
  output wire             queue_pop_o,
  input  wire [3:0]       running_i,
  input  wire [31:0]      now_i,
  output wire [3:0]       hits_o,     // thresholds of hit_timer_o that its interval has reached
  output wire [1:0]       hit_timer_o,
  output reg  [3:0]       long_o,     // timers whose interval has had 2^31 cycles or more
  output wire             saturated_o // a value is larger than its word
);
`include "gnomon_registers.vh"
  localparam [11:0] TIMER = `GNOMON_TAGS_TIMER_INTERVALS, VALUE = `GNOMON_TAGS_VALUE_EXECUTIONS_LO,
      EVENT = `GNOMON_TAGS_CLEARED,
      AT_CYCLES_LO = `GNOMON_TAGS_TIMER_CYCLES_LO, AT_CYCLES_HI = `GNOMON_TAGS_TIMER_CYCLES_HI,
      AT_LAST = `GNOMON_TAGS_TIMER_LAST, AT_SHORTEST = `GNOMON_TAGS_TIMER_SHORTEST,
      AT_LONGEST = `GNOMON_TAGS_TIMER_LONGEST, AT_BEGAN = `GNOMON_TAGS_TIMER_BEGAN,
      AT_INTERRUPT = `GNOMON_TAGS_TIMER_INTERRUPT, AT_STEP = `GNOMON_TAGS_TIMER_STEP,
      AT_OVER = `GNOMON_TAGS_TIMER_OVER, AT_PERIOD = `GNOMON_TAGS_SAMPLE_PERIOD, AT_MODE = `GNOMON_TAGS_MODE;
  localparam [3:0] INTERVALS = TIMER[5:2], CYCLES_LO = AT_CYCLES_LO[5:2], CYCLES_HI = AT_CYCLES_HI[5:2],
      LAST = AT_LAST[5:2],
      SHORTEST = AT_SHORTEST[5:2], LONGEST = AT_LONGEST[5:2], BEGAN = AT_BEGAN[5:2], INTERRUPT = AT_INTERRUPT[5:2],
      STEP = AT_STEP[5:2], OVER = AT_OVER[5:2];

  // Steps. A step that reads a word gives its place; the next step has the word and may write it back.
  localparam [4:0] CHOOSE = 5'd0, CLEAR = 5'd1, READ = 5'd2, ADD = 5'd3, CARRY = 5'd4, OTHER = 5'd5, COUNT = 5'd6,
      BEGIN = 5'd7, ELAPSED = 5'd8, COMPARE = 5'd9, MARK = 5'd10, READ_OVER = 5'd11, ADD_OVER = 5'd12,
      READ_INTERVALS = 5'd13, ADD_INTERVAL = 5'd14, READ_LAST = 5'd15, SET_LAST = 5'd16, MINIMUM = 5'd17,
      MAXIMUM = 5'd18, READ_PIECE = 5'd19, READ_BEGAN = 5'd20, MOVE_BEGAN = 5'd21;
  localparam [2:0] VALUES = 3'd0, REST = 3'd1, EVENT_JOB = 3'd2, START = 3'd3, STOP = 3'd4, LOOK = 3'd5;
  reg [4:0] step;
  reg [2:0] job;
  reg [8:0] unit;       // the first word of the tag, of the timer; the word of the event
  reg data, again;      // of the values: reads and writes; their second counter
  reg [1:0] timer, at_step;
  reg [3:0] hits;
  reg [15:0] passed;    // thresholds that the running intervals have passed
  reg [31:0] amount;
  reg second;           // the second act of the queue's entry
  reg [1:0] turn, look; // whose turn it is; the timer to look at next

  // ---- The next job ----
  wire second_now = second || !first_i;
  wire starts = second_now ? second_start_i : first_start_i;
  wire [1:0] acting = second_now ? second_timer_i : first_timer_i;
  wire take_urgent = event_valid_i && events_urgent_i;
  wire take_rest = rest_valid_i && !events_urgent_i;
  wire take_code = code_valid_i && !rest_valid_i && !events_urgent_i;
  wire take_data = data_valid_i && !code_valid_i && !rest_valid_i && !events_urgent_i;
  wire busy = events_urgent_i || rest_valid_i || code_valid_i || data_valid_i;
  wire take_timer = queue_valid_i && !busy;
  wire idle = !busy && !queue_valid_i;
  wire take_look = idle && turn == 2'd0 && running_i[look];
  wire take_event = idle && turn == 2'd1 && event_valid_i;
  wire choose = step == CHOOSE && go_i;
  wire round = choose && idle && turn == 2'd3 && swept_i && !events_any_i;

  // ---- The adder ----
  wire subtracts = step == ELAPSED || step == COMPARE || step == MINIMUM || step == MAXIMUM;
  wire increments = step == CARRY || step == ADD_OVER || step == ADD_INTERVAL;
  wire [32:0] sum = {1'b0, word_i ^ {32{subtracts}}} + {1'b0, amount & {32{!increments}}} + {32'd0, subtracts ||
      increments};
  wire carry = sum[32]; // of a subtraction: amount >= word
  wire saturates = carry && (step == COUNT || step == ADD_OVER || step == ADD_INTERVAL);
  wire is_long = long_o[timer];
  wire reached = (carry || is_long) && word_i != 32'd0 && !passed[{timer, at_step}];
  wire [3:0] hit = hits & ~(hits - 4'd1);
  wire [1:0] hit_step = {|hit[3:2], hit[3] || hit[1]};

  // ---- Places ----
  reg [3:0] field;
  always @*
    case (step)
      READ: field = job == START || job == STOP || job == LOOK ? BEGAN : {2'd0, again, 1'b0};
      ADD: field = job == STOP || job == LOOK ? CYCLES_HI : {2'd0, again, 1'b1};
      ELAPSED: field = STEP;
      COMPARE: field = at_step == 2'd3 ? INTERRUPT : {STEP[3:2], at_step + 2'd1};
      READ_OVER: field = {OVER[3:2], hit_step};
      READ_INTERVALS: field = INTERVALS;
      ADD_INTERVAL, READ_PIECE: field = CYCLES_LO;
      READ_LAST: field = LAST;
      SET_LAST: field = SHORTEST;
      MINIMUM: field = LONGEST;
      default: field = BEGAN;
    endcase
  assign at_o = {unit[8:4], unit[3:0] | field};

  // ---- Clearing: all words in turn, settings only after power-on ----
  assign clearing_o = step == CLEAR;
  assign clear_at_o = write_at_o;
  wire in_timer = write_at_o[8:6] == TIMER[10:8];
  wire is_setting = write_at_o[8:4] == 5'd0 || write_at_o[8:4] == AT_PERIOD[10:6] ||
      write_at_o[8:6] == AT_MODE[10:8] ||
      (in_timer && (write_at_o[3:0] == INTERRUPT || write_at_o[3:2] == STEP[3:2]));
  wire is_shortest = in_timer && write_at_o[3:0] == SHORTEST;

  wire writes = step == ADD || step == COUNT || step == CARRY || step == BEGIN || step == ADD_OVER ||
      step == ADD_INTERVAL || step == SET_LAST || step == MOVE_BEGAN || (step == MINIMUM && !carry) ||
      (step == MAXIMUM && carry) || (step == CLEAR && (cold_o || !is_setting));
  wire stores_amount = step == BEGIN || step == SET_LAST || step == MINIMUM || step == MAXIMUM;
  wire all_ones = saturates || (step == CLEAR && is_shortest);
  assign write_o = writes && go_i;
  assign wdata_o = ((stores_amount ? amount : sum[31:0]) & {32{step != CLEAR}}) | {32{all_ones}};

  // ---- What the job's end means for others ----
  wire ends_act = go_i && (step == BEGIN || step == MAXIMUM);
  assign queue_pop_o = ends_act && (second_now || !second_i);
  assign event_taken_o = choose && (take_urgent || take_event);
  assign hits_o = hits & word_i[3:0] & {4{go_i && step == MARK}};
  assign hit_timer_o = timer;
  assign saturated_o = go_i && (saturates || (step == SET_LAST && is_long));
  // A cycle later than the step, because a step waits for a write on the register bus, which is known late. A job has
  // more steps after it than that.
  always @(posedge clk_i) begin
    rest_taken_o <= choose && take_rest;
    code_taken_o <= go_i && step == OTHER && !data;
    data_taken_o <= go_i && step == OTHER && data;
    restart_o <= round;
  end

  always @(posedge clk_i) begin
    if (go_i) begin
      write_at_o <= step == CLEAR ? write_at_o + 9'd1 : at_o;
      case (step)
        CHOOSE: begin
          {again, at_step} <= 3'd0;
          hits <= 4'd0;
          data <= !take_code;
          step <= READ;
          turn <= turn + {1'b0, idle};
          if (busy) begin
            job <= take_urgent ? EVENT_JOB : take_rest ? REST : VALUES;
            unit <= {VALUE[10], take_rest ? rest_tag_i : take_code ? code_tag_i : data_tag_i, take_data, take_rest,
                1'b0};
            amount <= take_rest ? {rest_i, {SHORT{1'b0}}} : {{(32 - WIDTH) {1'b0}}, take_code ? executions_i : reads_i};
            if (events_urgent_i && !event_valid_i) step <= CHOOSE;
          end else begin
            job <= take_timer ? (starts ? START : STOP) : LOOK;
            timer <= take_timer ? acting : look;
            unit <= {TIMER[10:8], take_timer ? acting : look, 4'd0};
            amount <= take_timer ? queue_time_i : now_i;
            if (!take_timer && !take_look) step <= CHOOSE;
          end
          if (take_urgent || take_event) begin
            job <= EVENT_JOB;
            unit <= {EVENT[10:5], event_i};
            amount <= {{(32 - EVENTS_WIDTH) {1'b0}}, event_count_i};
            step <= READ;
          end
          if (idle && turn == 2'd0) look <= look + 2'd1;
          if (idle && turn == 2'd2) {code_leave_o, data_leave_o} <= 2'b11;
          if (round) rounds_o <= rounds_o + 8'd1;
        end
        CLEAR:
        if (&write_at_o) begin
          step <= CHOOSE;
          cold_o <= 1'b0;
        end
        READ: step <= job == EVENT_JOB ? COUNT : job == START ? BEGIN : job == STOP || job == LOOK ? ELAPSED : ADD;
        ADD, CARRY:
        if (step == ADD && carry) step <= CARRY;
        else if (job == STOP) step <= READ_LAST;
        else if (job == LOOK) step <= READ_BEGAN;
        else if (job == VALUES && !again) step <= OTHER;
        else step <= CHOOSE;
        OTHER: begin
          again <= 1'b1;
          amount <= {{(32 - WIDTH) {1'b0}}, data ? writes_i : cycles_i};
          step <= READ;
        end
        BEGIN: begin
          passed[4*timer+:4] <= 4'd0;
          long_o[timer] <= 1'b0;
          step <= CHOOSE;
        end
        ELAPSED: begin
          amount <= sum[31:0];
          step <= COMPARE;
        end
        COMPARE: begin
          hits[at_step] <= reached;
          at_step <= at_step + 2'd1;
          if (&at_step) step <= MARK;
        end
        MARK: begin
          passed[4*timer+:4] <= passed[4*timer+:4] | hits;
          step <= |hits ? READ_OVER : job == STOP ? READ_INTERVALS : amount[31] ? READ_PIECE : CHOOSE;
        end
        READ_OVER: step <= ADD_OVER;
        ADD_OVER: begin
          hits <= hits & ~hit;
          step <= |(hits & ~hit) ? READ_OVER : job == STOP ? READ_INTERVALS : amount[31] ? READ_PIECE : CHOOSE;
        end
        READ_INTERVALS: step <= ADD_INTERVAL;
        ADD_INTERVAL: step <= ADD;
        READ_LAST: begin
          amount <= amount | {32{is_long}};
          step <= SET_LAST;
        end
        SET_LAST: step <= MINIMUM;
        MINIMUM: step <= MAXIMUM;
        READ_PIECE: begin
          amount <= 32'h8000_0000;
          long_o[timer] <= 1'b1;
          step <= ADD;
        end
        READ_BEGAN: step <= MOVE_BEGAN;
        default: step <= CHOOSE; // COUNT, MAXIMUM, MOVE_BEGAN
      endcase
      if (ends_act) second <= !(second_now || !second_i);
    end
    if (code_valid_i) code_leave_o <= 1'b0;
    if (data_valid_i) data_leave_o <= 1'b0;
    if (rst_i || clear_i) begin
      step <= CLEAR;
      write_at_o <= 9'd0;
      {second, timer, turn, look, code_leave_o, data_leave_o} <= 9'd0;
      passed <= 16'd0;
      long_o <= 4'd0;
    end
    if (rst_i) {cold_o, rounds_o} <= {1'b1, 8'd0};
  end
endmodule

`default_nettype wire
