// SPDX-License-Identifier: Apache-2.0
// Control and status registers of machine and debug mode. An access reads and writes while its instruction leaves X;
// all earlier instructions have then passed the last point where they could trap.
//
// mscratch, mepc, mtval, mtvec, dpc and dscratch0 are words of a memory with one read and one write port. The memory is
// read a cycle ahead, for the CSR instruction in D or for the trap, mret or debug entry in M. A trap writes the memory
// in two cycles: mepc while the trap is in M, mtval while it is in W. In debug mode the host gets dscratch0 in cycles
// without another read; the host's word passes X and M in the registers of the instruction's address. Reset clears the
// memory, one word per cycle.
//
// Counter CSRs are in other units, connected by hpm_*. Their access waits until all earlier instructions have retired
// and been counted, and then takes three cycles.
`default_nettype none

module gnomon_core_csr #(
  parameter EAGER = 1,                 // 0: evaluates only requested results; for simulators
  parameter USER = 0,                  // 1: U mode; gnomon_core_mode supplies MPP and prv
  parameter ATOMIC = 0,
  parameter OVERFLOW = 0,              // 1: the counters have mhpmeventh and an interrupt (Sscofpmf)
  parameter [31:0] HART_ID = 0
) (
  input  wire         clk_i, rst_i,

  input  wire [3:0]   d_index_i,   // bits 10, 6, 1, 0 of the CSR number in D
  input  wire         d_valid_i,
  input  wire         x_load_i,    // X takes D's instruction
  input  wire         x_csr_i,     // a valid CSR instruction is in X
  input  wire [31:12] x_insn_i,
  input  wire [31:0]  x_source_i,  // rs1 or the immediate
  input  wire         x_go_i,      // the instruction leaves X
  input  wire         x_alone_i,   // M and W are empty
  output reg          x_illegal_o,
  output wire         x_busy_o,
  output wire [31:0]  x_rdata_o,   // 0 while x_csr_i is low

  // CSRs of other units: hpm_addr_o has their address, hpm_wdata_o their write data.
  input  wire         more_exists_i,
  input  wire [31:0]  more_rdata_i,   // includes additional bits for this unit's CSRs
  input  wire         denied_i,       // the current mode must not access the CSR
  input  wire         user_i,         // U mode: interrupts are enabled
  input  wire [31:0]  more_status_i,  // additional bits of mstatus
  output wire         write_o,        // an access writes
  output wire         mie_o,

  output wire         hpm_valid_o, hpm_write_o,
  output wire [11:0]  hpm_addr_o,
  output wire [31:0]  hpm_wdata_o,
  input  wire [31:0]  hpm_rdata_i,

  input  wire         irq_software_i, irq_timer_i, irq_external_i, irq_profile_i,
  input  wire         irq_overflow_i,  // pulse: sets mip bit 13
  output wire         irq_pending_o,   // an interrupt must be taken
  output wire [4:0]   irq_code_o,
  output wire         irq_any_o,       // mip & mie has a pending interrupt: ends wfi
  output wire [4:0]   irq_requests_o,  // bits 13, 16, 11, 7, 3 of mip & mie

  // Traps, mret and debug entry in M and W.
  input  wire         m_kill_i,  // M has a trap, mret or debug entry
  input  wire         m_mret_i, m_debug_i,
  // with m_kill_i mepc or dpc, a cycle later mtval; the host's word two cycles after dbg_data_we_i; 0 in reset
  input  wire [31:0]  m_word_i,
  input  wire         w_trap_i, w_mret_i,
  input  wire         w_debug_i,  // W enters debug mode
  input  wire [5:0]   w_code_i,   // trap: interrupt, code; debug: cause
  output wire [31:1]  target_o,   // target of a trap, mret or resumption

  input  wire         debug_i,  // the hart is in debug mode
  input  wire         leave_i,  // last cycle of debug mode: reads dpc
  output wire         ebreakm_o, step_o,
  output wire [2:0]   dbg_cause_o,
  input  wire         dbg_data_we_i,
  output wire [31:0]  dbg_data_o,

  // current values for the bundle: mtval, mcause, mepc, mscratch, mtvec, mie, mstatus
  output wire [223:0] state_o
);
  reg         mie, mpie;
  reg  [3:0]  enable, pending;         // bits 16, 11, 7, 3 of mie, mip
  reg         overflow_enable, overflow_pending;       // bit 13 of mie, mip
  reg  [5:0]  mcause;
  reg         ebreakm, step;
  reg  [2:0]  dbg_cause;

  // Memory indices of the CSRs mtvec 305, mscratch 340, mepc 341, mtval 343, dpc 7b1, dscratch0 7b2.
  localparam [3:0] MTVEC = 4'b0001, MSCRATCH = 4'b0100, MEPC = 4'b0101, MTVAL = 4'b0111, DPC = 4'b1001,
      DSCRATCH0 = 4'b1010;
  (* ram_style = "block", no_rw_check *) reg [31:0] words [0:15];
  reg  [31:0] word;

  // Selection of the CSR.
  wire [11:0] addr = x_insn_i[31:20];
  reg         is_counter;
  wire        counter = (addr[11:8] == 4'hb && addr[4:0] != 5'd1 || addr[11:8] == 4'hc) && addr[6:5] == 2'b00
              || addr[11:5] == 7'b0011_001 && addr[4:0] != 5'd1 && addr[4:0] != 5'd2
          || OVERFLOW != 0 && addr[11:5] == 7'b0111_001 && addr[4:0] > 5'd2;
  wire [31:0] status = {19'd0, {2{USER == 0}}, 3'd0, mpie, 3'd0, mie, 3'd0};
  wire [31:0] enabled = {15'd0, enable[3], 2'd0, overflow_enable, 1'b0, enable[2], 3'd0, enable[1], 3'd0, enable[0],
      3'd0};
  wire [31:0] why = {mcause[5], 26'd0, mcause[4:0]};
  reg         exists;
  reg         in_memory;
  reg  [31:0] rdata;                   // value of a CSR that is neither a counter nor in words
  always @* begin
    exists = 1'b0;
    is_counter = 1'b0;
    in_memory = 1'b0;
    rdata = 32'd0;
    if (EAGER != 0 || x_csr_i) begin
      exists = 1'b1;
      is_counter = counter;
      case (addr)
        12'h300: rdata = status;
        12'h301: rdata = {11'h200, USER != 0, 19'h00882, ATOMIC != 0};
        12'h304: rdata = enabled;
        12'h305, 12'h340, 12'h341, 12'h343: in_memory = 1'b1;
        12'h310: rdata = 32'd0;                                      // mstatush
        12'h342: rdata = why;
        12'h344: rdata = {15'd0, pending[3], 2'd0, overflow_pending, 1'b0, pending[2], 3'd0, pending[1], 3'd0,
            pending[0], 3'd0};
        12'h7b0: begin rdata = {4'd4, 12'd0, ebreakm, 6'd0, dbg_cause, 3'd0, step,
            {2{USER == 0}}}; exists = debug_i; end
        12'h7b1, 12'h7b2: begin in_memory = 1'b1; exists = debug_i; end
        12'hf11, 12'hf12, 12'hf13, 12'hf15: rdata = 32'd0;           // mvendorid, marchid, mimpid, mconfigptr
        12'hf14: rdata = HART_ID;
        default: exists = 1'b0;
      endcase
    end
  end
  reg         write, commit;
  // old is 0 without a CSR instruction: the core ORs the results of all units.
  reg  [31:0] old, new_value;
  always @* begin
    {write, x_illegal_o, commit} = 3'b000;
    {old, new_value} = 64'd0;
    if (EAGER != 0 || x_csr_i) begin
      write = x_insn_i[13:12] == 2'b01 || x_insn_i[19:15] != 5'd0;
      x_illegal_o = !(exists || is_counter || more_exists_i) || denied_i || write && addr[11:10] == 2'b11;
      old = {32{x_csr_i && is_counter}} & hpm_rdata_i | {32{x_csr_i && in_memory}} & word | {32{x_csr_i}} &
          (rdata | more_rdata_i);
      new_value = !x_insn_i[13] ? x_source_i : x_insn_i[12] ? old & ~x_source_i : old | x_source_i;
      commit = x_csr_i && x_go_i && write && !x_illegal_o;
    end
  end
  assign x_rdata_o = old;
  assign write_o = commit;
  assign mie_o = mie;

  // Three cycles access a counter: a read pulse, one idle cycle, the value and the write pulse.
  reg  [1:0]  phase;
  wire        count_access = x_csr_i && is_counter;     // includes illegal writes
  reg         read_pulse;
  always @* begin
    read_pulse = 1'b0;
    if (count_access)
      read_pulse = phase == 2'd0 && x_alone_i;
  end
  assign x_busy_o = count_access && !phase[1];
  assign hpm_valid_o = read_pulse || hpm_write_o;
  // X leaves in the cycle of the write, as M is empty since the read pulse. So no path leads from M's stall to hpm_*.
  assign hpm_write_o = count_access && phase[1] && write && !x_illegal_o;
  assign hpm_addr_o = addr;
  assign hpm_wdata_o = new_value;
  always @(posedge clk_i)
    if (rst_i || !count_access || phase[1])
      phase <= 2'd0;
    else if (read_pulse || phase != 2'd0)
      phase <= phase + 2'd1;

  // Interrupts; highest priority first: external, software, timer, counter overflow, profile.
  wire [3:0] wanted = pending & enable;
  wire        wanted_overflow = overflow_pending && overflow_enable;
  assign irq_any_o = |wanted || wanted_overflow;
  assign irq_requests_o = {wanted_overflow, wanted};
  assign irq_pending_o = irq_any_o && (mie || user_i);
  assign irq_code_o = wanted[2] ? 5'd11 : wanted[0] ? 5'd3 : wanted[1] ? 5'd7 : wanted_overflow ? 5'd13 : 5'd16;

  // Memory. No used word is read in the cycle in which it is written: D waits while a writing CSR instruction is in X,
  // and M's kill empties D.
  wire        m_enter = m_kill_i && !m_mret_i && !debug_i;
  wire [3:0]  read_index = m_kill_i ? (m_mret_i ? MEPC : MTVEC)
              : debug_i && !d_valid_i ? (leave_i ? DPC : DSCRATCH0) : d_index_i;
  wire [31:0] checked = {new_value[31:7],
              new_value[6:2] & {5{!(addr[6:0] == 7'h05 && new_value[0])}},
              new_value[1] && addr[6:0] != 7'h05,
              new_value[0] && (addr[1:0] != 2'b01 || addr[2])};
  reg  [3:0]  clear = 4'd0;
  reg  [1:0]  host;                    // bit 0: the host's word is in X; bit 1: in M
  wire        copy = rst_i || m_enter || w_trap_i || host[1];
  wire [3:0]  write_index = rst_i ? clear : m_enter ? (m_debug_i ? DPC : MEPC) : w_trap_i ? MTVAL : host[1] ? DSCRATCH0
              : {addr[10], addr[6], addr[1:0]};
  wire        write_word = copy || commit && in_memory;
  wire [31:0] write_data = copy ? m_word_i : checked;
  integer     i;
  initial
    for (i = 0; i < 16; i = i + 1)
      words[i] = 32'd0;
  always @(posedge clk_i) begin
    clear <= rst_i ? clear + 4'd1 : 4'd0;
    host <= rst_i ? 2'b00 : {host[0], debug_i && dbg_data_we_i};
    if (write_word)
      words[write_index] <= write_data;
    if (x_load_i || m_kill_i)
      word <= words[read_index];
  end
  assign target_o = {word[31:7], word[0] && w_code_i[5] ? w_code_i[4:0] : word[6:2], word[1]};

  // The bundle's CSRs need more read ports of the memory. Synthesis removes these ports if no unit reads them.
  assign state_o = {words[MTVAL], why, words[MEPC], words[MSCRATCH], words[MTVEC], enabled, status | more_status_i};

  assign ebreakm_o = ebreakm;
  assign step_o = step;
  assign dbg_cause_o = dbg_cause;
  assign dbg_data_o = word;

  always @(posedge clk_i) begin
    pending <= {irq_profile_i, irq_external_i, irq_timer_i, irq_software_i};
    // Hardware sets overflow_pending, software clears or sets it. In the same cycle hardware takes precedence.
    if (commit && addr == 12'h304)
      overflow_enable <= new_value[13];
    if (commit && addr == 12'h344)
      overflow_pending <= new_value[13];
    if (irq_overflow_i)
      overflow_pending <= 1'b1;
    if (rst_i || OVERFLOW == 0)
      {overflow_enable, overflow_pending} <= 2'b00;
    if (commit)
      case (addr)
        12'h300: {mpie, mie} <= {new_value[7], new_value[3]};
        12'h304: enable <= {new_value[16], new_value[11], new_value[7], new_value[3]};
        12'h342: mcause <= {new_value[31], new_value[4:0]};
        12'h7b0: {ebreakm, step} <= {new_value[15], new_value[2]};
        default: ;
      endcase
    if (w_trap_i) begin
      {mpie, mie} <= {mie, 1'b0};
      mcause <= w_code_i;
    end
    if (w_mret_i)
      {mpie, mie} <= {1'b1, mpie};
    if (w_debug_i)
      dbg_cause <= w_code_i[2:0];
    if (rst_i) begin
      {mpie, mie} <= 2'b00;
      enable <= 4'd0;
      pending <= 4'd0;
      mcause <= 6'd0;
      {ebreakm, step} <= 2'b00;
      dbg_cause <= 3'd0;
    end
  end

  wire        unused = x_insn_i[14];
endmodule
`default_nettype wire
