// SPDX-License-Identifier: Apache-2.0
// The serial unit of the compact core against Verilog's arithmetic: values, cycles, and 0 for an instruction of another
// unit.
`default_nettype none
`timescale 1ns / 1ns

module serial;
    reg         clk = 1'b0;
    reg         load = 1'b0, shift, arithmetic;
    reg  [2:0]  op;
    reg  [31:0] a, b;                    // the operands; x_a, x_b: the operands in X
    reg  [31:0] x_a, x_b;
    reg         x_mine = 1'b0, x_complement;
    wire        complement, step, done;
    wire [31:0] stepped, result;
    always #5 clk = ~clk;
    gnomon_core_serial unit (
        .clk_i(clk), .load_i(load), .d_shift_i(shift), .d_mul_i(~shift & ~op[2]), .d_div_i(~shift & op[2]), .d_op_i(op[1:0]),
        .d_a_sign_i(a[31]), .d_b_sign_i(b[31]), .d_amount_i(b[4:0]), .d_complement_o(complement), .x_mine_i(x_mine),
        .x_valid_i(1'b1), .x_shift_i(shift), .x_arithmetic_i(arithmetic), .x_op_i(op), .x_a_i(x_a), .x_b_i(x_b),
        .x_complement_i(x_complement), .x_step_o(step), .x_a_o(stepped), .done_o(done), .result_o(result));
    always @(posedge clk)
        if (load) begin
            x_a <= a;
            x_b <= b ^ {32{complement}};
            x_complement <= complement;
        end else if (step)
            x_a <= stepped;

    reg  [31:0] want;
    reg  signed [65:0] product;
    integer     round, cycles, want_cycles, bad;

    // Every second operand is a boundary value.
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
            want_cycles = 1 + b[4:0];
            if (arithmetic) want = $signed(a) >>> b[4:0];
            else if (op[2]) want = a >> b[4:0];
            else want = a << b[4:0];
        end
    endtask

    task expect_product;
        begin
            product = $signed({op[1:0] != 2'd3 & a[31], a}) * $signed({~op[1] & b[31], b});
            want = op == 3'd0 ? product[31:0] : product[63:32];
            want_cycles = 33;
        end
    endtask

    task expect_quotient;
        begin
            want_cycles = op[1] ? 35 : 34;
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
        @(negedge clk);
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
            load = 1'b1;
            @(negedge clk) load = 1'b0;
            x_mine = 1'b1;
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
            if (round[1]) begin
                x_mine = 1'b0;
                #1 if (result !== 32'd0) begin
                    bad = bad + 1;
                    $display("serial: %h for another unit", result);
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
