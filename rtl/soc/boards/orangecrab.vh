// SPDX-License-Identifier: Apache-2.0
// The SoC on an OrangeCrab r0.2 25F (ECP5-25F): configuration `full`, reduced to fit into 56 block RAMs with 32 KiB of
// main memory. It has no hookless call tracing, buckets, epochs, counters by instruction or by address, or latencies.
// It has records for 128 functions and traps and as many pairs, tags for 2,048 words of code and of data, and a trace
// FIFO of 512 events.
.CONFIG(2),
.DFU(2),
.CLOCK_HZ(36_000_000),
.RAM_BYTES(32768),
.ICACHE_BYTES(4096),
.FIFO_LOG2(9),
.NUMBER_BITS(16),
.RECORDS_LOG2(7),
.THREADS_LOG2(3),
.WATCH_LOG2(0),
.BUCKETS_LOG2(0),
.EPOCHS(0),
.LATENCY(0),
.CODE_WINDOW_LOG2(0),
.TAGS_LOG2(11),
.PER_ADDRESS_LOG2(0)
