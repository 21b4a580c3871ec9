// SPDX-License-Identifier: Apache-2.0
// Layout of the entries of the capture FIFO, in bytes, so that the trace encoder can take them byte by byte. Included
// in the body of modules that have a parameter WIDE (1: counters for a fast clock and a large FIFO), a parameter LOCKS
// and a parameter NUMBER_BITS (more than 16 only with WIDE: an event leaves room there). An event: number, data, time,
// and with WIDE what the number has above 16 bits. A LOST entry: counters of enters, exits, others, cycles, back to
// back. Then the type (4 bits); in narrow entries it takes the upper nibble of the last byte. With LOCKS then valid,
// write, segment, address of a lock access. Each of the modules uses a part.
/* verilator lint_off UNUSEDPARAM */
localparam integer NUMBER_AT = 0; // 2 bytes
localparam integer DATA_AT = 2; // 4 bytes
localparam integer TIME_AT = 6;
localparam integer TIME_BYTES = WIDE != 0 ? 8 : 6;
localparam integer TIME_BITS = WIDE != 0 ? 64 : 44;
localparam integer HIGH_AT = 14; // with WIDE
localparam integer CALL_BYTES = WIDE != 0 ? 4 : 3; // counters of enters and of exits
localparam integer OTHER_BYTES = WIDE != 0 ? 4 : 2;
localparam integer CYCLES_BYTES = WIDE != 0 ? 6 : 4;
localparam integer CYCLES_BITS = WIDE != 0 ? 48 : 28;
localparam integer ENTRY_BYTES = WIDE != 0 ? 18 : 12;
localparam integer TYPE_AT = WIDE != 0 ? 144 : 92; // bit
localparam integer ENTRY_BITS = TYPE_AT + 4 + (LOCKS != 0 ? 35 : 0);
/* verilator lint_on UNUSEDPARAM */
`include "gnomon_trace_types.vh"
