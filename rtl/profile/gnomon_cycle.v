// SPDX-License-Identifier: Apache-2.0
// The cycle counter of record: 64 bits, never written, 0 in the cycle after a reset. HARD = 1 counts in two DSP blocks
// of the UP5K, the upper one adding the carry of the lower.
`default_nettype none

module gnomon_cycle #(
    parameter HARD = 0
) (
    input  wire        clk_i,
    input  wire        reset_i,
    output wire [63:0] cycle_o
);
  generate
    if (HARD != 0) begin : g_hard
      wire [1:0] carry;
      genvar half;
      for (half = 0; half < 2; half = half + 1) begin : g_half
        wire [1:0] unused;
        // Output: the registers Q and S. They take what they are and B, with a carry from S to Q; in reset C and D, that is 0.
        SB_MAC16 #(
            .TOPOUTPUT_SELECT(2'd1),
            .BOTOUTPUT_SELECT(2'd1),
            .TOPADDSUB_CARRYSELECT(2'd2)
        ) u_dsp (
            .CLK(clk_i),
            .CE(1'b1),
            .C(16'd0),
            .D(16'd0),
            .A(16'd0),
            .B({15'd0, half == 0 || carry[0]}),
            .AHOLD(1'b0),
            .BHOLD(1'b0),
            .CHOLD(1'b0),
            .DHOLD(1'b0),
            .IRSTTOP(1'b0),
            .IRSTBOT(1'b0),
            .ORSTTOP(1'b0),
            .ORSTBOT(1'b0),
            .OLOADTOP(reset_i),
            .OLOADBOT(reset_i),
            .ADDSUBTOP(1'b0),
            .ADDSUBBOT(1'b0),
            .OHOLDTOP(1'b0),
            .OHOLDBOT(1'b0),
            .CI(1'b0),
            .ACCUMCI(1'b0),
            .SIGNEXTIN(1'b0),
            .O(cycle_o[32*half+:32]),
            .CO(carry[half]),
            .ACCUMCO(unused[0]),
            .SIGNEXTOUT(unused[1])
        );
      end
      wire unused_carry = carry[1];
    end else begin : g_soft
      reg [63:0] cycle;
      always @(posedge clk_i) cycle <= reset_i ? 64'd0 : cycle + 64'd1;
      assign cycle_o = cycle;
    end
  endgenerate
endmodule

`default_nettype wire
