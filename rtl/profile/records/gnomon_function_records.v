// SPDX-License-Identifier: Apache-2.0
// The records of functions and traps, with ARCS also of pairs of caller and callee, with BUCKETS_LOG2 also the lengths
// of calls: made of entries of the trace FIFO, read through registers. See docs/internals/profile.md, "Records".
`default_nettype none

module gnomon_function_records #(
  parameter RECORDS_LOG2 = 10,
  parameter FRAMES_LOG2  = 9,
  parameter THREADS_LOG2 = 3,
  parameter ARCS         = 0,
  parameter BUCKETS_LOG2 = 0, // log2 of the records with buckets; 0: none
  parameter EPOCHS       = 0, // 1: an epoch can begin while the hart runs
  parameter LOSSES       = 0, // 1: also counts dropped calls and cycles
  parameter NUMBER_BITS  = 16
) (
  input  wire        clk_i, hart_rst_i,
  input  wire        clear_i,  // power-on, and the beginning of the hart's reset

  // An entry; for the meanings see gnomon_aggregator.
  input  wire        valid_i,
  input  wire [3:0]  type_i,
  input  wire [NUMBER_BITS-1:0] number_i,
  input  wire [31:0] data_i,
  input  wire [47:0] time_i, lost_cycles_i,
  input  wire        lost_calls_i,
  input  wire [31:0] lost_enters_i,  // of a LOST entry
  output wire        taken_o,
  input  wire        quiet_i,
  input  wire [47:0] now_i,
  input  wire        steady_i,

  output wire        idle_o, ended_o,

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o  // one cycle after reg_sel_i, else 0
);
  localparam NUMBERS_LOG2 = RECORDS_LOG2 + (ARCS != 0 ? 1 : 0);
  // a page is 32 records, or the buckets of one record
  localparam PAGE_BITS = BUCKETS_LOG2 != 0 ? RECORDS_LOG2 : NUMBERS_LOG2 - 5;
  wire add, lose, add_outermost, add_lost_here, add_lost, add_call, add_length, add_pair;
  wire [RECORDS_LOG2-1:0] add_id, add_caller, highest;
  wire [47:0] add_cycles, add_self, addend;
  wire [31:0] add_lost_calls, count;
  wire [21:0] add_repeats;

  // Reads: a request, and then a copy of the record, place by place.
  wire show, shown, copy, is_pair, is_bucket, is_ended, is_open;
  wire [PAGE_BITS+4:0] show_id;
  wire [3:0] place;
  wire is_record = !is_pair && !is_bucket && !is_open;
  wire [31:0] record_word, pair_word, bucket_word, open_word;
  wire lost_here, lost_within, untimed;

  wire pair_overflow;
  wire [RECORDS_LOG2-1:0] pair_first, pair_last;
  wire [RECORDS_LOG2-2:0] pair_hash;
  wire [RECORDS_LOG2:0] pair_count, ended_pair_count;

  localparam EPOCH_BITS = 31;
  reg [EPOCH_BITS-1:0] epoch;
  wire mark, begins, marked, open, open_outermost;
  wire [RECORDS_LOG2-1:0] open_number;
  wire [THREADS_LOG2:0] open_context;
  wire [47:0] snapshot_time, open_cycles, open_self;
  wire [FRAMES_LOG2:0] open_count;
  always @(posedge clk_i) begin
    if (marked) epoch <= epoch + {{(EPOCH_BITS - 1) {1'b0}}, 1'b1};
    if (hart_rst_i) epoch <= {EPOCH_BITS{1'b0}};
  end

  // The epoch that is added to, or shown.
  wire [EPOCH_BITS-1:0] epoch_used = epoch - {{(EPOCH_BITS - 1) {1'b0}}, copy && is_ended};

  // While a frame is being added or a record is being shown, the aggregator adds nothing.
  wire records_cleared, records_busy, arcs_cleared, arcs_busy, buckets_cleared, buckets_busy;
  wire busy = records_busy || arcs_busy || buckets_busy || copy;
  wire aggregator_idle;
  assign idle_o = aggregator_idle && !show && !mark;

  gnomon_aggregator #(
    .RECORDS_LOG2(RECORDS_LOG2), .FRAMES_LOG2(FRAMES_LOG2), .THREADS_LOG2(THREADS_LOG2), .EPOCHS(EPOCHS),
    .NUMBER_BITS(NUMBER_BITS)
  ) u_aggregator (
    .clk_i(clk_i), .hart_rst_i(hart_rst_i), .valid_i(valid_i), .type_i(type_i), .number_i(number_i), .data_i(data_i),
    .time_i(time_i), .lost_cycles_i(lost_cycles_i), .lost_calls_i(lost_calls_i), .lost_enters_i(lost_enters_i),
    .taken_o(taken_o), .idle_o(aggregator_idle), .ended_o(ended_o), .busy_i(busy), .add_o(add), .lose_o(lose),
    .add_id_o(add_id), .add_caller_o(add_caller), .add_cycles_o(add_cycles), .add_self_o(add_self),
    .add_lost_calls_o(add_lost_calls), .add_outermost_o(add_outermost), .add_lost_here_o(add_lost_here),
    .add_lost_o(add_lost), .add_call_o(add_call), .add_repeats_o(add_repeats), .add_length_o(add_length),
    .add_pair_o(add_pair), .show_i(show), .show_o(shown),
    .cleared_i(records_cleared && arcs_cleared && buckets_cleared), .mark_i(mark), .quiet_i(quiet_i), .now_i(now_i),
    .steady_i(steady_i),
    .begin_o(begins), .snapshot_time_o(snapshot_time), .marked_o(marked), .open_o(open), .open_number_o(open_number),
    .open_context_o(open_context), .open_outermost_o(open_outermost), .open_cycles_o(open_cycles),
    .open_self_o(open_self), .count_read_i(reg_sel_i), .count_which_i({reg_addr_i[7], reg_addr_i[4:2]}),
    .count_o(count), .highest_o(highest), .arc_overflow_i(pair_overflow)
  );
  gnomon_records #(
    .RECORDS_LOG2(RECORDS_LOG2), .EPOCHS(EPOCHS), .EPOCH_BITS(EPOCH_BITS), .LOSSES(LOSSES)
  ) u_records (
    .clk_i(clk_i), .hart_rst_i(hart_rst_i), .clear_i(clear_i), .cleared_o(records_cleared), .epoch_i(epoch_used),
    .add_i(add), .lose_i(lose && LOSSES != 0), .id_i(add_id), .cycles_i(add_cycles), .self_i(add_self),
    .outermost_i(add_outermost), .call_i(add_call), .repeats_i(add_repeats), .length_i(add_length),
    .lost_here_i(add_lost_here), .lost_i(add_lost), .lost_calls_i(add_lost_calls), .busy_o(records_busy),
    .addend_o(addend),
    .show_i(copy && is_record), .which_i(show_id[RECORDS_LOG2-1:0]), .place_i(place), .shown_o(record_word),
    .lost_here_o(lost_here), .lost_o(lost_within), .untimed_o(untimed)
  );
  gnomon_records_regs #(
    .HIGHEST_BITS(RECORDS_LOG2), .BUCKETS_LOG2(BUCKETS_LOG2), .EPOCHS(EPOCHS), .LOSSES(LOSSES), .EPOCH_BITS(EPOCH_BITS),
    .FRAMES_LOG2(FRAMES_LOG2), .THREADS_LOG2(THREADS_LOG2), .ARCS(ARCS), .PAGE_BITS(PAGE_BITS)
  ) u_records_regs (
      .clk_i(clk_i),
      .clear_i(clear_i),
      .hart_rst_i(hart_rst_i),
      .reg_sel_i(reg_sel_i),
      .reg_write_i(reg_write_i),
      .reg_addr_i(reg_addr_i),
      .reg_wdata_i(reg_wdata_i),
      .reg_rdata_o(reg_rdata_o),
      .show_o(show),
      .shown_i(shown),
      .copy_o(copy),
      .place_o(place),
      .word_i(record_word | pair_word | bucket_word | open_word),
      .lost_here_i(lost_here && is_record),
      .lost_i(lost_within && is_record),
      .untimed_i(untimed && is_record),
      .number_o(show_id),
      .bucket_o(is_bucket),
      .ended_o(is_ended),
      .open_o(is_open),
      .mark_o(mark),
      .marked_i(marked),
      .epoch_i(epoch),
      .snapshot_time_i(snapshot_time),
      .open_count_i(open_count),
      .highest_i(highest),
      .count_i(count),
      .arc_first_o(pair_first),
      .arc_last_o(pair_last),
      .arc_hash_o(pair_hash),
      .arc_count_i(pair_count),
      .ended_arc_count_i(ended_pair_count)
  );

  generate
    if (ARCS != 0) begin : g_arcs
      gnomon_arcs #(
        .RECORDS_LOG2(RECORDS_LOG2), .EPOCHS(EPOCHS), .EPOCH_BITS(EPOCH_BITS)
      ) u_arcs (
        .clk_i(clk_i), .hart_rst_i(hart_rst_i), .clear_i(clear_i), .cleared_o(arcs_cleared),
        .epoch_i(epoch_used), .begin_i(marked),
        .first_i(pair_first), .last_i(pair_last), .hash_i(pair_hash), .add_i(add && add_call), .known_i(add_pair),
        .callee_i(add_id), .caller_i(add_caller), .addend_i(addend),
        .busy_o(arcs_busy), .show_i(copy && is_pair), .ended_i(is_ended),
        .which_i(show_id[RECORDS_LOG2-1:0]), .place_i(place), .shown_o(pair_word), .count_o(pair_count),
        .ended_count_o(ended_pair_count), .overflow_o(pair_overflow)
      );
      assign is_pair = show_id[RECORDS_LOG2] && !is_bucket && !is_open;
    end else begin : g_no_arcs
      wire unused = &{1'b0, add_caller, add_pair, addend, pair_first, pair_last, pair_hash};
      assign {arcs_cleared, arcs_busy, is_pair} = 3'b100;
      assign {pair_word, pair_overflow, pair_count, ended_pair_count} = {(35 + 2 * RECORDS_LOG2) {1'b0}};
    end
  endgenerate

  generate
    if (BUCKETS_LOG2 != 0) begin : g_buckets
      gnomon_buckets #(
        .NUMBER_BITS(RECORDS_LOG2), .FUNCTIONS_LOG2(BUCKETS_LOG2), .EPOCHS(EPOCHS), .EPOCH_BITS(EPOCH_BITS)
      ) u_buckets (
        .clk_i(clk_i), .hart_rst_i(hart_rst_i), .clear_i(clear_i), .cleared_o(buckets_cleared), .epoch_i(epoch_used),
        .add_i(add && add_length), .number_i(add_id), .cycles_i(add_cycles), .busy_o(buckets_busy),
        .show_i(copy && is_bucket), .which_i(show_id[5+:RECORDS_LOG2]), .bucket_i(show_id[4:0]), .place_i(place),
        .shown_o(bucket_word)
      );
    end else begin : g_no_buckets
      assign {buckets_cleared, buckets_busy, bucket_word} = {2'b10, 32'd0};
    end
  endgenerate

  generate
    if (EPOCHS != 0) begin : g_open
      gnomon_open #(
        .RECORDS_LOG2(RECORDS_LOG2), .FRAMES_LOG2(FRAMES_LOG2), .THREADS_LOG2(THREADS_LOG2)
      ) u_open (
        .clk_i(clk_i), .hart_rst_i(hart_rst_i), .begin_i(begins), .add_i(open), .number_i(open_number),
        .context_i(open_context), .outermost_i(open_outermost), .cycles_i(open_cycles), .self_i(open_self),
        .show_i(copy && is_open), .which_i(show_id[FRAMES_LOG2-1:0]), .place_i(place), .shown_o(open_word),
        .count_o(open_count)
      );
    end else begin : g_no_open
      wire unused = &{1'b0, begins, open, open_number, open_context, open_outermost, open_cycles, open_self};
      assign open_word = 32'd0;
      assign open_count = {(FRAMES_LOG2 + 1) {1'b0}};
    end
  endgenerate
endmodule

`default_nettype wire
