// SPDX-License-Identifier: Apache-2.0
// Debug mode with single step and injected instructions. A mark that the pipeline carries to W in place of an
// instruction enters debug mode; dbg_resume_i leaves debug mode.
`default_nettype none

module gnomon_core_debug (
  input  wire       clk_i, rst_i, dbg_halt_i, dbg_resume_i, dbg_insn_valid_i,
  output wire       dbg_busy_o, dbg_error_o,

  input  wire       step_i,     // dcsr.step
  input  wire       d_load_i,   // D takes an instruction of the program
  input  wire       w_enter_i,  // the mark has reached W
  input  wire       w_done_i,   // an injected instruction has reached W
  input  wire       w_error_i,  // the injected instruction in W has an exception

  output wire       debug_o,      // the hart is in debug mode
  output wire       leave_o,      // last cycle of debug mode: reads dpc
  output wire       resume_o,     // first cycle after debug mode: redirects fetch to dpc
  output wire       inject_o,     // D takes the injected instruction in this cycle
  output wire       want_o,       // D must take the mark instead of an instruction
  output wire [2:0] want_cause_o  // dcsr.cause of the mark
);
  reg debug, busy, error, stepped, resume;

  assign debug_o = debug;
  assign leave_o = debug && dbg_resume_i && !busy;
  assign resume_o = resume;
  assign inject_o = debug && dbg_insn_valid_i && !busy && !dbg_resume_i;
  assign want_o = !debug && (dbg_halt_i || stepped);
  assign want_cause_o = dbg_halt_i ? 3'd3 : 3'd4;
  assign dbg_busy_o = busy;
  assign dbg_error_o = error;

  always @(posedge clk_i) begin
    if (w_enter_i)
      debug <= 1'b1;
    if (leave_o)
      debug <= 1'b0;
    resume <= leave_o;
    if (inject_o) begin
      busy <= 1'b1;
      error <= 1'b0;
    end else if (debug && w_done_i) begin
      busy <= 1'b0;
      error <= w_error_i;
    end
    if (debug)
      stepped <= 1'b0;
    else if (step_i) begin
      if (d_load_i)
        stepped <= 1'b1;
    end
    if (rst_i) begin
      debug <= 1'b0;
      busy <= 1'b0;
      error <= 1'b0;
      stepped <= 1'b0;
      resume <= 1'b0;
    end
  end
endmodule
`default_nettype wire
