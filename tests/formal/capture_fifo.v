// SPDX-License-Identifier: Apache-2.0
// Capture and FIFO together, to prove that the FIFO never overflows and that admitted frames always get their exit. The
// modules have the assertions. KEEPS_UP = 1: sometimes behaves like a simulation whose reader keeps up.
`default_nettype none

module capture_fifo #(
    parameter TIMED = 0,
    parameter DATA = 0, // 1: with the data of accesses
    parameter KEEPS_UP = 0,
    parameter LOG2 = 4 // with KEEPS_UP, 6 or more
) (
    input wire        clk_i, hart_rst_i, enable_i, obs_valid_i, event_i, enter_i, leave_i, exit_i, channel_i,
    input wire [15:0] number_i,
    input wire [63:0] before_i,
    input wire        lock_i, keeps_up_i, pop_i
);
  localparam NUMBER_BITS = 16;
`include "gnomon_trace_types.vh"
  localparam WIDTH = 96 + 35 + (DATA != 0 ? 32 : 0);
  localparam BUS_WIDTH = DATA != 0 ? 66 : 34;

  wire write, behind, commit, empty, few, valid;
  wire [WIDTH-1:0] data_in, data_out;
  wire [LOG2-1:0] used;

  gnomon_capture #(
    .FIFO_LOG2(LOG2), .WIDE(0), .LOCKS(1), .LOCK_DATA(DATA), .BUS_WIDTH(BUS_WIDTH), .TIMED(TIMED), .DEPTH_BITS(3), .SIMULATED(KEEPS_UP), .WIDTH(WIDTH)
  ) u_capture (
    .clk_i(clk_i), .hart_rst_i(hart_rst_i), .enable_i(enable_i), .obs_valid_i(obs_valid_i), .obs_pc_i(32'd0),
    .cycle_i(64'd0), .before_i(before_i), .event_i(event_i), .enter_i(enter_i && !leave_i), .leave_i(leave_i),
    .exit_i(exit_i), .type_i(channel_i && !enter_i && !leave_i ? TYPE_CHANNEL : 4'd0), .number_i(number_i),
    .data_i(32'd0), .lock_i(lock_i), .lock_data_i({BUS_WIDTH{1'b0}}), .running_o(), .dropping_o(), .produced_o(), .lost_o(),
    .fifo_write_o(write), .fifo_behind_o(behind), .fifo_commit_o(commit), .fifo_data_o(data_in), .fifo_empty_i(empty),
    .fifo_few_i(few), .keeps_up_i(KEEPS_UP != 0 && keeps_up_i), .fifo_pop_i(valid && pop_i), .f_used_i(used)
  );

  gnomon_trace_fifo #(
    .LOG2(LOG2), .WIDTH(WIDTH)
  ) u_fifo (
    .clk_i(clk_i), .clk_read_i(clk_i), .reset_i(hart_rst_i), .reset_read_i(hart_rst_i), .write_i(write),
    .behind_i(behind), .commit_i(commit), .data_i(data_in), .empty_o(empty), .few_o(few), .valid_o(valid),
    .data_o(data_out), .pop_i(valid && pop_i), .f_used_o(used)
  );
endmodule

`default_nettype wire
