// SPDX-License-Identifier: Apache-2.0
// gnomon_tag_actions as a whole, with random instructions, tags and register accesses in every cycle, against a
// sequential model: first the instruction's tag, then its data's tag, then a write to GATE. The bench compares outputs
// in every cycle, registers with their values in the cycle of the read, and all registers at the end of each run. Kinds
// of runs: anything; few tags and thresholds, so that acts coincide and thresholds are met; retirements without a
// pause.
`timescale 1ns / 1ps
`default_nettype none

module tb_tag_actions;
`include "gnomon_registers.vh"
  parameter LOG2 = 6;
  parameter SEGMENTS = 3;
  parameter RUNS = 16;
  parameter CYCLES = 12000;
  localparam CELLS = 1 << LOG2;

  reg clk = 0, look = 0, clear = 0, hart_rst = 1, rst = 1, sel = 0, write = 0, enable = 0, clear_counts = 0;
  reg retired = 0, unattributed = 0, reads = 0, writes = 0;
  reg [31:0] pc = 0, address = 0, wdata = 0;
  reg [4:0] tag = 0, word_tag = 0;
  reg [11:0] addr = 0;
  wire [31:0] rdata;
  wire ready, busy, irq, trace, is_tagged;
  wire [3:0] gates;
  // The model evaluates shortly before the clock edge; its inputs change at the opposite edge.
  always begin
    #4 look = 1;
    #1 clk = 1;
    #5 {clk, look} = 0;
  end
  gnomon_tag_actions #(
    .PER_ADDRESS_LOG2(LOG2), .PER_ADDRESS_SEGMENTS(SEGMENTS)
  ) dut (
    .clk_i(clk), .clear_i(clear), .hart_rst_i(hart_rst), .rst_i(rst), .reg_sel_i(sel), .reg_write_i(write),
    .reg_addr_i(addr), .reg_wdata_i(wdata), .reg_rdata_o(rdata), .enable_i(enable), .clear_counts_i(clear_counts),
    .retired_i(retired), .unattributed_i(unattributed), .read_i(reads), .write_i(writes), .pc_i(pc[31:1]),
    .address_i(address), .tag_i(tag), .word_tag_i(word_tag), .ready_o(ready), .busy_o(busy), .irq_o(irq),
    .trace_o(trace), .tagged_o(is_tagged), .gates_o(gates)
  );

  integer errors = 0, run, n, i, j, k;
  integer b, place; // of the model
  integer both = 0, emptied = 0, passes = 0, interrupts = 0, waits = 0; // counts of events, to check that they occurred
  task differ(input [8*12-1:0] what, input [63:0] got, input [63:0] wanted);
    if (got !== wanted) begin
      errors = errors + 1;
      if (errors < 20) $display("run %0d, cycle %0d: %0s is %h, not %h", run, n, what, got, wanted);
    end
  endtask

  // ---- The model ----
  reg [63:0] now; // cycles in which time passed, this one included
  reg [15:0] m_mode[0:31];
  reg [3:0] m_running;
  reg m_trace, m_by_tag;
  reg [15:0] m_by_step;
  reg [31:0] m_pc;
  reg [5:0] m_value;
  reg [63:0] began[0:3], m_intervals[0:3], m_cycles[0:3], m_last[0:3], m_shortest[0:3], m_longest[0:3];
  reg [31:0] m_step[0:15];
  reg [63:0] m_over[0:15];
  reg [15:0] m_interrupt;
  reg [63:0] waiting, m_executions[0:31], m_paid[0:31], m_reads[0:31], m_writes[0:31];
  reg [31:0] m_base[0:SEGMENTS-1];
  reg [63:0] m_own[0:SEGMENTS*CELLS-1];
  reg [63:0] m_outside;
  integer clearing; // cycles left in the clearing
  reg [31:0] m_address, m_shown, found;
  reg [2:0] m_busy; // sees, looks, waits
  reg [15:0] values_high, timers_high;
  // Counts of the previous cycle.
  reg p_execute, p_read, p_write, p_own, p_word_own;
  reg [4:0] p_tag, p_word_tag;
  reg [31:0] p_pc, p_word, p_paid;

  function [63:0] limit(input [63:0] count);
    limit = count > 64'hFFFF_FFFF ? 64'hFFFF_FFFF : count;
  endfunction

  // The number of the per-address counter for an address, or -1.
  function integer own_at(input [31:0] where, input data);
    integer s;
    reg [31:0] first;
    begin
      own_at = -1;
      for (s = SEGMENTS - 1; s >= 0; s = s - 1) begin
        first = {m_base[s][31:2], 2'b00};
        if (m_base[s][0] && m_base[s][1] == data && where >= first && (where - first) >> (1 + data) < CELLS)
          own_at = s * CELLS + ((where - first) >> (1 + data));
      end
    end
  endfunction

  task clear_book;
    begin
      m_running = 0;
      m_trace = 0;
      {m_by_tag, m_by_step, m_pc, m_value} = 0;
      for (b = 0; b < 4; b = b + 1) begin
        m_intervals[b] = 0;
        m_cycles[b] = 0;
        m_last[b] = 0;
        m_shortest[b] = 64'hFFFF_FFFF;
        m_longest[b] = 0;
      end
      for (b = 0; b < 16; b = b + 1) m_over[b] = 0;
      for (b = 0; b < 32; b = b + 1) begin
        m_executions[b] = 0;
        m_paid[b] = 0;
        m_reads[b] = 0;
        m_writes[b] = 0;
      end
      for (b = 0; b < SEGMENTS * CELLS; b = b + 1) m_own[b] = 0;
      m_outside = 0;
      clearing = CELLS;
      m_busy = 0;
      m_shown = 0;
      {values_high, timers_high} = 0;
      {p_execute, p_read, p_write, p_own, p_word_own} = 0;
      waiting = 0;
    end
  endtask

  task timer(input integer which, input [1:0] act); // 1 starts, 2 stops, 3 toggles
    reg [63:0] cycles;
    if (act == 1 || (act == 3 && !m_running[which])) begin
      if (!m_running[which]) began[which] = now;
      m_running[which] = 1;
    end else if (act != 0) begin
      if (m_running[which]) begin
        cycles = now - began[which];
        if (cycles == 0) emptied = emptied + 1;
        m_intervals[which] = m_intervals[which] + 1;
        m_cycles[which] = m_cycles[which] + cycles;
        m_last[which] = limit(cycles);
        if (limit(cycles) < m_shortest[which]) m_shortest[which] = limit(cycles);
        if (limit(cycles) > m_longest[which]) m_longest[which] = limit(cycles);
      end
      m_running[which] = 0;
    end
  endtask

  task act(input [15:0] mode, input [4:0] of, input data);
    begin
      timer(mode[15:14], mode[13:12]);
      if (mode[9:8] != 0) m_trace = mode[9:8] == 1 || (mode[9:8] == 3 && !m_trace);
      if (mode[5]) begin
        if (!m_by_tag) {m_pc, m_value} = {pc, data, of};
        m_by_tag = 1;
        interrupts = interrupts + 1;
      end
    end
  endtask

  // The value of a register in this cycle, before this cycle's actions.
  function [31:0] shows(input [11:0] at);
    integer t;
    reg [63:0] wide;
    begin
      shows = 0;
      t = at[7:6];
      case (at)
        `GNOMON_TAGS_INTERRUPT: shows = {m_by_step, 15'd0, m_by_tag};
        `GNOMON_TAGS_INTERRUPT_PC: shows = m_pc;
        `GNOMON_TAGS_INTERRUPT_VALUE: shows = m_value;
        `GNOMON_TAGS_GATE: shows = {m_trace, 4'd0, m_running};
        `GNOMON_TAGS_PER_ADDRESS_SELECT: shows = m_address;
        `GNOMON_TAGS_PER_ADDRESS_COUNT: shows = m_shown;
        `GNOMON_TAGS_PER_ADDRESS_OVERFLOW: shows = limit(m_outside);
        default: begin
          if (at >= 12'h100 && at < 12'h180) shows = m_mode[at[6:2]];
          if (at >= 12'h300 && at < 12'h300 + 4 * SEGMENTS) shows = m_base[at[4:2]];
          if (at >= 12'h200 && at < 12'h300)
            case (at[5:2])
              0: shows = limit(m_intervals[t]);
              1: shows = m_cycles[t];
              2: shows = timers_high;
              3: shows = m_last[t];
              4: shows = m_shortest[t];
              5: shows = m_longest[t];
              6: shows = m_running[t] ? limit(now - began[t]) : 0;
              7: shows = m_interrupt[4*t+:4];
              8, 9, 10, 11: shows = m_step[4*t+at[3:2]];
              default: shows = limit(m_over[4*t+at[3:2]]);
            endcase
          if (at >= 12'h400 && at < 12'h800) begin
            wide = at[4:3] == 0 ? m_executions[at[9:5]] : at[4:3] == 1 ? m_paid[at[9:5]] : at[4:3] == 2 ? m_reads[at[9:5]] : m_writes[at[9:5]];
            shows = at[2] ? values_high : wide[31:0];
          end
        end
      endcase
    end
  endfunction

  reg wanted_tagged, asked, any, word;
  reg [15:0] mode, word_mode;
  reg [31:0] wanted;
  reg was_read = 0, was_selected = 1;
  reg [11:0] was_addr;
  task book; // one cycle, from the present inputs
    begin
      // The read of the previous cycle.
      if (was_read) differ("register", {was_addr, rdata}, {was_addr, wanted});
      else if (!was_selected) differ("not selected", rdata, 0);
      if (enable && !hart_rst) now = now + 1;
      
      // Outputs.
      any = retired && enable && !hart_rst;
      mode = tag == 0 || !any ? 0 : m_mode[tag];
      if (!mode[0]) mode = 0;
      word_mode = word_tag == 0 || !any ? 0 : m_mode[word_tag];
      word = (reads && word_mode[1]) || (writes && word_mode[2]);
      if (!word) word_mode = word_mode & 6; // for the counters
      wanted_tagged = mode[3] || (word && word_mode[3]);
      differ("tagged", is_tagged, wanted_tagged);
      differ("gates", gates, enable ? m_running : 0);
      differ("trace", trace, m_trace);
      differ("irq", irq, m_by_tag || m_by_step != 0);
      differ("ready", ready, clearing == 0);
      differ("busy", busy, m_busy != 0);
      was_read = sel && !write;
      was_selected = sel;
      was_addr = addr;
      wanted = shows(addr);
      if (was_read) begin
        if (addr >= 12'h200 && addr < 12'h300 && addr[5:2] == 1) timers_high = m_cycles[addr[7:6]] >> 32;
        if (addr >= 12'h400 && addr < 12'h800 && !addr[2]) values_high = addr[4:3] == 1 ? m_paid[addr[9:5]] >> 32 : addr[4:3] == 0 ? m_executions[addr[9:5]] >> 32 :
            addr[4:3] == 2 ? m_reads[addr[9:5]] >> 32 : m_writes[addr[9:5]] >> 32;
      end

      // Counts of the previous cycle's instruction, and the state of a read of a per-address counter.
      if (p_execute) begin
        m_executions[p_tag] = m_executions[p_tag] + 1;
        m_paid[p_tag] = m_paid[p_tag] + p_paid;
      end
      if (p_read) m_reads[p_word_tag] = m_reads[p_word_tag] + 1;
      if (p_write) m_writes[p_word_tag] = m_writes[p_word_tag] + 1;
      if (m_busy[2]) m_shown = found;
      if (m_busy[1]) found = clearing != 0 || own_at(m_address & ~1, m_address[0]) < 0 ? 0 : limit(m_own[own_at(m_address & ~1, m_address[0])]);
      if (p_own) begin
        place = own_at(p_pc, 0);
        if (clearing != 0 || place < 0) m_outside = m_outside + 1;
        else m_own[place] = m_own[place] + 1;
      end
      if (p_word_own) begin
        place = own_at(p_word & ~3, 1);
        if (clearing != 0 || place < 0) m_outside = m_outside + 1;
        else m_own[place] = m_own[place] + 1;
      end
      asked = sel && ((write && addr == `GNOMON_TAGS_PER_ADDRESS_SELECT) || (!write && addr == `GNOMON_TAGS_PER_ADDRESS_COUNT));
      if (m_busy[0] && (m_address[0] ? word && word_mode[4] : mode[4])) begin
        m_busy = 3'b001;
        waits = waits + 1;
      end else m_busy = {m_busy[1:0], 1'b0};
      if (asked) m_busy = 3'b001;
      if (clearing != 0) clearing = clearing - 1;

      // This cycle's instruction.
      p_execute = mode[0];
      p_read = reads && word_mode[1];
      p_write = writes && word_mode[2];
      p_own = mode[4];
      p_word_own = word && word_mode[4];
      p_tag = tag;
      p_word_tag = word_tag;
      p_pc = pc;
      p_word = address;
      p_paid = waiting + !unattributed;
      if (p_paid > 32'h8000_0000) p_paid = 32'h8000_0000; // the longest wait
      waiting = retired || hart_rst ? 0 : p_paid;
      for (b = 0; b < 16; b = b + 1)
        if (enable && !hart_rst && m_running[b/4] && m_step[b] != 0 && now - began[b/4] == m_step[b]) begin
          m_over[b] = m_over[b] + 1;
          passes = passes + 1;
        end
      if (mode[0] && word && mode[13:12] != 0 && word_mode[13:12] != 0 && mode[15:14] == word_mode[15:14]) both = both + 1;

      // Writes of INTERRUPT clear only earlier bits.
      if (sel && write && addr == `GNOMON_TAGS_INTERRUPT) begin
        m_by_tag = m_by_tag && !wdata[0];
        m_by_step = m_by_step & ~wdata[31:16];
      end
      for (b = 0; b < 16; b = b + 1)
        if (enable && !hart_rst && m_running[b/4] && m_step[b] != 0 && now - began[b/4] == m_step[b] && m_interrupt[b]) m_by_step[b] = 1;
      if (mode[0]) act(mode, tag, 0);
      if (word) act(word_mode, word_tag, 1);
      if (sel && write)
        case (addr)
          `GNOMON_TAGS_GATE: begin
            for (b = 0; b < 4; b = b + 1) timer(b, wdata[b] ? 1 : 2);
            m_trace = wdata[8];
          end
          `GNOMON_TAGS_PER_ADDRESS_SELECT: m_address = wdata;
          default: begin
            if (addr >= 12'h100 && addr < 12'h180) m_mode[addr[6:2]] = wdata & 32'h0000_F33F;
            if (addr >= 12'h300 && addr < 12'h300 + 4 * SEGMENTS) m_base[addr[4:2]] = wdata;
            if (addr >= 12'h200 && addr < 12'h300 && addr[5:2] == 7) m_interrupt[4*addr[7:6]+:4] = wdata;
            if (addr >= 12'h200 && addr < 12'h300 && addr[5:4] == 2) m_step[4*addr[7:6]+addr[3:2]] = wdata;
          end
        endcase
      if (asked && !write) m_address = m_address + (m_address[0] ? 4 : 2);
      if (clear || clear_counts) clear_book;
      if (rst) begin
        for (b = 0; b < 32; b = b + 1) m_mode[b] = 0;
        for (b = 0; b < 16; b = b + 1) m_step[b] = 0;
        for (b = 0; b < SEGMENTS; b = b + 1) m_base[b] = 0;
        m_interrupt = 0;
        m_address = 0;
      end
    end
  endtask

  always @(posedge look) book;
  task tick; // a cycle
    begin
      @(negedge clk);
      {sel, write, clear, clear_counts} = 0;
    end
  endtask
  task set(input [11:0] at, input [31:0] value);
    begin
      {sel, write} = 2'b11;
      addr = at;
      wdata = value;
      tick;
    end
  endtask
  task read(input [11:0] at);
    begin
      {sel, write} = 2'b10;
      addr = at;
      tick;
    end
  endtask
  task read_per_address; // reads the counters of code, then of data, and the addresses around them
    begin
      for (k = 0; k < 2; k = k + 1) begin
        set(`GNOMON_TAGS_PER_ADDRESS_SELECT, 32'h1000_0000 - 8 + k);
        for (i = 0; i < 4; i = i + 1) tick;
        for (j = 0; j < 6 * CELLS; j = j + 1) begin
          read(`GNOMON_TAGS_PER_ADDRESS_COUNT);
          tick;
          tick;
          tick;
        end
      end
    end
  endtask
  task read_all;
    begin
      for (k = 12'h060; k < 12'h800; k = k + 4) read(k);
      read_per_address;
    end
  endtask

  integer dense, few, kind;
  reg [15:0] new_mode;
  task random_mode(input integer which);
    begin
      new_mode = $urandom;
      if (few) new_mode = (new_mode | 16'h0007) & 16'h3FFF; // one timer, and every tag acts
      if ($urandom_range(3) != 0) new_mode[5] = 0;
      if (new_mode[13:12] == 0 && $urandom_range(1) == 0) new_mode[13:12] = 3;
      if ($urandom_range(1) == 0) new_mode[4] = 1;
      set(`GNOMON_TAGS_MODE + 4 * which, {16'hABCD, new_mode});
    end
  endtask
  task instruction;
    begin
      retired = $urandom_range(99) < dense;
      unattributed = !retired && $urandom_range(9) == 0;
      reads = retired && $urandom_range(1);
      writes = retired && $urandom_range(1);
      pc = 32'h1000_0000 + ({$urandom} % (few ? 32 : 6 * CELLS)) * 2;
      address = 32'h1000_0000 + {$urandom} % (few ? 64 : 12 * CELLS);
      tag = few ? {$urandom} % 4 : $urandom;
      word_tag = few ? {$urandom} % 4 : $urandom;
      if ($urandom_range(2) == 0) tag = 0;
      if ($urandom_range(2) == 0 || !(reads || writes)) word_tag = 0;
    end
  endtask
  task access;
    begin
      kind = $urandom_range(99);
      sel = kind < 40;
      write = kind < 12;
      addr = 12'h060 + 4 * $urandom_range(488);
      wdata = $urandom;
      if (kind < 3) {addr, wdata[3:0]} = {`GNOMON_TAGS_GATE, wdata[7:4]};
      else if (kind < 5) addr = `GNOMON_TAGS_INTERRUPT;
      else if (kind < 6) addr = `GNOMON_TAGS_PER_ADDRESS_SELECT;
      else if (kind < 9) {addr, wdata} = {12'h220 + (wdata[31:30] << 6) + (wdata[29:28] << 2), 24'd0, wdata[7:0] & (few ? 8'd7 : 8'd63)};
      else if (kind < 10) addr = 12'h21C + (wdata[31:30] << 6);
      else if (kind < 12 && n % 8 != 0) write = 0;
      else if (kind < 16) addr = `GNOMON_TAGS_PER_ADDRESS_COUNT;
      else if (kind < 20) addr = `GNOMON_TAGS_PER_ADDRESS_OVERFLOW;
      else if (kind < 26) addr = 12'h218 + (wdata[31:30] << 6);
      if (kind == 5) wdata = 32'h1000_0000 + {$urandom} % (12 * CELLS);
      if (write && addr >= 12'h300 && addr < 12'h320) sel = 0; // the bases stay as they are
      if (write && addr >= 12'h100 && addr < 12'h180) wdata = wdata | {31'd0, $urandom_range(1) == 0};
      clear_counts = $urandom_range(6000) == 0;
      if ($urandom_range(300) == 0) enable = !enable;
      else if ($urandom_range(20) == 0) enable = 1;
    end
  endtask

  initial begin
    run = -1;
    n = 0;
    {now, found, m_address} = 0;
    for (i = 0; i < 4; i = i + 1) begin
      clear = 1;
      tick;
    end
    rst = 0;
    for (run = 0; run < RUNS; run = run + 1) begin
      // Settings written during the reset stay after it.
      n = 0;
      few = run % 3 == 1;
      dense = run % 4 == 3 ? 100 : run % 4 == 2 ? 20 : 70;
      enable = run != 1;
      for (j = 0; j < 32; j = j + 1) random_mode(j);
      for (j = 0; j < 16; j = j + 1) set(12'h220 + (j / 4) * 64 + (j % 4) * 4, $urandom_range(few ? 6 : 40));
      for (j = 0; j < 4; j = j + 1) set(12'h21C + j * 64, $urandom);
      for (j = 0; j < SEGMENTS; j = j + 1)
        if (run % 2 == 0) set(12'h300 + 4 * j, 32'h1000_0000 + j * 2 * CELLS + (j == 0 ? 1 : j == 1 ? 3 : $urandom_range(3)));
        else set(12'h300 + 4 * j, 32'h1000_0000 + {$urandom} % (CELLS / 2) * 4 + (j == 0 ? 1 : j == 1 ? 3 : 1 + 2 * $urandom_range(1))); // they overlap
      if (run % 5 == 4) set(`GNOMON_TAGS_GATE, $urandom);
      if (run % 2 == 0) while (clearing != 0) tick; // otherwise the counters are cleared while the hart runs
      hart_rst = 0;
`ifndef VERILATOR
      // Counters that are nearly full. The timers have run for long; the current one soon exceeds 2^32 cycles.
      if (run == 5) begin
        set(`GNOMON_TAGS_GATE, 32'h3);
        dut.u_timers.g_timer[0].u_timer.elapsed = 32'hFFFF_FF00;
        dut.u_timers.g_timer[0].u_timer.total = dut.u_timers.g_timer[0].u_timer.total + 64'hFFFF_FF00;
        began[0] = now - 64'hFFFF_FF00;
        set(12'h224, 32'hFFFF_FFFF);
        dut.u_timers.g_timer[1].u_timer.intervals_o = 32'hFFFF_FFFC;
        m_intervals[1] = 64'hFFFF_FFFC;
        dut.u_per_address.outside = 32'hFFFF_FFF8;
        m_outside = 64'hFFFF_FFF8;
        while (clearing != 0) tick;
        for (j = 0; j < CELLS; j = j + 1) begin
          dut.u_per_address.g_some.g_segment[0].u_segment.counters[j] = 32'hFFFF_FFFE;
          m_own[j] = 64'hFFFF_FFFE;
          dut.u_per_address.g_some.g_segment[1].u_segment.counters[j] = 32'hFFFF_FFFE;
          m_own[CELLS+j] = 64'hFFFF_FFFE;
        end
        for (j = 0; j < 600; j = j + 1) tick; // the timer exceeds 2^32 cycles
        read(12'h218);
        read(12'h234);
        m_over[1] = 64'hFFFF_FFFF; // with all of its upper bits
        dut.u_timers.u_over.memory[1] = 40'h00_FFFF_FF;
        dut.u_timers.u_over.g_counter[1].low = 8'hFF;
        dut.u_timers.u_over.written[1] = 1;
        set(`GNOMON_TAGS_GATE, 32'h0);
        set(12'h220, 2);
        set(12'h224, 3);
        // The upper half belongs to the time of the lower half's read: between both reads, an interval of 2^32 cycles
        // ends, and values of tag 3 carry into their upper halves.
        enable = 1;
        set(`GNOMON_TAGS_GATE, 32'h1);
        read(12'h204);
        dut.u_timers.g_timer[0].u_timer.total = dut.u_timers.g_timer[0].u_timer.total + 64'h1_0000_0000;
        began[0] = began[0] - 64'h1_0000_0000;
        dut.u_timers.g_timer[0].u_timer.elapsed = 32'hFFFF_FFFF;
        set(`GNOMON_TAGS_GATE, 32'h0);
        read(12'h208);
        read(12'h204);
        read(12'h208);
        set(`GNOMON_TAGS_MODE + 4 * 3, 7);
        dut.u_values.u_executions.written[3] = 1;
        dut.u_values.u_cycles.written[3] = 1;
        dut.u_values.u_reads.written[3] = 1;
        dut.u_values.u_writes.written[3] = 1;
        for (j = 0; j < 4; j = j + 1) begin
          dut.u_values.u_executions.memory[3] = 40'hA1_FFFF_FFFF;
          dut.u_values.u_cycles.memory[3] = 48'hB123_FFFF_FFFF;
          dut.u_values.u_reads.memory[3] = 40'hA5_FFFF_FFFF;
          dut.u_values.u_writes.memory[3] = 40'hA6_FFFF_FFFF;
          m_executions[3] = 40'hA1_FFFF_FFFF;
          m_paid[3] = 48'hB123_FFFF_FFFF;
          m_reads[3] = 40'hA5_FFFF_FFFF;
          m_writes[3] = 40'hA6_FFFF_FFFF;
          read(12'h460 + 8 * j);
          {retired, reads, writes, tag, word_tag} = {3'b111, 5'd3, 5'd3};
          tick;
          retired = 0;
          tick;
          tick;
          read(12'h464 + 8 * j);
          read(12'h460 + 8 * j);
          read(12'h464 + 8 * j);
        end
        dut.u_values.waiting = 31'h7FFF_FFFA;
        waiting = 31'h7FFF_FFFA;
        unattributed = 0;
        for (j = 0; j < 10; j = j + 1) tick;
        retired = 1;
        tick;
        retired = 0;
      end
`endif
      for (n = 0; n < CYCLES; n = n + 1) begin
        instruction;
        access;
        if (run == 5) clear_counts = 0;
        tick;
      end
      {retired, reads, writes, tag, word_tag} = 0;
      enable = run % 3 != 2;
      read_all;
      if (run % 2 == 1) begin // the upper one of two overlapping segments has not counted
        set(`GNOMON_TAGS_PER_ADDRESS_BASE, 0);
        set(`GNOMON_TAGS_PER_ADDRESS_BASE + 4, 0);
        read_per_address;
      end
      clear = 1;
      hart_rst = 1;
      tick;
      for (j = 0; j < 5; j = j + 1) begin // late instructions have no effect
        instruction;
        tick;
      end
      retired = 0;
    end
    rst = 1;
    clear = 1;
    tick;
    rst = 0;
    read_all;
    if (both < 100 || emptied < 100 || passes < 1000 || interrupts < 100 || waits < 50) begin
      errors = errors + 1;
      $display("too little has happened");
    end
    if (errors == 0) $display("tag actions: good, %0d runs; %0d cycles with two acts on a timer, %0d empty intervals, %0d thresholds passed, %0d waits of reads", RUNS, both, emptied, passes, waits);
    if (errors != 0) $fatal(1, "tag actions: %0d errors", errors);
    $finish;
  end
endmodule

`default_nettype wire
