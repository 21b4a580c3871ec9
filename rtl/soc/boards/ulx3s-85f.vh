// SPDX-License-Identifier: Apache-2.0
// The SoC on a ULX3S with an ECP5-85F: configuration `full`, main memory in the board's SDRAM. All of it is there, in sizes that can
// be placed and routed: records for 512 functions and traps, histograms of 32, 1,024 watched functions, counters by instruction for
// 256 parcels, tags for 64 KiB of memory at a time.
.CONFIG(2),
.CLOCK_HZ(20_000_000),
.SDRAM(1),
.RAM_BYTES(33554432),
.RECORDS_LOG2(9),
.WATCH_LOG2(10),
.BUCKETS_LOG2(5),
.REGION_LOG2(8),
.TAGS_LOG2(14)
