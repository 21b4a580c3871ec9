// SPDX-License-Identifier: Apache-2.0
// Types of the entries of the capture FIFO, and the channels whose messages the hardware uses. Included in the body of
// modules with a parameter NUMBER_BITS; each module uses a part.
/* verilator lint_off UNUSEDPARAM */
// The trace format's types, and TYPE_NONE for an entry without an event of the hart.
localparam [3:0] TYPE_ENTER = 4'd0, TYPE_EXIT = 4'd1, TYPE_EXIT_FAR = 4'd2, TYPE_TRAP_ENTER = 4'd4,
    TYPE_TRAP_LEAVE = 4'd5,
  TYPE_CHANNEL = 4'd6, TYPE_LOCK = 4'd7, TYPE_MODULE = 4'd8, TYPE_NONE = 4'd9, TYPE_LOST = 4'd10, TYPE_BEGIN = 4'd11,
  TYPE_END = 4'd12;
localparam [NUMBER_BITS-1:0] CHANNEL_THREAD = 1, CHANNEL_LANDED = 3;
/* verilator lint_on UNUSEDPARAM */
