// SPDX-License-Identifier: Apache-2.0
// gnomon_tag_cache against a model with plain arrays: lines of both caches are filled in any order, with a word now and
// then, while instructions and accesses are looked up in every cycle, the map and the bounds change, and the hart is
// reset. Each answer is compared, also those in the cycle in which the line is written.
`timescale 1ns / 1ns
`default_nettype none

module tb_tag_cache;
    parameter integer CYCLES = 200000;
    localparam [31:0] BASE = 32'h1000_0000;
    localparam integer M = 18, CODE = 3, DATA = 2;      // log2 of memory, of lines
    localparam integer CODE_LINES = 1 << CODE, DATA_LINES = 1 << DATA;

    reg clk = 0, rst = 1, hart_rst = 1;
    always #5 clk = !clk;
    integer now = 0, errors = 0;
    reg [31:0] drawn = 32'h9E37_79B1;
    function integer random(input integer range);  // 0 .. range - 1
        begin
            drawn = drawn ^ (drawn << 13);
            drawn = drawn ^ (drawn >> 17);
            drawn = drawn ^ (drawn << 5);
            random = drawn[31:1] % range;
        end
    endfunction

    reg code = 0, data = 0, map_clear = 0, map_write = 0, set = 0;
    reg [M-1:5] line = 0;
    reg [31:0] word = 0, wdata = 0;
    reg [M-17:0] number = 0;
    reg [1:0] which = 0;
    reg [31:2] fill_address = BASE[31:2], address = BASE[31:2];
    reg [31:1] pc = BASE[31:1];
    wire code_filled, data_filled, has_tags, mapped, word_mapped, unknown, word_unknown, in_code;
    wire [1:0] fill_mapped;
    wire [4:0] tag, word_tag;
    gnomon_tag_cache #(
      .MEMORY_BASE(BASE), .MEMORY_LOG2(M), .CODE_LINES_LOG2(CODE), .DATA_LINES_LOG2(DATA)
    ) dut (
      .clk_i(clk), .rst_i(rst), .hart_rst_i(hart_rst), .code_i(code), .data_i(data), .line_i(line), .word_i(word),
      .code_filled_o(code_filled), .data_filled_o(data_filled), .tagged_o(has_tags), .map_clear_i(map_clear),
      .map_write_i(map_write), .map_number_i(number), .set_i(set), .set_which_i(which), .wdata_i(wdata),
      .fill_address_i(fill_address), .fill_mapped_o(fill_mapped), .pc_i(pc), .address_i(address), .mapped_o(mapped),
      .word_mapped_o(word_mapped), .tag_o(tag), .word_tag_o(word_tag), .unknown_o(unknown),
      .word_unknown_o(word_unknown), .in_code_o(in_code)
    );

    // The model: of each line number, the last lines of code, 0 the newest, and the last one of data.
    reg valid0[0:CODE_LINES-1], valid1[0:CODE_LINES-1], valid_data[0:DATA_LINES-1];
    reg [M-1:5] line0[0:CODE_LINES-1], line1[0:CODE_LINES-1], line_data[0:DATA_LINES-1];
    reg [1:0] map[0:(1<<M-16)-1];
    reg [31:0] bounds[0:3];
    // A line's words; they change with each reset of the hart.
    integer life = 0;
    function [31:0] shadow(input [M-1:5] of, input [1:0] place);
        shadow = of[6+:2] == place ? 32'd0 : ({of, place} + life) * 32'h9E37_79B1;
    endfunction

    // Expected in the next cycle.
    reg e_known, e_data_known, e_mapped, e_word_mapped, e_in_code, e_in_data;
    reg [3:0] e_tag, e_word_tag;
    reg [1:0] e_fill_map;
    reg e_fill, started = 0;
    integer known = 0, unknowns = 0, both = 0, data_knowns = 0, collisions = 0, tags = 0;
    task fail(input [8*40-1:0] what);
        begin
            $display("cycle %0d: %0s", now, what);
            errors = errors + 1;
            if (errors > 5) $fatal(1, "tag cache: too many errors");
        end
    endtask

    reg second = 0;                   // the next word of code is the second one of `filling`
    reg [M-1:5] filling = 0, near = 0;
    integer n, pick, clearing = 0;
    wire [CODE-1:0] pc_line = pc[5+:CODE], at_code = line[5+:CODE];
    wire [DATA-1:0] address_line = address[5+:DATA], at_data = line[5+:DATA];
    wire in_memory = address[31:M] == BASE[31:M];
    reg writes_code, next_code, next_data;
    wire [63:0] code_words = {shadow(pc[M-1:5], 1), shadow(pc[M-1:5], 0)};
    wire [63:0] line_words = {shadow(line, 1), shadow(line, 0)};
    wire [31:0] data_words = shadow(address[M-1:5], 2);

    // The first word of a line is near the last lines.
    task any_line(output [M-1:5] l);
        l = random(4) == 0 ? random(1 << M - 5) : near & ~13'h007 | random(2) << 5 | random(64) << 6 | random(8);
    endtask

    always @(posedge clk) begin
        writes_code = code && second;
        if (started && !rst) begin
            // The answers to the lookups of the cycle before.
            if (mapped !== e_mapped) fail("map of code");
            if (word_mapped !== e_word_mapped) fail("map of data");
            if (unknown !== !e_known) fail("line of code is known");
            if (tag !== (e_known ? {1'b0, e_tag} : 5'd0)) fail("tag of an instruction");
            if (word_unknown !== (!e_data_known && e_in_data)) fail("line of data is known");
            if (word_tag !== (e_data_known ? {1'b0, e_word_tag} : 5'd0)) fail("tag of a word");
            if (in_code !== e_in_code) fail("bounds of code");
            if (e_fill && fill_mapped !== e_fill_map) fail("map of a filled line");
            if (code_filled !== writes_code) fail("last word of code");
            if (data_filled !== data) fail("last word of data");
        if (writes_code && has_tags !== (line_words != 64'd0)) fail("a line of code has tags");
            if (data && has_tags !== (shadow(line, 2) != 0)) fail("a line of data has tags");
        end
        // What this cycle's lookups must find.
        e_mapped = map[pc[M-1:16]][0];
        e_word_mapped = map[address[M-1:16]][1] && in_memory;
        if (map_write || map_clear) begin
            if (number == pc[M-1:16]) e_mapped = map_write && !map_clear && wdata[8];
            if (number == address[M-1:16]) e_word_mapped = map_write && !map_clear && wdata[9] && in_memory;
        end
        e_fill = !map_write && !map_clear;
        e_fill_map = map[fill_address[M-1:16]];
        e_known = valid0[pc_line] && line0[pc_line] == pc[M-1:5];
        if (valid1[pc_line] && line1[pc_line] == pc[M-1:5] && !(writes_code && at_code == pc_line)) begin
            both = both + !e_known;
            e_known = 1;
        end
        collisions = collisions + (writes_code && at_code == pc_line && valid1[pc_line] && line1[pc_line] == pc[M-1:5]);
        e_data_known = valid_data[address_line] && line_data[address_line] == address[M-1:5] && !(data && at_data == address_line);
        e_tag = code_words[4*pc[4:1]+:4];
        e_word_tag = data_words[4*address[4:2]+:4];
        e_in_code = in_memory && address[M-1:2] >= bounds[0][M-1:2] && address[M-1:2] < bounds[1][M-1:2];
        e_in_data = in_memory && address[M-1:2] >= bounds[2][M-1:2] && address[M-1:2] < bounds[3][M-1:2];
        known = known + e_known;
        unknowns = unknowns + !e_known;
        data_knowns = data_knowns + e_data_known;
        tags = tags + (e_known && e_tag != 0);
        // What this cycle changes.
        if (map_clear) map[number] = 0;
        else if (map_write) map[number] = wdata[9:8];
        if (set) bounds[which] = wdata;
        if (writes_code) begin
            {valid1[at_code], line1[at_code]} = {valid0[at_code], line0[at_code]};
            {valid0[at_code], line0[at_code]} = {1'b1, line};
        end
        if (code) second = !second;
        if (data) {valid_data[at_data], line_data[at_data]} = {1'b1, line};
        if (hart_rst || rst) begin
            for (n = 0; n < CODE_LINES; n = n + 1) {valid0[n], valid1[n]} = 2'b00;
            for (n = 0; n < DATA_LINES; n = n + 1) valid_data[n] = 0;
            second = 0;
        end
        if (rst) for (n = 0; n < 4; n = n + 1) bounds[n] = 0;
        started <= !rst;
        now <= now + 1;

        // The next cycle.
        if (hart_rst) begin
            life = life + 1;
            clearing = CODE_LINES + 1;
        end else if (clearing != 0) clearing = clearing - 1;
        hart_rst <= rst || random(3000) == 0;
        pick = random(12);
        next_code = clearing == 0 && pick < 4;
        next_data = clearing == 0 && pick >= 10;
        {code, data} <= {next_code, next_data};
        if (random(500) == 0) near = random(1 << M - 5);
        if (!second) any_line(filling);
        line <= filling;
        word <= shadow(filling, next_data ? 2 : second ? 1 : 0);
        {map_clear, map_write, set} <= rst ? 3'b100 : {random(200) == 0, random(20) == 0, random(20) == 0};
        number <= rst ? number + 1 : random(4);
        which <= random(4);
        wdata <= random(1 << M) | random(4) << 8;
        fill_address <= BASE[31:2] + random(1 << M - 2);
        any_line(near_line);
        pc <= {BASE[31:M], near_line, 4'd0} | random(16);
        any_line(near_line);
        address <= {BASE[31:M], near_line, 3'd0} | random(8) | (random(8) == 0 ? 1 << M : 0);
    end
    reg [M-1:5] near_line;

    initial begin
        for (n = 0; n < CODE_LINES; n = n + 1) {valid0[n], valid1[n]} = 2'b00;
        for (n = 0; n < DATA_LINES; n = n + 1) valid_data[n] = 0;
        repeat (12) @(posedge clk);
        #1 rst = 0;
        repeat (CYCLES) @(posedge clk);
        if (known < CYCLES / 50 || unknowns < CYCLES / 10 || both < CYCLES / 200 || data_knowns < CYCLES / 100 || collisions < 20 || tags < CYCLES / 200)
            fail("too few of a kind");
        $display("tag cache: %0d instructions known, %0d of them of the line before, %0d unknown, %0d words known, %0d tags, %0d written meanwhile: %0s",
                 known, both, unknowns, data_knowns, tags, collisions, errors == 0 ? "good" : "bad");
        if (errors != 0) $fatal(1, "tag cache: %0d errors", errors);
        $finish;
    end
endmodule
