// SPDX-License-Identifier: Apache-2.0
// The SoC on a ULX3S with an ECP5-85F: configuration `full` with main memory in the board's SDRAM. It has records for
// 512 functions and traps, histograms for 32 functions, 1,024 watched functions, counters by instruction for 256
// parcels, tags for 16,384 words of code and of data, and counters by address for 8 KiB of each. The SDRAM's second
// half is the shadow of the first one: tags that the tag caches get with each line.
.CONFIG(2),
.CLOCK_HZ(30_000_000),
.SDRAM(1),
.RAM_BYTES(16777216),
.RECORDS_LOG2(9),
.THREADS_LOG2(3),
.WATCH_LOG2(10),
.WATCH_VALUES(1),
.BUCKETS_LOG2(5),
.CODE_WINDOW_LOG2(8),
.TAGS_LOG2(14),
.TAG_CACHE(1)
