// SPDX-License-Identifier: Apache-2.0
// gnomon_stall_causes with its code window, with random cycles at full pace, against a reference model: when an
// instruction retires, it pays for all cycles since the last retirement. Runs end by EXIT or by the host. The hart is
// reset between them, once too soon to clear the table. With CROWDED the list is too short and the table is read while
// it counts: then no counter may be too large, and OVERFLOW must have the missing cycles exactly.
`timescale 1ns / 1ps
`default_nettype none

module tb_stall_causes;
`include "gnomon_registers.vh"
  parameter LOG2 = 6;
  parameter QUEUE_LOG2 = 6;
  parameter LENGTH = 31;
  parameter CROWDED = 0;
  // with REFRESH and PAGE: 16 and 17 in the model, in the code window in the places of DEBUG and RESET
  parameter MEMORY = 0;
  parameter RUNS = 12;
  parameter CYCLES = 20000;
  localparam CELLS = 16 << LOG2;
  localparam [31:0] BASE = 32'h1000_0F80;

  reg clk = 0, rst = 1, hart_rst = 1, valid = 0, trap = 0, exit = 0, enable = 0, sel = 0, write = 0;
  reg [31:0] pc = 0, wdata = 0;
  reg [4:0] cause = 10;
  reg [11:0] addr = 0;
  wire [31:0] rdata;
  always #5 clk = !clk;
  gnomon_stall_causes #(
    .CODE_WINDOW_LOG2(LOG2), .QUEUE_LOG2(QUEUE_LOG2), .LENGTH(LENGTH), .MEMORY(MEMORY)
  ) dut (
    .clk_i(clk), .rst_i(rst), .hart_rst_i(hart_rst), .obs_valid_i(valid), .obs_trap_i(trap), .obs_pc_i(pc[31:1]),
    .obs_cause_i(cause), .exit_i(exit), .enable_i(enable), .reg_sel_i(sel), .reg_write_i(write), .reg_addr_i(addr),
    .reg_wdata_i(wdata), .reg_rdata_o(rdata)
  );

  // ---- The reference model ----
  reg [63:0] cell_book[0:CELLS-1];
  reg [63:0] cell_before[0:CELLS-1]; // of the run before
  reg [63:0] cause_book[0:17];
  reg [63:0] waiting[0:15]; // by place in the window
  reg [63:0] outside_book, unattributed_book, cycles;
  reg [63:0] cause_late[0:17], cause_later[0:17]; // of one and two cycles before
  integer asked; // the cause whose counter was read in the previous cycle; -1: none
  reg [31:0] wanted;
  integer moments = 0; // counters that were read while they counted
  integer errors = 0, i, run, n, k, place, overflow_runs = 0, hits = 0, saturations = 0;
  reg counting, began;

  task forget;
    begin
      for (i = 0; i < CELLS; i = i + 1) cell_book[i] = 0;
      for (i = 0; i < 18; i = i + 1) cause_book[i] = 0;
      for (i = 0; i < 16; i = i + 1) waiting[i] = 0;
      outside_book = 0;
      unattributed_book = 0;
      cycles = 0;
      counting = 1;
      began = 0;
    end
  endtask

  task book; // one cycle, from the present inputs
    begin
      if (counting && began) begin
        cycles = cycles + 1;
        k = cause == 16 || cause == 17 ? cause : cause[3:0];
        cause_book[k] = cause_book[k] + 1;
        if (cause == 9 || cause == 10) unattributed_book = unattributed_book + 1;
        else begin
          k = cause == 16 ? 9 : cause == 17 ? 10 : cause[3:0];
          waiting[k] = waiting[k] + 1;
        end
        if (valid && !trap) begin
          place = pc >= BASE && pc < BASE + (2 << LOG2) ? (pc - BASE) / 2 : -1;
          for (i = 0; i < 16; i = i + 1) begin
            if (place >= 0) cell_book[place*16+i] = cell_book[place*16+i] + waiting[i];
            else outside_book = outside_book + waiting[i];
            waiting[i] = 0;
          end
          if (place >= 0) hits = hits + 1;
        end
        if (exit || !enable) counting = 0;
        if (!counting)
          for (i = 0; i < 16; i = i + 1) begin
            unattributed_book = unattributed_book + waiting[i];
            waiting[i] = 0;
          end
      end
      began = 1;
    end
  endtask

  // ---- Registers ----
  reg [63:0] got;
  task read(input [11:0] at);
    begin
      @(negedge clk) sel = 1;
      addr = at;
      @(negedge clk) sel = 0;
      got = {32'd0, rdata};
    end
  endtask
  task set(input [11:0] at, input [31:0] value);
    begin
      @(negedge clk) {sel, write} = 2'b11;
      addr = at;
      wdata = value;
      @(negedge clk) {sel, write} = 2'b00;
    end
  endtask
  task read_wide(input [11:0] at);
    reg [31:0] low;
    begin
      read(at);
      low = got[31:0];
      read(at + 4);
      got = {got[31:0], low};
    end
  endtask
  task expect_wide(input [11:0] at, input [63:0] value);
    begin
      read_wide(at);
      if (got !== value) begin
        errors = errors + 1;
        if (errors < 20) $display("run %0d: register %h is %0d, not %0d", run, at, got, value);
      end
    end
  endtask

  // Reads counters in the middle of the run, in each cycle and with pauses. A read has the events of two cycles before.
  task watch;
    begin
      asked = -1;
      if ($urandom_range(1) == 0) begin
        asked = $urandom_range(1) == 0 ? 0 : $urandom_range(MEMORY ? 17 : 15);
        sel = 1;
        addr = asked < 16 ? `GNOMON_STALL_CAUSES_COUNT + 8 * asked : asked == 16 ? `GNOMON_STALL_CAUSES_REFRESH_LO :
            `GNOMON_STALL_CAUSES_PAGE_LO;
        wanted = cause_later[asked];
      end
      // Reads without a pause, except when the lower part of the counter is about to carry.
      if (run == 8 && cause_later[0] % 4096 != 4095) begin
        asked = 0;
        sel = 1;
        addr = `GNOMON_STALL_CAUSES_COUNT;
        wanted = cause_later[0];
      end else if (run == 8) {asked, sel} = {-32'd1, 1'b0};
    end
  endtask
  task watched;
    begin
      if (asked >= 0) begin
        moments = moments + 1;
        if (rdata !== wanted) begin
          errors = errors + 1;
          if (errors < 20) $display("run %0d, cycle %0d: counter %0d is %0d, not %0d", run, cycles, asked, rdata, wanted);
        end
      end
      for (i = 0; i < 18; i = i + 1) begin
        cause_later[i] = cause_late[i];
        cause_late[i] = cause_book[i];
      end
    end
  endtask

  // ---- Cycles ----
  integer stay;      // cycles in which the cause does not change
  integer far, busy; // per cent of retirements outside of the window; per cent of cycles with a retirement
  task step;
    begin
      trap = 0;
      exit = 0;
      if (stay == 0) begin
        valid = $urandom_range(99) < busy;
        stay = $urandom_range(9) == 0 ? $urandom_range(40) : 0;
        cause = $urandom_range(40) == 0 ? 5'd9 : $urandom_range(14) + 1;
        if (cause == 10 || cause == 15) cause = 5'd31;
        if (MEMORY != 0 && $urandom_range(4) == 0) cause = 5'd16 + $urandom_range(1);
        trap = valid && $urandom_range(50) == 0;
        if (trap) cause = 5'd7;
        if (valid) stay = 0;
        if (valid && !trap) cause = 5'd0;
        pc = BASE + ($urandom_range(99) < far ? {$urandom} % (8 << LOG2) - (3 << LOG2) : {$urandom} % (2 << LOG2));
        pc[0] = 0;
        if (valid && $urandom_range(1) == 0) pc = BASE + 6; // the same instruction again and again
      end else begin
        stay = stay - 1;
        valid = 0;
      end
    end
  endtask

  reg [63:0] sum, overflow;
  initial begin
    repeat (4) @(negedge clk);
    rst = 0;
    for (run = 0; run < RUNS; run = run + 1) begin
      set(`GNOMON_STALL_CAUSES_CODE_WINDOW_BASE, BASE);
      enable = 1;
      // The last run begins before the table is cleared.
      read(`GNOMON_STALL_CAUSES_STATUS);
      while (run != RUNS - 1 && !got[0]) read(`GNOMON_STALL_CAUSES_STATUS);
      if (run == RUNS - 1) repeat (40) @(negedge clk);
      @(negedge clk) hart_rst = 0;
      forget;
      stay = 0;
      far = run % 3 == 0 ? 100 : 20;
      busy = run % 4 == 0 ? 95 : run % 4 == 1 ? 50 : CROWDED ? 2 : 25;
      // A counter that is nearly full.
