// SPDX-License-Identifier: Apache-2.0
// Registers of the block PROFILE (docs/reference/registers.md). FLUSH_CYCLES is kept in 8 bits, in units of
// 2^FLUSH_UNIT_LOG2 cycles: rounded down, saturated, and never rounded to "never". It reads back as the kept value.
`default_nettype none

module gnomon_profile_regs #(
  parameter LOCKS   = 0, // 2, 3: the lock segments cannot be changed
  parameter TRAFFIC = 0, // 1: with LOCKS 1 or 3, the filter for accesses of the bus
  parameter LOCK_WORDS = 0, // 1: with the class of accesses of lock words
  parameter INTERRUPTS = 0, // 1: with the class of interrupts switched off and on
  parameter EVENT_CLOCK = 0, // 1: time can count an event
  parameter RECORDS = 0, // 0: no records
  parameter WATCH   = 0  // 0: no hookless call tracing
) (
  input  wire         clk_i,
  input  wire         clk_host_i,  // clk_i; runs in the cycles of register accesses
  input  wire         rst_i,

  input  wire         reg_sel_i, reg_write_i,
  input  wire [11:0]  reg_addr_i,
  input  wire [31:0]  reg_wdata_i,
  output wire [31:0]  reg_rdata_o,

  output wire         count_read_o,  // reads PRODUCED or LOST; the data come one cycle later, otherwise 0
  output wire         count_lost_o,
  input  wire [31:0]  count_data_i,

  output wire         enable_o, functions_o, traps_o, channels_o, locks_o, modules_o,
  output reg          records_o,   // in the domain of clk_host_i
  output wire         watch_o,
  output reg          flush_o,     // pulse; comes after the entry of an event that preceded the write
  output wire         age_flush_o,
  output wire [127:0] lock_map_o,  // mask 1, base 1, mask 0, base 0
  output wire         lock_words_o, interrupts_o,
  output wire [5:0]   clock_o,  // number of the event that time counts, 0: cycles
  output wire [68:0]  bus_filter_o, // ports and directions (BUS_CONTROL), last address, first address

  input  wire         stop_i,  // the hart has left its stack: tracing ends here, without waiting for the host

  input  wire         dropping_i, idle_i, ended_i,
  input  wire         recorded_i,  // the records contain all calls that were open
  input  wire         open_i,      // a frame of the trace is open
  input  wire         tick_i       // pulse, once in a unit of FLUSH_CYCLES
);
`include "gnomon_registers.vh"
  localparam FLUSH_UNIT_LOG2 = 12;

  wire write = reg_sel_i && reg_write_i;
  wire write_control = write && reg_addr_i == `GNOMON_PROFILE_CONTROL;
  wire write_flush = write && reg_addr_i == `GNOMON_PROFILE_FLUSH_CYCLES;

  reg [6:0] control; // all bits of CONTROL except records_o
  reg [8:0] flush_cycles; // bit 8: flushing by age is on; bits 7 to 0: the limit in units
  reg closed;
  reg [8:0] age_units; // counts up to 256, starting below it by the limit
  // for the form of the second addend see gnomon_capture
  wire [9:0] age_next = {age_units, 1'b1} + {{9{closed}}, tick_i && !age_units[8]};
  wire unused_first = age_next[0];
  wire flush_large = |reg_wdata_i[31:FLUSH_UNIT_LOG2+8];
  always @(posedge clk_i) begin
    if (rst_i) control <= 7'd0;
    else if (write_control) control <= {reg_wdata_i[7] && WATCH != 0, reg_wdata_i[5:0]};
    if (stop_i) control[0] <= 1'b0;
    if (rst_i) flush_cycles <= 9'd0;
    else if (write_flush) flush_cycles <= {|reg_wdata_i, reg_wdata_i[FLUSH_UNIT_LOG2+:8] | {8{flush_large}}};
    closed <= !open_i;
    age_units <= closed ? {1'b0, ~flush_cycles[7:0]} : age_next[9:1];
  end
  always @(posedge clk_host_i) begin
    if (rst_i) records_o <= 1'b0;
    else if (write_control) records_o <= reg_wdata_i[6] && RECORDS != 0;
  end
  assign {watch_o, modules_o, locks_o, channels_o, traps_o, functions_o, enable_o} = control;
  always @(posedge clk_i) flush_o <= write_control && reg_wdata_i[8];
  assign age_flush_o = flush_cycles[8] && age_units[8];

  // Reads: the first cycle decodes the address, the second one composes the value.
  reg r_control, r_status, r_flush;
  always @(posedge clk_host_i) begin
    r_control <= reg_addr_i == `GNOMON_PROFILE_CONTROL;
    r_status <= reg_addr_i == `GNOMON_PROFILE_STATUS;
    r_flush <= reg_addr_i == `GNOMON_PROFILE_FLUSH_CYCLES;
  end
  assign count_lost_o = reg_addr_i == `GNOMON_PROFILE_LOST;
  assign count_read_o = reg_sel_i && (count_lost_o || reg_addr_i == `GNOMON_PROFILE_PRODUCED);
  // A limit that was rounded down to 0 units reads as 1.
  wire flush_one = flush_cycles == 9'h100;
  wire [31:0] own = ({24'd0, watch_o, records_o, control[5:0]} & {32{r_control}}) |
      ({28'd0, recorded_i, ended_i, idle_i, dropping_i} & {32{r_status}}) |
      ({{(24 - FLUSH_UNIT_LOG2) {1'b0}}, flush_cycles[7:0], {(FLUSH_UNIT_LOG2 - 1) {1'b0}}, flush_one} &
          {32{r_flush}}) |
      count_data_i;

  wire [31:0] r_more;
  generate
    if (LOCK_WORDS != 0 || INTERRUPTS != 0) begin : g_more
      reg [1:0] more;
      always @(posedge clk_i) begin
        if (rst_i) more <= 2'd0;
        else if (write_control) more <= {reg_wdata_i[11] && INTERRUPTS != 0, reg_wdata_i[10] && LOCK_WORDS != 0};
      end
      assign {interrupts_o, lock_words_o} = more;
      assign r_more = {20'd0, more, 10'd0} & {32{r_control}};
    end else begin : g_no_more
      assign {interrupts_o, lock_words_o, r_more} = 34'd0;
    end
  endgenerate

  wire [31:0] r_clock;
  generate
    if (EVENT_CLOCK != 0) begin : g_clock
      reg [5:0] clock;
      always @(posedge clk_i) begin
        if (rst_i) clock <= 6'd0;
        else if (write_control) clock <= reg_wdata_i[17:12];
      end
      assign clock_o = clock;
      assign r_clock = {14'd0, clock, 12'd0} & {32{r_control}};
    end else begin : g_no_clock
      assign {clock_o, r_clock} = 38'd0;
    end
  endgenerate

  wire [31:0] r_bus;
  generate
    if (TRAFFIC != 0) begin : g_traffic
      reg [68:0] filter;
      reg on; // CONTROL.BUS
      reg [31:0] read;
      always @(posedge clk_host_i) begin
        if (rst_i) {on, filter} <= 70'd0;
        else if (write) begin
          if (write_control) on <= reg_wdata_i[9];
          if (reg_addr_i == `GNOMON_PROFILE_BUS_FIRST) filter[31:0] <= reg_wdata_i;
          if (reg_addr_i == `GNOMON_PROFILE_BUS_LAST) filter[63:32] <= reg_wdata_i;
          if (reg_addr_i == `GNOMON_PROFILE_BUS_CONTROL) filter[68:64] <= reg_wdata_i[4:0];
        end
        case (reg_addr_i)
          `GNOMON_PROFILE_CONTROL: read <= {22'd0, on, 9'd0};
          `GNOMON_PROFILE_BUS_FIRST: read <= filter[31:0];
          `GNOMON_PROFILE_BUS_LAST: read <= filter[63:32];
          `GNOMON_PROFILE_BUS_CONTROL: read <= {1'b1, 26'd0, filter[68:64]};
          default: read <= 32'd0;
        endcase
      end
      assign bus_filter_o = {filter[68:64] & {5{on}}, filter[63:0]};
      assign r_bus = read;
    end else begin : g_no_traffic
      assign bus_filter_o = 69'd0;
      assign r_bus = 32'd0;
    end
    if (LOCKS == 1) begin : g_locks
      reg [127:0] lock_map;
      reg [31:0] r_lock;
      always @(posedge clk_host_i) begin
        if (rst_i)
          lock_map <= {`GNOMON_PROFILE_LOCK_MASK1_RESET, `GNOMON_PROFILE_LOCK_BASE1_RESET,
                       `GNOMON_PROFILE_LOCK_MASK0_RESET, `GNOMON_PROFILE_LOCK_BASE0_RESET};
        else if (write) begin
          if (reg_addr_i == `GNOMON_PROFILE_LOCK_BASE0) lock_map[31:0] <= reg_wdata_i;
          if (reg_addr_i == `GNOMON_PROFILE_LOCK_MASK0) lock_map[63:32] <= reg_wdata_i;
          if (reg_addr_i == `GNOMON_PROFILE_LOCK_BASE1) lock_map[95:64] <= reg_wdata_i;
          if (reg_addr_i == `GNOMON_PROFILE_LOCK_MASK1) lock_map[127:96] <= reg_wdata_i;
        end
        case (reg_addr_i)
          `GNOMON_PROFILE_LOCK_BASE0: r_lock <= lock_map[31:0];
          `GNOMON_PROFILE_LOCK_MASK0: r_lock <= lock_map[63:32];
          `GNOMON_PROFILE_LOCK_BASE1: r_lock <= lock_map[95:64];
          `GNOMON_PROFILE_LOCK_MASK1: r_lock <= lock_map[127:96];
          default: r_lock <= 32'd0;
        endcase
      end
      assign lock_map_o = lock_map;
      assign reg_rdata_o = own | r_lock | r_bus | r_more | r_clock;
    end else if (LOCKS != 0) begin : g_fixed
      localparam [31:0] BASE0 = `GNOMON_PROFILE_LOCK_BASE0_RESET, BASE1 = `GNOMON_PROFILE_LOCK_BASE1_RESET,
          MASK0 = `GNOMON_PROFILE_LOCK_MASK0_RESET, MASK1 = `GNOMON_PROFILE_LOCK_MASK1_RESET;
      reg [31:0] r_lock;
      always @(posedge clk_host_i)
        case (reg_addr_i)
          `GNOMON_PROFILE_LOCK_BASE0: r_lock <= BASE0;
          `GNOMON_PROFILE_LOCK_MASK0: r_lock <= MASK0;
          `GNOMON_PROFILE_LOCK_BASE1: r_lock <= BASE1;
          `GNOMON_PROFILE_LOCK_MASK1: r_lock <= MASK1;
          default: r_lock <= 32'd0;
        endcase
      assign lock_map_o = {MASK1, BASE1, MASK0, BASE0};
      assign reg_rdata_o = own | r_lock | r_bus | r_more | r_clock;
    end else begin : g_no_locks
      assign lock_map_o = 128'd0;
      assign reg_rdata_o = own | r_bus | r_more | r_clock;
    end
  endgenerate
endmodule

`default_nettype wire
