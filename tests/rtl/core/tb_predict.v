// SPDX-License-Identifier: Apache-2.0
// gnomon_core_predict against a model that learns one jump or branch after the other, without delay. The prediction in
// each cycle must be the model's state two cycles before, except for a word that is being written. Stimuli: random
// jumps, branches, calls and returns at addresses that share entries, histories and counters, with resets at any time.
`timescale 1ns / 1ns
`default_nettype none

module tb_predict;
    parameter integer ENTRIES_LOG2 = 3;
    parameter integer TAG_BITS = 2;
    parameter integer NEAR = 12;
    parameter integer HISTORY = 4;
    parameter integer COUNTERS_LOG2 = 6;
    parameter integer STACK_LOG2 = 2;
    parameter integer CYCLES = 100000;
    parameter integer SEED = 1;
    localparam integer COUNTERS = 1 << COUNTERS_LOG2;
    localparam integer ENTRIES = 1 << ENTRIES_LOG2;
    localparam integer DEPTH = 1 << STACK_LOG2;

    reg clk = 0, rst = 1;
    always #5 clk = !clk;

    reg [31:2] f_addr = 0;
    wire f_known, f_taken, f_half;
    wire [31:1] f_target;
    reg d_call = 0, d_return = 0, x_holds_call = 0, x_holds_return = 0;
    reg [31:1] d_link = 0;
    reg x_stays = 0;                     // the jump or branch stays in X
    reg x_valid = 0, x_short = 0, x_known = 0, x_expected = 0, x_moved = 0, x_taken = 0, x_always = 0, x_later = 0, m_taken = 0;
    reg x_call = 0, x_return = 0;
    reg [31:1] x_pc = 0, x_target = 0, x_link = 0;
    wire [31:1] x_next = x_pc + (x_short ? 31'd1 : 31'd2);

    gnomon_core_predict #(
      .ENTRIES_LOG2(ENTRIES_LOG2), .TAG_BITS(TAG_BITS), .NEAR(NEAR), .HISTORY(HISTORY), .COUNTERS_LOG2(COUNTERS_LOG2),
      .STACK_LOG2(STACK_LOG2)
    ) dut (
      .clk_i(clk), .rst_i(rst), .f_addr_i(f_addr), .f_known_o(f_known), .f_taken_o(f_taken), .f_half_o(f_half),
      .f_target_o(f_target), .d_call_i(d_call), .d_return_i(d_return), .d_link_i(d_link), .x_holds_call_i(x_holds_call),
      .x_holds_return_i(x_holds_return), .x_holds_jump_i(x_valid | x_stays), .x_valid_i(x_valid), .x_pc_i(x_pc),
      .x_word_next_i(x_next[31:2]), .x_short_i(x_short), .x_known_i(x_known), .x_expected_i(x_expected), .x_moved_i(x_moved), .x_taken_i(x_taken),
      .x_always_i(x_always), .x_later_i(x_later), .m_taken_i(m_taken), .x_call_i(x_call), .x_return_i(x_return),
      .x_target_i(x_target), .x_link_i(x_link)
    );

    integer seed = SEED, errors = 0, cycle = 0, i;
    integer known = 0, taken = 0, returned = 0, collisions = 0, learnt = 0;
    task fail(input [8*30-1:0] what);
        begin
            $display("cycle %0d: %0s of word %h: known %b taken %b half %b target %h, not %b %b %b %h", cycle, what, {looked, 2'b00}, f_known,
                     f_taken, f_half, {f_target, 1'b0}, l_known, l_known & l_taken, l_half, {l_return ? top : {looked[31:NEAR], l_target}, 1'b0});
            errors = errors + 1;
            if (errors > 5) $fatal(1, "predict: too many errors");
        end
    endtask

    // Entries: the instruction that ends in a word.
    reg e_valid[0:ENTRIES-1], e_return[0:ENTRIES-1], e_half[0:ENTRIES-1], e_taken[0:ENTRIES-1];
    reg [TAG_BITS-1:0] e_tag[0:ENTRIES-1];
    reg [NEAR-1:1] e_target[0:ENTRIES-1];
    function [TAG_BITS-1:0] tag_of(input [31:2] word);
        tag_of = word >> ENTRIES_LOG2;
    endfunction
    function integer place_of(input [31:2] word);
        place_of = word % ENTRIES;
    endfunction

    // Two-bit counters, selected by the branch's history, oldest outcome uppermost, and by its word.
    integer count[0:COUNTERS-1];
    reg [HISTORY-1:0] history[0:ENTRIES-1];
    reg met[0:ENTRIES-1];
    function integer counter_of(input [31:2] word, input [HISTORY-1:0] past);
        counter_of = ((word ^ ((past >> 1) << (COUNTERS_LOG2 - HISTORY))) % (COUNTERS / 2)) * 2 + past[0];
    endfunction

    // The return stack: a ring.
    reg [31:1] ring[0:DEPTH-1];
    integer depth = 0;
    reg [31:1] top;
    task find_top;  // the top for instructions after X and D
        if (d_call) top = d_link;
        else if (x_holds_call) top = d_return ? ring[depth] : x_link;
        else top = ring[(depth + 2 * DEPTH - d_return - x_holds_return) % DEPTH];
    endtask

    // The lookup of the previous cycle.
    reg [31:2] looked = 0;
    reg l_known = 0, l_return = 0, l_half = 0, l_taken = 0;
    reg [NEAR-1:1] l_target = 0;
    // The instruction that left X in the previous cycle; decided in this cycle.
    reg u_valid = 0, u_known = 0, u_expected = 0, u_moved = 0, u_taken = 0, u_always = 0, u_later = 0, u_return = 0;
    reg [31:1] u_last = 0, u_target = 0;
    reg w_valid = 0, w_return = 0, w_half = 0, w_taken = 0;
    reg [31:2] w_word = 0;
    reg [NEAR-1:1] w_target = 0;
    integer since = 0;  // cycles since reset
    reg went, expect_taken;
    reg [HISTORY-1:0] past, now;
    integer index, place;

    task decide;  // learns the instruction in U; w_* has the written values
        begin
            went = u_later ? m_taken : u_taken;
            place = place_of(u_last[31:2]);
            past = u_known ? history[place] : {HISTORY{1'b1}};
            now = past << 1 | went;
            w_valid = 0;
            if (u_valid) begin
                history[place] = now;
                met[place] = 1;
                expect_taken = went;
                if (!u_always && (u_known || went) && since >= COUNTERS) begin
                    index = counter_of(u_last[31:2], past);
                    if (went && count[index] < 3) count[index] = count[index] + 1;
                    if (!went && count[index] > 0) count[index] = count[index] - 1;
                    expect_taken = count[counter_of(u_last[31:2], now)] >= 2;
                end
                w_valid = (u_known || went) && (!u_known || u_moved || expect_taken != u_expected)
                          && (u_return || u_target >> (NEAR - 1) == u_last >> (NEAR - 1));
                w_word = u_last[31:2];
                w_half = u_last[1];
                w_return = u_return;
                w_taken = expect_taken;
                w_target = u_target;
            end
        end
    endtask

    always @(posedge clk) begin
        cycle <= cycle + 1;
        // The prediction for F; undefined before the first reset.
        if (cycle > 1 && f_known !== l_known) fail("known");
        if (cycle > 1 && f_taken !== (l_known & l_taken)) fail("taken");
        if (l_known) begin
            find_top;
            known = known + 1;
            taken = taken + l_taken;
            returned = returned + l_return;
            if (f_half !== l_half) fail("half");
            // In reset nobody fetches, and the return stack is being cleared.
            if (!rst && f_target !== (l_return ? top : {looked[31:NEAR], l_target})) fail("target");
        end
        // A word that is being written is not predicted.
        place = place_of(f_addr);
        looked <= f_addr;
        l_known <= since >= ENTRIES && e_valid[place] && e_tag[place] == tag_of(f_addr) && !(w_valid && place_of(w_word) == place);
        collisions = collisions + (w_valid && e_valid[place] && place_of(w_word) == place);
        l_return <= e_return[place];
        l_half <= e_half[place];
        l_taken <= e_taken[place];
        l_target <= e_target[place];
        if (w_valid && since >= ENTRIES) begin
            place = place_of(w_word);
            e_valid[place] = 1;
            e_tag[place] = tag_of(w_word);
            e_half[place] = w_half;
            e_return[place] = w_return;
            e_taken[place] = w_taken;
            e_target[place] = w_target;
            learnt = learnt + 1;
        end
        decide;
        u_valid <= x_valid;
        u_known <= x_known;
        u_expected <= x_expected;
        u_moved <= x_moved;
        u_taken <= x_taken;
        u_always <= x_always;
        u_later <= x_later;
        u_return <= x_return;
        u_last <= x_pc + !x_short;
        u_target <= x_target;
        if (x_call) begin
            depth = (depth + 1) % DEPTH;
            ring[depth] = x_link;
        end else if (x_return) depth = (depth + DEPTH - 1) % DEPTH;
        since <= since + 1;
        if (rst) begin
            since <= 0;
            depth = 0;
            for (i = 0; i < DEPTH; i = i + 1) ring[i] = 0;
            for (i = 0; i < COUNTERS; i = i + 1) count[i] = i % 2 != 0 ? 2 : 1;
            for (i = 0; i < ENTRIES; i = i + 1) begin
                e_valid[i] = 0;
                met[i] = 0;
            end
        end
    end

    // Stimuli. Few words, so that they collide; regions differ in the bits above NEAR.
    function [31:1] some_place(input integer unused);
        reg [31:1] a;
        begin
            a = 0;
            a[1+:ENTRIES_LOG2 + 3] = {$random(seed)} >> 3;
            if (ENTRIES_LOG2 > 5) a[ENTRIES_LOG2-:5] = 0;
            if ({$random(seed)} % 64 == 0) a = {$random(seed)} >> 1;
            else if ({$random(seed)} % 4 == 0) a[31:NEAR] = 1;
            some_place = a;
        end
    endfunction
    function one_of(input integer n);
        one_of = {$random(seed)} % n == 0;
    endfunction
    reg [31:1] last;
    integer n, at, resets = 0;
    reg resetting;
    reg loops;   // executes one branch again and again
    initial begin
        for (i = 0; i < ENTRIES; i = i + 1) begin
            e_valid[i] = 0;
            met[i] = 0;
        end
        repeat (3) @(posedge clk);
        loops = 0;
        for (n = 0; n < CYCLES; n = n + 1) begin
            @(posedge clk);
            // A reset lasts as long as the return stack needs to be cleared; the core's lasts longer.
            if (n == 0 || n % (16 * COUNTERS) > 15 * COUNTERS && one_of(COUNTERS)) resets = DEPTH + 8;
            resetting = resets != 0;
            rst <= resetting;
            if (resetting) resets = resets - 1;
            if (one_of(32)) loops = !loops;
            f_addr <= one_of(4) ? some_place(0) >> 1 : one_of(2) ? u_last[31:2] : one_of(2) ? w_word : x_pc[31:2] + one_of(3);
            m_taken <= one_of(2);
            d_call <= 0;
            d_return <= 0;
            x_holds_call <= 0;
            x_holds_return <= 0;
            if (one_of(3)) d_call <= 1;
            else if (one_of(2)) d_return <= 1;
            if (one_of(3)) x_holds_call <= 1;
            else if (one_of(2)) x_holds_return <= 1;
            d_link <= {$random(seed)} >> 1;
            x_link <= resetting ? 0 : {$random(seed)} >> 1;
            x_valid <= !one_of(4);
            x_stays <= one_of(2);
            if (!loops || one_of(8)) x_pc <= some_place(0);
            x_short <= loops ? x_short : one_of(2);
            x_target <= one_of(2) ? some_place(0) : x_pc ^ {$random(seed)} % 64;
            x_call <= 0;
            x_return <= 0;
            if (one_of(6)) x_call <= 1;
            else if (one_of(4)) x_return <= 1;
            #1;
            // The instruction is a jump or branch; its prediction may be outdated or another instruction's.
            last = x_pc + !x_short;
            at = place_of(last[31:2]);
            x_always <= (x_call || x_return) || !loops && one_of(4);
            x_known <= (met[at] || u_valid && place_of(u_last[31:2]) == at) && !one_of(6);
            x_expected <= one_of(4) ? one_of(2) : e_taken[at] === 1'b1;
            #1;
            x_taken <= x_always || !one_of(loops ? 4 : 2);
            x_later <= !x_always && one_of(3);
            x_moved <= x_always && one_of(4);
        end
        if (errors != 0) $fatal(1, "predict: %0d errors", errors);
        if (known < CYCLES / 50 || collisions == 0 || learnt == 0) $fatal(1, "predict: hardly anything was predicted");
        $display("predict, %0d entries: %0d words known of %0d, %0d taken, %0d returns, %0d while written, %0d learnt: good", ENTRIES, known,
                 CYCLES, taken, returned, collisions, learnt);
        $finish;
    end
endmodule
