// SPDX-License-Identifier: Apache-2.0
// gnomon_sdram with the chip model, which checks the chip's rules: exact cycles of each kind of access; then random
// requests against a separate memory, with pauses and parking, after each of which the same requests must take the same
// cycles. RCD, RP, RFC: the chip's nanoseconds in cycles of CLOCK_HZ, computed by hand.
`timescale 1ns / 1ps
`default_nettype none

module tb_sdram;
    parameter integer CLOCK_HZ = 50_000_000;
    parameter integer CAS = 2;
    parameter integer CAPTURE = 0;
    parameter integer RCD = 2, RP = 2, RFC = 4;
    parameter integer CYCLES = 60000;
    parameter integer SEED = 1;
    localparam integer BYTES = 262144;        // 64 rows
    localparam integer WORDS = BYTES / 4;
    localparam [63:0] POWER_UP = 64'd2_000_000;
    localparam integer LATENCY = CAS + CAPTURE + 3;  // in an open row

    reg clk = 0, rst = 1, park = 1;
    always #5 clk = !clk;

    reg valid = 0, write = 0;
    reg [17:2] addr = 0;
    reg [31:0] wdata = 0;
    reg [3:0] strb = 0;
    reg [1:0] owner = 0;
    wire ready, rsp, parked, refreshes, pages;
    wire [1:0] rsp_owner;
    wire [31:0] rdata;
    wire cke, cs_n, ras_n, cas_n, we_n, oe;
    wire [1:0] ba, dqm;
    wire [12:0] a;
    wire [15:0] to_chip, from_chip;
    wire chip_drives;

    gnomon_sdram #(
      .CLOCK_HZ(CLOCK_HZ), .BYTES(BYTES), .CAS(CAS), .CAPTURE(CAPTURE), .POWER_UP(POWER_UP)
    ) dut (
      .clk_i(clk), .rst_i(rst), .park_i(park), .parked_o(parked), .req_valid_i(valid), .req_ready_o(ready),
      .req_addr_i(addr), .req_write_i(write), .req_wdata_i(wdata), .req_strb_i(strb), .req_owner_i(owner),
      .rsp_valid_o(rsp), .rsp_owner_o(rsp_owner), .rsp_rdata_o(rdata), .refresh_o(refreshes), .page_o(pages),
      .sdram_cke_o(cke), .sdram_cs_n_o(cs_n), .sdram_ras_n_o(ras_n), .sdram_cas_n_o(cas_n), .sdram_we_n_o(we_n),
      .sdram_ba_o(ba), .sdram_a_o(a), .sdram_dqm_o(dqm), .sdram_dq_o(to_chip), .sdram_dq_oe_o(oe),
      .sdram_dq_i(from_chip)
    );
    gnomon_sdram_chip #(
      .BYTES(BYTES), .POWER_UP(POWER_UP)
    ) chip (
      .clk_i(CAPTURE != 0 ? clk : !clk), .clock_hz_i(CLOCK_HZ), .cke_i(cke), .cs_n_i(cs_n), .ras_n_i(ras_n),
      .cas_n_i(cas_n), .we_n_i(we_n), .ba_i(ba), .a_i(a), .dqm_i(dqm), .dq_i(to_chip), .dq_oe_i(oe), .dq_o(from_chip),
      .dq_oe_o(chip_drives)
    );

    // ---- Expected contents of memory, and expected answers of reads, in order ----
    reg [31:0] memory[0:WORDS-1];
    reg [33:0] expected[0:15];
    reg [31:0] accepted_at[0:15];
    integer now = 0, head = 0, tail = 0, k, errors = 0, latency = 0, answers = 0;
    integer refresh_cycles = 0, page_cycles = 0;

    task fail(input [8*40-1:0] what, input integer got, input integer want);
        begin
            $display("cycle %0d: %0s: %0d, not %0d", now, what, got, want);
            errors = errors + 1;
            if (errors > 5) $fatal(1, "sdram: too many errors");
        end
    endtask

    always @(posedge clk) begin
        now <= now + 1;
        if (!rst) begin
            if (rsp) begin
                if (head == tail) fail("an answer to nothing", 1, 0);
                else begin
                    if ({rsp_owner, rdata} !== expected[head%16]) fail("data", rdata, expected[head%16]);
                    latency = now - accepted_at[head%16];
                    answers = answers + 1;
                    head = head + 1;
                end
            end
            if (valid && ready && !write) begin
                expected[tail%16] = {owner, memory[addr]};
                accepted_at[tail%16] = now;
                tail = tail + 1;
                if (tail - head > 15) fail("reads open", tail - head, 15);
            end
            if (valid && ready && write)
                for (k = 0; k < 4; k = k + 1) if (strb[k]) memory[addr][8*k+:8] = wdata[8*k+:8];
            refresh_cycles = refresh_cycles + refreshes;
            page_cycles = page_cycles + pages;
            if (refreshes && pages) fail("both causes", 1, 0);
        end
    end

    // ---- Requests, one after the other; each task returns in the cycle after acceptance ----
    task ask(input is_write, input [17:2] at, input [31:0] data, input [3:0] lanes);
        begin
            valid = 1;
            write = is_write;
            addr = at;
            wdata = data;
            strb = lanes;
            owner = at[3:2] % 3;
            @(posedge clk);
            while (!ready) @(posedge clk);
            #1 valid = 0;
        end
    endtask
    task settle;  // all reads are answered, and the chip is idle
        begin
            while (head != tail) @(posedge clk);
            repeat (14) @(posedge clk);
            #1;
        end
    endtask
    task read(input [17:2] at);
        begin
            ask(0, at, 0, 4'hF);
            settle;
        end
    endtask
    task refreshed;  // a refresh is complete: all banks are closed, and the next refresh is far
        begin
            @(posedge clk) #1;
            while (!dut.do_refresh) @(posedge clk) #1;
            settle;
        end
    endtask
    function [17:2] place(input [5:0] row, input [1:0] bank, input [7:0] word);
        place = {row, bank, word};
    endfunction

    task timed(input [8*40-1:0] what, input integer want, input integer want_page, input [17:2] first, input [17:2] second, input [17:2] at);
        integer earlier;
        begin
            refreshed;
            read(first);
            read(second);
            earlier = page_cycles;
            read(at);
            if (latency != want) fail(what, latency, want);
            if (page_cycles - earlier != want_page) fail("page cycles", page_cycles - earlier, want_page);
        end
    endtask

    integer started, earlier, n, i;
    task exact;
        begin
            timed("closed bank", LATENCY + RCD, RCD, place(1, 1, 0), place(1, 2, 0), place(1, 0, 0));
            timed("open row", LATENCY, 0, place(1, 1, 0), place(1, 0, 0), place(1, 0, 255));
            timed("another row", LATENCY + RP + RCD, RP + RCD, place(1, 1, 0), place(1, 0, 0), place(2, 0, 0));
            timed("first bank again", LATENCY, 0, place(1, 1, 0), place(1, 0, 0), place(1, 1, 9));

            // Two line fills, back to back, in two banks: a word every two cycles.
            refreshed;
            read(place(2, 0, 0));
            read(place(2, 1, 0));
            started = now;
            earlier = answers;
            for (i = 0; i < 16; i = i + 1) ask(0, place(2, i / 8, (i + 3) % 8), 0, 4'hF);
            settle;
            if (answers - earlier != 16) fail("answers of two fills", answers - earlier, 16);
            // The last read was accepted when the queue of two had room.
            if (accepted_at[(tail-1)%16] + latency - started != LATENCY + 2 * 15) fail("two fills", accepted_at[(tail-1)%16] + latency - started, LATENCY + 2 * 15);

            // Bytes: two writes, then the word.
            refreshed;
            read(place(2, 0, 0));
            ask(1, place(2, 0, 8), 32'h1234_5678, 4'b1111);
            ask(1, place(2, 0, 8), 32'hAABB_CCDD, 4'b0100);
            ask(1, place(2, 0, 8), 32'h1122_3344, 4'b0001);
            read(place(2, 0, 8));
            if (latency != LATENCY + 2) fail("read behind writes", latency, LATENCY + 2);
            if (memory[place(2, 0, 8)] !== 32'h12BB_5644) fail("the bench's own bytes", memory[place(2, 0, 8)], 32'h12BB_5644);

            // A write after a read waits until the chip has left the wires; a written row stays open for tWR.
            refreshed;
            read(place(2, 0, 0));
            ask(0, place(2, 0, 9), 0, 4'hF);
            ask(1, place(2, 0, 10), 32'h5555_AAAA, 4'b1111);
            read(place(2, 0, 10));
            if (latency != LATENCY + CAS + 3) fail("read, write, read", latency, LATENCY + CAS + 3);

            // A request in the cycle in which a refresh begins, with a row open.
            refreshed;
            read(place(2, 0, 0));
            earlier = refresh_cycles;
            while (!refreshes) @(posedge clk) #1;
            ask(0, place(2, 0, 1), 0, 4'hF);
            settle;
            if (latency != LATENCY - 1 + RP + RFC + RCD) fail("behind a refresh", latency, LATENCY - 1 + RP + RFC + RCD);
            if (refresh_cycles - earlier != RP + RFC) fail("refresh cycles", refresh_cycles - earlier, RP + RFC);
        end
    endtask

    // ---- Random ----
    integer seed, gap, burst;
    reg [17:2] at;
    task random(input integer count);
        for (n = 0; n < count; n = n + 1) begin
            if ({$random(seed)} % 8 == 0) at = $random(seed);
            else if ({$random(seed)} % 4 == 0) at = {at[17:10], 8'd0} | ({$random(seed)} & 16'h03FF);
            else at = {at[17:5], at[4:2] + 3'd1};
            ask({$random(seed)} % 3 == 0, at, $random(seed), {$random(seed)} % 4 == 0 ? $random(seed) : 4'hF);
            if ({$random(seed)} % 6 == 0) begin
                gap = {$random(seed)} % ({$random(seed)} % 40 == 0 ? 700 : 12);
                repeat (gap) @(posedge clk);
                #1;
            end
        end
    endtask

    // After parking the same requests take the same cycles, whatever came before.
    reg [31:0] taken[0:255];
    integer visits = 0;
    task script;
        begin
            settle;
            park = 1;
            @(posedge clk);
            while (!parked) @(posedge clk);
            repeat ({$random(seed)} % 60) @(posedge clk);
            #1 park = 0;
            started = now;
            for (i = 0; i < 256; i = i + 1) begin
                ask(i % 5 == 3, {2'b00, i[6:0], i[3:0], 3'd0} ^ i[7:2], i, 4'hF);
                if (visits == 0) taken[i] = now - started;
                else if (taken[i] != now - started) fail("not the same after parking", now - started, taken[i]);
            end
            visits = visits + 1;
        end
    endtask

    initial begin
        seed = SEED;
        at = 0;
        for (n = 0; n < WORDS; n = n + 1) begin
            memory[n] = $random(seed);
            {chip.mem[2*n+1], chip.mem[2*n]} = memory[n];
        end
        repeat (3) @(posedge clk);
        #1 rst = 0;
        while (!parked) @(posedge clk);
        repeat (30) @(posedge clk);
        #1 park = 0;
        exact;
        while (now < CYCLES) begin
            random(300);
            script;
        end
        settle;
        if (chip.refresh_count < 8 + now / (CLOCK_HZ / 128000) / 2) fail("refreshes", chip.refresh_count, now / (CLOCK_HZ / 128000) / 2);
        if (errors != 0) $fatal(1, "sdram: %0d errors", errors);
        $display("sdram: %0d cycles, %0d reads, %0d writes, %0d rows opened, %0d refreshes, %0d times parked: good", now, chip.reads, chip.writes, chip.actives,
            chip.refresh_count, visits);
        $finish;
    end
endmodule
