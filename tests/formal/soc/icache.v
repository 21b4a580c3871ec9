// SPDX-License-Identifier: Apache-2.0
// The instruction cache between any fetcher and any bus that keep the rules of docs/internals/soc.md, checked only at
// its ports. The environment consists of gates that mask free inputs; there are no assumptions. prove.py selects
// CHECK_*.
//
// The check follows one word at any address. Its memory may change, and begin or stop to fail, in any cycle.
`default_nettype none
`ifndef LINE_WORDS
`define LINE_WORDS 2
`endif
`ifndef COMPACT
`define COMPACT 0
`endif
`ifndef SINGLE
`define SINGLE 0
`endif

module formal_icache (
    input wire        clk_i,
    // Free in each cycle.
    input wire        in_valid, in_flush, in_ready, in_rsp, in_error, in_now, in_word_error,
    input wire [6:0]  in_place,
    input wire [31:0] in_data,
    input wire [`BITS-1:0] in_word
);
    localparam integer BYTES = 32, S = 6, W = $clog2(`LINE_WORDS);
    localparam [31:0] BASE = 32'h1000_0000;
    localparam integer B = `BITS;        // number of checked bits of a word
    // Addresses: memory, and the same size after it. One comparison in the cache decides about all bits above.
    wire [31:0] in_addr = BASE ^ {25'd0, in_place};

    reg         started = 1'b0;
    always @(posedge clk_i)
        started <= 1'b1;
    wire        rst = ~started;

    wire        c_ready, c_rsp, c_error, flush_done, miss, b_valid, b_ready, b_rsp, b_error;
    wire [31:0] c_rdata, b_addr, b_rdata;

    // ---- The fetcher ----
    // It requests any address and may change its request; a flush stays until it is done.
    reg         flushing;
    wire        flush = ~rst & (in_flush | flushing);
    wire        c_valid = ~rst & in_valid;
    wire        c_go = c_valid & c_ready;
    always @(posedge clk_i)
        flushing <= flush & ~flush_done;

    // Open requests, the oldest is 0: the known properties of each, and of the last answered one.
    (* anyconst *) wire [6:2] place_offset;
    wire [31:2] place = BASE[31:2] ^ {25'd0, place_offset};
    wire        place_inside = place[31:S] == BASE[31:S];
    wire [2:0]  c_about = {in_addr[31:S] == BASE[31:S], in_addr[31:2+W] == place[31:2+W], in_addr[31:2] == place};
    reg  [2:0]  open;
    reg  [2:0]  about [0:3];
    reg  [2:0]  about_last;
    reg         last;                    // a request has been answered since the last flush
    wire [2:0]  open_left = open - {2'd0, c_rsp};
    wire        inside = about[0][2], in_line = about[0][1], chosen = about[0][0];
    wire        last_inside = about_last[2], last_in_line = last & about_last[1];
    integer     n;
    always @(posedge clk_i) begin
        for (n = 0; n < 4; n = n + 1) begin
            if (c_rsp & n < 3)
                about[n] <= about[n + 1];
            if (c_go & open_left == n)
                about[n] <= c_about;
        end
        if (c_rsp)
            about_last <= about[0];
        last <= ~rst & ~flush_done & (last | c_rsp);
        open <= rst ? 3'd0 : open_left + {2'd0, c_go};
    end

    // ---- Memory and bus ----
    // The current contents of the word; an access returns its contents in some cycle between acceptance and answer.
    reg         word_error;
    reg  [B-1:0] word;
    wire        fails = word_error | ~place_inside;
    always @(posedge clk_i)
        {word_error, word} <= {in_word_error, in_word};

    localparam integer Q = 4;            // maximum of answers that the bus owes
    wire        b_inside = b_addr[31:S] == BASE[31:S];
    wire        b_chosen = b_addr[S-1:2] == place[S-1:2] & b_inside == place_inside;
    wire        b_in_line = b_addr[S-1:2+W] == place[S-1:2+W] & b_inside == place_inside;
    reg  [2:0]  owed;
    reg  [B+3:0] q [0:Q-1];              // {in main memory, in the line, the word, it fails, its data}
    wire [2:0]  owed_left = owed - {2'd0, b_rsp};
    wire        b_go = b_valid & b_ready;
    wire [B:0]  word_now = {fails, word};
    wire        q_inside = q[0][B+3], q_in_line = q[0][B+2], q_chosen = q[0][B+1];
    always @(posedge clk_i) begin
        for (n = 0; n < Q; n = n + 1) begin
            if (b_rsp & n < Q - 1)
                q[n] <= {q[n+1][B+3:B+1], in_now ? word_now : q[n+1][B:0]};
            else if (in_now)
                q[n][B:0] <= word_now;
            if (b_go & owed_left == n)
                q[n] <= {b_inside, b_in_line, b_chosen, word_now};
        end
        owed <= rst ? 3'd0 : owed_left + {2'd0, b_go};
    end
`ifdef WAIT
    // After WAIT refusals or cycles without an answer in a row, the bus accepts or answers.
    reg  [1:0]  refused, late;
    always @(posedge clk_i) begin
        refused <= rst | ~b_valid | b_ready ? 2'd0 : refused + 2'd1;
        late <= rst | owed == 3'd0 | b_rsp ? 2'd0 : late + 2'd1;
    end
    assign b_ready = owed != Q & (in_ready | refused == `WAIT);
    assign b_rsp = owed != 3'd0 & (`COMPACT | in_rsp | late == `WAIT);
`else
    assign b_ready = owed != Q & in_ready;
    assign b_rsp = owed != 3'd0 & (`COMPACT | in_rsp);
`endif
    assign b_error = q_chosen ? q[0][B] : in_error | ~q_inside;
    assign b_rdata = {in_data[31:B], q_chosen & ~b_error ? q[0][B-1:0] : in_data[B-1:0]};

    gnomon_icache #(
      .BYTES(BYTES), .LINE_WORDS(`LINE_WORDS), .BASE(BASE), .SIZE_LOG2(S), .COMPACT(`COMPACT), .SINGLE(`SINGLE)
    ) dut (
        .clk_i(clk_i), .rst_i(rst), .c_req_valid_i(c_valid), .c_req_ready_o(c_ready), .c_req_addr_i(in_addr),
        .c_rsp_valid_o(c_rsp), .c_rsp_rdata_o(c_rdata), .c_rsp_error_o(c_error), .flush_i(flush), .flush_done_o(flush_done),
        .access_o(), .fill_o(), .miss_o(miss), .b_req_valid_o(b_valid), .b_req_ready_i(b_ready), .b_req_addr_o(b_addr), .b_rsp_valid_i(b_rsp),
        .b_rsp_rdata_i(b_rdata), .b_rsp_error_i(b_error));

    // Words of a line are on their way, or were in one of the two previous cycles.
    wire        fill = b_valid | owed != 3'd0;
    reg         fill_1, fill_2;
    always @(posedge clk_i)
        {fill_2, fill_1} <= rst ? 2'b00 : {fill_1, fill};

    reg         held;
    reg  [31:0] held_addr;
    always @(posedge clk_i) begin
        held <= ~rst & b_valid & ~b_ready;
        held_addr <= b_addr;
    end

