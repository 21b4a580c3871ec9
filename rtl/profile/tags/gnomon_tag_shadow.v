// SPDX-License-Identifier: Apache-2.0
// The shadow memory: one word of tags for each mapped word of main memory, one port. The tags of instructions and the
// tag of data can be written separately. A write returns the word before the write.
`default_nettype none

module gnomon_tag_shadow #(
  parameter LOG2 = 18, // log2 of its words
  parameter WAIT = 0   // additional cycles of an access, for a bench
) (
  input  wire            clk_i, rst_i,

  output wire            ready_o,  // an access can start in this cycle
  input  wire            take_i,   // only while ready_o
  input  wire            code_i,   // writes [9:0], the tags of instructions
  input  wire            data_i,   // writes [14:10], the tag of the word as data
  input  wire [LOG2-1:0] index_i,
  input  wire [14:0]     word_i,

  output reg             done_o,  // 1 + WAIT cycles after take_i
  output wire [14:0]     word_o
`ifdef FORMAL
  , input wire [LOG2-1:0] f_at_i,
  output wire [14:0]     f_word_o
`endif
);
  wire go, code, data; // access of the memory itself
  wire [LOG2-1:0] at;
  wire [14:0] word;

  // Two memories replace one with write enables: a write must return the previous word, and only a separate memory for
  // each enable has ports that can do this.
  reg [9:0] codes[0:(1<<LOG2)-1];
  reg [4:0] datas[0:(1<<LOG2)-1];
  reg [9:0] code_was;
  reg [4:0] data_was;
  always @(posedge clk_i) begin
    if (go) begin
      code_was <= codes[at];
      data_was <= datas[at];
      if (code) codes[at] <= word[9:0];
      if (data) datas[at] <= word[14:10];
    end
    done_o <= go && !rst_i;
  end
  assign word_o = {data_was, code_was};
`ifdef FORMAL
  assign f_word_o = {datas[f_at_i], codes[f_at_i]};
`endif

  generate
    if (WAIT == 0) begin : g_fast
      assign ready_o = 1'b1;
      assign {go, code, data, at, word} = {take_i, code_i, data_i, index_i, word_i};
    end else begin : g_slow
      reg [LOG2+16:0] held;
      reg  [WAIT-1:0] since; // bit n: an access was taken n + 1 cycles ago
      wire [WAIT:0] next = {since, take_i};
      always @(posedge clk_i) begin
        if (take_i) held <= {code_i, data_i, index_i, word_i};
        since <= next[WAIT-1:0] & {WAIT{!rst_i}};
      end
      assign ready_o = since == {WAIT{1'b0}};
      assign go = since[WAIT-1];
      assign {code, data, at, word} = held;
      wire unused = &{1'b0, next[WAIT]};
    end
  endgenerate
endmodule

`default_nettype wire
