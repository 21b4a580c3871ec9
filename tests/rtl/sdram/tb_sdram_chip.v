// SPDX-License-Identifier: Apache-2.0
// The chip model alone, with commands that the controller would never send: +rule=N breaks one rule each, and the model
// must name it. +rule=0 breaks no rule. CLOCK_HZ is so fast that all times are several cycles.
`timescale 1ns / 1ps
`default_nettype none

module tb_sdram_chip;
    parameter integer CLOCK_HZ = 333_333_333;
    localparam [63:0] POWER_UP = 64'd300_000;
    localparam [3:0] NOP = 4'b0111, ACTIVE = 4'b0011, READ = 4'b0101, WRITE = 4'b0100, PRECHARGE = 4'b0010, REFRESH = 4'b0001,
        MODE = 4'b0000, STOP = 4'b0110;
    localparam [12:0] ALL = 13'h0400;

    reg clk = 0, cke = 1, oe = 0;
    always #5 clk = !clk;
    reg [3:0] command = NOP;
    reg [1:0] ba = 0, dqm = 0;
    reg [12:0] a = 0;
    wire [15:0] q;
    wire drives;
    gnomon_sdram_chip #(
      .BYTES(262144), .POWER_UP(POWER_UP)
    ) chip (
      .clk_i(clk), .clock_hz_i(CLOCK_HZ), .cke_i(cke), .cs_n_i(command[3]), .ras_n_i(command[2]), .cas_n_i(command[1]),
      .we_n_i(command[0]), .ba_i(ba), .a_i(a), .dqm_i(dqm), .dq_i(16'hA5C3), .dq_oe_i(oe), .dq_o(q), .dq_oe_o(drives)
    );

    // A command, followed by `wait_cycles` cycles.
    task give(input [3:0] what, input [1:0] bank, input [12:0] at, input integer wait_cycles);
        begin
            @(negedge clk);
            command = what;
            ba = bank;
            a = at;
            oe = what == WRITE;
            @(negedge clk);
            command = NOP;
            @(negedge clk);
            oe = 0;
            repeat (wait_cycles) @(negedge clk);
        end
    endtask

    integer rule, n;
    initial begin
        if (!$value$plusargs("rule=%d", rule)) rule = 0;
        repeat (120) @(negedge clk);
        if (rule != 1) give(PRECHARGE, 0, ALL, 8);
        for (n = 0; n < (rule == 2 ? 7 : 8); n = n + 1) give(REFRESH, 0, 0, 24);
        if (rule != 3) give(MODE, 0, rule == 4 ? 13'h021 : 13'h031, 8);
        give(ACTIVE, 1, 13'd5, rule == 5 ? 0 : 8);
        if (rule == 6) give(ACTIVE, 1, 13'd6, 8);
        give(READ, rule == 7 ? 2 : 1, 13'd4, 12);
        if (rule == 8) give(REFRESH, 0, 0, 24);
        if (rule == 9) give(MODE, 0, 13'h031, 8);
        if (rule == 10) cke = 0;
        give(WRITE, 1, 13'd8, 8);
        if (rule == 11) give(STOP, 1, 0, 8);
        if (rule == 12) give(READ, 1, 13'b0_0100_0000_0000, 8);
        if (rule == 13) give(ACTIVE, 0, 13'bx, 8);
        give(PRECHARGE, 1, 0, 8);
        if (rule == 14) give(READ, 1, 13'd4, 12);
        // tRAS and tRP are kept, but their sum is below tRC.
        repeat (24) @(negedge clk);
        give(ACTIVE, 1, 13'd5, 12);
        give(PRECHARGE, 1, 0, rule == 15 ? 4 : 8);
        give(ACTIVE, 1, 13'd5, rule == 16 ? 0 : 8);
        give(ACTIVE, 2, 13'd5, 8);
        if (rule == 17) repeat (3000) @(negedge clk);
        $display("all commands were taken");
        $finish;
    end
endmodule
