// SPDX-License-Identifier: Apache-2.0
// gnomon_latency against a model that takes one instruction after the other, in every cycle: random waits, accesses,
// tags, filters and thresholds, register accesses, restarts while the hart runs, resets. Phases make what is rare
// frequent: retirements without a pause, waits around the threshold and around powers of two, waits that are too long
// for the counter of a latency, counts that wrap. Prints how often each case came.
`timescale 1ns / 1ps
`default_nettype none

module tb_latency #(
    parameter TAG_DELAY = 0,
    parameter CYCLES = 600000
);
`include "gnomon_registers.vh"
  localparam WIDTH = 40, BITS = 24, LONGEST = 14, OVER = 15, CLEARING = 16;
  localparam [BITS-1:0] MOST = 1 << 23;
  localparam [11:0] COUNT = `GNOMON_PMU_LATENCY_COUNT_LO;

  reg clk = 0, look = 0, rst = 1, hart_rst = 1, in_reset = 0;
  reg retired = 0, unattributed = 1, is_tagged = 0, sel = 0, write = 0;
  reg [31:0] pc = 0, mem_addr = 0, wdata = 0;
  reg [3:0] rmask = 0, wmask = 0;
  reg [2:0] is_inside = 0;
  reg [11:0] addr = 0;
  wire [31:0] rdata;
  wire irq;
  // The model evaluates shortly before the clock edge; its inputs change at the opposite edge.
  always begin
    #4 look = 1;
    #1 clk = 1;
    #5 {clk, look} = 0;
  end
  always @(posedge clk) in_reset <= hart_rst;
  wire clear = rst || (hart_rst && !in_reset);
  gnomon_latency #(
    .TAG_DELAY(TAG_DELAY), .WIDTH(WIDTH)
  ) dut (
    .clk_i(clk), .clear_i(clear), .retired_i(retired), .unattributed_i(unattributed), .obs_pc_rdata_i(pc[31:1]),
    .obs_mem_addr_i(mem_addr), .obs_mem_rmask_i(rmask), .obs_mem_wmask_i(wmask), .inside_i(is_inside),
    .tagged_i(is_tagged), .reg_sel_i(sel), .reg_write_i(write), .reg_addr_i(addr), .reg_wdata_i(wdata),
    .reg_rdata_o(rdata), .irq_o(irq)
  );

  integer errors = 0, now = 0;
  task differ(input [8*8-1:0] what, input [63:0] got, input [63:0] wanted);
    if (got !== wanted) begin
      errors = errors + 1;
      if (errors < 20) $display("cycle %0d: %0s is %h, not %h", now, what, got, wanted);
    end
  endtask

  // ---- The model ----
  // What happened, by cycle modulo 16, and whether the filters that are known at once let it pass.
  reg r_retired[0:15], r_unpaid[0:15], r_passes[0:15], r_access[0:15];
  reg [31:0] r_pc[0:15], r_address[0:15];
  reg [31:0] control;
  reg [BITS-1:0] threshold, waiting, latency, m_cycles;
  reg [WIDTH-1:0] counts[0:15];
  reg [31:0] m_pc, m_address, wanted;
  reg [WIDTH-33:0] high;
  reg found, m_access, wrapped, compares, selected, restart, high_known, kept;
  integer clearing, at, counter, b, later; // later: the counter that counts in the next cycle; -1: none
  integer finds = 0, wraps = 0, longs = 0, uppers = 0, above = 0, mores = 0, restarts = 0, resets = 0, equals = 0;

  function integer counter_of(input [BITS-1:0] cycles);
    integer power;
    begin
      counter_of = 0;
      for (power = 1; power <= LONGEST; power = power + 1) if (cycles >> power != 0) counter_of = power;
      if (cycles >= threshold && (threshold >> LONGEST != 0 || counter_of == power_of(threshold)))
        counter_of = OVER;
    end
  endfunction
  function integer power_of(input [BITS-1:0] value);
    integer power;
    begin
      power_of = 0;
      for (power = 1; power <= LONGEST; power = power + 1) if (value >> power != 0) power_of = power;
    end
  endfunction

  task book;
    begin
      if (compares) differ("register", rdata, wanted);

      if (!selected) differ("unread", rdata, 0);
      if (now > 0) differ("irq", irq, found && control[`GNOMON_PMU_LATENCY_CONTROL_INTERRUPT]);
      wanted = 0;
      selected = sel && !write && addr[11:8] == COUNT[11:8];
      compares = sel && !write && !rst && !clear && clearing == 0; // while they are cleared, counts are anything
      case (addr)
        `GNOMON_PMU_LATENCY_FOUND: begin
          wanted = {m_cycles, 5'd0, wrapped, m_access, found};
          if (!found) compares = 0;
        end
        `GNOMON_PMU_LATENCY_PC: begin
          wanted = {m_pc[31:1], 1'b0};
          if (!found) compares = 0;
        end
        `GNOMON_PMU_LATENCY_ADDRESS: begin
          wanted = m_address;
          if (!found || !m_access) compares = 0;
        end
        default:
        if (addr[11:7] == COUNT[11:7]) begin
          wanted = addr[2] ? high : counts[addr[6:3]][31:0];
          if (addr[2] && !high_known) compares = 0;
          if (sel && !write && !addr[2]) begin
            high = counts[addr[6:3]][WIDTH-1:32];
            high_known = compares;
          end
        end
      endcase

      // Counts of the cycle before.
      if (later >= 0) begin
        counts[later] = counts[later] + 1;
        if (counts[later] == 0) begin
          wrapped = 1;
          wraps = wraps + 1;
        end
        later = -1;
      end

      // This cycle's instruction; the one that retired TAG_DELAY cycles ago.
      at = now % 16;
      r_retired[at] = retired;
      r_unpaid[at] = !unattributed;
      r_access[at] = |{rmask, wmask};
      r_pc[at] = pc;
      r_address[at] = mem_addr;
      r_passes[at] = control[0] && (control[3:2] == 0 || (control[2] && |rmask) || (control[3] && |wmask)) &&
          (!control[9] || is_inside[0]) && (!control[10] || is_inside[1]) && (!control[11] || is_inside[2]);
      at = (now + 16 - TAG_DELAY) % 16;
      restart = clear || (sel && write && (addr == `GNOMON_PMU_LATENCY_CONTROL ||
          addr == `GNOMON_PMU_LATENCY_THRESHOLD));
      kept = found && !(sel && write && addr == `GNOMON_PMU_LATENCY_FOUND && wdata[0]);
      found = kept;
      if (restart || clearing != 0) waiting = 0;
      else begin
        latency = waiting;
        if (r_unpaid[at] && waiting != MOST) latency = waiting + 1;
        waiting = latency;
        if (r_retired[at]) begin
          waiting = 0;
          if (r_passes[at] && (!control[8] || is_tagged)) begin
            later = counter_of(latency);
            if (latency == MOST) longs = longs + 1;
            if (later == OVER) uppers = uppers + 1;
            if (latency == threshold) equals = equals + 1;
            if (later != OVER && latency > threshold) above = above + 1;
            if (latency >= threshold) begin
              if (kept) mores = mores + 1;
              else begin
                {found, m_cycles, m_pc, m_address, m_access} = {1'b1, latency, r_pc[at], r_address[at], r_access[at]};
                finds = finds + 1;
              end
            end
          end
        end
      end
      if (clearing != 0) clearing = clearing - 1;
      if (restart) begin
        if (clear) {control, threshold} = 0;
        if (sel && write && addr == `GNOMON_PMU_LATENCY_CONTROL && !clear) control = wdata;
        if (sel && write && addr == `GNOMON_PMU_LATENCY_THRESHOLD && !clear) threshold = wdata;
        found = 0;
        wrapped = 0;
        later = -1;
        clearing = CLEARING;
        for (b = 0; b < 16; b = b + 1) counts[b] = 0;
        restarts = restarts + 1;
      end
      now = now + 1;
    end
  endtask
  always @(posedge look) book;

  // ---- What happens ----
  integer n, phase, left, busy;
  task tick;
    begin
      @(negedge clk);
      {sel, write} = 0;
    end
  endtask
  task set(input [11:0] where, input [31:0] value);
    begin
      {sel, write, addr, wdata} = {2'b11, where, value};
      tick;
    end
  endtask
  task prepare; // settings of a phase
    begin
      case (phase % 4)
        0: set(`GNOMON_PMU_LATENCY_THRESHOLD, $urandom_range(40));
        1: set(`GNOMON_PMU_LATENCY_THRESHOLD, 1 << $urandom_range(5));
        2: set(`GNOMON_PMU_LATENCY_THRESHOLD, phase % 8 == 2 ? MOST : (1 << $urandom_range(9)) + $urandom_range(3));
        3: set(`GNOMON_PMU_LATENCY_THRESHOLD, $urandom_range(2) == 0 ? 0 : $urandom_range(20000));
      endcase
      set(`GNOMON_PMU_LATENCY_CONTROL, $urandom_range(1) ? 32'd3 : {20'd0, 4'd1 << $urandom_range(3), 4'd0, 2'd0,
        $urandom_range(1) == 1, 1'b1} | ($urandom_range(3) << 2));
    end
  endtask
  // The wait before a retirement: none, around the threshold, around a power of two, anything.
  function integer wait_of(input integer kind);
    case (kind)
      0: wait_of = 0;
      1: wait_of = threshold < 20000 ? threshold + $urandom_range(3) - 2 : $urandom_range(5);
      2: wait_of = (1 << $urandom_range(phase % 5 == 0 ? 15 : 6)) + $urandom_range(2) - 2;
      default: wait_of = $urandom_range(30);
    endcase
  endfunction

  integer k;
  initial begin
    {control, threshold, waiting, found, wrapped, compares, high, high_known, m_access} = 0;
    for (k = 0; k < 16; k = k + 1) begin
      r_retired[k] = 0;
      r_unpaid[k] = 0;
      r_passes[k] = 0;
      r_access[k] = 0;
      counts[k] = 0;
    end
    selected = 1;
    clearing = CLEARING;
    later = -1;
    phase = 0;
    left = 0;
    repeat (20) tick;
    rst = 0;
    busy = 0;
    for (n = 0; n < CYCLES; n = n + 1) begin
      if (n % 4000 == 0) begin // a phase begins in the hart's reset, or while the hart runs
        if (phase % 3 == 0) begin
          {hart_rst, retired, unattributed} = 3'b101;
          repeat (CLEARING + 4) tick;
          if (phase % 9 != 0) prepare; // else the settings are 0
          repeat (CLEARING + 4) tick;
          hart_rst = 0;
          resets = resets + 1;
        end else prepare;
        phase = phase + 1;
        busy = $urandom_range(3);
      end
      retired = left <= 0;
      if (retired) left = wait_of($urandom_range(3) == 0 ? $urandom_range(3) : busy);
      else left = left - 1;
      unattributed = !retired && $urandom_range(9) == 0;
      pc = $urandom;
      mem_addr = $urandom;
      rmask = $urandom_range(2) == 0 ? 4'b1111 >> $urandom_range(3) : 0;
      wmask = $urandom_range(3) == 0 ? 4'b0001 << $urandom_range(3) : 0;
      is_inside = $urandom;
      is_tagged = $urandom;
      sel = $urandom_range(3) == 0;
      addr = $urandom_range(2) == 0 ? 12'h300 + 4 * $urandom_range(3) : COUNT + 4 * $urandom_range(31);
      if ($urandom_range(60) == 0) begin // often nothing is kept
        {sel, write, addr, wdata} = {2'b11, 12'd0, $urandom};
        addr = `GNOMON_PMU_LATENCY_FOUND;
      end
      if ($urandom_range(500) == 0 && clearing == 0 && later < 0) begin // the counts come near their end
        k = $urandom_range(15);
        #1 dut.counts[k] = ~40'd0 - $urandom_range(3);
        counts[k] = dut.counts[k];
      end
      if (n % 100000 == 50000) begin // a wait that is longer than can be counted
        #1 dut.waiting = MOST - 3;
        waiting = MOST - 3;
        dut.bucket = LONGEST;
        dut.reached = threshold <= MOST - 3;
        dut.passed = power_of(threshold) != LONGEST;
        retired = 0;
        left = 10;
      end
      tick;
    end
    $display("%0d found, %0d more, %0d just at the threshold, %0d in its upper part, %0d above it, %0d too long", finds, mores, equals, uppers, above, longs);
    $display("%0d wraps, %0d restarts, %0d resets", wraps, restarts, resets);
    if (finds < 50 || mores < 50 || equals < 50 || uppers < 50 || above < 50 || longs < 2 || wraps < 3) begin
      errors = errors + 1;
      $display("too little has happened");
    end
    if (errors == 0) $display("latency: good");
    if (errors != 0) $fatal(1, "latency: %0d errors", errors);
    $finish;
  end
endmodule

`default_nettype wire
