// SPDX-License-Identifier: Apache-2.0
// Access to the shadow memory by the registers ADDRESS, TAG and UNTIL (docs/internals/tags.md). A write of TAG waits
// until the tags of stores before it have been cleared, so that they do not clear what it writes. While there is
// nothing else to do the word at ADDRESS is read again and again, so TAG shows what stores have cleared meanwhile.
`default_nettype none

module gnomon_tag_access (
  input  wire        clk_i, rst_i,

  input  wire        reg_write_i,  // a register of the block is written
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  input  wire        blocks_i,     // a table of blocks changes

  output wire        write_o, read_o,
  output reg  [31:2] address_o,
  output reg  [14:0] word_o,
  input  wire        taken_i,
  input  wire [14:0] word_i,  // one cycle after taken_i
  input  wire        code_i,  // with taken_i: the address is in a block of code, of data
  input  wire        data_i,

  output wire        busy_o,
  output reg         code_o,
  output reg         data_o,
  output reg  [14:0] tag_o
);
`include "gnomon_registers.vh"
  localparam [1:0] IDLE = 2'd0, SETTLE = 2'd1, WRITE = 2'd2, READ = 2'd3;
  reg [1:0] state;
  reg [3:0] settle;
  reg [31:2] until_address;
  reg shows;  // word_i is the word at ADDRESS
  reg unread; // TAG does not yet show it
  wire [31:2] next = address_o + 30'd1;
  wire goes_on = (code_i || data_i) && next < until_address;
  wire write_address = reg_write_i && reg_addr_i == `GNOMON_TAGS_ADDRESS;
  assign write_o = state == WRITE;
  assign read_o = state == IDLE || state == READ;
  always @(posedge clk_i) begin
    shows <= taken_i && read_o && !write_address;
    if (shows) tag_o <= word_i & {{5{data_o}}, {10{code_o}}};
    if (shows) unread <= 1'b0;
    if (taken_i) {code_o, data_o} <= {code_i, data_i};
    settle <= state == SETTLE ? settle + 4'd1 : 4'd0;
    if (state == SETTLE && &settle) state <= WRITE;
    if (state == READ && taken_i) state <= IDLE;
    if (write_o && taken_i) begin
      address_o <= next;
      unread <= 1'b1;
      if (!goes_on) state <= READ;
    end
    if (reg_write_i && reg_addr_i == `GNOMON_TAGS_TAG) begin
      word_o <= reg_wdata_i[14:0];
      state <= SETTLE;
    end
    if (reg_write_i && reg_addr_i == `GNOMON_TAGS_UNTIL) until_address <= reg_wdata_i[31:2];
    if (write_address) address_o <= reg_wdata_i[31:2];
    if (write_address || blocks_i) begin
      state <= READ;
      unread <= 1'b1;
    end
    if (rst_i) begin
      state <= READ;
      {address_o, until_address} <= 60'd0;
      {unread, shows} <= 2'b10;
    end
  end
  assign busy_o = state != IDLE || unread;
  wire unused = &{1'b0, reg_wdata_i[31:15], reg_wdata_i[1:0]};
endmodule

`default_nettype wire
