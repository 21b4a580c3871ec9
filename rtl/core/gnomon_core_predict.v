// SPDX-License-Identifier: Apache-2.0
// Branch target buffer and return stack. An entry says that an instruction which ends in this word is a jump or branch,
// whether it is taken next time and where it goes. It is looked up beside the instruction word, in the cycle in which
// that is asked for; X writes what it found out. Direct mapped, 2^ENTRIES_LOG2 words; whatever it says is checked by
// the user.
//
// Whether a branch is taken is foretold from what it did the last HISTORY times: this, with some of its address,
// chooses a counter. It happens when the branch has been decided, for the next time, so that fetching waits for one
// memory only.
//
// No memory's word is used that was written while it was read, so a board and a simulation predict the same. Behind a
// reset all is cleared, an entry a cycle, so that every run starts from the same state. Until the entries are, nothing
// is predicted or learnt; until the counters are, what a branch did last.
`default_nettype none

module gnomon_core_predict #(
  parameter ENTRIES_LOG2 = 9,
  parameter TAG_BITS = 8,
  parameter NEAR = 25,                 // jumps are remembered within regions of 2^NEAR bytes
  parameter HISTORY = 10,
  parameter COUNTERS_LOG2 = 13,        // more than HISTORY, at least ENTRIES_LOG2
  parameter STACK_LOG2 = 3,
  parameter EAGER = 1                  // 0: works out only what is asked for
) (
  input  wire        clk_i, rst_i,

  // Looked up in one cycle, answered in the next.
  input  wire [31:2] f_addr_i,
  output wire        f_known_o,  // there is an entry,
  output wire        f_taken_o,  // and it is expected to be taken
  output wire        f_half_o,   // the instruction ends in the upper halfword
  output wire [31:1] f_target_o,

  // Calls and returns in D and X, which the stack does not know yet. No instruction is both.
  input  wire        d_call_i, d_return_i,
  input  wire [31:1] d_link_i,  // the address after it
  input  wire        x_holds_call_i, x_holds_return_i,

  // A jump or branch that leaves X, and is to be remembered; calls and returns in any case.
  input  wire        x_holds_jump_i,  // X has a jump or branch, which stays or leaves
  input  wire        x_valid_i,
  input  wire [31:1] x_pc_i,
  input  wire        x_short_i,
  input  wire        x_known_i,       // as it was told
  input  wire        x_expected_i,    // to be taken,
  input  wire        x_moved_i,       // but to another target
  input  wire        x_taken_i,
  input  wire        x_always_i,      // a jump
  input  wire        x_later_i,       // a branch that is decided in the next cycle:
  input  wire        m_taken_i,       // this
  input  wire        x_call_i, x_return_i,
  input  wire [31:1] x_target_i, x_link_i
);
  localparam L = ENTRIES_LOG2, C = COUNTERS_LOG2, H = HISTORY;
  localparam BITS = 1 + TAG_BITS + 1 + 1 + 1 + NEAR - 1;   // 36: one block RAM of the ECP5

  (* no_rw_check *) reg [BITS-1:0] entries [0:(1<<L)-1];
  reg [BITS-1:0] entry;
  reg [L+TAG_BITS-1:0] wanted;
  reg  [31:NEAR] region;
  reg         wrote;                   // while it was read,
  reg  [L-1:0] wrote_at;               // to this place
  reg         silent;                  // not all were cleared
  wire        valid, returns, taken;
  wire [TAG_BITS-1:0] tag;
  wire [NEAR-1:1] target;
  assign {valid, tag, returns, f_half_o, taken, target} = entry;

  // Return stack: a ring, pushed and popped as calls and returns leave X. Its top for F is what it will be when those
  // in D and X are through.
  reg  [31:1] stack [0:(1<<STACK_LOG2)-1];
  reg  [STACK_LOG2-1:0] top;
  integer     i;
  wire        x_call = x_holds_call_i && !d_return_i;
  wire        x_return = x_holds_return_i;
  wire        d_return = d_return_i && !x_holds_call_i;
  // Wires of their own, as simulators disagree on how wide the index of a memory is.
  wire [STACK_LOG2-1:0] next = top + 1'b1;
  wire [STACK_LOG2-1:0] shown = top - {{(STACK_LOG2 - 1){1'b0}}, d_return} - {{(STACK_LOG2 - 1){1'b0}}, x_return};
  wire [31:1] stack_top = d_call_i ? d_link_i : x_call ? x_link_i : stack[shown];

  reg  [C:0]  clear;                   // the next to be cleared; upper bit: all are
  wire        clears_entries = clear[C:L] == {(C - L + 1){1'b0}};
  wire        clears_counters = !clear[C];
  assign f_known_o = valid && tag == wanted[L+:TAG_BITS] && !(wrote && wrote_at == wanted[L-1:0]) && !silent;
  assign f_taken_o = f_known_o && taken;
  assign f_target_o = returns ? stack_top : {region, target};

  // What leaves X is learnt in two steps. U: what it has done before, and so the counters of that and of what it will
  // then have done. A branch that is new has always been taken; branches share their counters with few others.
  wire [31:1] x_last = x_pc_i + {30'd0, !x_short_i};   // its last halfword
  reg         u_valid, u_known, u_expected, u_moved, u_taken, u_always, u_later, u_return;
  reg  [31:1] u_last, u_target;
  wire        u_went = u_later ? m_taken_i : u_taken;
  (* ram_style = "distributed", no_rw_check *) reg [H-1:0] histories [0:(1<<L)-1];
  reg  [H-1:0] u_read, v_history;
  reg          u_again;                // the one in V is the same branch
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
  (* no_rw_check *) reg counters_after [0:(1<<C)-1];   // the upper bits again: a second port to read

  // V: count, and write what to expect.
  reg         v_valid, v_known, v_expected, v_moved, v_went, v_return;
  reg         v_count;                 // a branch, and its counters were read
  reg  [31:1] v_last, v_target;
  reg  [C-1:0] v_index, v_next;
  reg  [1:0]  v_read, v_last_counted;
  reg         v_read_next;
  reg         v_same, v_same_next;     // the one before has counted there
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
    // Written is only what is new: the next instructions may be looked up just now.
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
      counters[clear[C-1:0]] <= clear[0] ? 2'd2 : 2'd1;    // as the last time
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
