// SPDX-License-Identifier: Apache-2.0
// The console: registers on the hart's side, byte streams on the host's side. `rst_i` is power-on. A reset of the hart
// clears the interrupt enable and the bytes received before it. It keeps unsent bytes, and bytes that the host sends
// during the reset.
`default_nettype none

module gnomon_uart #(
  parameter integer FIFO_LOG2 = 9
) (
  input  wire               clk_i, rst_i, hart_rst_i,

  input  wire               reg_sel_i, reg_write_i,
  input  wire [11:0]        reg_addr_i,
  input  wire [31:0]        reg_wdata_i,
  output reg  [31:0]        reg_rdata_o,
  output wire               irq_o,

  output wire               tx_valid_o,
  output wire [7:0]         tx_data_o,
  input  wire               tx_ready_i,
  output wire [FIFO_LOG2:0] tx_level_o,
  output wire               put_o,  // the hart has written a byte that will be sent

  input  wire               rx_valid_i,
  input  wire [7:0]         rx_data_i,
  output wire               rx_ready_o
);

`include "gnomon_registers.vh"

  wire at_data = reg_sel_i && reg_addr_i == `GNOMON_UART_DATA;
  wire tx_room;
  wire rx_valid;
  wire [7:0] rx_data;
  wire [FIFO_LOG2:0] rx_level;
  reg hart_rst_q;
  reg irq_enable;

  gnomon_byte_fifo #(
    .LOG2(FIFO_LOG2)
  ) u_tx (
    .clk_i(clk_i), .rst_i(rst_i), .wr_valid_i(at_data && reg_write_i), .wr_data_i(reg_wdata_i[7:0]),
    .wr_ready_o(tx_room), .rd_valid_o(tx_valid_o), .rd_data_o(tx_data_o), .rd_ready_i(tx_ready_i), .level_o(tx_level_o)
  );

  gnomon_byte_fifo #(
    .LOG2(FIFO_LOG2)
  ) u_rx (
    .clk_i(clk_i), .rst_i(rst_i || (hart_rst_i && !hart_rst_q)), .wr_valid_i(rx_valid_i), .wr_data_i(rx_data_i),
    .wr_ready_o(rx_ready_o), .rd_valid_o(rx_valid), .rd_data_o(rx_data), .rd_ready_i(at_data && !reg_write_i),
    .level_o(rx_level)
  );

  assign put_o = at_data && reg_write_i && tx_room;
  assign irq_o = irq_enable && rx_valid;

  always @(posedge clk_i) begin
    hart_rst_q <= hart_rst_i;
    if (reg_sel_i && reg_write_i && reg_addr_i == `GNOMON_UART_IRQ_ENABLE) irq_enable <= reg_wdata_i[0];
    if (hart_rst_i) irq_enable <= 1'b0;
    if (rst_i) hart_rst_q <= 1'b1;
  end

  always @(posedge clk_i) begin
    case (reg_addr_i)
      `GNOMON_UART_DATA: reg_rdata_o <= {!rx_valid, 23'd0, rx_valid ? rx_data : 8'd0};
      `GNOMON_UART_STATUS: reg_rdata_o <= {29'd0, tx_level_o == {(FIFO_LOG2 + 1) {1'b0}}, rx_valid, tx_room};
      `GNOMON_UART_IRQ_ENABLE: reg_rdata_o <= {31'd0, irq_enable};
      default: reg_rdata_o <= 32'd0;
    endcase
    if (!reg_sel_i) reg_rdata_o <= 32'd0;
  end

  wire unused = &{1'b0, rx_level, reg_wdata_i[31:8]};

endmodule

`default_nettype wire
