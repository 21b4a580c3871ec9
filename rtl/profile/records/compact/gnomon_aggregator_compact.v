// SPDX-License-Identifier: Apache-2.0
// Does the work of gnomon_aggregator with little logic and one single-port memory. A program
// (gnomon_aggregator_compact.prog) reads or writes one word in each cycle and calculates with the word that it read
// before. The memory has all records, open frames, threads and counts.
//
// A step has two halves, mostly in the same cycle. The first half calculates with the word that the previous step read.
// The second half accesses memory and registers and selects the next step. A register read of the records takes the
// memory away (steal_i): then the second half waits, and the first half must not repeat. Therefore a step that writes
// does not change the written value (sum).
//
// Each frame is linked to the frame below it. The register node is the running frame, and registers hold its link: the
// number of its record, the frame below (up), its context, whether its call is an outermost one, and whether calls were
// lost. Frames 0 to 7 are roots for unprofiled cycles, one for each thread; frames 8 to 15 are for traps. The bit
// `open` of a record tells in which contexts its function is open. `free` heads the list of free frames; the memory has
// the list of frames for traps.
`default_nettype none

module gnomon_aggregator_compact #(
  parameter RECORDS_LOG2 = 9, // log2 of the records, 9 or less; the last 64: traps by cause, cause 31 unprofiled cycles
  parameter FRAMES_LOG2  = 8, // log2 of the frames, 5 to 8, less than RECORDS_LOG2
  parameter UP5K         = 0
) (
  input  wire        clk_i, rst_i,
  input  wire        hart_rst_i,  // the beginning of this reset starts the clearing

  // An entry of the trace FIFO; it stays until taken_o.
  input  wire        valid_i,
  input  wire [3:0]  type_i,  // types of calls and traps, LOST, END, and CHANNEL with THREAD and LANDED
  input  wire [15:0] number_i,
  input  wire [31:0] data_i,
  input  wire [47:0] time_i,
  input  wire [31:0] lost_cycles_i,
  input  wire        lost_calls_i,
  output wire        taken_o,

  input  wire        hold_i,     // takes no entry
  output wire        waiting_o,  // the program waits for an entry
  output reg         ended_o,    // END has closed all open calls

  input  wire        steal_i,
  output wire [13:0] address_o,
  output wire        write_o,
  output wire [7:0]  mask_o,
  output wire [31:0] data_o,
  input  wire [31:0] data_read_i
);
  localparam NUMBER_BITS = 16;
`include "gnomon_trace_types.vh"
`include "gnomon_aggregator_program.vh"
  localparam R = RECORDS_LOG2;
  localparam [8:0] ALL_NUMBERS = (1 << R) - 1, TRAP_NUMBERS = (1 << R) - 64;
  localparam [5:0] CAUSE_NONE = 6'd31;

  // ---- The program ----
  reg [15:0] word;
  reg [8:0] pc;
  wire [8:0] next;
  wire branches = word[15];
  wire does = branches && word[14:9] == DO;
  wire [1:0] memory = word[14:13], base = word[12:11], move = word[1:0] & {2{!branches}};
  wire [3:0] place = word[10:7];
  wire [2:0] acc = branches ? ACC_HOLD : word[6:4];
  wire [1:0] total = branches ? SUM_HOLD : word[3:2];
  wire [7:0] operations = word[7:0] & {8{does}};
  wire go = !steal_i; // the step's second half executes
  reg done; // the step's first half has executed
  wire first = !done;
  reg was_reset;
  wire restart = hart_rst_i && !was_reset;

  // ---- Registers ----
  reg [8:0] id;
  reg [7:0] node, up, free;
  // the program uses these registers before it sets them; any value will do, but a simulator needs one
  initial {node, up} = 16'd0;
  reg [3:0] ctx;
  reg outermost, lost_here, lost_within;
  reg [2:0] thread;
  reg untracked, skipping, again;
  reg borrow, sticky, passed; // passed: the frame that was closed had lost calls
  reg odd; // the last read was of an upper word
  reg [2:0] carries; // carries of the sums of lower words, for the upper words

  // ---- The entry ----
  wire channel = type_i == TYPE_CHANNEL, lost = type_i == TYPE_LOST, trap = type_i == TYPE_TRAP_ENTER;
  wire trap_leave = type_i == TYPE_TRAP_LEAVE, ending = type_i == TYPE_END;
  wire [15:0] number = channel ? ~data_i[15:0] : number_i;
  wire fits = !(|(number >> R) || &number[R-1:6]);
  wire special = !(|node[7:4]), root = special && !node[3];
  wire here = !special && id == number[8:0] && fits;
  wire call = type_i == TYPE_ENTER || type_i == TYPE_EXIT;
  wire plain = call && !untracked && !skipping && (type_i[0] ? here : fits && |free[7:4]);
  wire begins = word[15] && word[14:9] == IF_WAIT && valid_i && !hold_i && !hart_rst_i;

  // ---- The next step ----
  wire [15:0] high;
  reg condition;
  always @* begin
    case (word[14:9])
      IF_ALWAYS, IF_WAIT: condition = 1'b1;
      IF_ID: condition = |id;
      IF_ID_FRAMES: condition = id[FRAMES_LOG2];
      IF_THREAD: condition = |thread;
      IF_SLOW: condition = sticky || |high || lost_within || special || again;
      IF_SPECIAL: condition = special;
      IF_ROOT: condition = root;
      IF_NO_TRAP: condition = !(|up[7:3]);
      IF_FOUND: condition = trap_leave ? special : here;
      IF_OUTER: condition = outermost;
      IF_BORROW: condition = borrow;
      IF_CLEAN: condition = !sticky;
      IF_AGAIN: condition = again;
      IF_LEAVES: condition = type_i[0];
      IF_TRAP: condition = trap;
      IF_TRAP_LEAVE: condition = trap_leave;
      IF_END: condition = ending;
      IF_UNTRACKED: condition = untracked;
      IF_SKIPPING: condition = skipping;
      IF_FITS: condition = fits;
      IF_IN_TRAP: condition = ctx[3];
      IF_LOST: condition = lost;
      IF_LOST_HERE: condition = lost_here;
      IF_LOST_WITHIN: condition = lost_within;
      IF_PASSED: condition = passed;
      IF_LOST_CALLS: condition = lost_calls_i;
      IF_IS_THREAD: condition = channel && !number_i[1];
      IF_IS_LANDING: condition = channel && number_i[1];
      IF_LONG: condition = |high[15:4];
      IF_HIGH: condition = |high;
      default: condition = 1'b0;
    endcase
  end
  // From idle, which is at address 0, one or two address bits lead to an entry point.
  wire ends = type_i[0] && plain;
  wire [8:0] onward = branches && condition ? word[8:0] : pc + 9'd1;
  wire [8:0] way = (AT_ENTER & {9{begins && !ends}}) | (AT_EXIT & {9{begins && (ends || !plain)}});
  assign next = restart ? AT_CLEAR : onward | way;
  always @(posedge clk_i) begin
    if (go || restart) begin
      pc <= next;
      word <= words[next];
    end
    was_reset <= hart_rst_i && !rst_i;
    done <= steal_i && !restart;
  end
  assign waiting_o = branches && word[14:9] == IF_WAIT;
  assign taken_o = go && branches && condition && !waiting_o && word[8:0] == AT_IDLE && !hart_rst_i;

  // ---- Calculation ----
  wire compare = acc == ACC_CMP;
  wire subtract = acc != ACC_ADD;
  wire step = first && (acc == ACC_SUB || acc == ACC_ADD);
  wire load = first && (acc == ACC_TIME || acc == ACC_ZERO);
  wire link = acc == ACC_LINK, name = acc == ACC_ID;
  wire [31:9] frame_link = {1'b0, lost_within, lost_here, 7'd0, ctx, outermost, up}; // and the record number below
  wire [31:0] low_load = ((lost ? lost_cycles_i : time_i[31:0]) & {32{acc == ACC_TIME}}) |
      ({frame_link, 9'd0} & {32{link}}) |
      ({23'd0, id} & {32{link || name}});
  wire [15:0] high_load = time_i[47:32] & {16{acc == ACC_TIME && !lost}};
  wire low_carry, high_carry, sum_carry;
  wire [31:0] low, sum;
  wire sum_high = total == SUM_LOAD ? place[0] : odd;
  wire carry = odd ? high_carry : low_carry;
  gnomon_aggregator_compact_adders #(
    .HARD(UP5K)
  ) u_adders (
    .clk_i(clk_i), .word_i(data_read_i), .subtract_i(subtract), .low_load_i(load || (first && (link || name))),
    .low_step_i(step && !odd), .low_carry_i(compare), .low_i(low_load), .low_o(low), .low_carry_o(low_carry),
    .high_load_i(load), .high_step_i(step && odd), .high_carry_i(borrow), .high_i(high_load), .high_o(high),
    .high_carry_o(high_carry), .sum_high_i(sum_high), .sum_load_i(first && total == SUM_LOAD),
    .sum_step_i(first && (total == SUM_ADD || total == SUM_INC)), .sum_carry_i(total == SUM_INC || (odd && carries[2])),
    .sum_o(sum), .sum_carry_o(sum_carry)
  );
  wire unused_low = &{1'b0, low};
  wire news = (total == SUM_INC && sum_carry) || (!odd && ((total == SUM_ADD && sum_carry) || (compare && low_carry)));
  always @(posedge clk_i)
    if (first) begin
      if (step || compare) borrow <= carry;
      if (acc == ACC_ZERO) borrow <= 1'b0;
      if (acc == ACC_ZERO) sticky <= 1'b0;
      else if (news) sticky <= 1'b1;
      if (total == SUM_ADD) carries <= {carries[1:0], sum_carry};
    end

  // ---- The memory ----
  wire reads = !branches && memory == MEM_READ, flags = !branches && memory == MEM_FLAG;
  wire at_open = base == BASE_RECORD && place[3] && &place[1:0]; // the bits `open`, a word for each 8 contexts
  wire at_total = base == BASE_RECORD && place[3:1] == RECORD_TOTAL_LO / 2;
  wire one_context = at_open && (flags || move == MOVE_CAPTURE);
  wire [3:0] record_place = {place[3], one_context ? ctx[3] : place[2], place[1:0]};
  // a trap's or a root's time is subtracted from its thread's
  wire of_thread = base == BASE_THREAD || (base == BASE_UP && special);
  wire [7:0] frame = base == BASE_UP ? up : node;
  assign address_o = base == BASE_RECORD ? {1'b0, id, record_place} : !of_thread ? {3'b100, frame, place[2:0]} :
      base == BASE_THREAD && place[3] ? {11'b11000000010, place[2:0]} : {8'b11100000, thread, place[2:0]};
  assign write_o = !branches && memory[1] && go && (outermost || !((at_open && flags) || at_total));
  wire [2:0] nibble = at_open ? ctx[2:0] : 3'd7;
  assign mask_o = flags ? 8'd1 << nibble : 8'hFF;
  genvar i;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_data
      if (i % 4 == 0) assign data_o[i] = flags && at_open ? place[2] : sum[i];
      else assign data_o[i] = sum[i];
    end
  endgenerate

  // The address of a read selects the registers that take the word.
  reg take_link, take_outer, take_up, take_free;
  reg [2:0] nibble_read;
  wire captures = go && reads && move == MOVE_CAPTURE;
  always @(posedge clk_i) begin
    take_outer <= captures && at_open;
    take_link <= captures && !at_open && !place[0] && base != BASE_THREAD;
    take_up <= captures && base == BASE_THREAD;
    take_free <= captures && base == BASE_FRAME && place[0];
    if (restart) {take_outer, take_link, take_up, take_free} <= 4'd0; // discards a read before the reset
    nibble_read <= ctx[2:0];
    if (go && reads) odd <= place[0];
  end
  wire [7:0] opens = {data_read_i[28], data_read_i[24], data_read_i[20], data_read_i[16], data_read_i[12],
      data_read_i[8], data_read_i[4], data_read_i[0]};
  wire [7:0] pointer = data_read_i[16:9];

  // ---- Moves and operations ----
  wire move_free = go && move == MOVE_FREE, move_node = go && move == MOVE_NODE;
  wire [7:0] now = operations & {8{go}};
  wire enters = go && begins && plain && !type_i[0];
  always @(posedge clk_i) begin
    if (enters || now[DO_ID]) id <= number[8:0] | (TRAP_NUMBERS & {9{trap}});
    else if (take_link) id <= data_read_i[8:0] & ALL_NUMBERS;
    if (move_node) node <= free;
    else if (now[DO_NODE]) node <= id[7:0];
    if (move_free) up <= free;
    else if (take_link || take_up) up <= pointer;
    if (move_node) free <= node;
    else if (move_free) free <= up;
    else if (take_free) free <= pointer;
    if (now[DO_FRESH] || (take_link && special)) ctx <= node[3:0];
    else if (take_link) ctx <= data_read_i[21:18];
    if (take_link) outermost <= data_read_i[17];
    else if (take_outer) outermost <= !opens[nibble_read];
    else if (now[DO_FRESH]) outermost <= 1'b1;
    if (enters || now[DO_FRESH]) {lost_within, lost_here} <= 2'b00;
    else if (now[DO_MARK]) {lost_within, lost_here} <= {1'b1, lost_here || lost};
    else if (take_link) {lost_within, lost_here} <= data_read_i[30:29];
    if (move_free) passed <= lost_within;
    if (now[DO_THREAD]) {untracked, thread} <= {|data_i[31:3], data_i[2:0]};
    else if (now[DO_NEXT_THREAD]) thread <= thread + 3'd1;
    if (now[DO_SKIP]) skipping <= borrow;
    if (now[DO_AGAIN]) again <= !again;
    if (taken_o && ending) ended_o <= 1'b1;
    if (restart) begin // the program sets the other registers
      id <= {{(9 - R) {1'b0}}, {(R - 6) {1'b1}}, CAUSE_NONE};
      {thread, untracked, skipping, again, ended_o} <= 7'd0;
    end
  end
endmodule

`default_nettype wire
