// SPDX-License-Identifier: Apache-2.0
// Per-address counters: executions of each instruction, or accesses to each word, whose tag requests it. The low bits
// of the address choose the counter: of 2^LOG2 counters of instructions, and of half as many of words. An address has
// one only if its block says so. What has none, or comes during a clearing, is reported. So the counters and these
// reports together are all events.
//
// A read by PER_ADDRESS_SELECT takes a cycle in which no instruction counts, for a counter of code, or no access
// counts, for a counter of data. The read waits for such a cycle; counting never waits.
`default_nettype none

module gnomon_tag_per_address #(
  parameter LOG2 = 12 // 2 to 15; 0: no counters
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        clear_i,  // clears all counters, in 2^LOG2 cycles

  input  wire        execute_i,  // the instruction counts
  input  wire        access_i,   // the accessed word counts
  input  wire        execute_block_i, access_block_i,  // its block has counters
  input  wire [15:1] pc_i,
  input  wire [16:2] address_i,

  output wire        ready_o,  // the counters are cleared
  output wire        busy_o,   // PER_ADDRESS_COUNT is not yet valid
  output wire [1:0]  without_o,   // events without a counter
  output wire        saturated_o, // a counter is larger than its word

  input  wire        reg_read_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] count_o
);
`include "gnomon_registers.vh"
  // ---- The read: its address, and its steps ----
  wire set_address = reg_write_i && reg_addr_i == `GNOMON_TAGS_PER_ADDRESS_SELECT;
  wire read_count = reg_read_i && reg_addr_i == `GNOMON_TAGS_PER_ADDRESS_COUNT;
  wire asks = set_address || read_count;
  reg [16:0] address; // bit 0: address of a word
  reg waits, looks, sees; // waits for a free cycle; waits for the segment; takes the counter
  wire goes = waits && !(address[0] ? access_i : execute_i);
  always @(posedge clk_i) begin
    if (read_count) address <= address + (address[0] ? 17'd4 : 17'd2);
    if (set_address) address <= reg_wdata_i[16:0];
    waits <= asks || (waits && !goes);
    looks <= goes && !asks && !clear_i;
    sees <= looks && !asks && !clear_i;
    if (rst_i) address <= 17'd0;
    if (clear_i) waits <= 1'b0;
  end
  assign busy_o = waits || looks || sees;

  // ---- The counted address, one cycle later ----
  reg execute, access, execute_block, access_block;
  reg [15:1] parcel;
  reg [16:2] word;
  always @(posedge clk_i) begin
    {execute, access} <= {execute_i, access_i} & {2{!clear_i}};
    {execute_block, access_block} <= {execute_block_i, access_block_i};
    parcel <= execute_i ? pc_i : address[15:1];
    word <= access_i ? address_i : address[16:2];
  end

  generate
    if (LOG2 == 0) begin : g_none
      assign {ready_o, without_o, saturated_o} = {1'b1, {1'b0, execute} + {1'b0, access}, 1'b0};
      always @* count_o = 32'd0;
      wire unused = &{1'b0, parcel, word, sees, execute_block, access_block};
    end else begin : g_some
      reg clearing;
      reg [LOG2-1:0] clear_at;
      always @(posedge clk_i) begin
        clear_at <= clear_at + 1'b1;
        if (&clear_at) clearing <= 1'b0;
        if (clear_i) {clearing, clear_at} <= {1'b1, {LOG2{1'b0}}};
      end
      wire counting = !clearing;
      assign ready_o = counting;
      wire count_code = execute && execute_block && counting, count_data = access && access_block && counting;
      assign without_o = {1'b0, execute && !count_code} + {1'b0, access && !count_data};
      wire [31:0] code_count, data_count;
      wire code_saturated, data_saturated;
      gnomon_tag_per_address_segment #(
        .LOG2(LOG2)
      ) u_code (
        .clk_i(clk_i), .clearing_i(clearing), .clear_at_i(clear_at), .index_i(parcel[LOG2:1]),
        .count_i(count_code && !clear_i), .count_o(code_count), .saturated_o(code_saturated)
      );
      gnomon_tag_per_address_segment #(
        .LOG2(LOG2 - 1)
      ) u_data (
        .clk_i(clk_i), .clearing_i(clearing), .clear_at_i(clear_at[LOG2-2:0]), .index_i(word[LOG2:2]),
        .count_i(count_data && !clear_i), .count_o(data_count), .saturated_o(data_saturated)
      );
      assign saturated_o = code_saturated || data_saturated;
      always @(posedge clk_i) begin
        if (sees) count_o <= address[0] ? data_count : code_count;
        if (clear_i) count_o <= 32'd0;
      end
      wire unused = &{1'b0, parcel, word};
    end
  endgenerate

  wire unused_wdata = &{1'b0, reg_wdata_i[31:17]};
endmodule

`default_nettype wire
