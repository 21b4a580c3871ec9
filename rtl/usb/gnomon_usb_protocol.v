// SPDX-License-Identifier: Apache-2.0
// The transactions: what to answer to each token, data toggles, and when a packet counts as delivered. It speaks
// packets, not bits: the line engine is behind it on a board, the transaction port in a functional simulation.
`default_nettype none

module gnomon_usb_protocol #(
    parameter integer CONFIG = 0
) (
    input  wire       clk_i,
    input  wire       rst_i,
    input  wire       bus_reset_i,     // level

    // Packets from the host. A data packet's bytes include the two of the CRC.
    input  wire       token_i,         // pulse: a good token packet
    input  wire [1:0] token_kind_i,    // its PID's bits 3:2: 0 OUT, 2 IN, 3 SETUP
    output wire [6:0] address_o,       // this device's
    input  wire       token_match_i,   // the token's address is that, and its endpoint one of 0 to 3
    input  wire [1:0] token_endpoint_i,
    input  wire       rx_valid_i,      // pulse: a byte of a data packet
    input  wire [7:0] rx_data_i,
    input  wire       rx_end_i,        // pulse: the data packet is over
    input  wire       rx_good_i,       // with it: CRC and framing were right
    input  wire       rx_toggle_i,     // with it: DATA1
    input  wire       ack_i,           // pulse: an ACK packet

    // Packets to the host: sent at once.
    output reg        tx_start_o,      // pulse
    output reg  [3:0] tx_pid_o,        // from tx_start_o on
    output reg        tx_more_o,       // there is another byte: memory data of tx_addr_o
    input  wire       tx_next_i,       // pulse: the byte was taken; the next one is there 2 cycles later
    output wire [8:0] tx_addr_o,

    // Bulk OUT buffer
    input  wire       out_free_i,
    output wire       out_write_o,
    output wire       out_commit_o,
    output wire [6:0] out_offset_o,   // of the byte; with out_commit_o the length
    // Bulk IN buffers: bit 0 endpoint 1, bit 1 endpoint 2
    input  wire [1:0] in_avail_i,
    input  wire [1:0] in_slot_i,
    input  wire       in_rep_short_i,
    input  wire [5:0] in_rep_length_i,
    output wire [1:0] in_release_o
);
  localparam [1:0] KIND_OUT = 2'd0, KIND_IN = 2'd2, KIND_SETUP = 2'd3;
  localparam [3:0] PID_ACK = 4'h2, PID_NAK = 4'hA, PID_STALL = 4'hE, PID_DATA0 = 4'h3, PID_DATA1 = 4'hB;
  wire reset = rst_i || bus_reset_i;

  wire       ctl_stall;
  wire       ctl_in_ready;
  wire       ctl_out_expected;
  wire [3:0] ctl_in_block;
  wire       ctl_in_end;
  wire       configured;
  wire [2:0] halt;
  wire [2:0] toggle_clear;
  reg  [2:0] toggle;         // next packet, endpoints 0x01, 0x81, 0x82
  reg  [1:0] kind;           // of the last token to this device
  reg  [1:0] endpoint;

  // ---- tokens
  reg decide_in;             // an IN token is answered in this cycle
  reg expect_data;           // an OUT or SETUP token came; its data follows
  reg expect_setup;          // and it was SETUP
  reg expect_ack;            // we sent data; the acknowledgement follows
  wire token_ours = token_i && token_match_i && (token_endpoint_i == 2'd0 || (configured && token_kind_i != KIND_SETUP &&
      (token_endpoint_i == 2'd1 || (token_endpoint_i == 2'd2 && token_kind_i == KIND_IN))));

  // ---- data from the host, or to the host: `count` is of bytes so far, from the host the CRC's two included
  reg [6:0] count;
  reg room;                  // the OUT buffer had a free slot at the token: a slot freed in mid-packet is too late
  wire too_long = count[6] && (count[5:2] != 4'd0 || count[1:0] == 2'd3);
  // Judged one cycle after its end.
  reg rx_good;
  reg rx_fresh;              // a bulk packet with the toggle that is due
  reg rx_setup;              // right length and toggle for a setup packet
  wire is_setup = kind == KIND_SETUP;
  wire setup_done = rx_good && is_setup && rx_setup;
  wire out_data = rx_good && !is_setup;
  wire out_bulk = out_data && endpoint[0];

  assign out_write_o = expect_data && rx_valid_i && !count[6] && room;
  assign out_commit_o = out_bulk && !halt[0] && rx_fresh && room;
  assign out_offset_o = count - {5'd0, rx_good, 1'b0};

  reg [3:0] out_answer;
  always @(*) begin
    if (is_setup) out_answer = PID_ACK;
    else if (endpoint[0] ? halt[0] : (ctl_stall || !ctl_out_expected)) out_answer = PID_STALL;
    else if (endpoint[0] && rx_fresh && !room) out_answer = PID_NAK;
    else out_answer = PID_ACK;  // a repeated packet is acknowledged, and dropped
  end

  // ---- data to the host
  wire in_stall = endpoint == 2'd0 ? ctl_stall : endpoint[0] ? halt[1] : halt[2];
  wire in_ready = endpoint == 2'd0 ? ctl_in_ready : endpoint[0] ? in_avail_i[0] : in_avail_i[1];
  wire in_toggle = endpoint == 2'd0 ? 1'b1 : endpoint[0] ? toggle[1] : toggle[2];
  wire in_send = in_ready && !in_stall;
  wire in_acked = expect_ack && ack_i;
  // Whatever is sent lies in a block of its own, so that `count` is the low part of the address.
  wire in_bulk = endpoint != 2'd0;
  wire in_end = !in_bulk ? ctl_in_end : endpoint[0] && in_rep_short_i ? count[5:0] == in_rep_length_i : count[6];

  assign tx_addr_o = in_bulk ? {1'b1, endpoint[1], endpoint[1] ? in_slot_i[1] : in_slot_i[0], count[5:0]}
      : {1'b0, ctl_in_block[3:2], ctl_in_block[1:0] | count[5:4], count[3:0]};
  assign in_release_o = {endpoint[1], endpoint[0]} & {2{in_acked}};

  always @(posedge clk_i) begin
    tx_start_o <= decide_in || setup_done || out_data;
    if (decide_in) tx_pid_o <= in_stall ? PID_STALL : !in_ready ? PID_NAK : in_toggle ? PID_DATA1 : PID_DATA0;
    else if (rx_good) tx_pid_o <= out_answer;

    tx_more_o <= tx_pid_o[0] && !in_end;

    if ((rx_valid_i && !too_long) || tx_next_i) count <= count + 7'd1;
    if (token_i) begin
      count <= 7'd0;
      room <= out_free_i;
      kind <= token_kind_i;
      endpoint <= token_endpoint_i;
    end

    rx_good <= expect_data && rx_end_i && rx_good_i && !too_long;
    rx_fresh <= rx_toggle_i == toggle[0];
    rx_setup <= !rx_toggle_i && count == 7'd10;

    decide_in <= token_ours && token_kind_i == KIND_IN;
    if (token_i) expect_data <= token_ours && (token_kind_i == KIND_OUT || token_kind_i == KIND_SETUP);
    else if (rx_end_i) expect_data <= 1'b0;
    if (token_i) expect_setup <= token_ours && token_kind_i == KIND_SETUP;
    else if (rx_end_i || (rx_valid_i && count[2:0] == 3'd7)) expect_setup <= 1'b0;   // not the CRC
    if (decide_in) expect_ack <= in_send;
    else if (token_i || ack_i || rx_end_i) expect_ack <= 1'b0;

    toggle <= (toggle ^ {in_release_o, out_commit_o}) & ~toggle_clear;

    if (reset) begin
      tx_start_o <= 1'b0;
      rx_good <= 1'b0;
      decide_in <= 1'b0;
      expect_data <= 1'b0;
      expect_ack <= 1'b0;
      toggle <= 3'd0;
    end
  end

  gnomon_usb_control #(.CONFIG(CONFIG)) u_control (
      .clk_i(clk_i),
      .rst_i(reset),
      .setup_begin_i(token_ours && token_kind_i == KIND_SETUP),
      .byte_valid_i(expect_setup && rx_valid_i),
      .byte_index_i(count[2:0]),
      .byte_data_i(rx_data_i),
      .setup_done_i(setup_done),
      .in_acked_i(in_acked && endpoint == 2'd0),
      .stall_o(ctl_stall),
      .in_ready_o(ctl_in_ready),
      .out_expected_o(ctl_out_expected),
      .in_block_o(ctl_in_block),
      .in_count_i(count[5:0]),
      .in_end_o(ctl_in_end),
      .address_o(address_o),
      .configured_o(configured),
      .halt_o(halt),
      .toggle_clear_o(toggle_clear)
  );
endmodule

`default_nettype wire
