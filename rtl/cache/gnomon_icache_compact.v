// SPDX-License-Identifier: Apache-2.0
// Instruction cache, the smaller form of gnomon_icache. It gives the same answers in the same cycles, with two
// differences: the bus must answer one cycle after acceptance, and `c_req_ready_o` depends on the tag comparison and on
// `c_req_addr_i`. So no pending request is needed: during a fill, the cache accepts a request for the word that it
// requests from the bus in this cycle, and any other request when the last word comes or one cycle later.
//
// FLASH_LOG2 adds a second cached memory, an SPI flash, which reads consecutive words much faster than others: the fill
// of its lines starts with the line's first word. SINGLE = 1: the words are in a memory with one port, which synthesis
// makes of the UP5K's large single-port RAM if SPRAM = 1. Then the cache takes a request for another line one cycle
// after the last word, because the memory cannot read while it is written.
`default_nettype none

module gnomon_icache_compact #(
  parameter integer BYTES = 1024,
  parameter integer LINE_WORDS = 4,
  parameter [31:0] BASE = 32'h1000_0000,
  parameter integer SIZE_LOG2 = 16,
  parameter [31:0] FLASH_BASE = 32'h2000_0000,
  parameter integer FLASH_LOG2 = 0,     // log2 of the flash memory's bytes, at least SIZE_LOG2; 0: there is none
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

  output wire        miss_o,  // a line is missing or being filled: the reason if the core waits

  // To the bus.
  output wire        b_req_valid_o,
  input  wire        b_req_ready_i,
  output wire [31:0] b_req_addr_o,
  input  wire        b_rsp_valid_i,
  input  wire [31:0] b_rsp_rdata_i,
  input  wire        b_rsp_error_i
);

  localparam integer W = $clog2(LINE_WORDS);     // bits of the word number within the line
  localparam integer L = $clog2(BYTES / 4) - W;  // bits of the line number
  localparam integer F = FLASH_LOG2 != 0 ? 1 : 0;
  localparam integer S = F != 0 ? FLASH_LOG2 : SIZE_LOG2;  // bits of a cached address
  localparam integer T = S - L - W - 2 + F;      // bits of the tag; with a flash memory, the upper bit names the memory

  localparam [1:0] RUN = 2'd0,  // looks up requests
    FILL = 2'd1,              // waits for words of a line
    CLEAR = 2'd2;             // invalidates all lines, one a cycle

  reg [1:0] state;

  // The request being looked up or filled. CLEAR counts in l_line.
  reg l_valid;
  reg l_inside;
  reg [T-1:0] l_tag;
  reg [L-1:0] l_line;
  reg [W-1:0] l_word;

  // Fill: words are left to request, the next of them, the word that may come now; the core waits for the next word to
  // come.
  reg f_asking;
  reg [W-1:0] f_req_word, f_rsp_word;
  reg f_wanted;
  wire f_early;  // the missed word is not requested yet: the words that come before it are not for the core
  reg f_bad;

  wire asked = b_req_valid_o && b_req_ready_i;
  wire c_ram = c_req_addr_i[31:SIZE_LOG2] == BASE[31:SIZE_LOG2];
  wire c_inside, l_flash;
  wire [T-1:0] c_tag;
  generate
    if (F != 0) begin : g_flash
      wire c_flash = c_req_addr_i[31:S] == FLASH_BASE[31:S];
      assign c_inside = c_ram || c_flash;
      assign c_tag = {c_flash, c_req_addr_i[S-1-:T-1]};
      assign l_flash = l_tag[T-1];
      reg early;
      always @(posedge clk_i) begin
        if (state == RUN) early <= l_flash && l_word != {W{1'b0}};
        else if (asked && f_req_word == l_word) early <= 1'b0;
      end
      assign f_early = early;
      assign b_req_addr_o = {(l_flash ? FLASH_BASE[31:S] : BASE[31:S]) & {(32 - S) {l_inside}}, l_tag[T-2:0], l_line,
          f_req_word, 2'b00};
    end else begin : g_ram
      assign c_inside = c_ram;
      assign c_tag = c_req_addr_i[S-1-:T];
      assign {l_flash, f_early} = 2'b00;
      assign b_req_addr_o = {BASE[31:S] & {(32 - S) {l_inside}}, l_tag, l_line, f_req_word, 2'b00};
    end
  endgenerate
  wire [L-1:0] c_line = c_req_addr_i[W+2+:L];
  wire [W-1:0] c_word = c_req_addr_i[W+1:2];
  wire same_line = c_inside == l_inside && c_tag == l_tag && c_line == l_line;
  wire unused = &{1'b0, c_req_addr_i[1:0]};

  // Memories.
  (* no_rw_check *) reg [T:0] tags[0:(1<<L)-1];
  wire [31:0] data_q;
  reg [T:0] tag_q;

  wire hit = l_valid && l_inside && tag_q == {1'b1, l_tag};
  wire miss = l_valid && !hit;

  wire comes = state == FILL && b_rsp_valid_i;
  wire fill_end = comes && !f_asking;
  wire fill_bad = f_bad || b_rsp_error_i;

  // Acceptable requests: a request for the word that the bus accepts now, and a request that can be looked up in the
  // next cycle. The lookup does not read a word that is written at the same edge.
  wire answers = b_rsp_valid_i && !f_early;  // in FILL: the word that comes may be the one that the core waits for
  wire stream = asked && same_line && c_word == f_req_word && (!f_wanted || answers);
  wire look = (state == RUN && !miss) ||
      (SINGLE == 0 && fill_end && !fill_bad && !(same_line && c_word == f_rsp_word));
  wire [W-1:0] first = l_flash ? {W{1'b0}} : l_word;  // the word with which the fill starts
  wire accept = c_req_valid_i && !flush_i;

  assign c_req_ready_o = !flush_i && (stream || look);
  assign c_rsp_valid_o = state == RUN ? hit : comes && f_wanted && answers;
  assign c_rsp_rdata_o = state == RUN ? data_q : b_rsp_rdata_i;
  assign c_rsp_error_o = state != RUN && b_rsp_error_i;

  assign b_req_valid_o = state == FILL && f_asking;

  assign flush_done_o = state == CLEAR && l_line == {L{1'b1}};
  assign miss_o = state == RUN ? miss : state == FILL;

  wire tag_we = state == CLEAR || (state == RUN && miss) || (fill_end && fill_bad);
  wire tag_valid = state == RUN && l_inside;

  generate
    if (SINGLE != 0) begin : g_single
      gnomon_ram #(
        .BYTES(BYTES), .SPRAM(SPRAM)
      ) u_data (
        .clk_i(clk_i), .en_i(1'b1), .we_i({4{comes}}), .addr_i(comes ? {l_line, f_rsp_word} : {c_line, c_word}),
        .wdata_i(b_rsp_rdata_i), .rdata_o(data_q)
      );
    end else begin : g_dual
      (* no_rw_check *) reg [31:0] data[0:(BYTES/4)-1];
      reg [31:0] word_q;
      always @(posedge clk_i) begin
        word_q <= data[{c_line, c_word}];
        if (comes) data[{l_line, f_rsp_word}] <= b_rsp_rdata_i;
      end
      assign data_q = word_q;
    end
  endgenerate
  always @(posedge clk_i) begin
    tag_q <= tags[c_line];
    if (tag_we) tags[l_line] <= {tag_valid, l_tag};
  end

  always @(posedge clk_i) begin
    f_rsp_word <= f_req_word;
    if (state == RUN) begin
      f_asking <= 1'b1;
      f_req_word <= first;
      f_wanted <= 1'b1;
      f_bad <= 1'b0;
    end else begin
      if (asked) begin
        f_req_word <= f_req_word + 1'b1;
        f_asking <= f_req_word + 1'b1 != first;
      end
      f_wanted <= (stream && accept) || (f_wanted && !answers);
      if (comes) f_bad <= fill_bad;
    end
  end

  always @(posedge clk_i) begin
    if (look) begin
      {l_inside, l_tag, l_line, l_word} <= {c_inside, c_tag, c_line, c_word};
    end else if (state == CLEAR) l_line <= l_line + 1'b1;

    case (state)
      RUN: begin
        l_valid <= accept;
        if (miss) state <= FILL;
        else if (flush_i && !l_valid) begin
          state <= CLEAR;
          l_line <= {L{1'b0}};
        end
      end
      FILL: if (fill_end) begin
        state <= RUN;
        l_valid <= look && accept;
      end
      default: if (flush_done_o) state <= RUN;
    endcase

    if (rst_i) begin
      state <= CLEAR;
      l_line <= {L{1'b0}};
      l_valid <= 1'b0;
    end
  end

endmodule

`default_nettype wire
