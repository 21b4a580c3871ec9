// SPDX-License-Identifier: Apache-2.0
// Branch target buffer and return stack. An entry says that an instruction which ends in this word is a jump or branch,
// whether it is taken and where it goes. It is looked up beside the instruction word, in the cycle in which that is asked
// for; X writes what it found out. Direct mapped, 2^ENTRIES_LOG2 words; whatever it says is checked by the user.
// Behind a reset it is cleared, an entry a cycle, and until then predicts nothing: every run starts from the same state.
`default_nettype none

module gnomon_core_predict #(
    parameter ENTRIES_LOG2 = 9,
    parameter TAG_BITS = 12,
    parameter STACK_LOG2 = 3
) (
    input  wire        clk_i,
    input  wire        rst_i,

    // Looked up in one cycle, answered in the next.
    input  wire [31:2] f_addr_i,
    output wire        f_known_o,        // there is an entry,
    output wire        f_taken_o,        // and it is expected to be taken
    output wire        f_half_o,         // the instruction ends in the upper halfword
    output wire [1:0]  f_count_o,        // the state of its counter
    output wire [31:1] f_target_o,

    // Calls and returns in D and X, which the stack does not know yet.
    input  wire        d_call_i,
    input  wire        d_return_i,
    input  wire [31:1] d_link_i,         // the address behind it
    input  wire        x_holds_call_i,
    input  wire        x_holds_return_i,

    // A jump or branch that leaves X, and is to be remembered; calls and returns in any case.
    input  wire        x_valid_i,
    input  wire [31:1] x_pc_i,
    input  wire        x_short_i,
    input  wire        x_known_i,        // as it was told
    input  wire [1:0]  x_count_i,
    input  wire        x_taken_i,
    input  wire        x_always_i,       // a jump
    input  wire        x_call_i,
    input  wire        x_return_i,
    input  wire [31:1] x_target_i,
    input  wire [31:1] x_link_i
);
    localparam L = ENTRIES_LOG2;
    localparam BITS = 1 + TAG_BITS + 1 + 1 + 2 + 31;

    (* no_rw_check *) reg [BITS-1:0] entries [0:(1<<L)-1];
    reg [BITS-1:0] entry;
    reg [TAG_BITS-1:0] wanted;
    wire        valid, returns;
    wire [TAG_BITS-1:0] tag;
    wire [31:1] target;
    assign {valid, tag, returns, f_half_o, f_count_o, target} = entry;

    // Return stack: a ring, pushed and popped as calls and returns leave X. Its top for F is what it will be when those in D and
    // X are through.
    reg  [31:1] stack [0:(1<<STACK_LOG2)-1];
    reg  [STACK_LOG2-1:0] top;
    integer     i;
    wire        x_call = x_holds_call_i & ~d_return_i;
    wire        x_return = x_holds_return_i;
    wire        d_return = d_return_i & ~x_holds_call_i;
    wire [31:1] stack_top = d_call_i ? d_link_i : x_call ? x_link_i
                          : stack[top - {{(STACK_LOG2 - 1){1'b0}}, d_return} - {{(STACK_LOG2 - 1){1'b0}}, x_return}];

    reg  [L:0]  clear;                   // bit L: done
    assign f_known_o = clear[L] & valid & tag == wanted;
    assign f_taken_o = f_known_o & f_count_o[1];
    assign f_target_o = returns ? stack_top : target;

    // Writing is a cycle late, so that nothing in X waits for it.
    reg         u_valid, u_short, u_return;
    reg  [31:1] u_pc, u_target;
    reg  [1:0]  u_count;
    wire [31:1] u_last = u_pc + {30'd0, ~u_short};       // its last halfword
    wire [1:0]  counted = x_taken_i ? (&x_count_i ? 2'd3 : x_count_i + 2'd1) : (|x_count_i ? x_count_i - 2'd1 : 2'd0);

    always @(posedge clk_i) begin
        u_valid <= x_valid_i & (x_known_i | x_taken_i);
        u_short <= x_short_i;
        u_return <= x_return_i;
        u_pc <= x_pc_i;
        u_target <= x_target_i;
        u_count <= x_always_i ? 2'd3 : x_known_i ? counted : 2'd2;

        wanted <= f_addr_i[L+2+:TAG_BITS];
        entry <= entries[f_addr_i[2+:L]];
        if (~clear[L])
            entries[clear[L-1:0]] <= {BITS{1'b0}};
        else if (u_valid)
            entries[u_last[2+:L]] <= {1'b1, u_last[L+2+:TAG_BITS], u_return, u_last[1], u_count, u_target};

        if (x_call_i)
            stack[top + 1'b1] <= x_link_i;
        if (x_call_i | x_return_i)
            top <= top + {{(STACK_LOG2 - 1){x_return_i & ~x_call_i}}, 1'b1};
        if (~clear[L])
            clear <= clear + 1'b1;
        if (rst_i) begin
            clear <= {(L + 1){1'b0}};
            u_valid <= 1'b0;
            top <= {STACK_LOG2{1'b0}};
            for (i = 0; i < 1 << STACK_LOG2; i = i + 1)
                stack[i] <= 31'd0;
        end
    end

    wire unused = &{1'b0, f_addr_i, u_last};
endmodule
`default_nettype wire
