// SPDX-License-Identifier: Apache-2.0
// Register file: two copies with one read port each. x0 is never written and keeps its initial zero.
// READ = 0, in block RAM: the read value appears in the next cycle. A read of the register that is written at that
// clock edge is undefined; gnomon_core bypasses the written value from its W stage.
// READ = 1, in block RAM: a read takes place at the falling edge. The value appears in the middle of the address's
// cycle and includes the write of the last rising edge, so no bypass is needed.
// READ = 2, in distributed RAM: a read needs no clock and includes the write of the last rising edge.
`default_nettype none

module gnomon_core_regfile #(
  parameter READ = 0
) (
  input  wire        clk_i,
  input  wire [4:0]  raddr1_i, raddr2_i,
  output wire [31:0] rdata1_o, rdata2_o,
  input  wire        we_i,
  input  wire [4:0]  waddr_i,
  input  wire [31:0] wdata_i
);
  (* no_rw_check *) reg [31:0] copy1 [0:31];
  (* no_rw_check *) reg [31:0] copy2 [0:31];

  integer i;
  initial
    for (i = 0; i < 32; i = i + 1) begin
      copy1[i] = 32'd0;
      copy2[i] = 32'd0;
    end

  always @(posedge clk_i)
    if (we_i) begin
      copy1[waddr_i] <= wdata_i;
      copy2[waddr_i] <= wdata_i;
    end
  generate
    if (READ == 2) begin : now
      assign rdata1_o = copy1[raddr1_i];
      assign rdata2_o = copy2[raddr2_i];
    end else begin : clocked
      reg  [31:0] rdata1, rdata2;
      if (READ == 1) begin : half
        always @(negedge clk_i) begin
          rdata1 <= copy1[raddr1_i];
          rdata2 <= copy2[raddr2_i];
        end
      end else begin : whole
        always @(posedge clk_i) begin
          rdata1 <= copy1[raddr1_i];
          rdata2 <= copy2[raddr2_i];
        end
      end
      assign rdata1_o = rdata1;
      assign rdata2_o = rdata2;
    end
  endgenerate
endmodule
`default_nettype wire
