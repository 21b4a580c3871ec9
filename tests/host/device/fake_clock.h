/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle counter of the fake device: it follows the host's clock at a rate that the test gives, so the test knows
 * the truth. Reads take time before and after the counter is read. */
#ifndef TESTS_FAKE_CLOCK_H
#define TESTS_FAKE_CLOCK_H

#include <stdint.h>

#include "fake_faults.h"

/* `text`: PPM:START:TO:BACK. The rate is `hz`, PPM parts in a million faster; cycle 0 is at START ns of
 * CLOCK_MONOTONIC_RAW; TO and BACK are the longest delays in us of a read, each random from 0 on. */
void fake_clock_set(const char *text, uint32_t hz);
/* Reads the counter, with the delays and with the fault, which comes after some reads. 0: no clock is set. */
uint64_t fake_clock_read(enum fault fault);

/* Prints CONTROL, which the host has set, on standard output if a clock is set. */
void fake_clock_tell(uint32_t control);

#endif
