// SPDX-License-Identifier: Apache-2.0
// Proof harness: line engine, protocol and control start in any state. PROOF selects a lemma:
//   1  while the line is at SE0, the device stops sending: a measure of the remaining bits falls with every bit; and it
//      does not begin to send
//   2  a receiver whose line is at SE0 sees a bus reset after at most RESET_CYCLES
//   3  a bus reset leads to the default state within SETTLE cycles, and keeps it
//   4  after the reset, GET_DESCRIPTOR is acknowledged and answered, packet by packet
// Together: after SENDING_MAX + RESET_CYCLES + SETTLE cycles of SE0, from any state, the device is in the default state
// and answers.
`default_nettype none

module bus_reset #(
    parameter integer PROOF = 1,
    parameter integer CONFIG = 0
) (
    input wire        clk_i,
    // Signals from the other clock domain, and data from the memory: unconstrained.
    input wire [1:0]  out_free_i,
    input wire [2:0]  in_avail_i, in_slot_i, in_short_i,
    input wire [5:0]  in_rep_length_i, in_acm_length_i,
    input wire [8:0]  mem_length_i,
    input wire [7:0]  mem_data_i,
    input wire        overrun_i
);
  localparam integer SETTLE = 16;          // cycles until synchronisers and pipelines have no earlier values
  localparam integer RESET_CYCLES = 140;
  localparam [11:0] SENDING_MAX = 12'd1120;  // in bits, stuffing included

  reg [9:0] step = 10'd0;
  always @(posedge clk_i) step <= &step ? step : step + 10'd1;
  wire settled = step >= SETTLE;

  // ---- The device ----
  wire dp;
  wire dn;
  wire line_reset;
  wire bus_reset = PROOF == 4 ? step < SETTLE : line_reset;
  wire token, token_match, rx_valid, rx_end, rx_good, rx_toggle, ack, tx_start, tx_more, tx_next, boot, terminal;
  wire [1:0] token_kind;
  wire [2:0] token_endpoint;
  wire [6:0] address;
  wire [7:0] rx_data;
  wire [3:0] tx_pid;
  wire [7:0] tx_data;
  wire [6:0] out_offset;
  wire [1:0] out_write, out_commit;
  wire [2:0] in_release;
  wire mem_is_slot;
  wire [8:0] mem_slot_addr, mem_offset;
  wire [3:0] mem_item;
  (* hierconn *) wire [3:0] \u_line.state ;
  (* hierconn *) wire [2:0] \u_line.count ;
  (* hierconn *) wire \u_line.stuffed ;
  (* hierconn *) wire \u_line.tick ;
  (* hierconn *) wire \u_protocol.configured ;
  (* hierconn *) wire [5:0] \u_protocol.halt ;
  (* hierconn *) wire [5:0] \u_protocol.toggle ;
  (* hierconn *) wire [6:0] \u_protocol.count ;
  (* hierconn *) wire \u_protocol.expect_data ;
  (* hierconn *) wire \u_protocol.expect_ack ;
  (* hierconn *) wire \u_protocol.decide_in ;
  (* hierconn *) wire \u_protocol.rx_good ;
  (* hierconn *) wire [2:0] \u_protocol.u_control.state ;

  gnomon_usb_line #(.ENDPOINT_BITS(CONFIG == 2 ? 3 : 2)) u_line (
      .clk_i(clk_i), .rst_i(1'b0), .bus_reset_o(line_reset), .suspended_o(),
      .token_o(token), .token_kind_o(token_kind), .address_i(address), .token_match_o(token_match), .token_endpoint_o(token_endpoint),
      .rx_valid_o(rx_valid), .rx_data_o(rx_data), .rx_end_o(rx_end), .rx_good_o(rx_good), .rx_toggle_o(rx_toggle), .ack_o(ack),
      .tx_start_i(tx_start), .tx_pid_i(tx_pid), .tx_more_i(tx_more), .tx_data_i(tx_data), .tx_next_o(tx_next),
      .usb_dp_i(dp), .usb_dn_i(dn), .usb_dp_o(), .usb_dn_o(), .usb_oe_o()
  );
  // In lemma 4 the harness makes the packets.
  reg h_token, h_rx_valid, h_rx_end, h_ack;
  reg [1:0] h_kind;
  reg [7:0] h_data;
  localparam [0:0] PACKETS = PROOF == 4;
  gnomon_usb_protocol #(.CONFIG(CONFIG), .DFU(CONFIG)) u_protocol (
      .clk_i(clk_i), .rst_i(1'b0), .bus_reset_i(bus_reset),
      .token_i(PACKETS ? h_token : token), .token_kind_i(PACKETS ? h_kind : token_kind), .address_o(address),
      .token_match_i(PACKETS ? address == 7'd0 : token_match), .token_endpoint_i(PACKETS ? 3'd0 : token_endpoint),
      .rx_valid_i(PACKETS ? h_rx_valid : rx_valid), .rx_data_i(PACKETS ? h_data : rx_data), .rx_end_i(PACKETS ? h_rx_end : rx_end),
      .rx_good_i(PACKETS || rx_good), .rx_toggle_i(!PACKETS && rx_toggle), .ack_i(PACKETS ? h_ack : ack),
      .tx_start_o(tx_start), .tx_pid_o(tx_pid), .tx_more_o(tx_more), .tx_next_i(!PACKETS && tx_next), .tx_data_o(tx_data),
      .out_free_i(out_free_i), .out_write_o(out_write), .out_commit_o(out_commit), .out_offset_o(out_offset),
      .in_avail_i(in_avail_i), .in_slot_i(in_slot_i), .in_short_i(in_short_i), .in_rep_length_i(in_rep_length_i),
      .in_acm_length_i(in_acm_length_i), .in_release_o(in_release),
      .mem_is_slot_o(mem_is_slot), .mem_slot_addr_o(mem_slot_addr), .mem_item_o(mem_item), .mem_offset_o(mem_offset),
      .mem_length_i(PACKETS ? 9'd18 : mem_length_i), .mem_data_i(mem_data_i), .overrun_i(overrun_i), .terminal_o(terminal), .boot_o(boot)
  );

  // ---- Lemmas ----
  localparam [3:0] HUNT = 4'd0, T_WAIT = 4'd8, T_SYNC = 4'd9, T_PID = 4'd10, T_DATA = 4'd11, T_CRC_0 = 4'd12, T_CRC_1 = 4'd13, T_EOP = 4'd14;
  wire [3:0] state = \u_line.state ;
  wire sending = state[3] && state != T_WAIT;
  wire is_default = address == 7'd0 && ! \u_protocol.configured && \u_protocol.halt == 6'd0 && \u_protocol.toggle == 6'd0 &&
      \u_protocol.u_control.state == 3'd0 && ! \u_protocol.expect_data && ! \u_protocol.expect_ack && ! \u_protocol.decide_in &&
      ! \u_protocol.rx_good && !tx_start && !terminal && state == HUNT && !token && !ack && !rx_valid;

  generate
    if (PROOF == 1) begin : g_sending_ends
      assign {dp, dn} = 2'b00;
      // Remaining bits: of this byte, of the bytes that may follow, of CRC and end.
      wire [6:0] sent = \u_protocol.count + {6'd0, tx_next};
      wire [11:0] bytes = sent[6] ? 12'd0 : 12'd64 - {5'd0, sent};
      wire [11:0] byte_bits = 12'd8 - {9'd0, \u_line.count };
      wire [2:0] end_bits = 3'd3 - \u_line.count ;
      reg [11:0] bits;
      always @(*) begin
        case (state)
          T_SYNC: bits = byte_bits + 12'd8 + 8 * bytes + 12'd24;
          T_PID, T_DATA: bits = byte_bits + 8 * bytes + 12'd24;
          T_CRC_0: bits = byte_bits + 12'd16;
          T_CRC_1: bits = byte_bits + 12'd8;
          default: bits = {9'd0, end_bits} + 12'd1;   // T_EOP
        endcase
      end
      // a stuffed bit takes one bit time, and no stuffed bit follows it
      wire [11:0] left = 2 * bits + {11'd0, \u_line.stuffed };
      reg [11:0] left_last;
      reg sending_last, tick_last;
      reg [2:0] quiet;      // cycles since the last bit
      always @(posedge clk_i) begin
        left_last <= left;
        sending_last <= sending;
        tick_last <= \u_line.tick ;
        quiet <= \u_line.tick || !sending ? 3'd0 : quiet + 3'd1;
        if (settled) begin
          if (sending) begin
            assert (sending_last);
            assert (left + {11'd0, tick_last} <= left_last);
            assert (left <= SENDING_MAX);
            assert (quiet <= 3'd3);
          end
        end
      end
    end else if (PROOF == 2) begin : g_seen
      // The sampler alone, with sending_i low.
      assign {dp, dn} = 2'b00;
      wire seen;
      gnomon_usb_sampler u_sampler (
        .clk_i(clk_i), .rst_i(1'b0), .usb_dp_i(1'b0), .usb_dn_i(1'b0), .sending_i(1'b0), .tick_o(), .bit_o(), .se0_o(),
        .j_o(), .bus_reset_o(seen), .suspended_o()
      );
      always @(posedge clk_i) if (step >= RESET_CYCLES) assert (seen);
    end else if (PROOF == 3) begin : g_default
      assign {dp, dn} = 2'b00;
      always @(posedge clk_i) begin
        assume (line_reset);
        if (settled) assert (is_default);
      end
    end else begin : g_answer
      assign {dp, dn} = 2'b10;
      // SETUP, 80 06 00 01 00 00 12 00 and a CRC; then IN.
      localparam [63:0] SETUP = 64'h00120000_01000680;
      localparam integer AT = SETTLE + 4, IN_AT = AT + 40;
      wire [9:0] since = step - AT - 10'd2;
      reg acked = 1'b0;
      reg wrong = 1'b0;
      always @(*) begin
        h_token = step == AT || step == IN_AT;
        h_kind = step == IN_AT ? 2'd2 : 2'd3;
        h_rx_valid = step >= AT + 2 && step < AT + 22 && !since[0];
        h_data = since[4:1] < 4'd8 ? SETUP[{since[3:1], 3'd0}+:8] : 8'd0;
        h_rx_end = step == AT + 23;
        h_ack = 1'b0;
      end
      always @(posedge clk_i) begin
        if (tx_start && settled) begin
          if (step < IN_AT) acked <= 1'b1;
          if (step <= AT + 23 || tx_pid != (step < IN_AT ? 4'h2 : 4'hB)) wrong <= 1'b1;
        end
        if (step == AT + 28 && !acked) wrong <= 1'b1;
        if (step == IN_AT + 2 && !tx_start) wrong <= 1'b1;
        if (step == IN_AT + 3 && !(tx_more && !mem_is_slot && mem_item == 4'd4 && mem_offset == 9'd0)) wrong <= 1'b1;
        if (step == IN_AT + 8) assert (!wrong);
      end
    end
  endgenerate
endmodule

`default_nettype wire
