/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles by cause (docs/observation.md, "Causes"), and what a device has counted of them in its block CAUSES. */
#ifndef GNOMON_LIB_CAUSES_H
#define GNOMON_LIB_CAUSES_H

#include "board.h"
#include "instructions.h"

/* All of the run, which has ended, into `into`: cycles, and those of each cause; nothing of instructions. */
enum gnomon_status gnomon_causes_read(struct gnomon_device *device, struct gnomon_instructions *into,
                                      struct gnomon_error *error);

/* Before a run, with the hart in reset: the region that is counted by instruction. Waits until its counters are 0. */
enum gnomon_status gnomon_region_set(struct gnomon_device *device, uint32_t start, struct gnomon_error *error);
/* After it: adds what was counted between `start`, as it was set, and `end` to the instructions of `into`. */
enum gnomon_status gnomon_region_read(struct gnomon_device *device, uint32_t start, uint32_t end,
                                      struct gnomon_instructions *into, struct gnomon_error *error);

#endif
