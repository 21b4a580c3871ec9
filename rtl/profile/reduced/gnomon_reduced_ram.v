// SPDX-License-Identifier: Apache-2.0
// A memory of 16 K words of 8 bits with one port. HARD = 1 uses half of a large memory of the UP5K. The read word comes
// one cycle after the address; a write does not read.
`default_nettype none

module gnomon_reduced_ram #(
  parameter HARD = 0
) (
  input  wire        clk_i,
  input  wire [13:0] address_i,
  input  wire        write_i,
  input  wire [7:0]  data_i,
  output wire [7:0]  data_o
);
  generate
    if (HARD != 0) begin : g_hard
      wire [7:0] unused;
      SB_SPRAM256KA u_ram (
        .CLOCK(clk_i), .CHIPSELECT(1'b1), .WREN(write_i), .ADDRESS(address_i), .DATAIN({8'd0, data_i}),
        .MASKWREN(4'b0011), .STANDBY(1'b0), .SLEEP(1'b0), .POWEROFF(1'b1), .DATAOUT({unused, data_o})
      );
    end else begin : g_soft
      (* no_rw_check *)
      reg [7:0] words[0:(1<<14)-1];
      reg [7:0] word;
      always @(posedge clk_i) begin
        if (write_i) words[address_i] <= data_i;
        else word <= words[address_i];
      end
      assign data_o = word;
    end
  endgenerate
endmodule

`default_nettype wire
