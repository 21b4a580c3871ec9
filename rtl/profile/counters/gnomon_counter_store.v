// SPDX-License-Identifier: Apache-2.0
// N wide counters in little logic. Events may wait: an instruction that retires later decides whether they count.
// Flip-flops hold the lower LOW bits at full rate. Words of a memory hold the rest: the count, and for the first WAITS
// counters a second one, the count with all waiting events. One adder visits one counter a cycle, in turn, and brings
// its words up to date. An access takes one cycle of this round. Each counter equals a plain counter of WIDTH bits, as
// long as a round takes at most PATIENCE cycles (`make test-formal-profile`, docs/internals/profile.md, "The counter
// store"); else starved_o says so.
//
// How a word is used: the flip-flops go round and round, and a word is stored with their state at that moment. What
// they have counted since then is the difference. There must be less than 2^LOW events between two uses of a word,
// which is at most the time of three rounds.
`default_nettype none

module gnomon_counter_store #(
  parameter N        = 6,   // at most 2^INDEX
  parameter WAITS    = N,   // events of the counters from this one on never wait: their settle_i and pay_i are 1
  parameter WRITES   = N,   // the counters from this one on are never written
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
  , output wire [N-1:0] f_visits_o, f_joined_o
`endif
);
  localparam HALF = WIDTH / 2;
  localparam PLACE = $clog2(N + WAITS);
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
  wire [INDEX-1:0] next_at = access_i ? index_i : scan;
  reg [N-1:0] visit;
  wire [N-1:0] settled; // events have counted or were discarded since the last visit
  wire [N-1:0] first;   // the first of them counted
  reg [N-1:0] kept;     // the words in the memory are valid; else both are 0
  reg [LOW-1:0] low;    // of the visited counter: the state of the flip-flops to which the visit goes
  wire [N*LOW-1:0] lows;
  // Without a second word, both words of a counter are the first one. banked: the next visit needs the second word of
  // this counter. ahead: the second word has wrapped since the count.
  wire [N-1:0] banked, ahead;
  wire is_settled = |(settled & visit), is_kept = |(kept & visit);
  wire with_waiting = is_settled ? |(first & visit) : !accessed;
  wire wrapped;
  reg [PLACE-1:0] read_at;
  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_counter
      localparam [31:0] NUMBER = i;
      reg [LOW-1:0] all;
      wire next_visit = next_at == NUMBER[INDEX-1:0];
      wire written = i < WRITES && access_i && |write_i && index_i == NUMBER[INDEX-1:0];
      wire written_low = written && write_i[0];
      wire [LOW-1:0] sum = all + {{(LOW - 1) {1'b0}}, event_i[i] && !written_low};
      wire clears = clear_i[i] || hold_i; // with hold_i, the flip-flops are 0 since its first cycle
      always @(posedge clk_i) begin
        visit[i] <= next_visit;
        kept[i] <= !clear_i[i] && (kept[i] || visit[i]);
      end

      if (i < WAITS) begin : g_waits
        reg [LOW-1:0] paid;
        wire settles = settle_i[i] || written || hold_i;
        wire pays = pay_i[i] && !written_low && !hold_i;
        reg r_settled, r_first, second, r_ahead;
        wire open = r_settled && !visit[i];
        wire next_settled = settles || clear_i[i] || open;
        wire next_first = open ? r_first : pays;
        wire next_second = !clear_i[i] && (visit[i] && (r_settled || !accessed) ? !r_settled : second);
        always @(posedge clk_i) begin
          all <= settles && !pays ? paid : sum;
          if (settles && pays) paid <= sum;
          if (clears) {all, paid} <= {2 * LOW{1'b0}};
          {r_settled, r_first, second} <= {next_settled, next_first, next_second};
          if (visit[i] && (r_settled || !accessed)) r_ahead <= wrapped && !r_settled;
        end
        assign {settled[i], first[i], ahead[i]} = {r_settled, r_first, r_ahead};
        assign banked[i] = next_visit && next_second && (next_settled ? next_first : !access_i);
        assign lows[LOW*i+:LOW] = (r_settled || accessed ? paid : all) & {LOW{visit[i]}};
`ifdef FORMAL
        localparam WORDS = 2 * WIDTH + 4 * LOW + 4;
        localparam [31:0] BEHIND = N + i;
        wire [WIDTH+LOW-1:0] f_count = words[NUMBER[PLACE-1:0]];
        wire [WIDTH+LOW-1:0] f_with = second ? words[BEHIND[PLACE-1:0]] : f_count;
        assign f_words_o[WORDS*i+:WORDS] = {f_count & {(WIDTH + LOW) {kept[i]}},
            {r_ahead, f_with} & {(WIDTH + LOW + 1) {kept[i]}}, all, paid, r_settled, r_first, kept[i]};
        assign f_visits_o[i] = visit[i] && (r_settled || !accessed);
        assign f_joined_o[i] = !second;
`endif
      end else begin : g_never_waits
        always @(posedge clk_i) begin
          all <= sum;
          if (clears) all <= {LOW{1'b0}};
        end
        assign {settled[i], first[i], ahead[i], banked[i]} = 4'b1100;
        assign lows[LOW*i+:LOW] = all & {LOW{visit[i]}};
        wire unused = &{1'b0, settle_i[i], pay_i[i]};
`ifdef FORMAL
        localparam WORDS = 2 * WIDTH + 4 * LOW + 4;
        wire [WIDTH+LOW-1:0] f_count = words[NUMBER[PLACE-1:0]] & {(WIDTH + LOW) {kept[i]}};
        assign f_words_o[WORDS*i+:WORDS] = {f_count, 1'b0, f_count, all, all, 2'b11, kept[i]};
        assign f_visits_o[i] = visit[i];
        assign f_joined_o[i] = 1'b1;
`endif
      end
    end
  endgenerate
  integer k;
  always @* begin
    low = {LOW{1'b0}};
    for (k = 0; k < N; k = k + 1) low = low | lows[LOW*k+:LOW];
  end

  // The second words lie behind the first ones.
  localparam [31:0] SECOND = N;
  wire [PLACE-1:0] next_place = {{(PLACE - INDEX) {1'b0}}, next_at};
  always @(posedge clk_i) read_at <= |banked ? next_place + SECOND[PLACE-1:0] : next_place;

  // The visit. If nothing was settled since the last one, it adds to the word with the waiting events, and a read gets
  // the word without them. Else the first settlement has chosen between the two words, and the count becomes both.
  (* ram_style = "distributed" *) reg [WIDTH+LOW-1:0] words[0:(1<<PLACE)-1];
  integer m; // for simulators with unknown values
  initial for (m = 0; m < 1 << PLACE; m = m + 1) words[m] = {(WIDTH + LOW) {1'b0}};
  // A word that is not kept is 0. Its upper bits are masked behind the adder, where that takes no logic of its own.
  wire [WIDTH+LOW-1:0] word = words[read_at];
  wire [LOW-1:0] since = low - (word[LOW-1:0] & {LOW{is_kept}});
  wire [WIDTH:0] all_sum = {1'b0, word[WIDTH+LOW-1:2*LOW], word[2*LOW-1:LOW] & {LOW{is_kept}}} +
      {{(WIDTH + 1 - LOW) {1'b0}}, since};
  wire [WIDTH:0] sum = all_sum & {{(WIDTH + 1 - LOW) {is_kept}}, {LOW{1'b1}}};
  assign wrapped = sum[WIDTH] || (with_waiting && is_kept && |(ahead & visit));
  wire [WIDTH-1:0] next = {writes[1] ? wdata : sum[WIDTH-1:HALF], writes[0] ? wdata : sum[HALF-1:0]};
  wire [PLACE-1:0] place = {{(PLACE - INDEX) {1'b0}}, at};
  wire [PLACE-1:0] write_at = is_settled ? place : place + SECOND[PLACE-1:0];
  always @(posedge clk_i) if (is_settled || !accessed) words[write_at] <= {next, low};
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
