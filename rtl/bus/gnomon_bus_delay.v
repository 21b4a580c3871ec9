// SPDX-License-Identifier: Apache-2.0
// A bus stage between a master and the interconnect: delays each request by CYCLES cycles, one request a cycle. It has
// the latency of a remote memory such as an SDRAM, for measurements in simulation. CYCLES = 0: wires.
`default_nettype none

module gnomon_bus_delay #(
  parameter integer CYCLES = 0,
  parameter integer WIDTH = 32          // bits of a request
) (
  input  wire             clk_i, rst_i,

  input  wire             req_valid_i,
  output wire             req_ready_o,
  input  wire [WIDTH-1:0] req_i,

  output wire             req_valid_o,
  input  wire             req_ready_i,
  output wire [WIDTH-1:0] req_o
);

  generate
    if (CYCLES == 0) begin : g_none

      assign {req_valid_o, req_o} = {req_valid_i, req_i};
      assign req_ready_o = req_ready_i;
      wire unused = &{1'b0, clk_i, rst_i};

    end else begin : g_delay

      reg [CYCLES-1:0] valid;
      reg [WIDTH-1:0] req[0:CYCLES-1];

      assign req_valid_o = valid[CYCLES-1];
      assign req_o = req[CYCLES-1];
      assign req_ready_o = req_ready_i || !req_valid_o;

      integer k;
      always @(posedge clk_i) begin
        if (req_ready_o) begin
          req[0] <= req_i;
          valid[0] <= req_valid_i;
          for (k = 1; k < CYCLES; k = k + 1) begin
            req[k] <= req[k-1];
            valid[k] <= valid[k-1];
          end
        end
        if (rst_i) valid <= {CYCLES{1'b0}};
      end

    end
  endgenerate

endmodule

`default_nettype wire
