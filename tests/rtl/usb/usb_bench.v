// SPDX-License-Identifier: Apache-2.0
// gnomon_usb alone: commands come back as replies, typed bytes as console output. The trace is a counter of bytes or of
// little-endian words.
`default_nettype none

module usb_bench #(
    parameter integer CONFIG = 0,
    parameter integer FUNCTIONAL = 0,
    parameter integer DFU = 0,
    parameter integer LINE = 0,
    parameter integer SERIAL_DIVIDER = 4
) (
    input  wire        clk_i, rst_i, clk48_i,
    input  wire        loop_i,        // enables the replies
    input  wire        trace_i,       // enables the trace
    input  wire        trace_ones_i,  // the trace is 0xFF instead of a counter
    input  wire        overrun_i,     // pulse: console bytes were lost
    output wire        open_o, boot_o, suspended_o,
    input  wire        trace_words_i, // the trace counts words
    output wire [31:0] trace_bytes_o, // bytes of the trace taken so far
    input  wire        usb_dp_i, usb_dn_i,
    output wire        usb_dp_o, usb_dn_o, usb_oe_o, usb_pullup_o,
    input  wire [31:0] txn_i,
    output wire [15:0] txn_o
);
  wire cmd_valid;
  wire [7:0] cmd_data;
  wire rep_ready;
  wire trace_ready;
  reg [31:0] counter;
  reg [4:0] quiet;

  always @(posedge clk_i) begin
    if (rst_i) begin
      counter <= 32'd0;
      quiet   <= 5'd0;
    end else begin
      if (trace_i && trace_ready) counter <= counter + 32'd1;
      if (cmd_valid) quiet <= 5'd0;
      else if (!quiet[4]) quiet <= quiet + 5'd1;
    end
  end

  wire typed_valid;
  wire [7:0] typed_data;
  wire acm_ready;
  wire [31:0] word = {2'b00, counter[31:2]};
  wire [7:0] trace_data = trace_ones_i ? 8'hFF : trace_words_i ? word[{counter[1:0], 3'b000}+:8] : counter[7:0];
  assign trace_bytes_o = counter;

  gnomon_usb #(.CONFIG(CONFIG), .FUNCTIONAL(FUNCTIONAL), .DFU(DFU), .LINE(LINE), .SERIAL_DIVIDER(SERIAL_DIVIDER), .SERIAL("TEST0042")) u_usb (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .clk48_i(FUNCTIONAL != 0 || LINE != 0 ? clk_i : clk48_i),
      .cmd_valid_o(cmd_valid),
      .cmd_data_o(cmd_data),
      .cmd_ready_i(rep_ready && loop_i),
      .rep_valid_i(cmd_valid && loop_i),
      .rep_data_i(cmd_data),
      .rep_ready_o(rep_ready),
      .rep_flush_i(quiet[4]),
      .trace_valid_i(trace_i),
      .trace_data_i(trace_data),
      .trace_ready_o(trace_ready),
      .acm_valid_i(typed_valid),
      .acm_data_i(typed_data),
      .acm_ready_o(acm_ready),
      .acm_flush_i(1'b1),
      .acm_typed_valid_o(typed_valid),
      .acm_typed_data_o(typed_data),
      .acm_typed_ready_i(acm_ready),
      .acm_open_o(open_o),
      .acm_overrun_i(overrun_i),
      .boot_o(boot_o),
      .suspended_o(suspended_o),
      .usb_dp_i(usb_dp_i),
      .usb_dn_i(usb_dn_i),
      .usb_dp_o(usb_dp_o),
      .usb_dn_o(usb_dn_o),
      .usb_oe_o(usb_oe_o),
      .usb_pullup_o(usb_pullup_o),
      .txn_i(txn_i),
      .txn_o(txn_o)
  );
endmodule

`default_nettype wire
