// SPDX-License-Identifier: Apache-2.0
// What a retired instruction means for calls: a call, a jump that may leave or begin a function, the first instruction
// of a trap's handler. Keeps the stack pointer and the return address, as the hart has written them. Combinational but
// for these two.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_watch_decode (
  input  wire        clk_i, hart_rst_i,

  input  wire [`GNOMON_OBS_BITS-1:0] obs_i,

  output wire        call_o,      // jumps and leaves the return address in ra
  output wire        jump_o,      // jumps and leaves it nowhere
  output wire        indirect_o,  // with jump_o: through a register
  output wire        handler_o,   // first of a trap's handler, and no jump: such a one is of a table of vectors
  output wire [31:1] target_o,    // first address of what may be a function
  output wire        moves_o,     // sp gets another value than its own and a constant
  output wire [31:0] sp_o,        // before the instruction
  output wire [31:0] back_o       // where the function that is called returns to, or that runs
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

  // Other links, t0 as well, are for code that belongs to its caller: what saves registers, hooks.
  assign call_o = jump && obs_rd_addr == RA;
  assign jump_o = jump && obs_rd_addr == 5'd0;
  assign indirect_o = indirect;
  assign handler_o = retired && obs_intr && !jump;
  assign target_o = handler_o ? obs_pc_rdata[31:1] : obs_pc_wdata[31:1];

  // Longjmp loads it, who unwinds adds a register, functions with a frame add a constant.
  wire offset = obs_rs1_addr == SP && (compressed ? obs_insn[1:0] == 2'b01 : opcode == OP_IMM);
  wire write_sp = retired && obs_rd_addr == SP;
  assign moves_o = write_sp && !offset;

  reg [31:0] sp, ra;
  always @(posedge clk_i) begin
    if (write_sp) sp <= obs_rd_wdata;
    if (retired && obs_rd_addr == RA) ra <= obs_rd_wdata;
    if (hart_rst_i) {sp, ra} <= 64'd0;
  end
  assign sp_o = sp;
  assign back_o = call_o ? obs_rd_wdata : ra;

  wire unused = &{1'b0, obs_i, obs_insn[31:16], obs_insn[12], obs_pc_rdata[0], obs_pc_wdata[0]};
endmodule

`default_nettype wire
