// SPDX-License-Identifier: Apache-2.0
// The serial line that a terminal program sees. It stores the line coding, which has no effect but must read back, and
// reports lost bytes on the notification endpoint.
`default_nettype none

module gnomon_usb_acm (
  input  wire       clk_i,
  input  wire       rst_i,  // reset or bus reset
  // Line coding: it comes byte by byte, and is valid if its packet was good.
  input  wire       byte_valid_i,
  input  wire [7:0] byte_data_i,
  input  wire [6:0] offset_i,  // of the received or sent byte
  input  wire       coding_taken_i,
  // Sent data, three cycles after its offset: from the memory or from the line coding.
  input  wire       sends_coding_i,
  input  wire [7:0] mem_data_i,
  output wire [7:0] data_o,

  input  wire       terminal_i,  // the port is open
  input  wire       overrun_i,   // pulse
  input  wire       told_i,      // pulse: the host has received the notification
  output reg        notify_o
);
  localparam [55:0] DEFAULT = {8'd8, 8'd0, 8'd0, 32'd115200};   // bits, parity, stop bits, rate; low byte first

  reg [55:0] coding;
  reg [55:0] incoming;
  reg [2:0] place, place_then;
  reg [7:0] byte_out;

  assign data_o = sends_coding_i ? byte_out : mem_data_i;

  always @(posedge clk_i) begin
    if (byte_valid_i && offset_i < 7'd7) incoming <= {byte_data_i, incoming[55:8]};
    place <= offset_i[2:0] == 3'd7 ? 3'd0 : offset_i[2:0];
    place_then <= place;
    byte_out <= coding[{place_then, 3'd0}+:8];
    if (coding_taken_i) coding <= incoming;
    if (told_i || !terminal_i) notify_o <= 1'b0;
    if (overrun_i && terminal_i) notify_o <= 1'b1;
    if (rst_i) begin
      coding <= DEFAULT;
      notify_o <= 1'b0;
    end
  end
endmodule

`default_nettype wire
