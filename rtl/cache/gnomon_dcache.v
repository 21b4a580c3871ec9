// SPDX-License-Identifier: Apache-2.0
// Data cache: direct mapped, block RAM, write through, no allocation by stores. Both sides use the bus of
// docs/internals/soc.md. The core has at most one access open and offers the next one in the cycle of the answer or
// later.
//
// Timing, in cycles after the cycle of acceptance, if the bus accepts at once and answers in the next cycle:
//   load, hit                answered 1 later; the next request is accepted in the same cycle
//   load, miss               answered 3 later; the fill starts with this word and wraps, one word a cycle
//   store to main memory     answered 1 later; goes to the buffer (gnomon_dcache_buffer), and on a hit to the cache
//   any other access         answered 2 later; goes directly to the bus after all earlier stores, and gets its error
// Longer waits:
//   load of a word that a fill has not delivered yet: answered when the word comes
//   load that misses during a fill: its fill starts after the current one
//   load that misses while the buffer has a store to a line of the same index: its fill starts after that store
//   store while the buffer is full, or to a word that a fill has not delivered yet
//   store that hits in a cycle in which a word of a fill comes: one cycle, because there is one write port
// All other accesses go on during a fill. Stores leave the buffer only outside of fills. `c_req_ready_o` is a register:
// it is low only while a reset clears the tags, one line a cycle.
//
// Only [BASE, BASE + 2^SIZE_LOG2) is cached, and accesses there never fail. A write by another master to this range
// (`snoop_*`, in the cycle in which the bus accepts it) invalidates the line at its index, also during that line's
// fill: loads accepted in that cycle or later see the new value. The bus accepts no request of the cache in that cycle.
// A locked access is not cached: it goes directly to the bus after all earlier stores. BYTES = 0: no cache, wires.
//
// SHADOW > 0: before its words, a fill reads that many words of the line's shadow, from word SHADOW_AT on, at the same
// place of another memory (`b_req_shadow_o`). They leave on `shadow_*` and are no part of the cache; the fill takes the
// same time whatever they are.
`default_nettype none

module gnomon_dcache #(
  parameter integer BYTES = 8192,
  parameter integer LINE_WORDS = 8,
  parameter [31:0] BASE = 32'h1000_0000,
  parameter integer SIZE_LOG2 = 16,         // larger than log2 of BYTES
  parameter integer BUFFER_LOG2 = 2,        // log2 of the stores in the write buffer
  parameter integer SHADOW = 0,             // words of a line's shadow; SHADOW_AT + SHADOW < LINE_WORDS
  parameter integer SHADOW_AT = 2
) (
  input  wire        clk_i, rst_i,

  // To the core.
  input  wire        c_req_valid_i,
  output wire        c_req_ready_o,
  input  wire [31:0] c_req_addr_i,
  input  wire        c_req_write_i,
  input  wire [31:0] c_req_wdata_i,
  input  wire [3:0]  c_req_strb_i,
  input  wire        c_req_lock_i,
  output wire        c_rsp_valid_o,
  output wire [31:0] c_rsp_rdata_o,
  output wire        c_rsp_error_o,

  // To the bus.
  output wire        b_req_valid_o,
  input  wire        b_req_ready_i,
  output wire [31:0] b_req_addr_o,
  output wire        b_req_write_o,
  output wire [31:0] b_req_wdata_o,
  output wire [3:0]  b_req_strb_o,
  output wire        b_req_lock_o,
  output wire        b_req_shadow_o,  // of the shadow memory
  input  wire        b_rsp_valid_i,
  input  wire [31:0] b_rsp_rdata_i,
  input  wire        b_rsp_error_i,

  // Another master writes this word.
  input  wire        snoop_valid_i,
  input  wire [31:0] snoop_addr_i,

  output wire        empty_o,   // every answered store is complete
  output wire        access_o,  // a cached access was accepted
  output wire        fill_o,    // the fetch of a line begins
  output wire        miss_o,    // the open access waits for a line, or for the end of its fill

  // A word of the shadow comes, b_rsp_rdata_i, for the line at this address.
  output wire        shadow_valid_o,
  output wire [31:0] shadow_addr_o
);

  generate
    if (BYTES == 0) begin : g_none

      assign b_req_valid_o = c_req_valid_i;
      assign b_req_addr_o = c_req_addr_i;
      assign b_req_write_o = c_req_write_i;
      assign b_req_wdata_o = c_req_wdata_i;
      assign b_req_strb_o = c_req_strb_i;
      assign b_req_lock_o = c_req_lock_i;
      assign c_req_ready_o = b_req_ready_i;
      assign c_rsp_valid_o = b_rsp_valid_i;
      assign c_rsp_rdata_o = b_rsp_rdata_i;
      assign c_rsp_error_o = b_rsp_error_i;
      assign empty_o = 1'b1;
      assign miss_o = 1'b0;
      assign {access_o, fill_o} = 2'b00;
      assign {shadow_valid_o, shadow_addr_o, b_req_shadow_o} = 34'd0;
      wire unused = &{1'b0, clk_i, rst_i, snoop_valid_i, snoop_addr_i};

    end else begin : g_cache

      localparam integer S = SIZE_LOG2;
      localparam integer W = $clog2(LINE_WORDS);     // bits of the word number within the line
      localparam integer L = $clog2(BYTES / 4) - W;  // bits of the line number
      localparam integer T = S - L - W - 2;          // bits of the tag

      wire unused = &{1'b0, c_req_addr_i[1:0], snoop_addr_i[L+W+2+:T], snoop_addr_i[W+1:0]};

      // A reset clears the tags, one line a cycle.
      reg clearing;
      reg [L-1:0] clear_line;

      // The open access.
      reg l_valid;
      reg l_first;                 // the cycle after acceptance: the memories deliver its word
      reg l_direct;                // not cached
      reg l_asked;                 // direct access: the bus has accepted it
      reg l_write, l_lock;
      reg [31:2] l_addr;
      reg [31:0] l_wdata;
      reg [3:0] l_strb;
      reg l_found;                 // after l_first: the line is in the cache or being filled
      reg l_stale;                 // in l_first: the tag was being invalidated when it was read

      wire [T-1:0] l_tag = l_addr[S-1-:T];
      wire [L-1:0] l_line = l_addr[W+2+:L];
      wire [W-1:0] l_word = l_addr[W+1:2];

      // The fill: next word to request, next word to come, words left to request and to come, words that have come.
      reg f_active;
      reg f_untagged;              // the tag of the line is not yet written
      reg [T-1:0] f_tag;
      reg [L-1:0] f_line;
      reg [W-1:0] f_req_word, f_rsp_word;
      reg [W:0] f_req_left, f_rsp_left;
      reg [LINE_WORDS-1:0] f_have;
      // Words of the shadow: one is to be requested, and which; one is to come before the line's words.
      wire s_asks, s_due;
      wire [W-1:0] s_word;
      wire f_asks = f_active && (s_asks || f_req_left != {(W + 1) {1'b0}});

      // Stores in the buffer, and stores that the bus has not answered; the bus answers them before all other requests.
      reg [3:0] w_left;
      wire w_push, w_empty, w_full, w_conflict;
      wire [S-1:2] w_addr;
      wire [31:0] w_wdata;
      wire [3:0] w_strb;
      wire w_offer = !w_empty && !f_active && w_left != 4'd15;
      wire w_pop = w_offer && b_req_ready_i;
      wire w_answered = b_rsp_valid_i && w_left != 4'd0;

      // Memories.
      (* no_rw_check *) reg [T:0] tags[0:(1<<L)-1];
      reg [T:0] tag_q;
      wire [31:0] data_q;

      // The results of the lookup.
      wire found = l_first ? tag_q == {1'b1, l_tag} && !l_stale : l_found;
      wire to_come = f_active && l_line == f_line && !f_have[l_word];  // with `found`: the word has not come yet
      wire answers = f_active && b_rsp_valid_i && w_left == 4'd0;
      wire comes = answers && !s_due;
      wire mine_comes = comes && l_line == f_line && l_word == f_rsp_word;
      wire cached = l_valid && !l_direct;
      wire load_done = cached && !l_write && found && (to_come ? mine_comes : l_first);
      wire store_done = cached && l_write && !w_full && !(found && (to_come || comes));
      wire direct_done = l_asked && b_rsp_valid_i && w_left == 4'd0;

      assign w_push = store_done;
      assign c_req_ready_o = !clearing;
      assign c_rsp_valid_o = load_done || store_done || direct_done;
      assign c_rsp_rdata_o = l_first && !to_come ? data_q : b_rsp_rdata_i;
      assign c_rsp_error_o = l_direct && b_rsp_error_i;
      assign empty_o = w_empty && w_left == 4'd0 && !(l_valid && l_write);
      assign miss_o = cached && !c_rsp_valid_o && !(l_write && w_full);

      // A fill starts when the buffer has no store to its line and offers no store to the bus.
      wire fill = cached && !l_write && !found && !f_active && !w_conflict && !(w_offer && !b_req_ready_i);
      wire l_offer = l_valid && l_direct && !l_asked && w_empty && !f_active;

      assign b_req_valid_o = f_asks || w_offer || l_offer;
      assign b_req_addr_o = f_active ? {BASE[31:S], f_tag, f_line, s_asks ? s_word : f_req_word, 2'b00} :
                 w_empty ? {l_addr, 2'b00} : {BASE[31:S], w_addr, 2'b00};
      assign b_req_write_o = !f_active && (!w_empty || l_write);
      assign b_req_wdata_o = w_empty ? l_wdata : w_wdata;
      assign b_req_strb_o = f_active ? 4'b1111 : w_empty ? l_strb : w_strb;
      assign b_req_lock_o = l_offer && l_lock;
      assign b_req_shadow_o = f_active && s_asks;
      assign shadow_valid_o = answers && s_due;
      assign shadow_addr_o = {BASE[31:S], f_tag, f_line, {(W + 2) {1'b0}}};
      if (SHADOW == 0) begin : g_plain
        assign {s_asks, s_due} = 2'b00;
        assign s_word = {W{1'b0}};
      end else begin : g_shadow
        localparam integer END = SHADOW_AT + SHADOW;
        localparam [W-1:0] FIRST = SHADOW_AT[W-1:0], NONE_LEFT = END[W-1:0];
        reg [W-1:0] s_req, s_rsp;    // next word to request, next word to come
        assign s_asks = s_req != NONE_LEFT;
        assign s_due = s_rsp != NONE_LEFT;
        assign s_word = s_req;
        always @(posedge clk_i) begin
          if (!f_active) begin
            {s_req, s_rsp} <= {FIRST, FIRST};
          end else begin
            s_req <= s_req + {{(W - 1) {1'b0}}, s_asks && b_req_ready_i};
            s_rsp <= s_rsp + {{(W - 1) {1'b0}}, shadow_valid_o};
          end
        end
      end

      gnomon_dcache_buffer #(
        .LOG2(BUFFER_LOG2), .ADDR_LOG2(S), .LINE_LOW(W + 2), .LINE_BITS(L)
      ) u_buffer (
`ifdef FORMAL
        .f_used_o   (f_used),
        .f_head_o   (f_head),
        .f_tail_o   (f_tail),
        .f_entries_o(f_entries),
        .f_lines_o  (f_lines),
