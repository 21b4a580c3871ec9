// SPDX-License-Identifier: Apache-2.0
// The SoC on an iCEBreaker (iCE40 UP5K) with its USB bridge: the whole configuration `small`, 12 MHz, 3,000,000 baud.
.CONFIG(0),
.CLOCK_HZ(12_000_000),
.LINE(1),
.SERIAL_DIVIDER(4)
