// SPDX-License-Identifier: Apache-2.0
// Registers of the tags' lookup, a part of the block TAGS (docs/reference/registers.md): control, map, access to the
// shadow memory by ADDRESS and TAG, and counts.
`default_nettype none

module gnomon_tag_regs #(
  parameter LOG2 = 18, // log2 of the shadow memory's words
  parameter SEGMENTS = 4,
  parameter [31:0] CONFIG_WORD = 32'd0
) (
  input  wire            clk_i, rst_i,
  input  wire            clear_i,  // also clears the counters

  input  wire            reg_sel_i, reg_write_i,
  input  wire [11:0]     reg_addr_i,
  input  wire [31:0]     reg_wdata_i,
  output reg  [31:0]     reg_rdata_o,  // one cycle after reg_sel_i, else 0

  output reg             enable_o, hints_o, trace_o,
  output wire            clear_tags_o,  // pulses
  output wire            clear_counts_o,
  input  wire            ready_i,
  input  wire            busy_i,        // another unit of the block is busy
  output wire [SEGMENTS*(33-LOG2)-1:0] maps_o,

  // Access to the shadow memory: see gnomon_tag_lookup.
  output wire            valid_o, write_o,
  output wire [LOG2-1:0] index_o,
  output reg  [14:0]     word_o,
  input  wire            done_i,
  input  wire            access_i,  // an access by any unit is complete, to this word:
  input  wire [LOG2-1:0] access_index_i,
  input  wire [14:0]     access_word_i,
  input  wire            cleared_i,

  input  wire            fetch_miss_i, data_miss_i, fetch_late_i, data_late_i, filled_i, hinted_i, hint_lost_i
);
`include "gnomon_registers.vh"
  localparam WIDTH = 33 - LOG2;
  localparam [11:0] MAP = `GNOMON_TAGS_MAP, COUNTS = `GNOMON_TAGS_FETCH_MISSES;
  wire write = reg_sel_i && reg_write_i;
  wire write_address = write && reg_addr_i == `GNOMON_TAGS_ADDRESS;
  wire write_tag = write && reg_addr_i == `GNOMON_TAGS_TAG;
  wire in_map = reg_addr_i[11:4] == MAP[11:4];
  wire [1:0] segment = reg_addr_i[3:2];

  // ---- Control and map ----
  wire clear = write && reg_addr_i == `GNOMON_TAGS_CLEAR;
  assign clear_tags_o = clear && reg_wdata_i[`GNOMON_TAGS_CLEAR_TAGS];
  assign clear_counts_o = clear && reg_wdata_i[`GNOMON_TAGS_CLEAR_COUNTS];
  always @(posedge clk_i) begin
    if (write && reg_addr_i == `GNOMON_TAGS_CONTROL) {trace_o, hints_o, enable_o} <= reg_wdata_i[2:0];
    if (rst_i) {trace_o, hints_o, enable_o} <= 3'b000;
  end

  reg [SEGMENTS*WIDTH-1:0] maps;
  always @(posedge clk_i) begin
    if (write && in_map) maps[WIDTH*segment+:WIDTH] <= {reg_wdata_i[31:LOG2], reg_wdata_i[0]};
    if (rst_i) maps <= {SEGMENTS * WIDTH{1'b0}};
  end
  assign maps_o = maps;
  wire [WIDTH-1:0] map = maps[WIDTH*segment+:WIDTH];

  // ---- ADDRESS and TAG ---- A write waits for earlier stores: a store clears tags only after it has retired and its
  // own tags are known.
  localparam [1:0] IDLE = 2'd0, SETTLE = 2'd1, WRITE = 2'd2, READ = 2'd3;
  reg [1:0] state;
  reg [3:0] settle;
  reg [31:2] address, limit;
  reg [14:0] tag; // tags of the word at `address`, kept up to date when others change them
  wire mapped;
  wire [31:2] behind = address + 30'd1;
  wire goes_on = mapped && behind < limit;
  gnomon_tag_map #(
    .LOG2(LOG2), .SEGMENTS(SEGMENTS)
  ) u_map (
    .maps_i(maps), .address_i(address), .inside_o(mapped), .index_o(index_o)
  );
  assign valid_o = mapped && state[1];
  assign write_o = state == WRITE;
  always @(posedge clk_i) begin
    settle <= state == SETTLE ? settle + 4'd1 : 4'd0;
    if (access_i && access_index_i == index_o) tag <= access_word_i;
    if (state == SETTLE && &settle) state <= WRITE;
    if (state[1] && (done_i || !mapped)) begin
      state <= !write_o ? IDLE : goes_on ? WRITE : READ;
      if (write_o) address <= behind;
    end
    if (write_tag) begin
      word_o <= reg_wdata_i[14:0];
      state  <= SETTLE;
    end
    if (write_address) address <= reg_wdata_i[31:2];
    if (write && reg_addr_i == `GNOMON_TAGS_UNTIL) limit <= reg_wdata_i[31:2];
    if (write_address || (write && in_map)) state <= READ;
    if (rst_i) begin
      state <= IDLE;
      address <= 30'd0;
      limit <= 30'd0;
    end
  end

  // ---- Counters, in the order of their registers; CLEARED_ADDRESS is one of them ----
  localparam COUNTERS = 8, ADDRESS_AT = 5;
  wire [COUNTERS-1:0] add = {hint_lost_i, hinted_i, 1'b0, cleared_i, filled_i, fetch_late_i || data_late_i,
      data_miss_i, fetch_miss_i};
  wire [COUNTERS-1:0] add_2 = {5'd0, fetch_late_i && data_late_i, 2'd0};
  wire [32*COUNTERS-1:0] counts;
  genvar g;
  generate
    for (g = 0; g < COUNTERS; g = g + 1) begin : g_counter
      reg [31:0] count;
      if (g == ADDRESS_AT) begin : g_address
        // The first address of a segment is a multiple of its size.
        wire [WIDTH-1:0] its_map = maps[WIDTH*access_index_i[LOG2-1:LOG2-2]+:WIDTH];
        always @(posedge clk_i) begin
          if (cleared_i) count <= {its_map[WIDTH-1:1], access_index_i[LOG2-3:0], 2'b00};
          if (clear_i) count <= 32'd0;
        end
        wire unused = &{1'b0, add[g], add_2[g], its_map[0]};
      end else begin : g_count
        wire [32:0] sum = {1'b0, count} + {31'd0, add_2[g], add[g] && !add_2[g]};
        always @(posedge clk_i) count <= clear_i ? 32'd0 : sum[31:0] | {32{sum[32]}};
      end
      assign counts[32*g+:32] = count;
    end
  endgenerate

  always @(posedge clk_i) begin
    reg_rdata_o <= 32'd0;
    if (reg_sel_i && !reg_write_i)
      case (reg_addr_i)
        `GNOMON_TAGS_CONFIG: reg_rdata_o <= CONFIG_WORD;
        `GNOMON_TAGS_CONTROL: reg_rdata_o <= {29'd0, trace_o, hints_o, enable_o};
        `GNOMON_TAGS_STATUS: reg_rdata_o <= {29'd0, !mapped, state != IDLE || busy_i, ready_i};
        `GNOMON_TAGS_ADDRESS: reg_rdata_o <= {address, 2'b00};
        `GNOMON_TAGS_UNTIL: reg_rdata_o <= {limit, 2'b00};
        `GNOMON_TAGS_TAG: reg_rdata_o <= {17'd0, tag & {15{mapped}}};
        default: begin
          if (in_map) reg_rdata_o <= {map[WIDTH-1:1], {LOG2 - 1{1'b0}}, map[0]};
          if (reg_addr_i[11:5] == COUNTS[11:5]) reg_rdata_o <= counts[32*reg_addr_i[4:2]+:32];
        end
      endcase
  end

  wire unused = &{1'b0, reg_addr_i[1:0]};
endmodule

`default_nettype wire
