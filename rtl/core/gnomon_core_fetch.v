// SPDX-License-Identifier: Apache-2.0
// Fetch: asks for words ahead of the program, keeps them in a queue of three and hands out one instruction of 16 or
// 32 bits a cycle. A response that finds the queue empty goes straight to the output, so a memory that answers in the
// next cycle never starves the decoder, and a redirect costs no more than that memory's latency.
//
// Prediction: the cycle after a word was asked for, p_* say whether a jump or branch ends in it. If it is expected to be taken,
// its target is asked for next, so it costs nothing. What was told of each word waits in a queue of its own. The instruction that
// ends where the prediction says claims it; if none does (code was changed, or the entry is another address's), the words
// behind are wrong: F starts again at that instruction, blind until it is through.
`default_nettype none

module gnomon_core_fetch (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [31:1] boot_pc_i,
    input  wire        stop_i,           // ask for nothing (debug mode)

    // A redirect throws everything away that was fetched; the request for its target leaves in the same cycle.
    input  wire        redirect_i,
    input  wire [31:1] target_i,         // 0 without redirect
    input  wire        blind_i,          // with redirect_i: without prediction for the first instruction

    // Of the word that was asked for in the cycle before.
    input  wire        p_known_i,
    input  wire        p_taken_i,
    input  wire        p_half_i,         // the instruction meant ends in the upper halfword
    input  wire [31:1] p_target_i,

    output wire        i_req_valid_o,
    input  wire        i_req_ready_i,
    output wire [31:2] i_req_addr_o,
    input  wire        i_rsp_valid_i,
    input  wire [31:0] i_rsp_rdata_i,
    input  wire        i_rsp_error_i,

    output wire        f_valid_o,
    input  wire        f_take_i,         // the instruction is consumed (if valid)
    output wire [31:0] f_insn_o,         // upper half meaningless for a compressed one
    output wire [31:1] f_pc_o,           // address of the next instruction in any case, also while nothing is valid
    output wire        f_error_o,        // its fetch failed,
    output wire        f_error_high_o,   // in the second halfword's word
    output wire        f_known_o,        // a prediction is of this instruction,
    output wire        f_taken_o,        // that it is taken: so it goes on
    output wire [31:1] f_target_o        // there
);
    reg  [31:1] f_addr;                  // next word to ask for; bit 1: from its upper halfword on
    reg  [31:1] f_pc;
    reg  [1:0]  f_open;                  // requests not answered,
    reg  [1:0]  f_drop;                  // of which so many, the oldest, are of an abandoned path
    reg  [1:0]  f_count;                 // words in the queue
    reg  [32:0] f_q0, f_q1, f_q2;        // {error, word}, oldest in q0

    // What was told of the words: those of the queue and those on their way, but for the one of which it is told now.
    localparam P = 1 + 1 + 1 + 31;
    reg  [P-1:0] p_q0, p_q1, p_q2;       // {known, taken, half, target}, as the queue of words
    reg  [1:0]  p_queued;
    reg         p_fresh;                 // it is told now of a word
    reg         p_odd;                   // which is entered in its upper halfword
    reg         p_blind;
    wire        p_skipped = p_odd & ~p_half_i;           // the instruction meant is before the entry
    wire        p_known = p_known_i & ~p_skipped & ~p_blind;
    wire        p_steer = p_fresh & p_taken_i & p_known;
    wire [P-1:0] p_new = {p_known, p_taken_i & p_known, p_half_i, p_target_i};

    // Requests.
    reg         f_retry;                 // a prediction was claimed by nobody: start again
    wire        f_restart = redirect_i | f_retry;
    wire [31:1] f_restart_at = redirect_i ? target_i : f_pc;
    wire [2:0] f_ahead = {1'b0, f_count} + {1'b0, f_open};
    wire f_ask = f_restart ? f_open != 2'd3 : f_ahead < 3'd3;
    wire f_sent = i_req_valid_o & i_req_ready_i;
    wire [31:1] f_next_addr = f_restart ? f_restart_at : p_steer ? p_target_i : f_addr;
    assign i_req_valid_o = f_ask & ~stop_i & ~rst_i;
    assign i_req_addr_o = f_next_addr[31:2];

    // Head of the queue.
    wire        f_arrive = i_rsp_valid_i & f_drop == 2'd0;
    wire [32:0] f_rsp = {i_rsp_error_i, i_rsp_rdata_i};
    wire        f_w0_valid = f_count != 2'd0 | f_arrive;
    wire [32:0] f_w0 = f_count != 2'd0 ? f_q0 : f_rsp;
    wire        f_w1_valid = f_count[1] | f_count[0] & f_arrive;
    wire [16:0] f_w1 = f_count[1] ? {f_q1[32], f_q1[15:0]} : {f_rsp[32], f_rsp[15:0]};

    wire        f_odd = f_pc[1];
    wire [15:0] f_low = f_odd ? f_w0[31:16] : f_w0[15:0];
    wire        f_short = f_low[1:0] != 2'b11;
    wire        f_spans = f_odd & ~f_short;
    assign f_insn_o = {f_odd ? f_w1[15:0] : f_w0[31:16], f_low};
    wire        f_whole = f_w0_valid & (~f_spans | f_w0[32] | f_w1_valid);
    assign f_valid_o = f_whole & ~f_unclaimed;
    assign f_error_o = f_w0[32] | f_error_high_o;
    assign f_error_high_o = f_spans & ~f_w0[32] & f_w1[16];
    assign f_pc_o = f_pc;

    // What is told of the words at the head.
    wire        p0_known, p0_taken, p0_half, p1_known, p1_taken, p1_half;
    wire [31:1] p0_target, p1_target;
    assign {p0_known, p0_taken, p0_half, p0_target} = p_queued != 2'd0 ? p_q0 : p_new;
    assign {p1_known, p1_taken, p1_half, p1_target} = p_queued[1] ? p_q1 : p_new;
    wire        f_upper = f_odd | ~f_short;              // it ends in an upper halfword, unless it spans two words
    wire        f_claims = f_spans ? ~p1_half : p0_half == f_upper;
    assign f_known_o = f_claims & (f_spans ? p1_known : p0_known);
    assign f_taken_o = f_claims & (f_spans ? p1_taken : p0_taken);
    assign f_target_o = f_spans ? p1_target : p0_target;
    // The instruction ends behind where one was expected to end that goes elsewhere.
    wire        f_unclaimed = p0_taken & (f_spans | f_upper & ~p0_half);

    wire f_take = f_valid_o & f_take_i;
    wire f_leaves = f_take & f_taken_o;                  // what is behind it in its word is not used
    wire f_pop = f_take & f_upper | f_leaves;
    wire f_pop_two = f_leaves & f_spans;

    // Without pop a word goes to position f_count, with it to the one before.
    wire [1:0] f_put = f_count - {1'b0, f_pop} - {1'b0, f_pop_two};
    wire [1:0] p_put = p_queued - {1'b0, f_pop} - {1'b0, f_pop_two};
    always @(posedge clk_i) begin
        if (f_pop) begin
            {f_q0, f_q1} <= f_pop_two ? {f_q2, f_q2} : {f_q1, f_q2};
            {p_q0, p_q1} <= f_pop_two ? {p_q2, p_q2} : {p_q1, p_q2};
        end
        if (p_fresh & p_put == 2'd0) p_q0 <= p_new;
        if (p_fresh & p_put == 2'd1) p_q1 <= p_new;
        if (p_fresh & p_put == 2'd2) p_q2 <= p_new;
        if (f_arrive & f_put == 2'd0) f_q0 <= f_rsp;
        if (f_arrive & f_put == 2'd1) f_q1 <= f_rsp;
        if (f_arrive & f_put == 2'd2) f_q2 <= f_rsp;
    end

    wire f_step2 = f_short | f_error_high_o;
    always @(posedge clk_i) begin
        f_addr <= f_sent ? {f_next_addr[31:2] + 30'd1, 1'b0} : f_next_addr;
        f_open <= f_open + {1'b0, f_sent} - {1'b0, i_rsp_valid_i};
        f_count <= f_put + {1'b0, f_arrive};
        f_retry <= f_whole & f_unclaimed & ~f_restart;
        p_queued <= p_put + {1'b0, p_fresh};
        p_fresh <= f_sent;
        p_odd <= f_next_addr[1];
        if (f_restart)
            p_blind <= redirect_i ? blind_i : 1'b1;
        else if (f_take)
            p_blind <= 1'b0;
        if (i_rsp_valid_i & f_drop != 2'd0)
            f_drop <= f_drop - 2'd1;
        if (f_restart) begin
            f_drop <= f_open - {1'b0, i_rsp_valid_i};
            f_count <= 2'd0;
            p_queued <= 2'd0;
        end
        if (f_take)
            f_pc <= f_taken_o ? f_target_o : f_pc + {29'd0, ~f_step2, f_step2};
        if (redirect_i)
            f_pc <= target_i;
        if (rst_i) begin
            f_pc <= boot_pc_i;
            f_addr <= boot_pc_i;
            f_open <= 2'd0;
            f_drop <= 2'd0;
            f_count <= 2'd0;
            f_retry <= 1'b0;
            p_queued <= 2'd0;
            p_fresh <= 1'b0;
            p_blind <= 1'b0;
        end
    end
endmodule
`default_nettype wire
