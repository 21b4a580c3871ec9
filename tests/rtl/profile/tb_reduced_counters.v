// SPDX-License-Identifier: Apache-2.0
// The reduced form of the selectable counters against plain counters of 64 bits: causes and events at random, several
// in one cycle, while settings change, counters are set to 0 and registers are read. Then the limits: low halves and
// both halves that wrap, the most events that wait and one more, the time until a count is in its register, resets.
`timescale 1ns / 1ps
`default_nettype none

module tb_reduced_counters;
`include "gnomon_registers.vh"
`include "gnomon_events.vh"
  parameter CYCLES = 200000;
  localparam [11:0] LO = `GNOMON_PMU_COUNTER_LO, HI = `GNOMON_PMU_COUNTER_HI, EVENT = `GNOMON_PMU_EVENT_LO;
  localparam SETTLED = 40;  // cycles without a read after which each count is in its register
  localparam WAITING = 511; // events of a counter that can wait for the adder
  reg clk = 0, rst = 1, hart_rst = 1, sel = 0, write = 0;
  reg [4:0] cause = 0;
  reg [63:0] events = 0;
  reg [11:0] addr = 0;
  reg [31:0] wdata = 0;
  wire [31:0] rdata;
  always #5 clk = !clk;
  gnomon_reduced_counters dut (
    .clk_i(clk), .rst_i(rst), .hart_rst_i(hart_rst), .cause_i(cause), .events_i(events), .reg_sel_i(sel),
    .reg_write_i(write), .reg_addr_i(addr), .reg_wdata_i(wdata), .reg_rdata_o(rdata)
  );

  // ---- The model ----
  reg [63:0] counts[0:1];
  reg [7:0] numbers[0:1];
  reg [1:0] inhibit;
  reg lost;
  integer now = 0, errors = 0, i, k, n, both = 0, zeroed = 0;
  function there(input [31:0] number);
    there = number <= `GNOMON_EVENT_CYCLES_FENCE || number == `GNOMON_EVENT_BRANCHES ||
        (number >= `GNOMON_EVENT_JUMPS && number <= `GNOMON_EVENT_MISPREDICTIONS) ||
        (number >= `GNOMON_EVENT_BUS_INSTRUCTION_READS && number <= `GNOMON_EVENT_BUS_HOST_WRITES);
  endfunction
  // Causes are events from 1 on. While the hart is halted, only they are counted.
  function happens(input [7:0] number);
    happens = number != 0 && (number < 33 ? number == cause + 1 : events[number] && cause + 1 != `GNOMON_EVENT_CYCLES_DEBUG);
  endfunction
  task forget;
    for (i = 0; i < 2; i = i + 1) {counts[i], numbers[i], inhibit[i], lost} = 0;
  endtask

  // ---- The stimulus ----
  reg [1:0] counted;
  reg read;
  task tick;
    begin
      read = sel && !write;
      for (i = 0; i < 2; i = i + 1) begin
        counted[i] = happens(numbers[i]) && !inhibit[i] && !hart_rst;
        counts[i] = counts[i] + counted[i];
      end
      both = both + (&counted && numbers[0] != numbers[1]);
      if (sel && write) begin
        if (addr == `GNOMON_PMU_INHIBIT) inhibit = wdata[4:3];
        for (i = 0; i < 2; i = i + 1) begin
          if (addr == LO + 16 * i) begin
            counts[i] = 0;
            zeroed = zeroed + counted[i];
          end
          if (addr == EVENT + 16 * i) numbers[i] = there(wdata[7:0]) ? wdata[7:0] : 8'd0;
        end
      end
      @(negedge clk);
      now = now + 1;
      if (!read && rdata !== 0) check("without a read", 0, rdata, 0);
      {sel, write, events, cause} = {66'd0, 5'd31};
    end
  endtask
  task idle(input integer many);
    for (k = 0; k < many; k = k + 1) tick;
  endtask
`include "register_access.vh"
`include "check.vh"
  task compare;
    begin
      idle(SETTLED);
      for (n = 0; n < 2; n = n + 1) begin
        get(LO + 16 * n);
        check("count", n, got, counts[n][31:0]);
        get(HI + 16 * n);
        check("count's high", n, got, counts[n][63:32]);
        get(EVENT + 16 * n);
        check("event", n, got, numbers[n]);
        get(EVENT + 16 * n + 4);
        check("event's high", n, got, 0);
      end
      get(`GNOMON_PMU_INHIBIT);
      check("inhibit", 0, got, inhibit << 3);
      get(`GNOMON_PMU_LOST);
      check("lost", 0, got, {lost, lost});
    end
  endtask
  task happen(input integer many); // events of both counters, one a cycle
    for (n = 0; n < many; n = n + 1) begin
      events = ~64'd0;
      tick;
    end
  endtask
  // Puts a value into a counter's register, while reads hold up the adder.
  task put(input integer which, input [63:0] value);
    begin
      for (n = 0; n < 8; n = n + 1) get(LO);
      dut.u_engine.words[64+4*which] = value[31:0];
      dut.u_engine.words[65+4*which] = value[63:32];
      counts[which] = value;
    end
  endtask
  task reset; // as the host does before a run
    begin
      hart_rst = 1;
      tick;
      forget;
      idle(600);
    end
  endtask

  integer phase, every, step;
  initial begin
    forget;
    @(negedge clk);
    @(negedge clk);
    rst = 0;
    idle(600);
    get(`GNOMON_PMU_CONFIG);
    check("config", 0, got, 32'h0036_2002);
    for (step = 0; step < 256; step = step + 1) begin // of other events nothing remains
      set(EVENT + 16 * (step % 2), {24'hFFFFFF, step[7:0]});
      compare;
    end
    reset;
    hart_rst = 0;

    // ---- At random ----
    for (phase = 0; phase < CYCLES / 500; phase = phase + 1) begin
      every = 1 << $unsigned($random) % 5; // the mean distance between events
      set(EVENT + 16 * (phase % 2), $unsigned($random) % 56);
      if (phase % 8 == 7) set(EVENT + 16, numbers[0]); // both count the same event
      for (step = 0; step < 500; step = step + 1) begin
        events = {$random, $random} | {64{every == 1}};
        cause = $unsigned($random) % every != 0 ? 5'd31 : $random % 2 != 0 ? numbers[phase%2] - 8'd1 : $unsigned($random) % 16;
        if ($unsigned($random) % every != 0) events = 0;
        if ($unsigned($random) % 8 == 0) {sel, write, addr} = {2'b10, LO | ($random & 12'h01C)};
        if ($unsigned($random) % 64 == 0) begin
          {sel, write, wdata} = {2'b11, $random};
          case ($unsigned($random) % 4)
            0: addr = LO + 16 * wdata[0];
            1: addr = HI + 16 * wdata[0]; // changes nothing
            2: begin
              addr = EVENT + 16 * wdata[8];
              wdata = wdata[31:8] % 56;
            end
            3: begin
              addr = `GNOMON_PMU_INHIBIT;
              if (wdata[5]) wdata = 0;
            end
          endcase
        end
        tick;
      end
      compare;
    end
    if (both < CYCLES / 200 || zeroed < CYCLES / 5000) begin
      $display("too little happened: %0d cycles with two events, %0d events with a write of 0", both, zeroed);
      errors = errors + 1;
    end
    reset;
    hart_rst = 0;
    compare;

    // ---- Counts that wrap, of one counter and of both at the same time ----
    set(EVENT, `GNOMON_EVENT_BUS_HOST_WRITES);
    set(EVENT + 16, `GNOMON_EVENT_BRANCHES);
    put(0, 64'hFFFF_FFFF);
    happen(1);
    compare;
    put(1, 64'h5_FFFF_FFF0);
    happen(20);
    compare;
    put(0, 64'h7_FFFF_FFF0);
    put(1, 64'h8_FFFF_FF80);
    happen(300);
    compare;
    set(LO, 32'h1234);
    set(LO + 16, 32'h5678);
    compare;
    put(0, 64'hFFFF_FFFF_FFFF_FFFA);
    put(1, 64'hFFFF_FFFF_FFFF_FFFF);
    happen(7);
    compare;
    check("past the end", 0, counts[0], 1);

    // ---- Events of each cycle, without a read and with a read in each second cycle ----
    happen(10000);
    compare;
    for (phase = 0; phase < 5000; phase = phase + 1) begin
      if (phase % 2 == 0) {sel, addr} = {1'b1, LO};
      events = ~64'd0;
      tick;
    end
    compare;

    // ---- A counter that is read without a pause: as many events as can wait, and one more ----
    for (phase = 0; phase < 2; phase = phase + 1) begin
      for (step = 0; step < 8 + WAITING + phase; step = step + 1) begin
        {sel, addr} = {1'b1, HI};
        if (step >= 8) events = ~64'd0;
        tick;
      end
      if (phase == 0) compare;
    end
    idle(SETTLED);
    get(`GNOMON_PMU_LOST);
    check("lost", 0, got, 3);

    // ---- The beginning of the hart's reset clears everything, and nothing is counted in it ----
    hart_rst = 1;
    happen(1);
    forget;
    set(EVENT, `GNOMON_EVENT_CYCLES);
    idle(600);
    happen(100);
    compare;
    hart_rst = 0;
    happen(100);
    compare;
    check("after reset", 0, counts[0], 100);

    if (errors == 0) $display("tb_reduced_counters: PASS, %0d cycles with two events", both);
    else begin
      $display("tb_reduced_counters: FAIL, %0d differences", errors);
      $fatal(1);
    end
    $finish;
  end
endmodule

`default_nettype wire
