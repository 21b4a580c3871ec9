// SPDX-License-Identifier: Apache-2.0
// Registers before the late register blocks of the bus (gnomon_interconnect): the blocks see an access one cycle after
// the bus has accepted it. So no path leads from the hart's access into their logic. The interconnect registers their
// read data. With REGISTERED 0 the outputs are the inputs.
`default_nettype none

module gnomon_bus_stage #(
  parameter integer REGISTERED = 0,
  parameter integer BLOCKS = 4
) (
  input  wire              clk_i, rst_i,

  input  wire [BLOCKS-1:0] sel_i,
  input  wire              write_i,
  input  wire [11:0]       addr_i,
  input  wire [31:0]       wdata_i,

  output wire [BLOCKS-1:0] sel_o,
  output wire              write_o,
  output wire [11:0]       addr_o,
  output wire [31:0]       wdata_o
);

  generate
    if (REGISTERED != 0) begin : g_registered
      reg [BLOCKS-1:0] sel;
      reg write;
      reg [11:0] addr;
      reg [31:0] wdata;
      always @(posedge clk_i) begin
        sel <= sel_i & {BLOCKS{!rst_i}};
        {write, addr, wdata} <= {write_i, addr_i, wdata_i};
      end
      assign {sel_o, write_o, addr_o, wdata_o} = {sel, write, addr, wdata};
    end else begin : g_direct
      assign {sel_o, write_o, addr_o, wdata_o} = {sel_i, write_i, addr_i, wdata_i};
      wire unused = &{1'b0, clk_i, rst_i};
    end
  endgenerate

endmodule

`default_nettype wire
