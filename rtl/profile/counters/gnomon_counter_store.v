// SPDX-License-Identifier: Apache-2.0
// N wide counters in little logic. Events may wait: an instruction that retires later decides whether they count.
// Flip-flops hold the lower LOW bits at full rate. Two words of a memory hold the rest: the count, and the count with
// all waiting events. One adder visits one counter a cycle, in turn, and brings its words up to date. An access takes
// one cycle of this round. Each counter equals a plain counter of WIDTH bits, as long as a round takes at most PATIENCE
// cycles (`make test-formal-profile`, docs/internals/profile.md, "The counter store"); else starved_o says so.
//
// How a word is used: the flip-flops go round and round, and a word is stored with their state at that moment. What
// they have counted since then is the difference. There must be less than 2^LOW events between two uses of a word,
// which is at most the time of three rounds.
`default_nettype none

module gnomon_counter_store #(
  parameter N        = 6,   // at most 2^INDEX
  parameter LOW      = 8,
  parameter WIDTH    = 64,  // even
  parameter INDEX    = 4,   // bits of a counter's number
  parameter PATIENCE = 84   // 3 * PATIENCE + 3 is below 2^LOW
) (
  input  wire               clk_i,
  input  wire               hold_i,  // nothing counts; the first such cycle clears all counters

  // Of each counter. clear_i: it is 0 in the next cycle, and nothing waits. settle_i: the events that wait and that of
  // this cycle count, if pay_i is set, or else are discarded. Without settle_i they wait.
  input  wire [N-1:0]       clear_i, event_i, settle_i, pay_i,

  // An access. One cycle later count_o is the counter at the start of that cycle. With write_i (lower half, upper
  // half), the counter's half is wdata_i in that cycle. A write discards events that wait; a write of the lower half
  // also discards what this cycle counts.
  input  wire               access_i,
  input  wire [INDEX-1:0]   index_i,
  input  wire [1:0]         write_i,
  input  wire [WIDTH/2-1:0] wdata_i,
  output wire [WIDTH-1:0]   count_o,

  output wire [N-1:0]       wrap_o,    // the counter has wrapped since the visit before this one
  output wire               starved_o  // the round takes too long: every counter may be wrong from now on
`ifdef FORMAL
  , output wire [N*(2*WIDTH+4*LOW+4)-1:0] f_words_o
  , output wire [INDEX-1:0] f_scan_o, f_at_o
  , output wire [2+WIDTH/2:0] f_access_o // of the previous cycle
  , output wire [LOW-1:0] f_age_o
  , output wire [N-1:0] f_visits_o
