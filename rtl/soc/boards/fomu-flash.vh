// SPDX-License-Identifier: Apache-2.0
// The SoC on a Fomu PVT (iCE40 UP5K) for programs in its SPI flash, which begin after boot loader and bitstream:
// configuration `small` without function records. Their memory is the instruction cache's. The clock is 48 MHz divided
// by four.
.CONFIG(0),
.DFU(1),
.CLOCK_HZ(12_000_000),
.ICACHE_BYTES(65536),
.RECORDS_LOG2(0),
.FLASH(524288)