`endif
        .clk_i     (clk_i),
        .rst_i     (rst_i),
        .push_i    (w_push),
        .addr_i    (l_addr[S-1:2]),
        .wdata_i   (l_wdata),
        .strb_i    (l_strb),
        .line_i    (l_line),
        .conflict_o(w_conflict),
        .empty_o   (w_empty),
        .full_o    (w_full),
        .pop_i     (w_pop),
        .addr_o    (w_addr),
        .wdata_o   (w_wdata),
        .strb_o    (w_strb)
      );

      // Data: one memory for each byte lane. A word that is read while it is written comes from `y_data`.
      wire [L+W-1:0] c_index = c_req_addr_i[2+:L+W];
      wire [L+W-1:0] y_index = comes ? {f_line, f_rsp_word} : {l_line, l_word};
      wire [31:0] y_wdata = comes ? b_rsp_rdata_i : l_wdata;
      wire [3:0] y_we = comes ? 4'b1111 : l_strb & {4{store_done && found}};
      reg [31:0] y_data;
      reg [3:0] y_same;
      genvar b;
      for (b = 0; b < 4; b = b + 1) begin : g_lane
        (* no_rw_check *) reg [7:0] data[0:(BYTES/4)-1];
        reg [7:0] q;
        always @(posedge clk_i) begin
          q <= data[c_index];
          if (y_we[b]) data[y_index] <= y_wdata[8*b+:8];
        end
        assign data_q[8*b+:8] = y_same[b] ? y_data[8*b+:8] : q;
      end
      always @(posedge clk_i) begin
        y_data <= y_wdata;
        y_same <= y_we & {4{c_index == y_index}};
      end

      // Tags. A fill writes its tag before its first word comes. A locked store invalidates its line when the bus
      // accepts it. Both writes happen in cycles without a snoop, while the core waits for the answer to its open
      // access.
      wire take_back = l_offer && b_req_ready_i && l_write && l_lock;
      wire snoop = snoop_valid_i && snoop_addr_i[31:S] == BASE[31:S];
      wire [L-1:0] s_line = snoop_addr_i[W+2+:L];
      wire [L-1:0] tag_line = clearing ? clear_line : snoop ? s_line : f_active ? f_line : l_line;
      always @(posedge clk_i) begin
        tag_q <= tags[c_req_addr_i[W+2+:L]];
        if (clearing || snoop || f_untagged || take_back) tags[tag_line] <= {f_untagged && !snoop, f_tag};
        l_stale <= snoop && s_line == c_req_addr_i[W+2+:L];
      end

      assign access_o = c_req_valid_i && c_req_ready_o && (!l_valid || c_rsp_valid_o) && c_inside && !c_req_lock_i;
      assign fill_o = fill;

      wire c_inside = c_req_addr_i[31:S] == BASE[31:S];
      always @(posedge clk_i) begin
        l_first <= 1'b0;
        if (l_first) l_found <= found;
        if (fill) l_found <= 1'b1;
        if (l_offer && b_req_ready_i) l_asked <= 1'b1;
        if (!l_valid || c_rsp_valid_o) begin
          l_valid <= c_req_valid_i && !clearing;
          l_first <= 1'b1;
          l_direct <= !c_inside || c_req_lock_i;
          l_asked <= 1'b0;
          l_write <= c_req_write_i;
          l_lock <= c_req_lock_i;
          l_addr <= c_req_addr_i[31:2];
          l_wdata <= c_req_wdata_i;
          l_strb <= c_req_strb_i;
        end

        if (!f_active) begin
          f_active <= fill;
          f_untagged <= fill;
          f_tag <= l_tag;
          f_line <= l_line;
          f_req_word <= l_word;
          f_rsp_word <= l_word;
          f_req_left <= LINE_WORDS[W:0];
          f_rsp_left <= LINE_WORDS[W:0];
          f_have <= {LINE_WORDS{1'b0}};
        end else begin
          f_untagged <= f_untagged && snoop;
          if (f_asks && !s_asks && b_req_ready_i) begin
            f_req_word <= f_req_word + 1'b1;
            f_req_left <= f_req_left - 1'b1;
          end
          if (comes) begin
            f_rsp_word <= f_rsp_word + 1'b1;
            f_rsp_left <= f_rsp_left - 1'b1;
            f_have[f_rsp_word] <= 1'b1;
            f_active <= f_rsp_left != {{W{1'b0}}, 1'b1};
          end
        end

        w_left <= w_left + {3'd0, w_pop} - {3'd0, w_answered};

        if (clearing) begin
          clear_line <= clear_line + 1'b1;
          clearing <= clear_line != {L{1'b1}};
        end

        if (rst_i) begin
          clearing <= 1'b1;
          clear_line <= {L{1'b0}};
          l_valid <= 1'b0;
          l_asked <= 1'b0;
          f_active <= 1'b0;
          f_untagged <= 1'b0;
          w_left <= 4'd0;
        end
      end

`ifdef FORMAL
`include "gnomon_dcache.vh"
`endif

    end
  endgenerate

endmodule

`default_nettype wire
