// SPDX-License-Identifier: Apache-2.0
// 2^LOG2 counters of 32 bits in their own block RAM, of instructions or of words. There is at most one update a cycle:
// it reads a counter, and one cycle later it writes the counter plus 1, which the next read includes. So no update
// waits or is lost.
`default_nettype none

module gnomon_tag_per_address_segment #(
  parameter LOG2 = 9
) (
  input  wire            clk_i,

  input  wire            clearing_i,  // clears counter clear_at_i; nothing counts
  input  wire [LOG2-1:0] clear_at_i,

  input  wire [LOG2-1:0] index_i,
  input  wire            count_i,     // that counter counts
  output wire [31:0]     count_o,     // one cycle later: the counter before that count
  output wire            saturated_o  // one cycle later: it stands at its largest value, and should be larger
);
  (* no_rw_check *) reg [31:0] counters[0:(1<<LOG2)-1];
  reg [31:0] found, latest;
  reg add, again; // again: the previous cycle wrote the counter that was read, with `latest`
  reg [LOG2-1:0] add_at;
  wire [31:0] present = again ? latest : found;
  wire [32:0] sum = {1'b0, present} + 33'd1;
  wire [31:0] more = sum[31:0] | {32{sum[32]}};
  always @(posedge clk_i) begin
    if (add || clearing_i) counters[clearing_i ? clear_at_i : add_at] <= more & {32{!clearing_i}};
    found <= counters[index_i];
    latest <= more;
    again <= add && add_at == index_i;
    add <= count_i;
    add_at <= index_i;
  end
  assign count_o = present;
  assign saturated_o = add && sum[32];

`ifdef FORMAL
  // Any one counter equals the number of its counts since its clearing. The memory does not yet have a count that is
  // being added.
  (* anyconst *) reg [LOG2-1:0] f_at;
  reg f_known = 1'b0, f_read;
  reg [31:0] f_count, f_stored;
  wire f_adds = add && add_at == f_at;
  always @(posedge clk_i) begin
    f_read <= index_i == f_at && !clearing_i;
    if (count_i && index_i == f_at) f_count <= f_count + {31'd0, !(&f_count)};
    if (f_adds) f_stored <= f_count;
    if (clearing_i && clear_at_i == f_at) begin
      f_known <= 1'b1;
      {f_count, f_stored} <= 64'd0;
    end
    // gnomon_tag_per_address clears only after a cycle without counts
    if (clearing_i) assume (!count_i && !add);
    if (f_known) begin
      assert (counters[f_at] == f_stored);
      assert (f_count == f_stored + {31'd0, f_adds && !(&f_stored)});
      if (f_read) assert (present == f_stored);
      if (f_adds) assert (f_read && more == f_count);
      if (f_adds) assert (saturated_o == (&f_stored));
    end
  end
`endif
endmodule

`default_nettype wire
