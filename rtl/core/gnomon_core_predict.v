// SPDX-License-Identifier: Apache-2.0
// Branch target buffer and return stack. An entry holds that a jump or branch ends in this word, whether it is expected
// to be taken next time, and its target. F reads the entry in parallel with the instruction word, in the cycle of the
// word's request. The entry is written after the jump or branch has left X. The buffer is direct mapped, with
// 2^ENTRIES_LOG2 words. The core checks every prediction.
//
// The last HISTORY outcomes of a branch and some of its address bits select a counter, which predicts the next outcome.
// The predictor does this when the branch has been decided, for the next time, so that fetch waits for one memory only.
//
// The predictor never uses a memory word that was read during its own write, so a board and a simulation predict alike.
// After a reset all memories are cleared, one word per cycle, so every run starts from the same state. Until all
// entries are cleared, nothing is predicted or learnt. Until all counters are cleared, a branch is expected to repeat
// its last outcome.
`default_nettype none

module gnomon_core_predict #(
  parameter ENTRIES_LOG2 = 9,
  parameter TAG_BITS = 8,
  parameter NEAR = 25,                 // an entry holds targets within its own region of 2^NEAR bytes
  parameter HISTORY = 10,
  parameter COUNTERS_LOG2 = 13,        // more than HISTORY, at least ENTRIES_LOG2
  parameter STACK_LOG2 = 3,
  parameter EAGER = 1                  // 0: evaluates only requested results
) (
  input  wire        clk_i, rst_i,

  // Lookup: the address in one cycle, the prediction in the next.
  input  wire [31:2] f_addr_i,
  output wire        f_known_o,  // the word has an entry
  output wire        f_taken_o,  // the jump or branch is expected to be taken
  output wire        f_half_o,   // the jump or branch ends in the upper halfword
  output wire [31:1] f_target_o,

  // Calls and returns in D and X, not yet in the stack. No instruction is both a call and a return.
  input  wire        d_call_i, d_return_i,
  input  wire [31:1] d_link_i,  // address after the instruction
  input  wire        x_holds_call_i, x_holds_return_i,

  // A jump or branch that leaves X and is to be learnt. x_call_i and x_return_i do not depend on x_valid_i.
  input  wire        x_holds_jump_i,  // X has a jump or branch, which stays or leaves
  input  wire        x_valid_i,
  input  wire [31:1] x_pc_i,
  input  wire [31:2] x_word_next_i,   // word of the next instruction
  input  wire        x_short_i,
  input  wire        x_known_i,       // the instruction had a prediction
  input  wire        x_expected_i,    // the instruction was predicted taken
  input  wire        x_moved_i,       // a jalr was predicted with a wrong target, or without a target
  input  wire        x_taken_i,
  input  wire        x_always_i,      // the instruction is a jump
  input  wire        x_later_i,       // the instruction is a branch that M decides, in the next cycle
  input  wire        m_taken_i,       // the branch that M decides is taken
  input  wire        x_call_i, x_return_i,
  input  wire [31:1] x_target_i, x_link_i  // x_link_i is 0 in reset
);
  localparam L = ENTRIES_LOG2, C = COUNTERS_LOG2, H = HISTORY;
  localparam BITS = 1 + TAG_BITS + 1 + 1 + 1 + NEAR - 1;   // 36: one block RAM of the ECP5

  (* no_rw_check *) reg [BITS-1:0] entries [0:(1<<L)-1];
  reg [BITS-1:0] entry;
  reg [L+TAG_BITS-1:0] wanted;
  reg  [31:NEAR] region;
  reg         wrote;                   // an entry was written during the read
  reg  [L-1:0] wrote_at;               // index of that written entry
  reg         silent;                  // not all entries were cleared
  wire        valid, returns, taken;
  wire [TAG_BITS-1:0] tag;
  wire [NEAR-1:1] target;
  assign {valid, tag, returns, f_half_o, taken, target} = entry;

  // Return stack: a ring. Calls push and returns pop as they leave X. F gets the top as it will be after the calls and
  // returns in D and X. Reset clears it, one word per cycle; where the top is then does not matter.
  (* no_rw_check *) reg [31:1] stack [0:(1<<STACK_LOG2)-1];
  reg  [STACK_LOG2-1:0] top = {STACK_LOG2{1'b0}};
  wire        x_call = x_holds_call_i && !d_return_i;
  wire        x_return = x_holds_return_i;
  wire        d_return = d_return_i && !x_holds_call_i;
  // Separate wires fix the width of the index: simulators disagree on the width of a memory's index.
  wire [STACK_LOG2-1:0] next = top + 1'b1;
  wire [STACK_LOG2-1:0] shown = top - {{(STACK_LOG2 - 1){1'b0}}, d_return} - {{(STACK_LOG2 - 1){1'b0}}, x_return};
  wire [31:1] stack_top = d_call_i ? d_link_i : x_call ? x_link_i : stack[shown];

  reg  [C:0]  clear;                   // next index to clear; upper bit: all memories are cleared
  wire        clears_entries = clear[C:L] == {(C - L + 1){1'b0}};
  wire        clears_counters = !clear[C];
  assign f_known_o = valid && tag == wanted[L+:TAG_BITS] && !(wrote && wrote_at == wanted[L-1:0]) && !silent;
  assign f_taken_o = f_known_o && taken;
  assign f_target_o = returns ? stack_top : {region, target};

  // Learning takes two steps after X. U computes the indices of two counters: for the history before this outcome and
  // for the history after it. A new branch starts with a history of taken only; few branches share a counter.
  // Address of the instruction's last halfword: in the word of the next instruction only if this one spans two words.
  wire [31:1] x_last = {!x_short_i && x_pc_i[1] ? x_word_next_i : x_pc_i[31:2], x_pc_i[1] ^ !x_short_i};
  reg         u_valid, u_known, u_expected, u_moved, u_taken, u_always, u_later, u_return;
  reg  [31:1] u_last, u_target;
  wire        u_went = u_later ? m_taken_i : u_taken;
  (* no_rw_check *) reg [H-1:0] histories [0:(1<<L)-1];
  reg  [H-1:0] u_read, v_history;
  reg          u_again;                // the branch in V has the index of the branch in U
  wire [H-1:0] u_before = !u_known ? {H{1'b1}} : u_again ? v_history : u_read;
  wire [H-1:0] u_after = {u_before[H-2:0], u_went};
  reg  [C-1:0] u_index, u_next;
  always @* begin
    u_index = {C{1'b0}};
    u_next = {C{1'b0}};
    if (EAGER != 0 || u_valid) begin
      u_index = {u_last[2+:C-1] ^ {u_before[H-1:1], {(C - H){1'b0}}}, u_before[0]};
      u_next = {u_last[2+:C-1] ^ {u_after[H-1:1], {(C - H){1'b0}}}, u_after[0]};
    end
  end
  (* no_rw_check *) reg [1:0] counters [0:(1<<C)-1];
  (* no_rw_check *) reg counters_after [0:(1<<C)-1];   // copy of the upper bits, as a second read port

  // V updates the counter and writes the new prediction.
  reg         v_valid, v_known, v_expected, v_moved, v_went, v_return;
  reg         v_count;                 // V has a branch, and all counters were cleared
  reg  [31:1] v_last, v_target;
  reg  [C-1:0] v_index, v_next;
  reg  [1:0]  v_read, v_last_counted;
  reg         v_read_next;
  reg         v_same, v_same_next;     // the branch ahead updated the counter at v_index, at v_next
  wire [1:0]  v_counter = v_same ? v_last_counted : v_read;
  reg  [1:0]  v_counted;
  reg         v_expect, v_write;
  always @* begin
    v_counted = 2'd0;
    v_expect = v_went;
    if (EAGER != 0 || v_count) begin
      v_counted = v_went ? (&v_counter ? 2'd3 : v_counter + 2'd1) : (|v_counter ? v_counter - 2'd1 : 2'd0);
      v_expect = !v_count ? v_went
           : v_next == v_index ? v_counted[1] : v_same_next ? v_last_counted[1] : v_read_next;
    end
    // A write hides the entry from a lookup in the same cycle, so V writes only changes.
    v_write = 1'b0;
    if (v_valid)
      v_write = (!v_known || v_moved || v_expect != v_expected) && (v_return || v_target[31:NEAR] == v_last[31:NEAR]);
  end

  always @(posedge clk_i) begin
    wanted <= f_addr_i[2+:L+TAG_BITS];
    region <= f_addr_i[31:NEAR];
    entry <= entries[f_addr_i[2+:L]];
    wrote <= v_write;
    wrote_at <= v_last[2+:L];
    silent <= clears_entries;

    u_valid <= x_valid_i;
    if (EAGER != 0 || x_holds_jump_i) begin
      u_known <= x_known_i;
      u_expected <= x_expected_i;
      u_moved <= x_moved_i;
      u_taken <= x_taken_i;
      u_always <= x_always_i;
      u_later <= x_later_i;
      u_return <= x_return_i;
      u_last <= x_last;
      u_target <= x_target_i;
      u_read <= histories[x_last[2+:L]];
      u_again <= u_valid && x_last[2+:L] == u_last[2+:L];
    end

    v_valid <= u_valid && (u_known || u_went);
    v_count <= u_valid && (u_known || u_went) && !u_always && !clears_counters;
    if (EAGER != 0 || u_valid) begin
      v_known <= u_known;
      v_expected <= u_expected;
      v_moved <= u_moved;
      v_went <= u_went;
      v_return <= u_return;
      v_last <= u_last;
      v_target <= u_target;
      v_history <= u_after;
      v_index <= u_index;
      v_next <= u_next;
      v_read <= counters[u_index];
      v_read_next <= counters_after[u_next];
      v_same <= v_count && v_index == u_index;
      v_same_next <= v_count && v_index == u_next;
      v_last_counted <= v_counted;
    end
    if (u_valid)
      histories[u_last[2+:L]] <= u_after;
    if (clears_entries)
      entries[clear[L-1:0]] <= {BITS{1'b0}};
    else if (v_write)
      entries[v_last[2+:L]] <= {1'b1, v_last[L+2+:TAG_BITS], v_return, v_last[1], v_expect, v_target[NEAR-1:1]};
    if (clears_counters) begin
      counters[clear[C-1:0]] <= clear[0] ? 2'd2 : 2'd1;    // predicts the last outcome again
      counters_after[clear[C-1:0]] <= clear[0];
    end else if (v_count) begin
      counters[v_index] <= v_counted;
      counters_after[v_index] <= v_counted[1];
    end

    if (x_call_i || rst_i)
      stack[next] <= x_link_i;       // 0 in reset
    if (x_call_i || x_return_i || rst_i)
      top <= top + {{(STACK_LOG2 - 1){x_return_i && !rst_i}}, 1'b1};
    if (clears_counters)
      clear <= clear + 1'b1;
    if (rst_i)
      clear <= {(C + 1){1'b0}};
  end

  wire unused = &{1'b0, f_addr_i, v_last};
endmodule
`default_nettype wire
