// SPDX-License-Identifier: Apache-2.0
// Fetch: asks for words ahead of the program, keeps them in a queue of three and hands out one instruction of 16 or
// 32 bits a cycle. A response that finds the queue empty goes straight to the output, so a memory that answers in the
// next cycle never starves the decoder, and a redirect costs no more than that memory's latency.
`default_nettype none

module gnomon_core_fetch (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [31:1] boot_pc_i,
    input  wire        stop_i,           // ask for nothing (debug mode)

    // A redirect throws everything away that was fetched; the request for its target leaves in the same cycle.
    input  wire        redirect_i,
    input  wire [31:1] target_i,         // 0 without redirect

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
    output wire        f_error_high_o    // in the second halfword's word
);
    reg  [31:2] f_addr;                  // next word to ask for
    reg  [31:1] f_pc;
    reg  [1:0]  f_open;                  // requests not answered,
    reg  [1:0]  f_drop;                  // of which so many, the oldest, are of an abandoned path
    reg  [1:0]  f_count;                 // words in the queue
    reg  [32:0] f_q0, f_q1, f_q2;        // {error, word}, oldest in q0

    // Requests.
    wire [2:0] f_ahead = {1'b0, f_count} + {1'b0, f_open};
    wire f_ask = redirect_i ? f_open != 2'd3 : f_ahead < 3'd3;
    wire f_sent = i_req_valid_o & i_req_ready_i;
    assign i_req_valid_o = f_ask & ~stop_i & ~rst_i;
    assign i_req_addr_o = target_i[31:2] | (redirect_i ? 30'd0 : f_addr);

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
    assign f_valid_o = f_w0_valid & (~f_spans | f_w0[32] | f_w1_valid);
    assign f_error_o = f_w0[32] | f_error_high_o;
    assign f_error_high_o = f_spans & ~f_w0[32] & f_w1[16];
    assign f_pc_o = f_pc;

    wire f_take = f_valid_o & f_take_i;
    wire f_pop = f_take & (f_odd | ~f_short);

    // Without pop a word goes to position f_count, with it to the one before.
    wire [1:0] f_put = f_count - {1'b0, f_pop};
    always @(posedge clk_i) begin
        if (f_pop)
            {f_q0, f_q1} <= {f_q1, f_q2};
        if (f_arrive & f_put == 2'd0) f_q0 <= f_rsp;
        if (f_arrive & f_put == 2'd1) f_q1 <= f_rsp;
        if (f_arrive & f_put == 2'd2) f_q2 <= f_rsp;
    end

    wire f_step2 = f_short | f_error_high_o;
    always @(posedge clk_i) begin
        f_addr <= i_req_addr_o + {29'd0, f_sent};
        f_open <= f_open + {1'b0, f_sent} - {1'b0, i_rsp_valid_i};
        f_count <= f_put + {1'b0, f_arrive};
        if (i_rsp_valid_i & f_drop != 2'd0)
            f_drop <= f_drop - 2'd1;
        if (redirect_i) begin
            f_drop <= f_open - {1'b0, i_rsp_valid_i};
            f_count <= 2'd0;
        end
        if (f_take)
            f_pc <= f_pc + {29'd0, ~f_step2, f_step2};
        if (redirect_i)
            f_pc <= target_i;
        if (rst_i) begin
            f_pc <= boot_pc_i;
            f_addr <= boot_pc_i[31:2];
            f_open <= 2'd0;
            f_drop <= 2'd0;
            f_count <= 2'd0;
        end
    end
endmodule
`default_nettype wire
