// SPDX-License-Identifier: Apache-2.0
// Flash memory behind the whole memory system (gnomon_memory: instruction cache, bus, gnomon_flash) and the chip's
// model, which watches the flash's rules: directed accesses check each wait to the cycle; a host wakes the chip, erases
// and programs it with single bytes; then random fetches, loads, stores and the host's reads of stopped harts run
// against a copy of the memories.
`timescale 1ns / 1ns
`default_nettype none

module tb_flash;
    parameter integer CYCLES = 60000;
    parameter integer CONTINUOUS = 0;  // 1: a boot loader has left the chip in continuous mode
    parameter integer SEED = 1;
    parameter integer PINS = 0;        // 1: the flash's clock comes from the iCE40's pad cell, as on the Fomu
    localparam integer LOG2 = 17;
    localparam [31:0] RAM = 32'h1000_0000, FLASH = 32'h2000_0000, SEND = FLASH + (1 << LOG2);
    localparam [31:0] LAST = 32'h100;
    // Cycles from an offered request to its acceptance: a first read; the next word; another word.
    localparam integer FIRST = 29, NEXT = 9, OTHER = 30;

    reg clk = 0, rst = 1;
    always #5 clk = !clk;

    reg i_valid = 0, d_valid = 0, d_write = 0, h_valid = 0, h_write = 0, stopped = 1, flush = 0;
    reg [31:0] i_addr = 0, d_addr = 0, d_wdata = 0, h_addr = 0, h_wdata = 0;
    wire i_ready, i_rsp, i_error, d_ready, d_rsp, d_error, h_ready, h_rsp, h_error, flushed, i_miss;
    wire [31:0] i_rdata, d_rdata, h_rdata;
    wire sck, cs_n;
    wire [3:0] to_chip, to_chip_oe, from_chip, from_chip_oe;

    gnomon_memory #(
      .BASE(RAM), .BYTES(65536), .BLOCKS(1), .ICACHE_BYTES(1024), .ICACHE_LINE_WORDS(8), .ICACHE_COMPACT(1),
      .FLASH_BASE(FLASH), .FLASH_LOG2(LOG2)
    ) dut (
      .clk_i(clk), .rst_i(rst), .hart_rst_i(rst), .i_req_valid_i(i_valid), .i_req_ready_o(i_ready), .i_req_addr_i(i_addr),
      .i_rsp_valid_o(i_rsp), .i_rsp_rdata_o(i_rdata), .i_rsp_error_o(i_error), .i_flush_i(flush), .i_flush_done_o(flushed),
      .i_miss_o(i_miss), .d_req_valid_i(d_valid), .d_req_ready_o(d_ready), .d_req_addr_i(d_addr), .d_req_write_i(d_write),
      .d_req_wdata_i(d_wdata), .d_req_strb_i(4'b1111), .d_req_lock_i(1'b0), .d_lock_i(1'b0), .d_snoop_valid_o(), .d_snoop_addr_o(),
      .d_rsp_valid_o(d_rsp), .d_rsp_rdata_o(d_rdata), .d_rsp_error_o(d_error), .d_miss_o(), .i_wait_refresh_o(),
      .i_wait_page_o(), .d_wait_refresh_o(), .d_wait_page_o(), .obs_cache_o(), .stopped_i(stopped), .h_grant_i(1'b1),
      .h_req_valid_i(h_valid), .h_req_ready_o(h_ready), .h_req_addr_i(h_addr), .h_req_write_i(h_write),
      .h_req_wdata_i(h_wdata), .h_rsp_valid_o(h_rsp), .h_rsp_rdata_o(h_rdata), .h_rsp_error_o(h_error), .reg_sel_o(),
      .reg_write_o(), .reg_addr_o(), .reg_wdata_o(), .reg_rdata_i(32'd0), .mon_valid_o(), .mon_master_o(), .mon_write_o(),
      .mon_addr_o(), .mon_strb_o(), .mon_wdata_o(), .park_i(1'b0), .parked_o(), .sdram_cke_o(), .sdram_cs_n_o(),
      .sdram_ras_n_o(), .sdram_cas_n_o(), .sdram_we_n_o(), .sdram_ba_o(), .sdram_a_o(), .sdram_dqm_o(), .sdram_dq_o(),
      .sdram_dq_oe_o(), .sdram_dq_i(16'd0), .flash_sck_o(sck), .flash_cs_n_o(cs_n), .flash_io_o(to_chip),
      .flash_io_oe_o(to_chip_oe), .flash_io_i((from_chip & from_chip_oe) | (to_chip & to_chip_oe))
    );

    // The wires as they are at the rise of the flash's clock, and that it rose in this cycle.
    wire pulse;
    wire [3:0] chip_in, chip_in_oe;
    generate
        if (PINS != 0) begin : g_pins
            wire pin;
            reg rose = 0;
            reg [3:0] io = 0, io_oe = 0;
            SB_IO #(
              .PIN_TYPE(6'b010001)
            ) u_io (
              .PACKAGE_PIN(pin), .OUTPUT_CLK(clk), .D_OUT_0(1'b0), .D_OUT_1(sck), .LATCH_INPUT_VALUE(1'b0), .CLOCK_ENABLE(1'b1),
              .INPUT_CLK(1'b0), .OUTPUT_ENABLE(1'b1), .D_IN_0(), .D_IN_1()
            );
            always @(posedge pin) begin
                if (clk || cs_n) $fatal(1, "flash: its clock rises at the wrong time");
                {rose, io, io_oe} = {1'b1, to_chip, to_chip_oe};
            end
            always @(posedge clk) rose <= 0;
            assign {pulse, chip_in, chip_in_oe} = {rose, io, io_oe};
        end else begin : g_signals
            assign {pulse, chip_in, chip_in_oe} = {sck, to_chip, to_chip_oe};
        end
    endgenerate

    gnomon_flash_chip #(
      .BYTES(1 << LOG2), .CONTINUOUS(CONTINUOUS), .PROGRAM_CYCLES(50), .ERASE_CYCLES(100)
    ) u_chip (
      .clk_i(clk), .sck_i(pulse), .cs_n_i(cs_n), .io_i(chip_in), .io_oe_i(pulse ? chip_in_oe : to_chip_oe), .io_o(from_chip), .io_oe_o(from_chip_oe)
    );

    integer now = 0, errors = 0, seed = SEED, n, k;
    always @(posedge clk) now <= now + 1;

    task fail(input [8*48-1:0] what, input [31:0] address, input [31:0] got, input [31:0] wanted);
        begin
            $display("cycle %0d: %0s (address %h, %h, not %h)", now, what, address, got, wanted);
            errors = errors + 1;
            if (errors > 5) $fatal(1, "flash: too many errors");
        end
    endtask

    // ---- What the memories hold ----
    reg [31:0] ram[0:16383];
    function [31:0] content(input [31:0] a);
        if (a[31:LOG2] == FLASH[31:LOG2])
            content = {u_chip.mem[{a[LOG2-1:2], 2'd3}], u_chip.mem[{a[LOG2-1:2], 2'd2}], u_chip.mem[{a[LOG2-1:2], 2'd1}], u_chip.mem[{a[LOG2-1:2], 2'd0}]};
        else content = ram[a[15:2]];
    endfunction
    function is_memory(input [31:0] a);
        is_memory = a[31:16] == RAM[31:16] || a[31:LOG2] == FLASH[31:LOG2];
    endfunction

    // ---- The data port: one access; its answer must come in the cycle after the acceptance ----
    integer waited;
    reg [31:0] value;
    reg bad;
    task access(input [31:0] address, input write, input [31:0] data);
        begin
            d_valid <= 1;
            d_addr <= address;
            d_write <= write;
            d_wdata <= data;
            waited = 0;
            @(negedge clk);
            while (!d_ready) begin
                waited = waited + 1;
                if (waited > 200) $fatal(1, "flash: the data port waits for ever");
                @(negedge clk);
            end
            @(posedge clk);
            d_valid <= 0;
            @(negedge clk);
            if (!d_rsp) fail("no answer to the data port", address, 0, 1);
            value = d_rdata;
            bad = d_error;
            if (write && !d_error) ram[address[15:2]] = data;
            @(posedge clk);
        end
    endtask

    task load(input [31:0] address, input integer cycles, input [8*48-1:0] what);
        begin
            access(address, 1'b0, 32'd0);
            if (bad || value !== content(address)) fail("wrong data for a load", address, value, content(address));
            if (waited != cycles) fail(what, address, waited, cycles);
        end
    endtask

    // ---- The host ----
    task host(input [31:0] address, input write, input [31:0] data);
        begin
            h_valid <= 1;
            h_addr <= address;
            h_write <= write;
            h_wdata <= data;
            waited = 0;
            @(negedge clk);
            while (!h_ready) begin
                waited = waited + 1;
                if (waited > 200) $fatal(1, "flash: the host waits for ever");
                @(negedge clk);
            end
            @(posedge clk);
            h_valid <= 0;
            @(negedge clk);
            if (!h_rsp) fail("no answer to the host", address, 0, 1);
            value = h_rdata;
            bad = h_error;
            @(posedge clk);
        end
    endtask
    task host_load(input [31:0] address);
        begin
            host(address, 1'b0, 32'd0);
            if (bad || value !== content(address)) fail("wrong data for the host", address, value, content(address));
        end
    endtask
    reg [7:0] back;
    task swap(input [31:0] word);
        begin
            host(SEND, 1'b1, word);
            host(SEND + 4, 1'b0, 32'd0);
            back = {value[5], value[1], value[13], value[9], value[21], value[17], value[29], value[25]};
        end
    endtask
    task settle;
        begin
            back = 1;
            while (back[0]) begin
                swap(32'h05);
                swap(32'hFF | LAST);
            end
        end
    endtask
    task address_bytes(input [23:0] at);
        begin
            swap({24'd0, at[23:16]});
            swap({24'd0, at[15:8]});
        end
    endtask
    task program_page(input [23:0] at);
        begin
            swap(32'h06 | LAST);
            swap(32'h02);
            address_bytes(at);
            swap({24'd0, at[7:0]});
            for (k = 0; k < 256; k = k + 1) swap(($random(seed) & 32'hFF) | (k == 255 ? LAST : 0));
            settle;
        end
    endtask
    task erase(input [7:0] command, input [23:0] at);
        begin
            swap(32'h06 | LAST);
            swap({24'd0, command});
            address_bytes(at);
            swap({24'd0, at[7:0]} | LAST);
            settle;
        end
    endtask

    // ---- The instruction port: requests and answers overlap ----
    reg [31:0] want[0:7];
    integer head = 0, tail = 0;
    always @(posedge clk) if (!rst) begin
        if (i_rsp) begin
            if (head == tail) fail("an answer to nothing", 0, 0, 0);
            else begin
                if (i_error !== !is_memory(want[head%8])) fail("error flag of a fetch", want[head%8], {31'd0, i_error}, {31'd0, !is_memory(want[head%8])});
                else if (!i_error && i_rdata !== content(want[head%8])) fail("wrong data for a fetch", want[head%8], i_rdata, content(want[head%8]));
                head = head + 1;
            end
        end
        if (head != tail && !i_rsp && !i_miss && !flush) fail("the core waits, and no miss", want[head%8], 0, 0);
        if (i_valid && i_ready) begin
            want[tail%8] = i_addr;
            tail = tail + 1;
        end
    end
    // Fetches one word; returns when it has come.
    integer fetched;
    task fetch(input [31:0] address, input integer cycles, input [8*48-1:0] what);
        begin
            i_valid <= 1;
            i_addr <= address;
            fetched = -1;
            while (tail == head || !i_rsp) begin
                @(negedge clk);
                if (i_valid && i_ready) fetched = now;
                @(posedge clk);
                if (fetched == now - 1 || fetched == now) i_valid <= 0;
                if (i_rsp) begin
                    if (cycles != 0 && now - fetched != cycles) fail(what, address, now - fetched, cycles);
                    fetched = -2;
                end
                if (fetched == -2) begin
                    i_valid <= 0;
                    @(posedge clk);
                    disable fetch;
                end
            end
        end
    endtask

    reg [31:0] jump, place;
    integer since_run;
    task rest(input integer cycles);
        repeat (cycles) @(posedge clk);
    endtask

    initial begin
        for (n = 0; n < 16384; n = n + 1) begin
            ram[n] = $random(seed);
            dut.g_chip.u_ram.g_block.mem[n] = ram[n];
        end
        rest(4);
        rst <= 0;
        rest(100);

        // The host: ends a continuous mode, wakes the chip, reads its identification, enables four wires.
        swap(32'hFF | LAST);
        swap(32'hFF);
        swap(32'hFF | LAST);
        swap(32'hAB | LAST);
        swap(32'h9F);
        swap(32'hFF);
        if (back !== 8'h1F) fail("identification", 0, back, 8'h1F);
        swap(32'hFF);
        if (back !== 8'h86) fail("identification", 1, back, 8'h86);
        swap(32'hFF | LAST);
        if (back !== 8'h01) fail("identification", 2, back, 8'h01);
        swap(32'h06 | LAST);
        swap(32'h31);
        swap(32'h02 | LAST);
        settle;
        swap(32'h35);
        swap(32'hFF | LAST);
        if (back !== 8'h02) fail("four wires", 0, back, 8'h02);

        // It programs and erases, and reads what is there.
        for (n = 0; n < 8; n = n + 1) program_page(256 * n);
        program_page(24'h01_0100);
        if (u_chip.programs != 9) fail("pages programmed", 0, u_chip.programs, 9);
        for (n = 0; n < 2048; n = n + 252) host_load(FLASH + n);
        erase(8'h20, 24'h01_0000);
        if (content(FLASH + 32'h1_0100) !== 32'hFFFF_FFFF) fail("erased", 32'h1_0100, content(FLASH + 32'h1_0100), 32'hFFFF_FFFF);
        host_load(FLASH + 32'h1_0100);
        for (n = 0; n < 1 << LOG2; n = n + 1) u_chip.mem[n] = $random(seed);

        // Each wait of the data port, with the hart running.
        stopped <= 0;
        rest(2);
        load(FLASH + 32'h40, FIRST, "wait for the first word");
        rest(20);
        load(FLASH + 32'h44, 0, "wait for a word in hand");
        load(FLASH + 32'h48, NEXT - 2, "wait for the next word");
        load(FLASH + 32'h4C, NEXT - 2, "wait for the next word");
        load(RAM + 32'h100, 0, "main memory waits");
        access(RAM + 32'h104, 1'b1, 32'h1234_5678);
        load(FLASH + 32'h50, NEXT - 6, "wait for the next word");
        load(FLASH + 32'h40, OTHER, "wait for another word");
        load(FLASH + 32'h40 + (1 << (LOG2 - 1)), OTHER, "wait for another word");
        load(FLASH + 32'h40, OTHER, "wait for another word");
        access(FLASH + 32'h40, 1'b1, 32'd0);
        if (!bad) fail("a store to the flash", FLASH + 32'h40, 0, 1);
        access(SEND, 1'b1, 32'h06);
        if (!bad) fail("the hart sends a byte", SEND, 0, 1);
        // After a stop the first read has a command of its own, whatever the host has read.
        for (n = 0; n < 2; n = n + 1) begin
            rest(20);
            stopped <= 1;
            rest(3);
            if (n == 1) begin
                host_load(FLASH + 32'h80);
                host_load(FLASH + 32'h84);
            end
            rest(3);
            if (!cs_n) fail("the flash is selected in a stop", 0, 0, 0);
            stopped <= 0;
            rest(2);
            load(FLASH + 32'h44, FIRST, "wait for the first word");
        end
        // Misses of the instruction cache: the line's first word, its last word, the next line, a hit.
        rest(20);
        stopped <= 1;
        rest(3);
        stopped <= 0;
        fetch(FLASH + 32'h400, FIRST + 3, "miss of a first word");
        rest(100);
        fetch(FLASH + 32'h404, 1, "hit");
        fetch(FLASH + 32'h43C, 3 + 7 * NEXT, "miss of the next line's last word");
        rest(100);
        fetch(FLASH + 32'h1000, OTHER + 3, "miss of another line");

        // Random traffic.
        jump = FLASH;
        place = 0;
        since_run = 0;
        fork
            begin : fetches
                while (1) begin
                    @(negedge clk);
                    if (i_valid && i_ready) jump = jump + 4;
                    @(posedge clk);
                    if ($random(seed) % 23 == 0) case ($random(seed) & 15)
                        0: jump = 32'h3000_0000;
                        1: jump = SEND;
                        2, 3, 4: jump = RAM + (($random(seed) & 32'h3FF) << 2);
                        default: jump = FLASH + (($random(seed) & 32'h1FF) << 2) + (($random(seed) & 1) << (LOG2 - 1));
                    endcase
                    else if ($random(seed) % 7 == 0) jump = {jump[31:5], 5'd0} | (($random(seed) & 7) << 2);
                    i_valid <= tail - head < 2 && !stopped && !flush && $random(seed) % 8 != 0;
                    i_addr <= jump;
                end
            end
            begin : loads
                while (now < CYCLES) begin
                    case ($random(seed) & 7)
                        0: access(RAM + 32'h8000 + (($random(seed) & 32'h3FF) << 2), 1'b1, $random(seed));
                        1: begin
                            access(RAM + 32'h8000 + (($random(seed) & 32'h3FF) << 2), 1'b0, 0);
                            if (bad || value !== content(d_addr)) fail("wrong data for a load", d_addr, value, content(d_addr));
                        end
                        2: begin
                            place = $random(seed) & 32'h1F_FFFC;
                            access(FLASH + place, 1'b0, 0);
                            if (bad !== !is_memory(FLASH + place)) fail("error flag of a load", d_addr, bad, !bad);
                            else if (!bad && value !== content(d_addr)) fail("wrong data for a load", d_addr, value, content(d_addr));
                        end
                        3: begin
                            access(FLASH + (place & ((1 << LOG2) - 4)), 1'b0, 0);
                            if (bad || value !== content(d_addr)) fail("wrong data for a load", d_addr, value, content(d_addr));
                            place = place + 4;
                        end
                        4: rest($random(seed) & 127);
                        5: if ($random(seed) % 4 == 0) begin
                            flush <= 1;
                            @(negedge clk);
                            while (!flushed) @(negedge clk);
                            @(posedge clk);
                            flush <= 0;
                            @(posedge clk);
                        end
                        default: rest($random(seed) & 15);
                    endcase
                    if ($random(seed) % 40 == 0) begin
                        stopped <= 1;
                        rest(2);
                        while (head != tail) @(posedge clk);
                        for (n = $random(seed) & 3; n > 0; n = n - 1) host_load(FLASH + ($random(seed) & ((1 << LOG2) - 4)));
                        rest(3);
                        stopped <= 0;
                        rest(2);
                    end
                end
                disable fetches;
            end
        join
        if (tail < CYCLES / 150) fail("too few fetches", 0, tail, CYCLES / 150);
        if (errors != 0) $fatal(1, "flash: errors");
        $display("flash: %0d fetches and every wait as it should be: good", tail);
        $finish;
    end

endmodule

`default_nettype wire
