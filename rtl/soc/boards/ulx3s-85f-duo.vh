// SPDX-License-Identifier: Apache-2.0
// The SoC on a ULX3S with an ECP5-85F, with two harts: configuration `full` with 128 KiB of main memory on the chip,
// which both harts share without data caches. Each hart's profiler has records for 256 functions and traps and as many
// pairs, histograms for 8 functions, 512 watched functions with 128 calls open in each thread, counters by instruction
// for 128 parcels, and 256 lock words. Hart 0's also has tags for 4,096 words of code and of data, and counters by
// address for 2 KiB of each.
.CONFIG(2),
.HARTS(2),
.CLOCK_HZ(24_000_000),
.RAM_BYTES(131072),
.ICACHE_BYTES(4096),
.FIFO_LOG2(9),
.RECORDS_LOG2(8),
.THREADS_LOG2(3),
.LOCK_WORDS_LOG2(8),
.WATCH_LOG2(9),
.WATCH_FRAMES_LOG2(7),
.WATCH_QUEUE_LOG2(7),
.BUCKETS_LOG2(3),
.CODE_WINDOW_LOG2(7),
.TAGS_LOG2(12),
.PER_ADDRESS_LOG2(10)
