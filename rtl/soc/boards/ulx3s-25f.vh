// SPDX-License-Identifier: Apache-2.0
// The SoC on a ULX3S with an ECP5-25F: configuration `full` with main memory in the board's SDRAM, in sizes that fit
// into the part. It has no histograms and no epochs. It has records for 256 functions and traps and as many pairs, 256
// watched functions with 64 calls open in each thread, counters by instruction for 64 parcels, tags for 2,048 words of
// code and of data, and counters by address for 1 KiB of each. It has no lock words.
.CONFIG(2),
.CLOCK_HZ(36_000_000),
.SDRAM(1),
.RAM_BYTES(33554432),
.ICACHE_BYTES(4096),
.FIFO_LOG2(9),
.NUMBER_BITS(16),
.RECORDS_LOG2(8),
.THREADS_LOG2(3),
.LOCK_WORDS_LOG2(0),
.EVENT_CLOCK(0),
.WATCH_LOG2(8),
.WATCH_FRAMES_LOG2(6),
.WATCH_QUEUE_LOG2(5),
.WATCH_VALUES(0),
.BUCKETS_LOG2(0),
.EPOCHS(0),
.CODE_WINDOW_LOG2(6),
.TAGS_LOG2(11),
.PER_ADDRESS_LOG2(9)
