// SPDX-License-Identifier: Apache-2.0
// The time of the trace and of the records: how many cycles before this one had the chosen event. So a call lasts as
// many events as happen from the cycle in which its enter retires up to the cycle before the one of its exit. Number 0
// chooses every cycle: then the time is the cycle counter of record.
`default_nettype none

module gnomon_event_clock (
  input  wire        clk_i, hart_rst_i,

  input  wire [5:0]  number_i,  // of an event in rtl/soc/events.json; changes only in the hart's reset
  input  wire [63:0] events_i,  // events of this cycle, by number
  output wire [63:0] time_o
);
  wire happens = number_i == 6'd0 || events_i[number_i];
  reg [63:0] count;
  always @(posedge clk_i) count <= hart_rst_i ? 64'd0 : count + {63'd0, happens};
  assign time_o = count;
endmodule

`default_nettype wire
