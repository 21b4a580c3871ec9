// SPDX-License-Identifier: Apache-2.0
// What the selectable counters can count, by number; the table is in docs/profile.md. Combinational, but for
// what the trace makes of the cycle: that is known late, and shown in the next one.
`default_nettype none

module gnomon_pmu_events (
    input wire        clk_i,
    input wire        obs_valid_i,
    input wire        obs_trap_i,
    input wire [31:0] obs_insn_i,
    input wire [31:0] obs_pc_rdata_i,
    input wire [31:0] obs_pc_wdata_i,
    input wire [ 3:0] obs_mem_rmask_i,
    input wire [ 3:0] obs_mem_wmask_i,
    input wire [ 4:0] obs_cause_i,
    input wire        obs_trap_enter_i,
    input wire [ 5:0] obs_trap_cause_i,
    input wire        message_i,
    input wire        produced_i,
    input wire        lost_i,

    output wire [63:0] events_o
);
  wire retired = obs_valid_i && !obs_trap_i;
  wire compressed = obs_insn_i[1:0] != 2'b11;
  wire [6:0] opcode = obs_insn_i[6:0];
  wire [4:0] compressed_code = {obs_insn_i[15:13], obs_insn_i[1:0]};
  wire branch = compressed ? compressed_code == 5'b11001 || compressed_code == 5'b11101 : opcode == 7'b1100011;
  wire jump_32 = opcode == 7'b1101111 || opcode == 7'b1100111;
  wire jump_16 = compressed_code == 5'b10101 || compressed_code == 5'b00101 ||
      (compressed_code == 5'b10010 && obs_insn_i[6:2] == 5'd0 && obs_insn_i[11:7] != 5'd0);
  wire jump = compressed ? jump_16 : jump_32;
  wire sequential = obs_pc_wdata_i == obs_pc_rdata_i + (compressed ? 32'd2 : 32'd4);

  wire [31:0] causes = 32'd1 << obs_cause_i;
  assign events_o[0] = 1'b0; // no event
  assign events_o[32:1] = causes; // cycles by cause
  assign events_o[33] = retired && branch;
  assign events_o[34] = retired && branch && !sequential;
  assign events_o[35] = retired && jump;
  assign events_o[36] = retired && |obs_mem_rmask_i;
  assign events_o[37] = retired && |obs_mem_wmask_i;
  assign events_o[38] = retired && compressed;
  assign events_o[39] = message_i;
  assign events_o[40] = obs_trap_enter_i && !obs_trap_cause_i[5];
  assign events_o[41] = obs_trap_enter_i && obs_trap_cause_i[5];
  reg produced, lost;
  always @(posedge clk_i) {produced, lost} <= {produced_i, lost_i};
  assign events_o[42] = produced;
  assign events_o[43] = lost;
  assign events_o[44] = 1'b1; // cycles
  assign events_o[63:45] = 19'd0;

  wire unused = &{1'b0, obs_trap_cause_i[4:0], obs_insn_i[31:16], obs_insn_i[12]};
endmodule

`default_nettype wire
