// SPDX-License-Identifier: Apache-2.0
// The read side of the trace: takes entries from the FIFO and makes the frames of docs/trace-format.md, byte by byte.
// What goes out is always a whole number of frames: a reset of the hart in mid-frame fills that frame up.
//
// Arithmetic is done on one byte at a time: gnomon_packer has one 8-bit adder, a byte of the entry on its one side and a
// byte of the *store* (block RAM) on the other. The store mirrors the frame's header: sequence, time of the last record, thread,
// lost. So a header is the store read out. Passes: SCAN finds a field's highest byte that is not 0 (and, of the delta, its low bits);
// SUM adds a LOST counter to the header's; LEB sends the field in groups of 7 bits, shifted out bit by bit.
`default_nettype none

module gnomon_packer #(
    parameter STACK_LOG2 = 8,
    parameter WIDE       = 0,
    parameter LOCKS      = 0,
    parameter WIDTH      = 96
) (
    input wire clk_i,
    input wire rst_i,
    input wire hart_rst_i, // at least 32 cycles: the store is cleared

    input wire flush_i,      // pulse: what was captured so far shall leave
    input wire idle_flush_i, // no record for FLUSH_CYCLES
    input wire dropping_i,   // for the frame's flags

    input  wire             entry_valid_i,
    input  wire [WIDTH-1:0] entry_i,
    output wire             entry_pop_o,

    // Counters of record for END; a word comes the cycle after a request that was granted.
    output wire        aux_request_o,
    output wire [ 1:0] aux_counter_o,
    output wire        aux_high_o,
    input  wire        aux_grant_i,
    input  wire [31:0] aux_data_i,
    input  wire        aux_quiet_i,

    output wire idle_o,   // no entry waits, no frame is open, no byte waits
    output wire open_o,   // a frame is open and nothing is to be done
    output wire ended_o,  // END has left

    output wire       trace_valid_o,
    output wire [7:0] trace_data_o,
    input  wire       trace_ready_i
);
`include "gnomon_trace_entry.vh"
  localparam [15:0] CHANNEL_THREAD = 16'd1;
  localparam [7:0] NO_CONTEXT = 8'h55;
  // Last positions at which records of a kind fit: up to 2, up to 27, up to 40 bytes (and END does not fill the frame).
  localparam [8:0] LAST_SHORT = 9'd510, LAST_LONG = 9'd485, LAST_END = 9'd471;
  // Places in header and store.
  localparam [4:0] AT_SEQUENCE = 5'd4, AT_TIME = 5'd8, AT_FIRST = 5'd16, AT_DEPTH = 5'd18, AT_THREAD = 5'd20, AT_FLAGS = 5'd22,
      AT_LOST = 5'd24, AT_END = 5'd27;

  localparam [3:0] S_IDLE = 4'd0, S_CLEAR = 4'd1, S_HEAD = 4'd2, S_SCAN = 4'd3, S_FIRST = 4'd4, S_SECOND = 4'd5, S_LEB = 4'd6,
      S_SUM = 4'd7, S_BYTE = 4'd8, S_WORD = 4'd9, S_END = 4'd10, S_PAD = 4'd11;
  localparam [2:0] F_DELTA = 3'd0, F_NUMBER = 3'd1, F_ENTERS = 3'd2, F_EXITS = 3'd3, F_OTHERS = 3'd4, F_CYCLES = 3'd5;

  reg [3:0] state;
  reg [2:0] field;
  reg done; // combinational: the record is complete
  reg [8:0] position; // bytes of the open frame; in S_CLEAR the entry to be cleared
  reg [4:0] index;    // byte of a field: the next to be read from the store
  reg [2:0] index_q;  // byte that the adder works on
  reg adding;         // in SCAN and SUM: index_q is there
  reg primed;         // in LEB and HEAD: the store's byte is there; in END: the counter's word
  reg carry;
  reg lock_part;      // the hart's part of the entry is done
  reg flush, ended;
  reg out_valid;
  reg [7:0] out_data;

  // ---- The entry ----
  wire [3:0] kind = entry_i[TYPE_AT+:4];
  wire [15:0] number = entry_i[8*NUMBER_AT+:16];
  wire lock_valid;
  wire [33:0] lock_data;
  wire [255:0] entry_bytes; // more than there are: any byte number is in range
  generate
    if (LOCKS != 0) begin : g_lock
      assign {lock_data, lock_valid} = entry_i[LOCK_AT+:35];
    end else begin : g_no_lock
      assign {lock_data, lock_valid} = 35'd0;
    end
    if (WIDE != 0) begin : g_wide
      assign entry_bytes = {{(256 - 8 * ENTRY_BYTES) {1'b0}}, entry_i[8*ENTRY_BYTES-1:0]};
    end else begin : g_narrow
      assign entry_bytes = {{(256 - 8 * ENTRY_BYTES) {1'b0}}, entry_i[8*ENTRY_BYTES-1:48], 4'd0, entry_i[43:0]};
    end
  endgenerate
  wire is_lost = kind == TYPE_LOST || kind == TYPE_LOST_ENTER || kind == TYPE_LOST_EXIT || kind == TYPE_LOST_OTHER;
  wire lock_now = LOCKS != 0 && (lock_part || kind == TYPE_NONE);
  wire is_enter = kind == TYPE_ENTER && !lock_now;
  wire is_exit = kind == TYPE_EXIT && !lock_now;
  wire is_end = kind == TYPE_END;
  wire again = lock_valid && !lock_now && !is_lost; // the entry's lock access is still to come

  // ---- The byte adder ----
  // Every fourth byte from one on.
  function [63:0] columns(input [255:0] bytes, input integer first);
    integer i;
    for (i = 0; i < 8; i = i + 1) columns[8*i+:8] = bytes[8*(4*i+first)+:8];
  endfunction
  reg [4:0] field_at;
  reg [2:0] field_bytes;
  always @* begin
    case (state == S_WORD ? 3'd7 : field)
      F_DELTA: {field_at, field_bytes} = {5'd0, TIME_BYTES[2:0]};
      F_NUMBER: {field_at, field_bytes} = {NUMBER_AT[4:0], 3'd2};
      F_ENTERS: {field_at, field_bytes} = {ENTERS_AT[4:0], CALL_BYTES[2:0]};
      F_EXITS: {field_at, field_bytes} = {EXITS_AT[4:0], CALL_BYTES[2:0]};
      F_OTHERS: {field_at, field_bytes} = {OTHERS_AT[4:0], OTHER_BYTES[2:0]};
      F_CYCLES: {field_at, field_bytes} = {CYCLES_AT[4:0], CYCLES_BYTES[2:0]};
      default: {field_at, field_bytes} = {DATA_AT[4:0], 3'd4};
    endcase
  end
  wire [2:0] last_byte = field_bytes - 3'd1; // 8 bytes count as 0
  wire [2:0] in_field = state == S_LEB || state == S_WORD ? index[2:0] : index_q;
  wire [4:0] byte_at = field_at + {2'd0, in_field};
  wire no_byte = in_field > last_byte || (is_lost && field == F_DELTA) || state == S_HEAD || hart_rst_i;
  // By quarters: smaller than one shifter.
  wire [63:0] bytes_by_4 = byte_at[1] ? (byte_at[0] ? columns(entry_bytes, 3) : columns(entry_bytes, 2)) :
      byte_at[0] ? columns(entry_bytes, 1) : columns(entry_bytes, 0);
  wire [7:0] plain_byte = bytes_by_4[{byte_at[4:2], 3'b000}+:8];
  wire of_delta = field == F_DELTA && (state == S_SCAN || state == S_LEB);
  wire [7:0] difference_byte, last_byte_of_time;
  wire [7:0] left = WIDE != 0 && of_delta ? difference_byte : plain_byte & {8{!no_byte}};

  (* no_rw_check, ram_style = "block" *)
  reg [7:0] store[0:63];
  reg [7:0] stored;
  reg bank; // which of two places holds the time of the last record; the other takes that of this one
  wire minus = WIDE == 0 && of_delta && !is_lost;
  wire plus = state == S_SUM || state == S_HEAD;
  wire [7:0] right = (stored ^ {8{minus}}) & {8{minus || plus}};
  wire [8:0] sum = {1'b0, left} + {1'b0, right} + {8'd0, carry};

  wire scanning = state == S_SCAN || state == S_SUM;
  wire add = scanning && adding;
  wire head_sequence = state == S_HEAD && position[4:2] == AT_SEQUENCE[4:2];
  wire can = !out_valid || trace_ready_i;
  wire clear = state == S_CLEAR;
  wire set_thread = state == S_WORD && can && !lock_now && kind == TYPE_CHANNEL && number == CHANNEL_THREAD && !index[1];
  // Bytes of the header's cycle that are wider than the time are 0, as cleared.
  wire head_time = position[4:3] == AT_TIME[4:3] && (WIDE != 0 || position[2:1] != 2'b11);
  wire [5:0] read_address = state == S_HEAD ? {bank && head_time, position[4:0]} :
      state == S_SUM ? {1'b0, AT_LOST[4:2], index[1:0]} : {bank, AT_TIME[4:3], index[2:0]};
  wire [5:0] write_address = hart_rst_i ? {1'b0, index} : state == S_HEAD ? {1'b0, position[4:0]} :
      state == S_WORD ? {1'b0, AT_THREAD[4:1], index[0]} : state == S_SUM ? {1'b0, AT_LOST[4:2], index_q[1:0]} :
      {!bank, AT_TIME[4:3], index_q};
  wire write = hart_rst_i || (head_sequence && primed && can) || set_thread || (add && (state == S_SUM || (WIDE == 0 && field == F_DELTA)));
  always @(posedge clk_i) if (write) store[write_address] <= plus ? sum[7:0] & {8{!hart_rst_i}} : left;
  always @(posedge clk_i) stored <= store[read_address];

  // What SCAN finds out.
  reg [12:0] delta; // its low bits
  reg delta_big;    // it has more
  reg [2:0] top_byte;
  wire [63:0] difference; // WIDE: the delta at once
  always @(posedge clk_i) begin
    if (state == S_SCAN) begin
      if (!adding) top_byte <= 3'd0;
      else if (WIDE != 0 && field == F_DELTA) top_byte <= top_of(difference);
      else if (|sum[7:0]) top_byte <= index_q;
    end
    if (add && field == F_DELTA) begin
      if (WIDE != 0) begin
        delta <= difference[12:0];
        delta_big <= |difference[63:13];
      end else if (index_q == 3'd0) begin
        delta[7:0] <= sum[7:0];
        delta_big <= 1'b0;
      end else if (index_q == 3'd1) begin
        delta[12:8] <= sum[4:0];
        delta_big <= |sum[7:5];
      end else if (|sum[7:0]) delta_big <= 1'b1;
    end
  end
  // Wide entries are for fast clocks: the time is subtracted at once, which makes a record twice as fast.
  function [2:0] top_of(input [63:0] value);
    integer i;
    begin
      top_of = 3'd0;
      for (i = 1; i < 8; i = i + 1) if (|value[8*i+:8]) top_of = i[2:0];
    end
  endfunction
  generate
    if (WIDE != 0) begin : g_difference
      reg [63:0] last, now_less_last;
      always @(posedge clk_i) begin
        if (hart_rst_i) last <= 64'd0;
        else if (done && !is_lost) last <= entry_i[63:0];
        if (state == S_SCAN && !adding) now_less_last <= is_lost ? 64'd0 : entry_i[63:0] - last;
      end
      assign difference = now_less_last;
      assign difference_byte = now_less_last[{in_field, 3'b000}+:8];
      assign last_byte_of_time = last[{position[2:0], 3'b000}+:8];
    end else begin : g_bytewise
      assign difference = 64'd0;
      assign {difference_byte, last_byte_of_time} = 16'd0;
      wire unused = &{1'b0, difference, difference_byte, last_byte_of_time};
    end
  endgenerate

  wire delta13 = !delta_big;
  wire delta6 = delta13 && !(|delta[12:6]);
  wire delta4 = delta6 && !(|delta[5:4]);

  // LEB: bits leave byte_bits and enter group.
  reg [7:0] byte_bits;
  reg [6:0] group;
  reg [2:0] bits_out, bits_in;
  reg loaded; // byte_bits is not used up
  wire bytes_left = index[2:0] <= top_byte && !index[3];
  wire load_byte = state == S_LEB && !loaded && bytes_left && primed;
  wire group_full = bits_in == 3'd7;
  wire shift = state == S_LEB && (loaded || !bytes_left) && !group_full;
  wire more = bytes_left || |byte_bits;
  always @(posedge clk_i) begin
    if (state != S_LEB) begin
      loaded <= 1'b0;
      byte_bits <= 8'd0;
      bits_in <= 3'd0;
      bits_out <= 3'd0;
    end else begin
      if (load_byte) begin
        byte_bits <= sum[7:0];
        loaded <= 1'b1;
      end else if (shift) begin
        byte_bits <= {1'b0, byte_bits[7:1]};
        if (&bits_out) loaded <= 1'b0;
        bits_out <= bits_out + {2'd0, loaded};
      end
      if (shift) bits_in <= bits_in + 3'd1;
      else if (group_full && can) bits_in <= 3'd0;
    end
    if (shift) group <= {byte_bits[0], group[6:1]};
  end

  // ---- The stack of open functions and traps, a ring in block RAM. Bit 16 marks a trap. ----
  (* no_rw_check, ram_style = "block" *)
  reg [16:0] stack[0:(1<<STACK_LOG2)-1];
  reg [16:0] stack_top;
  reg [STACK_LOG2-1:0] top;
  reg [STACK_LOG2:0] fill;
  wire top_is_number = |fill && stack_top == {1'b0, number};
  wire top_is_trap = |fill && stack_top[16];

  // ---- The prediction table: {valid, number}, by the context ----
  (* no_rw_check, ram_style = "block" *)
  reg [12:0] table_[0:255];
  reg [12:0] prediction;
  reg [7:0] context_;
  wire near = !(|number[15:8]);
  wire known = !(|number[15:12]);
  wire predicted = known && prediction == {1'b1, number[11:0]};

  // ---- The first byte, and what follows ----
  wire use_top = is_exit && top_is_number;
  wire use_prediction = is_enter && predicted && delta13;
  wire use_near = is_enter && near && delta4 && !use_prediction;
  wire short_form = (use_top && delta13) || use_prediction || use_near;
  wire one_byte = delta6 && (use_top || use_prediction);
  wire row6 = is_enter && known && !short_form;
  wire [3:0] extension = lock_now ? TYPE_LOCK : is_lost ? TYPE_LOST : use_top ? TYPE_EXIT_FAR : kind;
  reg [7:0] first_byte;
  always @* begin
    if (one_byte) first_byte = {1'b0, is_enter, delta[5:0]};
    else if (use_near) first_byte = {4'b1100, delta[3:0]};
    else if (short_form) first_byte = {2'b10, is_enter, delta[12:8]};
    else if (row6) first_byte = {4'b1101, number[11:8]};
    else first_byte = {4'b1110, extension};
  end
  wire second_is_number = use_near || row6;
  wire fits = short_form ? position <= LAST_SHORT : is_end ? position <= LAST_END : position <= LAST_LONG;
  // Decided with the first byte: the stack is not the same afterwards.
  reg number_follows;
  always @(posedge clk_i)
    if (state == S_FIRST)
      number_follows <= kind == TYPE_CHANNEL || kind == TYPE_MODULE || ((is_enter || is_exit) && !row6 && !use_top);

  // ---- What is sent ----
  wire [15:0] depth = {{(15 - STACK_LOG2) {1'b0}}, fill};
  reg [7:0] header_byte;
  always @* begin
    case (position[4:0])
      5'd0: header_byte = 8'h47;
      5'd1: header_byte = 8'h4E;
      5'd2: header_byte = 8'h01;
      AT_FIRST: header_byte = 8'd28;
      AT_DEPTH: header_byte = depth[7:0];
      AT_DEPTH + 5'd1: header_byte = depth[15:8];
      AT_FLAGS: header_byte = {7'd0, dropping_i};
      default: header_byte = WIDE != 0 && position[4:3] == AT_TIME[4:3] ? last_byte_of_time : stored;
    endcase
  end
  wire [31:0] other_word = state == S_END ? aux_data_i : lock_data[33:2];
  wire [7:0] other_byte = other_word[{index[1:0], 3'b000}+:8];
  wire use_other = state == S_END || lock_now;
  wire no_status = is_end && |number[1:0] && state == S_WORD;
  assign aux_counter_o = {index[4:3] == 2'd0, index[4:3] == 2'd2};
  assign aux_high_o = index[2];
  assign aux_request_o = state == S_END && !primed && aux_quiet_i;

  wire emit = (state == S_HEAD && primed) || (state == S_FIRST && fits) || state == S_SECOND || (state == S_LEB && group_full) ||
      state == S_BYTE || state == S_WORD || (state == S_END && primed) || state == S_PAD;
  wire step = emit && can;
  wire [8:0] position_next = position + {8'd0, step || clear};
  reg [7:0] emit_byte;
  always @* begin
    case (state)
      S_HEAD: emit_byte = header_byte;
      S_FIRST: emit_byte = first_byte;
      S_SECOND: emit_byte = second_is_number ? number[7:0] : delta[7:0];
      S_LEB: emit_byte = {more, group};
      S_BYTE: emit_byte = lock_now ? {6'd0, lock_data[1:0]} : number[7:0];
      S_PAD: emit_byte = 8'hFF;
      default: emit_byte = use_other ? other_byte : no_status ? 8'd0 : left;
    endcase
  end

  // ---- What comes next ----
  reg [3:0] next;
  reg [2:0] next_field;
  always @* begin
    next = state;
    next_field = field;
    done = 1'b0;
    case (state)
      S_SCAN: if (adding && (index_q == last_byte || (WIDE != 0 && field == F_DELTA))) next = field == F_DELTA ? S_FIRST : S_LEB;
      S_SUM: if (adding && index_q[1:0] == 2'd3) next = S_SCAN;
      S_FIRST:
      if (!fits) next = S_PAD;
      else if (step) begin
        if (one_byte) done = 1'b1;
        else next = short_form || row6 ? S_SECOND : S_LEB;
      end
      S_SECOND:
      if (step) begin
        if (row6) next = S_LEB;
        else done = 1'b1;
      end
      S_LEB:
      if (step && !more)
        case (field)
          F_DELTA:
          if (lock_now || kind == TYPE_TRAP_ENTER) next = S_BYTE;
          else if (is_lost) {next, next_field} = {S_SUM, F_ENTERS};
          else if (kind == TYPE_BEGIN || is_end) next = S_WORD;
          else if (number_follows) {next, next_field} = {S_SCAN, F_NUMBER};
          else done = 1'b1;
          F_NUMBER:
          if (is_enter || is_exit) done = 1'b1;
          else next = S_WORD;
          F_ENTERS: {next, next_field} = {S_SUM, F_EXITS};
          F_EXITS: {next, next_field} = {S_SUM, F_OTHERS};
          F_OTHERS: {next, next_field} = {S_SCAN, F_CYCLES};
          default: done = 1'b1;
        endcase
      S_BYTE:
      if (step) begin
        if (lock_now) next = S_WORD;
        else done = 1'b1;
      end
      S_WORD:
      if (step && index[1:0] == 2'd3) begin
        if (is_end) next = S_END;
        else done = 1'b1;
      end
      S_END: if (step && index == 5'd23) next = S_BYTE;
      S_IDLE:
      if (entry_valid_i) {next, next_field} = {|position ? S_SCAN : S_CLEAR, F_DELTA};
      else if (|position && (flush || idle_flush_i)) next = S_PAD;
      S_CLEAR: if (&position[7:0]) next = S_HEAD;
      S_HEAD: if (step && position[4:0] == AT_END) next = S_SCAN;
      default: if (step && &position) next = S_IDLE;
    endcase
    if (done) next = is_end ? S_PAD : S_IDLE;
  end
  assign entry_pop_o = done && !again && !hart_rst_i;

  // A pass begins: of one more than the entry says, or of a subtraction, the carry is 1.
  wire one_more = (next_field == F_ENTERS && kind == TYPE_LOST_ENTER) || (next_field == F_EXITS && kind == TYPE_LOST_EXIT) ||
      (next_field == F_OTHERS && kind == TYPE_LOST_OTHER);
  wire first_carry = next_field == F_DELTA ? WIDE == 0 && !is_lost : one_more;

  wire commit = state == S_FIRST && step; // the record will be sent
  wire hart_commit = commit && !lock_now;
  wire push = hart_commit && (is_enter || kind == TYPE_TRAP_ENTER);
  wire pop = hart_commit && (use_top || (kind == TYPE_TRAP_LEAVE && top_is_trap));
  wire forget = hart_commit && !pop && (is_exit || kind == TYPE_TRAP_LEAVE || (kind == TYPE_CHANNEL && number == CHANNEL_THREAD));
  wire [STACK_LOG2-1:0] beside = top + {{(STACK_LOG2 - 1) {pop}}, 1'b1};

  always @(posedge clk_i) if (push) stack[beside] <= {kind == TYPE_TRAP_ENTER, number};
  always @(posedge clk_i) stack_top <= stack[top];
  wire learn = commit && is_enter && known;
  always @(posedge clk_i) if (clear || learn) table_[clear?position[7:0] : context_] <= {13{!clear}} & {1'b1, number[11:0]};
  always @(posedge clk_i) if (state == S_SCAN) prediction <= table_[context_];

  always @(posedge clk_i) begin
    if (hart_rst_i || forget) fill <= {(STACK_LOG2 + 1) {1'b0}};
    else if (pop || (push && !fill[STACK_LOG2])) fill <= fill + {{STACK_LOG2{pop}}, 1'b1};
    if (hart_rst_i) top <= {STACK_LOG2{1'b0}};
    else if (pop || push) top <= beside;
    if (hart_rst_i) bank <= 1'b0;
    else if (done && !is_lost) bank <= !bank;
    if (clear) context_ <= NO_CONTEXT;
    else if (commit && !is_lost) context_ <= is_enter ? number[7:0] : is_exit ? ~number[7:0] : NO_CONTEXT;
  end

  assign trace_valid_o = out_valid;
  assign trace_data_o = out_data;
  assign ended_o = ended;
  assign open_o = state == S_IDLE && !entry_valid_i && |position;
  assign idle_o = state == S_IDLE && !entry_valid_i && !(|position) && !out_valid;

  always @(posedge clk_i) begin
    if (rst_i) out_valid <= 1'b0;
    else if (can) out_valid <= emit;
    if (can) out_data <= emit_byte;
  end

  always @(posedge clk_i) begin
    index_q <= index[2:0];
    adding <= scanning && next == state;
    if (state == S_LEB || state == S_HEAD) primed <= !step && !load_byte && next == state;
    else primed <= aux_request_o && aux_grant_i;

    if (next != state) begin
      carry <= first_carry;
      index <= 5'd0;
    end else begin
      if (add || load_byte || (head_sequence && step)) carry <= sum[8];
      else if (state == S_HEAD && !head_sequence) carry <= 1'b1;
      if (scanning || load_byte || (step && (state == S_WORD || state == S_END))) index <= index + 5'd1;
    end
    field <= next_field;
    if (rst_i) index <= 5'd0;
    else if (hart_rst_i) index <= index + 5'd1; // clears the store

    if (rst_i) begin
      state <= S_IDLE;
      position <= 9'd0;
      flush <= 1'b0;
      ended <= 1'b0;
      lock_part <= 1'b0;
    end else begin
      state <= next;
      position <= position_next;
      if (clear) position[8] <= 1'b0;
      if (done) lock_part <= again;
      if (done && is_end) ended <= 1'b1;
      if (flush_i) flush <= 1'b1;
      else if (state == S_IDLE && !entry_valid_i) flush <= 1'b0;
      if (hart_rst_i) begin
        ended <= 1'b0;
        lock_part <= 1'b0;
        flush <= 1'b0;
        if (clear) position <= 9'd0;
        state <= !clear && |position_next ? S_PAD : S_IDLE;
      end
    end
  end
endmodule

`default_nettype wire
