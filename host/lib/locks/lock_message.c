/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/locks/lock_message.h"

struct gnomon_lock_message gnomon_lock_message_of(const struct gnomon_event *event) {
    const bool segment = event->number & GNOMON_LOCK_SEGMENT, flag = event->value >> 3 & 1;
    return (struct gnomon_lock_message){
        .action = segment ? (flag ? GNOMON_LOCK_REQUEST : GNOMON_LOCK_REFUSED)
                          : (flag ? GNOMON_LOCK_ACQUIRED : GNOMON_LOCK_RELEASED),
        .thread = event->value >> 16 & 0xFF,
        .lock = event->value >> 4 & 0xFFF,
        .caller = event->data,
        .cycle = event->cycle,
        .hart = event->hart,
    };
}

const char *gnomon_lock_action_name(enum gnomon_lock_action action) {
    static const char *const names[] = {
        [GNOMON_LOCK_REQUEST] = "request",
        [GNOMON_LOCK_ACQUIRED] = "acquired",
        [GNOMON_LOCK_REFUSED] = "refused",
        [GNOMON_LOCK_RELEASED] = "released",
    };
    return names[action];
}
