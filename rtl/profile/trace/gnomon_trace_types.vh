// SPDX-License-Identifier: Apache-2.0
// Types of the entries of the capture FIFO, and the channels whose messages the hardware uses. Included in the body of
// modules with a parameter NUMBER_BITS; each module uses a part.
`include "gnomon_trace.vh"
/* verilator lint_off UNUSEDPARAM */
// The types of the trace format's extended records (rtl/soc/trace.json).
localparam [3:0] TYPE_ENTER = `GNOMON_EXT_ENTER_LONG, TYPE_EXIT = `GNOMON_EXT_EXIT_LONG,
  TYPE_EXIT_FAR = `GNOMON_EXT_EXIT_FAR, TYPE_TRAP_ENTER = `GNOMON_EXT_TRAP_ENTER,
  TYPE_TRAP_LEAVE = `GNOMON_EXT_TRAP_LEAVE, TYPE_CHANNEL = `GNOMON_EXT_CHANNEL, TYPE_LOCK = `GNOMON_EXT_LOCK,
  TYPE_MODULE = `GNOMON_EXT_MODULE, TYPE_LOST = `GNOMON_EXT_LOST, TYPE_BEGIN = `GNOMON_EXT_BEGIN,
  TYPE_END = `GNOMON_EXT_END, TYPE_ACCESS = `GNOMON_EXT_ACCESS, TYPE_WORD = `GNOMON_EXT_WORD;
// Internal to the hardware: an entry without an event of the hart. Its number is that of TIME, which is never sent.
localparam [3:0] TYPE_NONE = `GNOMON_EXT_TIME;
localparam [NUMBER_BITS-1:0] CHANNEL_THREAD = `GNOMON_CHANNEL_THREAD, CHANNEL_LANDED = `GNOMON_CHANNEL_LANDED,
  CHANNEL_INTERRUPTS = `GNOMON_CHANNEL_INTERRUPTS, CHANNEL_INTERRUPT_WAIT = `GNOMON_CHANNEL_INTERRUPT_WAIT,
  CHANNEL_REGISTER = `GNOMON_CHANNEL_REGISTER;
/* verilator lint_on UNUSEDPARAM */
