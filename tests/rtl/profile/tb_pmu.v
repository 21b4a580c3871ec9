// SPDX-License-Identifier: Apache-2.0
// mcycle, minstret and time under CSR accesses without a pause, at the pace of the core: 5 cycles an access, with the
// write 2 cycles after the read. Phases repeat one access as an unrolled loop does, so that the sweep of gnomon_pmu must
// get through between them. Every read equals plain counters of 64 bits, to the cycle. Not tried: a write of the lower
// word directly after it has wrapped.
`timescale 1ns / 1ps
`default_nettype none

module tb_pmu;
  parameter HPM = 0;
  parameter ACCESSES = 20000;
  reg clk = 0, rst = 1, hart_rst = 1, valid = 0, write = 0, retired = 0;
  reg [11:0] addr = 0;
  reg [31:0] wdata = 0;
  wire [31:0] rdata, aux;
  wire [63:0] cycle;
  wire quiet;
  always #5 clk = !clk;
  gnomon_pmu #(
    .HPM(HPM)
  ) dut (
    .clk_i(clk), .clk_host_i(clk), .rst_i(rst), .hart_rst_i(hart_rst), .cycle_o(cycle), .hpm_valid_i(valid),
    .hpm_write_i(write), .hpm_addr_i(addr), .hpm_wdata_i(wdata), .hpm_rdata_o(rdata), .retired_i(retired),
    .events_i(64'd0), .run_i(1'b1), .run_retired_i(retired), .produced_i(2'd0), .lost_i(2'd0), .reg_read_i(1'b0),
    .reg_lost_i(1'b0), .reg_data_o(), .aux_counter_i(2'd0), .aux_high_i(1'b0), .aux_valid_o(), .aux_data_o(aux),
    .quiet_o(quiet)
  );

  // The reference model, at the start of each cycle.
  reg [63:0] mcycle = 0, minstret = 0, moment = 0;
  reg skip = 0; // the next retirement is the writing instruction's
  wire writes = valid && write;
  always @(posedge clk) begin
    moment = moment + 1;
    if (!(writes && addr == 12'hB00)) mcycle = mcycle + 1; // a write of the lower word replaces this cycle's event
    if (retired && !skip && !(writes && addr[6:0] == 7'd2)) minstret = minstret + 1;
    if (retired) skip = 0;
    else if (writes && addr[6:0] == 7'd2) skip = 1;
    if (writes) case (addr)
      12'hB00: mcycle[31:0] = wdata;
      12'hB80: mcycle[63:32] = wdata;
      12'hB02: minstret[31:0] = wdata;
      12'hB82: minstret[63:32] = wdata;
      default: ;
    endcase
    if (hart_rst) {mcycle, minstret, moment, skip} = 0;
  end

  integer errors = 0, n, k, left = 0, seed = 1;
  reg [11:0] at;
  reg writing, mixed;
  reg [63:0] want;
  initial begin
    repeat (4) @(negedge clk);
    rst = 0;
    repeat (60) @(negedge clk);
    hart_rst = 0;
    for (n = 0; n < ACCESSES; n = n + 1) begin
      if (left == 0) begin // the next phase
        left = 1 + $urandom_range(60);
        mixed = $urandom_range(2) == 0;
        writing = $urandom_range(3) != 0;
        at = {4'hB, $urandom_range(1) == 0, 5'd0, $urandom_range(1) == 0, 1'b0};
      end
      left = left - 1;
      if (mixed || left == 0) at = {4'hB, $urandom_range(1) == 0, 5'd0, 2'd0} + $urandom_range(2);
      if (left == 0) writing = 0;
      if (at[1:0] == 2'd1) at[11:8] = 4'hC; // time
      for (k = 0; k < 5; k = k + 1) begin
        want = at[1:0] == 2'd0 ? mcycle : at[1:0] == 2'd1 ? moment : minstret;
        valid = k == 0 || (k == 2 && writing && at[1:0] != 2'd1 && (at[7] || want[31:0] > 200));
        write = k == 2;
        addr = at;
        wdata = $urandom_range(1) ? 32'hFFFF_FF00 + $urandom_range(255) : $urandom;
        retired = k != 2 && $urandom_range(1) == 0;
        if (k == 2) begin
          if (at[7]) want = want >> 32;
          #1 if (rdata !== want[31:0]) begin
            errors = errors + 1;
            if (errors < 20) $display("FAIL: access %0d, CSR %h is %h, not %h", n, at, rdata, want[31:0]);
          end
        end
        @(negedge clk) valid = 0;
      end
    end
    if (errors != 0) $fatal(1, "pmu: %0d errors", errors);
    $display("PASS: pmu: %0d accesses without a pause", ACCESSES);
    $finish;
  end
endmodule

`default_nettype wire
