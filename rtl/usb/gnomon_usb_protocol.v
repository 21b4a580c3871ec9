// SPDX-License-Identifier: Apache-2.0
// The transaction layer: the answer to each token, data toggles, and delivery of packets. It works with packets: the
// line engine on a board or the transaction port in a functional simulation converts them.
`default_nettype none

module gnomon_usb_protocol #(
  parameter integer CONFIG = 0,
  parameter integer DFU = 0
) (
  input  wire       clk_i, rst_i,
  input  wire       bus_reset_i,  // level

  // Packets from the host. The bytes of a data packet include the two CRC bytes.
  input  wire       token_i,       // pulse: a good token packet
  input  wire [1:0] token_kind_i,  // bits 3:2 of its PID: 0 OUT, 2 IN, 3 SETUP
  output wire [6:0] address_o,     // of this device
  // the token has this device's address and an endpoint from 0 to 3 (with CONFIG 2: to 7)
  input  wire       token_match_i,
  input  wire [2:0] token_endpoint_i,
  input  wire       rx_valid_i,   // pulse: a byte of a data packet
  input  wire [7:0] rx_data_i,
  input  wire       rx_end_i,     // pulse: the data packet has ended
  input  wire       rx_good_i,    // with rx_end_i: CRC and framing are good
  input  wire       rx_toggle_i,  // with rx_end_i: DATA1
  input  wire       ack_i,        // pulse: an ACK packet

  // Packets to the host, sent at once.
  output reg        tx_start_o,  // pulse
  output reg  [3:0] tx_pid_o,    // valid from tx_start_o on
  output reg        tx_more_o,   // another byte follows; tx_data_o has it two cycles later
  input  wire       tx_next_i,   // pulse: selects the next byte; tx_more_o follows two cycles later
  output wire [7:0] tx_data_o,

  // Bulk OUT buffers: bit 0 endpoint 1, bit 1 endpoint 3 (with CONFIG 2)
  input  wire [1:0] out_free_i,
  output wire [1:0] out_write_o, out_commit_o,
  output wire [6:0] out_offset_o,  // of the byte; with out_commit_o, the length
  // Bulk IN buffers (gnomon_usb_in): bits 0 to 2 endpoints 1 to 3
  input  wire [2:0] in_avail_i, in_slot_i, in_short_i,
  input  wire [5:0] in_rep_length_i, in_acm_length_i,
  output wire [2:0] in_release_o,
  // The memory (gnomon_usb_store)
  output wire       mem_is_slot_o,
  output wire [8:0] mem_slot_addr_o,
  output wire [3:0] mem_item_o,
  output wire [8:0] mem_offset_o,
  input  wire [8:0] mem_length_i,
  input  wire [7:0] mem_data_i,

  // With CONFIG 2. overrun_i: pulse, bytes to the terminal were lost. terminal_o: a terminal program has the port open.
  input  wire       overrun_i,
  output wire       terminal_o,
  output reg        boot_o  // the host has requested the boot loader
);
`include "gnomon_usb_layout.vh"
  localparam [1:0] KIND_OUT = 2'd0, KIND_IN = 2'd2, KIND_SETUP = 2'd3;
  localparam [3:0] PID_ACK = 4'h2, PID_NAK = 4'hA, PID_STALL = 4'hE, PID_DATA0 = 4'h3, PID_DATA1 = 4'hB;
  wire reset = rst_i || bus_reset_i;

  wire       ctl_stall;
  wire       ctl_in_ready;
  wire       ctl_in_toggle;
  wire       ctl_in_end;
  wire       ctl_out_stall;
  wire [3:0] ctl_item;
  wire [8:0] ctl_offset;
  wire       ctl_coding_taken;
  wire       ctl_boot;
  wire       configured;
  wire [5:0] halt;           // endpoints 0x01, 0x81, 0x82, 0x03, 0x83, 0x84
  wire [5:0] toggle_clear;
  reg  [5:0] toggle;         // toggle of the next packet, by endpoint as in `halt`
  reg  [1:0] kind;           // of the last token to this device
  reg  [2:0] endpoint;
  wire       notify;         // endpoint 4 has a notification
  wire       third = ACM != 0 && endpoint[1];        // endpoint 3, not 1
  wire       fourth = ACM != 0 && endpoint[2];       // endpoint 4, the only one above 3

  // ---- Tokens ----
  reg decide_in;             // this cycle answers an IN token
  reg expect_data;           // the data of an OUT or SETUP token follows
  reg expect_setup;          // the data of a SETUP token follows
  reg setup_begin;           // a SETUP token has come
  reg expect_ack;            // the device has sent data; the acknowledgement follows
  wire token_ours = token_i && token_match_i && (token_endpoint_i == 3'd0 ||
      (configured && token_kind_i != KIND_SETUP &&
      (token_endpoint_i == 3'd1 || (token_endpoint_i == 3'd2 && token_kind_i == KIND_IN) ||
       (ACM != 0 && (token_endpoint_i == 3'd3 || (token_endpoint_i == 3'd4 && token_kind_i == KIND_IN))))));

  // ---- Data of the host or to the host: `count` counts bytes, from the host with the two CRC bytes ----
  reg [6:0] count;
  reg room;                  // the OUT buffer had a free slot at the token: a slot freed within the packet is too late
  wire too_long = count[6] && (count[5:2] != 4'd0 || count[1:0] == 2'd3);
  // The judgement of a packet, one cycle after its end.
  reg rx_good;
  reg rx_fresh;              // a bulk packet with the expected toggle
  reg rx_setup;              // length and toggle of a setup packet
  reg rx_empty;              // no bytes except the CRC
  reg rx_coding;             // the length of a line coding
  reg rx_toggle;
  wire is_setup = kind == KIND_SETUP;
  wire setup_done = rx_good && is_setup && rx_setup;
  wire out_data = rx_good && !is_setup;
  wire out_bulk = out_data && endpoint[0];
  wire out_control = out_data && !endpoint[0];
  wire out_halted = third ? halt[3] : halt[0];
  wire out_write = expect_data && rx_valid_i && !count[6] && room;
  wire out_commit = out_bulk && !out_halted && rx_fresh && room;

  assign out_write_o = {2{out_write}} & {third, !third};
  assign out_commit_o = {2{out_commit}} & {third, !third};
  assign out_offset_o = count - {5'd0, rx_good, 1'b0};

  reg [3:0] out_answer;
  always @(*) begin
    if (is_setup) out_answer = PID_ACK;
    else if (endpoint[0] ? out_halted : (ctl_stall || ctl_out_stall)) out_answer = PID_STALL;
    else if (endpoint[0] && rx_fresh && !room) out_answer = PID_NAK;
    else out_answer = PID_ACK;  // acknowledges a repeated packet and drops it
  end

  // ---- Data to the host ----
  wire is_control = endpoint == 3'd0;
  wire in_stall = is_control ? ctl_stall : fourth ? halt[5] : endpoint[0] ? (third ? halt[4] : halt[1]) : halt[2];
  wire in_ready = is_control ? ctl_in_ready : fourth ? notify : endpoint[0] ?
      (third ? in_avail_i[2] && terminal_o : in_avail_i[0]) :
      in_avail_i[1];
  wire in_toggle = is_control ? ctl_in_toggle : fourth ? toggle[5] : endpoint[0] ? (third ? toggle[4] : toggle[1]) :
      toggle[2];
  wire in_send = in_ready && !in_stall;
  wire in_acked = expect_ack && ack_i;
  wire in_short = third ? in_short_i[2] : in_short_i[0];
  wire [5:0] in_length = third ? in_acm_length_i : in_rep_length_i;
  // A packet ends after 64 bytes even if other logic fails.
  wire in_end = count[6] || (is_control ? ctl_in_end : fourth ? count == LENGTH_NOTIFY[6:0] : endpoint[0] &&
      in_short && count[5:0] == in_length);

  assign mem_is_slot_o = !is_control && !fourth;
  assign mem_slot_addr_o = {third && endpoint[0], endpoint[1] && !(third && endpoint[0]),
      endpoint[0] ? (third ? in_slot_i[2] : in_slot_i[0]) : in_slot_i[1], count[5:0]};
  assign mem_item_o = fourth ? ITEM_NOTIFY : ctl_item;
  assign mem_offset_o = fourth ? {2'd0, count} : ctl_offset;
  assign in_release_o = {third && endpoint[0], endpoint[1] && !endpoint[0], endpoint[0] && !third} & {3{in_acked}};

  // By endpoint, as in `toggle`.
  wire [5:0] toggle_step = {in_acked && fourth, in_release_o[2], out_commit_o[1], in_release_o[1:0], out_commit_o[0]};

  always @(posedge clk_i) begin
    tx_start_o <= decide_in || setup_done || out_data;
    if (decide_in) tx_pid_o <= in_stall ? PID_STALL : !in_ready ? PID_NAK : in_toggle ? PID_DATA1 : PID_DATA0;
    else if (rx_good) tx_pid_o <= out_answer;

    tx_more_o <= tx_pid_o[0] && !in_end;

    if ((rx_valid_i && !too_long) || tx_next_i) count <= count + 7'd1;
    if (token_i) begin
      count <= 7'd0;
      room <= ACM != 0 && token_endpoint_i[1] ? out_free_i[1] : out_free_i[0];
      kind <= token_kind_i;
      endpoint <= token_endpoint_i;
    end

    rx_good <= expect_data && rx_end_i && rx_good_i && !too_long;
    rx_fresh <= rx_toggle_i == (third ? toggle[3] : toggle[0]);
    rx_toggle <= rx_toggle_i;
    rx_setup <= !rx_toggle_i && count == 7'd10;
    rx_empty <= count == 7'd2;
    rx_coding <= ACM != 0 && count == LENGTH_CODING[6:0] + 7'd2;

    decide_in <= token_ours && token_kind_i == KIND_IN;
    if (token_i) expect_data <= token_ours && (token_kind_i == KIND_OUT || token_kind_i == KIND_SETUP);
    else if (rx_end_i) expect_data <= 1'b0;
    setup_begin <= token_i && token_match_i && token_endpoint_i == 3'd0 && token_kind_i == KIND_SETUP;
    if (token_i) expect_setup <= token_ours && token_kind_i == KIND_SETUP;
    else if (rx_end_i || (rx_valid_i && count[2:0] == 3'd7)) expect_setup <= 1'b0;   // excludes the CRC
    if (decide_in) expect_ack <= in_send;
    else if (token_i || ack_i || rx_end_i) expect_ack <= 1'b0;

    toggle <= (toggle ^ toggle_step) & ~toggle_clear;

    if (reset) begin
      tx_start_o <= 1'b0;
      rx_good <= 1'b0;
      decide_in <= 1'b0;
      expect_data <= 1'b0;
      expect_ack <= 1'b0;
      setup_begin <= 1'b0;
      toggle <= 6'd0;
    end
    if (ctl_boot) boot_o <= 1'b1;
    if (rst_i) boot_o <= 1'b0;
  end

  gnomon_usb_control #(.CONFIG(CONFIG), .DFU(DFU)) u_control (
      .clk_i(clk_i),
      .rst_i(reset),
      .setup_begin_i(setup_begin),
      .byte_valid_i(expect_setup && rx_valid_i),
      .byte_index_i(count[2:0]),
      .byte_data_i(rx_data_i),
      .setup_done_i(setup_done),
      .in_acked_i(in_acked && is_control),
      .out_done_i(out_control),
      .out_toggle_i(rx_toggle),
      .out_empty_i(rx_empty),
      .out_coding_i(rx_coding),
      .stall_o(ctl_stall),
      .in_ready_o(ctl_in_ready),
      .in_toggle_o(ctl_in_toggle),
      .out_stall_o(ctl_out_stall),
      .item_o(ctl_item),
      .item_length_i(mem_length_i),
      .offset_o(ctl_offset),
      .in_count_i(count),
      .in_end_o(ctl_in_end),
      .address_o(address_o),
      .configured_o(configured),
      .halt_o(halt),
      .toggle_clear_o(toggle_clear),
      .coding_taken_o(ctl_coding_taken),
      .terminal_o(terminal_o),
      .boot_o(ctl_boot)
  );

  generate
    if (ACM != 0) begin : g_acm
      gnomon_usb_acm u_acm (
        .clk_i(clk_i), .rst_i(reset), .byte_valid_i(expect_data && rx_valid_i && is_control), .byte_data_i(rx_data_i),
        .offset_i(count), .coding_taken_i(ctl_coding_taken), .sends_coding_i(is_control && ctl_item == ITEM_CODING),
        .mem_data_i(mem_data_i), .data_o(tx_data_o), .terminal_i(terminal_o), .overrun_i(overrun_i),
        .told_i(in_acked && fourth), .notify_o(notify)
      );
    end else begin : g_no_acm
      assign tx_data_o = mem_data_i;
      assign notify = 1'b0;
      wire unused_acm = &{1'b0, ctl_coding_taken, overrun_i, out_free_i[1], in_avail_i[2], in_slot_i[2], in_short_i[2],
          in_acm_length_i,
          halt[5:3], toggle[5:3]};
    end
  endgenerate
  wire unused = &{1'b0, in_short_i[1]};
endmodule

`default_nettype wire
