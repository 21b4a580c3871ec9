// SPDX-License-Identifier: Apache-2.0
// SYSCTL registers: identification of the device, hart reset, halt and debug, and the end of the program. TIMER = 1
// adds the block TIMER, without its own mtime (mtime is the cycle counter of record, and ignores writes).
//
// The end of the program (gnomon_program_end) sets EXITED and HALT. When the hart has halted, the host gets event 1;
// any other entry into debug mode is event 2.
//
// One block RAM holds all constant or stored values; its initial contents are the registers' reset values. If no
// register is read, its read port follows a beat of eight cycles: in the hart's reset it reads ENTRY, otherwise in
// beats 0 to 2 it reads mtimecmp for the alarm. The host gets the bus only in the other five beats (`host_grant_o`), so
// that the cycle of the alarm does not depend on the host. The host does not get the bus in the cycle that writes
// EXIT_STATUS.
`default_nettype none

module gnomon_sysctl #(
  parameter [31:0] CONFIG_WORD = 32'd0,
  parameter [31:0] CLOCK_HZ = 32'd0,
  parameter [31:0] RAM_BASE = 32'd0,
  parameter [31:0] RAM_BYTES = 32'd0,
  parameter [31:0] RTL_HASH = 32'd0,
  parameter [31:0] MISA = 32'd0,
  parameter [31:0] FLASH_START = 32'd0,
  parameter [31:0] FLASH_BYTES = 32'd0,
  parameter integer TIMER = 0
) (
  input  wire        clk_i,
  // clk_i; runs during accesses and hart_rst_o, when the hart halts and when the program ends
  input  wire        clk_host_i, rst_i,

  input  wire        reg_sel_i, timer_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o,   // 0 one cycle after a cycle without selection
  output wire        host_grant_o,  // the bus may take a request of the host in this cycle
  input  wire [31:0] host_wdata_i,  // stable until the cycle after the request

  input  wire [63:0] cycle_i,

  // Hart.
  input  wire        hold_i,           // main memory is not ready: the hart's reset goes on
  output wire        reset_asked_o,    // CONTROL requests the hart's reset
  output wire        hart_rst_o,
  output wire        hart_rst_host_o,  // hart_rst_o, for clk_host_i
  output wire [31:0] boot_pc_o,        // valid in the last cycle of reset
  output wire        dbg_halt_o,
  output reg         dbg_resume_o,
  input  wire        dbg_halted_i,
  input  wire [2:0]  dbg_cause_i,
  output reg         dbg_insn_valid_o,
  output wire [31:0] dbg_insn_o,
  input  wire        dbg_busy_i, dbg_error_i,
  output wire        stopped_o,        // the hart is in reset or halted
  output wire        irq_timer_o,      // with TIMER = 1
  output wire        irq_software_o,

  input  wire        program_end_i,  // the program ends in this cycle (gnomon_program_end), with this status
  input  wire [31:0] obs_mem_wdata_i,
  input  wire        obs_wfi_i,
  input  wire        overflow_i,     // the hart has left its stack: halts it

  // To the host port.
  output wire        event_valid_o, event_exit_o,
  input  wire        event_done_i
);

`include "gnomon_registers.vh"

  localparam [31:0] ID = 32'h4D4F_4E47;
  localparam [2:0] RELEASE_BEAT = 3'd2;  // the beat after the read of ENTRY

  reg hart_reset, halt;
  reg [2:0] beat;
  reg [2:0] reset_hold;  // bits 2 and 0: the hart's reset has lasted for 32 cycles
  reg exited, halted_q, event_pending, event_exit;

  wire write = reg_sel_i && reg_write_i;
  wire write_control = write && reg_addr_i == `GNOMON_SYSCTL_CONTROL;
  wire released = reset_hold[2] && reset_hold[0];

  assign host_grant_o = (beat > 3'd2) && !program_end_i;
  assign reset_asked_o = hart_reset;
  assign hart_rst_o = hart_reset || !released;
  assign dbg_halt_o = halt;
  assign stopped_o = hart_rst_o || dbg_halted_i;
  // Only the host writes DEBUG_INSN. A store injected into a halted hart cannot, because an injected instruction is
  // already executing.
  assign dbg_insn_o = host_wdata_i;
  assign event_valid_o = event_pending;
  assign event_exit_o = event_exit;

  always @(posedge clk_i) begin
    dbg_resume_o <= write_control && reg_wdata_i[`GNOMON_SYSCTL_CONTROL_RESUME];
    dbg_insn_valid_o <= write && reg_addr_i == `GNOMON_SYSCTL_DEBUG_INSN;
    if (write_control) halt <= reg_wdata_i[`GNOMON_SYSCTL_CONTROL_HALT];

    if (overflow_i) halt <= 1'b1;
    if (program_end_i) begin
      halt <= 1'b1;
      exited <= 1'b1;
    end

    halted_q <= dbg_halted_i;
    beat <= beat + 3'd1;

    if (hart_rst_o) begin
      exited <= 1'b0;
      halted_q <= 1'b0;
    end
    if (rst_i) begin
      beat <= 3'd0;
      halt <= 1'b0;
    end
  end

  wire halts = dbg_halted_i && !halted_q;
  always @(posedge clk_host_i) begin
    if (program_end_i) event_exit <= 1'b1;
    if (halts) event_pending <= 1'b1;
    if (event_done_i || hart_rst_host_o) begin
      event_pending <= 1'b0;
      event_exit <= 1'b0;
    end
  end

  // The hart's reset, one register for each clock; synthesis merges them.
  reg hart_reset_host;
  reg [2:0] reset_hold_host;
  reg hart_reset_next;
  reg [2:0] reset_hold_next;
  always @* begin
    hart_reset_next = write_control ? reg_wdata_i[`GNOMON_SYSCTL_CONTROL_HART_RESET] : hart_reset;
    reset_hold_next = reset_hold + {2'd0, beat == RELEASE_BEAT && !released};
    if (hart_reset || (hold_i && !released)) reset_hold_next = 3'd0;
    if (rst_i) {hart_reset_next, reset_hold_next} = {1'b1, 3'd0};
  end
  always @(posedge clk_i) {hart_reset, reset_hold} <= {hart_reset_next, reset_hold_next};
  always @(posedge clk_host_i) {hart_reset_host, reset_hold_host} <= {hart_reset_next, reset_hold_next};
  wire unused_hold = reset_hold_host[1];
  assign hart_rst_host_o = hart_reset_host || !(reset_hold_host[2] && reset_hold_host[0]);

  // ---- The block RAM: words 0..31 SYSCTL, 32..63 TIMER ----
  localparam [11:0] ENTRY = `GNOMON_SYSCTL_ENTRY, EXIT_STATUS = `GNOMON_SYSCTL_EXIT_STATUS;
  localparam [5:0] AT_COMPARE_LO = 6'd34, AT_COMPARE_HI = 6'd35;
  (* no_rw_check *) reg [31:0] values[0:63];
  reg [31:0] value;
  integer k;
  initial begin
    for (k = 0; k < 64; k = k + 1) begin
      case ({4'd0, k[5:0], 2'b00})
        `GNOMON_SYSCTL_ID: values[k] = ID;
        `GNOMON_SYSCTL_VERSION: values[k] = `GNOMON_REGISTERS_VERSION;
        `GNOMON_SYSCTL_CONFIG: values[k] = CONFIG_WORD;
        `GNOMON_SYSCTL_CLOCK_HZ: values[k] = CLOCK_HZ;
        `GNOMON_SYSCTL_RAM_BASE: values[k] = RAM_BASE;
        `GNOMON_SYSCTL_RAM_BYTES: values[k] = RAM_BYTES;
        `GNOMON_SYSCTL_RTL_HASH: values[k] = RTL_HASH;
        `GNOMON_SYSCTL_MISA: values[k] = MISA;
        `GNOMON_SYSCTL_FLASH_START: values[k] = FLASH_START;
        `GNOMON_SYSCTL_FLASH_BYTES: values[k] = FLASH_BYTES;
        `GNOMON_SYSCTL_ENTRY: values[k] = `GNOMON_SYSCTL_ENTRY_RESET;
        `GNOMON_SYSCTL_PARAM: values[k] = `GNOMON_SYSCTL_PARAM_RESET;
        `GNOMON_SYSCTL_STACK_LIMIT: values[k] = `GNOMON_SYSCTL_STACK_LIMIT_RESET;
        default: values[k] = 32'd0;
      endcase
    end
  end

  wire selected = reg_sel_i || timer_sel_i;
  wire keep_data = reg_sel_i && reg_addr_i == `GNOMON_SYSCTL_DEBUG_DATA;
  wire keep = reg_write_i && ((reg_sel_i && reg_addr_i[11:3] == 9'd5) || keep_data ||
      (timer_sel_i && reg_addr_i[11:3] == 9'd1));
  wire keep_compare = keep && timer_sel_i;
  wire clear = !keep && !program_end_i;  // in reset: sets mtimecmp to all ones
  wire [5:0] at_register = {timer_sel_i, reg_addr_i[6:2]};
  wire [5:0] at_compare = beat[1] ? AT_COMPARE_LO : AT_COMPARE_HI;
  wire [5:0] read_at = selected ? at_register : hart_rst_o || TIMER == 0 ? ENTRY[7:2] : at_compare;
  wire [5:0] write_at = program_end_i ? EXIT_STATUS[7:2] : keep ? at_register : {AT_COMPARE_LO[5:1], beat[0]};
  always @(posedge clk_i) begin
    if (TIMER != 0 || selected || hart_rst_o) value <= values[read_at];
    if (keep || program_end_i || hart_rst_o) values[write_at] <= (program_end_i ? obs_mem_wdata_i : reg_wdata_i) |
        {32{clear}};
  end
  assign boot_pc_o = value;

  // ---- Values that change without a write ----
  reg [31:0] live_n;  // inverted: saves the inverters of the alarm's comparator
  wire read_lo = (reg_sel_i && reg_addr_i == `GNOMON_SYSCTL_CYCLE_LO) ||
      (timer_sel_i && reg_addr_i == `GNOMON_TIMER_MTIME_LO);
  wire read_hi = (reg_sel_i && reg_addr_i == `GNOMON_SYSCTL_CYCLE_HI) ||
      (timer_sel_i && reg_addr_i == `GNOMON_TIMER_MTIME_HI);
  wire take_lo = read_lo || (!selected && beat[1]);
  always @(posedge clk_i) if (TIMER != 0 || selected) live_n <= ~(take_lo ? cycle_i[31:0] : cycle_i[63:32]);

  // ---- Reading ----
  reg show_value, show_live;
  reg msip;
  reg [4:0] bits;
  always @(posedge clk_host_i) begin
    show_value <= selected && reg_addr_i[11:7] == 5'd0;
    show_live <= read_lo || read_hi;
    bits <= 5'd0;
    if (reg_sel_i && reg_addr_i == `GNOMON_SYSCTL_CONTROL) bits <= {3'd0, halt, hart_reset};
    if (reg_sel_i && reg_addr_i == `GNOMON_SYSCTL_STATUS) bits <= {dbg_error_i, dbg_busy_i, obs_wfi_i, exited,
        dbg_halted_i};
    if (reg_sel_i && reg_addr_i == `GNOMON_SYSCTL_DEBUG_CAUSE) bits <= {2'd0, dbg_cause_i};
    if (timer_sel_i && reg_addr_i == `GNOMON_TIMER_MSIP) bits <= {4'd0, msip};
  end
  assign reg_rdata_o = (value & {32{show_value}}) | (~live_n & {32{show_live}}) | {27'd0, bits};

  // ---- The alarm ----
  assign irq_software_o = msip;
  generate
    if (TIMER != 0) begin : g_alarm
      // mtime >= mtimecmp, high half first. Beat 1 tells whether mtime's high half is greater, beat 2 whether it is at
      // least equal, beat 3 compares the low half of a later cycle. So the alarm may be late when the low half wraps,
      // but never early. It stays until mtimecmp is written, because mtime only grows.
      reg greater, equal, clean, alarm;
      wire [32:0] difference = {1'b0, value} + {1'b0, live_n} + {32'd0, !beat[1]};
      wire not_less = !difference[32];
      wire unused = &{1'b0, difference[31:0]};
      always @(posedge clk_i) begin
        if (beat == 3'd1) greater <= not_less;
        if (beat == 3'd2) equal <= not_less;
        // A register access by the hart in beats 0 to 2 cancels this comparison.
        if (beat > 3'd2) clean <= 1'b1;
        else if (selected) clean <= 1'b0;
        if (beat == 3'd3 && clean && (greater || (equal && not_less))) alarm <= 1'b1;
        if (keep_compare || hart_rst_o) alarm <= 1'b0;
        if (timer_sel_i && reg_write_i && reg_addr_i == `GNOMON_TIMER_MSIP) msip <= reg_wdata_i[0];
        if (hart_rst_o) msip <= 1'b0;
      end
      assign irq_timer_o = alarm;
    end else begin : g_no_alarm
      assign irq_timer_o = 1'b0;
      always @* msip = 1'b0;
      wire unused = &{1'b0, keep_compare, at_compare};
    end
  endgenerate

endmodule

`default_nettype wire
