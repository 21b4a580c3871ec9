// SPDX-License-Identifier: Apache-2.0
// The memory of gnomon_aggregator_compact: 16 K words, one port, written by nibbles. HARD = 1 uses two of the large
// memories of the UP5K. The read word comes one cycle after the address; a write does not read.
`default_nettype none

module gnomon_records_ram #(
  parameter HARD = 0
) (
  input  wire        clk_i,
  input  wire [13:0] address_i,
  input  wire        write_i,
  input  wire [7:0]  mask_i,  // nibbles to write
  input  wire [31:0] data_i,
  output wire [31:0] data_o
);
  genvar part;
  generate
    if (HARD != 0) begin : g_hard
      for (part = 0; part < 2; part = part + 1) begin : g_half
        SB_SPRAM256KA u_ram (
          .CLOCK(clk_i), .CHIPSELECT(1'b1), .WREN(write_i), .ADDRESS(address_i), .DATAIN(data_i[16*part+:16]),
          .MASKWREN(mask_i[4*part+:4]), .STANDBY(1'b0), .SLEEP(1'b0), .POWEROFF(1'b1), .DATAOUT(data_o[16*part+:16])
        );
      end
    end else begin : g_soft
      for (part = 0; part < 8; part = part + 1) begin : g_nibble
        (* no_rw_check *)
        reg [3:0] nibbles[0:(1<<14)-1];
        reg [3:0] nibble;
        always @(posedge clk_i) begin
          if (write_i && mask_i[part]) nibbles[address_i] <= data_i[4*part+:4];
          if (!write_i) nibble <= nibbles[address_i];
        end
        assign data_o[4*part+:4] = nibble;
      end
    end
  endgenerate
endmodule

`default_nettype wire
