// SPDX-License-Identifier: Apache-2.0
// Classifies a retired instruction for hookless call tracing: a call, a jump that may leave or begin a function, the
// first instruction of a trap handler. Keeps the values of sp and ra, as addresses of main memory. Combinational except
// for sp and ra.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_watch_decode #(
  parameter MEMORY_LOG2 = 25 // log2 of main memory's bytes
) (
  input  wire        clk_i, hart_rst_i,

  input  wire [`GNOMON_OBS_PROFILED] obs_i,

  output wire        call_o,      // jumps and writes the return address to ra
  output wire        jump_o,      // jumps without a return address
  output wire        indirect_o,  // with jump_o: through a register
  output wire        handler_o,   // first instruction of a trap handler, unless it is a jump in a vector table
  output wire [31:1] target_o,    // first address of a possible function
  output wire        moves_o,     // sp gets a value other than sp plus a constant
  output wire [MEMORY_LOG2:2] sp_o,     // sp before the instruction
  output wire [MEMORY_LOG2-1:1] back_o  // return address of the called function, else of the running one
);
  localparam [4:0] RA = 5'd1, SP = 5'd2;
  localparam [6:0] JAL = 7'b1101111, JALR = 7'b1100111, OP_IMM = 7'b0010011;
  localparam [4:0] C_JAL = 5'b00101, C_J = 5'b10101, C_JR = 5'b10010;
  wire obs_valid = obs_i[`GNOMON_OBS_VALID], obs_trap = obs_i[`GNOMON_OBS_TRAP], obs_intr = obs_i[`GNOMON_OBS_INTR];
  wire [31:0] obs_insn = obs_i[`GNOMON_OBS_INSN], obs_pc_rdata = obs_i[`GNOMON_OBS_PC_RDATA],
      obs_pc_wdata = obs_i[`GNOMON_OBS_PC_WDATA], obs_rd_wdata = obs_i[`GNOMON_OBS_RD_WDATA];
  wire [4:0] obs_rs1_addr = obs_i[`GNOMON_OBS_RS1_ADDR], obs_rd_addr = obs_i[`GNOMON_OBS_RD_ADDR];

  wire retired = obs_valid && !obs_trap;
  wire compressed = obs_insn[1:0] != 2'b11;
  wire [6:0] opcode = obs_insn[6:0];
  wire [4:0] code = {obs_insn[15:13], obs_insn[1:0]};
  wire direct = compressed ? code == C_JAL || code == C_J : opcode == JAL;
  // c.jr and c.jalr have no second register, c.ebreak has not even the first.
  wire indirect = compressed ? code == C_JR && ~|obs_insn[6:2] && |obs_insn[11:7] : opcode == JALR;
  wire jump = retired && (direct || indirect);

  // Links to other registers, t0 included, call code that belongs to its caller: register save routines, hooks.
  assign call_o = jump && obs_rd_addr == RA;
  assign jump_o = jump && obs_rd_addr == 5'd0;
  assign indirect_o = indirect;
  assign handler_o = retired && obs_intr && !jump;
  assign target_o = handler_o ? obs_pc_rdata[31:1] : obs_pc_wdata[31:1];

  // longjmp loads sp, unwinders add a register, functions with a frame add a constant.
  wire offset = obs_rs1_addr == SP && (compressed ? obs_insn[1:0] == 2'b01 : opcode == OP_IMM);
  wire write_sp = retired && obs_rd_addr == SP;
  assign moves_o = write_sp && !offset;

  localparam M = MEMORY_LOG2;
  reg [M:2] sp;
  reg [M-1:1] ra;
  always @(posedge clk_i) begin
    if (write_sp) sp <= obs_rd_wdata[M:2];
    if (retired && obs_rd_addr == RA) ra <= obs_rd_wdata[M-1:1];
    if (hart_rst_i) {sp, ra} <= {(2 * M - 2) {1'b0}};
  end
  assign sp_o = sp;
  assign back_o = call_o ? obs_rd_wdata[M-1:1] : ra;

  wire unused = &{1'b0, obs_i, obs_insn[31:16], obs_insn[12], obs_pc_rdata[0], obs_pc_wdata[0], obs_rd_wdata};
endmodule

`default_nettype wire
