// SPDX-License-Identifier: Apache-2.0
// The SoC on a ULX3S with an ECP5-25F: configuration `full` with main memory in the board's SDRAM, reduced to fit into
// the part. It has no records of pairs, hookless call tracing, buckets, epochs, counts of dropped calls, counters by
// instruction, tags, counter filters, or address ranges. It has records for 512 functions and traps.
.CONFIG(2),
.CLOCK_HZ(30_000_000),
.SDRAM(1),
.RAM_BYTES(33554432),
.RECORDS_LOG2(9),
.THREADS_LOG2(3),
.ARCS(0),
.WATCH_LOG2(0),
.BUCKETS_LOG2(0),
.EPOCHS(0),
.LOSSES(0),
.PMU(0),
.CODE_WINDOW_LOG2(0),
.TAGS_LOG2(0)
