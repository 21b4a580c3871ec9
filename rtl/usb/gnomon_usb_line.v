// SPDX-License-Identifier: Apache-2.0
// The line engine: converts bits to packets and back at full speed, clocked at 48 MHz. The bus is half duplex, so
// receiver and transmitter share the shift register, bit counter, stuffing counter and CRC. CRC5 uses the low bits of
// the CRC16 register.
`default_nettype none

module gnomon_usb_line #(
  parameter integer ENDPOINT_BITS = 2,   // 2 or 3: endpoints with more number bits do not exist
  parameter integer SUSPEND = 0          // 1: detects bus suspend
) (
  input  wire       clk_i, rst_i,

  output wire       bus_reset_o, suspended_o,
  // Signals of gnomon_usb_protocol. rx_end_o also ends any other or bad packet, and the time in which a packet may
  // follow.
  output reg        token_o,
  output wire [1:0] token_kind_o,
  input  wire [6:0] address_i,
  output reg        token_match_o,
  output reg  [2:0] token_endpoint_o,
  output reg        rx_valid_o,
  output wire [7:0] rx_data_o,
  output reg        rx_end_o, rx_good_o,
  output wire       rx_toggle_o,
  output reg        ack_o,
  input  wire       tx_start_i,
  input  wire [3:0] tx_pid_i,
  input  wire       tx_more_i,
  input  wire [7:0] tx_data_i,
  output reg        tx_next_o,

  input  wire       usb_dp_i, usb_dn_i,
  output reg        usb_dp_o, usb_dn_o, usb_oe_o
);
  localparam [3:0] HUNT = 4'd0,       // waits for a sync pattern
      IGNORE = 4'd1,                  // until the end of the packet
      PID = 4'd2, TOKEN_0 = 4'd3, TOKEN_1 = 4'd4, TOKEN_END = 4'd5, DATA = 4'd6, ACK_END = 4'd7,
      T_WAIT = 4'd8,                  // until the line has been idle for long enough
      T_SYNC = 4'd9, T_PID = 4'd10, T_DATA = 4'd11, T_CRC_0 = 4'd12, T_CRC_1 = 4'd13, T_EOP = 4'd14;
  localparam [4:0] CRC5_GOOD = 5'h06;
  localparam [15:0] CRC16_GOOD = 16'hB001;

  reg [3:0] state;
  reg [7:0] shift;        // low bit first: bits enter at the top and leave at the bottom
  reg [2:0] count;        // bits of the current byte so far
  reg [2:0] ones;         // consecutive ones
  reg stuffed;            // six ones in a packet: skips the next bit
  reg [15:0] crc;
  reg crc16_good;         // at the last byte boundary, because one more bit may dribble in
  reg [3:2] pid;
  // These registers are one cycle late. Ticks can be only two cycles apart (jitter and skew), so `shift` must be used
  // within two cycles after its tick.
  reg byte_new;           // `shift` has a byte, and the CRC includes it
  reg byte_done;          // the registers below include the byte
  reg [3:0] pid_state;    // next state if the byte is a PID
  reg crc5_good;
  reg sync_zeros;
  reg idle;
  reg waited;             // idle for 16 bit times

  wire tick;
  wire rx_bit;
  wire rx_se0;
  wire rx_j;
  wire sending = state[3] && state != T_WAIT;
  wire receiving = !state[3] && state[2:1] != 2'b00;
  wire bits_over = count[2:1] == 2'b00;   // at a byte boundary, one dribble bit allowed

  gnomon_usb_sampler #(.SUSPEND(SUSPEND)) u_sampler (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .usb_dp_i(usb_dp_i),
      .usb_dn_i(usb_dn_i),
      .sending_i(sending),
      .tick_o(tick),
      .bit_o(rx_bit),
      .se0_o(rx_se0),
      .j_o(rx_j),
      .bus_reset_o(bus_reset_o),
      .suspended_o(suspended_o)
  );

  wire tx_bit = (state == T_CRC_0 || state == T_CRC_1) ? !crc[0] : shift[0];
  wire out_bit = tx_bit && !stuffed && state != T_EOP;
  wire bit_in = sending ? out_bit : rx_bit;
  wire step = tick && !stuffed;   // a bit that is not stuffing
  wire byte_end = step && count == 3'd7;
  wire hunt_idle = state == HUNT && ones == 3'd7;
  wire eop = tick && rx_se0 && !state[3];
  wire stuff_error = tick && receiving && stuffed && rx_bit && !rx_se0;
  // While the CRC is sent, it only shifts.
  wire feedback = (crc[0] ^ (sending ? shift[0] : rx_bit)) && state != T_CRC_0 && state != T_CRC_1;
  wire is_crc5 = !state[3] && state != DATA;

  assign token_kind_o = pid[3:2];
  assign rx_data_o = shift;
  assign rx_toggle_o = pid[3];

  // ---- Shared registers ----
  always @(posedge clk_i) begin
    if (tick) begin
      ones <= !bit_in ? 3'd0 : ones == 3'd7 ? 3'd7 : ones + 3'd1;
      stuffed <= bit_in && ones == 3'd5;
    end
    if (state == T_WAIT) ones <= 3'd0;
    if (!sending && !receiving) stuffed <= 1'b0;

    // This enable is redundant with the selection below, but it shortens the longest path.
    if (step || eop || state == T_WAIT || state == T_EOP) begin
      if (eop || state == T_EOP) shift <= 8'hFF;
      else if (state == T_WAIT) shift <= 8'h80;
      else if (count == 3'd7 && state == T_SYNC) shift <= {~tx_pid_i, tx_pid_i};
      else if (count == 3'd7 && (state == T_PID || state == T_DATA)) shift <= tx_data_i;
      else shift <= {rx_bit, shift[7:1]};
    end

    if (state == PID || state == T_PID) begin
      crc <= 16'hFFFF;
    end else if (step) begin
      crc <= {1'b0, crc[15:1]} ^ (!feedback ? 16'h0000 : is_crc5 ? 16'h0014 : 16'hA001);
      if (is_crc5) crc[4] <= feedback;
    end
  end

  always @(posedge clk_i) begin
    byte_new <= byte_end && receiving;
    byte_done <= byte_new && !rst_i && !bus_reset_o;
    if (shift[7:4] != ~shift[3:0]) pid_state <= IGNORE;
    else if (shift[1:0] == 2'b01 && shift[3:2] != 2'b01) pid_state <= TOKEN_0;
    else if (shift[2:0] == 3'b011) pid_state <= DATA;
    else if (shift[3:0] == 4'b0010) pid_state <= ACK_END;
    else pid_state <= IGNORE;
    crc5_good <= crc[4:0] == CRC5_GOOD;
    sync_zeros <= shift[7:3] == 5'd0;
    // No packet has seven ones. `ones` is reliable after an abandoned packet; `shift` may have missed a bit.
    idle <= ones == 3'd7;
  end

  // ---- State ----
  always @(posedge clk_i) begin
    token_o <= 1'b0;
    rx_valid_o <= byte_new && state == DATA;
    rx_end_o <= 1'b0;
    rx_good_o <= 1'b0;
    ack_o <= 1'b0;
    tx_next_o <= 1'b0;
    // In HUNT, `count` continues where `ones` saturates. After 16 idle bit times and before the 18th, rx_end_o ends any
    // wait for data or ACK, so that no unit takes the packets that follow a lost token (USB 2.0, 8.7.2).
    if (step && (sending || receiving || hunt_idle)) count <= count + 3'd1;
    if (tick) waited <= hunt_idle && count == 3'd7;
    if (tick && rx_bit && hunt_idle && waited) rx_end_o <= 1'b1;

    if (byte_done) begin
      crc16_good <= crc == CRC16_GOOD;
      case (state)
        PID: begin
          pid <= shift[3:2];
          crc16_good <= 1'b0;
          state <= pid_state;
        end
        TOKEN_0: begin
          token_match_o <= shift[6:0] == address_i;
          token_endpoint_o[0] <= shift[7];
          state <= TOKEN_1;
        end
        TOKEN_1: begin
          if (shift[2] || (shift[1] && ENDPOINT_BITS < 3)) token_match_o <= 1'b0;
          token_endpoint_o[2:1] <= {shift[1] && ENDPOINT_BITS > 2, shift[0]};
          state <= crc5_good ? TOKEN_END : IGNORE;
        end
        DATA: ;
        default: state <= IGNORE;
      endcase
    end

    if (tick && state == HUNT && rx_bit && sync_zeros) begin
      state <= PID;
      count <= 3'd0;
    end
    if (tick && state == IGNORE && idle) state <= HUNT;
    if (stuff_error) begin
      state <= IGNORE;
      rx_end_o <= 1'b1;
    end
    if (eop) begin
      state <= HUNT;
      count <= 3'd0;
      if (state == TOKEN_END && bits_over) token_o <= 1'b1;
      else if (state == ACK_END && bits_over) ack_o <= 1'b1;
      else if (state != HUNT) rx_end_o <= 1'b1;
      rx_good_o <= state == DATA && bits_over && crc16_good;
    end

    case (state)
      T_WAIT:
      if (tick) begin
        count <= rx_j ? count + 3'd1 : 3'd0;
        if (rx_j && count == 3'd2) begin
          state <= T_SYNC;
          count <= 3'd0;
        end
      end
      T_SYNC: if (byte_end) state <= T_PID;
      T_PID, T_DATA:
      if (byte_end) begin
        if (tx_pid_i[1:0] != 2'b11) state <= T_EOP;
        else if (tx_more_i) begin
          state <= T_DATA;
          tx_next_o <= 1'b1;
        end else state <= T_CRC_0;
      end
      T_CRC_0: if (byte_end) state <= T_CRC_1;
      T_CRC_1: if (byte_end) state <= T_EOP;
      T_EOP:
      if (step && count == 3'd3) begin
        state <= HUNT;
        count <= 3'd0;
      end
      4'd15: state <= HUNT;   // unused state code: leaves it
      default: ;
    endcase

    if (tx_start_i) begin
      state <= T_WAIT;
      count <= 3'd0;
    end
    if (rst_i || bus_reset_o) state <= HUNT;
  end

  // ---- The line ----
  initial usb_oe_o = 1'b0;  // pins are not driven before the first clock edge
  always @(posedge clk_i) begin
    if (!sending) begin
      usb_oe_o <= 1'b0;
      {usb_dp_o, usb_dn_o} <= 2'b10;
    end else if (tick) begin
      usb_oe_o <= 1'b1;
      if (state == T_EOP && !stuffed) {usb_dp_o, usb_dn_o} <= count[1] ? 2'b10 : 2'b00;
      else if (!out_bit) {usb_dp_o, usb_dn_o} <= {!usb_dp_o, !usb_dn_o};
    end
  end
endmodule

`default_nettype wire
