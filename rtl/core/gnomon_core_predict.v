// SPDX-License-Identifier: Apache-2.0
// Branch target buffer and return stack. An entry says that an instruction which ends in this word is a jump or branch,
// whether it is predicted taken, and its target. It is looked up in the cycle in which the word is requested; X writes
// the outcomes. Direct mapped, 2^ENTRIES_LOG2 words; the core checks each prediction.
//
// A branch's direction is predicted from its last HISTORY outcomes: these and some of its address bits select a
// counter. This happens when the branch is decided, for its next execution, so that fetching waits for one memory only.
//
// A word that is written while it is read is not used, so a board and a simulation predict the same. Reset clears all
// memories, an entry a cycle, so that every run starts from the same state. Until the entries are cleared, the unit
// neither predicts nor learns; until the counters are cleared, it predicts a branch's last outcome.
`default_nettype none

module gnomon_core_predict #(
  parameter ENTRIES_LOG2 = 9,
  parameter TAG_BITS = 8,
  parameter NEAR = 25,                 // jumps are predicted only within regions of 2^NEAR bytes
  parameter HISTORY = 10,
  parameter COUNTERS_LOG2 = 13,        // more than HISTORY, at least ENTRIES_LOG2
  parameter STACK_LOG2 = 3,
  parameter EAGER = 1                  // 0: evaluates only the results that are needed
) (
  input  wire        clk_i, rst_i,

  // Look-up in one cycle, answer in the next.
  input  wire [31:2] f_addr_i,
  output wire        f_known_o,  // an entry exists
  output wire        f_taken_o,  // the entry predicts taken
  output wire        f_half_o,   // the instruction ends in the upper halfword
  output wire [31:1] f_target_o,

  // Calls and returns in D and X, which are not on the return stack yet. No instruction is both.
  input  wire        d_call_i, d_return_i,
  input  wire [31:1] d_link_i,  // address after the call
  input  wire        x_holds_call_i, x_holds_return_i,

  // A jump or branch that leaves X and is to be learnt; calls and returns always.
  input  wire        x_holds_jump_i,  // X holds a jump or branch, whether it stays or leaves
  input  wire        x_valid_i,
  input  wire [31:1] x_pc_i,
  input  wire        x_short_i,
  input  wire        x_known_i,       // it had a prediction
  input  wire        x_expected_i,    // it was predicted taken
  input  wire        x_moved_i,       // it was predicted to another target
  input  wire        x_taken_i,
  input  wire        x_always_i,      // a jump
  input  wire        x_later_i,       // a branch that M decides
  input  wire        m_taken_i,       // outcome of that branch
  input  wire        x_call_i, x_return_i,
  input  wire [31:1] x_target_i, x_link_i
);
  localparam L = ENTRIES_LOG2, C = COUNTERS_LOG2, H = HISTORY;
  localparam BITS = 1 + TAG_BITS + 1 + 1 + 1 + NEAR - 1;   // 36 bits: one block RAM of the ECP5

  (* no_rw_check *) reg [BITS-1:0] entries [0:(1<<L)-1];
  reg [BITS-1:0] entry;
  reg [L+TAG_BITS-1:0] wanted;
  reg  [31:NEAR] region;
  reg         wrote;                   // the last cycle wrote an entry
  reg  [L-1:0] wrote_at;               // index of that entry
  reg         silent;                  // entries are still being cleared
  wire        valid, returns, taken;
  wire [TAG_BITS-1:0] tag;
  wire [NEAR-1:1] target;
  assign {valid, tag, returns, f_half_o, taken, target} = entry;

  // Return stack: a ring, pushed and popped as calls and returns leave X. F sees the top as it will be after the calls
  // and returns in D and X.
  reg  [31:1] stack [0:(1<<STACK_LOG2)-1];
  reg  [STACK_LOG2-1:0] top;
  integer     i;
  wire        x_call = x_holds_call_i && !d_return_i;
  wire        x_return = x_holds_return_i;
  wire        d_return = d_return_i && !x_holds_call_i;
  // Separate wires, because simulators disagree on the width of a memory index.
  wire [STACK_LOG2-1:0] next = top + 1'b1;
  wire [STACK_LOG2-1:0] shown = top - {{(STACK_LOG2 - 1){1'b0}}, d_return} - {{(STACK_LOG2 - 1){1'b0}}, x_return};
  wire [31:1] stack_top = d_call_i ? d_link_i : x_call ? x_link_i : stack[shown];

  reg  [C:0]  clear;                   // next index to clear; upper bit: all are clear
  wire        clears_entries = clear[C:L] == {(C - L + 1){1'b0}};
  wire        clears_counters = !clear[C];
  assign f_known_o = valid && tag == wanted[L+:TAG_BITS] && !(wrote && wrote_at == wanted[L-1:0]) && !silent;
  assign f_taken_o = f_known_o && taken;
  assign f_target_o = returns ? stack_top : {region, target};

  // An instruction that leaves X is learnt in two steps. U: takes the history, and reads the counters of the
  // history before and after this outcome. The history of a new branch is all taken; branches share their counters with
  // few others.
  wire [31:1] x_last = x_pc_i + {30'd0, !x_short_i};   // address of its last halfword
  reg         u_valid, u_known, u_expected, u_moved, u_taken, u_always, u_later, u_return;
  reg  [31:1] u_last, u_target;
  wire        u_went = u_later ? m_taken_i : u_taken;
  (* ram_style = "distributed", no_rw_check *) reg [H-1:0] histories [0:(1<<L)-1];
  reg  [H-1:0] u_read, v_history;
  reg          u_again;                // V holds the same branch
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
  (* no_rw_check *) reg counters_after [0:(1<<C)-1];   // copy of the upper bits: a second read port

  // V: updates the counter, and writes the next prediction.
  reg         v_valid, v_known, v_expected, v_moved, v_went, v_return;
  reg         v_count;                 // a branch whose counters were read
  reg  [31:1] v_last, v_target;
  reg  [C-1:0] v_index, v_next;
  reg  [1:0]  v_read, v_last_counted;
  reg         v_read_next;
  reg         v_same, v_same_next;     // the previous branch has updated this counter
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
    // Writes only changes: a write hides the entry from a look-up in the same cycle.
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
      counters[clear[C-1:0]] <= clear[0] ? 2'd2 : 2'd1;    // predicts the last outcome
      counters_after[clear[C-1:0]] <= clear[0];
    end else if (v_count) begin
      counters[v_index] <= v_counted;
      counters_after[v_index] <= v_counted[1];
    end

    if (x_call_i)
      stack[next] <= x_link_i;
    if (x_call_i || x_return_i)
      top <= top + {{(STACK_LOG2 - 1){x_return_i}}, 1'b1};
    if (clears_counters)
      clear <= clear + 1'b1;
    if (rst_i) begin
      clear <= {(C + 1){1'b0}};
      top <= {STACK_LOG2{1'b0}};
      for (i = 0; i < 1 << STACK_LOG2; i = i + 1)
        stack[i] <= 31'd0;
    end
  end

  wire unused = &{1'b0, f_addr_i, v_last};
endmodule
`default_nettype wire
