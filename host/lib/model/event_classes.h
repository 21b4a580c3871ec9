/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of events that a recording has. A class that was left out shows nothing: that an interrupt has no row
 * then does not mean that it did not come. */
#ifndef GNOMON_LIB_EVENT_CLASSES_H
#define GNOMON_LIB_EVENT_CLASSES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The class bits are those of PROFILE.CONTROL: GNOMON_PROFILE_CONTROL_FUNCTIONS, _TRAPS, _CHANNELS, _LOCKS, _MODULES,
 * _INTERRUPTS. */
struct gnomon_event_classes {
    bool known; /* false: the file does not say, as older ones do not; `recorded` is then 0 */
    uint32_t recorded;
};

/* The names of the classes that `control`, a value of PROFILE.CONTROL, switches on: an array. The caller frees it;
 * NULL: out of memory. */
json_t *gnomon_event_classes_json(uint32_t control);

/* Reads such an array; NULL, or something else: not known. Names that this version does not know are ignored. */
struct gnomon_event_classes gnomon_event_classes_read(const json_t *json);

/* Of `wanted`, those that the recording is known to be without. */
uint32_t gnomon_event_classes_left_out(const struct gnomon_event_classes *recording, uint32_t wanted);

#endif
