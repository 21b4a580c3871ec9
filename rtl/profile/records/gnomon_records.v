// SPDX-License-Identifier: Apache-2.0
// The record of each function and trap: calls, self cycles, cycles of outermost activations, shortest and longest call,
// with LOSSES also the calls that were dropped while it was on top and their cycles. Sums saturate at all ones.
//
// A record is a row of eight words of 48 bits. The first one has marks, which say which of the others are in use, and
// the epoch to which they belong. So a record is cleared, or begins with an epoch, by its first word alone. A word a
// cycle is read (as zero if it is not in use), added to in the next cycle, and written in the third, always with the
// same adder. gnomon_arcs adds the same figures in the same cycles.
`default_nettype none

module gnomon_records #(
  parameter RECORDS_LOG2 = 10,
  parameter EPOCHS       = 0, // 1: has two banks, for the running epoch and for the one before
  parameter EPOCH_BITS   = 31,
  parameter LOSSES       = 0
) (
  input  wire        clk_i,
  input  wire        hart_rst_i,
  input  wire        clear_i,     // clears everything, when the hart's reset begins; does not wait for its end
  output wire        cleared_o,
  input  wire [EPOCH_BITS-1:0] epoch_i,  // in which add_i adds and from which show_i reads

  // Not with busy_o. From the next cycle on, the inputs up to busy_o must stay while busy_o is 1, and one cycle longer.
  // The memory has the sums two cycles after that.
  input  wire        add_i,   // adds a frame that ends
  input  wire        lose_i,  // adds calls that were dropped, and their cycles
  input  wire [RECORDS_LOG2-1:0] id_i,
  input  wire [47:0] cycles_i, self_i,
  input  wire        outermost_i,
  input  wire        call_i,     // 0: adds only cycles
  input  wire [21:0] repeats_i,  // with call_i: add_i stands for that many calls more
  input  wire        length_i,   // cycles_i is the length of a call
  input  wire        lost_here_i, lost_i,
  input  wire [31:0] lost_calls_i,
  output wire        busy_o,
  output wire [47:0] addend_o,  // from the fourth cycle after add_i on: self, total, calls (except for one)

  // Reads, not with busy_o: for each place in the register window, first place 0.
  input  wire        show_i,
  input  wire [RECORDS_LOG2-1:0] which_i,
  input  wire [3:0]  place_i,
  output wire [31:0] shown_o,  // one cycle after place_i
  output wire        lost_here_o, lost_o,
  output wire        untimed_o // some calls have no known length
);
  localparam R = RECORDS_LOG2, B = EPOCHS != 0 ? R + 1 : R;
  localparam [2:0] STATE = 3'd0, CALLS = 3'd1, SELF = 3'd2, TOTAL = 3'd3, MIN = 3'd4, MAX = 3'd5, LOST_CALLS = 3'd6,
      LOST_CYCLES = 3'd7;
  localparam MARKS = 5; // marks of the first word

  // Places of the window are the lower and upper halves of the words, in order, up to PAIR; then those of the losses.
  localparam [3:0] PAIR_PLACE = 4'd11, LOST_CALLS_PLACE = 4'd12, LOST_CYCLES_HI_PLACE = 4'd14;
  wire loss_place = place_i >= LOST_CALLS_PLACE;
  wire [3:0] next_place = place_i + 4'd1;
  wire [2:0] place_word = !loss_place ? next_place[3:1] : place_i == LOST_CALLS_PLACE ? LOST_CALLS : LOST_CYCLES;

  // ---- The steps: which word is read ---- In the order STATE, MIN, MAX, SELF, TOTAL, CALLS; or STATE, the losses.
  reg [2:0] step;
  reg losing;
  wire start = add_i || lose_i;
  // The next addition can begin in the cycle after CALLS was read: CALLS has its addend from the cycle before.
  wire reading = step != STATE;
  assign busy_o = reading && step != CALLS;
  reg clearing;
  reg [B-1:0] sweep;
  assign cleared_o = !clearing;
  always @(posedge clk_i) begin
    if (start) step <= lose_i ? LOST_CALLS : MIN;
    else case (step)
      MAX: step <= SELF;
      TOTAL: step <= CALLS;
      STATE, CALLS, LOST_CYCLES: step <= STATE;
      default: step <= step + 3'd1;
    endcase
    if (start) losing <= lose_i;
    sweep <= sweep + {{(B - 1) {1'b0}}, 1'b1};
    if (&sweep) clearing <= 1'b0;
    if (hart_rst_i) step <= STATE;
    if (clear_i) begin
      clearing <= 1'b1;
      sweep <= {B{1'b0}};
    end
  end

  // ---- The memory ----
  (* no_rw_check *) reg [47:0] words[0:(1<<(B+3))-1];
  // A word that is not in use is blanked after the memory. As a reset of what was read it would become the reset of an
  // ECP5's block RAM, and such a block has been seen to read as 0 for ever.
  reg [47:0] word_read;
  reg blanked;
  wire [47:0] word = word_read & {48{!blanked}};
  wire [2:0] word_at = show_i ? place_word : step;
  wire [R:0] row = {epoch_i[0], show_i ? which_i : id_i};
  reg write;
  reg [B+2:0] write_at;
  reg [47:0] result;
  always @(posedge clk_i) begin
    word_read <= words[{row[B-1:0], word_at}];
    blanked <= blank;
    if (write) words[write_at] <= result;
  end

  // ---- The word that was read ----
  reg here, show; // a word of an addition; of the reader
  reg [2:0] at;
  reg upper, none; // the reader's half; it has nothing there
  reg [B-1:0] row_here;
  reg called, lossy, marked_here, marked_lost, untimed; // the record's marks
  wire [EPOCH_BITS-1:0] epoch = word[MARKS+:EPOCH_BITS];
  wire [MARKS-1:0] marks = word[MARKS-1:0] & {MARKS{EPOCHS == 0 || epoch == epoch_i}};
  wire [MARKS-1:0] more = {
    1'b0, losing, {3{!losing}} & {lost_here_i, lost_i, call_i && (!length_i || |repeats_i)}
  } | {!losing, {(MARKS - 1) {1'b0}}};
  wire in_lengths = at == MIN || at == MAX;
  // Whether the word that is read next is in use.
  wire first = (here || show) && at == STATE;
  wire [1:0] in_use = first ? marks[4:3] : {called, lossy};
  wire blank = word_at != STATE && !(word_at >= LOST_CALLS ? in_use[0] && LOSSES != 0 : in_use[1]);
  // Shortest and longest call, of 36 bits. The shortest one is kept inverted, so that the larger of the two stays: the
  // adder subtracts the call's length (or its inverse), and without a carry, the length replaces the word.
  wire long = |cycles_i[47:36];
  wire keep = (at == MIN && !long) || (at == TOTAL && outermost_i) || at == LOST_CYCLES;
  wire invert = at == MAX && !long;
  wire ones = in_lengths && (!length_i || (at == MIN && long));
  reg call; // call_i and repeats_i of the cycle before
  reg [21:0] repeats;
  always @(posedge clk_i) {call, repeats} <= {call_i, repeats_i};
  wire [47:0] addend = {{12{in_lengths}} | (cycles_i[47:36] & {12{keep}}), {36{ones}} | (cycles_i[35:0] & {36{keep}}) |
      (~cycles_i[35:0] & {36{invert}})} | (self_i & {48{at == SELF}}) |
      {16'd0, lost_calls_i & {32{at == LOST_CALLS && LOSSES != 0}}} |
      {26'd0, repeats & {22{at == CALLS && call}}};
  assign addend_o = addend;
  wire [47:0] sum;
  wire carry;
  gnomon_record_sum u_sum (
    .word_i(word), .below_48_i(at == CALLS || at == LOST_CALLS), .below_40_i(at == LOST_CALLS),
    .addend_i(addend), .carry_i(in_lengths || (at == CALLS && call)), .sum_o(sum), .carry_o(carry)
  );
  always @(posedge clk_i) begin
    here <= start || reading;
    show <= show_i;
    at <= word_at;
    upper <= loss_place ? place_i == LOST_CYCLES_HI_PLACE : !place_i[0];
    none <= place_i == PAIR_PLACE || place_i == 4'd0;
    row_here <= row[B-1:0];
    if (first) {called, lossy, marked_here, marked_lost, untimed} <= marks;
    write <= here && !(in_lengths && carry && called);
    write_at <= clearing ? {sweep, STATE} : {row_here, at};
    result <= in_lengths ? ~addend : sum | {48{carry}};
    if (at == STATE) begin // the addend is 0
      result[MARKS-1:0] <= marks | more;
      if (EPOCHS != 0) result[MARKS+:EPOCH_BITS] <= epoch_i;
    end
    if (hart_rst_i) {here, write} <= 2'b00;
    if (clearing) begin
      write <= 1'b1;
      result <= 48'd0;
    end
  end

  // ---- What the reader gets ----
  wire [47:0] value = {word[47:40] & {8{at != CALLS}}, word[39:0]} ^ {12'd0, {36{at == MIN}}};
  assign shown_o = none || !show ? 32'd0 : upper ? {16'd0, value[47:32]} : value[31:0];
  assign {lost_here_o, lost_o, untimed_o} = {marked_here, marked_lost, untimed};
  wire unused = &{1'b0, next_place[0], row[R]};
endmodule

`default_nettype wire
