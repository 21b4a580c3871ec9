// SPDX-License-Identifier: Apache-2.0
// The state of the tags: one word for each register of the block, at its offset / 4. The bus reads and writes it as a
// register file. gnomon_tag_engine reads it by a port of its own and writes it except in the cycle of a bus write.
//
// A read of a low half also reads its high half in the next cycle, and keeps it for the next read of that half. The
// engine writes a low half and its carry in consecutive cycles, so both halves belong to one count.
`default_nettype none

module gnomon_tag_store (
  input  wire        clk_i,
  input  wire        clear_i,  // forgets the kept half

  input  wire        read_i,  // the bus reads the register at reg_addr_i
  input  wire        write_i, // the bus writes it
  input  wire [10:2] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  input  wire        low_i,   // with read_i: it is a low half
  input  wire        high_i,  // with read_i: it is a high half
  output wire [31:0] reg_rdata_o,  // one cycle after read_i, else 0

  output wire        go_o,  // the engine takes a step in this cycle
  input  wire [8:0]  at_i,
  output reg  [31:0] word_o,  // one step later
  input  wire        engine_write_i,
  input  wire [8:0]  write_at_i,
  input  wire [31:0] wdata_i
);
  assign go_o = !write_i;
  wire write = write_i || engine_write_i;
  wire [8:0] write_at = write_i ? reg_addr_i : write_at_i;
  wire [31:0] wdata = write_i ? reg_wdata_i : wdata_i;

  // Two copies, one for each reader. The engine never reads the word that it writes.
  (* no_rw_check *) reg [31:0] words[0:511];
  always @(posedge clk_i) begin
    if (write) words[write_at] <= wdata;
    if (go_o) word_o <= words[at_i];
  end

  reg [31:0] shown[0:511];
  reg [31:0] found, high;
  reg was_low, was_read, was_high;
  reg took; // `found` is a high half to keep
  reg kept; // `high` belongs to the last low half
  reg [10:2] was_addr;
  wire [8:0] shown_at = was_low && !read_i ? was_addr : reg_addr_i;
  always @(posedge clk_i) begin
    if (write) shown[write_at] <= wdata;
    found <= shown[shown_at];
    was_low <= read_i && low_i;
    was_addr <= {reg_addr_i[10:4], reg_addr_i[3:2] + 2'd1};
    was_read <= read_i;
    took <= was_low && !read_i;
    if (took) high <= found;
    kept <= (was_low ? !read_i : kept) && !(read_i && low_i);
    was_high <= high_i && kept;
    if (clear_i) kept <= 1'b0;
  end
  assign reg_rdata_o = (was_high ? high : found) & {32{was_read}};
endmodule

`default_nettype wire
