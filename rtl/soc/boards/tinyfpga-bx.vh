// SPDX-License-Identifier: Apache-2.0
// The SoC on a TinyFPGA BX (iCE40 LP8K): configuration `mid` with 8 KiB of main memory.
.CONFIG(1),
.CLOCK_HZ(12_000_000),
.RAM_BYTES(8192)
