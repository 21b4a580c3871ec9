// SPDX-License-Identifier: Apache-2.0
// The SoC on a ULX3S with an ECP5-85F: configuration `full` but for the size of what is in block RAM: 128 KiB of main memory, and
// tags for half of it.
.CONFIG(2),
.CLOCK_HZ(30_000_000),
.RAM_BYTES(131072),
.TAGS_LOG2(14)
