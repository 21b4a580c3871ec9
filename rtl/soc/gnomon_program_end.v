// SPDX-License-Identifier: Apache-2.0
// Detects the end of the program in the observation bundle (docs/internals/observation.md): a store of a word to
// channel 0 of the message window. Then SYSCTL halts the hart, and the profiler ends the trace. Combinational.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_program_end (
  input  wire [`GNOMON_OBS_BITS-1:0] obs_i,
  output wire                        end_o  // the program sends EXIT in this cycle
);
  wire obs_valid = obs_i[`GNOMON_OBS_VALID], obs_trap = obs_i[`GNOMON_OBS_TRAP];
  wire [31:0] obs_mem_addr = obs_i[`GNOMON_OBS_MEM_ADDR];
  wire [3:0] obs_mem_wmask = obs_i[`GNOMON_OBS_MEM_WMASK];
  wire at_channel_0 = (&obs_mem_addr[31:16]) && (&obs_mem_addr[15:2]);
  assign end_o = obs_valid && !obs_trap && obs_mem_wmask == 4'b1111 && at_channel_0;
  wire unused = &{1'b0, obs_i, obs_mem_addr[1:0]};  // 0 in the address of a word
endmodule

`default_nettype wire
