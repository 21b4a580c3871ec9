/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats of time lines have in common: their words, their remarks, and their times. */
#include <inttypes.h>

#include "lib/export/export_internal.h"
#include "lib/export/timeline.h"

const char *const timeline_groups[TIMELINE_GROUPS] = {
    [TIMELINE_HARTS] = "harts",   [TIMELINE_THREADS] = "threads",     [TIMELINE_LOCKS] = "locks",
    [TIMELINE_VALUES] = "values", [TIMELINE_RECORDING] = "recording",
};
const char *const timeline_categories[TIMELINE_CATEGORIES] = {
    [TIMELINE_THREAD] = "thread",
    [TIMELINE_CALL] = "call",
    [TIMELINE_TRAP] = "trap",
    [TIMELINE_RESUMED] = "resumed",
    [TIMELINE_ENTRY] = "entry",
    [TIMELINE_LOST] = "lost",
    [TIMELINE_HOLD] = "hold",
    [TIMELINE_WAIT] = "wait",
    [TIMELINE_OPEN] = "open",
    [TIMELINE_MESSAGE] = "message",
    [TIMELINE_RESUMED_TRAP] = "resumed-trap",
};
const char *const timeline_keys[TIMELINE_KEYS] = {
    [TIMELINE_VALUE] = "value",   [TIMELINE_TEXT] = "text",     [TIMELINE_BY] = "by",
    [TIMELINE_HART] = "hart",     [TIMELINE_ENTERS] = "enters", [TIMELINE_EXITS] = "exits",
    [TIMELINE_OTHERS] = "others", [TIMELINE_CYCLES] = "cycles", [TIMELINE_BUS] = "bus",
    [TIMELINE_FRAMES] = "frames", [TIMELINE_NUMBER] = "thread",
};

void timeline_remarks(const struct gnomon_export *export, const struct timeline_unknown *unknown,
                      gnomon_export_line *put, void *context) {
    char line[160];
    gnomon_export_remarks(export, put, context);
    if (unknown->holds + unknown->waits) {
        snprintf(line, sizeof line,
                 "locks: %" PRIu64 " holds and %" PRIu64 " waits are not known, because messages were lost",
                 unknown->holds, unknown->waits);
        put(context, line);
    }
}

void export_clock_set(struct export_clock *clock, uint64_t cycle) {
    clock->hz = clock->hz ? clock->hz : 1000000;
    clock->inverse = UINT64_MAX / clock->hz;
    const gnomon_uint128 scaled = (gnomon_uint128)cycle * 1000000000 + clock->hz / 2;
    clock->cycle = cycle;
    clock->nanoseconds = (uint64_t)(scaled / clock->hz);
    clock->rest = (uint64_t)(scaled % clock->hz);
}
