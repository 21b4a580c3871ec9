// SPDX-License-Identifier: Apache-2.0
// The bundle's CSR channel as RVFI wants it: for each CSR whose number is in NUMBERS, what the instruction that retires
// or traps read and wrote of it. The first number is in the lowest bits, and so are its masks and data. mstatus, mie,
// mtvec, mscratch, mepc, mcause and mtval are known with every instruction, what a trap or mret makes of them too; all
// others with an instruction that names them. What is written is as the instruction had it: what the CSR made of it,
// the next instruction reads.
`default_nettype none

module gnomon_core_rvfi #(
  parameter USER = 0,                  // as the core's
  parameter COUNT = 1,
  parameter [12*COUNT-1:0] NUMBERS = 12'h300
) (
  input  wire        obs_valid_i,
  input  wire        obs_trap_i,
  input  wire [31:0] obs_insn_i,
  input  wire [1:0]  obs_mode_i,
  input  wire [31:0] obs_pc_rdata_i,
  input  wire [5:0]  obs_trap_cause_i,
  input  wire        obs_trap_leave_i,
  input  wire        obs_csr_write_i,
  input  wire [31:0] obs_csr_rdata_i,
  input  wire [31:0] obs_csr_wdata_i,
  input  wire [223:0] obs_csr_state_i,

  output wire [32*COUNT-1:0] csr_rmask_o,
  output wire [32*COUNT-1:0] csr_wmask_o,
  output wire [32*COUNT-1:0] csr_rdata_o,
  output wire [32*COUNT-1:0] csr_wdata_o
);
  localparam [11:0] MSTATUS = 12'h300, MIE = 12'h304, MTVEC = 12'h305, MSCRATCH = 12'h340, MEPC = 12'h341,
           MCAUSE = 12'h342, MTVAL = 12'h343;
  wire        trap = obs_valid_i & obs_trap_i;
  wire        csr = obs_valid_i & ~obs_trap_i & obs_insn_i[6:0] == 7'h73 & obs_insn_i[13:12] != 2'b00;
  wire [31:0] mstatus = obs_csr_state_i[31:0];
  // MPP, MPIE and MIE after a trap; after an mret, and MPRV, which ends with M mode. Without U mode MPP stays.
  wire [31:0] trapped = {mstatus[31:13], obs_mode_i, mstatus[10:8], mstatus[3], mstatus[6:4], 1'b0, mstatus[2:0]};
  wire [31:0] left = {mstatus[31:18], mstatus[17] & &mstatus[12:11], mstatus[16:13], {2{USER == 0}}, mstatus[10:8],
      1'b1, mstatus[6:4],
            mstatus[7], mstatus[2:0]};

  wire        unused = &{1'b0, obs_insn_i[19:14], obs_insn_i[11:7], obs_csr_state_i};

  genvar n;
  generate
    for (n = 0; n < COUNT; n = n + 1) begin : register
      localparam [11:0] NUMBER = NUMBERS[12 * n +: 12];
      localparam STATE = NUMBER == MSTATUS || NUMBER == MIE || NUMBER == MTVEC || NUMBER >= MSCRATCH && NUMBER <= MTVAL;
      localparam PLACE = NUMBER == MSTATUS ? 0 : NUMBER == MIE ? 1 : NUMBER == MTVEC ? 2
               : NUMBER == MSCRATCH ? 3 : NUMBER == MEPC ? 4 : NUMBER == MCAUSE ? 5 : 6;
      wire        named = csr & obs_insn_i[31:20] == NUMBER;
      wire        writes = named & obs_csr_write_i;
      wire        traps = trap & (NUMBER == MSTATUS | NUMBER == MEPC | NUMBER == MCAUSE | NUMBER == MTVAL);
      wire        leaves = obs_trap_leave_i & NUMBER == MSTATUS;
      wire [31:0] by_trap = NUMBER == MSTATUS ? trapped : NUMBER == MEPC ? obs_pc_rdata_i
                : NUMBER == MCAUSE ? {obs_trap_cause_i[5], 26'd0, obs_trap_cause_i[4:0]} : obs_csr_wdata_i;
      assign csr_rmask_o[32 * n +: 32] = {32{STATE ? obs_valid_i : named}};
      assign csr_rdata_o[32 * n +: 32] = STATE ? obs_csr_state_i[32 * PLACE +: 32] : obs_csr_rdata_i;
      assign csr_wmask_o[32 * n +: 32] = {32{writes | traps | leaves}};
      assign csr_wdata_o[32 * n +: 32] = traps ? by_trap : leaves ? left : obs_csr_wdata_i;
    end
  endgenerate
endmodule
`default_nettype wire
