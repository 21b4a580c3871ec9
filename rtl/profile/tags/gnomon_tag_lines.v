// SPDX-License-Identifier: Apache-2.0
// The shadow words of the lines that a cache holds or held (docs/internals/tags.md, "Tag caches"). The words of a line
// come one after the other with its fill, before its own words. They are written together with the last one, so a
// lookup finds all or none. Each line number has 2^WAYS_LOG2 lines, the last ones with this number: instructions retire
// later than they are fetched, so the cache may already have another line.
`default_nettype none

module gnomon_tag_lines #(
  parameter LINES_LOG2 = 8, // log2 of the cache's lines
  parameter UPPER = 11,     // bits of a line's address above the line number
  parameter BEATS = 1,      // shadow words of a line, 1 or 2
  parameter WAYS_LOG2 = 0   // more than 0 only with 2 BEATS
) (
  input  wire                  clk_i,
  input  wire                  clear_i,  // forgets all lines, in as many cycles after it falls

  input  wire                  beat_i,   // a shadow word comes
  input  wire [UPPER+LINES_LOG2-1:0] line_i,
  input  wire [31:0]           word_i,
  output wire                  filled_o, // with beat_i: it is the line's last one
  output wire                  tagged_o, // with filled_o: one of its words is not 0

  input  wire [UPPER+LINES_LOG2-1:0] find_i,
  output wire                  known_o,  // one cycle later
  output wire [32*BEATS-1:0]   words_o
);
  localparam L = LINES_LOG2, WAYS = 1 << WAYS_LOG2;
  reg clearing;
  reg [L-1:0] clear_at;
  wire [L-1:0] line = line_i[L-1:0];
  wire [32*BEATS-1:0] words;
  always @(posedge clk_i) begin
    if (clearing) clear_at <= clear_at + 1'b1;
    if (&clear_at) clearing <= 1'b0;
    if (clear_i) begin
      clearing <= 1'b1;
      clear_at <= {L{1'b0}};
    end
  end

  generate
    if (BEATS == 1) begin : g_one
      assign filled_o = beat_i;
      assign words = word_i;
    end else begin : g_two
      reg second;
      reg [31:0] first;
      always @(posedge clk_i) begin
        second <= (second ^ beat_i) && !clear_i;
        if (!second) first <= word_i;
      end
      assign filled_o = beat_i && second;
      assign words = {word_i, first};
    end
  endgenerate
  assign tagged_o = |words;

  // The way of the line: the one after the last one with this number. It is read with the line's first word.
  wire [WAYS-1:0] to;
  wire [L-1:0] find = find_i[L-1:0], at = clearing ? clear_at : line;
  generate
    if (WAYS_LOG2 == 0) begin : g_way
      assign to = 1'b1;
    end else begin : g_ways
      (* no_rw_check *) reg [WAYS_LOG2-1:0] turns[0:(1<<L)-1];
      reg [WAYS_LOG2-1:0] turn;
      always @(posedge clk_i) begin
        if (beat_i && !filled_o) turn <= turns[line];
        if (clearing || filled_o) turns[at] <= clearing ? {WAYS_LOG2{1'b0}} : turn + 1'b1;
      end
      assign to = {{(WAYS - 1) {1'b0}}, 1'b1} << turn;
    end
  endgenerate

  localparam WIDTH = 32 * BEATS + UPPER + 1;
  reg [UPPER-1:0] upper;
  always @(posedge clk_i) upper <= find_i[L+:UPPER];
  wire [WAYS-1:0] hit;
  wire [32*BEATS*WAYS-1:0] found;
  genvar w;
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : g_lines
      (* no_rw_check *) reg [WIDTH-1:0] lines[0:(1<<L)-1];
      reg [WIDTH-1:0] entry;
      reg changes;  // the entry was being written when it was read, or all are
      wire write = clearing || (filled_o && to[w]);
      always @(posedge clk_i) begin
        entry <= lines[find];
        if (write) lines[at] <= {!clearing, line_i[L+:UPPER], words};
        changes <= clearing || (write && at == find);
      end
      assign hit[w] = !changes && entry[WIDTH-1] && entry[32*BEATS+:UPPER] == upper;
      assign found[32*BEATS*w+:32*BEATS] = entry[32*BEATS-1:0] & {(32 * BEATS) {hit[w]}};
    end
  endgenerate
  assign known_o = |hit;

  // Two ways have the same line only after fence.i, and then the same words.
  reg [32*BEATS-1:0] all;
  integer k;
  always @* begin
    all = {(32 * BEATS) {1'b0}};
    for (k = 0; k < WAYS; k = k + 1) all = all | found[32*BEATS*k+:32*BEATS];
  end
  assign words_o = all;
endmodule

`default_nettype wire
