// SPDX-License-Identifier: Apache-2.0
// Fetch: requests words ahead of the program, keeps them in a queue of three and delivers one instruction of 16 or 32
// bits per cycle. A response bypasses an empty queue to the output. So a memory that answers in the next cycle never
// starves the decoder, and a redirect costs only the memory's latency.
//
// Prediction: in the cycle after a word's request, p_* tell whether a jump or branch ends in the word. If the jump or
// branch is predicted taken, the next request is for its target, so it costs no cycle. A second queue holds the
// prediction of each word. The instruction that ends at the predicted halfword claims the prediction. If no instruction
// claims it (code was changed, or the entry belongs to another address), the words after it are wrong. Then the core
// redirects F to the instruction that runs past that halfword, and F ignores predictions until this instruction has
// left F.
//
// Both queues are rings: the place of a write does not depend on words that leave, because these are known late in the
// cycle.
`default_nettype none

module gnomon_core_fetch (
  input  wire        clk_i, rst_i,
  input  wire [31:1] boot_pc_i,
  input  wire        stop_i,  // send no requests (debug mode)

  // A redirect discards all fetched words; the request for its target leaves in the same cycle. A correction, which
  // comes late in the cycle, has priority over a jump.
  input  wire        correct_i,
  input  wire [31:1] correct_target_i,
  input  wire        jump_i,
  input  wire [31:1] jump_target_i,
  input  wire        blind_i,  // with correct_i: no prediction for the first instruction

  // Prediction for the word that was requested in the previous cycle.
  input  wire        p_known_i, p_taken_i,
  input  wire        p_half_i,  // the predicted instruction ends in the upper halfword
  input  wire [31:1] p_target_i,

  output wire        i_req_valid_o,
  input  wire        i_req_ready_i,
  output wire [31:2] i_req_addr_o,
  input  wire        i_rsp_valid_i,
  input  wire [31:0] i_rsp_rdata_i,
  input  wire        i_rsp_error_i,

  output wire        f_valid_o,
  input  wire        f_take_i,        // the core takes the instruction (if valid)
  output wire [31:0] f_insn_o,        // the upper half is undefined for a compressed instruction
  output wire [31:1] f_pc_o,          // address of the next instruction, also without f_valid_o
  output wire        f_error_o,       // the fetch of the instruction failed
  output wire        f_error_high_o,  // the fetch of the second halfword failed, not of the first
  output wire        f_unclaimed_o,   // the instruction runs past a predicted jump's end: fetch it again, with blind_i
  output wire        f_known_o,       // the instruction has a prediction
  output wire        f_taken_o,       // the prediction is taken: F continues at f_target_o
  output wire [31:1] f_target_o       // predicted target
);
  reg  [31:1] f_last;                  // f_next_addr of the previous cycle; bit 1: F skips the lower halfword
  // The increment comes one cycle after the request, because f_next_addr comes late.
  reg         f_beyond;                // the word at f_last was requested
  wire [31:1] f_addr = {f_last[31:2] + {29'd0, f_beyond}, f_last[1] && !f_beyond};
  reg  [31:1] f_pc;
  reg  [1:0]  f_open;                  // requests without a response
  reg  [1:0]  f_drop;                  // oldest open requests, of an abandoned path: F discards their responses
  reg  [1:0]  f_count;                 // words in the queue
  reg  [1:0]  f_head;                  // index of the oldest word, in both queues
  // The halves of the words are separate memories, as each has one read port.
  reg  [15:0] f_lows [0:3];
  reg  [15:0] f_highs [0:3];
  reg  [3:0]  f_errors;

  // Predictions of the words in the queue and of the requested words, except the prediction that arrives now (p_new).
  reg  [2:0]  p_queue [0:3];           // {known, taken, half}
  reg  [31:1] p_targets [0:3];
  reg  [1:0]  p_queued;                // predictions in p_queue
  reg         p_fresh;                 // p_new is the prediction of a requested word
  reg         p_odd;                   // F starts in the upper halfword of that word
  reg         p_blind;
  wire        p_skipped = p_odd && !p_half_i;           // the predicted instruction ends before F's start
  wire        p_known = p_known_i && !p_skipped && !p_blind;
  wire        p_steer = p_fresh && p_taken_i && p_known;
  wire [2:0]  p_new = {p_known, p_taken_i && p_known, p_half_i};

  // Requests.
  wire        redirect = correct_i || jump_i;
  wire [2:0] f_ahead = {1'b0, f_count} + {1'b0, f_open};
  wire f_ask = redirect ? f_open != 2'd3 : f_ahead < 3'd3;
  wire f_sent = i_req_valid_o && i_req_ready_i;
  wire [31:1] f_next_addr = correct_i ? correct_target_i : jump_i ? jump_target_i : p_steer ? p_target_i : f_addr;
  assign i_req_valid_o = f_ask && !stop_i && !rst_i;
  assign i_req_addr_o = f_next_addr[31:2];

  // Head of the queue. The response comes late in the cycle, so one selection step merges it into each output.
  wire        f_arrive = i_rsp_valid_i && f_drop == 2'd0;
  wire [1:0]  f_second = f_head + 2'd1;
  wire        f_empty = f_count == 2'd0;
  wire        f_w0_valid = !f_empty || f_arrive;
  wire        f_w1_valid = f_count[1] || f_count[0] && f_arrive;
  wire        f_w0_error = f_empty ? i_rsp_error_i : f_errors[f_head];
  wire        f_w1_error = f_count[1] ? f_errors[f_second] : i_rsp_error_i;

  // An instruction begins in the lower half of the first word, or in the upper half; then it may end in the lower half
  // of the second word.
  wire        f_odd = f_pc[1];
  wire [1:0]  f_low_index = f_odd ? f_second : f_head;
  wire        f_low_empty = f_odd ? !f_count[1] : f_empty;
  wire [15:0] f_word_low = f_low_empty ? i_rsp_rdata_i[15:0] : f_lows[f_low_index];
  wire [15:0] f_word_high = f_empty ? i_rsp_rdata_i[31:16] : f_highs[f_head];
  wire [15:0] f_low = f_odd ? f_word_high : f_word_low;
  wire [15:0] f_high = f_odd ? f_word_low : f_word_high;
  wire        f_short = f_low[1:0] != 2'b11;
  wire        f_spans = f_odd && !f_short;
  assign f_insn_o = {f_high, f_low};
  assign f_valid_o = f_w0_valid && (!f_spans || f_w0_error || f_w1_valid);
  assign f_error_o = f_w0_error || f_error_high_o;
  assign f_error_high_o = f_spans && !f_w0_error && f_w1_error;
  assign f_pc_o = f_pc;

  // Predictions of the words at the head.
  wire        p0_known, p0_taken, p0_half, p1_known, p1_taken, p1_half;
  assign {p0_known, p0_taken, p0_half} = p_queued != 2'd0 ? p_queue[f_head] : p_new;
  assign {p1_known, p1_taken, p1_half} = p_queued[1] ? p_queue[f_second] : p_new;
  wire        f_upper = f_odd || !f_short;              // the instruction ends in an upper halfword (if !f_spans)
  wire        f_claims = f_spans ? !p1_half : p0_half == f_upper;
  assign f_known_o = f_claims && (f_spans ? p1_known : p0_known);
  assign f_taken_o = f_claims && (f_spans ? p1_taken : p0_taken);
  wire [1:0]  p_index = f_spans ? f_second : f_head;
  assign f_target_o = (f_spans ? p_queued[1] : p_queued != 2'd0) ? p_targets[p_index] : p_target_i;
  assign f_unclaimed_o = p0_taken && (f_spans || f_upper && !p0_half);

  wire f_take = f_valid_o && f_take_i;
  wire f_leaves = f_take && f_taken_o;                  // F discards the rest of the word after a taken jump
  wire f_pop = f_take && f_upper || f_leaves;
  wire f_pop_two = f_leaves && f_spans;

  wire [1:0] f_place = f_head + f_count;
  wire [1:0] p_place = f_head + p_queued;
  wire [1:0] f_popped = {f_pop_two, f_pop && !f_pop_two};
  always @(posedge clk_i) begin
    p_queue[p_place] <= p_new;       // p_queued counts the entry only with p_fresh
    p_targets[p_place] <= p_target_i;
    // f_count counts the entry only with f_arrive; at most three entries
    {f_highs[f_place], f_lows[f_place]} <= i_rsp_rdata_i;
    f_errors[f_place] <= i_rsp_error_i;
  end

  // The instruction's length comes late: it only decides whether the word's address changes.
  wire f_step2 = f_short || f_error_high_o;
  wire [31:2] f_next_word = f_pc[31:2] + 30'd1;
  always @(posedge clk_i) begin
    f_last <= f_next_addr;
    f_beyond <= f_sent;
    f_open <= f_open + {1'b0, f_sent} - {1'b0, i_rsp_valid_i};
    f_head <= f_head + f_popped;
    f_count <= f_count + {1'b0, f_arrive} - f_popped;
    p_queued <= p_queued + {1'b0, p_fresh} - f_popped;
    p_fresh <= f_sent;
    p_odd <= f_next_addr[1];
    if (redirect)
      p_blind <= blind_i && correct_i;
    else if (f_take)
      p_blind <= 1'b0;
    if (i_rsp_valid_i && f_drop != 2'd0)
      f_drop <= f_drop - 2'd1;
    if (redirect) begin
      f_drop <= f_open - {1'b0, i_rsp_valid_i};
      f_count <= 2'd0;
      p_queued <= 2'd0;
    end
    if (redirect || f_take && (f_taken_o || f_odd || !f_step2))
      f_pc[31:2] <= redirect ? f_next_addr[31:2] : f_taken_o ? f_target_o[31:2] : f_next_word;
    if (redirect || f_take)
      f_pc[1] <= redirect ? f_next_addr[1] : f_taken_o ? f_target_o[1] : f_odd ^ f_step2;
    if (rst_i) begin
      f_pc <= boot_pc_i;
      f_last <= boot_pc_i;
      f_beyond <= 1'b0;
      f_open <= 2'd0;
      f_drop <= 2'd0;
      f_count <= 2'd0;
      f_head <= 2'd0;
      p_queued <= 2'd0;
      p_fresh <= 1'b0;
      p_blind <= 1'b0;
    end
  end
endmodule
`default_nettype wire
