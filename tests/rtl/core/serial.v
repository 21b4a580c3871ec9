// SPDX-License-Identifier: Apache-2.0
// The serial unit of the compact core against Verilog's own arithmetic: values, cycles, and 0 when nothing is there.
`default_nettype none
`timescale 1ns / 1ns

module serial;
    reg         clk = 1'b0;
    reg         clear = 1'b1, start = 1'b0, shift, arithmetic;
    reg  [2:0]  op;
    reg  [31:0] a, b;
    wire        done;
    wire [31:0] result;
    always #5 clk = ~clk;
    gnomon_core_serial unit (
        .clk_i(clk), .clear_i(clear | done), .start_i(start), .shift_i(shift), .arithmetic_i(arithmetic), .op_i(op),
        .a_i(a), .b_i(b), .done_o(done), .result_o(result));

    reg  [31:0] want;
    reg  signed [65:0] product;
    integer     round, cycles, want_cycles, bad;

    // Every second operand is one at which something may turn.
    function [31:0] operand(input integer unused);
        case ($random & 15)
            0: operand = 32'd0;
            1: operand = 32'd1;
            2: operand = 32'hffff_ffff;
            3: operand = 32'h8000_0000;
            4: operand = 32'h7fff_ffff;
            5: operand = 32'h8000_0001;
            6: operand = 32'd7;
            default: operand = $random;
        endcase
    endfunction

    task expect_shift;
        begin
            want_cycles = 2 + b[4:0];
            if (arithmetic) want = $signed(a) >>> b[4:0];
            else if (op[2]) want = a >> b[4:0];
            else want = a << b[4:0];
        end
    endtask

    task expect_product;
        begin
            product = $signed({op[1:0] != 2'd3 & a[31], a}) * $signed({~op[1] & b[31], b});
            want = op == 3'd0 ? product[31:0] : product[63:32];
            want_cycles = 34;
        end
    endtask

    task expect_quotient;
        begin
            want_cycles = op[1] ? 36 : 35;
            if (b == 32'd0) want = op[1] ? a : 32'hffff_ffff;
            else if (~op[0] & b == 32'hffff_ffff) want = op[1] ? 32'd0 : -a;
            else case (op[1:0])
                2'd0: want = $signed(a) / $signed(b);
                2'd1: want = a / b;
                2'd2: want = $signed(a) % $signed(b);
                default: want = a % b;
            endcase
        end
    endtask

    initial begin
        bad = 0;
        @(negedge clk) clear = 1'b0;
        for (round = 0; round < 4000; round = round + 1) begin
            a = operand(0);
            b = operand(0);
            shift = $random;
            op = $random;
            arithmetic = 1'b0;
            if (shift) begin
                op[1:0] = 2'b01;
                arithmetic = op[2] & round[0];
                expect_shift;
            end else if (op[2])
                expect_quotient;
            else
                expect_product;
            start = 1'b1;
            cycles = 1;
            #1;
            while (~done & cycles < 99) begin
                @(negedge clk) cycles = cycles + 1;
                #1;
            end
            if (result !== want | cycles != want_cycles) begin
                bad = bad + 1;
                $display("serial: shift %b op %0d of %h, %h: %h in %0d, not %h in %0d", shift, op, a, b, result, cycles, want,
                         want_cycles);
            end
            @(negedge clk);
            if (round[1]) begin
                start = 1'b0;
                #1 if (result !== 32'd0) begin
                    bad = bad + 1;
                    $display("serial: %h when nothing is there", result);
                end
                @(negedge clk);
            end
        end
        if (bad == 0)
            $display("serial: pass");
        else
            $display("serial: FAIL, %0d", bad);
        $finish;
    end
endmodule
`default_nettype wire
