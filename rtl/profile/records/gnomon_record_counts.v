// SPDX-License-Identifier: Apache-2.0
// The counts of the call aggregator: one distributed RAM with one incrementer. A count has the place {bit 7, bits 4 to
// 2} of its register's address. Events of one cycle are counted one after the other, while busy_o is 1.
`default_nettype none

module gnomon_record_counts (
  input  wire        clk_i,
  input  wire        clear_i,  // sets count after count to 0, by sweep_i, for at least 16 cycles
  input  wire [3:0]  sweep_i,

  // From bit 0 on: aggregated entries; calls without a place; ends that match no open call; untracked entries; the
  // calls without a place that found no frame; calls that the frame of the previous call counts.
  input  wire [5:0]  count_i,
  input  wire        deepest_i,  // the depth has a new maximum
  // Calls whose pair has no place: one, and as many more as more_i says in this cycle and the next three.
  input  wire        arc_overflow_i,
  input  wire [21:0] more_i,
  // No entry may begin. Then no event comes while another one of its kind waits, if there is an arc_overflow_i in six
  // cycles at most, and a read in every other cycle at most.
  output wire        busy_o,

  input  wire        read_i,
  input  wire [3:0]  which_i,
  output wire [31:0] count_o  // in the cycle of read_i
);
  localparam [3:0] AGGREGATED_LO = 4'd1, AGGREGATED_HI = 4'd2, OVERFLOW = 4'd3, UNBALANCED = 4'd4, UNTRACKED = 4'd5,
      ARC_OVERFLOW = 4'd7, DEEP = 4'd12, REPEATED = 4'd13, DEEPEST = 4'd14;
  (* no_rw_check, ram_style = "distributed" *) reg [31:0] counts[0:15];
  // The host may read before the first clearing. Places without a count must then be 0: other registers' addresses lead
  // to them, too.
  integer i;
  initial for (i = 0; i < 16; i = i + 1) counts[i] = 32'd0;
  reg [7:0] waiting;
  reg upper; // the lower half of the first count has become 0
  reg [3:0] next, at;
  reg [7:0] served;
  always @* begin
    served = 8'd0;
    next = AGGREGATED_HI;
    if (clear_i) next = sweep_i;
    else if (upper);
    else if (waiting[7]) {next, served[7]} = {ARC_OVERFLOW, 1'b1};
    else if (waiting[6]) {next, served[6]} = {DEEPEST, 1'b1};
    else if (waiting[0]) {next, served[0]} = {AGGREGATED_LO, 1'b1};
    else if (waiting[5]) {next, served[5]} = {REPEATED, 1'b1};
    else if (waiting[4]) {next, served[4]} = {DEEP, 1'b1};
    else if (waiting[3]) {next, served[3]} = {UNTRACKED, 1'b1};
    else if (waiting[2]) {next, served[2]} = {UNBALANCED, 1'b1};
    else {next, served[1]} = {OVERFLOW, 1'b1};
  end
  reg write, carry;
  reg [31:0] value;
  reg [21:0] more;
  initial {write, upper, waiting} = 10'd0; // nothing is written before the first clearing
  wire hold = read_i || (write && next == at); // the count is still being written
  wire [7:0] left = waiting & ~(served & {8{!hold}});
  assign busy_o = |left[6:0] || deepest_i || upper;
  assign count_o = counts[read_i ? which_i : next];
  always @(posedge clk_i) begin
    waiting <= {arc_overflow_i, deepest_i, count_i} | left;
    more <= more_i;
    write <= clear_i || ((|waiting || upper) && !hold);
    at <= next;
    {carry, value} <= {1'b0, count_o} + {11'd0, more & {22{served[7]}}} + 33'd1;
    if (write) counts[at] <= value;
    upper <= (upper && hold) || (write && carry && at == AGGREGATED_LO);
    if (clear_i) begin
      waiting <= 8'd0;
      upper <= 1'b0;
      value <= 32'd0;
    end
  end
endmodule

`default_nettype wire
