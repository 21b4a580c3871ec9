// SPDX-License-Identifier: Apache-2.0
// The adders of gnomon_fold_compact: an accumulator of 32 bits, one of 16 above it, and their sum with a word of the memory. HARD = 1
// puts them into three DSP blocks of the UP5K. Nothing is cleared by a reset.
`default_nettype none

module gnomon_fold_compact_adders #(
    parameter HARD = 0
) (
    input wire clk_i,
    input wire [31:0] word_i,

    input  wire        subtract_i, // both accumulators: else they add
    input  wire        low_load_i,
    input  wire        low_step_i,
    input  wire        low_carry_i,
    input  wire [31:0] low_i,
    output wire [31:0] low_o,
    output wire        low_carry_o, // of a step, also where there is none: carry, or borrow

    input  wire        high_load_i,
    input  wire        high_step_i,
    input  wire        high_carry_i,
    input  wire [15:0] high_i,
    output wire [15:0] high_o,
    output wire        high_carry_o,

    input  wire        sum_high_i, // of the upper accumulator, what is in the sum's upper half then has no meaning
    input  wire        sum_load_i, // without the word
    input  wire        sum_step_i,
    input  wire        sum_carry_i,
    output wire [31:0] sum_o,
    output wire        sum_carry_o
);
  wire [31:0] addend = {low_o[31:16], sum_high_i ? high_o : low_o[15:0]};
  generate
    if (HARD != 0) begin : g_hard
      wire [2:0] carry;
      wire [15:0] unused_high;
      // Registers Q and S: they take C and D, or themselves with A and B; the carry goes from S to Q.
      SB_MAC16 #(
          .TOPOUTPUT_SELECT(2'd1),
          .BOTOUTPUT_SELECT(2'd1),
          .TOPADDSUB_CARRYSELECT(2'd2),
          .BOTADDSUB_CARRYSELECT(2'd3)
      ) u_low (
          .CLK(clk_i),
          .CE(1'b1),
          .C(low_i[31:16]),
          .D(low_i[15:0]),
          .A(word_i[31:16]),
          .B(word_i[15:0]),
          .AHOLD(1'b0),
          .BHOLD(1'b0),
          .CHOLD(1'b0),
          .DHOLD(1'b0),
          .IRSTTOP(1'b0),
          .IRSTBOT(1'b0),
          .ORSTTOP(1'b0),
          .ORSTBOT(1'b0),
          .OLOADTOP(low_load_i),
          .OLOADBOT(low_load_i),
          .ADDSUBTOP(subtract_i),
          .ADDSUBBOT(subtract_i),
          .OHOLDTOP(!(low_load_i || low_step_i)),
          .OHOLDBOT(!(low_load_i || low_step_i)),
          .CI(low_carry_i),
          .ACCUMCI(1'b0),
          .SIGNEXTIN(1'b0),
          .O(low_o),
          .CO(carry[0])
      );
      // In Q alone: the lower half is made to hand the carry on.
      SB_MAC16 #(
          .TOPOUTPUT_SELECT(2'd1),
          .BOTOUTPUT_SELECT(2'd1),
          .TOPADDSUB_CARRYSELECT(2'd2),
          .BOTADDSUB_CARRYSELECT(2'd3),
          .BOTADDSUB_UPPERINPUT(1'b1)
      ) u_high (
          .CLK(clk_i),
          .CE(1'b1),
          .C(high_i),
          .D(16'd0),
          .A(word_i[15:0]),
          .B({16{!subtract_i}}),
          .AHOLD(1'b0),
          .BHOLD(1'b0),
          .CHOLD(1'b0),
          .DHOLD(1'b0),
          .IRSTTOP(1'b0),
          .IRSTBOT(1'b0),
          .ORSTTOP(1'b0),
          .ORSTBOT(1'b0),
          .OLOADTOP(high_load_i),
          .OLOADBOT(high_load_i),
          .ADDSUBTOP(subtract_i),
          .ADDSUBBOT(subtract_i),
          .OHOLDTOP(!(high_load_i || high_step_i)),
          .OHOLDBOT(!(high_load_i || high_step_i)),
          .CI(high_carry_i),
          .ACCUMCI(1'b0),
          .SIGNEXTIN(1'b0),
          .O({high_o, unused_high}),
          .CO(carry[1])
      );
      // C and D, or they with A and B.
      SB_MAC16 #(
          .TOPOUTPUT_SELECT(2'd1),
          .BOTOUTPUT_SELECT(2'd1),
          .TOPADDSUB_UPPERINPUT(1'b1),
          .BOTADDSUB_UPPERINPUT(1'b1),
          .TOPADDSUB_CARRYSELECT(2'd2),
          .BOTADDSUB_CARRYSELECT(2'd3)
      ) u_sum (
          .CLK(clk_i),
          .CE(1'b1),
          .C(addend[31:16]),
          .D(addend[15:0]),
          .A(word_i[31:16]),
          .B(word_i[15:0]),
          .AHOLD(1'b0),
          .BHOLD(1'b0),
          .CHOLD(1'b0),
          .DHOLD(1'b0),
          .IRSTTOP(1'b0),
          .IRSTBOT(1'b0),
          .ORSTTOP(1'b0),
          .ORSTBOT(1'b0),
          .OLOADTOP(sum_load_i),
          .OLOADBOT(sum_load_i),
          .ADDSUBTOP(1'b0),
          .ADDSUBBOT(1'b0),
          .OHOLDTOP(!(sum_load_i || sum_step_i)),
          .OHOLDBOT(!(sum_load_i || sum_step_i)),
          .CI(sum_carry_i),
          .ACCUMCI(1'b0),
          .SIGNEXTIN(1'b0),
          .O(sum_o),
          .CO(carry[2])
      );
      assign low_carry_o = carry[0] ^ subtract_i;
      assign high_carry_o = carry[1] ^ subtract_i;
      assign sum_carry_o = carry[2];
    end else begin : g_soft
      reg [31:0] low, sum;
      reg [15:0] high;
      wire [32:0] low_next = subtract_i ? {1'b0, low} - {1'b0, word_i} - {32'd0, low_carry_i} :
          {1'b0, low} + {1'b0, word_i} + {32'd0, low_carry_i};
      wire [16:0] high_next = subtract_i ? {1'b0, high} - {1'b0, word_i[15:0]} - {16'd0, high_carry_i} :
          {1'b0, high} + {1'b0, word_i[15:0]} + {16'd0, high_carry_i};
      wire [32:0] sum_next = {1'b0, addend} + {1'b0, word_i} + {32'd0, sum_carry_i};
      always @(posedge clk_i) begin
        if (low_load_i) low <= low_i;
        else if (low_step_i) low <= low_next[31:0];
        if (high_load_i) high <= high_i;
        else if (high_step_i) high <= high_next[15:0];
        if (sum_load_i) sum <= addend;
        else if (sum_step_i) sum <= sum_next[31:0];
      end
      assign low_o = low;
      assign high_o = high;
      assign sum_o = sum;
      assign low_carry_o = low_next[32];
      assign high_carry_o = high_next[16];
      assign sum_carry_o = sum_next[32];
    end
  endgenerate
endmodule

`default_nettype wire
