// SPDX-License-Identifier: Apache-2.0
// The reduced form of tags against plain arrays: a random stream of instructions, stores beside it and into tagged
// code, tags that change while instructions retire, timers, the interrupt, registers that are read meanwhile. Then the
// limits: instructions without a pause that all count, high halves, an interval that begins too early, a clearing.
`timescale 1ns / 1ps
`default_nettype none

module tb_reduced_tags;
`include "gnomon_registers.vh"
  localparam WORDS = 32; // of code with tags
  localparam [11:0] VALUE = `GNOMON_TAGS_VALUE_EXECUTIONS_LO, TIMER = `GNOMON_TAGS_TIMER_INTERVALS, MODE = `GNOMON_TAGS_MODE;
  parameter CYCLES = 60000;
  reg clk = 0, rst = 1, hart_rst = 1, retired = 0, store = 0, sel = 0, write = 0;
  reg [15:1] pc = 0;
  reg [31:2] store_address = 0;
  reg [11:0] addr = 0;
  reg [31:0] wdata = 0;
  wire [31:0] rdata;
  wire irq;
  always #5 clk = !clk;
  gnomon_reduced_tags dut (
    .clk_i(clk), .rst_i(rst), .hart_rst_i(hart_rst), .retired_i(retired), .pc_i(pc), .mon_valid_i(store), .mon_write_i(1'b1),
    .mon_addr_i(store_address), .reg_sel_i(sel), .reg_write_i(write), .reg_addr_i(addr), .reg_wdata_i(wdata),
    .reg_rdata_o(rdata), .irq_o(irq)
  );

  // ---- The model: one thing after the other ----
  reg [3:0] tags[0:2*WORDS-1];  // by parcel
  reg [4:0] modes[0:15];        // WHICH, TIMER, INTERRUPT, EXECUTE
  reg [63:0] counts[0:15];
  reg [1:0] runs;
  reg [31:0] began[0:1], ended[0:1], intervals[0:1], last[0:1], shortest[0:1], longest[0:1];
  reg [63:0] cycles[0:1];
  reg asked;
  integer now = 0, errors = 0, i, k, n, ups = 0, stored = 0, quiet = 0;

  task forget;
    begin
      for (i = 0; i < 16; i = i + 1) counts[i] = 0;
      for (i = 0; i < 2; i = i + 1) begin
        {began[i], ended[i], intervals[i], last[i], longest[i], cycles[i]} = 0;
        shortest[i] = ~32'd0;
      end
      {runs, asked} = 0;
    end
  endtask
  function [3:0] tag_at(input [15:1] at);
    tag_at = at < 2 * WORDS ? tags[at] : 4'd0;
  endfunction
  reg [3:0] tag;
  reg [4:0] mode;
  reg t;
  reg [31:0] took;
  task execute(input [15:1] at);
    begin
      tag = tag_at(at);
      mode = modes[tag];
      t = mode[4];
      if (tag != 0 && mode[0]) begin
        counts[tag] = counts[tag] + 1;
        if (mode[1]) asked = 1;
        if (mode[2] && !runs[t]) begin
          runs[t] = 1;
          began[t] = now;
        end else if (mode[3] && runs[t]) begin
          runs[t] = 0;
          took = now - began[t];
          ended[t] = now;
          intervals[t] = intervals[t] + 1;
          cycles[t] = cycles[t] + took;
          last[t] = took;
          if (took < shortest[t]) shortest[t] = took;
          if (took > longest[t]) longest[t] = took;
        end
      end
    end
  endtask

  // ---- The stimulus ----
  task tick;
    begin
      @(negedge clk);
      if (retired) execute(pc);
      now = now + 1;
      {sel, write, retired, store} = 0;
    end
  endtask
  task idle(input integer many);
    for (k = 0; k < many; k = k + 1) tick;
  endtask
`include "register_access.vh"
`include "check.vh"
  task await(input [31:0] mask, input [31:0] value);
    begin
      get(`GNOMON_TAGS_STATUS);
      n = 0;
      while ((got & mask) != value && n < 40000) begin
        get(`GNOMON_TAGS_STATUS);
        n = n + 1;
      end
      check("status", mask, got & mask, value);
    end
  endtask
  task put_tags(input [15:2] word, input [3:0] upper, input [3:0] lower);
    begin
      set(`GNOMON_TAGS_ADDRESS, {16'h1000, word, 2'b00});
      set(`GNOMON_TAGS_TAG, {22'd0, 1'b0, upper, 1'b0, lower});
      await(32'd2, 32'd0);
      {tags[2*word+1], tags[2*word]} = {upper, lower};
    end
  endtask
  task settle; // all counts are in their registers
    reg [7:0] first, at;
    begin
      get(`GNOMON_TAGS_STATUS);
      {first, at} = {2{got[15:8]}};
      n = 0;
      while (at - first < 8'd2 && n < 40000) begin
        get(`GNOMON_TAGS_STATUS);
        at = got[15:8];
        n = n + 1;
      end
    end
  endtask
  task compare(input [31:0] missed, input [31:0] saturated, input [31:0] cleared, input [31:0] refused);
    begin
      settle;
      check("missed", 0, got[5], missed);
      check("saturated", 0, got[4], saturated);
      for (i = 0; i < 16; i = i + 1) begin
        get(VALUE + 32 * i);
        check("executions", i, got, counts[i][31:0]);
        get(VALUE + 32 * i + 4);
        check("executions' high", i, got, counts[i][63:32]);
      end
      for (i = 0; i < 2; i = i + 1) begin
        get(TIMER + 64 * i);
        check("intervals", i, got, intervals[i]);
        get(TIMER + 64 * i + 4);
        check("cycles", i, got, cycles[i][31:0]);
        get(TIMER + 64 * i + 8);
        check("cycles' high", i, got, cycles[i][63:32]);
        get(TIMER + 64 * i + 12);
        check("last", i, got, last[i]);
        get(TIMER + 64 * i + 16);
        check("shortest", i, got, shortest[i]);
        get(TIMER + 64 * i + 20);
        check("longest", i, got, longest[i]);
      end
      get(`GNOMON_TAGS_GATE);
      check("gate", 0, got, runs);
      get(`GNOMON_TAGS_INTERRUPT);
      check("interrupt", 0, got, asked);
      check("irq", 0, irq, asked);
      get(`GNOMON_TAGS_CLEARED);
      check("cleared", 0, got, cleared);
      get(`GNOMON_TAGS_TIMERS_LOST);
      check("refused", 0, got, refused);
    end
  endtask
  task restart; // as the host does before a run
    begin
      idle(4);
      set(`GNOMON_TAGS_CLEAR, 32'd2);
      await(32'd1, 32'd1);
      forget;
    end
  endtask

  // An instruction, unless it starts a timer whose last interval may still be on its way into the registers.
  reg [15:1] place;
  task maybe_retire(input integer of_ten);
    begin
      place = $random;
      place = $random % 4 != 0 ? place % (2 * WORDS) : place;
      mode = modes[tag_at(place)];
      retired = $unsigned($random) % 10 < of_ten && !(mode[2] && !runs[mode[4]] && now - ended[mode[4]] < 200 && intervals[mode[4]] != 0);
      pc = place;
      if (retired) ups = ups + 1;
    end
  endtask
  integer busy;

  initial begin
    forget;
    for (i = 0; i < 16; i = i + 1) modes[i] = 0;
    idle(4);
    rst = 0;
    set(`GNOMON_TAGS_CLEAR, 32'd3); // no memory has a value before
    await(32'd1, 32'd1);
    for (i = 0; i < 2 * WORDS; i = i + 1) tags[i] = 0;
    get(`GNOMON_TAGS_CONFIG);
    check("config", 0, got, 32'hA300_020E);
    for (i = 0; i < 32; i = i + 1) begin // those of 16 and more are not there
      mode = {$random, 1'b1} & (i % 3 == 0 ? 5'b11111 : 5'b00011);
      if (i < 16) modes[i] = mode;
      set(MODE + 4 * i, {17'd0, mode[4:2], 6'd0, mode[1], 4'd0, mode[0]});
    end
    for (i = 0; i < 4; i = i + 1) begin // each timer is started, stopped and toggled
      modes[6+i] = {i[1], i[0] ? 2'd2 : 2'd1, 2'd1};
      modes[10+i] = {i[1], 2'd3, 2'd3};
      set(MODE + 4 * (6 + i), {17'd0, modes[6+i][4:2], 11'd0, 1'b1});
      set(MODE + 4 * (10 + i), {17'd0, modes[10+i][4:2], 6'd0, 1'b1, 4'd0, 1'b1});
    end
    modes[0] = 0;
    modes[5] = 5'd0; // does nothing
    set(MODE + 4 * 5, 32'd0);
    begin : fill // with UNTIL: three words at a time
      reg [3:0] upper, lower;
      integer word;
      for (word = 0; word + 3 <= WORDS; word = word + 3) begin
        {upper, lower} = $random;
        set(`GNOMON_TAGS_ADDRESS, 32'h1000_0000 + 4 * word);
        set(`GNOMON_TAGS_UNTIL, 32'h1000_0000 + 4 * word + 12);
        set(`GNOMON_TAGS_TAG, {22'd0, 1'b0, upper, 1'b0, lower});
        await(32'd2, 32'd0);
        get(`GNOMON_TAGS_ADDRESS);
        check("address", word, got, 32'h1000_0000 + 4 * word + 12);
        for (k = 0; k < 6; k = k + 1) tags[2*word+k] = k % 2 != 0 ? upper : lower;
      end
      set(`GNOMON_TAGS_UNTIL, 32'd0);
    end
    put_tags(2, 4'd3, 4'd6);
    set(`GNOMON_TAGS_ADDRESS, 32'h2000_0008); // not in main memory
    set(`GNOMON_TAGS_TAG, 32'd1);
    await(32'd2, 32'd0);
    check("outside", 0, got[2], 1);
    set(`GNOMON_TAGS_ADDRESS, 32'h1000_0008);
    await(32'd2, 32'd0);
    get(`GNOMON_TAGS_TAG);
    check("tag", 2, got, {22'd0, 1'b0, 4'd3, 1'b0, 4'd6});
    restart;
    hart_rst = 0;
    set(`GNOMON_TAGS_CONTROL, 32'd1);

    // ---- At random ----
    for (busy = 0; busy < CYCLES; busy = busy + 1) begin
      maybe_retire(busy / 2000 % 2 != 0 ? 10 : 6);
      store = $random % 4 == 0;
      store_address = {16'h1000, 1'b1, 13'd0} + $unsigned($random) % 4096; // no tags there
      if ($random % 32 == 0) {sel, write, addr} = {2'b10, VALUE + ($random & 12'h1FC)};
      if ($random % 512 == 0 && asked) begin
        {sel, write, addr, wdata} = {2'b11, `GNOMON_TAGS_INTERRUPT, 32'd1};
        {retired, store} = 0;
        idle(4);
        set(`GNOMON_TAGS_INTERRUPT, 32'd1);
        asked = 0;
      end
      tick;
      if ($random % 512 == 0) begin // a store into code, and then a pause
        place = $unsigned($random) % WORDS;
        idle(3);
        {store, store_address} = {1'b1, 16'h1000, place[14:1]};
        stored = stored + (tags[2*place] != 0 || tags[2*place+1] != 0);
        tick;
        idle(3);
        {tags[2*place], tags[2*place+1]} = 8'd0;
      end
      if ($random % 256 == 0) begin // a tag changes, while instructions retire in the cycles after its writing
        place = $unsigned($random) % WORDS;
        idle(3);
        put_tags(place, $random, $random);
      end
    end
    idle(4);
    compare(0, 0, 1, 0);
    if (intervals[0] < 20 || intervals[1] < 20 || counts[1] < 100 || stored < 20 || ups < CYCLES / 2) begin
      $display("too little happened: %0d and %0d intervals, %0d stores, %0d instructions", intervals[0], intervals[1], stored, ups);
      errors = errors + 1;
    end

    // ---- Without a pause: all tags count, all low parts are full at about the same time ----
    set(`GNOMON_TAGS_CONTROL, 32'd0);
    for (i = 0; i < 16; i = i + 1) begin
      modes[i] = i != 0;
      set(MODE + 4 * i, modes[i]);
    end
    for (i = 0; i < 8; i = i + 1) put_tags(i, 2 * i + 1, 2 * i);
    restart;
    set(`GNOMON_TAGS_CONTROL, 32'd1);
    for (i = 0; i < 20000; i = i + 1) begin
      {retired, pc} = {1'b1, 15'd1 + i[14:0] % 15'd15}; // no cycle is left for the sweep
      if (i > 15000) pc = i % 1000 < 500 ? 15'd3 : 15'd4; // the same one again and again
      if (i % 64 == 7) {sel, write, addr} = {2'b10, VALUE + 12'd96};
      tick;
    end
    idle(4);
    compare(0, 0, 0, 0);

    // ---- High halves ----
    restart;
    dut.u_engine.words[128+8*7] = 32'hFFFF_FFF0;
    counts[7] = 64'hFFFF_FFF0;
    for (i = 0; i < 40; i = i + 1) begin
      {retired, pc} = {1'b1, 15'd7};
      tick;
    end
    idle(4);
    compare(0, 0, 0, 0);

    // ---- An interval that begins before the last one is in the registers is refused; one that wraps says so ----
    set(`GNOMON_TAGS_CONTROL, 32'd0);
    modes[8] = 5'b10101; // starts timer 1
    modes[9] = 5'b11001; // stops it
    modes[10] = 5'b01101; // starts or stops timer 0
    for (i = 8; i < 11; i = i + 1) set(MODE + 4 * i, {17'd0, modes[i][4:2], 11'd0, 1'b1});
    restart;
    set(`GNOMON_TAGS_CONTROL, 32'd1);
    for (i = 0; i < 4; i = i + 1) begin : toggles
      {retired, pc} = {1'b1, 15'd10};
      tick;
      idle(150);
    end
    {retired, pc} = {1'b1, 15'd8};
    tick;
    {retired, pc} = {1'b1, 15'd9};
    tick;
    compare(0, 0, 0, 0);
    check("one interval", 1, last[1], 1);
    {retired, pc} = {1'b1, 15'd8};
    tick;
    {retired, pc} = {1'b1, 15'd9};
    tick;
    {retired, pc} = {1'b1, 15'd8};
    tick;
    runs[1] = 0; // it was refused
    idle(5);
    {retired, pc} = {1'b1, 15'd9};
    tick;
    idle(200);
    compare(0, 0, 0, 1);
    cycles[1] = 64'h1_0000_0005; // what TIMER_CYCLES then is
    dut.u_engine.words[17] = 32'hFFFF_FFF6;
    {retired, pc} = {1'b1, 15'd8};
    tick;
    idle(14);
    {retired, pc} = {1'b1, 15'd9};
    tick;
    cycles[1] = 64'h1_0000_0005;
    idle(100);
    compare(0, 0, 0, 1);
    {retired, pc} = {1'b1, 15'd8};
    tick;
    idle(5);
    dut.g_timer[1].u_length.g_soft.length = 32'hFFFF_FFF8;
    idle(20);
    get(`GNOMON_TAGS_STATUS);
    check("saturated", 1, got[4], 1);
    restart;
    compare(0, 0, 0, 0);

    // ---- Stores one after the other: the second one's tags are not cleared, and MISSED says so ----
    put_tags(20, 4'd1, 4'd2);
    put_tags(21, 4'd3, 4'd4);
    idle(4);
    {store, store_address, retired, pc} = {1'b1, 30'h0400_0014, 1'b1, 15'd100};
    tick;
    {store, store_address, retired, pc} = {1'b1, 30'h0400_0015, 1'b1, 15'd100};
    tick;
    for (i = 0; i < 10; i = i + 1) begin
      {retired, pc} = {1'b1, 15'd100};
      tick;
    end
    idle(4);
    {tags[40], tags[41]} = 8'd0;
    compare(1, 0, 1, 0);
    for (i = 0; i < 4; i = i + 1) begin // word 20 has no tags now, word 21 has
      {retired, pc} = {1'b1, 15'd40 + i[14:0]};
      tick;
    end
    idle(4);
    compare(1, 0, 1, 0);

    // ---- The hart's reset clears the counts, not tags and settings; a tag that acts during a clearing is missed ----
    hart_rst = 1;
    idle(40);
    hart_rst = 0;
    await(32'd1, 32'd1);
    forget;
    compare(0, 0, 0, 0);
    {retired, pc} = {1'b1, 15'd42};
    tick;
    idle(4);
    compare(0, 0, 0, 0);
    check("after reset", 4, counts[4], 1);
    set(`GNOMON_TAGS_CLEAR, 32'd2);
    forget;
    {retired, pc} = {1'b1, 15'd42};
    tick;
    counts[4] = 0;
    await(32'd1, 32'd1);
    compare(1, 0, 0, 0);

    if (errors == 0) $display("tb_reduced_tags: PASS, %0d instructions, %0d and %0d intervals", ups, intervals[0], intervals[1]);
    else begin
      $display("tb_reduced_tags: FAIL, %0d differences", errors);
      $fatal(1);
    end
    $finish;
  end
endmodule

`default_nettype wire
