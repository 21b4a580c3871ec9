// SPDX-License-Identifier: Apache-2.0
// Main memory: 32 bits wide, byte lanes, one port; data one cycle after `en_i`, stable until the next read. BYTES is a
// power of two. SPRAM = 1 uses the UP5K's 16 K x 16 single-port blocks (multiples of 64 KiB), otherwise synthesis
// infers block RAM.
`default_nettype none

module gnomon_ram #(
  parameter integer BYTES = 65536,
  parameter integer SPRAM = 0
) (
  input  wire        clk_i, en_i,
  input  wire [3:0]  we_i,                 // all 0: read
  input  wire [$clog2(BYTES)-3:0] addr_i,  // word address
  input  wire [31:0] wdata_i,
  output wire [31:0] rdata_o
);

  localparam integer WORDS = BYTES / 4;

  generate
    if (SPRAM != 0) begin : g_spram
      gnomon_ram_spram #(
        .BYTES(BYTES)
      ) u_spram (
        .clk_i(clk_i), .en_i(en_i), .we_i(we_i), .addr_i(addr_i), .wdata_i(wdata_i), .rdata_o(rdata_o)
      );
    end else begin : g_block
      (* no_rw_check *) reg [31:0] mem[0:WORDS-1];
      reg [31:0] rdata;

      always @(posedge clk_i) begin
        if (en_i) begin
          if (we_i[0]) mem[addr_i][7:0] <= wdata_i[7:0];
          if (we_i[1]) mem[addr_i][15:8] <= wdata_i[15:8];
          if (we_i[2]) mem[addr_i][23:16] <= wdata_i[23:16];
          if (we_i[3]) mem[addr_i][31:24] <= wdata_i[31:24];
          if (we_i == 4'b0000) rdata <= mem[addr_i];
        end
      end

      assign rdata_o = rdata;
    end
  endgenerate

endmodule

`default_nettype wire
