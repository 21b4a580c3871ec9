// SPDX-License-Identifier: Apache-2.0
// gnomon_dcache against a memory model with a second master. First directed accesses check the cycle of each answer
// against the module's header; then random accesses run with random bus stalls and latencies, writes by the other
// master, locked accesses and failing registers. Permanent checks: one answer for each request; a load returns the
// hart's view of the word (its own youngest store that has not reached the bus, else memory) in a cycle after its
// acceptance, and no later one; each store reaches the bus once, in order; any other access reaches the bus unchanged
// after all earlier stores, and its error comes back. With SHADOW, a fill first reads the line's shadow words.
`timescale 1ns / 1ns
`default_nettype none

module tb_dcache;
    parameter integer BYTES = 512;
    parameter integer LINE_WORDS = 4;
    parameter integer BUFFER_LOG2 = 2;
    parameter integer CYCLES = 100000;
    parameter integer SEED = 1;
    parameter integer SHADOW = 0, SHADOW_AT = 2; // shadow words of a line
    localparam [31:0] BASE = 32'h1000_0000;
    localparam integer SIZE_LOG2 = 14;
    localparam integer WORDS = 1 << (SIZE_LOG2 - 2);
    localparam integer FULL = 1 << BUFFER_LOG2;

    reg clk = 0, rst = 1;
    always #5 clk = !clk;
    integer now = 0, errors = 0, seed = SEED;
    reg [31:0] drawn;
    function integer random(input integer range);  // 0 .. range - 1; with range 0: any value
        begin
            drawn = drawn ^ (drawn << 13);
            drawn = drawn ^ (drawn >> 17);
            drawn = drawn ^ (drawn << 5);
            random = range != 0 ? drawn[31:1] % range : drawn;
        end
    endfunction

    // Core: at most one access open; the next one is offered in the cycle of the answer.
    reg offer = 0, busy = 0;
    reg c_write = 0, c_lock = 0;
    reg [31:0] c_addr = 0, c_wdata = 0;
    reg [3:0] c_strb = 0;
    integer c_expected = 0;             // cycles to the answer; 0: not checked
    wire c_ready, c_rsp, c_error;
    wire [31:0] c_rdata;
    wire c_valid = offer && (!busy || c_rsp);
    wire accepted = c_valid && c_ready && !rst;

    // Bus.
    wire b_valid, b_write, b_lock, b_shadow, fill, shadow_valid;
    wire [31:0] shadow_addr;
    wire [31:0] b_addr, b_wdata;
    wire [3:0] b_strb;
    reg b_ready = 1, b_rsp = 0, b_error = 0;
    reg [31:0] b_rdata = 0;
    wire b_go = b_valid && b_ready;

    // The other master writes when the bus takes no request of the cache.
    integer others = 0;                 // the other master writes in one of N cycles; 0: never
    reg r_valid = 0, d_valid = 0;       // random and directed writes of the other master
    reg [31:0] r_addr = BASE, r_wdata = 0, d_addr = BASE, d_wdata = 0;
    wire o_valid = others != 0 ? r_valid : d_valid;
    wire [31:0] o_addr = others != 0 ? r_addr : d_addr;
    wire [31:0] o_wdata = others != 0 ? r_wdata : d_wdata;
    wire o_go = o_valid && !b_go;

    wire empty, miss;

    gnomon_dcache #(
      .BYTES(BYTES), .LINE_WORDS(LINE_WORDS), .BASE(BASE), .SIZE_LOG2(SIZE_LOG2), .BUFFER_LOG2(BUFFER_LOG2),
      .SHADOW(SHADOW), .SHADOW_AT(SHADOW_AT)
    ) dut (
      .clk_i(clk), .rst_i(rst), .c_req_valid_i(c_valid), .c_req_ready_o(c_ready), .c_req_addr_i(c_addr),
      .c_req_write_i(c_write), .c_req_wdata_i(c_wdata), .c_req_strb_i(c_strb), .c_req_lock_i(c_lock),
      .c_rsp_valid_o(c_rsp), .c_rsp_rdata_o(c_rdata), .c_rsp_error_o(c_error), .b_req_valid_o(b_valid),
      .b_req_ready_i(b_ready), .b_req_addr_o(b_addr), .b_req_write_o(b_write), .b_req_wdata_o(b_wdata),
      .b_req_strb_o(b_strb), .b_req_lock_o(b_lock), .b_rsp_valid_i(b_rsp), .b_rsp_rdata_i(b_rdata),
      .b_rsp_error_i(b_error), .snoop_valid_i(o_go), .snoop_addr_i(o_addr), .empty_o(empty), .access_o(), .fill_o(fill),
      .miss_o(miss), .b_req_shadow_o(b_shadow), .shadow_valid_o(shadow_valid), .shadow_addr_o(shadow_addr)
    );

    task fail(input [8*48-1:0] what);
        begin
            $display("cycle %0d: %0s (address %h)", now, what, open_addr);
            errors = errors + 1;
            if (errors > 5) $fatal(1, "dcache: too many errors");
        end
    endtask

    // Memory, registers and requests that the bus has not answered.
    reg [31:0] mem[0:WORDS-1];
    function in_ram(input [31:0] a);
        in_ram = a[31:SIZE_LOG2] == BASE[31:SIZE_LOG2];
    endfunction
    function [31:0] lanes(input [31:0] old, input [31:0] data, input [3:0] strb);
        lanes = {strb[3] ? data[31:24] : old[31:24], strb[2] ? data[23:16] : old[23:16],
                 strb[1] ? data[15:8] : old[15:8], strb[0] ? data[7:0] : old[7:0]};
    endfunction
    function [31:0] register(input [31:0] a, input integer number);
        register = (a ^ number) * 32'h9E37_79B1;
    endfunction
    reg [31:0] q_rdata[0:63];
    reg q_error[0:63];
    integer q_due[0:63];
    integer q_head = 0, q_tail = 0, q_last = 0;
    integer bus_requests = 0, direct_done = 0;
    // Shadow words to request, of the fill under way; all of them.
    integer asks = 0, fills = 0, beats = 0;
    reg q_shadow[0:63];
    reg [31:0] q_addr[0:63];
    wire answer_shadow = b_rsp && q_shadow[(q_head+63)%64];
    wire [31:0] answer_addr = q_addr[(q_head+63)%64];
    reg slow = 0, block = 0;
    reg held = 0, h_write = 0;          // a request that the bus did not accept in the previous cycle
    reg [31:0] h_addr = 0, h_wdata = 0;
    reg [3:0] h_strb = 0;

    // Stores that were accepted from the core and have not reached the bus.
    reg [31:0] s_addr[0:63], s_data[0:63];
    reg [3:0] s_strb[0:63];
    integer s_head = 0, s_tail = 0, answered_stores = 0, written = 0;

    // The open access.
    reg [31:0] open_addr = 0, open_data = 0;
    reg open = 0, open_write = 0, open_lock = 0, open_sent = 0;
    reg [3:0] open_strb = 0;
    integer open_since = 0, open_expected = 0, open_number = 0;
    wire open_direct = open_lock || !in_ram(open_addr);

    // Values that the open load may return.
    reg [31:0] view, may[0:4095];
    integer may_count = 0, i;
    reg good;
    task look;
        begin
            view = mem[open_addr[SIZE_LOG2-1:2]];
            for (i = s_head; i < s_tail; i = i + 1)
                if (s_addr[i%64] == open_addr) view = lanes(view, s_data[i%64], s_strb[i%64]);
            if (may_count == 0 || may[may_count-1] != view) begin
                may[may_count%4096] = view;
                may_count = may_count + 1;
            end
        end
    endtask

    // Counts: loads answered at once, loads answered later, stores, writes by the other master; cycles with `miss`.
    integer hits = 0, misses = 0, stores = 0, directs = 0, snoops = 0, miss_cycles = 0;

    always @(posedge clk) begin
        now <= now + 1;
        if (!rst) begin
            miss_cycles = miss_cycles + miss;
            if (miss && (!open || c_rsp || open_direct)) fail("miss, and nothing waits for one");
            if (open && !open_direct && !open_write && !c_rsp && !miss) fail("a load waits, and no miss");
            if (empty != (answered_stores == 0 && !(open && open_write))) fail("empty");

            // Answer.
            if (open && !open_write && !open_direct) look;
            if (c_rsp) begin
                if (!open) fail("answer without request");
                else if (open_direct) begin
                    directs = directs + 1;
                    if (!open_sent || q_head != q_tail) fail("direct access answered before the bus did");
                    if (c_error !== b_error) fail("error flag");
                    if (!open_write && c_rdata !== b_rdata) fail("direct access: wrong data");
                end else begin
                    if (c_error) fail("main memory failed");
                    if (!open_write) begin
                        good = 0;
                        for (i = 0; i < may_count; i = i + 1) good = good || may[i] === c_rdata;
                        if (!good) begin
                            $display("data %h, may be %h", c_rdata, view);
                            fail("load: wrong data");
                        end
                        if (now == open_since + 1) hits = hits + 1;
                        else misses = misses + 1;
                    end else begin
                        stores = stores + 1;
                        answered_stores = answered_stores + 1;
                    end
                end
                if (open && open_expected != 0 && now - open_since != open_expected) begin
                    $display("cycle %0d, address %h: answer after %0d cycles, expected %0d", now, open_addr, now - open_since, open_expected);
                    errors = errors + 1;
                end
                open = 0;
            end
            if (open && now - open_since > 3000) $fatal(1, "dcache: address %h is never answered", open_addr);

            // Bus.
            if (held && (!b_valid || {b_write, b_addr} != {h_write, h_addr} || b_write && {b_wdata, b_strb} != {h_wdata, h_strb}))
                fail("bus: a request that was not accepted has changed");
            held = b_valid && !b_ready;
            {h_write, h_addr, h_wdata, h_strb} = {b_write, b_addr, b_wdata, b_strb};
            if (b_rsp && q_was_store[(q_head+63)%64]) answered_stores = answered_stores - 1;
            if (shadow_valid != answer_shadow) fail("shadow words: another answer than the shadow's");
            if (shadow_valid && shadow_addr != (answer_addr & ~(4 * LINE_WORDS - 1))) fail("shadow words: another line");
            beats = beats + shadow_valid;
            if (b_go && b_shadow != (!b_write && asks != 0)) fail("shadow words: not the first ones of a fill");
            if (b_go && b_shadow && b_addr[31:2] % LINE_WORDS != SHADOW_AT + SHADOW - asks) fail("shadow words: the wrong one");
            if (b_go && b_shadow) asks = asks - 1;
            if (fill) begin
                asks = SHADOW;
                fills = fills + 1;
            end
            if (b_go) begin
                bus_requests = bus_requests + 1;
                if (b_addr[1:0] != 2'b00) fail("bus: address of no word");
                if (b_write && s_head == s_tail) fail("bus: a write that was not asked for");
                if (b_write && (b_addr != s_addr[s_head%64] || b_wdata != s_data[s_head%64] || b_strb != s_strb[s_head%64]))
                    fail("bus: another write than the oldest store");
                if (b_write) begin
                    s_head = s_head + 1;
                    written = written + 1;
                end
                if (!in_ram(b_addr) || b_lock) begin
                    if (!open || !open_direct || open_sent || b_addr != open_addr || b_write != open_write || b_lock != open_lock)
                        fail("bus: direct access is not the open one");
                    if (s_head != s_tail) fail("bus: direct access ahead of a store");
                    open_sent = 1;
                end
                q_shadow[q_tail%64] = b_shadow;
                q_addr[q_tail%64] = b_addr;
                q_rdata[q_tail%64] = b_shadow ? random(0) : in_ram(b_addr) ? mem[b_addr[SIZE_LOG2-1:2]] : register(b_addr, open_number);
                q_error[q_tail%64] = !in_ram(b_addr) && b_addr[4];
                q_was_store[q_tail%64] = in_ram(b_addr) && b_write && !b_lock;
                q_last = slow ? (q_last > now ? q_last : now) + 1 + random(4) : now + 1;
                q_due[q_tail%64] = q_last;
                q_tail = q_tail + 1;
                if (b_write && in_ram(b_addr)) mem[b_addr[SIZE_LOG2-1:2]] = lanes(mem[b_addr[SIZE_LOG2-1:2]], b_wdata, b_strb);
            end else if (o_go) begin
                if (in_ram(o_addr)) mem[o_addr[SIZE_LOG2-1:2]] = o_wdata;
                snoops = snoops + 1;
            end

            // Acceptance by the cache.
            if (accepted) begin
                open = 1;
                open_since = now;
                open_expected = c_expected;
                {open_addr, open_data, open_strb, open_write, open_lock} = {c_addr, c_wdata, c_strb, c_write, c_lock};
                open_number = open_number + 1;
                open_sent = 0;
                may_count = 0;
                if (c_write) begin
                    s_addr[s_tail%64] = c_addr;
                    s_data[s_tail%64] = c_wdata;
                    s_strb[s_tail%64] = c_strb;
                    s_tail = s_tail + 1;
                end
            end
        end
        busy <= open;

        b_rsp <= 0;
        b_rdata <= random(0);
        b_error <= random(0);
        if (q_head < q_tail && q_due[q_head%64] <= now + 1) begin
            b_rsp <= 1;
            b_rdata <= q_rdata[q_head%64];
            b_error <= q_error[q_head%64];
            q_head = q_head + 1;
        end
        b_ready <= !block && (!slow || random(2) != 0);
        if (others != 0) begin
            r_valid <= random(others) == 0;
            r_wdata <= random(0);
            r_addr <= random(4) != 0 ? {open_addr[31:8] & {24{in_ram(open_addr)}} | BASE[31:8], 8'd0} ^ (random(0) & 32'h7C) :
                      BASE + random(WORDS) * 4;
        end
    end
    reg q_was_store[0:63];

    // Stimuli change 1 ns after the clock edge.
    task ticks(input integer number);
        begin
            repeat (number) @(posedge clk);
            #1;
        end
    endtask

    // Offers an access; returns when the cache has accepted it.
    task access(input write, input lock, input [31:0] addr, input [31:0] data, input [3:0] strb, input integer expected);
        reg taken;
        begin
            offer = 1;
            {c_write, c_lock, c_addr, c_wdata, c_strb} = {write, lock, addr, data, strb};
            c_expected = expected;
            taken = 0;
            while (!taken) begin
                @(negedge clk);
                taken = accepted;
                ticks(1);
            end
            offer = 0;
        end
    endtask
    task load(input [31:0] addr, input integer expected);
        access(0, 0, addr, 32'd0, 4'b1111, expected);
    endtask
    task store(input [31:0] addr, input integer expected);
        access(1, 0, addr, random(0), 4'b1111, expected);
    endtask
    task quiet;
        begin
            ticks(4 * LINE_WORDS + 8);
        end
    endtask
    // The other master writes in the next cycle in which the bus is free.
    task other(input [31:0] addr);
        reg taken;
        begin
            d_valid = 1;
            d_addr = addr;
            d_wdata = random(0);
            taken = 0;
            while (!taken) begin
                @(negedge clk);
                taken = o_go;
                ticks(1);
            end
            d_valid = 0;
        end
    endtask
    // Starts to clear the tags: the cache accepts no request before the clearing is complete.
    task reset(input integer cycles);
        integer begun;
        begin
            rst = 1;
            ticks(3);
            rst = 0;
            ticks(1);
            begun = now;
            load(BASE, 3 + SHADOW);
            if (now - begun != cycles) begin
                $display("reset takes %0d cycles, expected %0d", now - begun, cycles);
                errors = errors + 1;
            end
            quiet;
        end
    endtask

    localparam [31:0] A = BASE + 32'h040, B = BASE + 32'h080, REG = 32'hF000_0000;
    localparam integer LW = LINE_WORDS, MISS = 3 + SHADOW;
    integer n, begun_at;
    task directed;
        begin
            reset(BYTES / 4 / LW);
            // A miss, and the words that stream after it; hits.
            load(A, MISS);
            for (n = 1; n < LW; n = n + 1) load(A + 4 * n, 1);
            quiet;
            for (n = 0; n < LW; n = n + 1) load(A + 4 * n, 1);
            // The missing word first, the word before it last; hits in another line meanwhile.
            load(B + 8, MISS);
            load(A + 4, 1);
            load(A + 8, 1);
            load(B + 4, LW - 3);
            quiet;
            for (n = 0; n < LW; n = n + 1) load(B + 4 * n, 1);
            // A miss during a fill: its fill comes after it.
            load(A + BYTES, MISS);
            load(B + BYTES, LW + 2 + SHADOW);
            quiet;
            // An evicted line with the same index.
            load(A, MISS);
            load(A + BYTES, LW + 2 + SHADOW);
            quiet;
            load(A + BYTES, 1);
            load(A, MISS);
            quiet;
            // A store that hits, and loads after it, with all byte lanes and with some.
            store(A, 1);
            load(A, 1);
            access(1, 0, A + 4, 32'h1234_5678, 4'b0010, 1);
            load(A + 4, 1);
            access(1, 0, A + 4, 32'h9ABC_DEF0, 4'b1001, 1);
            access(1, 0, A + 4, 32'h0F1E_2D3C, 4'b0100, 1);
            load(A + 4, 1);
            quiet;
            load(A + 4, 1);
            // A store that misses allocates no line; a load of the same line waits for the store, a load of another
            // line does not.
            store(B, 1);
            load(B, 4 + SHADOW);
            quiet;
            load(B, 1);
            store(B + BYTES, 1);
            quiet;
            load(B, 1);
            store(B + 3 * BYTES + 8, 1);
            load(A + 2 * BYTES, MISS);
            quiet;
            // Stores during a fill: a miss; a hit in another line, where the arriving words leave no free cycle; a
            // store into the line.
            load(A, MISS);
            store(B + 3 * BYTES, 1);
            store(B, LW - 1);
            quiet;
            load(B, 1);
            load(A + BYTES, MISS);
            store(A + BYTES, LW);
            load(A + BYTES, 1);
            quiet;
            load(A + 4, MISS);
            store(A, LW);
            load(A, 1);
            quiet;
            // Registers: accessed after the stores; errors.
            load(REG, 2);
            load(REG + 16, 2);
            store(REG + 4, 2);
            store(REG + 20, 2);
            store(A, 1);
            store(B, 1);
            load(REG, 3);
            load(A - 32'h0800_0000, 2);
            quiet;
            // Locked accesses are not cached, and the locked store invalidates the line.
            load(A, 1);
            access(0, 1, A, 32'd0, 4'b1111, 2);
            load(A, 1);
            store(A, 1);
            access(0, 1, A, 32'd0, 4'b1111, 3);
            access(1, 1, A, 32'hCAFE_F00D, 4'b1111, 2);
            load(A, MISS);
            quiet;
            // Full buffer: the bus accepts nothing, then one store a cycle.
            block = 1;
            ticks(2);
            for (n = 0; n < FULL; n = n + 1) store(A + 4 * n % LW, 1);
            store(B + 4, 13);
            ticks(10);
            block = 0;
            quiet;
            // Writes by the other master: to a cached line; outside of memory; to a line whose fill starts; to a line
            // being filled; in the cycle of acceptance; one cycle later.
            load(A + 4, 1);
            quiet;
            other(A + 4);
            load(A + 4, MISS);
            quiet;
            other(A + 32'h1000_0000);
            load(A + 4, 1);
            load(B + BYTES, MISS);
            other(B + BYTES);
            quiet;
            load(B + BYTES, 1);
            load(B, MISS);
            ticks(3);
            other(B + 4 * LW - 4);
            quiet;
            load(B, MISS);
            quiet;
            d_valid = 1;
            d_addr = A + 4;
            d_wdata = 32'h5EED_5EED;
            load(A + 4, MISS);
            d_valid = 0;
            quiet;
            load(A + 4, 1);
            d_valid = 1;
            ticks(1);
            d_valid = 0;
            quiet;
            load(A + 4, MISS);
            quiet;
            reset(BYTES / 4 / LW);
            load(A, MISS);
            quiet;
        end
    endtask

    initial begin
        if ($value$plusargs("seed=%d", seed)) ;
        drawn = seed * 32'h9E37_79B1 | 32'd1;
        for (n = 0; n < WORDS; n = n + 1) mem[n] = random(0);
        ticks(4);
        rst = 0;
        ticks(1);
        directed;
        if (errors != 0) $fatal(1, "dcache: %0d errors", errors);

        // Random: a few lines, some with the same index; sometimes a stall, a slow bus, another master.
        begun_at = open_number;
        while (now < CYCLES) begin
            if (open_number % 512 == 0) begin
                slow = random(2);
                others = random(2) != 0 ? 0 : random(2) != 0 ? 4 : 100;
            end
            if (random(16) == 0) ticks(random(8));
            if (random(16) == 0) access(random(0), 0, REG + random(16) * 4, random(0), 4'b1111, 0);
            else access(random(3) == 0, random(64) == 0,
                        BASE + (random(8) == 0 ? random(WORDS) : random(3 * LW) + (random(8) == 0 ? BYTES / 4 : 0)) * 4,
                        random(0), random(2) != 0 ? 4'b1111 : random(16), 0);
        end
        others = 0;
        d_valid = 0;
        ticks(3000);
        if (open || s_head != s_tail || q_head != q_tail) fail("not all was done");
        if (open_number - begun_at < CYCLES / 16) fail("too few accesses");
        if (beats != SHADOW * fills) fail("shadow words: too few");
        if (misses < CYCLES / 200 || hits < CYCLES / 50 || snoops < CYCLES / 200 || miss_cycles < misses) fail("too few of a kind");
        $display("dcache %0d bytes, %0d words a line, %0d stores in the buffer: %0d loads at once, %0d later, %0d stores, %0d direct, %0d other writes: %0s",
                 BYTES, LINE_WORDS, FULL, hits, misses, stores, directs, snoops, errors == 0 ? "good" : "bad");
        if (errors != 0) $fatal(1, "dcache %0d/%0d: %0d errors", BYTES, LINE_WORDS, errors);
        $finish;
    end
endmodule
