// SPDX-License-Identifier: Apache-2.0
// Finds the tags of each retired instruction, and of the word that it accesses, DELAY cycles later
// (docs/internals/tags.md): the shadow memory, a tag cache beside each cache, and the arbiter of the shadow memory's
// one port. The order is:
//   stores into tagged code, if many of them wait, and stores of another master
//   missed lookups, the oldest first; late_o marks a lookup that was answered too late
//   other stores into tagged code: one access each, which clears the tags of the word's instructions
//   the clearing of all tags
//   the registers
//   words seen by the bus monitor; a word that finds the queue full is dropped, and its lookup fetches it later
// So that only the last ones can wait forever, lookups yield once when others have waited for 2^PATIENCE cycles, and
// the registers come first when they have waited for 2^(PATIENCE + 4) cycles: by then earlier stores have had their
// turn. Each access reports the current tags of its word, and both tag caches take a change in the same order. So the
// tag caches never hold a word that the shadow memory did not hold a cycle before.
`default_nettype none

module gnomon_tag_lookup #(
  parameter LOG2 = 18,       // log2 of the shadow memory's words, in all segments
  parameter SEGMENTS = 4,
  parameter FETCH_LOG2 = 11, // log2 of the words in the tag cache of instructions
  parameter DATA_LOG2 = 8,   // log2 of the words in the tag cache of accesses
  parameter WAIT = 0,        // see gnomon_tag_shadow
  parameter DELAY = 8
) (
  input  wire            clk_i, rst_i,
  input  wire            enable_i, // 0: no lookups, no words from the bus, no clearing by stores
  input  wire [SEGMENTS*(33-LOG2)-1:0] maps_i,  // see gnomon_tag_map

  // The retired instruction.
  input  wire            fetch_i,   // its tag is looked up, at pc_i
  input  wire [31:1]     pc_i,
  input  wire            access_i,  // it reads or writes
  input  wire            store_i,   // it writes
  input  wire [31:2]     address_i,

  // Bus monitor.
  input  wire            mon_valid_i,
  input  wire [1:0]      mon_master_i,
  input  wire            mon_write_i,
  input  wire [31:2]     mon_addr_i,
  input  wire            unseen_i,  // stores of the data port will not appear as retired: debug mode

  // Registers.
  input  wire            sweep_i,      // pulse: clear all tags
  output wire            ready_o,      // that clearing is complete
  input  wire            reg_valid_i,  // stays until reg_done_o
  input  wire            reg_write_i,
  input  wire [LOG2-1:0] reg_index_i,
  input  wire [14:0]     reg_word_i,
  output wire            reg_done_o,

  // An access to the shadow memory is complete.
  output wire            done_o,
  output wire [LOG2-1:0] index_o,
  output wire [14:0]     word_o,     // current tags of the word
  output wire            cleared_o,  // a store cleared tags of the word

  output wire            fetch_miss_o,  // a lookup uses the shadow memory
  output wire            data_miss_o,
  output wire            filled_o,      // a tag cache took a word seen on the bus

  // Of the lookup DELAY cycles ago.
  output wire            fetch_late_o, data_late_o,
  output wire [4:0]      tag_o, word_tag_o
`ifdef FORMAL
  , input wire [LOG2-1:0] f_at_i, // any word
  output wire [14:0]     f_word_o  // current tags of the word f_at_i
`endif
);
  localparam [1:0] INSTRUCTION = 2'd0, HOST = 2'd2; // masters of the bus
  localparam CLEARS_LOG2 = 4, FILLS_LOG2 = 3, PATIENCE = 6;
  wire enable = enable_i && ready_o;

  // ---- Maps ----
  wire pc_inside, address_inside, mon_inside;
  wire [LOG2-1:0] pc_index, address_index, mon_index;
  gnomon_tag_map #(
    .LOG2(LOG2), .SEGMENTS(SEGMENTS)
  ) u_pc (
    .maps_i(maps_i), .address_i(pc_i[31:2]), .inside_o(pc_inside), .index_o(pc_index)
  );
  gnomon_tag_map #(
    .LOG2(LOG2), .SEGMENTS(SEGMENTS)
  ) u_address (
    .maps_i(maps_i), .address_i(address_i), .inside_o(address_inside), .index_o(address_index)
  );
  gnomon_tag_map #(
    .LOG2(LOG2), .SEGMENTS(SEGMENTS)
  ) u_mon (
    .maps_i(maps_i), .address_i(mon_addr_i), .inside_o(mon_inside), .index_o(mon_index)
  );

`ifdef FORMAL
  wire f_fetch_holds, f_data_holds;
  wire [14:0] f_fetch_word, f_data_word;
