// SPDX-License-Identifier: Apache-2.0
// The registers that read records (docs/reference/registers.md, from RECORD_PAGE on). A read of a record's first word
// requests the record. The module copies the whole record, word by word, when no call is being added, mostly within
// a few cycles; calls that end meanwhile wait. A reader that is faster than the copy gets words of the previous record,
// and then the last word does not have READY.
`default_nettype none

module gnomon_records_regs #(
  parameter HIGHEST_BITS = 10,
  parameter BUCKETS_LOG2 = 0,  // log2 of the records with buckets; 0: none
  parameter EPOCHS = 0,
  parameter LOSSES = 0,
  parameter EPOCH_BITS = 31,
  parameter FRAMES_LOG2 = 9,
  parameter THREADS_LOG2 = 3,
  parameter ARCS = 0,
  parameter PAGE_BITS = 5      // bits of a page: 32 records or pairs, or the buckets of one record
) (
  input  wire        clk_i,
  input  wire        hart_rst_i,  // discards the request and selects page 0
  input  wire        clear_i,     // power-on, and the beginning of the hart's reset: selects pairs of all callees

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o,  // one cycle after reg_sel_i; else, and for foreign addresses, 0

  output reg         show_o,   // requests a copy; stays until shown_i
  input  wire        shown_i,  // the copy begins
  output reg         copy_o,   // from the next cycle on: word_i gets the words of the record, by place_o
  output reg  [3:0]  place_o,
  input  wire [31:0] word_i,   // one cycle after place_o
  input  wire        lost_here_i, lost_i, untimed_i,  // of the record, from the second place on
  output reg  [PAGE_BITS+4:0] number_o,  // valid one cycle before show_o
  output reg         bucket_o,  // reads a bucket: number_o is the record's number, then the bucket's
  output reg         ended_o,   // reads the epoch before
  output reg         open_o,    // reads a frame that was open at the end of that epoch

  output reg         mark_o,  // requests the end of the epoch; stays until marked_i
  input  wire        marked_i,
  input  wire [EPOCH_BITS-1:0] epoch_i,
  input  wire [47:0] snapshot_time_i,
  input  wire [FRAMES_LOG2:0] open_count_i,

  input  wire [HIGHEST_BITS-1:0] highest_i,
  // the count of the register's address, in the cycle of the read; 0 for a register that is none
  input  wire [31:0] count_i,
  output reg  [HIGHEST_BITS-1:0] arc_first_o, arc_last_o,
  output reg  [HIGHEST_BITS-2:0] arc_hash_o,
  input  wire [HIGHEST_BITS:0] arc_count_i, ended_arc_count_i
);
`include "gnomon_registers.vh"
  // The copy, by place in the window.
  reg [31:0] words[0:15];
  reg [3:0] place_copied;
  reg copying; // word_i has the word of place_copied
  reg asked, ready, early; // early: a word was read before it was copied
  wire unused = &{1'b0, reg_wdata_i[31:PAGE_BITS]};

  reg [PAGE_BITS-1:0] page;
  reg buckets; // the page has the buckets of one function
  reg ended, open;
  wire write_epoch = reg_sel_i && reg_write_i && reg_addr_i == `GNOMON_PROFILE_EPOCH;
  wire window = reg_addr_i[11];
  wire [3:0] place = reg_addr_i[5:2];
  localparam [3:0] FIRST = 4'd0, LAST = 4'd14, STATE = 4'd15;
  wire reads = reg_sel_i && !reg_write_i && window;
  always @(posedge clk_i) begin
    asked <= 1'b0;
    if (asked) show_o <= 1'b1;
    if (shown_i) begin
      show_o <= 1'b0;
      copy_o <= 1'b1;
      place_o <= FIRST;
    end
    if (copy_o) place_o <= place_o + 4'd1;
    if (copy_o && place_o == LAST) copy_o <= 1'b0;
    copying <= copy_o;
    place_copied <= place_o;
    if (copying) words[place_copied] <= word_i;
    if (copying && place_copied == LAST) ready <= !early;
    if (reads && place != FIRST && place != STATE && !ready && !(copying && place < place_copied)) begin
      ready <= 1'b0;
      early <= 1'b1;
    end
    if (reads && place == FIRST) begin
      number_o <= {page, reg_addr_i[10:6]};
      bucket_o <= buckets;
      ended_o <= ended;
      open_o <= open;
      asked <= 1'b1;
      show_o <= 1'b0;
      copy_o <= 1'b0;
      copying <= 1'b0;
      ready <= 1'b0;
      early <= 1'b0;
    end
    if (reg_sel_i && reg_write_i && reg_addr_i == `GNOMON_PROFILE_RECORD_PAGE) begin
      page <= reg_wdata_i[PAGE_BITS-1:0];
      buckets <= BUCKETS_LOG2 != 0 && reg_wdata_i[`GNOMON_PROFILE_RECORD_PAGE_BUCKETS];
      ended <= EPOCHS != 0 && reg_wdata_i[`GNOMON_PROFILE_RECORD_PAGE_ENDED];
      open <= EPOCHS != 0 && reg_wdata_i[`GNOMON_PROFILE_RECORD_PAGE_OPEN];
    end
    if (reg_sel_i && reg_write_i && reg_addr_i == `GNOMON_PROFILE_ARC_PART) begin
      arc_first_o <= reg_wdata_i[HIGHEST_BITS-1:0];
      arc_last_o <= reg_wdata_i[16+:HIGHEST_BITS];
    end
    if (reg_sel_i && reg_write_i && reg_addr_i == `GNOMON_PROFILE_ARC_HASH) arc_hash_o <= reg_wdata_i[HIGHEST_BITS-2:0];
    if (clear_i) {arc_first_o, arc_last_o, arc_hash_o} <= {{HIGHEST_BITS{1'b0}}, {HIGHEST_BITS{1'b1}},
        {(HIGHEST_BITS - 1) {1'b0}}};
    if (marked_i) mark_o <= 1'b0;
    if (write_epoch && EPOCHS != 0 && !(&epoch_i)) mark_o <= 1'b1; // epoch numbers do not wrap
    if (hart_rst_i) begin
      asked <= 1'b0;
      show_o <= 1'b0;
      copy_o <= 1'b0;
      copying <= 1'b0;
      ready <= 1'b0;
      early <= 1'b0;
      page <= {PAGE_BITS{1'b0}};
      {open, ended, buckets} <= 3'd0;
      mark_o <= 1'b0;
    end
  end

  // Each register has a mask, all ones when its address is read. Registers without a count read as 0 from count_i.
  function [31:0] at(input [11:0] address);
    at = {32{reg_addr_i == address}};
  endfunction
  wire count = reg_addr_i[11:8] == 4'd0 && !reg_addr_i[5] && reg_addr_i[6] != reg_addr_i[7];
  wire [31:0] state = {ready, lost_i, lost_here_i, untimed_i, {(23 - PAGE_BITS) {1'b0}}, number_o};
  wire [31:0] arc_part = {{(16 - HIGHEST_BITS) {1'b0}}, arc_last_o, {(16 - HIGHEST_BITS) {1'b0}}, arc_first_o};
  always @(posedge clk_i) begin
    reg_rdata_o <=
        ({32{count}} & count_i) |
        ({32{window && place != FIRST && place != STATE}} & words[place]) |
        ({32{window && place == STATE}} & state) |
        (at(`GNOMON_PROFILE_RECORD_PAGE) & {13'd0, open, ended, buckets, {(16 - PAGE_BITS) {1'b0}}, page}) |
        (at(`GNOMON_PROFILE_RECORD_CONFIG) &
            {21'd0, THREADS_LOG2[2:0], 1'd0, ARCS != 0, LOSSES != 0, EPOCHS != 0, BUCKETS_LOG2[3:0]}) |
        (at(`GNOMON_PROFILE_EPOCH) & {mark_o, {(31 - EPOCH_BITS) {1'b0}}, epoch_i}) |
        (at(`GNOMON_PROFILE_EPOCH_CYCLE_LO) & snapshot_time_i[31:0]) |
        (at(`GNOMON_PROFILE_EPOCH_CYCLE_HI) & {16'd0, snapshot_time_i[47:32]}) |
        (at(`GNOMON_PROFILE_OPEN_COUNT) & {{(31 - FRAMES_LOG2) {1'b0}}, open_count_i}) |
        (at(`GNOMON_PROFILE_ENDED_ARC_COUNT) & {{(31 - HIGHEST_BITS) {1'b0}}, ended_arc_count_i}) |
        (at(`GNOMON_PROFILE_RECORD_HIGHEST) & {{(32 - HIGHEST_BITS) {1'b0}}, highest_i}) |
        (at(`GNOMON_PROFILE_ARC_PART) & arc_part & {32{ARCS != 0}}) |
        (at(`GNOMON_PROFILE_ARC_HASH) & {{(33 - HIGHEST_BITS) {1'b0}}, arc_hash_o} & {32{ARCS != 0}}) |
        (at(`GNOMON_PROFILE_ARC_COUNT) & {{(31 - HIGHEST_BITS) {1'b0}}, arc_count_i});
    if (!reg_sel_i) reg_rdata_o <= 32'd0;
  end
endmodule

`default_nettype wire
