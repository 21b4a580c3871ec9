// SPDX-License-Identifier: Apache-2.0
// The events that the selectable counters can count, by number (rtl/soc/events.json, docs/reference/events.md).
// Combinational, except the events of the trace: they are known late and appear one cycle later.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_pmu_events #(
  parameter IO = 0 // 1: with IO_BYTES
) (
  input  wire        clk_i,
  input  wire [`GNOMON_OBS_PROFILED] obs_i,
  input  wire [3:0]  obs_cache_i,  // instruction cache: access, miss; data cache: access, miss
  input  wire        mon_valid_i,
  input  wire [1:0]  mon_master_i,
  input  wire        mon_write_i,
  input  wire [2:0]  range_enter_i,
  input  wire        message_i, produced_i, lost_i,
  input  wire        tagged_fill_i,  // a line with a tag was filled

  output wire [63:0] events_o
);
`include "gnomon_events.vh"
`include "gnomon_registers.vh"
  wire obs_valid = obs_i[`GNOMON_OBS_VALID], obs_trap = obs_i[`GNOMON_OBS_TRAP],
      obs_trap_enter = obs_i[`GNOMON_OBS_TRAP_ENTER], obs_mispredict = obs_i[`GNOMON_OBS_MISPREDICT];
  wire [31:0] obs_insn = obs_i[`GNOMON_OBS_INSN], obs_pc_rdata = obs_i[`GNOMON_OBS_PC_RDATA],
      obs_pc_wdata = obs_i[`GNOMON_OBS_PC_WDATA];
  wire [3:0] obs_mem_rmask = obs_i[`GNOMON_OBS_MEM_RMASK], obs_mem_wmask = obs_i[`GNOMON_OBS_MEM_WMASK];
  wire [4:0] obs_cause = obs_i[`GNOMON_OBS_CAUSE];
  wire [5:0] obs_trap_cause = obs_i[`GNOMON_OBS_TRAP_CAUSE];
  wire retired = obs_valid && !obs_trap;
  wire compressed = obs_insn[1:0] != 2'b11;
  wire [6:0] opcode = obs_insn[6:0];
  wire [4:0] compressed_code = {obs_insn[15:13], obs_insn[1:0]};
  wire branch = compressed ? compressed_code == 5'b11001 || compressed_code == 5'b11101 : opcode == 7'b1100011;
  wire jump_32 = opcode == 7'b1101111 || opcode == 7'b1100111;
  wire jump_16 = compressed_code == 5'b10101 || compressed_code == 5'b00101 ||
      (compressed_code == 5'b10010 && obs_insn[6:2] == 5'd0 && obs_insn[11:7] != 5'd0);
  wire jump = compressed ? jump_16 : jump_32;
  wire sequential = obs_pc_wdata == obs_pc_rdata + (compressed ? 32'd2 : 32'd4);

  reg produced, lost;
  always @(posedge clk_i) {produced, lost} <= {produced_i, lost_i};
  localparam [1:0] INSTRUCTION = 2'd0, DATA = 2'd1, HOST = 2'd2; // masters of the bus
  wire bus_read = mon_valid_i && !mon_write_i;
  wire bus_write = mon_valid_i && mon_write_i;

  wire io_byte;
  reg [63:0] events;
  always @* begin
    events = 64'd0;
    events[32:1] = 32'd1 << obs_cause; // cycles by stall cause
    events[`GNOMON_EVENT_BRANCHES] = retired && branch;
    events[`GNOMON_EVENT_BRANCHES_TAKEN] = retired && branch && !sequential;
    events[`GNOMON_EVENT_JUMPS] = retired && jump;
    events[`GNOMON_EVENT_LOADS] = retired && |obs_mem_rmask;
    events[`GNOMON_EVENT_STORES] = retired && |obs_mem_wmask;
    events[`GNOMON_EVENT_COMPRESSED] = retired && compressed;
    events[`GNOMON_EVENT_MESSAGES] = message_i;
    events[`GNOMON_EVENT_EXCEPTIONS] = obs_trap_enter && !obs_trap_cause[5];
    events[`GNOMON_EVENT_INTERRUPTS] = obs_trap_enter && obs_trap_cause[5];
    events[`GNOMON_EVENT_TRACE_EVENTS] = produced;
    events[`GNOMON_EVENT_TRACE_LOST] = lost;
    events[`GNOMON_EVENT_CYCLES] = 1'b1;
    events[`GNOMON_EVENT_MISPREDICTIONS] = retired && obs_mispredict;
    events[`GNOMON_EVENT_ICACHE_ACCESSES] = obs_cache_i[3];
    events[`GNOMON_EVENT_ICACHE_MISSES] = obs_cache_i[2];
    events[`GNOMON_EVENT_DCACHE_ACCESSES] = obs_cache_i[1];
    events[`GNOMON_EVENT_DCACHE_MISSES] = obs_cache_i[0];
    events[`GNOMON_EVENT_BUS_INSTRUCTION_READS] = bus_read && mon_master_i == INSTRUCTION;
    events[`GNOMON_EVENT_BUS_DATA_READS] = bus_read && mon_master_i == DATA;
    events[`GNOMON_EVENT_BUS_DATA_WRITES] = bus_write && mon_master_i == DATA;
    events[`GNOMON_EVENT_BUS_HOST_READS] = bus_read && mon_master_i == HOST;
    events[`GNOMON_EVENT_BUS_HOST_WRITES] = bus_write && mon_master_i == HOST;
    events[`GNOMON_EVENT_RANGE0_ENTRIES] = range_enter_i[0];
    events[`GNOMON_EVENT_RANGE1_ENTRIES] = range_enter_i[1];
    events[`GNOMON_EVENT_DATA_RANGE_ENTRIES] = range_enter_i[2];
    events[`GNOMON_EVENT_TAGGED_FILLS] = tagged_fill_i;
    events[`GNOMON_EVENT_IO_BYTES] = io_byte;
    // gnomon_hpm_counter makes the event TAGGED, because tags are known later.
  end
  assign events_o = events;

  // The program asks for a byte and for whether there was one with the same load: a word's top bit says that there was
  // none. A shorter load does not show that bit.
  generate
    if (IO != 0) begin : g_io
      wire [31:0] loaded = obs_i[`GNOMON_OBS_RD_WDATA];
      wire none = &obs_mem_rmask && loaded[31];
      wire at_data = obs_i[`GNOMON_OBS_MEM_ADDR] == `GNOMON_UART_BASE + {20'd0, `GNOMON_UART_DATA};
      assign io_byte = retired && at_data && |{obs_mem_wmask, obs_mem_rmask} && !none;
      wire unused_loaded = &{1'b0, loaded[30:0]};
    end else begin : g_no_io
      assign io_byte = 1'b0;
    end
  endgenerate

  wire unused = &{1'b0, obs_i, obs_trap_cause[4:0], obs_insn[31:16], obs_insn[12]};
endmodule

`default_nettype wire
