/* SPDX-License-Identifier: Apache-2.0 */
/* What the figures of functions and threads lack if classes of events were not recorded. The device does not count what
 * it leaves out, so nothing tells whether there was any. */
#include "gnomon/registers.h"
#include "lib/profile/exactness_internal.h"

void gnomon_exactness_classes(struct gnomon_exactness *exactness, const struct gnomon_event_classes *classes) {
    const char *what = exactness_what(exactness);
    char brief[96];
    if (gnomon_event_classes_left_out(classes, GNOMON_PROFILE_CONTROL_TRAPS))
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "traps-not-recorded", 0,
                             "traps were not recorded: they count for what they interrupted",
                             "traps were not recorded: %s and calls of interrupts and exceptions count for the "
                             "functions that they interrupted; record without --no-traps",
                             what);
    snprintf(brief, sizeof brief, "switches of threads were not recorded: %s may be another thread's", what);
    if (gnomon_event_classes_left_out(classes, GNOMON_PROFILE_CONTROL_CHANNELS))
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "channels-not-recorded", 0, brief,
                             "channel messages were not recorded: if the program has threads, all count as one, and "
                             "%s of one count in the functions of another; record without --no-channels",
                             what);
}
