// SPDX-License-Identifier: Apache-2.0
// The timer's two forms, gnomon_timer and the one in gnomon_sysctl: mtime counts cycles, the interrupt comes when the
// modules' headers say, carries pass from the low to the high half, writes work or are ignored by WRITABLE.
`timescale 1ns / 1ns
`default_nettype none

module tb_timer;
    parameter integer WRITABLE = 1;
    reg clk = 0, rst = 1;
    always #5 clk = !clk;
    reg [63:0] cycle = 0;
    wire hart_rst;
    always @(posedge clk) cycle <= hart_rst ? 64'd0 : cycle + 1;

    reg sel = 0, write = 0;
    reg [11:0] addr = 0;
    reg [31:0] wdata = 0;
    wire [31:0] rdata;
    wire irq_timer, irq_software;
    reg control = 0;
    generate
        if (WRITABLE != 0) begin : g_timer
            assign hart_rst = rst;
            gnomon_timer dut (
              .clk_i(clk), .rst_i(rst), .reg_sel_i(sel), .reg_write_i(write), .reg_addr_i(addr), .reg_wdata_i(wdata),
              .reg_rdata_o(rdata), .irq_timer_o(irq_timer), .irq_software_o(irq_software)
            );
        end else begin : g_sysctl
            gnomon_sysctl #(.TIMER(1)) dut (
                .clk_host_i(clk),
                .clk_i(clk), .rst_i(rst), .reg_sel_i(sel && control), .timer_sel_i(sel && !control), .reg_write_i(write),
                .reg_addr_i(addr), .reg_wdata_i(wdata), .reg_rdata_o(rdata), .host_wdata_i(32'd0), .cycle_i(cycle),
                .hart_rst_o(hart_rst), .irq_timer_o(irq_timer), .irq_software_o(irq_software), .dbg_halted_i(1'b0),
                .dbg_cause_i(3'd0), .dbg_busy_i(1'b0), .dbg_error_i(1'b0), .program_end_i(1'b0),
                .obs_wfi_i(1'b0), .obs_mem_wdata_i(32'd0),
                .event_done_i(1'b0)
            );
        end
    endgenerate

    integer errors = 0;
    task put(input [11:0] a, input [31:0] d);
        begin
            sel <= 1;
            write <= 1;
            addr <= a;
            wdata <= d;
            @(posedge clk);
            sel <= 0;
            write <= 0;
        end
    endtask
    // Reads; `value` is the register's value in the cycle of the access.
    task get(input [11:0] a, output [31:0] value);
        begin
            sel <= 1;
            addr <= a;
            @(posedge clk);
            sel <= 0;
            #1 value = rdata;
        end
    endtask
    task check(input ok, input [8*40-1:0] what);
        if (ok !== 1'b1) begin
            $display("%0d: %0s", cycle, what);
            errors = errors + 1;
        end
    endtask

    reg [31:0] value, again;
    reg [63:0] due;
    integer late;
    initial begin
        repeat (3) @(posedge clk);
        rst <= 0;
        if (WRITABLE == 0) begin
            @(posedge clk);
            check(hart_rst, "in reset after power-on");
            repeat (20) @(posedge clk);
            control <= 1;
            put(12'h020, 32'd0);
            control <= 0;
            while (hart_rst) @(posedge clk) #1;
        end
        repeat (10) @(posedge clk);
        check(!irq_timer && !irq_software, "interrupt after reset");
        get(12'h000, value);
        get(12'h000, again);
        check(again == value + 1, "mtime counts cycles");
        check({32'd0, value} == cycle - 2, "mtime starts at 0");
        get(12'h008, value);
        check(value == 32'hFFFF_FFFF, "mtimecmp after reset");

        due = cycle + 40;
        put(12'h008, due[31:0]);
        put(12'h00C, due[63:32]);
        while (!irq_timer) @(posedge clk) #1;
        if (WRITABLE != 0) check(cycle == due + 1, "interrupt one cycle after mtime reaches mtimecmp");
        else check(cycle >= due + 2 && cycle <= due + 9, "interrupt soon after mtime reaches mtimecmp");
        get(12'h008, value);
        get(12'h00C, again);
        check({again, value} == due, "mtimecmp reads back");
        put(12'h00C, 32'd1);
        repeat (2) @(posedge clk);
        #1 check(!irq_timer, "a later mtimecmp takes the interrupt back");

        put(12'h010, 32'd3);
        #1 check(irq_software, "msip");
        get(12'h010, value);
        check(value == 32'd1, "msip reads its bit only");
        put(12'h010, 32'd0);
        #1 check(!irq_software, "msip cleared");

        put(12'h008, 32'd0);
        put(12'h000, 32'hFFFF_FFF0);
        put(12'h004, 32'd0);
        if (WRITABLE != 0) begin
            late = 0;
            while (!irq_timer) begin
                @(posedge clk) #1;
                late = late + 1;
            end
            check(late > 10 && late < 20, "interrupt when the carry arrives");
            get(12'h004, value);
            check(value == 32'd1, "carry into the high half");
        end else begin
            get(12'h004, value);
            get(12'h000, value);
            check({32'd0, value} == cycle - 1, "mtime is the cycle counter");
            // Never early; at most 9 cycles late, 17 when the low half wraps.
            for (late = 0; late < 100; late = late + 1) begin
                cycle = {32'd4, late % 3 == 0 ? 32'd1000 : 32'hFFFF_FFD0};
                due = cycle + 24 + late % 50;
                put(12'h00C, 32'hFFFF_FFFF);
                put(12'h008, due[31:0]);
                put(12'h00C, due[63:32]);
                while (!irq_timer) @(posedge clk) #1;
                check(cycle >= due + 2 && cycle <= due + (late % 3 == 0 ? 9 : 17), "interrupt in time");
                repeat (20 + late) @(posedge clk) #1 check(irq_timer, "it stays");
            end
        end
        rst <= 1;
        repeat (3) @(posedge clk);
        #1 check(!irq_timer, "reset");
        if (errors != 0) $fatal(1, "timer, WRITABLE=%0d: %0d errors", WRITABLE, errors);
        $display("timer, WRITABLE=%0d: good", WRITABLE);
        $finish;
    end
endmodule
