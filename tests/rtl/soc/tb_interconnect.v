// SPDX-License-Identifier: Apache-2.0
// gnomon_interconnect with a real gnomon_ram: three random masters and a scoreboard with its own address map and
// memory. It checks the time of acceptance, that each answer comes in the next cycle with the right data and error, the
// accesses of the register blocks, and the bus monitor.
`timescale 1ns / 1ns
`default_nettype none

module tb_interconnect;
    parameter integer CYCLES = 100000;
    localparam [31:0] RAM_BASE = 32'h1000_0000;
    localparam integer RAM_BYTES = 4096;
    localparam integer BLOCKS = 4;

    reg clk = 0, rst = 1;
    always #5 clk = !clk;

    reg h_grant = 1, d_lock = 0, i_valid = 0, d_valid = 0, h_valid = 0, d_write = 0, h_write = 0;
    reg [31:0] i_addr = 0, d_addr = 0, h_addr = 0, d_wdata = 0, h_wdata = 0;
    reg [3:0] d_strb = 0;
    wire d_snoop;
    wire [31:2] d_snoop_addr;
    wire i_ready, d_ready, h_ready, i_rsp, d_rsp, h_rsp, i_error, d_error, h_error;
    wire [31:0] i_rdata, d_rdata, h_rdata;
    wire ram_en, ram_write;
    wire [3:0] ram_strb;
    wire [9:0] ram_addr;
    wire [31:0] ram_wdata, ram_rdata;
    wire [BLOCKS-1:0] reg_sel;
    wire reg_write;
    wire [11:0] reg_addr;
    wire [31:0] reg_wdata;
    reg [32*BLOCKS-1:0] reg_rdata = 0;
    wire [3:0] waits;
    wire mon_valid, mon_write;
    wire [1:0] mon_master;
    wire [31:0] mon_addr, mon_wdata;
    wire [3:0] mon_strb;

    gnomon_interconnect #(
      .RAM_BASE(RAM_BASE), .RAM_BYTES(RAM_BYTES), .BLOCKS(BLOCKS)
    ) dut (
      .clk_i(clk), .rst_i(rst), .i_req_valid_i(i_valid), .i_req_ready_o(i_ready), .i_req_addr_i(i_addr), .i_req_shadow_i(1'b0),
      .i_rsp_valid_o(i_rsp), .i_rsp_rdata_o(i_rdata), .i_rsp_error_o(i_error), .d_req_valid_i(d_valid),
      .d_req_ready_o(d_ready), .d_req_addr_i(d_addr), .d_req_shadow_i(1'b0), .d_req_write_i(d_write), .d_req_wdata_i(d_wdata),
      .d_req_strb_i(d_strb), .d_req_lock_i(d_lock), .d_snoop_valid_o(d_snoop), .d_snoop_addr_o(d_snoop_addr),
      .d_rsp_valid_o(d_rsp), .d_rsp_rdata_o(d_rdata), .d_rsp_error_o(d_error), .h_grant_i(h_grant),
      .h_req_valid_i(h_valid), .h_req_ready_o(h_ready), .h_req_addr_i(h_addr), .h_req_write_i(h_write),
      .h_req_wdata_i(h_wdata), .h_rsp_valid_o(h_rsp), .h_rsp_rdata_o(h_rdata), .h_rsp_error_o(h_error),
      .mem_valid_o(ram_en), .mem_ready_i(1'b0), .mem_addr_o(ram_addr), .mem_shadow_o(), .mem_write_o(ram_write), .mem_wdata_o(ram_wdata),
      .mem_strb_o(ram_strb), .mem_owner_o(), .mem_rsp_valid_i(1'b0), .mem_rsp_owner_i(2'd0),
      .mem_rsp_rdata_i(ram_rdata), .mem_refresh_i(1'b1), .mem_page_i(1'b1), .i_wait_refresh_o(waits[0]),
      .flash_want_o(), .flash_addr_o(), .flash_there_i(1'b0), .flash_take_o(), .flash_idle_i(1'b0), .flash_send_o(), .flash_word_i(32'd0),
      .i_wait_page_o(waits[1]), .d_wait_refresh_o(waits[2]), .d_wait_page_o(waits[3]), .reg_sel_o(reg_sel),
      .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_wdata_o(reg_wdata), .reg_rdata_i(reg_rdata),
      .mon_valid_o(mon_valid), .mon_master_o(mon_master), .mon_write_o(mon_write), .mon_addr_o(mon_addr),
      .mon_strb_o(mon_strb), .mon_wdata_o(mon_wdata)
    );

    gnomon_ram #(.BYTES(RAM_BYTES)) u_ram (
        .clk_i(clk), .en_i(ram_en), .we_i(ram_write ? ram_strb : 4'b0000), .addr_i(ram_addr), .wdata_i(ram_wdata), .rdata_o(ram_rdata)
    );

    // Register blocks: return their number and the offset if selected, else 0.
    integer n;
    always @(posedge clk) begin
        for (n = 0; n < BLOCKS; n = n + 1) reg_rdata[32*n+:32] <= reg_sel[n] ? {8'hB0 | n[7:0], 12'h0, reg_addr} : 32'd0;
    end

    // Model.
    reg [31:0] memory[0:1023];
    reg want_i = 0, want_d = 0, want_h = 0, want_error = 0, want_data = 0;
    reg [31:0] want_rdata = 0;
    integer seed = 7, errors = 0, now = 0;
    integer seen[0:7];

    task check(input ok, input [8*32-1:0] what);
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
            6: some_address = 32'h0000_0000;
            default: some_address = RAM_BASE + ({$random(seed)} & 32'h0000_007C);
        endcase
    endfunction

    reg [1:0] who;
    reg any, write, is_ram, is_reg, is_lock;
    reg [31:0] addr, wdata;
    reg [3:0] strb;
    integer w;
    always @(posedge clk) begin
        now <= now + 1;
        if (!rst) begin
            // Answers to the previous cycle's request.
            check(i_rsp === want_i && d_rsp === want_d && h_rsp === want_h, "answer to whom");
            if (want_i) check(i_error === want_error, "instruction error flag");
            if (want_d) check(d_error === want_error, "data error flag");
            if (want_h) check(h_error === want_error, "host error flag");
            if (want_i && want_data) check(i_rdata === want_rdata, "instruction data");
            if (want_d && want_data) check(d_rdata === want_rdata, "load data");
            if (want_h && want_data) check(h_rdata === want_rdata, "host data");

            // Acceptance: data always, then instruction, then host.
            check(d_ready === 1'b1, "data must never wait");
            if (i_valid) check(i_ready === !d_valid, "instruction ready");
            if (h_valid) check(h_ready === (h_grant && !(d_valid || i_valid) && !(d_lock && h_write)), "host ready");
            any = d_valid || i_valid || (h_valid && h_grant && !(d_lock && h_write));
            who = d_valid ? 1 : i_valid ? 0 : 2;
            addr = d_valid ? d_addr : i_valid ? i_addr : h_addr;
            write = d_valid ? d_write : !i_valid && h_write;
            wdata = d_valid ? d_wdata : h_wdata;
            strb = d_valid ? d_strb : 4'hF;
            check(mon_valid === any, "monitor valid");
            if (any) check(mon_master === who && mon_addr === addr && mon_write === write, "monitor");
            if (any && write) check(mon_wdata === wdata && mon_strb === strb, "monitor data");

            is_ram = addr >= RAM_BASE && addr < RAM_BASE + RAM_BYTES;
            is_reg = addr >= 32'hF000_0000 && addr < 32'hF000_4000 && who != 0 && (!write || strb == 4'hF);
            is_lock = addr >= 32'hE000_0000 && addr < 32'hE200_0000 && who == 1;
            check(reg_sel === (any && is_reg ? 4'b0001 << addr[13:12] : 4'b0000), "register select");
            if (any && is_reg) check(reg_write === write && reg_addr === addr[11:0] && (!write || reg_wdata === wdata), "register");
            check(ram_en === (any && is_ram), "memory enable");
            check(waits === 4'b0000, "waits for memory");

            want_i = any && who == 0;
            want_d = any && who == 1;
            want_h = any && who == 2;
            want_error = !(is_ram || is_reg || is_lock);
            want_data = any && !write && !want_error;
            want_rdata = is_ram ? memory[addr[11:2]] : is_reg ? {8'hB0 | addr[13:12], 12'h0, addr[11:0]} : 32'd0;
            if (any && is_ram && write)
                for (w = 0; w < 4; w = w + 1) if (strb[w]) memory[addr[11:2]][8*w+:8] = wdata[8*w+:8];
            if (any) seen[who] = seen[who] + 1;

            check(d_snoop === (any && who == 2 && write), "snoop");
            if (d_snoop) check(d_snoop_addr === addr[31:2], "snooped address");
            if (d_lock && h_valid && h_write && h_grant && !d_valid && !i_valid) seen[3] = seen[3] + 1;

            // The next requests; a request that was not accepted stays, except on the instruction port.
            h_grant <= $random(seed) % 4 != 0;
            d_lock <= $random(seed) % 4 == 0;
            d_valid <= $random(seed) % 3 == 0;
            d_addr <= some_address(0);
            d_write <= $random(seed) % 2;
            d_wdata <= $random(seed);
            d_strb <= $random(seed) % 4 == 0 ? $random(seed) : 4'hF;
            i_valid <= $random(seed) % 2;
            i_addr <= some_address(0);
            if (!h_valid || h_ready) begin
                h_valid <= $random(seed) % 2;
                h_addr <= some_address(0);
                h_write <= $random(seed) % 2;
                h_wdata <= $random(seed);
            end
        end
    end

    initial begin
        for (n = 0; n < 1024; n = n + 1) begin
            memory[n] = $random(seed);
            u_ram.g_block.mem[n] = memory[n];
        end
        for (n = 0; n < 8; n = n + 1) seen[n] = 0;
        repeat (3) @(posedge clk);
        rst <= 0;
        repeat (CYCLES) @(posedge clk);
        if (errors != 0 || seen[0] < CYCLES / 8 || seen[1] < CYCLES / 8 || seen[2] < CYCLES / 16 || seen[3] < CYCLES / 100)
            $fatal(1, "interconnect: %0d errors, %0d/%0d/%0d requests", errors, seen[0], seen[1], seen[2]);
        $display("interconnect: %0d instruction, %0d data, %0d host requests: good", seen[0], seen[1], seen[2]);
        $finish;
    end
endmodule
