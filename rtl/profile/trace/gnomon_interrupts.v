// SPDX-License-Identifier: Apache-2.0
// Messages about interrupts: the instructions that change MIE or MPIE of mstatus, and how long each interrupt that is
// taken has waited. This unit follows both bits itself, also through traps and mret, which make no event here.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_interrupts #(
  parameter NUMBER_BITS = 16
) (
  input  wire        clk_i, hart_rst_i,
  input  wire        enable_i,
  input  wire [`GNOMON_OBS_PROFILED] obs_i,
  input  wire [26:0] cycle_i,
  output wire        event_o,
  output wire [NUMBER_BITS-1:0] number_o,  // the channel
  // INTERRUPTS: the address of the instruction; bit 0: MIE after it. INTERRUPT_WAIT, in the cycle after the interrupt:
  // cycles since it was pending and enabled in mie, in bits 31:5; its code
  output wire [31:0] data_o
);
`include "gnomon_trace_types.vh"
  localparam [11:0] MSTATUS = 12'h300;
  localparam [1:0] WRITE = 2'd1, SET = 2'd2;
  wire [31:0] insn = obs_i[`GNOMON_OBS_INSN], rs1 = obs_i[`GNOMON_OBS_RS1_RDATA], pc = obs_i[`GNOMON_OBS_PC_RDATA];
  wire [5:0] cause = obs_i[`GNOMON_OBS_TRAP_CAUSE];
  wire trap = obs_i[`GNOMON_OBS_TRAP_ENTER];

  // ---- Interrupts that are switched off and on ----
  reg mie, mpie;
  wire writes = obs_i[`GNOMON_OBS_CSR_WRITE] && insn[31:20] == MSTATUS;
  // Bits 7 and 3 of the operand: of rs1, or of the five bits of an immediate.
  wire [1:0] operand = insn[14] ? {1'b0, insn[18]} : {rs1[7], rs1[3]};
  wire [1:0] now = {mpie, mie};
  wire [1:0] after = insn[13:12] == WRITE ? operand : insn[13:12] == SET ? now | operand : now & ~operand;
  always @(posedge clk_i) begin
    if (hart_rst_i) {mpie, mie} <= 2'd0;
    else if (trap) {mpie, mie} <= {mie, 1'b0};
    else if (obs_i[`GNOMON_OBS_TRAP_LEAVE]) {mpie, mie} <= {1'b1, mpie};
    else if (writes) {mpie, mie} <= after;
  end

  // ---- The wait of an interrupt that is taken ----
  // By line, as in the bundle: the cycle of the request, and how often bit 26 of the cycles has changed since, at most
  // twice. After the second change the wait may not fit.
  localparam LINES = 5;
  localparam [LINES*5-1:0] CODES = {5'd13, 5'd16, 5'd11, 5'd7, 5'd3};
  wire [LINES-1:0] requests = obs_i[`GNOMON_OBS_IRQ_REQUESTS];
  wire half = &cycle_i[25:0]; // the last cycle before bit 26 changes
  reg [LINES-1:0] earlier;
  reg [27*LINES-1:0] since;
  reg [2*LINES-1:0] halves;
  reg [LINES-1:0] taken;
  reg [26:0] asked; // since when the line that is taken has asked
  reg late;         // it may have asked too long ago
  integer line;
  always @* begin
    {asked, late} = 28'd0;
    for (line = 0; line < LINES; line = line + 1) begin
      taken[line] = trap && cause == {1'b1, CODES[5*line+:5]};
      asked = asked | (since[27*line+:27] & {27{taken[line]}});
      late = late || (halves[2*line+1] && taken[line]);
    end
  end
  // If the request is still there when its handler begins, the next wait begins here, too.
  wire [LINES-1:0] begins = (requests & ~earlier) | taken;
  integer at;
  always @(posedge clk_i)
    for (at = 0; at < LINES; at = at + 1) begin
      if (begins[at]) since[27*at+:27] <= cycle_i;
      if (begins[at]) halves[2*at+:2] <= {1'b0, half};
      else if (half) halves[2*at+:2] <= {halves[2*at], 1'b1};
    end
  reg due;
  reg [26:0] wait_cycles; // all ones: 2^26 or more
  reg [4:0] code;
  always @(posedge clk_i) begin
    earlier <= hart_rst_i ? {LINES{1'b0}} : requests;
    due <= |taken && !hart_rst_i;
    wait_cycles <= (cycle_i - asked) | {27{late}};
    code <= cause[4:0];
  end

  wire changes = writes && after != now;
  assign event_o = enable_i && (changes || due);
  assign number_o = due ? CHANNEL_INTERRUPT_WAIT : {CHANNEL_INTERRUPTS[NUMBER_BITS-1:1], after[1]};
  assign data_o = due ? {wait_cycles, code} : {pc[31:1], after[0]};

`ifndef SYNTHESIS
  always @(posedge clk_i)
    if (!hart_rst_i && enable_i && due && obs_i[`GNOMON_OBS_VALID]) begin
      $display("gnomon_interrupts: an instruction retires in the cycle after an interrupt");
      $finish;
    end
`endif

  wire unused = &{1'b0, obs_i, insn, rs1, pc[0]};
endmodule

`default_nettype wire
