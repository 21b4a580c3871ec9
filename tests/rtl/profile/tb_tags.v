// SPDX-License-Identifier: Apache-2.0
// gnomon_tags as a whole: contexts that take turns run code with hints, accesses and stores into tagged code, while the
// host writes memory and registers write tags, blocks and settings. The model has plain arrays and does one thing after
// the other: first the instruction's tag, then that of its word, then a write of GATE. The bench compares the tags of
// each instruction and all outputs in every cycle, and all registers when everything has been counted. From the design
// the model takes only when the second port of the shadow memory is free, and when the timers' queue is.
// Kinds of runs: anything; few tags and thresholds, so that acts coincide; retirements without a pause.
`timescale 1ns / 1ps
`default_nettype none
`include "gnomon_obs.vh"

module tb_tags;
`include "gnomon_registers.vh"
  parameter RUNS = 14;
  parameter CYCLES = 30000;
  parameter PER_ADDRESS_LOG2 = 6;
  localparam LOG2 = 8, WORDS = 1 << LOG2, DELAY = 4, CONTEXTS = 7;
  localparam EACH_LOG2 = PER_ADDRESS_LOG2 == 0 ? 2 : PER_ADDRESS_LOG2, OWN = 1 << EACH_LOG2;
  localparam [31:0] PLACE = 32'h1000_0000, SPAN = 16 * WORDS; // of the program: four times what the blocks cover

  reg clk = 0, look = 0, rst = 1, hart_rst = 1;
  reg valid = 0, trap = 0, debug = 0, mon_valid = 0, mon_write = 0, sel = 0, write = 0;
  reg [31:0] insn = 0, pc = 0, next_pc = 0, address = 0, mon_addr = 0, wdata = 0;
  reg [3:0] rmask = 0, wmask = 0;
  reg [1:0] mon_master = 0;
  reg [4:0] cause = 10;
  reg [11:0] addr = 0;
  wire [31:0] rdata;
  wire irq, traced, is_tagged, filled;
  reg [1:0] fills = 0; // the instruction cache, the data cache begins to fill a line
  wire [3:0] gates;
  // The model evaluates shortly before the clock edge; its inputs change at the opposite edge.
  always begin
    #4 look = 1;
    #1 clk = 1;
    #5 {clk, look} = 0;
  end
  wire [`GNOMON_OBS_PROFILED] obs; // the other fields are not read
  assign obs[`GNOMON_OBS_VALID] = valid;
  assign obs[`GNOMON_OBS_TRAP] = trap;
  assign obs[`GNOMON_OBS_INSN] = insn;
  assign obs[`GNOMON_OBS_PC_RDATA] = pc;
  assign obs[`GNOMON_OBS_PC_WDATA] = next_pc;
  assign obs[`GNOMON_OBS_MEM_ADDR] = address;
  assign obs[`GNOMON_OBS_MEM_RMASK] = rmask;
  assign obs[`GNOMON_OBS_MEM_WMASK] = wmask;
  assign obs[`GNOMON_OBS_CAUSE] = cause;
  assign obs[`GNOMON_OBS_DEBUG] = debug;
  gnomon_tags #(
    .LOG2(LOG2), .PER_ADDRESS_LOG2(PER_ADDRESS_LOG2)
  ) dut (
    .clk_i(clk), .rst_i(rst), .hart_rst_i(hart_rst), .obs_i(obs), .events_i(64'd0), .thread_i(9'd0), .mon_valid_i(mon_valid), .mon_master_i(mon_master),
    .mon_write_i(mon_write), .mon_addr_i(mon_addr[31:2]), .fills_i(fills),
    .code_beat_i(1'b0), .data_beat_i(1'b0), .beat_line_i(19'd0), .beat_word_i(32'd0), .filled_o(filled), .reg_sel_i(sel), .reg_write_i(write), .reg_addr_i(addr),
    .reg_wdata_i(wdata), .reg_rdata_o(rdata), .irq_o(irq), .traced_o(traced), .tagged_o(is_tagged), .gates_o(gates)
  );

  integer errors = 0, now = 0, run = -2;
  task differ(input [8*14-1:0] what, input [63:0] got, input [63:0] wanted);
    if (got !== wanted) begin
      errors = errors + 1;
      if (errors < 20) $display("run %0d, cycle %0d: %0s is %h, not %h", run, now, what, got, wanted);
    end
  endtask
  // What has happened, to check that it did.
  integer lookups = 0, outcomes = 0, both = 0, emptied = 0, refusals = 0, stores = 0, foreigns = 0, waited = 0, filled_lines = 0, tagged_lines = 0;

  // ---- The model: settings ----
  reg m_enable, m_hints, m_trace_on, m_fill_interrupt;
  reg [31:0] m_mode[0:31];
  reg [31:0] m_code_block[0:15], m_data_block[0:15];
  reg [31:0] m_step[0:15];
  reg [31:0] m_interrupt[0:3];

  // ---- The model: shadow memory, hints ----
  reg [9:0] m_codes[0:WORDS-1];
  reg [4:0] m_datas[0:WORDS-1];
  function [1:0] in_block(input [31:0] where, input data); // per-address counters; in use for this address
    reg [31:0] block;
    begin
      block = data ? m_data_block[where[LOG2+1:LOG2-2]] : m_code_block[where[LOG2+1:LOG2-2]];
      in_block = {block[1], block[0] && block[31:LOG2+2] == where[31:LOG2+2]};
    end
  endfunction
  reg [36:0] m_hint; // waits, address, tag
  integer m_many;    // instructions that it still tags
  integer many;
  integer groups = 0;
  integer pending;   // foreign stores that have not been taken
  reg [31:0] pending_at;

  // Lines that were filled and not yet looked up.
  reg [1:0] m_begins;
  reg [31:0] m_line[0:3];
  reg m_line_data[0:3];
  integer m_lines = 0, m_word = 0;
  reg m_some = 0, found_1 = 0, found_2 = 0, m_by_fill = 0; // found: one, two cycles after the line's last word
  reg [31:0] m_filled_at = 0, found_at, fill_at;
  task look_up_fill;
    reg forgets, takes, hit;
    begin
      forgets = clears || !m_enable;
      takes = dut.u_lookup.take_fill;
      fill_at = m_line[0] + 4 * m_word;
      if (found_2 && m_fill_interrupt) m_by_fill = 1;
      found_2 = found_1;
      found_1 = 0;
      if (found_2) m_filled_at = found_at;
      if (takes) begin
        if (m_lines == 0) differ("no fill", 1, 0);
        hit = m_line_data[0] ? in_block(fill_at, 1) & 1 && m_datas[fill_at[LOG2+1:2]] != 0 :
            in_block(fill_at, 0) & 1 && m_codes[fill_at[LOG2+1:2]] != 0;
        m_some = m_some || hit;
        m_word = m_word + 1;
        if (m_word == 8) begin
          {found_1, found_at} = {m_some, m_line[0]};
          filled_lines = filled_lines + 1;
          tagged_lines = tagged_lines + m_some;
          {m_word, m_some} = 0;
          for (b = 0; b < 3; b = b + 1) {m_line[b], m_line_data[b]} = {m_line[b+1], m_line_data[b+1]};
          m_lines = m_lines - 1;
        end
      end
      if (mon_valid && !mon_write && mon_master < 2 && m_begins[!mon_master[0]]) begin
        m_begins[!mon_master[0]] = 0;
        if (!dut.u_lookup.sweeping && !forgets && m_lines < 4) begin
          {m_line[m_lines], m_line_data[m_lines]} = {mon_addr & ~32'h1F, mon_master[0]};
          m_lines = m_lines + 1;
        end
      end
      m_begins = m_begins | fills;
      if (forgets) {m_begins, m_some, found_1, found_2, m_filled_at, m_lines, m_word} = 0;
    end
  endtask

  // What retired, by cycle modulo 8, and its tags.
  reg r_retired[0:7], r_read[0:7], r_write[0:7], r_paid[0:7], r_reset[0:7], r_hinted[0:7], r_foreign[0:7];
  reg [31:0] r_pc[0:7], r_next[0:7], r_insn[0:7], r_address[0:7], r_foreign_at[0:7];
  reg [4:0] r_tag[0:7], r_word_tag[0:7];
  reg [1:0] r_code[0:7], r_data[0:7]; // what in_block said
  reg [15:0] r_mode[0:7], r_word_mode[0:7];
  reg r_executes[0:7], r_reads[0:7], r_writes[0:7];

  // ---- The model: acts ----
  reg [31:0] m_time;
  reg [3:0] m_running, m_setting, m_values;
  reg m_gate, m_by_tag;
  reg [31:0] m_pc;
  reg [5:0] m_value;
  reg [31:0] m_began[0:3];
  reg [63:0] m_intervals[0:3], m_cycles[0:3], m_last[0:3], m_shortest[0:3], m_longest[0:3];
  reg [31:0] m_over[0:15];
  reg [63:0] m_executions[0:31], m_paid[0:31], m_reads[0:31], m_writes[0:31], waiting;
  reg [31:0] m_own_code[0:OWN-1], m_own_data[0:OWN-1];
  reg [31:0] m_without, m_refused, m_cleared, m_cleared_at, m_hinted, m_hints_lost;
  reg want_tagged, want_gate, want_irq;
  reg [3:0] want_gates;
  integer b, s, t;

  task clear_model;
    begin
      {m_time, m_running, m_setting, m_gate, m_by_tag, m_by_fill, m_pc, m_value, waiting} = 0;
      for (b = 0; b < 4; b = b + 1) begin
        {m_intervals[b], m_cycles[b], m_last[b], m_longest[b]} = 0;
        m_shortest[b] = 64'hFFFF_FFFF;
      end
      for (b = 0; b < 16; b = b + 1) m_over[b] = 0;
      for (b = 0; b < 32; b = b + 1) {m_executions[b], m_paid[b], m_reads[b], m_writes[b]} = 0;
      for (b = 0; b < OWN; b = b + 1) {m_own_code[b], m_own_data[b]} = 0;
      {m_without, m_refused, m_cleared, m_hinted, m_hints_lost} = 0;
    end
  endtask

  task act(input integer which, input [1:0] what, input room); // 1 starts, 2 stops, 3 toggles
    reg [31:0] took;
    if (what[0] && !m_running[which]) begin
      if (room) begin
        m_began[which] = m_time;
        m_running[which] = 1;
      end else begin
        m_refused = m_refused + 1;
        refusals = refusals + 1;
      end
    end else if (what[1] && m_running[which]) begin
      took = m_time - m_began[which];
      if (took == 0) emptied = emptied + 1;
      m_running[which] = 0;
      m_intervals[which] = m_intervals[which] + 1;
      m_cycles[which] = m_cycles[which] + took;
      m_last[which] = took;
      if (took < m_shortest[which]) m_shortest[which] = took;
      if (took > m_longest[which]) m_longest[which] = took;
      for (b = 0; b < 4; b = b + 1)
        if (m_step[4*which+b] != 0 && took >= m_step[4*which+b]) m_over[4*which+b] = m_over[4*which+b] + 1;
    end
  endtask

  task count_own(input data, input [31:0] where, input [1:0] block, input hinted);
    if (!block[1] || hinted || PER_ADDRESS_LOG2 == 0) m_without = m_without + 1;
    else if (data) m_own_data[where[EACH_LOG2:2]] = m_own_data[where[EACH_LOG2:2]] + 1;
    else m_own_code[where[EACH_LOG2:1]] = m_own_code[where[EACH_LOG2:1]] + 1;
  endtask

  task use_tag(input [15:0] mode, input [4:0] tag, input data, input room);
    begin
      act(mode[15:14], mode[13:12], room);
      if (mode[9:8] != 0) m_gate = mode[9:8] == 1 || (mode[9:8] == 3 && !m_gate);
      if (mode[4]) count_own(data, data ? r_address[t] : r_pc[t], data ? r_data[t] : r_code[t], !data && r_hinted[t]);
    end
  endtask

  // ---- One cycle, from the present inputs ----
  reg resets, clears, room, may, given, foreign_taken;
  reg [31:0] wanted, stored;
  integer at;
  task book;
    begin
      // Outputs: of the instruction that retired DELAY cycles ago.
      if (run >= 0) begin
        differ("tagged", is_tagged, want_tagged);
        differ("gates", gates, want_gates);
        differ("traced", traced, !m_trace_on || want_gate);
        differ("irq", irq, want_irq || |dut.u_interrupt.by_step);
        differ("filled", filled, found_2);
      end
      resets = rst || (hart_rst && !r_reset[(now-1)&7]);
      clears = resets || (sel && write && addr == `GNOMON_TAGS_CLEAR && wdata[1]);
      room = !dut.u_gates.half;

      // Cycle 3: acts.
      t = (now - 3) & 7;
      may = !dut.clearing && !resets;
      if (m_enable && !r_reset[t]) m_time = m_time + 1;
      want_gates = m_enable ? m_running : 4'd0;
      want_tagged = may && (r_mode[t][3] || r_word_mode[t][3]);
      waiting = waiting + r_paid[t];
      if (may && r_mode[t][13:12] != 0 && r_word_mode[t][13:12] != 0 && r_mode[t][15:14] == r_word_mode[t][15:14]) both = both + 1;
      if (sel && write && addr == `GNOMON_TAGS_INTERRUPT && wdata[0]) m_by_tag = 0;
      if (sel && write && addr == `GNOMON_TAGS_INTERRUPT && wdata[1]) m_by_fill = 0;
      if (m_setting != 0 && room && !(may && (r_mode[t][13:12] != 0 || r_word_mode[t][13:12] != 0))) begin
        s = m_setting[0] ? 0 : m_setting[1] ? 1 : m_setting[2] ? 2 : 3;
        act(s, m_values[s] ? 1 : 2, room);
        m_setting[s] = 0;
      end
      if (may && (r_mode[t][5] || r_word_mode[t][5])) begin
        if (!m_by_tag) {m_pc, m_value} = {r_pc[t], r_mode[t][5] ? {1'b0, r_tag[t]} : {1'b1, r_word_tag[t]}};
        m_by_tag = 1;
      end
      if (may) begin
        if (r_executes[t]) begin
          m_executions[r_tag[t]] = m_executions[r_tag[t]] + 1;
          m_paid[r_tag[t]] = m_paid[r_tag[t]] + waiting;
          use_tag(r_mode[t], r_tag[t], 0, room);
        end
        if (r_reads[t]) m_reads[r_word_tag[t]] = m_reads[r_word_tag[t]] + 1;
        if (r_writes[t]) m_writes[r_word_tag[t]] = m_writes[r_word_tag[t]] + 1;
        if (r_reads[t] || r_writes[t]) use_tag(r_word_mode[t], r_word_tag[t], 1, room);
      end
      if (r_retired[t] || r_reset[t]) waiting = 0;
      if (sel && write && addr == `GNOMON_TAGS_GATE) begin
        {m_setting, m_values, m_gate} = {4'hF, wdata[3:0], wdata[8]};
      end

      // Cycle 2: the tags, against the design; MODE; a store clears.
      t = (now - 2) & 7;
      if (run >= 0) begin
        lookups = lookups + r_retired[t];
        if (r_retired[t]) differ("tag", dut.u_modes.tag_i, r_tag[t]);
        if (r_read[t] || r_write[t]) differ("word's tag", dut.u_modes.word_tag_i, r_word_tag[t]);
        if (r_retired[t] && r_tag[t] != 0) outcomes = outcomes + 1;
      end
      may = r_retired[t] && m_enable && !hart_rst && !clears;
      r_mode[t] = may && r_tag[t] != 0 ? m_mode[r_tag[t]] & 16'hF33F : 0;
      r_executes[t] = r_mode[t][0];
      if (!r_mode[t][0]) r_mode[t] = 0;
      r_word_mode[t] = may && r_word_tag[t] != 0 ? m_mode[r_word_tag[t]] & 16'hF33F : 0;
      r_reads[t] = r_read[t] && r_word_mode[t][1];
      r_writes[t] = r_write[t] && r_word_mode[t][2];
      if (!r_reads[t] && !r_writes[t]) r_word_mode[t] = 0;
      given = r_write[t] && m_enable;
      stores = stores + given;
      foreign_taken = pending != 0 && !given;
      stored = given ? r_address[t] : pending_at;
      if ((given || foreign_taken) && in_block(stored, 0) & 1) begin
        if (m_codes[stored[LOG2+1:2]] != 0) begin
          m_cleared = m_cleared + 1;
          m_cleared_at = {stored[31:2], 2'b00};
        end
        m_codes[stored[LOG2+1:2]] = 0;
      end

      // Registers, when the port is free.
      if (foreign_taken) begin
        pending = 0;
        foreigns = foreigns + 1;
      end else if (!given && !dut.u_lookup.sweeping && !dut.u_lookup.fill_i && dut.access_write) begin
        if (in_block(dut.access_address << 2, 0) & 1) m_codes[dut.access_address[LOG2+1:2]] = dut.access_word[9:0];
        if (in_block(dut.access_address << 2, 1) & 1) m_datas[dut.access_address[LOG2+1:2]] = dut.access_word[14:10];
      end
      if (dut.u_lookup.take_sweep) {m_codes[dut.u_lookup.sweep_at], m_datas[dut.u_lookup.sweep_at]} = 0;

      look_up_fill;

      // Cycle 1: lookup, hints, foreign stores.
      t = (now - 1) & 7;
      r_code[t] = in_block(r_pc[t], 0);
      r_data[t] = in_block(r_address[t], 1);
      may = m_enable && !dut.u_lookup.sweeping;
      at = r_pc[t][LOG2+1:2];
      r_tag[t] = may && r_code[t][0] ? (r_pc[t][1] ? m_codes[at][9:5] : m_codes[at][4:0]) : 0;
      r_word_tag[t] = may && r_data[t][0] ? m_datas[r_address[t][LOG2+1:2]] : 0;
      r_hinted[t] = 0;
      if (clears || !m_enable || !m_hints) m_hint = 0;
      else if (r_retired[t]) begin
        if (m_hint[36] && m_hint[35:5] == r_pc[t][31:1]) begin
          {r_hinted[t], r_tag[t]} = {1'b1, m_hint[4:0]};
          m_many = m_many - 1;
          m_hint[35:5] = r_next[t][31:1];
          if (m_many == 0) m_hint = 0;
          else groups = groups + 1;
          m_hinted = m_hinted + 1;
        end
        many = r_insn[t][19:0] == 20'h02013 && r_insn[t][31:20] > 12'h460 && r_insn[t][31:20] < 12'h480 ? 1 :
          r_insn[t][19:0] == 20'h03013 && r_insn[t][31:20] < 12'h800 && r_insn[t][24:20] != 0 ? r_insn[t][31:20] / 32 : 0;
        if (many != 0) begin
          if (m_hint[36] && m_hint[35:5] != r_next[t][31:1]) m_hints_lost = m_hints_lost + 1;
          m_many = many;
          m_hint = {1'b1, r_next[t][31:1], r_insn[t][24:20]};
        end
      end
      if (r_foreign[t] && m_enable) begin
        if (pending != 0) differ("foreign", 1, 0); // the stimulus must not do that
        pending = 1;
        pending_at = r_foreign_at[t];
      end

      // Now.
      t = now & 7;
      r_retired[t] = valid && !trap;
      r_read[t] = r_retired[t] && |rmask;
      r_write[t] = r_retired[t] && |wmask;
      r_paid[t] = cause != 9 && cause != 10;
      r_reset[t] = hart_rst;
      {r_pc[t], r_next[t], r_insn[t], r_address[t]} = {pc, next_pc, insn, address};
      r_foreign[t] = mon_valid && mon_write && (mon_master == 2 || debug);
      r_foreign_at[t] = mon_addr;
      {r_tag[t], r_word_tag[t], r_mode[t], r_word_mode[t], r_executes[t], r_reads[t], r_writes[t], r_hinted[t]} = 0;

      // A write of a setting.
      if (sel && write) begin
        if (addr == `GNOMON_TAGS_CONTROL) {m_fill_interrupt, m_trace_on, m_hints, m_enable} = wdata;
        if (addr[11:7] == 2) m_mode[addr[6:2]] = wdata;
        if (addr[11:6] == 6) m_code_block[addr[5:2]] = wdata;
        if (addr[11:6] == 7) m_data_block[addr[5:2]] = wdata;
        if (addr[11:8] == 2 && addr[5:4] == 2) m_step[{addr[7:6], addr[3:2]}] = wdata;
        if (addr[11:8] == 2 && addr[5:2] == 7) m_interrupt[addr[7:6]] = wdata;
      end
      if (clears) clear_model;
      {want_gate, want_irq} = {m_gate, m_by_tag || m_by_fill};
      if (rst) begin
        {m_enable, m_hints, m_trace_on, m_fill_interrupt, m_hint, pending} = 0;
        for (b = 0; b < 32; b = b + 1) m_mode[b] = 0;
        for (b = 0; b < 16; b = b + 1) {m_code_block[b], m_data_block[b], m_step[b]} = 0;
        for (b = 0; b < 4; b = b + 1) m_interrupt[b] = 0;
      end
      now = now + 1;
      // At its default, Verilator 5.006 leaves out assignments to variables that only another process reads.
      if (now < 0) $display("%h %h %h", m_pc, m_value, m_cleared_at);
    end
  endtask
  always @(posedge look) book;

  // ---- Stimulus: per mille ----
  integer busy = 0, turn = 50, hinting = 0, accessing = 0, storing = 200, poking = 0, who = 0, foreign_wait = 0, i, k;
  reg few = 0;
  reg [1:0] forced = 0;
  reg [31:0] where[0:CONTEXTS-1];
  function [31:0] somewhere(input integer unused); // mostly in what blocks cover
    reg [31:0] range;
    begin
      range = few ? 64 : $urandom_range(3) == 0 ? SPAN : 4 * WORDS;
      somewhere = PLACE + $urandom_range(range - 1);
      if ($urandom_range(50) == 0) somewhere = somewhere ^ (32'd1 << $urandom_range(31));
    end
  endfunction
  reg step = 0; // triggers the changes in a separate block; a task would be compiled again for each call
  always @(step) begin
    valid = $urandom_range(999) < busy;
    trap = valid && $urandom_range(49) == 0;
    cause = valid && !trap ? 0 : $urandom_range(9) == 0 ? 9 : 1;
    if ($urandom_range(999) < turn) who = $urandom_range(CONTEXTS - 1);
    pc = where[who] & ~32'd1;
    insn = 32'h0000_0013;
    next_pc = $urandom_range(5) == 0 ? somewhere(0) & ~32'd1 : pc + ($urandom_range(1) == 0 ? 2 : 4);
    if (next_pc - PLACE > SPAN || (few && next_pc - PLACE > 64)) next_pc = somewhere(0) & ~32'd1;
    if ($urandom_range(999) < hinting) begin // also a hint with tag 0, and words that nearly are hints
      insn = {7'b0100011, 5'd0, 20'h02013} | $urandom_range(31) << 20;
      if ($urandom_range(2) == 0) insn = 32'h0000_3013 | $urandom_range($urandom_range(1) ? 255 : 4095) << 20;
      if ($urandom_range(9) == 0) insn = insn ^ (32'd1 << $urandom_range(31));
      next_pc = pc + 4;
    end
    {rmask, wmask} = 0;
    address = somewhere(0);
    if (valid && $urandom_range(999) < accessing) begin
      if ($urandom_range(999) < storing) wmask = 1;
      if (wmask == 0 || $urandom_range(3) == 0) rmask = 1;
    end
    if (valid && !trap) where[who] = next_pc;
    {mon_valid, mon_write, mon_master, debug} = {$urandom_range(1) == 0, $urandom_range(1) == 0, 1'b0, $urandom_range(1) == 0, 1'b0};
    mon_addr = somewhere(0);
    fills = m_lines + (m_begins != 0) < 3 && $urandom_range(19) == 0 ? $urandom_range(1) + 1 : 0; // the queue has room
    if (run == RUNS) fills = forced;
    foreign_wait = wmask == 0 ? foreign_wait + 1 : foreign_wait;
    if (foreign_wait > 8 && $urandom_range(999) < poking) begin
      {mon_valid, mon_write, mon_master} = 4'b11_10;
      debug = $urandom_range(1);
      if (debug) mon_master = 1;
      foreign_wait = 0;
    end
  end
  task tick; // a cycle
    begin
      step = !step;
      @(negedge clk);
      {sel, write} = 0;
    end
  endtask
`include "register_access.vh"
  task must(input [8*14-1:0] what, input [11:0] at_, input [31:0] value);
    begin
      get(at_);
      differ(what, {at_, got}, {at_, value});
    end
  endtask
  task must_pair(input [8*14-1:0] what, input [11:0] at_, input [63:0] value);
    begin
      must(what, at_, value[31:0]);
      if ($urandom_range(1) == 0) tick;
      must(what, at_ + 4, value[63:32]);
    end
  endtask
  task wait_status(input [31:0] mask, input [31:0] value);
    begin
      i = 0;
      got = ~value;
      while ((got & mask) != value && i < 20000) begin
        get(`GNOMON_TAGS_STATUS);
        i = i + 1;
      end
      if (i == 20000) begin
        $display("run %0d cycle %0d: STATUS stays %h", run, now, got);
        $fatal(1, "FAIL");
      end
    end
  endtask
  reg [7:0] round;
  task settle; // until all counts are in their registers
    begin
      get(`GNOMON_TAGS_STATUS);
      round = got[15:8] + 2;
      i = 0;
      while (got[15:8] != round && i < 4000) begin
        get(`GNOMON_TAGS_STATUS);
        i = i + 1;
      end
      waited = i > waited ? i : waited;
      if (i == 4000) differ("rounds", got[15:8], round);
    end
  endtask
  task tag_word(input [31:0] at_, input [14:0] word, input integer words);
    begin
      set(`GNOMON_TAGS_ADDRESS, at_);
      wait_status(2, 0);
      differ("unmapped", got[3:2], {!(in_block(at_, 1) & 1), !(in_block(at_, 0) & 1)});
      set(`GNOMON_TAGS_UNTIL, words == 0 ? 0 : at_ + 4 * words);
      set(`GNOMON_TAGS_TAG, {17'h1ABCD, word});
      wait_status(2, 0);
    end
  endtask
  task show_words; // without other activity
    begin
      busy = 0;
      poking = 0;
      repeat (40) tick;
      for (k = 0; k < 60; k = k + 1) begin
        set(`GNOMON_TAGS_ADDRESS, somewhere(0));
        wait_status(2, 0);
        must("TAG", `GNOMON_TAGS_TAG, {17'd0, in_block(dut.access_address << 2, 1) & 1 ? m_datas[dut.access_address[LOG2+1:2]] : 5'd0,
            in_block(dut.access_address << 2, 0) & 1 ? m_codes[dut.access_address[LOG2+1:2]] : 10'd0});
      end
    end
  endtask
  task compare; // all registers, when everything has been counted
    begin
      busy = 0;
      poking = 0;
      hinting = 0;
      set(`GNOMON_TAGS_GATE, 32'h0);
      repeat (20) tick;
      settle;
      differ("saturated", got[5:4], 0);
      for (k = 0; k < 32; k = k + 1) begin
        must_pair("executions", 12'h400 + 32 * k, m_executions[k]);
        must_pair("cycles", 12'h408 + 32 * k, m_paid[k]);
        must_pair("reads", 12'h410 + 32 * k, m_reads[k]);
        must_pair("writes", 12'h418 + 32 * k, m_writes[k]);
        must("MODE", 12'h100 + 4 * k, m_mode[k]);
      end
      for (k = 0; k < 4; k = k + 1) begin
        must("intervals", 12'h200 + 64 * k, m_intervals[k]);
        must_pair("timer's cycles", 12'h204 + 64 * k, m_cycles[k]);
        must("last", 12'h20C + 64 * k, m_last[k]);
        must("shortest", 12'h210 + 64 * k, m_shortest[k]);
        must("longest", 12'h214 + 64 * k, m_longest[k]);
        must("interrupt", 12'h21C + 64 * k, m_interrupt[k]);
      end
      wanted = 0;
      for (k = 0; k < 16; k = k + 1) begin
        must("step", 12'h220 + 64 * (k / 4) + 4 * (k % 4), m_step[k]);
        must("over", 12'h230 + 64 * (k / 4) + 4 * (k % 4), m_over[k]);
        wanted[16+k] = m_over[k] != 0 && m_interrupt[k/4][k%4];
      end
      must("INTERRUPT", `GNOMON_TAGS_INTERRUPT, wanted | {m_by_fill, m_by_tag});
      must("INTERRUPT_PC", `GNOMON_TAGS_INTERRUPT_PC, m_pc);
      must("value", `GNOMON_TAGS_INTERRUPT_VALUE, m_value);
      must("CLEARED", `GNOMON_TAGS_CLEARED, m_cleared);
      must("FILLED_ADDRESS", `GNOMON_TAGS_FILLED_ADDRESS, m_filled_at);
      if (m_cleared != 0) must("CLEARED_ADDRESS", `GNOMON_TAGS_CLEARED_ADDRESS, m_cleared_at);
      must("HINTED", `GNOMON_TAGS_HINTED, m_hinted);
      must("HINTS_LOST", `GNOMON_TAGS_HINTS_LOST, m_hints_lost);
      must("TIMERS_LOST", `GNOMON_TAGS_TIMERS_LOST, m_refused);
      must("overflow", `GNOMON_TAGS_PER_ADDRESS_OVERFLOW, m_without);
      must("GATE", `GNOMON_TAGS_GATE, {m_gate, 8'd0});
      for (k = 0; k < 2 * OWN && PER_ADDRESS_LOG2 != 0; k = k + 1) begin
        if (k % 19 == 0) set(`GNOMON_TAGS_PER_ADDRESS_SELECT, k < OWN ? PLACE + 2 * k : PLACE + 4 * (k - OWN) + 1);
        if (k == OWN) set(`GNOMON_TAGS_PER_ADDRESS_SELECT, PLACE + 1);
        wait_status(2, 0);
        must("its own", `GNOMON_TAGS_PER_ADDRESS_COUNT, k < OWN ? m_own_code[k] : m_own_data[(k-OWN)%(OWN/2)]);
      end
    end
  endtask
  task random_settings;
    begin
      for (k = 0; k < 32; k = k + 1) begin
        got = $urandom;
        if (few) got = (got | 16'h0007) & 16'h3FFF; // one timer, and every tag acts
        if (!few && $urandom_range(3) != 0) got[13:12] = 0; // acts on timers, but not always more than the queue takes
        set(12'h100 + 4 * k, got);
      end
      for (k = 0; k < 16; k = k + 1) begin
        set(12'h180 + 4 * k, PLACE + 4 * WORDS * (few ? 0 : $urandom_range(3)) + (few ? 3 : $urandom_range(7)));
        set(12'h1C0 + 4 * k, PLACE + 4 * WORDS * (few ? 0 : $urandom_range(3)) + (few ? 1 : $urandom_range(7)));
        set(12'h220 + 64 * (k / 4) + 4 * (k % 4), $urandom_range(5) == 0 ? 0 : $urandom_range(few ? 9 : 200));
        if (k < 4) set(12'h21C + 64 * k, $urandom);
      end
    end
  endtask

  integer choice, end_of_run;
  initial begin
    for (i = 0; i < WORDS; i = i + 1) {m_codes[i], m_datas[i]} = 0;
    for (i = 0; i < 8; i = i + 1) begin
      {r_retired[i], r_read[i], r_write[i], r_paid[i], r_hinted[i], r_foreign[i], r_tag[i], r_word_tag[i], r_mode[i], r_word_mode[i]} = 0;
      {r_executes[i], r_reads[i], r_writes[i], r_reset[i]} = 1;
      {r_pc[i], r_address[i]} = 0;
    end
    for (i = 0; i < CONTEXTS; i = i + 1) where[i] = PLACE;
    m_begins = 0;
    {want_tagged, want_gates, want_gate, want_irq, pending, m_cleared_at} = 0;
    {m_began[0], m_began[1], m_began[2], m_began[3]} = 0;
    clear_model;
    repeat (4) tick;
    rst = 0;
    run = -1;
    wait_status(1, 1);
    get(`GNOMON_TAGS_CONFIG);
    differ("CONFIG", got, {1'b1, 3'd0, 4'd4, 1'b1, 3'd4, PER_ADDRESS_LOG2[3:0], 8'h44, 3'd4, 5'd8});
    for (k = 0; k < 32; k = k + 1) must("MODE", 12'h100 + 4 * k, 0);
    for (run = 0; run < RUNS; run = run + 1) begin
      few = run % 3 == 1;
      random_settings;
      for (k = 0; k < (few ? 4 : 60); k = k + 1) tag_word(few ? PLACE + 16 * k : somewhere(0), $urandom_range(32767), few ? 4 : $urandom_range(8));
      hart_rst = 1;
      repeat (run % 2 == 0 ? 700 : 40) tick; // else the hart starts during the clearing; then it has no tags yet
      if (run % 5 == 4) set(`GNOMON_TAGS_GATE, $urandom);
      hart_rst = 0;
      wait_status(1, 1);
      set(`GNOMON_TAGS_CONTROL, {29'd0, run % 4 == 2, run % 2 == 0, 1'b1});
      busy = run % 7 == 3 || run % 7 == 1 ? 1000 : run % 7 == 5 ? 30 : 500;
      turn = run % 4 == 0 ? 500 : 50;
      hinting = run % 4 == 0 ? 200 : 20;
      accessing = run % 7 == 3 ? 1000 : 400;
      poking = 20;
      end_of_run = now + CYCLES;
      while (now < end_of_run) begin
        choice = $urandom_range(999);
        if (choice < 20) begin
          saved_busy = busy;
          if (busy == 1000) busy = 900; // so that registers find a free cycle
          tag_word(somewhere(0), $urandom_range(32767), $urandom_range(5));
          busy = saved_busy;
        end else if (choice < 24) set(12'h180 + 4 * $urandom_range(31), PLACE + 4 * WORDS * $urandom_range(3) + $urandom_range(7));
        else if (choice < 26) set(12'h100 + 4 * $urandom_range(31), $urandom);
        else if (choice < 28) set(`GNOMON_TAGS_GATE, $urandom);
        else if (choice < 30 && run % 2 == 0) set(`GNOMON_TAGS_CONTROL, $urandom);
        else if (choice < 34) set(`GNOMON_TAGS_CONTROL, 32'hF);
        else if (choice < 38) set(`GNOMON_TAGS_INTERRUPT, $urandom_range(3));
        else if (choice < 100) get(4 * $urandom_range(511));
        else if (choice < 120) begin // what cannot be written stays
          addr = 4 * $urandom_range(511);
          if (addr >= 12'h040 && addr < 12'h060 || addr >= 12'h400 || addr[11:8] == 2 && (addr[5:2] < 7 || addr[5:2] > 11)) set(addr, $urandom);
        end else tick;
      end
      compare;
      show_words;
      if (run % 4 == 3) begin
        set(`GNOMON_TAGS_CLEAR, 32'h3);
        wait_status(1, 1);
        for (i = 0; i < WORDS; i = i + 1) if (m_codes[i] != 0 || m_datas[i] != 0) differ("sweep", i, 0);
        compare;
      end
    end
    // More lines than the queue holds, while the hart stores in each cycle: this is said.
    set(`GNOMON_TAGS_CONTROL, 32'h1);
    repeat (200) tick; // earlier lines are looked up
    {busy, accessing, storing, poking} = {32'd1000, 32'd1000, 32'd1000, 32'd0};
    for (k = 0; k < 5; k = k + 1) begin
      differ("lines", m_lines, k);
      forced = 2'b10;
      tick;
      forced = 2'b00;
      while (m_begins != 0) tick;
      get(`GNOMON_TAGS_STATUS);
      differ("missed", got[5], k == 4);
    end
    $display("%0d instructions tagged by a hint that tags more", groups);
    $display("%0d lookups, %0d tagged; %0d cycles with two acts on a timer, %0d empty intervals, %0d refused starts; %0d stores, %0d foreign; rounds in %0d reads",
             lookups, outcomes, both, emptied, refusals, stores, foreigns, waited);
    $display("%0d lines were filled, %0d with a tag", filled_lines, tagged_lines);
    if (filled_lines < 1000 || tagged_lines < 500 || outcomes < lookups / 20 || both < 100 || emptied < 50 || refusals < 50 || stores < 100 || foreigns < 100 || groups < 1000) begin
      errors = errors + 1;
      $display("too little has happened");
    end
    if (errors != 0) $fatal(1, "FAIL: %0d errors", errors);
    $display("PASS");
    $finish;
  end
  integer saved_busy;
endmodule

`default_nettype wire
