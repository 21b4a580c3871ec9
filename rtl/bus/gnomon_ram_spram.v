// SPDX-License-Identifier: Apache-2.0
// Main memory of the UP5K: pairs of SB_SPRAM256KA (16 K x 16 bits each), 64 KiB a pair. Same timing as gnomon_ram.
`default_nettype none

module gnomon_ram_spram #(
  parameter integer BYTES = 65536
) (
  input  wire        clk_i, en_i,
  input  wire [3:0]  we_i,
  input  wire [$clog2(BYTES)-3:0] addr_i,
  input  wire [31:0] wdata_i,
  output wire [31:0] rdata_o
);

  localparam integer PAIRS = BYTES / 65536;

  wire write = we_i != 4'b0000;
  wire [32*PAIRS-1:0] rdata;
  reg [$clog2(BYTES)-3:0] pair_q;  // upper bits: the pair of the last read

  always @(posedge clk_i) if (en_i && !write) pair_q <= addr_i;

  genvar p, h;
  generate
    for (p = 0; p < PAIRS; p = p + 1) begin : g_pair
      for (h = 0; h < 2; h = h + 1) begin : g_half
        SB_SPRAM256KA u_ram (
          .CLOCK(clk_i), .CHIPSELECT(en_i && ((addr_i >> 14) == p)), .WREN(write), .ADDRESS(addr_i[13:0]),
          .DATAIN(wdata_i[16*h+:16]), .MASKWREN({{2{we_i[2*h+1]}}, {2{we_i[2*h]}}}), .STANDBY(1'b0), .SLEEP(1'b0),
          .POWEROFF(1'b1), .DATAOUT(rdata[32*p+16*h+:16])
        );
      end
    end
  endgenerate

  assign rdata_o = rdata[32*(pair_q>>14)+:32];

endmodule

`default_nettype wire
