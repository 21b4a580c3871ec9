// SPDX-License-Identifier: Apache-2.0
// The SoC on a ULX3S with an ECP5-85F: configuration `full`, main memory in the board's SDRAM; tags for 256 KiB of it at a time.
.CONFIG(2),
.CLOCK_HZ(30_000_000),
.SDRAM(1),
.RAM_BYTES(33554432),
.TAGS_LOG2(16)
