// SPDX-License-Identifier: Apache-2.0
// gnomon_core_stack against plain comparisons of whole addresses: sp within main memory or at its end, with all kinds
// of limits.
`default_nettype none
`timescale 1ns / 1ns

module tb_stack;
    parameter RAM_LOG2 = 16;
    localparam [31:0] BASE = 32'h1000_0000, BYTES = 32'd1 << RAM_LOG2, TIMES = 32'd40_000;

    reg         adds;
    reg  [31:0] before_it, after_it, limit;
    wire        leaves;
    gnomon_core_stack #(.RAM_LOG2(RAM_LOG2)) dut (
        .x_adds_i(adds), .x_before_i(before_it), .x_after_i(after_it), .limit_n_i(~limit[31:10]), .x_leaves_o(leaves));

    integer     bad = 0, left = 0, k;
    // Near the limit as often as elsewhere; the end of memory is also a candidate.
    function [31:0] place(input [31:0] random, input [31:0] near);
        reg [31:0] at;
        begin
            at = random[31] ? random % (BYTES + 32'd16) : near - BASE + {{24{random[7]}}, random[7:0]};
            if (at > BYTES)
                at = BYTES;
            place = (BASE + at) & ~32'd15;
        end
    endfunction
    reg         wanted;
    initial begin
        for (k = 0; k < TIMES; k = k + 1) begin
            limit = k % 8 == 0 ? 32'd0 : BASE + (($urandom % BYTES) & ~32'd1023);
            before_it = place($urandom, limit == 32'd0 ? BASE : limit);
            after_it = place($urandom, limit == 32'd0 ? BASE : limit);
            adds = k % 16 != 1;
            #1;
            wanted = adds && before_it >= limit && after_it < limit;
            left = left + {31'd0, wanted};
            if (leaves !== wanted) begin
                bad = bad + 1;
                if (bad < 10)
                    $display("stack: limit %h, sp %h to %h, an addition %b: %b", limit, before_it, after_it, adds, leaves);
            end
        end
        if (bad != 0 || left < TIMES / 10)
            $fatal(1, "stack: %0d wrong, left %0d times", bad, left);
        else
            $display("stack: pass, left %0d times of %0d", left, TIMES);
        $finish;
    end
endmodule
`default_nettype wire
