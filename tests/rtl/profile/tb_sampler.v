// SPDX-License-Identifier: Apache-2.0
// gnomon_sampler with random retirements and events against a model that keeps a list: for each cycle or event that is
// due, whether the sample has a place, and, when an instruction retires, its address, thread and access. Reads of every
// register come in cycles of all kinds. Reads of
// samples are faster or slower than new samples, so that the sampler is empty, partly filled or full.
`timescale 1ns / 1ps
`default_nettype none

module tb_sampler;
`include "gnomon_registers.vh"
  parameter RUNS = 24;
  parameter CYCLES = 12000;
  localparam ROOM = 512;

  reg reads_mem = 0, writes_mem = 0;
  reg [8:0] thread = 0;
  reg [31:0] address = 0;
  reg [63:0] happening = 0, happened = 0; // events of this cycle; of the cycle before, to which the other inputs belong
  reg clk = 0, look = 0, rst = 1, hart_rst = 1, clear = 0, sel = 0, write = 0, retired = 0, unattributed = 0;
  localparam [11:0] WINDOW = `GNOMON_TAGS_SAMPLE;
  reg [11:0] addr = 0;
  reg [31:0] wdata = 0, pc = 0;
  wire [31:0] rdata;
  // The model evaluates shortly before the clock edge; its inputs change at the opposite edge.
  always begin
    #4 look = 1;
    #1 clk = 1;
    #5 {clk, look} = 0;
  end
  gnomon_sampler dut (
    .clk_i(clk), .rst_i(rst), .hart_rst_i(hart_rst), .clear_i(clear), .reg_sel_i(sel), .reg_write_i(write),
    .reg_addr_i(addr), .reg_wdata_i(wdata), .reg_rdata_o(rdata), .events_i(happening), .retired_i(retired),
    .unattributed_i(unattributed), .pc_i(pc[31:1]), .thread_i(thread), .read_i(reads_mem), .write_i(writes_mem),
    .address_i(address), .lost_o(lost_now), .unattributed_o(unattributed_now)
  );
  wire lost_now, unattributed_now;

  // ---- The model: time since cycle 0; samples in a ring ----
  reg [31:0] samples[0:ROOM-1]; // addresses
  reg [31:0] accesses[0:ROOM-1], addresses[0:ROOM-1]; // thread and kind of access; what was accessed
  reg [63:0] since[0:ROOM-1];   // the cycle in which the address became known
  integer first, known, places; // the oldest sample; number of samples with an address; number with a place
  integer errors = 0, run, n, taken = 0, losses = 0, unattributeds = 0, longest = 0;
  reg [63:0] cycle, next, lost, unattributed_book; // next: the cycle of the next due sample
  reg [5:0] number, was_number; // of the event; in the cycle before
  reg wide, counts;
  integer part;                 // of a sample: the word that is read next
  reg [31:0] togo;              // events before the next due sample
  integer of_events = 0, in_parts = 0;
  reg [31:0] period;
  reg [31:0] wanted;
  reg compares = 0, selected = 1, due, full, pop;
  reg [11:0] was_addr;
  task book;
    begin
      if (compares && rdata !== wanted || !selected && rdata !== 0) begin // the read of the previous cycle
        errors = errors + 1;
        if (errors < 20) $display("run %0d, cycle %0d: register %h is %h, not %h", run, n, was_addr, rdata, wanted);
      end
      wanted = 0;
      selected = sel;
      was_addr = addr;
      compares = sel && !write;
      pop = 0;
      counts = happened[was_number] && !unattributed;
      due = period != 0 && !hart_rst && (number == 0 ? cycle == next : counts && togo == 1);
      full = places == ROOM;
      // A sample is readable two cycles after its instruction retired, in any word of the window.
      if (addr[11:10] == WINDOW[11:10] && known != 0 && since[first] + 2 <= cycle) begin
        wanted = part == 0 ? samples[first] | 1 : part == 1 ? accesses[first] : addresses[first];
        pop = compares && (!wide || part == 2);
        if (compares) part = pop ? 0 : part + 1;
        if (pop && wide) in_parts = in_parts + 1;
      end
      if (pop) begin
        first = (first + 1) % ROOM;
        known = known - 1;
        places = places - 1;
        taken = taken + 1;
      end
      if (lost_now !== (due && !unattributed && full) || unattributed_now !== (due && unattributed)) begin
        errors = errors + 1;
        if (errors < 20) $display("run %0d, cycle %0d: lost %b, unattributed %b", run, n, lost_now, unattributed_now);
      end
      if (due) begin
        if (unattributed) unattributed_book = unattributed_book + 1;
        else if (full) lost = lost + 1;
        else places = places + 1;
        next = cycle + period;
        togo = period + 1;
        if (number != 0) of_events = of_events + 1;
      end
      if (number != 0 && counts) togo = togo - 1;
      if (retired) begin
        if (places - known > longest) longest = places - known;
        while (known < places) begin
          samples[(first+known)%ROOM] = {pc[31:1], 1'b0};
          accesses[(first+known)%ROOM] = {14'd0, writes_mem, reads_mem, 7'd0, thread};
          addresses[(first+known)%ROOM] = address;
          since[(first+known)%ROOM] = cycle;
          known = known + 1;
        end
      end
      if (sel && write && addr == `GNOMON_TAGS_SAMPLE_PERIOD) begin
        period = wdata;
        next = cycle + period;
        togo = period;
      end
      was_number = number;
      if (sel && write && addr == `GNOMON_TAGS_SAMPLE_EVENT) begin
        number = wdata[`GNOMON_TAGS_SAMPLE_EVENT_NUMBER];
        wide = wdata[`GNOMON_TAGS_SAMPLE_EVENT_WIDE];
        next = cycle + period;
        togo = period;
        part = 0;
      end
      if (rst) {period, number, wide} = 0;
      if (hart_rst) begin
        next = cycle + 1 + period; // the next cycle may be cycle 0
        togo = period;
      end
      if (clear || hart_rst) begin
        known = 0;
        places = 0;
        part = 0;
        losses = losses + lost;
        unattributeds = unattributeds + unattributed_book;
        lost = 0;
        unattributed_book = 0;
      end
      cycle = cycle + 1;
    end
  endtask
  always @(posedge look) book;
  task tick; // a cycle
    begin
      @(negedge clk);
      {sel, write, clear} = 0;
      happened = happening;
      happening = {$urandom, $urandom} & {$urandom, $urandom};
    end
  endtask
  task set_event(input [31:0] value);
    begin
      {sel, write, addr, wdata} = {2'b11, 12'd0, value};
      addr = `GNOMON_TAGS_SAMPLE_EVENT;
      tick;
    end
  endtask
  task set_period(input [31:0] value);
    begin
      {sel, write, addr, wdata} = {2'b11, 12'd0, value};
      addr = `GNOMON_TAGS_SAMPLE_PERIOD;
      tick;
    end
  endtask

  integer busy, reading, slow;
  initial begin
    {cycle, next, lost, unattributed_book, period, number, was_number, wide, togo} = 0;
    part = 0;
    {first, known, places} = 0;
    run = -1;
    n = 0;
    tick;
    tick;
    rst = 0;
    for (run = 0; run < RUNS; run = run + 1) begin
      n = 0;
      if (run % 4 != 3) set_period(run % 3 == 0 ? 16 : run % 3 == 1 ? $urandom_range(300) : $urandom_range(40));
      // Half of the runs are of cycles, as after power-on.
      if (run % 2 == 1) set_event((run % 8 == 7 ? 0 : 1 + $urandom_range(62)) | (run % 4 == 1) << 8);
      repeat (40) tick;
      hart_rst = 0;
      busy = run % 5 == 0 ? 2 : run % 5 == 1 ? 95 : 40;
      reading = run % 4; // slower than new samples, or not at all; then all at once
      slow = 0;
      for (n = 0; n < CYCLES; n = n + 1) begin
        if (run % 6 == 5 && n % 8000 == 0) slow = 4000; // a wait of many samples
        retired = slow == 0 && $urandom_range(99) < busy;
        unattributed = !retired && $urandom_range(9) == 0;
        if (slow != 0) slow = slow - 1;
        pc = $urandom;
        thread = $urandom;
        address = $urandom;
        {reads_mem, writes_mem} = $urandom;
        sel = $urandom_range(reading == 0 || n % 10000 > 8000 ? 1 : 100 * reading) == 0;
        addr = $urandom_range(3) == 0 ? 12'h0C0 + 4 * $urandom_range(15) : WINDOW + 4 * $urandom_range(255);
        if ($urandom_range(4000) == 0) begin
          {sel, write} = 2'b11;
          addr = $urandom_range(1) == 0 ? 12'h0C0 : $urandom_range(1) == 0 ? 12'h0C4 : WINDOW;
          wdata = $urandom_range(2) == 0 ? $urandom_range(4) : $urandom_range(200);
          if (addr == 12'h0C4) wdata = {wide, 2'd0, number == 0 ? 6'd0 : wdata[5:0]};
        end
        clear = $urandom_range(9000) == 0;
        tick;
      end
      retired = 0;
      for (n = 0; n < 2 * ROOM; n = n + 1) begin
        sel = 1;
        addr = n % 16 == 0 ? 12'h0C8 : WINDOW + 4 * (n % 256);
        tick;
      end
      hart_rst = 1;
      if (run % 2 == 1) set_event(0);
      clear = run % 2;
      tick;
      for (n = 0; n < 20; n = n + 1) begin
        sel = 1;
        addr = n % 4 == 3 ? WINDOW : 12'h0C0 + 4 * (n % 4);
        tick;
      end
    end
    if (of_events < 1000 || in_parts < 500 || taken < 1000 || losses < 100 || unattributeds < 100 || longest < 100) begin
      errors = errors + 1;
      $display("too little has happened");
    end
    $display("%0d samples taken, %0d of events, %0d in parts, %0d lost, %0d unattributed, up to %0d for one instruction", taken, of_events, in_parts,
             losses, unattributeds, longest);
    if (errors == 0) $display("sampler: good, %0d runs", RUNS);
    if (errors != 0) $fatal(1, "sampler: %0d errors", errors);
    $finish;
  end
endmodule

`default_nettype wire
