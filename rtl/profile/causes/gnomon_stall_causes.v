// SPDX-License-Identifier: Apache-2.0
// The block STALL_CAUSES counts every cycle of a run by its stall cause (docs/internals/profile.md, "Stall causes"). It
// has one counter for each cause, for the whole run, and with CODE_WINDOW_LOG2 the counters of a code window
// (gnomon_code_window). A run lasts as long as its trace: from the cycle after cycle 0 up to and including the cycle in
// which the program sends EXIT or the host clears PROFILE.CONTROL.ENABLE. So the sum of the counters is the cycle of
// END.
`default_nettype none

module gnomon_stall_causes #(
  parameter CODE_WINDOW_LOG2 = 0, // log2 of the code window's parcels, 6 to 20; 0: no code window
  parameter QUEUE_LOG2 = 6,  // QUEUE_LOG2 and LENGTH: see gnomon_code_window
  parameter LENGTH = 32,
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

  // ---- A counter for each cause ----
  localparam WIDTH = 48;
  localparam AT = MEMORY != 0 ? 5 : 4; // the upper half has REFRESH and PAGE
  reg [WIDTH-1:0] counters[0:(1<<AT)-1];
  reg [AT-1:0] clear;
  wire [4:0] cause_at = {of_memory, cause};
  wire [AT-1:0] at = hart_rst_i ? clear : cause_at[AT-1:0];
  wire [WIDTH-1:0] next = counters[at] + {{(WIDTH - 1) {1'b0}}, 1'b1};
  always @(posedge clk_i) begin
    clear <= hart_rst_i ? clear + {{(AT - 1) {1'b0}}, 1'b1} : {AT{1'b0}};
    if (hart_rst_i || count) counters[at] <= next & {WIDTH{!hart_rst_i}};
  end
  initial clear = {AT{1'b0}};

  // ---- Registers ----
  localparam BASE_LOW = 1;
  localparam PAGE_BITS = CODE_WINDOW_LOG2 > 5 ? CODE_WINDOW_LOG2 - 5 : 1;
  localparam [11:0] COUNT = `GNOMON_STALL_CAUSES_COUNT, REFRESH_LO = `GNOMON_STALL_CAUSES_REFRESH_LO,
      PAGE_LO = `GNOMON_STALL_CAUSES_PAGE_LO;
  reg [31:BASE_LOW] base;
  reg [PAGE_BITS-1:0] page;
  reg [15:0] high; // upper half of the counter that was read last
  wire ready, idle, saturated;
  wire [WIDTH-1:0] outside, overflow, unattributed;
  wire [31:0] window_rdata;
  wire reads_refresh = MEMORY != 0 && reg_addr_i[11:3] == REFRESH_LO[11:3], reads_page = MEMORY != 0 &&
      reg_addr_i[11:3] == PAGE_LO[11:3];
  wire [4:0] read_at = reads_refresh ? {1'b1, DEBUG[3:0]} : reads_page ? {1'b1, RESET[3:0]} : {1'b0, reg_addr_i[6:3]};
  wire [WIDTH-1:0] counter = counters[read_at[AT-1:0]];

  // Counters have 48 bits: a read of the low half keeps the high half for the next read.
  wire in_count = reg_addr_i[11:7] == COUNT[11:7] || reads_refresh || reads_page;
  reg [WIDTH-1:0] wide;
  reg wide_at;
  always @* begin
    wide_at = 1'b1;
    case (reg_addr_i & 12'hFF8)
      `GNOMON_STALL_CAUSES_OUTSIDE_LO: wide = outside;
      `GNOMON_STALL_CAUSES_OVERFLOW_LO: wide = overflow;
      `GNOMON_STALL_CAUSES_UNATTRIBUTED_LO: wide = unattributed;
      default: begin
        wide = counter;
        wide_at = in_count;
      end
    endcase
  end

  reg [31:0] rdata;
  assign reg_rdata_o = rdata | window_rdata;
  always @(posedge clk_i) begin
    rdata <= 32'd0;
    if (reg_sel_i && !reg_write_i) begin
      case (reg_addr_i)
        `GNOMON_STALL_CAUSES_CONFIG: rdata <= {1'b1, MEMORY != 0, 25'd0, CODE_WINDOW_LOG2[4:0]};
        `GNOMON_STALL_CAUSES_STATUS: rdata <= {28'd0, saturated, stopped && idle, stopped, ready};
        `GNOMON_STALL_CAUSES_CODE_WINDOW_BASE: rdata <= {base, 1'b0};
        `GNOMON_STALL_CAUSES_CODE_WINDOW_PAGE: rdata <= {{(32 - PAGE_BITS) {1'b0}}, page};
        default: if (wide_at) rdata <= reg_addr_i[2] ? {16'd0, high} : wide[31:0];
      endcase
      if (wide_at && !reg_addr_i[2]) high <= wide[WIDTH-1:32];
    end
    if (reg_sel_i && reg_write_i &&
        reg_addr_i == `GNOMON_STALL_CAUSES_CODE_WINDOW_BASE) base <= reg_wdata_i[31:BASE_LOW];
    if (reg_sel_i && reg_write_i &&
        reg_addr_i == `GNOMON_STALL_CAUSES_CODE_WINDOW_PAGE) page <= reg_wdata_i[PAGE_BITS-1:0];
    if (rst_i) begin
      base <= 31'd0;
      page <= {PAGE_BITS{1'b0}};
      high <= 16'd0;
    end
  end

  generate
    if (CODE_WINDOW_LOG2 != 0) begin : g_code_window
      gnomon_code_window #(
        .PARCELS_LOG2(CODE_WINDOW_LOG2), .QUEUE_LOG2(QUEUE_LOG2), .LENGTH(LENGTH), .WIDTH(WIDTH)
      ) u_code_window (
        .clk_i(clk_i), .hart_rst_i(hart_rst_i), .base_i(base), .count_i(count), .retired_i(retired), .unpaid_i(unpaid),
        .cause_i(cause), .pc_i(pc), .show_i(reg_sel_i && !reg_write_i && reg_addr_i[11]),
        .show_at_i({page, reg_addr_i[10:2]}), .shown_o(window_rdata), .ready_o(ready), .idle_o(idle),
        .saturated_o(saturated), .outside_o(outside), .overflow_o(overflow), .unattributed_o(unattributed)
      );
    end else begin : g_no_code_window
      assign {ready, idle, saturated} = 3'b010;
      assign {outside, overflow, unattributed} = {3 * WIDTH{1'b0}};
      assign window_rdata = 32'd0;
      wire unused = &{1'b0, retired, unpaid, pc, QUEUE_LOG2[0], LENGTH[0]};
    end
  endgenerate

  wire unused = &{1'b0, obs_cause_i[4], cause_at[4], read_at[4], COUNT[6:0], REFRESH_LO[2:0], PAGE_LO[2:0],
      reg_wdata_i[0]};
endmodule

`default_nettype wire
