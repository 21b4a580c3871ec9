// SPDX-License-Identifier: Apache-2.0
// The SoC on a Fomu PVT (iCE40 UP5K): the whole configuration `small`. The clock is 48 MHz divided by four.
.CONFIG(0),
.DFU(1),
.CLOCK_HZ(12_000_000)
