// SPDX-License-Identifier: Apache-2.0
// Machine timer and software interrupt of each hart. `mtime` counts cycles since reset; `irq_timer_o` follows mtime >=
// mtimecmp one cycle later. (gnomon_sysctl has a smaller timer for small parts.)
`default_nettype none

module gnomon_timer #(
  parameter integer HARTS = 1  // 1 or 2
) (
  input  wire        clk_i, rst_i,

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o,

  output reg         irq_timer_o,
  output wire        irq_software_o,
  output wire        irq1_timer_o, irq1_software_o  // of hart 1
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

  reg [31:0] rdata;
  always @(posedge clk_i) begin
    rdata <= 32'd0;
    if (reg_sel_i) case (reg_addr_i)
      `GNOMON_TIMER_MTIME_LO: rdata <= mtime[31:0];
      `GNOMON_TIMER_MTIME_HI: rdata <= mtime[63:32];
      `GNOMON_TIMER_MTIMECMP_LO: rdata <= mtimecmp[31:0];
      `GNOMON_TIMER_MTIMECMP_HI: rdata <= mtimecmp[63:32];
      `GNOMON_TIMER_MSIP: rdata <= {31'd0, msip};
      default: rdata <= 32'd0;
    endcase
  end

  generate
    if (HARTS == 1) begin : g_one_hart
      assign {irq1_timer_o, irq1_software_o} = 2'b00;
      assign reg_rdata_o = rdata;
    end else begin : g_two_harts
      reg [63:0] mtimecmp1;
      reg [31:0] rdata1;
      reg msip1, irq1_timer;
      assign {irq1_timer_o, irq1_software_o} = {irq1_timer, msip1};
      assign reg_rdata_o = rdata | rdata1;
      always @(posedge clk_i) begin
        irq1_timer <= mtime >= mtimecmp1;
        if (write) begin
          if (reg_addr_i == `GNOMON_TIMER_HART1_MTIMECMP_LO) mtimecmp1[31:0] <= reg_wdata_i;
          if (reg_addr_i == `GNOMON_TIMER_HART1_MTIMECMP_HI) mtimecmp1[63:32] <= reg_wdata_i;
          if (reg_addr_i == `GNOMON_TIMER_HART1_MSIP) msip1 <= reg_wdata_i[0];
        end
        if (rst_i) {mtimecmp1, msip1, irq1_timer} <= {{64{1'b1}}, 2'b00};
      end
      always @(posedge clk_i) begin
        rdata1 <= 32'd0;
        if (reg_sel_i) case (reg_addr_i)
          `GNOMON_TIMER_HART1_MTIMECMP_LO: rdata1 <= mtimecmp1[31:0];
          `GNOMON_TIMER_HART1_MTIMECMP_HI: rdata1 <= mtimecmp1[63:32];
          `GNOMON_TIMER_HART1_MSIP: rdata1 <= {31'd0, msip1};
          default: rdata1 <= 32'd0;
        endcase
      end
    end
  endgenerate

endmodule

`default_nettype wire
