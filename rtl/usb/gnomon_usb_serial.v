// SPDX-License-Identifier: Apache-2.0
// The line engine of a board whose USB bridge has a UART link: converts frames of bytes to USB packets and back.
// Framing and rules: docs/guide/serial.md. The host sends its next frame after the answer to the last one, so receiver
// and sender share the CRC.
//
// A host that waits for each answer would get one packet in a round trip. Therefore the answer to an IN token of the
// trace endpoint has the packets of both slots. The device keeps both slots until the host acknowledges the number of
// packets that it received.
`default_nettype none

module gnomon_usb_serial #(
  parameter integer DIVIDER = 4      // cycles of clk_i for a bit, 4 or more
) (
  input  wire       clk_i, rst_i,

  // Signals of gnomon_usb_protocol.
  output reg        bus_reset_o, token_o,
  output wire [1:0] token_kind_o,
  output reg  [1:0] token_endpoint_o,
  output wire       rx_valid_o,
  output wire [7:0] rx_data_o,
  output reg        rx_end_o, rx_good_o,
  output wire       rx_toggle_o,
  output reg        ack_o,
  input  wire       tx_start_i,
  input  wire [3:0] tx_pid_i,
  input  wire       tx_more_i,
  input  wire [7:0] tx_data_i,
  output wire       tx_next_o,

  // The trace slots, between gnomon_usb_in and gnomon_usb_protocol.
  input  wire       reply_avail_i,    // endpoint 1 has a packet
  input  wire       trace_avail_i,    // endpoint 2 has a packet
  input  wire       trace_both_i,     // endpoint 2 has two packets
  output wire       trace_avail_o,    // a packet has not been sent to the host
  output wire       trace_second_o,   // that packet is in the second slot
  output wire       trace_release_o,  // pulse: the host has received the first slot's packet

  input  wire       rx_i,
  output wire       tx_o
);
  localparam [7:0] MARK = 8'h7E, ESCAPE = 8'h7D, ESCAPED = 8'h20;
  localparam [3:0] PID_NONE = 4'h0, PID_RESET = 4'h5, PID_ACK = 4'h2;
  localparam [1:0] KIND_IN = 2'd2, EITHER = 2'd3, REPLIES = 2'd1, TRACE = 2'd2;
  localparam [15:0] CRC_GOOD = 16'hB001;
  localparam [1:0] R_SKIP = 2'd0, R_PID = 2'd1, R_ARGUMENT = 2'd2, R_DATA = 2'd3;
  localparam [2:0] T_IDLE = 3'd0, T_WAIT = 3'd1, T_PID = 3'd2, T_ARGUMENT = 3'd3, T_DATA = 3'd4, T_CRC_0 = 3'd5,
      T_CRC_1 = 3'd6,
      T_MARK = 3'd7;

  reg [1:0] r_state;
  reg       r_escaped;
  reg [3:0] r_pid;
  reg [3:0] r_tag;
  reg [1:0] r_count;         // packets that the host has received
  reg       open;            // a host has sent RESET
  reg [3:0] tag;             // tag of the last executed frame
  reg [2:0] t_state;
  reg       t_escaped;
  reg [3:0] t_pid;
  reg       t_second;        // second packet for the same token
  reg       t_again;         // another packet follows
  reg [3:0] patience;        // cycles until an empty answer is sent
  reg [1:0] ahead;           // trace packets sent and not released
  reg [1:0] drop;            // trace packets to release
  reg [15:0] crc;

  wire t_sent;               // the sender has taken a byte of the frame
  wire t_trace = token_endpoint_o == TRACE && t_pid[1:0] == 2'b11;

  // ---- From the host ----
  wire byte_valid;
  wire byte_bad;
  wire [7:0] byte_data;
  gnomon_usb_serial_rx #(.DIVIDER(DIVIDER)) u_rx (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .rx_i(rx_i),
      .valid_o(byte_valid),
      .bad_o(byte_bad),
      .data_o(byte_data)
  );
  wire idle = t_state == T_IDLE;
  wire is_mark = byte_data == MARK;
  wire r_take = byte_valid && !is_mark && (byte_data != ESCAPE || r_escaped);
  wire [7:0] r_byte = r_escaped ? byte_data ^ ESCAPED : byte_data;
  wire [3:0] tag_due = tag + 4'd1;
  wire is_reset = r_pid == PID_RESET;
  wire is_ack = r_pid == PID_ACK;
  wire is_in = r_pid[1:0] == 2'b01 && r_pid[3:2] == KIND_IN;
  wire is_data = r_pid[1:0] == 2'b01 && !is_in && !is_reset;   // OUT, SETUP
  // If the host misses an answer, it repeats the frame, and the device executes it again. The data toggle protects OUT
  // packets, and the answer to an IN token stays in its slot until the host acknowledges it.
  wire due = is_reset || (open && (r_byte[7:4] == tag_due || (r_byte[7:4] == tag && !is_ack)));
  wire frame_good = byte_valid && is_mark && r_state == R_DATA && !r_escaped && crc == CRC_GOOD;

  assign token_kind_o = r_pid[3:2];
  assign rx_valid_o = r_take && r_state == R_DATA && is_data;
  assign rx_data_o = r_byte;
  assign rx_toggle_o = r_count[0];
  assign trace_avail_o = ahead[0] ? trace_both_i : trace_avail_i;
  assign trace_second_o = ahead[0];
  assign trace_release_o = drop != 2'd0 && ahead != 2'd0;

  always @(posedge clk_i) begin
    token_o <= 1'b0;
    rx_end_o <= 1'b0;
    rx_good_o <= 1'b0;
    ack_o <= 1'b0;
    bus_reset_o <= 1'b0;
    if (trace_release_o) begin
      ahead <= ahead - 2'd1;
      drop <= drop - 2'd1;
    end

    if (r_take) begin
      r_escaped <= 1'b0;
      case (r_state)
        R_PID: begin
          r_pid <= r_byte[3:0];
          r_state <= idle && r_byte[7:4] == ~r_byte[3:0] ? R_ARGUMENT : R_SKIP;
        end
        R_ARGUMENT: begin
          r_tag <= r_byte[7:4];
          r_count <= r_byte[3:2];
          token_endpoint_o <= is_in && r_byte[1:0] == EITHER ? (reply_avail_i ? REPLIES : TRACE) : r_byte[1:0];
          r_state <= due ? R_DATA : R_SKIP;
          token_o <= due && is_data;
        end
        default: ;
      endcase
    end else if (byte_valid) begin
      r_escaped <= !is_mark;
      if (is_mark) begin
        r_state <= R_PID;
        rx_end_o <= r_state == R_DATA && is_data;
      end
    end
    if (byte_bad) r_state <= R_SKIP;

    if (frame_good) begin
      tag <= r_tag;
      rx_good_o <= is_data;
      token_o <= is_in;
      // A token of another endpoint keeps `ahead`, because the acknowledgement may still come.
      if (is_in && token_endpoint_o == TRACE) ahead <= 2'd0;
      if (is_reset) begin
        open <= 1'b1;
        ahead <= 2'd0;
        bus_reset_o <= 1'b1;
      end
      if (is_ack && token_endpoint_o == TRACE) drop <= r_count;
      ack_o <= is_ack && token_endpoint_o != TRACE && r_count != 2'd0;
    end

    // ---- A trace packet has been sent ----
    if (t_sent && t_state == T_MARK && t_trace) begin
      ahead <= ahead + 2'd1;
      token_o <= t_again;
    end
    if (rst_i) begin
      r_state <= R_SKIP;
      r_escaped <= 1'b0;
      open <= 1'b0;
      token_o <= 1'b0;
      bus_reset_o <= 1'b0;
      ahead <= 2'd0;
      drop <= 2'd0;
    end
  end

  // ---- To the host ----
  wire byte_ready;
  reg [7:0] t_byte;
  always @(*) begin
    case (t_state)
      T_PID: t_byte = {~t_pid, t_pid};
      T_ARGUMENT: t_byte = {tag, token_endpoint_o, t_again, t_second};
      T_DATA: t_byte = tx_data_i;
      T_CRC_0: t_byte = ~crc[7:0];
      default: t_byte = ~crc[15:8];
    endcase
  end
  wire t_special = t_state != T_MARK && (t_byte == MARK || t_byte == ESCAPE);
  wire t_offer = t_state[2:1] != 2'b00 && (t_state != T_DATA || tx_more_i);
  wire t_taken = t_offer && byte_ready;
  assign t_sent = t_taken && (!t_special || t_escaped);

  gnomon_usb_serial_tx #(.DIVIDER(DIVIDER)) u_tx (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .valid_i(t_offer),
      .data_i(t_state == T_MARK ? MARK : !t_special ? t_byte : t_escaped ? t_byte ^ ESCAPED : ESCAPE),
      .ready_o(byte_ready),
      .tx_o(tx_o)
  );

  // The next byte is ready long before the sender needs it.
  assign tx_next_o = t_sent && t_state == T_DATA;

  always @(posedge clk_i) begin
    if (t_taken) t_escaped <= t_special && !t_escaped;
    if (t_sent) begin
      case (t_state)
        T_PID: t_state <= T_ARGUMENT;
        T_ARGUMENT: t_state <= t_pid[1:0] == 2'b11 ? T_DATA : T_CRC_0;
        T_CRC_0: t_state <= T_CRC_1;
        T_CRC_1: t_state <= T_MARK;
        T_MARK: begin
          t_state <= t_again ? T_WAIT : T_IDLE;
          t_second <= 1'b1;
        end
        default: ;
      endcase
    end
    if (t_state == T_PID) t_again <= t_trace && !t_second && trace_both_i;
    if (t_state == T_DATA && !tx_more_i) t_state <= T_CRC_0;
    if (t_state == T_WAIT) begin
      patience <= patience - 4'd1;
      if (tx_start_i || patience == 4'd0) t_state <= T_PID;
      t_pid <= tx_start_i ? tx_pid_i : PID_NONE;
    end else begin
      patience <= 4'd15;
    end
    if (frame_good && !is_ack) begin
      t_second <= 1'b0;
      t_state <= is_reset ? T_PID : T_WAIT;
      t_pid <= PID_RESET;
    end
    if (rst_i) begin
      t_state <= T_IDLE;
      t_escaped <= 1'b0;
    end
  end

  // ---- CRC16 of whole bytes, low bit first: eight steps of x^16 + x^15 + x^2 + 1 at once ----
  wire [7:0] crc_in = crc[7:0] ^ (idle ? r_byte : t_byte);
  wire crc_odd = ^crc_in;
  wire crc_moves = idle ? r_take : t_sent && (t_state == T_PID || t_state == T_ARGUMENT || t_state == T_DATA);

  always @(posedge clk_i) begin
    if (crc_moves) crc <= {8'd0, crc[15:8]} ^ {2'd0, crc_in, 6'd0} ^ {1'b0, crc_in, 7'd0} ^ {{2{crc_odd}}, 13'd0,
        crc_odd};
    else if (idle ? r_state == R_PID : t_state == T_WAIT || t_state == T_IDLE) crc <= 16'hFFFF;
    if (frame_good) crc <= 16'hFFFF;
  end
endmodule

`default_nettype wire
