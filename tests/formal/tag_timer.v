// SPDX-License-Identifier: Apache-2.0
// A timer counts and sums its intervals as docs/internals/tags.md defines, for all actions in all cycles. A threshold
// is passed exactly in the cycle in which the interval reaches it.
`default_nettype none

module tag_timer #(
    parameter WIDTH = 5,
    parameter SUM   = 8
) (
    input wire        clk_i, rst_i, clear_i, time_i,
    input wire [ 1:0] act_i, word_act_i,
    input wire        set_i, set_running_i,
    input wire [ 3:0] step_write_i,
    input wire [WIDTH-1:0] wdata_i
);
  wire running;
  wire [3:0] passed;
  wire [WIDTH-1:0] intervals, last, shortest, longest, elapsed;
  wire [SUM-1:0] cycles, total;
  wire [4*WIDTH-1:0] steps;
  gnomon_tag_timer #(
    .WIDTH(WIDTH), .SUM(SUM)
  ) u_timer (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear_i), .time_i(time_i), .act_i(act_i), .word_act_i(word_act_i),
    .set_i(set_i), .set_running_i(set_running_i), .step_write_i(step_write_i), .wdata_i(wdata_i), .running_o(running),
    .passed_o(passed), .intervals_o(intervals), .cycles_o(cycles), .last_o(last), .shortest_o(shortest),
    .longest_o(longest), .elapsed_o(elapsed), .f_total_o(total), .steps_o(steps)
  );

  // One action after the other. Time passes before the first one.
  reg on;
  reg [SUM-1:0] length, sum; // of the running interval; of all ended intervals
  reg [WIDTH-1:0] many;
  wire [SUM-1:0] now = length + {{(SUM - 1) {1'b0}}, on && time_i};
  reg n_on;
  reg [SUM-1:0] n_length, n_sum;
  reg [WIDTH-1:0] n_many;
  integer i;
  reg [1:0] what;
  always @* begin
    {n_on, n_length, n_sum, n_many} = {on, now, sum, many};
    for (i = 0; i < 3; i = i + 1) begin
      what = i == 0 ? act_i : i == 1 ? word_act_i : set_i ? {!set_running_i, set_running_i} : 2'd0;
      if (what == 2'd3) what = n_on ? 2'd2 : 2'd1;
      if (what == 2'd1 && !n_on) {n_on, n_length} = {1'b1, {SUM{1'b0}}};
      if (what == 2'd2 && n_on) begin
        n_on = 1'b0;
        n_sum = n_sum + n_length;
        n_many = n_many + {{(WIDTH - 1) {1'b0}}, !(&n_many)};
      end
    end
  end

  reg begun = 1'b0;
  integer k;
  always @(posedge clk_i) begin
    begun <= 1'b1;
    {on, length, sum, many} <= {n_on, n_length, n_sum, n_many};
    if (clear_i) {on, sum, many} <= {1'b0, {SUM + WIDTH{1'b0}}};
    if (!begun) assume (clear_i && rst_i);
    else begin
      assert (running == on && cycles == sum && intervals == many);
      assert (total == sum + (on ? length : {SUM{1'b0}}));
      assert (elapsed == (!on ? {WIDTH{1'b0}} : |now[SUM-1:WIDTH] ? {WIDTH{1'b1}} : now[WIDTH-1:0]));
      for (k = 0; k < 4; k = k + 1)
        assert (passed[k] == (on && time_i && steps[WIDTH*k+:WIDTH] != 0 && now == steps[WIDTH*k+:WIDTH]));
      assume (!length[SUM-1]); // in 48 bits: 27 days at 60 MHz
    end
  end
endmodule

`default_nettype wire
