/* SPDX-License-Identifier: Apache-2.0 */
/* The profiler's time can count an event in place of cycles (docs/internals/profile.md, "Time that counts an event"):
 * then a call lasts as many events as happen in it. */
#ifndef GNOMON_LIB_EVENT_CLOCK_H
#define GNOMON_LIB_EVENT_CLOCK_H

#include <stdbool.h>

#include "lib/device/pmu.h"

/* True if time can count this event: it is known in its cycle, and happens without further settings. */
bool gnomon_event_clock_fits(const struct gnomon_pmu_event *event);

/* Finds the event of a name; *event NULL: "cycles", the time that every device has. GNOMON_ERR_ARGUMENT: there is no
 * such event, or time cannot count it. */
enum gnomon_status gnomon_event_clock_parse(const char *text, const struct gnomon_pmu_event **event,
                                            struct gnomon_error *error);

/* The bits of PROFILE.CONTROL; `event` may be NULL. */
uint32_t gnomon_event_clock_control(const struct gnomon_pmu_event *event);
/* The event that these bits of `control` name; NULL: cycles. */
const struct gnomon_pmu_event *gnomon_event_clock_of(uint32_t control);

/* After these bits of `control` were written to hart `hart`: GNOMON_ERR_UNSUPPORTED if the device did not take them, or
 * does not know the event. */
enum gnomon_status gnomon_event_clock_check(struct gnomon_device *device, const struct gnomon_board *board,
                                            unsigned hart, uint32_t control, struct gnomon_error *error);

/* Between runs: the largest number of an event that time can count on this device, which may be older than this
 * program; 0: it counts only cycles. */
enum gnomon_status gnomon_event_clock_last(struct gnomon_device *device, const struct gnomon_board *board,
                                           unsigned *last, struct gnomon_error *error);

#endif
