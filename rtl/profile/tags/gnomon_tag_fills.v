// SPDX-License-Identifier: Apache-2.0
// Fills of tagged lines (docs/internals/tags.md): a cache fetches a line from main memory, and a word of the line has a
// tag: of an instruction for the instruction cache, as data for the data cache. A cache says when a fill begins; its
// next read on the bus is of that line, and gives the address. Lines wait in a queue and are looked up word by word in
// cycles that the shadow memory's second port has free. Each word of a fill and each store takes a cycle of the bus and
// a cycle of that port. So the queue fills only as far as stores retire before they are on the bus.
//
// CACHE = 1: the tag caches say when the last shadow word of a line has come, and which line it is. Lines that are
// filled from the shadow take the same way as all others, so that the events keep their order.
`default_nettype none

module gnomon_tag_fills #(
  parameter LINE_LOG2 = 3, // log2 of a line's words
  parameter CACHE = 0
) (
  input  wire        clk_i,
  input  wire        clear_i,   // forgets all lines
  input  wire        enable_i,

  input  wire        code_i, data_i,  // the instruction cache, the data cache begins a fill
  input  wire        mon_valid_i,     // the bus takes a request
  input  wire [1:0]  mon_master_i,
  input  wire        mon_write_i,
  input  wire [31:2] mon_addr_i,

  // With CACHE: the shadow words of a line have come, for the instruction cache, for the data cache.
  input  wire        code_filled_i, data_filled_i,
  input  wire [31:2] filled_line_i,
  input  wire        filled_tagged_i,  // they have a tag

  // The word to look up; until it is taken. One cycle later: it has a tag.
  output wire        valid_o,
  output wire        data_o,    // the tag as data counts, else those of instructions
  output wire [31:2] address_o,
  output wire        shadowed_o,  // with CACHE: the line has a tag in the shadow
  input  wire        taken_i,
  input  wire        tagged_i,

  output reg         filled_o,    // pulse: a line with a tag has been filled
  output reg  [31:2] filled_at_o, // its first word
  output wire        missed_o     // pulse: there was no room for a line
);
  localparam [1:0] INSTRUCTION = 2'd0, DATA = 2'd1; // masters of the bus
  localparam L = LINE_LOG2;
  reg code_begins, data_begins;
  wire read = mon_valid_i && !mon_write_i;
  wire code_reads = code_begins && read && mon_master_i == INSTRUCTION;
  wire data_reads = data_begins && read && mon_master_i == DATA;
  wire code = CACHE != 0 ? code_filled_i : code_reads, data = CACHE != 0 ? data_filled_i : data_reads;
  wire [31:2] begun = CACHE != 0 ? filled_line_i : mon_addr_i;
  always @(posedge clk_i) begin
    code_begins <= !clear_i && (code_i || (code_begins && !code_reads));
    data_begins <= !clear_i && (data_i || (data_begins && !data_reads));
  end

  // Only half of the queue is used: four lines.
  wire half, last;
  wire push = (code || data) && enable_i;
  wire [31:2+L] line;
  assign missed_o = push && half;
`ifdef FORMAL
  wire [3:0] f_level;
`endif
  gnomon_tag_queue #(
    .WIDTH(32 - L), .LOG2(3)
  ) u_queue (
      .clk_i(clk_i),
      .clear_i(clear_i),
      .push_i(push && !half),
      .word_i({CACHE != 0 && filled_tagged_i, data, begun[31:2+L]}),
      .valid_o(valid_o),
      .word_o({shadowed_o, data_o, line}),
`ifdef FORMAL
      .f_level_o(f_level),
`endif
      .pop_i(taken_i && last),
      .half_o(half)
  );

  reg [L-1:0] word;
  reg looked, looked_last, some; // the answer comes; it is the line's last; an earlier word of the line has a tag
  reg [31:2+L] looked_line;
  assign last = &word;
  assign address_o = {line, word};
  wire unused = &{1'b0, begun[1+L:2], mon_addr_i, filled_line_i, filled_tagged_i, code_filled_i, data_filled_i};
  wire found = looked && (tagged_i || some);
  always @(posedge clk_i) begin
    word <= word + {{(L - 1) {1'b0}}, taken_i};
    {looked, looked_last} <= {taken_i, last};
    looked_line <= line;
    if (looked) some <= found && !looked_last;
    filled_o <= found && looked_last;
    if (found && looked_last) filled_at_o <= {looked_line, {L{1'b0}}};
    if (clear_i) {word, looked, some, filled_o, filled_at_o} <= {(L + 33) {1'b0}};
  end
endmodule

`default_nettype wire
