/* SPDX-License-Identifier: Apache-2.0 */
#include <gnomon.h>

#include "internal.h"

uint64_t gnomon_timer_now(void) {
    uint32_t high, low;
    do {
        high = GNOMON_REG(GNOMON_TIMER_MTIME_HI);
        low = GNOMON_REG(GNOMON_TIMER_MTIME_LO);
    } while (high != GNOMON_REG(GNOMON_TIMER_MTIME_HI));
    return (uint64_t)high << 32 | low;
}

void gnomon_timer_alarm(uint64_t when) {
    /* This order causes no alarm in between, whatever the old value was. */
    GNOMON_REG(GNOMON_TIMER_MTIMECMP_HI) = UINT32_MAX;
    GNOMON_REG(GNOMON_TIMER_MTIMECMP_LO) = (uint32_t)when;
    GNOMON_REG(GNOMON_TIMER_MTIMECMP_HI) = (uint32_t)(when >> 32);
}
