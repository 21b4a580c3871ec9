/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/event_clock.h"

#include <string.h>

#include "gnomon/events.h"
#include "gnomon/registers.h"

bool gnomon_event_clock_fits(const struct gnomon_pmu_event *event) {
    switch (event->number) {
    case GNOMON_EVENT_NONE:
    case GNOMON_EVENT_TRACE_EVENTS: /* counted late, as the next two */
    case GNOMON_EVENT_TRACE_LOST:
    case GNOMON_EVENT_TAGGED_FILLS:
    case GNOMON_EVENT_TAGGED:
    case GNOMON_EVENT_RANGE0_ENTRIES: /* of ranges that nothing sets */
    case GNOMON_EVENT_RANGE1_ENTRIES:
    case GNOMON_EVENT_DATA_RANGE_ENTRIES:
        return false;
    default:
        return true;
    }
}

enum gnomon_status gnomon_event_clock_parse(const char *text, const struct gnomon_pmu_event **event,
                                            struct gnomon_error *error) {
    size_t i = 0;
    while ((*event = gnomon_pmu_event(i)) && strcmp((*event)->name, text) != 0)
        i++;
    if (*event && gnomon_event_clock_fits(*event)) {
        if ((*event)->number == GNOMON_EVENT_CYCLES)
            *event = NULL;
        return GNOMON_OK;
    }
    gnomon_fail(error, GNOMON_ERR_ARGUMENT,
                *event ? "the profiler's time cannot count the event %s" : "no event is called %s", text);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "gnomon stat -e list prints the events; not those of the trace, of tags and of ranges");
}

uint32_t gnomon_event_clock_control(const struct gnomon_pmu_event *event) {
    return event ? event->number << GNOMON_PROFILE_CONTROL_CLOCK_SHIFT : 0;
}

const struct gnomon_pmu_event *gnomon_event_clock_of(uint32_t control) {
    const uint32_t clock = control & GNOMON_PROFILE_CONTROL_CLOCK;
    const struct gnomon_pmu_event *event;
    size_t i = 0;
    while ((event = gnomon_pmu_event(i)) && gnomon_event_clock_control(event) != clock)
        i++;
    return clock ? event : NULL;
}

/* A device that is older than this program would count nothing. */
static enum gnomon_status check_known(struct gnomon_device *device, const struct gnomon_board *board, unsigned hart,
                                      const struct gnomon_pmu_event *event, struct gnomon_error *error) {
    struct gnomon_pmu pmu;
    const enum gnomon_status status = gnomon_pmu_open_hart(&pmu, device, board, hart, error);
    if (status || event->number <= pmu.last_event)
        return status;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s does not know the event %s", board->address, event->name);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "flash a newer bitstream (gnomon flash), or leave out --clock");
}

enum gnomon_status gnomon_event_clock_check(struct gnomon_device *device, const struct gnomon_board *board,
                                            unsigned hart, uint32_t control, struct gnomon_error *error) {
    uint32_t word = 0;
    const enum gnomon_status status =
        gnomon_device_get(device, GNOMON_BLOCKS_OF_HART(hart) + GNOMON_PROFILE_CONTROL, &word, error);
    if (status)
        return status;
    const struct gnomon_pmu_event *event = gnomon_event_clock_of(control);
    if (!((word ^ control) & GNOMON_PROFILE_CONTROL_CLOCK))
        return event ? check_known(device, board, hart, event, error) : GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s measures calls only in cycles", board->address);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "leave out --clock, or use the simulated board full");
}

enum gnomon_status gnomon_event_clock_last(struct gnomon_device *device, const struct gnomon_board *board,
                                           unsigned *last, struct gnomon_error *error) {
    const uint32_t control = (uint32_t)GNOMON_EVENT_RETIRED << GNOMON_PROFILE_CONTROL_CLOCK_SHIFT;
    struct gnomon_pmu pmu;
    enum gnomon_status status = gnomon_device_set(device, GNOMON_PROFILE_CONTROL, control, error);
    if (!status)
        status = gnomon_event_clock_check(device, board, 0, control, error);
    if (!status)
        status = gnomon_pmu_open(&pmu, device, board, error);
    *last = status ? 0 : pmu.last_event;
    if (status && status != GNOMON_ERR_UNSUPPORTED)
        return status;
    return gnomon_device_set(device, GNOMON_PROFILE_CONTROL, 0, error);
}
