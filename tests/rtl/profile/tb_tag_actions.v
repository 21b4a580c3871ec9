// SPDX-License-Identifier: Apache-2.0
// What tags do at the limits of their registers, by directed cases: counts that pass 2^32 and need the high half, low
// parts that fill at the same time, waits and intervals that are too long to be added at once, counters that stand at
// their largest value, the queue of the timers when it is full, thresholds and their interrupts in time. Values near
// the limits are put into the memories through a back door.
`timescale 1ns / 1ps
`default_nettype none
`include "gnomon_obs.vh"

module tb_tag_actions;
`include "gnomon_registers.vh"
  localparam [31:0] PLACE = 32'h1000_0000;
  localparam LOG2 = 8, LOOK = 80; // cycles from a threshold to its interrupt, at most
  reg clk = 0, rst = 1, hart_rst = 1, valid = 0, sel = 0, write = 0, mon_valid = 0;
  reg [31:0] pc = PLACE, address = 32'hE000_0000, wdata = 0;
  reg [3:0] rmask = 0, wmask = 0;
  reg [4:0] cause = 1;
  reg [11:0] addr = 0;
  wire [31:0] rdata;
  wire irq, traced, is_tagged;
  wire [3:0] gates;
  always #5 clk = !clk;
  wire [`GNOMON_OBS_PROFILED] obs; // the other fields are not read
  assign obs[`GNOMON_OBS_VALID] = valid;
  assign obs[`GNOMON_OBS_TRAP] = 1'b0;
  assign obs[`GNOMON_OBS_INSN] = 32'h13;
  assign obs[`GNOMON_OBS_PC_RDATA] = pc;
  assign obs[`GNOMON_OBS_PC_WDATA] = pc + 32'd2;
  assign obs[`GNOMON_OBS_MEM_ADDR] = address;
  assign obs[`GNOMON_OBS_MEM_RMASK] = rmask;
  assign obs[`GNOMON_OBS_MEM_WMASK] = wmask;
  assign obs[`GNOMON_OBS_CAUSE] = valid ? 5'd0 : cause;
  assign obs[`GNOMON_OBS_DEBUG] = 1'b0;
  gnomon_tags #(
    .LOG2(LOG2), .PER_ADDRESS_LOG2(6)
  ) dut (
    .clk_i(clk), .rst_i(rst), .hart_rst_i(hart_rst), .obs_i(obs), .events_i(64'd0), .thread_i(9'd0), .mon_valid_i(mon_valid),
    .mon_master_i(2'd2), .mon_write_i(1'b1), .mon_addr_i(PLACE[31:2] + 30'd3), .fills_i(2'b00),
    .code_beat_i(1'b0), .data_beat_i(1'b0), .beat_line_i(19'd0), .beat_word_i(32'd0), .filled_o(), .reg_sel_i(sel), .reg_write_i(write), .reg_addr_i(addr),
    .reg_wdata_i(wdata), .reg_rdata_o(rdata), .irq_o(irq), .traced_o(traced), .tagged_o(is_tagged), .gates_o(gates)
  );

  integer errors = 0, i, k, worst = 0;
  reg [8*20-1:0] part = "";
  task tick;
    @(negedge clk) {sel, write, valid, rmask, wmask, mon_valid} = 0;
  endtask
`include "register_access.vh"
  task must(input [11:0] at, input [31:0] value);
    begin
      get(at);
      if (got !== value) begin
        errors = errors + 1;
        $display("%0s: register %h is %h, not %h", part, at, got, value);
      end
    end
  endtask
  task must_pair(input [11:0] at, input [63:0] value);
    begin
      must(at, value[31:0]);
      must(at + 4, value[63:32]);
    end
  endtask
  task settle;
    reg [7:0] round;
    begin
      get(`GNOMON_TAGS_STATUS);
      round = got[15:8] + 2;
      i = 0;
      while (got[15:8] != round && i < 4000) begin
        get(`GNOMON_TAGS_STATUS);
        i = i + 1;
      end
      if (i == 4000) $fatal(1, "FAIL: no rounds");
    end
  endtask
  task state(input [1:0] missed_saturated);
    begin
      get(`GNOMON_TAGS_STATUS);
      if (got[5:4] !== missed_saturated) begin
        errors = errors + 1;
        $display("%0s: MISSED, SATURATED are %b", part, got[5:4]);
      end
    end
  endtask
  task clear_counts;
    begin
      set(`GNOMON_TAGS_CLEAR, 32'h2);
      got = 0;
      while (!got[0]) get(`GNOMON_TAGS_STATUS);
    end
  endtask
  // Puts a value into a word of the store.
  task put(input [11:0] at, input [31:0] value);
    begin
      dut.u_store.words[at[10:2]] = value;
      dut.u_store.shown[at[10:2]] = value;
    end
  endtask
  // An instruction with tag n retires; word m is accessed.
  task retire(input integer n, input integer m, input reads, input writes);
    begin
      valid = 1;
      pc = PLACE + 2 * n;
      address = m == 0 ? 32'hE000_0000 : PLACE + 4 * m;
      {rmask, wmask} = {3'd0, reads, 3'd0, writes};
      tick;
    end
  endtask
  task wait_cycles(input integer n);
    repeat (n) tick;
  endtask

  initial begin
    repeat (4) tick;
    rst = 0;
    repeat (600) tick;
    hart_rst = 0;
    got = 0;
    while (!got[0]) get(`GNOMON_TAGS_STATUS);
    // The instruction at PLACE + 2 * n has tag n; word m has tag m. Words are in another block than instructions, so
    // stores do not clear tags.
    set(12'h180, PLACE | 3);
    for (k = 0; k < 16; k = k + 1) set(12'h1C0 + 4 * k, PLACE | 3);
    for (k = 0; k < 32; k = k + 1) begin
      set(`GNOMON_TAGS_ADDRESS, PLACE + 4 * k);
      got = 2;
      while (got[1]) get(`GNOMON_TAGS_STATUS);
      set(`GNOMON_TAGS_TAG, k << 10 | (k < 16 ? (2 * k + 1) << 5 | 2 * k : 0));
      got = 2;
      while (got[1]) get(`GNOMON_TAGS_STATUS);
    end
    for (k = 0; k < 32; k = k + 1) set(12'h100 + 4 * k, 32'h7);
    set(`GNOMON_TAGS_CONTROL, 32'h1);

    // All counters by tag pass 2^32 at once: the carry reaches the high half, and the kept high half belongs to its low
    // half.
    part = "carry";
    clear_counts;
    for (k = 1; k < 32; k = k + 1)
      for (i = 0; i < 4; i = i + 1) begin
        put(12'h400 + 32 * k + 8 * i, 32'hFFFF_FFFF);
        put(12'h404 + 32 * k + 8 * i, 32'h0000_0100 * i + k);
      end
    retire(0, 0, 0, 0);
    for (k = 1; k < 32; k = k + 1) retire(k, 0, 0, 0);
    // Stores to these words clear tags of instructions, so words are only read, except those of no instruction.
    for (k = 1; k < 32; k = k + 1) retire(0, k, 1, k > 15);
    settle;
    for (k = 1; k < 32; k = k + 1) begin
      must_pair(12'h400 + 32 * k, {32'h001 + k, 32'd0});
      must_pair(12'h408 + 32 * k, {32'h101 + k, 32'd0});
      must_pair(12'h410 + 32 * k, {32'h201 + k, 32'd0});
      must_pair(12'h418 + 32 * k, k > 15 ? {32'h301 + k, 32'd0} : {32'h300 + k, 32'hFFFF_FFFF});
    end
    state(2'b00);

    // Reads of a count near 2^32 while it counts: both halves are of one time.
    part = "halves";
    clear_counts;
    for (k = 0; k < 400; k = k + 1) begin
      put(12'h420, 32'hFFFF_FFFE);
      put(12'h424, 32'd7);
      retire(1, 0, 0, 0);
      retire(1, 0, 0, 0);
      retire(1, 0, 0, 0);
      wait_cycles(k % 40);
      get(12'h420);
      worst = got;
      if (k % 3 != 0) wait_cycles(k % 3);
      get(12'h424);
      if (got !== (worst[31] ? 32'd7 : 32'd8)) begin
        errors = errors + 1;
        $display("%0s: %h with high half %h", part, worst, got);
      end
      settle;
    end

    // All low parts are one count from their half when a burst begins that has no pause, and is longer than a low part
    // can count: none overflows.
    part = "burst";
    clear_counts;
    wait_cycles(40);
    for (k = 1; k < 32; k = k + 1) begin
      dut.u_code.parts[k] = {16'd32767, 16'd0};
      dut.u_data.parts[k] = {16'd32767, 16'd0};
    end
    for (k = 0; k < 70000; k = k + 1) retire(1 + (k < 31 ? k : 30), k < 31 ? 1 + k : 31, 1, 0);
    settle;
    for (k = 1; k < 32; k = k + 1) must_pair(12'h400 + 32 * k, 32768 + (k == 31 ? 70000 - 31 : 0));
    for (k = 1; k < 32; k = k + 1) must_pair(12'h410 + 32 * k, 32768 + (k == 31 ? 70000 - 31 : 0));
    state(2'b00);

    // Long waits: by their slot. The longest one is not counted fully, and says so.
    part = "waits";
    clear_counts;
    retire(0, 0, 0, 0);
    wait_cycles(3000);
    retire(5, 0, 0, 0);
    wait_cycles(1023);
    retire(6, 0, 0, 0);
    wait_cycles(1022);
    retire(6, 0, 0, 0);
    settle;
    must_pair(12'h408 + 32 * 5, 3001);
    must_pair(12'h408 + 32 * 6, 1024 + 1023);
    state(2'b00);
    retire(0, 0, 0, 0);
    wait_cycles(20);
    dut.u_paid.waiting = 32'hFFFF_FFF0;
    wait_cycles(10);
    retire(5, 0, 0, 0);
    settle;
    must_pair(12'h408 + 32 * 5, 64'hFFFF_FFFE + 3001);
    state(2'b00);
    dut.u_paid.waiting = 32'hFFFF_FFF0;
    wait_cycles(30);
    retire(5, 0, 0, 0);
    wait_cycles(10);
    state(2'b01);

    // Counters of 32 bits stay at their largest value, and say so.
    part = "saturated";
    set(12'h104, 32'h17); // tag 1 has per-address counters
    for (k = 0; k < 4; k = k + 1) begin
      clear_counts;
      state(2'b00);
      retire(1, 0, 0, 0);
      wait_cycles(20);
      if (k == 0) dut.u_per_address.g_some.u_code.counters[1] = 32'hFFFF_FFFE;
      if (k == 1) put(`GNOMON_TAGS_PER_ADDRESS_OVERFLOW, 32'hFFFF_FFFE);
      if (k == 2) put(12'h200, 32'hFFFF_FFFE);
      if (k == 3) put(12'h234, 32'hFFFF_FFFE);
      if (k == 1) set(12'h180, PLACE | 1);
      if (k == 3) set(12'h224, 32'd2);
      for (i = 0; i < 2; i = i + 1) begin
        retire(1, 0, 0, 0);
        set(`GNOMON_TAGS_GATE, 32'h1);
        wait_cycles(10);
        set(`GNOMON_TAGS_GATE, 32'h0);
        wait_cycles(100);
        state(i == 0 ? 2'b00 : 2'b01);
      end
      set(`GNOMON_TAGS_PER_ADDRESS_SELECT, PLACE + 2);
      wait_cycles(10);
      must(k == 0 ? `GNOMON_TAGS_PER_ADDRESS_COUNT : k == 1 ? `GNOMON_TAGS_PER_ADDRESS_OVERFLOW : k == 2 ? 12'h200 : 12'h234, 32'hFFFF_FFFF);
      if (k == 1) set(12'h180, PLACE | 3);
    end
    set(12'h224, 32'd0);
    set(12'h104, 32'h7);

    // Intervals of 2^31 cycles and more: the sum is right, the lengths are "at least", and that is said.
    part = "long";
    clear_counts;
    set(`GNOMON_TAGS_GATE, 32'h4);
    wait_cycles(100);
    must(`GNOMON_TAGS_GATE, 32'h004);
    dut.u_gates.time_before = dut.u_gates.time_before + 32'h7FFF_FFC0;
    wait_cycles(100);
    must(`GNOMON_TAGS_GATE, 32'h044);
    must_pair(12'h284, 64'h8000_0000);
    dut.u_gates.time_before = dut.u_gates.time_before + 32'h7FFF_FFC0;
    wait_cycles(100);
    must_pair(12'h284, 64'h1_0000_0000);
    state(2'b00);
    set(`GNOMON_TAGS_GATE, 32'h0);
    wait_cycles(60);
    get(12'h284);
    // started in the third cycle after its write, stopped in the same one after the other write
    i = got;
    must(12'h288, 32'd1);
    if (i < 64 || i > 400) errors = errors + 1;
    must(12'h28C, 32'hFFFF_FFFF);
    must(12'h290, 32'hFFFF_FFFF);
    must(12'h294, 32'hFFFF_FFFF);
    must(12'h280, 32'd1);
    state(2'b01);

    // The next interval is not long.
    set(`GNOMON_TAGS_GATE, 32'h4);
    wait_cycles(60);
    must(`GNOMON_TAGS_GATE, 32'h004);
    set(`GNOMON_TAGS_GATE, 32'h0);
    wait_cycles(60);
    get(12'h28C);
    if (got > 100) errors = errors + 1;

    // More starts and stops than the queue takes: whole intervals are missing, each is counted, none is wrong.
    part = "queue";
    clear_counts;
    set(12'h104, 32'h1001); // tag 1 starts timer 0, tag 2 stops it
    set(12'h108, 32'h2001);
    for (k = 0; k < 300; k = k + 1) begin
      retire(1, 0, 0, 0);
      retire(2, 0, 0, 0);
    end
    settle;
    get(`GNOMON_TAGS_TIMERS_LOST);
    i = got;
    must(12'h200, 300 - i);
    must_pair(12'h204, 300 - i);
    must(12'h20C, 32'd1);
    must(12'h210, 32'd1);
    must(12'h214, 32'd1);
    if (i < 100 || i > 290) begin
      errors = errors + 1;
      $display("%0d intervals lost", i);
    end

    // Thresholds: passed exactly, not before; with all timers running the interrupt is there in time.
    part = "thresholds";
    worst = 0;
    for (k = 0; k < 120; k = k + 1) begin
      clear_counts;
      set(12'h21C, 32'h1);
      set(12'h220, 100 + k);
      if (k % 2 == 1) for (i = 1; i < 4; i = i + 1) for (got = 0; got < 4; got = got + 1) set(12'h220 + 64 * i + 4 * got, 32'd90 + i);
      if (k % 2 == 1) set(`GNOMON_TAGS_GATE, 32'hE);
      retire(1, 0, 0, 0);
      wait_cycles(100 + k);
      // the interval has just reached the threshold, DELAY - 1 cycles from now
      i = 0;
      while (!irq && i < 1000) begin
        i = i + 1;
        tick;
        if (i < 3 && irq) begin
          errors = errors + 1;
          $display("threshold passed early");
        end
      end
      worst = i > worst ? i : worst;
      must(`GNOMON_TAGS_INTERRUPT, 32'h1_0000);
      set(`GNOMON_TAGS_INTERRUPT, 32'h1_0000);
      wait_cycles(200);
      must(`GNOMON_TAGS_INTERRUPT, 32'h0); // once in an interval
      must(12'h230, 32'd1);
      retire(2, 0, 0, 0);
      wait_cycles(100);
      must(12'h230, 32'd1);
      // exactly reached by the stop, and missed by one cycle
      clear_counts;
      retire(1, 0, 0, 0);
      wait_cycles(99 + k - (k % 3 == 0));
      retire(2, 0, 0, 0);
      settle;
      must(12'h230, k % 3 == 0 ? 32'd0 : 32'd1);
      must_pair(12'h204, 100 + k - (k % 3 == 0));
    end
    if (worst > LOOK) errors = errors + 1;

    // Tags that would act during a clearing do not, and it is said.
    part = "missed";
    set(`GNOMON_TAGS_CLEAR, 32'h2);
    retire(5, 0, 0, 0);
    wait_cycles(20);
    state(2'b10);
    got = 0;
    while (!got[0]) get(`GNOMON_TAGS_STATUS);
    settle;
    must_pair(12'h400 + 32 * 5, 0);
    clear_counts;
    state(2'b00);

    // A store before a write of TAG may retire some cycles after it: it does not clear what was written.
    part = "earlier store";
    clear_counts;
    set(`GNOMON_TAGS_ADDRESS, PLACE + 20);
    wait_cycles(10);
    set(`GNOMON_TAGS_TAG, 32'h0142);
    wait_cycles(2);
    retire(0, 5, 0, 1);
    got = 2;
    while (got[1]) get(`GNOMON_TAGS_STATUS);
    set(`GNOMON_TAGS_ADDRESS, PLACE + 20);
    wait_cycles(10);
    must(`GNOMON_TAGS_TAG, 32'h0142);
    settle;
    must(`GNOMON_TAGS_CLEARED, 32'd1);

    // The host's store waits for a cycle in which the hart does not store. A second one meanwhile is not seen, and it is
    // said.
    part = "stores of others";
    for (k = 1; k < 3; k = k + 1) begin
      clear_counts;
      for (i = 0; i < 8; i = i + 1) begin
        mon_valid = i == 1 || (i == 4 && k == 2);
        retire(0, 20, 0, 1);
      end
      wait_cycles(10);
      state(k == 1 ? 2'b00 : 2'b10);
      settle;
      must(`GNOMON_TAGS_CLEARED, k == 1 ? 32'd1 : 32'd0);
      if (k == 1) must(`GNOMON_TAGS_CLEARED_ADDRESS, PLACE + 12);
    end

    $display("a threshold's interrupt is pending %0d cycles after it at most", worst);
    if (errors != 0) $fatal(1, "tag actions: %0d errors", errors);
    $display("PASS");
    $finish;
  end
endmodule

`default_nettype wire
