/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a device's cycle counter between two host times. The hart does not notice: it loses no cycle by an access of
 * the host to registers. */
#ifndef GNOMON_LIB_CALIBRATE_H
#define GNOMON_LIB_CALIBRATE_H

#include "lib/device/board.h"
#include "lib/profile/clock_fit.h"

/* Fails if the board is simulated: its clock has no rate. */
enum gnomon_status gnomon_calibrate_check(const struct gnomon_board *board, struct gnomon_error *error);
/* Makes the counter run. If the hart is in reset, it leaves the reset halted, and executes no instruction; *started is
 * then set. */
enum gnomon_status gnomon_calibrate_begin(struct gnomon_device *device, bool *started, struct gnomon_error *error);
/* Takes one sample. Two kinds are dropped: near the carry from the low to the high half of the counter, and 0, at which
 * the counter may still be in reset. */
enum gnomon_status gnomon_calibrate_sample(struct gnomon_device *device, struct gnomon_clock_samples *samples,
                                           struct gnomon_error *error);
/* Puts the hart back into reset if it was there. */
enum gnomon_status gnomon_calibrate_end(struct gnomon_device *device, bool started, struct gnomon_error *error);

/* ---- Of a recording ---- */

#define GNOMON_BOOT_BYTES 40 /* of the name of the time since the host started: its clock's start */
struct gnomon_recorded_clock {
    struct gnomon_clock_fit fit;
    char boot[GNOMON_BOOT_BYTES]; /* "": not known */
    uint32_t clock_hz;
};

/* The fit as the "clock" of a trace file's trailer; NULL: out of memory. */
json_t *gnomon_calibrate_json(const struct gnomon_clock_fit *fit);
/* Reads it from a trace file. */
enum gnomon_status gnomon_calibrate_load(const char *path, struct gnomon_recorded_clock *clock,
                                         struct gnomon_error *error);

#endif
