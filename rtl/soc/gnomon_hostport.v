// SPDX-License-Identifier: Apache-2.0
// The host's door: reads commands from a byte stream, does them on the bus, and sends replies, console bytes and events.
// Format of both streams: docs/usb-protocol.md. One command at a time; console and events are sent between commands,
// console first, so that an event follows what was printed before it.
//
// A command whose next byte does not come for 2^TIMEOUT_LOG2 cycles is forgotten, so that a host that died in the middle
// of one does not lock out the next host.
`default_nettype none

module gnomon_hostport #(
    parameter integer TIMEOUT_LOG2 = 24,
    parameter integer HOLD_LOG2 = 10,    // cycles that console bytes wait for company
    parameter integer LEVEL_LOG2 = 9     // log2 of the console FIFO
) (
    input  wire        clk_i,
    input  wire        rst_i,

    // Commands in, units out. `rep_flush_o`: nothing more is on its way for now.
    input  wire        cmd_valid_i,
    input  wire  [7:0] cmd_data_i,
    output wire        cmd_ready_o,
    output wire        rep_valid_o,
    output wire  [7:0] rep_data_o,
    input  wire        rep_ready_i,
    output wire        rep_flush_o,

    // Bus master.
    output wire        h_req_valid_o,
    input  wire        h_req_ready_i,
    output wire [31:0] h_req_addr_o,
    output wire        h_req_write_o,
    output wire [31:0] h_req_wdata_o,
    input  wire        h_rsp_valid_i,
    input  wire [31:0] h_rsp_rdata_i,
    input  wire        h_rsp_error_i,

    // The hart is in reset or halted: memory may be accessed.
    input  wire        stopped_i,

    // Console.
    input  wire        tx_valid_i,
    input  wire  [7:0] tx_data_i,
    output wire        tx_ready_o,
    input  wire [LEVEL_LOG2:0] tx_level_i,
    output wire        rx_valid_o,
    output wire  [7:0] rx_data_o,
    input  wire        rx_ready_i,

    // Event: a level with its payload until `event_done_o`.
    input  wire        event_valid_i,
    input  wire  [7:0] event_number_i,
    input  wire [31:0] event_word_i,
    output wire        event_done_o
);

    localparam [3:0] IDLE = 4'd0,  // between commands
        HEAD = 4'd1,               // bytes 1..3 of word 0
        ADDR = 4'd2,               // bytes of the address
        DATA = 4'd3,               // bytes of a word to write
        TYPE = 4'd4,               // bytes for the console
        SKIP = 4'd5,               // looking for the resynchronisation mark
        ASK = 4'd6,                // bus request
        WAIT = 4'd7,               // bus response
        EMIT = 4'd8,               // four bytes of `word`
        PRINT = 4'd9;              // bytes from the console

    // What the word is that EMIT sends, hence what follows.
    localparam [1:0] U_HEAD = 2'd0, U_WORD = 2'd1, U_LAST = 2'd2, U_PRINT = 2'd3;

    localparam [7:0] OP_READ = 8'd1, OP_WRITE = 8'd2, OP_CONSOLE = 8'd3;
    localparam [7:0] KIND_REPLY = 8'h81, KIND_CONSOLE = 8'hC0, KIND_EVENT = 8'hE0;
    localparam [7:0] GOOD = 8'd0, BUS_ERROR = 8'd1, UNKNOWN_OP = 8'd2, RUNNING = 8'd3;
    localparam [LEVEL_LOG2:0] UNIT = 56;  // console bytes in a unit, so that it fills most of a packet

    reg  [3:0] state;
    reg  [1:0] unit;
    reg  [3:0] index;      // byte within the word, or of the mark
    reg [31:0] word;       // the word coming in or going out
    reg [31:2] addr;
    reg  [7:0] op, tag;
    reg [15:0] count;      // words or bytes left
    reg [15:0] failed;
    reg  [7:0] status;
    reg        is_event;
    reg [TIMEOUT_LOG2:0] timer;

    // In.
    wire taking = state == IDLE || state == HEAD || state == ADDR || state == DATA || state == TYPE || state == SKIP;
    wire take = taking && cmd_valid_i;
    wire [31:0] word_in = {cmd_data_i, word[31:8]};
    wire word_end = index[1:0] == 2'd3;
    wire [15:0] count_in = word_in[31:16];
    wire last = count == 16'd1;

    assign cmd_ready_o = taking;

    // Console in: padding is not for the console. Bytes for which there is no room are dropped, and all after them.
    wire is_padding = count == 16'd0;
    assign rx_valid_o = state == TYPE && cmd_valid_i && !is_padding && failed == 16'd0;
    assign rx_data_o = cmd_data_i;

    // Bus.
    wire is_register = addr[31:28] == 4'hF;
    wire refused = !is_register && !stopped_i;
    assign h_req_valid_o = state == ASK && !refused;
    assign h_req_addr_o = {addr, 2'b00};
    assign h_req_write_o = op == OP_WRITE;
    assign h_req_wdata_o = word;

    wire done = (state == ASK && refused) || (state == WAIT && h_rsp_valid_i);
    wire done_bad = state == ASK || h_rsp_error_i;

    // Out.
    wire print_due = tx_level_i >= UNIT || timer[HOLD_LOG2] || event_valid_i;
    wire print_start = tx_valid_i && print_due;
    wire print_byte = state == PRINT && count != 16'd0;
    wire is_out = rep_valid_o && rep_ready_i;

    assign rep_valid_o = state == EMIT || (state == PRINT && (count == 16'd0 || tx_valid_i));
    assign rep_data_o = state == EMIT ? word[7:0] : print_byte ? tx_data_i : 8'd0;
    assign rep_flush_o = state == IDLE && !cmd_valid_i && !event_valid_i;
    assign tx_ready_o = print_byte && rep_ready_i;
    assign event_done_o = state == EMIT && unit == U_LAST && is_event && is_out && word_end;

    wire [31:0] status_word = {failed, 8'd0, status};
    wire [31:0] reply_head = {op == OP_READ ? count : 16'd0, tag, KIND_REPLY};
    wire [LEVEL_LOG2:0] print_count = tx_level_i >= UNIT ? UNIT : tx_level_i;

    always @(posedge clk_i) begin
        if (take) begin
            word <= word_in;
            index <= index + 4'd1;
        end
        if (is_out) begin
            word <= {8'd0, word[31:8]};
            index <= index + 4'd1;
        end

        // Silence: within a command it ends the command; between commands it sends what the console has.
        if (take || (state == IDLE && !tx_valid_i) || !taking || state == SKIP) timer <= {(TIMEOUT_LOG2 + 1) {1'b0}};
        else timer <= timer + 1'b1;

        case (state)
            IDLE: begin
                index <= 4'd0;
                failed <= 16'd0;
                status <= GOOD;
                is_event <= 1'b0;
                if (cmd_valid_i) begin
                    if (cmd_data_i != 8'hFF) begin
                        state <= HEAD;
                        index <= 4'd1;
                    end
                end else if (print_start) begin
                    count <= {{(15 - LEVEL_LOG2) {1'b0}}, print_count};
                    word <= {{(15 - LEVEL_LOG2) {1'b0}}, print_count, 8'd0, KIND_CONSOLE};
                    unit <= U_PRINT;
                    state <= EMIT;
                end else if (event_valid_i && tx_level_i == {(LEVEL_LOG2 + 1) {1'b0}}) begin
                    is_event <= 1'b1;
                    word <= {16'd1, event_number_i, KIND_EVENT};
                    unit <= U_HEAD;
                    state <= EMIT;
                end
            end

            HEAD: if (take && word_end) begin
                op <= word_in[7:0];
                tag <= word_in[15:8];
                count <= count_in;
                index <= 4'd0;
                case (word_in[7:0])
                    OP_READ, OP_WRITE: state <= ADDR;
                    OP_CONSOLE: state <= TYPE;
                    default: begin
                        status <= UNKNOWN_OP;
                        word <= {16'd0, word_in[15:8], KIND_REPLY};
                        unit <= U_HEAD;
                        state <= EMIT;
                    end
                endcase
                if (word_in[7:0] == OP_CONSOLE && count_in == 16'd0) begin
                    word <= {16'd0, word_in[15:8], KIND_REPLY};
                    unit <= U_HEAD;
                    state <= EMIT;
                end
            end

            ADDR: if (take && word_end) begin
                addr <= word_in[31:2];
                index <= 4'd0;
                state <= op == OP_WRITE && count != 16'd0 ? DATA : EMIT;
                if (op == OP_READ || count == 16'd0) begin
                    word <= reply_head;
                    unit <= U_HEAD;
                end
            end

            DATA: if (take && word_end) begin
                index <= 4'd0;
                state <= ASK;
            end

            TYPE: if (take) begin
                if (!is_padding) begin
                    count <= count - 16'd1;
                    if (!rx_ready_i || failed != 16'd0) begin
                        failed <= failed + 16'd1;
                        status <= BUS_ERROR;
                    end
                end
                if (word_end && (is_padding || last)) begin
                    index <= 4'd0;
                    word <= {16'd0, tag, KIND_REPLY};
                    unit <= U_HEAD;
                    state <= EMIT;
                end
            end

            SKIP: if (take) begin
                if (cmd_data_i != 8'hFF) index <= 4'd0;
                else if (index == 4'd15) state <= IDLE;
            end

            ASK: if (h_req_ready_i) state <= WAIT;

            EMIT: if (is_out && word_end) begin
                index <= 4'd0;
                case (unit)
                    U_PRINT: state <= PRINT;
                    U_HEAD, U_WORD: begin
                        unit <= U_LAST;
                        word <= is_event ? event_word_i : status_word;
                        if (!is_event && op == OP_READ && count != 16'd0) state <= ASK;
                    end
                    default: state <= status == UNKNOWN_OP ? SKIP : IDLE;
                endcase
            end

            PRINT: if (is_out) begin
                if (count != 16'd0) count <= count - 16'd1;
                if (word_end && (last || count == 16'd0)) state <= IDLE;
            end

            default: ;
        endcase

        // A word has been read or written, or refused.
        if (done) begin
            addr <= addr + 30'd1;
            count <= count - 16'd1;
            index <= 4'd0;
            if (done_bad) begin
                if (failed != 16'hFFFF) failed <= failed + 16'd1;
                status <= state == ASK || status == RUNNING ? RUNNING : BUS_ERROR;
            end
            if (op == OP_READ) begin
                word <= done_bad ? 32'd0 : h_rsp_rdata_i;
                unit <= U_WORD;
                state <= EMIT;
            end else if (last) begin
                word <= {16'd0, tag, KIND_REPLY};
                unit <= U_HEAD;
                state <= EMIT;
            end else begin
                state <= DATA;
            end
        end

        if (timer[TIMEOUT_LOG2] && state != IDLE) state <= IDLE;

        if (rst_i) begin
            state <= IDLE;
            index <= 4'd0;
            timer <= {(TIMEOUT_LOG2 + 1) {1'b0}};
        end
    end

endmodule

`default_nettype wire
