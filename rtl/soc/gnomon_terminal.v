// SPDX-License-Identifier: Apache-2.0
// The console for terminal programs: copies each byte that the hart prints while a terminal program has the port open.
// Neither the hart nor the host port ever waits for it. Bytes that the program does not fetch in time are lost, and
// overrun_o reports the loss.
//
// Printed bytes wait in the UART's FIFO for the host port. If the host has not fetched packets for 2^AWAY_LOG2 cycles
// and the FIFO is full, the terminal program is the only reader: then a new byte drops the FIFO's oldest one.
`default_nettype none

module gnomon_terminal #(
  parameter integer FIFO_LOG2 = 10,
  parameter integer AWAY_LOG2 = 24
) (
  input  wire       clk_i, rst_i, open_i,
  // Input of the UART's FIFO; full_i: the FIFO is full.
  input  wire       put_i,
  input  wire [7:0] put_data_i,
  input  wire       full_i,
  // The host port offers a byte; the byte is taken; the FIFO must drop its oldest byte.
  input  wire       rep_valid_i, rep_ready_i,
  output wire       drop_o,
  // To the terminal program.
  output wire       valid_o,
  output wire [7:0] data_o,
  input  wire       ready_i,
  output wire       flush_o,
  output wire       overrun_o  // pulse: a byte is lost
);

  reg [AWAY_LOG2:0] away;
  wire room;
  wire [FIFO_LOG2:0] level;

  assign drop_o = open_i && full_i && away[AWAY_LOG2] && !rep_ready_i;
  assign flush_o = level == {(FIFO_LOG2 + 1) {1'b0}};
  assign overrun_o = open_i && put_i && !room;

  always @(posedge clk_i) begin
    if (rst_i || !open_i || !rep_valid_i || rep_ready_i) away <= {(AWAY_LOG2 + 1) {1'b0}};
    else if (!away[AWAY_LOG2]) away <= away + 1'b1;
  end

  gnomon_byte_fifo #(
    .LOG2(FIFO_LOG2)
  ) u_fifo (
    .clk_i(clk_i), .rst_i(rst_i || !open_i), .wr_valid_i(put_i), .wr_data_i(put_data_i), .wr_ready_o(room),
    .rd_valid_o(valid_o), .rd_data_o(data_o), .rd_ready_i(ready_i), .level_o(level)
  );

endmodule

`default_nettype wire
