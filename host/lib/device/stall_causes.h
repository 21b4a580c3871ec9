/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the cycles by cause (docs/internals/observation.md, "Causes") that the device's block STALL_CAUSES has counted.
 */
#ifndef GNOMON_LIB_STALL_CAUSES_H
#define GNOMON_LIB_STALL_CAUSES_H

#include "lib/device/board.h"
#include "lib/model/instructions.h"

/* Reads the cycles of the run, and the cycles of each cause, into `into`, but no instructions. The run must have ended.
 */
enum gnomon_status gnomon_stall_causes_read(struct gnomon_device *device, unsigned hart,
                                            struct gnomon_instructions *into, struct gnomon_error *error);

/* The cycles of each cause so far, while the program runs: each is exact, but they are read one after the other, so
 * that their sum is of no one cycle. Causes that the device does not count are 0. */
enum gnomon_status gnomon_stall_causes_now(struct gnomon_device *device, unsigned hart, uint64_t causes[GNOMON_CAUSES],
                                           struct gnomon_error *error);

/* Sets the hart's code window, which is counted by instruction, and waits until its counters are 0. Before a run, with
 * the hart in reset. */
enum gnomon_status gnomon_code_window_set(struct gnomon_device *device, unsigned hart, uint32_t start,
                                          struct gnomon_error *error);
/* After the run: adds the cycles from `start` (the code window's start) to before `end` to the instructions of `into`.
 */
enum gnomon_status gnomon_code_window_read(struct gnomon_device *device, unsigned hart, uint32_t start, uint32_t end,
                                           struct gnomon_instructions *into, struct gnomon_error *error);

#endif
