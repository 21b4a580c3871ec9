// SPDX-License-Identifier: Apache-2.0
// Looks up the tags of each retired instruction and of the word that it accesses (docs/internals/tags.md): the answer
// is there in the next cycle, always. The second port of the shadow memory serves, in this order: the hart's store,
// another master's store, the clearing of all tags, a word of a line that a cache fills, the registers. A store into a
// block of code writes zeros without asking: the memory shows what was there.
`default_nettype none

module gnomon_tag_lookup #(
  parameter LOG2 = 12, // log2 of the shadow memory's words
  parameter CACHE = 0, // 1: tag caches; this and the next ones as in gnomon_tags
  parameter [31:0] MEMORY_BASE = 32'h1000_0000,
  parameter MEMORY_LOG2 = 24,
  parameter CODE_LINES_LOG2 = 8,
  parameter DATA_LINES_LOG2 = 8
) (
  input  wire        clk_i, rst_i,
  input  wire        hart_rst_i,
  input  wire        enable_i,  // 0: no tags, no clearing by stores

  // With CACHE, as in gnomon_tag_cache.
  input  wire        code_beat_i, data_beat_i,
  input  wire [MEMORY_LOG2-1:5] beat_line_i,
  input  wire [31:0] beat_word_i,
  output wire        code_filled_o, data_filled_o, filled_tagged_o,
  input  wire        segment_i,  // the register SEGMENT is written with reg_wdata_i; a bound is
  input  wire        bound_i,
  input  wire [1:0]  bound_which_i,

  input  wire        blocks_clear_i,  // clears entry number of both tables of blocks
  input  wire        blocks_write_i,
  input  wire        blocks_data_i,   // of data, not of code
  input  wire [3:0]  blocks_number_i,
  input  wire [31:0] blocks_entry_i,

  // The retired instruction.
  input  wire [31:1] pc_i,
  input  wire [31:2] address_i,
  // The one before: so a store that overwrites itself still has its tag.
  input  wire        store_i,
  input  wire [31:2] store_address_i,
  // A store that does not retire: another master's, or the host's through the hart.
  input  wire        foreign_i,
  input  wire [31:2] foreign_address_i,

  input  wire        sweep_i,  // pulse: clear all tags
  output wire        ready_o,  // no such clearing goes on

  // A word of a filled line.
  input  wire        fill_i,
  input  wire        fill_data_i,  // its tag as data is asked, else those of its instructions
  input  wire [31:2] fill_address_i,
  input  wire        fill_shadowed_i,  // its line has a tag in the shadow
  output wire        fill_taken_o,
  output wire        fill_tagged_o,  // one cycle later

  // Registers: an access stays until it is taken. The word comes one cycle later.
  input  wire        reg_write_i,
  input  wire        reg_read_i,
  input  wire [31:2] reg_address_i,
  input  wire [14:0] reg_word_i,
  output wire        reg_taken_o,
  output wire [14:0] reg_word_o,
  output wire        reg_code_o,  // with reg_taken_o: the address is in a block of code, of data
  output wire        reg_data_o,

  // One cycle after pc_i and address_i.
  output wire [4:0]  tag_o,
  output wire [4:0]  word_tag_o,
  output reg         per_address_o,  // the instruction can have a per-address counter; the word
  output reg         word_per_address_o,

  // With CACHE, for a retired instruction: its tag is not known; nor that of the word that it accesses; if it stores,
  // it may overwrite tagged code.
  output wire        unknown_o, word_unknown_o, in_code_o,

  output wire        cleared_o,  // a store has cleared tags, of the word at cleared_address_o
  output reg  [31:2] cleared_address_o,
  output wire        missed_o    // a store was not seen
);
  // ---- Tables of blocks: one copy for each read port ----
  wire write_code = blocks_clear_i || (blocks_write_i && !blocks_data_i);
  wire write_data = blocks_clear_i || (blocks_write_i && blocks_data_i);
  wire [31:0] entry = blocks_entry_i & {32{!blocks_clear_i}};
  wire pc_inside, address_inside, pc_own, address_own, b_code, b_data, unused_code, unused_data;
  wire [31:2] b_address;
  gnomon_tag_blocks #(
    .LOG2(LOG2)
  ) u_pc (
    .clk_i(clk_i), .write_i(write_code), .number_i(blocks_number_i), .entry_i(entry), .address_i(pc_i[31:2]),
    .inside_o(pc_inside), .per_address_o(pc_own)
  );
  gnomon_tag_blocks #(
    .LOG2(LOG2)
  ) u_address (
    .clk_i(clk_i), .write_i(write_data), .number_i(blocks_number_i), .entry_i(entry), .address_i(address_i),
    .inside_o(address_inside), .per_address_o(address_own)
  );
  gnomon_tag_blocks #(
    .LOG2(LOG2)
  ) u_code (
    .clk_i(clk_i), .write_i(write_code), .number_i(blocks_number_i), .entry_i(entry), .address_i(b_address),
    .inside_o(b_code), .per_address_o(unused_code)
  );
  gnomon_tag_blocks #(
    .LOG2(LOG2)
  ) u_data (
    .clk_i(clk_i), .write_i(write_data), .number_i(blocks_number_i), .entry_i(entry), .address_i(b_address),
    .inside_o(b_data), .per_address_o(unused_data)
  );

  // ---- Stores of others wait for a cycle without a store of the hart ----
  wire store = store_i && enable_i;
  reg foreign;
  reg [31:2] foreign_address;
  wire take_foreign = foreign && !store;
  assign missed_o = foreign && store && foreign_i && enable_i;
  always @(posedge clk_i) begin
    if (take_foreign) foreign <= 1'b0;
    if (foreign_i && enable_i) begin
      foreign <= 1'b1;
      foreign_address <= foreign_address_i;
    end
    if (rst_i) foreign <= 1'b0;
  end

  // ---- Clearing of all tags ----
  reg sweeping;
  reg [LOG2-1:0] sweep_at;
  wire take_sweep = sweeping && !store && !foreign;
  always @(posedge clk_i) begin
    if (take_sweep) sweep_at <= sweep_at + 1'b1;
    if (take_sweep && &sweep_at) sweeping <= 1'b0;
    if (rst_i || sweep_i) begin
      sweeping <= 1'b1;
      sweep_at <= {LOG2{1'b0}};
    end
  end
  assign ready_o = !sweeping;

  // ---- The second port ----
  wire take_fill = !store && !foreign && !sweeping && fill_i && !(CACHE != 0 && segment_i);
  wire take_reg = !store && !foreign && !sweeping && !fill_i;
  assign fill_taken_o = take_fill;
  assign reg_taken_o = take_reg && (reg_write_i || reg_read_i);
  assign b_address = store ? store_address_i : foreign ? foreign_address : fill_i ? fill_address_i :
      reg_address_i;
  wire [LOG2-1:0] index = sweeping && !store && !foreign ? sweep_at : b_address[LOG2+1:2];
  wire clears = (store || foreign) && b_code;
  wire writes_reg = take_reg && reg_write_i;
  wire [14:0] word = reg_word_i & {15{take_reg}};
  assign reg_code_o = b_code;
  assign reg_data_o = b_data;

  reg high, in_code, in_data, cleared, fill_code, fill_word;
  reg [31:2] cleared_at;
  wire [9:0] code_found, code_was;
  wire [4:0] data_found, data_was;
  always @(posedge clk_i) begin
    high <= pc_i[1];
    in_code <= pc_inside && enable_i && ready_o;
    in_data <= address_inside && enable_i && ready_o;
    per_address_o <= pc_own && (CACHE == 0 || pc_inside);
    word_per_address_o <= address_own && (CACHE == 0 || address_inside);
    fill_code <= b_code && !fill_data_i;
    fill_word <= b_data && fill_data_i;
    cleared <= clears;
    cleared_at <= b_address;
    if (rst_i) cleared_address_o <= 30'd0;
    else if (cleared_o) cleared_address_o <= cleared_at;
  end
  gnomon_tag_shadow #(
    .LOG2(LOG2), .WIDTH(10)
  ) u_codes (
    .clk_i(clk_i), .find_i(pc_i[LOG2+1:2]), .found_o(code_found),
    .write_i(clears || take_sweep || (writes_reg && b_code)), .index_i(index), .word_i(word[9:0]), .word_o(code_was)
  );
  gnomon_tag_shadow #(
    .LOG2(LOG2), .WIDTH(5)
  ) u_datas (
    .clk_i(clk_i), .find_i(address_i[LOG2+1:2]), .found_o(data_found), .write_i(take_sweep || (writes_reg && b_data)),
    .index_i(index), .word_i(word[14:10]), .word_o(data_was)
  );
  wire [4:0] cached_tag, cached_word_tag;
  wire fill_mapped;
  assign tag_o = (high ? code_found[9:5] : code_found[4:0]) & {5{in_code}} | cached_tag;
  assign word_tag_o = data_found & {5{in_data}} | cached_word_tag;
  assign reg_word_o = {data_was, code_was};
  assign cleared_o = cleared && |code_was;
  assign fill_tagged_o = (fill_code && |code_was) || (fill_word && |data_was) || fill_mapped;

  // ---- Tag caches: for what is in no block ----
  generate
    if (CACHE != 0) begin : g_cache
      localparam SEGMENTS_LOG2 = MEMORY_LOG2 - 16;
      wire mapped, word_mapped, unknown, word_unknown;
      wire [4:0] tag, word_tag;
      wire [1:0] fill_map;
      gnomon_tag_cache #(
        .MEMORY_BASE(MEMORY_BASE), .MEMORY_LOG2(MEMORY_LOG2), .CODE_LINES_LOG2(CODE_LINES_LOG2),
        .DATA_LINES_LOG2(DATA_LINES_LOG2)
      ) u_cache (
        .clk_i(clk_i), .rst_i(rst_i), .hart_rst_i(hart_rst_i), .code_i(code_beat_i), .data_i(data_beat_i),
        .line_i(beat_line_i), .word_i(beat_word_i), .code_filled_o(code_filled_o), .data_filled_o(data_filled_o),
        .tagged_o(filled_tagged_o), .map_clear_i(take_sweep), .map_write_i(segment_i),
        .map_number_i(take_sweep ? sweep_at[SEGMENTS_LOG2-1:0] : blocks_entry_i[SEGMENTS_LOG2-1:0]), .set_i(bound_i),
        .set_which_i(bound_which_i), .wdata_i(blocks_entry_i), .fill_address_i(fill_address_i),
        .fill_mapped_o(fill_map), .pc_i(pc_i), .address_i(address_i), .mapped_o(mapped), .word_mapped_o(word_mapped),
        .tag_o(tag), .word_tag_o(word_tag), .unknown_o(unknown), .word_unknown_o(word_unknown), .in_code_o(in_code_o)
      );
      reg on, pc_block, address_block, code_asks, data_asks, some;
      always @(posedge clk_i) begin
        on <= enable_i && ready_o;
        {pc_block, address_block} <= {pc_inside, address_inside};
        code_asks <= !b_code && !fill_data_i;
        data_asks <= !b_data && fill_data_i;
        some <= fill_shadowed_i;
      end
      wire cached = mapped && on && !pc_block, cached_word = word_mapped && on && !address_block;
      assign cached_tag = tag & {5{cached}};
      assign cached_word_tag = word_tag & {5{cached_word}};
      assign unknown_o = cached && unknown;
      assign word_unknown_o = cached_word && word_unknown;
      assign fill_mapped = some && ((code_asks && fill_map[0]) || (data_asks && fill_map[1]));
    end else begin : g_no_cache
      assign {cached_tag, cached_word_tag, fill_mapped, unknown_o, word_unknown_o, in_code_o} = 14'd0;
      assign {code_filled_o, data_filled_o, filled_tagged_o} = 3'b000;
      wire unused_cache = &{1'b0, hart_rst_i, code_beat_i, data_beat_i, beat_line_i, beat_word_i, bound_i,
          bound_which_i, fill_shadowed_i, MEMORY_BASE, CODE_LINES_LOG2[0], DATA_LINES_LOG2[0]};
    end
  endgenerate

  wire unused = &{1'b0, unused_code, unused_data};
endmodule

`default_nettype wire
