// SPDX-License-Identifier: Apache-2.0
// Hints in the instruction stream (docs/internals/tags.md): `slti x0, x0, 0x460 + tag` gives the tag to the next
// instruction in program order, when that instruction retires for the next time. Up to four hints wait, by address, the
// oldest first; a fifth one displaces the oldest.
`default_nettype none

module gnomon_tag_hints (
  input  wire        clk_i,
  input  wire        clear_i,  // discards the waiting hints and ignores a hint in this cycle

  input  wire        retired_i,
  input  wire [31:0] obs_insn_i,
  input  wire [31:1] pc_i,
  input  wire [31:1] next_pc_i,  // address of the next instruction in program order

  output wire        hinted_o,  // the retiring instruction has a tag by a hint
  output wire [4:0]  tag_o,
  output wire        lost_o     // a hint is lost
);
  localparam PLACES = 4;
  localparam WIDTH = 37; // valid, address, tag
  localparam [26:0] HINT = {7'b0100011, 5'd0, 3'b010, 5'd0, 7'b0010011}; // 0x460 >> 5: the hint without its tag
  wire [4:0] hint_tag = obs_insn_i[24:20];
  wire hint = retired_i && {obs_insn_i[31:25], obs_insn_i[19:0]} == HINT && |hint_tag;

  reg [WIDTH*PLACES-1:0] places; // the oldest hint is lowest, without gaps
  wire [PLACES-1:0] valid, is_pc, is_next;
  genvar g;
  generate
    for (g = 0; g < PLACES; g = g + 1) begin : g_place
      wire [31:1] address = places[WIDTH*g+5+:31];
      assign valid[g] = places[WIDTH*g+36];
      assign is_pc[g] = valid[g] && address == pc_i;
      assign is_next[g] = valid[g] && address == next_pc_i;
    end
  endgenerate

  // No two hints wait for one address.
  reg [4:0] tag;
  integer i;
  always @* begin
    tag = 5'd0;
    for (i = 0; i < PLACES; i = i + 1) tag = tag | (places[WIDTH*i+:5] & {5{is_pc[i]}});
  end
  assign hinted_o = retired_i && |is_pc && !clear_i;
  assign tag_o = tag & {5{hinted_o}};

  // First the used hint leaves, then the new hint enters: it replaces a hint for its address, else it goes after the
  // last one. Without room the oldest hint leaves.
  wire crowded = &valid && !hinted_o && ~|is_next;
  assign lost_o = hint && crowded && !clear_i;
  reg shift, placed;
  reg [WIDTH*PLACES-1:0] next;
  always @* begin
    next = places;
    shift = 1'b0;
    for (i = 0; i < PLACES; i = i + 1) begin
      if ((hinted_o && is_pc[i]) || lost_o) shift = 1'b1;
      if (shift) next[WIDTH*i+:WIDTH] = i == PLACES - 1 ? {WIDTH{1'b0}} : places[WIDTH*(i+1)%(WIDTH*PLACES)+:WIDTH];
    end
    placed = !hint;
    for (i = 0; i < PLACES; i = i + 1)
    if (!placed && (next[WIDTH*i+36] == 1'b0 || next[WIDTH*i+5+:31] == next_pc_i)) begin
      next[WIDTH*i+:WIDTH] = {1'b1, next_pc_i, hint_tag};
      placed = 1'b1;
    end
  end
  always @(posedge clk_i) places <= clear_i ? {WIDTH * PLACES{1'b0}} : next;
endmodule

`default_nettype wire
