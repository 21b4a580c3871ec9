// SPDX-License-Identifier: Apache-2.0
// Puts the ports of two harts on the instruction port and the data port of gnomon_interconnect (WAIT = 0, no flash
// memory). See docs/internals/harts.md.
//
// Order of data accesses: `turn` names the hart that goes first if both want to go. It passes to the other hart when
// its hart has gone or does not want to go, and stays while its hart must wait for the other's lock.
//
// Atomic instructions: from the load of an amo to its store, its hart owns the bus for writes: the other hart's writes
// and locked accesses wait, and the host's writes (`xd_lock_o`). An sc checks its reservation and sends its store in
// one cycle: the core waits for `d_grant_o`, which depends on registers only and promises that this store is accepted.
// Each hart sees the other's accepted writes and the host's on d_snoop_*.
//
// Register blocks that answer three cycles later: no data access is accepted in the two cycles after an access to a
// register, so answers come in order. `hold_i` keeps the harts from registers in a cycle.
//
// No hart starves. An instruction fetch that has waited for seven cycles has priority over data. In SLOT cycles of
// 2^PERIOD, counted from the hart's reset on, no hart has the bus: only the host can. So the host gets in whatever the
// harts do, and its accesses still cost them no cycle. No hart takes a lock shortly before, so that the host can write
// then.
`default_nettype none

module gnomon_hart_arbiter #(
  parameter integer PERIOD = 6,
  parameter integer SLOT = 4        // the cycles with number 0 to SLOT - 1; the hart leaves reset at number 8
) (
  input  wire        clk_i, rst_i,
  input  wire        hart_rst_i,
  input  wire        hold_i,        // no access of a hart to a register in this cycle

  // Instruction ports, hart 1 in the upper half. Data and error of an answer are the interconnect's.
  input  wire [1:0]  i_req_valid_i,
  output wire [1:0]  i_req_ready_o,
  input  wire [63:0] i_req_addr_i,
  output wire [1:0]  i_rsp_valid_o,

  // Data ports.
  input  wire [1:0]  d_req_valid_i,
  output wire [1:0]  d_req_ready_o,
  input  wire [63:0] d_req_addr_i,
  input  wire [1:0]  d_req_write_i,
  input  wire [63:0] d_req_wdata_i,
  input  wire [7:0]  d_req_strb_i,
  input  wire [1:0]  d_req_lock_i,
  output wire [1:0]  d_grant_o,
  output wire [1:0]  d_snoop_valid_o,
  output wire [59:0] d_snoop_addr_o,
  output wire [1:0]  d_rsp_valid_o,

  // The interconnect's ports.
  output wire        xi_req_valid_o,
  input  wire        xi_req_ready_i,
  output wire [31:0] xi_req_addr_o,
  input  wire        xi_rsp_valid_i,
  output wire        xd_req_valid_o,
  input  wire        xd_req_ready_i,
  output wire [31:0] xd_req_addr_o,
  output wire        xd_req_write_o,
  output wire [31:0] xd_req_wdata_o,
  output wire [3:0]  xd_req_strb_o,
  output wire        xd_lock_o,
  input  wire        xd_rsp_valid_i,
  input  wire        xh_write_i,    // the host's write is accepted
  input  wire [31:2] xh_addr_i,
  output wire        hart_o         // whose request the interconnect sees, if it is a hart's
);

  // ---- Cycles that are the host's ----
  localparam [PERIOD-1:0] START = 8;
  reg [PERIOD-1:0] number;
  wire slot = number < SLOT[PERIOD-1:0];
  wire soon = &number[PERIOD-1:3];  // the eight cycles before them
  always @(posedge clk_i) begin
    number <= number + 1'b1;
    if (rst_i || hart_rst_i) number <= START;
  end

  // ---- Instructions ----
  reg i_turn, i_owner;
  reg [2:0] i_waits;
  wire i_late = &i_waits;
  wire [1:0] i_ready = {!(i_req_valid_i[0] && !i_turn), !(i_req_valid_i[1] && i_turn)} & {2{xi_req_ready_i && !slot}};
  wire [1:0] i_go = i_req_valid_i & i_ready;
  wire i_sel = i_req_valid_i[1] && (i_turn || !i_req_valid_i[0]);
  assign i_req_ready_o = i_ready;
  assign xi_req_valid_o = |i_req_valid_i && !slot;
  assign xi_req_addr_o = i_sel ? i_req_addr_i[63:32] : i_req_addr_i[31:0];
  assign i_rsp_valid_o = {i_owner, !i_owner} & {2{xi_rsp_valid_i}};
  always @(posedge clk_i) begin
    if (|i_go) {i_owner, i_turn} <= {i_sel, !i_sel};
    i_waits <= |i_req_valid_i && !(|i_go) ? i_waits + {2'd0, !i_late} : 3'd0;
    if (rst_i) {i_owner, i_turn, i_waits} <= 5'd0;
  end

  // ---- Data ----
  reg turn, owner;    // who goes first; whose request was accepted last
  reg [1:0] register; // an access to a register was accepted one, two cycles ago
  reg locked, holder; // a hart is between an amo's load and its store; which one
  reg [1:0] open;     // accepted, not answered
  wire closed = slot || |register || i_late;
  wire [1:0] is_register = {d_req_addr_i[63:48] == 16'hF000, d_req_addr_i[31:16] == 16'hF000};
  wire [1:0] holds = {locked && holder, locked && !holder};
  wire [1:0] refused = ({2{locked}} & ~holds & (d_req_write_i | d_req_lock_i)) | ({2{soon}} & ~holds & d_req_lock_i) |
      ({2{hold_i}} & is_register);
  wire [1:0] wants = d_req_valid_i & ~refused;
  wire [1:0] d_ready = ~refused & {!(wants[0] && !turn), !(wants[1] && turn)} & {2{xd_req_ready_i && !closed}};
  wire [1:0] d_go = d_req_valid_i & d_ready;
  wire d_sel = wants[1] && (turn || !wants[0]);
  assign d_req_ready_o = d_ready;
  assign d_grant_o = {turn, !turn} & {2{!closed && !soon}} & ({2{!locked}} | holds);
  assign xd_req_valid_o = |wants && !closed;
  assign xd_req_addr_o = d_sel ? d_req_addr_i[63:32] : d_req_addr_i[31:0];
  assign xd_req_write_o = d_sel ? d_req_write_i[1] : d_req_write_i[0];
  assign xd_req_wdata_o = d_sel ? d_req_wdata_i[63:32] : d_req_wdata_i[31:0];
  assign xd_req_strb_o = d_sel ? d_req_strb_i[7:4] : d_req_strb_i[3:0];
  assign xd_lock_o = locked;
  assign d_rsp_valid_o = {owner, !owner} & {2{xd_rsp_valid_i}};
  assign hart_o = xd_req_valid_o ? d_sel : i_sel;

  wire [1:0] writes = d_go & d_req_write_i;
  assign d_snoop_valid_o = {writes[0], writes[1]} | {2{xh_write_i}};
  assign d_snoop_addr_o = {writes[0] ? d_req_addr_i[31:2] : xh_addr_i, writes[1] ? d_req_addr_i[63:34] : xh_addr_i};

  // A hart with the lock and neither a request nor an open access waits to check the reservation of an sc.
  wire [1:0] checks = d_req_lock_i & ~d_req_valid_i & ~open;
  wire served = turn ? d_go[1] || (checks[1] && d_grant_o[1]) : d_go[0] || (checks[0] && d_grant_o[0]);
  wire waits = turn ? (d_req_valid_i[1] || checks[1]) && !served : (d_req_valid_i[0] || checks[0]) && !served;
  wire [1:0] takes = d_go & d_req_lock_i & ~d_req_write_i;
  always @(posedge clk_i) begin
    if (|d_go) owner <= d_sel;
    register <= {register[0], |(d_go & is_register)};
    open <= d_go | (open & ~d_rsp_valid_o);
    if (!closed && !waits) turn <= !turn;
    if (|(holds & (writes | ~d_req_lock_i))) locked <= 1'b0;
    if (|takes) {locked, holder} <= {1'b1, takes[1]};
    if (rst_i) {turn, owner, register, locked, holder, open} <= 8'd0;
  end

endmodule

`default_nettype wire
