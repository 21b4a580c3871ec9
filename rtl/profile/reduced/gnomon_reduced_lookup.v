// SPDX-License-Identifier: Apache-2.0
// The tags of the reduced form (docs/internals/tags.md, "The reduced form"): four bits for each parcel of main memory,
// in two memories with one port each and the same content. The first one is read for each instruction that retires, the
// second one for each store. Both are written, and read for the registers, in cycles in which neither is needed so.
`default_nettype none

module gnomon_reduced_lookup #(
  parameter UP5K = 0
) (
  input  wire        clk_i, rst_i,

  input  wire        retired_i,  // an instruction retires whose tag matters
  input  wire [15:1] pc_i,
  output wire [3:0]  tag_o,      // one cycle later: its tag; 0: none

  input  wire        store_i,    // a word of main memory is written
  input  wire [15:2] store_address_i,
  output wire        cleared_o,  // pulse: a store has cleared the tags of a word
  output wire        missed_o,   // pulse: it should have, but another word's tags waited to be cleared

  input  wire        reg_write_i,  // a register of the block TAGS is written
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [15:2] address_o,
  output wire [7:0]  word_o,     // the tags of the word at address_o, when busy_o is 0: upper parcel, lower parcel
  output reg         outside_o,  // ADDRESS is outside of main memory: nothing is written
  output wire        busy_o
);
`include "gnomon_registers.vh"
  wire [7:0] found, stored;
  reg looks, upper, was_store;
  assign tag_o = (upper ? found[7:4] : found[3:0]) & {4{looks}};

  // A store into a word with tags: they are cleared in the next free cycle.
  reg [15:2] store_at;
  reg waits;
  wire hits = was_store && stored != 8'd0;
  assign missed_o = hits && waits;

  // The registers. A write goes on with the next words until `address_o` is `until_address`, if `goes_on`.
  reg [15:2] until_address;
  reg goes_on, writes, reads, shows;
  reg [7:0] word;
  wire free = !retired_i && !store_i;
  assign cleared_o = free && waits;
  wire writing = free && !waits && writes, reading = free && !waits && !writes && reads;
  wire [15:2] next = address_o + 14'd1;
  wire clear_tags = reg_write_i && reg_addr_i == `GNOMON_TAGS_CLEAR && reg_wdata_i[`GNOMON_TAGS_CLEAR_TAGS];
  wire set_address = reg_write_i && reg_addr_i == `GNOMON_TAGS_ADDRESS;
  wire set_until = reg_write_i && reg_addr_i == `GNOMON_TAGS_UNTIL;
  wire set_tag = reg_write_i && reg_addr_i == `GNOMON_TAGS_TAG;
  always @(posedge clk_i) begin
    looks <= retired_i;
    upper <= pc_i[1];
    was_store <= store_i;
    if (store_i && !waits && !hits) store_at <= store_address_i;
    waits <= waits ? !free : hits;

    shows <= reading && !set_address && !set_tag;
    if (shows) word <= found;
    if (reading) reads <= 1'b0;
    if (writing) begin
      address_o <= next;
      goes_on <= goes_on && next != until_address;
      writes <= goes_on && next != until_address;
      reads <= 1'b1;
    end
    if (set_until) {goes_on, until_address} <= {reg_wdata_i[28], reg_wdata_i[15:2]};
    if (set_tag) word <= {reg_wdata_i[8:5], reg_wdata_i[3:0]};
    if (set_tag) writes <= !outside_o;
    if (set_address) begin
      {outside_o, address_o} <= {reg_wdata_i[31:16] != 16'h1000, reg_wdata_i[15:2]};
      reads <= 1'b1;
    end
    // All words: from 0 on, until it is 0 again.
    if (clear_tags) begin
      {goes_on, until_address, address_o, word} <= {1'b1, 36'd0};
      {outside_o, writes} <= 2'b01;
    end
    if (rst_i) {looks, was_store, waits, goes_on, writes, reads, shows} <= 7'd0;
  end
  assign word_o = word;
  assign busy_o = writes || reads || shows;

  wire write = cleared_o || writing;
  wire [15:2] other = waits ? store_at : address_o;
  wire [7:0] data = word & {8{!waits}};
  gnomon_reduced_ram #(
    .HARD(UP5K)
  ) u_codes (
    .clk_i(clk_i), .address_i(retired_i ? pc_i[15:2] : other), .write_i(write), .data_i(data), .data_o(found)
  );
  gnomon_reduced_ram #(
    .HARD(UP5K)
  ) u_copy (
    .clk_i(clk_i), .address_i(store_i ? store_address_i : other), .write_i(write), .data_i(data), .data_o(stored)
  );
  wire unused = &{1'b0, reg_wdata_i[27:9], reg_wdata_i[4], reg_wdata_i[1:0]};
endmodule

`default_nettype wire
