// SPDX-License-Identifier: Apache-2.0
// Stand-ins for units of the core in the bounded checks, with the same names and ports. With WAIT (liveness) they take
// the minimum time.
`default_nettype none
`ifdef WAIT
`define BOUNDED 1'b1
`else
`define BOUNDED 1'b0
`endif

// The function that core and specification use in place of product, quotient and remainder: cheap, different for each
// operation, not symmetric. mul.v and div.v prove the real units separately.
module formal_muldiv (
    input  wire [2:0]  op_i,
    input  wire [31:0] a_i, b_i,
    output wire [31:0] result_o
);
    assign result_o = (a_i ^ {b_i[30:0], b_i[31]}) ^ {op_i, 13'd0, op_i, 10'd0, op_i};
endmodule

module gnomon_core_mul #(
    parameter SIGNED = 0,
    parameter EAGER = 1
) (
    input  wire        clk_i, x_mul_i,
    input  wire [31:0] x_a_i, x_b_i,
    input  wire [1:0]  x_op_i,
    input  wire        m_mul_i,
    output wire [31:0] m_result_o
);
    wire [31:0] result;
    reg  [31:0] m_result;
    formal_muldiv f (.op_i({1'b0, x_op_i}), .a_i(x_a_i), .b_i(x_b_i), .result_o(result));
    always @(posedge clk_i)
        if (x_mul_i)
            m_result <= result;
    assign m_result_o = m_mul_i ? m_result : 32'd0;
endmodule

// Like the real unit, it takes its operands in its first cycle and stays done until clear. Its duration is free, and
// its result is wrong before it is done.
module gnomon_core_muldiv #(
    parameter MUL = 0,
    parameter EAGER = 1
) (
    input  wire        clk_i, clear_i, select_i, start_i,
    input  wire [2:0]  op_i,
    input  wire [31:0] a_i, b_i,
    output wire        done_o,
    output wire [31:0] result_o
);
    (* anyseq *) reg quick;
    reg         busy, ready;
    reg  [31:0] a, b;
    wire [31:0] result;
    formal_muldiv f (.op_i(op_i), .a_i(a), .b_i(b), .result_o(result));
    always @(posedge clk_i) begin
        if (~busy) begin
            a <= a_i;
            b <= b_i;
            ready <= 1'b0;
            busy <= start_i;
        end else
            ready <= ready | quick | `BOUNDED;
        if (clear_i)
            busy <= 1'b0;
    end
    assign done_o = busy & ready;
    assign result_o = ~select_i ? 32'd0 : done_o ? result : ~result;
endmodule

// The compact core's unit: the register of the first operand lies outside, and the unit may use it freely while it
// works. The unit also chooses whether the second operand comes complemented.
module gnomon_core_serial (
    input  wire        clk_i, load_i, d_shift_i, d_mul_i, d_div_i,
    input  wire [1:0]  d_op_i,
    input  wire        d_a_sign_i, d_b_sign_i,
    input  wire [4:0]  d_amount_i,
    output wire        d_complement_o,
    input  wire        x_mine_i, x_valid_i, x_shift_i, x_arithmetic_i,
    input  wire [2:0]  x_op_i,
    input  wire [31:0] x_a_i, x_b_i,
    input  wire        x_complement_i,
    output wire        x_step_o,
    output wire [31:0] x_a_o,
    output wire        done_o,
    output wire [31:0] result_o
);
    (* anyseq *) reg quick, complement;
    (* anyseq *) reg [31:0] any;
    reg         first, ready;
    reg  [31:0] a;
    reg  [4:0]  amount;
    wire [31:0] b = x_b_i ^ {32{x_complement_i}};
    wire [31:0] computed;
    formal_muldiv f (.op_i(x_op_i), .a_i(a), .b_i(b), .result_o(computed));
    wire signed [31:0] arithmetic = $signed(a) >>> amount;
    wire [31:0] shifted = ~x_op_i[2] ? a << amount : x_arithmetic_i ? arithmetic : a >> amount;
    assign d_complement_o = (d_mul_i | d_div_i) & complement;
    always @(posedge clk_i) begin
        if (first)
            a <= x_a_i;
        if (x_mine_i & x_valid_i) begin
            first <= 1'b0;
            ready <= ~first & (ready | quick | `BOUNDED);
        end
        if (load_i) begin
            first <= 1'b1;
            ready <= 1'b0;
            amount <= d_amount_i;
        end
    end
    assign done_o = ~first & ready;
    assign x_step_o = x_mine_i & x_valid_i & ~done_o;
    assign x_a_o = any;
    assign result_o = ~x_mine_i ? 32'd0 : ~done_o ? any : x_shift_i ? shifted : computed;
endmodule

// Holds the word of one register, whose number is free but constant; every other register reads as any value, x0 as
// zero. A read of a register at the edge of its write is free. regfile.v proves that the real register file is no
// worse.
module gnomon_core_regfile #(
    parameter READ = 0
) (
    input  wire        clk_i,
    input  wire [4:0]  raddr1_i, raddr2_i,
    output wire [31:0] rdata1_o, rdata2_o,
    input  wire        we_i,
    input  wire [4:0]  waddr_i,
    input  wire [31:0] wdata_i
);
    (* anyseq *) reg [31:0] any1;
    (* anyseq *) reg [31:0] any2;
    (* anyconst *) reg [4:0] place;
    reg  [31:0] word;
    reg  [4:0]  raddr1, raddr2;
    reg         clash1, clash2;
    always @(posedge clk_i) begin
        raddr1 <= raddr1_i;
        raddr2 <= raddr2_i;
        clash1 <= we_i & waddr_i == raddr1_i;
        clash2 <= we_i & waddr_i == raddr2_i;
        if (we_i & waddr_i == place)
            word <= wdata_i;
    end
    // READ: a read in the middle of the cycle, or without a clock, sees the write at the previous edge, and the address
    // of this cycle.
    wire [4:0]  now1 = READ != 0 ? raddr1_i : raddr1;
    wire [4:0]  now2 = READ != 0 ? raddr2_i : raddr2;
    reg  [31:0] before;                  // of word: a read at an edge does not see the write at that edge
    always @(posedge clk_i)
        before <= word;
    wire [31:0] seen = READ != 0 ? word : before;
    assign rdata1_o = now1 == 5'd0 ? 32'd0 : now1 == place & ~(READ == 0 & clash1) ? seen : any1;
    assign rdata2_o = now2 == 5'd0 ? 32'd0 : now2 == place & ~(READ == 0 & clash2) ? seen : any2;

    reg         started = 1'b0;          // the first effect of the cycle before reset is past
    always @(posedge clk_i) begin
        started <= 1'b1;
        if (started & we_i & waddr_i == 5'd0)
            assert (wdata_i == 32'd0);
    end
endmodule

// Makes an arbitrary prediction in each cycle.
module gnomon_core_predict #(
    parameter ENTRIES_LOG2 = 9,
    parameter TAG_BITS = 12,
    parameter STACK_LOG2 = 3,
    parameter EAGER = 1
) (
    input  wire        clk_i, rst_i,
    input  wire [31:2] f_addr_i,
    output wire        f_known_o, f_taken_o, f_half_o,
    output wire [31:1] f_target_o,
    input  wire        d_call_i, d_return_i,
    input  wire [31:1] d_link_i,
    input  wire        x_holds_call_i, x_holds_return_i, x_holds_jump_i, x_valid_i,
    input  wire [31:1] x_pc_i,
    input  wire [31:2] x_word_next_i,
    input  wire        x_short_i, x_known_i, x_expected_i, x_moved_i, x_taken_i, x_always_i, x_later_i, m_taken_i,
    input  wire        x_call_i, x_return_i,
    input  wire [31:1] x_target_i, x_link_i
);
    (* anyseq *) reg [33:0] any;
    assign {f_known_o, f_taken_o, f_half_o, f_target_o} = any;
endmodule
`default_nettype wire
