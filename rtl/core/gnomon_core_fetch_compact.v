// SPDX-License-Identifier: Apache-2.0
// Fetch of the compact core: keeps one word and the upper half of the previous word, and requests a word only when the
// last one leaves and makes room. From a memory that answers in the next cycle, this delivers one instruction per
// cycle. The only stored address is that of the instruction in D. Adding the instruction's length gives the address of
// the next instruction, and from there the next word to request. gnomon_core_fetch.v describes the ports, except those
// for redirects and for D's address.
`default_nettype none

module gnomon_core_fetch_compact (
  input  wire        clk_i, rst_i, stop_i,

  input  wire        redirect_i,  // redirect to target_i; also high in reset
  input  wire [31:1] target_i,

  output wire        i_req_valid_o,
  input  wire        i_req_ready_i,
  output wire [31:2] i_req_addr_o,
  input  wire        i_rsp_valid_i,
  input  wire [31:0] i_rsp_rdata_i,
  input  wire        i_rsp_error_i,

  output wire        f_valid_o,
  input  wire        f_take_i,
  input  wire        d_free_i,  // D gives up its instruction (also in every redirect)
  output reg  [31:1] d_pc_o,    // address of the instruction in D
  output wire [31:0] f_insn_o,
  // f_pc_o: address of the next instruction; after a failed fetch, from the next cycle on: of the failed halfword
  output wire [31:1] f_pc_o,
  output wire        f_error_o, f_error_high_o
);
  reg         f_open;                  // a request of this path has no response yet
  reg  [1:0]  f_drop;                  // requests of abandoned paths without a response
  reg         f_half_valid, f_word_valid;
  reg  [16:0] f_half;                  // {error, upper half}
  reg  [32:0] f_word;                  // {error, word}
  reg  [1:0]  d_length;                // of D's instruction, in halfwords; 0: F gave none, or its first halfword failed
  wire [31:1] f_pc = f_pc_o;

  // Words and halves for the next instruction.
  wire        f_arrive = i_rsp_valid_i && f_drop == 2'd0;
  wire        f_next_valid = f_word_valid || f_arrive;
  wire [32:0] f_next = f_word_valid ? f_word : {i_rsp_error_i, i_rsp_rdata_i};
  wire        f_odd = f_pc[1];
  wire [15:0] f_low = f_half_valid ? f_half[15:0] : f_odd ? f_next[31:16] : f_next[15:0];
  wire        f_low_error = f_half_valid ? f_half[16] : f_next[32];
  wire        f_short = f_low[1:0] != 2'b11;
  assign f_insn_o = {f_half_valid ? f_next[15:0] : f_next[31:16], f_low};
  assign f_valid_o = f_half_valid ? f_short || f_half[16] || f_next_valid : f_next_valid &&
      (f_short || !f_odd || f_next[32]);
  assign f_error_high_o = f_half_valid && !f_half[16] && !f_short && f_next[32];
  assign f_error_o = f_low_error || f_error_high_o;

  // F uses the word up, or keeps its upper half: also if a long instruction after a jump begins in the upper half.
  wire        f_take = f_valid_o && f_take_i;
  wire        f_use = f_next_valid && (f_half_valid ? f_take && !f_short : f_take || !f_valid_o);

  // Requests.
  wire        f_ask = (redirect_i || f_use || !f_open && !f_word_valid) && !f_drop[1];
  wire        f_sent = i_req_valid_o && i_req_ready_i;
  assign i_req_valid_o = f_ask && !stop_i && !rst_i;
  wire [31:2] f_ahead = f_pc[31:2] + {29'd0, f_next_valid} + {29'd0, f_half_valid};
  assign i_req_addr_o = redirect_i ? target_i[31:2] : f_ahead;

  wire        f_step2 = f_short || f_error_high_o;
  assign f_pc_o = d_pc_o + {29'd0, d_length};

  always @(posedge clk_i) begin
    if (redirect_i || d_free_i) begin
      d_pc_o <= redirect_i ? target_i : f_pc;
      d_length <= f_take && !f_low_error ? {!f_step2, f_step2} : 2'd0;
    end
    if (f_arrive)
      f_word <= {i_rsp_error_i, i_rsp_rdata_i};
    if (f_use)
      f_half <= f_next[32:16];
    f_word_valid <= f_next_valid && !f_use;
    f_half_valid <= f_use ? f_short ^ f_odd : f_half_valid && !f_take;
    f_open <= f_sent || f_open && !f_arrive;
    if (i_rsp_valid_i && f_drop != 2'd0)
      f_drop <= f_drop - 2'd1;
    if (redirect_i) begin
      d_length <= 2'd0;
      f_word_valid <= 1'b0;
      f_half_valid <= 1'b0;
      f_open <= f_sent;
      f_drop <= f_drop + {1'b0, f_open} - {1'b0, i_rsp_valid_i};
    end
    if (rst_i) begin
      f_open <= 1'b0;
      f_drop <= 2'd0;
    end
  end
endmodule
`default_nettype wire
