// SPDX-License-Identifier: Apache-2.0
// The actions of tags (docs/internals/tags.md). MODE of the retired instruction's tag and of its data word's tag
// selects them: counters by tag, per-address counters, timers, the gate of the trace, the interrupt, the filters of the
// selectable counters. The observation bundle and its tags arrive some cycles late, and the actions take place in the
// cycle of their arrival. A write to GATE acts in its cycle, after that cycle's tags.
`default_nettype none

module gnomon_tag_actions #(
  parameter PER_ADDRESS_LOG2     = 9, // see gnomon_tag_per_address
  parameter PER_ADDRESS_SEGMENTS = 4
) (
  input  wire        clk_i,
  input  wire        clear_i,     // clears all counts, when the hart's reset begins; writes during the reset stay
  input  wire        hart_rst_i,  // no tag acts, and no time passes for the timers
  input  wire        rst_i,       // power-on: also clears the settings

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o,  // one cycle after reg_sel_i, else 0

  input  wire        enable_i,        // 0: no tag acts, and no time passes for the timers
  input  wire        clear_counts_i,  // pulse: clears the same as clear_i

  input  wire        retired_i,       // an instruction retired
  input  wire        unattributed_i,  // no instruction pays for this cycle
  input  wire        read_i,          // the retired instruction read memory
  input  wire        write_i,         // the retired instruction wrote memory
  input  wire [31:1] pc_i,
  input  wire [31:0] address_i,
  input  wire [4:0]  tag_i,           // tag of the instruction, 0: none
  input  wire [4:0]  word_tag_i,      // tag of the word that the instruction accessed

  output wire        ready_o,   // no clearing goes on
  output wire        busy_o,    // an access by PER_ADDRESS_SELECT goes on
  output wire        irq_o,
  output wire        trace_o,   // the gate of the trace is open
  output wire        tagged_o,  // with retired_i: for the filter TAGGED
  output wire [3:0]  gates_o    // with retired_i: the instruction is in an interval of timer n
);
`include "gnomon_registers.vh"
  localparam [11:0] MODE = `GNOMON_TAGS_MODE;
  localparam [1:0] START = 2'd1, TOGGLE = 2'd3;
  wire clear = clear_i || clear_counts_i;
  wire bus_write = reg_sel_i && reg_write_i;

  // ---- MODE. A word that was not written since power-on counts as 0 ----
  localparam [15:0] MODE_BITS = 16'hF33F; // implemented bits
  wire in_mode = reg_addr_i[11:7] == MODE[11:7];
  (* ram_style = "distributed" *) reg [15:0] modes[0:31];
  reg [31:0] written;
  wire [4:0] bus_mode = reg_addr_i[6:2];
  always @(posedge clk_i) begin
    if (bus_write && in_mode) begin
      modes[bus_mode] <= reg_wdata_i[15:0] & MODE_BITS;
      written[bus_mode] <= 1'b1;
    end
    if (rst_i) written <= 32'd0;
  end
  wire [15:0] shown_mode = modes[bus_mode] & {16{written[bus_mode]}};

  // ---- The acting tags: first the instruction's, then its data word's ----
  wire may = retired_i && enable_i && !hart_rst_i;
  wire [15:0] mode = modes[tag_i] & {16{written[tag_i] && tag_i != 5'd0}};
  wire [15:0] word_mode = modes[word_tag_i] & {16{written[word_tag_i] && word_tag_i != 5'd0}};
  wire executes = may && mode[`GNOMON_TAGS_MODE_EXECUTE];
  wire reads = may && read_i && word_mode[`GNOMON_TAGS_MODE_READ];
  wire writes = may && write_i && word_mode[`GNOMON_TAGS_MODE_WRITE];
  wire accesses = reads || writes;
  assign tagged_o = (executes && mode[`GNOMON_TAGS_MODE_TAGGED]) || (accesses && word_mode[`GNOMON_TAGS_MODE_TAGGED]);

  // ---- GATE: the running timers, and the trace ----
  wire set_gate = bus_write && reg_addr_i == `GNOMON_TAGS_GATE;
  reg trace;
  wire [1:0] act = mode[`GNOMON_TAGS_MODE_TRACE] & {2{executes}};
  wire [1:0] word_act = word_mode[`GNOMON_TAGS_MODE_TRACE] & {2{accesses}};
  wire trace_1 = act == 2'd0 ? trace : act == START || (act == TOGGLE && !trace);
  wire trace_2 = word_act == 2'd0 ? trace_1 : word_act == START || (word_act == TOGGLE && !trace_1);
  always @(posedge clk_i) trace <= !clear && (set_gate ? reg_wdata_i[`GNOMON_TAGS_GATE_TRACE] : trace_2);
  assign trace_o = trace;

  wire [3:0] running;
  wire [15:0] steps; // thresholds passed in this cycle with an interrupt request
  assign gates_o = running & {4{enable_i}};

  // ---- INTERRUPT. A request in the cycle of its clearing stays ----
  wire bus_interrupt = reg_addr_i == `GNOMON_TAGS_INTERRUPT;
  wire [31:0] cleared = reg_wdata_i & {32{bus_write && bus_interrupt}};
  wire asks = executes && mode[`GNOMON_TAGS_MODE_INTERRUPT];
  wire word_asks = accesses && word_mode[`GNOMON_TAGS_MODE_INTERRUPT];
  reg by_tag;
  reg [15:0] by_step;
  reg [31:1] interrupt_pc;
  reg [5:0] interrupt_value;
  wire by_tag_kept = by_tag && !cleared[`GNOMON_TAGS_INTERRUPT_TAG];
  always @(posedge clk_i) begin
    by_tag <= by_tag_kept || asks || word_asks;
    by_step <= (by_step & ~cleared[`GNOMON_TAGS_INTERRUPT_STEP]) | steps;
    if (!by_tag_kept && (asks || word_asks)) {interrupt_pc, interrupt_value} <= {pc_i, !asks, asks ? tag_i :
        word_tag_i};
    if (clear) {by_tag, by_step, interrupt_pc, interrupt_value} <= 54'd0;
  end
  assign irq_o = by_tag || |by_step;

  // ---- Reads ----
  reg [31:0] rdata;
  always @(posedge clk_i) begin
    rdata <= 32'd0;
    if (reg_sel_i) begin
      case (reg_addr_i)
        `GNOMON_TAGS_INTERRUPT: rdata <= {by_step, 15'd0, by_tag};
        `GNOMON_TAGS_INTERRUPT_PC: rdata <= {interrupt_pc, 1'b0};
        `GNOMON_TAGS_INTERRUPT_VALUE: rdata <= {26'd0, interrupt_value};
        `GNOMON_TAGS_GATE: rdata <= {23'd0, trace, 4'd0, running};
        default: if (in_mode) rdata <= {16'd0, shown_mode};
      endcase
    end
  end
  wire [31:0] values_rdata, timers_rdata, own_rdata;
  assign reg_rdata_o = rdata | values_rdata | timers_rdata | own_rdata;

  gnomon_tag_values u_values (
    .clk_i(clk_i), .clear_i(clear), .hold_i(hart_rst_i), .retired_i(retired_i), .unattributed_i(unattributed_i),
    .execute_i(executes), .read_i(reads), .write_i(writes), .tag_i(tag_i), .word_tag_i(word_tag_i),
    .reg_sel_i(reg_sel_i), .reg_addr_i(reg_addr_i), .reg_rdata_o(values_rdata)
  );

  gnomon_tag_timers u_timers (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .time_i(enable_i && !hart_rst_i),
    .act_i(mode[`GNOMON_TAGS_MODE_TIMER] & {2{executes}}), .which_i(mode[`GNOMON_TAGS_MODE_WHICH]),
    .word_act_i(word_mode[`GNOMON_TAGS_MODE_TIMER] & {2{accesses}}), .word_which_i(word_mode[`GNOMON_TAGS_MODE_WHICH]),
    .set_i(set_gate), .set_running_i(reg_wdata_i[`GNOMON_TAGS_GATE_RUNNING]), .running_o(running), .steps_o(steps),
    .reg_sel_i(reg_sel_i), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i),
    .reg_rdata_o(timers_rdata)
  );

  gnomon_tag_per_address #(
    .LOG2(PER_ADDRESS_LOG2), .SEGMENTS(PER_ADDRESS_SEGMENTS)
  ) u_per_address (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .execute_i(executes && mode[`GNOMON_TAGS_MODE_PER_ADDRESS]),
    .access_i(accesses && word_mode[`GNOMON_TAGS_MODE_PER_ADDRESS]), .pc_i(pc_i), .address_i(address_i[31:2]),
    .ready_o(ready_o), .busy_o(busy_o), .reg_sel_i(reg_sel_i), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i),
    .reg_wdata_i(reg_wdata_i), .reg_rdata_o(own_rdata)
  );

  wire unused = &{1'b0, address_i[1:0], mode, word_mode, cleared};
endmodule

`default_nettype wire
