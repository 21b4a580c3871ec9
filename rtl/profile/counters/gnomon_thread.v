// SPDX-License-Identifier: Apache-2.0
// The thread of the retiring instruction, by the message THREAD. The instruction after the message is the new thread's
// first; interrupts belong to the thread that they interrupt. Threads from 256 on are not told apart.
`default_nettype none

module gnomon_thread (
  input  wire        clk_i,
  input  wire        hart_rst_i,  // the thread is 0
  input  wire        retired_i,   // an instruction retires
  input  wire [31:0] obs_mem_addr_i,
  input  wire [3:0]  obs_mem_wmask_i,
  input  wire [31:0] obs_mem_wdata_i,

  output reg  [8:0]  thread_o  // with bit 8: a thread of 256 or more
);
  localparam NUMBER_BITS = 16;
`include "gnomon_trace_types.vh"
  localparam [31:0] ADDRESS = 32'd0 - 32'd4 - 32'd4 * {16'd0, CHANNEL_THREAD};
  wire told = retired_i && obs_mem_wmask_i == 4'b1111 && obs_mem_addr_i == ADDRESS;
  always @(posedge clk_i) begin
    if (told) thread_o <= {|obs_mem_wdata_i[31:8], obs_mem_wdata_i[7:0]};
    if (hart_rst_i) thread_o <= 9'd0;
  end
endmodule

`default_nettype wire