`endif

  // ---- The two lanes ----
  wire op_fetch, op_data, done;
  wire fetch_wants, data_wants, take_fetch, take_data, update_fetch, update_data;
  wire unused_tagged;
  wire [1:0] fetch_age, data_age;
  wire [LOG2-1:0] fetch_want, data_want, op_index;
  wire [14:0] was, word;
  gnomon_tag_lane #(
    .LOG2(LOG2), .CACHE_LOG2(FETCH_LOG2), .WAIT(WAIT), .DELAY(DELAY), .DATA(0)
  ) u_fetch (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .find_i(enable && fetch_i && pc_inside),
      .index_i(pc_index),
      .high_i(pc_i[1]),
      .wants_o(fetch_wants),
      .age_o(fetch_age),
      .want_o(fetch_want),
      .grant_i(take_fetch),
      .answer_i(done && op_fetch),
      .answer_word_i(was),
      .update_i(update_fetch),
      .update_index_i(op_index),
      .update_word_i(word),
`ifdef FORMAL
      .f_at_i(f_at_i),
      .f_holds_o(f_fetch_holds),
      .f_word_o(f_fetch_word),
`endif
      .late_o(fetch_late_o),
      .tagged_o(unused_tagged),
      .tag_o(tag_o)
  );

  wire find_data = enable && access_i && address_inside;
  wire code_tagged;
  gnomon_tag_lane #(
    .LOG2(LOG2), .CACHE_LOG2(DATA_LOG2), .WAIT(WAIT), .DELAY(DELAY), .DATA(1)
  ) u_data (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .find_i(find_data),
      .index_i(address_index),
      .high_i(1'b0),
      .wants_o(data_wants),
      .age_o(data_age),
      .want_o(data_want),
      .grant_i(take_data),
      .answer_i(done && op_data),
      .answer_word_i(was),
      .update_i(update_data),
      .update_index_i(op_index),
      .update_word_i(word),
`ifdef FORMAL
      .f_at_i(f_at_i),
      .f_holds_o(f_data_holds),
      .f_word_o(f_data_word),
`endif
      .late_o(data_late_o),
      .tagged_o(code_tagged),
      .tag_o(word_tag_o)
  );

  // ---- Stores into tagged code ----
  // The hart's stores are found by their own lookup. If the lookup was late, the word is cleared unconditionally.
  wire stored;
  wire [LOG2-1:0] stored_index;
  gnomon_tag_delay #(
    .WIDTH(LOG2 + 1), .DELAY(DELAY)
  ) u_stored (
    .clk_i(clk_i), .rst_i(rst_i), .data_i({find_data && store_i, address_index}), .data_o({stored, stored_index})
  );
  wire clears_valid, clears_half, take_clear;
  wire [LOG2-1:0] clears_index;
  gnomon_tag_queue #(
    .WIDTH(LOG2), .LOG2(CLEARS_LOG2)
  ) u_clears (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .push_i(stored && (code_tagged || data_late_o) && ready_o), // during a clearing all tags vanish anyway
      .word_i(stored_index),
      .valid_o(clears_valid),
      .word_o(clears_index),
      .pop_i(take_clear),
      .half_o(clears_half)
  );

  // ---- The bus ----
  reg shown, shown_fetch; // the bus showed a word on its way to or from the hart
  reg written;            // another master wrote a word
  reg [LOG2-1:0] shown_index, written_index;
  wire take_written;
  wire foreign = mon_write_i && (mon_master_i == HOST || unseen_i);
  always @(posedge clk_i) begin
    shown <= enable && mon_valid_i && mon_inside && mon_master_i != HOST;
    shown_fetch <= mon_master_i == INSTRUCTION;
    shown_index <= mon_index;
    if (take_written) written <= 1'b0;
    if (enable && mon_valid_i && mon_inside && foreign) begin
      written <= 1'b1;
      written_index <= mon_index;
    end
    if (rst_i) written <= 1'b0;
  end
  wire fills_valid, fills_fetch, take_fill, unused_half;
  wire [LOG2-1:0] fills_index;
  gnomon_tag_queue #(
    .WIDTH(LOG2 + 1), .LOG2(FILLS_LOG2)
  ) u_fills (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(shown), .word_i({shown_fetch, shown_index}), .valid_o(fills_valid),
    .word_o({fills_fetch, fills_index}), .pop_i(take_fill), .half_o(unused_half)
  );

  // ---- Clearing of all tags ----
  reg sweeping, swept; // swept: the last access of the clearing goes on
  reg [LOG2-1:0] sweep_at;
  wire take_sweep;
  always @(posedge clk_i) begin
    if (take_sweep) sweep_at <= sweep_at + 1'b1;
    swept <= (take_sweep && &sweep_at) || (swept && !done);
    if (take_sweep && &sweep_at) sweeping <= 1'b0;
    if (rst_i || (sweep_i && ready_o)) begin
      sweeping <= 1'b1;
      sweep_at <= {LOG2{1'b0}};
    end
  end
  assign ready_o = !sweeping && !swept;

  // ---- Arbitration ----
  wire free; // the port takes an access
  reg [PATIENCE-1:0] waited;
  reg [PATIENCE+3:0] reg_waited;
  wire reg_first = reg_valid_i && &reg_waited && !sweeping;
  wire urgent = written || clears_half || reg_first;
  wire looked_up = (fetch_wants || data_wants) && !(&waited);
  wire fetch_first = fetch_wants && !(data_wants && data_age > fetch_age);
  wire calm = free && !urgent && !looked_up && !clears_valid;
  wire take_reg;
  assign take_written = free && written;
  assign take_clear = free && !written && !reg_first && (clears_half || (clears_valid && !looked_up));
  assign take_fetch = free && !urgent && looked_up && fetch_first;
  assign take_data = free && !urgent && looked_up && !fetch_first;
  assign take_sweep = calm && sweeping;
  assign take_reg = (free && !written && reg_first) || (calm && !sweeping && reg_valid_i && !reg_done_o);
  assign take_fill = calm && !sweeping && !reg_valid_i && fills_valid;

  wire others_wait = clears_valid || sweeping || (reg_valid_i && !reg_done_o);
  wire others_turn = take_clear || take_sweep || take_reg;
  always @(posedge clk_i) begin
    if (!(&waited)) waited <= waited + 1'b1;
    if (!(&reg_waited)) reg_waited <= reg_waited + 1'b1;
    if (rst_i || !others_wait || others_turn) waited <= {PATIENCE{1'b0}};
    if (rst_i || !reg_valid_i || take_reg) reg_waited <= {PATIENCE + 4{1'b0}};
  end

  reg [LOG2-1:0] index;
  always @* begin
    index = fills_index;
    if (take_reg) index = reg_index_i;
    if (take_sweep) index = sweep_at;
    if (take_clear) index = clears_index;
    if (take_data) index = data_want;
    if (take_fetch) index = fetch_want;
    if (take_written) index = written_index;
  end
  wire take = take_written || take_clear || take_fetch || take_data || take_sweep || take_reg || take_fill;
  wire clears = take_written || take_clear;
  wire writes_reg = take_reg && reg_write_i;
  wire [14:0] new_word = reg_word_i & {15{take_reg}};
  gnomon_tag_shadow #(
    .LOG2(LOG2), .WAIT(WAIT)
  ) u_shadow (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .ready_o(free),
      .take_i(take),
      .code_i(clears || take_sweep || writes_reg),
      .data_i(take_sweep || writes_reg),
      .index_i(index),
      .word_i(new_word),
`ifdef FORMAL
      .f_at_i(f_at_i),
      .f_word_o(f_word_o),
