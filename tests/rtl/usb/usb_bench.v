// SPDX-License-Identifier: Apache-2.0
// gnomon_usb alone: commands are looped back as replies, the trace is a counter.
`default_nettype none

module usb_bench #(
    parameter integer CONFIG = 0,
    parameter integer FUNCTIONAL = 0,
    parameter integer LINE = 0,
    parameter integer SERIAL_DIVIDER = 4
) (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        clk48_i,
    input  wire        loop_i,        // replies flow
    input  wire        trace_i,       // trace flows
    input  wire        trace_ones_i,  // as 0xFF instead of a counter
    input  wire        usb_dp_i,
    input  wire        usb_dn_i,
    output wire        usb_dp_o,
    output wire        usb_dn_o,
    output wire        usb_oe_o,
    output wire        usb_pullup_o,
    input  wire [31:0] txn_i,
    output wire [15:0] txn_o
);
  wire cmd_valid;
  wire [7:0] cmd_data;
  wire rep_ready;
  wire trace_ready;
  reg [7:0] counter;
  reg [4:0] quiet;

  always @(posedge clk_i) begin
    if (rst_i) begin
      counter <= 8'd0;
      quiet   <= 5'd0;
    end else begin
      if (trace_i && trace_ready) counter <= counter + 8'd1;
      if (cmd_valid) quiet <= 5'd0;
      else if (!quiet[4]) quiet <= quiet + 5'd1;
    end
  end

  gnomon_usb #(.CONFIG(CONFIG), .FUNCTIONAL(FUNCTIONAL), .LINE(LINE), .SERIAL_DIVIDER(SERIAL_DIVIDER), .SERIAL("TEST0042")) u_usb (
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
      .trace_data_i(trace_ones_i ? 8'hFF : counter),
      .trace_ready_o(trace_ready),
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
