// SPDX-License-Identifier: Apache-2.0
// gnomon_terminal with the UART's FIFO: the hart prints at random, the host port fetches or has stopped, the terminal
// program reads at random or not at all. The host port gets every byte in order unless it has stopped; the terminal
// program gets every byte that was not reported as lost; the hart waits only for the host port.
`default_nettype none

module tb_terminal #(
    parameter integer ROUNDS = 20
);
    localparam integer AWAY_LOG2 = 6;
    localparam integer LOG2 = 4;            // the UART's FIFO
    localparam integer TERMINAL_LOG2 = 3;

    reg clk = 1'b0;
    always #5 clk = !clk;

    reg rst = 1'b1, open = 1'b0, put_wish = 1'b0, host_ready = 1'b0, terminal_ready = 1'b0;
    reg [15:0] number = 16'd0;
    wire room, tx_valid, drop, valid, flush, overrun;
    wire [7:0] tx_data, data;
    wire [LOG2:0] level;
    wire put = put_wish && room;
    wire take = host_ready && tx_valid;

    gnomon_byte_fifo #(.LOG2(LOG2)) u_uart (
        .clk_i(clk), .rst_i(rst), .wr_valid_i(put), .wr_data_i(number[7:0]), .wr_ready_o(room),
        .rd_valid_o(tx_valid), .rd_data_o(tx_data), .rd_ready_i(host_ready || drop), .level_o(level)
    );
    gnomon_terminal #(.FIFO_LOG2(TERMINAL_LOG2), .AWAY_LOG2(AWAY_LOG2)) u_terminal (
        .clk_i(clk), .rst_i(rst), .open_i(open), .put_i(put), .put_data_i(number[7:0]), .full_i(level[LOG2]),
        .rep_valid_i(tx_valid), .rep_ready_i(host_ready), .drop_o(drop),
        .valid_o(valid), .data_o(data), .ready_i(terminal_ready), .flush_o(flush), .overrun_o(overrun)
    );

    reg [7:0] host_next = 8'd0;
    reg [15:0] terminal_next = 16'd0;
    reg lost[0:65535];
    integer round, cycle, i, put_count, drops = 0, losses = 0, taken = 0, got = 0;
    integer mode = 0;
    reg was_open = 1'b0;

    task fail(input [8*40-1:0] what);
        begin
            $display("tb_terminal: round %0d: %0s", round, what);
            $fatal(1, "failed");
        end
    endtask

    always @(posedge clk) if (!rst) begin
        if (put) begin
            number <= number + 16'd1;
            lost[number] <= overrun;
            if (overrun) losses <= losses + 1;
        end
        if (take) begin
            if (tx_data != host_next) fail("the host port misses a byte");
            host_next <= host_next + 8'd1;
            taken <= taken + 1;
        end
        if (drop) begin
            if (mode != 2 || take || !level[LOG2]) fail("a byte is dropped for no reason");
            if (tx_valid) host_next <= host_next + 8'd1;
            drops <= drops + 1;
        end
        if (valid && terminal_ready) begin
            got <= got + 1;
            // Exactly the lost bytes are skipped.
            i = terminal_next;
            while (i != number && lost[i]) i = i + 1;
            if (data != i[7:0]) fail("the terminal misses a byte");
            terminal_next <= i[15:0] + 16'd1;
        end
        was_open <= open;
        if (valid && !open && !was_open) fail("a closed terminal gets a byte");
        if (overrun && !open) fail("a loss without a cause");
    end

    initial begin
        repeat (4) @(negedge clk);
        rst = 1'b0;
        for (round = 0; round < ROUNDS; round = round + 1) begin
            mode = round % 4;   // 0: both read; 1: the terminal does not; 2: the host has stopped; 3: closed
            open = mode != 3;
            repeat (4) @(negedge clk);
            terminal_next = number;
            put_count = 0;
            for (cycle = 0; cycle < 600; cycle = cycle + 1) begin
                put_wish = $random;
                host_ready = mode != 2 && ($random & 1) != 0;
                terminal_ready = mode != 1 && ($random & 1) != 0;
                if (put_wish && room) put_count = put_count + 1;
                @(negedge clk);
            end
            put_wish = 1'b0;
            terminal_ready = 1'b1;
            host_ready = mode != 2;
            repeat (60) @(negedge clk);
            if (open && !flush) fail("the terminal's bytes do not come");
            if (mode == 2 && put_count < 100) fail("the hart waits for a host that is not there");
            if (mode == 1 && put_count < 200) fail("the hart waits for the terminal");
            host_ready = 1'b1;
            repeat (60) @(negedge clk);
            open = 1'b0;
            repeat (2) @(negedge clk);
        end
        if (drops == 0 || losses == 0 || taken == 0 || got == 0) fail("not everything has been seen");
        $display("tb_terminal: good: host %0d, terminal %0d, lost %0d, dropped %0d", taken, got, losses, drops);
        $finish;
    end
endmodule

`default_nettype wire
