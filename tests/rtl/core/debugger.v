// SPDX-License-Identifier: Apache-2.0
// The other end of the debug port: runs a script from +debug=FILE, one operation per line: a digit and a hexadecimal
// word.
//   0 n  wait n cycles          1 c  halt, wait until halted, check cause c      2 -  resume (halt request off)
//   3 i  inject i, must succeed 4 i  inject i, must trap                         5 v  write the data register
//   6 v  the data register must be v                                           7 c  wait until halted with cause c
//   8 -  halt request on, without waiting                                       9 -  the hart must be running
`default_nettype none

module debugger (
    input  wire        clk_i, rst_i,
    input  wire [31:0] cycle_i,
    output reg         halt_o, resume_o,
    input  wire        halted_i,
    input  wire [2:0]  cause_i,
    output reg         insn_valid_o,
    output reg  [31:0] insn_o,
    input  wire        busy_i, error_i,
    output reg         data_we_o,
    output reg  [31:0] data_o,
    input  wire [31:0] data_i
);
    // The script is read beforehand, because Verilator 5.006 mishandles clocked blocks that read a file.
    reg [35:0]     script [0:8191];
    reg [1023:0]   name;
    reg [12:0]     line;
    reg [3:0]      op;
    reg [31:0]     value, left;
    reg            active, settle;
    integer        i;
    initial begin
        for (i = 0; i < 8192; i = i + 1)
            script[i] = {36{1'b1}};
        if ($value$plusargs("debug=%s", name))
            $readmemh(name, script);
    end
    wire [3:0]     next_op = script[line][35:32];
    wire [31:0]    next_value = script[line][31:0];

    task fail;
        begin
            $display("debugger: FAIL at operation %0d (%0h %h), cycle %0d: halted %b cause %0d error %b data %h", line, op,
                     value, cycle_i, halted_i, cause_i, error_i, data_i);
            $finish;
        end
    endtask

    always @(posedge clk_i) begin
        resume_o <= 1'b0;
        insn_valid_o <= 1'b0;
        data_we_o <= 1'b0;
        settle <= 1'b0;
        if (rst_i) begin
            halt_o <= $test$plusargs("halt") != 0;
            active <= 1'b0;
            line <= 13'd0;
        end else if (~active) begin
            if (next_op != 4'hf) begin
                line <= line + 13'd1;
                op <= next_op;
                value <= next_value;
                left <= next_value;
                active <= 1'b1;
                settle <= 1'b1;
                case (next_op)
                    4'h1, 4'h8: halt_o <= 1'b1;
                    4'h2: begin resume_o <= 1'b1; halt_o <= 1'b0; end
                    4'h3, 4'h4: begin insn_valid_o <= 1'b1; insn_o <= next_value; end
                    4'h5: begin data_we_o <= 1'b1; data_o <= next_value; end
                    default: ;
                endcase
            end
        end else if (~settle) begin
            // The effect of an operation is visible from the second cycle on.
            left <= left - 32'd1;
            case (op)
                4'h0: active <= left > 32'd1;
                4'h1, 4'h7: if (halted_i) begin
                    active <= 1'b0;
                    if (cause_i != value[2:0]) fail;
                end
                4'h3, 4'h4: if (~busy_i) begin
                    active <= 1'b0;
                    if (error_i != (op == 4'h4)) fail;
                end
                4'h6: begin
                    active <= 1'b0;
                    if (data_i != value) fail;
                end
                4'h9: begin
                    active <= 1'b0;
                    if (halted_i) fail;
                end
                default: active <= 1'b0;
            endcase
        end
    end
endmodule
`default_nettype wire
