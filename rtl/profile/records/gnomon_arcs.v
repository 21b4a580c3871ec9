// SPDX-License-Identifier: Apache-2.0
// Calls and cycles of each pair of caller and callee, in a hash table of two banks. A pair has one place in each bank
// and keeps the first one that it gets. If both places of a pair are taken, overflow_o counts its calls, each once. A
// list of the taken places lets a reader see only the pairs, in the order of their first end. add_i comes at most every
// 3 cycles. The result of show_i is at the ports from the next cycle until the next add_i. show_i must not come with
// busy_o, which marks the cycle of a write.
`default_nettype none

module gnomon_arcs #(
  // bits of a number, and log2 of the places for pairs; half of the places are in each bank
  parameter RECORDS_LOG2 = 10,
  parameter EPOCHS       = 0,
  parameter EPOCH_BITS   = 31
) (
  input  wire        clk_i,
  input  wire        hart_rst_i,  // clears, in 2^(RECORDS_LOG2 - 1) cycles, and as long as it lasts
  output wire        cleared_o,
  input  wire [EPOCH_BITS-1:0] epoch_i,
  input  wire        begin_i,     // the next cycle begins the next epoch

  input  wire [RECORDS_LOG2-1:0] first_i,  // first callee of the kept pairs
  input  wire [RECORDS_LOG2-1:0] last_i,   // last callee of the kept pairs; other pairs are ignored
  input  wire [RECORDS_LOG2-2:0] hash_i,   // another value: other pairs share their places

  input  wire        add_i,
  input  wire        known_i,      // the caller is known
  input  wire [21:0] repeats_i,    // add_i stands for that many calls more
  input  wire [RECORDS_LOG2-1:0] callee_i, caller_i,
  input  wire [47:0] cycles_i, self_i,
  input  wire        outermost_i,  // cycles_i count

  input  wire        show_i,
  input  wire        ended_i,              // the epoch before; valid in the cycle before show_i
  input  wire [RECORDS_LOG2-1:0] which_i,  // place in the list; valid in the cycle before show_i
  output wire        busy_o,
  output wire [RECORDS_LOG2-1:0] callee_o, caller_o,
  output wire [39:0] calls_o,              // 0: no pair; calls_o, self_o, total_o saturate at all ones
  output wire [47:0] self_o, total_o,

  output reg  [RECORDS_LOG2:0] count_o,        // pairs
  output reg  [RECORDS_LOG2:0] ended_count_o,  // pairs of the epoch before
  output reg  [31:0] overflow_o                // calls, since the hart's reset
);
  localparam R = RECORDS_LOG2, A = RECORDS_LOG2 - 1;
  localparam WIDTH = 2 * R + 40 + 48 + 48;
  wire [WIDTH-1:0] word0, word1;

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

  localparam L = EPOCHS != 0 ? R + 1 : R; // with epochs there are two lists
  (* no_rw_check *) reg [R-1:0] list[0:(1<<L)-1];
  wire [R:0] list_end = {epoch_i[0], count_o[R-1:0]}, list_at = {epoch_i[0] ^ ended_i, which_i};
  wire unused = &{1'b0, list_end[R], list_at[R]};
  reg [R-1:0] place; // bank, and place in the bank
  reg listed;

  // The first cycle reads both places, the second one finds or makes the pair's place, the third one writes it.
  wire wanted = callee_i >= first_i && callee_i <= last_i;
  reg [21:0] repeats;
  reg second, write0, write1, clearing, shown_bank, shown;
  reg [A-1:0] at0, at1;
  reg [2*R-1:0] pair;
  reg [47:0] cycles, self;
  reg [WIDTH-1:0] sum_q;
  wire [2*R-1:0] pair0 = word0[WIDTH-1-:2*R], pair1 = word1[WIDTH-1-:2*R];
  wire used0 = |word0[96+:40], used1 = |word1[96+:40];
  wire mine0 = used0 && pair0 == pair, mine1 = used1 && pair1 == pair;
  wire in1 = mine1 || (!mine0 && used0 && !used1);
  wire fits = mine0 || mine1 || !used0 || !used1;
  wire fresh = second && fits && !mine0 && !mine1;
  wire [39:0] calls_old;
  wire [47:0] self_old, total_old;
  assign {calls_old, self_old, total_old} = in1 ? word1[135:0] : word0[135:0];
  wire [40:0] calls_sum = {1'b0, calls_old} + {19'd0, repeats} + 41'd1;
  wire [48:0] self_sum = {1'b0, self_old} + {1'b0, self}, total_sum = {1'b0, total_old} + {1'b0, cycles};
  wire [WIDTH-1:0] sum = {pair, calls_sum[39:0] | {40{calls_sum[40]}}, self_sum[47:0] | {48{self_sum[48]}},
                          total_sum[47:0] | {48{total_sum[48]}}};

  reg [A-1:0] sweep;
  assign cleared_o = !clearing;
  gnomon_epoch_ram #(
    .WIDTH(WIDTH), .LOG2(A), .EPOCHS(EPOCHS), .EPOCH_BITS(EPOCH_BITS)
  ) u_bank0 (
    .clk_i(clk_i), .epoch_i(epoch_i), .read_i(add_i || show_i), .ended_i(ended_i && !add_i),
    .read_at_i(add_i ? place0 : place[A-1:0]), .word_o(word0), .clear_i(clearing), .write_i(write0),
    .write_at_i(clearing ? sweep : at0), .word_i(sum_q)
  );
  gnomon_epoch_ram #(
    .WIDTH(WIDTH), .LOG2(A), .EPOCHS(EPOCHS), .EPOCH_BITS(EPOCH_BITS)
  ) u_bank1 (
    .clk_i(clk_i), .epoch_i(epoch_i), .read_i(add_i || show_i), .ended_i(ended_i && !add_i),
    .read_at_i(add_i ? place1 : place[A-1:0]), .word_o(word1), .clear_i(clearing), .write_i(write1),
    .write_at_i(clearing ? sweep : at1), .word_i(sum_q)
  );
  always @(posedge clk_i) begin
    if (fresh) list[list_end[L-1:0]] <= {in1, in1 ? at1 : at0};
    place <= list[list_at[L-1:0]];
    listed <= {1'b0, which_i} < (ended_i ? ended_count_o : count_o);
  end
  always @(posedge clk_i) begin
    second <= add_i && known_i && wanted;
    write0 <= second && fits && !in1;
    write1 <= second && fits && in1;
    if (second && !fits) overflow_o <= overflow_o + {10'd0, repeats} + 32'd1;
    if (add_i && !known_i && wanted) overflow_o <= overflow_o + 32'd1;
    sum_q <= sum;
    if (add_i) begin
      at0 <= place0;
      at1 <= place1;
      pair <= {callee_i, caller_i};
      cycles <= cycles_i & {48{outermost_i}};
      self <= self_i;
      repeats <= repeats_i;
    end
    if (fresh) count_o <= count_o + {{R{1'b0}}, 1'b1};
    if (begin_i) ended_count_o <= count_o;
    if (begin_i) count_o <= {(R + 1) {1'b0}};
    if (show_i) shown_bank <= place[A];
    if (show_i) shown <= listed;
    sweep <= sweep + {{(A - 1) {1'b0}}, 1'b1};
    if (&sweep) clearing <= 1'b0;
    if (hart_rst_i) begin
      second <= 1'b0;
      write0 <= 1'b0;
      write1 <= 1'b0;
      clearing <= 1'b1;
      sweep <= {A{1'b0}};
      count_o <= {(R + 1) {1'b0}};
      ended_count_o <= {(R + 1) {1'b0}};
      overflow_o <= 32'd0;
    end
  end
  assign busy_o = write0 || write1;
  assign {callee_o, caller_o, calls_o, self_o, total_o} = (shown_bank ? word1 : word0) & {WIDTH{shown}};
endmodule

`default_nettype wire
