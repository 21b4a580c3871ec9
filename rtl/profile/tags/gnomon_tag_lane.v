// SPDX-License-Identifier: Apache-2.0
// One lane looks up the tags of instructions, the other one those of accesses (docs/internals/tags.md). A lane has its
// tag cache, the missed lookups that wait for the shadow memory, and the results, which leave in order DELAY cycles
// after the lookup.
//
// Cycles after the lookup: 1 reads the cache; 2 knows whether it hit; from 3 on, a missed lookup requests the port of
// the shadow memory, as long as the answer can still come in time: up to DELAY - 5 - WAIT cycles later.
`default_nettype none

module gnomon_tag_lane #(
  parameter LOG2 = 18,      // log2 of the shadow memory's words
  parameter CACHE_LOG2 = 8, // log2 of the tag cache's words
  parameter WAIT = 0,       // additional cycles of the shadow memory, up to DELAY - 5
  parameter DELAY = 8,
  // 1: finds the word's tag as data, and whether its instructions have a tag; 0: finds an instruction's tag
  parameter DATA = 0
) (
  input  wire            clk_i, rst_i,

  input  wire            find_i,
  input  wire [LOG2-1:0] index_i,
  input  wire            high_i,  // the instruction begins in the upper parcel

  // The shadow memory's port.
  output wire            wants_o,
  output reg  [1:0]      age_o,     // cycles that the requesting lookup has waited
  output wire [LOG2-1:0] want_o,
  input  wire            grant_i,
  input  wire            answer_i,  // the answer to the last grant
  input  wire [14:0]     answer_word_i,

  // A word of the shadow memory that this tag cache must store: each changed word, and some unchanged ones.
  input  wire            update_i,
  input  wire [LOG2-1:0] update_index_i,
  input  wire [14:0]     update_word_i,

  // The result of the lookup DELAY cycles ago; 0 without a lookup.
  output wire            late_o,    // the answer did not come in time
  output wire            tagged_o,  // with DATA: instructions of the word have a tag
  output wire [4:0]      tag_o
`ifdef FORMAL
  , input wire [LOG2-1:0] f_at_i,
  output wire            f_holds_o,
  output wire [14:0]     f_word_o
`endif
);
  localparam LAST = DELAY - 5 - WAIT; // highest age with which the answer comes in time

  // ---- The tag cache ----
  reg find1, find2, high1, high2;
  reg [LOG2-1:0] index1, index2;
  wire hit;
  wire [14:0] cached;
  always @(posedge clk_i) begin
    {find2, find1} <= {find1, find_i};
    {high2, high1} <= {high1, high_i};
    {index2, index1} <= {index1, index_i};
  end
  gnomon_tag_cache #(
    .LOG2(LOG2), .CACHE_LOG2(CACHE_LOG2)
  ) u_cache (
      .clk_i(clk_i),
      .find_i(index1),
      .hit_o(hit),
      .word_o(cached),
`ifdef FORMAL
      .f_at_i(f_at_i),
      .f_holds_o(f_holds_o),
      .f_word_o(f_word_o),
`endif
      .write_i(update_i),
      .index_i(update_index_i),
      .word_i(update_word_i)
  );

  // ---- Missed lookups ----
  // At most one lookup misses in a cycle, and each waits for a limited time, so its place follows from its cycle.
  reg [LAST:0] waiting; // bit n: a lookup has waited n cycles
  (* ram_style = "distributed" *) reg [LOG2:0] missed[0:3];
  reg [1:0] pointer;
  integer k;
  always @* begin
    age_o = 2'd0;
    for (k = 1; k <= LAST; k = k + 1) if (waiting[k]) age_o = k[1:0];
  end
  wire [1:0] place = pointer - 2'd1 - age_o;
  wire want_high;
  assign wants_o = |waiting;
  assign {want_high, want_o} = missed[place];
  wire [LAST+1:0] granted = {{LAST + 1{1'b0}}, grant_i} << age_o;
  wire [LAST:0] left = waiting & ~granted[LAST:0];
  wire [LAST+1:0] next = {left, find2 && !hit};
  reg [1:0] asked; // age of the last granted lookup at its grant
  reg asked_high;
  always @(posedge clk_i) begin
    missed[pointer] <= {high2, index2};
    pointer <= rst_i ? 2'd0 : pointer + 2'd1;
    waiting <= next[LAST:0];
    if (grant_i) {asked, asked_high} <= {age_o, want_high};
  end

  // ---- The results ----
  function [5:0] pick(input [14:0] word, input high);
    pick = DATA != 0 ? {|word[9:0], word[14:10]} : {1'b0, high ? word[9:5] : word[4:0]};
  endfunction
  wire [5:0] answer = pick(answer_word_i, asked_high);
  reg [6:0] results[3:DELAY]; // by cycle after the lookup: top bit, no answer yet; the answer
  integer s;
  always @(posedge clk_i) begin
    results[3] <= !find2 ? 7'd0 : hit ? {1'b0, pick(cached, high2)} : 7'h40;
    for (s = 3; s < DELAY; s = s + 1)
    results[s+1] <= answer_i && s == 4 + WAIT + {30'd0, asked} ? {1'b0, answer} : results[s];
  end
  assign {late_o, tagged_o, tag_o} = results[DELAY];

  wire unused = &{1'b0, next[LAST+1], granted[LAST+1]};
endmodule

`default_nettype wire
