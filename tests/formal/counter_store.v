// SPDX-License-Identifier: Apache-2.0
// gnomon_counter_store equals plain counters in every cycle, for all events, settlements, clearings, accesses and
// writes, as long as it is not starved; after that, a counter equals its plain counter again once it has been cleared,
// or its lower half and then its upper half have been written. Each wrap is reported once, by the next visit that
// settles. Waits may have any length.
`default_nettype none

module counter_store #(
    parameter N        = 3,
    parameter WAITS    = N, // the others never wait
    parameter WRITES   = N, // the others are never written
    parameter LOW      = 5,
    parameter WIDTH    = 8,
    parameter INDEX    = 2,
    parameter PATIENCE = 9
) (
    input wire               clk_i, hold_i,
    input wire [N-1:0]       clear_i, event_i, settle_i, pay_i,
    input wire               access_i,
    input wire [INDEX-1:0]   index_i,
    input wire [1:0]         write_i,
    input wire [WIDTH/2-1:0] wdata_i
);
  localparam HALF = WIDTH / 2, WORDS = 2 * WIDTH + 4 * LOW + 4, BITS = LOW + 3;
  wire [WIDTH-1:0] count;
  wire [N-1:0] wrap, visits, joined;
  wire starved;
  wire [N*WORDS-1:0] words;
  wire [INDEX-1:0] scan;
  wire [LOW-1:0] age;
  wire accessed; // the access of the previous cycle
  wire [INDEX-1:0] index;
  wire [1:0] written;
  wire [HALF-1:0] wdata;
  gnomon_counter_store #(
    .N(N), .WAITS(WAITS), .WRITES(WRITES), .LOW(LOW), .WIDTH(WIDTH), .INDEX(INDEX), .PATIENCE(PATIENCE)
  ) u_store (
    .clk_i(clk_i), .hold_i(hold_i), .clear_i(clear_i), .event_i(event_i), .settle_i(settle_i), .pay_i(pay_i),
    .access_i(access_i), .index_i(index_i), .write_i(write_i), .wdata_i(wdata_i), .count_o(count), .wrap_o(wrap),
    .starved_o(starved), .f_words_o(words), .f_scan_o(scan), .f_at_o(index), .f_access_o({accessed, written, wdata}), .f_age_o(age), .f_visits_o(visits), .f_joined_o(joined)
  );

  // The first cycle of hold_i clears all counters, and a cleared counter is not written in that cycle.
  integer n;
  reg begun = 1'b0, held = 1'b0;
  reg settled_down = 1'b0; // the visited counter does not depend on the state of power-on
  always @(posedge clk_i) {settled_down, begun, held} <= {begun, 1'b1, hold_i};
  always @* begin
    if (!begun) assume (hold_i && &clear_i);
    if (hold_i && !held) assume (&clear_i);
    assume (index_i < N);
    assume (!(access_i && |write_i && clear_i[index_i]));
    for (n = WAITS; n < N; n = n + 1) assume (settle_i[n] && pay_i[n]);
    for (n = WRITES; n < N; n = n + 1) assume (!(access_i && |write_i && index_i == n));
  end

  // The round of the visits, which are one cycle after the turns: its age, the lengths of the two rounds before.
  reg [BITS-1:0] length, before, before_2;
  reg [INDEX-1:0] place;
  wire round = place == N - 1 && !accessed;
  always @(posedge clk_i) begin
    length <= {3'd0, age};
    place <= scan;
    if (round) {before, before_2} <= {length + 1'b1, before};
    if (hold_i) {before, before_2} <= {2 * BITS{1'b0}};
    if (!begun) {length, place} <= {(BITS + INDEX) {1'b0}};
    if (begun) begin
      assert (age <= PATIENCE && scan < N && length <= PATIENCE && place < N);
      assert (before <= PATIENCE + 1 && before_2 <= PATIENCE + 1);
      assert (starved == (age == PATIENCE));
      if (!held) assert (scan == (accessed ? place : place == N - 1 ? 0 : place + 1));
      if (!held) assert (age == (round ? 0 : length == PATIENCE ? PATIENCE : length + 1));
      if (held) assert (scan == 0 && age == 0);
      assert (accessed || written == 0);
      if (settled_down) assert (index < N && (accessed || index == place));
    end
  end

  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_counter
      wire [WIDTH-1:0] count_word, with_word;
      wire [LOW-1:0] count_low, with_low, all, paid;
      wire with_wrapped, settled, first, kept;
      assign {count_word, count_low, with_wrapped, with_word, with_low, all, paid, settled, first, kept} =
          words[WORDS*i+:WORDS];

      // The plain counter, and the same with all events that wait.
      wire writes = access_i && |write_i && index_i == i;
      wire replaced = hold_i || (writes && write_i[0]);
      wire settles = settle_i[i] || writes || hold_i;
      wire pays = pay_i[i] && !replaced;
      // Lost: as in gnomon_hpm.
      reg lost_low, lost_high;
      reg was_lost; // in the previous cycle: wraps are promised from the next visit on
      always @(posedge clk_i) begin
        if (writes && write_i[0]) lost_low <= 1'b0;
        if (writes && write_i[1] && !lost_low) lost_high <= 1'b0;
        if (clear_i[i]) {lost_low, lost_high} <= 2'b00;
        if (starved) {lost_low, lost_high} <= 2'b11;
        if (!begun) {lost_low, lost_high} <= 2'b00;
      end

      reg [WIDTH-1:0] plain, plain_with;
      reg ahead; // plain_with has wrapped since plain
      reg owed;  // a wrap is not yet reported
      wire [WIDTH:0] sum = {1'b0, plain_with} + (event_i[i] && !replaced);
      wire wraps = (ahead || sum[WIDTH]) && settles && pays && !clear_i[i];
      wire [WIDTH-1:0] next = settles && pays ? sum[WIDTH-1:0] : plain;
      always @(posedge clk_i) begin
        plain <= next;
        {ahead, plain_with} <= settles ? {1'b0, next} : {ahead || sum[WIDTH], sum[WIDTH-1:0]};
        if (writes && write_i[0]) {plain[HALF-1:0], plain_with[HALF-1:0]} <= {wdata_i, wdata_i};
        if (writes && write_i[1]) {plain[WIDTH-1:HALF], plain_with[WIDTH-1:HALF]} <= {wdata_i, wdata_i};
        if (clear_i[i]) {plain, ahead, plain_with} <= {2 * WIDTH + 1{1'b0}};
        owed <= !clear_i[i] && !lost_high && ((owed && !wrap[i]) || wraps);
        was_lost <= lost_high;
      end

      // Cycles that count: since the last visit; the part of the wait that the last visit has not stored; since the
      // last settlement.
      reg [BITS-1:0] since, rest, unsettled;
      wire [BITS-1:0] waits = since < unsettled ? since : unsettled;
      always @(posedge clk_i) begin
        if (!hold_i && !(&since)) since <= since + 1'b1;
        if (!hold_i && !(&unsettled)) unsettled <= unsettled + 1'b1;
        if (visits[i]) since <= {{(BITS - 1) {1'b0}}, !hold_i};
        if (visits[i]) rest <= settled ? waits : {BITS{1'b0}};
        if (settles) unsettled <= {BITS{1'b0}};
        if (clear_i[i]) {since, rest, unsettled} <= {3 * BITS{1'b0}};
      end

      // What the store means.
      wire [LOW-1:0] from_with = (settled ? paid : all) - with_low;
      wire [LOW-1:0] from_count = paid - count_low;
      wire [LOW-1:0] open = all - paid;
      wire [BITS-1:0] opened = settled ? open : 0;
      wire [BITS-1:0] ahead_with = from_with + opened;
      wire [WIDTH:0] by_with = {1'b0, with_word} + from_with;
      wire [WIDTH:0] by_count = {1'b0, count_word} + from_count;
      wire [WIDTH:0] chosen = settled && first ? by_with : by_count;
      wire here = accessed && index == i;
      wire fresh = here && written[0]; // this visit discards what was lost
      wire [WIDTH-1:0] means = {here && written[1] ? wdata : chosen[WIDTH-1:HALF],
          here && written[0] ? wdata : chosen[HALF-1:0]};
      wire [WIDTH:0] means_with = settled ? {1'b0, means} + open : {with_wrapped || by_with[WIDTH], by_with[WIDTH-1:0]};

      wire over = place > i; // this round has visited the counter
      always @(posedge clk_i)
        if (begun) begin
          assert (kept || settled);
          if (kept && joined[i]) assert (!with_wrapped && with_word == count_word && with_low == count_low);
          if (held) assert (since == 0 && rest == 0);
          assert (!owed || settled);
          if (here && |written) assert (settled && open == 0 && unsettled == 0);
          if (!lost_low) begin
            assert (means[HALF-1:0] == plain[HALF-1:0]);
            assert (means_with[HALF-1:0] == plain_with[HALF-1:0]);
            if (settled) assert (open <= waits);
            if (!fresh) assert (since <= length + (over ? 0 : before) + 1);
            if (!fresh) assert (since + rest <= length + before + (over ? 0 : before_2) + 1);
            if (!settled) assert (from_count == 0);
            if (kept && (!settled || first) && !fresh) assert (ahead_with <= since + rest);
            if ((!kept || (settled && !first)) && !fresh) assert (from_count + opened <= since);
          end
          assert (settled_down || held);
          if (was_lost) assert (!owed);
          if (was_lost && !lost_high) assert ((here && written[1]) || !kept);
          if (!lost_high) begin
            assert (!lost_low);
            assert (means == plain);
            assert (means_with[WIDTH-1:0] == plain_with);
            assert (ahead == means_with[WIDTH]);
            if (settled && !was_lost) assert (owed == (chosen[WIDTH] || (first && with_wrapped)));
            if (here) assert (count[HALF-1:0] == plain[HALF-1:0] || written[0]);
            if (here) assert (count[WIDTH-1:HALF] == plain[WIDTH-1:HALF] || written[1]);
            if (visits[i] && settled && !was_lost) assert (wrap[i] == owed);
            if (!(visits[i] && settled)) assert (!wrap[i]);
          end
        end
    end
  endgenerate
endmodule

`default_nettype wire
