// SPDX-License-Identifier: Apache-2.0
// One segment of per-address counters: 2^LOG2 counters of 32 bits in their own block RAM, each for a parcel of code or
// a word of data from BASE on. A segment is either for code or for data, so an instruction and its data never use the
// same segment, and there is at most one update a cycle. An update reads a counter, and one cycle later it writes the
// counter plus 1, which the next read includes. So no update waits or is lost.
`default_nettype none

module gnomon_tag_per_address_segment #(
  parameter LOG2 = 9
) (
  input  wire            clk_i,
  input  wire            rst_i,  // power-on: clears the base address

  input  wire            base_write_i,  // the register PER_ADDRESS_BASE
  input  wire [31:0]     wdata_i,
  output wire [31:0]     base_o,

  input  wire            clearing_i,  // clears counter clear_at_i; nothing counts
  input  wire [LOG2-1:0] clear_at_i,

  input  wire [31:1]     parcel_i,
  input  wire [31:2]     word_i,
  output wire            data_o,   // this segment has the counter of the word
  output wire            code_o,   // this segment has the counter of the parcel
  input  wire            count_i,  // that counter counts
  output wire [31:0]     count_o   // one cycle later: the counter before that count
);
  reg [31:2] base;
  reg valid, data;
  always @(posedge clk_i) begin
    if (base_write_i) {base, data, valid} <= wdata_i;
    if (rst_i) {base, data, valid} <= 32'd0;
  end
  assign base_o = {base, data, valid};

  wire [31:1] distance = (data ? {word_i, 1'b0} : parcel_i) - {base, 1'b0};
  assign data_o = valid && data && distance[31:LOG2+2] == 0;
  assign code_o = valid && !data && distance[31:LOG2+1] == 0;
  wire [LOG2-1:0] index = data ? distance[LOG2+1:2] : distance[LOG2:1];

  (* no_rw_check *) reg [31:0] counters[0:(1<<LOG2)-1];
  reg [31:0] found, latest;
  reg add, again; // again: the previous cycle wrote the counter that was read, with `latest`
  reg [LOG2-1:0] add_at;
  wire [31:0] present = again ? latest : found;
  wire [31:0] more = present + {31'd0, !(&present)};
  always @(posedge clk_i) begin
    if (add || clearing_i) counters[clearing_i ? clear_at_i : add_at] <= more & {32{!clearing_i}};
    found <= counters[index];
    latest <= more;
    again <= add && add_at == index;
    add <= count_i;
    add_at <= index;
  end
  assign count_o = present;

`ifdef FORMAL
  // Any one counter equals the number of its counts since its clearing. The memory does not yet have a count that is
  // being added.
  (* anyconst *) reg [LOG2-1:0] f_at;
  reg f_known = 1'b0, f_read;
  reg [31:0] f_count, f_stored;
  wire f_adds = add && add_at == f_at;
  always @(posedge clk_i) begin
    f_read <= index == f_at && !clearing_i;
    if (count_i && index == f_at) f_count <= f_count + {31'd0, !(&f_count)};
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
    end
  end
`endif
endmodule

`default_nettype wire
