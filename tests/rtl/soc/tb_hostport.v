// SPDX-License-Identifier: Apache-2.0
// gnomon_hostport with a real gnomon_uart and a bus model, with random stalls on all sides: each command, each error,
// resynchronisation, time-out, console in both directions, events in order with the console.
`timescale 1ns / 1ns
`default_nettype none

module tb_hostport;
    parameter integer ROUNDS = 6;
    localparam [31:0] MEM = 32'h1000_0000, REGS = 32'hF000_0000, HOLE = 32'h4000_0000;

    reg clk = 0, rst = 1;
    always #5 clk = !clk;
    integer seed = 3, errors = 0, now = 0, round;
    always @(posedge clk) begin
        now <= now + 1;
        if (now > 400000) $fatal(1, "hostport: it waits for ever (round %0d, reply byte %0d)", round, got_head);
    end

    // ---- Device under test ----
    reg cmd_valid = 0;
    reg [7:0] cmd_data = 0;
    wire cmd_ready, rep_valid, rep_flush;
    wire [7:0] rep_data;
    reg rep_ready = 1;
    wire h_req_valid, h_req_write;
    wire [31:0] h_req_addr, h_req_wdata;
    reg h_req_ready = 1, h_rsp_valid = 0, h_rsp_error = 0;
    reg [31:0] h_rsp_rdata = 0;
    reg stopped = 1, hold_replies = 0;
    wire tx_valid, tx_ready, rx_valid, rx_ready;
    wire [7:0] tx_data, rx_data;
    wire [9:0] tx_level;
    reg event_valid = 0, event_exit = 0;
    wire event_done;

    gnomon_hostport #(.TIMEOUT_LOG2(12), .HOLD_LOG2(6), .LEVEL_LOG2(9)) dut (
        .clk_i(clk), .rst_i(rst),
        .cmd_valid_i(cmd_valid), .cmd_data_i(cmd_data), .cmd_ready_o(cmd_ready),
        .rep_valid_o(rep_valid), .rep_data_o(rep_data), .rep_ready_i(rep_ready), .rep_flush_o(rep_flush),
        .h_req_valid_o(h_req_valid), .h_req_ready_i(h_req_ready), .h_req_addr_o(h_req_addr), .h_req_write_o(h_req_write),
        .h_req_wdata_o(h_req_wdata), .h_rsp_valid_i(h_rsp_valid), .h_rsp_rdata_i(h_rsp_rdata), .h_rsp_error_i(h_rsp_error),
        .stopped_i(stopped),
        .tx_valid_i(tx_valid), .tx_data_i(tx_data), .tx_ready_o(tx_ready), .tx_level_i(tx_level),
        .rx_valid_o(rx_valid), .rx_data_o(rx_data), .rx_ready_i(rx_ready),
        .event_valid_i(event_valid), .event_exit_i(event_exit), .event_done_o(event_done)
    );

    reg reg_sel = 0, reg_write = 0, hart_rst = 0;
    reg [11:0] reg_addr = 0;
    reg [31:0] reg_wdata = 0;
    wire [31:0] reg_rdata;
    wire irq;
    gnomon_uart #(.FIFO_LOG2(9)) u_uart (
        .clk_i(clk), .rst_i(rst), .hart_rst_i(hart_rst),
        .reg_sel_i(reg_sel), .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata),
        .irq_o(irq),
        .tx_valid_o(tx_valid), .tx_data_o(tx_data), .tx_ready_i(tx_ready), .tx_level_o(tx_level),
        .rx_valid_i(rx_valid), .rx_data_i(rx_data), .rx_ready_o(rx_ready)
    );

    // ---- Bus model: 64 words of memory, 64 of registers, errors elsewhere ----
    reg [31:0] mem[0:127];
    integer accesses = 0;
    always @(posedge clk) begin
        h_rsp_valid <= 0;
        h_rsp_error <= $random(seed);
        h_rsp_rdata <= $random(seed);
        if (h_req_valid && h_req_ready) begin
            accesses = accesses + 1;
            h_rsp_valid <= 1;
            h_rsp_error <= 1;
            h_rsp_rdata <= 32'hDEAD_DEAD;
            if ((h_req_addr & ~32'hFC) == MEM || (h_req_addr & ~32'hFC) == REGS) begin
                h_rsp_error <= 0;
                h_rsp_rdata <= mem[{h_req_addr[31], h_req_addr[7:2]}];
                if (h_req_write) mem[{h_req_addr[31], h_req_addr[7:2]}] = h_req_wdata;
            end
        end
        h_req_ready <= $random(seed) % 3 != 0;
        rep_ready <= !hold_replies && $random(seed) % 4 != 0;
        if (event_done) event_valid <= 0;
    end

    // ---- Replies ----
    reg [7:0] got[0:8191];
    integer got_head = 0, got_tail = 0;
    always @(posedge clk)
        if (rep_valid && rep_ready) begin
            got[got_tail%8192] = rep_data;
            got_tail = got_tail + 1;
        end

    task expect_byte(input [7:0] value);
        begin
            while (got_head == got_tail) @(posedge clk);
            if (got[got_head%8192] !== value) begin
                $display("cycle %0d: reply byte %0d is %h, expected %h", now, got_head, got[got_head%8192], value);
                errors = errors + 1;
                if (errors > 5) $fatal(1, "hostport: too many errors");
            end
            got_head = got_head + 1;
        end
    endtask
    task expect_word(input [31:0] value);
        begin
            expect_byte(value[7:0]);
            expect_byte(value[15:8]);
            expect_byte(value[23:16]);
            expect_byte(value[31:24]);
        end
    endtask
    task expect_quiet(input integer cycles);
        begin
            repeat (cycles) @(posedge clk);
            if (got_head != got_tail || !rep_flush) begin
                $display("cycle %0d: unexpected reply, or not idle", now);
                errors = errors + 1;
                got_head = got_tail;
            end
        end
    endtask

    // ---- Commands ----
    task send_byte(input [7:0] value);
        begin
            while ($random(seed) % 4 == 0) @(posedge clk);
            cmd_valid <= 1;
            cmd_data <= value;
            @(negedge clk);
            while (!cmd_ready || !cmd_valid) @(negedge clk);
            @(posedge clk);
            cmd_valid <= 0;
        end
    endtask
    task send_word(input [31:0] value);
        begin
            send_byte(value[7:0]);
            send_byte(value[15:8]);
            send_byte(value[23:16]);
            send_byte(value[31:24]);
        end
    endtask
    task send_mark(input integer length);
        integer k;
        for (k = 0; k < length; k = k + 1) send_byte(8'hFF);
    endtask

    // ---- The hart's side of the UART ----
    task hart_write(input [11:0] a, input [31:0] d);
        begin
            @(posedge clk);
            reg_sel <= 1;
            reg_write <= 1;
            reg_addr <= a;
            reg_wdata <= d;
            @(posedge clk);
            reg_sel <= 0;
            reg_write <= 0;
        end
    endtask
    task hart_read(input [11:0] a, input [31:0] value);
        begin
            @(posedge clk);
            reg_sel <= 1;
            reg_addr <= a;
            @(posedge clk);
            reg_sel <= 0;
            @(negedge clk);
            if (reg_rdata !== value) begin
                $display("cycle %0d: UART register %h reads %h, expected %h", now, a, reg_rdata, value);
                errors = errors + 1;
            end
            @(posedge clk);
        end
    endtask

    integer k, printed;
    reg [7:0] kind;
    reg [15:0] unit;
    initial begin
        for (k = 0; k < 128; k = k + 1) mem[k] = $random(seed);
        repeat (4) @(posedge clk);
        rst <= 0;

        for (round = 0; round < ROUNDS; round = round + 1) begin
            // READ.
            send_word(32'h0003_1101);
            send_word(MEM + 8);
            expect_word(32'h0003_1181);
            for (k = 0; k < 3; k = k + 1) expect_word(mem[2+k]);
            expect_word(0);

            // WRITE, past the end of existing memory.
            send_word(32'h0004_2202);
            send_word(MEM + 32'hF8);
            for (k = 0; k < 4; k = k + 1) send_word(32'h1234_0000 + k + 256 * round);
            expect_word(32'h0000_2281);
            expect_word(32'h0000_0001);
            if (mem[62] !== 32'h1234_0000 + 256 * round || mem[63] !== 32'h1234_0001 + 256 * round) begin
                $display("WRITE did not write");
                errors = errors + 1;
            end

            // READ of an unmapped address: zeros.
            send_word(32'h0002_3301);
            send_word(HOLE);
            expect_word(32'h0002_3381);
            expect_word(0);
            expect_word(0);
            expect_word(32'h0000_0001);

            // The hart runs: memory accesses are refused without a bus access, register accesses work.
            stopped <= 0;
            k = accesses;
            send_word(32'h0002_4401);
            send_word(MEM);
            expect_word(32'h0002_4481);
            expect_word(0);
            expect_word(0);
            expect_word(32'h0000_0003);
            send_word(32'h0001_4502);
            send_word(MEM);
            send_word(32'hBAD0_BAD0);
            expect_word(32'h0000_4581);
            expect_word(32'h0000_0003);
            if (accesses != k) begin
                $display("a refused access reached the bus");
                errors = errors + 1;
            end
            send_word(32'h0001_4601);
            send_word(REGS + 4);
            expect_word(32'h0001_4681);
            expect_word(mem[65]);
            expect_word(0);
            stopped <= 1;

            // Count 0 is answered at once.
            send_word(32'h0000_4701);
            send_word(MEM);
            expect_word(32'h0000_4781);
            expect_word(0);

            // 0xFF between commands is ignored; an unknown op skips to the mark, and 15 bytes are no mark.
            send_mark(round * 5);
            send_word(32'h0007_5509);
            expect_word(32'h0000_5581);
            expect_word(32'h0000_0002);
            send_word(32'h0001_6601);
            send_mark(15);
            send_word(32'h0001_6601);
            send_mark(16);
            expect_quiet(20);
            send_word(32'h0001_7701);
            send_word(MEM + 4);
            expect_word(32'h0001_7781);
            expect_word(mem[1]);
            expect_word(0);

            // A command that stops in the middle is discarded; a reply that has begun is completed.
            send_word(32'h0005_8701);
            send_byte(8'h01);
            expect_quiet(4200);
            send_word(32'h0005_8802);
            send_word(MEM + 16);
            send_byte(8'h01);
            expect_word(32'h0000_8881);
            expect_word(32'h0000_0001);
            send_word(32'h0005_8903);
            send_byte(8'h01);
            expect_word(32'h0000_8981);
            expect_word(32'h0000_0001);
            hart_read(12'h000, 1);
            send_word(32'h0001_9901);
            send_word(MEM + 16);
            expect_word(32'h0001_9981);
            expect_word(mem[4]);
            expect_word(0);

            // CONSOLE: padding is not forwarded.
            send_word(32'h0005_AA03);
            send_word("dcba");
            send_word({24'h777777, "e"});
            expect_word(32'h0000_AA81);
            expect_word(0);
            repeat (4) @(posedge clk);
            if (irq) $display("interrupt while not enabled");
            hart_write(12'h008, 1);
            @(negedge clk);
            if (!irq) begin
                $display("no interrupt for a received byte");
                errors = errors + 1;
            end
            for (k = 0; k < 5; k = k + 1) hart_read(12'h000, "a" + k);
            hart_read(12'h000, 32'h8000_0000);

            // More bytes than fit: the rest is dropped, and the reply says so.
            send_word(32'h0208_AB03);  // 520 bytes
            for (k = 0; k < 129; k = k + 1) send_word({4{k[7:0]}});
            hart_read(12'h000, 0);  // room again, but bytes after a gap are dropped
            send_word(32'd0);
            expect_word(32'h0000_AB81);
            expect_word(32'h0000_0001);
            for (k = 1; k < 512; k = k + 1) hart_read(12'h000, k / 4);
            hart_read(12'h000, 32'h8000_0000);

            // A hart reset drops bytes received before it and keeps bytes received during it.
            send_word(32'h0001_AC03);
            send_word("x");
            expect_word(32'h0000_AC81);
            expect_word(0);
            hart_rst <= 1;
            repeat (3) @(posedge clk);
            send_word(32'h0001_AC03);
            send_word("y");
            expect_word(32'h0000_AC81);
            expect_word(0);
            hart_rst <= 0;
            repeat (3) @(posedge clk);
            hart_read(12'h008, 0);
            // Two reads in a row: the second one finds no byte.
            reg_sel <= 1;
            reg_addr <= 12'h000;
            @(posedge clk) #1 if (reg_rdata !== "y") begin
                $display("the first of two reads is %h", reg_rdata);
                errors = errors + 1;
            end
            @(posedge clk) reg_sel <= 0;
            #1 if (reg_rdata !== 32'h8000_0000) begin
                $display("the second of two reads is %h", reg_rdata);
                errors = errors + 1;
            end

            // Console output: a few bytes wait for more and are then sent as one packet.
            for (k = 0; k < 7; k = k + 1) hart_write(12'h000, "A" + k);
            expect_word(32'h0007_00C0);
            for (k = 0; k < 7; k = k + 1) expect_byte("A" + k);
            expect_byte(0);
            hart_read(12'h004, 32'h5);

            // More bytes than the FIFO holds while the host does not read: the rest is dropped. An event comes after
            // all printed bytes.
            hold_replies <= 1;
            for (k = 0; k < 700; k = k + 1) hart_write(12'h000, k[7:0]);
            hart_read(12'h004, 0);
            hold_replies <= 0;
            event_exit <= round % 2;
            event_valid <= 1;
            printed = 0;
            kind = 8'hC0;
            while (kind == 8'hC0) begin
                while (got_tail - got_head < 4) @(posedge clk);
                kind = got[got_head%8192];
                if (kind == 8'hC0) begin
                    unit = {got[(got_head+3)%8192], got[(got_head+2)%8192]};
                    expect_word({unit, 16'h00C0});
                    for (k = 0; k < unit; k = k + 1) expect_byte(printed + k);
                    for (k = unit; k % 4 != 0; k = k + 1) expect_byte(0);
                    printed = printed + unit;
                end
            end
            if (printed < 512 || printed > 600) begin
                $display("%0d bytes printed", printed);
                errors = errors + 1;
            end
            // Event 1 carries EXIT_STATUS, event 2 DEBUG_CAUSE.
            expect_word(round % 2 ? 32'h0001_01E0 : 32'h0001_02E0);
            expect_word(round % 2 ? mem[64+12] : mem[64+28]);
            expect_quiet(200);
        end
        if (errors != 0) $fatal(1, "hostport: %0d errors", errors);
        $display("hostport and UART: %0d bytes of replies in %0d cycles: good", got_tail, now);
        $finish;
    end
endmodule