`ifndef VERILATOR
      if (run == 5 && !CROWDED) begin
        for (i = 0; i < 16; i = i + 1) begin
          dut.g_code_window.u_code_window.cells[3*16+i] = 32'hFFFF_FFF0;
          cell_book[3*16+i] = 32'hFFFF_FFF0;
        end
      end
`endif
`ifndef VERILATOR
      // A counter whose lower half is nearly full.
      if (run == 4) begin
        dut.highs[0] = 36'h000FFFFF;
        cause_book[0] = 64'hFFFFF000;
        cycles = cycles + 64'hFFFFF000;
      end
`endif
      asked = -1;
      for (i = 0; i < 18; i = i + 1) {cause_late[i], cause_later[i]} = {2{cause_book[i]}};
      for (n = 0; n < CYCLES && counting; n = n + 1) begin
        watched;
        step;
        if (n == CYCLES - 1 && run % 2 == 0) {valid, trap, exit, cause} = {3'b101, 5'd0};
        if (n == CYCLES - 1 && run % 2 == 1) enable = 0;
        if (CROWDED != 0 && run != 4) begin // read all the time
          sel = $urandom_range(2) == 0;
          addr = $urandom_range(3) ? 12'h800 + {$urandom_range(511), 2'd0} : `GNOMON_STALL_CAUSES_OUTSIDE_LO + 8 * $urandom_range(2);
          asked = -1;
        end else watch;
        book;
        @(negedge clk) sel = 0;
      end
      // The counters stand still after the end.
      for (n = 0; n < 300; n = n + 1) begin
        step;
        @(negedge clk);
      end
      valid = 0;
      read(`GNOMON_STALL_CAUSES_STATUS);
      if (got[2:1] !== 2'b11) begin
        errors = errors + 1;
        $display("run %0d: not complete: %h", run, got);
      end
      if (got[3]) saturations = saturations + 1;
      sum = 0;
      for (k = 0; k < 16; k = k + 1) begin
        expect_wide(`GNOMON_STALL_CAUSES_COUNT + 8 * k, cause_book[k]);
        sum = sum + got;
      end
      if (MEMORY != 0) begin
        expect_wide(`GNOMON_STALL_CAUSES_REFRESH_LO, cause_book[16]);
        sum = sum + got;
        expect_wide(`GNOMON_STALL_CAUSES_PAGE_LO, cause_book[17]);
        sum = sum + got;
      end
      read(`GNOMON_STALL_CAUSES_CONFIG);
      if (got[30] !== (MEMORY != 0)) errors = errors + 1;
      if (sum !== cycles) errors = errors + 1;
      read_wide(`GNOMON_STALL_CAUSES_OVERFLOW_LO);
      overflow = got;
      if (overflow != 0) overflow_runs = overflow_runs + 1;
      read_wide(`GNOMON_STALL_CAUSES_UNATTRIBUTED_LO);
      sum = got;
      read_wide(`GNOMON_STALL_CAUSES_OUTSIDE_LO);
      sum = sum + got + overflow;
      if (overflow == 0) begin
        expect_wide(`GNOMON_STALL_CAUSES_UNATTRIBUTED_LO, unattributed_book);
        expect_wide(`GNOMON_STALL_CAUSES_OUTSIDE_LO, outside_book);
      end
      for (i = 0; i < CELLS; i = i + 1) begin
        if (i % 512 == 0) set(`GNOMON_STALL_CAUSES_CODE_WINDOW_PAGE, i / 512);
        read(`GNOMON_STALL_CAUSES_CODE_WINDOW + 4 * (i % 512));
        if (run != RUNS - 1) sum = sum + got;
        if (run != RUNS - 1) cell_before[i] = got;
        if (cell_book[i] > 32'hFFFF_FFFF) begin // saturated: the sum below has the excess
          sum = sum + cell_book[i] - 32'hFFFF_FFFF;
          cell_book[i] = 32'hFFFF_FFFF;
        end
        if (run == RUNS - 1) begin // not cleared, or only partly: the counter has the count of the run before
          if (got !== 0 && got !== cell_before[i]) errors = errors + 1;
        end else if (overflow == 0 ? got !== cell_book[i] : !(got <= cell_book[i])) begin
          errors = errors + 1;
          if (errors < 20) $display("run %0d: counter %0d is %0d, not %0d", run, i, got, cell_book[i]);
        end
      end
      if (run == 5 && !CROWDED && sum > cycles) sum = sum - 16 * 32'hFFFF_FFF0; // subtracts the preset counts
`ifndef VERILATOR
      if (run == 4) sum = sum + 32'hFFFFF000; // a preset count that the table does not have
`endif
      if (sum !== cycles) begin
        errors = errors + 1;
        $display("run %0d: %0d cycles are accounted for, of %0d", run, sum, cycles);
      end
      if (run == RUNS - 1 && overflow == 0) begin
        errors = errors + 1;
        $display("a table that was not cleared has counted");
      end
      hart_rst = 1;
      valid = 0;
      cause = 10;
      repeat (34) @(negedge clk);
    end
    if (overflow_runs < (CROWDED ? RUNS / 2 : 1) || (!CROWDED && overflow_runs > 1)) begin
      errors = errors + 1;
      $display("%0d runs with overflow cycles", overflow_runs);
    end
`ifndef VERILATOR
    if (!CROWDED && saturations != 1) begin
      errors = errors + 1;
      $display("%0d runs with saturated counters", saturations);
    end
`endif
    if (errors == 0) $display("causes: good, %0d runs, %0d retirements in the code window, %0d runs with overflow cycles, %0d reads while it counts", RUNS, hits, overflow_runs, moments);
    if (errors != 0) $fatal(1, "causes: %0d errors", errors);
    $finish;
  end
endmodule

`default_nettype wire
