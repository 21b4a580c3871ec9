// SPDX-License-Identifier: Apache-2.0
// gnomon_interconnect, WAIT = 1, with a memory that accepts and answers at random: three random masters and a
// scoreboard with its own address map and memory. It checks that each request is answered once, in its master's order,
// with the right data and error, and in the next cycle if no memory access is involved, or three cycles later from a late
// register block; that at most one request is
// accepted in a cycle, by priority; the bus monitor; and the wait signals.
`timescale 1ns / 1ns
`default_nettype none

module tb_interconnect_wait;
    parameter integer CYCLES = 100000;
    parameter integer SHADOW = 0;      // 1: main memory has a shadow, read by the caches, and by the host in its window
    localparam [31:0] RAM_BASE = 32'h1000_0000;
    localparam integer RAM_BYTES = 4096;
    localparam integer BLOCKS = 4;
    parameter integer LATE = BLOCKS;

    reg clk = 0, rst = 1;
    always #5 clk = !clk;

    reg h_grant = 1, d_lock = 0, i_valid = 0, d_valid = 0, h_valid = 0, d_write = 0, h_write = 0;
    reg [31:0] i_addr = 0, d_addr = 0, h_addr = 0, d_wdata = 0, h_wdata = 0;
    reg [3:0] d_strb = 0;
    wire d_snoop;
    wire [31:2] d_snoop_addr;
    wire [2:0] readys, rsps, errors_seen;  // by master: instruction, data, host
    wire [31:0] rdata[0:2];
    wire mem_valid, mem_write;
    wire [11:2] mem_addr;
    wire mem_shadow;
    // Words of the shadow: only reads of main memory.
    reg i_pick = 0, d_pick = 0;
    wire i_shadow = SHADOW != 0 && i_pick && in_ram(i_addr);
    wire d_shadow = SHADOW != 0 && d_pick && !d_write && in_ram(d_addr);
    wire [31:0] mem_wdata;
    wire [3:0] mem_strb;
    wire [1:0] mem_owner;
    reg mem_ready = 0, mem_rsp = 0, mem_refresh = 0, mem_page = 0;
    reg [1:0] mem_rsp_owner = 0;
    reg [31:0] mem_rdata = 0;
    wire [BLOCKS-1:0] reg_sel;
    wire reg_write;
    wire [11:0] reg_addr;
    wire [31:0] reg_wdata;
    reg [32*BLOCKS-1:0] reg_rdata = 0;
    wire mon_valid, mon_write, i_refresh, i_page, d_refresh, d_page;
    wire [1:0] mon_master;
    wire [31:0] mon_addr, mon_wdata;
    wire [3:0] mon_strb;

    gnomon_interconnect #(
      .RAM_BASE(RAM_BASE), .RAM_BYTES(RAM_BYTES), .BLOCKS(BLOCKS), .LATE(LATE), .WAIT(1), .SHADOW(SHADOW)
    ) dut (
      .clk_i(clk), .rst_i(rst), .i_req_valid_i(i_valid), .i_req_ready_o(readys[0]), .i_req_addr_i(i_addr), .i_req_shadow_i(i_shadow),
      .i_rsp_valid_o(rsps[0]), .i_rsp_rdata_o(rdata[0]), .i_rsp_error_o(errors_seen[0]), .d_req_valid_i(d_valid),
      .d_req_ready_o(readys[1]), .d_req_addr_i(d_addr), .d_req_shadow_i(d_shadow), .d_req_write_i(d_write), .d_req_wdata_i(d_wdata),
      .d_req_strb_i(d_strb), .d_req_lock_i(d_lock), .d_snoop_valid_o(d_snoop), .d_snoop_addr_o(d_snoop_addr),
      .d_rsp_valid_o(rsps[1]), .d_rsp_rdata_o(rdata[1]), .d_rsp_error_o(errors_seen[1]), .h_grant_i(h_grant),
      .h_req_valid_i(h_valid), .h_req_ready_o(readys[2]), .h_req_addr_i(h_addr), .h_req_write_i(h_write),
      .h_req_wdata_i(h_wdata), .h_rsp_valid_o(rsps[2]), .h_rsp_rdata_o(rdata[2]), .h_rsp_error_o(errors_seen[2]),
      .mem_valid_o(mem_valid), .mem_ready_i(mem_ready), .mem_addr_o(mem_addr), .mem_shadow_o(mem_shadow), .mem_write_o(mem_write),
      .mem_wdata_o(mem_wdata), .mem_strb_o(mem_strb), .mem_owner_o(mem_owner), .mem_rsp_valid_i(mem_rsp),
      .flash_want_o(), .flash_addr_o(), .flash_there_i(1'b0), .flash_take_o(), .flash_idle_i(1'b0), .flash_send_o(), .flash_word_i(32'd0),
      .mem_rsp_owner_i(mem_rsp_owner), .mem_rsp_rdata_i(mem_rdata), .mem_refresh_i(mem_refresh), .mem_page_i(mem_page),
      .i_wait_refresh_o(i_refresh), .i_wait_page_o(i_page), .d_wait_refresh_o(d_refresh), .d_wait_page_o(d_page),
      .reg_sel_o(reg_sel), .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_wdata_o(reg_wdata),
      .reg_rdata_i(reg_rdata), .mon_valid_o(mon_valid), .mon_master_o(mon_master), .mon_write_o(mon_write),
      .mon_addr_o(mon_addr), .mon_strb_o(mon_strb), .mon_wdata_o(mon_wdata)
    );

    // Register blocks: return their number and the offset if selected, else 0.
    integer n;
    reg [BLOCKS-1:0] late_sel = 0;
    reg [11:0] late_addr;
    always @(posedge clk) begin
        {late_sel, late_addr} <= {reg_sel, reg_addr};
        for (n = 0; n < BLOCKS; n = n + 1)
            if (n < LATE) reg_rdata[32*n+:32] <= reg_sel[n] ? {8'hB0 | n[7:0], 12'h0, reg_addr} : 32'd0;
            else reg_rdata[32*n+:32] <= late_sel[n] ? {8'hB0 | n[7:0], 12'h0, late_addr} : 32'd0;
    end

    // Memory: queues requests and answers reads in order, later.
    reg [31:0] memory[0:2047];         // and its shadow
    reg shadow;
    reg [10:0] place;
    reg [33:0] queue[0:63];
    integer q_head = 0, q_tail = 0;
    integer seed = 7, errors = 0, now = 0, w, k;
    integer seen[0:15];

    // Expected answers of each master, in its order: {at its time, error, data counts, data}, and the time.
    reg [34:0] owed[0:3*64-1];
    integer time_owed[0:3*64-1];
    integer o_head[0:2], o_tail[0:2], accepted[0:3*64-1], reads[0:2];

    task check(input ok, input [8*40-1:0] what);
        if (ok !== 1'b1) begin
            $display("cycle %0d: %0s", now, what);
            errors = errors + 1;
            if (errors > 5) $fatal(1, "interconnect: too many errors");
        end
    endtask

    function [31:0] some_address(input integer unused);
        case ({$random(seed)} % 12)
            0: some_address = 32'hE000_0000 | ({$random(seed)} & 32'h01FF_FFFC);
            1, 2: some_address = 32'hF000_0000 | ({$random(seed)} & 32'h0000_3FFC);
            3: some_address = 32'hF000_4000;
            4: some_address = {$random(seed)} & 32'hFFFF_FFFC;
            5: some_address = RAM_BASE + RAM_BYTES;
            7, 8: some_address = RAM_BASE + 32'h2000_0000 + ({$random(seed)} & 32'h0000_007C);
            6: some_address = 32'h0000_0000;
            default: some_address = RAM_BASE + ({$random(seed)} & 32'h0000_007C);
        endcase
    endfunction

    function in_ram(input [31:0] at);
        in_ram = at >= RAM_BASE && at < RAM_BASE + RAM_BYTES;
    endfunction

    function in_window(input [31:0] at);
        in_window = SHADOW != 0 && in_ram(at - 32'h2000_0000);
    endfunction

    // Checks one master's answer.
    reg [34:0] due;
    task answer(input integer m);
        begin
            if (o_head[m] == o_tail[m]) check(!rsps[m], "an answer to nothing");
            else begin
                due = owed[m*64+o_head[m]%64];
                if (due[34]) check(rsps[m] === (now == time_owed[m*64+o_head[m]%64]), "no answer at its time");
                if (rsps[m]) begin
                    check(errors_seen[m] === due[33], "error flag");
                    if (due[32]) check(rdata[m] === due[31:0], "data");
                    if (!due[34]) reads[m] = reads[m] - 1;
                    o_head[m] = o_head[m] + 1;
                end
            end
        end
    endtask

    // The data port accesses a late block, or did so in the cycle before.
    wire d_late = d_valid && d_addr >= 32'hF000_0000 + 4096 * LATE && d_addr < 32'hF000_4000 && (!d_write || d_strb == 4'hF);
    reg d_waits = 0;
    always @(posedge clk) d_waits <= d_late && readys[1];

    reg [1:0] who;
    reg write, is_ram, is_reg, is_lock, any;
    reg [31:0] addr, wdata;
    reg [3:0] strb;
    always @(posedge clk) begin
        now <= now + 1;
        if (!rst) begin
            // Wait signals: based on the answers owed before this cycle.
            check(i_refresh === (mem_refresh && (reads[0] != 0 || (i_valid && in_ram(i_addr)))), "instruction port waits for a refresh");
            check(d_page === (mem_page && (reads[1] != 0 || (d_valid && in_ram(d_addr)))), "data port waits for a row");
            check(i_page === (mem_page && (reads[0] != 0 || (i_valid && in_ram(i_addr)))), "instruction port waits for a row");
            check(d_refresh === (mem_refresh && (reads[1] != 0 || (d_valid && in_ram(d_addr)))), "data port waits for a refresh");
            for (k = 0; k < 3; k = k + 1) answer(k);

            // Acceptance: data, then instruction, then host; one a cycle.
            check(!(i_valid && readys[0] && d_valid) && !(h_valid && readys[2] && (d_valid || i_valid)), "priority");
            if (h_valid && readys[2]) check(h_grant && !(d_lock && h_write), "host without grant");
            if (d_valid && reads[1] == 0 && !in_ram(d_addr)) check(readys[1], "registers must not wait");
            if (d_valid && in_ram(d_addr)) check(readys[1] === (mem_ready && (!d_write || reads[1] == 0)), "data port and memory");
            if (i_valid && !d_valid && in_ram(i_addr)) check(readys[0] === mem_ready, "instruction port and memory");
            if (h_valid && !d_valid && !i_valid && h_grant && !(d_lock && h_write)) check(readys[2] === (mem_ready || !(in_ram(h_addr) || in_window(h_addr))), "host ready");
            any = (d_valid && readys[1]) || (i_valid && readys[0]) || (h_valid && readys[2]);
            who = d_valid ? 1 : i_valid ? 0 : 2;
            addr = d_valid ? d_addr : i_valid ? i_addr : h_addr;
            write = d_valid ? d_write : !i_valid && h_write;
            wdata = d_valid ? d_wdata : h_wdata;
            strb = d_valid ? d_strb : 4'hF;
            shadow = who == 2 ? in_window(addr) : who == 1 ? d_shadow : i_shadow;
            place = {shadow, addr[11:2]};
            check(mon_valid === (any && !(shadow && who != 2)), "monitor valid");
            if (any) check(mon_master === who && mon_addr === addr && mon_write === write, "monitor");
            if (any && write) check(mon_wdata === wdata && mon_strb === strb, "monitor data");

            is_ram = in_ram(addr) || (who == 2 && shadow);
            is_reg = addr >= 32'hF000_0000 && addr < 32'hF000_4000 && who != 0 && (!write || strb == 4'hF);
            is_lock = addr >= 32'hE000_0000 && addr < 32'hE200_0000 && who == 1;
            check(reg_sel === (any && is_reg ? 4'b0001 << addr[13:12] : 4'b0000), "register select");
            if (any && is_reg) check(reg_write === write && reg_addr === addr[11:0] && (!write || reg_wdata === wdata), "register");
            check(mem_valid === (any && is_ram), "memory request");
            if (any && is_ram) check(mem_owner === who && mem_addr === addr[11:2] && mem_write === write && mem_shadow === shadow, "memory request's payload");
            if (any && is_ram && write) check(mem_wdata === wdata && mem_strb === strb, "memory request's data");
            check(d_snoop === (any && who == 2 && write), "snoop");
            if (d_snoop) check(d_snoop_addr === addr[31:2], "snooped address");

            if (any) begin
                owed[who*64+o_tail[who]%64] = {!(is_ram && !write), !(is_ram || is_reg || is_lock), !write && (is_ram || is_reg || is_lock),
                    is_ram ? memory[place] : is_reg ? {8'hB0 | addr[13:12], 12'h0, addr[11:0]} : 32'd0};
                time_owed[who*64+o_tail[who]%64] = now + (is_reg && addr[13:12] >= LATE ? 3 : 1);
                if (is_reg && addr[13:12] >= LATE) seen[5] = seen[5] + 1;
                o_tail[who] = o_tail[who] + 1;
                seen[who] = seen[who] + 1;
                if (is_ram && !write) begin
                    reads[who] = reads[who] + 1;
                    queue[q_tail%64] = {who, memory[place]};
                    q_tail = q_tail + 1;
                    if (reads[1] > seen[4]) seen[4] = reads[1];
                end
                if (is_ram && write)
                    for (w = 0; w < 4; w = w + 1) if (strb[w]) memory[place][8*w+:8] = wdata[8*w+:8];
            end

            // Memory answers at the earliest two cycles after it accepted a request.
            mem_rsp <= q_head != q_tail && $random(seed) % 2;
            mem_rsp_owner <= $random(seed);
            mem_rdata <= $random(seed);
            mem_ready <= q_tail - q_head < 7 && $random(seed) % 4 != 0;
            mem_refresh <= $random(seed) % 2;
            mem_page <= $random(seed) % 2;
        end
    end
    // The head of the queue is sent when an answer is due.
    always @(negedge clk)
        if (mem_rsp) begin
            {mem_rsp_owner, mem_rdata} = queue[q_head%64];
            q_head = q_head + 1;
        end

    // Requests; a request that was not accepted stays, except on the instruction port.
    always @(posedge clk)
        if (!rst) begin
            h_grant <= $random(seed) % 4 != 0;
            d_lock <= $random(seed) % 4 == 0;
            // The data port waits for a late block's answer.
            if (!d_valid || readys[1]) begin
                d_valid <= $random(seed) % 3 == 0 && !d_late && !d_waits;
                d_addr <= some_address(0);
                d_write <= $random(seed) % 3 == 0;
                d_wdata <= $random(seed);
                d_strb <= $random(seed) % 4 == 0 ? $random(seed) : 4'hF;
                d_pick <= $random(seed) % 3 == 0;
            end
            i_valid <= $random(seed) % 2;
            i_addr <= some_address(0);
            i_pick <= $random(seed) % 3 == 0;
            // The host waits for each answer.
            if (h_valid && readys[2]) h_valid <= 0;
            else if (!h_valid && o_head[2] == o_tail[2]) begin
                h_valid <= $random(seed) % 2;
                h_addr <= some_address(0);
                h_write <= $random(seed) % 2;
                h_wdata <= $random(seed);
            end
        end

    initial begin
        for (n = 0; n < 2048; n = n + 1) memory[n] = $random(seed);
        for (n = 0; n < 16; n = n + 1) seen[n] = 0;
        for (n = 0; n < 3; n = n + 1) begin
            o_head[n] = 0;
            o_tail[n] = 0;
            reads[n] = 0;
        end
        repeat (3) @(posedge clk);
        #1 rst = 0;
        repeat (CYCLES) @(posedge clk);
        if (errors != 0 || seen[0] < CYCLES / 16 || seen[1] < CYCLES / 16 || seen[2] < CYCLES / 64 || seen[4] < 3 || (seen[5] != 0) != (LATE < BLOCKS))
            $fatal(1, "interconnect: %0d errors, %0d/%0d/%0d requests, %0d reads open", errors, seen[0], seen[1], seen[2], seen[4]);
        $display("interconnect that waits: %0d instruction, %0d data, %0d host requests, %0d reads open: good", seen[0], seen[1], seen[2], seen[4]);
        $finish;
    end
endmodule
