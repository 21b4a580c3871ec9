// SPDX-License-Identifier: Apache-2.0
// User mode: the hart's privilege, and the CSR bits that only a hart with user mode has: mstatus.MPP, MPRV, TW; misa.U;
// mcounteren; dcsr.ebreaku, mprven, prv. Every change of the privilege redirects fetch in the same cycle, so all
// instructions in the pipeline have the same privilege.
`default_nettype none

module gnomon_core_mode (
  input  wire        clk_i, rst_i,

  input  wire        csr_write_i,
  input  wire [11:0] csr_addr_i,
  input  wire [31:0] csr_wdata_i,
  output wire        csr_exists_o,
  output reg  [31:0] csr_rdata_o,   // without the bits of gnomon_core_csr.v
  output wire        csr_denied_o,  // the current mode must not access the CSR
  output wire [31:0] status_o,      // the bits of mstatus

  input  wire        w_trap_i, w_mret_i,
  input  wire        w_debug_i,    // W enters debug mode
  input  wire        resume_i,     // the hart has left debug mode
  input  wire        debug_i,
  output wire        user_o,       // the hart is in U mode; 0 in debug mode
  output wire        data_user_o,  // loads and stores have the rights of U mode
  output wire        wfi_traps_o, ebreaku_o
);
  reg         user, mpp_user, mprv, tw, ebreaku, mprven, prv_user;
  reg  [31:0] counteren;

  assign user_o = user;
  // MPRV is 0 in U mode.
  assign data_user_o = user || mprv && mpp_user && (!debug_i || mprven);
  assign wfi_traps_o = user && tw;
  assign ebreaku_o = ebreaku;

  assign status_o = {10'd0, tw, 3'd0, mprv, 4'd0, {2{!mpp_user}}, 11'd0};
  assign csr_exists_o = csr_addr_i == 12'h306;
  always @* begin
    csr_rdata_o = 32'd0;
    case (csr_addr_i)
      12'h300: csr_rdata_o = status_o;
      12'h301: csr_rdata_o = 32'h0010_0000;
      12'h306: csr_rdata_o = counteren;
      12'h7b0: csr_rdata_o = {19'd0, ebreaku, 7'd0, mprven, 2'd0, {2{!prv_user}}};
      default: ;
    endcase
  end
  // U mode can access only counters.
  assign csr_denied_o = user && (csr_addr_i[9:8] != 2'b00 || !counteren[csr_addr_i[4:0]]);

  always @(posedge clk_i) begin
    if (csr_write_i)
      case (csr_addr_i)
        12'h300: {tw, mprv, mpp_user} <= {csr_wdata_i[21], csr_wdata_i[17], !&csr_wdata_i[12:11]};
        12'h306: counteren <= csr_wdata_i;
        12'h7b0: {ebreaku, mprven, prv_user} <= {csr_wdata_i[12], csr_wdata_i[4], !&csr_wdata_i[1:0]};
        default: ;
      endcase
    if (w_trap_i)
      {mpp_user, user} <= {user, 1'b0};
    if (w_mret_i) begin
      {mpp_user, user} <= {1'b1, mpp_user};
      if (mpp_user)
        mprv <= 1'b0;
    end
    if (w_debug_i)
      {prv_user, user} <= {user, 1'b0};
    if (resume_i) begin
      user <= prv_user;
      if (prv_user)
        mprv <= 1'b0;
    end
    if (rst_i) begin
      {user, mpp_user, mprv, tw, ebreaku, mprven, prv_user} <= 7'd0;
      counteren <= 32'd0;
    end
  end
endmodule
`default_nettype wire
