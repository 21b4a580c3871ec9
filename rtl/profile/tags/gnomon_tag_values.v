// SPDX-License-Identifier: Apache-2.0
// Counters by tag: executions (40 bits), the cycles that they pay for (48), reads and writes (40 each). Distributed RAM
// is read, added to and written in one cycle, so that every cycle can count with the same tag. A read returns the
// counts up to two cycles before it.
`default_nettype none

module gnomon_tag_values (
  input  wire        clk_i,
  input  wire        clear_i,  // clears all counters at once, and the cycles that wait for the next instruction
  input  wire        hold_i,   // no time passes

  input  wire        retired_i,
  input  wire        unattributed_i,  // no instruction pays for this cycle
  input  wire        execute_i,       // with retired_i: the execution counts, for tag_i
  input  wire        read_i,          // with retired_i: the read counts, and write_i the write, for word_tag_i
  input  wire        write_i,
  input  wire [4:0]  tag_i, word_tag_i,

  input  wire        reg_sel_i,
  input  wire [11:0] reg_addr_i,
  // one cycle after reg_sel_i, else 0. A read of a low half keeps the high half for the next read
  output reg  [31:0] reg_rdata_o
);
`include "gnomon_registers.vh"
  localparam [11:0] FIRST = `GNOMON_TAGS_VALUE_EXECUTIONS_LO;
  localparam COUNT_BITS = 40, CYCLES_BITS = 48;
  localparam WAITING_BITS = 31; // a single wait of 2^31 cycles or more counts as 2^31

  // Delayed by one cycle, so that the path of the tags does not include the counters.
  reg execute, read, write;
  reg [4:0] tag, word_tag;
  reg [WAITING_BITS-1:0] waiting;
  reg [WAITING_BITS:0] cycles;
  wire [WAITING_BITS:0] pays = {1'b0, waiting} + {{WAITING_BITS{1'b0}}, !unattributed_i};
  always @(posedge clk_i) begin
    {execute, read, write} <= {execute_i, read_i, write_i} & {3{!clear_i}};
    {tag, word_tag} <= {tag_i, word_tag_i};
    cycles <= pays;
    if (!pays[WAITING_BITS]) waiting <= pays[WAITING_BITS-1:0];
    if (retired_i || clear_i || hold_i) waiting <= {WAITING_BITS{1'b0}};
  end

  wire [4:0] bus_tag = reg_addr_i[9:5];
  wire [COUNT_BITS-1:0] executions, reads, writes;
  wire [CYCLES_BITS-1:0] all_cycles;
  gnomon_tag_counts #(
    .WIDTH(COUNT_BITS), .AMOUNT(1)
  ) u_executions (
    .clk_i(clk_i), .clear_i(clear_i), .add_i(execute), .index_i(tag), .amount_i(1'b1), .read_index_i(bus_tag),
    .read_o(executions)
  );
  gnomon_tag_counts #(
    .WIDTH(CYCLES_BITS), .AMOUNT(WAITING_BITS + 1)
  ) u_cycles (
    .clk_i(clk_i), .clear_i(clear_i), .add_i(execute), .index_i(tag), .amount_i(cycles), .read_index_i(bus_tag),
    .read_o(all_cycles)
  );
  gnomon_tag_counts #(
    .WIDTH(COUNT_BITS), .AMOUNT(1)
  ) u_reads (
    .clk_i(clk_i), .clear_i(clear_i), .add_i(read), .index_i(word_tag), .amount_i(1'b1), .read_index_i(bus_tag),
    .read_o(reads)
  );
  gnomon_tag_counts #(
    .WIDTH(COUNT_BITS), .AMOUNT(1)
  ) u_writes (
    .clk_i(clk_i), .clear_i(clear_i), .add_i(write), .index_i(word_tag), .amount_i(1'b1), .read_index_i(bus_tag),
    .read_o(writes)
  );

  reg [CYCLES_BITS-1:0] word;
  always @*
    case (reg_addr_i[4:3])
      2'd0: word = {{(CYCLES_BITS - COUNT_BITS) {1'b0}}, executions};
      2'd1: word = all_cycles;
      2'd2: word = {{(CYCLES_BITS - COUNT_BITS) {1'b0}}, reads};
      default: word = {{(CYCLES_BITS - COUNT_BITS) {1'b0}}, writes};
    endcase
  wire mine = reg_sel_i && reg_addr_i[11:10] == FIRST[11:10];
  reg [CYCLES_BITS-33:0] high;
  always @(posedge clk_i) begin
    reg_rdata_o <= 32'd0;
    if (mine) reg_rdata_o <= reg_addr_i[2] ? {{(64 - CYCLES_BITS) {1'b0}}, high} : word[31:0];
    if (mine && !reg_addr_i[2]) high <= word[CYCLES_BITS-1:32];
    if (clear_i) high <= {(CYCLES_BITS - 32) {1'b0}};
  end

  wire unused = &{1'b0, reg_addr_i[1:0]};
endmodule

`default_nettype wire
