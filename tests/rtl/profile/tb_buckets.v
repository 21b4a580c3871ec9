// SPDX-License-Identifier: Apache-2.0
// gnomon_buckets at its full pace, with calls of all lengths up to 2^48 cycles, against reference sums. It reaches the
// cases that random programs of simulated length do not reach: the upper buckets and the limits of the sums. Reads of
// buckets come in between.
`timescale 1ns / 1ps
`default_nettype none

module tb_buckets;
  localparam BITS = 6, LOG2 = 3, CALLS = 60000;
  reg clk = 0, rst = 1, add = 0, show = 0;
  always #5 clk = !clk;
  reg [BITS-1:0] number = 0, which = 0;
  reg [47:0] cycles = 0;
  reg [4:0] bucket = 0;
  wire cleared, busy;
  reg [3:0] place = 0;
  wire [31:0] shown;
  reg [31:0] words[0:15];
  wire [39:0] calls = {words[2][7:0], words[1]};
  wire [47:0] total = {words[6][15:0], words[5]};
  wire [79:0] squares = {words[14][15:0], words[13], words[12]};
  wire [255:0] others = {words[0], words[3], words[4], words[7], words[8], words[9], words[10], words[11]};
  gnomon_buckets #(
    .NUMBER_BITS(BITS), .FUNCTIONS_LOG2(LOG2)
  ) dut (
    .clk_i(clk), .hart_rst_i(rst), .clear_i(rst), .cleared_o(cleared), .epoch_i(31'd0), .add_i(add), .number_i(number),
    .cycles_i(cycles), .busy_o(busy), .show_i(show), .which_i(which), .bucket_i(bucket), .place_i(place),
    .shown_o(shown)
  );

  // The reference model.
  localparam PLACES = 32 << LOG2;
  reg [39:0] m_calls[0:PLACES-1];
  reg [47:0] m_total[0:PLACES-1];
  reg [79:0] m_squares[0:PLACES-1];
  integer errors = 0, seen = 0, full_totals = 0, full_squares = 0, i, k, at, wait_cycles;
  reg [127:0] sum;
  reg [47:0] length;

  task book;
    begin
      k = 0;
      for (i = 1; i < 48; i = i + 1) if (length >= (48'd1 << i)) k = i;
      at = number * 32 + (k > 31 ? 31 : k);
      m_calls[at] = m_calls[at] + 1;
      sum = m_total[at];
      sum = sum + length;
      m_total[at] = sum >> 48 != 0 ? {48{1'b1}} : sum;
      sum = length;
      sum = m_squares[at] + sum * sum;
      m_squares[at] = sum >> 80 != 0 || length >> 36 != 0 ? {80{1'b1}} : sum;
    end
  endtask

  task look;
    begin
      while (busy) @(negedge clk);
      @(negedge clk) show = 1;
      for (i = 0; i < 15; i = i + 1) begin
        place = i;
        @(negedge clk) words[i] = shown;
      end
      show = 0;
      #1;
      at = which * 32 + bucket;
      seen = seen + 1;
      if (others != 0) errors = errors + 1;
      if (which >= 1 << LOG2 ? {calls, total, squares} !== 168'd0 : {calls, total, squares} !== {m_calls[at], m_total[at], m_squares[at]}) begin
        errors = errors + 1;
        if (errors < 10) $display("FAIL: function %0d, bucket %0d: %h %h %h, not %h %h %h", which, bucket, calls, total, squares, m_calls[at], m_total[at], m_squares[at]);
      end
    end
  endtask

  initial begin
    repeat (2) begin
      @(negedge clk) rst = 1;
      for (i = 0; i < PLACES; i = i + 1) {m_calls[i], m_total[i], m_squares[i]} = 168'd0;
      repeat (4) @(negedge clk);
      rst = 0;
      while (!cleared) @(negedge clk);
      repeat (CALLS) begin
        length = {$random, $random} >> ($random & 63);
        if ($random & 1) length = length >> 12;
        number = $random;
        if ($random & 1) number = number & ((1 << LOG2) - 1);
        if (number[0]) length = length & 48'hFFFFFFFFF; // so that only their squares overflow
        cycles = length;
        add = 1;
        @(negedge clk) add = 0;
        wait_cycles = ($random & 7) ? 1 : 1 + ($random & 7);
        if (number >> LOG2 == 0) book;
        if (($random & 15) == 0) begin // reads the bucket of this call, when it is about to be written
          which = number;
          bucket = at;
          @(negedge clk);
          look;
        end
        while (busy) @(negedge clk);
        repeat (wait_cycles) @(negedge clk);
        if (($random & 31) == 0) begin
          repeat (2) @(negedge clk);
          which = $random & ((2 << LOG2) - 1);
          bucket = $random;
          @(negedge clk);
          look;
        end
      end
      repeat (4) @(negedge clk);
      for (which = 0; which < 1 << LOG2; which = which + 1)
        for (k = 0; k < 32; k = k + 1) begin
          bucket = k;
          @(negedge clk);
          look;
          full_totals = full_totals + &total;
          full_squares = full_squares + &squares;
        end
    end
    $display("%0d buckets read, %0d wrong; %0d full totals, %0d full squares", seen, errors, full_totals, full_squares);
    if (errors != 0 || full_totals == 0 || full_squares <= full_totals) $fatal(1, "buckets");
    $finish;
  end
endmodule

`default_nettype wire
