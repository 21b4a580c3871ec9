// SPDX-License-Identifier: Apache-2.0
// Replaces a memory by an instance of a module without contents: its read data become inputs of the proof, its other
// ports outputs.
(* techmap_celltype = "$mem_v2" *)
module memory_cut (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
    parameter MEMID = "";
    parameter integer SIZE = 0, OFFSET = 0, ABITS = 1, WIDTH = 1, RD_PORTS = 1, WR_PORTS = 1;
    parameter INIT = 0;
    parameter RD_CLK_ENABLE = 0, RD_CLK_POLARITY = 0, RD_TRANSPARENCY_MASK = 0, RD_COLLISION_X_MASK = 0, RD_WIDE_CONTINUATION = 0;
    parameter RD_CE_OVER_SRST = 0, RD_ARST_VALUE = 0, RD_SRST_VALUE = 0, RD_INIT_VALUE = 0;
    parameter WR_CLK_ENABLE = 0, WR_CLK_POLARITY = 0, WR_PRIORITY_MASK = 0, WR_WIDE_CONTINUATION = 0;
    input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;
    input [RD_PORTS*ABITS-1:0] RD_ADDR;
    output [RD_PORTS*WIDTH-1:0] RD_DATA;
    input [WR_PORTS-1:0] WR_CLK;
    input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
    input [WR_PORTS*ABITS-1:0] WR_ADDR;
    memory_box #(
      .R(RD_PORTS), .W(WR_PORTS), .A(ABITS), .D(WIDTH)
    ) _TECHMAP_REPLACE_ (
      .rd_en(RD_EN), .rd_srst(RD_SRST), .rd_addr(RD_ADDR), .rd_data(RD_DATA), .wr_en(WR_EN), .wr_addr(WR_ADDR),
      .wr_data(WR_DATA)
    );
endmodule
