// SPDX-License-Identifier: Apache-2.0
// The host port reads commands from a byte stream, executes them on the bus, and sends replies, console bytes and
// events. Format of both streams: docs/reference/usb-protocol.md. It executes one command at a time. Between commands
// it sends the console and then events, so that an event follows the output printed before it.
//
// The 32-bit word is only a shift register. A reply begins as soon as the command's head and address have come, while
// the word still holds the head, from which the reply takes tag and count. The host port reads an event's word over the
// bus from its register.
//
// A command ends if its next byte does not come for 2^TIMEOUT_LOG2 cycles, so that a host that stops in the middle of a
// command does not lock out the next host. A reply that has begun is completed.
`default_nettype none

module gnomon_hostport #(
  parameter integer TIMEOUT_LOG2 = 24,
  parameter integer HOLD_LOG2 = 10,    // cycles that console bytes wait for more bytes
  parameter integer LEVEL_LOG2 = 9     // log2 of the console FIFO's bytes
) (
  input  wire                clk_i, rst_i,

  // Commands in, reply packets out. `rep_flush_o`: no more bytes come for now.
  input  wire                cmd_valid_i,
  input  wire [7:0]          cmd_data_i,
  output wire                cmd_ready_o, rep_valid_o,
  output wire [7:0]          rep_data_o,
  input  wire                rep_ready_i,
  output wire                rep_flush_o,

  // Bus master.
  output wire                h_req_valid_o,
  input  wire                h_req_ready_i,
  output wire [31:0]         h_req_addr_o,
  output wire                h_req_write_o,
  output wire [31:0]         h_req_wdata_o,
  input  wire                h_rsp_valid_i,
  input  wire [31:0]         h_rsp_rdata_i,
  input  wire                h_rsp_error_i,

  // The hart is in reset or halted, so the host may access memory.
  input  wire                stopped_i,

  // Console.
  input  wire                tx_valid_i,
  input  wire [7:0]          tx_data_i,
  output wire                tx_ready_o,
  input  wire [LEVEL_LOG2:0] tx_level_i,
  output wire                rx_valid_o,
  output wire [7:0]          rx_data_o,
  input  wire                rx_ready_i,

  // Event: a level until `event_done_o`; 1: the program ended, 0: the hart entered debug mode for another reason.
  input  wire                event_valid_i, event_exit_i,
  output wire                event_done_o
);

`include "gnomon_registers.vh"

  localparam [3:0] IDLE = 4'd0,  // between commands
    HEAD = 4'd1,               // bytes 1..3 of word 0
    ADDR = 4'd2,               // bytes of the address
    DATA = 4'd3,               // bytes of a word to write
    TYPE = 4'd4,               // bytes for the console
    SKIP = 4'd5,               // finds the resynchronisation mark
    ASK = 4'd6,                // bus request
    WAIT = 4'd7,               // bus response
    FIRST = 4'd8,              // sends the first word of a reply packet
    WORD = 4'd9,               // sends a word that was read
    LAST = 4'd10,              // sends the status word of a reply
    PRINT = 4'd11;             // sends bytes from the console

  localparam [7:0] OP_READ = 8'd1, OP_WRITE = 8'd2, OP_CONSOLE = 8'd3;
  localparam [7:0] KIND_REPLY = 8'h81, KIND_CONSOLE = 8'hC0, KIND_EVENT = 8'hE0;
  localparam [1:0] GOOD = 2'd0, BUS_ERROR = 2'd1, UNKNOWN_OP = 2'd2, RUNNING = 2'd3;
  // console bytes in a reply packet, so that it fills most of a USB packet; the low three bits are 0
  localparam [5:0] UNIT = 6'd56;

  // The event's word has one of two addresses, which differ in one bit.
  localparam [31:0] EVENT_ADDR = `GNOMON_SYSCTL_BASE | {20'd0, `GNOMON_SYSCTL_EXIT_STATUS};
  localparam integer CAUSE_BIT = 6;  // DEBUG_CAUSE = EXIT_STATUS + 0x40

  reg  [3:0] state;
  reg  [3:0] index;      // byte within the word (1:0), or of the mark
  reg [31:0] word;       // word to receive or send, low byte first
  reg [31:0] addr;       // rotates, low byte first
  reg        addr_first; // addr is the address of the first word
  reg        addr_carry;
  reg        is_read, is_write, is_print, is_event;  // all 0: CONSOLE or unknown
  reg [15:0] count;      // words or bytes left
  reg  [1:0] status;
  reg        word_bad;   // the read failed: sends zeros
  reg [TIMEOUT_LOG2:0] timer;

  // Input.
  wire taking = state == IDLE || state == HEAD || state == ADDR || state == DATA || state == TYPE || state == SKIP;
  wire take = taking && cmd_valid_i;
  wire word_end = index[1:0] == 2'd3;
  wire none_left = count == 16'd0;
  wire last = count == 16'd1;

  assign cmd_ready_o = taking;

  // Console input. Padding is not for the console. A byte without room is dropped, and so are all later bytes of the
  // command.
  wire typed = state == TYPE && cmd_valid_i && !none_left;
  wire dropped = typed && (!rx_ready_i || status[0]);
  assign rx_valid_o = typed && !status[0];
  assign rx_data_o = cmd_data_i;

  // Bus.
  wire refused = addr[31:28] != 4'hF && !stopped_i;
  assign h_req_valid_o = state == ASK && !refused;
  assign h_req_addr_o = {addr[31:CAUSE_BIT+1], addr[CAUSE_BIT] || (is_event && !event_exit_i), addr[CAUSE_BIT-1:2],
      2'b00};
  assign h_req_write_o = is_write;
  assign h_req_wdata_o = word;

  wire refuse = state == ASK && refused;
  wire done = refuse || (state == WAIT && h_rsp_valid_i);
  wire done_bad = refuse || h_rsp_error_i;

  // Output.
  wire level_unit = tx_level_i[LEVEL_LOG2:6] != {(LEVEL_LOG2 - 5) {1'b0}} || tx_level_i[5:3] == UNIT[5:3];
  wire print_due = level_unit || timer[HOLD_LOG2] || event_valid_i;
  wire print_start = tx_valid_i && print_due;
  wire print_byte = state == PRINT && !none_left;
  wire is_out = rep_valid_o && rep_ready_i;

  assign rep_valid_o = state == FIRST || state == WORD || state == LAST ||
      (state == PRINT && (none_left || tx_valid_i));
  assign rep_flush_o = state == IDLE && !cmd_valid_i && !event_valid_i;
  assign tx_ready_o = print_byte && rep_ready_i;
  assign event_done_o = state == WORD && is_event && is_out && word_end;

  // The byte to send: at most one term is not 0. A reply repeats the tag of the command's head and, for READ, the
  // count.
  wire is_own = is_print || is_event;  // a console or event packet
  wire send_word = state == WORD ? !word_bad : state == FIRST && !is_own && (index[1] ? is_read : index[0]);
  wire [7:0] kind = is_print ? KIND_CONSOLE : is_event ? KIND_EVENT : KIND_REPLY;
  wire [7:0] head = index[1:0] == 2'd0 ? kind : !is_own || index[0] && is_print || word_end ? 8'd0 :
    index[0] ? {6'd0, !event_exit_i, event_exit_i} : {2'd0, count[5:0]};
  wire [7:0] tail = index[1:0] == 2'd0 ? {6'd0, status} : 8'd0;
  assign rep_data_o = (word[7:0] & {8{send_word}}) | (tx_data_i & {8{print_byte}}) |
    (state == FIRST ? head : state == LAST ? tail : 8'd0);

  // The address comes in byte by byte. It grows by 4, byte by byte, while a word leaves or the next one comes in.
  wire addr_step = (state == ADDR && cmd_valid_i) || (state == DATA && cmd_valid_i) || (state == WORD && is_out);
  wire at_first = index[1:0] == 2'd0;
  wire [8:0] addr_sum = {1'b0, addr[7:0]} + {6'd0, at_first && !addr_first, 1'b0, !at_first && addr_carry};
  always @(posedge clk_i) begin
    if (addr_step) begin
      addr <= {state == ADDR ? cmd_data_i : addr_sum[7:0], addr[31:8]};
      addr_carry <= addr_sum[8];
    end
    if (state == ADDR) addr_first <= 1'b1;
    if (done) addr_first <= 1'b0;
    if (state == IDLE) addr <= EVENT_ADDR;
  end

  always @(posedge clk_i) begin
    if (state == WAIT) word <= h_rsp_rdata_i;
    else if ((take && state != ADDR) || is_out) word <= {cmd_data_i, word[31:8]};
    if (done) word_bad <= done_bad;
  end

  // Words or bytes left.
  wire count_shift = state == HEAD && cmd_valid_i;
  wire count_down = done || typed || (print_byte && is_out);
  always @(posedge clk_i) begin
    if (state == IDLE) count <= {10'd0, !tx_valid_i ? 6'd1 : level_unit ? UNIT : tx_level_i[5:0]};
    else if (count_shift) count <= {cmd_data_i, count[15:8]};
    else if (count_down) count <= count - 16'd1;
  end

  // Silence ends a command; between commands it sends the waiting console bytes.
  wire timeout = timer[TIMEOUT_LOG2] && taking && state != IDLE;
  always @(posedge clk_i) begin
    timer <= timer + 1'b1;
    if (take || (state == IDLE && !tx_valid_i) || !taking || state == SKIP ||
        rst_i) timer <= {(TIMEOUT_LOG2 + 1) {1'b0}};
  end

  always @(posedge clk_i) begin
    if (take || is_out) begin
      index[1:0] <= index[1:0] + 2'd1;
      index[3:2] <= index[3:2] + {1'b0, word_end};
    end
    // Only the resynchronisation mark is longer than a word.
    if (state != SKIP) index[3:2] <= 2'd0;
    else if (cmd_data_i != 8'hFF) index <= 4'd0;

    if (done && done_bad) status <= refuse || status == RUNNING ? RUNNING : BUS_ERROR;
    if (dropped || timeout) status <= BUS_ERROR;

    case (state)
      IDLE: begin
        index[1:0] <= 2'd0;
        status <= GOOD;
        is_read <= cmd_data_i == OP_READ;
        is_write <= cmd_data_i == OP_WRITE;
        if (cmd_data_i != OP_READ && cmd_data_i != OP_WRITE && cmd_data_i != OP_CONSOLE) status <= UNKNOWN_OP;
        is_event <= 1'b0;
        is_print <= 1'b0;
        if (cmd_valid_i) begin
          if (cmd_data_i != 8'hFF) begin
            state <= HEAD;
            index[1:0] <= 2'd1;
          end
        end else begin
          status <= GOOD;
          is_write <= 1'b0;
          is_print <= tx_valid_i;
          is_event <= !tx_valid_i;
          if (print_start || (event_valid_i && tx_level_i == {(LEVEL_LOG2 + 1) {1'b0}})) state <= FIRST;
        end
      end

      HEAD: if (take) begin
        if (word_end) state <= is_read || is_write ? ADDR : FIRST;
      end

      ADDR: if (take && word_end) state <= FIRST;

      DATA: if (take && word_end) state <= ASK;

      TYPE: if (take && word_end && (none_left || last)) state <= LAST;

      SKIP: if (take && cmd_data_i == 8'hFF && index == 4'd15) state <= IDLE;

      ASK: if (h_req_ready_i) state <= WAIT;

      FIRST: if (is_out && word_end) begin
        if (is_print) state <= PRINT;
        else if (none_left || status == UNKNOWN_OP) state <= LAST;
        else state <= is_write ? DATA : is_read || is_event ? ASK : TYPE;
      end

      WORD: if (is_out && word_end) state <= is_event ? IDLE : none_left ? LAST : ASK;

      LAST: if (is_out && word_end) state <= status == UNKNOWN_OP ? SKIP : IDLE;

      PRINT: if (is_out && word_end && (last || none_left)) state <= IDLE;

      default: ;
    endcase

    // A word has been read, written or refused.
    if (done) state <= !is_write ? WORD : last ? LAST : DATA;

    if (timeout) begin
      state <= state == DATA || state == TYPE ? LAST : IDLE;
      index[1:0] <= 2'd0;
    end
    if (rst_i) state <= IDLE;
  end

endmodule

`default_nettype wire
