// SPDX-License-Identifier: Apache-2.0
// Sender of a UART link, 8N1, DIVIDER cycles a bit.
`default_nettype none

module gnomon_usb_serial_tx #(
  parameter integer DIVIDER = 4
) (
  input  wire       clk_i, rst_i, valid_i,
  input  wire [7:0] data_i,
  output wire       ready_o,  // with valid_i: takes the byte
  output wire       tx_o      // the pin
);
  localparam integer PHASE_BITS = $clog2(DIVIDER);
  localparam [31:0] WHOLE = DIVIDER - 1;

  reg [PHASE_BITS-1:0] phase;
  reg [3:0] bits;               // bits left to send, the current one included
  reg [8:0] shift;
  wire bit_end = phase == {PHASE_BITS{1'b0}};

  assign ready_o = bits[3:1] == 3'd0 && (bit_end || !bits[0]);
  assign tx_o = shift[0];

  always @(posedge clk_i) begin
    phase <= bit_end || ready_o ? WHOLE[PHASE_BITS-1:0] : phase - 1'b1;
    if (ready_o) begin
      bits <= valid_i ? 4'd10 : 4'd0;
      if (valid_i) shift <= {data_i, 1'b0};
    end else if (bit_end) begin
      bits <= bits - 4'd1;
      shift <= {1'b1, shift[8:1]};
    end
    if (rst_i) begin
      bits <= 4'd0;
      shift <= 9'h1FF;
    end
  end
endmodule

`default_nettype wire
