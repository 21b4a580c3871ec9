// SPDX-License-Identifier: Apache-2.0
// Layout of the entries of the capture FIFO, in bytes, for the byte-wise trace encoder. Included in the body of modules
// with the parameters WIDE (1: counters for a fast clock and a large FIFO), LOCKS, LOCK_DATA, TRAFFIC and NUMBER_BITS
// (more than 16 only with WIDE, whose events have room). An event: number, data, time, and with WIDE the bits of the
// number above 16. A LOST entry: counters of enters, exits, others, cycles, without gaps. Then the type (4 bits), in
// narrow entries the upper nibble of the last byte. With LOCKS then valid, write, segment, address of a bus access.
// Each module uses a part.
//
// With LOCK_DATA (only with WIDE and LOCKS) then 32 bits: of a bus access the data written; of any other entry, LOST
// and END among them, how many bus accesses were events since BEGIN, dropped ones included. With TRAFFIC (only with
// LOCKS) 7 bits are the bus access's byte lanes, port, and whether it is no lock access: with WIDE the upper bits of
// the event, else after the address.
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
localparam integer VALUE_AT = TYPE_AT + 39; // with LOCK_DATA
localparam integer EXTRA_AT = WIDE != 0 ? TYPE_AT - 7 : TYPE_AT + 39; // with TRAFFIC
localparam integer BUS_BITS = 34 + (LOCK_DATA != 0 ? 32 : 0) + (TRAFFIC != 0 ? 7 : 0); // of an access, without valid
localparam integer EXTRA_BITS = TRAFFIC != 0 && WIDE == 0 ? 7 : 0; // after the address
localparam integer LOCK_BITS = LOCKS == 1 || LOCKS == 3 ? 35 : 0;
localparam integer ENTRY_BITS = TYPE_AT + 4 + LOCK_BITS + (LOCK_DATA != 0 ? 32 : 0) + EXTRA_BITS;
/* verilator lint_on UNUSEDPARAM */
`include "gnomon_trace_types.vh"
