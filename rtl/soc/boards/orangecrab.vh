// SPDX-License-Identifier: Apache-2.0
// The SoC on an OrangeCrab r0.2 25F (ECP5-25F): configuration `full` with 32 KiB of main memory on the chip, in sizes
// that fit into the part. It has no histograms, no epochs and no counters by address. It has records for 128 functions
// and traps and as many pairs, 256 watched functions with 64 calls open in each thread, counters by instruction for 64
// parcels, tags for 1,024 words of code and of data, a trace FIFO of 512 events, and 64 lock words.
.CONFIG(2),
.DFU(2),
.CLOCK_HZ(48_000_000),
.RAM_BYTES(32768),
.ICACHE_BYTES(2048),
.FIFO_LOG2(9),
.NUMBER_BITS(16),
.RECORDS_LOG2(7),
.THREADS_LOG2(3),
.LOCK_WORDS_LOG2(6),
.EVENT_CLOCK(0),
.WATCH_LOG2(8),
.WATCH_FRAMES_LOG2(6),
.WATCH_QUEUE_LOG2(5),
.WATCH_VALUES(0),
.BUCKETS_LOG2(0),
.EPOCHS(0),
.CODE_WINDOW_LOG2(6),
.TAGS_LOG2(10),
.PER_ADDRESS_LOG2(0)
