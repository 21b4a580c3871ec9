// SPDX-License-Identifier: Apache-2.0
// The words of the reduced form's counters, and the adder that updates them: one block RAM of 256 words, each at the
// place of its register (bit 10 and bits 8 to 2 of the address in the blocks PMU and TAGS), so that a register is read
// there. Each update takes three cycles: read the word, add, write. The engine waits while a register is accessed.
//
// In turn it takes the low part of a tag that has left, the counters' new events, and the intervals that have ended.
// One word is always 0: added to it, a length is stored. The shortest length is stored inverted, so that 0 means none.
`default_nettype none

module gnomon_reduced_engine #(
  parameter UP5K = 0,
  parameter COUNTERS = 0, // 1: there are counters; 0: there are tags and timers
  parameter LOW = 9,      // bits of a tag's low part
  parameter SINCE = 9    // bits of a counter's new events
) (
  input  wire        clk_i,
  input  wire        clear_i,     // sets the words at clear_at_i to 0, one a cycle, for two rounds
  input  wire [7:0]  clear_at_i,

  input  wire        access_i,    // a register is accessed: one cycle later word_o is its word
  input  wire [7:0]  read_at_i,
  output reg  [31:0] word_o,

  input  wire        left_i,      // the executions `amount_i` of tag `tag_i` are to be added
  input  wire [3:0]  tag_i,
  input  wire [LOW-1:0] amount_i,
  output wire        left_taken_o,
  input  wire [1:0]  zero_i,      // the counter is set to 0
  input  wire [2*SINCE-1:0] since_i,
  output wire [1:0]  zeroed_o, since_taken_o,
  input  wire [1:0]  ended_i,     // the interval of a timer has ended; its length stays until ended_taken_o
  input  wire [63:0] length_i,
  output wire [1:0]  ended_taken_o
);
  localparam [7:0] ZERO = 8'h3F;
  localparam [2:0] INTERVALS = 3'd0, CYCLES_LO = 3'd1, CYCLES_HI = 3'd2, LAST = 3'd3, SHORTEST = 3'd4, LONGEST = 3'd5;

  // What is being done: a tag's executions, a counter, a timer; of the last two the number. `next` is whose turn comes
  // next, unless a tag's executions wait.
  reg tags, counters, timers;
  reg number;
  reg next;
  reg [2:0] step;
  reg adds, stores;  // the second cycle of an update, the third one
  reg flag;          // carry or borrow of the update before
  reg zeroing;

  wire idle = !tags && !counters && !timers;
  wire first = step == 3'd0;
  wire last = timers ? step == 3'd7 : step[0];
  wire reads = !idle && !adds && !stores && !access_i;
  wire done = stores && last;

  reg [2:0] of_timer;
  reg from_zero, subtracts, with_length, wants;
  always @* begin
    of_timer = LAST;
    {from_zero, subtracts, with_length, wants} = 4'b1011;
    case (step)
      3'd0: ;
      3'd1: {of_timer, from_zero, wants} = {SHORTEST, 2'b00};            // carry: it is longer
      3'd2: {of_timer, subtracts, wants} = {SHORTEST, 1'b1, !flag};
      3'd3: {of_timer, from_zero, subtracts, wants} = {LONGEST, 3'b010}; // borrow: it is longer
      3'd4: {of_timer, wants} = {LONGEST, flag};
      3'd5: {of_timer, from_zero, with_length} = {INTERVALS, 2'b00};
      3'd6: {of_timer, from_zero} = {CYCLES_LO, 1'b0};
      3'd7: {of_timer, from_zero, with_length} = {CYCLES_HI, 2'b00};
    endcase
  end
  wire [7:0] at = tags ? {1'b1, tag_i, 2'b00, step[0]} : counters ? {5'b01000, number, 1'b0, step[0]} :
      {3'b000, number, 1'b0, of_timer};
  wire zero = timers ? from_zero : counters && (first ? zero_i[number] : zeroing);
  wire carry = timers ? (step == 3'd2 || step == 3'd5 || (step == 3'd7 && flag)) : !first && flag;
  wire subtract = timers && subtracts;

  wire [1:0] with_since = {2{counters && first}} & {number, !number};
  wire [1:0] with_timer = {2{timers && with_length}} & {number, !number};
  wire [31:0] addend = {{(32 - LOW) {1'b0}}, amount_i & {LOW{tags && first}}} |
      {{(32 - SINCE) {1'b0}}, (since_i[SINCE-1:0] & {SINCE{with_since[0]}}) |
        (since_i[2*SINCE-1:SINCE] & {SINCE{with_since[1]}})} |
      (length_i[31:0] & {32{with_timer[0]}}) | (length_i[63:32] & {32{with_timer[1]}});
  wire [31:0] sum;
  wire carry_out;
  gnomon_reduced_sum #(
    .HARD(UP5K)
  ) u_sum (
    .clk_i(clk_i), .word_i(word_o), .addend_i(addend), .subtract_i(subtract), .carry_i(carry), .sum_o(sum),
    .carry_o(carry_out)
  );

  (* no_rw_check, ram_style = "block" *)
  reg [31:0] words[0:255];
  integer i;
  initial for (i = 0; i < 256; i = i + 1) words[i] = 32'd0;
  wire [7:0] write_at = clear_i ? clear_at_i : at;
  always @(posedge clk_i) begin
    if (clear_i || (stores && (!timers || wants))) words[write_at] <= sum;
    word_o <= words[access_i && !clear_i ? read_at_i : idle || zero ? ZERO : at];
  end

  assign left_taken_o = done && tags;
  assign since_taken_o = with_since & {2{adds}};
  assign zeroed_o = {2{counters && first && reads}} & {number, !number};
  assign ended_taken_o = {2{done && timers}} & {number, !number};

  always @(posedge clk_i) begin
    adds <= reads;
    stores <= adds;
    if (adds && !(timers && (step == 3'd2 || step == 3'd4))) flag <= carry_out;
    if (first && reads) zeroing <= zero_i[number];
    if (stores) step <= step + 3'd1;
    if (idle || done) begin
      step <= 3'd0;
      {tags, counters, timers, number} <= {3'b000, next};
      if (left_i && !left_taken_o) tags <= COUNTERS == 0;
      else begin
        next <= !next;
        counters <= COUNTERS != 0;
        timers <= COUNTERS == 0 && ended_i[next] && !ended_taken_o[next];
      end
    end
    if (clear_i) {tags, counters, timers, adds, stores, next} <= 6'd0;
  end
endmodule

`default_nettype wire
