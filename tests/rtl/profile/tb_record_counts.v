// SPDX-License-Identifier: Apache-2.0
// The counts of the call aggregator against plain counters: events as close to each other as the aggregator makes them,
// reads in any cycle, and the carry from the lower half of the first count to the upper one.
`timescale 1ns / 1ns
`default_nettype none

module tb_record_counts;
  localparam integer CYCLES = 400000;
  localparam integer ARC_GAP = 6, ARC_STABLE = 3; // between two calls without a place for their pair, in cycles
  localparam integer AGGREGATED = 0, OVERFLOW = 1, UNBALANCED = 2, UNTRACKED = 3, DEEP = 4, REPEATED = 5, DEEPEST = 6,
      ARC = 7;

  reg clk = 0, clear = 1, read = 0;
  reg [3:0] sweep = 0, which = 0;
  reg [7:0] events = 0;
  reg [21:0] more = 0;
  wire busy;
  wire [31:0] count;
  gnomon_record_counts dut (
    .clk_i(clk), .clear_i(clear), .sweep_i(sweep), .count_i(events[5:0]),
    .deepest_i(events[6]), .arc_overflow_i(events[7]), .more_i(more), .busy_o(busy), .read_i(read),
    .which_i(which), .count_o(count)
  );

  reg [63:0] expected[0:7]; // by kind
  reg [7:0] later[0:2];     // events of the next cycles
  integer i, k, n, seed = 1, gap = 0, arc_wait = 0, reads = 0, wrong = 0, entries = 0;

  task step;
    begin
      #1 clk = 1;
      #1 clk = 0;
    end
  endtask

  function integer chance(input integer percent);
    chance = ($unsigned($random(seed)) % 100) < percent;
  endfunction

  task check(input [3:0] at, input [31:0] want);
    begin
      read = 1;
      which = at;
      #1 reads = reads + 1;
      if (count !== want) begin
        wrong = wrong + 1;
        $display("FAIL: count %0d is %h, not %h", at, count, want);
      end
      step;
      read = 0;
    end
  endtask

  task check_all;
    begin
      check(4'd1, expected[0][31:0]);
      check(4'd2, expected[0][63:32]);
      check(4'd3, expected[1][31:0]);
      check(4'd4, expected[2][31:0]);
      check(4'd5, expected[3][31:0]);
      check(4'd12, expected[4][31:0]);
      check(4'd13, expected[5][31:0]);
      check(4'd14, expected[6][31:0]);
      check(4'd7, expected[7][31:0]);
      check(4'd0, 32'd0);
      check(4'd6, 32'd0);
      check(4'd15, 32'd0);
    end
  endtask

  initial begin
    for (i = 0; i < 8; i = i + 1) expected[i] = 64'd0;
    for (i = 0; i < 3; i = i + 1) later[i] = 8'd0;
    for (i = 0; i < 20; i = i + 1) begin
      sweep = i;
      step;
    end
    clear = 0;
    step;
    for (i = 0; i < CYCLES; i = i + 1) begin
      read = chance(i % 1000 < 500 ? 5 : 40) && !read; // a bus reads at most every other cycle
      which = $random(seed);
      events = later[0];
      {later[0], later[1], later[2]} = {later[1], later[2], 8'd0};
      #1;
      // An entry begins; its events come up to two cycles later, and then the next entry can begin.
      if (gap != 0) gap = gap - 1;
      else if (!busy && chance(i % 3000 < 2000 ? 95 : 40)) begin
        events[AGGREGATED] = 1;
        entries = entries + 1;
        gap = 1;
        case ($unsigned($random(seed)) % 6)
          0, 1: later[1][DEEPEST] = chance(70);  // a call gets a frame
          2: begin // a call in a subtree without frames
            {events[OVERFLOW], events[DEEP]} = 2'b11;
            later[0][DEEPEST] = chance(70);
          end
          3: begin // a call that was not repeated, and has no place
            gap = 3;
            later[1][OVERFLOW] = 1;
          end
          4: if (chance(50)) events[UNTRACKED] = 1;
          else begin
            gap = 3;
            later[1][UNBALANCED] = 1;
          end
          default: begin
            later[0][REPEATED] = 1;
            later[1][DEEPEST] = chance(70);
          end
        endcase
      end
      if (arc_wait <= ARC_GAP - 1 - ARC_STABLE) more = $random(seed);
      events[ARC] = arc_wait == 0 && chance(50);
      if (events[ARC]) more = chance(50) ? 22'd0 : $random(seed);
      arc_wait = events[ARC] ? ARC_GAP - 1 : arc_wait - (arc_wait != 0);
      if (events[7]) expected[7] = expected[7] + more + 1;
      for (k = 0; k < 7; k = k + 1) if (events[k]) expected[k] = expected[k] + 1;
      step;
      // The lower half of the first count wraps often.
      if (i % 16 == 0 && events == 0 && dut.waiting == 0 && !dut.write && !dut.upper) begin
        dut.counts[1] = 32'hFFFFFFFF;
        expected[0][31:0] = 32'hFFFFFFFF;
      end
      if (i % 1000 == 999) begin
        {events, read} = 9'd0;
        // What the last entry still makes.
        for (k = 0; k < 20; k = k + 1) begin
          events = later[0];
          {later[0], later[1], later[2]} = {later[1], later[2], 8'd0};
          for (n = 0; n < 7; n = n + 1) if (events[n]) expected[n] = expected[n] + 1;
          step;
        end
        check_all;
      end
    end
    $display("%0d entries, %0d reads, %0d wrong", entries, reads, wrong);
    if (wrong != 0) $fatal(1, "counts");
    $finish;
  end
endmodule

`default_nettype wire
