// SPDX-License-Identifier: Apache-2.0
// Load-store unit. A request leaves in X with the sum of base and offset; one that is not accepted is offered again from
// registers in M, so nothing in X waits for the bus; with EARLY = 0 all leave from M. The response belongs to M. At most one access is open, and none is
// started before the one ahead of it is known to be good: precise access faults.
// Stores into the message window (top 64 KiB) end here, in one cycle, without a request; loads from it are access faults.
`default_nettype none

module gnomon_core_lsu #(
    parameter EARLY = 1
) (
    input  wire        clk_i,
    input  wire        rst_i,

    // X: a load or store that is valid;
    input  wire        x_load_i,
    input  wire        x_store_i,
    input  wire [2:0]  x_funct3_i,
    input  wire [31:0] x_base_i,
    input  wire [11:0] x_offset_i,
    input  wire [31:0] x_wdata_i,
    input  wire        x_go_i,           // it moves on to M in this cycle, and nothing ahead of it traps
    input  wire        x_deny_i,         // the access is not allowed
    input  wire        x_note_i,         // no load or store; m_addr_o is to be this (for mtval)
    input  wire [31:0] x_note_value_i,
    output wire [31:0] x_addr_o,         // the sum, whatever the instruction (jalr uses it)
    output wire        x_trap_o,         // misaligned, not allowed or from the window: it makes no request
    output wire [2:0]  x_code_o,         // exception code 4, 5 or 6

    output wire        m_stall_o,        // the access has not been answered
    output wire        m_error_o,        // it has, with an error (code 5 or 7, as m_store_o)
    output reg  [31:0] m_addr_o,
    input  wire        m_load_i,         // M holds a load
    output wire [31:0] m_rdata_o,        // loaded, extended; else 0
    input  wire [31:0] m_wdata_i,        // to be stored

    output wire        d_req_valid_o,
    input  wire        d_req_ready_i,
    output wire [31:0] d_req_addr_o,
    output wire        d_req_write_o,
    output wire [31:0] d_req_wdata_o,
    output wire [3:0]  d_req_strb_o,
    input  wire        d_rsp_valid_i,
    input  wire [31:0] d_rsp_rdata_i,
    input  wire        d_rsp_error_i
);
    wire        x_byte = x_funct3_i[1:0] == 2'b00;
    wire        x_half = x_funct3_i[1:0] == 2'b01;
    wire [31:0] x_addr = x_base_i + {{20{x_offset_i[11]}}, x_offset_i};
    wire        x_misaligned = x_addr[0] & ~x_byte | x_addr[1] & x_funct3_i[1];
    wire        x_window = &x_addr[31:16];
    wire        x_request = (x_load_i | x_store_i) & ~x_misaligned & ~x_window & x_go_i & ~x_deny_i;
    assign x_addr_o = x_addr;
    assign x_trap_o = (x_load_i | x_store_i) & (x_misaligned | x_deny_i) | x_load_i & x_window;
    assign x_code_o = {1'b1, x_store_i, ~x_misaligned};

    reg         m_open;                  // an access is to be answered
    reg         m_offer;                 // its request is still to be accepted
    reg         m_write;
    reg  [2:0]  m_funct3;
    wire        early = EARLY != 0 & ~m_offer;
    wire        r_byte = early ? x_byte : m_byte;
    wire        r_half = early ? x_half : m_half;
    wire [31:0] r_addr = early ? x_addr : m_addr_o;
    wire [31:0] r_wdata = early ? x_wdata_i : m_wdata_i;

    assign d_req_valid_o = m_offer | EARLY != 0 & x_request;
    assign d_req_addr_o = {r_addr[31:2], 2'b00};
    assign d_req_write_o = early ? x_store_i : m_write;
    assign d_req_wdata_o = {r_byte ? r_wdata[7:0] : r_half ? r_wdata[15:8] : r_wdata[31:24],
                            r_byte | r_half ? r_wdata[7:0] : r_wdata[23:16],
                            r_byte ? r_wdata[7:0] : r_wdata[15:8],
                            r_wdata[7:0]};
    assign d_req_strb_o = {r_byte ? &r_addr[1:0] : ~r_half | r_addr[1],
                           r_byte ? r_addr[1:0] == 2'b10 : ~r_half | r_addr[1],
                           r_byte ? r_addr[1:0] == 2'b01 : ~r_half | ~r_addr[1],
                           r_byte ? r_addr[1:0] == 2'b00 : ~r_half | ~r_addr[1]};

    assign m_stall_o = m_open & ~d_rsp_valid_i;
    assign m_error_o = m_open & d_rsp_valid_i & d_rsp_error_i;

    always @(posedge clk_i) begin
        if (~m_stall_o) begin
            m_open <= x_request;
            m_addr_o <= x_note_i ? x_note_value_i : x_addr;
            m_write <= x_store_i;
            m_funct3 <= x_funct3_i;
        end
        m_offer <= EARLY == 0 & ~m_stall_o ? x_request : d_req_valid_o & ~d_req_ready_i;
        if (rst_i) begin
            m_open <= 1'b0;
            m_offer <= 1'b0;
        end
    end

    wire        m_byte = m_funct3[1:0] == 2'b00;
    wire        m_half = m_funct3[1:0] == 2'b01;
    wire [15:0] m_upper = d_rsp_rdata_i[31:16];
    wire [15:0] m_low16 = m_addr_o[1] ? m_upper : d_rsp_rdata_i[15:0];
    wire [7:0]  m_low8 = m_addr_o[0] ? m_low16[15:8] : m_low16[7:0];
    wire        m_sign = m_load_i & ~m_funct3[2] & (m_byte ? m_low8[7] : m_low16[15]);
    assign m_rdata_o = {m_byte | m_half ? {16{m_sign}} : {16{m_load_i}} & m_upper,
                        m_byte ? {8{m_sign}} : {8{m_load_i}} & m_low16[15:8],
                        {8{m_load_i}} & (m_byte ? m_low8 : m_low16[7:0])};
endmodule
`default_nettype wire
