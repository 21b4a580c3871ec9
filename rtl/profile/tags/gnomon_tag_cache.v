// SPDX-License-Identifier: Apache-2.0
// The tag caches, one beside each cache (docs/internals/tags.md, "Tag caches"): tags of memory whose shadow is in main
// memory, for segments of 64 KiB that the map says are filled with the line. The answers to a lookup come in the next
// cycle, as those of the blocks do.
`default_nettype none

module gnomon_tag_cache #(
  parameter [31:0] MEMORY_BASE = 32'h1000_0000,
  parameter MEMORY_LOG2 = 24,    // log2 of the bytes of main memory, more than 16
  parameter CODE_LINES_LOG2 = 8, // log2 of the lines of the instruction cache, of the data cache
  parameter DATA_LINES_LOG2 = 8
) (
  input  wire        clk_i, rst_i,
  input  wire        hart_rst_i,  // with it the caches forget their lines

  // A shadow word comes for a line of the instruction cache, of the data cache.
  input  wire        code_i, data_i,
  input  wire [MEMORY_LOG2-1:5] line_i,
  input  wire [31:0] word_i,
  output wire        code_filled_o, data_filled_o,  // it is the line's last one
  output wire        tagged_o,    // with these: the line has a tag

  // Map and bounds.
  input  wire        map_clear_i, // clears segment map_number_i
  input  wire        map_write_i, // the register SEGMENT is written
  input  wire [MEMORY_LOG2-17:0] map_number_i,
  input  wire        set_i,       // bound number set_which_i is written: of code, begin and end; of data
  input  wire [1:0]  set_which_i,
  input  wire [31:0] wdata_i,

  input  wire [31:2] fill_address_i,  // of a filled line
  output wire [1:0]  fill_mapped_o,   // one cycle later: its segment is filled with the line: for data, for code

  // The retired instruction; the answers come one cycle later.
  input  wire [31:1] pc_i,
  input  wire [31:2] address_i,
  output wire        mapped_o, word_mapped_o,  // the segment is filled with the line
  output wire [4:0]  tag_o, word_tag_o,
  output wire        unknown_o,       // with mapped_o: the line is not in the tag cache
  output wire        word_unknown_o,  // with word_mapped_o: the same, and the word is in the bounds
  output wire        in_code_o        // the word is in the bounds of code
);
  localparam M = MEMORY_LOG2, SEGMENTS_LOG2 = M - 16;
  wire in_memory = address_i[31:M] == MEMORY_BASE[31:M];

  // ---- Map: one copy for each reader; the second port of the first copy serves filled lines ----
  wire map_write = map_clear_i || map_write_i;
  wire [1:0] map_word = wdata_i[9:8] & {2{!map_clear_i}};
  wire [1:0] pc_map, address_map, unused_map;
  gnomon_tag_shadow #(
    .LOG2(SEGMENTS_LOG2), .WIDTH(2)
  ) u_pc_map (
    .clk_i(clk_i), .find_i(pc_i[M-1:16]), .found_o(pc_map), .write_i(map_write),
    .index_i(map_write ? map_number_i : fill_address_i[M-1:16]), .word_i(map_word), .word_o(fill_mapped_o)
  );
  gnomon_tag_shadow #(
    .LOG2(SEGMENTS_LOG2), .WIDTH(2)
  ) u_address_map (
    .clk_i(clk_i), .find_i(address_i[M-1:16]), .found_o(address_map), .write_i(map_write), .index_i(map_number_i),
    .word_i(map_word), .word_o(unused_map)
  );

  // ---- Lines ----
  wire code_known, data_known, code_tagged, data_tagged;
  wire [63:0] code_words;
  wire [31:0] data_words;
  gnomon_tag_lines #(
    .LINES_LOG2(CODE_LINES_LOG2), .UPPER(M - 5 - CODE_LINES_LOG2), .BEATS(2), .WAYS_LOG2(1)
  ) u_code (
    .clk_i(clk_i), .clear_i(rst_i || hart_rst_i), .beat_i(code_i), .line_i(line_i), .word_i(word_i),
    .filled_o(code_filled_o), .tagged_o(code_tagged), .find_i(pc_i[M-1:5]), .known_o(code_known), .words_o(code_words)
  );
  gnomon_tag_lines #(
    .LINES_LOG2(DATA_LINES_LOG2), .UPPER(M - 5 - DATA_LINES_LOG2), .BEATS(1), .WAYS_LOG2(0)
  ) u_data (
    .clk_i(clk_i), .clear_i(rst_i || hart_rst_i), .beat_i(data_i), .line_i(line_i), .word_i(word_i),
    .filled_o(data_filled_o), .tagged_o(data_tagged), .find_i(address_i[M-1:5]), .known_o(data_known),
    .words_o(data_words)
  );
  assign tagged_o = data_i ? data_tagged : code_tagged;

  // ---- Bounds of what has tags: only accesses there can miss a tag ----
  reg [M-1:2] code_begin, code_end, data_begin, data_end;
  always @(posedge clk_i) begin
    if (set_i)
      case (set_which_i)
        2'd0: code_begin <= wdata_i[M-1:2];
        2'd1: code_end <= wdata_i[M-1:2];
        2'd2: data_begin <= wdata_i[M-1:2];
        default: data_end <= wdata_i[M-1:2];
      endcase
    if (rst_i) {code_begin, code_end, data_begin, data_end} <= {(4 * (M - 2)) {1'b0}};
  end

  reg [4:1] parcel;
  reg [4:2] word;
  reg was_memory, in_code, in_data;
  always @(posedge clk_i) begin
    {parcel, word, was_memory} <= {pc_i[4:1], address_i[4:2], in_memory};
    in_code <= in_memory && address_i[M-1:2] >= code_begin && address_i[M-1:2] < code_end;
    in_data <= in_memory && address_i[M-1:2] >= data_begin && address_i[M-1:2] < data_end;
  end
  assign mapped_o = pc_map[0];  // instructions come only from main memory
  assign word_mapped_o = address_map[1] && was_memory;
  assign tag_o = {1'b0, code_words[{parcel, 2'b00}+:4]};
  assign word_tag_o = {1'b0, data_words[{word, 2'b00}+:4]};
  assign unknown_o = !code_known;
  assign word_unknown_o = !data_known && in_data;
  assign in_code_o = in_code;
  wire unused = &{1'b0, pc_i[31:M], fill_address_i[31:M], fill_address_i[15:2], wdata_i, unused_map, address_map[0],
      pc_map[1]};
endmodule

`default_nettype wire
