// SPDX-License-Identifier: Apache-2.0
// The block STALL_CAUSES counts every cycle of a run by its stall cause (docs/internals/profile.md, "Stall causes"). It
// has one counter for each cause, for the whole run, and with CODE_WINDOW_LOG2 the counters of a code window
// (gnomon_code_window). A run lasts as long as its trace: from the cycle after cycle 0 up to and including the cycle in
// which the program sends EXIT or the host clears PROFILE.CONTROL.ENABLE. So the sum of the counters is the cycle of
// END.
`default_nettype none

module gnomon_stall_causes #(
  parameter CODE_WINDOW_LOG2 = 0, // log2 of the code window's parcels, 6 to 20; 0: no code window
  parameter QUEUE_LOG2 = 7,  // QUEUE_LOG2 and LENGTH: see gnomon_code_window
  parameter LENGTH = 31,
  // 1: the bundle has REFRESH and PAGE, with two more counters. The code window counts them in the places of DEBUG and
  // RESET, for which no instruction pays.
  parameter MEMORY = 0
) (
  input  wire        clk_i,
  input  wire        rst_i,       // power-on: clears the code window's base address
  input  wire        hart_rst_i,  // clears all counters; at least 32 cycles long

  input  wire        obs_valid_i, obs_trap_i,
  input  wire [31:1] obs_pc_i,
  input  wire [4:0]  obs_cause_i,
  input  wire        exit_i,    // the program has sent EXIT in this cycle
  input  wire        enable_i,  // PROFILE.CONTROL.ENABLE

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o  // one cycle after reg_sel_i, else 0
);
`include "gnomon_registers.vh"
  localparam [4:0] DEBUG = 5'd9, RESET = 5'd10, REFRESH = 5'd16, PAGE = 5'd17;

  // ---- The run, and the bundle of the previous cycle ----
  reg started, stopped, enabled, count, retired, unpaid;
  reg [3:0] cause; // UNKNOWN, 31, becomes 15
  reg of_memory;   // the cause is REFRESH or PAGE
  wire is_refresh = MEMORY != 0 && obs_cause_i == REFRESH, is_page = MEMORY != 0 && obs_cause_i == PAGE;
  reg [31:1] pc;
  wire retires = obs_valid_i && !obs_trap_i;
  always @(posedge clk_i) begin
    started <= !hart_rst_i;
    enabled <= !hart_rst_i && enable_i;
    stopped <= !hart_rst_i && (stopped || exit_i || (enabled && !enable_i));
    count <= !hart_rst_i && started && !stopped;
    retired <= retires;
    unpaid <= obs_cause_i == DEBUG || obs_cause_i == RESET;
    cause <= retires ? 4'd0 : is_refresh ? DEBUG[3:0] : is_page ? RESET[3:0] : obs_cause_i[3:0];
    of_memory <= is_refresh || is_page;
    pc <= obs_pc_i;
  end

  // ---- Registers ----
  localparam PAGE_BITS = CODE_WINDOW_LOG2 > 5 ? CODE_WINDOW_LOG2 - 5 : 1;
  localparam [11:0] COUNT = `GNOMON_STALL_CAUSES_COUNT, REFRESH_LO = `GNOMON_STALL_CAUSES_REFRESH_LO,
      PAGE_LO = `GNOMON_STALL_CAUSES_PAGE_LO, OUTSIDE_LO = `GNOMON_STALL_CAUSES_OUTSIDE_LO;
  reg [31:1] base;
  reg [PAGE_BITS-1:0] page;
  wire ready, idle, saturated;
  wire bus_read = reg_sel_i && !reg_write_i;
  wire reads_refresh = MEMORY != 0 && reg_addr_i[11:3] == REFRESH_LO[11:3], reads_page = MEMORY != 0 &&
      reg_addr_i[11:3] == PAGE_LO[11:3];
  wire in_count = reg_addr_i[11:7] == COUNT[11:7] || reads_refresh || reads_page;
  // OUTSIDE, OVERFLOW, UNATTRIBUTED
  wire in_totals = reg_addr_i[11:6] == OUTSIDE_LO[11:6] && (reg_addr_i[5:4] == 2'd1 || reg_addr_i[5:3] == 3'd4);

  // ---- A counter for each cause ----
  // A memory with a read at once has the lower LOW bits, and counts in each cycle. What is above PART bits there moves
  // to the other bits, which are in a memory of words of 36 bits, in a cycle that counts the same cause. A read of a
  // counter has priority over it. So no count is lost unless counters are read in some 60,000 cycles without a pause.
  localparam WIDTH = 48, LOW = 16, PART = 12;
  localparam AT = MEMORY != 0 ? 5 : 4; // the upper half has REFRESH and PAGE
  wire reads_count = bus_read && in_count && !reg_addr_i[2];
  wire [4:0] cause_at = {of_memory, cause};
  wire [4:0] bus_at = reads_refresh ? {1'b1, DEBUG[3:0]} : reads_page ? {1'b1, RESET[3:0]} : {1'b0, reg_addr_i[6:3]};
  reg [AT-1:0] clear;
  wire [AT-1:0] at = hart_rst_i ? clear : cause_at[AT-1:0], read_at = bus_at[AT-1:0];
  (* ram_style = "distributed" *) reg [LOW-1:0] lows[0:(1<<AT)-1];
  wire [LOW-1:0] low = lows[at], read_low = lows[read_at];
  // A carry of this cycle would come back in the next one, which may read the counter: bit PART-1 is 0.
  reg moves_before;
  wire moves = count && |low[LOW-1:PART] && !low[PART-1] && !moves_before && !reads_count;
  wire [LOW-1:0] next = {low[LOW-1:PART] & {(LOW - PART) {!moves}}, low[PART-1:0]} + {{(LOW - 1) {1'b0}}, 1'b1};
  always @(posedge clk_i) begin
    clear <= hart_rst_i ? clear + {{(AT - 1) {1'b0}}, 1'b1} : {AT{1'b0}};
    if (hart_rst_i || count) lows[at] <= next & {LOW{!hart_rst_i}};
  end
  initial clear = {AT{1'b0}};

  // The sum of the next cycle: for the move, or for the read. A read of the counter that moves takes the same sum.
  (* no_rw_check, ram_style = "block" *) reg [WIDTH-PART-1:0] highs[0:(1<<AT)-1];
  reg [WIDTH-PART-1:0] high;
  reg [LOW-PART-1:0] part;
  reg [PART-1:0] kept_low;
  reg [AT-1:0] move_at;
  reg clears;
  wire same = moves_before && read_at == move_at;
  // Blanked here, not by a reset of `high`, for the reason given in gnomon_records.
  wire [WIDTH-PART-1:0] high_sum = (high + {{(WIDTH - LOW) {1'b0}}, part}) & {(WIDTH - PART) {!clears}};
  always @(posedge clk_i) begin
    if (moves || (reads_count && !same)) begin
      high <= highs[reads_count ? read_at : at];
      part <= reads_count ? read_low[LOW-1:PART] : low[LOW-1:PART];
    end
    if (reads_count) kept_low <= read_low[PART-1:0];
    move_at <= at;
    moves_before <= moves && !hart_rst_i;
    clears <= hart_rst_i;
    if (moves_before || clears) highs[move_at] <= high_sum; // 0 with `clears`
  end

  // ---- Reads: one cycle later ----
  // Counters have 48 bits: a read of the low half keeps the high half for the next read.
  reg [31:0] rdata;
  reg [15:0] upper; // upper half of the counter that was read last
  reg of_count, of_totals, of_upper;
  wire [31:0] window_rdata;
  wire [WIDTH-1:0] total;
  wire [WIDTH-1:0] wide = of_count ? {high_sum, kept_low} : total & {WIDTH{of_totals}};
  assign reg_rdata_o = rdata | window_rdata | wide[31:0] | {16'd0, upper & {16{of_upper}}};
  always @(posedge clk_i) begin
    of_count <= reads_count;
    of_totals <= bus_read && in_totals && !reg_addr_i[2];
    of_upper <= bus_read && (in_count || in_totals) && reg_addr_i[2];
    if (of_count || of_totals) upper <= wide[WIDTH-1:32];
    rdata <= 32'd0;
    if (bus_read)
      case (reg_addr_i)
        `GNOMON_STALL_CAUSES_CONFIG: rdata <= {1'b1, MEMORY != 0, 25'd0, CODE_WINDOW_LOG2[4:0]};
        `GNOMON_STALL_CAUSES_STATUS: rdata <= {28'd0, saturated, stopped && idle, stopped, ready};
        `GNOMON_STALL_CAUSES_CODE_WINDOW_BASE: rdata <= {base, 1'b0};
        `GNOMON_STALL_CAUSES_CODE_WINDOW_PAGE: rdata <= {{(32 - PAGE_BITS) {1'b0}}, page};
        default: ;
      endcase
    if (reg_sel_i && reg_write_i &&
        reg_addr_i == `GNOMON_STALL_CAUSES_CODE_WINDOW_BASE) base <= reg_wdata_i[31:1];
    if (reg_sel_i && reg_write_i &&
        reg_addr_i == `GNOMON_STALL_CAUSES_CODE_WINDOW_PAGE) page <= reg_wdata_i[PAGE_BITS-1:0];
    if (rst_i) begin
      base <= 31'd0;
      page <= {PAGE_BITS{1'b0}};
      upper <= 16'd0;
    end
  end

  generate
    if (CODE_WINDOW_LOG2 != 0) begin : g_code_window
      gnomon_code_window #(
        .PARCELS_LOG2(CODE_WINDOW_LOG2), .QUEUE_LOG2(QUEUE_LOG2), .LENGTH(LENGTH), .WIDTH(WIDTH)
      ) u_code_window (
        .clk_i(clk_i), .hart_rst_i(hart_rst_i), .base_i(base), .count_i(count), .retired_i(retired), .unpaid_i(unpaid),
        .cause_i(cause), .pc_i(pc), .show_i(bus_read && reg_addr_i[11]), .tell_i(bus_read && in_totals),
        .show_at_i({page, reg_addr_i[10:2]}), .tell_at_i(reg_addr_i[5:3]), .shown_o(window_rdata), .told_o(total),
        .ready_o(ready), .idle_o(idle), .saturated_o(saturated)
      );
    end else begin : g_no_code_window
      assign {ready, idle, saturated} = 3'b010;
      assign total = {WIDTH{1'b0}};
      assign window_rdata = 32'd0;
      wire unused = &{1'b0, retired, unpaid, pc, QUEUE_LOG2[0], LENGTH[0]};
    end
  endgenerate

  wire unused = &{1'b0, obs_cause_i[4], cause_at[4], bus_at[4], COUNT[6:0], REFRESH_LO[2:0], PAGE_LO[2:0],
      OUTSIDE_LO[5:0], reg_wdata_i[0]};
endmodule

`default_nettype wire
