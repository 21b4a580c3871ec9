// SPDX-License-Identifier: Apache-2.0
// Interrupts that are switched off and on: finds the instructions that change MIE or MPIE of mstatus. It follows both
// bits itself, also through traps and mret, which make no event here.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_interrupts (
  input  wire        clk_i, hart_rst_i,
  input  wire        enable_i,
  input  wire [`GNOMON_OBS_PROFILED] obs_i,
  output wire        event_o,
  output wire        mpie_o,  // after the instruction
  output wire [31:0] data_o   // its address; bit 0: MIE after it
);
  localparam [11:0] MSTATUS = 12'h300;
  localparam [1:0] WRITE = 2'd1, SET = 2'd2;
  wire [31:0] insn = obs_i[`GNOMON_OBS_INSN], rs1 = obs_i[`GNOMON_OBS_RS1_RDATA], pc = obs_i[`GNOMON_OBS_PC_RDATA];

  reg mie, mpie;
  wire writes = obs_i[`GNOMON_OBS_CSR_WRITE] && insn[31:20] == MSTATUS;
  // Bits 7 and 3 of the operand: of rs1, or of the five bits of an immediate.
  wire [1:0] operand = insn[14] ? {1'b0, insn[18]} : {rs1[7], rs1[3]};
  wire [1:0] now = {mpie, mie};
  wire [1:0] after = insn[13:12] == WRITE ? operand : insn[13:12] == SET ? now | operand : now & ~operand;
  always @(posedge clk_i) begin
    if (hart_rst_i) {mpie, mie} <= 2'd0;
    else if (obs_i[`GNOMON_OBS_TRAP_ENTER]) {mpie, mie} <= {mie, 1'b0};
    else if (obs_i[`GNOMON_OBS_TRAP_LEAVE]) {mpie, mie} <= {1'b1, mpie};
    else if (writes) {mpie, mie} <= after;
  end

  assign event_o = enable_i && writes && after != now;
  assign mpie_o = after[1];
  assign data_o = {pc[31:1], after[0]};

  wire unused = &{1'b0, obs_i, insn, rs1, pc[0]};
endmodule

`default_nettype wire
