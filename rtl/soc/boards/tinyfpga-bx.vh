// SPDX-License-Identifier: Apache-2.0
// The SoC on a TinyFPGA BX (iCE40 LP8K): configuration `small`. The part's 32 block RAMs hold 4 KiB of main memory and
// no function records. There is no instruction cache because this memory is as fast as one.
.CONFIG(0),
.DFU(1),
.CLOCK_HZ(12_000_000),
.RAM_BYTES(4096),
.ICACHE_BYTES(0),
.RECORDS_LOG2(0)
