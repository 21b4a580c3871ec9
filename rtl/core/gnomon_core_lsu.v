// SPDX-License-Identifier: Apache-2.0
// Load-store unit. A request leaves in X with the sum of base and offset. If the bus does not accept it, M repeats it
// from registers, so nothing in X waits for the bus. With EARLY = 0 all requests leave from M. The response belongs to
// M. At most one access is open, and none starts before the access ahead is known to succeed: access faults are
// precise. Stores into the message window (top 1 MiB) end here in one cycle, without a request; loads from it are
// access faults.
//
// With ATOMIC: lr is a load that reserves its word. sc checks in M whether the word is still reserved, and sends its
// request only then. An amo begins as a load; after the response M requests a store. d_lock_o keeps other masters from
// writing between the two. The check waits for d_grant_i, for buses with another master that has reservations.
`default_nettype none

module gnomon_core_lsu #(
  parameter EARLY = 1,
  parameter ATOMIC = 0
) (
  input  wire        clk_i, rst_i,

  // Stage X: a valid load or store.
  input  wire        x_load_i, x_store_i,
  input  wire        x_atomic_i,  // 1: a load is lr, a store is sc, both together are an amo
  input  wire [3:0]  x_op_i,      // for an amo: bits 4:2 and 0 of its funct5
  input  wire [2:0]  x_funct3_i,
  input  wire [31:0] x_base_i,
  input  wire [11:0] x_offset_i,
  input  wire [31:0] x_wdata_i,
  input  wire        x_go_i,      // the instruction moves to M in this cycle, and no older instruction traps
  input  wire        x_deny_i,    // the access is not allowed
  input  wire        x_note_i,    // no load or store: m_addr_o takes x_note_value_i (for mtval)
  input  wire [31:0] x_note_value_i,
  output wire [31:0] x_addr_o,    // base + offset, for every instruction (jalr uses it)
  output wire        x_trap_o,    // misaligned, not allowed or a load from the window: no request
  output wire [2:0]  x_code_o,    // exception code 4 to 7

  output wire        m_stall_o,   // the access has no final response yet
  output wire        m_error_o,   // the access has failed (code 5; 7 for a store, sc or amo)
  output reg  [31:0] m_addr_o,
  input  wire        m_load_i,    // M has a load (not an amo)
  output wire [31:0] m_rdata_o,   // loaded value, extended; else 0
  input  wire [31:0] m_wdata_i,   // value to store
  output wire [31:0] m_atomic_o,  // amo: old value; sc: 1 if it stored nothing; else 0
  output wire        m_failed_o,  // an sc has stored nothing
  output wire [31:0] m_stored_o,  // with ATOMIC: value to store

  output wire        d_req_valid_o,
  input  wire        d_req_ready_i,
  output wire [31:0] d_req_addr_o,
  output wire        d_req_write_o,
  output wire [31:0] d_req_wdata_o,
  output wire [3:0]  d_req_strb_o,
  output wire        d_req_lock_o,     // from an amo's first request or an sc's check to the last response
  output wire        d_lock_o,         // the same without the cycle in which an amo's load leaves X: from registers
  input  wire        d_grant_i,        // an sc may check: the bus accepts its store in this cycle
  input  wire        d_snoop_valid_i,  // another master writes the word d_snoop_addr_i
  input  wire [31:2] d_snoop_addr_i,
  input  wire        d_rsp_valid_i,
  input  wire [31:0] d_rsp_rdata_i,
  input  wire        d_rsp_error_i
);
  wire        x_byte = x_funct3_i[1:0] == 2'b00;
  wire        x_half = x_funct3_i[1:0] == 2'b01;
  wire [31:0] x_addr = x_base_i + {{20{x_offset_i[11]}}, x_offset_i};
  wire        x_misaligned = x_addr[0] && !x_byte || x_addr[1] && x_funct3_i[1];
  wire        x_window = &x_addr[31:20];
  wire        x_lr = ATOMIC != 0 && x_atomic_i && x_load_i && !x_store_i;
  wire        x_sc = ATOMIC != 0 && x_atomic_i && x_store_i && !x_load_i;
  wire        x_amo = ATOMIC != 0 && x_atomic_i && x_load_i && x_store_i;
  wire        x_request = (x_load_i || x_store_i && !x_sc) && !x_misaligned && !x_window && x_go_i && !x_deny_i;
  assign x_addr_o = x_addr;
  assign x_trap_o = (x_load_i || x_store_i) && (x_misaligned || x_deny_i) || x_load_i && x_window;
  assign x_code_o = {1'b1, x_store_i, !x_misaligned};

  reg         m_open;                  // an access has no final response
  reg         m_offer;                 // the bus has not accepted the request
  reg         m_write;
  reg  [2:0]  m_funct3;
  wire        m_check;                 // first cycle of an sc
  wire        m_hold;                  // an sc before its check, or an amo before its first response
  wire        m_turn;                  // first response to an amo
  wire        m_reserved;
  wire        m_broken;                // the first response to an amo was an error
  wire        early = EARLY != 0 && !m_offer && !m_check;
  wire        r_byte = early ? x_byte : m_byte;
  wire        r_half = early ? x_half : m_half;
  wire [31:0] r_addr = early ? x_addr : m_addr_o;
  wire [31:0] r_wdata = early ? x_wdata_i : ATOMIC != 0 ? m_stored_o : m_wdata_i;

  assign d_req_valid_o = m_offer || m_check && m_reserved || EARLY != 0 && x_request;
  assign d_req_addr_o = {r_addr[31:2], 2'b00};
  assign d_req_write_o = early ? x_store_i && !x_amo : m_write;
  assign d_req_wdata_o = {r_byte ? r_wdata[7:0] : r_half ? r_wdata[15:8] : r_wdata[31:24],
              r_byte || r_half ? r_wdata[7:0] : r_wdata[23:16],
              r_byte ? r_wdata[7:0] : r_wdata[15:8],
              r_wdata[7:0]};
  assign d_req_strb_o = {r_byte ? &r_addr[1:0] : !r_half || r_addr[1],
              r_byte ? r_addr[1:0] == 2'b10 : !r_half || r_addr[1],
              r_byte ? r_addr[1:0] == 2'b01 : !r_half || !r_addr[1],
              r_byte ? r_addr[1:0] == 2'b00 : !r_half || !r_addr[1]};

  assign m_stall_o = m_open && (!d_rsp_valid_i || m_hold);
  assign m_error_o = m_open && d_rsp_valid_i && d_rsp_error_i && !m_hold || m_broken;

  always @(posedge clk_i) begin
    if (!m_stall_o) begin
      m_open <= x_request || x_sc && !x_misaligned && x_go_i;
      m_addr_o <= x_addr;
      if (x_note_i)
        m_addr_o <= x_note_value_i;
      m_write <= x_store_i && !x_amo;
      m_funct3 <= x_funct3_i;
    end else if (ATOMIC != 0) begin
      if (m_check && !m_reserved || m_turn && d_rsp_error_i)
        m_open <= 1'b0;
      if (m_turn)
        m_write <= 1'b1;
    end
    m_offer <= EARLY == 0 && !m_stall_o ? x_request : d_req_valid_o && !d_req_ready_i || m_turn && !d_rsp_error_i;
    if (rst_i) begin
      m_open <= 1'b0;
      m_offer <= 1'b0;
    end
  end

  generate
    if (ATOMIC != 0) begin : atomic
      reg         hold, check, broken, failed, locked, any;
      reg  [3:0]  op;
      reg  [31:0] old, operand;
      reg         reserved;
      reg  [31:2] word;            // reserved word
      assign m_hold = hold;
      assign m_check = m_open && check && d_grant_i;
      assign m_turn = m_open && hold && !check && d_rsp_valid_i;
      assign m_reserved = reserved && word == m_addr_o[31:2];
      assign m_broken = broken;
      assign m_failed_o = failed;
      assign m_atomic_o = old;
      assign d_lock_o = m_open && locked;
      assign d_req_lock_o = d_lock_o || EARLY != 0 && x_request && x_amo;

      always @(posedge clk_i) begin
        if (!m_stall_o) begin
          hold <= x_sc || x_amo;
          check <= x_sc;
          broken <= 1'b0;
          failed <= 1'b0;
          locked <= x_sc || x_amo;
          any <= x_atomic_i;
          op <= x_amo ? x_op_i : 4'b0001;
          operand <= x_wdata_i;
          old <= 32'd0;
        end else begin
          if (m_check || m_turn)
            {hold, check} <= 2'b00;
          if (m_check && !m_reserved) begin
            failed <= 1'b1;
            old[0] <= 1'b1;
          end
          if (m_turn) begin
            broken <= d_rsp_error_i;
            old <= d_rsp_rdata_i;
          end
        end
        if (d_snoop_valid_i && d_snoop_addr_i == word || m_check || m_error_o && any)
          reserved <= 1'b0;
        if (x_lr && x_go_i) begin
          reserved <= x_request;
          word <= x_addr[31:2];
        end
        if (rst_i) begin
          broken <= 1'b0;
          reserved <= 1'b0;
          old <= 32'd0;
        end
      end

      // Value to store: the operand, except for an amo other than swap. The operand is complemented for a comparison.
      wire [32:0] sum = {1'b0, old} + {1'b0, operand} + {32'd0, op[3]};
      wire        less = op[2] || old[31] == !operand[31] ? !sum[32] : old[31];
      wire        compares = op[3] && !op[0];
      wire        keeps = less ^ op[1];
      wire [31:0] logical = op[2] ? (op[1] ? old & operand : old | operand) : old ^ operand;
      wire [31:0] chosen = op[0] ? operand : compares ? (keeps ? old : ~operand) : logical;
      assign m_stored_o = op[3:0] == 4'd0 ? sum[31:0] : chosen;
    end else begin : no_atomic
      assign {m_hold, m_check, m_turn, m_reserved, m_broken, m_failed_o, d_req_lock_o, d_lock_o} = 8'd0;
      assign m_atomic_o = 32'd0;
      assign m_stored_o = 32'd0;
      wire unused = &{1'b0, x_atomic_i, x_op_i, d_grant_i, d_snoop_valid_i, d_snoop_addr_i, x_lr};
    end
  endgenerate

  wire        m_byte = m_funct3[1:0] == 2'b00;
  wire        m_half = m_funct3[1:0] == 2'b01;
  wire [15:0] m_upper = d_rsp_rdata_i[31:16];
  wire [15:0] m_low16 = m_addr_o[1] ? m_upper : d_rsp_rdata_i[15:0];
  wire [7:0]  m_low8 = m_addr_o[0] ? m_low16[15:8] : m_low16[7:0];
  wire        m_sign = m_load_i && !m_funct3[2] && (m_byte ? m_low8[7] : m_low16[15]);
  assign m_rdata_o = {m_byte || m_half ? {16{m_sign}} : {16{m_load_i}} & m_upper,
            m_byte ? {8{m_sign}} : {8{m_load_i}} & m_low16[15:8],
            {8{m_load_i}} & (m_byte ? m_low8 : m_low16[7:0])};
endmodule
`default_nettype wire
