// SPDX-License-Identifier: Apache-2.0
// The stack guard: an addition to sp that takes it from above the limit to below it leaves the stack. A load or move of
// another value into sp switches stacks, so threads with stacks below the limit are not guarded. The guard uses only
// the observation bundle, so no instruction takes longer. Limit 0, after reset, disables it.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_stack_guard (
  input  wire        clk_i,
  input  wire        clk_host_i,  // clk_i; runs in the cycles of register accesses
  input  wire        rst_i,
  input  wire        hart_rst_i,  // clears the limit

  input  wire        reg_sel_i,    // selects SYSCTL
  input  wire        reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o,  // one cycle after reg_sel_i, else 0

  input  wire [`GNOMON_OBS_BITS-1:0] obs_i,

  output wire        overflow_o  // pulse
);
`include "gnomon_registers.vh"
  localparam [4:0] SP = 5'd2;
  localparam [6:0] OP = 7'b0110011, OP_IMM = 7'b0010011;
  wire obs_valid = obs_i[`GNOMON_OBS_VALID], obs_trap = obs_i[`GNOMON_OBS_TRAP], obs_debug = obs_i[`GNOMON_OBS_DEBUG];
  wire [31:0] obs_insn = obs_i[`GNOMON_OBS_INSN], obs_pc_rdata = obs_i[`GNOMON_OBS_PC_RDATA],
      obs_rd_wdata = obs_i[`GNOMON_OBS_RD_WDATA];
  wire [4:0] obs_rs1_addr = obs_i[`GNOMON_OBS_RS1_ADDR], obs_rd_addr = obs_i[`GNOMON_OBS_RD_ADDR];

  reg [31:2] limit;
  reg [31:1] pc;    // address of the instruction that left the stack
  reg above, found; // above: the last written sp is above the limit; found: the hart has left the stack
  // Compressed instructions that read and write sp: c.addi16sp and c.add count, c.lwsp does not.
  wire compressed = ~&obs_insn[1:0];
  wire adds = compressed ? obs_insn[15:13] != 3'b010 : obs_insn[6:0] == OP || obs_insn[6:0] == OP_IMM;
  wire moves = obs_valid && !obs_trap && !obs_debug && obs_rd_addr == SP;
  reg under, overflow;
  always @* begin
    {under, overflow} = 2'b00;
    if (moves) begin
      under = obs_rd_wdata[31:2] < limit;
      overflow = adds && obs_rs1_addr == SP && above && under && !found;
    end
  end
  assign overflow_o = overflow;

  always @(posedge clk_i) begin
    if (reg_sel_i && reg_write_i && reg_addr_i == `GNOMON_SYSCTL_STACK_LIMIT) limit <= reg_wdata_i[31:2];
    if (moves) above <= !under;
    if (overflow_o) begin
      found <= 1'b1;
      pc <= obs_pc_rdata[31:1];
    end
    if (rst_i || hart_rst_i) begin
      limit <= 30'd0;
      above <= 1'b0;
      found <= 1'b0;
      pc <= 31'd0;
    end
  end
  always @(posedge clk_host_i) begin
    reg_rdata_o <= 32'd0;
    if (reg_sel_i && reg_addr_i == `GNOMON_SYSCTL_STACK_LIMIT) reg_rdata_o <= {limit, 2'b01};
    if (reg_sel_i && reg_addr_i == `GNOMON_SYSCTL_STACK_OVERFLOW) reg_rdata_o <= {pc, found};
  end
  wire unused = &{1'b0, obs_i, reg_wdata_i[1:0], obs_insn[31:16], obs_insn[12:7], obs_rd_wdata[1:0], obs_pc_rdata[0]};
endmodule

`default_nettype wire