`endif
);
  localparam HALF = WIDTH / 2;
  localparam [31:0] LAST = N - 1, MOST = PATIENCE;

  // The visited counter. An access of the previous cycle goes first.
  reg [INDEX-1:0] scan, at;
  reg [LOW-1:0] age; // cycles since the round began
  reg accessed;
  reg [1:0] writes;
  reg [HALF-1:0] wdata;
  wire round = !access_i && scan == LAST[INDEX-1:0];
  assign starved_o = age == MOST[LOW-1:0];
  always @(posedge clk_i) begin
    at <= access_i ? index_i : scan;
    accessed <= access_i;
    writes <= write_i & {2{access_i}};
    wdata <= wdata_i;
    if (!access_i) scan <= scan + 1'b1;
    if (!starved_o) age <= age + 1'b1;
    if (round || hold_i) {scan, age} <= {(INDEX + LOW) {1'b0}};
  end

  // The flip-flops of each counter. `all` runs ahead of `paid` by the events that wait.
  wire [N-1:0] visit;
  reg [N-1:0] settled;  // events have counted or were discarded since the last visit
  reg [N-1:0] first;    // the first of them counted
  reg [N-1:0] kept;     // the words in the memory are valid; else both are 0
  reg [LOW-1:0] low;    // of the visited counter: the state of the flip-flops to which the visit goes
  wire [N*LOW-1:0] lows;
  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_counter
      localparam [31:0] NUMBER = i;
      reg [LOW-1:0] all, paid;
      wire written = access_i && |write_i && index_i == NUMBER[INDEX-1:0];
      wire replaced = hold_i || (written && write_i[0]);
      wire settles = settle_i[i] || written || hold_i;
      wire pays = pay_i[i] && !replaced;
      wire [LOW-1:0] sum = all + {{(LOW - 1) {1'b0}}, event_i[i] && !replaced};
      always @(posedge clk_i) begin
        all <= settles && !pays ? paid : sum;
        if (settles && pays) paid <= sum;
        if (clear_i[i]) {all, paid} <= {2 * LOW{1'b0}};
      end

      assign visit[i] = at == NUMBER[INDEX-1:0];
      wire open = settled[i] && !visit[i];
      always @(posedge clk_i) begin
        settled[i] <= settles || clear_i[i] || open;
        if (!open) first[i] <= pays;
        kept[i] <= !clear_i[i] && (kept[i] || visit[i]);
      end
      assign lows[LOW*i+:LOW] = (settled[i] || accessed ? paid : all) & {LOW{visit[i]}};
`ifdef FORMAL
      localparam WORDS = 2 * WIDTH + 4 * LOW + 4;
      assign f_words_o[WORDS*i+:WORDS] = {counts[i] & {(WIDTH + LOW) {kept[i]}},
          open_counts[i] & {(WIDTH + LOW + 1) {kept[i]}}, all, paid, settled[i], first[i], kept[i]};
      assign f_visits_o[i] = visit[i] && (settled[i] || !accessed);
`endif
    end
  endgenerate
  integer k;
  always @* begin
    low = {LOW{1'b0}};
    for (k = 0; k < N; k = k + 1) low = low | lows[LOW*k+:LOW];
  end

  // The visit. If nothing was settled since the last one, it adds to the word with the waiting events, and a read gets
  // the word without them. Else the first settlement has chosen between the two words, and both become the count.
  // The upper bit of open_counts: the word has wrapped since the count.
  (* ram_style = "distributed" *) reg [WIDTH+LOW-1:0] counts[0:(1<<INDEX)-1];
  (* ram_style = "distributed" *) reg [WIDTH+LOW:0] open_counts[0:(1<<INDEX)-1];
  wire is_settled = |(settled & visit), is_kept = |(kept & visit);
  wire with_waiting = is_settled ? |(first & visit) : !accessed;
  wire [WIDTH+LOW-1:0] count_word = counts[at];
  wire [WIDTH+LOW:0] with_word = open_counts[at];
  wire [WIDTH+LOW-1:0] word = (with_waiting ? with_word[WIDTH+LOW-1:0] : count_word) & {(WIDTH + LOW) {is_kept}};
  wire [LOW-1:0] since = low - word[LOW-1:0];
  wire [WIDTH:0] sum = {1'b0, word[WIDTH+LOW-1:LOW]} + {{(WIDTH + 1 - LOW) {1'b0}}, since};
  wire wrapped = sum[WIDTH] || (with_waiting && is_kept && with_word[WIDTH+LOW]);
  wire [WIDTH-1:0] next = {writes[1] ? wdata : sum[WIDTH-1:HALF], writes[0] ? wdata : sum[HALF-1:0]};
  always @(posedge clk_i) begin
    if (is_settled) counts[at] <= {next, low};
    if (is_settled || !accessed) open_counts[at] <= {wrapped && !is_settled, next, low};
  end
  assign count_o = sum[WIDTH-1:0];
  assign wrap_o = visit & {N{is_settled && wrapped}};

`ifdef FORMAL
  assign f_scan_o = scan;
  assign f_age_o = age;
  assign f_at_o = at;
  assign f_access_o = {accessed, writes, wdata};
`endif
endmodule

`default_nettype wire
