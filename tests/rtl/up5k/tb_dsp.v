// SPDX-License-Identifier: Apache-2.0
// The netlist of dsp.v against the plain form of its modules. The bench sets the registers of the cell models so that
// the counter is near its carries.
`default_nettype none
`timescale 1ns / 1ns

module tb_dsp;
    reg clk = 1'b0;
    always #5 clk = ~clk;

    reg reset = 1'b1, hold = 1'b0;
    reg [31:0] data = 32'd0;
    wire [31:0] hard_data, soft_data;
    wire [63:0] hard_cycle, soft_cycle;
    reg [11:0] control = 12'd0;
    wire [82:0] hard_adders, soft_adders;
    dsp hard (.clk_i(clk), .reset_i(reset), .hold_i(hold), .data_i(data), .data_o(hard_data), .cycle_o(hard_cycle),
              .control_i(control), .adders_o(hard_adders));
    gnomon_core_word word (.clk_i(clk), .hold_i(hold), .data_i(data), .data_o(soft_data));
    gnomon_cycle cycle (.clk_i(clk), .reset_i(reset), .cycle_o(soft_cycle));
    adders adders (.clk_i(clk), .word_i(data), .control_i(control), .adders_o(soft_adders));

    integer n, errors = 0, held = 0;

    task near(input [63:0] value);
        begin
            @(negedge clk);
            hard.\cycle.g_hard.g_half[0].u_half.u_dsp .rS = value[15:0];
            hard.\cycle.g_hard.g_half[0].u_half.u_dsp .rQ = value[31:16];
            hard.\cycle.g_hard.g_half[1].u_half.u_dsp .rS = value[47:32];
            hard.\cycle.g_hard.g_half[1].u_half.u_dsp .rQ = value[63:48];
            cycle.g_soft.cycle = value;
        end
    endtask

    always @(posedge clk)
        if (n > 1 && (hard_data !== soft_data || hard_cycle !== soft_cycle || hard_adders !== soft_adders)) begin
            if (errors < 5)
                $display("step %0d: word %h, expected %h; cycle %h, expected %h; adders %h, expected %h", n, hard_data, soft_data, hard_cycle,
                         soft_cycle, hard_adders, soft_adders);
            errors = errors + 1;
        end

    initial begin
        for (n = 0; n < 20000; n = n + 1) begin
            if (n % 1000 == 500) near(64'h0000_0000_0000_fff0);
            if (n % 1000 == 600) near(64'h0000_0000_ffff_fff0);
            if (n % 1000 == 700) near(64'h0000_ffff_ffff_fff0);
            if (n % 1000 == 800) near(64'hffff_ffff_ffff_fff0);
            @(negedge clk);
            reset = n < 3 || n % 1000 == 950;
            hold = n > 1 && $random % 2 != 0;
            held = held + hold;
            data = n % 4 == 0 ? {32{n[2]}} ^ $random & 32'h8001 : $random;
            control = n < 3 ? 12'h112 : $random; // loads all registers before they are compared
        end
        if (errors != 0 || held < 5000 || held > 15000) begin
            $display("tb_dsp: FAIL, %0d differences, %0d steps held", errors, held);
            $fatal(1);
        end
        $display("tb_dsp: pass, %0d steps, %0d of them held", n, held);
        $finish;
    end
endmodule
`default_nettype wire
