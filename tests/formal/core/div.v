// SPDX-License-Identifier: Apache-2.0
// The iterative unit, for all operands, by induction over its steps. Ghost registers hold the product of quotient (or
// multiplier) and divisor (or multiplicand), computed bit by bit without a multiplication: for a division quotient *
// divisor + remainder = dividend and remainder < divisor, for a product the sum itself. The proof then compares signs,
// division by zero and overflow with the manual.
`default_nettype none
// STEP: from any state in which all assertions hold, they hold in the next state. Otherwise: from reset.
`ifdef STEP
`define HOLDS(what) if ($initstate) assume (what); else assert (what)
`else
`define HOLDS(what) assert (what)
`endif

module formal_div (
    input wire        clk_i,
    input wire        go_i,              // an instruction comes
    input wire        leave_i,           // the instruction leaves when it is done
    input wire [2:0]  in_op,
    input wire [31:0] in_a, in_b
);
    reg         past = 1'b0;
    wire        rst = ~past;
    always @(posedge clk_i)
        past <= 1'b1;

    reg         start = 1'b0;
    reg  [2:0]  op;
    reg  [31:0] a, b;
    wire        done;
    wire [31:0] result;
    wire        clear = rst | ~start | done & leave_i;
    gnomon_core_muldiv #(.MUL(1)) dut (
        .clk_i(clk_i), .clear_i(clear), .select_i(1'b1), .start_i(start), .op_i(op), .a_i(a), .b_i(b), .done_o(done), .result_o(result));
    always @(posedge clk_i) begin
        if (rst | start & done & leave_i)
            start <= 1'b0;
        else if (~start & go_i) begin
            start <= 1'b1;
            op <= in_op;
            a <= in_a;
            b <= in_b;
        end
    end

    // Within the unit.
    (* hierconn *) wire        \dut.busy , \dut.negate , \dut.b_adds_1 ;
    (* hierconn *) wire [5:0]  \dut.count ;
    (* hierconn *) wire [31:0] \dut.high , \dut.low , \dut.b ;
    wire        busy = \dut.busy , negate = \dut.negate , adds_1 = \dut.b_adds_1 ;
    wire [5:0]  count = \dut.count ;
    wire [31:0] high = \dut.high , low = \dut.low , divisor = \dut.b ;

    wire        divide = op[2];
    wire        a_negative = a[31] & (divide ? ~op[0] : op != 3'd3);
    wire        b_negative = b[31] & (divide ? ~op[0] : ~op[1]);
    wire [31:0] a_size = a_negative ? -a : a;
    wire [31:0] b_size = b_negative ? -b : b;
    // Steps that the unit skips, one for each leading zero of the dividend.
    wire [5:0]  skipped = ~divide | b == 32'd0 | a_size >= 32'd1 << 24 ? 6'd0 : a_size >= 32'd1 << 16 ? 6'd8 : a_size >= 32'd1 << 8 ? 6'd16 : 6'd24;

    // State after `steps` steps.
    reg  [5:0]  steps = 6'd0;
    reg         on = 1'b0;               // the unit has its operands
    reg  [31:0] rest;                    // of the dividend or multiplier; the next bit is taken from its end
    reg  [31:0] taken;                   // of the dividend: the bits so far; the unit's low has the quotient so far
    reg  [31:0] quotient;
    reg  [63:0] sum;                     // quotient * divisor; or the product so far
    reg  [63:0] shifted;                 // multiplicand, shifted to the next bit
    wire [32:0] with_next = {high, rest[31]};
    wire        fits = with_next >= {1'b0, b_size};
    always @(posedge clk_i) begin
        if (clear) begin
            on <= 1'b0;
        end else if (~on) begin
            on <= 1'b1;
            steps <= skipped;
            rest <= a_size << skipped;
            taken <= 32'd0;
            quotient <= 32'd0;
            sum <= 64'd0;
            shifted <= {32'd0, b_size};
        end else if (steps != 6'd32) begin
            steps <= steps + 6'd1;
            if (divide) begin
                rest <= {rest[30:0], 1'b0};
                taken <= {taken[30:0], rest[31]};
                quotient <= {quotient[30:0], fits};
                sum <= {sum[62:0], 1'b0} + (fits ? {32'd0, b_size} : 64'd0);
            end else begin
                rest <= {1'b0, rest[31:1]};
                sum <= sum + (rest[0] ? shifted : 64'd0);
                shifted <= {shifted[62:0], 1'b0};
            end
        end
    end

    wire [31:0] s_quotient = b == 32'd0 ? 32'hffff_ffff : a_negative ^ b_negative ? -quotient : quotient;
    wire [31:0] s_remainder = b == 32'd0 ? a : a_negative ? -high : high;
    wire [63:0] s_product = a_negative ^ b_negative ? -sum : sum;
    always @* if (past) begin
        `HOLDS(~busy | start);
        `HOLDS(on == busy);
        if (on) begin
            `HOLDS(count == steps & steps <= 6'd32);
            `HOLDS(divisor == (!divide ? b_size : b_negative ? -b_size : ~b_size) & adds_1 == ~b_negative);
            if (divide) begin
                `HOLDS({taken, rest} == {32'd0, a_size} << steps);
                `HOLDS(low == (rest | quotient) & quotient >> steps == 32'd0);
                `HOLDS(sum + {32'd0, high} == {32'd0, taken});
                `HOLDS(b_size == 32'd0 ? sum == 64'd0 & ~quotient == 32'hffff_ffff << steps : high < b_size);
            end else begin
                `HOLDS(rest == a_size >> steps);
                `HOLDS(shifted == {32'd0, b_size} << steps);
                `HOLDS(sum >> steps >> 32 == 64'd0);
                `HOLDS({high, low} == (sum << (6'd32 - steps) | {32'd0, rest}));
            end
            `HOLDS(negate == (divide & op[1] ? a_negative : divide & b == 32'd0 ? 1'b0 : a_negative ^ b_negative));
        end
        `HOLDS(~(start & done) | steps == 6'd32);
        assert (~(start & done) | result == (divide ? (op[1] ? s_remainder : s_quotient) : op == 3'd0 ? s_product[31:0] : s_product[63:32]));
    end
endmodule
`default_nettype wire
