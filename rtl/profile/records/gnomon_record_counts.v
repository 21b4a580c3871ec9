// SPDX-License-Identifier: Apache-2.0
// The counts of the call aggregator: one distributed RAM with one incrementer. A count has the place {bit 7, bits 4 to
// 2} of its register's address. Events of one cycle are counted one after the other, while busy_o is 1.
`default_nettype none

module gnomon_record_counts (
  input  wire        clk_i,
  input  wire        clear_i,  // sets count after count to 0, by sweep_i, for at least 16 cycles
  input  wire [3:0]  sweep_i,

  // From bit 0 on: aggregated entries; calls without a place; ends that match no open call; untracked entries; the
  // calls without a place that found no frame; calls that the frame of the previous call counts. While busy_o is 1, an
  // event of the same kind must not begin.
  input  wire [5:0]  count_i,
  output wire        busy_o,

  input  wire        read_i,
  input  wire [3:0]  which_i,
  output wire [31:0] count_o  // in the cycle of read_i
);
  localparam [3:0] AGGREGATED_LO = 4'd1, AGGREGATED_HI = 4'd2, OVERFLOW = 4'd3, UNBALANCED = 4'd4, UNTRACKED = 4'd5,
      DEEP = 4'd12, REPEATED = 4'd13;
  (* no_rw_check, ram_style = "distributed" *) reg [31:0] counts[0:15];
  reg [5:0] waiting;
  reg upper; // the lower half of the first count has become 0
  reg [3:0] next, at;
  reg [5:0] served;
  always @* begin
    served = 6'd0;
    next = AGGREGATED_HI;
    if (clear_i) next = sweep_i;
    else if (upper);
    else if (waiting[5]) {next, served[5]} = {REPEATED, 1'b1};
    else if (waiting[4]) {next, served[4]} = {DEEP, 1'b1};
    else if (waiting[3]) {next, served[3]} = {UNTRACKED, 1'b1};
    else if (waiting[2]) {next, served[2]} = {UNBALANCED, 1'b1};
    else if (waiting[1]) {next, served[1]} = {OVERFLOW, 1'b1};
    else {next, served[0]} = {AGGREGATED_LO, 1'b1};
  end
  wire [5:0] left = waiting & ~(served & {6{!read_i}});
  assign busy_o = |left || upper;
  assign count_o = counts[read_i ? which_i : next];
  reg write, carry;
  reg [31:0] value;
  always @(posedge clk_i) begin
    waiting <= count_i | left;
    write <= clear_i || ((|waiting || upper) && !read_i);
    at <= next;
    {carry, value} <= {1'b0, count_o} + 33'd1;
    if (write) counts[at] <= value;
    if (!read_i) upper <= write && carry && at == AGGREGATED_LO;
    if (clear_i) begin
      waiting <= 6'd0;
      upper <= 1'b0;
      value <= 32'd0;
    end
  end
endmodule

`default_nettype wire
