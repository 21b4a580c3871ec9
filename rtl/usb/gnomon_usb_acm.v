// SPDX-License-Identifier: Apache-2.0
// The serial line that a terminal program sees: keeps the line coding, which means nothing here but must be what was
// set, and tells on the notification endpoint that bytes were lost.
`default_nettype none

module gnomon_usb_acm (
  input  wire       clk_i,
  input  wire       rst_i,  // reset, also the bus's
  // Line coding: it comes in byte by byte and counts when it was right to the end.
  input  wire       byte_valid_i,
  input  wire [7:0] byte_data_i,
  input  wire [6:0] offset_i,  // of the byte in or out
  input  wire       coding_taken_i,
  // What is sent, three cycles after its place: of the memory or of the line coding.
  input  wire       sends_coding_i,
  input  wire [7:0] mem_data_i,
  output wire [7:0] data_o,

  input  wire       terminal_i,  // the port is open
  input  wire       overrun_i,   // pulse
  input  wire       told_i,      // pulse: the host has it
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
