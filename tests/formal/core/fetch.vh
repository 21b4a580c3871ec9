// SPDX-License-Identifier: Apache-2.0
// A retired instruction is the contents of memory at its address. The check follows one word at any address. The word
// changes when the caches are flushed, and instructions after the fence.i must get the new word. Each response belongs
// to the oldest open request.
    (* anyconst *) reg [31:2] place;
    (* anyconst *) reg [31:0] before, after;
    (* anyconst *) reg bad_before, bad_after;        // the word cannot be read
    reg         flushed, fenced;                     // the memory has changed; a fence.i has retired
    reg  [1:0]  q [0:3];                             // of open requests: {at place, after the flush}
    wire        flush_now = i_flush & flush_done;
    wire [1:0]  asks = {i_req_addr[31:2] == place, flushed | flush_now};
    wire [2:0]  left = i_open - {2'd0, i_rsp};
    assign i_rdata = ~q[0][1] ? in_i_rdata : q[0][0] ? after : before;
    assign i_error = ~q[0][1] ? in_i_error : q[0][0] ? bad_after : bad_before;
    integer     n;
    always @(posedge clk_i) begin
        for (n = 0; n < 4; n = n + 1) begin
            if (i_rsp & n < 3)
                q[n] <= q[n + 1];
            if (i_sent & left == n)
                q[n] <= asks;
        end
        flushed <= ~rst & (flushed | flush_now);
        fenced <= ~rst & (fenced | retired & s_kind == FENCE_I);
    end

    wire [31:0] word = fenced ? after : before;
    wire        bad = fenced ? bad_after : bad_before;
    wire        no_insn = obs_trap & obs_trap_cause == 6'd1;
    wire        first = obs_pc_rdata[31:2] == place;
    wire        spans = obs_pc_rdata[1] & ~s_short;
    wire        second = spans & obs_pc_rdata[31:2] + 30'd1 == place;
    wire [15:0] low = obs_pc_rdata[1] ? word[31:16] : word[15:0];
    always @(posedge clk_i)
        if (~rst & obs_valid) begin
            assert (~first | no_insn | ~bad & obs_insn[15:0] == low);
            assert (~first | no_insn | s_short | obs_pc_rdata[1] | obs_insn[31:16] == word[31:16]);
            assert (~second | no_insn | ~bad & obs_insn[31:16] == word[15:0]);
            assert (~s_short | no_insn | obs_insn[31:16] == 16'd0);
            // A readable word causes no fault, except for an instruction that continues in the next word.
            assert (~first | ~no_insn | bad | obs_pc_rdata[1] & low[1:0] == 2'b11);
            assert (~i_flush | ~d_req_valid & d_open == 3'd0);
        end
