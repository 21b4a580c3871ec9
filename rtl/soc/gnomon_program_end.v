// SPDX-License-Identifier: Apache-2.0
// Sees the end of the program in the observation bundle (docs/internals/observation.md): a word that is stored to
// channel 0 of the message window. SYSCTL halts the hart for it, and the profiler ends the trace. Combinational.
`default_nettype none

module gnomon_program_end (
  input  wire        obs_valid_i,
  input  wire        obs_trap_i,
  input  wire [31:0] obs_mem_addr_i,
  input  wire [ 3:0] obs_mem_wmask_i,
  output wire        end_o            // the program has sent EXIT in this cycle
);
  wire at_channel_0 = (&obs_mem_addr_i[31:16]) && (&obs_mem_addr_i[15:2]);
  assign end_o = obs_valid_i && !obs_trap_i && obs_mem_wmask_i == 4'b1111 && at_channel_0;
  wire unused = &{1'b0, obs_mem_addr_i[1:0]};  // 0, of a word
endmodule

`default_nettype wire
