// SPDX-License-Identifier: Apache-2.0
// USB full-speed device with a control endpoint in hardware. See docs/internals/usb.md.
//
// FUNCTIONAL = 0: the line engine and the protocol run on clk48_i, the streams on clk_i; txn_i and txn_o are unused.
// FUNCTIONAL = 1: clk48_i has the edges of clk_i; whole packets pass through txn_i and txn_o, and the line is unused. A
// simulation may leave out clock edges that change nothing, and may take the trace before it enters this module
// (txn_i[31:30]). LINE = 1: a UART link in place of USB, on usb_dp_i (from the host) and usb_dp_o
// (docs/guide/serial.md); clk48_i is clk_i. rst_i must be high for at least 4 cycles of the slower clock.
`default_nettype none

module gnomon_usb #(
  // 0 small, 1 mid, 2 full: selects the product string; only 2 has a console for terminal programs
  parameter integer CONFIG = 0,
  parameter integer FUNCTIONAL = 0,
  parameter integer DFU = 0,  // way into the boot loader: 0 none, 1 a vendor request, 2 also the DFU interface
  parameter integer LINE = 0,             // 0 USB, 1 UART link
  parameter integer SERIAL_DIVIDER = 4,   // with LINE = 1: cycles of clk_i for a bit
  parameter [63:0] SERIAL = "00000001"    // eight characters
) (
  input  wire        clk_i, rst_i, clk48_i,

  output wire        cmd_valid_o,
  output wire [7:0]  cmd_data_o,
  input  wire        cmd_ready_i, rep_valid_i,
  input  wire [7:0]  rep_data_i,
  output wire        rep_ready_o,
  input  wire        rep_flush_i, trace_valid_i,
  input  wire [7:0]  trace_data_i,
  output wire        trace_ready_o,

  // Console for terminal programs, with CONFIG 2: bytes to and from the program; short packets as for replies.
  // acm_open_o: a program has the port open. acm_overrun_i: pulse, bytes to the program were lost.
  input  wire        acm_valid_i,
  input  wire [7:0]  acm_data_i,
  output wire        acm_ready_o,
  input  wire        acm_flush_i,
  output wire        acm_typed_valid_o,
  output wire [7:0]  acm_typed_data_o,
  input  wire        acm_typed_ready_i,
  output wire        acm_open_o,
  input  wire        acm_overrun_i,

  // In clk48_i. boot_o: the host has requested the boot loader; it stays high, with the device off the bus, until
  // reset. suspended_o: the bus is suspended (with CONFIG 2 and the line engine).
  output wire        boot_o, suspended_o,

  input  wire        usb_dp_i, usb_dn_i,
  output wire        usb_dp_o, usb_dn_o, usb_oe_o, usb_pullup_o,

  // Transaction port (docs/internals/usb.md), clk48_i
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
  wire [2:0] token_endpoint;
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
  wire [7:0] tx_data;
  wire [1:0] out_free;
  wire [1:0] out_write;
  wire [1:0] out_commit;
  wire [6:0] out_offset;
  wire [2:0] in_avail;
  wire [2:0] in_slot;
  wire [2:0] in_short;
  wire [5:0] in_rep_length;
  wire [5:0] in_acm_length;
  wire [2:0] in_release;
  wire mem_is_slot;
  wire [8:0] mem_slot_addr;
  wire [3:0] mem_item;
  wire [8:0] mem_offset;
  wire [8:0] mem_length;
  wire [7:0] mem_data;
  wire overrun;
  wire terminal;
  // The trace slots as the protocol sees them.
  wire trace_valid;
  wire trace_ready;
  wire trace_both;
  wire trace_avail;
  wire trace_slot;
  wire trace_release;

  localparam integer ENDPOINT_BITS = CONFIG == 2 ? 3 : 2;

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
      assign token_endpoint = {txn_i[20] && ENDPOINT_BITS > 2, txn_i[19:18]};
      assign token_match = txn_i[28:22] == address && !txn_i[21] && (!txn_i[20] || ENDPOINT_BITS > 2);
      assign suspended_o = 1'b0;
      assign txn_o = {1'b0, !rst_i && !boot_o, tx_pid, tx_start, tx_more, tx_data};
      assign {usb_dp_o, usb_dn_o, usb_oe_o, usb_pullup_o} = 4'b0000;
      assign {trace_avail, trace_slot, trace_release} = {in_avail[1], in_slot[1], in_release[1]};
      assign trace_valid = trace_valid_i && !txn_i[31];
      assign trace_ready_o = txn_i[31] ? !txn_i[30] : trace_ready;
      wire unused = &{1'b0, usb_dp_i, usb_dn_i, txn_i[29], trace_both};
    end else if (LINE != 0) begin : g_serial
      wire second;
      assign p_clk = clk48_i;
      assign p_rst = rst_i;
      assign token_match = 1'b1;   // the UART link has no other device
      assign token_endpoint[2] = 1'b0;
      // Frames of the UART link cannot address endpoint 4, and endpoint number 3 has another meaning.
      if (CONFIG == 2) begin : g_cannot
        gnomon_usb_LINE_1_needs_CONFIG_0_or_1 u_error ();
      end
      gnomon_usb_serial #(.DIVIDER(SERIAL_DIVIDER)) u_serial (
          .clk_i(p_clk),
          .rst_i(p_rst || boot_o),
          .bus_reset_o(bus_reset),
          .token_o(token),
          .token_kind_o(token_kind),
          .token_endpoint_o(token_endpoint[1:0]),
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
      assign {trace_valid, trace_ready_o} = {trace_valid_i, trace_ready};
      assign {usb_dn_o, usb_oe_o, usb_pullup_o} = 3'b010;
      assign txn_o = 16'd0;
      assign suspended_o = 1'b0;
      wire unused = &{1'b0, txn_i, usb_dn_i, address, in_release[1]};
    end else begin : g_line
      assign p_clk = clk48_i;
      gnomon_sync2 #(.WIDTH(1), .RESET(1'b1)) u_rst (.clk_i(clk48_i), .rst_i(1'b0), .d_i(rst_i), .q_o(p_rst));
      gnomon_usb_line #(.ENDPOINT_BITS(ENDPOINT_BITS), .SUSPEND(CONFIG == 2 ? 1 : 0)) u_line (
          .clk_i(p_clk),
          .rst_i(p_rst),
          .bus_reset_o(bus_reset),
          .suspended_o(suspended_o),
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
      assign usb_pullup_o = !p_rst && !boot_o;
      assign txn_o = 16'd0;
      assign {trace_avail, trace_slot, trace_release} = {in_avail[1], in_slot[1], in_release[1]};
      assign {trace_valid, trace_ready_o} = {trace_valid_i, trace_ready};
      wire unused = &{1'b0, txn_i, trace_both};
    end
  endgenerate

  gnomon_usb_protocol #(.CONFIG(CONFIG), .DFU(DFU)) u_protocol (
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
      .tx_data_o(tx_data),
      .out_free_i(out_free),
      .out_write_o(out_write),
      .out_commit_o(out_commit),
      .out_offset_o(out_offset),
      .in_avail_i({in_avail[2], trace_avail, in_avail[0]}),
      .in_slot_i({in_slot[2], trace_slot, in_slot[0]}),
      .in_short_i(in_short),
      .in_rep_length_i(in_rep_length),
      .in_acm_length_i(in_acm_length),
      .in_release_o(in_release),
      .mem_is_slot_o(mem_is_slot),
      .mem_slot_addr_o(mem_slot_addr),
      .mem_item_o(mem_item),
      .mem_offset_o(mem_offset),
      .mem_length_i(mem_length),
      .mem_data_i(mem_data),
      .overrun_i(overrun),
      .terminal_o(terminal),
      .boot_o(boot_o)
  );

  gnomon_usb_out u_out (
    .p_clk_i(p_clk), .p_rst_i(p_rst), .p_free_o(out_free[0]), .p_write_i(out_write[0]), .p_commit_i(out_commit[0]),
    .p_offset_i(out_offset), .p_data_i(rx_data), .clk_i(clk_i), .rst_i(rst_i), .cmd_valid_o(cmd_valid_o),
    .cmd_data_o(cmd_data_o), .cmd_ready_i(cmd_ready_i)
  );

  generate
    if (CONFIG == 2) begin : g_acm
      gnomon_usb_out u_out (
        .p_clk_i(p_clk), .p_rst_i(p_rst), .p_free_o(out_free[1]), .p_write_i(out_write[1]), .p_commit_i(out_commit[1]),
        .p_offset_i(out_offset), .p_data_i(rx_data), .clk_i(clk_i), .rst_i(rst_i), .cmd_valid_o(acm_typed_valid_o),
        .cmd_data_o(acm_typed_data_o), .cmd_ready_i(acm_typed_ready_i)
      );
      gnomon_sync2 #(.WIDTH(1)) u_open (.clk_i(clk_i), .rst_i(rst_i), .d_i(terminal), .q_o(acm_open_o));
      // A pulse crosses clock domains as a level change.
      reg overrun_level;
      reg overrun_last;
      wire overrun_seen;
      always @(posedge clk_i) begin
        if (rst_i) overrun_level <= 1'b0;
        else if (acm_overrun_i) overrun_level <= !overrun_level;
      end
      gnomon_sync2 #(.WIDTH(1)) u_overrun (.clk_i(p_clk), .rst_i(p_rst), .d_i(overrun_level), .q_o(overrun_seen));
      always @(posedge p_clk) overrun_last <= overrun_seen;
      assign overrun = overrun_seen != overrun_last;
    end else begin : g_no_acm
      assign out_free[1] = 1'b0;
      assign {acm_typed_valid_o, acm_typed_data_o, acm_open_o, overrun} = 11'd0;
      wire unused_acm = &{1'b0, out_write[1], out_commit[1], acm_typed_ready_i, acm_overrun_i, terminal};
    end
  endgenerate

  gnomon_usb_in #(.CONFIG(CONFIG), .DFU(DFU), .SERIAL(SERIAL)) u_in (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .rep_valid_i(rep_valid_i),
      .rep_data_i(rep_data_i),
      .rep_ready_o(rep_ready_o),
      .rep_flush_i(rep_flush_i),
      .acm_valid_i(acm_valid_i),
      .acm_data_i(acm_data_i),
      .acm_ready_o(acm_ready_o),
      .acm_flush_i(acm_flush_i),
      .trace_valid_i(trace_valid),
      .trace_data_i(trace_data_i),
      .trace_ready_o(trace_ready),
      .p_clk_i(p_clk),
      .p_rst_i(p_rst),
      .p_avail_o(in_avail),
      .p_slot_o(in_slot),
      .p_trace_both_o(trace_both),
      .p_short_o(in_short),
      .p_rep_length_o(in_rep_length),
      .p_acm_length_o(in_acm_length),
      .p_release_i({in_release[2], trace_release, in_release[0]}),
      .p_is_slot_i(mem_is_slot),
      .p_slot_addr_i(mem_slot_addr),
      .p_item_i(mem_item),
      .p_offset_i(mem_offset),
      .p_length_o(mem_length),
      .p_data_o(mem_data)
  );
endmodule

`default_nettype wire
