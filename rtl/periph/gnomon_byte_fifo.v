// SPDX-License-Identifier: Apache-2.0
// A FIFO of bytes in block RAM, first word falls through: `rd_data_o` is the oldest byte while `rd_valid_o`. A byte can
// be read two cycles after its write. A write without `wr_ready_o` and a read without `rd_valid_o` have no effect.
`default_nettype none

module gnomon_byte_fifo #(
  parameter integer LOG2 = 9
) (
  input  wire          clk_i, rst_i, wr_valid_i,
  input  wire [7:0]    wr_data_i,
  output wire          wr_ready_o,
  output reg           rd_valid_o,
  output reg  [7:0]    rd_data_o,
  input  wire          rd_ready_i,
  output reg  [LOG2:0] level_o
);

  (* no_rw_check *) reg [7:0] mem[0:(1<<LOG2)-1];
  reg [LOG2-1:0] wr, rd;  // rd: address after the byte in rd_data_o

  wire push = wr_valid_i && wr_ready_o;
  wire pop = rd_ready_i && rd_valid_o;
  wire fetch = level_o[LOG2:1] != {LOG2{1'b0}} ? !rd_valid_o || rd_ready_i : level_o[0] && !rd_valid_o;

  assign wr_ready_o = !level_o[LOG2];

  always @(posedge clk_i) begin
    if (push) mem[wr] <= wr_data_i;
    if (fetch) rd_data_o <= mem[rd];
  end

  always @(posedge clk_i) begin
    if (push) wr <= wr + 1'b1;
    if (fetch) rd <= rd + 1'b1;
    if (push != pop) level_o <= level_o + {(LOG2 + 1) {pop}} + {{LOG2{1'b0}}, !pop};
    rd_valid_o <= fetch || (rd_valid_o && !rd_ready_i);
    if (rst_i) begin
      wr <= {LOG2{1'b0}};
      rd <= {LOG2{1'b0}};
      level_o <= {(LOG2 + 1) {1'b0}};
      rd_valid_o <= 1'b0;
    end
  end

endmodule

`default_nettype wire
