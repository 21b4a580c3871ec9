// SPDX-License-Identifier: Apache-2.0
// The tags' lookup: the tag that comes out for an instruction, or for the word that it accesses, DELAY cycles after the
// retirement is one that the word had in the shadow memory in a cycle in between; or it is reported as late, and then
// is 0. This holds for all stores, bus words and register accesses in between. An instruction without a lookup gets no
// tag. The shadow memory is small, and the tag caches are smaller.
`default_nettype none

module tag_lookup #(
    parameter WAIT = 0
) (
    input wire        clk_i, rst_i, enable_i, fetch_i,
    input wire [31:1] pc_i,
    input wire        access_i, store_i,
    input wire [31:2] address_i,
    input wire        mon_valid_i,
    input wire [ 1:0] mon_master_i,
    input wire        mon_write_i,
    input wire [31:2] mon_addr_i,
    input wire        unseen_i, sweep_i, reg_valid_i, reg_write_i,
    input wire [ 3:0] reg_index_i,
    input wire [14:0] reg_word_i
);
  localparam LOG2 = 4, DELAY = 8;
  // Segments of 16 bytes, from address 0 on.
  localparam [4*29-1:0] MAPS = {28'd3, 1'b1, 28'd2, 1'b1, 28'd1, 1'b1, 28'd0, 1'b1};
  (* anyconst *) reg [LOG2-1:0] any;
  (* anyconst *) reg high;
  wire ready, fetch_late, data_late;
  wire [14:0] word;
  wire [4:0] tag, word_tag;
  gnomon_tag_lookup #(
    .LOG2(LOG2), .FETCH_LOG2(2), .DATA_LOG2(1), .WAIT(WAIT), .DELAY(DELAY)
  ) u_lookup (
    .clk_i(clk_i), .rst_i(rst_i), .enable_i(enable_i), .maps_i(MAPS), .fetch_i(fetch_i), .pc_i(pc_i),
    .access_i(access_i), .store_i(store_i), .address_i(address_i), .mon_valid_i(mon_valid_i),
    .mon_master_i(mon_master_i), .mon_write_i(mon_write_i), .mon_addr_i(mon_addr_i), .unseen_i(unseen_i),
    .sweep_i(sweep_i), .ready_o(ready), .reg_valid_i(reg_valid_i), .reg_write_i(reg_write_i), .reg_index_i(reg_index_i),
    .reg_word_i(reg_word_i), .fetch_late_o(fetch_late), .data_late_o(data_late), .tag_o(tag), .word_tag_o(word_tag),
    .f_at_i(any), .f_word_o(word)
  );

  // Lookups of that word, and cycles without a lookup, by the cycles since; the tags that the word has had since the
  // lookup.
  wire looking = enable_i && ready && !rst_i;
  reg [DELAY:1] fetch_asked, data_asked, fetch_none, data_none;
  reg [31:0] fetch_had[1:DELAY], data_had[1:DELAY];
  wire [31:0] fetch_has = 32'd1 << (high ? word[9:5] : word[4:0]), data_has = 32'd1 << word[14:10];
  integer s;
  reg [3:0] age = 4'd0; // since the last reset
  always @(posedge clk_i) begin
    fetch_asked <= {fetch_asked, looking && fetch_i && pc_i == {26'd0, any, high}};
    data_asked <= {data_asked, looking && access_i && address_i == {26'd0, any}};
    fetch_none <= {fetch_none, !(looking && fetch_i && pc_i[31:6] == 26'd0)};
    data_none <= {data_none, !(looking && access_i && address_i[31:6] == 26'd0)};
    fetch_had[1] <= fetch_has;
    data_had[1] <= data_has;
    for (s = 1; s < DELAY; s = s + 1) begin
      fetch_had[s+1] <= fetch_had[s] | fetch_has;
      data_had[s+1] <= data_had[s] | data_has;
    end
    age <= rst_i ? 4'd0 : age == 4'd15 ? age : age + 4'd1;
  end
  reg begun = 1'b0;
  always @(posedge clk_i) begin
    begun <= 1'b1;
    if (!begun) assume (rst_i);
    else assume (!rst_i);
    if (begun && age > DELAY) begin
      if (fetch_asked[DELAY]) assert (fetch_late ? tag == 5'd0 : fetch_had[DELAY][tag]);
      if (data_asked[DELAY]) assert (data_late ? word_tag == 5'd0 : data_had[DELAY][word_tag]);
      if (fetch_none[DELAY]) assert (!fetch_late && tag == 5'd0);
      if (data_none[DELAY]) assert (!data_late && word_tag == 5'd0);
    end
  end
endmodule

`default_nettype wire
