// SPDX-License-Identifier: Apache-2.0
// The SoC on an OrangeCrab r0.2 25F (ECP5-25F): configuration `full`, reduced to fit into 56 block RAMs with 32 KiB of
// main memory. It has no records of pairs, hookless call tracing, buckets, epochs, counts of dropped calls, counters by
// instruction, or tags. It has records for 512 functions and traps and a trace FIFO of 512 events.
.CONFIG(2),
.DFU(2),
.CLOCK_HZ(36_000_000),
.RAM_BYTES(32768),
.FIFO_LOG2(9),
.RECORDS_LOG2(9),
.THREADS_LOG2(3),
.ARCS(0),
.WATCH_LOG2(0),
.BUCKETS_LOG2(0),
.EPOCHS(0),
.LOSSES(0),
.CODE_WINDOW_LOG2(0),
.TAGS_LOG2(0)
