// SPDX-License-Identifier: Apache-2.0
// Instruction cache: direct mapped, block RAM, one word a cycle. Both sides use the bus of docs/internals/soc.md.
//
// Timing, in cycles after the cycle of acceptance:
//   hit                      answered 1 later; the next request is accepted in the same cycle
//   miss, bus not busy       answered 3 later; a sequential fetcher gets the next words at one a cycle; the fill starts
//                            with the missed word and wraps
//   request to another line  looked up after the fill's last word
//   fence.i, reset           one cycle a line
// `c_req_ready_o` does not depend on the tag comparison: in the cycle that finds a miss, the cache takes one more
// request and keeps it ("pending").
//
// Only [BASE, BASE + 2^SIZE_LOG2) is cached and can be fetched. A request for another address goes to the bus at the
// same offset from address 0, where no slave is, and gets its error. A line with a failed word never becomes valid.
// SHADOW > 0: before its words, a fill reads that many words of the line's shadow, which is at the same place of
// another memory (`b_req_shadow_o`). They leave on `shadow_*` and are no part of the cache; the fill takes the same
// time whatever they are.
// BYTES = 0: no cache, wires. COMPACT = 1: gnomon_icache_compact, for slow clocks and a bus that answers in the next
// cycle.
`default_nettype none

module gnomon_icache #(
  parameter integer BYTES = 2048,
  parameter integer LINE_WORDS = 4,
  parameter [31:0] BASE = 32'h1000_0000,
  parameter integer SIZE_LOG2 = 16,
  parameter integer COMPACT = 0,
  parameter integer SHADOW = 0,  // words of a line's shadow, less than LINE_WORDS; not with COMPACT
  // only with COMPACT: see gnomon_icache_compact
  parameter [31:0] FLASH_BASE = 32'h2000_0000,
  parameter integer FLASH_LOG2 = 0,
  parameter integer SINGLE = 0,
  parameter integer SPRAM = 0
) (
  input  wire        clk_i, rst_i,

  // To the core.
  input  wire        c_req_valid_i,
  output wire        c_req_ready_o,
  input  wire [31:0] c_req_addr_i,
  output wire        c_rsp_valid_o,
  output wire [31:0] c_rsp_rdata_o,
  output wire        c_rsp_error_o,

  // Invalidation: flush_i stays high until `flush_done_o` is high.
  input  wire        flush_i,
  output wire        flush_done_o,

  output wire        access_o,  // a request for main memory was accepted; 0 in the compact cache
  output wire        fill_o,    // the fetch of a line begins; 0 in the compact cache
  output wire        miss_o,    // a line is missing or being filled: the reason if the core waits

  // A word of the shadow comes, b_rsp_rdata_i, for the line at this address.
  output wire        shadow_valid_o,
  output wire [31:0] shadow_addr_o,

  // To the bus.
  output wire        b_req_valid_o,
  input  wire        b_req_ready_i,
  output wire [31:0] b_req_addr_o,
  output wire        b_req_shadow_o,  // of the shadow memory
  input  wire        b_rsp_valid_i,
  input  wire [31:0] b_rsp_rdata_i,
  input  wire        b_rsp_error_i
);

  generate
    if (BYTES == 0) begin : g_none

      assign b_req_valid_o = c_req_valid_i;
      assign b_req_addr_o = c_req_addr_i;
      assign c_req_ready_o = b_req_ready_i;
      assign c_rsp_valid_o = b_rsp_valid_i;
      assign c_rsp_rdata_o = b_rsp_rdata_i;
      assign c_rsp_error_o = b_rsp_error_i;
      assign flush_done_o = 1'b1;
      assign miss_o = 1'b0;
      assign {access_o, fill_o} = 2'b00;
      assign {shadow_valid_o, shadow_addr_o, b_req_shadow_o} = 34'd0;
      wire unused = &{1'b0, clk_i, rst_i, flush_i};

    end else if (COMPACT != 0) begin : g_compact

      assign {access_o, fill_o} = 2'b00;
      assign {shadow_valid_o, shadow_addr_o, b_req_shadow_o} = 34'd0;
      gnomon_icache_compact #(
        .BYTES(BYTES), .LINE_WORDS(LINE_WORDS), .BASE(BASE), .SIZE_LOG2(SIZE_LOG2), .FLASH_BASE(FLASH_BASE),
        .FLASH_LOG2(FLASH_LOG2), .SINGLE(SINGLE), .SPRAM(SPRAM)
      ) u_cache (
        .clk_i(clk_i), .rst_i(rst_i), .c_req_valid_i(c_req_valid_i), .c_req_ready_o(c_req_ready_o),
        .c_req_addr_i(c_req_addr_i), .c_rsp_valid_o(c_rsp_valid_o), .c_rsp_rdata_o(c_rsp_rdata_o),
        .c_rsp_error_o(c_rsp_error_o), .flush_i(flush_i), .flush_done_o(flush_done_o), .miss_o(miss_o),
        .b_req_valid_o(b_req_valid_o), .b_req_ready_i(b_req_ready_i), .b_req_addr_o(b_req_addr_o),
        .b_rsp_valid_i(b_rsp_valid_i), .b_rsp_rdata_i(b_rsp_rdata_i), .b_rsp_error_i(b_rsp_error_i)
      );

    end else begin : g_cache

      wire unused = &{1'b0, c_req_addr_i[1:0]};

      localparam integer W = $clog2(LINE_WORDS);     // bits of the word number within the line
      localparam integer L = $clog2(BYTES / 4) - W;  // bits of the line number
      localparam integer T = SIZE_LOG2 - L - W - 2;  // bits of the tag

      localparam [2:0] RUN = 3'd0,  // looks up requests
        FILL = 3'd1,              // waits for words of a line
        DROP = 3'd2,              // a word of the line failed: invalidates the line
        END = 3'd3,               // looks up the pending request if FILL could not
        CLEAR = 3'd4;             // invalidates all lines

      reg  [2:0] state;

      // The request being looked up, and the pending request.
      localparam integer S = SIZE_LOG2;
      reg        l_valid;
      reg  [31:2] l_addr;
      reg        p_valid;
      reg  [31:2] p_addr;

      // Fill: next word to request, next word to come, and words left to request and to come.
      reg [W-1:0] f_req_word, f_rsp_word;
      reg [W:0] f_req_left, f_rsp_left;
      reg f_first;                 // the missed word has not come
      reg f_bad;
      reg [L-1:0] clear_line;

      // Words of the shadow: one is to be requested, and which; one is to come before the line's words.
      wire s_asks, s_due;
      wire [W-1:0] s_word;
      wire comes = b_rsp_valid_i && !s_due;  // a word of the line

      wire l_inside = l_addr[31:S] == BASE[31:S];
      wire p_inside = p_addr[31:S] == BASE[31:S];
      wire [L-1:0] l_line = l_addr[W+2+:L];

      // Memories.
      (* no_rw_check *) reg [31:0] data[0:(BYTES/4)-1];
      (* no_rw_check *) reg [T:0] tags[0:(1<<L)-1];
      reg [31:0] data_q;
      reg [T:0] tag_q;

      wire hit = l_valid && l_inside && tag_q == {1'b1, l_addr[S-1-:T]};
      wire miss = l_valid && !hit;

      // A pending request for the word that comes now gets its answer at once.
      wire f_last = f_rsp_left == {{W{1'b0}}, 1'b1};
      wire p_stream = state == FILL && p_valid && !f_first && comes
        && p_inside == l_inside && p_addr[S-1:W+2] == l_addr[S-1:W+2] && p_addr[W+1:2] == f_rsp_word;

      assign c_req_ready_o = !flush_i && (state == RUN || state == FILL) && (!p_valid || p_stream);
      wire accept = c_req_valid_i && c_req_ready_o;

      assign c_rsp_valid_o = state == RUN ? hit : state == FILL && comes && (f_first || p_stream);
      assign c_rsp_rdata_o = state == RUN ? data_q : b_rsp_rdata_i;
      assign c_rsp_error_o = state != RUN && b_rsp_error_i;

      assign b_req_valid_o = state == FILL && (s_asks || f_req_left != {(W + 1) {1'b0}});
      assign b_req_addr_o = {BASE[31:S] & {(32 - S) {l_inside}}, l_addr[S-1:W+2], s_asks ? s_word : f_req_word, 2'b00};
      assign b_req_shadow_o = s_asks;
      assign shadow_valid_o = state == FILL && b_rsp_valid_i && s_due;
      assign shadow_addr_o = {BASE[31:S], l_addr[S-1:W+2], {(W + 2) {1'b0}}};
      if (SHADOW == 0) begin : g_plain
        assign {s_asks, s_due} = 2'b00;
        assign s_word = {W{1'b0}};
      end else begin : g_shadow
        localparam [W-1:0] NONE_LEFT = SHADOW[W-1:0];
        reg [W-1:0] s_req, s_rsp;    // next word to request, next word to come
        assign s_asks = s_req != NONE_LEFT;
        assign s_due = s_rsp != NONE_LEFT;
        assign s_word = s_req;
        always @(posedge clk_i) begin
          if (state == RUN) begin
            s_req <= l_inside ? {W{1'b0}} : NONE_LEFT;
            s_rsp <= l_inside ? {W{1'b0}} : NONE_LEFT;
          end else if (state == FILL) begin
            s_req <= s_req + {{(W - 1) {1'b0}}, s_asks && b_req_ready_i};
            s_rsp <= s_rsp + {{(W - 1) {1'b0}}, shadow_valid_o};
          end
        end
      end

      assign flush_done_o = state == CLEAR && clear_line == {L{1'b1}};
      assign access_o = accept && c_req_addr_i[31:S] == BASE[31:S];
      assign fill_o = state == RUN && miss && l_inside;
      assign miss_o = state == RUN ? miss : state != CLEAR;

      // The lookup reads the pending request's address, else the accepted one. It never reads a word that is written at
      // the same edge: such a request takes the way through END. To save time, the check ignores the line, because
      // c_req_addr_i comes late in the cycle.
      wire p_waits = p_valid && !p_stream;
      wire [31:2] read_addr = p_waits ? p_addr : c_req_addr_i[31:2];
      wire collision = !p_waits && accept && c_req_addr_i[2+:W] == f_rsp_word;
      wire fill_end = state == FILL && comes && f_last;
      wire fill_bad = f_bad || b_rsp_error_i;
      wire ready = (fill_end && !fill_bad) || state == END;        // the lookup can continue
      wire resume = ready && !(state == FILL && collision);

      wire tag_we = state == CLEAR || state == DROP || (state == RUN && miss);
      wire [L-1:0] tag_line = state == CLEAR ? clear_line : l_line;
      wire tag_valid = state == RUN && l_inside;

      always @(posedge clk_i) begin
        data_q <= data[read_addr[2+:L+W]];
        if (state == FILL && comes) data[{l_line, f_rsp_word}] <= b_rsp_rdata_i;
      end
      always @(posedge clk_i) begin
        tag_q <= tags[read_addr[W+2+:L]];
        if (tag_we) tags[tag_line] <= {tag_valid, l_addr[S-1-:T]};
      end

      always @(posedge clk_i) begin
        if (accept) p_addr <= c_req_addr_i[31:2];
        if (p_stream) p_valid <= 1'b0;

        case (state)
          RUN: begin
            f_req_word <= l_addr[W+1:2];
            f_rsp_word <= l_addr[W+1:2];
            f_req_left <= LINE_WORDS[W:0];
            f_rsp_left <= LINE_WORDS[W:0];
            f_first <= 1'b1;
            f_bad <= 1'b0;
            if (miss) begin
              state <= FILL;
              p_valid <= accept;
            end else begin
              l_valid <= accept;
              l_addr <= read_addr;
              if (flush_i && !l_valid) state <= CLEAR;
            end
          end
          FILL: begin
            if (b_req_valid_o && b_req_ready_i && !s_asks) begin
              f_req_word <= f_req_word + 1'b1;
              f_req_left <= f_req_left - 1'b1;
            end
            if (comes) begin
              f_rsp_word <= f_rsp_word + 1'b1;
              f_rsp_left <= f_rsp_left - 1'b1;
              f_first <= 1'b0;
              f_bad <= fill_bad;
              if (f_last) state <= fill_bad ? DROP : END;
            end
            if (accept) p_valid <= 1'b1;
          end
          DROP: state <= END;
          CLEAR: begin
            clear_line <= clear_line + 1'b1;
            if (flush_done_o) state <= RUN;
          end
          default: ;
        endcase

        if (ready) l_addr <= read_addr;
        if (resume) begin
          state <= RUN;
          l_valid <= p_waits || accept;
          p_valid <= 1'b0;
        end

        if (rst_i) begin
          state <= CLEAR;
          clear_line <= {L{1'b0}};
          l_valid <= 1'b0;
          p_valid <= 1'b0;
        end
      end

    end
  endgenerate

endmodule

`default_nettype wire
