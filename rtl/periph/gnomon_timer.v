// SPDX-License-Identifier: Apache-2.0
// Machine timer and software interrupt of one hart. `mtime` counts cycles since reset; `irq_timer_o` follows mtime >=
// mtimecmp one cycle later. (gnomon_sysctl has a smaller timer for small parts.)
`default_nettype none

module gnomon_timer (
  input  wire        clk_i, rst_i,

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o,

  output reg         irq_timer_o,
  output wire        irq_software_o
);

`include "gnomon_registers.vh"

  wire write = reg_sel_i && reg_write_i;
  reg [63:0] mtime;
  reg [63:0] mtimecmp;
  reg msip;

  assign irq_software_o = msip;

  always @(posedge clk_i) begin
    irq_timer_o <= mtime >= mtimecmp;
    mtime <= mtime + 64'd1;
    if (write) begin
      if (reg_addr_i == `GNOMON_TIMER_MTIME_LO) mtime[31:0] <= reg_wdata_i;
      if (reg_addr_i == `GNOMON_TIMER_MTIME_HI) mtime[63:32] <= reg_wdata_i;
      if (reg_addr_i == `GNOMON_TIMER_MTIMECMP_LO) mtimecmp[31:0] <= reg_wdata_i;
      if (reg_addr_i == `GNOMON_TIMER_MTIMECMP_HI) mtimecmp[63:32] <= reg_wdata_i;
      if (reg_addr_i == `GNOMON_TIMER_MSIP) msip <= reg_wdata_i[0];
    end
    if (rst_i) begin
      mtime <= 64'd0;
      mtimecmp <= {64{1'b1}};
      msip <= 1'b0;
      irq_timer_o <= 1'b0;
    end
  end

  always @(posedge clk_i) begin
    reg_rdata_o <= 32'd0;
    if (reg_sel_i) case (reg_addr_i)
      `GNOMON_TIMER_MTIME_LO: reg_rdata_o <= mtime[31:0];
      `GNOMON_TIMER_MTIME_HI: reg_rdata_o <= mtime[63:32];
      `GNOMON_TIMER_MTIMECMP_LO: reg_rdata_o <= mtimecmp[31:0];
      `GNOMON_TIMER_MTIMECMP_HI: reg_rdata_o <= mtimecmp[63:32];
      `GNOMON_TIMER_MSIP: reg_rdata_o <= {31'd0, msip};
      default: reg_rdata_o <= 32'd0;
    endcase
  end

endmodule

`default_nettype wire
