/* SPDX-License-Identifier: Apache-2.0 */
/* The fake device's block TAGS: registers, shadow memory, and the effect of a run of the fake hart on them. */
#ifndef FAKE_TAGS_H
#define FAKE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

/* One fault each; TAGS_GOOD: no fault. */
enum fake_tags_fault {
    TAGS_GOOD,
    TAGS_ODD,
    TAGS_STUCK_CLEARING,
    TAGS_STUCK_ACCESS,
    TAGS_UNMAPPED,
    TAGS_LOST,
    TAGS_SATURATED,
    TAGS_STUCK_ROUNDS
};

uint32_t fake_tags_read(uint32_t address, enum fake_tags_fault fault);
void fake_tags_write(uint32_t address, uint32_t value, enum fake_tags_fault fault);

/* The fake hart's program: executes every halfword of main memory once, from `base` on, in 1 to 4 cycles each, by
 * its address; then reads every word twice and, if its address is a multiple of 8, writes it once, in one cycle
 * each. */
void fake_tags_run(uint32_t base, uint32_t bytes, enum fake_tags_fault fault);

#endif
