// SPDX-License-Identifier: Apache-2.0
// Recognises the events of the hart in the observation bundle: messages (stores into the window,
// docs/reference/address-map.md) and traps. Combinational. The bundle's rules allow at most one event in a cycle: an
// instruction that traps is no message, the obs_trap_enter of an interrupt comes without a retirement, and an mret is
// no store. A function whose number does not fit into NUMBER_BITS makes no event, so it cannot pass for another
// function.
//
// With LOCKS, accesses of the lock segments are events, too: retired loads and stores, so they are no other event.
// Their number is that of a byte of the window: bits 15:0 of the address, inverted. Their data are {segment, write,
// bits 23:16 of the address} in bits 9:0.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_event_decoder #(
  parameter NUMBER_BITS = 16, // bits of a function number, 16 to 20
  parameter LOCKS       = 0   // 1: finds accesses of the lock segments
) (
  // The enabled classes of events (PROFILE.CONTROL).
  input  wire        functions_i, traps_i, channels_i, modules_i, locks_i,

  input  wire [`GNOMON_OBS_PROFILED] obs_i,

  output wire        message_o,  // a store into the window retires, of any class
  output wire        event_o,    // an event of an enabled class
  output wire        enter_o,    // with event_o: it opens a frame
  output wire        leave_o,    // with event_o: it closes a frame
  output wire [3:0]  type_o,     // extended packet type of the trace format
  output wire [NUMBER_BITS-1:0] number_o,
  output wire [31:0] data_o
);
`include "gnomon_trace_types.vh"
`include "gnomon_registers.vh"
  localparam [4:0] RA = 5'd1, SP = 5'd2;
  wire obs_valid = obs_i[`GNOMON_OBS_VALID], obs_trap = obs_i[`GNOMON_OBS_TRAP],
      obs_trap_enter = obs_i[`GNOMON_OBS_TRAP_ENTER], obs_trap_leave = obs_i[`GNOMON_OBS_TRAP_LEAVE];
  wire [4:0] obs_rs2_addr = obs_i[`GNOMON_OBS_RS2_ADDR];
  wire [31:0] obs_mem_addr = obs_i[`GNOMON_OBS_MEM_ADDR], obs_mem_wdata = obs_i[`GNOMON_OBS_MEM_WDATA];
  wire [3:0] obs_mem_rmask = obs_i[`GNOMON_OBS_MEM_RMASK], obs_mem_wmask = obs_i[`GNOMON_OBS_MEM_WMASK];
  wire [5:0] obs_trap_cause = obs_i[`GNOMON_OBS_TRAP_CAUSE];

  wire retired = obs_valid && !obs_trap;
  wire store = retired && obs_mem_wmask[0];
  assign message_o = store && (&obs_mem_addr[31:20]);
  // Channels and modules are in the window's top 64 KiB.
  wire carried = store && (&obs_mem_addr[31:NUMBER_BITS]);
  wire top = store && (&obs_mem_addr[31:16]);
  wire byte_store = carried && !obs_mem_wmask[1];
  wire half_store = top && obs_mem_wmask[1] && !obs_mem_wmask[2];
  wire word_store = top && obs_mem_wmask[2];

  wire enter = byte_store && obs_rs2_addr == RA;
  wire leave = byte_store && obs_rs2_addr == SP;
  wire channel_0 = &obs_mem_addr[15:2];
  wire function_event = functions_i && (enter || leave);
  wire trap_event = traps_i && (obs_trap_enter || obs_trap_leave);
  wire channel_event = channels_i && word_store && !channel_0;
  wire module_event = modules_i && half_store;
  // The two segments are neighbours.
  localparam [31:0] SEGMENTS = `GNOMON_PROFILE_LOCK_BASE0_RESET;
  wire in_segments = LOCKS != 0 && obs_mem_addr[31:25] == SEGMENTS[31:25];
  wire lock = in_segments && retired && (obs_mem_rmask[0] || obs_mem_wmask[0]);
  wire lock_event = locks_i && lock;

  assign event_o = function_event || trap_event || channel_event || module_event || lock_event;
  assign enter_o = obs_trap_enter || enter;
  assign leave_o = obs_trap_leave || leave;
  // The types' numbers, bit by bit. With other numbers this names a module that does not exist.
  assign type_o = {half_store, obs_trap_enter || obs_trap_leave || word_store || lock, word_store || lock,
      leave || obs_trap_leave || lock};
  generate
    if ({TYPE_ENTER, TYPE_EXIT, TYPE_TRAP_ENTER, TYPE_TRAP_LEAVE, TYPE_CHANNEL, TYPE_LOCK, TYPE_MODULE} !=
        28'h0145678) begin : g_unfit
      types_do_not_fit_the_event_decoder u_unfit ();
    end
  endgenerate
  // Numbers count down from the top of the window.
  localparam REST = NUMBER_BITS - 16;
  wire [NUMBER_BITS-1:0] offset = ~obs_mem_addr[NUMBER_BITS-1:0];
  assign number_o = obs_trap_enter ? {{(REST + 10) {1'b0}}, obs_trap_cause} :
      word_store ? {{(REST + 2) {1'b0}}, offset[15:2]} : half_store ? {{(REST + 1) {1'b0}}, offset[15:1]} : offset;
  assign data_o = {obs_mem_wdata[31:10], in_segments ? {obs_mem_addr[24], obs_mem_wmask[0], obs_mem_addr[23:16]} :
      obs_mem_wdata[9:0]};

  wire unused = &{1'b0, obs_i, obs_mem_wmask[3], obs_mem_rmask[3:1], locks_i, SEGMENTS[24:0]};
endmodule

`default_nettype wire
