// SPDX-License-Identifier: Apache-2.0
// gnomon_icache against a memory model: directed fetches check the cycle of each answer against the module's header;
// then random fetch streams (sequential, jumping, withdrawn requests) run with random bus stalls, failing words,
// addresses outside of memory and flushes. With SHADOW, each line inside of memory brings its shadow words first.
`timescale 1ns / 1ns
`default_nettype none

module tb_icache;
    parameter integer BYTES = 512;
    parameter integer LINE_WORDS = 4;
    parameter integer CYCLES = 200000;
    parameter integer COMPACT = 0;  // 1: the compact cache, whose bus must answer in the next cycle
    parameter integer SHADOW = 0;   // shadow words of a line
    localparam [31:0] BASE = 32'h1000_0000;
    localparam [7:0] S = SHADOW, FILLED = 3 + S + LINE_WORDS;

    reg clk = 0, rst = 1;
    always #5 clk = !clk;

    reg c_req_valid = 0;
    reg [31:0] c_req_addr = BASE;
    wire c_req_ready, c_rsp_valid, c_rsp_error;
    wire [31:0] c_rsp_rdata;
    reg flush = 0;
    wire flush_done, miss;
    wire b_req_valid, b_req_shadow, fill, shadow_valid;
    wire [31:0] b_req_addr, shadow_addr;
    reg b_req_ready = 1, b_rsp_valid = 0, b_rsp_error = 0;
    reg [31:0] b_rsp_rdata = 0;

    gnomon_icache #(
      .BYTES(BYTES), .LINE_WORDS(LINE_WORDS), .BASE(BASE), .SIZE_LOG2(16), .COMPACT(COMPACT), .SHADOW(SHADOW)
    ) dut (
      .clk_i(clk), .rst_i(rst), .c_req_valid_i(c_req_valid), .c_req_ready_o(c_req_ready), .c_req_addr_i(c_req_addr),
      .c_rsp_valid_o(c_rsp_valid), .c_rsp_rdata_o(c_rsp_rdata), .c_rsp_error_o(c_rsp_error), .flush_i(flush),
      .flush_done_o(flush_done), .access_o(), .fill_o(fill), .miss_o(miss), .shadow_valid_o(shadow_valid),
      .shadow_addr_o(shadow_addr), .b_req_shadow_o(b_req_shadow), .b_req_valid_o(b_req_valid),
      .b_req_ready_i(b_req_ready), .b_req_addr_o(b_req_addr), .b_rsp_valid_i(b_rsp_valid), .b_rsp_rdata_i(b_rsp_rdata),
      .b_rsp_error_i(b_rsp_error)
    );

    // Memory: contents are a function of address and generation; some words fail.
    reg [31:0] generation = 1;
    function [31:0] content(input [31:0] a);
        content = (a ^ {generation[15:0], 16'h5A5A}) * 32'h9E37_79B1;
    endfunction
    function failing(input [31:0] a);
        failing = a[31:16] != BASE[31:16] || (a[15:8] == 8'h03 && a[4:2] == 3'd5);
    endfunction

    // Bus side: in order, random stalls when `stall` is set.
    reg stall = 0;
    reg [31:0] bus_queue[0:63];
    reg bus_shadow[0:63];
    // Shadow words to request and to come, of the fill under way; all of them.
    integer asks = 0, due = 0, fills = 0, beats = 0;
    reg answer_shadow = 0;
    reg [31:0] answer_addr = 0;
    integer now = 0, errors = 0;
    integer bus_head = 0, bus_tail = 0;
    integer seed = 1;
    always @(posedge clk) begin
        if (b_req_valid && b_req_ready) begin
            bus_queue[bus_tail%64] = b_req_addr;
            bus_shadow[bus_tail%64] = b_req_shadow;
            if (b_req_shadow != (asks != 0) || (asks != 0 && b_req_addr[31:2] % LINE_WORDS != SHADOW - asks)) begin
                $display("cycle %0d: request of %h, shadow %0d", now, b_req_addr, b_req_shadow);
                errors = errors + 1;
            end
            if (asks != 0) asks = asks - 1;
            bus_tail = bus_tail + 1;
        end
        b_rsp_valid <= 0;
        b_rsp_rdata <= $random(seed);
        b_rsp_error <= $random(seed);
        if (b_rsp_valid) begin
            if (shadow_valid != answer_shadow || (due != 0) != answer_shadow || (shadow_valid && (shadow_addr ^ answer_addr) / 4 / LINE_WORDS != 0)) begin
                $display("cycle %0d: answer for %h, shadow %0d, shown as %h, shadow %0d", now, answer_addr, answer_shadow, shadow_addr, shadow_valid);
                errors = errors + 1;
            end
            beats = beats + shadow_valid;
            if (due != 0) due = due - 1;
        end else if (shadow_valid) begin
            $display("cycle %0d: a shadow word, and no answer", now);
            errors = errors + 1;
        end
        if (fill && !rst) begin
            asks = SHADOW;
            due = SHADOW;
            fills = fills + 1;
        end
        answer_shadow <= 0;
        if (bus_head < bus_tail && (!stall || COMPACT != 0 || $random(seed) % 3 != 0)) begin
            b_rsp_valid <= 1;
            b_rsp_error <= bus_shadow[bus_head%64] ? 1'b0 : failing(bus_queue[bus_head%64]);
            b_rsp_rdata <= bus_shadow[bus_head%64] ? $random(seed) : failing(bus_queue[bus_head%64]) ? 32'd0 : content(bus_queue[bus_head%64]);
            answer_shadow <= bus_shadow[bus_head%64];
            answer_addr <= bus_queue[bus_head%64];
            bus_head = bus_head + 1;
        end
        b_req_ready <= !stall || $random(seed) % 2 != 0;
    end

    // Core side: scoreboard of accepted requests.
    reg [31:0] want[0:63];
    integer head = 0, tail = 0, answered_at = 0, accepted_at = 0, hits = 0;
    integer idle = 0;
    task fail(input [8*40-1:0] what);
        begin
            $display("cycle %0d: %0s (address %h data %h)", now, what, want[head%64], c_rsp_rdata);
            errors = errors + 1;
            if (errors > 5) $fatal(1, "icache: too many errors");
        end
    endtask

    always @(posedge clk) begin
        now <= now + 1;
        if (now > CYCLES + 2000) $fatal(1, "icache: the core waits for ever");
        if (!rst) begin
            if (BYTES != 0 && head != tail && !c_rsp_valid && !miss) fail("the core waits, and no miss");
            idle = b_req_valid || head != tail || bus_head != bus_tail || b_rsp_valid ? 0 : idle + 1;
            if (miss && idle > 3) fail("a miss, and nothing missing");
            if (c_rsp_valid) begin
                if (head == tail) fail("answer without request");
                else begin
                    if (c_rsp_error !== failing(want[head%64])) fail("error flag");
                    else if (!c_rsp_error && c_rsp_rdata !== content(want[head%64])) fail("wrong data");
                    if (now == accepted_at + 1) hits = hits + 1;
                    head = head + 1;
                    answered_at = now;
                end
            end
            if (c_req_valid && c_req_ready) begin
                want[tail%64] = c_req_addr;
                tail = tail + 1;
                accepted_at = now;
                if (BYTES != 0 && tail - head > 2) fail("too many outstanding");
            end
        end
    end

    // Directed: offers words back to back, each given by the last 16 bits of its address, and checks the cycle of each
    // answer, counted from the first acceptance.
    task visit(input [8*16-1:0] places, input integer words, input [8*8-1:0] expected);
        integer sent, got, begun, e;
        begin
            sent = 0;
            got = 0;
            begun = -1;
            c_req_valid <= 1;
            c_req_addr <= {BASE[31:16], places[16*7+:16]};
            while (got < words) begin
                @(negedge clk);
                if (c_rsp_valid) begin
                    e = expected[8*(7-got)+:8];
                    if (now - begun != e) begin
                        $display("words %h, number %0d: answer after %0d cycles, expected %0d", places, got, now - begun, e);
                        errors = errors + 1;
                    end
                    got = got + 1;
                end
                if (c_req_valid && c_req_ready) begin
                    if (begun < 0) begun = now;
                    sent = sent + 1;
                end
                @(posedge clk);
                c_req_valid <= sent < words;
                c_req_addr <= {BASE[31:16], places[16*(7-sent%8)+:16]};
            end
            c_req_valid <= 0;
            repeat (3 * LINE_WORDS + SHADOW) @(posedge clk);
        end
    endtask

    // Consecutive words.
    task run(input [31:0] start, input integer words, input [8*8-1:0] expected);
        reg [8*16-1:0] places;
        integer w;
        begin
            for (w = 0; w < 8; w = w + 1) places[16*(7-w)+:16] = start[15:0] + 4 * w;
            visit(places, words, expected);
        end
    endtask

    task do_flush(input integer expected);
        integer begun;
        begin
            flush <= 1;
            @(posedge clk);
            begun = now;
            #1;
            while (!flush_done) begin
                @(posedge clk);
                #1;
            end
            if (expected != 0 && now - begun != expected) begin
                $display("flush took %0d cycles, expected %0d", now - begun, expected);
                errors = errors + 1;
            end
            @(posedge clk);
            flush <= 0;
        end
    endtask

    integer n, flushes;
    reg done;
    initial begin
        repeat (4) @(posedge clk);
        rst <= 0;
        @(posedge clk);
        if (BYTES != 0) begin
            // Cold: the missed word 3 cycles after acceptance, then one a cycle; the next line misses again.
            run(BASE + 32'h40, 6, LINE_WORDS == 4 ? {8'd3 + S, 8'd4 + S, 8'd5 + S, 8'd6 + S, 8'd9 + 8'd2 * S, 8'd10 + 8'd2 * S, 16'd0}
                : {8'd3 + S, 8'd4 + S, 8'd5 + S, 8'd6 + S, 8'd7 + S, 8'd8 + S, 16'd0});
            // Warm: one a cycle.
            run(BASE + 32'h40, 6, {8'd1, 8'd2, 8'd3, 8'd4, 8'd5, 8'd6, 16'd0});
            // Into the middle of a cold line: the critical word first; the words that wrap around are cached
            // afterwards.
            run(BASE + 32'h88, 2, {8'd3 + S, 8'd4 + S, 48'd0});
            run(BASE + 32'h80, 4, {8'd1, 8'd2, 8'd3, 8'd4, 32'd0});
            // Same line index, other tag: evicts the line.
            run(BASE + 32'h80 + BYTES, 2, {8'd3 + S, 8'd4 + S, 48'd0});
            run(BASE + 32'h80, 2, {8'd3 + S, 8'd4 + S, 48'd0});
            // Flush: one cycle a line; then every line misses.
            do_flush(BYTES / 4 / LINE_WORDS);
            run(BASE + 32'h80, 1, {8'd3 + S, 56'd0});
            // Lookups when the last word of a fill arrives: a word of the same line, a word of another line, the
            // arriving word.
            visit({16'h0108, 16'h0108, 96'd0}, 2, {8'd3 + S, FILLED, 48'd0});
            visit({16'h0088, 16'h0144, 16'h0088, 80'd0}, 3, {8'd1, 8'd4 + S, FILLED + 8'd1, 40'd0});
            visit({16'h0188, 16'h0084, 96'd0}, 2, {8'd3 + S, FILLED, 48'd0});
            visit({16'h0208, 16'h0204, 96'd0}, 2, {8'd3 + S, FILLED - 8'd1, 48'd0});
        end

        // Random.
        flushes = 0;
        for (n = 0; n < CYCLES; n = n + 1) begin
            @(posedge clk);
            if (n % 1024 == 0) stall <= $random(seed);
            #1;
            if (flush) begin
                done = flush_done;
                if (done) begin
                    @(posedge clk);
                    flush <= 0;
                end
                c_req_valid <= 0;
            end else if ($random(seed) % 200 == 0 && head == tail && !c_req_valid) begin
                generation = generation + 1;
                flushes = flushes + 1;
                flush <= 1;
            end else if (c_req_valid && tail > 0 && want[(tail-1)%64] != c_req_addr && $random(seed) % 4 != 0) begin
                // Not accepted yet: the request stays.
            end else begin
                c_req_valid <= $random(seed) % 8 != 0 && $random(seed) % 500 != 0 && n % 2048 < 2000;
                if ($random(seed) % 8 != 0) c_req_addr <= want[(tail+63)%64] + 4;
                else if ($random(seed) % 32 == 0) c_req_addr <= {$random(seed)} & 32'h7FFF_FFFC;
                // Differs only in one address bit from a line that is cached or being filled.
                else if ($random(seed) % 16 == 0) c_req_addr <= want[(tail+63)%64] + 4 ^ 32'd65536 << {$random(seed)} % 16;
                else c_req_addr <= BASE + ({$random(seed)} % (3 * (BYTES == 0 ? 512 : BYTES)) & ~32'd3);
            end
        end
        c_req_valid <= 0;
        repeat (100) @(posedge clk);
        if (head != tail) begin
            $display("%0d requests never answered", tail - head);
            errors = errors + 1;
        end
        if (beats != SHADOW * fills) begin
            $display("%0d shadow words in %0d fills", beats, fills);
            errors = errors + 1;
        end
        if (tail < CYCLES / 8) begin
            $display("only %0d requests accepted", tail);
            errors = errors + 1;
        end
        if (errors != 0) $fatal(1, "icache %0d/%0d: %0d errors", BYTES, LINE_WORDS, errors);
        $display("icache %0d bytes, %0d words a line%0s, %0d of shadow: %0d fetches, %0d answered at once, %0d flushes: good", BYTES, LINE_WORDS,
                 COMPACT != 0 ? ", compact" : "", SHADOW, tail, hits, flushes);
        $finish;
    end
endmodule
