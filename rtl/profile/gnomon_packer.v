// SPDX-License-Identifier: Apache-2.0
// The read side of the trace: takes entries from the FIFO and makes the frames of docs/trace-format.md, byte by byte.
// What goes out is always a whole number of frames: a reset of the hart in mid-frame fills that frame up.
`default_nettype none

module gnomon_packer #(
    parameter STACK_LOG2 = 8,
    parameter TIME_BITS  = 44,
    parameter CALL_BITS  = 24,
    parameter OTHER_BITS = 16,
    parameter LOST_BITS  = 28,
    parameter LOCKS      = 0,
    parameter PAYLOAD    = 92,
    parameter WIDTH      = 96 // as in gnomon_capture
) (
    input wire clk_i,
    input wire rst_i,
    input wire hart_rst_i,

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
  localparam [3:0] ENTER = 4'd0, EXIT = 4'd1, EXIT_FAR = 4'd2, TRAP_ENTER = 4'd4, TRAP_LEAVE = 4'd5, CHANNEL = 4'd6, LOCK = 4'd7,
      MODULE = 4'd8, NONE = 4'd9, LOST = 4'd10, BEGIN = 4'd11, END = 4'd12, LOST_ENTER = 4'd13, LOST_EXIT = 4'd14, LOST_OTHER = 4'd15;
  localparam [15:0] CHANNEL_THREAD = 16'd1;
  localparam [7:0] NO_CONTEXT = 8'h55;
  localparam [4:0] HEADER_LAST = 5'd27;
  // Last positions at which records of a kind fit: up to 2, up to 23, up to 40 bytes (and END does not fill the frame).
  localparam [8:0] LAST_SHORT = 9'd510, LAST_LONG = 9'd489, LAST_END = 9'd471;

  localparam [3:0] S_IDLE = 4'd0, S_CLEAR = 4'd1, S_HEAD = 4'd2, S_LOOK = 4'd3, S_FIRST = 4'd4, S_SECOND = 4'd5, S_DELTA = 4'd6,
      S_NUMBER = 4'd7, S_BYTE = 4'd8, S_ENTERS = 4'd9, S_EXITS = 4'd10, S_OTHERS = 4'd11, S_CYCLES = 4'd12, S_WORD = 4'd13,
      S_END = 4'd14, S_PAD = 4'd15;

  reg [3:0] state;
  reg [8:0] position; // bytes of the open frame; in S_CLEAR the entry to be cleared
  reg out_valid;
  reg [7:0] out_data;
  reg lock_part; // the hart's part of the entry is done
  reg [4:0] index; // byte in a word, byte of END's counters
  reg fetched; // END: the counter's word is there
  reg flush, ended;

  // The entry.
  wire [3:0] kind = entry_i[PAYLOAD+:4];
  wire [31:0] data = entry_i[16+TIME_BITS+:32];
  wire [15:0] number = entry_i[TIME_BITS+:16];
  wire [TIME_BITS-1:0] now = entry_i[TIME_BITS-1:0];
  wire [LOST_BITS-1:0] lost_cycles = entry_i[LOST_BITS-1:0];
  wire [OTHER_BITS-1:0] lost_others = entry_i[LOST_BITS+:OTHER_BITS];
  wire [CALL_BITS-1:0] lost_exits = entry_i[LOST_BITS+OTHER_BITS+:CALL_BITS];
  wire [CALL_BITS-1:0] lost_enters = entry_i[LOST_BITS+OTHER_BITS+CALL_BITS+:CALL_BITS];
  wire lock_valid;
  wire [33:0] lock_data;
  generate
    if (LOCKS != 0) begin : g_lock
      assign {lock_data, lock_valid} = entry_i[4+PAYLOAD+:35];
    end else begin : g_no_lock
      assign {lock_data, lock_valid} = 35'd0;
    end
  endgenerate
  wire is_lost = kind == LOST || kind == LOST_ENTER || kind == LOST_EXIT || kind == LOST_OTHER;
  wire lock_now = lock_part || kind == NONE;
  wire is_enter = kind == ENTER && !lock_now;
  wire is_exit = kind == EXIT && !lock_now;
  wire is_end = kind == END;

  // Time: the stream's own is that of the last record.
  reg [TIME_BITS-1:0] last;
  reg [TIME_BITS-1:0] value; // what is sent as LEB128; the delta at first
  wire delta4 = !(|value[TIME_BITS-1:4]);
  wire delta6 = !(|value[TIME_BITS-1:6]);
  wire delta13 = !(|value[TIME_BITS-1:13]);
  wire more = |value[TIME_BITS-1:7];

  // The stack of open functions and traps, a ring in block RAM. Bit 16 marks a trap.
  (* no_rw_check, ram_style = "block" *)
  reg [16:0] stack[0:(1<<STACK_LOG2)-1];
  reg [16:0] stack_top;
  reg [STACK_LOG2-1:0] top;
  reg [STACK_LOG2:0] fill;
  wire top_is_number = |fill && stack_top == {1'b0, number};
  wire top_is_trap = |fill && stack_top[16];

  // The prediction table: {valid, number}, by the context.
  (* no_rw_check, ram_style = "block" *)
  reg [12:0] table_[0:255];
  reg [12:0] prediction;
  reg [7:0] context_;
  wire near = !(|number[15:8]);
  wire known = !(|number[15:12]);
  wire predicted = known && prediction == {1'b1, number[11:0]};

  // The first byte, and what follows.
  wire short_exit = is_exit && top_is_number && delta13;
  wire short_enter = is_enter && ((predicted && delta13) || (near && delta4));
  wire short_form = short_exit || short_enter;
  wire one_byte = delta6 && ((is_exit && top_is_number) || (is_enter && predicted));
  wire use_prediction = predicted && delta13;
  wire use_near = near && delta4 && !use_prediction;
  wire row6 = is_enter && known && !short_form;
  wire [3:0] extension = lock_now ? LOCK : is_lost ? LOST : is_exit && top_is_number ? EXIT_FAR : kind;
  wire [7:0] first_byte =
      one_byte ? {1'b0, is_enter, value[5:0]} :
      short_exit || (is_enter && use_prediction) ? {2'b10, is_enter, value[12:8]} :
      is_enter && use_near ? {4'b1100, value[3:0]} :
      row6 ? {4'b1101, number[11:8]} : {4'b1110, extension};
  wire second_is_number = is_enter && !use_prediction;
  wire [7:0] second_byte = second_is_number ? number[7:0] : value[7:0];
  wire fits = short_form ? position <= LAST_SHORT : is_end ? position <= LAST_END : position <= LAST_LONG;

  // The frame's header.
  reg [31:0] sequence_, lost_sum;
  reg [15:0] thread;
  wire [63:0] last_wide = {{(64 - TIME_BITS) {1'b0}}, last};
  wire [15:0] depth = {{(15 - STACK_LOG2) {1'b0}}, fill};
  wire [255:0] header = {32'd0, lost_sum, 15'd0, dropping_i, thread, depth, 16'd28, last_wide, sequence_, 32'h00014E47};
  wire [7:0] header_byte = header[{position[4:0], 3'b000}+:8];

  // Bytes of words.
  wire [31:0] plain_word = lock_now ? lock_data[33:2] : is_end && |number[1:0] ? 32'd0 : data;
  wire [31:0] word = state == S_END ? aux_data_i : plain_word;
  wire [7:0] word_byte = word[{index[1:0], 3'b000}+:8];
  wire [7:0] single_byte = lock_now ? {6'd0, lock_data[1:0]} : number[7:0];
  assign aux_counter_o = {index[4:3] == 2'd0, index[4:3] == 2'd2};
  assign aux_high_o = index[2];
  assign aux_request_o = state == S_END && !fetched;

  wire can = !out_valid || trace_ready_i;
  wire in_leb = state == S_DELTA || state == S_NUMBER || state == S_ENTERS || state == S_EXITS || state == S_OTHERS || state == S_CYCLES;
  wire emit = state == S_HEAD || (state == S_FIRST && fits) || state == S_SECOND || in_leb || state == S_BYTE || state == S_WORD ||
      (state == S_END && fetched) || state == S_PAD;
  wire step = emit && can;
  wire [8:0] position_next = position + {8'd0, step};
  reg [7:0] emit_byte;
  always @* begin
    case (state)
      S_HEAD: emit_byte = header_byte;
      S_FIRST: emit_byte = first_byte;
      S_SECOND: emit_byte = second_byte;
      S_BYTE: emit_byte = single_byte;
      S_WORD, S_END: emit_byte = word_byte;
      S_PAD: emit_byte = 8'hFF;
      default: emit_byte = {more, value[6:0]};
    endcase
  end

  // The states after a step.
  // Decided with the first byte: neither delta nor stack are the same afterwards.
  reg number_follows;
  always @(posedge clk_i)
    if (state == S_FIRST) number_follows <= kind == CHANNEL || kind == MODULE || ((is_enter || is_exit) && !row6 && extension != EXIT_FAR);
  reg [3:0] next;
  reg done; // the record is complete
  always @* begin
    next = state;
    done = 1'b0;
    case (state)
      S_FIRST:
      if (one_byte) done = 1'b1;
      else next = short_form || row6 ? S_SECOND : S_DELTA;
      S_SECOND:
      if (row6) next = S_DELTA;
      else done = 1'b1;
      S_DELTA:
      if (!more) begin
        if (lock_now || kind == TRAP_ENTER) next = S_BYTE;
        else if (is_lost) next = S_ENTERS;
        else if (kind == BEGIN || is_end) next = S_WORD;
        else if (number_follows) next = S_NUMBER;
        else done = 1'b1;
      end
      S_NUMBER:
      if (!more) begin
        if (is_enter || is_exit) done = 1'b1;
        else next = S_WORD;
      end
      S_ENTERS: if (!more) next = S_EXITS;
      S_EXITS: if (!more) next = S_OTHERS;
      S_OTHERS: if (!more) next = S_CYCLES;
      S_CYCLES: if (!more) done = 1'b1;
      S_BYTE:
      if (lock_now) next = S_WORD;
      else done = 1'b1;
      S_WORD:
      if (index[1:0] == 2'd3) begin
        if (is_end) next = S_END;
        else done = 1'b1;
      end
      S_END: if (index == 5'd23) next = S_BYTE;
      default: ;
    endcase
  end
  wire record_done = step && done;
  wire again = LOCKS != 0 && lock_valid && !lock_now && !is_lost; // the entry's lock access is still to come
  assign entry_pop_o = record_done && !again;

  wire commit = state == S_FIRST && step; // the record will be sent
  wire hart_commit = commit && !lock_now;
  wire push = hart_commit && (is_enter || kind == TRAP_ENTER);
  wire pop = hart_commit && ((is_exit && top_is_number) || (kind == TRAP_LEAVE && top_is_trap));
  wire switch_thread = hart_commit && kind == CHANNEL && number == CHANNEL_THREAD;
  wire forget = switch_thread || (hart_commit && !pop && (is_exit || kind == TRAP_LEAVE));
  wire [STACK_LOG2-1:0] above = top + 1'b1;

  always @(posedge clk_i) if (push) stack[above] <= {kind == TRAP_ENTER, number};
  always @(posedge clk_i) stack_top <= stack[top];
  wire learn = commit && is_enter && known;
  always @(posedge clk_i)
    if (state == S_CLEAR || learn)
      table_[state==S_CLEAR?position[7:0] : context_] <= state == S_CLEAR ? 13'd0 : {1'b1, number[11:0]};
  always @(posedge clk_i) if (state == S_LOOK) prediction <= table_[context_];

  always @(posedge clk_i) begin
    if (hart_rst_i) begin
      fill <= {(STACK_LOG2 + 1) {1'b0}};
      thread <= 16'd0;
      last <= {TIME_BITS{1'b0}};
    end else begin
      if (forget) fill <= {(STACK_LOG2 + 1) {1'b0}};
      else if (push && !fill[STACK_LOG2]) fill <= fill + 1'b1;
      else if (pop) fill <= fill - 1'b1;
      if (switch_thread) thread <= data[15:0];
      if (commit && !is_lost) last <= now;
    end
    if (hart_rst_i) top <= {STACK_LOG2{1'b0}};
    else if (push) top <= above;
    else if (pop) top <= top - 1'b1;
    if (state == S_CLEAR) context_ <= NO_CONTEXT;
    else if (commit && !is_lost) context_ <= is_enter ? number[7:0] : is_exit ? ~number[7:0] : NO_CONTEXT;
  end

  wire [CALL_BITS-1:0] lost_enters_all = lost_enters + {{(CALL_BITS - 1) {1'b0}}, kind == LOST_ENTER};
  wire [CALL_BITS-1:0] lost_exits_all = lost_exits + {{(CALL_BITS - 1) {1'b0}}, kind == LOST_EXIT};
  wire [OTHER_BITS-1:0] lost_others_all =
      lost_others + {{(OTHER_BITS - 1) {1'b0}}, kind == LOST_OTHER} + {{(OTHER_BITS - 1) {1'b0}}, lock_valid};
  reg [TIME_BITS-1:0] load;
  always @* begin
    case (next)
      S_NUMBER: load = {{(TIME_BITS - 16) {1'b0}}, number};
      S_ENTERS: load = {{(TIME_BITS - CALL_BITS) {1'b0}}, lost_enters_all};
      S_EXITS: load = {{(TIME_BITS - CALL_BITS) {1'b0}}, lost_exits_all};
      S_OTHERS: load = {{(TIME_BITS - OTHER_BITS) {1'b0}}, lost_others_all};
      default: load = {{(TIME_BITS - LOST_BITS) {1'b0}}, lost_cycles};
    endcase
  end
  wire count_load = step && next != state && (next == S_ENTERS || next == S_EXITS || next == S_OTHERS);
  always @(posedge clk_i) begin
    if (state == S_LOOK) value <= is_lost ? {TIME_BITS{1'b0}} : now - last;
    else if (step && in_leb) value <= more ? value >> 7 : load;
    if (hart_rst_i) lost_sum <= 32'd0;
    else if (count_load) lost_sum <= lost_sum + load[31:0];
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
    if (rst_i) begin
      state <= S_IDLE;
      position <= 9'd0;
      sequence_ <= 32'd0;
      flush <= 1'b0;
      ended <= 1'b0;
      lock_part <= 1'b0;
    end else begin
      if (flush_i) flush <= 1'b1;
      else if (state == S_IDLE && !entry_valid_i) flush <= 1'b0;
      position <= position_next;
      if (state == S_FIRST) index <= 5'd0;
      else if (step && (state == S_WORD || state == S_END)) index <= next == S_END && state == S_WORD ? 5'd0 : index + 5'd1;
      fetched <= state == S_END && !fetched && aux_grant_i;
      if (record_done) lock_part <= again;

      case (state)
        S_IDLE:
        if (entry_valid_i) state <= |position ? S_LOOK : S_CLEAR;
        else if (|position && (flush || idle_flush_i)) state <= S_PAD;
        S_CLEAR: begin
          position <= {1'b0, position[7:0] + 8'd1};
          if (&position[7:0]) state <= S_HEAD;
        end
        S_HEAD:
        if (step && position[4:0] == HEADER_LAST) begin
          state <= S_LOOK;
          sequence_ <= sequence_ + 32'd1;
        end
        S_LOOK: if (!is_end || aux_quiet_i) state <= S_FIRST;
        S_FIRST:
        if (!fits) state <= S_PAD;
        else if (step) state <= done ? S_IDLE : next;
        S_PAD: if (step && &position) state <= S_IDLE;
        default:
        if (record_done) begin
          state <= is_end ? S_PAD : S_IDLE;
          ended <= ended || is_end;
        end else if (step) state <= next;
      endcase

      if (hart_rst_i) begin
        sequence_ <= 32'd0;
        ended <= 1'b0;
        lock_part <= 1'b0;
        flush <= 1'b0;
        if (state == S_CLEAR) begin
          state <= S_IDLE;
          position <= 9'd0;
        end else if (state != S_PAD) state <= |position_next ? S_PAD : S_IDLE;
      end
    end
  end
endmodule

`default_nettype wire
