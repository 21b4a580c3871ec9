/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const faults[FAULTS] = {
    [OP_VERSION] = "op-version",
    [OP_CODE] = "op-code",
    [OP_GARBAGE] = "op-garbage",
    [IMPORT_BUSY] = "import-busy",
    [IMPORT_CUT] = "import-cut",
    [LIST_HUGE] = "list-huge",
    [DEVICE_GARBAGE] = "device-garbage",
    [DEVICE_SHORT] = "device-short",
    [CONFIG_GARBAGE] = "config-garbage",
    [CONFIG_SHORT] = "config-short",
    [CONFIG_LOOP] = "config-loop",
    [OTHER_CLASS] = "other-class",
    [NO_ENDPOINT] = "no-endpoint",
    [FUTURE_PROTOCOL] = "future-protocol",
    [CONTROL_STALL] = "control-stall",
    [STRING_ENDLESS] = "string-endless",
    [STRING_ODD] = "string-odd",
    [ENDPOINT_ZERO] = "endpoint-zero",
    [ENDPOINT_INTERRUPT] = "endpoint-interrupt",
    [ENDPOINT_DOUBLE] = "endpoint-double",
    [CONFIG_EMPTY] = "config-empty",
    [CONFIG_NINE] = "config-nine",
    [CONFIG_RANDOM] = "config-random",
    [CONFIG_REFUSED] = "config-refused",
    [ANSWER_OUT_SHORT] = "answer-out-short",
    [ANSWER_STATUS_ODD] = "answer-status-odd",
    [ANSWER_EMPTY] = "answer-empty",
    [ANSWER_TWICE] = "answer-twice",
    [TAG_WRONG] = "tag-wrong",
    [REPLIES_RANDOM] = "replies-random",
    [REPLIES_ENDLESS] = "replies-endless",
    [COUNT_HUGE] = "count-huge",
    [TRACE_RANDOM] = "trace-random",
    [TRACE_STALL] = "trace-stall",
    [TRACE_ENDLESS] = "trace-endless",
    [ACTUAL_TOO_LARGE] = "actual-too-large",
    [UNASKED] = "unasked",
    [NOT_USBIP] = "not-usbip",
    [STALE] = "stale",
    [MUTE] = "mute",
    [KIND_UNKNOWN] = "kind-unknown",
    [COUNT_WRONG] = "count-wrong",
    [EVENT_EMPTY] = "event-empty",
    [BUS_ERROR] = "bus-error",
    [BULK_STALL] = "bulk-stall",
    [FUTURE_REGISTERS] = "future-registers",
    [NO_MEMORY] = "no-memory",
    [NO_PROFILER] = "no-profiler",
    [EVENTS_OLD] = "events-old", /* time can count events, and the last one is not among them */
    [RECORDS_FEW] = "records-few",
    [RECORDS_OPEN] = "records-open",
    [RECORDS_MUTE] = "records-mute",
    [BUCKETS_MANY] = "buckets-many",
    [RECORDS_WILD] = "records-wild",
    [NUMBERS_MANY] = "numbers-many",
    [WATCH_ODD] = "watch-odd",
    [WATCH_STUCK] = "watch-stuck",
    [TAGS] = "tags", /* no fault */
    [TAGGED_ODD] = "tags-odd",
    [TAGGED_STUCK_CLEARING] = "tags-stuck-clearing",
    [TAGGED_STUCK_ACCESS] = "tags-stuck-access",
    [TAGGED_UNMAPPED] = "tags-unmapped",
    [TAGGED_LOST] = "tags-lost",
    [TAGGED_SATURATED] = "tags-saturated",
    [TAGGED_STUCK_ROUNDS] = "tags-stuck-rounds",
    [RUN_CUT] = "run-cut",
    [RUN_CUT_MID] = "run-cut-mid",
    [RUN_UNPLUG] = "run-unplug",
    [RUN_DIES] = "run-dies",
    [NO_END] = "no-end",
    [NO_EXIT] = "no-exit",
    [EBREAK] = "ebreak",
    [TRACE_GARBAGE] = "trace-garbage",
    [TABLE_OUTSIDE] = "table-outside",
    [TABLE_HUGE] = "table-huge",
    [FILE_OUTSIDE] = "file-outside",
    [NAME_ENDLESS] = "name-endless",
    [MAGIC_GONE] = "magic-gone",
    [FLASH_ODD] = "flash-odd",
    [FLASH_NONE] = "flash-none",
    [FLASH_LOCKED] = "flash-locked",
    [CLOCK_BACK] = "clock-back",
    [CLOCK_JUMP] = "clock-jump",
    [CLOCK_STOP] = "clock-stop",
    [CLOCK_CUT] = "clock-cut",
    [CLOCK_SIMULATED] = "clock-simulated", /* says that it is simulated */
};

enum fault fake_find_fault(const char *name) {
    for (int i = 1; i < FAULTS; i++)
        if (faults[i] && !strcmp(faults[i], name))
            return (enum fault)i;
    fprintf(stderr, "fake_device: no fault %s\n", name);
    exit(2);
}
