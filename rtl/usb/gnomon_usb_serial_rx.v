// SPDX-License-Identifier: Apache-2.0
// Receiver of a UART link, 8N1, DIVIDER cycles a bit (4 or more). For the tolerance of the sender's rate see
// docs/guide/serial.md.
`default_nettype none

module gnomon_usb_serial_rx #(
  parameter integer DIVIDER = 4
) (
  input  wire       clk_i, rst_i,
  input  wire       rx_i,     // the pin; 1 while idle
  output reg        valid_o,  // pulse: a byte
  output reg        bad_o,    // pulse: a byte without its stop bit
  output wire [7:0] data_o    // stable for at least DIVIDER cycles from the pulse on
);
  localparam integer PHASE_BITS = $clog2(DIVIDER);
  localparam [31:0] MIDDLE = (DIVIDER - 1) / 2 - 1, WHOLE = DIVIDER - 1;
  localparam [3:0] STOP = 4'd9;

  wire line;
  reg last;
  reg busy;
  reg [PHASE_BITS-1:0] phase;   // cycles until the next sample
  reg [3:0] bits;               // 0 start bit, 1 to 8 data, 9 stop bit
  reg [7:0] shift;

  gnomon_sync2 #(.WIDTH(1), .RESET(1'b1)) u_rx (.clk_i(clk_i), .rst_i(1'b0), .d_i(rx_i), .q_o(line));

  assign data_o = shift;

  always @(posedge clk_i) begin
    valid_o <= 1'b0;
    bad_o <= 1'b0;
    last <= line;
    if (!busy) begin
      // A start bit is an edge: a line that stays low is not a series of bytes.
      busy <= last && !line;
      phase <= MIDDLE[PHASE_BITS-1:0];
      bits <= 4'd0;
    end else if (phase != {PHASE_BITS{1'b0}}) begin
      phase <= phase - 1'b1;
    end else begin
      phase <= WHOLE[PHASE_BITS-1:0];
      bits <= bits + 4'd1;
      if (bits == 4'd0 && line) busy <= 1'b0;   // only a spike
      if (bits == STOP) begin
        busy <= 1'b0;
        valid_o <= line;
        bad_o <= !line;
      end else begin
        shift <= {line, shift[7:1]};
      end
    end
    if (rst_i) begin
      busy <= 1'b0;
      valid_o <= 1'b0;
      bad_o <= 1'b0;
    end
  end
endmodule

`default_nettype wire
