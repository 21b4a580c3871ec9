// SPDX-License-Identifier: Apache-2.0
// USB full-speed device with a control endpoint in hardware. See docs/usb.md.
//
// FUNCTIONAL = 0: the line engine and the protocol run on clk48_i, the streams on clk_i. txn_i and txn_o are unused.
// FUNCTIONAL = 1: clk48_i has the edges of clk_i; whole packets pass through txn_i/txn_o and the line is unused. A simulation
// may leave out edges of either clock at which nothing would change.
// LINE = 1: an asynchronous line in place of USB's, on usb_dp_i (from the host) and usb_dp_o (docs/serial.md); clk48_i is clk_i.
// rst_i must be high for at least 4 cycles of the slower clock.
`default_nettype none

module gnomon_usb #(
    parameter integer CONFIG = 0,           // 0 small, 1 mid, 2 full: the product string
    parameter integer FUNCTIONAL = 0,
    parameter integer LINE = 0,             // 0 USB, 1 asynchronous
    parameter integer SERIAL_DIVIDER = 4,   // with LINE = 1: cycles of clk_i a bit
    parameter [63:0] SERIAL = "00000001"    // eight characters
) (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        clk48_i,

    output wire        cmd_valid_o,
    output wire [7:0]  cmd_data_o,
    input  wire        cmd_ready_i,
    input  wire        rep_valid_i,
    input  wire [7:0]  rep_data_i,
    output wire        rep_ready_o,
    input  wire        rep_flush_i,
    input  wire        trace_valid_i,
    input  wire [7:0]  trace_data_i,
    output wire        trace_ready_o,

    input  wire        usb_dp_i,
    input  wire        usb_dn_i,
    output wire        usb_dp_o,
    output wire        usb_dn_o,
    output wire        usb_oe_o,
    output wire        usb_pullup_o,

    // Transaction port (docs/usb.md), clk48_i
    input  wire [31:0] txn_i,
    output wire [15:0] txn_o
);
  wire p_clk;
  wire p_rst;
  wire bus_reset;
  wire token;
  wire [1:0] token_kind;
  wire [6:0] address;
  wire token_match;
  wire [1:0] token_endpoint;
  wire rx_valid;
  wire [7:0] rx_data;
  wire rx_end;
  wire rx_good;
  wire rx_toggle;
  wire ack;
  wire tx_start;
  wire [3:0] tx_pid;
  wire tx_more;
  wire tx_next;
  wire [8:0] tx_addr;
  wire [7:0] tx_data;
  wire out_free;
  wire out_write;
  wire out_commit;
  wire [6:0] out_offset;
  wire [1:0] in_avail;
  wire [1:0] in_slot;
  wire in_rep_short;
  wire [5:0] in_rep_length;
  wire [1:0] in_release;
  wire trace_both;
  // The trace's slots as the protocol sees them.
  wire trace_avail;
  wire trace_slot;
  wire trace_release;

  generate
    if (FUNCTIONAL != 0) begin : g_functional
      assign p_clk = clk48_i;
      assign p_rst = rst_i;
      assign token = txn_i[0];
      assign rx_valid = txn_i[1];
      assign rx_end = txn_i[2];
      assign ack = txn_i[3];
      assign tx_next = txn_i[4];
      assign bus_reset = txn_i[5];
      assign rx_good = txn_i[6];
      assign rx_toggle = txn_i[7];
      assign rx_data = txn_i[15:8];
      assign token_kind = txn_i[17:16];
      assign token_endpoint = txn_i[19:18];
      assign token_match = txn_i[28:22] == address && txn_i[21:20] == 2'd0;
      assign txn_o = {1'b0, !rst_i, tx_pid, tx_start, tx_more, tx_data};
      assign {usb_dp_o, usb_dn_o, usb_oe_o, usb_pullup_o} = 4'b0000;
      assign {trace_avail, trace_slot, trace_release} = {in_avail[1], in_slot[1], in_release[1]};
      wire unused = &{1'b0, usb_dp_i, usb_dn_i, txn_i[31:29], trace_both};
    end else if (LINE != 0) begin : g_serial
      wire second;
      assign p_clk = clk48_i;
      assign p_rst = rst_i;
      assign token_match = 1'b1;   // there is nobody else on this line
      gnomon_usb_serial #(.DIVIDER(SERIAL_DIVIDER)) u_serial (
          .clk_i(p_clk),
          .rst_i(p_rst),
          .bus_reset_o(bus_reset),
          .token_o(token),
          .token_kind_o(token_kind),
          .token_endpoint_o(token_endpoint),
          .rx_valid_o(rx_valid),
          .rx_data_o(rx_data),
          .rx_end_o(rx_end),
          .rx_good_o(rx_good),
          .rx_toggle_o(rx_toggle),
          .ack_o(ack),
          .tx_start_i(tx_start),
          .tx_pid_i(tx_pid),
          .tx_more_i(tx_more),
          .tx_data_i(tx_data),
          .tx_next_o(tx_next),
          .reply_avail_i(in_avail[0]),
          .trace_avail_i(in_avail[1]),
          .trace_both_i(trace_both),
          .trace_avail_o(trace_avail),
          .trace_second_o(second),
          .trace_release_o(trace_release),
          .rx_i(usb_dp_i),
          .tx_o(usb_dp_o)
      );
      assign trace_slot = in_slot[1] ^ second;
      assign {usb_dn_o, usb_oe_o, usb_pullup_o} = 3'b010;
      assign txn_o = 16'd0;
      wire unused = &{1'b0, txn_i, usb_dn_i, address, in_release[1]};
    end else begin : g_line
      assign p_clk = clk48_i;
      gnomon_sync2 #(.WIDTH(1), .RESET(1'b1)) u_rst (.clk_i(clk48_i), .rst_i(1'b0), .d_i(rst_i), .q_o(p_rst));
      gnomon_usb_line u_line (
          .clk_i(p_clk),
          .rst_i(p_rst),
          .bus_reset_o(bus_reset),
          .token_o(token),
          .token_kind_o(token_kind),
          .address_i(address),
          .token_match_o(token_match),
          .token_endpoint_o(token_endpoint),
          .rx_valid_o(rx_valid),
          .rx_data_o(rx_data),
          .rx_end_o(rx_end),
          .rx_good_o(rx_good),
          .rx_toggle_o(rx_toggle),
          .ack_o(ack),
          .tx_start_i(tx_start),
          .tx_pid_i(tx_pid),
          .tx_more_i(tx_more),
          .tx_data_i(tx_data),
          .tx_next_o(tx_next),
          .usb_dp_i(usb_dp_i),
          .usb_dn_i(usb_dn_i),
          .usb_dp_o(usb_dp_o),
          .usb_dn_o(usb_dn_o),
          .usb_oe_o(usb_oe_o)
      );
      assign usb_pullup_o = !p_rst;
      assign txn_o = 16'd0;
      assign {trace_avail, trace_slot, trace_release} = {in_avail[1], in_slot[1], in_release[1]};
      wire unused = &{1'b0, txn_i, trace_both};
    end
  endgenerate

  gnomon_usb_protocol #(.CONFIG(CONFIG)) u_protocol (
      .clk_i(p_clk),
      .rst_i(p_rst),
      .bus_reset_i(bus_reset),
      .token_i(token),
      .token_kind_i(token_kind),
      .address_o(address),
      .token_match_i(token_match),
      .token_endpoint_i(token_endpoint),
      .rx_valid_i(rx_valid),
      .rx_data_i(rx_data),
      .rx_end_i(rx_end),
      .rx_good_i(rx_good),
      .rx_toggle_i(rx_toggle),
      .ack_i(ack),
      .tx_start_o(tx_start),
      .tx_pid_o(tx_pid),
      .tx_more_o(tx_more),
      .tx_next_i(tx_next),
      .tx_addr_o(tx_addr),
      .out_free_i(out_free),
      .out_write_o(out_write),
      .out_commit_o(out_commit),
      .out_offset_o(out_offset),
      .in_avail_i({trace_avail, in_avail[0]}),
      .in_slot_i({trace_slot, in_slot[0]}),
      .in_rep_short_i(in_rep_short),
      .in_rep_length_i(in_rep_length),
      .in_release_o(in_release)
  );

  gnomon_usb_out u_out (
      .p_clk_i(p_clk),
      .p_rst_i(p_rst),
      .p_free_o(out_free),
      .p_write_i(out_write),
      .p_commit_i(out_commit),
      .p_offset_i(out_offset),
      .p_data_i(rx_data),
      .clk_i(clk_i),
      .rst_i(rst_i),
      .cmd_valid_o(cmd_valid_o),
      .cmd_data_o(cmd_data_o),
      .cmd_ready_i(cmd_ready_i)
  );

  gnomon_usb_in #(.CONFIG(CONFIG), .SERIAL(SERIAL)) u_in (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .rep_valid_i(rep_valid_i),
      .rep_data_i(rep_data_i),
      .rep_ready_o(rep_ready_o),
      .rep_flush_i(rep_flush_i),
      .trace_valid_i(trace_valid_i),
      .trace_data_i(trace_data_i),
      .trace_ready_o(trace_ready_o),
      .p_clk_i(p_clk),
      .p_rst_i(p_rst),
      .p_avail_o(in_avail),
      .p_slot_o(in_slot),
      .p_trace_both_o(trace_both),
      .p_rep_short_o(in_rep_short),
      .p_rep_length_o(in_rep_length),
      .p_release_i({trace_release, in_release[0]}),
      .p_addr_i(tx_addr),
      .p_data_o(tx_data)
  );
endmodule

`default_nettype wire