`ifdef CHECK_ANSWERS
    always @* if (~rst) begin
        // One answer to each request, and no open request when a flush is done.
        if (c_rsp) assert (open != 3'd0);
        assert (open <= 3'd2);
        if (flush_done) assert (open == 3'd0 & owed == 3'd0);
        if (flush) assert (~c_go);
        // Exactly failing words give an error: the bus reports an error of that word in that cycle.
        if (c_rsp & chosen & c_error) assert (b_rsp & b_error & q_chosen);
        if (c_rsp & ~inside) assert (c_error);
    end
`endif

`ifdef CHECK_WORD
    // A returned word was in memory at the address at some time since the end of the last flush.
    (* anyconst *) wire [B-1:0] value;
    reg         held_it;
    wire        seen = held_it | ~fails & word == value;
    always @(posedge clk_i)
        held_it <= ~rst & ~flush_done & seen;
    always @* if (~rst)
        if (c_rsp & chosen & ~c_error & c_rdata[B-1:0] == value) assert (seen);
`endif

`ifdef CHECK_BUS
    always @* if (~rst) begin
        if (held) assert (b_valid & b_addr == held_addr);
        if (b_valid) assert (b_addr[1:0] == 2'b00);
        // Bus requests are only for the line of the oldest open request, or of the last answered one, with the same
        // area (main memory or not).
        if (b_valid) assert (open != 3'd0 & inside == b_inside | last & last_inside == b_inside);
        if (b_valid & place_inside & b_in_line) assert (open != 3'd0 & in_line | last_in_line);
    end
`endif

`ifdef CHECK_MISS
    // A waiting core waits for a line; a word from the cache is no miss; a miss has a fill.
    reg         miss_before, missed;
    reg         failed;                  // a word of the line has failed since the last flush
    always @(posedge clk_i) begin
        miss_before <= ~rst & miss;
        missed <= ~rst & miss & ~fill & ~fill_1 & ~fill_2;
        failed <= ~rst & ~flush_done & (failed | b_rsp & q_in_line & b_error);
    end
    always @* if (~rst) begin
        if (open != 3'd0 & ~c_rsp) assert (miss);
        if (miss & c_rsp) assert (b_rsp);
        if (miss & ~miss_before) assert (open != 3'd0 & ~c_rsp);
        if (missed) assert (b_valid);
        // The line that was used last is in the cache.
        if (open != 3'd0 & in_line & place_inside & last_in_line & ~failed & ~fill & ~fill_1 & ~fill_2)
            assert (c_rsp & ~miss);
    end
`endif

`ifdef CHECK_LIVE
    // With a bus whose waits are at most WAIT cycles.
    reg  [5:0]  unanswered, unaccepted, unflushed;
    always @(posedge clk_i) begin
        unanswered <= rst | open == 3'd0 | c_rsp ? 6'd0 : unanswered + 6'd1;
        unaccepted <= rst | ~c_valid | flush | c_ready ? 6'd0 : unaccepted + 6'd1;
        unflushed <= rst | ~flush | flush_done ? 6'd0 : unflushed + 6'd1;
    end
    always @* if (~rst) begin
        assert (unanswered < `ANSWER);
        assert (unaccepted < `ACCEPT);
        assert (unflushed < `FLUSH);
    end
`endif
endmodule
`default_nettype wire
