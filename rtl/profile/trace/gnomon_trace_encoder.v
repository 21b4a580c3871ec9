// SPDX-License-Identifier: Apache-2.0
// The read side of the trace: takes entries from the FIFO and makes the frames of docs/reference/trace-format.md, byte
// by byte. It always sends whole frames: if a reset of the hart interrupts a frame, padding fills the rest.
//
// The encoder is a small machine with a program (gnomon_trace_encoder.prog) in a block RAM. Each word has what to do in
// its cycle, the address of the next word, and a condition that is the lowest bit of this address. The forms of an
// event's packet and the types of entries select among several words. A byte that USB does not take yet stops the
// machine.
//
// There is one 8-bit adder. The delta goes through it byte by byte: the entry's time less the last packet's. The
// machine notes which bytes are not 0 (`upper`), and keeps the two lowest in `low` and `high`, from which short packets
// are made. A value that leaves as LEB128 goes through the adder a second time: `low` and `high` shift right together,
// one bit a cycle, and `high` takes the next byte when it is empty. USB takes a byte in 10 cycles of 12 MHz, so seven
// shifts for a byte take no time from the trace.
//
// A block RAM of bytes (`image`) keeps what lasts from packet to packet: the frame's header with the time of the last
// packet and the sum of losses. It has the time inverted, so that the adder subtracts it, and the bytes before the time
// less one, because the carry that counts the frames is added to them.
`default_nettype none

module gnomon_trace_encoder #(
  parameter STACK_LOG2 = 8,
  parameter WIDE       = 0,
  parameter LOCKS      = 0, // 1: an entry may have a bus access beside the hart's event
  parameter LOCK_DATA  = 0, // 1: the data of writes go along, and LOST and END have counts; only with LOCKS and WIDE
  // 1: the bus access may be no lock access; only with LOCKS, and with WIDE only with LOCK_DATA
  parameter TRAFFIC    = 0,
  parameter LOCK_WORDS = 0, // 1: accesses of lock words are events of the hart
  parameter LOCK_EVENTS = 0, // 1: lock accesses are events of the hart, as gnomon_event_decoder makes them
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
`include "gnomon_registers.vh"
  localparam [31:0] SEGMENTS = `GNOMON_PROFILE_LOCK_BASE0_RESET; // the lock segments
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
        PAD != 8'hFF || FLAG_DROPPING != 8'h01 || FIRST_TIME != IMAGE_TIME ||
        (LOCK_DATA != 0 && (WIDE == 0 || LOCKS == 0)) ||
        (TRAFFIC != 0 && (LOCKS == 0 || (WIDE != 0 && LOCK_DATA == 0)))) begin : g_unfit
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

  // The machine: an operation has a group, and flags or a code. tools/assemble_encoder.py defines them.
`include "gnomon_encoder_codes.vh"
  wire [8:0] word;
  wire [2:0] condition = word[8:6];
  wire [5:0] op = word[5:0];
  wire does_aim = op[5:4] == AIM[5:4];
  wire does_pass = op[5:4] == PASS[5:4];
  wire does_emit = op[5:4] == EMIT[5:4];
  wire does_other = op[5:4] == OTHER[5:4];
  wire does_byte = does_emit && op[2:0] == DO_BYTE[2:0]; // or a byte 0
  wire does_head = does_emit && op[2:0] == DO_HEAD[2:0];
  wire does_first = does_emit && op[2:0] == DO_FIRST[2:0];
  wire does_aux = does_emit && op[2:0] == DO_AUX[2:0];
  wire idling = does_other && op[2:1] == DO_IDLE[2:1]; // idle or poll
  wire does_clear = does_other && op[2:0] == DO_CLEAR[2:0];
  wire does_shift = does_other && op[2:0] == DO_SHIFT[2:0];
  wire does_done = does_other && op[2:0] == DO_DONE[2:0];
  wire entry_on = op[3]; // the adder gets a byte of the entry, else 0
  wire takes = does_pass && op[2]; // `high` takes the sum
  wire adds = does_pass && op[1:0] == SUM[1:0]; // to the image's sum of losses
  wire does_time = does_pass && op[1:0] == TIME[1:0];

  reg [4:0] source; // byte of the entry, of END's counters, of the sent header, or of the cleared image
  reg [FRAME_BITS-1:0] position; // bytes of the open frame; while a part of the table is cleared its entry
  wire [4:0] source_next;
  reg out_valid;
  reg [7:0] out_data;
  reg lock_part; // the hart's part of the entry is sent
  reg flush, ended;

  // The entry.
  wire [3:0] kind = entry_i[TYPE_AT+:4];
  wire [NUMBER_BITS-1:0] number = entry_number_i;
  wire [23:0] number_bytes = {{(24 - NUMBER_BITS) {1'b0}}, number};
  wire [7:0] entry_byte; // byte `source` of the entry; the number appears again after END's counters
  wire lock_valid;
  wire has_data, is_traffic; // of the bus access
  generate
    if (WIDE == 0 && LOCKS == 0) begin : g_entry_bytes // a smaller multiplexer
      wire [31:0] ends = {4'd0, entry_i[TYPE_AT-1-:12], number_bytes[15:0]};
      wire [63:0] middle = {entry_i[47:16], entry_i[79:48]};
      assign entry_byte = source[3] ^ source[2] ? middle[{source[2:0], 3'b000}+:8] :
          ends[{source[3], source[0], 3'b000}+:8];
      wire unused = &{1'b0, entry_i[15:0], number_bytes[23:16]}; // the number comes by entry_number_i
      assign {is_traffic, has_data} = 2'b00;
    end else begin : g_entry_whole
      wire [255:0] entry_bytes; // padded, so that any byte number is in range
      assign entry_byte = entry_bytes[{source, 3'b000}+:8];
      localparam [4:0] AT = LOCK_DATA != 0 ? FIRST_DATA_LOCK : FIRST_LOCK;
      assign entry_bytes[8*AT-1:0] = {{(8 * AT - 16 - TYPE_AT) {1'b0}}, entry_i[TYPE_AT-1:0], number_bytes[15:0]};
      if (LOCKS != 0) begin : g_access
        wire [6:0] extra; // byte lanes, port, no lock access
        if (TRAFFIC != 0) assign extra = entry_i[EXTRA_AT+:7];
        else assign extra = 7'd0;
        wire written = entry_i[TYPE_AT+5];
        assign is_traffic = extra[0];
        assign has_data = LOCK_DATA != 0 && written;
        wire [7:0] info = extra[0] ? {extra[6:3], has_data, extra[2:1], written} :
            {5'd0, has_data, entry_i[TYPE_AT+6], written};
        assign entry_bytes[8*AT+:40] = {entry_i[TYPE_AT+7+:32], info};
      end else begin : g_no_access
        assign {is_traffic, has_data} = 2'b00;
        assign entry_bytes[8*AT+:40] = 40'd0;
      end
      if (LOCK_DATA != 0) assign entry_bytes[255:8*FIRST_DATA_NUMBER-32] = {number_bytes, entry_i[VALUE_AT+:32]};
      else assign entry_bytes[255:8*FIRST_WIDE_NUMBER] = {8'd0, number_bytes};
    end
    if (LOCKS != 0) assign lock_valid = entry_i[TYPE_AT+4];
    else assign lock_valid = 1'b0;
  endgenerate
  wire is_lost = kind == TYPE_LOST;
  wire lock_now = LOCKS != 0 && (lock_part || kind == TYPE_NONE);
  wire is_enter = kind == TYPE_ENTER && !lock_now;
  wire is_exit = kind == TYPE_EXIT && !lock_now;
  wire is_end = kind == TYPE_END;
  wire is_access = LOCK_EVENTS != 0 && kind == TYPE_LOCK;

  // The image. It has two places for the time: one pass writes the entry's time while it subtracts the last packet's.
  // The packet's end swaps the places.
  (* no_rw_check, ram_style = "block" *)
  reg [7:0] image[0:63];
  reg [7:0] old;
  reg swap;

  reg [2:0] used; // bits that have left `high`, or bytes added to the sum of losses
  wire [2:0] used_next = used & {3{!(does_aim || takes)}};
  reg [7:0] low, high;
  reg [TIME_BYTES-1:0] upper; // by byte that is not yet in `high`: it is not 0
  wire refills = does_shift && &used && |upper; // `high` takes the next byte
  wire [7:0] left = entry_byte & {8{entry_on && (WIDE != 0 || kind != TYPE_BEGIN)}};
  reg carry;
  wire [8:0] sum = {1'b0, left} + {1'b0, old} + {8'd0, carry};
  always @(posedge clk_i) begin
    if (takes || does_shift) begin
      low <= takes ? high : {high[0], low[7:1]};
      high <= takes || refills ? sum[7:0] : {1'b0, high[7:1]};
    end
    if (does_pass || refills) upper <= {does_pass && op[0] && |sum[7:0], upper[TIME_BYTES-1:1]};
  end
  wire more = |upper || |high || low[7];
  // The delta, when its bytes have passed.
  wire delta13 = !(|upper[TIME_BYTES-1:2]) && !(|high[7:5]);
  wire delta6 = delta13 && !(|high[4:0]) && !(|low[7:6]);
  wire delta4 = delta6 && !(|low[5:4]);

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

  // The prediction table: {valid, frame, number}, by the context. `frame` counts the frames modulo 8, and an entry of
  // another frame does not predict. Before each frame, one part of eight is cleared. So before the count comes again,
  // every entry of the earlier frame is cleared or overwritten. No reset sets `frame`, because entries outlast resets.
  localparam integer PART_BITS = CONTEXT_BITS - 3;
  reg [2:0] frame = 3'd0;
  (* no_rw_check, ram_style = "block" *)
  reg [KNOWN_BITS+3:0] table_[0:`GNOMON_PRED_ENTRIES-1];
  integer entry;
  initial for (entry = 0; entry < `GNOMON_PRED_ENTRIES; entry = entry + 1) table_[entry] = {(KNOWN_BITS + 4) {1'b0}};
  reg [KNOWN_BITS+3:0] prediction;
  reg [CONTEXT_BITS-1:0] context_;
  wire near = !(|number[NUMBER_BITS-1:8]);
  wire known = !(|number[NUMBER_BITS-1:KNOWN_BITS]);
  wire predicted = known && prediction == {1'b1, frame, number[KNOWN_BITS-1:0]};

  // The first byte, and the form of the packet.
  wire short_exit = is_exit && top_is_number && delta13;
  wire short_enter = is_enter && ((predicted && delta13) || (near && delta4));
  wire short_form = short_exit || short_enter;
  wire one_byte = delta6 && ((is_exit && top_is_number) || (is_enter && predicted));
  wire use_prediction = predicted && delta13;
  wire use_near_enter = is_enter && near && delta4 && !use_prediction;
  wire row6 = is_enter && known && !short_form;
  wire far = is_exit && top_is_number;
  wire [3:0] extension = lock_now ? (is_traffic ? TYPE_ACCESS : TYPE_LOCK) : far ? TYPE_EXIT_FAR :
      is_lost ? TYPE_LOST : kind;
  wire two_bytes = short_exit || (is_enter && use_prediction);
  wire low_value = one_byte || use_near_enter;
  wire [3:0] first_low = low_value ? low[3:0] : two_bytes ? high[3:0] : row6 ? number[11:8] : extension;
  wire [3:0] first_high = one_byte ? {EXIT_TOP[7], is_enter, low[5:4]} :
      two_bytes ? {EXIT_TOP2[7:6], is_enter, high[4]} : low_value ? ENTER_NEAR[7:4] :
      EXTENDED[7:4] ^ {2'b00, row6, row6};
  wire [7:0] first_byte = {first_high, first_low};
  // Room in the frame: up to 2, up to 32, up to 40 bytes (END must not fill the frame).
  wire fits = short_form ? !(&position) : is_end ? !(&position[FRAME_BITS-1:6]) : !(&position[FRAME_BITS-1:5]);

  wire [8:0] depth = {{(8 - STACK_LOG2) {1'b0}}, fill};
  wire [7:0] aux_byte = aux_data_i[{source[1:0], 3'b000}+:8];
  assign aux_counter_o = {!source[4], source[4] && source[3]};
  assign aux_high_o = source[2];

  wire can = !out_valid || trace_ready_i;
  wire emit = does_emit && (!does_first || (fits && (!is_end || aux_quiet_i))) && (!does_aux || aux_valid_i);
  wire step = emit && can;
  wire stalls = does_emit && !step && !(does_first && !fits);
  wire [FRAME_BITS-1:0] position_up = position + {{(FRAME_BITS - 1) {1'b0}}, 1'b1};
  // The byte to send: the adder's, `low`, the first byte, or what the image has zeros for; padding is all ones. The
  // bytes of an access: 1 and 5 are not in the entry, 2 and 3 are inverted there.
  wire from_time = does_head && source[4:3] == IMAGE_TIME[4:3];
  wire from_depth = does_head && source == IMAGE_DEPTH;
  wire head_bit = (does_head && source == IMAGE_DEPTH + 5'd1 && depth[8]) ||
      (does_head && source == IMAGE_FLAGS && dropping_i);
  wire access_write = entry_i[8*DATA_AT+8], access_segment = entry_i[8*DATA_AT+9];
  wire access_zero = is_access && !op[0] && !entry_on;
  wire access_top = access_zero && source[2];
  wire [1:0] access_bits = {!source[2] && access_segment, source[2] ? access_segment : access_write} &
      {2{access_zero}};
  wire inverts = from_time || (is_access && !op[0] && source[1]);
  wire [7:0] low_byte = {op[0] ? more : low[7], low[6:0]};
  reg [7:0] emit_byte;
  always @* begin
    case (op[2:0])
      DO_FIRST[2:0]: emit_byte = first_byte;
      DO_AUX[2:0]: emit_byte = aux_byte;
      DO_LOW[2:0], DO_LEB[2:0], DO_PAD[2:0], 3'd7: emit_byte = low_byte;
      default: emit_byte = (sum[7:0] ^ {8{inverts}}) | (depth[7:0] & {8{from_depth}}) | {7'd0, head_bit} |
          {SEGMENTS[31:25] & {7{access_top}}, 1'b0} | {6'd0, access_bits};
    endcase
  end

  // The next word.
  wire open = |position;
  reg last; // the last byte of the header, of END's counters, of the frame; the last entry of the table
  always @* begin
    last = &position[PART_BITS-1:0] && (does_clear || (&position[FRAME_BITS-1:PART_BITS]));
    if (does_head || does_aux) last = source == (does_head ? HEADER_LAST : 5'd31);
  end
  reg holds; // the condition
  always @* begin
    case (condition)
      IF_ALWAYS: holds = 1'b1;
      IF_READY: holds = entry_valid_i && open;
      IF_BEGIN: holds = entry_valid_i && !open;
      IF_FLUSH: holds = !entry_valid_i && open && (flush || age_flush_i || hart_rst_i);
      IF_MORE: holds = more;
      IF_LAST: holds = last;
      default: holds = 1'b0;
    endcase
    if (does_aim) holds = 1'b0; // which has a byte's number there
  end
  // In the order of the program's list: cut, one, two, near, row6, far, long, lost.
  wire [2:0] form = !fits ? 3'd0 : one_byte ? 3'd1 : two_bytes ? 3'd2 : use_near_enter ? 3'd3 : row6 ? 3'd4 :
      far ? 3'd5 : is_lost ? 3'd7 : 3'd6;
  wire selects = condition == IF_KIND && !does_aim;
  // An access of a lock word has the fields of a message.
  wire is_word = LOCK_WORDS != 0 && kind == TYPE_WORD;
  wire [3:0] selected = lock_now ? (has_data ? TYPE_ACCESS : TYPE_LOCK) : is_word ? TYPE_MODULE :
      kind | {is_access, 3'd0};
  reg in_reset;
  always @(posedge clk_i) in_reset <= hart_rst_i;
  gnomon_trace_program #(
    .WIDE(WIDE), .LOCK_DATA(LOCK_DATA)
  ) u_program (
    .clk_i(clk_i), .restart_i(rst_i || (hart_rst_i && !in_reset)), .stall_i(stalls), .condition_i(holds),
    .select_i(({1'b0, form} & {4{does_first}}) | (selected & {4{selects}})), .word_o(word)
  );

  wire again = LOCKS != 0 && lock_valid && !lock_now && !is_lost; // the entry's lock access is not yet sent
  assign entry_pop_o = does_done && !again;

  wire commit = does_first && step; // the packet will be sent
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
    if (does_clear || learn)
      table_[does_clear?{frame, position[PART_BITS-1:0]} : context_] <= {!does_clear, frame, number[KNOWN_BITS-1:0]};
  always @(posedge clk_i) if (does_clear && last) frame <= frame + 3'd1;
  always @(posedge clk_i) if (does_time) prediction <= table_[context_];

  wire number_context = !does_clear && (is_enter || is_exit);
  always @(posedge clk_i) begin
    if (hart_rst_i || forget) fill <= {(STACK_LOG2 + 1) {1'b0}};
    else if (pop || (push && !fill[STACK_LOG2])) fill <= fill + {{STACK_LOG2{!push}}, 1'b1};
    if (hart_rst_i) top <= {STACK_LOG2{1'b0}};
    else if (push || pop) top <= top_next;
    if (hart_rst_i) swap <= 1'b0;
    else if (does_done && !is_lost) swap <= !swap;
    if (does_clear || (commit && !is_lost)) context_ <= number_context ? number[7:0] ^ {8{!is_enter}} : NO_CONTEXT;
  end

  // The image's ports. The top address bit selects the second place of the time. Its last byte is 0, for sums without a
  // second summand.
  reg subtracts;
  // These load `source`. The codes of idle and first, with their conditions, are the first bytes of time and number.
  wire loads = does_aim || does_first || idling;
  wire subtracts_next = loads ? op[3] : subtracts;
  wire reads_sum = adds || (does_aim && op[2]);
  wire reads_zero = !(reads_sum || subtracts_next);
  wire [5:0] read_address = reads_sum ? {1'b0, IMAGE_LOST[4:2], used_next[1:0] + {1'b0, adds}} :
      {swap && source_next[4:3] == IMAGE_TIME[4:3], source_next} | {6{reads_zero}};
  wire count_sequence = does_head && step && source[4:2] == IMAGE_SEQUENCE[4:2];
  wire new_thread = does_byte && kind == TYPE_CHANNEL && !lock_now && number == CHANNEL_THREAD && source[2:1] == 2'b10;
  wire [5:0] write_address = adds ? {1'b0, IMAGE_LOST[4:2], used[1:0]} :
      {does_time && !swap, source | (does_byte ? IMAGE_THREAD : 5'd0)};
  // Bytes that the reset does not clear are never written: magic, version, hart.
  wire clear = hart_rst_i && |source[3:2];
  // The reset leaves all ones in the bytes that are stored inverted or less one.
  wire inverted = hart_rst_i ? !source[4] : does_time;
  integer i;
  initial begin
    for (i = 0; i < 64; i = i + 1) image[i] = i < 32 || i == 63 ? 8'd0 : 8'hFF; // the second place's upper bytes stay
    {image[`GNOMON_FRAME_AT_MAGIC+1], image[`GNOMON_FRAME_AT_MAGIC]} = MAGIC - 16'h0101;
    image[`GNOMON_FRAME_AT_VERSION] = LOCK_DATA != 0 ? `GNOMON_TRACE_VERSION_DATA - 1 : `GNOMON_TRACE_VERSION - 1;
    image[`GNOMON_FRAME_AT_VERSION+1] = 8'hFF;
    image[`GNOMON_FRAME_AT_FIRST] = `GNOMON_FRAME_HEADER_BYTES;
  end
  always @(posedge clk_i)
    if (clear || count_sequence || adds || new_thread || does_time)
      image[write_address] <= inverted ? ~(left & {8{!hart_rst_i}}) : sum[7:0] & {8{!hart_rst_i}};
  always @(posedge clk_i) old <= image[read_address];

  always @(posedge clk_i) begin
    subtracts <= subtracts_next;
    if (loads) carry <= op[3];
    else if (does_pass || refills) carry <= sum[8];
    else if (count_sequence) carry <= sum[8] && !(&source[1:0]); // counts the frame when its number is sent
    used <= used_next + {2'd0, does_shift || adds};
    source <= rst_i ? 5'd0 : source_next;
  end
  assign source_next = loads && !hart_rst_i ? {condition, op[1:0]} :
      source + {4'd0, does_pass || refills || (step && !op[2]) || hart_rst_i};

  assign trace_valid_o = out_valid;
  assign trace_data_o = out_data;
  assign ended_o = ended;
  assign open_o = open && !does_clear;
  assign idle_o = idling && !entry_valid_i && !open && !out_valid;

  always @(posedge clk_i) begin
    if (rst_i) out_valid <= 1'b0;
    else if (can) out_valid <= emit;
    if (can) out_data <= op[2:1] == DO_PAD[2:1] ? PAD : emit_byte;
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      flush <= 1'b0;
      ended <= 1'b0;
      lock_part <= 1'b0;
    end else begin
      if (flush_i) flush <= 1'b1;
      else if (idling && op[0] && !entry_valid_i) flush <= 1'b0;
      if (step || does_clear)
        position <= {position_up[FRAME_BITS-1:PART_BITS] & {(FRAME_BITS - PART_BITS) {!does_clear}},
                     position_up[PART_BITS-1:0]};
      if (does_done) begin
        lock_part <= again;
        ended <= ended || is_end;
      end
      if (hart_rst_i) begin
        ended <= 1'b0;
        lock_part <= 1'b0;
        flush <= 1'b0;
      end
    end
    if (rst_i || (hart_rst_i && does_clear)) position <= {FRAME_BITS{1'b0}};
  end
endmodule

`default_nettype wire
