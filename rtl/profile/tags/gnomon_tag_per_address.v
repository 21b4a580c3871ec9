// SPDX-License-Identifier: Apache-2.0
// Per-address counters: executions of each instruction, or accesses to each word, whose tag requests it. There are
// SEGMENTS segments of 2^LOG2 counters (gnomon_tag_per_address_segment); if two segments cover an address, the lower
// one counts. PER_ADDRESS_OVERFLOW counts events that have no counter or come during a clearing. So the counters and
// PER_ADDRESS_OVERFLOW together count all events.
//
// A read by PER_ADDRESS_SELECT takes a cycle in which no instruction counts, for a counter of code, or no access
// counts, for a counter of data. The read waits for such a cycle; counting never waits.
`default_nettype none

module gnomon_tag_per_address #(
  parameter LOG2     = 9, // log2 of the counters in a segment, 2 to 16; 0: no counters
  parameter SEGMENTS = 4  // 1 to 7
) (
  input  wire        clk_i,
  input  wire        rst_i,    // power-on: clears the segments' base addresses
  input  wire        clear_i,  // clears all counters, in 2^LOG2 cycles

  input  wire        execute_i,  // the instruction counts
  input  wire        access_i,   // the accessed word counts
  input  wire [31:1] pc_i,
  input  wire [31:2] address_i,

  output wire        ready_o,  // the counters are cleared
  output wire        busy_o,   // PER_ADDRESS_COUNT is not yet valid

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o  // one cycle after reg_sel_i, else 0
);
`include "gnomon_registers.vh"
  localparam [11:0] BASE = `GNOMON_TAGS_PER_ADDRESS_BASE;
  wire bus_write = reg_sel_i && reg_write_i;
  wire in_base = reg_addr_i[11:5] == BASE[11:5];

  // ---- The read: its address, and its steps ----
  wire set_address = bus_write && reg_addr_i == `GNOMON_TAGS_PER_ADDRESS_SELECT;
  wire read_count = reg_sel_i && !reg_write_i && reg_addr_i == `GNOMON_TAGS_PER_ADDRESS_COUNT;
  wire asks = set_address || read_count;
  reg [31:0] address; // bit 0: address of a word
  reg waits, looks, sees; // waits for a free cycle; waits for the segment; takes the counter
  reg [31:0] shown;
  wire goes = waits && !(address[0] ? access_i : execute_i);
  always @(posedge clk_i) begin
    if (read_count) address <= address + (address[0] ? 32'd4 : 32'd2);
    if (set_address) address <= reg_wdata_i;
    waits <= asks || (waits && !goes);
    looks <= goes && !asks && !clear_i;
    sees <= looks && !asks && !clear_i;
    if (rst_i) address <= 32'd0;
    if (clear_i) waits <= 1'b0;
  end
  assign busy_o = waits || looks || sees;

  // ---- The counted address, one cycle later ----
  reg execute, access;
  reg [31:1] parcel;
  reg [31:2] word;
  always @(posedge clk_i) begin
    {execute, access} <= {execute_i, access_i} & {2{!clear_i}};
    parcel <= execute_i ? pc_i : address[31:1];
    word <= access_i ? address_i : address[31:2];
  end

  localparam COUNT = LOG2 == 0 ? 1 : SEGMENTS;
  wire [COUNT-1:0] of_data, of_code;
  wire [COUNT-1:0] first = of_data & ~(of_data - 1'b1) | of_code & ~(of_code - 1'b1); // the lowest segment of each kind
  wire [COUNT-1:0] is_data = of_data & {COUNT{address[0]}}, is_code = of_code & {COUNT{!address[0]}};
  reg [COUNT-1:0] which; // segment of the counter that is read
  always @(posedge clk_i) which <= first & (is_data | is_code) & {COUNT{counting}};

  wire [32*COUNT-1:0] bases, counts;
  wire counting;
  assign ready_o = counting;
  generate
    if (LOG2 == 0) begin : g_none
      assign {of_data, of_code, bases, counts, counting} = {66'd0, 1'b1};
      wire unused = &{1'b0, parcel, word};
    end else begin : g_some
      reg clearing;
      reg [LOG2-1:0] clear_at;
      always @(posedge clk_i) begin
        clear_at <= clear_at + 1'b1;
        if (&clear_at) clearing <= 1'b0;
        if (clear_i) {clearing, clear_at} <= {1'b1, {LOG2{1'b0}}};
      end
      assign counting = !clearing;
      genvar i;
      for (i = 0; i < SEGMENTS; i = i + 1) begin : g_segment
        gnomon_tag_per_address_segment #(
          .LOG2(LOG2)
        ) u_segment (
          .clk_i(clk_i), .rst_i(rst_i), .base_write_i(bus_write && in_base && reg_addr_i[4:2] == i),
          .wdata_i(reg_wdata_i), .base_o(bases[32*i+:32]), .clearing_i(clearing), .clear_at_i(clear_at),
          .parcel_i(parcel), .word_i(word), .data_o(of_data[i]), .code_o(of_code[i]),
          .count_i(first[i] && (of_data[i] ? access : execute) && counting && !clear_i), .count_o(counts[32*i+:32])
        );
      end
    end
  endgenerate

  // ---- Events without a counter ----
  wire execute_outside = execute && !(|of_code && counting);
  wire access_outside = access && !(|of_data && counting);
  reg [31:0] outside;
  wire [32:0] outside_sum = {1'b0, outside} + {32'd0, execute_outside} + {32'd0, access_outside};
  always @(posedge clk_i) outside <= (outside_sum[31:0] | {32{outside_sum[32]}}) & {32{!clear_i}};

  // ---- Reads ----
  integer k;
  reg [31:0] base, count;
  always @* begin
    {base, count} = 64'd0;
    for (k = 0; k < COUNT; k = k + 1) begin
      if (reg_addr_i[4:2] == k[2:0]) base = base | bases[32*k+:32];
      if (which[k]) count = count | counts[32*k+:32];
    end
  end
  always @(posedge clk_i) begin
    if (sees) shown <= count;
    if (clear_i) shown <= 32'd0;
    reg_rdata_o <= 32'd0;
    if (reg_sel_i) begin
      case (reg_addr_i)
        `GNOMON_TAGS_PER_ADDRESS_SELECT: reg_rdata_o <= address;
        `GNOMON_TAGS_PER_ADDRESS_COUNT: reg_rdata_o <= shown;
        `GNOMON_TAGS_PER_ADDRESS_OVERFLOW: reg_rdata_o <= outside;
        default: if (in_base) reg_rdata_o <= base;
      endcase
    end
  end
endmodule

`default_nettype wire
