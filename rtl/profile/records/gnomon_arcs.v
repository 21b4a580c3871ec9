// SPDX-License-Identifier: Apache-2.0
// Calls and cycles of each pair of caller and callee, in a hash table of two banks. A pair has one place in each bank
// and keeps the first one that it gets. If both places of a pair are taken, its calls are an overflow. A
// list of the taken places lets a reader see only the pairs, in the order of their first end.
//
// A place is a row of four words: the pair with its epoch, calls, self cycles, total cycles. Two cycles read the pairs
// at both places, the third one finds or makes the pair's place. The other words follow as in gnomon_records.
`default_nettype none

module gnomon_arcs #(
  // bits of a number, and log2 of the places for pairs; half of the places are in each bank
  parameter RECORDS_LOG2 = 10,
  parameter EPOCHS       = 0, // 1: everything twice, for the running epoch and for the one before
  parameter EPOCH_BITS   = 31
) (
  input  wire        clk_i,
  input  wire        hart_rst_i,
  input  wire        clear_i,     // clears everything, when the hart's reset begins; does not wait for its end
  output wire        cleared_o,
  input  wire [EPOCH_BITS-1:0] epoch_i,  // in which add_i adds and from which show_i reads
  input  wire        begin_i,     // the next cycle begins the next epoch

  input  wire [RECORDS_LOG2-1:0] first_i,  // first callee of the kept pairs
  input  wire [RECORDS_LOG2-1:0] last_i,   // last callee of the kept pairs; other pairs are ignored
  input  wire [RECORDS_LOG2-2:0] hash_i,   // another value: other pairs share their places

  // Not with busy_o. From the next cycle on, the inputs up to busy_o must stay while busy_o is 1, and one cycle longer.
  input  wire        add_i,
  input  wire        known_i,      // the caller is known
  input  wire [RECORDS_LOG2-1:0] callee_i, caller_i,
  input  wire [47:0] addend_i,     // of gnomon_records, at the same time
  output wire        busy_o,

  // Reads, not with busy_o: for each place in the register window.
  input  wire        show_i,
  input  wire        ended_i,              // the epoch before; valid two cycles before show_i
  input  wire [RECORDS_LOG2-1:0] which_i,  // place in the list; valid two cycles before show_i
  input  wire [3:0]  place_i,
  output wire [31:0] shown_o,              // one cycle after place_i; 0: no pair

  output reg  [RECORDS_LOG2:0] count_o,        // pairs
  output reg  [RECORDS_LOG2:0] ended_count_o,  // pairs of the epoch before
  output wire        overflow_o  // add_i found no place, or the caller is not known
);
  localparam R = RECORDS_LOG2, A = RECORDS_LOG2 - 1, B = EPOCHS != 0 ? R + 1 : R;
  localparam TAG = 1 + (EPOCHS != 0 ? EPOCH_BITS : 0), PAIR = 2 * R;
  localparam WIDTH = TAG + PAIR > 48 ? TAG + PAIR : 48;
  localparam [1:0] NAMES = 2'd0, CALLS = 2'd1, SELF = 2'd2, TOTAL = 2'd3;
  localparam [3:0] FIRST_PLACE = 4'd1, TOTAL_HI_PLACE = 4'd6, PAIR_PLACE = 4'd11;

  // The two places of a pair. One bank rotates the caller's bits by half, the other reverses them, because functions
  // that call each other have similar numbers.
  wire [A-1:0] turned = {caller_i[A/2-1:0], caller_i[A-1:A/2]};
  wire [A-1:0] reversed;
  genvar i;
  generate
    for (i = 0; i < A; i = i + 1) begin : g_reversed
      assign reversed[i] = caller_i[A-1-i];
    end
  endgenerate
  wire [A-1:0] mixed = caller_i[A-1:0] & hash_i;
  wire [A-1:0] place0 = callee_i[A-1:0] ^ turned ^ mixed ^ {{(A - 1) {1'b0}}, callee_i[A]};
  wire [A-1:0] place1 = callee_i[A-1:0] + (reversed ^ mixed) + {{(A - 1) {1'b0}}, caller_i[A]};

  // ---- The steps ---- In those with the upper bit, the others are the word's number.
  localparam [2:0] S_IDLE = 3'd0, S_SECOND = 3'd1, S_FIND = 3'd2, S_SELF = {1'b1, SELF}, S_TOTAL = {1'b1, TOTAL},
      S_CALLS = {1'b1, CALLS};
  reg [2:0] step;
  wire wanted = callee_i >= first_i && callee_i <= last_i;
  wire start = add_i && known_i && wanted;
  wire fits;
  assign busy_o = step != S_IDLE && step != S_CALLS;
  reg clearing;
  reg [B-1:0] sweep;
  assign cleared_o = !clearing;
  always @(posedge clk_i) begin
    case (step)
      S_IDLE: if (start) step <= S_SECOND;
      S_SECOND: step <= S_FIND;
      S_FIND: step <= fits ? S_SELF : S_IDLE;
      S_SELF: step <= S_TOTAL;
      S_TOTAL: step <= S_CALLS;
      default: step <= S_IDLE;
    endcase
    sweep <= sweep + {{(B - 1) {1'b0}}, 1'b1};
    if (&sweep) clearing <= 1'b0;
    if (hart_rst_i) step <= S_IDLE;
    if (clear_i) begin
      clearing <= 1'b1;
      sweep <= {B{1'b0}};
    end
  end

  // ---- The memory ----
  (* no_rw_check *) reg [WIDTH-1:0] words[0:(1<<(B+2))-1];
  reg [WIDTH-1:0] word_read;
  reg blank;
  wire [WIDTH-1:0] word = word_read & {WIDTH{!blank}}; // see gnomon_records
  reg [R-1:0] listed; // bank, and place in the bank, of the pair that is shown
  reg [R-1:0] found;  // and of the pair that is added to
  wire [3:0] next_place = place_i + 4'd1;
  wire [1:0] shown_word = place_i == PAIR_PLACE ? NAMES : next_place[2:1];
  wire adds = step[2];
  wire [1:0] own_word = adds ? step[1:0] : NAMES;
  wire [R-1:0] own_row = step == S_IDLE ? {1'b0, place0} : step == S_SECOND ? {1'b1, place1} : found;
  wire [R+2:0] read_at = {epoch_i[0], show_i ? {listed, shown_word} : {own_row, own_word}};
  reg write;
  reg [B+1:0] write_at;
  reg [WIDTH-1:0] result;
  always @(posedge clk_i) begin
    word_read <= words[read_at[B+1:0]];
    blank <= is_fresh && adds;
    if (write) words[write_at] <= result;
  end

  // ---- The pair's place ----
  wire [EPOCH_BITS:0] used_now = {1'b1, epoch_i};
  wire [TAG-1:0] now = used_now[EPOCH_BITS-:TAG]; // the mark of a place in use, with EPOCHS in this epoch
  wire [PAIR-1:0] pair = {callee_i, caller_i};
  wire used = word[PAIR+:TAG] == now, mine = used && word[PAIR-1:0] == pair;
  reg used0, mine0; // at the place in bank 0
  wire in1 = mine || (!mine0 && used0 && !used);
  assign fits = mine0 || mine || !used0 || !used;
  assign overflow_o = step == S_FIND ? !fits : add_i && !known_i && wanted;
  wire fresh = step == S_FIND && fits && !mine0 && !mine;
  wire [R-1:0] place = {in1, in1 ? place1 : place0};
  wire [R:0] place_row = {epoch_i[0], place};

  // ---- The list ----
  localparam L = EPOCHS != 0 ? R + 1 : R;
  (* no_rw_check *) reg [R-1:0] list[0:(1<<L)-1];
  reg listed_epoch; // of the running epoch's list, its lowest bit
  wire [R:0] list_end = {listed_epoch, count_o[R-1:0]}, list_at = {listed_epoch ^ ended_i, which_i};
  reg is_listed;
  always @(posedge clk_i) begin
    if (fresh) list[list_end[L-1:0]] <= place;
    listed <= list[list_at[L-1:0]];
    is_listed <= {1'b0, which_i} < (ended_i ? ended_count_o : count_o);
    if (fresh) count_o <= count_o + {{R{1'b0}}, 1'b1};
    if (begin_i) begin
      ended_count_o <= count_o;
      count_o <= {(R + 1) {1'b0}};
      listed_epoch <= !listed_epoch;
    end
    if (hart_rst_i) begin
      count_o <= {(R + 1) {1'b0}};
      ended_count_o <= {(R + 1) {1'b0}};
      listed_epoch <= 1'b0;
    end
  end

  // ---- The word that was read ----
  reg here, is_fresh; // a word to be added to; of a place that was free
  reg [1:0] at;
  reg shown, upper; // a word for the reader; its upper half
  reg [B-1:0] row;
  wire [47:0] sum;
  wire carry;
  gnomon_record_sum u_sum (
    .word_i(word[47:0]), .below_48_i(at == CALLS), .below_40_i(1'b0), .addend_i(addend_i),
    .carry_i(at == CALLS), .sum_o(sum), .carry_o(carry)
  );
  always @(posedge clk_i) begin
    {used0, mine0} <= {used, mine};
    if (step == S_FIND) found <= place;
    here <= adds;
    if (step == S_FIND) is_fresh <= fresh;
    at <= show_i ? shown_word : own_word;
    row <= read_at[B+1:2];
    upper <= !place_i[0];
    shown <= show_i && is_listed &&
        (place_i == PAIR_PLACE || (place_i >= FIRST_PLACE && place_i <= TOTAL_HI_PLACE));
    write <= here || fresh;
    write_at <= clearing ? {sweep, NAMES} : fresh ? {place_row[B-1:0], NAMES} : {row, at};
    result <= {{(WIDTH - 48) {1'b0}}, sum | {48{carry}}};
    if (fresh) begin
      result <= {WIDTH{1'b0}};
      result[TAG+PAIR-1:0] <= {now, pair};
    end
    if (hart_rst_i) {here, write} <= 2'b00;
    if (clearing) begin
      write <= 1'b1;
      result <= {WIDTH{1'b0}};
    end
  end

  // ---- What the reader gets ----
  wire [31:0] names = {{(16 - R) {1'b0}}, word[R-1:0], {(16 - R) {1'b0}}, word[PAIR-1:R]};
  wire [15:0] high = {word[47:40] & {8{at != CALLS}}, word[39:32]};
  assign shown_o = !shown ? 32'd0 : at == NAMES ? names : upper ? {16'd0, high} : word[31:0];
  wire unused = &{1'b0, next_place, read_at[R+2], place_row[R], list_end[R], list_at[R], used_now};
endmodule

`default_nettype wire
