// SPDX-License-Identifier: Apache-2.0
// The read side of the trace: takes entries from the FIFO and makes the frames of docs/reference/trace-format.md, byte
// by byte. It always sends whole frames: if a reset of the hart interrupts a frame, padding fills the rest.
//
// Wide values go byte by byte: a pass moves a field of the entry through an 8-bit adder into `value`, which leaves as
// LEB128. A block RAM of bytes (`image`) keeps the values that last from packet to packet: the frame's header with the
// time of the last packet and the sum of losses. The same passes update it. With WIDE the whole delta is available at
// once: a one-byte packet takes 3 cycles, else 8.
`default_nettype none

module gnomon_trace_encoder #(
  parameter STACK_LOG2 = 8,
  parameter WIDE       = 0,
  parameter LOCKS      = 0,
  parameter NUMBER_BITS = 16,
  parameter WIDTH      = 96 // ENTRY_BITS
) (
  input  wire             clk_i, rst_i,
  input  wire             hart_rst_i,  // at least 32 cycles: clears the image

  input  wire             flush_i,      // pulse: sends everything captured so far
  input  wire             age_flush_i,  // the frame has been open for FLUSH_CYCLES
  input  wire             dropping_i,   // goes into the frame's flags

  input  wire             entry_valid_i,
  input  wire [WIDTH-1:0] entry_i,
  input  wire [NUMBER_BITS-1:0] entry_number_i,
  output wire             entry_pop_o,

  // Counters of record for END; the word is there while aux_valid_i is high.
  output wire [1:0]       aux_counter_o,
  output wire             aux_high_o,
  input  wire             aux_valid_i,
  input  wire [31:0]      aux_data_i,
  input  wire             aux_quiet_i,

  output wire             idle_o,   // no entry waits, no frame is open, no byte waits
  output wire             open_o,   // a frame is open
  output wire             ended_o,  // END has left

  output wire             trace_valid_o,
  output wire [7:0]       trace_data_o,
  input  wire             trace_ready_i
);
`include "gnomon_trace_entry.vh"
  localparam integer FRAME_BITS = $clog2(`GNOMON_FRAME_BYTES); // of an offset in a frame
  localparam [15:0] MAGIC = `GNOMON_FRAME_MAGIC;
  localparam [7:0] FLAG_DROPPING = `GNOMON_FRAME_FLAG_DROPPING;
  // First bytes of packets.
  localparam [7:0] EXIT_TOP = `GNOMON_PACKET_EXIT_TOP, ENTER_PRED = `GNOMON_PACKET_ENTER_PRED,
      EXIT_TOP2 = `GNOMON_PACKET_EXIT_TOP2, ENTER_PRED2 = `GNOMON_PACKET_ENTER_PRED2,
      ENTER_NEAR = `GNOMON_PACKET_ENTER_NEAR, ENTER = `GNOMON_PACKET_ENTER, EXTENDED = `GNOMON_PACKET_EXT,
      PAD = `GNOMON_PACKET_PAD;
  // The logic below needs fewer cells because the format has these relations. With another format, synthesis fails at
  // the name of a module that does not exist.
  generate
    if (ENTER_PRED != (EXIT_TOP | 8'h40) || ENTER_PRED2 != (EXIT_TOP2 | 8'h20) || ENTER != (EXTENDED ^ 8'h30) ||
        PAD != 8'hFF || FLAG_DROPPING != 8'h01) begin : g_unfit
      first_bytes_do_not_fit_the_encoder u_unfit ();
    end
  endgenerate
  // The prediction table.
  localparam [7:0] NO_CONTEXT = `GNOMON_PRED_CONTEXT_NONE;
  localparam integer CONTEXT_BITS = $clog2(`GNOMON_PRED_ENTRIES);
  localparam integer KNOWN_BITS = $clog2(`GNOMON_PRED_MAX_NUMBER + 1); // of a number in the table
  // Places in the image: the frame's header, and after it a second place for the time of the last packet.
  localparam [4:0] HEADER_LAST = `GNOMON_FRAME_HEADER_BYTES - 1, IMAGE_SEQUENCE = `GNOMON_FRAME_AT_SEQUENCE,
      IMAGE_TIME = `GNOMON_FRAME_AT_CYCLE, IMAGE_DEPTH = `GNOMON_FRAME_AT_DEPTH,
      IMAGE_THREAD = `GNOMON_FRAME_AT_THREAD, IMAGE_FLAGS = `GNOMON_FRAME_AT_FLAGS,
      IMAGE_LOST = `GNOMON_FRAME_AT_LOST;
  // Places in the entry for `source`. A byte of the time has the same number as in the image, and the low bits tell the
  // end of a word.
  localparam [4:0] SOURCE_NUMBER = 5'd2, SOURCE_DATA = 5'd4, SOURCE_TIME = IMAGE_TIME, SOURCE_LOCK = 5'd23;

  localparam [3:0] S_IDLE = 4'd0, S_CLEAR = 4'd1, S_HEAD = 4'd2, S_LOAD = 4'd7, S_FIRST = 4'd4, S_SECOND = 4'd5,
      S_LEB = 4'd6,
      S_BYTE = 4'd8, S_WORD = 4'd9, S_END = 4'd10, S_PAD = 4'd11;
  // Fields that a pass loads and S_LEB sends.
  localparam [2:0] F_DELTA = 3'd0, F_NUMBER = 3'd1, F_ENTERS = 3'd2, F_EXITS = 3'd3, F_OTHERS = 3'd4, F_CYCLES = 3'd5;

  (* fsm_encoding = "none" *)
  reg [3:0] state;
  reg [2:0] field;
  reg [2:0] count;  // byte of the pass; 0 outside of a pass
  reg [4:0] source; // byte of the entry, of END's counters, of the sent header, or of the cleared image
  reg [FRAME_BITS-1:0] position; // bytes of the open frame; in S_CLEAR the table entry to clear
  reg [4:0] source_next;
  reg out_valid;
  reg [7:0] out_data;
  reg lock_part; // the hart's part of the entry is sent
  reg flush, ended;

  // The entry.
  wire [3:0] kind = entry_i[TYPE_AT+:4];
  wire [NUMBER_BITS-1:0] number = entry_number_i;
  wire [23:0] number_bytes = {{(24 - NUMBER_BITS) {1'b0}}, number};
  wire [7:0] entry_byte; // byte `source` of the entry; the number appears twice, the second time after END's counters
  wire lock_valid;
  generate
    if (WIDE == 0 && LOCKS == 0) begin : g_entry_bytes // a smaller multiplexer
      wire [31:0] ends = {4'd0, entry_i[TYPE_AT-1-:12], number_bytes[15:0]};
      wire [63:0] middle = {entry_i[47:16], entry_i[79:48]};
      assign entry_byte = source[3] ^ source[2] ? middle[{source[2:0], 3'b000}+:8] :
          ends[{source[3], source[0], 3'b000}+:8];
      wire unused = &{1'b0, entry_i[15:0]}; // the number comes by entry_number_i
    end else begin : g_entry_whole
      wire [255:0] entry_bytes; // padded, so that any byte number is in range
      assign entry_byte = entry_bytes[{source, 3'b000}+:8];
      if (LOCKS != 0) assign entry_bytes = {{(216 - 8 * SOURCE_LOCK) {1'b0}}, entry_i[TYPE_AT+7+:32], 6'd0,
          entry_i[TYPE_AT+5+:2],
                                            {(8 * SOURCE_LOCK - 16 - TYPE_AT) {1'b0}}, entry_i[TYPE_AT-1:0],
                                                number_bytes[15:0]};
      else assign entry_bytes = {{(240 - TYPE_AT) {1'b0}}, entry_i[TYPE_AT-1:0], number_bytes[15:0]};
    end
    if (LOCKS != 0) assign lock_valid = entry_i[TYPE_AT+4];
    else assign lock_valid = 1'b0;
  endgenerate
  wire is_lost = kind == TYPE_LOST;
  wire lock_now = LOCKS != 0 && (lock_part || kind == TYPE_NONE);
  wire is_enter = kind == TYPE_ENTER && !lock_now;
  wire is_exit = kind == TYPE_EXIT && !lock_now;
  wire is_end = kind == TYPE_END;

  // The image. It has two places for the time (not with WIDE): a pass writes the entry's time while it subtracts the
  // last packet's; sending swaps the places.
  (* no_rw_check, ram_style = "block" *)
  reg [7:0] image[0:63];
  reg [7:0] old;
  reg swap;

  // A pass: value := byte - old, and the image gets the byte; or value := byte. The one adder subtracts as ~(~byte +
  // old), or adds a byte of a LOST counter to the image's sum.
  wire loading = state == S_LOAD;
  wire pass_delta = field == F_DELTA;
  wire subtract = pass_delta && !is_lost;
  reg in_field; // count is within the field
  always @* begin
    case (field)
      F_DELTA: in_field = !is_lost;
      F_NUMBER: in_field = count < 3'd2;
      F_ENTERS, F_EXITS: in_field = count < CALL_BYTES[2:0];
      F_OTHERS: in_field = count < OTHER_BYTES[2:0];
      default: in_field = count < CYCLES_BYTES[2:0];
    endcase
  end
  wire no_byte = state == S_HEAD || (loading && !in_field) || (WIDE == 0 && kind == TYPE_BEGIN);
  // third byte of a number, which lies elsewhere in the entry
  wire third = loading && field == F_NUMBER && count == 3'd2;
  wire [7:0] left = (entry_byte & {8{!no_byte}}) | (number_bytes[23:16] & {8{third}});
  reg carry;
  wire [8:0] sum = {1'b0, left ^ {8{loading && subtract}}} + {1'b0, old} + {8'd0, carry};
  wire at_once = WIDE != 0 && pass_delta;
  wire last_byte = at_once || {1'b0, count} == TIME_BYTES[3:0] - 4'd1;
  wire [2:0] count_next = !loading || last_byte ? 3'd0 : count + 3'd1;

  // With WIDE: the time of the last packet, and the delta.
  wire [8*TIME_BYTES-1:0] delta;
  wire [7:0] last_time_byte;
  wire moves; // this packet sets the stream's time
  generate
    if (WIDE != 0) begin : g_at_once
      reg [63:0] last;
      wire [63:0] now = entry_i[8*TIME_AT+:64];
      always @(posedge clk_i) begin
        if (hart_rst_i) last <= 64'd0;
        else if (moves) last <= now;
      end
      assign delta = is_lost ? 64'd0 : now - last;
      assign last_time_byte = last[{position[2:0], 3'b000}+:8];
    end else begin : g_bytewise
      assign delta = {8 * TIME_BYTES{1'b0}};
      assign last_time_byte = 8'd0;
    end
  endgenerate

  reg [8*TIME_BYTES-1:0] value; // value sent as LEB128; at first the delta
  wire delta13 = !(|value[8*TIME_BYTES-1:13]);
  wire more = !delta13 || |value[12:7];
  wire delta6 = !more && !value[6];
  wire delta4 = delta6 && !(|value[5:4]);

  // The stack of open functions and traps, a ring in block RAM. The top bit marks a trap. 16 bits are one block RAM of
  // the iCE40: if the stack is narrow, a function with number 32768 or more clears it.
  localparam STACK_NUMBER = WIDE != 0 ? NUMBER_BITS : 15;
  (* no_rw_check, ram_style = "block" *)
  reg [STACK_NUMBER:0] stack[0:(1<<STACK_LOG2)-1];
  reg [STACK_NUMBER:0] stack_top;
  wire stackable = !(|(number >> STACK_NUMBER));
  reg [STACK_LOG2-1:0] top;
  reg [STACK_LOG2:0] fill;
  wire top_is_number = |fill && stack_top == {1'b0, number[STACK_NUMBER-1:0]} && stackable;
  wire top_is_trap = |fill && stack_top[STACK_NUMBER];

  // The prediction table: {valid, number}, by the context.
  (* no_rw_check, ram_style = "block" *)
  reg [KNOWN_BITS:0] table_[0:`GNOMON_PRED_ENTRIES-1];
  reg [KNOWN_BITS:0] prediction;
  reg [CONTEXT_BITS-1:0] context_;
  wire near = !(|number[NUMBER_BITS-1:8]);
  wire known = !(|number[NUMBER_BITS-1:KNOWN_BITS]);
  wire predicted = known && prediction == {1'b1, number[KNOWN_BITS-1:0]};

  // The first byte, and the form of the packet.
  wire short_exit = is_exit && top_is_number && delta13;
  wire short_enter = is_enter && ((predicted && delta13) || (near && delta4));
  wire short_form = short_exit || short_enter;
  wire one_byte = delta6 && ((is_exit && top_is_number) || (is_enter && predicted));
  wire use_prediction = predicted && delta13;
  wire use_near = near && delta4 && !use_prediction;
  wire row6 = is_enter && known && !short_form;
  wire far = is_exit && top_is_number;
  wire [3:0] extension = lock_now ? TYPE_LOCK : far ? TYPE_EXIT_FAR : is_lost ? TYPE_LOST : kind;
  wire two_bytes = short_exit || (is_enter && use_prediction);
  wire low_value = one_byte || (is_enter && use_near);
  wire [3:0] first_low = low_value ? value[3:0] : two_bytes ? value[11:8] : row6 ? number[11:8] : extension;
  wire [3:0] first_high = one_byte ? {EXIT_TOP[7], is_enter, value[5:4]} :
      two_bytes ? {EXIT_TOP2[7:6], is_enter, value[12]} : low_value ? ENTER_NEAR[7:4] :
      EXTENDED[7:4] ^ {2'b00, row6, row6};
  wire [7:0] first_byte = {first_high, first_low};
  wire second_is_number = is_enter && !use_prediction;
  // Room in the frame: up to 2, up to 32, up to 40 bytes (END must not fill the frame).
  wire fits = short_form ? !(&position) : is_end ? !(&position[FRAME_BITS-1:6]) : !(&position[FRAME_BITS-1:5]);

  wire [8:0] depth = {{(8 - STACK_LOG2) {1'b0}}, fill};
  wire [7:0] aux_byte = aux_data_i[{source[1:0], 3'b000}+:8];
  assign aux_counter_o = {!source[4], source[4] && source[3]};
  assign aux_high_o = source[2];

  wire can = !out_valid || trace_ready_i;
  wire emit = state == S_HEAD || (state == S_FIRST && fits && (!is_end || aux_quiet_i)) || state == S_SECOND ||
      state == S_LEB || state == S_BYTE || state == S_WORD ||
      (state == S_END && aux_valid_i) || state == S_PAD;
  wire step = emit && can;
  wire [FRAME_BITS-1:0] position_up = position + {{(FRAME_BITS - 1) {1'b0}}, step || state == S_CLEAR};
  wire [FRAME_BITS-1:0] position_next = {position_up[FRAME_BITS-1] && state != S_CLEAR, position_up[FRAME_BITS-2:0]};
  // The byte to send: an OR of all sources, each with its condition; padding is all ones.
  wire in_head = state == S_HEAD;
  wire from_depth = in_head && position[4:0] == IMAGE_DEPTH; // the image has 0 for this byte and the next two
  wire head_bit = in_head && position[4:0] == IMAGE_DEPTH + 5'd1 && depth[8];
  wire from_flags = in_head && position[4:0] == IMAGE_FLAGS;
  wire from_value = state == S_LEB || (state == S_SECOND && !second_is_number);
  wire from_entry = state == S_BYTE || state == S_WORD || (state == S_SECOND && second_is_number);
  wire [7:0] value_byte = {state == S_SECOND ? value[7] : more, value[6:0]};
  wire [7:0] head_byte = WIDE != 0 && position[4:3] == IMAGE_TIME[4:3] ? last_time_byte : old;
  wire [7:0] emit_byte = (head_byte & {8{in_head}}) | (depth[7:0] & {8{from_depth}}) | {7'd0, head_bit} |
      (left & {8{from_entry}}) |
      (value_byte & {8{from_value}}) | (first_byte & {8{state == S_FIRST}});

  // The states after a step. number_follows is decided with the first byte, because delta and stack change with it.
  reg number_follows;
  always @(posedge clk_i)
    if (state == S_FIRST) number_follows <= kind == TYPE_CHANNEL || kind == TYPE_MODULE ||
        ((is_enter || is_exit) && !row6 && !far);
  reg [3:0] next;
  reg [2:0] next_field;
  reg done; // the packet is complete
  always @* begin
    next = state;
    next_field = field;
    done = 1'b0;
    case (state)
      S_FIRST:
      if (one_byte) done = 1'b1;
      else next = short_form || row6 ? S_SECOND : S_LEB;
      S_SECOND:
      if (row6) next = S_LEB;
      else done = 1'b1;
      S_LEB:
      if (!more)
        case (field)
          F_DELTA:
          if (lock_now || kind == TYPE_TRAP_ENTER) next = S_BYTE;
          else if (kind == TYPE_BEGIN || is_end) next = S_WORD;
          else if (is_lost || number_follows) begin
            next = S_LOAD;
            next_field = is_lost ? F_ENTERS : F_NUMBER;
          end else done = 1'b1;
          F_NUMBER:
          if (is_enter || is_exit) done = 1'b1;
          else next = S_WORD;
          F_CYCLES: done = 1'b1;
          default: begin
            next = S_LOAD;
            next_field = field + 3'd1;
          end
        endcase
      S_BYTE:
      if (lock_now) next = S_WORD;
      else done = 1'b1;
      S_WORD:
      if (&source[1:0]) begin
        if (is_end) next = S_END;
        else done = 1'b1;
      end
      S_END: if (&source) next = S_BYTE;
      default: ;
    endcase
  end
  wire record_done = step && done;
  wire again = LOCKS != 0 && lock_valid && !lock_now && !is_lost; // the entry's lock access is not yet sent
  assign entry_pop_o = record_done && !again;

  wire commit = state == S_FIRST && step; // the packet will be sent
  wire hart_commit = commit && !lock_now;
  wire push = hart_commit && (is_enter || kind == TYPE_TRAP_ENTER);
  wire pop = hart_commit && ((is_exit && top_is_number) || (kind == TYPE_TRAP_LEAVE && top_is_trap));
  wire switch_thread = hart_commit && kind == TYPE_CHANNEL && number == CHANNEL_THREAD;
  wire forget = switch_thread || (push && !stackable) || (hart_commit && !pop && (is_exit || kind == TYPE_TRAP_LEAVE));
  wire [STACK_LOG2-1:0] top_next = top + {{(STACK_LOG2 - 1) {!push}}, 1'b1};

  always @(posedge clk_i) if (push) stack[top_next] <= {kind == TYPE_TRAP_ENTER, number[STACK_NUMBER-1:0]};
  always @(posedge clk_i) stack_top <= stack[top];
  wire learn = commit && is_enter && known;
  always @(posedge clk_i)
    if (state == S_CLEAR || learn)
      table_[state==S_CLEAR?position[CONTEXT_BITS-1:0] : context_] <= {state != S_CLEAR, number[KNOWN_BITS-1:0]};
  always @(posedge clk_i) if (loading) prediction <= table_[context_];

  assign moves = commit && !is_lost;
  wire number_context = state != S_CLEAR && (is_enter || is_exit);
  always @(posedge clk_i) begin
    if (hart_rst_i || forget) fill <= {(STACK_LOG2 + 1) {1'b0}};
    else if (pop || (push && !fill[STACK_LOG2])) fill <= fill + {{STACK_LOG2{!push}}, 1'b1};
    if (hart_rst_i) top <= {STACK_LOG2{1'b0}};
    else if (push || pop) top <= top_next;
    if (hart_rst_i) swap <= 1'b0;
    else if (moves) swap <= !swap;
    if (state == S_CLEAR || moves) context_ <= number_context ? number[7:0] ^ {8{!is_enter}} : NO_CONTEXT;
  end

  // The image's ports. The top address bit selects the second place of the time. A LOST entry does not use the time.
  wire read_lost = is_lost && state[2];
  wire [5:0] read_address = read_lost ? {1'b0, IMAGE_LOST[4:2], count_next[1:0]} :
      {swap && source_next[4:3] == IMAGE_TIME[4:3], source_next};
  wire count_sequence = state == S_HEAD && step && position[4:2] == IMAGE_SEQUENCE[4:2];
  wire count_lost = loading && is_lost && !pass_delta && field != F_CYCLES && !count[2];
  wire new_thread = state == S_WORD && !lock_now && kind == TYPE_CHANNEL && number == CHANNEL_THREAD && !source[1];
  wire write_time = loading && pass_delta && WIDE == 0;
  wire [5:0] write_address = count_lost ? {1'b0, IMAGE_LOST[4:2], count[1:0]} :
      {write_time && !swap, source[4:0] | (state == S_WORD ? IMAGE_THREAD : 5'd0)};
  // Bytes that the reset does not clear are never written: magic, version, first, depth.
  wire clear = hart_rst_i && |source[3:2];
  integer i;
  initial begin
    for (i = 0; i < 64; i = i + 1) image[i] = 8'd0;
    {image[`GNOMON_FRAME_AT_MAGIC+1], image[`GNOMON_FRAME_AT_MAGIC]} = MAGIC;
    image[`GNOMON_FRAME_AT_VERSION] = `GNOMON_TRACE_VERSION;
    image[`GNOMON_FRAME_AT_FIRST] = `GNOMON_FRAME_HEADER_BYTES;
  end
  always @(posedge clk_i)
    if (clear || count_sequence || count_lost || new_thread || write_time)
      image[write_address] <= hart_rst_i ? 8'd0 : state == S_WORD || (pass_delta && state != S_HEAD) ? left : sum[7:0];
  always @(posedge clk_i) old <= image[read_address];

  always @(posedge clk_i) begin
    count <= rst_i ? 3'd0 : count_next;
    // The sequence number counts up when it is sent.
    if (loading || count_sequence) carry <= sum[8];
    else carry <= state == S_CLEAR || (state == S_HEAD && carry);
    if (loading) value <= at_once ? delta : {subtract ? ~sum[7:0] : left, value[8*TIME_BYTES-1:8]};
    else if (step && state == S_LEB) value <= value >> 7;

    source <= source_next;
  end
  always @* begin
    if (rst_i || state == S_CLEAR) source_next = 5'd0;
    else if (hart_rst_i || (loading && in_field) || (step &&
        (in_head || state == S_BYTE || state == S_WORD || state == S_END)))
      source_next = source + 5'd1;
    else if (state == S_IDLE) source_next = SOURCE_TIME;
    else if (state == S_FIRST) source_next = lock_now ? SOURCE_LOCK : kind == TYPE_BEGIN || is_end ? SOURCE_DATA :
        SOURCE_NUMBER;
    else source_next = source;
  end

  assign trace_valid_o = out_valid;
  assign trace_data_o = out_data;
  assign ended_o = ended;
  assign open_o = |position && state != S_CLEAR;
  assign idle_o = state == S_IDLE && !entry_valid_i && !(|position) && !out_valid;

  always @(posedge clk_i) begin
    if (rst_i) out_valid <= 1'b0;
    else if (can) out_valid <= emit;
    if (can) out_data <= emit_byte | {8{state == S_PAD}} | (aux_byte & {8{state == S_END}}) |
        {7'd0, from_flags && dropping_i};
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      state <= S_IDLE;
      position <= {FRAME_BITS{1'b0}};
      flush <= 1'b0;
      ended <= 1'b0;
      lock_part <= 1'b0;
    end else begin
      if (flush_i) flush <= 1'b1;
      else if (state == S_IDLE && !entry_valid_i) flush <= 1'b0;
      position <= position_next;
      field <= state == S_IDLE ? F_DELTA : step ? next_field : field;
      if (record_done) lock_part <= again;

      case (state)
        S_IDLE:
        if (entry_valid_i) state <= |position ? S_LOAD : S_CLEAR;
        else if (|position && (flush || age_flush_i)) state <= S_PAD;
        S_CLEAR: if (&position[CONTEXT_BITS-1:0]) state <= S_HEAD;
        S_HEAD: if (step && position[4:0] == HEADER_LAST) state <= S_IDLE;
        S_LOAD: if (last_byte) state <= pass_delta ? S_FIRST : S_LEB;
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
        ended <= 1'b0;
        lock_part <= 1'b0;
        flush <= 1'b0;
        if (state == S_CLEAR) begin
          state <= S_IDLE;
          position <= {FRAME_BITS{1'b0}};
        end else if (state != S_PAD) state <= |position_next ? S_PAD : S_IDLE;
      end
    end
  end
endmodule

`default_nettype wire
