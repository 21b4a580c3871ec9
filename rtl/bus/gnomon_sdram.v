// SPDX-License-Identifier: Apache-2.0
// Controller of a x16 SDR SDRAM: words of 32 bits as bursts of two, requests in order. Rows stay open until another row
// of their bank is needed or a refresh is due. Words in open rows take two cycles each.
//
// Cycles from a request's acceptance to its data, if the controller is idle: CAS + CAPTURE + 3 in an open row, T_RCD
// more if the bank has no open row, T_RP + T_RCD more if it has another one. A write is complete for its master when it
// is accepted. A refresh takes T_RP (if a row is open) + T_RFC and closes all rows. It begins as soon as it is due,
// unless a row was just opened. Addresses: row, bank, column from the top, so a row holds 1 KiB and the next KiB is in
// the next bank.
//
// The schedule depends only on the requests since the end of parking. When `park_i` is high and no request is left, the
// controller closes all rows, refreshes, and stops the time to the next refresh until `park_i` falls, at most 64 cycles
// later. So a hart that leaves its reset finds the memory in the same state each time.
//
// Pins are registers of clk_i. CAPTURE = 0: the chip's clock is clk_i inverted, with half a cycle of setup and hold for
// the chip; 1: it is in phase with clk_i, and data comes one cycle later.
`default_nettype none

module gnomon_sdram #(
  parameter [31:0] CLOCK_HZ = 32'd50_000_000,
  parameter integer BYTES = 33_554_432,      // bytes of the chip: four banks of rows with 512 columns
  parameter integer CAS = 2,                 // 2, or 3 above 100 MHz
  parameter integer CAPTURE = 0,
  parameter [63:0] POWER_UP = 64'd0          // ps to wait after reset, 0: the chip's value
) (
  input  wire        clk_i, rst_i,

  input  wire        park_i,
  output wire        parked_o,

  // Requests: the owner comes back with the data. Writes get no answer.
  input  wire        req_valid_i,
  output wire        req_ready_o,
  input  wire [$clog2(BYTES)-1:2] req_addr_i,
  input  wire        req_write_i,
  input  wire [31:0] req_wdata_i,
  input  wire [3:0]  req_strb_i,
  input  wire [1:0]  req_owner_i,
  output wire        rsp_valid_o,
  output wire [1:0]  rsp_owner_o,
  output wire [31:0] rsp_rdata_o,

  // No data comes from the chip because it refreshes; because the oldest request's row is being closed or opened.
  output wire        refresh_o, page_o,

  output wire        sdram_cke_o, sdram_cs_n_o, sdram_ras_n_o, sdram_cas_n_o, sdram_we_n_o,
  output reg  [1:0]  sdram_ba_o,
  output reg  [12:0] sdram_a_o,
  output reg  [1:0]  sdram_dqm_o,
  output reg  [15:0] sdram_dq_o,
  output reg         sdram_dq_oe_o,
  input  wire [15:0] sdram_dq_i
);

`include "gnomon_sdram_chip.vh"

  // ---- Times in cycles ----
  /* verilator lint_off WIDTH */  // 64 bits from 32
  localparam [63:0] HZ = CLOCK_HZ, LATENCY = CAS;
  /* verilator lint_on WIDTH */
  localparam [63:0] SECOND = 64'd1_000_000_000_000, UP = SECOND - 64'd1;
  localparam [63:0] BURST = 64'd2;
  localparam [63:0] T_RRD = (CHIP_RRD * HZ + UP) / SECOND;
  localparam [63:0] T_RCD_ALONE = (CHIP_RCD * HZ + UP) / SECOND;
  // T_RCD and a burst separate two ACTIVEs, so this value also keeps T_RRD.
  localparam [63:0] T_RCD = T_RCD_ALONE + BURST < T_RRD ? T_RRD - BURST : T_RCD_ALONE;
  localparam [63:0] T_RP = (CHIP_RP * HZ + UP) / SECOND;
  localparam [63:0] T_RC = (CHIP_RC * HZ + UP) / SECOND;
  localparam [63:0] T_RAS_ALONE = (CHIP_RAS * HZ + UP) / SECOND;
  // T_RP separates a PRECHARGE from the bank's next ACTIVE, so this value also keeps T_RC.
  localparam [63:0] T_RAS = T_RAS_ALONE + T_RP < T_RC ? T_RC - T_RP : T_RAS_ALONE;
  localparam [63:0] T_RFC = (CHIP_RFC * HZ + UP) / SECOND;
  localparam [63:0] T_WR_ALONE = (CHIP_WR * HZ + UP) / SECOND;
  localparam [63:0] T_WR = T_WR_ALONE < CHIP_WR_CYCLES ? CHIP_WR_CYCLES : T_WR_ALONE;
  localparam [63:0] T_MRD = CHIP_MRD_CYCLES;
  localparam [63:0] T_TURN = LATENCY + BURST + 64'd1;  // READ to WRITE: the chip leaves the data wires one cycle before
  localparam [63:0] T_REFRESH = CHIP_REFRESH * HZ / SECOND;  // maximum from REFRESH to REFRESH
  localparam [63:0] PARKED_MOST = 64'd64;
  // The longest delay of a refresh command after it is due: a row opens, its access, its end.
  localparam [63:0] T_LATE = T_RCD + T_TURN + 64'd1 + T_WR + T_RAS + T_RP;
  localparam [63:0] T_POWER_UP = (POWER_UP == 64'd0 ? CHIP_POWER_UP : POWER_UP) * HZ / SECOND + 64'd1;
  localparam integer POWER_BITS = $clog2(T_POWER_UP + 1);
  localparam integer REFRESH_BITS = $clog2(T_REFRESH + 1);
  localparam [63:0] UNTIL = T_REFRESH - T_LATE;
  localparam [REFRESH_BITS-1:0] UNTIL_DUE = UNTIL[REFRESH_BITS-1:0];
  localparam [63:0] UNTIL_PARKED = UNTIL - PARKED_MOST;
  localparam [REFRESH_BITS-1:0] UNTIL_DUE_PARKED = UNTIL_PARKED[REFRESH_BITS-1:0];
  localparam integer H = 4;                          // bits of the short counters

  localparam integer A = $clog2(BYTES);
  // bits of a row's number; the bank has 2, the column 9, the byte 1
  localparam integer ROW = A - 12;
  localparam integer COLUMN = 8;                     // bits of a word's number within the row

  // ---- Requests ----
  wire head, head_write, take;
  wire [A-1:2] head_addr;
  wire [31:0] head_wdata;
  wire [3:0] head_strb;
  wire [1:0] head_owner;
  gnomon_sdram_queue #(
    .WIDTH(A - 2 + 1 + 32 + 4 + 2)
  ) u_queue (
`ifdef FORMAL
    .f_behind_o(f_behind),
`endif
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(req_valid_i),
    .ready_o(req_ready_o),
    .data_i ({req_addr_i, req_write_i, req_wdata_i, req_strb_i, req_owner_i}),
    .valid_o(head),
    .take_i (take),
    .data_o ({head_addr, head_write, head_wdata, head_strb, head_owner})
  );
  wire [1:0] bank = head_addr[COLUMN+3:COLUMN+2];
  wire [ROW-1:0] row = head_addr[A-1-:ROW];

  // ---- State of the chip ----
  reg [3:0] open;                      // by bank: a row is open; rows: that row
  reg [4*ROW-1:0] rows;
  reg opening;                         // the last command opened a row that has had no access yet
  reg [H-1:0] hold, hold_precharge, hold_write;  // cycles until the next command, PRECHARGE, WRITE
  reg [REFRESH_BITS-1:0] until_due;
  reg [POWER_BITS-1:0] power_up;
  reg [3:0] init;                      // commands left in the initialisation: PRECHARGE, REFRESHes, MODE
  reg refreshing;                      // the last command was REFRESH
  reg parked;
  localparam [3:0] INIT = CHIP_POWER_UP_REFRESHES + 4'd2, MODE_STEP = 4'd1;

  wire go = hold == {H{1'b0}} && power_up == {POWER_BITS{1'b0}};
  wire begun = init == 4'd0;
  wire due = until_due == {REFRESH_BITS{1'b0}};
  wire wants_refresh = begun && ((due && !opening) || (park_i && !parked && !head));
  wire is_open = open[bank];
  wire hit = is_open && rows[bank*ROW+:ROW] == row;

  // ---- The next command ----
  wire turn = go && begun && !wants_refresh && head;
  wire access = turn && hit && (!head_write || hold_write == {H{1'b0}});
  wire closable = hold_precharge == {H{1'b0}};
  wire do_read = access && !head_write;
  wire do_write = access && head_write;
  wire do_active = turn && !is_open;
  wire do_close = turn && is_open && !hit && closable;
  wire do_close_all = go && (begun ? wants_refresh && open != 4'd0 && closable : init == INIT);
  wire do_refresh = go && (begun ? wants_refresh && open == 4'd0 : init != INIT && init != MODE_STEP);
  wire do_mode = go && init == MODE_STEP;
  assign take = access;

  // As on the pins: CS, RAS, CAS, WE.
  localparam [3:0] NOP = 4'b0111, ACTIVE = 4'b0011, READ = 4'b0101, WRITE = 4'b0100, PRECHARGE = 4'b0010,
      REFRESH = 4'b0001, MODE = 4'b0000;
  localparam [12:0] MODE_WORD = {6'd0, LATENCY[2:0], 1'b0, 3'b001};  // bursts of two, in sequence
  localparam [12:0] ALL = 13'h0400;
  reg [3:0] command;
  initial command = NOP;               // also before the first clock edge
  reg later;                           // the second half of a word is to be written
  reg [15:0] later_data;
  reg [1:0] later_mask;
  assign {sdram_cs_n_o, sdram_ras_n_o, sdram_cas_n_o, sdram_we_n_o} = command;
  assign sdram_cke_o = 1'b1;

  always @(posedge clk_i) begin
    command <= do_read ? READ : do_write ? WRITE : do_active ? ACTIVE : do_close || do_close_all ? PRECHARGE :
      do_refresh ? REFRESH : do_mode ? MODE : NOP;
    sdram_ba_o <= do_mode ? 2'd0 : bank;
    sdram_a_o <= do_active ? {{(13 - ROW) {1'b0}}, row} : access ? {4'd0, head_addr[COLUMN+1:2], 1'b0} :
      do_close_all ? ALL : do_mode ? MODE_WORD : 13'd0;
    sdram_dq_o <= later ? later_data : head_wdata[15:0];
    sdram_dq_oe_o <= do_write || later;
    sdram_dqm_o <= {2{!begun}} | (do_write ? ~head_strb[1:0] : later ? later_mask : 2'b00);
    later <= do_write;
    later_data <= head_wdata[31:16];
    later_mask <= ~head_strb[3:2];
    if (rst_i) begin
      command <= NOP;
      sdram_dq_oe_o <= 1'b0;
      later <= 1'b0;
    end
  end

  // ---- Effects of the command ----
  function [H-1:0] less(input [H-1:0] count);
    less = count - {{(H - 1) {1'b0}}, count != {H{1'b0}}};
  endfunction

  always @(posedge clk_i) begin
    hold <= less(hold);
    hold_precharge <= less(hold_precharge);
    hold_write <= less(hold_write);
    if (power_up != {POWER_BITS{1'b0}}) power_up <= power_up - 1'b1;
    if (!due) until_due <= until_due - 1'b1;
    if (go && !begun) init <= init - 4'd1;
    if (go) refreshing <= do_refresh;

    if (access) begin
      hold <= BURST[H-1:0] - 1'b1;
      opening <= 1'b0;
    end
    if (do_read) hold_write <= T_TURN[H-1:0] - 1'b1;
    // The last half of the word is written one cycle later.
    if (do_write && less(hold_precharge) < T_WR[H-1:0]) hold_precharge <= T_WR[H-1:0];
    if (do_active) begin
      hold <= T_RCD[H-1:0] - 1'b1;
      hold_precharge <= T_RAS[H-1:0] - 1'b1;
      open[bank] <= 1'b1;
      rows[bank*ROW+:ROW] <= row;
      opening <= 1'b1;
    end
    if (do_close || do_close_all) hold <= T_RP[H-1:0] - 1'b1;
    if (do_close) open[bank] <= 1'b0;
    if (do_close_all) open <= 4'd0;
    if (do_refresh) hold <= T_RFC[H-1:0] - 1'b1;
    if (do_mode) hold <= T_MRD[H-1:0] - 1'b1;

    if (do_refresh) until_due <= UNTIL_DUE;
    if (park_i && parked) until_due <= UNTIL_DUE_PARKED;
    parked <= park_i && (parked || (do_refresh && begun && !head));

    if (rst_i) begin
      {hold, hold_precharge, hold_write} <= {3 * H{1'b0}};
      power_up <= T_POWER_UP[POWER_BITS-1:0];
      until_due <= UNTIL_DUE;
      init <= INIT;
      open <= 4'd0;
      {opening, refreshing, parked} <= 3'b000;
    end
  end
  assign parked_o = parked && hold == {H{1'b0}};

  // ---- Data from the chip: dq_before has the first half, dq the second one ----
  localparam integer WAY = CAS + CAPTURE + 2;
  reg [WAY-1:0] way;
  reg [2*WAY-1:0] owners;
  reg [15:0] dq, dq_before;
  always @(posedge clk_i) begin
    way <= {way[WAY-2:0], do_read};
    owners <= {owners[2*WAY-3:0], head_owner};
    dq <= sdram_dq_i;
    dq_before <= dq;
    if (rst_i) way <= {WAY{1'b0}};
  end
  assign rsp_valid_o = way[WAY-1];
  assign rsp_owner_o = owners[2*WAY-1-:2];
  assign rsp_rdata_o = {dq, dq_before};

  wire quiet = way == {WAY{1'b0}};
  wire in_refresh = wants_refresh || (refreshing && hold != {H{1'b0}});
  assign refresh_o = quiet && in_refresh;
  assign page_o = quiet && head && !in_refresh && (!hit || (opening && hold != {H{1'b0}}));

`ifdef FORMAL
`include "gnomon_sdram.vh"
`endif

endmodule

`default_nettype wire
