// SPDX-License-Identifier: Apache-2.0
// Merges the traces of two harts, whole frames at a time. An encoder sends the bytes of a frame as they come to be, so
// each hart has room for two frames, and a frame leaves when all of it is there. Frames of hart 1 get its number
// (docs/reference/trace-format.md); each hart's frames have their own sequence numbers.
`default_nettype none

module gnomon_trace_merge (
  input  wire        clk_i, rst_i,
  input  wire [1:0]  valid_i,
  input  wire [15:0] data_i,
  output wire [1:0]  ready_o,
  output wire        valid_o,
  output wire [7:0]  data_o,
  input  wire        ready_i
);

`include "gnomon_trace.vh"

  localparam integer LOG2 = $clog2(`GNOMON_FRAME_BYTES);
  reg sending, hart;
  reg [LOG2-1:0] at;
  wire [1:0] there;
  wire [15:0] data;
  wire [2*LOG2+3:0] level;
  wire [1:0] takes = {hart, !hart} & {2{sending && ready_i}};
  wire [1:0] whole = {|level[2*LOG2+3:2*LOG2+2], |level[LOG2+1:LOG2]};  // the FIFO holds a frame
  wire unused_level = &{1'b0, level};
  genvar h;
  generate
    for (h = 0; h < 2; h = h + 1) begin : g_hart
      gnomon_byte_fifo #(
        .LOG2(LOG2 + 1)
      ) u_fifo (
        .clk_i(clk_i), .rst_i(rst_i), .wr_valid_i(valid_i[h]), .wr_data_i(data_i[8*h+:8]), .wr_ready_o(ready_o[h]),
        .rd_valid_o(there[h]), .rd_data_o(data[8*h+:8]), .rd_ready_i(takes[h]), .level_o(level[(LOG2+2)*h+:LOG2+2])
      );
    end
  endgenerate
  assign valid_o = sending && there[hart];
  assign data_o = hart && at == `GNOMON_FRAME_AT_HART ? 8'd1 : data[8*hart+:8];

  always @(posedge clk_i) begin
    if (!sending) begin
      // The other hart goes first after each frame.
      hart <= hart ? !whole[0] : whole[1];
      sending <= |whole;
      at <= {LOG2{1'b0}};
    end else if (valid_o && ready_i) begin
      at <= at + 1'b1;
      sending <= !(&at);
    end
    if (rst_i) {sending, hart} <= 2'b00;
  end

endmodule

`default_nettype wire