`endif
      .done_o(done),
      .word_o(was)
  );

  // ---- The access in work, and its effects ----
  reg [7:0] op; // purpose of the access
  reg [LOG2-1:0] at;
  reg [14:0] new_at;
  always @(posedge clk_i)
    if (take) begin
      op <= {clears, take_sweep, writes_reg, take_fetch, take_data, take_reg, take_fill && fills_fetch, take_fill &&
          !fills_fetch};
      at <= index;
      new_at <= new_word;
    end
  wire op_clears, op_sweep, op_write, op_reg, op_fill_fetch, op_fill_data;
  assign {op_clears, op_sweep, op_write, op_fetch, op_data, op_reg, op_fill_fetch, op_fill_data} = op;
  assign op_index = at;
  assign word[9:0] = op_clears || op_sweep || op_write ? new_at[9:0] : was[9:0];
  assign word[14:10] = op_sweep || op_write ? new_at[14:10] : was[14:10];
  wire changes = op_clears || op_sweep || op_write;
  assign update_fetch = done && (changes || op_fetch || op_fill_fetch);
  assign update_data = done && (changes || op_data || op_fill_data);

  assign {done_o, index_o, word_o} = {done, at, word};
  assign cleared_o = done && op_clears && |was[9:0];
  assign reg_done_o = done && op_reg;
  assign fetch_miss_o = take_fetch;
  assign data_miss_o = take_data;
  assign filled_o = done && (op_fill_fetch || op_fill_data);

`ifdef FORMAL
  // An access reports the current tags of its word. A tag cache holds current tags once the first clearing has passed
  // its place, except while an access that will write this place completes.
  reg f_begun = 1'b0;
  wire f_fetch_swept = !sweeping || sweep_at > f_at_i[FETCH_LOG2-1:0];
  wire f_data_swept = !sweeping || sweep_at > f_at_i[DATA_LOG2-1:0];
  wire f_fetch_writes = update_fetch && at[FETCH_LOG2-1:0] == f_at_i[FETCH_LOG2-1:0];
  wire f_data_writes = update_data && at[DATA_LOG2-1:0] == f_at_i[DATA_LOG2-1:0];
  always @(posedge clk_i) begin
    f_begun <= 1'b1;
    if (f_begun) begin
      if (done && at == f_at_i) assert (word == f_word_o);
      if (f_fetch_holds && f_fetch_swept && !f_fetch_writes) assert (f_fetch_word == f_word_o);
      if (f_data_holds && f_data_swept && !f_data_writes) assert (f_data_word == f_word_o);
    end
  end
`endif
endmodule

`default_nettype wire
