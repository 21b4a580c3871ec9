// SPDX-License-Identifier: Apache-2.0
// RVFI's CSR channels of the bundle: for each CSR number in NUMBERS, the masks and data that the retiring or trapping
// instruction reads and writes. The first number and its masks and data are in the lowest bits. mstatus, mie, mtvec,
// mscratch, mepc, mcause and mtval are valid with every instruction, also their new values after a trap or mret. All
// other CSRs are valid only with an instruction that names them. The write data is the instruction's value; the next
// instruction reads the value that the CSR keeps.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_core_rvfi #(
  parameter USER = 0,                  // USER of the core
  parameter COUNT = 1,
  parameter [12*COUNT-1:0] NUMBERS = 12'h300
) (
  input  wire [`GNOMON_OBS_BITS-1:0] obs_i,

  output wire [32*COUNT-1:0] csr_rmask_o, csr_wmask_o, csr_rdata_o, csr_wdata_o
);
  localparam [11:0] MSTATUS = 12'h300, MIE = 12'h304, MTVEC = 12'h305, MSCRATCH = 12'h340, MEPC = 12'h341,
           MCAUSE = 12'h342, MTVAL = 12'h343;
  wire obs_valid = obs_i[`GNOMON_OBS_VALID], obs_trap = obs_i[`GNOMON_OBS_TRAP],
      obs_csr_write = obs_i[`GNOMON_OBS_CSR_WRITE], obs_trap_leave = obs_i[`GNOMON_OBS_TRAP_LEAVE];
  wire [1:0] obs_mode = obs_i[`GNOMON_OBS_MODE];
  wire [31:0] obs_insn = obs_i[`GNOMON_OBS_INSN], obs_pc_rdata = obs_i[`GNOMON_OBS_PC_RDATA],
      obs_csr_rdata = obs_i[`GNOMON_OBS_CSR_RDATA], obs_csr_wdata = obs_i[`GNOMON_OBS_CSR_WDATA];
  wire [223:0] obs_csr_state = obs_i[`GNOMON_OBS_CSR_STATE];
  wire [5:0] obs_trap_cause = obs_i[`GNOMON_OBS_TRAP_CAUSE];
  wire        trap = obs_valid && obs_trap;
  wire        csr = obs_valid && !obs_trap && obs_insn[6:0] == 7'h73 && obs_insn[13:12] != 2'b00;
  wire [31:0] mstatus = obs_csr_state[31:0];
  // mstatus after a trap changes MPP, MPIE and MIE. mstatus after an mret changes MPRV, too: an mret to U mode clears
  // MPRV. Without U mode MPP stays.
  wire [31:0] trapped = {mstatus[31:13], obs_mode, mstatus[10:8], mstatus[3], mstatus[6:4], 1'b0, mstatus[2:0]};
  wire [31:0] left = {mstatus[31:18], mstatus[17] && &mstatus[12:11], mstatus[16:13], {2{USER == 0}}, mstatus[10:8],
      1'b1, mstatus[6:4],
            mstatus[7], mstatus[2:0]};

  wire        unused = &{1'b0, obs_i, obs_insn[19:14], obs_insn[11:7], obs_csr_state};

  genvar n;
  generate
    for (n = 0; n < COUNT; n = n + 1) begin : register
      localparam [11:0] NUMBER = NUMBERS[12 * n +: 12];
      localparam STATE = NUMBER == MSTATUS || NUMBER == MIE || NUMBER == MTVEC || NUMBER >= MSCRATCH && NUMBER <= MTVAL;
      localparam PLACE = NUMBER == MSTATUS ? 0 : NUMBER == MIE ? 1 : NUMBER == MTVEC ? 2
               : NUMBER == MSCRATCH ? 3 : NUMBER == MEPC ? 4 : NUMBER == MCAUSE ? 5 : 6;
      wire        named = csr && obs_insn[31:20] == NUMBER;
      wire        writes = named && obs_csr_write;
      wire        traps = trap && (NUMBER == MSTATUS || NUMBER == MEPC || NUMBER == MCAUSE || NUMBER == MTVAL);
      wire        leaves = obs_trap_leave && NUMBER == MSTATUS;
      wire [31:0] by_trap = NUMBER == MSTATUS ? trapped : NUMBER == MEPC ? obs_pc_rdata
                : NUMBER == MCAUSE ? {obs_trap_cause[5], 26'd0, obs_trap_cause[4:0]} : obs_csr_wdata;
      assign csr_rmask_o[32 * n +: 32] = {32{STATE ? obs_valid : named}};
      assign csr_rdata_o[32 * n +: 32] = STATE ? obs_csr_state[32 * PLACE +: 32] : obs_csr_rdata;
      assign csr_wmask_o[32 * n +: 32] = {32{writes || traps || leaves}};
      assign csr_wdata_o[32 * n +: 32] = traps ? by_trap : leaves ? left : obs_csr_wdata;
    end
  endgenerate
endmodule
`default_nettype wire
