// SPDX-License-Identifier: Apache-2.0
// Hints in the instruction stream (docs/internals/tags.md): `slti x0, x0, 0x460 + tag` gives the tag to the next
// instruction in program order, when that instruction retires for the next time; `sltiu x0, x0, 32 * n + tag` to the
// next n. One hint waits, by address; a hint for another address displaces it.
`default_nettype none

module gnomon_tag_hints (
  input  wire        clk_i,
  input  wire        clear_i,  // discards the waiting hint and ignores a hint in this cycle

  input  wire        retired_i,
  input  wire        hint_i,      // the retired instruction is a hint
  input  wire [4:0]  hint_tag_i,
  input  wire [5:0]  hint_many_i,  // how many instructions it tags
  input  wire [31:1] pc_i,
  input  wire [31:1] next_pc_i,   // address of the next instruction in program order

  output wire        hinted_o,  // the retiring instruction has a tag by a hint
  output wire [4:0]  tag_o,
  output wire        lost_o     // a hint is lost
);
  reg waits;
  reg [31:1] address;
  reg [4:0] tag;
  reg [5:0] left; // how many more instructions the waiting hint tags, after the next one
  wire hint = retired_i && hint_i && hint_tag_i != 5'd0 && hint_many_i != 6'd0;
  assign hinted_o = retired_i && waits && address == pc_i && !clear_i;
  assign tag_o = tag;
  assign lost_o = hint && waits && !hinted_o && address != next_pc_i && !clear_i;
  always @(posedge clk_i) begin
    if (hinted_o) begin
      waits <= left != 6'd0;
      left <= left - 6'd1;
    end
    if (hinted_o || hint) address <= next_pc_i;
    if (hint) begin
      waits <= 1'b1;
      tag <= hint_tag_i;
      left <= hint_many_i - 6'd1;
    end
    if (clear_i) waits <= 1'b0;
  end
endmodule

`default_nettype wire
