// SPDX-License-Identifier: Apache-2.0
// The SoC on an iCEBreaker (iCE40 UP5K): the whole configuration `small`. The clock is the PLL's 48 MHz divided by
// four.
.CONFIG(0),
.CLOCK_HZ(12_000_000)
