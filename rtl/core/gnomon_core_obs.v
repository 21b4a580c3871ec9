// SPDX-License-Identifier: Apache-2.0
// The observation bundle (docs/internals/observation.md): RVFI's values of an instruction travel beside the instruction
// from X to W, and every cycle gets its cause. No signal goes back to the pipeline; synthesis removes fields that no
// unit reads.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_core_obs #(
  parameter UP5K = 0,                  // a DSP block keeps w_addr
  parameter ATOMIC = 0                 // 1: keeps the stored word in a register, as it may differ from the result
) (
  input  wire         clk_i, rst_i,

  input  wire         m_stall_i,         // X's instruction does not move to M, M's not to W
  input  wire [31:0]  x_insn_i,          // the instruction as fetched
  input  wire [4:0]   x_rs1_i, x_rs2_i,  // 0 if X reads no register
  input  wire [31:0]  x_rs1_value_i, x_rs2_value_i,
  input  wire [31:1]  x_pc_next_i,
  input  wire [31:1]  x_target_i,        // the target of a branch that M decides
  input  wire         m_taken_i,         // M decides its branch as taken
  input  wire         x_load_i, x_store_i,
  input  wire [1:0]   x_size_i,
  input  wire         m_failed_i,        // the sc in M has stored nothing
  input  wire [31:0]  m_stored_i, m_addr_i,
  input  wire [31:1]  m_pc_i,
  input  wire         x_csr_write_i,     // X's instruction writes x_csr_wdata_i to a CSR
  input  wire [31:0]  x_csr_wdata_i,
  input  wire [223:0] x_csr_state_i,     // CSRs before X's instruction
  input  wire [31:0]  m_word_i,          // mtval of the trap in W

  input  wire         w_valid_i,
  input  wire         w_trap_i,    // interrupt or exception, w_code_i
  input  wire         w_debug_i,   // W enters debug mode
  input  wire         w_mret_i,
  input  wire         user_i,      // W's instruction is in U mode
  input  wire [5:0]   w_code_i,
  input  wire         w_write_i,
  input  wire [4:0]   w_rd_i,
  input  wire [31:0]  w_result_i,
  input  wire [31:1]  w_target_i,  // target of a trap or mret
  input  wire [4:0]   w_cause_i,   // cause of a cycle without an instruction in W
  input  wire         debug_i, wfi_i, irq_pending_i, mispredict_i,
  input  wire [4:0]   irq_requests_i,

  output wire [`GNOMON_OBS_BITS-1:0] obs_o
);
  localparam [4:0] RETIRED = 5'd0, TRAP = 5'd7, DEBUG = 5'd9, RESET = 5'd10;

  reg [31:0] m_insn, w_insn, m_rs1_value, w_rs1_value, m_rs2_value, w_rs2_value;
  reg [4:0]  m_rs1, w_rs1, m_rs2, w_rs2;
  reg [31:1] m_pc_next, m_target, w_pc_next, w_pc;
  reg        m_load, w_load, m_store, w_store;
  reg [1:0]  m_size, w_size;
  reg        m_csr_write, w_csr_write;
  reg [31:0] m_csr_wdata, w_csr_wdata;
  reg [223:0] m_csr_state, w_csr_state;
  wire [31:0] w_addr;
  gnomon_core_word #(.HARD(UP5K)) u_addr (.clk_i(clk_i), .hold_i(1'b0), .data_i(m_addr_i), .data_o(w_addr));

  always @(posedge clk_i) begin
    if (!m_stall_i) begin
      m_insn <= x_insn_i;
      m_rs1 <= x_rs1_i;
      m_rs2 <= x_rs2_i;
      m_rs1_value <= x_rs1_i == 5'd0 ? 32'd0 : x_rs1_value_i;
      m_rs2_value <= x_rs2_i == 5'd0 ? 32'd0 : x_rs2_value_i;
      m_pc_next <= x_pc_next_i;
      m_target <= x_target_i;
      m_load <= x_load_i;
      m_store <= x_store_i;
      m_size <= x_size_i;
      m_csr_write <= x_csr_write_i;
      m_csr_wdata <= x_csr_wdata_i;
      m_csr_state <= x_csr_state_i;
    end
    w_insn <= m_insn;
    w_rs1 <= m_rs1;
    w_rs2 <= m_rs2;
    w_rs1_value <= m_rs1_value;
    w_rs2_value <= m_rs2_value;
    w_pc_next <= m_taken_i ? m_target : m_pc_next;
    w_pc <= m_pc_i;
    w_load <= m_load;
    w_store <= m_store && !m_failed_i;
    w_size <= m_size;
    w_csr_write <= m_csr_write;
    w_csr_wdata <= m_csr_wdata;
    w_csr_state <= m_csr_state;
  end

  wire [31:0] w_stored;
  generate
    if (ATOMIC != 0) begin : stored
      reg  [31:0] word;
      always @(posedge clk_i)
        word <= m_stored_i;
      assign w_stored = word;
    end else begin : result
      assign w_stored = w_result_i;
      wire unused = &{1'b0, m_stored_i};
    end
  endgenerate

  // The bundle does not show injected instructions.
  wire w_seen = w_valid_i && !debug_i;
  wire w_exception = w_trap_i && !w_code_i[5];
  wire w_retired = w_seen && !w_trap_i && !w_debug_i;
  wire w_enters = w_seen && w_trap_i;
  wire valid = w_retired || w_seen && w_exception;
  wire trap = w_seen && w_exception;

  reg        first;                    // no instruction has retired yet
  reg        handler;                  // the next instruction is the first of a handler
  reg [63:0] order;
  always @(posedge clk_i)
    if (rst_i) begin
      first <= 1'b1;
      handler <= 1'b0;
      order <= 64'd0;
    end else begin
      if (w_retired)
        first <= 1'b0;
      if (w_enters)
        handler <= 1'b1;
      else if (valid)
        handler <= 1'b0;
      if (valid)
        order <= order + 64'd1;
    end

  wire [3:0] w_mask = {{2{w_size[1]}}, |w_size, 1'b1};
  wire [31:0] w_bits = {{16{w_size[1]}}, {8{|w_size}}, 8'hff};

  wire [4:0] rd_addr = w_write_i ? w_rd_i : 5'd0;
  wire [31:0] rd_wdata = w_write_i ? w_result_i : 32'd0;
  wire [31:0] pc_wdata = {w_trap_i || w_mret_i ? w_target_i : w_pc_next, 1'b0};
  wire [3:0] mem_rmask = w_load && !w_trap_i ? w_mask : 4'd0;
  wire [3:0] mem_wmask = w_store && !w_trap_i ? w_mask : 4'd0;
  wire [31:0] mem_rdata = w_load && !w_trap_i ? w_result_i & w_bits : 32'd0;
  wire [31:0] csr_wdata = w_trap_i ? m_word_i : w_csr_wdata;
  wire [4:0] cause = debug_i ? DEBUG
            : w_retired ? RETIRED
            : w_valid_i && w_debug_i ? DEBUG
            : first ? RESET
            : w_valid_i ? TRAP
            : w_cause_i;
  // The fields of gnomon_obs.vh, the last one first. With an assignment for each field, Icarus takes four times as
  // long. The data of a store (w_stored) is all of rs2.
  assign obs_o = {
    irq_requests_i, mispredict_i, wfi_i, debug_i, irq_pending_i, w_retired && w_mret_i, w_enters, w_code_i, cause,
    w_retired && w_csr_write, mem_wmask, mem_rmask, rd_addr, w_rs2, w_rs1, 2'd1, {2{!user_i}}, handler, 1'b0, trap,
    valid, w_stored, mem_rdata, w_addr, rd_wdata, w_rs2_value, w_rs1_value, pc_wdata, {w_pc, 1'b0}, w_insn,
    w_csr_state, order, csr_wdata, w_result_i
  };

`ifndef SYNTHESIS
  always @(posedge clk_i)
    if (!rst_i && (cause == RETIRED) !== (valid && !trap)) begin
      $display("gnomon_core_obs: cause %0d with valid %b trap %b", cause, valid, trap);
      $finish;
    end
`endif
endmodule
`default_nettype wire
