// SPDX-License-Identifier: Apache-2.0
// The SoC on a Fomu PVT (iCE40 UP5K), as fomu.vh, with a snooper of the memory bus and its filter in place of the
// records.
.CONFIG(0),
.DFU(1),
.RECORDS_LOG2(0),
.LOCKS(3),
.TRAFFIC(1),
.CLOCK_HZ(12_000_000)
