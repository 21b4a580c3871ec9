// SPDX-License-Identifier: Apache-2.0
// One DSP block of the UP5K as a register of 32 bits that loads, adds, subtracts or holds. It does not use the
// multiplier and has no reset. With TOP_LOADED or BOTTOM_LOADED that half adds to load_value_i, otherwise to the
// register's own value. This module is only for the UP5K: modules that use it have a plain form for other parts and for
// simulation.
`default_nettype none

module gnomon_up5k_adder #(
  parameter [0:0] TOP_LOADED    = 1'b0,
  parameter [0:0] BOTTOM_LOADED = 1'b0
) (
  input  wire        clk_i,
  input  wire        hold_i,      // the register keeps its value
  input  wire        load_i,      // the register takes load_value_i
  input  wire [31:0] load_value_i, addend_i,
  input  wire        subtract_i,  // addend_i is subtracted
  input  wire        carry_i,     // into bit 0
  output wire [31:0] value_o,
  output wire        carry_o      // out of bit 31, in the same cycle
);
  wire [1:0] unused;
  // The outputs are the registers Q and S. They load C and D, or add A and B; the carry goes from S to Q.
  SB_MAC16 #(
    .TOPOUTPUT_SELECT(2'd1), .BOTOUTPUT_SELECT(2'd1), .TOPADDSUB_UPPERINPUT(TOP_LOADED),
    .BOTADDSUB_UPPERINPUT(BOTTOM_LOADED), .TOPADDSUB_CARRYSELECT(2'd2), .BOTADDSUB_CARRYSELECT(2'd3)
  ) u_dsp (
    .CLK(clk_i), .CE(1'b1), .C(load_value_i[31:16]), .D(load_value_i[15:0]), .A(addend_i[31:16]), .B(addend_i[15:0]),
    .AHOLD(1'b0), .BHOLD(1'b0), .CHOLD(1'b0), .DHOLD(1'b0), .IRSTTOP(1'b0), .IRSTBOT(1'b0), .ORSTTOP(1'b0),
    .ORSTBOT(1'b0), .OLOADTOP(load_i), .OLOADBOT(load_i), .ADDSUBTOP(subtract_i), .ADDSUBBOT(subtract_i),
    .OHOLDTOP(hold_i), .OHOLDBOT(hold_i), .CI(carry_i), .ACCUMCI(1'b0), .SIGNEXTIN(1'b0), .O(value_o), .CO(carry_o),
    .ACCUMCO(unused[0]), .SIGNEXTOUT(unused[1])
  );
endmodule

`default_nettype wire
