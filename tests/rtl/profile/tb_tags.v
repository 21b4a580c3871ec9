// SPDX-License-Identifier: Apache-2.0
// gnomon_tags, except for the actions of tags: the tag that comes out DELAY cycles after an instruction has retired.
// Contexts that take turns (threads, interrupt handlers) run code with hints, accesses, and stores into tagged code,
// while words pass on the bus, the host writes memory, and registers read and write tags. The model has plain arrays:
// the tags of each word, and its earlier tags as long as they may still be seen. The tag caches are small, so that many
// lookups miss; with WAIT the shadow memory is too slow for some lookups, and LATE must count them exactly.
`timescale 1ns / 1ps
`default_nettype none
`include "gnomon_obs.vh"

module tb_tags;
`include "gnomon_registers.vh"
  parameter WAIT = 0;
`ifdef VERILATOR
  parameter CYCLES = 60000; // of each run
`else
  parameter CYCLES = 4000;
`endif
  localparam LOG2 = 12, WORDS = 1 << LOG2, SEGMENT = WORDS / 4, DELAY = 8;
  localparam CONTEXTS = 7;
  localparam LINGER = 600; // cycles after which a store has cleared the tags of its code
  localparam [31:0] FOREVER = 32'h7FFF_FFFF;

  reg clk = 0, rst = 1, hart_rst = 1;
  reg valid = 0, trap = 0, debug = 0, mon_valid = 0, mon_write = 0, sel = 0, write = 0;
  reg [31:0] insn = 0, pc = 0, next_pc = 0, address = 0, mon_addr = 0, wdata = 0;
  reg [3:0] rmask = 0, wmask = 0;
  reg [1:0] mon_master = 0;
  reg [11:0] addr = 0;
  wire [31:0] rdata;
  wire irq, traced, is_tagged;
  wire [3:0] gates;
  always #5 clk = !clk;
  wire [`GNOMON_OBS_PROFILED] obs; // the other fields are not read
  assign obs[`GNOMON_OBS_VALID] = valid;
  assign obs[`GNOMON_OBS_TRAP] = trap;
  assign obs[`GNOMON_OBS_INSN] = insn;
  assign obs[`GNOMON_OBS_PC_RDATA] = pc;
  assign obs[`GNOMON_OBS_PC_WDATA] = next_pc;
  assign obs[`GNOMON_OBS_MEM_ADDR] = address;
  assign obs[`GNOMON_OBS_MEM_RMASK] = rmask;
  assign obs[`GNOMON_OBS_MEM_WMASK] = wmask;
  assign obs[`GNOMON_OBS_CAUSE] = valid && !trap ? 5'd0 : 5'd1;
  assign obs[`GNOMON_OBS_DEBUG] = debug;
  gnomon_tags #(
    .LOG2(LOG2), .FETCH_LOG2(5), .DATA_LOG2(4), .WAIT(WAIT), .DELAY(DELAY)
  ) dut (
    .clk_i(clk), .rst_i(rst), .hart_rst_i(hart_rst), .obs_i(obs), .mon_valid_i(mon_valid), .mon_master_i(mon_master),
    .mon_write_i(mon_write), .mon_addr_i(mon_addr[31:2]), .reg_sel_i(sel), .reg_write_i(write), .reg_addr_i(addr),
    .reg_wdata_i(wdata), .reg_rdata_o(rdata), .irq_o(irq), .traced_o(traced), .tagged_o(is_tagged), .gates_o(gates)
  );

  integer errors = 0, now = 0, run, i, k;
  task fail;
    begin
      errors = errors + 1;
      if (errors < 20) $display("run %0d cycle %0d: wrong", run, now);
    end
  endtask

  // ---- The model of the shadow memory ----
  reg [14:0] present[0:WORDS-1];
  reg [14:0] past1[0:WORDS-1], past2[0:WORDS-1]; // earlier tags, and the time until which they may be seen
  integer till1[0:WORDS-1], till2[0:WORDS-1];
  reg [31:0] base[0:3];
  reg [3:0] in_use;
  integer place; // place of an address, -1: in no segment
  task locate(input [31:0] a);
    begin
      place = -1;
      for (i = 3; i >= 0; i = i - 1)
      if (in_use[i] && a >= base[i] && a < base[i] + 4 * SEGMENT) place = i * SEGMENT + (a - base[i]) / 4;
    end
  endtask
  task change(input integer at, input [14:0] word, input integer till);
    begin
      past2[at] = past1[at];
      till2[at] = till1[at];
      past1[at] = present[at];
      till1[at] = till;
      present[at] = word;
    end
  endtask
  integer cleared, locked; // locked: the word that a register writes; programs do not store to it
  task stored(input [31:0] a);
    begin
      locate(a);
      if (place >= 0 && |present[place][9:0]) begin
        change(place, {present[place][14:10], 10'd0}, now + LINGER);
        cleared = cleared + 1;
      end
    end
  endtask

  // ---- The model of the hints ----
  reg [31:0] hint_pc[0:4];
  reg [4:0] hint_tag[0:4];
  integer hints, hinted, hints_lost;
  reg [5:0] given; // given by a hint to the retiring instruction
  task take_hint;
    begin
      given = 0;
      for (i = 0; i < hints; i = i + 1)
      if (hint_pc[i] == pc && !given[5]) begin
        given = {1'b1, hint_tag[i]};
        hinted = hinted + 1;
        for (k = i; k < hints - 1; k = k + 1) begin
          hint_pc[k] = hint_pc[k+1];
          hint_tag[k] = hint_tag[k+1];
        end
        hints = hints - 1;
      end
      if (insn[19:0] == 20'h02013 && insn[31:20] > 12'h460 && insn[31:20] < 12'h480) begin
        k = 0;
        while (k < hints && hint_pc[k] != next_pc) k = k + 1;
        hint_pc[k] = next_pc;
        hint_tag[k] = insn[24:20];
        if (k == hints) hints = hints + 1;
        if (hints == 5) begin
          hints_lost = hints_lost + 1;
          hints = 4;
          for (k = 0; k < 4; k = k + 1) begin
            hint_pc[k] = hint_pc[k+1];
            hint_tag[k] = hint_tag[k+1];
          end
        end
      end
    end
  endtask

  // ---- Expected results, from the retirement to the output ----
  reg due[0:15], due_read[0:15], due_write[0:15], due_high[0:15];
  reg [5:0] due_given[0:15];
  reg [31:0] due_pc[0:15], due_address[0:15];
  integer due_place[0:15], due_word[0:15];
  integer late, lookups, outcomes; // late: came out untagged although the word has a tag
  reg [4:0] want0, want1, want2;
  task check(input integer at, input [4:0] got, input [1:0] part);
    begin
      lookups = lookups + 1;
      want0 = part == 2 ? present[at][14:10] : part == 1 ? present[at][9:5] : present[at][4:0];
      want1 = part == 2 ? past1[at][14:10] : part == 1 ? past1[at][9:5] : past1[at][4:0];
      want2 = part == 2 ? past2[at][14:10] : part == 1 ? past2[at][9:5] : past2[at][4:0];
      if (got !== want0 && !(got === want1 && till1[at] >= now - DELAY) && !(got === want2 && till2[at] >= now - DELAY)) begin
        if (got === 5'd0) late = late + 1;
        else begin
          fail;
          if (errors < 20) $display("run %0d cycle %0d: word %0d part %0d has tag %0d, not %0d (%0d until %0d, %0d until %0d)",
              run, now, at, part, got, want0, want1, till1[at], want2, till2[at]);
        end
      end
      if (got !== 5'd0) outcomes = outcomes + 1;
    end
  endtask
  task come_out;
    begin
      k = (now - DELAY) & 15;
      if (dut.late_retired !== due[k] || dut.late_read !== due_read[k] || dut.late_write !== due_write[k] ||
          (due[k] && (dut.late_pc !== due_pc[k][31:1] || dut.late_address !== due_address[k]))) begin
        fail;
        if (errors < 20) $display("run %0d cycle %0d: what retired does not come out", run, now);
      end
      if (due[k] && due_given[k][5] && dut.tag !== due_given[k][4:0]) begin
        fail;
        if (errors < 20) $display("run %0d cycle %0d: hint %0d, not %0d", run, now, dut.tag, due_given[k][4:0]);
      end
      if (due[k] && !due_given[k][5] && due_place[k] >= 0) check(due_place[k], dut.tag, {1'b0, due_high[k]});
      else if (!(due[k] && due_given[k][5]) && dut.tag !== 5'd0) fail;
      if ((due_read[k] || due_write[k]) && due_word[k] >= 0) check(due_word[k], dut.word_tag, 2'd2);
      else if (dut.word_tag !== 5'd0) fail;
    end
  endtask

  // ---- A cycle, with the program that runs in it ----
  // per mille: retires; context switch; hint; accesses; stores among them; bus words; register accesses
  integer busy, turn, hinting, accessing, storing, passing, poking;
  integer spread; // words over which code and data of a context lie
  reg enabled, steady; // steady: no store finds a tag, and tags do not change
  reg [31:0] at[0:CONTEXTS-1];
  integer who, poke_wait;
  reg scripted, script_valid, script_read, script_write; // a scripted instruction
  reg [31:0] script_pc, script_address;
  reg fixed, fixed_master; // a scripted word on the bus
  reg [31:0] fixed_address;
  function [31:0] somewhere(input integer words);
    somewhere = ($urandom_range(20) == 0 ? 32'h1020_0000 : base[$urandom_range(2)]) + 4 * $urandom_range(words - 1);
  endfunction
  task retire;
    begin
      valid = $urandom_range(999) < busy;
      trap = valid && $urandom_range(49) == 0;
      if ($urandom_range(999) < turn) who = $urandom_range(CONTEXTS - 1);
      pc = at[who];
      insn = 32'h0000_0013;
      next_pc = pc + ($urandom_range(1) == 0 ? 2 : 4);
      if ($urandom_range(999) < hinting) begin // also a hint with tag 0, and words that nearly are hints
        insn = {7'b0100011, 5'd0, 20'h02013} | $urandom_range(31) << 20;
        if ($urandom_range(9) == 0) insn = insn ^ (32'd1 << $urandom_range(31));
        next_pc = pc + 4;
      end else if ($urandom_range(5) == 0 || next_pc[11:0] >= 4 * spread) next_pc = somewhere(spread) | ($urandom_range(1) << 1);
      {rmask, wmask} = 8'd0;
      address = somewhere(spread) | $urandom_range(3);
      if (valid && !trap && $urandom_range(999) < accessing) begin
        if ($urandom_range(999) < storing) begin
          address = somewhere(4 * spread) | $urandom_range(3);
          wmask = 4'b0001;
          locate(address);
          if (steady || place == locked) wmask = 4'b0000;
          if ($urandom_range(5) == 0) rmask = wmask;
        end else rmask = 4'b0001;
      end
      if (scripted) begin
        {valid, trap, pc, next_pc, insn, address} = {script_valid, 1'b0, script_pc, script_pc + 32'd4, 32'h0000_0013, script_address};
        {rmask, wmask} = {3'd0, script_read, 3'd0, script_write};
      end
    end
  endtask
  task bus;
    begin
      mon_valid = $urandom_range(999) < passing;
      mon_master = $urandom_range(1);
      mon_write = mon_master == 1 && $urandom_range(1);
      mon_addr = somewhere(spread) | $urandom_range(3);
      poke_wait = poke_wait + 1;
      if ($urandom_range(999) < poking && poke_wait > 8 && !steady) begin
        locate(mon_addr);
        if (place != locked) begin
          {mon_valid, mon_master, mon_write} = 4'b1_10_1;
          debug = $urandom_range(1);
          if (debug) mon_master = 1;
          poke_wait = 0;
        end
      end
      if (!enabled) mon_valid = 0;
      if (fixed) {mon_valid, mon_master, mon_write, mon_addr} = {2'b10, fixed_master, 1'b0, fixed_address};
    end
  endtask
  reg step = 0; // triggers the changes in a separate block; a task would be compiled again for each call
  always @(step) begin
    if (now > 2 * DELAY) come_out;
    debug = 0;
    retire;
    bus;
    k = now & 15;
    due[k] = valid && !trap;
    due_read[k] = due[k] && |rmask;
    due_write[k] = due[k] && |wmask;
    due_high[k] = pc[1];
    due_pc[k] = pc;
    due_address[k] = address;
    given = 0;
    if (due[k] && enabled) take_hint;
    k = now & 15;
    due_given[k] = given;
    locate(pc);
    due_place[k] = enabled ? place : -1;
    locate(address);
    due_word[k] = enabled ? place : -1;
    if (due_write[k] && enabled) stored(address);
    if (mon_valid && mon_write && (mon_master == 2 || debug)) stored(mon_addr);
    if (valid && !trap) at[who] = next_pc;
  end
  task cycle;
    begin
      step = !step;
      @(negedge clk) now = now + 1;
      sel = 0;
      write = 0;
    end
  endtask

  // ---- Registers ----
  reg [31:0] got;
  task set(input [11:0] where, input [31:0] value);
    begin
      {sel, write, addr, wdata} = {2'b11, where, value};
      cycle;
    end
  endtask
  task get(input [11:0] where);
    begin
      {sel, addr} = {1'b1, where};
      cycle;
      got = rdata;
    end
  endtask
  task must(input [11:0] where, input [31:0] value);
    begin
      get(where);
      if (got !== value) begin
        fail;
        $display("run %0d cycle %0d: register %h is %h, not %h", run, now, where, got, value);
      end
    end
  endtask
  integer patience;
  task settled; // waits until STATUS.BUSY is 0
    begin
      patience = 0;
      got = 2;
      while (got[1]) begin
        get(`GNOMON_TAGS_STATUS);
        patience = patience + 1;
        if (patience > 20000) begin
          $display("run %0d cycle %0d: always busy", run, now);
          $fatal(1, "FAIL");
        end
      end
    end
  endtask
  integer word_at;
  task tag_word(input [31:0] a, input [14:0] word); // sets the tags of a word, and checks ADDRESS and TAG after it
    begin
      set(`GNOMON_TAGS_ADDRESS, a);
      settled;
      locate(a);
      if (got[2] !== (place < 0)) fail;
      word_at = place;
      locked = word_at;
      set(`GNOMON_TAGS_TAG, {17'h1ABCD, word});
      if (word_at >= 0) change(word_at, word, FOREVER);
      settled;
      if (word_at >= 0) till1[word_at] = now - 1;
      locked = -2;
      must(`GNOMON_TAGS_ADDRESS, a + 4);
    end
  endtask
  task show_word(input [31:0] a); // without other activity
    begin
      set(`GNOMON_TAGS_ADDRESS, a);
      settled;
      locate(a);
      word_at = place;
      must(`GNOMON_TAGS_TAG, word_at < 0 ? 32'd0 : {17'd0, present[word_at]});
    end
  endtask
  integer saved;
  task idle(input integer cycles);
    begin
      saved = busy;
      {busy, passing, poking} = {32'd0, 32'd0, 32'd0};
      repeat (cycles) cycle;
      busy = saved;
    end
  endtask
  task forget; // clears the model's counters, as CLEAR.COUNTS does
    begin
      {cleared, hints, hinted, hints_lost, late} = {5{32'd0}};
    end
  endtask
  task account(input exact);
    begin
      idle(1000);
      must(`GNOMON_TAGS_CLEARED, cleared);
      must(`GNOMON_TAGS_HINTED, hinted);
      must(`GNOMON_TAGS_HINTS_LOST, hints_lost);
      get(`GNOMON_TAGS_LATE);
      if (exact ? got !== late : got < late) begin
        fail;
        $display("run %0d: LATE is %0d, the model saw %0d", run, got, late);
      end
    end
  endtask
  integer x;
  // one retirement, followed by idle cycles
  task one(input [31:0] where, input [31:0] data, input reading, input writing);
    begin
      {scripted, script_valid, script_read, script_write, script_pc, script_address} = {2'b11, reading, writing, where, data};
      cycle;
      {script_valid, script_read, script_write} = 3'd0;
      repeat (5) cycle;
      scripted = 0;
    end
  endtask
  task misses(input integer fetch, input integer data, input integer filled); // counts since the last call
    begin
      must(`GNOMON_TAGS_FETCH_MISSES, fetch);
      must(`GNOMON_TAGS_DATA_MISSES, data);
      must(`GNOMON_TAGS_FILLED, filled);
      must(`GNOMON_TAGS_LATE, 0);
      set(`GNOMON_TAGS_CLEAR, 32'h2);
    end
  endtask
  task wait_ready;
    begin
      got = 0;
      while (!got[0]) get(`GNOMON_TAGS_STATUS);
    end
  endtask

  integer m, choice, run_end;
  initial begin
    for (i = 0; i < WORDS; i = i + 1) begin
      {present[i], past1[i], past2[i]} = 45'd0;
      {till1[i], till2[i]} = {32'd0, 32'd0};
    end
    for (i = 0; i < 16; i = i + 1) {due[i], due_read[i], due_write[i]} = 3'd0;
    for (i = 0; i < CONTEXTS; i = i + 1) at[i] = 32'h1000_0000;
    base[0] = 32'h1000_0000;
    base[1] = 32'h1000_3000;
    base[2] = 32'h1080_0000;
    base[3] = 32'h1000_3000; // overlaps segment 1: counts only while segment 1 is unused
    in_use = 4'b0000;
    {enabled, steady, scripted, fixed} = 4'd0;
    {busy, turn, hinting, accessing, storing, passing, poking} = {7{32'd0}};
    {who, poke_wait, locked, lookups, outcomes} = {32'd0, 32'd0, -32'd2, 32'd0, 32'd0};
    spread = 16;
    run = -1;
    forget;
    repeat (4) @(negedge clk);
    rst = 0;
    repeat (40) @(negedge clk);
    hart_rst = 0;
    must(`GNOMON_TAGS_STATUS, 32'h4);
    wait_ready;
    get(`GNOMON_TAGS_CONFIG);
    if (got[4:0] !== LOG2 || got[7:5] !== 4 || got[15:8] !== 8'h44 || got[31:23] !== {4'h8, DELAY[3:0], 1'b1}) fail;
    for (m = 0; m < 4; m = m + 1) begin
      set(`GNOMON_TAGS_MAP + 4 * m, base[m] | 32'hABC | (m != 1));
      in_use[m] = m != 1;
    end
    must(`GNOMON_TAGS_MAP + 12, base[3] | 1);
    must(`GNOMON_TAGS_MAP + 4, base[1]);

    // A word that another one has evicted from a tag cache misses once; a word that has passed on the bus does not
    // miss.
    run = -2;
    for (m = 0; m < 6; m = m + 1) tag_word(base[0] + 4 * m, {5'd3, 5'd2, 5'd1});
    for (m = 0; m < 6; m = m + 1) tag_word(base[2] + 4 * (32 + m), {5'd6, 5'd5, 5'd4});
    set(`GNOMON_TAGS_CONTROL, 32'h1);
    set(`GNOMON_TAGS_CLEAR, 32'h2);
    enabled = 1;
    for (m = 0; m < 12; m = m + 1) one(base[0] + 2 * m, 32'd0, 1'b0, 1'b0);
    misses(6, 0, 0);
    for (m = 0; m < 6; m = m + 1) one(base[0] + 4 * m, base[0] + 4 * m, 1'b1, 1'b0);
    misses(0, 6, 0);
    for (m = 0; m < 6; m = m + 1) one(base[0] + 4 * m, base[0] + 4 * m, 1'b1, 1'b0);
    misses(0, 0, 0);
    passing = 1000; // words of the first 16 of all segments, which evict all words above
    spread = 16;
    repeat (300) cycle;
    passing = 0;
    repeat (100) cycle;
    get(`GNOMON_TAGS_FILLED);
    if (got < (WAIT == 0 ? 250 : 60) || got > 300) fail;
    set(`GNOMON_TAGS_CLEAR, 32'h2);
    // each of six words passes once on the bus, to the instruction port or to the data port
    for (x = 0; x < 2; x = x + 1)
      for (m = 0; m < 6; m = m + 1) begin
        {fixed, fixed_master} = {1'b1, x[0]};
        fixed_address = base[2] + 4 * (32 + m);
        cycle;
        fixed = 0;
        repeat (8) cycle;
        if (x == 0) one(base[2] + 4 * (32 + m), 32'd0, 1'b0, 1'b0);
        else one(base[2] + 4 * (32 + m) + 2, base[2] + 4 * (32 + m), 1'b1, 1'b0);
      end
    misses(0, 0, 12);
    // A store clears once and reports the address; the tag as data stays.
    one(base[0], base[0] + 21, 1'b0, 1'b1);
    one(base[0], base[0] + 21, 1'b0, 1'b1);
    repeat (20) cycle;
    must(`GNOMON_TAGS_CLEARED, 1);
    must(`GNOMON_TAGS_CLEARED_ADDRESS, base[0] + 20);
    show_word(base[0] + 20);
    // A store just before the write of TAG takes effect before it.
    tag_word(base[0] + 20, {5'd3, 5'd2, 5'd1});
    set(`GNOMON_TAGS_ADDRESS, base[0] + 20);
    settled;
    {scripted, script_valid, script_read, script_write, script_address} = {4'b1101, base[0] + 32'd20};
    cycle;
    {script_valid, script_write} = 2'b00;
    set(`GNOMON_TAGS_TAG, {5'd4, 5'd5, 5'd6});
    change(5, {5'd4, 5'd5, 5'd6}, FOREVER);
    settled;
    scripted = 0;
    till1[5] = now;
    show_word(base[0] + 20);
    must(`GNOMON_TAGS_CLEARED, 2);
    // TAG shows the current tags, not those at the write of ADDRESS.
    one(base[0], base[0] + 20, 1'b0, 1'b1);
    repeat (20) cycle;
    must(`GNOMON_TAGS_TAG, {17'd0, 5'd4, 10'd0});
    tag_word(base[0] + 20, {5'd4, 5'd5, 5'd6});
    // Lookups want the port in every cycle, and a store still gets its turn.
    for (m = 0; m < 170; m = m + 1) begin
      {scripted, script_valid, script_write, script_address} = {2'b11, m == 20, base[0] + 32'd20};
      script_pc = base[0] + 128 * (m % 7);
      {sel, addr} = {1'b1, 12'd0 | `GNOMON_TAGS_CLEARED};
      cycle;
    end
    if (rdata !== 4) fail;
    scripted = 0;
    repeat (20) cycle;

    for (run = 0; run < 8; run = run + 1) begin
      set(`GNOMON_TAGS_CONTROL, 32'h0);
      enabled = 0;
      repeat (20) cycle;
      // Runs 2 and 5: every word has constant tags, so every untagged result was late.
      steady = run == 2 || run == 5;
      busy = 0;
      if (steady) begin
        for (m = 0; m < CONTEXTS; m = m + 1) at[m] = base[0];
        for (m = 0; m < 3 * 66; m = m + 1) tag_word(base[m%3] + 4 * (m / 3), {5'd7, 5'd9, 5'd11} ^ {3{1'b0, $urandom_range(3) * 4'd4}});
      end
      set(`GNOMON_TAGS_CLEAR, 32'h2);
      forget;
      set(`GNOMON_TAGS_CONTROL, 32'h3);
      enabled = 1;
      repeat (3) cycle;
      spread = run < 3 ? 16 : run == 5 ? 64 : run == 6 ? 8 : 200;
      busy = run == 1 || run == 2 ? 900 : run == 7 ? 1000 : 300;
      turn = run == 6 ? 500 : 50;
      hinting = steady ? 0 : run == 6 ? 300 : 30;
      accessing = run == 7 ? 1000 : 300;
      storing = 200;
      passing = run == 3 ? 1000 : 200;
      poking = 10;
      run_end = now + CYCLES;
      while (now < run_end) begin
        choice = $urandom_range(99);
        if (choice < 10 && !steady) tag_word(somewhere(spread), $urandom_range(32767));
        else if (choice < 12 && !steady) tag_word(somewhere(spread), $urandom_range(31));
        else if (choice == 12 && run > 3 && !steady) begin // maps a segment on or off, for the same words
          set(`GNOMON_TAGS_MAP + 4, base[1] | !in_use[1]);
          in_use[1] = !in_use[1];
          settled;
        end else cycle;
      end
      account(steady);
    end
    $display("%0d lookups, %0d tagged", lookups, outcomes);
    {busy, passing, poking} = {3{32'd0}};
    for (m = 0; m < 100; m = m + 1) show_word(base[m%3] + 4 * (m / 3));
    // All tags are cleared.
    set(`GNOMON_TAGS_CLEAR, 32'h1);
    wait_ready;
    for (i = 0; i < WORDS; i = i + 1) begin
      {present[i], past1[i], past2[i]} = 45'd0;
    end
    for (m = 0; m < 100; m = m + 1) show_word(base[m%3] + 4 * (m / 3));
    busy = 300;
    repeat (300) cycle;
    account(1'b0);
    if (outcomes < lookups / 8) fail;
    if (errors != 0) begin
      $display("FAIL: %0d errors", errors);
      $fatal(1, "FAIL");
    end
    $display("PASS");
    $finish;
  end
endmodule

`default_nettype wire
